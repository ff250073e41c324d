//! Which conversation a session is in, where no hook tells.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
    sync::Arc,
    time::{Duration, SystemTime},
};

use shared_types::{AdapterKind, SessionId};
use tempfile::TempDir;
use tokio::time::timeout;
use uuid::Uuid;

use super::{
    Shelves, Wanted,
    told::{Heard, Witness, process_start_of},
};
use crate::{pane::fake::FakePane, store::Store};

/// Longer than any search that finds something; the time is a pretended one.
const LONG: Duration = Duration::from_secs(3600);

/// A home folder with Claude's conversations of the folder `/`.
struct Home {
    folder: TempDir,
    shelves: Shelves,
    store: Store,
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(folder.path().join(".claude/projects/-")).expect("the shelf");
        fs::create_dir_all(folder.path().join(".claude/sessions")).expect("the processes");
        let store = Store::open(folder.path()).expect("a store");
        Self { shelves: Shelves::below(folder.path()), folder, store }
    }

    /// Writes a conversation in which one thing was said, last written to at this time.
    fn conversation(&self, id: &str, words: &str, at: SystemTime) -> PathBuf {
        let path = self.projects().join(format!("{id}.jsonl"));
        let line = serde_json::json!({
            "type": "user", "uuid": id, "timestamp": "2099-11-16T01:28:52.718Z", "cwd": "/", "message": { "content": words },
        });
        fs::write(&path, format!("{line}\n")).expect("a conversation");
        set_time(&path, at);
        path
    }

    fn projects(&self) -> PathBuf {
        self.folder.path().join(".claude/projects/-")
    }

    /// Claude writes down that a process is in this conversation.
    fn told(&self, pid: u32, id: &str, start: &str) {
        let path = self.folder.path().join(format!(".claude/sessions/{pid}.json"));
        let record = serde_json::json!({ "pid": pid, "sessionId": id, "procStart": start, "status": "idle" });
        fs::write(path, record.to_string()).expect("a record");
    }

    /// Where a session that is in the conversation `old` goes on, if it does.
    async fn another(&self, pane: &Arc<FakePane>) -> Option<String> {
        let (store, current) = (self.store.clone(), self.projects().join("old.jsonl"));
        let mut search = self.shelves.search_another(store, in_old(), current, Arc::clone(pane) as _);
        timeout(LONG, &mut search.found).await.ok()?.ok().map(|found| found.id)
    }
}

fn in_old() -> Wanted {
    Wanted {
        session: Some(SessionId(Uuid::now_v7())),
        adapter: AdapterKind::new("claude"),
        folder: "/".into(),
        since: 0,
        id: Some("old".to_owned()),
    }
}

fn set_time(path: &Path, at: SystemTime) {
    fs::File::open(path).and_then(|file| file.set_modified(at)).expect("its time");
}

/// Claude Code 2.1.325 makes the file of the next conversation some 80 ms before its last write to the old one.
#[test]
fn a_conversation_begun_just_before_the_last_write_is_seen() {
    let home = Home::new();
    let now = SystemTime::now();
    let old = home.conversation("old", "list the files", now);
    home.conversation("new", "and now for something else", now + Duration::from_secs(5));
    set_time(&home.projects(), now - Duration::from_millis(80));
    let begun = home.shelves.begun_since_the_last_word(&in_old(), old).unwrap_or_default();
    assert_eq!(begun.iter().map(|begun| begun.found.id.as_str()).collect::<Vec<_>>(), ["new"]);
}

/// A pane whose program is this very process, under a shell that Claude knows nothing of.
fn pane_of_this_process() -> Arc<FakePane> {
    let pane = Arc::new(FakePane::new(80, 24));
    pane.run_as(vec![1, own_pid()]);
    pane
}

fn own_pid() -> i32 {
    i32::try_from(process::id()).expect("a number")
}

/// As after `/clear`, and `/resume` of one that was begun long ago.
#[tokio::test(start_paused = true)]
async fn a_program_that_says_where_it_is_is_followed() {
    let home = Home::new();
    let now = SystemTime::now();
    home.conversation("old", "list the files", now);
    home.conversation("older", "count the files", now - Duration::from_secs(86_400));
    let start = process_start_of(own_pid()).expect("Linux tells");
    home.told(process::id(), "older", &start);
    assert_eq!(home.another(&pane_of_this_process()).await.as_deref(), Some("older"));
}

/// Somebody begins another one in the same folder, with the very words that our screen shows.
#[tokio::test(start_paused = true)]
async fn a_program_that_says_it_stays_is_not_led_away() {
    let home = Home::new();
    let now = SystemTime::now();
    home.conversation("old", "list the files", now);
    home.conversation("beside", "count the files", now + Duration::from_secs(5));
    let start = process_start_of(own_pid()).expect("Linux tells");
    home.told(process::id(), "old", &start);
    let pane = pane_of_this_process();
    pane.show("> count the files");
    assert_eq!(home.another(&pane).await, None);
}

/// What another process of the same number has left behind is not believed.
#[tokio::test(start_paused = true)]
async fn a_record_of_an_earlier_process_is_not_believed() {
    let home = Home::new();
    let now = SystemTime::now();
    home.conversation("old", "list the files", now);
    home.conversation("older", "count the files", now - Duration::from_secs(86_400));
    home.told(process::id(), "older", "1");
    assert_eq!(home.another(&pane_of_this_process()).await, None);
}

#[test]
fn a_witness_that_lags_behind_a_hook_leads_nobody_back() {
    let wanted = Wanted { id: Some("new".to_owned()), ..in_old() };
    let mut witness = Witness::of(&wanted);
    let heard = ["old", "new", "next"].map(|told| witness.hear(told));
    assert_eq!(heard, [Heard::NotSure, Heard::Same, Heard::Another]);
    let mut witness = Witness::of(&wanted);
    assert_eq!(["old", "old"].map(|told| witness.hear(told)), [Heard::NotSure, Heard::Another]);
}
