//! Waits for what happens in the chats, and does it: pairs, answers by button and in words, and tells how things stand.
//!
//! Nothing that Telegram does ends this: it waits as long as it is asked to, and longer each time it fails.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use shared_types::{Session, SessionState, WireError};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

use super::{
    Telegram, actor,
    api::ApiError,
    updates::{self, Asked, COMMANDS, Update},
};
use crate::{
    clock::now_millis,
    notify::{Notifier, TargetId, tokens::key_of},
    sessions::Sessions,
};

/// How long to wait after the first failure; twice as long after each further one.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest wait after failures.
const PAUSE_LIMIT: Duration = Duration::from_secs(60);
/// How long to wait while another program listens to the same bot.
const OTHER_LISTENER: Duration = Duration::from_secs(15);
/// How long an answer may take to be written down.
const ANSWER_LIMIT: Duration = Duration::from_secs(15);
/// How many sessions are listed.
const LISTED: usize = 20;

/// Listens to the chats until it is stopped; at once over when there is no bot.
pub(crate) async fn listen(notifier: Arc<Notifier>, sessions: Arc<Sessions>, stop: CancellationToken) {
    let Some(telegram) = notifier.telegram.clone() else { return };
    let listener = Listener { notifier, sessions, telegram };
    tokio::select! {
        () = stop.cancelled() => {}
        () = listener.listen() => {}
    }
}

struct Listener {
    notifier: Arc<Notifier>,
    sessions: Arc<Sessions>,
    telegram: Arc<Telegram>,
}

impl Listener {
    async fn listen(&self) {
        let mut offset = None;
        let mut failures = 0;
        loop {
            let heard = match self.introduce().await {
                Ok(()) => self.telegram.api.updates(offset).await,
                Err(error) => Err(error),
            };
            match heard {
                Ok(heard) => {
                    failures = 0;
                    self.telegram.lock().trouble = None;
                    for update in &heard {
                        let Some((number, update)) = updates::read(update) else { continue };
                        // Told once more after a crash; every answer is good once.
                        offset = Some(number + 1);
                        self.take(update).await;
                    }
                }
                Err(error) => {
                    failures += 1;
                    let said = trouble(&error);
                    if self.telegram.lock().trouble.replace(said.clone()).as_ref() != Some(&said) {
                        tracing::warn!(error = said, "nothing is heard from Telegram");
                    }
                    tokio::time::sleep(pause(&error, failures)).await;
                }
            }
        }
    }

    /// Asks for the bot's name and says which commands it knows, once.
    async fn introduce(&self) -> Result<(), ApiError> {
        if self.telegram.lock().bot.is_some() {
            return Ok(());
        }
        let me = self.telegram.api.call("getMe", &json!({})).await?;
        let commands = COMMANDS.map(|(command, description)| json!({ "command": command, "description": description }));
        if let Err(error) = self.telegram.api.call("setMyCommands", &json!({ "commands": commands })).await {
            tracing::info!(%error, "the bot's menu stays as it was");
        }
        self.telegram.lock().bot = Some(me["username"].as_str().unwrap_or("bot").to_owned());
        Ok(())
    }

    async fn take(&self, update: Update) {
        match update {
            Update::Tap { id, chat, token } => {
                let result = self.tapped(chat, &token).await;
                let alert = result.is_err();
                let text = result.unwrap_or_else(|error| error);
                let text: String = text.chars().take(190).collect();
                let parameters = json!({ "callback_query_id": id, "text": text, "show_alert": alert });
                self.call("answerCallbackQuery", &parameters).await;
            }
            Update::Words { chat, name, message, reply_to, text } => {
                if let Some(said) = self.said(chat, &name, message, reply_to, text).await {
                    let reply = json!({ "message_id": message, "allow_sending_without_reply": true });
                    let parameters = json!({ "chat_id": chat, "text": said, "reply_parameters": reply });
                    self.call("sendMessage", &parameters).await;
                }
            }
            Update::Other => {}
        }
    }

    async fn call(&self, method: &str, parameters: &Value) {
        if let Err(error) = self.telegram.api.call(method, parameters).await {
            tracing::warn!(%error, method, "Telegram was not told");
        }
    }

    /// A button was tapped: what to show for it.
    async fn tapped(&self, chat: i64, token: &str) -> Result<String, String> {
        let Some(name) = self.notifier.chat_name(chat) else {
            return Err("This chat is not paired (any more).".to_owned());
        };
        let target = TargetId::Chat(chat);
        let answer = self.notifier.answer(&self.sessions, token, &target, actor(&name));
        match timeout(ANSWER_LIMIT, answer).await {
            Ok(Ok(chosen)) => Ok(format!("Answered: {chosen}")),
            Ok(Err(error)) => Err(sentence(&error)),
            Err(_) => Err("The session does not take the answer just now: open the page.".to_owned()),
        }
    }

    /// Somebody wrote: what to say to that. Strangers hear nothing, but that their code is no good.
    async fn said(&self, chat: i64, name: &str, message: i64, reply_to: Option<i64>, text: String) -> Option<String> {
        let asked = updates::asked(&text);
        if let Some(Asked::Start(code)) =
            asked.as_ref().filter(|asked| matches!(asked, Asked::Start(code) if !code.is_empty()))
        {
            return Some(self.pair(chat, name, code).await);
        }
        let name = self.notifier.chat_name(chat)?;
        Some(match (asked, reply_to) {
            (Some(asked), _) => self.asked(chat, &name, asked).await,
            (None, Some(to)) => self.replied(chat, &name, message, to, text).await,
            (None, None) => {
                "Reply to a question of mine to answer it in words; /help says what else there is.".to_owned()
            }
        })
    }

    async fn pair(&self, chat: i64, name: &str, code: &str) -> String {
        let good = self.telegram.lock().offers.redeem(code, Instant::now());
        if !good {
            return "This code is wrong, used or over: make a new one on the page or with `answerback notify pair`."
                .to_owned();
        }
        match self.notifier.pair_chat(&self.telegram, chat, name).await {
            Ok(()) => format!("This chat is told when a session needs you. {HELP}"),
            Err(error) => sentence(&error),
        }
    }

    async fn replied(&self, chat: i64, name: &str, message: i64, to: i64, text: String) -> String {
        let shown = match self.notifier.store.chat_message(chat, to).await {
            Ok(found) => found.and_then(|standing| standing.prompt),
            Err(error) => {
                tracing::error!(%error, "cannot read what a reply is about");
                return "The server cannot look up which question this is: open the page.".to_owned();
            }
        };
        let Some(shown) = shown else { return "That question is over, or was none.".to_owned() };
        // The same message told twice is one answer.
        let hash: [u8; 32] = Sha256::digest(format!("telegram {chat} {message}").as_bytes()).into();
        let key = key_of(hash);
        let target = TargetId::Chat(chat);
        let answer = self.notifier.answer_in_words(&self.sessions, shown, text, key, &target, actor(name));
        match timeout(ANSWER_LIMIT, answer).await {
            Ok(Ok(())) => "Answered.".to_owned(),
            Ok(Err(error)) => sentence(&error),
            Err(_) => "The session does not take the answer just now: open the page.".to_owned(),
        }
    }

    async fn asked(&self, chat: i64, name: &str, asked: Asked) -> String {
        let now = now_millis();
        let done = match asked {
            Asked::Start(_) | Asked::Help => return HELP.to_owned(),
            Asked::Sessions => return sessions_text(self.notifier.bus.sessions(), now),
            Asked::Status => return self.status_text(chat, now),
            Asked::Stop => self
                .notifier
                .remove_chat(chat, actor(name))
                .await
                .map(|()| "This chat is told nothing any more.".to_owned()),
            Asked::Pause(minutes) => {
                let until = now.saturating_add(minutes * 60_000);
                let said = format!("Nothing is sent here for {minutes} min. /resume ends that.");
                self.notifier.pause_chat(chat, until).await.map(|()| said)
            }
            Asked::Resume => {
                self.notifier.pause_chat(chat, 0).await.map(|()| "Messages are sent here again.".to_owned())
            }
        };
        done.unwrap_or_else(|error| sentence(&error))
    }

    fn status_text(&self, chat: i64, now: u64) -> String {
        let running = self.notifier.bus.sessions();
        let running = running.iter().filter(|session| !matches!(session.state, SessionState::Ended { .. })).count();
        let waiting = self.notifier.waiting();
        let paused = self.notifier.paused_for(chat, now);
        let paused =
            paused.map(|minutes| format!("\nNothing is sent here for {minutes} min more.")).unwrap_or_default();
        format!(
            "{}, {}.{paused}",
            count(running, "session runs", "sessions run"),
            count(waiting, "question waits", "questions wait")
        )
    }
}

impl Notifier {
    /// The name of a chat that is paired.
    fn chat_name(&self, chat: i64) -> Option<String> {
        self.lock().targets.get(&TargetId::Chat(chat)).map(|known| known.name.clone())
    }

    /// For how many minutes more a chat wants to be left alone.
    fn paused_for(&self, chat: i64, now: u64) -> Option<u64> {
        let state = self.lock();
        let until = state.targets.get(&TargetId::Chat(chat))?.paused_until;
        (until > now).then(|| (until - now).div_ceil(60_000))
    }
}

const HELP: &str = "Questions come here with buttons, or open on the page; a reply to one answers it where it takes words. \
    /sessions lists what runs, /status says what waits, /pause 30 leaves you alone for half an hour, /stop unpairs this chat.";

/// What runs, by name and state and nothing else: what it works on is nobody's but the person's.
fn sessions_text(mut sessions: Vec<Session>, now: u64) -> String {
    sessions.retain(|session| !matches!(session.state, SessionState::Ended { .. }));
    if sessions.is_empty() {
        return "Nothing runs.".to_owned();
    }
    let line = |session: &Session| {
        let state = match &session.state {
            SessionState::Starting { .. } => "starting",
            SessionState::Ready => "ready",
            SessionState::Busy { .. } => "busy",
            SessionState::Waiting => "needs you",
            SessionState::Unreachable { .. } => "cannot be reached",
            SessionState::Ended { .. } => "ended",
        };
        format!("{}: {state} for {} min", session.name, now.saturating_sub(session.state_since) / 60_000)
    };
    let more = sessions.len().saturating_sub(LISTED);
    let mut lines: Vec<String> = sessions.iter().take(LISTED).map(line).collect();
    lines.extend((more > 0).then(|| format!("and {more} more")));
    lines.join("\n")
}

fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// A refusal as a sentence.
fn sentence(error: &WireError) -> String {
    let mut letters = error.message.chars();
    letters.next().map_or_else(String::new, |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

/// Why nothing is heard, and what to do.
fn trouble(error: &ApiError) -> String {
    match error.status() {
        Some(401 | 404) => "Telegram does not know the bot's token: see token_file".to_owned(),
        Some(409) => format!("another program listens to this bot, or a webhook is set ({error})"),
        _ => error.to_string(),
    }
}

/// How long to wait after a failure.
fn pause(error: &ApiError, failures: u32) -> Duration {
    match error.status() {
        Some(429) => error.retry_after().unwrap_or(PAUSE_LIMIT),
        Some(409) => OTHER_LISTENER,
        // Only the person can mend a token; it may be in its file soon.
        Some(401 | 404) => PAUSE_LIMIT,
        _ => PAUSE.saturating_mul(2u32.saturating_pow(failures.saturating_sub(1))).min(PAUSE_LIMIT),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failures_are_waited_out() {
        let refused = |status, retry_after: Option<u64>| ApiError::Refused {
            host: "t.example".into(),
            status,
            description: "Conflict".into(),
            retry_after: retry_after.map(Duration::from_secs),
        };
        let seconds = Duration::from_secs;
        for (error, failures, expected) in [
            (refused(429, Some(7)), 1, seconds(7)),
            (refused(409, None), 5, seconds(15)),
            (refused(401, None), 1, seconds(60)),
            (refused(502, None), 1, seconds(1)),
            (refused(502, None), 3, seconds(4)),
            (refused(502, None), 4_000_000, seconds(60)),
        ] {
            assert_eq!(pause(&error, failures), expected, "{error} {failures}");
        }
        assert!(trouble(&refused(409, None)).starts_with("another program listens"));
    }
}
