//! The characters that rules and boxes are drawn with: light, heavy and double ones alike.

/// True for what a rule, or the upper and lower edge of a box, is made of.
#[must_use]
pub fn is_horizontal(ch: char) -> bool {
    matches!(ch, '─' | '━' | '═')
}

/// True for the left or right side of a box.
#[must_use]
pub fn is_vertical(ch: char) -> bool {
    matches!(ch, '│' | '┃' | '║')
}

/// True for an upper corner of a box.
#[must_use]
pub fn is_upper_corner(ch: char) -> bool {
    matches!(ch, '╭' | '╮' | '┌' | '┐' | '╔' | '╗' | '┏' | '┓')
}

/// True for a lower corner of a box.
#[must_use]
pub fn is_lower_corner(ch: char) -> bool {
    matches!(ch, '╰' | '╯' | '└' | '┘' | '╚' | '╝' | '┗' | '┛')
}

/// True for any corner of a box.
#[must_use]
pub fn is_corner(ch: char) -> bool {
    is_upper_corner(ch) || is_lower_corner(ch)
}
