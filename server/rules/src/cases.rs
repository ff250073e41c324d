//! Cases as JSON lines: the form in which sets of cases are kept and exchanged.
//!
//! In: `{"id","tool","input","rules":{"allow":[],"ask":[],"deny":[]},"folder","cut"?}`. Out: `{"id","verdict","floor","why"}`.

use serde::Deserialize;
use serde_json::{Value, json};

use crate::{
    Request, RuleSet, State,
    judgement::{Judgement, Verdict},
};

/// One case.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Case {
    /// Whatever names it; comes back as it is.
    #[serde(default)]
    pub id: Value,
    /// The tool's name in any CLI.
    #[serde(default = "shell_tool")]
    pub tool: String,
    /// Its input.
    #[serde(default)]
    pub input: Value,
    /// The rules.
    #[serde(default)]
    pub rules: Texts,
    /// The session's folder.
    #[serde(default)]
    pub folder: Option<String>,
    /// Not all of the input is there.
    #[serde(default)]
    pub cut: Option<bool>,
    /// Files written before, in the same turn.
    #[serde(default)]
    pub written: Vec<String>,
}

/// Rules by what they say.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Texts {
    /// Yes.
    #[serde(default)]
    pub allow: Vec<String>,
    /// Ask a person.
    #[serde(default)]
    pub ask: Vec<String>,
    /// No.
    #[serde(default)]
    pub deny: Vec<String>,
}

fn shell_tool() -> String {
    "Bash".to_owned()
}

/// Where a case is judged that names no folder.
const FOLDER: &str = "/folder";

impl Case {
    /// Judges the case.
    #[must_use]
    pub fn judge(&self) -> Judgement {
        let (rules, refused) = RuleSet::from_texts(&self.rules.allow, &self.rules.ask, &self.rules.deny);
        let request = Request {
            tool: self.tool.clone(),
            input: self.input.clone(),
            folder: self.folder.clone().filter(|folder| !folder.is_empty()).unwrap_or_else(|| FOLDER.to_owned()),
            cut: self.cut.unwrap_or(false),
            written: self.written.clone(),
            ..Request::default()
        };
        let mut judgement = crate::judge(&request, &rules, &State::default(), 0);
        if let Some(first) = refused.first() {
            // A rule that was to make things stricter and cannot be read must not make them laxer.
            let strict = self.rules.deny.iter().chain(&self.rules.ask).any(|text| first.starts_with(text.as_str()));
            if judgement.verdict == Verdict::Allow && strict {
                judgement.verdict = Verdict::Ask;
            }
            judgement.why = format!("{} (not used: {})", judgement.why, refused.join("; "));
        }
        judgement
    }
}

/// Answers one line. A line that is no case is answered with an error, never with a verdict.
#[must_use]
pub fn judge_line(line: &str) -> String {
    let value: Value = serde_json::from_str(line).unwrap_or_default();
    if !value.is_object() {
        return json!({ "id": null, "error": "not a case: a JSON object is expected" }).to_string();
    }
    let id = value["id"].clone();
    let case: Case = match serde_json::from_value(value) {
        Ok(case) => case,
        Err(error) => return json!({ "id": id, "error": format!("not a case: {error}") }).to_string(),
    };
    let judgement = case.judge();
    json!({ "id": case.id, "verdict": judgement.verdict, "floor": judgement.floor.is_some(), "why": judgement.why })
        .to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_answered_with_a_line() {
        let line = r#"{"id":7,"tool":"Bash","input":{"command":"git status"},"rules":{"allow":["Bash(git status:*)"],"ask":[],"deny":[]},"folder":"/w/p"}"#;
        let answer: Value = serde_json::from_str(&judge_line(line)).expect("json");
        assert_eq!((&answer["id"], &answer["verdict"], &answer["floor"]), (&json!(7), &json!("allow"), &json!(false)));
    }

    #[test]
    fn a_bad_line_is_answered_with_an_error() {
        for line in ["", "x", "{", "[]", r#"{"id":1,"rules":7}"#, r#"{"id":1,"tool":3}"#, "\u{0}"] {
            let answer: Value = serde_json::from_str(&judge_line(line)).expect("json");
            assert!(answer["error"].is_string() && answer.get("verdict").is_none(), "{line}: {answer}");
        }
    }
}
