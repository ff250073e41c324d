//! Rules: what they say, how they are written, what they match.

mod matching;
mod paths;
mod pattern;
mod presets;
mod toml;

pub use pattern::{Pattern, PatternWord, ShellPattern, parse_pattern};
pub use presets::{PRESETS, Preset};
pub use toml::Mistake;

pub(crate) use matching::{Match, allows, reaches, reaches_line};
pub(crate) use paths::{host_of, matches_host, matches_path, wild as matches_text};

use serde::Serialize;

use crate::judgement::Verdict;

/// Milliseconds since 1970. The crate has no clock: the caller says what time it is.
pub type Timestamp = u64;

/// At most so many uses in so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// How many.
    pub count: u32,
    /// In how many milliseconds.
    pub per: u64,
}

/// For whom a rule is; what is not named is everybody.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Who {
    /// `claude`, `codex`, `gemini`, or the name of another program.
    pub cli: Option<String>,
    /// A session, by its id.
    pub session: Option<String>,
    /// A sub-agent, by its name.
    pub agent: Option<String>,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rule {
    /// A name for it that stays; the text itself when nothing else was given.
    pub id: String,
    /// What it says.
    pub verdict: Verdict,
    /// As it is written: `Bash(git commit:*)`.
    pub text: String,
    /// What it is about.
    #[serde(skip)]
    pub what: Pattern,
    /// For whom.
    pub who: Who,
    /// In which folder, and below.
    pub folder: Option<String>,
    /// Until when.
    pub until: Option<Timestamp>,
    /// How often.
    pub uses: Option<u32>,
    /// How often in a while.
    pub rate: Option<Rate>,
    /// Why it is there, for persons.
    pub note: Option<String>,
    /// What the model is told when it is denied.
    pub message: Option<String>,
    /// Commands it must match.
    pub matches: Vec<String>,
    /// Commands it must not match.
    pub not_matches: Vec<String>,
}

impl Rule {
    /// A rule from its text alone.
    ///
    /// # Errors
    /// Why it is none, or why it must not be one.
    pub fn new(verdict: Verdict, text: &str) -> Result<Self, String> {
        let mut rule = Self::unchecked(verdict, text)?;
        rule.check()?;
        rule.id = format!("{} {}", verdict_word(verdict), rule.text);
        Ok(rule)
    }

    /// A rule that has not been checked: its end may still come.
    pub(crate) fn unchecked(verdict: Verdict, text: &str) -> Result<Self, String> {
        let text = text.trim();
        Ok(Self {
            id: text.to_owned(),
            verdict,
            text: text.to_owned(),
            what: parse_pattern(text)?,
            who: Who::default(),
            folder: None,
            until: None,
            uses: None,
            rate: None,
            note: None,
            message: None,
            matches: Vec::new(),
            not_matches: Vec::new(),
        })
    }

    /// Refuses what must never be a rule.
    pub(crate) fn check(&self) -> Result<(), String> {
        if self.verdict != Verdict::Allow {
            return Ok(());
        }
        if let Some(why) = self.what.never_allowed() {
            return Err(why);
        }
        if self.what.is_broad() && self.until.is_none() && self.uses.is_none() {
            return Err("a rule this broad needs an end: give it `until` or `uses`".to_owned());
        }
        Ok(())
    }

    /// True when the rule may be applied to this request at all.
    pub(crate) fn concerns(&self, request: &crate::Request, now: Timestamp) -> bool {
        let same = |wanted: &Option<String>, given: &Option<String>| match wanted {
            None => true,
            Some(wanted) => given.as_deref() == Some(wanted.as_str()),
        };
        let here = self.folder.as_deref().is_none_or(|folder| {
            crate::paths::below(&crate::paths::resolve(&request.folder, "/"), &crate::paths::resolve(folder, "/"))
        });
        here && same(&self.who.cli, &request.cli)
            && same(&self.who.session, &request.session)
            && same(&self.who.agent, &request.agent)
            && self.until.is_none_or(|until| now < until)
    }
}

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}

/// All rules in force. Their order does not matter.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RuleSet {
    /// The rules.
    pub rules: Vec<Rule>,
}

impl RuleSet {
    /// Rules from their texts. What is no rule, or must not be one, is left out and named.
    #[must_use]
    pub fn from_texts(allow: &[String], ask: &[String], deny: &[String]) -> (Self, Vec<String>) {
        let mut set = Self::default();
        let mut refused = Vec::new();
        for (verdict, texts) in [(Verdict::Allow, allow), (Verdict::Ask, ask), (Verdict::Deny, deny)] {
            for text in texts {
                match Rule::new(verdict, text) {
                    Ok(rule) => set.rules.push(rule),
                    Err(why) => refused.push(format!("{text}: {why}")),
                }
            }
        }
        (set, refused)
    }

    /// Rules from a `rules.toml`.
    ///
    /// # Errors
    /// Every mistake with its line and reason; a file with a mistake is not used at all.
    pub fn from_toml(text: &str) -> Result<Self, Vec<Mistake>> {
        toml::parse(text)
    }

    /// The rules of a project's own file: they can only make things stricter, until the person adopts them.
    #[must_use]
    pub fn only_stricter(mut self) -> Self {
        self.rules.retain(|rule| rule.verdict != Verdict::Allow);
        self
    }
}
