//! Which files a CLI has changed since somebody last spoke to it: what runs them runs what nobody has read.
//!
//! It knows what the transcript tells. What a command writes, and what happened before the server was started again, it does not.

use shared_types::{Message, MessageBody, MessageRole, ToolUse};

/// More files than this are not kept: the oldest are forgotten.
const MOST: usize = 200;

/// The files of the turn that is under way.
#[derive(Debug, Default)]
pub(super) struct TurnFiles(Vec<String>);

impl TurnFiles {
    /// Takes a message of the conversation. A word of the person begins a new turn.
    pub(super) fn note(&mut self, message: &Message) {
        match &message.body {
            MessageBody::Text { .. } if message.role == MessageRole::User && message.agent.is_none() => self.0.clear(),
            MessageBody::Tool { purpose: Some(ToolUse::Edit { diff }), .. } => {
                for file in diff {
                    self.0.retain(|path| *path != file.path);
                    self.0.push(file.path.clone());
                }
                self.0.drain(..self.0.len().saturating_sub(MOST));
            }
            _ => {}
        }
    }

    /// Their paths, as the CLI names them.
    pub(super) fn paths(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use shared_types::{FileDiff, MessageId};

    use super::*;

    fn message(role: MessageRole, agent: Option<&str>, body: MessageBody) -> Message {
        Message { id: MessageId("m".to_owned()), role, at: 0, body, agent: agent.map(str::to_owned), images: None }
    }

    fn edit(path: &str) -> Message {
        let diff = vec![FileDiff { path: path.to_owned(), unified: String::new() }];
        let body = MessageBody::Tool {
            name: "Write".to_owned(),
            summary: String::new(),
            input: Value::Null,
            purpose: Some(ToolUse::Edit { diff }),
            result: None,
        };
        message(MessageRole::Assistant, None, body)
    }

    fn says(role: MessageRole, agent: Option<&str>) -> Message {
        message(role, agent, MessageBody::Text { text: "go on".to_owned(), streaming: false })
    }

    #[test]
    fn files_are_kept_until_the_person_speaks() {
        let mut files = TurnFiles::default();
        for told in [edit("Makefile"), edit("a.rs"), edit("Makefile"), says(MessageRole::Assistant, None)] {
            files.note(&told);
        }
        files.note(&says(MessageRole::User, Some("helper")));
        assert_eq!(files.paths(), ["a.rs", "Makefile"]);
        files.note(&says(MessageRole::User, None));
        assert!(files.paths().is_empty());
    }

    #[test]
    fn oldest_files_are_forgotten() {
        let mut files = TurnFiles::default();
        (0..MOST + 3).for_each(|number| files.note(&edit(&number.to_string())));
        assert_eq!((files.paths().len(), files.paths()[0].as_str()), (MOST, "3"));
    }
}
