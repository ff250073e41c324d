//! What is asked for twice at once is done once.

use shared_types::{Review, ReviewId};

use super::*;
use crate::store::{Added, Reservation};

async fn at_once<T: Send + 'static, F: Future<Output = T> + Send + 'static>(ask: impl Fn() -> F) -> Vec<T> {
    let mut tasks = tokio::task::JoinSet::new();
    for _ in 0..8 {
        tasks.spawn(ask());
    }
    tasks.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn start_with_one_key_is_reserved_once() {
    let folder = folder();
    let store = open(&folder);
    let key = Uuid::from_u128(7);
    let reserved = at_once(|| {
        let store = store.clone();
        async move { store.reserve_start(key, 5).await.expect("reserve") }
    });
    let mut reserved = reserved.await;
    reserved.sort_by_key(|reservation| *reservation != Reservation::Reserved);
    assert_eq!(reserved[0], Reservation::Reserved);
    assert!(reserved[1..].iter().all(|reservation| *reservation == Reservation::Pending), "{reserved:?}");

    store.release_start(key).await.expect("it could not be planned");
    assert_eq!(store.reserve_start(key, 6).await.expect("again"), Reservation::Reserved);
    let record = record(6);
    let id = record.id;
    assert_eq!(store.add_session(record, Some(key), Vec::new()).await.expect("add"), Added::Added);
    store.release_start(key).await.expect("too late for that");
    assert_eq!(store.reserve_start(key, 7).await.expect("again"), Reservation::Existing(id));
    // Could not be opened: the same key may start it anew.
    store.discard_session(id, Vec::new()).await.expect("discard");
    assert_eq!(store.reserve_start(key, 8).await.expect("again"), Reservation::Reserved);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn review_asked_for_at_once_is_reserved_once() {
    let folder = folder();
    let store = open(&folder);
    let (parent, reviewer) = (with_session(&store).await, with_session(&store).await);
    let id = ReviewId(Uuid::from_u128(9));
    let reserved = at_once(|| {
        let store = store.clone();
        async move { store.reserve_review(parent, id, "the plan".to_owned(), 5).await.expect("reserve") }
    });
    let winners = reserved.await.into_iter().filter(|reservation| *reservation == Reservation::Reserved).count();
    assert_eq!(winners, 1);
    assert_eq!(store.reviews(parent).await.expect("reviews"), [], "it has no reviewer yet");
    let review = Review { id, reviewer, subject: "the plan".to_owned(), created_at: 5 };
    assert_eq!(store.confirm_review(id, reviewer).await.expect("confirm"), Some(review.clone()));
    assert_eq!(store.reviews(parent).await.expect("reviews"), [review]);
    let again = store.reserve_review(parent, id, String::new(), 6).await.expect("again");
    assert_eq!(again, Reservation::Existing(reviewer));

    let other = ReviewId(Uuid::from_u128(10));
    assert_eq!(store.reserve_review(parent, other, String::new(), 6).await.expect("new"), Reservation::Reserved);
    store.release_review(other).await.expect("its reviewer could not be started");
    assert_eq!(store.reserve_review(parent, other, String::new(), 7).await.expect("new"), Reservation::Reserved);
}

#[tokio::test]
async fn reservations_of_a_run_that_has_ended_are_dropped() {
    let folder = folder();
    let store = open(&folder);
    let parent = with_session(&store).await;
    let (key, id) = (Uuid::from_u128(7), ReviewId(Uuid::from_u128(9)));
    store.reserve_start(key, 5).await.expect("reserve");
    store.reserve_review(parent, id, String::new(), 5).await.expect("reserve");
    let store = open(&folder);
    assert_eq!(store.reserve_start(key, 6).await.expect("reserve"), Reservation::Reserved);
    let review = store.reserve_review(parent, id, String::new(), 6).await;
    assert_eq!(review.expect("reserve"), Reservation::Reserved);
}

#[tokio::test]
async fn conversation_is_open_in_one_session_only() {
    let folder = folder();
    let store = open(&folder);
    let with = |conversation: &str| SessionRecord { cli_session_id: Some(conversation.to_owned()), ..record(1) };
    let (first, second) = (with("a1"), with("a1"));
    let (first_id, second_id) = (first.id, second.id);
    assert_eq!(store.add_session(first, None, Vec::new()).await.expect("add"), Added::Added);
    let refused = store.add_session(second.clone(), None, Vec::new()).await.expect("add");
    assert_eq!(refused, Added::ConversationOpen(first_id));
    assert_eq!(store.add_session(with("b2"), None, Vec::new()).await.expect("add"), Added::Added);

    store.end_session(first_id, 5, EndReason::Lost, None, Vec::new()).await.expect("end");
    assert_eq!(store.add_session(second, None, Vec::new()).await.expect("add"), Added::Added);
    let revived = store.revive_session(first_id, None, Vec::new()).await.expect("revive");
    assert_eq!(revived, Revived::ConversationOpen(second_id));
    store.end_session(second_id, 6, EndReason::Lost, None, Vec::new()).await.expect("end");
    assert_eq!(store.revive_session(first_id, None, Vec::new()).await.expect("revive"), Revived::Revived);
}

#[tokio::test]
async fn session_that_was_resumed_is_not_forgotten() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    store.end_session(session, 5, EndReason::Lost, None, Vec::new()).await.expect("end");
    assert_eq!(store.revive_session(session, None, Vec::new()).await.expect("revive"), Revived::Revived);
    assert!(!store.forget_session(session).await.expect("forget"), "it runs again");
    store
        .put_prompt(session, prompt(session, "May I?"), Fingerprint(1), 6, Vec::new())
        .await
        .expect("its row is there");
}
