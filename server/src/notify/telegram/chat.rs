//! One chat as a channel: a message for each subject, sent anew when it is told again, edited when it is over.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use serde_json::{Value, json};

use super::api::{Api, ApiError};
use crate::{
    clock::now_millis,
    notify::{
        Content,
        channel::{Button, Channel, Message, MessageKind, Outcome, Verdict},
    },
    store::{Store, StoredChatMessage},
};

/// How long a message of ours is remembered: Telegram lets none be changed that is older.
const REMEMBERED_MILLIS: u64 = 48 * 60 * 60 * 1000;
/// Set before the token of a button.
pub(super) const BUTTON: &str = "a:";

/// The way to one chat.
pub(super) struct Chat {
    pub(super) api: Arc<Api>,
    pub(super) id: i64,
    pub(super) content: Content,
    /// Where the page is, without a slash at the end, if others can reach it.
    pub(super) page: Option<String>,
    pub(super) store: Store,
}

#[async_trait]
impl Channel for Chat {
    async fn deliver(&self, message: &Message) -> Outcome {
        let host = self.api.host();
        let sent = match message.kind {
            MessageKind::Withdrawn => self.finish(message).await,
            MessageKind::NeedsYou | MessageKind::News => self.send(message).await,
        };
        match sent {
            Ok(()) => Outcome { verdict: Verdict::Taken, status: Some(200), detail: format!("taken by {host}") },
            Err(error) => judge(&error),
        }
    }
}

impl Chat {
    async fn send(&self, message: &Message) -> Result<(), ApiError> {
        let before = self.standing(&message.tag).await;
        let silent = message.kind == MessageKind::News;
        let said = text(message, self.content);
        let mut parameters = json!({
            "chat_id": self.id,
            "text": said.text,
            "entities": said.entities,
            // A link in a command must not be fetched by anybody.
            "link_preview_options": { "is_disabled": true },
            "disable_notification": silent,
        });
        let keyboard = keyboard(message, self.page.as_deref());
        if !keyboard.is_empty() {
            parameters["reply_markup"] = json!({ "inline_keyboard": keyboard });
        }
        let sent = self.api.call("sendMessage", &parameters).await?;
        let Some(id) = sent["message_id"].as_i64() else { return Ok(()) };
        let stored = StoredChatMessage {
            chat: self.id,
            tag: message.tag.clone(),
            id,
            title: message.title.clone(),
            prompt: message.shown.as_ref().map(|shown| (shown.prompt, shown.digest.clone())),
            at: now_millis(),
        };
        if let Err(error) = self.store.put_chat_message(stored).await {
            tracing::error!(%error, "cannot keep which message stands in a chat");
        }
        if let Some(before) = before {
            // What is told again takes the place of what was told; its buttons would still be good.
            let parameters = json!({ "chat_id": self.id, "message_id": before.id });
            if let Err(error) = self.api.call("deleteMessage", &parameters).await {
                tracing::info!(%error, "an older message stays in a chat");
            }
        }
        Ok(())
    }

    /// What was said is over: it says so, and has no buttons any more.
    async fn finish(&self, message: &Message) -> Result<(), ApiError> {
        let Some(standing) = self.standing(&message.tag).await else { return Ok(()) };
        let parameters = json!({
            "chat_id": self.id,
            "message_id": standing.id,
            "text": format!("{}\n✓ {}", standing.title, message.title),
            "link_preview_options": { "is_disabled": true },
        });
        match self.api.call("editMessageText", &parameters).await {
            // Deleted by the person, or too old: then there is nothing left to change.
            Err(ApiError::Refused { status: 400, .. }) | Ok(_) => {}
            Err(error) => return Err(error),
        }
        let old = now_millis().saturating_sub(REMEMBERED_MILLIS);
        if let Err(error) = self.store.remove_chat_message(self.id, message.tag.clone(), old).await {
            tracing::error!(%error, "cannot forget a message in a chat");
        }
        Ok(())
    }

    async fn standing(&self, tag: &str) -> Option<StoredChatMessage> {
        match self.store.chat_message_about(self.id, tag.to_owned()).await {
            Ok(found) => found,
            Err(error) => {
                tracing::error!(%error, "cannot read which message stands in a chat");
                None
            }
        }
    }
}

struct Said {
    text: String,
    entities: Vec<Value>,
}

/// The words, with a bold title and the command as it is: nothing in them is read as markup, a link or a name.
fn text(message: &Message, content: Content) -> Said {
    let units = |text: &str| text.encode_utf16().count();
    let mut text = message.title.clone();
    let mut entities = vec![json!({ "type": "bold", "offset": 0, "length": units(&text) })];
    if !message.body.is_empty() {
        text.push('\n');
        if content == Content::Full {
            entities.push(json!({ "type": "pre", "offset": units(&text), "length": units(&message.body) }));
        }
        text.push_str(&message.body);
    }
    if let Some(reply) = message.shown.as_ref().and_then(|shown| shown.reply) {
        text.push_str("\n\n");
        entities.push(json!({ "type": "italic", "offset": units(&text), "length": units(reply) }));
        text.push_str(reply);
    }
    Said { text, entities }
}

/// Allow and Deny beside each other, options below each other, and the way to the page.
fn keyboard(message: &Message, page: Option<&str>) -> Vec<Vec<Value>> {
    let button =
        |button: &Button| json!({ "text": button.label, "callback_data": format!("{BUTTON}{}", button.token) });
    let short = message.buttons.len() <= 2 && message.buttons.iter().all(|button| button.label.len() <= 12);
    let mut rows: Vec<Vec<Value>> = if short {
        vec![message.buttons.iter().map(button).collect()]
    } else {
        message.buttons.iter().map(|one| vec![button(one)]).collect()
    };
    if let Some(page) = page {
        rows.push(vec![json!({ "text": "Open", "url": format!("{page}/{}", message.link) })]);
    }
    rows.retain(|row| !row.is_empty());
    rows
}

/// What became of a call, for the ladder.
fn judge(error: &ApiError) -> Outcome {
    let verdict = match error.status() {
        // Blocked by the person, or the chat is gone.
        Some(403) => Verdict::Gone,
        Some(429) => Verdict::Again(Some(error.retry_after().unwrap_or(Duration::from_secs(30)))),
        Some(status) if status >= 500 => Verdict::Again(None),
        Some(_) => Verdict::Refused,
        None if matches!(error, ApiError::NoToken(_)) => Verdict::Refused,
        None => Verdict::Again(None),
    };
    let detail = match error.status() {
        Some(401 | 404) => "Telegram does not know the bot's token: see token_file".to_owned(),
        Some(403) => "the bot was blocked in this chat: pair it again".to_owned(),
        _ => error.to_string(),
    };
    Outcome { verdict, status: error.status(), detail }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notify::channel::Shown;

    fn message() -> Message {
        Message {
            tag: "t".into(),
            title: "🛒: Run?".into(),
            body: "ls <b> https://x.example".into(),
            link: "#/p/1".into(),
            buttons: ["Allow", "Deny"]
                .map(|label| Button { allows: label == "Allow", label: label.into(), token: "0".repeat(40) })
                .into(),
            kind: MessageKind::NeedsYou,
            ttl: Duration::ZERO,
            waiting: 1,
            shown: Some(Shown {
                prompt: shared_types::PromptId(uuid::Uuid::nil()),
                digest: "d".into(),
                reply: Some("Reply."),
            }),
        }
    }

    #[test]
    fn words_are_marked_by_place_and_never_by_what_they_say() {
        let Said { text, entities } = text(&message(), Content::Full);
        assert_eq!(text, "🛒: Run?\nls <b> https://x.example\n\nReply.");
        // Telegram counts in UTF-16: the cart has two.
        assert_eq!(
            entities,
            [
                json!({ "type": "bold", "offset": 0, "length": 8 }),
                json!({ "type": "pre", "offset": 9, "length": 24 }),
                json!({ "type": "italic", "offset": 35, "length": 6 }),
            ]
        );
    }

    #[test]
    fn buttons_are_opaque_and_short_enough() {
        let rows = keyboard(&message(), Some("https://box.example"));
        assert_eq!(rows.len(), 2);
        let data = rows[0][0]["callback_data"].as_str().expect("data");
        assert!(data.len() < 64 && !data.contains("llow"), "{data}");
        assert_eq!(rows[1], [json!({ "text": "Open", "url": "https://box.example/#/p/1" })]);
        assert_eq!(keyboard(&Message { buttons: vec![], ..message() }, None), Vec::<Vec<Value>>::new());
    }

    #[test]
    fn refusals_are_understood() {
        let refused = |status, retry_after: Option<u64>| {
            let (host, description) = ("t.example".to_owned(), "no".to_owned());
            let retry_after = retry_after.map(Duration::from_secs);
            judge(&ApiError::Refused { host, status, description, retry_after }).verdict
        };
        assert_eq!(refused(403, None), Verdict::Gone);
        assert_eq!(refused(401, None), Verdict::Refused);
        assert_eq!(refused(400, None), Verdict::Refused);
        assert_eq!(refused(429, Some(7)), Verdict::Again(Some(Duration::from_secs(7))));
        assert_eq!(refused(502, None), Verdict::Again(None));
        assert_eq!(judge(&ApiError::NoToken("none".into())).verdict, Verdict::Refused);
    }
}
