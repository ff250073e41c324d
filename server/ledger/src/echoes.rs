//! Requests that were answered through their hook before their dialog was drawn.
//!
//! Claude Code runs its hook beside the dialog and may hold the dialog back for a moment. When the hook has its answer by then, the
//! dialog is drawn all the same and goes again by itself: after 100 ms, or 900 ms on a busy machine. It asks nothing any more.

use std::time::Instant;

use adapters::{
    Sighting,
    hook::{Match, Request},
};

/// Requests that are remembered; of more the oldest is forgotten, and its dialog is asked once more.
const ECHOES_LIMIT: usize = 32;

/// The answered requests whose dialog may still come.
#[derive(Debug, Default)]
pub(crate) struct Echoes {
    answered: Vec<Echo>,
    /// Until when the dialog on the screen is one of theirs.
    hidden: Option<Instant>,
}

#[derive(Debug)]
struct Echo {
    request: Request,
    /// A dialog that stands there then has not been answered after all.
    until: Instant,
    seen: bool,
}

impl Echoes {
    /// A request was answered whose dialog was not seen.
    pub(crate) fn note(&mut self, request: Request, until: Instant) {
        if self.answered.len() == ECHOES_LIMIT {
            self.answered.remove(0);
        }
        self.answered.push(Echo { request, until, seen: false });
    }

    /// Whether this dialog is that of an answered request.
    pub(crate) fn hide(&mut self, dialog: &Sighting, now: Instant) -> bool {
        self.answered.retain(|echo| now < echo.until);
        let echo = self.answered.iter_mut().find(|echo| echo.request.shown_by(dialog) == Match::Yes);
        self.hidden = echo.map(|echo| {
            echo.seen = true;
            echo.until
        });
        self.hidden.is_some()
    }

    /// Until when the dialog on the screen is left out.
    pub(crate) fn hidden_until(&self) -> Option<Instant> {
        self.hidden
    }

    /// What is on the screen is to be judged anew.
    pub(crate) fn show(&mut self) {
        self.hidden = None;
    }

    /// The screen shows no dialog: one that was seen does not come again.
    pub(crate) fn dialog_gone(&mut self) {
        self.hidden = None;
        self.answered.retain(|echo| !echo.seen);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use adapters::adapter_for;
    use serde_json::json;
    use shared_types::AdapterKind;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a test needs some moment to begin with")]
    fn newest_of_too_many_answered_requests_are_kept() {
        let mut echoes = Echoes::default();
        let now = Instant::now();
        for number in 0..=ECHOES_LIMIT {
            let input = json!({ "command": format!("touch {number}") });
            let payload = json!({ "hook_event_name": "PermissionRequest", "tool_name": "Bash", "tool_input": input });
            let request = adapter_for(AdapterKind::new("claude")).read_hook(&payload).request.expect("it asks");
            echoes.note(request, now + Duration::from_secs(number as u64));
        }
        assert_eq!(echoes.answered.len(), ECHOES_LIMIT);
        assert_eq!(echoes.answered[0].until, now + Duration::from_secs(1));
    }
}
