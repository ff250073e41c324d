//! Telegram on the real binary, against a stand-in: a chat is paired, told, and answers; and what it may not do, it cannot.

use std::{fs, os::unix::fs::PermissionsExt as _};

use answerback_tests::{BOT_TOKEN, Phone, Server, Telegram, wait_until};
use serde_json::{Value, json};
use shared_types::{Actor, PromptOutcome};

const ANN: i64 = 1001;
const STRANGER: i64 = 2002;

/// A server with a bot, a paired phone, and Ann's paired chat.
async fn told(notify: &str, settings: &str) -> (Server, Telegram, Phone) {
    let telegram = Telegram::start().await;
    let home = tempfile::Builder::new().prefix("ab").tempdir().expect("a folder");
    let token = home.path().join("telegram-token");
    fs::write(&token, BOT_TOKEN).expect("a token");
    fs::set_permissions(&token, fs::Permissions::from_mode(0o600)).expect("private");
    let config = home.path().join("config.toml");
    let (address, token) = (telegram.address(), token.display().to_string());
    let text = format!(
        "[notify]\ndwell = 0\n{notify}\n[notify.telegram]\nserver = \"{address}\"\ntoken_file = \"{token}\"\n{settings}\n"
    );
    fs::write(&config, text).expect("a configuration");
    let config = config.display().to_string();
    let server = Server::start_in(home, &["--config", &config], Vec::new()).await;
    let phone = server.pair_phone("iPhone").await;
    telegram.call_after(0, "getMe", "").await;
    let code = offer(&server);
    telegram.writes(ANN, &format!("/start {code}"), None);
    telegram.call_after(0, "sendMessage", "This chat is told").await;
    (server, telegram, phone)
}

fn run(server: &Server, args: &[&str]) -> String {
    let output = server.command("notify").args(args).output().expect("run");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!("{}{}", text(&output.stdout), text(&output.stderr))
}

fn offer(server: &Server) -> String {
    let said = run(server, &["pair"]);
    let code = said.split("/start ").nth(1).and_then(|rest| rest.split_whitespace().next());
    code.unwrap_or_else(|| panic!("no code in {said}")).to_owned()
}

/// What stands behind a button of a message.
fn button(message: &Value, label: &str) -> String {
    let rows = message["reply_markup"]["inline_keyboard"].as_array().expect("a keyboard");
    let found = rows.iter().flat_map(|row| row.as_array().expect("a row")).find(|button| button["text"] == label);
    let found = found.unwrap_or_else(|| panic!("no button {label} in {message}"));
    found["callback_data"].as_str().expect("data").to_owned()
}

/// What somebody who taps is shown.
async fn tap(telegram: &Telegram, person: i64, data: &str, part: &str) -> Value {
    let seen = telegram.calls();
    telegram.taps(person, data);
    telegram.call_after(seen, "answerCallbackQuery", part).await
}

#[tokio::test]
async fn a_chat_answers_once_and_nobody_else_does() {
    let (server, telegram, mut phone) = told("", "content = \"full\"").await;
    let session = phone.start_demo().await;
    let seen = telegram.calls();
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let message = telegram.call_after(seen, "sendMessage", "cargo test --workspace").await;
    assert_eq!(message["chat_id"], ANN);
    assert_eq!(message["link_preview_options"]["is_disabled"], true);
    let allow = button(&message, "Allow");
    assert!(allow.len() < 64, "{allow}");

    // Forged, and tapped by somebody who is not paired: refused by name.
    let forged = format!("a:{}", "0".repeat(40));
    assert_eq!(tap(&telegram, ANN, &forged, "not one of ours").await["show_alert"], true);
    tap(&telegram, STRANGER, &allow, "not paired").await;
    // Nor does a second chat answer with what was sent to the first.
    let code = offer(&server);
    telegram.writes(STRANGER, &format!("/start {code}"), None);
    telegram.call_after(seen, "sendMessage", "\"chat_id\":2002").await;
    tap(&telegram, STRANGER, &allow, "sent to somebody else").await;

    let seen = telegram.calls();
    telegram.taps(ANN, &allow);
    telegram.taps(ANN, &allow);
    telegram.call_after(seen, "answerCallbackQuery", "Answered: Yes").await;
    telegram.call_after(seen, "answerCallbackQuery", "used already").await;
    let outcome = phone.wait_closed(prompt.request_id).await;
    let PromptOutcome::Verified { answer } = outcome else { panic!("{outcome:?}") };
    assert_eq!(answer.by, Actor::Notification { channel: "telegram".into(), name: format!("Person {ANN}") });
    let edited = telegram.call_after(seen, "editMessageText", "Answered by Person 1001").await;
    assert_eq!((&edited["message_id"], edited.get("reply_markup")), (&message["message_id"], None));
    phone.wait_message(session, "Understood: command -> Yes").await;
    phone.wait_ready(session).await;
    assert!(!server.log().contains("story-token"), "the bot's token is in no log");
}

#[tokio::test]
async fn what_the_desk_answered_is_edited_and_late_taps_change_nothing() {
    let (server, telegram, mut phone) = told("", "").await;
    let session = phone.start_demo().await;
    let seen = telegram.calls();
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let message = telegram.call_after(seen, "sendMessage", "May I run this command?").await;
    // In the clear nothing is said of the command, so it can only be refused.
    assert!(!message.to_string().contains("cargo"), "{message}");
    assert!(!message.to_string().contains("Allow"), "{message}");
    let deny = button(&message, "Deny");
    phone.choose(&prompt, "Yes").await;
    telegram.call_after(seen, "editMessageText", "Answered by iPhone").await;
    tap(&telegram, ANN, &deny, "show_alert\":true").await;
    phone.wait_message(session, "Understood: command -> Yes").await;
    phone.wait_ready(session).await;

    // A chat that was removed answers nothing, with whatever it was sent before.
    let seen = telegram.calls();
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let deny = button(&telegram.call_after(seen, "sendMessage", "May I run this command?").await, "Deny");
    assert!(run(&server, &["remove", "Person 1001"]).contains("removed"));
    tap(&telegram, ANN, &deny, "not paired").await;
    phone.choose(&prompt, "Yes").await;
    phone.wait_ready(session).await;
}

#[tokio::test]
async fn a_question_is_answered_by_reply_or_option_also_after_a_kill() {
    let (mut server, telegram, mut phone) = told("", "").await;
    let session = phone.start_demo().await;
    let seen = telegram.calls();
    phone.send(session, "choice").await;
    phone.wait_prompt(session).await;
    let message = telegram.call_after(seen, "sendMessage", "PostgreSQL").await;
    let number = message["message_id"].as_i64();
    let stored = || {
        let file = rusqlite::Connection::open(server.data().join("answerback.db")).ok()?;
        file.query_row("SELECT 1 FROM chat_messages", [], |_| Ok(())).ok()
    };
    wait_until("the message to be written down", stored, || server.log_tail()).await;
    server.kill();
    server.launch().await;
    let mut phone = phone.reconnect(server.address).await;
    let again = telegram.calls();
    telegram.writes(ANN, "DuckDB, please", number);
    telegram.call_after(again, "sendMessage", "Answered.").await;
    phone.wait_message(session, "Understood: choice -> Other: DuckDB, please").await;
    let edited = telegram.call_after(seen, "editMessageText", "Answered by Person 1001").await;
    assert_eq!(edited["message_id"].as_i64(), number);
    phone.wait_ready(session).await;

    let seen = telegram.calls();
    phone.send(session, "choice").await;
    let option = button(&telegram.call_after(seen, "sendMessage", "PostgreSQL").await, "PostgreSQL");
    tap(&telegram, ANN, &option, "Answered: PostgreSQL").await;
    phone.wait_message(session, "Understood: choice -> PostgreSQL").await;
    // What is over takes no words.
    telegram.writes(ANN, "too late", number);
    telegram.call_after(seen, "sendMessage", "That question is over").await;
}

#[tokio::test]
async fn outages_are_survived_and_strangers_hear_nothing() {
    let (server, telegram, mut phone) = told("", "").await;
    let session = phone.start_demo().await;
    for (status, parameters) in [(429, json!({ "retry_after": 0 })), (502, json!({})), (500, json!({}))] {
        telegram.fails_with(status, parameters);
    }
    let seen = telegram.calls();
    telegram.writes(STRANGER, "/sessions", None);
    telegram.writes(STRANGER, "hello", None);
    telegram.writes(STRANGER, "/start 0123456789abcdef", None);
    telegram.writes(ANN, "/sessions", None);
    let listed = telegram.call_after(seen, "sendMessage", "ready for").await;
    assert_eq!(listed["chat_id"], ANN);
    let to_stranger: Vec<Value> =
        telegram.all("sendMessage").into_iter().filter(|sent| sent["chat_id"] == STRANGER).collect();
    assert_eq!(to_stranger.len(), 1, "{to_stranger:?}");
    assert!(to_stranger[0]["text"].as_str().is_some_and(|text| text.contains("wrong, used or over")));

    // While it wants to be left alone nothing is sent; afterwards what still waits is.
    telegram.writes(ANN, "/pause 30", None);
    telegram.call_after(seen, "sendMessage", "Nothing is sent here for 30 min").await;
    assert!(run(&server, &["status"]).contains("paused in the chat"));
    phone.send(session, "command").await;
    phone.wait_prompt(session).await;
    telegram.writes(ANN, "/status", None);
    telegram.call_after(seen, "sendMessage", "1 question waits").await;
    assert!(telegram.all("sendMessage").iter().all(|sent| !sent.to_string().contains("May I run")));
    telegram.writes(ANN, "/resume", None);
    telegram.call_after(seen, "sendMessage", "May I run this command?").await;
}

#[tokio::test]
async fn a_session_that_stands_still_goes_on_by_one_tap_and_never_by_itself() {
    let (_server, telegram, mut phone) = told("idle_after = 2", "").await;
    let session = phone.start_demo().await;
    let seen = telegram.calls();
    phone.send(session, "busy").await;
    let message = telegram.call_after(seen, "sendMessage", "nothing has come of it for 2 s").await;
    assert!(phone.session(session).queued.is_empty(), "nothing is typed by itself");
    let go_on = button(&message, "Continue");
    tap(&telegram, STRANGER, &go_on, "not paired").await;
    tap(&telegram, ANN, &go_on, "Answered: continue").await;
    phone.wait_session("the message to be queued", session, |session| session.queued == ["continue"]).await;
    tap(&telegram, ANN, &go_on, "used already").await;
}
