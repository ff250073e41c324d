//! What others do: `capture-pane` every 500 ms, looking for the prompt's words.

use std::{collections::HashMap, sync::Arc, time::Duration};

use tokio::{process::Command, sync::watch, task::JoinHandle, time::interval};

use crate::figures::now;

const EVERY: Duration = Duration::from_millis(500);

/// What the poller has seen: the last mark in each pane, and when.
pub(crate) type Seen = HashMap<String, (String, u64)>;

pub(crate) struct Poller {
    seen: watch::Receiver<Seen>,
    task: JoinHandle<()>,
}

impl Poller {
    pub(crate) fn start(tmux: String, panes: Vec<String>) -> Self {
        let (told, seen) = watch::channel(Seen::new());
        let tmux: Arc<str> = tmux.into();
        let task = tokio::spawn(async move {
            let mut looks = interval(EVERY);
            loop {
                looks.tick().await;
                for pane in &panes {
                    let shown =
                        Command::new("tmux").args(["-L", &tmux, "capture-pane", "-p", "-t", pane]).output().await;
                    let shown = String::from_utf8_lossy(&shown.expect("run tmux").stdout).into_owned();
                    if let Some(mark) = mark_in(&shown) {
                        told.send_if_modified(|seen| {
                            let new = seen.get(pane).is_none_or(|(known, _)| *known != mark);
                            if new {
                                seen.insert(pane.clone(), (mark, now()));
                            }
                            new
                        });
                    }
                }
            }
        });
        Self { seen, task }
    }

    /// Waits until the poller has seen a mark in a pane; returns when that was.
    pub(crate) async fn saw(&mut self, pane: &str, mark: &str) -> u64 {
        let is_it = |seen: &Seen| seen.get(pane).is_some_and(|(known, _)| known == mark);
        let seen = self.seen.wait_for(is_it).await.expect("the poller runs");
        seen[pane].1
    }
}

impl Drop for Poller {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The first `n00000` in a text.
pub(crate) fn mark_in(text: &str) -> Option<String> {
    let is_mark =
        |word: &str| word.len() == 6 && word.starts_with('n') && word[1..].bytes().all(|byte| byte.is_ascii_digit());
    text.split(|letter: char| !letter.is_ascii_alphanumeric()).find(|word| is_mark(word)).map(str::to_owned)
}
