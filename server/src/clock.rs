//! The wall clock, in the wire's unit.

use std::time::{SystemTime, UNIX_EPOCH};

use shared_types::Millis;

/// Milliseconds since the Unix epoch.
#[must_use]
pub fn now_millis() -> Millis {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since_epoch.as_millis()).unwrap_or(Millis::MAX)
}
