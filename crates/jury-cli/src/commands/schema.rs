//! `jury schema`: the JSON Schemas that are published.

use jury_wire::{ExitCode, Schema};

use crate::error::Error;
use crate::streams::Streams;
use crate::{help, ids, render};

fn examples() -> String {
    help::after_help(&[("jury schema", "List the schemas"), ("jury schema check-output", "Print one schema")], &[])
}

/// Print the JSON Schema of a format or output, or list the schemas
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Schema to print
    #[arg(value_name = "ID", value_parser = ids::schemas(), hide_possible_values = true)]
    schema: Option<&'static Schema>,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    match arguments.schema {
        Some(schema) => streams.document(&schema.to_text()),
        None => {
            let rows = Schema::ALL.iter().map(|schema| [schema.name, schema.what]);
            streams.show(&render::table(["SCHEMA", "DESCRIBES"], rows));
        }
    }
    Ok(ExitCode::Clear)
}
