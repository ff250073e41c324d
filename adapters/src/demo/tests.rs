use std::{collections::BTreeMap, path::PathBuf, sync::LazyLock};

use serde::Deserialize;
use shared_types::{PermissionMode, PromptId, PromptResponse, Question, QuestionAnswer, SessionId};
use uuid::Uuid;

use super::Demo;
use crate::{
    Adapter, Capture, Composer, Keystroke, LaunchRefusal, LaunchRequest, Reading, Refusal, Screen, Sighting, Step,
    TranscriptEntry,
    answer::Expect,
    generic::Generic,
    keys::NamedKey,
    layout::squash,
    screen::{Cursor, TtyMode},
};

/// A screen as it was captured, and what it says.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Meta {
    cols: u16,
    rows: u16,
    kind: String,
    #[serde(default)]
    expected: Option<Expected>,
    terminal: Terminal,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Terminal {
    cursor_x: u16,
    cursor_y: u16,
    cursor_visible: bool,
    alternate: bool,
    title: String,
    canonical: bool,
    echo: bool,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Expected {
    draft: Option<String>,
    detail: String,
    r#type: String,
    title: String,
    description: String,
    options: Vec<String>,
    roles: Vec<Option<String>>,
    descriptions: Vec<Option<String>>,
    checked: Vec<bool>,
    multi_select: bool,
    text_input: bool,
    text: String,
    selected_index: Option<usize>,
    question_index: Option<usize>,
    questions: Vec<ExpectedQuestion>,
    tool_name: Option<String>,
    tool_input: Option<serde_json::Value>,
    plan: Option<String>,
    diff: Option<String>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ExpectedQuestion {
    header: String,
    question: String,
    options: Vec<String>,
    checked: Vec<bool>,
    multi_select: bool,
    text_input: bool,
}

static CORPUS: LazyLock<BTreeMap<String, (Meta, Screen)>> = LazyLock::new(corpus);

#[expect(clippy::disallowed_methods, reason = "the captured screens are files")]
fn corpus() -> BTreeMap<String, (Meta, Screen)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("src/demo/screens");
    let cases = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).filter(|path| path.is_dir());
    let read = |path: PathBuf| {
        let meta: Meta = serde_json::from_str(&std::fs::read_to_string(path.join("meta.json")).unwrap()).unwrap();
        let terminal = &meta.terminal;
        let screen = Screen::from_capture(&Capture {
            text: std::fs::read_to_string(path.join("screen.ansi")).unwrap(),
            cols: meta.cols,
            rows: meta.rows,
            cursor: Cursor { x: terminal.cursor_x, y: terminal.cursor_y, visible: terminal.cursor_visible },
            title: terminal.title.clone(),
            alternate: terminal.alternate,
            tty: Some(TtyMode { echo: terminal.echo, canonical: terminal.canonical }),
            exit: None,
        });
        (path.file_name().unwrap().to_string_lossy().into_owned(), (meta, screen))
    };
    cases.map(read).collect()
}

fn sighting(case: &str) -> Sighting {
    match Demo.read_screen(&CORPUS[case].1) {
        Reading::Prompt(sighting) => sighting,
        other => panic!("{case}: {other:?}"),
    }
}

#[test]
fn every_captured_screen_is_read_as_its_meta_says() {
    assert!(CORPUS.len() >= 78, "{} screens", CORPUS.len());
    let nothing_more = Expected::default();
    for (name, (meta, screen)) in &*CORPUS {
        let reading = Demo.read_screen(screen);
        let context = format!("{name}: {reading:?}\n{}", screen.plain_text());
        let expected = meta.expected.as_ref().unwrap_or(&nothing_more);
        match (meta.kind.as_str(), reading) {
            ("prompt", Reading::Prompt(sighting)) => check_prompt(&sighting, expected, &context),
            ("ready", Reading::Ready(composer)) => check_composer(&composer, expected, &context),
            ("busy", Reading::Busy { detail, composer: Some(composer) }) => {
                assert_eq!(detail, expected.detail, "{context}");
                check_composer(&composer, expected, &context);
            }
            ("line", reading) => match Generic.read_screen(screen) {
                Reading::Prompt(sighting) => assert_eq!(reading, Reading::Prompt(sighting), "{context}"),
                _ => assert_eq!(reading, Reading::Unrecognized, "{context}"),
            },
            ("unrecognized", Reading::Unrecognized) => {}
            _ => panic!("read as something else than {}: {context}", meta.kind),
        }
    }
}

fn check_composer(composer: &Composer, expected: &Expected, context: &str) {
    match &expected.draft {
        Some(draft) => assert_eq!(&composer.draft, draft, "{context}"),
        None => assert!(!composer.draft.is_empty(), "{context}"),
    }
}

fn check_prompt(sighting: &Sighting, expected: &Expected, context: &str) {
    let wire = sighting.to_prompt(PromptId(Uuid::nil()), SessionId(Uuid::nil()), super::PROFILE.kind, 0);
    assert_eq!(serde_json::to_value(wire.kind).unwrap(), expected.r#type.as_str(), "{context}");
    assert_eq!(wire.title, expected.title, "{context}");
    assert_eq!(wire.description, expected.description, "{context}");
    assert_eq!(wire.tool_name, expected.tool_name, "{context}");
    assert_eq!(wire.tool_input, expected.tool_input, "{context}");
    assert_eq!(wire.multi_select.is_some(), expected.multi_select, "{context}");
    assert_eq!(sighting.selected, expected.selected_index, "{context}");
    assert_eq!(sighting.question_index, expected.question_index, "{context}");
    // Markdown may be wrapped, and says the same.
    assert_eq!(wire.plan.as_deref().map(squash), expected.plan.as_deref().map(squash), "{context}");
    let diff = wire.diff.map(|files| files.into_iter().map(|file| file.unified).collect::<String>());
    assert_eq!(diff, expected.diff, "{context}");

    let options = wire.options.unwrap_or_default();
    assert_eq!(options.iter().map(|option| option.label.clone()).collect::<Vec<_>>(), expected.options, "{context}");
    if !expected.descriptions.is_empty() {
        let descriptions: Vec<_> = options.iter().map(|option| option.description.clone()).collect();
        assert_eq!(descriptions, expected.descriptions, "{context}");
    }
    if !expected.checked.is_empty() {
        let checked: Vec<_> = options.iter().filter_map(|option| option.checked).collect();
        assert_eq!(checked, expected.checked, "{context}");
    }
    if !expected.roles.is_empty() {
        let role = |role| serde_json::to_value(role).unwrap().as_str().map(str::to_owned);
        let roles: Vec<_> = options.iter().map(|option| role(option.role)).collect();
        assert_eq!(roles, expected.roles, "{context}");
    }
    let questions: Vec<_> = wire.questions.unwrap_or_default().iter().map(summary).collect();
    assert_eq!(questions, expected.questions, "{context}");

    let fields: Vec<_> = sighting.options.iter().filter_map(|option| option.text.as_ref()).collect();
    assert_eq!(!fields.is_empty(), expected.text_input, "{context}");
    let typed = fields.iter().map(|field| field.value.as_str()).collect::<String>();
    assert_eq!(typed, expected.text, "{context}");
    for (row, option) in sighting.options.iter().enumerate() {
        let focused = option.text.as_ref().is_some_and(|field| field.focused);
        assert_eq!(focused, option.text.is_some() && sighting.selected == Some(row), "{context}");
    }
}

fn summary(question: &Question) -> ExpectedQuestion {
    ExpectedQuestion {
        header: question.header.clone(),
        question: question.question.clone(),
        options: question.options.iter().map(|option| option.label.clone()).collect(),
        checked: question.options.iter().filter_map(|option| option.checked).collect(),
        multi_select: question.multi_select == Some(true),
        text_input: question.text_input.is_some(),
    }
}

#[test]
fn a_prompt_is_the_same_one_at_every_size_and_while_it_is_filled_in() {
    let same = [
        ["command-120x40", "command-46x30", "command-typed-46x30"],
        ["choice-120x40", "choice-46x30", "choice-typed-80x24"],
        ["multi-80x24", "multi-46x30", "multi-checked-80x24"],
        ["questions-80x24", "questions-46x30", "questions-filled-46x30"],
    ];
    for [first, second, third] in same {
        let fingerprint = sighting(first).fingerprint();
        assert_eq!(sighting(second).fingerprint(), fingerprint, "{second}");
        assert_eq!(sighting(third).fingerprint(), fingerprint, "{third}");
    }
    assert_ne!(sighting("command-80x24").fingerprint(), sighting("edit-80x24").fingerprint());
}

fn nothing() -> PromptResponse {
    PromptResponse {
        request_id: PromptId(Uuid::nil()),
        selected_option: None,
        text_value: None,
        selected_options: None,
        answers: None,
        remember: None,
        idempotency_key: None,
    }
}

fn choose(value: &str) -> PromptResponse {
    PromptResponse { selected_option: Some(value.into()), ..nothing() }
}

fn with_text(text: &str, response: PromptResponse) -> PromptResponse {
    PromptResponse { text_value: Some(text.into()), ..response }
}

fn check(values: &[&str]) -> PromptResponse {
    PromptResponse { selected_options: Some(values.iter().map(|value| (*value).into()).collect()), ..nothing() }
}

fn fill_in(answers: &[(&[&str], Option<&str>)]) -> PromptResponse {
    let answers = answers.iter().map(|(values, text)| QuestionAnswer {
        selected_options: values.iter().map(|value| (*value).into()).collect(),
        text_value: text.map(Into::into),
    });
    PromptResponse { answers: Some(answers.collect()), ..nothing() }
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
        command: Vec::new(),
        mode: None,
        answerback: "/usr/bin/answerback".into(),
        session_folder: "/run/s1".into(),
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
