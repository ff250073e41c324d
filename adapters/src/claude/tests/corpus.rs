//! Every captured screen is read as its meta.json says, by the rules of the corpus: labels without white space and key
//! hints, cut ones by their beginning.

use serde_json::Value;

use super::{Case, cases, state};
use crate::{Reading, SightedOption, Sighting};

/// Cases whose meta.json says what the screen does not show, and what is read instead.
const WRONG_META: &[(&str, &str)] = &[
    // The hint line with the three keys is clipped off the screen: the options cannot be read from it.
    ("perm-automode-unavailable-2.1.325-46x30", "options"),
    // Row 1 is clipped off the screen; `(row 1 clipped off the top)` is a remark, not a label.
    ("perm-bash-tiny-30x12-2.1.325", "options"),
    // The person is typing into row 3, and all other screens of this dialog say that it takes text.
    ("perm-bash-typing-2.0.76-120x40", "text"),
    // No dialog: an error message of a program that has ended.
    ("startup-bypass-root-refused-2.0.76-120x40", "startup"),
    ("startup-bypass-root-refused-2.1.325-120x40", "startup"),
];

#[test]
fn every_screen_is_read_as_its_meta_says() {
    let mut wrong: Vec<String> = Vec::new();
    for case in cases() {
        for (what, why) in mismatches(case) {
            let excepted = WRONG_META.contains(&(case.name.as_str(), what));
            if !excepted {
                wrong.push(format!("{}: {what}: {why}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn every_exception_is_still_needed() {
    for (name, what) in WRONG_META {
        let found = mismatches(&Case::named(name));
        assert!(found.iter().any(|(found, _)| found == what), "{name} is right by now: {found:?}");
    }
}

fn mismatches(case: &Case) -> Vec<(&'static str, String)> {
    let reading = case.reading();
    let state = state(&reading);
    match (case.kind(), &reading) {
        ("permission" | "question" | "plan", Reading::Prompt(sighting)) => prompt_mismatches(case, sighting),
        ("permission" | "question" | "plan", _) => vec![("found", format!("missed, {state}"))],
        ("startup", Reading::Startup(dialog)) => option_mismatches(case, &dialog.sighting),
        ("startup", _) => vec![("startup", format!("read as {state}"))],
        ("none", Reading::Prompt(_) | Reading::Startup(_)) => vec![("false alarm", state.to_owned())],
        ("none", _) => Vec::new(),
        (kind, _) if kind != state => vec![("state", format!("read as {state}"))],
        _ => Vec::new(),
    }
}

fn prompt_mismatches(case: &Case, sighting: &Sighting) -> Vec<(&'static str, String)> {
    let expected = &case.meta["expected"];
    let mut wrong = Vec::new();
    let kind = serde_json::to_value(sighting.kind).unwrap();
    if kind != case.meta["kind"] {
        wrong.push(("type", kind.to_string()));
    }
    wrong.extend(option_mismatches(case, sighting));
    if let Some(wanted) = expected["textInput"].as_bool() {
        let takes_text = sighting.text.is_some() || sighting.options.iter().any(|option| option.text.is_some());
        if takes_text != wanted {
            wrong.push(("text", format!("{takes_text}")));
        }
    }
    if let Some(wanted) = expected["multiSelect"].as_bool()
        && wanted != sighting.multi_select
    {
        wrong.push(("multi-select", format!("{}", sighting.multi_select)));
    }
    if let Some(wanted) = expected["checked"].as_array() {
        let checked: Vec<Value> = (0u64..)
            .zip(offered(sighting))
            .filter(|(_, option)| option.checked == Some(true))
            .map(|(at, _)| at.into())
            .collect();
        if checked != *wanted {
            wrong.push(("checked", format!("{checked:?}")));
        }
    }
    if let Some(wanted) = expected["optionDescriptions"].as_array() {
        let got: Vec<String> =
            offered(sighting).map(|option| normal(option.description.as_deref().unwrap_or_default())).collect();
        let wanted: Vec<String> = wanted.iter().map(|text| normal(text.as_str().unwrap_or_default())).collect();
        // A list beside a preview has no room for them.
        if sighting.text.is_none() && got != wanted {
            wrong.push(("descriptions", format!("{got:?}")));
        }
    }
    // Where the top is clipped the title is not on the screen.
    if let Some(wanted) = expected["title"].as_str().map(normal)
        && normal(&crate::Screen::from_capture(&case.capture).plain_text().replace('│', "")).contains(&wanted)
        && !normal(&sighting.title).contains(&wanted)
    {
        wrong.push(("title", sighting.title.clone()));
    }
    wrong
}

fn option_mismatches(case: &Case, sighting: &Sighting) -> Vec<(&'static str, String)> {
    let expected = &case.meta["expected"];
    let mut wrong = Vec::new();
    let wanted: Vec<&str> =
        expected["options"].as_array().unwrap().iter().map(|label| label.as_str().unwrap()).collect();
    let options: Vec<&SightedOption> = offered(sighting).collect();
    let fits = options.len() == wanted.len()
        && options.iter().zip(&wanted).all(|(option, wanted)| option.text.is_some() || same(wanted, &option.label));
    // A screen to read and go on from has a key and no rows.
    if !(fits || wanted.is_empty() && case.kind() == "startup") {
        let labels: Vec<&str> = options.iter().map(|option| option.label.as_str()).collect();
        wrong.push(("options", format!("{labels:?}, want {wanted:?}")));
    }
    if let Some(wanted) = expected["selectedIndex"].as_u64() {
        let selected = sighting.selected_item();
        if selected != usize::try_from(wanted).ok() {
            wrong.push(("cursor", format!("{selected:?}, want {wanted}")));
        }
    }
    wrong
}

fn offered(sighting: &Sighting) -> impl Iterator<Item = &SightedOption> {
    sighting.options.iter().filter(|option| option.is_item())
}

fn normal(text: &str) -> String {
    let text = text.replace(['’', '‘'], "'").replace(['“', '”'], "\"");
    let text: String = text.chars().filter(|ch| !ch.is_whitespace()).collect();
    let lower = text.to_lowercase();
    let cut = match lower.strip_suffix(')').and_then(|rest| rest.rsplit_once('(')) {
        Some((words, key)) if ["esc", "enter", "tab", "shift+tab"].contains(&key) => words,
        _ => &lower,
    };
    cut.trim_end_matches('.').to_owned()
}

fn same(wanted: &str, got: &str) -> bool {
    let (wanted, got) = (normal(wanted), normal(got));
    let cut = |cut: &str, whole: &str| {
        cut.split_once('…').is_some_and(|(head, _)| head.len() >= 4 && whole.starts_with(head))
    };
    wanted == got || cut(&wanted, &got) || cut(&got, &wanted)
}
