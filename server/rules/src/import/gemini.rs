//! Gemini CLI: `[[rule]]` with `toolName`, `commandPrefix` and `decision`.

use toml::{Table, Value};

use super::{Imported, prefix_rule, tool_of};
use crate::{judgement::Verdict, tools};

const NOTE: &str = "imported from Gemini CLI";

pub(super) fn import(text: &str) -> Imported {
    let mut imported = Imported::default();
    let table: Table = match text.parse() {
        Ok(table) => table,
        Err(_) => {
            imported.leave_out("", "the file is not TOML");
            return imported;
        }
    };
    let (mut missing, mut all_missing) = (Vec::new(), false);
    for rule in table.get("rule").and_then(Value::as_array).into_iter().flatten() {
        match rule.as_table() {
            Some(rule) => {
                let before = imported.left_out.len();
                one(&mut imported, rule);
                if imported.left_out.len() > before && rule.get("decision").and_then(Value::as_str) != Some("allow") {
                    missing.extend(Some(texts(rule.get("toolName"))).filter(|tools| !tools.is_empty()));
                    all_missing |= !rule.contains_key("toolName");
                }
            }
            None => imported.leave_out(rule.to_string(), "a rule is a table"),
        }
    }
    let missing: Vec<tools::Kind> = missing.iter().flatten().map(|tool| tools::kind_of(tool)).collect();
    imported.leave_out_allowed(|rule| all_missing || missing.contains(&tool_of(&rule.text)));
    imported
}

fn one(imported: &mut Imported, rule: &Table) {
    let original = rule.to_string().split('\n').filter(|line| !line.is_empty()).collect::<Vec<_>>().join(", ");
    let verdict = match rule.get("decision").and_then(Value::as_str) {
        Some("allow") => Verdict::Allow,
        Some("ask_user" | "ask") => Verdict::Ask,
        Some("deny") => Verdict::Deny,
        _ => return imported.leave_out(original, "its decision is not known"),
    };
    const KNOWN: &[&str] = &[
        "toolName",
        "commandPrefix",
        "mcpName",
        "decision",
        "priority",
        "denyMessage",
        "description",
        "allowRedirection",
    ];
    if let Some(field) = rule.keys().find(|key| !KNOWN.contains(&key.as_str())) {
        // A condition that is dropped makes an allow wider, and a deny stricter than it was meant.
        return imported.leave_out(original.clone(), format!("{field} has no counterpart here"));
    }
    let tools = texts(rule.get("toolName"));
    let message = rule.get("denyMessage").and_then(Value::as_str);
    let mut rules = Vec::new();
    if let Some(server) = rule.get("mcpName").and_then(Value::as_str) {
        let tools = if tools.is_empty() { vec!["*".to_owned()] } else { tools };
        rules.extend(tools.iter().map(|tool| format!("mcp__{server}__{tool}")));
    } else if rule.contains_key("commandPrefix") {
        if tools.iter().any(|tool| tools::kind_of(tool) != tools::Kind::Shell) {
            return imported.leave_out(original, "only commands have a prefix");
        }
        for prefix in texts(rule.get("commandPrefix")) {
            let words: Vec<String> = prefix.split_whitespace().map(str::to_owned).collect();
            // There a prefix may end within a word. To allow, ours ends with one; to refuse, it goes as far as theirs.
            let exact = prefix_rule(&words);
            let reaches = verdict != Verdict::Allow && !exact.contains(['\\', '\'']);
            rules.push(if reaches { exact.replace(":*)", "*)") } else { exact });
        }
    } else {
        rules.extend(tools.iter().cloned());
    }
    if rules.is_empty() {
        return imported.leave_out(original, "it names no tool");
    }
    for text in rules {
        if let Some(rule) = imported.add(verdict, &text, &original, NOTE) {
            rule.message = message.map(str::to_owned);
        }
    }
}

/// A text, or a list of them.
fn texts(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(values)) => values.iter().filter_map(|value| Some(value.as_str()?.to_owned())).collect(),
        _ => Vec::new(),
    }
}
