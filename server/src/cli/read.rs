//! `read`: what Answerback makes of a screen, for checking it against captured ones and for reporting one it misreads.

use std::{
    fs,
    path::{Path, PathBuf},
};

use adapters::{
    Adapter, Capture, Screen, Sighting, adapter_for, all_adapters, case::CaseMeta, generic::OwnPrompt, reading::Look,
};
use anyhow::{Context as _, bail};
use serde::Serialize;
use shared_types::{AdapterKind, InteractivePrompt, PromptId, SessionId};
use uuid::Uuid;

use super::{Place, local::LocalServer};
use crate::{
    config::{Flags, Settings},
    pane::BorrowedServer,
    say,
};

/// What to read.
#[derive(Debug, clap::Args)]
#[group(id = "what", required = true, multiple = false, args = ["corpus", "file", "session", "capture"])]
pub(super) struct ReadArgs {
    /// Read every case folder (screen.ansi and meta.json) below these; one JSON line each
    #[arg(long, value_name = "DIR", num_args = 1..)]
    corpus: Vec<PathBuf>,
    /// Read one screen, as `tmux capture-pane -e -p` wrote it
    file: Option<PathBuf>,
    /// Read the screen of a running session, and say which rows it was read from
    #[arg(long, value_name = "NAME")]
    session: Option<String>,
    /// Write the screen of a running session as a case folder below DIR, to attach to a report
    #[arg(long, value_names = ["NAME", "DIR"], num_args = 2)]
    capture: Vec<String>,
    /// Which CLI drew the file, such as claude, or generic for any program
    #[arg(long, value_name = "NAME", value_parser = adapter_kind, requires = "file")]
    cli: Option<AdapterKind>,
    /// The size of the screen in the file
    #[arg(long, value_name = "COLSxROWS", value_parser = size, default_value = "80x24")]
    size: (u16, u16),
    #[command(flatten)]
    place: Place,
}

/// One line of `--corpus`.
#[derive(Debug, Serialize)]
struct CaseReading<'a> {
    case: &'a str,
    cli: AdapterKind,
    reading: ReadingReport,
}

/// A reading, told with the wire's words.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ReadingReport {
    state: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<Box<InteractivePrompt>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selected_index: Option<usize>,
}

pub(super) async fn read(args: ReadArgs) -> anyhow::Result<()> {
    if let [name, folder] = args.capture.as_slice() {
        return write_case(name, Path::new(folder), &args.place.into()).await;
    }
    if let Some(name) = &args.session {
        return explain(name, &args.place.into()).await;
    }
    let own = Settings::load(&args.place.into())?.prompts;
    if let Some(file) = &args.file {
        let Some(kind) = args.cli else { bail!("name the CLI that drew it: --cli claude") };
        let text = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        let (cols, rows) = args.size;
        let text = String::from_utf8_lossy(&text).into_owned();
        let capture = Capture { text, cols, rows, ..Capture::default() };
        say::line(&serde_json::to_string(&report(&capture, adapter_for(kind), &own).0)?);
        return Ok(());
    }
    for folder in &args.corpus {
        let mut cases = Vec::new();
        find_cases(folder, &mut cases).with_context(|| format!("looking below {}", folder.display()))?;
        cases.sort();
        for case in cases {
            read_case(&case, &own).with_context(|| format!("reading {}", case.display()))?;
        }
    }
    Ok(())
}

fn find_cases(folder: &Path, found: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            find_cases(&path, found)?;
        } else if path.file_name().is_some_and(|name| name == "meta.json") {
            found.push(folder.to_owned());
        }
    }
    Ok(())
}

fn read_case(folder: &Path, own: &[OwnPrompt]) -> anyhow::Result<()> {
    let meta: CaseMeta = serde_json::from_slice(&fs::read(folder.join("meta.json"))?)?;
    let text = String::from_utf8_lossy(&fs::read(folder.join("screen.ansi"))?).into_owned();
    let case = folder.file_name().unwrap_or_default().to_string_lossy();
    let (reading, _) = report(&meta.capture(text), adapter_for(meta.cli), own);
    say::line(&serde_json::to_string(&CaseReading { case: &case, cli: meta.cli, reading })?);
    Ok(())
}

/// Reads a capture, and tells which rows the prompt was read from.
fn report(
    capture: &Capture,
    adapter: &dyn Adapter,
    own: &[OwnPrompt],
) -> (ReadingReport, Option<std::ops::Range<usize>>) {
    let screen = Screen::from_capture(capture);
    let own = if adapter.profile().kind == adapters::generic::KIND { own } else { &[] };
    let look = Look::with_own(&screen, adapter, own);
    let sighting = look.reading.sighting();
    let report = ReadingReport {
        state: look.reading.state(),
        prompt: sighting.map(|sighting| Box::new(whole_prompt(sighting, adapter.profile().kind))),
        selected_index: sighting.and_then(Sighting::selected_item),
    };
    (report, sighting.map(|sighting| sighting.rows.clone()))
}

/// The prompt with every item of its list, also those that a phone is not offered. Buttons beside the list are none.
fn whole_prompt(sighting: &Sighting, kind: AdapterKind) -> InteractivePrompt {
    let mut prompt = sighting.to_prompt(PromptId(Uuid::nil()), SessionId(Uuid::nil()), kind, 0);
    let options = sighting.options.iter().zip(sighting.option_values()).filter(|(option, _)| option.is_item());
    let options: Vec<_> = options.map(|(option, value)| option.to_wire(value)).collect();
    prompt.options = (!options.is_empty()).then_some(options);
    prompt.text_input = sighting.text.as_ref().map(adapters::SightedText::to_wire);
    prompt.created_at = None;
    prompt
}

async fn explain(name: &str, flags: &Flags) -> anyhow::Result<()> {
    let (kind, capture) = live_capture(name, flags).await?;
    let own = Settings::load(flags)?.prompts;
    let (report, rows) = report(&capture, adapter_for(kind), &own);
    say::line(&serde_json::to_string_pretty(&report)?);
    let rows = rows.unwrap_or(0..0);
    let screen = Screen::from_capture(&capture);
    for (number, line) in screen.lines.iter().enumerate() {
        let mark = if rows.contains(&number) { '▌' } else { ' ' };
        say::line(&format!("{number:>3} {mark} {}", line.text));
    }
    Ok(())
}

async fn write_case(name: &str, folder: &Path, flags: &Flags) -> anyhow::Result<()> {
    let (kind, capture) = live_capture(name, flags).await?;
    let profile = adapter_for(kind).profile();
    let version = match crate::programs::find_in(profile.program, Path::new("/")) {
        Some(program) => crate::programs::version_of(&program).await,
        None => None,
    };
    let name = version.as_deref().unwrap_or("unknown");
    let case = folder.join(format!("reported-{name}-{}x{}", capture.cols, capture.rows));
    fs::create_dir_all(&case).with_context(|| format!("making {}", case.display()))?;
    let meta = CaseMeta::of(kind, version, &capture);
    fs::write(case.join("screen.ansi"), &capture.text)?;
    fs::write(case.join("meta.json"), serde_json::to_string_pretty(&meta)? + "\n")?;
    say::line(&format!("wrote {}", case.display()));
    say::line("Look through screen.ansi for anything private before you attach it, and fill in `kind` in meta.json.");
    Ok(())
}

/// The screen of a running session, straight from its pane.
async fn live_capture(name: &str, flags: &Flags) -> anyhow::Result<(AdapterKind, Capture)> {
    let settings = Settings::load(flags)?;
    let server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let session = super::screen_commands::choose(&server.running(), Some(name))?;
    // Not a terminal of our own: that would take the running server's place.
    Ok((session.adapter, BorrowedServer::new(&settings.tmux, &settings.paths).capture(session.id).await?))
}

fn adapter_kind(name: &str) -> Result<AdapterKind, String> {
    let mut kinds = all_adapters().map(|adapter| adapter.profile().kind);
    kinds.find(|kind| kind.as_str() == name).ok_or_else(|| {
        let names: Vec<_> = all_adapters().map(|adapter| adapter.profile().kind.to_string()).collect();
        format!("there is no adapter called {name}; there are {}", names.join(", "))
    })
}

fn size(text: &str) -> Result<(u16, u16), String> {
    let parts = text.split_once('x').and_then(|(cols, rows)| Some((cols.parse().ok()?, rows.parse().ok()?)));
    parts.filter(|(cols, rows)| *cols > 0 && *rows > 0).ok_or_else(|| "a size looks like 80x24".to_owned())
}
