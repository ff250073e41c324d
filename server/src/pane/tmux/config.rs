//! The configuration of the private tmux server. The person's own tmux.conf is never read.

use std::{
    env,
    path::{Path, PathBuf},
};

/// Everything is set by us, so that screens look the same on every machine. Notes on what is *not* here:
/// `window-size manual` with `new-session -x -y` makes tmux 3.3a crash, so a window follows whoever is attached and is put
/// back afterwards; hooks would print into the terminal of a person at the desk.
const TEXT: &str = r##"# Written by Answerback; changes are overwritten. This is not your tmux.conf.
set -s default-terminal "@TERM@"
set -s escape-time 10
set -s exit-empty on
set -s extended-keys on
set -as terminal-features ",*:RGB,xterm*:extkeys"
set -s set-clipboard external

# The last screen and the exit status of a program that ended stay readable.
set -g remain-on-exit on
set -g remain-on-exit-format ""

# Programs get the environment we give them, and only titles are theirs to change.
set -g update-environment ""
set -g set-titles off
set -g allow-rename off
set -g automatic-rename off

# Bounds the memory of a session to a few megabytes.
set -g history-limit 2000
set -g destroy-unattached off
set -g detach-on-destroy on
set -g lock-after-time 0

# For the person at the desk: one slim line, the wheel scrolls, and few keys, so that nothing is closed by mistake.
# Ctrl-b Ctrl-b is Ctrl-b for the program.
set -g mouse on
set -g mode-keys emacs
set -g status on
set -g status-interval 0
set -g status-style "dim"
set -g status-left " Answerback "
set -g status-left-length 20
set -g status-right " Ctrl-b d: leave, the session goes on "
set -g status-right-length 40
set -g window-status-format ""
set -g window-status-current-format ""
set -g prefix C-b
unbind-key -a -T prefix
bind-key -T prefix C-b send-prefix
bind-key -T prefix d detach-client
bind-key -T prefix [ copy-mode
bind-key -T prefix PPage copy-mode -u
bind-key -T prefix r refresh-client
unbind-key -q -T root MouseDown3Pane
unbind-key -q -T root M-MouseDown3Pane
unbind-key -q -T root MouseDown3Status
unbind-key -q -T root MouseDown3StatusLeft
unbind-key -q -T root MouseDown1Status
unbind-key -q -T root WheelUpStatus
unbind-key -q -T root WheelDownStatus
"##;

/// The configuration for this machine.
pub(super) fn text() -> String {
    let terminal = if terminfo_folders().iter().any(|folder| describes_tmux(folder)) {
        "tmux-256color"
    } else {
        "screen-256color"
    };
    TEXT.replace("@TERM@", terminal)
}

fn describes_tmux(folder: &Path) -> bool {
    // Linux sorts by first letter, macOS by its code.
    ["t/tmux-256color", "74/tmux-256color"].iter().any(|entry| folder.join(entry).exists())
}

fn terminfo_folders() -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo", "/usr/lib/terminfo"]
        .into_iter()
        .chain(["/usr/local/share/terminfo", "/opt/homebrew/share/terminfo", "/run/current-system/sw/share/terminfo"])
        .map(PathBuf::from)
        .collect();
    if let Some(home) = env::var_os("HOME") {
        folders.push(PathBuf::from(home).join(".terminfo"));
    }
    for variable in ["TERMINFO", "TERMINFO_DIRS"] {
        if let Some(named) = env::var_os(variable) {
            folders.extend(env::split_paths(&named));
        }
    }
    folders
}
