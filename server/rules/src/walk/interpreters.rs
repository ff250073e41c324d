//! Shells and other interpreters: inline code is on the floor, a script must be named by the rule.

use super::{Arg, Input, Need, Walk};
use crate::judgement::Floor;

pub(crate) fn is_shell(name: &str) -> bool {
    matches!(
        name,
        "sh" | "bash"
            | "zsh"
            | "dash"
            | "ksh"
            | "ksh93"
            | "mksh"
            | "fish"
            | "ash"
            | "rbash"
            | "csh"
            | "tcsh"
            | "nu"
            | "xonsh"
            | "elvish"
            | "pwsh"
            | "powershell"
            | "cmd"
    )
}

/// The language of an interpreter, without a version.
fn family(name: &str) -> Option<&'static str> {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let plain = name.trim_end_matches(|each: char| each.is_ascii_digit() || each == '.' || each == '-');
    Some(match plain {
        _ if is_shell(name) => "shell",
        "python" | "pypy" | "ipython" | "pythonw" => "python",
        "node" | "nodejs" | "ts-node" | "tsx" | "ts-node-esm" => "node",
        "deno" => "deno",
        "bun" => "bun",
        "perl" => "perl",
        "ruby" | "irb" | "jruby" => "ruby",
        "php" => "php",
        "lua" | "luajit" | "tclsh" | "wish" | "expect" | "osascript" | "Rscript" | "R" | "julia" | "groovy"
        | "scala" | "jshell" | "ghci" | "runghc" | "elixir" | "iex" | "erl" | "racket" | "guile" | "sbcl"
        | "clojure" | "clj" | "swift" | "gdb" | "lldb" | "emacs" | "vim" | "vi" | "nvim" | "ex" | "view" | "ed"
        | "m" | "dc" | "sqlplus" | "java" | "dotnet-script" | "raku" | "ocaml" | "nix-shell" | "nix-instantiate"
        | "make-shell" | "script" | "qjs" | "crystal" => "other",
        _ => return None,
    })
}

/// Interpreters can never be allowed wholesale.
pub(crate) fn is_interpreter(name: &str) -> bool {
    family(name).is_some() || matches!(name, "source" | "." | "eval")
}

/// Options that only show something or make it stricter; those that take a value have a colon.
fn plain_options(family: &str) -> &'static [&'static str] {
    match family {
        "shell" => &["-e", "-u", "-x", "-n", "-ex", "-eu", "-eux", "--version", "--help", "--noprofile", "--norc"],
        "python" => &[
            "-u",
            "-B",
            "-O",
            "-OO",
            "-s",
            "-S",
            "-E",
            "-I",
            "-b",
            "-q",
            "-V",
            "-VV",
            "--version",
            "-h",
            "--help",
            "-W:",
            "-X:",
        ],
        "node" => &[
            "-v",
            "--version",
            "-h",
            "--help",
            "--test",
            "--check",
            "-c",
            "--watch",
            "--trace-warnings",
            "--enable-source-maps",
            "--no-warnings",
            "--test-only",
            "--experimental-strip-types",
            "--experimental-vm-modules",
            "--experimental-test-coverage",
        ],
        "deno" | "bun" => &["-v", "--version", "-V", "-h", "--help", "--watch"],
        "perl" => &["-v", "--version", "-V", "-w", "-W"],
        "ruby" => &["-v", "--version", "-w", "-c", "-h", "--help"],
        "php" => &["-v", "--version", "-l", "-m", "-i", "-h", "--help"],
        _ => &["-v", "--version", "-version", "-V", "-h", "--help"],
    }
}

impl Walk {
    /// True when this was an interpreter and all is said.
    pub(super) fn interpreter(&mut self, program: &str, name: &str, args: &[Arg], input: &Input, need: Need) -> bool {
        if matches!(name, "source" | ".") && program == name {
            return self.script_file(program, args, 0, need);
        }
        let Some(family) = family(name) else { return false };
        let subcommands = [
            "run", "test", "check", "fmt", "lint", "install", "add", "build", "task", "cache", "info", "doc", "pm",
            "x", "create", "init", "update", "remove", "outdated",
        ];
        if matches!(family, "deno" | "bun") && args.first().is_some_and(|arg| matches!(arg.text(), "eval" | "repl")) {
            self.inline(program, name, family, args, 0, need);
            return true;
        }
        if matches!(family, "deno" | "bun") && args.first().is_some_and(|arg| subcommands.contains(&arg.text())) {
            let words = if args[0].is("run") || args[0].is("x") { 3 } else { 2 };
            let at = self.list(
                program.to_owned(),
                args.to_vec(),
                if need == Need::Rule(1) { Need::Rule(words) } else { need },
            );
            crate::programs::inspect(self, at, input);
            return true;
        }
        let plain = plain_options(family);
        let mut at = 0;
        let mut shows = false;
        while let Some(arg) = args.get(at) {
            let text = arg.text().to_owned();
            if arg.open && arg.exact().is_none() {
                self.unknown(format!("what {name} runs is only known when it runs"));
                break;
            }
            if !text.starts_with('-') || text == "-" {
                break;
            }
            if family == "python" && text == "-m" {
                self.script_file(program, args, at + 1, need);
                // A module is a program of its own: `python -m pip`.
                let module = args.get(at + 1..).unwrap_or_default().to_vec();
                self.via(&format!("{name} -m"), |walk| walk.command_with(module, Input::Nothing, Need::Outer));
                return true;
            }
            if family == "shell"
                && (text == "-o" || text == "+o")
                && args.get(at + 1).is_some_and(|arg| matches!(arg.text(), "pipefail" | "errexit" | "nounset"))
            {
                at += 2;
                continue;
            }
            if family == "shell" && text == "-s" {
                self.floor(Floor::InlineCode, format!("{name} runs a script that nobody has read"));
                self.fed(program, name, family, args, input);
                return true;
            }
            if plain.contains(&format!("{text}:").as_str()) {
                at += 2;
                continue;
            }
            if plain.contains(&text.as_str())
                || family == "node" && (text.starts_with("--max-old-space-size=") || text.starts_with("--test-"))
            {
                shows |= matches!(
                    text.as_str(),
                    "-v" | "--version" | "-version" | "-V" | "-VV" | "-h" | "--help" | "--test"
                ) || family == "php" && text == "-m"
                    || family == "php" && text == "-i";
                at += 1;
                continue;
            }
            self.inline(program, name, family, args, at, need);
            return true;
        }
        match args.get(at) {
            Some(arg)
                if arg.is("-")
                    || arg.process
                    || arg.text().starts_with("/dev/stdin")
                    || arg.text().starts_with("/dev/fd/")
                    || arg.text().starts_with("/proc/") =>
            {
                self.floor(Floor::InlineCode, format!("{name} runs a script that nobody has read"));
                self.fed(program, name, family, args, input);
                true
            }
            Some(_) => self.script_file(program, args, at, need),
            None if shows => {
                let words = args.len() + 1;
                self.list(
                    program.to_owned(),
                    args.to_vec(),
                    if need == Need::Rule(1) { Need::Rule(words) } else { need },
                );
                true
            }
            None => {
                self.fed(program, name, family, args, input);
                true
            }
        }
    }

    /// Nothing but standard input: what is piped or written into it runs.
    fn fed(&mut self, program: &str, name: &str, family: &str, args: &[Arg], input: &Input) {
        self.list(program.to_owned(), args.to_vec(), Need::Rule(usize::MAX));
        match input {
            Input::Nothing => self.unknown(format!("{name} runs what it is given later")),
            Input::Pipe => self.floor(Floor::PipeToShell, format!("runs what another command prints with {name}")),
            Input::Text(text) => {
                self.floor(Floor::InlineCode, format!("runs a script with {name}"));
                if family == "shell" {
                    let text = text.clone();
                    self.via(name, |walk| walk.text(&text));
                }
            }
        }
    }

    /// An option that is not known to be plain: code in the command line, or code loaded from elsewhere.
    fn inline(&mut self, program: &str, name: &str, family: &str, args: &[Arg], at: usize, need: Need) {
        self.list(program.to_owned(), args.to_vec(), if need == Need::Outer { need } else { Need::Rule(usize::MAX) });
        let text = args[at].text().to_owned();
        self.floor(Floor::InlineCode, format!("runs code given in the command line: {name} {text}"));
        if family != "shell" {
            return;
        }
        // `bash -lc 'text'`, `bash -o x -c text`: what follows the options is the text.
        let inner_arg = args[at..].iter().find(|arg| !arg.is_option());
        match inner_arg.map(Arg::exact) {
            Some(Some(text)) => {
                let text = text.to_owned();
                self.via(&format!("{name} -c"), |walk| walk.text(&text));
            }
            Some(None) => {
                self.unknown(format!("what {name} runs is only known when it runs"));
                let text = inner_arg.map(|arg| arg.shown.clone()).unwrap_or_default();
                self.via(&format!("{name} -c"), |walk| walk.text(&text));
            }
            None => {}
        }
    }

    /// A script or module: the rule must name it.
    fn script_file(&mut self, program: &str, args: &[Arg], at: usize, need: Need) -> bool {
        let need = if need == Need::Rule(1) { Need::Rule(at + 2) } else { need };
        match args.get(at) {
            None => self.unknown(format!("{program} runs nothing that is named")),
            Some(arg) => match arg.exact() {
                _ if arg.process => {
                    self.floor(Floor::PipeToShell, format!("{program} runs what another command prints"))
                }
                None => {
                    self.unknown("which script runs is only known when it runs");
                    self.floor(
                        Floor::UnknownProgram,
                        format!("which script runs is only known when it runs: {}", arg.shown),
                    );
                }
                Some(path) => {
                    let name = path.rsplit('/').next().unwrap_or(path).to_owned();
                    if self.was_written(&name) {
                        self.unknown(format!("runs a file that was written just before: {name}"));
                    }
                }
            },
        }
        self.list(program.to_owned(), args.to_vec(), need);
        true
    }
}
