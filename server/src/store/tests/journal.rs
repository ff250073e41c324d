//! Facts are written with what they tell about, and outlive it.

use super::*;
use crate::{
    journal::{Entry, Fact, FactKind, Head, Row},
    store::journal::journal_row,
};

/// All rows, oldest first.
fn rows(folder: &TempDir) -> Vec<Row> {
    let file = file(folder);
    let mut statement = file.prepare("SELECT * FROM journal ORDER BY seq").expect("the journal");
    let rows = statement.query_map([], journal_row).expect("rows");
    rows.collect::<Result<_, _>>().expect("rows")
}

fn kinds(folder: &TempDir) -> Vec<String> {
    rows(folder).into_iter().map(|row| row.entry.kind).collect()
}

fn fact(kind: FactKind, at: u64) -> Vec<Fact> {
    vec![Fact::new(kind, at)]
}

#[tokio::test]
async fn life_of_a_prompt_is_kept_in_the_journal() {
    let folder = folder();
    let store = open(&folder);
    let record = record(1);
    let session = record.id;
    let started = Fact::session_runs(FactKind::SessionStarted, &record, 1);
    store.add_session(record, None, vec![started.clone()]).await.expect("add");
    let prompt = prompt(session, "May I?");
    let id = prompt.request_id;
    let seen = Fact::prompt_shown(FactKind::PromptSeen, &prompt, 5);
    store.put_prompt(session, prompt, Fingerprint(1), 5, vec![seen.clone()]).await.expect("put");
    let about = |kind, at| Fact::new(kind, at).in_session(session).about(id);
    let answered = |name: &str, at| about(FactKind::Answered, at).by(answer(name).by);
    assert!(store.begin_answer(id, answer("one"), attempt(), 6, vec![answered("one", 6)]).await.expect("begin"));
    assert!(!store.begin_answer(id, answer("two"), attempt(), 7, vec![answered("two", 7)]).await.expect("late"));
    store.advance_attempt(id, &attempt(), vec![about(FactKind::Pressed, 8)]).await.expect("advance");
    store.reopen_prompt(id, vec![about(FactKind::Failed, 9)]).await.expect("reopen");
    assert!(store.begin_answer(id, answer("two"), attempt(), 10, vec![answered("two", 10)]).await.expect("begin"));
    store.close_prompt(id, &PromptOutcome::Gone, 11, vec![about(FactKind::Gone, 11)]).await.expect("close");
    store.end_session(session, 12, EndReason::Lost, None, fact(FactKind::SessionEnded, 12)).await.expect("end");
    assert!(store.forget_session(session).await.expect("forget"));

    let facts = [
        started,
        seen,
        answered("one", 6),
        about(FactKind::Pressed, 8),
        about(FactKind::Failed, 9),
        answered("two", 10),
        about(FactKind::Gone, 11),
        Fact::new(FactKind::SessionEnded, 12),
    ];
    let mut head = Head::START;
    let expected = facts.map(|fact| {
        let row = Row::after(head, Entry::from(fact));
        head = row.head();
        row
    });
    assert_eq!(rows(&folder), expected, "the loser of the race is not among them, and all outlive their session");
    assert_eq!(store.journal_head().await.expect("head"), head);
}

#[tokio::test]
async fn fact_is_written_with_its_change_or_not_at_all() {
    let folder = folder();
    let store = open(&folder);
    let stray = SessionId(Uuid::from_u128(404));
    let put = store.put_prompt(stray, prompt(stray, "May I?"), Fingerprint(1), 5, fact(FactKind::PromptSeen, 5)).await;
    assert!(put.is_err(), "there is no such session");
    let revived = store.revive_session(stray, None, fact(FactKind::SessionResumed, 6)).await;
    assert_eq!(revived.expect("revive"), Revived::NotEnded);
    let nobody = DeviceId(Uuid::nil());
    assert!(!store.remove_device(nobody, fact(FactKind::DeviceRevoked, 7)).await.expect("remove"));
    store.record(vec![Fact::new(FactKind::Keys, 8), Fact::new(FactKind::Mode, 9)]).await.expect("record");
    store.record(Vec::new()).await.expect("nothing");
    assert_eq!(kinds(&folder), ["keys", "mode"]);
}

#[tokio::test]
async fn journal_rows_cannot_be_changed_or_removed() {
    let folder = folder();
    let store = open(&folder);
    store.record(fact(FactKind::Mode, 1)).await.expect("record");
    for change in ["UPDATE journal SET at = 2", "DELETE FROM journal"] {
        let error = file(&folder).execute(change, []).expect_err("append-only");
        assert!(error.to_string().contains("append-only"), "{change}: {error}");
    }
    assert_eq!(kinds(&folder), ["mode"]);
}

#[tokio::test]
async fn chain_goes_on_after_a_restart() {
    let folder = folder();
    for at in 1..=3 {
        open(&folder).record(fact(FactKind::Mode, at)).await.expect("record");
    }
    let rows = rows(&folder);
    assert_eq!(rows.iter().map(|row| row.seq).collect::<Vec<_>>(), [1, 2, 3]);
    assert!(rows.windows(2).all(|pair| pair[1].prev == pair[0].hash), "{rows:?}");
}
