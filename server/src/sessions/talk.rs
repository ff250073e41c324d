//! The conversation: lines of the CLI's transcript become messages in the store and on every phone.

use adapters::{TranscriptEntry, transcript};
use shared_types::{Event, Message, MessageBody, MessageId, MessageRole, Usage};
use uuid::Uuid;

use super::{
    taken::{Taken, to_tell},
    task::SessionTask,
};
use crate::{clock::now_millis, transcripts::Lines};

/// How long the line in a list may be.
const LAST_LINE_LIMIT: usize = 200;

impl SessionTask {
    /// Takes over lines of the transcript: stored first, then told. What is known already is not told again.
    pub(super) async fn on_lines(&mut self, batch: Lines) {
        let session_id = self.record.id;
        let mut taken = Taken::default();
        let mut usage = None;
        for entry in batch.lines.iter().flat_map(|line| self.adapter.read_transcript(line)) {
            match entry {
                TranscriptEntry::Message(message) => {
                    self.streaming.retain(|(id, _)| *id != message.id);
                    if is_streaming(&message) {
                        self.streaming.push((message.id.clone(), message.clone()));
                    }
                    self.queue_has_moved(&message);
                    taken.message(session_id, message);
                }
                TranscriptEntry::Delta { id, text } => {
                    let Some(message) = self.extend_message(&id, &text).await else { continue };
                    taken.delta(session_id, message, text);
                }
                TranscriptEntry::Result { id, result } => {
                    let Some(mut message) = self.find_message(&taken, &id).await else { continue };
                    transcript::join(&mut message, result);
                    taken.again(session_id, message);
                }
                TranscriptEntry::Image { info, base64 } => taken.image(info, &base64),
                TranscriptEntry::Usage(newer) => usage.get_or_insert_with(Usage::default).update(newer),
            }
        }
        self.record.transcript_offset = batch.offset;
        for event in self.write_down(taken, batch.offset).await {
            self.bus.publish(event);
        }
        if let Some(usage) = usage {
            self.note_usage(usage).await;
        }
        self.note_messages().await;
    }

    /// Stores what was taken over, and says what is to be told of it.
    async fn write_down(&self, taken: Taken, offset: u64) -> Vec<Event> {
        let session_id = self.record.id;
        let Taken { messages, images, events, .. } = taken;
        if !images.is_empty()
            && let Err(error) = self.store.put_images(session_id, images).await
        {
            tracing::error!(%error, "cannot keep pictures");
        }
        match self.store.put_messages(session_id, messages, offset).await {
            Ok(changed) => to_tell(session_id, events, &changed),
            Err(error) => {
                tracing::error!(%error, "cannot write down messages");
                events
            }
        }
    }

    /// The message a later line speaks of: just read, or read before.
    async fn find_message(&self, taken: &Taken, id: &MessageId) -> Option<Message> {
        if let Some(message) = taken.find(id) {
            return Some(message.clone());
        }
        self.store.message(self.record.id, id.clone()).await.ok().flatten()
    }

    /// Keeps what the conversation has used; it is told with the other details of the session.
    async fn note_usage(&mut self, newer: Usage) {
        let mut usage = self.view.usage.clone().unwrap_or_default();
        usage.update(newer);
        if self.view.usage.as_ref() == Some(&usage) {
            return;
        }
        if let Err(error) = self.store.set_usage(self.record.id, &usage).await {
            tracing::error!(%error, "cannot write down what a conversation has used");
        }
        self.record.usage = Some(usage.clone());
        self.set_usage(usage);
    }

    /// Something we did ourselves, said in the conversation.
    pub(super) async fn note(&mut self, text: String) {
        let message = Message {
            id: MessageId(Uuid::now_v7().to_string()),
            role: MessageRole::System,
            at: now_millis(),
            body: MessageBody::Notice { text },
            agent: None,
            images: None,
        };
        let session_id = self.record.id;
        let stored = self.store.put_messages(session_id, vec![message.clone()], self.record.transcript_offset).await;
        if let Err(error) = stored {
            tracing::error!(%error, "cannot write down a notice");
        }
        self.bus.publish(Event::Message { session_id, message });
        self.note_messages().await;
    }

    /// Appends to a message that is still being written, wherever it was begun.
    async fn extend_message(&mut self, id: &MessageId, more: &str) -> Option<Message> {
        if !self.streaming.iter().any(|(known, _)| known == id) {
            let stored = self.store.message(self.record.id, id.clone()).await.ok().flatten()?;
            self.streaming.push((id.clone(), stored));
        }
        let (_, message) = self.streaming.iter_mut().find(|(known, _)| known == id)?;
        if let MessageBody::Text { text, .. } | MessageBody::Thinking { text } = &mut message.body {
            text.push_str(more);
        }
        Some(message.clone())
    }

    /// Keeps the count and the line that a list shows.
    async fn note_messages(&mut self) {
        let Ok((count, last)) = self.store.message_tail(self.record.id).await else { return };
        self.set_last_line(&last.as_ref().map(last_line).unwrap_or_default());
        if self.view.message_count != count {
            self.view.message_count = count;
            self.tell();
        }
        self.tell_when_due();
    }
}

fn is_streaming(message: &Message) -> bool {
    matches!(message.body, MessageBody::Text { streaming: true, .. })
}

/// The last line of a message that says something.
pub(super) fn last_line(message: &Message) -> String {
    let text = match &message.body {
        MessageBody::Text { text, .. } | MessageBody::Thinking { text } | MessageBody::Notice { text } => text,
        MessageBody::Tool { summary, .. } => summary,
    };
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(LAST_LINE_LIMIT).collect()
}
