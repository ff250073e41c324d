//! `answerback hook FILE`: what the CLIs run. It hands its input to the server, waits, and prints what the server says.
//!
//! It must start within milliseconds and can never fail in a way the CLI minds: whatever goes wrong, it prints nothing, and the
//! dialog on the screen stands. With `--wait` it comes again until a server has answered, for as long as the CLI lives.

use std::{
    io::{self, Read as _, Write as _},
    os::unix::net::UnixStream,
    path::Path,
    thread,
    time::Duration,
};

use uuid::Uuid;

use super::{DONE, Header, HookAccess, PAYLOAD_LIMIT};

/// How soon to come again. Short, because a server that restarts is back within a second.
const COME_AGAIN: Duration = Duration::from_millis(200);
/// How often to look whether the CLI is still there.
const LOOK_UP: Duration = Duration::from_secs(1);
/// How long a hook that does not wait may take in all.
const TELL_LIMIT: Duration = Duration::from_secs(2);

/// Runs the hook whose access is in this file.
pub fn run(access: &Path, wait: bool) {
    // Nothing to say to anybody when this fails: the CLI goes on as if there were no hook.
    let _ = relay(access, wait);
}

fn relay(access: &Path, wait: bool) -> io::Result<()> {
    let access = HookAccess::read(access)?;
    let mut payload = Vec::new();
    io::stdin().take(PAYLOAD_LIMIT as u64 + 1).read_to_end(&mut payload)?;
    let header =
        Header { request: Uuid::new_v4(), session: access.session, secret: access.secret, length: payload.len() };
    let mut post = serde_json::to_vec(&header).map_err(io::Error::other)?;
    post.push(b'\n');
    post.extend(payload);
    let cli = rustix::process::getppid();
    loop {
        match ask(&access.socket, &post, wait, cli) {
            Ok(Some(printed)) => return io::stdout().write_all(&printed),
            Ok(None) if wait && rustix::process::getppid() == cli => thread::sleep(COME_AGAIN),
            Err(_) if wait && rustix::process::getppid() == cli => thread::sleep(COME_AGAIN),
            _ => return Ok(()),
        }
    }
}

/// Asks once; `None` when the server went away without an answer.
fn ask(socket: &Path, post: &[u8], wait: bool, cli: Option<rustix::process::Pid>) -> io::Result<Option<Vec<u8>>> {
    let mut stream = UnixStream::connect(socket)?;
    stream.set_write_timeout(Some(TELL_LIMIT))?;
    stream.set_read_timeout(Some(if wait { LOOK_UP } else { TELL_LIMIT }))?;
    stream.write_all(post)?;
    let (mut answer, mut piece) = (Vec::new(), [0; 4096]);
    loop {
        match stream.read(&mut piece) {
            Ok(0) => return Ok(answer.strip_prefix(DONE).map(<[u8]>::to_vec)),
            Ok(length) => answer.extend_from_slice(&piece[..length]),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => {
                // The CLI is gone, and with it whoever would read what is printed.
                if !wait || rustix::process::getppid() != cli {
                    return Err(error);
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
