//! Questions on one line: yes or no, letters, free text and passwords.
//!
//! Kind: a question that offers both a yes and a no asks for permission; everything else is a question.

use shared_types::{Confidence, PromptKind, PromptSource};

use super::{
    choices::{self, Listed},
    keys,
    live::Live,
};
use crate::{SightedText, Sighting};

/// A default or an answer that is being typed is short; more behind a question is output.
const LONGEST_DRAFT: usize = 12;
/// What may stand between a question and its answer.
const SEPARATORS: [char; 11] = [' ', '?', ':', '.', '>', '›', '‣', '·', '…', '»', '-'];
/// How questions begin that are to be agreed to, where they list no answers.
const CONFIRMING: [&str; 38] = [
    "proceed",
    "continue",
    "overwrite",
    "replace",
    "remove",
    "delete",
    "really",
    "are you sure",
    "is this",
    "is that",
    "do you",
    "would you",
    "shall ",
    "should ",
    "may ",
    "ok",
    "confirm",
    "install",
    "descend",
    "try ",
    "abort",
    "retry",
    "save",
    "quit",
    "exit",
    "reset",
    "restart",
    "reboot",
    "upgrade",
    "update",
    "accept",
    "agree",
    "allow",
    "trust",
    "möchten sie",
    "wollen sie",
    "fortfahren",
    "wirklich",
];
/// Words that make a line ask for text even while something is typed behind it.
const ASKING: [&str; 32] = [
    "enter",
    "type",
    "name",
    "e-mail",
    "email",
    "path",
    "file",
    "folder",
    "directory",
    "url",
    "port",
    "host",
    "address",
    "input",
    "choose",
    "select",
    "choice",
    "answer",
    "value",
    "version",
    "which",
    "what",
    "where",
    "please",
    "your",
    "login",
    "user",
    "code",
    "description",
    "number",
    "message",
    "geben sie",
];
/// Words that make a line ask for a secret.
const SECRET: [&str; 10] =
    ["password", "passphrase", "passwort", "kennwort", "secret", "token", "api key", "verification code", "otp", "pin"];

/// Input that the terminal does not echo: a secret, whatever the words.
pub(super) fn hidden_input(live: &Live<'_>) -> Option<Sighting> {
    let hidden = live.screen.tty.is_some_and(|tty| tty.canonical && !tty.echo);
    if !hidden || live.screen.alternate || !live.waits() || live.is_progress() || super::pause::read(live).is_some() {
        return None;
    }
    let head = live.before.trim();
    let sure = head.ends_with(':') || is_secret(head);
    Some(secret(live, head, if sure { Confidence::Likely } else { Confidence::Guess }))
}

/// A question that lists its answers, or that is to be agreed to.
pub(super) fn choice(live: &Live<'_>) -> Option<Sighting> {
    if !live.waits() || live.screen.alternate || !live.after.is_empty() {
        return None;
    }
    let asked = in_brackets(&live.before)
        .or_else(|| in_words(&live.before))
        .or_else(|| by_letters(&live.before))
        .or_else(|| to_agree(&live.before))?;
    let kind = if asked.listed.yes_no { PromptKind::Permission } else { PromptKind::Question };
    let mut sighting = Sighting::new(kind, PromptSource::Pattern, build(live, &asked.listed));
    sighting.confidence = asked.confidence;
    sighting.rows = live.rows.clone();
    sighting.title = clean_title(asked.title);
    if !sighting.title.chars().any(char::is_alphabetic) {
        let above = (0..live.rows.start).rev().take(2).find(|row| !live.screen.text(*row).trim().is_empty())?;
        sighting.title = clean_title(live.screen.text(above));
        sighting.rows.start = above;
    }
    sighting.description = live.context(sighting.rows.start);
    sighting.options = asked.listed.options;
    sighting.text = asked.listed.text.map(|placeholder| SightedText {
        placeholder: Some(placeholder),
        value: asked.draft.to_owned(),
        focused: true,
        ..SightedText::default()
    });
    if sighting.text.is_none() {
        sighting.options.push(keys::typed(asked.draft));
    }
    Some(sighting)
}

/// Free text, or a secret by its words.
pub(super) fn text(live: &Live<'_>) -> Option<Sighting> {
    if !live.waits() || live.screen.alternate || !live.screen.cursor.visible || live.is_progress() {
        return None;
    }
    let field = super::field::split(live)?;
    if is_secret(&field.title) {
        return Some(secret(live, &field.title, Confidence::Likely));
    }
    let asks = asks_for_text(&field.title) || field.placeholder.is_some() || live.takes_keys();
    if !field.draft.is_empty() && !asks {
        return None;
    }
    let build = if asks { keys::TEXT } else { keys::BLIND_TEXT };
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, build);
    sighting.confidence = if asks { Confidence::Likely } else { Confidence::Guess };
    sighting.title = field.title;
    sighting.description = live.context(live.rows.start);
    sighting.rows = live.rows.clone();
    sighting.text = Some(SightedText {
        placeholder: field.placeholder,
        value: format!("{}{}", field.draft, live.after),
        focused: true,
        ..SightedText::default()
    });
    Some(sighting)
}

/// A title without the marks that libraries draw before it and the separators behind it.
pub(super) fn clean_title(text: &str) -> String {
    let text = text.trim().trim_start_matches(['│', '◆', '◇', '✔', ' ']);
    let text = text.strip_prefix("? ").unwrap_or(text);
    text.trim_end_matches([' ', ':', '›', '‣', '·', '»', '>', '…']).trim().to_owned()
}

/// True when a line's words ask for text, whatever stands behind them.
pub(super) fn asks_for_text(head: &str) -> bool {
    let head = head.to_lowercase();
    head.ends_with('?') || is_secret(&head) || ASKING.iter().any(|word| head.contains(word))
}

fn is_secret(head: &str) -> bool {
    let lower = head.to_lowercase();
    SECRET.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + word.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

fn secret(live: &Live<'_>, head: &str, confidence: Confidence) -> Sighting {
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, keys::SECRET);
    sighting.confidence = confidence;
    sighting.title = clean_title(head);
    if sighting.title.is_empty() {
        sighting.title = "Hidden input".to_owned();
    }
    sighting.description = live.context(live.rows.start);
    sighting.rows = live.rows.clone();
    sighting.text = Some(SightedText { secret: true, focused: true, ..SightedText::default() });
    sighting
}

/// A question as it was found on a line.
struct Asked<'t> {
    title: &'t str,
    listed: Listed,
    draft: &'t str,
    confidence: Confidence,
}

/// `… [y/N] `, `… (yes/no)? `, `Is this OK? (yes) `, with one word typed behind it at most.
fn in_brackets(text: &str) -> Option<Asked<'_>> {
    let (open, close) = last_group(text)?;
    let draft = typed_word(&text[close + 1..])?;
    let inside = &text[open + 1..close];
    let asked = |title, listed| Some(Asked { title, listed, draft, confidence: Confidence::Likely });
    if let Some(listed) = choices::listed(inside) {
        return asked(&text[..open], listed);
    }
    // The default may stand in brackets of its own behind the list: `(Y/I/N/O/D/Z) [default=N] ?`.
    let head = text[..open].trim_end();
    if head.ends_with([')', ']'])
        && let Some((earlier, end)) = last_group(head)
        && let Some(listed) =
            choices::listed(&format!("{} [{}]", &head[earlier + 1..end], inside.trim_start_matches("default=")))
    {
        return asked(&head[..earlier], listed);
    }
    (choices::is_yes_or_no(inside) && head.ends_with('?')).then(|| Asked {
        title: head,
        listed: choices::plain_yes_no(Some(inside)),
        draft,
        confidence: Confidence::Likely,
    })
}

/// `Really delete everything, yes/no? `
fn in_words(text: &str) -> Option<Asked<'_>> {
    ["yes/no", "y/n", "Y/n", "y/N", "Y/N", "ja/nein", "j/n", "J/n", "j/N", "yes or no", "y or n"].iter().find_map(
        |words| {
            let at = text.rfind(words)?;
            let apart = text[..at].ends_with([' ', ',', '?', ':', '-']);
            let tail = &text[at + words.len()..];
            let draft = typed_word(tail).filter(|_| apart && tail.starts_with([' ', '?', ':']))?;
            let title = text[..at].trim_end_matches([' ', ',', '-']);
            Some(Asked { title, listed: choices::listed(words)?, draft, confidence: Confidence::Likely })
        },
    )
}

/// `[A]bort, [R]etry, [I]gnore? `
fn by_letters(text: &str) -> Option<Asked<'_>> {
    let end = text.trim_end();
    if !end.ends_with([':', '?', '>', ']', ')']) && !end.ends_with(char::is_alphabetic) {
        return None;
    }
    let (list, draft) = match end.rfind([':', '?']) {
        Some(at) if at + 1 < end.len() && text[at + 1..].starts_with(' ') && !text[at + 1..].contains(['[', '(']) => {
            (&text[..=at], typed_word(&text[at + 1..])?)
        }
        _ => (end, ""),
    };
    let (start, listed) = choices::embedded(list)?;
    let title = if text[..start].trim().is_empty() { list } else { &text[..start] };
    Some(Asked { title, listed, draft, confidence: Confidence::Likely })
}

/// `rm: remove regular file 'x'? `, `Proceed? `
fn to_agree(text: &str) -> Option<Asked<'_>> {
    let at = text.rfind("? ").or_else(|| text.ends_with('?').then(|| text.len() - 1))?;
    let draft = typed_word(&text[at + 1..]).filter(|draft| draft.is_empty() || choices::is_yes_or_no(draft))?;
    let title = &text[..=at];
    let (program, said) = match title.split_once(": ") {
        Some((program, said)) if !program.contains(' ') => (Some(program), said),
        _ => (None, title),
    };
    let body = said.rsplit_once(". ").map_or(said, |(_, body)| body).trim().to_lowercase();
    let body = body.trim_start_matches("? ");
    CONFIRMING.iter().any(|words| body.starts_with(words)).then(|| Asked {
        title,
        listed: choices::plain_yes_no(None),
        draft,
        confidence: if program.is_some() { Confidence::Likely } else { Confidence::Guess },
    })
}

/// What is typed behind a question: nothing or one word.
fn typed_word(tail: &str) -> Option<&str> {
    let word = tail.trim_start_matches(SEPARATORS).trim_end();
    (word.len() <= LONGEST_DRAFT && word.chars().all(char::is_alphabetic)).then_some(word)
}

/// The last pair of brackets, the inner ones skipped: where it opens and closes.
fn last_group(text: &str) -> Option<(usize, usize)> {
    let close = text.rfind([')', ']'])?;
    let mut depth = 0;
    for (at, ch) in text[..=close].char_indices().rev() {
        match ch {
            ')' | ']' => depth += 1,
            '(' | '[' if depth == 1 => return Some((at, close)),
            '(' | '[' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether the answer is a line or one key. Programs that take single keys either echo them or draw a mark before them;
/// without both it is a line editor, which wants its Enter.
fn build(live: &Live<'_>, listed: &Listed) -> &'static str {
    let Some(tty) = live.screen.tty.filter(|tty| !tty.canonical) else { return keys::LINE };
    let marked = live.before.contains(['›', '‣', '·', '»']);
    let letters = listed.options.len() > 2
        && listed.options.iter().all(|option| option.number.as_ref().is_some_and(|key| key.chars().count() == 1));
    if tty.echo || marked || letters { keys::KEY } else { keys::EDIT }
}
