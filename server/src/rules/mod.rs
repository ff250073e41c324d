//! The person's rules: loaded, kept, asked. What they say is the pure crate's business (`answerback_rules`); what becomes of an
//! answer is the ledger's.
//!
//! Rules come from the person's `rules.toml`, from what was made here (`store/rules.rs`), and from the session's folder, which can
//! only deny and ask. Time and the disk are at this rim; a decision is made under one lock, so that the last use of a rule is
//! given away once.
//!
//! # Layout
//!
//! - `prompts`: which prompts rules may answer, and with what.
//! - `file`, `folders`: the person's file, followed as it changes, and those of folders.
//! - `changes`: what a person can change: rules, pauses, the mode.
//! - `told`: what is told of rules: the list, previews, reasons.

mod changes;
mod file;
mod folders;
mod prompts;
#[cfg(test)]
mod tests;
mod told;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use answerback_rules::{
    Judgement, Request, Rule, RuleSet, State, Verdict,
    guard::{Held, Mode, Pause},
    judge,
};
use shared_types::{AlertKind, Event, Millis, PausedSession, RuleVerdict, RulesMode, RulesStatus, SessionId};

pub use changes::{ChangeError, NewRule};
pub(crate) use file::follow;
pub(crate) use folders::FolderRules;
pub(crate) use prompts::{Answerable, request_of, verdict_of};

use crate::{
    bus::Bus,
    clock::now_millis,
    store::{MadeRule, Store, StoreError},
};

/// An answer that comes too soon after another is tried again after this.
const RETRY: Duration = Duration::from_millis(250);
/// Folders whose files are kept as they were read; of more, all are read anew.
const FOLDERS_LIMIT: usize = 256;

/// All rules, and what has happened with them.
pub struct Rules {
    store: Store,
    bus: Arc<Bus>,
    /// The person's own file.
    path: PathBuf,
    home: Option<String>,
    inner: Mutex<Inner>,
}

#[derive(Default)]
struct Inner {
    file: file::Loaded,
    made: Vec<MadeRule>,
    /// The file's and those made here.
    all: RuleSet,
    state: State,
    last_used: HashMap<String, Millis>,
    folders: HashMap<PathBuf, (Option<folders::Stamp>, Arc<FolderRules>)>,
    /// What was last told.
    told: RulesStatus,
}

/// What becomes of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Decision {
    /// A person is asked.
    Ask {
        /// It is something dangerous.
        danger: bool,
        /// What rules that are only tried out would have answered.
        would: Option<Automatic>,
    },
    /// A rule answers, but not before this has passed.
    Later(Duration),
    /// A rule answers.
    Answer(Automatic),
}

/// An answer that a rule gives.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Automatic {
    /// Yes or no.
    pub(crate) verdict: RuleVerdict,
    /// The rule that is named.
    pub(crate) rule_id: String,
    /// Its text.
    pub(crate) rule: String,
    /// All rules that are used by it.
    pub(crate) used: Vec<String>,
    /// What the model is told when it is refused.
    pub(crate) message: String,
    /// What was asked about.
    pub(crate) asked: String,
    request: Request,
    judgement: Judgement,
}

impl Rules {
    /// No rules yet: [`Rules::load`] brings them.
    #[must_use]
    pub fn new(store: Store, bus: Arc<Bus>, path: PathBuf) -> Arc<Self> {
        let home = std::env::home_dir().map(|home| home.to_string_lossy().into_owned());
        Arc::new(Self { store, bus, path, home, inner: Mutex::default() })
    }

    /// Takes up what is kept, and the person's file.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn load(&self) -> Result<(), StoreError> {
        let stored = self.store.rules().await?;
        for id in &stored.unreadable {
            tracing::error!(rule = id, "a stored rule cannot be read and does not act");
        }
        {
            let mut inner = self.lock();
            inner.made = stored.made;
            for (rule, uses) in stored.uses {
                inner.state.restore_uses(&rule, uses.count);
                inner.last_used.extend(uses.last_at.map(|at| (rule, at)));
            }
            for (name, value) in stored.switches {
                match (name.as_str(), value.as_str()) {
                    ("all", _) => inner.state.paused = true,
                    ("mode", "shadow") => inner.state.mode = Mode::Shadow,
                    ("mode", _) => {}
                    (session, why) => inner.state.pause(session, changes::pause_of_word(why)),
                }
            }
        }
        self.read_file().await;
        self.changed();
        Ok(())
    }

    /// The prompt as rules may answer it, if they may.
    pub(crate) fn answerable(&self, prompt: &shared_types::InteractivePrompt, folder: &Path) -> Option<Answerable> {
        Answerable::of(prompt, &folder.to_string_lossy(), self.home.as_deref())
    }

    /// What a prompt asks, for judging.
    pub(crate) fn request(&self, prompt: &shared_types::InteractivePrompt, folder: &str) -> Option<Request> {
        request_of(prompt, folder, self.home.as_deref())
    }

    /// The rules of a folder's own file, read anew when it has changed.
    pub(crate) async fn of_folder(&self, folder: &Path) -> Arc<FolderRules> {
        let known = self.lock().folders.get(folder).cloned();
        let (path, before) = (folder.to_owned(), known.as_ref().map(|(stamp, _)| *stamp));
        let read = tokio::task::spawn_blocking(move || {
            let stamp = folders::stamp(&path);
            (before != Some(stamp)).then(|| (stamp, Arc::new(folders::read(&path))))
        });
        match (read.await, known) {
            (Ok(Some((stamp, rules))), _) => {
                if !rules.mistakes.is_empty() {
                    let file = folder.join(folders::FILE).to_string_lossy().into_owned();
                    self.bus.alert(AlertKind::RulesUnreadable { file, mistakes: rules.mistakes.clone() });
                }
                let mut inner = self.lock();
                if inner.folders.len() >= FOLDERS_LIMIT {
                    inner.folders.clear();
                }
                inner.folders.insert(folder.to_owned(), (stamp, Arc::clone(&rules)));
                rules
            }
            (Ok(None), Some((_, rules))) => rules,
            // The disk could not be asked: as with a file that cannot be read, nothing is allowed.
            _ => Arc::new(FolderRules { mistakes: vec!["it cannot be read".to_owned()], ..FolderRules::default() }),
        }
    }

    /// Decides about a request. An answer is noted at once: it counts as a use until it is taken back.
    pub(crate) fn decide(&self, request: &Request, folder: &FolderRules) -> Decision {
        let now = now_millis();
        let mut inner = self.lock();
        if inner.all.rules.is_empty() && folder.rules.is_empty() {
            return Decision::Ask { danger: false, would: None };
        }
        let rules = inner.with(folder);
        let judgement = judge(request, &rules, &inner.state, now);
        let danger = judgement.floor.is_some() && judgement.verdict == Verdict::Ask;
        let allowed = judgement.would.unwrap_or(judgement.verdict) == Verdict::Allow;
        if allowed && inner.is_in_doubt(folder) {
            return Decision::Ask { danger: false, would: None };
        }
        match (judgement.verdict, judgement.held) {
            (Verdict::Ask, Some(Held::TooSoon | Held::CoolingDown)) => Decision::Later(RETRY),
            (Verdict::Ask, Some(Held::Shadow)) => {
                Decision::Ask { danger: false, would: Automatic::of(request, judgement, &rules) }
            }
            (Verdict::Ask, _) => Decision::Ask { danger, would: None },
            (Verdict::Allow | Verdict::Deny, _) => {
                let Some(automatic) = Automatic::of(request, judgement, &rules) else {
                    return Decision::Ask { danger: false, would: None };
                };
                inner.state.note_answer(request, &automatic.judgement, now);
                Decision::Answer(automatic)
            }
        }
    }

    /// The answer was claimed: it counts.
    pub(crate) fn note_used(&self, automatic: &Automatic) {
        let now = now_millis();
        let mut inner = self.lock();
        for rule in &automatic.used {
            inner.last_used.insert(rule.clone(), now);
        }
    }

    /// The answer was not given after all.
    pub(crate) fn take_back(&self, automatic: &Automatic) {
        self.lock().state.take_back(&automatic.request, &automatic.judgement);
    }

    /// A person did something in the session: the same may be answered again.
    pub(crate) fn note_progress(&self, session: SessionId) {
        self.lock().state.note_progress(&session.0.to_string());
    }

    /// Whether and where rules act.
    #[must_use]
    pub fn status(&self) -> RulesStatus {
        self.lock().status()
    }

    /// The rules have changed: they are put together anew, and everybody is told whether they act.
    fn changed(&self) {
        let mut inner = self.lock();
        let made = inner.made.iter().filter_map(|made| match changes::rule_of(made) {
            Ok(rule) => Some(rule),
            Err(why) => {
                tracing::error!(rule = made.id, why, "a rule made here does not hold any more");
                None
            }
        });
        let rules = made.chain(inner.file.rules.rules.iter().cloned()).collect();
        inner.all = RuleSet { rules };
        let status = inner.status();
        if status != inner.told {
            inner.told = status.clone();
            // Under the lock, so that no older status is told after a newer one.
            self.bus.publish(Event::Rules { status });
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    /// All rules, with those of a folder.
    fn with(&self, folder: &FolderRules) -> RuleSet {
        let rules = self.all.rules.iter().chain(&folder.rules).cloned().collect();
        RuleSet { rules }
    }

    /// True when a file could not be read that may say no: then nothing is allowed.
    fn is_in_doubt(&self, folder: &FolderRules) -> bool {
        !folder.mistakes.is_empty() || self.file.never_read()
    }

    fn status(&self) -> RulesStatus {
        let acts = |rule: &&Rule| rule.verdict != Verdict::Ask;
        let mut sessions: Vec<PausedSession> = (self.state.pauses())
            .filter_map(|(id, why)| {
                Some(PausedSession { session_id: SessionId(id.parse().ok()?), why: told::pause(why) })
            })
            .collect();
        sessions.sort_by_key(|paused| paused.session_id);
        RulesStatus {
            mode: if self.state.mode == Mode::Acting { RulesMode::On } else { RulesMode::Shadow },
            paused: self.state.paused,
            sessions,
            count: u32::try_from(self.all.rules.iter().filter(acts).count()).unwrap_or(u32::MAX),
        }
    }

    /// Why a session is paused, if it is.
    fn pause_of(&self, session: SessionId) -> Option<Pause> {
        self.state.pause_of(&session.0.to_string())
    }
}

impl Automatic {
    /// What the judge says, as an answer; nothing when it names no rule.
    fn of(request: &Request, judgement: Judgement, rules: &RuleSet) -> Option<Self> {
        let rule_id = judgement.rule.clone()?;
        let rule = rules.rules.iter().find(|rule| rule.id == rule_id)?;
        let verdict = match judgement.would.unwrap_or(judgement.verdict) {
            Verdict::Allow => RuleVerdict::Allow,
            Verdict::Deny => RuleVerdict::Deny,
            Verdict::Ask => return None,
        };
        let message = rule.message.clone();
        Some(Self {
            verdict,
            rule: rule.text.clone(),
            used: judgement.rules.clone(),
            message: message.unwrap_or_else(|| format!("The user's rule {} says no to this.", rule.text)),
            asked: answerback_rules::remember::subject(request),
            request: request.clone(),
            rule_id,
            judgement,
        })
    }
}
