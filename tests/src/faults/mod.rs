//! The fault campaign: rounds of questions and answers on the real server in real tmux, with faults that a seed decides. After
//! each round everything is checked, see `check.rs`. `npm run test:faults -- --rounds N --seed S` runs it.

mod check;
mod handset;
mod plan;
pub mod program;
mod random;
mod round;
mod world;

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use tokio::task::JoinSet;

pub use plan::{FAULTS, Fault, Plan};

use self::{round::Round, world::World};

/// What a campaign does.
#[derive(Debug, Clone, Copy)]
pub struct Campaign {
    /// Decides everything.
    pub seed: u64,
    /// The first round.
    pub first: u64,
    /// How many rounds.
    pub rounds: u64,
}

/// What came of it.
#[derive(Debug, Default)]
pub struct Tally {
    /// Rounds that were played.
    pub rounds: u64,
    /// Faults by kind.
    pub faults: BTreeMap<Fault, u64>,
    /// Answers and messages that were refused, with a reason.
    pub refused: u64,
    /// Answers and messages that were reported as not done, and given again.
    pub reported: u64,
    /// What did not hold: the round, its plan, and what.
    pub violations: Vec<String>,
    /// The most open files of the server, and the most memory in KB.
    pub most_files: usize,
    /// The most memory of the server in KB.
    pub most_memory: u64,
    /// How long it took.
    pub took: Duration,
}

impl Tally {
    fn add(&mut self, other: Self) {
        self.rounds += other.rounds;
        for (fault, count) in other.faults {
            *self.faults.entry(fault).or_default() += count;
        }
        self.refused += other.refused;
        self.reported += other.reported;
        self.violations.extend(other.violations);
        self.most_files = self.most_files.max(other.most_files);
        self.most_memory = self.most_memory.max(other.most_memory);
    }

    fn count(&mut self, fault: Fault) {
        *self.faults.entry(fault).or_default() += 1;
    }

    /// The table of the report.
    #[must_use]
    pub fn table(&self) -> String {
        let mut table = format!("| rounds | {} |\n|---|---:|\n", self.rounds);
        for fault in FAULTS {
            table += &format!("| {} | {} |\n", words(fault), self.faults.get(&fault).copied().unwrap_or_default());
        }
        table += &format!("| requests refused with a reason | {} |\n", self.refused);
        table += &format!("| answers and messages reported as not done | {} |\n", self.reported);
        table += &format!("| **violations** | **{}** |\n", self.violations.len());
        table += &format!(
            "\n{:.0} s; at most {} open files and {} MB\n",
            self.took.as_secs_f64(),
            self.most_files,
            self.most_memory / 1024
        );
        table
    }
}

/// Worlds that are played in side by side: most of a round is waiting.
const WORLDS: u64 = 4;

impl Campaign {
    /// Runs it. `tell` hears of every round when it has been played, how long it took and what did not hold.
    pub async fn run(self, tell: impl Fn(&Plan, Duration, Option<&str>) + Send + Sync + 'static) -> Tally {
        let began = Instant::now();
        let tell = Arc::new(tell);
        let mut worlds = JoinSet::new();
        for world in 0..WORLDS.min(self.rounds) {
            worlds.spawn(self.play(world, Arc::clone(&tell)));
        }
        let mut whole = Tally::default();
        for tally in worlds.join_all().await {
            whole.add(tally);
        }
        whole.took = began.elapsed();
        whole
    }

    /// The rounds of one world.
    async fn play<T: Fn(&Plan, Duration, Option<&str>)>(self, number: u64, tell: Arc<T>) -> Tally {
        let mut tally = Tally::default();
        let mut world = World::start().await;
        for round in (self.first..self.first + self.rounds).filter(|round| round % WORLDS.min(self.rounds) == number) {
            let plan = Plan::of(self.seed, round);
            tally.rounds += 1;
            let begins = Instant::now();
            let played = Round::new(&mut world, &plan, &mut tally).play().await;
            tell(&plan, begins.elapsed(), played.as_ref().err().map(String::as_str));
            if let Err(violation) = played {
                tally.violations.push(format!("round {round}: {violation}\n  {plan:?}\n{}", world.server.log_tail()));
                // What is left of it would disturb the rounds that follow.
                world = World::start().await;
            }
        }
        tally
    }
}

fn words(fault: Fault) -> &'static str {
    match fault {
        Fault::KillServer => "kill -9 of the server",
        Fault::StopServer => "stop and start of the server",
        Fault::KillTmuxClient => "kill -9 of the tmux client",
        Fault::DropPhone => "phone's connection cut",
        Fault::LostInTransit => "answer or message lost in transit",
        Fault::TruncatedFrame => "connection cut within a frame",
        Fault::GarbageFrame => "frame of garbage",
        Fault::DuplicateFrame => "answer or message sent twice",
        Fault::DelayedFrame => "answer delayed beyond its prompt",
        Fault::Rival => "another phone answers otherwise",
        Fault::Desk => "the desk answers",
        Fault::FullDisk => "full disk",
        Fault::ReadOnlyFolder => "read-only data folder",
        Fault::ClockJump => "clock jumps by days",
        Fault::Garbage => "garbage from the pane",
        Fault::Flood => "flood from the pane",
    }
}
