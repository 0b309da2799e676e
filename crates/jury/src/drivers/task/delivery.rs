//! One document of one reviewer: a verdict file, or its output.
//!
//! In: bytes and the name by which people know them. Out: the report, the gaps, and whether the
//! document is a verdict at all. Pure. Deliberately not here: the result of several documents.

use jury_wire::Reason;

use crate::formats::{self, Format, Reading};
use crate::intake::{self, Dialect, Intake, Reliability};
use crate::model::{Claim, Gap, GapKind, GateVerdict, Report, Role, Severity, Tally};
use crate::syntax::{Deviation, Limits, Span};

/// How much of anything is read of one document. 001's are thirty lines long; evidence may stand in them.
pub(super) const LIMITS: Limits =
    Limits { bytes: 4 << 20, line_bytes: 1 << 20, depth: 64, aliases: 100, claims: 1_000 };
/// The most gaps of one document that are listed one by one.
const MOST_GAPS: usize = 10;
/// The longest text of a reject that a gap quotes, in characters.
const LONGEST_QUOTE: usize = 200;

/// The kind of a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The word of a reviewer, in any format.
    Verdict,
    /// The few lines that point to a verdict file, with its path if that can be one (001, "Stdout contract").
    Pointer(Option<String>),
    /// The summary of a task, which no reviewer writes.
    Summary,
}

/// The content of one document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Delivery {
    /// The kind of the document.
    pub(super) kind: Kind,
    /// Its report. It is reliable if there is no gap.
    pub(super) report: Option<Report>,
    /// The gaps.
    pub(super) gaps: Vec<Gap>,
    /// Other notes.
    pub(super) notes: Vec<String>,
    /// Whether its failure is of a kind that a verdict elsewhere does not make good: the service or the program says itself
    /// that the review failed.
    pub(super) is_dead: bool,
}

impl Delivery {
    /// Returns the verdict that the report comes to: the stated one or that of the claims, whichever is worse.
    pub(super) fn verdict(&self) -> Option<GateVerdict> {
        self.report.as_ref().map(verdict_of)
    }

    /// Tells whether two documents say the same as far as a gate is concerned: the verdict and the blockers.
    pub(super) fn agrees_with(&self, other: &Self) -> bool {
        let said = |delivery: &Self| {
            let blockers = delivery.report.iter().flat_map(Report::claims).filter(|claim| blocks(claim));
            let mut blockers: Vec<String> = blockers.map(text_of).collect();
            blockers.sort();
            blockers.dedup();
            (delivery.verdict(), blockers)
        };
        said(self) == said(other)
    }
}

/// Returns the verdict of a report in 001's words.
fn verdict_of(report: &Report) -> GateVerdict {
    let by_claims = Tally::of_claims(&report.claims, |claim| claim.status().is_unsettled()).gate();
    match (report.stated.map(|stated| stated.gate()), by_claims) {
        (Some(GateVerdict::Fail), _) | (_, GateVerdict::Fail) => GateVerdict::Fail,
        (Some(GateVerdict::Warn), _) | (_, GateVerdict::Warn) => GateVerdict::Warn,
        (Some(GateVerdict::Pass) | None, GateVerdict::Pass) => GateVerdict::Pass,
    }
}

/// Tells whether a claim is a blocker in 001's words (DESIGN §5).
pub(super) fn blocks(claim: &Claim) -> bool {
    claim.severity.is_at_least(Severity::High) && claim.severity != Severity::Praise && claim.status().is_unsettled()
}

/// Writes the place and the title in one line.
pub(super) fn text_of(claim: &Claim) -> String {
    let title: Vec<&str> = claim.title.as_str().split_whitespace().collect();
    let title = title.join(" ");
    claim.location.as_ref().map_or_else(|| title.clone(), |location| format!("{location} — {title}"))
}

/// Tells whether bytes look like one of 001's verdicts, be they good or bad.
pub(super) fn looks_like_verdict(bytes: &[u8]) -> bool {
    formats::read(bytes, &LIMITS).0.is_some_and(is_of_001)
}

fn is_of_001(format: &Format) -> bool {
    format.seed == "001"
}

/// Reads a document that is known to people by a name.
pub(super) fn read(role: &Role, name: &str, bytes: &[u8]) -> Delivery {
    let (format, reading) = formats::read(bytes, &LIMITS);
    let notes = reading.notes.iter().map(|note| placed(name, bytes, note)).collect();
    if let Some(format) = format.filter(|format| is_of_001(format) && reading.is_conforming()) {
        return ended(role, format.id, reading.report, Vec::new(), notes, false);
    }
    let taken = intake::take(bytes, None, &LIMITS);
    let document = Document { role, name, bytes, is_of_001: format.is_some_and(is_of_001) };
    let reliance = intake::reliability(format, &reading, &taken);
    let mut gaps = document.gaps(reliance, &reading, &taken);
    let id = match taken.dialect {
        Dialect::Format(format) => format.id,
        // A document with the name of a pointer or a summary is none the better for being broken.
        _ => format.map_or("", |format| format.id),
    };
    let is_dead = taken.gaps.iter().any(|gap| is_of_a_dead_run(gap.reason));
    // The claims of an unreliable document are kept all the same: they may be why the gate has to stay closed. Those that
    // a reader of 001 rejects are quoted in the gaps instead.
    let is_rejected = document.is_of_001 && !matches!(reliance, Reliability::Conforming | Reliability::Repaired);
    let loose = taken.reports.into_iter().reduce(joined).filter(|_| !is_rejected);
    let report = match (reading.report, loose) {
        // A claim whose place is only spelled in another way is none the less one.
        (Some(strict), Some(loose))
            if reliance == Reliability::Repaired
                && loose.claims.len() == strict.claims.len() + reading.rejected.len()
                && without_place(&loose) == without_place(&strict) =>
        {
            Some(Report { claims: loose.claims, ..strict })
        }
        (strict, loose) => strict.or(loose),
    };
    // 001: "The gate decision is `verdict:`". A contract that has findings in its place says in its own words that there are
    // none; any other silence may be a verdict that was lost.
    let is_contract = reliance == Reliability::Conforming && format.is_some_and(|format| format.seed.starts_with("00"));
    let is_silent =
        report.as_ref().is_some_and(|report| report.stated.is_none() && verdict_of(report) != GateVerdict::Fail);
    if is_silent && !is_contract {
        gaps.push(gap_of(role, Reason::MissingField, format!("{name} states no verdict")));
    }
    ended(role, id, report, gaps, notes, is_dead)
}

fn ended(
    role: &Role,
    id: &str,
    report: Option<Report>,
    mut gaps: Vec<Gap>,
    notes: Vec<String>,
    is_dead: bool,
) -> Delivery {
    let kind = match id {
        "verdict-pointer" => {
            Kind::Pointer(report.as_ref().and_then(|report| report.facts.verdict_file.as_deref()).map(str::to_owned))
        }
        "verdict-kdl" => Kind::Summary,
        _ => Kind::Verdict,
    };
    gaps.extend(report.iter().flat_map(Report::gaps).map(|gap| Gap { reviewer: role.domain(), ..gap }));
    Delivery { kind, report, gaps, notes, is_dead }
}

fn without_place(report: &Report) -> usize {
    report.claims().filter(|claim| claim.location.is_none()).count()
}

/// Puts the claims of two reports together.
fn joined(mut first: Report, second: Report) -> Report {
    first.claims.extend(second.claims);
    first
}

/// A document that does not conform.
struct Document<'d> {
    role: &'d Role,
    name: &'d str,
    bytes: &'d [u8],
    is_of_001: bool,
}

impl Document<'_> {
    fn gaps(&self, reliance: Reliability, reading: &Reading, taken: &Intake) -> Vec<Gap> {
        let mut gaps: Vec<Gap> = match reliance {
            // A conforming document may still have findings outside its contract, which intake reports.
            Reliability::Conforming => taken.gaps.iter().map(|gap| self.gap(gap)).collect(),
            Reliability::Repaired if taken.reports.len() > 1 => {
                vec![gap_of(self.role, Reason::SeveralBlocks, format!("{} holds several reports", self.name))]
            }
            // In 001's own formats a missing or unknown line may be the intended blocker.
            Reliability::Repaired if self.is_of_001 => {
                let doubtful = reading.deviations.iter().filter(|deviation| is_doubtful(deviation.reason));
                doubtful.map(|deviation| self.gap(deviation)).collect()
            }
            Reliability::Repaired => Vec::new(),
            Reliability::Incomplete | Reliability::Unreliable(_) if self.is_of_001 => {
                let rejected = reading.rejected.iter().map(|rejected| self.reject(rejected.reason, rejected.span));
                reading.deviations.iter().map(|deviation| self.gap(deviation)).chain(rejected).collect()
            }
            Reliability::Incomplete => {
                let rejected = taken.rejected.iter().map(|reject| self.reject(reject.reason, reject.span));
                taken.gaps.iter().map(|gap| self.gap(gap)).chain(rejected).collect()
            }
            Reliability::Unreliable(reason) => {
                vec![gap_of(self.role, reason, format!("{}: {}", self.name, reason.description()))]
            }
        };
        if gaps.len() > MOST_GAPS {
            let more = format!("{} has {} more such defects", self.name, gaps.len() - MOST_GAPS);
            gaps.truncate(MOST_GAPS);
            gaps.push(gap_of(self.role, Reason::LimitClaims, more));
        }
        gaps
    }

    fn gap(&self, deviation: &Deviation) -> Gap {
        gap_of(self.role, deviation.reason, placed(self.name, self.bytes, deviation))
    }

    /// Says that something was claimed and cannot be used, in its own words.
    fn reject(&self, reason: Reason, span: Span) -> Gap {
        let raw = self.bytes.get(span.start..span.end).map(String::from_utf8_lossy).unwrap_or_default();
        let words: Vec<&str> = raw.split_whitespace().collect();
        let quote: String = words.join(" ").chars().take(LONGEST_QUOTE).collect();
        let place = place(self.name, self.bytes, span);
        gap_of(self.role, reason, format!("{place}: unusable claim: {quote}"))
    }
}

/// Tells whether a deviation that reading can pass over leaves the meaning open.
fn is_doubtful(reason: Reason) -> bool {
    matches!(reason, Reason::UnexpectedLine | Reason::FixedLine | Reason::MissingField | Reason::UnknownField)
}

fn is_of_a_dead_run(reason: Reason) -> bool {
    matches!(reason, Reason::EnvelopeFailed | Reason::NoFinalMessage | Reason::NotAReport | Reason::BlocksDisagree)
}

fn gap_of(role: &Role, reason: Reason, what: String) -> Gap {
    let kind = if is_of_a_dead_run(reason) { GapKind::DeadReviewer } else { GapKind::UnreadableOutput };
    Gap { reviewer: role.domain(), kind, what, remedy: reason.help().to_owned() }
}

fn placed(name: &str, bytes: &[u8], deviation: &Deviation) -> String {
    format!("{}: {}", place(name, bytes, deviation.span), deviation.message)
}

fn place(name: &str, bytes: &[u8], span: Span) -> String {
    let before = &bytes[..span.start.min(bytes.len())];
    format!("{name}:{}", before.iter().filter(|byte| **byte == b'\n').count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delivery(text: &str) -> Delivery {
        read(&Role::new("qa").unwrap(), "qa.md", text.as_bytes())
    }

    #[test]
    fn every_shape_of_a_verdict_is_understood() {
        use GateVerdict::{Fail, Pass, Warn};
        for (text, verdict) in [
            ("verdict: pass\nconfidence: high\n", Pass),
            ("# a comment\n\nverdict: warn\nconfidence: med\nadvisory: a nit\n", Warn),
            ("verdict: fail\nconfidence: high\nblocker: src/a.ts:3 wrong\n", Fail),
            ("```yaml\nverdict: pass\nconfidence: high\nblockers: []\nadvisories: []\n```\n", Pass),
            (
                "```yaml\nverdict: fail\nconfidence: low\nblockers:\n  - \"src/a.ts:3 — wrong\"\nadvisories: []\n```\n",
                Fail,
            ),
            ("qa_report:\n  verdict: PASS\n  blockers: []\n", Pass),
            ("qa_report:\n  verdict: REJECT\n  blockers:\n    - \"src/a.ts:3 — wrong\"\n", Fail),
            (r#"{"reviewer": "qa", "findings": [], "residual_risks": [], "testing_gaps": []}"#, Pass),
        ] {
            let delivery = delivery(text);
            assert_eq!((delivery.verdict(), delivery.gaps), (Some(verdict), vec![]), "{text}");
        }
    }

    #[test]
    fn what_leaves_a_doubt_is_a_gap() {
        for text in [
            "",
            "LGTM",
            "verdict: pass\n",
            "verdict: pass",
            "confidence: high\nverdict: pass\n",
            "verdict: pass\nconfidence: high\nblokcer: src/a.ts:3 wrong\n",
            "verdict: pass\nconfidence: high\nblocker: src/a.ts:3 wrong\n",
            "verdict: warn\nconfidence: high\nblocker: src/a.ts:3 wrong\n",
            "verdict: fail\nconfidence: high\n",
            "verdict: perhaps\nconfidence: high\n",
            "verdict: pass\nverdict: fail\nconfidence: high\n",
            "verdict: pass\nconfidence: sure\n",
            "verdict: fail\nconfidence: high\nblocker: ../../x:3 wrong\n",
            "```yaml\nverdict: pass\nconfidence: high\nblokers:\n  - \"src/a.ts:3 — wrong\"\n```\n",
            "```yaml\nverdict: pass\nconfidence: high\n```\n\n```yaml\nverdict: fail\nconfidence: high\nblockers: [x]\n```\n",
            "```yaml\nverdict: pass\nconfidence: high\nblockers: [x]\n```\n",
            "qa_report:\n  notes: fine\n",
            "<html><body>502 Bad Gateway</body></html>",
            "{\"findings\": [",
            "{\"findings\": []}",
            "confidence: high\nadvisory: a nit\n",
            "advisory: a nit\n",
            "[]",
            "null",
            "\0\0\0",
        ] {
            let delivery = delivery(text);
            assert!(!delivery.gaps.is_empty(), "{text:?}: {delivery:?}");
        }
        assert!(!read(&Role::new("qa").unwrap(), "qa.md", b"verdict: pass\nconfidence: high\n\xff").gaps.is_empty());
        assert!(!delivery(&"x".repeat(LIMITS.bytes + 1)).gaps.is_empty());
    }

    #[test]
    fn a_contradiction_keeps_what_it_claims() {
        let delivery = delivery("verdict: pass\nconfidence: high\nblocker: src/a.ts:3 wrong\n");
        let said: Vec<&str> = delivery.gaps.iter().map(|gap| gap.what.as_str()).collect();
        assert_eq!(said[0], "qa.md:1: the verdict is pass, but a blocker is listed");
        assert!(said.iter().any(|what| what.contains("src/a.ts:3 wrong")), "{said:?}");
    }

    #[test]
    fn a_pointer_and_a_summary_are_told_from_a_verdict() {
        let path = ".dartai/reports/T-1/qa.md";
        assert_eq!(
            delivery(&format!("verdict-file: {path}\nverdict: pass ()\n")).kind,
            Kind::Pointer(Some(path.to_owned()))
        );
        assert_eq!(delivery("verdict-file: /etc/passwd\nverdict: pass ()\n").kind, Kind::Pointer(None));
        let summary = "verdict-summary version=1\ntask-id \"T-1\"\ngate \"pass\"\nreviewer \"qa\" verdict=\"pass\" confidence=\"high\"\n";
        assert_eq!(delivery(summary).kind, Kind::Summary);
        let envelope = format!(
            r#"{{"type":"result","subtype":"success","is_error":false,"result":"verdict-file: {path}\nverdict: pass ()\n"}}"#
        );
        assert_eq!(delivery(&envelope).kind, Kind::Pointer(Some(path.to_owned())));
    }
}
