//! How often to look for what nobody tells us of: often while the session's program draws, seldom while it does not, for a
//! program that draws nothing hardly writes anything. Fifty sessions that wait for a person then cost next to nothing.

use std::{future, time::Duration};

use tokio::{
    sync::watch,
    time::{sleep, timeout},
};

use crate::pane::Drawn;

/// So many looks are still made after the last thing was drawn: what is written may come a little later.
const LOOKS_AFTER: u32 = 4;
/// How often is looked all the same.
const SELDOM: Duration = Duration::from_secs(30);

/// When to look next.
#[derive(Debug, Clone)]
pub struct Pace {
    drawn: watch::Receiver<Drawn>,
    /// Looks since something was drawn.
    quiet_looks: u32,
}

impl Pace {
    /// Keeps pace with a pane, which counts what it draws.
    #[must_use]
    pub fn with(drawn: watch::Receiver<Drawn>) -> Self {
        Self { drawn, quiet_looks: 0 }
    }

    /// Waits until it is time to look: after this long, or much later if nothing is drawn. Can be cancelled.
    pub async fn next(&mut self, often: Duration) {
        if self.quiet_looks < LOOKS_AFTER {
            sleep(often).await;
        } else {
            let _ = timeout(SELDOM, drawn_again(&mut self.drawn)).await;
        }
        let drew = self.drawn.has_changed().unwrap_or_default();
        self.drawn.mark_unchanged();
        self.quiet_looks = if drew { 0 } else { self.quiet_looks.saturating_add(1) };
    }
}

/// Leaves the news to be seen by whoever asks next.
async fn drawn_again(drawn: &mut watch::Receiver<Drawn>) {
    if drawn.changed().await.is_err() {
        // The pane is gone; its session will hear of it.
        future::pending::<()>().await;
    }
    drawn.mark_changed();
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFTEN: Duration = Duration::from_millis(1);

    /// Whether it looks again soon; "soon" is far from [`OFTEN`] and from [`SELDOM`].
    async fn looks_soon(pace: &mut Pace) -> bool {
        timeout(Duration::from_millis(300), pace.next(OFTEN)).await.is_ok()
    }

    #[tokio::test(start_paused = true)]
    async fn looks_are_rare_while_nothing_is_drawn_and_frequent_while_something_is() {
        let (draw, drawn) = watch::channel(Drawn::default());
        let mut pace = Pace::with(drawn);
        for _ in 0..LOOKS_AFTER {
            assert!(looks_soon(&mut pace).await);
        }
        assert!(!looks_soon(&mut pace).await, "nothing was drawn for long");
        draw.send_modify(|drawn| drawn.count += 1);
        for _ in 0..=LOOKS_AFTER {
            assert!(looks_soon(&mut pace).await, "at once, and for a while after");
        }
        assert!(!looks_soon(&mut pace).await, "quiet again");
        drop(draw);
        assert!(!looks_soon(&mut pace).await, "a pane that is gone does not make it spin");
    }
}
