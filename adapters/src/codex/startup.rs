//! The dialogs of Codex's start: which one it is, and the row that passes it without giving anything away.
//!
//! They are built like any other list, so here, and only here, words decide; a start-up dialog in unknown words is a
//! question to the person. Nothing is taken for one while a conversation stands above it.

use shared_types::{PromptKind, PromptSource};

use crate::{
    Reading, Screen, Sighting, StartupDialog, StartupKind,
    codex::{
        body,
        dialog::{GlyphRow, glyph_row},
        lines, prompt,
    },
    reading::SightedOption,
};

/// Reads a dialog as one of the start, if it is one.
pub(super) fn read(screen: &Screen, sighting: &Sighting) -> Option<StartupDialog> {
    let is_list = matches!(sighting.build, prompt::LIST | prompt::FIELD);
    if !is_list
        || sighting.multi_select
        || sighting.kind != PromptKind::Question
        || has_conversation(screen, sighting.rows.start)
    {
        return None;
    }
    let kind = kind(sighting)?;
    let pass = pass(kind, &sighting.options);
    Some(StartupDialog { kind, pass, sighting: sighting.clone() }.with_roles())
}

/// A start-up screen without a list: a notice to go on from, or one whose options do not fit on the screen.
pub(super) fn read_notice(screen: &Screen) -> Option<Reading> {
    if screen.cursor.visible {
        return None;
    }
    let last = screen.last_row()?;
    let is_heading = |row: &usize| glyph_row(screen, *row) == Some(GlyphRow::Heading) || is_welcome(screen.text(*row));
    let start = (0..=last).rev().find(is_heading)?;
    if has_conversation(screen, start) {
        return None;
    }
    let continues = |text: &str| lines::segments(text).any(|part| part.to_lowercase().contains("enter"));
    // Numbered rows are a list whose cursor is not understood: Enter would choose one of them unseen.
    let has_list = (start..last).any(|row| lines::numbered(screen.text(row).trim_start_matches(['>', ' '])).is_some());
    let hint = Some(last).filter(|last| *last > start && !has_list && continues(screen.text(*last)));
    let body = body::read(screen, start..hint.unwrap_or(last + 1));
    let mut sighting = Sighting::new(PromptKind::Question, PromptSource::Screen, prompt::NOTICE);
    sighting.title = body.title;
    sighting.description = body.text.join("\n");
    sighting.rows = start..last + 1;
    sighting.more_options = hint.is_none();
    if let Some(hint) = hint {
        let label = screen.text(hint).trim().to_owned();
        sighting.options = vec![SightedOption { hint: Some("enter".to_owned()), ..SightedOption::new(label) }];
        sighting.selected = Some(0);
    }
    let kind = kind(&sighting).unwrap_or(StartupKind::Other);
    // Enter on a notice of a new model takes the new model, so no row passes it safely.
    Some(Reading::Startup(StartupDialog { kind, pass: None, sighting }))
}

fn is_welcome(text: &str) -> bool {
    text.trim_start().starts_with("Welcome to Codex")
}

/// True when something of a conversation stands above: a sent message, or the banner of a session.
fn has_conversation(screen: &Screen, start: usize) -> bool {
    (0..start).any(|row| {
        let banner = screen.lines.get(row).is_some_and(|line| {
            line.text.contains(">_ ")
                && line.cells.iter().any(|cell| cell.ch == '_' && cell.style != crate::screen::Style::default())
        });
        banner || glyph_row(screen, row) == Some(GlyphRow::Sent)
    })
}

fn kind(sighting: &Sighting) -> Option<StartupKind> {
    let text = format!("{}\n{}", sighting.title, sighting.description).to_lowercase();
    let says = |words: &[&str]| words.iter().any(|word| text.contains(word));
    let offers = |words: &[&str]| sighting.options.iter().any(|option| is_about(option, words));
    let is_field = sighting.build == prompt::FIELD;
    let folder = says(&["folder", "directory", "version controlled"]);
    if says(&["hook"]) && (says(&["trust", "review"]) || offers(&["trust"])) {
        Some(StartupKind::HookTrust)
    } else if folder && (says(&["trust", "you are running codex in"]) || offers(&["trust", "work in this folder"])) {
        Some(StartupKind::FolderTrust)
    } else if says(&["update", "new version"]) && offers(&["update"]) && offers(SKIPS) {
        Some(StartupKind::Update)
    } else if !says(&["rate limit"]) && sighting.options.iter().any(keeps_model) || says(&["just got an upgrade"]) {
        Some(StartupKind::ModelChange)
    } else if offers(&["sign in with", "log in", "api key"])
        || is_field && says(&["api key"])
        || says(&["resume a previous"])
    {
        Some(StartupKind::Other)
    } else {
        None
    }
}

/// Words of rows that put something off.
const SKIPS: &[&str] = &["skip", "not now", "later", "no,"];

/// True for a row that leaves the model as it is.
fn keeps_model(option: &SightedOption) -> bool {
    is_about(option, &["existing model", "current model", "keep"]) && is_about(option, &["model"])
}

/// The row that passes a dialog without widening what Codex may do, installing anything or changing the model.
fn pass(kind: StartupKind, options: &[SightedOption]) -> Option<usize> {
    let first = |words: &[&str], but: &[&str]| {
        options.iter().position(|option| is_about(option, words) && !is_about(option, but))
    };
    match kind {
        // Older versions offer to work without asking as the first row: the row that keeps asking is the safe one.
        StartupKind::FolderTrust => first(&["ask me", "require approval", "approve edits"], &[])
            .or_else(|| first(&["trust", "yes", "continue", "proceed"], NOT_TRUST)),
        StartupKind::Update => first(SKIPS, &["until", "remind", "never"]).or_else(|| first(SKIPS, &[])),
        StartupKind::ModelChange => options.iter().position(keeps_model),
        StartupKind::HookTrust => first(&["without trust", "don't trust", "not trust", "skip"], &["trust all"]),
        _ => None,
    }
}

/// Words of rows that leave, refuse or give more than the folder.
const NOT_TRUST: &[&str] = &["quit", "exit", "back", "without ask", "don't", "no,", "anyway", "full"];

fn is_about(option: &SightedOption, words: &[&str]) -> bool {
    let label = option.label.to_lowercase();
    words.iter().any(|word| label.contains(word))
}
