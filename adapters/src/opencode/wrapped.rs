//! Rows that were one text before they were wrapped.

/// Behind these a row may be broken; the sign stays at the end of its row. Behind a blank it may be as well, which is then not seen.
const BREAKS: &[char] = &['-', '/', '\\', '.', ',', ';', ':', '!', '?', '(', ')', '[', ']', '{', '}'];
/// Signs that are seldom followed by a blank.
const TIGHT: &[char] = &['-', '/', '\\', '.', '(', '[', ':', '{'];

/// A text as it was before it was wrapped.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Unwrapped {
    /// The text.
    pub(super) text: String,
    /// False where nobody can tell from the rows whether a blank stood between two of them.
    pub(super) sure: bool,
}

/// Joins rows of a text that was wrapped to this width. A row whose next word would have fit ends a line of the text.
pub(super) fn join(rows: &[String], width: usize) -> Unwrapped {
    let mut whole = Unwrapped { text: String::new(), sure: true };
    for (at, row) in rows.iter().enumerate() {
        if let Some(before) = at.checked_sub(1).and_then(|before| rows.get(before)) {
            let length = before.chars().count();
            let last = before.chars().last().unwrap_or(' ');
            if length + 1 + first_part(row) <= width || before.is_empty() || row.is_empty() {
                whole.text.push('\n');
            } else if BREAKS.contains(&last) {
                whole.sure = false;
                if !TIGHT.contains(&last) {
                    whole.text.push(' ');
                }
            } else if last_part(before) + first_part(row) <= width {
                whole.text.push(' ');
            }
            // Else a word that is longer than a row goes on.
        }
        whole.text.push_str(row);
    }
    whole
}

/// How many columns the first part of a row takes that could not have been broken, a blank behind it included.
fn first_part(row: &str) -> usize {
    let end = row.chars().position(|ch| ch == ' ' || BREAKS.contains(&ch));
    end.map_or(row.chars().count(), |end| end + 1)
}

/// How many columns the last part of a row takes.
fn last_part(row: &str) -> usize {
    row.chars().rev().take_while(|ch| *ch != ' ' && !BREAKS.contains(ch)).count()
}

#[cfg(test)]
mod tests {
    use super::join;

    fn joined(rows: &[&str], width: usize) -> (String, bool) {
        let whole = join(&rows.iter().map(|row| (*row).to_owned()).collect::<Vec<_>>(), width);
        (whole.text, whole.sure)
    }

    #[test]
    fn a_row_that_was_broken_at_a_blank_is_joined_with_one() {
        let rows = ["| sort | uniq -c | sort -rn | head >", "report.txt"];
        assert_eq!(joined(&rows, 36), ("| sort | uniq -c | sort -rn | head > report.txt".to_owned(), true));
    }

    #[test]
    fn a_row_with_room_for_the_next_word_ends_a_line() {
        assert_eq!(joined(&["echo one", "echo two"], 36), ("echo one\necho two".to_owned(), true));
    }

    #[test]
    fn a_row_that_may_be_broken_behind_a_sign_is_not_sure() {
        let rows = ["find . -type f -name '*.ts' -not -", "path './dist/*'"];
        assert_eq!(joined(&rows, 36), ("find . -type f -name '*.ts' -not -path './dist/*'".to_owned(), false));
    }
}
