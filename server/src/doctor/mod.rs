//! Looks whether everything is in place, and says what to do about what is not. Asked by `answerback doctor` and by the page.

mod faults;

use std::{
    fs,
    net::TcpListener,
    path::{Path, PathBuf},
};

use adapters::{Profile, all_adapters};
use shared_types::{Command, Finding, NotifyCommand, NotifyStatus, ReplyData, Verdict};

pub(crate) use faults::{Fault, faults, server_runs};

use crate::{
    cli::local::{LocalServer, NoServer},
    config::Settings,
    pane::TmuxTerminal,
    programs,
    service::Manager,
};

/// All that was found, with these settings.
pub async fn findings(settings: &Settings) -> Vec<Finding> {
    let mut findings = vec![finding("configuration", Verdict::Good, "read without mistakes")];
    look_around(settings, &mut findings).await;
    findings.extend(clis().await);
    findings
}

/// What was found of the CLIs, which needs no settings. All are asked at once: each takes a while to start.
pub async fn clis() -> Vec<Finding> {
    let asked: Vec<_> = all_adapters().map(|adapter| tokio::spawn(cli(adapter.profile()))).collect();
    let mut findings = Vec::new();
    for asked in asked {
        findings.extend(asked.await.ok().flatten());
    }
    findings
}

async fn look_around(settings: &Settings, findings: &mut Vec<Finding>) {
    findings.push(match TmuxTerminal::found().await {
        Ok(version) => finding("tmux", Verdict::Good, &version),
        Err(error) => finding("tmux", Verdict::Bad, &error.to_string()),
    });
    let server = LocalServer::connect(&settings.paths.control_socket()).await;
    let running = !matches!(&server, Err(error) if error.is::<NoServer>());
    findings.push(match &server {
        Ok(_) => finding("server", Verdict::Good, "runs and answers"),
        Err(error) if running => finding("server", Verdict::Bad, &error.to_string()),
        Err(_) => finding("server", Verdict::Note, "does not run: start it with `answerback`"),
    });
    let mut server = server.ok();
    findings.push(match TcpListener::bind((settings.host, settings.port)) {
        Ok(_) => finding("port", Verdict::Good, &format!("{} is free", settings.port)),
        Err(_) if running => {
            finding("port", Verdict::Good, &format!("{} is in use, probably by our server", settings.port))
        }
        Err(error) => {
            finding("port", Verdict::Note, &format!("{}: {error}; the next free one is taken", settings.port))
        }
    });
    let faults = faults(settings);
    // What is missing or open to others is told once: as the fault it is.
    let data = data_folder(&settings.paths.data);
    findings.extend(faults.iter().all(|fault| fault.what != data.what).then_some(data));
    findings.extend(faults.iter().map(|fault| {
        finding(&fault.what, fault.verdict, &format!("{}: `answerback doctor --fix` puts it right", fault.detail))
    }));
    findings.extend(missing_folders(&settings.folders));
    findings.extend(service());
    if let Some(server) = &mut server
        && let Ok(ReplyData::Notify { status }) =
            server.request(Command::Notify { notify: NotifyCommand::Status }).await
    {
        findings.push(notifications(&status));
    }
}

/// Whether anybody is told of prompts, and whether the last messages were taken.
fn notifications(status: &NotifyStatus) -> Finding {
    let what = "notifications";
    let failed = status.targets.iter().find_map(|target| {
        let last = target.last.as_ref().filter(|last| !last.taken)?;
        Some(format!("{}: {}", target.name, last.detail))
    });
    let trouble = status.telegram.as_ref().and_then(|telegram| telegram.trouble.as_ref());
    let failed = failed.or_else(|| trouble.map(|trouble| format!("Telegram: {trouble}")));
    match (status.targets.len(), failed) {
        (0, None) => finding(what, Verdict::Note, "nobody is told while the page is closed: see its settings"),
        (_, Some(failed)) => finding(what, Verdict::Note, &failed),
        (count, None) => finding(what, Verdict::Good, &format!("{count} told while the page is closed")),
    }
}

fn data_folder(folder: &Path) -> Finding {
    let what = "data folder";
    if rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_err() {
        return finding(what, Verdict::Bad, &format!("{} cannot be written", folder.display()));
    }
    finding(what, Verdict::Good, &folder.display().to_string())
}

/// The folders that the person named, where there are none such.
fn missing_folders(folders: &[PathBuf]) -> impl Iterator<Item = Finding> {
    folders.iter().filter(|folder| !folder.is_dir()).map(|folder| {
        let detail = "no such folder: make it, or take it out of `folders` in the configuration";
        finding(&folder.to_string_lossy(), Verdict::Note, detail)
    })
}

/// The files of a service that would start a program which is not there any more.
fn service() -> Option<Finding> {
    let manager = Manager::of_this_system();
    let texts = manager.paths(&std::env::home_dir()?).into_iter().filter_map(|path| fs::read_to_string(path).ok());
    let missing = texts.filter_map(|text| manager.program_in(&text)).find(|program| !program.exists())?;
    let detail =
        format!("it would start {}, which is gone: `answerback service install` writes it anew", missing.display());
    Some(finding("service", Verdict::Bad, &detail))
}

async fn cli(profile: &'static Profile) -> Option<Finding> {
    if profile.program.is_empty() {
        return None;
    }
    let Some(path) = programs::find_in(profile.program, Path::new("/")) else {
        return Some(finding(profile.name, Verdict::Note, "not installed"));
    };
    let Some(version) = programs::version_of(&path).await else {
        let detail = format!("{} does not say its version", path.display());
        return Some(finding(profile.name, Verdict::Note, &detail));
    };
    let covered = if profile.tested_versions.contains(&version.as_str()) {
        "covered by the tests".to_owned()
    } else {
        format!("not among the tested versions ({})", profile.tested_versions.join(", "))
    };
    Some(finding(profile.name, Verdict::Good, &format!("{version} at {}, {covered}", path.display())))
}

/// One thing that was found.
pub(crate) fn finding(what: &str, verdict: Verdict, detail: &str) -> Finding {
    Finding { what: what.to_owned(), verdict, detail: detail.to_owned() }
}
