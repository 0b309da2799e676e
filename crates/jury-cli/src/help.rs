//! The end of every command's help: examples and exit codes, in columns.
//!
//! Formats that an example names are taken from the table, so that every example can be run as it is printed.

use jury::formats::{FORMATS, Format};
use jury_wire::ExitCode;

/// Returns the id of a JSON format that can be written, to stand in examples.
pub(crate) fn some_format() -> &'static str {
    let is_example = |format: &&&Format| format.is_writable() && format.extension == "json";
    FORMATS.iter().find(is_example).map_or("ID", |format| format.id)
}

/// Sets the examples and the exit codes with their descriptions.
pub(crate) fn after_help(examples: &[(&str, &str)], exit_codes: &[(ExitCode, &str)]) -> String {
    let width = examples.iter().map(|(example, _)| example.chars().count()).max().unwrap_or(0);
    let mut lines = vec!["Examples:".to_owned()];
    lines.extend(examples.iter().map(|(example, what)| format!("  {example:<width$}  {what}")));
    if !exit_codes.is_empty() {
        lines.extend([String::new(), "Exit codes:".to_owned()]);
        lines.extend(exit_codes.iter().map(|(code, what)| format!("  {}  {what}", code.code())));
    }
    lines.join("\n")
}
