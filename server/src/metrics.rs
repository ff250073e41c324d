//! What is counted of this run of the server, in the text format of Prometheus.
//!
//! Prompts, answers and their times are counted where every event passes once, at the bus ([`Counters::on_event`]); how full
//! things are is asked when somebody wants to know ([`Gauges`]). Nothing of what was asked or answered is in it.

#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    fmt,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicI64, AtomicU64},
    },
};

use prometheus_client::{
    encoding::{EncodeLabelSet, text::encode},
    metrics::{
        counter::Counter,
        family::{Family, MetricConstructor},
        gauge::Gauge,
        histogram::Histogram,
        info::Info,
    },
    registry::{Registry, Unit},
};
use serde::Serialize;
use shared_types::{Actor, AdapterKind, AnswerStep, Event, InteractivePrompt, Millis, PromptId, PromptOutcome};

/// From a hundredth of a second, which is a fast machine, to half a minute, which is a CLI that hangs.
const SECONDS: [f64; 11] = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// What a prompt is counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Asked {
    cli: String,
    kind: String,
}

/// What the end of a prompt, or of an attempt to answer it, is counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Ended {
    cli: String,
    kind: String,
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Cli {
    cli: String,
}

/// What a notification is counted by.
#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Told {
    channel: &'static str,
    outcome: &'static str,
}

/// A histogram with our limits, for each set of labels.
#[derive(Debug, Clone)]
struct InSeconds;

impl MetricConstructor<Histogram> for InSeconds {
    fn new_metric(&self) -> Histogram {
        Histogram::new(SECONDS)
    }
}

/// What is counted as it happens.
pub struct Counters {
    registry: Registry,
    gauges: Levels,
    prompts: Family<Asked, Counter>,
    outcomes: Family<Ended, Counter>,
    rule_answers: Family<Cli, Counter>,
    notifications: Family<Told, Counter>,
    seen_to_published: Family<Cli, Histogram, InSeconds>,
    answered_to_verified: Family<Cli, Histogram, InSeconds>,
    connections: Counter,
    reconnections: Counter,
    open: Mutex<HashMap<PromptId, Open>>,
}

/// A prompt that is not over. There are as many as the board of the bus has.
struct Open {
    asked: Asked,
    answered_at: Option<Millis>,
}

/// How full things are; asked for when somebody wants to know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Gauges {
    /// Sessions that have not ended.
    pub sessions: u64,
    /// Prompts that wait.
    pub waiting: u64,
    /// Pages and commands that listen.
    pub listeners: u64,
    /// The size of the store's file, in bytes.
    pub store_bytes: u64,
    /// The number of the journal's last row.
    pub journal_rows: u64,
    /// Jobs that wait for the store's threads.
    pub store_queue: u64,
}

type Level = Gauge<i64, AtomicI64>;

#[derive(Default)]
struct Levels {
    sessions: Level,
    waiting: Level,
    listeners: Level,
    store_bytes: Level,
    journal_rows: Level,
    store_queue: Level,
}

impl fmt::Debug for Counters {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Counters").finish_non_exhaustive()
    }
}

impl Default for Counters {
    fn default() -> Self {
        Self::new()
    }
}

impl Counters {
    /// Nothing has happened yet.
    #[must_use]
    pub fn new() -> Self {
        let mut registry = Registry::with_prefix("answerback");
        registry.register(
            "build",
            "The version of the server",
            Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]),
        );
        let counters = Self {
            gauges: Levels::default(),
            prompts: Family::default(),
            outcomes: Family::default(),
            rule_answers: Family::default(),
            notifications: Family::default(),
            seen_to_published: Family::new_with_constructor(InSeconds),
            answered_to_verified: Family::new_with_constructor(InSeconds),
            connections: Counter::<u64, AtomicU64>::default(),
            reconnections: Counter::default(),
            open: Mutex::default(),
            registry: Registry::default(),
        };
        let Self { gauges, .. } = &counters;
        let time = Unit::Seconds;
        registry.register("prompts", "Prompts of the CLIs", counters.prompts.clone());
        registry.register("prompt_outcomes", "What came of prompts and of answers to them", counters.outcomes.clone());
        registry.register("rule_answers", "Prompts that a rule answered", counters.rule_answers.clone());
        registry.register(
            "notifications",
            "Notifications, and whether the other side took them",
            counters.notifications.clone(),
        );
        registry.register_with_unit(
            "prompt_seen_to_published",
            "From the first sight of a prompt until it is sent to the phones",
            time.clone(),
            counters.seen_to_published.clone(),
        );
        registry.register_with_unit(
            "answer_to_verified",
            "From the answer until the CLI was seen to take it",
            time,
            counters.answered_to_verified.clone(),
        );
        registry.register("connections", "Connections of pages and commands", counters.connections.clone());
        registry.register("reconnections", "Those of pages that were connected before", counters.reconnections.clone());
        registry.register("sessions", "Sessions that run", gauges.sessions.clone());
        registry.register("prompts_waiting", "Prompts that wait for an answer", gauges.waiting.clone());
        registry.register(
            "listeners",
            "Who hears of events: pages, commands, and parts of the server",
            gauges.listeners.clone(),
        );
        registry.register_with_unit("store_size", "The database", Unit::Bytes, gauges.store_bytes.clone());
        registry.register("journal_last_row", "The number of the journal's last row", gauges.journal_rows.clone());
        registry.register("store_queue", "Jobs that wait for the database", gauges.store_queue.clone());
        Self { registry, ..counters }
    }

    /// Counts an event. The time is that of its publishing.
    pub fn on_event(&self, event: &Event, now: Millis) {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match event {
            Event::Prompt { prompt } => {
                // One that is shown anew is the same prompt.
                open.entry(prompt.request_id).or_insert_with(|| self.on_new_prompt(prompt, now));
            }
            Event::PromptProgress { progress } => {
                let Some(prompt) = open.get_mut(&progress.request_id) else { return };
                match &progress.step {
                    AnswerStep::Sending => prompt.answered_at = Some(now),
                    AnswerStep::Typed => {}
                    AnswerStep::Unknown { .. } => self.count(&prompt.asked, "unknown"),
                    AnswerStep::Failed { .. } => {
                        prompt.answered_at = None;
                        self.count(&prompt.asked, "failed");
                    }
                }
            }
            Event::PromptClosed { request_id, outcome, .. } => {
                let Some(prompt) = open.remove(request_id) else { return };
                self.on_closed(&prompt, outcome, now);
            }
            Event::Session { .. }
            | Event::SessionForgotten { .. }
            | Event::Message { .. }
            | Event::MessageDelta { .. }
            | Event::Adapters { .. }
            | Event::Alert { .. }
            | Event::ManyMessages { .. }
            | Event::Rules { .. } => {}
        }
    }

    /// Counts a prompt that ended without being shown to anybody: a rule has answered it.
    pub fn on_unpublished(&self, prompt: &InteractivePrompt, outcome: &PromptOutcome, now: Millis) {
        let asked = asked(prompt);
        self.prompts.get_or_create(&asked).inc();
        self.on_closed(&Open { asked, answered_at: None }, outcome, now);
    }

    /// Somebody has connected; a page that comes back says what it has seen.
    pub fn on_connection(&self, comes_back: bool) {
        self.connections.inc();
        self.reconnections.inc_by(u64::from(comes_back));
    }

    /// A notification was delivered, or given up after its last try.
    pub fn on_notification(&self, channel: &'static str, taken: bool) {
        let outcome = if taken { "taken" } else { "failed" };
        self.notifications.get_or_create(&Told { channel, outcome }).inc();
    }

    /// All of it as text.
    ///
    /// # Errors
    /// Never, as far as is known: text is written to memory.
    pub fn render(&self, now: Gauges) -> Result<String, fmt::Error> {
        let Gauges { sessions, waiting, listeners, store_bytes, journal_rows, store_queue } = now;
        let Levels { sessions: sessions_level, waiting: waiting_level, listeners: listeners_level, .. } = &self.gauges;
        let levels = [
            (sessions_level, sessions),
            (waiting_level, waiting),
            (listeners_level, listeners),
            (&self.gauges.store_bytes, store_bytes),
            (&self.gauges.journal_rows, journal_rows),
            (&self.gauges.store_queue, store_queue),
        ];
        for (level, value) in levels {
            level.set(i64::try_from(value).unwrap_or(i64::MAX));
        }
        let mut text = String::new();
        encode(&mut text, &self.registry)?;
        Ok(text)
    }

    fn on_new_prompt(&self, prompt: &InteractivePrompt, now: Millis) -> Open {
        let asked = asked(prompt);
        self.prompts.get_or_create(&asked).inc();
        if let Some(seen) = prompt.created_at {
            let published = self.seen_to_published.get_or_create(&Cli { cli: asked.cli.clone() });
            published.observe(seconds(seen, now));
        }
        Open { asked, answered_at: None }
    }

    fn on_closed(&self, prompt: &Open, outcome: &PromptOutcome, now: Millis) {
        let outcome = match outcome {
            PromptOutcome::Verified { answer } => {
                let cli = Cli { cli: prompt.asked.cli.clone() };
                if matches!(answer.by, Actor::Rule { .. }) {
                    self.rule_answers.get_or_create(&cli).inc();
                }
                if let Some(answered) = prompt.answered_at {
                    self.answered_to_verified.get_or_create(&cli).observe(seconds(answered, now));
                }
                "verified"
            }
            PromptOutcome::Gone => "gone",
            PromptOutcome::SessionEnded => "session-ended",
        };
        self.count(&prompt.asked, outcome);
    }

    fn count(&self, asked: &Asked, outcome: &'static str) {
        let Asked { cli, kind } = asked.clone();
        self.outcomes.get_or_create(&Ended { cli, kind, outcome }).inc();
    }
}

#[expect(clippy::cast_precision_loss, reason = "milliseconds of one prompt are far below 2^52")]
fn seconds(from: Millis, to: Millis) -> f64 {
    to.saturating_sub(from) as f64 / 1000.0
}

fn asked(prompt: &InteractivePrompt) -> Asked {
    Asked { cli: cli(prompt.adapter), kind: word(&prompt.kind) }
}

fn cli(adapter: Option<AdapterKind>) -> String {
    adapter.map_or_else(|| "unknown".to_owned(), |adapter| adapter.to_string())
}

/// The wire's word for a plain enum, such as `claude`: few, and never anything that a person wrote.
fn word<T: Serialize + fmt::Debug>(value: &T) -> String {
    serde_json::to_value(value).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}
