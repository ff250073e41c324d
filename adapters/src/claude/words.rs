//! What the words of a dialog mean, as far as they must be asked: roles of options, and which kind of question it is.
//!
//! Tolerant on purpose: beginnings and single words, never whole sentences. A word not known here costs a role, never
//! an option.

use shared_types::OptionRole;

use crate::SightedOption;

/// True when any of the words occurs.
pub(super) fn any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|word| text.contains(word))
}

/// Lower case, with straight quotes.
pub(super) fn plain(text: &str) -> String {
    text.to_lowercase().replace(['’', '‘'], "'")
}

/// What choosing an option means, by its words.
pub(super) fn role(option: &SightedOption) -> OptionRole {
    /// What outlasts this one answer.
    const LASTING: &[&str] = &[
        "don't ask",
        "do not ask",
        "always",
        "all edits",
        "session",
        "this project",
        "auto mode",
        "auto-accept",
        "accept edits",
        "all future",
        "every",
        "remember",
        "bypass",
    ];
    const REFUSING: &[&str] = &[
        "no",
        "cancel",
        "deny",
        "reject",
        "decline",
        "exit",
        "don't",
        "do not",
        "continue without",
        "not now",
        "skip",
        "keep planning",
    ];
    const AGREEING: &[&str] =
        &["yes", "allow", "accept", "approve", "proceed", "continue", "submit", "ok", "use ", "run ", "trust", "i "];
    let label = plain(&option.label);
    let begins = |words: &[&str]| {
        words.iter().any(|word| {
            label.strip_prefix(word.trim_end()).is_some_and(|rest| !rest.starts_with(|ch: char| ch.is_alphanumeric()))
        })
    };
    let is_field = option.text.as_ref().is_some_and(|text| !begins(&["yes", "no"]) || text.value == option.label);
    if is_field {
        OptionRole::Feedback
    } else if begins(REFUSING) {
        OptionRole::Deny
    } else if begins(AGREEING) {
        if any(&label, LASTING) { OptionRole::AllowAlways } else { OptionRole::Allow }
    } else {
        OptionRole::Other
    }
}

/// True when a row that takes text says so in its words; only asked where colours do not tell.
pub(super) fn invites_text(label: &str) -> bool {
    let label = plain(label);
    ["type ", "type here", "tell claude", "write your", "enter your", "something else"]
        .iter()
        .any(|words| label.starts_with(words))
}

/// The tool behind a dialog's title, or behind its question where the title is clipped, in Claude's own name for it.
pub(super) fn tool(heading: &str) -> Option<&'static str> {
    const TOOLS: &[(&[&str], &str)] = &[
        (&["notebook"], "NotebookEdit"),
        (&["bash", "shell", "command"], "Bash"),
        (&["edit"], "Edit"),
        (&["create", "overwrite", "write"], "Write"),
        (&["search"], "WebSearch"),
        (&["fetch"], "WebFetch"),
        (&["read"], "Read"),
        (&["skill"], "Skill"),
    ];
    let heading = plain(heading);
    let has = |wanted: &&str| heading.split(|ch: char| !ch.is_alphanumeric()).any(|word| word == *wanted);
    TOOLS.iter().find(|(words, _)| words.iter().any(&has)).map(|(_, tool)| *tool)
}

/// True when the words are about carrying out a plan.
pub(super) fn is_plan(title: &str, question: &str, options: &[SightedOption], footer: &str) -> bool {
    if tool(title).is_some() {
        return false;
    }
    let about = any(&plain(title), &["plan", "ready to code"])
        || any(&plain(question), &["a plan", "the plan", "this plan", "plan mode"]);
    let labels: Vec<String> = options.iter().map(|option| plain(&option.label)).collect();
    let choices = labels.iter().any(|label| any(label, &["approve edits", "keep planning", "auto-accept edits"]));
    let takes_feedback = options.iter().any(|option| option.text.is_some());
    let footer = plain(footer);
    let opens_editor = any(&footer, &["/plans/", "ctrl+g to edit", "ctrl-g to edit"]);
    about || choices || takes_feedback && opens_editor
}
