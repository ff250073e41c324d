//! Tests of the opencode adapter: how its dialogs are answered, what its composer says, and how it is started. What its screens say
//! is judged by the walk over all captured ones.

use std::path::PathBuf;

use serde_json::json;
use shared_types::{AdapterKind, NamedKey, OptionRole, PermissionMode, PromptResponse, SessionId};
use uuid::Uuid;

use super::OpenCode;
use crate::{
    Adapter, Keystroke, LaunchRefusal, LaunchRequest, Reading, Refusal, Sighting, Step, Surroundings,
    answer::{
        Expect,
        responses::{both, check, choose, fill_in, nothing, say},
    },
    corpus,
    screen::Cell,
};

fn sighting(name: &str) -> Sighting {
    corpus::sighting(AdapterKind::new("opencode"), name)
}

fn reading(name: &str) -> Reading {
    corpus::case(AdapterKind::new("opencode"), name).reading()
}

fn step(name: &str, response: &PromptResponse) -> Result<Step, Refusal> {
    OpenCode.answer(&sighting(name), response)
}

fn enter() -> Result<Step, Refusal> {
    Ok(Step::Submit { keys: vec![Keystroke::ENTER] })
}

fn press(key: NamedKey, count: usize, expect: Expect) -> Result<Step, Refusal> {
    Ok(Step::Press { keys: vec![Keystroke::Named(key); count], expect })
}

#[test]
fn a_button_is_reached_from_the_one_that_is_selected() {
    let fresh = "perm-bash-nodesc-1.18.33-80x24";
    assert_eq!(step(fresh, &choose("Allow once")), enter());
    assert_eq!(step(fresh, &choose("Allow always")), press(NamedKey::Right, 1, Expect::Selected(1)));
    assert_eq!(step(fresh, &choose("Reject")), press(NamedKey::Right, 2, Expect::Selected(2)));
    let moved = "perm-bash-sel-reject-1.18.33-46x30";
    assert_eq!(step(moved, &choose("Reject")), enter());
    assert_eq!(step(moved, &choose("Allow once")), press(NamedKey::Left, 2, Expect::Selected(0)));
    let page = "perm-always-sel-cancel-1.18.33-120x40";
    assert_eq!(step(page, &choose("Cancel")), enter());
    assert_eq!(step(page, &choose("Confirm")), press(NamedKey::Left, 1, Expect::Selected(0)));
}

#[test]
fn a_button_takes_no_text_and_no_other_name() {
    let fresh = "perm-edit-1.18.33-120x40";
    assert_eq!(step(fresh, &nothing()), Err(Refusal::NothingChosen));
    assert_eq!(step(fresh, &both("Reject", "do otherwise")), Err(Refusal::NoTextTaken));
    assert_eq!(step(fresh, &choose("Confirm")), Err(Refusal::UnknownOption("Confirm".to_owned())));
}

#[test]
fn what_is_allowed_for_good_weighs_more() {
    let roles = |name: &str| sighting(name).options.iter().map(|option| option.role).collect::<Vec<_>>();
    let [allow, always, deny] = [OptionRole::Allow, OptionRole::AllowAlways, OptionRole::Deny].map(Some);
    assert_eq!(roles("perm-bash-nodesc-1.18.33-80x24"), [allow, always, deny]);
    assert_eq!(roles("perm-always-confirm-bash-1.18.33-80x24"), [always, deny]);
    let page = sighting("perm-always-confirm-bash-1.18.33-46x30");
    assert_eq!(page.tool_input, Some(json!({ "patterns": ["touch *", "ls *"] })));
}

#[test]
fn a_word_instead_is_seen_in_its_field_before_it_is_sent() {
    let (empty, typed) = ("perm-reject-text-1.18.33-46x30", "perm-reject-text-typed-1.18.33-80x24");
    let paste = Step::Press {
        keys: vec![Keystroke::Paste("use mktemp".to_owned())],
        expect: Expect::Text("use mktemp".to_owned()),
    };
    assert_eq!(step(empty, &say("use mktemp")), Ok(paste));
    assert_eq!(step(typed, &say("use mktemp")), enter());
    let clear = Step::Press {
        keys: vec![Keystroke::Named(NamedKey::End), Keystroke::Ctrl('u')],
        expect: Expect::Text(String::new()),
    };
    assert_eq!(step(typed, &say("something else")), Ok(clear));
    // Without a word it is only refused.
    assert_eq!(step(empty, &nothing()), enter());
    assert_eq!(step(empty, &say("two\nlines")), Err(Refusal::OneLineOnly));
}

#[test]
fn a_row_is_reached_with_arrows_and_never_with_its_digit() {
    let fresh = "question-single-1.18.33-80x24";
    assert_eq!(step(fresh, &choose("SQLite")), enter());
    assert_eq!(step(fresh, &choose("MySQL")), press(NamedKey::Down, 2, Expect::Selected(2)));
    assert_eq!(
        step("question-single-2nd-1.18.33-46x30", &choose("SQLite")),
        press(NamedKey::Up, 1, Expect::Selected(0))
    );
    // Rows that are cut off the screen are not guessed.
    let cut = "question-many-1.18.33-80x24";
    assert!(sighting(cut).more_options);
    assert_eq!(step(cut, &choose("December")), Err(Refusal::UnknownOption("December".to_owned())));
}

#[test]
fn own_words_go_row_enter_text_enter() {
    let text = "DuckDB please";
    assert_eq!(step("question-single-1.18.33-80x24", &say(text)), press(NamedKey::Down, 3, Expect::Selected(3)));
    let mut on_row = sighting("question-single-1.18.33-80x24");
    on_row.selected = Some(3);
    let open = Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::TextFocused };
    assert_eq!(OpenCode.answer(&on_row, &say(text)), Ok(open));
    let paste = Step::Press { keys: vec![Keystroke::Paste(text.to_owned())], expect: Expect::Text(text.to_owned()) };
    assert_eq!(step("question-typing-empty-1.18.33-46x30", &say(text)), Ok(paste));
    assert_eq!(step("question-typed-1.18.33-80x24", &say(text)), enter());
    // The arrows belong to the text while somebody types it.
    assert_eq!(step("question-typed-1.18.33-80x24", &choose("SQLite")), Err(Refusal::TerminalOnly));
    assert_eq!(step("question-single-1.18.33-80x24", &choose("Type your own answer")), Err(Refusal::TextMissing));
}

#[test]
fn boxes_are_corrected_one_by_one_and_sent_from_the_review() {
    let (fresh, toggled) = ("question-multi-1.18.33-80x24", "question-multi-toggled-1.18.33-80x24");
    let wanted = check(&["Logging", "Tracing"]);
    let toggle = Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::Checked(0, true) };
    assert_eq!(step(fresh, &wanted), Ok(toggle));
    assert_eq!(step(toggled, &wanted), press(NamedKey::Tab, 1, Expect::Question(1)));
    assert_eq!(step("question-multi-confirm-1.18.33-80x24", &wanted), enter());
    // What the review shows is not what was chosen.
    let other = check(&["Logging"]);
    assert_eq!(step("question-multi-confirm-1.18.33-80x24", &other), press(NamedKey::BackTab, 1, Expect::Question(0)));
    assert_eq!(
        step(toggled, &other),
        Ok(Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::Checked(2, false) })
    );
}

#[test]
fn several_questions_are_answered_page_by_page() {
    let answers = fill_in(&[(&["SQLite"], None), (&["Metrics"], None), (&[], Some("ledger"))]);
    let next = Step::Press { keys: vec![Keystroke::ENTER], expect: Expect::Question(1) };
    assert_eq!(step("question-tabs-1-1.18.33-80x24", &answers), Ok(next));
    assert_eq!(step("question-tabs-2-1.18.33-46x30", &answers), press(NamedKey::Down, 1, Expect::Selected(1)));
    assert_eq!(step("question-tabs-confirm-1.18.33-120x40", &answers), enter());
    let other = fill_in(&[(&["SQLite"], None), (&["Logging"], None), (&[], Some("ledger"))]);
    assert_eq!(step("question-tabs-confirm-1.18.33-80x24", &other), press(NamedKey::BackTab, 2, Expect::Question(1)));
    let few = fill_in(&[(&["SQLite"], None)]);
    assert_eq!(step("question-tabs-1-1.18.33-80x24", &few), Err(Refusal::AnswerCount { questions: 3, answers: 1 }));
    let page = sighting("question-tabs-1-1.18.33-80x24");
    assert_eq!(OpenCode.next_page(&page), Some(vec![Keystroke::TAB]));
    assert_eq!(OpenCode.next_page(&sighting("question-multi-1.18.33-80x24")), None);
}

#[test]
fn a_plan_is_a_plan_and_is_not_on_the_screen() {
    let plan = sighting("plan-exit-1.18.33-120x40");
    assert!(plan.incomplete && plan.title.contains(".opencode/plans/"), "{plan:?}");
    assert_eq!(step("plan-exit-1.18.33-120x40", &choose("No")), press(NamedKey::Down, 1, Expect::Selected(1)));
}

#[test]
fn what_a_dialog_may_cut_is_said_to_be_missing() {
    for cut in [
        "perm-bash-wide-1.18.33-46x30",
        "perm-edit-1.18.33-46x30",
        "perm-write-big-fullscreen-1.18.33-80x24",
        "perm-mcp-1.18.33-120x40",
    ] {
        assert!(sighting(cut).incomplete, "{cut}");
    }
    for whole in ["perm-bash-wide-1.18.33-120x40", "perm-edit-1.18.33-120x40", "perm-webfetch-1.18.33-46x30"] {
        assert!(!sighting(whole).incomplete, "{whole}");
    }
}

#[test]
fn both_ways_to_draw_a_change_say_the_same() {
    let below = sighting("perm-edit-1.18.33-120x40").diff;
    assert!(below[0].unified.contains("-const port = 3000\n+const port = 8080\n+const host"), "{below:?}");
    assert_eq!(below, sighting("perm-edit-1.18.33-160x45").diff);
}

#[test]
fn the_composer_tells_draft_agent_and_work() {
    let composer = |name: &str| match reading(name) {
        Reading::Ready(composer) => composer,
        other => panic!("{name}: {other:?}"),
    };
    assert_eq!(composer("ready-draft-1.18.33-80x24").draft, "a half-written message\nwith a second line");
    for empty in ["ready-home-1.18.33-46x30", "ready-plan-agent-1.18.33-46x30", "ready-home-no-provider-1.18.33-46x30"]
    {
        assert_eq!(composer(empty).draft, "", "{empty}");
    }
    assert_eq!(composer("ready-home-1.18.33-120x40").mode, Some(PermissionMode::Ask));
    assert_eq!(composer("ready-plan-agent-1.18.33-80x24").mode, Some(PermissionMode::Plan));
    // A list of commands over the composer does not hide what stands in it.
    assert!(matches!(
        reading("busy-slash-menu-1.18.33-46x30"),
        Reading::Busy { composer: Some(composer), .. } if composer.draft == "/"
    ));
}

#[test]
fn nothing_is_selected_by_any_fixed_colour() {
    let case = corpus::case(AdapterKind::new("opencode"), "perm-bash-sel-always-1.18.33-80x24");
    let mut screen = case.screen();
    let other = |cell: &mut Cell| {
        for colour in [&mut cell.style.fg, &mut cell.style.bg] {
            if let crate::screen::Color::Rgb(red, green, blue) = *colour {
                *colour = crate::screen::Color::Rgb(255 - blue, 255 - red, 255 - green);
            }
        }
    };
    screen.lines.iter_mut().flat_map(|line| &mut line.cells).for_each(other);
    assert_eq!(OpenCode.read_screen(&screen), case.reading());
}

#[test]
fn the_cursor_elsewhere_means_that_a_list_is_open() {
    for name in ["none-palette-over-permission-1.18.33-46x30", "none-palette-1.18.33-80x24", "none-help-1.18.33-80x24"]
    {
        assert_eq!(reading(name), Reading::Unrecognized, "{name}");
    }
    let mut capture = corpus::case(AdapterKind::new("opencode"), "perm-bash-nodesc-1.18.33-80x24").capture.clone();
    capture.cursor.visible = true;
    assert_eq!(OpenCode.read_screen(&crate::Screen::from_capture(&capture)), Reading::Unrecognized);
}

/// As seen on a busy machine: the buttons are there before the command, and a chosen row has a tick before the dialog goes.
#[test]
fn half_a_frame_is_no_other_prompt() {
    let mut capture = corpus::case(AdapterKind::new("opencode"), "perm-bash-nodesc-1.18.33-80x24").capture.clone();
    let row = capture.text.rfind("$ rm -rf build").unwrap();
    capture.text.replace_range(row..row + 14, "              ");
    assert_eq!(OpenCode.read_screen(&crate::Screen::from_capture(&capture)), Reading::Unrecognized);
    let mut capture = corpus::case(AdapterKind::new("opencode"), "question-single-1.18.33-80x24").capture.clone();
    let plain = "PostgreSQL\u{1b}[38;2;255;255;255m  ";
    assert!(capture.text.contains(plain));
    capture.text = capture.text.replace(plain, "PostgreSQL\u{1b}[38;2;127;216;143m ✓");
    let reading = OpenCode.read_screen(&crate::Screen::from_capture(&capture));
    let before = sighting("question-single-1.18.33-80x24");
    assert_eq!(reading.sighting().map(Sighting::fingerprint), Some(before.fingerprint()), "{reading:?}");
}

fn request(mode: Option<PermissionMode>) -> LaunchRequest {
    LaunchRequest {
        session_id: SessionId(Uuid::nil()),
        folder: PathBuf::from("/work"),
        program: PathBuf::from("/bin/opencode"),
        version: None,
        command: vec!["--model".to_owned(), "a/b".to_owned()],
        mode,
        answerback: PathBuf::from("/bin/answerback"),
        session_folder: PathBuf::from("/run/session"),
        hook_command: None,
        cli_home: PathBuf::new(),
        resume: None,
        surroundings: Surroundings::default(),
    }
}

#[test]
fn a_session_asks_unless_told_otherwise() {
    let plan = |mode| OpenCode.launch(&request(mode)).unwrap();
    let asks =
        |mode| plan(mode).env.into_iter().find(|(name, _)| name == "OPENCODE_PERMISSION").map(|(_, value)| value);
    let asked: serde_json::Value = serde_json::from_str(&asks(None).unwrap()).unwrap();
    for tool in ["bash", "edit", "webfetch"] {
        assert_eq!(asked[tool], "ask", "{tool}");
    }
    assert_eq!(asks(Some(PermissionMode::Plan)), asks(None));
    assert_eq!(plan(None).argv, ["/bin/opencode", "--model", "a/b"]);
    assert_eq!(plan(Some(PermissionMode::Plan)).argv, ["/bin/opencode", "--agent", "plan", "--model", "a/b"]);
    assert_eq!(asks(Some(PermissionMode::Bypass)), None);
    assert_eq!(plan(Some(PermissionMode::Bypass)).argv, ["/bin/opencode", "--auto", "--model", "a/b"]);
    let refused = LaunchRefusal::NoSuchMode(AdapterKind::new("opencode"), PermissionMode::AcceptEdits);
    assert_eq!(OpenCode.launch(&request(Some(PermissionMode::AcceptEdits))), Err(refused));
    let resumed = OpenCode.launch(&LaunchRequest { resume: Some("ses_1".to_owned()), ..request(None) }).unwrap();
    assert_eq!(resumed.argv, ["/bin/opencode", "--session", "ses_1", "--model", "a/b"]);
}
