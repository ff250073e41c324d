//! Calls of tools that a CLI has written down: those without a result yet, among which is what it asks leave for, and whole; and those
//! that have ended.

use std::collections::VecDeque;

use serde_json::Value;
use shared_types::Millis;

use crate::hook::Detail;

/// More than this many wait at once only in a file that is not what it seems; the oldest are dropped, and so are those that ended.
const LIMIT: usize = 32;

/// Calls without a result and calls with one, oldest first.
#[derive(Debug, Default)]
pub(crate) struct Pending {
    waiting: Vec<(String, Detail)>,
    ended: VecDeque<(Millis, Detail)>,
}

impl Pending {
    /// A tool was called.
    pub(crate) fn called(&mut self, id: &str, tool: &str, input: &Value) {
        let detail = Detail { tool_name: Some(tool.to_owned()), tool_input: Some(input.clone()), ..Detail::default() };
        self.told(id, detail);
    }

    /// A tool was called, and this is what is known of it.
    pub(crate) fn told(&mut self, id: &str, detail: Detail) {
        self.answered(id);
        if self.waiting.len() == LIMIT {
            self.waiting.remove(0);
        }
        self.waiting.push((id.to_owned(), detail));
    }

    /// A result was written down.
    pub(crate) fn answered(&mut self, id: &str) {
        self.waiting.retain(|(known, _)| known != id);
    }

    /// A result was written down at this time.
    pub(crate) fn ended(&mut self, id: &str, at: Millis) {
        let Some(call) = self.waiting.iter().position(|(known, _)| known == id) else { return };
        if self.ended.len() == LIMIT {
            self.ended.pop_front();
        }
        self.ended.push_back((at, self.waiting.remove(call).1));
    }

    /// What still waits.
    pub(crate) fn into_details(self) -> Vec<Detail> {
        self.waiting.into_iter().map(|(_, detail)| detail).collect()
    }

    /// What has ended since then.
    pub(crate) fn ended_since(self, since: Millis) -> Vec<Detail> {
        self.ended.into_iter().filter(|(at, _)| *at >= since).map(|(_, detail)| detail).collect()
    }
}
