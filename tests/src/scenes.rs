//! What every CLI is led to by the scripted model, so that its screens can be recorded: a scene is one moment, told in the CLI's own
//! tools, with what a person must see there whatever the CLI's words are.

use adapters::{Reading, Sighting};
use serde_json::{Value, json};
use shared_types::{AdapterKind, PromptId, PromptKind, SessionId};
use uuid::Uuid;

use crate::{
    Cli,
    model::{Call, Gate, Turn},
};

/// One moment of a CLI.
pub struct Scene {
    /// Its name, such as `perm-shell`.
    pub name: &'static str,
    /// What a person sees there, in the words of the corpus.
    pub kind: &'static str,
    /// What must be read in a prompt there, wherever it stands in it: the command, the file, the choices.
    pub shows: &'static [&'static str],
    /// What the model says; nothing where the CLI has just come up.
    pub turn: Option<Turn>,
}

/// The choices of the question.
const CHOICES: &[&str] = &["PostgreSQL", "SQLite"];
/// The command that is asked about.
const COMMAND: &str = "touch heron.txt";
/// The file that is asked about.
const FILE: &str = "heron.txt";

/// The scenes of a CLI; `project` is the folder it works in.
#[must_use]
pub fn scenes(cli: Cli, project: &str) -> Vec<Scene> {
    let asked = |name, kind, shows, call| Scene { name, kind, shows, turn: Some(Turn::tools([call])) };
    let works = Turn::say("Looking for the heron.").and_hold(&Gate::closed());
    vec![
        Scene { name: "ready", kind: "ready", shows: &[], turn: None },
        Scene { name: "busy", kind: "busy", shows: &[], turn: Some(works) },
        asked("perm-shell", "permission", &[COMMAND], cli.shell(COMMAND)),
        asked("perm-write", "permission", &[FILE], write(cli, &format!("{project}/{FILE}"))),
        asked("question", "question", CHOICES, question(cli)),
    ]
}

/// What a version is started with so that its model has the tools of the scenes.
#[must_use]
pub fn arguments(cli: Cli, version: &str) -> Vec<String> {
    let settings: &[&str] = match (cli, version.split('.').nth(1).and_then(|minor| minor.parse::<u32>().ok())) {
        // The newest model is a stranger to older ones, which they give fewer tools.
        (Cli::Codex, Some(..150)) => &["features.default_mode_request_user_input=true", "model=\"gpt-5.4\""],
        (Cli::Codex, _) => &["features.default_mode_request_user_input=true"],
        _ => &[],
    };
    settings.iter().flat_map(|setting| ["-c".to_owned(), (*setting).to_owned()]).collect()
}

/// A new file that the person is asked about.
fn write(cli: Cli, path: &str) -> Call {
    let text = "the heron\nstands\n";
    match cli {
        Cli::Claude => Call::new("Write", json!({ "file_path": path, "content": text })),
        Cli::Codex => {
            let patch = format!("*** Begin Patch\n*** Add File: {FILE}\n+the heron\n+stands\n*** End Patch");
            Call::new("apply_patch", Value::String(patch))
        }
        Cli::Gemini | Cli::Qwen => Call::new("write_file", json!({ "file_path": path, "content": text })),
        Cli::OpenCode => Call::new("write", json!({ "filePath": path, "content": text })),
        Cli::Copilot => Call::new("create", json!({ "path": path, "file_text": text })),
    }
}

/// A question of the model's with two choices.
fn question(cli: Cli) -> Call {
    let text = "Which database should it be?";
    let options: Vec<Value> =
        CHOICES.iter().map(|label| json!({ "label": label, "description": format!("This is {label}.") })).collect();
    let (name, kind) = match cli {
        Cli::Claude => ("AskUserQuestion", None),
        Cli::Codex => ("request_user_input", None),
        Cli::Gemini => ("ask_user", Some("choice")),
        Cli::Qwen => ("ask_user_question", None),
        Cli::OpenCode => ("question", None),
        Cli::Copilot => {
            let field = json!({ "type": "string", "title": "Database", "enum": CHOICES });
            let form = json!({ "type": "object", "properties": { "database": field } });
            return Call::new("ask_user", json!({ "message": text, "requestedSchema": form }));
        }
    };
    let mut asked = json!({
        "id": "database", "header": "Database", "question": text, "options": options, "multiSelect": false, "multiple": false,
    });
    if let Some(kind) = kind {
        asked["type"] = kind.into();
    }
    Call::new(name, json!({ "questions": [asked] }))
}

/// What became of a scene in a version of the CLI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Read right, and with the words of the version before.
    Unchanged,
    /// Read right, in other words than before.
    ChangedWords,
    /// Read as something that it is not, or without what it shows.
    Misread,
    /// Read right; no version before was recorded.
    New,
}

impl Verdict {
    /// The word of the report.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Unchanged => "unchanged",
            Self::ChangedWords => "read, but changed words",
            Self::Misread => "misread",
            Self::New => "new",
        }
    }
}

/// Judges what is read of a scene, beside what was read of it in the version before.
#[must_use]
pub fn verdict(kind: &str, shows: &[&str], reading: &Reading, before: Option<&Reading>) -> Verdict {
    let is_right = match (kind, reading) {
        ("ready", Reading::Ready(_)) | ("busy", Reading::Busy { .. }) => true,
        (_, Reading::Prompt(sighting)) => {
            let told = told(sighting);
            word_of(sighting.kind) == kind && shows.iter().all(|part| told.contains(part))
        }
        _ => false,
    };
    match before {
        _ if !is_right => Verdict::Misread,
        None => Verdict::New,
        Some(before) if words(before) == words(reading) => Verdict::Unchanged,
        Some(_) => Verdict::ChangedWords,
    }
}

fn word_of(kind: PromptKind) -> String {
    serde_json::to_value(kind).ok().and_then(|word| word.as_str().map(str::to_owned)).unwrap_or_default()
}

/// All that the phone is told of a prompt.
fn told(sighting: &Sighting) -> String {
    let prompt = sighting.to_prompt(PromptId(Uuid::nil()), SessionId(Uuid::nil()), AdapterKind::new("generic"), 0);
    serde_json::to_string(&prompt).unwrap_or_default()
}

/// The CLI's own words on a prompt; the folders of two recordings differ.
fn words(reading: &Reading) -> Vec<String> {
    let sighting = reading.sighting();
    let texts = sighting.into_iter().flat_map(|sighting| {
        let labels = sighting.options.iter().map(|option| option.label.as_str());
        std::iter::once(sighting.title.as_str()).chain(sighting.tool_name.as_deref()).chain(labels)
    });
    let plain = texts.map(|text| text.split_whitespace().map(|word| if word.contains('/') { "…" } else { word }));
    plain.map(|words| words.collect::<Vec<_>>().join(" ")).collect()
}

#[cfg(test)]
mod tests {
    use adapters::{Composer, SightedOption};
    use shared_types::PromptSource;

    use super::*;

    fn asks(input: &str, labels: &[&str]) -> Reading {
        let mut sighting = Sighting::new(PromptKind::Permission, PromptSource::Screen, "test");
        sighting.tool_input = Some(input.into());
        sighting.options = labels.iter().map(|label| SightedOption::new(*label)).collect();
        Reading::Prompt(sighting)
    }

    #[test]
    fn a_scene_is_judged_by_what_it_shows_and_then_by_its_words() {
        let judge = |reading: &Reading, before| verdict("permission", &["touch x"], reading, before);
        let (old, same, other) = (asks("touch x", &["Yes"]), asks("touch x", &["Yes"]), asks("touch x", &["Sure"]));
        assert_eq!(judge(&old, None), Verdict::New);
        assert_eq!(judge(&same, Some(&old)), Verdict::Unchanged);
        assert_eq!(judge(&other, Some(&old)), Verdict::ChangedWords);
        assert_eq!(judge(&asks("touch", &["Yes"]), Some(&old)), Verdict::Misread, "the command is not whole");
        assert_eq!(judge(&Reading::Unrecognized, Some(&old)), Verdict::Misread);
        let ready = Reading::Ready(Composer::default());
        assert_eq!(judge(&ready, None), Verdict::Misread);
        assert_eq!(verdict("ready", &[], &ready, Some(&ready)), Verdict::Unchanged);
        assert_eq!(verdict("question", &[], &old, None), Verdict::Misread, "another kind of prompt");
    }

    #[test]
    fn the_folder_of_a_recording_is_none_of_its_words() {
        let (one, other) = (asks("x", &["Allow in /tmp/a/project"]), asks("x", &["Allow in /tmp/b/project"]));
        assert_eq!(verdict("permission", &["x"], &one, Some(&other)), Verdict::Unchanged);
    }
}
