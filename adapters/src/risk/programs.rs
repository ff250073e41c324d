//! What the programs of the machine itself do: delete, overwrite, escalate, stop.

mod calling;

use super::{
    Findings,
    line::{Call, Walk},
    paths::{PlaceKind, is_rebuildable},
    shell::Word,
    some_of,
};

pub(super) use calling::{assignment, called_by, inline_code, inline_program, is_interpreter, is_shell, reads_files};

/// Judges one program.
pub(super) fn judge(walk: &mut Walk<'_>, call: &Call<'_>) {
    match call.program {
        "rm" | "rmdir" | "unlink" | "remove-item" | "Remove-Item" | "del" | "rd" | "trash" => delete(walk, call),
        "shred" | "srm" | "wipe" => {
            walk.findings.high(format!("destroys files beyond recovery: {}", names(call.args)));
        }
        "chmod" | "chown" | "chgrp" | "setfacl" => permissions(walk, call),
        "mv" | "cp" | "install" | "ln" | "tee" | "touch" | "mkdir" | "truncate" | "rsync" | "sed" | "patch" | "tar"
        | "unzip" => {
            write(walk, call);
        }
        _ => {
            disk(call, walk.findings);
            system(call, walk.findings);
            agents(call, walk.findings);
        }
    }
    if reads_files(call.program) {
        let skipped = usize::from(calling::takes_a_pattern(call.program));
        for word in operands(call.args).skip(skipped) {
            walk.place(&word.text).judge_read(walk.findings);
        }
    }
}

/// The arguments that are no options.
pub(super) fn operands(args: &[Word]) -> impl Iterator<Item = &Word> {
    let end = args.iter().position(|word| word.text == "--").unwrap_or(args.len());
    args.iter()
        .enumerate()
        .filter(move |(at, word)| *at > end || (*at < end && !word.text.starts_with('-')))
        .map(|(_, word)| word)
}

/// Whether an option is given: a letter, alone or in a bundle, or its long name.
pub(super) fn has(args: &[Word], letter: char, long: &str) -> bool {
    let options = args.iter().map(|word| word.text.as_str()).take_while(|text| *text != "--");
    options.filter(|text| text.starts_with('-')).any(|text| match text.strip_prefix("--") {
        Some(name) => !long.is_empty() && (name == long || name.starts_with(&format!("{long}="))),
        None => letter != '\0' && text.chars().skip(1).any(|each| each == letter),
    })
}

/// Whether one of these words is among the arguments.
pub(super) fn says(args: &[Word], words: &[&str]) -> bool {
    args.iter().any(|word| words.contains(&word.text.as_str()))
}

pub(super) fn names(args: &[Word]) -> String {
    some_of(operands(args).map(|word| word.text.as_str()))
}

fn delete(walk: &mut Walk<'_>, call: &Call<'_>) {
    let args = call.args;
    let recursive =
        has(args, 'r', "recursive") || has(args, 'R', "") || says(args, &["-Recurse", "-recurse", "/s", "/S"]);
    let targets: Vec<&str> = operands(args).map(|word| word.text.as_str()).filter(|text| *text != "/s").collect();
    if call.program == "rmdir" && !recursive {
        // It takes only folders with nothing in them.
        return;
    }
    if targets.iter().any(|target| names_everything(target)) {
        walk.findings.high(format!("deletes everything: {}", some_of(targets.into_iter())));
        return;
    }
    let far = targets.iter().any(|target| walk.is_far(target));
    let where_to = some_of(targets.iter().copied());
    if recursive {
        let rebuildable = !targets.is_empty() && targets.iter().all(|target| is_rebuildable(target));
        let reason = format!("deletes files recursively: {where_to}");
        if rebuildable && !far { walk.findings.medium(reason) } else { walk.findings.high(reason) }
    } else if !targets.is_empty() || call.input.any {
        walk.findings.medium(format!("deletes files: {where_to}"));
    }
    if far {
        walk.findings.high(format!("deletes outside the folder: {where_to}"));
    }
}

/// The root, the home folder, the folder itself, or all there is in one of them.
fn names_everything(target: &str) -> bool {
    let bare = target.trim_end_matches('*').trim_end_matches('/').trim_end_matches("/.");
    matches!(bare, "" | "~" | "$HOME" | "${HOME}" | "." | "..") && !target.is_empty() && target != "$()"
}

fn permissions(walk: &mut Walk<'_>, call: &Call<'_>) {
    let args = call.args;
    let recursive = has(args, 'R', "recursive");
    let targets: Vec<&str> = operands(args).map(|word| word.text.as_str()).collect();
    let Some((setting, files)) = targets.split_first() else { return };
    let where_to = some_of(files.iter().copied());
    if call.program == "chmod" {
        let open = matches!(
            *setting,
            "777" | "0777" | "a+rwx" | "ugo+rwx" | "666" | "0666" | "a+w" | "o+w" | "+rwx" | "a=rwx"
        );
        let borrowed = setting.contains("+s") || (setting.len() == 4 && matches!(&setting[..1], "2" | "4" | "6"));
        if borrowed {
            walk.findings.high(format!("lets a program run with its owner's rights: {where_to}"));
        }
        if open && recursive {
            walk.findings.high(format!("lets everybody on the machine change all files of {where_to}"));
        } else if open {
            walk.findings.medium(format!("lets everybody on the machine change {where_to}"));
        }
    } else if recursive {
        walk.findings.medium(format!("changes the owner or rights of all files of {where_to}"));
    }
    if files.iter().any(|file| walk.place(file).kind == PlaceKind::System) {
        walk.findings.high(format!("changes rights in the system: {where_to}"));
    }
}

fn write(walk: &mut Walk<'_>, call: &Call<'_>) {
    let files: Vec<&Word> = operands(call.args).collect();
    let written: Vec<&Word> = match call.program {
        "tee" | "touch" | "mkdir" | "truncate" => files,
        "sed" if has(call.args, 'i', "in-place") => files.into_iter().skip(1).collect(),
        "sed" | "patch" => return,
        "tar" | "unzip" => {
            let folder = call.args.windows(2).find(|pair| matches!(pair[0].text.as_str(), "-C" | "-d" | "--directory"));
            folder.map(|pair| &pair[1]).into_iter().collect()
        }
        _ => files.into_iter().next_back().into_iter().collect(),
    };
    if call.program == "rsync" && call.args.iter().any(|word| word.text.starts_with("--delete")) {
        walk.findings.high(format!("deletes what is not in the source: {}", names(call.args)));
    }
    for word in written {
        if call.program == "mv" && word.text == "/dev/null" {
            walk.findings.high("deletes files by moving them to /dev/null");
        } else if !word.text.contains(':') {
            walk.place(&word.text).judge_write(walk.findings);
        }
    }
}

fn disk(call: &Call<'_>, findings: &mut Findings) {
    match call.program {
        "dd" => {
            let to = call.args.iter().find_map(|word| word.text.strip_prefix("of="));
            match to {
                Some(to) if to.starts_with("/dev/") && to != "/dev/null" => {
                    findings.high(format!("overwrites a disk: {to}"));
                }
                Some(to) if to != "/dev/null" => findings.medium(format!("overwrites {to}")),
                _ => {}
            }
        }
        "fdisk" | "sfdisk" | "parted" | "gdisk" | "sgdisk" | "wipefs" | "blkdiscard" | "lvremove" | "vgremove"
        | "pvremove" | "cryptsetup" | "mkswap" | "badblocks" => {
            findings.high(format!("changes or erases disks: {}", call.program))
        }
        program if program == "mkfs" || program.starts_with("mkfs.") => {
            findings.high(format!("formats a disk: {}", names(call.args)));
        }
        "format" | "format.com" => findings.high(format!("formats a disk: {}", names(call.args))),
        "diskutil" if call.args.first().is_some_and(|word| word.text.to_lowercase().contains("erase")) => {
            findings.high("erases a disk");
        }
        "zpool" | "zfs" | "btrfs" if says(call.args, &["destroy", "delete"]) => findings.high("destroys a file system"),
        "mount" | "umount" if !call.args.is_empty() => findings.medium("attaches or detaches disks"),
        _ => {}
    }
}

fn system(call: &Call<'_>, findings: &mut Findings) {
    let args = call.args;
    match call.program {
        "shutdown" | "reboot" | "halt" | "poweroff" | "init" => findings.high("stops or restarts the machine"),
        "kill" if says(args, &["-1", "1"]) && !says(args, &["-l"]) => findings.high("ends every process"),
        "killall" | "pkill" | "taskkill" => findings.medium(format!("ends processes by name: {}", names(args))),
        "useradd" | "userdel" | "usermod" | "groupadd" | "passwd" | "chpasswd" | "adduser" | "deluser" | "visudo" => {
            findings.high("changes users or their rights on this machine");
        }
        "crontab" if !has(args, 'l', "") => findings.medium("makes something run by itself later"),
        "at" | "batch" => findings.medium("makes something run by itself later"),
        "systemctl" | "launchctl" | "service" | "sc" => {
            if says(args, &["enable", "load", "bootstrap", "create"]) {
                findings.medium("makes something run by itself later");
            }
            if says(args, &["stop", "disable", "mask", "kill", "unload", "restart"]) {
                findings.medium(format!("stops a service: {}", names(args)));
            }
            if says(args, &["poweroff", "reboot", "halt"]) {
                findings.high("stops or restarts the machine");
            }
        }
        "iptables" | "nft" | "ufw" | "firewall-cmd" | "setenforce" | "spctl" | "csrutil" | "apparmor_parser"
        | "pfctl" => {
            findings.high("changes what protects this machine");
        }
        "history" if has(args, 'c', "") => findings.high("wipes the traces of what was done"),
        "insmod" | "modprobe" | "rmmod" | "kextload" => findings.high("changes the running kernel"),
        "sysctl" if has(args, 'w', "write") => findings.high("changes settings of the running kernel"),
        "security"
            if args.first().is_some_and(|word| word.text.starts_with("find-") || word.text == "dump-keychain") =>
        {
            findings.high("reads passwords from the keychain");
        }
        "pass" | "op" | "bw" if says(args, &["show", "read", "get"]) => findings.medium("reads passwords from a safe"),
        "gh" | "gcloud" | "az" if says(args, &["token", "print-access-token", "get-access-token"]) => {
            findings.medium("prints a token that opens an account");
        }
        _ => {}
    }
}

/// Other agents, containers: whoever starts them with their checks off has no checks left.
fn agents(call: &Call<'_>, findings: &mut Findings) {
    let joined: Vec<&str> = call.args.iter().map(|word| word.text.as_str()).collect();
    let joined = joined.join(" ");
    let any = |flags: &[&str]| flags.iter().any(|flag| joined.contains(flag));
    let unchecked = match call.program {
        "claude" => {
            any(&["--dangerously-skip-permissions", "bypassPermissions", "--allow-dangerously-skip-permissions"])
        }
        "codex" => {
            any(&["--yolo", "--dangerously-bypass", "danger-full-access", "-a never", "--ask-for-approval never"])
        }
        "gemini" | "qwen" => has(call.args, 'y', "yolo") || any(&["approval-mode yolo", "approval-mode=yolo"]),
        "docker" | "podman" => {
            any(&["--privileged", "-v /:", "--volume /:", "docker.sock", "--pid=host", "--pid host", "--cap-add=ALL"])
        }
        _ => false,
    };
    if unchecked && matches!(call.program, "docker" | "podman") {
        findings.high("gives a container the whole machine");
    } else if unchecked {
        findings.high(format!("starts {} with its permission checks off", call.program));
    }
    let pruned = any(&["system prune", "volume prune", "volume rm", "image prune -a", "down -v", "down --volumes"]);
    if matches!(call.program, "docker" | "podman" | "docker-compose") && pruned {
        findings.high("deletes containers' data or images");
    }
}
