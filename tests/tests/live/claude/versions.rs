//! What differs between the versions of Claude Code that the stories run, in one table.

use answerback_tests::Versions;
use shared_types::PermissionMode;

use crate::features::Features;

/// What only some versions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// A mode in which it judges by itself.
    AutoMode,
    /// An option that opens a folder for good.
    FolderForGood,
    /// A refusal without a word.
    PlainNo,
    /// An option to talk about a question.
    ChatAboutQuestion,
    /// Leaving plan mode without a plan.
    EmptyPlan,
    /// Servers of the project are asked about by themselves.
    ProjectServers,
    /// Connections out of the sandbox are asked about.
    SandboxAsks,
    /// What servers ask for.
    Elicitation,
    /// An error of the model is tried again soon.
    QuickRetry,
    /// Agents work in the background.
    BackgroundAgents,
    /// An approval covers whatever is like it: the other scripts of a package, the other files of a folder.
    ApprovesAlike,
}

/// One version.
#[derive(Debug)]
pub(super) struct Version {
    /// The option that refuses with a word to the model.
    pub(super) no_with_words: &'static str,
    /// What the model is told of a plain denial.
    pub(super) denied: &'static str,
    /// The option that lets all edits be made.
    pub(super) all_edits: &'static str,
    /// The option that lets a plan be followed freely, and the mode it leads to.
    pub(super) follow_freely: (&'static str, PermissionMode),
    /// The option that lets a server of the project run.
    pub(super) use_server: &'static str,
    /// The tool that sets an agent to work, and how its prompts name it through hooks.
    pub(super) agent_tool: &'static str,
    /// How the prompts of an agent name it.
    pub(super) agent_name: Option<&'static str>,
    /// What it shows when somebody has rated it, and when that was "Good".
    pub(super) thanks: [&'static str; 2],
    /// What it does not have, and why the story does not apply.
    pub(super) features: Features<Feature>,
}

/// 2.1.
const NEWEST: Version = Version {
    no_with_words: "No",
    denied: "doesn't want to proceed",
    all_edits: "accept edits",
    follow_freely: ("auto mode", PermissionMode::Auto),
    use_server: "Use this",
    agent_tool: "Agent",
    agent_name: Some("general-purpose"),
    thanks: ["Feedback: ", "Feedback: Good"],
    features: Features { lacking: &[] },
};

/// 2.0.76.
const OLDER: Version = Version {
    no_with_words: "tell Claude what to do",
    denied: "rather not",
    all_edits: "allow all edits",
    follow_freely: ("auto-accept edits", PermissionMode::AcceptEdits),
    // Trusting the folder lets its servers run as well, so that is then the person's to say.
    use_server: "Yes, proceed",
    agent_tool: "Task",
    agent_name: None,
    thanks: ["Thanks for helping"; 2],
    features: Features {
        lacking: &[
            (Feature::AutoMode, "it has no auto mode"),
            (Feature::FolderForGood, "it has no such option"),
            (Feature::PlainNo, "its refusal is a field for text"),
            (Feature::ChatAboutQuestion, "it has no such option"),
            (Feature::EmptyPlan, "the plan comes with the call"),
            (Feature::ProjectServers, "servers come with the trust in the folder"),
            (Feature::SandboxAsks, "its sandbox has no network, and asks nobody"),
            (Feature::Elicitation, "it tells servers that it asks nothing for them"),
            (Feature::QuickRetry, "it waits for minutes before it tries again, and shows nothing meanwhile"),
            (Feature::BackgroundAgents, "no agent works in the background"),
            (Feature::ApprovesAlike, "it asks the model what a command is like, and this model cannot tell"),
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
