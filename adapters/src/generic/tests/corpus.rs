//! The screens of the corpus.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::{
    Adapter, Capture, Reading, Screen, Sighting,
    generic::Generic,
    screen::{Cursor, TtyMode},
};

/// One folder of the corpus.
pub(super) struct Case {
    pub(super) name: String,
    pub(super) screen: Screen,
    expected: Value,
}

/// Every folder of the corpus, by name.
#[expect(clippy::disallowed_methods, reason = "tests read their own cases")]
pub(super) fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/generic/screens");
    let mut folders: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let case = |path: &PathBuf| {
        let meta: Value = serde_json::from_str(&std::fs::read_to_string(path.join("meta.json")).unwrap()).unwrap();
        let text = std::fs::read_to_string(path.join("screen.ansi")).unwrap();
        let number = |value: &Value| u16::try_from(value.as_u64().unwrap()).unwrap();
        let flag = |value: &Value| value.as_bool().unwrap();
        let (cursor, tty) = (&meta["cursor"], &meta["tty"]);
        let capture = Capture {
            text,
            cols: number(&meta["cols"]),
            rows: number(&meta["rows"]),
            cursor: Cursor { x: number(&cursor["x"]), y: number(&cursor["y"]), visible: flag(&cursor["visible"]) },
            title: meta["title"].as_str().unwrap().to_owned(),
            alternate: flag(&meta["alternate"]),
            tty: tty.is_object().then(|| TtyMode { echo: flag(&tty["echo"]), canonical: flag(&tty["canonical"]) }),
            exit: None,
        };
        Case {
            name: path.file_name().unwrap().to_string_lossy().into_owned(),
            screen: Screen::from_capture(&capture),
            expected: meta["expected"].clone(),
        }
    };
    folders.iter().filter(|path| path.is_dir()).map(case).collect()
}

#[test]
fn every_screen_is_read_as_its_meta_says() {
    let mut wrong = Vec::new();
    for case in cases() {
        let read = described(&Generic.read_screen(&case.screen));
        // A meta names what matters for its case; what it leaves out is not compared.
        let differs = |(key, value): (&String, &Value)| read.get(key) != Some(value);
        if case.expected.as_object().unwrap().iter().any(differs) {
            let screen = case.screen.plain_text();
            wrong.push(format!("{}\n  expected {}\n  read     {read}\n{screen}\n", case.name, case.expected));
        }
    }
    assert!(wrong.is_empty(), "{} screens are read wrongly:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn there_are_as_many_look_alikes_as_questions() {
    let cases = cases();
    let prompts = cases.iter().filter(|case| case.expected["state"] == "prompt").count();
    let others = cases.len() - prompts;
    assert!(prompts >= 40 && others >= 40, "{prompts} prompts, {others} others");
    let alarms: Vec<&str> = cases
        .iter()
        .filter(|case| case.name.starts_with("not-") && case.expected["state"] == "prompt")
        .map(|case| case.name.as_str())
        .collect();
    assert!(alarms.is_empty(), "{alarms:?} are look-alikes");
}

fn described(reading: &Reading) -> Value {
    match reading {
        Reading::Ready(composer) => json!({ "state": "ready", "draft": composer.draft }),
        Reading::Busy { detail, composer } => {
            json!({ "state": "busy", "detail": detail, "composer": composer.is_some() })
        }
        Reading::Prompt(sighting) => prompt(sighting),
        Reading::Unrecognized => json!({ "state": "unrecognized" }),
        other => json!({ "state": format!("{other:?}") }),
    }
}

fn prompt(sighting: &Sighting) -> Value {
    let offered: Vec<_> = sighting.options.iter().filter(|option| option.is_offered()).collect();
    let texts = sighting.text.iter().chain(sighting.options.iter().filter_map(|option| option.text.as_ref()));
    let default = offered.iter().find(|option| option.description.as_deref() == Some("default"));
    json!({
        "state": "prompt",
        "kind": sighting.kind,
        "title": sighting.title,
        "labels": offered.iter().map(|option| option.label.as_str()).collect::<Vec<_>>(),
        "default": default.map(|option| option.label.as_str()),
        "selected": sighting.selected,
        "multi": sighting.multi_select,
        "checked": offered.iter().filter_map(|option| option.checked).collect::<Vec<_>>(),
        "more": sighting.more_options,
        "text": sighting.text.is_some(),
        "placeholder": sighting.text.as_ref().and_then(|text| text.placeholder.as_deref()),
        "secret": sighting.text.as_ref().is_some_and(|text| text.secret),
        "value": texts.map(|text| text.value.as_str()).next(),
        "confidence": sighting.confidence,
        "build": sighting.build,
    })
}
