//! The conversation of a session: lines of the CLI's transcript become messages in the store and on every phone.

use std::{path::PathBuf, sync::Arc, time::Duration};

use adapters::{Adapter, TranscriptEntry, hook::Detail, transcript};
use shared_types::{Event, Message, MessageBody, MessageId, MessageRole, Millis, PromptId, SessionId, Usage};
use tokio::time::{Instant, timeout_at};
use uuid::Uuid;

use super::{
    message_batch::{MessageBatch, to_publish},
    transcript_source::{News, Source},
    turn_files::TurnFiles,
    view::SessionView,
};
use crate::{
    bus::Bus,
    clock::now_millis,
    conversations::Shelves,
    pane::Pane,
    store::{SessionRecord, Store},
    transcripts::{Lines, Transcripts},
};

/// How long the line in a list may be.
const LAST_LINE_LIMIT: usize = 200;
/// After so much silence a CLI that has ended has said all; what it wrote is there before it is gone.
const SILENCE: Duration = Duration::from_millis(100);
/// How long the end of a session is put off at most.
const DRAIN_LIMIT: Duration = Duration::from_secs(2);

/// How often the CLI's record is read for one prompt: the call may be written a moment after its dialog is drawn.
const RECORD_TRIES: u8 = 5;
/// How much of its end is read.
const RECORD_TAIL: u64 = 1024 * 1024;

/// Reads one session's conversation.
pub(super) struct Conversation {
    /// What is stored of the session: where its transcript is, and how far it was read.
    record: SessionRecord,
    adapter: &'static dyn Adapter,
    source: Source,
    /// Messages that are still being written.
    streaming: Vec<(MessageId, Message)>,
    /// The prompt for which the record was read, and how often.
    asked_record: Option<(PromptId, u8)>,
    turn: TurnFiles,
    pane: Arc<dyn Pane>,
    store: Store,
    bus: Arc<Bus>,
    transcripts: Transcripts,
    shelves: Shelves,
}

/// What a conversation needs from the server.
pub(super) struct ConversationDeps {
    pub(super) store: Store,
    pub(super) bus: Arc<Bus>,
    pub(super) transcripts: Transcripts,
    pub(super) shelves: Shelves,
}

impl Conversation {
    pub(super) fn new(
        record: SessionRecord,
        adapter: &'static dyn Adapter,
        pane: Arc<dyn Pane>,
        deps: ConversationDeps,
    ) -> Self {
        let ConversationDeps { store, bus, transcripts, shelves } = deps;
        let source = Source::of(&record, &transcripts, &shelves, &store, &pane);
        Self {
            record,
            adapter,
            source,
            streaming: Vec::new(),
            asked_record: None,
            turn: TurnFiles::default(),
            pane,
            store,
            bus,
            transcripts,
            shelves,
        }
    }

    /// What the transcript tells next; never, when there is none.
    pub(super) async fn next(&mut self) -> News {
        self.source.next().await
    }

    /// Takes what the transcript tells. True when a tool has come to a result.
    pub(super) async fn on_news(&mut self, news: News, view: &mut SessionView) -> bool {
        match news {
            News::Lines(lines) => self.on_lines(lines, view).await,
            // How far the conversation's own file was read does not change by it.
            News::AgentLines(lines) => {
                self.on_lines(Lines { offset: self.record.transcript_offset, ..lines }, view).await
            }
            News::Found(found) => {
                self.follow(found.id, found.file, view).await;
                false
            }
        }
    }

    /// The files that the CLI is known to have changed since the last message to it.
    pub(super) fn changed_files(&self) -> Vec<String> {
        self.turn.paths().to_vec()
    }

    /// The calls whose result the CLI has written down since then.
    pub(super) async fn ended_calls(&self, since: Millis) -> Vec<Detail> {
        let Some(path) = self.record.transcript.clone() else { return Vec::new() };
        let adapter = self.adapter;
        read_record(path, move |lines| adapter.ended_calls(lines, since)).await
    }

    /// The calls that the CLI has written down and that have no result yet, for a prompt that its screen shows cut. Asked for
    /// a prompt a few times only: what is not there by then does not come.
    pub(super) async fn pending_calls(&mut self, prompt: PromptId) -> Vec<Detail> {
        let tries = match self.asked_record {
            Some((of, tries)) if of == prompt => tries,
            _ => 0,
        };
        let Some(path) = self.record.transcript.clone().filter(|_| tries < RECORD_TRIES) else { return Vec::new() };
        self.asked_record = Some((prompt, tries + 1));
        let adapter = self.adapter;
        read_record(path, move |lines| adapter.pending_calls(lines)).await
    }

    /// Reads what the CLI wrote last, before its session is over.
    pub(super) async fn drain(&mut self, view: &mut SessionView) {
        if self.source.is_nowhere() {
            return;
        }
        let ends = Instant::now() + DRAIN_LIMIT;
        while let Ok(news) = timeout_at(ends.min(Instant::now() + SILENCE), self.source.next()).await {
            self.on_news(news, view).await;
        }
    }

    /// The session is in this conversation now: its file is read from the start, and what was said before stays.
    pub(super) async fn follow(&mut self, cli_session_id: String, transcript: PathBuf, view: &mut SessionView) {
        let same = self.record.transcript.as_ref() == Some(&transcript);
        if same && self.record.cli_session_id.as_ref() == Some(&cli_session_id) {
            return;
        }
        let is_another = self.record.transcript.is_some()
            && self.record.cli_session_id.as_ref().is_some_and(|known| *known != cli_session_id);
        let stored = self.store.set_conversation(self.record.id, cli_session_id.clone(), &transcript).await;
        if let Err(error) = stored {
            // It is followed all the same; after a restart it is looked for again.
            tracing::error!(%error, "cannot write down which conversation a session is in");
        }
        self.streaming.clear();
        self.record.cli_session_id = Some(cli_session_id.clone());
        self.record.transcript = Some(transcript);
        self.record.transcript_offset = 0;
        self.source = Source::of(&self.record, &self.transcripts, &self.shelves, &self.store, &self.pane);
        view.set_conversation(cli_session_id);
        if is_another {
            self.append_notice("Another conversation begins here.".to_owned(), view).await;
        }
    }

    /// Takes over lines of the transcript: stored first, then published. What is known already is not published again.
    async fn on_lines(&mut self, lines: Lines, view: &mut SessionView) -> bool {
        let session_id = self.record.id;
        let mut batch = MessageBatch::default();
        let (mut usage, mut has_result) = (None, false);
        for entry in lines.lines.iter().flat_map(|line| self.adapter.read_transcript(line)) {
            match entry {
                TranscriptEntry::Message(message) => {
                    self.streaming.retain(|(id, _)| *id != message.id);
                    if is_streaming(&message) {
                        self.streaming.push((message.id.clone(), message.clone()));
                    }
                    view.unqueue(&message);
                    self.turn.note(&message);
                    batch.message(session_id, message);
                }
                TranscriptEntry::Delta { id, text } => {
                    let Some(message) = self.extend_message(&id, &text).await else { continue };
                    batch.delta(session_id, message, text);
                }
                TranscriptEntry::Result { id, result } => {
                    has_result = true;
                    let Some(mut message) = self.find_message(&batch, &id).await else { continue };
                    transcript::join(&mut message, result);
                    batch.again(session_id, message);
                }
                TranscriptEntry::Image { info, base64 } => batch.image(info, &base64),
                TranscriptEntry::Usage(newer) => usage.get_or_insert_with(Usage::default).update(newer),
            }
        }
        self.record.transcript_offset = lines.offset;
        for event in self.write(batch, lines.offset).await {
            self.bus.publish(event);
        }
        if let Some(usage) = usage {
            self.note_usage(usage, view).await;
        }
        self.note_messages(view).await;
        has_result
    }

    /// Stores a batch, and says what is to be published of it.
    async fn write(&self, batch: MessageBatch, offset: u64) -> Vec<Event> {
        let session_id = self.record.id;
        let MessageBatch { messages, images, events, .. } = batch;
        if !images.is_empty()
            && let Err(error) = self.store.put_images(session_id, images).await
        {
            tracing::error!(%error, "cannot store pictures");
        }
        match self.store.put_messages(session_id, messages, offset).await {
            Ok(changed) => to_publish(session_id, events, &changed),
            Err(error) => {
                tracing::error!(%error, "cannot store messages");
                events
            }
        }
    }

    /// The message a later line speaks of: just read, or read before.
    async fn find_message(&self, batch: &MessageBatch, id: &MessageId) -> Option<Message> {
        if let Some(message) = batch.find(id) {
            return Some(message.clone());
        }
        self.store.message(self.record.id, id.clone()).await.ok().flatten()
    }

    /// Stores what the conversation has used; it is published with the other details of the session.
    async fn note_usage(&mut self, newer: Usage, view: &mut SessionView) {
        let mut usage = view.get().usage.clone().unwrap_or_default();
        usage.update(newer);
        if view.get().usage.as_ref() == Some(&usage) {
            return;
        }
        if let Err(error) = self.store.set_usage(self.record.id, &usage).await {
            tracing::error!(%error, "cannot store what a conversation has used");
        }
        self.record.usage = Some(usage.clone());
        view.set_usage(usage);
    }

    /// Something we did ourselves, said in the conversation.
    pub(super) async fn append_notice(&mut self, text: String, view: &mut SessionView) {
        self.append(MessageBody::Notice { text }, view).await;
    }

    /// Adds something of our own to the conversation.
    pub(super) async fn append(&mut self, body: MessageBody, view: &mut SessionView) {
        let message = Message {
            id: MessageId(Uuid::now_v7().to_string()),
            role: MessageRole::System,
            at: now_millis(),
            body,
            agent: None,
            images: None,
        };
        let session_id = self.record.id;
        let stored = self.store.put_messages(session_id, vec![message.clone()], self.record.transcript_offset).await;
        if let Err(error) = stored {
            tracing::error!(%error, "cannot store a notice");
        }
        self.bus.publish(Event::Message { session_id, message });
        self.note_messages(view).await;
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
    async fn note_messages(&self, view: &mut SessionView) {
        let Ok((count, last)) = self.store.message_tail(self.session()).await else { return };
        view.set_last_line(&last.as_ref().map(last_line).unwrap_or_default());
        view.set_message_count(count);
        view.publish_when_due();
    }

    fn session(&self) -> SessionId {
        self.record.id
    }
}

/// Reads the end of the CLI's own record.
async fn read_record(path: PathBuf, read: impl FnOnce(&[&str]) -> Vec<Detail> + Send + 'static) -> Vec<Detail> {
    let read = tokio::task::spawn_blocking(move || {
        let tail = read_tail(&path).unwrap_or_default();
        read(&tail.lines().collect::<Vec<_>>())
    });
    read.await.unwrap_or_default()
}

/// The end of a file, from the first whole line in it.
fn read_tail(path: &std::path::Path) -> std::io::Result<String> {
    use std::io::{Read as _, Seek as _, SeekFrom};
    let mut file = std::fs::File::open(path)?;
    let length = file.metadata()?.len();
    let start = length.saturating_sub(RECORD_TAIL);
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::new();
    file.take(RECORD_TAIL).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(if start == 0 { text } else { text.split_once('\n').map(|(_, rest)| rest.to_owned()).unwrap_or_default() })
}

fn is_streaming(message: &Message) -> bool {
    matches!(message.body, MessageBody::Text { streaming: true, .. })
}

/// The last line of a message that says something.
pub(super) fn last_line(message: &Message) -> String {
    let text = match &message.body {
        MessageBody::Text { text, .. } | MessageBody::Thinking { text } | MessageBody::Notice { text } => text,
        MessageBody::Tool { summary, .. } => summary,
        MessageBody::Automatic { asked, .. } => asked,
    };
    let line = text.lines().rev().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    line.chars().take(LAST_LINE_LIMIT).collect()
}
