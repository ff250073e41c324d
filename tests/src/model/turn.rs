//! What a story lets the model say, in words that are the same for every vendor.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::watch;

use super::Request;

/// One reply of the model.
#[derive(Clone, Default)]
pub struct Turn {
    pub(super) parts: Vec<Part>,
    pub(super) headers: Vec<(String, String)>,
    pub(super) failure: Option<Failure>,
    pub(super) made_from: Option<MadeFrom>,
}

/// A reply that is known only when the request is.
type MadeFrom = Arc<dyn Fn(&Request) -> Turn + Send + Sync>;

#[derive(Clone)]
pub(super) enum Part {
    Thinking(String),
    Text(String),
    Call(Call),
    Hold(Gate),
}

/// An error instead of a reply.
#[derive(Clone)]
pub(super) struct Failure {
    pub(super) status: u16,
    pub(super) message: String,
}

/// A call of one of the CLI's tools, by the name and with the input that this CLI knows.
#[derive(Debug, Clone)]
pub struct Call {
    pub(super) name: String,
    pub(super) input: Value,
    pub(super) namespace: Option<String>,
}

impl Call {
    /// A call. An input that is a plain text makes a call of a free-form tool, such as Codex's `apply_patch`.
    #[must_use]
    pub fn new(name: &str, input: Value) -> Self {
        Self { name: name.to_owned(), input, namespace: None }
    }

    /// The namespace that new versions of Codex keep the tools of MCP servers and sub-agents in.
    #[must_use]
    pub fn in_namespace(mut self, namespace: &str) -> Self {
        self.namespace = Some(namespace.to_owned());
        self
    }
}

impl Turn {
    /// The model says something, and its turn is over.
    #[must_use]
    pub fn say(text: &str) -> Self {
        Self::default().and_say(text)
    }

    /// The model calls one tool.
    #[must_use]
    pub fn tool(name: &str, input: Value) -> Self {
        Self::tools([Call::new(name, input)])
    }

    /// The model calls tools, all in one message.
    #[must_use]
    pub fn tools(calls: impl IntoIterator<Item = Call>) -> Self {
        Self { parts: calls.into_iter().map(Part::Call).collect(), ..Self::default() }
    }

    /// The model cannot be reached: the status and a sentence. The next try gets the script's next turn.
    #[must_use]
    pub fn error(status: u16, message: &str) -> Self {
        Self { failure: Some(Failure { status, message: message.to_owned() }), ..Self::default() }
    }

    /// A turn that depends on what the CLI sent, such as the name of a file it chose.
    #[must_use]
    pub fn made_from(make: impl Fn(&Request) -> Turn + Send + Sync + 'static) -> Self {
        Self { made_from: Some(Arc::new(make)), ..Self::default() }
    }

    /// Before all else the model thinks aloud.
    #[must_use]
    pub fn thinking(mut self, text: &str) -> Self {
        self.parts.insert(0, Part::Thinking(text.to_owned()));
        self
    }

    /// Then it says something.
    #[must_use]
    pub fn and_say(mut self, text: &str) -> Self {
        self.parts.push(Part::Text(text.to_owned()));
        self
    }

    /// Then it calls tools.
    #[must_use]
    pub fn and_tools(mut self, calls: impl IntoIterator<Item = Call>) -> Self {
        self.parts.extend(calls.into_iter().map(Part::Call));
        self
    }

    /// Nothing is sent before the gate is open.
    #[must_use]
    pub fn after(mut self, gate: &Gate) -> Self {
        self.parts.insert(0, Part::Hold(gate.clone()));
        self
    }

    /// What comes next is sent when the gate is open; what came before has arrived.
    #[must_use]
    pub fn and_hold(mut self, gate: &Gate) -> Self {
        self.parts.push(Part::Hold(gate.clone()));
        self
    }

    /// A header of the reply, such as one that tells of rate limits.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }
}

/// Holds a turn back until the story opens it.
#[derive(Clone)]
pub struct Gate(Arc<watch::Sender<bool>>);

impl Gate {
    /// A closed gate.
    #[must_use]
    pub fn closed() -> Self {
        Self(Arc::new(watch::Sender::new(false)))
    }

    /// Lets the turn go on.
    pub fn open(&self) {
        self.0.send_replace(true);
    }

    pub(super) async fn passed(&self) {
        // The sender lives as long as this handle, so that waiting ends only when the gate is open.
        let _ = self.0.subscribe().wait_for(|is_open| *is_open).await;
    }
}
