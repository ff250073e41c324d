//! Our own reader: words, quotes, pipes, blocks, substitutions, redirections, here-documents.
//!
//! It never fails. What cannot be made out is noted as a problem, is read as far as it goes, and nothing after it is skipped: a
//! command must not get past a deny rule because of what stands before it.

mod commands;
mod expansions;

mod words;

pub(crate) use expansions::is_harmless_operation;

use std::{cell::OnceCell, rc::Rc};

use super::{
    DEPTH_LIMIT, NODE_LIMIT, TOO_DEEP, TOO_MANY,
    ast::{Reading, Script, Word},
};

/// All commands of a text.
pub(crate) fn read(text: &str) -> Reading {
    let mut reader = Reader::new(text.chars().collect(), 0);
    let script = reader.whole();
    Reading { script, problems: reader.problems }
}

/// A here-document whose text comes after the end of the line.
struct Pending {
    delimiter: String,
    strip_tabs: bool,
    quoted: bool,
    body: Rc<OnceCell<Word>>,
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    nodes: usize,
    pending: Vec<Pending>,
    problems: Vec<&'static str>,
}

impl Reader {
    fn new(chars: Vec<char>, depth: usize) -> Self {
        Self { chars, at: 0, depth, nodes: 0, pending: Vec::new(), problems: Vec::new() }
    }

    /// Everything up to the end, whatever stands in between.
    fn whole(&mut self) -> Script {
        let mut script = Script::new();
        while self.at < self.chars.len() {
            let before = self.at;
            script.extend(self.list(&[]));
            if self.at < self.chars.len() {
                // A bracket or keyword without a partner ends nothing: what follows counts as well.
                self.problem("a bracket or keyword has no partner");
                self.at = (before + 1).max(self.at + 1);
            }
        }
        if !self.pending.is_empty() {
            self.problem("a here-document has no end");
        }
        script
    }

    /// A text inside this one, with its own end.
    fn inside(&mut self, text: Vec<char>) -> Script {
        if self.depth >= DEPTH_LIMIT {
            self.problem(TOO_DEEP);
            return Script::new();
        }
        let mut reader = Reader::new(text, self.depth + 1);
        reader.nodes = self.nodes;
        let script = reader.whole();
        self.nodes = reader.nodes;
        self.problems.append(&mut reader.problems);
        script
    }

    fn problem(&mut self, what: &'static str) {
        if !self.problems.contains(&what) {
            self.problems.push(what);
        }
    }

    /// Counts what was read; past the limit reading stops.
    fn count(&mut self, weight: usize) {
        self.nodes += weight;
        if self.nodes > NODE_LIMIT {
            self.problem(TOO_MANY);
            self.at = self.chars.len();
        }
    }

    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn peek_at(&self, offset: usize) -> Option<char> {
        self.chars.get(self.at + offset).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(offset, each)| self.peek_at(offset) == Some(each))
    }

    /// Blanks, continued lines and comments, up to the next token.
    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t') => self.at += 1,
                Some('\\') if self.peek_at(1) == Some('\n') => {
                    self.joined_line();
                    self.at += 2;
                }
                Some('#') => {
                    while self.peek().is_some_and(|each| each != '\n') {
                        self.at += 1;
                    }
                }
                _ => return,
            }
        }
    }

    /// A continued line between two characters may make one token of them, which nobody sees.
    fn joined_line(&mut self) {
        let before = self.at.checked_sub(1).and_then(|at| self.chars.get(at)).copied();
        let after = self.peek_at(2);
        let glues = matches!(before, Some('$' | '<' | '>' | '`'))
            || (matches!(before, Some('&' | '|' | ';' | '('))
                && matches!(after, Some('&' | '|' | ';' | '(' | '>' | '<' | '\\')));
        if glues {
            self.problem("a continued line splits an operator");
        }
    }

    /// Newlines with the here-documents that follow them, and blanks.
    fn newlines(&mut self) {
        loop {
            self.blanks();
            if self.peek() != Some('\n') {
                return;
            }
            self.newline();
        }
    }

    fn newline(&mut self) {
        self.at += 1;
        for pending in std::mem::take(&mut self.pending) {
            self.here_document(&pending);
        }
    }

    /// The lines up to the delimiter.
    fn here_document(&mut self, pending: &Pending) {
        let mut text = String::new();
        let mut closed = false;
        while self.at < self.chars.len() {
            let rest = &self.chars[self.at..];
            let length = rest.iter().position(|each| *each == '\n').unwrap_or(rest.len());
            let line: String = rest[..length].iter().collect();
            self.at = (self.at + length + 1).min(self.chars.len());
            let line = if pending.strip_tabs { line.trim_start_matches('\t') } else { &line };
            if line == pending.delimiter {
                closed = true;
                break;
            }
            if !pending.quoted && line.ends_with('\\') {
                // The shell joins it with the next line before it looks for the end.
                self.problem("a here-document with a continued line");
            }
            if line.trim() == pending.delimiter {
                self.problem("a line looks like the end of a here-document and is not");
            }
            text.push_str(line);
            text.push('\n');
        }
        if !closed {
            self.problem("a here-document has no end");
        }
        let mut word = Word::default();
        if pending.quoted {
            word.push_text(&text, true);
        } else {
            self.here_text(&text, &mut word);
        }
        word.tidy();
        // The cell is new: nobody has filled it.
        let _ = pending.body.set(word);
    }
}
