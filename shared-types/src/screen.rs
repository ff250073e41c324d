//! A terminal's screen as the page shows it, and the keys of its key bar.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A screen, row by row, in runs of one style. No escape sequence is ever in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "screen.ts")]
pub struct ScreenFrame {
    /// Width in columns.
    pub cols: u16,
    /// Height in rows.
    pub rows: u16,
    /// From the top; rows at the end that hold nothing are left out.
    pub lines: Vec<Vec<ScreenRun>>,
    /// Where the cursor is.
    pub cursor: ScreenCursor,
    /// Names what is asked on it: another number for another dialog, 0 where there is none. Output, spinners and typing change
    /// nothing of it. Keys that are pressed on what was seen name it (`send-keys`).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[ts(optional)]
    pub asks: Option<u32>,
}

/// Text of one style.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "screen.ts", optional_fields)]
pub struct ScreenRun {
    /// The text.
    pub text: String,
    /// Its colour: 0 to 255 of the terminal palette as a number in text, or `#rrggbb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fg: Option<String>,
    /// Its background, likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bg: Option<String>,
    /// Bold.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub bold: bool,
    /// Dim.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub dim: bool,
    /// Italic.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub italic: bool,
    /// Underlined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub underline: bool,
    /// Foreground and background exchanged.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub inverse: bool,
    /// Struck through.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    #[ts(as = "Option<bool>", optional)]
    pub strike: bool,
}

/// Where the cursor is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "camelCase")]
#[ts(export_to = "screen.ts")]
pub struct ScreenCursor {
    /// Column, from 0.
    pub x: u16,
    /// Row, from 0.
    pub y: u16,
    /// False when the program hides it.
    pub visible: bool,
}

/// One press on a key bar.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
#[ts(export_to = "screen.ts")]
pub enum Key {
    /// A key with a name.
    Named {
        /// Which.
        key: NamedKey,
    },
    /// A letter or digit held with Ctrl.
    Ctrl {
        /// Which: a lower-case letter.
        letter: char,
    },
    /// Characters typed as they are, without Enter. Control characters are refused.
    Text {
        /// The characters.
        text: String,
    },
}

/// A key with a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
#[ts(export_to = "screen.ts")]
#[expect(missing_docs, reason = "each name is the label on the key")]
pub enum NamedKey {
    Enter,
    Escape,
    Tab,
    BackTab,
    Space,
    Backspace,
    Delete,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
}
