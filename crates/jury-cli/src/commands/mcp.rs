//! `jury mcp`: serves the Model Context Protocol.

use std::net::SocketAddr;

use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::Place;
use crate::{help, mcp};

/// Any free port of this machine.
const ANY_PORT: &str = "127.0.0.1:0";

fn examples() -> String {
    help::after_help(
        &[
            ("jury mcp", "Serve the client that started this, over standard input and output"),
            ("claude mcp add jury -- jury mcp", "Have Claude Code start it"),
            ("jury mcp --http 127.0.0.1:7788", "Serve over HTTP on this machine; the token is said once"),
        ],
        &[
            (ExitCode::Clear, "the client went away"),
            (ExitCode::Usage, "the command was not understood, or the address cannot be served on"),
        ],
    )
}

/// Serve agents over the Model Context Protocol
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Serve over HTTP on a loopback address, any free port unless one is named; JURY_MCP_TOKEN holds the token
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = ANY_PORT)]
    http: Option<SocketAddr>,
    #[command(flatten)]
    place: Place,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    match arguments.http {
        None => mcp::serve_stdio(arguments.place)?,
        Some(address) => mcp::serve_http(arguments.place, address, streams)?,
    }
    Ok(ExitCode::Clear)
}
