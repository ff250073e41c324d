//! Who stands in the door: connections on which no device has proved its key yet.
//!
//! Anybody who reaches the port can open connections and say nothing, or say it very slowly. So there is room for a limited number
//! of strangers and of bytes from them, and they leave soon. When there is one too many, the source address that has most loses
//! the connection that has waited longest: a crowd pushes out its own and not a slow phone. A connection of a paired device
//! ([`Visitor::is_known`]) is left alone.

#[cfg(test)]
mod tests;

use std::{
    collections::{BTreeMap, HashMap},
    future::{Ready, ready},
    io,
    pin::Pin,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    task::{Context, Poll},
    time::Duration,
};

use axum::{Extension, middleware::AddExtension};
use axum_server::accept::Accept;
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    time::timeout,
};
use tokio_util::sync::CancellationToken;
use tower::Layer as _;

use crate::access::Source;

/// Strangers at one time: a thousand phones of one owner, behind one address, may all come back in the same moment. One more, and
/// one of the source that has most is shown out.
const STRANGERS: usize = 2048;
/// What one stranger may have sent without having been answered. The requests of a page are far smaller.
const STRANGER_BYTES: usize = 64 * 1024;
/// What all of them together may have sent without having been answered. More, and one of the source that sent most is shown out.
const STRANGERS_BYTES: usize = 4 << 20;
/// How long a stranger may stay. A browser that still wants something comes again by itself.
const STAY: Duration = Duration::from_secs(30);

/// The door, as axum-server's acceptor.
#[derive(Clone, Default)]
pub(crate) struct Door {
    strangers: Arc<Mutex<Strangers>>,
}

#[derive(Default)]
struct Strangers {
    came: u64,
    /// By number: the first is the one that has waited longest.
    waiting: BTreeMap<u64, Stranger>,
    connections: HashMap<Source, usize>,
    /// What they have sent without having been answered, together.
    bytes: usize,
}

struct Stranger {
    source: Source,
    bytes: usize,
    out: CancellationToken,
}

/// One connection, as the requests on it know it.
#[derive(Clone)]
pub(crate) struct Visitor {
    number: u64,
    source: Source,
    door: Door,
    known: Arc<AtomicBool>,
}

impl Door {
    fn enter(&self, source: Source) -> (Visitor, CancellationToken) {
        let out = CancellationToken::new();
        let number = self.strangers().enter(source, out.clone());
        (Visitor { number, source, door: self.clone(), known: Arc::default() }, out)
    }

    fn leave(&self, number: u64) {
        self.strangers().remove(number);
    }

    fn strangers(&self) -> MutexGuard<'_, Strangers> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Strangers {
    fn enter(&mut self, source: Source, out: CancellationToken) -> u64 {
        self.came += 1;
        self.waiting.insert(self.came, Stranger { source, bytes: 0, out });
        *self.connections.entry(source).or_default() += 1;
        if self.waiting.len() > STRANGERS {
            let crowd = self.connections.iter().max_by_key(|(_, count)| **count).map(|(source, _)| *source);
            let first = self.waiting.iter().find(|(_, stranger)| Some(stranger.source) == crowd);
            self.show_out(first.map(|(number, _)| *number));
        }
        self.came
    }

    /// Counts what a stranger has sent; whoever sends too much has to go.
    fn on_sent(&mut self, number: u64, count: usize) {
        let Some(stranger) = self.waiting.get_mut(&number) else { return };
        stranger.bytes += count;
        self.bytes += count;
        if stranger.bytes > STRANGER_BYTES {
            self.show_out(Some(number));
        }
        while self.bytes > STRANGERS_BYTES {
            let mut sent: HashMap<Source, usize> = HashMap::new();
            for stranger in self.waiting.values() {
                *sent.entry(stranger.source).or_default() += stranger.bytes;
            }
            let most = sent.into_iter().max_by_key(|(_, bytes)| *bytes).map(|(source, _)| source);
            let theirs = self.waiting.iter().filter(|(_, stranger)| Some(stranger.source) == most);
            let largest = theirs.max_by_key(|(_, stranger)| stranger.bytes).map(|(number, _)| *number);
            self.show_out(largest);
        }
    }

    /// What was asked is answered: nothing of it is held any more.
    fn on_answered(&mut self, number: u64) {
        if let Some(stranger) = self.waiting.get_mut(&number) {
            self.bytes -= std::mem::take(&mut stranger.bytes);
        }
    }

    fn show_out(&mut self, number: Option<u64>) {
        if let Some(stranger) = number.and_then(|number| self.remove(number)) {
            stranger.out.cancel();
        }
    }

    fn remove(&mut self, number: u64) -> Option<Stranger> {
        let stranger = self.waiting.remove(&number)?;
        self.bytes -= stranger.bytes;
        if let Some(count) = self.connections.get_mut(&stranger.source) {
            *count -= 1;
            if *count == 0 {
                self.connections.remove(&stranger.source);
            }
        }
        Some(stranger)
    }
}

impl Visitor {
    /// Where it comes from.
    pub(crate) fn source(&self) -> Source {
        self.source
    }

    /// A paired device is on this connection: it may stay.
    pub(crate) fn is_known(&self) {
        self.known.store(true, Ordering::Relaxed);
        self.door.leave(self.number);
    }
}

impl<S> Accept<TcpStream, S> for Door {
    type Stream = Watched<TcpStream>;
    type Service = AddExtension<S, Visitor>;
    type Future = Ready<io::Result<(Self::Stream, Self::Service)>>;

    fn accept(&self, stream: TcpStream, service: S) -> Self::Future {
        // Prompts are small and urgent: none waits for more to travel with.
        let _ = stream.set_nodelay(true);
        let source = stream.peer_addr().map(|address| address.ip().into()).unwrap_or_default();
        let (visitor, out) = self.enter(source);
        let service = Extension(visitor.clone()).layer(service);
        ready(Ok((Watched::new(stream, visitor, out, STAY), service)))
    }
}

/// A stream that ends when its visitor has to go.
pub(crate) struct Watched<S> {
    stream: S,
    visitor: Visitor,
    must_go: Pin<Box<dyn Future<Output = ()> + Send>>,
    is_over: bool,
}

impl<S> Watched<S> {
    fn new(stream: S, visitor: Visitor, out: CancellationToken, stay: Duration) -> Self {
        let must_go = Box::pin(async move {
            let _ = timeout(stay, out.cancelled()).await;
        });
        Self { stream, visitor, must_go, is_over: false }
    }

    fn is_stranger(&self) -> bool {
        !self.visitor.known.load(Ordering::Relaxed)
    }

    fn must_go(&mut self, context: &mut Context<'_>) -> bool {
        if !self.is_over && self.is_stranger() {
            self.is_over = self.must_go.as_mut().poll(context).is_ready();
        }
        self.is_over
    }
}

impl<S> Watched<S> {
    fn on_write(&self) {
        if self.is_stranger() {
            self.visitor.door.strangers().on_answered(self.visitor.number);
        }
    }
}

impl<S> Drop for Watched<S> {
    fn drop(&mut self) {
        self.visitor.door.leave(self.visitor.number);
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Watched<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.must_go(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(context, into);
        let count = into.filled().len() - before;
        if count > 0 && self.is_stranger() {
            self.visitor.door.strangers().on_sent(self.visitor.number, count);
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.must_go(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        self.on_write();
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.must_go(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
        self.on_write();
        Pin::new(&mut self.stream).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
