//! The processes of a pane: which there are, and ending those that outlive it.
//!
//! A program may ignore the hangup that the end of its terminal sends (Gemini 0.61 does). A process is known by its id and
//! its start time, so that an id used again by another program is never signalled.

use std::{
    collections::{HashMap, HashSet},
    fs, io,
    path::PathBuf,
    process::Stdio,
    time::Duration,
};

use rustix::process::{Pid, Signal};
use serde::{Deserialize, Serialize};
use tokio::{
    process::Command,
    time::{self, Instant},
};

/// How long a program may take to end when told to.
const TERM_LIMIT: Duration = Duration::from_secs(2);
/// How long the hangup may take to work before anyone is told.
const HANGUP_LIMIT: Duration = Duration::from_millis(150);
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// How many processes are asked for their open files.
const MEMBERS_LIMIT: usize = 64;
/// `ps` takes some 10 ms.
const PS_LIMIT: Duration = Duration::from_secs(5);

/// A process, told apart from any other that ever has its id.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Process {
    pid: i32,
    started: String,
}

impl Process {
    /// Its number.
    pub(super) fn pid(&self) -> i32 {
        self.pid
    }
}

#[derive(Debug)]
struct Listed {
    pid: i32,
    parent: i32,
    tty: String,
    /// When `ps` says it was started.
    started: String,
}

impl Listed {
    fn process(&self) -> Process {
        Process { pid: self.pid, started: exact_start(self.pid).unwrap_or_else(|| self.started.clone()) }
    }
}

/// The process that has this number now.
pub(super) async fn find(pid: i32) -> Option<Process> {
    list().await.iter().find(|listed| listed.pid == pid).map(Listed::process)
}

/// Whether this very process runs; an error when the machine does not say.
pub(super) async fn runs(process: &Process) -> io::Result<bool> {
    // Where the system tells of a process by itself, no other program has to be asked.
    if let Some((started, is_running)) = stat(process.pid) {
        return Ok(is_running && started == process.started);
    }
    let listed = list().await;
    if listed.is_empty() {
        return Err(io::Error::other("ps does not say which processes run"));
    }
    Ok(listed.iter().any(|listed| listed.pid == process.pid && listed.process() == *process))
}

/// All processes that came from this one, itself included, and those that have its terminal.
pub(super) async fn family(root: i32, tty: &str) -> HashSet<Process> {
    let tty = tty.strip_prefix("/dev/").unwrap_or(tty);
    family_of(&list().await, root, tty).into_iter().map(Listed::process).collect()
}

/// Sees that these end: first by themselves, then asked, then without being asked.
pub(super) async fn end(mut processes: HashSet<Process>) {
    for (signal, limit) in [(None, HANGUP_LIMIT), (Some(Signal::TERM), TERM_LIMIT), (Some(Signal::KILL), TERM_LIMIT)] {
        let deadline = Instant::now() + limit;
        let mut signalled = false;
        loop {
            let alive: HashMap<i32, Listed> = list().await.into_iter().map(|listed| (listed.pid, listed)).collect();
            processes.retain(|process| alive.get(&process.pid).is_some_and(|listed| listed.process() == *process));
            if processes.is_empty() {
                return;
            }
            if let (Some(signal), false) = (signal, signalled) {
                tracing::debug!(count = processes.len(), ?signal, "ending what outlived its pane");
                processes.iter().for_each(|process| send(process, signal));
                signalled = true;
            }
            if Instant::now() >= deadline {
                break;
            }
            time::sleep(LOOK_AGAIN).await;
        }
    }
    tracing::warn!(count = processes.len(), "processes of a closed pane do not end");
}

/// The files that a process and those that came from it hold open, as Linux tells; elsewhere none are found.
pub(super) fn open_files(root: i32) -> Vec<PathBuf> {
    let held = |pid| fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    let links = with_descendants(root).into_iter().flat_map(held);
    links.filter_map(|link| fs::read_link(link.path()).ok()).filter(|path| path.is_absolute()).collect()
}

/// A process and those that came from it, its own children before theirs. Where the system does not tell, it alone.
pub(super) fn with_descendants(root: i32) -> Vec<i32> {
    let mut found = vec![root];
    let mut at = 0;
    // A program with more processes than this is not one of those that are asked about.
    while at < found.len().min(MEMBERS_LIMIT) {
        // Each thread has its own children.
        for thread in fs::read_dir(format!("/proc/{}/task", found[at])).into_iter().flatten().flatten() {
            let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
            found.extend(children.split_whitespace().filter_map(|pid| pid.parse::<i32>().ok()));
        }
        at += 1;
    }
    found.truncate(MEMBERS_LIMIT);
    found
}

fn send(process: &Process, signal: Signal) {
    if let Some(pid) = Pid::from_raw(process.pid) {
        // It may have ended just now.
        let _ = rustix::process::kill_process(pid, signal);
    }
}

fn family_of<'a>(listed: &'a [Listed], root: i32, tty: &str) -> Vec<&'a Listed> {
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for entry in listed {
        children.entry(entry.parent).or_default().push(entry.pid);
    }
    let mut members: HashSet<i32> = HashSet::new();
    let mut waiting: Vec<i32> = vec![root];
    waiting.extend(listed.iter().filter(|entry| entry.tty == tty).map(|entry| entry.pid));
    while let Some(pid) = waiting.pop() {
        if pid > 1 && members.insert(pid) {
            waiting.extend(children.get(&pid).into_iter().flatten());
        }
    }
    listed.iter().filter(|entry| members.contains(&entry.pid)).collect()
}

/// Everything that runs; what has ended but was not collected by its parent does not.
async fn list() -> Vec<Listed> {
    let mut command = Command::new("ps");
    // Each column apart: behind an equals sign, a BSD takes everything for the title of the column.
    command.args(["-A", "-o", "pid=", "-o", "ppid=", "-o", "tty=", "-o", "stat=", "-o", "lstart="]).env("LC_ALL", "C");
    command.stdin(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    match time::timeout(PS_LIMIT, command.output()).await {
        Ok(Ok(output)) => String::from_utf8_lossy(&output.stdout).lines().filter_map(read_line).collect(),
        Ok(Err(error)) => {
            tracing::warn!(%error, "running ps");
            Vec::new()
        }
        Err(_) => {
            tracing::warn!("ps did not answer");
            Vec::new()
        }
    }
}

fn read_line(line: &str) -> Option<Listed> {
    let mut fields = line.split_whitespace();
    let pid = fields.next()?.parse().ok()?;
    let parent = fields.next()?.parse().ok()?;
    let tty = fields.next()?.to_owned();
    let state = fields.next()?;
    let started = fields.collect::<Vec<_>>().join(" ");
    (!state.starts_with('Z')).then_some(Listed { pid, parent, tty, started })
}

/// The start time as Linux keeps it, in clock ticks since boot. What `ps` prints is computed anew each time and may differ
/// by a second; elsewhere it must do.
fn exact_start(pid: i32) -> Option<String> {
    Some(stat(pid)?.0)
}

/// What Linux says of a process: when it was started, and whether it runs still or only waits to be collected.
fn stat(pid: i32) -> Option<(String, bool)> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name of the program is in parentheses and may contain anything; the start is the 20th field behind it.
    let (_, behind) = stat.rsplit_once(')')?;
    let mut fields = behind.split_whitespace();
    let state = fields.next()?;
    Some((fields.nth(18)?.to_owned(), !matches!(state, "Z" | "X")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_is_the_tree_and_the_terminal() {
        let lines = "  1  0 ? Ss Mon Nov  2 10:00:00 2026\n 10 1 pts/3 Ss Mon Nov  2 10:00:01 2026\n\
            11 10 pts/3 S Mon Nov  2 10:00:01 2026\n12 11 ? S Mon Nov  2 10:00:02 2026\n\
            13 1 pts/3 S Mon Nov  2 10:00:02 2026\n14 1 pts/4 S Mon Nov  2 10:00:02 2026\n\
            15 10 pts/3 Z Mon Nov  2 10:00:02 2026\nnonsense\n";
        let listed: Vec<Listed> = lines.lines().filter_map(read_line).collect();
        let pids: Vec<i32> = family_of(&listed, 10, "pts/3").into_iter().map(|entry| entry.pid).collect();
        assert_eq!(pids, [10, 11, 12, 13]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn files_that_a_child_holds_open_are_found() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().canonicalize().expect("a path").join("held");
        let file = fs::File::create(&path).expect("a file");
        // Spawned in one go, so that only the child has the file.
        let child = std::process::Command::new("cat").stdin(Stdio::piped()).stdout(file).spawn();
        let mut child = child.expect("it starts");
        let parent = i32::try_from(std::process::id()).expect("an id");
        assert!(open_files(parent).contains(&path));
        child.kill().and_then(|()| child.wait().map(drop)).expect("it ends");
        assert!(!open_files(parent).contains(&path));
    }
}
