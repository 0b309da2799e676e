//! The gate, the review and the head in; what is to be said in the pull request out.
//!
//! Lines are those of the head: where its file is not the one that was reviewed, they are followed through the text, or left out.

use std::collections::BTreeSet;

use jury_rules::{SPECIALISTS, Specialist};
use jury_wire::v1::code_review;

use super::Head;
use crate::error::FlowError;
use crate::judge::{Judgement, judge};
use crate::model::{LineRange, RepoPath, Severity, Status};
use crate::publish::{Anchor, DiffFile, Finding, Key, Owed, Publication, Suggestion, anchor};
use crate::record::{Record, severity_of, status_of};
use crate::rewrite::{Fixes, Selection, rewrite_all, wanted};
use crate::store::{Current, Store};
use crate::syntax::hunks;
use crate::verdict::{DecidedBy, Gate};

/// What a publication is made of.
pub struct Parts<'p> {
    /// The state of Jury.
    pub store: &'p Store,
    /// The full review, with its current statuses.
    pub current: &'p Current,
    /// Its record.
    pub review: &'p Record,
    /// The record of the last look at it.
    pub last: &'p Record,
    /// The gate.
    pub gate: &'p Gate,
    /// The head.
    pub head: &'p Head,
    /// The run of CI.
    pub run_link: Option<String>,
    /// A signed verdict.
    pub attestation: Option<String>,
    /// The time.
    pub now: String,
}

/// The most findings for which a rewrite is tried.
const MOST_REWRITES: usize = 100;

/// Makes out what is to be said.
pub fn publication(parts: &Parts<'_>) -> Result<Publication, FlowError> {
    let Parts { current, review, last, gate, head, .. } = parts;
    let judgement = judge(review);
    let files = head.files();
    let gaps = review.gap_ids();
    let is_gap = |finding: &&code_review::Finding| gaps.contains(&finding.id);
    let unseen = current.file.findings.iter().filter(is_gap).filter(|it| !gate.is_settled(&it.id));
    let mut unseen: Vec<String> = unseen.map(|it| format!("{} {}", it.title, it.recommendation)).collect();
    let verification = last.verification.as_ref();
    unseen.extend(verification.iter().flat_map(|it| it.gaps.iter().cloned()));
    let new = verification.iter().flat_map(|it| &it.new);
    let new = new.map(|it| {
        let place = it.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        (it.severity, format!("{}{place}", it.title))
    });
    let stated = current.file.findings.iter().filter(|finding| !is_gap(finding));
    let mut findings: Vec<Finding> = stated.filter_map(|stated| finding(parts, &judgement, &files, stated)).collect();
    let rank =
        |it: &Finding| (!it.status.is_unsettled() || it.is_settled, it.path.clone(), it.lines, it.key.id.clone());
    findings.sort_by(|one, other| {
        rank(one).0.cmp(&rank(other).0).then(one.severity.worst_first(other.severity)).then(rank(one).cmp(&rank(other)))
    });
    suggest(parts, &judgement, &mut findings)?;
    let owed = gate.checked.iter().filter(|it| !it.holds).map(|it| Owed {
        condition: it.condition.token().to_owned(),
        seen: it.seen.clone(),
        remedy: it.remedy.unwrap_or_default().to_owned(),
        by: it.owner.unwrap_or(crate::model::GateOwner::Agent),
    });
    Ok(Publication {
        head: head.commit.clone(),
        tree: last.scope.tree.to_string(),
        review_id: current.file.review_id.clone(),
        verdict: current.file.verdict.clone(),
        outcome: gate.outcome,
        owed: owed.collect(),
        unseen,
        findings,
        new: new.collect(),
        decided: gate.decided.iter().map(decided).collect(),
        cost: review.spent().map(|spent| spent.to_string()),
        report: review.report_path.as_ref().map(|path| path.to_string()),
        attestation: parts.attestation.clone(),
        run_link: parts.run_link.clone(),
        now: parts.now.clone(),
    })
}

fn decided(decision: &crate::verdict::Decision) -> String {
    match &decision.by {
        DecidedBy::People { given, needed, names, .. } => {
            let names: Vec<String> = names.iter().map(|(name, proof)| format!("{name} ({proof})")).collect();
            format!("{}: accepted by {given} of {needed}: {}", decision.id, names.join(", "))
        }
        DecidedBy::Contest { result, what } => format!("{}: {result} ({what})", decision.id),
    }
}

fn finding(
    parts: &Parts<'_>,
    judgement: &Judgement,
    files: &[DiffFile],
    stated: &code_review::Finding,
) -> Option<Finding> {
    let settled = judgement.settled(&stated.id)?;
    let claim = &settled.finding.representative;
    let path = RepoPath::new(&stated.file).ok();
    let lines = path.as_ref().and_then(|path| lines_at_head(parts, path, stated.line_range.as_deref()?));
    let anchor = path.as_ref().map_or(Anchor::Nowhere, |path| anchor(files, path.as_str(), lines));
    Some(Finding {
        key: Key { fingerprint: settled.finding.fingerprint.as_str().to_owned(), id: stated.id.clone() },
        severity: severity_of(stated).unwrap_or(Severity::Blocker),
        status: status_of(stated).unwrap_or(Status::Open),
        is_settled: parts.gate.is_settled(&stated.id),
        title: stated.title.clone(),
        why: claim.why.clone(),
        fix: claim.fix.clone().or_else(|| Some(stated.recommendation.clone())).filter(|fix| *fix != stated.title),
        domain: stated.domain.clone(),
        rule: claim.rule.clone(),
        path: path.map(|path| path.to_string()),
        lines,
        anchor,
        suggestion: None,
    })
}

/// Returns the lines of a finding in the file of the head; `None` if they were changed since, or cannot be told.
fn lines_at_head(parts: &Parts<'_>, path: &RepoPath, lines: &str) -> Option<(u32, u32)> {
    let range = LineRange::parse(lines).ok()?;
    let (first, last) = (range.start().get(), range.end().get());
    let reviewed = parts.review.scope.files.iter().find(|file| file.path == *path).and_then(|file| file.id.clone());
    if reviewed.is_some() && reviewed == parts.head.snapshot.file_id(path) {
        return Some((first, last));
    }
    let then = parts.review.cited.get(path)?;
    let now = parts.head.snapshot.file(path)?;
    // The record has no secrets, so neither may the text that it is compared with.
    let now = jury_rules::redact(&String::from_utf8_lossy(&now)).into_owned();
    let hunks = hunks::compare(&hunks::split(then.as_bytes()), &hunks::split(now.as_bytes()));
    let follow = |line: u32| {
        let index = hunks::after(&hunks, usize::try_from(line).ok()?.checked_sub(1)?).ok()?;
        u32::try_from(index + 1).ok()
    };
    Some((follow(first)?, follow(last)?)).filter(|(first, last)| first <= last)
}

/// Adds the rewrites of rules that replace nothing but the lines of their finding.
fn suggest(parts: &Parts<'_>, judgement: &Judgement, findings: &mut [Finding]) -> Result<(), FlowError> {
    let specialists: Vec<&'static Specialist> = SPECIALISTS.iter().collect();
    let rules: BTreeSet<&str> = specialists
        .iter()
        .flat_map(|of| of.rules().filter(|rule| rule.has_fix()).map(|rule| rule.id.as_str()))
        .collect();
    let has_rewrite = |it: &&mut Finding| {
        it.status.stands() && it.lines.is_some() && it.rule.as_deref().is_some_and(|rule| rules.contains(rule))
    };
    for finding in findings.iter_mut().filter(has_rewrite).take(MOST_REWRITES) {
        let selection = Selection { ids: vec![finding.key.id.clone()], safe: false };
        let mut fixes = Fixes::default();
        let (wanted, _) = wanted(&selection, parts.current, judgement, &specialists, &mut fixes)?;
        let rewritten = rewrite_all(parts.store, parts.review, wanted, &specialists, &mut fixes);
        let [rewritten] = &rewritten[..] else { continue };
        let at_head = parts.head.snapshot.file(&rewritten.path);
        if at_head.as_deref() == Some(rewritten.before.as_bytes()) {
            finding.suggestion = finding.lines.and_then(|lines| replaced(&rewritten.before, &rewritten.after, lines));
        }
    }
    Ok(())
}

/// Returns what stands in the place of lines; `None` if anything else changed.
fn replaced(before: &str, after: &str, (first, last): (u32, u32)) -> Option<Suggestion> {
    let (old, new) = (hunks::split(before.as_bytes()), hunks::split(after.as_bytes()));
    let start = usize::try_from(first).ok()?.checked_sub(1)?;
    let end = usize::try_from(last).ok()?;
    let hunks = hunks::compare(&old, &new);
    let is_within = hunks.iter().all(|hunk| hunk.before.start >= start && hunk.before.end <= end);
    if hunks.is_empty() || !is_within || end > old.len() {
        return None;
    }
    let stop = (end + new.len()).checked_sub(old.len())?;
    let text: Vec<u8> = new.get(start..stop)?.concat();
    let text = String::from_utf8(text).ok()?;
    Some(Suggestion { lines: (first, last), text: text.trim_end_matches('\n').to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_is_what_stands_in_the_place_of_the_lines() {
        let text = |it: Option<Suggestion>| it.map(|it| it.text);
        assert_eq!(text(replaced("a\nb\nc\n", "a\nB\nB\nc\n", (2, 2))).as_deref(), Some("B\nB"));
        assert_eq!(text(replaced("a\nb\nc\n", "A\nB\nc\n", (2, 2))), None);
        assert_eq!(text(replaced("a\nb\nc\n", "a\nb\nc\n", (2, 2))), None);
        assert_eq!(text(replaced("a\nb\nc\n", "a\nB\nc\n", (2, 9))), None);
        assert_eq!(text(replaced("a\nb\n", "a\n", (2, 2))).as_deref(), Some(""));
    }
}
