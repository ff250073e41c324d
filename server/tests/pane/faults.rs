//! What programs, people and crashes can do to the connection, and that it holds or comes back.

use std::{
    path::Path,
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use adapters::{Keystroke, Screen};
use answerback::pane::{Generation, Pane, PaneError, Press, Terminal};
use shared_types::SessionId;
use uuid::Uuid;

use crate::desk::{Desk, LIMIT, LOOK_AGAIN, is_gone, plain, press, shows, shows_text, wait_until};

/// The process of our control client.
fn control_client(desk: &Desk) -> String {
    found_control_client(desk).expect("a control client")
}

fn found_control_client(desk: &Desk) -> Option<String> {
    let clients = desk.tmux(&["list-clients", "-F", "#{client_control_mode} #{client_pid}"]);
    Some(clients.lines().find_map(|line| line.strip_prefix("1 "))?.to_owned())
}

/// Waits without giving this thread back.
fn wait_held_up(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < LIMIT, "waited {LIMIT:?} until {what}");
        std::thread::sleep(LOOK_AGAIN);
    }
}

/// Waits for a reason to look, without looking.
async fn is_drawn(pane: &dyn Pane, what: &str, cause: impl FnOnce()) {
    let mut drawn = pane.drawn();
    drawn.borrow_and_update();
    cause();
    tokio::time::timeout(LIMIT, drawn.changed())
        .await
        .unwrap_or_else(|_| panic!("nothing drawn: {what}"))
        .expect("drawn");
}

fn signal(name: &str, pid: &str) {
    assert!(Command::new("kill").args([name, pid]).status().expect("kill").success());
}

#[tokio::test]
async fn hostile_bytes_do_no_harm() {
    let desk = Desk::new();
    let other = desk.shell("echo untouched; cat").await;
    shows_text(&*other, "untouched").await;
    let client = control_client(&desk);

    let mut soup: Vec<u8> = (0..=255).collect();
    let mut state: u64 = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..200_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        soup.push((state >> 56) as u8);
    }
    soup.extend_from_slice(&b"\x1b[999999999;999999999H\x1b[?2004h\x1b]0;\xff\xfe\x07\x1bP\x1b_".repeat(2000));
    soup.extend_from_slice("\r\n\u{1f468}\u{200d}\u{1f469}\u{300}\u{301}".repeat(500).as_bytes());
    std::fs::write(desk.path("soup"), &soup).expect("soup");
    let lines = "%%end 1 1 1\\n%%exit\\n%%begin 1 1 1\\n%%error 1 1 1\\n%%output %%0 x\\n\\n%%client-detached x\\n";
    let pane = desk.shell(&format!("cat soup; printf '\\033c'; printf '{lines}'; echo over; cat")).await;
    let capture = shows_text(&*pane, "over").await;
    assert!(plain(&capture).starts_with("%end 1 1 1\n%exit\n%begin 1 1 1\n"), "{}", plain(&capture));
    assert_eq!(capture.text.split('\n').count(), 40);

    press(&*pane, &[Keystroke::Text("still typing".into())]).await;
    shows_text(&*pane, "still typing").await;
    shows_text(&*other, "untouched").await;
    assert_eq!(control_client(&desk), client, "the connection was never lost");
}

#[tokio::test]
async fn a_screen_that_guesses_the_end_of_its_own_capture_stays_text() {
    let desk = Desk::new();
    // Every line is the end of a reply of about now, with a number that is about to be used.
    let program = "n=200; while [ $n -lt 8000 ]; do now=$(date +%s); end=$((n + 40)); \
        while [ $n -lt $end ]; do echo \"%end $now $n 1\"; n=$((n + 1)); done; done; echo over; cat";
    let pane = desk.shell(program).await;
    let start = Instant::now();
    loop {
        let capture = pane.capture().await.expect("capture").capture;
        assert_eq!(capture.text.split('\n').count(), 40, "{}", capture.text);
        if plain(&capture).contains("over") {
            break;
        }
        assert!(start.elapsed() < LIMIT, "the program did not finish:\n{}", plain(&capture));
    }
}

#[tokio::test]
async fn a_flood_in_one_pane_leaves_the_other_responsive() {
    let desk = Desk::new();
    let other = desk.shell("stty -echo; while read line; do echo \"got $line\"; done").await;
    shows(&*other, "the program runs", |capture| capture.tty.is_some_and(|tty| !tty.echo)).await;
    // It goes on until this test has what it wants, however long that takes.
    let program = "while [ ! -e enough ]; do yes 'a line of a flood that goes on and on' | head -c 1000000; done; \
        echo; echo the flood is over; cat";
    let flood = desk.shell(program).await;
    for number in 0..20 {
        is_drawn(&*flood, "the flood goes on", || {}).await;
        press(&*other, &[Keystroke::Text(number.to_string()), Keystroke::ENTER]).await;
        shows_text(&*other, &format!("got {number}")).await;
    }
    std::fs::write(desk.path("enough"), "").expect("written");
    shows_text(&*flood, "the flood is over").await;
    // What is drawn after the flood is told as before it.
    is_drawn(&*flood, "after the flood", || {
        desk.tmux(&["send-keys", "-t", &flood.identity().pane, "after"]);
    })
    .await;
    shows_text(&*flood, "after").await;
}

#[tokio::test]
async fn a_reader_that_was_held_up_catches_up() {
    let desk = Desk::new();
    let mark = desk.path("far-behind");
    // tmux holds the program up when nobody takes what it writes, so something beside it says that the time has passed.
    let flood =
        "end=$(($(date +%s) + 4)); while [ $(date +%s) -lt $end ]; do head -c 300000 /dev/zero | tr '\\0' x; done";
    let program = format!("(sleep 2; touch {mark}) & {flood}; echo; echo the flood is over; cat");
    let pane = desk.shell(&program).await;
    // This thread is the only one, so nothing is read until it is given back.
    wait_held_up("it has flooded for two seconds", || Path::new(&mark).exists());
    shows_text(&*pane, "the flood is over").await;
    is_drawn(&*pane, "after the flood", || {
        desk.tmux(&["send-keys", "-t", &pane.identity().pane, "after"]);
    })
    .await;
}

#[tokio::test]
async fn a_killed_control_client_is_replaced() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    let identity = pane.identity();
    for _ in 0..3 {
        let client = control_client(&desk);
        is_drawn(&*pane, "the connection came back", || signal("-9", &client)).await;
        // tmux itself holds the pipes of its client, and goes on to answer until it notices that the client has died.
        wait_until("another client has taken its place", || async {
            found_control_client(&desk).filter(|found| *found != client).ok_or_else(|| "no other client".to_owned())
        })
        .await;
        wait_until("the pane can be captured again", || async {
            pane.capture().await.map(|_| ()).map_err(|error| error.to_string())
        })
        .await;
        is_drawn(&*pane, "output of the pane", || {
            desk.tmux(&["send-keys", "-t", &identity.pane, "x"]);
        })
        .await;
    }
    assert_eq!(pane.identity(), identity);
    shows_text(&*pane, "xxx").await;
}

#[tokio::test]
async fn panes_of_an_ended_server_are_gone_and_a_new_one_is_started() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    is_drawn(&*pane, "the pane is gone", || {
        desk.tmux(&["kill-server"]);
    })
    .await;
    is_gone(&*pane).await;
    assert_eq!(pane.press(&[Keystroke::ENTER], None).await, Press::NotPressed(PaneError::Gone));
    assert_eq!(desk.terminal.find().await.expect("find").len(), 0);

    for _ in 0..3 {
        let next = desk.shell("echo here again; cat").await;
        shows_text(&*next, "here again").await;
        assert_ne!(next.identity(), pane.identity());
        assert_eq!(pane.capture().await, Err(PaneError::Gone), "the same number in another server is another pane");
        // The next one is opened at once, while the server is still going away.
        desk.tmux(&["kill-server"]);
    }
}

#[tokio::test]
async fn a_window_closed_at_the_desk_is_noticed() {
    let desk = Desk::new();
    let pane = desk.shell("cat").await;
    let other = desk.shell("echo here; cat").await;
    is_drawn(&*pane, "the pane is gone", || {
        desk.tmux(&["kill-pane", "-t", &pane.identity().pane]);
    })
    .await;
    is_gone(&*pane).await;
    shows_text(&*other, "here").await;
}

#[tokio::test]
async fn an_ended_hub_is_made_again_with_every_window() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    is_drawn(&*pane, "the connection came back", || {
        desk.tmux(&["kill-session", "-t", "=hub"]);
    })
    .await;
    shows_text(&*pane, "here").await;
    wait_until("output is told again", || async {
        let mut drawn = pane.drawn();
        drawn.borrow_and_update();
        desk.tmux(&["send-keys", "-t", &pane.identity().pane, "x"]);
        let told = tokio::time::timeout(Duration::from_millis(500), drawn.changed()).await;
        told.map_err(|_| "nothing drawn".to_owned())?.map_err(|error| error.to_string())
    })
    .await;
}

#[tokio::test]
async fn a_server_that_hangs_gives_errors_and_comes_back() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    let server = pane.identity().server_pid.to_string();
    signal("-STOP", &server);
    let asked = async { tokio::join!(pane.capture(), pane.press(&[Keystroke::ENTER], None)) };
    let answered = tokio::time::timeout(LIMIT, asked).await;
    signal("-CONT", &server);
    let (capture, press) = answered.expect("errors in time");
    assert!(matches!(capture, Err(PaneError::Unavailable(_))), "{capture:?}");
    assert!(matches!(press, Press::Unknown(PaneError::Unavailable(_))), "{press:?}");
    wait_until("the pane can be captured again", || async {
        pane.capture().await.map(|_| ()).map_err(|error| error.to_string())
    })
    .await;
}

/// Waits until the pane can be captured over another connection than this one, and gives that.
async fn renewed(pane: &dyn Pane, before: Generation) -> Generation {
    wait_until("the connection is another one", || async {
        let generation = pane.capture().await.map_err(|error| error.to_string())?.generation;
        if generation == before { Err(format!("{generation:?}")) } else { Ok(generation) }
    })
    .await
}

#[tokio::test]
async fn keys_checked_on_a_lost_connection_are_not_pressed() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    let before = pane.capture().await.expect("capture").generation;
    signal("-9", &control_client(&desk));
    let after = renewed(&*pane, before).await;
    let refused = pane.press(&[Keystroke::Text("old".into())], Some(before)).await;
    assert!(matches!(refused, Press::NotPressed(PaneError::Unavailable(_))), "{refused:?}");
    assert_eq!(pane.press(&[Keystroke::Text("new".into())], Some(after)).await, Press::Pressed);
    let capture = shows_text(&*pane, "new").await;
    assert!(!plain(&capture).contains("old"), "{}", plain(&capture));
}

#[tokio::test]
async fn a_look_from_another_process_leaves_the_connection_alone() {
    let desk = Desk::new();
    let spec = desk.spec(&["/bin/sh", "-c", "stty -echo; printf '\\033]2;a title\\007\\033[1mhere\\033[m'; cat"]);
    let session = spec.session;
    let pane = desk.terminal.open(spec).await.expect("open");
    shows(&*pane, "the echo is off", |capture| {
        plain(capture).contains("here") && capture.tty.is_some_and(|tty| !tty.echo)
    })
    .await;
    let ours = pane.capture().await.expect("capture");
    let other = desk.borrowed();
    assert_eq!(other.capture(session).await, Ok(ours.capture.clone()));
    assert_eq!(other.capture(SessionId(Uuid::nil())).await, Err(PaneError::Gone));
    assert_eq!(pane.capture().await, Ok(ours), "the same connection");
}

/// Lets so many requests wait for a server that is stopped that the next ones stay in our own queue.
fn fill_connection(pane: &Arc<dyn Pane>) -> Vec<tokio::task::JoinHandle<()>> {
    let waiting = |_| {
        let pane = Arc::clone(pane);
        tokio::spawn(async move {
            let _ = pane.capture().await;
        })
    };
    (0..150).map(waiting).collect()
}

/// Presses this text as soon as this thread is given back, behind everything that was asked for before.
fn press_later(pane: &Arc<dyn Pane>, text: &'static str) -> tokio::task::JoinHandle<Press> {
    let pane = Arc::clone(pane);
    tokio::spawn(async move { pane.press(&[Keystroke::Text(text.into())], None).await })
}

#[tokio::test]
async fn keys_that_were_sent_when_the_connection_broke_are_unknown() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    let (server, client) = (pane.identity().server_pid.to_string(), control_client(&desk));
    signal("-STOP", &server);
    let pressing = press_later(&pane, "perhaps");
    // A request behind the keys: when it is in the hands of the connection, so are they.
    let behind = tokio::time::timeout(Duration::from_millis(200), pane.capture()).await;
    assert!(behind.is_err(), "the server is stopped");
    signal("-9", &client);
    let pressed = pressing.await.expect("join");
    signal("-CONT", &server);
    assert!(matches!(pressed, Press::Unknown(PaneError::Unavailable(_))), "{pressed:?}");
}

#[tokio::test]
async fn keys_still_queued_when_the_connection_broke_are_not_pressed() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    let before = pane.capture().await.expect("capture").generation;
    let (server, client) = (pane.identity().server_pid.to_string(), control_client(&desk));
    signal("-STOP", &server);
    let filling = fill_connection(&pane);
    let pressing = press_later(&pane, "old");
    let behind = tokio::time::timeout(Duration::from_millis(200), pane.capture()).await;
    assert!(behind.is_err(), "the server is stopped");
    signal("-9", &client);
    let pressed = pressing.await.expect("join");
    signal("-CONT", &server);
    assert!(matches!(pressed, Press::NotPressed(PaneError::Unavailable(_))), "{pressed:?}");
    for waiting in filling {
        waiting.await.expect("join");
    }
    renewed(&*pane, before).await;
    press(&*pane, &[Keystroke::Text("new".into())]).await;
    let capture = shows_text(&*pane, "new").await;
    assert!(!plain(&capture).contains("old"), "{}", plain(&capture));
}

#[tokio::test]
async fn keys_of_a_caller_that_left_are_never_pressed() {
    let desk = Desk::new();
    let pane = desk.shell("echo here; cat").await;
    shows_text(&*pane, "here").await;
    let before = pane.capture().await.expect("capture").generation;
    let server = pane.identity().server_pid.to_string();
    signal("-STOP", &server);
    let filling = fill_connection(&pane);
    let pressing = press_later(&pane, "old");
    let behind = tokio::time::timeout(Duration::from_millis(200), pane.capture()).await;
    assert!(behind.is_err(), "the server is stopped");
    pressing.abort();
    assert!(pressing.await.expect_err("it was waiting").is_cancelled());
    signal("-CONT", &server);
    for waiting in filling {
        waiting.await.expect("join");
    }
    assert_eq!(pane.press(&[Keystroke::Text("new".into())], Some(before)).await, Press::Pressed);
    let capture = shows_text(&*pane, "new").await;
    assert!(!plain(&capture).contains("old"), "{}", plain(&capture));
}

#[tokio::test]
async fn a_window_follows_the_desk_and_is_put_back_afterwards() {
    let desk = Desk::new();
    let spec = desk.spec(&["/bin/sh", "-c", "echo here; cat"]);
    let session = spec.session;
    let pane = desk.terminal.open(spec).await.expect("open");
    shows_text(&*pane, "here").await;

    // The person at the desk sits at a terminal of another tmux server.
    let home = Desk::new();
    let attach = desk.borrowed().attach_words(session).await.expect("a way in").join(" ");
    for (cols, rows) in [(60, 20), (150, 30), (200, 60)] {
        let mut spec =
            home.spec(&["/bin/sh", "-c", &format!("stty cols {cols} rows {rows}; unset TMUX; exec {attach}")]);
        (spec.cols, spec.rows) = (220, 70);
        let seat = home.terminal.open(spec).await.expect("sit down");
        // One row is the status line.
        shows(&*pane, "the window follows the desk", |capture| (capture.cols, capture.rows) == (cols, rows - 1)).await;
        shows_text(&*seat, "here").await;
        seat.kill().await.expect("leave");
        let back = if rows > 40 { (cols, rows - 1) } else { (120, 40) };
        shows(&*pane, "the window is put back", |capture| (capture.cols, capture.rows) == back).await;
    }
    let screen = Screen::from_capture(&pane.capture().await.expect("capture").capture);
    assert!(screen.plain_text().contains("here"), "{}", screen.plain_text());
}

#[tokio::test]
async fn a_small_pane_is_not_that_small() {
    let desk = Desk::new();
    let mut spec = desk.spec(&["/bin/sh", "-c", "stty size; cat"]);
    (spec.cols, spec.rows) = (80, 24);
    let pane = desk.terminal.open(spec).await.expect("open");
    shows_text(&*pane, "40 100").await;
}
