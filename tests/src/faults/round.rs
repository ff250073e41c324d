//! Plays one round: a question is asked, a person answers it, the planned faults come at their moments; then everything is
//! checked. What the person does is what the page would do: a lost reply is asked for again, a failed answer is given again.

use std::time::Duration;

use answerback_client::Answer;
use shared_types::{
    AdapterKind, Command, ErrorCode, PendingPrompt, PromptId, PromptResponse, ReplyData, SessionId, StartSession,
};
use tokio::time::{Instant, sleep};
use uuid::Uuid;

use super::{
    Tally,
    plan::{Asker, Fault, Moment, Plan, Planned},
    world::{LIMIT, POLL, World, limit_files},
};

/// One unit of what comes between a moment and its fault.
const AFTER: Duration = Duration::from_micros(200);

/// A round on its way.
pub(super) struct Round<'a> {
    pub(super) world: &'a mut World,
    pub(super) plan: &'a Plan,
    pub(super) tally: &'a mut Tally,
    pub(super) session: SessionId,
    /// The answers that were sent and may have won: who chose yes or no.
    pub(super) sent: Vec<bool>,
    /// The last answer of the person's own.
    own: Option<(u32, PromptResponse)>,
    full: bool,
    /// True once something was lost in transit.
    lost: bool,
    pub(super) desk: bool,
}

impl<'a> Round<'a> {
    pub(super) fn new(world: &'a mut World, plan: &'a Plan, tally: &'a mut Tally) -> Self {
        // A session that is yet to be started is known when it is.
        let session = world.sessions.get(&plan.asker).copied().unwrap_or(SessionId(Uuid::nil()));
        Self { world, plan, tally, session, sent: Vec::new(), own: None, full: false, lost: false, desk: false }
    }

    /// Plays it.
    pub(super) async fn play(mut self) -> Result<(), String> {
        match self.plan.asker {
            Asker::Demo => self.send_message().await?,
            Asker::Start => self.start_with_message().await?,
            Asker::Dialog | Asker::Hook | Asker::Line => self.ask_and_answer().await?,
        }
        self.room_again();
        self.check().await?;
        if self.plan.asker == Asker::Start { self.forget().await } else { Ok(()) }
    }

    async fn ask_and_answer(&mut self) -> Result<(), String> {
        let (round, asker) = (self.plan.round, self.plan.asker);
        self.moment(Moment::Before, None).await?;
        let way = if asker == Asker::Hook { "hook" } else { "screen" };
        self.world.tell(asker, &format!("ask {round} {} {way}", self.plan.slow));
        self.world.wait_received(asker, &format!("asked {round}")).await?;
        self.moment(Moment::Asked, None).await?;
        let mut seen = false;
        let mut accepted = false;
        let ends = Instant::now() + LIMIT;
        while self.world.answered(asker, round).is_none() {
            if Instant::now() > ends {
                return Err(format!("not answered: {}", self.describe()));
            }
            self.hear().await;
            let Some(pending) = self.prompt() else { continue };
            let id = pending.prompt.request_id;
            if !seen {
                seen = true;
                self.moment(Moment::Seen, Some(id)).await?;
                continue;
            }
            let reply = self.own.as_ref().and_then(|(request, _)| self.world.main.replies.get(request).cloned());
            match (&self.own, reply) {
                (None, _) => {
                    self.answer(&pending).await;
                    self.moment(Moment::Sent, Some(id)).await?;
                    accepted = false;
                }
                (Some(_), None) => {}
                (Some(_), Some(Ok(_))) => {
                    if !accepted {
                        accepted = true;
                        self.moment(Moment::Accepted, Some(id)).await?;
                    } else if self.world.main.failure(id).is_some() {
                        self.tally.reported += 1;
                        self.own = None;
                    }
                }
                (Some(_), Some(Err(error))) => {
                    self.tally.refused += 1;
                    if self.full {
                        self.nothing_was_typed()?;
                    }
                    self.room_again();
                    // Somebody else was first: what becomes of that answer is seen.
                    let waits = error.code == ErrorCode::AlreadyAnswered && self.world.main.failure(id).is_none();
                    if !waits {
                        self.own = None;
                        sleep(POLL).await;
                    }
                }
            }
        }
        self.moment(Moment::Answered, None).await?;
        self.come_late().await
    }

    /// The same answer once more, long after it was given: whatever is said, nothing is typed.
    async fn come_late(&mut self) -> Result<(), String> {
        let Some((_, response)) = self.own.take() else { return Ok(()) };
        self.world.held_back = Some(Command::Respond { response: response.clone() });
        self.reply_to(Command::Respond { response }).await.map(|_| ())
    }

    async fn reply_to(&mut self, command: Command) -> Result<Result<(), ErrorCode>, String> {
        self.hear().await;
        let request = self.world.main.ask(command).await;
        Ok(self.reply(request).await?.map(|_| ()).map_err(|error| error.code))
    }

    /// A message to the demo agent: taken once, or reported.
    async fn send_message(&mut self) -> Result<(), String> {
        self.moment(Moment::Before, None).await?;
        self.moment(Moment::Asked, None).await?;
        let mut last = None;
        for attempt in 0..30 {
            let text = format!("hello {}-{attempt}.", self.plan.round);
            let key = Some(Uuid::new_v4());
            let command = Command::SendText {
                session_id: self.session,
                text: text.clone(),
                files: Vec::new(),
                idempotency_key: key,
            };
            if attempt == 0 {
                self.moment(Moment::Seen, None).await?;
            }
            self.hear().await;
            let request = self.ask_as_planned(command.clone()).await;
            if attempt == 0 {
                self.message_moment(Moment::Sent, &command).await?;
            }
            let Err(error) = self.reply(request).await? else {
                self.message_moment(Moment::Accepted, &command).await?;
                self.message_moment(Moment::Answered, &command).await?;
                return self.was_said(&text, 1).await;
            };
            self.tally.refused += 1;
            last = Some(error.clone());
            if error.code == ErrorCode::NotTaken {
                self.tally.reported += 1;
                return self.was_said_at_most_once(&text);
            }
            sleep(Duration::from_millis(100)).await;
        }
        Err(format!("no message was taken, at last because {last:?}; {}", self.describe()))
    }

    /// A session that is started with a message: one session, and the message taken once, or reported.
    async fn start_with_message(&mut self) -> Result<(), String> {
        self.moment(Moment::Before, None).await?;
        self.moment(Moment::Asked, None).await?;
        let text = format!("hello first {}.", self.plan.round);
        let folder = self.world.folder(Asker::Start).to_string_lossy().into_owned();
        let start = StartSession {
            message: Some(text.clone()),
            idempotency_key: Some(Uuid::new_v4()),
            ..StartSession::new(AdapterKind::new("demo"), folder.clone())
        };
        let command = Command::Start { start };
        self.moment(Moment::Seen, None).await?;
        self.hear().await;
        let request = self.ask_as_planned(command.clone()).await;
        self.message_moment(Moment::Sent, &command).await?;
        self.session = match self.reply(request).await? {
            Ok(ReplyData::Started { session_id }) => session_id,
            other => return Err(format!("no session was started: {other:?}")),
        };
        self.message_moment(Moment::Accepted, &command).await?;
        let ends = Instant::now() + LIMIT;
        let problem = loop {
            self.hear().await;
            match self.world.main.board.sessions.get(&self.session).map(|session| &session.first_message) {
                Some(None) => break None,
                Some(Some(first)) if first.problem.is_some() => break first.problem.clone(),
                _ if Instant::now() > ends => return Err(format!("{text:?} was never sent: {}", self.describe())),
                _ => {}
            }
        };
        self.message_moment(Moment::Answered, &command).await?;
        self.hear().await;
        let started = self.world.main.board.sessions.values().filter(|session| session.folder == folder).count();
        if started != 1 {
            return Err(format!("{started} sessions were started"));
        }
        if problem.is_some() {
            self.tally.reported += 1;
            return self.was_said_at_most_once(&text);
        }
        self.was_said(&text, 1).await
    }

    /// Takes the session of this round away.
    async fn forget(&mut self) -> Result<(), String> {
        let session_id = self.session;
        for command in [Command::End { session_id }, Command::Forget { session_id }] {
            if let Err(code) = self.reply_to(command).await? {
                return Err(format!("the session could not be taken away: {code:?}"));
            }
        }
        Ok(())
    }

    /// Asks, unless it is to be lost in transit.
    async fn ask_as_planned(&mut self, command: Command) -> u32 {
        let planned = self.plan.faults.iter().any(|planned| planned.fault == Fault::LostInTransit);
        if planned && !self.lost {
            self.lost = true;
            self.tally.count(Fault::LostInTransit);
            return self.world.main.ask_in_vain(command).await;
        }
        self.world.main.ask(command).await
    }

    async fn reply(&mut self, request: u32) -> Result<Answer, String> {
        let ends = Instant::now() + LIMIT;
        while Instant::now() < ends {
            self.hear().await;
            if let Some(reply) = self.world.main.replies.get(&request) {
                return Ok(reply.clone());
            }
        }
        Err(format!("a request was never answered: {}", self.describe()))
    }

    async fn message_moment(&mut self, at: Moment, command: &Command) -> Result<(), String> {
        let doubled = self.plan.faults.iter().any(|planned| planned.at == at && planned.fault == Fault::DuplicateFrame);
        if doubled {
            self.tally.count(Fault::DuplicateFrame);
            self.world.main.ask(command.clone()).await;
        }
        self.moment(at, None).await
    }

    /// The faults of a moment.
    async fn moment(&mut self, at: Moment, prompt: Option<PromptId>) -> Result<(), String> {
        for planned in self.plan.faults.iter().filter(|planned| planned.at == at) {
            if planned.after > 0 {
                sleep(AFTER * u32::try_from(planned.after).unwrap_or(1)).await;
            }
            self.inflict(*planned, prompt).await?;
        }
        Ok(())
    }

    async fn inflict(&mut self, planned: Planned, prompt: Option<PromptId>) -> Result<(), String> {
        let asker = self.plan.asker;
        match planned.fault {
            Fault::KillServer => self.restart().await,
            Fault::StopServer => {
                self.room_again();
                self.world.server.stop();
                self.world.server.launch().await;
            }
            Fault::KillTmuxClient => self.world.kill_tmux_client(),
            Fault::DropPhone => self.world.main.drop_connection(),
            // It comes when something is asked for.
            Fault::LostInTransit => return Ok(()),
            Fault::TruncatedFrame => {
                self.world.rival.connect(self.world.server.address).await;
                self.world.rival.send_half(&format!("{{\"type\":\"request\",\"id\":1,{}", " ".repeat(200))).await;
            }
            Fault::GarbageFrame => self.world.main.send("{\"type\":\"request\",\"id\":0,\"comm".to_owned()).await,
            Fault::DuplicateFrame => match self.own.clone() {
                Some((_, response)) => drop(self.world.main.ask(Command::Respond { response }).await),
                None => return Ok(()),
            },
            Fault::DelayedFrame => match self.world.held_back.clone() {
                Some(command) => {
                    self.world.rival.connect(self.world.server.address).await;
                    self.world.rival.ask(command).await;
                }
                None => return Ok(()),
            },
            Fault::Rival => {
                let Some(id) = prompt else { return Ok(()) };
                self.rival_answers(id).await;
            }
            Fault::Desk => {
                // Only while nobody else answers: otherwise nobody could say whose keys were first.
                if self.world.answered(asker, self.plan.round).is_some() {
                    return Ok(());
                }
                self.desk = true;
                self.world.answer_at_desk(asker);
                self.world.wait_received(asker, &format!("answered {}", self.plan.round)).await?;
            }
            Fault::FullDisk => {
                self.full = limit_files(self.world.server.process_id(), true);
                if !self.full {
                    return Ok(());
                }
            }
            Fault::ReadOnlyFolder => {
                self.room_again();
                self.world.server.kill();
                let ended = self.world.start_read_only();
                self.world.server.launch().await;
                ended?;
            }
            Fault::ClockJump => {
                self.room_again();
                self.world.server.kill();
                let days = [-400, -1, 1, 400][usize::try_from(planned.after % 4).unwrap_or_default()];
                self.world.move_clock(days * 86_400_000);
                self.world.server.launch().await;
            }
            Fault::Garbage => self.world.tell(asker, &format!("garbage {}", self.plan.round)),
            Fault::Flood => self.world.tell(asker, &format!("flood {}", 200 + planned.after * 100)),
        }
        let is_message = matches!(self.plan.asker, Asker::Demo | Asker::Start);
        if planned.fault != Fault::DuplicateFrame || !is_message {
            self.tally.count(planned.fault);
        }
        Ok(())
    }

    async fn restart(&mut self) {
        self.full = false;
        self.world.kill_and_start().await;
    }

    /// The disk has room again.
    fn room_again(&mut self) {
        if std::mem::take(&mut self.full) {
            limit_files(self.world.server.process_id(), false);
        }
    }

    async fn rival_answers(&mut self, id: PromptId) {
        self.world.rival.connect(self.world.server.address).await;
        let Some(pending) = self.prompt() else { return };
        let response = PromptResponse {
            selected_option: Some(option(&pending, !self.plan.yes)),
            idempotency_key: Some(Uuid::new_v4()),
            ..PromptResponse::to(id)
        };
        self.sent.push(!self.plan.yes);
        self.world.rival.ask(Command::Respond { response }).await;
    }

    async fn answer(&mut self, pending: &PendingPrompt) {
        let id = pending.prompt.request_id;
        let response = PromptResponse {
            selected_option: Some(option(pending, self.plan.yes)),
            idempotency_key: Some(Uuid::new_v4()),
            ..PromptResponse::to(id)
        };
        // What is said of the answer before this one does not count any more.
        if let Some(known) = self.world.main.board.prompts.get_mut(&id) {
            known.progress = None;
        }
        self.sent.push(self.plan.yes);
        let request = self.ask_as_planned(Command::Respond { response: response.clone() }).await;
        self.own = Some((request, response));
    }

    /// Both phones come back if they must, and listen.
    pub(super) async fn hear(&mut self) {
        let address = self.world.server.address;
        if !self.world.main.connect(address).await {
            sleep(POLL).await;
        }
        self.world.main.listen().await;
        if self.world.rival.connect(address).await {
            self.world.rival.catch_up().await;
        }
    }

    /// The prompt of this round, as the phone has it.
    pub(super) fn prompt(&self) -> Option<PendingPrompt> {
        let of_round = |pending: &&PendingPrompt| {
            let text = serde_json::to_string(&pending.prompt).unwrap_or_default();
            let marks = [format!("step-{}\"", self.plan.round), format!("file-{}.txt", self.plan.round)];
            pending.prompt.session_id == Some(self.session) && marks.iter().any(|mark| text.contains(mark))
        };
        self.world.main.board.prompts.values().find(of_round).cloned()
    }

    fn nothing_was_typed(&self) -> Result<(), String> {
        let mark = format!("key {} ", self.plan.round);
        let typed = self.world.received(self.plan.asker).iter().any(|line| line.starts_with(&mark));
        if typed { Err("keys were typed that could not be written down".to_owned()) } else { Ok(()) }
    }

    pub(super) fn describe(&self) -> String {
        let session = self.world.main.board.sessions.get(&self.session).map(|session| &session.state);
        let prompts: Vec<_> =
            self.world.main.board.prompts.values().filter(|p| p.prompt.session_id == Some(self.session)).collect();
        let received = self.world.received(self.plan.asker);
        let last = received.iter().rev().take(12).rev().collect::<Vec<_>>();
        let own = self.own.as_ref().map(|(request, _)| self.world.main.replies.get(request));
        format!("session {session:?}, prompts {prompts:?}, own answer {own:?}, received {last:?}")
    }
}

/// The value of the option that says yes or no.
fn option(pending: &PendingPrompt, yes: bool) -> String {
    let options = pending.prompt.options.as_deref().unwrap_or_default();
    let wanted = if yes { "y" } else { "n" };
    let option = options.iter().find(|option| option.label.to_lowercase().starts_with(wanted));
    option.map(|option| option.value.clone()).unwrap_or_default()
}
