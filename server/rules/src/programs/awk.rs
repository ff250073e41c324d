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
            '/' if begins_pattern(&code) => {
                index = after(&chars, index + 1, '/');
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

/// A slash begins a pattern unless something stands before it that can be divided.
fn begins_pattern(code: &str) -> bool {
    let last = code.trim_end_matches([' ', '\t']).chars().next_back();
    last.is_none_or(|last| !(last.is_ascii_alphanumeric() || matches!(last, '_' | ')' | ']' | '"' | '$' | '.')))
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
