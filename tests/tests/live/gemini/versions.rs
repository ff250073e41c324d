//! What differs between the versions of Gemini CLI that the stories run, in one table.

use answerback_tests::Versions;
use shared_types::PermissionMode;

use crate::features::Features;

/// What only some versions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// A mode in which it plans.
    PlanMode,
    /// Questions of the model's.
    Questions,
    /// Files outside of its folder are read, when the person allows it.
    FilesOutside,
    /// A limit of the vendor's is asked about.
    Limits,
    /// Hooks that tell what its dialogs cut off.
    Hooks,
    /// What was chosen in the dialogs of its start is written down.
    NotesItsStart,
    /// Its dialogs say more: redirections, and how many wait.
    TellsMore,
    /// A refusal ends nothing but the call.
    RefusalEndsCall,
    /// It goes on with a conversation more than once without its settings.
    KeepsConversations,
}

/// One version.
#[derive(Debug)]
pub(super) struct Version {
    /// What stands before the name of a server's tool.
    pub(super) server_prefix: &'static str,
    /// The mode after that in which edits are accepted.
    pub(super) next_mode: PermissionMode,
    /// How many approvals in a row it is asked for.
    pub(super) approvals: usize,
    /// What it does not have, and why the story does not apply.
    pub(super) features: Features<Feature>,
}

/// 0.61.
const NEWEST: Version = Version {
    server_prefix: "mcp_notes_",
    next_mode: PermissionMode::Plan,
    approvals: 30,
    features: Features {
        lacking: &[(Feature::KeepsConversations, "its clean-up deletes them, if its settings do not forbid that")],
    },
};

/// 0.22.
const OLDER: Version = Version {
    server_prefix: "",
    next_mode: PermissionMode::Ask,
    // It crashes now and then after some quick commands (`ioctl(2) failed, EBADF` in its terminal library).
    approvals: 6,
    features: Features {
        lacking: &[
            (Feature::PlanMode, "it has no such mode"),
            (Feature::Questions, "the tool came later"),
            (Feature::FilesOutside, "it reads nothing outside of its folder and asks nobody"),
            (Feature::Limits, "it asks nothing about limits"),
            (Feature::Hooks, "it has no hooks"),
            (Feature::NotesItsStart, "it writes nothing down"),
            (Feature::TellsMore, "its dialogs say less"),
            (Feature::RefusalEndsCall, "a refusal ends the whole queue"),
        ],
    },
};

/// The version of this run.
pub(super) fn version() -> &'static Version {
    match Versions::here() {
        Versions::Newest => &NEWEST,
        Versions::Older => &OLDER,
    }
}
