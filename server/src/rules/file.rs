//! The person's `rules.toml`: read at the start and whenever it changes. A file with mistakes keeps the last good one, and every
//! page is told what is wrong.

use std::{path::Path, sync::Arc, time::Duration};

use answerback_rules::RuleSet;
use notify::{RecursiveMode, Watcher as _};
use serde_json::json;
use shared_types::AlertKind;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

use super::Rules;
use crate::{
    clock::now_millis,
    journal::{Fact, FactKind},
};

/// The largest file that is read, in bytes.
const SIZE_LIMIT: u64 = 1024 * 1024;
/// How long the file must be left alone: editors write it in several steps.
const SETTLE: Duration = Duration::from_millis(100);
/// Looks without being woken, for file systems that tell nothing.
const POLL: Duration = Duration::from_secs(10);

/// What is known of the file.
#[derive(Debug, Default)]
pub(super) struct Loaded {
    /// The last good rules.
    pub(super) rules: RuleSet,
    /// What is wrong in the file as it is now.
    pub(super) mistakes: Vec<String>,
    /// The text that was looked at last, good or bad; nothing when there was no file.
    seen: Option<String>,
    /// True once a file was good, or there was none.
    was_good: bool,
}

impl Loaded {
    /// True when there is a file, and no version of it could be read so far.
    pub(super) fn never_read(&self) -> bool {
        !self.was_good && !self.mistakes.is_empty()
    }
}

/// What came of looking at the file.
enum Look {
    Same,
    /// Good rules, and whether others were there before.
    Good {
        count: usize,
        first: bool,
    },
    Bad(Vec<String>),
}

impl Rules {
    /// Looks at the file, and takes it over when it is good.
    pub(super) async fn read_file(&self) {
        let path = self.path.clone();
        let read = tokio::task::spawn_blocking(move || text_of(&path));
        let read = read.await.unwrap_or_else(|error| Err(error.to_string()));
        let file = self.path.to_string_lossy().into_owned();
        let looked = self.lock().file.take(read);
        match looked {
            Look::Same => return,
            Look::Bad(mistakes) => {
                tracing::warn!(file, ?mistakes, "rules.toml cannot be used");
                self.bus.alert(AlertKind::RulesUnreadable { file, mistakes });
            }
            Look::Good { first: true, .. } => {}
            Look::Good { count, first: false } => {
                let body = json!({ "rule": file, "name": "rules.toml", "change": "read", "rules": count });
                let fact = Fact::new(FactKind::RuleChanged, now_millis()).with(body);
                if let Err(error) = self.store.record(vec![fact]).await {
                    tracing::error!(%error, "cannot write the journal");
                }
                let what = format!("{file} was changed: it has {count} rules now");
                self.bus.alert(AlertKind::RulesChanged { what });
            }
        }
        self.changed();
    }
}

impl Loaded {
    fn take(&mut self, read: Result<Option<String>, String>) -> Look {
        let first = !self.was_good && self.mistakes.is_empty();
        let text = match read {
            Ok(text) => text,
            Err(error) => {
                if self.mistakes == [error.clone()] {
                    return Look::Same;
                }
                (self.seen, self.mistakes) = (None, vec![error]);
                return Look::Bad(self.mistakes.clone());
            }
        };
        if !first && text == self.seen {
            return Look::Same;
        }
        self.seen.clone_from(&text);
        match RuleSet::from_toml(&text.unwrap_or_default()) {
            Ok(rules) => {
                (self.rules, self.was_good) = (rules, true);
                self.mistakes.clear();
                Look::Good { count: self.rules.rules.len(), first }
            }
            Err(mistakes) => {
                self.mistakes = mistakes.iter().map(ToString::to_string).collect();
                Look::Bad(self.mistakes.clone())
            }
        }
    }
}

fn text_of(path: &Path) -> Result<Option<String>, String> {
    match std::fs::metadata(path) {
        Ok(about) if about.len() > SIZE_LIMIT => Err("it is too large".to_owned()),
        Ok(_) => std::fs::read_to_string(path).map(Some).map_err(|error| error.to_string()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Follows the file until the server stops.
pub(crate) async fn follow(rules: Arc<Rules>, stop: CancellationToken) {
    let woken = Arc::new(Notify::new());
    let waker = Arc::clone(&woken);
    let name = rules.path.file_name().map(std::ffi::OsStr::to_owned);
    let watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        let Ok(event) = event else { return };
        // Our own reading is told as well; woken by it, we would read for ever.
        if !event.kind.is_access() && event.paths.iter().any(|path| path.file_name() == name.as_deref()) {
            waker.notify_one();
        }
    });
    let mut watcher = watcher.inspect_err(|error| tracing::warn!(%error, "rules.toml is looked at now and then")).ok();
    let folder = rules.path.parent().unwrap_or(Path::new("/")).to_owned();
    let mut watched = false;
    loop {
        if let Some(watcher) = watcher.as_mut().filter(|_| !watched) {
            // The folder may only be made later.
            watched = watcher.watch(&folder, RecursiveMode::NonRecursive).is_ok();
        }
        tokio::select! {
            () = stop.cancelled() => return,
            () = woken.notified() => {}
            () = tokio::time::sleep(POLL) => {}
        }
        tokio::time::sleep(SETTLE).await;
        rules.read_file().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(loaded: &mut Loaded, text: &str) -> &'static str {
        match loaded.take(Ok(Some(text.to_owned()))) {
            Look::Same => "same",
            Look::Good { first: true, .. } => "first",
            Look::Good { .. } => "good",
            Look::Bad(_) => "bad",
        }
    }

    #[test]
    fn the_last_good_rules_hold_while_the_file_has_mistakes() {
        let mut loaded = Loaded::default();
        let good = "deny = [\"Bash(rm:*)\"]";
        assert_eq!(take(&mut loaded, good), "first");
        assert_eq!(take(&mut loaded, good), "same");
        assert_eq!(take(&mut loaded, "\ndeny = 1"), "bad");
        assert!(loaded.mistakes[0].starts_with("line 2"), "{:?}", loaded.mistakes);
        assert_eq!((loaded.rules.rules.len(), loaded.never_read()), (1, false));
        assert_eq!(take(&mut loaded, "deny = []"), "good");
        assert_eq!((loaded.rules.rules.len(), loaded.mistakes.len()), (0, 0));
    }

    #[test]
    fn a_file_that_was_never_good_is_known_to_be() {
        let mut loaded = Loaded::default();
        assert_eq!(take(&mut loaded, "x ="), "bad");
        assert!(loaded.never_read());
        assert_eq!(take(&mut loaded, ""), "good");
        assert!(!loaded.never_read());
    }
}
