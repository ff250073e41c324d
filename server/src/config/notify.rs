//! The table `[notify]` of the configuration file: who is told what, when, and how much of it.

use std::{path::PathBuf, time::Duration};

use toml::de::DeValue;

use super::file::Mistake;
use crate::notify::{Content, Lets, PlanSettings, Quiet, TOKEN_VARIABLE, TokenSource, is_address};

/// What the table says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotifySettings {
    /// When to tell.
    pub plan: PlanSettings,
    /// How much web push says; it is encrypted to the device.
    pub content: Content,
    /// Whom push services ask when something is wrong: an https or mailto address.
    pub contact: Option<String>,
    /// A Telegram bot.
    pub telegram: Option<TelegramSettings>,
    /// A topic of an ntfy server.
    pub ntfy: Option<NtfySettings>,
    /// A command of the person's, with its arguments.
    pub command: Option<(PathBuf, Vec<String>)>,
}

/// A Telegram bot of the person's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TelegramSettings {
    /// The address of the Bot API.
    pub server: String,
    /// Where its token is.
    pub token: TokenSource,
    /// How much is said; Telegram can read it.
    pub content: Content,
    /// Whether its chats are also told when a session has finished.
    pub finished: bool,
}

/// A topic of an ntfy server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NtfySettings {
    /// The server's address.
    pub server: String,
    /// The topic: whoever knows it can read it.
    pub topic: String,
    /// Where the access token is, for servers that want one.
    pub token_file: Option<PathBuf>,
    /// How much is said; the server can read it.
    pub content: Content,
}

impl Default for NotifySettings {
    fn default() -> Self {
        Self {
            plan: PlanSettings::default(),
            content: Content::Full,
            contact: None,
            telegram: None,
            ntfy: None,
            command: None,
        }
    }
}

const KEYS: &[&str] = &[
    "dwell",
    "again",
    "finished_after",
    "idle_after",
    "quiet",
    "quiet_lets",
    "content",
    "contact",
    "command",
    "[notify.telegram]",
    "[notify.ntfy]",
];

impl NotifySettings {
    /// Reads the table.
    pub(super) fn read(value: &DeValue<'_>, line_of: impl Fn(usize) -> usize) -> (Self, Vec<Mistake>) {
        let mut settings = Self::default();
        let Some(table) = value.as_table() else {
            return (settings, vec![Mistake { line: 1, reason: "`notify` must be a table: [notify]".to_owned() }]);
        };
        let mut mistakes = Vec::new();
        let mut lets = None;
        for (key, value) in table {
            let line = line_of(value.span().start);
            let found = match key.get_ref().as_ref() {
                "ntfy" => NtfySettings::read(value.get_ref(), line, &line_of).map(|ntfy| settings.ntfy = Some(ntfy)),
                "telegram" => TelegramSettings::read(value.get_ref(), line, &line_of)
                    .map(|telegram| settings.telegram = Some(telegram)),
                _ => Ok(()),
            };
            if ["ntfy", "telegram"].contains(&key.get_ref().as_ref()) {
                mistakes.extend(found.err().unwrap_or_default());
                continue;
            }
            if let Err(reason) = settings.set(key.get_ref(), value.get_ref(), &mut lets) {
                mistakes.push(Mistake { line, reason });
            }
        }
        if let (Some(quiet), Some(lets)) = (&mut settings.plan.quiet, lets) {
            quiet.lets = lets;
        }
        (settings, mistakes)
    }

    fn set(&mut self, key: &str, value: &DeValue<'_>, lets: &mut Option<Lets>) -> Result<(), String> {
        let named = |reason: &str| format!("`notify.{key}` {reason}");
        match key {
            "dwell" => {
                self.plan.dwell = seconds(value, 600).ok_or_else(|| named("must be a number of seconds up to 600"))?;
            }
            "finished_after" => {
                let read = seconds(value, 86_400);
                self.plan.finished_after = read.ok_or_else(|| named("must be a number of seconds up to 86400"))?;
            }
            "idle_after" => {
                let read = seconds(value, 86_400)
                    .ok_or_else(|| named("must be a number of seconds up to 86400, or 0 for never"))?;
                self.plan.idle_after = Some(read).filter(|read| !read.is_zero());
            }
            "again" => {
                let minutes = value.as_array().map(|list| list.iter().map(|item| minutes(item.get_ref())).collect());
                let steps: Option<Vec<Duration>> = minutes.flatten();
                let rising = |steps: &Vec<Duration>| steps.len() <= 8 && steps.is_sorted_by(|one, next| one < next);
                let wanted = "must be a list of minutes that rise, such as [5, 15, 60]";
                self.plan.ladder = steps.filter(rising).ok_or_else(|| named(wanted))?;
            }
            "quiet" => {
                let hours = value.as_str().and_then(quiet_hours);
                let (from, until) = hours.ok_or_else(|| named("must be hours such as \"22:00-07:00\""))?;
                self.plan.quiet = Some(Quiet { from, until, lets: lets.unwrap_or(Lets::Dangerous) });
            }
            "quiet_lets" => {
                *lets = Some(match value.as_str() {
                    Some("nothing") => Lets::Nothing,
                    Some("dangerous") => Lets::Dangerous,
                    Some("blocking") => Lets::Blocking,
                    _ => return Err(named("must be \"nothing\", \"dangerous\" or \"blocking\"")),
                });
            }
            "content" => self.content = content(value).ok_or_else(|| named(CONTENT_WORDS))?,
            "contact" => {
                let contact = value.as_str().filter(|text| is_contact(text));
                let contact = contact.ok_or_else(|| named("must be an https:// or mailto: address"))?;
                self.contact = Some(contact.to_owned());
            }
            "command" => {
                let words: Option<Vec<String>> = value
                    .as_array()
                    .and_then(|list| list.iter().map(|word| word.get_ref().as_str().map(str::to_owned)).collect());
                let wanted = "must be a list: the absolute path of a program, then its arguments, all in quotes";
                let (program, arguments) = words
                    .as_deref()
                    .and_then(<[String]>::split_first)
                    .filter(|(program, _)| program.starts_with('/'))
                    .ok_or_else(|| named(wanted))?;
                self.command = Some((PathBuf::from(program), arguments.to_vec()));
            }
            _ => return Err(format!("there is no setting `notify.{key}`; there are {}", KEYS.join(", "))),
        }
        Ok(())
    }
}

impl TelegramSettings {
    fn read(value: &DeValue<'_>, line: usize, line_of: &impl Fn(usize) -> usize) -> Result<Self, Vec<Mistake>> {
        let mistake = |line, reason: &str| Mistake { line, reason: format!("`notify.telegram` {reason}") };
        let table = value.as_table().ok_or_else(|| vec![mistake(line, "must be a table: [notify.telegram]")])?;
        let mut settings = Self {
            server: "https://api.telegram.org".to_owned(),
            token: TokenSource::Environment,
            content: Content::Question,
            finished: false,
        };
        let mut mistakes = Vec::new();
        for (key, value) in table {
            if let Err(reason) = settings.set(key.get_ref(), value.get_ref()) {
                mistakes.push(mistake(line_of(value.span().start), &reason));
            }
        }
        let no_token = settings.token == TokenSource::Environment && std::env::var_os(TOKEN_VARIABLE).is_none();
        if no_token && mistakes.is_empty() {
            let reason = format!("needs a `token_file`, or the token in {TOKEN_VARIABLE}");
            mistakes.push(mistake(line, &reason));
        }
        if mistakes.is_empty() { Ok(settings) } else { Err(mistakes) }
    }

    fn set(&mut self, key: &str, value: &DeValue<'_>) -> Result<(), String> {
        match key {
            "server" => self.server = server(value)?,
            "token_file" => self.token = TokenSource::File(token_file(value)?),
            "content" => self.content = content(value).ok_or(CONTENT_OF_CHANNEL)?,
            "finished" => self.finished = value.as_bool().ok_or("needs true or false as `finished`")?,
            "token" => return Err("takes no token itself, which everybody who reads this file would have: put it into a file of its own and name that as `token_file`".to_owned()),
            _ => return Err(format!("has no setting `{key}`; it has token_file, server, content, finished")),
        }
        Ok(())
    }
}

impl NtfySettings {
    fn read(value: &DeValue<'_>, line: usize, line_of: &impl Fn(usize) -> usize) -> Result<Self, Vec<Mistake>> {
        let mistake = |line, reason: &str| Mistake { line, reason: format!("`notify.ntfy` {reason}") };
        let table = value.as_table().ok_or_else(|| vec![mistake(line, "must be a table: [notify.ntfy]")])?;
        let mut settings = Self {
            server: "https://ntfy.sh".to_owned(),
            topic: String::new(),
            token_file: None,
            content: Content::Question,
        };
        let mut mistakes = Vec::new();
        for (key, value) in table {
            if let Err(reason) = settings.set(key.get_ref(), value.get_ref()) {
                mistakes.push(mistake(line_of(value.span().start), &reason));
            }
        }
        if settings.topic.is_empty() && mistakes.is_empty() {
            mistakes.push(mistake(line, "needs a `topic`"));
        }
        if mistakes.is_empty() { Ok(settings) } else { Err(mistakes) }
    }

    fn set(&mut self, key: &str, value: &DeValue<'_>) -> Result<(), String> {
        match key {
            "server" => self.server = server(value)?,
            "topic" => {
                let letters = |topic: &&str| topic.chars().all(|ch| ch.is_ascii_alphanumeric() || "-_".contains(ch));
                let topic = value.as_str().filter(letters).filter(|topic| (1..=64).contains(&topic.len()));
                self.topic = topic.ok_or("needs a `topic` of 1 to 64 letters, digits, - and _")?.to_owned();
            }
            "token_file" => self.token_file = Some(token_file(value)?),
            "content" => self.content = content(value).ok_or(CONTENT_OF_CHANNEL)?,
            _ => return Err(format!("has no setting `{key}`; it has server, topic, token_file, content")),
        }
        Ok(())
    }
}

const CONTENT_OF_CHANNEL: &str = "knows \"name\", \"question\" and \"full\" as `content`";
const CONTENT_WORDS: &str = "must be \"name\", \"question\" or \"full\"";

fn server(value: &DeValue<'_>) -> Result<String, String> {
    let server = value.as_str().filter(|text| is_address(text));
    server.map(str::to_owned).ok_or_else(|| "needs an https address as `server`".to_owned())
}

fn token_file(value: &DeValue<'_>) -> Result<PathBuf, String> {
    let path = value.as_str().map(PathBuf::from).filter(|path| path.is_absolute());
    path.ok_or_else(|| "needs an absolute path in quotes as `token_file`".to_owned())
}

fn content(value: &DeValue<'_>) -> Option<Content> {
    match value.as_str()? {
        "name" => Some(Content::Name),
        "question" => Some(Content::Question),
        "full" => Some(Content::Full),
        _ => None,
    }
}

fn number(value: &DeValue<'_>) -> Option<u64> {
    let number = value.as_integer()?;
    u64::from_str_radix(number.as_str(), number.radix()).ok()
}

fn seconds(value: &DeValue<'_>, most: u64) -> Option<Duration> {
    number(value).filter(|seconds| *seconds <= most).map(Duration::from_secs)
}

fn minutes(value: &DeValue<'_>) -> Option<Duration> {
    number(value).filter(|minutes| (1..=24 * 60).contains(minutes)).map(|minutes| Duration::from_secs(minutes * 60))
}

/// Both ends as minutes of the day.
fn quiet_hours(text: &str) -> Option<(u16, u16)> {
    let minute = |text: &str| {
        let (hours, minutes) = text.trim().split_once(':')?;
        let (hours, minutes): (u16, u16) = (hours.parse().ok()?, minutes.parse().ok()?);
        (hours < 24 && minutes < 60).then_some(hours * 60 + minutes)
    };
    let (from, until) = text.split_once('-')?;
    let (from, until) = (minute(from)?, minute(until)?);
    (from != until).then_some((from, until))
}

/// Push services refuse addresses that cannot be reached from anywhere.
fn is_contact(text: &str) -> bool {
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("mailto:"));
    rest.is_some_and(|rest| rest.contains('.') && !rest.contains(char::is_whitespace)) && text.len() <= 200
}
