//! What is typed, step by step, from what the screen shows.

use shared_types::{NamedKey, PromptResponse};

use super::{cases, sighting};
use crate::{
    Adapter, Keystroke, Refusal, Sighting, Step,
    answer::{
        Expect,
        responses::{check, choose, fill_in, nothing, say},
    },
    qwen::Qwen,
};

fn step(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    Qwen.answer(sighting, response)
}

fn press(keys: Vec<Keystroke>, expect: Expect) -> Result<Step, Refusal> {
    Ok(Step::Press { keys, expect })
}

fn enter() -> Result<Step, Refusal> {
    Ok(Step::Submit { keys: vec![Keystroke::ENTER] })
}

/// Plays a dialog that follows the keys, until they are the last ones. Gives what it looked like then.
fn play(mut prompt: Sighting, response: &PromptResponse) -> Result<Sighting, Refusal> {
    for _ in 0..40 {
        let keys = match step(&prompt, response)? {
            Step::Submit { keys } => {
                assert_eq!(keys, [Keystroke::ENTER]);
                return Ok(prompt);
            }
            Step::Press { keys, .. } => keys,
            Step::Type { .. } => panic!("it has no lines"),
        };
        let row = prompt.selected.expect("a cursor");
        match keys.as_slice() {
            [Keystroke::Named(NamedKey::Down)] => prompt.selected = Some(row + 1),
            [Keystroke::Named(NamedKey::Up)] => prompt.selected = Some(row - 1),
            [Keystroke::Named(NamedKey::Space)] => {
                let checked = &mut prompt.options[row].checked;
                *checked = checked.map(|checked| !checked);
            }
            [Keystroke::Text(text)] => {
                prompt.options[row].text.as_mut().expect("a field").value.clone_from(text);
            }
            [Keystroke::Named(NamedKey::End), ..] => {
                prompt.options[row].text.as_mut().expect("a field").value.clear();
            }
            other => panic!("{other:?} on row {row}"),
        }
    }
    panic!("it comes to no end");
}

#[test]
fn every_option_of_every_dialog_is_reached_and_taken() {
    let mut taken = 0;
    for case in cases() {
        let reading = case.reading();
        let Some(prompt) = reading.sighting().filter(|prompt| prompt.questions.is_empty() && !prompt.multi_select)
        else {
            continue;
        };
        for (row, value) in prompt.option_values().iter().enumerate() {
            let answered = play(prompt.clone(), &choose(value));
            match answered {
                Ok(answered) => assert_eq!(answered.selected, Some(row), "{} {value}", case.name),
                Err(Refusal::NoCursor) => assert_eq!(prompt.selected, None, "{}", case.name),
                Err(_) if prompt.selected.is_none() => {}
                Err(refusal) => {
                    assert!(prompt.options[row].text.is_some(), "{} {value}", case.name);
                    assert_eq!(refusal, Refusal::TextMissing, "{} {value}", case.name);
                    let answered = play(prompt.clone(), &say("my own")).expect("it takes text");
                    assert_eq!(answered.options[row].text.as_ref().expect("a field").value, "my own");
                }
            }
            taken += 1;
        }
    }
    assert!(taken > 150, "{taken}");
}

#[test]
fn options_that_were_cut_to_the_same_words_are_told_apart() {
    let prompt = sighting("perm-shell-long-0.24.4-46x30");
    let values = prompt.option_values();
    assert_ne!(values[1], values[2]);
    assert_eq!(play(prompt, &choose(&values[2])).unwrap().selected, Some(2));
}

#[test]
fn one_arrow_is_pressed_at_a_time() {
    let mut prompt = sighting("perm-shell-rm-0.24.4-80x24");
    assert_eq!(step(&prompt, &choose("Yes, allow once")), enter());
    assert_eq!(step(&prompt, &choose("No, suggest changes")), press(Keystroke::vertical(1), Expect::Selected(1)));
    prompt.selected = Some(3);
    assert_eq!(step(&prompt, &choose("Yes, allow once")), press(Keystroke::vertical(-1), Expect::Selected(2)));
    prompt.selected = None;
    assert_eq!(step(&prompt, &choose("Yes, allow once")), Err(Refusal::NoCursor));
}

#[test]
fn what_does_not_fit_is_refused() {
    let prompt = sighting("perm-shell-rm-0.24.4-80x24");
    assert_eq!(step(&prompt, &nothing()), Err(Refusal::NothingChosen));
    assert_eq!(step(&prompt, &choose("Perhaps")), Err(Refusal::UnknownOption("Perhaps".into())));
    assert_eq!(step(&prompt, &say("rather so")), Err(Refusal::NoTextTaken));
}

#[test]
fn boxes_are_checked_one_by_one_and_then_taken() {
    let prompt = sighting("question-multi-0.24.4-80x24");
    let checked = |prompt: &Sighting| prompt.options.iter().map(|row| row.checked == Some(true)).collect::<Vec<_>>();
    let answered = play(prompt.clone(), &check(&["Metrics", "Tracing"])).unwrap();
    assert_eq!(checked(&answered)[..3], [false, true, true]);
    // What somebody at the desk has checked meanwhile is not part of the answer.
    let mut other = prompt.clone();
    other.options[0].checked = Some(true);
    assert_eq!(checked(&play(other, &check(&["Tracing"])).unwrap())[..3], [false, false, true]);
    let both = PromptResponse { text_value: Some("alerts".into()), ..check(&["Logging"]) };
    let answered = play(prompt.clone(), &both).unwrap();
    assert!(checked(&answered)[0]);
    assert_eq!(answered.options[3].text.as_ref().unwrap().value, "alerts");
    assert_eq!(step(&prompt, &check(&["Perhaps"])), Err(Refusal::UnknownOption("Perhaps".into())));
}

#[test]
fn questions_on_tabs_are_answered_in_turn_and_reviewed() {
    let answers = fill_in(&[(&["SQLite"], None), (&["Logging"], None), (&["Yes"], None)]);
    let first = sighting("question-tabs-1-0.24.4-80x24");
    assert_eq!(step(&first, &answers), press(Keystroke::vertical(1), Expect::Selected(1)));
    let mut chosen = first.clone();
    chosen.selected = Some(1);
    assert_eq!(step(&chosen, &answers), press(vec![Keystroke::ENTER], Expect::Question(1)));
    let boxes = sighting("question-tabs-2-multi-0.24.4-80x24");
    assert_eq!(step(&boxes, &answers), press(vec![Keystroke::SPACE], Expect::Checked(0, true)));
    let review = sighting("question-tabs-4-submit-0.24.4-80x24");
    assert_eq!(step(&review, &answers), enter());
    // What was answered otherwise is gone back to.
    let other = fill_in(&[(&["SQLite"], None), (&["Metrics"], None), (&["Yes"], None)]);
    let left = press(vec![Keystroke::Named(NamedKey::Left)], Expect::Question(2));
    assert_eq!(step(&review, &other), left);
    let few = fill_in(&[(&["SQLite"], None)]);
    assert_eq!(step(&first, &few), Err(Refusal::AnswerCount { questions: 3, answers: 1 }));
}
