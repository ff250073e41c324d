//! What the phones know of a session: changed by its task alone, and published when it matters.

use std::{sync::Arc, time::Duration};

use adapters::layout::squash;
use shared_types::{
    Event, FirstMessage, Message, MessageBody, MessageRole, PermissionMode, Review, Session, SessionId, SessionState,
    Usage,
};
use tokio::time::Instant;

use crate::{bus::Bus, clock::now_millis};

/// How often a change of mere details, such as a spinner's words, is published.
const DETAIL_PACE: Duration = Duration::from_secs(1);
/// How many messages are listed as queued by the CLI; of more the oldest are listed.
const QUEUED: usize = 20;

/// A session as the phones see it.
pub(super) struct SessionView {
    view: Session,
    bus: Arc<Bus>,
    /// When it was last published, and whether a detail has changed since.
    published_at: Instant,
    changed: bool,
}

/// A change that others ask for, of a session that runs or has ended.
#[derive(Debug, Clone)]
pub(super) enum ViewChange {
    /// What has become of the first message.
    FirstMessage(Option<FirstMessage>),
    /// Another session reviews something of this one.
    AddReview(Review),
    /// The reviewing session is forgotten.
    DropReviewsBy(SessionId),
}

impl ViewChange {
    pub(super) fn apply(self, view: &mut Session) {
        match self {
            Self::FirstMessage(message) => view.first_message = message,
            Self::AddReview(review) => view.reviews.get_or_insert_default().push(review),
            Self::DropReviewsBy(reviewer) => {
                let mut left = view.reviews.take().unwrap_or_default();
                left.retain(|review| review.reviewer != reviewer);
                view.reviews = Some(left).filter(|left| !left.is_empty());
            }
        }
    }
}

impl SessionView {
    pub(super) fn new(view: Session, bus: Arc<Bus>) -> Self {
        Self { view, bus, published_at: Instant::now(), changed: false }
    }

    pub(super) fn get(&self) -> &Session {
        &self.view
    }

    /// When a changed detail is due to be published.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.changed.then(|| self.published_at + DETAIL_PACE)
    }

    /// Changes the state; a mere change of its details is published now and then only.
    pub(super) fn set_state(&mut self, state: SessionState) {
        if self.view.state == state {
            return;
        }
        let same_kind = std::mem::discriminant(&self.view.state) == std::mem::discriminant(&state);
        self.view.state = state;
        if same_kind {
            self.changed = true;
        } else {
            self.view.state_since = now_millis();
            self.publish();
        }
    }

    /// Changes the permission mode to what the screen shows; where it shows none, nothing has changed.
    pub(super) fn set_mode(&mut self, shown: Option<PermissionMode>) {
        if shown.is_some() && self.view.mode != shown {
            self.view.mode = shown;
            self.publish();
        }
    }

    /// Notes that the CLI's hooks do not come, or that they do after all.
    pub(super) fn set_screen_only(&mut self, screen_only: bool) {
        let marked = screen_only.then_some(true);
        if self.view.screen_only != marked {
            self.view.screen_only = marked;
            self.publish();
        }
    }

    pub(super) fn set_name(&mut self, name: String) {
        self.view.name = name;
        self.publish();
    }

    pub(super) fn set_conversation(&mut self, id: String) {
        self.view.conversation = Some(id);
        self.publish();
    }

    /// Changes the line that a list shows.
    pub(super) fn set_last_line(&mut self, line: &str) {
        if self.view.last_line != line {
            line.clone_into(&mut self.view.last_line);
            self.changed = true;
        }
    }

    pub(super) fn set_usage(&mut self, usage: Usage) {
        self.view.usage = Some(usage);
        self.changed = true;
    }

    pub(super) fn set_message_count(&mut self, count: u64) {
        if self.view.message_count != count {
            self.view.message_count = count;
            self.publish();
        }
    }

    pub(super) fn apply(&mut self, change: ViewChange) {
        change.apply(&mut self.view);
        self.publish();
    }

    /// The CLI has taken a message while it worked.
    pub(super) fn queue(&mut self, text: String) {
        if self.view.queued.len() < QUEUED {
            self.view.queued.push(text);
            self.publish();
        }
    }

    /// The conversation shows a message: it no longer waits. Some CLIs join all that wait into one.
    pub(super) fn unqueue(&mut self, message: &Message) {
        let Some(said) = said(message) else { return };
        let before = self.view.queued.len();
        self.view.queued.retain(|text| !said.contains(&squash(text)));
        if self.view.queued.len() != before {
            self.publish();
        }
    }

    /// A CLI that waits for a message has nothing left in its queue.
    pub(super) fn clear_queue(&mut self) {
        if !self.view.queued.is_empty() {
            self.view.queued.clear();
            self.publish();
        }
    }

    /// Publishes changed details, but not more often than a person can read.
    pub(super) fn publish_when_due(&mut self) {
        if self.changed && self.published_at.elapsed() >= DETAIL_PACE {
            self.publish();
        }
    }

    fn publish(&mut self) {
        self.published_at = Instant::now();
        self.changed = false;
        self.bus.publish(Event::Session { session: self.view.clone() });
    }
}

/// What the person said in a message, without its line breaks.
pub(super) fn said(message: &Message) -> Option<String> {
    match &message.body {
        MessageBody::Text { text, .. } if message.role == MessageRole::User => Some(squash(text)),
        _ => None,
    }
}
