//! What words become: variables with known values, patterns, substitutions, holes.

use super::{Arg, Input, Walk};
use crate::{
    env,
    judgement::Floor,
    shell::ast::{Part, Redirect, RedirectKind, Script, Simple, Statement, Word},
};

/// More combinations than this are not kept apart.
const MOST_VALUES: usize = 16;

/// What is known of a variable.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Known {
    /// One of these texts.
    Values(Vec<String>),
    /// One word that is never an option: a hash, an absolute path.
    NoOption,
    /// The name of a file, perhaps with blanks: no option as long as it is quoted.
    FileName,
    /// A number.
    Number,
    /// Anything.
    Anything,
}

/// What gets a variable that is set.
#[derive(Debug, Clone, Copy)]
pub(super) enum Before<'a> {
    /// The shell alone.
    Nothing,
    /// This program.
    Program(&'a str),
    /// Whatever comes after.
    Anything,
}

/// The text of a word that is nothing but text.
pub(super) fn plain_text(word: &Word) -> Option<&str> {
    match word.parts.as_slice() {
        [Part::Text { text, .. }] => Some(text),
        _ => None,
    }
}

impl Walk {
    /// All assignments of a script count from its beginning: loops come round again.
    pub(super) fn collect_assignments(&mut self, script: &Script) {
        let mut stack: Vec<&Statement> = script.iter().collect();
        let mut seen: Vec<(String, Known)> = Vec::new();
        while let Some(statement) = stack.pop() {
            match statement {
                Statement::Pipeline(stages) | Statement::Chain(stages) => stack.extend(stages),
                Statement::Block(block) => {
                    if let crate::shell::ast::BlockKind::For(name) = &block.kind {
                        seen.push((name.clone(), loop_value(&block.words)));
                    }
                    stack.extend(&block.body);
                }
                Statement::Simple(simple) => {
                    for assignment in &simple.assignments {
                        seen.push((assignment.name.clone(), assigned_value(&assignment.value)));
                    }
                    let program = simple.words.first().and_then(plain_text).unwrap_or_default();
                    let binds = matches!(
                        program,
                        "read"
                            | "export"
                            | "declare"
                            | "typeset"
                            | "local"
                            | "readonly"
                            | "mapfile"
                            | "readarray"
                            | "printf"
                            | "getopts"
                            | "unset"
                    );
                    if binds || simple.words.first().is_some_and(|word| plain_text(word).is_none()) {
                        for word in &simple.words {
                            let name = word
                                .as_assignment()
                                .map(|each| each.name)
                                .or_else(|| plain_text(word).map(str::to_owned));
                            seen.extend(name.map(|name| (name, Known::Anything)));
                        }
                    }
                }
            }
        }
        for (name, value) in seen {
            let joined = match (self.known.remove(&name), value) {
                (None, value) => value,
                (Some(Known::Values(mut old)), Known::Values(new)) => {
                    old.extend(new);
                    Known::Values(old)
                }
                (Some(old), new) if old == new => old,
                _ => Known::Anything,
            };
            self.known.insert(name, joined);
        }
    }

    /// A variable that this line has set, from here on.
    pub(super) fn bind(&mut self, name: &str, _value: &Arg) {
        self.bound(name);
    }

    pub(super) fn bind_loop(&mut self, name: &str, _args: &[Arg]) {
        if env::class(name, None) == env::Class::Code {
            self.floor(Floor::CodeVariable, format!("changes which code runs: {name}"));
        }
        self.bound(name);
    }

    fn bound(&mut self, name: &str) {
        // A marker beside the value: before its first assignment a variable is the environment's.
        self.known.insert(format!("={name}"), Known::Number);
    }

    /// Judges a variable that is set.
    pub(super) fn assign(&mut self, name: &str, value: Option<&str>, before: Before<'_>) {
        match env::class(name, value) {
            env::Class::Harmless => {}
            env::Class::Code => self.floor(Floor::CodeVariable, format!("changes which code runs: {name}")),
            env::Class::Unknown => {
                let matters = match before {
                    Before::Nothing => env::may_be_exported(name),
                    Before::Program(program) => value.is_none() || !env::does_not_concern(name, program),
                    Before::Anything => true,
                };
                if matters {
                    self.unknown(format!("what the variable {name} does is not known"));
                }
            }
        }
    }

    /// What a variable is known to be, here.
    fn lookup(&self, name: &str) -> Known {
        match name {
            "?" | "#" | "$" | "!" => return Known::Number,
            "HOME" | "PWD" | "OLDPWD" | "USER" | "UID" | "HOSTNAME" => {
                return if self.known.contains_key(name) { Known::Anything } else { Known::NoOption };
            }
            _ => {}
        }
        if !self.known.contains_key(&format!("={name}")) {
            return Known::Anything;
        }
        self.known.get(name).cloned().unwrap_or(Known::Anything)
    }

    /// Words as arguments. A list in braces becomes as many words as bash makes of it: `{git,push}` is a command.
    pub(super) fn args(&mut self, words: &[Word]) -> Vec<Arg> {
        let mut args = Vec::new();
        for word in words {
            let arg = self.arg(word);
            match word.bare().filter(|_| arg.glob && arg.values.len() > 1).and_then(braces) {
                Some(each) => args.extend(each.iter().filter(|word| !word.is_empty()).map(|word| Arg::known(word))),
                None => args.push(arg),
            }
        }
        args
    }

    /// A word as an argument. The commands in it are walked.
    pub(crate) fn arg(&mut self, word: &Word) -> Arg {
        let mut arg = Arg { values: vec![String::new()], number: !word.parts.is_empty(), ..Arg::default() };
        let mut fixed = true;
        arg.expanded = word.parts.iter().any(|part| !matches!(part, Part::Text { .. }));
        for (at, part) in word.parts.iter().enumerate() {
            match part {
                Part::Text { text, quoted } => {
                    self.characters(text, *quoted);
                    let pattern = !quoted && is_pattern(text);
                    arg.glob |= pattern;
                    if pattern && at == 0 && text.starts_with(['*', '?', '[', '{']) {
                        arg.open = true;
                    }
                    if pattern && fixed {
                        let end = text.find(['*', '?', '[', '{']).unwrap_or(0);
                        arg.prefix.push_str(&text[..end]);
                        fixed = false;
                    } else if fixed {
                        arg.prefix.push_str(text);
                    }
                    arg.shown.push_str(text);
                    arg.number &= text.chars().all(|each| each.is_ascii_digit());
                    if pattern
                        && word.parts.len() == 1
                        && !text.contains(['*', '?', '['])
                        && let Some(words) = braces(text)
                    {
                        arg.values = words;
                        continue;
                    }
                    if pattern {
                        arg.values.clear()
                    } else {
                        arg.values.iter_mut().for_each(|value| value.push_str(text))
                    }
                }
                Part::Variable { name, rest, quoted } => {
                    arg.shown.push_str(&if rest.is_empty() {
                        format!("${name}")
                    } else {
                        format!("${{{name}{rest}}}")
                    });
                    let known = match rest.as_str() {
                        "" => self.lookup(name),
                        "#" => Known::Number,
                        _ => Known::Anything,
                    };
                    self.add_known(&mut arg, known, *quoted, at == 0, &mut fixed);
                }
                Part::Command { script, quoted } => {
                    arg.shown.push_str("$(…)");
                    self.via("$(…)", |walk| walk.script(script, &Input::Nothing));
                    self.add_known(&mut arg, output_of(script), *quoted, at == 0, &mut fixed);
                }
                Part::Process { script } => {
                    arg.shown.push_str("<(…)");
                    arg.process = true;
                    self.via("<(…)", |walk| walk.script(script, &Input::Pipe));
                    self.add_known(&mut arg, Known::NoOption, true, at == 0, &mut fixed);
                }
                Part::Arithmetic { names, quoted } => {
                    arg.shown.push_str("$((…))");
                    for name in names {
                        let number =
                            |value: &String| !value.is_empty() && value.chars().all(|each| each.is_ascii_digit());
                        let known = match self.lookup(name) {
                            Known::Number => true,
                            Known::Values(values) => values.iter().all(number),
                            _ => false,
                        };
                        if !known {
                            self.unknown(format!("arithmetic with a value that is only known when it runs: {name}"));
                        }
                    }
                    self.add_known(&mut arg, Known::Number, *quoted, at == 0, &mut fixed);
                }
            }
        }
        if word.parts.len() > 1 && spans_braces(word) {
            arg.values.clear();
            (arg.glob, arg.open, arg.splits) = (true, true, true);
        }
        if arg.values.is_empty() && !arg.open && arg.prefix.starts_with('-') && !arg.prefix.contains('=') && !arg.number
        {
            // The name of the option itself is not known.
            arg.open |= !ends_in_number(word);
        }
        arg.values.sort();
        arg.values.dedup();
        arg
    }

    fn add_known(&self, arg: &mut Arg, known: Known, quoted: bool, first: bool, fixed: &mut bool) {
        match known {
            Known::Values(values) if !values.is_empty() && values.len() * arg.values.len() <= MOST_VALUES => {
                let splits = |value: &String| {
                    value.is_empty() || value.contains(|each: char| each.is_whitespace() || "*?[{~".contains(each))
                };
                if !quoted && values.iter().any(splits) {
                    arg.open = true;
                    arg.splits = true;
                    arg.values.clear();
                    *fixed = false;
                    return;
                }
                arg.number &= values.iter().all(|value| value.chars().all(|each| each.is_ascii_digit()));
                let old = std::mem::take(&mut arg.values);
                arg.values = old.iter().flat_map(|old| values.iter().map(move |new| format!("{old}{new}"))).collect();
                match values.as_slice() {
                    [one] if *fixed => arg.prefix.push_str(one),
                    _ => {
                        *fixed = false;
                        arg.open |= first && values.iter().any(|value| value.starts_with('-'));
                    }
                }
            }
            Known::Number => {
                arg.values.clear();
                *fixed = false;
            }
            Known::NoOption | Known::FileName => {
                arg.open |= known == Known::FileName && !quoted;
                arg.splits |= known == Known::FileName && !quoted;
                arg.values.clear();
                arg.number = false;
                *fixed = false;
            }
            _ => {
                arg.values.clear();
                arg.number = false;
                arg.open |= first || !quoted;
                arg.splits |= !quoted;
                *fixed = false;
            }
        }
    }

    fn characters(&mut self, text: &str, quoted: bool) {
        let prose = quoted && text.contains(char::is_whitespace);
        if let Some(what) = crate::characters::deceives(text, prose) {
            self.floor(Floor::LookAlike, format!("the command {what}"));
        }
    }
}

/// True when the last piece is a number: `-j$(nproc)`.
fn ends_in_number(word: &Word) -> bool {
    match word.parts.last() {
        Some(Part::Arithmetic { .. }) => true,
        Some(Part::Command { script, .. }) => output_of(script) == Known::Number,
        _ => false,
    }
}

/// Unquoted text that stands for file names or several words.
fn is_pattern(text: &str) -> bool {
    let bracket = text.find('[').is_some_and(|at| text[at..].contains(']'));
    let brace = text
        .find('{')
        .is_some_and(|at| text[at..].contains('}') && (text[at..].contains(',') || text[at..].contains("..")));
    text.contains(['*', '?']) || bracket || brace
}

/// True for braces that hold quoted text or variables: `{a,"b"}` is two words all the same.
fn spans_braces(word: &Word) -> bool {
    let (mut open, mut list) = (false, false);
    for part in &word.parts {
        let Part::Text { text, quoted: false } = part else { continue };
        for (at, each) in text.char_indices() {
            match each {
                '{' => open = true,
                ',' => list |= open,
                '.' => list |= open && text[at..].starts_with(".."),
                '}' if list => return true,
                _ => {}
            }
        }
    }
    false
}

/// The words of `src/{a,b}`; only one list, without anything inside.
fn braces(text: &str) -> Option<Vec<String>> {
    let (before, rest) = text.split_once('{')?;
    let (list, after) = rest.split_once('}')?;
    if list.contains('{') || list.contains("..") || after.contains(['{', '}']) || !list.contains(',') {
        return None;
    }
    let words: Vec<String> = list.split(',').map(|each| format!("{before}{each}{after}")).collect();
    (words.len() <= MOST_VALUES).then_some(words)
}

fn assigned_value(word: &Word) -> Known {
    match word.parts.as_slice() {
        [Part::Text { text, .. }] => Known::Values(vec![text.clone()]),
        [] => Known::Values(vec![String::new()]),
        [Part::Command { script, .. }] => output_of(script),
        [Part::Arithmetic { .. }] => Known::Number,
        _ => Known::Anything,
    }
}

fn loop_value(words: &[Word]) -> Known {
    let mut values = Vec::new();
    let mut files = false;
    for word in words {
        match word.parts.as_slice() {
            [Part::Text { text, quoted }] if *quoted || !is_pattern(text) => values.push(text.clone()),
            [Part::Text { text, .. }] if !text.starts_with(['*', '?', '[', '{', '-']) => files = true,
            _ => return Known::Anything,
        }
    }
    if files || values.len() > MOST_VALUES {
        return if values.iter().all(|value| !value.starts_with('-')) { Known::FileName } else { Known::Anything };
    }
    Known::Values(values)
}

/// The text that `echo` or `cat <<'EOF'` prints, to the letter.
fn exact_output(simple: &Simple) -> Option<String> {
    let (program, rest) = simple.words.split_first()?;
    if !simple.assignments.is_empty() {
        return None;
    }
    match (plain_text(program)?, simple.redirects.as_slice()) {
        ("echo", []) => {
            let words: Vec<&str> = rest.iter().map(plain_text).collect::<Option<_>>()?;
            let plain = |word: &&str| !word.starts_with('-') && !word.contains(['\\', '*', '?', '[', '{', '~']);
            words.iter().all(plain).then(|| words.join(" "))
        }
        ("cat", [Redirect { kind: RedirectKind::HereDocument(body), .. }]) if rest.is_empty() => {
            Some(plain_text(body.get()?)?.trim_end_matches('\n').to_owned())
        }
        _ => None,
    }
}

/// What a substitution prints, where that is certain enough: hashes, numbers, absolute paths.
fn output_of(script: &Script) -> Known {
    let [Statement::Simple(simple)] = script.as_slice() else { return Known::Anything };
    if let Some(text) = exact_output(simple) {
        return Known::Values(vec![text]);
    }
    let words: Option<Vec<&str>> = simple.words.iter().map(plain_text).collect();
    let Some(words) = words else { return Known::Anything };
    if !simple.assignments.is_empty() {
        return Known::Anything;
    }
    let plain = |words: &[&str]| words.iter().all(|word| !word.starts_with('-'));
    match words.as_slice() {
        ["nproc"] | ["id", "-u" | "-g"] | ["date", "+%s"] => Known::Number,
        ["pwd"] | ["whoami"] | ["hostname"] | ["mktemp"] | ["mktemp", "-d"] => Known::NoOption,
        ["git", "merge-base", rest @ ..] if plain(rest) => Known::NoOption,
        ["git", "rev-parse", "--show-toplevel" | "--git-dir" | "HEAD"]
        | ["git", "rev-parse", "--short" | "--abbrev-ref", "HEAD"]
        | ["git", "branch", "--show-current"] => Known::NoOption,
        ["date", format] if format.starts_with("+%") => Known::NoOption,
        _ => Known::Anything,
    }
}
