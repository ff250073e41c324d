//! What sessions do, for what is good to know: one has finished, has failed, or stands still.
//!
//! Progress is what is worth a line in the chat: a message, a part of one, or another last line. That a clock ticks on the screen is
//! none.

use std::time::{Duration, Instant};

use shared_types::{EndReason, Message, MessageBody, Session, SessionId, SessionState};

use super::Notifier;

/// What all adapters make of a turn that was cut short.
const INTERRUPTED: &str = "Interrupted";

/// What a session that runs is doing.
#[derive(Debug, Default)]
pub(super) struct Work {
    /// Since when it has been at it, pauses for questions included.
    since: Option<Instant>,
    /// True while it works.
    busy: bool,
    /// True while it waits for a message.
    ready: bool,
    /// True when the last that was said is that its turn was interrupted.
    interrupted: bool,
    /// What was last seen to come of it.
    seen: (u64, String),
    /// Goes up with everything that comes of it: what was offered before is old then.
    pub(super) turn: u64,
}

impl Notifier {
    /// A session is as this says.
    pub(super) fn session_is(&self, session: &Session) {
        let now = Instant::now();
        let mut state = self.lock();
        let state = &mut *state;
        let (planner, id) = (&mut state.planner, session.id);
        if let SessionState::Ended { reason } = &session.state {
            let ran = state.running.remove(&id).is_some();
            return match reason {
                EndReason::Exited { status: Some(status) } if ran && *status != 0 => planner.session_failed(id, now),
                EndReason::Lost if ran => planner.session_failed(id, now),
                _ => planner.session_goes_on(id),
            };
        }
        let work = state.running.entry(id).or_default();
        let seen = (session.message_count, session.last_line.clone());
        let progress = work.seen != seen;
        work.seen = seen;
        work.turn += u64::from(progress);
        let (was_busy, was_ready) = (work.busy, work.ready);
        (work.busy, work.ready) = match session.state {
            SessionState::Busy { .. } => (true, false),
            SessionState::Ready => (false, true),
            _ => (false, false),
        };
        if work.busy {
            work.since.get_or_insert(now);
            // A new turn; one that was cut short may be busy for a moment more.
            work.interrupted &= was_busy;
            if !was_busy || progress {
                planner.session_works(id, now);
            }
        } else if work.ready {
            match work.since.take() {
                _ if work.interrupted && !was_ready => planner.session_stopped(id, now),
                Some(since) => {
                    // Until it is known that it has finished, it does not stand still any more.
                    planner.session_goes_on(id);
                    planner.session_finished(id, now.saturating_duration_since(since), now);
                }
                None => {}
            }
        } else {
            planner.session_goes_on(id);
        }
    }

    /// A session says something.
    pub(super) fn session_says(&self, id: SessionId, message: &Message) {
        let interrupted = matches!(&message.body, MessageBody::Notice { text } if text == INTERRUPTED);
        self.session_comes_to(id, interrupted);
    }

    /// Something has come of what a session does.
    pub(super) fn session_goes_on(&self, id: SessionId) {
        self.session_comes_to(id, false);
    }

    fn session_comes_to(&self, id: SessionId, interrupted: bool) {
        let now = Instant::now();
        let mut state = self.lock();
        let state = &mut *state;
        let Some(work) = state.running.get_mut(&id) else { return };
        work.turn += 1;
        work.interrupted = interrupted;
        if work.busy {
            state.planner.session_works(id, now);
        } else if work.ready && interrupted {
            // The screen was quicker than the record.
            state.planner.session_stopped(id, now);
        }
    }
}

/// For how long a session has stood still, in words.
pub(super) fn minutes(time: Duration) -> String {
    match time.as_secs() {
        seconds if seconds < 60 => format!("{seconds} s"),
        seconds => format!("{} min", seconds / 60),
    }
}
