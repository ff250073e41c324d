//! Prompts of shells and interpreters: the places where a command is typed, which is this adapter's chat.

use super::live::Live;
use crate::Composer;

/// No prompt of a shell is longer; longer texts before a sign are output.
const LONGEST_HEAD: usize = 120;

/// A prompt that says whose it is, such as `me@box:~$`, `sqlite>` or `>>>`.
pub(super) fn plain(live: &Live<'_>) -> Option<Composer> {
    composer(live).filter(|(_, sign)| *sign == Sign::Plain).map(|(composer, _)| composer)
}

/// A mere `>` or `❯`, which a question may use as well.
pub(super) fn bare(live: &Live<'_>) -> Option<Composer> {
    composer(live).map(|(composer, _)| composer)
}

/// True when a line begins with a shell's prompt: it is a command that was typed, not what a program says.
pub(super) fn is_prompt(text: &str) -> bool {
    // The blank behind a prompt is lost where a row ends with it.
    matches!(split(&format!("{text} ")), Some((_, Sign::Plain)))
}

/// How much a prompt says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sign {
    Plain,
    Bare,
}

fn composer(live: &Live<'_>) -> Option<(Composer, Sign)> {
    if live.screen.alternate || !live.screen.cursor.visible || live.below {
        return None;
    }
    let (draft, sign) = split(&live.before)?;
    let draft = format!("{draft}{}", live.after);
    Some((Composer { draft: draft.trim().to_owned(), ..Composer::default() }, sign))
}

/// What stands behind the first prompt a line begins with.
fn split(text: &str) -> Option<(&str, Sign)> {
    for prompt in [">>> ", "... "] {
        if let Some(draft) = text.strip_prefix(prompt) {
            return Some((draft, Sign::Plain));
        }
    }
    if let Some(draft) = notebook(text).or_else(|| debugger(text)) {
        return Some((draft, Sign::Plain));
    }
    text.char_indices()
        .take_while(|(at, _)| *at <= LONGEST_HEAD)
        .filter(|(at, ch)| text[at + ch.len_utf8()..].starts_with(' '))
        .find_map(|(at, ch)| sign(&text[..at], ch).map(|sign| (&text[at + ch.len_utf8() + 1..], sign)))
}

/// Whether a head and the character behind it are a prompt.
fn sign(head: &str, ch: char) -> Option<Sign> {
    let word = head.trim();
    let one_word = !word.contains(char::is_whitespace) && head == head.trim_end();
    let bracketed = word.starts_with('[') && word.ends_with(']') && !word.contains("] ");
    let begins_place = word.contains('@') || word.starts_with(['~', '/']);
    let names_place = begins_place || word.contains('~') || word.contains(":/") || bracketed;
    match ch {
        '$' | '#' if word.is_empty() => Some(Sign::Plain),
        '%' | '❯' | '❮' | '➜' | 'λ' | '»' | '>' if word.is_empty() => Some(Sign::Bare),
        _ if word.contains(['?', '"', '\'', '<', '!']) => None,
        '$' | '#' if one_word => is_name(word).then_some(Sign::Plain),
        '%' if one_word => (is_name(word) && !word.ends_with(|ch: char| ch.is_ascii_digit())).then_some(Sign::Plain),
        '>' if one_word => {
            let continues = word.ends_with('-') || word.ends_with("...");
            (continues || is_name(word)).then_some(Sign::Plain)
        }
        '>' if word.starts_with("PS ") || word.starts_with("MariaDB [") || word.starts_with("redis ") => {
            Some(Sign::Plain)
        }
        '>' if begins_place => Some(Sign::Plain),
        '$' | '#' | '%' | '❯' | '➜' | 'λ' if names_place => Some(Sign::Plain),
        _ => None,
    }
}

/// A host, path, program or database: what shells and interpreters put before their sign.
fn is_name(word: &str) -> bool {
    word.chars().any(char::is_alphanumeric)
        && word.chars().all(|ch| ch.is_alphanumeric() || "@:~/.-_()[]=*+\\".contains(ch))
}

/// `In [3]: ` and its continuation.
fn notebook(text: &str) -> Option<&str> {
    if let Some(draft) = text.trim_start().strip_prefix("...: ") {
        return Some(draft);
    }
    let (count, draft) = text.strip_prefix("In [")?.split_once("]: ")?;
    count.chars().all(|ch| ch.is_ascii_digit()).then_some(draft)
}

/// `(gdb) `, `(Pdb) `, `(lldb) ` and the like.
fn debugger(text: &str) -> Option<&str> {
    let (name, draft) = text.strip_prefix('(')?.split_once(") ")?;
    let known = name.ends_with("db") || ["dlv", "rr", "bashdb", "Pdb++"].contains(&name);
    (known && name.chars().all(|ch| ch.is_alphanumeric() || ch == '+')).then_some(draft)
}
