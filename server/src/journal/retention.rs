//! How long the journal is kept. What is older is dropped from its beginning, a little at a time, and a checkpoint in the chain
//! says so: the rest can still be checked.

use std::time::Duration;

use shared_types::Millis;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;

use crate::{clock::now_millis, store::Store};

/// How often it is looked whether something has become too old. An hour more or less is not what a setting in days is about.
const PACE: Duration = Duration::from_secs(60 * 60);

const DAY: Millis = 24 * 60 * 60 * 1000;

/// Keeps the journal of the last days, until `stop` is cancelled.
pub async fn keep(store: Store, days: u32, stop: CancellationToken) {
    let mut pace = interval(PACE);
    pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while stop.run_until_cancelled(pace.tick()).await.is_some() {
        let now = now_millis();
        match drop_older(&store, now.saturating_sub(Millis::from(days) * DAY), now).await {
            Ok(0) => {}
            Ok(dropped) => tracing::info!(dropped, "the oldest rows of the journal are dropped"),
            Err(error) => tracing::error!(%error, "cannot drop the oldest rows of the journal"),
        }
    }
}

/// Drops all that is older, batch by batch.
async fn drop_older(store: &Store, since: Millis, now: Millis) -> Result<u64, crate::store::StoreError> {
    let mut dropped = 0;
    loop {
        match store.drop_journal_before(since, now).await? {
            0 => return Ok(dropped),
            more => dropped += more,
        }
    }
}
