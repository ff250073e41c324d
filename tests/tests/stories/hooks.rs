//! A CLI that asks through a hook. It is not the real one: it draws captured screens and runs the hooks it was given, so that
//! each moment between the hook and its dialog can be had at will.

use std::{
    io::{Read as _, Write as _},
    os::unix::{fs::PermissionsExt as _, net::UnixStream},
    path::PathBuf,
    process::Stdio,
};

use answerback_tests::{Phone, Server, response_to, wait_until};
use shared_types::{
    AdapterKind, Command, ErrorCode, Event, InteractivePrompt, PromptOutcome, PromptResponse, PromptSource,
    ServerMessage, SessionId,
};
use uuid::Uuid;

/// Draws the composer; asks when the file `ask` is there, first through its hook, then with its dialog when `draw` is there;
/// goes on when the hook has answered or `desk` is there. What the hooks printed is in `told`.
const PROGRAM: &str = r#"#!/bin/sh
case $1 in --version) echo "2.1.325 (Claude Code)"; exit ;; esac
screen() { printf '\033[H\033[2J\033[3J'; cat "$1"; }
until_there() { until [ -e "$1" ]; do sleep 0.02; done; }
while [ $# -gt 0 ]; do case $1 in --settings) settings=$2 ;; esac; shift; done
hook=$(sed -n 's/.*"command":"\(exec [^"]*--wait\)".*/\1/p' "$settings")
stty -echo -icanon
screen ready
until_there ask
(sh -c "$hook" < payload > answer; cat answer >> told; echo over >> told; touch over) &
until_there draw
screen dialog
until [ -e over ] || [ -e desk ]; do sleep 0.02; done
screen ready
cat > typed
"#;

const COMMAND: &str = "rm -rf build/output";

pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) phone: Phone,
    pub(crate) session: SessionId,
}

impl Stage {
    pub(crate) async fn new() -> Self {
        let server = Server::start().await;
        server.install("claude", PROGRAM);
        let screens = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../adapters/src/claude/screens");
        for (name, case) in [("ready", "ready-2.1.325-120x40"), ("dialog", "perm-bash-2.1.325-120x40")] {
            let text = std::fs::read_to_string(screens.join(case).join("screen.ansi")).expect("a captured screen");
            let text = text.trim_end_matches('\n').replace('\n', "\r\n");
            std::fs::write(server.home().join(name), text).expect("a screen");
        }
        let payload = serde_json::json!({
            "hook_event_name": "PermissionRequest",
            "tool_name": "Bash",
            "tool_input": { "command": COMMAND, "description": "Remove build output directory" },
        });
        std::fs::write(server.home().join("payload"), payload.to_string()).expect("a payload");
        let mut phone = server.pair_phone("iPhone").await;
        let session = phone.start(AdapterKind::new("claude"), &server.home().to_string_lossy(), &[]).await;
        phone.wait_ready(session).await;
        Self { server, phone, session }
    }

    /// Lets the program go on.
    pub(crate) fn touch(&self, name: &str) {
        std::fs::write(self.server.home().join(name), "").expect("a file");
    }

    /// Waits until the program's hook has ended, and returns what it printed.
    async fn told(&self) -> String {
        let told = wait_until(
            "the hook to end",
            || std::fs::read_to_string(self.server.home().join("told")).ok().filter(|told| told.ends_with("over\n")),
            || self.server.log(),
        );
        told.await.trim_end_matches("over\n").to_owned()
    }

    /// Waits until the prompt is that of the dialog on the screen.
    pub(crate) async fn wait_dialog(&mut self) -> InteractivePrompt {
        let session = self.session;
        self.phone
            .wait_prompt_like("the dialog's own options", session, |prompt| {
                prompt.options.iter().flatten().any(|option| option.label.contains("auto mode"))
            })
            .await
    }

    fn typed(&self) -> String {
        std::fs::read_to_string(self.server.home().join("typed")).unwrap_or_default()
    }
}

fn is_allowed(told: &str) -> bool {
    let told: serde_json::Value = serde_json::from_str(told).unwrap_or_else(|error| panic!("{error} in {told:?}"));
    told["hookSpecificOutput"]["decision"]["behavior"] == "allow"
}

#[tokio::test]
async fn a_hook_asks_before_its_dialog_and_is_one_prompt_with_it() {
    let mut stage = Stage::new().await;
    stage.touch("ask");
    let first = stage.phone.wait_prompt(stage.session).await;
    assert_eq!(first.source, Some(PromptSource::Hook));
    assert_eq!(first.tool_input, Some(COMMAND.into()));
    stage.touch("draw");
    let prompt = stage.wait_dialog().await;
    assert_eq!(prompt.request_id, first.request_id);
    assert_eq!(prompt.source, Some(PromptSource::Hook));
    let outcome = stage.phone.choose(&prompt, "Yes").await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    assert!(is_allowed(&stage.told().await));
    stage.phone.wait_ready(stage.session).await;
    assert_eq!(stage.typed(), "", "nothing was typed");
}

#[tokio::test]
async fn a_hook_is_answered_while_its_dialog_is_held_back_and_no_message_gets_in_between() {
    let mut stage = Stage::new().await;
    stage.touch("ask");
    let prompt = stage.phone.wait_prompt(stage.session).await;
    let message = Command::SendText {
        session_id: stage.session,
        text: "yes please".into(),
        idempotency_key: None,
        files: Vec::new(),
    };
    let refused = stage.phone.ask(message).await.expect_err("a dialog is about to open");
    assert_eq!(refused.code, ErrorCode::DialogOpen);
    let outcome = stage.phone.choose(&prompt, "Yes").await;
    assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
    assert!(is_allowed(&stage.told().await));
    stage.phone.wait_ready(stage.session).await;
    stage.touch("draw");
}

#[tokio::test]
async fn a_held_hook_survives_kill_9_of_the_server() {
    for drawn in [false, true] {
        let mut stage = Stage::new().await;
        stage.touch("ask");
        let mut before = stage.phone.wait_prompt(stage.session).await;
        if drawn {
            stage.touch("draw");
            before = stage.wait_dialog().await;
        }
        stage.server.kill();
        stage.server.launch().await;
        stage.phone = stage.phone.reconnect(stage.server.address).await;
        // Drawn or not, the prompt comes back; with its hook again once that has come again.
        let after = stage
            .phone
            .wait_prompt_like("the prompt of the hook", stage.session, |prompt| {
                prompt.source == Some(PromptSource::Hook)
            })
            .await;
        assert_eq!(after.request_id, before.request_id);
        let outcome = stage.phone.choose(&after, "Yes").await;
        assert!(matches!(outcome, PromptOutcome::Verified { .. }), "{outcome:?}");
        stage.touch("draw");
        let told = stage.told().await;
        assert!(is_allowed(&told), "drawn: {drawn}");
    }
}

#[tokio::test]
async fn who_answers_at_the_desk_is_first_and_the_hook_is_let_go() {
    let mut stage = Stage::new().await;
    stage.touch("ask");
    stage.phone.wait_prompt(stage.session).await;
    stage.touch("draw");
    let prompt = stage.wait_dialog().await;
    stage.touch("desk");
    assert_eq!(stage.phone.wait_closed(prompt.request_id).await, PromptOutcome::Gone);
    assert_eq!(stage.told().await, "", "the hook says nothing");
    let late = PromptResponse { selected_option: Some("Yes".into()), ..response_to(&prompt) };
    let refused = stage.phone.ask(Command::Respond { response: late }).await.expect_err("it is over");
    assert_eq!(refused.code, ErrorCode::PromptGone);
    assert_eq!(stage.typed(), "");
}

#[tokio::test]
async fn a_lasting_yes_is_chosen_in_the_dialog() {
    let mut stage = Stage::new().await;
    stage.touch("ask");
    stage.phone.wait_prompt(stage.session).await;
    stage.touch("draw");
    let prompt = stage.wait_dialog().await;
    let lasting = prompt.options.iter().flatten().find(|option| option.label.contains("auto mode")).expect("an option");
    let response = PromptResponse { selected_option: Some(lasting.value.clone()), ..response_to(&prompt) };
    stage.phone.ask(Command::Respond { response }).await.expect("the first answer");
    // The screen of this program does not follow the keys: the person is told.
    let why = stage.phone.wait_failed(prompt.request_id).await;
    assert!(why.contains("did not follow"), "{why}");
    stage.touch("desk");
    assert_eq!(stage.told().await, "", "the hook was told nothing");
}

/// Everything that can go wrong around the socket: nothing is asked, nothing is printed, and no CLI is held up.
#[tokio::test]
async fn strangers_are_not_heard() {
    let mut stage = Stage::new().await;
    let socket = stage.server.data().join("run/hooks.sock");
    assert_eq!(std::fs::metadata(&socket).expect("the socket").permissions().mode() & 0o777, 0o600);
    let sessions = stage.server.data().join("sessions");
    let access = sessions.join(stage.session.0.to_string()).join("hook.json");
    assert_eq!(std::fs::metadata(&access).expect("its access").permissions().mode() & 0o777, 0o600);
    let own: serde_json::Value = serde_json::from_slice(&std::fs::read(&access).expect("its access")).expect("JSON");
    let other = stage.phone.start_demo().await;
    let others = sessions.join(other.0.to_string()).join("hook.json");
    let others: serde_json::Value = serde_json::from_slice(&std::fs::read(others).expect("its access")).expect("JSON");
    let payload = std::fs::read_to_string(stage.server.home().join("payload")).expect("a payload");
    let header = |session: &serde_json::Value, secret: &str, length: usize| {
        let request = Uuid::new_v4();
        serde_json::json!({ "request": request, "session": session, "secret": secret, "length": length }).to_string()
    };
    let secret = own["secret"].as_str().expect("a secret");
    let unknown = serde_json::json!(Uuid::new_v4());
    for post in [
        // All is right but where it comes from: this process is not below the session's pane.
        format!("{}\n{payload}", header(&own["session"], secret, payload.len())),
        format!("{}\n{payload}", header(&own["session"], "", payload.len())),
        format!("{}\n{payload}", header(&own["session"], others["secret"].as_str().expect("a secret"), payload.len())),
        format!("{}\n{payload}", header(&unknown, secret, payload.len())),
        format!("{}\n", header(&own["session"], secret, usize::MAX)),
        format!("{}\n{{not JSON", header(&own["session"], secret, 9)),
        format!("{}\n", "x".repeat(100_000)),
        "\n\n".to_owned(),
    ] {
        let mut stream = UnixStream::connect(&socket).expect("connect");
        // It may be hung up on before everything is written.
        let _ = stream.write_all(post.as_bytes());
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        assert!(["", "done\n"].contains(&answer.as_str()), "{answer}");
    }
    // The session has heard none of them, and hears its own.
    stage.touch("ask");
    let prompt = stage.phone.wait_prompt(stage.session).await;
    let prompts = stage.phone.all(|message| match message {
        ServerMessage::Event(event) => match &event.event {
            Event::Prompt { prompt } => Some(prompt.request_id),
            _ => None,
        },
        _ => None,
    });
    assert_eq!(prompts, [prompt.request_id]);
    stage.phone.choose(&prompt, "Yes").await;
    assert!(is_allowed(&stage.told().await));
}

#[tokio::test]
async fn without_a_server_a_hook_says_nothing() {
    let mut stage = Stage::new().await;
    let access = stage.server.data().join("sessions").join(stage.session.0.to_string()).join("hook.json");
    stage.server.stop();
    for access in [access, "/no/such/file".into()] {
        let payload = std::fs::File::open(stage.server.home().join("payload")).expect("a payload");
        let mut hook = stage.server.command("hook");
        let output = hook.arg(access).stdin(Stdio::from(payload)).output().expect("run the hook");
        assert!(output.status.success());
        assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    }
}
