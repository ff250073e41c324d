//! Who is looking: what each open page said that it shows, until it says otherwise, closes, or falls silent.
//!
//! An open socket proves nothing: a locked phone and a page behind another keep theirs. So only what a page says of itself
//! counts, and only for a while.

use std::{
    collections::HashMap,
    time::{Duration, Instant},
};

use shared_types::{DeviceId, Presence, PromptId, SessionId};

/// How long a page is believed. It says it anew three times in this time; a frozen page does not.
const BELIEVED: Duration = Duration::from_secs(45);

/// Names one open page: a device may have several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PageId(pub u64);

/// What the open pages show.
#[derive(Debug, Default)]
pub(super) struct Presences {
    /// One for each socket at most, so sockets bound it.
    pages: HashMap<PageId, Page>,
}

#[derive(Debug)]
struct Page {
    device: DeviceId,
    shows: Presence,
    until: Instant,
}

impl Presences {
    /// A page says what it shows.
    pub(super) fn told(&mut self, page: PageId, device: DeviceId, shows: Presence, now: Instant) {
        self.pages.insert(page, Page { device, shows, until: now + BELIEVED });
    }

    /// A page has gone.
    pub(super) fn left(&mut self, page: PageId) {
        self.pages.remove(&page);
    }

    /// Whether a device shows this prompt to somebody.
    #[must_use]
    pub(super) fn shows_prompt(&self, device: DeviceId, prompt: PromptId, now: Instant) -> bool {
        self.seen(device, now).any(|shows| shows.prompts.contains(&prompt))
    }

    /// Whether a device shows this session's chat to somebody.
    #[must_use]
    pub(super) fn shows_session(&self, device: DeviceId, session: SessionId, now: Instant) -> bool {
        self.seen(device, now).any(|shows| shows.sessions.contains(&session))
    }

    /// When the next page stops being believed.
    #[must_use]
    pub(super) fn next_deadline(&self, now: Instant) -> Option<Instant> {
        self.pages.values().filter(|page| page.shows.visible && page.until > now).map(|page| page.until).min()
    }

    fn seen(&self, device: DeviceId, now: Instant) -> impl Iterator<Item = &Presence> {
        let believed = move |page: &&Page| page.device == device && page.shows.visible && page.until > now;
        self.pages.values().filter(believed).map(|page| &page.shows)
    }
}
