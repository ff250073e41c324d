use shared_types::{Answer, AnswerProgress, SessionId};
use uuid::Uuid;

use super::*;

fn prompt(number: u128, seen: Millis) -> InteractivePrompt {
    let sighting =
        adapters::Sighting::new(shared_types::PromptKind::Permission, shared_types::PromptSource::Screen, "test");
    sighting.to_prompt(PromptId(Uuid::from_u128(number)), SessionId(Uuid::nil()), AdapterKind::new("claude"), seen)
}

fn answer(by: Actor) -> Answer {
    Answer { by, summary: "Yes".to_owned() }
}

fn step(prompt: &InteractivePrompt, step: AnswerStep) -> Event {
    let progress = AnswerProgress { request_id: prompt.request_id, answer: answer(Actor::Desk), step };
    Event::PromptProgress { progress }
}

fn closed(prompt: &InteractivePrompt, outcome: PromptOutcome) -> Event {
    Event::PromptClosed { request_id: prompt.request_id, outcome, by: None }
}

fn has(text: &str, line: &str) {
    assert!(text.lines().any(|found| found == line), "no line {line} in:\n{text}");
}

#[test]
fn prompts_are_counted_by_what_came_of_them_and_how_long_it_took() {
    let counters = Counters::new();
    let rule = Actor::Rule { rule_id: "r".to_owned(), name: "a rule with secrets".to_owned() };
    let (first, second) = (prompt(1, 1000), prompt(2, 2000));
    counters.on_event(&Event::Prompt { prompt: first.clone() }, 1020);
    counters.on_event(&Event::Prompt { prompt: first.clone() }, 9000);
    counters.on_event(&step(&first, AnswerStep::Sending), 3000);
    counters.on_event(&step(&first, AnswerStep::Failed { reason: "secret".to_owned() }), 3100);
    counters.on_event(&step(&first, AnswerStep::Sending), 4000);
    counters.on_event(&closed(&first, PromptOutcome::Verified { answer: answer(rule) }), 4200);
    counters.on_event(&closed(&first, PromptOutcome::Gone), 4300);
    counters.on_event(&Event::Prompt { prompt: second.clone() }, 2000);
    counters.on_event(&closed(&second, PromptOutcome::SessionEnded), 5000);
    counters.on_connection(false);
    counters.on_connection(true);
    counters.on_notification("web-push", true);
    counters.on_notification("web-push", true);
    counters.on_notification("ntfy", false);
    let text = counters.render(Gauges { waiting: 3, store_bytes: 4096, ..Gauges::default() }).unwrap();

    has(&text, r#"answerback_prompts_total{cli="claude",kind="permission"} 2"#);
    for outcome in ["failed", "verified", "session-ended"] {
        let labels = format!(r#"{{cli="claude",kind="permission",outcome="{outcome}"}}"#);
        has(&text, &format!("answerback_prompt_outcomes_total{labels} 1"));
    }
    assert!(!text.contains(r#"outcome="gone""#), "it was over already:\n{text}");
    has(&text, r#"answerback_rule_answers_total{cli="claude"} 1"#);
    has(&text, r#"answerback_prompt_seen_to_published_seconds_count{cli="claude"} 2"#);
    has(&text, r#"answerback_prompt_seen_to_published_seconds_bucket{le="0.01",cli="claude"} 1"#);
    has(&text, r#"answerback_prompt_seen_to_published_seconds_bucket{le="0.025",cli="claude"} 2"#);
    has(&text, r#"answerback_answer_to_verified_seconds_sum{cli="claude"} 0.2"#);
    has(&text, r#"answerback_notifications_total{channel="web-push",outcome="taken"} 2"#);
    has(&text, r#"answerback_notifications_total{channel="ntfy",outcome="failed"} 1"#);
    has(&text, "answerback_connections_total 2");
    has(&text, "answerback_reconnections_total 1");
    has(&text, "answerback_prompts_waiting 3");
    has(&text, "answerback_store_size_bytes 4096");
    has(&text, &format!(r#"answerback_build_info{{version="{}"}} 1"#, env!("CARGO_PKG_VERSION")));
    assert!(text.ends_with("# EOF\n") && !text.contains("secret"), "{text}");
}

#[test]
fn prompt_answered_by_a_rule_before_it_is_shown_is_counted() {
    let counters = Counters::new();
    let rule = Actor::Rule { rule_id: "r".to_owned(), name: "a rule".to_owned() };
    counters.on_unpublished(&prompt(1, 1000), &PromptOutcome::Verified { answer: answer(rule) }, 1500);
    let text = counters.render(Gauges::default()).unwrap();
    has(&text, r#"answerback_prompts_total{cli="claude",kind="permission"} 1"#);
    has(&text, r#"answerback_rule_answers_total{cli="claude"} 1"#);
    has(&text, r#"answerback_prompt_outcomes_total{cli="claude",kind="permission",outcome="verified"} 1"#);
    assert!(!text.contains("answerback_prompt_seen_to_published_seconds_count{"), "nobody was told:\n{text}");
}
