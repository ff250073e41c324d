//! The long run: many busy sessions, many phones, prompts all the time. Is memory flat, and do prompts still arrive at once?

use std::{
    collections::HashMap,
    net::SocketAddr,
    time::{Duration, Instant},
};

use answerback_tests::Client;
use shared_types::{Command, Credential, Event, PromptResponse, ServerMessage, SessionId};
use tokio::{
    sync::mpsc,
    task::JoinSet,
    time::{interval, sleep},
};

use crate::{
    costs::{memory, processor_seconds},
    figures::{Times, between, machine, now},
    player::{PARTS, marked},
    stage::{Actor, Stage},
};

/// How often a busy CLI redraws its spinner.
const REDRAW: Duration = Duration::from_millis(200);
/// Redraws between two prompts of a session; each session a little more than the one before.
const REDRAWS: usize = 60;
/// How often the table gets a row.
const ROW: Duration = Duration::from_secs(60);

/// What the run is told while it goes on.
enum Note {
    /// A prompt's last byte.
    Drawn(String, u64),
    /// A prompt in a phone's socket.
    Shown(String, u64),
    /// A phone lost its connection.
    Dropped,
}

pub(crate) async fn run(minutes: usize, sessions: usize, phones: usize) {
    println!("{}\n{sessions} busy sessions, {phones} phones, {minutes} minutes\n", machine());
    let mut stage = Stage::new(&["--hooks=false"]).await;
    let mut actors = Vec::new();
    for number in 0..sessions {
        actors.push(stage.start(PARTS[number % PARTS.len()].name).await);
    }
    let (notes, mut told) = mpsc::unbounded_channel();
    let mut tasks = JoinSet::new();
    for number in 0..phones {
        let answers = actors.get(number).map(|actor| (actor.session, actor.part.yes));
        let (address, credential, notes) = (stage.server.address, stage.phone.credential.clone(), notes.clone());
        tasks.spawn(async move {
            phone(address, credential, answers, &notes).await;
            let _ = notes.send(Note::Dropped);
        });
    }
    for (number, actor) in actors.into_iter().enumerate() {
        tasks.spawn(work(actor, number, notes.clone()));
    }
    let process = stage.server.process_id();
    let ends = Instant::now() + Duration::from_secs(60 * minutes as u64);
    let mut rows = interval(ROW);
    rows.tick().await;
    let (mut drawn, mut shown) = (HashMap::new(), Vec::new());
    let (mut all, mut dropped, mut prompts, mut minute) = (Times::default(), 0, 0, 0);
    let mut busy_until_now = processor_seconds(process);
    println!("| minute | memory | a core | prompts | to a phone's socket p50 | p99 |\n|---|---|---|---|---|---|");
    while Instant::now() < ends || minute < minutes {
        tokio::select! {
            Some(note) = told.recv() => match note {
                Note::Drawn(mark, moment) => { drawn.insert(mark, moment); prompts += 1; }
                Note::Shown(mark, moment) => shown.push((mark, moment)),
                Note::Dropped => dropped += 1,
            },
            _ = rows.tick() => {
                minute += 1;
                let mut times = Times::default();
                // One whose last byte is not told yet waits for the next row.
                shown.retain(|(mark, moment)| match drawn.get(mark) {
                    Some(from) => { times.add(between(*from, *moment)); false }
                    None => true,
                });
                let busy = processor_seconds(process);
                let share = (busy - busy_until_now) / ROW.as_secs_f64() * 100.0;
                busy_until_now = busy;
                println!("| {minute} | {:.1} MB | {share:.0} % | {prompts} | {} |", memory(process), times.cells());
                all.join(&times);
                prompts = 0;
            }
        }
    }
    println!(
        "\nOver all {} arrivals: p50 {:.1} ms, p99 {:.1} ms; {dropped} phones lost their connection",
        all.len(),
        all.at(0.5),
        all.at(0.99)
    );
}

/// Redraws, asks, waits for the key, and so on.
async fn work(mut actor: Actor, session: usize, notes: mpsc::UnboundedSender<Note>) {
    for round in 0.. {
        for step in 0..REDRAWS + session {
            actor.say(&format!("busy {step}")).await;
            sleep(REDRAW).await;
        }
        let number = session * 1000 + round % 1000;
        let moment = actor.ask(number).await;
        let _ = notes.send(Note::Drawn(marked(number), moment));
        actor.key().await;
    }
}

/// A phone that notes each prompt, and answers those of one session.
async fn phone(
    address: SocketAddr,
    credential: Credential,
    answers: Option<(SessionId, &'static str)>,
    notes: &mpsc::UnboundedSender<Note>,
) {
    let mut client = Client::connect(address, &credential).await.expect("connect");
    client.hello(None).await.expect("send");
    while let Ok(text) = client.next_text().await {
        let moment = now();
        // Most of what comes is not about prompts; reading it all in 200 phones would only measure this program.
        if !text.contains("\"type\":\"prompt\"") {
            continue;
        }
        let Ok(ServerMessage::Event(event)) = serde_json::from_str(&text) else { continue };
        let Event::Prompt { prompt } = event.event else { continue };
        let input = prompt.tool_input.as_ref().map(ToString::to_string).unwrap_or_default();
        let Some(mark) = crate::poller::mark_in(&input) else { continue };
        let _ = notes.send(Note::Shown(mark, moment));
        let Some((session, yes)) = answers.filter(|(session, _)| prompt.session_id == Some(*session)) else { continue };
        let option = prompt.options.iter().flatten().find(|option| option.label == yes);
        let value = option.unwrap_or_else(|| panic!("{session:?} has no row {yes:?}")).value.clone();
        let response = PromptResponse { selected_option: Some(value), ..PromptResponse::to(prompt.request_id) };
        if client.begin(Command::Respond { response }).await.is_err() {
            return;
        }
    }
}
