//! What comes of reading a document: the report, the deviations, the rejects. One bad finding does not lose its siblings,
//! and is not lost itself.

use jury_wire::Reason;

use crate::model::{Claim, Report};
use crate::syntax::{Deviation, Node, Reader, Span};

/// What was understood of a document and what was not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reading {
    /// What was understood; `None` if the document as a whole cannot be relied upon.
    pub report: Option<Report>,
    /// Every point in which the document does not conform, in its order.
    pub deviations: Vec<Deviation>,
    /// What is worth saying although it conforms.
    pub notes: Vec<Deviation>,
    /// What was claimed and cannot be relied upon.
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
    understood: Vec<Claim>,
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

    /// Reads the claim at a place. What comes back as `None` is rejected for the first deviation noted meanwhile.
    pub(super) fn read_one<'s, 'a>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        span: Span,
        read: impl FnOnce(&mut Reader<'s, 'a>) -> Option<Claim>,
    ) {
        self.read_entry(reader, span, |reader| read(reader).map(Some).ok_or(Unusable));
    }

    /// Reads the entry at a place, which may claim nothing (`None`). What is unusable is rejected for the first deviation
    /// noted meanwhile.
    pub(super) fn read_entry<'s, 'a>(
        &mut self,
        reader: &mut Reader<'s, 'a>,
        span: Span,
        read: impl FnOnce(&mut Reader<'s, 'a>) -> Result<Option<Claim>, Unusable>,
    ) {
        let before = reader.deviations.len();
        if self.spans.len() + self.rejected.len() == reader.limits.claims {
            let message = format!("more than {} findings; the rest is rejected", reader.limits.claims);
            reader.deviate(Reason::LimitClaims, span, message);
        }
        if self.spans.len() + self.rejected.len() >= reader.limits.claims {
            self.rejected.push(Rejected { span, reason: Reason::LimitClaims });
            return;
        }
        match read(reader) {
            Ok(Some(claim)) => {
                self.understood.push(claim);
                self.spans.push(span);
            }
            Ok(None) => {}
            Err(Unusable) => {
                let reason = reader.deviations.get(before).map_or(Reason::WrongType, |deviation| deviation.reason);
                self.rejected.push(Rejected { span, reason });
            }
        }
    }

    /// Rejects what stands at a place without reading it.
    pub(super) fn reject(&mut self, span: Span, reason: Reason) {
        self.rejected.push(Rejected { span, reason });
    }

    /// Returns what was understood so far.
    pub(super) fn understood(&self) -> &[Claim] {
        &self.understood
    }

    /// Tells whether every claim so far was understood, so that they can be counted.
    pub(super) fn are_complete(&self) -> bool {
        self.rejected.is_empty()
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
