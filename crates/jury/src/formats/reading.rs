//! The result of reading a document: the report, the deviations, the rejects. One bad finding does not lose its siblings,
//! and is not lost itself.

use jury_wire::Reason;

use crate::model::{Claim, GateVerdict, Report, Severity, Tally};
use crate::syntax::{Deviation, Node, Reader, Span};

/// The result of reading a document.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// The report; `None` if the document as a whole is unreliable.
    pub report: Option<Report>,
    /// Every point in which the document does not conform, in its order.
    pub deviations: Vec<Deviation>,
    /// Remarks on a conforming document.
    pub notes: Vec<Deviation>,
    /// Claims that are unreliable.
    pub rejected: Vec<Rejected>,
}

/// A claim that was rejected: where its raw text stands, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rejected {
    /// Where.
    pub span: Span,
    /// Why.
    pub reason: Reason,
}

impl Reading {
    /// Makes the reading of a document of which nothing was understood.
    pub fn unreadable(deviation: Deviation) -> Self {
        Self { deviations: vec![deviation], ..Self::default() }
    }

    /// Tells whether the document conforms in every point.
    pub fn is_conforming(&self) -> bool {
        self.deviations.is_empty()
    }

    /// Returns how many claims were understood.
    pub fn understood(&self) -> usize {
        self.report.as_ref().map_or(0, |report| report.claims.len())
    }
}

/// That a claim cannot be relied upon, for a reason that was noted.
pub(super) struct Unusable;

/// The claims of a document while it is being read.
#[derive(Default)]
pub(super) struct Claims {
    understood: Vec<Box<Claim>>,
    spans: Vec<Span>,
    rejected: Vec<Rejected>,
}

impl Claims {
    /// Reads the claims of an array, up to the limit.
    pub(super) fn read_each<'s, 'a>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        nodes: &[Node<'a>],
        mut read: impl FnMut(&mut Reader<'s, 'a>, &Node<'a>) -> Option<Claim>,
    ) {
        for node in nodes {
            self.read_one(reader, node.span, |reader| read(reader, node));
        }
    }

    /// Reads the claim at a place. A claim that comes back as `None` is rejected for the first deviation noted meanwhile.
    pub(super) fn read_one<'s, 'a>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        span: Span,
        read: impl FnOnce(&mut Reader<'s, 'a>) -> Option<Claim>,
    ) {
        self.read_entry(reader, span, |reader| read(reader).map(Some).ok_or(Unusable));
    }

    /// Reads the entry at a place, which may claim nothing (`None`). An unusable one is rejected for the first deviation
    /// noted meanwhile.
    pub(super) fn read_entry<'s, 'a>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        span: Span,
        read: impl FnOnce(&mut Reader<'s, 'a>) -> Result<Option<Claim>, Unusable>,
    ) {
        let before = reader.deviations.len();
        if self.is_full(reader, span) {
            self.rejected.push(Rejected { span, reason: Reason::LimitClaims });
            return;
        }
        match read(reader) {
            Ok(Some(claim)) => {
                self.understood.push(Box::new(claim));
                self.spans.push(span);
            }
            Ok(None) => {}
            Err(Unusable) => {
                let reasons = reader.deviations.iter().skip(before).map(|deviation| deviation.reason);
                // A path that was made one of the tree is no reason to reject anything.
                let reason = { reasons }.find(|reason| *reason != Reason::PathNormalised).unwrap_or(Reason::WrongType);
                self.rejected.push(Rejected { span, reason });
            }
        }
    }

    /// Rejects the claim at a place for a reason that was noted before.
    pub(super) fn reject(&mut self, span: Span, reason: Reason) {
        self.rejected.push(Rejected { span, reason });
    }

    /// Returns as many of the parts with claims, for example files, as claims are allowed; the rest is noted and rejected
    /// as one.
    pub(super) fn within_limit<'n, T>(
        &mut self,
        reader: &mut Reader<'_, '_>,
        parts: &'n [T],
        span: impl Fn(&T) -> Span,
    ) -> &'n [T] {
        let (taken, rest) = parts.split_at(parts.len().min(reader.limits.claims));
        if let Some(first) = rest.first() {
            let message = format!("more than {} parts; the rest is rejected", reader.limits.claims);
            reader.deviate(Reason::LimitClaims, span(first), message);
            self.rejected.push(Rejected { span: span(first), reason: Reason::LimitClaims });
        }
        taken
    }

    /// Tells whether no further claim is taken; says so once.
    fn is_full(&self, reader: &mut Reader<'_, '_>, span: Span) -> bool {
        let count = self.spans.len() + self.rejected.len();
        if count == reader.limits.claims {
            let message = format!("more than {count} findings; the rest is rejected");
            reader.deviate(Reason::LimitClaims, span, message);
        }
        count >= reader.limits.claims
    }

    /// Returns the claims that were understood so far.
    pub(super) fn understood(&self) -> &[Box<Claim>] {
        &self.understood
    }

    /// Tells whether every claim so far was understood, so that they can be counted.
    pub(super) fn are_complete(&self) -> bool {
        self.rejected.is_empty()
    }

    /// Tells whether a verdict that is spelled at a place can rest on these claims: a closed gate on some claim, an open
    /// one on none that blocks. Claims that could not be read can account for a bad verdict, but never for a good one.
    pub(super) fn bear_out(&self, reader: &mut Reader<'_, '_>, verdict: GateVerdict, span: Span) -> bool {
        let blocks = Tally::of_claims(&self.understood, |claim| claim.status().stands()).any_at_least(Severity::High);
        let contradiction = match verdict {
            GateVerdict::Fail if self.understood.is_empty() && self.are_complete() => "no finding is listed",
            GateVerdict::Pass if blocks => "blocking findings are listed",
            GateVerdict::Pass | GateVerdict::Warn | GateVerdict::Fail => return true,
        };
        let word = reader.source.slice(span);
        reader.deviate(Reason::VerdictContradiction, span, format!("the verdict is {word}, but {contradiction}"));
        false
    }

    /// Ends the reading. `header` is the report but for its claims; `None` means that the document as a whole cannot be
    /// relied upon, and then none of its claims is.
    pub(super) fn end(mut self, reader: Reader<'_, '_>, header: Option<Report>) -> Reading {
        let mut deviations = reader.deviations;
        if header.is_none() {
            let reason = deviations
                .iter()
                .map(|deviation| deviation.reason)
                .find(|reason| *reason == Reason::VerdictContradiction)
                .or(deviations.first().map(|deviation| deviation.reason))
                .unwrap_or(Reason::WrongType);
            self.rejected.extend(self.spans.iter().map(|span| Rejected { span: *span, reason }));
        }
        deviations.sort_by_key(|deviation| deviation.span);
        self.rejected.sort_by_key(|rejected| rejected.span);
        let report = header.map(|header| Report { claims: self.understood, ..header });
        Reading { report, deviations, notes: Vec::new(), rejected: self.rejected }
    }
}
