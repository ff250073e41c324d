//! Variables, `$(…)`, `${…}`, `$((…))` and backquotes.

use super::Reader;
use crate::shell::{
    DEPTH_LIMIT, TOO_DEEP,
    ast::{Part, Script, Word, is_name},
};

impl Reader {
    /// What begins with `$` or a backquote.
    pub(super) fn expansion(&mut self, word: &mut Word, quoted: bool) {
        self.count(1);
        if self.depth >= DEPTH_LIMIT {
            self.problem(TOO_DEEP);
            self.at = self.chars.len();
            return;
        }
        self.depth += 1;
        self.expand(word, quoted);
        self.depth -= 1;
    }

    fn expand(&mut self, word: &mut Word, quoted: bool) {
        if self.peek() == Some('`') {
            let script = self.backquotes(quoted);
            word.parts.push(Part::Command { script, quoted });
            return;
        }
        match self.peek_at(1) {
            Some('(') if self.peek_at(2) == Some('(') && self.arithmetic(word, quoted) => {}
            Some('(') => {
                self.at += 2;
                let script = self.substitution();
                word.parts.push(Part::Command { script, quoted });
            }
            Some('{') => self.braced(word, quoted),
            Some('[') => {
                self.problem("arithmetic of an old form");
                self.at += 2;
            }
            Some(first) if first.is_ascii_alphabetic() || first == '_' => {
                self.at += 1;
                let rest = &self.chars[self.at..];
                let name: String =
                    rest.iter().take_while(|each| each.is_ascii_alphanumeric() || **each == '_').collect();
                self.at += name.len();
                word.parts.push(Part::Variable { name, rest: String::new(), quoted });
            }
            Some(special @ ('0'..='9' | '@' | '*' | '#' | '?' | '$' | '!' | '-')) => {
                self.at += 2;
                word.parts.push(Part::Variable { name: special.to_string(), rest: String::new(), quoted });
            }
            Some('\\') if self.peek_at(2) == Some('\n') => {
                self.problem("a continued line splits an operator");
                self.at += 1;
            }
            _ => {
                word.push_text("$", quoted);
                self.at += 1;
            }
        }
    }

    /// The commands up to the closing bracket, which is taken.
    pub(super) fn substitution(&mut self) -> Script {
        let mut script = self.list(&[]);
        while self.starts_with(";;") {
            self.problem("a separator without a case");
            self.at += 2;
            script.extend(self.list(&[]));
        }
        if self.peek() == Some(')') {
            self.at += 1;
        } else {
            self.problem("a substitution is not closed");
        }
        if !self.pending.is_empty() {
            self.problem("a here-document has no end");
        }
        script
    }

    fn backquotes(&mut self, quoted: bool) -> Script {
        self.at += 1;
        let mut inside = Vec::new();
        loop {
            let Some(next) = self.peek() else {
                self.problem("a quote is not closed");
                break;
            };
            self.at += 1;
            match (next, self.peek()) {
                ('`', _) => break,
                ('\\', Some(each @ ('$' | '`' | '\\'))) => {
                    inside.push(each);
                    self.at += 1;
                }
                ('\\', Some('"')) if quoted => {
                    inside.push('"');
                    self.at += 1;
                }
                _ => inside.push(next),
            }
        }
        self.inside(inside)
    }

    /// `$((…))`; false when it is a substitution that begins with a subshell.
    fn arithmetic(&mut self, word: &mut Word, quoted: bool) -> bool {
        let start = self.at + 3;
        let mut open = 0usize;
        let mut end = None;
        for (offset, each) in self.chars[start..].iter().enumerate() {
            match each {
                '(' => open += 1,
                ')' if open > 0 => open -= 1,
                ')' => {
                    end = Some(start + offset);
                    break;
                }
                _ => {}
            }
        }
        let Some(end) = end.filter(|end| self.chars.get(end + 1) == Some(&')')) else { return false };
        let text: String = self.chars[start..end].iter().collect();
        self.at = end + 2;
        let mut names = Vec::new();
        let plain = |each: char| each.is_ascii_alphanumeric() || " \t_+-*/%()<>=!&|?:,~^".contains(each);
        if text.chars().all(plain) {
            for token in text.split(|each: char| !(each.is_ascii_alphanumeric() || each == '_')) {
                if is_name(token) {
                    names.push(token.to_owned());
                }
            }
        } else {
            self.problem("arithmetic that is not plain");
            // Whatever it runs is listed.
            let mut inner = Word::default();
            self.here_text(&text, &mut inner);
            word.parts.extend(inner.parts.into_iter().filter(|part| !matches!(part, Part::Text { .. })));
        }
        word.parts.push(Part::Arithmetic { names, quoted });
        true
    }

    /// `${name…}`; the rest is plain text, or it does not allow.
    fn braced(&mut self, word: &mut Word, quoted: bool) {
        self.at += 2;
        if matches!(self.peek(), Some(' ' | '\t' | '\n' | '|')) {
            self.problem("a substitution of a new form");
            let script = self.list(&["}"]);
            if self.peek() == Some('}') {
                self.at += 1;
            }
            word.parts.push(Part::Command { script, quoted });
            return;
        }
        let length_of = self.peek() == Some('#') && self.peek_at(1) != Some('}');
        if length_of {
            self.at += 1;
        }
        let rest = &self.chars[self.at..];
        let mut name: String = rest.iter().take_while(|each| each.is_ascii_alphanumeric() || **each == '_').collect();
        if name.is_empty() {
            name.extend(rest.first().filter(|each| "@*#?$!-".contains(**each)));
        }
        self.at += name.chars().count();
        let mut inner = Word::default();
        let mut text = String::new();
        let mut plain = !name.is_empty() && name != "!";
        loop {
            match self.peek() {
                None => {
                    self.problem("a bracket is not closed");
                    break;
                }
                Some('}') => {
                    self.at += 1;
                    break;
                }
                Some('$' | '`') => {
                    plain = false;
                    self.expansion(&mut inner, quoted);
                }
                Some('<' | '>') if self.peek_at(1) == Some('(') => {
                    plain = false;
                    self.at += 2;
                    let script = self.substitution();
                    inner.parts.push(Part::Process { script });
                }
                Some(each) => {
                    plain &= each.is_ascii_alphanumeric() || "_./:,@%+=-#*?^".contains(each);
                    text.push(each);
                    self.at += 1;
                }
            }
        }
        let rest = if length_of { format!("#{text}") } else { text };
        if !plain || !is_harmless_operation(&rest) || (length_of && rest != "#") {
            self.problem("a variable is expanded in an unusual way");
        }
        word.parts.extend(inner.parts.into_iter().filter(|part| !matches!(part, Part::Text { .. })));
        word.parts.push(Part::Variable { name, rest, quoted });
    }
}

/// What may follow a variable's name without running or assigning anything.
pub(crate) fn is_harmless_operation(rest: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.chars().all(|each| each.is_ascii_digit());
    match rest.as_bytes() {
        [] => true,
        [b'#'] => true,
        [b':', b'-' | b'+' | b'?', ..] | [b'-' | b'+' | b'?' | b'#' | b'%' | b'/' | b'^' | b',', ..] => true,
        [b':', ..] => rest[1..].split(':').all(digits),
        _ => false,
    }
}
