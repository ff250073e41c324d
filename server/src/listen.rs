//! The port: handed over by systemd, or taken by ourselves.
//!
//! Phones know the page by its port. Whoever else holds it is asked for the page, and gets cookies sent; so once a device is paired
//! we never move to another port by ourselves, but say who is in the way.

use std::{
    fs,
    io::ErrorKind,
    net::{IpAddr, SocketAddr, TcpListener},
    path::Path,
};

use anyhow::{Context as _, bail};
use listenfd::ListenFd;

/// How many ports after a busy one are tried.
const PORTS_TRIED: u16 = 20;
/// Connections that may wait to be taken: a thousand phones can come back in the same moment. More are asked to try again.
const BACKLOG: i32 = 1024;

/// A port to serve on.
pub(crate) struct Port {
    /// The listening socket.
    pub(crate) listener: TcpListener,
    /// True when the wished one was busy and the next free one was taken.
    pub(crate) moved: bool,
}

/// The socket that systemd holds for us, or else the port itself, or, unless a device knows us by it, the next free one.
pub(crate) fn listen(host: IpAddr, port: u16, is_known: bool) -> anyhow::Result<Port> {
    // The crate sees to it that no program we start inherits the socket.
    let handed_over = ListenFd::from_env().take_tcp_listener(0).context("taking the socket that systemd holds")?;
    let Port { listener, moved } = match handed_over {
        Some(listener) => {
            let held = listener.local_addr()?;
            if held != SocketAddr::new(host, port) {
                tracing::warn!(%held, "systemd holds another address than the settings say: install the service again");
            }
            Port { listener, moved: false }
        }
        None => bind(host, port, is_known)?,
    };
    listener.set_nonblocking(true)?;
    rustix::net::listen(&listener, BACKLOG).context("listening")?;
    Ok(Port { listener, moved })
}

/// The port that a server without devices would take now.
pub(crate) fn first_free(host: IpAddr, port: u16) -> anyhow::Result<u16> {
    Ok(bind(host, port, false)?.listener.local_addr()?.port())
}

fn bind(host: IpAddr, port: u16, is_known: bool) -> anyhow::Result<Port> {
    let last = if is_known { port } else { port.saturating_add(PORTS_TRIED) };
    for candidate in port..=last {
        match TcpListener::bind((host, candidate)) {
            Ok(listener) => return Ok(Port { listener, moved: candidate != port }),
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(error).with_context(|| format!("listening on {host} port {candidate}")),
        }
    }
    if is_known {
        bail!(
            "port {port} is busy: {} holds it. Your phones know Answerback by this port, so it takes no other by itself: end that \
             program, or choose another with --port and pair the phones again",
            holder(port)
        );
    }
    bail!("the ports {port} to {last} are all busy: choose another with --port")
}

/// Who listens on a port, as far as this system tells.
fn holder(port: u16) -> String {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(|path| fs::read_to_string(path).unwrap_or_default());
    let Some(socket) = tables.iter().find_map(|table| listening(table, port)) else {
        return format!("another program (`lsof -i :{port}` may say which)");
    };
    match process_with(&format!("socket:[{}]", socket.inode)) {
        Some((id, name)) => format!("`{name}` (process {id})"),
        None => format!("a program of another user (number {})", socket.user),
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Listening {
    inode: String,
    user: String,
}

/// The socket that listens on a port in one of Linux's tables of sockets.
fn listening(table: &str, port: u16) -> Option<Listening> {
    const LISTEN: &str = "0A";
    table.lines().skip(1).find_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [_, local, _, LISTEN, _, _, _, user, _, inode, ..] = fields[..] else { return None };
        let (_, local_port) = local.rsplit_once(':')?;
        let is_it = u16::from_str_radix(local_port, 16) == Ok(port);
        is_it.then(|| Listening { inode: inode.to_owned(), user: user.to_owned() })
    })
}

/// The process that has something open, as far as we may look.
fn process_with(link: &str) -> Option<(String, String)> {
    let processes = fs::read_dir("/proc").ok()?.filter_map(Result::ok);
    let holds = |folder: &Path| {
        let open = fs::read_dir(folder.join("fd")).ok();
        open.is_some_and(|mut open| {
            open.any(|entry| entry.is_ok_and(|entry| fs::read_link(entry.path()).is_ok_and(|to| to == Path::new(link))))
        })
    };
    // Only the numbered folders are processes; `self` would be us under another name.
    let is_process = |path: &Path| {
        path.file_name().is_some_and(|name| name.as_encoded_bytes().first().is_some_and(u8::is_ascii_digit))
    };
    let found = processes.map(|entry| entry.path()).find(|path| is_process(path) && holds(path))?;
    let name = fs::read_to_string(found.join("comm")).unwrap_or_default();
    Some((found.file_name()?.to_string_lossy().into_owned(), crate::say::plain(name.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listener_is_found_in_the_table_of_sockets() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:125C 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
   1: 0100007F:125C 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001        0 22 1 0 100 0 0 10 0
";
        assert_eq!(listening(table, 4700), Some(Listening { inode: "22".to_owned(), user: "1001".to_owned() }));
        assert_eq!(listening(table, 4701), None);
        assert_eq!(listening("", 4700), None);
    }

    #[test]
    fn busy_port_is_moved_from_only_while_nobody_knows_it() {
        let taken = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let (host, port) = (IpAddr::from([127, 0, 0, 1]), taken.local_addr().expect("its address").port());
        assert!(bind(host, port, false).is_ok_and(|port| port.moved));
        let refused = bind(host, port, true).err().expect("it is busy").to_string();
        assert!(refused.contains(&format!("port {port} is busy")), "{refused}");
        if cfg!(target_os = "linux") {
            assert!(refused.contains(&format!("(process {})", std::process::id())), "it names us: {refused}");
        }
    }
}
