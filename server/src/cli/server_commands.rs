//! `ls`, `pair` and `devices`: asked of the running server, told to a person or a script.

use anyhow::bail;
use shared_types::{Command, Device, Millis, PairingOffer, PromptKind, ReplyData, Session, SessionState};

use super::{DevicesAction, local::LocalServer};
use crate::{
    clock::now_millis,
    config::{Flags, Settings},
    say,
};

pub(super) async fn list(json: bool, flags: Flags) -> anyhow::Result<()> {
    let settings = Settings::load(&flags)?;
    let server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let snapshot = server.snapshot;
    if json {
        let value = serde_json::json!({ "sessions": snapshot.sessions, "prompts": snapshot.prompts });
        say::line(&value.to_string());
        return Ok(());
    }
    if snapshot.sessions.is_empty() {
        say::line("no sessions yet: start one with `answerback run demo`");
    }
    for session in &snapshot.sessions {
        let (name, folder) = (say::plain(&session.name), say::plain(&session.folder));
        say::line(&format!("{:<10} {name:<24} {:<28} {folder}", adapter(session), state(session)));
        let waiting = snapshot.prompts.iter().filter(|pending| pending.prompt.session_id == Some(session.id));
        for pending in waiting {
            let prompt = &pending.prompt;
            let what =
                if prompt.kind == PromptKind::Unrecognized { "a screen that waits" } else { prompt.title.as_str() };
            say::line(&format!("{:<10} asks: {}", "", say::plain(what)));
        }
    }
    Ok(())
}

pub(super) async fn pair(json: bool, flags: Flags) -> anyhow::Result<()> {
    let settings = Settings::load(&flags)?;
    let mut server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let ReplyData::Pairing { offer } = server.request(Command::Pair).await? else { bail!("an answer of another kind") };
    if json {
        say::line(&serde_json::to_string(&offer)?);
    } else {
        show_offer(&offer);
    }
    Ok(())
}

/// A pairing code as a picture and in words.
pub(super) fn show_offer(offer: &PairingOffer) {
    if let Some(url) = offer.urls.first() {
        if let Some(picture) = say::qr(url) {
            say::line(&picture);
        }
        say::line(&format!("  Scan it, or open   {url}"));
    }
    for url in offer.urls.iter().skip(1) {
        say::line(&format!("  or                 {url}"));
    }
    let minutes = offer.expires_at.saturating_sub(now_millis()).div_ceil(60_000);
    say::line(&format!("  Pairing code       {}   (good once, for {minutes} minutes)", offer.code));
    if let Some(fingerprint) = &offer.fingerprint {
        // In two halves, so that it fits a narrow terminal.
        let (first, second) = fingerprint.split_at(fingerprint.len() / 2 + 1);
        say::line(&format!("  Certificate        {first}"));
        say::line(&format!("  (SHA-256)          {second}"));
    }
}

pub(super) async fn devices(action: Option<DevicesAction>, json: bool, flags: Flags) -> anyhow::Result<()> {
    let settings = Settings::load(&flags)?;
    let mut server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let ReplyData::Devices { devices } = server.request(Command::Devices).await? else {
        bail!("an answer of another kind")
    };
    match action {
        None if json => say::line(&serde_json::to_string(&devices)?),
        None if devices.is_empty() => say::line("no devices are paired: `answerback pair` shows a code"),
        None => {
            for device in &devices {
                let id = short_id(device);
                say::line(&format!("{id}  {:<30} last seen {}", device.name, ago(device.last_seen_at)));
            }
        }
        Some(DevicesAction::Revoke { device }) => {
            let chosen = choose(&devices, &device)?;
            server.request(Command::Revoke { device_id: chosen.id }).await?;
            say::line(&format!("revoked {}", chosen.name));
        }
    }
    Ok(())
}

fn choose<'a>(devices: &'a [Device], wanted: &str) -> anyhow::Result<&'a Device> {
    let matching: Vec<&Device> =
        devices.iter().filter(|device| device.name == wanted || short_id(device).starts_with(wanted)).collect();
    match matching.as_slice() {
        [device] => Ok(device),
        [] => bail!("there is no device called {wanted}: see `answerback devices`"),
        _ => bail!("several devices are called {wanted}: use the id from `answerback devices`"),
    }
}

/// The end of the id: its beginning is the time of pairing and much the same for all.
fn short_id(device: &Device) -> String {
    let id = device.id.0.simple().to_string();
    id.get(24..).unwrap_or(&id).to_owned()
}

fn adapter(session: &Session) -> String {
    format!("{:?}", session.adapter).to_lowercase()
}

fn state(session: &Session) -> String {
    let since = ago(session.state_since);
    match &session.state {
        SessionState::Starting { .. } => "starting".to_owned(),
        SessionState::Ready => "ready".to_owned(),
        SessionState::Busy { .. } => format!("busy since {since}"),
        SessionState::Waiting => format!("WAITS FOR YOU since {since}"),
        SessionState::Unreachable { .. } => "unreachable".to_owned(),
        SessionState::Ended { .. } => format!("ended {since}"),
    }
}

fn ago(at: Millis) -> String {
    match now_millis().saturating_sub(at) / 1000 {
        0..60 => "just now".to_owned(),
        seconds @ 60..3600 => format!("{} min ago", seconds / 60),
        seconds @ 3600..86_400 => format!("{} h ago", seconds / 3600),
        seconds => format!("{} days ago", seconds / 86_400),
    }
}
