//! Programs that start another one and are more than a wrapper: a rule must name both (`uv run pytest`).

use super::{Arg, Input, Need, Walk, values::Before};
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
        let (inner, strange) = inner_of(name, args);
        if strange {
            self.unknown(format!("an option of {name} that is not known: what it starts is not certain"));
        }
        let Some(inner) = inner else { return false };
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
                    self.assign(variable, arg.exact().map(|_| value), Before::Anything);
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
            | "dbus-run-session"
            | "torsocks"
            | "torify"
            | "proxychains"
            | "proxychains4"
            | "catchsegv"
            | "prlimit"
            | "setpriv"
            | "eatmydata"
            | "fakechroot"
            | "faketime"
            | "runcon"
            | "numactl"
            | "choom"
            | "cgexec"
            | "sg"
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

/// Options before the subcommand, of programs that start others: those that take a value, and those that do not.
fn globals(name: &str) -> Option<(&'static [&'static str], &'static [&'static str])> {
    Some(match name {
        "docker" | "podman" => (
            &[
                "-H",
                "--host",
                "-c",
                "--context",
                "--config",
                "-l",
                "--log-level",
                "--tlscacert",
                "--tlscert",
                "--tlskey",
            ],
            &["-D", "--debug", "--tls", "--tlsverify", "-v", "--version", "--help"],
        ),
        "compose" | "docker-compose" => (
            &[
                "-f",
                "--file",
                "-p",
                "--project-name",
                "--profile",
                "--env-file",
                "--project-directory",
                "--ansi",
                "--parallel",
                "--progress",
            ],
            &["--all-resources", "--compatibility", "--dry-run", "--verbose", "-v", "--version", "--help"],
        ),
        "kubectl" | "oc" => (
            &[
                "-n",
                "--namespace",
                "--context",
                "--cluster",
                "--user",
                "--kubeconfig",
                "-s",
                "--server",
                "--token",
                "--as",
                "--as-group",
                "--request-timeout",
                "-v",
                "--cache-dir",
                "--certificate-authority",
                "--client-key",
                "--client-certificate",
            ],
            &["--insecure-skip-tls-verify", "--warnings-as-errors", "--match-server-version", "--help"],
        ),
        "npm" | "pnpm" | "yarn" | "bun" => (
            &["-w", "--workspace", "--prefix", "-C", "--dir", "--cwd", "--filter", "-F", "--loglevel", "--registry"],
            &[
                "-s",
                "--silent",
                "-q",
                "--quiet",
                "-y",
                "--yes",
                "-r",
                "--recursive",
                "-ws",
                "--workspaces",
                "--if-present",
                "--verbose",
                "-v",
                "--version",
                "-h",
                "--help",
                "-g",
                "--global",
                "--offline",
                "--prefer-offline",
                "--frozen-lockfile",
                "--no-audit",
                "--no-fund",
                "--ignore-scripts",
                "--json",
            ],
        ),
        "uv" | "poetry" | "pipenv" | "rye" | "hatch" | "pdm" | "pipx" | "conda" | "mamba" => (
            &[
                "-C",
                "--directory",
                "--project",
                "-P",
                "-p",
                "--python",
                "--config-file",
                "--cache-dir",
                "--color",
                "-e",
            ],
            &[
                "-q",
                "--quiet",
                "-v",
                "-vv",
                "-vvv",
                "--verbose",
                "-n",
                "--no-cache",
                "--offline",
                "--native-tls",
                "--no-config",
                "--no-progress",
                "--no-interaction",
                "--ansi",
                "--no-ansi",
                "--no-plugins",
                "-V",
                "--version",
                "-h",
                "--help",
                "--no-color",
                "--isolated",
            ],
        ),
        "bundle" | "rbenv" | "pyenv" | "asdf" | "mise" | "direnv" | "nx" | "lerna" | "opam" | "stack" | "cabal"
        | "dune" | "tox" | "composer" | "gem" => (
            &["-C", "--cd", "-E", "--env", "-e"],
            &["-q", "--quiet", "-v", "--verbose", "-V", "--version", "-h", "--help", "-y", "--yes", "--no-color"],
        ),
        _ => return None,
    })
}

/// Where the first word after the options from `from` on stands, and whether an option on the way is not known.
fn first_word(name: &str, args: &[Arg], from: usize) -> (usize, bool) {
    let (valued, flags) = globals(name).unwrap_or_default();
    let (mut at, mut strange) = (from, false);
    while let Some(arg) = args.get(at).filter(|arg| arg.is_option()) {
        let text = arg.text();
        if valued.contains(&text) {
            at += 1;
        } else if !flags.contains(&text) && !text.contains('=') {
            strange = true;
        }
        at += 1;
    }
    (at, strange)
}

/// The program that is started, if one is, and whether that is certain.
fn inner_of(name: &str, args: &[Arg]) -> (Option<Inner>, bool) {
    let (mut first, mut strange) = if globals(name).is_some() { first_word(name, args, 0) } else { (0, false) };
    // `docker container exec` is `docker exec`.
    if matches!(name, "docker" | "podman") && args.get(first).is_some_and(|arg| arg.is("container")) {
        first += 1;
    }
    let mut second = first + 1;
    if args.get(first).is_some_and(|arg| arg.is("compose")) {
        let (at, odd) = first_word("compose", args, second);
        second = at;
        strange |= odd;
    }
    if name == "bun" && strange {
        // `bun -e x` is code, whatever x is.
        return (None, true);
    }
    (inner_from(name, args, first, second), strange)
}

fn inner_from(name: &str, args: &[Arg], first: usize, second: usize) -> Option<Inner> {
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
    Some(match (name, word(first), word(second)) {
        ("npx" | "pnpx" | "bunx" | "uvx", ..) => {
            after(0, &["-p", "--package", "-c", "--call", "--from", "--with", "--python"], 0)
        }
        ("npm" | "pnpm" | "yarn", "exec" | "x" | "dlx", _) | ("bun", "x", _) => {
            after(first + 1, &["-p", "--package", "-c", "--call"], 0)
        }
        ("uv" | "poetry" | "pipenv" | "rye" | "hatch" | "pdm", "run", _) => after(
            first + 1,
            &["--with", "--python", "-p", "--project", "--extra", "--group", "--env-file", "--directory", "--package"],
            0,
        ),
        ("conda" | "mamba", "run", _) => after(first + 1, &["-n", "--name", "-p", "--prefix"], 0),
        ("pipx", "run", _) => after(first + 1, &["--spec", "--python"], 0),
        ("yarn", "node", _) => Inner::Words(first),
        ("uv", "tool", "run") => after(second + 1, &["--from", "--with", "--python", "-p"], 0),
        ("nx" | "lerna" | "opam" | "stack" | "cabal" | "dune" | "tox" | "composer" | "gem", "exec", _) => {
            after(first + 1, &["-C", "-g", "-v", "--gem", "--version"], 0)
        }
        ("adb", "shell", _) => Inner::Text(first + 1),
        ("cargo", "watch", _) => match args.iter().position(|arg| arg.is("-s") || arg.is("--shell") || arg.is("--")) {
            Some(at) if at + 1 < args.len() => Inner::Text(at + 1),
            _ => return None,
        },
        ("vagrant", "ssh", _) => match args.iter().position(|arg| arg.is("-c") || arg.is("--command")) {
            Some(at) if at + 1 < args.len() => Inner::Text(at + 1),
            _ => return None,
        },
        ("bundle" | "rbenv" | "pyenv" | "asdf" | "mise", "exec", _) | ("mise", "x", _) => after(first + 1, &[], 0),
        ("direnv", "exec", _) => after(first + 1, &[], 1),
        ("docker" | "podman" | "docker-compose", "exec", _) => {
            after(first + 1, &["-e", "--env", "-u", "--user", "-w", "--workdir", "--env-file"], 1)
        }
        ("docker" | "podman", "run", _) => after(
            first + 1,
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
            after(second + 1, &["-e", "--env", "-u", "--user", "-w", "--workdir"], 1)
        }
        ("docker-compose", "run", _) => after(first + 1, &["-e", "--env", "-u", "--user", "-w", "--workdir"], 1),
        ("kubectl" | "oc", "exec", _) => after(first + 1, &["-n", "--namespace", "-c", "--container"], 1),
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
        ("git", "bisect", "run") => Inner::Words(second + 1),
        ("git", "submodule", "foreach") => match after(second + 1, &[], 0) {
            Inner::Words(at) => Inner::Text(at),
            other => other,
        },
        ("strace" | "ltrace", ..) => after(0, &["-e", "-o", "-p", "-s", "-u", "-E"], 0),
        (
            "chroot" | "nsenter" | "unshare" | "bwrap" | "firejail" | "systemd-run" | "valgrind" | "fakeroot" | "proot"
            | "rlwrap" | "tini" | "dumb-init" | "xvfb-run" | "busybox" | "toybox" | "dbus-run-session" | "torsocks"
            | "proxychains" | "proxychains4" | "catchsegv" | "prlimit" | "setpriv" | "eatmydata" | "fakechroot"
            | "aoss" | "start" | "torify" | "tsocks" | "winpty",
            ..,
        ) => after(0, &["-t", "-u", "-p", "-n", "-s", "-a"], usize::from(name == "chroot")),
        ("taskset" | "chrt" | "setarch", ..) => after(0, &[], 1),
        ("faketime" | "runcon", ..) => after(0, &["-f"], 1),
        ("numactl" | "choom" | "cgexec", ..) => after(0, &["-N", "-m", "-C", "-n", "-p", "-g"], 0),
        ("sg", ..) => match args.iter().position(|arg| arg.is("-c")) {
            Some(at) if at + 1 < args.len() => Inner::Text(at + 1),
            _ if args.len() > 1 => Inner::Text(1),
            _ => Inner::Nothing,
        },
        ("perf", "record" | "stat", _) => after(first + 1, &["-e", "-o", "-F", "-p"], 0),
        ("ip", "netns", "exec") => after(second + 2, &[], 1),
        ("cross-env" | "dotenv", ..) => assignments(0),
        _ => return None,
    })
}
