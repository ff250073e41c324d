//! What others do: `capture-pane` every 500 ms, looking for the prompt's words.

use std::{collections::HashMap, path::PathBuf, time::Duration};

use tokio::{
    process::Command,
    sync::watch,
    task::JoinHandle,
    time::{interval, timeout},
};

use crate::{figures::now, stage::LIMIT};

const EVERY: Duration = Duration::from_millis(500);

/// What the poller has seen: the last mark in each pane, and when.
pub(crate) type Seen = HashMap<String, (String, u64)>;

pub(crate) struct Poller {
    seen: watch::Receiver<Seen>,
    task: JoinHandle<()>,
}

impl Poller {
    /// Polls the panes of the server with this tmux socket.
    pub(crate) fn start(socket: PathBuf, panes: Vec<String>) -> Self {
        let (told, seen) = watch::channel(Seen::new());
        // Whose process runs and left a mark beside the socket keeps it there.
        let mark = socket.with_file_name(std::process::id().to_string());
        let task = tokio::spawn(async move {
            let mut looks = interval(EVERY);
            loop {
                looks.tick().await;
                std::fs::write(&mark, "").expect("a mark");
                for pane in &panes {
                    let mut capture = Command::new("tmux");
                    capture.arg("-S").arg(&socket).args(["capture-pane", "-p", "-t", pane]);
                    let shown = capture.output().await;
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
        let seen = timeout(LIMIT, self.seen.wait_for(is_it)).await;
        let seen = seen.unwrap_or_else(|_| panic!("the poller never saw {mark} in {pane}")).expect("the poller runs");
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
    let is_mark = |word: &[u8]| word[0] == b'n' && word[1..].iter().all(u8::is_ascii_digit);
    let found = text.as_bytes().windows(6).find(|word| is_mark(word))?;
    Some(String::from_utf8_lossy(found).into_owned())
}
