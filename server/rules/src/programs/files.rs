//! Programs whose purpose is to change files: every file they change must be in the folder.

use super::{has, operands};
use crate::{
    judgement::Floor,
    walk::{Arg, Sharp, Walk},
};

pub(super) fn inspect(walk: &mut Walk, at: usize, name: &str, args: &[Arg]) {
    let files = operands(args);
    match name {
        "rm" | "rmdir" | "unlink" | "shred" | "srm" | "trash" | "del" => {
            if name != "rmdir" && (has(args, 'r', "recursive") || has(args, 'R', "")) {
                walk.floor(
                    Floor::RecursiveDelete,
                    format!("deletes folders with all that is in them: {}", shown(&files)),
                );
            }
            if name == "shred" || name == "srm" {
                walk.floor(Floor::Irreversible, format!("destroys files: {}", shown(&files)));
            }
            if files.iter().any(|file| matches!(file.shown.as_str(), "*" | "./*" | "." | "/" | "/*" | "~" | "..")) {
                walk.floor(Floor::RecursiveDelete, "deletes everything in a folder");
            }
            touch_all(walk, &files);
        }
        "touch" | "mkdir" | "tee" | "truncate" | "mkfifo" | "sponge" => touch_all(walk, &files),
        "mv" | "rename" => {
            if files.last().is_some_and(|file| file.is("/dev/null")) {
                walk.floor(Floor::RecursiveDelete, "deletes files by moving them to /dev/null");
            }
            into_folder(walk, &files, true);
            target_folder(walk, args);
        }
        "cp" | "install" | "rsync" | "scp" | "ditto" => {
            into_folder(walk, &files, false);
            target_folder(walk, args);
            let links = |arg: &Arg| {
                arg.text().starts_with("--l") || arg.text().starts_with("--sy") || arg.text().starts_with("--su")
            };
            if name == "cp"
                && (has(args, 's', "") || has(args, 'S', "") || has(args, 'l', "") || args.iter().any(links))
            {
                // What is linked can be written through the link.
                touch_all(walk, &files);
            }
            if name == "rsync" && args.iter().any(|arg| arg.text().starts_with("--del")) {
                walk.floor(Floor::RecursiveDelete, "deletes what is not in the source (rsync --delete)");
            }
        }
        "ln" => {
            touch_all(walk, &files);
            target_folder(walk, args);
        }
        "chmod" | "chown" | "chgrp" | "chattr" | "setfacl" | "xattr" => {
            let changed = if has(args, '\0', "reference") { &files[..] } else { files.get(1..).unwrap_or_default() };
            let root = |file: &Arg| {
                matches!(file.shown.as_str(), "/" | "/*" | "~" | "/etc" | "/usr" | "/bin" | "/var" | "/home" | "/root")
            };
            if files.iter().any(root) {
                walk.floor(
                    Floor::RootPermissions,
                    format!("changes rights or owners of the system: {}", shown(changed)),
                );
            }
            let mode = files.first().map(|arg| arg.text().to_owned()).unwrap_or_default();
            if name == "chmod" && (mode.contains('s') || mode.len() == 4 && mode.starts_with(['2', '4', '6', '7'])) {
                walk.floor(Floor::RootPermissions, "lets a program run with its owner's rights");
            }
            touch_all(walk, changed);
        }
        "dd" => {
            for arg in args {
                if let Some(file) = arg.text().strip_prefix("of=") {
                    walk.touch(&if arg.exact().is_some() { Arg::known(file) } else { Arg::hole(&arg.shown, true) });
                }
            }
        }
        "tar" | "gtar" | "bsdtar" | "unzip" | "cpio" | "7z" | "gunzip" | "patch" => {
            let first = args.first().map(|arg| arg.text().to_owned()).unwrap_or_default();
            if name.ends_with("tar") && changes_archive(args, &first) {
                for file in archives(args).iter().filter(|file| !file.is("-") && !is_remote(file)) {
                    walk.touch(file);
                }
            }
            if let Some(file) = files.iter().find(|file| crate::paths::is_settings(file.text())) {
                walk.floor(Floor::Settings, format!("changes settings or hooks that decide what runs: {}", file.shown));
            }
            // Old forms without a dash: `tar xfI a.tar sh`.
            if name.ends_with("tar") && !first.starts_with('-') && first.contains(['I', 'F', 'P']) {
                walk.floor(Floor::RunsProgram, "tar runs another program");
            }
            if name == "patch" {
                touch_all(walk, &files);
            }
        }
        "zip" => {
            if let Some(archive) = files.first().filter(|file| !file.is("-")) {
                walk.touch(archive);
            }
        }
        "ffmpeg" | "convert" | "magick" | "sox" => {
            let script = |arg: &Arg| {
                let text = arg.text().to_lowercase();
                ["|", "msl:", "mvg:", "ephemeral:"].iter().any(|start| text.starts_with(start))
            };
            if args.iter().any(script) {
                walk.floor(Floor::RunsProgram, format!("{name} runs another program"));
            }
            if let Some(last) = files.last().filter(|_| files.len() > 1) {
                walk.touch(last);
            }
        }
        "protoc" => {
            for arg in args {
                if let Some((_, folder)) = arg.text().split_once("_out=") {
                    walk.touch(&Arg::known(folder.rsplit(':').next().unwrap_or(folder)));
                }
            }
        }
        "cargo" if args.iter().any(|arg| matches!(arg.text(), "new" | "init" | "vendor")) => {
            touch_all(walk, files.get(1..).unwrap_or_default());
        }
        "gh" if files.first().is_none_or(|first| !first.is("repo")) => {}
        "rails" | "svn" | "gh" | "sphinx-build" if files.len() > 1 => {
            for file in files.iter().filter(|file| file.text().starts_with(['/', '~']) || file.text().contains("..")) {
                walk.touch(file);
            }
        }
        "docker" | "podman" | "kubectl" | "oc" | "aws" | "gsutil"
            if args.iter().any(|arg| matches!(arg.text(), "cp" | "sync" | "mv" | "invoke")) =>
        {
            let local = |file: &&Arg| file.text().starts_with(['/', '~', '.']) && !is_remote(file);
            if let Some(target) = files.last().filter(local).filter(|target| !is_here(target)) {
                walk.touch(target);
            }
        }
        "uniq" | "xxd" if files.len() > 1 => {
            let second = files[1].clone();
            walk.write(&second, Some(at), &[], name);
        }
        "split" | "csplit" => {
            // Which word is the prefix depends on the options before it.
            touch_all(walk, files.get(1..).unwrap_or_default());
            for (index, arg) in args.iter().enumerate().filter(|(_, arg)| arg.text().starts_with("-f")) {
                let inline = arg.text().strip_prefix("-f").filter(|rest| !rest.is_empty()).map(Arg::known);
                walk.touch(&inline.or_else(|| args.get(index + 1).cloned()).unwrap_or_default());
            }
        }
        _ => {}
    }
}

/// True for `tar` when it writes an archive: creates, appends, updates, joins, deletes.
fn changes_archive(args: &[Arg], first: &str) -> bool {
    let old = !first.starts_with('-') && first.contains(['c', 'r', 'u', 'A']);
    old || ['c', 'r', 'u', 'A'].iter().any(|letter| has(args, *letter, ""))
        || ["create", "append", "update", "concatenate", "catenate", "delete"].iter().any(|long| has(args, '\0', long))
}

/// The archives that `tar` is given: `-f x`, `-czfx`, `--file=x`, `czf x`.
fn archives(args: &[Arg]) -> Vec<Arg> {
    let mut found = Vec::new();
    for (at, arg) in args.iter().enumerate() {
        let text = arg.text();
        let next = || args.get(at + 1).cloned();
        if let Some(long) = text.strip_prefix("--") {
            let (name, inline) = long.split_once('=').map_or((long, None), |(name, inline)| (name, Some(inline)));
            if name.len() >= 2 && "file".starts_with(name) {
                found.extend(inline.map(Arg::known).or_else(next));
            }
        } else if let Some(letters) = text.strip_prefix('-').or((at == 0).then_some(text))
            && let Some((_, inline)) = letters.split_once('f')
        {
            let attached = text.starts_with('-') && !inline.is_empty();
            found.extend(if attached { Some(Arg::known(inline)) } else { next() });
        }
    }
    found
}

fn touch_all(walk: &mut Walk, files: &[Arg]) {
    for file in files {
        walk.touch(file);
    }
}

/// Files that go where the last word says; `moved` when they are gone where they were.
fn into_folder(walk: &mut Walk, files: &[Arg], moved: bool) {
    let Some((last, sources)) = files.split_last() else { return };
    if moved {
        touch_all(walk, sources);
    }
    if !is_here(last) {
        if moved || !is_remote(last) {
            walk.touch(last);
        }
        return;
    }
    for source in sources {
        let names: Vec<String> = source.values.iter().map(|path| base(path).to_owned()).collect();
        let shown = base(&source.shown).to_owned();
        walk.touch(&Arg { values: names, prefix: String::new(), shown, ..source.clone() });
    }
}

/// True for the folder that the command stands in.
fn is_here(arg: &Arg) -> bool {
    matches!(arg.exact(), Some("." | "./"))
}

fn base(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// `cp -t folder`, `--target-directory=folder`.
fn target_folder(walk: &mut Walk, args: &[Arg]) {
    for (at, arg) in args.iter().enumerate() {
        let text = arg.text();
        let target = match text.strip_prefix("--t").and_then(|rest| rest.split_once('=')) {
            Some((_, inline)) => Some(Arg::known(inline)),
            None if text.starts_with("--t") => args.get(at + 1).cloned(),
            None if text.starts_with('-') && !text.starts_with("--") => match text.split_once('t') {
                Some((flags, _)) if flags.contains('S') => None,
                Some((_, "")) => args.get(at + 1).cloned(),
                Some((_, inline)) => Some(Arg::known(inline)),
                None => None,
            },
            None => None,
        };
        if let Some(target) = target {
            walk.touch(&target);
        }
    }
}

fn is_remote(arg: &Arg) -> bool {
    arg.text().split('/').next().is_some_and(|first| first.contains(':'))
}

fn shown(files: &[Arg]) -> String {
    let names: Vec<&str> = files.iter().take(3).map(|file| file.shown.as_str()).collect();
    names.join(", ")
}

/// Programs that show or pass on what is in the files they are given.
pub(super) fn reads(name: &str) -> bool {
    matches!(
        name,
        "cat"
            | "less"
            | "more"
            | "head"
            | "tail"
            | "bat"
            | "batcat"
            | "cp"
            | "scp"
            | "rsync"
            | "tar"
            | "zip"
            | "aws"
            | "gsutil"
            | "rclone"
            | "base64"
            | "base32"
            | "xxd"
            | "od"
            | "strings"
            | "tac"
            | "nl"
            | "sort"
            | "cut"
            | "openssl"
            | "diff"
            | "mv"
            | "install"
            | "gpg"
            | "curl"
            | "wget"
            | "dd"
            | "hexdump"
            | "code"
            | "grep"
            | "egrep"
            | "fgrep"
            | "rg"
            | "ag"
            | "sed"
            | "awk"
            | "gawk"
            | "jq"
            | "yq"
            | "paste"
            | "join"
            | "comm"
            | "uniq"
            | "tr"
            | "tee"
            | "fold"
            | "rev"
            | "column"
            | "cmp"
            | "ln"
            | "split"
            | "nc"
            | "ssh-add"
            | "zcat"
            | "iconv"
            | "fmt"
            | "pr"
            | "look"
            | "xargs"
            | "vim"
            | "nano"
            | "open"
            | "pbcopy"
            | "xclip"
            | "git"
    )
}

/// A call whose rule must name one of the words.
pub(super) fn sharp(walk: &mut Walk, at: usize, why: &str, words: &[&str]) {
    let words = words.iter().map(|word| (*word).to_owned()).collect();
    walk.out.calls[at].sharp.push(Sharp { why: why.to_owned(), words });
}
