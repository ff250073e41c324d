//! The conversation: what Claude Code writes down reaches the phone, and an old one goes on.

use answerback_tests::{Cli, model::Turn, wait_until};
use serde_json::json;
use shared_types::{
    Command, Message, MessageBody, MessageRole, PermissionMode, ReplyData, SessionState, StartSession, ToolUse,
};

use super::{Claude, Way, shell};

fn texts(messages: &[Message], role: MessageRole) -> Vec<String> {
    let of_role = messages.iter().filter(|message| message.role == role);
    let text = |message: &Message| match &message.body {
        MessageBody::Text { text, .. } => Some(text.clone()),
        _ => None,
    };
    of_role.filter_map(text).collect()
}

#[tokio::test]
async fn what_is_said_and_done_is_told() {
    let mut claude = Claude::new(Way::Hook).await;
    let turn = Turn::say("I make it.")
        .thinking("What would they like?")
        .and_tools([Cli::Claude.shell("touch made; echo it is there")]);
    claude.turns([turn, Turn::say("**Made** it.")]).await;
    let prompt = claude.prompt().await;
    claude.choose(&prompt, "Yes").await;
    let messages = claude.live.phone.wait_history(claude.session, "**Made** it.").await;
    assert_eq!(texts(&messages, MessageRole::User), ["go on with round 1"]);
    assert_eq!(texts(&messages, MessageRole::Assistant), ["I make it.", "**Made** it."]);
    let used: Vec<_> = messages
        .iter()
        .filter_map(|message| match &message.body {
            MessageBody::Tool { name, purpose, result, .. } => Some((name, purpose, result.clone()?)),
            _ => None,
        })
        .collect();
    let [(name, Some(ToolUse::Command { command }), result)] = used.as_slice() else { panic!("{messages:#?}") };
    assert_eq!((name.as_str(), command.as_str()), ("Bash", "touch made; echo it is there"));
    assert_eq!(result.output.trim(), "it is there");
    let session = claude.session;
    claude.live.phone.wait_session("what it has used", session, |session| session.usage.is_some()).await;
}

#[tokio::test]
async fn a_cleared_conversation_is_followed_although_no_hook_tells() {
    let mut claude = Claude::new(Way::Keys).await;
    for answer in ["The first answer.", "The second answer."] {
        claude.turns([Turn::say(answer)]).await;
        claude.live.phone.wait_history(claude.session, answer).await;
        claude.is_ready().await;
        claude.live.phone.send(claude.session, "/clear").await;
        let cleared = || (!claude.live.screens().contains(answer)).then_some(());
        wait_until("an empty screen", cleared, || claude.live.screens()).await;
        claude.is_ready().await;
    }
}

#[tokio::test]
async fn two_sessions_of_one_folder_keep_to_their_own_conversations() {
    let mut claude = Claude::new(Way::Keys).await;
    claude.turns([Turn::say("The first answer.")]).await;
    let first = claude.session;
    claude.live.phone.wait_history(first, "The first answer.").await;
    claude.is_ready().await;
    let folder = claude.path("");
    claude.session = claude.live.phone.start_in(Some(PermissionMode::Ask), Cli::Claude.adapter(), &folder, &[]).await;
    claude.is_ready().await;
    claude.turns([Turn::say("The second answer.")]).await;
    claude.live.phone.wait_history(claude.session, "The second answer.").await;
    claude.is_ready().await;

    let second = std::mem::replace(&mut claude.session, first);
    claude.live.phone.send(first, "/clear").await;
    let cleared = || (!claude.live.screens().contains("The first answer.")).then_some(());
    wait_until("an empty screen", cleared, || claude.live.screens()).await;
    claude.is_ready().await;
    claude.turns([Turn::say("The third answer.")]).await;
    let messages = claude.live.phone.wait_history(first, "The third answer.").await;
    assert_eq!(texts(&messages, MessageRole::Assistant), ["The first answer.", "The third answer."]);
    claude.session = second;
    claude.turns([Turn::say("The fourth answer.")]).await;
    let messages = claude.live.phone.wait_history(second, "The fourth answer.").await;
    assert_eq!(texts(&messages, MessageRole::Assistant), ["The second answer.", "The fourth answer."]);
}

#[tokio::test]
async fn a_cleared_conversation_is_followed_and_both_can_be_resumed() {
    let mut claude = Claude::new(Way::Hook).await;
    claude.turns([Turn::say("The first answer.")]).await;
    let session = claude.session;
    claude.live.phone.wait_history(session, "The first answer.").await;
    claude.is_ready().await;
    let first = claude.live.phone.session(session).conversation.clone().expect("its id");
    claude.live.phone.send(session, "/clear").await;
    let is_another = |session: &shared_types::Session| session.conversation.as_ref().is_some_and(|id| *id != first);
    claude.live.phone.wait_session("another conversation", session, is_another).await;
    claude.is_ready().await;
    claude.turns([Turn::say("The second answer.")]).await;
    let messages = claude.live.phone.wait_history(session, "The second answer.").await;
    let said = texts(&messages, MessageRole::Assistant);
    assert_eq!(said, ["The first answer.", "The second answer."], "what was said before stays");
    claude.is_ready().await;

    claude.live.phone.ask(Command::End { session_id: session }).await.expect("ended");
    claude.live.phone.wait_state("the end", session, |state| matches!(state, SessionState::Ended { .. })).await;
    let folder = claude.live.project().to_string_lossy().into_owned();
    let list = Command::Conversations { adapter: Cli::Claude.adapter(), folder: Some(folder.clone()), query: None };
    let Ok(ReplyData::Conversations { conversations }) = claude.live.phone.ask(list).await else { panic!("a list") };
    assert!(conversations.iter().any(|conversation| conversation.id == first), "{conversations:?}");

    let start = StartSession {
        mode: Some(PermissionMode::Ask),
        resume: Some(first),
        ..StartSession::new(Cli::Claude.adapter(), folder)
    };
    let Ok(ReplyData::Started { session_id }) = claude.live.phone.ask(Command::Start { start }).await else {
        panic!("resumed")
    };
    claude.session = session_id;
    claude.is_ready().await;
    let messages = claude.live.phone.wait_history(session_id, "The first answer.").await;
    assert_eq!(texts(&messages, MessageRole::Assistant), ["The first answer."]);
    let prompt = claude.calls("Bash", shell("touch after")).await;
    claude.choose(&prompt, "Yes").await;
    claude.makes("after").await;
    let last = claude.live.model.requests().pop().expect("a request").body.to_string();
    assert!(last.contains("The first answer.") && !last.contains("The second answer."), "it goes on where it was");
}

#[tokio::test]
async fn a_changed_file_is_told_as_such() {
    let mut claude = Claude::in_mode(Way::Hook, PermissionMode::AcceptEdits, |_| {}).await;
    let write = Turn::tool("Write", json!({ "file_path": claude.path("notes.txt"), "content": "one\ntwo\n" }));
    claude.turns([write, Turn::say("Written.")]).await;
    let messages = claude.live.phone.wait_history(claude.session, "Written.").await;
    let edit = messages.iter().find_map(|message| match &message.body {
        MessageBody::Tool { purpose: Some(ToolUse::Edit { diff }), .. } => Some(diff.clone()),
        _ => None,
    });
    let diff = serde_json::to_string(&edit.expect("an edit")).expect("JSON");
    assert!(diff.contains("+one") && diff.contains("notes.txt"), "{diff}");
}
