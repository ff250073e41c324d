//! Claude Code. Most stories are told twice: answered through its hooks, and with hooks switched off by keys alone.

mod aside;
mod conversation;
mod hooks_off;
mod life;
mod many;
mod options;
mod permissions;
mod plans;
mod questions;
mod sandbox;
mod servers;
mod versions;

use answerback_tests::{
    Cli, Live, Place,
    model::{ToolResult, Turn},
    response_to, wait_until,
};
use serde_json::{Value, json};
use shared_types::{
    InteractivePrompt, PermissionMode, PromptId, PromptOption, PromptOutcome, PromptResponse, PromptSource, SessionId,
};

use self::versions::{Feature, version};
use crate::{basics, hostile};

/// Tells a story through hooks and through keys.
macro_rules! both_ways {
    ($($(#[$note:meta])* $story:ident;)*) => {
        mod by_hook {
            $($(#[$note])* #[tokio::test] async fn $story() { super::$story(crate::claude::Way::Hook).await; })*
        }
        mod by_keys {
            $($(#[$note])* #[tokio::test] async fn $story() { super::$story(crate::claude::Way::Keys).await; })*
        }
    };
}
pub(crate) use both_ways;

/// How Answerback learns what is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Claude tells.
    Hook,
    /// Its screen tells.
    Keys,
}

/// A session with Claude Code.
pub(crate) struct Claude {
    live: Live,
    session: SessionId,
    way: Way,
    rounds: usize,
    answered: Vec<PromptId>,
}

impl Claude {
    /// A session that asks before everything.
    async fn new(way: Way) -> Self {
        Self::in_mode(way, PermissionMode::Ask, |_| {}).await
    }

    /// A session in a permission mode, in a project that was prepared.
    async fn in_mode(way: Way, mode: PermissionMode, prepare: impl FnOnce(&Live)) -> Self {
        let mut claude = Self::starting(way, mode, prepare).await;
        claude.live.phone.wait_ready(claude.session).await;
        claude
    }

    /// A session that is still starting.
    async fn starting(way: Way, mode: PermissionMode, prepare: impl FnOnce(&Live)) -> Self {
        Self::with(way, mode, &[], prepare).await
    }

    /// A session that is still starting, with variables of its own.
    async fn with(
        way: Way,
        mode: PermissionMode,
        variables: &[(&'static str, &str)],
        prepare: impl FnOnce(&Live),
    ) -> Self {
        let hooks = if way == Way::Hook { "--hooks=true" } else { "--hooks=false" };
        let variables = variables.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let mut live = Live::start_in(Cli::Claude, Place::Temporary, &[hooks], |_| variables).await;
        prepare(&live);
        let folder = live.project();
        let session = live.phone.start_in(Some(mode), live.cli.adapter(), &folder.to_string_lossy(), &[]).await;
        Self { live, session, way, rounds: 0, answered: Vec::new() }
    }

    /// Trusts a folder that brings something which would run, as the prompt for that says.
    async fn trusts_the_folder(&mut self, brings: &str) {
        let prompt = self.live.phone.wait_prompt(self.session).await;
        assert!(format!("{prompt:?}").contains(brings), "what would run is listed: {prompt:?}");
        self.choose(&prompt, "Yes").await;
    }

    /// Lets the model say these things in answer to a new message.
    async fn turns(&mut self, turns: impl IntoIterator<Item = Turn>) {
        self.rounds += 1;
        let message = format!("go on with round {}", self.rounds);
        self.live.model.script(&message, turns);
        self.live.phone.send(self.session, &message).await;
    }

    /// Lets the model call a tool, and waits for the prompt that asks about it.
    async fn calls(&mut self, tool: &str, input: Value) -> InteractivePrompt {
        self.turns([Turn::tool(tool, input), Turn::say("That is done.")]).await;
        self.prompt().await
    }

    /// Waits for the next prompt.
    async fn prompt(&mut self) -> InteractivePrompt {
        self.prompt_like("a prompt", |_| true).await
    }

    /// Waits for the next prompt that is like this. On a busy machine the screen may be the first to tell; with hooks, theirs is
    /// awaited.
    async fn prompt_like(&mut self, what: &str, is_it: impl Fn(&InteractivePrompt) -> bool) -> InteractivePrompt {
        let source = if self.way == Way::Hook { PromptSource::Hook } else { PromptSource::Screen };
        let (session, answered) = (self.session, self.answered.clone());
        let is_it = |prompt: &InteractivePrompt| {
            prompt.source == Some(source) && !answered.contains(&prompt.request_id) && is_it(prompt)
        };
        self.live.phone.wait_prompt_like(what, session, is_it).await
    }

    /// Chooses the option whose label has this part, and sees that the answer was taken.
    async fn choose(&mut self, prompt: &InteractivePrompt, part: &str) {
        self.answer(prompt, part, None).await;
    }

    /// Chooses an option and says something with it.
    async fn say(&mut self, prompt: &InteractivePrompt, part: &str, text: &str) {
        self.answer(prompt, part, Some(text)).await;
    }

    async fn answer(&mut self, prompt: &InteractivePrompt, part: &str, text: Option<&str>) {
        // Before its dialog is drawn a prompt has our own words for some options; those of the dialog are awaited.
        let offers = |prompt: &InteractivePrompt| find_option(prompt, part).is_some();
        let drawn = if offers(prompt) { prompt.clone() } else { self.prompt_like(part, offers).await };
        assert_eq!(drawn.request_id, prompt.request_id, "another prompt: {drawn:?}");
        let value = find_option(&drawn, part).expect("the option").value.clone();
        let text_value = text.map(str::to_owned);
        self.respond(PromptResponse { selected_option: Some(value), text_value, ..response_to(prompt) }).await;
    }

    async fn respond(&mut self, response: PromptResponse) {
        self.answered.push(response.request_id);
        let outcome = self.live.phone.respond(response).await;
        assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}\n{}", self.live.screens());
    }

    /// Presses keys as somebody at the desk does.
    fn press_at_the_desk(&self, keys: &[&str]) {
        let target = format!("=ab-{}:", self.session.0.simple());
        self.live.server.tmux(&[&["send-keys", "-t", &target], keys].concat());
    }

    /// Answers the dialog as somebody at the desk does: presses a key, and once more when nothing came of it, because a dialog
    /// that comes soon after somebody typed is deaf at first.
    async fn at_the_desk(&self, key: &str, question: &str) {
        let target = format!("=ab-{}:", self.session.0.simple());
        // A hook tells before the dialog is drawn.
        let drawn = || self.live.screens().contains(question).then_some(());
        wait_until("the dialog", drawn, || self.live.screens()).await;
        let mut looks = 0_u32;
        wait_until(
            "the dialog to go",
            || {
                // Some hundred looks are about a second.
                if looks.is_multiple_of(100) {
                    self.live.server.tmux(&["send-keys", "-t", &target, key]);
                }
                looks += 1;
                (!self.live.screens().contains(question)).then_some(())
            },
            || self.live.screens(),
        )
        .await;
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

    /// Waits until the session shows a permission mode.
    async fn is_in_mode(&mut self, mode: PermissionMode) {
        let session = self.session;
        self.live.phone.wait_session(&format!("mode {mode:?}"), session, |session| session.mode == Some(mode)).await;
    }

    fn path(&self, name: &str) -> String {
        self.live.project().join(name).to_string_lossy().into_owned()
    }

    fn has(&self, name: &str) -> bool {
        self.live.project().join(name).exists()
    }

    /// Waits until a file of the project is there.
    async fn makes(&self, name: &str) {
        wait_until(name, || self.has(name).then_some(()), || self.live.screens()).await;
    }

    fn file(&self, name: &str) -> String {
        std::fs::read_to_string(self.live.project().join(name)).expect("the file")
    }

    /// Puts a file into the project.
    fn put(&self, name: &str, content: &str) {
        std::fs::write(self.live.project().join(name), content).expect("a file of the project");
    }

    /// Waits until the terminal shows this.
    async fn shows(&self, text: &str) {
        wait_until(text, || self.live.screens().contains(text).then_some(()), || self.live.screens()).await;
    }
}

/// Whether it can be refused without a word.
pub(crate) fn has_plain_no() -> bool {
    version().features.has(Feature::PlainNo)
}

/// The option whose label has this part; the one with nothing else first, for "Yes" is part of many. Claude writes some of its
/// apostrophes curled.
fn find_option<'a>(prompt: &'a InteractivePrompt, part: &str) -> Option<&'a PromptOption> {
    let options = prompt.options.as_deref().unwrap_or_default();
    let has = |option: &&PromptOption| option.label.replace('’', "'").contains(part);
    options.iter().find(|option| option.label == part).or_else(|| options.iter().find(has))
}

fn shell(command: &str) -> Value {
    json!({ "command": command, "description": "Does what the story needs" })
}

#[tokio::test]
async fn it_starts_by_itself() {
    let live = basics::starts_by_itself(Cli::Claude).await;
    let known: Value = serde_json::from_str(&live.home_file(".claude.json")).expect("its settings");
    let project = &known["projects"][live.project().to_string_lossy().as_ref()];
    assert_eq!(project["hasTrustDialogAccepted"], true, "{known}");
    assert_eq!(known["customApiKeyResponses"]["approved"].as_array().map(Vec::len), Some(1), "{known}");
    assert_eq!(live.home_file(".claude/settings.json"), "", "the person's own settings are not written");
}

#[tokio::test]
async fn it_runs_what_is_allowed() {
    basics::runs_what_is_allowed(Cli::Claude).await;
}

#[tokio::test]
async fn it_runs_nothing_that_is_denied() {
    let (_live, results) = basics::runs_nothing_that_is_denied(Cli::Claude).await;
    // The turn ends with the denial; the model hears of it with the next message.
    assert_eq!(results.len(), 1, "{results:?}");
    assert!(results[0].text.contains(version().denied), "{results:?}");
}

#[tokio::test]
async fn it_keeps_messages_out_of_dialogs() {
    basics::keeps_messages_out_of_dialogs(Cli::Claude).await;
}

#[tokio::test]
async fn it_asks_before_a_repository_runs_anything() {
    hostile::asks_before_a_repository_runs_anything(Cli::Claude).await;
}

#[tokio::test]
async fn it_hides_nothing_of_a_tall_command() {
    hostile::hides_nothing_of_a_tall_command(Cli::Claude).await;
}
