//! The tables. Migrations are only ever added: a released one is never edited.

use rusqlite::Connection;

use super::StoreError;

/// Each brings the file from the version of its place to the next.
pub(super) const MIGRATIONS: &[&str] = &[
    "
CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    adapter TEXT NOT NULL,
    folder TEXT NOT NULL,
    command TEXT NOT NULL,           -- JSON: the person's program and arguments
    mode TEXT,                       -- the permission mode it was started in
    cli_session_id TEXT,             -- the conversation's id in the CLI's own words
    transcript TEXT,                 -- the file the CLI writes its conversation to
    transcript_offset INTEGER NOT NULL DEFAULT 0,
    pane TEXT,                       -- JSON: which pane of which terminal server
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    end_reason TEXT,                 -- JSON
    last_screen TEXT                 -- JSON: what an ended session showed last
) STRICT;

CREATE TABLE prompts (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    fingerprint INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('open', 'answering', 'verified', 'gone', 'session-ended')),
    prompt TEXT NOT NULL,            -- JSON as it was sent to the phones
    answer TEXT,                     -- JSON: who and what; set before the first key is pressed
    created_at INTEGER NOT NULL,
    answered_at INTEGER,
    closed_at INTEGER
) STRICT;
CREATE INDEX prompts_by_session ON prompts (session_id, state);

CREATE TABLE messages (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    message TEXT NOT NULL,           -- JSON
    PRIMARY KEY (session_id, position),
    UNIQUE (session_id, message_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE devices (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    token_hash BLOB NOT NULL UNIQUE, -- SHA-256 of the cookie; the cookie itself is stored nowhere
    paired_at INTEGER NOT NULL,
    last_seen_at INTEGER NOT NULL
) STRICT;

CREATE TABLE settings (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;
",
    "
ALTER TABLE sessions ADD COLUMN usage TEXT; -- JSON: what the conversation has used
CREATE INDEX sessions_by_conversation ON sessions (cli_session_id);
",
    "
CREATE TABLE sent_messages (
    key TEXT PRIMARY KEY,            -- the page's idempotency key
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    at INTEGER NOT NULL,             -- when it was begun: before the first key
    taken INTEGER NOT NULL DEFAULT 0 -- 1 once the CLI was seen to take it
) STRICT, WITHOUT ROWID;
CREATE INDEX sent_messages_by_session ON sent_messages (session_id, at);
",
    "
CREATE TABLE first_messages (
    session_id TEXT PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
    message TEXT NOT NULL            -- JSON: the text, and why it is not typed again
) STRICT;

CREATE TABLE reviews (
    id TEXT PRIMARY KEY,
    parent_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    reviewer_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    subject TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX reviews_by_parent ON reviews (parent_id, created_at);
",
    "
ALTER TABLE prompts ADD COLUMN attempt TEXT; -- JSON: how far its answer has got; written before the keys are pressed
ALTER TABLE prompts ADD COLUMN tried TEXT;   -- JSON: the idempotency keys of answers that did not work
ALTER TABLE sent_messages ADD COLUMN number INTEGER NOT NULL DEFAULT 0; -- their order; a clock may be set back
ALTER TABLE sent_messages ADD COLUMN text TEXT; -- while nobody knows what became of it, it may be in the CLI's composer
",
    // Messages get a number, by which the index of their words knows them. What tools printed is not in it: that would be
    // most of the index, and most of what is found.
    "
CREATE TABLE numbered_messages (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    message_id TEXT NOT NULL,
    message TEXT NOT NULL,           -- JSON
    session TEXT GENERATED ALWAYS AS (replace(session_id, '-', '')), -- the session as one word
    text TEXT GENERATED ALWAYS AS (
        CASE
            WHEN message ->> '$.body.streaming' THEN ''
            ELSE coalesce(message ->> '$.body.text', concat_ws(' ',
                message ->> '$.body.name',
                message ->> '$.body.summary',
                message ->> '$.body.purpose.command',
                message ->> '$.body.purpose.task',
                message ->> '$.body.purpose.plan',
                message ->> '$.body.result.answers[0].answer',
                message ->> '$.body.result.answers[1].answer',
                message ->> '$.body.result.answers[2].answer',
                message ->> '$.body.result.answers[3].answer'))
        END),
    UNIQUE (session_id, position),
    UNIQUE (session_id, message_id)
) STRICT;
INSERT INTO numbered_messages (session_id, position, message_id, message)
    SELECT session_id, position, message_id, message FROM messages;
DROP TABLE messages;
ALTER TABLE numbered_messages RENAME TO messages;

CREATE VIRTUAL TABLE message_words USING fts5 (
    text, session, content = 'messages', content_rowid = 'id',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER message_added AFTER INSERT ON messages BEGIN
    INSERT INTO message_words (rowid, text, session) VALUES (new.id, new.text, new.session);
END;
CREATE TRIGGER message_changed AFTER UPDATE OF message ON messages WHEN old.text IS NOT new.text BEGIN
    INSERT INTO message_words (message_words, rowid, text, session) VALUES ('delete', old.id, old.text, old.session);
    INSERT INTO message_words (rowid, text, session) VALUES (new.id, new.text, new.session);
END;
CREATE TRIGGER message_removed AFTER DELETE ON messages BEGIN
    INSERT INTO message_words (message_words, rowid, text, session) VALUES ('delete', old.id, old.text, old.session);
END;
INSERT INTO message_words (message_words) VALUES ('rebuild');

CREATE TABLE images (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    media_type TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (session_id, id)
) STRICT;
",
];

/// Brings the file up to date.
pub(super) fn migrate(connection: &mut Connection) -> Result<(), StoreError> {
    let found: usize = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    let pending = MIGRATIONS.get(found..).ok_or(StoreError::FromTheFuture { found, known: MIGRATIONS.len() })?;
    for (version, migration) in (found + 1..).zip(pending) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
    }
    Ok(())
}
