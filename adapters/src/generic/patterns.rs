//! Questions on one line: yes or no, letters, free text and passwords.
//!
//! Kind: a question that offers both a yes and a no asks for permission; everything else is a question.

use shared_types::{Confidence, PromptKind, PromptSource};

use super::{
    choices::{self, Listed},
    keys,
    live::Live,
};
use crate::{SightedText, Sighting, screen::Foreground};

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
const SECRET: [&str; 34] = [
    "password",
    "passphrase",
    "pass phrase",
    "passcode",
    "passkey",
    "passwd",
    "passwort",
    "kennwort",
    "secret",
    "secret key",
    "access key",
    "private key",
    "token",
    "api key",
    "apikey",
    "verification code",
    "one-time code",
    "otp",
    "2fa code",
    "pin",
    "unlock",
    "wallet",
    "mnemonic",
    "seed phrase",
    "mot de passe",
    "contraseña",
    "senha",
    "hasło",
    "wachtwoord",
    "lösenord",
    "пароль",
    "密码",
    "パスワード",
    "비밀번호",
];
/// Characters that a program draws instead of what is typed.
const MASKS: [char; 6] = ['*', '•', '●', '▪', '∙', '◦'];

/// Input that the terminal does not echo: a secret, whatever the words.
pub(super) fn hidden_input(live: &Live<'_>) -> Option<Sighting> {
    let hidden = live.screen.tty.is_some_and(|tty| tty.canonical && !tty.echo);
    if !hidden || live.screen.alternate || !live.waits() || live.is_progress() || super::pause::read(live).is_some() {
        return None;
    }
    let head = live.before.trim();
    // What stands behind the colon may have been typed before the echo went off.
    let head = head.rfind(": ").map_or(head, |at| &head[..=at]);
    let sure = head.ends_with(':') || is_secret(head);
    Some(secret(live, head, if sure { Confidence::Likely } else { Confidence::Guess }))
}

/// A question that lists its answers, or that is to be agreed to.
pub(super) fn choice(live: &Live<'_>) -> Option<Sighting> {
    if !live.waits() || !live.after.is_empty() {
        return None;
    }
    let asked = on_two_rows(live)
        .or_else(|| in_brackets(&live.before))
        .or_else(|| in_words(&live.before))
        .or_else(|| by_press(&live.before))
        .or_else(|| by_letters(&live.before))
        .or_else(|| to_agree(&live.before))?;
    // Digits are the numbers of a list, where one stands above.
    let numbers = asked.listed.options.iter().all(|option| option.label.chars().all(|ch| ch.is_ascii_digit()));
    if numbers && let Some(list) = super::numbered::read(live) {
        return Some(list);
    }
    let kind = if asked.listed.yes_no { PromptKind::Permission } else { PromptKind::Question };
    let mut sighting = Sighting::new(kind, PromptSource::Pattern, build(live));
    sighting.confidence = asked.confidence;
    sighting.rows = live.rows.clone();
    sighting.title = clean_title(&asked.title);
    if !sighting.title.chars().any(char::is_alphabetic) {
        let above = (0..live.rows.start).rev().take(2).find(|row| !live.screen.text(*row).trim().is_empty())?;
        let text = clean_title(live.screen.text(above));
        sighting.title = choices::without_list(&text).to_owned();
        sighting.rows.start = above;
    }
    sighting.head = live.head(&asked.draft);
    sighting.description = live.context(sighting.rows.start);
    sighting.options = asked.listed.options;
    sighting.text = asked.listed.text.map(|placeholder| SightedText {
        placeholder: Some(placeholder),
        value: asked.draft.clone(),
        focused: true,
        ..SightedText::default()
    });
    if sighting.text.is_none() {
        sighting.options.push(keys::typed(&asked.draft));
    }
    Some(sighting)
}

/// Free text, or a secret by its words or because what is typed is masked.
pub(super) fn text(live: &Live<'_>) -> Option<Sighting> {
    if !live.waits() || live.is_progress() || (live.screen.alternate && !live.takes_keys()) {
        return None;
    }
    // A hidden cursor waits for a line only where a library draws its own behind a mark.
    let marked = live.before.contains(['›', '‣', '»']) || live.before.starts_with("? ");
    if !(live.screen.cursor.visible || marked && live.takes_keys()) {
        return None;
    }
    let field = super::field::split(live)?;
    let masked =
        live.takes_keys() && field.draft.chars().count() > 1 && field.draft.chars().all(|ch| MASKS.contains(&ch));
    if is_secret(&field.title) || masked {
        return Some(secret(live, &field.title, Confidence::Likely));
    }
    // A program that reads its terminal behind a line that it has not ended asks for something.
    let reads = live.screen.foreground == Some(Foreground::Reads);
    let asks = asks_for_text(&field.title) || field.placeholder.is_some() || live.takes_keys() || reads;
    if !field.draft.is_empty() && !asks {
        return None;
    }
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, keys::TEXT);
    sighting.confidence = if asks { Confidence::Likely } else { Confidence::Guess };
    sighting.title = field.title;
    sighting.description = live.context(live.rows.start);
    sighting.rows = live.rows.clone();
    sighting.head = live.head(&field.draft);
    sighting.text = Some(SightedText {
        may_be_empty: field.placeholder.is_some() || may_be_empty(&sighting.title),
        placeholder: field.placeholder,
        value: format!("{}{}", field.draft, live.after),
        focused: true,
        ..SightedText::default()
    });
    Some(sighting)
}

/// The prompt again with what stands behind its head now: what is typed may read as anything.
pub(super) fn find_again(live: &Live<'_>, known: &Sighting) -> Option<Sighting> {
    let line = format!("{}{}", live.before, live.after);
    let value = behind(&line, &known.head).or_else(|| {
        // Some libraries take the default away with the first letter.
        let default = known.text.as_ref().and_then(|field| field.placeholder.as_deref())?;
        let head = known.head.replace(&format!("({default})"), "").replace(&format!("[{default}]"), "");
        behind(&line, &head).filter(|_| head != known.head)
    })?;
    let mut again = known.clone();
    let moved = live.rows.end.checked_sub(known.rows.len())?;
    again.rows = moved..live.rows.end;
    let field =
        again.text.iter_mut().chain(again.options.iter_mut().filter_map(|option| option.text.as_mut())).next()?;
    field.value = value;
    Some(again)
}

/// What follows a beginning, blanks apart.
fn behind(line: &str, head: &str) -> Option<String> {
    let mut rest = line.chars();
    for wanted in head.chars().filter(|ch| !ch.is_whitespace()) {
        if rest.by_ref().find(|ch| !ch.is_whitespace())? != wanted {
            return None;
        }
    }
    (!head.trim().is_empty()).then(|| rest.as_str().trim().to_owned())
}

/// A row above a question, without the secret that was typed into it.
pub(super) fn without_secret(text: &str) -> String {
    match text.split_once([':', '›', '‣']) {
        Some((head, typed)) if is_secret(head) && !typed.trim().is_empty() => format!("{head}: •••"),
        _ => text.to_owned(),
    }
}

/// A title without the marks that libraries draw before it and the separators behind it.
pub(super) fn clean_title(text: &str) -> String {
    let text = text.trim().trim_start_matches(['│', '◆', '◇', '✔', ' ']);
    let text = ["? ", "[?] "].iter().find_map(|mark| text.strip_prefix(mark)).unwrap_or(text);
    text.trim_end_matches([' ', ':', '›', '‣', '·', '»', '>', '…']).trim().to_owned()
}

/// True when a line's words ask for text, whatever stands behind them.
pub(super) fn asks_for_text(head: &str) -> bool {
    let head = head.to_lowercase();
    head.ends_with('?') || is_secret(&head) || ASKING.iter().any(|word| head.contains(word))
}

pub(super) fn is_secret(head: &str) -> bool {
    let lower = head.to_lowercase();
    SECRET.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower[..at].chars().next_back();
            let after = lower[at + word.len()..].chars().next();
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}

pub(super) fn secret(live: &Live<'_>, head: &str, confidence: Confidence) -> Sighting {
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Pattern, keys::SECRET);
    sighting.confidence = confidence;
    sighting.title = clean_title(head);
    if sighting.title.is_empty() {
        sighting.title = "Hidden input".to_owned();
    }
    sighting.description = live.context(live.rows.start);
    sighting.rows = live.rows.clone();
    let may_be_empty = may_be_empty(head);
    sighting.text = Some(SightedText { secret: true, focused: true, may_be_empty, ..SightedText::default() });
    sighting
}

/// True when a question says that nothing need be typed.
fn may_be_empty(head: &str) -> bool {
    let head = head.to_lowercase();
    let words = [
        "empty",
        "blank",
        "optional",
        "press enter",
        "hit enter",
        "press return",
        "for none",
        "to skip",
        "to use default",
    ];
    words.iter().any(|words| head.contains(words))
}

/// A question as it was found on a line.
struct Asked {
    title: String,
    listed: Listed,
    draft: String,
    confidence: Confidence,
}

impl Asked {
    fn new(title: &str, listed: Listed, draft: &str) -> Self {
        Self { title: title.to_owned(), listed, draft: draft.to_owned(), confidence: Confidence::Likely }
    }
}

/// A list at the end of the row above, and on the cursor's row only the default: `[no] >>> `.
fn on_two_rows(live: &Live<'_>) -> Option<Asked> {
    let (group, draft) = live.before.trim_start().strip_prefix('[')?.split_once("] >>> ")?;
    let above = live.screen.text(live.rows.start.checked_sub(1)?).trim();
    let (open, close) = last_group(above).filter(|(_, close)| close + 1 == above.len())?;
    let listed = choices::listed(&format!("{} [{group}]", &above[open + 1..close]), above)?;
    Some(Asked::new("", listed, typed_word(draft)?))
}

/// `… [y/N] `, `… (yes/no)? `, `Is this OK? (yes) `, with one word typed behind it at most.
fn in_brackets(text: &str) -> Option<Asked> {
    let (open, close) = last_group(text)?;
    let draft = typed_word(&text[close + 1..])?;
    let inside = &text[open + 1..close];
    if let Some(listed) = choices::listed(inside, text) {
        return Some(Asked::new(&text[..open], listed, draft));
    }
    // The default may stand in brackets of its own behind the list: `(Y/I/N/O/D/Z) [default=N] ?`, `(Y)es/(N)o [Yes]: `.
    let head = text[..open].trim_end();
    let default = inside.trim_start_matches("default=").trim_start_matches("default: ");
    if head.ends_with([')', ']'])
        && let Some((earlier, end)) = last_group(head)
        && let Some(listed) = choices::listed(&format!("{} [{default}]", &head[earlier + 1..end]), text)
            .or_else(|| choices::words(&head[earlier + 1..end], Some(default), head))
    {
        return Some(Asked::new(&head[..earlier], listed, draft));
    }
    if let Some((start, listed)) = choices::embedded(head)
        && let Some(listed) = listed.with_default(default)
    {
        return Some(Asked::new(&head[..start], listed, draft));
    }
    let asks = text[close + 1..].trim_start().starts_with([':', '?', '>']) || head.ends_with([':', '?']);
    if asks && let Some(listed) = choices::words(inside, None, head) {
        return Some(Asked::new(head, listed, draft));
    }
    (choices::is_yes_or_no(inside) && head.ends_with('?'))
        .then(|| Asked::new(head, choices::plain_yes_no(Some(inside)), draft))
}

/// `Really delete everything, yes/no? `
fn in_words(text: &str) -> Option<Asked> {
    let lower = text.to_ascii_lowercase();
    ["yes/no", "yes|no", "y/n", "y|n", "ja/nein", "j/n", "yes or no", "y or n", "'y' or 'n'"].iter().find_map(|words| {
        let at = lower.rfind(words)?;
        let apart = at == 0 || text[..at].ends_with([' ', ',', '?', ':', '-']);
        let tail = &text[at + words.len()..];
        let ended = tail.is_empty() || tail.starts_with([' ', '?', ':', '.']);
        let draft = typed_word(tail).filter(|_| apart && ended)?;
        let title = text[..at].trim_end_matches([' ', ',', '-']);
        // `Enter y or n` asks with these words alone.
        let bare =
            ["enter", "type", "answer", "please enter", "please answer"].contains(&title.to_lowercase().as_str());
        let title = if bare { &text[..at + words.len()] } else { title };
        Some(Asked::new(title, choices::listed(&text[at..at + words.len()], text)?, draft))
    })
}

/// `Press 'y' to continue`, `Type "yes" to confirm: `, `Press y|Y for Yes, any other key for No: `
fn by_press(text: &str) -> Option<Asked> {
    let lower = text.to_ascii_lowercase();
    let (at, verb) = ["press ", "type ", "enter ", "hit "]
        .iter()
        .filter_map(|verb| lower.rfind(verb).map(|at| (at, verb)))
        .filter(|(at, _)| *at == 0 || lower[..*at].ends_with([' ', '(', '[']))
        .max_by_key(|(at, _)| *at)?;
    let rest = &text[at + verb.len()..];
    let quote = rest.chars().next().filter(|ch| "'\"`[<".contains(*ch));
    let word: String = rest.chars().skip(usize::from(quote.is_some())).take_while(|ch| ch.is_alphanumeric()).collect();
    let low = word.to_ascii_lowercase();
    let behind = rest[quote.map_or(0, char::len_utf8) + word.len()..].trim_start_matches(['\'', '"', '`', ']', '>']);
    let alternatives = behind.strip_prefix("|Y").or_else(|| behind.strip_prefix("/Y")).unwrap_or(behind);
    let goes_on = [" to ", " for yes", " if "].iter().any(|words| alternatives.to_lowercase().starts_with(words));
    let end = text.trim_end();
    let ended = end.ends_with([':', '?', '.', ')', ']']) || !end.contains(". ");
    if !(low == "y" || low == "yes") || !goes_on || !ended || text.len() > 120 {
        return None;
    }
    Some(Asked::new(text, choices::plain_yes_no(Some(&word)).without_default(), ""))
}

/// `[A]bort, [R]etry, [I]gnore? `
fn by_letters(text: &str) -> Option<Asked> {
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
    Some(Asked::new(title, listed, draft))
}

/// `rm: remove regular file 'x'? `, `Proceed? `, and what `xargs -p` and `find -ok` ask.
fn to_agree(text: &str) -> Option<Asked> {
    let end = text.trim_end();
    if let Some(command) = end.strip_suffix("?...").or_else(|| end.strip_prefix("< ")?.strip_suffix(" > ?")) {
        return Some(Asked::new(command, choices::plain_yes_no(None), ""));
    }
    let at = text.rfind("? ").or_else(|| text.ends_with('?').then(|| text.len() - 1))?;
    let draft = typed_word(&text[at + 1..]).filter(|draft| draft.is_empty() || choices::is_yes_or_no(draft))?;
    let title = &text[..=at];
    let (program, said) = match title.split_once(": ") {
        Some((program, said)) if !program.contains(' ') => (Some(program), said),
        _ => (None, title),
    };
    let body = said.rsplit_once(". ").map_or(said, |(_, body)| body).trim().to_lowercase();
    let body = body.trim_start_matches("? ");
    let asked = Asked::new(title, choices::plain_yes_no(None), draft);
    let confidence = if program.is_some() { Confidence::Likely } else { Confidence::Guess };
    CONFIRMING.iter().any(|words| body.starts_with(words)).then_some(Asked { confidence, ..asked })
}

/// What is typed behind a question: nothing or one word.
fn typed_word(tail: &str) -> Option<&str> {
    let word = tail.trim_start_matches(SEPARATORS).trim_end();
    (word.len() <= LONGEST_DRAFT && word.chars().all(char::is_alphanumeric)).then_some(word)
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

/// Whether the answer is a line or one key. Programs that echo single keys take one; a program that draws what is typed shows
/// whether it wants an Enter: then the letter stands behind the question.
fn build(live: &Live<'_>) -> &'static str {
    let Some(tty) = live.screen.tty.filter(|tty| !tty.canonical) else { return keys::LINE };
    let marked = live.before.contains(['›', '‣', '·', '»']);
    if tty.echo || marked { keys::KEY } else { keys::EDIT }
}
