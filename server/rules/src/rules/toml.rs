//! `rules.toml`: read with line and reason for every mistake. A file with a mistake is not used at all: the last good one stays.

use std::{fmt, ops::Range};

use toml::{
    Spanned,
    de::{DeTable, DeValue},
    value::{Datetime, Offset},
};

use super::{Preset, Rate, Rule, RuleSet};
use crate::{
    Request, State,
    judgement::{Judgement, Verdict},
};

/// What is wrong in a file, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Counted from 1.
    pub line: usize,
    /// In words.
    pub reason: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {}: {}", self.line, self.reason)
    }
}

type Value<'a> = Spanned<DeValue<'a>>;

pub(super) fn parse(text: &str) -> Result<RuleSet, Vec<Mistake>> {
    let mut file = File { text, mistakes: Vec::new(), set: RuleSet::default() };
    match DeTable::parse(text) {
        Ok(table) => file.table(table.get_ref()),
        Err(error) => {
            let at = error.span().unwrap_or(0..0);
            file.mistake(&at, error.message().to_owned());
        }
    }
    if file.mistakes.is_empty() { Ok(file.set) } else { Err(file.mistakes) }
}

struct File<'a> {
    text: &'a str,
    mistakes: Vec<Mistake>,
    set: RuleSet,
}

impl File<'_> {
    fn mistake(&mut self, at: &Range<usize>, reason: impl Into<String>) {
        let line =
            self.text.as_bytes()[..at.start.min(self.text.len())].iter().filter(|byte| **byte == b'\n').count() + 1;
        self.mistakes.push(Mistake { line, reason: reason.into() });
    }

    fn table(&mut self, table: &DeTable<'_>) {
        for (key, value) in table {
            match key.get_ref().as_ref() {
                "allow" => self.list(Verdict::Allow, value),
                "ask" => self.list(Verdict::Ask, value),
                "deny" => self.list(Verdict::Deny, value),
                "presets" => self.presets(value),
                "rule" => match value.get_ref() {
                    DeValue::Array(rules) => rules.iter().for_each(|rule| self.rule(rule)),
                    _ => self.mistake(&value.span(), "write [[rule]], once for each rule"),
                },
                "version" => {
                    if !matches!(value.get_ref(), DeValue::Integer(number) if number.as_str() == "1") {
                        self.mistake(&value.span(), "this version of rules.toml is not known");
                    }
                }
                other => {
                    let reason = format!("{other:?} is not known here: allow, ask, deny, presets or [[rule]]");
                    self.mistake(&key.span(), reason);
                }
            }
        }
        for at in 0..self.set.rules.len() {
            let twice = self.set.rules[..at].iter().any(|rule| rule.id == self.set.rules[at].id);
            if twice {
                let rule = &mut self.set.rules[at];
                rule.id = format!("{} #{at}", rule.id);
            }
        }
    }

    fn texts(&mut self, value: &Value<'_>) -> Vec<(String, Range<usize>)> {
        let DeValue::Array(values) = value.get_ref() else {
            self.mistake(&value.span(), "a list of texts is expected");
            return Vec::new();
        };
        let mut texts = Vec::new();
        for value in values {
            match value.get_ref() {
                DeValue::String(text) => texts.push((text.to_string(), value.span())),
                _ => self.mistake(&value.span(), "a text in quotes is expected"),
            }
        }
        texts
    }

    fn list(&mut self, verdict: Verdict, value: &Value<'_>) {
        for (text, at) in self.texts(value) {
            match Rule::new(verdict, &text) {
                Ok(rule) => self.set.rules.push(rule),
                Err(reason) => self.mistake(&at, format!("{text}: {reason}")),
            }
        }
    }

    fn presets(&mut self, value: &Value<'_>) {
        for (name, at) in self.texts(value) {
            match Preset::named(&name) {
                Some(preset) => self.set.rules.extend(preset.rules().rules),
                None => self.mistake(&at, format!("there is no preset called {name:?}")),
            }
        }
    }

    fn rule(&mut self, value: &Value<'_>) {
        let DeValue::Table(table) = value.get_ref() else { return self.mistake(&value.span(), "write [[rule]]") };
        let mut said: Vec<(Verdict, String, Range<usize>)> = Vec::new();
        for (key, verdict) in [("allow", Verdict::Allow), ("ask", Verdict::Ask), ("deny", Verdict::Deny)] {
            if let Some(value) = table.get(key) {
                match value.get_ref() {
                    DeValue::String(text) => said.push((verdict, text.to_string(), value.span())),
                    _ => self.mistake(&value.span(), "a text in quotes is expected"),
                }
            }
        }
        let [(verdict, text, at)] = said.as_slice() else {
            return self.mistake(&value.span(), "a rule says exactly one of allow, ask and deny");
        };
        let mut rule = match Rule::unchecked(*verdict, text) {
            Ok(rule) => rule,
            Err(reason) => return self.mistake(at, format!("{text}: {reason}")),
        };
        rule.id = format!("{} {}", super::verdict_word(*verdict), rule.text);
        let before = self.mistakes.len();
        for (key, value) in table {
            self.field(&mut rule, key.get_ref(), &key.span(), value);
        }
        if self.mistakes.len() > before {
            return;
        }
        if let Err(reason) = rule.check() {
            return self.mistake(at, format!("{text}: {reason}"));
        }
        self.examples(&rule, at);
        self.set.rules.push(rule);
    }

    fn field(&mut self, rule: &mut Rule, key: &str, at: &Range<usize>, value: &Value<'_>) {
        let span = value.span();
        let text = match value.get_ref() {
            DeValue::String(text) => Some(text.to_string()),
            _ => None,
        };
        let slot = match key {
            "allow" | "ask" | "deny" => return,
            "id" => {
                return match text.filter(|text| !text.is_empty()) {
                    Some(text) => rule.id = text,
                    None => self.mistake(&span, "a text in quotes is expected"),
                };
            }
            "match" => return rule.matches = self.texts(value).into_iter().map(|(text, _)| text).collect(),
            "not_match" => return rule.not_matches = self.texts(value).into_iter().map(|(text, _)| text).collect(),
            "uses" => {
                return match value.get_ref() {
                    DeValue::Integer(number) => match number.as_str().parse() {
                        Ok(uses) => rule.uses = Some(uses),
                        Err(_) => self.mistake(&span, "uses is a number"),
                    },
                    _ => self.mistake(&span, "uses is a number"),
                };
            }
            "until" => {
                return match value.get_ref() {
                    DeValue::Datetime(when) => match timestamp(when) {
                        Some(until) => rule.until = Some(until),
                        None => self.mistake(&span, "until needs a date, a time and a zone: 2030-01-31T12:00:00Z"),
                    },
                    _ => self.mistake(&span, "until is a time without quotes: 2030-01-31T12:00:00Z"),
                };
            }
            "rate" => {
                return match text.as_deref().and_then(parse_rate) {
                    Some(rate) => rule.rate = Some(rate),
                    None => self.mistake(&span, "rate reads \"10/hour\": a number per second, minute, hour or day"),
                };
            }
            "cli" => &mut rule.who.cli,
            "session" => &mut rule.who.session,
            "agent" => &mut rule.who.agent,
            "folder" => &mut rule.folder,
            "note" => &mut rule.note,
            "message" => &mut rule.message,
            other => return self.mistake(at, format!("{other:?} is not known in a rule")),
        };
        if text.is_none() {
            self.mistake(&span, "a text in quotes is expected");
        } else if key == "folder" && !text.as_deref().is_some_and(|text| text.starts_with('/')) {
            self.mistake(&span, "a folder is written from the root: /home/me/project");
        } else {
            *slot = text;
        }
    }

    /// A rule's own examples are tried before it may act.
    fn examples(&mut self, rule: &Rule, at: &Range<usize>) {
        let mut alone = RuleSet { rules: vec![rule.clone()] };
        alone.rules[0].who = super::Who::default();
        alone.rules[0].until = None;
        let folder = rule.folder.clone().unwrap_or_else(|| "/folder".to_owned());
        let try_one = |example: &String| {
            let judgement = crate::judge(&example_request(rule, example, &folder), &alone, &State::default(), 0);
            (fired(rule, &judgement), judgement.why)
        };
        for example in &rule.matches {
            let (fired, why) = try_one(example);
            if !fired {
                self.mistake(at, format!("its example {example:?} does not match: {why}"));
            }
        }
        for example in &rule.not_matches {
            if try_one(example).0 {
                self.mistake(at, format!("its counter-example {example:?} matches"));
            }
        }
    }
}

fn fired(rule: &Rule, judgement: &Judgement) -> bool {
    judgement.verdict == rule.verdict && judgement.rule.as_deref() == Some(rule.id.as_str())
}

fn example_request(rule: &Rule, example: &str, folder: &str) -> Request {
    use super::Pattern;
    let (tool, input) = match &rule.what {
        Pattern::Shell(_) => ("Bash", serde_json::json!({ "command": example })),
        Pattern::Edit(_) => ("Edit", serde_json::json!({ "file_path": example })),
        Pattern::Write(_) => ("Write", serde_json::json!({ "file_path": example })),
        Pattern::Read(_) => ("Read", serde_json::json!({ "file_path": example })),
        Pattern::Fetch(_) => ("WebFetch", serde_json::json!({ "url": example })),
        Pattern::Search => ("WebSearch", serde_json::Value::Null),
        Pattern::Mcp { .. } | Pattern::Tool(_) => (example, serde_json::Value::Null),
    };
    Request { tool: tool.to_owned(), input, folder: folder.to_owned(), ..Request::default() }
}

fn parse_rate(text: &str) -> Option<Rate> {
    let (count, unit) = text.split_once('/')?;
    let per = match unit.trim() {
        "second" => 1000,
        "minute" => 60_000,
        "hour" => 3_600_000,
        "day" => 86_400_000,
        _ => return None,
    };
    Some(Rate { count: count.trim().parse().ok()?, per })
}

/// Milliseconds since 1970 of a moment with a zone.
fn timestamp(when: &Datetime) -> Option<u64> {
    let (date, time) = (when.date?, when.time?);
    let offset = match when.offset? {
        Offset::Z => 0,
        Offset::Custom { minutes } => i64::from(minutes),
    };
    // Days since 1970 in the calendar of today, counted from March so that leap days come last.
    let (year, month, day) = (i64::from(date.year), i64::from(date.month), i64::from(date.day));
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year - era * 400;
    let of_year = (153 * (if month > 2 { month - 3 } else { month + 9 }) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let seconds =
        days * 86_400 + i64::from(time.hour) * 3600 + i64::from(time.minute) * 60 + i64::from(time.second.unwrap_or(0))
            - offset * 60;
    u64::try_from(seconds * 1000).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_file_is_read() {
        let set = RuleSet::from_toml(
            r#"
allow = ["Bash(git status:*)"]
deny = ["Bash(rm:*)"]
presets = ["edits-in-the-folder"]

[[rule]]
allow = "Bash(git commit:*)"
id = "commits"
cli = "claude"
folder = "/home/me/p"
until = 2030-01-31T12:00:00+01:00
uses = 5
rate = "10/hour"
note = "while I am away"
match = ["git commit -m x"]
not_match = ["git push", "git commit -m x && git push"]
"#,
        );
        let set = set.unwrap_or_else(|mistakes| panic!("{mistakes:?}"));
        let rule = set.rules.iter().find(|rule| rule.id == "commits").expect("the rule");
        assert_eq!(rule.until, Some(1_896_087_600_000));
        assert_eq!((rule.uses, rule.rate), (Some(5), Some(Rate { count: 10, per: 3_600_000 })));
        assert_eq!(rule.who.cli.as_deref(), Some("claude"));
    }

    #[test]
    fn every_mistake_has_its_line_and_reason() {
        for (text, line, reason) in [
            ("allow = [\n  \"Bash(python:*)\"\n]", 2, "must name what it runs"),
            ("allow = [\"Bash\"]", 1, "needs an end"),
            ("\nalow = []", 2, "not known here"),
            ("[[rule]]\nallow = \"Bash(ls)\"\nuntill = 1", 3, "not known in a rule"),
            ("[[rule]]\nallow = \"Bash(ls)\"\ndeny = \"Bash(ls)\"", 1, "exactly one"),
            ("[[rule]]\nallow = \"Bash(git log:*)\"\nmatch = [\"git push\"]", 2, "does not match"),
            ("[[rule]]\nallow = \"Bash(git:*)\"\nnot_match = [\"git push\"]", 2, "matches"),
            ("[[rule]]\nallow = \"Bash(ls)\"\nuntil = \"tomorrow\"", 3, "without quotes"),
            ("x = ", 1, ""),
            ("deny = [\"Bash(rm\"]", 1, "closing bracket"),
            ("allow = [\"ExitPlanMode\"]", 1, "for a person"),
        ] {
            let mistakes = RuleSet::from_toml(text).expect_err(text);
            assert!(mistakes[0].line == line && mistakes[0].reason.contains(reason), "{text}: {mistakes:?}");
        }
    }
}
