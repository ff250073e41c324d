//! Suggestions from what persons answered, and what rules would have done in the past.

use serde::Serialize;

use crate::{
    Request, State,
    guard::Mode,
    judge,
    judgement::Verdict,
    rules::{Rule, RuleSet},
    tools::{self, Action},
    walk::{self, Call, Need},
};

/// So many times yes, and never no, before a rule is suggested.
pub const TIMES: usize = 3;
/// So many commands that were never seen are shown with it.
const UNSEEN: usize = 3;

/// A request of the past.
#[derive(Debug, Clone, PartialEq)]
pub struct Past {
    /// What was asked.
    pub request: Request,
    /// True for yes.
    pub yes: bool,
    /// True when a person answered; a rule's own answers teach nothing.
    pub by_person: bool,
}

/// A rule that a person might want.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// Allow or deny.
    pub verdict: Verdict,
    /// The rule's text.
    pub rule: String,
    /// How many past requests it would have answered.
    pub times: usize,
    /// Those requests, each once.
    pub covers: Vec<String>,
    /// Requests that were never seen, and that it would allow as well.
    pub also: Vec<String>,
}

/// What rules would have done with the past.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct DryRun {
    /// How many requests there were.
    pub requests: usize,
    /// How many would have been allowed.
    pub allowed: usize,
    /// How many would have been denied.
    pub denied: usize,
    /// Requests that a person refused and the rules would have allowed.
    pub refused_but_allowed: Vec<String>,
    /// Requests that a person allowed and the rules would have denied.
    pub allowed_but_denied: Vec<String>,
}

/// Judges the past by these rules.
#[must_use]
pub fn dry_run(history: &[Past], rules: &RuleSet) -> DryRun {
    let state = State::in_mode(Mode::DryRun);
    let mut run = DryRun { requests: history.len(), ..DryRun::default() };
    for past in history {
        match judge(&past.request, rules, &state, 0).would {
            Some(Verdict::Allow) => {
                run.allowed += 1;
                if past.by_person && !past.yes {
                    run.refused_but_allowed.push(shown(&past.request));
                }
            }
            Some(Verdict::Deny) => {
                run.denied += 1;
                if past.by_person && past.yes {
                    run.allowed_but_denied.push(shown(&past.request));
                }
            }
            _ => {}
        }
    }
    run
}

/// Rules that a person's own answers speak for. Nothing on the floor, nothing that was refused even once.
#[must_use]
pub fn suggest(history: &[Past], known: &RuleSet) -> Vec<Suggestion> {
    let by_persons: Vec<&Past> = history.iter().filter(|past| past.by_person).collect();
    let mut texts: Vec<(Verdict, String)> = Vec::new();
    for past in &by_persons {
        let verdict = if past.yes { Verdict::Allow } else { Verdict::Deny };
        if let Some(text) = general(&past.request).filter(|text| !texts.contains(&(verdict, text.clone()))) {
            texts.push((verdict, text));
        }
    }
    let mut suggestions: Vec<Suggestion> =
        texts.into_iter().filter_map(|(verdict, text)| suggestion(verdict, text, &by_persons, known)).collect();
    suggestions.sort_by(|one, other| other.times.cmp(&one.times).then_with(|| one.rule.cmp(&other.rule)));
    suggestions
}

fn suggestion(verdict: Verdict, text: String, history: &[&Past], known: &RuleSet) -> Option<Suggestion> {
    if known.rules.iter().any(|rule| rule.text == text) {
        return None;
    }
    let alone = RuleSet { rules: vec![Rule::new(verdict, &text).ok()?] };
    let fits = |request: &Request| judge(request, &alone, &State::default(), 0).verdict == verdict;
    let matching: Vec<&&Past> = history.iter().filter(|past| fits(&past.request)).collect();
    let wanted = verdict == Verdict::Allow;
    if matching.len() < TIMES || matching.iter().any(|past| past.yes != wanted) {
        return None;
    }
    let mut covers: Vec<String> = matching.iter().map(|past| shown(&past.request)).collect();
    covers.sort();
    covers.dedup();
    let also = if wanted { unseen(&text, &alone, &covers, &matching.first()?.request) } else { Vec::new() };
    Some(Suggestion { verdict, rule: text, times: matching.len(), covers, also })
}

/// The rule that a request stands for, a little more general than itself.
pub(crate) fn general(request: &Request) -> Option<String> {
    match tools::action(&request.tool, &request.input) {
        Action::Shell { command, cwd, .. } => {
            let folder = crate::paths::resolve(&request.folder, "/");
            let walked = walk::walk(&command, &folder, cwd.as_deref(), &request.written);
            let needing: Vec<&Call> = walked.calls.iter().filter(|call| matches!(call.need, Need::Rule(_))).collect();
            let [call] = needing.as_slice() else { return None };
            (walked.floors.is_empty() && walked.unknown.is_empty() && walked.writes.is_empty())
                .then(|| command_rule(call))?
        }
        Action::Fetch(urls) => match urls.as_slice() {
            [url] => crate::rules::host_of(url).ok().map(|host| format!("WebFetch(domain:{host})")),
            _ => None,
        },
        Action::Mcp { server, tool } => Some(format!("mcp__{server}__{tool}")),
        Action::Search => Some("WebSearch".to_owned()),
        _ => None,
    }
}

/// A general rule for a request, with commands that it would allow as well.
pub(crate) fn with_unseen(request: &Request, verdict: Verdict, text: String) -> (String, Vec<String>) {
    let also = match Rule::new(verdict, &text) {
        Ok(rule) if verdict == Verdict::Allow => {
            unseen(&text, &RuleSet { rules: vec![rule] }, &[shown(request)], request)
        }
        _ => Vec::new(),
    };
    (text, also)
}

/// The program, and its command where it has some.
fn command_rule(call: &Call) -> Option<String> {
    const WITH_COMMANDS: &[&str] = &[
        "git",
        "npm",
        "pnpm",
        "yarn",
        "cargo",
        "go",
        "docker",
        "kubectl",
        "gh",
        "make",
        "uv",
        "pip",
        "brew",
        "apt",
        "terraform",
        "bun",
        "deno",
        "poetry",
        "bundle",
        "mvn",
    ];
    let Need::Rule(needed) = call.need else { return None };
    let words = needed.max(if WITH_COMMANDS.contains(&call.base()) { 2 } else { 1 });
    let runs_script = call.base() == "npm" && call.args.first().is_some_and(|arg| arg.is("run"));
    let words = if runs_script { words.max(3) } else { words };
    let named: Option<Vec<&str>> = call.args.iter().take(words - 1).map(|arg| arg.exact()).collect();
    let named = named
        .filter(|named| named.len() == words - 1 && named.iter().all(|word| !word.contains(char::is_whitespace)))?;
    let mut text = call.program.clone();
    for word in named {
        text.push(' ');
        text.push_str(&word.replace('*', "\\*"));
    }
    Some(format!("Bash({text}:*)"))
}

/// Commands that the rule would allow as well and nobody has seen yet.
fn unseen(text: &str, rules: &RuleSet, seen: &[String], like: &Request) -> Vec<String> {
    let Some(prefix) = text.strip_prefix("Bash(").and_then(|text| text.strip_suffix(":*)")) else { return Vec::new() };
    let endings = [
        "",
        " --help",
        " .",
        " -v",
        " --all",
        " main",
        " origin main",
        " src/other.rs",
        " ../elsewhere",
        " --force",
        " -f /etc/hosts",
    ];
    let candidates = endings.iter().rev().map(|ending| format!("{prefix}{ending}"));
    let allowed = candidates.filter(|command| {
        let request =
            Request { tool: "Bash".to_owned(), input: serde_json::json!({ "command": command }), ..like.clone() };
        !seen.contains(command) && judge(&request, rules, &State::default(), 0).verdict == Verdict::Allow
    });
    allowed.take(UNSEEN).collect()
}

pub(crate) fn shown(request: &Request) -> String {
    match tools::action(&request.tool, &request.input) {
        Action::Shell { command, .. } => command,
        Action::Fetch(urls) => urls.join(" "),
        Action::Edit(paths) | Action::Write(paths) | Action::Read(paths) => {
            format!("{} {}", request.tool, paths.join(" "))
        }
        _ => request.tool.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn past(command: &str, yes: bool) -> Past {
        Past { request: Request::command(command, "/w/p"), yes, by_person: true }
    }

    #[test]
    fn what_was_allowed_often_and_never_refused_is_suggested() {
        let mut history = vec![past("cargo test a", true), past("cargo test b", true), past("cargo test a", true)];
        history.extend([past("rm -rf x", true), past("rm -rf x", true), past("rm -rf x", true)]);
        history.extend([
            past("git push", true),
            past("git push", true),
            past("git push origin", true),
            past("git push x", false),
        ]);
        history.extend([past("curl x", false), past("curl y", false), past("curl z", false)]);
        history.extend([1, 2, 3].map(|_| Past { by_person: false, ..past("npm test", true) }));
        let suggestions = suggest(&history, &RuleSet::default());
        let told: Vec<(Verdict, &str, usize)> =
            suggestions.iter().map(|each| (each.verdict, each.rule.as_str(), each.times)).collect();
        assert_eq!(told, [(Verdict::Allow, "Bash(cargo test:*)", 3), (Verdict::Deny, "Bash(curl:*)", 3)]);
        assert_eq!(suggestions[0].covers, ["cargo test a", "cargo test b"]);
        assert_eq!(suggestions[0].also.len(), 3, "{:?}", suggestions[0].also);
    }

    #[test]
    fn known_rules_and_interpreters_are_not_suggested() {
        let history: Vec<Past> =
            ["cargo test", "python a.py", "python a.py x", "python a.py y", "cargo test", "cargo test"]
                .iter()
                .map(|command| past(command, true))
                .collect();
        let (known, _) = RuleSet::from_texts(&["Bash(cargo test:*)".to_owned()], &[], &[]);
        let rules: Vec<String> = suggest(&history, &known).into_iter().map(|each| each.rule).collect();
        assert_eq!(rules, ["Bash(python a.py:*)"]);
    }

    #[test]
    fn a_dry_run_counts_and_names_disagreement() {
        let history = [past("git status", true), past("git push", false), past("rm x", true), past("ls", true)];
        let (rules, _) = RuleSet::from_texts(&["Bash(git:*)".to_owned()], &[], &["Bash(rm:*)".to_owned()]);
        let expected = DryRun {
            requests: 4,
            allowed: 2,
            denied: 1,
            refused_but_allowed: vec!["git push".to_owned()],
            allowed_but_denied: vec!["rm x".to_owned()],
        };
        assert_eq!(dry_run(&history, &rules), expected);
    }
}
