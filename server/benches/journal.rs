//! `cargo bench --bench journal`: a journal of a million rows: what a page of it, a check of all and an answer's facts cost.

#![expect(clippy::expect_used, clippy::print_stdout, reason = "a benchmark reads the clock and prints its figures")]

use std::{
    ops::ControlFlow,
    time::{Duration, Instant},
};

use answerback::{
    journal::{Fact, FactKind, Verifier},
    store::{JournalFile, JournalFilter, Store},
};
use serde_json::json;
use shared_types::{Actor, DeviceId, HistoryFilter, HistoryOutcome, PromptId, SessionId};
use uuid::Uuid;

const ROWS: u64 = 1_000_000;
const BATCH: u64 = 10_000;
const SESSIONS: u64 = 500;
const PAGE: u32 = 50;
const ROUNDS: usize = 50;

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(folder.path()).expect("a store");
    let begun = Instant::now();
    for batch in 0..ROWS / BATCH {
        store.record((batch * BATCH..(batch + 1) * BATCH).map(fact).collect()).await.expect("recorded");
    }
    let size = std::fs::metadata(folder.path().join("answerback.db")).expect("the file").len();
    println!("{ROWS} rows in {:.1?}; {} bytes a row with its indexes", begun.elapsed(), size / ROWS);

    let all = JournalFilter::default;
    let table = [
        ("the newest page", all()),
        ("a page in the middle", JournalFilter { before: Some(ROWS / 2), ..all() }),
        ("a session", JournalFilter { sessions: Some(vec![session(7)]), ..all() }),
        ("fifty sessions of a folder", JournalFilter { sessions: Some((0..50).map(session).collect()), ..all() }),
        ("a prompt", JournalFilter { prompt: Some(prompt(77)), ..all() }),
        ("a rare kind", JournalFilter { kinds: vec![FactKind::DeviceRevoked], ..all() }),
        ("two kinds", JournalFilter { kinds: vec![FactKind::Answered, FactKind::Verified], ..all() }),
        ("what the desk did", JournalFilter { actor: Some("desk".to_owned()), ..all() }),
        ("the last hour", JournalFilter { since: Some(ROWS * 1000 - 3_600_000), ..all() }),
        ("an actor that is not there, by name", JournalFilter { actor: Some("nobody".to_owned()), ..all() }),
    ];
    for (name, filter) in table {
        measure(name, async || store.journal(filter.clone(), PAGE).await.expect("a page").rows.len()).await;
    }
    let every = HistoryFilter::default;
    let table = [
        ("history: the newest page", every(), None),
        ("history: a page in the middle", every(), Some(ROWS / 2)),
        ("history: a session", HistoryFilter { session_id: Some(session(4)), ..every() }, None),
        ("history: one outcome", HistoryFilter { outcome: Some(HistoryOutcome::Verified), ..every() }, None),
        (
            "history: an outcome that is not there",
            HistoryFilter { outcome: Some(HistoryOutcome::Expired), ..every() },
            None,
        ),
        ("history: a word that all have", HistoryFilter { text: Some("cargo".to_owned()), ..every() }, None),
        ("history: words that none has", HistoryFilter { text: Some("cargo nobody".to_owned()), ..every() }, None),
        ("history: the last hour", HistoryFilter { since: Some(ROWS * 1000 - 3_600_000), ..every() }, None),
    ];
    for (name, filter, before) in table {
        measure(name, async || store.history(filter.clone(), before, PAGE).await.expect("a page").rows.len()).await;
    }
    let all = async || store.insight(0, 0).await.map_or(0, |insight| insight.total.prompts as usize);
    measure("numbers of all prompts", all).await;
    measure("writing a fact", async || usize::from(store.record(vec![fact(1)]).await.is_ok())).await;
    measure("writing nothing", async || usize::from(store.record(Vec::new()).await.is_ok())).await;

    let begun = Instant::now();
    let mut verifier = Verifier::new(&[]);
    let file = JournalFile::open(folder.path()).expect("the file");
    let check = |row| if verifier.check(row).is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    file.each(check).expect("rows");
    println!("{:<38} {:>10.1?} {:?}", "checking all rows", begun.elapsed(), verifier.finish());
}

fn session(number: u64) -> SessionId {
    SessionId(Uuid::from_u128(1 << 100 | u128::from(number)))
}

fn prompt(number: u64) -> PromptId {
    PromptId(Uuid::from_u128(2 << 100 | u128::from(number)))
}

/// Four facts for each prompt, and a few others.
fn fact(number: u64) -> Fact {
    let kinds = [FactKind::PromptSeen, FactKind::Answered, FactKind::Pressed, FactKind::Verified];
    let kind = kinds[usize::try_from(number % 4).expect("small")];
    let kind = if number % 50_000 == 7 { FactKind::DeviceRevoked } else { kind };
    let phone = Actor::Device { device_id: DeviceId(Uuid::from_u128(3)), name: "phone".to_owned() };
    let actor = if number % 1000 == 1 { Actor::Desk } else { phone };
    let body = match kind {
        FactKind::PromptSeen => json!({
            "digest": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
            "prompt": { "title": "May I run this command?", "toolInput": { "command": "cargo test --workspace" },
                "options": [{ "value": "1", "label": "Yes" }, { "value": "2", "label": "No" }] },
        }),
        _ => json!({ "words": "Yes" }),
    };
    Fact::new(kind, number * 1000).in_session(session(number % SESSIONS)).about(prompt(number / 4)).by(actor).with(body)
}

async fn measure(name: &str, mut work: impl AsyncFnMut() -> usize) {
    let mut times: Vec<Duration> = Vec::new();
    for _ in 0..ROUNDS {
        let begun = Instant::now();
        std::hint::black_box(work().await);
        times.push(begun.elapsed());
    }
    times.sort_unstable();
    println!("{name:<38} {:>10.1?} median {:>10.1?} slowest", times[times.len() / 2], times[times.len() - 1]);
}
