//! The agent, read and answered by its own adapter: every scene, every option, three sizes. No tmux, no clock.

use std::time::{Duration, Instant};

use adapters::{
    Adapter, Capture, Keystroke, Reading, Screen, Sighting,
    answer::{Action, Attempt, Failure},
    demo::Demo,
    generic::Generic,
    keys::NamedKey,
    reading::Look,
    screen::{Cursor, TtyMode},
    send::{self, Delivery, NotSent},
};
use proptest::prelude::*;
use shared_types::{
    AdapterKind, InteractivePrompt, MessageBody, MessageRole, Millis, PromptId, PromptResponse, QuestionAnswer,
    SessionId,
};
use uuid::Uuid;

use super::{
    agent::Agent,
    key::Key,
    row::{Drawing, Look as CellLook, Row},
    scenes::Scene,
    transcript::Line,
};

const SIZES: [(usize, usize); 3] = [(120, 40), (80, 24), (46, 30)];

/// The agent on a pretended terminal.
struct Desk {
    agent: Agent,
    cols: usize,
    rows: usize,
    printed: Vec<Row>,
    lines: Vec<Line>,
    /// What stands on the line while the terminal itself takes the keys.
    typed: String,
    now: Millis,
}

impl Desk {
    fn new((cols, rows): (usize, usize), pace: Millis) -> Self {
        Self {
            agent: Agent::new(pace),
            cols,
            rows,
            printed: Vec::new(),
            lines: Vec::new(),
            typed: String::new(),
            now: 1_000,
        }
    }

    fn at_scene(size: (usize, usize), scene: Scene) -> Self {
        let mut desk = Self::new(size, 0);
        desk.say(scene.word());
        desk
    }

    fn say(&mut self, message: &str) {
        self.key(&Key::Paste(message.to_owned()));
        self.key(&Key::Enter);
    }

    fn key(&mut self, key: &Key) {
        match key {
            Key::Char(ch) if self.agent.line_prompt().is_some() => self.typed.push(*ch),
            Key::Enter if self.agent.line_prompt().is_some() => {
                let typed = std::mem::take(&mut self.typed);
                self.agent.on_line(Some(&typed), self.now);
            }
            key => self.agent.on_key(key, self.now),
        }
        self.pass(0);
    }

    fn pass(&mut self, millis: Millis) {
        self.now += millis;
        self.agent.on_tick(self.now);
        self.lines.extend(self.agent.take_lines());
        self.printed.extend(self.agent.chat.take_new(self.cols));
    }

    fn press(&mut self, keys: &[Keystroke]) {
        for key in keys {
            match key {
                Keystroke::Named(key) => self.key(&named(*key)),
                Keystroke::Ctrl(letter) => self.key(&Key::Ctrl(*letter)),
                Keystroke::Text(text) => text.chars().for_each(|ch| self.key(&Key::Char(ch))),
                Keystroke::Paste(text) => self.key(&Key::Paste(text.clone())),
            }
        }
    }

    fn screen(&mut self) -> Screen {
        self.pass(0);
        let mut live: Drawing = self.agent.view(self.cols, self.rows, self.now);
        if let Some(prompt) = self.agent.line_prompt() {
            let line = format!("{}{}", prompt.text, if prompt.secret { "" } else { &self.typed });
            live = Drawing {
                rows: vec![Row::default(), Row::new(0, &line, CellLook::PLAIN)],
                cursor: Some((line.len(), 1)),
            };
        }
        assert!(live.rows.len() <= self.rows, "the live part is higher than the terminal");
        let mut rows: Vec<&Row> = self.printed.iter().chain(&live.rows).collect();
        let scrolled = rows.len().saturating_sub(self.rows);
        rows.drain(..scrolled);
        let top = rows.len() - live.rows.len();
        let cursor = live.cursor.map(|(x, y)| Cursor { x: short(x), y: short(top + y), visible: true });
        Screen::from_capture(&Capture {
            text: rows.iter().map(|row| row.to_ansi()).collect::<Vec<_>>().join("\n"),
            cols: short(self.cols),
            rows: short(self.rows),
            cursor: cursor.unwrap_or_default(),
            tty: Some(TtyMode {
                echo: self.agent.line_prompt().is_some_and(|prompt| !prompt.secret),
                canonical: self.agent.line_prompt().is_some(),
            }),
            ..Capture::default()
        })
    }

    fn reading(&mut self) -> Reading {
        let screen = self.screen();
        Demo.read_screen(&screen)
    }

    fn sighting(&mut self) -> Sighting {
        match self.reading() {
            Reading::Prompt(sighting) => sighting,
            other => panic!("no prompt but {other:?} on\n{}", self.screen().plain_text()),
        }
    }

    fn prompt(&mut self) -> InteractivePrompt {
        self.sighting().to_prompt(PromptId(Uuid::nil()), SessionId(Uuid::nil()), AdapterKind::new("demo"), 0)
    }

    /// Answers what is on the screen the way the server does. `lost` says which keystrokes never arrive.
    fn answer(&mut self, response: &PromptResponse, mut lost: impl FnMut() -> bool) -> Result<(), Failure> {
        let mut attempt = Attempt::new(response.clone(), self.sighting().fingerprint());
        let mut now = Instant::now();
        loop {
            let screen = self.screen();
            match attempt.on_look(&Look::at(&screen, &Demo), &Demo, now) {
                Action::Press { keys, .. } => keys.iter().filter(|_| !lost()).for_each(|key| {
                    self.press(std::slice::from_ref(key));
                }),
                Action::Wait(until) => now = until + Duration::from_millis(1),
                Action::Verified => return Ok(()),
                Action::Failed(failure) => return Err(failure),
            }
        }
    }

    /// What the agent says it understood last.
    fn understood(&self) -> Option<&str> {
        self.texts(MessageRole::Assistant).into_iter().rev().find_map(|text| text.strip_prefix("Understood: "))
    }

    fn texts(&self, wanted: MessageRole) -> Vec<&str> {
        let texts = self.lines.iter().filter_map(|line| match line {
            Line::Message { message } if message.role == wanted => match &message.body {
                MessageBody::Text { text, streaming: false } | MessageBody::Notice { text } => Some(text.as_str()),
                _ => None,
            },
            _ => None,
        });
        texts.collect()
    }
}

fn named(key: NamedKey) -> Key {
    match key {
        NamedKey::Enter => Key::Enter,
        NamedKey::Escape => Key::Escape,
        NamedKey::Tab => Key::Tab,
        NamedKey::BackTab => Key::BackTab,
        NamedKey::Space => Key::Char(' '),
        NamedKey::Backspace => Key::Backspace,
        NamedKey::Delete => Key::Delete,
        NamedKey::Up => Key::Up,
        NamedKey::Down => Key::Down,
        NamedKey::Left => Key::Left,
        NamedKey::Right => Key::Right,
        NamedKey::Home | NamedKey::PageUp => Key::Home,
        NamedKey::End | NamedKey::PageDown => Key::End,
    }
}

fn short(count: usize) -> u16 {
    u16::try_from(count).unwrap()
}

fn nothing() -> PromptResponse {
    PromptResponse::to(PromptId(Uuid::nil()))
}

fn choose(value: &str, text: Option<&str>) -> PromptResponse {
    PromptResponse { selected_option: Some(value.into()), text_value: text.map(Into::into), ..nothing() }
}

fn check(values: &[&str]) -> PromptResponse {
    let values = values.iter().map(|value| (*value).to_owned()).collect();
    PromptResponse { selected_options: Some(values), ..nothing() }
}

fn fill_in(language: &str, features: &[&str], name: &str) -> PromptResponse {
    let pick = |values: &[&str]| QuestionAnswer {
        selected_options: values.iter().map(|value| (*value).to_owned()).collect(),
        text_value: None,
    };
    let name = QuestionAnswer { selected_options: Vec::new(), text_value: Some(name.to_owned()) };
    PromptResponse { answers: Some(vec![pick(&[language]), pick(features), name]), ..nothing() }
}

#[test]
fn every_option_of_every_list_is_chosen_as_the_person_meant_it() {
    // Long enough to be wrapped at 46 columns.
    let text = "use ls instead, and tell me what you found before you go on";
    for size in SIZES {
        for scene in [Scene::Command, Scene::Edit, Scene::Choice, Scene::Plan, Scene::Loop] {
            let options = Desk::at_scene(size, scene).prompt().options.unwrap();
            assert!(options.len() >= 2, "{scene:?}");
            for option in options {
                let typed = option.opens_text.map(|_| text);
                let mut desk = Desk::at_scene(size, scene);
                desk.answer(&choose(&option.value, typed), || false).unwrap();
                let wanted = match typed {
                    Some(text) => format!("{} -> {}: {text}", scene.word(), option.label),
                    None => format!("{} -> {}", scene.word(), option.label),
                };
                assert_eq!(desk.understood(), Some(wanted.as_str()), "at {size:?}");
                assert!(matches!(desk.reading(), Reading::Ready(_)));
            }
        }
    }
}

#[test]
fn every_set_of_boxes_is_checked() {
    let features = ["Auth", "Queue", "Search", "Metrics"];
    for size in SIZES {
        for set in 0..16_u8 {
            let wanted: Vec<_> = (0..4).filter(|bit| set & (1 << bit) != 0).map(|bit| features[bit]).collect();
            let mut desk = Desk::at_scene(size, Scene::Multi);
            // Somebody at the desk has been here before.
            desk.press(&[Keystroke::SPACE, Keystroke::Named(NamedKey::Down), Keystroke::SPACE]);
            desk.answer(&check(&wanted), || false).unwrap();
            let said = if wanted.is_empty() { "nothing".to_owned() } else { wanted.join(", ") };
            assert_eq!(desk.understood(), Some(format!("multi -> {said}").as_str()));
        }
    }
}

#[test]
fn a_form_of_three_questions_is_filled_in_and_sent() {
    for size in SIZES {
        let mut desk = Desk::at_scene(size, Scene::Questions);
        let questions = desk.prompt().questions.unwrap();
        let headers: Vec<_> = questions.iter().map(|question| question.header.as_str()).collect();
        assert_eq!(headers, ["Language", "Features", "Name"]);
        assert_eq!(questions[0].question, "Which language shall it be written in?");
        desk.answer(&fill_in("Rust", &["Auth", "Queue"], "shop"), || false).unwrap();
        assert_eq!(desk.understood(), Some("questions -> Language=Rust; Features=Auth, Queue; Name=shop"));
    }
}

#[test]
fn what_the_desk_left_in_a_form_is_put_right() {
    let mut desk = Desk::at_scene((80, 24), Scene::Questions);
    let down = Keystroke::Named(NamedKey::Down);
    let mut keys = vec![Keystroke::SPACE, down.clone(), down.clone(), down.clone(), Keystroke::SPACE];
    keys.extend(vec![down; 4]);
    keys.push(Keystroke::Text("my old name".to_owned()));
    desk.press(&keys);
    assert_eq!(desk.sighting().question_index, Some(2));
    desk.answer(&fill_in("Python", &["Metrics"], "new name"), || false).unwrap();
    assert_eq!(desk.understood(), Some("questions -> Language=Python; Features=Metrics; Name=new name"));
}

#[test]
fn a_form_is_not_sent_before_it_is_complete() {
    let mut desk = Desk::at_scene((80, 24), Scene::Questions);
    desk.press(&vec![Keystroke::Named(NamedKey::Down); 8]);
    desk.press(&[Keystroke::ENTER]);
    assert!(desk.screen().plain_text().ends_with("  Language is not answered yet."));
    assert_eq!(desk.sighting().question_index, None);
}

#[test]
fn escape_cancels_every_scene() {
    for scene in Scene::ALL.into_iter().filter(|scene| scene.line().is_none()) {
        let mut desk = Desk::at_scene((80, 24), scene);
        desk.press(&[Keystroke::ESCAPE]);
        assert_eq!(desk.understood(), Some(format!("{} -> cancelled", scene.word()).as_str()));
    }
}

#[test]
fn lines_are_asked_without_a_composer_and_the_password_is_never_told() {
    let mut desk = Desk::at_scene((80, 24), Scene::YesNo);
    assert!(!matches!(desk.reading(), Reading::Ready(_) | Reading::Busy { .. }));
    desk.agent.on_line(Some("Y"), desk.now);
    desk.pass(0);
    assert_eq!(desk.understood(), Some("yesno -> yes"));
    desk.say("password");
    desk.agent.on_line(Some("hunter22"), desk.now);
    desk.pass(0);
    assert_eq!(desk.understood(), Some("password -> 8 characters"));
    let written = desk.lines.iter().map(|line| serde_json::to_string(line).unwrap()).collect::<String>();
    assert!(!written.contains("hunter22") && !desk.screen().plain_text().contains("hunter22"));
    desk.say("yesno");
    desk.agent.on_line(None, desk.now);
    desk.pass(0);
    assert_eq!(desk.understood(), Some("yesno -> cancelled"));
}

/// What the generic adapter makes of a line is answered through the demo adapter, a secret included.
#[test]
fn plain_lines_are_answered_as_those_of_any_program() {
    let cases = [
        (Scene::YesNo, choose("Yes", None), "yesno -> yes"),
        (Scene::YesNo, choose("No", None), "yesno -> no"),
        (
            Scene::Password,
            PromptResponse { text_value: Some("hunter22".into()), ..nothing() },
            "password -> 8 characters",
        ),
    ];
    for (scene, response, wanted) in cases {
        let mut desk = Desk::at_scene((80, 24), scene);
        if matches!(Generic.read_screen(&desk.screen()), Reading::Prompt(_)) {
            desk.answer(&response, || false).unwrap();
            assert_eq!(desk.understood(), Some(wanted));
        }
    }
}

#[test]
fn the_puzzle_is_not_understood_but_can_be_solved_with_keys() {
    let mut desk = Desk::at_scene((80, 24), Scene::Puzzle);
    assert_eq!(desk.reading(), Reading::Unrecognized);
    desk.press(&[Keystroke::ENTER, Keystroke::Text("++=".to_owned())]);
    assert_eq!(desk.understood(), Some("puzzle -> 5"));
}

#[test]
fn the_tour_shows_every_scene_in_turn() {
    let mut desk = Desk::new((80, 24), 0);
    desk.say("tour");
    for scene in Scene::ALL.into_iter().filter(|scene| *scene != Scene::Danger) {
        if desk.agent.line_prompt().is_some() {
            desk.agent.on_line(None, desk.now);
            desk.pass(0);
        } else {
            desk.key(&Key::Escape);
        }
        assert_eq!(desk.understood(), Some(format!("{} -> cancelled", scene.word()).as_str()));
    }
    assert!(matches!(desk.reading(), Reading::Ready(_)));
}

#[test]
fn a_message_of_several_lines_is_taken_as_one() {
    let mut desk = Desk::new((46, 30), 0);
    let message = "first line\n1. Yes\n2. No";
    let mut delivery = Delivery::new(message.to_owned(), Demo.profile().send);
    let mut now = Instant::now();
    loop {
        let screen = desk.screen();
        match delivery.on_look(&Look::at(&screen, &Demo), now) {
            send::Action::Press(keys) => desk.press(&keys),
            send::Action::Wait(until) => now = until,
            send::Action::Taken => break,
            send::Action::Refused(why) => panic!("{why}"),
        }
    }
    assert_eq!(desk.texts(MessageRole::User), [message]);
}

#[test]
fn a_message_is_refused_while_something_is_asked() {
    for (scene, why) in [(Scene::Edit, NotSent::DialogOpen), (Scene::Puzzle, NotSent::Unrecognized)] {
        let mut desk = Desk::at_scene((80, 24), scene);
        let look = Look::at(&desk.screen(), &Demo);
        let mut delivery = Delivery::new("hello".to_owned(), Demo.profile().send);
        let mut action = delivery.on_look(&look, Instant::now());
        // A screen that is not understood may be half drawn: it is looked at once more.
        if let send::Action::Wait(until) = action {
            action = delivery.on_look(&look, until);
        }
        assert_eq!(action, send::Action::Refused(why));
    }
}

#[test]
fn what_is_typed_while_it_works_is_queued_and_escape_interrupts() {
    let mut desk = Desk::new((80, 24), 0);
    desk.say("busy");
    desk.pass(3_200);
    desk.say("hello there");
    assert!(desk.screen().plain_text().contains("Working… (3s · esc to interrupt)\n  ⋯ queued: hello there\n"));
    assert!(matches!(desk.reading(), Reading::Busy { detail, composer: Some(_) } if detail == "Working…"));
    desk.key(&Key::Escape);
    assert_eq!(desk.texts(MessageRole::System), ["Interrupted."]);
    assert_eq!(desk.texts(MessageRole::User), ["busy", "hello there"]);
    assert!(matches!(desk.reading(), Reading::Ready(_)));
}

#[test]
fn the_help_quotes_a_dialog_and_is_not_one() {
    for size in SIZES {
        let mut desk = Desk::new(size, 0);
        desk.say("help");
        assert!(desk.screen().plain_text().contains("❯ 1. Yes"));
        assert!(matches!(desk.reading(), Reading::Ready(composer) if composer.draft.is_empty()));
    }
}

#[test]
fn ctrl_c_quits_only_when_pressed_twice_in_a_row() {
    let mut desk = Desk::new((80, 24), 0);
    desk.key(&Key::Ctrl('c'));
    desk.pass(2_000);
    desk.key(&Key::Ctrl('c'));
    assert!(!desk.agent.is_over());
    desk.key(&Key::Ctrl('c'));
    assert!(desk.agent.is_over());
}

#[test]
fn a_streamed_text_is_written_down_as_it_grows_and_then_whole() {
    let mut desk = Desk::new((80, 24), 15);
    desk.say("hello");
    while desk.agent.next_wake(desk.now).is_some() {
        desk.pass(15);
    }
    let lines: Vec<_> = desk.lines.iter().skip(1).collect();
    let [Line::Message { message: first }, deltas @ .., Line::Message { message: last }] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert_eq!(first.body, MessageBody::Text { text: String::new(), streaming: true });
    let streamed: String = deltas
        .iter()
        .map(|line| match line {
            Line::Delta { id, text } if *id == last.id && first.id == last.id => text.as_str(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert!(deltas.len() > 5);
    assert_eq!(last.body, MessageBody::Text { text: streamed, streaming: false });
    for line in &desk.lines {
        let entries = Demo.read_transcript(&serde_json::to_string(line).unwrap());
        assert_eq!(entries.len(), 1, "{line:?}");
    }
}

#[test]
fn a_held_text_waits_and_goes_on_when_let() {
    let mut desk = Desk::new((80, 24), 0);
    desk.agent.speak_until(50);
    desk.say("long");
    let said = |desk: &Desk| -> usize {
        let deltas = desk.lines.iter().map(|line| match line {
            Line::Delta { text, .. } => text.len(),
            Line::Message { .. } => 0,
        });
        deltas.sum()
    };
    desk.pass(60_000);
    let half = said(&desk);
    assert!(matches!(desk.reading(), Reading::Busy { .. }), "it is still at it");
    desk.agent.speak_until(100);
    desk.pass(60_000);
    assert_eq!(half, said(&desk) / 2);
    assert_eq!(desk.agent.next_wake(desk.now), None);
}

#[test]
fn an_allowed_edit_is_told_with_its_diff() {
    let mut desk = Desk::at_scene((80, 24), Scene::Edit);
    let shown = desk.prompt().diff.unwrap();
    desk.answer(&choose("Yes", None), || false).unwrap();
    let mut results = desk.lines.iter().filter_map(|line| match line {
        Line::Message { message } => match &message.body {
            MessageBody::Tool { result: Some(result), .. } => Some(result.clone()),
            _ => None,
        },
        Line::Delta { .. } => None,
    });
    assert_eq!(results.next_back().unwrap().diff.unwrap(), shown, "the diff on the screen is the one that is made");
}

#[test]
fn a_small_terminal_hides_the_body_first_and_then_says_so() {
    let mut desk = Desk::at_scene((80, 14), Scene::Plan);
    assert!(desk.screen().plain_text().contains("⋮ 5 more lines"));
    assert_eq!(desk.sighting().options.len(), 3);
    let mut desk = Desk::at_scene((80, 9), Scene::Questions);
    assert_eq!(desk.screen().last_row().map(|row| desk.screen().text(row).to_owned()).unwrap(), "Terminal too small");
    assert_eq!(desk.reading(), Reading::Unrecognized);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Keys get lost; an answer may then fail, but it is never another one.
    #[test]
    fn lost_keys_never_make_another_answer(losses in prop::collection::vec(prop::bool::weighted(0.2), 1..40), pick in 0_usize..4) {
        let mut losses = losses.into_iter();
        let mut lost = || losses.next().unwrap_or(false);
        let mut desk = Desk::at_scene((80, 24), Scene::Command);
        let option = desk.prompt().options.unwrap().swap_remove(pick);
        let text = option.opens_text.map(|_| "use ls");
        let wanted = format!("command -> {}{}", option.label, text.map_or(String::new(), |text| format!(": {text}")));
        match desk.answer(&choose(&option.value, text), &mut lost) {
            Ok(()) => prop_assert_eq!(desk.understood(), Some(wanted.as_str())),
            Err(_) => prop_assert_eq!(desk.understood(), None),
        }
        let mut desk = Desk::at_scene((80, 24), Scene::Questions);
        match desk.answer(&fill_in("TypeScript", &["Search"], "shop"), &mut lost) {
            Ok(()) => prop_assert_eq!(desk.understood(), Some("questions -> Language=TypeScript; Features=Search; Name=shop")),
            Err(_) => prop_assert_eq!(desk.understood(), None),
        }
    }

    /// Rows that are printed while a text grows are the rows of the whole text.
    #[test]
    fn a_growing_text_is_printed_as_the_whole_text_would_be(words in prop::collection::vec("[a-z`日]{1,30}|\n|- ", 1..60), width in 24_usize..90) {
        let text = words.join(" ");
        let mut grown = super::chat::Chat::default();
        grown.open();
        let mut rows = Vec::new();
        for ch in text.chars() {
            grown.append(&ch.to_string());
            rows.extend(grown.take_new(width));
        }
        grown.close();
        rows.extend(grown.take_new(width));
        let mut whole = super::chat::Chat::default();
        whole.push(super::chat::Entry::Assistant(text));
        prop_assert_eq!(rows, whole.take_new(width));
    }
}
