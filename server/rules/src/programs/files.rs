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
            touch_all(walk, &files);
            target_folder(walk, args);
        }
        "cp" | "install" | "rsync" | "scp" | "ditto" => {
            if let Some(last) = files.last().filter(|last| !is_remote(last)) {
                walk.touch(last);
            }
            target_folder(walk, args);
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
            let creates =
                name.ends_with("tar") && (has(args, 'c', "create") || !first.starts_with('-') && first.contains('c'));
            if creates {
                let file = args.windows(2).find(|pair| {
                    !pair[0].text().starts_with("--") && pair[0].text().ends_with('f') || pair[0].is("--file")
                });
                if let Some(pair) = file.filter(|pair| !pair[1].is("-")) {
                    walk.touch(&pair[1].clone());
                }
            }
            // Old forms without a dash: `tar xfI a.tar sh`.
            if name.ends_with("tar") && !first.starts_with('-') && first.contains(['I', 'F', 'P']) {
                walk.floor(Floor::RunsProgram, "tar runs another program");
            }
            if name == "patch" {
                for pair in
                    args.windows(2).filter(|pair| matches!(pair[0].text(), "-d" | "--directory" | "-o" | "--output"))
                {
                    walk.touch(&pair[1].clone());
                }
            }
        }
        "uniq" | "xxd" if files.len() > 1 => {
            let second = files[1].clone();
            walk.write(&second, Some(at), &[], name);
        }
        "split" | "csplit" => {
            if let Some(prefix) = files.get(1) {
                walk.touch(&prefix.clone());
            }
        }
        _ => {}
    }
}

fn touch_all(walk: &mut Walk, files: &[Arg]) {
    for file in files {
        walk.touch(file);
    }
}

/// `cp -t folder`, `--target-directory=folder`.
fn target_folder(walk: &mut Walk, args: &[Arg]) {
    for (at, arg) in args.iter().enumerate() {
        let text = arg.text();
        let target = match text.strip_prefix("--t").and_then(|rest| rest.split_once('=')) {
            Some((_, inline)) => Some(Arg::known(inline)),
            None if text.starts_with("--t")
                || (!text.starts_with("--") && text.starts_with('-') && text.ends_with('t')) =>
            {
                args.get(at + 1).cloned()
            }
            None => text.strip_prefix("-t").filter(|rest| !rest.is_empty()).map(Arg::known),
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
