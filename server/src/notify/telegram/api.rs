//! Telegram's Bot API, as far as we need it: one call, posted as JSON, its answer checked and bounded.

use std::{env, fs, os::unix::fs::PermissionsExt as _, path::PathBuf, time::Duration};

use bytes::Bytes;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::notify::outbound::{self, Address, NoAnswer};

/// How long an ordinary call may take.
const LIMIT: Duration = Duration::from_secs(15);
/// How long Telegram holds a question for news when there are none.
const POLL: Duration = Duration::from_secs(50);
/// The longest answer that is read, in bytes. A hundred updates have less.
const ANSWER_LIMIT: usize = 4 << 20;
/// The longest token that is believed to be one, in bytes.
const TOKEN_LIMIT: usize = 200;
/// The longest pause that is kept when Telegram asks for one.
const PAUSE_LIMIT: Duration = Duration::from_secs(10 * 60);

/// The variable that may hold the bot's token.
pub const TOKEN_VARIABLE: &str = "ANSWERBACK_TELEGRAM_TOKEN";

/// Where the bot's token comes from. It is read for each call, so that it can be changed, and is in no log and no error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TokenSource {
    /// A file that nobody but its owner can read.
    File(PathBuf),
    /// [`TOKEN_VARIABLE`] in the environment.
    Environment,
}

impl TokenSource {
    /// The token.
    ///
    /// # Errors
    /// What is wrong with it, and what to do.
    fn read(&self) -> Result<String, String> {
        let (token, from) = match self {
            Self::Environment => (env::var(TOKEN_VARIABLE).unwrap_or_default(), TOKEN_VARIABLE.to_owned()),
            Self::File(path) => {
                let said = |error: &dyn std::fmt::Display| format!("the bot's token in {}: {error}", path.display());
                let mode = fs::metadata(path).map_err(|error| said(&error))?.permissions().mode();
                if mode & 0o077 != 0 {
                    return Err(said(&"others can read it: `chmod 600` it"));
                }
                (fs::read_to_string(path).map_err(|error| said(&error))?, path.display().to_string())
            }
        };
        let token = token.trim();
        let letters = token.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":-_".contains(&byte));
        if token.is_empty() || token.len() > TOKEN_LIMIT || !letters {
            return Err(format!("what stands in {from} is no bot's token, such as 123456:letters-and-digits"));
        }
        Ok(token.to_owned())
    }
}

/// Why a call brought nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ApiError {
    /// There is no token that can be used.
    #[error("{0}")]
    NoToken(String),
    /// Nobody answered.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
    /// Telegram refuses.
    #[error("{host} says: {description}")]
    Refused {
        /// Who.
        host: String,
        /// The status.
        status: u16,
        /// In Telegram's words.
        description: String,
        /// How long it wants to be left alone, where it says so.
        retry_after: Option<Duration>,
    },
}

impl ApiError {
    /// The status, where there was an answer.
    pub(super) fn status(&self) -> Option<u16> {
        if let Self::Refused { status, .. } = self { Some(*status) } else { None }
    }

    /// How long Telegram wants to be left alone, where it says so.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        if let Self::Refused { retry_after, .. } = self { *retry_after } else { None }
    }
}

/// The bot.
pub(super) struct Api {
    server: String,
    host: String,
    token: TokenSource,
}

/// What every answer looks like.
#[derive(Deserialize)]
struct Envelope {
    ok: bool,
    #[serde(default)]
    result: Value,
    #[serde(default)]
    description: String,
    #[serde(default)]
    parameters: Parameters,
}

#[derive(Default, Deserialize)]
struct Parameters {
    retry_after: Option<u64>,
}

impl Api {
    /// The bot with this token, at this server.
    ///
    /// # Errors
    /// When the server's address is none that may be asked.
    pub(super) fn new(server: &str, token: TokenSource) -> Result<Self, String> {
        let address = Address::parse(server).map_err(|error| error.to_string())?;
        Ok(Self { server: address.origin(), host: address.host().to_owned(), token })
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    /// Calls a method.
    ///
    /// # Errors
    /// When it brought nothing.
    pub(super) async fn call(&self, method: &str, parameters: &Value) -> Result<Value, ApiError> {
        self.call_within(method, parameters, LIMIT).await
    }

    /// Waits for updates from a number on; empty when nothing came.
    ///
    /// # Errors
    /// When it brought nothing.
    pub(super) async fn updates(&self, offset: Option<i64>) -> Result<Vec<Value>, ApiError> {
        let parameters = json!({
            "offset": offset,
            "timeout": POLL.as_secs(),
            "allowed_updates": ["message", "callback_query"],
        });
        let found = self.call_within("getUpdates", &parameters, POLL + LIMIT).await?;
        Ok(if let Value::Array(updates) = found { updates } else { Vec::new() })
    }

    async fn call_within(&self, method: &str, parameters: &Value, limit: Duration) -> Result<Value, ApiError> {
        let token = self.token.read().map_err(ApiError::NoToken)?;
        let address = Address::parse(&format!("{}/bot{token}/{method}", self.server))?;
        let answered = outbound::ask(&address, Bytes::from(parameters.to_string()), limit, ANSWER_LIMIT).await?;
        let status = answered.status.as_u16();
        let refused = |description: &str, retry_after| ApiError::Refused {
            host: self.host.clone(),
            status,
            description: description.chars().take(200).collect(),
            retry_after,
        };
        match serde_json::from_slice::<Envelope>(&answered.body) {
            Ok(Envelope { ok: true, result, .. }) if answered.status.is_success() => Ok(result),
            Ok(Envelope { description, parameters, .. }) => {
                let said = parameters.retry_after.map(|seconds| Duration::from_secs(seconds).min(PAUSE_LIMIT));
                Err(refused(&description, said.or(answered.retry_after())))
            }
            Err(_) => Err(refused("something that is not Telegram's", answered.retry_after())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_comes_from_a_file_that_is_private_and_is_never_shown() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("token");
        let source = TokenSource::File(path.clone());
        assert!(source.read().expect_err("it is missing").contains("No such file"));
        fs::write(&path, "123:abc\n").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("changed");
        assert!(source.read().expect_err("others can read it").contains("chmod 600"));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("changed");
        assert_eq!(source.read(), Ok("123:abc".to_owned()));
        fs::write(&path, "123:se/cret").expect("written");
        let bad = source.read().expect_err("no token");
        assert!(!bad.contains("cret"), "{bad}");
    }
}
