//! `review-md`: the Markdown twin of `review-json` (002, "Markdown Output Format"), and the way back.
//!
//! In and out: the same review summary, so JSON → Markdown → JSON is the identity. The template has no place for `side`
//! and `re_review_required`, nor for code that cannot be shown as it is; these ride in one comment at the end
//! (`trailer`). Deliberately not here: the rules of 002, which are `review_json`'s, and Markdown beyond the template.

mod blocks;
mod read;
mod text;
mod trailer;
mod write;

use super::Format;
pub use write::page;

pub(super) const FORMAT: Format = Format {
    id: "review-md",
    seed: "002",
    what: "the review summary as Markdown for people",
    extension: "md",
    states_attendance: false,
    recognises: |source| {
        let first = source.text().lines().find(|line| !line.trim().is_empty());
        first.is_some_and(|line| line.starts_with(TITLE))
    },
    read: read::read,
    write: Some(write::write),
};

/// How the first line starts.
const TITLE: &str = "# Code Review";
const FILES: &str = "## Files Reviewed";
const FINDINGS: &str = "## Findings";
const NOTES: &str = "## Reviewer Notes";
/// How the first line of a finding starts.
const FINDING: &str = "###";
/// The separator of two parts.
const RULE: &str = "---";
/// The labels below the title, in their order.
const HEADER: [&str; 4] = ["**Reviewed SHA:**", "**Base SHA:**", "**Verdict:**", "**Blocking Issues:**"];
const FILE: &str = "**File:**";
const EVIDENCE: &str = "**Evidence:**";
const SUGGESTED_FIX: &str = "**Suggested Fix:**";

/// Returns the stand-in for the title of a review without one: the start of the reviewed commit.
fn stand_in_title(reviewed_sha: &str) -> &str {
    reviewed_sha.get(..12).unwrap_or(reviewed_sha)
}
