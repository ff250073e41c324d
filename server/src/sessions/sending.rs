//! Chat messages: each typed once, whatever the network does, and seen to be taken.
//!
//! A page repeats a message it got no reply to, with the same key. While the first is still being typed the repetition waits
//! for the same outcome; afterwards, and after a restart, the store knows what became of it.

use adapters::{
    Keystroke, Reading,
    layout::squash,
    reading::Look,
    send::{Action, Delivery, NotSent},
};
use shared_types::{ErrorCode, Message, MessageBody, MessageRole, WireError};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    refuse::{from_not_sent, from_pane, from_store, refuse, session_busy},
    task::{AFTER_KEYS, Life, Reply, SessionTask},
    typing::Activity,
};
use crate::{
    clock::now_millis,
    store::{Place, SentMessage},
};

/// How many may wait for the outcome of one message. A page repeats once a connection; one more is told to come again.
const WAITING: usize = 16;
/// How many messages are told as queued by the CLI; of more the oldest are told.
const QUEUED: usize = 20;
/// How many messages whose fate is not known are looked for in the composer.
const LEFT_LIMIT: usize = 8;
/// How many messages are looked through for one that may have been taken before a restart.
const LOOK_BACK: u32 = 50;

/// A message on its way.
pub(super) struct Outgoing {
    text: String,
    delivery: Delivery,
    key: Option<Uuid>,
    /// Whoever wants to know what comes of it.
    replies: Vec<Reply>,
    /// True once the store knows that it is being typed.
    noted: bool,
    /// True when the CLI worked as Enter was pressed: it then waits in the CLI's own queue.
    queues: bool,
}

impl Outgoing {
    pub(super) fn reply(self, result: &Result<(), WireError>) {
        for reply in self.replies {
            // The phone may be gone; what was done stays done.
            let _ = reply.send(result.clone());
        }
    }
}

impl SessionTask {
    pub(super) async fn send_text(&mut self, text: String, key: Option<Uuid>, reply: Reply) -> Life {
        if let (Some(key), Activity::Sending(outgoing)) = (key, &mut self.activity)
            && outgoing.key == Some(key)
        {
            if outgoing.replies.len() < WAITING {
                outgoing.replies.push(reply);
            } else {
                let _ = reply.send(Err(session_busy()));
            }
            return Life::GoesOn;
        }
        let known = match key {
            Some(key) => self.became_of(key, &text).await,
            None => None,
        };
        let refusal = if let Some(result) = known {
            result
        } else if !matches!(self.activity, Activity::Idle) {
            Err(session_busy())
        } else if self.is_asked() {
            Err(from_not_sent(NotSent::DialogOpen))
        } else {
            let delivery = Delivery::new(text.clone(), self.adapter.profile().send).after(self.last_sent.clone());
            self.activity =
                Activity::Sending(Outgoing { text, delivery, key, replies: vec![reply], noted: false, queues: false });
            return self.look().await;
        };
        let _ = reply.send(refusal);
        Life::GoesOn
    }

    /// What became of a message that was sent before; nothing when it was not.
    async fn became_of(&self, key: Uuid, text: &str) -> Option<Result<(), WireError>> {
        match self.store.sent_message(self.record.id, key).await {
            Err(error) => Some(Err(from_store(&error))),
            Ok(None) => None,
            Ok(Some(SentMessage { taken: true, .. })) => Some(Ok(())),
            Ok(Some(SentMessage { at, .. })) if self.was_said(text, at).await => Some(Ok(())),
            Ok(Some(_)) => {
                let message = "the server was stopped while this was typed: look whether it has arrived";
                Some(Err(refuse(ErrorCode::NotTaken, message)))
            }
        }
    }

    /// Whether the conversation shows a message of the person's since then.
    async fn was_said(&self, text: &str, since: u64) -> bool {
        let Ok(page) = self.store.messages(self.record.id, Place::Newest, LOOK_BACK).await else { return false };
        page.messages.iter().any(|message| message.at >= since && said(message).as_deref() == Some(&*squash(text)))
    }

    /// Takes a message one look further.
    pub(super) async fn drive_message(&mut self, mut outgoing: Outgoing, look: &Look, now: Instant) {
        let delivery = &mut outgoing.delivery;
        let entered = delivery.has_entered();
        let action = if self.is_asked() { delivery.on_dialog() } else { delivery.on_look(look, now.into_std()) };
        if !entered && delivery.has_entered() {
            outgoing.queues = matches!(look.reading, Reading::Busy { .. });
        }
        match action {
            Action::Press(keys) => {
                if let Err(error) = self.note_begun(&mut outgoing).await {
                    return outgoing.reply(&Err(error));
                }
                if let Some(text) = keys.iter().find_map(Keystroke::pasted) {
                    self.note_typed(text.to_owned());
                }
                match self.pane.press(&keys).await {
                    Ok(()) => {
                        self.activity = Activity::Sending(outgoing);
                        self.look_by(Instant::now() + AFTER_KEYS);
                    }
                    Err(error) => outgoing.reply(&Err(from_pane(&error))),
                }
            }
            Action::Wait(until) => {
                self.activity = Activity::Sending(outgoing);
                self.look_by(Instant::from_std(until));
            }
            Action::Taken => {
                let before = self.last_sent.len().saturating_sub(1);
                self.last_sent.drain(..before);
                if let Some(key) = outgoing.key
                    && let Err(error) = self.store.message_taken(key).await
                {
                    tracing::error!(%error, "cannot write down that a message was taken");
                }
                if outgoing.queues && self.view.queued.len() < QUEUED {
                    self.view.queued.push(outgoing.text.clone());
                    self.tell();
                }
                outgoing.reply(&Ok(()));
            }
            Action::Refused(why) => {
                if let Some(key) = outgoing.key.filter(|_| outgoing.noted)
                    && let Err(error) = self.store.message_not_sent(key).await
                {
                    tracing::error!(%error, "cannot write down that a message was not sent");
                }
                outgoing.reply(&Err(from_not_sent(why)));
            }
        }
    }

    /// Remembers what was put into the composer: should it be left there, it is ours to take away.
    pub(super) fn note_typed(&mut self, text: String) {
        self.last_sent.push(text);
        let too_many = self.last_sent.len().saturating_sub(LEFT_LIMIT);
        self.last_sent.drain(..too_many);
    }

    /// Written down before the first key: what cannot be remembered is not typed.
    async fn note_begun(&mut self, outgoing: &mut Outgoing) -> Result<(), WireError> {
        if let Some(key) = outgoing.key.filter(|_| !outgoing.noted) {
            let noted = self.store.begin_message(self.record.id, key, &outgoing.text, now_millis()).await;
            noted.map_err(|error| from_store(&error))?;
            outgoing.noted = true;
        }
        Ok(())
    }

    /// The conversation shows a message: it no longer waits. Some CLIs join all that wait into one.
    pub(super) fn queue_has_moved(&mut self, message: &Message) {
        let Some(said) = said(message) else { return };
        let before = self.view.queued.len();
        self.view.queued.retain(|text| !said.contains(&squash(text)));
        if self.view.queued.len() != before {
            self.tell();
        }
    }

    /// A CLI that waits for a message has nothing left in its queue.
    pub(super) fn queue_is_over(&mut self) {
        if !self.view.queued.is_empty() {
            self.view.queued.clear();
            self.tell();
        }
    }
}

/// What the person said in a message, without its line breaks.
fn said(message: &Message) -> Option<String> {
    match &message.body {
        MessageBody::Text { text, .. } if message.role == MessageRole::User => Some(squash(text)),
        _ => None,
    }
}
