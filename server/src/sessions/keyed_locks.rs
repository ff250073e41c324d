//! One at a time under one key: whoever comes while another is at it waits until that is done.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

use tokio::sync::OwnedMutexGuard;
use uuid::Uuid;

/// The keys under which something is done. There are no more than requests that wait, which are bounded by their connections.
#[derive(Default)]
pub(super) struct KeyedLocks(Mutex<HashMap<Uuid, Arc<tokio::sync::Mutex<()>>>>);

impl KeyedLocks {
    /// Waits until nobody else is at what this key stands for.
    pub(super) async fn lock(&self, key: Uuid) -> KeyedLock<'_> {
        let lock = Arc::clone(self.0.lock().unwrap_or_else(PoisonError::into_inner).entry(key).or_default());
        KeyedLock { locks: self, key, guard: Some(lock.lock_owned().await) }
    }
}

/// Held while it is done.
pub(super) struct KeyedLock<'a> {
    locks: &'a KeyedLocks,
    key: Uuid,
    guard: Option<OwnedMutexGuard<()>>,
}

impl Drop for KeyedLock<'_> {
    fn drop(&mut self) {
        self.guard = None;
        let mut locks = self.locks.0.lock().unwrap_or_else(PoisonError::into_inner);
        // Whoever waits for it holds it as well.
        if locks.get(&self.key).is_some_and(|lock| Arc::strong_count(lock) == 1) {
            locks.remove(&self.key);
        }
    }
}
