//! Two ways of matching. To allow, a command must be spelled as the rule is. To deny or ask, any spelling counts.

use super::{
    paths::wild,
    pattern::{PatternWord, ShellPattern},
};
use crate::{
    programs,
    walk::{Arg, Call, Need},
};

/// Whether a rule that denies or asks is reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Match {
    No,
    /// It depends on what is only known when it runs.
    Perhaps,
    Yes,
}

/// True when the rule allows this call, as strictly as it is written.
pub(crate) fn allows(pattern: &ShellPattern, call: &Call) -> bool {
    match pattern {
        ShellPattern::Any => !matches!(call.need, Need::Rule(words) if words > 1) && call.sharp.is_empty(),
        ShellPattern::Line { .. } => false,
        ShellPattern::Words { words, more } => {
            let Some((program, rest)) = words.split_first() else { return false };
            let same_program = if program.wild && !program.quoted {
                !call.program.contains('/') && wild(&program.text, &call.program)
            } else {
                program.text == call.program
            };
            let spelled = words.iter().filter(|word| !(word.wild && word.text == "*")).count();
            let enough = !matches!(call.need, Need::Rule(needed) if spelled < needed);
            let named = |wanted: &[String]| wanted.iter().any(|wanted| words.iter().any(|word| word.text == *wanted));
            same_program
                && enough
                && call.sharp.iter().all(|sharp| named(&sharp.words))
                && in_order(rest, args_after_globals(call, rest), *more)
        }
    }
}

/// git's own options that change nothing may stand before its command.
fn args_after_globals<'a>(call: &'a Call, rest: &[PatternWord]) -> &'a [Arg] {
    if call.program == "git" && rest.first().is_some_and(|word| !word.text.starts_with('-')) {
        let (count, plain) = programs::git_globals(&call.args);
        if plain {
            return &call.args[count..];
        }
    }
    &call.args
}

fn in_order(words: &[PatternWord], args: &[Arg], more: bool) -> bool {
    let Some((word, rest)) = words.split_first() else { return more || args.is_empty() };
    if word.wild && word.text == "*" {
        return (1..=args.len()).any(|taken| in_order(rest, &args[taken..], more));
    }
    let Some((arg, after)) = args.split_first() else { return false };
    let same = |value: &String| if word.wild && !word.quoted { wild(&word.text, value) } else { word.text == *value };
    !arg.values.is_empty() && arg.values.iter().all(same) && in_order(rest, after, more)
}

/// Whether a rule about a whole line with operators is about this one.
pub(crate) fn reaches_line(pattern: &str, line: &str) -> bool {
    let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    wild(&squeeze(pattern), &squeeze(line))
}

/// Whether the rule is reached by this call, in whatever spelling.
pub(crate) fn reaches(pattern: &ShellPattern, call: &Call) -> Match {
    match pattern {
        ShellPattern::Any => Match::Yes,
        ShellPattern::Line { .. } => Match::No,
        ShellPattern::Words { words, more } => {
            let Some((program, rest)) = words.split_first() else { return Match::No };
            let name = program.text.rsplit('/').next().unwrap_or_default().to_ascii_lowercase();
            let called = call.base().to_ascii_lowercase();
            if !wild(&name, called.strip_suffix(".exe").unwrap_or(&called)) {
                return Match::No;
            }
            // A star in the first place may stand for words after the program as well.
            let rest = if program.wild && program.text == "*" { words } else { rest };
            if Loose::new(rest, &call.args, *more, false).fits(0, 0) {
                Match::Yes
            } else if Loose::new(rest, &call.args, *more, true).fits(0, 0) {
                Match::Perhaps
            } else {
                Match::No
            }
        }
    }
}

/// Options may stand anywhere, other words in their order; `holes` stands for what is only known when it runs.
struct Loose<'a> {
    words: &'a [PatternWord],
    args: &'a [Arg],
    more: bool,
    holes: bool,
    tried: std::collections::HashSet<(usize, usize)>,
}

impl<'a> Loose<'a> {
    fn new(words: &'a [PatternWord], args: &'a [Arg], more: bool, holes: bool) -> Self {
        Self { words, args, more, holes, tried: std::collections::HashSet::new() }
    }

    fn fits(&mut self, word: usize, arg: usize) -> bool {
        // A state that was tried before did not fit, or nobody would come here again.
        if !self.tried.insert((word, arg)) {
            return false;
        }
        let (words, args) = (self.words, self.args);
        let Some(wanted) = words.get(word) else {
            let named = |arg: &Arg| {
                words.iter().any(|word| word.text.starts_with('-') && covers(&word.text, std::slice::from_ref(arg)))
            };
            return self.more || args[arg.min(args.len())..].iter().all(|arg| named(arg) || self.holes && arg.open);
        };
        if wanted.wild && wanted.text == "*" {
            return self.fits(word + 1, arg) || arg < args.len() && self.fits(word, arg + 1);
        }
        if wanted.text.starts_with('-') && wanted.text.len() > 1 {
            let present = covers(&wanted.text, args) || self.holes && args.iter().any(|arg| arg.open);
            return present && self.fits(word + 1, arg);
        }
        let Some(here) = args.get(arg) else { return false };
        if self.same(wanted, here) && self.fits(word + 1, arg + 1) {
            return true;
        }
        if here.is_option() {
            return self.fits(word, arg + 1) || !here.text().contains('=') && self.fits(word, arg + 2);
        }
        self.holes && here.open && (self.fits(word, arg + 1) || self.fits(word + 1, arg))
    }

    fn same(&self, wanted: &PatternWord, arg: &Arg) -> bool {
        let equal = |value: &String| wanted.text == *value || wanted.text.contains('*') && wild(&wanted.text, value);
        if arg.values.iter().any(equal) {
            return true;
        }
        self.holes
            && arg.values.is_empty()
            && (arg.open || wanted.text.starts_with(&arg.prefix) || wanted.text.contains('*'))
    }
}

/// Short and long names of the same thing.
const SYNONYMS: &[(&str, char)] = &[
    ("--force", 'f'),
    ("--recursive", 'r'),
    ("--recursive", 'R'),
    ("--delete", 'd'),
    ("--delete", 'D'),
    ("--hard", '\0'),
    ("--all", 'a'),
    ("--no-verify", 'n'),
];

/// True when an option is among the arguments, alone, in a bundle, with a value, or by its other name.
fn covers(option: &str, args: &[Arg]) -> bool {
    let head = option.split('=').next().unwrap_or(option);
    let texts = || {
        args.iter().flat_map(|arg| {
            if arg.values.is_empty() {
                vec![arg.prefix.as_str()]
            } else {
                arg.values.iter().map(String::as_str).collect()
            }
        })
    };
    if option.contains('*') && texts().any(|text| wild(option, text)) {
        return true;
    }
    if texts().any(|text| text == option || !option.contains('=') && text.split('=').next() == Some(head)) {
        return true;
    }
    let bundled = |letter: char| {
        texts().any(|text| {
            text.len() > 1 && text.starts_with('-') && !text.starts_with("--") && text[1..].contains(letter)
        }) || texts().any(|text| SYNONYMS.iter().any(|(long, short)| *short == letter && text == *long))
    };
    let bundled = |letter: char| bundled(letter) || letter == 'r' && bundled('R') || letter == 'R' && bundled('r');
    if let Some(letters) = option.strip_prefix('-').filter(|rest| !rest.starts_with('-') && rest.len() <= 4) {
        return letters.chars().all(bundled);
    }
    SYNONYMS.iter().any(|(long, short)| *long == head && *short != '\0' && bundled(*short))
}
