//! What one round does, decided by the seed alone: who asks, what is answered, and which faults come at which moment. Moments
//! are events of the round, never times.

use super::random::Random;

/// Who asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Asker {
    /// A CLI that draws a dialog with a cursor.
    Dialog,
    /// A CLI that asks through its hook, beside its dialog.
    Hook,
    /// A program that asks for a line.
    Line,
    /// The demo agent, which is sent a message.
    Demo,
    /// A new session of the demo agent, which is started with a message.
    Start,
}

/// A moment of a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Moment {
    /// The question is about to be asked.
    Before,
    /// It is on the screen.
    Asked,
    /// The phone has it.
    Seen,
    /// The answer was written to the socket; no reply has been read.
    Sent,
    /// The answer was accepted.
    Accepted,
    /// The program has its answer.
    Answered,
}

/// What goes wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// kill -9 of the server, and a new start.
    KillServer,
    /// The server is stopped in good order and started.
    StopServer,
    /// kill -9 of the control-mode client.
    KillTmuxClient,
    /// The phone's connection is cut; it comes back.
    DropPhone,
    /// The phone's connection is cut in the middle of what it asks for, which is lost; it comes back and asks again.
    LostInTransit,
    /// Another phone's connection is cut in the middle of a frame.
    TruncatedFrame,
    /// A frame that is no message of the protocol.
    GarbageFrame,
    /// The answer is sent a second time, with its key.
    DuplicateFrame,
    /// An answer to the prompt of the round before, held back until now.
    DelayedFrame,
    /// Another phone answers too, something else.
    Rival,
    /// Somebody at the desk answers.
    Desk,
    /// No file of the server's can grow until the answer was tried.
    FullDisk,
    /// The server is killed, and the first new start finds its folder read-only.
    ReadOnlyFolder,
    /// The server is killed, and when it is started the clock says something else.
    ClockJump,
    /// Bytes that mean nothing, from the program.
    Garbage,
    /// A great deal of output, from the program.
    Flood,
}

/// Every fault there is, in the order of the report.
pub const FAULTS: [Fault; 16] = [
    Fault::KillServer,
    Fault::StopServer,
    Fault::KillTmuxClient,
    Fault::DropPhone,
    Fault::LostInTransit,
    Fault::TruncatedFrame,
    Fault::GarbageFrame,
    Fault::DuplicateFrame,
    Fault::DelayedFrame,
    Fault::Rival,
    Fault::Desk,
    Fault::FullDisk,
    Fault::ReadOnlyFolder,
    Fault::ClockJump,
    Fault::Garbage,
    Fault::Flood,
];

impl Fault {
    /// The moments at which it can come.
    fn moments(self) -> &'static [Moment] {
        use Moment::{Accepted, Answered, Asked, Before, Seen, Sent};
        match self {
            Fault::KillServer | Fault::KillTmuxClient | Fault::DropPhone => {
                &[Before, Asked, Seen, Sent, Sent, Sent, Accepted, Accepted, Answered]
            }
            Fault::LostInTransit => &[Sent],
            Fault::StopServer => &[Before, Asked, Seen, Sent, Accepted],
            Fault::TruncatedFrame | Fault::GarbageFrame | Fault::DelayedFrame => &[Asked, Seen, Sent, Answered],
            Fault::DuplicateFrame => &[Sent, Accepted, Answered],
            Fault::Rival => &[Seen, Sent, Accepted],
            Fault::Desk => &[Asked, Seen],
            Fault::FullDisk => &[Before, Asked, Seen],
            Fault::ReadOnlyFolder | Fault::ClockJump => &[Before, Asked, Seen, Accepted],
            Fault::Garbage | Fault::Flood => &[Before],
        }
    }
}

/// A fault at its moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Planned {
    /// When.
    pub at: Moment,
    /// What.
    pub fault: Fault,
    /// How many times 200 microseconds after the moment: what happens in between takes about as long.
    pub after: u64,
}

/// One round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Its number, which is also that of its question.
    pub round: u64,
    /// Who asks.
    pub asker: Asker,
    /// Whether the phone says yes.
    pub yes: bool,
    /// How many milliseconds the program takes to go on after its answer.
    pub slow: u64,
    /// The faults, in their order.
    pub faults: Vec<Planned>,
}

impl Plan {
    /// The plan of a round.
    #[must_use]
    pub fn of(seed: u64, round: u64) -> Self {
        let mut random = Random::of_round(seed, round);
        let asker = random.pick(&[
            Asker::Dialog,
            Asker::Dialog,
            Asker::Hook,
            Asker::Hook,
            Asker::Line,
            Asker::Demo,
            Asker::Start,
        ]);
        let yes = random.below(2) == 0;
        let slow = random.pick(&[0, 0, 0, 40, 250]);
        let count = 1 + random.below(3);
        let mut faults: Vec<Planned> = Vec::new();
        while faults.len() < count {
            let fault = random.pick(&FAULTS);
            let planned = Planned { at: random.pick(fault.moments()), fault, after: random.next() % 12 };
            // The desk's answer and a rival's are compared with one other only, and a disk is full once.
            let known = faults.iter().any(|other| other.fault == fault || rules_out(other.fault, fault));
            if !known && asker.knows(fault) {
                faults.push(planned);
            }
        }
        faults.sort_by_key(|planned| planned.at);
        Self { round, asker, yes, slow, faults }
    }
}

impl Asker {
    /// Whether a fault means anything to it.
    fn knows(self, fault: Fault) -> bool {
        match self {
            Asker::Demo | Asker::Start => !matches!(
                fault,
                Fault::Desk | Fault::Rival | Fault::Garbage | Fault::Flood | Fault::FullDisk | Fault::DelayedFrame
            ),
            _ => true,
        }
    }
}

fn rules_out(one: Fault, other: Fault) -> bool {
    let answers = |fault| matches!(fault, Fault::Desk | Fault::Rival);
    let fills = |fault| matches!(fault, Fault::FullDisk | Fault::ReadOnlyFolder | Fault::ClockJump);
    answers(one) && answers(other) || fills(one) && fills(other)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn a_seed_says_everything() {
        for round in 0..50 {
            assert_eq!(Plan::of(7, round), Plan::of(7, round));
        }
        assert_ne!((0..50).map(|round| Plan::of(7, round)).collect::<Vec<_>>(), {
            (0..50).map(|round| Plan::of(8, round)).collect::<Vec<_>>()
        });
    }

    #[test]
    fn two_hundred_rounds_know_every_fault_and_every_asker() {
        let plans: Vec<Plan> = (0..200).map(|round| Plan::of(1, round)).collect();
        let faults: BTreeSet<Fault> = plans.iter().flat_map(|plan| plan.faults.iter().map(|at| at.fault)).collect();
        assert_eq!(faults, FAULTS.into_iter().collect());
        assert_eq!(plans.iter().map(|plan| plan.asker).collect::<BTreeSet<_>>().len(), 5);
    }
}
