//! The findings of a review that people can accept. In: a record and its judgement. Out: for each finding of the verdict file that a person can settle,
//! the subject of its acceptance.
//!
//! A failing check that the agent can mend is not among them: the next failure would be accepted, too. Neither is a gap that another run
//! can close. Deliberately not here: the content of files, which the record does not have (`decisions`).

use std::collections::BTreeMap;

use super::{Judgement, gaps, is_stated};
use crate::model::{Acceptable, AcceptableFinding, Domain, Finding, FindingId, GateOwner};
use crate::record::Record;

/// Lists them, in the order of the verdict file.
pub fn acceptable(record: &Record, judgement: &Judgement) -> Vec<AcceptableFinding> {
    let settled: Vec<&Finding> =
        judgement.merged.synthesis.findings.iter().filter(|it| is_stated(it)).map(|it| &it.finding).collect();
    let mut places: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for finding in &settled {
        *places.entry((finding.file(), finding.fingerprint.as_str())).or_default() += 1;
    }
    let ids = judgement.file.findings.iter().map(|finding| finding.id.clone());
    let of_findings = ids.clone().zip(&settled).filter_map(|(id, finding)| {
        let owner = finding.owner();
        let is_mendable = finding.is_of_check && owner == GateOwner::Agent;
        let of = |count| of_finding(finding, count);
        let what = places.get(&(finding.file(), finding.fingerprint.as_str())).copied().map(of)?;
        (!is_mendable).then(|| AcceptableFinding { id, severity: finding.severity(), owner, what })
    });
    let files = gaps::of_files(record);
    let of_gaps = ids.skip(settled.len()).zip(&judgement.merged.gaps).filter_map(|(id, gap)| {
        let (_, paths) = files.iter().find(|(other, _)| other == gap)?;
        let owner = gap.owner();
        let severity = gap.as_finding().severity();
        let what = Acceptable::Files(paths.clone());
        (owner == GateOwner::Person).then_some(AcceptableFinding { id, severity, owner, what })
    });
    of_findings.chain(of_gaps).collect()
}

fn of_finding(finding: &Finding, places: usize) -> Acceptable {
    let claim = &finding.representative;
    let has_lines = claim.location.as_ref().is_some_and(|location| location.lines.is_some());
    Acceptable::Finding {
        source: finding.domain.clone(),
        path: finding.file().to_owned(),
        fingerprint: finding.fingerprint.clone(),
        places,
        // An edit to policy, rules, tests or CI is accepted with all that the file says, not with its first line.
        has_lines: has_lines
            && finding.domain.as_str() != Domain::GATE_INTEGRITY
            && finding.file() != FindingId::WHOLE_REPOSITORY,
        title: claim.title.to_string(),
    }
}
