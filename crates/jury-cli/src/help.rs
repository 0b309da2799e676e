//! The help: the commands in groups, and the end of every command's page with examples and exit codes, in columns.
//!
//! Formats that an example names are taken from the table, so that every example can be run as it is printed.

use jury::formats::{FORMATS, Format};
use jury_wire::ExitCode;

/// Returns the id of a JSON format that can be written, to stand in examples.
pub(crate) fn some_format() -> &'static str {
    let is_example = |format: &&&Format| format.is_writable() && format.extension == "json";
    FORMATS.iter().find(is_example).map_or("ID", |format| format.id)
}

/// Sets the page of the whole program, with its commands in groups.
pub(crate) fn in_groups(command: &clap::Command, groups: &[(&str, &[&str])]) -> String {
    let names = groups.iter().flat_map(|(_, names)| names.iter());
    let width = names.map(|name| name.chars().count()).max().unwrap_or(0);
    let (header, literal) = (command.get_styles().get_header(), command.get_styles().get_literal());
    let mut lines = vec!["{about-with-newline}\n{usage-heading} {usage}".to_owned()];
    for (title, names) in groups {
        lines.push(format!("\n{header}{title}:{header:#}"));
        for found in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let (name, about) = (found.get_name(), found.get_about().map(ToString::to_string).unwrap_or_default());
            let space = " ".repeat(width - name.chars().count());
            lines.push(format!("  {literal}{name}{literal:#}{space}  {about}"));
        }
    }
    lines.push(format!("\n{header}Options:{header:#}\n{{options}}{{after-help}}"));
    lines.join("\n")
}

/// How wide a page is at most.
pub(crate) const WIDEST: usize = 100;

/// Sets the examples and the exit codes with their descriptions. Columns that are too wide for the page become lines.
pub(crate) fn after_help(examples: &[(&str, &str)], exit_codes: &[(ExitCode, &str)]) -> String {
    let longest = |texts: &mut dyn Iterator<Item = &str>| texts.map(|text| text.chars().count()).max().unwrap_or(0);
    let width = longest(&mut examples.iter().map(|(example, _)| *example));
    let is_too_wide = 2 + width + 2 + longest(&mut examples.iter().map(|(_, what)| *what)) > WIDEST;
    let mut lines = vec!["Examples:".to_owned()];
    lines.extend(examples.iter().map(|(example, what)| match is_too_wide {
        true => format!("  {example}\n      {what}"),
        false => format!("  {example:<width$}  {what}"),
    }));
    if !exit_codes.is_empty() {
        lines.extend([String::new(), "Exit codes:".to_owned()]);
        lines.extend(exit_codes.iter().map(|(code, what)| format!("  {}  {what}", code.code())));
    }
    lines.join("\n")
}
