//! The gaps of a record that are known before any output is read.

use std::collections::BTreeMap;

use crate::model::{Domain, Gap, GapKind};
use crate::record::{Coverage, Record};

/// Returns the gaps, in a fixed order.
pub(super) fn known_gaps(record: &Record) -> Vec<Gap> {
    let mut gaps = Vec::new();
    for run in &record.runs {
        if let Some(why) = run.failure() {
            gaps.push(dead(&run.domain, &run.reviewer, format!("{} did not report: {why}", run.reviewer)));
        }
    }
    for required in &record.policy.required {
        if !record.runs.iter().any(|run| run.domain == *required || run.reviewer == *required) {
            gaps.push(dead(required, required, format!("{required} is required and did not run")));
        }
    }
    gaps.extend(unreviewed(record));
    for (reviewer, paths) in Coverage::holes(record) {
        gaps.push(Gap {
            reviewer: reviewer.clone(),
            kind: GapKind::UncoveredHunk,
            what: format!("{reviewer} was not asked about {}", first_of(&paths)),
            remedy: "review again; if that does not help, have a person review these files".to_owned(),
        });
    }
    gaps.extend(record.known_gaps());
    gaps
}

fn dead(domain: &Domain, reviewer: &Domain, what: String) -> Gap {
    let remedy = format!("make the {reviewer} reviewer run to its end, then review again");
    Gap { reviewer: domain.clone(), kind: GapKind::DeadReviewer, what, remedy }
}

/// One gap for each reason why files were not reviewed, with the first few of them.
fn unreviewed(record: &Record) -> Vec<Gap> {
    // Ordered by the word for the reason.
    let mut by_reason: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for unreviewed in &record.scope.unreviewed {
        by_reason.entry(unreviewed.why.token()).or_default().push(&unreviewed.path);
    }
    let gap = |(why, paths): (&str, Vec<&str>)| Gap {
        reviewer: Domain::new("scope").expect("the name is a plain word"),
        kind: GapKind::UncoveredHunk,
        what: format!("not reviewed ({}): {}", why.replace('-', " "), first_of(&paths)),
        remedy: "have a person review these files, or take them out of the change".to_owned(),
    };
    by_reason.into_iter().map(gap).collect()
}

/// Names the first few paths, and how many more there are.
fn first_of(paths: &[&str]) -> String {
    const MOST: usize = 3;
    let shown = paths.iter().take(MOST).copied().collect::<Vec<_>>().join(", ");
    let more = paths.len().saturating_sub(MOST);
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
