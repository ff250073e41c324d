//! Lists, pipelines, compound commands and simple ones.

use std::{cell::OnceCell, rc::Rc};

use super::{Pending, Reader};
use crate::shell::{
    COMMAND_WEIGHT, DEPTH_LIMIT, TOO_DEEP,
    ast::{Block, BlockKind, Part, Redirect, RedirectKind, Script, Simple, Statement, Word, is_name, push_statement},
};

/// Words that end a list; which of them does is for the caller to say.
const CLOSERS: &[&str] = &["then", "do", "done", "fi", "else", "elif", "esac", "}"];

impl Reader {
    /// Commands up to one of the words, a closing bracket, `;;`, or the end. None of these is taken.
    pub(super) fn list(&mut self, stop: &[&str]) -> Script {
        let mut script = Script::new();
        if self.depth >= DEPTH_LIMIT {
            self.problem(TOO_DEEP);
            self.at = self.chars.len();
            return script;
        }
        self.depth += 1;
        let mut chained = false;
        loop {
            self.newlines();
            match self.peek() {
                None | Some(')') => break,
                Some(';') if matches!(self.peek_at(1), Some(';' | '&')) => break,
                Some(';' | '&') => {
                    chained = false;
                    self.at += 1;
                    continue;
                }
                Some('|') => {
                    self.problem("a pipe has no command before it");
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            if let Some(word) = self.keyword()
                && (stop.contains(&word.as_str()) || CLOSERS.contains(&word.as_str()))
            {
                if !stop.contains(&word.as_str()) {
                    self.problem("a keyword has no partner");
                    self.at += word.len();
                    continue;
                }
                break;
            }
            let before = self.at;
            let (statement, continues) = self.pipeline();
            if let Some(statement) = statement {
                push_statement(&mut script, statement, chained);
            }
            chained = continues;
            if self.at == before {
                self.problem("a character could not be read");
                self.at += 1;
            }
        }
        self.depth -= 1;
        script
    }

    /// The unquoted word that begins here, without taking it.
    fn keyword(&self) -> Option<String> {
        let rest = &self.chars[self.at.min(self.chars.len())..];
        let word: String = rest.iter().take(9).take_while(|each| !is_break(**each)).collect();
        let whole = rest.get(word.chars().count()).is_none_or(|each| is_break(*each));
        (whole && !word.is_empty()).then_some(word)
    }

    fn take_keyword(&mut self, wanted: &str) -> bool {
        self.newlines();
        if matches!(self.peek(), Some(';')) && self.peek_at(1) != Some(';') {
            self.at += 1;
            self.newlines();
        }
        if self.keyword().as_deref() == Some(wanted) {
            self.at += wanted.len();
            return true;
        }
        self.problem("a compound command is not closed");
        false
    }

    /// A pipeline, and whether `&&` follows it.
    fn pipeline(&mut self) -> (Option<Statement>, bool) {
        loop {
            self.blanks();
            match self.keyword().as_deref() {
                Some("!") => self.at += 1,
                Some("time") => {
                    self.at += 4;
                    self.blanks();
                    if self.keyword().as_deref() == Some("-p") {
                        self.at += 2;
                    }
                }
                _ => break,
            }
        }
        let mut stages = Vec::new();
        loop {
            stages.extend(self.command());
            self.blanks();
            if self.peek() != Some('|') || self.peek_at(1) == Some('|') {
                break;
            }
            self.at += if self.peek_at(1) == Some('&') { 2 } else { 1 };
            self.newlines();
            if matches!(self.peek(), None | Some(')' | ';' | '|' | '&')) {
                self.problem("a pipe leads nowhere");
                break;
            }
        }
        let continues = self.starts_with("&&");
        if continues || self.starts_with("||") {
            self.at += 2;
            self.newlines();
            if matches!(self.peek(), None | Some(')' | ';' | '|' | '&')) {
                self.problem("an operator leads nowhere");
            }
        }
        let statement = if stages.len() > 1 { Some(Statement::Pipeline(stages)) } else { stages.pop() };
        (statement, continues)
    }

    fn command(&mut self) -> Option<Statement> {
        self.count(COMMAND_WEIGHT);
        self.blanks();
        if self.peek() == Some('(') {
            let kind = if self.peek_at(1) == Some('(') {
                self.problem("an arithmetic command");
                BlockKind::Other
            } else {
                BlockKind::Subshell
            };
            self.at += 1;
            let body = self.list(&[]);
            self.close(')');
            return Some(self.block(kind, Vec::new(), body));
        }
        match self.keyword().as_deref() {
            Some("{") => {
                self.at += 1;
                let body = self.list(&["}"]);
                self.take_keyword("}");
                Some(self.block(BlockKind::Group, Vec::new(), body))
            }
            Some("if") => {
                self.at += 2;
                let body = self.after_if();
                Some(self.block(BlockKind::If, Vec::new(), body))
            }
            Some(word @ ("while" | "until")) => {
                self.at += word.len();
                let mut body = self.list(&["do"]);
                self.take_keyword("do");
                body.extend(self.list(&["done"]));
                self.take_keyword("done");
                Some(self.block(BlockKind::Loop, Vec::new(), body))
            }
            Some(word @ ("for" | "select")) => Some(self.for_loop(word)),
            Some("case") => Some(self.case()),
            Some("[[") => Some(self.test()),
            Some("function") => {
                self.at += 8;
                self.blanks();
                self.word();
                self.blanks();
                if self.starts_with("()") {
                    self.at += 2;
                }
                Some(self.function())
            }
            Some("coproc") => {
                self.problem("a coprocess");
                self.at += 6;
                self.command()
            }
            _ => self.simple(),
        }
    }

    fn function(&mut self) -> Statement {
        self.problem("a function is defined");
        self.newlines();
        let body: Script = self.command().into_iter().collect();
        Statement::Block(Block { kind: BlockKind::Function, words: Vec::new(), body, redirects: Vec::new() })
    }

    fn close(&mut self, closer: char) {
        self.newlines();
        if self.peek() == Some(closer) {
            self.at += 1;
        } else {
            self.problem("a bracket is not closed");
        }
    }

    fn block(&mut self, kind: BlockKind, words: Vec<Word>, body: Script) -> Statement {
        let mut redirects = Vec::new();
        loop {
            self.blanks();
            match self.redirect() {
                Some(redirect) if redirect.only_joins() => {}
                Some(redirect) => redirects.push(redirect),
                None => break,
            }
        }
        Statement::Block(Block { kind, words, body, redirects })
    }

    /// What follows `if` or `elif`, up to and with `fi`. A nested one stands for `elif`.
    fn after_if(&mut self) -> Script {
        let mut body = self.list(&["then"]);
        self.take_keyword("then");
        body.extend(self.list(&["elif", "else", "fi"]));
        match self.keyword().as_deref() {
            Some("elif") if self.depth < DEPTH_LIMIT => {
                self.at += 4;
                self.depth += 1;
                let inner = self.after_if();
                self.depth -= 1;
                body.push(Statement::Block(Block {
                    kind: BlockKind::If,
                    words: Vec::new(),
                    body: inner,
                    redirects: Vec::new(),
                }));
            }
            Some("else") => {
                self.at += 4;
                body.extend(self.list(&["fi"]));
                self.take_keyword("fi");
            }
            _ => {
                self.take_keyword("fi");
            }
        }
        body
    }

    fn for_loop(&mut self, keyword: &str) -> Statement {
        self.at += keyword.len();
        self.blanks();
        let name = self.word().bare().unwrap_or_default().to_owned();
        if keyword == "select" || !is_name(&name) {
            self.problem("a loop of an unusual form");
        }
        self.newlines();
        let mut words = Vec::new();
        if self.keyword().as_deref() == Some("in") {
            self.at += 2;
            loop {
                self.blanks();
                if self.peek().is_none_or(|each| matches!(each, '\n' | ';' | '&' | '|' | ')')) {
                    break;
                }
                let before = self.at;
                words.push(self.word());
                if self.at == before {
                    self.problem("a character could not be read");
                    self.at += 1;
                }
            }
        } else {
            self.problem("a loop over the arguments of a script");
        }
        self.take_keyword("do");
        let body = self.list(&["done"]);
        self.take_keyword("done");
        self.block(BlockKind::For(name), words, body)
    }

    fn case(&mut self) -> Statement {
        self.at += 4;
        self.blanks();
        let mut words = vec![self.word()];
        self.newlines();
        self.take_keyword("in");
        let mut body = Script::new();
        loop {
            self.newlines();
            if self.keyword().as_deref() == Some("esac") || self.peek().is_none() {
                break;
            }
            let before = self.at;
            if self.peek() == Some('(') {
                self.at += 1;
            }
            loop {
                self.blanks();
                words.push(self.word());
                self.blanks();
                if self.peek() != Some('|') {
                    break;
                }
                self.at += 1;
            }
            self.close(')');
            body.extend(self.list(&["esac"]));
            if self.peek() == Some(';') {
                while matches!(self.peek(), Some(';' | '&')) {
                    self.at += 1;
                }
            }
            if self.at == before {
                self.problem("a character could not be read");
                self.at += 1;
            }
        }
        self.take_keyword("esac");
        self.block(BlockKind::Case, words, body)
    }

    /// `[[ … ]]`: operands are words, operators are only noted.
    fn test(&mut self) -> Statement {
        self.at += 2;
        let (mut words, mut operators) = (Vec::new(), Vec::new());
        loop {
            self.newlines();
            match self.peek() {
                None => {
                    self.problem("a test is not closed");
                    break;
                }
                Some('(' | ')' | '&' | '|' | '<' | '>' | ';') => {
                    if matches!(self.peek(), Some('<' | '>')) {
                        operators.extend(self.peek().map(String::from));
                    }
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            let word = self.word();
            match word.bare() {
                Some("]]") => break,
                Some("!") => {}
                Some(bare @ ("=" | "==" | "!=" | "=~")) => operators.push(bare.to_owned()),
                Some(bare) if bare.len() > 1 && bare.starts_with('-') && bare[1..].chars().all(char::is_alphabetic) => {
                    operators.push(bare.to_owned());
                }
                _ => words.push(word),
            }
            if self.at == before {
                self.problem("a character could not be read");
                self.at += 1;
            }
        }
        self.block(BlockKind::Test(operators), words, Script::new())
    }

    fn simple(&mut self) -> Option<Statement> {
        let mut simple = Simple::default();
        loop {
            self.blanks();
            if let Some(redirect) = self.redirect() {
                if !redirect.only_joins() {
                    simple.redirects.push(redirect);
                }
                continue;
            }
            match self.peek() {
                None | Some('\n' | ';' | '&' | '|' | ')') => break,
                Some('(') => {
                    if simple.words.len() == 1 && simple.assignments.is_empty() && self.closes_at_once() {
                        return Some(self.function());
                    }
                    self.problem("a bracket in a command");
                    self.at += 1;
                    let inside = self.list(&[]);
                    if self.peek() == Some(')') {
                        self.at += 1;
                    }
                    if !inside.is_empty() {
                        simple.words.push(Word { parts: vec![Part::Command { script: inside, quoted: false }] });
                    }
                    continue;
                }
                _ => {}
            }
            let before = self.at;
            let word = self.word();
            if self.at == before {
                break;
            }
            match word.as_assignment() {
                Some(assignment) if simple.words.is_empty() => {
                    if self.peek() == Some('(') {
                        self.problem("an array is assigned");
                    }
                    simple.assignments.push(assignment);
                }
                _ => {
                    let subscripted = simple.words.is_empty()
                        && matches!(word.parts.first(), Some(Part::Text { text, quoted: false })
                            if text.find('[').is_some_and(|at| at > 0));
                    if subscripted {
                        self.problem("an array is assigned");
                    }
                    simple.words.push(word);
                }
            }
        }
        let empty = simple.words.is_empty() && simple.assignments.is_empty() && simple.redirects.is_empty();
        (!empty).then_some(Statement::Simple(simple))
    }

    /// `()` after a name, with blanks in between.
    fn closes_at_once(&mut self) -> bool {
        let blanks = self.chars[self.at + 1..].iter().take_while(|each| matches!(each, ' ' | '\t')).count();
        let closes = self.peek_at(1 + blanks) == Some(')');
        if closes {
            self.at += 2 + blanks;
        }
        closes
    }

    /// A redirection, with the number that may stand before it.
    pub(super) fn redirect(&mut self) -> Option<Redirect> {
        let rest = &self.chars[self.at.min(self.chars.len())..];
        let digits = rest.iter().take_while(|each| each.is_ascii_digit()).count();
        let named = if rest.first() == Some(&'{') {
            let length = rest.iter().take_while(|each| **each != '}' && !each.is_whitespace()).count() + 1;
            let arrow = rest.get(length).is_some_and(|each| matches!(each, '<' | '>'));
            if arrow { length } else { 0 }
        } else {
            0
        };
        let at = digits.max(named);
        let look = |offset: usize| rest.get(at + offset).copied();
        let both = at == 0 && look(0) == Some('&') && look(1) == Some('>');
        let (kind, length) = match (look(0), look(1), look(2)) {
            _ if both => (RedirectKind::Write, if look(2) == Some('>') { 3 } else { 2 }),
            (Some('<' | '>'), Some('('), _) if at == 0 => return None,
            (Some('<'), Some('<'), Some('<')) => (RedirectKind::HereString, 3),
            (Some('<'), Some('<'), Some('-')) => return Some(self.pending_document(at + 3, true)),
            (Some('<'), Some('<'), _) => return Some(self.pending_document(at + 2, false)),
            (Some('>'), Some('>'), _) | (Some('>'), Some('|'), _) => (RedirectKind::Write, 2),
            (Some('>'), Some('&'), _) | (Some('<'), Some('&'), _) => (RedirectKind::Duplicate, 2),
            (Some('<'), Some('>'), _) => (RedirectKind::ReadWrite, 2),
            (Some('>'), _, _) => (RedirectKind::Write, 1),
            (Some('<'), _, _) => (RedirectKind::Read, 1),
            _ => return None,
        };
        if named > 0 {
            self.problem("a redirection into a variable");
        }
        self.at += at + length;
        self.blanks();
        let target = self.word();
        if target.parts.is_empty() {
            self.problem("a redirection leads nowhere");
        }
        Some(Redirect { kind, target })
    }

    fn pending_document(&mut self, length: usize, strip_tabs: bool) -> Redirect {
        self.at += length;
        self.blanks();
        let start = self.at;
        let word = self.word();
        let raw = &self.chars[start.min(self.at)..self.at];
        let quoted = raw.iter().any(|each| matches!(each, '\'' | '"' | '\\'));
        let mut delimiter = String::new();
        for part in &word.parts {
            match part {
                Part::Text { text, .. } => delimiter.push_str(text),
                _ => self.problem("the end of a here-document is only known when it runs"),
            }
        }
        if delimiter.is_empty() || delimiter.contains('\n') {
            self.problem("a here-document with an odd end");
        }
        let body = Rc::new(OnceCell::new());
        self.pending.push(Pending { delimiter, strip_tabs, quoted, body: Rc::clone(&body) });
        Redirect { kind: RedirectKind::HereDocument(body), target: Word::default() }
    }
}

/// Characters that end a word when they are not quoted.
pub(super) fn is_break(each: char) -> bool {
    matches!(each, ' ' | '\t' | '\n' | ';' | '&' | '|' | '<' | '>' | '(' | ')')
}
