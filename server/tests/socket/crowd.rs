//! Crowds: of phones that all have to get in, and of strangers that must not hold much.

use futures_util::future::join_all;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use shared_types::{Actor, AlertKind, Command, Event, ServerMessage};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpSocket, TcpStream},
    time::timeout,
};

use crate::client::{Client, LIMIT, Server};

const PHONES: usize = 1000;
/// Both ends of every connection are in this process.
const FILES: u64 = 4096;

fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    if limit.current.is_some_and(|current| current < FILES) {
        setrlimit(Resource::Nofile, Rlimit { current: Some(FILES), ..limit }).expect("a few thousand files");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_phones_that_dial_at_once_all_get_in() {
    raise_file_limit();
    let server = Server::start().await;
    let mut owner = server.first_client().await;
    let dialling = (0..PHONES).map(|_| Client::hello(server.address, owner.credential.clone()));
    let mut phones = join_all(dialling).await;
    // All of them at the same time, and each is served.
    let last = phones.last_mut().expect("a last one");
    assert!(last.ask(Command::Devices).await.is_ok());
    let first = phones.first_mut().expect("a first one");
    assert!(first.ask(Command::Devices).await.is_ok());
    assert!(owner.ask(Command::Devices).await.is_ok());
}

/// As a stranger does who wants us to hold memory: a long body is promised, and half of it sent.
#[tokio::test]
async fn a_stranger_cannot_make_us_hold_a_long_body() {
    let server = Server::start().await;
    let head = |length: usize| {
        format!(
            "POST /api/pair HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n",
            server.address
        )
    };
    for length in [5000, 2_000_000] {
        let mut stream = TcpStream::connect(server.address).await.expect("connect");
        stream.write_all(head(length).as_bytes()).await.expect("send");
        // The server may hang up before it has all of this.
        let _ = stream.write_all(&vec![b'x'; length / 2 + 4096]).await;
        let mut answer = vec![0; 12];
        match timeout(LIMIT, stream.read_exact(&mut answer)).await.expect("it is not waited for") {
            Ok(_) => assert_eq!(String::from_utf8_lossy(&answer), "HTTP/1.1 413", "{length}"),
            Err(hung_up) => assert_ne!(hung_up.kind(), std::io::ErrorKind::TimedOut, "{length}"),
        }
    }
    assert!(server.first_client().await.ask(Command::Devices).await.is_ok(), "a phone still gets in");
}

/// Wrong codes from one address must keep nobody else from pairing, and a few of them nobody at all.
#[tokio::test]
async fn guesses_of_one_source_keep_no_other_from_pairing() {
    let server = Server::start().await;
    let guess = async |code: &str, from: [u8; 4]| -> String {
        let socket = TcpSocket::new_v4().expect("a socket");
        socket.bind((from, 0).into()).expect("an address of this machine");
        let mut stream = socket.connect(server.address).await.expect("connect");
        let body = format!(r#"{{"code":"{code}","name":"x"}}"#);
        let request = format!(
            "POST /api/pair HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {1}\r\n\r\n{body}",
            server.address,
            body.len()
        );
        stream.write_all(request.as_bytes()).await.expect("send");
        let mut answer = String::new();
        timeout(LIMIT, stream.read_to_string(&mut answer)).await.expect("in time").expect("an answer");
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    };
    let (near, far) = ([127, 0, 0, 1], [127, 0, 0, 2]);
    for number in 0..12 {
        assert_eq!(guess(&format!("AAAA-22{number:02}"), near).await, "403");
    }
    let mut owner = server.first_client().await;
    let mut last = String::new();
    for number in 0..100 {
        last = guess(&format!("BBBB-22{number:02}"), near).await;
    }
    assert_eq!(last, "429");
    let Ok(shared_types::ReplyData::Pairing { offer }) = owner.ask(Command::Pair).await else { panic!("no code") };
    if cfg!(target_os = "linux") {
        assert_eq!(guess(&offer.code, near).await, "429", "not even the right one, from there");
        assert_eq!(guess(&offer.code, far).await, "200", "and from elsewhere at once");
    }
}

#[tokio::test]
async fn pairing_and_revoking_are_told_to_every_phone() {
    let server = Server::start().await;
    let mut owner = server.first_client().await;
    let mut other = server.next_client(&mut owner).await;
    let mut paired = None;
    while paired.is_none() {
        if let ServerMessage::Event(event) = owner.next().await.expect("it stays open")
            && let Event::Alert { alert } = event.event
            && let AlertKind::Paired { device } = alert.what
        {
            paired = Some(device.id);
        }
    }
    let device_id = paired.expect("the new device");
    owner.ask(Command::Revoke { device_id }).await.expect("revoked");
    assert_eq!(other.closed().await, Some(4401));
    // A phone that comes later is told in its snapshot.
    let mut late = Client::connect(server.address, owner.credential.clone(), None).await;
    late.say_hello(None).await;
    let snapshot = loop {
        if let ServerMessage::Snapshot { snapshot, .. } = late.next().await.expect("a snapshot") {
            break snapshot;
        }
    };
    let told: Vec<_> = snapshot.alerts.into_iter().map(|alert| alert.what).collect();
    assert!(
        matches!(&told[..], [AlertKind::Paired { .. }, AlertKind::Paired { device: one }, AlertKind::Revoked { device: two, by }]
            if one.id == device_id && two.id == device_id && matches!(by, Actor::Device { name, .. } if name == "a test")),
        "{told:?}"
    );
}
