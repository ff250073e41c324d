//! The message a session is started with: a keyed message like any other, sent as soon as the CLI waits for one.
//!
//! Its key is the session's own id, so that it is typed once whatever happens: a repetition after a lost connection or a
//! restart finds what became of the first attempt.

use std::{sync::Arc, time::Duration};

use shared_types::{Event, FirstMessage, SessionId, SessionState};
use tokio::sync::broadcast::error::RecvError;

use super::{SessionError, Sessions, task::Request, view::ViewChange};

/// How long to wait before a message is sent again that could not be typed: perhaps somebody is typing at the desk.
const TRY_AGAIN: Duration = Duration::from_millis(500);

impl Sessions {
    /// Sends the first message when its time has come; the server's stop leaves it for the next start.
    pub(super) fn send_first_when_ready(self: &Arc<Self>, session: SessionId, text: String) {
        let sessions = Arc::clone(self);
        self.tasks.spawn(async move {
            tokio::select! {
                () = sessions.stop.cancelled() => {}
                () = sessions.send_first(session, &text) => {}
            }
        });
    }

    async fn send_first(&self, session: SessionId, text: &str) {
        let mut events = self.world.bus.listen();
        loop {
            match self.world.bus.session(session).map(|session| session.state) {
                None | Some(SessionState::Ended { .. }) => return,
                Some(SessionState::Ready) => match self.send_clean(session, text.to_owned(), Some(session.0)).await {
                    Ok(()) => return self.note_first(session, None).await,
                    Err(error) if is_untyped(&error) => {
                        tokio::time::sleep(TRY_AGAIN).await;
                        continue;
                    }
                    Err(error) => {
                        let first = FirstMessage { text: text.to_owned(), problem: Some(error.to_string()) };
                        return self.note_first(session, Some(first)).await;
                    }
                },
                Some(_) => {}
            }
            loop {
                match events.recv().await {
                    Ok(published) => match &published.event {
                        Event::Session { session: changed } if changed.id == session => break,
                        Event::SessionForgotten { session_id } if *session_id == session => break,
                        _ => {}
                    },
                    // Some were missed: the board knows how it stands.
                    Err(RecvError::Lagged(_)) => break,
                    Err(RecvError::Closed) => return,
                }
            }
        }
    }

    /// Stores and publishes what has become of the first message.
    pub(super) async fn note_first(&self, session: SessionId, message: Option<FirstMessage>) {
        let kept = match &message {
            Some(message) => self.world.store.set_first_message(session, message).await,
            None => self.world.store.drop_first_message(session).await,
        };
        if let Err(error) = kept {
            tracing::error!(%error, session = %session.0, "cannot write down what became of a first message");
        }
        self.change_view(session, ViewChange::FirstMessage(message)).await;
    }

    /// Changes what the phones know of a session, running or not.
    pub(super) async fn change_view(&self, session: SessionId, change: ViewChange) {
        if let Some(handle) = self.handle(session)
            && handle.requests.send(Request::Change(change.clone())).await.is_ok()
        {
            return;
        }
        // One that has ended has no task: what was published last is all there is.
        self.world.bus.update(session, |view| change.apply(view));
    }
}

/// True when not one key was pressed, so that the message may be sent again.
fn is_untyped(error: &SessionError) -> bool {
    match error {
        SessionError::Send(error) => error.is_untyped(),
        SessionError::Busy | SessionError::Unreachable(_) => true,
        _ => false,
    }
}
