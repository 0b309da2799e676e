//! Statements of a document about itself: its verdict, its counts, and whether it states anything at all.
//!
//! In: lines that may be a verdict or count, and at the end all that was gathered. Out: the report, or why there is none.

use jury_wire::Reason;

use super::super::lexicon::List;
use super::super::sections::{Section, counts};
use super::super::{account, incomplete, no_findings, rating, scalars, synonyms};
use super::Document;
use crate::model::{GateVerdict, Severity, Stated, Tally};
use crate::syntax::Span;

/// Tells whether a name or a heading is that of a verdict: `Final verdict`, `Review Decision`, `Merge recommendation`.
pub(in crate::intake) fn names_verdict(name: &str) -> bool {
    let folded = synonyms::fold_word(name);
    ["verdict", "review decision", "merge decision", "final decision", "merge recommendation", "final recommendation"]
        .iter()
        .any(|end| folded.ends_with(end))
        || List::VerdictNames.has(&folded)
}

/// Tells whether a line gives the verdict of its document: `Verdict: PASS`, `**Recommendation:** approve`.
pub(in crate::intake) fn states_verdict(line: &str) -> bool {
    let bare = line.trim().trim_start_matches(['-', '*', '#', ' ', '_', '>']);
    let value =
        bare.split_once([':', '：']).filter(|(name, _)| names_verdict(name) || is_hint(name)).map(|(_, value)| value);
    value.is_some_and(|value| {
        scalars::verdict(value.trim_matches(['*', '_', '`', ' ', '✅', '❌', '🟢', '🔴'])).is_some()
    })
}

/// Names that are those of a verdict if the word behind them is one.
fn is_hint(name: &str) -> bool {
    ["status", "result", "outcome", "coverage gate", "gate"].contains(&synonyms::fold_word(name).as_str())
}

/// Tells whether the value of a status says how far the work is, and nothing of what was found: `complete`, `ready`.
pub(super) fn is_progress(value: &str) -> bool {
    List::Progress.has(synonyms::fold_word(value).split(['(', '—', ',']).next().unwrap_or_default().trim())
}

impl Document<'_, '_, '_> {
    /// Reads `Verdict: PASS`, `**STATUS:** pass`, `Gate Decision: FAIL`.
    pub(super) fn verdict_line(&mut self, line: &str, span: Span) {
        let bare = line.trim().trim_start_matches(['-', '*', '#', ' ', '_', '>']);
        let Some((name, value)) = bare.split_once([':', '：']) else { return };
        let folded = synonyms::fold_word(name);
        let is_certain = names_verdict(name);
        if folded.split(' ').count() > 4 || !(is_certain || is_hint(name) && !is_progress(value)) {
            return;
        }
        let is_item = ["- ", "* ", "+ "].iter().any(|marker| line.trim_start().starts_with(marker));
        let is_of_document = self.pending.as_ref().is_none_or(|pending| !pending.is_certain && !pending.is_rated());
        let is_stated = is_certain || folded == "status" && !is_item && is_of_document;
        let verdicts = self.said.verdicts.len();
        self.verdict_text(value, span);
        let passes = |(verdict, ..): &(GateVerdict, Span, String)| *verdict != GateVerdict::Fail;
        // `STATUS: reviewed_no_blockers`
        if is_stated && no_findings::ends_in_denial(value) {
            self.said.none = true;
            self.said.none_blocking = true;
        }
        self.said.passes |= is_stated && self.said.verdicts.iter().skip(verdicts).any(passes);
    }

    /// Takes the verdict that a text starts with; tells whether it is one that lets the change pass.
    pub(super) fn verdict_text(&mut self, text: &str, span: Span) -> bool {
        let bare = text.trim().trim_matches(['*', '_', '`', ' ', '✅', '❌']).trim_start_matches(['*', ' ']);
        let bare = bare.split("**").next().unwrap_or(bare);
        let verdict = scalars::verdict(bare);
        self.said.verdicts.extend(verdict.map(|verdict| (verdict, span, bare.to_owned())));
        verdict == Some(GateVerdict::Pass)
    }

    /// Takes a line that is nothing but counts of findings. Counts of zero say that there is none.
    pub(super) fn count_leaf(&mut self, line: &str, span: Span) -> bool {
        let Some(stated) = account::stated_count(line) else { return false };
        if stated.is_zero() && (stated.names_all || stated.names_blocking) {
            self.none(line);
            self.said.none_blocking |= self.said.none && !self.is_below(Section::Settled);
        } else {
            self.count_line(line, span);
        }
        true
    }

    pub(super) fn count_line(&mut self, line: &str, span: Span) {
        let counted = counts(line);
        if counted.len() > 2 && !self.is_below(Section::Settled) {
            let blocking = counted
                .iter()
                .filter(|(severity, _)| severity.is_at_least(Severity::High))
                .map(|(_, number)| number)
                .sum();
            self.said.counted.push((blocking, span));
        }
    }

    pub(super) fn end(mut self) {
        self.flush();
        self.check_bare_heading(None);
        self.close_blocking_section();
        self.check_legend();
        self.settle_restated();
        self.settle_accounts();
        let blocking =
            self.found.report.claims.iter().filter(|claim| claim.severity.is_at_least(Severity::High)).count()
                + self.found.rejected;
        let glued = self.doubts.glued.filter(|_| !self.says_nothing_blocks());
        if let Some(span) = self.doubts.unheard.or(glued).filter(|_| blocking == 0) {
            self.ledger.gap(Reason::NoFindingsStated, span, "a heading mentions blocking findings, but none is stated");
        }
        for (counted, span) in std::mem::take(&mut self.said.counted) {
            if counted > blocking {
                let message = format!("{counted} findings are counted as High or worse, but {blocking} are stated");
                self.ledger.gap(Reason::CountMismatch, span, message);
            }
        }
        let says_unfinished = blocking == 0 && incomplete::says_so(self.text);
        if says_unfinished {
            let message = "the text states that the review was not finished";
            self.ledger.gap(Reason::EnvelopeFailed, Span::at(0), message);
        }
        let is_empty = self.found.report.claims.is_empty() && self.found.rejected == 0;
        // "None" in a section speaks for that section alone, unless all sections say so.
        self.said.none |= self.said.parts.none && !self.said.parts.text;
        self.said.none |= self.said.parts.lesser_none && !self.said.parts.text && !self.said.parts.any_text;
        // A sentence that says "no issues" may be about anything; a report has a heading, a list, a table or a verdict.
        let has_structure = !self.said.verdicts.is_empty()
            || self.text.lines().any(|line| line.trim_start().starts_with(['#', '|', '-', '*']));
        if let Some(span) = self.doubts.unrated.filter(|_| is_empty && self.said.none) {
            let message = "a text under a heading for findings states neither one nor their absence";
            return self.ledger.gap(Reason::NoFindingsStated, span, message);
        }
        if is_empty && !(self.said.none && has_structure || self.passes_without_findings()) {
            // A refusal without findings is no silence.
            if let Some((_, span, text)) = self.said.verdicts.iter().find(|(verdict, ..)| *verdict == GateVerdict::Fail)
            {
                let message = format!("the verdict is {text:?}, but no finding is stated");
                self.ledger.gap(Reason::VerdictContradiction, *span, message);
            }
            // The unfinished review is the reason that nothing is stated.
            if !says_unfinished {
                let message = "the text states neither findings nor their absence";
                self.ledger.gap(Reason::NoFindingsStated, Span::new(0, self.text.len()), message);
            }
            return;
        }
        self.settle_verdict();
        self.ledger.repair(Reason::ProseRead, Span::new(0, self.text.len()), "Markdown or prose", "a report");
        self.ledger.report(self.found.report);
    }

    /// Tells whether the document is a report that lets the change pass and leaves nothing unread: its verdict stands on a line of
    /// its own, and no text rates anything as blocking.
    fn passes_without_findings(&self) -> bool {
        let is_pass = |(verdict, ..): &(GateVerdict, Span, String)| *verdict == GateVerdict::Pass;
        self.said.passes
            && self.said.verdicts.iter().all(is_pass)
            && self.text.lines().any(|line| line.starts_with('#'))
            && !self.ledger.has_blocking_gaps()
            && !self.doubts.has_rated_text
    }

    /// Tells whether a text has a word for findings that block, and none by which it denies them or speaks of earlier ones.
    pub(super) fn rates_as_blocking(&self, span: Span) -> bool {
        let text = self.text.get(span.start..span.end).unwrap_or_default();
        let blocks = |severity: Severity| severity.is_at_least(Severity::High);
        let words = || text.split(|c: char| !(c.is_alphanumeric() || c == '-')).filter(|word| !word.is_empty());
        let denies = |word: &str| {
            let lower = word.to_lowercase();
            List::SentenceDenials.has(&lower) || List::ToldGone.has(&lower) || lower == "0" || lower.starts_with("non-")
        };
        words().any(|word| rating::tag(word).is_some_and(blocks)) && !words().any(denies)
    }

    fn settle_verdict(&mut self) {
        let standing = Tally::of_claims(&self.found.report.claims, |claim| claim.status().stands());
        for (verdict, span, text) in std::mem::take(&mut self.said.verdicts) {
            match verdict {
                GateVerdict::Fail if !standing.any_at_least(Severity::High) && self.found.rejected == 0 => {
                    let message = format!("the verdict is {text:?}, but no finding blocks");
                    self.ledger.gap(Reason::VerdictContradiction, span, message);
                }
                GateVerdict::Pass | GateVerdict::Warn if standing.any_at_least(Severity::High) => {
                    self.ledger.repair(Reason::VerdictOverruled, span, &text, standing.gate().token());
                }
                verdict => {
                    self.found.report.stated = Some(Stated::Gate(verdict))
                        .filter(|_| verdict == standing.gate() || self.found.report.claims.is_empty())
                }
            }
        }
    }
}
