//! What Telegram tells, understood. Pure. Only what comes from one person in a private chat means anything.

use serde_json::Value;

use super::chat::BUTTON;

/// The longest name of a chat that is kept, in characters.
const NAME_LIMIT: usize = 40;

/// Something that happened in a chat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Update {
    /// A button was tapped.
    Tap {
        /// By which Telegram wants to be told that it was heard.
        id: String,
        /// In which chat.
        chat: i64,
        /// The token that stood behind it.
        token: String,
    },
    /// Somebody wrote.
    Words {
        /// In which chat.
        chat: i64,
        /// Who, for people.
        name: String,
        /// Telegram's number of the message.
        message: i64,
        /// The message that this is a reply to.
        reply_to: Option<i64>,
        /// What.
        text: String,
    },
    /// Nothing that means anything to us.
    Other,
}

/// What a person who is paired may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Asked {
    /// Pair, with this code; what apps send at the beginning is without one.
    Start(String),
    /// Unpair.
    Stop,
    /// The sessions.
    Sessions,
    /// How everything stands.
    Status,
    /// Leave this chat alone, for so many minutes.
    Pause(u64),
    /// Do not leave it alone any more.
    Resume,
    /// What can be asked for.
    Help,
}

/// The commands and what they do, as Telegram shows them.
pub(super) const COMMANDS: [(&str, &str); 6] = [
    ("sessions", "What runs and what it is doing"),
    ("status", "What waits for you"),
    ("pause", "Send nothing here: /pause 30 for half an hour"),
    ("resume", "Send messages here again"),
    ("stop", "Unpair this chat"),
    ("help", "What this bot does"),
];

/// How long a pause is when nobody says.
const PAUSE_MINUTES: u64 = 60;
/// The longest pause.
const PAUSE_LIMIT: u64 = 7 * 24 * 60;

/// The number of an update and what it says.
pub(super) fn read(update: &Value) -> Option<(i64, Update)> {
    let number = update["update_id"].as_i64()?;
    Some((number, tap(update).or_else(|| words(update)).unwrap_or(Update::Other)))
}

fn tap(update: &Value) -> Option<Update> {
    let query = &update["callback_query"];
    let chat = private(&query["message"]["chat"], &query["from"])?;
    let token = query["data"].as_str()?.strip_prefix(BUTTON)?.to_owned();
    Some(Update::Tap { id: query["id"].as_str()?.to_owned(), chat, token })
}

fn words(update: &Value) -> Option<Update> {
    let message = &update["message"];
    let chat = private(&message["chat"], &message["from"])?;
    let name = message["from"]["first_name"].as_str().unwrap_or_default();
    let name: String = name.chars().filter(|ch| !ch.is_control()).take(NAME_LIMIT).collect();
    Some(Update::Words {
        chat,
        name: if name.trim().is_empty() { "a chat".to_owned() } else { name.trim().to_owned() },
        message: message["message_id"].as_i64()?,
        reply_to: message["reply_to_message"]["message_id"].as_i64(),
        text: message["text"].as_str()?.to_owned(),
    })
}

/// The chat, when nobody but this one person is in it.
fn private(chat: &Value, from: &Value) -> Option<i64> {
    let id = chat["id"].as_i64()?;
    (chat["type"] == "private" && from["id"].as_i64() == Some(id)).then_some(id)
}

/// The command that a text is, if it is one. An unknown one asks for help.
pub(super) fn asked(text: &str) -> Option<Asked> {
    let text = text.trim().strip_prefix('/')?;
    let (command, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    // In menus a command may carry the bot's name.
    let command = command.split('@').next().unwrap_or_default();
    let rest = rest.trim();
    Some(match command {
        "start" => Asked::Start(rest.to_owned()),
        "stop" => Asked::Stop,
        "sessions" => Asked::Sessions,
        "status" => Asked::Status,
        "pause" if rest.is_empty() => Asked::Pause(PAUSE_MINUTES),
        "pause" => match rest.parse() {
            Ok(minutes) if (1..=PAUSE_LIMIT).contains(&minutes) => Asked::Pause(minutes),
            _ => Asked::Help,
        },
        "resume" => Asked::Resume,
        _ => Asked::Help,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_one_person_in_a_private_chat_means_anything() {
        let said = |chat: Value, from: i64| {
            let message =
                json!({ "message_id": 3, "chat": chat, "from": { "id": from, "first_name": "Ann" }, "text": "x" });
            read(&json!({ "update_id": 1, "message": message })).expect("an update").1
        };
        let words = Update::Words { chat: 7, name: "Ann".into(), message: 3, reply_to: None, text: "x".into() };
        assert_eq!(said(json!({ "id": 7, "type": "private" }), 7), words);
        assert_eq!(said(json!({ "id": -7, "type": "group" }), 7), Update::Other);
        assert_eq!(said(json!({ "id": 7, "type": "private" }), 8), Update::Other);
        assert_eq!(said(json!({ "id": 7 }), 7), Update::Other);
        assert_eq!(read(&json!({ "update_id": 2, "poll": {} })), Some((2, Update::Other)));
        assert_eq!(read(&json!({ "poll": {} })), None);
    }

    #[test]
    fn tap_carries_its_token() {
        let tapped = |data: &str, kind: &str| {
            let message = json!({ "message_id": 3, "chat": { "id": 7, "type": kind } });
            let query = json!({ "id": "q", "from": { "id": 7 }, "message": message, "data": data });
            read(&json!({ "update_id": 1, "callback_query": query })).expect("an update").1
        };
        let tap = Update::Tap { id: "q".into(), chat: 7, token: "abc".into() };
        assert_eq!(tapped("a:abc", "private"), tap);
        assert_eq!(tapped("abc", "private"), Update::Other);
        assert_eq!(tapped("a:abc", "supergroup"), Update::Other);
    }

    #[test]
    fn commands_are_understood() {
        for (text, expected) in [
            ("/start 00ff", Some(Asked::Start("00ff".into()))),
            ("/start", Some(Asked::Start(String::new()))),
            ("/sessions@my_bot", Some(Asked::Sessions)),
            (" /status ", Some(Asked::Status)),
            ("/pause", Some(Asked::Pause(60))),
            ("/pause 5", Some(Asked::Pause(5))),
            ("/pause 0", Some(Asked::Help)),
            ("/pause for ever", Some(Asked::Help)),
            ("/resume", Some(Asked::Resume)),
            ("/stop", Some(Asked::Stop)),
            ("/rm -rf", Some(Asked::Help)),
            ("yes", None),
        ] {
            assert_eq!(asked(text), expected, "{text}");
        }
    }
}
