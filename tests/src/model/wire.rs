//! What the four wires have in common: which one a request speaks, and how a reply is written to it piece by piece.

use serde_json::Value;

use super::{
    anthropic, chat, gemini, openai,
    request::{Item, Request},
    turn::{Failure, Part},
};

/// The API a request was sent to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wire {
    Anthropic,
    OpenAi,
    Chat,
    Gemini,
}

/// Writes one reply; every method gives the bytes to send next.
pub(super) trait Writer: Send {
    fn begin(&mut self) -> String;
    fn part(&mut self, part: &Part) -> String;
    fn end(&mut self) -> String;
}

impl Wire {
    /// The wire of a path, where it is one that wants a reply of the model.
    pub(super) fn of(path: &str) -> Option<Self> {
        if path.ends_with("/v1/messages") {
            Some(Self::Anthropic)
        } else if path.ends_with("/responses") {
            Some(Self::OpenAi)
        } else if path.ends_with("/chat/completions") {
            Some(Self::Chat)
        } else if path.ends_with("enerateContent") {
            Some(Self::Gemini)
        } else {
            None
        }
    }

    pub(super) fn read(self, path: &str, body: Value) -> Request {
        let (items, is_aside): (Vec<Item>, bool) = match self {
            Self::Anthropic => anthropic::read(&body),
            Self::OpenAi => openai::read(&body),
            Self::Chat => chat::read(&body),
            Self::Gemini => gemini::read(&body),
        };
        Request { path: path.to_owned(), body, items, is_aside }
    }

    /// What a request beside the conversation gets.
    pub(super) fn aside(self, request: &Request) -> String {
        match self {
            Self::Anthropic => anthropic::aside(),
            Self::OpenAi => openai::aside(),
            Self::Chat => chat::aside(),
            Self::Gemini => gemini::aside(&request.body),
        }
    }

    pub(super) fn writer(self, reply: usize, request: &Request) -> Box<dyn Writer> {
        match self {
            Self::Anthropic => Box::new(anthropic::Messages::new(reply, &request.body)),
            Self::OpenAi => Box::new(openai::Responses::new(reply)),
            Self::Chat => Box::new(chat::Completions::new(reply)),
            Self::Gemini => Box::new(gemini::Contents::new(reply)),
        }
    }

    pub(super) fn failure(self, failure: &Failure) -> Value {
        match self {
            Self::Anthropic => anthropic::failure(failure),
            Self::OpenAi => openai::failure(failure),
            Self::Chat => chat::failure(failure),
            Self::Gemini => gemini::failure(failure),
        }
    }
}
