//! Statements of a report about itself: its verdict, its counts, its errors, and whether it states anything at all.
//!
//! In: members that state one of these, and at the end all that was gathered. Out: the report in the ledger, or why there is none.
//! Deliberately not here: the findings.

use jury_wire::Reason;

use super::super::fields::flattened;
use super::super::finding::{self, Scope};
use super::super::node_kinds::{described, holds_finding, looks_like_finding, says_none};
use super::super::synonyms::{self, Field, Part, UNFINISHED};
use super::super::{contradictions, scalars, summaries};
use super::{DEEPEST, ReportReader};
use crate::model::{GateVerdict, Severity, Stated, Tally};
use crate::syntax::{Member, Node, Span, Value};

/// A verdict as a report states it.
pub(super) struct StatedVerdict {
    pub(super) verdict: Option<GateVerdict>,
    pub(super) span: Span,
    pub(super) text: String,
}

/// How many findings a report says it has.
pub(super) struct Counted {
    pub(super) blocking: usize,
    pub(super) total: usize,
    pub(super) span: Span,
}

impl ReportReader<'_, '_> {
    pub(super) fn verdict(&mut self, node: &Node<'_>, is_certain: bool, depth: usize) {
        match &node.value {
            Value::String(text) if is_certain && truth(text).is_some() => {
                let verdict = truth(text).map(|is_so| if is_so { GateVerdict::Pass } else { GateVerdict::Fail });
                self.verdicts.push(StatedVerdict { verdict, span: node.span, text: text.to_string() });
            }
            Value::String(text) => {
                let verdict = scalars::verdict(text);
                let is_useful = is_certain || verdict == Some(GateVerdict::Fail);
                if is_useful && !text.trim().is_empty() {
                    self.verdicts.push(StatedVerdict { verdict, span: node.span, text: text.to_string() });
                }
            }
            Value::Bool(approved) if is_certain => {
                let verdict = Some(if *approved { GateVerdict::Pass } else { GateVerdict::Fail });
                self.verdicts.push(StatedVerdict { verdict, span: node.span, text: approved.to_string() });
            }
            Value::Object(members) if is_certain && depth < DEEPEST => {
                for member in members {
                    let names_it = matches!(synonyms::part(&member.key), Some(Part::Verdict | Part::VerdictHint));
                    if names_it {
                        self.verdict(&member.node, true, depth + 1);
                    } else if let Value::String(text) = &member.node.value
                        && scalars::verdict(text) == Some(GateVerdict::Fail)
                    {
                        self.verdict(&member.node, true, depth + 1);
                    } else {
                        self.member(member, &Scope::default(), depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    /// Hears that a review is not done, where the report says so of itself.
    pub(super) fn progress(&mut self, node: &Node<'_>, depth: usize) {
        if let Value::String(text) = &node.value
            && depth <= 1
            && UNFINISHED.iter().any(|words| words.contains(&synonyms::fold_word(text).as_str()))
        {
            self.unfinished.push((node.span, text.to_string()));
        }
    }

    pub(super) fn error(&mut self, node: &Node<'_>, scope: &Scope, depth: usize) {
        let is_empty = match &node.value {
            Value::Null | Value::Bool(false) => true,
            Value::String(text) => says_none(text) || text.trim().is_empty(),
            Value::Array(items) => items.is_empty(),
            Value::Object(members) => members.is_empty(),
            Value::Number(text) => text == "0",
            Value::Bool(true) => false,
        };
        if is_empty {
            return;
        }
        if matches!(&node.value, Value::Array(items) if items.iter().all(looks_like_finding)) {
            return self.visit(node, &Scope { is_listed: true, ..scope.clone() }, depth);
        }
        // Some call the worst of their findings errors, and group them.
        if matches!(node.value, Value::Object(_)) && holds_finding(node) {
            return self.visit(node, scope, depth);
        }
        if matches!(node.value, Value::Number(_)) {
            return;
        }
        self.ledger.gap(Reason::EnvelopeFailed, node.span, format!("the report states a failure: {}", flattened(node)));
    }

    pub(super) fn schema_version(&mut self, node: &Node<'_>) {
        let Some(text) = scalar(node) else { return };
        let major = text.trim_start_matches(['v', 'V']).split('.').next().unwrap_or_default();
        if major.parse::<u64>().map_or(true, |major| major > 1) {
            self.ledger.gap(Reason::NewerVersion, node.span, format!("schema version {text:?} is not known"));
        }
    }

    /// Takes numbers under names of severities as the report's counts.
    pub(super) fn count(&mut self, span: Span, members: &[Member<'_>]) {
        let mut counted = Counted { blocking: 0, total: 0, span };
        let mut names = 0;
        for member in members {
            let severity = match synonyms::part(&member.key) {
                Some(Part::OfSeverity(severity)) => Some(severity),
                Some(Part::Error) => Some(Severity::High),
                _ => None,
            };
            if let (Value::Number(text), Some(severity)) = (&member.node.value, severity) {
                let number = text.parse::<usize>().unwrap_or(usize::MAX / 1024);
                names += 1;
                counted.total += number;
                counted.blocking += if severity.is_at_least(Severity::High) { number } else { 0 };
            }
        }
        // One number under the name of a severity may be anything, unless it stands among numbers alone.
        let is_tally = || members.iter().all(|member| matches!(member.node.value, Value::Number(_)));
        let says_count = |member: &Member<'_>| {
            matches!(member.node.value, Value::Number(_)) && synonyms::counts_severity(&member.key)
        };
        if names > 1 || counted.blocking > 0 && (is_tally() || members.iter().any(says_count)) {
            self.counted.push(counted);
        }
        self.pages(members);
    }

    /// Takes the number that stands beside a list of findings as that of all there are, on this page and on others.
    fn pages(&mut self, members: &[Member<'_>]) {
        let lists = |member: &Member<'_>| {
            matches!(member.node.value, Value::Array(_)) && synonyms::part(&member.key) == Some(Part::Findings)
        };
        if !members.iter().any(lists) {
            return;
        }
        for member in members.iter().filter(|member| synonyms::part(&member.key) == Some(Part::Total)) {
            if let Value::Number(text) = &member.node.value
                && let Ok(total) = text.parse::<usize>()
            {
                self.counted.push(Counted { blocking: 0, total, span: member.node.span });
            }
        }
    }

    pub(super) fn end(mut self, node: &Node<'_>) {
        let span = node.span;
        if self.ledger.present() == self.present_before && self.counted.iter().any(|counted| counted.total > 0) {
            self.summary(node);
        }
        let present = self.ledger.present() - self.present_before;
        let blocking = self.report.claims.iter().filter(|claim| claim.severity.is_at_least(Severity::High)).count();
        for counted in &self.counted {
            if counted.blocking > blocking + self.rejected || counted.total > present {
                let message = format!(
                    "{} findings are counted, {} of them High or worse, but {present} are stated",
                    counted.total, counted.blocking
                );
                self.ledger.gap(Reason::CountMismatch, counted.span, message);
            }
        }
        if blocking == 0 && self.rejected == 0 {
            // A finding that lost its list stands beside an empty one.
            for (span, why) in &self.rated {
                self.ledger.gap(Reason::VerdictContradiction, *span, *why);
            }
        }
        for (span, text) in std::mem::take(&mut self.unfinished) {
            let is_of_review = UNFINISHED[0].contains(&synonyms::fold_word(&text).as_str());
            if present == 0 || is_of_review && blocking == 0 {
                self.ledger.gap(Reason::EnvelopeFailed, span, format!("the report states that the review is {text:?}"));
            }
        }
        if let Some(span) = self.reviewed_none.filter(|_| present == 0) {
            self.ledger.gap(Reason::EnvelopeFailed, span, "the report states that no file was reviewed");
        }
        let counts_none = !self.counted.is_empty() && self.counted.iter().all(|counted| counted.total == 0);
        if present == 0 && !self.is_stated && !counts_none {
            return self.ledger.gap(Reason::NoFindingsStated, span, "neither findings nor their absence are stated");
        }
        // Counts say less than a list: a finding described next to them was not counted.
        if present == 0
            && !self.is_stated
            && let Some(span) = described(node)
        {
            let message = "the count is 0, but a text describes a defect with its file and line";
            self.ledger.gap(Reason::CountMismatch, span, message);
        }
        if present == 0
            && self.rated.is_empty()
            && let Some((span, why)) = contradictions::contradiction(node)
        {
            self.ledger.gap(Reason::VerdictContradiction, span, why);
        }
        self.settle_verdict();
        self.ledger.report(self.report);
    }

    /// Reads the findings that only the summary names, where findings are counted and none is listed.
    fn summary(&mut self, node: &Node<'_>) {
        let Value::Object(members) = &node.value else { return };
        for member in members {
            let is_summary =
                synonyms::field(&member.key).is_some_and(|(field, _)| matches!(field, Field::Title | Field::Why));
            let Value::String(text) = &member.node.value else { continue };
            for (severity, piece) in summaries::enumerated(text).into_iter().filter(|_| is_summary) {
                let scope = Scope { severity: Some(severity), ..Scope::default() };
                let span = member.node.span;
                self.enter(span, |ledger| finding::of_text(ledger, span, piece, &scope));
            }
        }
    }

    /// Holds the stated verdict against the findings: a worse one is a gap, a better one is overruled.
    fn settle_verdict(&mut self) {
        let standing = Tally::of_claims(&self.report.claims, |claim| claim.status().stands());
        let rank = |verdict: GateVerdict| match verdict {
            GateVerdict::Pass => 0,
            GateVerdict::Warn => 1,
            GateVerdict::Fail => 2,
        };
        let mut worst: Option<GateVerdict> = None;
        for StatedVerdict { verdict, span, text } in std::mem::take(&mut self.verdicts) {
            match verdict {
                None => self.ledger.gap(Reason::UnknownToken, span, format!("unknown verdict {text:?}")),
                Some(GateVerdict::Fail) if !standing.any_at_least(Severity::High) && self.rejected == 0 => {
                    let message = format!("the verdict is {text:?}, but no finding blocks");
                    self.ledger.gap(Reason::VerdictContradiction, span, message);
                }
                Some(verdict) => {
                    if rank(verdict) < rank(standing.gate()) && standing.any_at_least(Severity::High) {
                        self.ledger.repair(Reason::VerdictOverruled, span, &text, standing.gate().token());
                    } else if worst.is_none_or(|worst| rank(worst) < rank(verdict)) {
                        worst = Some(verdict);
                    }
                }
            }
        }
        self.report.stated = worst.filter(|worst| rank(*worst) >= rank(standing.gate())).map(Stated::Gate);
    }
}

/// Reads a yes or a no.
fn truth(text: &str) -> Option<bool> {
    match synonyms::fold_word(text).as_str() {
        "yes" | "true" => Some(true),
        "no" | "false" => Some(false),
        _ => None,
    }
}

/// Returns a text or a number as a text.
pub(super) fn scalar(node: &Node<'_>) -> Option<String> {
    match &node.value {
        Value::String(text) | Value::Number(text) => Some(text.to_string()),
        _ => None,
    }
}
