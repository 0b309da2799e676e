//! The books of one intake: every claim is entered once as understood or as rejected, and every repair is noted.
//!
//! In: results of the readers, with places in the text they read. Out: an [`Intake`] with places in the original bytes.
//! Deliberately not here: reading anything.

use std::collections::BTreeSet;

use jury_wire::Reason;

use super::account::{Fate, Leaf};
use super::{Dialect, Intake, Reject, Repair};
use crate::model::{Claim, RepoPath, Report, Severity};
use crate::syntax::{Deviation, Limits, Span};

/// Texts of notes are cut to this many characters; rejects keep theirs whole.
const LONGEST_NOTE: usize = 200;

/// Where a text that is being read stands in the original bytes.
#[derive(Clone, Copy, Debug)]
pub(super) enum TextOrigin {
    /// It is a part of the original, which starts at this offset.
    Part(usize),
    /// It was decoded from this span, and its own offsets mean nothing there.
    Within(Span),
}

impl TextOrigin {
    fn original(self, span: Span) -> Span {
        match self {
            Self::Part(offset) => Span::new(span.start + offset, span.end + offset),
            Self::Within(whole) => whole,
        }
    }
}

/// The entries so far.
pub(super) struct Ledger<'l> {
    pub(super) limits: &'l Limits,
    pub(super) roots: &'l [&'l str],
    pub(super) place: TextOrigin,
    pub(super) dialect: Dialect,
    pub(super) envelopes: Vec<&'static str>,
    reports: Vec<Report>,
    repairs: Vec<Repair>,
    rejected: Vec<Reject>,
    gaps: Vec<Deviation>,
    known_gaps: BTreeSet<(Reason, Span, String)>,
    leaves: Vec<Leaf>,
    /// Where the claims stand in the text that is being read.
    claimed: Vec<Span>,
    present: usize,
}

impl<'l> Ledger<'l> {
    pub(super) fn new(limits: &'l Limits, roots: &'l [&'l str]) -> Self {
        Self {
            limits,
            roots,
            place: TextOrigin::Part(0),
            dialect: Dialect::Unknown,
            envelopes: Vec::new(),
            reports: Vec::new(),
            repairs: Vec::new(),
            rejected: Vec::new(),
            gaps: Vec::new(),
            known_gaps: BTreeSet::new(),
            leaves: Vec::new(),
            claimed: Vec::new(),
            present: 0,
        }
    }

    /// Returns the path of a file below one of the folders in which the reviewer saw the tree.
    pub(super) fn within_roots(&self, path: &str) -> Option<RepoPath> {
        self.roots.iter().find_map(|root| RepoPath::below(root, path))
    }

    /// Notes a reading that was not literal.
    pub(super) fn repair(&mut self, reason: Reason, span: Span, was: &str, became: &str) {
        let span = self.place.original(span);
        self.repairs.push(Repair { reason, span, was: shortened(was), became: shortened(became) });
    }

    /// Notes a gap.
    pub(super) fn gap(&mut self, reason: Reason, span: Span, what: impl Into<String>) {
        let gap = Deviation::new(reason, self.place.original(span), what);
        // A set beside the list: a hundred thousand rejects are as many gaps.
        if self.known_gaps.insert((gap.reason, gap.span, gap.message.clone())) {
            self.gaps.push(gap);
        }
    }

    /// Enters the fates of the leaves of a document.
    pub(super) fn leaves(&mut self, leaves: impl Iterator<Item = Leaf>) {
        let place = self.place;
        self.leaves.extend(leaves.map(|leaf| Leaf { span: place.original(leaf.span), ..leaf }));
    }

    /// Enters a claim as present, before it is understood. False if it exceeds the limit.
    pub(super) fn claim_present(&mut self, raw: &str, span: Span) -> bool {
        self.present += 1;
        self.claimed.push(span);
        if self.present <= self.limits.claims {
            return true;
        }
        let message = format!("more than {} findings; the rest is rejected", self.limits.claims);
        self.gap(Reason::LimitClaims, Span::at(0), message.clone());
        let span = self.place.original(span);
        // Keeping the texts past the limit would cost the memory that the limit saves.
        self.rejected.push(Reject { reason: Reason::LimitClaims, span, raw: shortened(raw), message });
        false
    }

    /// Notes that a claim that was entered as present says again what an earlier one says.
    pub(super) fn restated(&mut self, span: Span, raw: &str) {
        self.present -= 1;
        self.repair(Reason::NotAClaim, span, raw, "a finding that is stated elsewhere");
    }

    /// Rejects a claim that was entered as present; its loss is a gap.
    pub(super) fn reject(&mut self, reason: Reason, span: Span, raw: &str, message: impl Into<String>) {
        let message = message.into();
        self.gap(reason, span, format!("a finding was rejected: {message}"));
        let span = self.place.original(span);
        self.rejected.push(Reject { reason, span, raw: raw.to_owned(), message });
    }

    /// Enters a report with the claims that were understood.
    pub(super) fn report(&mut self, report: Report) {
        self.reports.push(report);
    }

    /// Enters the report of a strict reader: all its claims were present.
    pub(super) fn strict_report(&mut self, report: Report) {
        self.claims_present(report.claims.len());
        self.report(report);
    }

    /// Enters the claims of a strict reader as present, of which there are no more than the limit.
    pub(super) fn claims_present(&mut self, count: usize) {
        self.present += count;
    }

    /// Counts the claims understood so far.
    pub(super) fn understood(&self) -> impl Iterator<Item = &Claim> {
        self.reports.iter().flat_map(Report::claims)
    }

    /// Takes the reports out for further work; nothing if there is none.
    pub(super) fn take_reports(&mut self) -> Option<Vec<Report>> {
        (!self.reports.is_empty()).then(|| std::mem::take(&mut self.reports))
    }

    /// Counts the claims that were rejected so far.
    pub(super) fn rejected(&self) -> usize {
        self.rejected.len()
    }

    /// Counts the claims that were there so far.
    pub(super) fn present(&self) -> usize {
        self.present
    }

    /// Returns where the claims stand that were entered since a count of claims, in the text that is being read.
    pub(super) fn claimed_since(&self, count: usize) -> Vec<Span> {
        self.claimed.get(count..).unwrap_or_default().to_vec()
    }

    /// Counts the entries that [`Ledger::claimed_since`] starts from.
    pub(super) fn claimed(&self) -> usize {
        self.claimed.len()
    }

    /// Tells whether a leaf has a fate.
    pub(super) fn has_leaf(&self, is_so: impl Fn(Fate) -> bool) -> bool {
        self.leaves.iter().any(|leaf| is_so(leaf.fate))
    }

    /// Tells whether something was stated that blocks; texts that were only not read do not count.
    pub(super) fn blocks_by_statement(&self) -> bool {
        let is_silence = |gap: &Deviation| matches!(gap.reason, Reason::NoFindingsStated | Reason::UnreadText);
        let is_rejected = |reject: &Reject| reject.reason != Reason::MissingField;
        self.rejected.iter().any(is_rejected)
            || self.gaps.iter().any(|gap| !is_silence(gap) && gap.reason != Reason::MissingField)
            || self.understood().any(|claim| claim.severity.is_at_least(Severity::High))
    }

    /// Removes the verdicts, where another document gives it.
    pub(super) fn forget_verdicts(&mut self) {
        self.reports.iter_mut().for_each(|report| report.stated = None);
    }

    /// Tells whether anything was rejected or not obtained.
    pub(super) fn has_blocking_gaps(&self) -> bool {
        !self.gaps.is_empty() || !self.rejected.is_empty()
    }

    /// Tells whether something that blocks was understood, or anything rejected or not obtained, apart from silence.
    pub(super) fn has_blocking(&self) -> bool {
        let is_silence = |gap: &Deviation| gap.reason == Reason::NoFindingsStated;
        !self.rejected.is_empty()
            || self.gaps.iter().any(|gap| !is_silence(gap))
            || self.understood().any(|claim| claim.severity.is_at_least(Severity::High))
    }

    /// Reads a text that stands elsewhere than at the start of the original.
    pub(super) fn inside(&mut self, place: TextOrigin, read: impl FnOnce(&mut Self)) {
        let outside = self.place;
        self.place = match (outside, place) {
            (TextOrigin::Part(offset), TextOrigin::Part(further)) => TextOrigin::Part(offset + further),
            (TextOrigin::Part(_), TextOrigin::Within(span)) => TextOrigin::Within(outside.original(span)),
            (TextOrigin::Within(span), _) => TextOrigin::Within(span),
        };
        read(self);
        self.place = outside;
    }

    /// Starts books of their own for an attempt that may be given up.
    pub(super) fn scratch(&self) -> Self {
        let mut scratch = Self::new(self.limits, self.roots);
        scratch.place = self.place;
        scratch.dialect = self.dialect;
        scratch
    }

    /// Takes over the books of an attempt.
    pub(super) fn adopt(&mut self, attempt: Self) {
        self.dialect = attempt.dialect;
        self.envelopes.extend(attempt.envelopes);
        self.reports.extend(attempt.reports);
        self.repairs.extend(attempt.repairs);
        self.rejected.extend(attempt.rejected);
        self.gaps.extend(attempt.gaps);
        self.leaves.extend(attempt.leaves);
        self.present += attempt.present;
    }

    /// Takes over only the gaps of an attempt.
    pub(super) fn adopt_gaps(&mut self, attempt: Self) {
        self.gaps.extend(attempt.gaps);
    }

    /// Removes the gap that nothing was stated, where another document may state it.
    pub(super) fn forget_silence(&mut self) {
        self.gaps.retain(|gap| gap.reason != Reason::NoFindingsStated);
    }

    /// Closes the books. They are checked in every build: a difference is a gap, never a smaller number.
    pub(super) fn close(mut self) -> Intake {
        let understood = self.understood().count();
        let adds_up = understood + self.rejected.len() == self.present;
        if !adds_up {
            let rejected = self.rejected.len();
            let present = self.present;
            self.place = TextOrigin::Part(0);
            self.gap(
                Reason::Accounting,
                Span::at(0),
                format!("{present} claims present, but {understood} understood and {rejected} rejected"),
            );
        }
        if self.reports.is_empty() && self.gaps.is_empty() {
            self.gap(Reason::NoFindingsStated, Span::at(0), "nothing was understood");
        }
        Intake {
            dialect: self.dialect,
            envelopes: self.envelopes,
            reports: self.reports,
            repairs: self.repairs,
            rejected: self.rejected,
            gaps: self.gaps,
            leaves: self.leaves,
            present: self.present,
        }
    }
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Title;

    #[test]
    fn books_that_do_not_add_up_are_a_gap() {
        let limits = Limits::default();
        let mut ledger = Ledger::new(&limits, &[]);
        assert!(ledger.claim_present("x", Span::at(0)));
        ledger.report(Report::default());
        let intake = ledger.close();
        assert_eq!(intake.gaps[0].reason, Reason::Accounting);
        assert!(!intake.is_clear());
    }

    #[test]
    fn claims_past_the_limit_are_rejected_with_the_limit_named() {
        let limits = Limits { claims: 1, ..Limits::default() };
        let mut ledger = Ledger::new(&limits, &[]);
        assert!(ledger.claim_present("x", Span::at(0)));
        assert!(!ledger.claim_present("y", Span::at(1)));
        let claim = Claim::new(Title::new("x").unwrap(), Severity::Low);
        ledger.report(Report { claims: vec![Box::new(claim)], ..Report::default() });
        let intake = ledger.close();
        assert_eq!((intake.present, intake.rejected.len()), (2, 1));
        assert_eq!(intake.gaps.len(), 1);
    }
}
