//! The keys the demo agent knows, apart from the crate that reads them from the terminal.

use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};

/// One press, or one pasted block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Enter,
    /// A line break within a text: Ctrl-J or Alt-Enter.
    LineBreak,
    Escape,
    Tab,
    BackTab,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    Backspace,
    Delete,
    Ctrl(char),
    Paste(String),
}

impl Key {
    /// The key of a terminal event; nothing for events that press none.
    pub(super) fn from_event(event: Event) -> Option<Self> {
        let key = match event {
            Event::Paste(text) => return Some(Key::Paste(text.replace("\r\n", "\n").replace('\r', "\n"))),
            Event::Key(key) if key.kind != KeyEventKind::Release => key,
            _ => return None,
        };
        let ctrl = key.modifiers.contains(KeyModifiers::CONTROL);
        let alt = key.modifiers.contains(KeyModifiers::ALT);
        Some(match key.code {
            KeyCode::Char('j') if ctrl => Key::LineBreak,
            KeyCode::Char(ch) if ctrl => Key::Ctrl(ch.to_ascii_lowercase()),
            KeyCode::Char(ch) if !alt => Key::Char(ch),
            KeyCode::Enter if alt => Key::LineBreak,
            KeyCode::Enter => Key::Enter,
            KeyCode::Esc => Key::Escape,
            KeyCode::Tab => Key::Tab,
            KeyCode::BackTab => Key::BackTab,
            KeyCode::Up => Key::Up,
            KeyCode::Down => Key::Down,
            KeyCode::Left => Key::Left,
            KeyCode::Right => Key::Right,
            KeyCode::Home => Key::Home,
            KeyCode::End => Key::End,
            KeyCode::Backspace => Key::Backspace,
            KeyCode::Delete => Key::Delete,
            _ => return None,
        })
    }
}
