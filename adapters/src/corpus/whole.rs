//! A prompt shows all that is asked about, or says that it does not: at any height of the pane.

use serde_json::Value;
use shared_types::{AdapterKind, PromptKind};

use super::all_cases;
use crate::{Adapter, Reading, Screen, Sighting, StartupKind, adapter_for, layout::squash};

/// The screen as a pane that has `count` rows less would show it: programs draw at the bottom, so the top is missing.
fn without_top(screen: &Screen, count: usize) -> Screen {
    let mut lower = screen.clone();
    lower.lines.drain(..count);
    lower.cursor.y = lower.cursor.y.saturating_sub(u16::try_from(count).unwrap());
    lower
}

fn asks_leave(reading: &Reading) -> Option<&Sighting> {
    if let Reading::Startup(dialog) = reading
        && matches!(dialog.kind, StartupKind::Appearance | StartupKind::Notice)
    {
        return None;
    }
    let sighting = reading.sighting()?;
    // A program that asks line by line has no edge: what belongs to its question nobody can tell.
    let known = sighting.source == shared_types::PromptSource::Screen;
    (known && matches!(sighting.kind, PromptKind::Permission | PromptKind::Plan)).then_some(sighting)
}

fn texts_of(value: &Value, texts: &mut Vec<String>) {
    match value {
        Value::String(text) => texts.extend(text.lines().map(squash)),
        Value::Array(items) => items.iter().for_each(|item| texts_of(item, texts)),
        Value::Object(fields) => fields.values().for_each(|field| texts_of(field, texts)),
        other => texts.push(other.to_string()),
    }
}

/// Every line that a person reads before saying yes, without blanks.
fn lines_of(sighting: &Sighting) -> Vec<String> {
    let mut lines = Vec::new();
    sighting.tool_input.iter().for_each(|input| texts_of(input, &mut lines));
    lines.extend(sighting.plan.iter().flat_map(|plan| plan.lines()).map(squash));
    lines.extend(sighting.description.lines().map(squash));
    for file in &sighting.diff {
        lines.push(squash(&file.path));
        lines.extend(file.unified.lines().filter(|line| line.starts_with(['+', '-'])).map(squash));
    }
    lines.retain(|line| !line.is_empty());
    lines
}

#[test]
fn a_prompt_is_whole_or_incomplete_at_any_height() {
    let mut wrong = Vec::new();
    let mut cut = 0;
    for case in all_cases() {
        let (screen, adapter) = (case.screen(), adapter_for(case.meta.cli));
        let reading = adapter.read_screen(&screen);
        let Some(tall) = asks_leave(&reading) else { continue };
        let wanted = lines_of(tall);
        for count in 1..screen.lines.len() {
            let reading = adapter.read_screen(&without_top(&screen, count));
            let Some(low) = asks_leave(&reading) else { continue };
            let shown = format!("{}\n{}", lines_of(low).join("\n"), squash(&low.title));
            let missing: Vec<&String> = wanted.iter().filter(|line| !shown.contains(*line)).collect();
            cut += usize::from(!missing.is_empty());
            if !low.incomplete && (tall.incomplete || !missing.is_empty()) {
                wrong.push(format!("{:?} {} without {count} rows lacks {missing:?}", case.meta.cli, case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} are called whole:\n{}", wrong.len(), wrong.join("\n"));
    assert!(cut > 500, "only {cut} lack anything: the screens are not cut");
}

#[test]
fn a_screen_at_its_full_height_shows_commands_whole() {
    // The mark must mean something: an ordinary command is whole.
    for cli in [
        AdapterKind::new("claude"),
        AdapterKind::new("codex"),
        AdapterKind::new("gemini"),
        AdapterKind::new("qwen"),
        AdapterKind::new("opencode"),
        AdapterKind::new("copilot"),
        AdapterKind::new("demo"),
    ] {
        let adapter: &dyn Adapter = adapter_for(cli);
        let sightings = super::cases(cli).iter().filter(|case| case.kind() == "permission").filter_map(|case| {
            let reading = adapter.read_screen(&case.screen());
            asks_leave(&reading).map(|sighting| sighting.incomplete)
        });
        let (cut, whole): (Vec<bool>, Vec<bool>) = sightings.partition(|incomplete| *incomplete);
        assert!(whole.len() >= 2 * cut.len(), "{cli:?}: {} whole, {} incomplete", whole.len(), cut.len());
    }
}
