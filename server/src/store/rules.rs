//! Rules that persons made here, how often every rule was used, and what pauses. A rule is added and may be removed; it is never
//! edited.

use answerback_ledger::StoredPrompt;
use rusqlite::{Transaction, params};
use serde::{Deserialize, Serialize};
use shared_types::{Actor, Millis, RuleVerdict, SessionId};

use super::{Store, StoreError, prompts};
use crate::journal::{Fact, FactKind};

/// A rule that a person made here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MadeRule {
    /// Names it for good.
    pub id: String,
    /// What it says.
    pub says: RuleRecord,
    /// When it was made.
    pub made_at: Millis,
    /// By whom.
    pub made_by: Actor,
}

/// What a rule says, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[expect(missing_docs, reason = "each field is that of the wire's `RuleInfo`")]
pub struct RuleRecord {
    pub verdict: RuleVerdict,
    pub text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session: Option<SessionId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Millis>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uses: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

/// How often a rule has answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RuleUses {
    /// How often.
    pub count: u32,
    /// When it last did.
    pub last_at: Option<Millis>,
}

/// All that is kept of rules.
#[derive(Debug, Default, PartialEq)]
pub struct StoredRules {
    /// Those that hold, oldest first.
    pub made: Vec<MadeRule>,
    /// Rules of a form that this version does not know, by their ids.
    pub unreadable: Vec<String>,
    /// Uses, by the rule's id.
    pub uses: Vec<(String, RuleUses)>,
    /// Switches that are not as they are by themselves: `mode`, `all`, or a session's id.
    pub switches: Vec<(String, String)>,
}

impl Store {
    /// All that is kept of rules.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn rules(&self) -> Result<StoredRules, StoreError> {
        self.read(|db| {
            let mut stored = StoredRules::default();
            let mut statement = db.prepare("SELECT * FROM rules WHERE removed_at IS NULL ORDER BY made_at, id")?;
            let mut rows = statement.query([])?;
            while let Some(row) = rows.next()? {
                let id: String = row.get("id")?;
                let says = serde_json::from_str(&row.get::<_, String>("rule")?);
                let made_by = serde_json::from_str(&row.get::<_, String>("made_by")?).unwrap_or(Actor::Unknown);
                match says {
                    Ok(says) => stored.made.push(MadeRule { id, says, made_at: row.get("made_at")?, made_by }),
                    Err(_) => stored.unreadable.push(id),
                }
            }
            let mut statement = db.prepare("SELECT rule, uses, last_at FROM rule_uses")?;
            let uses = statement.query_map([], |row| {
                Ok((row.get("rule")?, RuleUses { count: row.get("uses")?, last_at: row.get("last_at")? }))
            })?;
            stored.uses = uses.collect::<Result<_, _>>()?;
            let mut statement = db.prepare("SELECT name, value FROM rule_switches")?;
            let switches = statement.query_map([], |row| Ok((row.get("name")?, row.get("value")?)))?;
            stored.switches = switches.collect::<Result<_, _>>()?;
            Ok(stored)
        })
        .await
    }

    /// Adds a rule.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn add_rule(&self, rule: MadeRule, facts: Vec<Fact>) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            let (says, by) = (serde_json::to_string(&rule.says)?, serde_json::to_string(&rule.made_by)?);
            let sql = "INSERT INTO rules (id, rule, made_at, made_by) VALUES (?1, ?2, ?3, ?4)";
            db.execute(sql, params![rule.id, says, rule.made_at, by])?;
            Ok(())
        })
        .await
    }

    /// Removes a rule. False when there is none with this id any more.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn remove_rule(&self, id: String, at: Millis, facts: Vec<Fact>) -> Result<bool, StoreError> {
        self.write_if(facts, move |db| {
            let sql = "UPDATE rules SET removed_at = ?2 WHERE id = ?1 AND removed_at IS NULL";
            Ok(db.execute(sql, params![id, at])? == 1)
        })
        .await
    }

    /// Sets a switch, or lets it be as it is by itself.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn set_rule_switch(
        &self,
        name: String,
        value: Option<String>,
        facts: Vec<Fact>,
    ) -> Result<(), StoreError> {
        self.write_with(facts, move |db| {
            match value {
                Some(value) => {
                    let sql = "INSERT OR REPLACE INTO rule_switches (name, value) VALUES (?1, ?2)";
                    db.execute(sql, params![name, value])?
                }
                None => db.execute("DELETE FROM rule_switches WHERE name = ?1", [name])?,
            };
            Ok(())
        })
        .await
    }
}

impl Store {
    /// The prompts that were answered last and seen to be, each with the folder of its session; the newest first. Those that cannot
    /// be read are passed over.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn answered_prompts(&self, limit: u32) -> Result<Vec<(StoredPrompt, String)>, StoreError> {
        self.read_history(move |db| {
            let mut statement = db.prepare(
                "SELECT prompts.*, sessions.folder AS folder FROM prompts JOIN sessions ON sessions.id = session_id
                 WHERE state = 'verified' ORDER BY prompts.created_at DESC, prompts.id DESC LIMIT ?1",
            )?;
            let mut rows = statement.query([limit])?;
            let mut found = Vec::new();
            while let Some(row) = rows.next()? {
                let folder: String = row.get("folder")?;
                found.extend(prompts::stored(row).ok().map(|prompt| (prompt, folder)));
            }
            Ok(found)
        })
        .await
    }
}

/// The rules that these facts say are used.
pub(super) fn used_by(facts: &[Fact]) -> Vec<String> {
    let used = facts.iter().filter(|fact| fact.kind == FactKind::RuleUsed);
    used.filter_map(|fact| fact.body["rule"].as_str().map(str::to_owned)).collect()
}

/// Counts uses, in the transaction that writes down the answer.
pub(super) fn count_uses(db: &Transaction<'_>, rules: &[String], at: Millis) -> Result<(), StoreError> {
    for rule in rules {
        let sql = "INSERT INTO rule_uses (rule, uses, last_at) VALUES (?1, 1, ?2)
                   ON CONFLICT (rule) DO UPDATE SET uses = uses + 1, last_at = excluded.last_at";
        db.execute(sql, params![rule, at])?;
    }
    Ok(())
}
