//! The journal in pages, and a long look at it that keeps nobody waiting.

use std::{sync::mpsc, time::Duration};

use serde_json::json;

use super::*;
use crate::{
    journal::{Fact, FactKind},
    store::{JournalFilter, journal_query::queries},
};

const SHOP: SessionId = SessionId(Uuid::from_u128(1));
const BANK: SessionId = SessionId(Uuid::from_u128(2));
const PROMPT: PromptId = PromptId(Uuid::from_u128(3));

/// Ten facts, at their number as time.
async fn filled(store: &Store) {
    let phone = || answer("phone").by;
    let started = |session, folder: &str, at| {
        Fact::new(FactKind::SessionStarted, at).in_session(session).with(json!({ "folder": folder, "name": "x" }))
    };
    let about = |kind, at| Fact::new(kind, at).in_session(SHOP).about(PROMPT);
    let facts = vec![
        Fact::new(FactKind::DevicePaired, 1).by(phone()),
        started(SHOP, "/srv/shop", 2),
        about(FactKind::PromptSeen, 3),
        started(BANK, "/srv/bank", 4),
        about(FactKind::Answered, 5).by(phone()),
        Fact::new(FactKind::Keys, 6).in_session(BANK).by(Actor::Desk),
        about(FactKind::Verified, 7).by(phone()),
        Fact::new(FactKind::Keys, 8).in_session(SHOP).by(Actor::Desk),
        Fact::new(FactKind::SessionEnded, 9).in_session(BANK),
        Fact::new(FactKind::DeviceRevoked, 10).by(Actor::Desk),
    ];
    store.record(facts).await.expect("record");
}

async fn found(store: &Store, filter: JournalFilter, limit: u32) -> (Vec<u64>, bool) {
    let page = store.journal(filter, limit).await.expect("a page");
    (page.rows.iter().map(|row| row.seq).collect(), page.more)
}

#[tokio::test]
async fn journal_pages_are_newest_first_and_meet() {
    let folder = folder();
    let store = open(&folder);
    filled(&store).await;
    let mut before = None;
    let mut pages = Vec::new();
    loop {
        let (rows, more) = found(&store, JournalFilter { before, ..JournalFilter::default() }, 4).await;
        before = rows.last().copied();
        pages.push(rows);
        if !more {
            break;
        }
    }
    assert_eq!(pages, [vec![10, 9, 8, 7], vec![6, 5, 4, 3], vec![2, 1]]);
}

#[tokio::test]
async fn journal_filters_find_what_is_wanted() {
    let folder = folder();
    let store = open(&folder);
    filled(&store).await;
    let all = JournalFilter::default;
    let actor = |actor: &str| JournalFilter { actor: Some(actor.to_owned()), ..all() };
    let table: [(JournalFilter, &[u64]); 11] = [
        (JournalFilter { sessions: Some(vec![SHOP]), ..all() }, &[8, 7, 5, 3, 2]),
        (JournalFilter { sessions: Some(vec![SHOP, BANK]), kinds: vec![FactKind::Keys], ..all() }, &[8, 6]),
        (JournalFilter { sessions: Some(Vec::new()), ..all() }, &[]),
        (JournalFilter { prompt: Some(PROMPT), ..all() }, &[7, 5, 3]),
        (JournalFilter { prompt: Some(PROMPT), sessions: Some(vec![BANK]), ..all() }, &[]),
        (JournalFilter { kinds: vec![FactKind::Keys, FactKind::SessionStarted], ..all() }, &[8, 6, 4, 2]),
        (actor("desk"), &[10, 8, 6]),
        (actor("phone"), &[7, 5, 1]),
        (JournalFilter { sessions: Some(vec![SHOP]), before: Some(7), ..actor("device") }, &[5]),
        (JournalFilter { since: Some(9), ..all() }, &[10, 9]),
        (JournalFilter { kinds: vec![FactKind::Keys], ..actor("nobody") }, &[]),
    ];
    for (filter, expected) in table {
        assert_eq!(found(&store, filter.clone(), 20).await, (expected.to_vec(), false), "{filter:?}");
    }
    assert_eq!(store.sessions_in_folder("/srv/bank".to_owned()).await.expect("sessions"), [BANK]);
    assert_eq!(store.sessions_in_folder("/srv".to_owned()).await.expect("sessions"), []);
}

#[tokio::test]
async fn clock_set_back_hides_no_row() {
    let folder = folder();
    let store = open(&folder);
    let day = 24 * 60 * 60 * 1000;
    let times = [9 * day, 10 * day, 10 * day - 1, 10 * day + 1, 3 * day, 10 * day];
    store.record(times.map(|at| Fact::new(FactKind::Mode, at)).to_vec()).await.expect("record");
    let since = JournalFilter { since: Some(10 * day), ..JournalFilter::default() };
    assert_eq!(found(&store, since, 9).await, (vec![6], false), "a week back is taken for the past");
    store.record(vec![Fact::new(FactKind::Mode, 10 * day)]).await.expect("record");
    let since = JournalFilter { since: Some(10 * day), before: Some(5), ..JournalFilter::default() };
    assert_eq!(found(&store, since, 9).await, (vec![4, 2], false), "a millisecond back is not");
}

/// Whatever the speed of the machine: no filter sorts, and none of the usual ones looks at all rows.
#[tokio::test]
async fn journal_pages_are_found_by_their_indexes() {
    let folder = folder();
    let _store = open(&folder);
    let file = file(&folder);
    let all = JournalFilter::default;
    let desk = Some("desk".to_owned());
    let table = [
        (all(), "SCAN journal"),
        (JournalFilter { before: Some(7), ..all() }, "USING INTEGER PRIMARY KEY (rowid<?)"),
        (JournalFilter { sessions: Some(vec![SHOP, BANK]), ..all() }, "USING INDEX journal_by_session (session_id=?)"),
        (
            JournalFilter { sessions: Some(vec![SHOP]), kinds: vec![FactKind::Keys], actor: desk.clone(), ..all() },
            "USING INDEX journal_by_session (session_id=?)",
        ),
        (JournalFilter { prompt: Some(PROMPT), ..all() }, "USING INDEX journal_by_prompt (prompt_id=?)"),
        (
            JournalFilter { kinds: vec![FactKind::Keys, FactKind::Gone], before: Some(9), ..all() },
            "USING INDEX journal_by_kind (kind=? AND seq<?)",
        ),
        (JournalFilter { actor: desk, ..all() }, "USING INDEX journal_by_actor (<expr>=?)"),
    ];
    for (filter, expected) in table {
        for query in queries(&filter) {
            let mut statement = file.prepare(&format!("EXPLAIN QUERY PLAN {}", query.sql())).expect("a plan");
            let steps: Vec<String> = statement
                .query_map(rusqlite::params_from_iter(query.values()), |row| row.get("detail"))
                .expect("a plan")
                .collect::<Result<_, _>>()
                .expect("a plan");
            let [step] = steps.as_slice() else { panic!("{filter:?} is sorted: {steps:?}") };
            assert!(step.contains(expected), "{filter:?}: {step}");
        }
    }
}

#[tokio::test]
async fn long_look_at_the_history_does_not_delay_a_prompt() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let prompt = prompt(session, "May I?");
    let id = prompt.request_id;
    let (done, wait) = mpsc::channel::<()>();
    let looking = tokio::spawn({
        let store = store.clone();
        // In the middle of a read, for as long as we like.
        async move {
            let look = store.read_history(move |db| {
                let read = db.query_row("SELECT count(*) FROM sessions", [], |row| row.get::<_, u64>(0))?;
                wait.recv_timeout(Duration::from_secs(60)).expect("the prompt was asked meanwhile");
                Ok(read)
            });
            look.await.expect("a count")
        }
    });
    store.put_prompt(session, prompt, Fingerprint(1), 5, Vec::new()).await.expect("written");
    assert!(store.prompt(id).await.expect("read").is_some());
    assert_eq!(store.open_prompts(session).await.expect("read").prompts.len(), 1);
    assert_eq!(store.message_tail(session).await.expect("read"), (0, None));
    assert!(!looking.is_finished(), "it still looks");
    done.send(()).expect("it waits");
    assert_eq!(looking.await.expect("no panic"), 1);
}
