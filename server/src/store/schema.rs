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
    // No row refers to a session or a prompt: what happened stays when they are forgotten.
    "
CREATE TABLE journal (
    seq INTEGER PRIMARY KEY,         -- 1, 2, 3 and so on, without a gap
    at INTEGER NOT NULL,
    actor TEXT,                      -- canonical JSON
    session_id TEXT,
    prompt_id TEXT,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,              -- canonical JSON, redacted
    prev BLOB NOT NULL,              -- the hash of the row before
    hash BLOB NOT NULL               -- SHA-256 over the row: docs/journal.md
) STRICT;
CREATE INDEX journal_by_session ON journal (session_id, seq) WHERE session_id IS NOT NULL;
CREATE INDEX journal_by_prompt ON journal (prompt_id, seq) WHERE prompt_id IS NOT NULL;
CREATE INDEX journal_by_kind ON journal (kind, seq);
CREATE INDEX journal_by_actor ON journal (actor ->> '$.type', seq) WHERE actor IS NOT NULL;
CREATE TRIGGER journal_row_changed BEFORE UPDATE ON journal BEGIN
    SELECT RAISE(ABORT, 'the journal is append-only');
END;
CREATE TRIGGER journal_row_removed BEFORE DELETE ON journal BEGIN
    SELECT RAISE(ABORT, 'the journal is append-only');
END;
",
    // Rows that reserve: without a session while it is not there yet.
    "
CREATE TABLE starts (
    key TEXT PRIMARY KEY,            -- the page's idempotency key
    session_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX starts_by_session ON starts (session_id);

CREATE TABLE reserved_reviews (
    id TEXT PRIMARY KEY,
    parent_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    reviewer_id TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    subject TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
INSERT INTO reserved_reviews SELECT id, parent_id, reviewer_id, subject, created_at FROM reviews;
DROP TABLE reviews;
ALTER TABLE reserved_reviews RENAME TO reviews;
CREATE INDEX reviews_by_parent ON reviews (parent_id, created_at);
",
    "
-- The second half of a device's credential, which the server needs itself to check a proof; without the cookie, of which only a
-- hash is kept, it opens nothing. NULL: paired before there were keys, to be paired again.
ALTER TABLE devices ADD COLUMN key TEXT;
",
    "
CREATE TABLE trusted_folders (
    adapter TEXT NOT NULL,
    folder TEXT NOT NULL,
    contents TEXT NOT NULL,          -- the hash of the settings that were trusted
    at INTEGER NOT NULL,
    PRIMARY KEY (adapter, folder)
) STRICT, WITHOUT ROWID;
",
    "
CREATE TABLE rules (
    id TEXT PRIMARY KEY,
    rule TEXT NOT NULL,              -- JSON: RuleRecord
    made_at INTEGER NOT NULL,
    made_by TEXT NOT NULL,           -- JSON: Actor
    removed_at INTEGER
) STRICT;
CREATE TRIGGER rule_changed BEFORE UPDATE OF id, rule, made_at, made_by ON rules BEGIN
    SELECT RAISE(ABORT, 'a rule is never edited');
END;

CREATE TABLE rule_uses (
    rule TEXT PRIMARY KEY,           -- the rule's id, also of rules in files
    uses INTEGER NOT NULL,
    last_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE rule_switches (
    name TEXT PRIMARY KEY,           -- 'mode', 'all', or the id of a session that pauses
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
",
    // Who is told of prompts, what was told, and with which buttons.
    "
CREATE TABLE push_subscriptions (
    device_id TEXT PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
    subscription TEXT NOT NULL,      -- JSON
    since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE notices (
    prompt_id TEXT NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
    target TEXT NOT NULL,
    step INTEGER NOT NULL,           -- of the ladder, from 0
    at INTEGER NOT NULL,
    PRIMARY KEY (prompt_id, target, step)
) STRICT, WITHOUT ROWID;

CREATE TABLE answer_tokens (
    hash BLOB PRIMARY KEY,           -- SHA-256 of the token
    prompt_id TEXT NOT NULL REFERENCES prompts (id) ON DELETE CASCADE,
    target TEXT NOT NULL,            -- whom it was sent to
    digest TEXT NOT NULL,            -- of the prompt as it was shown
    choice TEXT NOT NULL,            -- the option's value
    used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX answer_tokens_by_prompt ON answer_tokens (prompt_id);
",
    // What people look through: a row for each prompt, kept up by triggers from the facts about it, so that every fact counts
    // once and in one place. The journal is copied row by row through those triggers, so that what is there already counts too.
    // Rows of the journal can now be dropped from its beginning, as far as a checkpoint in the chain says.
    "
CREATE TABLE history_sessions (
    session_id TEXT PRIMARY KEY,
    name TEXT,
    adapter TEXT,
    folder TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE history (
    seq INTEGER PRIMARY KEY,         -- of the row of the journal that tells when it was first shown
    prompt_id TEXT NOT NULL UNIQUE,
    session_id TEXT,
    folder TEXT,
    adapter TEXT,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    about TEXT NOT NULL,             -- the beginning of what it is about
    risk TEXT,
    seen_at INTEGER NOT NULL,
    answer TEXT,
    actor TEXT,                      -- JSON
    actor_type TEXT GENERATED ALWAYS AS (actor ->> '$.type'),
    answered_at INTEGER,
    refused INTEGER NOT NULL DEFAULT 0,
    outcome TEXT NOT NULL DEFAULT 'waiting',
    reason TEXT,
    ended_at INTEGER,
    text TEXT GENERATED ALWAYS AS (concat_ws(' ', title, about, answer, actor ->> '$.name'))
) STRICT;
CREATE INDEX history_by_session ON history (session_id, seq);
CREATE INDEX history_by_folder ON history (folder, seq);
CREATE INDEX history_by_outcome ON history (outcome, seq);
CREATE INDEX history_by_actor ON history (actor_type, seq);
CREATE INDEX history_by_kind ON history (kind, seq);
CREATE INDEX history_by_adapter ON history (adapter, seq);
CREATE INDEX history_by_time ON history (seen_at);
CREATE INDEX history_not_over ON history (session_id) WHERE ended_at IS NULL;

CREATE VIRTUAL TABLE history_words USING fts5 (
    text, content = 'history', content_rowid = 'seq',
    tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER history_added AFTER INSERT ON history BEGIN
    INSERT INTO history_words (rowid, text) VALUES (new.seq, new.text);
END;
CREATE TRIGGER history_changed AFTER UPDATE OF title, about, answer, actor ON history WHEN old.text IS NOT new.text BEGIN
    INSERT INTO history_words (history_words, rowid, text) VALUES ('delete', old.seq, old.text);
    INSERT INTO history_words (rowid, text) VALUES (new.seq, new.text);
END;
CREATE TRIGGER history_removed AFTER DELETE ON history BEGIN
    INSERT INTO history_words (history_words, rowid, text) VALUES ('delete', old.seq, old.text);
END;

CREATE TABLE journal_copy (
    seq INTEGER PRIMARY KEY,         -- 1, 2, 3 and so on, without a gap; the first ones may have been dropped
    at INTEGER NOT NULL,
    actor TEXT,                      -- canonical JSON
    session_id TEXT,
    prompt_id TEXT,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,              -- canonical JSON, redacted
    prev BLOB NOT NULL,              -- the hash of the row before
    hash BLOB NOT NULL               -- SHA-256 over the row: docs/journal.md
) STRICT;
CREATE TRIGGER history_session_runs AFTER INSERT ON journal_copy
WHEN new.kind IN ('session-started', 'session-resumed') AND new.session_id IS NOT NULL BEGIN
    INSERT OR REPLACE INTO history_sessions (session_id, name, adapter, folder) VALUES
        (new.session_id, new.body ->> '$.name', new.body ->> '$.adapter', new.body ->> '$.folder');
END;
CREATE TRIGGER history_prompt_seen AFTER INSERT ON journal_copy
WHEN new.kind IN ('prompt-seen', 'prompt-changed') AND new.prompt_id IS NOT NULL BEGIN
    INSERT INTO history (seq, prompt_id, session_id, folder, adapter, kind, title, about, risk, seen_at)
    VALUES (
        new.seq, new.prompt_id, new.session_id,
        (SELECT folder FROM history_sessions WHERE session_id = new.session_id),
        coalesce(new.body ->> '$.prompt.adapter',
            (SELECT adapter FROM history_sessions WHERE session_id = new.session_id)),
        coalesce(new.body ->> '$.prompt.type', 'question'),
        coalesce(new.body ->> '$.prompt.title', ''),
        substr(coalesce(
            new.body ->> '$.prompt.toolInput.command',
            new.body ->> '$.prompt.toolInput',
            new.body ->> '$.prompt.files[0]',
            new.body ->> '$.prompt.questions[0].question',
            new.body ->> '$.prompt.description', ''), 1, 500),
        new.body ->> '$.prompt.risk.level',
        new.at)
    -- One that is shown again is not over after all.
    ON CONFLICT (prompt_id) DO UPDATE SET title = excluded.title, about = excluded.about, risk = excluded.risk,
        outcome = CASE WHEN ended_at IS NULL THEN outcome ELSE 'waiting' END, ended_at = NULL;
END;
CREATE TRIGGER history_answered AFTER INSERT ON journal_copy WHEN new.kind = 'answered' BEGIN
    UPDATE history SET answer = new.body ->> '$.answer', actor = new.actor, answered_at = new.at,
        refused = coalesce(new.body ->> '$.refused', 0), outcome = 'answered', reason = NULL, ended_at = NULL
    WHERE prompt_id = new.prompt_id;
END;
CREATE TRIGGER history_not_done AFTER INSERT ON journal_copy WHEN new.kind IN ('failed', 'unknown') BEGIN
    UPDATE history SET outcome = new.kind, reason = new.body ->> '$.reason' WHERE prompt_id = new.prompt_id;
END;
CREATE TRIGGER history_verified AFTER INSERT ON journal_copy WHEN new.kind = 'verified' BEGIN
    UPDATE history SET outcome = 'verified', reason = NULL, ended_at = new.at,
        answer = coalesce(new.body ->> '$.answer', answer), actor = coalesce(new.actor, actor),
        answered_at = coalesce(answered_at, new.at)
    WHERE prompt_id = new.prompt_id;
END;
-- An answer that did not work is not what it ended with.
CREATE TRIGGER history_gone AFTER INSERT ON journal_copy WHEN new.kind IN ('gone', 'expired') BEGIN
    UPDATE history SET ended_at = new.at, answer = NULL, refused = 0, actor = new.actor,
        answered_at = CASE WHEN new.actor IS NOT NULL THEN new.at END,
        outcome = CASE WHEN new.body ->> '$.why' = 'session-ended' THEN 'session-ended' ELSE new.kind END
    WHERE prompt_id = new.prompt_id;
END;
CREATE TRIGGER history_session_ended AFTER INSERT ON journal_copy
WHEN new.kind = 'session-ended' AND new.session_id IS NOT NULL BEGIN
    UPDATE history SET ended_at = new.at, outcome = 'session-ended'
    WHERE session_id = new.session_id AND ended_at IS NULL;
END;
CREATE TRIGGER history_dropped AFTER DELETE ON journal_copy WHEN old.prompt_id IS NOT NULL BEGIN
    DELETE FROM history WHERE seq = old.seq;
END;
INSERT INTO journal_copy SELECT * FROM journal ORDER BY seq;
DROP TABLE journal;
ALTER TABLE journal_copy RENAME TO journal;

CREATE INDEX journal_by_session ON journal (session_id, seq) WHERE session_id IS NOT NULL;
CREATE INDEX journal_by_prompt ON journal (prompt_id, seq) WHERE prompt_id IS NOT NULL;
CREATE INDEX journal_by_kind ON journal (kind, seq);
CREATE INDEX journal_by_actor ON journal (actor ->> '$.type', seq) WHERE actor IS NOT NULL;
CREATE TRIGGER journal_row_changed BEFORE UPDATE ON journal BEGIN
    SELECT RAISE(ABORT, 'the journal is append-only');
END;
CREATE TRIGGER journal_row_removed BEFORE DELETE ON journal
WHEN old.seq > coalesce(
    (SELECT body ->> '$.seq' FROM journal WHERE kind = 'checkpoint' ORDER BY seq DESC LIMIT 1), 0) BEGIN
    SELECT RAISE(ABORT, 'the journal is append-only');
END;
",
    // The Telegram chats that are told, and the messages in them that still stand: one for each subject.
    "
CREATE TABLE chats (
    id INTEGER PRIMARY KEY,          -- Telegram's own
    name TEXT NOT NULL,
    since INTEGER NOT NULL,
    paused_until INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE chat_messages (
    chat_id INTEGER NOT NULL REFERENCES chats (id) ON DELETE CASCADE,
    tag TEXT NOT NULL,               -- what it is about
    message_id INTEGER NOT NULL,     -- Telegram's own
    title TEXT NOT NULL,
    prompt_id TEXT,
    digest TEXT,                     -- of the prompt as it was shown
    at INTEGER NOT NULL,
    PRIMARY KEY (chat_id, tag)
) STRICT, WITHOUT ROWID;
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
