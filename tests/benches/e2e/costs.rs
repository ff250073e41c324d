//! What the server costs while nothing happens, how soon it answers, and what the first page weighs.

use std::{fs, net::TcpListener, time::Duration};

use answerback_tests::{Server, http};
use tokio::{net::TcpStream, process::Command, time::sleep};

use crate::{
    figures::{Times, now},
    player::PARTS,
    stage::{Stage, since},
};

/// How long after the last start it is idle: what was just drawn is kept and looked for a few more times.
const COME_TO_REST: Duration = Duration::from_secs(12);
/// How long idleness is measured.
const IDLE: Duration = Duration::from_secs(20);
/// How often the start is measured.
const STARTS: usize = 20;
/// The kernel counts processor time in these.
const TICKS_A_SECOND: f64 = 100.0;

pub(crate) async fn measure() {
    let mut stage = Stage::new(&[]).await;
    println!("| sessions | memory of the server | its processor time while idle, share of a core |");
    println!("|---|---|---|");
    let mut actors = Vec::new();
    for sessions in [0, 1, 10, 50] {
        while actors.len() < sessions {
            actors.push(stage.start(PARTS[actors.len() % PARTS.len()].name).await);
        }
        sleep(COME_TO_REST).await;
        let process = stage.server.process_id();
        let before = processor_seconds(process);
        sleep(IDLE).await;
        let share = (processor_seconds(process) - before) / IDLE.as_secs_f64();
        println!("| {sessions} | {:.1} MB | {:.2} % |", memory(process), share * 100.0);
    }
    println!("\n| first page | brotli |\n|---|---|");
    let mut sum = 0;
    for (path, bytes) in first_page(&stage.server).await {
        println!("| {path} | {:.1} KB |", bytes as f64 / 1000.0);
        sum += bytes;
    }
    println!("| **all** | {:.1} KB |", sum as f64 / 1000.0);
    let mut starts = Times::default();
    for _ in 0..STARTS {
        starts.add(start(&stage.server).await);
    }
    println!(
        "\nStart to the first answer over HTTP: p50 {:.0} ms, p99 {:.0} ms ({STARTS} starts)",
        starts.at(0.5),
        starts.at(0.99)
    );
}

/// Resident memory in megabytes.
pub(crate) fn memory(process: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("the server runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") / 1000.0
}

pub(crate) fn processor_seconds(process: u32) -> f64 {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).expect("the server runs");
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    let ticks = |at: usize| fields[at].parse::<f64>().expect("ticks");
    (ticks(11) + ticks(12)) / TICKS_A_SECOND
}

/// What the browser must load before the page is there.
async fn first_page(server: &Server) -> Vec<(String, usize)> {
    let host = server.address.to_string();
    let headers = [("host", host.as_str()), ("accept-encoding", "br")];
    let plain = http(server.address, "GET", "/", &headers[..1], "").await.body;
    let named = plain.split('"').filter(|word| word.starts_with("/assets/")).map(str::to_owned);
    let mut found = Vec::new();
    for path in std::iter::once("/".to_owned()).chain(named) {
        let reply = http(server.address, "GET", &path, &headers, "").await;
        let length = reply.header("content-length").and_then(|length| length.parse().ok());
        found.push((path, length.expect("a length")));
    }
    found
}

/// Starts a second server with nothing in it, and waits for its first answer.
async fn start(like: &Server) -> f64 {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
    let home = tempfile::tempdir().expect("a folder");
    let tmux = format!("ab-bench-{}", now());
    let mut command = Command::from(like.command("serve"));
    command
        .args(["--port", &free.port().to_string()])
        .env("ANSWERBACK_DATA_DIR", home.path())
        .env("ANSWERBACK_TMUX", &tmux);
    command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::null()).kill_on_drop(true);
    let began = now();
    let mut server = command.spawn().expect("the server starts");
    while TcpStream::connect(free).await.is_err() {
        sleep(Duration::from_micros(500)).await;
    }
    let host = free.to_string();
    assert_eq!(http(free, "GET", "/", &[("host", &host)], "").await.status, 200);
    let took = since(began);
    server.kill().await.expect("it ends");
    let mut ending = Command::from(like.command("tmux"));
    ending.arg("kill-server").env("ANSWERBACK_DATA_DIR", home.path()).env("ANSWERBACK_TMUX", &tmux);
    let _ = ending.output().await;
    took
}
