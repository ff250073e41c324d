//! `journal`: what happened, whether it is what was written, and all of it for other programs. Reads the store's file itself, so
//! that it works while no server runs.

use std::{io, ops::ControlFlow, path::PathBuf};

use anyhow::{Context as _, bail};
use clap::Subcommand;
use serde_json::{Value, json};
use shared_types::Millis;

use super::Place;
use crate::{
    clock::now_millis,
    config::{Flags, Settings},
    journal::{
        FactKind, Head, Row, Verdict, Verifier,
        export::{Format, write_header, write_row},
        pin::{Pin, add_pin, pins_file, read_pins},
    },
    say,
    store::{JournalFile, JournalFilter},
};

/// The longest summary of a row, in characters: it fits a terminal.
const SUMMARY_LIMIT: usize = 100;

#[derive(Debug, Subcommand)]
pub(super) enum JournalAction {
    /// Show what happened, newest last
    Show {
        #[command(flatten)]
        wanted: Wanted,
        /// A JSON object for each row, as in an export
        #[arg(long)]
        json: bool,
    },
    /// Check that no row was changed, removed or put in, and that nothing is missing since the last pin
    Verify {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
    },
    /// Write all rows to the standard output, for other programs
    Export {
        /// How
        #[arg(long, value_enum, default_value = "json")]
        format: Format,
        /// The same as --format json
        #[arg(long, conflicts_with = "format")]
        json: bool,
    },
    /// Print where the chain ends, and keep that in a file of its own: keep a copy elsewhere as well
    Pin {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
    },
}

#[derive(Debug, clap::Args)]
pub(super) struct Wanted {
    /// Of this session: its name, or the beginning of its id
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Of the sessions that worked in this folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// By this actor: device, desk, rule, notification, expiry, or a name
    #[arg(long, value_name = "WHO")]
    actor: Option<String>,
    /// Of this kind, such as answered or verified; may be given several times
    #[arg(long, value_name = "KIND", value_parser = fact_kind)]
    kind: Vec<FactKind>,
    /// Since then: 90m, 2h, 3d, 2026-11-18 or "2026-11-18 07:30"
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// At most so many
    #[arg(long, value_name = "NUMBER", default_value_t = 50)]
    limit: u32,
}

pub(super) fn journal(action: JournalAction, place: Place) -> anyhow::Result<()> {
    let folder = Settings::load(&Flags::from(place))?.paths.data;
    let opened = JournalFile::open(&folder);
    let file = opened.with_context(|| format!("opening the journal in {}", folder.display()))?;
    match action {
        JournalAction::Show { wanted, json } => show(&file, wanted, json),
        JournalAction::Export { format, .. } => export(&file, format),
        JournalAction::Verify { json } => {
            let pins = read_pins(&folder).context("reading the pins")?;
            let (verdict, dropped) = check(&file, &pins)?;
            report(&verdict, dropped, pins.last(), json)
        }
        JournalAction::Pin { json } => {
            let pins = read_pins(&folder).context("reading the pins")?;
            let (Verdict::Fits(head), _) = check(&file, &pins)? else {
                bail!("the journal does not fit, so it was not pinned: see `answerback journal verify`");
            };
            let pin = Pin { at: now_millis(), head };
            add_pin(&folder, pin).with_context(|| format!("writing {}", pins_file(&folder).display()))?;
            let text = if json { pin.to_json().to_string() } else { format!("{} {}", head.seq, head.hash) };
            say::line(&text);
            Ok(())
        }
    }
}

fn show(file: &JournalFile, wanted: Wanted, json: bool) -> anyhow::Result<()> {
    let mut sessions = None;
    if let Some(name) = &wanted.session {
        sessions = Some(file.sessions_called(name)?);
    }
    if let Some(folder) = &wanted.folder {
        let folder = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let there = file.sessions_in_folder(&folder.to_string_lossy())?;
        sessions = Some(match sessions {
            Some(called) => called.into_iter().filter(|id| there.contains(id)).collect(),
            None => there,
        });
    }
    let since = wanted.since.as_deref().map(|text| time(file, text)).transpose()?;
    let filter = JournalFilter { sessions, actor: wanted.actor, kinds: wanted.kind, since, ..JournalFilter::default() };
    let page = file.page(&filter, wanted.limit)?;
    for row in page.rows.iter().rev() {
        let text = if json { row.to_json_line() } else { in_words(row, &file.local_time(row.entry.at)?) };
        say::line(&text);
    }
    if page.rows.is_empty() && !json {
        say::line("nothing of that kind has happened");
    }
    Ok(())
}

fn export(file: &JournalFile, format: Format) -> anyhow::Result<()> {
    let mut out = say::output();
    let mut written = write_header(&mut out, format);
    file.each(|row| {
        if written.is_ok() {
            written = match row {
                Ok(row) => write_row(&mut out, format, &row),
                Err(row) => Err(io::Error::other(format!("row {} cannot be read: {}", row.seq, row.reason))),
            };
        }
        if written.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    match written.and_then(|()| io::Write::flush(&mut out)) {
        // Somebody has seen enough, as with `head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("writing the export"),
    }
}

/// What checking has shown, and how many rows were dropped at the beginning.
fn check(file: &JournalFile, pins: &[Pin]) -> anyhow::Result<(Verdict, u64)> {
    let mut verifier = Verifier::new(pins);
    let mut broken = None;
    file.each(|row| match verifier.check(row) {
        Ok(()) => ControlFlow::Continue(()),
        Err(found) => {
            broken = Some(found);
            ControlFlow::Break(())
        }
    })?;
    let dropped = verifier.dropped();
    Ok((broken.map_or_else(|| verifier.finish(), Verdict::Broken), dropped))
}

fn report(verdict: &Verdict, dropped: u64, pin: Option<&Pin>, json: bool) -> anyhow::Result<()> {
    let (head, problem) = match verdict {
        Verdict::Fits(head) => (Some(head), None),
        Verdict::Broken(broken) => (None, Some((broken.seq, broken.to_string()))),
        Verdict::TailMissing { head, pinned } => {
            let missing =
                format!("rows {} to {pinned} are missing at the end: they were there when it was pinned", head.seq + 1);
            (Some(head), Some((head.seq + 1, missing)))
        }
    };
    if json {
        let problem = problem.as_ref().map(|(seq, text)| json!({ "seq": seq, "text": text }));
        let head = head.map(|Head { seq, hash }| json!({ "seq": seq, "hash": hash.to_string() }));
        let pin = pin.map(Pin::to_json);
        let ok = problem.is_none();
        say::line(&json!({ "ok": ok, "head": head, "dropped": dropped, "problem": problem, "pin": pin }).to_string());
    }
    match (problem, head) {
        (Some((_, problem)), _) => bail!("{problem}"),
        (None, Some(head)) if !json => {
            let pinned = pin.map_or_else(
                || "no pin to compare its end with: see `answerback journal pin`".to_owned(),
                |pin| format!("last pinned at row {}", pin.head.seq),
            );
            let older = if dropped == 0 { String::new() } else { format!("{dropped} older ones were dropped; ") };
            say::line(&format!("{} rows, all of them fit; {older}{pinned}", head.seq.saturating_sub(dropped)));
            say::line(&format!("head {} {}", head.seq, head.hash));
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A row on one line.
fn in_words(row: &Row, time: &str) -> String {
    let entry = &row.entry;
    let parse = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let actor = entry.actor.as_deref().map(parse).unwrap_or_default();
    let who = actor["name"].as_str().or(actor["type"].as_str()).unwrap_or("-").to_owned();
    let body = parse(&entry.body);
    let said = [&body["prompt"]["title"], &body["answer"], &body["reason"], &body["dialog"], &body["name"]];
    let what = said.into_iter().find_map(Value::as_str).map_or_else(|| entry.body.clone(), str::to_owned);
    let what: String = what.chars().take(SUMMARY_LIMIT).collect();
    let session = entry.session.as_deref().and_then(|id| id.get(id.len().saturating_sub(12)..)).unwrap_or("-");
    let line = format!("{:>6}  {time}  {:<15}  {who:<16}  {session:<12}  {what}", row.seq, entry.kind);
    say::plain(&line)
}

fn fact_kind(word: &str) -> Result<FactKind, String> {
    let words = || FactKind::ALL.map(FactKind::word).join(", ");
    FactKind::from_word(word).ok_or_else(|| format!("choose one of {}", words()))
}

/// `90m`, `2h` and `3d` ago, or a date.
fn time(file: &JournalFile, text: &str) -> anyhow::Result<Millis> {
    let units = [("m", 60_000), ("h", 3_600_000), ("d", 86_400_000)];
    let ago = units.iter().find_map(|(unit, millis)| {
        let count: Millis = text.strip_suffix(unit)?.parse().ok()?;
        Some(count.saturating_mul(*millis))
    });
    match ago {
        Some(ago) => Ok(now_millis().saturating_sub(ago)),
        None => file.parse_time(text)?.with_context(|| format!("{text} is no time: try 2h, 3d or 2026-11-18")),
    }
}
