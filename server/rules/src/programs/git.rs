//! git: global options, aliases, options that run programs, settings, and what cannot be taken back.

use super::{files::sharp, has, says};
use crate::{
    judgement::Floor,
    walk::{Arg, Walk},
};

/// Settings that change how git looks, not what it runs.
const HARMLESS_SETTINGS: &[&str] = &[
    "color.",
    "core.quotepath",
    "core.abbrev",
    "core.autocrlf",
    "core.safecrlf",
    "core.eol",
    "user.name",
    "user.email",
    "advice.",
    "init.defaultbranch",
    "log.",
    "status.",
    "column.",
    "diff.renames",
    "diff.context",
    "diff.algorithm",
    "diff.noprefix",
    "diff.mnemonicprefix",
    "diff.renamelimit",
    "commit.gpgsign",
    "tag.gpgsign",
    "merge.conflictstyle",
    "merge.renames",
    "pull.rebase",
    "pull.ff",
    "merge.ff",
    "protocol.version",
    "gc.auto",
    "http.postbuffer",
    "versionsort.",
    "blame.",
    "format.pretty",
    "push.default",
    "rebase.autostash",
];

/// What git itself can do; other words may be aliases for anything.
const COMMANDS: &[&str] = &[
    "add",
    "am",
    "annotate",
    "apply",
    "archive",
    "bisect",
    "blame",
    "branch",
    "bundle",
    "cat-file",
    "check-attr",
    "check-ignore",
    "check-ref-format",
    "checkout",
    "cherry",
    "cherry-pick",
    "clean",
    "clone",
    "commit",
    "commit-tree",
    "config",
    "count-objects",
    "credential",
    "describe",
    "diff",
    "diff-files",
    "diff-index",
    "diff-tree",
    "difftool",
    "fetch",
    "filter-branch",
    "filter-repo",
    "for-each-ref",
    "for-each-repo",
    "format-patch",
    "fsck",
    "gc",
    "grep",
    "hash-object",
    "help",
    "hook",
    "init",
    "instaweb",
    "interpret-trailers",
    "log",
    "ls-files",
    "ls-remote",
    "ls-tree",
    "maintenance",
    "merge",
    "merge-base",
    "merge-file",
    "merge-tree",
    "mergetool",
    "mv",
    "name-rev",
    "notes",
    "pack-refs",
    "prune",
    "pull",
    "push",
    "range-diff",
    "read-tree",
    "rebase",
    "reflog",
    "remote",
    "repack",
    "replace",
    "request-pull",
    "rerere",
    "reset",
    "restore",
    "rev-list",
    "rev-parse",
    "revert",
    "rm",
    "send-email",
    "send-pack",
    "shortlog",
    "show",
    "show-branch",
    "show-ref",
    "sparse-checkout",
    "stage",
    "stash",
    "status",
    "stripspace",
    "submodule",
    "subtree",
    "switch",
    "symbolic-ref",
    "tag",
    "update-index",
    "update-ref",
    "upload-pack",
    "var",
    "verify-commit",
    "verify-tag",
    "version",
    "whatchanged",
    "worktree",
    "write-tree",
    "lfs",
    "daemon",
    "svn",
    "p4",
];

/// How many words git's own options take, up to its command. Only those that change nothing are counted as `plain`.
pub(crate) fn global_options(args: &[Arg]) -> (usize, bool) {
    let (mut at, mut plain) = (0, true);
    while let Some(arg) = args.get(at) {
        let text = arg.text();
        match text {
            "--no-pager"
            | "--no-optional-locks"
            | "--literal-pathspecs"
            | "--no-replace-objects"
            | "--icase-pathspecs"
            | "--glob-pathspecs"
            | "--noglob-pathspecs" => at += 1,
            "-C" | "-c" => at += 2,
            "--git-dir" | "--work-tree" | "--namespace" | "--exec-path" | "--super-prefix" | "--config-env"
            | "--attr-source" | "--list-cmds" => {
                plain = false;
                at += 2;
            }
            _ if text.starts_with('-') => {
                plain = false;
                at += 1;
            }
            _ => break,
        }
    }
    (at.min(args.len()), plain)
}

pub(super) fn inspect(walk: &mut Walk, at: usize, args: &[Arg]) {
    let (globals, _) = global_options(args);
    settings_in_line(walk, &args[..globals]);
    let Some(command) = args.get(globals) else { return };
    let rest = &args[globals + 1..];
    let Some(name) = command.exact().map(str::to_owned) else {
        walk.unknown(format!("what git does is only known when it runs: {}", command.shown));
        return;
    };
    if !COMMANDS.contains(&name.as_str()) {
        sharp(walk, at, &format!("git {name} may be an alias for anything"), &[&name]);
    }
    if args.iter().any(|arg| arg.text().contains("ext::") || arg.text().contains("fd::")) {
        walk.floor(Floor::RunsProgram, "git runs a program in the place of a server (ext::)");
    }
    options(walk, at, &name, rest);
    commands(walk, at, &name, rest);
    open(walk, &name, rest);
}

fn settings_in_line(walk: &mut Walk, globals: &[Arg]) {
    let mut at = 0;
    while let Some(arg) = globals.get(at) {
        let text = arg.text().to_owned();
        at += 1;
        match text.as_str() {
            "-c" => {
                let setting = globals.get(at).and_then(Arg::exact).unwrap_or_default().to_lowercase();
                let key = setting.split('=').next().unwrap_or_default();
                let pager = setting == "core.pager=cat"
                    || setting == "core.pager="
                    || setting.starts_with("pager.")
                        && setting.split_once('=').is_some_and(|(_, value)| value == "false")
                    || setting == "core.editor=true";
                if !pager
                    && !HARMLESS_SETTINGS
                        .iter()
                        .any(|known| key == *known || known.ends_with('.') && key.starts_with(known))
                {
                    walk.floor(Floor::RunsProgram, format!("a setting can make git run a program: -c {setting}"));
                }
                at += 1;
            }
            "-C" => {
                let target = globals.get(at).cloned().unwrap_or_default();
                if target.exact().is_none_or(|path| path.starts_with('~')) || !walk.stays_inside(&target) {
                    walk.unknown(format!("git -C leaves the folder: {}", target.shown));
                }
                at += 1;
            }
            _ if text.starts_with("-c") || text.starts_with("-C") || text.starts_with("--attr-source") => {
                walk.unknown(format!("an option of git that is not known: {text}"));
            }
            "-p" | "--paginate" => walk.floor(Floor::RunsProgram, "git shows its output with another program (-p)"),
            _ if text.starts_with("--exec-path=")
                || text.starts_with("--config-env")
                || text == "--exec-path" && at < globals.len() =>
            {
                walk.floor(Floor::RunsProgram, format!("git takes its programs or settings from elsewhere: {text}"));
            }
            _ if text.starts_with("--git-dir")
                || text.starts_with("--work-tree")
                || text.starts_with("--super-prefix") =>
            {
                walk.floor(Floor::RunsProgram, format!("git takes its settings from elsewhere: {text}"));
                at += usize::from(!text.contains('='));
            }
            _ => {}
        }
    }
}

/// Options that run programs or write files, whatever the command.
fn options(walk: &mut Walk, at: usize, name: &str, args: &[Arg]) {
    let mut skip = false;
    for (index, arg) in args.iter().enumerate() {
        if std::mem::take(&mut skip) {
            continue;
        }
        let text = arg.text().to_owned();
        if text == "--" {
            break;
        }
        // `commit -m --output=x` has a message, no file.
        if matches!(text.as_str(), "-m" | "--message")
            || matches!(text.as_str(), "-F" | "-C" | "-c" | "--author" | "--date") && name == "commit"
        {
            skip = true;
            continue;
        }
        let (head, value) = text.split_once('=').map_or((text.as_str(), None), |(head, value)| (head, Some(value)));
        let is = |long: &str| head == long || head.len() >= 3 && head.starts_with("--") && long.starts_with(head);
        let next = || args.get(index + 1).cloned().unwrap_or_default();
        let runs = is("--ext-diff")
            || head != "--text" && is("--textconv")
            || is("--upload-pack")
            || is("--receive-pack")
            || is("--exec")
            || is("--open-files-in-pager")
            || is("--extcmd")
            || is("--tool")
            || is("--template") && matches!(name, "clone" | "init")
            || is("--config") && name == "clone"
            || is("--filters") && name == "cat-file"
            || is("--trailer-command")
            || is("--strategy") && matches!(name, "merge" | "rebase" | "pull" | "cherry-pick" | "revert");
        let letter = |wanted: char| text.starts_with('-') && !text.starts_with("--") && text[1..].contains(wanted);
        let runs_by_letter = match name {
            "grep" => letter('O') && !text.starts_with("-e"),
            "rebase" => letter('x') || letter('i') || is("--edit-todo"),
            "merge" | "pull" => letter('s') && is_strange_strategy(&text, &next()),
            "help" => letter('w') || letter('i') || is("--web") || is("--info"),
            "clone" | "ls-remote" | "fetch-pack" => text.starts_with("-u") || name == "clone" && text.starts_with("-c"),
            "difftool" | "mergetool" => true,
            _ => false,
        };
        if runs && !(is("--strategy") && is_strategy(value.unwrap_or(next().text()))) || runs_by_letter {
            walk.floor(Floor::RunsProgram, format!("git {name} {head} runs another program"));
        }
        if is("--output") && !text.starts_with("--output-indicator") {
            let target = match value {
                Some(value) if arg.exact().is_some() => Arg::known(value),
                Some(_) => Arg::hole(&arg.shown, true),
                None => next(),
            };
            walk.write(&target, Some(at), &["--output"], &format!("git {name} --output"));
        }
        if matches!(name, "format-patch" | "archive") && (text.starts_with("-o") || is("--output-directory")) {
            let inline = value.or(text.strip_prefix("-o").filter(|rest| !rest.is_empty()));
            let target = match inline {
                Some(_) if arg.exact().is_none() => Arg::hole(&arg.shown, true),
                inline => inline.map_or_else(next, Arg::known),
            };
            walk.write(&target, Some(at), &["-o", "--output-directory"], &format!("git {name} -o"));
        }
        if is("--no-verify") && matches!(name, "commit" | "push" | "merge" | "am" | "rebase")
            || name == "commit" && text.split('m').next().is_some_and(|flags| letter('n') && flags.contains('n'))
        {
            sharp(walk, at, "skips the project's own checks", &["--no-verify", "-n"]);
        }
    }
}

fn commands(walk: &mut Walk, at: usize, name: &str, args: &[Arg]) {
    let lost = |walk: &mut Walk, what: &str| walk.floor(Floor::Irreversible, what);
    let first = args.iter().find(|arg| !arg.is_option()).map(|arg| arg.text().to_owned()).unwrap_or_default();
    match name {
        "push" => {
            let forced = has(args, 'f', "force")
                || has(args, '\0', "force-with-lease")
                || has(args, '\0', "force-if-includes")
                || says(args, &["--mirror", "--prune"])
                || args.iter().any(|arg| arg.text().starts_with('+'));
            let deletes = has(args, 'd', "delete") || args.iter().any(|arg| arg.text().starts_with(':'));
            if forced || deletes {
                walk.floor(Floor::ForcePush, "overwrites or deletes what others may have (push)");
            }
        }
        "config" => {
            let reads =
                says(args, &["--get", "--get-all", "--get-regexp", "--list", "-l", "--get-urlmatch", "--show-origin"])
                    || matches!(first.as_str(), "list" | "get");
            let reads = reads && !says(args, &["--add", "--replace-all", "--unset", "--unset-all"]);
            let operands = args.iter().filter(|arg| !arg.is_option()).count();
            if !reads
                && (operands != 1
                    || has(args, 'e', "edit")
                    || has(args, '\0', "unset")
                    || has(args, '\0', "remove-section")
                    || has(args, '\0', "add")
                    || matches!(first.as_str(), "edit" | "unset" | "set"))
            {
                walk.floor(Floor::Settings, "changes git's settings");
            }
        }
        "difftool" | "mergetool" | "hook" | "instaweb" | "daemon" | "for-each-repo" | "send-email"
        | "filter-branch" | "filter-repo" | "credential" => {
            walk.floor(Floor::RunsProgram, format!("git {name} runs other programs"))
        }
        "maintenance" if !matches!(first.as_str(), "run") => {
            walk.floor(Floor::Settings, "makes git run something by itself later")
        }
        "submodule" if matches!(first.as_str(), "foreach" | "update" | "add" | "set-url") => {
            sharp(walk, at, "a submodule can bring programs along", &[&first])
        }
        "fetch" | "pull" if has(args, 'f', "force") || args.iter().any(|arg| arg.text().starts_with('+')) => {
            sharp(walk, at, "overwrites a branch", &["-f", "--force"]);
        }
        "merge-file" => {
            if let Some(file) = args.iter().find(|arg| !arg.is_option()) {
                walk.touch(file);
            }
        }
        "bisect" if matches!(first.as_str(), "visualize" | "view") => {
            walk.floor(Floor::RunsProgram, "git bisect opens another program")
        }
        "bisect" if first == "run" => walk.floor(Floor::RunsProgram, "git bisect run runs another program"),
        "reset" if says(args, &["--hard", "--merge", "--keep"]) || has(args, '\0', "hard") => {
            lost(walk, "throws away uncommitted changes (reset --hard)")
        }
        "clean" if !has(args, 'n', "dry-run") => {
            walk.floor(Floor::RecursiveDelete, "deletes files that git does not know (clean)")
        }
        "checkout" | "switch" if has(args, 'f', "force") || says(args, &["--discard-changes"]) => {
            lost(walk, "throws away uncommitted changes")
        }
        "checkout" | "restore"
            if says(args, &[".", ":/", "*", "./", ":"])
                && !(name == "restore" && says(args, &["--staged", "-S"]) && !says(args, &["--worktree", "-W"])) =>
        {
            lost(walk, "throws away all uncommitted changes");
        }
        "checkout" if says(args, &["--"]) => sharp(walk, at, "throws away uncommitted changes of some files", &["--"]),
        "checkout" | "switch" if has(args, 'B', "") || has(args, 'C', "force-create") => {
            sharp(walk, at, "overwrites a branch", &["-B", "-C", "--force-create"])
        }
        "checkout"
            if has(args, '\0', "pathspec-from-file")
                || !has(args, 'b', "")
                    && !has(args, 't', "track")
                    && !has(args, '\0', "orphan")
                    && args.iter().filter(|arg| !arg.is_option()).count() > 1 =>
        {
            let files: Vec<&str> = args.iter().filter(|arg| !arg.is_option()).map(Arg::text).collect();
            sharp(walk, at, "throws away uncommitted changes of some files", &files);
        }
        "read-tree" if has(args, '\0', "reset") => lost(walk, "throws away uncommitted changes (read-tree --reset)"),
        "stash" if matches!(first.as_str(), "drop" | "clear") => lost(walk, "deletes stashed changes"),
        "reflog" if matches!(first.as_str(), "expire" | "delete") => {
            lost(walk, "deletes the way back to earlier states")
        }
        "prune" if !has(args, 'n', "dry-run") => lost(walk, "deletes the way back to earlier states"),
        "gc" if args.iter().any(|arg| arg.text().starts_with("--prune") || arg.text().starts_with("--expire")) => {
            lost(walk, "deletes the way back to earlier states")
        }
        "update-ref" if has(args, 'd', "delete") || says(args, &["--stdin"]) => {
            lost(walk, "deletes a branch or tag directly")
        }
        "update-ref" | "symbolic-ref" if args.iter().filter(|arg| !arg.is_option()).count() > 1 => {
            sharp(walk, at, "moves a branch directly", &[name]);
        }
        "branch"
            if has(args, 'D', "")
                || has(args, 'd', "delete")
                || has(args, 'f', "force")
                || has(args, 'M', "")
                || has(args, 'm', "move")
                || has(args, 'C', "") =>
        {
            sharp(
                walk,
                at,
                "deletes, moves or overwrites a branch",
                &["-D", "-d", "--delete", "-f", "--force", "-m", "-M", "--move", "-C"],
            );
        }
        "branch" if has(args, '\0', "edit-description") => walk.floor(Floor::RunsProgram, "git opens an editor"),
        "tag" if has(args, 'd', "delete") || has(args, 'f', "force") => {
            sharp(walk, at, "deletes or overwrites a tag", &["-d", "--delete", "-f", "--force"])
        }
        "remote"
            if matches!(
                first.as_str(),
                "set-url" | "add" | "remove" | "rm" | "rename" | "set-head" | "set-branches" | "prune"
            ) =>
        {
            sharp(walk, at, "changes where commits are sent to", &[&first])
        }
        "worktree" if matches!(first.as_str(), "add" | "move" | "remove") => {
            // Whether a word is the folder or a branch depends on the options before it.
            for arg in args.iter().filter(|arg| !arg.is_option()).skip(1) {
                walk.touch(arg);
            }
            if first == "remove" {
                sharp(walk, at, "deletes a work tree", &["remove"]);
            }
        }
        "clone" | "init" => {
            let operands: Vec<&Arg> = args.iter().filter(|arg| !arg.is_option()).collect();
            let target = operands.get(usize::from(name == "clone"));
            if let Some(target) = target {
                walk.touch(&(*target).clone());
            }
            for (index, arg) in args.iter().enumerate().filter(|(_, arg)| arg.text().starts_with("--separate")) {
                let inline = arg.text().split_once('=').map(|(_, path)| Arg::known(path));
                walk.touch(&inline.or_else(|| args.get(index + 1).cloned()).unwrap_or_default());
            }
        }
        "mv" => {
            for arg in args.iter().filter(|arg| !arg.is_option()) {
                walk.touch(arg);
            }
        }
        "rm" if has(args, 'r', "") && !has(args, '\0', "cached") => {
            walk.floor(Floor::RecursiveDelete, "deletes folders with all that is in them (git rm -r)")
        }
        "commit" if has(args, '\0', "amend") => sharp(walk, at, "rewrites the last commit", &["--amend"]),
        "add" | "commit" => {
            if let Some(arg) = args.iter().find(|arg| crate::paths::is_secret(arg.text())) {
                let word = arg.text().to_owned();
                sharp(walk, at, "puts a file with secrets into the history", &[&word]);
            }
        }
        "apply" if has(args, '\0', "unsafe-paths") => {
            walk.floor(Floor::WriteOutside, "writes outside the folder (git apply --unsafe-paths)");
        }
        "bundle" if first == "create" => {
            let path = args.iter().filter(|arg| !arg.is_option()).nth(1).cloned().unwrap_or_default();
            walk.touch(&path);
        }
        "replace" | "notes" if has(args, '\0', "edit") || first == "edit" => {
            walk.floor(Floor::RunsProgram, "git opens an editor")
        }
        "lfs" if matches!(first.as_str(), "install" | "uninstall" | "migrate" | "prune") => {
            walk.floor(Floor::Settings, "changes git's settings and hooks (lfs)")
        }
        "rebase" if has(args, '\0', "interactive") => walk.floor(Floor::RunsProgram, "git opens an editor"),
        "archive" if has(args, '\0', "remote") => sharp(walk, at, "talks to a server", &["--remote"]),
        "diff" | "log" | "show" | "blame" if args.iter().any(|arg| arg.text().starts_with("--contents")) => {}
        _ => {}
    }
}

/// Ways of merging that git brings along; another name is another program.
fn is_strategy(name: &str) -> bool {
    matches!(name, "ours" | "recursive" | "ort" | "theirs" | "resolve" | "octopus" | "subtree")
}

/// `-s NAME`, `-sNAME`; `-s` of other commands has nothing after it.
fn is_strange_strategy(text: &str, next: &Arg) -> bool {
    match text.strip_prefix("-s") {
        Some("") => !is_strategy(next.text()),
        Some(inline) => !is_strategy(inline),
        None => false,
    }
}

/// Arguments that may turn out to be options, where options can do harm.
fn open(walk: &mut Walk, name: &str, args: &[Arg]) {
    let end = args.iter().position(|arg| arg.is("--")).unwrap_or(args.len());
    let harmless = matches!(
        name,
        "status"
            | "add"
            | "rev-parse"
            | "ls-files"
            | "ls-tree"
            | "describe"
            | "stage"
            | "merge-base"
            | "name-rev"
            | "check-ignore"
            | "show-ref"
            | "symbolic-ref"
    );
    for (at, arg) in args[..end].iter().enumerate() {
        let message = at > 0
            && matches!(
                args[at - 1].text(),
                "-m" | "--message" | "-F" | "--author" | "--date" | "-am" | "--grep" | "-S" | "-G"
            )
            && is_one_word(arg);
        if arg.open && !harmless && !message {
            walk.unknown(format!("an argument of git {name} is only known when it runs: {}", arg.shown));
        }
    }
}

/// A quoted word stays one word whatever is in it. Unquoted ones were marked by the walk.
fn is_one_word(arg: &Arg) -> bool {
    !arg.splits
}
