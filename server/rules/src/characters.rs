//! Characters that deceive: invisible ones, ones that turn the line round, letters that look like others.

/// What is wrong with a text that a person reads and a machine runs; `prose` for text in quotes with blanks in it.
pub(crate) fn deceives(text: &str, prose: bool) -> Option<&'static str> {
    if text.is_ascii() {
        return text
            .bytes()
            .any(|byte| byte < 32 && byte != b'\n' && byte != b'\t' || byte == 127)
            .then_some("has a control character in it");
    }
    let mut before: Option<char> = None;
    for each in text.chars() {
        let joins_pictures = matches!(each, '\u{fe0e}' | '\u{fe0f}' | '\u{200d}')
            && before.is_some_and(|last| last > '\u{2000}' || each == '\u{fe0f}' && !last.is_ascii_alphabetic());
        if is_invisible(each) && !joins_pictures {
            return Some("has an invisible character in it");
        }
        if !prose && is_odd_blank(each) {
            return Some("has a blank that is none");
        }
        if !prose && ('\u{ff01}'..='\u{ff5e}').contains(&each) {
            return Some("has letters that only look like plain ones");
        }
        before = Some(each);
    }
    let mixed = |run: &str| run.chars().any(|each| each.is_ascii_alphabetic()) && run.chars().any(looks_like_latin);
    if !prose && text.split(|each: char| !each.is_alphanumeric()).any(mixed) {
        return Some("mixes letters of two alphabets that look alike");
    }
    None
}

fn is_invisible(each: char) -> bool {
    matches!(
        each,
        '\0'..='\u{8}' | '\u{b}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
            | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// Looks like a blank, and is part of the word.
fn is_odd_blank(each: char) -> bool {
    matches!(each, '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' | '\u{2800}')
}

fn looks_like_latin(each: char) -> bool {
    const CYRILLIC: &str = "аеорсухіјѕһԁԛԝѵАВЕКМНОРСТХУІЈЅҮԌԚԜ";
    const GREEK: &str = "οναικρτυχωΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ";
    const OTHER: &str = "ɑɡɩıοցհոսքօᏀᎪᎬᎳᏃᏢᏚ";
    CYRILLIC.contains(each) || GREEK.contains(each) || OTHER.contains(each)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_prose_passes_and_deception_does_not() {
        for (text, prose, deceptive) in [
            ("größe ✓ 修正", true, false),
            ("Übersicht.md", false, false),
            ("done ✔️ 👩‍💻", true, false),
            ("тест", false, false),
            ("gіt", false, true),
            ("g\u{200b}it", true, true),
            ("a\u{202e}b", true, true),
            ("a\u{a0}b", false, true),
            ("ｇｉｔ", false, true),
            ("a\rb", true, true),
            ("a\tb\nc", true, false),
        ] {
            assert_eq!(deceives(text, prose).is_some(), deceptive, "{text:?}");
        }
    }
}
