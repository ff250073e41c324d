//! Qwen Code. Its hooks only tell more of what its screen shows, so that every prompt is answered by keys.
//!
//! A session takes seconds to start, so each story has several parts.

mod life;

use answerback_tests::{
    Cli, Live, Versions,
    model::{ToolResult, Turn},
    response_to,
};
use serde_json::{Value, json};
use shared_types::{
    InteractivePrompt, OptionRole, PermissionMode, PromptId, PromptKind, PromptOption, PromptOutcome, PromptResponse,
    QuestionAnswer, Session, SessionId,
};

use crate::{basics, hostile};

/// A session with Qwen Code.
struct Qwen {
    live: Live,
    session: SessionId,
    rounds: usize,
    answered: Vec<PromptId>,
}

impl Qwen {
    /// A session in a permission mode.
    async fn in_mode(mode: PermissionMode) -> Self {
        let mut live = Live::start(Cli::Qwen).await;
        let folder = live.project();
        let session = live.phone.start_in(Some(mode), live.cli.adapter(), &folder.to_string_lossy(), &[]).await;
        live.phone.wait_ready(session).await;
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
        self.prompt_like("a prompt", |_| true).await
    }

    /// Waits for the next prompt that is like this.
    async fn prompt_like(&mut self, what: &str, is_it: impl Fn(&InteractivePrompt) -> bool) -> InteractivePrompt {
        let answered = self.answered.clone();
        let is_it = |prompt: &InteractivePrompt| !answered.contains(&prompt.request_id) && is_it(prompt);
        self.live.phone.wait_prompt_like(what, self.session, is_it).await
    }

    /// Chooses the first option with a role, and sees that the answer was taken.
    async fn choose(&mut self, prompt: &InteractivePrompt, role: OptionRole) {
        let options = prompt.options.as_deref().unwrap_or_default();
        let found = options.iter().find(|option| option.role == Some(role));
        let value = found.unwrap_or_else(|| panic!("there is no {role:?} among {options:?}")).value.clone();
        self.respond(PromptResponse { selected_option: Some(value), ..response_to(prompt) }).await;
    }

    async fn respond(&mut self, response: PromptResponse) {
        self.answered.push(response.request_id);
        let outcome = self.live.phone.respond(response).await;
        assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}\n{}", self.live.report());
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

    /// A file of the project by its whole path, as the CLI wants it.
    fn path(&self, name: &str) -> String {
        self.live.project().join(name).to_string_lossy().into_owned()
    }
}

fn shell(command: &str) -> Value {
    json!({ "command": command, "description": "Does what the story needs", "is_background": false })
}

fn options(prompt: &InteractivePrompt) -> &[PromptOption] {
    prompt.options.as_deref().unwrap_or_default()
}

#[tokio::test]
async fn it_starts_by_itself_and_runs_what_is_allowed() {
    basics::starts_by_itself(Cli::Qwen).await;
    basics::runs_what_is_allowed(Cli::Qwen).await;
}

#[tokio::test]
async fn it_runs_nothing_that_is_denied() {
    let (_live, results) = basics::runs_nothing_that_is_denied(Cli::Qwen).await;
    assert!(results.iter().any(|result| result.text.contains("did not allow")), "{results:?}");
}

#[tokio::test]
async fn it_keeps_messages_out_of_dialogs() {
    basics::keeps_messages_out_of_dialogs(Cli::Qwen).await;
}

#[tokio::test]
async fn it_asks_before_a_repository_runs_anything() {
    hostile::asks_before_a_repository_runs_anything(Cli::Qwen).await;
}

#[tokio::test]
async fn it_hides_nothing_of_a_tall_command() {
    hostile::hides_nothing_of_a_tall_command(Cli::Qwen).await;
}

#[tokio::test]
async fn permissions_once_for_good_and_not_at_all() {
    let mut qwen = Qwen::in_mode(PermissionMode::Ask).await;
    // Wider than the dialog, which loses characters where it wraps.
    let words = vec!["word"; 40].join(" ");
    let long = format!("touch long && echo '{words}' > words.txt");
    qwen.turns([Turn::tool("run_shell_command", shell(&long)), Turn::say("That is done.")]).await;
    let is_whole = |prompt: &InteractivePrompt| prompt.tool_input == Some(Value::String(long.clone()));
    let prompt = qwen.prompt_like("the whole command", is_whole).await;
    assert_eq!((prompt.kind, prompt.incomplete), (PromptKind::Permission, None));
    qwen.choose(&prompt, OptionRole::Allow).await;
    qwen.is_ready().await;
    assert!(qwen.has("long") && qwen.has("words.txt"));
    // Once was once; for good is until further notice.
    let prompt = qwen.calls("run_shell_command", shell("touch for-good-1")).await;
    qwen.choose(&prompt, OptionRole::AllowAlways).await;
    qwen.is_ready().await;
    qwen.turns([Turn::tool("run_shell_command", shell("touch for-good-2")), Turn::say("Nobody was asked.")]).await;
    qwen.live.phone.wait_message(qwen.session, "Nobody was asked.").await;
    qwen.is_ready().await;
    assert!(qwen.has("for-good-1") && qwen.has("for-good-2"));
    // A new file, refused and then written.
    let write = |qwen: &Qwen, name: &str| json!({ "file_path": qwen.path(name), "content": "print('hello')\n" });
    let input = write(&qwen, "first.py");
    let prompt = qwen.calls("write_file", input).await;
    assert!(prompt.diff.iter().flatten().any(|diff| diff.unified.contains("+print('hello')")), "{prompt:?}");
    qwen.choose(&prompt, OptionRole::Deny).await;
    qwen.is_ready().await;
    assert!(!qwen.has("first.py"));
    let input = write(&qwen, "second.py");
    let prompt = qwen.calls("write_file", input).await;
    qwen.choose(&prompt, OptionRole::AllowAlways).await;
    qwen.is_ready().await;
    assert!(qwen.has("second.py"));
    // Edits are accepted from now on, and the session says so.
    let accepts = |session: &Session| session.mode == Some(PermissionMode::AcceptEdits);
    qwen.live.phone.wait_session("edits to be accepted", qwen.session, accepts).await;
}

fn question(several: bool, header: &str, labels: &[&str]) -> Value {
    let options: Vec<Value> =
        labels.iter().map(|label| json!({ "label": label, "description": format!("What {label} means") })).collect();
    json!({ "question": format!("Which {header} should it be?"), "header": header, "multiSelect": several,
        "options": options })
}

fn answer(values: &[&str], text: Option<&str>) -> QuestionAnswer {
    let selected_options = values.iter().map(|value| (*value).to_owned()).collect();
    QuestionAnswer { selected_options, text_value: text.map(str::to_owned) }
}

#[tokio::test]
async fn questions_one_and_several() {
    let mut qwen = Qwen::in_mode(PermissionMode::Ask).await;
    let asks = |questions: &[Value]| json!({ "questions": questions });
    let databases = question(false, "database", &["PostgreSQL", "SQLite", "Nothing"]);
    let prompt = qwen.calls("ask_user_question", asks(std::slice::from_ref(&databases))).await;
    assert_eq!((prompt.kind, prompt.title.as_str()), (PromptKind::Question, "Which database should it be?"));
    qwen.respond(PromptResponse { selected_option: Some("SQLite".into()), ..response_to(&prompt) }).await;
    let told = qwen.result(1).await;
    assert!(told.text.ends_with("**database**: SQLite"), "{told:?}");
    qwen.is_ready().await;
    // A text of one's own.
    let prompt = qwen.calls("ask_user_question", asks(&[databases])).await;
    qwen.respond(PromptResponse { text_value: Some("a card index 2".into()), ..response_to(&prompt) }).await;
    let told = qwen.result(2).await;
    assert!(told.text.ends_with("**database**: a card index 2"), "{told:?}");
    qwen.is_ready().await;
    // Several at once, with one of one's own.
    let features = question(true, "features", &["Logging", "Metrics", "Tracing"]);
    let prompt = qwen.calls("ask_user_question", asks(std::slice::from_ref(&features))).await;
    assert_eq!((prompt.multi_select, options(&prompt).len()), (Some(true), 4), "{prompt:?}");
    // 0.15 does not take boxes and a text together.
    let own = (Versions::here() == Versions::Newest).then_some("alerts");
    let several = PromptResponse {
        selected_options: Some(vec!["Logging".into(), "Tracing".into()]),
        text_value: own.map(str::to_owned),
        ..response_to(&prompt)
    };
    qwen.respond(several).await;
    let told = qwen.result(3).await;
    let wanted = ["Logging", "Tracing"].into_iter().chain(own).collect::<Vec<_>>().join(", ");
    assert!(told.text.ends_with(&format!("**features**: {wanted}")), "{told:?}");
    qwen.is_ready().await;
    // Three questions on tabs, of which the phone knows all before the first is answered.
    let questions =
        [question(false, "language", &["Rust", "Go"]), features, question(false, "licence", &["MIT", "Apache"])];
    let call = Turn::tool("ask_user_question", asks(&questions));
    qwen.turns([call, Turn::say("I see.")]).await;
    let has_all = |prompt: &InteractivePrompt| {
        let questions = prompt.questions.as_deref().unwrap_or_default();
        questions.len() == 3 && questions.iter().all(|question| !question.options.is_empty())
    };
    let prompt = qwen.prompt_like("all questions", has_all).await;
    let answers = vec![answer(&["Go"], None), answer(&["Metrics"], None), answer(&["MIT"], None)];
    qwen.respond(PromptResponse { answers: Some(answers), ..response_to(&prompt) }).await;
    let told = qwen.result(4).await;
    for part in ["**language**: Go", "**features**: Metrics", "**licence**: MIT"] {
        assert!(told.text.contains(part), "{told:?}");
    }
    qwen.is_ready().await;
}

#[tokio::test]
async fn a_plan_is_refused_and_then_followed() {
    let mut qwen = Qwen::in_mode(PermissionMode::Plan).await;
    let steps: Vec<String> = (1..5).map(|step| format!("{step}. Do step {step}.")).collect();
    let plan = format!("# Add a greeting\n\n{}", steps.join("\n"));
    let prompt = qwen.calls("exit_plan_mode", json!({ "plan": plan })).await;
    assert_eq!(prompt.kind, PromptKind::Plan);
    assert!(prompt.plan.as_deref().is_some_and(|plan| plan.contains("Do step 4.")), "{prompt:?}");
    qwen.choose(&prompt, OptionRole::Deny).await;
    qwen.is_ready().await;
    assert_eq!(qwen.live.phone.session(qwen.session).mode, Some(PermissionMode::Plan));
    // By hand means that the work itself is asked about.
    let work = Turn::tool("run_shell_command", shell("touch greeting"));
    qwen.turns([Turn::tool("exit_plan_mode", json!({ "plan": plan })), work, Turn::say("That is done.")]).await;
    let prompt = qwen.prompt_like("the plan", |prompt| prompt.kind == PromptKind::Plan).await;
    let by_hand = options(&prompt).iter().find(|option| option.label.contains("manually")).expect("by hand");
    let response = PromptResponse { selected_option: Some(by_hand.value.clone()), ..response_to(&prompt) };
    qwen.respond(response).await;
    let prompt = qwen.prompt_like("the work", |prompt| prompt.kind == PromptKind::Permission).await;
    assert!(!qwen.has("greeting"));
    qwen.choose(&prompt, OptionRole::Allow).await;
    qwen.is_ready().await;
    assert!(qwen.has("greeting"));
}

#[tokio::test]
async fn a_loop_is_told_and_ended() {
    let mut qwen = Qwen::in_mode(PermissionMode::Ask).await;
    std::fs::write(qwen.path("a.txt"), "one\n").expect("a file");
    let input = json!({ "file_path": qwen.path("a.txt") });
    qwen.turns((0..12).map(|_| Turn::tool("read_file", input.clone()))).await;
    let prompt = qwen.prompt_like("the loop", |prompt| prompt.kind == PromptKind::LoopDetected).await;
    let keep = options(&prompt).first().expect("an option").value.clone();
    qwen.respond(PromptResponse { selected_option: Some(keep), ..response_to(&prompt) }).await;
    qwen.is_ready().await;
    assert!(qwen.live.model.tool_results().len() < 12, "it went on");
}
