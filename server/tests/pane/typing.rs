//! What is typed and pasted arrives exactly, or is refused.

use adapters::{Keystroke, keys::NamedKey};
use answerback::pane::{PaneError, Press};

use crate::desk::{Desk, exists, file_of, paste, press, shows, shows_text, wait_until};

/// Reads this many bytes as they come, without the terminal changing any, into a file.
fn reader(length: usize, before: &str) -> String {
    format!("stty raw -echo; printf '{before}ready'; head -c {length} > got; printf done; cat > rest")
}

const NASTY: &str =
    "-q 'single' \"double\" \\n \\ $HOME ${PATH} `x` ; #{pid} #[fg=red] ~ ~/ %1 %end 1 1 1 { } é🙂 \u{200d} \t;";

#[tokio::test]
async fn named_keys_and_text_are_exact() {
    let desk = Desk::new();
    let keys = [
        Keystroke::Text("a".into()),
        Keystroke::ENTER,
        Keystroke::ESCAPE,
        Keystroke::TAB,
        Keystroke::Named(NamedKey::BackTab),
        Keystroke::SPACE,
        Keystroke::Named(NamedKey::Backspace),
        Keystroke::Named(NamedKey::Delete),
        Keystroke::Named(NamedKey::Up),
        Keystroke::Named(NamedKey::Left),
        Keystroke::Named(NamedKey::Home),
        Keystroke::Named(NamedKey::PageDown),
        Keystroke::Ctrl('c'),
        Keystroke::Ctrl('D'),
        Keystroke::Ctrl('\\'),
        Keystroke::Text(String::new()),
        Keystroke::Text("-".into()),
        Keystroke::Text(";".into()),
        Keystroke::Text("Enter".into()),
        Keystroke::Text(NASTY.into()),
    ];
    let mut expected = b"a\r\x1b\t\x1b[Z \x7f\x1b[3~\x1b[A\x1b[D\x1b[1~\x1b[6~\x03\x04\x1c-;Enter".to_vec();
    expected.extend_from_slice(NASTY.as_bytes());
    // A program that asks for extended keys gets the ordinary ones all the same.
    for before in ["", "\\033[>4;1m"] {
        let _ = std::fs::remove_file(desk.path("got"));
        let pane = desk.shell(&reader(expected.len(), before)).await;
        shows_text(&*pane, "ready").await;
        press(&*pane, &keys).await;
        let got = file_of(&desk.path("got"), expected.len()).await;
        assert_eq!(String::from_utf8_lossy(&got), String::from_utf8_lossy(&expected));
        pane.kill().await.expect("kill");
    }
}

#[tokio::test]
async fn pastes_are_exact_up_to_a_megabyte() {
    let desk = Desk::new();
    let hundred = nasty_text(100_000);
    let million = nasty_text(1_000_000);
    for (bracketed, text) in [(true, "two\nlines"), (true, &hundred), (false, &hundred), (true, &million)] {
        let _ = std::fs::remove_file(desk.path("got"));
        let (before, after, switch) =
            if bracketed { ("\x1b[200~", "\x1b[201~", "\\033[?2004h") } else { ("", "", "\\033[?2004l") };
        let expected = format!("{before}{text}{after}\r");
        let pane = desk.shell(&reader(expected.len(), switch)).await;
        shows_text(&*pane, "ready").await;
        press(&*pane, &[paste(text), Keystroke::ENTER]).await;
        let got = file_of(&desk.path("got"), expected.len()).await;
        assert!(got == expected.as_bytes(), "{} bytes differ", text.len());
        pane.kill().await.expect("kill");
    }
    assert_eq!(desk.tmux(&["list-buffers"]), "", "no text is left behind");
}

fn nasty_text(length: usize) -> String {
    let mut text = String::new();
    for number in 0.. {
        let line = format!("{number} {NASTY}\n");
        if text.len() + line.len() > length {
            return text;
        }
        text.push_str(&line);
    }
    text
}

#[tokio::test]
async fn what_could_become_other_keys_is_refused_whole() {
    let desk = Desk::new();
    let pane = desk.shell(&reader(1, "")).await;
    shows_text(&*pane, "ready").await;
    for key in [
        Keystroke::Text("two\nlines".into()),
        Keystroke::Text("\x1b[A".into()),
        Keystroke::Ctrl('é'),
        paste("x\x1b[201~rm -rf ."),
        paste("nul\0"),
        paste(&"x".repeat(3_000_000)),
    ] {
        let refused = pane.press(&[Keystroke::Text("a".into()), key], None).await;
        assert!(matches!(refused, Press::NotPressed(PaneError::Refused(_))), "{refused:?}");
    }
    press(&*pane, &[Keystroke::Text("z".into())]).await;
    assert_eq!(file_of(&desk.path("got"), 1).await, b"z");
}

#[tokio::test]
async fn keys_reach_the_program_while_somebody_scrolls_back() {
    let desk = Desk::new();
    let pane = desk.shell(&reader(4, "")).await;
    shows_text(&*pane, "ready").await;
    let target = pane.identity().pane;
    desk.tmux(&["copy-mode", "-t", &target]);
    assert_eq!(desk.tmux(&["display-message", "-p", "-t", &target, "#{pane_in_mode}"]), "1");
    press(&*pane, &[Keystroke::Text("q".into()), Keystroke::ENTER, paste("g"), Keystroke::ESCAPE]).await;
    assert_eq!(file_of(&desk.path("got"), 4).await, b"q\rg\x1b");
}

#[tokio::test]
async fn presses_of_several_callers_do_not_mix() {
    let desk = Desk::new();
    let pane = desk.shell(&reader(20 * 7, "")).await;
    shows_text(&*pane, "ready").await;
    let presses = (0..20).map(|number| {
        let pane = std::sync::Arc::clone(&pane);
        tokio::spawn(async move {
            let number = format!("{number:02}");
            pane.press(
                &[Keystroke::Text(format!("<{number}")), paste("|"), Keystroke::Text(format!("{number}>"))],
                None,
            )
            .await
        })
    });
    for press in presses.collect::<Vec<_>>() {
        assert_eq!(press.await.expect("join"), Press::Pressed);
    }
    let got = String::from_utf8(file_of(&desk.path("got"), 20 * 7).await).expect("text");
    for number in 0..20 {
        assert!(got.contains(&format!("<{number:02}|{number:02}>")), "{got}");
    }
}

#[tokio::test]
async fn a_line_program_gets_its_lines() {
    let desk = Desk::new();
    let pane = desk.shell("cat > written; touch finished").await;
    shows(&*pane, "the program runs", |capture| capture.tty.is_some()).await;
    press(&*pane, &[Keystroke::Text("one".into()), Keystroke::ENTER, paste("two\nthree\n"), Keystroke::Ctrl('d')])
        .await;
    wait_until("the program has read all", || async {
        exists(&desk.path("finished")).then_some(()).ok_or_else(|| "not finished".to_owned())
    })
    .await;
    assert_eq!(std::fs::read_to_string(desk.path("written")).expect("written"), "one\ntwo\nthree\n");
}
