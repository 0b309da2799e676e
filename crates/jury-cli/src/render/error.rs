//! Errors as people see them: the message with its causes, and a hint.

use super::style::{BAD, STRONG};
use super::{inert, painted};
use crate::error::Error;

/// Shows why a command could not do its work.
pub(crate) fn error(error: &Error) -> String {
    with_hint(&message(error), error.hint())
}

/// Says the same in one plain line, for a program that passes it on.
pub(crate) fn told(error: &Error) -> String {
    let hint = error.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("{}{hint}", inert::line(&message(error)))
}

fn message(error: &Error) -> String {
    let mut message = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(source) = cause {
        message = format!("{message}: {source}");
        cause = source.source();
    }
    message
}

/// Shows a refusal in the same shape.
pub(crate) fn with_hint(message: &str, hint: Option<&str>) -> String {
    let mut text = format!("{}{} {}\n", painted(BAD, "error"), painted(STRONG, ":"), inert::line(message));
    if let Some(hint) = hint {
        text.push_str(&format!("  {} {hint}\n", painted(STRONG, "= help:")));
    }
    text
}

/// Shows something that a person should know beside the result.
pub(crate) fn note(message: &str) -> String {
    format!("{}{} {}\n", painted(STRONG, "note"), painted(STRONG, ":"), inert::line(message))
}
