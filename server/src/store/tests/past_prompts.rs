//! The history: what the facts of the journal say of each prompt, in pages and in numbers.

use rusqlite::params_from_iter;
use serde_json::json;
use shared_types::{
    ActorType, HistoryFilter, HistoryOutcome, HistoryRow, Insight, InsightGroup, InsightNumbers, PromptOption,
};

use super::*;
use crate::{
    journal::{Fact, FactKind, Verdict, Verifier},
    store::{HistoryPage, JournalFile, history::HistoryQuery},
};

const SHOP: SessionId = SessionId(Uuid::from_u128(1));
const BANK: SessionId = SessionId(Uuid::from_u128(2));
const DAY: u64 = 24 * 60 * 60 * 1000;

fn prompt_id(number: u8) -> PromptId {
    PromptId(Uuid::from_u128(100 + u128::from(number)))
}

fn started(session: SessionId, name: &str, folder: &str, at: u64) -> Fact {
    let body = json!({ "name": name, "adapter": "claude", "folder": folder });
    Fact::new(FactKind::SessionStarted, at).in_session(session).with(body)
}

fn asked(number: u8, session: SessionId, kind: PromptKind, command: &str) -> InteractivePrompt {
    let mut asked = prompt(session, &format!("May I run {command}?"));
    asked.request_id = prompt_id(number);
    (asked.kind, asked.adapter) = (kind, Some(AdapterKind::new("claude")));
    asked.tool_input = Some(json!({ "command": command }));
    asked.options = Some(vec![PromptOption { value: "1".to_owned(), label: "Yes".to_owned(), ..Default::default() }]);
    asked
}

fn seen(prompt: &InteractivePrompt, at: u64) -> Fact {
    Fact::prompt_shown(FactKind::PromptSeen, prompt, at)
}

fn about(number: u8, kind: FactKind, at: u64) -> Fact {
    Fact::new(kind, at).in_session(SHOP).about(prompt_id(number))
}

fn phone() -> Actor {
    Actor::Device { device_id: DeviceId(Uuid::from_u128(7)), name: "Anna's phone".to_owned() }
}

fn rule() -> Actor {
    Actor::Rule { rule_id: "r1".to_owned(), name: "tests may run".to_owned() }
}

fn answered(number: u8, by: Actor, answer: &str, at: u64) -> Fact {
    about(number, FactKind::Answered, at).by(by).with(json!({ "answer": answer, "refused": answer == "No" }))
}

/// Six prompts, one for each way to end, with times of their own.
fn facts() -> Vec<Fact> {
    let permission = PromptKind::Permission;
    vec![
        started(SHOP, "shop", "/srv/shop", 1),
        started(BANK, "bank", "/srv/bank", 2),
        seen(&asked(1, SHOP, permission, "cargo test"), 10),
        answered(1, phone(), "Yes", 14),
        about(1, FactKind::Verified, 15).by(phone()).with(json!({ "answer": "Yes" })),
        seen(&asked(2, SHOP, permission, "rm -rf build"), 20),
        answered(2, phone(), "No", 22),
        about(2, FactKind::Verified, 23).by(phone()).with(json!({ "answer": "No" })),
        seen(&asked(3, BANK, PromptKind::Question, "cargo bench"), 30),
        answered(3, rule(), "Yes", 30),
        about(3, FactKind::Failed, 31).with(json!({ "reason": "the dialog has changed" })),
        seen(&asked(4, SHOP, PromptKind::Unrecognized, "vim"), DAY),
        about(4, FactKind::Gone, DAY + 5).by(Actor::Desk),
        seen(&asked(5, BANK, permission, "git push"), DAY + 10),
        answered(5, phone(), "Yes", DAY + 40),
        about(5, FactKind::Unknown, DAY + 41).with(json!({ "reason": "the connection broke" })),
        seen(&asked(6, BANK, permission, "make"), DAY + 50),
    ]
}

async fn filled() -> (TempDir, Store) {
    let folder = folder();
    let store = open(&folder);
    store.record(facts()).await.expect("record");
    (folder, store)
}

async fn page(store: &Store, filter: HistoryFilter) -> Vec<HistoryRow> {
    let HistoryPage { rows, more } = store.history(filter, None, 50).await.expect("a page");
    assert!(!more);
    rows
}

fn numbers(rows: &[HistoryRow]) -> Vec<u128> {
    rows.iter().map(|row| row.request_id.0.as_u128() - 100).collect()
}

#[tokio::test]
async fn facts_of_a_prompt_become_one_row() {
    let (_folder, store) = filled().await;
    let rows = page(&store, HistoryFilter::default()).await;
    assert_eq!(numbers(&rows), [6, 5, 4, 3, 2, 1]);
    let first = HistoryRow {
        seq: 3,
        request_id: prompt_id(1),
        session_id: Some(SHOP),
        session_name: Some("shop".to_owned()),
        folder: Some("/srv/shop".to_owned()),
        adapter: Some(AdapterKind::new("claude")),
        kind: PromptKind::Permission,
        title: "May I run cargo test?".to_owned(),
        about: "cargo test".to_owned(),
        risk: None,
        seen_at: 10,
        answer: Some("Yes".to_owned()),
        by: Some(phone()),
        answered_at: Some(14),
        refused: false,
        outcome: HistoryOutcome::Verified,
        reason: None,
        ended_at: Some(15),
    };
    assert_eq!(rows[5], first);
    let ends: Vec<_> = rows.iter().map(|row| (row.outcome, row.refused, row.reason.as_deref())).collect();
    let expected = [
        (HistoryOutcome::Waiting, false, None),
        (HistoryOutcome::Unknown, false, Some("the connection broke")),
        (HistoryOutcome::Gone, false, None),
        (HistoryOutcome::Failed, false, Some("the dialog has changed")),
        (HistoryOutcome::Verified, true, None),
        (HistoryOutcome::Verified, false, None),
    ];
    assert_eq!(ends, expected);
    assert_eq!((rows[2].by.clone(), rows[2].answer.clone()), (Some(Actor::Desk), None));
}

#[tokio::test]
async fn end_of_a_session_ends_its_prompts_and_one_that_comes_back_waits() {
    let (_folder, store) = filled().await;
    store.record(vec![Fact::new(FactKind::SessionEnded, DAY + 60).in_session(BANK)]).await.expect("record");
    let outcomes = |rows: Vec<HistoryRow>| rows.into_iter().map(|row| row.outcome).collect::<Vec<_>>();
    let ended = HistoryFilter { outcome: Some(HistoryOutcome::SessionEnded), ..HistoryFilter::default() };
    assert_eq!(numbers(&page(&store, ended).await), [6, 5, 3]);
    let again = Fact::prompt_shown(FactKind::PromptChanged, &asked(6, BANK, PromptKind::Plan, "make all"), DAY + 70);
    store.record(vec![again]).await.expect("record");
    let rows = page(&store, HistoryFilter::default()).await;
    assert_eq!((rows[0].about.as_str(), rows[0].seen_at), ("make all", DAY + 50), "it is the same prompt");
    assert_eq!(outcomes(rows)[0], HistoryOutcome::Waiting);
}

#[tokio::test]
async fn history_filters_find_what_is_wanted() {
    let (_folder, store) = filled().await;
    let all = HistoryFilter::default;
    let text = |text: &str| HistoryFilter { text: Some(text.to_owned()), ..all() };
    let table: [(HistoryFilter, &[u128]); 17] = [
        (HistoryFilter { session_id: Some(SHOP), ..all() }, &[4, 2, 1]),
        (HistoryFilter { folder: Some("/srv/bank".to_owned()), ..all() }, &[6, 5, 3]),
        (HistoryFilter { adapter: Some(AdapterKind::new("claude")), ..all() }, &[6, 5, 4, 3, 2, 1]),
        (HistoryFilter { adapter: Some(AdapterKind::new("codex")), ..all() }, &[]),
        (HistoryFilter { actor: Some(ActorType::Rule), ..all() }, &[3]),
        (HistoryFilter { actor: Some(ActorType::Device), session_id: Some(SHOP), ..all() }, &[2, 1]),
        (HistoryFilter { outcome: Some(HistoryOutcome::Verified), ..all() }, &[2, 1]),
        (HistoryFilter { kind: Some(PromptKind::Permission), ..all() }, &[6, 5, 2, 1]),
        (HistoryFilter { since: Some(20), until: Some(DAY + 10), ..all() }, &[4, 3, 2]),
        (HistoryFilter { since: Some(DAY), kind: Some(PromptKind::Permission), ..all() }, &[6, 5]),
        (HistoryFilter { since: Some(9 * DAY), ..all() }, &[]),
        (text("CARGO"), &[3, 1]),
        (text("carg ann"), &[1]),
        (text("anna"), &[5, 2, 1]),
        (text("  "), &[6, 5, 4, 3, 2, 1]),
        (text("--- \" *"), &[]),
        (HistoryFilter { outcome: Some(HistoryOutcome::Failed), since: Some(30), ..text("cargo") }, &[3]),
    ];
    for (filter, expected) in table {
        assert_eq!(numbers(&page(&store, filter.clone()).await), expected, "{filter:?}");
    }
}

#[tokio::test]
async fn history_pages_meet() {
    let (_folder, store) = filled().await;
    for filter in [HistoryFilter::default(), HistoryFilter { text: Some("run".to_owned()), ..HistoryFilter::default() }]
    {
        let (mut before, mut pages) = (None, Vec::new());
        loop {
            let HistoryPage { rows, more } = store.history(filter.clone(), before, 4).await.expect("a page");
            before = rows.last().map(|row| row.seq);
            pages.push(numbers(&rows));
            if !more {
                break;
            }
        }
        assert_eq!(pages, [vec![6, 5, 4, 3], vec![2, 1]]);
    }
}

#[tokio::test]
async fn past_prompt_is_shown_as_it_was_answered() {
    let (_folder, store) = filled().await;
    let mut changed = asked(6, BANK, PromptKind::Permission, "make install");
    changed.digest = Some("of the second".to_owned());
    let mut later = changed.clone();
    (later.title, later.digest) = ("too late".to_owned(), Some("of the third".to_owned()));
    let answered =
        about(6, FactKind::Answered, 9).by(phone()).with(json!({ "answer": "Yes", "digest": "of the second" }));
    let told = json!({ "about": "needs-you", "channel": "web-push", "to": "iPhone", "taken": true });
    let not_told =
        json!({ "about": "needs-you", "channel": "ntfy", "to": "ntfy", "taken": false, "detail": "no answer" });
    let facts = vec![
        Fact::prompt_shown(FactKind::PromptChanged, &changed, DAY + 60),
        about(6, FactKind::Notification, 7).with(told),
        about(6, FactKind::Notification, 8).with(not_told),
        answered,
        Fact::prompt_shown(FactKind::PromptChanged, &later, DAY + 61),
    ];
    store.record(facts).await.expect("record");
    let past = store.past_prompt(prompt_id(6)).await.expect("read").expect("a prompt");
    assert_eq!(past.prompt, changed);
    let steps: Vec<_> = past.steps.iter().map(|step| (step.kind.as_str(), step.text.as_deref())).collect();
    let shown = ("prompt-changed", None);
    let told = |text| ("notification", Some(text));
    let (pushed, missed) = (told("iPhone (web-push): taken"), told("ntfy: no answer"));
    assert_eq!(steps, [("prompt-seen", None), shown, pushed, missed, ("answered", Some("Yes")), shown]);
    assert_eq!(past.steps[4].by, Some(phone()));
    assert_eq!(store.past_prompt(prompt_id(99)).await.expect("read"), None);
}

#[tokio::test]
async fn insight_counts_by_cli_session_and_day() {
    let (_folder, store) = filled().await;
    let Insight { total, adapters, sessions, days } = store.insight(0, 0).await.expect("numbers");
    let expected = InsightNumbers {
        prompts: 6,
        answered: 5,
        by_rule: 1,
        refused: 1,
        not_understood: 1,
        failed: 2,
        median_wait: Some(5),
    };
    assert_eq!(total, expected);
    let keys = |groups: &[InsightGroup]| {
        groups.iter().map(|group| (group.name.clone(), group.numbers.prompts)).collect::<Vec<_>>()
    };
    assert_eq!(keys(&adapters), [("claude".to_owned(), 6)]);
    assert_eq!(keys(&sessions), [("shop".to_owned(), 3), ("bank".to_owned(), 3)]);
    assert_eq!(keys(&days), [("1970-01-01".to_owned(), 3), ("1970-01-02".to_owned(), 3)]);
    let west = store.insight(0, -60).await.expect("numbers").days;
    assert_eq!(keys(&west), [("1969-12-31".to_owned(), 3), ("1970-01-01".to_owned(), 3)]);
    assert_eq!(store.insight(DAY + 45, 0).await.expect("numbers").total.prompts, 1);
}

/// Whatever the speed of the machine: a page is one walk down an index, and nothing is sorted.
#[tokio::test]
async fn history_pages_are_found_by_their_indexes() {
    let (folder, _store) = filled().await;
    let file = file(&folder);
    let all = HistoryFilter::default;
    let table = [
        (all(), None, "SCAN history"),
        (all(), Some(9), "SEARCH history USING INTEGER PRIMARY KEY (rowid<?)"),
        (HistoryFilter { session_id: Some(SHOP), kind: Some(PromptKind::Plan), ..all() }, None, "history_by_session"),
        (HistoryFilter { folder: Some("/srv".to_owned()), ..all() }, Some(9), "history_by_folder (folder=? AND seq<?)"),
        (HistoryFilter { outcome: Some(HistoryOutcome::Failed), ..all() }, None, "history_by_outcome (outcome=?)"),
        (HistoryFilter { actor: Some(ActorType::Rule), ..all() }, Some(9), "history_by_actor (actor_type=? AND seq<?)"),
        (HistoryFilter { kind: Some(PromptKind::Plan), ..all() }, None, "history_by_kind (kind=?)"),
        (HistoryFilter { adapter: Some(AdapterKind::new("codex")), ..all() }, None, "history_by_adapter (adapter=?)"),
        (HistoryFilter { since: Some(5), until: Some(9), ..all() }, None, "PRIMARY KEY (rowid>? AND rowid<?)"),
        (HistoryFilter { session_id: Some(SHOP), since: Some(5), ..all() }, None, "(session_id=? AND seq>?)"),
        (HistoryFilter { text: Some("cargo".to_owned()), ..all() }, Some(9), "SCAN history_words VIRTUAL TABLE INDEX"),
    ];
    for (filter, before, expected) in table {
        let query = HistoryQuery::new(&filter, before).expect("a query").expect("words");
        let mut statement = file.prepare(&format!("EXPLAIN QUERY PLAN {}", query.sql)).expect("a plan");
        let steps: Vec<String> = statement
            .query_map(params_from_iter(query.values), |row| row.get("detail"))
            .expect("a plan")
            .collect::<Result<_, _>>()
            .expect("a plan");
        assert!(!steps.iter().any(|step| step.contains("TEMP B-TREE")), "{filter:?} is sorted: {steps:?}");
        assert!(steps[0].contains(expected), "{filter:?}: {steps:?}");
        let scans = steps.iter().filter(|step| step.contains("SCAN") && !step.contains("CONSTANT ROW")).count();
        let expected = usize::from(expected.contains("SCAN"));
        assert_eq!(scans, expected, "{filter:?}: {steps:?}");
    }
}

/// What was kept before there was a history is in it as well.
#[tokio::test]
async fn journal_of_before_is_taken_into_the_history() {
    let (folder, store) = filled().await;
    let rows = page(&store, HistoryFilter::default()).await;
    drop(store);
    let old = file(&folder);
    let triggers: Vec<String> = old
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger' AND name GLOB 'history*'")
        .expect("triggers")
        .query_map([], |row| row.get(0))
        .expect("triggers")
        .collect::<Result<_, _>>()
        .expect("triggers");
    for name in triggers {
        old.execute_batch(&format!("DROP TRIGGER {name}")).expect("dropped");
    }
    old.execute_batch("DROP TABLE history_words; DROP TABLE history; DROP TABLE history_sessions;").expect("as before");
    // And what came after it.
    old.execute_batch("DROP TABLE chat_messages; DROP TABLE chats;").expect("as before");
    old.pragma_update(None, "user_version", 12).expect("as before");
    drop(old);
    let store = open(&folder);
    assert_eq!(page(&store, HistoryFilter::default()).await, rows);
    assert_eq!(
        numbers(&page(&store, HistoryFilter { text: Some("push".to_owned()), ..Default::default() }).await),
        [5]
    );
    assert!(matches!(checked(&folder), (Verdict::Fits(_), 0)));
}

fn checked(folder: &TempDir) -> (Verdict, u64) {
    let mut verifier = Verifier::new(&[]);
    let file = JournalFile::open(folder.path()).expect("the file");
    file.each(|row| {
        verifier.check(row).expect("it fits");
        std::ops::ControlFlow::Continue(())
    })
    .expect("rows");
    let dropped = verifier.dropped();
    (verifier.finish(), dropped)
}

#[tokio::test]
async fn what_is_too_old_is_dropped_and_the_rest_verifies() {
    let (folder, store) = filled().await;
    let head = store.journal_head().await.expect("head");
    assert_eq!(store.drop_journal_before(5, 2 * DAY).await.expect("dropped"), 2);
    assert_eq!(store.drop_journal_before(5, 2 * DAY).await.expect("nothing more"), 0);
    assert_eq!(store.drop_journal_before(DAY, 2 * DAY).await.expect("dropped"), 9);
    let (verdict, dropped) = checked(&folder);
    assert!(matches!(verdict, Verdict::Fits(now) if now.seq == head.seq + 2), "{verdict:?}");
    assert_eq!(dropped, 11);
    assert_eq!(numbers(&page(&store, HistoryFilter::default()).await), [6, 5, 4]);
    assert!(page(&store, HistoryFilter { text: Some("cargo".to_owned()), ..Default::default() }).await.is_empty());
    // Only what the checkpoint names can go.
    let error = file(&folder).execute("DELETE FROM journal WHERE seq = 12", []).expect_err("append-only");
    assert!(error.to_string().contains("append-only"), "{error}");
    // Everything is too old: the chain still goes on from its head.
    let mut dropped = 0;
    while let more @ 1.. = store.drop_journal_before(9 * DAY, 9 * DAY).await.expect("dropped") {
        dropped += more;
    }
    assert_eq!(dropped, 8);
    assert!(matches!(checked(&folder), (Verdict::Fits(_), 19)));
}
