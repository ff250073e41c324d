//! The messages of the socket, in both directions.

use serde::{Deserialize, Serialize};
use ts_rs::TS;
use uuid::Uuid;

use crate::{
    Actor, AdapterInfo, AdapterKind, Alert, AnswerProgress, ChatOffer, ConversationInfo, Device, DeviceId, Finding,
    HistoryFilter, HistoryRow, HistoryStep, Insight, InteractivePrompt, Key, Message, MessageId, MessageRole, Millis,
    NotifyCommand, NotifyStatus, PairingOffer, PendingPrompt, PermissionMode, PromptId, PromptOutcome, PromptResponse,
    ReviewId, Reviewer, RulesCommand, RulesReply, RulesStatus, ScreenFrame, Session, SessionId, SlashCommand,
    StartSession,
};

/// Joins a reply to its request; chosen by the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(export_to = "protocol.ts")]
pub struct RequestId(pub u32);

/// What a page says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "protocol.ts", optional_fields)]
#[expect(clippy::large_enum_variant, reason = "read from a socket one at a time, and taken apart at once")]
pub enum ClientMessage {
    /// The first message on a socket, once.
    Hello {
        /// The page's [`crate::PROTOCOL_VERSION`].
        protocol: u32,
        /// The epoch the page was connected to before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        epoch: Option<Uuid>,
        /// The last event it saw in that epoch.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        last_seq: Option<u64>,
        /// [`crate::socket_proof`] over the nonce of the challenge; this binary's own commands need none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        proof: Option<String>,
    },
    /// Something the person wants; answered by one [`ServerMessage::Reply`].
    Request {
        /// Joins the reply.
        id: RequestId,
        /// What is wanted.
        command: Command,
    },
}

/// What a person can want.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "protocol.ts", optional_fields)]
pub enum Command {
    /// Start a session; replies [`ReplyData::Started`].
    Start {
        /// With these choices.
        start: StartSession,
    },
    /// Give a session another name.
    Rename {
        /// Which.
        session_id: SessionId,
        /// The new name.
        name: String,
    },
    /// End a session: its program is stopped.
    End {
        /// Which.
        session_id: SessionId,
    },
    /// Take an ended session off the list.
    Forget {
        /// Which.
        session_id: SessionId,
    },
    /// Send a chat message. Refused while a dialog is open; the page then keeps the draft.
    SendText {
        /// To which session.
        session_id: SessionId,
        /// The message.
        text: String,
        /// The same key sent twice is one message, across restarts of the server as well.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        idempotency_key: Option<Uuid>,
        /// Files that go with it, by the ids they got when they were handed over.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        #[ts(optional, as = "Option<Vec<String>>")]
        files: Vec<String>,
    },
    /// Press keys in a session's terminal, as they are.
    SendKeys {
        /// In which session.
        session_id: SessionId,
        /// The keys, in order.
        keys: Vec<Key>,
        /// What was asked on the screen that the person saw ([`ScreenFrame::asks`]): when something else is asked by now, no key is
        /// pressed. Absent: whatever is there.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        seen: Option<u32>,
    },
    /// Change the permission mode of a session that waits for a message; answered when the CLI shows the new one.
    SetMode {
        /// Of which session.
        session_id: SessionId,
        /// The wanted mode.
        mode: PermissionMode,
    },
    /// Stop what the CLI is doing.
    Interrupt {
        /// In which session.
        session_id: SessionId,
    },
    /// Answer a prompt. An `ok` reply means this answer won; what comes of it arrives as events.
    Respond {
        /// The answer.
        response: PromptResponse,
    },
    /// A page of a session's messages, oldest first; replies [`ReplyData::Messages`].
    Messages {
        /// Of which session.
        session_id: SessionId,
        /// Only those before this one; by default the newest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<MessageId>,
        /// Only those after this one, the nearest first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        after: Option<MessageId>,
        /// This one and those on both sides of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        around: Option<MessageId>,
        /// How many at most; the server caps it.
        limit: u32,
    },
    /// Begin to receive a session's screen.
    Watch {
        /// Of which session.
        session_id: SessionId,
    },
    /// Stop receiving it.
    Unwatch {
        /// Of which session.
        session_id: SessionId,
    },
    /// The folders below one, for choosing where to start; replies [`ReplyData::Folders`].
    Browse {
        /// An existing folder; empty for the home folder.
        folder: String,
    },
    /// The conversations a CLI has kept, newest first; replies [`ReplyData::Conversations`].
    Conversations {
        /// Of which CLI.
        adapter: AdapterKind,
        /// Only those held in this folder; by default the newest of all.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        folder: Option<String>,
        /// Only those whose title or folder has all these words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        query: Option<String>,
    },
    /// The paired devices; replies [`ReplyData::Devices`].
    Devices,
    /// Revoke a device: its cookie is void and its sockets close at once.
    Revoke {
        /// Which.
        device_id: DeviceId,
    },
    /// A new pairing code for the next device; replies [`ReplyData::Pairing`].
    Pair,
    /// The commands that a message to a session can begin with; replies [`ReplyData::SlashCommands`].
    SlashCommands {
        /// To which session.
        session_id: SessionId,
    },
    /// The files of a session's folder that fit a few letters, the likeliest first; replies [`ReplyData::Files`].
    Files {
        /// Of which session.
        session_id: SessionId,
        /// The letters, in order, with others between them.
        query: String,
    },
    /// What `answerback doctor` finds; replies [`ReplyData::Findings`].
    Doctor,
    /// Let another session review something of this one; replies [`ReplyData::Started`] with the reviewing session.
    Review {
        /// The same id sent twice is one review.
        review_id: ReviewId,
        /// Whose answer or change is reviewed.
        session_id: SessionId,
        /// By whom.
        reviewer: Reviewer,
        /// What is reviewed, in one line.
        subject: String,
        /// The whole message to the reviewer.
        message: String,
    },
    /// Go on with a session that has ended, in the same place under the same name; replies [`ReplyData::Started`].
    Resume {
        /// Which.
        session_id: SessionId,
    },
    /// Something about rules; replies [`ReplyData::Rules`].
    Rules {
        /// What.
        rules: RulesCommand,
    },
    /// The messages that have all these words, each at least by its beginning, newest first; replies [`ReplyData::Found`].
    Search {
        /// The words, as they were typed.
        query: String,
        /// Only in this session; by default in all, of each the newest few.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        session_id: Option<SessionId>,
        /// How many at most; the server caps it.
        limit: u32,
    },
    /// The prompts there ever were, newest first; replies [`ReplyData::History`].
    History {
        /// Which are wanted.
        #[serde(default)]
        filter: HistoryFilter,
        /// Only those older than this [`HistoryRow::seq`]; by default the newest.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        before: Option<u64>,
        /// How many at most; the server caps it.
        limit: u32,
    },
    /// One prompt of the history as it was shown; replies [`ReplyData::HistoryPrompt`].
    HistoryPrompt {
        /// Which.
        request_id: PromptId,
    },
    /// The prompts of some time in numbers; replies [`ReplyData::Insight`].
    Insight {
        /// Seen at this time or later.
        since: Millis,
        /// How far the clock of the person is ahead of UTC, in minutes: days begin by it.
        utc_offset: i32,
    },
    /// What is counted of this run of the server; replies [`ReplyData::Metrics`].
    Metrics,
    /// About notifications.
    Notify {
        /// What.
        notify: NotifyCommand,
    },
}

/// What the server says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "protocol.ts")]
#[expect(
    clippy::large_enum_variant,
    reason = "a message lives for one write; a box would not make it faster or clearer"
)]
pub enum ServerMessage {
    /// The first message on a device's socket: hello has to prove the device's key over this.
    Challenge {
        /// Random, for this socket alone.
        nonce: String,
    },
    /// The answer to hello.
    Welcome {
        /// The server's [`crate::PROTOCOL_VERSION`].
        protocol: u32,
        /// The server's version.
        server_version: String,
        /// This run of the server.
        epoch: Uuid,
        /// The device this socket belongs to.
        device_id: DeviceId,
    },
    /// Everything, as of `seq`.
    Snapshot {
        /// The last event that is already in it.
        seq: u64,
        /// Everything.
        snapshot: Snapshot,
    },
    /// Something happened.
    Event(SequencedEvent),
    /// The answer to one request.
    Reply {
        /// The request's id.
        id: RequestId,
        /// What came of it.
        result: Reply,
    },
    /// The screen of a watched session.
    Screen {
        /// Which.
        session_id: SessionId,
        /// Its screen now.
        frame: ScreenFrame,
    },
    /// A frame that could not be read; the socket stays open.
    Error {
        /// What was wrong with it.
        error: WireError,
    },
}

/// An event with its place in the order of all.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "protocol.ts")]
pub struct SequencedEvent {
    /// Counts up by one within an epoch.
    pub seq: u64,
    /// What happened.
    pub event: Event,
}

/// Something that happened; the same for every page.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "protocol.ts")]
pub enum Event {
    /// A session is new or has changed.
    Session {
        /// The session as it is now.
        session: Session,
    },
    /// A session was taken off the list.
    SessionForgotten {
        /// Which.
        session_id: SessionId,
    },
    /// A prompt waits; sent again when its content changed.
    Prompt {
        /// The prompt.
        prompt: InteractivePrompt,
    },
    /// An answer is on its way, or failed.
    PromptProgress {
        /// How far it is.
        progress: AnswerProgress,
    },
    /// A prompt is over.
    PromptClosed {
        /// Which.
        request_id: PromptId,
        /// How it ended.
        outcome: PromptOutcome,
        /// Who ended it, where no answer from here did: the desk, for a dialog that was answered on its own screen.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        by: Option<Actor>,
    },
    /// A message is new, or replaces the one with the same id.
    Message {
        /// In which session.
        session_id: SessionId,
        /// The message.
        message: Message,
    },
    /// More of a message that is still being written.
    MessageDelta {
        /// In which session.
        session_id: SessionId,
        /// Of which message.
        message_id: MessageId,
        /// What to append to its text.
        text: String,
    },
    /// More is known about what sessions can be started with.
    Adapters {
        /// All of them.
        adapters: Vec<AdapterInfo>,
    },
    /// Something happened that the owner should have done, and nobody else.
    Alert {
        /// What.
        alert: Alert,
    },
    /// Whether rules act, where, and how many there are.
    Rules {
        /// All of it.
        status: RulesStatus,
    },
    /// Many messages were taken over at once, too many to tell one by one: what a page has loaded of them may be old.
    ManyMessages {
        /// In which session.
        session_id: SessionId,
    },
}

/// Everything a page needs to begin.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "protocol.ts")]
pub struct Snapshot {
    /// All sessions.
    pub sessions: Vec<Session>,
    /// All prompts that wait.
    pub prompts: Vec<PendingPrompt>,
    /// The adapters a session can be started with.
    pub adapters: Vec<AdapterInfo>,
    /// The newest alerts, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[ts(optional, as = "Option<Vec<Alert>>")]
    pub alerts: Vec<Alert>,
    /// Whether rules act; absent while there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub rules: Option<RulesStatus>,
}

/// What came of a request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "protocol.ts")]
pub enum Reply {
    /// It was done, or accepted.
    Ok {
        /// What was asked for.
        data: ReplyData,
    },
    /// It was refused; nothing was changed.
    Refused {
        /// Why.
        error: WireError,
    },
}

/// What a request asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "protocol.ts")]
pub enum ReplyData {
    /// Nothing but the fact.
    Done,
    /// The session that was started.
    Started {
        /// Its id.
        session_id: SessionId,
    },
    /// A page of messages, oldest first.
    Messages {
        /// The messages.
        messages: Vec<Message>,
        /// True when there are none before these.
        at_start: bool,
        /// True when there are none after these.
        #[serde(default)]
        at_end: bool,
    },
    /// Folders to choose from.
    Folders {
        /// The folder they are in, absolute.
        folder: String,
        /// Their names, sorted.
        names: Vec<String>,
        /// Folders that sessions were started in, newest first.
        recent: Vec<String>,
        /// The folders below which may be browsed; what is above or beside them is refused.
        #[serde(default)]
        roots: Vec<String>,
    },
    /// Earlier conversations, newest first.
    Conversations {
        /// The conversations.
        conversations: Vec<ConversationInfo>,
    },
    /// The paired devices.
    Devices {
        /// All of them.
        devices: Vec<Device>,
    },
    /// A new pairing code.
    Pairing {
        /// The offer.
        offer: PairingOffer,
    },
    /// Commands that a message can begin with.
    SlashCommands {
        /// The CLI's own first.
        commands: Vec<SlashCommand>,
    },
    /// Files of a session's folder.
    Files {
        /// Their paths in the folder, the likeliest first.
        paths: Vec<String>,
    },
    /// What `answerback doctor` found.
    Findings {
        /// One for each thing that was looked at.
        findings: Vec<Finding>,
    },
    /// What came of something about rules.
    Rules {
        /// It.
        rules: RulesReply,
    },
    /// What a search found.
    Found {
        /// The messages, newest first.
        hits: Vec<SearchHit>,
        /// True when there are more than these.
        more: bool,
    },
    /// A page of the history.
    History {
        /// The prompts, newest first.
        rows: Vec<HistoryRow>,
        /// True when there are older ones.
        more: bool,
    },
    /// A prompt of the history.
    HistoryPrompt {
        /// As it was shown when it was answered, or last; without a raw screen.
        prompt: Box<InteractivePrompt>,
        /// What happened to it, oldest first.
        steps: Vec<HistoryStep>,
        /// The last message of its session before it was shown: its place in the chat. Absent when there is none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[ts(optional)]
        message_id: Option<MessageId>,
    },
    /// The prompts of some time in numbers.
    Insight {
        /// The numbers.
        insight: Insight,
    },
    /// What is counted, in the text format of Prometheus.
    Metrics {
        /// The text.
        text: String,
    },
    /// How notifications stand.
    Notify {
        /// All of it.
        status: NotifyStatus,
    },
    /// A code that pairs one Telegram chat.
    Chat {
        /// The offer.
        offer: ChatOffer,
    },
}

/// A message that has the words that were looked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "protocol.ts")]
pub struct SearchHit {
    /// In which session.
    pub session_id: SessionId,
    /// Which message.
    pub message_id: MessageId,
    /// Who speaks in it.
    pub role: MessageRole,
    /// When.
    pub at: Millis,
    /// The part of its text that has the words.
    pub snippet: Vec<SnippetPart>,
}

/// A piece of a snippet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "protocol.ts")]
pub struct SnippetPart {
    /// The text.
    pub text: String,
    /// True when this is what was looked for.
    pub hit: bool,
}

/// Why something was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "protocol.ts")]
pub struct WireError {
    /// For programs: stable.
    pub code: ErrorCode,
    /// For people: what was wrong and what to do.
    pub message: String,
}

/// Why something was refused, for programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "protocol.ts")]
pub enum ErrorCode {
    /// The frame is not a message of this protocol.
    Malformed,
    /// The frame or a text in it is too long.
    TooLarge,
    /// Hello must come first, once.
    HelloFirst,
    /// The page speaks another version of the protocol and must be reloaded.
    ProtocolVersion,
    /// There is no such session.
    UnknownSession,
    /// The session has ended.
    SessionEnded,
    /// The session is still coming up.
    SessionStarting,
    /// There is no such prompt, or it is over.
    PromptGone,
    /// Somebody else answered first.
    AlreadyAnswered,
    /// What is on the screen is no longer the prompt that was shown.
    PromptChanged,
    /// The response does not fit the prompt: an option it does not have, text it does not take.
    BadResponse,
    /// A dialog is open: answer it first.
    DialogOpen,
    /// The screen is not understood: nothing is typed blindly.
    ScreenUnrecognized,
    /// Somebody is typing at the desk: what stands in the CLI's input line would be mixed with the message.
    ComposerInUse,
    /// The message was typed but the CLI was not seen to take it.
    NotTaken,
    /// The session has more waiting than it can take, or is being typed into just now.
    SessionBusy,
    /// The folder does not exist or cannot be entered.
    BadFolder,
    /// The CLI is not installed.
    NotInstalled,
    /// A value is not acceptable; the message says which.
    BadValue,
    /// There is no such device.
    UnknownDevice,
    /// This browser is not paired, or no longer.
    NotPaired,
    /// The pairing code is wrong, used or over.
    BadCode,
    /// Too many attempts: wait a little.
    RateLimited,
    /// The request comes from a place that is not allowed: another site, another host name.
    Forbidden,
    /// The terminal server does not answer.
    TerminalUnavailable,
    /// The store does not answer.
    StoreUnavailable,
    /// A fault of the server's own.
    Internal,
}
