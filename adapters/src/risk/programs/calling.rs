//! Programs that call other programs, and programs that run what they are given as text.

use crate::risk::{Findings, line::Call, shell::Word};

/// Where in the arguments the real program begins, when this one only calls it.
pub(in crate::risk) fn called_by(program: &str, args: &[Word], findings: &mut Findings) -> Option<usize> {
    let after_options = |with_value: &str, operands: usize| {
        let mut left = operands;
        let mut at = 0;
        while let Some(word) = args.get(at) {
            let text = word.text.as_str();
            if text == "--" {
                at += 1;
                break;
            }
            if let Some(option) = text.strip_prefix('-') {
                // A letter that takes a value may have it in the next word.
                let takes = option.len() == 1 && with_value.contains(option);
                at += if takes { 2 } else { 1 };
            } else if is_assignment(text) {
                at += 1;
            } else if left > 0 {
                left -= 1;
                at += 1;
            } else {
                break;
            }
        }
        Some(at).filter(|at| *at < args.len())
    };
    match program {
        "sudo" | "doas" | "pkexec" | "gosu" | "runas" => {
            findings.high("runs as the administrator of this machine");
            after_options("ugpChTUrt", 0)
        }
        "su" => {
            findings.high("runs as another user of this machine");
            let command = args.iter().position(|word| word.text == "-c")?;
            // What follows is a line for a shell: its words are judged as they are.
            Some(command + 1).filter(|at| *at < args.len())
        }
        "env" => after_options("uCS", 0),
        "nohup" | "exec" | "builtin" | "setsid" | "busybox" | "chronic" | "unbuffer" | "caffeinate" | "time"
        | "noglob" => after_options("", 0),
        "command" if !args.iter().any(|word| matches!(word.text.as_str(), "-v" | "-V")) => after_options("", 0),
        "nice" | "ionice" => after_options("ncp", 0),
        "stdbuf" => after_options("ioe", 0),
        "timeout" | "gtimeout" => after_options("ks", 1),
        "flock" => after_options("wE", 1),
        "watch" => after_options("n", 0),
        "xargs" | "parallel" => after_options("InPLdsaEj", 0),
        "strace" | "ltrace" => after_options("eops", 0),
        "bundle" | "direnv" if args.first().is_some_and(|word| word.text == "exec") => {
            Some(1).filter(|at| *at < args.len())
        }
        "uv" | "poetry" | "pipenv" | "rye" | "hatch" if args.first().is_some_and(|word| word.text == "run") => {
            Some(1).filter(|at| *at < args.len())
        }
        _ => None,
    }
}

fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| {
        !name.is_empty() && name.chars().all(|each| each.is_ascii_alphanumeric() || each == '_')
    })
}

pub(in crate::risk) fn is_shell(program: &str) -> bool {
    matches!(program, "sh" | "bash" | "zsh" | "dash" | "ksh" | "fish" | "ash")
}

pub(in crate::risk) fn is_interpreter(program: &str) -> bool {
    let name = program.trim_end_matches(|each: char| each.is_ascii_digit() || each == '.');
    matches!(
        name,
        "python" | "node" | "perl" | "ruby" | "php" | "deno" | "bun" | "lua" | "osascript" | "pwsh" | "powershell"
    )
}

/// The program that is given in the command line itself: after `-c`, `-e`, `-r` or `eval`.
pub(in crate::risk) fn inline_code(call: &Call<'_>) -> Option<String> {
    let args = call.args;
    if matches!(call.program, "deno" | "bun") && args.first().is_some_and(|word| word.text == "eval") {
        return args.get(1).map(|word| word.text.clone());
    }
    let letters: &[char] = match call.program {
        program if is_shell(program) => &['c'],
        program if program.starts_with("python") => &['c'],
        "node" | "deno" | "bun" => &['e', 'p'],
        "php" => &['r'],
        "pwsh" | "powershell" => &['c', 'C'],
        _ => &['e'],
    };
    let at = args.iter().position(|word| match word.text.strip_prefix('-') {
        Some("-eval" | "-print" | "command" | "Command") => true,
        Some(bundle) => !bundle.starts_with('-') && bundle.len() <= 4 && bundle.ends_with(letters),
        None => false,
    })?;
    args.get(at + 1).map(|word| word.text.clone())
}

/// A program in another language than the shell's: only what it calls by name can be seen.
pub(in crate::risk) fn inline_program(code: &str, findings: &mut Findings) {
    const DELETES: &[&str] = &[
        "rmtree",
        "os.remove",
        "os.unlink",
        "rmSync",
        "rmdirSync",
        "unlinkSync",
        "rm_rf",
        "FileUtils.rm",
        "Remove-Item",
    ];
    const RUNS: &[&str] = &[
        "os.system",
        "subprocess",
        "child_process",
        "execSync",
        "spawnSync",
        "system(",
        "shell_exec",
        "`",
        "do shell script",
    ];
    const FETCHES: &[&str] =
        &["urllib", "requests.", "http.client", "fetch(", "socket.", "Net::HTTP", "LWP::", "DownloadString"];
    if DELETES.iter().any(|word| code.contains(word)) {
        findings.high("deletes files from a small program of its own");
    }
    if RUNS.iter().any(|word| code.contains(word)) {
        findings.medium("starts further commands from a small program of its own");
    }
    if FETCHES.iter().any(|word| code.contains(word)) {
        findings.medium("uses the network from a small program of its own");
        if code.contains("exec(") || code.contains("eval(") || code.contains("iex") {
            findings.high("runs a program straight from the internet");
        }
    }
}

/// Programs that show or pass on what is in the files they are given.
pub(in crate::risk) fn reads_files(program: &str) -> bool {
    takes_a_pattern(program)
        || matches!(
            program,
            "cat"
                | "less"
                | "more"
                | "head"
                | "tail"
                | "bat"
                | "cp"
                | "scp"
                | "rsync"
                | "tar"
                | "zip"
                | "base64"
                | "xxd"
                | "od"
                | "strings"
                | "tac"
                | "nl"
                | "sort"
                | "cut"
                | "openssl"
                | "diff"
                | "source"
                | "."
                | "mv"
                | "install"
                | "gpg"
                | "curl"
                | "dd"
                | "hexdump"
                | "code"
                | "vim"
                | "vi"
                | "nano"
                | "Get-Content"
                | "type"
        )
}

/// The first thing they are given is no file.
pub(in crate::risk) fn takes_a_pattern(program: &str) -> bool {
    matches!(program, "grep" | "egrep" | "fgrep" | "rg" | "ag" | "sed" | "awk" | "gawk" | "jq" | "yq")
}

/// Variables that change what programs do or trust.
pub(in crate::risk) fn assignment(text: &str, findings: &mut Findings) {
    let Some((name, value)) = text.split_once('=') else { return };
    match name {
        "LD_PRELOAD" | "LD_LIBRARY_PATH" | "DYLD_INSERT_LIBRARIES" => {
            findings.medium(format!("puts other code into the program it starts ({name})"));
        }
        "NODE_TLS_REJECT_UNAUTHORIZED" | "PYTHONHTTPSVERIFY" if value == "0" => {
            findings.medium("does not check whom it talks to (certificates)");
        }
        "GIT_SSL_NO_VERIFY" if value != "0" && value != "false" => {
            findings.medium("does not check whom it talks to (certificates)");
        }
        "HISTFILE" if value.is_empty() || value == "/dev/null" => findings.medium("leaves no traces in the history"),
        _ => {}
    }
}
