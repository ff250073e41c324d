//! Claude Code: `permissions.allow`, `.ask` and `.deny`.

use serde_json::Value;

use super::{Imported, tool_of};
use crate::judgement::Verdict;

const NOTE: &str = "imported from Claude Code";

pub(super) fn import(text: &str) -> Imported {
    let mut imported = Imported::default();
    let Ok(value) = serde_json::from_str::<Value>(text) else {
        imported.leave_out("", "the file is not JSON");
        return imported;
    };
    let permissions = value.get("permissions").unwrap_or(&value);
    let Value::Object(fields) = permissions else {
        imported.leave_out("", "there are no permissions in the file");
        return imported;
    };
    let mut missing = Vec::new();
    for (name, value) in fields {
        let verdict = match name.as_str() {
            "allow" => Verdict::Allow,
            "ask" => Verdict::Ask,
            "deny" => Verdict::Deny,
            "defaultMode" | "additionalDirectories" | "disableBypassPermissionsMode" => {
                imported.leave_out(format!("{name}: {value}"), "this is a setting of Claude Code itself, no rule");
                continue;
            }
            _ => continue,
        };
        for rule in value.as_array().into_iter().flatten() {
            match rule.as_str() {
                Some(rule) => {
                    let added = imported.add(verdict, &translated(rule, verdict), rule, NOTE).is_some();
                    if !added && verdict != Verdict::Allow {
                        missing.push(tool_of(rule));
                    }
                }
                None => imported.leave_out(rule.to_string(), "a rule is a text"),
            }
        }
    }
    imported.leave_out_allowed(|rule| missing.contains(&tool_of(&rule.text)));
    imported
}

/// A leading slash means the project there; to allow, it must not mean the root of everything here.
fn translated(rule: &str, verdict: Verdict) -> String {
    let Some((tool, inside)) = rule.split_once('(') else { return rule.to_owned() };
    let file = matches!(tool, "Read" | "Edit" | "Write" | "MultiEdit" | "NotebookEdit" | "Glob" | "Grep");
    if file && verdict == Verdict::Allow && inside.starts_with('/') && !inside.starts_with("//") {
        return format!("{tool}(.{inside}");
    }
    rule.to_owned()
}
