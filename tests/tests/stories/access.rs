//! Nobody gets in who should not: wrong origin, wrong host, no device, a revoked device, a guessed code. And the session got
//! nothing of it.

use answerback_tests::{Server, http};
use shared_types::{Command, ReplyData};

type Header<'a> = (&'a str, &'a str);

/// The headers of a WebSocket upgrade.
const UPGRADE: [Header<'static>; 4] = [
    ("connection", "Upgrade, close"),
    ("upgrade", "websocket"),
    ("sec-websocket-version", "13"),
    ("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

#[tokio::test]
async fn requests_from_wrong_places_are_refused_and_reach_no_session() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    let session = phone.start_demo().await;
    phone.send(session, "command").await;
    let prompt = phone.wait_prompt(session).await;
    let host = server.address.to_string();
    let origin = format!("http://{host}");
    let cookie = phone.credential.cookie.clone();
    let table: [(&str, &[Header<'_>], u16); 6] = [
        ("another origin", &[("host", &host), ("origin", "http://evil.example"), ("cookie", &cookie)], 403),
        ("no origin", &[("host", &host), ("cookie", &cookie)], 403),
        ("another host", &[("host", "evil.example"), ("origin", "http://evil.example"), ("cookie", &cookie)], 403),
        ("another port's page", &[("host", &host), ("origin", "http://127.0.0.1:1"), ("cookie", &cookie)], 403),
        ("no device", &[("host", &host), ("origin", &origin)], 401),
        ("a made-up cookie", &[("host", &host), ("origin", &origin), ("cookie", "answerback-00000000=00")], 401),
    ];
    for (what, headers, status) in table {
        let headers: Vec<_> = UPGRADE.iter().chain(headers).copied().collect();
        let reply = http(server.address, "GET", "/ws", &headers, "").await;
        assert_eq!(reply.status, status, "{what}: {reply:?}");
    }
    let body = r#"{"code":"AAAA-AAAA","name":"x"}"#;
    let json = ("content-type", "application/json");
    for (what, headers) in [
        ("another origin", vec![("host", host.as_str()), ("origin", "http://evil.example"), json]),
        ("another host", vec![("host", "evil.example"), ("origin", "http://evil.example"), json]),
        ("no origin", vec![("host", host.as_str()), json]),
    ] {
        let reply = http(server.address, "POST", "/api/pair", &headers, body).await;
        assert_eq!(reply.status, 403, "{what}: {reply:?}");
    }
    let reply = http(server.address, "GET", "/", &[("host", "evil.example")], "").await;
    assert_eq!(reply.status, 403, "not even the page");
    // The prompt stands untouched: the session got nothing.
    phone.choose(&prompt, "No").await;
    phone.wait_message(session, "Understood: command -> No").await;
}

#[tokio::test]
async fn a_revoked_device_is_out_at_once_and_stays_out() {
    let server = Server::start().await;
    let mut owner = server.pair_phone("Owner").await;
    let mut thief = server.pair_phone("Thief").await;
    let session = owner.start_demo().await;
    let output = server.command("devices").args(["revoke", "Thief"]).output().expect("run");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(thief.wait_close().await, Some(4401));
    let host = server.address.to_string();
    let origin = format!("http://{host}");
    let own = [("host", host.as_str()), ("origin", &origin), ("cookie", &thief.credential.cookie)];
    let headers: Vec<_> = UPGRADE.iter().chain(&own).copied().collect();
    assert_eq!(http(server.address, "GET", "/ws", &headers, "").await.status, 401);
    let me = http(server.address, "GET", "/api/me", &own, "").await;
    assert!(me.json()["device"].is_null(), "{me:?}");
    owner.send(session, "still here").await;
}

#[tokio::test]
async fn a_pairing_code_is_good_once_and_not_to_be_guessed() {
    let server = Server::start().await;
    let host = server.address.to_string();
    let origin = format!("http://{host}");
    let headers = [("host", host.as_str()), ("origin", &origin), ("content-type", "application/json")];
    let try_code = async |code: &str| {
        let body = serde_json::json!({ "code": code, "name": "x" }).to_string();
        http(server.address, "POST", "/api/pair", &headers, &body).await
    };
    let code = server.offer().expect("an offer").code;
    let first = try_code(&code).await;
    assert_eq!(first.status, 200);
    let cookie = first.header("set-cookie").expect("a cookie");
    for part in ["HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(part), "{cookie}");
    }
    assert_eq!(try_code(&code).await.status, 403, "used up");
    let good = server.offer().expect("an offer").code;
    for guess in 0..12 {
        assert_eq!(try_code(&format!("AAAA-AA{guess:02}")).await.status, 403);
    }
    assert_eq!(try_code(&good).await.status, 200, "a few wrong codes of anybody do not keep the right one out");
    assert!(!server.log().contains(&good), "no code in the log");
    let good = server.offer().expect("an offer").code;
    let mut last = 0;
    for guess in 0..100 {
        last = try_code(&format!("AAAA-BB{guess:02}")).await.status;
    }
    assert_eq!((last, try_code(&good).await.status), (429, 429), "many do, from where they come");
}

/// What a proxy or tunnel in front of us does: it encrypts, we do not.
#[tokio::test]
async fn cookie_of_an_https_page_is_secure_and_for_its_host() {
    let server = Server::start().await;
    let host = server.address.to_string();
    for (origin, prefix, secure) in
        [(format!("https://{host}"), "__Host-answerback-", true), (format!("http://{host}"), "answerback-", false)]
    {
        let code = server.offer().expect("an offer").code;
        let body = serde_json::json!({ "code": code, "name": "x" }).to_string();
        let headers = [("host", host.as_str()), ("origin", &origin), ("content-type", "application/json")];
        let reply = http(server.address, "POST", "/api/pair", &headers, &body).await;
        let cookie = reply.header("set-cookie").expect("a cookie").to_owned();
        assert!(cookie.starts_with(prefix), "{cookie}");
        assert_eq!(cookie.contains("; Secure"), secure, "{cookie}");
        assert!(!cookie.contains("Domain"), "{cookie}");
    }
}

#[tokio::test]
async fn the_page_is_locked_down_and_files_are_private() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = Server::start().await;
    let host = server.address.to_string();
    let page = http(server.address, "GET", "/", &[("host", &host)], "").await;
    assert_eq!(page.status, 200, "{page:?}");
    let policy = page.header("content-security-policy").expect("a policy");
    assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{policy}");
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("x-content-type-options"), Some("nosniff"));
    for path in ["/../Cargo.toml", "/%2e%2e/Cargo.toml", "/assets/../../Cargo.toml", "/index.html.br"] {
        let reply = http(server.address, "GET", path, &[("host", &host)], "").await;
        assert_eq!(reply.status, 404, "{path}: {reply:?}");
    }
    let mode = |path: std::path::PathBuf| std::fs::metadata(path).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode(server.data()), 0o700);
    assert_eq!(mode(server.data().join("answerback.db")), 0o600);
    assert_eq!(mode(server.data().join("run/control.sock")), 0o600);
}

#[tokio::test]
async fn encryption_is_there_when_asked_for() {
    let server = Server::start_with(&["--tls"]).await;
    let offer = server.offer().expect("an offer");
    assert!(offer.urls.iter().all(|url| url.starts_with("https://")), "{offer:?}");
    // Plain HTTP gets no page.
    let host = server.address.to_string();
    let reply = http(server.address, "GET", "/", &[("host", &host)], "").await;
    assert_ne!(reply.status, 200);
    let output = std::process::Command::new("openssl")
        .args(["s_client", "-connect", &host, "-brief"])
        .stdin(std::process::Stdio::null())
        .output()
        .expect("run openssl");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("TLSv1.3"), "{said}");
}

#[tokio::test]
async fn folders_are_browsed_only_below_the_allowed_ones() {
    let server = Server::start().await;
    let mut phone = server.pair_phone("iPhone").await;
    std::fs::create_dir(server.home().join("shop")).expect("folder");
    std::os::unix::fs::symlink("/", server.home().join("out")).expect("link");
    let listed = phone.ask(Command::Browse { folder: String::new() }).await.expect("the home folder");
    assert!(serde_json::to_string(&listed).expect("JSON").contains("\"shop\""), "{listed:?}");
    let home = std::fs::canonicalize(server.home()).expect("home").to_string_lossy().into_owned();
    assert!(matches!(&listed, ReplyData::Folders { roots, .. } if *roots == [home]), "{listed:?}");
    for outside in ["/", "/etc", "~/out", "~/shop/../.."] {
        phone.ask(Command::Browse { folder: outside.into() }).await.expect_err(outside);
    }
}
