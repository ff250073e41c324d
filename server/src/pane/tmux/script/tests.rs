use proptest::prelude::*;

use super::*;

fn quoted(word: &str) -> String {
    let mut line = Vec::new();
    quote(word, &mut line);
    String::from_utf8(line).expect("text in, text out")
}

/// tmux's own reading of a double-quoted word, as in its cmd-parse.y, for the escapes we write.
fn unquoted(line: &str) -> Option<String> {
    let mut bytes = line.strip_prefix('"')?.strip_suffix('"')?.bytes();
    let mut word = Vec::new();
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.next()? {
                high @ b'0'..=b'7' => {
                    let (middle, low) = (bytes.next()?, bytes.next()?);
                    word.push((high - b'0') << 6 | (middle - b'0') << 3 | (low - b'0'));
                }
                plain => word.push(plain),
            },
            b'"' | b'$' | b'~' | b'\n' => return None,
            _ => word.push(byte),
        }
    }
    String::from_utf8(word).ok()
}

#[test]
fn words_are_quoted() {
    for (word, expected) in [
        ("", r#""""#),
        ("a b", r#""a b""#),
        ("~/$HOME", r#""\176/\$HOME""#),
        ("a\nb\r\t\u{7f}", r#""a\012b\015\011\177""#),
        (r#"say "hi\n""#, r#""say \"hi\\n\"""#),
        ("x; y;", r#""x; y;""#),
        ("#{pid} é 🙂", r##""#{pid} é 🙂""##),
        ("nul\0gone", r#""nulgone""#),
    ] {
        assert_eq!(quoted(word), expected);
    }
}

#[test]
fn commands_are_joined() {
    let script = Script::of(&["send-keys", "-t", "%1", ";"]).then_expect(Expect::OneLine, &["display-message", ""]);
    assert_eq!(String::from_utf8_lossy(&script.line), r#""send-keys" "-t" "%1" ";" ; "display-message" """#);
    assert_eq!(script.expects, vec![Expect::Any, Expect::OneLine]);
}

proptest! {
    #[test]
    fn any_word_comes_back_and_never_ends_the_line(word in "(?s).{0,60}") {
        let line = quoted(&word);
        prop_assert!(!line.contains('\n'));
        prop_assert_eq!(unquoted(&line), Some(word.replace('\0', "")));
    }
}
