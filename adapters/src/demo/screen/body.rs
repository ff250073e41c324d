//! What stands between the heading of a dialog and its questions: a command, a diff, a plan, or prose.

use shared_types::FileDiff;

use crate::screen::Line;

const INDENT: u16 = 3;

/// The body of a dialog, as far as it is on the screen.
#[derive(Debug, Default)]
pub(super) struct Body {
    /// What is not dim, as one line: it is broken anywhere, so a full row goes on without a blank.
    pub(super) code: String,
    /// What is not dim, line by line.
    pub(super) text: String,
    /// What is dim, re-joined.
    pub(super) prose: String,
    /// Changes, each between dashed rules below its path.
    pub(super) diff: Vec<FileDiff>,
    /// True when a row says that more is scrolled out of view.
    pub(super) cut: bool,
}

impl Body {
    pub(super) fn read(lines: &[Line], cols: u16) -> Self {
        let mut body = Self::default();
        let mut in_diff = false;
        let mut plain: Vec<String> = Vec::new();
        let mut end = 0;
        for line in lines {
            let text = line.text_from(INDENT);
            let full = end == cols;
            end = line.end();
            let first = line.first_drawn();
            let dim = first.is_some_and(|cell| cell.style.dim);
            if first.is_some_and(|cell| cell.ch == '⋮' && dim) {
                body.cut = true;
                continue;
            }
            if dim && text.chars().all(|ch| ch == '╌') {
                in_diff = !in_diff;
                if in_diff {
                    let path = plain.pop().unwrap_or_default();
                    body.code.clear();
                    body.diff.push(FileDiff { path, unified: String::new() });
                }
            } else if let (true, Some(file)) = (in_diff, body.diff.last_mut()) {
                take_diff_row(&mut file.unified, &text);
            } else if dim {
                body.prose.push_str(if body.prose.is_empty() { "" } else { " " });
                body.prose.push_str(text.trim_start());
            } else {
                body.code.push_str(if full || body.code.is_empty() { "" } else { " " });
                body.code.push_str(&text);
                plain.push(text);
            }
        }
        body.code.truncate(body.code.trim_end().len());
        body.text = plain.join("\n").trim().to_owned();
        body
    }
}

/// A row that goes on from the one above begins with an arrow; an empty one is an empty line of context.
fn take_diff_row(unified: &mut String, text: &str) {
    if let Some(rest) = text.strip_prefix('↪') {
        unified.push_str(rest);
        return;
    }
    if !unified.is_empty() {
        unified.push('\n');
    }
    unified.push_str(if text.is_empty() { " " } else { text });
}
