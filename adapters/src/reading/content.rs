//! What a prompt is about, compared to the letter: path, change, plan, command and reason.
//!
//! A fingerprint recognises a dialog over redraws, sizes and restarts, and so must leave out what a pane may clip. Before a key is
//! pressed more is asked: the dialog on a fresh capture must still show what the person has read.

use shared_types::PromptKind;

use super::Sighting;
use crate::{hook::strings_of, layout::squash};

impl Sighting {
    /// Whether `fresh`, read from the screen just now, is about the same as this one, read from the screen earlier. Both must be
    /// as the screen shows them, without what a hook told beyond it. A dialog that has been clipped meanwhile, or no longer is,
    /// agrees when all that the smaller one shows is in the larger one. Questions agree: their words are their fingerprint.
    #[must_use]
    pub fn content_agrees(&self, fresh: &Sighting) -> bool {
        if !matches!(self.kind, PromptKind::Permission | PromptKind::Plan) || self.kind != fresh.kind {
            return self.kind == fresh.kind;
        }
        let (before, now) = (self.content(), fresh.content());
        match (self.incomplete, fresh.incomplete) {
            (false, false) => before.concat() == now.concat(),
            (false, true) => is_part(&now, self),
            (true, false) => is_part(&before, fresh),
            (true, true) => is_part(&now, self) || is_part(&before, fresh),
        }
    }

    /// Every line that says what is asked about, without blanks.
    fn content(&self) -> Vec<String> {
        let tool = self.tool_input.iter().flat_map(strings_of);
        let diff = self.diff.iter().flat_map(|file| [file.path.as_str(), file.unified.as_str()]);
        let texts = tool.chain(diff).chain(self.plan.as_deref()).chain([self.description.as_str()]);
        // Where in a file a clipped change begins is not known, so its heads say nothing.
        let lines = texts.flat_map(str::lines).filter(|line| !line.starts_with("@@ "));
        lines.map(squash).filter(|line| !line.is_empty()).collect()
    }
}

/// True when every line is somewhere in the sighting: where the top of a dialog is clipped, its parts are told apart otherwise.
fn is_part(lines: &[String], whole: &Sighting) -> bool {
    let text = format!("{}\n{}", whole.content().concat(), squash(&whole.title));
    // A tip for the desk is left out where it is known as one.
    lines.iter().all(|line| text.contains(line) || line.to_lowercase().starts_with("tip:"))
}
