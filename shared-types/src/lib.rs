//! The wire: everything that crosses the socket between the server and the page, defined once.
//!
//! The page's TypeScript in `web/src/wire` is generated from these types and a test keeps it equal (`tests/drift.rs`).
//! Screen positions, keys to press and fingerprints never appear here: they stay inside the server.
//!
//! # The protocol in prose
//!
//! One WebSocket at `/ws`, one JSON object a text frame, tagged by `type`, camelCase.
//!
//! 1. The page opens the socket with its device cookie. The server says [`ServerMessage::Challenge`], and the page answers with
//!    [`ClientMessage::Hello`]: the protocol version, the proof of its key, and, if it was connected before, the `epoch` and
//!    `lastSeq` it has seen.
//! 2. The server answers [`ServerMessage::Welcome`], then either the missed events, each a [`ServerMessage::Event`], or one
//!    [`ServerMessage::Snapshot`]. A pending prompt is always in the snapshot. Sequence numbers count within an epoch; an
//!    epoch is one run of the server.
//! 3. From then on every [`Event`] arrives once and in order.
//! 4. Everything the person does is a [`ClientMessage::Request`] with an id of the page's choosing and is answered by exactly
//!    one [`ServerMessage::Reply`] with that id. What the request changes also arrives as events, at every page alike.
//! 5. [`ServerMessage::Screen`] frames come only for sessions the page watches, carry no sequence number and may be skipped.
//!
//! An accepted answer is not a done answer: the reply to [`Command::Respond`] says that this answer won; the typing and the
//! check on the screen are told by [`Event::PromptProgress`] and [`Event::PromptClosed`].
//!
//! # Growth
//!
//! `InteractivePrompt` and `PromptResponse` keep their names and fields and grow only by optional ones. A page ignores events
//! and fields it does not know. A change that an old page could misread raises [`PROTOCOL_VERSION`].

mod adapter;
mod compose;
mod device;
mod finding;
mod generate;
mod history;
mod message;
mod notify;
mod prompt;
mod proof;
mod protocol;
mod rules;
mod screen;
mod session;
mod tool;
pub mod visible;

pub use adapter::{AdapterInfo, AdapterKind, AdapterMark, NoAdapterName};
pub use compose::{ATTACH_KINDS, ATTACH_LIMIT, AttachedFile, CommandOrigin, SlashCommand};
pub use device::{Alert, AlertId, AlertKind, Device, DeviceId, PairReply, PairRequest, PairingOffer, Standing, WhoAmI};
pub use finding::{Finding, Verdict};
pub use generate::write_typescript;
pub use history::{
    ActorType, HistoryFilter, HistoryOutcome, HistoryRow, HistoryStep, Insight, InsightGroup, InsightNumbers,
};
pub use message::{ImageInfo, Message, MessageBody, MessageId, MessageRole};
pub use notify::{
    ChatOffer, Delivery, NotifyCommand, NotifyStatus, NotifyTarget, Presence, PushSubscription, TelegramStatus,
    TokenAnswer,
};
pub use prompt::{
    Actor, Answer, AnswerProgress, AnswerStep, Confidence, FileDiff, InteractivePrompt, OptionRole, PendingPrompt,
    PromptId, PromptKind, PromptOption, PromptOutcome, PromptResponse, PromptSource, Question, QuestionAnswer,
    Remember, RememberScope, Risk, RiskLevel, TextInput, WouldRun,
};
pub use proof::{Credential, PROOF_HEADER, is_same_proof, request_proof, socket_proof};
pub use protocol::{
    ClientMessage, Command, ErrorCode, Event, Reply, ReplyData, RequestId, SearchHit, SequencedEvent, ServerMessage,
    Snapshot, SnippetPart, WireError,
};
pub use rules::{
    AskedPart, PausedSession, RuleInfo, RuleOffer, RuleOrigin, RuleSuggestion, RuleVerdict, RulesCommand, RulesDryRun,
    RulesMode, RulesPause, RulesReply, RulesStatus, WhyAsked,
};
pub use screen::{Key, NamedKey, ScreenCursor, ScreenFrame, ScreenRun};
pub use session::{
    ConversationInfo, EndReason, FirstMessage, PermissionMode, Review, ReviewId, Reviewer, Session, SessionId,
    SessionState, StartSession, Usage,
};
pub use tool::{AskedQuestion, GivenAnswer, TodoItem, TodoState, ToolResult, ToolUse};

/// The version both sides name in their first message. Raised only when an old page could misread a new server.
pub const PROTOCOL_VERSION: u32 = 2;

/// Milliseconds since the Unix epoch, as JavaScript's `Date.now()` counts them.
pub type Millis = u64;
