//! A server with a terminal in memory, and a client that pairs and speaks.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use adapters::{Capture, screen::Cursor};
use answerback::{
    config::{NotifySettings, Settings, Tls},
    pane::fake::FakeTerminal,
    paths::Paths,
    serve,
};
use answerback_client::{Answer, ClientError, Frame, answer};
use shared_types::{
    AdapterKind, ClientMessage, Command, Credential, ErrorCode, PairReply, ReplyData, RequestId, ServerMessage,
    SessionId, StartSession,
};
use tempfile::TempDir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    task::JoinHandle,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

/// How long anything may take before the test gives up.
pub(super) const LIMIT: Duration = Duration::from_secs(30);

/// The server, until it is dropped.
pub(super) struct Server {
    pub(super) address: SocketAddr,
    pub(super) terminal: Arc<FakeTerminal>,
    pub(super) folder: TempDir,
    /// A pairing code that nobody has used yet.
    code: String,
    stop: CancellationToken,
    running: JoinHandle<anyhow::Result<()>>,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.cancel();
        self.running.abort();
    }
}

impl Server {
    pub(super) async fn start() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let settings = Settings {
            resume_all: false,
            journal_days: None,
            metrics: true,
            notify: NotifySettings::default(),
            expiry: Default::default(),
            hooks: true,
            port: 0,
            host: [127, 0, 0, 1].into(),
            tls: Tls::Off,
            allowed_hosts: Vec::new(),
            folders: Vec::new(),
            paths: Paths::resolve(Some(folder.path())),
            rules: folder.path().join("rules.toml"),
            tmux: "unused".to_owned(),
            prompts: Default::default(),
            file: folder.path().join("config.toml"),
        };
        let terminal = Arc::new(FakeTerminal::new());
        terminal.on_open(|_, pane| pane.change(|capture| *capture = ready_screen()));
        let stop = CancellationToken::new();
        let (ready, started) = tokio::sync::oneshot::channel();
        let running = tokio::spawn(serve::serve(settings, Arc::clone(&terminal) as _, stop.clone(), |started| {
            let _ = ready.send((started.address, started.offer().expect("an offer").code));
        }));
        let (address, code) = timeout(LIMIT, started).await.expect("a server in time").expect("a server");
        Self { address, terminal, folder, code, stop, running }
    }

    /// Stops it and returns what came of it.
    pub(super) async fn stopped(&mut self) -> anyhow::Result<()> {
        self.stop.cancel();
        timeout(LIMIT, &mut self.running).await.expect("stopped in time").expect("no panic")
    }

    /// Pairs with the code from the start and says hello.
    pub(super) async fn first_client(&self) -> Client {
        let credential = self.pair(&self.code).await;
        Client::hello(self.address, credential).await
    }

    /// Pairs with a new code, which another client asks for.
    pub(super) async fn next_client(&self, other: &mut Client) -> Client {
        let credential = self.pair_by(other).await;
        Client::hello(self.address, credential).await
    }

    /// The credential of a further device.
    pub(super) async fn pair_by(&self, other: &mut Client) -> Credential {
        match other.ask(Command::Pair).await {
            Ok(ReplyData::Pairing { offer }) => self.pair(&offer.code).await,
            other => panic!("no code: {other:?}"),
        }
    }

    async fn pair(&self, code: &str) -> Credential {
        let body = serde_json::json!({ "code": code, "name": "a test" }).to_string();
        let request = format!(
            "POST /api/pair HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {1}\r\n\r\n{body}",
            self.address,
            body.len(),
        );
        let exchange = async {
            let mut stream = TcpStream::connect(self.address).await.expect("connect");
            stream.write_all(request.as_bytes()).await.expect("send");
            let mut answer = String::new();
            stream.read_to_string(&mut answer).await.expect("an answer");
            answer
        };
        let answer = timeout(LIMIT, exchange).await.expect("an answer in time");
        let cookie =
            answer.lines().find_map(|line| line.strip_prefix("set-cookie: ")).and_then(|line| line.split(';').next());
        let cookie = cookie.unwrap_or_else(|| panic!("not paired: {answer}")).to_owned();
        let (_, body) = answer.split_once("\r\n\r\n").expect("a body");
        let PairReply { key, .. } = serde_json::from_str(body).expect("a reply");
        Credential { cookie, key }
    }
}

/// The composer of the demo agent, empty.
fn ready_screen() -> Capture {
    let rule = "─".repeat(120);
    Capture {
        text: format!("{rule}\n> \n{rule}\n  hints"),
        cols: 120,
        rows: 40,
        cursor: Cursor { x: 2, y: 1, visible: true },
        ..Capture::default()
    }
}

/// A connection.
pub(super) struct Client {
    pub(super) credential: Credential,
    /// This run of the server.
    pub(super) epoch: Uuid,
    pub(super) socket: answerback_client::Client<TcpStream>,
    /// The numbers of the events so far.
    pub(super) seen: Vec<u64>,
}

impl Client {
    /// Connects and says nothing yet. A small buffer fills up soon when nobody reads.
    pub(super) async fn connect(address: SocketAddr, credential: Credential, buffer: Option<u32>) -> Self {
        let socket = TcpSocket::new_v4().expect("a socket");
        if let Some(size) = buffer {
            socket.set_recv_buffer_size(size).expect("a small buffer");
        }
        let stream = socket.connect(address).await.expect("connect");
        let socket = answerback_client::Client::open(stream, address, &credential).await.expect("a web socket");
        Self { credential, epoch: Uuid::nil(), socket, seen: Vec::new() }
    }

    pub(super) async fn hello(address: SocketAddr, credential: Credential) -> Self {
        Self::hello_with(address, credential, None).await
    }

    pub(super) async fn hello_with(address: SocketAddr, credential: Credential, buffer: Option<u32>) -> Self {
        let mut client = Self::connect(address, credential, buffer).await;
        client.say_hello(None).await;
        let first = client.next().await.expect("a welcome");
        let ServerMessage::Welcome { epoch, .. } = first else { panic!("no welcome: {first:?}") };
        client.epoch = epoch;
        let second = client.next().await.expect("a snapshot");
        assert!(matches!(second, ServerMessage::Snapshot { .. }), "{second:?}");
        client
    }

    /// Says hello, with what it has seen before.
    pub(super) async fn say_hello(&mut self, seen: Option<(Uuid, u64)>) {
        self.socket.hello(seen).await.expect("send");
    }

    pub(super) async fn say(&mut self, message: &ClientMessage) {
        timeout(LIMIT, self.socket.send(message)).await.expect("sent in time").expect("send");
    }

    pub(super) async fn say_raw(&mut self, frame: Frame) {
        timeout(LIMIT, self.socket.send_frame(frame)).await.expect("sent in time").expect("send");
    }

    /// The next message, or the code with which the socket was closed, if there was one.
    pub(super) async fn next(&mut self) -> Result<ServerMessage, Option<u16>> {
        let heard = timeout(LIMIT, self.socket.next()).await.expect("something in time");
        let message = heard.map_err(|error| match error {
            ClientError::Closed(code) => code,
            other => panic!("not a message of the protocol: {other}"),
        })?;
        if let ServerMessage::Event(event) = &message {
            self.seen.push(event.seq);
        }
        Ok(message)
    }

    /// Waits for the code with which the socket is closed.
    pub(super) async fn closed(&mut self) -> Option<u16> {
        loop {
            if let Err(code) = self.next().await {
                return code;
            }
        }
    }

    /// Asks without waiting for the answer.
    pub(super) async fn begin(&mut self, command: Command) -> RequestId {
        timeout(LIMIT, self.socket.begin(command)).await.expect("sent in time").expect("send")
    }

    pub(super) async fn ask(&mut self, command: Command) -> Answer {
        let id = self.begin(command).await;
        self.reply(id).await
    }

    /// The answer to a request; what else arrives is passed over.
    pub(super) async fn reply(&mut self, id: RequestId) -> Answer {
        loop {
            match self.next().await.expect("the socket stays open") {
                ServerMessage::Reply { id: of, result } if of == id => {
                    return answer(result);
                }
                _ => {}
            }
        }
    }

    /// Waits for an event.
    pub(super) async fn wait_event(&mut self, is_it: impl Fn(&shared_types::Event) -> bool) {
        loop {
            if let ServerMessage::Event(event) = self.next().await.expect("the socket stays open")
                && is_it(&event.event)
            {
                return;
            }
        }
    }

    /// The next complaint; what else arrives is passed over.
    pub(super) async fn complaint(&mut self) -> ErrorCode {
        loop {
            if let ServerMessage::Error { error } = self.next().await.expect("the socket stays open") {
                return error.code;
            }
        }
    }

    pub(super) async fn start_demo(&mut self) -> SessionId {
        let start = StartSession::new(AdapterKind::new("demo"), "/");
        match self.ask(Command::Start { start }).await {
            Ok(ReplyData::Started { session_id }) => session_id,
            other => panic!("not started: {other:?}"),
        }
    }
}
