//! The losses of a conversion, and the filled-in values, finding by finding.

use jury::formats::Format;
use jury::model::{Difference, Report};

use super::style::{FAINT, STRONG};
use super::{count, inert, painted};

/// The longest value or title that is shown, in characters.
const LONGEST_VALUE: usize = 60;

/// Lists the lost values. An empty list gives no text.
pub(crate) fn losses(report: &Report, losses: &[Difference], target: &Format) -> String {
    let heading = format!("{} in `{}`", count(losses.len(), "loss", "losses"), target.id);
    list(&heading, losses, report)
}

/// Lists the required values that the source lacks. An empty list gives no text.
pub(crate) fn filled_in(report: &Report, filled: &[Difference], target: &Format) -> String {
    let heading = format!("{} filled in, as `{}` requires", count(filled.len(), "field", "fields"), target.id);
    list(&heading, filled, report)
}

fn list(heading: &str, differences: &[Difference], report: &Report) -> String {
    if differences.is_empty() {
        return String::new();
    }
    let mut text = format!("{}\n", painted(STRONG, &format!("{heading}:")));
    for of_one in differences.chunk_by(|a, b| a.claim_index == b.claim_index) {
        text.push_str(&format!("  {}\n", whose(of_one[0].claim_index, report)));
        of_one.iter().for_each(|difference| text.push_str(&line(difference)));
    }
    text
}

/// Names the finding, or the report itself.
fn whose(claim_index: Option<usize>, report: &Report) -> String {
    let Some(index) = claim_index else { return "report".to_owned() };
    let number = index + 1;
    let title = report.claims.get(index).map(|claim| inert::short_line(claim.title.as_str(), LONGEST_VALUE));
    format!("finding {number}: {}", title.unwrap_or_default())
}

fn line(difference: &Difference) -> String {
    let shown = |value: &str| inert::short_line(value, LONGEST_VALUE);
    let is = difference.is.as_deref().map_or_else(|| painted(FAINT, "dropped"), shown);
    let was = difference.was.as_deref().map(|was| format!("{} {} ", shown(was), painted(FAINT, "→")));
    format!("    {}: {}{is}\n", inert::line(&difference.field), was.unwrap_or_default())
}
