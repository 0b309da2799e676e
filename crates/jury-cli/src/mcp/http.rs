//! The same over HTTP, for clients that cannot start a program: on a loopback address only, with a token, and for no web page.
//!
//! Whoever has no token is refused (401) before anything else is looked at. Any `Origin` at all is refused (403): only browsers send
//! one, and no page has any business here. Each call stands for itself; there are no sessions to steal.

use std::io::{self, Read};
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::AUTHORIZATION;
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use jury::model::short_digest;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use super::server::Server;
use crate::render;
use crate::streams::Streams;

/// The variable that holds the token, if the user has chosen one.
const TOKEN: &str = "JURY_MCP_TOKEN";
/// How many random bytes make a token.
const TOKEN_BYTES: usize = 32;

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
    let guard = from_fn_with_state(digest(&token), check_token);
    let router = axum::Router::new().route_service("/mcp", service).layer(guard);
    let listener = tokio::net::TcpListener::bind(address).await?;
    streams.remark(&render::note(&format!("serving on http://{}/mcp", listener.local_addr()?)));
    if chosen.is_none() {
        // Said once, to whoever started this, and kept nowhere.
        streams.remark(&render::note(&format!("the token is {token}")));
    }
    axum::serve(listener, router).await
}

/// Lets through whoever knows the token. Digests are compared, so that the time it takes says nothing about the token.
async fn check_token(State(expected): State<String>, request: Request, next: Next) -> Response {
    let header = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token =
        header.and_then(|header| header.split_once(' ')).filter(|(kind, _)| kind.eq_ignore_ascii_case("bearer"));
    match token {
        Some((_, token)) if digest(token.trim()) == expected => next.run(request).await,
        _ => (StatusCode::UNAUTHORIZED, [("www-authenticate", "Bearer")], "a bearer token is needed\n").into_response(),
    }
}

fn digest(token: &str) -> String {
    short_digest(&[token], 64)
}

fn random_token() -> io::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    std::fs::File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
