//! From a script to everything it would do: which programs run, which files are written, what cannot be known.
//!
//! The walk takes wrappers off (`env`, `timeout`, `xargs`, `find -exec`), follows `cd`, looks into `sh -c`, `eval`, here-documents and
//! substitutions, and asks [`crate::programs`] what single programs do. It decides nothing: rules are matched against its lists.

mod builtins;
mod calls;
mod interpreters;
mod launchers;
mod values;
mod wrappers;
mod writes;

pub(crate) use calls::{Arg, Call, Need, Sharp, Write};
pub(crate) use interpreters::is_interpreter;
pub(crate) use launchers::is_launcher;
pub(crate) use wrappers::is_wrapper;

use std::collections::HashMap;

use crate::{
    judgement::Floor,
    shell::{
        self,
        ast::{Block, BlockKind, Redirect, RedirectKind, Script, Simple, Statement, Word},
    },
};
use values::{Before, Known};

/// Texts inside texts (`sh -c`, `eval`) deeper than this are not followed.
const TEXT_LIMIT: usize = 4;
/// More calls than this nobody reads.
const CALL_LIMIT: usize = 400;

/// Everything a command line would do, as far as it can be known.
#[derive(Debug, Default)]
pub(crate) struct Walked {
    pub calls: Vec<Call>,
    /// Files written by redirections and options.
    pub writes: Vec<Write>,
    /// Files that programs are given to read.
    pub reads: Vec<Arg>,
    pub floors: Vec<(Floor, String)>,
    /// Why it cannot be allowed; empty when all was understood.
    pub unknown: Vec<String>,
}

/// What a command reads.
#[derive(Debug, Clone, Default)]
pub(crate) enum Input {
    #[default]
    Nothing,
    /// The output of another command.
    Pipe,
    /// A text that stands in the line itself.
    Text(String),
}

/// Walks all readings of a command.
pub(crate) fn walk(command: &str, folder: &str, cwd: Option<&str>, written: &[String]) -> Walked {
    let mut walk = new(folder, cwd, written);
    if let Some(cwd) = cwd {
        walk.enter_path(cwd);
    }
    walk.text(command);
    walk.out
}

/// A walk that has not begun; file tools are judged with it as well.
pub(crate) fn new(folder: &str, cwd: Option<&str>, written: &[String]) -> Walk {
    Walk {
        folder: folder.to_owned(),
        places: vec![cwd.map_or_else(|| folder.to_owned(), |cwd| crate::paths::resolve(cwd, folder))],
        away: false,
        known: HashMap::new(),
        via: Vec::new(),
        texts: 0,
        secret_names: false,
        turn: written.to_vec(),
        written: Vec::new(),
        out: Walked::default(),
    }
}

pub(crate) struct Walk {
    pub folder: String,
    /// Where the command may be; a `cd` that fails leaves it where it was.
    pub places: Vec<String>,
    /// It has left the folder, or nobody knows where it is.
    pub away: bool,
    known: HashMap<String, Known>,
    via: Vec<String>,
    texts: usize,
    /// Files with secrets are being looked for: their names may come to whatever reads files.
    pub secret_names: bool,
    /// Files that were written earlier in the same turn.
    turn: Vec<String>,
    /// Files that were written before something could run them.
    written: Vec<String>,
    pub out: Walked,
}

impl Walk {
    pub(crate) fn floor(&mut self, floor: Floor, why: impl Into<String>) {
        let why = why.into();
        if !self.out.floors.iter().any(|(_, known)| *known == why) {
            self.out.floors.push((floor, why));
        }
    }

    pub(crate) fn unknown(&mut self, why: impl Into<String>) {
        let why = why.into();
        if !self.out.unknown.contains(&why) {
            self.out.unknown.push(why);
        }
    }

    /// Runs `inside` with one more step on the way to what it finds.
    fn via(&mut self, step: &str, inside: impl FnOnce(&mut Self)) {
        self.via.push(step.to_owned());
        inside(self);
        self.via.pop();
    }

    /// A text that a shell will run.
    pub(crate) fn text(&mut self, text: &str) {
        if self.texts >= TEXT_LIMIT {
            self.unknown("commands inside commands inside commands");
            return;
        }
        self.texts += 1;
        let line = shell::read(text);
        for problem in &line.problems {
            self.unknown(*problem);
        }
        for script in &line.scripts {
            self.collect_assignments(script);
            self.script(script, &Input::Nothing);
        }
        self.texts -= 1;
    }

    pub(crate) fn script(&mut self, script: &Script, input: &Input) {
        for statement in script {
            self.statement(statement, input.clone());
        }
    }

    fn statement(&mut self, statement: &Statement, input: Input) {
        if self.out.calls.len() > CALL_LIMIT {
            self.unknown("the command has too many parts");
            return;
        }
        match statement {
            Statement::Simple(simple) => self.simple(simple, input),
            Statement::Pipeline(stages) => {
                let mut input = input;
                for stage in stages {
                    let printed = printed_text(stage);
                    self.statement(stage, input);
                    input = printed.map_or(Input::Pipe, Input::Text);
                }
            }
            Statement::Chain(chain) => {
                // Within a chain a `cd` has succeeded; after it nobody knows.
                let before = self.places.clone();
                for statement in chain {
                    self.statement(statement, input.clone());
                    if is_cd(statement)
                        && let Some(entered) = self.places.last().cloned().filter(|_| self.places != before)
                    {
                        self.places = vec![entered];
                    }
                }
                let mut places = before;
                places.extend(std::mem::take(&mut self.places));
                places.sort();
                places.dedup();
                self.places = places;
            }
            Statement::Block(block) => self.block(block, input),
        }
    }

    fn block(&mut self, block: &Block, input: Input) {
        let input = self.redirects(&block.redirects, input, None);
        let args: Vec<Arg> = block.words.iter().map(|word| self.arg(word)).collect();
        match &block.kind {
            BlockKind::For(name) => {
                if let Some(arg) = args.iter().find(|arg| crate::programs::may_hold_secrets(arg)) {
                    self.unknown(format!("goes through files with secrets: {}", arg.shown));
                }
                self.bind_loop(name, &args);
            }
            BlockKind::Test(operators) => self.test(operators, &args),
            BlockKind::Function => self.unknown("a function is defined"),
            BlockKind::Other => self.unknown("an unusual compound command"),
            _ => {}
        }
        self.script(&block.body, &input);
    }

    /// `[[ … ]]` works numbers out, and that can run commands.
    fn test(&mut self, operators: &[String], args: &[Arg]) {
        let numeric = |op: &String| matches!(op.as_str(), "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-v" | "-R");
        let plain = |arg: &Arg| {
            arg.exact().is_some_and(|text| text.chars().all(|each| each.is_ascii_alphanumeric() || each == '_'))
        };
        if operators.iter().any(numeric) && !args.iter().all(|arg| plain(arg) || arg.number) {
            self.unknown("a test works out a number that is only known when it runs");
        }
    }

    fn simple(&mut self, simple: &Simple, input: Input) {
        let mut values = Vec::new();
        for assignment in &simple.assignments {
            let value = self.arg(&assignment.value);
            values.push((assignment.name.clone(), value));
        }
        let args = self.args(&simple.words);
        let before = !args.is_empty();
        for (name, value) in &values {
            let program = args.first().map(|arg| arg.exact().map_or(Before::Anything, Before::Program));
            self.assign(name, value.exact(), program.unwrap_or(Before::Nothing));
            if !before {
                self.bind(name, value);
            }
        }
        let owner = self.out.calls.len();
        let written = self.written.len();
        let input = self.redirects(&simple.redirects, input, before.then_some(owner));
        // What a command itself prints is not there yet when it begins.
        let own = self.written.split_off(written);
        if before {
            self.command(args, input);
        }
        self.written.extend(own);
    }

    /// Redirections as reads and writes; what a here-document says becomes the input.
    fn redirects(&mut self, redirects: &[Redirect], mut input: Input, owner: Option<usize>) -> Input {
        for redirect in redirects {
            match &redirect.kind {
                RedirectKind::HereDocument(body) => {
                    let arg = self.arg(body.get().unwrap_or(&Word::default()));
                    input = Input::Text(arg.exact().map_or(arg.shown.clone(), str::to_owned));
                    continue;
                }
                RedirectKind::HereString => {
                    let arg = self.arg(&redirect.target);
                    input = Input::Text(arg.exact().map_or(arg.shown.clone(), str::to_owned));
                    continue;
                }
                _ => {}
            }
            let target = self.arg(&redirect.target);
            let network = ["/dev/tcp/", "/dev/udp/"].iter().any(|start| target.shown.starts_with(start));
            if network {
                self.floor(Floor::RunsProgram, format!("opens a bare connection to another machine: {}", target.shown));
            }
            match redirect.kind {
                RedirectKind::Read => {
                    input = Input::Pipe;
                    if crate::programs::may_hold_secrets(&target) {
                        self.unknown(format!("reads a file with secrets: {}", target.shown));
                    }
                    self.out.reads.push(target);
                }
                _ => self.write(&target, owner, &[], ">"),
            }
        }
        input
    }
}

fn is_cd(statement: &Statement) -> bool {
    matches!(statement, Statement::Simple(simple) if simple.words.first().and_then(values::plain_text) == Some("cd"))
}

/// What a stage prints when it only repeats its words.
fn printed_text(stage: &Statement) -> Option<String> {
    let Statement::Simple(simple) = stage else { return None };
    let (first, rest) = simple.words.split_first()?;
    let texts: Option<Vec<&str>> = rest.iter().map(values::plain_text).collect();
    match values::plain_text(first)? {
        "echo" | "printf" => Some(texts?.join(" ").replace("\\n", "\n").replace("%s", "")),
        "cat" => match &simple.redirects.first()?.kind {
            RedirectKind::HereDocument(body) => body.get().and_then(values::plain_text).map(str::to_owned),
            _ => None,
        },
        _ => None,
    }
}
