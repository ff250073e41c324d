//! `find` and `fd`: they do to every file what they are told.

use crate::{
    judgement::Floor,
    walk::{Arg, Input, Walk},
};

pub(super) fn find(walk: &mut Walk, args: &[Arg]) {
    let named = args.windows(2).any(|pair| {
        matches!(pair[0].text(), "-name" | "-iname" | "-path" | "-wholename")
            && (super::may_hold_secrets(&pair[1]) || crate::paths::matches_secret(pair[1].text()))
    });
    let started = args.iter().take_while(|arg| !arg.is_option()).any(super::may_hold_secrets);
    if named || started {
        walk.secret_names = true;
        if args.iter().any(|arg| matches!(arg.text(), "-exec" | "-execdir" | "-ok" | "-okdir")) {
            walk.unknown("finds files with secrets and reads them");
        }
    }
    let starts_plain = args.first().is_none_or(|arg| !arg.open && !arg.text().starts_with('-') || arg.is_option());
    let mut at = 0;
    while let Some(arg) = args.get(at) {
        let text = arg.text().to_owned();
        at += 1;
        match text.as_str() {
            "-delete" => walk.floor(Floor::RecursiveDelete, "deletes every file that find comes across"),
            "-exec" | "-execdir" | "-ok" | "-okdir" => {
                let end =
                    args[at..].iter().position(|arg| arg.is(";") || arg.is("+")).map_or(args.len(), |end| at + end);
                let mut called = args[at..end].to_vec();
                if end == args.len() {
                    walk.unknown("find -exec has no end");
                }
                delegate(walk, &mut called, starts_plain, &format!("find {text}"));
                at = (end + 1).min(args.len());
            }
            "-fprint" | "-fprint0" | "-fls" | "-fprintf" => {
                if let Some(file) = args.get(at).cloned() {
                    walk.write(&file, None, &[text.as_str()], &format!("find {text}"));
                }
                at += 1;
            }
            "-files0-from" => walk.unknown("find takes its folders from a file"),
            _ => {}
        }
    }
}

pub(super) fn fd(walk: &mut Walk, args: &[Arg]) {
    for (at, arg) in args.iter().enumerate() {
        let text = arg.text();
        let bundle = text.starts_with('-') && !text.starts_with("--") && text.contains(['x', 'X']);
        if bundle || text.starts_with("--exec") {
            let mut called = args[at + 1..].to_vec();
            if let Some((_, inline)) = text.split_once('=') {
                called.insert(0, Arg::known(inline));
            }
            delegate(walk, &mut called, true, "fd --exec");
            return;
        }
    }
}

/// A program that is called for files: their names take the place of `{}`.
fn delegate(walk: &mut Walk, called: &mut [Arg], starts_plain: bool, via: &str) {
    let deletes = called
        .first()
        .is_some_and(|arg| matches!(arg.text().rsplit('/').next(), Some("rm" | "unlink" | "shred" | "rmdir")));
    if deletes {
        walk.floor(Floor::RecursiveDelete, "deletes every file that find comes across");
    }
    let writes = called.first().is_some_and(|arg| {
        matches!(arg.text(), "mv" | "cp" | "chmod" | "chown" | "truncate" | "tee" | "touch" | "ln" | "dd" | "install")
    });
    if writes {
        walk.unknown(format!("{via} changes every file it comes across"));
    }
    for arg in called.iter_mut() {
        if arg.shown.contains("{}") {
            // Names begin with the folder that is searched: they are no options.
            let prefix = arg.shown.split("{}").next().unwrap_or_default().to_owned();
            let open = prefix.is_empty() && !starts_plain;
            *arg = Arg { prefix, ..Arg::hole(&arg.shown, open) };
        }
    }
    walk.delegate(via, called.to_vec(), Input::Nothing);
}
