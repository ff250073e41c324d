//! Qwen Code's hooks: which are asked for, what they tell, and the settings that ask for them.
//!
//! `PermissionRequest` could allow and refuse, but it comes before the dialog is drawn and holds it back: whoever sits at the desk
//! could not answer. So it is let go at once and only tells: what the tool would be given, whole, of which the dialog loses
//! characters where it wraps. Settings for the whole machine, named by a variable, are the way in beside the person's own.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::complete;
use crate::{
    HookReading, LaunchRequest, Surroundings,
    gemini_family::settings::merge,
    hook::{Conversation, Detail},
    launch::MachineFile,
};

/// A hook that tells must never hold the CLI up for long. The clock of a command counts milliseconds.
const TELLING_MILLIS: u32 = 5000;
/// Names the file with settings for the whole machine.
const SETTINGS: &str = "QWEN_CODE_SYSTEM_SETTINGS_PATH";

/// What to look at before a start.
pub(super) fn surroundings(variable: &dyn Fn(&str) -> Option<String>) -> Surroundings {
    let machine = if cfg!(target_os = "macos") { "/Library/Application Support/QwenCode" } else { "/etc/qwen-code" };
    let path = variable(SETTINGS).map_or_else(|| Path::new(machine).join("settings.json"), PathBuf::from);
    Surroundings { files: vec![MachineFile { path, text: None }], ..Surroundings::default() }
}

/// A variable, the file it is to name, and what to write there; nothing when the machine's own settings cannot be taken over.
pub(super) fn overlay(request: &LaunchRequest) -> Option<(String, PathBuf, String)> {
    let command = request.hook_command.as_ref()?;
    let mut whole = match request.surroundings.files.first().and_then(|file| file.text.as_deref()) {
        Some(text) => serde_json::from_str(text).ok().filter(Value::is_object)?,
        None => Value::Object(Map::new()),
    };
    let hook = json!([{ "type": "command", "name": "answerback", "command": command, "timeout": TELLING_MILLIS }]);
    let ours = json!({ "hooks": {
        "SessionStart": [{ "hooks": hook }],
        "PermissionRequest": [{ "matcher": "*", "hooks": hook }],
    } });
    merge(&mut whole, ours);
    Some((SETTINGS.to_owned(), request.session_folder.join("qwen-settings.json"), whole.to_string()))
}

/// The fields we use; all others may change as they like.
#[derive(Deserialize)]
struct Payload {
    hook_event_name: String,
    session_id: Option<String>,
    transcript_path: Option<String>,
    tool_name: Option<String>,
    tool_input: Option<Value>,
}

/// What a hook says of the conversation.
pub(super) fn read(payload: &Value) -> HookReading {
    let told = Payload::deserialize(payload).ok().filter(|told| told.hook_event_name == "SessionStart");
    let conversation = told.and_then(|told| match (told.session_id, told.transcript_path) {
        (Some(id), Some(path)) if !id.is_empty() && path.starts_with('/') => {
            Some(Conversation { id, transcript: path.into() })
        }
        _ => None,
    });
    HookReading { conversation, ..HookReading::default() }
}

/// What a hook tells of a dialog that is about to be drawn.
pub(super) fn detail(payload: &Value) -> Option<Detail> {
    let told = Payload::deserialize(payload).ok().filter(|told| told.hook_event_name == "PermissionRequest")?;
    complete::detail(&told.tool_name?, told.tool_input.as_ref()?)
}
