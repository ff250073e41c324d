//! What a notification says, and which buttons it may carry. Pure.
//!
//! What is read is what is approved: a button that lets something happen stands only under a notification that shows all of what
//! it is about, of a prompt that risks nothing unusual. To refuse is always possible.

use serde_json::Value;
use shared_types::{
    Confidence, InteractivePrompt, Millis, OptionRole, PromptKind, PromptOption, RiskLevel,
    visible::{Lines, holds_unseen, look_alike, reveal},
};

/// The longest text that every phone shows whole, in characters; a longer one is cut, and then allows nothing.
const SHOWN_WHOLE: usize = 160;
/// And in lines.
const SHOWN_LINES: usize = 4;
/// The longest text that is sent at all, in characters.
const TEXT_LIMIT: usize = 400;

/// The longest label that stands whole on a button of a phone, in characters.
const LABEL_LIMIT: usize = 40;
/// How many options a message may have as buttons.
const OPTIONS_LIMIT: usize = 8;

/// How much a channel says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Content {
    /// Which session.
    Name,
    /// And what is asked, without the command itself.
    Question,
    /// And the command itself.
    Full,
}

/// The words of a notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    /// One line.
    pub title: String,
    /// The rest; may be empty.
    pub body: String,
    /// What may be answered with one tap.
    pub buttons: Vec<Choice>,
    /// The options of a question, where a channel has room for that many buttons.
    pub options: Vec<Choice>,
    /// What a reply in words would do, where it may answer.
    pub reply: Option<&'static str>,
}

/// What one tap may answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// The option's value, in the CLI's words.
    pub option: String,
    /// What stands on the button.
    pub label: String,
    /// True when it lets something happen.
    pub allows: bool,
}

/// What is said of a prompt.
#[must_use]
pub(super) fn of_prompt(prompt: &InteractivePrompt, session: &str, content: Content) -> Words {
    let session = reveal(session, Lines::One);
    let asks = if prompt.kind == PromptKind::Unrecognized { "A screen waits for you" } else { &prompt.title };
    let (title, body, whole) = match content {
        Content::Name => (format!("{session} needs you"), String::new(), false),
        Content::Question => (format!("{session}: {}", reveal(asks, Lines::One)), about(prompt), false),
        Content::Full => {
            let (text, whole) = text_of(prompt);
            let risk = risk_words(prompt);
            let body = [text, risk].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n");
            (format!("{session}: {}", reveal(asks, Lines::One)), body, whole)
        }
    };
    let named = title.chars().count() <= SHOWN_WHOLE;
    let asked = content > Content::Name && named;
    Words {
        buttons: choices(prompt, whole && named),
        options: if asked { options(prompt) } else { Vec::new() },
        reply: text_answer(prompt).filter(|answer| asked || answer.refuses).map(|answer| answer.hint),
        title: cut(&title, SHOWN_WHOLE),
        body,
    }
}

/// When a prompt's time ends, and what happens then.
#[must_use]
pub(super) fn of_expiry(prompt: &InteractivePrompt, now: Millis) -> Option<String> {
    let left = prompt.expires_at?.saturating_sub(now);
    let refuses = answerback_ledger::refusal(prompt).is_some();
    Some(match (left.div_ceil(60_000), refuses) {
        (0, _) => "Its time is over, and it still waits.".to_owned(),
        (minutes, true) => format!("Refused by itself in {minutes} min."),
        (minutes, false) => format!("Its time is over in {minutes} min."),
    })
}

/// How a text answers a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TextAnswer {
    /// The option that takes it along; none where the prompt has a field of its own.
    pub option: Option<String>,
    /// True when it can only refuse.
    pub refuses: bool,
    /// What it does, for people.
    hint: &'static str,
}

/// How a text may answer a prompt from outside the page, if it may.
#[must_use]
pub(super) fn text_answer(prompt: &InteractivePrompt) -> Option<TextAnswer> {
    if prompt.questions.is_some() || prompt.multi_select == Some(true) || prompt.digest.is_none() {
        return None;
    }
    let mut taking = prompt.options.iter().flatten().filter(|option| option.opens_text == Some(true));
    let option = match (taking.next(), taking.next()) {
        (option, None) => option,
        _ => return None,
    };
    let value = option.map(|option| option.value.clone());
    if option.is_some_and(|option| matches!(option.role, Some(OptionRole::Feedback | OptionRole::Deny))) {
        let hint = "Reply to this message to refuse and say what to do instead.";
        return Some(TextAnswer { option: value, refuses: true, hint });
    }
    let field = prompt.text_input.as_ref().is_some_and(|field| field.secret != Some(true));
    let asks = prompt.kind == PromptKind::Question && is_plain(prompt);
    let harmless = option.is_none_or(|option| matches!(option.role, None | Some(OptionRole::Other)));
    (asks && harmless && (option.is_some() || field)).then_some(TextAnswer {
        option: value,
        refuses: false,
        hint: "Reply to this message to answer in your own words.",
    })
}

/// The options of a question that are safe to choose from outside the page: all of them, each shown whole, or none.
fn options(prompt: &InteractivePrompt) -> Vec<Choice> {
    let asks = prompt.kind == PromptKind::Question && prompt.questions.is_none() && prompt.multi_select != Some(true);
    if !asks || !is_plain(prompt) || !honest(&prompt.title) {
        return Vec::new();
    }
    let all: Vec<&PromptOption> =
        prompt.options.iter().flatten().filter(|option| option.opens_text != Some(true)).collect();
    let fits = |option: &&PromptOption| {
        matches!(option.role, None | Some(OptionRole::Other))
            && option.preview.is_none()
            && option.label.chars().count() <= LABEL_LIMIT
            && honest(&option.label)
    };
    if all.len() > OPTIONS_LIMIT || !all.iter().all(fits) {
        return Vec::new();
    }
    let choice =
        |option: &PromptOption| Choice { option: option.value.clone(), label: option.label.clone(), allows: true };
    all.into_iter().map(choice).collect()
}

/// True when a text looks like what it is.
fn honest(text: &str) -> bool {
    !holds_unseen(text, Lines::Several) && look_alike(text).is_none()
}

/// What may be answered with one tap, when the notification shows all of it or not.
fn choices(prompt: &InteractivePrompt, whole: bool) -> Vec<Choice> {
    if prompt.kind != PromptKind::Permission || prompt.questions.is_some() || prompt.multi_select == Some(true) {
        return Vec::new();
    }
    let allow =
        if whole && is_plain(prompt) && prompt.text_input.is_none() { only(prompt, OptionRole::Allow) } else { None };
    let deny = only(prompt, OptionRole::Deny);
    let choice = |option: &PromptOption, allows| {
        let label = if allows { "Allow" } else { "Deny" }.to_owned();
        Choice { option: option.value.clone(), label, allows }
    };
    allow.map(|option| choice(option, true)).into_iter().chain(deny.map(|option| choice(option, false))).collect()
}

/// The one option of a role that takes nothing along; with two of them, it is not clear which is meant.
fn only(prompt: &InteractivePrompt, role: OptionRole) -> Option<&PromptOption> {
    let mut options = prompt.options.iter().flatten().filter(|option| option.role == Some(role));
    let option = options.next().filter(|option| option.opens_text != Some(true) && option.preview.is_none())?;
    options.next().is_none().then_some(option)
}

/// True when one tap is enough to say yes.
fn is_plain(prompt: &InteractivePrompt) -> bool {
    let nothing_more = prompt.diff.as_ref().is_none_or(Vec::is_empty)
        && prompt.files.as_ref().is_none_or(|files| files.len() <= 1)
        && prompt.plan.is_none()
        && prompt.would_run.as_ref().is_none_or(Vec::is_empty);
    prompt.confidence == Some(Confidence::Certain)
        && prompt.digest.is_some()
        && prompt.risk.as_ref().is_none_or(|risk| risk.level == RiskLevel::Low)
        && prompt.incomplete != Some(true)
        && prompt.more_options != Some(true)
        && prompt.startup != Some(true)
        && prompt.warning.is_none()
        && nothing_more
}

/// What it is about, and whether that is all of it, as it is.
fn text_of(prompt: &InteractivePrompt) -> (String, bool) {
    let (text, whole) = match &prompt.tool_input {
        Some(Value::String(command)) => (command.clone(), true),
        Some(Value::Object(fields)) => match fields.get("command").and_then(Value::as_str) {
            // The shell's alone is told as its text: this is some other tool's, or there is more to it.
            Some(command) => (command.to_owned(), false),
            None => (fields_text(fields), false),
        },
        _ => match (&prompt.diff, &prompt.files) {
            (Some(diff), _) if !diff.is_empty() => {
                (diff.iter().map(|file| file.path.as_str()).collect::<Vec<_>>().join(", "), false)
            }
            (_, Some(files)) if !files.is_empty() => (files.join(", "), false),
            _ => (prompt.description.clone(), false),
        },
    };
    let text = text.trim_end();
    let fits = text.chars().count() <= SHOWN_WHOLE && text.lines().count() <= SHOWN_LINES;
    (cut(&reveal(text, Lines::Several), TEXT_LIMIT), whole && fits && honest(text) && !text.is_empty())
}

fn fields_text(fields: &serde_json::Map<String, Value>) -> String {
    let line = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}: {text}"),
        other => format!("{name}: {other}"),
    };
    fields.iter().map(line).collect::<Vec<_>>().join("\n")
}

/// Which tool, and what it risks.
fn about(prompt: &InteractivePrompt) -> String {
    let tool = prompt.tool_name.as_deref().map(|tool| reveal(tool, Lines::One).into_owned());
    let level = match prompt.risk.as_ref().map(|risk| risk.level) {
        Some(RiskLevel::High) => Some("high risk".to_owned()),
        Some(RiskLevel::Medium) => Some("some risk".to_owned()),
        Some(RiskLevel::Low) | None => None,
    };
    tool.into_iter().chain(level).collect::<Vec<_>>().join(" · ")
}

fn risk_words(prompt: &InteractivePrompt) -> String {
    match &prompt.risk {
        Some(risk) if risk.level > RiskLevel::Low => cut(&format!("⚠ {}", risk.reasons.join("; ")), SHOWN_WHOLE),
        _ => String::new(),
    }
}

fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shared_types::{FileDiff, PromptId, Risk, TextInput};

    use super::*;

    fn prompt(change: impl FnOnce(&mut InteractivePrompt)) -> InteractivePrompt {
        let mut prompt: InteractivePrompt = serde_json::from_value(json!({
            "requestId": uuid::Uuid::nil(),
            "type": "permission",
            "title": "Run this command?",
            "description": "",
            "toolName": "Bash",
            "toolInput": "npm test",
            "confidence": "certain",
            "digest": "d",
            "options": [
                { "value": "Yes", "label": "Yes", "role": "allow" },
                { "value": "Always", "label": "Always", "role": "allow-always" },
                { "value": "No", "label": "No", "role": "deny" },
            ],
        }))
        .expect("a prompt");
        prompt.request_id = PromptId(uuid::Uuid::nil());
        change(&mut prompt);
        prompt
    }

    fn buttons(prompt: &InteractivePrompt, content: Content) -> Vec<&'static str> {
        let words = of_prompt(prompt, "shop", content);
        words.buttons.iter().map(|choice| if choice.allows { "allow" } else { "deny" }).collect()
    }

    #[test]
    fn plain_command_shown_whole_has_both_buttons() {
        let plain = prompt(|_| {});
        let words = of_prompt(&plain, "shop", Content::Full);
        assert_eq!((words.title.as_str(), words.body.as_str()), ("shop: Run this command?", "npm test"));
        assert_eq!(
            words.buttons,
            [
                Choice { option: "Yes".into(), label: "Allow".into(), allows: true },
                Choice { option: "No".into(), label: "Deny".into(), allows: false },
            ]
        );
    }

    #[test]
    fn whatever_is_not_plain_or_not_seen_can_only_be_refused() {
        let risk = |level| Some(Risk { level, reasons: vec!["deletes".into()] });
        let diff = || Some(vec![FileDiff { path: "a".into(), unified: "+a".into() }]);
        type Change = Box<dyn FnOnce(&mut InteractivePrompt)>;
        let cases: Vec<(&str, Change)> = vec![
            ("high risk", Box::new(move |prompt| prompt.risk = risk(RiskLevel::High))),
            ("medium risk", Box::new(move |prompt| prompt.risk = risk(RiskLevel::Medium))),
            ("long", Box::new(|prompt| prompt.tool_input = Some(json!("x".repeat(SHOWN_WHOLE + 1))))),
            ("many lines", Box::new(|prompt| prompt.tool_input = Some(json!("a\nb\nc\nd\ne")))),
            ("invisible", Box::new(|prompt| prompt.tool_input = Some(json!("ls \u{202e}x")))),
            ("look-alike", Box::new(|prompt| prompt.tool_input = Some(json!("curl pаypal.com")))),
            ("other fields", Box::new(|prompt| prompt.tool_input = Some(json!({ "command": "ls", "cwd": "/" })))),
            (
                "a command of a tool that is not named",
                Box::new(|prompt| {
                    prompt.tool_name = Some("mcp__ops__wipe".into());
                    prompt.tool_input = Some(json!({ "command": "all" }));
                }),
            ),
            ("a title that is cut", Box::new(|prompt| prompt.title = format!("Connect to {}?", "x".repeat(200)))),
            ("no command", Box::new(|prompt| prompt.tool_input = None)),
            ("a change", Box::new(move |prompt| prompt.diff = diff())),
            ("incomplete", Box::new(|prompt| prompt.incomplete = Some(true))),
            ("more options", Box::new(|prompt| prompt.more_options = Some(true))),
            ("start-up", Box::new(|prompt| prompt.startup = Some(true))),
            ("warned of", Box::new(|prompt| prompt.warning = Some("odd".into()))),
            ("unsure", Box::new(|prompt| prompt.confidence = Some(Confidence::Likely))),
            ("no digest", Box::new(|prompt| prompt.digest = None)),
            (
                "lasting only",
                Box::new(|prompt| {
                    if let Some(options) = &mut prompt.options {
                        options.remove(0);
                    }
                }),
            ),
        ];
        for (what, change) in cases {
            assert_eq!(buttons(&prompt(change), Content::Full), ["deny"], "{what}");
        }
        assert_eq!(buttons(&prompt(|_| {}), Content::Question), ["deny"]);
        let question = prompt(|prompt| prompt.kind = PromptKind::Question);
        assert!(buttons(&question, Content::Full).is_empty());
    }

    #[test]
    fn question_is_answered_by_its_options_or_in_words_only_where_it_is_seen() {
        let question = |change: fn(&mut InteractivePrompt)| {
            let mut asked = prompt(|prompt| {
                prompt.kind = PromptKind::Question;
                prompt.title = "Which colour?".into();
                (prompt.tool_name, prompt.tool_input) = (None, None);
                let option = |label: &str, text| PromptOption {
                    value: label.into(),
                    label: label.into(),
                    opens_text: text,
                    ..PromptOption::default()
                };
                prompt.options = Some(vec![option("Red", None), option("Blue", None), option("Other", Some(true))]);
            });
            change(&mut asked);
            asked
        };
        let offered = |prompt: &InteractivePrompt, content| {
            let words = of_prompt(prompt, "shop", content);
            let labels: Vec<String> = words.options.into_iter().map(|choice| choice.label).collect();
            (labels.join("|"), words.reply.is_some())
        };
        let plain = question(|_| {});
        assert_eq!(offered(&plain, Content::Question), ("Red|Blue".into(), true));
        assert_eq!(offered(&plain, Content::Name), (String::new(), false));
        type Change = fn(&mut InteractivePrompt);
        let table: [(&str, Change, bool); 6] = [
            ("incomplete", |prompt| prompt.incomplete = Some(true), false),
            ("unsure", |prompt| prompt.confidence = Some(Confidence::Likely), false),
            ("risky", |prompt| prompt.risk = Some(Risk { level: RiskLevel::Medium, reasons: vec![] }), false),
            ("several", |prompt| prompt.multi_select = Some(true), false),
            ("long label", |prompt| prompt.options.as_mut().expect("options")[0].label = "x".repeat(41), true),
            ("lets", |prompt| prompt.options.as_mut().expect("options")[0].role = Some(OptionRole::Allow), true),
        ];
        for (what, change, in_words) in table {
            assert_eq!(offered(&question(change), Content::Full), (String::new(), in_words), "{what}");
        }
        let secret = question(|prompt| {
            prompt.options = None;
            prompt.text_input = Some(TextInput { secret: Some(true), ..TextInput::default() });
        });
        assert_eq!(text_answer(&secret), None);
    }

    #[test]
    fn end_of_its_time_is_said_with_what_happens_then() {
        let certain = prompt(|prompt| {
            prompt.expires_at = Some(90_000);
            prompt.source = Some(shared_types::PromptSource::Hook);
        });
        assert_eq!(of_expiry(&certain, 0).as_deref(), Some("Refused by itself in 2 min."));
        let question = InteractivePrompt { kind: PromptKind::Question, ..certain };
        assert_eq!(of_expiry(&question, 0).as_deref(), Some("Its time is over in 2 min."));
        assert_eq!(of_expiry(&question, 90_000).as_deref(), Some("Its time is over, and it still waits."));
        assert_eq!(of_expiry(&prompt(|_| {}), 0), None);
    }

    #[test]
    fn reply_to_a_permission_only_refuses() {
        let feedback = prompt(|prompt| {
            prompt.risk = Some(Risk { level: RiskLevel::High, reasons: vec![] });
            prompt.options.as_mut().expect("options").push(PromptOption {
                value: "Tell".into(),
                label: "No, and tell it".into(),
                role: Some(OptionRole::Feedback),
                opens_text: Some(true),
                ..PromptOption::default()
            });
        });
        let answer = text_answer(&feedback).expect("it takes words");
        assert_eq!((answer.option.as_deref(), answer.refuses), (Some("Tell"), true));
        let yes = prompt(|prompt| {
            let options = prompt.options.as_mut().expect("options");
            options[0].opens_text = Some(true);
        });
        assert_eq!(text_answer(&yes), None, "words never let something happen");
    }

    #[test]
    fn each_level_says_no_more_than_it_may() {
        let risky = prompt(|prompt| {
            prompt.tool_input = Some(json!("rm -rf build"));
            prompt.risk = Some(Risk { level: RiskLevel::High, reasons: vec!["deletes".into()] });
        });
        let said = |content| {
            let words = of_prompt(&risky, "shop", content);
            (words.title, words.body)
        };
        assert_eq!(said(Content::Name), ("shop needs you".into(), String::new()));
        assert_eq!(said(Content::Question), ("shop: Run this command?".into(), "Bash · high risk".into()));
        assert_eq!(said(Content::Full), ("shop: Run this command?".into(), "rm -rf build\n⚠ deletes".into()));
    }
}
