//! A prompt that Claude Code's hook tells: from the start of the relay to the phone's socket, and from the answer to what the
//! relay prints. The dialog is drawn a moment later, as the CLI does it.

use std::process::Stdio;

use tokio::{io::AsyncWriteExt as _, process::Command};

use crate::{
    figures::{Times, between, now},
    stage::Stage,
};

pub(crate) async fn measure(rounds: usize) {
    let mut stage = Stage::new(&[]).await;
    let mut actor = stage.start("claude").await;
    let access = stage.server.data().join("sessions").join(actor.session.0.to_string()).join("hook.json");
    let (mut shown, mut replies) = (Times::default(), Times::default());
    for number in 1..=rounds {
        let payload = serde_json::json!({
            "hook_event_name": "PermissionRequest",
            "tool_name": "Bash",
            "tool_input": {
                "command": actor.part.numbered("rm -rf build/output", number),
                "description": actor.part.numbered("Remove build output directory", number),
            },
        });
        let payload = payload.to_string();
        let began = now();
        let mut relay = Command::from(stage.server.command("hook"));
        relay.arg(&access).arg("--wait").stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut relay = relay.spawn().expect("the relay starts");
        let mut input = relay.stdin.take().expect("its input");
        input.write_all(payload.as_bytes()).await.expect("the relay reads");
        drop(input);
        let (_, there) = actor.shown(&mut stage.phone, number).await;
        shown.add(between(began, there));
        actor.ask(number).await;
        // The dialog's own rows come with it.
        let yes = actor.part.yes;
        let whole = |prompt: &shared_types::InteractivePrompt| {
            prompt.options.iter().flatten().any(|option| option.label == yes)
                && prompt.options.iter().flatten().count() > 2
        };
        let prompt = stage.phone.wait_prompt_like("the dialog", actor.session, whole).await;
        let sent = actor.allow(&mut stage.phone, &prompt).await;
        let printed = relay.wait_with_output().await.expect("the relay ends");
        replies.add(between(sent, now()));
        assert!(!printed.stdout.is_empty(), "the hook decided");
        actor.say("ready").await;
        stage.phone.wait_closed(prompt.request_id).await;
        stage.phone.wait_ready(actor.session).await;
    }
    println!(
        "| a hook tells | rounds | prompt on the phone p50, relay's start included | p99 | answer to the hook's reply p50, relay's end included | p99 |"
    );
    println!("|---|---|---|---|---|---|");
    println!("| claude | {} | {} | {} |\n", shown.len(), shown.cells(), replies.cells());
}
