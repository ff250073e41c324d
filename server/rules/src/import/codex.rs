//! Codex: `prefix_rule(pattern = […], decision = "…")` in a file of its policy language.

use super::{Imported, prefix_rule};
use crate::judgement::Verdict;

const NOTE: &str = "imported from Codex";
/// More combinations of alternatives than this are not written out.
const MOST: usize = 64;

pub(super) fn import(text: &str) -> Imported {
    let mut imported = Imported::default();
    let mut reader = Reader { chars: text.chars().collect(), at: 0 };
    let mut stricter_is_missing = false;
    while let Some((name, start)) = reader.next_call() {
        let before = imported.left_out.len();
        let stands_alone = reader.begins_line(start);
        match reader.arguments() {
            Some(_) if name == "prefix_rule" && !stands_alone => {
                imported.leave_out(reader.since(start), "it is part of something that may not run");
            }
            Some(arguments) if name == "prefix_rule" => rule(&mut imported, &reader.since(start), &arguments),
            Some(_) => imported.leave_out(reader.since(start), format!("{name} has no counterpart here")),
            None => {
                reader.skip_line();
                imported.leave_out(reader.since(start), "it is more than a plain list of texts");
            }
        }
        let strict = |text: &str| ["forbidden", "prompt"].iter().any(|word| text.contains(word));
        stricter_is_missing |= imported.left_out[before..].iter().any(|left| strict(&left.text));
    }
    if stricter_is_missing {
        imported.leave_out_allowed(|_| true);
    }
    imported
}

fn rule(imported: &mut Imported, original: &str, arguments: &[(String, Item)]) {
    let find = |name: &str| arguments.iter().find(|(key, _)| key == name).map(|(_, item)| item);
    const KNOWN: &[&str] = &["pattern", "decision", "match", "not_match", "justification"];
    if let Some((key, _)) = arguments.iter().find(|(key, _)| !KNOWN.contains(&key.as_str())) {
        // A condition that is dropped makes an allow wider.
        return imported.leave_out(original, format!("{key} has no counterpart here"));
    }
    let verdict = match find("decision") {
        None => Verdict::Allow,
        Some(Item::Text(text)) if text == "allow" => Verdict::Allow,
        Some(Item::Text(text)) if text == "prompt" => Verdict::Ask,
        Some(Item::Text(text)) if text == "forbidden" => Verdict::Deny,
        Some(_) => return imported.leave_out(original, "its decision is not known"),
    };
    let Some(Item::List(pattern)) = find("pattern") else { return imported.leave_out(original, "it has no pattern") };
    let mut lines: Vec<Vec<String>> = vec![Vec::new()];
    for item in pattern {
        let choices = match item {
            Item::Text(text) => vec![text.clone()],
            Item::List(items) => items
                .iter()
                .filter_map(|item| if let Item::Text(text) = item { Some(text.clone()) } else { None })
                .collect(),
        };
        lines = lines
            .iter()
            .flat_map(|line| choices.iter().map(move |choice| [line.as_slice(), std::slice::from_ref(choice)].concat()))
            .collect();
        if lines.len() > MOST {
            return imported.leave_out(original, "it has too many alternatives");
        }
    }
    let message = if let Some(Item::Text(text)) = find("justification") { Some(text.clone()) } else { None };
    for line in lines.iter().filter(|line| !line.is_empty()) {
        if let Some(rule) = imported.add(verdict, &prefix_rule(line), original, NOTE) {
            rule.message.clone_from(&message);
        }
    }
}

/// A text, or a list of texts and lists.
enum Item {
    Text(String),
    List(Vec<Item>),
}

struct Reader {
    chars: Vec<char>,
    at: usize,
}

impl Reader {
    fn since(&self, start: usize) -> String {
        let text: String = self.chars[start..self.at.min(self.chars.len())].iter().collect();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn skip_line(&mut self) {
        while self.chars.get(self.at).is_some_and(|each| *each != '\n') {
            self.at += 1;
        }
    }

    fn blanks(&mut self) {
        while let Some(each) = self.chars.get(self.at) {
            match each {
                '#' => self.skip_line(),
                each if each.is_whitespace() => self.at += 1,
                _ => return,
            }
        }
    }

    /// True for what stands at the beginning of its line: nothing decides whether it runs.
    fn begins_line(&self, start: usize) -> bool {
        start == 0 || self.chars.get(start - 1) == Some(&'\n')
    }

    /// Passes over a text that is no argument, such as a description in three quotes.
    fn skip_text(&mut self, quote: char) {
        let three = [quote; 3];
        let ends: &[char] = if self.chars[self.at..].starts_with(&three) { &three } else { &three[..1] };
        self.at += ends.len();
        while self.at < self.chars.len() && !self.chars[self.at..].starts_with(ends) {
            self.at += if self.chars[self.at] == '\\' { 2 } else { 1 };
        }
        self.at = (self.at + ends.len()).min(self.chars.len());
    }

    /// The next `name(`, and where it began.
    fn next_call(&mut self) -> Option<(String, usize)> {
        loop {
            self.blanks();
            if let Some(quote @ ('"' | '\'')) = self.chars.get(self.at).copied() {
                self.skip_text(quote);
                continue;
            }
            let start = self.at;
            let name = self.name();
            self.blanks();
            match self.chars.get(self.at)? {
                '(' if !name.is_empty() => {
                    self.at += 1;
                    return Some((name, start));
                }
                _ => self.at = (start + name.chars().count()).max(start + 1),
            }
        }
    }

    fn name(&mut self) -> String {
        let name: String =
            self.chars[self.at..].iter().take_while(|each| each.is_alphanumeric() || **each == '_').collect();
        self.at += name.chars().count();
        name
    }

    /// `key = value, …)`; nothing when it is anything else.
    fn arguments(&mut self) -> Option<Vec<(String, Item)>> {
        let mut arguments = Vec::new();
        loop {
            self.blanks();
            if self.take(')') {
                return Some(arguments);
            }
            let key = self.name();
            self.blanks();
            if key.is_empty() || !self.take('=') {
                return None;
            }
            arguments.push((key, self.item(0)?));
            self.blanks();
            if !self.take(',') && self.chars.get(self.at) != Some(&')') {
                return None;
            }
        }
    }

    fn take(&mut self, wanted: char) -> bool {
        let found = self.chars.get(self.at) == Some(&wanted);
        self.at += usize::from(found);
        found
    }

    fn item(&mut self, depth: usize) -> Option<Item> {
        self.blanks();
        let quote = *self.chars.get(self.at)?;
        self.at += 1;
        match quote {
            '"' | '\'' => {
                let mut text = String::new();
                loop {
                    let each = *self.chars.get(self.at)?;
                    self.at += 1;
                    match each {
                        each if each == quote => return Some(Item::Text(text)),
                        '\\' => {
                            let escaped = *self.chars.get(self.at)?;
                            self.at += 1;
                            text.push(match escaped {
                                'n' => '\n',
                                't' => '\t',
                                other => other,
                            });
                        }
                        '\n' => return None,
                        other => text.push(other),
                    }
                }
            }
            '[' if depth < 3 => {
                let mut items = Vec::new();
                loop {
                    self.blanks();
                    if self.take(']') {
                        return Some(Item::List(items));
                    }
                    items.push(self.item(depth + 1)?);
                    self.blanks();
                    if !self.take(',') && self.chars.get(self.at) != Some(&']') {
                        return None;
                    }
                }
            }
            _ => None,
        }
    }
}
