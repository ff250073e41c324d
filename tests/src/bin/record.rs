//! `record CLI VERSION FOLDER`: leads a CLI through its scenes at three sizes, writes each screen as a case of the corpus, and says what is
//! read of it, beside what is read of the version before.
//!
//! Which programs are led is said by `ANSWERBACK_CLI_PROGRAMS`. A scene that is not reached is told with what stood there instead, and the
//! others go on. `npm run corpus:record` installs the version, runs this, and writes the report.

#![expect(clippy::expect_used, reason = "a harness that cannot do its part has failed the recording")]
#![expect(clippy::print_stdout, reason = "this is how the recording is told")]

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use adapters::{Capture, Reading, Screen, adapter_for, case::CaseMeta, screen::Cursor};
use answerback_tests::{
    Cli, Live,
    scenes::{self, Verdict, verdict},
};
use serde_json::json;
use shared_types::{Command, ReplyData, SessionState, StartSession};
use tokio::time::{Instant, sleep};

/// The middle one is what a session begins with, the last the smallest that it has while nobody sits at it.
const SIZES: [(u16, u16); 3] = [(160, 50), (120, 40), (100, 40)];
/// What the person says before the model does.
const MESSAGE: &str = "go on with the heron";
/// How long a scene may take from the start of the CLI.
const SCENE_LIMIT: Duration = Duration::from_secs(60);
/// How long a screen must have stood still before it counts. Those of work move all the time.
const STILL: Duration = Duration::from_millis(1500);
const WORKING: Duration = Duration::from_secs(4);
/// How long what is not read right must have stood: a CLI shows a call before it asks about it.
const MISREAD: Duration = Duration::from_secs(12);

#[tokio::main]
async fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, version, folder] = words.as_slice() else { panic_with("record CLI VERSION FOLDER") };
    let cli = Cli::named(name).expect("the name of a CLI");
    for size in SIZES {
        for at in 0..scenes::scenes(cli, "").len() {
            let told = tokio::spawn(record(cli, version.clone(), PathBuf::from(folder), size, at));
            // A phone that waits in vain panics, with what it saw.
            let line = match told.await {
                Ok(line) => line,
                Err(error) => {
                    json!({ "scene": scenes::scenes(cli, "")[at].name, "size": size, "failed": error.to_string() })
                }
            };
            println!("{line}");
        }
    }
}

fn panic_with(usage: &str) -> ! {
    println!("{usage}");
    std::process::exit(2)
}

async fn record(cli: Cli, version: String, folder: PathBuf, size: (u16, u16), at: usize) -> serde_json::Value {
    let mut live = Live::start(cli).await;
    let project = live.project().to_string_lossy().into_owned();
    let scene = scenes::scenes(cli, &project).swap_remove(at);
    let case = format!("rec-{}-{version}-{}x{}", scene.name, size.0, size.1);
    let told = json!({ "case": case, "scene": scene.name, "size": size, "kind": scene.kind, "shows": scene.shows });
    let start = StartSession {
        size: Some(size),
        command: Some(scenes::arguments(cli, &version)),
        ..StartSession::new(cli.adapter(), project.as_str())
    };
    let Ok(ReplyData::Started { session_id }) = live.phone.ask(Command::Start { start }).await else {
        return with(told, "failed", "the session did not start");
    };
    let started = |state: &SessionState| !matches!(state, SessionState::Starting { .. } | SessionState::Busy { .. });
    live.phone.wait_state("started", session_id, started).await;
    let kind = scene.kind;
    if let Some(turn) = scene.turn {
        live.model.script(MESSAGE, [turn]);
        live.phone.send(session_id, MESSAGE).await;
        live.model.wait_user_text(MESSAGE).await;
    }
    let shows: Vec<&str> = scene.shows.to_vec();
    let read = |capture: &Capture| adapter_for(cli.adapter()).read_screen(&Screen::from_capture(capture));
    let is_right = |capture: &Capture| verdict(kind, &shows, &read(capture), None) != Verdict::Misread;
    let Some(capture) = settled(&live, &shows, kind == "busy", is_right).await else {
        let seen = live.screens();
        return with(with(told, "failed", "it does not show what it should"), "seen", &seen);
    };
    let mut meta = CaseMeta::of(cli.adapter(), Some(version), &capture);
    kind.clone_into(&mut meta.kind);
    write(&folder.join(&case), &capture.text, &meta);
    let before = before(cli, scene.name, size, &meta);
    with(told, "verdict", verdict(kind, &shows, &read(&capture), before.as_ref()).word())
}

/// What is read of the newest other version that was recorded in this scene.
fn before(cli: Cli, scene: &str, size: (u16, u16), meta: &CaseMeta) -> Option<Reading> {
    let screens = Path::new(env!("CARGO_MANIFEST_DIR")).join("../adapters/src").join(cli.adapter().as_str());
    let (begin, end) = (format!("rec-{scene}-"), format!("-{}x{}", size.0, size.1));
    let cases = fs::read_dir(screens.join("screens")).ok()?.filter_map(|entry| {
        let entry = entry.ok()?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let version = name.strip_prefix(&begin)?.strip_suffix(&end)?.to_owned();
        (meta.version.as_ref() != Some(&version)).then(|| (numbers(&version), entry.path()))
    });
    let (_, case) = cases.max()?;
    let meta: CaseMeta = serde_json::from_slice(&fs::read(case.join("meta.json")).ok()?).ok()?;
    let text = String::from_utf8_lossy(&fs::read(case.join("screen.ansi")).ok()?).into_owned();
    Some(adapter_for(cli.adapter()).read_screen(&Screen::from_capture(&meta.capture(text))))
}

fn numbers(version: &str) -> Vec<u32> {
    version.split(['.', '-']).filter_map(|part| part.parse().ok()).collect()
}

fn with(mut told: serde_json::Value, name: &str, value: &str) -> serde_json::Value {
    told[name] = value.into();
    told
}

/// The screen once it shows this and stands still; while the CLI works, once it has worked for a while.
async fn settled(live: &Live, shows: &[&str], works: bool, is_right: impl Fn(&Capture) -> bool) -> Option<Capture> {
    let ends = Instant::now() + SCENE_LIMIT;
    let (mut last, mut since) = (String::new(), Instant::now());
    while Instant::now() < ends {
        let capture = capture(live);
        // A narrow screen breaks words.
        let text: String = live.screens().split_whitespace().collect();
        let shown = shows.iter().all(|part| text.contains(&part.split_whitespace().collect::<String>()));
        if capture.text != last {
            since = if works && !last.is_empty() { since } else { Instant::now() };
            last.clone_from(&capture.text);
        }
        let stood = since.elapsed();
        if shown && stood >= if works { WORKING } else { STILL } && (stood >= MISREAD || is_right(&capture)) {
            return Some(capture);
        }
        sleep(Duration::from_millis(100)).await;
    }
    None
}

/// What tmux says of the one pane.
fn pane(live: &Live, format: &str) -> String {
    // Every session's window is linked into the hub as well.
    let panes = live.server.tmux(&["list-panes", "-a", "-F", format]);
    panes.lines().next().unwrap_or_default().to_owned()
}

/// What the one pane shows, and what tmux knows beside it.
fn capture(live: &Live) -> Capture {
    let told = pane(
        live,
        "#{pane_id}\t#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t#{alternate_on}\t#{pane_width}\t#{pane_height}\t#{pane_title}",
    );
    let part = |at: usize| told.split('\t').nth(at).unwrap_or_default();
    let number = |at: usize| part(at).parse().unwrap_or_default();
    let text = live.server.tmux(&["capture-pane", "-p", "-e", "-t", part(0)]);
    Capture {
        text: text.trim_end_matches('\n').to_owned(),
        cols: number(5),
        rows: number(6),
        cursor: Cursor { x: number(1), y: number(2), visible: part(3) == "1" },
        title: part(7).to_owned(),
        alternate: part(4) == "1",
        ..Capture::default()
    }
}

fn write(folder: &Path, text: &str, meta: &CaseMeta) {
    fs::create_dir_all(folder).expect("the case's folder");
    fs::write(folder.join("screen.ansi"), text).expect("the screen");
    let meta = serde_json::to_string_pretty(meta).expect("JSON") + "\n";
    fs::write(folder.join("meta.json"), meta).expect("what was seen");
}
