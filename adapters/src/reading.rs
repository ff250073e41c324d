//! What an adapter makes of a screen.

#[cfg(test)]
mod tests;

use shared_types::{
    AdapterKind, Confidence, FileDiff, InteractivePrompt, Millis, OptionRole, PromptId, PromptKind, PromptOption,
    PromptSource, Question, SessionId, TextInput,
};

use crate::{Adapter, Screen, layout};

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
    /// The sub-agent that asks.
    pub agent: Option<String>,
    /// The CLI's own count of queued prompts, such as `1 of 3`.
    pub position: Option<String>,
    /// True when options are scrolled out of view.
    pub more_options: bool,
    /// The plan to approve, as far as it is on the screen.
    pub plan: Option<String>,
    /// The change to approve, as far as it is on the screen.
    pub diff: Vec<FileDiff>,
    /// What makes it the same prompt while it is being answered, where its title and labels change with the keys or the width.
    /// Empty: they decide. See [`Sighting::fingerprint`].
    pub identity: String,
    /// How this dialog takes keys. A word of the adapter's own: only its [`crate::Adapter::answer`] reads it.
    pub build: &'static str,
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

/// One look at a screen: the reading, and what tells one look from the next.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// What the screen says.
    pub reading: Reading,
    /// What stands above the prompt, without ornaments, and without numbers where a dialog has spinners and clocks beside it:
    /// two equal prompts in a row differ in it.
    pub context: u64,
    /// Everything on the screen: equal when nothing has changed.
    pub content: u64,
}

impl Look {
    /// Looks at a screen through an adapter.
    #[must_use]
    pub fn at(screen: &Screen, adapter: &dyn Adapter) -> Self {
        /// Enough to hold the trace that an answered prompt leaves, few enough to stay clear of what scrolls far above.
        const CONTEXT_ROWS: usize = 6;
        let reading = if screen.exit.is_some() { Reading::Exited } else { adapter.read_screen(screen) };
        let mut context = Hash::new();
        if let Some(sighting) = reading.sighting() {
            // A program that asks line by line leaves its rows alone, so each of them counts, and every number: it may ask
            // the same many times over, and a pager asks alike below every page.
            let by_line = sighting.source == PromptSource::Pattern;
            let (rows, counts): (usize, fn(char) -> bool) =
                if by_line { (usize::MAX, char::is_alphanumeric) } else { (CONTEXT_ROWS, char::is_alphabetic) };
            let above = screen.lines.iter().take(sighting.rows.start).rev().map(|line| line.text.as_str());
            for text in above.filter(|text| !text.trim().is_empty()).take(rows) {
                context.text(&text.chars().filter(|ch| counts(*ch)).collect::<String>());
            }
        }
        let mut content = Hash::new();
        for line in &screen.lines {
            content.text(&line.text);
        }
        Self { reading, context: context.0, content: content.0 }
    }
}

impl Reading {
    /// A word for what it is.
    #[must_use]
    pub fn state(&self) -> &'static str {
        match self {
            Reading::Starting { .. } => "starting",
            Reading::Ready(_) => "ready",
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

    /// The prompt on the screen, a start-up dialog included.
    #[must_use]
    pub fn sighting(&self) -> Option<&Sighting> {
        match self {
            Reading::Prompt(sighting) => Some(sighting),
            Reading::Startup(dialog) => Some(&dialog.sighting),
            _ => None,
        }
    }
}

/// Recognises the same prompt again, over redraws and restarts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Fingerprint(pub u64);

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
            agent: None,
            position: None,
            more_options: false,
            plan: None,
            diff: Vec::new(),
            identity: String::new(),
            build,
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

    /// The prompt as the person gets it.
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
        InteractivePrompt {
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
            more_options: self.more_options.then_some(true),
            plan: self.plan.clone(),
            screen: None,
        }
    }

    /// The same for the same prompt, another for another one. What counts are the words that stay while it is being
    /// answered and when the pane changes its size; blanks never count. The adapter names them in `identity` where keys, tabs
    /// or the width change what is drawn. Else they are the question, what the tool would be given, and the labels, unless
    /// something is typed into them or they scroll.
    ///
    /// Two equal prompts in a row have equal fingerprints; [`Look::context`] tells them apart.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        let mut hash = Hash::new();
        hash.text(&format!("{:?}", self.kind));
        if !self.identity.is_empty() {
            hash.text(&self.identity);
            return Fingerprint(hash.0);
        }
        hash.text(self.build);
        if self.questions.is_empty() {
            hash.text(&self.title);
            if let Some(input) = &self.tool_input {
                hash.text(&input.to_string());
            }
            for option in self.options.iter().filter(|option| option.text.is_none() && !self.more_options) {
                hash.text(&option.label);
            }
        } else {
            for question in &self.questions {
                hash.text(&question.header);
                hash.text(&question.question);
            }
        }
        Fingerprint(hash.0)
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
        }
    }
}

/// FNV-1a, because a fingerprint is stored and must not change with the compiler, as the standard hasher may.
pub(crate) struct Hash(pub(crate) u64);

impl Hash {
    pub(crate) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    /// Takes the characters that are not blank, and an end mark.
    pub(crate) fn text(&mut self, text: &str) {
        for ch in text.chars().filter(|ch| !ch.is_whitespace()) {
            self.byte_run(ch.encode_utf8(&mut [0; 4]).as_bytes());
        }
        self.byte_run(&[0]);
    }

    fn byte_run(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
