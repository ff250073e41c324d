//! The configuration file: TOML, every key optional. Every mistake is told, each with its line and the reason.

use std::{fmt, net::IpAddr, path::PathBuf};

use adapters::generic::OwnPrompt;
use toml::de::{DeTable, DeValue};

use super::own_prompts;

use super::{ExpirySettings, NotifySettings};

/// What the file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "each field is the setting of that name in `Settings`")]
pub struct FileSettings {
    pub port: Option<u16>,
    pub host: Option<IpAddr>,
    pub lan: Option<bool>,
    pub tls: Option<bool>,
    pub tls_cert: Option<PathBuf>,
    pub tls_key: Option<PathBuf>,
    pub allowed_hosts: Vec<String>,
    pub folders: Vec<PathBuf>,
    pub data_dir: Option<PathBuf>,
    pub tmux: Option<String>,
    pub hooks: Option<bool>,
    pub resume_all: Option<bool>,
    pub prompts: Vec<OwnPrompt>,
    pub journal_days: Option<u32>,
    pub metrics: Option<bool>,
    pub notify: NotifySettings,
    pub expiry: ExpirySettings,
}

/// One thing that is wrong with the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub reason: String,
}

/// Why the file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// It cannot be read.
    #[error("cannot read the configuration {}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// It holds mistakes.
    #[error("the configuration has mistakes:{}", list(path, mistakes))]
    Mistakes {
        /// The file.
        path: PathBuf,
        /// All of them.
        mistakes: Vec<Mistake>,
    },
}

fn list(path: &std::path::Path, mistakes: &[Mistake]) -> String {
    mistakes.iter().map(|mistake| format!("\n  {}:{}", path.display(), mistake)).collect()
}

impl fmt::Display for Mistake {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.line, self.reason)
    }
}

impl FileSettings {
    /// Reads the file's text.
    ///
    /// # Errors
    /// All mistakes in it.
    pub fn parse(text: &str) -> Result<Self, Vec<Mistake>> {
        let line_of = |at: usize| text.get(..at).unwrap_or(text).matches('\n').count() + 1;
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(span.start));
            vec![Mistake { line, reason: error.message().to_owned() }]
        })?;
        let mut settings = Self::default();
        let mut mistakes = Vec::new();
        let mut lines = std::collections::HashMap::new();
        for (key, value) in table.get_ref() {
            lines.insert(key.get_ref().to_string(), line_of(key.span().start));
            let line = line_of(value.span().start);
            match key.get_ref().as_ref() {
                "prompts" => match own_prompts::parse(value.get_ref(), value.span().start) {
                    Ok(prompts) => settings.prompts = prompts,
                    Err(found) => {
                        mistakes.extend(found.into_iter().map(|(at, reason)| Mistake { line: line_of(at), reason }));
                    }
                },
                "expiry" => match ExpirySettings::read(value.get_ref(), line, line_of) {
                    Ok(expiry) => settings.expiry = expiry,
                    Err(found) => mistakes.extend(found),
                },
                "notify" => {
                    let (notify, found) = NotifySettings::read(value.get_ref(), line_of);
                    settings.notify = notify;
                    mistakes.extend(found);
                }
                key => mistakes.extend(settings.set(key, value.get_ref()).err().map(|reason| Mistake { line, reason })),
            }
        }
        for (one, other) in [("tls_cert", "tls_key"), ("tls_key", "tls_cert")] {
            if let (Some(line), false) = (lines.get(one), lines.contains_key(other)) {
                mistakes.push(Mistake { line: *line, reason: format!("`{one}` needs `{other}` beside it") });
            }
        }
        if let (Some(line), Some(true), true) = (lines.get("lan"), settings.lan, settings.host.is_some()) {
            mistakes.push(Mistake { line: *line, reason: "`lan` and `host` cannot both be set".to_owned() });
        }
        mistakes.sort_by_key(|mistake| mistake.line);
        if mistakes.is_empty() { Ok(settings) } else { Err(mistakes) }
    }

    fn set(&mut self, key: &str, value: &DeValue<'_>) -> Result<(), String> {
        let named = |reason: &str| format!("`{key}` {reason}");
        match key {
            "port" => {
                let port =
                    value.as_integer().and_then(|number| u16::from_str_radix(number.as_str(), number.radix()).ok());
                self.port =
                    Some(port.filter(|port| *port > 0).ok_or_else(|| named("must be a number from 1 to 65535"))?);
            }
            "host" => {
                let host = value.as_str().and_then(|text| text.parse().ok());
                self.host = Some(host.ok_or_else(|| named("must be an IP address in quotes, such as \"127.0.0.1\""))?);
            }
            "lan" => self.lan = Some(value.as_bool().ok_or_else(|| named("must be true or false"))?),
            "hooks" => self.hooks = Some(value.as_bool().ok_or_else(|| named("must be true or false"))?),
            "resume_all" => self.resume_all = Some(value.as_bool().ok_or_else(|| named("must be true or false"))?),
            "tls" => self.tls = Some(value.as_bool().ok_or_else(|| named("must be true or false"))?),
            "tls_cert" => self.tls_cert = Some(path(value).ok_or_else(|| named("must be an absolute path in quotes"))?),
            "tls_key" => self.tls_key = Some(path(value).ok_or_else(|| named("must be an absolute path in quotes"))?),
            "data_dir" => self.data_dir = Some(path(value).ok_or_else(|| named("must be an absolute path in quotes"))?),
            "allowed_hosts" => {
                let names = list_of(value, |item| item.as_str().filter(|name| is_host(name)).map(str::to_owned));
                self.allowed_hosts =
                    names.ok_or_else(|| named("must be a list of host names without port, in quotes"))?;
            }
            "folders" => {
                self.folders =
                    list_of(value, path).ok_or_else(|| named("must be a list of absolute paths in quotes"))?;
            }
            "metrics" => self.metrics = Some(value.as_bool().ok_or_else(|| named("must be true or false"))?),
            "journal_days" => {
                let days =
                    value.as_integer().and_then(|number| u32::from_str_radix(number.as_str(), number.radix()).ok());
                self.journal_days =
                    Some(days.filter(|days| *days > 0).ok_or_else(|| named("must be a number of days"))?);
            }
            "tmux" => {
                let name = value.as_str().filter(|name| is_tmux_name(name));
                self.tmux =
                    Some(name.ok_or_else(|| named("must be a short name of letters, digits and dashes"))?.to_owned());
            }
            _ => return Err(format!("there is no setting `{key}`; there are {}", KEYS.join(", "))),
        }
        Ok(())
    }
}

const KEYS: &[&str] = &[
    "port",
    "host",
    "lan",
    "tls",
    "tls_cert",
    "tls_key",
    "allowed_hosts",
    "folders",
    "data_dir",
    "tmux",
    "hooks",
    "resume_all",
    "prompts",
    "journal_days",
    "metrics",
    "[notify]",
];

fn path(value: &DeValue<'_>) -> Option<PathBuf> {
    value.as_str().map(PathBuf::from).filter(|path| path.is_absolute())
}

fn list_of<T>(value: &DeValue<'_>, item: impl Fn(&DeValue<'_>) -> Option<T>) -> Option<Vec<T>> {
    value.as_array()?.iter().map(|element| item(element.get_ref())).collect()
}

/// True for what can stand in `allowed_hosts`.
pub(crate) fn is_host(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|ch| ch.is_ascii_alphanumeric() || matches!(ch, '.' | '-'))
}

fn is_tmux_name(name: &str) -> bool {
    (1..=40).contains(&name.len()) && name.chars().all(|ch| ch.is_ascii_alphanumeric() || ch == '-')
}
