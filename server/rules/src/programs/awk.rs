//! `awk`: its programs can run others (`system`, pipes) and write files.

use crate::{
    judgement::Floor,
    walk::{Arg, Walk},
};

pub(super) fn inspect(walk: &mut Walk, args: &[Arg]) {
    let mut index = 0;
    while let Some(arg) = args.get(index) {
        let text = arg.text().to_owned();
        match text.as_str() {
            "-F" | "-v" | "--field-separator" | "--assign" => index += 2,
            "--" => {
                index += 1;
                break;
            }
            _ if text.starts_with("-F")
                || text.starts_with("-v")
                || text.starts_with("--field-separator=")
                || text.starts_with("--assign=") =>
            {
                index += 1
            }
            "--version" | "--help" | "-V" | "-h" | "--posix" | "--re-interval" | "--csv" => index += 1,
            _ if text.starts_with('-') && text.len() > 1 => {
                walk.floor(Floor::RunsProgram, format!("awk {text} takes its program from elsewhere"));
                return;
            }
            _ => break,
        }
    }
    match args.get(index).map(Arg::exact) {
        Some(Some(text)) => program(walk, text),
        Some(None) => walk.unknown("what awk does is only known when it runs"),
        None => {}
    }
}

/// Looks through a program: texts and patterns are left out, what remains is looked at.
fn program(walk: &mut Walk, text: &str) {
    let chars: Vec<char> = text.chars().collect();
    let mut code = String::new();
    let mut index = 0;
    while let Some(each) = chars.get(index).copied() {
        match each {
            '"' => {
                index = after(&chars, index + 1, '"');
                code.push_str("\"\"");
            }
            '/' if code.trim_end().ends_with("++")
                || code.trim_end().ends_with("--")
                || hides_text(&code, &chars[index + 1..]) =>
            {
                // Divides, or begins a pattern: the one hides what the other shows.
                walk.unknown("an awk program that cannot be read");
                return;
            }
            '/' if begins_pattern(&code) => {
                let end = after(&chars, index + 1, '/').min(chars.len());
                if has_open_bracket(&chars[index + 1..(end - 1).max(index + 1)]) {
                    // Whether a slash in brackets ends the pattern depends on the awk.
                    walk.unknown("an awk program that cannot be read");
                    return;
                }
                index = end;
                code.push_str("//");
            }
            '#' => {
                while chars.get(index).is_some_and(|each| *each != '\n') {
                    index += 1;
                }
            }
            _ => {
                code.push(each);
                index += 1;
            }
        }
    }
    let word = |wanted: &str| {
        code.split(|each: char| !(each.is_ascii_alphanumeric() || each == '_')).any(|word| word == wanted)
    };
    if word("system") || word("getline") || code.contains('@') || code.replace("||", "").contains('|') {
        walk.floor(Floor::RunsProgram, "awk runs a program (system or a pipe)");
    }
    if prints_to_file(&code) {
        walk.unknown("awk writes to a file");
    }
}

/// After `if (x)` a slash begins a pattern, after `(x)` it divides. That matters when a quote comes before the next one.
fn hides_text(code: &str, rest: &[char]) -> bool {
    let next = rest.iter().position(|each| *each == '/');
    code.trim_end_matches([' ', '\t']).ends_with(')')
        && next.is_some_and(|next| rest[..next].iter().any(|each| matches!(each, '"' | '#')))
}

/// True when a bracket is open where the pattern seems to end.
fn has_open_bracket(pattern: &[char]) -> bool {
    let mut open = false;
    let mut index = 0;
    while let Some(each) = pattern.get(index) {
        match each {
            '\\' => index += 1,
            '[' if !open => {
                open = true;
                // A closing bracket in the first place is one of the characters.
                index += usize::from(pattern.get(index + 1) == Some(&'^'));
                index += usize::from(pattern.get(index + 1) == Some(&']'));
            }
            ']' => open = false,
            _ => {}
        }
        index += 1;
    }
    open
}

/// A slash begins a pattern unless something stands before it that can be divided.
fn begins_pattern(code: &str) -> bool {
    const BEFORE_PATTERNS: &[&str] = &["print", "printf", "return", "in", "else", "do", "case", "exit"];
    let code = code.trim_end_matches([' ', '\t']);
    let word = code.rsplit(|each: char| !(each.is_ascii_alphanumeric() || each == '_')).next().unwrap_or_default();
    if BEFORE_PATTERNS.contains(&word) {
        return true;
    }
    code.chars()
        .next_back()
        .is_none_or(|last| !(last.is_ascii_alphanumeric() || matches!(last, '_' | ')' | ']' | '"' | '$' | '.')))
}

fn after(chars: &[char], from: usize, end: char) -> usize {
    let mut index = from;
    while let Some(each) = chars.get(index) {
        if *each == '\\' {
            index += 1;
        } else if *each == end {
            return index + 1;
        }
        index += 1;
    }
    index
}

/// `print … > file`, in contrast to a comparison before or inside brackets.
fn prints_to_file(code: &str) -> bool {
    code.split(['\n', ';', '{', '}']).any(|statement| {
        let Some(at) = statement.find("print") else { return false };
        let mut depth = 0i32;
        statement[at..].chars().any(|each| {
            match each {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            each == '>' && depth <= 0
        })
    })
}
