//! Who stands in the door: connections that have not shown a device's cookie yet.
//!
//! Anybody who reaches the port can open connections and say nothing, or say it very slowly. So strangers are few and leave
//! soon: when one too many comes the one that has waited longest goes, and none stays longer than a page takes to load. A
//! connection of a paired device ([`Visitor::is_known`]) is left alone. However many strangers there are, the next phone gets in.

use std::{
    collections::BTreeMap,
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

/// Strangers at one time. One more, and the one that came first is shown out.
const STRANGERS: usize = 256;
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
    waiting: BTreeMap<u64, CancellationToken>,
}

/// One connection, as the requests on it know it.
#[derive(Clone)]
pub(crate) struct Visitor {
    number: u64,
    door: Door,
    known: Arc<AtomicBool>,
}

impl Door {
    fn enter(&self) -> (Visitor, CancellationToken) {
        let mut strangers = self.strangers();
        strangers.came += 1;
        let (number, out) = (strangers.came, CancellationToken::new());
        strangers.waiting.insert(number, out.clone());
        if strangers.waiting.len() > STRANGERS
            && let Some((_, first)) = strangers.waiting.pop_first()
        {
            first.cancel();
        }
        (Visitor { number, door: self.clone(), known: Arc::default() }, out)
    }

    fn leave(&self, number: u64) {
        self.strangers().waiting.remove(&number);
    }

    fn strangers(&self) -> MutexGuard<'_, Strangers> {
        self.strangers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Visitor {
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
        let (visitor, out) = self.enter();
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

    fn must_go(&mut self, context: &mut Context<'_>) -> bool {
        if !self.is_over && !self.visitor.known.load(Ordering::Relaxed) {
            self.is_over = self.must_go.as_mut().poll(context).is_ready();
        }
        self.is_over
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
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Watched<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.must_go(context) {
            return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
        }
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream, duplex};

    use super::*;

    fn come_in(door: &Door, stay: Duration) -> (Watched<DuplexStream>, DuplexStream, Visitor) {
        let (near, far) = duplex(64);
        let (visitor, out) = door.enter();
        (Watched::new(near, visitor.clone(), out, stay), far, visitor)
    }

    #[tokio::test]
    async fn a_stranger_has_to_go_after_a_while_and_a_device_stays() {
        let door = Door::default();
        let (mut stranger, _far, _) = come_in(&door, Duration::ZERO);
        let (mut device, mut phone, visitor) = come_in(&door, Duration::ZERO);
        visitor.is_known();
        let refused = stranger.read_u8().await.expect_err("it has to go");
        assert_eq!(refused.kind(), io::ErrorKind::TimedOut);
        assert_eq!(stranger.write_u8(1).await.expect_err("nor does it get anything").kind(), io::ErrorKind::TimedOut);
        phone.write_u8(7).await.expect("the phone speaks");
        assert_eq!(device.read_u8().await.expect("and is heard"), 7);
    }

    #[tokio::test]
    async fn the_first_of_too_many_strangers_goes_while_it_waits() {
        let door = Door::default();
        let (mut first, _far, _) = come_in(&door, STAY);
        let (mut device, mut phone, visitor) = come_in(&door, STAY);
        visitor.is_known();
        let waiting = tokio::spawn(async move { first.read_u8().await });
        let mut others: Vec<_> = (0..STRANGERS).map(|_| come_in(&door, STAY)).collect();
        assert!(waiting.await.expect("no panic").is_err(), "the oldest is shown out");
        let (last, far, _) = others.last_mut().expect("a last one");
        far.write_u8(1).await.expect("the newest speaks");
        assert_eq!(last.read_u8().await.expect("and is heard"), 1);
        phone.write_u8(7).await.expect("the phone speaks");
        assert_eq!(device.read_u8().await.expect("and is heard"), 7);
        drop(others);
        assert!(door.strangers().waiting.is_empty(), "who leaves is forgotten");
    }
}
