//! The second look of a review, at the text before the change: which files need it, and its outputs as findings of the base.
//!
//! In: a record whose outputs were taken in; the runs over the base and its texts. Out: values for the record. Pure; `look_back` asks
//! the reviewers. Nothing needs a second look if no claim is left that could be older than the change.

use std::collections::{BTreeMap, BTreeSet};

use super::hearing::{Hearing, output_of, take_in};
use crate::model::{
    BaseFinding, BaseLook, Claim, Domain, FailedLook, Line, LineRange, Location, RepoPath, Severity, Side,
    UnchangedPlace,
};
use crate::record::{NoAnswer, ROOT, Record, Run};
use crate::syntax::Limits;
use crate::syntax::hunks::{self, Hunk};
use crate::synthesis::{Source, fingerprints, touches};

/// What the second look is to be at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecondLook {
    /// The domains of the built-in reviewers that are asked again.
    pub built_in: BTreeSet<Domain>,
    /// The domains of the tools that are asked again.
    pub tools: BTreeSet<Domain>,
    /// The files, by their paths after the change.
    pub files: BTreeSet<RepoPath>,
    /// Whether every file of the change is looked at: a waiver may name a finding that was in another one.
    pub is_of_all: bool,
}

impl SecondLook {
    /// Tells whether there is nothing to look at.
    pub fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// Returns what the second look of a review is to be at: the files with claims that may be older than the change.
pub fn second_look(record: &Record, hearing: &Hearing) -> SecondLook {
    let change = record.scope.change();
    let has_waivers = !record.waivers.is_empty();
    let can_close = |claim: &Claim| claim.severity.is_at_least(record.policy.policy.block_at);
    let mut look = SecondLook::default();
    for (source, claim) in hearing.claims() {
        let (Some(location), Some(domain)) = (&claim.location, &claim.reviewer) else { continue };
        // Its claims are about the change itself.
        if domain.as_str() == Domain::GATE_INTEGRITY {
            continue;
        }
        let domains = match source {
            // A line beside removed ones counts as touched, and may be as it was all the same.
            Source::BuiltIn => &mut look.built_in,
            Source::Tool if !touches(&change, claim) && can_close(claim) => &mut look.tools,
            _ => continue,
        };
        domains.insert(domain.clone());
        look.files.insert(location.file.clone());
        look.is_of_all |= has_waivers && source == Source::BuiltIn;
    }
    look
}

/// Returns the `jury-ignore` comments that the review raises itself, by file and line, with the severity of that claim.
pub(super) fn raised_ignores(hearing: &Hearing) -> BTreeMap<(RepoPath, Line), Severity> {
    let is_of_gate =
        |claim: &Claim| claim.reviewer.as_ref().is_some_and(|reviewer| reviewer.as_str() == Domain::GATE_INTEGRITY);
    let raised = hearing.claims().filter(|(source, claim)| *source == Source::BuiltIn && is_of_gate(claim));
    let place = |claim: &Claim| {
        let location = claim.location.as_ref()?;
        Some((location.file.clone(), location.lines?.start()))
    };
    raised.filter_map(|(_, claim)| Some((place(claim)?, claim.severity))).collect()
}

/// Returns a note on each reviewer that could not look at the base.
pub(super) fn notes(record: &Record) -> Vec<String> {
    let failed = record.base_look.iter().flat_map(|look| &look.failed);
    let note = |failed: &FailedLook| {
        format!("{} could not look at the base, so its findings count as new: {}", failed.reviewer, failed.why)
    };
    failed.map(note).collect()
}

/// A file of the base that was looked at.
pub struct BaseText<'t> {
    /// Its path on the base.
    pub path: RepoPath,
    /// Its text on the base.
    pub before: &'t [u8],
    /// The same without secrets, as records keep texts.
    pub cited: String,
    /// Its path and its text after the change; `None` if it is gone, or was not reviewed alike under its old path.
    pub now: Option<(RepoPath, &'t [u8])>,
}

/// Takes in the runs over the base. `is_changed` tells whether the change has a path; a file that it does not have is as it was.
pub fn look_of(runs: &[Run], texts: &[BaseText<'_>], is_changed: &dyn Fn(&RepoPath) -> bool) -> BaseLook {
    let mut look = BaseLook::default();
    let outputs = runs.iter().filter_map(|run| Some(output_of(run, run.answer()?)));
    let hearing = take_in(&outputs.collect::<Vec<_>>(), &[ROOT], &Limits::default());
    let lines: BTreeMap<&RepoPath, LineMap> = texts.iter().map(|text| (&text.path, LineMap::of(text))).collect();
    let cited: BTreeMap<RepoPath, Vec<u8>> =
        texts.iter().map(|text| (text.path.clone(), text.cited.clone().into_bytes())).collect();
    for (_, claim) in hearing.claims() {
        let (Some(location), Some(domain)) = (&claim.location, &claim.reviewer) else { continue };
        let (fingerprint, first_fingerprint) = fingerprints(claim, &cited);
        let unchanged = match lines.get(&location.file) {
            Some(lines) => lines.place(location, claim),
            None => (!is_changed(&location.file)).then(|| UnchangedPlace {
                file: location.file.clone(),
                lines: location.lines,
                trace: claim.trace.clone(),
            }),
        };
        look.findings.push(BaseFinding {
            domain: domain.clone(),
            rule: claim.rule.clone(),
            title: claim.title.clone(),
            severity: claim.severity,
            confidence: claim.confidence,
            file: location.file.clone(),
            lines: location.lines,
            unchanged,
            fingerprint,
            first_fingerprint,
        });
    }
    look.failed = runs.iter().filter_map(failed).collect();
    look
}

/// Says why a run over the base tells nothing, if so.
fn failed(run: &Run) -> Option<FailedLook> {
    let why = match run.result.as_ref().err()? {
        NoAnswer::Failed { why, .. } | NoAnswer::Skipped(why) => why.clone(),
    };
    Some(FailedLook { reviewer: run.reviewer.clone(), why })
}

/// Where the lines of a file of the base are after the change.
struct LineMap {
    file: Option<RepoPath>,
    hunks: Vec<Hunk>,
}

impl LineMap {
    fn of(text: &BaseText<'_>) -> Self {
        let Some((file, after)) = &text.now else { return Self { file: None, hunks: Vec::new() } };
        let hunks = hunks::compare(&hunks::split(text.before), &hunks::split(after));
        Self { file: Some(file.clone()), hunks }
    }

    /// Returns the place of a claim after the change, if each of its lines is there as it was.
    fn place(&self, location: &Location, claim: &Claim) -> Option<UnchangedPlace> {
        let file = self.file.clone()?;
        let lines = location.lines.map(|lines| self.lines(lines).ok_or(())).transpose().ok()?;
        // Line by line: a line between two that the finding rests on is no part of it.
        let traced = claim.trace.iter().flat_map(|lines| lines.start().get()..=lines.end().get());
        let trace = traced.map(|line| Some(LineRange::single(self.line(line)?))).collect::<Option<_>>()?;
        let trace = LineRange::joined(trace);
        (location.side == Side::Right).then_some(UnchangedPlace { file, lines, trace })
    }

    /// Maps a range of which no line was altered, and into which none was put.
    fn lines(&self, lines: LineRange) -> Option<LineRange> {
        let mapped: Vec<Line> =
            (lines.start().get()..=lines.end().get()).map(|line| self.line(line)).collect::<Option<_>>()?;
        let (first, last) = (*mapped.first()?, *mapped.last()?);
        let is_whole = (last.get() - first.get()) as usize + 1 == mapped.len();
        LineRange::new(first, last).ok().filter(|_| is_whole)
    }

    /// Maps a line that was not altered.
    fn line(&self, line: u32) -> Option<Line> {
        let index = hunks::after(&self.hunks, line as usize - 1).ok()?;
        Line::new(i64::try_from(index).ok()?.checked_add(1)?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{ReviewerKind, Title, Waiver};
    use crate::record::fixtures;

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    fn range(text: &str) -> LineRange {
        LineRange::parse(text).unwrap()
    }

    /// Maps a claim at a line of a text of six lines, with its trace, into a changed text.
    fn mapped(after: &str, line: &str, trace: &[&str]) -> Option<(String, Vec<String>)> {
        let before = "a\nb\nc\nd\ne\nf\n";
        let text = BaseText {
            path: path("old.rs"),
            before: before.as_bytes(),
            cited: before.to_owned(),
            now: Some((path("new.rs"), after.as_bytes())),
        };
        let location = Location::new(path("old.rs"), Some(range(line)));
        let claim = Claim {
            trace: trace.iter().map(|lines| range(lines)).collect(),
            ..Claim::new(Title::new("t").unwrap(), Severity::High)
        };
        let place = LineMap::of(&text).place(&location, &claim)?;
        assert_eq!(place.file.as_str(), "new.rs");
        Some((place.lines?.to_string(), place.trace.iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn lines_are_mapped_exactly_or_not_at_all() {
        let to = |lines: &str, trace: &[&str]| {
            Some((lines.to_owned(), trace.iter().map(|lines| (*lines).to_owned()).collect::<Vec<_>>()))
        };
        assert_eq!(mapped("a\nb\nc\nd\ne\nf\n", "5", &["2", "5"]), to("5", &["2", "5"]));
        assert_eq!(mapped("x\na\nb\nc\nd\ne\nf\n", "5", &["2", "5"]), to("6", &["3", "6"]));
        assert_eq!(mapped("a\nb\nX\nd\ne\nf\n", "5", &["2", "5"]), to("5", &["2", "5"]));
        assert_eq!(mapped("a\nX\nc\nd\ne\nf\n", "5", &["2", "5"]), None, "the source changed");
        assert_eq!(mapped("a\nb\nc\nd\nX\nf\n", "5", &["5"]), None, "its line changed");
        // Put between two lines that it rests on, a line is no part of it.
        assert_eq!(mapped("a\nb\nX\nc\nd\ne\nf\n", "3", &["2-3"]), to("4", &["2", "4"]));
        assert_eq!(mapped("a\nb\nX\nc\nd\ne\nf\n", "2-3", &[]), None, "a range of lines is one thing");
    }

    fn look(lines: &str, severity: &str, kind: ReviewerKind, has_waiver: bool) -> SecondLook {
        let output = format!(
            r#"{{"reviewer":"qa","findings":[{{"title":"t","severity":"{severity}","file":"a.ts","line":{lines},"autofix_class":"manual",
            "owner":"human","requires_verification":true,"confidence":100,"pre_existing":false,"why_it_matters":"w",
            "evidence":["x"]}}],"residual_risks":[],"testing_gaps":[]}}"#
        );
        let mut record = fixtures::record(vec![fixtures::run("qa", kind, None, &output)]);
        let expires = crate::model::Day::new("2999-01-01").unwrap();
        let waiver = Waiver { finding: "f".to_owned(), reason: "r".to_owned(), author: "a".to_owned(), expires };
        record.waivers = has_waiver.then_some(waiver).into_iter().collect();
        second_look(&record, &super::super::hear(&record))
    }

    #[test]
    fn only_claims_that_may_be_old_need_a_second_look() {
        use ReviewerKind::{Agent, BuiltIn, Tool};
        // The change of the record touches lines 3, 4 and 9.
        for (lines, severity, kind, has_waiver, is_wanted) in [
            ("5", "P1", BuiltIn, false, true),
            ("5", "P3", BuiltIn, false, true),
            ("3", "P1", BuiltIn, false, true),
            ("3", "P1", BuiltIn, true, true),
            ("5", "P1", Tool, false, true),
            ("5", "P2", Tool, false, false),
            ("3", "P1", Tool, true, false),
            ("5", "P1", Agent, true, false),
        ] {
            let look = look(lines, severity, kind, has_waiver);
            assert_eq!(!look.is_empty(), is_wanted, "{lines} {severity} {kind:?} {has_waiver}");
            assert_eq!(look.is_of_all, is_wanted && has_waiver);
        }
    }
}
