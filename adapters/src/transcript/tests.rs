//! What the readers share, and what every reader must survive.

use std::path::Path;

use proptest::prelude::*;
use serde_json::json;
use shared_types::{MessageBody, ToolResult};

use super::{
    Form, TranscriptEntry,
    build::{Said, replacement, result},
    join,
    pictures::Pictures,
    place::{FolderMark, early_text, fits},
    units,
    value::{moment, plain},
};
use crate::all_adapters;

#[test]
fn moments_are_milliseconds() {
    for (text, millis) in [
        ("1970-01-01T00:00:00.000Z", 0),
        ("2000-03-01T00:00:00Z", 951_868_800_000),
        ("2024-02-29T23:59:59.9Z", 1_709_251_199_900),
        ("2026-11-16T01:28:52.718Z", 1_794_792_532_718),
        ("2026-11-16T03:28:52.718+02:00", 1_794_792_532_718),
        ("2026-11-15T20:28:52.718-05:00", 1_794_792_532_718),
        ("2026-11-16T06:58:52+05:30", 1_794_792_532_000),
        ("2026-11-16T03:28:52+0200", 1_794_792_532_000),
        ("2026-11-16T03:28:52+02", 1_794_792_532_000),
        ("2026-11-16T01:28:52", 1_794_792_532_000),
        ("yesterday", 0),
        ("2026-11-16T01:28:52+2:0:0", 0),
        ("2026-11-16T01:28:52+99:00", 0),
        ("2026-13-01T00:00:00Z", 0),
        ("", 0),
    ] {
        assert_eq!(moment(text), millis, "{text}");
    }
}

#[test]
fn a_pattern_stands_for_names() {
    for (pattern, name, wanted) in [
        ("*", "anything", true),
        ("*.jsonl", "a.jsonl", true),
        ("*.jsonl", "a.json", false),
        ("session-*.json*", "session-1.jsonl", true),
        ("rollout-*.jsonl", "rollout-2026-a.jsonl", true),
        ("chats", "chats", true),
        ("chats", "chat", false),
        ("a*b*c", "a1b2c", true),
        ("a*b*c", "a1c", false),
    ] {
        assert_eq!(fits(pattern, name), wanted, "{pattern} {name}");
    }
}

#[test]
fn a_folder_is_known_by_its_path_or_by_a_hash_of_it() {
    let folder = Path::new("/srv/shop");
    assert!(FolderMark::Path(folder.to_owned()).is(folder));
    let digest = super::place::sha256("/srv/shop");
    assert!(digest.len() == 64 && FolderMark::Sha256(digest.clone()).is(folder));
    assert!(!FolderMark::Sha256(digest).is(Path::new("/srv")));
}

#[test]
fn a_document_gives_its_messages_once_it_is_whole() {
    assert_eq!(units(r#"{"messages":[{"id":"a"},{"id":"b"}]}"#).unwrap(), [r#"{"id":"a"}"#, r#"{"id":"b"}"#]);
    assert_eq!(units(r#"{"messages":[{"id":"a"},{"#), None);
    assert_eq!(Form::of(Path::new("/a/session-1.json")), Form::Whole);
    assert_eq!(Form::of(Path::new("/a/session-1.jsonl")), Form::Lines);
}

#[test]
fn what_stands_early_is_found_in_a_beginning() {
    assert_eq!(early_text(r#"{"a":1, "cwd" : "/x\"y", "rest": [1,2"#, "cwd").as_deref(), Some("/x\"y"));
    assert_eq!(early_text(r#"{"cwd": "/cut"#, "cwd"), None);
    assert_eq!(early_text("", "cwd"), None);
}

#[test]
fn of_much_output_the_end_is_kept() {
    let long: String = (0..5_000).map(|number| format!("line {number}\n")).collect();
    let kept = result(true, &long);
    assert_eq!(kept.clipped, Some(true));
    assert!(kept.output.len() <= 16_000 && kept.output.starts_with("line ") && kept.output.ends_with("line 4999"));
    assert_eq!(result(false, "\u{1b}[31mno\u{1b}[0m\n").output, "no");
    assert_eq!(plain("a\u{1b}[1;2Hb\u{1b}"), "ab");
}

#[test]
fn a_replacement_counts_its_lines() {
    assert_eq!(replacement("a", "x\ny\n", "z").unified, "@@ -1,2 +1,1 @@\n-x\n-y\n+z");
    assert_eq!(replacement("a", "", "z\n").unified, "@@ -0,0 +1,1 @@\n+z");
}

#[test]
fn a_later_result_replaces_an_earlier_one_and_keeps_what_was_changed() {
    let said = Said { id: "a".to_owned(), at: 1, agent: None };
    let mut message = said.tool("Edit", None, "", &json!({}));
    let diff = Some(vec![replacement("a", "", "z")]);
    join(&mut message, ToolResult { diff: diff.clone(), ..result(true, "set to work") });
    join(&mut message, result(true, "done"));
    let MessageBody::Tool { result: Some(joined), .. } = message.body else { panic!("a tool") };
    assert_eq!((joined.output.as_str(), joined.diff), ("done", diff));
}

/// Lines of every CLI's samples.
#[test]
fn only_small_pictures_of_known_kinds_are_taken() {
    let mut pictures = Pictures::default();
    assert!(pictures.take("image/png", "AAAA"));
    assert!(pictures.take_address("data:image/png;base64,AAAA"), "the same again");
    for (kind, data) in [("image/svg+xml", "AAAA"), ("text/html", "AAAA"), ("image/png", "")] {
        assert!(!pictures.take(kind, data), "{kind}");
    }
    assert!(!pictures.take("image/png", &"A".repeat(7_000_001)));
    assert!(!pictures.take_address("https://example.org/a.png"));
    let (infos, entries) = pictures.into_parts();
    assert_eq!((infos.map(|infos| infos.len()), entries.len()), (Some(1), 1));
}

fn sample_lines() -> Vec<&'static str> {
    let files = [
        include_str!("../claude/transcripts/2.1.325.jsonl"),
        include_str!("../claude/transcripts/2.1.325-subagent.jsonl"),
        include_str!("../claude/transcripts/2.0.76.jsonl"),
        include_str!("../codex/transcripts/0.166.0.jsonl"),
        include_str!("../gemini/transcripts/0.61.0.jsonl"),
        include_str!("../qwen/transcripts/0.24.4.jsonl"),
        include_str!("../copilot/transcripts/1.0.102.jsonl"),
    ];
    files.iter().flat_map(|file| file.lines()).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever stands in a file, cut off anywhere or with a piece taken out of it, nobody falls over it.
    #[test]
    fn garbled_lines_are_survived(line in proptest::sample::select(sample_lines()), from in 0.0..1.0f64, to in 0.0..1.0f64) {
        let at = |part: f64| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in a line")]
            let near = (part * line.len() as f64) as usize;
            (near..=line.len()).find(|at| line.is_char_boundary(*at)).unwrap_or(line.len())
        };
        let (from, to) = (at(from.min(to)), at(from.max(to)));
        for garbled in [line[..from].to_owned(), format!("{}{}", &line[..from], &line[to..]), line[from..to].to_owned()] {
            for adapter in all_adapters() {
                let _ = (adapter.read_transcript(&garbled), adapter.read_title(&garbled), adapter.read_head("a.jsonl", &garbled));
            }
        }
    }

    /// A line whose values are of other types than expected is survived, too.
    #[test]
    fn other_types_are_survived(line in proptest::sample::select(sample_lines()), number in 0usize..40, put in 0usize..5) {
        let Ok(mut value) = serde_json::from_str::<serde_json::Value>(line) else { return Ok(()) };
        let other = [json!(null), json!(7), json!("text"), json!([1, {"type": "text"}]), json!({"type": []})][put].clone();
        let mut left = number;
        replace(&mut value, &mut left, &other);
        for adapter in all_adapters() {
            for entry in adapter.read_transcript(&value.to_string()) {
                if let TranscriptEntry::Message(message) = entry {
                    prop_assert!(serde_json::to_string(&message).is_ok());
                }
            }
        }
    }
}

/// Puts another value into the place of one that is so many steps in.
fn replace(value: &mut serde_json::Value, left: &mut usize, other: &serde_json::Value) {
    if *left == 0 {
        *value = other.clone();
        *left = usize::MAX;
        return;
    }
    if *left == usize::MAX {
        return;
    }
    *left -= 1;
    match value {
        serde_json::Value::Array(list) => list.iter_mut().for_each(|value| replace(value, left, other)),
        serde_json::Value::Object(map) => map.values_mut().for_each(|value| replace(value, left, other)),
        _ => {}
    }
}
