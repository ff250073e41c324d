//! One word of a command line: quotes come off, substitutions are read as commands of their own.

use super::{DEPTH_LIMIT, Pipeline, Reader, Word};

impl Reader {
    pub(super) fn word(&mut self) -> Word {
        let mut word = Word::default();
        while let Some(next) = self.peek() {
            match next {
                '<' | '>' if self.chars.get(self.at + 1) == Some(&'(') => {
                    self.at += 1;
                    self.substitution(&mut word.text, &mut word.inner);
                }
                ' ' | '\t' | '\r' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')' => break,
                '\'' => {
                    word.quoted = true;
                    self.at += 1;
                    while let Some(each) = self.peek().filter(|each| *each != '\'') {
                        word.text.push(each);
                        self.at += 1;
                    }
                    self.at += 1;
                }
                '"' => {
                    word.quoted = true;
                    self.at += 1;
                    let mut inner = std::mem::take(&mut word.inner);
                    self.double_quoted(&mut word, &mut inner);
                    word.inner = inner;
                }
                '\\' => {
                    self.at += 1;
                    if let Some(each) = self.peek().filter(|each| *each != '\n') {
                        word.text.push(each);
                        word.quoted = true;
                    }
                    self.at += 1;
                }
                '$' if self.starts_with("$'") => {
                    word.quoted = true;
                    self.at += 2;
                    self.ansi_quoted(&mut word.text);
                }
                '$' | '`' => self.expansion(&mut word.text, &mut word.inner),
                _ => {
                    word.text.push(next);
                    self.at += 1;
                }
            }
        }
        self.at = self.at.min(self.chars.len());
        word
    }

    /// Up to the closing double quote.
    pub(super) fn double_quoted(&mut self, word: &mut Word, inner: &mut Vec<Pipeline>) {
        while let Some(next) = self.peek() {
            match next {
                '"' => {
                    self.at += 1;
                    return;
                }
                '\\' => {
                    let escaped = self.chars.get(self.at + 1).copied();
                    match escaped {
                        Some('\n') => {}
                        Some(each @ ('$' | '`' | '"' | '\\')) => word.text.push(each),
                        Some(each) => word.text.extend(['\\', each]),
                        None => {}
                    }
                    self.at += 2;
                }
                '$' | '`' => self.expansion(&mut word.text, inner),
                _ => {
                    word.text.push(next);
                    self.at += 1;
                }
            }
        }
    }

    /// A variable, `$(…)`, `${…}` or backticks.
    fn expansion(&mut self, text: &mut String, inner: &mut Vec<Pipeline>) {
        if self.peek() == Some('`') {
            return self.backticks(text, inner);
        }
        self.at += 1;
        match self.peek() {
            Some('(') => self.substitution(text, inner),
            Some('{') => {
                text.push('$');
                while let Some(next) = self.peek() {
                    if next == '$' && self.chars.get(self.at + 1) == Some(&'(') || next == '`' {
                        self.expansion(text, inner);
                        continue;
                    }
                    text.push(next);
                    self.at += 1;
                    if next == '}' {
                        return;
                    }
                }
            }
            _ => text.push('$'),
        }
    }

    /// The commands in brackets; the reader stands at the opening one.
    fn substitution(&mut self, text: &mut String, inner: &mut Vec<Pipeline>) {
        self.at += 1;
        text.push_str("$()");
        if self.depth < DEPTH_LIMIT {
            inner.extend(self.list(Some(')')));
        }
    }

    fn backticks(&mut self, text: &mut String, inner: &mut Vec<Pipeline>) {
        self.at += 1;
        let mut inside = String::new();
        while let Some(next) = self.peek() {
            self.at += 1;
            match next {
                '`' => break,
                '\\' => {
                    inside.extend(self.peek());
                    self.at += 1;
                }
                _ => inside.push(next),
            }
        }
        text.push_str("$()");
        if self.depth < DEPTH_LIMIT {
            let mut reader = Reader { chars: inside.chars().collect(), at: 0, depth: self.depth, here: None };
            inner.extend(reader.list(None));
        }
    }

    /// `$'…'`, where a letter can be written as a number.
    fn ansi_quoted(&mut self, text: &mut String) {
        while let Some(next) = self.peek() {
            self.at += 1;
            match next {
                '\'' => return,
                '\\' => {
                    let Some(escaped) = self.peek() else { return };
                    self.at += 1;
                    match escaped {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'x' => text.extend(self.number(16, 2)),
                        'u' => text.extend(self.number(16, 4)),
                        '0'..='7' => {
                            self.at -= 1;
                            text.extend(self.number(8, 3));
                        }
                        other => text.push(other),
                    }
                }
                _ => text.push(next),
            }
        }
    }

    fn number(&mut self, radix: u32, most: usize) -> Option<char> {
        let mut value = 0;
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|each| each.to_digit(radix)) else { break };
            value = value * radix + digit;
            self.at += 1;
        }
        char::from_u32(value)
    }
}
