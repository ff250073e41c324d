//! The rule that a person's answer stands for, if it is to be remembered: exactly this, or a little more general.
//!
//! An exact rule covers what was read and as little else as its form can say; what it covers besides is said in words, to be read
//! before it is saved.

use serde::Serialize;

use crate::{
    Request, State, judge,
    judgement::Verdict,
    rules::{Pattern, Rule, RuleSet, ShellPattern, Timestamp, host_of},
    suggest,
    tools::{self, Action},
};

/// A rule that could be made of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The rule's text.
    pub text: String,
    /// What it says, in words.
    pub words: String,
    /// What it would cover besides this request; never seen commands, or a sentence.
    pub also: Vec<String>,
}

/// The rules that could be made of this answer, the narrowest first.
///
/// # Errors
/// Why nothing can be remembered: it is always asked, or cannot be said exactly.
pub fn offers(request: &Request, verdict: Verdict) -> Result<Vec<Offer>, String> {
    let (text, also) = exact(request)?;
    let mut offers = vec![checked(request, verdict, text, also)?];
    if let Some((text, also)) = suggest::general(request).map(|text| suggest::with_unseen(request, verdict, text))
        && offers[0].text != text
        && let Ok(offer) = checked(request, verdict, text, also)
    {
        offers.push(offer);
    }
    Ok(offers)
}

/// What a request is about, in one line or a few: the command, the file, the address.
#[must_use]
pub fn subject(request: &Request) -> String {
    suggest::shown(request)
}

/// What a rule says, in words.
#[must_use]
pub fn in_words(rule: &Rule) -> String {
    let does = match rule.verdict {
        Verdict::Allow => "Allow",
        Verdict::Ask => "Always ask about",
        Verdict::Deny => "Refuse",
    };
    let inside = rule.text.split_once('(').and_then(|(_, rest)| rest.strip_suffix(')')).unwrap_or_default();
    let file = |what: &str, pattern: &Option<String>| match pattern {
        Some(pattern) => format!("{does} {what} {}", pattern.strip_prefix('/').unwrap_or(pattern)),
        None => format!("{does} {what} any file of the folder"),
    };
    match &rule.what {
        Pattern::Shell(ShellPattern::Any) => format!("{does} any command"),
        Pattern::Shell(ShellPattern::Words { more: true, .. }) => {
            let begin = inside.strip_suffix(":*").or_else(|| inside.strip_suffix(" *")).unwrap_or(inside);
            format!("{does} commands that begin with: {begin}")
        }
        Pattern::Shell(_) => format!("{does} exactly this command: {inside}"),
        Pattern::Edit(pattern) => file("changing", pattern),
        Pattern::Write(pattern) => file("writing", pattern),
        Pattern::Read(pattern) => file("reading", pattern),
        Pattern::Fetch(None) => format!("{does} fetching any page"),
        Pattern::Fetch(Some(host)) => format!("{does} fetching pages of {host}"),
        Pattern::Search => format!("{does} searching the web"),
        Pattern::Mcp { server, tool } if tool == "*" => format!("{does} all tools of the server {server}"),
        Pattern::Mcp { server, tool } => format!("{does} the tool {tool} of the server {server}"),
        Pattern::Tool(name) => format!("{does} the tool {name}"),
    }
}

/// The text of the narrowest rule for a request, and what that covers besides.
fn exact(request: &Request) -> Result<(String, Vec<String>), String> {
    let one = |tool: &str, files: &[String], also: &str| match files {
        [file] => Ok((format!("{tool}({})", file_pattern(file, &request.folder)?), vec![also.to_owned()])),
        _ => Err("it is about several files: write a rule for them in rules.toml".to_owned()),
    };
    if request.cut {
        return Err("only a part of it is shown".to_owned());
    }
    match tools::action(&request.tool, &request.input) {
        Action::Shell { command, cwd: None, unsandboxed: false } => {
            Ok((format!("Bash({})", without_stars(command.trim())), Vec::new()))
        }
        Action::Shell { unsandboxed: true, .. } => Err("it asks to run outside the sandbox".to_owned()),
        Action::Shell { .. } => Err("it runs in another folder than the session's".to_owned()),
        Action::Edit(files) => one("Edit", &files, "any other change to this file"),
        Action::Write(files) => one("Write", &files, "any other text for this file"),
        Action::Read(files) => one("Read", &files, "all of this file or folder"),
        Action::Fetch(urls) => match urls.as_slice() {
            [url] => {
                let host = host_of(url).map_err(str::to_owned)?;
                Ok((format!("WebFetch(domain:{host})"), vec![format!("any other page of {host}")]))
            }
            _ => Err("it is about several pages: write a rule for them in rules.toml".to_owned()),
        },
        Action::Search => Ok(("WebSearch".to_owned(), vec!["any other search".to_owned()])),
        Action::Mcp { server, tool } => {
            Ok((format!("mcp__{server}__{tool}"), vec!["this tool with anything else".to_owned()]))
        }
        Action::Tool(name) => Ok((name, vec!["this tool with anything else".to_owned()])),
        Action::Person(why) | Action::Unreadable(why) => Err(why.to_owned()),
    }
}

/// The offer, when the rule really does what it is offered for.
fn checked(request: &Request, verdict: Verdict, text: String, also: Vec<String>) -> Result<Offer, String> {
    let rule = Rule::new(verdict, &text)?;
    let words = in_words(&rule);
    let alone = RuleSet { rules: vec![rule] };
    let judgement = judge(request, &alone, &State::default(), 0);
    if judgement.verdict == verdict {
        return Ok(Offer { text, words, also });
    }
    Err(match judgement.floor {
        Some(_) => format!("this is always asked: {}", judgement.why),
        None => format!("it cannot be said exactly: {}", judgement.why),
    })
}

/// A file as a pattern that means it alone, from the root.
fn file_pattern(file: &str, folder: &str) -> Result<String, String> {
    let path = if file.starts_with('~') { file.to_owned() } else { crate::paths::resolve(file, folder) };
    if path.contains(['*', '?', ')', '(']) {
        return Err("the name of the file has a character that means something else in a rule".to_owned());
    }
    Ok(if path.starts_with('/') { format!("/{path}") } else { path })
}

/// A command with its stars escaped where they would stand for other texts.
fn without_stars(command: &str) -> String {
    let mut text = String::new();
    let mut quote = None;
    let mut chars = command.chars();
    while let Some(each) = chars.next() {
        match (each, quote) {
            ('\\', None | Some('"')) => {
                text.push(each);
                text.extend(chars.next());
                continue;
            }
            ('\'' | '"', None) => quote = Some(each),
            (_, Some(open)) if each == open => quote = None,
            ('*', None) => text.push('\\'),
            _ => {}
        }
        text.push(each);
    }
    text
}

impl Rule {
    /// A rule with an end, which may be broader than one without.
    ///
    /// # Errors
    /// Why it is none, or why it must not be one.
    pub fn limited(verdict: Verdict, text: &str, until: Option<Timestamp>, uses: Option<u32>) -> Result<Self, String> {
        let mut rule = Self::unchecked(verdict, text)?;
        (rule.until, rule.uses) = (until, uses);
        rule.check()?;
        Ok(rule)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn request(tool: &str, input: serde_json::Value) -> Request {
        Request { tool: tool.to_owned(), input, folder: "/w/p".to_owned(), ..Request::default() }
    }

    fn texts(request: &Request, verdict: Verdict) -> Vec<String> {
        offers(request, verdict).map_or_else(|why| vec![why], |all| all.into_iter().map(|each| each.text).collect())
    }

    #[test]
    fn an_answer_becomes_the_narrowest_rule() {
        for (tool, input, expected) in [
            ("Bash", json!({"command": "cargo test -p a"}), vec!["Bash(cargo test -p a)", "Bash(cargo test:*)"]),
            ("shell", json!("git commit -m 'a b'"), vec!["Bash(git commit -m 'a b')", "Bash(git commit:*)"]),
            ("Bash", json!({"command": "cargo test | tee log"}), vec!["Bash(cargo test | tee log)"]),
            ("Edit", json!({"file_path": "src/a.rs"}), vec!["Edit(//w/p/src/a.rs)"]),
            ("Write", json!({"file_path": "/w/p/b"}), vec!["Write(//w/p/b)"]),
            ("WebFetch", json!({"url": "https://docs.rs/x"}), vec!["WebFetch(domain:docs.rs)"]),
            ("mcp__a__b", json!({"x": 1}), vec!["mcp__a__b"]),
        ] {
            assert_eq!(texts(&request(tool, input), Verdict::Allow), expected, "{tool}");
        }
    }

    #[test]
    fn what_is_always_asked_or_cannot_be_said_is_no_rule() {
        for (tool, input, why) in [
            ("Bash", json!({"command": "rm -rf x"}), "always asked"),
            ("Bash", json!({"command": "ls; sudo ls"}), "always asked"),
            ("Bash", json!({"command": "ls $(cat x"}), "exactly"),
            ("Bash", json!({"command": "cargo test", "dangerouslyDisableSandbox": true}), "sandbox"),
            ("apply_patch", json!({"files": ["a", "b"]}), "several"),
            ("ExitPlanMode", json!({}), "person"),
        ] {
            let offered = texts(&request(tool, input.clone()), Verdict::Allow);
            assert!(offered.len() == 1 && offered[0].contains(why), "{input}: {offered:?}");
        }
    }

    #[test]
    fn a_star_stands_for_nothing_else() {
        let asked = request("Bash", json!({"command": "grep \"on.*\" f"}));
        let offered = texts(&asked, Verdict::Allow);
        let rules = RuleSet { rules: vec![Rule::new(Verdict::Allow, &offered[0]).expect("a rule")] };
        let verdict = |command: &str| judge(&Request::command(command, "/w/p"), &rules, &State::default(), 0).verdict;
        assert_eq!(verdict("grep \"on.*\" f"), Verdict::Allow);
        assert_eq!(verdict("grep \"on.x\" f"), Verdict::Ask);
        assert_eq!(without_stars("ls *.rs '*' \\* \"*\""), "ls \\*.rs '*' \\* \"*\"");
    }

    #[test]
    fn a_denial_is_remembered_in_every_spelling() {
        let offered = texts(&request("Bash", json!({"command": "git push"})), Verdict::Deny);
        assert_eq!(offered[0], "Bash(git push)");
        let rules = RuleSet { rules: vec![Rule::new(Verdict::Deny, &offered[0]).expect("a rule")] };
        let judged = judge(&Request::command("env A=1 /usr/bin/git push", "/w/p"), &rules, &State::default(), 0);
        assert_eq!(judged.verdict, Verdict::Deny);
    }

    #[test]
    fn a_rule_is_told_in_words() {
        for (text, words) in [
            ("Bash(git commit:*)", "Allow commands that begin with: git commit"),
            ("Bash(git status)", "Allow exactly this command: git status"),
            ("Edit(//w/p/a)", "Allow changing /w/p/a"),
            ("Edit(src/**)", "Allow changing src/**"),
            ("WebFetch(domain:docs.rs)", "Allow fetching pages of docs.rs"),
            ("mcp__a__b", "Allow the tool b of the server a"),
        ] {
            assert_eq!(in_words(&Rule::new(Verdict::Allow, text).expect(text)), words);
        }
    }
}
