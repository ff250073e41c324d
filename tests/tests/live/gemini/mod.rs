//! Gemini CLI. Its hooks only tell more of what its screen shows, so that every prompt is answered by keys.

mod life;
mod permissions;
mod plans;
mod questions;
mod start;
mod versions;

use std::path::Path;

use answerback_tests::{
    Cli, Live, Place,
    model::{Call, ToolResult, Turn},
    response_to, wait_until,
};
use serde_json::{Value, json};
use shared_types::{
    InteractivePrompt, PermissionMode, PromptId, PromptOption, PromptOutcome, PromptResponse, SessionId,
};

use self::versions::{Feature, version};
use crate::{basics, hostile};

/// A session with Gemini CLI.
pub(crate) struct Gemini {
    live: Live,
    session: SessionId,
    rounds: usize,
    answered: Vec<PromptId>,
}

impl Gemini {
    /// A session that asks before everything, whose hooks tell where that is possible.
    async fn new() -> Self {
        Self::in_mode(PermissionMode::Ask, |_| {}).await
    }

    /// A session in a permission mode, in a folder that was prepared.
    async fn in_mode(mode: PermissionMode, prepare: impl FnOnce(&Path)) -> Self {
        Self::at(Place::Roots, mode, prepare).await
    }

    async fn at(place: Place, mode: PermissionMode, prepare: impl FnOnce(&Path)) -> Self {
        let live = Live::start_in(Cli::Gemini, place, &[], |folder| {
            trust(&folder.join("home"), &folder.join("project"));
            prepare(folder);
            administer(folder)
        })
        .await;
        let mut gemini = Self::starting(live, mode, &[]).await;
        gemini.is_ready().await;
        gemini
    }

    /// A session that is still starting.
    async fn starting(mut live: Live, mode: PermissionMode, arguments: &[&str]) -> Self {
        let folder = live.project();
        let session = live.phone.start_in(Some(mode), live.cli.adapter(), &folder.to_string_lossy(), arguments).await;
        Self { live, session, rounds: 0, answered: Vec::new() }
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

    /// Chooses the option whose label has this part, and sees that the answer was taken.
    async fn choose(&mut self, prompt: &InteractivePrompt, part: &str) {
        let value = find_option(prompt, part).value.clone();
        self.respond(PromptResponse { selected_option: Some(value), ..response_to(prompt) }).await;
    }

    /// Chooses an option and says something with it.
    async fn say(&mut self, prompt: &InteractivePrompt, part: &str, text: &str) {
        let value = find_option(prompt, part).value.clone();
        let text_value = Some(text.to_owned());
        self.respond(PromptResponse { selected_option: Some(value), text_value, ..response_to(prompt) }).await;
    }

    async fn respond(&mut self, response: PromptResponse) {
        self.answered.push(response.request_id);
        let outcome = self.live.phone.respond(response).await;
        assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}\n{}", self.live.screens());
    }

    /// Presses a key as somebody at the desk does.
    fn press_at_the_desk(&self, key: &str) {
        self.live.server.tmux(&["send-keys", "-t", &format!("=ab-{}:", self.session.0.simple()), key]);
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

    /// Waits until the terminal shows a text.
    async fn shows(&self, text: &str) {
        wait_until(text, || self.live.screens().contains(text).then_some(()), || self.live.screens()).await;
    }

    fn has(&self, name: &str) -> bool {
        self.live.project().join(name).exists()
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.live.project().join(name)).expect("the file")
    }

    /// Puts a file into the project.
    fn put(&self, name: &str, content: &str) {
        std::fs::write(self.live.project().join(name), content).expect("a file of the project");
    }

    /// Whether its hooks tell: 0.22 has none, and 0.61 takes ours only from a folder of root's.
    fn has_hooks(&self) -> bool {
        version().features.has(Feature::Hooks) && self.live.is_roots
    }
}

/// The option whose label has this part; the one with nothing else first.
fn find_option<'a>(prompt: &'a InteractivePrompt, part: &str) -> &'a PromptOption {
    let options = prompt.options.as_deref().unwrap_or_default();
    let whole = options.iter().find(|option| option.label == part);
    let found = whole.or_else(|| options.iter().find(|option| option.label.contains(part)));
    found.unwrap_or_else(|| panic!("there is no option {part:?} among {options:?}"))
}

/// The labels of a prompt's options.
fn labels(prompt: &InteractivePrompt) -> Vec<&str> {
    prompt.options.iter().flatten().map(|option| option.label.as_str()).collect()
}

fn shell(command: &str) -> Value {
    json!({ "command": command, "description": "Does what the story needs" })
}

fn shell_call(command: &str) -> Call {
    Call::new("run_shell_command", shell(command))
}

/// Lets the CLI know the project's folder, as on every day but the first.
fn trust(home: &Path, project: &Path) {
    let folder = home.join(".gemini");
    std::fs::create_dir_all(&folder).expect("the CLI's folder");
    let project = project.canonicalize().expect("the project");
    let known = json!({ project.to_string_lossy(): "TRUST_FOLDER" });
    std::fs::write(folder.join("trustedFolders.json"), known.to_string()).expect("its folders");
}

/// Writes what an administrator might say for the whole machine; Answerback must not lose it.
fn administer(folder: &Path) -> Vec<(&'static str, String)> {
    let path = folder.join("administrator.json");
    let settings = json!({
        "privacy": { "usageStatisticsEnabled": false },
        "general": { "enableAutoUpdate": false, "enableAutoUpdateNotification": false },
        "model": { "name": "gemini-2.5-flash" },
    });
    std::fs::write(&path, settings.to_string()).expect("the administrator's file");
    vec![("GEMINI_CLI_SYSTEM_SETTINGS_PATH", path.to_string_lossy().into_owned())]
}

#[tokio::test]
async fn it_keeps_messages_out_of_dialogs() {
    basics::keeps_messages_out_of_dialogs(Cli::Gemini).await;
}

#[tokio::test]
async fn it_asks_before_a_repository_runs_anything() {
    hostile::asks_before_a_repository_runs_anything(Cli::Gemini).await;
}

#[tokio::test]
async fn it_hides_nothing_of_a_tall_command() {
    hostile::hides_nothing_of_a_tall_command(Cli::Gemini).await;
}
