//! What an adapter makes of a screen; [`same`] says what makes a prompt the same one, [`content`] whether it still says the same.

mod bound;
mod content;
mod same;
#[cfg(test)]
mod tests;

use shared_types::{
    AdapterKind, Confidence, FileDiff, InteractivePrompt, Millis, OptionRole, PermissionMode, PromptId, PromptKind,
    PromptOption, PromptSource, Question, SessionId, TextInput,
};

pub use bound::{DIFF_LIMIT, INPUT_LIMIT, PLAN_LIMIT, TEXT_LIMIT};
pub use same::{Context, Fingerprint, Look};

use crate::layout;

/// What a screen says.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// The CLI is coming up.
    Starting {
        /// What it waits for, for people; may be empty.
        detail: String,
    },
    /// It waits for a message.
    Ready(Composer),
    /// It waits for a message, and asks something beside that may be left alone.
    Aside {
        /// Where the message is typed.
        composer: Composer,
        /// What is asked.
        sighting: Sighting,
    },
    /// It works.
    Busy {
        /// What at, as the CLI says it; may be empty.
        detail: String,
        /// Present when a message can be typed (and is then queued or steers the work).
        composer: Option<Composer>,
    },
    /// A prompt waits for the person.
    Prompt(Sighting),
    /// A dialog of the CLI's start.
    Startup(StartupDialog),
    /// Something interactive that is not understood. Never typed into blindly.
    Unrecognized,
    /// The program has ended.
    Exited,
}

/// The place where a chat message is typed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Composer {
    /// What stands in it now; ghost text does not count.
    pub draft: String,
    /// The permission mode, where the screen says it.
    pub mode: Option<PermissionMode>,
}

/// A prompt found on a screen: what the person is asked, and what the answering needs to know of its present look.
#[derive(Debug, Clone, PartialEq)]
pub struct Sighting {
    /// What is asked for.
    pub kind: PromptKind,
    /// How it was noticed.
    pub source: PromptSource,
    /// How sure the reading is.
    pub confidence: Confidence,
    /// The question itself.
    pub title: String,
    /// Reason or context; may be empty.
    pub description: String,
    /// The tool the CLI wants to use.
    pub tool_name: Option<String>,
    /// What the tool would be given.
    pub tool_input: Option<serde_json::Value>,
    /// The options in the order they are drawn.
    pub options: Vec<SightedOption>,
    /// The row the CLI's cursor is on.
    pub selected: Option<usize>,
    /// A text field of the prompt's own, that is one that belongs to no option.
    pub text: Option<SightedText>,
    /// True when several options can be checked.
    pub multi_select: bool,
    /// All questions of a dialog that asks several; `options` then holds those of the one in front.
    pub questions: Vec<Question>,
    /// Which of the questions is in front.
    pub question_index: Option<usize>,
    /// How many of the questions have no answer yet, by the CLI's own count.
    pub unanswered: usize,
    /// The sub-agent that asks.
    pub agent: Option<String>,
    /// The CLI's own count of queued prompts, such as `1 of 3`.
    pub position: Option<String>,
    /// True when it may be left alone: the CLI takes messages all the same.
    pub optional: bool,
    /// True when options are scrolled out of view.
    pub more_options: bool,
    /// True when a part of what is asked about is not in here: the CLI cut it, or the top of the dialog is not on the screen.
    /// What a hook or the CLI's own record tells makes it whole again.
    pub incomplete: bool,
    /// Rows of a multi-select that scrolls as they were last seen while it is being answered. No reading knows them: the
    /// [`crate::answer::Attempt`] does.
    pub out_of_view: Vec<SightedOption>,
    /// The plan to approve, as far as it is on the screen.
    pub plan: Option<String>,
    /// The change to approve, as far as it is on the screen.
    pub diff: Vec<FileDiff>,
    /// What makes it the same prompt while it is being answered, where its title and labels change with the keys or the width.
    /// Empty: they decide. See [`Sighting::fingerprint`].
    pub identity: String,
    /// How this dialog takes keys. A word of the adapter's own: only its [`crate::Adapter::answer`] reads it.
    pub build: &'static str,
    /// What stands on the cursor's line before the place where an answer is typed, where one is typed into a line of output. It
    /// finds the prompt again while something stands behind it.
    pub head: String,
    /// The rows of the screen it was read from, for telling what lies above and for explaining a reading.
    pub rows: std::ops::Range<usize>,
}

/// An option of a sighting.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SightedOption {
    /// The CLI's words, re-joined over wraps, without number and key hint.
    pub label: String,
    /// The CLI's second line.
    pub description: Option<String>,
    /// A longer preview drawn beside it.
    pub preview: Option<String>,
    /// What choosing it means.
    pub role: Option<OptionRole>,
    /// The state of its check box.
    pub checked: Option<bool>,
    /// Present when choosing it takes text along.
    pub text: Option<SightedText>,
    /// The number or letter drawn before it, such as `2` of `2. No`.
    pub number: Option<String>,
    /// The key hint drawn behind it, such as `y` or `esc`.
    pub hint: Option<String>,
    /// Whether a person may choose it.
    pub offer: Offer,
}

/// Whether a person may choose an option.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Offer {
    /// Yes.
    #[default]
    Offered,
    /// It is an item of the list, but no answer chooses it: it opens an editor at the desk, or only ends the list.
    Withheld,
    /// It is no item: a button beside the list, such as `Submit`, or a row of ours that holds what is typed.
    Button,
}

/// A text field as it stands on the screen.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SightedText {
    /// What the CLI suggests to type.
    pub placeholder: Option<String>,
    /// What stands in it now.
    pub value: String,
    /// True when typed characters go there.
    pub focused: bool,
    /// True for passwords.
    pub secret: bool,
    /// True when line breaks are taken.
    pub multiline: bool,
    /// True when Enter alone is an answer, by the program's own words.
    pub may_be_empty: bool,
}

/// A dialog of a CLI's start.
#[derive(Debug, Clone, PartialEq)]
pub struct StartupDialog {
    /// Which one.
    pub kind: StartupKind,
    /// The row that passes it safely, where there is one: an index into the sighting's options.
    pub pass: Option<usize>,
    /// The dialog itself, so that it can be shown to the person like any other prompt.
    pub sighting: Sighting,
}

/// Which dialog of a CLI's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StartupKind {
    /// May the CLI work in this folder. Covered by having started there.
    FolderTrust,
    /// May it use the API key the person has set in the environment.
    ApiKey,
    /// A colour theme and the like.
    Appearance,
    /// Something to read and go on from.
    Notice,
    /// A new version is offered. Never started.
    Update,
    /// Another model is offered. The present one is kept.
    ModelChange,
    /// Connecting to an editor or setting up the terminal. Declined.
    Integration,
    /// Hooks of the project want to be trusted. Never trusted by us.
    HookTrust,
    /// The warning before all permission checks go off. Accepted only when the person chose exactly that.
    BypassWarning,
    /// Anything else: asked of the person.
    Other,
}

impl StartupDialog {
    /// The same, with what the rows mean that trust a folder or leave it alone, where their words alone do not say so.
    pub(crate) fn with_roles(mut self) -> Self {
        const LEAVES: [&str; 6] = ["quit", "exit", "back", "don't", "no", "not"];
        if self.kind != StartupKind::FolderTrust {
            return self;
        }
        for (row, option) in self.sighting.options.iter_mut().enumerate().filter(|(_, option)| option.role.is_none()) {
            let label = option.label.to_lowercase();
            let mut words = label.split(|ch: char| !ch.is_alphabetic() && ch != '\'');
            option.role = match self.pass {
                Some(pass) if pass == row => Some(OptionRole::Allow),
                _ => words.any(|word| LEAVES.contains(&word)).then_some(OptionRole::Deny),
            };
        }
        self
    }
}

impl Reading {
    /// A word for what it is.
    #[must_use]
    pub fn state(&self) -> &'static str {
        match self {
            Reading::Starting { .. } => "starting",
            Reading::Ready(_) => "ready",
            Reading::Aside { .. } => "aside",
            Reading::Busy { .. } => "busy",
            Reading::Prompt(_) => "prompt",
            Reading::Startup(_) => "startup",
            Reading::Unrecognized => "unrecognized",
            Reading::Exited => "exited",
        }
    }

    /// True when the person is asked something, be it understood or not.
    #[must_use]
    pub fn asks(&self) -> bool {
        self.sighting().is_some() || *self == Reading::Unrecognized
    }

    /// True when nothing else is taken before that is answered: whatever is typed would answer it.
    #[must_use]
    pub fn insists(&self) -> bool {
        self.asks() && self.awaiting().is_none()
    }

    /// The composer of a CLI that waits for a message.
    #[must_use]
    pub fn awaiting(&self) -> Option<&Composer> {
        match self {
            Reading::Ready(composer) | Reading::Aside { composer, .. } => Some(composer),
            _ => None,
        }
    }

    /// The prompt on the screen, a start-up dialog and what is asked aside included.
    #[must_use]
    pub fn sighting(&self) -> Option<&Sighting> {
        match self {
            Reading::Prompt(sighting) | Reading::Aside { sighting, .. } => Some(sighting),
            Reading::Startup(dialog) => Some(&dialog.sighting),
            _ => None,
        }
    }
}

impl Sighting {
    /// An empty sighting of a kind, for an adapter to fill in.
    #[must_use]
    pub fn new(kind: PromptKind, source: PromptSource, build: &'static str) -> Self {
        Self {
            kind,
            source,
            confidence: Confidence::Certain,
            title: String::new(),
            description: String::new(),
            tool_name: None,
            tool_input: None,
            options: Vec::new(),
            selected: None,
            text: None,
            multi_select: false,
            questions: Vec::new(),
            question_index: None,
            unanswered: 0,
            agent: None,
            position: None,
            optional: false,
            more_options: false,
            incomplete: false,
            out_of_view: Vec::new(),
            plan: None,
            diff: Vec::new(),
            identity: String::new(),
            build,
            head: String::new(),
            rows: 0..0,
        }
    }

    /// What names each option in a response: its label, told apart where two are alike.
    #[must_use]
    pub fn option_values(&self) -> Vec<String> {
        layout::distinct(self.options.iter().map(|option| option.label.as_str()))
    }

    /// The row that a response's value names, wherever it stands now.
    #[must_use]
    pub fn find_option(&self, value: &str) -> Option<usize> {
        let wanted = layout::squash(value);
        self.option_values().iter().position(|candidate| layout::squash(candidate) == wanted)
    }

    /// The row that a response's value names, if it is one that a person may choose.
    #[must_use]
    pub fn find_offered(&self, value: &str) -> Option<usize> {
        self.find_option(value).filter(|row| self.options[*row].is_offered())
    }

    /// Which item of the list the cursor is on: the row without the buttons before it.
    #[must_use]
    pub fn selected_item(&self) -> Option<usize> {
        self.selected.map(|row| self.options.iter().take(row).filter(|option| option.is_item()).count())
    }

    /// The prompt as the person gets it, cut to a size that every phone can take.
    #[must_use]
    pub fn to_prompt(
        &self,
        id: PromptId,
        session: SessionId,
        adapter: AdapterKind,
        seen_at: Millis,
    ) -> InteractivePrompt {
        let options: Vec<PromptOption> = self
            .options
            .iter()
            .zip(self.option_values())
            .filter(|(option, _)| option.is_offered())
            .map(|(option, value)| option.to_wire(value))
            .collect();
        let single = self.questions.is_empty();
        let mut prompt = InteractivePrompt {
            request_id: id,
            kind: self.kind,
            title: self.title.clone(),
            description: self.description.clone(),
            tool_name: self.tool_name.clone(),
            tool_input: self.tool_input.clone(),
            options: (single && !options.is_empty()).then_some(options),
            text_input: self.text.as_ref().filter(|_| single).map(SightedText::to_wire),
            session_id: Some(session),
            adapter: Some(adapter),
            source: Some(self.source),
            confidence: Some(self.confidence),
            created_at: Some(seen_at),
            expires_at: None,
            risk: None,
            diff: (!self.diff.is_empty()).then(|| self.diff.clone()),
            files: (!self.diff.is_empty()).then(|| self.diff.iter().map(|file| file.path.clone()).collect()),
            questions: (!single).then(|| self.questions.clone()),
            multi_select: (single && self.multi_select).then_some(true),
            agent: self.agent.clone(),
            position: self.position.clone(),
            optional: self.optional.then_some(true),
            more_options: self.more_options.then_some(true),
            plan: self.plan.clone(),
            screen: None,
            incomplete: self.incomplete.then_some(true),
            digest: None,
            startup: None,
            would_run: None,
            warning: None,
        };
        bound::bound(&mut prompt);
        prompt
    }
}

impl SightedOption {
    /// An option with a label and nothing else.
    #[must_use]
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), ..Self::default() }
    }

    /// True when a person may choose it.
    #[must_use]
    pub fn is_offered(&self) -> bool {
        self.offer == Offer::Offered
    }

    /// True when the CLI lists it, be it offered or not.
    #[must_use]
    pub fn is_item(&self) -> bool {
        self.offer != Offer::Button
    }

    /// The option as the person gets it, named by `value`.
    #[must_use]
    pub fn to_wire(&self, value: String) -> PromptOption {
        PromptOption {
            value,
            label: self.label.clone(),
            description: self.description.clone(),
            preview: self.preview.clone(),
            role: self.role,
            opens_text: self.text.is_some().then_some(true),
            checked: self.checked,
        }
    }
}

impl SightedText {
    /// The field as the person gets it. What stands in it at the desk is not sent.
    #[must_use]
    pub fn to_wire(&self) -> TextInput {
        TextInput {
            placeholder: self.placeholder.clone(),
            secret: self.secret.then_some(true),
            multiline: self.multiline.then_some(true),
            may_be_empty: self.may_be_empty.then_some(true),
        }
    }
}
