//! The dialogs of the CLI's start, and the row that passes each of them safely.
//!
//! Which one it is, is a matter of meaning: they are all built alike. What is not known here is a dialog of the start all
//! the same while nothing has been said yet, and is then asked of the person.

use crate::{Offer, SightedOption, Sighting, StartupDialog, StartupKind, gemini::keys};

use super::{
    Signal,
    dialog::{Dialog, OpenedBy},
    prompt::{self, Build},
    words::{self, Words},
};

/// Reads a dialog of the start; nothing when it is one of the conversation.
pub(super) fn read(dialog: &Dialog<'_>, build: Build) -> Option<StartupDialog> {
    if !matches!(build, Build::Choice | Build::Field) || matches!(dialog.signal, Signal::Asks | Signal::Works) {
        return None;
    }
    let mut sighting = prompt::sighting(dialog, build);
    let known = kind(&sighting, &dialog.hint);
    if known.is_none() && dialog.opened_by != OpenedBy::Start {
        return None;
    }
    let kind = known.unwrap_or(StartupKind::Other);
    if kind == StartupKind::ApiKey && sighting.text.as_ref().is_some_and(|field| !field.value.is_empty()) {
        // The key from the environment stands in the field already and has only to be confirmed.
        sighting.options.push(SightedOption { offer: Offer::Button, ..SightedOption::new(keys::KEEP) });
    }
    Some(StartupDialog { kind, pass: pass(kind, &sighting), sighting }.with_roles())
}

fn kind(sighting: &Sighting, hint: &str) -> Option<StartupKind> {
    let title = Words::of(&sighting.title);
    let text = Words::of(&format!("{} {}", sighting.title, sighting.description));
    if words::names_folder_trust(&format!("{} {}", sighting.title, sighting.description)) {
        // Only the folder the session was started in is covered by having started there.
        let here = sighting.options.iter().any(|option| words::trusts_this_folder(&option.label));
        return Some(if here { StartupKind::FolderTrust } else { StartupKind::Other });
    }
    if text.has(&["hooks", "hook"]) && text.has(&["trust", "detected", "project-level"]) {
        return Some(StartupKind::HookTrust);
    }
    if title.has(&["authenticate", "sign", "log", "login", "api"]) {
        // How to sign in is for the person to say; who has set a key in the environment has said it.
        let hint = Words::of(hint);
        let has_key = hint.has(&["existing", "detected", "found"]) && hint.has(&["key"]);
        return Some(if has_key { StartupKind::ApiKey } else { StartupKind::Other });
    }
    if text.has(&["ide", "terminal", "keybindings"]) && text.has(&["connect", "configure", "install", "integration"]) {
        return Some(StartupKind::Integration);
    }
    if title.has(&["theme"]) {
        return Some(StartupKind::Appearance);
    }
    if title.has(&["update", "version", "upgrade"]) && title.has(&["available", "new", "install"]) {
        return Some(StartupKind::Update);
    }
    if text.has(&["policies", "agents"]) && text.has(&["new", "discovered", "detected"]) {
        return Some(StartupKind::Other);
    }
    None
}

/// The row that passes a dialog: this folder and never its parent, and else what changes nothing.
fn pass(kind: StartupKind, sighting: &Sighting) -> Option<usize> {
    match kind {
        StartupKind::FolderTrust => only(sighting, |option| words::trusts_this_folder(&option.label)),
        StartupKind::Integration | StartupKind::Update | StartupKind::HookTrust => {
            // A refusal for good would change the person's settings, so the plain one is taken.
            let for_good = |option: &SightedOption| Words::of(&option.label).has(&["again", "never", "always"]);
            only(sighting, |option| refuses(option) && !for_good(option))
        }
        StartupKind::Appearance | StartupKind::ModelChange => sighting.selected,
        StartupKind::ApiKey => {
            only(sighting, |option| option.label == keys::KEEP || Words::of(&option.label).has(&["key"]))
        }
        StartupKind::Notice | StartupKind::BypassWarning | StartupKind::Other => None,
    }
}

/// The one row of which something is true; none when there are several, for then the rule does not fit the dialog.
fn only(sighting: &Sighting, is: impl Fn(&SightedOption) -> bool) -> Option<usize> {
    let mut rows = sighting.options.iter().enumerate().filter(|(_, option)| is(option)).map(|(index, _)| index);
    rows.next().filter(|_| rows.next().is_none())
}

fn refuses(option: &SightedOption) -> bool {
    words::role(&option.label) == shared_types::OptionRole::Deny || Words::of(&option.label).begins(&["skip", "later"])
}

/// True when the dialog has been answered and the CLI starts anew, with the dialog still drawn above the notice.
pub(super) fn is_restarting(dialog: &Dialog<'_>) -> bool {
    words::says_restarting(&dialog.below)
}
