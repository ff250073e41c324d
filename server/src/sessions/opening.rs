//! The message a session is started with: sent through the ordinary way as soon as the CLI waits for one, and only once.

use std::{sync::Arc, time::Duration};

use shared_types::{ErrorCode, Event, FirstMessage, Session, SessionId, SessionState, WireError};
use tokio::sync::broadcast::error::RecvError;

use super::{Sessions, task::Input};

/// How long to wait before a message is tried again that could not be typed: somebody is typing at the desk, perhaps.
const TRY_AGAIN: Duration = Duration::from_millis(500);

impl Sessions {
    /// Sends the first message when its time has come; the server's stop leaves it for the next start.
    pub(super) fn say_first_when_ready(self: &Arc<Self>, session: SessionId, text: String) {
        let sessions = Arc::clone(self);
        self.tasks.spawn(async move {
            tokio::select! {
                () = sessions.stop.cancelled() => {}
                () = sessions.say_first(session, &text) => {}
            }
        });
    }

    async fn say_first(&self, session: SessionId, text: &str) {
        let mut events = self.world.bus.listen();
        loop {
            match self.world.bus.session(session).map(|session| session.state) {
                None | Some(SessionState::Ended { .. }) => return,
                Some(SessionState::Ready) => match self.try_first(session, text).await {
                    Ok(()) => return self.note_first(session, None).await,
                    Err(error) if was_not_typed(error.code) => {
                        self.note_first(session, Some(FirstMessage { text: text.to_owned(), problem: None })).await;
                        tokio::time::sleep(TRY_AGAIN).await;
                    }
                    Err(error) => {
                        let problem = Some(error.message);
                        return self.note_first(session, Some(FirstMessage { text: text.to_owned(), problem })).await;
                    }
                },
                Some(_) => {}
            }
            if let Err(RecvError::Closed) = events.recv().await {
                return;
            }
        }
    }

    /// One attempt. It is written down before the first key: a crash in between never types it a second time.
    async fn try_first(&self, session: SessionId, text: &str) -> Result<(), WireError> {
        let problem = "Answerback was interrupted while it typed this message".to_owned();
        let typing = FirstMessage { text: text.to_owned(), problem: Some(problem) };
        let noted = self.world.store.set_first_message(session, &typing).await;
        noted.map_err(|error| super::refuse::from_store(&error))?;
        self.send_plain(session, text.to_owned(), None).await
    }

    /// Keeps and tells what has become of the first message.
    pub(super) async fn note_first(&self, session: SessionId, message: Option<FirstMessage>) {
        let kept = match &message {
            Some(message) => self.world.store.set_first_message(session, message).await,
            None => self.world.store.drop_first_message(session).await,
        };
        if let Err(error) = kept {
            tracing::error!(%error, "cannot write down what became of a first message");
        }
        self.amend(session, move |view| view.first_message = message).await;
    }

    /// Changes what the phones know of a session, running or not.
    pub(super) async fn amend(&self, session: SessionId, change: impl FnOnce(&mut Session) + Send + 'static) {
        let change = match self.handle(session) {
            Some(handle) => match handle.inputs.send(Input::Amend(Box::new(change))).await {
                Ok(()) => return,
                Err(back) => back.0,
            },
            None => Input::Amend(Box::new(change)),
        };
        // One that has ended has no task: what was told last is all there is.
        if let (Some(mut view), Input::Amend(change)) = (self.world.bus.session(session), change) {
            change(&mut view);
            self.world.bus.publish(Event::Session { session: view });
        }
    }
}

/// Refusals that come before the first key.
fn was_not_typed(code: ErrorCode) -> bool {
    matches!(
        code,
        ErrorCode::DialogOpen
            | ErrorCode::SessionStarting
            | ErrorCode::SessionBusy
            | ErrorCode::ScreenUnrecognized
            | ErrorCode::ComposerInUse
            | ErrorCode::TerminalUnavailable
    )
}
