//! Rules on the wire: what they say, whether they act, and what a page can do with them.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Actor, Millis, PromptId, Remember, SessionId};

/// What a rule does with what it matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "rules.ts")]
pub enum RuleVerdict {
    /// It says yes.
    Allow,
    /// It has a person asked.
    Ask,
    /// It says no.
    Deny,
}

/// Where a rule stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "rules.ts")]
pub enum RuleOrigin {
    /// In the person's `rules.toml`: it is changed there.
    File,
    /// A person made it here, and can remove it here.
    Made,
}

/// One rule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "rules.ts", optional_fields)]
pub struct RuleInfo {
    /// Names it for good.
    pub id: String,
    /// What it does.
    pub verdict: RuleVerdict,
    /// As it is written, such as `Bash(git commit:*)`.
    pub text: String,
    /// What it says, in words.
    pub words: String,
    /// Where it stands.
    pub origin: RuleOrigin,
    /// How often it has answered.
    pub used: u32,
    /// When it last did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Millis>,
    /// Only in this session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<SessionId>,
    /// Only in this folder and below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    /// Only for this CLI, such as `claude`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cli: Option<String>,
    /// Until when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Millis>,
    /// How often at most, over its whole life.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
    /// Why it is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What the model is told when it is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// When it was made, and by whom.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_at: Option<Millis>,
    /// Who made it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub made_by: Option<Actor>,
}

/// Whether rules act.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "rules.ts")]
pub enum RulesMode {
    /// They answer.
    #[default]
    On,
    /// They only write down what they would have answered.
    Shadow,
}

/// Why the rules of a session pause.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "rules.ts")]
pub enum RulesPause {
    /// By one tap.
    ByPerson,
    /// A person said no.
    AfterNo,
    /// A person interrupted.
    AfterInterrupt,
    /// Something dangerous was asked.
    AfterDanger,
}

/// A session whose rules pause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "rules.ts")]
pub struct PausedSession {
    /// Which.
    pub session_id: SessionId,
    /// Why.
    pub why: RulesPause,
}

/// Whether rules act, where, and how many there are; told to every page whenever it changes.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "rules.ts")]
pub struct RulesStatus {
    /// Whether they act.
    pub mode: RulesMode,
    /// All of them pause.
    pub paused: bool,
    /// The sessions in which they pause.
    pub sessions: Vec<PausedSession>,
    /// How many say yes or no.
    pub count: u32,
}

/// One thing that a request would do, and what was said to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "rules.ts", optional_fields)]
pub struct AskedPart {
    /// The command, file or address.
    pub text: String,
    /// Through what it is reached, such as `xargs`.
    pub via: Vec<String>,
    /// What was said to this part alone.
    pub verdict: RuleVerdict,
    /// The rule that said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<String>,
    /// Why, in words.
    pub why: String,
}

/// Why a prompt was asked, part by part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "rules.ts")]
pub struct WhyAsked {
    /// In one sentence.
    pub why: String,
    /// True when no rule can ever answer it.
    pub always: bool,
    /// Part by part.
    pub parts: Vec<AskedPart>,
}

/// A rule that could be made of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "rules.ts")]
pub struct RuleOffer {
    /// Its text: [`Remember::rule`] repeats it.
    pub text: String,
    /// What it says, in words.
    pub words: String,
    /// What it would cover besides what is asked now.
    pub also: Vec<String>,
}

/// A rule that the past speaks for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "rules.ts")]
pub struct RuleSuggestion {
    /// What it would do.
    pub verdict: RuleVerdict,
    /// Its text.
    pub text: String,
    /// What it says, in words.
    pub words: String,
    /// How many past prompts it would have answered.
    pub times: u32,
    /// Those prompts, each once.
    pub covers: Vec<String>,
    /// Commands that were never seen, and that it would allow as well.
    pub also: Vec<String>,
}

/// What the rules would have done with the past.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "rules.ts")]
pub struct RulesDryRun {
    /// How many permission prompts there were.
    pub prompts: u32,
    /// How many would have been allowed.
    pub allowed: u32,
    /// How many would have been refused.
    pub denied: u32,
    /// What a person refused and the rules would have allowed.
    pub refused_but_allowed: Vec<String>,
    /// What a person allowed and the rules would have refused.
    pub allowed_but_denied: Vec<String>,
}

/// What a person can want of the rules; answered by [`RulesReply`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "do", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "rules.ts", optional_fields)]
pub enum RulesCommand {
    /// All rules; answered by [`RulesReply::List`].
    List,
    /// Make a rule.
    Add {
        /// What it does.
        verdict: RuleVerdict,
        /// Its text.
        text: String,
        /// Where and how long it holds.
        limits: Remember,
        /// In which session or session's folder, where the scope is one of these.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_id: Option<SessionId>,
        /// In which folder, where it is not a session's.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folder: Option<String>,
        /// What the model is told when it is refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        message: Option<String>,
    },
    /// Remove a rule that was made here.
    Remove {
        /// Which.
        rule_id: String,
    },
    /// Pause all rules, or those of a session.
    Pause {
        /// Of which session; of all when absent.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_id: Option<SessionId>,
    },
    /// Let them act again.
    Resume {
        /// In which session; in all when absent, as far as they do not pause by themselves.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_id: Option<SessionId>,
    },
    /// Let rules act, or only write down what they would do.
    SetMode {
        /// Which of both.
        mode: RulesMode,
    },
    /// Why a prompt was asked; answered by [`RulesReply::Why`].
    Why {
        /// Which prompt.
        prompt_id: PromptId,
    },
    /// The rules that an answer to this prompt could become; answered by [`RulesReply::Offers`].
    Preview {
        /// Which prompt.
        prompt_id: PromptId,
        /// Yes or no.
        verdict: RuleVerdict,
    },
    /// Rules that the past speaks for; answered by [`RulesReply::Suggestions`].
    Suggest,
    /// What the rules would have done with the past; answered by [`RulesReply::DryRun`].
    DryRun,
}

/// What came of a [`RulesCommand`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "rules.ts", optional_fields)]
pub enum RulesReply {
    /// It was done.
    Done,
    /// The rule was made.
    Made {
        /// It.
        rule: Box<RuleInfo>,
    },
    /// All rules.
    List {
        /// The rules, the newest of those made here first, then the file's.
        rules: Vec<RuleInfo>,
        /// Whether they act.
        status: RulesStatus,
        /// The person's file.
        file: String,
        /// What is wrong in it, line by line; the last good one holds meanwhile.
        mistakes: Vec<String>,
    },
    /// Why a prompt was asked.
    Why {
        /// Why.
        why: WhyAsked,
    },
    /// The rules that an answer could become, the narrowest first.
    Offers {
        /// The rules; empty when none can be made.
        offers: Vec<RuleOffer>,
        /// Why none can be made.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        refused: Option<String>,
    },
    /// Rules that the past speaks for, the most useful first.
    Suggestions {
        /// The rules.
        suggestions: Vec<RuleSuggestion>,
    },
    /// What the rules would have done with the past.
    DryRun {
        /// The count.
        run: RulesDryRun,
    },
}
