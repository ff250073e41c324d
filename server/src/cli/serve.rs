//! `serve`: the server in this terminal, until Ctrl-C.

use std::{io::IsTerminal as _, sync::Arc};

use tokio::signal::unix::{SignalKind, signal};
use tokio_util::sync::CancellationToken;
use tracing_subscriber::EnvFilter;

use super::server_commands::show_offer;
use crate::{
    config::{Flags, Settings, Tls},
    pane::TmuxTerminal,
    say,
    serve::{self, Started},
};

pub(super) async fn serve(flags: &Flags) -> anyhow::Result<()> {
    let settings = Settings::load(flags)?;
    tracing_subscriber::fmt()
        .with_env_filter(log_filter())
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    settings.paths.create()?;
    let terminal = TmuxTerminal::new(&settings.tmux, &settings.paths.runtime);
    terminal.version().await?;
    let stop = CancellationToken::new();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    tokio::spawn({
        let stop = stop.clone();
        async move {
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
            stop.cancel();
        }
    });
    let told = settings.clone();
    serve::serve(settings, Arc::new(terminal), stop, move |started| tell(&told, started)).await?;
    say::line("Stopped. Your sessions run on; start Answerback again to take them up.");
    Ok(())
}

/// What is logged, as `ANSWERBACK_LOG` says. The libraries below the socket would write down whole frames, passwords and all: they
/// are held to what is harmless, whatever it says.
fn log_filter() -> EnvFilter {
    let wished = EnvFilter::try_from_env("ANSWERBACK_LOG").unwrap_or_else(|_| EnvFilter::new("warn"));
    let held =
        ["axum=info", "hyper=info", "hyper_util=info", "rustls=info", "tungstenite=info", "tokio_tungstenite=info"];
    held.iter().filter_map(|directive| directive.parse().ok()).fold(wished, EnvFilter::add_directive)
}

fn tell(settings: &Settings, started: &Started) {
    let port = started.address.port();
    if started.moved {
        say::line(&format!("Port {} is busy, so Answerback listens on {port}.", settings.port));
    }
    show_offer(&started.offer);
    say::line("");
    let first = started.addresses.first().map(String::as_str).unwrap_or_default();
    say::line(&format!("Answerback runs at {first}   (Ctrl-C stops it, your sessions run on)"));
    if settings.is_loopback() && settings.allowed_hosts.is_empty() {
        say::line(
            "Only this machine can open it. For your phone: --lan --tls on the same network, or Tailscale or a tunnel",
        );
        say::line("with --allowed-host NAME; the README says how.");
    } else if !settings.is_loopback() && settings.tls == Tls::Off {
        say::line("Careful: without --tls everybody on this network can read along.");
    }
}
