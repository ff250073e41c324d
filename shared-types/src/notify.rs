//! Notifications: what a page says about itself so that it is told of a prompt only when nobody sees it, and how it is told.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{DeviceId, Millis, PromptId, SessionId};

/// What a page can say or ask about notifications.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "notify.ts")]
pub enum NotifyCommand {
    /// What this page shows, if anybody can see it. Said again when it changes, and often enough that it does not expire.
    Presence {
        /// What it shows.
        presence: Presence,
    },
    /// How notifications stand; replies [`crate::ReplyData::Notify`].
    Status,
    /// This device wants to be told; said again at every start of the page, because browsers renew their addresses.
    Subscribe {
        /// How to reach it.
        subscription: PushSubscription,
    },
    /// This device does not want to be told any more.
    Unsubscribe,
    /// Sends a test to this device, or from this machine's own commands to all; replies [`crate::ReplyData::Notify`].
    Test,
    /// Makes a code that pairs one Telegram chat; replies [`crate::ReplyData::Chat`].
    OfferChat,
    /// Removes a paired Telegram chat.
    RemoveChat {
        /// Its id, as [`NotifyTarget::chat`] says it.
        chat: String,
    },
}

/// What a page shows.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "notify.ts")]
pub struct Presence {
    /// False while the phone is locked or the page lies behind another.
    pub visible: bool,
    /// The prompts that are on it, to be read.
    pub prompts: Vec<PromptId>,
    /// The sessions whose chats are open.
    pub sessions: Vec<SessionId>,
}

/// How a browser is reached through its push service.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "notify.ts")]
pub struct PushSubscription {
    /// The address at the push service.
    pub endpoint: String,
    /// The browser's public key, base64url.
    pub p256dh: String,
    /// The secret that it shares with us, base64url.
    pub auth: String,
    /// The origin of the page: what a notification opens.
    pub origin: String,
    /// Whether it is also told when a session has finished.
    pub finished: bool,
}

/// How notifications stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "notify.ts")]
pub struct NotifyStatus {
    /// The key with which a browser subscribes, base64url.
    pub public_key: String,
    /// Whom we can tell.
    pub targets: Vec<NotifyTarget>,
    /// The Telegram bot, where one is set up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub telegram: Option<TelegramStatus>,
}

/// How the Telegram bot stands.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "notify.ts", optional_fields)]
pub struct TelegramStatus {
    /// Its name at Telegram, without the `@`, once it has answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bot: Option<String>,
    /// Why nothing is heard from it just now, and what to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// An offer to pair one Telegram chat, once, for a few minutes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "notify.ts", optional_fields)]
pub struct ChatOffer {
    /// The one-use code: what is sent to the bot is `/start` and this.
    pub code: String,
    /// A link that opens the bot and sends it, once the bot's name is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// When the code ends.
    pub expires_at: Millis,
}

/// Somebody we can tell: a device or another channel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "notify.ts", optional_fields)]
pub struct NotifyTarget {
    /// The channel, such as `web-push`.
    pub channel: String,
    /// The device's or the channel's name, for people.
    pub name: String,
    /// The device, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub device_id: Option<DeviceId>,
    /// Telegram's id of the chat, where it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chat: Option<String>,
    /// The host that what we send passes through.
    pub host: String,
    /// Since when we know it.
    pub since: Millis,
    /// Whether it is also told when a session has finished.
    pub finished: bool,
    /// What became of the last message to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last: Option<Delivery>,
    /// Why a message would be held back now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub held: Option<String>,
}

/// What became of a message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "notify.ts", optional_fields)]
pub struct Delivery {
    /// When.
    pub at: Millis,
    /// True when it was taken. That it was shown, nobody tells us.
    pub taken: bool,
    /// The status that the other side answered with, where it answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<u16>,
    /// What that means, and what to do.
    pub detail: String,
}

/// `POST /api/notify/answer`: a button of a notification was tapped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "notify.ts")]
pub struct TokenAnswer {
    /// The one-use token of the button.
    pub token: String,
}
