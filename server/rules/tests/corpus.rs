//! The cases in `corpus/`: no false allow, few false questions.

#![expect(clippy::disallowed_methods, clippy::expect_used, reason = "the cases are files")]

use std::{collections::HashSet, fs, path::Path};

use answerback_rules::{Verdict, cases::Case};
use serde_json::Value;

struct Expected {
    file: String,
    case: Case,
    verdicts: Vec<String>,
    floor: Option<bool>,
}

fn word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Allow => "allow",
        Verdict::Ask => "ask",
        Verdict::Deny => "deny",
    }
}

fn corpus() -> Vec<Expected> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus");
    let mut cases = Vec::new();
    for entry in fs::read_dir(folder).expect("corpus") {
        let path = entry.expect("entry").path();
        if path.extension().is_none_or(|end| end != "jsonl") {
            continue;
        }
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        for line in fs::read_to_string(&path).expect("cases").lines() {
            let value: Value = serde_json::from_str(line).expect(line);
            let mut verdicts = vec![value["verdict"].as_str().expect("verdict").to_owned()];
            verdicts.extend(
                value["also"].as_array().into_iter().flatten().filter_map(|each| Some(each.as_str()?.to_owned())),
            );
            let floor = value["floor"].as_bool();
            assert!(value["source"].as_str().is_some_and(|source| !source.is_empty()), "{line}");
            let case = serde_json::from_value(value).expect(line);
            cases.push(Expected { file: file.clone(), case, verdicts, floor });
        }
    }
    cases
}

#[test]
fn every_case_is_judged_as_it_should_be() {
    let mut wrong = Vec::new();
    for Expected { file, case, verdicts, floor } in corpus() {
        let judgement = case.judge();
        let verdict = word(judgement.verdict);
        let same =
            verdicts.iter().any(|each| each == verdict) && floor.is_none_or(|floor| floor == judgement.floor.is_some());
        if !same || judgement.why.is_empty() {
            let alarm = if verdict == "allow" { "FALSE ALLOW " } else { "" };
            wrong.push(format!(
                "{alarm}{file} {}: {}: want {verdicts:?} {floor:?}, got {verdict} {:?}: {}",
                case.id, case.input, judgement.floor, judgement.why
            ));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn the_corpus_is_large_and_each_case_has_its_name() {
    let cases = corpus();
    assert!(cases.len() >= 1000, "{}", cases.len());
    let names: HashSet<String> = cases.iter().map(|each| each.case.id.to_string()).collect();
    assert_eq!(names.len(), cases.len());
    for verdict in ["allow", "ask", "deny"] {
        assert!(cases.iter().filter(|each| each.verdicts[0] == verdict).count() >= 150, "{verdict}");
    }
}
