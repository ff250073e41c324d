//! A digest over everything that a person reads before answering a prompt.
//!
//! It travels with the prompt and comes back with the response. A response to a prompt that has changed meanwhile carries another
//! one, and is refused.

use serde_json::Value;
use sha2::{Digest as _, Sha256};
use shared_types::{FileDiff, InteractivePrompt, PromptOption, Question, TextInput, WouldRun};

/// The digest of a prompt as it is shown: SHA-256 in hexadecimal digits. What changes by itself while nothing else does is not in
/// it: counts, times, check boxes, the raw screen, and what is derived from the rest.
#[must_use]
pub fn digest(prompt: &InteractivePrompt) -> String {
    // Each field is named, so that a new one cannot be forgotten here.
    let InteractivePrompt {
        request_id: _,
        kind,
        title,
        description,
        tool_name,
        tool_input,
        options,
        text_input,
        session_id: _,
        adapter: _,
        source: _,
        confidence: _,
        created_at: _,
        expires_at: _,
        risk: _,
        diff,
        files,
        questions,
        multi_select,
        agent,
        position: _,
        optional: _,
        more_options: _,
        plan,
        screen: _,
        incomplete,
        digest: _,
        startup,
        would_run,
        warning,
    } = prompt;
    let mut canon = Canon(Sha256::new());
    canon.text(&format!("{kind:?}"));
    canon.text(title);
    canon.text(description);
    canon.maybe(tool_name.as_deref());
    canon.value(tool_input.as_ref().unwrap_or(&Value::Null));
    canon.list(options.as_deref(), Canon::option);
    canon.list(text_input.as_ref().map(std::slice::from_ref), Canon::field);
    canon.list(diff.as_deref(), Canon::diff);
    canon.list(files.as_deref(), |canon, file| canon.text(file));
    canon.list(questions.as_deref(), Canon::question);
    canon.flag(*multi_select);
    canon.maybe(agent.as_deref());
    canon.maybe(plan.as_deref());
    canon.flag(*incomplete);
    canon.flag(*startup);
    canon.list(would_run.as_deref(), Canon::would_run);
    canon.maybe(warning.as_deref());
    canon.0.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes values so that two that differ are never written alike: each text with its length, each list with its count, the fields
/// of objects in the order of their names.
struct Canon(Sha256);

impl Canon {
    fn count(&mut self, count: usize) {
        self.0.update(u64::try_from(count).unwrap_or(u64::MAX).to_le_bytes());
    }

    fn text(&mut self, text: &str) {
        self.count(text.len());
        self.0.update(text.as_bytes());
    }

    fn maybe(&mut self, text: Option<&str>) {
        self.flag(Some(text.is_some()));
        self.text(text.unwrap_or_default());
    }

    fn flag(&mut self, flag: Option<bool>) {
        self.0.update([u8::from(flag == Some(true))]);
    }

    fn list<T>(&mut self, items: Option<&[T]>, mut write: impl FnMut(&mut Self, &T)) {
        self.flag(Some(items.is_some()));
        let items = items.unwrap_or_default();
        self.count(items.len());
        items.iter().for_each(|item| write(self, item));
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Null => self.0.update(b"n"),
            Value::Bool(flag) => self.0.update(if *flag { b"t" } else { b"f" }),
            Value::Number(number) => {
                self.0.update(b"#");
                self.text(&number.to_string());
            }
            Value::String(text) => {
                self.0.update(b"s");
                self.text(text);
            }
            Value::Array(items) => {
                self.0.update(b"[");
                self.count(items.len());
                items.iter().for_each(|item| self.value(item));
            }
            Value::Object(fields) => {
                self.0.update(b"{");
                self.count(fields.len());
                let mut fields: Vec<(&String, &Value)> = fields.iter().collect();
                fields.sort_by_key(|(name, _)| *name);
                for (name, value) in fields {
                    self.text(name);
                    self.value(value);
                }
            }
        }
    }

    fn option(&mut self, option: &PromptOption) {
        let PromptOption { value, label, description, preview, role, opens_text, checked: _ } = option;
        self.text(value);
        self.text(label);
        self.maybe(description.as_deref());
        self.maybe(preview.as_deref());
        self.text(&format!("{role:?}"));
        self.flag(*opens_text);
    }

    fn field(&mut self, field: &TextInput) {
        let TextInput { placeholder, secret, multiline, may_be_empty } = field;
        self.maybe(placeholder.as_deref());
        self.flag(*secret);
        self.flag(*multiline);
        self.flag(*may_be_empty);
    }

    fn diff(&mut self, file: &FileDiff) {
        let FileDiff { path, unified } = file;
        self.text(path);
        self.text(unified);
    }

    fn question(&mut self, asked: &Question) {
        let Question { header, question, options, multi_select, text_input } = asked;
        self.text(header);
        self.text(question);
        self.list(Some(options), Self::option);
        self.flag(*multi_select);
        self.list(text_input.as_ref().map(std::slice::from_ref), Self::field);
    }

    fn would_run(&mut self, thing: &WouldRun) {
        let WouldRun { file, what, text } = thing;
        self.text(file);
        self.text(what);
        self.text(text);
    }
}

#[cfg(test)]
mod tests;
