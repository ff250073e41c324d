//! The buttons' tokens: each answers one prompt, as it was shown, with one option, once, from where it was sent to. Only their hashes
//! are kept.

use sha2::{Digest as _, Sha256};
use shared_types::{Actor, ErrorCode, InteractivePrompt, PromptId, PromptResponse, WireError};
use uuid::Uuid;

use super::{
    Notifier,
    channel::Button,
    message::{Choice, Content, text_answer},
    planner::TargetId,
};
use crate::{
    access::random_token,
    clock::now_millis,
    sessions::{
        Sessions,
        refuse::{from_store, refuse},
    },
    store::{StoredToken, Used},
};

/// The length of a token, in hexadecimal digits: 160 random bits, which fit behind any button.
const TOKEN: usize = 40;

impl Notifier {
    /// Buttons for these choices; none when their tokens cannot be kept.
    pub(super) async fn buttons(&self, prompt: &InteractivePrompt, choices: &[Choice], to: &TargetId) -> Vec<Button> {
        let Some(digest) = &prompt.digest else { return Vec::new() };
        let mut buttons = Vec::new();
        let mut tokens = Vec::new();
        for choice in choices {
            let Some(token) = new_token() else { return Vec::new() };
            tokens.push(StoredToken {
                hash: hash(&token),
                prompt: prompt.request_id,
                target: to.word(),
                digest: digest.clone(),
                choice: choice.option.clone(),
            });
            buttons.push(Button { allows: choice.allows, label: choice.label.clone(), token });
        }
        match self.store.add_answer_tokens(tokens).await {
            Ok(true) => buttons,
            Ok(false) => Vec::new(),
            Err(error) => {
                tracing::error!(%error, "cannot keep the buttons of a notification");
                Vec::new()
            }
        }
    }

    /// Answers a prompt with the token of a button. Returns what was chosen, in the CLI's words.
    ///
    /// # Errors
    /// When the token is none, was used, belongs to somebody else, or its prompt is over or has changed. Then nothing happens.
    pub(crate) async fn answer(
        &self,
        sessions: &Sessions,
        token: &str,
        from: &TargetId,
        by: Actor,
    ) -> Result<String, WireError> {
        if let Some(sent) = self.nudge(sessions, hash(token), from).await {
            return sent;
        }
        let used = self.store.use_answer_token(hash(token), from.word(), now_millis()).await;
        let token = match used.map_err(|error| from_store(&error))? {
            Used::Now(token) => token,
            Used::Before => return Err(refuse(ErrorCode::AlreadyAnswered, "this button has been used already")),
            Used::Foreign => {
                tracing::warn!(by = by.name(), "a button was pressed that was sent to somebody else");
                return Err(refuse(ErrorCode::Forbidden, "this button was sent to somebody else"));
            }
            Used::Unknown => return Err(refuse(ErrorCode::BadCode, "this button is not one of ours, or too old")),
        };
        let response = PromptResponse {
            selected_option: Some(token.choice.clone()),
            digest: Some(token.digest),
            idempotency_key: Some(key_of(token.hash)),
            ..PromptResponse::to(token.prompt)
        };
        // A chat's own message is not replaced by the tap: it is told how the prompt ended, like everybody else's.
        if let TargetId::Device(_) = from {
            self.answered_on(token.prompt, from);
        }
        sessions.respond(response, by).await?;
        Ok(token.choice)
    }

    /// Answers a prompt in words, from where it was shown with this digest. The same key twice is one answer.
    ///
    /// # Errors
    /// When it takes no words from there, or is over or has changed. Then nothing happens.
    pub(crate) async fn answer_in_words(
        &self,
        sessions: &Sessions,
        (prompt, digest): (PromptId, String),
        text: String,
        key: Uuid,
        from: &TargetId,
        by: Actor,
    ) -> Result<(), WireError> {
        let asked = match self.bus.prompt(prompt) {
            Some(pending) => Some(pending.prompt),
            // Right after a restart it may be open and not be seen again yet.
            None => {
                let stored = self.store.prompt(prompt).await.map_err(|error| from_store(&error))?;
                stored.filter(|stored| stored.open).map(|stored| stored.prompt)
            }
        };
        let asked = asked.ok_or_else(|| refuse(ErrorCode::PromptGone, "that question is over"))?;
        let seen = self.content_of(from) > Content::Name;
        let answer = text_answer(&asked).filter(|answer| seen || answer.refuses);
        let answer = answer.ok_or_else(|| {
            refuse(ErrorCode::BadResponse, "this question takes no words from here: use its buttons, or open the page")
        })?;
        let response = PromptResponse {
            selected_option: answer.option,
            text_value: Some(text),
            digest: Some(digest),
            idempotency_key: Some(key),
            ..PromptResponse::to(prompt)
        };
        Ok(sessions.respond(response, by).await?)
    }
}

/// A token that nobody can guess; nothing when the system gives no random numbers.
pub(super) fn new_token() -> Option<String> {
    let mut token = random_token().ok()?;
    token.truncate(TOKEN);
    Some(token)
}

pub(super) fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

/// The key of what a token does: the same token is the same answer.
pub(super) fn key_of(hash: [u8; 32]) -> Uuid {
    let [key @ .., _, _, _, _, _, _, _, _, _, _, _, _, _, _, _, _] = hash;
    Uuid::from_bytes(key)
}
