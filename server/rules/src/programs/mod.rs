//! What single programs do beyond printing: options that run others, files they write, what they destroy.
//!
//! A program that is not known here is the rule's affair. One that is known is looked at option by option, so that `Bash(sort:*)` does not
//! allow `sort --compress-program=sh`.

mod awk;
mod files;
mod find;
mod git;
mod grave;
mod sed;
mod table;

use crate::{
    judgement::Floor,
    walk::{Arg, Input, Sharp, Walk},
};
pub(crate) use git::global_options as git_globals;
use table::Effect;

/// Looks at a listed call.
pub(crate) fn inspect(walk: &mut Walk, at: usize, input: &Input) {
    let name = walk.out.calls[at].base().to_owned();
    // Lent out while the call is looked at: copying long lists is what takes time.
    let taken = std::mem::take(&mut walk.out.calls[at].args);
    look_at(walk, at, &name, &taken, input);
    walk.out.calls[at].args = taken;
}

fn look_at(walk: &mut Walk, at: usize, name: &str, args: &[Arg], input: &Input) {
    options(walk, at, name, args);
    match name {
        "git" => git::inspect(walk, at, args),
        "find" | "gfind" | "bfs" => find::find(walk, args),
        "fd" | "fdfind" => find::fd(walk, args),
        "sed" | "gsed" => sed::inspect(walk, at, args),
        "awk" | "gawk" | "mawk" | "nawk" => awk::inspect(walk, args),
        _ => {}
    }
    files::inspect(walk, at, name, args);
    grave::inspect(walk, at, name, args, input);
    if !table::is_harmless(name) && name != "git" {
        open_arguments(walk, name, args);
    }
    if files::reads(name) {
        for arg in args.iter().filter(|arg| !arg.is_option()) {
            if arg.text().split(['=', ':', '@']).any(crate::paths::is_secret) {
                let words = vec![arg.text().to_owned()];
                walk.out.calls[at]
                    .sharp
                    .push(Sharp { why: format!("reads a file with secrets: {}", arg.shown), words });
            }
            walk.out.reads.push(arg.clone());
        }
    }
    if walk.has_written() && table::runs_project_code(name) {
        walk.unknown(format!("{name} may run a file that was written just before"));
    }
}

/// Looks at the options of a listed call.
pub(crate) fn options(walk: &mut Walk, at: usize, name: &str, args: &[Arg]) {
    let spec = table::options_of(name);
    let mut skip = false;
    for (index, arg) in args.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        let text = arg.text().to_owned();
        if text == "--" {
            break;
        }
        if let Some(found) = table::find(name, spec, &text) {
            let value = match (found.inline, args.get(index + 1)) {
                (Some(inline), _) if arg.exact().is_some() => Arg::known(&inline),
                (Some(_), _) => Arg::hole(&arg.shown, true),
                (None, Some(next)) => next.clone(),
                (None, None) => Arg::hole("", true),
            };
            effect(walk, at, name, &found.option, found.effect, &value);
            skip = found.takes_next;
        }
    }
}

fn effect(walk: &mut Walk, at: usize, name: &str, option: &str, effect: Effect, value: &Arg) {
    match effect {
        Effect::Runs => walk.floor(Floor::RunsProgram, format!("{name} {option} runs another program or loads code")),
        Effect::Writes => {
            if !value.is("-") {
                walk.write(value, Some(at), &[option], &format!("{name} {option}"));
            }
        }
        Effect::Asks => {
            let why = format!("{name} {option} is more than the rule says");
            walk.out.calls[at].sharp.push(Sharp { why, words: vec![option.to_owned()] });
        }
        Effect::Enters => {
            if value.exact().is_none_or(|path| path.starts_with('~')) {
                walk.unknown(format!("{name} {option} leads to a folder that is only known when it runs"));
            } else if !walk.stays_inside(value) {
                walk.unknown(format!("{name} {option} leaves the folder: {}", value.shown));
            }
        }
        Effect::Nothing => {}
    }
}

/// An argument that may turn out to be an option, for a program whose options are not all harmless.
fn open_arguments(walk: &mut Walk, name: &str, args: &[Arg]) {
    let end = args.iter().position(|arg| arg.is("--")).unwrap_or(args.len());
    if let Some(arg) = args[..end].iter().find(|arg| arg.open) {
        walk.unknown(format!("an argument of {name} is only known when it runs: {}", arg.shown));
    }
}

/// True when one of the words is among the arguments.
fn says(args: &[Arg], words: &[&str]) -> bool {
    args.iter().any(|arg| arg.values.iter().any(|value| words.contains(&value.as_str())))
}

/// True for a flag: its letter in any bundle, or its long name, with or without a value, shortened or not.
fn has(args: &[Arg], letter: char, long: &str) -> bool {
    args.iter().any(|arg| {
        let text = arg.text();
        match text.strip_prefix("--") {
            Some(name) => {
                let name = name.split('=').next().unwrap_or(name);
                !long.is_empty() && name.len() >= 3 && long.starts_with(name)
            }
            None => letter != '\0' && text.len() > 1 && text.starts_with('-') && text[1..].contains(letter),
        }
    })
}

/// The arguments that are no options.
fn operands(args: &[Arg]) -> Vec<Arg> {
    let mut all = false;
    let mut out = Vec::new();
    for arg in args {
        if !all && arg.is("--") {
            all = true;
        } else if all || !arg.is_option() {
            out.push(arg.clone());
        }
    }
    out
}
