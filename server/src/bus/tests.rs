use shared_types::{
    Actor, AdapterKind, AdapterMark, Answer, AnswerProgress, AnswerStep, InteractivePrompt, Message, MessageBody,
    MessageId, MessageRole, PromptKind, PromptOutcome, PromptSource, SessionState,
};
use tokio::sync::broadcast::error::{RecvError, TryRecvError};

use super::*;

fn adapters() -> Vec<AdapterInfo> {
    let kind = AdapterKind::new("demo");
    vec![AdapterInfo {
        kind,
        name: "Demo".to_owned(),
        short_name: "Demo".to_owned(),
        is_agent: false,
        mark: AdapterMark { icon: String::new(), light: String::new(), dark: String::new() },
        installed: true,
        modes: Vec::new(),
        takes_command: false,
        changes_mode: false,
        version: None,
        models: None,
    }]
}

fn bus() -> Bus {
    Bus::new(adapters())
}

fn session(number: u128, name: &str) -> Session {
    Session {
        id: SessionId(Uuid::from_u128(number)),
        name: name.to_owned(),
        adapter: AdapterKind::new("demo"),
        folder: "/".to_owned(),
        state: SessionState::Ready,
        state_since: 1,
        created_at: 1,
        last_line: String::new(),
        message_count: 0,
        has_messages: true,
        attach_command: String::new(),
        mode: None,
        conversation: None,
        usage: None,
        queued: Vec::new(),
        first_message: None,
        reviews: None,
        screen_only: None,
        started_by: None,
    }
}

fn named(name: &str) -> Event {
    Event::Session { session: session(1, name) }
}

fn prompt(number: u128, title: &str) -> InteractivePrompt {
    let sighting = adapters::Sighting::new(PromptKind::Question, PromptSource::Screen, "test");
    let id = PromptId(Uuid::from_u128(number));
    let mut prompt = sighting.to_prompt(id, SessionId(Uuid::from_u128(1)), AdapterKind::new("demo"), 1);
    title.clone_into(&mut prompt.title);
    prompt
}

fn progress(number: u128, step: AnswerStep) -> AnswerProgress {
    let answer = Answer { by: Actor::Desk, summary: "Yes".to_owned() };
    AnswerProgress { request_id: PromptId(Uuid::from_u128(number)), answer, step }
}

fn message(text: String) -> Event {
    let body = MessageBody::Text { text, streaming: false };
    let message =
        Message { id: MessageId("m".to_owned()), role: MessageRole::User, at: 1, body, agent: None, images: None };
    Event::Message { session_id: SessionId(Uuid::from_u128(1)), message }
}

/// The numbers of the events a page missed; nothing when it gets a snapshot.
fn numbers(catch_up: &CatchUp) -> Option<Vec<u64>> {
    match catch_up {
        CatchUp::Missed(events) => Some(events.iter().map(|event| event.seq).collect()),
        CatchUp::Snapshot { .. } => None,
    }
}

/// What a newcomer gets.
fn snapshot(bus: &Bus) -> (u64, Snapshot) {
    match bus.subscribe(None).0 {
        CatchUp::Snapshot { seq, snapshot } => (seq, snapshot),
        other => panic!("a snapshot expected: {other:?}"),
    }
}

#[tokio::test]
async fn events_are_numbered_from_one_and_arrive_in_order() {
    let bus = bus();
    assert_eq!(snapshot(&bus), (0, Snapshot { adapters: adapters(), ..Snapshot::default() }));
    let mut receiver = bus.listen();
    for number in 1..=3 {
        bus.publish(named(&number.to_string()));
    }
    for number in 1..=3 {
        let published = receiver.recv().await.expect("an event");
        assert_eq!(**published, SequencedEvent { seq: number, event: named(&number.to_string()) });
    }
    assert_eq!(receiver.try_recv().err(), Some(TryRecvError::Empty));
}

#[test]
fn who_comes_back_gets_what_it_missed_and_nothing_twice() {
    let bus = bus();
    for number in 0..5 {
        bus.publish(named(&number.to_string()));
    }
    for seen in 0..=5 {
        let (missed, mut receiver) = bus.subscribe(Some((bus.epoch(), seen)));
        assert_eq!(numbers(&missed), Some((seen + 1..=5).collect()), "after {seen}");
        assert_eq!(receiver.try_recv().err(), Some(TryRecvError::Empty), "after {seen}");
    }
}

#[test]
fn who_cannot_be_brought_up_to_date_gets_a_snapshot() {
    let bus = bus();
    for number in 0..=HISTORY {
        bus.publish(named(&number.to_string()));
    }
    let last = HISTORY as u64 + 1;
    let kept = bus.subscribe(Some((bus.epoch(), 1))).0;
    assert_eq!(numbers(&kept), Some((2..=last).collect()), "the oldest that is kept");
    for (seen, why) in [
        (None, "nothing seen yet"),
        (Some((Uuid::new_v4(), last)), "another run of the server"),
        (Some((bus.epoch(), 0)), "too long ago"),
        (Some((bus.epoch(), last + 1)), "from the future"),
        (Some((bus.epoch(), u64::MAX)), "from the far future"),
    ] {
        let CatchUp::Snapshot { seq, .. } = bus.subscribe(seen).0 else { panic!("{why}: no snapshot") };
        assert_eq!(seq, last, "{why}");
    }
}

#[test]
fn the_board_is_the_fold_of_all_events() {
    let bus = bus();
    let waiting = |prompt: InteractivePrompt, progress| PendingPrompt { prompt, progress };
    let (first, second) = (prompt(1, "first"), prompt(2, "second"));
    let failed = AnswerStep::Failed { reason: "why".to_owned() };
    let expect = |seq: u64, sessions: Vec<Session>, prompts: Vec<PendingPrompt>| {
        let board = Snapshot { sessions, prompts, adapters: adapters(), alerts: Vec::new(), rules: None };
        assert_eq!(snapshot(&bus), (seq, board));
    };

    bus.publish(named("a"));
    bus.publish(Event::Session { session: session(2, "b") });
    bus.publish(named("c"));
    expect(3, vec![session(1, "c"), session(2, "b")], vec![]);
    assert_eq!(bus.sessions(), [session(1, "c"), session(2, "b")]);

    bus.publish(Event::Prompt { prompt: second.clone() });
    bus.publish(Event::Prompt { prompt: first.clone() });
    bus.publish(Event::PromptProgress { progress: progress(1, AnswerStep::Sending) });
    bus.publish(Event::PromptProgress { progress: progress(1, failed.clone()) });
    // One that is not there any more stays away.
    bus.publish(Event::PromptProgress { progress: progress(3, AnswerStep::Sending) });
    let failed = Some(progress(1, failed));
    let both = vec![waiting(first, failed.clone()), waiting(second.clone(), None)];
    expect(8, vec![session(1, "c"), session(2, "b")], both);

    // Drawn otherwise, it keeps what became of its last answer.
    let redrawn = prompt(1, "first, in other words");
    bus.publish(Event::Prompt { prompt: redrawn.clone() });
    assert_eq!(bus.prompt(redrawn.request_id), Some(waiting(redrawn.clone(), failed)));
    bus.publish(Event::PromptClosed { request_id: redrawn.request_id, outcome: PromptOutcome::Gone, by: None });
    assert_eq!(bus.prompt(redrawn.request_id), None);

    bus.publish(message("not on the board".to_owned()));
    let session_id = SessionId(Uuid::from_u128(1));
    bus.publish(Event::MessageDelta { session_id, message_id: MessageId("m".to_owned()), text: "x".to_owned() });
    bus.publish(Event::SessionForgotten { session_id });
    expect(13, vec![session(2, "b")], vec![waiting(second, None)]);
    assert_eq!(bus.session(session_id), None);
}

#[test]
fn history_is_bounded_by_count_and_by_bytes() {
    let bus = bus();
    let kept = || bus.lock().history.len();
    for _ in 0..HISTORY + 10 {
        bus.publish(named("a"));
    }
    assert_eq!(kept(), HISTORY);

    let long = "x".repeat(HISTORY_BYTES / 4);
    for _ in 0..8 {
        bus.publish(message(long.clone()));
    }
    assert_eq!(kept(), 3, "four and their envelopes are too much");
    let held: usize = bus.lock().history.iter().map(|published| published.size).sum();
    assert_eq!(bus.lock().history_bytes, held);
    assert!(held <= HISTORY_BYTES, "{held}");

    // One that is too long by itself is told and not kept, and what came before it is no help any more.
    bus.publish(message("x".repeat(HISTORY_BYTES)));
    assert_eq!((kept(), bus.lock().history_bytes), (0, 0));
    let last = HISTORY as u64 + 19;
    assert_eq!(numbers(&bus.subscribe(Some((bus.epoch(), last - 1))).0), None);
    bus.publish(named("b"));
    assert_eq!(numbers(&bus.subscribe(Some((bus.epoch(), last))).0), Some(vec![last + 1]));
}

#[tokio::test]
async fn who_lags_is_told_and_the_others_get_everything() {
    let bus = bus();
    let (_, mut slow) = bus.subscribe(None);
    let (_, mut quick) = bus.subscribe(None);
    let last = QUEUE as u64 + 5;
    for number in 1..=last {
        bus.publish(named(&number.to_string()));
        assert_eq!(quick.recv().await.map(|published| published.seq), Ok(number));
    }
    assert_eq!(slow.recv().await.map(|published| published.seq), Err(RecvError::Lagged(5)));
    assert_eq!(quick.try_recv().err(), Some(TryRecvError::Empty));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn events_of_many_tasks_never_overtake_each_other() {
    let bus = std::sync::Arc::new(bus());
    let (_, mut receiver) = bus.subscribe(None);
    let mut tasks = tokio::task::JoinSet::new();
    for task in 0..8 {
        let bus = std::sync::Arc::clone(&bus);
        tasks.spawn(async move {
            for number in 0..100 {
                bus.publish(named(&format!("{task}/{number}")));
            }
        });
    }
    tasks.join_all().await;
    for number in 1..=800 {
        assert_eq!(receiver.recv().await.map(|published| published.seq), Ok(number));
    }
}

#[test]
fn update_changes_a_view_and_publishes_it() {
    let bus = bus();
    let mut events = bus.listen();
    assert!(!bus.update(SessionId(Uuid::from_u128(1)), |_| panic!("there is no such session")));
    assert_eq!(events.try_recv().err(), Some(TryRecvError::Empty));
    bus.publish(named("a"));
    assert!(bus.update(SessionId(Uuid::from_u128(1)), |view| view.name.push('b')));
    assert_eq!(events.try_recv().map(|published| published.seq), Ok(1));
    assert_eq!(**events.try_recv().expect("the update"), SequencedEvent { seq: 2, event: named("ab") });
    assert_eq!(bus.session(SessionId(Uuid::from_u128(1))), Some(session(1, "ab")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn updates_from_many_tasks_lose_nothing() {
    let bus = std::sync::Arc::new(bus());
    bus.publish(named(""));
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..4 {
        let bus = std::sync::Arc::clone(&bus);
        tasks.spawn(async move {
            for _ in 0..200 {
                assert!(bus.update(SessionId(Uuid::from_u128(1)), |view| view.message_count += 1));
            }
        });
    }
    tasks.join_all().await;
    assert_eq!(bus.session(SessionId(Uuid::from_u128(1))).map(|view| view.message_count), Some(800));
}

#[test]
fn frame_is_encoded_once_for_all_subscribers() {
    let bus = bus();
    let (mut first, mut second) = (bus.listen(), bus.listen());
    bus.publish(named("a"));
    let encoded = first.try_recv().expect("an event").frame(|event| Bytes::from(event.seq.to_string()));
    let shared = second.try_recv().expect("an event").frame(|_| panic!("it is encoded already"));
    assert_eq!((encoded, shared), (Bytes::from("1"), Bytes::from("1")));
}
