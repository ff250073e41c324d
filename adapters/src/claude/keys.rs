//! stub
use crate::{Refusal, Sighting, Step};
use shared_types::PromptResponse;
pub(super) fn next(_: &Sighting, _: &PromptResponse) -> Result<Step, Refusal> {
    Err(Refusal::TerminalOnly)
}
