//! A phone: the page's protocol, spoken by hand, with everything it was told kept for looking back.

use std::{collections::HashMap, net::SocketAddr, time::Duration};

use answerback_client::{Answer, Client, ClientError, Frame, answer};
use shared_types::{
    AdapterKind, AnswerStep, ClientMessage, Command, Credential, Event, InteractivePrompt, MessageBody, PermissionMode,
    PromptId, PromptOutcome, PromptResponse, ReplyData, ServerMessage, Session, SessionId, SessionState, StartSession,
    request_proof,
};
use tokio::{
    net::TcpStream,
    time::{Instant, interval, timeout, timeout_at},
};
use uuid::Uuid;

use crate::{LIMIT, POLL};

/// A paired, connected phone.
pub struct Phone {
    /// Its name.
    pub name: String,
    /// Both halves of its credential.
    pub credential: Credential,
    /// This run of the server.
    pub epoch: Uuid,
    /// The number of the last event it saw.
    pub last_seq: u64,
    address: SocketAddr,
    client: Client<TcpStream>,
    /// Everything it was told, oldest first.
    told: Vec<ServerMessage>,
    /// How much of that each kind of wait has passed: what a message says does not depend on what came before it.
    looked_at: HashMap<&'static str, usize>,
    /// Every session as it was last told.
    sessions: HashMap<SessionId, Session>,
}

impl Phone {
    /// Connects and says hello as a new page does.
    pub async fn connect(address: SocketAddr, name: &str, credential: Credential) -> Self {
        Self::connect_after(address, name, credential, None).await
    }

    /// Connects and says nothing.
    pub async fn raw(address: SocketAddr, name: &str, credential: Credential) -> Self {
        let client = Client::connect(address, &credential).await;
        let client = client.unwrap_or_else(|error| panic!("{name} cannot connect: {error}"));
        Self {
            name: name.to_owned(),
            credential,
            epoch: Uuid::nil(),
            last_seq: 0,
            address,
            client,
            told: Vec::new(),
            looked_at: HashMap::new(),
            sessions: HashMap::new(),
        }
    }

    /// Connects and says hello as a page that was here before: with the epoch and the last number it saw.
    pub async fn connect_after(
        address: SocketAddr,
        name: &str,
        credential: Credential,
        seen: Option<(Uuid, u64)>,
    ) -> Self {
        let mut phone = Self::raw(address, name, credential).await;
        phone.client.hello(seen).await.expect("send");
        phone
            .wait_for("welcome", |message| match message {
                ServerMessage::Welcome { epoch, .. } => Some(*epoch),
                _ => None,
            })
            .await;
        phone
    }

    /// Leaves and comes back, as after a tunnel.
    pub async fn reconnect(self, address: SocketAddr) -> Self {
        let seen = Some((self.epoch, self.last_seq));
        Self::connect_after(address, &self.name, self.credential, seen).await
    }

    /// The proof that goes with an HTTP request of this phone.
    #[must_use]
    pub fn proof_for(&self, method: &str, path: &str) -> String {
        request_proof(&self.credential.key, self.epoch, method, path)
    }

    /// The address it is connected to.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Starts a session and returns its id.
    pub async fn start(&mut self, adapter: AdapterKind, folder: &str, command: &[&str]) -> SessionId {
        self.start_in(None, adapter, folder, command).await
    }

    /// Starts a session in a permission mode.
    pub async fn start_in(
        &mut self,
        mode: Option<PermissionMode>,
        adapter: AdapterKind,
        folder: &str,
        command: &[&str],
    ) -> SessionId {
        let command = Some(command.iter().map(|word| (*word).to_owned()).collect());
        let start = StartSession { command, mode, ..StartSession::new(adapter, folder) };
        match self.ask(Command::Start { start }).await {
            Ok(ReplyData::Started { session_id }) => session_id,
            other => panic!("the session was not started: {other:?}"),
        }
    }

    /// Starts the demo agent and waits until it is ready.
    pub async fn start_demo(&mut self) -> SessionId {
        let session = self.start(AdapterKind::new("demo"), "/", &[]).await;
        self.wait_ready(session).await;
        session
    }

    /// Waits until a session takes messages.
    pub async fn wait_ready(&mut self, session: SessionId) {
        self.wait_state("ready", session, |state| matches!(state, SessionState::Ready)).await;
    }

    /// Waits until a session is in a state; it may be already.
    pub async fn wait_state(&mut self, what: &str, session: SessionId, is_it: impl Fn(&SessionState) -> bool) {
        self.wait_session(what, session, |session| is_it(&session.state)).await;
    }

    /// Waits until a session is told to be like this; it may be already.
    pub async fn wait_session(&mut self, what: &str, session: SessionId, is_it: impl Fn(&Session) -> bool) {
        let ends = Instant::now() + LIMIT;
        while !self.sessions.get(&session).is_some_and(&is_it) {
            self.listen(what, ends).await;
        }
    }

    /// A session as it was last told.
    #[must_use]
    pub fn session(&self, session: SessionId) -> &Session {
        self.sessions.get(&session).unwrap_or_else(|| panic!("{} knows no session {session:?}", self.name))
    }

    /// Sends a chat message and expects it to be taken.
    pub async fn send(&mut self, session: SessionId, text: &str) {
        let sent = self
            .ask(Command::SendText {
                session_id: session,
                text: text.to_owned(),
                idempotency_key: None,
                files: Vec::new(),
            })
            .await;
        assert!(sent.is_ok(), "{text:?} was not taken: {sent:?}");
    }

    /// Waits for the next prompt of a session.
    pub async fn wait_prompt(&mut self, session: SessionId) -> InteractivePrompt {
        self.wait_prompt_like("a prompt", session, |_| true).await
    }

    /// Waits for the next prompt of a session that is like this.
    pub async fn wait_prompt_like(
        &mut self,
        what: &str,
        session: SessionId,
        is_it: impl Fn(&InteractivePrompt) -> bool,
    ) -> InteractivePrompt {
        let is_of = |prompt: &InteractivePrompt| prompt.session_id == Some(session) && is_it(prompt);
        self.wait_next("prompt", what, |message| match message {
            ServerMessage::Event(event) => match &event.event {
                Event::Prompt { prompt } if is_of(prompt) => Some(prompt.clone()),
                _ => None,
            },
            ServerMessage::Snapshot { snapshot, .. } => {
                snapshot.prompts.iter().find(|pending| is_of(&pending.prompt)).map(|pending| pending.prompt.clone())
            }
            _ => None,
        })
        .await
    }

    /// Waits until a prompt is over.
    pub async fn wait_closed(&mut self, prompt: PromptId) -> PromptOutcome {
        self.wait_next("closed", "the prompt's end", |message| match message {
            ServerMessage::Event(event) => match &event.event {
                Event::PromptClosed { request_id, outcome, .. } if *request_id == prompt => Some(outcome.clone()),
                _ => None,
            },
            _ => None,
        })
        .await
    }

    /// Waits until an answer to a prompt has failed, and returns why.
    pub async fn wait_failed(&mut self, prompt: PromptId) -> String {
        self.wait_next("failed", "the answer's failure", |message| match message {
            ServerMessage::Event(event) => match &event.event {
                Event::PromptProgress { progress } if progress.request_id == prompt => match &progress.step {
                    AnswerStep::Failed { reason } => Some(reason.clone()),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
        .await
    }

    /// Waits until a message of the session contains a text, and returns it whole.
    pub async fn wait_message(&mut self, session: SessionId, part: &str) -> String {
        self.wait_next("message", &format!("a message with {part:?}"), |message| match message {
            ServerMessage::Event(event) => match &event.event {
                Event::Message { session_id, message } if *session_id == session => match &message.body {
                    MessageBody::Text { text, .. } | MessageBody::Notice { text } if text.contains(part) => {
                        Some(text.clone())
                    }
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        })
        .await
    }

    /// Waits until the conversation so far contains a text, and returns all of it.
    pub async fn wait_history(&mut self, session: SessionId, part: &str) -> Vec<shared_types::Message> {
        let ends = Instant::now() + LIMIT;
        let mut looks = interval(POLL);
        loop {
            looks.tick().await;
            let page = self
                .ask(Command::Messages { session_id: session, before: None, after: None, around: None, limit: 200 })
                .await;
            let Ok(ReplyData::Messages { messages, .. }) = page else { panic!("no messages: {page:?}") };
            if messages.iter().any(|message| serde_json::to_string(message).is_ok_and(|json| json.contains(part))) {
                return messages;
            }
            assert!(Instant::now() < ends, "the conversation has no {part:?}: {messages:?}");
        }
    }

    /// Chooses an option by its label and waits until the CLI was seen to go on.
    pub async fn choose(&mut self, prompt: &InteractivePrompt, label: &str) -> PromptOutcome {
        let options = prompt.options.as_deref().unwrap_or_default();
        let option = options.iter().find(|option| option.label == label);
        let option = option.unwrap_or_else(|| panic!("there is no option {label:?} among {options:?}"));
        let response = PromptResponse { selected_option: Some(option.value.clone()), ..response_to(prompt) };
        self.respond(response).await
    }

    /// Answers a prompt, expects the answer to win, and waits for the prompt's end.
    pub async fn respond(&mut self, response: PromptResponse) -> PromptOutcome {
        let id = response.request_id;
        let asked = self.ask(Command::Respond { response }).await;
        assert!(asked.is_ok(), "the answer was refused: {asked:?}");
        let ended = self.wait_next("answered", "the answer's end", |message| match message {
            ServerMessage::Event(event) => match &event.event {
                Event::PromptClosed { request_id, outcome, .. } if *request_id == id => Some(Ok(outcome.clone())),
                Event::PromptProgress { progress } if progress.request_id == id => match &progress.step {
                    AnswerStep::Failed { reason } => Some(Err(reason.clone())),
                    _ => None,
                },
                _ => None,
            },
            _ => None,
        });
        ended.await.unwrap_or_else(|reason| panic!("the answer did not work: {reason}"))
    }

    /// Asks for something and waits for the answer.
    pub async fn ask(&mut self, command: Command) -> Answer {
        let asked = self.client.begin(command).await.expect("send");
        self.wait_anywhere("the reply", |message| match message {
            ServerMessage::Reply { id, result } if *id == asked => Some(answer(result.clone())),
            _ => None,
        })
        .await
    }

    /// Says something of the protocol.
    pub async fn say(&mut self, message: &ClientMessage) {
        self.client.send(message).await.expect("send");
    }

    /// Says anything at all.
    pub async fn say_raw(&mut self, text: &str) {
        self.client.send_frame(Frame::text(text)).await.expect("send");
    }

    /// Waits for something among what was not waited past yet; what comes before it is passed over.
    pub async fn wait_for<T>(&mut self, what: &str, pick: impl Fn(&ServerMessage) -> Option<T>) -> T {
        self.wait_next("anything", what, pick).await
    }

    /// Waits for something among what this kind of wait has not passed yet.
    async fn wait_next<T>(&mut self, kind: &'static str, what: &str, pick: impl Fn(&ServerMessage) -> Option<T>) -> T {
        let ends = Instant::now() + LIMIT;
        loop {
            let at = self.looked_at.entry(kind).or_default();
            while let Some(message) = self.told.get(*at) {
                *at += 1;
                if let Some(found) = pick(message) {
                    return found;
                }
            }
            self.listen(what, ends).await;
        }
    }

    /// Waits for something without passing over what else arrives.
    async fn wait_anywhere<T>(&mut self, what: &str, pick: impl Fn(&ServerMessage) -> Option<T>) -> T {
        let mut at = self.told.len();
        let ends = Instant::now() + LIMIT;
        loop {
            while let Some(message) = self.told.get(at) {
                at += 1;
                if let Some(found) = pick(message) {
                    return found;
                }
            }
            self.listen(what, ends).await;
        }
    }

    /// Everything it was told that `pick` picks, from the beginning.
    pub fn all<T>(&self, pick: impl Fn(&ServerMessage) -> Option<T>) -> Vec<T> {
        self.told.iter().filter_map(pick).collect()
    }

    /// Hears all that is told within a time: what must not happen shows only in time.
    pub async fn hear_for(&mut self, time: Duration) {
        let ends = Instant::now() + time;
        while let Ok(heard) = timeout_at(ends, self.client.next()).await {
            self.hear("what is told meanwhile", heard);
        }
    }

    /// Waits until the server closes the socket, and returns the code.
    pub async fn wait_close(&mut self) -> Option<u16> {
        loop {
            let text = timeout(LIMIT, self.client.next_text()).await;
            if let Err(error) = text.unwrap_or_else(|_| panic!("{}: the socket was not closed", self.name)) {
                return error.close_code();
            }
        }
    }

    async fn listen(&mut self, what: &str, ends: Instant) {
        let Ok(heard) = timeout_at(ends, self.client.next()).await else {
            panic!("{} waited in vain for {what}; it was told last:\n{}", self.name, self.tail());
        };
        self.hear(what, heard);
    }

    fn hear(&mut self, what: &str, heard: Result<ServerMessage, ClientError>) {
        match heard {
            Ok(message) => {
                match &message {
                    ServerMessage::Welcome { epoch, .. } => self.epoch = *epoch,
                    ServerMessage::Snapshot { seq, snapshot } => {
                        self.last_seq = *seq;
                        self.sessions = snapshot.sessions.iter().map(|session| (session.id, session.clone())).collect();
                    }
                    ServerMessage::Event(event) => {
                        assert!(
                            self.last_seq == 0 || event.seq == self.last_seq + 1,
                            "an event is missing before {event:?}"
                        );
                        self.last_seq = event.seq;
                        if let Event::Session { session } = &event.event {
                            self.sessions.insert(session.id, session.clone());
                        }
                    }
                    _ => {}
                }
                self.told.push(message);
            }
            Err(error) => panic!("{} waited for {what}, but the socket ended: {error}\n{}", self.name, self.tail()),
        }
    }

    /// The last things it was told, for a failure's report.
    fn tail(&self) -> String {
        let last = self.told.iter().rev().take(8).rev();
        last.map(|message| format!("  {}\n", serde_json::to_string(message).unwrap_or_default())).collect()
    }
}

/// An answer to a prompt with nothing in it yet.
#[must_use]
pub fn response_to(prompt: &InteractivePrompt) -> PromptResponse {
    PromptResponse::to(prompt.request_id)
}
