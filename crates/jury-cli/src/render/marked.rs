//! Edits of the state: marks, a waiver, a restored file.

use jury::flows::waive::Waived;
use jury::model::{Status, Waiver};
use jury::store::Restored;

use super::style::{FAINT, GOOD, STRONG};
use super::{inert, painted};

/// A finding that was marked.
pub(crate) struct Marked {
    /// Its id.
    pub(crate) id: String,
    /// Whether it is one of the quick check alone.
    pub(crate) is_quick: bool,
    /// Whether it closes the gate while it stands.
    pub(crate) closes: bool,
}

/// Shows the marked findings: what a mark changed, in words that nobody takes for a pass.
pub(crate) fn marked(marked: &[Marked], status: Status) -> String {
    let line = |Marked { id, is_quick, closes }: &Marked| {
        let what = match status {
            Status::Fixed if *is_quick => "marked fixed (unverified); a claim until `jury review --quick` looks again",
            Status::Fixed if *closes => "marked fixed (unverified); gate closed until `jury verify`",
            Status::Fixed => "marked fixed (unverified); `jury verify` checks it",
            Status::WontFix if *closes => "marked wont_fix (declined); gate closed until a person decides",
            Status::WontFix => "marked wont_fix (declined)",
            _ => "marked open; the mark is taken back",
        };
        format!("{} {}\n", painted(STRONG, &format!("{}:", inert::line(id))), what)
    };
    marked.iter().map(line).collect()
}

/// Shows the waiver, and that it does not count yet.
pub(crate) fn waived(waived: &Waived) -> String {
    let mut text = String::new();
    for about in &waived.about {
        text.push_str(&format!("{} {}\n", painted(GOOD, "waived"), inert::line(about)));
    }
    let Waiver { finding, author, expires, .. } = &waived.waiver;
    let facts = format!("{finding}, by {author}, until {expires}, in .jury/waivers.toml");
    text.push_str(&format!("{}\n", painted(FAINT, &inert::line(&facts))));
    if waived.about.len() > 1 {
        text.push_str("several places have the same code; the waiver covers all of them\n");
    }
    let next = "commit .jury/waivers.toml on the base branch, not in this change; then run `jury review`";
    text.push_str(&format!("{} {next}\n", painted(FAINT, "next:")));
    text
}

/// Shows the restored file.
pub(crate) fn restored(restored: &Restored) -> String {
    if !restored.was_needed {
        return "the verdict file matches the seal; nothing to restore\n".to_owned();
    }
    let mut text = format!("{} .code-review/review-latest.json\n", painted(GOOD, "restored"));
    if let Some(kept) = &restored.kept {
        text.push_str(&format!("the previous file is kept as {}\n", inert::line(kept.as_str())));
    }
    for (id, status) in &restored.claims {
        text.push_str(&format!("kept: {} is marked {status}\n", inert::line(id)));
    }
    text
}
