//! *Continue* by button: one message to a session that stands still, sent by the person's tap and by nothing else.
//!
//! A token is good once, for the target it was sent to, and as long as nothing has come of the session since. It is kept in memory
//! alone: after a restart the session is looked at anew.

use std::collections::VecDeque;

use shared_types::{ErrorCode, SessionId, WireError};

use super::{
    Notifier,
    channel::Button,
    planner::TargetId,
    tokens::{hash, key_of, new_token},
};
use crate::sessions::{Sessions, refuse::refuse};

/// What is sent.
const CONTINUE: &str = "continue";
/// Tokens that are kept; a further one replaces the oldest, which is then too old.
const KEPT: usize = 64;

/// The tokens that were sent.
#[derive(Debug, Default)]
pub(super) struct Nudges(VecDeque<Nudge>);

#[derive(Debug)]
struct Nudge {
    hash: [u8; 32],
    target: TargetId,
    session: SessionId,
    /// What had come of the session then.
    turn: u64,
    used: bool,
}

impl Nudges {
    fn add(&mut self, nudge: Nudge) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(nudge);
    }

    /// Uses a token; nothing when it is none of these. `turn` is what has come of a session by now.
    fn take(
        &mut self,
        hash: [u8; 32],
        from: &TargetId,
        turn: impl FnOnce(SessionId) -> Option<u64>,
    ) -> Option<Result<SessionId, WireError>> {
        let nudge = self.0.iter_mut().find(|nudge| nudge.hash == hash)?;
        Some(if nudge.target != *from {
            Err(refuse(ErrorCode::Forbidden, "this button was sent to somebody else"))
        } else if nudge.used {
            Err(refuse(ErrorCode::AlreadyAnswered, "this button has been used already"))
        } else if turn(nudge.session) != Some(nudge.turn) {
            Err(refuse(ErrorCode::PromptGone, "the session has gone on meanwhile"))
        } else {
            nudge.used = true;
            Ok(nudge.session)
        })
    }
}

impl Notifier {
    /// A button that sends *continue* to a session; none where nobody could answer.
    pub(super) fn nudge_button(&self, session: SessionId, to: &TargetId) -> Vec<Button> {
        if matches!(to, TargetId::Channel(_)) {
            return Vec::new();
        }
        let Some(token) = new_token() else { return Vec::new() };
        let mut state = self.lock();
        let Some(turn) = state.running.get(&session).map(|work| work.turn) else { return Vec::new() };
        state.nudges.add(Nudge { hash: hash(&token), target: to.clone(), session, turn, used: false });
        vec![Button { allows: true, label: "Continue".to_owned(), token }]
    }

    /// Sends *continue* for a token, if it is one of ours. Returns what was sent.
    pub(super) async fn nudge(
        &self,
        sessions: &Sessions,
        hash: [u8; 32],
        from: &TargetId,
    ) -> Option<Result<String, WireError>> {
        let taken = {
            let mut state = self.lock();
            let state = &mut *state;
            state.nudges.take(hash, from, |session| state.running.get(&session).map(|work| work.turn))?
        };
        let session = match taken {
            Ok(session) => session,
            Err(error) => return Some(Err(error)),
        };
        let sent = sessions.send_text(session, CONTINUE.to_owned(), Some(key_of(hash)), &[]).await;
        Some(sent.map(|()| CONTINUE.to_owned()).map_err(WireError::from))
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn token_is_good_once_for_whom_it_was_sent_to_and_until_the_session_goes_on() {
        let (ann, bob, session) = (TargetId::Chat(1), TargetId::Chat(2), SessionId(Uuid::nil()));
        let nudge = |hash: u8| Nudge { hash: [hash; 32], target: ann.clone(), session, turn: 7, used: false };
        let mut nudges = Nudges::default();
        nudges.add(nudge(1));
        nudges.add(nudge(2));
        let code = |taken: Option<Result<SessionId, WireError>>| taken.map(|taken| taken.map_err(|error| error.code));
        assert_eq!(code(nudges.take([9; 32], &ann, |_| Some(7))), None);
        assert_eq!(code(nudges.take([1; 32], &bob, |_| Some(7))), Some(Err(ErrorCode::Forbidden)));
        assert_eq!(code(nudges.take([1; 32], &ann, |_| Some(7))), Some(Ok(session)));
        assert_eq!(code(nudges.take([1; 32], &ann, |_| Some(7))), Some(Err(ErrorCode::AlreadyAnswered)));
        assert_eq!(code(nudges.take([2; 32], &ann, |_| Some(8))), Some(Err(ErrorCode::PromptGone)));
        assert_eq!(code(nudges.take([2; 32], &ann, |_| None)), Some(Err(ErrorCode::PromptGone)), "it has ended");
        for number in 10..=u8::try_from(KEPT).expect("small") + 10 {
            nudges.add(nudge(number));
        }
        assert_eq!(code(nudges.take([10; 32], &ann, |_| Some(7))), None, "the oldest has gone");
    }
}
