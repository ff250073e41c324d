//! What belongs to the shell itself: what only arranges others needs no rule, what changes how the rest is read is never allowed.

use super::{Arg, Input, Need, Walk, values::Before};
use crate::{env, judgement::Floor, paths};

impl Walk {
    /// True when this was a builtin and all is said.
    pub(super) fn builtin(&mut self, program: &str, name: &str, args: &[Arg], input: &Input) -> bool {
        if program != name {
            return false;
        }
        let need = match name {
            "true" | "false" | ":" | "pwd" | "exit" | "return" | "break" | "continue" | "wait" | "shift" | "times" => {
                Need::Nothing
            }
            "cd" | "pushd" | "chdir" => {
                let targets: Vec<&Arg> =
                    args.iter().filter(|arg| !matches!(arg.text(), "-P" | "-L" | "--" | "-e" | "-@")).collect();
                self.enter(targets.first().copied());
                if targets.len() > 1 {
                    self.unknown("cd with several folders");
                }
                Need::Nothing
            }
            "popd" => {
                self.leave("popd");
                Need::Nothing
            }
            "test" | "[" => {
                let subscript = |arg: &Arg| {
                    arg.shown.contains('[') && arg.shown != "[" && !arg.glob
                        || arg.text().contains('`')
                        || arg.text().contains("$(")
                };
                if args.iter().any(subscript) || args.iter().any(|arg| arg.is("-v") || arg.is("-R")) {
                    self.unknown("a test works out a name that is only known when it runs");
                }
                Need::Nothing
            }
            "read" => {
                for arg in args {
                    let text = arg.text();
                    if text.contains(['[', '$', '`']) || arg.exact().is_none() || text.starts_with("-u") {
                        self.unknown("read into something unusual");
                    }
                    if !text.starts_with('-') && env::class(text, None) == env::Class::Code {
                        self.floor(Floor::CodeVariable, format!("changes which code runs: {text}"));
                    }
                    self.bind(text, arg);
                }
                Need::Nothing
            }
            "export" | "local" | "declare" | "typeset" | "readonly" => {
                self.declare(name, args);
                Need::Nothing
            }
            "set" => {
                let plain = |arg: &Arg| {
                    matches!(
                        arg.text(),
                        "-e" | "-u"
                            | "-x"
                            | "-o"
                            | "+e"
                            | "+u"
                            | "+x"
                            | "+o"
                            | "pipefail"
                            | "errexit"
                            | "nounset"
                            | "xtrace"
                            | "-eu"
                            | "-ex"
                            | "-eo"
                            | "-ue"
                            | "-euo"
                            | "-euxo"
                            | "-eux"
                            | "-exo"
                            | "-uo"
                            | "-xe"
                    )
                };
                if args.is_empty() || !args.iter().all(plain) {
                    self.unknown("set changes how the rest is read");
                }
                Need::Nothing
            }
            "command" | "type" | "hash"
                if name == "type" || args.first().is_some_and(|arg| matches!(arg.text(), "-v" | "-V")) =>
            {
                Need::Nothing
            }
            // A text from the line itself, printed: what a commit message in a here-document is.
            "cat" if (args.is_empty() || args.iter().all(|arg| arg.is("-"))) && matches!(input, Input::Text(_)) => {
                Need::Nothing
            }
            "eval" => {
                let text: Vec<&str> = args.iter().map(|arg| arg.exact().unwrap_or(&arg.shown)).collect();
                let text = text.join(" ");
                self.floor(Floor::InlineCode, "eval runs a text as a command");
                self.list(program.to_owned(), args.to_vec(), Need::Rule(usize::MAX));
                self.via("eval", |walk| walk.text(&text));
                return true;
            }
            "trap" => {
                self.unknown("trap runs a text later");
                self.list(program.to_owned(), args.to_vec(), Need::Rule(usize::MAX));
                if let Some(text) = args.iter().find(|arg| !arg.is_option()).and_then(Arg::exact).map(str::to_owned) {
                    self.via("trap", |walk| walk.text(&text));
                }
                return true;
            }
            "alias" | "unalias" | "enable" | "bind" | "complete" | "compgen" | "compopt" | "shopt" | "setopt"
            | "unsetopt" | "zmodload" | "autoload" | "hash" | "let" | "mapfile" | "readarray" | "fc" | "history"
            | "unset" | "getopts" | "ulimit" | "umask" | "disown" | "emulate" | "functions" | "sched" | "zle"
            | "printf"
                if name != "printf"
                    || args.iter().any(|arg| arg.text().starts_with("-v") || arg.open && args.first() == Some(arg)) =>
            {
                self.unknown(format!("{name} changes how the rest is read"));
                let args = args.to_vec();
                for arg in &args {
                    // `alias x='rm y'`: what it would run is listed, for the rules that deny.
                    if name == "alias"
                        && let Some((_, text)) = arg.text().split_once('=')
                    {
                        let text = text.to_owned();
                        self.via("alias", |walk| walk.text(&text));
                    }
                }
                self.list(program.to_owned(), args, Need::Rule(usize::MAX));
                return true;
            }
            _ => return false,
        };
        self.list(program.to_owned(), args.to_vec(), need);
        true
    }

    fn declare(&mut self, name: &str, args: &[Arg]) {
        for arg in args {
            let text = arg.text().to_owned();
            if text.starts_with('-') || text.starts_with('+') {
                if !matches!(text.as_str(), "-x" | "-r" | "-g" | "-rx" | "-xr" | "-p") {
                    self.unknown(format!("{name} {text} changes what a name means"));
                }
                continue;
            }
            let (variable, value) = match text.split_once('=') {
                Some((variable, value)) => (variable, arg.exact().map(|_| value)),
                None => (text.as_str(), None),
            };
            if arg.open || !crate::shell::ast::is_name(variable.trim_end_matches('+')) {
                self.unknown(format!("{name} of something unusual"));
            }
            self.assign(
                variable.trim_end_matches('+'),
                value,
                if name == "export" || args.iter().any(|arg| arg.text().contains('x') && arg.is_option()) {
                    Before::Anything
                } else {
                    Before::Nothing
                },
            );
            self.bind(variable, arg);
        }
    }

    /// `cd`: relative paths are seen from there on; from both places, as it may fail.
    pub(super) fn enter(&mut self, target: Option<&Arg>) {
        let Some(target) = target else { return self.leave("the home folder") };
        match target.exact() {
            Some("-" | "") => self.leave(&target.shown),
            Some(path) if path.starts_with('~') => self.leave(&target.shown),
            Some(path) => {
                let path = path.to_owned();
                self.enter_path(&path);
            }
            None => self.leave(&target.shown),
        }
    }

    pub(super) fn enter_path(&mut self, path: &str) {
        let folder = self.folder.clone();
        let mut entered: Vec<String> = self.places.iter().map(|place| paths::resolve(path, place)).collect();
        if entered.iter().any(|place| !paths::below(place, &folder)) {
            self.leave(path);
            return;
        }
        if self.out.calls.is_empty() && self.texts == 0 {
            self.places.clear();
        }
        entered.retain(|place| !self.places.contains(place));
        self.places.append(&mut entered);
        self.places.dedup();
        if self.places.len() > 8 {
            self.leave(path);
        }
    }

    fn leave(&mut self, path: &str) {
        self.away = true;
        self.unknown(format!("leaves the folder: {path}"));
    }
}
