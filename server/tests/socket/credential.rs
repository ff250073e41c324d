//! A cookie alone opens nothing: browsers send it to every port of the host.

use shared_types::{
    ClientMessage, Command, Credential, PROTOCOL_VERSION, ServerMessage, Standing, WhoAmI, socket_proof,
};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::timeout,
};

use crate::client::{Client, LIMIT, Server};

#[tokio::test]
async fn cookie_without_the_key_opens_no_socket() {
    let server = Server::start().await;
    let mut owner = server.first_client().await;
    let stolen = |key: &str| Credential { key: key.to_owned(), ..owner.credential.clone() };
    let key = owner.credential.key.clone();
    for (what, credential, proof) in [
        ("no proof", stolen(&key), None),
        ("the proof of another key", stolen("00"), Some(socket_proof("00", "x"))),
        ("the proof for another socket", stolen(&key), owner.socket.proof().map(str::to_owned)),
        ("the key itself", stolen(&key), Some(key.clone())),
    ] {
        let mut thief = Client::connect(server.address, credential, None).await;
        thief.say(&ClientMessage::Hello { protocol: PROTOCOL_VERSION, epoch: None, last_seq: None, proof }).await;
        let told = thief.next().await;
        assert!(matches!(told, Err(Some(4401))), "{what}: {told:?}");
    }
    // A request instead of hello is not heard either.
    let mut thief = Client::connect(server.address, stolen(&key), None).await;
    thief.begin(Command::Pair).await;
    assert!(matches!(thief.next().await, Ok(ServerMessage::Error { .. })));
    assert_eq!(thief.closed().await, Some(4406));
    assert!(owner.ask(Command::Devices).await.is_ok(), "the owner is not disturbed");
}

#[tokio::test]
async fn stranger_learns_no_version_and_a_cookie_no_device() {
    let server = Server::start().await;
    let owner = server.first_client().await;
    let me = async |headers: &str| -> WhoAmI {
        let request = format!("GET /api/me HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n{headers}\r\n", server.address);
        let mut stream = TcpStream::connect(server.address).await.expect("connect");
        stream.write_all(request.as_bytes()).await.expect("send");
        let mut answer = String::new();
        timeout(LIMIT, stream.read_to_string(&mut answer)).await.expect("in time").expect("an answer");
        serde_json::from_str(answer.split_once("\r\n\r\n").expect("a body").1).expect("who I am")
    };
    let nothing = |standing| WhoAmI { standing, device: None, server_version: None };
    assert_eq!(me("").await, nothing(Standing::NotPaired));
    let cookie = format!("cookie: {}\r\n", owner.credential.cookie);
    assert_eq!(me(&cookie).await, nothing(Standing::CookieOnly));
    let proof = shared_types::request_proof(&owner.credential.key, owner.epoch, "GET", "/api/me");
    let paired = me(&format!("{cookie}{}: {proof}\r\n", shared_types::PROOF_HEADER)).await;
    assert_eq!(paired.standing, Standing::Paired);
    assert!(paired.device.is_some() && paired.server_version.is_some(), "{paired:?}");
}
