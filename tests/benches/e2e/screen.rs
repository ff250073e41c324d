//! A prompt that is only drawn: from its last byte to the phone's socket, and from the answer to the first key. Beside the poller.

use std::time::Duration;

use tokio::time::sleep;

use crate::{
    figures::{Times, between, now},
    player::{PARTS, marked},
    poller::Poller,
    stage::Stage,
};

/// How long the person reads. Claude Code takes no keys in the first second of a dialog, which is not ours to measure.
const READ: Duration = Duration::from_millis(1200);

pub(crate) async fn measure(rounds: usize) {
    // The hooks are switched off: here the screen alone tells.
    let mut stage = Stage::new(&["--hooks=false"]).await;
    let mut actors = Vec::new();
    for part in &PARTS {
        actors.push(stage.start(part.name).await);
    }
    let panes = actors.iter().map(|actor| actor.pane.clone()).collect();
    let mut poller = Poller::start(stage.server.tmux_socket().into(), panes);
    println!(
        "| the screen tells | rounds | prompt on the phone p50 | p99 | poller p50 | p99 | answer to first key p50 | p99 |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    let (mut all, mut all_polled, mut all_keys) = (Times::default(), Times::default(), Times::default());
    for actor in &mut actors {
        let (mut shown, mut polled, mut keys) = (Times::default(), Times::default(), Times::default());
        for number in 1..=rounds {
            // At any moment between two looks of the poller.
            sleep(Duration::from_millis(now() / 1000 % 500)).await;
            let drawn = actor.ask(number).await;
            let (prompt, there) = actor.shown(&mut stage.phone, number).await;
            shown.add(between(drawn, there));
            polled.add(between(drawn, poller.saw(&actor.pane, &marked(number)).await));
            sleep(READ).await;
            let sent = actor.allow(&mut stage.phone, &prompt).await;
            keys.add(between(sent, actor.key().await));
            stage.phone.wait_closed(prompt.request_id).await;
            stage.phone.wait_ready(actor.session).await;
        }
        row(actor.part.name, &shown, &polled, &keys);
        all.join(&shown);
        all_polled.join(&polled);
        all_keys.join(&keys);
    }
    row("all", &all, &all_polled, &all_keys);
    println!("\nThe poller takes {:.0} times as long (p50).\n", all_polled.at(0.5) / all.at(0.5));
}

fn row(name: &str, shown: &Times, polled: &Times, keys: &Times) {
    println!("| {name} | {} | {} | {} | {} |", shown.len(), shown.cells(), polled.cells(), keys.cells());
}
