//! Telegram: messages of a bot of the person's own, to chats that were paired with a one-use code, and answers from there.
//!
//! - [`api`]: the calls. [`chat`]: one chat as a channel. [`updates`]: what Telegram tells, understood; pure.
//! - [`listening`]: waits for it by long polling, so no port is open, and does what it says.
//! - [`offers`]: the codes that pair; pure.
//!
//! What is said goes in the clear to Telegram, so by default it says little. Only private chats are paired: in a group anybody could
//! tap. A chat that is not paired is told nothing and can do nothing.

mod api;
mod chat;
mod listening;
mod offers;
mod updates;

use std::{
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Instant,
};

use serde_json::json;
use shared_types::{Actor, AlertKind, ChatOffer, ErrorCode, TelegramStatus, WireError};

pub use self::api::{TOKEN_VARIABLE, TokenSource};
pub(crate) use self::listening::listen;
use self::{api::Api, chat::Chat, offers::Offers};
use super::{Content, Notifier, Reached, TargetId};
use crate::{
    access::random_token,
    clock::now_millis,
    config::TelegramSettings,
    journal::{Fact, FactKind},
    sessions::refuse::{from_store, refuse},
    store::{Store, StoredChat},
};

/// How many chats may be paired.
const CHATS: usize = 16;
/// The length of a pairing code, in hexadecimal digits.
const CODE: usize = 16;

/// The bot.
pub(super) struct Telegram {
    api: Arc<Api>,
    content: Content,
    finished: bool,
    /// Where the page is, if others can reach it.
    page: Option<String>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    offers: Offers,
    /// Its name at Telegram, without the `@`, once we know it.
    bot: Option<String>,
    /// Why nothing is heard from Telegram just now.
    trouble: Option<String>,
}

impl Telegram {
    /// The bot of these settings.
    ///
    /// # Errors
    /// When the server's address is none that may be asked.
    pub(super) fn new(settings: &TelegramSettings, page: Option<String>) -> Result<Self, String> {
        Ok(Self {
            api: Arc::new(Api::new(&settings.server, settings.token.clone())?),
            content: settings.content,
            finished: settings.finished,
            page,
            state: Mutex::default(),
        })
    }

    /// How it stands.
    pub(super) fn status(&self) -> TelegramStatus {
        let state = self.lock();
        TelegramStatus { bot: state.bot.clone(), trouble: state.trouble.clone() }
    }

    /// The way to a chat.
    pub(super) fn reach(&self, chat: &StoredChat, store: Store) -> Reached {
        let api = Arc::clone(&self.api);
        let way = Chat { api, id: chat.id, content: self.content, page: self.page.clone(), store };
        Reached {
            channel: "telegram",
            name: chat.name.clone(),
            host: self.api.host().to_owned(),
            content: self.content,
            finished: self.finished,
            way: Box::new(way),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is one step, so the state is sound even after a panic elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Notifier {
    /// A code that pairs one chat with the bot.
    ///
    /// # Errors
    /// When there is no bot, or no code can be made.
    pub(crate) fn offer_chat(&self) -> Result<ChatOffer, WireError> {
        let Some(telegram) = &self.telegram else {
            return Err(refuse(
                ErrorCode::BadValue,
                "Telegram is not set up: see [notify.telegram] in docs/notifications.md",
            ));
        };
        let Ok(mut code) = random_token() else {
            return Err(refuse(ErrorCode::Internal, "the system gives no random numbers"));
        };
        code.truncate(CODE);
        let mut state = telegram.lock();
        state.offers.add(&code, Instant::now());
        let link = state.bot.as_ref().map(|bot| format!("https://t.me/{bot}?start={code}"));
        let lifetime = u64::try_from(offers::LIFETIME.as_millis()).unwrap_or(0);
        Ok(ChatOffer { code, link, expires_at: now_millis() + lifetime })
    }

    /// Pairs a chat whose code was good. Everybody is told: it can answer from now on.
    async fn pair_chat(self: &Arc<Self>, telegram: &Telegram, id: i64, name: &str) -> Result<(), WireError> {
        let chats = self.store.chats().await.map_err(|error| from_store(&error))?;
        if chats.len() >= CHATS && chats.iter().all(|chat| chat.id != id) {
            return Err(refuse(ErrorCode::BadValue, "too many chats are paired: remove one first"));
        }
        let now = now_millis();
        let chat = StoredChat { id, name: name.to_owned(), since: now, paused_until: 0 };
        let fact = Fact::new(FactKind::DevicePaired, now).by(actor(name));
        let fact = fact.with(json!({ "channel": "telegram", "name": name }));
        self.store.put_chat(chat.clone(), vec![fact]).await.map_err(|error| from_store(&error))?;
        self.open(TargetId::Chat(id), telegram.reach(&chat, self.store.clone()), None, now);
        self.bus.alert(AlertKind::ChatPaired { chat: id.to_string(), name: name.to_owned() });
        self.changed.notify_one();
        Ok(())
    }

    /// Removes a chat: its buttons and words are nothing any more.
    ///
    /// # Errors
    /// When there is no such chat, or the store does not answer.
    pub(crate) async fn remove_chat(&self, id: i64, by: Actor) -> Result<(), WireError> {
        let target = TargetId::Chat(id);
        let name = self.lock().targets.get(&target).map(|known| known.name.clone());
        let name = name.ok_or_else(|| refuse(ErrorCode::UnknownDevice, "there is no such chat"))?;
        // Out of memory first: whatever the store says, it is not heard from now on.
        self.forget(&target);
        let fact = Fact::new(FactKind::DeviceRevoked, now_millis()).by(by);
        let fact = fact.with(json!({ "channel": "telegram", "name": name }));
        self.store.remove_chat(id, vec![fact]).await.map_err(|error| from_store(&error))
    }

    /// Leaves a chat alone until then.
    async fn pause_chat(&self, id: i64, until: u64) -> Result<(), WireError> {
        let stored = {
            let mut state = self.lock();
            let Some(known) = state.targets.get_mut(&TargetId::Chat(id)) else { return Ok(()) };
            known.paused_until = until;
            StoredChat { id, name: known.name.clone(), since: known.since, paused_until: until }
        };
        self.changed.notify_one();
        self.store.put_chat(stored, Vec::new()).await.map_err(|error| from_store(&error))
    }
}

/// A chat as somebody who does something.
fn actor(name: &str) -> Actor {
    Actor::Notification { channel: "telegram".to_owned(), name: name.to_owned() }
}
