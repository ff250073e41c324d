//! How a reading is compared with what a person saw: the rules of the corpus.
//!
//! Labels are compared without white space and case, a key hint in brackets at the end dropped, quotes alike, and one that
//! the CLI cut with `…` by its beginning; a row that takes text may show what was typed instead of its label. Where the CLI
//! scrolls its list, the visible part is enough (`visibleOptions`, `visibleSelected`). Everything else in `expected` is
//! compared as far as it is there.

use serde_json::{Value, json};

use super::Case;
use crate::{
    Reading, SightedOption, Sighting,
    layout::{hints, squash, strokes},
};

/// What is wrong with a reading, each with a word for what it is about.
pub(super) fn mismatches(case: &Case, reading: &Reading) -> Vec<(&'static str, String)> {
    let state = reading.state();
    let mut wrong = Vec::new();
    match (case.kind(), reading) {
        (_, Reading::Prompt(sighting)) if case.is_prompt() => wrong.extend(prompt(case, sighting)),
        ("aside", Reading::Aside { sighting, .. }) => wrong.extend(prompt(case, sighting)),
        _ if case.is_prompt() => return vec![("found", format!("missed ({state})"))],
        ("startup", Reading::Startup(dialog)) => wrong.extend(options(case, &dialog.sighting)),
        ("startup", _) => return vec![("startup", format!("read as {state}"))],
        ("none", reading) if reading.sighting().is_some() => return vec![("false alarm", state.to_owned())],
        ("none", _) => {}
        (kind, _) if kind != state => return vec![("state", format!("{kind} read as {state}"))],
        _ => {}
    }
    let told = told(reading);
    for (key, wanted) in case.meta.expected.as_object().into_iter().flatten() {
        if let Some((what, got)) = told.iter().find(|(what, _)| what == key)
            && got != wanted
        {
            wrong.push((*what, format!("{got}, want {wanted}")));
        }
    }
    wrong
}

/// What is compared to the letter.
fn told(reading: &Reading) -> Vec<(&'static str, Value)> {
    match reading {
        Reading::Ready(composer) => vec![("draft", json!(composer.draft))],
        Reading::Busy { detail, composer } => vec![
            ("detail", json!(detail)),
            ("composer", json!(composer.is_some())),
            ("draft", json!(composer.as_ref().map(|composer| composer.draft.as_str()))),
        ],
        Reading::Prompt(sighting) | Reading::Aside { sighting, .. } => {
            let texts = sighting.text.iter().chain(sighting.options.iter().filter_map(|option| option.text.as_ref()));
            let mut values = texts.clone().map(|text| text.value.as_str()).filter(|value| !value.is_empty());
            let default = items(sighting).find(|option| option.description.as_deref() == Some("default"));
            let checked = (0..).zip(items(sighting)).filter(|(_, option)| option.checked == Some(true));
            vec![
                ("multiSelect", json!(sighting.multi_select)),
                ("checked", json!(checked.map(|(at, _): (usize, _)| at).collect::<Vec<_>>())),
                ("value", json!(values.next())),
                ("secret", json!(texts.clone().any(|text| text.secret))),
                ("placeholder", json!(texts.clone().find_map(|text| text.placeholder.as_deref()))),
                ("default", json!(default.map(|option| option.label.as_str()))),
                ("roles", json!(items(sighting).map(|option| option.role).collect::<Vec<_>>())),
                ("shortcuts", json!(items(sighting).map(|option| option.hint.as_deref()).collect::<Vec<_>>())),
                ("moreOptions", json!(sighting.more_options)),
                ("confidence", json!(sighting.confidence)),
                ("build", json!(sighting.build)),
                ("questionIndex", json!(sighting.question_index)),
            ]
        }
        _ => Vec::new(),
    }
}

fn prompt(case: &Case, sighting: &Sighting) -> Vec<(&'static str, String)> {
    let expected = &case.meta.expected;
    let mut wrong = options(case, sighting);
    let kind = serde_json::to_value(sighting.kind).unwrap();
    let wanted = match case.kind() {
        "loop" => "loop-detected",
        "aside" => "question",
        kind => kind,
    };
    if kind != wanted {
        wrong.push(("type", kind.to_string()));
    }
    let takes_text = sighting.text.is_some() || items(sighting).any(|option| option.text.is_some());
    let hides = !expected["hiddenOptions"].is_null();
    if expected["textInput"].as_bool().is_some_and(|wanted| wanted != takes_text && !hides) {
        wrong.push(("textInput", format!("{takes_text}")));
    }
    // A title was written down up to its first wrap, cut with dots, or with `<…>` for what differs from run to run. Codex
    // 0.50 cuts its own. Where the top of a dialog is clipped the title is not on the screen.
    if let Some(wanted) = expected["title"].as_str().map(|title| normal(beginning(title))) {
        let got = normal(&sighting.title);
        let cut = !got.is_empty() && wanted.starts_with(&got);
        if !(got.contains(&wanted) || cut) && normal(&bare_text(case)).contains(&wanted) {
            wrong.push(("title", format!("{:?}, want {wanted:?}", sighting.title)));
        }
    }
    if let Some(wanted) = expected["description"].as_str().map(|text| normal(beginning(text)))
        && !normal(&sighting.description).contains(&wanted)
    {
        wrong.push(("description", format!("{:?}, want {wanted:?}", sighting.description)));
    }
    if let Some(wanted) = expected["toolName"].as_str()
        && sighting.tool_name.as_deref() != Some(wanted)
    {
        wrong.push(("toolName", format!("{:?}, want {wanted:?}", sighting.tool_name)));
    }
    let input = &expected["toolInput"];
    if !input.is_null() && sighting.tool_input.as_ref() != Some(input) {
        wrong.push(("toolInput", format!("{:?}, want {input}", sighting.tool_input)));
    }
    if let Some(wanted) = expected["optionDescriptions"].as_array() {
        let got = items(sighting).map(|option| normal(option.description.as_deref().unwrap_or_default()));
        let wanted = wanted.iter().map(|text| normal(text.as_str().unwrap_or_default()));
        // A list beside a preview has no room for them.
        if sighting.text.is_none() && !got.clone().eq(wanted) {
            wrong.push(("optionDescriptions", format!("{:?}", got.collect::<Vec<_>>())));
        }
    }
    // Markdown may be wrapped, and says the same.
    if let Some(wanted) = expected["plan"].as_str().map(normal)
        && sighting.plan.as_deref().map(normal).as_ref() != Some(&wanted)
    {
        wrong.push(("plan", format!("{:?}", sighting.plan)));
    }
    if let Some(wanted) = expected["diff"].as_str() {
        let got: String = sighting.diff.iter().map(|file| file.unified.as_str()).collect();
        if got != wanted {
            wrong.push(("diff", got));
        }
    }
    if expected["questions"].is_array() && questions(sighting) != expected["questions"] {
        wrong.push(("questions", questions(sighting).to_string()));
    }
    wrong
}

fn options(case: &Case, sighting: &Sighting) -> Vec<(&'static str, String)> {
    let expected = &case.meta.expected;
    let mut wrong = Vec::new();
    let lists = [&expected["visibleOptions"], &expected["options"]];
    let lists: Vec<&Vec<Value>> = lists.iter().filter_map(|list| list.as_array()).collect();
    let options: Vec<&SightedOption> = items(sighting).collect();
    let fits = |list: &&Vec<Value>| {
        // A screen to read and go on from has a key and no rows.
        let notice = list.is_empty() && case.kind() == "startup";
        let same = |(label, option): (&Value, &&SightedOption)| {
            option.text.is_some() || is_same(label.as_str().unwrap_or_default(), &option.label)
        };
        notice || list.len() == options.len() && list.iter().zip(&options).all(same)
    };
    if let Some(wanted) = lists.first().filter(|_| !lists.iter().any(fits)) {
        let labels: Vec<&str> = options.iter().map(|option| option.label.as_str()).collect();
        wrong.push(("options", format!("{labels:?}, want {wanted:?}")));
    }
    let number = |key: &str| expected[key].as_u64().and_then(|number| usize::try_from(number).ok());
    if let Some(wanted) = number("selectedIndex").filter(|_| !options.is_empty()) {
        let selected = sighting.selected_item();
        if selected != Some(wanted) && selected != number("visibleSelected") {
            wrong.push(("selectedIndex", format!("{selected:?}, want {wanted}")));
        }
    }
    wrong
}

fn items(sighting: &Sighting) -> impl Iterator<Item = &SightedOption> + Clone {
    sighting.options.iter().filter(|option| option.is_item())
}

fn questions(sighting: &Sighting) -> Value {
    let told = sighting.questions.iter().map(|question| {
        let checked = (0..).zip(&question.options).filter(|(_, option)| option.checked == Some(true));
        json!({
            "header": question.header,
            "question": question.question,
            "options": question.options.iter().map(|option| option.label.as_str()).collect::<Vec<_>>(),
            "checked": checked.map(|(at, _): (usize, _)| at).collect::<Vec<_>>(),
            "multiSelect": question.multi_select == Some(true),
            "textInput": question.text_input.is_some(),
        })
    });
    told.collect()
}

/// The screen's words without the sides of its boxes.
fn bare_text(case: &Case) -> String {
    case.screen().plain_text().replace(strokes::is_vertical, "")
}

fn beginning(text: &str) -> &str {
    text.split(['<', '…']).next().unwrap_or_default().split("...").next().unwrap_or_default()
}

fn is_same(wanted: &str, label: &str) -> bool {
    let (wanted, label) = (normal(wanted), normal(label));
    let begins = |cut: &str, whole: &str| {
        cut.split_once('…').is_some_and(|(head, _)| head.chars().count() >= 4 && whole.starts_with(head))
    };
    wanted == label || begins(&wanted, &label) || begins(&label, &wanted)
}

/// Without blanks, case, key hint and full stop; quotes straight.
fn normal(text: &str) -> String {
    let text = squash(text).replace(['‘', '’'], "'").replace(['“', '”'], "\"").to_lowercase();
    let (words, _) = hints::split_hint(&text);
    words.trim_end_matches('.').to_owned()
}
