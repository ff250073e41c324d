//! What is logged names prompts and reasons, and quotes neither a dialog nor an answer. Every other test checks it as well:
//! the world reads all events and effects as they are logged.

use adapters::{Refusal, answer::Failure};
use shared_types::PromptId;
use uuid::Uuid;

use crate::{Effect, RespondError, Ticket};

#[test]
fn failed_answer_is_logged_without_the_words_of_its_dialog() {
    let refusals =
        [Refusal::UnknownOption("rm -rf /".to_owned()), Refusal::NotAccepted("rm -rf / is no date".to_owned())];
    for refusal in refusals {
        let failure = Failure::from(refusal.clone());
        let reason = failure.to_string();
        assert!(reason.contains("rm -rf"), "people are told: {reason}");
        let reopen = Effect::Reopen { prompt: PromptId(Uuid::nil()), reason, cause: failure.name() };
        assert_eq!(format!("{reopen:?}"), format!("Reopen({}, refused)", Uuid::nil()));
        let refused = RespondError::Refused(refusal);
        assert_eq!(refused.kind(), "refused");
        assert_eq!(format!("{:?}", Effect::Reply { ticket: Ticket(1), result: Err(refused) }), "Reply(refused)");
    }
}
