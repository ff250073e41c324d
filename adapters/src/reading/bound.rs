//! The size of a prompt. What is asked about can be megabytes: a hook tells the whole file that would be written, and again as a
//! change. Every phone gets every prompt in one message, so it is cut here, once, and says so.

use serde_json::Value;
use shared_types::{FileDiff, InteractivePrompt};

use crate::hook::strings_of;

/// How many bytes of a tool's input are carried: some thousand lines of a command, more than anybody reads on a phone.
pub const INPUT_LIMIT: usize = 64 * 1024;
/// How many bytes of all changes together are carried; as many as a conversation keeps of one.
pub const DIFF_LIMIT: usize = 100 * 1024;
/// How many bytes of a plan are carried.
pub const PLAN_LIMIT: usize = 64 * 1024;
/// How many bytes of a title, a description or a preview are carried.
pub const TEXT_LIMIT: usize = 16 * 1024;

/// Cuts what is too long, and marks the prompt as incomplete if anything was.
pub(super) fn bound(prompt: &mut InteractivePrompt) {
    let mut cut = cut_text(&mut prompt.title, TEXT_LIMIT);
    cut |= cut_text(&mut prompt.description, TEXT_LIMIT);
    cut |= prompt.plan.as_mut().is_some_and(|plan| cut_text(plan, PLAN_LIMIT));
    if let Some(input) = &mut prompt.tool_input {
        cut |= cut_value(input, &mut { INPUT_LIMIT });
    }
    if let Some(files) = &mut prompt.diff {
        cut |= cut_files(files);
    }
    let asked = prompt.questions.iter_mut().flatten().flat_map(|question| question.options.iter_mut());
    for option in prompt.options.iter_mut().flatten().chain(asked) {
        cut |= option.description.as_mut().is_some_and(|text| cut_text(text, TEXT_LIMIT));
        cut |= option.preview.as_mut().is_some_and(|text| cut_text(text, TEXT_LIMIT));
    }
    if cut {
        prompt.incomplete = Some(true);
    }
}

/// Cuts a text at the last character that fits. True when it was too long.
fn cut_text(text: &mut String, limit: usize) -> bool {
    if text.len() <= limit {
        return false;
    }
    let fits = (0..=limit).rev().find(|at| text.is_char_boundary(*at));
    text.truncate(fits.unwrap_or(0));
    true
}

/// Cuts texts, lists and objects once `left` bytes are used up; names and small values stay as long as they fit.
fn cut_value(value: &mut Value, left: &mut usize) -> bool {
    /// What a value costs beside its text: quotes, commas and the like.
    const COST: usize = 4;
    let spend = |left: &mut usize, size: usize| *left = left.saturating_sub(size + COST);
    match value {
        Value::String(text) => {
            let cut = cut_text(text, *left);
            spend(left, text.len());
            cut
        }
        Value::Array(items) => {
            let mut kept = 0;
            let mut cut = false;
            for item in items.iter_mut() {
                if *left == 0 {
                    break;
                }
                spend(left, 0);
                cut |= cut_value(item, left);
                kept += 1;
            }
            cut |= kept < items.len();
            items.truncate(kept);
            cut
        }
        Value::Object(fields) => {
            // Short fields first, so that a long text does not push out the path it belongs to.
            let size = |value: &Value| strings_of(value).into_iter().map(str::len).sum::<usize>();
            let mut names: Vec<(usize, String)> =
                fields.iter().map(|(name, value)| (size(value), name.clone())).collect();
            names.sort();
            let mut cut = false;
            for (_, name) in names {
                if *left < name.len() {
                    fields.remove(&name);
                    cut = true;
                } else if let Some(field) = fields.get_mut(&name) {
                    spend(left, name.len());
                    cut |= cut_value(field, left);
                }
            }
            cut
        }
        _ => {
            spend(left, 0);
            false
        }
    }
}

/// Cuts changes at a whole line, and leaves out files that have no room at all. Their names are among the prompt's files.
fn cut_files(files: &mut Vec<FileDiff>) -> bool {
    let mut left = DIFF_LIMIT;
    let mut cut = false;
    files.retain_mut(|file| {
        if left == 0 {
            cut = true;
            return false;
        }
        if cut_text(&mut file.unified, left) {
            file.unified.truncate(file.unified.rfind('\n').map_or(0, |end| end + 1));
            cut = true;
            left = 0;
        }
        left = left.saturating_sub(file.unified.len());
        true
    });
    cut
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;
    use shared_types::{AdapterKind, PromptId, PromptKind, PromptSource, SessionId};
    use uuid::Uuid;

    use super::*;
    use crate::Sighting;

    fn prompt(change: impl FnOnce(&mut Sighting)) -> InteractivePrompt {
        let mut sighting = Sighting::new(PromptKind::Permission, PromptSource::Hook, "hook");
        change(&mut sighting);
        sighting.to_prompt(PromptId(Uuid::nil()), SessionId(Uuid::nil()), AdapterKind::new("claude"), 0)
    }

    #[test]
    fn a_file_of_megabytes_is_cut_and_says_so() {
        let content = "ünï line\n".repeat(500_000);
        let added: String = content.lines().map(|line| format!("+{line}\n")).collect();
        let told = prompt(|sighting| {
            sighting.tool_input = Some(json!({ "content": content, "file_path": "/srv/a", "mode": [content, "x"] }));
            sighting.diff = ["a", "b"].map(|path| FileDiff { path: path.into(), unified: added.clone() }).into();
            sighting.plan = Some(content.clone());
            sighting.description.clone_from(&content);
        });
        assert_eq!(told.incomplete, Some(true));
        assert_eq!(told.tool_input.as_ref().unwrap()["file_path"], "/srv/a", "the path is kept");
        let size = serde_json::to_string(&told).unwrap().len();
        // Line ends take a byte more as JSON.
        assert!(size < (INPUT_LIMIT + DIFF_LIMIT + PLAN_LIMIT + TEXT_LIMIT) * 5 / 4, "{size}");
        let diff = told.diff.unwrap();
        assert!(diff[0].unified.ends_with("+ünï line\n") && diff.len() == 1, "cut at a whole line");
        assert_eq!(told.files.unwrap(), ["a", "b"]);
    }

    #[test]
    fn what_fits_is_left_alone() {
        let input = json!({ "command": "x".repeat(INPUT_LIMIT / 2), "deep": [{ "a": [1, true, null, "b"] }] });
        let told = prompt(|sighting| sighting.tool_input = Some(input.clone()));
        assert_eq!((told.tool_input, told.incomplete), (Some(input), None));
    }

    proptest! {
        #[test]
        fn no_character_is_split_and_no_cut_is_silent(text in "\\PC{0,40}", times in 1usize..6000, deep in any::<bool>()) {
            let long = text.repeat(times);
            let input = if deep { json!({ "a": { "b": [long, "end"] } }) } else { json!(long) };
            let told = prompt(|sighting| sighting.tool_input = Some(input.clone()));
            let kept = told.tool_input.unwrap();
            prop_assert_eq!(kept != input, told.incomplete == Some(true));
            prop_assert!(crate::hook::strings_of(&kept).iter().map(|text| text.len()).sum::<usize>() <= INPUT_LIMIT);
        }
    }
}
