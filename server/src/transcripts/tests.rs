use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    time::Duration,
};

use futures_util::FutureExt as _;
use tempfile::TempDir;
use tokio::time::timeout;

use super::{
    tail::{CHUNK, LINE_LIMIT, read_on, take_lines},
    *,
};

/// How long anything may take before the test gives up.
const LIMIT: Duration = Duration::from_secs(20);

fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("transcript.jsonl");
    (folder, path)
}

/// Of a pane that draws nothing.
fn pace() -> Pace {
    Pace::with(tokio::sync::watch::channel(crate::pane::Drawn::default()).1)
}

fn append(path: &Path, bytes: &[u8]) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path).expect("the file");
    file.write_all(bytes).expect("write");
}

async fn next(follow: &mut Follow) -> Lines {
    timeout(LIMIT, follow.batches.recv()).await.expect("lines in time").expect("it is followed")
}

/// Reads until this many lines are there.
async fn lines(follow: &mut Follow, count: usize) -> Vec<String> {
    let mut lines = Vec::new();
    while lines.len() < count {
        lines.extend(next(follow).await.lines);
    }
    lines
}

fn batch(lines: &[&str], offset: u64) -> Lines {
    Lines { lines: lines.iter().map(|line| (*line).to_owned()).collect(), offset }
}

#[tokio::test]
async fn only_whole_lines_are_handed_over_however_they_are_written() {
    let (_folder, path) = place();
    append(&path, b"one\ntw");
    let mut follow = Transcripts::new().follow(path.clone(), 0, pace());
    assert_eq!(next(&mut follow).await, batch(&["one"], 4));
    // In the middle of a character as well.
    let [first, rest @ ..] = "é".as_bytes() else { panic!("two bytes") };
    append(&path, &[b'o', *first]);
    append(&path, rest);
    append(&path, b"\n\nthree\nfo");
    assert_eq!(lines(&mut follow, 2).await, ["twoé", "three"]);
    append(&path, b"ur\n");
    assert_eq!(next(&mut follow).await, batch(&["four"], 4 + 6 + 1 + 6 + 5));
}

#[tokio::test]
async fn a_file_that_is_made_later_is_waited_for() {
    let (_folder, path) = place();
    let transcripts = Transcripts::new();
    let mut follow = transcripts.follow(path.clone(), 0, pace());
    // Another file in the same folder is none of ours.
    append(&path.with_extension("other"), b"not this\n");
    append(&path, b"one\n");
    assert_eq!(next(&mut follow).await, batch(&["one"], 4));
}

#[tokio::test]
async fn a_folder_that_is_made_later_is_waited_for_and_watched() {
    let (folder, _) = place();
    let path = folder.path().join("made/later/transcript.jsonl");
    let transcripts = Transcripts::new();
    let mut follow = transcripts.follow(path.clone(), 0, pace());
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    append(&path, b"one\n");
    assert_eq!(next(&mut follow).await, batch(&["one"], 4));
    // From now on the watcher tells: the time stands still, so that there is no next look. Pretended time does not pass while
    // something blocks.
    tokio::time::pause();
    let (_until_the_end, end) = std::sync::mpsc::channel::<()>();
    let standstill = tokio::task::spawn_blocking(move || end.recv_timeout(LIMIT));
    append(&path, b"two\n");
    assert_eq!(follow.batches.recv().await, Some(batch(&["two"], 8)));
    assert!(!standstill.is_finished(), "it was found by looking, not told");
}

#[tokio::test]
async fn reading_goes_on_from_where_it_was() {
    let (_folder, path) = place();
    append(&path, b"one\ntwo\nthr");
    let transcripts = Transcripts::new();
    let mut follow = transcripts.follow(path.clone(), 0, pace());
    let Lines { lines, offset } = next(&mut follow).await;
    assert_eq!((lines, offset), (vec!["one".to_owned(), "two".to_owned()], 8));
    drop(follow);
    append(&path, b"ee\n");
    let mut follow = transcripts.follow(path, offset, pace());
    assert_eq!(next(&mut follow).await, batch(&["three"], 14));
}

#[tokio::test]
async fn two_followers_of_one_folder_both_get_theirs() {
    let (folder, path) = place();
    let other = folder.path().join("other.jsonl");
    let transcripts = Transcripts::new();
    let (mut first, mut second) =
        (transcripts.follow(path.clone(), 0, pace()), transcripts.follow(other.clone(), 0, pace()));
    append(&other, b"b\n");
    append(&path, b"a\n");
    assert_eq!((next(&mut first).await, next(&mut second).await), (batch(&["a"], 2), batch(&["b"], 2)));
    drop(second);
    append(&path, b"c\n");
    assert_eq!(next(&mut first).await, batch(&["c"], 4));
}

#[tokio::test]
async fn bytes_that_are_no_text_are_survived() {
    let (_folder, path) = place();
    append(&path, b"\xff\xfe\x00 odd\ngood\n");
    let mut follow = Transcripts::new().follow(path, 0, pace());
    assert_eq!(next(&mut follow).await, batch(&["\u{fffd}\u{fffd}\u{0} odd", "good"], 13));
}

#[tokio::test]
async fn a_line_without_end_is_skipped_whole() {
    let (_folder, path) = place();
    let mut file = fs::File::create(&path).expect("the file");
    file.write_all(b"before\n").expect("write");
    // It is longer than what is taken by more than one reading.
    let long = vec![b'x'; 1 << 20];
    for _ in 0..=LINE_LIMIT >> 20 {
        file.write_all(&long).expect("write");
    }
    file.write_all(b" its end\nafter\n").expect("write");
    let length = file.metadata().expect("its length").len();
    let mut follow = Transcripts::new().follow(path, 0, pace());
    assert_eq!(next(&mut follow).await, batch(&["before"], 7));
    assert_eq!(next(&mut follow).await, batch(&["after"], length));
}

#[tokio::test]
async fn many_lines_come_in_order_and_once() {
    let (_folder, path) = place();
    let transcripts = Transcripts::new();
    let mut follow = transcripts.follow(path.clone(), 0, pace());
    let expected: Vec<String> = (0..20_000).map(|number| format!("{{\"number\":{number},\"é\":true}}")).collect();
    let text = expected.iter().map(|line| format!("{line}\n")).collect::<String>();
    // More than one reading takes, in pieces that end anywhere.
    assert!(text.len() as u64 > CHUNK);
    let writer = tokio::task::spawn_blocking(move || {
        for piece in text.as_bytes().chunks(7_001) {
            append(&path, piece);
        }
    });
    assert_eq!(lines(&mut follow, expected.len()).await, expected);
    writer.await.expect("written");
}

/// Adding a folder waits for the watcher's thread, and that thread must never wait for whoever adds one.
#[tokio::test]
async fn folders_are_added_while_others_are_written() {
    let (_folder, path) = place();
    let transcripts = Transcripts::new();
    let _follow = transcripts.follow(path.clone(), 0, pace());
    let (done, added) = tokio::sync::oneshot::channel();
    let runtime = tokio::runtime::Handle::current();
    // On a thread of its own, which a failure leaves behind instead of waiting for it.
    std::thread::spawn(move || {
        let _runtime = runtime.enter();
        for number in 0..300 {
            append(&path, b"line\n");
            let _ = transcripts.follow(path.with_file_name(format!("{number}.jsonl")), 0, pace());
        }
        let _ = done.send(());
    });
    timeout(LIMIT, added).await.expect("the watcher and who adds a folder wait for each other").expect("added");
}

/// Whatever wakes a follower makes it read, so reading must not wake it: it would read for ever.
#[tokio::test]
async fn reading_wakes_nobody() {
    let (folder, path) = place();
    let (elsewhere, sign) = place();
    append(&path, b"one\n");
    let transcripts = Transcripts::new();
    let woken = transcripts.watches.watch(folder.path()).await;
    let told = transcripts.watches.watch(elsewhere.path()).await;
    append(&path, b"two\n");
    timeout(LIMIT, woken.changed()).await.expect("writing wakes");
    // What happened before this is told before it, so everything that writing caused is told by then.
    append(&sign, b"sign\n");
    timeout(LIMIT, told.changed()).await.expect("the sign");
    let _ = woken.changed().now_or_never();

    for _ in 0..50 {
        assert_eq!(read_on(&path, 4).await.expect("read").bytes, b"two\n");
    }
    fs::remove_file(&sign).expect("the next sign");
    timeout(LIMIT, told.changed()).await.expect("the next sign");
    assert!(woken.changed().now_or_never().is_none(), "reading woke a follower");
}

/// Waits until something is so; what must happen for it is under way on another thread.
async fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let waiting = async {
        while !is_so() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    timeout(LIMIT, waiting).await.unwrap_or_else(|_| panic!("waited in vain until {what}"));
}

/// How many watches the system keeps for us on a folder.
#[cfg(target_os = "linux")]
fn watches_of_the_system(folder: &Path) -> usize {
    use std::os::unix::fs::MetadataExt as _;
    let inode = format!(" ino:{:x} ", folder.metadata().expect("the folder").ino());
    let infos = fs::read_dir("/proc/self/fdinfo").expect("the open files").filter_map(Result::ok);
    let texts = infos.filter_map(|info| fs::read_to_string(info.path()).ok());
    texts.map(|text| text.lines().filter(|line| line.starts_with("inotify") && line.contains(&inode)).count()).sum()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn folder_is_given_back_with_its_last_follower() {
    let (folder, path) = place();
    let folder = folder.path();
    append(&path, b"one\n");
    let transcripts = Transcripts::new();
    let mut first = transcripts.follow(path.clone(), 0, pace());
    let mut second = transcripts.follow_folder(folder.to_owned(), "*.jsonl", 0, pace());
    assert_eq!(
        (next(&mut first).await.lines, next(&mut second).await.lines),
        (vec!["one".to_owned()], vec!["one".to_owned()])
    );
    assert_eq!(watches_of_the_system(folder), 1, "one watch for both");
    drop(first);
    wait_until("one follower is left", || transcripts.watches.wakers().get(folder).map(Vec::len) == Some(1)).await;
    assert_eq!(watches_of_the_system(folder), 1);
    append(&path, b"two\n");
    assert_eq!(next(&mut second).await.lines, ["two"], "and it is still woken");
    drop(second);
    wait_until("the folder is given back", || watches_of_the_system(folder) == 0).await;
    wait_until("nobody is remembered", || transcripts.watches.wakers().is_empty()).await;
}

#[tokio::test]
async fn followers_that_leave_at_once_are_not_kept() {
    let (_folder, path) = place();
    let transcripts = Transcripts::new();
    for _ in 0..50 {
        drop(transcripts.follow(path.clone(), 0, pace()));
        tokio::task::yield_now().await;
    }
    wait_until("nobody is remembered", || transcripts.watches.wakers().is_empty()).await;
}

#[tokio::test]
async fn a_file_that_got_shorter_or_was_replaced_is_read_anew() {
    let (_folder, path) = place();
    append(&path, b"one\ntwo\n");
    let transcripts = Transcripts::new();
    let mut follow = transcripts.follow(path.clone(), 0, pace());
    assert_eq!(lines(&mut follow, 2).await, ["one", "two"]);
    fs::write(&path, b"new\n").expect("a shorter file");
    assert_eq!(next(&mut follow).await, batch(&["new"], 4));
    // Longer than what was read, but another file.
    append(&path.with_extension("next"), b"another one\nand more\n");
    fs::rename(path.with_extension("next"), &path).expect("replaced");
    assert_eq!(lines(&mut follow, 2).await, ["another one", "and more"]);
    drop(follow);
    // Also when that happened while nobody looked.
    let mut follow = transcripts.follow(path, 1_000, pace());
    assert_eq!(lines(&mut follow, 2).await, ["another one", "and more"]);
}

#[tokio::test]
async fn files_of_a_folder_are_followed_as_they_are_made() {
    let (folder, _) = place();
    let agents = folder.path().join("agents");
    let mut follow = Transcripts::new().follow_folder(agents.clone(), "agent-*.jsonl", 1, pace());
    fs::create_dir_all(&agents).expect("made");
    append(&agents.join("agent-1.jsonl"), b"one\n");
    assert_eq!(lines(&mut follow, 1).await, ["one"]);
    append(&agents.join("other.jsonl"), b"not this\n");
    append(&agents.join("agent-2.jsonl"), b"two\n");
    assert_eq!(lines(&mut follow, 1).await, ["two"]);
    append(&agents.join("agent-1.jsonl"), b"three\n");
    assert_eq!(lines(&mut follow, 1).await, ["three"]);
    // Those that nobody has touched since are left alone.
    assert_eq!(folder::new_files(&agents, "agent-*.jsonl", 1).await.len(), 2);
    assert!(folder::new_files(&agents, "agent-*.jsonl", u64::MAX).await.is_empty());
}

#[tokio::test]
async fn of_a_document_that_is_written_anew_only_what_is_new_is_handed_over() {
    let (_folder, path) = place();
    let path = path.with_extension("json");
    let mut follow = Transcripts::new().follow(path.clone(), 0, pace());
    let write = |text: &str| {
        fs::write(path.with_extension("next"), text).expect("written");
        fs::rename(path.with_extension("next"), &path).expect("in place");
    };
    write(r#"{"messages":[{"id":"a"},{"id":"b"}]}"#);
    assert_eq!(lines(&mut follow, 2).await, [r#"{"id":"a"}"#, r#"{"id":"b"}"#]);
    write(r#"{"messages":[{"id":"a"},{"id":"b","more":1},{"id":"#);
    write(r#"{"messages":[{"id":"a"},{"id":"b","more":1},{"id":"c"}]}"#);
    assert_eq!(lines(&mut follow, 2).await, [r#"{"id":"b","more":1}"#, r#"{"id":"c"}"#]);
}

proptest::proptest! {
    /// However a file is cut into pieces, its lines are its lines.
    #[test]
    fn lines_do_not_depend_on_the_pieces(text in "[a-cé\n]{0,60}", cuts in proptest::collection::vec(1usize..9, 0..20)) {
        let mut partial = Vec::new();
        let mut taken = Vec::new();
        let mut rest = text.as_bytes();
        for cut in cuts.into_iter().chain([usize::MAX]) {
            let (piece, after) = rest.split_at(cut.min(rest.len()));
            partial.extend_from_slice(piece);
            taken.extend(take_lines(&mut partial));
            rest = after;
        }
        let (whole, open) = text.rsplit_once('\n').map_or(("", text.as_str()), |(whole, open)| (whole, open));
        let expected: Vec<&str> = whole.split('\n').filter(|line| !line.is_empty()).collect();
        proptest::prop_assert_eq!(taken, expected);
        proptest::prop_assert_eq!(partial, open.as_bytes());
    }
}
