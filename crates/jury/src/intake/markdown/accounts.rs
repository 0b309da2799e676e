//! The accounts of a document: drafts without a severity, leaves that no claim covers, and counts that claims bear out.
//!
//! In: the claims that were entered, and the fate of every leaf (`account`). Out: open findings, rejects and gaps.

use jury_wire::Reason;

use super::super::account::{self, Fate, Leaf, NonClaim, Unread};
use super::super::finding::Scope;
use super::super::prose::Draft;
use super::Document;
use crate::model::{GateVerdict, Severity};
use crate::syntax::Span;

/// Texts in gaps are cut to this many characters.
const LONGEST: usize = 160;

impl<'t> Document<'_, '_, 't> {
    /// Sees to it that every leaf of the document ends as a claim, as no claim, or as a gap.
    pub(super) fn settle_accounts(&mut self) {
        let undecided = std::mem::take(&mut self.found.undecided);
        if self.found.has_front_claim {
            return;
        }
        let mut spans: Vec<Span> = undecided.iter().map(|draft| draft.span).collect();
        spans.sort_unstable();
        let claims = account::Claims { entered: &self.found.claimed, undecided: &spans };
        let leaves = account::account(self.text, self.at.body, claims, &self.legend);
        let is_text = |fate: Fate| matches!(fate, Fate::NonClaim(NonClaim::Text | NonClaim::Aside));
        self.said.parts.text |= leaves.iter().any(|leaf| leaf.fate == Fate::NonClaim(NonClaim::Text));
        self.said.parts.any_text |= leaves.iter().any(|leaf| is_text(leaf.fate));
        self.doubts.has_rated_text = leaves.iter().any(|leaf| is_text(leaf.fate) && self.rates_as_blocking(leaf.span));
        self.ledger.leaves(leaves.iter().cloned());
        let nothing_blocks = self.says_nothing_blocks();
        for draft in undecided {
            let first = leaves.partition_point(|leaf| leaf.span.start < draft.span.start);
            let lead = leaves.get(first).filter(|leaf| leaf.span.start < draft.span.end);
            self.decide(draft, lead.map(|leaf| leaf.fate), nothing_blocks);
        }
        for leaf in &leaves {
            let next = spans.partition_point(|span| span.start <= leaf.span.start);
            let is_decided = spans[..next].last().is_some_and(|span| leaf.span.start < span.end);
            match leaf.fate {
                Fate::Unread(why) if !is_decided => self.unread(leaf, why, nothing_blocks),
                Fate::NonClaim(NonClaim::Count) => self.check_count(leaf.span),
                _ => {}
            }
        }
    }

    /// Tells whether the reviewer states plainly that nothing blocks.
    pub(super) fn says_nothing_blocks(&self) -> bool {
        let passes = |verdict: GateVerdict| self.said.verdicts.iter().any(|(stated, ..)| *stated == verdict);
        let blocks = self.found.report.claims.iter().any(|claim| claim.severity.is_at_least(Severity::High));
        !blocks
            && !passes(GateVerdict::Fail)
            && (self.said.none_blocking || self.said.passes || self.said.empty_sections.says_so())
    }

    /// Enters a draft without a severity: as none if its leaf is known to be none, as Medium if nothing blocks.
    fn decide(&mut self, mut draft: Draft<'t>, fate: Option<Fate>, nothing_blocks: bool) {
        // A heading or a field at its start says nothing about the finding.
        let is_known =
            |fate: &Fate| matches!(fate, Fate::NonClaim(why) if !matches!(why, NonClaim::Field | NonClaim::Heading));
        if fate.as_ref().is_some_and(is_known) {
            return self.ledger.repair(Reason::NotAClaim, draft.span, draft.raw, "no finding");
        }
        if matches!(fate, None | Some(Fate::Unread(Unread::Unmarked))) && self.restates(draft.raw) {
            return self.ledger.repair(Reason::NotAClaim, draft.span, draft.raw, "a finding that is stated elsewhere");
        }
        if nothing_blocks && fate != Some(Fate::Unread(Unread::UnknownMark)) {
            draft.scope.severity = Some(Severity::Medium);
            self.ledger.repair(Reason::SeverityAssumed, draft.span, draft.raw, Severity::Medium.word());
            self.enter(&draft);
            return self.settle_restated();
        }
        self.found.claimed.push(draft.span);
        self.found.rejected += 1;
        if self.ledger.claim_present(draft.raw, draft.span) {
            self.ledger.reject(Reason::MissingField, draft.span, draft.raw, "`severity` is missing");
        }
    }

    /// Notes a leaf that could be a claim and was not read as one.
    fn unread(&mut self, leaf: &Leaf, why: Unread, nothing_blocks: bool) {
        let raw = self.text.get(leaf.span.start..leaf.span.end).unwrap_or_default();
        if why.is_settled_by_a_pass() && nothing_blocks {
            return;
        }
        if why.is_unmarked() && nothing_blocks {
            let (lead, body) = raw.trim_start_matches(['-', '*', '+', '#', ' ']).split_once('\n').unwrap_or((raw, ""));
            let mut draft = self.draft(lead.trim_start_matches(['-', '+', '#', ' ']), body, None, leaf.span);
            // The headings that are open at the end of the document are not those of the leaf.
            draft.scope = Scope { is_listed: true, ..Scope::default() };
            draft.inherited = None;
            return self.decide(draft, None, true);
        }
        if why.is_unmarked() && self.restates(raw) {
            return;
        }
        let shown: String = raw.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
        self.ledger.gap(Reason::UnreadText, leaf.span, format!("unread, but {}: {shown}", why.why()));
    }

    /// Sees to it that claims bear a count out.
    fn check_count(&mut self, span: Span) {
        let raw = self.text.get(span.start..span.end).unwrap_or_default();
        let bare = raw.trim_start_matches(['#', '-', '*', '>', '|', ' ', '+']);
        // Tables and lines with a count for each severity are summed up as a whole.
        if self.said.counted.iter().any(|(_, whole)| whole.start <= span.start && span.start < whole.end) {
            return;
        }
        let Some(stated) = account::stated_count(bare.trim_end_matches(['|', ' '])) else { return };
        let is_blocking = |severity: Severity| severity.is_at_least(Severity::High);
        let blocking =
            self.found.report.claims.iter().filter(|claim| is_blocking(claim.severity)).count() + self.found.rejected;
        let all = self.found.report.claims.len() + self.found.rejected;
        if stated.blocking > blocking {
            let message =
                format!("{} findings are counted as High or worse, but {blocking} are stated", stated.blocking);
            self.ledger.gap(Reason::CountMismatch, span, message);
        } else if stated.total > all {
            self.ledger.gap(
                Reason::CountMismatch,
                span,
                format!("{} findings are counted, but {all} are stated", stated.total),
            );
        }
    }
}
