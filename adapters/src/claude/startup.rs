//! Dialogs of Claude's start: which one it is, and the row that passes it without giving anything away.
//!
//! A dialog is one of the start's when nothing of a conversation is above it and it asks to be confirmed, not to be
//! answered. Which one, its words say; one whose words are not known is asked of the person.

use shared_types::{OptionRole, PromptKind};

use super::{
    dialog::Dialog,
    sight::build,
    words::{any, plain},
};
use crate::{Sighting, StartupDialog, StartupKind};

/// The dialog as one of the start's, when it is one.
pub(super) fn of(dialog: &Dialog<'_>, sighting: &Sighting, welcome: bool) -> Option<StartupDialog> {
    let approves = sighting.kind == PromptKind::Permission && sighting.build != build::CLIPPED;
    // A tool's dialog has a body between dashes, and keys to cancel or amend; the start's dialogs are confirmed.
    let confirms = dialog.hints.iter().any(|hint| {
        let action = plain(&hint.action);
        hint.key.eq_ignore_ascii_case("enter") && any(&action, &["confirm", "continue"])
    });
    let unnumbered = dialog.list.as_ref().is_some_and(|list| !list.numbered);
    let plain_list = unnumbered && (dialog.hints.is_empty() || sighting.multi_select);
    let starts = dialog.alone && approves && dialog.parts.len() < 2 && (confirms || welcome || plain_list);
    if !starts {
        return None;
    }
    let kind = kind(sighting);
    let mut sighting = sighting.clone();
    // Those that give nothing away never had an edge, but a picture above them.
    sighting.incomplete &= !matches!(kind, StartupKind::Appearance | StartupKind::Notice);
    Some(StartupDialog { kind, pass: pass(kind, &sighting), sighting })
}

fn kind(sighting: &Sighting) -> StartupKind {
    let labels: Vec<String> = sighting.options.iter().map(|option| plain(&option.label)).collect();
    let text = [plain(&sighting.title), plain(&sighting.description), labels.join("\n")].join("\n");
    let title = plain(&sighting.title);
    let kinds: &[(StartupKind, &[&str])] = &[
        (
            StartupKind::Other,
            &["mcp server", "managed settings", "external claude.md", "external import", "log in", "login method"],
        ),
        (StartupKind::BypassWarning, &["bypass permission", "dangerously", "skip permission"]),
        (StartupKind::HookTrust, &["hooks"]),
        // Before the keys: the path of the folder stands in this dialog, and may hold any word.
        (StartupKind::FolderTrust, &["trust this folder", "trust the files", "trust this", "accessing workspace"]),
        (StartupKind::ApiKey, &["api key", "api_key"]),
        (StartupKind::Appearance, &["text style", "theme", "color mode", "colour"]),
        (
            StartupKind::Integration,
            &["terminal setup", "terminal settings", "vs code", "jetbrains", "extension", "your ide", "shift+enter"],
        ),
        (StartupKind::Update, &["new version", "update available", "upgrade claude"]),
        (StartupKind::ModelChange, &["new model", "default model", "switch model", "try opus", "try sonnet"]),
    ];
    // What the folder would bring is listed in the same dialog since 2.1.326: servers, hooks, keys.
    let trusts = any(&title, &["accessing workspace"]) || labels.iter().any(|label| any(label, &["trust this folder"]));
    if trusts {
        return StartupKind::FolderTrust;
    }
    let known = kinds.iter().find(|(_, words)| any(&text, words) || any(&title, words)).map(|(kind, _)| *kind);
    let only_goes_on = sighting.build == build::KEYS && labels.iter().any(|label| label.starts_with("continue"));
    match known {
        Some(kind) if !only_goes_on => kind,
        _ if only_goes_on => StartupKind::Notice,
        _ => StartupKind::Other,
    }
}

/// The row that passes the dialog: what the start was asked for, or what leaves everything as it is.
fn pass(kind: StartupKind, sighting: &Sighting) -> Option<usize> {
    let with_role = |wanted: OptionRole| sighting.options.iter().position(|option| option.role == Some(wanted));
    // A refusal that ends Claude passes nothing.
    let declines = || {
        sighting
            .options
            .iter()
            .position(|option| option.role == Some(OptionRole::Deny) && !any(&plain(&option.label), &["exit", "quit"]))
    };
    match kind {
        StartupKind::FolderTrust | StartupKind::ApiKey | StartupKind::BypassWarning => with_role(OptionRole::Allow),
        StartupKind::Appearance => sighting.selected,
        StartupKind::Notice => sighting.options.iter().position(|option| plain(&option.label).starts_with("continue")),
        StartupKind::Update
        | StartupKind::ModelChange
        | StartupKind::Integration
        | StartupKind::HookTrust
        | StartupKind::Other => declines(),
    }
}
