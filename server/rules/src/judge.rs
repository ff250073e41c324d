//! The decision: floor and deny first, then ask, then allow, otherwise a person.

use crate::{
    Request, State,
    judgement::{Floor, Judgement, Part, Risk, Verdict},
    paths,
    rules::{self, Match, Pattern, Rule, RuleSet, ShellPattern, Timestamp},
    shell::LENGTH_LIMIT,
    tools::{self, Action},
    walk::{self, Arg, Call, Need, Walked},
};

/// Judges a request by the rules in force.
///
/// Deny and ask match if anything the request would do matches, in any spelling. Allow needs everything to be covered: every
/// command, every file that is written, every variable. What is on the floor, or was not understood, is asked.
#[must_use]
pub fn judge(request: &Request, rules: &RuleSet, state: &State, now: Timestamp) -> Judgement {
    let in_force: Vec<&Rule> =
        rules.rules.iter().filter(|rule| rule.concerns(request, now) && state.leaves_uses(rule, now)).collect();
    let mut case = Case::new(request, in_force);
    case.gather();
    let judgement = case.decide();
    state.hold(request, judgement, now)
}

/// A file or address that needs a rule.
struct Target {
    shown: String,
    paths: Vec<String>,
    /// The call that a rule may name instead.
    call: Option<usize>,
    named_by: Vec<String>,
    what: What,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Edit,
    Write,
    Read,
}

struct Case<'a> {
    request: &'a Request,
    rules: Vec<&'a Rule>,
    folder: String,
    line: String,
    walked: Walked,
    targets: Vec<Target>,
    hosts: Vec<Result<String, &'static str>>,
    action: Action,
}

impl<'a> Case<'a> {
    fn new(request: &'a Request, rules: Vec<&'a Rule>) -> Self {
        let action = tools::action(&request.tool, &request.input);
        let folder = paths::resolve(&request.folder, "/");
        Self {
            request,
            rules,
            folder,
            line: String::new(),
            walked: Walked::default(),
            targets: Vec::new(),
            hosts: Vec::new(),
            action,
        }
    }

    /// Everything the request would do.
    fn gather(&mut self) {
        let action = self.action.clone();
        match &action {
            Action::Shell { command, cwd, unsandboxed } => {
                // What is longer is asked; a rule about a whole line looks no further.
                self.line = command.trim().chars().take(LENGTH_LIMIT).collect();
                self.walked = walk::walk(command, &self.folder, cwd.as_deref(), &self.request.written);
                for write in &self.walked.writes {
                    self.targets.push(Target {
                        shown: write.shown.clone(),
                        paths: write.paths.clone(),
                        call: write.call,
                        named_by: write.named_by.clone(),
                        what: What::Write,
                    });
                }
                if let Some(what) = crate::characters::deceives(command, true) {
                    self.walked.floors.push((Floor::LookAlike, format!("the command {what}")));
                }
                if *unsandboxed {
                    self.walked.unknown.push("it asks to run outside the sandbox".to_owned());
                }
                if command.trim_end().ends_with('…') {
                    self.walked.unknown.push("the command is longer than what is shown".to_owned());
                }
            }
            Action::Edit(files) => self.files(files, What::Edit),
            Action::Write(files) => self.files(files, What::Write),
            Action::Read(files) => self.files(files, What::Read),
            Action::Fetch(urls) => {
                for url in urls {
                    if let Some(what) = crate::characters::deceives(url, false) {
                        self.walked.floors.push((Floor::LookAlike, format!("the address {what}")));
                    }
                    let host = rules::host_of(url);
                    if let Err(why) = &host {
                        self.walked.unknown.push((*why).to_owned());
                    }
                    self.hosts.push(host);
                }
            }
            Action::Person(why) | Action::Unreadable(why) => self.walked.unknown.push((*why).to_owned()),
            Action::Search | Action::Mcp { .. } | Action::Tool(_) => {}
        }
        if self.request.cut {
            self.walked.unknown.push("only a part of it is shown".to_owned());
        }
    }

    fn files(&mut self, files: &[String], what: What) {
        let mut walk = walk::new(&self.folder, None, &[]);
        for file in files {
            if let Some(deceives) = crate::characters::deceives(file, false) {
                walk.floor(Floor::LookAlike, format!("the name of the file {deceives}"));
            }
            if file.contains(['\n', '\0']) || file.is_empty() {
                walk.unknown("an unusual name of a file");
            }
            let paths = if what == What::Read {
                if paths::is_secret(file) {
                    walk.unknown(format!("reads a file with secrets: {file}"));
                }
                vec![if file.starts_with('~') { file.clone() } else { paths::resolve(file, &self.folder) }]
            } else {
                walk.tool_write(file)
            };
            self.targets.push(Target { shown: file.clone(), paths, call: None, named_by: Vec::new(), what });
        }
        self.walked = walk.out;
    }

    fn decide(self) -> Judgement {
        let mut parts = Vec::new();
        let denied = self.stricter(Verdict::Deny, &mut parts);
        let asked = self.stricter(Verdict::Ask, &mut parts);
        let allowed = self.allow(&mut parts);
        let floor = self.walked.floors.iter().min_by_key(|(floor, _)| *floor).cloned();
        let understood = self.walked.unknown.is_empty();
        let risk = match (&floor, understood) {
            (Some(_), _) => Risk::High,
            (None, false) => Risk::Medium,
            (None, true) => Risk::Low,
        };
        let covered_by = allowed.as_ref().map(|(_, all)| all.clone()).unwrap_or_default();
        let (verdict, rule, why) = match (denied, &floor, asked, allowed) {
            (Some((rule, Match::Yes, what)), ..) => {
                (Verdict::Deny, Some(rule), format!("{} says no to {what}", rule.text))
            }
            (_, Some((_, why)), ..) => (Verdict::Ask, None, why.clone()),
            (Some((rule, _, what)), ..) => (
                Verdict::Ask,
                Some(rule),
                format!("{} may say no to {what}: that is only known when it runs", rule.text),
            ),
            (_, _, Some((rule, _, what)), _) => {
                (Verdict::Ask, Some(rule), format!("{} wants {what} to be asked", rule.text))
            }
            (.., Ok(_)) if !understood => (Verdict::Ask, None, self.walked.unknown[0].clone()),
            (.., Err(why)) => {
                (Verdict::Ask, None, if understood { why } else { format!("{}; {why}", self.walked.unknown[0]) })
            }
            (.., Ok((rule, _))) => (Verdict::Allow, Some(rule), format!("{} says yes", rule.text)),
        };
        Judgement {
            verdict,
            floor: floor.map(|(floor, _)| floor),
            parts,
            rules: match rule {
                Some(_) if verdict == Verdict::Allow => covered_by,
                rule => rule.map(|rule| rule.id.clone()).into_iter().collect(),
            },
            rule: rule.map(|rule| rule.id.clone()),
            message: rule.filter(|_| verdict == Verdict::Deny).and_then(|rule| rule.message.clone()),
            why,
            risk,
            understood,
            would: None,
            held: None,
        }
    }

    fn of(&self, verdict: Verdict) -> impl Iterator<Item = &'a Rule> + '_ {
        self.rules.iter().copied().filter(move |rule| rule.verdict == verdict)
    }

    /// The rule that denies or asks, if anything reaches one, and what reached it. A certain match comes before a possible one.
    fn stricter(&self, verdict: Verdict, parts: &mut Vec<Part>) -> Option<(&'a Rule, Match, String)> {
        let mut best: Option<(&'a Rule, Match, String)> = None;
        for rule in self.of(verdict) {
            let (reached, what) = self.reached(rule);
            if reached > best.as_ref().map_or(Match::No, |best| best.1) {
                best = Some((rule, reached, what));
            }
        }
        if let Some((rule, reached, what)) = &best {
            let why = if *reached == Match::Yes {
                "a rule says so"
            } else {
                "a rule may say so: that is only known when it runs"
            };
            let verdict = if *reached == Match::Yes { verdict } else { Verdict::Ask };
            parts.push(Part {
                text: what.clone(),
                via: Vec::new(),
                verdict,
                rule: Some(rule.text.clone()),
                why: why.to_owned(),
            });
        }
        best
    }

    fn reached(&self, rule: &Rule) -> (Match, String) {
        let home = self.request.home.as_deref();
        let tool = |yes: bool| (if yes { Match::Yes } else { Match::No }, self.request.tool.clone());
        match (&rule.what, &self.action) {
            (Pattern::Shell(ShellPattern::Line { text, .. }), Action::Shell { .. }) => {
                let same = rules::reaches_line(text, &self.line);
                (if same { Match::Yes } else { Match::No }, self.line.clone())
            }
            (Pattern::Shell(pattern), Action::Shell { .. }) => {
                let best = self
                    .walked
                    .calls
                    .iter()
                    .map(|call| (rules::reaches(pattern, call), call))
                    .max_by_key(|(reached, _)| *reached);
                match best {
                    Some((reached, call)) => (reached, call.shown()),
                    None if *pattern == ShellPattern::Any => (Match::Yes, self.line.clone()),
                    None => (Match::No, String::new()),
                }
            }
            (Pattern::Edit(pattern) | Pattern::Write(pattern), _) => self.path_reached(pattern.as_deref(), false, home),
            (Pattern::Read(pattern), _) => self.path_reached(pattern.as_deref(), true, home),
            (Pattern::Fetch(pattern), Action::Fetch(urls)) => match pattern {
                None => tool(true),
                Some(pattern) => {
                    let unclear = self.hosts.iter().any(Result::is_err);
                    let hit = self.hosts.iter().flatten().any(|host| rules::matches_host(pattern, host, false));
                    let reached = if hit {
                        Match::Yes
                    } else if unclear {
                        Match::Perhaps
                    } else {
                        Match::No
                    };
                    (reached, urls.join(" "))
                }
            },
            (Pattern::Search, Action::Search) => tool(true),
            (Pattern::Mcp { server, tool: name }, Action::Mcp { server: asked, tool: called }) => tool(
                rules::matches_text(&server.to_lowercase(), &asked.to_lowercase())
                    && rules::matches_text(&name.to_lowercase(), &called.to_lowercase()),
            ),
            (Pattern::Tool(name), Action::Tool(asked)) => tool(name.eq_ignore_ascii_case(asked)),
            _ => (Match::No, String::new()),
        }
    }

    /// Files of tools and of commands against a rule that denies or asks.
    fn path_reached(&self, pattern: Option<&str>, reading: bool, home: Option<&str>) -> (Match, String) {
        let hits = |path: &str| match pattern {
            None => true,
            Some(pattern) => {
                rules::matches_path(pattern, path, &self.folder, home)
                    || rules::matches_path(
                        &pattern.to_lowercase(),
                        &path.to_lowercase(),
                        &self.folder.to_lowercase(),
                        home,
                    )
            }
        };
        let mut best = (Match::No, String::new());
        for target in &self.targets {
            if (target.what == What::Read) != reading {
                continue;
            }
            let reached = if target.paths.iter().any(|path| hits(path)) {
                Match::Yes
            } else if target.paths.is_empty() {
                Match::Perhaps
            } else {
                Match::No
            };
            if reached > best.0 {
                best = (reached, target.shown.clone());
            }
        }
        if let Action::Shell { .. } = self.action {
            let read = |arg: &Arg| {
                if arg.values.is_empty() {
                    let literal = pattern.is_some_and(|pattern| {
                        arg.glob
                            && !arg.open
                            && !arg.shown.contains(['$', '[', '{'])
                            && !rules::matches_text(&arg.shown, pattern.rsplit('/').next().unwrap_or(pattern))
                    });
                    return if literal { Match::No } else { Match::Perhaps };
                }
                let resolved = |value: &String| {
                    if value.starts_with('~') { value.clone() } else { paths::resolve(value, &self.folder) }
                };
                if arg.values.iter().any(|value| hits(&resolved(value))) { Match::Yes } else { Match::No }
            };
            let reads = self.walked.reads.iter().map(|arg| (read(arg), arg)).filter(|_| reading);
            let others = self
                .walked
                .calls
                .iter()
                .flat_map(|call| &call.args)
                .filter(|arg| pattern.is_some() && !arg.is_option())
                .map(|arg| (read(arg).min(Match::Perhaps), arg));
            for (reached, arg) in reads.chain(others.filter(|(_, arg)| !arg.values.is_empty())) {
                if reached > best.0 {
                    best = (reached, arg.shown.clone());
                }
            }
        }
        best
    }

    /// The rule that allows it all and all that do so together, or what is not covered.
    fn allow(&self, parts: &mut Vec<Part>) -> Result<(&'a Rule, Vec<String>), String> {
        let mut first: Option<&'a Rule> = None;
        let mut used: Vec<String> = Vec::new();
        let mut missing: Option<String> = None;
        let mut say = |text: String, via: Vec<String>, rule: Result<Option<&'a Rule>, String>| {
            let (verdict, name, why) = match rule {
                Ok(rule) => {
                    first = first.or(rule);
                    used.extend(rule.map(|rule| rule.id.clone()).filter(|id| !used.contains(id)));
                    (
                        Verdict::Allow,
                        rule.map(|rule| rule.text.clone()),
                        if rule.is_some() { "a rule says so" } else { "needs no rule" }.to_owned(),
                    )
                }
                Err(why) => {
                    missing.get_or_insert_with(|| format!("{text}: {why}"));
                    (Verdict::Ask, None, why)
                }
            };
            parts.push(Part { text, via, verdict, rule: name, why });
        };
        let whole = self.of(Verdict::Allow).find(
            |rule| matches!(&rule.what, Pattern::Shell(ShellPattern::Line { text, wild: false }) if *text == self.line),
        );
        match &self.action {
            Action::Shell { .. } => {
                for call in &self.walked.calls {
                    say(
                        call.shown(),
                        call.via.clone(),
                        whole.map_or_else(|| self.call_allowed(call), |rule| Ok(Some(rule))),
                    );
                }
                for target in &self.targets {
                    say(
                        target.shown.clone(),
                        Vec::new(),
                        whole.map_or_else(|| self.target_allowed(target), |rule| Ok(Some(rule))),
                    );
                }
            }
            Action::Edit(_) | Action::Write(_) | Action::Read(_) => {
                for target in &self.targets {
                    say(target.shown.clone(), Vec::new(), self.target_allowed(target));
                }
            }
            Action::Fetch(urls) => {
                for (url, host) in urls.iter().zip(&self.hosts) {
                    let covers = |rule: &&Rule| match (&rule.what, host) {
                        (Pattern::Fetch(None), Ok(_)) => true,
                        (Pattern::Fetch(Some(pattern)), Ok(host)) => rules::matches_host(pattern, host, true),
                        _ => false,
                    };
                    say(
                        url.clone(),
                        Vec::new(),
                        self.of(Verdict::Allow)
                            .find(covers)
                            .map(Some)
                            .ok_or_else(|| "no rule allows this host".to_owned()),
                    );
                }
            }
            _ => {
                let covers = |rule: &&Rule| match (&rule.what, &self.action) {
                    (Pattern::Search, Action::Search) => true,
                    (Pattern::Mcp { server, tool }, Action::Mcp { server: asked, tool: called }) => {
                        rules::matches_text(server, asked) && rules::matches_text(tool, called)
                    }
                    (Pattern::Tool(name), Action::Tool(asked)) => name == asked,
                    _ => false,
                };
                say(
                    self.request.tool.clone(),
                    Vec::new(),
                    self.of(Verdict::Allow).find(covers).map(Some).ok_or_else(|| "no rule allows this tool".to_owned()),
                );
            }
        }
        match (missing, first) {
            (Some(missing), _) => Err(missing),
            (None, Some(rule)) => Ok((rule, used)),
            (None, None) => Err("no rule is about this".to_owned()),
        }
    }

    fn call_allowed(&self, call: &Call) -> Result<Option<&'a Rule>, String> {
        let rule = self
            .of(Verdict::Allow)
            .find(|rule| matches!(&rule.what, Pattern::Shell(pattern) if rules::allows(pattern, call)));
        if rule.is_some() || matches!(call.need, Need::Nothing | Need::Outer) {
            return Ok(rule);
        }
        let sharp = call.sharp.first().map(|sharp| sharp.why.clone());
        Err(sharp.unwrap_or_else(|| {
            if call.program.contains('/') {
                "no rule names this program with its path".to_owned()
            } else {
                "no rule allows it".to_owned()
            }
        }))
    }

    fn target_allowed(&self, target: &Target) -> Result<Option<&'a Rule>, String> {
        if target.paths.is_empty() {
            return Err("which file is only known when it runs".to_owned());
        }
        let home = self.request.home.as_deref();
        let covers = |rule: &&Rule| {
            let pattern = match (&rule.what, target.what) {
                (Pattern::Edit(pattern), What::Edit | What::Write)
                | (Pattern::Write(pattern), What::Write)
                | (Pattern::Read(pattern), What::Read) => pattern.as_deref(),
                (Pattern::Shell(ShellPattern::Words { words, .. }), _) => {
                    let named = words.iter().any(|word| target.named_by.contains(&word.text));
                    let call = target.call.and_then(|at| self.walked.calls.get(at));
                    return named
                        && call.is_some_and(
                            |call| matches!(&rule.what, Pattern::Shell(pattern) if rules::allows(pattern, call)),
                        );
                }
                _ => return false,
            };
            // Without a pattern, a rule is about the folder.
            target.paths.iter().all(|path| rules::matches_path(pattern.unwrap_or("**"), path, &self.folder, home))
        };
        self.of(Verdict::Allow).find(covers).map(Some).ok_or_else(|| match target.what {
            What::Read => "no rule allows reading it".to_owned(),
            _ => "no rule allows writing it".to_owned(),
        })
    }
}
