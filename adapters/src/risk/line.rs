//! Walks the pipelines of a command line and judges each program in its place: behind `sudo`, after `cd`, at the end of a pipe.

use std::path::{Path, PathBuf};

use super::{
    Findings, data, git,
    paths::{Place, PlaceKind, is_secret, normal},
    programs, remote,
    shell::{self, Pipeline, Redirect, RedirectKind, Simple, Stage, Word},
    some_of,
};

/// Commands in commands in commands: deeper than this nobody writes, and nobody reads.
const DEPTH_LIMIT: usize = 8;

/// Judges all commands of a line.
pub(super) fn judge(command: &str, folder: &Path, findings: &mut Findings) {
    if command.trim_end().ends_with('…') {
        findings.medium("the command is longer than what the CLI shows");
    }
    let squeezed: String = command.chars().filter(|each| !each.is_whitespace()).collect();
    if squeezed.contains(":(){:|:&};:") {
        findings.high("starts itself again and again until the machine stands still");
    }
    let mut walk = Walk { folder, cwd: Some(folder.to_owned()), downloaded: Vec::new(), depth: 0, findings };
    walk.text(command);
}

/// What a command passes on to the next one in its pipeline.
#[derive(Debug, Clone, Default)]
pub(super) struct Flow {
    /// It comes from the network.
    pub download: bool,
    /// It was encoded, so that nobody can read what it is.
    pub hidden: bool,
    /// It has secrets in it; the name of the file.
    pub secret: Option<String>,
    /// The text itself, where it stands in the command.
    pub text: Option<String>,
    /// There is something at all.
    pub any: bool,
}

/// One program as it is called, with everything before it taken off.
pub(super) struct Call<'a> {
    pub program: &'a str,
    pub args: &'a [Word],
    /// What is piped or written into it.
    pub input: &'a Flow,
}

pub(super) struct Walk<'a> {
    pub folder: &'a Path,
    /// Where the command is; unknown after `cd $SOMEWHERE`.
    pub cwd: Option<PathBuf>,
    /// Files that this line has fetched.
    pub downloaded: Vec<String>,
    depth: usize,
    pub findings: &'a mut Findings,
}

impl Walk<'_> {
    /// A text that a shell will run.
    pub(super) fn text(&mut self, command: &str) -> Flow {
        if self.depth >= DEPTH_LIMIT {
            self.findings.medium("the command is nested too deeply to be judged");
            return Flow::default();
        }
        self.depth += 1;
        let flow = self.pipelines(&shell::read(command));
        self.depth -= 1;
        flow
    }

    fn pipelines(&mut self, pipelines: &[Pipeline]) -> Flow {
        let mut all = Flow::default();
        for pipeline in pipelines {
            let flow = self.pipeline(pipeline);
            all.download |= flow.download;
            all.hidden |= flow.hidden;
            all.secret = all.secret.or(flow.secret);
            all.text = all.text.or(flow.text);
            all.any = true;
        }
        all
    }

    fn pipeline(&mut self, pipeline: &Pipeline) -> Flow {
        let mut flow = Flow::default();
        for stage in &pipeline.stages {
            flow = match stage {
                Stage::Simple(simple) => self.simple(simple, flow),
                Stage::Group(inside, redirects) => {
                    let cwd = self.cwd.clone();
                    let out = self.pipelines(inside);
                    self.cwd = cwd;
                    self.redirects(redirects);
                    out
                }
            };
        }
        flow
    }

    fn simple(&mut self, simple: &Simple, mut input: Flow) -> Flow {
        // What is worked out before the program runs.
        let mut worked_out = Flow::default();
        let redirected = simple.redirects.iter().map(|redirect| &redirect.target);
        for word in simple.assignments.iter().chain(&simple.words).chain(redirected) {
            let flow = self.pipelines(&word.inner);
            worked_out.download |= flow.download;
            worked_out.hidden |= flow.hidden;
            worked_out.secret = worked_out.secret.take().or(flow.secret);
        }
        for word in &simple.assignments {
            programs::assignment(&word.text, self.findings);
        }
        self.redirects(&simple.redirects);
        for redirect in &simple.redirects {
            match redirect.kind {
                RedirectKind::Here => input.text = Some(redirect.target.text.clone()),
                RedirectKind::Read if is_secret(&redirect.target.text) => {
                    input.secret = Some(redirect.target.text.clone());
                }
                _ => continue,
            }
            input.any = true;
        }
        let mut out = self.words(&simple.words, &input, &worked_out);
        if let Some(secret) = &worked_out.secret {
            out.secret.get_or_insert_with(|| secret.clone());
        }
        out
    }

    /// A program with its arguments; what only calls another program is taken off.
    pub(super) fn words(&mut self, words: &[Word], input: &Flow, worked_out: &Flow) -> Flow {
        let Some((first, args)) = words.split_first() else { return Flow::default() };
        if !first.quoted && first.text.starts_with('$') {
            self.findings.medium(format!("what runs is only known when it runs: {}", first.text));
        }
        let program = first.text.rsplit('/').next().unwrap_or_default();
        if let Some(name) = self.downloaded.iter().find(|name| first.text.ends_with(name.as_str())).cloned() {
            self.findings.high(format!("runs a program straight from the internet: {name}"));
        }
        if let Some(rest) = programs::called_by(program, args, self.findings) {
            return self.words(&args[rest..], input, worked_out);
        }
        let call = Call { program, args, input };
        match program {
            "cd" | "pushd" => {
                self.enter(args.first());
                return Flow::default();
            }
            "eval" | "source" | "." | "iex" | "invoke-expression" if worked_out.download => {
                self.findings.high("runs a program straight from the internet");
            }
            "eval" => {
                let text: Vec<&str> = args.iter().map(|word| word.text.as_str()).collect();
                return self.text(&text.join(" "));
            }
            "iex" | "invoke-expression" if input.download => {
                self.findings.high("runs a program straight from the internet");
            }
            "ssh" => return remote::ssh(self, &call),
            "find" | "fd" => return self.find(&call),
            _ if programs::is_shell(program) || programs::is_interpreter(program) => {
                return self.interpreter(&call, worked_out);
            }
            _ => {}
        }
        programs::judge(self, &call);
        git::judge(self, &call);
        remote::judge(self, &call, worked_out);
        data::judge(&call, self.findings);
        self.flow_of(&call)
    }

    fn enter(&mut self, target: Option<&Word>) {
        let target = target.map_or("~", |word| word.text.as_str());
        self.cwd = match (&self.cwd, target) {
            (_, absolute) if absolute.starts_with('/') => Some(normal(Path::new(absolute))),
            (Some(cwd), relative) if !relative.contains(['$', '~']) && relative != "-" => {
                Some(normal(&cwd.join(relative)))
            }
            _ => None,
        };
    }

    pub(super) fn place(&self, text: &str) -> Place {
        Place::of(text, self.cwd.as_deref(), self.folder)
    }

    fn redirects(&mut self, redirects: &[Redirect]) {
        for Redirect { kind, target } in redirects {
            if target.text.starts_with("/dev/tcp/") || target.text.starts_with("/dev/udp/") {
                self.findings.high(format!("opens a bare connection to another machine: {}", target.text));
                continue;
            }
            let is_number = target.text.chars().all(|each| each.is_ascii_digit() || each == '-');
            match kind {
                RedirectKind::Write | RedirectKind::Append if !is_number => {
                    self.place(&target.text).judge_write(self.findings);
                }
                RedirectKind::Read => self.place(&target.text).judge_read(self.findings),
                _ => {}
            }
        }
    }

    /// A shell or another interpreter: what it is given to run is judged as well, where it can be seen.
    fn interpreter(&mut self, call: &Call<'_>, worked_out: &Flow) -> Flow {
        let is_shell = programs::is_shell(call.program);
        if worked_out.download {
            self.findings.high("runs a program straight from the internet");
        }
        if let Some(code) = programs::inline_code(call) {
            if is_shell {
                return self.text(&code);
            }
            programs::inline_program(&code, self.findings);
            return Flow::default();
        }
        let script = call.args.iter().find(|word| !word.text.starts_with('-'));
        if let Some(script) = script {
            if let Some(name) = self.downloaded.iter().find(|name| script.text.ends_with(name.as_str())) {
                self.findings.high(format!("runs a program straight from the internet: {name}"));
            }
            data::judge(call, self.findings);
            return Flow::default();
        }
        let input = call.input;
        if input.download {
            self.findings.high("runs a program straight from the internet");
        } else if input.hidden {
            self.findings.high("runs a program that was made unreadable");
        } else if let Some(text) = &input.text {
            if is_shell {
                return self.text(text);
            }
            programs::inline_program(text, self.findings);
        } else if input.any {
            self.findings.medium(format!("hands what another command prints to {}", call.program));
        }
        Flow::default()
    }

    /// `find` and `fd` do to every file they find what they are told.
    fn find(&mut self, call: &Call<'_>) -> Flow {
        let args = call.args;
        if args.iter().any(|word| word.text == "-delete") {
            self.findings.high("deletes every file that find comes across");
        }
        for (at, word) in args.iter().enumerate() {
            if matches!(word.text.as_str(), "-exec" | "-execdir" | "-ok" | "-x" | "-X" | "--exec" | "--exec-batch") {
                let end = args[at + 1..].iter().position(|word| matches!(word.text.as_str(), ";" | "+"));
                let called = &args[at + 1..end.map_or(args.len(), |end| at + 1 + end)];
                let name = called.first().map_or("", |word| word.text.rsplit('/').next().unwrap_or_default());
                if matches!(name, "rm" | "unlink" | "shred") {
                    self.findings.high("deletes every file that find comes across");
                } else {
                    self.words(called, &Flow::default(), &Flow::default());
                }
            }
        }
        Flow { any: true, ..Flow::default() }
    }

    /// What goes on to the next program.
    fn flow_of(&self, call: &Call<'_>) -> Flow {
        let mut flow = Flow { any: true, ..call.input.clone() };
        match call.program {
            "echo" | "printf" => {
                let text: Vec<&str> = call.args.iter().map(|word| word.text.as_str()).collect();
                flow.text = Some(text.join(" ").replace("\\n", "\n"));
            }
            "curl" | "wget" | "aria2c" | "irm" | "iwr" | "invoke-webrequest" | "http" => flow.download = true,
            "base64" | "base32" | "xxd" | "openssl" | "gunzip" | "zcat" | "uudecode" => flow.hidden = true,
            "env" | "printenv" | "set" | "export" if call.args.is_empty() => {
                flow.secret = Some("the environment".to_owned())
            }
            _ => {}
        }
        let secrets: Vec<&str> =
            call.args.iter().map(|word| word.text.as_str()).filter(|text| is_secret(text)).collect();
        if programs::reads_files(call.program) && !secrets.is_empty() {
            flow.secret = Some(some_of(secrets.into_iter()));
        }
        flow
    }

    /// True when a file is where losing or changing it is more than the folder's own affair.
    pub(super) fn is_far(&self, text: &str) -> bool {
        matches!(
            self.place(text).kind,
            PlaceKind::Home | PlaceKind::System | PlaceKind::Outside | PlaceKind::Device | PlaceKind::Folder
        )
    }
}
