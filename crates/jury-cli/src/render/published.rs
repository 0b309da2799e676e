//! What was published in a pull request. For programs first; what people see is made from the same values.

use jury::flows::publish::{Published, describe};
use jury::forge::Place;
use jury_wire::v1::surface as wire;

use super::style::{BAD, FAINT, GOOD, WARN};
use super::{count, inert, painted};

/// Says what was published, for programs.
pub(crate) fn wire_published(published: &Published, place: &Place) -> wire::Published {
    let unposted = published.unposted.iter();
    let is_unplaced = |print: &str| published.unplaced.contains(print);
    let unplaced = published.said.findings.iter().filter(|it| is_unplaced(&it.key.fingerprint));
    wire::Published {
        complete: published.unposted.is_empty(),
        forge: place.forge.to_owned(),
        repo: place.repo.clone(),
        number: place.number,
        head: published.said.head.clone(),
        review_id: published.said.review_id.clone(),
        written: published.written.iter().map(describe).collect(),
        unposted: unposted.map(|(what, why)| wire::Unposted { what: what.clone(), why: why.clone() }).collect(),
        unplaced: unplaced.map(|it| it.key.id.clone()).collect(),
        resolved_by_people: published.resolved_by_people,
        absent: published.absent,
        reads: published.requests.0,
        writes: published.requests.1,
    }
}

/// Shows what was published.
pub(crate) fn published(published: &wire::Published, is_dry: bool) -> String {
    let head: String = published.head.chars().take(12).collect();
    let at = format!("review {} in {}#{} at {head}", published.review_id, published.repo, published.number);
    let word = match (published.complete, is_dry, published.written.is_empty()) {
        (false, ..) => painted(BAD, "not all published:"),
        (true, _, true) => painted(GOOD, "published already:"),
        (true, true, false) => painted(WARN, "would publish:"),
        (true, false, false) => painted(GOOD, "published:"),
    };
    let mut text = format!("{word} {}\n", inert::line(&at));
    for what in &published.written {
        text.push_str(&format!("  {} {}\n", painted(GOOD, if is_dry { "·" } else { "✓" }), inert::line(what)));
    }
    for wire::Unposted { what, why } in &published.unposted {
        text.push_str(&format!("  {} {}\n    {}\n", painted(BAD, "✗"), inert::line(what), inert::line(why)));
    }
    for id in &published.unplaced {
        let what = format!("{id}: no place for a comment; it is in the summary");
        text.push_str(&format!("  {} {}\n", painted(WARN, "!"), inert::line(&what)));
    }
    let kept = published.resolved_by_people;
    if kept > 0 {
        text.push_str(&format!(
            "  {} resolved by a person while the finding stands\n",
            count(kept, "thread", "threads")
        ));
    }
    if published.absent > 0 {
        text.push_str(&format!(
            "  {} about findings that this review does not have\n",
            count(published.absent, "thread", "threads")
        ));
    }
    let requests = format!("{} to read, {} to write", count(published.reads, "request", "requests"), published.writes);
    text.push_str(&format!("{}\n", painted(FAINT, &requests)));
    text
}
