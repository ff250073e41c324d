//! What saying yes to a prompt risks, and why, in plain words.
//!
//! The tool, its input and the files are judged, never the CLI's own reassurance. A command is read as a shell would read it
//! ([`shell`]), so that a word in quotes is no command and a command in `sh -c`, `$(…)` or behind `sudo` is one. It is a help for
//! the eyes and not a sandbox: a command that is judged harmless is still the person's to allow.
//!
//! # Layout
//!
//! - [`shell`]: text becomes pipelines of words.
//! - [`line`]: walks them, takes `env`, `sudo`, `xargs` and the like off, follows `cd`, pipes and downloads.
//! - [`programs`], [`git`], [`remote`], [`data`]: what single programs do. [`paths`]: what files are.

mod data;
mod git;
mod line;
mod paths;
mod programs;
mod remote;
mod shell;
#[cfg(test)]
mod tests;

use std::path::Path;

use serde_json::Value;
use shared_types::{
    InteractivePrompt, PromptKind, Risk, RiskLevel,
    visible::{self, Lines},
};

use crate::hook::strings_of;
use paths::Place;

/// More reasons than this are not read; the gravest come first.
const REASONS: usize = 6;

/// What this prompt risks in a session that works in `folder`; nothing when there is nothing to say.
#[must_use]
pub fn judge(prompt: &InteractivePrompt, folder: &Path) -> Option<Risk> {
    let mut findings = Findings::default();
    let tool = prompt.tool_name.as_deref().unwrap_or_default();
    match &prompt.tool_input {
        Some(input) if matches!(prompt.kind, PromptKind::Permission | PromptKind::LoopDetected) => {
            judge_tool(tool, input, folder, &mut findings);
        }
        _ => {}
    }
    for file in prompt.diff.iter().flatten() {
        Place::of(&file.path, Some(folder), folder).judge_write(&mut findings);
    }
    if prompt.tool_input.is_none() && prompt.diff.is_none() && prompt.kind != PromptKind::Plan {
        judge_words(&format!("{} {}", prompt.title, prompt.description), &mut findings);
    }
    let asks_leave = matches!(prompt.kind, PromptKind::Permission | PromptKind::Plan);
    if prompt.incomplete == Some(true) && asks_leave {
        findings.medium("a part of this is not shown");
    }
    judge_letters(prompt, &mut findings);
    findings.into_risk()
}

/// What this command risks.
#[must_use]
pub fn judge_command(command: &str, folder: &Path) -> Option<Risk> {
    let mut findings = Findings::default();
    line::judge(command, folder, &mut findings);
    findings.into_risk()
}

fn judge_tool(tool: &str, input: &Value, folder: &Path, findings: &mut Findings) {
    let name = tool.to_lowercase();
    let foreign = name.starts_with("mcp") || name.contains("mcp server");
    let command = command_of(input);
    if let Some(command) = &command {
        line::judge(command, folder, findings);
    }
    // What else a shell or a server's tool is given may be run as well: a script, arguments.
    if let Value::Object(fields) = input
        && (foreign || command.is_some())
    {
        let others = fields.iter().filter(|(name, _)| !matches!(name.as_str(), "command" | "cmd" | "description"));
        for text in others.flat_map(|(_, value)| strings_of(value)) {
            line::judge(text, folder, findings);
        }
    }
    if command.is_some() && !foreign {
        return;
    }
    let path = ["file_path", "path", "notebook_path", "absolute_path", "target_file"]
        .iter()
        .find_map(|field| input.get(field)?.as_str());
    if let Some(path) = path {
        let place = Place::of(path, Some(folder), folder);
        let reads = ["read", "list", "glob", "grep", "search", "ls"].iter().any(|word| name.contains(word));
        if reads { place.judge_read(findings) } else { place.judge_write(findings) }
    }
    if foreign && ["delete", "drop", "destroy", "purge", "remove", "wipe"].iter().any(|word| name.contains(word)) {
        findings.medium(format!("calls {tool}: by its name it deletes something"));
    }
}

/// The shell command in a tool's input: all of it, its `command`, or its words.
fn command_of(input: &Value) -> Option<String> {
    let command = match input {
        Value::Object(fields) => fields.get("command").or_else(|| fields.get("cmd"))?,
        other => other,
    };
    match command {
        Value::String(text) => Some(text.clone()),
        Value::Array(words) => {
            let quoted = |word: &Value| Some(format!("'{}'", word.as_str()?.replace('\'', r"'\''")));
            words.iter().map(quoted).collect::<Option<Vec<_>>>().map(|words| words.join(" "))
        }
        _ => None,
    }
}

/// What the eye cannot see or takes for something else, in anything that is asked about.
fn judge_letters(prompt: &InteractivePrompt, findings: &mut Findings) {
    let input = prompt.tool_input.iter().flat_map(strings_of);
    let files = prompt.diff.iter().flatten().flat_map(|file| [file.path.as_str(), file.unified.as_str()]);
    let plan = prompt.plan.iter().map(String::as_str);
    let labels = prompt.options.iter().flatten().map(|option| option.label.as_str());
    let texts: Vec<&str> = input.chain(files).chain(plan).chain(labels).chain([prompt.title.as_str()]).collect();
    if texts.iter().any(|text| visible::holds_unseen(text, Lines::Several)) {
        findings.medium("holds characters that cannot be seen");
    }
    // A change to a file may hold any language; what is run or named may not trick the eye.
    let named = prompt.tool_input.iter().flat_map(strings_of).chain([prompt.title.as_str()]);
    if named.into_iter().any(|text| visible::look_alike(text).is_some()) {
        findings.medium("mixes look-alike letters");
    }
}

/// A program that is not known asks in its own words; some words are warning enough.
fn judge_words(text: &str, findings: &mut Findings) {
    const GRAVE: &[&str] =
        &["cannot be undone", "can't be undone", "permanently", "destroy", "erase", "wipe", "data loss"];
    let text = text.to_lowercase();
    if let Some(word) = GRAVE.iter().find(|word| text.contains(*word)) {
        findings.medium(format!("the question itself warns: “{word}”"));
    }
}

/// What was found, each reason once.
#[derive(Debug, Default)]
pub(crate) struct Findings(Vec<(RiskLevel, String)>);

impl Findings {
    fn high(&mut self, reason: impl Into<String>) {
        self.add(RiskLevel::High, reason.into());
    }

    fn medium(&mut self, reason: impl Into<String>) {
        self.add(RiskLevel::Medium, reason.into());
    }

    fn add(&mut self, level: RiskLevel, reason: String) {
        if !self.0.iter().any(|(_, known)| *known == reason) {
            self.0.push((level, reason));
        }
    }

    fn into_risk(mut self) -> Option<Risk> {
        self.0.sort_by_key(|(level, _)| std::cmp::Reverse(*level));
        let level = self.0.first()?.0;
        Some(Risk { level, reasons: self.0.into_iter().take(REASONS).map(|(_, reason)| reason).collect() })
    }
}

/// Names in a reason: a few, and none longer than a line.
fn some_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    const FEW: usize = 3;
    const LONG: usize = 60;
    let names: Vec<&str> = names.collect();
    let short = |name: &str| match name.char_indices().nth(LONG) {
        Some((at, _)) => format!("{}…", &name[..at]),
        None => name.to_owned(),
    };
    let shown: Vec<String> = names.iter().take(FEW).map(|name| short(name)).collect();
    let more = names.len().saturating_sub(FEW);
    if more > 0 { format!("{} and {more} more", shown.join(", ")) } else { shown.join(", ") }
}
