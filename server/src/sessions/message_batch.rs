//! One batch of transcript lines: messages and pictures to be stored, and events to be published once they are.

use std::collections::{HashMap, HashSet};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use shared_types::{Event, ImageInfo, Message, MessageId, SessionId};

use crate::store::StoredImage;

/// More new messages than this at once are history, as when an old conversation is resumed: pages learn
/// that there are many, and fetch those they show.
const MANY: usize = 100;

/// The messages of one batch.
#[derive(Debug, Default)]
pub(super) struct MessageBatch {
    /// The messages, each once, as they are in the end.
    pub(super) messages: Vec<Message>,
    /// The pictures they name.
    pub(super) images: Vec<StoredImage>,
    /// What happened, in order.
    pub(super) events: Vec<Event>,
    /// Where a message is among the messages.
    places: HashMap<MessageId, usize>,
    /// Where the event with the whole message is.
    told: HashMap<MessageId, usize>,
}

impl MessageBatch {
    /// A message is new, or replaces the one with its id.
    pub(super) fn message(&mut self, session_id: SessionId, message: Message) {
        self.told.insert(message.id.clone(), self.events.len());
        self.events.push(Event::Message { session_id, message: message.clone() });
        self.put(message);
    }

    /// A message has grown by some text.
    pub(super) fn delta(&mut self, session_id: SessionId, message: Message, text: String) {
        self.events.push(Event::MessageDelta { session_id, message_id: message.id.clone(), text });
        self.put(message);
    }

    /// More is known of a message. An event of this batch that has it whole is replaced.
    pub(super) fn again(&mut self, session_id: SessionId, message: Message) {
        match self.told.get(&message.id) {
            Some(at) => {
                self.events[*at] = Event::Message { session_id, message: message.clone() };
                self.put(message);
            }
            None => self.message(session_id, message),
        }
    }

    /// A picture; what is not valid base64 is left out.
    pub(super) fn image(&mut self, info: ImageInfo, base64: &str) {
        if let Ok(data) = BASE64_STANDARD.decode(base64) {
            self.images.push(StoredImage { id: info.id, media_type: info.media_type, data });
        }
    }

    pub(super) fn find(&self, id: &MessageId) -> Option<&Message> {
        self.messages.get(*self.places.get(id)?)
    }

    fn put(&mut self, message: Message) {
        match self.places.get(&message.id) {
            Some(at) => self.messages[*at] = message,
            None => {
                self.places.insert(message.id.clone(), self.messages.len());
                self.messages.push(message);
            }
        }
    }
}

/// What to publish: nothing that was known before, and many messages as one event.
pub(super) fn to_publish(session_id: SessionId, mut events: Vec<Event>, changed: &[MessageId]) -> Vec<Event> {
    let changed: HashSet<&MessageId> = changed.iter().collect();
    events.retain(|event| !matches!(event, Event::Message { message, .. } if !changed.contains(&message.id)));
    if changed.len() > MANY { vec![Event::ManyMessages { session_id }] } else { events }
}
