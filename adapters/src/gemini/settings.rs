//! What a session needs of Gemini CLI's settings, beside the person's own.
//!
//! Two variables name files for the whole machine: one whose settings win over the person's, one whose settings only fill in
//! what nobody has chosen. Ours stand in their place, so each holds what the administrator's says as well. When one of those is
//! there and cannot be read, nothing is put in its place: rules that somebody made for this machine are never lost.
//!
//! 0.61 minds such files only where nobody but root can write, and warns about others at every start. So most people have neither
//! hooks nor these settings there, and the screen alone tells what is asked; the dialogs of the first start are passed one by one.

use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};

use super::hooks;
use crate::{LaunchRequest, Surroundings, gemini_family::settings::merge, launch::MachineFile};

/// Wins over the person's own settings.
const SETTINGS: &str = "GEMINI_CLI_SYSTEM_SETTINGS_PATH";
/// Fills in what nobody has chosen.
const DEFAULTS: &str = "GEMINI_CLI_SYSTEM_DEFAULTS_PATH";

/// The first version seen to run hooks; 0.22 does not start when it finds them in its settings.
const HAS_HOOKS: (u32, u32) = (0, 34);

/// The last version seen to take settings for the whole machine from anywhere; 0.61 does not.
const TAKES_ANY_FILE: (u32, u32) = (0, 34);

/// A variable, the file it is to name, and what to write there.
pub(super) type Overlay = (String, PathBuf, String);

/// What to look at before a start.
pub(super) fn surroundings(variable: &dyn Fn(&str) -> Option<String>) -> Surroundings {
    let machine = if cfg!(target_os = "macos") { "/Library/Application Support/GeminiCli" } else { "/etc/gemini-cli" };
    let settings = variable(SETTINGS).map_or_else(|| Path::new(machine).join("settings.json"), PathBuf::from);
    // The CLI, too, looks for the one beside the other.
    let beside = settings.with_file_name("system-defaults.json");
    let defaults = variable(DEFAULTS).map_or(beside, PathBuf::from);
    let is_on = |name: &str| variable(name).is_some_and(|value| value == "true");
    // These two name another way to sign in, and the CLI minds them first.
    let otherwise = is_on("GOOGLE_GENAI_USE_GCA") || is_on("GOOGLE_GENAI_USE_VERTEXAI");
    let file = |path| MachineFile { path, text: None };
    Surroundings {
        has_key: variable("GEMINI_API_KEY").is_some() && !otherwise,
        files: vec![file(settings), file(defaults)],
        is_roots: false,
    }
}

/// The settings of a session; nothing when the CLI would not mind them, or the machine's own cannot be taken over.
pub(super) fn overlay(request: &LaunchRequest) -> Vec<Overlay> {
    let (major, minor) = TAKES_ANY_FILE;
    let is_minded = request.version.is_some() && !request.is_at_least((major, minor + 1));
    if !is_minded && !request.surroundings.is_roots {
        return Vec::new();
    }
    let ours =
        [(SETTINGS, "gemini-settings.json", settings(request)), (DEFAULTS, "gemini-defaults.json", defaults(request))];
    let texts = request.surroundings.files.iter().map(|file| file.text.as_deref()).chain([None, None]);
    let merged = ours.into_iter().zip(texts).map(|((variable, name, ours), theirs)| {
        let mut theirs = match theirs {
            Some(text) => serde_json::from_str(text).ok().filter(Value::is_object)?,
            None => Value::Object(Map::new()),
        };
        let whole = if variable == SETTINGS {
            merge(&mut theirs, ours);
            theirs
        } else {
            // What the administrator proposes goes before what we propose.
            let mut whole = ours;
            merge(&mut whole, theirs);
            whole
        };
        Some((variable.to_owned(), request.session_folder.join(name), whole.to_string()))
    });
    merged.collect::<Option<Vec<Overlay>>>().unwrap_or_default()
}

fn settings(request: &LaunchRequest) -> Value {
    // Its clean-up at the start deletes conversations that were gone on with (seen with 0.61).
    let mut settings = json!({ "general": { "sessionRetention": { "enabled": false } } });
    if let Some(command) = request.hook_command.as_ref().filter(|_| request.is_at_least(HAS_HOOKS)) {
        settings["hooks"] = hooks::settings(command);
    }
    settings
}

fn defaults(request: &LaunchRequest) -> Value {
    // Without a choice it asks how to sign in, and then shows the key from the environment to be confirmed.
    if !request.surroundings.has_key {
        return json!({});
    }
    json!({ "security": { "auth": { "selectedType": "gemini-api-key" } } })
}
