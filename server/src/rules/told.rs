//! What is told of rules: the list, why a prompt was asked, and what an answer could become.

use answerback_rules::{
    Judgement, Rule, State, Verdict,
    guard::Pause,
    judge, remember,
    suggest::{self, Past},
};
use shared_types::{
    AskedPart, RuleInfo, RuleOffer, RuleOrigin, RuleSuggestion, RuleVerdict, RulesDryRun, RulesPause, RulesReply,
    SessionId, WhyAsked,
};

use super::{FolderRules, Inner, Rules, changes::judged};
use crate::{clock::now_millis, store::MadeRule};

/// Suggestions that are told at once: more than anybody reads.
const SUGGESTIONS_LIMIT: usize = 20;

impl Rules {
    /// All rules: those made here, the newest first, then the file's.
    pub fn list(&self) -> RulesReply {
        let inner = self.lock();
        let mut rules: Vec<RuleInfo> = inner.all.rules.iter().map(|rule| inner.info(rule)).collect();
        rules.sort_by_key(|rule| std::cmp::Reverse(rule.made_at));
        RulesReply::List {
            rules,
            status: inner.status(),
            file: self.path.to_string_lossy().into_owned(),
            mistakes: inner.file.mistakes.clone(),
        }
    }

    /// A rule by its id.
    pub(super) fn info(&self, id: &str) -> Option<RuleInfo> {
        let inner = self.lock();
        inner.all.rules.iter().find(|rule| rule.id == id).map(|rule| inner.info(rule))
    }

    /// Why a request is asked, by the rules as they are now.
    pub(crate) fn why(&self, request: &answerback_rules::Request, folder: &FolderRules) -> WhyAsked {
        let inner = self.lock();
        let rules = inner.with(folder);
        let judgement = judge(request, &rules, &inner.state, now_millis());
        if inner.all.rules.is_empty() && judgement.floor.is_none() && judgement.understood {
            // Nothing but the parts is worth saying where no rule was ever made.
            let judged = judge(request, &rules, &State::default(), now_millis());
            return WhyAsked { why: "there are no rules yet".to_owned(), ..why(judged) };
        }
        why(judgement)
    }

    /// Rules that the past speaks for.
    pub(crate) fn suggest(&self, past: &[Past]) -> Vec<RuleSuggestion> {
        let known = self.lock().all.clone();
        let found = suggest::suggest(past, &known).into_iter().filter_map(|found| {
            Some(RuleSuggestion {
                verdict: verdict(found.verdict),
                words: remember::in_words(&Rule::new(found.verdict, &found.rule).ok()?),
                text: found.rule,
                times: count(found.times),
                covers: found.covers,
                also: found.also,
            })
        });
        found.take(SUGGESTIONS_LIMIT).collect()
    }

    /// What the rules would have done with the past.
    pub(crate) fn dry_run(&self, past: &[Past]) -> RulesDryRun {
        let all = self.lock().all.clone();
        let run = suggest::dry_run(past, &all);
        RulesDryRun {
            prompts: count(run.requests),
            allowed: count(run.allowed),
            denied: count(run.denied),
            refused_but_allowed: run.refused_but_allowed,
            allowed_but_denied: run.allowed_but_denied,
        }
    }

    /// The rules that an answer could become.
    pub(crate) fn offers(request: &answerback_rules::Request, verdict: RuleVerdict) -> RulesReply {
        match remember::offers(request, judged(verdict)) {
            Ok(offers) => {
                let offers = offers.into_iter().map(|offer| RuleOffer {
                    text: offer.text,
                    words: offer.words,
                    also: offer.also,
                });
                RulesReply::Offers { offers: offers.collect(), refused: None }
            }
            Err(why) => RulesReply::Offers { offers: Vec::new(), refused: Some(why) },
        }
    }
}

impl Inner {
    fn info(&self, rule: &Rule) -> RuleInfo {
        let made: Option<&MadeRule> = self.made.iter().find(|made| made.id == rule.id);
        RuleInfo {
            id: rule.id.clone(),
            verdict: verdict(rule.verdict),
            text: rule.text.clone(),
            words: remember::in_words(rule),
            origin: if made.is_some() { RuleOrigin::Made } else { RuleOrigin::File },
            used: self.state.uses_of(&rule.id),
            last_used_at: self.last_used.get(&rule.id).copied(),
            session_id: rule.who.session.as_ref().and_then(|id| id.parse().ok()).map(SessionId),
            folder: rule.folder.clone(),
            cli: rule.who.cli.clone(),
            until: rule.until,
            uses: rule.uses,
            note: rule.note.clone(),
            message: rule.message.clone(),
            made_at: made.map(|made| made.made_at),
            made_by: made.map(|made| made.made_by.clone()),
        }
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn why(judgement: Judgement) -> WhyAsked {
    let part = |part: answerback_rules::Part| AskedPart {
        text: part.text,
        via: part.via,
        verdict: verdict(part.verdict),
        rule: part.rule,
        why: part.why,
    };
    WhyAsked {
        why: judgement.why,
        always: judgement.floor.is_some(),
        parts: judgement.parts.into_iter().map(part).collect(),
    }
}

pub(super) fn verdict(verdict: Verdict) -> RuleVerdict {
    match verdict {
        Verdict::Allow => RuleVerdict::Allow,
        Verdict::Ask => RuleVerdict::Ask,
        Verdict::Deny => RuleVerdict::Deny,
    }
}

pub(super) fn pause(why: Pause) -> RulesPause {
    match why {
        Pause::ByPerson => RulesPause::ByPerson,
        Pause::AfterNo => RulesPause::AfterNo,
        Pause::AfterInterrupt => RulesPause::AfterInterrupt,
        Pause::AfterDanger => RulesPause::AfterDanger,
    }
}
