//! The few styles there are.

use clap::builder::styling::{AnsiColor, Effects, Style};

/// What is as it should be.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().effects(Effects::BOLD);
/// What is not.
pub(crate) const BAD: Style = AnsiColor::BrightRed.on_default().effects(Effects::BOLD);
/// What needs a look.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().effects(Effects::BOLD);
/// What stands out.
pub(crate) const STRONG: Style = Style::new().effects(Effects::BOLD);
/// What steps back.
pub(crate) const FAINT: Style = Style::new().effects(Effects::DIMMED);

/// Puts a text in a style.
pub(crate) fn painted(style: Style, text: &str) -> String {
    format!("{style}{text}{style:#}")
}
