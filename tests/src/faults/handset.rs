//! A phone that may lose its connection at any time and comes back as the page does: with the last event it saw, and with the
//! request that has no reply yet.

use std::{collections::BTreeMap, net::SocketAddr, time::Duration};

use answerback_client::{Answer, Client, ClientError, Frame, answer};
use shared_types::{
    AnswerStep, ClientMessage, Command, Credential, Event, PendingPrompt, PromptId, RequestId, ServerMessage, Session,
    SessionId,
};
use tokio::{
    io::AsyncWriteExt as _,
    net::TcpStream,
    time::{Instant, timeout},
};
use uuid::Uuid;

/// How long a listening step takes at most.
const STEP: Duration = Duration::from_millis(20);

/// How long connecting may take.
const CONNECT_LIMIT: Duration = Duration::from_secs(5);

/// What the phone knows: the fold of everything it was told.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Board {
    /// The sessions.
    pub(super) sessions: BTreeMap<SessionId, Session>,
    /// The prompts that wait.
    pub(super) prompts: BTreeMap<PromptId, PendingPrompt>,
}

/// One phone.
pub(super) struct Handset {
    /// What it knows.
    pub(super) board: Board,
    /// The replies it has got.
    pub(super) replies: BTreeMap<u32, Answer>,
    credential: Credential,
    client: Option<Client<TcpStream>>,
    seen: Option<(Uuid, u64)>,
    waits: BTreeMap<u32, Command>,
    next: u32,
}

impl Handset {
    /// A phone that is paired and not connected.
    #[must_use]
    pub(super) fn new(credential: Credential) -> Self {
        let (board, replies, waits) = (Board::default(), BTreeMap::new(), BTreeMap::new());
        Self { board, replies, credential, client: None, seen: None, waits, next: 1 }
    }

    /// Connects if it is not connected, and sends again what has no reply.
    pub(super) async fn connect(&mut self, address: SocketAddr) -> bool {
        if self.client.is_some() {
            return true;
        }
        let Ok(Ok(mut client)) = timeout(CONNECT_LIMIT, Client::connect(address, &self.credential)).await else {
            return false;
        };
        if client.hello(self.seen).await.is_err() {
            return false;
        }
        for (id, command) in &self.waits {
            let request = ClientMessage::Request { id: RequestId(*id), command: command.clone() };
            if client.send(&request).await.is_err() {
                return false;
            }
        }
        self.client = Some(client);
        true
    }

    /// Its credential.
    #[must_use]
    pub(super) fn credential(&self) -> &Credential {
        &self.credential
    }

    /// The connection is cut.
    pub(super) fn drop_connection(&mut self) {
        self.client = None;
    }

    /// Asks for something; the reply is found under the number that is returned.
    pub(super) async fn ask(&mut self, command: Command) -> u32 {
        let id = self.next;
        self.next += 1;
        self.waits.insert(id, command.clone());
        self.send(json(&ClientMessage::Request { id: RequestId(id), command })).await;
        id
    }

    /// Asks for something and loses the connection in the middle of the frame: it is asked again when the phone comes back.
    pub(super) async fn ask_in_vain(&mut self, command: Command) -> u32 {
        let id = self.next;
        self.next += 1;
        self.waits.insert(id, command.clone());
        self.send_half(&json(&ClientMessage::Request { id: RequestId(id), command })).await;
        id
    }

    /// Sends a frame as it is.
    pub(super) async fn send(&mut self, text: String) {
        if let Some(client) = &mut self.client
            && client.send_frame(Frame::text(text)).await.is_err()
        {
            self.client = None;
        }
    }

    /// Sends half of a frame and is gone.
    pub(super) async fn send_half(&mut self, text: &str) {
        if let Some(mut client) = self.client.take() {
            let length = u16::try_from(text.len()).unwrap_or(u16::MAX).to_be_bytes();
            let mut frame = vec![0x81, 0xfe, length[0], length[1], 0, 0, 0, 0];
            frame.extend_from_slice(&text.as_bytes()[..text.len() / 2]);
            let _ = client.stream().write_all(&frame).await;
        }
    }

    /// Listens until something arrives, for a moment at most. False when the connection is lost.
    pub(super) async fn listen(&mut self) -> bool {
        let Some(client) = &mut self.client else { return false };
        match timeout(STEP, client.next()).await {
            Err(_) => {}
            Ok(Ok(message)) => self.take(message),
            Ok(Err(ClientError::NotUnderstood(error))) => panic!("not a message of the protocol: {error}"),
            Ok(Err(_)) => self.client = None,
        }
        self.client.is_some()
    }

    /// Takes everything that has arrived.
    pub(super) async fn catch_up(&mut self) {
        let ends = Instant::now() + STEP;
        while Instant::now() < ends && self.listen().await {}
    }

    /// What became of an answer that failed.
    #[must_use]
    pub(super) fn failure(&self, prompt: PromptId) -> Option<String> {
        match self.board.prompts.get(&prompt)?.progress.as_ref().map(|progress| &progress.step) {
            Some(AnswerStep::Failed { reason }) => Some(reason.clone()),
            _ => None,
        }
    }

    fn take(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::Welcome { epoch, .. } => {
                // Another run numbers its events anew; a snapshot follows.
                if self.seen.is_none_or(|(known, _)| known != epoch) {
                    self.seen = Some((epoch, 0));
                }
            }
            ServerMessage::Snapshot { seq, snapshot } => {
                self.seen = self.seen.map(|(epoch, _)| (epoch, seq));
                self.board.sessions = snapshot.sessions.into_iter().map(|session| (session.id, session)).collect();
                let prompts = snapshot.prompts.into_iter();
                self.board.prompts = prompts.map(|pending| (pending.prompt.request_id, pending)).collect();
            }
            ServerMessage::Event(event) => {
                let (epoch, last) = self.seen.expect("a welcome before any event");
                assert_eq!(event.seq, last + 1, "an event is missing or doubled");
                self.seen = Some((epoch, event.seq));
                self.board.apply(event.event);
            }
            ServerMessage::Reply { id, result } => {
                self.waits.remove(&id.0);
                self.replies.insert(id.0, answer(result));
            }
            ServerMessage::Challenge { .. } | ServerMessage::Screen { .. } | ServerMessage::Error { .. } => {}
        }
    }
}

impl Board {
    fn apply(&mut self, event: Event) {
        match event {
            Event::Session { session } => {
                self.sessions.insert(session.id, session);
            }
            Event::SessionForgotten { session_id } => {
                self.sessions.remove(&session_id);
            }
            Event::Prompt { prompt } => {
                let progress = self.prompts.remove(&prompt.request_id).and_then(|pending| pending.progress);
                self.prompts.insert(prompt.request_id, PendingPrompt { prompt, progress });
            }
            Event::PromptProgress { progress } => {
                if let Some(pending) = self.prompts.get_mut(&progress.request_id) {
                    pending.progress = Some(progress);
                }
            }
            Event::PromptClosed { request_id, .. } => {
                self.prompts.remove(&request_id);
            }
            _ => {}
        }
    }
}

fn json(message: &ClientMessage) -> String {
    serde_json::to_string(message).expect("JSON")
}
