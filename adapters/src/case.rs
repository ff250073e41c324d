//! One captured screen as a case folder holds it: `screen.ansi`, what `tmux capture-pane -e` wrote, and `meta.json`, which is
//! a [`CaseMeta`].
//!
//! Only the form is said here; whoever has files reads and writes them: `answerback read`, the benchmark and the tests of this
//! crate.

use serde::{Deserialize, Serialize};
use shared_types::AdapterKind;

use crate::{
    Capture,
    screen::{Cursor, Foreground, TtyMode},
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
    /// What a person saw there: `permission`, `question`, `plan`, `loop`, `aside`, `startup`, `ready`, `busy`,
    /// `starting`, `unrecognized`, or `none` for what only looks like a prompt.
    #[serde(default)]
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor_x: Option<u16>,
    /// The cursor's row, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor_y: Option<u16>,
    /// False when the program hides the cursor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cursor_visible: Option<bool>,
    /// True while the program uses the alternate screen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alternate: Option<bool>,
    /// The title the program gave its terminal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Typed characters are shown by the terminal itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub echo: Option<bool>,
    /// Input arrives line by line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<bool>,
    /// What the program in the foreground was waiting for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub foreground: Option<Foreground>,
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
                cursor_x: Some(capture.cursor.x),
                cursor_y: Some(capture.cursor.y),
                cursor_visible: Some(capture.cursor.visible),
                alternate: Some(capture.alternate),
                title: Some(capture.title.clone()),
                echo: capture.tty.map(|tty| tty.echo),
                canonical: capture.tty.map(|tty| tty.canonical),
                foreground: capture.foreground,
            },
        }
    }

    /// The capture whose text this is. Nothing of what was seen goes into it.
    #[must_use]
    pub fn capture(&self, text: String) -> Capture {
        let terminal = &self.terminal;
        let cursor = Cursor {
            x: terminal.cursor_x.unwrap_or_default(),
            y: terminal.cursor_y.unwrap_or_default(),
            visible: terminal.cursor_visible.unwrap_or(true),
        };
        let tty = terminal.echo.zip(terminal.canonical).map(|(echo, canonical)| TtyMode { echo, canonical });
        Capture {
            text,
            cols: self.cols,
            rows: self.rows,
            cursor,
            title: terminal.title.clone().unwrap_or_default(),
            alternate: terminal.alternate.unwrap_or(false),
            tty,
            foreground: terminal.foreground,
            exit: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_capture_is_the_same_again_after_it_was_written() {
        let capture = Capture {
            text: "Password: ".to_owned(),
            cols: 80,
            rows: 24,
            cursor: Cursor { x: 10, y: 0, visible: true },
            title: "box".to_owned(),
            alternate: true,
            tty: Some(TtyMode { echo: false, canonical: true }),
            foreground: Some(Foreground::Reads),
            exit: None,
        };
        let written = serde_json::to_string(&CaseMeta::of(AdapterKind::new("generic"), None, &capture)).unwrap();
        let meta: CaseMeta = serde_json::from_str(&written).unwrap();
        assert_eq!(meta.capture(capture.text.clone()), capture);
    }

    #[test]
    fn what_the_terminal_did_not_say_is_left_out_or_null() {
        let meta = r#"{"cli":"codex","version":null,"cols":80,"rows":24,"terminal":{"cursorX":3,"title":null}}"#;
        let meta: CaseMeta = serde_json::from_str(meta).unwrap();
        let cursor = Cursor { x: 3, y: 0, visible: true };
        let capture = Capture { cols: 80, rows: 24, cursor, ..Capture::default() };
        assert_eq!(meta.capture(String::new()), capture);
    }
}
