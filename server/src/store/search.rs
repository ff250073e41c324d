//! Finds messages by their words, in one session or in all, newest first.
//!
//! What a person types is never taken for a query language: each word becomes a quoted phrase that matches by its beginning,
//! and all of them must be there. So no character can make it fail.

use std::collections::HashMap;

use rusqlite::{Connection, Row, params};
use shared_types::{MessageId, MessageRole, SearchHit, SessionId, SnippetPart};

use super::{Store, StoreError};

/// How many hits are looked through at most when all sessions are searched; older ones are found in their session.
const LOOKED_THROUGH: u32 = 5_000;
/// How many hits of one session are given when all are searched, so that one long session does not hide the others.
const PER_SESSION: u32 = 3;
/// How many words of a message are shown around a hit.
const SNIPPET_WORDS: u32 = 24;
/// How many words of a query count.
const WORDS: usize = 16;
/// What stands around a hit in a snippet; no text has these.
const MARKS: (char, char) = ('\u{1}', '\u{2}');

impl Store {
    /// The newest messages that have all the words, and whether there are more. Without a session, a few of each.
    ///
    /// # Errors
    /// When the store does not answer.
    pub async fn search(
        &self,
        query: String,
        session: Option<SessionId>,
        limit: u32,
    ) -> Result<(Vec<SearchHit>, bool), StoreError> {
        self.read_history(move |db| {
            let Some(words) = words(&query) else { return Ok((Vec::new(), false)) };
            match session {
                Some(session) => {
                    // The session is a word of each of its messages, so the index itself finds what has both.
                    let matching = format!("session : \"{}\" AND {words}", session.0.simple());
                    let found = newest(db, &matching, limit + 1)?;
                    snippets(db, &matching, &found, limit)
                }
                None => {
                    let found = few_of_each(newest(db, &words, LOOKED_THROUGH)?);
                    snippets(db, &words, &found, limit)
                }
            }
        })
        .await
    }
}

/// A message that was found: its number, and its session.
type Found = (i64, String);

fn newest(db: &Connection, matching: &str, limit: u32) -> Result<Vec<Found>, StoreError> {
    let sql =
        "SELECT messages.id, messages.session_id FROM message_words JOIN messages ON messages.id = message_words.rowid
               WHERE message_words MATCH ?1 ORDER BY message_words.rowid DESC LIMIT ?2";
    let mut statement = db.prepare_cached(sql)?;
    let rows = statement.query_map(params![matching, limit], |row| Ok((row.get(0)?, row.get(1)?)))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

fn few_of_each(found: Vec<Found>) -> Vec<Found> {
    let mut counts: HashMap<String, u32> = HashMap::new();
    let mut is_one_of_few = |session: &String| {
        let count = counts.entry(session.clone()).or_default();
        *count += 1;
        *count <= PER_SESSION
    };
    found.into_iter().filter(|(_, session)| is_one_of_few(session)).collect()
}

fn snippets(
    db: &Connection,
    matching: &str,
    found: &[Found],
    limit: u32,
) -> Result<(Vec<SearchHit>, bool), StoreError> {
    let sql = "SELECT messages.session_id, message_id, message ->> '$.role', message ->> '$.at',
                      snippet(message_words, 0, ?3, ?4, '…', ?5)
               FROM message_words JOIN messages ON messages.id = message_words.rowid
               WHERE message_words MATCH ?1 AND message_words.rowid = ?2";
    let mut statement = db.prepare_cached(sql)?;
    let (from, to) = (MARKS.0.to_string(), MARKS.1.to_string());
    let mut hits = Vec::new();
    for (id, _) in found.iter().take(limit as usize) {
        hits.push(statement.query_row(params![matching, id, from, to, SNIPPET_WORDS], hit)?);
    }
    Ok((hits, found.len() > limit as usize))
}

fn hit(row: &Row<'_>) -> Result<SearchHit, rusqlite::Error> {
    let session: String = row.get(0)?;
    let role: String = row.get(2)?;
    let snippet: String = row.get(4)?;
    Ok(SearchHit {
        session_id: SessionId(session.parse().unwrap_or_default()),
        message_id: MessageId(row.get(1)?),
        role: match role.as_str() {
            "user" => MessageRole::User,
            "assistant" => MessageRole::Assistant,
            _ => MessageRole::System,
        },
        at: row.get(3)?,
        snippet: parts(&snippet),
    })
}

/// A snippet in pieces, with its white space as single spaces.
fn parts(snippet: &str) -> Vec<SnippetPart> {
    let mut parts: Vec<SnippetPart> = Vec::new();
    let mut part = SnippetPart { text: String::new(), hit: false };
    for ch in snippet.chars() {
        if ch == MARKS.0 || ch == MARKS.1 {
            let next = SnippetPart { text: String::new(), hit: ch == MARKS.0 };
            parts.push(std::mem::replace(&mut part, next));
        } else if !ch.is_whitespace() {
            part.text.push(ch);
        } else if !part.text.ends_with(' ') {
            part.text.push(' ');
        }
    }
    parts.push(part);
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// What was typed as a query for an index of words; nothing when there is no word in it.
pub(super) fn words(query: &str) -> Option<String> {
    let phrases: Vec<String> = query
        .split(|ch: char| ch.is_whitespace() || ch.is_control() || ch == '"')
        .filter(|word| word.chars().any(char::is_alphanumeric))
        .take(WORDS)
        .map(|word| format!("\"{word}\"*"))
        .collect();
    (!phrases.is_empty()).then(|| format!("text : ({})", phrases.join(" AND ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_is_typed_becomes_words() {
        let table = [
            ("login", Some("text : (\"login\"*)")),
            (" fix  the-login ", Some("text : (\"fix\"* AND \"the-login\"*)")),
            ("a\"b\" OR NOT", Some("text : (\"a\"* AND \"b\"* AND \"OR\"* AND \"NOT\"*)")),
            ("x\0y", Some("text : (\"x\"* AND \"y\"*)")),
            ("* ( ^ -- \"", None),
            ("", None),
        ];
        for (typed, expected) in table {
            assert_eq!(words(typed).as_deref(), expected, "{typed:?}");
        }
    }

    #[test]
    fn a_snippet_comes_in_pieces() {
        let part = |text: &str, hit| SnippetPart { text: text.to_owned(), hit };
        assert_eq!(
            parts("…the\n  \u{1}login\u{2} is\u{1}x\u{2}"),
            [part("…the ", false), part("login", true), part(" is", false), part("x", true)]
        );
        assert_eq!(parts("plain"), [part("plain", false)]);
        assert_eq!(parts(""), []);
    }
}
