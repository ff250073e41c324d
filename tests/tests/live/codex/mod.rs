//! Codex, through its pane alone.

mod approvals;
mod life;
mod many;
mod plans;
mod questions;
mod servers;
mod versions;

use std::fs;

use answerback_tests::{
    Cli, Live,
    model::{Call, ToolResult, Turn},
    response_to, skip_if, wait_until,
};
use serde_json::Value;
use shared_types::{
    InteractivePrompt, OptionRole, PermissionMode, PromptId, PromptOption, PromptOutcome, PromptResponse, SessionId,
};

use self::versions::{Feature, version};
use crate::{basics, hostile};

/// A session with Codex.
pub(crate) struct Codex {
    live: Live,
    session: SessionId,
    rounds: usize,
    answered: Vec<PromptId>,
}

impl Codex {
    /// A session that asks before everything.
    async fn new() -> Self {
        Self::with(PermissionMode::Ask, &[], |_| {}).await
    }

    /// A session in a permission mode, with more settings as `-c` takes them, in a home and a project that were prepared.
    async fn with(mode: PermissionMode, settings: &[&str], prepare: impl FnOnce(&Live)) -> Self {
        let mut live = Live::start(Cli::Codex).await;
        prepare(&live);
        let folder = live.project();
        let command: Vec<&str> =
            version().settings.iter().chain(settings).flat_map(|setting| ["-c", setting]).collect();
        let session = live.phone.start_in(Some(mode), live.cli.adapter(), &folder.to_string_lossy(), &command).await;
        live.phone.wait_ready(session).await;
        Self { live, session, rounds: 0, answered: Vec::new() }
    }

    /// Lets the model say these things in answer to a new message.
    async fn turns(&mut self, turns: impl IntoIterator<Item = Turn>) {
        self.rounds += 1;
        // No word in it that a dialog would take for a key: a message that got into one would be seen.
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
        self.prompt_like("a prompt", |_| true).await
    }

    /// Waits for the next prompt that is like this.
    async fn prompt_like(&mut self, what: &str, is_it: impl Fn(&InteractivePrompt) -> bool) -> InteractivePrompt {
        let (session, answered) = (self.session, self.answered.clone());
        let is_it = |prompt: &InteractivePrompt| !answered.contains(&prompt.request_id) && is_it(prompt);
        self.live.phone.wait_prompt_like(what, session, is_it).await
    }

    /// Chooses the option whose label has this part, and sees that the answer was taken.
    async fn choose(&mut self, prompt: &InteractivePrompt, part: &str) {
        self.answer(prompt, Some(part), None).await;
    }

    /// Chooses an option, says something with it, or both.
    async fn answer(&mut self, prompt: &InteractivePrompt, part: Option<&str>, text: Option<&str>) {
        let selected_option = part.map(|part| option(prompt, part).value.clone());
        let text_value = text.map(str::to_owned);
        self.respond(PromptResponse { selected_option, text_value, ..response_to(prompt) }).await;
    }

    async fn respond(&mut self, response: PromptResponse) {
        self.answered.push(response.request_id);
        let outcome = self.live.phone.respond(response).await;
        assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}\n{}", self.live.screens());
    }

    /// Presses a key in the terminal, as somebody at the desk does.
    fn at_the_desk(&self, key: &str) {
        self.live.server.tmux(&["send-keys", "-t", &format!("=ab-{}:", self.session.0.simple()), key]);
    }

    /// Waits until the terminal shows this.
    async fn shows(&self, part: &str) {
        let look = || self.live.screens().contains(part).then_some(());
        wait_until(&format!("{part:?} on the screen"), look, || self.live.screens()).await;
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

    /// The id of the conversation that the session is in.
    fn conversation(&self) -> Option<String> {
        self.live.phone.session(self.session).conversation.clone()
    }

    fn has(&self, name: &str) -> bool {
        self.live.project().join(name).exists()
    }

    fn file(&self, name: &str) -> String {
        fs::read_to_string(self.live.project().join(name)).unwrap_or_default()
    }

    /// Puts a file into the project.
    fn put(&self, name: &str, content: &str) {
        fs::write(self.live.project().join(name), content).expect("a file of the project");
    }
}

/// The option whose label has this part; the one with nothing else first, for "Yes" is part of many.
fn option<'a>(prompt: &'a InteractivePrompt, part: &str) -> &'a PromptOption {
    let options = prompt.options.as_deref().unwrap_or_default();
    let whole = options.iter().find(|option| option.label == part);
    let found = whole.or_else(|| options.iter().find(|option| option.label.contains(part)));
    found.unwrap_or_else(|| panic!("there is no {part:?} in {prompt:?}"))
}

/// What the options of a prompt are said to mean.
fn roles(prompt: &InteractivePrompt) -> Vec<Option<OptionRole>> {
    prompt.options.iter().flatten().map(|option| option.role).collect()
}

/// A command that is to run outside of the sandbox.
fn shell(command: &str) -> Call {
    Cli::Codex.shell(command)
}

/// A change of files, in the form that Codex's models write it.
fn patch(lines: &[&str]) -> Call {
    let text = format!("*** Begin Patch\n{}\n*** End Patch", lines.join("\n"));
    Call::new("apply_patch", Value::String(text))
}

/// Adds settings to the ones in the home.
fn configure(live: &Live, settings: &str) {
    let path = live.home().join(".codex/config.toml");
    let known = fs::read_to_string(&path).expect("its settings");
    fs::write(path, format!("{known}\n{settings}\n")).expect("its settings");
}

#[tokio::test]
async fn it_starts_by_itself() {
    let live = basics::starts_by_itself(Cli::Codex).await;
    let known = live.home_file(".codex/config.toml");
    let project = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"", live.project().display());
    assert_eq!(known.contains(&project), !version().features.has(Feature::NoTrustAsked), "{known}");
    // Nothing that would outlive the session.
    assert!(!live.home().join(".codex/packages").exists());
    assert!(!live.command_lines().iter().any(|line| line.contains("app-server")), "{:?}", live.command_lines());
}

#[tokio::test]
async fn hooks_are_not_trusted_for_the_person() {
    skip_if!(version().features.lacks(Feature::HooksAreAsked));
    let mut live = Live::start(Cli::Codex).await;
    let hook = live.project().join("hooked");
    let command = format!("touch {}", hook.display());
    let hooks = serde_json::json!({ "hooks": { "UserPromptSubmit": [{ "hooks": [{ "type": "command", "command": command }] }] } });
    fs::write(live.home().join(".codex/hooks.json"), hooks.to_string()).expect("its hooks");
    let session = live.session().await;
    live.model.script("are you there", [Turn::say("I am.")]);
    live.phone.send(session, "are you there").await;
    let messages = live.phone.wait_history(session, "I am.").await;
    let passed = format!("{messages:?}");
    assert!(passed.contains("Continue without trusting"), "it was asked and passed: {passed}");
    assert!(!hook.exists(), "the hook ran");
}

#[tokio::test]
async fn an_update_and_another_model_are_passed_over() {
    let settings = ["check_for_update_on_startup=true", "model=\"gpt-5.5\""];
    let mut codex = Codex::with(PermissionMode::Ask, &settings, |live| {
        let newer = serde_json::json!({ "latest_version": "99.0.0", "last_checked_at": "2099-01-01T00:00:00Z" });
        fs::write(live.home().join(".codex/version.json"), newer.to_string()).expect("a newer version is known");
    })
    .await;
    codex.turns([Turn::say("Here I am.")]).await;
    let passed = format!("{:?}", codex.live.phone.wait_history(codex.session, "Here I am.").await);
    assert!(passed.contains("Skip"), "the update was offered and passed: {passed}");
    if version().features.has(Feature::OffersModel) {
        assert!(passed.contains("Use existing model"), "the other model was offered and passed: {passed}");
        let model = codex.live.model.requests().first().map(|request| request.body["model"].clone());
        assert_eq!(model, Some(Value::from("gpt-5.5")));
    }
}

#[tokio::test]
async fn signing_in_is_left_to_the_person() {
    let mut live = Live::start(Cli::Codex).await;
    fs::write(live.home().join(".codex/config.toml"), "").expect("its settings");
    let folder = live.project();
    let session = live.phone.start(live.cli.adapter(), &folder.to_string_lossy(), &[]).await;
    let prompt = live.phone.wait_prompt(session).await;
    let labels: Vec<&str> = prompt.options.iter().flatten().map(|option| option.label.as_str()).collect();
    assert!(labels.iter().any(|label| label.contains("Sign in with ChatGPT")), "{prompt:?}");
    let mut prompt = prompt;
    // 0.169 has the key on a page of its own.
    for way in ["another way", "API key"] {
        let labels: Vec<String> = prompt.options.iter().flatten().map(|option| option.label.clone()).collect();
        if let Some(label) = labels.iter().find(|label| label.contains(way)) {
            live.phone.choose(&prompt, label).await;
            prompt = live.phone.wait_prompt(session).await;
        }
    }
    assert_eq!(prompt.text_input.as_ref().and_then(|field| field.secret), Some(true), "{prompt:?}");
}

#[tokio::test]
async fn it_runs_what_is_allowed() {
    basics::runs_what_is_allowed(Cli::Codex).await;
}

#[tokio::test]
async fn it_runs_nothing_that_is_denied() {
    let (_live, results) = basics::runs_nothing_that_is_denied(Cli::Codex).await;
    // The turn ends with the denial; the model hears of it with the next message.
    assert_eq!(results.len(), 1, "{results:?}");
    assert!(results[0].text.contains("aborted"), "{results:?}");
}

#[tokio::test]
async fn it_keeps_messages_out_of_dialogs() {
    basics::keeps_messages_out_of_dialogs(Cli::Codex).await;
}

#[tokio::test]
async fn it_asks_before_a_repository_runs_anything() {
    hostile::asks_before_a_repository_runs_anything(Cli::Codex).await;
}

#[tokio::test]
async fn it_hides_nothing_of_a_tall_command() {
    hostile::hides_nothing_of_a_tall_command(Cli::Codex).await;
}
