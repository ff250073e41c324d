//! What every CLI must do. Each of their modules tells these stories with its own.

use answerback_tests::{
    Cli, Live, http,
    model::{ToolResult, Turn},
    response_to, wait_until,
};
use shared_types::{
    Command, ErrorCode, InteractivePrompt, OptionRole, PROOF_HEADER, PermissionMode, PromptKind, PromptOutcome,
    PromptResponse, SessionId, SessionState,
};

use crate::claude;

/// Starts it in a home that knows neither the folder nor the key; it comes up with nobody's help and with its permissions on.
pub(crate) async fn starts_by_itself(cli: Cli) -> Live {
    let mut live = Live::start(cli).await;
    let session = live.session().await;
    let shown = live.phone.session(session);
    assert_eq!(shown.mode, Some(PermissionMode::Ask));
    let lines = live.command_lines();
    let careful = match cli {
        Cli::Claude => "--permission-mode default",
        Cli::Codex => "sandbox_mode=\"read-only\"",
        Cli::Gemini | Cli::Qwen => "--approval-mode default",
        // A variable says so; the stories of what is asked show it.
        Cli::OpenCode => "opencode",
        Cli::Copilot => "--mode interactive",
    };
    assert!(lines.iter().any(|line| line.contains(careful)), "{lines:?}");
    let free = ["bypass", "dangerously", "yolo", "--auto"];
    assert!(!lines.iter().any(|line| free.iter().any(|word| line.contains(word))), "{lines:?}");
    live
}

/// A command that was asked about and allowed runs, and the model gets its output.
pub(crate) async fn runs_what_is_allowed(cli: Cli) -> Live {
    let (mut live, session, prompt) = asked(cli).await;
    assert_eq!(prompt.kind, PromptKind::Permission);
    assert!(prompt.tool_input.as_ref().is_some_and(|input| input.to_string().contains("touch made")), "{prompt:?}");
    assert!(!made(&live).exists(), "it ran before it was allowed");
    let outcome = choose(&mut live, &prompt, OptionRole::Allow).await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    let results = live.model.wait_tool_results(1).await;
    assert!(results[0].text.contains("0 made"), "{results:?}");
    assert!(made(&live).exists());
    live.phone.wait_ready(session).await;
    live
}

/// A command that was denied does not run. Returns what the model was told, as it came with the next message.
pub(crate) async fn runs_nothing_that_is_denied(cli: Cli) -> (Live, Vec<ToolResult>) {
    let (mut live, session, prompt) = asked(cli).await;
    let outcome = deny(&mut live, &prompt).await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    live.phone.wait_ready(session).await;
    live.model.script("and now this", [Turn::say("Understood.")]);
    live.phone.send(session, "and now this").await;
    live.model.wait_user_text("and now this").await;
    live.phone.wait_ready(session).await;
    assert!(!made(&live).exists(), "it ran although it was denied");
    let results = live.model.tool_results();
    (live, results)
}

/// A message that comes while a dialog is open is refused and touches nothing; the dialog is answered after it.
pub(crate) async fn keeps_messages_out_of_dialogs(cli: Cli) {
    let (mut live, session, prompt) = asked(cli).await;
    // A hook tells before the dialog is drawn.
    let yes = prompt.options.iter().flatten().next().expect("an option").label.clone();
    wait_until("the dialog", || live.screens().contains(&yes).then_some(()), || live.screens()).await;
    let before = live.screens();
    for text in ["y", "1", "yes, proceed\nplease"] {
        let send =
            Command::SendText { session_id: session, text: text.to_owned(), idempotency_key: None, files: Vec::new() };
        let refused = live.phone.ask(send).await.expect_err("the message was taken");
        assert_eq!(refused.code, ErrorCode::DialogOpen, "{refused:?}");
    }
    // The spinner turns in old versions, and what it says changes; Claude Code 2.1.326 moves the figure in its banner.
    // What was typed would stand in the dialog, or between it and the message that led to it.
    let words = |screen: &str| {
        let below_banner = screen.lines().skip_while(|line| !line.contains("make the file"));
        let still = below_banner.filter(|line| !line.trim_end().ends_with("..."));
        let plain = still.map(|line| line.chars().filter(char::is_ascii).collect::<String>());
        plain
            .flat_map(|line| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
            .collect::<Vec<_>>()
            .join(" ")
    };
    // Old versions draw in two parts: a look may find half a screen, but what was typed would stay.
    let same = || (words(&live.screens()) == words(&before)).then_some(());
    wait_until("the screen as it was before", same, || format!("{}\n\nbefore:\n{before}", live.screens())).await;
    assert!(!made(&live).exists(), "the message answered the dialog");
    live.phone.wait_state("waiting", session, |state| matches!(state, SessionState::Waiting)).await;
    let outcome = choose(&mut live, &prompt, OptionRole::Allow).await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    live.model.wait_tool_results(1).await;
    assert!(made(&live).exists());
    let texts = live.model.user_texts();
    assert!(!texts.iter().any(|text| text.contains("proceed") || text == "y" || text == "1"), "{texts:?}");
}

/// A file that was handed over with a message is read by the CLI, wherever Answerback keeps it.
pub(crate) async fn takes_a_file_along(mut live: Live, session: SessionId) {
    let path = format!("/api/sessions/{}/files?name=word.txt", session.0);
    let host = live.server.address.to_string();
    let origin = format!("http://{host}");
    let who = [("host", host.as_str()), ("origin", &origin), ("cookie", &live.phone.credential.cookie)];
    let proof = live.phone.proof_for("POST", &path);
    let headers = [&who[..], &[("content-type", "text/plain"), (PROOF_HEADER, &proof)]].concat();
    let taken = http(live.server.address, "POST", &path, &headers, "the word is heron").await;
    assert_eq!(taken.status, 200, "{taken:?}");
    let file = taken.json()["id"].as_str().expect("its name").to_owned();
    live.model.script("what is the word", [Turn::say("It is heron.")]);
    let (text, files) = ("what is the word?".to_owned(), vec![file]);
    let send = Command::SendText { session_id: session, text, idempotency_key: None, files };
    live.phone.ask(send).await.expect("the message was taken");
    if matches!(live.cli, Cli::Gemini | Cli::Qwen) {
        // It reads nothing outside of its folder without asking.
        let prompt = live.phone.wait_prompt(session).await;
        let outcome = live.phone.choose(&prompt, "Yes").await;
        assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    }
    live.model.wait_user_text("what is the word").await;
    live.phone.wait_ready(session).await;
    // Some send it along, others let the model read it.
    let last = live.model.requests().pop().expect("a request").body.to_string();
    assert!(last.contains("the word is heron"), "the model did not get the file: {last:.2000}\n{}", live.screens());
}

/// A session whose model wants to run a command, and the prompt that asks about it.
pub(crate) async fn asked(cli: Cli) -> (Live, SessionId, InteractivePrompt) {
    let mut live = Live::start(cli).await;
    // Not with `echo … > made`: Claude Code 2.0.76 was seen to run that in its folder without asking.
    let command = cli.shell("touch made && wc -c made");
    live.model.script("make the file", [Turn::say("I make it.").and_tools([command]), Turn::say("It is there.")]);
    let session = live.session().await;
    live.phone.send(session, "make the file").await;
    let prompt = live.phone.wait_prompt(session).await;
    (live, session, prompt)
}

/// Chooses the option that has a role, whatever this CLI calls it.
pub(crate) async fn choose(live: &mut Live, prompt: &InteractivePrompt, role: OptionRole) -> PromptOutcome {
    let options = prompt.options.as_deref().unwrap_or_default();
    let option = options.iter().find(|option| option.role == Some(role));
    let label = option.unwrap_or_else(|| panic!("there is no {role:?} among {options:?}")).label.clone();
    live.phone.choose(prompt, &label).await
}

/// Denies, with a word to the model where the CLI has no plain denial.
async fn deny(live: &mut Live, prompt: &InteractivePrompt) -> PromptOutcome {
    let mut options = prompt.options.iter().flatten();
    let instead = options.find(|option| option.role == Some(OptionRole::Feedback));
    match instead.filter(|_| live.cli == Cli::Claude && !claude::has_plain_no()) {
        None => choose(live, prompt, OptionRole::Deny).await,
        Some(option) => {
            let text_value = Some("rather not".to_owned());
            let selected_option = Some(option.value.clone());
            live.phone.respond(PromptResponse { selected_option, text_value, ..response_to(prompt) }).await
        }
    }
}

fn made(live: &Live) -> std::path::PathBuf {
    live.project().join("made")
}
