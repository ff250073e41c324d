//! What the commands tell a person: the one place that writes to the terminal.

use std::io::{self, Write as _};

use fast_qr::{QRBuilder, qr::QRCodeError};

/// Writes a line. Nobody listening, as when piped into `head`, is no fault.
pub fn line(text: &str) {
    let _ = writeln!(io::stdout(), "{text}");
}

/// Where a command writes that has much to tell, to be flushed at the end.
#[must_use]
pub fn output() -> impl io::Write {
    io::BufWriter::new(io::stdout().lock())
}

/// Writes a line to where errors go.
pub fn error_line(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// A text from elsewhere as a terminal may show it: folders and names can hold anything, also what moves a cursor.
#[must_use]
pub fn plain(text: &str) -> String {
    text.chars().map(|letter| if letter.is_control() { '\u{fffd}' } else { letter }).collect()
}

/// A QR code in half blocks, dark on light whatever the terminal's colours, with the quiet zone that cameras need.
#[must_use]
pub fn qr(text: &str) -> Option<String> {
    const QUIET: usize = 2;
    let code: Result<_, QRCodeError> = QRBuilder::new(text).build();
    let code = code.ok()?;
    let size = code.size + 2 * QUIET;
    let dark = |x: usize, y: usize| {
        let inside = (QUIET..code.size + QUIET).contains(&x) && (QUIET..code.size + QUIET).contains(&y);
        inside && code[y - QUIET][x - QUIET].value()
    };
    let rows = (0..size).step_by(2).map(|y| {
        let cells = (0..size).map(|x| match (dark(x, y), dark(x, y + 1)) {
            (true, true) => '█',
            (true, false) => '▀',
            (false, true) => '▄',
            (false, false) => ' ',
        });
        // Black on white, said outright: the colours of the person's terminal may be either way round.
        format!("  \u{1b}[30;107m{}\u{1b}[0m", cells.collect::<String>())
    });
    Some(rows.collect::<Vec<_>>().join("\n"))
}
