//! The same over HTTP, for clients that cannot start a program: on a loopback address only, with a token, and for no web page.
//!
//! A request without the token is refused (401) before any other check. Any `Origin` at all is refused (403): only browsers send
//! one, and no page has any business here. Each call stands for itself; there are no sessions to steal.

use std::convert::Infallible;
use std::io::{self, Read};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use jury::model::short_digest;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpStream;

use super::server::Server;
use crate::render;
use crate::streams::Streams;

/// The variable that holds the token, if the user has chosen one.
const TOKEN: &str = "JURY_MCP_TOKEN";
/// The one path that is served.
const PATH: &str = "/mcp";
/// How many random bytes make a token.
const TOKEN_BYTES: usize = 32;
/// The largest request.
const LARGEST_REQUEST: usize = 16 << 20;
/// How long a client may take.
const LIMITS: Limits = Limits { head: Duration::from_secs(30), body: Duration::from_secs(60) };
/// The pause after a connection that could not be accepted: with no file descriptor left, the next attempt would fail at once.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

/// How long a client may take to send a request. One that stays silent for longer is gone, and its connection is closed; an answer
/// may take as long as a review does.
#[derive(Clone, Copy)]
struct Limits {
    /// Until the request begins, and to the end of its header; also between two requests.
    head: Duration,
    /// From there to its end.
    body: Duration,
}

type Service = StreamableHttpService<Server, LocalSessionManager>;

/// Serves until the process is ended.
pub(super) async fn serve(server: Server, address: SocketAddr, streams: &mut Streams) -> io::Result<()> {
    let chosen = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
    let token = chosen.clone().map_or_else(random_token, Ok)?;
    let service = service_of(server);
    let listener = tokio::net::TcpListener::bind(address).await?;
    streams.remark(&render::note(&format!("serving on http://{}{PATH}", listener.local_addr()?)));
    if chosen.is_none() {
        // Printed once, for the user who started the server, and stored nowhere.
        streams.remark(&render::note(&format!("the token is {token}")));
    }
    let expected = digest(&token);
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        tokio::spawn(connection(stream, service.clone(), expected.clone(), LIMITS));
    }
}

fn service_of(server: Server) -> Service {
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .enforce_origin_validation();
    StreamableHttpService::new(move || Ok(server.clone()), Arc::new(LocalSessionManager::default()), config)
}

/// Serves one connection to its end. One that breaks off concerns its client alone.
async fn connection(stream: TcpStream, service: Service, expected: String, limits: Limits) {
    let answers = service_fn(move |request| {
        let (service, expected) = (service.clone(), expected.clone());
        async move { answer(&service, &expected, request, limits).await }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(limits.head);
    let _ = builder.serve_connection(TokioIo::new(stream), answers).await;
}

/// Answers one request: the token first, then the path, then the protocol. A request that does not end, or is too large, ends the
/// connection.
async fn answer(
    service: &Service,
    expected: &str,
    request: Request<Incoming>,
    limits: Limits,
) -> Result<Response<BoxBody<Bytes, Infallible>>, Unfinished> {
    if !knows_token(request.headers(), expected) {
        let mut refused = Response::new(Full::from("a bearer token is needed\n").boxed());
        *refused.status_mut() = StatusCode::UNAUTHORIZED;
        refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return Ok(refused);
    }
    if request.uri().path() != PATH {
        let mut unknown = Response::new(Full::default().boxed());
        *unknown.status_mut() = StatusCode::NOT_FOUND;
        return Ok(unknown);
    }
    let (head, body) = request.into_parts();
    let body = tokio::time::timeout(limits.body, Limited::new(body, LARGEST_REQUEST).collect()).await;
    let body = body.ok().and_then(Result::ok).ok_or(Unfinished)?.to_bytes();
    Ok(service.handle(Request::from_parts(head, Full::new(body))).await)
}

/// A request that did not arrive as a whole.
#[derive(Debug, thiserror::Error)]
#[error("the request did not arrive as a whole")]
struct Unfinished;

/// Tells whether a request carries the token. Digests are compared, so that the time it takes says nothing about the token.
fn knows_token(headers: &HeaderMap, expected: &str) -> bool {
    let header = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token =
        header.and_then(|header| header.split_once(' ')).filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
    token.is_some_and(|(_, token)| digest(token.trim()) == expected)
}

fn digest(token: &str) -> String {
    short_digest(&[token], 64)
}

fn random_token() -> io::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::workplace::WorkingDir;

    /// Sends some bytes and no more; returns all that comes back until the connection is closed.
    fn after_sending(bytes: &[u8]) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            let (stream, _) = listener.accept().unwrap();
            stream.set_nonblocking(true).unwrap();
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                let service = service_of(Server::new(WorkingDir { folder: ".".into() }));
                let short = Duration::from_millis(50);
                let stream = TcpStream::from_std(stream).unwrap();
                connection(stream, service, digest("secret"), Limits { head: short, body: short }).await;
            });
        });
        let mut client = std::net::TcpStream::connect(address).unwrap();
        client.write_all(bytes).unwrap();
        let mut answer = Vec::new();
        // The end of the connection is the end of the answer: one that stays open hangs here.
        let _ = client.read_to_end(&mut answer);
        server.join().unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    #[test]
    fn half_open_connections_are_closed() {
        let head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer secret\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n";
        for sent in ["", "POST /mcp HT", head, &format!("{head}Content-Length: 100\r\n\r\n{{\"half")] {
            let answer = after_sending(sent.as_bytes());
            assert!(!answer.starts_with("HTTP/1.1 200"), "{sent}: {answer}");
        }
        // A whole request is answered, and the idle connection closed afterwards.
        let whole = r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
        let answer = after_sending(format!("{head}Content-Length: {}\r\n\r\n{whole}", whole.len()).as_bytes());
        assert!(answer.starts_with("HTTP/1.1 "), "{answer}");
    }
}
