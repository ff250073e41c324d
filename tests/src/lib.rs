//! The harness of the stories: the real binary, real tmux, real sockets, a home of its own.
//!
//! Stories with the real CLIs begin with [`Live`]: a server, a phone, and a [`model`] that says what the story wants.
//!
//! A story starts a [`Server`], pairs one or more [`Phone`]s, and waits for what must happen: [`Phone::wait_for`] names every
//! wait, has a limit, and prints what was seen last when it fails. Nothing here sleeps.

#![expect(clippy::expect_used, clippy::panic, reason = "a harness that cannot do its part has failed the story")]

pub mod faults;
mod http;
mod live;
pub mod model;
mod phone;
pub mod scenes;
mod server;
mod skip;
mod telegram;

pub use answerback_client::{Answer, Client};
pub use http::{HttpReply, http};
pub use live::{ASKS_ASIDE, Cli, Live, Place, Versions};
pub use phone::{Phone, response_to};
pub use server::Server;
pub use skip::note_skipped;
pub use telegram::{BOT_TOKEN, Telegram};

use std::time::Duration;

use tokio::time::{Instant, interval};

/// How long a named condition may take. Generous, because test machines are slow and noisy; nothing waits this long when
/// all is well. The real CLIs alone may take half a minute to start when several do so at once.
pub const LIMIT: Duration = Duration::from_secs(if cfg!(feature = "live") { 90 } else { 30 });

/// How often a condition that cannot wake us is looked at.
const POLL: Duration = Duration::from_millis(20);

/// Waits until something is there; fails with what was waited for and what `last_seen` has to say.
pub async fn wait_until<T>(what: &str, mut look: impl FnMut() -> Option<T>, last_seen: impl FnOnce() -> String) -> T {
    let ends = Instant::now() + LIMIT;
    let mut looks = interval(POLL);
    loop {
        looks.tick().await;
        if let Some(found) = look() {
            return found;
        }
        if Instant::now() > ends {
            panic!("waited in vain for {what}: {}", last_seen());
        }
    }
}
