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
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{AUTHORIZATION, HeaderValue, WWW_AUTHENTICATE};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{HeaderMap, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use jury::model::short_digest;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::server::Server;
use crate::render;
use crate::streams::Streams;

/// The variable that holds the token, if the user has chosen one.
const TOKEN: &str = "JURY_MCP_TOKEN";
/// The one path that is served.
const PATH: &str = "/mcp";
/// How many random bytes make a token.
const TOKEN_BYTES: usize = 32;
/// The pause after a connection that could not be accepted: with no file descriptor left, the next attempt would fail at once.
const ACCEPT_PAUSE: Duration = Duration::from_secs(1);

type Service = StreamableHttpService<Server, LocalSessionManager>;

/// Serves until the process is ended.
pub(super) async fn serve(server: Server, address: SocketAddr, streams: &mut Streams) -> io::Result<()> {
    let chosen = std::env::var(TOKEN).ok().filter(|token| !token.is_empty());
    let token = chosen.clone().map_or_else(random_token, Ok)?;
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .enforce_origin_validation();
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(move || Ok(server.clone()), sessions, config);
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
        let (service, expected) = (service.clone(), expected.clone());
        let answers = service_fn(move |request| {
            let (service, expected) = (service.clone(), expected.clone());
            async move { Ok::<_, Infallible>(answer(&service, &expected, request).await) }
        });
        // A connection that breaks off concerns its client alone.
        tokio::spawn(async move {
            let _ =
                http1::Builder::new().timer(TokioTimer::new()).serve_connection(TokioIo::new(stream), answers).await;
        });
    }
}

/// Answers one request: the token first, then the path, then the protocol.
async fn answer(service: &Service, expected: &str, request: Request<Incoming>) -> Response<BoxBody<Bytes, Infallible>> {
    if !knows_token(request.headers(), expected) {
        let mut refused = Response::new(Full::from("a bearer token is needed\n").boxed());
        *refused.status_mut() = StatusCode::UNAUTHORIZED;
        refused.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        return refused;
    }
    if request.uri().path() != PATH {
        let mut unknown = Response::new(Full::default().boxed());
        *unknown.status_mut() = StatusCode::NOT_FOUND;
        return unknown;
    }
    service.handle(request).await
}

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
