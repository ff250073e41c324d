//! Rules of the CLIs themselves, translated. Never wider than the original: what cannot be said exactly is listed with the reason.

mod claude;
mod codex;
mod gemini;

use serde::Serialize;

use crate::{
    judgement::Verdict,
    rules::{Rule, RuleSet},
};

/// What came of an import.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Imported {
    /// The rules that could be translated.
    pub rules: RuleSet,
    /// What could not, and why.
    pub left_out: Vec<LeftOut>,
}

/// A rule that was not imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    /// As it stands in the original.
    pub text: String,
    /// Why it is not imported.
    pub reason: String,
}

impl Imported {
    fn leave_out(&mut self, text: impl Into<String>, reason: impl Into<String>) {
        self.left_out.push(LeftOut { text: text.into(), reason: reason.into() });
    }

    /// Leaves out what the file allows of a tool, because a rule of the file that is stricter about it cannot be said here.
    fn leave_out_allowed(&mut self, concerns: impl Fn(&Rule) -> bool) {
        let (wider, kept) = std::mem::take(&mut self.rules.rules)
            .into_iter()
            .partition(|rule: &Rule| rule.verdict == Verdict::Allow && concerns(rule));
        self.rules.rules = kept;
        for rule in wider {
            self.leave_out(rule.text, "a stricter rule of the file about the same tool could not be translated");
        }
    }

    fn add(&mut self, verdict: Verdict, text: &str, original: &str, note: &str) -> Option<&mut Rule> {
        match Rule::new(verdict, text) {
            Ok(mut rule) => {
                rule.note = Some(note.to_owned());
                self.rules.rules.push(rule);
                self.rules.rules.last_mut()
            }
            Err(reason) => {
                self.leave_out(original, reason);
                None
            }
        }
    }
}

/// The `permissions` of Claude Code's settings, as JSON.
#[must_use]
pub fn claude(text: &str) -> Imported {
    claude::import(text)
}

/// A file of Codex' exec policy: `prefix_rule(…)`.
#[must_use]
pub fn codex(text: &str) -> Imported {
    codex::import(text)
}

/// A policy of Gemini CLI, as TOML.
#[must_use]
pub fn gemini(text: &str) -> Imported {
    gemini::import(text)
}

/// What a rule is about, roughly: its tool.
fn tool_of(text: &str) -> crate::tools::Kind {
    crate::tools::kind_of(text.split('(').next().unwrap_or(text).trim())
}

/// A rule for a command that begins with these words, each exactly as it is.
fn prefix_rule(words: &[String]) -> String {
    format!("Bash({}:*)", words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "))
}

fn quoted(word: &str) -> String {
    let plain = |each: char| each.is_ascii_alphanumeric() || "_-./:=@%+,".contains(each);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let escaped: String =
        word.chars().map(|each| if plain(each) { each.to_string() } else { format!("\\{each}") }).collect();
    if word.is_empty() { "''".to_owned() } else { escaped }
}

#[cfg(test)]
mod tests;
