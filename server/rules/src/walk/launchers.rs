//! Programs that start another one and are more than a wrapper: a rule must name both (`uv run pytest`).

use super::{Arg, Input, Need, Walk};
use crate::judgement::Floor;

/// How the inner command is written.
enum Inner {
    /// Words from here on.
    Words(usize),
    /// One text for a shell, from all words from here on.
    Text(usize),
    /// Nothing is started.
    Nothing,
}

impl Walk {
    /// True when this was a launcher and all is said.
    pub(super) fn launcher(&mut self, program: &str, name: &str, args: &[Arg], input: &Input, need: Need) -> bool {
        let inner = match inner_of(name, args) {
            Some(inner) => inner,
            None => return false,
        };
        let at = match inner {
            Inner::Words(at) | Inner::Text(at) => at,
            Inner::Nothing => {
                // `ssh host` and `docker run image` without a command run whatever is there.
                let words = if matches!(name, "docker" | "podman" | "docker-compose" | "ssh" | "mosh") { 3 } else { 1 };
                let need = if need == Need::Rule(1) { Need::Rule(words) } else { need };
                if name == "ssh" && !matches!(input, Input::Nothing) {
                    self.floor(Floor::PipeToShell, "runs what it is given on another machine");
                    if let Input::Text(text) = input {
                        self.via(name, |walk| walk.text(text));
                    }
                }
                let at = self.list(program.to_owned(), args.to_vec(), need);
                crate::programs::inspect(self, at, input);
                return true;
            }
        };
        if name == "git" {
            self.floor(Floor::RunsProgram, "git runs another program");
        }
        let outer = if need == Need::Rule(1) { Need::Rule(at + 2) } else { need };
        let listed = self.list(program.to_owned(), args.to_vec(), outer);
        crate::programs::options(self, listed, name, &args[..at.min(args.len())]);
        if name == "cross-env" {
            for arg in &args[..at.min(args.len())] {
                if let Some((variable, value)) = arg.text().to_owned().split_once('=') {
                    self.assign(variable, arg.exact().map(|_| value), true);
                }
            }
        }
        let rest = args[at.min(args.len())..].to_vec();
        if rest.first().is_none_or(|arg| arg.exact().is_none()) {
            self.unknown(format!("what {name} starts is only known when it runs"));
        }
        self.via(name, |walk| match inner {
            Inner::Text(_) => {
                let text: Vec<&str> = rest.iter().map(|arg| arg.exact().unwrap_or(&arg.shown)).collect();
                // Whether one word or several: a shell reads them again.
                walk.outer_text(&text.join(" "));
            }
            _ => walk.command_with(rest, Input::Nothing, Need::Outer),
        });
        true
    }

    /// A text for a shell whose commands the rule for the outer call covers.
    fn outer_text(&mut self, text: &str) {
        let first = self.out.calls.len();
        self.text(text);
        let calls = self.out.calls.len() - first;
        if calls > 1 {
            self.floor(Floor::InlineCode, "starts several commands in one text");
        }
        for call in &mut self.out.calls[first..] {
            if matches!(call.need, Need::Rule(1)) {
                call.need = Need::Outer;
            }
        }
    }
}

/// Launchers and shells over other machines can never be allowed wholesale.
pub(crate) fn is_launcher(words: &[&str]) -> bool {
    matches!(
        words,
        ["npx"
            | "pnpx"
            | "bunx"
            | "uvx"
            | "pipx"
            | "ssh"
            | "chroot"
            | "nsenter"
            | "unshare"
            | "bwrap"
            | "firejail"
            | "systemd-run"
            | "strace"
            | "ltrace"
            | "valgrind"
            | "parallel"
            | "entr"
            | "watchexec"
            | "nodemon"
            | "concurrently"
            | "hyperfine"
            | "screen"
            | "tmux"
            | "busybox"
            | "toybox"
            | "fakeroot"
            | "proot"
            | "cross-env"
            | "dotenv"
            | "xvfb-run"
            | "rlwrap"
            | "tini"
            | "dumb-init"
            | "watch"
            | "flock"
            | "setarch"
            | "taskset"
            | "chrt"
            | "script"
            | "at"
            | "batch"
            | "mosh"]
            | ["npm" | "pnpm" | "yarn", "exec" | "x" | "dlx" | "node"]
            | ["bun", "x"]
            | ["uv" | "poetry" | "pipenv" | "rye" | "hatch" | "pdm" | "conda" | "mamba", "run"]
            | ["pipx", "run"]
            | [
                "bundle"
                    | "direnv"
                    | "rbenv"
                    | "pyenv"
                    | "mise"
                    | "asdf"
                    | "nvm"
                    | "docker"
                    | "podman"
                    | "kubectl"
                    | "oc",
                "exec"
            ]
            | ["docker" | "podman", "run"]
            | ["docker" | "podman", "compose", "exec" | "run"]
            | ["docker-compose", "exec" | "run"]
            | ["go", "run"]
            | ["mise", "x"]
            | ["git", "bisect", "run"]
            | ["git", "submodule", "foreach"]
            | ["ip", "netns", "exec"]
    )
}

fn inner_of(name: &str, args: &[Arg]) -> Option<Inner> {
    let word = |at: usize| args.get(at).map(Arg::text).unwrap_or_default();
    let after = |from: usize, valued: &[&str], operands: usize| {
        let mut left = operands;
        let mut at = from;
        while let Some(arg) = args.get(at) {
            let text = arg.text();
            if text == "--" {
                at += 1;
                break;
            }
            if text.starts_with('-') && text.len() > 1 {
                at += if valued.contains(&text) { 2 } else { 1 };
            } else if left > 0 {
                left -= 1;
                at += 1;
            } else {
                break;
            }
        }
        if at < args.len() { Inner::Words(at) } else { Inner::Nothing }
    };
    let assignments = |from: usize| {
        let at = (from..args.len()).find(|at| !word(*at).contains('=')).unwrap_or(args.len());
        if at < args.len() { Inner::Words(at) } else { Inner::Nothing }
    };
    Some(match (name, word(0), word(1)) {
        ("npx" | "pnpx" | "bunx" | "uvx", ..) => {
            after(0, &["-p", "--package", "-c", "--call", "--from", "--with", "--python"], 0)
        }
        ("npm" | "pnpm" | "yarn", "exec" | "x" | "dlx", _) | ("bun", "x", _) => {
            after(1, &["-p", "--package", "-c", "--call"], 0)
        }
        ("uv" | "poetry" | "pipenv" | "rye" | "hatch" | "pdm", "run", _) => after(
            1,
            &["--with", "--python", "-p", "--project", "--extra", "--group", "--env-file", "--directory", "--package"],
            0,
        ),
        ("conda" | "mamba", "run", _) => after(1, &["-n", "--name", "-p", "--prefix"], 0),
        ("pipx", "run", _) => after(1, &["--spec", "--python"], 0),
        ("bundle" | "rbenv" | "pyenv" | "asdf" | "mise", "exec", _) | ("mise", "x", _) => after(1, &[], 0),
        ("direnv", "exec", _) => after(1, &[], 1),
        ("docker" | "podman" | "docker-compose", "exec", _) => {
            after(1, &["-e", "--env", "-u", "--user", "-w", "--workdir", "--env-file"], 1)
        }
        ("docker" | "podman", "run", _) => after(
            1,
            &[
                "-e",
                "--env",
                "-u",
                "--user",
                "-w",
                "--workdir",
                "-v",
                "--volume",
                "-p",
                "--publish",
                "--name",
                "--entrypoint",
                "--network",
                "--mount",
                "-m",
                "--cpus",
                "--platform",
                "-h",
                "--env-file",
                "-l",
                "--label",
            ],
            1,
        ),
        ("docker" | "podman", "compose", "exec" | "run") => {
            after(2, &["-e", "--env", "-u", "--user", "-w", "--workdir"], 1)
        }
        ("docker-compose", "run", _) => after(1, &["-e", "--env", "-u", "--user", "-w", "--workdir"], 1),
        ("kubectl" | "oc", "exec", _) => after(1, &["-n", "--namespace", "-c", "--container"], 1),
        ("ssh" | "mosh", ..) => match after(
            0,
            &[
                "-p", "-i", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-E", "-S", "-W", "-b", "-c", "-m", "-w", "-B",
                "-e", "-I", "-O", "-Q",
            ],
            1,
        ) {
            Inner::Words(at) => Inner::Text(at),
            other => other,
        },
        ("watch", ..) => match after(0, &["-n", "--interval", "-q"], 0) {
            Inner::Words(at) => Inner::Text(at),
            other => other,
        },
        ("flock", ..) => match after(0, &["-w", "--timeout", "-E"], 1) {
            Inner::Words(at) if word(at) == "-c" => Inner::Text(at + 1),
            other => other,
        },
        ("script", ..) => match args.iter().position(|arg| arg.is("-c") || arg.is("--command")) {
            Some(at) if at + 1 < args.len() => Inner::Text(at + 1),
            _ => return None,
        },
        ("concurrently" | "hyperfine" | "nodemon" | "watchexec" | "entr", ..) => {
            match after(0, &["--exec", "-x", "-w", "-e", "--watch", "--ext", "--warmup", "--runs"], 0) {
                Inner::Words(at) => Inner::Text(at),
                other => other,
            }
        }
        ("parallel", ..) => {
            match after(0, &["-j", "--jobs", "-I", "-a", "--arg-file", "-n", "-N", "--delay", "--timeout"], 0) {
                Inner::Words(at) => Inner::Text(at),
                other => other,
            }
        }
        ("tmux" | "screen", ..) => {
            let at = args.iter().position(|arg| arg.text().contains(' ')).unwrap_or(args.len());
            if at < args.len() { Inner::Text(at) } else { return None }
        }
        ("nix-shell", ..) => match args.iter().position(|arg| arg.is("--run") || arg.is("--command")) {
            Some(at) if at + 1 < args.len() => Inner::Text(at + 1),
            _ => return None,
        },
        ("git", "bisect", "run") => Inner::Words(2),
        ("git", "submodule", "foreach") => match after(2, &[], 0) {
            Inner::Words(at) => Inner::Text(at),
            other => other,
        },
        ("strace" | "ltrace", ..) => after(0, &["-e", "-o", "-p", "-s", "-u", "-E"], 0),
        (
            "chroot" | "nsenter" | "unshare" | "bwrap" | "firejail" | "systemd-run" | "valgrind" | "fakeroot" | "proot"
            | "rlwrap" | "tini" | "dumb-init" | "xvfb-run" | "busybox" | "toybox",
            ..,
        ) => after(0, &["-t", "-u", "-p", "-n", "-s", "-a"], usize::from(name == "chroot")),
        ("taskset" | "chrt" | "setarch", ..) => after(0, &[], 1),
        ("perf", "record" | "stat", _) => after(1, &["-e", "-o", "-F", "-p"], 0),
        ("ip", "netns", "exec") => after(3, &[], 1),
        ("cross-env" | "dotenv", ..) => assignments(0),
        _ => return None,
    })
}
