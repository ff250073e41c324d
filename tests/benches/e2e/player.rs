//! What runs in the panes: it draws captured screens when told to, and says when it did and when it was typed to.
//!
//! It is told over a unix socket, one line each: `prompt N` draws the dialog with the number N in its command, `busy N` a
//! screen at work with N on its first line, `ready` the composer. It says `pane ID` at first, then `drawn MOMENT` and `key MOMENT`. Enter, a
//! digit or a letter answers its dialog, as they do in the CLIs.

use std::{
    env, fs,
    io::{BufRead as _, BufReader, Read as _, Write as _, stdin, stdout},
    os::unix::net::UnixStream,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use adapters::{Capture, case::CaseMeta};

use crate::figures::now;

/// A CLI whose screens are drawn.
pub(crate) struct Part {
    pub(crate) name: &'static str,
    /// What it says of its version.
    pub(crate) version: &'static str,
    ready: &'static str,
    busy: &'static str,
    dialog: &'static str,
    /// The word of its command in whose place the number stands; as wide as the number.
    word: &'static str,
    /// The row that is chosen.
    pub(crate) yes: &'static str,
}

pub(crate) const PARTS: [Part; 3] = [
    Part {
        name: "claude",
        version: "2.1.325 (Claude Code)",
        ready: "ready-2.1.325-120x40",
        busy: "busy-bash-running-2.1.325-120x40",
        dialog: "perm-bash-2.1.325-120x40",
        word: "output",
        yes: "Yes",
    },
    Part {
        name: "codex",
        version: "codex-cli 0.166.0",
        ready: "v166-ready-plan-mode-120x40",
        busy: "v166-busy-command-120x40",
        dialog: "v166-exec-approval-120x40",
        word: "_probe",
        yes: "Yes, proceed",
    },
    Part {
        name: "gemini",
        version: "0.61.0",
        ready: "ready-default-0.61.0-120x40",
        busy: "busy-shell-0.61.0-120x40",
        dialog: "perm-shell-0.61.0-120x40",
        word: "_shell",
        yes: "Allow once",
    },
];

impl Part {
    /// Puts the number into a text of this CLI.
    pub(crate) fn numbered(&self, text: &str, number: usize) -> String {
        text.replace(self.word, &marked(number))
    }
}

pub(crate) fn part(name: &str) -> &'static Part {
    PARTS.iter().find(|part| part.name == name).unwrap_or_else(|| panic!("no part is called {name}"))
}

/// The number as it stands in a command.
pub(crate) fn marked(number: usize) -> String {
    format!("n{number:05}")
}

/// The script that stands for the CLI on the server's path.
pub(crate) fn script(part: &Part, socket: &Path) -> String {
    let this = env::current_exe().expect("this program");
    format!(
        "#!/bin/sh\n[ \"$1\" = --version ] && {{ echo '{}'; exit; }}\nstty raw -echo\nexec '{}' play '{}' {}\n",
        part.version,
        this.display(),
        socket.display(),
        part.name,
    )
}

pub(crate) fn play(socket: &str, name: &str) {
    let part = part(name);
    let [ready, busy, dialog] = [part.ready, part.busy, part.dialog].map(|case| Drawing::of(part, case));
    let stream = UnixStream::connect(socket).expect("the benchmark");
    let say = Arc::new(Mutex::new(stream.try_clone().expect("a second end")));
    ready.draw_as_it_is();
    tell(&say, &format!("ready {}", std::process::id()));
    let (typed, after) = (Arc::clone(&say), Drawing::of(part, part.ready));
    thread::spawn(move || {
        let mut piece = [0; 256];
        while let Ok(length @ 1..) = stdin().read(&mut piece) {
            tell(&typed, &format!("key {}", now()));
            if piece[..length].iter().any(|byte| *byte == b'\r' || byte.is_ascii_alphanumeric()) {
                after.draw_as_it_is();
            }
        }
        std::process::exit(0);
    });
    for line in BufReader::new(stream).lines().map_while(Result::ok) {
        match line.split_once(' ') {
            Some(("prompt", number)) => {
                let number = number.parse().expect("a number");
                dialog.draw(&part.numbered(&dialog.0.text, number), "");
                tell(&say, &format!("drawn {}", now()));
            }
            Some(("busy", number)) => busy.draw(&busy.0.text, &format!("step {number}")),
            _ => ready.draw_as_it_is(),
        }
    }
}

fn tell(say: &Mutex<UnixStream>, what: &str) {
    let mut stream = say.lock().unwrap_or_else(PoisonError::into_inner);
    // The benchmark may be gone; then so are we, soon.
    let _ = writeln!(stream, "{what}");
}

/// A captured screen, ready to be drawn.
struct Drawing(Capture);

impl Drawing {
    fn of(part: &Part, case: &str) -> Self {
        let folder =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters/src").join(part.name).join("screens").join(case);
        let text = fs::read_to_string(folder.join("screen.ansi")).expect("a captured screen");
        let meta = fs::read_to_string(folder.join("meta.json")).expect("its meta.json");
        let meta: CaseMeta = serde_json::from_str(&meta).expect("a meta.json");
        Self(meta.capture(text.trim_end_matches('\n').replace('\n', "\r\n")))
    }

    /// The whole frame in one write, as the CLIs do it.
    fn draw(&self, text: &str, first_line: &str) {
        let Capture { cursor, title, alternate, .. } = &self.0;
        let screen = if *alternate { "\x1b[?1049h" } else { "\x1b[?1049l" };
        let shown = if cursor.visible { "\x1b[?25h" } else { "\x1b[?25l" };
        let (row, column) = (cursor.y + 1, cursor.x + 1);
        let frame = format!(
            "{screen}\x1b]2;{title}\x07\x1b[?25l\x1b[0m\x1b[H\x1b[2J{text}\x1b[0m\x1b[H{first_line}\x1b[{row};{column}H{shown}"
        );
        let mut out = stdout().lock();
        let _ = out.write_all(frame.as_bytes()).and_then(|()| out.flush());
    }

    fn draw_as_it_is(&self) {
        self.draw(&self.0.text, "");
    }
}
