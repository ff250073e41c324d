//! What the program in the foreground of a terminal waits for, as Linux tells in `/proc`: a question is asked only by a program
//! that reads its terminal. Elsewhere, and for programs of somebody else such as `sudo`, nothing is known.
//!
//! Only ever asked of a terminal in line mode that has been quiet for a moment, and it reads a handful of small files.

use std::{fs, path::Path};

use adapters::screen::Foreground;

use super::processes;

/// The number of the system call `read`.
const READ: &str = if cfg!(target_arch = "x86_64") { "0" } else { "63" };

/// What the foreground of the terminal waits for whose first process is `root`.
pub(super) fn of(root: i32, tty: &str) -> Option<Foreground> {
    let group = stat_field(root, TERMINAL_GROUP)?;
    let members = processes::with_descendants(root).into_iter().filter(|pid| stat_field(*pid, GROUP) == Some(group));
    let mut elsewhere = None;
    let mut unknown = false;
    for pid in members {
        let threads = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        for thread in threads {
            match thread_waits(&thread.path(), pid, tty) {
                Some(Foreground::Reads) => return Some(Foreground::Reads),
                Some(Foreground::Elsewhere) => elsewhere = elsewhere.or(Some(Foreground::Elsewhere)),
                Some(Foreground::Polls) => elsewhere = Some(Foreground::Polls),
                None => unknown = true,
            }
        }
    }
    elsewhere.filter(|waits| !unknown || *waits == Foreground::Polls)
}

/// The process group, and the group in the foreground of its terminal: which field each is behind the program's name.
const GROUP: usize = 2;
const TERMINAL_GROUP: usize = 5;

fn stat_field(pid: i32, field: usize) -> Option<i32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name stands in brackets and may hold anything.
    let value = stat.rsplit_once(')')?.1.split_whitespace().nth(field)?.parse().ok()?;
    (value > 0).then_some(value)
}

fn thread_waits(thread: &Path, pid: i32, tty: &str) -> Option<Foreground> {
    let stat = fs::read_to_string(thread.join("stat")).ok()?;
    if stat.rsplit_once(')')?.1.trim_start().starts_with(['R', 'D', 'T']) {
        return Some(Foreground::Elsewhere);
    }
    let wchan = fs::read_to_string(thread.join("wchan")).ok()?;
    let call = fs::read_to_string(thread.join("syscall")).ok();
    let waits = waits(wchan.trim(), call.as_deref())?;
    Some(match waits {
        Waits::Read(Some(file)) if !is_terminal(pid, file, tty) => Foreground::Elsewhere,
        Waits::Read(Some(_)) => Foreground::Reads,
        // Which file it reads is not told to everybody; sockets are waited for in the same place of the kernel.
        Waits::Read(None) if holds_socket(pid) => Foreground::Polls,
        Waits::Read(None) => Foreground::Reads,
        Waits::Epoll if !epoll_watches(pid, tty) => Foreground::Elsewhere,
        Waits::Epoll | Waits::Poll => Foreground::Polls,
        Waits::Other => Foreground::Elsewhere,
    })
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waits {
    /// In a read, and of which file, where it is told.
    Read(Option<i32>),
    Poll,
    Epoll,
    Other,
}

/// What a sleeping thread waits for, by the function of the kernel it sleeps in and the system call it is in.
fn waits(wchan: &str, call: Option<&str>) -> Option<Waits> {
    if wchan.is_empty() || wchan == "0" {
        return None;
    }
    if wchan.contains("wait_woken") || wchan.contains("tty_read") {
        let mut words = call.unwrap_or_default().split_whitespace();
        return Some(match (words.next(), words.next()) {
            (Some(READ), Some(file)) => Waits::Read(i32::from_str_radix(file.trim_start_matches("0x"), 16).ok()),
            (None | Some("running"), _) => Waits::Read(None),
            _ => Waits::Other,
        });
    }
    Some(match wchan {
        _ if wchan.contains("ep_poll") || wchan.contains("epoll") => Waits::Epoll,
        _ if wchan.contains("poll") || wchan.contains("select") => Waits::Poll,
        _ => Waits::Other,
    })
}

fn is_terminal(pid: i32, file: i32, tty: &str) -> bool {
    // Whoever may not look is given the benefit of the doubt.
    fs::read_link(format!("/proc/{pid}/fd/{file}"))
        .map_or(true, |path| path == Path::new(tty) || path == Path::new("/dev/tty"))
}

fn holds_socket(pid: i32) -> bool {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    files.filter_map(|file| fs::read_link(file.path()).ok()).any(|path| path.to_string_lossy().starts_with("socket:"))
}

/// Whether the terminal is among the files that an event loop watches.
fn epoll_watches(pid: i32, tty: &str) -> bool {
    let Ok(files) = fs::read_dir(format!("/proc/{pid}/fdinfo")) else { return true };
    let infos = files.flatten().filter_map(|file| fs::read_to_string(file.path()).ok());
    let watched = infos.flat_map(|info| {
        let files = info.lines().filter_map(|line| line.strip_prefix("tfd:")?.split_whitespace().next()?.parse().ok());
        files.collect::<Vec<i32>>()
    });
    watched.into_iter().any(|file| is_terminal(pid, file, tty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_thread_that_sleeps_tells_what_for() {
        let read = format!("{READ} 0x0 0x7ffe 0x1 0x0 0x0 0x0 0x7f 0x7f");
        let table = [
            ("wait_woken", Some(read.as_str()), Some(Waits::Read(Some(0)))),
            ("n_tty_read", None, Some(Waits::Read(None))),
            ("wait_woken", Some("45 0x3 0x7f"), Some(Waits::Other)),
            ("do_epoll_wait", None, Some(Waits::Epoll)),
            ("poll_schedule_timeout.constprop.0", None, Some(Waits::Poll)),
            ("do_select", None, Some(Waits::Poll)),
            ("hrtimer_nanosleep", None, Some(Waits::Other)),
            ("do_wait", None, Some(Waits::Other)),
            ("0", None, None),
            ("", None, None),
        ];
        for (wchan, call, wanted) in table {
            assert_eq!(waits(wchan, call), wanted, "{wchan} {call:?}");
        }
    }

    #[test]
    fn what_does_not_run_is_not_known() {
        assert_eq!(of(i32::MAX, "/dev/pts/0"), None);
    }
}
