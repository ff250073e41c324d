//! The conversation that a CLI itself says its process is in: the best witness, where there is one.

use std::{
    fs,
    path::{Path, PathBuf},
};

use adapters::{Running, adapter_for};
use shared_types::AdapterKind;

use super::{Shelves, Wanted};
use crate::pane::Pane;

/// What a program tells, weighed against the conversation that its session is known to be in.
///
/// A hook may have told of the next conversation before the program has written it down: what is written is believed at the
/// second look, and at once when it has been right before.
#[derive(Debug)]
pub(super) struct Witness {
    known: Option<String>,
    was_right: bool,
    told: Option<String>,
}

/// What to make of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Heard {
    /// It is in the conversation we know.
    Same,
    /// It may be in another one.
    NotSure,
    /// It is in another one.
    Another,
}

impl Witness {
    pub(super) fn of(wanted: &Wanted) -> Self {
        Self { known: wanted.id.clone(), was_right: false, told: None }
    }

    pub(super) fn hear(&mut self, told: &str) -> Heard {
        if self.known.as_deref() == Some(told) {
            self.was_right = true;
            return Heard::Same;
        }
        let again = self.told.replace(told.to_owned()).as_deref() == Some(told);
        if again || self.was_right { Heard::Another } else { Heard::NotSure }
    }
}

impl Shelves {
    /// The id of the conversation that the program in a pane says it is in; nothing where it does not say.
    pub(super) async fn told(&self, adapter: AdapterKind, pane: &dyn Pane) -> Option<String> {
        let shelf = adapter_for(adapter).shelf(None)?;
        let records = self.root(&shelf).join(shelf.running?);
        let processes = pane.processes().await;
        tokio::task::spawn_blocking(move || told_in(adapter, &records, &processes)).await.ok().flatten()
    }
}

/// What the first of these processes that has a record says. Whatever it has started itself, another CLI perhaps, comes after it.
fn told_in(adapter: AdapterKind, records: &Path, processes: &[i32]) -> Option<String> {
    processes.iter().find_map(|pid| {
        let record = fs::read_to_string(records.join(format!("{pid}.json"))).ok()?;
        let Running { conversation, process_start } = adapter_for(adapter).read_running(&record)?;
        // Another process of the same number may have left it behind.
        let is_of_another = process_start.zip(process_start_of(*pid)).is_some_and(|(told, is)| told != is);
        (!is_of_another).then_some(conversation)
    })
}

/// When a process was started, in the system's own count; nothing where the system does not tell.
pub(super) fn process_start_of(pid: i32) -> Option<String> {
    let stat = fs::read_to_string(PathBuf::from(format!("/proc/{pid}/stat"))).ok()?;
    // The name in brackets may hold anything; the start is the twentieth word after it.
    stat.rsplit_once(')')?.1.split_whitespace().nth(19).map(str::to_owned)
}
