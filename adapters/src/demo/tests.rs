use std::path::PathBuf;

use shared_types::{AdapterKind, PermissionMode, SessionId};
use uuid::Uuid;

use super::Demo;
use crate::{
    Adapter, Capture, Keystroke, LaunchRefusal, LaunchRequest, Reading, Refusal, Screen, Sighting, Step,
    TranscriptEntry,
    answer::{
        Expect,
        responses::{check, choose, fill_in, nothing, with_text},
    },
    corpus::{case, cases},
    generic::Generic,
    keys::NamedKey,
};

fn sighting(case: &str) -> Sighting {
    crate::corpus::sighting(AdapterKind::new("demo"), case)
}

/// Plain line prompts are the generic adapter's.
#[test]
fn what_has_no_frame_is_read_as_any_program() {
    for case in cases(AdapterKind::new("demo")).iter().filter(|case| case.capture.tty.is_some_and(|tty| tty.canonical))
    {
        let mut plain = Generic.read_screen(&case.screen());
        if let Reading::Prompt(sighting) = &mut plain {
            // The mark before what the agent says is no part of it.
            sighting.description = sighting.description.trim_start_matches("● ").to_owned();
        }
        assert_eq!(case.reading(), plain, "{}", case.name);
    }
}

/// The field of a row takes what is typed exactly while the cursor is on it.
#[test]
fn a_field_is_in_focus_when_the_cursor_is_on_its_row() {
    for case in cases(AdapterKind::new("demo")).iter().filter(|case| !case.capture.tty.is_some_and(|tty| tty.canonical))
    {
        let reading = case.reading();
        for (row, option) in reading.sighting().iter().flat_map(|sighting| sighting.options.iter().enumerate()) {
            let selected = reading.sighting().is_some_and(|sighting| sighting.selected == Some(row));
            assert!(option.text.as_ref().is_none_or(|field| field.focused == selected), "{} row {row}", case.name);
        }
    }
}

#[test]
fn a_dialog_pasted_into_the_composer_is_a_draft() {
    for size in ["120x40", "80x24", "46x30"] {
        let reading = case(AdapterKind::new("demo"), &format!("draft-dialog-{size}")).reading();
        assert!(matches!(&reading, Reading::Ready(composer) if composer.draft.contains("rm -rf /")), "{reading:?}");
    }
}

fn go(count: isize, row: usize) -> Result<Step, Refusal> {
    Ok(Step::Press { keys: Keystroke::vertical(count), expect: Expect::Selected(row) })
}

fn press(key: Keystroke, expect: Expect) -> Result<Step, Refusal> {
    Ok(Step::Press { keys: vec![key], expect })
}

fn enter() -> Result<Step, Refusal> {
    Ok(Step::Submit { keys: vec![Keystroke::ENTER] })
}

#[test]
fn each_step_follows_from_the_screen_as_it_is() {
    const DIFFERENTLY: &str = "No, and tell the agent what to do differently";
    const TYPED: &str = "use ls instead, and tell me what you found before you go on";
    let text = |text: &str| press(Keystroke::Text(text.into()), Expect::Text(text.into()));
    let clear = || press(Keystroke::Ctrl('u'), Expect::Text(String::new()));
    let toggle = |row, state| press(Keystroke::SPACE, Expect::Checked(row, state));
    let whole = [(&["TypeScript"][..], None), (&["Auth"][..], None), (&[][..], Some("shop"))];
    let steps = [
        // Lists: move, type, Enter.
        ("command-80x24", choose("Yes"), enter()),
        ("command-80x24", choose("No"), go(2, 2)),
        ("command-46x30", with_text("wait", choose(DIFFERENTLY)), go(3, 3)),
        ("command-typed-46x30", with_text("wait", choose(DIFFERENTLY)), clear()),
        ("command-typed-46x30", with_text(TYPED, choose(DIFFERENTLY)), enter()),
        ("command-typed-46x30", choose("Yes"), go(-3, 0)),
        ("choice-typed-80x24", with_text("DuckDB", nothing()), enter()),
        ("choice-80x24", with_text("DuckDB", nothing()), go(3, 3)),
        // Check boxes: what differs first, then Submit.
        ("multi-80x24", check(&["Auth"]), toggle(0, true)),
        ("multi-80x24", check(&["Queue"]), go(1, 1)),
        ("multi-80x24", check(&[]), go(4, 4)),
        ("multi-checked-80x24", check(&["Auth", "Search"]), enter()),
        ("multi-checked-80x24", check(&["Search"]), go(-4, 0)),
        ("multi-80x24", choose("Auth"), toggle(0, true)),
        // Forms: question by question, then the text, then Submit.
        ("questions-80x24", fill_in(&whole), go(1, 1)),
        (
            "questions-80x24",
            fill_in(&[(&["Rust"], None), (&[], None), (&[], Some("shop"))]),
            press(Keystroke::SPACE, Expect::QuestionChecked(0, "Rust".into(), true)),
        ),
        ("questions-filled-46x30", fill_in(&whole), enter()),
        ("questions-filled-46x30", fill_in(&[(&["TypeScript"], None), (&[], None), (&[], Some("shop"))]), go(-5, 3)),
        (
            "questions-filled-80x24",
            fill_in(&[(&["TypeScript"], None), (&["Auth"], None), (&[], Some("store"))]),
            go(-1, 7),
        ),
        // What does not fit is refused before any key.
        ("command-80x24", nothing(), Err(Refusal::NothingChosen)),
        ("command-80x24", choose("Maybe"), Err(Refusal::UnknownOption("Maybe".into()))),
        ("command-80x24", choose(DIFFERENTLY), Err(Refusal::TextMissing)),
        ("command-80x24", with_text("  ", choose(DIFFERENTLY)), Err(Refusal::TextMissing)),
        ("command-80x24", with_text("wait", choose("No")), Err(Refusal::NoTextTaken)),
        ("command-80x24", with_text("a\nb", choose(DIFFERENTLY)), Err(Refusal::OneLineOnly)),
        ("command-80x24", with_text("a\u{1b}b", choose(DIFFERENTLY)), Err(Refusal::ControlCharacters)),
        ("command-80x24", check(&["Yes", "No"]), Err(Refusal::AnswerCount { questions: 1, answers: 2 })),
        ("loop-80x24", with_text("hm", nothing()), Err(Refusal::NoTextTaken)),
        ("multi-80x24", nothing(), Err(Refusal::NothingChosen)),
        ("multi-80x24", check(&["Submit"]), Err(Refusal::UnknownOption("Submit".into()))),
        ("multi-80x24", with_text("hm", check(&["Auth"])), Err(Refusal::NoTextTaken)),
        ("questions-80x24", choose("Rust"), Err(Refusal::NothingChosen)),
        ("questions-80x24", fill_in(&whole[..2]), Err(Refusal::AnswerCount { questions: 3, answers: 2 })),
        ("questions-80x24", fill_in(&[(&[], None), whole[1], whole[2]]), Err(Refusal::NothingChosen)),
        ("questions-80x24", fill_in(&[whole[0], (&["Go"], None), whole[2]]), Err(Refusal::UnknownOption("Go".into()))),
        ("questions-80x24", fill_in(&[whole[0], whole[1], (&[], None)]), Err(Refusal::TextMissing)),
        ("questions-80x24", fill_in(&[whole[0], (&[], Some("hm")), whole[2]]), Err(Refusal::NoTextTaken)),
    ];
    for (case, response, step) in steps {
        assert_eq!(Demo.answer(&sighting(case), &response), step, "{case}: {response:?}");
    }
    // A text is typed once the cursor is on its row and nothing stands there.
    let mut typed = sighting("choice-typed-80x24");
    typed.options[3].text.as_mut().unwrap().value.clear();
    assert_eq!(Demo.answer(&typed, &with_text("Redis", choose("Other"))), text("Redis"));
    // Without a cursor no row is reached safely.
    typed.selected = None;
    assert_eq!(Demo.answer(&typed, &choose("SQLite")), Err(Refusal::NoCursor));
    assert_eq!(Keystroke::vertical(1), [Keystroke::Named(NamedKey::Down)]);
}

#[test]
fn a_blank_screen_is_one_that_starts_and_an_ended_program_has_ended() {
    let mut screen = Screen::from_capture(&Capture { cols: 80, rows: 24, ..Capture::default() });
    assert_eq!(Demo.read_screen(&screen), Reading::Starting { detail: String::new() });
    screen.exit = Some(crate::screen::Exit { status: Some(0) });
    assert_eq!(Demo.read_screen(&screen), Reading::Exited);
}

#[test]
fn it_is_launched_from_this_very_binary_with_a_transcript() {
    let mut request = LaunchRequest {
        session_id: SessionId(Uuid::nil()),
        folder: "/home/me".into(),
        program: PathBuf::new(),
        version: None,
        command: Vec::new(),
        mode: None,
        answerback: "/usr/bin/answerback".into(),
        session_folder: "/run/s1".into(),
        hook_command: None,
        cli_home: PathBuf::from("/home/me/.cli"),
        resume: None,
        surroundings: crate::Surroundings::default(),
    };
    let plan = Demo.launch(&request).unwrap();
    assert_eq!(plan.argv, ["/usr/bin/answerback", "demo", "--transcript", "/run/s1/transcript.jsonl"]);
    assert_eq!(plan.transcript, Some("/run/s1/transcript.jsonl".into()));
    request.mode = Some(PermissionMode::Bypass);
    let refusal = LaunchRefusal::NoSuchMode(super::PROFILE.kind, PermissionMode::Bypass);
    assert_eq!(Demo.launch(&request), Err(refusal));
}

#[test]
fn transcript_lines_are_read_and_others_say_nothing() {
    let message = r#"{"type":"message","message":{"id":"a","role":"user","at":1,"body":{"type":"text","text":"hi"}}}"#;
    assert!(matches!(Demo.read_transcript(message).as_slice(), [TranscriptEntry::Message(message)] if message.at == 1));
    let delta = r#"{"type":"delta","id":"a","text":"more"}"#;
    assert!(matches!(Demo.read_transcript(delta).as_slice(), [TranscriptEntry::Delta { text, .. }] if text == "more"));
    for line in ["", "{", r#"{"type":"other"}"#, r#"{"type":"message"}"#] {
        assert_eq!(Demo.read_transcript(line), []);
    }
}
