//! The gaps of a record that are known before any output is read.

use std::collections::BTreeMap;

use crate::model::{Domain, Gap, GapKind, GateOwner, Mode};
use crate::record::{Coverage, NotRead, Record, Run, TextOnly, on_one_line};

/// Returns the gaps, in a fixed order.
pub(super) fn known_gaps(record: &Record) -> Vec<Gap> {
    let mut gaps = Vec::new();
    for run in record.runs.iter().filter(|run| run.has_to_answer() && run.stands_in_for.is_none()) {
        if let Some(why) = run.failure().filter(|_| record.replaced_by(run).is_none()) {
            gaps.push(dead(&run.domain, &run.reviewer, format!("{} did not report: {why}", run.reviewer)));
        }
    }
    for required in &record.policy.required {
        if !record.runs.iter().any(|run| run.domain == *required || run.reviewer == *required) {
            gaps.push(dead(required, required, format!("{required} is required and did not run")));
        }
    }
    gaps.extend(nothing(record));
    gaps.extend(unreviewed(record).into_iter().map(|(gap, _)| gap));
    gaps.extend(read_by_nobody(record).map(|(gap, _)| gap));
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

/// Says which reviewers did not report without closing the gate, and why.
pub(super) fn excused(record: &Record) -> Vec<String> {
    let note = |run: &Run| {
        let why = run.failure().filter(|_| run.stands_in_for.is_none())?;
        let name = &run.reviewer;
        match record.replaced_by(run) {
            Some(other) => Some(format!("{} answered in place of {name}, which did not report: {why}", other.reviewer)),
            None if run.has_to_answer() => None,
            None => Some(format!("{name} is {} and did not report: {why}", run.weighting.role)),
        }
    };
    record.runs.iter().filter_map(note).collect()
}

/// The gap of a review of nothing: a PASS of no file could be taken for an approval. A quick check of no uncommitted work is ordinary.
fn nothing(record: &Record) -> Option<Gap> {
    let scope = &record.scope;
    let is_empty = scope.files.is_empty() && scope.unreviewed.is_empty();
    (is_empty && record.mode == Mode::Full).then(|| Gap {
        reviewer: self::scope(),
        kind: GapKind::UncoveredHunk,
        what: format!("nothing to review: no file differs from {}", scope.base_name),
        remedy: "make the change first, or name another base with `--base`; then review".to_owned(),
    })
}

/// One gap for each reason why files were not reviewed, with the first few of them.
fn unreviewed(record: &Record) -> Vec<(Gap, Vec<String>)> {
    // Ordered by the word for the reason.
    let mut by_reason: BTreeMap<&str, (GateOwner, Vec<&str>)> = BTreeMap::new();
    let not_read = NotRead::of(record);
    for unreviewed in record.scope.unreviewed.iter().filter(|it| !not_read.has(&it.path)) {
        let of_reason = by_reason.entry(unreviewed.why.token()).or_insert((unreviewed.why.owner(), Vec::new()));
        of_reason.1.push(&unreviewed.path);
    }
    let gap = |(why, (owner, paths)): (&str, (GateOwner, Vec<&str>))| {
        let (kind, remedy) = match owner {
            GateOwner::Person => {
                (GapKind::UnreadableFile, "have a person review these files, or take them out of the change")
            }
            GateOwner::Agent => (GapKind::UncoveredHunk, "remove the cause, or take these files out of the change"),
        };
        let what = format!("not reviewed ({}): {}", why.replace('-', " "), first_of(&paths));
        let gap = Gap { reviewer: scope(), kind, what, remedy: remedy.to_owned() };
        (gap, paths.into_iter().map(str::to_owned).collect())
    };
    by_reason.into_iter().map(gap).collect()
}

/// The gap of files with code that no grammar reads, if nobody else read them and the base does not let them pass.
fn read_by_nobody(record: &Record) -> Option<(Gap, Vec<String>)> {
    let unread = TextOnly::of(record).unread;
    let paths: Vec<&str> = unread.iter().map(|path| path.as_str()).collect();
    let gap = || Gap {
        reviewer: scope(),
        kind: GapKind::UnreadableFile,
        what: format!("read as text only, no grammar knows the code: {}", first_of(&paths)),
        remedy:
            "have a tool or an agent of your own read these files, or list them under `[scope] text_only` in jury.toml \
                 on the base"
                .to_owned(),
    };
    (!paths.is_empty()).then(|| (gap(), paths.iter().map(|path| (*path).to_owned()).collect()))
}

/// Returns the gaps that are about files, each with all of them.
pub(super) fn of_files(record: &Record) -> Vec<(Gap, Vec<String>)> {
    let answered = record.runs.iter().filter(|run| run.has_to_answer());
    let unseen =
        answered.flat_map(|run| run.unseen().iter().map(|it| (it.gap(&run.reviewer), vec![it.path.to_string()])));
    // Whoever stands in for a reviewer that was not started looks at all that changed.
    let all = || record.scope.files.iter().map(|file| file.path.to_string()).collect::<Vec<_>>();
    let not_started = record.gaps.iter().filter(|gap| gap.owner() == GateOwner::Person);
    let not_started = not_started.map(|gap| (gap.clone(), all()));
    unreviewed(record).into_iter().chain(read_by_nobody(record)).chain(unseen).chain(not_started).collect()
}

fn scope() -> Domain {
    Domain::new("scope").expect("the name is a plain word")
}

/// Names the first few paths, and how many more there are.
fn first_of(paths: &[&str]) -> String {
    const MOST: usize = 3;
    let shown = paths.iter().take(MOST).map(|path| on_one_line(path)).collect::<Vec<_>>().join(", ");
    let more = paths.len().saturating_sub(MOST);
    if more == 0 { shown } else { format!("{shown} and {more} more") }
}
