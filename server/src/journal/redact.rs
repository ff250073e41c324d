//! Redaction: passwords, tokens and keys of usual form are taken out of a fact before it is hashed and written.
//!
//! Texts are searched for the known forms of secrets; a field or an argument whose name says that it holds one loses its value
//! whatever its form. What is only marked as secret by the CLI never gets here: answers are recorded in the CLI's words.

use std::sync::LazyLock;

use regex::{Captures, Regex};
use serde_json::{Map, Value};

/// What stands where a secret was.
pub const REDACTED: &str = "[redacted]";

/// Names of fields, variables and arguments that hold a secret. `max_tokens` is not one of them, `GITHUB_TOKEN` is.
const SECRET_NAME: &str = r"(?:[a-z0-9_.-]*(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|auth[_-]?key|encryption[_-]?key|account[_-]?key|signing[_-]?key|credentials?|authorization|cookie))";

/// The known forms. Group 1, where there is one, stays.
const FORMS: &[&str] = &[
    // Private keys, whole, also with their line breaks written out; one that is cut ends with the text.
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|\z)",
    // Anthropic, OpenAI, OpenRouter, Stripe, Clerk.
    r"\b(?:sk|rk|pk)[-_](?:ant-|proj-|or-v1-|live_|test_|svcacct-)?[A-Za-z0-9_-]{16,}",
    // GitHub, GitLab, npm, PyPI, Hugging Face, DigitalOcean, Docker, Linear, Figma, Databricks, Vault, xAI, Groq, Replicate.
    r"\b(?:gh[pousr]_[A-Za-z0-9]{20,}|github_pat_[A-Za-z0-9_]{20,}|gl(?:pat|ptt|rt|dt|cbt)-[A-Za-z0-9_.-]{16,}|npm_[A-Za-z0-9]{20,}|pypi-[A-Za-z0-9_-]{20,}|hf_[A-Za-z0-9]{20,}|do[opr]_v1_[a-f0-9]{32,}|dckr_pat_[A-Za-z0-9_-]{16,}|lin_api_[A-Za-z0-9]{20,}|figd_[A-Za-z0-9_-]{20,}|dapi[a-f0-9]{32}|hv[sb]\.[A-Za-z0-9_-]{20,}|xai-[A-Za-z0-9]{20,}|gsk_[A-Za-z0-9]{20,}|r8_[A-Za-z0-9]{20,})",
    // AWS, Google, Slack, SendGrid, Twilio, Telegram, age.
    r"\b(?:A(?:KIA|SIA|GPA|IDA|ROA)[A-Z0-9]{16}|AIza[A-Za-z0-9_-]{30,}|ya29\.[A-Za-z0-9_.-]{20,}|GOCSPX-[A-Za-z0-9_-]{20,}|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}|SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|SK[a-f0-9]{32}|[0-9]{8,10}:AA[A-Za-z0-9_-]{30,}|AGE-SECRET-KEY-1[A-Z0-9]{20,})",
    // Slack and Discord webhooks.
    r"(https://hooks\.slack\.com/|https://discord(?:app)?\.com/api/webhooks/)[A-Za-z0-9/_-]+",
    // JSON web tokens.
    r"\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?",
    // Passwords in addresses: postgres://name:password@host.
    r"(\b[A-Za-z][A-Za-z0-9+.-]*://[^\s/:@'\x22]*:)[^\s/@'\x22]+@",
    // Headers: Authorization: Bearer …, Cookie: ….
    r"(?i)\b((?:bearer|basic|token|negotiate)\s+)[A-Za-z0-9+/_.~=-]{12,}",
    r"(?i)\b((?:set-)?cookie\s*:\s*)[^\r\n'\x22]+",
    r"(?i)\b(x-[a-z0-9-]*(?:key|token|secret)\s*:\s*)[^\s'\x22]+",
    // curl -u name:password, sshpass -p password, mysql -ppassword.
    r"(\s(?:-u|--user|--proxy-user)[= ]['\x22]?[^\s:'\x22]+:)[^\s'\x22]+",
    r"(\bsshpass\s+-p\s*)[^\s]+",
    r"(\b(?:mysql|mysqldump|mariadb|mysqladmin)\b[^\n|;&]*?\s-p)[^\s]+",
];

static PATTERNS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let quoted = r#"(?:\\?"(?:[^"\\]|\\[^"])*\\?"|'[^']*'|[^\s'"\\,;&|)}\]]+)"#;
    // password=…, "token": "…", --api-key …, export SECRET=….
    let assigned = format!(r#"(?i)(\b{SECRET_NAME}\\?["']?\s*(?:=>|:=|=|:)\s*){quoted}"#);
    let argument = format!(r"(?i)(--?{SECRET_NAME}[= ]\s*){quoted}");
    let forms = FORMS.iter().map(|form| (*form).to_owned()).chain([assigned, argument]);
    // A pattern that does not compile fails the tests.
    forms.filter_map(|form| Regex::new(&form).ok()).collect()
});

static NAME: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!("(?i)^{SECRET_NAME}$")).ok());

/// A value without secrets, and with every number an integer: other numbers become text, so that all languages write them
/// alike when they check the chain.
#[must_use]
pub fn redacted(value: Value) -> Value {
    match value {
        Value::String(text) => Value::String(redacted_text(&text)),
        Value::Number(number) if !(number.is_i64() || number.is_u64()) => Value::String(number.to_string()),
        Value::Array(items) => Value::Array(redacted_items(items)),
        Value::Object(fields) => Value::Object(fields.into_iter().map(redacted_field).collect::<Map<_, _>>()),
        plain => plain,
    }
}

/// A text without secrets.
#[must_use]
pub fn redacted_text(text: &str) -> String {
    PATTERNS.iter().fold(text.to_owned(), |text, pattern| {
        pattern
            .replace_all(&text, |found: &Captures<'_>| {
                let kept = found.get(1).map_or("", |kept| kept.as_str());
                let at = if found.get(0).is_some_and(|whole| whole.as_str().ends_with('@')) { "@" } else { "" };
                format!("{kept}{REDACTED}{at}")
            })
            .into_owned()
    })
}

fn redacted_field((name, value): (String, Value)) -> (String, Value) {
    let is_secret = NAME.as_ref().is_none_or(|pattern| pattern.is_match(&name));
    let value = match value {
        // That something is secret, or absent, is none.
        Value::Bool(_) | Value::Null => value,
        _ if is_secret => Value::String(REDACTED.to_owned()),
        value => redacted(value),
    };
    // A name can be made of anything as well.
    (redacted_text(&name), value)
}

/// A command line in pieces: the piece after `--password` is the password.
fn redacted_items(items: Vec<Value>) -> Vec<Value> {
    let mut next_is_secret = false;
    let mut redacted_item = |item: Value| {
        let is_secret = std::mem::take(&mut next_is_secret);
        if let Value::String(text) = &item {
            let names = text.strip_prefix('-').map(|name| name.trim_start_matches('-'));
            next_is_secret = names.is_some_and(|name| NAME.as_ref().is_some_and(|pattern| pattern.is_match(name)));
            if is_secret && !text.starts_with('-') {
                return Value::String(REDACTED.to_owned());
            }
        }
        redacted(item)
    };
    items.into_iter().map(&mut redacted_item).collect()
}
