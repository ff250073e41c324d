//! What was told, and the tokens of buttons: kept, used once, by nobody else, and gone with their session.

use shared_types::PushSubscription;

use super::*;
use crate::store::{StoredNotice, StoredToken, Used};

fn token(hash: u8, prompt: PromptId) -> StoredToken {
    let (target, digest, choice) = ("device a".to_owned(), "d".to_owned(), "Yes".to_owned());
    StoredToken { hash: [hash; 32], prompt, target, digest, choice }
}

#[tokio::test]
async fn token_is_good_once_and_for_whom_it_was_sent_to() {
    let folder = folder();
    let store = open(&folder);
    let session = with_session(&store).await;
    let prompt = prompt(session, "May I?");
    let id = prompt.request_id;
    store.put_prompt(session, prompt, Fingerprint(1), 1, Vec::new()).await.expect("a prompt");
    assert!(store.add_answer_tokens(vec![token(1, id), token(2, id)]).await.expect("kept"));
    let nowhere = PromptId(Uuid::from_u128(99));
    assert!(!store.add_answer_tokens(vec![token(3, nowhere)]).await.expect("answered"), "no prompt, no button");
    let used = async |hash: u8, target: &str| {
        store.use_answer_token([hash; 32], target.to_owned(), 5).await.expect("answered")
    };
    assert_eq!(used(9, "device a").await, Used::Unknown);
    assert_eq!(used(1, "device b").await, Used::Foreign);
    assert_eq!(used(1, "device a").await, Used::Now(token(1, id)), "a foreign hand has not used it up");
    assert_eq!(used(1, "device a").await, Used::Before);
    assert_eq!(used(2, "device a").await, Used::Now(token(2, id)));

    store
        .put_notice(Some(StoredNotice { prompt: id, target: "device a".to_owned(), step: 1, at: 7 }), Vec::new())
        .await
        .expect("kept");
    let notices = store.notices(id).await.expect("read");
    assert_eq!(notices, [StoredNotice { prompt: id, target: "device a".to_owned(), step: 1, at: 7 }]);
}

#[tokio::test]
async fn subscription_is_replaced_and_forgotten() {
    let folder = folder();
    let store = open(&folder);
    let device = Device { id: DeviceId(Uuid::from_u128(1)), name: "phone".into(), paired_at: 1, last_seen_at: 1 };
    let stored = StoredDevice { device: device.clone(), token_hash: [1; 32], key: None };
    store.add_device(stored, Vec::new()).await.expect("paired");
    let subscription = |endpoint: &str| PushSubscription {
        endpoint: endpoint.to_owned(),
        p256dh: "p".into(),
        auth: "a".into(),
        origin: "https://box.example".into(),
        finished: false,
    };
    for (endpoint, at) in [("https://one.example", 1), ("https://two.example", 2)] {
        store.put_push_subscription(device.id, Some(subscription(endpoint)), at).await.expect("kept");
    }
    let kept = store.push_subscriptions().await.expect("read");
    assert_eq!(kept, [(device.id, subscription("https://two.example"), 2)]);
    assert!(store.remove_device(device.id, Vec::new()).await.expect("revoked"));
    assert_eq!(store.push_subscriptions().await.expect("read"), [], "it goes with its device");
}
