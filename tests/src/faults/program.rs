//! The programs under the campaign: small CLIs that ask when they are told to, and write down every key they get. They know
//! nothing of the server; what they got is the truth that everything else is compared with.
//!
//! Told through the file `control`: `ask N SLOW screen|hook`, `garbage SEED`, `flood KILOBYTES`. They write to `received`: `asked N`, `key
//! N KEY`, `answered N WHAT`, and `stray KEY` for a key that nobody waits for.

use std::{
    fs,
    io::{Read as _, Seek as _, Write as _},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use super::random::Random;

const LABELS: [&str; 4] = [
    "Yes",
    "Yes, and always allow access to /srv/build from this project",
    "Yes, and switch to auto mode · auto mode handles these prompts for you",
    "No",
];

enum Happened {
    Typed(Vec<u8>),
    Hook(u64, String),
}

struct Program {
    ready: String,
    dialog: String,
    by_line: bool,
    question: Option<(u64, u64)>,
    selected: usize,
    hook: Option<Child>,
    hook_command: Option<String>,
    happened: mpsc::Sender<Happened>,
    /// When what follows the answer is drawn.
    goes_on: Option<Instant>,
}

/// Runs as the program `name` in the current folder until its terminal is gone.
pub fn run(name: &str, arguments: &[String]) {
    if arguments.iter().any(|argument| argument == "--version") {
        say("2.1.325 (Claude Code)\n");
        return;
    }
    let by_line = name == "lines";
    if !by_line {
        raw_mode();
    }
    let screen = |name: &str| fs::read_to_string(name).unwrap_or_default().trim_end_matches('\n').to_owned();
    let (happened, events) = mpsc::channel();
    let hook_command = settings(arguments).and_then(|settings| find_hook(&settings));
    let mut program = Program {
        ready: screen("ready"),
        dialog: screen("dialog"),
        by_line,
        question: None,
        selected: 0,
        hook: None,
        hook_command,
        happened: happened.clone(),
        goes_on: None,
    };
    program.draw();
    thread::spawn(move || {
        let mut bytes = [0; 256];
        while let Ok(count @ 1..) = std::io::stdin().read(&mut bytes) {
            if happened.send(Happened::Typed(bytes[..count].to_vec())).is_err() {
                return;
            }
        }
        // The terminal is gone, and with it every reason to be there.
        std::process::exit(0);
    });
    program.listen(&events);
}

impl Program {
    fn listen(&mut self, events: &mpsc::Receiver<Happened>) {
        let mut control = Control::default();
        loop {
            match events.recv_timeout(Duration::from_millis(5)) {
                Ok(Happened::Typed(bytes)) => self.typed(&bytes),
                Ok(Happened::Hook(number, printed)) => self.hook_printed(number, &printed),
                Err(_) => {}
            }
            if self.goes_on.is_some_and(|at| Instant::now() >= at) {
                self.goes_on = None;
                self.draw();
            }
            for line in control.lines() {
                self.obey(&line);
            }
        }
    }

    fn obey(&mut self, line: &str) {
        let words: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).unwrap_or_default();
        match words.first().copied() {
            Some("ask") => {
                self.question = Some((number(1), number(2)));
                (self.selected, self.goes_on) = (0, None);
                if words.get(3) == Some(&"hook") {
                    self.run_hook(number(1));
                }
                self.draw();
                note(&format!("asked {}", number(1)));
            }
            Some("garbage") => {
                garbage(number(1));
                self.draw();
            }
            Some("flood") => {
                for line in 0..number(1) * 8 {
                    say(&format!("{line:08} {}\r\n", "flood ".repeat(19)));
                }
                self.draw();
            }
            _ => {}
        }
    }

    fn typed(&mut self, bytes: &[u8]) {
        if self.by_line {
            for line in String::from_utf8_lossy(bytes).lines() {
                match self.question.take() {
                    Some((number, slow)) => self.answered(number, slow, line),
                    None => note(&format!("stray {line:?}")),
                }
            }
            return;
        }
        let mut rest = bytes;
        while !rest.is_empty() {
            let (key, length) = match rest {
                [0x1b, b'[' | b'O', b'A', ..] => ("Up".to_owned(), 3),
                [0x1b, b'[' | b'O', b'B', ..] => ("Down".to_owned(), 3),
                [b'\r', ..] => ("Enter".to_owned(), 1),
                [byte, ..] => (format!("{:?}", char::from(*byte)), 1),
                [] => return,
            };
            rest = &rest[length..];
            self.key(&key);
        }
    }

    fn key(&mut self, key: &str) {
        let Some((number, slow)) = self.question else { return note(&format!("stray {key}")) };
        note(&format!("key {number} {key}"));
        match key {
            "Up" => self.selected = self.selected.saturating_sub(1),
            "Down" => self.selected = (self.selected + 1).min(LABELS.len() - 1),
            "Enter" => {
                self.end_hook();
                return self.answered(number, slow, LABELS[self.selected]);
            }
            _ => return note(&format!("stray {key}")),
        }
        self.draw();
    }

    fn hook_printed(&mut self, number: u64, printed: &str) {
        let Some((asked, slow)) = self.question.filter(|(asked, _)| *asked == number) else { return };
        let allows = printed.contains("\"allow\"");
        if allows || printed.contains("\"deny\"") {
            self.end_hook();
            self.answered(asked, slow, if allows { "Yes" } else { "No" });
        }
    }

    fn answered(&mut self, number: u64, slow: u64, what: &str) {
        self.question = None;
        note(&format!("answered {number} {what}"));
        self.goes_on = Some(Instant::now() + Duration::from_millis(slow));
    }

    fn run_hook(&mut self, number: u64) {
        let Some(command) = &self.hook_command else { return };
        let payload = format!(
            r#"{{"hook_event_name":"PermissionRequest","tool_name":"Bash","tool_input":{{"command":"make step-{number}","description":"Take step {number}"}}}}"#
        );
        let mut shell = Command::new("sh");
        let started = shell.arg("-c").arg(command).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let Ok(mut child) = started else { return };
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(payload.as_bytes());
        }
        let (stdout, happened) = (child.stdout.take(), self.happened.clone());
        thread::spawn(move || {
            let mut printed = String::new();
            let _ = stdout.map(|mut stdout| stdout.read_to_string(&mut printed));
            let _ = happened.send(Happened::Hook(number, printed));
        });
        self.hook = Some(child);
    }

    /// As the real CLI does when its dialog is answered.
    fn end_hook(&mut self) {
        if let Some(mut hook) = self.hook.take() {
            let _ = hook.kill();
            let _ = hook.wait();
        }
    }

    fn draw(&self) {
        if self.by_line {
            // Rows are left alone, as a program that asks line by line does; a reset only ends what garbage has begun.
            say(&match self.question {
                Some((number, _)) => format!("\r\nOverwrite file-{number}.txt? [y/N] "),
                None => "\r\n$ ".to_owned(),
            });
            return;
        }
        let text = match self.question {
            Some((number, _)) => self.dialog_of(number),
            None => self.ready.clone(),
        };
        say(&format!("\x1b[0m\x1b[H\x1b[2J\x1b[3J{}", text.replace('\n', "\r\n")));
    }

    fn dialog_of(&self, number: u64) -> String {
        let asks = self.dialog.replace("rm -rf build/output", &format!("make step-{number}"));
        let asks = asks.replace("Remove build output directory", &format!("Take step {number}"));
        let mut lines: Vec<String> = asks.lines().map(str::to_owned).collect();
        for (row, label) in LABELS.iter().enumerate() {
            let mark = format!("{}. ", row + 1);
            if let Some(line) = lines.iter_mut().find(|line| line.contains(&mark)) {
                let (cursor, colour) =
                    if row == self.selected { ("\x1b[38;5;153m❯", "38;5;153") } else { (" ", "39") };
                *line = format!("\x1b[39m {cursor}\x1b[39m \x1b[38;5;246m{mark}\x1b[{colour}m{label}\x1b[39m");
            }
        }
        lines.join("\n")
    }
}

/// Reads what is added to the file `control`, whole lines at a time.
#[derive(Default)]
struct Control {
    read: u64,
}

impl Control {
    fn lines(&mut self) -> Vec<String> {
        let Ok(mut file) = fs::File::open("control") else { return Vec::new() };
        let mut text = String::new();
        if file.seek(std::io::SeekFrom::Start(self.read)).is_err() || file.read_to_string(&mut text).is_err() {
            return Vec::new();
        }
        let whole = text.rfind('\n').map_or(0, |at| at + 1);
        self.read += whole as u64;
        text[..whole].lines().map(str::to_owned).collect()
    }
}

/// Bytes that mean nothing, and sequences that begin and do not end. None of them asks the terminal for a reply: that would
/// arrive as keys.
fn garbage(seed: u64) {
    let mut random = Random::of_round(seed, 0);
    let pieces: [&[u8]; 8] = [
        b"\x1b[999;999H\x1b[38;5;999m",
        b"\x1b]0;\xff\xfe title \x07",
        b"\x1b]8;;http://",
        b"\x1bP+q\xf0\x9f",
        b"\xc3\x28\xa0\xa1\xe2\x28",
        b"%begin 1 2 3\r\n%output %1 x\r\n%end 1 2 3\r\n%exit\r\n",
        b"\x1b[?1049h\x1b[?25l\x1b[5;9r",
        b"\xe2\x9d\xaf 1. Yes\r\n  2. No\r\n",
    ];
    let mut bytes = Vec::new();
    for _ in 0..40 {
        bytes.extend_from_slice(random.pick(&pieces));
        let count = random.below(60);
        let plain = (0..count).map(|_| (random.next() & 0xff) as u8);
        // Escape, its 8-bit form and enquiry could ask for a reply.
        bytes.extend(plain.filter(|byte| !matches!(byte, 0x1b | 0x05 | 0x80..=0x9f)));
    }
    bytes.extend_from_slice(b"\x18\x1b\\\x1b[?1049l\x1b[?25h\x1bc");
    let mut stdout = std::io::stdout();
    let _ = stdout.write_all(&bytes);
    let _ = stdout.flush();
}

fn settings(arguments: &[String]) -> Option<String> {
    let at = arguments.iter().position(|argument| argument == "--settings")?;
    fs::read_to_string(arguments.get(at + 1)?).ok()
}

/// The command of the hook that waits for an answer.
fn find_hook(settings: &str) -> Option<String> {
    fn walk(value: &serde_json::Value) -> Option<String> {
        match value {
            serde_json::Value::String(text) if text.ends_with("--wait") => Some(text.clone()),
            serde_json::Value::Array(items) => items.iter().find_map(walk),
            serde_json::Value::Object(fields) => fields.values().find_map(walk),
            _ => None,
        }
    }
    walk(&serde_json::from_str(settings).ok()?)
}

fn raw_mode() {
    let stdin = std::io::stdin();
    if let Ok(mut modes) = rustix::termios::tcgetattr(&stdin) {
        modes.make_raw();
        let _ = rustix::termios::tcsetattr(&stdin, rustix::termios::OptionalActions::Now, &modes);
    }
}

fn note(line: &str) {
    let file = fs::OpenOptions::new().create(true).append(true).open("received");
    let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}

fn say(text: &str) {
    let mut stdout = std::io::stdout();
    let _ = stdout.write_all(text.as_bytes());
    let _ = stdout.flush();
}
