//! Changes as CLIs draw them, rows with a number and a sign, written as a unified diff.

/// One row of a drawn change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The number drawn before it, where there is one. Removed lines carry the number they had, all others the one they will
    /// have.
    pub number: Option<u32>,
    /// `+`, `-`, or a blank for a line that stays.
    pub sign: char,
    /// The line itself.
    pub text: String,
    /// True when something drawn before it says that lines are left out.
    pub apart: bool,
}

/// Writes rows as hunks. Where the numbers jump, lines are left out and a new hunk begins. No line feed at the end.
#[must_use]
pub fn unified(changes: &[Change]) -> String {
    let mut lines: Vec<String> = Vec::new();
    // How many lines the file has grown by, hunk by hunk.
    let mut grown: i64 = 0;
    for hunk in hunks(changes) {
        let count = |other: char| hunk.iter().filter(|change| change.sign != other).count();
        let (old, new) = (count('+'), count('-'));
        let first = i64::from(hunk.first().and_then(|change| change.number).unwrap_or(1));
        let removes = hunk.first().is_some_and(|change| change.sign == '-');
        let (old_start, new_start) = if removes { (first, first + grown) } else { (first - grown, first) };
        // Where one side has no lines, its number is that of the line before.
        let old_start = (old_start - i64::from(old == 0)).max(0);
        let new_start = (new_start - i64::from(new == 0)).max(0);
        lines.push(format!("@@ -{old_start},{old} +{new_start},{new} @@"));
        lines.extend(hunk.iter().map(|change| format!("{}{}", change.sign, change.text)));
        grown += i64::try_from(new).unwrap_or(0) - i64::try_from(old).unwrap_or(0);
    }
    lines.join("\n")
}

fn hunks(changes: &[Change]) -> Vec<&[Change]> {
    /// The most lines that one hunk removes before it goes on with a lower number.
    const REMOVED: u32 = 200;
    let mut hunks = Vec::new();
    let mut begin = 0;
    // The numbers of the next line that is removed, and of the next that is not.
    let (mut old, mut new): (Option<u32>, Option<u32>) = (None, None);
    for (at, change) in changes.iter().enumerate() {
        let next = old.max(new);
        let jumps = change.number.zip(next).is_some_and(|(number, next)| number > next || number + REMOVED <= next);
        if at > begin && (change.apart || jumps) {
            hunks.push(&changes[begin..at]);
            (begin, old, new) = (at, None, None);
        }
        let behind = change.number.map(|number| number + 1);
        match change.sign {
            '-' => old = behind,
            '+' => new = behind,
            _ => (old, new) = (old.map(|old| old + 1), behind),
        }
    }
    if begin < changes.len() {
        hunks.push(&changes[begin..]);
    }
    hunks
}

#[cfg(test)]
mod tests {
    use super::{Change, unified};

    fn drawn(rows: &[(u32, char, &str)]) -> Vec<Change> {
        let change = |(number, sign, text): &(u32, char, &str)| Change {
            number: Some(*number),
            sign: *sign,
            text: (*text).to_owned(),
            apart: false,
        };
        rows.iter().map(change).collect()
    }

    #[test]
    fn a_new_file_has_no_old_lines() {
        assert_eq!(unified(&drawn(&[(1, '+', "a"), (2, '+', "b")])), "@@ -0,0 +1,2 @@\n+a\n+b");
        let lines = Change { number: None, sign: '+', text: "a".to_owned(), apart: false };
        assert_eq!(unified(&[lines]), "@@ -0,0 +1,1 @@\n+a");
    }

    #[test]
    fn a_deleted_file_has_no_new_lines() {
        assert_eq!(unified(&drawn(&[(1, '-', "a"), (2, '-', "b")])), "@@ -1,2 +0,0 @@\n-a\n-b");
    }

    #[test]
    fn a_hunk_that_shrinks_stays_one() {
        let rows = [(4, '-', "a"), (5, '-', "b"), (6, '-', "c"), (4, ' ', "d"), (8, '-', "e"), (5, ' ', "f")];
        assert_eq!(unified(&drawn(&rows)), "@@ -4,6 +4,2 @@\n-a\n-b\n-c\n d\n-e\n f");
    }

    #[test]
    fn a_jump_in_the_numbers_begins_a_hunk_that_knows_how_far_the_file_has_grown() {
        let rows = [(1, ' ', "a"), (2, '+', "b"), (9, ' ', "c"), (9, '-', "d")];
        assert_eq!(unified(&drawn(&rows)), "@@ -1,1 +1,2 @@\n a\n+b\n@@ -8,2 +9,1 @@\n c\n-d");
    }

    #[test]
    fn what_is_drawn_apart_begins_a_hunk() {
        let mut rows = drawn(&[(1, '+', "a"), (2, '+', "b")]);
        rows[1].apart = true;
        assert_eq!(unified(&rows), "@@ -0,0 +1,1 @@\n+a\n@@ -0,0 +2,1 @@\n+b");
    }
}
