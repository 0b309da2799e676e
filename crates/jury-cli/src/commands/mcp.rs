//! `jury mcp`: serves the Model Context Protocol.

use std::net::SocketAddr;

use jury_wire::ExitCode;

use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::WorkingDir;
use crate::{help, mcp};

/// Any free port of this machine.
const ANY_PORT: &str = "127.0.0.1:0";

fn examples() -> String {
    help::after_help(
        &[
            ("jury mcp", "Serve over standard input and output"),
            ("claude mcp add jury -- jury mcp", "Register the server in Claude Code"),
            ("jury mcp --http 127.0.0.1:7788", "Serve over local HTTP; the token is printed once"),
        ],
        &[
            (ExitCode::Clear, "the client disconnected"),
            (ExitCode::Usage, "invalid command line, or the address cannot be used"),
        ],
    )
}

/// Serve the Model Context Protocol to agents
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Loopback address for HTTP, by default on any free port; JURY_MCP_TOKEN sets the token
    #[arg(long, value_name = "ADDR", num_args = 0..=1, default_missing_value = ANY_PORT)]
    http: Option<SocketAddr>,
    #[command(flatten)]
    place: WorkingDir,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    match arguments.http {
        None => mcp::serve_stdio(arguments.place)?,
        Some(address) => mcp::serve_http(arguments.place, address, streams)?,
    }
    Ok(ExitCode::Clear)
}
