//! What a file is, by its name alone: secrets, places of the system, places outside the session's folder.

use std::path::{Component, Path, PathBuf};

use super::Findings;

/// A file that a command or a tool names.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// As it was written.
    pub text: String,
    pub kind: PlaceKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PlaceKind {
    /// In the session's folder.
    Inside,
    /// The session's folder itself, or one above it.
    Folder,
    /// Where nothing lasts: `/tmp`, `/dev/null`.
    Passing,
    /// Below the home folder.
    Home,
    /// Part of the system.
    System,
    /// A disk, or another device.
    Device,
    /// Anywhere else.
    Outside,
    /// A variable says where.
    Unknown,
}

const SYSTEM: &[&str] = &[
    "/etc",
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib64",
    "/boot",
    "/opt",
    "/root",
    "/sys",
    "/proc",
    "/var",
    "/System",
    "/Library",
    "/Applications",
    "/private/etc",
];
const PASSING: &[&str] =
    &["/tmp", "/var/tmp", "/private/tmp", "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd", "/dev/tty"];

/// Files that run, or set what runs, without being called.
const RUN_BY_THEMSELVES: &[&str] = &[
    ".bashrc",
    ".bash_profile",
    ".zshrc",
    ".zprofile",
    ".zshenv",
    ".profile",
    ".bash_login",
    "config.fish",
    "crontab",
    "authorized_keys",
    ".gitconfig",
    "sudoers",
    ".ssh/config",
    ".config/autostart",
    "LaunchAgents",
    "LaunchDaemons",
    ".git/hooks",
    ".git/config",
    ".husky",
    ".vscode/tasks.json",
    ".envrc",
    "systemd/user",
];

/// What a coding agent may do without asking is set in these.
const AGENT_SETTINGS: &[&str] = &[
    ".claude/settings.json",
    ".claude/settings.local.json",
    ".claude.json",
    ".codex/config.toml",
    ".gemini/settings.json",
    ".mcp.json",
    ".claude/hooks",
    ".codex/rules",
    ".gemini/policies",
];

impl Place {
    /// The file `text` names, seen from `cwd`; where that is not known only absolute names tell anything.
    pub(super) fn of(text: &str, cwd: Option<&Path>, folder: &Path) -> Self {
        Self { text: text.to_owned(), kind: kind_of(text, cwd, folder) }
    }

    /// Something is written there.
    pub(super) fn judge_write(&self, findings: &mut Findings) {
        let text = &self.text;
        if names_one_of(text, AGENT_SETTINGS) {
            findings.high(format!("changes what an agent may do without asking: {text}"));
        } else if names_one_of(text, RUN_BY_THEMSELVES) {
            findings.high(format!("changes a file that runs by itself later: {text}"));
        } else if self.is_secret() {
            findings.medium(format!("writes a file with secrets: {text}"));
        }
        match self.kind {
            PlaceKind::System => findings.high(format!("writes into the system: {text}")),
            PlaceKind::Device => findings.high(format!("writes straight to a device: {text}")),
            PlaceKind::Home | PlaceKind::Outside => findings.medium(format!("writes outside the folder: {text}")),
            PlaceKind::Folder if text.contains("..") => findings.medium(format!("writes outside the folder: {text}")),
            PlaceKind::Inside | PlaceKind::Folder | PlaceKind::Passing | PlaceKind::Unknown => {}
        }
    }

    /// It is read.
    pub(super) fn judge_read(&self, findings: &mut Findings) {
        if self.is_secret() {
            findings.medium(format!("reads a file with secrets: {}", self.text));
        }
    }

    /// Passwords, keys and tokens are kept in files of such names.
    pub(super) fn is_secret(&self) -> bool {
        is_secret(&self.text)
    }
}

/// Passwords, keys and tokens are kept in files of such names.
pub(super) fn is_secret(path: &str) -> bool {
    const FOLDERS: &[&str] = &[".ssh", ".gnupg", ".aws", ".kube", ".password-store", ".azure", "gcloud", "Keychains"];
    const NAMES: &[&str] = &[
        ".netrc",
        ".pgpass",
        ".my.cnf",
        ".npmrc",
        ".pypirc",
        ".git-credentials",
        "credentials.json",
        ".credentials.json",
        "service-account.json",
        "auth.json",
        "oauth_creds.json",
        "secrets.json",
        "secrets.yml",
        "secrets.yaml",
        "shadow",
        "gshadow",
        "master.key",
        "hosts.yml",
        ".vault-token",
        ".htpasswd",
        "wallet.dat",
        "credentials",
        "Login Data",
    ];
    const ENDS: &[&str] = &[".pem", ".key", ".p12", ".pfx", ".kdbx", ".keystore", ".jks", ".asc", ".ppk"];
    const HARMLESS: &[&str] = &["example", "sample", "template", "dist", "defaults", "test", "pub"];
    let path = path.trim_end_matches('/');
    let name = path.rsplit('/').next().unwrap_or(path);
    let last = name.rsplit('.').next().unwrap_or_default();
    if HARMLESS.contains(&last) || name == "known_hosts" {
        return false;
    }
    let environment = name == ".env" || name.starts_with(".env.") || name == ".envrc";
    let in_secret_folder = path.split('/').any(|part| FOLDERS.contains(&part));
    let docker = path.ends_with(".docker/config.json");
    let ends = ENDS.iter().any(|end| name.ends_with(end) && name.len() > end.len());
    environment
        || in_secret_folder
        || docker
        || ends
        || name.starts_with("id_rsa")
        || name.starts_with("id_ed25519")
        || NAMES.contains(&name)
}

/// Places that are made again by building: losing them costs time, nothing else.
pub(super) fn is_rebuildable(path: &str) -> bool {
    const BUILT: &[&str] = &[
        "node_modules",
        "target",
        "dist",
        "build",
        "out",
        "coverage",
        "__pycache__",
        ".pytest_cache",
        ".mypy_cache",
        ".ruff_cache",
        ".next",
        ".nuxt",
        ".turbo",
        ".parcel-cache",
        ".cache",
        ".gradle",
        ".venv",
        "venv",
        ".tox",
        "tmp",
        "temp",
        ".eggs",
        "DerivedData",
        "test-results",
        "playwright-report",
        ".nyc_output",
        ".svelte-kit",
        "bin",
        "obj",
        "logs",
    ];
    let relative = path.trim_start_matches("./");
    !path.starts_with('/')
        && !path.contains("..")
        && relative.split('/').any(|part| BUILT.contains(&part) || part.ends_with(".egg-info"))
}

fn names_one_of(path: &str, names: &[&str]) -> bool {
    names.iter().any(|name| {
        path.match_indices(name).any(|(at, _)| {
            let before = path[..at].chars().next_back().is_none_or(|each| each == '/');
            let after = path[at + name.len()..].chars().next().is_none_or(|each| each == '/');
            before && after
        })
    })
}

fn kind_of(text: &str, cwd: Option<&Path>, folder: &Path) -> PlaceKind {
    let home = ["~", "$HOME", "${HOME}"]
        .iter()
        .any(|home| text.strip_prefix(home).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
    if home {
        return PlaceKind::Home;
    }
    if text.contains('$') {
        return PlaceKind::Unknown;
    }
    let whole = if text.starts_with('/') {
        PathBuf::from(text)
    } else {
        match cwd {
            Some(cwd) => cwd.join(text),
            None => return PlaceKind::Unknown,
        }
    };
    let path = normal(&whole);
    if path != folder && path.starts_with(folder) {
        return PlaceKind::Inside;
    }
    if folder.starts_with(&path) {
        return PlaceKind::Folder;
    }
    if PASSING.iter().any(|place| path.starts_with(place)) {
        return PlaceKind::Passing;
    }
    if path.starts_with("/dev") {
        return PlaceKind::Device;
    }
    if SYSTEM.iter().any(|place| path.starts_with(place)) {
        return PlaceKind::System;
    }
    PlaceKind::Outside
}

/// The path without `.` and `..`, as far as its letters tell.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            other => clean.push(other),
        }
    }
    clean
}
