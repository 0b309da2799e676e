//! The run of a reviewer ↔ its wire type.

use jury_wire::v1::record as wire;

use super::{checks, domain, path, refused, token};
use crate::formats;
use crate::model::{
    PackageChange, PackageChanges, RepoPath, ReviewerKind, ReviewerRole, RuleSeverity, Severity, Usage, Weighting,
};
use crate::record::{NoAnswer, Output, RecordError, RecordedAnswer, Run, UnseenFile};

/// Why a run of version 1 failed that has neither an output nor a reason.
const NOTHING: &str = "it returned nothing";

pub(super) fn to_wire(run: &Run) -> wire::Run {
    let paths = |paths: &[RepoPath]| paths.iter().map(ToString::to_string).collect::<Vec<_>>();
    let (mut findings, mut output, mut check, mut failure, mut skipped) = (None, None, None, None, None);
    match &run.result {
        Ok(answer) => match &answer.output {
            Output::Stated(document) => findings = Some((**document).clone()),
            Output::Printed(text) => output = Some(text.clone()),
            Output::Checked(result) => check = Some(checks::to_wire(result)),
        },
        Err(NoAnswer::Failed { why, printed }) => {
            output.clone_from(printed);
            failure = Some(why.clone());
        }
        Err(NoAnswer::Skipped(why)) => skipped = Some(why.clone()),
    }
    let unseen = |unseen: &UnseenFile| wire::UnseenFile { path: unseen.path.to_string(), why: unseen.why.clone() };
    wire::Run {
        reviewer: run.reviewer.to_string(),
        domain: (run.domain != run.reviewer).then(|| run.domain.to_string()),
        kind: run.kind.token().to_owned(),
        model: run.model.clone(),
        definition: run.definition.clone(),
        format: run.format.map(str::to_owned),
        nonce: run.answer().and_then(|answer| answer.nonce.clone()),
        files: run.files.as_deref().map(paths),
        unseen_files: run.unseen().iter().map(unseen).collect(),
        unseen: Vec::new(),
        broken: run.answer().map(|answer| paths(&answer.broken)).unwrap_or_default(),
        text_only: run.answer().map(|answer| paths(&answer.text_only)).unwrap_or_default(),
        packages: run.answer().map(|answer| packages_to_wire(&answer.packages)).unwrap_or_default(),
        more_packages: run.answer().map(|answer| answer.packages.more).unwrap_or_default(),
        findings,
        output,
        check,
        failure,
        skipped,
        usage: run.usage.map(usage_to_wire),
        cached: run.is_cached,
        again: run.is_again,
        unconfined: run.unconfined.clone(),
        links: paths(&run.links),
        left_out: paths(&run.left_out),
        criteria: run.criteria.clone(),
        role: run.weighting.role.token().to_owned(),
        severities: run.weighting.severities.iter().map(severity_to_wire).collect(),
        stands_in_for: run.stands_in_for.as_ref().map(ToString::to_string),
    }
}

pub(super) fn from_wire(run: wire::Run) -> Result<Run, RecordError> {
    const MEMBER: &str = "runs";
    let paths = |paths: &[String]| paths.iter().map(|text| path(MEMBER, text)).collect::<Result<Vec<_>, _>>();
    let unseen = |unseen: wire::UnseenFile| Ok(UnseenFile { path: path(MEMBER, &unseen.path)?, why: unseen.why });
    let format = |id: &String| {
        let format = formats::by_id(id).ok_or_else(|| refused(MEMBER, format!("unknown format {id:?}")))?;
        Ok(format.id)
    };
    let printed = run.output;
    if [run.findings.is_some(), run.check.is_some(), printed.is_some()].into_iter().filter(|it| *it).count() > 1 {
        return Err(refused(MEMBER, format!("{} both states and prints its findings", run.reviewer)));
    }
    let check = run.check.map(|check| Output::Checked(Box::new(checks::from_wire(check))));
    let result = match (run.skipped, run.failure, run.findings) {
        (Some(why), ..) => Err(NoAnswer::Skipped(why)),
        (None, Some(why), _) => Err(NoAnswer::Failed { why, printed }),
        (None, None, findings) => {
            let stated = findings.map(|document| Output::Stated(Box::new(document)));
            match stated.or(check).or_else(|| printed.map(Output::Printed)) {
                None => Err(NoAnswer::Failed { why: NOTHING.to_owned(), printed: None }),
                Some(output) => Ok(RecordedAnswer {
                    output,
                    unseen: run.unseen_files.into_iter().map(unseen).collect::<Result<_, RecordError>>()?,
                    broken: paths(&run.broken)?,
                    text_only: paths(&run.text_only)?,
                    nonce: run.nonce,
                    packages: PackageChanges {
                        listed: run.packages.into_iter().map(package_from_wire).collect::<Result<_, _>>()?,
                        more: run.more_packages,
                    },
                }),
            }
        }
    };
    let reviewer = domain(MEMBER, &run.reviewer)?;
    Ok(Run {
        domain: run.domain.map_or_else(|| Ok(reviewer.clone()), |name| domain(MEMBER, &name))?,
        reviewer,
        kind: token(MEMBER, &run.kind, ReviewerKind::from_token)?,
        model: run.model,
        definition: run.definition,
        format: run.format.as_ref().map(format).transpose()?,
        files: run.files.as_deref().map(paths).transpose()?,
        result,
        usage: run.usage.map(usage_from_wire),
        is_cached: run.cached,
        is_again: run.again,
        unconfined: run.unconfined,
        links: paths(&run.links)?,
        left_out: paths(&run.left_out)?,
        criteria: run.criteria,
        weighting: Weighting {
            role: token(MEMBER, &run.role, ReviewerRole::from_token)?,
            severities: run.severities.into_iter().map(severity_from_wire).collect::<Result<_, _>>()?,
        },
        stands_in_for: run.stands_in_for.map(|name| domain(MEMBER, &name)).transpose()?,
    })
}

fn packages_to_wire(packages: &PackageChanges) -> Vec<wire::PackageChange> {
    let package = |package: &PackageChange| wire::PackageChange {
        lockfile: package.lockfile.to_string(),
        name: package.name.clone(),
        gone: package.gone.clone(),
        came: package.came.clone(),
        source: package.source.clone(),
    };
    packages.listed.iter().map(package).collect()
}

fn package_from_wire(package: wire::PackageChange) -> Result<PackageChange, RecordError> {
    let wire::PackageChange { lockfile, name, gone, came, source } = package;
    Ok(PackageChange { lockfile: path("runs", &lockfile)?, name, gone, came, source })
}

fn severity_to_wire(entry: &RuleSeverity) -> wire::RuleSeverity {
    wire::RuleSeverity { pattern: entry.pattern.clone(), severity: entry.severity.word().to_owned() }
}

fn severity_from_wire(entry: wire::RuleSeverity) -> Result<RuleSeverity, RecordError> {
    let severity = token("runs", &entry.severity, |word| Severity::ALL.into_iter().find(|it| it.word() == word))?;
    Ok(RuleSeverity { pattern: entry.pattern, severity })
}

fn usage_to_wire(usage: Usage) -> wire::Usage {
    let Usage { input, output, cost } = usage;
    wire::Usage { input_tokens: input, output_tokens: output, cost_micro_dollars: cost }
}

fn usage_from_wire(usage: wire::Usage) -> Usage {
    let wire::Usage { input_tokens, output_tokens, cost_micro_dollars } = usage;
    Usage { input: input_tokens, output: output_tokens, cost: cost_micro_dollars }
}
