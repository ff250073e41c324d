//! A client of a running server: the page's own protocol, over TCP with a device's credential or over the owner's unix socket.
//!
//! The commands of the binary, the tests and the fault campaign speak through this. It keeps nothing of what it is told, sets no
//! time limits and never comes back by itself: that is its caller's to decide.

use std::{io, net::SocketAddr, path::Path};

use futures_util::{SinkExt as _, StreamExt as _};
use shared_types::{
    ClientMessage, Command, Credential, PROTOCOL_VERSION, Reply, ReplyData, RequestId, ServerMessage, WireError,
    socket_proof,
};
use thiserror::Error;
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpStream, UnixStream},
};
use tokio_tungstenite::{
    WebSocketStream, client_async,
    tungstenite::{
        self,
        client::IntoClientRequest as _,
        handshake::client::Request,
        http::{HeaderValue, header},
    },
};
use uuid::Uuid;

/// One frame of the socket, for those who send other things than messages of the protocol.
pub use tokio_tungstenite::tungstenite::Message as Frame;

/// What came of a request.
pub type Answer = Result<ReplyData, WireError>;

/// Why a connection cannot be made or used any more.
#[derive(Debug, Error)]
pub enum ClientError {
    /// Nobody listens there.
    #[error("connecting: {0}")]
    Unreachable(#[from] io::Error),
    /// The server does not let us in, and may say why.
    #[error("the server does not let this program in")]
    NotLetIn(Option<WireError>),
    /// The socket cannot be opened.
    #[error("opening the socket: {0}")]
    Handshake(#[source] Box<tungstenite::Error>),
    /// The socket was closed, with this code if there was one.
    #[error("the server closed the connection")]
    Closed(Option<u16>),
    /// Something that is not of the protocol.
    #[error("reading what the server says: {0}")]
    NotUnderstood(#[from] serde_json::Error),
}

impl ClientError {
    /// The code with which the socket was closed.
    #[must_use]
    pub fn close_code(&self) -> Option<u16> {
        match self {
            Self::Closed(code) => *code,
            _ => None,
        }
    }
}

/// A connection to a server.
#[derive(Debug)]
pub struct Client<S> {
    socket: WebSocketStream<S>,
    next_request: u32,
    /// What its hello has to say as proof of its key; nothing on the owner's own socket.
    proof: Option<String>,
}

impl Client<TcpStream> {
    /// Opens the socket of a paired device, and says nothing yet.
    ///
    /// # Errors
    /// When nobody listens there, or the server does not let the device in.
    pub async fn connect(address: SocketAddr, credential: &Credential) -> Result<Self, ClientError> {
        let stream = TcpStream::connect(address).await?;
        Self::open(stream, address, credential).await
    }

    /// The same over a connection that was made before.
    ///
    /// # Errors
    /// When the server does not let the device in.
    pub async fn open(stream: TcpStream, address: SocketAddr, credential: &Credential) -> Result<Self, ClientError> {
        let mut request = request(&address.to_string())?;
        let value = |text: &str| HeaderValue::from_str(text).map_err(|error| not_opened(error.into()));
        request.headers_mut().insert(header::ORIGIN, value(&format!("http://{address}"))?);
        request.headers_mut().insert(header::COOKIE, value(&credential.cookie)?);
        let mut client = Self::handshake(request, stream).await?;
        match client.next().await? {
            ServerMessage::Challenge { nonce } => client.proof = Some(socket_proof(&credential.key, &nonce)),
            _ => return Err(ClientError::NotLetIn(None)),
        }
        Ok(client)
    }
}

impl Client<UnixStream> {
    /// Opens the socket that only the server's owner can open, and says nothing yet.
    ///
    /// # Errors
    /// When no server runs there.
    pub async fn connect_local(socket: &Path) -> Result<Self, ClientError> {
        let stream = UnixStream::connect(socket).await?;
        Self::handshake(request("localhost")?, stream).await
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> Client<S> {
    async fn handshake(request: Request, stream: S) -> Result<Self, ClientError> {
        let (socket, _) = client_async(request, stream).await.map_err(not_opened)?;
        Ok(Self { socket, next_request: 1, proof: None })
    }

    /// What its hello says as proof of its key.
    #[must_use]
    pub fn proof(&self) -> Option<&str> {
        self.proof.as_deref()
    }

    /// Says hello: as a new page does, or as one that has seen a run of the server up to a number.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn hello(&mut self, seen: Option<(Uuid, u64)>) -> Result<(), ClientError> {
        let (epoch, last_seq) = seen.unzip();
        let proof = self.proof.clone();
        self.send(&ClientMessage::Hello { protocol: PROTOCOL_VERSION, epoch, last_seq, proof }).await
    }

    /// Sends a message of the protocol.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn send(&mut self, message: &ClientMessage) -> Result<(), ClientError> {
        self.send_frame(Frame::text(serde_json::to_string(message)?)).await
    }

    /// Sends any frame at all.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn send_frame(&mut self, frame: Frame) -> Result<(), ClientError> {
        self.socket.send(frame).await.map_err(|_| ClientError::Closed(None))
    }

    /// Asks for something without waiting for the answer.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn begin(&mut self, command: Command) -> Result<RequestId, ClientError> {
        let id = RequestId(self.next_request);
        self.next_request += 1;
        self.send(&ClientMessage::Request { id, command }).await?;
        Ok(id)
    }

    /// Asks for something and waits for the answer; what else arrives is passed over.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn ask(&mut self, command: Command) -> Result<Answer, ClientError> {
        let asked = self.begin(command).await?;
        loop {
            match self.next().await? {
                ServerMessage::Reply { id, result } if id == asked => return Ok(answer(result)),
                _ => {}
            }
        }
    }

    /// The next message. Can be cancelled.
    ///
    /// # Errors
    /// When the connection is lost, or what arrives is not of the protocol.
    pub async fn next(&mut self) -> Result<ServerMessage, ClientError> {
        Ok(serde_json::from_str(&self.next_text().await?)?)
    }

    /// The next message as it was written. Can be cancelled.
    ///
    /// # Errors
    /// When the connection is lost.
    pub async fn next_text(&mut self) -> Result<String, ClientError> {
        loop {
            match self.socket.next().await {
                Some(Ok(Frame::Text(text))) => return Ok(text.as_str().to_owned()),
                Some(Ok(Frame::Close(frame))) => return Err(ClientError::Closed(frame.map(|frame| frame.code.into()))),
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return Err(ClientError::Closed(None)),
            }
        }
    }

    /// What is below the socket, to break the protocol.
    pub fn stream(&mut self) -> &mut S {
        self.socket.get_mut()
    }
}

/// What a reply says.
///
/// # Errors
/// When it refuses.
pub fn answer(reply: Reply) -> Answer {
    match reply {
        Reply::Ok { data } => Ok(data),
        Reply::Refused { error } => Err(error),
    }
}

fn request(host: &str) -> Result<Request, ClientError> {
    format!("ws://{host}/ws").into_client_request().map_err(not_opened)
}

fn not_opened(error: tungstenite::Error) -> ClientError {
    match error {
        tungstenite::Error::Http(response) => {
            let reason = response.body().as_deref().and_then(|body| serde_json::from_slice(body).ok());
            ClientError::NotLetIn(reason)
        }
        other => ClientError::Handshake(Box::new(other)),
    }
}
