//! The dialog of the start: whether the files of the folder are trusted. Here words decide, because it is built like any other.

use shared_types::PromptKind;

use crate::{Sighting, StartupDialog, StartupKind};

/// Which dialog of the start it is, if it is one. The question itself must say so: everything else in a dialog may be the model's or a
/// path's word. A conversation that is gone on with may stand above it already.
pub(super) fn kind(sighting: &Sighting) -> Option<StartupKind> {
    let question = sighting.title.to_lowercase();
    let asks = question.contains("trust") && ["folder", "directory"].iter().any(|word| question.contains(word));
    let is_plain = sighting.kind == PromptKind::Permission && sighting.tool_name.is_none() && sighting.text.is_none();
    let takes_text = sighting.options.iter().any(|option| option.text.is_some());
    (asks && is_plain && !takes_text).then_some(StartupKind::FolderTrust)
}

/// The dialog, with the row that passes it: the plain *yes*, not the one that remembers the folder.
pub(super) fn dialog(kind: StartupKind, sighting: Sighting) -> StartupDialog {
    let pass = sighting.options.iter().position(|option| option.label == "Yes");
    StartupDialog { kind, pass, sighting }
}
