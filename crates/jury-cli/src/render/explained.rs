//! The explanation of a verdict. In: the record and its judgement. Out: the reviewers, their coverage and the suppressed claims.

use std::collections::BTreeSet;

use jury::flows::GateView;
use jury::judge::{Judgement, unheard};
use jury::model::PackageChange;
use jury::record::{Cell, Coverage, NotRead, Record, Row, places};
use jury::synthesis::Settled;
use jury_wire::v1::surface as wire;

use super::gate_view::{gate_lines, wire_gate};
use super::reviewed::verdict;
use super::style::{BAD, FAINT, GOOD, STRONG};
use super::{count, inert, painted};

/// Why a report that is there does not count as one.
const UNHEARD: &str = "its answer was not understood, or only in part";

/// Explains the verdict, for programs.
pub(crate) fn wire_explained(view: &GateView, record: &Record, judgement: &Judgement) -> wire::Explained {
    let file = &judgement.file;
    let of = |severity: &str| -> Vec<String> {
        file.findings.iter().filter(|finding| finding.severity == severity).map(|finding| finding.id.clone()).collect()
    };
    let (rule, because) = match file.verdict.as_str() {
        "ABORT" => ("at least one Blocker is system-breaking", of("Blocker")),
        "FAIL" => ("at least one Blocker stands", of("Blocker")),
        "WARN" => ("no Blocker and at least one High stands", of("High")),
        _ => ("neither a Blocker nor a High stands", Vec::new()),
    };
    let synthesis = &judgement.merged.synthesis;
    let unheard = unheard(record, &judgement.merged);
    let (packages, more_packages) = record.packages();
    wire::Explained {
        review_id: file.review_id.clone(),
        verdict: file.verdict.clone(),
        rule: rule.to_owned(),
        because,
        reviewers: record
            .runs
            .iter()
            .enumerate()
            .map(|(index, run)| wire::ReviewerRun {
                reviewer: run.reviewer.to_string(),
                failure: run
                    .failure()
                    .map(str::to_owned)
                    .or_else(|| unheard.contains(&index).then(|| UNHEARD.to_owned())),
                skipped: run.skipped().map(str::to_owned),
            })
            .collect(),
        coverage: wire_coverage(record, &unheard),
        not_read: NotRead::of(record).lines(),
        packages: packages.iter().map(|package| wire_package(package)).collect(),
        more_packages,
        aside: wire_aside(judgement),
        ignored: synthesis.ignored().filter_map(wire_ignored).collect(),
        notes: synthesis.residual_risks.clone(),
        gate: wire_gate(view),
    }
}

/// Returns a package that moved, for programs.
fn wire_package(package: &PackageChange) -> wire::PackageChange {
    wire::PackageChange {
        lockfile: package.lockfile.to_string(),
        name: package.name.clone(),
        gone: package.gone.clone(),
        came: package.came.clone(),
        source: package.source.clone(),
    }
}

/// Shows the packages that moved.
fn package_lines(explained: &wire::Explained) -> String {
    const MOST: usize = 20;
    let mut text = String::new();
    if explained.packages.is_empty() {
        return text;
    }
    text.push_str(&format!("\n{}\n", painted(STRONG, "packages")));
    for package in explained.packages.iter().take(MOST) {
        let versions = |versions: &[String]| inert::short_line(&versions.join(", "), 80).to_string();
        let moved = match (package.gone.is_empty(), package.came.is_empty()) {
            (true, true) => String::new(),
            (true, false) => format!(" {}", versions(&package.came)),
            (false, true) => format!(" {}", versions(&package.gone)),
            (false, false) => format!(" {} → {}", versions(&package.gone), versions(&package.came)),
        };
        let mark = match (package.gone.is_empty(), package.came.is_empty()) {
            (true, false) => "+",
            (false, true) => "-",
            _ => "~",
        };
        let source =
            package.source.as_ref().map(|source| format!(", from {}", inert::line(source))).unwrap_or_default();
        let place = painted(FAINT, &format!("({})", inert::line(&package.lockfile)));
        text.push_str(&format!("  {mark} {}{moved}{source} {place}\n", inert::line(&package.name)));
    }
    let more = explained.packages.len().saturating_sub(MOST) as u64 + explained.more_packages;
    text.extend((more > 0).then(|| format!("  and {more} more\n")));
    text
}

/// Returns the coverage by reviewer, for programs.
fn wire_coverage(record: &Record, unheard: &BTreeSet<usize>) -> wire::Coverage {
    let Coverage { reviewers, rows } = Coverage::of(record, unheard);
    let file = |row: Row| wire::CoveredFile {
        path: row.path,
        hunks: row.hunks,
        cells: row.cells.iter().map(|cell| cell.token().to_owned()).collect(),
    };
    wire::Coverage { reviewers, files: rows.into_iter().map(file).collect() }
}

/// Says how much of the change a reviewer saw, and the first places that it missed.
fn extent(coverage: &wire::Coverage, reviewer: &str) -> Option<String> {
    const MOST: usize = 3;
    let index = coverage.reviewers.iter().position(|named| named == reviewer)?;
    let places = |cell: Cell| -> Vec<String> {
        let files = coverage.files.iter().filter(|file| Cell::from_token(&file.cells[index]) == Some(cell));
        files.flat_map(|file| places(&file.path, &file.hunks)).collect()
    };
    let (seen, missed, others) = (places(Cell::Seen).len(), places(Cell::Missed), places(Cell::NotAsked).len());
    let text_only = places(Cell::TextOnly);
    let asked = seen + missed.len() + text_only.len();
    let not_for_it = if others == 0 { String::new() } else { format!(", {others} not for it") };
    let mut text = format!("{seen} of {}{not_for_it}", count(asked, "hunk", "hunks"));
    for (what, places) in [("text only", text_only), ("missed", missed)].iter().filter(|(_, places)| !places.is_empty())
    {
        let shown: Vec<String> = places.iter().take(MOST).map(|place| inert::line(place)).collect();
        let more = if places.len() > MOST { ", …" } else { "" };
        text.push_str(&format!(", {what} {}{more}", shown.join(", ")));
    }
    (asked > 0).then_some(text)
}

/// Counts the suppressed claims, for programs.
pub(super) fn wire_aside(judgement: &Judgement) -> Vec<wire::Aside> {
    let synthesis = &judgement.merged.synthesis;
    let rejected = judgement.merged.intakes.iter().map(|intake| intake.rejected.len()).sum();
    let ignored = synthesis.ignored().count();
    let aside = [
        (synthesis.pre_existing.len(), "pre-existing: the change does not touch them"),
        (synthesis.suppressed.len() - ignored, "suppressed: confidence below the threshold"),
        (ignored, "ignored: by a comment in the code, with a reason"),
        (synthesis.waived.len(), "waived: accepted by a person"),
        (rejected, "rejected: not understood"),
    ];
    aside.iter().map(|(count, what)| wire::Aside { what: (*what).to_owned(), count: *count }).collect()
}

/// Says a finding that its author ignores, for programs.
fn wire_ignored(settled: &Settled) -> Option<wire::Ignored> {
    let claim = &settled.finding.representative;
    Some(wire::Ignored {
        title: claim.title.to_string(),
        severity: settled.finding.severity().word().to_owned(),
        place: claim.location.as_ref().map(ToString::to_string).unwrap_or_default(),
        rule: claim.rule.clone(),
        reason: jury_rules::redact(settled.ignored()?).into_owned(),
    })
}

/// Shows the findings that authors ignore, with their reasons.
pub(crate) fn ignored(judgement: &Judgement) -> String {
    judgement.merged.synthesis.ignored().filter_map(wire_ignored).map(|ignored| ignored_line(&ignored)).collect()
}

fn ignored_line(ignored: &wire::Ignored) -> String {
    let rule = ignored.rule.as_deref().unwrap_or(&ignored.title);
    let facts = format!("{} {} ({}): ", inert::line(&ignored.place), inert::line(rule), ignored.severity);
    format!("  {} {facts}{}\n", painted(FAINT, "ignored"), inert::short_line(&ignored.reason, 200))
}

/// Shows the explanation of the verdict.
pub(crate) fn explained(explained: &wire::Explained) -> String {
    let mut text = format!(
        "{}  {} {}\n",
        verdict(&explained.verdict),
        explained.rule,
        painted(FAINT, &format!("(review {})", explained.review_id))
    );
    text.extend(explained.because.iter().map(|id| format!("  {}\n", inert::line(id))));
    text.push_str(&format!("\n{}\n", painted(STRONG, "reviewers")));
    let mut told: Vec<&str> = Vec::new();
    for run in &explained.reviewers {
        let (mark, failure) = match (&run.failure, &run.skipped) {
            (None, None) => (painted(GOOD, "✓"), String::new()),
            (Some(why), _) => (painted(BAD, "✗"), format!(": {}", inert::line(why))),
            (None, Some(why)) => (painted(FAINT, "–"), format!(" was skipped: {}", inert::line(why))),
        };
        // Of a reviewer that was given the change in parts it is said once, for all of them.
        let extent = extent(&explained.coverage, &run.reviewer).filter(|_| !told.contains(&run.reviewer.as_str()));
        let extent = extent.map(|extent| painted(FAINT, &format!("  {extent}"))).unwrap_or_default();
        told.push(&run.reviewer);
        text.push_str(&format!("  {mark} {}{failure}{extent}\n", inert::line(&run.reviewer)));
    }
    text.extend(explained.not_read.iter().map(|line| format!("  {} {}\n", painted(FAINT, "–"), inert::line(line))));
    text.push_str(&package_lines(explained));
    text.push_str(&format!("\n{}\n", painted(STRONG, "set aside")));
    for aside in &explained.aside {
        text.push_str(&format!("  {:>3} {}\n", aside.count, aside.what));
    }
    text.extend(explained.ignored.iter().map(ignored_line));
    for note in &explained.notes {
        text.push_str(&format!("  {} {}\n", painted(FAINT, "note:"), inert::short_line(note, 300)));
    }
    text.push('\n');
    text.push_str(&gate_lines(&explained.gate));
    text
}
