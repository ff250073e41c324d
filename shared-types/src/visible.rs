//! Characters that the eye cannot see, or takes for others: in a command they make a person read one thing and allow another.
//!
//! What is asked travels as the CLI said it. Whoever shows it to a person, the page or a notification, draws it through
//! [`reveal`]; the page has the same table in `web/src/wire/visible.ts`, generated with the wire, and follows the same four rules:
//!
//! 1. A character in [`UNSEEN`] is drawn as `⟨U+202E⟩`: controls, bidi and other format characters, those that fonts leave out,
//!    and blanks other than the space.
//! 2. Line feed and tab, and a carriage return before a line feed, stay in texts of several lines.
//! 3. A single no-break space stays, two or more in a row are drawn as marks.
//! 4. A variation selector 15 or 16 behind a sign above U+2000, and a joiner between two signs above U+2190, are how emoji are
//!    written, and stay.

use std::borrow::Cow;

/// The characters that are drawn as a mark, as ranges of code points, in order.
pub const UNSEEN: &[(u32, u32)] = &[
    // C0 and C1 controls, the soft hyphen, the grapheme joiner.
    (0x0000, 0x001f),
    (0x007f, 0x009f),
    (0x00ad, 0x00ad),
    (0x034f, 0x034f),
    // Arabic and Syriac format characters.
    (0x0600, 0x0605),
    (0x061c, 0x061c),
    (0x06dd, 0x06dd),
    (0x070f, 0x070f),
    (0x0890, 0x0891),
    (0x08e2, 0x08e2),
    // Fillers, blanks and selectors of Hangul, Ogham, Khmer and Mongolian.
    (0x115f, 0x1160),
    (0x1680, 0x1680),
    (0x17b4, 0x17b5),
    (0x180b, 0x180f),
    // Blanks of all widths, zero-width and bidi characters, line and paragraph separators, invisible operators.
    (0x2000, 0x200f),
    (0x2028, 0x202f),
    (0x205f, 0x206f),
    // The empty Braille cell and the Hangul filler look like blanks.
    (0x2800, 0x2800),
    (0x3164, 0x3164),
    // Variation selectors, the byte order mark, the narrow Hangul filler, annotations, and what is no character.
    (0xfe00, 0xfe0f),
    (0xfeff, 0xfeff),
    (0xffa0, 0xffa0),
    (0xfff0, 0xfffc),
    (0xfffe, 0xffff),
    // Format characters of Kaithi, Egyptian, shorthand and music.
    (0x110bd, 0x110bd),
    (0x110cd, 0x110cd),
    (0x13430, 0x1343f),
    (0x1bca0, 0x1bca3),
    (0x1d173, 0x1d17a),
    // Tags and further variation selectors.
    (0xe0000, 0xe0fff),
];

const NO_BREAK_SPACE: char = '\u{a0}';
const JOINER: char = '\u{200d}';

/// How a text is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lines {
    /// In one line: a line feed or tab in it is drawn as a mark as well.
    One,
    /// In several.
    Several,
}

/// True for a character that is drawn as a mark, wherever it stands.
#[must_use]
pub fn is_unseen(ch: char) -> bool {
    let code = u32::from(ch);
    let at = UNSEEN.partition_point(|(_, last)| *last < code);
    UNSEEN.get(at).is_some_and(|(first, _)| *first <= code)
}

/// The text with every character that cannot be seen drawn as a mark such as `⟨U+202E⟩`.
#[must_use]
pub fn reveal(text: &str, lines: Lines) -> Cow<'_, str> {
    if !holds_unseen(text, lines) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for (ch, hidden) in marked(text, lines) {
        if hidden {
            shown.push_str(&format!("⟨U+{:04X}⟩", u32::from(ch)));
        } else {
            shown.push(ch);
        }
    }
    Cow::Owned(shown)
}

/// True when [`reveal`] would draw a mark.
#[must_use]
pub fn holds_unseen(text: &str, lines: Lines) -> bool {
    marked(text, lines).any(|(_, hidden)| hidden)
}

/// The text without what cannot be seen, and without what a CLI draws in its place: for comparing what a CLI says with what it
/// draws, never for showing it.
#[must_use]
pub fn without_unseen(text: &str) -> String {
    let kept = |ch: &char| !is_unseen(*ch) && !matches!(*ch, char::REPLACEMENT_CHARACTER | NO_BREAK_SPACE);
    text.chars().filter(kept).collect()
}

/// Every character of a text, and whether it is drawn as a mark.
fn marked(text: &str, lines: Lines) -> impl Iterator<Item = (char, bool)> {
    let mut before = None;
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || {
        let ch = chars.next()?;
        let next = chars.peek().copied();
        let hidden = match ch {
            '\n' | '\t' => lines == Lines::One,
            '\r' => lines == Lines::One || next != Some('\n'),
            NO_BREAK_SPACE => before == Some(ch) || next == Some(ch),
            '\u{fe0e}' | '\u{fe0f}' => !before.is_some_and(|ch| is_sign(ch, '\u{2000}')),
            JOINER => ![before, next].iter().all(|ch| ch.is_some_and(|ch| is_sign(ch, '\u{2190}'))),
            _ => is_unseen(ch),
        };
        // An emoji is often a sign and its selector before a joiner.
        if !matches!(ch, '\u{fe0f}') || hidden {
            before = Some(ch);
        }
        Some((ch, hidden))
    })
}

fn is_sign(ch: char, from: char) -> bool {
    ch >= from && !is_unseen(ch)
}

/// The first word that mixes Latin letters with letters of another script that look like them, such as `pаypal` with a Cyrillic
/// `а`; or one of such letters alone, in a text that otherwise is Latin.
#[must_use]
pub fn look_alike(text: &str) -> Option<&str> {
    let words = || text.split(|ch: char| !ch.is_alphanumeric()).filter(|word| !word.is_empty());
    let mixed = |word: &&str| word.chars().any(is_latin) && word.chars().any(is_foreign);
    // A word of nothing but look-alikes is a trick only where no other letter of its script is near.
    let alone = |word: &&str| word.chars().count() > 1 && word.chars().all(|ch| CYRILLIC_LOOK_ALIKES.contains(ch));
    let latin_text =
        text.chars().any(is_latin) && !text.chars().any(|ch| is_cyrillic(ch) && !CYRILLIC_LOOK_ALIKES.contains(ch));
    words().find(mixed).or_else(|| words().find(alone).filter(|_| latin_text))
}

const CYRILLIC_LOOK_ALIKES: &str = "асеорхуіјѕһԁԛԝӏАВЕІЈКМНОРСТХУЅԌԚԜҮ";
/// Greek letters that stand in units and formulas beside Latin ones.
const GREEK_SIGNS: &str = "μΩΔπλσαβΣ";

fn is_latin(ch: char) -> bool {
    ch.is_ascii_alphabetic() || matches!(ch, '\u{c0}'..='\u{24f}' | '\u{1e00}'..='\u{1eff}') && ch.is_alphabetic()
}

fn is_cyrillic(ch: char) -> bool {
    matches!(ch, '\u{400}'..='\u{52f}' | '\u{1c80}'..='\u{1c8f}' | '\u{2de0}'..='\u{2dff}' | '\u{a640}'..='\u{a69f}')
}

/// True for letters of scripts that have letters like the Latin ones.
fn is_foreign(ch: char) -> bool {
    let greek = matches!(ch, '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}') && !GREEK_SIGNS.contains(ch);
    let others = matches!(ch,
        // Armenian, Cherokee, Coptic, Lisu, Cherokee again, full-width letters, letters of formulas.
        '\u{530}'..='\u{58f}' | '\u{13a0}'..='\u{13ff}' | '\u{2c80}'..='\u{2cff}' | '\u{a4d0}'..='\u{a4ff}'
        | '\u{ab70}'..='\u{abbf}' | '\u{ff21}'..='\u{ff5a}' | '\u{1d400}'..='\u{1d7ff}');
    greek || is_cyrillic(ch) || others
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_in_order() {
        assert!(UNSEEN.iter().all(|(first, last)| first <= last));
        assert!(UNSEEN.windows(2).all(|pair| pair[0].1 < pair[1].0));
    }

    #[test]
    fn what_cannot_be_seen_is_drawn_as_a_mark() {
        for (text, shown) in [
            ("npm test \u{202e}\u{2066};touch x", "npm test ⟨U+202E⟩⟨U+2066⟩;touch x"),
            ("a\u{200b}b", "a⟨U+200B⟩b"),
            ("a\u{3164}\u{3164}b", "a⟨U+3164⟩⟨U+3164⟩b"),
            ("a\u{e0041}b\u{feff}", "a⟨U+E0041⟩b⟨U+FEFF⟩"),
            ("a\u{1b}[2Kb\rc", "a⟨U+001B⟩[2Kb⟨U+000D⟩c"),
            ("a\u{2028}b\u{ad}c", "a⟨U+2028⟩b⟨U+00AD⟩c"),
            ("a\u{a0}\u{a0}b", "a⟨U+00A0⟩⟨U+00A0⟩b"),
            ("x\u{fe0f}\u{fe01}", "x⟨U+FE0F⟩⟨U+FE01⟩"),
            ("a\u{200d}b", "a⟨U+200D⟩b"),
        ] {
            assert_eq!(reveal(text, Lines::Several), shown);
            assert!(holds_unseen(text, Lines::Several));
        }
    }

    #[test]
    fn ordinary_text_is_left_alone() {
        for text in
            ["ls -la\n\tdone\r\n", "Grüße, naïve — “so” 日本\u{3000}語", "5\u{a0}km", "✔️ ok 👩‍💻 👨‍👩‍👧 ❤️‍🔥", "привет мир"]
        {
            assert_eq!(reveal(text, Lines::Several), text);
        }
        assert_eq!(reveal("a\nb", Lines::One), "a⟨U+000A⟩b");
    }

    #[test]
    fn what_a_cli_draws_instead_compares_alike() {
        let told = "npm test \u{202e}\u{2066};touch x\u{2069}";
        assert_eq!(without_unseen(told), without_unseen("npm test \u{fffd}\u{fffd};touch x\u{fffd}"));
        assert_eq!(without_unseen(told), without_unseen("npm test ;touch x"));
    }

    #[test]
    fn letters_that_look_like_others_are_found() {
        assert_eq!(look_alike("curl https://pаypal.com/x"), Some("pаypal"));
        assert_eq!(look_alike("rm -rf ./ѕсоре"), Some("ѕсоре"));
        assert_eq!(look_alike("cat ΑBC"), Some("ΑBC"));
        assert_eq!(look_alike("run ｎpm"), Some("ｎpm"));
        for text in
            ["git commit -m 'привет, мир, ухо'", "echo 10μs", "naïve Ünïcode", "ls", "日本語abc", "оса и ухо у хора"]
        {
            assert_eq!(look_alike(text), None, "{text}");
        }
    }
}
