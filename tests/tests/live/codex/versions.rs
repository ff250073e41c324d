//! What differs between the versions of Codex that the stories run, in one table.

use answerback_tests::{Versions, model::Call};
use serde_json::Value;

use crate::features::Features;

/// What only some versions have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feature {
    /// What a running terminal is given is asked about.
    TerminalInput,
    /// An option that follows a plan with a clear context.
    ClearContext,
    /// Hooks of the person's are asked about.
    HooksAreAsked,
    /// Links from a server.
    Links,
    /// Tools of servers and agents have a namespace.
    Namespaces,
    /// A refusal ends the whole turn.
    RefusalEndsTurn,
    /// Another model is offered at the start.
    OffersModel,
    /// What it may do can be told on the command line, so that it asks for no trust.
    NoTrustAsked,
}

/// One version.
#[derive(Debug)]
pub(super) struct Version {
    /// The settings without which it does not know its model.
    pub(super) settings: &'static [&'static str],
    /// The options that grant permissions for a turn.
    pub(super) grants_for_turn: &'static [&'static str],
    /// What it does not have, and why the story does not apply.
    pub(super) features: Features<Feature>,
}

/// 0.166.
const NEWEST: Version = Version {
    settings: &[],
    grants_for_turn: &[
        "Yes, grant these permissions for this turn",
        "Yes, grant for this turn with strict auto review",
    ],
    features: Features { lacking: &[] },
};

/// 0.120.
const OLDER: Version = Version {
    // The newest model is a stranger to it, which it gives fewer tools.
    settings: &["model=\"gpt-5.4\""],
    grants_for_turn: &["Yes, grant these permissions"],
    features: Features {
        lacking: &[
            (Feature::TerminalInput, "it has no such dialog"),
            (Feature::ClearContext, "it has no such option"),
            (Feature::HooksAreAsked, "it asks nothing about hooks"),
            (Feature::Links, "it knows no links"),
            (Feature::Namespaces, "its tools have plain names"),
            (Feature::RefusalEndsTurn, "it goes on asking about the second, although the turn is over"),
            (Feature::OffersModel, "it has no newer model to offer"),
            (Feature::NoTrustAsked, "it asks for trust and notes it down"),
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

impl Version {
    /// A call of a server's tool.
    pub(super) fn server_tool(&self, name: &str, input: Value) -> Call {
        if self.features.has(Feature::Namespaces) {
            Call::new(name, input).in_namespace("mcp__story")
        } else {
            Call::new(&format!("mcp__story__{name}"), input)
        }
    }
}
