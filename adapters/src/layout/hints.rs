//! Key hints: the key that chooses an option, written behind its label.

/// Splits a key in brackets off the end of a label: `No (esc)` is `No` and `esc`.
#[must_use]
pub fn split_hint(label: &str) -> (&str, Option<&str>) {
    let split = label.strip_suffix(')').and_then(|rest| rest.rsplit_once('('));
    let hint = split.map(|(words, key)| (words.trim_end(), key));
    hint.filter(|(words, key)| !words.is_empty() && is_key(key))
        .map_or((label, None), |(words, key)| (words, Some(key)))
}

/// True for what a terminal program writes for a key: `y`, `esc`, `shift+tab`, `ctrl-g`, `^c`, `f2`.
#[must_use]
pub fn is_key(word: &str) -> bool {
    let word = word.trim().to_lowercase();
    let mut parts = word.split(['+', '-', '^', ' ']).filter(|part| !part.is_empty()).rev();
    let Some(last) = parts.next() else { return false };
    let function = last.strip_prefix('f').is_some_and(|number| number.parse::<u8>().is_ok());
    let single = last.chars().count() == 1 && last.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '?');
    let held = parts.all(|part| matches!(part, "ctrl" | "shift" | "alt" | "cmd" | "option" | "meta" | "⌥" | "⇧"));
    held && (is_named_key(last) || function || single)
}

/// True for a key that is written as a word of its own.
#[must_use]
pub fn is_named_key(word: &str) -> bool {
    matches!(word, "esc" | "escape" | "enter" | "return" | "tab" | "space" | "backspace" | "del" | "delete")
}

#[cfg(test)]
mod tests {
    use super::split_hint;

    #[test]
    fn a_key_is_split_off_and_nothing_else() {
        let table = [
            ("Yes, proceed (y)", ("Yes, proceed", Some("y"))),
            ("No, suggest changes (esc)", ("No, suggest changes", Some("esc"))),
            ("Yes, allow all edits (shift+tab)", ("Yes, allow all edits", Some("shift+tab"))),
            ("Edit (ctrl-g)", ("Edit", Some("ctrl-g"))),
            ("Rename (F2)", ("Rename", Some("F2"))),
            ("PostgreSQL (Recommended)", ("PostgreSQL (Recommended)", None)),
            ("Ask for approval (current)", ("Ask for approval (current)", None)),
            ("Trust folder (proj)", ("Trust folder (proj)", None)),
            ("(esc)", ("(esc)", None)),
            ("Yes", ("Yes", None)),
        ];
        for (label, wanted) in table {
            assert_eq!(split_hint(label), wanted, "{label}");
        }
    }
}
