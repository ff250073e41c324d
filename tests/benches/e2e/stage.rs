//! A server with players in its panes.

use std::time::Duration;

use answerback_tests::{Phone, Server};
use shared_types::{AdapterKind, Command, InteractivePrompt, PromptResponse, SessionId};
use tokio::{
    io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines},
    net::{
        UnixListener,
        unix::{OwnedReadHalf, OwnedWriteHalf},
    },
    time::timeout,
};

use crate::{
    figures::{between, now},
    player::{PARTS, Part, part, script},
};

/// How long anything may take before the benchmark gives up.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);

pub(crate) struct Stage {
    pub(crate) server: Server,
    pub(crate) phone: Phone,
    players: UnixListener,
}

/// One session and the player in its pane.
pub(crate) struct Actor {
    pub(crate) part: &'static Part,
    pub(crate) session: SessionId,
    /// tmux's name of its pane.
    pub(crate) pane: String,
    said: Lines<BufReader<OwnedReadHalf>>,
    tell: OwnedWriteHalf,
}

impl Stage {
    pub(crate) async fn new(flags: &[&str]) -> Self {
        let server = Server::start_with(flags).await;
        let socket = server.home().join("players");
        for part in &PARTS {
            server.install(part.name, &script(part, &socket));
        }
        let players = UnixListener::bind(&socket).expect("a socket for the players");
        let phone = server.pair_phone("Bench").await;
        Self { server, phone, players }
    }

    /// Starts a session of a CLI and waits until it takes messages.
    pub(crate) async fn start(&mut self, name: &str) -> Actor {
        let adapter = match name {
            "claude" => AdapterKind::new("claude"),
            "codex" => AdapterKind::new("codex"),
            _ => AdapterKind::new("gemini"),
        };
        // What runs in a pane does not know which: it is the one that was not there before.
        let before = self.panes();
        let session = self.phone.start(adapter, &self.server.home().to_string_lossy(), &[]).await;
        let (stream, _) = timeout(LIMIT, self.players.accept()).await.expect("the player comes").expect("a connection");
        let (read, tell) = stream.into_split();
        let mut actor =
            Actor { part: part(name), session, pane: String::new(), said: BufReader::new(read).lines(), tell };
        actor.hear("ready").await;
        actor.pane = self.panes().into_iter().find(|pane| !before.contains(pane)).expect("its pane");
        self.phone.wait_ready(session).await;
        actor
    }

    fn panes(&self) -> Vec<String> {
        self.server.tmux(&["list-panes", "-a", "-F", "#{pane_id}"]).lines().map(str::to_owned).collect()
    }
}

impl Actor {
    /// Draws a prompt and returns the moment of its last byte.
    pub(crate) async fn ask(&mut self, number: usize) -> u64 {
        self.say(&format!("prompt {number}")).await;
        self.hear("drawn").await.parse().expect("a moment")
    }

    /// The moment of the first key since the last.
    pub(crate) async fn key(&mut self) -> u64 {
        self.hear("key").await.parse().expect("a moment")
    }

    pub(crate) async fn say(&mut self, what: &str) {
        self.tell.write_all(format!("{what}\n").as_bytes()).await.expect("the player listens");
    }

    async fn hear(&mut self, what: &str) -> String {
        loop {
            let line = timeout(LIMIT, self.said.next_line()).await;
            let line = line.unwrap_or_else(|_| panic!("the player never said {what}")).expect("the player speaks");
            let line = line.unwrap_or_else(|| panic!("the player ended before {what}"));
            if let Some((word, rest)) = line.split_once(' ')
                && word == what
            {
                return rest.to_owned();
            }
        }
    }

    /// Chooses the first row; returns the moment before it was sent.
    pub(crate) async fn allow(&self, phone: &mut Phone, prompt: &InteractivePrompt) -> u64 {
        let option = prompt.options.iter().flatten().find(|option| option.label == self.part.yes);
        let value = option.unwrap_or_else(|| panic!("no row {:?} in {prompt:?}", self.part.yes)).value.clone();
        let response = PromptResponse { selected_option: Some(value), ..PromptResponse::to(prompt.request_id) };
        let sent = now();
        phone.ask(Command::Respond { response }).await.expect("the answer is taken");
        sent
    }

    /// Waits for this session's prompt with a number; returns it and the moment it was there.
    pub(crate) async fn shown(&self, phone: &mut Phone, number: usize) -> (InteractivePrompt, u64) {
        let mark = crate::player::marked(number);
        let prompt = phone
            .wait_prompt_like(&mark, self.session, |prompt| {
                prompt.tool_input.as_ref().is_some_and(|input| input.to_string().contains(&mark))
            })
            .await;
        (prompt, now())
    }
}

/// Milliseconds since a moment.
pub(crate) fn since(moment: u64) -> f64 {
    between(moment, now())
}
