//! Looking into JSON that somebody else wrote: every way in may lead nowhere.

use serde_json::Value;
use shared_types::Millis;

/// The JSON in a line; nothing when it is none.
#[must_use]
pub fn parse(line: &str) -> Option<Value> {
    serde_json::from_str(line).ok()
}

/// The text at a key; empty when there is none.
#[must_use]
pub fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value.get(key).and_then(Value::as_str).unwrap_or_default()
}

/// The list at a key; empty when there is none.
#[must_use]
pub fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The count at a key.
#[must_use]
pub fn count(value: &Value, key: &str) -> Option<u64> {
    value.get(key).and_then(Value::as_u64)
}

/// True when the key says so.
#[must_use]
pub fn is(value: &Value, key: &str) -> bool {
    value.get(key).and_then(Value::as_bool).unwrap_or_default()
}

/// The text of a content that is a string, or a list of blocks of which those with text count.
#[must_use]
pub fn content_text(content: &Value) -> String {
    match content {
        Value::String(text) => text.clone(),
        Value::Array(blocks) => {
            let texts = blocks.iter().map(|block| text(block, "text")).filter(|text| !text.is_empty());
            texts.collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    }
}

/// A moment as `2026-11-16T01:28:52.718Z` or `2026-11-16T03:28:52+02:00`, in milliseconds; 0 when it is none.
#[must_use]
pub fn moment(text: &str) -> Millis {
    parse_moment(text).unwrap_or_default()
}

fn parse_moment(text: &str) -> Option<Millis> {
    let (date, time) = text.split_once('T')?;
    let (time, offset) = split_offset(time)?;
    let mut date = date.splitn(3, '-').map(|part| part.parse::<i64>().ok());
    let (year, month, day) = (date.next()??, date.next()??, date.next()??);
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    let mut time = time.splitn(3, ':').map(|part| part.parse::<i64>().ok());
    let (hours, minutes, seconds) = (time.next()??, time.next()??, time.next()??);
    if !(1970..=9999).contains(&year) || !(1..=12).contains(&month) || !(1..=31).contains(&day) {
        return None;
    }
    if !(0..=24).contains(&hours) || !(0..=60).contains(&minutes) || !(0..=60).contains(&seconds) {
        return None;
    }
    // Milliseconds have three digits, whatever was written.
    let digits: String = fraction.chars().chain("000".chars()).take(3).collect();
    let millis: i64 = digits.parse().ok()?;
    // Days since 1970 in the proleptic Gregorian calendar, with the year beginning in March so that the leap day is its last.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let day_of_year = (153 * month + 2) / 5 + day - 1;
    let days = year * 365 + year / 4 - year / 100 + year / 400 + day_of_year - 719_468;
    let seconds = days * 86_400 + hours * 3_600 + minutes * 60 + seconds - offset;
    u64::try_from(seconds * 1_000 + millis).ok()
}

/// Splits a time from how far it is ahead of UTC, in seconds. Without `Z` or an offset it is taken for UTC.
fn split_offset(time: &str) -> Option<(&str, i64)> {
    if let Some(time) = time.strip_suffix(['Z', 'z']) {
        return Some((time, 0));
    }
    let Some(at) = time.rfind(['+', '-']) else { return Some((time, 0)) };
    let (time, offset) = time.split_at(at);
    let sign = if offset.starts_with('-') { -1 } else { 1 };
    let digits: String = offset.chars().filter(char::is_ascii_digit).collect();
    let (hours, minutes) = match digits.len() {
        2 => (digits.parse::<i64>().ok()?, 0),
        4 => (digits.get(..2)?.parse().ok()?, digits.get(2..)?.parse::<i64>().ok()?),
        _ => return None,
    };
    (hours < 24 && minutes < 60).then_some((time, sign * (hours * 3_600 + minutes * 60)))
}

/// The text between two marks, the first time it stands there.
#[must_use]
pub fn between<'a>(text: &'a str, from: &str, to: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(from)?;
    rest.split_once(to).map(|(inside, _)| inside)
}

/// The text without colours and other terminal sequences.
#[must_use]
pub fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(ch) = chars.next() {
        if ch != '\u{1b}' {
            plain.push(ch);
            continue;
        }
        // `ESC [` up to a letter; any other sequence is one character long.
        if chars.next_if_eq(&'[').is_some() {
            while chars.next().is_some_and(|ch| !ch.is_ascii_alphabetic()) {}
        } else {
            chars.next();
        }
    }
    plain
}
