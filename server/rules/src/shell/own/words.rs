//! One word: quotes come off, expansions are read.

use super::{Reader, commands::is_break};
use crate::shell::ast::{Part, Word};

impl Reader {
    /// The word that begins here; empty when none does.
    pub(super) fn word(&mut self) -> Word {
        self.count(1);
        let mut word = Word::default();
        while let Some(next) = self.peek() {
            match next {
                '<' | '>' if self.peek_at(1) == Some('(') => {
                    self.at += 2;
                    let script = self.substitution();
                    word.parts.push(Part::Process { script });
                }
                _ if is_break(next) => break,
                '\'' => {
                    self.at += 1;
                    let rest = &self.chars[self.at..];
                    let length = rest.iter().position(|each| *each == '\'');
                    let text: String = rest[..length.unwrap_or(rest.len())].iter().collect();
                    if length.is_none() {
                        self.problem("a quote is not closed");
                    }
                    self.at = (self.at + text.chars().count() + 1).min(self.chars.len());
                    word.push_text(&text, true);
                }
                '"' => {
                    self.at += 1;
                    word.push_text("", true);
                    self.double_quoted(&mut word);
                }
                '\\' => {
                    match self.peek_at(1) {
                        Some('\n') => self.joined_line(),
                        Some(each) => word.push_text(each.encode_utf8(&mut [0; 4]), true),
                        None => self.problem("a backslash at the end"),
                    }
                    self.at = (self.at + 2).min(self.chars.len());
                }
                '$' if self.peek_at(1) == Some('\'') => {
                    self.at += 2;
                    let text = self.ansi_quoted();
                    word.push_text(&text, true);
                }
                '$' if self.peek_at(1) == Some('"') => {
                    self.problem("a translated text");
                    self.at += 1;
                }
                '$' | '`' => self.expansion(&mut word, false),
                _ => {
                    word.push_text(next.encode_utf8(&mut [0; 4]), false);
                    self.at += 1;
                }
            }
        }
        word.tidy();
        word
    }

    /// Up to the closing double quote.
    fn double_quoted(&mut self, word: &mut Word) {
        while let Some(next) = self.peek() {
            match next {
                '"' => {
                    self.at += 1;
                    return;
                }
                '\\' => {
                    match self.peek_at(1) {
                        Some('\n') => self.joined_line(),
                        Some(each @ ('$' | '`' | '"' | '\\')) => word.push_text(each.encode_utf8(&mut [0; 4]), true),
                        Some(each) => word.push_text(&format!("\\{each}"), true),
                        None => {}
                    }
                    self.at += 2;
                }
                '$' | '`' => self.expansion(word, true),
                _ => {
                    word.push_text(next.encode_utf8(&mut [0; 4]), true);
                    self.at += 1;
                }
            }
        }
        self.at = self.chars.len();
        self.problem("a quote is not closed");
    }

    /// The text of a here-document whose end was not quoted: expansions count, quotes do not.
    pub(super) fn here_text(&mut self, text: &str, word: &mut Word) {
        let mut inside = Reader::new(text.chars().collect(), self.depth);
        inside.nodes = self.nodes;
        word.push_text("", true);
        while let Some(next) = inside.peek() {
            match next {
                '\\' => {
                    match inside.peek_at(1) {
                        Some('\n') => inside.joined_line(),
                        Some(each @ ('$' | '`' | '\\')) => word.push_text(each.encode_utf8(&mut [0; 4]), true),
                        Some(each) => word.push_text(&format!("\\{each}"), true),
                        None => {}
                    }
                    inside.at += 2;
                }
                '$' | '`' => inside.expansion(word, true),
                _ => {
                    word.push_text(next.encode_utf8(&mut [0; 4]), true);
                    inside.at += 1;
                }
            }
        }
        self.nodes = inside.nodes;
        for problem in inside.problems {
            self.problem(problem);
        }
    }

    /// `$'…'`, where a letter can be written as a number.
    fn ansi_quoted(&mut self) -> String {
        let mut text = String::new();
        while let Some(next) = self.peek() {
            self.at += 1;
            match next {
                '\'' => return text,
                '\\' => {
                    let Some(escaped) = self.peek() else { break };
                    self.at += 1;
                    match escaped {
                        'n' => text.push('\n'),
                        't' => text.push('\t'),
                        'r' => text.push('\r'),
                        'a' => text.push('\x07'),
                        'b' => text.push('\x08'),
                        'e' | 'E' => text.push('\x1b'),
                        'f' => text.push('\x0c'),
                        'v' => text.push('\x0b'),
                        '\\' | '\'' | '"' | '?' => text.push(escaped),
                        'x' => self.number(16, 2, &mut text),
                        'u' => self.number(16, 4, &mut text),
                        'U' => self.number(16, 8, &mut text),
                        '0'..='7' => {
                            self.at -= 1;
                            self.number(8, 3, &mut text);
                        }
                        other => {
                            self.problem("an unusual escape");
                            text.extend(['\\', other]);
                        }
                    }
                }
                _ => text.push(next),
            }
        }
        self.problem("a quote is not closed");
        text
    }

    fn number(&mut self, radix: u32, most: usize, text: &mut String) {
        let mut value = 0;
        let mut digits = 0;
        while digits < most {
            let Some(digit) = self.peek().and_then(|each| each.to_digit(radix)) else { break };
            value = value * radix + digit;
            digits += 1;
            self.at += 1;
        }
        match char::from_u32(value) {
            // Bytes above 127 are put together by the shell, and a zero ends the text there.
            Some(each) if digits > 0 && value > 0 && value < 128 => text.push(each),
            Some(each) if digits > 0 && value >= 128 => {
                self.problem("a letter is written as a number");
                text.push(each);
            }
            _ => self.problem("an unusual escape"),
        }
    }
}
