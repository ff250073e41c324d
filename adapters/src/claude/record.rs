//! What Claude has written down of the call that it asks leave for: whole, where the top of the dialog is off the screen and no hook
//! tells.

use serde_json::json;
use shared_types::Millis;

use super::hooks;
use crate::{
    Sighting,
    hook::{Detail, Match, diff},
    transcript::{
        pending::Pending,
        value::{list, moment, parse, text},
    },
};

/// The calls in these lines of a transcript that have no result yet.
pub(super) fn pending<'a>(lines: impl IntoIterator<Item = &'a str>) -> Vec<Detail> {
    calls(lines).into_details()
}

/// The calls in these lines of a transcript whose result came since then.
pub(super) fn ended<'a>(lines: impl IntoIterator<Item = &'a str>, since: Millis) -> Vec<Detail> {
    calls(lines).ended_since(since)
}

fn calls<'a>(lines: impl IntoIterator<Item = &'a str>) -> Pending {
    let mut pending = Pending::default();
    for line in lines.into_iter().filter_map(parse) {
        // Claude Code 2.1.326 repeats a result in a line of another type, without its time and before the result itself.
        let kind = text(&line, "type");
        for block in list(&line["message"], "content") {
            match (kind, text(block, "type")) {
                ("assistant", "tool_use") => pending.called(text(block, "id"), text(block, "name"), &block["input"]),
                ("user", "tool_result") => {
                    pending.ended(text(block, "tool_use_id"), moment(text(&line, "timestamp")));
                }
                _ => {}
            }
        }
    }
    pending
}

/// The dialog with what the call says beyond it; nothing when it is about another one. A call says what the hook of its dialog
/// would have said.
pub(super) fn complete(call: &Detail, dialog: &Sighting) -> Option<Sighting> {
    let payload =
        json!({ "hook_event_name": "PermissionRequest", "tool_name": call.tool_name, "tool_input": call.tool_input });
    let request = hooks::read(&payload).request.filter(|request| request.shown_by(dialog) == Match::Yes)?;
    if !request.edits.is_empty() && is_being_drawn(dialog) {
        return None;
    }
    let mut whole = Sighting { source: dialog.source, ..request.complete(dialog) };
    if dialog.incomplete && !request.edits.is_empty() {
        whole.diff = request.edits.iter().map(|edit| diff(edit, None)).collect();
    }
    Some(whole)
}

/// True for the dialog of a change that is not drawn yet: Claude Code 2.1.326 draws it first, and the change a moment later, with the
/// lines around it that no call tells. Where the top is off the screen, nothing more will come.
fn is_being_drawn(dialog: &Sighting) -> bool {
    dialog.incomplete && dialog.diff.is_empty() && dialog.rows.start > 0
}
