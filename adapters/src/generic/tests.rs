//! Ways to ask beyond the captured screens, and how answers are typed.

mod answers;
mod spellings;

use crate::{
    Capture, Screen, Sighting,
    screen::{Cursor, TtyMode},
};

/// Input arrives line by line and is shown.
const COOKED: TtyMode = TtyMode { echo: true, canonical: true };
/// Input arrives key by key and is shown by the program, if at all.
const RAW: TtyMode = TtyMode { echo: false, canonical: false };

/// A screen of 80x24 that shows this text, the cursor right behind it.
fn screen(text: &str, tty: TtyMode) -> Screen {
    let last = text.rsplit('\n').next().unwrap_or_default();
    Screen::from_capture(&Capture {
        text: text.to_owned(),
        cols: 80,
        rows: 24,
        cursor: Cursor {
            x: u16::try_from(last.chars().count()).unwrap(),
            y: u16::try_from(text.matches('\n').count()).unwrap(),
            visible: true,
        },
        tty: Some(tty),
        ..Capture::default()
    })
}

/// The prompt on such a screen.
fn sighting(text: &str, tty: TtyMode) -> Sighting {
    let reading = crate::Adapter::read_screen(&super::Generic, &screen(text, tty));
    reading.sighting().cloned().unwrap_or_else(|| panic!("{text:?} is read as {reading:?}"))
}
