//! The smallest documents of each kind that intake must close, must leave open, or must read as stated: one row each.
//!
//! A row that closes holds a blocking finding that a person can read, or is no review at all. A row that is open states plainly
//! that nothing blocks. Larger documents are in the fixtures; invented ones in the generator (`reviews`).

use jury::intake::{self, Intake};
use jury::model::Severity;
use jury::syntax::Limits;

fn taken(text: &str) -> Intake {
    intake::take(text.as_bytes(), None, &Limits::default())
}

/// Headings that no lexicon has, above an item with a place.
const HEADINGS: &[&str] = &[
    "Do not merge",
    "Before we ship",
    "Dealbreakers",
    "Red flags",
    "Hold the release",
    "Not OK",
    "Stop the line",
    "Fix first",
    "Needs action",
    "Hard stops",
    "Unacceptable",
    "Wrong",
    "Dangerous",
    "Broken",
    "Must change",
    "Cannot ship",
    "Urgent",
    "Fires",
    "Gehört gestoppt",
    "À corriger d'urgence",
    "Antes de publicar",
    "先别合并",
    "出荷停止",
    "Нельзя сливать",
];

/// Tags that no lexicon has, or not for certain, beside a known one.
const TAGS: &[&str] = &[
    "Crit",
    "Sev-1",
    "Sev 1",
    "MUST",
    "STOP",
    "Tier 1",
    "Class A",
    "Grave",
    "Red",
    "Alarm",
    "No-go",
    "Urgent",
    "Hard fail",
    "K.O.",
    "Level 5",
    "Showstop",
    "T1",
    "Severe",
    "Cat 1",
    "A1",
    "must fix now",
    "breaks prod",
    "🚨",
    "🧨",
    "💥",
];

#[test]
fn what_a_person_would_stop_for_is_never_clear() {
    for heading in HEADINGS {
        for rest in [
            "1. **Lock is dropped** — a.ts:3",
            "- Lock is dropped (`src/a.ts:3`)",
            "### Lock is dropped (`src/a.ts:3`)\n\nText.",
        ] {
            let text = format!("## {heading}\n\n{rest}\n\n## Nits\n\nNone.\n");
            assert!(!taken(&text).is_clear(), "{text}");
        }
    }
    for tag in TAGS {
        let text = format!("- **[{tag}]** a.ts:3 — the lock is dropped\n- **[nit]** b.ts:4 — a name\n");
        assert!(!taken(&text).is_clear(), "{text}");
        let text = format!("### {tag}: Lock is dropped\n\nText.\n\n### Low: A name\n\nText.\n");
        assert!(!taken(&text).is_clear(), "{text}");
        let text = format!(
            "| Severity | Finding | File |\n|---|---|---|\n| {tag} | Lock is dropped | a.ts:3 |\n| low | a name | b.ts:4 |\n"
        );
        assert!(!taken(&text).is_clear(), "{text}");
    }
    for text in CLOSED {
        assert!(!taken(text).is_clear(), "{text}");
    }
}

#[rustfmt::skip]
const CLOSED: &[&str] = &[
    // A word in an ancestor heading settles nothing.
    "# PR: resolved conflicts\n## New Findings\n### High Priority\n1. **Lock is dropped** (src/a.ts:12)\n",
    "# Review\n## Round 1 Fix Verification\n- all fixed\n## Findings\n- **[High]** a.ts:3 — lock is dropped\n",
    "# Verified fixes\n\n## Problems\n\n- Lock is dropped (a.ts:3)\n",
    // Texts in structures.
    "[{\"review\":[{\"content\":\"- **[High]** a.ts:3 lock is dropped\"}]}]",
    "[{\"answer\":[{\"data\":\"verdict: fail\\nblockers:\\n  - lock is dropped in a.ts:3\\n\"}]}]",
    // A second document of another form.
    "{\"verdict\":\"pass\",\"findings\":[]}\n\n[[findings]]\ntitle = \"Lock is dropped\"\nseverity = \"High\"\nfile = \"a.ts\"\n",
    "[[findings]]\ntitle = \"Lock is dropped\"\nseverity = \"High\"\nfile = \"a.ts\"\n\n{\"verdict\":\"pass\",\"findings\":[]}\n",
    "{\"verdict\":\"pass\",\"findings\":[]}\n\n    - **[High]** a.ts:3 lock is dropped\n",
    "{\"verdict\":\"pass\",\"findings\":[]}\n\n\t1. HIGH: lock is dropped\n",
    "    - **[High]** a.ts:3 lock is dropped\n\n{\"verdict\":\"pass\",\"findings\":[]}\n",
    "# Review\n\nVerdict: PASS\n\n## Findings\n\nNone.\n\n    - **[High]** a.ts:3 lock is dropped\n",
    "# Review\n\nVerdict: PASS\n\n## Findings\n\nNone.\n\n```\n- **[High]** a.ts:3 lock is dropped\n```\n",
    // One line, and letters that look like others.
    "# Review  - **[nit]** a name - **[Blocker]** the lock is dropped\n",
    "### HIG\u{200b}H\n- lock is dropped a.ts:3\n## Nits\nNone.\n",
    "### \u{ff28}\u{ff29}\u{ff27}\u{ff28}\n- lock is dropped a.ts:3\n## Nits\nNone.\n",
    "### H\u{456}gh\n- lock is dropped a.ts:3\n## Nits\nNone.\n",
    // Confidences that are none suppress nothing.
    "{\"reviewer\":\"security\",\"findings\":[{\"title\":\"Lock is dropped\",\"severity\":\"High\",\"file\":\"a.ts\",\"line\":3,\"confidence\":\"007\"}]}",
    "{\"reviewer\":\"security\",\"findings\":[{\"title\":\"Lock is dropped\",\"severity\":\"High\",\"file\":\"a.ts\",\"line\":3,\"confidence\":[42]}]}",
    // No reviews: a schema, a source, a log, a closing tag.
    "{\"$schema\":\"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"properties\":{\"findings\":{\"type\":\"array\"}}}",
    "{\"type\":\"object\",\"properties\":{\"severity\":{\"enum\":[\"high\",\"low\"]},\"title\":{\"type\":\"string\"}}}",
    "type: object\nproperties:\n  findings:\n    type: array\nrequired: [findings]\n",
    "fn main() {\n    println!(\"No issues found.\");\n}\n",
    "import os\n\nclass A:\n    \"\"\"No issues found.\"\"\"\n    def f(self):\n        return None\n",
    "2026-01-02T10:00:00Z INFO starting server\n2026-01-02T10:00:01Z INFO listening on 80\n2026-01-02T10:00:02Z INFO No issues found\n",
    "</é\n",
    // A sign, an abbreviation or nothing where others have their severity.
    "### 🚨 Lock is dropped\n\nText.\n\n### Low: A name\n\nText.\n",
    "### Lock is dropped\n\nText.\n\n### Low: A name\n\nText.\n",
    "- 🚨 the lock is dropped\n- **[nit]** b.ts:4 — a name\n",
    "- K.O.: the lock is dropped\n- nit: a name\n",
    // A restated finding is one; a different one beside it is not.
    "# Review\n\n## Summary\n\n1. **The token is written to the log** in plain text\n\n## Low\n\n### L-1: A name is unclear\n\n**File:** a.ts:3\n\nVerdict: fail\n",
    // Counts that nothing bears out, and a count that is not zero.
    "# Review\n\n| Severity | Count |\n|---|---|\n| BLOCKER | 1 |\n| HIGH | 0 |\n\nVerdict: PASS\n",
    "# Review\n\nFindings: 2 | Blockers: 1\n\nVerdict: PASS\n",
    // Red and yellow are a scale.
    "# Review\n\n## Red\n\n- Lock is dropped (`a.ts:3`)\n\n## Yellow\n\n- Error is swallowed (`b.ts:9`)\n",
    "# Review\n\n| Area | Rating |\n|---|---|\n| Locking | Red |\n| Names | Green |\n\nVerdict: PASS\n",
];

#[rustfmt::skip]
const OPEN: &[&str] = &[
    "---\nstatus: clean\nfindings: {critical: 0, warning: 0, info: 0, total: 0}\n---\n# Phase 1: Code Review\n\nAll reviewed files meet quality standards. No issues found.\n",
    "---\nfindings:\n  critical: 0\n  warning: 1\n  total: 1\nstatus: issues_found\n---\n# Code Review\n\n**Status:** issues_found\n\n## Warnings\n\n### WR-01: Error is swallowed\n\n**File:** `src/b.ts:9`\n**Issue:** The error is lost.\n**Fix:** Pass it on.\n",
    "# Design review\n\n## Findings\n\nNone from a design perspective.\n\n**Verdict:** PASS\n",
    "# Review\n\n### BLOCKER: None\n\n### HIGH: None\n\n### MEDIUM: None\n\n**Verdict:** PASS\n",
    "# Review\n\nFindings: 0 | Blockers: 0\n\nVerdict: PASS\n",
    "# Review\n\n| Severity | Count | Notes |\n|---|---|---|\n| BLOCKER | 0 | — |\n| HIGH | 0 | — |\n\n**Verdict:** PASS\n",
    "# Review\n\n**Critical dependencies**: none were touched.\n\n**High-level design**: the queue is drained by one worker.\n\n## Findings\n\nNone.\n\n**Verdict:** PASS\n",
    "# Review\n\n## Strengths\n- **Clear names** throughout `src/a.ts`\n- **Good tests** in `src/a.test.ts:12`\n\n## Findings\n\nNone.\n\nVerdict: PASS\n",
    "# Review\n\n## Steps taken\n1. **Read the diff** from start to end\n2. **Ran the tests** with cargo\n\n## Findings\n\nNone.\n\nVerdict: PASS\n",
    "# Review\n\n## Checklist\n- [x] Tests pass\n- [x] No secrets\n- ✅ Errors are handled in `src/a.ts:3`\n\n## Findings\n\nNone.\n\nVerdict: PASS\n",
    "# Review\n\n## Findings\n\nNone.\n\n- Open questions (list what was unclear to you, if anything): None.\n\nVerdict: PASS\n",
    "# Review\n\n**Legend:** 🔴 Red = blocks, 🟡 Yellow = should fix, 🟢 Green = fine\n\n| Item | Rating |\n|---|---|\n| Tests | 🟢 Green |\n| Names | 🟢 Green |\n\nNo findings.\n\nVerdict: PASS\n",
    // The summary names what the details say again.
    "# Review\n\n## Summary\n\nTwo small points:\n\n1. **Error is swallowed in the retry loop** of the worker.\n2. **Name of the handler is unclear** to readers.\n\n## Medium\n\n### M-1: Error is swallowed in the retry loop\n\n**File:** `src/b.ts:9`\n\nThe error is lost.\n\n## Low\n\n### L-1: Name of the handler is unclear\n\n**File:** `src/a.ts:3`\n\nIt says nothing.\n\nVerdict: PASS\n",
];

#[test]
fn what_states_plainly_that_nothing_blocks_is_open() {
    let closed: Vec<String> = OPEN
        .iter()
        .filter_map(|text| {
            let taken = taken(text);
            (!taken.is_clear())
                .then(|| format!("{text}\n→ {:?} {:?} {:?}\n", taken.gaps, taken.rejected, taken.reports))
        })
        .collect();
    assert!(closed.is_empty(), "{}", closed.join("\n"));
}

/// Documents, and the severities of their findings in order.
#[rustfmt::skip]
const READ: &[(&str, &[Severity])] = &[
    // The items below a group heading are the findings.
    ("### [Blocker] — Must fix before shipping\n- Lock is dropped (a.ts:3)\n- Token is logged (b.ts:9)\n\n### [Nit] — Optional\n- A name (c.ts:1)\n",
        &[Severity::Blocker, Severity::Blocker, Severity::Info]),
    // A summary table and its details speak of the same findings.
    ("# Review\n\n## Summary\n\n| # | Severity | Title | File |\n|---|---|---|---|\n| 1 | Low | Name is unclear | `src/a.ts:3` |\n| 2 | Medium | Error is swallowed | `src/b.ts:9` |\n\n## Details\n\n### 1. Name is unclear (Low)\n\n**File:** `src/a.ts:3`\n\nThe name says nothing.\n\n### 2. Error is swallowed (Medium)\n\n**File:** `src/b.ts:9`\n\nThe error is lost.\n",
        &[Severity::Low, Severity::Medium]),
    // A total before the counts of severities is none of theirs.
    ("# Review\n\n## Findings\n\n1. [P2] Error is swallowed — `src/b.ts:9`\n\n## Summary\n\nTotal: 1 findings (0 P0, 0 P1, 1 P2, 0 P3)\n", &[Severity::Medium]),
    // The worse of two ratings of one finding counts.
    ("# Review\n\n## Summary\n\n| Severity | Title | File |\n|---|---|---|\n| High | Error is swallowed | `src/b.ts:9` |\n\n## Details\n\n### Error is swallowed (Medium)\n\n**File:** `src/b.ts:9`\n\nThe error is lost.\n",
        &[Severity::High]),
    // The same title at two places is two findings.
    ("## Medium\n\n- **Error is swallowed** (`src/b.ts:9`)\n- **Error is swallowed** (`src/c.ts:4`)\n", &[Severity::Medium, Severity::Medium]),
];

#[test]
fn findings_are_counted_once() {
    for (text, expected) in READ {
        let taken = taken(text);
        let severities: Vec<Severity> =
            taken.reports.iter().flat_map(|report| &report.claims).map(|claim| claim.severity).collect();
        assert_eq!(&severities, expected, "{text}\n{:?}", taken.gaps);
        assert_eq!(taken.understood() + taken.rejected.len(), taken.present, "{text}");
    }
}

#[test]
fn a_place_may_be_a_name_and_lines() {
    let text = "{\"reviewer\":\"x\",\"findings\":[{\"title\":\"Name is unclear\",\"severity\":\"Low\",\"location\":\"POST handler L78-96\",\"file\":\"src/a.ts\"}]}";
    let taken = taken(text);
    let claim = &taken.reports[0].claims[0];
    assert_eq!(claim.location.as_ref().map(ToString::to_string), Some("src/a.ts:78-96".to_owned()));
}

#[test]
fn the_limit_on_lines_is_for_formats_that_are_made_of_lines() {
    let limits = Limits { line_bytes: 200, ..Limits::default() };
    let finding = "{\"title\":\"Name is unclear\",\"severity\":\"Low\",\"file\":\"src/a.ts\",\"line\":3}";
    let json = format!("{{\"reviewer\":\"x\",\"findings\":[{finding},{finding},{finding},{finding}]}}");
    let taken = intake::take(json.as_bytes(), None, &limits);
    assert_eq!((taken.understood(), taken.gaps.len()), (4, 0), "{:?}", taken.gaps);
    for text in [format!("{{{}", "x".repeat(300)), format!("# Review\n\n- {}\n", "word ".repeat(60))] {
        let taken = intake::take(text.as_bytes(), None, &limits);
        assert!(taken.gaps.iter().any(|gap| gap.reason == jury_wire::Reason::LimitLine), "{:?}", taken.gaps);
    }
}
