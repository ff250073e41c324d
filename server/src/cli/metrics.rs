//! `metrics`: what is counted of the running server, as text for Prometheus.

use anyhow::bail;
use shared_types::{Command, ReplyData};

use super::local::LocalServer;
use crate::{
    config::{Flags, Settings},
    say,
};

pub(super) async fn metrics(flags: Flags) -> anyhow::Result<()> {
    let settings = Settings::load(&flags)?;
    let mut server = LocalServer::connect(&settings.paths.control_socket()).await?;
    let ReplyData::Metrics { text } = server.request(Command::Metrics).await? else {
        bail!("an answer of another kind")
    };
    say::line(text.trim_end());
    Ok(())
}
