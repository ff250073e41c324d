//! What every channel has in common: a message goes in, what became of it comes out.

use std::time::Duration;

use async_trait::async_trait;
use shared_types::PromptId;

/// A message, before a channel gives it its form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Message {
    /// Messages with the same tag replace each other; letters, digits and dashes, at most 32.
    pub(crate) tag: String,
    /// One line.
    pub(crate) title: String,
    /// The rest; may be empty.
    pub(crate) body: String,
    /// Where a tap leads, from `#` on.
    pub(crate) link: String,
    /// What may be answered with one tap.
    pub(crate) buttons: Vec<Button>,
    /// How it is to be taken.
    pub(crate) kind: MessageKind,
    /// How long it is worth delivering.
    pub(crate) ttl: Duration,
    /// How many prompts wait.
    pub(crate) waiting: usize,
    /// The prompt that it shows, where it shows one.
    pub(crate) shown: Option<Shown>,
}

/// A prompt as a message shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shown {
    /// Which.
    pub(crate) prompt: PromptId,
    /// The digest of what is shown.
    pub(crate) digest: String,
    /// What a reply in words does, for people; only where it may answer.
    pub(crate) reply: Option<&'static str>,
}

/// How a message is to be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MessageKind {
    /// Somebody is needed: it makes itself heard.
    NeedsYou,
    /// Good to know.
    News,
    /// What was said before is over: it takes its place, in silence.
    Withdrawn,
}

/// A button of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Button {
    /// True when it lets something happen.
    pub(crate) allows: bool,
    /// What stands on it.
    pub(crate) label: String,
    /// The one-use token that answers.
    pub(crate) token: String,
}

/// What became of one try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// What to do next.
    pub(crate) verdict: Verdict,
    /// The status that the other side answered with.
    pub(crate) status: Option<u16>,
    /// What that means, for people.
    pub(crate) detail: String,
}

/// What to do after a try.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It was taken.
    Taken,
    /// Try again, after so long where the other side says so.
    Again(Option<Duration>),
    /// It will not be taken, however often it is tried.
    Refused,
    /// The receiver is gone for good.
    Gone,
}

/// A way to somebody.
#[async_trait]
pub(crate) trait Channel: Send + Sync {
    /// Tries once to deliver a message. Never takes longer than some seconds.
    async fn deliver(&self, message: &Message) -> Outcome;
}
