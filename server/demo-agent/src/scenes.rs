//! Every scene the demo agent can play, and the dialogs they show. Data only.

use super::dialog::{Ask, Body, Choice, Dialog, Pick};

/// A scene, named by the word that starts it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scene {
    Command,
    Edit,
    Choice,
    Multi,
    Questions,
    Plan,
    Loop,
    YesNo,
    Password,
    Puzzle,
    Danger,
}

/// A plain line that asks, as any program might print it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LinePrompt {
    pub(super) text: &'static str,
    /// What is typed is not shown.
    pub(super) secret: bool,
}

/// The command of the command scene.
pub(super) const COMMAND: &str = "cargo test --workspace --quiet";
/// The command of the scene that should give one pause.
pub(super) const DANGER: &str = "rm -rf src/legacy && git push --force origin main";
/// The file of the edit scene.
pub(super) const EDITED: &str = "src/cart.rs";
/// The change of the edit scene.
pub(super) const DIFF: &str = "\
@@ -3,5 +3,6 @@
 /// What a visitor wants to buy.
 pub struct Cart {
-    items: Vec<Item>,
+    items: BTreeMap<ItemId, u32>,
+    coupon: Option<Coupon>,
 }
 ";
/// The plan of the plan scene.
pub(super) const PLAN: &str = "\
# Add a cart

1. Create `src/cart.rs` with a `Cart` type
2. Store it in the session cookie
3. Show the number of items in the header

Tests come first: `cargo test` must stay green.";

impl Scene {
    /// All of them, in the order of the tour; the last is no kind of its own and is left out of it.
    pub(super) const ALL: [Self; 11] = [
        Self::Command,
        Self::Edit,
        Self::Choice,
        Self::Multi,
        Self::Questions,
        Self::Plan,
        Self::Loop,
        Self::YesNo,
        Self::Password,
        Self::Puzzle,
        Self::Danger,
    ];

    /// The word that starts it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Command => "command",
            Self::Edit => "edit",
            Self::Choice => "choice",
            Self::Multi => "multi",
            Self::Questions => "questions",
            Self::Plan => "plan",
            Self::Loop => "loop",
            Self::YesNo => "yesno",
            Self::Password => "password",
            Self::Puzzle => "puzzle",
            Self::Danger => "danger",
        }
    }

    /// What it shows, for the help.
    pub(super) fn about(self) -> &'static str {
        match self {
            Self::Command => "asks for permission to run a command",
            Self::Edit => "asks for permission to edit a file, with a diff",
            Self::Choice => "asks one question with options and free text",
            Self::Multi => "asks a question with several right answers",
            Self::Questions => "asks three questions in one form",
            Self::Plan => "asks whether to carry out a plan",
            Self::Loop => "believes it is going round in circles",
            Self::YesNo => "asks on a plain line, as scripts do",
            Self::Password => "asks for a password that is not shown",
            Self::Puzzle => "shows something nobody can read",
            Self::Danger => "asks for permission to do something you may regret",
        }
    }

    /// The scene that a word starts.
    pub(super) fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|scene| scene.word() == word)
    }

    /// The line of a scene that asks on a plain line.
    pub(super) fn line(self) -> Option<LinePrompt> {
        match self {
            Self::YesNo => Some(LinePrompt { text: "Continue? [y/N] ", secret: false }),
            Self::Password => Some(LinePrompt { text: "Password: ", secret: true }),
            _ => None,
        }
    }

    /// The dialog of a scene that has one.
    pub(super) fn dialog(self) -> Option<Dialog> {
        Some(match self {
            Self::Command => Dialog::new(
                "Permission · Run command",
                vec![Body::Code(COMMAND), Body::Prose("Runs the tests of the shop before anything is changed.")],
                vec![permission("May I run this command?", "Yes, and don't ask again for `cargo test`")],
            ),
            Self::Danger => Dialog::new(
                "Permission · Run command",
                vec![Body::Code(DANGER), Body::Prose("Tidies up a little.")],
                vec![permission("May I run this command?", "Yes, and don't ask again for `rm`")],
            ),
            Self::Edit => Dialog::new(
                "Permission · Edit file",
                vec![Body::Diff { path: EDITED, unified: DIFF.trim_end() }],
                vec![permission("May I make this edit?", "Yes, and accept all edits of this session")],
            ),
            Self::Choice => Dialog::new("Question · Database", Vec::new(), vec![database()]),
            Self::Multi => {
                Dialog::new("Question · Features", Vec::new(), vec![features("", "Which of these do you need?")])
            }
            Self::Questions => Dialog::new("Questions · A new shop", Vec::new(), questions()),
            Self::Plan => Dialog::new(
                "Plan · Add a cart",
                vec![Body::Markdown(PLAN)],
                vec![Ask::new(
                    "",
                    "Shall I carry out this plan?",
                    Pick::One,
                    vec![
                        Choice::new("Yes, carry it out", ""),
                        Choice::new("Yes, and accept all edits", ""),
                        Choice::text("No, and tell the agent what to change"),
                    ],
                )],
            ),
            Self::Loop => Dialog::new(
                "Loop detected",
                vec![Body::Prose("The same file was read seven times in a row without any change in between.")],
                vec![Ask::new(
                    "",
                    "Keep loop detection on?",
                    Pick::One,
                    vec![
                        Choice::new("Keep loop detection on", "Stop here and wait for a message"),
                        Choice::new("Disable it for this session", "Go on as before"),
                    ],
                )],
            ),
            Self::YesNo | Self::Password | Self::Puzzle => return None,
        })
    }
}

fn permission(question: &'static str, always: &'static str) -> Ask {
    let choices = vec![
        Choice::new("Yes", ""),
        Choice::new(always, ""),
        Choice::new("No", ""),
        Choice::text("No, and tell the agent what to do differently"),
    ];
    Ask::new("", question, Pick::One, choices)
}

fn database() -> Ask {
    let choices = vec![
        Choice::new("SQLite", "One file, nothing to run; enough for a small shop"),
        Choice::new("PostgreSQL", "A server of its own; grows with the shop"),
        Choice::new("None", "Keep everything in memory for now"),
        Choice::text("Other"),
    ];
    Ask::new("", "Which database shall the shop use?", Pick::One, choices)
}

fn features(header: &'static str, question: &'static str) -> Ask {
    let choices = [
        ("Auth", "Sign in with a passkey"),
        ("Queue", "Send mails in the background"),
        ("Search", "Find things by their names"),
        ("Metrics", "Count what visitors do"),
    ];
    let described = header.is_empty();
    let choices = choices.map(|(label, about)| Choice::new(label, if described { about } else { "" }));
    Ask::new(header, question, Pick::Many, choices.to_vec())
}

fn questions() -> Vec<Ask> {
    let languages = ["Rust", "TypeScript", "Python"].map(|label| Choice::new(label, ""));
    vec![
        Ask::new("Language", "Which language shall it be written in?", Pick::One, languages.to_vec()),
        features("Features", "Which of these do you need?"),
        Ask::new("Name", "What shall the shop be called?", Pick::Text, Vec::new()),
    ]
}
