//! A world around a ledger: a program with a dialog, a store, hooks and phones, all of them plain data.

#![expect(clippy::disallowed_methods, reason = "tests read captured screens, and need some moment to begin with")]

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::Path,
    time::{Duration, Instant},
};

use adapters::{
    Capture, Fingerprint, Keystroke, Reading, Screen, adapter_for,
    case::CaseMeta,
    keys::NamedKey,
    reading::{Context, Look},
};
use serde_json::{Value, json};
use shared_types::{
    Actor, AdapterKind, AnswerStep, DeviceId, InteractivePrompt, Millis, PromptId, PromptOutcome, PromptResponse,
    SessionId, SessionState,
};
use uuid::Uuid;

use crate::{
    AttemptRecord, AttemptStage, Claim, Closing, Effect, Event, ExpiryPolicy, HookCall, Ledger, Moment, Pressed,
    RespondError, Setup, StartupPolicy, StoredPrompt, Ticket,
};

/// What becomes of the next keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Pressed,
    NotPressed,
    UnknownButArrived,
    UnknownAndLost,
    NotStored,
}

/// A prompt as the world's store has it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) stored: StoredPrompt,
    pub(super) outcome: Option<PromptOutcome>,
    /// Who ended it, where no answer from here did.
    pub(super) by: Option<Actor>,
}

/// The dialog that the program shows.
#[derive(Debug, Clone)]
pub(super) struct Dialog {
    /// Which of the program's dialogs it is, counted from 1.
    pub(super) number: u64,
    pub(super) title: String,
    pub(super) cursor: usize,
}

pub(super) struct World {
    pub(super) ledger: Ledger,
    kind: AdapterKind,
    expiry: ExpiryPolicy,
    pub(super) now: Instant,
    /// What the clock on the wall shows, which stands still.
    pub(super) wall: Millis,
    ids: u128,
    tickets: u64,
    /// The dialog's look with the cursor on the first row, and the look without one.
    dialog_look: Look,
    ready_look: Look,
    pub(super) dialog: Option<Dialog>,
    pub(super) dialogs: u64,
    /// What the dialog says beside its command, when that is another than in the captured screen.
    pub(super) says: Option<&'static str>,
    /// The rows that were entered, by dialog.
    pub(super) entered: Vec<(u64, usize)>,
    /// What was entered, as title and option, and what somebody chose.
    pub(super) taken: BTreeSet<(String, String)>,
    pub(super) chosen: BTreeSet<(String, String)>,
    /// Under which ids each dialog was shown.
    pub(super) shown_as: BTreeMap<u64, BTreeSet<PromptId>>,
    /// What the dialog says, and nobody's log may.
    contents: Vec<String>,
    pub(super) store: BTreeMap<PromptId, Row>,
    pub(super) store_fails: bool,
    pub(super) fate: Fate,
    /// True while a message is being typed beside.
    pub(super) typing: bool,
    /// True when each dialog that is answered is replaced by an equal one within a frame, and nothing above tells.
    pub(super) repeats: bool,
    /// What hooks were told; nothing for one that still waits.
    pub(super) hooks: BTreeMap<Uuid, Option<String>>,
    /// Hooks whose connection is lost.
    pub(super) deaf_hooks: BTreeSet<Uuid>,
    pub(super) replies: BTreeMap<Ticket, Result<(), RespondError>>,
    pub(super) asked: BTreeSet<Ticket>,
    pub(super) steps: Vec<(PromptId, AnswerStep)>,
    pub(super) opened: Vec<InteractivePrompt>,
    pub(super) closed: Vec<(PromptId, PromptOutcome)>,
    pub(super) state: Option<SessionState>,
    /// Presses that complete an answer, by the prompt and the answer's key.
    pub(super) final_presses: BTreeMap<(PromptId, Option<Uuid>), u32>,
    pub(super) presses: usize,
    /// The prompts whose time was over, and whether they were refused then.
    pub(super) expired: Vec<(PromptId, bool)>,
}

impl World {
    pub(super) fn new(kind: AdapterKind) -> Self {
        Self::expiring(kind, ExpiryPolicy::default())
    }

    /// A world in which prompts wait for no longer than this.
    pub(super) fn expiring(kind: AdapterKind, expiry: ExpiryPolicy) -> Self {
        let (dialog, ready) = match kind {
            adapters::claude::KIND => {
                ("claude/screens/perm-bash-2.1.325-120x40", "claude/screens/ready-2.1.325-120x40")
            }
            _ => ("demo/screens/command-120x40", "demo/screens/ready-120x40"),
        };
        let now = Instant::now();
        let dialog_look = look(kind, dialog);
        let mut world = Self {
            ledger: Ledger::new(setup(kind, expiry.clone(), Vec::new(), now)),
            kind,
            expiry,
            wall: 1,
            now,
            ids: 1000,
            tickets: 0,
            contents: contents(&dialog_look),
            dialog_look,
            ready_look: look(kind, ready),
            dialog: None,
            dialogs: 0,
            says: None,
            entered: Vec::new(),
            taken: BTreeSet::new(),
            chosen: BTreeSet::new(),
            shown_as: BTreeMap::new(),
            store: BTreeMap::new(),
            store_fails: false,
            fate: Fate::Pressed,
            typing: false,
            repeats: false,
            hooks: BTreeMap::new(),
            deaf_hooks: BTreeSet::new(),
            replies: BTreeMap::new(),
            asked: BTreeSet::new(),
            steps: Vec::new(),
            opened: Vec::new(),
            closed: Vec::new(),
            state: None,
            final_presses: BTreeMap::new(),
            presses: 0,
            expired: Vec::new(),
        };
        world.settle();
        world
    }

    /// The program asks something.
    pub(super) fn ask(&mut self, title: &str) {
        self.dialogs += 1;
        self.dialog = Some(Dialog { number: self.dialogs, title: title.to_owned(), cursor: 0 });
    }

    /// The program asks, and the prompt is on the phones.
    pub(super) fn asked_prompt(&mut self, title: &str) -> InteractivePrompt {
        self.ask(title);
        self.settle();
        self.opened.last().expect("a prompt").clone()
    }

    /// Somebody at the desk answers, or the program withdraws its dialog.
    pub(super) fn dialog_goes(&mut self) {
        self.dialog = None;
    }

    /// What the screen shows now.
    pub(super) fn shows(&self) -> Look {
        let Some(dialog) = &self.dialog else { return self.ready_look.clone() };
        let mut look = self.dialog_look.clone();
        if let Reading::Prompt(sighting) = &mut look.reading {
            if self.kind == AdapterKind::new("demo") {
                sighting.title.clone_from(&dialog.title);
            }
            sighting.selected = Some(dialog.cursor);
            sighting.description = self.says.map_or(sighting.description.clone(), str::to_owned);
        }
        look.context = Context(vec![if self.repeats { 0 } else { dialog.number }]);
        look.content = dialog.number * 100 + dialog.cursor as u64;
        look
    }

    pub(super) fn look(&mut self) {
        let (look, screen) = (self.shows(), Screen::default());
        self.tell(Event::Looked { look, screen: &screen });
    }

    /// Looks as often as the ledger wants to, for this long.
    pub(super) fn run_for(&mut self, time: Duration) {
        let ends = self.now + time;
        self.look();
        let mut looks = 0;
        while let Some(next) = self.ledger.next_deadline().filter(|next| *next <= ends) {
            self.now = next.max(self.now + Duration::from_millis(1));
            self.look();
            looks += 1;
            assert!(looks < 10_000, "the ledger wants to look all the time");
        }
        self.now = self.now.max(ends);
    }

    /// Looks until what is on the screen has settled.
    pub(super) fn settle(&mut self) {
        self.run_for(Duration::from_millis(700));
    }

    /// A phone answers. The ticket says what it is told.
    pub(super) fn respond(&mut self, response: PromptResponse, phone: &str) -> Ticket {
        self.tickets += 1;
        let ticket = Ticket(self.tickets);
        self.asked.insert(ticket);
        let prompt = self.opened.iter().find(|prompt| prompt.request_id == response.request_id);
        let title = prompt.map(|prompt| prompt.title.clone()).unwrap_or_default();
        self.chosen.extend(response.selected_option.clone().map(|option| (title, option)));
        let by = Actor::Device { device_id: DeviceId(Uuid::nil()), name: phone.to_owned() };
        self.tell(Event::Responded { response, by, ticket });
        ticket
    }

    /// A hook of the program's asks, or comes again.
    pub(super) fn hook_arrives(&mut self, id: Uuid) {
        let request = adapter_for(self.kind).read_hook(&payload()).request.expect("it asks");
        self.hooks.insert(id, None);
        self.deaf_hooks.remove(&id);
        let known = (!self.ledger.knows_hook(id)).then(|| self.store.get(&PromptId(id))).flatten();
        let known = known.map(|row| row.stored.clone());
        self.tell(Event::HookArrived { call: HookCall { id, request }, known, screen_is_current: true });
    }

    pub(super) fn hook_leaves(&mut self, id: Uuid) {
        self.hooks.remove(&id);
        self.tell(Event::HookLeft { hook: id });
    }

    /// The server is killed and started again: the program, the hooks and the store are as they were.
    pub(super) fn restart(&mut self) {
        let open = self.store.values().filter(|row| row.outcome.is_none()).map(|row| row.stored.clone());
        self.ledger = Ledger::new(setup(self.kind, self.expiry.clone(), open.collect(), self.now));
        self.asked.retain(|ticket| self.replies.contains_key(ticket));
        // What was published and not written is found again, and published again.
        let written = |id: &PromptId| self.store.get(id).is_some_and(|row| row.outcome.is_some());
        self.closed.retain(|(id, _)| written(id));
        for id in self.hooks.keys() {
            self.deaf_hooks.insert(*id);
        }
    }

    pub(super) fn tell(&mut self, event: Event<'_>) {
        self.check_log(&event);
        let mut effects = std::collections::VecDeque::from({
            let moment = self.moment();
            self.ledger.on(event, moment)
        });
        while let Some(effect) = effects.pop_front() {
            self.check_log(&effect);
            if let Some(event) = self.carry_out(effect) {
                self.check_log(&event);
                let moment = self.moment();
                effects.extend(self.ledger.on(event, moment));
            }
        }
    }

    /// Events and effects are logged as they print themselves.
    fn check_log(&self, logged: &impl fmt::Debug) {
        let line = format!("{logged:?}");
        let quoted = self.contents.iter().find(|content| line.contains(*content));
        assert_eq!(quoted, None, "contents are in the log: {line}");
    }

    pub(super) fn moment(&mut self) -> Moment {
        self.ids += 1;
        Moment { at: self.now, wall: self.wall, fresh: PromptId(Uuid::from_u128(self.ids)), typing: self.typing }
    }

    fn carry_out(&mut self, effect: Effect) -> Option<Event<'static>> {
        match effect {
            Effect::Open { prompt, fingerprint, .. } => {
                if !self.store_fails {
                    self.put(&prompt, fingerprint);
                }
                if let Some(dialog) = &self.dialog {
                    self.shown_as.entry(dialog.number).or_default().insert(prompt.request_id);
                }
                self.opened.push(*prompt);
            }
            Effect::Claim { prompt, fingerprint, answer, attempt } => {
                let id = prompt.request_id;
                if self.store_fails {
                    return Some(Event::Claimed { prompt: id, claim: Claim::Failed("disk full".to_owned()) });
                }
                if !self.store.contains_key(&id) {
                    self.put(&prompt, fingerprint);
                }
                let row = self.store.get_mut(&id).expect("a row");
                let free = row.stored.answer.is_none() && row.outcome.is_none();
                if free {
                    (row.stored.answer, row.stored.attempt) = (Some(answer), Some(attempt));
                }
                return Some(Event::Claimed { prompt: id, claim: if free { Claim::Won } else { Claim::Lost } });
            }
            Effect::Press { keys, record, .. } => return Some(Event::Pressed(self.press(&keys, record))),
            Effect::AnswerHook { hook, decision, .. } => {
                let heard = self.hooks.get(&hook) == Some(&None) && !self.deaf_hooks.contains(&hook);
                if heard {
                    self.hooks.insert(hook, Some(decision));
                }
                return Some(Event::HookAnswered { hook, heard });
            }
            Effect::ReleaseHook { hook } => {
                if let Some(told) = self.hooks.get_mut(&hook) {
                    *told = Some(String::new());
                }
            }
            Effect::Progress(progress) => self.steps.push((progress.request_id, progress.step)),
            Effect::Reopen { prompt, .. } => {
                if let Some(row) = self.store.get_mut(&prompt).filter(|_| !self.store_fails) {
                    row.stored.tried.extend(row.stored.attempt.take().and_then(|attempt| attempt.key));
                    row.stored.answer = None;
                }
            }
            Effect::Revive { prompt } => {
                self.closed.retain(|(id, _)| *id != prompt);
                if let Some(row) = self.store.get_mut(&prompt) {
                    (row.outcome, row.stored.open, row.stored.answer) = (None, true, None);
                }
            }
            Effect::Expired { prompt, refuses } => self.expired.push((prompt, refuses)),
            Effect::Close(closing) => {
                self.closed.push((closing.prompt, closing.outcome.clone()));
                return self.write_closed(closing);
            }
            Effect::WriteClosed(closing) => return self.write_closed(closing),
            Effect::Reply { ticket, result } => {
                let before = self.replies.insert(ticket, result);
                assert!(before.is_none(), "{ticket:?} was replied to twice");
            }
            Effect::State(state) => self.state = Some(state),
            Effect::Mode(_) | Effect::Awaiting | Effect::Passed(_) | Effect::FolderTrusted { .. } | Effect::Exited => {}
        }
        None
    }

    fn put(&mut self, prompt: &InteractivePrompt, fingerprint: Fingerprint) {
        let row = self.store.entry(prompt.request_id).or_insert_with(|| Row {
            stored: StoredPrompt {
                prompt: prompt.clone(),
                fingerprint,
                answer: None,
                attempt: None,
                tried: Vec::new(),
                open: true,
            },
            outcome: None,
            by: None,
        });
        (row.stored.prompt, row.stored.fingerprint) = (prompt.clone(), fingerprint);
    }

    fn press(&mut self, keys: &[Keystroke], record: Option<(PromptId, AttemptRecord)>) -> Pressed {
        if let Some((id, attempt)) = record {
            if self.store_fails || self.fate == Fate::NotStored {
                return Pressed::NotStored("disk full".to_owned());
            }
            if attempt.stage == AttemptStage::Submitted {
                *self.final_presses.entry((id, attempt.key)).or_default() += 1;
            }
            if let Some(row) = self.store.get_mut(&id) {
                row.stored.attempt = Some(attempt);
            }
        }
        self.presses += 1;
        if matches!(self.fate, Fate::Pressed | Fate::UnknownButArrived) {
            keys.iter().for_each(|key| self.press_one(key));
        }
        match self.fate {
            Fate::Pressed | Fate::NotStored => Pressed::Pressed,
            Fate::NotPressed => Pressed::NotPressed("refused".to_owned()),
            Fate::UnknownButArrived | Fate::UnknownAndLost => Pressed::Unknown("the reply was lost".to_owned()),
        }
    }

    fn press_one(&mut self, key: &Keystroke) {
        let Some(dialog) = &mut self.dialog else { return };
        match key {
            Keystroke::Named(NamedKey::Down) => dialog.cursor += 1,
            Keystroke::Named(NamedKey::Up) => dialog.cursor = dialog.cursor.saturating_sub(1),
            Keystroke::Named(NamedKey::Enter) => {
                self.entered.push((dialog.number, dialog.cursor));
                let (row, look) = (dialog.cursor, self.shows());
                if let Reading::Prompt(sighting) = look.reading {
                    let option = sighting.option_values().into_iter().nth(row).unwrap_or_default();
                    self.taken.insert((sighting.title, option));
                }
                let Some(dialog) = &mut self.dialog else { return };
                let title = dialog.title.clone();
                self.dialog = None;
                if self.repeats {
                    self.ask(&title);
                }
            }
            _ => {}
        }
    }

    fn write_closed(&mut self, closing: Closing) -> Option<Event<'static>> {
        if self.store_fails {
            return Some(Event::NotWritten(closing));
        }
        if let Some(row) = self.store.get_mut(&closing.prompt) {
            (row.outcome, row.by, row.stored.open) = (Some(closing.outcome), closing.by, false);
        }
        None
    }
}

/// The answer that chooses an option, under a key.
pub(super) fn choose(prompt: &InteractivePrompt, row: usize, key: u128) -> PromptResponse {
    let value = prompt.options.as_ref().expect("options")[row].value.clone();
    PromptResponse {
        selected_option: Some(value),
        idempotency_key: Some(Uuid::from_u128(key)),
        digest: prompt.digest.clone(),
        ..PromptResponse::to(prompt.request_id)
    }
}

/// The words of a dialog that are long enough to be no others.
fn contents(look: &Look) -> Vec<String> {
    let Reading::Prompt(sighting) = &look.reading else { return Vec::new() };
    let mut words = sighting.option_values();
    words.extend([sighting.title.clone(), "Question".to_owned(), "build/output".to_owned()]);
    words.retain(|words| words.len() > 5);
    words
}

/// What the hook of the captured dialog tells.
fn payload() -> Value {
    let input = json!({ "command": "rm -rf build/output", "description": "Remove build output directory" });
    json!({ "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": input })
}

fn setup(adapter: AdapterKind, expiry: ExpiryPolicy, remembered: Vec<StoredPrompt>, began_at: Instant) -> Setup {
    Setup {
        session: SessionId(Uuid::from_u128(1)),
        adapter,
        folder: "/work".into(),
        startup: StartupPolicy::default(),
        expiry,
        remembered,
        began_at,
    }
}

/// A look at a captured screen.
fn look(kind: AdapterKind, case: &str) -> Look {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../adapters/src").join(case);
    let file = |name: &str| {
        std::fs::read_to_string(folder.join(name)).unwrap_or_else(|error| panic!("{case}/{name}: {error}"))
    };
    let meta: CaseMeta = serde_json::from_str(&file("meta.json")).expect("a case");
    let capture: Capture = meta.capture(file("screen.ansi"));
    Look::at(&Screen::from_capture(&capture), adapter_for(kind))
}
