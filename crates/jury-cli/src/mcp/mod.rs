//! `jury mcp`: the Model Context Protocol for agents, over standard input and output or, on this machine alone, over HTTP.
//!
//! `tools.rs`, `resources.rs` and `prompts.rs` list the offers, one table each; `server.rs` speaks the
//! protocol; `lines.rs` and `http.rs` carry them. tokio runs nowhere else. Deliberately not here: any tool that passes, waives or
//! changes policy. An agent can query, start a review and mark findings; Jury decides the effect of a mark.

mod http;
mod lines;
mod prompts;
mod resources;
mod server;
mod tools;

use std::io;
use std::net::SocketAddr;

use rmcp::service::{QuitReason, ServerInitializeError};

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use lines::Lines;
use server::Server;

/// How many calls are at work at once; more wait for their turn.
const MOST_AT_WORK: usize = 16;

/// Serves over standard input and output until the client goes away. A review that is still at work is brought to its end.
pub(crate) fn serve_stdio(place: WorkingDir) -> Result<(), Error> {
    let ended = runtime()?.block_on(async {
        match rmcp::serve_server(Server::new(place), Lines::of_process()).await {
            Ok(running) => running.waiting().await.map_err(io::Error::other),
            // A client that leaves before the handshake is not an error.
            Err(ServerInitializeError::ConnectionClosed(_)) => Ok(QuitReason::Closed),
            Err(error) => Err(io::Error::other(error.to_string())),
        }
    });
    ended.map(|_| ()).map_err(Error::Serve)
}

/// Serves over HTTP on a loopback address, to clients with the token.
pub(crate) fn serve_http(place: WorkingDir, address: SocketAddr, streams: &mut Streams) -> Result<(), Error> {
    if !address.ip().is_loopback() {
        return Err(Error::NotLoopback(address));
    }
    runtime()?.block_on(http::serve(Server::new(place), address, streams)).map_err(Error::Serve)
}

/// Describes every tool as a client sees it, with the name of the schema of its results.
pub(crate) fn described_tools() -> Vec<(serde_json::Value, &'static str)> {
    let described = |tool: &tools::Entry| {
        let value = serde_json::to_value(tool.described()).expect("strings and schemas are always JSON");
        (value, tool.returns)
    };
    tools::TOOLS.iter().map(described).collect()
}

fn runtime() -> Result<tokio::runtime::Runtime, Error> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(MOST_AT_WORK).build();
    runtime.map_err(Error::Serve)
}
