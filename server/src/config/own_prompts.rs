//! `[[prompts]]` of the configuration: prompts that the person describes, for programs whose questions have no usual form.
//!
//! Read anew when the file changes while the server runs; a file with mistakes changes nothing, and they are logged.

use std::{path::PathBuf, sync::Arc, time::Duration};

use adapters::generic::OwnPrompt;
use tokio::{sync::watch, time};
use toml::de::{DeTable, DeValue};

use super::FileSettings;

/// The prompts as they are now.
pub type OwnPrompts = Arc<[OwnPrompt]>;

/// How often the file is looked at: nobody waits for it, and it costs one look at its date.
const LOOK_AGAIN: Duration = Duration::from_secs(2);
/// More would be looked through at every change of every screen.
const PROMPTS_LIMIT: usize = 100;
/// The most answers of one prompt, and the longest of its texts: what a phone can show.
const ANSWERS_LIMIT: usize = 20;
const TEXT_LIMIT: usize = 200;
/// The least letters of a form: fewer would be found in any output.
const FORM_LETTERS: usize = 3;

const KEYS: &str = "form, title, answers, one_key, secret";

/// Reads the list; every mistake comes with where it is.
pub(super) fn parse(value: &DeValue<'_>, at: usize) -> Result<Vec<OwnPrompt>, Vec<(usize, String)>> {
    let wrong = || vec![(at, "`prompts` must be written as tables: [[prompts]]".to_owned())];
    let list = value.as_array().ok_or_else(wrong)?;
    if list.len() > PROMPTS_LIMIT {
        return Err(vec![(at, format!("there are more than {PROMPTS_LIMIT} `prompts`"))]);
    }
    let mut prompts = Vec::new();
    let mut mistakes = Vec::new();
    for item in list {
        let at = item.span().start;
        match item.get_ref().as_table() {
            Some(table) => match prompt(table, at) {
                Ok(prompt) => prompts.push(prompt),
                Err(found) => mistakes.extend(found),
            },
            None => mistakes.extend(wrong()),
        }
    }
    if mistakes.is_empty() { Ok(prompts) } else { Err(mistakes) }
}

fn prompt(table: &DeTable<'_>, at: usize) -> Result<OwnPrompt, Vec<(usize, String)>> {
    let mut own = OwnPrompt { form: String::new(), title: None, answers: Vec::new(), one_key: false, secret: false };
    let mut mistakes = Vec::new();
    for (key, value) in table {
        let flag = || value.get_ref().as_bool().ok_or_else(|| format!("`{}` must be true or false", key.get_ref()));
        let set = match key.get_ref().as_ref() {
            "form" => text(value.get_ref(), "form").and_then(form).map(|form| own.form = form),
            "title" => text(value.get_ref(), "title").map(|title| own.title = Some(title)),
            "answers" => answers(value.get_ref()).map(|answers| own.answers = answers),
            "one_key" => flag().map(|on| own.one_key = on),
            "secret" => flag().map(|on| own.secret = on),
            other => Err(format!("a prompt has no `{other}`; it has {KEYS}")),
        };
        if let Err(reason) = set {
            mistakes.push((value.span().start, reason));
        }
    }
    if mistakes.is_empty() && own.form.is_empty() {
        mistakes.push((at, "a prompt needs a `form`: what stands on the line, with * for anything".to_owned()));
    }
    if own.secret && !own.answers.is_empty() {
        mistakes.push((at, "a `secret` prompt takes a text and has no `answers`".to_owned()));
    }
    let letters = own.answers.iter().filter(|(_, typed)| typed.chars().count() == 1).count();
    if own.one_key && (letters == 0 || letters < own.answers.len()) {
        mistakes.push((at, "`one_key` needs `answers` of one letter each".to_owned()));
    }
    if mistakes.is_empty() { Ok(own) } else { Err(mistakes) }
}

fn text(value: &DeValue<'_>, key: &str) -> Result<String, String> {
    let fits = |text: &&str| {
        !text.trim().is_empty() && text.chars().count() <= TEXT_LIMIT && !text.chars().any(char::is_control)
    };
    let text = value.as_str().filter(fits);
    text.map(str::to_owned)
        .ok_or_else(|| format!("`{key}` must be one line of text in quotes, of at most {TEXT_LIMIT} characters"))
}

fn form(form: String) -> Result<String, String> {
    let letters = form.chars().filter(|ch| ch.is_alphanumeric()).count();
    let enough = letters >= FORM_LETTERS;
    enough.then_some(form).ok_or_else(|| format!("`form` must hold at least {FORM_LETTERS} letters besides *"))
}

/// `["yes", "no"]`, or `{ "Go ahead" = "yes", "Stop" = "no" }`.
fn answers(value: &DeValue<'_>) -> Result<Vec<(String, String)>, String> {
    let answers: Vec<(String, String)> = match (value.as_array(), value.as_table()) {
        (Some(list), _) => {
            let typed = list.iter().map(|item| text(item.get_ref(), "answers"));
            typed.map(|typed| typed.map(|typed| (typed.clone(), typed))).collect::<Result<_, _>>()?
        }
        (_, Some(table)) => {
            let pairs =
                table.iter().map(|(label, typed)| Ok((label.get_ref().to_string(), text(typed.get_ref(), "answers")?)));
            pairs.collect::<Result<_, String>>()?
        }
        _ => {
            return Err("`answers` must be a list of what is typed, or what the button says = what is typed".to_owned());
        }
    };
    let unlike = (0..answers.len()).all(|at| !answers[..at].iter().any(|(label, _)| *label == answers[at].0));
    match answers.len() {
        1..=ANSWERS_LIMIT if unlike => Ok(answers),
        _ => Err(format!("`answers` must be 1 to {ANSWERS_LIMIT} that differ")),
    }
}

/// Follows the configuration file: what is received is what it says now.
#[must_use]
pub fn follow(file: PathBuf, now: OwnPrompts) -> watch::Receiver<OwnPrompts> {
    let (sender, receiver) = watch::channel(now);
    tokio::spawn(async move {
        let mut written = modified(&file).await;
        while !sender.is_closed() {
            time::sleep(LOOK_AGAIN).await;
            let latest = modified(&file).await;
            if latest == written {
                continue;
            }
            written = latest;
            match tokio::fs::read_to_string(&file).await.map(|text| FileSettings::parse(&text)) {
                Ok(Ok(settings)) => {
                    let prompts: OwnPrompts = settings.prompts.into();
                    sender.send_if_modified(|current| {
                        let changed = *current != prompts;
                        *current = prompts;
                        changed
                    });
                }
                Ok(Err(mistakes)) => {
                    for mistake in mistakes {
                        tracing::warn!(%mistake, "the changed configuration is not taken");
                    }
                }
                Err(error) => tracing::warn!(%error, "reading the changed configuration"),
            }
        }
    });
    receiver
}

async fn modified(file: &PathBuf) -> Option<std::time::SystemTime> {
    tokio::fs::metadata(file).await.and_then(|data| data.modified()).ok()
}
