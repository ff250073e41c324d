//! Settings: the configuration file, then the environment, then flags; the later wins. Checked whole before anything starts.

mod expiry;
mod file;
mod notify;
mod own_prompts;
#[cfg(test)]
mod tests;

use std::{
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
};

use clap::Args;

pub use expiry::ExpirySettings;
pub(crate) use file::is_host;
pub use file::{FileError, FileSettings, Mistake};
pub use notify::{NotifySettings, NtfySettings, TelegramSettings};
pub use own_prompts::{OwnPrompts, follow};

use crate::paths;

/// The port that is tried first.
const PORT: u16 = 4700;

/// What flags and the environment say; what they do not say comes from the file.
#[derive(Debug, Clone, Default, Args)]
pub struct Flags {
    /// Port to listen on; until a device is paired the next free one is taken when it is busy
    #[arg(long, env = "ANSWERBACK_PORT", value_name = "PORT", overrides_with = "port")]
    pub port: Option<u16>,
    /// Address to listen on [default: 127.0.0.1]
    #[arg(long, env = "ANSWERBACK_HOST", value_name = "ADDRESS", conflicts_with = "lan")]
    pub host: Option<IpAddr>,
    /// Listen on every address of this machine, so that phones on the same network reach it
    #[arg(long, env = "ANSWERBACK_LAN", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub lan: Option<bool>,
    /// Encrypt with a certificate made on the spot; the phone asks once whether to trust it
    #[arg(long, env = "ANSWERBACK_TLS", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub tls: Option<bool>,
    /// Encrypt with this certificate chain (PEM)
    #[arg(long, env = "ANSWERBACK_TLS_CERT", value_name = "FILE", requires = "tls_key")]
    pub tls_cert: Option<PathBuf>,
    /// The private key of that certificate (PEM)
    #[arg(long, env = "ANSWERBACK_TLS_KEY", value_name = "FILE", requires = "tls_cert")]
    pub tls_key: Option<PathBuf>,
    /// A further host name under which the page may be opened, such as a Tailscale or tunnel name
    #[arg(long, env = "ANSWERBACK_ALLOWED_HOSTS", value_name = "NAME", value_delimiter = ',')]
    pub allowed_host: Vec<String>,
    /// Folder for everything that is kept
    #[arg(long, env = "ANSWERBACK_DATA_DIR", value_name = "FOLDER", global = true)]
    pub data_dir: Option<PathBuf>,
    /// Configuration file [default: ~/.config/answerback/config.toml]
    #[arg(long, env = "ANSWERBACK_CONFIG", value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// Name of the private tmux server
    #[arg(long, env = "ANSWERBACK_TMUX", value_name = "NAME", global = true)]
    pub tmux: Option<String>,
    /// Let the CLIs tell what they ask through hooks; otherwise their screens alone are read [default: true]
    #[arg(long, env = "ANSWERBACK_HOOKS", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub hooks: Option<bool>,
    /// Go on with the conversations of sessions whose terminal is gone, as after a reboot [default: false]
    #[arg(long, env = "ANSWERBACK_RESUME_ALL", num_args = 0..=1, default_missing_value = "true", value_name = "BOOL")]
    pub resume_all: Option<bool>,
}

impl Flags {
    /// True when they say who may open the page.
    pub(crate) fn say_who_may_open(&self) -> bool {
        let reach = [self.host.is_some(), self.lan.is_some(), self.tls.is_some(), self.tls_cert.is_some()];
        reach.contains(&true) || !self.allowed_host.is_empty()
    }
}

/// What holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settings {
    /// The port that is tried first.
    pub port: u16,
    /// The address to listen on.
    pub host: IpAddr,
    /// Whether and how to encrypt.
    pub tls: Tls,
    /// Further host names under which the page may be opened, in lower case.
    pub allowed_hosts: Vec<String>,
    /// Folders that may be browsed, besides the home folder.
    pub folders: Vec<PathBuf>,
    /// Where things are kept.
    pub paths: paths::Paths,
    /// The person's rules: beside the configuration file.
    pub rules: PathBuf,
    /// The name of the private tmux server.
    pub tmux: String,
    /// Whether new sessions get hooks.
    pub hooks: bool,
    /// Whether sessions whose terminal is gone are gone on with at the start.
    pub resume_all: bool,
    /// Prompts that the person has described.
    pub prompts: OwnPrompts,
    /// The configuration file.
    pub file: PathBuf,
    /// For how many days the journal is kept; all of it when it is not said.
    pub journal_days: Option<u32>,
    /// Whether `/metrics` is there, for who has its token.
    pub metrics: bool,
    /// Who is told of prompts, and when.
    pub notify: NotifySettings,
    /// How long prompts wait; for ever when it is not said.
    pub expiry: ExpirySettings,
}

/// Whether and how to encrypt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tls {
    /// Not at all.
    Off,
    /// With a certificate of our own making.
    SelfSigned,
    /// With the person's certificate.
    Files {
        /// The certificate chain.
        cert: PathBuf,
        /// Its private key.
        key: PathBuf,
    },
}

impl Settings {
    /// Reads the file and puts everything together.
    ///
    /// # Errors
    /// When the file cannot be read or holds mistakes: all of them are named.
    pub fn load(flags: &Flags) -> Result<Self, FileError> {
        let path = flags.config.clone().unwrap_or_else(paths::config_file);
        let file = match std::fs::read_to_string(&path) {
            Ok(text) => {
                FileSettings::parse(&text).map_err(|mistakes| FileError::Mistakes { path: path.clone(), mistakes })?
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && flags.config.is_none() => {
                FileSettings::default()
            }
            Err(error) => return Err(FileError::Unreadable { path, error }),
        };
        let rules = path.with_file_name("rules.toml");
        Ok(Self { file: path, rules, ..Self::merge(flags, file) })
    }

    fn merge(flags: &Flags, file: FileSettings) -> Self {
        let lan = flags.lan.or_else(|| flags.host.is_none().then_some(file.lan).flatten()).unwrap_or(false);
        let all = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let host = flags.host.or(lan.then_some(all)).or(file.host).unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let files = flags.tls_cert.clone().zip(flags.tls_key.clone()).or(file.tls_cert.zip(file.tls_key));
        let tls = match (flags.tls, files) {
            (Some(false), _) => Tls::Off,
            (_, Some((cert, key))) => Tls::Files { cert, key },
            (Some(true), None) => Tls::SelfSigned,
            (None, None) => file.tls.filter(|on| *on).map_or(Tls::Off, |_| Tls::SelfSigned),
        };
        let allowed_hosts = flags.allowed_host.iter().chain(&file.allowed_hosts);
        Self {
            port: flags.port.or(file.port).unwrap_or(PORT),
            host,
            tls,
            allowed_hosts: allowed_hosts.map(|host| host.trim().to_ascii_lowercase()).collect(),
            folders: file.folders,
            paths: paths::Paths::resolve(flags.data_dir.as_deref().or(file.data_dir.as_deref())),
            rules: paths::config_file().with_file_name("rules.toml"),
            tmux: flags.tmux.clone().or(file.tmux).unwrap_or_else(|| "answerback".to_owned()),
            hooks: flags.hooks.or(file.hooks).unwrap_or(true),
            resume_all: flags.resume_all.or(file.resume_all).unwrap_or(false),
            prompts: file.prompts.into(),
            file: PathBuf::new(),
            journal_days: file.journal_days,
            metrics: file.metrics.unwrap_or(false),
            notify: file.notify,
            expiry: file.expiry,
        }
    }

    /// True when only this machine can reach us.
    #[must_use]
    pub fn is_loopback(&self) -> bool {
        self.host.is_loopback()
    }
}
