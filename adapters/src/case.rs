//! One captured screen as a case folder holds it: `screen.ansi`, what `tmux capture-pane -e` wrote, and `meta.json`, which is
//! a [`CaseMeta`].
//!
//! Only the form is said here; whoever has files reads and writes them: `answerback read`, the benchmark and the tests of this
//! crate.

use serde::{Deserialize, Serialize};
use shared_types::AdapterKind;

use crate::{
    Capture,
    screen::{Cursor, TtyMode},
};

/// What `meta.json` says of a captured screen.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CaseMeta {
    /// Which CLI drew it.
    pub cli: AdapterKind,
    /// The CLI's version, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// Width in columns.
    pub cols: u16,
    /// Height in rows.
    pub rows: u16,
    /// What a person saw there: `permission`, `question`, `plan`, `loop`, `startup`, `ready`, `busy`, `starting`,
    /// `unrecognized`, or `none` for what only looks like a prompt.
    pub kind: String,
    /// What else was seen, such as the labels of the options.
    #[serde(default)]
    pub expected: serde_json::Value,
    /// What the terminal said beside the text.
    #[serde(default)]
    pub terminal: TerminalMeta,
}

/// What the terminal said beside the text; any of it may be missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TerminalMeta {
    /// The cursor's column, counted from 0.
    pub cursor_x: u16,
    /// The cursor's row, counted from 0.
    pub cursor_y: u16,
    /// False when the program hides the cursor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor_visible: Option<bool>,
    /// True while the program uses the alternate screen.
    pub alternate: bool,
    /// The title the program gave its terminal.
    pub title: String,
    /// Typed characters are shown by the terminal itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub echo: Option<bool>,
    /// Input arrives line by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<bool>,
}

impl CaseMeta {
    /// The case of a screen just captured; what was seen there is for a person to fill in.
    #[must_use]
    pub fn of(cli: AdapterKind, version: Option<String>, capture: &Capture) -> Self {
        Self {
            cli,
            version,
            cols: capture.cols,
            rows: capture.rows,
            kind: String::new(),
            expected: serde_json::Value::Null,
            terminal: TerminalMeta {
                cursor_x: capture.cursor.x,
                cursor_y: capture.cursor.y,
                cursor_visible: Some(capture.cursor.visible),
                alternate: capture.alternate,
                title: capture.title.clone(),
                echo: capture.tty.map(|tty| tty.echo),
                canonical: capture.tty.map(|tty| tty.canonical),
            },
        }
    }

    /// The capture whose text this is. Nothing of what was seen goes into it.
    #[must_use]
    pub fn capture(&self, text: String) -> Capture {
        let terminal = &self.terminal;
        let visible = terminal.cursor_visible.unwrap_or(true);
        let tty = terminal.echo.zip(terminal.canonical).map(|(echo, canonical)| TtyMode { echo, canonical });
        Capture {
            text,
            cols: self.cols,
            rows: self.rows,
            cursor: Cursor { x: terminal.cursor_x, y: terminal.cursor_y, visible },
            title: terminal.title.clone(),
            alternate: terminal.alternate,
            tty,
            exit: None,
        }
    }
}
