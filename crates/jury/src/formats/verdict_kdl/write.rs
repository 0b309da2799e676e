//! Writing `verdict-summary.kdl`: any report → canonical text that always reads back as conforming.
//!
//! Values that 001 cannot express are left out or rounded. Where that would open a closed gate, a blocker without
//! a claim keeps it closed.

use std::collections::BTreeMap;

use super::super::{Written, prose, vocabulary};
use super::{ADVISORY, BLOCKER, GATE, MISSING, REVIEWER, SKIPPED, SUMMARY, TASK_ID, VERSION};
use crate::model::{
    Attendance, Claim, Confidence, Domain, GateVerdict, Location, Report, Reviewer, Severity, Stated, aggregate,
};
use crate::syntax::kdl;

pub(super) fn write(report: &Report) -> Written {
    let groups = groups(report);
    let is_sole = groups.len() == 1;
    let mut lines: Vec<Line> = groups.into_iter().map(|group| group.line(report, is_sole)).collect();
    keep_closed(report.stated, &mut lines);
    let task_id = report.facts.task_id.as_deref().map(as_line).filter(|id| !id.is_empty());
    let mut text = format!("{SUMMARY} version={VERSION}\n");
    text += &format!("{TASK_ID} {}\n", quoted(task_id.as_deref().unwrap_or("unknown")));
    text += &format!("{GATE} {}\n", quoted(gate(&lines).token()));
    let mut kept = Vec::new();
    for line in &lines {
        line.write(&mut text);
        kept.extend(line.blockers.iter().chain(&line.advisories).map(|item| item.claim_index));
    }
    Written { text, kept }
}

/// A blocker or advisory as it is written.
struct Item {
    text: String,
    /// The claim it states; `Written::NO_CLAIM` if it stands for none.
    claim_index: usize,
}

/// All statements of one reviewer in the report.
struct Group {
    name: Domain,
    attendance: Option<Attendance>,
    blockers: Vec<Item>,
    advisories: Vec<Item>,
    has_medium: bool,
    lowest: Option<Confidence>,
}

/// Groups the claims by reviewer, in the order in which reviewers are first named. There is always one: an empty
/// report must not look like one in which every reviewer passed.
fn groups(report: &Report) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    let mut positions: BTreeMap<Domain, usize> = BTreeMap::new();
    let mut position_of = |groups: &mut Vec<Group>, name: &Domain| {
        *positions.entry(name.clone()).or_insert_with(|| {
            groups.push(Group::new(name.clone()));
            groups.len() - 1
        })
    };
    for reviewer in &report.reviewers {
        let position = position_of(&mut groups, &reviewer.name);
        groups[position].attend(&reviewer.attendance);
    }
    let fallback = report.sole_reviewer().cloned().unwrap_or_else(Domain::unnamed);
    for (index, claim) in report.claims.iter().enumerate() {
        let position = position_of(&mut groups, claim.reviewer.as_ref().unwrap_or(&fallback));
        groups[position].add(index, claim);
    }
    if groups.is_empty() {
        groups.push(Group::new(fallback));
    }
    groups
}

impl Group {
    fn new(name: Domain) -> Self {
        Self { name, attendance: None, blockers: Vec::new(), advisories: Vec::new(), has_medium: false, lowest: None }
    }

    /// Takes part as the report says; of two accounts, as the worse one says.
    fn attend(&mut self, attendance: &Attendance) {
        self.attendance = Some(match (self.attendance.take(), attendance) {
            (None | Some(Attendance::Skipped), other) => other.clone(),
            (Some(first), Attendance::Skipped) => first,
            (Some(Attendance::Missing), _) | (_, Attendance::Missing) => Attendance::Missing,
            (
                Some(Attendance::Spoke { verdict, confidence, file }),
                Attendance::Spoke { verdict: other_verdict, confidence: other_confidence, file: other_file },
            ) => Attendance::Spoke {
                verdict: worse(verdict, *other_verdict),
                confidence: [confidence, *other_confidence].into_iter().flatten().min(),
                file: file.or(other_file.clone()),
            },
        });
    }

    fn add(&mut self, claim_index: usize, claim: &Claim) {
        if claim.severity == Severity::Praise || !claim.status().is_unsettled() {
            return;
        }
        let item = Item { text: item_text(claim), claim_index };
        match claim.severity {
            Severity::Blocker | Severity::High => self.blockers.push(item),
            _ => self.advisories.push(item),
        }
        self.has_medium |= claim.severity == Severity::Medium;
        self.lowest = [self.lowest, claim.confidence].into_iter().flatten().min();
    }

    fn line(mut self, report: &Report, is_sole: bool) -> Line {
        let is_silent = self.blockers.is_empty() && self.advisories.is_empty();
        if let Some(absence @ (Attendance::Skipped | Attendance::Missing)) = &self.attendance
            && is_silent
        {
            let reviewer = Reviewer { name: self.name, attendance: absence.clone() };
            return Line { reviewer, blockers: Vec::new(), advisories: Vec::new() };
        }
        let was_missing = self.attendance == Some(Attendance::Missing);
        let (verdict, confidence, file) = match self.attendance {
            Some(Attendance::Spoke { verdict, confidence, file }) => (verdict, confidence, file),
            _ => (was_missing.then_some(GateVerdict::Fail), None, None),
        };
        let verdict = verdict.or_else(|| stated_by_sole(report).filter(|_| is_sole));
        let by_claims = if self.has_medium { GateVerdict::Warn } else { GateVerdict::Pass };
        let verdict = match self.blockers.as_slice() {
            [] => verdict.unwrap_or(by_claims),
            [..] => GateVerdict::Fail,
        };
        let confidence = confidence.or(report.confidence).or(self.lowest).unwrap_or(Confidence::UNSTATED);
        if verdict == GateVerdict::Fail && self.blockers.is_empty() {
            let what = if was_missing { "the reviewer did not report" } else { "the reviewer said fail" };
            self.blockers.push(standing_for_none(what.to_owned()));
        }
        let attendance = Attendance::Spoke { verdict: Some(verdict), confidence: Some(confidence), file };
        let reviewer = Reviewer { name: self.name, attendance };
        Line { reviewer, blockers: self.blockers, advisories: self.advisories }
    }
}

fn standing_for_none(text: String) -> Item {
    Item { text, claim_index: Written::NO_CLAIM }
}

/// The verdict of the report as a whole, if it can only be that of its one reviewer: 001's own word, or the meaning of
/// another contract's word where there are no claims.
fn stated_by_sole(report: &Report) -> Option<GateVerdict> {
    match report.stated? {
        Stated::Gate(verdict) => Some(verdict),
        stated => report.claims.is_empty().then(|| stated.gate()),
    }
}

fn worse(first: Option<GateVerdict>, second: Option<GateVerdict>) -> Option<GateVerdict> {
    let worst_first = [GateVerdict::Fail, GateVerdict::Warn, GateVerdict::Pass].map(Some);
    worst_first.into_iter().find(|verdict| first == *verdict || second == *verdict).flatten()
}

/// One node of the document: a reviewer and its items.
struct Line {
    reviewer: Reviewer,
    blockers: Vec<Item>,
    advisories: Vec<Item>,
}

fn gate(lines: &[Line]) -> GateVerdict {
    let reviewers: Vec<Reviewer> = lines.iter().map(|line| line.reviewer.clone()).collect();
    aggregate(&reviewers)
}

/// Keeps the gate closed if the report has it closed and none of its reviewers does: by the sole reviewer, or else by
/// a reviewer without a name.
fn keep_closed(stated: Option<Stated>, lines: &mut Vec<Line>) {
    let Some(stated) = stated.filter(|stated| stated.closes_the_gate()) else { return };
    if gate(lines) == GateVerdict::Fail {
        return;
    }
    let blocker = standing_for_none(format!("the review said {stated}"));
    let nobody = Domain::unnamed();
    let position = match lines.as_slice() {
        [_] => Some(0),
        _ => lines.iter().position(|line| line.reviewer.name == nobody),
    };
    let closed = |confidence, file| Attendance::Spoke { verdict: Some(GateVerdict::Fail), confidence, file };
    match position {
        Some(position) => {
            let line = &mut lines[position];
            line.reviewer.attendance = match line.reviewer.attendance.clone() {
                Attendance::Spoke { confidence, file, .. } => closed(confidence, file),
                Attendance::Skipped | Attendance::Missing => closed(Some(Confidence::UNSTATED), None),
            };
            line.blockers.push(blocker);
        }
        None => {
            let reviewer = Reviewer { name: nobody, attendance: closed(Some(Confidence::UNSTATED), None) };
            lines.push(Line { reviewer, blockers: vec![blocker], advisories: Vec::new() });
        }
    }
}

impl Line {
    fn write(&self, text: &mut String) {
        let name = quoted(self.reviewer.name.as_str());
        match &self.reviewer.attendance {
            Attendance::Skipped => *text += &format!("{SKIPPED} {name}"),
            Attendance::Missing => *text += &format!("{MISSING} {name}"),
            Attendance::Spoke { verdict, confidence, file } => {
                let verdict = quoted(verdict.unwrap_or(GateVerdict::Fail).token());
                let confidence = quoted(vocabulary::confidence_word(confidence.unwrap_or(Confidence::UNSTATED)));
                *text += &format!("{REVIEWER} {name} verdict={verdict} confidence={confidence}");
                if let Some(file) = file {
                    *text += &format!(" file={}", quoted(file));
                }
            }
        }
        let items = self.blockers.iter().map(|item| (BLOCKER, item));
        let mut items = items.chain(self.advisories.iter().map(|item| (ADVISORY, item))).peekable();
        if items.peek().is_some() {
            *text += " {\n";
            for (kind, item) in items {
                *text += &format!("    {kind} {}\n", quoted(&item.text));
            }
            *text += "}";
        }
        *text += "\n";
    }
}

/// Writes a text in quotes, with escapes for characters that KDL v2 does not allow.
fn quoted(text: &str) -> String {
    let is_plain = |c: char| c == ' ' || c.is_ascii_alphanumeric();
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        if is_plain(c) { quoted.push(c) } else { quoted.push_str(&kdl::escaped(c)) }
    }
    quoted.push('"');
    quoted
}

/// Makes one line of a text, which otherwise stays as it is.
fn as_line(text: &str) -> String {
    if kdl::has_newline(text) { prose::one_line(text) } else { text.trim().to_owned() }
}

/// Writes the place and the title in one line. A place is left out if it would be read back as another, and a title that would be
/// read as an impossible place is made to start with a word.
fn item_text(claim: &Claim) -> String {
    let title = Some(as_line(claim.title.as_str())).filter(|title| !title.is_empty());
    let title = title.as_deref().unwrap_or("untitled");
    let is_place = |read: &Location| match &claim.location {
        Some(location) => (&location.file, location.lines) == (&read.file, read.lines),
        None => true,
    };
    read_back(&prose::with_reference(claim.location.as_ref(), title), is_place)
        .or_else(|| read_back(title, |_| true))
        .unwrap_or_else(|| format!("note: {}", title.replace('—', "-")))
}

/// Returns the text in a form that reads back the same, if it has one.
fn read_back(text: &str, is_place: impl Fn(&Location) -> bool) -> Option<String> {
    if as_line(text) != text {
        return None;
    }
    match prose::split_reference(text) {
        (Err(_), _) => None,
        (Ok(None), _) => Some(text.to_owned()),
        (Ok(Some(place)), rest) => {
            let canonical = prose::with_reference(Some(&place), rest);
            let is_stable = prose::split_reference(&canonical) == (Ok(Some(place.clone())), rest);
            (is_stable && is_place(&place)).then_some(canonical)
        }
    }
}
