//! Reads a command line as a shell would: words, quotes, pipes, groups, substitutions, redirections, here-documents.
//!
//! It never fails. What cannot be made out (an open quote, a bracket too many) is read as far as it goes and nothing after it is
//! skipped: a command must not get past the judge because of what stands before it.

/// Deeper nesting than anybody writes is taken as plain text.
const DEPTH_LIMIT: usize = 12;

/// Commands joined by pipes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Pipeline {
    pub stages: Vec<Stage>,
}

/// One member of a pipeline.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stage {
    Simple(Simple),
    /// A subshell or a group in braces.
    Group(Vec<Pipeline>, Vec<Redirect>),
}

/// A program and its arguments.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Simple {
    /// `NAME=value` before the program.
    pub assignments: Vec<Word>,
    pub words: Vec<Word>,
    pub redirects: Vec<Redirect>,
}

/// A word without its quotes.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Word {
    /// As the program gets it; variables stay as they are written, and a substitution is `$()`.
    pub text: String,
    /// The commands whose output becomes part of it.
    pub inner: Vec<Pipeline>,
    /// True when some of it stood in quotes: it is no keyword then.
    pub quoted: bool,
}

/// Where input comes from or output goes to.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Redirect {
    pub kind: RedirectKind,
    /// A file; for here-documents the text itself.
    pub target: Word,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RedirectKind {
    Read,
    Write,
    Append,
    Here,
}

/// All pipelines of a text, in their order.
pub(super) fn read(text: &str) -> Vec<Pipeline> {
    Reader { chars: text.chars().collect(), at: 0, depth: 0, here: None }.list(None)
}

struct Reader {
    chars: Vec<char>,
    at: usize,
    depth: usize,
    /// The end of the line that here-documents follow, and where the last of them ends.
    here: Option<(usize, usize)>,
}

/// Words that stand before a command without being one.
const KEYWORDS: &[&str] =
    &["if", "then", "else", "elif", "fi", "do", "done", "while", "until", "esac", "!", "time", "}"];

impl Reader {
    fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    fn starts_with(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(offset, each)| self.chars.get(self.at + offset) == Some(&each))
    }

    fn newline(&mut self) {
        match self.here.take() {
            Some((line_end, end)) if line_end == self.at => self.at = end,
            other => {
                self.here = other;
                self.at += 1;
            }
        }
    }

    fn list(&mut self, closer: Option<char>) -> Vec<Pipeline> {
        let mut pipelines = Vec::new();
        self.depth += 1;
        while let Some(next) = self.peek() {
            if Some(next) == closer {
                self.at += 1;
                break;
            }
            match next {
                '\n' => self.newline(),
                // A bracket without a partner ends nothing: what follows counts as well.
                ' ' | '\t' | '\r' | ';' | '&' | '|' | ')' => self.at += 1,
                _ => {
                    let pipeline = self.pipeline(closer);
                    if !pipeline.stages.is_empty() {
                        pipelines.push(pipeline);
                    }
                }
            }
        }
        self.depth -= 1;
        pipelines
    }

    fn pipeline(&mut self, closer: Option<char>) -> Pipeline {
        let mut pipeline = Pipeline::default();
        loop {
            let before = self.at;
            pipeline.stages.extend(self.stage(closer));
            self.blanks();
            if self.peek() == Some('|') && !self.starts_with("||") {
                self.at += if self.starts_with("|&") { 2 } else { 1 };
                while self.peek().is_some_and(char::is_whitespace) {
                    if self.peek() == Some('\n') { self.newline() } else { self.at += 1 }
                }
                continue;
            }
            if self.at == before {
                self.at += 1;
            }
            return pipeline;
        }
    }

    fn stage(&mut self, closer: Option<char>) -> Option<Stage> {
        self.blanks();
        let brace = self.peek() == Some('{') && self.chars.get(self.at + 1).is_none_or(|next| next.is_whitespace());
        let end = match self.peek() {
            Some('(') => ')',
            Some('{') if brace => '}',
            _ => return self.simple(closer).map(Stage::Simple),
        };
        self.at += 1;
        if self.depth >= DEPTH_LIMIT {
            return None;
        }
        let inside = self.list(Some(end));
        let rest = self.simple(closer).unwrap_or_default();
        Some(Stage::Group(inside, rest.redirects))
    }

    fn simple(&mut self, closer: Option<char>) -> Option<Simple> {
        let mut simple = Simple::default();
        loop {
            self.blanks();
            let Some(next) = self.peek() else { break };
            if Some(next) == closer && (next != '}' || simple.words.is_empty()) {
                break;
            }
            if let Some(redirect) = self.redirect() {
                simple.redirects.push(redirect);
                continue;
            }
            match next {
                '\n' | ';' | '&' | '|' | ')' => break,
                '#' => {
                    while self.peek().is_some_and(|each| each != '\n') {
                        self.at += 1;
                    }
                    continue;
                }
                '(' if self.starts_with("()") => {
                    // The name of a function; its body follows as a group.
                    self.at += 2;
                    return None;
                }
                '(' if self.depth < DEPTH_LIMIT => {
                    self.at += 1;
                    let inner = self.list(Some(')'));
                    simple.words.push(Word { text: "()".to_owned(), inner, quoted: false });
                    continue;
                }
                '(' => {
                    self.at += 1;
                    continue;
                }
                _ => {}
            }
            let word = self.word();
            let first = simple.words.is_empty();
            if first && !word.quoted && KEYWORDS.contains(&word.text.as_str()) {
                if word.text == "}" {
                    break;
                }
            } else if first && is_assignment(&word.text) {
                simple.assignments.push(word);
            } else {
                simple.words.push(word);
            }
        }
        let empty = simple.words.is_empty() && simple.assignments.is_empty() && simple.redirects.is_empty();
        (!empty).then_some(simple)
    }

    fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(' ' | '\t' | '\r') => self.at += 1,
                Some('\\') if self.chars.get(self.at + 1) == Some(&'\n') => self.at += 2,
                _ => return,
            }
        }
    }

    /// A redirection, with the number or `&` that may stand before it.
    fn redirect(&mut self) -> Option<Redirect> {
        let digits = self.chars[self.at..].iter().take_while(|each| each.is_ascii_digit()).count();
        let at = self.at + digits;
        let both = digits == 0 && self.starts_with("&>");
        let arrow = *self.chars.get(if both { at + 1 } else { at })?;
        if !matches!(arrow, '<' | '>') {
            return None;
        }
        let after = |offset: usize| self.chars.get(at + usize::from(both) + offset).copied();
        if digits == 0 && after(1) == Some('(') {
            // A command in the place of a file: part of a word.
            return None;
        }
        let (kind, length) = match (arrow, after(1), after(2)) {
            ('<', Some('<'), Some('<')) => (RedirectKind::Here, 3),
            ('<', Some('<'), Some('-')) => return Some(self.here_document(at + 3, true)),
            ('<', Some('<'), _) => return Some(self.here_document(at + 2, false)),
            ('>', Some('>'), _) => (RedirectKind::Append, 2),
            ('>', Some('|' | '&'), _) => (RedirectKind::Write, 2),
            ('<', Some('&'), _) => (RedirectKind::Read, 2),
            ('<', Some('>'), _) => (RedirectKind::Write, 2),
            ('>', _, _) => (RedirectKind::Write, 1),
            _ => (RedirectKind::Read, 1),
        };
        self.at = at + usize::from(both) + length;
        self.blanks();
        Some(Redirect { kind, target: self.word() })
    }

    /// The lines from the end of this one up to the delimiter.
    fn here_document(&mut self, at: usize, strip: bool) -> Redirect {
        self.at = at;
        self.blanks();
        let delimiter = self.word();
        let line_end = self.chars[self.at..].iter().position(|each| *each == '\n').map(|offset| self.at + offset);
        let Some(line_end) = line_end else {
            return Redirect { kind: RedirectKind::Here, target: Word::default() };
        };
        let mut start = match self.here {
            Some((known, end)) if known == line_end => end,
            _ => line_end + 1,
        };
        let mut body = String::new();
        while start < self.chars.len() {
            let end = self.chars[start..].iter().position(|each| *each == '\n').map_or(self.chars.len(), |o| start + o);
            let line: String = self.chars[start..end].iter().collect();
            start = (end + 1).min(self.chars.len());
            let line = if strip { line.trim_start_matches('\t') } else { &line };
            if line == delimiter.text {
                break;
            }
            body.push_str(line);
            body.push('\n');
        }
        self.here = Some((line_end, start));
        let mut target = Word { text: body, inner: Vec::new(), quoted: true };
        if !delimiter.quoted {
            // What stands in it is worked out like a text in double quotes.
            let quoted: Vec<char> = format!("{}\"", target.text.replace('"', "'")).chars().collect();
            let mut inside = Reader { chars: quoted, at: 0, depth: self.depth, here: None };
            inside.double_quoted(&mut Word::default(), &mut target.inner);
        }
        Redirect { kind: RedirectKind::Here, target }
    }
}

mod words;

fn is_assignment(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else { return false };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
        && name.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
}
