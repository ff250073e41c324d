//! What is typed besides answers: chat messages, mode switches, interrupts. One at a time, each driven look by look.
//!
//! A page repeats a message it got no reply to, with the same key. While the first is still being typed the repetition waits
//! for the same outcome; afterwards, and after a restart, the store knows what became of it.

use std::time::Duration;

use adapters::{
    Adapter, Keystroke, Reading,
    layout::squash,
    mode::{self, Switch},
    reading::Look,
    send::{Action, Delivery, NotSent},
};
use answerback_ledger::AFTER_KEYS;
use shared_types::{Actor, PermissionMode, SessionId};
use tokio::time::Instant;
use uuid::Uuid;

use super::{SendError, SessionError, facts::mode_fact, screen_watch::ScreenWatch, task::Reply, view::said};
use crate::{
    clock::now_millis,
    journal::Fact,
    pane::Press,
    store::{Place, SentMessage, Store},
};

/// How many may wait for the outcome of one message. A page repeats once a connection; one more is refused as busy.
const WAITING: usize = 16;
/// How many messages whose fate is not known are looked for in the composer.
const LEFT_LIMIT: usize = 8;
/// How many messages are looked through for one that may have been taken before a restart.
const LOOK_BACK: u32 = 50;

/// How long after one key of an interrupt the next is pressed: opencode takes two Escapes at once for another key, and two within
/// five seconds for an interrupt.
const BETWEEN_KEYS: Duration = Duration::from_millis(200);

/// Types messages, mode switches and interrupts.
pub(super) struct Typist {
    work: Work,
    /// The last message that was taken, and those typed since of which nobody knows whether they are in the composer.
    last_sent: Vec<String>,
    /// When to look again.
    deadline: Option<Instant>,
}

/// What the typist needs of its session.
pub(super) struct Desk<'a> {
    pub(super) session: SessionId,
    pub(super) adapter: &'static dyn Adapter,
    pub(super) store: &'a Store,
    pub(super) watch: &'a ScreenWatch,
    /// True while a dialog may be drawn at any moment.
    pub(super) expects_dialog: bool,
    /// True while an answer is being typed, so that nothing else may be.
    pub(super) answering: bool,
}

enum Work {
    Idle,
    Sending(Outgoing),
    /// The keys that go on to another permission mode.
    Switching {
        switch: Switch,
        wanted: ModeWanted,
    },
    /// The keys that stop the CLI's work, once it is seen that no dialog would take them.
    Interrupting {
        reply: Reply,
        /// Those that are still to be pressed.
        keys: &'static [Keystroke],
        not_before: Instant,
    },
}

/// Another permission mode is wanted.
pub(super) struct ModeWanted {
    pub(super) mode: PermissionMode,
    pub(super) by: Actor,
    pub(super) reply: Reply,
}

/// A message on its way.
struct Outgoing {
    text: String,
    delivery: Delivery,
    key: Option<Uuid>,
    /// Whoever wants to know what comes of it.
    replies: Vec<Reply>,
    /// True once the store knows that it is being typed.
    noted: bool,
    /// True once keys were pressed, or may have been.
    typed: bool,
    /// True when the CLI worked as Enter was pressed: it then waits in the CLI's own queue.
    queues: bool,
}

impl Outgoing {
    fn reply(self, result: &Result<(), SessionError>) {
        for reply in self.replies {
            // The phone may be gone; what was done stays done.
            let _ = reply.send(result.clone());
        }
    }
}

impl Typist {
    /// `last_sent` are messages that were being typed when the server last ran.
    pub(super) fn new(last_sent: Vec<String>) -> Self {
        Self { work: Work::Idle, last_sent, deadline: None }
    }

    pub(super) fn is_typing(&self) -> bool {
        !matches!(self.work, Work::Idle)
    }

    pub(super) fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Begins to send a message, or joins the same one that is under way. False when nothing has begun.
    pub(super) async fn send(&mut self, text: String, key: Option<Uuid>, reply: Reply, desk: &Desk<'_>) -> bool {
        if let (Some(key), Work::Sending(outgoing)) = (key, &mut self.work)
            && outgoing.key == Some(key)
        {
            if outgoing.replies.len() < WAITING {
                outgoing.replies.push(reply);
            } else {
                let _ = reply.send(Err(SessionError::Busy));
            }
            return false;
        }
        let known = match key {
            Some(key) => lookup_sent(desk, key, &text).await,
            None => None,
        };
        let refusal = if let Some(result) = known {
            result
        } else if desk.answering || self.is_typing() {
            Err(SessionError::Busy)
        } else if desk.expects_dialog {
            Err(SendError::NotSent(NotSent::DialogOpen).into())
        } else {
            let delivery = Delivery::new(text.clone(), desk.adapter.profile().send).after(self.last_sent.clone());
            let replies = vec![reply];
            let outgoing = Outgoing { text, delivery, key, replies, noted: false, typed: false, queues: false };
            self.work = Work::Sending(outgoing);
            return true;
        };
        let _ = reply.send(refusal);
        false
    }

    /// Begins to switch the mode. False when it cannot.
    pub(super) fn switch(&mut self, wanted: ModeWanted, desk: &Desk<'_>) -> bool {
        let profile = desk.adapter.profile();
        let refusal = if profile.next_mode.is_empty() {
            SessionError::BadValue(format!("{} cannot change its mode while it runs", profile.name))
        } else if desk.answering || self.is_typing() {
            SessionError::Busy
        } else if desk.expects_dialog {
            SendError::NotSent(NotSent::DialogOpen).into()
        } else {
            self.work = Work::Switching { switch: Switch::new(wanted.mode, profile.next_mode), wanted };
            return true;
        };
        let _ = wanted.reply.send(Err(refusal));
        false
    }

    /// Begins to interrupt the CLI's work. False when it cannot.
    pub(super) fn interrupt(&mut self, reply: Reply, desk: &Desk<'_>) -> bool {
        if desk.answering || self.is_typing() {
            let _ = reply.send(Err(SessionError::Busy));
            return false;
        }
        self.work = Work::Interrupting { reply, keys: desk.adapter.profile().interrupt, not_before: Instant::now() };
        true
    }

    /// The terminal does not answer, or the session is over: fails what is under way.
    pub(super) fn fail(&mut self, error: &SessionError) {
        match std::mem::replace(&mut self.work, Work::Idle) {
            Work::Idle => {}
            Work::Sending(outgoing) => {
                let error = match error {
                    SessionError::Unreachable(why) if outgoing.typed => SendError::Unknown(why.clone()).into(),
                    SessionError::Unreachable(why) => SendError::Unreachable(why.clone()).into(),
                    other => other.clone(),
                };
                outgoing.reply(&Err(error));
            }
            Work::Switching { wanted: ModeWanted { reply, .. }, .. } | Work::Interrupting { reply, .. } => {
                let _ = reply.send(Err(error.clone()));
            }
        }
        self.deadline = None;
    }

    /// Takes what is being typed one look further. Returns a message that the CLI has put into its own queue.
    pub(super) async fn on_look(&mut self, look: &Look, desk: &Desk<'_>) -> Option<String> {
        self.deadline = None;
        let now = Instant::now();
        match std::mem::replace(&mut self.work, Work::Idle) {
            Work::Idle => None,
            Work::Sending(outgoing) => self.drive_message(outgoing, look, desk, now).await,
            Work::Switching { switch, wanted } => {
                self.drive_switch(switch, wanted, look, desk, now).await;
                None
            }
            Work::Interrupting { reply, keys, not_before } => {
                self.drive_interrupt(reply, keys, not_before, look, desk, now).await;
                None
            }
        }
    }

    async fn drive_message(
        &mut self,
        mut outgoing: Outgoing,
        look: &Look,
        desk: &Desk<'_>,
        now: Instant,
    ) -> Option<String> {
        let delivery = &mut outgoing.delivery;
        let entered = delivery.has_entered();
        let action = if desk.expects_dialog { delivery.on_dialog() } else { delivery.on_look(look, now.into_std()) };
        if !entered && delivery.has_entered() {
            outgoing.queues = matches!(look.reading, Reading::Busy { .. });
        }
        match action {
            Action::Press(keys) => self.press_message(outgoing, &keys, desk).await,
            Action::Wait(until) => {
                self.work = Work::Sending(outgoing);
                self.deadline = Some(Instant::from_std(until));
            }
            Action::Taken => {
                let before = self.last_sent.len().saturating_sub(1);
                self.last_sent.drain(..before);
                let sent = Fact::message_sent(desk.session, &outgoing.text, now_millis());
                let written = match outgoing.key {
                    Some(key) => desk.store.message_taken(key, vec![sent]).await,
                    None => desk.store.record(vec![sent]).await,
                };
                if let Err(error) = written {
                    tracing::error!(%error, "cannot write down that a message was taken");
                }
                let queued = outgoing.queues.then(|| outgoing.text.clone());
                outgoing.reply(&Ok(()));
                return queued;
            }
            Action::Refused(why) => not_sent(outgoing, SendError::NotSent(why), desk).await,
        }
        None
    }

    async fn press_message(&mut self, mut outgoing: Outgoing, keys: &[Keystroke], desk: &Desk<'_>) {
        // Written down before the first key: what cannot be remembered is not typed.
        if let Some(key) = outgoing.key.filter(|_| !outgoing.noted) {
            if let Err(error) = desk.store.begin_message(desk.session, key, &outgoing.text, now_millis()).await {
                return outgoing.reply(&Err(error.into()));
            }
            outgoing.noted = true;
        }
        if let Some(text) = keys.iter().find_map(Keystroke::pasted) {
            self.note_typed(text.to_owned());
        }
        match desk.watch.press(keys).await {
            Press::Pressed => {
                outgoing.typed = true;
                self.work = Work::Sending(outgoing);
                self.deadline = Some(Instant::now() + AFTER_KEYS);
            }
            Press::NotPressed(error) if !outgoing.typed => {
                not_sent(outgoing, SendError::Unreachable(error.to_string()), desk).await;
            }
            Press::NotPressed(error) | Press::Unknown(error) => {
                outgoing.reply(&Err(SendError::Unknown(error.to_string()).into()));
            }
        }
    }

    async fn drive_switch(
        &mut self,
        mut switch: Switch,
        wanted: ModeWanted,
        look: &Look,
        desk: &Desk<'_>,
        now: Instant,
    ) {
        match switch.on_look(&look.reading, now.into_std()) {
            mode::Action::Press(keys) => match desk.watch.press(&keys).await.into_result() {
                Ok(()) => {
                    self.work = Work::Switching { switch, wanted };
                    self.deadline = Some(Instant::now() + AFTER_KEYS);
                }
                Err(error) => {
                    let _ = wanted.reply.send(Err(error.into()));
                }
            },
            mode::Action::Wait(until) => {
                self.work = Work::Switching { switch, wanted };
                self.deadline = Some(Instant::from_std(until));
            }
            mode::Action::Switched => {
                let changed = mode_fact(desk.session, wanted.mode, now_millis()).by(wanted.by);
                if let Err(error) = desk.store.record(vec![changed]).await {
                    tracing::error!(%error, "cannot write the journal");
                }
                let _ = wanted.reply.send(Ok(()));
            }
            mode::Action::Refused(why) => {
                let _ = wanted.reply.send(Err(why.into()));
            }
        }
    }

    /// One key after the other: two that come at once would be another key. A dialog that opens in between keeps the rest out.
    async fn drive_interrupt(
        &mut self,
        reply: Reply,
        keys: &'static [Keystroke],
        not_before: Instant,
        look: &Look,
        desk: &Desk<'_>,
        now: Instant,
    ) {
        if now < not_before {
            self.work = Work::Interrupting { reply, keys, not_before };
            self.deadline = Some(not_before);
            return;
        }
        let has_begun = keys.len() < desk.adapter.profile().interrupt.len();
        let keys = if has_begun { keys } else { desk.adapter.interrupt(&look.reading) };
        let (result, rest) = match keys.split_at_checked(1) {
            _ if look.reading.insists() => (Err(SessionError::DialogOpen), keys),
            // The first key was enough, or the work has ended by itself.
            _ if has_begun && look.reading.awaiting().is_some() => (Ok(()), &[][..]),
            Some((key, rest)) => (desk.watch.press(key).await.into_result().map_err(SessionError::from), rest),
            None => (Ok(()), keys),
        };
        if result.is_ok() && !rest.is_empty() {
            let not_before = Instant::now() + BETWEEN_KEYS;
            self.work = Work::Interrupting { reply, keys: rest, not_before };
            self.deadline = Some(not_before);
            return;
        }
        let _ = reply.send(result);
        self.deadline = Some(now + AFTER_KEYS);
    }

    /// Remembers what was put into the composer: should it be left there, it is ours to take away.
    pub(super) fn note_typed(&mut self, text: String) {
        self.last_sent.push(text);
        let too_many = self.last_sent.len().saturating_sub(LEFT_LIMIT);
        self.last_sent.drain(..too_many);
    }
}

/// Nothing was typed, or the CLI is seen not to have taken it: the same message may be sent again.
async fn not_sent(outgoing: Outgoing, error: SendError, desk: &Desk<'_>) {
    if let Some(key) = outgoing.key.filter(|_| outgoing.noted)
        && let Err(error) = desk.store.message_not_sent(key).await
    {
        tracing::error!(%error, "cannot write down that a message was not sent");
    }
    outgoing.reply(&Err(error.into()));
}

/// What became of a message that was sent before; nothing when it was not.
async fn lookup_sent(desk: &Desk<'_>, key: Uuid, text: &str) -> Option<Result<(), SessionError>> {
    match desk.store.sent_message(desk.session, key).await {
        Err(error) => Some(Err(error.into())),
        Ok(None) => None,
        Ok(Some(SentMessage { taken: true, .. })) => Some(Ok(())),
        Ok(Some(SentMessage { at, .. })) if was_said(desk, text, at).await => Some(Ok(())),
        Ok(Some(_)) => Some(Err(SendError::Interrupted.into())),
    }
}

/// Whether the conversation shows a message of the person's since then.
async fn was_said(desk: &Desk<'_>, text: &str, since: u64) -> bool {
    let Ok(page) = desk.store.messages(desk.session, Place::Newest, LOOK_BACK).await else { return false };
    page.messages.iter().any(|message| message.at >= since && said(message).as_deref() == Some(&*squash(text)))
}
