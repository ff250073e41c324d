//! What a screen of Claude Code says. The order matters: a composer means that no dialog is open, whatever else is
//! drawn; what is asked above it may be left alone.

use shared_types::PromptKind;

use super::{
    aside, composer, dialog, form,
    lines::{self, Row, RowKind},
    mark::Mark,
    sight, startup, words,
};
use crate::{Reading, Screen};

/// Reads a screen. Never fails.
pub(super) fn read(screen: &Screen) -> Reading {
    if screen.exit.is_some() {
        return Reading::Exited;
    }
    let rows = lines::rows(screen);
    if let Some(found) = composer::find(&rows) {
        let aside = aside::find(&rows, found.top, &found.composer.draft, screen.cols);
        let said = aside.as_ref().map_or(found.top, |sighting| sighting.rows.start);
        return match (composer::work(&rows, said, found.bottom), aside) {
            // While it works 2.0.76 leaves the question where it is; it is asked again when it waits for a message.
            (Some(detail), _) => Reading::Busy { detail, composer: Some(found.composer) },
            (None, Some(sighting)) => Reading::Aside { composer: found.composer, sighting },
            (None, None) => Reading::Ready(found.composer),
        };
    }
    if let Some(sighting) = form::read(&rows, screen.cols) {
        return Reading::Prompt(sighting);
    }
    if let Some(dialog) = dialog::find(&rows, screen) {
        let sighting = sight::sighting(&dialog);
        // A menu that somebody opened at the desk asks nobody else. A question of Claude's has its own head.
        if dialog.menu && sighting.kind != PromptKind::Question {
            return Reading::Unrecognized;
        }
        let welcome =
            rows.iter().take(dialog.first.max(1)).any(|row| words::plain(&row.text()).contains("welcome to claude"));
        return match startup::of(&dialog, &sighting, welcome) {
            Some(startup) => Reading::Startup(startup),
            None => Reading::Prompt(sighting),
        };
    }
    if let Some(detail) = composer::work_alone(&rows) {
        return Reading::Busy { detail, composer: None };
    }
    // Plain text, as before Claude draws anything of its own, or after it has said why it does not start.
    let last = rows.iter().rev().find(|row| row.is_text());
    let takes_keys = last.is_some_and(|row| !lines::key_hints(&row.text()).is_empty());
    if takes_keys || screen.alternate && last.is_some() || rows.iter().any(is_drawn_by_claude) {
        return Reading::Unrecognized;
    }
    Reading::Starting { detail: last.map(Row::text).unwrap_or_default() }
}

/// True for what only a running interface draws: rules, cursors, the conversation. The frame of the welcome is none.
fn is_drawn_by_claude(row: &Row<'_>) -> bool {
    let said = row.start() == 0 && row.head().is_some_and(composer::is_marker);
    matches!(row.kind, RowKind::Rule | RowKind::Dashes) || said || Mark::of(row).cursor.is_some()
}
