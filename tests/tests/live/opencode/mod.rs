//! opencode, through its pane alone.

mod approvals;
mod many;
mod questions;

use std::fs;

use answerback_tests::{
    Cli, Live,
    model::{Call, ToolResult, Turn},
    response_to, wait_until,
};
use serde_json::json;
use shared_types::{
    Command, InteractivePrompt, OptionRole, PermissionMode, PromptId, PromptOption, PromptOutcome, PromptResponse,
    SessionId, SessionState,
};

use crate::basics;

/// A session with opencode.
pub(crate) struct OpenCode {
    live: Live,
    session: SessionId,
    rounds: usize,
    answered: Vec<PromptId>,
}

impl OpenCode {
    /// A session that asks before everything that matters.
    async fn new() -> Self {
        let mut live = Live::start(Cli::OpenCode).await;
        let session = live.session().await;
        Self { live, session, rounds: 0, answered: Vec::new() }
    }

    /// Lets the model say these things in answer to a new message.
    async fn turns(&mut self, turns: impl IntoIterator<Item = Turn>) {
        self.rounds += 1;
        let message = format!("go on with round {};", self.rounds);
        self.live.model.script(&message, turns);
        self.live.phone.send(self.session, &message).await;
    }

    /// Lets the model call a tool, and waits for the prompt that asks about it.
    async fn calls(&mut self, call: Call) -> InteractivePrompt {
        self.turns([Turn::tools([call]), Turn::say("That is done.")]).await;
        self.prompt().await
    }

    /// Waits for the next prompt.
    async fn prompt(&mut self) -> InteractivePrompt {
        let (session, answered) = (self.session, self.answered.clone());
        let is_it = |prompt: &InteractivePrompt| !answered.contains(&prompt.request_id);
        self.live.phone.wait_prompt_like("a prompt", session, is_it).await
    }

    /// Chooses the option that has a role, and sees that the answer was taken.
    async fn choose(&mut self, prompt: &InteractivePrompt, role: OptionRole) {
        let selected_option = Some(option(prompt, role).value.clone());
        self.respond(PromptResponse { selected_option, ..response_to(prompt) }).await;
    }

    async fn respond(&mut self, response: PromptResponse) {
        self.answered.push(response.request_id);
        let outcome = self.live.phone.respond(response).await;
        assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}\n{}", self.live.screens());
    }

    /// Waits until the model has the result of this many calls, and gives the last.
    async fn result(&self, count: usize) -> ToolResult {
        let results = self.live.model.wait_tool_results(count).await;
        assert_eq!(results.len(), count, "{results:?}");
        results[count - 1].clone()
    }

    async fn is_ready(&mut self) {
        self.live.phone.wait_ready(self.session).await;
    }

    fn has(&self, name: &str) -> bool {
        self.live.project().join(name).exists()
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.live.project().join(name)).unwrap_or_default()
    }
}

/// The option with a role.
fn option(prompt: &InteractivePrompt, role: OptionRole) -> &PromptOption {
    let mut options = prompt.options.iter().flatten();
    options.find(|option| option.role == Some(role)).unwrap_or_else(|| panic!("there is no {role:?} in {prompt:?}"))
}

fn shell(command: &str) -> Call {
    Cli::OpenCode.shell(command)
}

#[tokio::test]
async fn it_starts_by_itself() {
    basics::starts_by_itself(Cli::OpenCode).await;
}

#[tokio::test]
async fn a_message_stays_out_of_a_dialog() {
    basics::keeps_messages_out_of_dialogs(Cli::OpenCode).await;
}

#[tokio::test]
async fn its_work_is_interrupted() {
    let mut opencode = OpenCode::new().await;
    let command = "touch begun && sleep 600 && touch over";
    let prompt = opencode.calls(shell(command)).await;
    opencode.choose(&prompt, OptionRole::Allow).await;
    wait_until("the command to run", || opencode.has("begun").then_some(()), || opencode.live.screens()).await;
    let session_id = opencode.session;
    let busy = |state: &SessionState| matches!(state, SessionState::Busy { .. });
    opencode.live.phone.wait_state("busy", session_id, busy).await;
    opencode.live.phone.ask(Command::Interrupt { session_id }).await.expect("it was interrupted");
    opencode.is_ready().await;
    let ended = || opencode.live.running("sleep 600").is_empty().then_some(());
    wait_until("the command to end", ended, || opencode.live.screens()).await;
    opencode.turns([Turn::say("Here I am again.")]).await;
    opencode.live.model.wait_user_text("go on with round 2;").await;
    opencode.is_ready().await;
}

#[tokio::test]
async fn its_agent_is_the_mode_and_can_be_changed() {
    let mut opencode = OpenCode::new().await;
    let session_id = opencode.session;
    for mode in [PermissionMode::Plan, PermissionMode::Ask] {
        opencode.live.phone.ask(Command::SetMode { session_id, mode }).await.expect("the mode was changed");
        let shown = |session: &shared_types::Session| session.mode == Some(mode);
        opencode.live.phone.wait_session("the mode", session_id, shown).await;
    }
    let prompt = opencode.calls(shell("touch made")).await;
    assert_eq!(prompt.tool_input, Some(json!("touch made")));
    opencode.choose(&prompt, OptionRole::Allow).await;
    opencode.is_ready().await;
    assert!(opencode.has("made"));
}
