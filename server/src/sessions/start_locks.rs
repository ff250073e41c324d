//! One start at a time under one key: a request that comes again while it is being carried out waits for the first.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OwnedMutexGuard;
use uuid::Uuid;

/// The keys of starts that are under way. There are no more than requests that wait, which are bounded by their connections.
#[derive(Default)]
pub(super) struct StartLocks(Mutex<HashMap<Uuid, Arc<tokio::sync::Mutex<()>>>>);

impl StartLocks {
    /// Waits until no other start with this key is under way.
    pub(super) async fn lock(&self, key: Uuid) -> StartLock<'_> {
        let lock = Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        StartLock { locks: self, key, guard: Some(lock.lock_owned().await) }
    }
}

/// Held while a start is under way.
pub(super) struct StartLock<'a> {
    locks: &'a StartLocks,
    key: Uuid,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Drop for StartLock<'_> {
    fn drop(&mut self) {
        self.guard = None;
        let mut locks = self.locks.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever waits for it holds it as well.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}
