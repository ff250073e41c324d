//! What can be pressed.

pub use shared_types::NamedKey;

/// One thing to press, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Keystroke {
    /// A key with a name.
    Named(NamedKey),
    /// A letter held with Ctrl.
    Ctrl(char),
    /// Characters typed one by one, as they are. One line only.
    Text(String),
    /// Text pasted as a block; line breaks stay line breaks where the program takes pastes.
    Paste(String),
}

impl Keystroke {
    /// Enter.
    pub const ENTER: Self = Self::Named(NamedKey::Enter);
    /// Escape.
    pub const ESCAPE: Self = Self::Named(NamedKey::Escape);
    /// Tab.
    pub const TAB: Self = Self::Named(NamedKey::Tab);
    /// The space bar.
    pub const SPACE: Self = Self::Named(NamedKey::Space);

    /// The text of a paste.
    #[must_use]
    pub fn pasted(&self) -> Option<&str> {
        match self {
            Self::Paste(text) => Some(text),
            _ => None,
        }
    }

    /// The characters it puts into a field, be they typed or pasted.
    #[must_use]
    pub fn typed(&self) -> Option<&str> {
        match self {
            Self::Text(text) | Self::Paste(text) => Some(text),
            _ => None,
        }
    }

    /// Down `count` times, or up when it is negative: from the cursor's row to another.
    #[must_use]
    pub fn vertical(count: isize) -> Vec<Self> {
        let key = if count < 0 { NamedKey::Up } else { NamedKey::Down };
        vec![Self::Named(key); count.unsigned_abs()]
    }
}
