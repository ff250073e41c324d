//! What the judge says.

use serde::Serialize;

use crate::guard::Held;

/// What happens with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A rule answers yes.
    Allow,
    /// A person is asked.
    Ask,
    /// A rule answers no.
    Deny,
}

/// What nothing passes: no rule, no mode and no remembered answer. A person is asked each time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Floor {
    /// Deletes folders with all that is in them.
    RecursiveDelete,
    /// Runs as another user: `sudo`, `su`, `doas`.
    OtherUser,
    /// Overwrites or deletes what others may have.
    ForcePush,
    /// Feeds a program that nobody has read to an interpreter.
    PipeToShell,
    /// Writes or deletes outside the session's folder.
    WriteOutside,
    /// Disks and file systems.
    Disk,
    /// Rights and owners of the system.
    RootPermissions,
    /// Drops or empties a database.
    DatabaseDrop,
    /// Settings and hooks of agents, git, shells and editors.
    Settings,
    /// Answerback's own files and commands.
    OwnFiles,
    /// Code given in the command line.
    InlineCode,
    /// An option that runs another program or loads code.
    RunsProgram,
    /// A variable that changes which code runs.
    CodeVariable,
    /// Look-alike or invisible characters.
    LookAlike,
    /// What runs is only known when it runs.
    UnknownProgram,
    /// Cannot be taken back: lost work, a stopped machine, a published package.
    Irreversible,
}

/// How risky a request is, for the eyes of the person who is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Risk {
    /// Everything was understood and nothing stood out.
    Low,
    /// Something was not understood, leaves the folder, or needs a second look.
    Medium,
    /// It is on the floor.
    High,
}

/// One thing a request would do, and what was said to it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Part {
    /// The command, file or address.
    pub text: String,
    /// Through what it is reached: `xargs`, `find -exec`, `$(…)`.
    pub via: Vec<String>,
    /// What was said to this part alone.
    pub verdict: Verdict,
    /// The rule that said so.
    pub rule: Option<String>,
    /// Why, in words.
    pub why: String,
}

/// The judge's answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// What happens.
    pub verdict: Verdict,
    /// Set when the request is on the floor.
    pub floor: Option<Floor>,
    /// Part by part.
    pub parts: Vec<Part>,
    /// The rule that decided: of a yes the one of the first part.
    pub rule: Option<String>,
    /// All rules that say so together: each of them is used.
    #[serde(skip)]
    pub rules: Vec<String>,
    /// The message for the model that a deny rule carries.
    pub message: Option<String>,
    /// The reason in one sentence; never empty.
    pub why: String,
    /// How risky it is.
    pub risk: Risk,
    /// False when some of it could not be read: nothing to say and not understood are not the same.
    pub understood: bool,
    /// What the rules would have said, when a guard held the answer back.
    pub would: Option<Verdict>,
    /// Which guard held it back.
    pub held: Option<Held>,
}
