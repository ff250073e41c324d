//! What git does that cannot be taken back, or that others see.

use super::{
    line::{Call, Walk},
    paths::is_secret,
    programs::{has, names, says},
    shell::Word,
};

/// Judges a call of git.
pub(super) fn judge(walk: &mut Walk<'_>, call: &Call<'_>) {
    if call.program != "git" {
        return;
    }
    let Some((command, args)) = command_of(call.args) else { return };
    let findings = &mut *walk.findings;
    if call.args.iter().any(|word| {
        ["core.sshCommand=", "core.hooksPath=", "core.pager=", "core.fsmonitor="]
            .iter()
            .any(|key| word.text.starts_with(key))
    }) {
        findings.medium("makes git run another program");
    }
    if matches!(command, "commit" | "push" | "merge" | "am") && says(args, &["--no-verify"]) {
        findings.medium("skips the project's own checks (--no-verify)");
    }
    match command {
        "push" => push(walk, args),
        "reset" if says(args, &["--hard", "--merge"]) => {
            findings.high("throws away all uncommitted changes (reset --hard)")
        }
        "clean" if has(args, 'f', "force") => findings.high("deletes all files that git does not know (clean)"),
        "checkout" | "switch" if has(args, 'f', "force") || says(args, &["--discard-changes"]) => {
            findings.high("throws away uncommitted changes");
        }
        "checkout" | "restore" if says(args, &[".", ":/", "*"]) && !says(args, &["--staged", "-S"]) => {
            findings.high("throws away all uncommitted changes");
        }
        "checkout" if says(args, &["--"]) => findings.medium("throws away uncommitted changes of some files"),
        "restore" if !says(args, &["--staged", "-S"]) => {
            findings.medium(format!("throws away uncommitted changes: {}", names(args)));
        }
        "branch" if has(args, 'D', "") || (has(args, 'd', "delete") && has(args, 'f', "force")) => {
            findings.medium(format!("deletes a branch, merged or not: {}", names(args)));
        }
        "tag" if has(args, 'd', "delete") => findings.medium(format!("deletes a tag: {}", names(args))),
        "stash" if says(args, &["drop", "clear"]) => findings.high("deletes stashed changes"),
        "filter-branch" | "filter-repo" | "replace" => findings.high("rewrites the whole history"),
        "rebase" if !says(args, &["--abort", "--continue", "--skip", "--quit"]) => {
            findings.medium("rewrites history (rebase)")
        }
        "commit" if says(args, &["--amend"]) => findings.medium("rewrites the last commit (--amend)"),
        "reflog" if says(args, &["expire", "delete"]) => {
            findings.high("deletes the way back to earlier states (reflog)")
        }
        "gc" | "prune" if args.iter().any(|word| word.text.starts_with("--prune") || word.text == "--expire=now") => {
            findings.high("deletes the way back to earlier states (gc --prune)");
        }
        "update-ref" if has(args, 'd', "") => findings.high("deletes a branch or tag directly"),
        "config" if says(args, &["--global", "--system"]) && !says(args, &["--get", "--list", "-l"]) => {
            findings.medium("changes git's settings for all projects");
        }
        "remote" if says(args, &["set-url", "add", "remove", "rm"]) => {
            findings.medium("changes where commits are sent to");
        }
        "worktree" if says(args, &["remove"]) && has(args, 'f', "force") => {
            findings.medium("deletes a work tree with its changes");
        }
        "add" | "commit" => {
            if let Some(word) = args.iter().find(|word| is_secret(&word.text)) {
                findings.medium(format!("puts a file with secrets into the history: {}", word.text));
            }
        }
        _ => {}
    }
}

fn push(walk: &mut Walk<'_>, args: &[Word]) {
    let forced = has(args, 'f', "force")
        || has(args, '\0', "force-with-lease")
        || says(args, &["--mirror"])
        || args.iter().skip(1).any(|word| word.text.starts_with('+'));
    let deletes = has(args, 'd', "delete") || args.iter().skip(1).any(|word| word.text.starts_with(':'));
    if forced {
        walk.findings.high("overwrites history that others may have (force push)");
    }
    if deletes {
        walk.findings.high("deletes a branch or tag on the server");
    }
    if !forced && !deletes && !says(args, &["--dry-run", "-n"]) {
        walk.findings.medium("sends commits to a server where others see them");
    }
}

/// The command after git's own options, and what follows it.
fn command_of(args: &[Word]) -> Option<(&str, &[Word])> {
    let mut at = 0;
    loop {
        let text = args.get(at)?.text.as_str();
        match text {
            "-C" | "-c" | "--git-dir" | "--work-tree" | "--namespace" => at += 2,
            _ if text.starts_with('-') => at += 1,
            _ => return Some((text, &args[at + 1..])),
        }
    }
}
