//! Ways to ask beyond the captured screens, and how answers are typed.

mod answers;
mod forms;
mod spellings;
mod typing;

use crate::{
    Capture, Screen, Sighting,
    screen::{Cursor, TtyMode},
};

/// Input arrives line by line and is shown.
pub(super) const COOKED: TtyMode = TtyMode { echo: true, canonical: true };
/// Input arrives key by key and is shown by the program, if at all.
const RAW: TtyMode = TtyMode { echo: false, canonical: false };

/// A screen of 80x24 that shows this text, the cursor right behind it.
pub(super) fn screen(text: &str, tty: TtyMode) -> Screen {
    let last = text.rsplit('\n').next().unwrap_or_default();
    Screen::from_capture(&Capture {
        text: text.to_owned(),
        cols: 80,
        rows: 24,
        cursor: Cursor { x: columns(last), y: u16::try_from(text.matches('\n').count()).unwrap(), visible: true },
        tty: Some(tty),
        ..Capture::default()
    })
}

/// How many columns a row takes: wide characters two, styles none.
fn columns(row: &str) -> u16 {
    let styles = row.split('\u{1b}').skip(1).filter_map(|part| part.find('m').map(|end| end + 2)).sum::<usize>();
    let wide = row.chars().filter(|ch| *ch >= '\u{1100}').count();
    u16::try_from(row.chars().count() + wide - styles).unwrap()
}

/// The prompt on such a screen.
fn sighting(text: &str, tty: TtyMode) -> Sighting {
    let reading = crate::Adapter::read_screen(&super::Generic, &screen(text, tty));
    reading.sighting().cloned().unwrap_or_else(|| panic!("{text:?} is read as {reading:?}"))
}
