//! What Linux tells of a process, read from `/proc`.

use std::{fs, path::Path};

/// The longest line of ancestors that is followed; a longer one is taken for a trick.
const MOST_ANCESTORS: usize = 256;

/// Where a process stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
    /// Its number.
    pub pid: u32,
    /// Itself, its parent, and so on.
    pub ancestry: Vec<u32>,
    /// The device of its terminal.
    pub tty: Option<u64>,
    /// Its namespaces.
    pub namespaces: Namespaces,
    /// Whether it may gain no privileges any more, as programs in sandboxes.
    pub no_new_privs: bool,
    /// How many seccomp filters it is under.
    pub seccomp_filters: u32,
}

/// What a process sees of the system: files, users, processes and network. Two in the same have equal words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Namespaces(pub [String; 4]);

impl Standing {
    /// Whether it sees what the other sees, and is under no restriction that the other is not under.
    #[must_use]
    pub fn is_as_free_as(&self, other: &Self) -> bool {
        self.namespaces == other.namespaces
            && self.no_new_privs <= other.no_new_privs
            && self.seccomp_filters <= other.seccomp_filters
    }
}

/// What is told of a process; `None` when it has ended or may not be looked at.
pub(super) fn read(pid: u32) -> Option<Standing> {
    let folder = format!("/proc/{pid}");
    let folder = Path::new(&folder);
    let space = |name: &str| Some(fs::read_link(folder.join("ns").join(name)).ok()?.to_string_lossy().into_owned());
    let namespaces = Namespaces([space("mnt")?, space("user")?, space("pid")?, space("net")?]);
    let status = fs::read_to_string(folder.join("status")).ok()?;
    let (no_new_privs, seccomp_filters) = read_status(&status)?;
    let (parent, tty) = parent_and_tty(pid)?;
    let mut ancestry = vec![pid];
    let mut next = parent;
    while next > 0 {
        ancestry.push(next);
        if ancestry.len() > MOST_ANCESTORS {
            return None;
        }
        // Beyond the first process of our own namespace there is nothing to see.
        next = if next == 1 { 0 } else { parent_and_tty(next)?.0 };
    }
    Some(Standing { pid, ancestry, tty, namespaces, no_new_privs, seccomp_filters })
}

/// The device of a terminal, as [`Standing::tty`] has it.
pub(crate) fn tty_device(path: &str) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    let device = fs::metadata(path).ok()?.rdev();
    Some(encode(rustix::fs::major(device), rustix::fs::minor(device)))
}

/// How `/proc/PID/stat` writes a device.
fn encode(major: u32, minor: u32) -> u64 {
    (u64::from(minor) & 0xff) | (u64::from(major) << 8) | ((u64::from(minor) & !0xff) << 12)
}

fn parent_and_tty(pid: u32) -> Option<(u32, Option<u64>)> {
    read_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

/// Reads `PID (NAME) STATE PPID PGRP SESSION TTY ...`; the name may contain anything.
fn read_stat(stat: &str) -> Option<(u32, Option<u64>)> {
    let (_, behind) = stat.rsplit_once(')')?;
    let mut fields = behind.split_whitespace();
    let parent = fields.nth(1)?.parse().ok()?;
    let tty = fields.nth(2)?.parse::<i64>().ok()?;
    Some((parent, u64::try_from(tty).ok().filter(|tty| *tty > 0)))
}

/// Reads the lines on restrictions. Older systems count no filters, and tell only that there are some.
fn read_status(status: &str) -> Option<(bool, u32)> {
    let field = |name: &str| {
        status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')?.trim().parse::<u32>().ok())
    };
    let filters = field("Seccomp_filters").or_else(|| field("Seccomp"));
    Some((field("NoNewPrivs")? > 0, filters.unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_parentheses_is_no_field() {
        assert_eq!(read_stat("12 (a) 1 2 (b) S 7 12 12 34819 12 0"), Some((7, Some(34819))));
        assert_eq!(read_stat("12 (cat) S 1 12 12 0 -1 0"), Some((1, None)));
        assert_eq!(read_stat("nonsense"), None);
    }

    #[test]
    fn restrictions_are_read_from_newer_and_older_systems() {
        assert_eq!(read_status("NoNewPrivs:\t1\nSeccomp:\t2\nSeccomp_filters:\t3\n"), Some((true, 3)));
        assert_eq!(read_status("NoNewPrivs:\t0\nSeccomp:\t2\n"), Some((false, 2)));
        assert_eq!(read_status("Name:\tcat\n"), None);
    }

    #[test]
    fn terminals_have_the_number_of_the_kernel() {
        assert_eq!(encode(136, 3), 34819);
        assert_eq!(encode(136, 300), (136 << 8) | (300 & 0xff) | ((300 & !0xff) << 12));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn our_own_process_is_described() {
        let us = read(std::process::id()).expect("it can be read");
        assert_eq!(us.ancestry[0], us.pid);
        assert!(us.ancestry.len() > 1 && us.is_as_free_as(&us));
        assert_eq!(read(u32::MAX), None);
    }
}
