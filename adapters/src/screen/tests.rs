use proptest::prelude::*;

use super::{Capture, Color, Screen};

fn screen(text: &str, cols: u16, rows: u16) -> Screen {
    Screen::from_capture(&Capture { text: text.into(), cols, rows, ..Capture::default() })
}

#[test]
fn styles_carry_from_row_to_row_as_tmux_writes_them() {
    let screen = screen("\u{1b}[2mghost\nstill\u{1b}[0m plain", 20, 3);
    assert!(screen.lines[0].is_dim());
    assert!(screen.lines[1].cells[0].style.dim);
    assert!(!screen.lines[1].cells[6].style.dim);
    assert_eq!(screen.plain_text(), "ghost\nstill plain");
    assert_eq!(screen.lines.len(), 3);
}

#[test]
fn colours_are_read_in_both_spellings() {
    let screen = screen("\u{1b}[38;5;208;48;2;1;2;3mA\u{1b}[38:2::9:8:7mB\u{1b}[91mC", 5, 1);
    let colours: Vec<_> = screen.lines[0].cells.iter().map(|cell| (cell.style.fg, cell.style.bg)).collect();
    let back = Color::Rgb(1, 2, 3);
    assert_eq!(colours, [(Color::Indexed(208), back), (Color::Rgb(9, 8, 7), back), (Color::Indexed(9), back)]);
}

#[test]
fn wide_characters_take_two_columns_and_hyperlinks_none() {
    let screen = screen("日\u{1b}]8;;http://x\u{1b}\\本e\u{301}!", 10, 1);
    let columns: Vec<_> = screen.lines[0].cells.iter().map(|cell| (cell.ch, cell.column)).collect();
    assert_eq!(columns, [('日', 0), ('本', 2), ('e', 4), ('\u{301}', 5), ('!', 5)]);
}

#[test]
fn a_frame_has_runs_of_one_style_and_no_empty_rows_at_the_end() {
    let frame = screen("a\u{1b}[1mbc\u{1b}[0m\n\n", 10, 5).frame();
    assert_eq!(frame.lines.len(), 1);
    let runs: Vec<_> = frame.lines[0].iter().map(|run| (run.text.as_str(), run.bold)).collect();
    assert_eq!(runs, [("a", false), ("bc", true)]);
}

proptest! {
    #[test]
    fn any_text_gives_a_screen_of_the_asked_height(text in "\\PC*|[\\x00-\\x7f]*|(\u{1b}\\[[0-9;:]*m|.)*", rows in 1u16..200) {
        let screen = screen(&text, 80, rows);
        prop_assert_eq!(screen.lines.len(), usize::from(rows));
        let frame = screen.frame();
        let clean = frame.lines.iter().flatten().all(|run| !run.text.chars().any(char::is_control));
        prop_assert!(clean, "a control character reached the page");
    }
}
