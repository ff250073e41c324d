//! GitHub Copilot CLI, read from its screen and answered by keys.

mod life;
mod permissions;
mod plans;
mod questions;

use std::path::Path;

use answerback_tests::{
    Cli, Live, Place, Versions,
    model::{Call, ToolResult, Turn},
    response_to, skip_if, wait_until,
};
use serde_json::{Value, json};
use shared_types::{
    InteractivePrompt, PermissionMode, PromptId, PromptOption, PromptOutcome, PromptResponse, SessionId, SessionState,
};

use crate::{basics, hostile};

const YES: &str = "Yes";
const NO: &str = "No, and tell Copilot";

/// Why none of its stories applies.
fn not_here() -> Option<&'static str> {
    (Versions::here() == Versions::Older).then_some("one version is pinned, the newest")
}

/// A session with Copilot CLI.
struct Copilot {
    live: Live,
    session: SessionId,
    rounds: usize,
    answered: Vec<PromptId>,
}

impl Copilot {
    /// A session that asks before everything.
    async fn new() -> Self {
        Self::in_mode(PermissionMode::Ask, |_| {}).await
    }

    /// A session in a permission mode, in a folder that was prepared.
    async fn in_mode(mode: PermissionMode, prepare: impl FnOnce(&Path)) -> Self {
        let mut live = Live::start_in(Cli::Copilot, Place::Temporary, &[], |folder| {
            prepare(folder);
            Vec::new()
        })
        .await;
        let folder = live.project();
        let session = live.phone.start_in(Some(mode), live.cli.adapter(), &folder.to_string_lossy(), &[]).await;
        let mut copilot = Self { live, session, rounds: 0, answered: Vec::new() };
        copilot.is_ready().await;
        copilot
    }

    /// Lets the model say these things in answer to a new message.
    async fn turns(&mut self, turns: impl IntoIterator<Item = Turn>) {
        self.rounds += 1;
        let message = format!("go on with round {}.", self.rounds);
        self.live.model.script(&message, turns);
        self.live.phone.send(self.session, &message).await;
    }

    /// Lets the model call a tool, and waits for the prompt that asks about it.
    async fn calls(&mut self, tool: &str, input: Value) -> InteractivePrompt {
        self.turns([Turn::tool(tool, input), Turn::say("That is done.")]).await;
        self.prompt().await
    }

    /// Lets the model call a tool, and sees that nobody is asked about it.
    async fn passes(&mut self, tool: &str, input: Value) {
        let last = format!("Nobody was asked in round {}.", self.rounds + 1);
        self.turns([Turn::tool(tool, input), Turn::say(&last)]).await;
        self.live.phone.wait_message(self.session, &last).await;
        self.is_ready().await;
    }

    /// Waits for the next prompt.
    async fn prompt(&mut self) -> InteractivePrompt {
        self.prompt_like("a prompt", |_| true).await
    }

    /// Waits for the next prompt that is like this.
    async fn prompt_like(&mut self, what: &str, is_it: impl Fn(&InteractivePrompt) -> bool) -> InteractivePrompt {
        let answered = self.answered.clone();
        let is_it = |prompt: &InteractivePrompt| !answered.contains(&prompt.request_id) && is_it(prompt);
        self.live.phone.wait_prompt_like(what, self.session, is_it).await
    }

    /// Chooses the option whose label begins so, and sees that the answer was taken.
    async fn choose(&mut self, prompt: &InteractivePrompt, label: &str) {
        let value = find_option(prompt, label).value.clone();
        self.respond(PromptResponse { selected_option: Some(value), ..response_to(prompt) }).await;
    }

    /// Chooses an option and says something with it.
    async fn say(&mut self, prompt: &InteractivePrompt, label: &str, text: &str) {
        let selected_option = Some(find_option(prompt, label).value.clone());
        let text_value = Some(text.to_owned());
        self.respond(PromptResponse { selected_option, text_value, ..response_to(prompt) }).await;
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

    async fn is_busy(&mut self) {
        let is_busy = |state: &SessionState| matches!(state, SessionState::Busy { .. });
        self.live.phone.wait_state("busy", self.session, is_busy).await;
    }

    fn has(&self, name: &str) -> bool {
        self.live.project().join(name).exists()
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.live.project().join(name)).expect("the file")
    }
}

/// The option with this label, or the first whose label begins so.
fn find_option<'a>(prompt: &'a InteractivePrompt, label: &str) -> &'a PromptOption {
    let options = prompt.options.as_deref().unwrap_or_default();
    let whole = options.iter().find(|option| option.label == label);
    let found = whole.or_else(|| options.iter().find(|option| option.label.starts_with(label)));
    found.unwrap_or_else(|| panic!("there is no option {label:?} among {options:?}"))
}

fn shell(command: &str) -> Value {
    json!({ "command": command, "description": "Does what the story needs" })
}

fn shell_call(command: &str) -> Call {
    Call::new("bash", shell(command))
}

#[tokio::test]
async fn it_starts_by_itself_and_keeps_messages_out_of_dialogs() {
    skip_if!(not_here());
    basics::starts_by_itself(Cli::Copilot).await;
    basics::keeps_messages_out_of_dialogs(Cli::Copilot).await;
}

#[tokio::test]
async fn it_hides_nothing_of_a_tall_command() {
    skip_if!(not_here());
    hostile::hides_nothing_of_a_tall_command(Cli::Copilot).await;
}

#[tokio::test]
async fn it_asks_before_a_repository_runs_anything() {
    skip_if!(not_here());
    hostile::asks_before_a_repository_runs_anything(Cli::Copilot).await;
}

/// Waits until a file of the project is there.
async fn is_made(copilot: &Copilot, name: &str) {
    wait_until(name, || copilot.has(name).then_some(()), || copilot.live.screens()).await;
}
