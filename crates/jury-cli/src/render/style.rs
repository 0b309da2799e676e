//! The few styles there are.

use clap::builder::styling::{AnsiColor, Effects, Style};

/// Success.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().effects(Effects::BOLD);
/// Failure.
pub(crate) const BAD: Style = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);
/// A warning.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);
/// Emphasis.
pub(crate) const STRONG: Style = Style::new().effects(Effects::BOLD);
/// Secondary text.
pub(crate) const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// Puts a text in a style.
pub(crate) fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
