//! One command: its name, and the wrappers that only call another (`env`, `timeout`, `xargs`).

use super::{Arg, Call, Input, Need, Walk, calls::base, values::Before};
use crate::{judgement::Floor, programs};

/// Programs that start each other deeper than this are not followed: nobody writes that, and it would end the stack.
const VIA_LIMIT: usize = 32;

/// What a wrapper's options look like.
struct Options {
    /// Letters of options that take a value.
    valued: &'static str,
    /// Long options that take a value in the next word.
    valued_long: &'static [&'static str],
    /// Words before the program: a duration, a lock file.
    operands: usize,
}

impl Walk {
    /// A program with its arguments.
    pub(crate) fn command(&mut self, args: Vec<Arg>, input: Input) {
        self.command_with(args, input, Need::Rule(1));
    }

    pub(super) fn command_with(&mut self, mut args: Vec<Arg>, input: Input, need: Need) {
        if args.is_empty() {
            return;
        }
        if self.via.len() > VIA_LIMIT {
            self.unknown("programs that start programs that start programs");
            return;
        }
        let first = args.remove(0);
        let Some(program) = first.exact().filter(|_| !first.expanded).map(str::to_owned) else {
            // `$empty rm x` runs rm: what follows may be the program.
            self.floor(Floor::UnknownProgram, format!("what runs is only known when it runs: {}", first.shown));
            self.unknown("what runs is only known when it runs");
            self.list(first.shown.clone(), args.clone(), need);
            if args.first().is_some_and(|arg| arg.exact().is_some()) && first.open {
                self.via(&first.shown, |walk| walk.command_with(args, input, Need::Outer));
            }
            return;
        };
        if !program.is_ascii() {
            self.floor(Floor::LookAlike, format!("the name of the program has unusual letters: {program}"));
        }
        if program.is_empty()
            || program.contains(char::is_whitespace)
            || program.starts_with(['=', '-', '~', '%'])
            || program.contains('\\')
            || !program.chars().all(|each| each.is_alphanumeric() || "_./+:-@,[!".contains(each))
        {
            self.unknown(format!("an unusual name of a program: {program:?}"));
        }
        let name = base(&program).to_owned();
        if program.contains('/') && self.was_written(&name) {
            self.unknown(format!("runs a file that was written just before: {name}"));
        }
        if program.contains('/') && !program.starts_with('/') && self.places.iter().any(|place| *place != self.folder) {
            self.unknown(format!("{program} is another program in another folder"));
        }
        if program.contains('/') && need == Need::Rule(1) && is_wrapper(&name) {
            self.unknown(format!("{program} may be another program than {name}"));
        }
        if self.wrapper(&program, &name, &args, &input, need) {
            return;
        }
        if self.builtin(&program, &name, &args, &input) {
            return;
        }
        if self.launcher(&program, &name, &args, &input, need) || self.interpreter(&program, &name, &args, &input, need)
        {
            return;
        }
        let at = self.list(program, args, need);
        programs::inspect(self, at, &input);
    }

    /// Another program that one on the list calls; it needs a rule of its own.
    pub(crate) fn delegate(&mut self, via: &str, args: Vec<Arg>, input: Input) {
        self.via(via, |walk| walk.command(args, input));
    }

    /// True when every folder this can be is inside.
    pub(crate) fn stays_inside(&self, target: &Arg) -> bool {
        !target.values.is_empty()
            && target.values.iter().all(|path| {
                self.places.iter().all(|place| crate::paths::below(&crate::paths::resolve(path, place), &self.folder))
            })
    }

    /// Puts a call on the list.
    pub(super) fn list(&mut self, program: String, args: Vec<Arg>, need: Need) -> usize {
        if self.away && !matches!(need, Need::Nothing) {
            self.unknown("it runs outside the folder");
        }
        self.out.calls.push(Call { program, args, via: self.via.clone(), need, sharp: Vec::new() });
        self.out.calls.len() - 1
    }

    /// Programs that call the one in their arguments and add nothing of their own. True when this was one.
    fn wrapper(&mut self, program: &str, name: &str, args: &[Arg], input: &Input, need: Need) -> bool {
        let options = match name {
            "nohup" | "setsid" | "unbuffer" | "chronic" | "caffeinate" | "noglob" | "nocorrect" | "exec"
            | "builtin" => Options { valued: if name == "exec" { "a" } else { "" }, valued_long: &[], operands: 0 },
            "command" if !args.iter().any(|arg| matches!(arg.text(), "-v" | "-V")) => {
                Options { valued: "", valued_long: &[], operands: 0 }
            }
            "nice" => Options { valued: "n", valued_long: &["--adjustment"], operands: 0 },
            "ionice" => Options { valued: "cnpPu", valued_long: &["--class", "--classdata"], operands: 0 },
            "stdbuf" => Options { valued: "ioe", valued_long: &["--input", "--output", "--error"], operands: 0 },
            "timeout" | "gtimeout" => Options { valued: "ks", valued_long: &["--kill-after", "--signal"], operands: 1 },
            "time" => Options { valued: "fo", valued_long: &["--format", "--output"], operands: 0 },
            "env" => Options { valued: "uCaP", valued_long: &["--unset", "--chdir", "--argv0"], operands: 0 },
            "xargs" | "gxargs" => Options {
                valued: "InPLdsaE",
                valued_long: &[
                    "--replace",
                    "--max-args",
                    "--max-procs",
                    "--max-lines",
                    "--delimiter",
                    "--max-chars",
                    "--arg-file",
                    "--eof",
                ],
                operands: 0,
            },
            "sudo" | "doas" | "pkexec" | "gosu" | "runas" | "run0" | "su-exec" => {
                self.floor(Floor::OtherUser, format!("runs as another user of this machine: {name}"));
                Options {
                    valued: "ugpChTUrtDR",
                    valued_long: &["--user", "--group", "--prompt", "--chdir", "--host"],
                    operands: usize::from(matches!(name, "gosu" | "su-exec")),
                }
            }
            "su" | "runuser" => {
                self.floor(Floor::OtherUser, format!("runs as another user of this machine: {name}"));
                self.list(program.to_owned(), args.to_vec(), Need::Rule(usize::MAX));
                let text = args.iter().position(|arg| arg.is("-c")).and_then(|at| args.get(at + 1)?.exact());
                if let Some(text) = text.map(str::to_owned) {
                    self.via(name, |walk| walk.text(&text));
                }
                return true;
            }
            _ => return false,
        };
        let inner = self.after_options(name, args, &options);
        self.wrapper_options(name, &args[..inner.min(args.len())], args);
        let mut rest: Vec<Arg> = args[inner.min(args.len())..].to_vec();
        if rest.is_empty() {
            // `env` alone prints the environment, `xargs` alone echoes.
            if matches!(name, "exec" | "command" | "builtin") && !args.iter().any(Arg::is_option) {
                return true;
            }
            let need = if matches!(name, "env" | "xargs" | "command" | "time" | "nice") {
                need
            } else {
                Need::Rule(usize::MAX)
            };
            self.list(program.to_owned(), args.to_vec(), need);
            return true;
        }
        if name == "xargs" || name == "gxargs" {
            self.xargs(args, inner, &mut rest);
        }
        let via = name.to_owned();
        let input = if name.ends_with("xargs") { Input::Nothing } else { input.clone() };
        self.via(&via, |walk| walk.command_with(rest, input, need));
        true
    }

    /// What is read is put into the arguments of the program.
    fn xargs(&mut self, args: &[Arg], inner: usize, rest: &mut Vec<Arg>) {
        let options = &args[..inner.min(args.len())];
        if self.secret_names || options.iter().any(crate::programs::may_hold_secrets) {
            self.unknown("xargs is given files with secrets");
        }
        let mut replaced = None;
        for (at, arg) in options.iter().enumerate() {
            let text = arg.text();
            if let Some(mark) =
                text.strip_prefix("-I").or_else(|| text.strip_prefix("-i")).filter(|_| !text.starts_with("--"))
            {
                let next = options.get(at + 1).and_then(Arg::exact).unwrap_or("{}");
                replaced = Some(if mark.is_empty() { next.to_owned() } else { mark.to_owned() });
            } else if let Some(mark) = text.strip_prefix("--replace") {
                replaced = Some(mark.strip_prefix('=').unwrap_or("{}").to_owned());
            }
        }
        match replaced {
            Some(mark) => {
                for arg in rest.iter_mut() {
                    if let Some(at) = arg.shown.find(&mark) {
                        let prefix = arg.shown[..at].to_owned();
                        let open = prefix.is_empty() || (prefix.starts_with('-') && !prefix.contains('='));
                        *arg = Arg { prefix, ..Arg::hole(&arg.shown, open) };
                    }
                }
            }
            None => rest.push(Arg::hole("…", true)),
        }
    }

    /// Where the real program begins.
    fn after_options(&mut self, name: &str, args: &[Arg], options: &Options) -> usize {
        let mut left = options.operands;
        let mut at = 0;
        while let Some(arg) = args.get(at) {
            let text = arg.text();
            if arg.exact().is_none() && arg.open && left == 0 {
                return at;
            }
            if text == "--" {
                return at + 1;
            }
            if text.len() > 1 && text.starts_with("--") {
                at += if options.valued_long.contains(&text) { 2 } else { 1 };
            } else if text.len() > 1 && text.starts_with('-') {
                let last = text.chars().next_back().unwrap_or('-');
                let first_valued = text.chars().skip(1).position(|each| options.valued.contains(each));
                // The value stands in the next word when the letter is the last of its bundle.
                let next = first_valued.is_some_and(|found| found + 2 == text.chars().count())
                    && options.valued.contains(last);
                at += if next { 2 } else { 1 };
            } else if matches!(name, "env" | "sudo" | "doas") && text.contains('=') {
                at += 1;
            } else if left > 0 {
                left -= 1;
                at += 1;
            } else {
                return at;
            }
        }
        at
    }

    /// A wrapper's own options, where they do more than wait or count.
    fn wrapper_options(&mut self, name: &str, options: &[Arg], args: &[Arg]) {
        if options.iter().any(|arg| arg.open && arg.exact().is_none()) {
            self.unknown(format!("an argument of {name} is only known when it runs"));
        }
        for (at, arg) in options.iter().enumerate() {
            let text = arg.text().to_owned();
            let long = text.split('=').next().unwrap_or_default();
            if long.len() > 2 && long.starts_with("--") && !LONG_OPTIONS.contains(&long) {
                // Shortened or new: whether it takes the next word is not known, so neither is what runs.
                self.unknown(format!("an option of {name} that is not known: {long}"));
            }
            match name {
                "env" if text.starts_with("-S") || text.starts_with("--split-string") || text.starts_with("-vS") => {
                    self.floor(Floor::InlineCode, "env takes its words from a text (-S)");
                    let inline = text
                        .trim_start_matches("--split-string")
                        .trim_start_matches("-vS")
                        .trim_start_matches("-S")
                        .trim_start_matches('=');
                    let text = if inline.is_empty() {
                        args.get(at + 1).and_then(Arg::exact).unwrap_or_default()
                    } else {
                        inline
                    };
                    let text = text.to_owned();
                    self.via("env -S", |walk| walk.text(&text));
                }
                "env" if text.starts_with("-C") || text.starts_with("--chdir") => {
                    let inline =
                        text.trim_start_matches("--chdir").trim_start_matches("-C").trim_start_matches('=').to_owned();
                    let target =
                        if inline.is_empty() { options.get(at + 1).cloned() } else { Some(Arg::known(&inline)) };
                    self.enter(target.as_ref());
                }
                "env" if !text.starts_with('-') => {
                    if let Some((variable, value)) = text.split_once('=') {
                        let value = arg.exact().map(|_| value);
                        let program = args.get(options.len()).and_then(Arg::exact);
                        self.assign(variable, value, program.map_or(Before::Anything, Before::Program));
                    }
                }
                "time" if text.starts_with("-o") || text.starts_with("--output") || text.starts_with("-a") => {
                    self.unknown("time writes a file")
                }
                "env" if text.starts_with("-P") => {
                    self.floor(Floor::CodeVariable, "changes which code runs: env -P");
                }
                "exec" if arg.is_option() => self.unknown("exec with options"),
                _ => {}
            }
        }
    }
}

/// The long options of all wrappers, whole.
const LONG_OPTIONS: &[&str] = &[
    "--adjustment",
    "--append",
    "--arg-file",
    "--argv0",
    "--background",
    "--block-signal",
    "--chdir",
    "--class",
    "--classdata",
    "--close-from",
    "--ctty",
    "--debug",
    "--default-signal",
    "--delimiter",
    "--eof",
    "--error",
    "--exit",
    "--foreground",
    "--fork",
    "--format",
    "--group",
    "--help",
    "--host",
    "--ignore",
    "--ignore-environment",
    "--ignore-signal",
    "--input",
    "--interactive",
    "--kill-after",
    "--list-signal-handling",
    "--login",
    "--max-args",
    "--max-chars",
    "--max-lines",
    "--max-procs",
    "--no-run-if-empty",
    "--non-interactive",
    "--null",
    "--open-tty",
    "--output",
    "--portability",
    "--preserve-env",
    "--preserve-status",
    "--prompt",
    "--quiet",
    "--replace",
    "--set-home",
    "--show-limits",
    "--signal",
    "--split-string",
    "--stdin",
    "--unset",
    "--user",
    "--verbose",
    "--version",
    "--wait",
];

/// Programs that only call others: no rule may allow them wholesale.
pub(crate) fn is_wrapper(name: &str) -> bool {
    matches!(
        name,
        "nohup"
            | "setsid"
            | "unbuffer"
            | "chronic"
            | "caffeinate"
            | "noglob"
            | "nocorrect"
            | "exec"
            | "builtin"
            | "command"
            | "nice"
            | "ionice"
            | "stdbuf"
            | "timeout"
            | "gtimeout"
            | "time"
            | "env"
            | "xargs"
            | "gxargs"
            | "sudo"
            | "doas"
            | "pkexec"
            | "gosu"
            | "runas"
            | "run0"
            | "su-exec"
            | "su"
            | "runuser"
    )
}
