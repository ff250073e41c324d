//! `serve`: the server in this terminal, until Ctrl-C.

use std::{
    io::{self, IsTerminal as _, Stderr, Write},
    sync::Arc,
};

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
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

/// The signal of a file that outgrows a limit; the same number on Linux and macOS.
const SIGXFSZ: i32 = 25;
/// How many files may be open: all strangers the door has room for, and as many devices and files of sessions again.
const FILES: u64 = 8192;

pub(super) async fn serve(flags: &Flags) -> anyhow::Result<()> {
    let settings = Settings::load(flags)?;
    tracing_subscriber::fmt()
        .with_env_filter(log_filter())
        .with_writer(|| Forgiving(std::io::stderr()))
        .with_ansi(std::io::stderr().is_terminal())
        .init();
    settings.paths.create()?;
    raise_file_limit();
    let terminal = TmuxTerminal::new(&settings.tmux, &settings.paths).with_program(std::env::current_exe()?);
    let tmux = TmuxTerminal::found().await?;
    let stop = CancellationToken::new();
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    // Where files may not grow any more that is an error like a full disk, and not the end of us.
    let _file_limit = signal(SignalKind::from_raw(SIGXFSZ))?;
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
    serve::serve(settings, Arc::new(terminal), stop, move |started| tell(&told, &tmux, started)).await?;
    say::line("Stopped. Your sessions run on; start Answerback again to take them up.");
    Ok(())
}

/// Many systems let a program open 1024 files unless it asks for more: fewer than a crowd of phones takes.
fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    // No limit at all counts as the highest.
    let wanted = limit.maximum.unwrap_or(FILES).min(FILES);
    if limit.current.is_some_and(|current| current < wanted)
        && let Err(error) = setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum: limit.maximum })
    {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
}

/// The log, as far as it can be written. On a full disk a line that cannot be is not worth the task that says it.
struct Forgiving(Stderr);

impl Write for Forgiving {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = self.0.write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let _ = self.0.flush();
        Ok(())
    }
}

/// What is logged, as `ANSWERBACK_LOG` says, or else `RUST_LOG`. The libraries below the socket would write down whole frames, passwords and all: they
/// are held to what is harmless, whatever it says.
fn log_filter() -> EnvFilter {
    let wished = EnvFilter::try_from_env("ANSWERBACK_LOG").or_else(|_| EnvFilter::try_from_default_env());
    let wished = wished.unwrap_or_else(|_| EnvFilter::new("warn"));
    let held =
        ["axum=info", "hyper=info", "hyper_util=info", "rustls=info", "tungstenite=info", "tokio_tungstenite=info"];
    held.iter().filter_map(|directive| directive.parse().ok()).fold(wished, EnvFilter::add_directive)
}

fn tell(settings: &Settings, tmux: &str, started: &Started) {
    let port = started.address.port();
    if started.moved {
        say::line(&format!("Port {} is busy, so Answerback listens on {port}.", settings.port));
        if settings.is_loopback() && !settings.allowed_hosts.is_empty() {
            say::line(&format!("Tailscale or the tunnel must be told to lead to {port} now."));
        }
    }
    // A code is as good as a key, and what is not a terminal is a journal or a file that others may read.
    if io::stdout().is_terminal() {
        match started.offer() {
            Ok(offer) => show_offer(&offer),
            Err(error) => say::line(&format!("There is no pairing code: {error}")),
        }
        say::line("");
    } else {
        say::line("`answerback pair` on a terminal of this machine shows a code for your phone.");
        if let Some(fingerprint) = started.fingerprint() {
            say::line(&format!("Certificate (SHA-256) {fingerprint}"));
        }
    }
    say::line(&format!("Sessions run in {tmux}."));
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
