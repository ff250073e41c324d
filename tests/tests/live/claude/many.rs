//! Many prompts in a row, half of them equal to the one before: each has one id from the first sight of it to its verified answer.

use std::time::Duration;

use answerback_tests::model::Turn;
use serde_json::json;
use shared_types::{Event, PromptId, PromptOutcome, ServerMessage};

use super::{Claude, Way, both_ways, shell};

/// How many, unless `ANSWERBACK_APPROVALS` says otherwise.
const USUAL: usize = 30;
/// How many in one turn: the screen is full after a few, and then everything scrolls.
const IN_ONE_TURN: usize = 10;
/// How many equal ones follow each other: the next dialog stands where the answered one stood.
const EQUAL: usize = 2;
/// How long most of them are left alone: Claude Code draws what is above its dialog anew some ten milliseconds after it, and a
/// prompt that was taken for another one because of that had been told to be gone by then.
const STANDS: Duration = Duration::from_millis(400);

both_ways! {
    many_prompts_in_a_row_have_one_id_each;
}

async fn many_prompts_in_a_row_have_one_id_each(way: Way) {
    let count = std::env::var("ANSWERBACK_APPROVALS").map_or(USUAL, |count| count.parse().expect("a number"));
    let mut claude = Claude::new(way).await;
    let numbers: Vec<usize> = (0..count).collect();
    for turn in numbers.chunks(IN_ONE_TURN) {
        let commands: Vec<String> =
            turn.iter().map(|number| format!("echo once >> {}", name(number / EQUAL))).collect();
        let calls = commands.iter().map(|command| Turn::tool("Bash", shell(command)));
        claude.turns(calls.chain([Turn::say("That is all.")]).collect::<Vec<_>>()).await;
        for (number, command) in turn.iter().zip(&commands) {
            let mut prompt = claude.prompt().await;
            assert_eq!(prompt.tool_input, Some(json!(command)), "number {number}");
            // The rest are answered as soon as they are seen.
            if number % 3 != 0 {
                claude.live.phone.hear_for(STANDS).await;
            }
            while is_over(&claude, prompt.request_id) {
                prompt = claude.live.phone.wait_prompt(claude.session).await;
            }
            claude.choose(&prompt, "Yes").await;
        }
        claude.is_ready().await;
    }
    // The next one may come before the end of the last one is told: one hook has its answer, and the other asks already.
    let flickered: Vec<_> =
        lives(&claude).into_iter().filter(|(_, told)| *told != [Told::Came, Told::Verified]).collect();
    assert!(flickered.is_empty(), "{} of {count} prompts had more than one life: {flickered:#?}", flickered.len());
    assert_eq!(lives(&claude).len(), count);
    for number in 0..count.div_ceil(EQUAL) {
        let times = (count - EQUAL * number).min(EQUAL);
        assert_eq!(claude.file(&name(number)), "once\n".repeat(times), "command {number}");
    }
}

/// What a phone was told of a prompt.
#[derive(Debug, Clone, PartialEq)]
enum Told {
    Came,
    Verified,
    Over(PromptOutcome),
}

/// What was told of each prompt so far, without its changes while it was open.
fn lives(claude: &Claude) -> Vec<(PromptId, Vec<Told>)> {
    let told = claude.live.phone.all(|message| match message {
        ServerMessage::Event(event) => match &event.event {
            Event::Prompt { prompt } => Some((prompt.request_id, Told::Came)),
            Event::PromptClosed { request_id, outcome: PromptOutcome::Verified { .. }, .. } => {
                Some((*request_id, Told::Verified))
            }
            Event::PromptClosed { request_id, outcome, .. } => Some((*request_id, Told::Over(outcome.clone()))),
            _ => None,
        },
        _ => None,
    });
    let mut lives: Vec<(PromptId, Vec<Told>)> = Vec::new();
    for (id, told) in told {
        match lives.iter_mut().find(|(known, _)| *known == id) {
            Some((_, life)) if told == Told::Came && life.last() == Some(&Told::Came) => {}
            Some((_, life)) => life.push(told),
            None => lives.push((id, vec![told])),
        }
    }
    lives
}

fn is_over(claude: &Claude, id: PromptId) -> bool {
    lives(claude).iter().any(|(known, told)| *known == id && told.last() != Some(&Told::Came))
}

/// A name without a digit in it: those are not taken for a change of what is above a prompt, because they may be a clock's.
fn name(number: usize) -> String {
    let letter = |digit| char::from(b'a' + u8::try_from(digit % 26).expect("a letter"));
    ["made-".to_owned(), letter(number / 26).to_string(), letter(number).to_string()].concat()
}
