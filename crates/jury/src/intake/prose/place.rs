//! The place of a finding in prose.
//!
//! In: a finding and its labelled fields. Out: its file and lines. Deliberately not here: how one place is taken apart (`scalars`).

use jury_wire::Reason;

use super::Draft;
use crate::intake::finding::Refusal;
use crate::intake::ledger::Ledger;
use crate::intake::places::{first_place, is_surely_a_file, leading_line, marked_place, named_line};
use crate::intake::synonyms::Field;
use crate::intake::{location, scalars};
use crate::model::Location;

/// Reads the whole of a field that can hold nothing but a file as its path, which may have blanks.
fn whole_file(field: Field, text: &str) -> Option<scalars::FileRef<'_>> {
    let file = text.trim();
    let is_path = field == Field::File
        && file.contains(' ')
        && file.contains('/')
        && !file.contains([':', '#', ',', '(', '`', ';', '\n', '*'])
        && file.rsplit('/').next().is_some_and(is_surely_a_file)
        && file.split(' ').rev().skip(1).all(|piece| !is_surely_a_file(piece) || piece.matches('.').count() == 0);
    is_path.then_some(scalars::FileRef { file, lines: None, rest: None })
}

/// Returns the place of a finding: in front of its text, in a field, in the text, or in what stands around it.
pub(super) fn of(
    ledger: &mut Ledger<'_>,
    draft: &Draft<'_>,
    place: Option<scalars::FileRef<'_>>,
    fields: &[(Field, String)],
) -> Result<Option<Location>, Refusal> {
    let mut found = stated(ledger, draft, place, fields)?;
    if !has_lines(&found) {
        let inside = [draft.lead.as_str(), draft.body.as_str()].into_iter().find_map(marked_place);
        if let Some(place) = inside
            && let Ok(Some(location)) = location::location_of(ledger, draft.span, &place)
            && found.as_ref().is_none_or(|found| found.file == location.file)
        {
            found = Some(location);
        }
    }
    // `In src/a.ts around line 210`, `at line 40 of src/a.ts`: the line stands in the same line of text as the file.
    if let Some(location) = found.as_mut().filter(|location| location.lines.is_none()) {
        let name = location.file.as_str();
        let mut lines = draft.lead.lines().chain(draft.body.lines());
        if let Some(line) = lines.find(|line| line.contains(name)).and_then(named_line)
            && let scalars::Lines::Exact(range) | scalars::Lines::Read(range) = scalars::lines(line)
        {
            location.lines = Some(range);
        }
    }
    let found = found.or_else(|| inherited(ledger, draft, fields));
    if let Some(found) = &found {
        ledger.repair(Reason::LocationSplit, draft.span, "a place in prose", &found.to_string());
    }
    Ok(found)
}

fn has_lines(found: &Option<Location>) -> bool {
    found.as_ref().is_some_and(|location| location.lines.is_some())
}

/// Returns the place that stands in front of the text or in a field.
fn stated(
    ledger: &mut Ledger<'_>,
    draft: &Draft<'_>,
    place: Option<scalars::FileRef<'_>>,
    fields: &[(Field, String)],
) -> Result<Option<Location>, Refusal> {
    let mut found = None;
    let of_places = |field: Field| matches!(field, Field::File | Field::Place | Field::Places);
    // A field for the place with a line in it says where; a place in front of the text may be one that it speaks of.
    let is_stated = fields
        .iter()
        .any(|(field, text)| of_places(*field) && first_place(text).is_some_and(|place| place.lines.is_some()));
    if let Some(place) = place.filter(|_| !is_stated) {
        found = location::location_of(ledger, draft.span, &place)?;
    }
    for (field, text) in fields.iter().filter(|(field, _)| of_places(*field)) {
        if has_lines(&found) {
            break;
        }
        if let Some(place) = whole_file(*field, text).or_else(|| first_place(text)) {
            let place = location::location_of(ledger, draft.span, &place)?;
            if has_lines(&place) || found.is_none() {
                found = place;
            }
        }
    }
    if let Some(location) = found.as_mut().filter(|location| location.lines.is_none())
        && let Some((_, text)) = fields.iter().find(|(field, _)| *field == Field::Line)
        && let scalars::Lines::Exact(range) | scalars::Lines::Read(range) =
            scalars::lines(text.trim().trim_matches('`'))
    {
        location.lines = Some(range);
    }
    Ok(found)
}

/// Returns the place that the section or the line before names, with the line that the finding names itself.
fn inherited(ledger: &mut Ledger<'_>, draft: &Draft<'_>, fields: &[(Field, String)]) -> Option<Location> {
    let inherited = draft.inherited.as_ref()?;
    let own = leading_line(&draft.lead).map(|(lines, _)| lines).or_else(|| named_line(&draft.lead));
    let labelled = fields.iter().find(|(field, _)| *field == Field::Line).map(|(_, text)| text.trim());
    let lines = own.or(labelled).or(inherited.lines.as_deref());
    let place = scalars::FileRef { file: &inherited.file, lines, rest: None };
    location::location_of(ledger, draft.span, &place).ok().flatten()
}
