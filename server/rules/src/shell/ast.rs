//! The form that both readings of a command line take, so that they can be compared.
//!
//! It keeps what decides which programs run and which files are touched, and drops the rest (`;` or `||`, `!`, `time`, the number
//! before a redirection): two readings are equal when they list the same commands with the same words in the same places.

use std::{cell::OnceCell, rc::Rc};

/// Commands one after the other.
pub(crate) type Script = Vec<Statement>;

/// A command, a pipeline or a compound command.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Statement {
    Simple(Simple),
    /// Two or more commands joined by pipes.
    Pipeline(Vec<Statement>),
    /// Two or more joined by `&&`: each runs only when the one before it succeeded.
    Chain(Vec<Statement>),
    Block(Block),
}

/// Adds a statement to a script; `chained` when `&&` stands before it.
pub(crate) fn push_statement(script: &mut Script, statement: Statement, chained: bool) {
    match script.last_mut() {
        Some(Statement::Chain(chain)) if chained => chain.push(statement),
        Some(_) if chained => {
            if let Some(first) = script.pop() {
                script.push(Statement::Chain(vec![first, statement]));
            }
        }
        _ => script.push(statement),
    }
}

/// A program with its arguments, or only assignments and redirections.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Simple {
    pub assignments: Vec<Assignment>,
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
}

/// `NAME=value`, before a program or alone.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Assignment {
    pub name: String,
    pub value: Word,
}

/// A compound command. Conditions and bodies stand in `body` in the order they are written.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Block {
    pub kind: BlockKind,
    pub words: Vec<Word>,
    pub body: Script,
    pub redirects: Vec<Redirect>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum BlockKind {
    Subshell,
    Group,
    If,
    /// `while` and `until`.
    Loop,
    /// `for`, with its variable.
    For(String),
    /// The words are the subject and all patterns.
    Case,
    /// `[[ … ]]`, with its operators; the words are the operands.
    Test(Vec<String>),
    Function,
    /// What never allows: arithmetic commands, `select`, `coproc`.
    Other,
}

/// Where input comes from or output goes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Redirect {
    pub kind: RedirectKind,
    /// A file, a number, or the text of a here-string; empty for here-documents.
    pub target: Word,
}

impl Redirect {
    /// `2>&1`, `>&-`: touches no file, and the grammar adds one for `|&`. Neither reading keeps it.
    pub(crate) fn only_joins(&self) -> bool {
        let number = |text: &str| {
            let digits = text.strip_suffix('-').unwrap_or(text);
            !text.is_empty() && digits.chars().all(|each| each.is_ascii_digit())
        };
        self.kind == RedirectKind::Duplicate && self.target.bare().is_some_and(number)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RedirectKind {
    Read,
    Write,
    ReadWrite,
    /// `>&1`, `2>&-`; with a name it writes a file.
    Duplicate,
    HereString,
    /// Its text is read when the line it stands in has ended.
    HereDocument(Rc<OnceCell<Word>>),
}

/// One word, quotes taken off.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Word {
    pub parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    /// Text as the program gets it; unquoted text may still hold `*`, `{a,b}` or a leading `~`.
    Text { text: String, quoted: bool },
    /// `$name`, or `${name…}` with what follows the name.
    Variable { name: String, rest: String, quoted: bool },
    /// The output of commands: `$(…)` or backquotes.
    Command { script: Script, quoted: bool },
    /// `<(…)` and `>(…)`.
    Process { script: Script },
    /// `$((…))`, with the variables in it.
    Arithmetic { names: Vec<String>, quoted: bool },
}

impl Word {
    /// Adds text; neighbours with the same quoting become one.
    pub(crate) fn push_text(&mut self, text: &str, quoted: bool) {
        if let Some(Part::Text { text: last, quoted: same }) = self.parts.last_mut()
            && *same == quoted
        {
            last.push_str(text);
            return;
        }
        self.parts.push(Part::Text { text: text.to_owned(), quoted });
    }

    /// Drops empty text beside something else; `""` alone stays an empty word.
    pub(crate) fn tidy(&mut self) {
        if self.parts.len() > 1 {
            let whole = std::mem::take(&mut self.parts);
            for part in whole {
                match part {
                    Part::Text { text, .. } if text.is_empty() => {}
                    Part::Text { text, quoted } => self.push_text(&text, quoted),
                    other => self.parts.push(other),
                }
            }
            if self.parts.is_empty() {
                self.parts.push(Part::Text { text: String::new(), quoted: true });
            }
        }
    }

    /// The text when the word is nothing but unquoted text: only that can be a keyword.
    pub(crate) fn bare(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [Part::Text { text, quoted: false }] => Some(text),
            _ => None,
        }
    }

    /// Takes the word apart at `=` when it is an assignment.
    pub(crate) fn as_assignment(&self) -> Option<Assignment> {
        let Some(Part::Text { text, quoted: false }) = self.parts.first() else { return None };
        let (name, value) = text.split_once('=')?;
        let name = name.strip_suffix('+').unwrap_or(name);
        if !is_name(name) {
            return None;
        }
        let mut word = Word::default();
        word.push_text(value, false);
        for part in &self.parts[1..] {
            match part {
                Part::Text { text, quoted } => word.push_text(text, *quoted),
                other => word.parts.push(other.clone()),
            }
        }
        word.tidy();
        Some(Assignment { name: name.to_owned(), value: word })
    }
}

/// A name that a shell takes for a variable.
pub(crate) fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && text.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
}

/// A script, and everything that stands in the way of trusting it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub script: Script,
    /// Why it must not be allowed on this reading; empty when all was understood.
    pub problems: Vec<&'static str>,
}
