//! The runs over the base and its texts in; the findings of the base out, with their places after the change. Pure.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

use jury_rules::Guarding;

use crate::judge::{output_of, take_in};
use crate::model::{
    BaseFinding, BaseLook, Claim, FailedLook, Line, LineRange, Location, RepoPath, Severity, Side, UnchangedPlace,
};
use crate::record::{NoAnswer, ROOT, Run};
use crate::syntax::Limits;
use crate::syntax::hunks::{self, Hunk};
use crate::synthesis::fingerprints;

/// A file of the base that was looked at.
pub(super) struct BaseText<'t> {
    /// Its path on the base.
    pub(super) path: RepoPath,
    /// Its text on the base.
    pub(super) before: &'t [u8],
    /// The same without secrets, as records keep texts.
    pub(super) cited: String,
    /// Its path and its text after the change; `None` if it is gone, or was not reviewed alike under its old path.
    pub(super) now: Option<(RepoPath, &'t [u8])>,
}

/// Takes in the runs over the base. `is_changed` tells whether the change has a path; a file that it does not have is as it was. A finding below
/// `lowest` closes no gate, so that nobody asks what stands before it.
pub(super) fn base_findings(
    runs: &[Run],
    texts: &[BaseText<'_>],
    is_changed: &dyn Fn(&RepoPath) -> bool,
    lowest: Severity,
) -> BaseLook {
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
            Some(lines) => lines
                .place(location, claim)
                .filter(|place| !claim.severity.is_at_least(lowest) || lines.keeps_guards(location, claim, place)),
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
struct LineMap<'t> {
    text: &'t BaseText<'t>,
    file: Option<RepoPath>,
    hunks: Vec<Hunk>,
    /// What stands before findings, in the text before the change and in the one after it.
    guarding: OnceCell<Option<(Guarding, Guarding)>>,
}

impl<'t> LineMap<'t> {
    fn of(text: &'t BaseText<'t>) -> Self {
        let (mut file, mut hunks) = (None, Vec::new());
        if let Some((path, after)) = &text.now {
            file = Some(path.clone());
            hunks = hunks::compare(&hunks::split(text.before), &hunks::split(after));
        }
        Self { text, file, hunks, guarding: OnceCell::new() }
    }

    /// Tells whether all that may have kept a value from the place of a claim is there as it was: the lines before it that speak of the value,
    /// the conditions that it stands under, and what is named beside its function.
    fn keeps_guards(&self, location: &Location, claim: &Claim, place: &UnchangedPlace) -> bool {
        let (Some(lines), Some(lines_now)) = (location.lines, place.lines) else { return true };
        // What comes behind it cannot have kept anything from it.
        if self.hunks.first().is_none_or(|hunk| hunk.before.start as u64 >= u64::from(lines.end().get())) {
            return true;
        }
        let guarding = self.guarding.get_or_init(|| {
            let (path, after) = self.text.now.as_ref()?;
            let before = Guarding::of(self.text.path.as_str(), std::str::from_utf8(self.text.before).ok()?)?;
            Some((before, Guarding::of(path.as_str(), std::str::from_utf8(after).ok()?)?))
        });
        let Some((before, now)) = guarding else { return true };
        let pair = |lines: &LineRange| (lines.start().get(), lines.end().get());
        let pairs = |trace: &[LineRange]| trace.iter().map(pair).collect::<Vec<_>>();
        let was = before.before(pair(&lines), &pairs(&claim.trace));
        if was == jury_rules::Before::default() {
            return true;
        }
        let is = now.before(pair(&lines_now), &pairs(&place.trace));
        let mapped = |line: &u32| self.line(*line).map(Line::get);
        let is_kept = |(line, blocks): (&u32, &BTreeSet<u32>)| {
            let blocks: Option<BTreeSet<u32>> = blocks.iter().map(mapped).collect();
            mapped(line).and_then(|line| is.lines.get(&line)).is_some_and(|now| Some(now) == blocks.as_ref())
        };
        was.names.is_subset(&is.names) && was.lines.iter().all(is_kept)
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
    use crate::model::{Severity, Title};

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
        let lines = LineMap::of(&text);
        let place = lines.place(&location, &claim)?;
        assert_eq!(place.file.as_str(), "new.rs");
        Some((place.lines?.to_string(), place.trace.iter().map(ToString::to_string).collect()))
    }

    #[test]
    fn a_guard_that_is_gone_makes_it_another_finding() {
        let before = "def show():\n    name = request.args['name']\n    check(name)\n    note(1)\n    run(name)\n    done(name)\n";
        let keeps = |after: &str| {
            let text = BaseText {
                path: path("a.py"),
                before: before.as_bytes(),
                cited: before.to_owned(),
                now: Some((path("a.py"), after.as_bytes())),
            };
            let location = Location::new(path("a.py"), Some(range("5")));
            let trace = ["2", "5"].map(range).to_vec();
            let claim = Claim { trace, ..Claim::new(Title::new("t").unwrap(), Severity::High) };
            let lines = LineMap::of(&text);
            let place = lines.place(&location, &claim).expect("its own lines are as they were");
            lines.keeps_guards(&location, &claim, &place)
        };
        assert!(keeps(before));
        for (from, to) in
            [("note(1)", "note(2)"), ("    done(name)\n", ""), ("    note(1)\n", "    note(1)\n    log(name)\n")]
        {
            assert!(keeps(&before.replace(from, to)), "{from} -> {to}");
        }
        for (from, to) in [
            ("    check(name)\n", ""),
            ("    check(name)\n", "    check(other)\n"),
            ("    check(name)\n", "    if debug:\n        check(name)\n"),
        ] {
            assert!(!keeps(&before.replace(from, to)), "{from} -> {to}");
        }
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
}
