use std::os::unix::fs::PermissionsExt as _;

use super::*;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n and more";

async fn hand_over(folder: &Path, kind: &str, name: &str, content: &[u8]) -> Result<AttachedFile, WireError> {
    let mut arriving = Arriving::begin(folder, kind).await?;
    for piece in content.chunks(1 << 16) {
        arriving.take(piece).await?;
    }
    arriving.keep(name).await
}

fn left_in(session: &Path) -> usize {
    std::fs::read_dir(folder(session)).map_or(0, Iterator::count)
}

#[tokio::test]
async fn a_file_is_kept_for_the_owner_alone_under_a_name_of_ours() {
    let session = tempfile::tempdir().expect("a folder");
    let file = hand_over(session.path(), "image/png", "../../.ssh/authorized_keys", PNG).await.expect("kept");
    assert_eq!((file.name.as_str(), file.size), ("authorized_keys", PNG.len() as u64));
    let path = find(session.path(), &file.id).await.expect("the file");
    assert_eq!(path.parent(), Some(folder(session.path()).as_path()));
    assert_eq!(std::fs::read(&path).expect("its content"), PNG);
    assert_eq!(path.metadata().expect("meta").permissions().mode() & 0o777, 0o600);
    assert_eq!(folder(session.path()).metadata().expect("meta").permissions().mode() & 0o777, 0o700);
    assert_eq!(kind_by_id(&file.id), "image/png");
}

#[tokio::test]
async fn content_that_is_not_what_it_is_said_to_be_is_not_kept() {
    let session = tempfile::tempdir().expect("a folder");
    let table: &[(&str, &[u8])] = &[
        ("image/png", b"<script>alert(1)</script>"),
        ("image/jpeg", PNG),
        ("text/plain", PNG),
        ("text/plain", b"text\0and more"),
        ("text/plain", b"\xff\xfenot utf-8"),
        ("text/plain", b""),
        ("application/pdf", b"%PDX-1.7"),
        ("image/svg+xml", b"<svg/>"),
        ("text/html", b"<p>"),
        ("application/x-executable", b"\x7fELF"),
        ("", b"text"),
    ];
    for (kind, content) in table {
        let refused = hand_over(session.path(), kind, "a.png", content).await.expect_err("refused");
        assert_eq!(refused.code, ErrorCode::BadValue, "{kind} {content:?}");
        assert_eq!(left_in(session.path()), 0, "{kind}");
    }
}

#[tokio::test]
async fn every_kind_is_known_by_its_content() {
    let session = tempfile::tempdir().expect("a folder");
    let table: &[(&str, &[u8], &str, &str)] = &[
        ("image/png", PNG, "a", "png"),
        ("image/jpeg", b"\xff\xd8\xff\xe0more", "a.jpeg", "jpg"),
        ("image/gif", b"GIF89a...", "a.gif", "gif"),
        ("image/webp", b"RIFF\0\0\0\0WEBPVP8 ", "a.webp", "webp"),
        ("application/pdf", b"%PDF-1.7", "a.pdf", "pdf"),
        ("text/plain; charset=utf-8", "grün".as_bytes(), "Notes.MD", "md"),
        ("text/plain", b"x", "picture.png", "txt"),
        ("text/plain", b"x", "no ending", "txt"),
        ("text/plain", b"x", "a.tar/../..", "txt"),
    ];
    for (kind, content, name, ending) in table {
        let file = hand_over(session.path(), kind, name, content).await.expect("kept");
        assert!(file.id.ends_with(&format!(".{ending}")), "{} {name}", file.id);
        assert_eq!(kind_by_id(&file.id), kind.split(';').next().expect("a kind"));
    }
}

#[tokio::test]
async fn a_file_that_gets_too_large_leaves_nothing_behind() {
    let session = tempfile::tempdir().expect("a folder");
    let piece = vec![b'x'; 1 << 20];
    let mut arriving = Arriving::begin(session.path(), TEXT).await.expect("begun");
    let mut refused = None;
    for _ in 0..=10 {
        refused = arriving.take(&piece).await.err();
    }
    assert_eq!(refused.map(|error| error.code), Some(ErrorCode::TooLarge));
    drop(arriving);
    assert_eq!(left_in(session.path()), 0);
}

#[tokio::test]
async fn only_what_we_named_is_found() {
    let session = tempfile::tempdir().expect("a folder");
    let file = hand_over(session.path(), TEXT, "a.txt", b"x").await.expect("kept");
    std::fs::write(session.path().join("secret.txt"), "x").expect("a file");
    std::os::unix::fs::symlink("/etc/hostname", folder(session.path()).join("0123456789abcdef.txt")).expect("a link");
    for id in ["../secret.txt", "..", "", ".", "0123456789abcdef.txt", "/etc/passwd", "0123456789abcde/.txt"] {
        assert_eq!(find(session.path(), id).await, None, "{id}");
    }
    assert!(find(session.path(), &file.id).await.is_some());
}

#[tokio::test]
async fn a_session_keeps_only_so_many() {
    let session = tempfile::tempdir().expect("a folder");
    for _ in 0..KEPT {
        hand_over(session.path(), TEXT, "a.txt", b"x").await.expect("kept");
    }
    let refused = hand_over(session.path(), TEXT, "a.txt", b"x").await.expect_err("refused");
    assert_eq!(refused.code, ErrorCode::TooLarge);
}
