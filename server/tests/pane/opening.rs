//! Opening and finding panes, what the programs in them get, and how they end.

use std::{collections::BTreeMap, fs::Permissions, os::unix::fs::PermissionsExt};

use adapters::{
    Keystroke,
    screen::{Cursor, Exit, TtyMode},
};
use answerback::pane::{PaneError, Press, Terminal, TmuxTerminal};

use crate::desk::{Desk, LIMIT, plain, press, runs, shows, shows_text, text_of};

#[tokio::test]
async fn arguments_environment_and_folder_are_exact() {
    let desk = Desk::new();
    let folder = desk.folder.path().join("we#{pid}ird %Y $HOME ~;");
    std::fs::create_dir(&folder).expect("folder");
    let program =
        r#"env -0 > "$1.env"; pwd > "$1.pwd"; shift; for word; do printf '%s\0' "$word"; done > args; echo > done"#;
    let arguments =
        ["", " a  b ", "q'\"\\", "x;", ";", "#{pid}#[x]", "-d", "--", "$HOME", "~", "\n\t", "é🙂", "%1", "{", "}"];
    let out = desk.path("out");
    let mut spec = desk.spec(&["/bin/sh", "-c", program, "sh", &out]);
    spec.argv.extend(arguments.map(str::to_owned));
    spec.folder.clone_from(&folder);
    let big = "x".repeat(131_000);
    for (name, value) in [
        ("PATH", "/usr/bin:/bin:/nowhere"),
        ("EMPTY", ""),
        ("NASTY", " q'\"\\ ; #{pid} $HOME ~ é🙂\nsecond line;"),
        ("BIG", &big),
        ("SHELL", "/no/such/shell"),
    ] {
        spec.env.retain(|(other, _)| other != name);
        spec.env.push((name.into(), value.into()));
    }
    // Together about as much as any system takes.
    spec.env.extend((0..5).map(|number| (format!("BIG{number}"), big.clone())));
    let mut expected: BTreeMap<String, String> = spec.env.iter().cloned().collect();
    desk.terminal.open(spec).await.expect("open");

    text_of(&folder.join("done").to_string_lossy()).await;
    let words = std::fs::read_to_string(folder.join("args")).expect("arguments");
    assert_eq!(words.split_terminator('\0').collect::<Vec<_>>(), arguments);
    assert_eq!(text_of(&format!("{out}.pwd")).await.trim_end(), folder.to_string_lossy());

    let seen = std::fs::read_to_string(format!("{out}.env")).expect("environment");
    let mut seen: BTreeMap<String, String> = seen
        .split_terminator('\0')
        .map(|line| line.split_once('=').expect("a variable"))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    // What tmux itself adds, TMUX and TMUX_PANE left out, and what the test's own shell does.
    for name in ["TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "PWD"] {
        assert!(seen.remove(name).is_some(), "{name}");
    }
    for name in ["_", "SHLVL", "OLDPWD"] {
        seen.remove(name);
    }
    // Long values are compared apart, to keep a failure readable.
    for name in ["BIG", "BIG0", "BIG1", "BIG2", "BIG3", "BIG4"] {
        assert!(seen.remove(name) == expected.remove(name), "{name}");
    }
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn a_program_of_one_word_is_not_given_to_a_shell() {
    let desk = Desk::new();
    let program = desk.path("two words=;$HOME");
    std::fs::write(&program, "#!/bin/sh\necho \"started ${SHELL-without a shell}\"\nread line\n").expect("program");
    std::fs::set_permissions(&program, Permissions::from_mode(0o755)).expect("make it a program");
    let pane = desk.open(&[&program]).await;
    shows_text(&*pane, "started without a shell").await;
}

#[tokio::test]
async fn a_capture_tells_everything() {
    let desk = Desk::new();
    let pane = desk
        .shell(r"printf '\033[?1049h\033[2J\033[2;3H\033[1mbold\033[0m\033]0;A title; with %%end 1 1 1\007'; stty -echo -icanon; printf '\033[?2004hready'; cat")
        .await;
    // The line discipline is only asked once the pane is quiet.
    let capture =
        shows(&*pane, "ready, and its modes", |capture| capture.text.contains("ready") && capture.tty.is_some()).await;
    assert_eq!(capture.text.lines().nth(1), Some("  \u{1b}[1mbold\u{1b}[0m\u{1b}[39m\u{1b}[49mready"));
    assert_eq!(capture.text.split('\n').count(), 40);
    assert_eq!((capture.cols, capture.rows), (120, 40));
    assert_eq!(capture.cursor, Cursor { x: 11, y: 1, visible: true });
    assert_eq!(capture.title, "A title; with %end 1 1 1");
    assert!(capture.alternate);
    assert_eq!(capture.tty, Some(TtyMode { echo: false, canonical: false }));
    assert_eq!(capture.exit, None);

    let plain_pane = desk.shell("printf 'here: '; read answer").await;
    let capture =
        shows(&*plain_pane, "here, and its modes", |capture| capture.text.contains("here:") && capture.tty.is_some())
            .await;
    assert_eq!((capture.title.as_str(), capture.alternate), ("", false));
    assert_eq!(capture.tty, Some(TtyMode { echo: true, canonical: true }));
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_a_program_in_line_mode_waits_for_is_told_and_told_anew() {
    let desk = Desk::new();
    let reads = desk.shell("printf 'Name: '; read answer").await;
    shows(&*reads, "a program that reads", |capture| capture.foreground == Some(adapters::screen::Foreground::Reads))
        .await;
    // It draws nothing when it begins to read.
    let later = desk.shell("printf 'Name: '; sleep 1; read answer").await;
    shows(&*later, "a program that sleeps", |capture| {
        capture.foreground == Some(adapters::screen::Foreground::Elsewhere)
    })
    .await;
    shows(&*later, "a program that reads", |capture| capture.foreground == Some(adapters::screen::Foreground::Reads))
        .await;
    let keys = desk.shell("stty -icanon; printf 'Key: '; cat").await;
    let capture = shows(&*keys, "its modes", |capture| capture.tty.is_some_and(|tty| !tty.canonical)).await;
    assert_eq!(capture.foreground, None);
}

#[tokio::test]
async fn a_program_that_ends_leaves_its_last_screen_and_status() {
    let desk = Desk::new();
    for (end, status) in [("exit 3", 3), ("kill -9 $$", 137)] {
        let pane = desk.shell(&format!("stty -echo; echo last words; read line; {end}")).await;
        shows_text(&*pane, "last words").await;
        press(&*pane, &[Keystroke::ENTER]).await;
        let capture = shows(&*pane, "the program has ended", |capture| capture.exit.is_some()).await;
        assert_eq!(capture.exit, Some(Exit { status: Some(status) }));
        assert!(plain(&capture).starts_with("last words"), "{}", plain(&capture));
        let pressed = pane.press(&[Keystroke::ENTER], None).await;
        assert_eq!(pressed, Press::NotPressed(PaneError::Refused("the program has ended".into())));
    }
}

#[tokio::test]
async fn a_program_that_ends_at_once_leaves_its_last_words_and_status() {
    let desk = Desk::new();
    let mut panes = Vec::new();
    for _ in 0..50 {
        panes.push(desk.shell("echo last words; exit 3").await);
    }
    for pane in panes {
        let capture = shows(&*pane, "the program has ended", |capture| capture.exit.is_some()).await;
        assert_eq!(capture.exit, Some(Exit { status: Some(3) }));
        assert_eq!(plain(&capture), "last words");
    }
}

#[tokio::test]
async fn the_end_of_a_quiet_program_is_told() {
    let desk = Desk::new();
    let pane = desk.shell("read line; exit 4").await;
    shows(&*pane, "the program runs", |capture| capture.exit.is_none()).await;
    let mut drawn = pane.drawn();
    press(&*pane, &[Keystroke::Ctrl('d')]).await;
    let ended = tokio::time::timeout(LIMIT, async {
        loop {
            drawn.changed().await.expect("drawn");
            let capture = pane.capture().await.expect("capture").capture;
            if let Some(exit) = capture.exit {
                return exit;
            }
        }
    });
    assert_eq!(ended.await, Ok(Exit { status: Some(4) }));
}

#[tokio::test]
async fn a_program_that_cannot_be_started_says_so() {
    let desk = Desk::new();
    for program in ["/no/such/program", "no-such-program", "./tmux", "tmux"] {
        let mut spec = desk.spec(&[program, "x"]);
        spec.env = vec![("PATH".into(), desk.path(""))];
        let refused = desk.terminal.open(spec).await.err();
        assert_eq!(refused, Some(PaneError::Refused(format!("there is no program {program}"))));
    }
    // What only the start itself can tell is on the screen.
    std::fs::write(desk.path("broken"), "#!/no/such/interpreter\n").expect("program");
    std::fs::set_permissions(desk.path("broken"), Permissions::from_mode(0o755)).expect("make it a program");
    let pane = desk.open(&["./broken"]).await;
    let capture = shows(&*pane, "the program has ended", |capture| capture.exit.is_some()).await;
    assert_eq!(capture.exit, Some(Exit { status: Some(127) }));

    let mut spec = desk.spec(&["true"]);
    spec.folder = "/no/such/folder".into();
    let refused = desk.terminal.open(spec).await.err();
    assert_eq!(refused, Some(PaneError::Refused("there is no such folder".into())));
    let too_long = "x".repeat(200_000);
    for argument in ["nul\0", &too_long] {
        let refused = desk.terminal.open(desk.spec(&["true", argument])).await.err();
        assert!(matches!(refused, Some(PaneError::Refused(_))), "{refused:?}");
    }
    let refused = desk.terminal.open(desk.spec(&[])).await.err();
    assert_eq!(refused, Some(PaneError::Refused("no program is named".into())));
}

#[tokio::test]
async fn a_session_is_opened_once() {
    let desk = Desk::new();
    let spec = desk.spec(&["/bin/sh", "-c", "echo first; cat"]);
    let pane = desk.terminal.open(spec.clone()).await.expect("open");
    assert!(matches!(desk.terminal.open(spec).await.err(), Some(PaneError::Refused(_))));
    shows_text(&*pane, "first").await;
}

#[tokio::test]
async fn panes_are_found_again_with_the_same_identity() {
    let mut desk = Desk::new();
    assert_eq!(desk.terminal.find().await.expect("find").len(), 0, "nothing is started by looking");
    let spec = desk.spec(&["/bin/sh", "-c", "echo still here; cat"]);
    let session = spec.session;
    let pane = desk.terminal.open(spec).await.expect("open");
    desk.tmux(&["split-window", "-d", "-t", &format!("=ab-{}:", session.0.simple()), "cat"]);

    let identity = pane.identity();
    drop(pane);
    desk.restart();
    let found = desk.terminal.find().await.expect("find");
    assert_eq!(found.iter().map(|found| found.session).collect::<Vec<_>>(), [session]);
    assert_eq!(found[0].pane.identity(), identity);
    shows_text(&*found[0].pane, "still here").await;
    let mut drawn = found[0].pane.drawn();
    drawn.borrow_and_update();
    press(&*found[0].pane, &[Keystroke::Text("hello".into())]).await;
    drawn.changed().await.expect("drawn");
    shows_text(&*found[0].pane, "hello").await;
}

#[tokio::test]
async fn the_end_of_a_frame_is_told_with_the_whole_screen() {
    let desk = Desk::new();
    let program =
        "stty -echo; printf '\\033[?2026hhalf '; read line; printf 'whole\\033[?2026l'; read line; printf more; cat";
    let pane = desk.shell(program).await;
    shows_text(&*pane, "half").await;
    let drawn = pane.drawn();
    assert!(!drawn.borrow().is_frame_end());
    press(&*pane, &[Keystroke::ENTER]).await;
    let mut frames = drawn.clone();
    let ended = tokio::time::timeout(LIMIT, frames.wait_for(|drawn| drawn.is_frame_end())).await;
    ended.expect("the end of the frame").expect("drawn");
    let capture = pane.capture().await.expect("capture").capture;
    assert!(plain(&capture).starts_with("half whole"), "{}", plain(&capture));
    press(&*pane, &[Keystroke::ENTER]).await;
    shows_text(&*pane, "more").await;
    assert!(!drawn.borrow().is_frame_end());
}

#[tokio::test]
async fn fifty_panes_are_opened_and_seen() {
    let desk = Desk::new();
    let mut panes = Vec::new();
    for number in 0..50 {
        panes.push(desk.shell(&format!("echo pane number {number}.; cat")).await);
    }
    for (number, pane) in panes.iter().enumerate() {
        shows_text(&**pane, &format!("pane number {number}.")).await;
    }
    assert_eq!(desk.terminal.find().await.expect("find").len(), 50);
}

#[tokio::test]
async fn killing_leaves_no_process_of_the_pane_and_spares_the_others() {
    let desk = Desk::new();
    let bystander = desk.shell("echo $$ > bystander; cat").await;
    let stubborn = "trap '' HUP TERM; echo $$ > parent; \
        sh -c 'trap \"\" HUP TERM; echo $$ > child; while :; do sleep 1; done' & \
        (trap '' HUP; sh -c 'echo $$ > orphan; exec sleep 1000' &) ; while :; do sleep 1; done";
    let pane = desk.shell(stubborn).await;
    let mut pids = Vec::new();
    for name in ["parent", "child", "orphan"] {
        pids.push(text_of(&desk.path(name)).await.trim().to_owned());
    }
    let spared = text_of(&desk.path("bystander")).await.trim().to_owned();
    assert!(pids.iter().all(|pid| runs(pid)));

    pane.kill().await.expect("kill");
    assert_eq!(pids.iter().filter(|pid| runs(pid)).collect::<Vec<_>>(), Vec::<&String>::new());
    assert!(runs(&spared));
    assert_eq!(pane.capture().await, Err(PaneError::Gone));
    assert_eq!(pane.kill().await, Ok(()), "killing twice is no error");
    assert_eq!(desk.terminal.find().await.expect("find").len(), 1);
    shows(&*bystander, "the other pane is there", |capture| capture.exit.is_none()).await;
}

#[tokio::test]
async fn tmux_is_new_enough() {
    assert!(TmuxTerminal::version().await.expect("a version").starts_with("tmux "));
}
