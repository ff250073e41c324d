//! `reading.json`: all that is read on a captured screen, in a form that people can read in a diff.
//!
//! What is absent, false or empty is left out. `UPDATE_READINGS=1 cargo test -p adapters corpus` writes the files anew.

use serde_json::{Map, Value, json};
use shared_types::{FileDiff, Question};

use super::Case;
use crate::{Offer, Reading, SightedOption, SightedText, Sighting};

/// Compares the reading with the one beside the screen, or writes it there when that is asked for.
///
/// # Errors
/// What differs, field by field.
#[expect(clippy::disallowed_methods, reason = "the readings are files beside their screens")]
pub(super) fn check(case: &Case, reading: &Reading) -> Result<(), String> {
    let file = case.folder.join("reading.json");
    let now = describe(reading);
    if std::env::var_os("UPDATE_READINGS").is_some() {
        std::fs::write(&file, serde_json::to_string_pretty(&now).unwrap() + "\n").unwrap();
        return Ok(());
    }
    let Ok(before) = std::fs::read_to_string(&file) else { return Err("has no reading.json".to_owned()) };
    let before: Value = serde_json::from_str(&before).unwrap();
    if before == now { Ok(()) } else { Err(differences("", &before, &now).join("; ")) }
}

fn differences(path: &str, before: &Value, now: &Value) -> Vec<String> {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            let mut keys: Vec<&String> = before.keys().chain(now.keys()).collect();
            keys.sort_unstable();
            keys.dedup();
            let part = |map: &Map<String, Value>, key: &String| map.get(key).cloned().unwrap_or_default();
            let differ = |key: &String| differences(&format!("{path}.{key}"), &part(before, key), &part(now, key));
            keys.into_iter().flat_map(differ).collect()
        }
        (Value::Array(before), Value::Array(now)) if before.len() == now.len() => {
            let pairs = before.iter().zip(now).enumerate();
            pairs.flat_map(|(at, (before, now))| differences(&format!("{path}[{at}]"), before, now)).collect()
        }
        _ if before == now => Vec::new(),
        _ => vec![format!("{path}: {before} is now {now}")],
    }
}

/// The whole reading.
fn describe(reading: &Reading) -> Value {
    let state = reading.state();
    let whole = match reading {
        Reading::Starting { detail } => json!({ "state": state, "detail": detail }),
        Reading::Ready(composer) => json!({ "state": state, "draft": composer.draft }),
        Reading::Aside { composer, sighting } => {
            json!({ "state": state, "draft": composer.draft, "prompt": prompt(sighting) })
        }
        Reading::Busy { detail, composer } => json!({
            "state": state,
            "detail": detail,
            "composer": composer.is_some(),
            "draft": composer.as_ref().map(|composer| composer.draft.as_str()),
        }),
        Reading::Prompt(sighting) => json!({ "state": state, "prompt": prompt(sighting) }),
        Reading::Startup(dialog) => json!({
            "state": state,
            "startup": format!("{:?}", dialog.kind),
            "pass": dialog.pass,
            "prompt": prompt(&dialog.sighting),
        }),
        Reading::Unrecognized | Reading::Exited => json!({ "state": state }),
    };
    without_empty(whole)
}

fn prompt(sighting: &Sighting) -> Value {
    let diff = |file: &FileDiff| json!({ "path": file.path, "unified": lines(&file.unified) });
    json!({
        "type": sighting.kind,
        "source": sighting.source,
        "confidence": sighting.confidence,
        "title": sighting.title,
        "description": lines(&sighting.description),
        "toolName": sighting.tool_name,
        "toolInput": sighting.tool_input.as_ref().map(|input| input.as_str().map_or_else(|| input.clone(), lines)),
        "options": sighting.options.iter().map(option).collect::<Vec<_>>(),
        "selected": sighting.selected,
        "text": sighting.text.as_ref().map(text),
        "multiSelect": sighting.multi_select,
        "questions": sighting.questions.iter().map(question).collect::<Vec<_>>(),
        "questionIndex": sighting.question_index,
        "unanswered": Some(sighting.unanswered).filter(|count| *count > 0),
        "agent": sighting.agent,
        "position": sighting.position,
        "optional": sighting.optional,
        "moreOptions": sighting.more_options,
        "incomplete": sighting.incomplete,
        "plan": sighting.plan.as_deref().map(lines),
        "diff": sighting.diff.iter().map(diff).collect::<Vec<_>>(),
        "identity": sighting.identity,
        "build": sighting.build,
        "rows": format!("{}..{}", sighting.rows.start, sighting.rows.end),
    })
}

fn option(option: &SightedOption) -> Value {
    json!({
        "label": option.label,
        "description": option.description,
        "preview": option.preview.as_deref().map(lines),
        "role": option.role,
        "checked": option.checked.map(|checked| if checked { "yes" } else { "no" }),
        "text": option.text.as_ref().map(text),
        "number": option.number,
        "hint": option.hint,
        "offer": (option.offer != Offer::Offered).then(|| format!("{:?}", option.offer)),
    })
}

/// A field that is there shows even when nothing stands in it.
fn text(text: &SightedText) -> Value {
    let flags = [
        (text.focused, "focused"),
        (text.secret, "secret"),
        (text.multiline, "multiline"),
        (text.may_be_empty, "may be empty"),
    ];
    let flags: Vec<&str> = flags.into_iter().filter_map(|(set, word)| set.then_some(word)).collect();
    json!({ "is": format!("field {}", flags.join(" ")).trim_end(), "placeholder": text.placeholder, "value": text.value })
}

fn question(question: &Question) -> Value {
    serde_json::to_value(question).unwrap()
}

/// Several lines as a list, one as it is.
fn lines(text: &str) -> Value {
    if text.contains('\n') { text.split('\n').map(Value::from).collect() } else { text.into() }
}

fn without_empty(value: Value) -> Value {
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        _ => false,
    };
    match value {
        Value::Object(map) => {
            let kept = map.into_iter().map(|(key, value)| (key, without_empty(value)));
            Value::Object(kept.filter(|(_, value)| !is_empty(value)).collect())
        }
        Value::Array(list) => list.into_iter().map(without_empty).collect(),
        other => other,
    }
}
