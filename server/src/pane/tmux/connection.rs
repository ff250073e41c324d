//! One control-mode client: writes scripts, gives each its replies, and passes on what panes draw.
//!
//! Replies come in the order of the commands, one block for each; the first that fails is the last of its script. Nothing
//! here reconnects: when the connection is lost, every waiting script is told, and [`super::link`] makes a new one.

mod setup;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, ChildStdout},
    sync::oneshot,
    time::{self, Instant},
};

use super::{
    door::Door,
    protocol::{Block, Event, Parser},
    registry::{Registry, ServerId},
    rows::{self, Row},
    script::{Expect, Script},
};
use crate::pane::{Generation, PaneError};

/// No answer for so long means a connection that is dead; a paste of 1 MB takes 0.4 s.
pub(super) const REPLY_LIMIT: Duration = Duration::from_secs(10);
/// How often the list of panes is compared: what the pushed output does not tell is found so late at most.
const RECONCILE_EVERY: Duration = Duration::from_secs(2);
/// How soon it is compared after something came or went; many windows that close at once are one comparison.
const RECONCILE_SOON: Duration = Duration::from_millis(20);
/// How much is waiting to be written when no more scripts are taken: callers then wait in the queue of the link.
const MAX_OUTGOING: usize = 4 * 1024 * 1024;
/// How many scripts may wait for replies before no more are taken.
const MAX_PENDING: usize = 128;
const READ_SIZE: usize = 64 * 1024;

/// What a script gave: the server that answered, and the text of each reply.
#[derive(Debug)]
pub(super) struct Reply {
    /// Over which connection.
    pub(super) generation: Generation,
    /// Which server.
    pub(super) server: ServerId,
    /// The id of its hub's session.
    pub(super) hub: String,
    /// One for each command.
    pub(super) blocks: Vec<Vec<u8>>,
}

/// Why a script was not carried out as a whole, and how much of it was.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Failure {
    /// The reason.
    pub(super) error: PaneError,
    /// What was run all the same.
    pub(super) ran: Ran,
}

/// How many commands of a script that failed were run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ran {
    /// So many went well; the one behind them failed, and none after it was run. Zero also when nothing was sent.
    Exactly(usize),
    /// The script was sent, and the connection was lost before the last reply.
    Unknown,
}

impl Failure {
    /// Nothing of the script was sent.
    pub(super) fn not_sent(error: PaneError) -> Self {
        Self { error, ran: Ran::Exactly(0) }
    }
}

/// Where a reply goes.
pub(super) type Answer = oneshot::Sender<Result<Reply, Failure>>;

/// The connection is lost, for this reason.
#[derive(Debug)]
pub(super) struct Lost(pub(super) String);

/// A control-mode client that is attached to the hub.
#[derive(Debug)]
pub(super) struct Connection {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    buffer: Box<[u8]>,
    parser: Parser,
    outgoing: Vec<u8>,
    pending: VecDeque<Pending>,
    /// Closed from time to time, when a person at the desk has come in by it.
    door: Door,
    registry: Arc<Registry>,
    generation: Generation,
    server: ServerId,
    /// The id of the hub's session; empty until it is known.
    hub: String,
    attached: bool,
    marks: u64,
    next_reconcile: Instant,
    reconciling: bool,
    /// Something came or went while the list was on its way.
    reconcile_again: bool,
}

#[derive(Debug)]
struct Pending {
    expects: Vec<Expect>,
    blocks: Vec<Vec<u8>>,
    refusal: Option<PaneError>,
    purpose: Purpose,
    deadline: Instant,
}

#[derive(Debug)]
enum Purpose {
    Answer(Answer),
    /// The list of panes, and behind it this mark.
    Reconcile(String),
    Housekeeping,
}

impl Connection {
    /// Which connection this is.
    pub(super) fn generation(&self) -> Generation {
        self.generation
    }

    /// Which server this is.
    pub(super) fn server(&self) -> ServerId {
        self.server
    }

    /// Whether another script can be taken now.
    pub(super) fn has_room(&self) -> bool {
        self.outgoing.len() < MAX_OUTGOING && self.pending.len() < MAX_PENDING
    }

    /// Sends a script; its replies go to `answer`.
    pub(super) fn submit(&mut self, script: Script, answer: Answer) {
        self.send(script, Purpose::Answer(answer));
    }

    /// Waits for the next thing and deals with it. Can be cancelled: nothing is lost then.
    pub(super) async fn step(&mut self) -> Result<(), Lost> {
        let deadline = self.pending.front().map(|pending| pending.deadline);
        let writing = !self.outgoing.is_empty();
        tokio::select! {
            written = self.stdin.write(&self.outgoing), if writing => match written {
                Ok(count) => {
                    self.outgoing.drain(..count);
                    Ok(())
                }
                Err(error) => Err(Lost(format!("writing to tmux: {error}"))),
            },
            count = self.stdout.read(&mut self.buffer) => match count {
                Ok(0) => Err(Lost("the tmux client ended".into())),
                Ok(count) => self.take(count),
                Err(error) => Err(Lost(format!("reading from tmux: {error}"))),
            },
            _ = self.child.wait() => Err(Lost("the tmux client ended".into())),
            () = time::sleep_until(deadline.unwrap_or(self.next_reconcile)), if deadline.is_some() => {
                Err(Lost(format!("tmux did not answer within {} s", REPLY_LIMIT.as_secs())))
            }
            () = time::sleep_until(self.next_reconcile), if !self.reconciling && !self.hub.is_empty() => {
                self.reconcile();
                Ok(())
            }
        }
    }

    /// Tells everyone who waits that there will be no answer.
    pub(super) fn close(mut self, lost: &Lost) {
        for pending in self.pending.drain(..) {
            if let Purpose::Answer(answer) = pending.purpose {
                let _ = answer.send(Err(Failure { error: PaneError::Unavailable(lost.0.clone()), ran: Ran::Unknown }));
            }
        }
    }

    fn send(&mut self, script: Script, purpose: Purpose) {
        self.outgoing.extend_from_slice(&script.line);
        self.outgoing.push(b'\n');
        let deadline = Instant::now() + REPLY_LIMIT;
        let pending = Pending { expects: script.expects, blocks: Vec::new(), refusal: None, purpose, deadline };
        self.pending.push_back(pending);
    }

    fn reconcile(&mut self) {
        self.reconciling = true;
        self.reconcile_again = false;
        self.marks += 1;
        let mark = format!("answerback-{}", self.marks);
        let script = rows::script().then_expect(Expect::OneLine, &["display-message", "-p", &mark]);
        self.send(script, Purpose::Reconcile(mark));
    }

    /// Compares what is there with what is known, and mends what fell behind.
    fn reconciled(&mut self, body: &[u8]) {
        self.door.close_behind_visitors(self.server.pid);
        let rows = rows::read(body, &self.hub);
        self.registry.reconcile(&rows);
        for row in rows.iter().filter(|row| row.session.is_some()) {
            self.mend(row);
        }
    }

    fn mend(&mut self, row: &Row) {
        let window = format!("@{}", row.window);
        if !row.in_hub {
            let hub = format!("{}:", self.hub);
            self.send(Script::of(&["link-window", "-d", "-s", &window, "-t", &hub]), Purpose::Housekeeping);
        }
        if let Some((cols, rows)) = row.restore() {
            // Resizing makes the window keep that size for ever; the second command lets it follow the next client again.
            let (cols, rows) = (cols.to_string(), rows.to_string());
            let script = Script::of(&["resize-window", "-t", &window, "-x", &cols, "-y", &rows]).then(&[
                "set-option",
                "-w",
                "-u",
                "-t",
                &window,
                "window-size",
            ]);
            self.send(script, Purpose::Housekeeping);
        }
        if row.status_missing {
            self.send(collect_status(), Purpose::Housekeeping);
        }
    }

    fn take(&mut self, count: usize) -> Result<(), Lost> {
        let buffer = std::mem::take(&mut self.buffer);
        let mut input = &buffer[..count];
        let mut result = Ok(());
        let mut parser = std::mem::take(&mut self.parser);
        while let Some(event) = parser.next(&mut input) {
            match event {
                Event::Begin { ours: true } => {
                    let lines = self.pending.front().map_or(0, Pending::certain_lines);
                    parser.hold(lines);
                }
                Event::Begin { ours: false } => {}
                Event::End(block) if block.ours => result = result.and(self.ended(block)),
                Event::End(block) if block.failed && !self.attached => {
                    result = Err(Lost("tmux did not attach its client".into()));
                }
                Event::End(_) => self.attached = true,
                Event::Output { pane, data } => self.registry.output(self.server, pane, data),
                Event::Paused(pane) => {
                    tracing::debug!(pane, "a pane draws faster than it can be read");
                    let target = format!("%{pane}:continue");
                    self.send(Script::of(&["refresh-client", "-A", &target]), Purpose::Housekeeping);
                    self.registry.bump(pane);
                }
                Event::PaneChanged(pane) => self.registry.bump(pane),
                Event::WindowChanged(window) => self.registry.bump_window(window),
                Event::Rearranged => self.rearranged(),
                Event::Exit => result = Err(Lost("tmux let its client go".into())),
            }
        }
        self.parser = parser;
        self.buffer = buffer;
        result
    }

    fn ended(&mut self, block: Block) -> Result<(), Lost> {
        let Some(pending) = self.pending.front_mut() else { return Err(out_of_step()) };
        if block.failed {
            pending.refusal = Some(PaneError::Refused(String::from_utf8_lossy(&block.body).into_owned()));
        } else if block.cut {
            pending.refusal = Some(PaneError::Refused("the reply was too long".into()));
        }
        pending.blocks.push(block.body);
        // The first command that fails is the last that is run.
        if !block.failed && pending.blocks.len() < pending.expects.len() {
            return Ok(());
        }
        let Some(pending) = self.pending.pop_front() else { return Ok(()) };
        match (pending.purpose, pending.refusal) {
            (Purpose::Answer(answer), refusal) => {
                let ran = Ran::Exactly(pending.blocks.len() - usize::from(block.failed));
                let (generation, server, hub) = (self.generation, self.server, self.hub.clone());
                let reply = Reply { generation, server, hub, blocks: pending.blocks };
                let _ = answer.send(refusal.map_or(Ok(reply), |error| Err(Failure { error, ran })));
            }
            (Purpose::Reconcile(mark), refusal) => {
                self.reconciling = false;
                let pause = if self.reconcile_again { RECONCILE_SOON } else { RECONCILE_EVERY };
                self.next_reconcile = Instant::now() + pause;
                match (refusal, &pending.blocks[..]) {
                    (None, [list, end]) if *end == mark.as_bytes() => self.reconciled(list),
                    // Replies are told apart by their order alone: a command that gave more of them than we know would
                    // hand each caller the reply to another.
                    _ => return Err(out_of_step()),
                }
            }
            (Purpose::Housekeeping, None) => {}
            (Purpose::Housekeeping, Some(error)) => tracing::debug!(%error, "tmux housekeeping"),
        }
        Ok(())
    }

    fn rearranged(&mut self) {
        self.reconcile_again = true;
        if !self.reconciling {
            self.next_reconcile = self.next_reconcile.min(Instant::now() + RECONCILE_SOON);
        }
    }
}

impl Pending {
    fn certain_lines(&self) -> usize {
        match self.expects.get(self.blocks.len()) {
            None | Some(Expect::Any) => 0,
            Some(Expect::OneLine) => 1,
            Some(Expect::FirstNumber) => {
                let first = self.blocks.first().map_or(&[][..], Vec::as_slice);
                let digits = first.split(|byte| !byte.is_ascii_digit()).next().unwrap_or_default();
                std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()).unwrap_or(0)
            }
        }
    }
}

fn out_of_step() -> Lost {
    Lost("tmux's replies are out of step".into())
}

/// Makes tmux collect programs that ended. tmux 3.3a often misses that its child has ended when the terminal closed first,
/// and does not know the exit status until another child ends: so another child ends.
pub(super) fn collect_status() -> Script {
    Script::of(&["run-shell", "-b", ":"])
}
