//! What must hold after every round, whatever happened in it.

use std::{fs, time::Duration};

use tokio::time::{Instant, sleep};

use super::{
    handset::Handset,
    plan::Asker,
    round::Round,
    world::{LIMIT, POLL},
};

/// How many open files a server may have more than when it was first looked at: connections that are just being closed.
const MORE_FILES: usize = 12;
/// How much more memory, in KB: a flood is read in pieces, and pages come back to the system late.
const MORE_MEMORY: u64 = 40 * 1024;

/// How long the store may be behind.
const STORE_LIMIT: Duration = Duration::from_secs(10);

impl Round<'_> {
    /// Checks everything.
    pub(super) async fn check(&mut self) -> Result<(), String> {
        if !matches!(self.plan.asker, Asker::Demo | Asker::Start) {
            self.check_keys()?;
        }
        self.check_phones().await?;
        self.check_store_soon().await?;
        self.check_journal()?;
        self.check_usage()?;
        self.check_clients().await
    }

    /// No double key and no misdirected one: one answer, that of somebody who gave it, and nothing before or after it.
    fn check_keys(&self) -> Result<(), String> {
        let (round, received) = (self.plan.round, self.world.received(self.plan.asker));
        if let Some(stray) = received.iter().find(|line| line.starts_with("stray")) {
            return Err(format!("a key that nobody waited for: {stray}; {}", self.describe()));
        }
        let mark = format!("answered {round} ");
        let answers: Vec<&str> = received.iter().filter_map(|line| line.strip_prefix(&mark)).collect();
        let [answer] = answers[..] else { return Err(format!("{} answers: {answers:?}", answers.len())) };
        let yes = answer.to_lowercase().starts_with('y');
        let plain = ["Yes", "No", "y", "n", "yes", "no"].contains(&answer);
        if !plain || !(self.sent.contains(&yes) || self.desk && yes) {
            return Err(format!("{answer:?} was typed, which nobody has answered"));
        }
        let enters = received.iter().filter(|line| **line == format!("key {round} Enter")).count();
        if enters > 1 { Err(format!("Enter was pressed {enters} times")) } else { Ok(()) }
    }

    /// No prompt is left over, and a phone that was away knows the same as one that comes anew.
    async fn check_phones(&mut self) -> Result<(), String> {
        let ends = Instant::now() + LIMIT;
        let mut fresh = Handset::new(self.world.main.credential().clone());
        loop {
            self.hear().await;
            fresh.connect(self.world.server.address).await;
            fresh.catch_up().await;
            self.world.main.catch_up().await;
            let board = &self.world.main.board;
            let over = self.world.is_ready(self.session)
                && board.prompts.values().all(|pending| pending.prompt.session_id != Some(self.session));
            if over && *board == fresh.board && *board == self.world.rival.board {
                return Ok(());
            }
            if Instant::now() > ends {
                let differs = if *board == fresh.board { "" } else { "; the phones know different things" };
                return Err(format!("it does not go on: {}{differs}", self.describe()));
            }
            sleep(POLL).await;
        }
    }

    /// The store may be a few seconds behind: whether a hook comes again after a restart is waited for.
    async fn check_store_soon(&self) -> Result<(), String> {
        let ends = Instant::now() + STORE_LIMIT;
        loop {
            match self.check_store() {
                Err(_) if Instant::now() < ends => sleep(POLL * 10).await,
                checked => return checked,
            }
        }
    }

    /// The journal's chain fits, and what it says of each prompt is what the store says.
    fn check_journal(&self) -> Result<(), String> {
        let verified =
            self.world.server.command("journal").arg("verify").output().map_err(|error| error.to_string())?;
        if !verified.status.success() {
            return Err(format!("the journal does not fit: {}", String::from_utf8_lossy(&verified.stderr)));
        }
        let path = self.world.server.data().join("answerback.db");
        let differs = || -> Result<Vec<String>, rusqlite::Error> {
            let db = rusqlite::Connection::open(path)?;
            let mut statement = db.prepare(
                "SELECT id || ' is ' || state || ', the journal says ' || coalesce(outcome, 'nothing') FROM prompts
                 LEFT JOIN history ON history.prompt_id = prompts.id
                 WHERE closed_at IS NOT NULL AND (state IS NOT outcome
                     OR (state = 'verified' AND prompts.answer ->> 'summary' IS NOT history.answer))",
            )?;
            statement.query_map([], |row| row.get(0))?.collect()
        };
        let differs = differs().map_err(|error| error.to_string())?;
        if differs.is_empty() { Ok(()) } else { Err(differs.join("; ")) }
    }

    /// The store is sound, nothing in it is left half done, and it says what happened.
    fn check_store(&self) -> Result<(), String> {
        let path = self.world.server.data().join("answerback.db");
        let db = rusqlite::Connection::open(path).map_err(|error| error.to_string())?;
        let text = |query: &str| -> Result<Vec<String>, rusqlite::Error> {
            db.prepare(query)?.query_map([], |row| row.get::<_, String>(0))?.collect()
        };
        let read = || -> Result<_, rusqlite::Error> {
            let sound = text("PRAGMA integrity_check")?;
            let loose = text("SELECT \"table\" FROM pragma_foreign_key_check")?;
            let open = text("SELECT id || ' is ' || state FROM prompts WHERE state IN ('open', 'answering')")?;
            let odd = text(
                "SELECT id || ' is ' || state FROM prompts WHERE (state = 'verified') <> (answer IS NOT NULL)
                    OR closed_at IS NULL",
            )?;
            let kept = text("SELECT id FROM prompts WHERE attempt LIKE '%response%' AND closed_at IS NOT NULL")?;
            let round = self.plan.round;
            let ours = text(&format!(
                "SELECT state || ' ' || coalesce(answer ->> 'summary', '') FROM prompts
                 WHERE prompt LIKE '%step-{round}\"%' OR prompt LIKE '%file-{round}.txt%'"
            ))?;
            Ok((sound, loose, [open, odd, kept].concat(), ours))
        };
        let (sound, loose, odd, ours) = read().map_err(|error| error.to_string())?;
        if sound != ["ok"] || !loose.is_empty() || !odd.is_empty() {
            return Err(format!("the store is not sound: {sound:?} {loose:?} {odd:?}"));
        }
        let Some(answer) = self.world.answered(self.plan.asker, self.plan.round) else { return Ok(()) };
        let yes = answer.to_lowercase().starts_with('y');
        let [end] = &ours[..] else {
            // A desk that is quicker than the first look leaves nothing to tell, or a hook that comes when all is over.
            let over = self.desk && ours.iter().all(|end| end.trim() == "gone");
            return if over { Ok(()) } else { Err(format!("one question, but {ours:?} in the store")) };
        };
        let expected = if yes { "verified y" } else { "verified n" };
        let told = end.to_lowercase();
        if told.starts_with(expected) || (self.desk && told.trim() == "gone") {
            Ok(())
        } else {
            Err(format!("the program got {answer:?}, but the store says {end:?}"))
        }
    }

    /// Memory and open files are where they were.
    fn check_usage(&mut self) -> Result<(), String> {
        let pid = self.world.server.process_id();
        let Some((files, memory)) = usage(pid) else { return Ok(()) };
        self.tally.most_files = self.tally.most_files.max(files);
        self.tally.most_memory = self.tally.most_memory.max(memory);
        match self.world.usage {
            Some((known, first_files, first_memory)) if known == pid => {
                let grown = files > first_files + MORE_FILES || memory > first_memory + MORE_MEMORY;
                if grown {
                    let was = format!("{first_files} files and {first_memory} KB");
                    return Err(format!("the server has grown from {was} to {files} files and {memory} KB"));
                }
            }
            _ => self.world.usage = Some((pid, files, memory)),
        }
        Ok(())
    }

    /// Of the clients of servers that are gone none is left.
    async fn check_clients(&self) -> Result<(), String> {
        let ends = Instant::now() + LIMIT;
        loop {
            let clients = self.world.server.tmux(&["list-clients", "-F", "#{client_control_mode}"]);
            let clients = clients.lines().filter(|line| *line == "1").count();
            if clients <= 1 {
                return Ok(());
            }
            if Instant::now() > ends {
                return Err(format!("{clients} control clients"));
            }
            sleep(POLL).await;
        }
    }

    /// The message was said this often.
    pub(super) async fn was_said(&self, text: &str, times: usize) -> Result<(), String> {
        let ends = Instant::now() + LIMIT;
        loop {
            let said = self.times_said(text);
            if said == times {
                return Ok(());
            }
            if said > times || Instant::now() > ends {
                return Err(format!("{text:?} was said {said} times"));
            }
            sleep(POLL).await;
        }
    }

    /// The message was said once or not at all.
    pub(super) fn was_said_at_most_once(&self, text: &str) -> Result<(), String> {
        let said = self.times_said(text);
        if said > 1 { Err(format!("{text:?} was said {said} times")) } else { Ok(()) }
    }

    fn times_said(&self, text: &str) -> usize {
        let file = self.world.server.data().join("sessions").join(self.session.0.to_string()).join("transcript.jsonl");
        let transcript = fs::read_to_string(file).unwrap_or_default();
        let by_person = |line: &&str| line.contains("\"role\":\"user\"") && line.contains(text);
        transcript.lines().filter(by_person).count()
    }
}

/// Open files and memory of a process, where the system tells.
fn usage(pid: u32) -> Option<(usize, u64)> {
    let files = fs::read_dir(format!("/proc/{pid}/fd")).ok()?.count();
    let status = fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let memory = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some((files, memory.split_whitespace().next()?.parse().ok()?))
}
