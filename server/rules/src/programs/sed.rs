//! `sed`: its scripts can run programs (`e`) and write files (`w`).

use super::{has, operands};
use crate::{
    judgement::Floor,
    walk::{Arg, Walk},
};

pub(super) fn inspect(walk: &mut Walk, at: usize, args: &[Arg]) {
    let mut scripts: Vec<Arg> = Vec::new();
    let mut files: Vec<Arg> = Vec::new();
    let mut named = false;
    let mut index = 0;
    let mut in_place = false;
    while let Some(arg) = args.get(index) {
        let text = arg.text().to_owned();
        index += 1;
        if let Some(long) = text.strip_prefix("--") {
            let (name, value) = long.split_once('=').map_or((long, None), |(name, value)| (name, Some(value)));
            if name.len() >= 2 && "expression".starts_with(name) {
                named = true;
                match value {
                    Some(value) if arg.exact().is_some() => scripts.push(Arg::known(value)),
                    Some(_) => scripts.push(Arg::hole(&arg.shown, true)),
                    None => {
                        scripts.extend(args.get(index).cloned());
                        index += 1;
                    }
                }
            } else if name.len() >= 2 && "file".starts_with(name) {
                walk.unknown("sed takes its script from a file");
            } else if name.len() >= 2 && "in-place".starts_with(name) {
                in_place = true;
            } else if "line-length".starts_with(name) && value.is_none() {
                index += 1;
            }
        } else if text.len() > 1 && text.starts_with('-') {
            for (offset, letter) in text.char_indices().skip(1) {
                let rest = text[offset + 1..].to_owned();
                match letter {
                    'e' => {
                        named = true;
                        if rest.is_empty() {
                            scripts.extend(args.get(index).cloned());
                            index += 1;
                        } else {
                            scripts.push(if arg.exact().is_some() {
                                Arg::known(&rest)
                            } else {
                                Arg::hole(&arg.shown, true)
                            });
                        }
                        break;
                    }
                    'f' => {
                        walk.unknown("sed takes its script from a file");
                        if rest.is_empty() {
                            index += 1;
                        }
                        break;
                    }
                    'i' => {
                        in_place = true;
                        // BSD takes the next word as a suffix; either way it is no script that runs.
                        break;
                    }
                    'l' => {
                        index += usize::from(rest.is_empty());
                        break;
                    }
                    _ => {}
                }
            }
        } else {
            files.push(arg.clone());
        }
    }
    if in_place && files.first().is_some_and(|file| file.is("")) {
        // The empty suffix that BSD's sed wants.
        files.remove(0);
    }
    if !named && !files.is_empty() {
        scripts.push(files.remove(0));
    }
    for script in &scripts {
        match script.exact() {
            Some(text) => read_script(walk, at, text),
            None => walk.unknown("what sed does is only known when it runs"),
        }
    }
    if in_place || has(args, '\0', "in-place") {
        for file in operands(&files) {
            walk.write(&file, Some(at), &["-i", "--in-place"], "sed -i");
        }
        if files.is_empty() {
            walk.unknown("sed -i without a file");
        }
    }
}

/// Reads a script command by command; what is not known is asked.
fn read_script(walk: &mut Walk, at: usize, text: &str) {
    let chars: Vec<char> = text.chars().collect();
    let mut index = 0;
    while index < chars.len() {
        let each = chars[index];
        match each {
            ' ' | '\t' | '\n' | ';' | '{' | '}' | '!' | ',' | '+' | '~' | '$' | '0'..='9' => index += 1,
            '/' => index = after_delimiter(&chars, index + 1, '/'),
            '\\' => {
                let Some(delimiter) = chars.get(index + 1) else { return };
                index = after_delimiter(&chars, index + 2, *delimiter);
            }
            // Flags of an address.
            'I' | 'M' if index > 0 => index += 1,
            'r' | 'R' if crate::paths::is_secret(chars[index + 1..].iter().collect::<String>().trim()) => {
                walk.unknown("sed reads a file with secrets");
                return;
            }
            '#' | 'a' | 'i' | 'c' | ':' | 'b' | 't' | 'T' | 'r' | 'R' => {
                let ends: &[char] = if matches!(each, ':' | 'b' | 't' | 'T') { &[';', '\n', '}'] } else { &['\n'] };
                let mut end = index + 1;
                while end < chars.len() && !ends.contains(&chars[end]) {
                    // A continued line of text belongs to it.
                    end += if chars[end] == '\\' && matches!(each, 'a' | 'i' | 'c') { 2 } else { 1 };
                }
                index = end;
            }
            's' | 'y' => {
                let Some(delimiter) = chars.get(index + 1).copied() else { return };
                if delimiter == '\\' || delimiter == '\n' {
                    walk.unknown("a sed script that cannot be read");
                    return;
                }
                index = after_delimiter(&chars, index + 2, delimiter);
                index = after_delimiter(&chars, index, delimiter);
                while let Some(flag) = chars.get(index) {
                    match flag {
                        'e' if each == 's' => walk.floor(Floor::RunsProgram, "sed runs a program (s///e)"),
                        'w' if each == 's' => {
                            writes(walk, at, &chars[index + 1..]);
                            return;
                        }
                        'g' | 'p' | 'i' | 'I' | 'm' | 'M' | '0'..='9' => {}
                        _ => break,
                    }
                    index += 1;
                }
                if chars.get(index).is_some_and(|next| !matches!(next, ' ' | ';' | '\n' | '}' | '\t' | '#')) {
                    walk.unknown("a sed script that cannot be read");
                    return;
                }
            }
            'e' => {
                walk.floor(Floor::RunsProgram, "sed runs a program (e)");
                return;
            }
            'w' | 'W' => {
                writes(walk, at, &chars[index + 1..]);
                return;
            }
            'p' | 'd' | 'D' | 'P' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'x' | '=' | 'z' | 'F' | 'q' | 'Q' | 'l' => {
                index += 1
            }
            _ => {
                walk.unknown("a sed script that cannot be read");
                return;
            }
        }
    }
}

fn writes(walk: &mut Walk, at: usize, rest: &[char]) {
    let file: String = rest.iter().take_while(|each| **each != '\n').collect();
    walk.write(&Arg::known(file.trim()), Some(at), &[], "sed w");
    if rest.contains(&'\n') {
        walk.unknown("a sed script that cannot be read");
    }
}

fn after_delimiter(chars: &[char], from: usize, delimiter: char) -> usize {
    let mut index = from;
    while let Some(each) = chars.get(index) {
        match each {
            '\\' => index += 1,
            each if *each == delimiter => return index + 1,
            _ => {}
        }
        index += 1;
    }
    index
}
