//! `notify`: who is told of prompts, and whether that works.

use anyhow::bail;
use clap::Subcommand;
use shared_types::{Command, Millis, NotifyCommand, NotifyStatus, NotifyTarget, ReplyData};

use super::local::LocalServer;
use crate::{
    clock::now_millis,
    config::{Flags, Settings},
    say,
};

#[derive(Debug, Subcommand)]
pub(super) enum NotifyAction {
    /// List who is told, through whom, and what became of the last message
    Status {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
    },
    /// Send a test to everybody who is told, and say what became of it
    Test {
        /// One JSON object, for scripts
        #[arg(long)]
        json: bool,
    },
}

pub(super) async fn notify(action: NotifyAction, flags: Flags) -> anyhow::Result<()> {
    let (json, notify) = match action {
        NotifyAction::Status { json } => (json, NotifyCommand::Status),
        NotifyAction::Test { json } => (json, NotifyCommand::Test),
    };
    let is_test = notify == NotifyCommand::Test;
    let settings = Settings::load(&flags)?;
    let mut server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let ReplyData::Notify { status } = server.request(Command::Notify { notify }).await? else {
        bail!("an answer of another kind")
    };
    if json {
        say::line(&serde_json::to_string(&status)?);
    } else {
        show(&status);
    }
    let failed = |target: &NotifyTarget| target.last.as_ref().is_none_or(|last| !last.taken);
    if is_test && status.targets.iter().any(failed) {
        bail!("not everybody was reached");
    }
    Ok(())
}

fn show(status: &NotifyStatus) {
    if status.targets.is_empty() {
        say::line("nobody is told: open the page on a phone, then Settings, Notifications");
    }
    for target in &status.targets {
        let age = days(target.since);
        let name = say::plain(&target.name);
        say::line(&format!("{:<10} {name:<24} through {}, {age}", target.channel, target.host));
        if let Some(last) = &target.last {
            let status = last.status.map(|status| format!(" ({status})")).unwrap_or_default();
            say::line(&format!("{:<10} {}{status}", "", say::plain(&last.detail)));
        }
        if let Some(held) = &target.held {
            say::line(&format!("{:<10} held back now: {held}", ""));
        }
    }
}

fn days(since: Millis) -> String {
    match now_millis().saturating_sub(since) / 86_400_000 {
        0 => "since today".to_owned(),
        1 => "since yesterday".to_owned(),
        days => format!("for {days} days"),
    }
}
