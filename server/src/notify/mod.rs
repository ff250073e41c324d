//! Be told: prompts find the person whose page is closed.
//!
//! - [`listening`]: what the bus tells. [`telling`]: what the planner decides, sent.
//! - [`planner`]: who is told of what, and when; pure. [`presence`]: who is looking.
//! - [`message`]: what is said, and which buttons stand under it; pure.
//! - [`channel`]: what every channel has in common. [`web_push`], [`telegram`], [`ntfy`], [`command`]: the channels.
//! - [`delivery`]: one mailbox for each target. [`tokens`]: answers by button. [`nudges`]: *continue* by button.
//! - [`works`]: whether anything comes of what sessions do.
//! - [`outbound`]: requests to servers elsewhere.
//!
//! The [`Notifier`] listens to the bus like a page does and is on nobody's way: what it cannot deliver touches no prompt.

mod channel;
mod command;
mod delivery;
mod listening;
mod message;
mod ntfy;
mod nudges;
mod outbound;
mod planner;
mod presence;
mod telegram;
mod telling;
#[cfg(test)]
mod tests;
mod tokens;
mod web_push;
mod works;

use std::{
    collections::{HashMap, btree_map::BTreeMap},
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use shared_types::{
    Delivery, Device, DeviceId, ErrorCode, Millis, NotifyStatus, NotifyTarget, Presence, PromptId, PushSubscription,
    SessionId, WireError,
};
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_util::sync::CancellationToken;

pub(crate) use self::telegram::listen as listen_to_chats;
use self::{
    channel::{Channel, Message, MessageKind},
    command::Command,
    delivery::{About, Job, Mailbox, QUEUE},
    ntfy::Ntfy,
    nudges::Nudges,
    outbound::Address,
    planner::Planner,
    presence::Presences,
    telegram::Telegram,
    web_push::{Vapid, WebPush},
    works::Work,
};
pub use self::{
    message::Content,
    planner::{Lets, PlanSettings, Quiet, TargetId},
    presence::PageId,
    telegram::{TOKEN_VARIABLE, TokenSource},
};
use crate::{
    access::Access,
    bus::Bus,
    clock::now_millis,
    config::{NotifySettings, NtfySettings},
    sessions::refuse::{from_store, refuse},
    store::Store,
};

/// How long a prompt is worth delivering to a phone that is off.
const PROMPT_TTL: Duration = Duration::from_secs(12 * 60 * 60);
/// The same for what is good to know.
const NEWS_TTL: Duration = Duration::from_secs(60 * 60);
/// What is over is told only to who is there: it takes the place of what still waits at the push service, and is gone soon.
const OVER_TTL: Duration = Duration::from_secs(60);
/// How long a test may take.
const TEST_LIMIT: Duration = Duration::from_secs(20);

/// Tells people of prompts.
pub struct Notifier {
    settings: NotifySettings,
    telegram: Option<Arc<Telegram>>,
    store: Store,
    bus: Arc<Bus>,
    vapid: Arc<Vapid>,
    state: Mutex<State>,
    /// Something has changed that may make something due.
    changed: tokio::sync::Notify,
}

struct State {
    planner: Planner,
    presences: Presences,
    targets: BTreeMap<TargetId, Known>,
    /// Cancelled when a prompt is over.
    open: HashMap<PromptId, CancellationToken>,
    /// From where a button answered a prompt that is still open.
    answered_on: HashMap<PromptId, TargetId>,
    /// The sessions that run.
    running: HashMap<SessionId, Work>,
    nudges: Nudges,
    pages: u64,
}

/// The channels in their order on the ladder.
const LADDER: [&str; 4] = ["web-push", "telegram", "ntfy", "command"];

/// A way to a target, before it is opened.
struct Reached {
    channel: &'static str,
    name: String,
    host: String,
    content: Content,
    finished: bool,
    way: Box<dyn Channel>,
}

/// A target that we can reach.
struct Known {
    channel: &'static str,
    name: String,
    host: String,
    since: Millis,
    finished: bool,
    content: Content,
    /// Until when it wants to be left alone.
    paused_until: Millis,
    /// The subscription it was made of, where it is a device.
    subscription: Option<PushSubscription>,
    jobs: mpsc::Sender<Job>,
    last: Option<Delivery>,
}

impl Notifier {
    /// Takes up the subscriptions that are kept. `page` is where others can open it.
    ///
    /// # Errors
    /// When the store does not answer, or our key cannot be read or made.
    pub async fn load(
        settings: NotifySettings,
        folder: &Path,
        store: Store,
        bus: Arc<Bus>,
        access: &Access,
        page: Option<String>,
    ) -> anyhow::Result<Arc<Self>> {
        let state = State {
            planner: Planner::new(settings.plan.clone()),
            presences: Presences::default(),
            targets: BTreeMap::new(),
            open: HashMap::new(),
            answered_on: HashMap::new(),
            running: HashMap::new(),
            nudges: Nudges::default(),
            pages: 0,
        };
        let telegram = settings.telegram.as_ref().map(|settings| Telegram::new(settings, page.clone()));
        let telegram = telegram.transpose().map_err(anyhow::Error::msg)?.map(Arc::new);
        let mut ways = Vec::new();
        if let Some(NtfySettings { server, topic, token_file, content }) = settings.ntfy.clone() {
            let ntfy = Ntfy::new(&server, &topic, token_file, page).map_err(anyhow::Error::msg)?;
            ways.push(("ntfy", ntfy.host().to_owned(), content, Box::new(ntfy) as Box<dyn Channel>));
        }
        if let Some((program, arguments)) = settings.command.clone() {
            let host = "this machine".to_owned();
            ways.push(("command", host, Content::Full, Box::new(Command { program, arguments })));
        }
        let notifier = Arc::new(Self {
            telegram,
            vapid: Arc::new(Vapid::load(folder)?),
            settings,
            store,
            bus,
            state: Mutex::new(state),
            changed: tokio::sync::Notify::new(),
        });
        for (name, host, content, way) in ways {
            let reached = Reached { channel: name, name: name.to_owned(), host, content, finished: false, way };
            notifier.open(TargetId::Channel(name.to_owned()), reached, None, now_millis());
        }
        if let Some(telegram) = &notifier.telegram {
            for chat in notifier.store.chats().await? {
                let target = TargetId::Chat(chat.id);
                notifier.open(target.clone(), telegram.reach(&chat, notifier.store.clone()), None, chat.since);
                if let Some(known) = notifier.lock().targets.get_mut(&target) {
                    known.paused_until = chat.paused_until;
                }
            }
        }
        let devices = access.devices();
        for (id, subscription, since) in notifier.store.push_subscriptions().await? {
            let Some(device) = devices.iter().find(|device| device.id == id) else { continue };
            if let Err(error) = notifier.reach(device, subscription, since) {
                tracing::warn!(device = %device.name, %error, "a device cannot be told any more");
            }
        }
        Ok(notifier)
    }

    /// Listens and tells, until it is stopped.
    pub async fn run(self: Arc<Self>, mut revocations: broadcast::Receiver<DeviceId>, stop: CancellationToken) {
        let (catch_up, mut events) = self.bus.subscribe(None);
        self.take_up(catch_up).await;
        loop {
            let deadline = self.next_deadline();
            tokio::select! {
                () = stop.cancelled() => return,
                event = events.recv() => match event {
                    Ok(published) => if !self.take(&published.event).await {
                        continue;
                    },
                    Err(broadcast::error::RecvError::Lagged(_)) => {
                        let (catch_up, receiver) = self.bus.subscribe(None);
                        events = receiver;
                        self.take_up(catch_up).await;
                    }
                    Err(broadcast::error::RecvError::Closed) => return,
                },
                revoked = revocations.recv() => match revoked {
                    // Out of the store it goes with its device.
                    Ok(device) => self.forget(&TargetId::Device(device)),
                    Err(broadcast::error::RecvError::Lagged(_)) => {}
                    Err(broadcast::error::RecvError::Closed) => return,
                },
                () = self.changed.notified() => {}
                () = until(deadline) => {}
            }
            self.tell_due().await;
        }
    }

    /// A number for a page that has just connected.
    pub(crate) fn new_page(&self) -> PageId {
        let mut state = self.lock();
        state.pages += 1;
        PageId(state.pages)
    }

    /// A page says what it shows.
    pub(crate) fn page_shows(&self, page: PageId, device: DeviceId, presence: Presence) {
        self.lock().presences.told(page, device, presence, Instant::now());
        self.changed.notify_one();
    }

    /// A page has gone.
    pub(crate) fn page_left(&self, page: PageId) {
        self.lock().presences.left(page);
        self.changed.notify_one();
    }

    /// A device wants to be told.
    ///
    /// # Errors
    /// When it cannot be reached that way, or the store does not answer.
    pub(crate) async fn subscribe(
        self: &Arc<Self>,
        device: &Device,
        subscription: PushSubscription,
    ) -> Result<(), WireError> {
        let target = TargetId::Device(device.id);
        if self.lock().targets.get(&target).is_some_and(|known| known.subscription.as_ref() == Some(&subscription)) {
            return Ok(());
        }
        let since = now_millis();
        self.reach(device, subscription.clone(), since).map_err(|error| refuse(ErrorCode::BadValue, error))?;
        let kept = self.store.put_push_subscription(device.id, Some(subscription), since).await;
        kept.map_err(|error| from_store(&error))?;
        self.changed.notify_one();
        Ok(())
    }

    /// A device does not want to be told any more.
    ///
    /// # Errors
    /// When the store does not answer.
    pub(crate) async fn unsubscribe(&self, device: DeviceId) -> Result<(), WireError> {
        self.forget(&TargetId::Device(device));
        self.store.put_push_subscription(device, None, 0).await.map_err(|error| from_store(&error))
    }

    /// How notifications stand.
    pub(crate) fn status(&self) -> NotifyStatus {
        let minute = self.minute();
        let state = self.lock();
        let held = state.planner.held(false, minute);
        let now = now_millis();
        let target = |(id, known): (&TargetId, &Known)| NotifyTarget {
            channel: known.channel.to_owned(),
            name: known.name.clone(),
            device_id: if let TargetId::Device(device) = id { Some(*device) } else { None },
            chat: if let TargetId::Chat(chat) = id { Some(chat.to_string()) } else { None },
            host: known.host.clone(),
            since: known.since,
            finished: known.finished,
            last: known.last.clone(),
            held: if known.paused_until > now { Some("paused in the chat") } else { held }.map(str::to_owned),
        };
        let targets = state.targets.iter().map(target).collect();
        let telegram = self.telegram.as_ref().map(|telegram| telegram.status());
        NotifyStatus { public_key: self.vapid.public_key(), targets, telegram }
    }

    /// Sends a test to one device or to all, and waits for what becomes of it.
    ///
    /// # Errors
    /// When there is nobody to send it to.
    pub(crate) async fn test(&self, to: Option<DeviceId>) -> Result<NotifyStatus, WireError> {
        let mut results = Vec::new();
        for (id, known) in &self.lock().targets {
            if to.is_none_or(|device| *id == TargetId::Device(device)) {
                let (asked, result) = oneshot::channel();
                let message = Message {
                    tag: "test".to_owned(),
                    title: "Answerback reaches you".to_owned(),
                    body: format!("This is a test for {}.", known.name),
                    link: "#/settings".to_owned(),
                    buttons: Vec::new(),
                    kind: MessageKind::NeedsYou,
                    ttl: OVER_TTL,
                    waiting: 0,
                    shown: None,
                };
                let about = About { word: "test", ..About::default() };
                let job = Job { message, about, over: CancellationToken::new(), asked: Some(asked) };
                // A full mailbox shows in the last delivery.
                let _ = known.jobs.try_send(job);
                results.push(result);
            }
        }
        if results.is_empty() {
            return Err(refuse(ErrorCode::BadValue, "there is nobody to tell: turn notifications on first"));
        }
        for result in results {
            let _ = tokio::time::timeout(TEST_LIMIT, result).await;
        }
        Ok(self.status())
    }

    /// Opens the way to a device.
    fn reach(self: &Arc<Self>, device: &Device, subscription: PushSubscription, since: Millis) -> Result<(), String> {
        let way = WebPush::new(&subscription, self.settings.contact.as_deref(), Arc::clone(&self.vapid))?;
        let (name, host) = (device.name.clone(), way.host().to_owned());
        let content = self.settings.content;
        let finished = subscription.finished;
        let reached = Reached { channel: "web-push", name, host, content, finished, way: Box::new(way) };
        self.open(TargetId::Device(device.id), reached, Some(subscription), since);
        Ok(())
    }

    /// Opens a mailbox; one that was there before delivers what it has and ends.
    fn open(
        self: &Arc<Self>,
        target: TargetId,
        reached: Reached,
        subscription: Option<PushSubscription>,
        since: Millis,
    ) {
        let Reached { channel, name, host, content, finished, way } = reached;
        let (jobs, incoming) = mpsc::channel(QUEUE);
        let mailbox = Mailbox { target: target.clone(), channel, name: name.clone(), way };
        tokio::spawn(mailbox.run(Arc::clone(self), incoming));
        let (paused_until, last) = (0, None);
        let known = Known { channel, name, host, since, finished, content, paused_until, subscription, jobs, last };
        self.lock().targets.insert(target, known);
    }

    fn forget(&self, target: &TargetId) {
        let mut state = self.lock();
        state.targets.remove(target);
        state.planner.forget_target(target);
    }

    /// A mailbox has tried to deliver something.
    fn delivered(&self, target: &TargetId, delivery: &Delivery) {
        if let Some(known) = self.lock().targets.get_mut(target) {
            known.last = Some(delivery.clone());
        }
    }

    /// The other side says that a target is gone for good.
    async fn unsubscribed(&self, target: &TargetId) {
        self.forget(target);
        let forgotten = match target {
            TargetId::Device(device) => self.store.put_push_subscription(*device, None, 0).await,
            TargetId::Chat(chat) => self.store.remove_chat(*chat, Vec::new()).await,
            TargetId::Channel(_) => Ok(()),
        };
        if let Err(error) = forgotten {
            tracing::error!(%error, "cannot forget whom we told");
        }
    }

    fn answered_on(&self, prompt: PromptId, target: &TargetId) {
        let mut state = self.lock();
        if state.open.contains_key(&prompt) {
            state.answered_on.insert(prompt, target.clone());
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is one step of a map or the planner, so the state is sound even after a panic elsewhere.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TargetId {
    /// As one word, for the store.
    fn word(&self) -> String {
        match self {
            Self::Device(device) => format!("device {}", device.0),
            Self::Chat(chat) => format!("chat {chat}"),
            Self::Channel(name) => format!("channel {name}"),
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        match word.split_once(' ')? {
            ("device", id) => id.parse().ok().map(|id| Self::Device(DeviceId(id))),
            ("chat", id) => id.parse().ok().map(Self::Chat),
            ("channel", name) => Some(Self::Channel(name.to_owned())),
            _ => None,
        }
    }
}

/// Whether this is an address that messages may be sent to.
pub(crate) fn is_address(text: &str) -> bool {
    Address::parse(text).is_ok()
}

async fn until(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => tokio::time::sleep_until(deadline.into()).await,
        None => std::future::pending().await,
    }
}
