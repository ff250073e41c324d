//! What is typed, step by step, from what the screen shows.

use shared_types::PromptResponse;

use super::sighting;
use crate::{
    Adapter, Keystroke, Offer, Refusal, SightedOption, SightedText, Sighting, Step,
    answer::{
        Expect,
        responses::{check, choose, fill_in, nothing, say, with_text},
    },
    gemini::Gemini,
    keys::NamedKey,
};

fn step(sighting: &Sighting, response: &PromptResponse) -> Result<Step, Refusal> {
    Gemini.answer(sighting, response)
}

fn press(keys: Vec<Keystroke>, expect: Expect) -> Result<Step, Refusal> {
    Ok(Step::Press { keys, expect })
}

fn submit(keys: Vec<Keystroke>) -> Result<Step, Refusal> {
    Ok(Step::Submit { keys })
}

fn named(key: NamedKey) -> Keystroke {
    Keystroke::Named(key)
}

/// The keys that end a text: the first keeps Enter from being taken for a line break.
fn end_of_text() -> Vec<Keystroke> {
    vec![named(NamedKey::End), Keystroke::ENTER]
}

#[test]
fn a_permission_is_given_by_row_from_where_the_cursor_is() {
    let mut prompt = sighting("perm-edit-0.61.0-46x30");
    assert_eq!(step(&prompt, &choose("Allow once")), submit(vec![Keystroke::ENTER]));
    let down = press(Keystroke::vertical(3), Expect::Selected(3));
    assert_eq!(step(&prompt, &choose("No, suggest changes")), down);
    // The selection of the prompt before sticks.
    prompt.selected = Some(3);
    assert_eq!(step(&prompt, &choose("Allow once")), press(Keystroke::vertical(-3), Expect::Selected(0)));
    assert_eq!(step(&prompt, &choose("No, suggest changes")), submit(vec![Keystroke::ENTER]));
}

#[test]
fn what_does_not_fit_is_refused() {
    let mut prompt = sighting("perm-edit-0.61.0-46x30");
    assert_eq!(step(&prompt, &nothing()), Err(Refusal::NothingChosen));
    assert_eq!(step(&prompt, &choose("Perhaps")), Err(Refusal::UnknownOption("Perhaps".into())));
    let editor = "Modify with external editor";
    assert_eq!(step(&prompt, &choose(editor)), Err(Refusal::UnknownOption(editor.into())));
    assert_eq!(step(&prompt, &say("rather so")), Err(Refusal::NoTextTaken));
    let both = PromptResponse { text_value: Some("rather so".into()), ..choose("Allow once") };
    assert_eq!(step(&prompt, &both), Err(Refusal::NoTextTaken));
    prompt.selected = None;
    assert_eq!(step(&prompt, &choose("Allow once")), Err(Refusal::NoCursor));
}

#[test]
fn a_dialog_of_the_start_and_the_loop_are_answered_by_row() {
    let trust = sighting("startup-folder-trust-0.22.4-46x30");
    assert_eq!(step(&trust, &choose("Don't trust")), press(Keystroke::vertical(2), Expect::Selected(2)));
    assert_eq!(step(&trust, &choose("Trust folder (proj)")), submit(vec![Keystroke::ENTER]));
    let looping = sighting("loop-tool-0.22.4-80x24");
    let row = press(Keystroke::vertical(1), Expect::Selected(1));
    assert_eq!(step(&looping, &choose("Disable loop detection for this session")), row);
}

#[test]
fn a_text_is_typed_seen_and_sent() {
    let mut prompt = sighting("question-text-0.61.0-46x30");
    let typed = press(vec![Keystroke::Text("billing".into())], Expect::Text("billing".into()));
    assert_eq!(step(&prompt, &say("billing")), typed);
    let field =
        |value: &str| Some(SightedText { value: value.into(), ..sighting("question-text-0.61.0-46x30").text.unwrap() });
    prompt.text = field("billing");
    assert_eq!(step(&prompt, &say("billing")), submit(end_of_text()));
    // What somebody at the desk has begun to type is taken away first.
    prompt.text = field("bil");
    let clear = [vec![named(NamedKey::End)], vec![named(NamedKey::Backspace); 3]].concat();
    assert_eq!(step(&prompt, &say("other")), press(clear, Expect::Text(String::new())));
    assert_eq!(step(&prompt, &nothing()), Err(Refusal::TextMissing));
    assert_eq!(step(&prompt, &say("a\u{1b}b")), Err(Refusal::ControlCharacters));
}

#[test]
fn feedback_on_a_plan_goes_into_its_row() {
    let feedback = PromptResponse { text_value: Some("smaller\nsteps".into()), ..choose("Type your feedback...") };
    let prompt = sighting("plan-approval-0.61.0-46x30");
    assert_eq!(step(&prompt, &feedback), press(Keystroke::vertical(2), Expect::Selected(2)));
    assert_eq!(step(&prompt, &choose("Type your feedback...")), Err(Refusal::TextMissing));
    let mut focused = sighting("plan-approval-feedback-focused-0.61.0-80x24");
    let keys = vec![Keystroke::Text("smaller".into()), Keystroke::Ctrl('j'), Keystroke::Text("steps".into())];
    assert_eq!(step(&focused, &feedback), press(keys, Expect::TextEnd("smaller\nsteps".into())));
    // The row is then named by what was typed.
    focused.options[2].label = "smaller".into();
    focused.options[2].text =
        Some(SightedText { value: "smaller\nsteps".into(), focused: true, ..SightedText::default() });
    focused.options[2].text.as_mut().unwrap().multiline = true;
    assert_eq!(step(&focused, &feedback), submit(end_of_text()));
}

#[test]
fn an_option_out_of_view_is_scrolled_to_with_every_step_seen() {
    let mut prompt = sighting("question-choice-0.61.0-46x30");
    let wanted = choose("Something below");
    assert_eq!(step(&prompt, &wanted), press(Keystroke::vertical(2), Expect::Selected(2)));
    prompt.selected = Some(2);
    // Another option comes to where the cursor is.
    let lowest = prompt.options[2].label.clone();
    assert_eq!(step(&prompt, &wanted), press(Keystroke::vertical(1), Expect::Left(lowest)));
    // The same for a text whose row is out of view.
    prompt.selected = Some(1);
    assert_eq!(step(&prompt, &say("mine")), press(Keystroke::vertical(1), Expect::Selected(2)));
    // At the end of the list the first option follows, unless it is in view.
    for (index, number) in ["2", "3", "4"].into_iter().enumerate() {
        prompt.options[index].number = Some(number.into());
    }
    prompt.selected = Some(2);
    prompt.options[2].text = Some(SightedText::default());
    assert_eq!(step(&prompt, &wanted), press(Keystroke::vertical(1), Expect::Selected(0)));
    prompt.options[0].number = Some("1".into());
    assert_eq!(step(&prompt, &wanted), Err(Refusal::UnknownOption("Something below".into())));
}

/// Two boxes, one for all, a text row and the row that ends the list.
fn boxes(checked: [bool; 2], selected: usize) -> Sighting {
    let mut prompt = sighting("question-multiselect-0.61.0-80x24");
    let row = |label: &str, number: &str, checked: bool| SightedOption {
        checked: Some(checked),
        number: Some(number.into()),
        ..SightedOption::new(label)
    };
    let text =
        SightedText { placeholder: Some("Enter a custom value".into()), multiline: true, ..SightedText::default() };
    prompt.options = vec![
        row("One", "1", checked[0]),
        row("Two", "2", checked[1]),
        row("All of the above", "3", checked[0] && checked[1]),
        SightedOption { text: Some(text), ..row("Enter a custom value", "4", false) },
        SightedOption { offer: Offer::Withheld, ..SightedOption::new("Done") },
    ];
    prompt.selected = Some(selected);
    prompt.more_options = false;
    prompt
}

#[test]
fn every_box_is_seen_before_the_list_is_ended() {
    let toggle = |row, state| press(vec![Keystroke::ENTER], Expect::Checked(row, state));
    let one = check(&["One"]);
    assert_eq!(step(&boxes([false, false], 0), &one), toggle(0, true));
    assert_eq!(step(&boxes([true, true], 0), &one), press(Keystroke::vertical(1), Expect::Selected(1)));
    assert_eq!(step(&boxes([true, true], 1), &one), toggle(1, false));
    assert_eq!(step(&boxes([true, false], 1), &one), press(Keystroke::vertical(3), Expect::Selected(4)));
    assert_eq!(step(&boxes([true, false], 4), &one), submit(vec![Keystroke::ENTER]));
    // The box for all follows the others and is not toggled back.
    assert_eq!(step(&boxes([true, true], 4), &check(&["One", "Two"])), submit(vec![Keystroke::ENTER]));
    let all = check(&["All of the above"]);
    assert_eq!(step(&boxes([false, true], 2), &all), toggle(2, true));
    assert_eq!(step(&boxes([true, true], 4), &all), submit(vec![Keystroke::ENTER]));
    assert_eq!(step(&boxes([true, true], 4), &check(&[])), Err(Refusal::NothingChosen));
    let unknown = Err(Refusal::UnknownOption("Six".into()));
    assert_eq!(step(&boxes([true, true], 4), &check(&["Six"])), unknown);
}

#[test]
fn a_list_of_boxes_that_scrolls_is_ended_when_every_row_was_seen() {
    let all = boxes([true, false], 0).options;
    let view = |from: usize, selected: usize, out_of_view: &[usize]| Sighting {
        options: all[from..from + 3].to_vec(),
        selected: Some(selected),
        more_options: true,
        out_of_view: out_of_view.iter().map(|row| all[*row].clone()).collect(),
        ..boxes([true, false], 0)
    };
    let one = check(&["One"]);
    // All in view is right; the rest has never been seen.
    assert_eq!(step(&view(0, 0, &[]), &one), press(Keystroke::vertical(2), Expect::Selected(2)));
    let lowest = Expect::Left("All of the above".into());
    assert_eq!(step(&view(0, 2, &[]), &one), press(Keystroke::vertical(1), lowest));
    // At the end of the list, with the first rows out of view: known, so that it is ended; or not, so that they are looked at.
    assert_eq!(step(&view(2, 2, &[0, 1]), &one), submit(vec![Keystroke::ENTER]));
    assert_eq!(step(&view(2, 1, &[0, 1]), &one), press(Keystroke::vertical(1), Expect::Selected(2)));
    assert_eq!(step(&view(2, 2, &[]), &one), press(Keystroke::vertical(1), Expect::Selected(0)));
    assert_eq!(step(&view(2, 2, &[1]), &one), press(Keystroke::vertical(1), Expect::Selected(0)));
    // One that is out of view and not as wanted is brought back, and one that is no row is refused.
    assert_eq!(step(&view(2, 2, &[0, 1]), &check(&["Two"])), press(Keystroke::vertical(1), Expect::Selected(0)));
    let unknown = Err(Refusal::UnknownOption("Six".into()));
    assert_eq!(step(&view(2, 2, &[0, 1]), &check(&["One", "Six"])), unknown);
    // Whoever wants all is content with the row for all, wherever the others are.
    let mut checked = view(1, 1, &[0, 3, 4]);
    checked.options[1].checked = Some(true);
    let down = press(Keystroke::vertical(1), Expect::Selected(2));
    assert_eq!(step(&checked, &check(&["All of the above"])), down);
}

#[test]
fn boxes_on_a_tab_are_left_when_all_are_right() {
    let mut prompt = sighting("question-tabs-2-multi-0.61.0-80x24");
    let given = |options| fill_in(&[(&["PostgreSQL"], None), (options, None), (&[], Some("x")), (&["No"], None)]);
    assert_eq!(step(&prompt, &given(&["Logging"])), press(vec![Keystroke::ENTER], Expect::Checked(0, true)));
    prompt.options[0].checked = Some(true);
    assert_eq!(step(&prompt, &given(&["Logging"])), press(Keystroke::vertical(2), Expect::Selected(2)));
    prompt.out_of_view = boxes([false, false], 0).options[3..].to_vec();
    assert_eq!(step(&prompt, &given(&["Logging"])), press(vec![Keystroke::TAB], Expect::Question(2)));
}

#[test]
fn a_text_of_ones_own_goes_along_with_boxes() {
    let own = with_text("mine", check(&["One"]));
    assert_eq!(step(&boxes([true, false], 0), &own), press(Keystroke::vertical(3), Expect::Selected(3)));
    let typed = press(vec![Keystroke::Text("mine".into())], Expect::Text("mine".into()));
    assert_eq!(step(&boxes([true, false], 3), &own), typed);
    let mut prompt = boxes([true, false], 3);
    prompt.options[3].text.as_mut().unwrap().value = "mine".into();
    assert_eq!(step(&prompt, &own), press(Keystroke::vertical(1), Expect::Selected(4)));
    // A text that was not asked for is taken away.
    let without = step(&prompt, &check(&["One"]));
    assert!(matches!(without, Ok(Step::Press { expect: Expect::Text(text), .. }) if text.is_empty()));
}

#[test]
fn tabs_are_answered_in_turn_and_reviewed() {
    let given: &[(&[&str], Option<&str>)] =
        &[(&["PostgreSQL"], None), (&["Logging"], None), (&[], Some("my service")), (&["No"], None)];
    let response = fill_in(given);
    let first = sighting("question-tabs-1-0.61.0-46x30");
    assert_eq!(step(&first, &response), press(vec![Keystroke::ENTER], Expect::Question(1)));
    let third = sighting("question-tabs-3-text-0.61.0-46x30");
    let typed = press(vec![Keystroke::Text("my service".into())], Expect::Text("my service".into()));
    assert_eq!(step(&third, &response), typed);
    let mut filled = third.clone();
    filled.text.as_mut().unwrap().value = "my service".into();
    assert_eq!(step(&filled, &response), press(vec![Keystroke::TAB], Expect::Question(3)));
    let review = sighting("question-tabs-5-review-0.61.0-46x30");
    assert_eq!(step(&review, &response), submit(vec![Keystroke::ENTER]));
    // What was answered otherwise is answered again.
    let other = fill_in(&[given[0], given[1], (&[], Some("your service")), given[3]]);
    assert_eq!(step(&review, &other), press(vec![named(NamedKey::BackTab); 2], Expect::Question(2)));
    let skipped = fill_in(&[given[0], given[1], (&[], None), given[3]]);
    assert_eq!(step(&third, &skipped), press(vec![Keystroke::TAB], Expect::Question(3)));
    let count = Refusal::AnswerCount { questions: 4, answers: 1 };
    assert_eq!(step(&first, &fill_in(&given[..1])), Err(count));
    assert_eq!(step(&first, &choose("PostgreSQL")), Err(Refusal::AnswerCount { questions: 4, answers: 0 }));
}
