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
    /// Make a code that pairs one Telegram chat
    Pair,
    /// Remove a paired Telegram chat
    Remove {
        /// Its name, as `notify status` shows it
        chat: String,
    },
}

pub(super) async fn notify(action: NotifyAction, flags: Flags) -> anyhow::Result<()> {
    let settings = Settings::load(&flags)?;
    let mut server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let (json, is_test) = match action {
        NotifyAction::Status { json } => (json, false),
        NotifyAction::Test { json } => (json, true),
        NotifyAction::Pair => return pair(&mut server).await,
        NotifyAction::Remove { chat } => return remove(&mut server, &chat).await,
    };
    let status = ask(&mut server, if is_test { NotifyCommand::Test } else { NotifyCommand::Status }).await?;
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

async fn ask(server: &mut LocalServer, notify: NotifyCommand) -> anyhow::Result<NotifyStatus> {
    match server.request(Command::Notify { notify }).await? {
        ReplyData::Notify { status } => Ok(status),
        _ => bail!("an answer of another kind"),
    }
}

async fn pair(server: &mut LocalServer) -> anyhow::Result<()> {
    let notify = NotifyCommand::OfferChat;
    let ReplyData::Chat { offer } = server.request(Command::Notify { notify }).await? else {
        bail!("an answer of another kind")
    };
    say::line(&format!("send this to your bot within ten minutes:  /start {}", offer.code));
    if let Some(link) = &offer.link {
        say::line(&format!("or open this where Telegram is:            {link}"));
    }
    Ok(())
}

async fn remove(server: &mut LocalServer, name: &str) -> anyhow::Result<()> {
    let status = ask(server, NotifyCommand::Status).await?;
    let named = |target: &&NotifyTarget| target.chat.is_some() && target.name == name;
    let chats: Vec<_> = status.targets.iter().filter(named).filter_map(|target| target.chat.clone()).collect();
    let [chat] = &chats[..] else {
        bail!(
            "{} paired chats are called {name}: see `answerback notify status`, or remove it on the page",
            chats.len()
        );
    };
    ask(server, NotifyCommand::RemoveChat { chat: chat.clone() }).await?;
    say::line("removed");
    Ok(())
}

fn show(status: &NotifyStatus) {
    if status.targets.is_empty() {
        say::line("nobody is told: open the page on a phone, then Settings, Notifications");
    }
    if let Some(telegram) = &status.telegram {
        let bot = telegram.bot.as_ref().map_or_else(|| "not answering yet".to_owned(), |bot| format!("@{bot}"));
        let trouble = telegram.trouble.as_ref().map(|trouble| format!(": {}", say::plain(trouble))).unwrap_or_default();
        say::line(&format!("the Telegram bot is {}{trouble}", say::plain(&bot)));
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
