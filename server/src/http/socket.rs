//! One connection: a challenge, hello with the proof of the device's key, what was missed, then events out and requests in until somebody leaves.
//!
//! A connection owns nothing that others wait for. What it sends is bounded: a phone that cannot keep up with the events, or
//! does not take a frame in time, is dropped and comes back for a snapshot.

use std::{collections::HashMap, sync::Arc, time::Duration};

use axum::{
    Extension,
    extract::{
        State, WebSocketUpgrade,
        ws::{CloseFrame, Message, Utf8Bytes, WebSocket},
    },
    http::{HeaderMap, StatusCode},
    response::Response,
};
use futures_util::{SinkExt as _, StreamExt as _, stream::SplitSink};
use shared_types::{
    ClientMessage, Command, ErrorCode, Event, NotifyCommand, PROTOCOL_VERSION, Reply, ReplyData, RequestId,
    ServerMessage, SessionId, SessionState, Standing, WireError, is_same_proof, socket_proof,
};
use tokio::{
    sync::{broadcast, mpsc},
    task::{AbortHandle, JoinSet},
    time::{MissedTickBehavior, interval, timeout},
};

use super::{
    App, Client, commands, credential,
    door::Visitor,
    frame::{encode, encode_catch_up, encode_event},
    local, pairing,
};
use crate::{
    access::{Paired, random_token},
    bus::Published,
    notify::PageId,
    sessions::refuse::refuse,
};

/// The longest frame that is read at all; the connection of a longer one is closed.
const FRAME_LIMIT: usize = 1 << 20;
/// The longest frame that is taken; a longer one is answered with an error.
const MESSAGE_LIMIT: usize = 256 * 1024;
/// tungstenite's own 128 KB for every idle phone would be most of the server's memory.
const READ_BUFFER: usize = 4096;
/// How long a page may take to say hello.
const HELLO_LIMIT: Duration = Duration::from_secs(10);
/// How long a frame may take to go out; then the phone is gone or asleep.
const SEND_LIMIT: Duration = Duration::from_secs(10);
/// How often a silent phone is asked whether it is still there; two unanswered questions end the connection.
const PING: Duration = Duration::from_secs(20);
/// Requests of one page that are carried out at once; further ones are refused as busy.
const REQUESTS: usize = 16;
/// Frames on their way from requests and screens. When full, these wait; the events do not.
const QUEUE: usize = 32;
/// Screens that one page may watch at once.
const WATCHES: usize = 4;
/// How often a watched screen is sent at most.
const SCREEN_PACE: Duration = Duration::from_millis(80);

/// Close codes of our own; the page knows them.
mod close {
    pub(super) const NOT_PAIRED: u16 = 4401;
    pub(super) const PROTOCOL: u16 = 4406;
    pub(super) const LAGGING: u16 = 4408;
    pub(super) const GOING_AWAY: u16 = 1001;
}

/// `GET /ws` for a paired device.
pub(super) async fn for_device(
    State(app): State<Arc<App>>,
    visitor: Option<Extension<Visitor>>,
    headers: HeaderMap,
    upgrade: WebSocketUpgrade,
) -> Response {
    // Before the cookie is looked at: a revocation from now on is never missed.
    let revocations = app.access.revocations();
    let (device, key) = match credential::by_cookie(&app, &headers) {
        Some(Paired { device, key: Some(key) }) => (device, key),
        Some(Paired { key: None, .. }) => return unauthorized(Standing::PairAgain),
        None => return unauthorized(Standing::NotPaired),
    };
    let check = KeyCheck { key, visitor: visitor.map(|Extension(visitor)| visitor) };
    serve(app, Client { device: device.id, name: device.name }, Some(check), revocations, upgrade)
}

fn unauthorized(standing: Standing) -> Response {
    pairing::refused(StatusCode::UNAUTHORIZED, credential::not_paired(standing))
}

/// What a device's connection has to open: its cookie alone has brought it this far.
struct KeyCheck {
    key: String,
    visitor: Option<Visitor>,
}

/// `GET /ws` on the unix socket.
pub(super) async fn for_local(
    State(app): State<Arc<App>>,
    Extension(client): Extension<Client>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let revocations = app.access.revocations();
    serve(app, client, None, revocations, upgrade)
}

type Revocations = broadcast::Receiver<shared_types::DeviceId>;

fn serve(
    app: Arc<App>,
    client: Client,
    check: Option<KeyCheck>,
    revocations: Revocations,
    upgrade: WebSocketUpgrade,
) -> Response {
    upgrade
        .read_buffer_size(READ_BUFFER)
        .max_message_size(FRAME_LIMIT)
        .max_frame_size(FRAME_LIMIT)
        .on_upgrade(move |socket| Connection::run(app, client, check, revocations, socket))
}

struct Connection {
    app: Arc<App>,
    client: Client,
    sink: SplitSink<WebSocket, Message>,
    /// Where requests and screens put their frames.
    frames: mpsc::Sender<Utf8Bytes>,
    requests: JoinSet<()>,
    watches: HashMap<SessionId, AbortHandle>,
    /// Pings that were not answered.
    unanswered: u8,
    /// What this page shows is kept under this.
    page: PageId,
}

/// Why a connection ends; the peer is told where there is something to tell.
enum End {
    Left,
    Close(u16, &'static str),
}

impl Connection {
    async fn run(
        app: Arc<App>,
        client: Client,
        check: Option<KeyCheck>,
        mut revocations: Revocations,
        socket: WebSocket,
    ) {
        let (sink, mut incoming) = socket.split();
        let (frames, mut outgoing) = mpsc::channel(QUEUE);
        let stop = app.stop.clone();
        let page = app.notifier.new_page();
        let mut connection =
            Self { app, client, sink, frames, requests: JoinSet::new(), watches: HashMap::new(), unanswered: 0, page };
        let end = async {
            // It travels right behind the upgrade, so the page waits no longer for it than for the open socket.
            let nonce = connection.challenge(check.as_ref()).await?;
            let hello = timeout(HELLO_LIMIT, incoming.next()).await.ok().flatten();
            let mut events = connection.on_hello(hello, check.zip(nonce)).await?;
            let mut pings = interval(PING);
            pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
            pings.reset();
            loop {
                tokio::select! {
                    () = stop.cancelled() => return Err(End::Close(close::GOING_AWAY, "the server stops")),
                    revoked = revocations.recv() => connection.on_revoked(&revoked)?,
                    event = events.recv() => connection.on_event(event).await?,
                    Some(frame) = outgoing.recv() => connection.send(Message::Text(frame)).await?,
                    message = incoming.next() => connection.on_message(message).await?,
                    Some(_) = connection.requests.join_next() => {}
                    _ = pings.tick() => connection.on_ping().await?,
                }
            }
        };
        let end: Result<(), End> = end.await;
        if let Err(End::Close(code, reason)) = end {
            let frame = CloseFrame { code, reason: Utf8Bytes::from_static(reason) };
            let _ = timeout(SEND_LIMIT, connection.sink.send(Message::Close(Some(frame)))).await;
        }
        connection.app.notifier.page_left(page);
        for watch in connection.watches.values() {
            watch.abort();
        }
        // Requests go on without us: an answer that was accepted is typed, whether or not the phone is still there.
        connection.requests.detach_all();
    }

    async fn challenge(&mut self, check: Option<&KeyCheck>) -> Result<Option<String>, End> {
        if check.is_none() {
            return Ok(None);
        }
        let nonce = random_token().map_err(|_| End::Left)?;
        self.send(Message::Text(encode(&ServerMessage::Challenge { nonce: nonce.clone() }))).await?;
        Ok(Some(nonce))
    }

    /// The first message must be hello, in our version and with the proof of the device's key. The page is brought up to date.
    async fn on_hello(
        &mut self,
        message: Option<Result<Message, axum::Error>>,
        check: Option<(KeyCheck, String)>,
    ) -> Result<broadcast::Receiver<Arc<Published>>, End> {
        let Some(Ok(message)) = message else { return Err(End::Left) };
        let hello = match &message {
            Message::Text(text) => serde_json::from_str(text).ok(),
            _ => None,
        };
        let Some(ClientMessage::Hello { protocol, epoch, last_seq, proof }) = hello else {
            self.complain(ErrorCode::HelloFirst, "the first message must be hello".to_owned()).await?;
            return Err(End::Close(close::PROTOCOL, "hello first"));
        };
        if protocol != PROTOCOL_VERSION {
            let message =
                format!("this server speaks version {PROTOCOL_VERSION}, the page {protocol}: reload the page");
            self.complain(ErrorCode::ProtocolVersion, message).await?;
            return Err(End::Close(close::PROTOCOL, "protocol version"));
        }
        if let Some((KeyCheck { key, visitor }, nonce)) = check {
            if !proof.is_some_and(|proof| is_same_proof(&socket_proof(&key, &nonce), &proof)) {
                return Err(End::Close(close::NOT_PAIRED, "the key was not proved: pair this device again"));
            }
            if let Some(visitor) = visitor {
                visitor.is_known();
            }
            self.app.access.seen(self.client.device).await;
        }
        let bus = Arc::clone(&self.app.bus);
        let welcome = ServerMessage::Welcome {
            protocol: PROTOCOL_VERSION,
            server_version: env!("CARGO_PKG_VERSION").to_owned(),
            epoch: bus.epoch(),
            device_id: self.client.device,
        };
        let (missed, events) = bus.subscribe(epoch.zip(last_seq));
        self.send(Message::Text(encode(&welcome))).await?;
        for frame in encode_catch_up(missed) {
            self.send(Message::Text(frame)).await?;
        }
        Ok(events)
    }

    fn on_revoked(&self, revoked: &Result<shared_types::DeviceId, broadcast::error::RecvError>) -> Result<(), End> {
        match revoked {
            Ok(device) if *device != self.client.device => Ok(()),
            // One that was missed could have been ours: the cookie is checked again on the way back in.
            _ => Err(End::Close(close::NOT_PAIRED, "this device was revoked")),
        }
    }

    async fn on_event(&mut self, event: Result<Arc<Published>, broadcast::error::RecvError>) -> Result<(), End> {
        match event {
            Ok(published) => self.send(Message::Text(encode_event(&published))).await,
            Err(_) => Err(End::Close(close::LAGGING, "too far behind: come back for a snapshot")),
        }
    }

    async fn on_ping(&mut self) -> Result<(), End> {
        if self.unanswered >= 2 {
            return Err(End::Left);
        }
        self.unanswered += 1;
        self.send(Message::Ping(axum::body::Bytes::new())).await
    }

    async fn on_message(&mut self, message: Option<Result<Message, axum::Error>>) -> Result<(), End> {
        let Some(Ok(message)) = message else { return Err(End::Left) };
        self.unanswered = 0;
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => return self.complain(ErrorCode::Malformed, "text frames only".to_owned()).await,
            Message::Close(_) => return Err(End::Left),
            Message::Ping(_) | Message::Pong(_) => return Ok(()),
        };
        if text.len() > MESSAGE_LIMIT {
            return self.complain(ErrorCode::TooLarge, format!("a message has at most {MESSAGE_LIMIT} bytes")).await;
        }
        match serde_json::from_str(&text) {
            Ok(ClientMessage::Request { id, command }) => self.on_request(id, command).await,
            Ok(ClientMessage::Hello { .. }) => {
                self.complain(ErrorCode::HelloFirst, "hello has been said already".to_owned()).await
            }
            Err(error) => self.on_unreadable(&text, &error).await,
        }
    }

    /// A request that cannot be read is refused by its id, where at least that can be read.
    async fn on_unreadable(&mut self, text: &str, error: &serde_json::Error) -> Result<(), End> {
        #[derive(serde::Deserialize)]
        struct IdOnly {
            id: RequestId,
        }
        let message = format!("not a message of this protocol: {error}");
        match serde_json::from_str::<IdOnly>(text) {
            Ok(IdOnly { id }) => self.reply(id, Err(refuse(ErrorCode::Malformed, message))).await,
            Err(_) => self.complain(ErrorCode::Malformed, message).await,
        }
    }

    async fn on_request(&mut self, id: RequestId, command: Command) -> Result<(), End> {
        match command {
            command if self.client.is_local() && !local::may_ask(&command) => {
                let error = refuse(ErrorCode::Forbidden, "this can only be done from a paired device");
                self.reply(id, Err(error)).await
            }
            Command::Notify { notify: NotifyCommand::Presence { presence } } => {
                self.app.notifier.page_shows(self.page, self.client.device, presence);
                self.reply(id, Ok(ReplyData::Done)).await
            }
            Command::Watch { session_id } => {
                let result = self.watch(session_id).await;
                self.reply(id, result).await
            }
            Command::Unwatch { session_id } => {
                if let Some(watch) = self.watches.remove(&session_id) {
                    watch.abort();
                }
                self.reply(id, Ok(ReplyData::Done)).await
            }
            _ if self.requests.len() >= REQUESTS => {
                let error = refuse(ErrorCode::SessionBusy, "too many requests at once: wait for their answers");
                self.reply(id, Err(error)).await
            }
            command => {
                let (app, client, frames) = (Arc::clone(&self.app), self.client.clone(), self.frames.clone());
                self.requests.spawn(async move {
                    let result = commands::execute(&app, &client, command).await;
                    // The phone may be gone; what was done stays done.
                    let _ = frames.send(reply_frame(id, result)).await;
                });
                Ok(())
            }
        }
    }

    async fn watch(&mut self, session: SessionId) -> Result<ReplyData, WireError> {
        if self.watches.contains_key(&session) {
            return Ok(ReplyData::Done);
        }
        if self.watches.len() >= WATCHES {
            return Err(refuse(ErrorCode::BadValue, format!("at most {WATCHES} screens can be watched at once")));
        }
        self.app.sessions.frames(session).await?;
        let watch = tokio::spawn(send_screens(Arc::clone(&self.app), session, self.frames.clone()));
        self.watches.insert(session, watch.abort_handle());
        Ok(ReplyData::Done)
    }

    async fn reply(&mut self, id: RequestId, result: Result<ReplyData, WireError>) -> Result<(), End> {
        self.send(Message::Text(reply_frame(id, result))).await
    }

    async fn complain(&mut self, code: ErrorCode, message: String) -> Result<(), End> {
        let error = WireError { code, message };
        self.send(Message::Text(encode(&ServerMessage::Error { error }))).await
    }

    async fn send(&mut self, message: Message) -> Result<(), End> {
        match timeout(SEND_LIMIT, self.sink.send(message)).await {
            Ok(Ok(())) => Ok(()),
            _ => Err(End::Left),
        }
    }
}

/// Sends the screens of a session, also after it has ended and was resumed.
async fn send_screens(app: Arc<App>, session: SessionId, frames: mpsc::Sender<Utf8Bytes>) {
    loop {
        // Before the screens, so that a resume from now on is not missed.
        let mut events = app.bus.listen();
        let Ok(mut screens) = app.sessions.frames(session).await else { return };
        let is_live = screens.has_changed().is_ok();
        screens.mark_changed();
        while screens.changed().await.is_ok() {
            let frame = screens.borrow_and_update().clone();
            if let Some(frame) = frame {
                let message = ServerMessage::Screen { session_id: session, frame: frame.as_ref().clone() };
                if frames.send(encode(&message)).await.is_err() {
                    return;
                }
            }
            tokio::time::sleep(SCREEN_PACE).await;
        }
        if !is_live && !runs_again(session, &mut events).await {
            return;
        }
    }
}

/// Waits until a session without a task is resumed; false when it is forgotten.
async fn runs_again(session: SessionId, events: &mut broadcast::Receiver<Arc<Published>>) -> bool {
    loop {
        match events.recv().await.as_deref().map(|published| &published.event) {
            Ok(Event::Session { session: view }) if view.id == session => {
                if !matches!(view.state, SessionState::Ended { .. }) {
                    return true;
                }
            }
            Ok(Event::SessionForgotten { session_id }) if *session_id == session => return false,
            Ok(_) => {}
            Err(broadcast::error::RecvError::Lagged(_)) => return true,
            Err(broadcast::error::RecvError::Closed) => return false,
        }
    }
}

fn reply_frame(id: RequestId, result: Result<ReplyData, WireError>) -> Utf8Bytes {
    let result = match result {
        Ok(data) => Reply::Ok { data },
        Err(error) => Reply::Refused { error },
    };
    encode(&ServerMessage::Reply { id, result })
}
