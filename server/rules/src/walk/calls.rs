//! What a walk lists: calls of programs, their arguments, the files they write.

/// One argument, as far as it is known before it runs.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Arg {
    /// Every text it can be; empty when that is not known.
    pub values: Vec<String>,
    /// As it is shown: variables and substitutions as they were written.
    pub shown: String,
    /// The text before the first unknown piece.
    pub prefix: String,
    /// It may begin with anything, or become several words: it could be an option.
    pub open: bool,
    /// A pattern for file names.
    pub glob: bool,
    /// A variable or substitution is part of it, even where its value is known.
    pub expanded: bool,
    /// A number, whatever it is.
    pub number: bool,
    /// An unquoted unknown piece: it may become several words.
    pub splits: bool,
    /// It is the name of a pipe to commands: `<(…)`.
    pub process: bool,
}

impl Arg {
    /// A text that is known.
    pub(crate) fn known(text: &str) -> Self {
        Self { values: vec![text.to_owned()], shown: text.to_owned(), prefix: text.to_owned(), ..Self::default() }
    }

    /// Something that another program will put there.
    pub(crate) fn hole(shown: &str, open: bool) -> Self {
        Self { shown: shown.to_owned(), open, ..Self::default() }
    }

    /// The text, when it is known and only one.
    pub(crate) fn exact(&self) -> Option<&str> {
        match self.values.as_slice() {
            [one] => Some(one),
            _ => None,
        }
    }

    /// The text as far as it is known: for looking at options.
    pub(crate) fn text(&self) -> &str {
        self.exact().unwrap_or(&self.prefix)
    }

    /// True when it is this word.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.exact() == Some(word)
    }

    /// True when it is an option, or could be.
    pub(crate) fn is_option(&self) -> bool {
        let text = self.text();
        text.len() > 1 && text.starts_with('-')
    }
}

/// What a call needs to be allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// Nothing: it only arranges others (`cd` inside the folder, `true`, `test`).
    Nothing,
    /// A rule that spells out at least so many words.
    Rule(usize),
    /// The rule for the call around it.
    Outer,
}

/// Something about a call that a general rule does not cover: a rule must name one of the words.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sharp {
    pub why: String,
    pub words: Vec<String>,
}

/// One program that would run.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// As it is written, quotes off.
    pub program: String,
    pub args: Vec<Arg>,
    /// Through what it is reached.
    pub via: Vec<String>,
    pub need: Need,
    pub sharp: Vec<Sharp>,
}

impl Call {
    /// The program's name without its folder.
    pub(crate) fn base(&self) -> &str {
        base(&self.program)
    }

    /// The call on one line.
    pub(crate) fn shown(&self) -> String {
        let mut text = self.program.clone();
        for arg in &self.args {
            text.push(' ');
            let shown = arg.shown.as_str();
            if shown.is_empty() || shown.contains(|each: char| each.is_whitespace() || "'\"\\;&|<>()".contains(each)) {
                text.push_str(&format!("{shown:?}"));
            } else {
                text.push_str(shown);
            }
        }
        shorten(&text)
    }
}

/// The last piece of a path.
pub(crate) fn base(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// No longer than a line or two.
pub(crate) fn shorten(text: &str) -> String {
    const LONG: usize = 160;
    let line = text.replace('\n', "⏎");
    match line.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}

/// A file that something writes on the side.
#[derive(Debug, Clone)]
pub(crate) struct Write {
    /// Every path it can be, resolved; empty when that is not known.
    pub paths: Vec<String>,
    pub shown: String,
    /// The call it belongs to.
    pub call: Option<usize>,
    /// A rule that names one of these covers it as well.
    pub named_by: Vec<String>,
}
