//! The wall clock, in the wire's unit.

use std::time::{SystemTime, UNIX_EPOCH};

use rusqlite::Connection;
use shared_types::Millis;

/// Milliseconds since the Unix epoch.
#[must_use]
pub fn now_millis() -> Millis {
    let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since_epoch.as_millis()).unwrap_or(Millis::MAX)
}

/// The minute of the day by the machine's own clock and zone, daylight saving included. SQLite knows both.
#[must_use]
pub fn minute_of_day() -> u16 {
    let asked = "SELECT strftime('%H', 'now', 'localtime') * 60 + strftime('%M', 'now', 'localtime')";
    let answer = Connection::open_in_memory().and_then(|clock| clock.query_row(asked, [], |row| row.get(0)));
    answer.unwrap_or(0)
}
