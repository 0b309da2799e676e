//! A line of reviewed code with a caret under the marked part, inert and without secrets.

use jury::model::{Claim, Location};

use super::style::{BAD, FAINT};
use super::{inert, painted};

/// The longest part of a line that is shown, in characters.
const LONGEST: usize = 140;

/// Shows the first line that a claim is about, if the file has it.
pub(crate) fn line_of(claim: &Claim, location: &Location, text: &str) -> Option<String> {
    let number = location.lines?.start().get();
    let line = text.lines().nth(number as usize - 1)?;
    let (start, length) = marked(claim, location, line);
    let gutter = number.to_string().len().max(4);
    let shown: String = line.chars().take(LONGEST).map(inert::character).collect();
    let shown = jury_rules::redact(&shown).into_owned();
    let width =
        |chars: &mut dyn Iterator<Item = char>| chars.map(|c| inert::character(c).chars().count()).sum::<usize>();
    let before = width(&mut line.chars().take(start.min(LONGEST)));
    let under = width(&mut line.chars().skip(start).take(length.min(LONGEST.saturating_sub(start)))).max(1);
    let bar = painted(FAINT, "│");
    let caret = painted(BAD, &"^".repeat(under));
    Some(format!(
        "{} {bar} {shown}\n{} {bar} {}{caret}\n",
        painted(FAINT, &format!("{number:>gutter$}")),
        " ".repeat(gutter),
        " ".repeat(before)
    ))
}

/// Finds the part to mark, in characters: the quote if the line has it, else from the column on, else all that is not blank.
fn marked(claim: &Claim, location: &Location, line: &str) -> (usize, usize) {
    let whole = line.trim();
    let quoted =
        claim.evidence.iter().map(|quote| quote.trim()).find(|quote| !quote.is_empty() && line.contains(quote));
    let part = quoted.or((!whole.is_empty()).then_some(whole)).unwrap_or_default();
    let at = line.find(part).unwrap_or_default();
    let start = line[..at].chars().count();
    match location.column.map(|column| column.get() as usize - 1) {
        Some(column) if quoted.is_none() && column < line.chars().count() => {
            (column, line.trim_end().chars().count().saturating_sub(column))
        }
        _ => (start, part.chars().count()),
    }
}
