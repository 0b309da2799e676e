//! `jury abort` (003): a reason in; the last full review with one Blocker more out, saved, so that the team is halted.

use jury_rules::Redactor;
use jury_wire::v1::findings::{Artifact, Detailed, MergeTier};

use super::Reviewed;
use crate::base::BasePolicy;
use crate::error::FlowError;
use crate::judge::judge;
use crate::model::{
    AutofixClass, Domain, FindingId, Mode, Owner, ReportWriting, ReviewerKind, Timestamp, short_digest,
};
use crate::record::{Output, Record, RecordedAnswer, RecordedScope, Run, report_path};
use crate::saving;
use crate::scope::{Repository, Request};
use crate::store::Store;
use crate::worktree;

/// The name under which a team agent speaks.
const TEAM: &str = "team-agent";

/// Halts the team at its own wish: the findings of the last full review stand, with one Blocker more.
pub fn abort(repository: &Repository, store: &Store, reason: &str, now: &Timestamp) -> Result<Reviewed, FlowError> {
    let (state, set_aside) = worktree::check_state(store)?;
    let review_id = store.unused_review_id([reason, now.as_str(), "abort"].join("\n").as_bytes())?;
    let mut record = match state.full {
        Some(full) => worktree::recorded(store, &full.record)?,
        // Without any review, the change is not reviewed, and the gaps say so.
        None => {
            let snapshot = worktree::snapshot(repository, store)?;
            let scope = repository.scope(&snapshot, &Request::Changeset { base: None })?;
            let policy = BasePolicy::read(repository, &scope.base)?;
            let recorded = RecordedScope::of(&scope);
            let (waivers, base_day) = (policy.waivers(), policy.as_of);
            let record = Record::new(review_id.clone(), now.clone(), Mode::Full, recorded, policy.policy(), waivers);
            Record { base_day, ..record }
        }
    };
    record.runs.retain(|run| run.reviewer.as_str() != TEAM);
    // A secret that is cut to fit a title would no longer be known for one.
    record.runs.push(raised_by_team(&jury_rules::redact(reason)));
    record.redact(&Redactor::default());
    record.report_path = Some(report_path(now, record.scope.kind, &review_id));
    record.review_id = review_id;
    record.timestamp = now.clone();
    let judgement = judge(&record);
    judgement.write_into(&mut record);
    let set_aside = set_aside.or(saving::save(store, &record, &judgement, (false, ReportWriting::Always))?);
    Ok(Reviewed { record, judgement, set_aside, report: ReportWriting::Always })
}

/// Returns the run in which the team raises a Blocker for a reason.
fn raised_by_team(reason: &str) -> Run {
    let name = Domain::new(TEAM).expect("the name is a plain word");
    let title: String = format!("Aborted by the team: {}", reason.split_whitespace().collect::<Vec<_>>().join(" "));
    let finding = Detailed {
        merge: MergeTier {
            // 004: at most 100 characters; the whole reason is in the evidence.
            title: title.chars().take(100).collect(),
            severity: "P0".to_owned(),
            file: FindingId::WHOLE_REPOSITORY.to_owned(),
            line: 1,
            autofix_class: AutofixClass::Manual.token().to_owned(),
            owner: Owner::Human.token().to_owned(),
            requires_verification: true,
            suggested_fix: Some("A person decides how to continue.".to_owned()),
            confidence: 100,
            pre_existing: false,
        },
        why_it_matters: reason.to_owned(),
        evidence: vec![reason.to_owned()],
        other: serde_json::Map::new(),
    };
    let document = Artifact {
        reviewer: TEAM.to_owned(),
        findings: vec![finding],
        residual_risks: Vec::new(),
        testing_gaps: Vec::new(),
        other: serde_json::Map::new(),
    };
    let output = Output::Stated(Box::new(document));
    Run {
        reviewer: name.clone(),
        domain: name,
        kind: ReviewerKind::Team,
        model: None,
        definition: short_digest(&[TEAM], 64),
        format: Some("findings-json"),
        files: None,
        result: Ok(RecordedAnswer {
            output,
            unseen: Vec::new(),
            broken: Vec::new(),
            text_only: Vec::new(),
            packages: Default::default(),
            nonce: None,
        }),
        usage: None,
        is_cached: false,
        is_again: false,
        weighting: crate::model::Weighting::default(),
        stands_in_for: None,
        unconfined: None,
        links: Vec::new(),
        left_out: Vec::new(),
        criteria: Vec::new(),
    }
}
