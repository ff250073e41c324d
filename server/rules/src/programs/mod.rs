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
mod subcommands;
mod table;

use crate::{
    judgement::Floor,
    walk::{Arg, Input, Sharp, Walk},
};
pub(crate) use git::global_options as git_globals;
use table::Effect;
pub(crate) use table::is_harmless;

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
    subcommands::inspect(walk, at, name, args);
    files::inspect(walk, at, name, args);
    grave::inspect(walk, at, name, args, input);
    if !table::is_harmless(name) && name != "git" {
        open_arguments(walk, name, args);
    }
    if files::reads(name) {
        let pattern = pattern_operand(name, args);
        for (_, arg) in args.iter().enumerate().filter(|(index, _)| Some(*index) != pattern) {
            if may_hold_secrets(arg) {
                let words = vec![arg.shown.clone()];
                walk.out.calls[at]
                    .sharp
                    .push(Sharp { why: format!("reads a file with secrets: {}", arg.shown), words });
            }
            if !arg.is_option() {
                walk.out.reads.push(arg.clone());
            }
        }
    }
    let changes_files = table::runs_project_code(name) && !name.starts_with("docker") || table::formats(name, args);
    let report = |arg: &&Arg| {
        let target = arg.text().strip_prefix("--cov-report=").and_then(|value| value.split_once(':'));
        target.is_some_and(|(_, path)| leads_outside(walk, &Arg::known(path)))
    };
    if let Some(arg) = args.iter().find(report) {
        walk.unknown(format!("{name} writes outside the folder: {}", arg.shown));
    }
    if changes_files && let Some(arg) = operands(args).iter().find(|arg| leads_outside(walk, arg)) {
        walk.unknown(format!("{name} works on files outside the folder: {}", arg.shown));
    }
    if walk.has_written() && table::runs_project_code(name) {
        walk.unknown(format!("{name} may run a file that was written just before"));
    }
}

/// True for what is plainly a path and does not stay in the folder.
fn leads_outside(walk: &Walk, arg: &Arg) -> bool {
    let path = |text: &String| {
        !text.contains(char::is_whitespace)
            && (text.len() > 1 && text.starts_with('/')
                || text.starts_with('~')
                || text.split('/').any(|part| part == ".."))
            && !text.contains("://")
    };
    arg.values.iter().any(path) && (arg.text().starts_with('~') || !walk.stays_inside(arg))
}

/// Which argument is what `grep` looks for, or the script of `sed`, and no file.
fn pattern_operand(name: &str, args: &[Arg]) -> Option<usize> {
    if !matches!(name, "grep" | "egrep" | "fgrep" | "rg" | "ag" | "sed" | "awk" | "gawk" | "jq" | "yq") {
        return None;
    }
    let given_elsewhere = |arg: &Arg| {
        let text = arg.text();
        match text.strip_prefix("--") {
            Some(long) => long.starts_with(['r', 'f', 'e', 's']) || arg.exact().is_none(),
            None => text.starts_with('-') && text.contains(['e', 'f']) || arg.open,
        }
    };
    if args.iter().any(given_elsewhere) {
        return None;
    }
    let counts = |at: usize| matches!(args[at].text(), "-A" | "-B" | "-C" | "-m");
    (0..args.len()).find(|at| !args[*at].is_option() && (*at == 0 || !counts(at - 1)))
}

/// True for an argument that names a file with secrets, or is a pattern for one.
pub(crate) fn may_hold_secrets(arg: &Arg) -> bool {
    if arg.text().starts_with("--exclude") || arg.text().starts_with("--ignore") {
        return false;
    }
    let texts = if arg.values.is_empty() { std::slice::from_ref(&arg.shown) } else { arg.values.as_slice() };
    texts.iter().any(|text| {
        text.split(['=', ':', '@', '<', ';', ',']).any(crate::paths::is_secret)
            || arg.glob && crate::paths::matches_secret(text)
    })
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
        if table::is_unknown(spec)
            && let Some(inline) = text.strip_prefix("-o")
        {
            // Where a program writes that is not known: at least not outside.
            let value = if inline.is_empty() { args.get(index + 1).cloned() } else { Some(Arg::known(inline)) };
            if value.is_some_and(|value| leads_outside(walk, &value)) {
                walk.unknown(format!("{name} -o leaves the folder"));
            }
        }
        if let Some(found) = table::find(name, spec, &text) {
            let value = match (found.inline, args.get(index + 1)) {
                (Some(inline), _) if arg.exact().is_some() => Arg::known(&inline),
                (Some(_), _) => Arg::hole(&arg.shown, true),
                (None, Some(next)) => next.clone(),
                (None, None) => Arg::hole("", true),
            };
            effect(walk, at, name, &found.option, found.effect, &value);
            // A word that looks like an option is looked at, whether or not it is a value.
            skip = found.takes_next && args.get(index + 1).is_some_and(|next| !next.is_option());
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
        Effect::Asks if name == "pnpm" && option == "-r" => {}
        Effect::Asks => {
            let why = format!("{name} {option} is more than the rule says");
            walk.out.calls[at].sharp.push(Sharp { why, words: vec![option.to_owned()] });
        }
        Effect::Enters if value.shown.is_empty() && value.values.is_empty() => {}
        Effect::Enters => {
            if value.exact().is_none_or(|path| path.starts_with('~')) {
                walk.unknown(format!("{name} {option} leads to a folder that is only known when it runs"));
            } else if !walk.stays_inside(value) {
                walk.unknown(format!("{name} {option} leaves the folder: {}", value.shown));
            }
        }
        Effect::Loads => {
            let file = |text: &String| {
                text.contains("..")
                    || !text.starts_with('@') && text.contains(['/', '\\', '{'])
                    || [".js", ".cjs", ".mjs", ".ts"].iter().any(|end| text.ends_with(end))
            };
            if value.values.is_empty() || value.values.iter().any(file) {
                walk.floor(Floor::RunsProgram, format!("{name} {option} loads code: {}", value.shown));
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
