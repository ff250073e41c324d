//! Who waits for what: hooks for their decision, responders for their result. The ledger names them; the channels are here.

use std::{collections::HashMap, time::Duration};

use answerback_ledger::{RespondError, Ticket};
use tokio::{sync::oneshot, time::Instant};
use uuid::Uuid;

use super::{SessionError, task::Reply};

/// For how long a permission stands on the screen before hooks of which none has ever come are missed: Claude Code runs one at its
/// start, and one beside the dialog within milliseconds.
const MISSED_AFTER: Duration = Duration::from_secs(5);

/// The hooks that wait for a decision. Bounded by the ledger, which lets go of what it does not keep.
#[derive(Default)]
pub(super) struct HookReplies {
    waiting: HashMap<Uuid, oneshot::Sender<String>>,
    /// Whether the session was started with hooks that tell of its start, and none of them has come.
    awaited: bool,
}

impl HookReplies {
    /// For a session that was started with hooks which tell of its start, or not.
    pub(super) fn awaiting(awaited: bool) -> Self {
        Self { waiting: HashMap::new(), awaited }
    }

    /// A hook has come, whatever it says.
    pub(super) fn came(&mut self) {
        self.awaited = false;
    }

    /// True when hooks should have come since then and did not.
    pub(super) fn are_missed(&self, since: Option<Instant>) -> bool {
        self.awaited && since.is_some_and(|since| since.elapsed() >= MISSED_AFTER)
    }

    /// A hook waits; one that comes again replaces its lost connection.
    pub(super) fn hold(&mut self, hook: Uuid, reply: oneshot::Sender<String>) {
        self.waiting.insert(hook, reply);
    }

    /// Gives a hook its decision. False when it is not there any more.
    pub(super) fn answer(&mut self, hook: Uuid, decision: String) -> bool {
        self.waiting.remove(&hook).is_some_and(|reply| reply.send(decision).is_ok())
    }

    /// Lets a hook go without a decision.
    pub(super) fn release(&mut self, hook: Uuid) {
        self.answer(hook, String::new());
    }

    /// A hook has gone.
    pub(super) fn forget(&mut self, hook: Uuid) {
        self.waiting.remove(&hook);
    }
}

/// The responders that wait for their result. Bounded by the ledger, which refuses what it does not keep.
#[derive(Default)]
pub(super) struct Tickets {
    next: u64,
    waiting: HashMap<Ticket, Reply>,
}

impl Tickets {
    pub(super) fn hold(&mut self, reply: Reply) -> Ticket {
        self.next += 1;
        let ticket = Ticket(self.next);
        self.waiting.insert(ticket, reply);
        ticket
    }

    /// A ticket of our own: nobody waits for its result.
    pub(super) fn without_reply(&mut self) -> Ticket {
        self.next += 1;
        Ticket(self.next)
    }

    pub(super) fn reply(&mut self, ticket: Ticket, result: Result<(), RespondError>) {
        if let Some(reply) = self.waiting.remove(&ticket) {
            // The phone may be gone; the answer counts all the same.
            let _ = reply.send(result.map_err(SessionError::from));
        }
    }
}
