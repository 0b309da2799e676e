//! The typed record ↔ `jury_wire::v1::record`, and its bytes. Law: a written record reads back as the same record.
//!
//! The version is read first: a record of a newer version is refused as newer, for any members.

mod checks;
mod features;

use std::fmt::Display;

use jury_wire::v1::record as wire;
use serde::Deserialize;

use super::{
    Decision, NewFinding, NoAnswer, Output, Recheck, Record, RecordError, RecordId, RecordedAnswer, RecordedFile,
    RecordedPolicy, RecordedScope, Run, Since, UnseenFile, Verification, v1,
};
use crate::formats;
use crate::model::{
    AcceptWontFix, Asset, AssetKind, BaseFinding, BaseLook, BaseRule, Became, CheckResult, Confidence, Day, Domain,
    FailedLook, FileChange, FileLine, Fingerprint, Gap, GapKind, LineRange, Mode, PackageChange, PackageChanges,
    PatchId, PathPolicy, Policy, PolicyMode, RepoPath, ReviewId, ReviewerKind, ReviewerRole, RuleSeverity, ScopeKind,
    ScopePolicy, Severity, Status, Timestamp, Title, TreeId, UnchangedPlace, Unreviewed, UnreviewedReason, Usage,
    Waiver, Weighting,
};

/// The version that is written, and the newest that is read.
pub const VERSION: u32 = wire::VERSION;

/// Why a run of version 1 failed that has neither an output nor a reason.
const NOTHING: &str = "it returned nothing";

/// Reads a record.
pub fn read(bytes: &[u8]) -> Result<Record, RecordError> {
    #[derive(Deserialize)]
    struct Versioned {
        version: u32,
    }
    let text = |error: serde_json::Error| refused("text", error.to_string());
    let Versioned { version } = serde_json::from_slice(bytes).map_err(text)?;
    if version > VERSION {
        return Err(refused("version", format!("{version} is newer than {VERSION}, the newest that this Jury reads")));
    }
    let mut record: wire::Record = serde_json::from_slice(bytes).map_err(text)?;
    // A record of version 2 is one of version 3 without the features of its findings.
    if version < 2 {
        v1::upgrade(&mut record);
    }
    from_wire(record)
}

/// Writes a record: canonical JSON.
pub fn write(record: &Record) -> Vec<u8> {
    canonical_json(&serde_json::to_value(to_wire(record)).expect("a record is always JSON"))
}

/// Writes the result of a check, for the cache.
pub fn write_check(result: &CheckResult) -> String {
    serde_json::to_string(&checks::to_wire(result)).expect("strings and numbers are always JSON")
}

/// Reads the result of a check back from the cache.
pub fn read_check(text: &str) -> Option<CheckResult> {
    serde_json::from_str(text).ok().map(checks::from_wire)
}

/// Writes a value as canonical JSON: keys sorted, no white space. Same value, same bytes.
pub fn canonical_json(value: &serde_json::Value) -> Vec<u8> {
    let mut value = value.clone();
    value.sort_all_objects();
    serde_json::to_vec(&value).expect("a JSON value is always JSON")
}

fn to_wire(record: &Record) -> wire::Record {
    let Record {
        review_id,
        timestamp,
        mode,
        scope,
        policy,
        waivers,
        base_day,
        runs,
        base_look,
        cited,
        gaps,
        report_path,
        decision,
        found,
        since,
        verification,
    } = record;
    wire::Record {
        version: VERSION,
        review_id: review_id.to_string(),
        timestamp: timestamp.to_string(),
        mode: mode.token().to_owned(),
        scope: scope_to_wire(scope),
        policy: policy_to_wire(policy),
        waivers: waivers.iter().map(waiver_to_wire).collect(),
        base_day: base_day.map(|day| day.to_string()),
        runs: runs.iter().map(run_to_wire).collect(),
        base_look: base_look.as_ref().map(look_to_wire),
        cited: cited.iter().map(|(path, text)| (path.to_string(), text.clone())).collect(),
        gaps: gaps.iter().map(gap_to_wire).collect(),
        report_path: report_path.as_ref().map(ToString::to_string),
        decision: decision.as_ref().map(|decision| decision.file.clone()),
        gap_ids: decision.iter().flat_map(|decision| decision.gaps.iter().cloned()).collect(),
        person_ids: decision.iter().flat_map(|decision| decision.person.iter().cloned()).collect(),
        counted_waivers: decision.as_ref().and_then(|it| Some(it.waived.as_ref()?.iter().cloned().collect())),
        check_ids: decision.iter().flat_map(|decision| decision.checks.iter().cloned()).collect(),
        found: found.as_ref().map(features::found_to_wire),
        since: since.as_ref().map(since_to_wire),
        verification: verification.as_ref().map(verification_to_wire),
    }
}

fn from_wire(record: wire::Record) -> Result<Record, RecordError> {
    let gaps = record.gap_ids.into_iter().collect();
    let person = record.person_ids.into_iter().collect();
    let waived = record.counted_waivers.map(|names| names.into_iter().collect());
    let checks = record.check_ids.into_iter().collect();
    Ok(Record {
        review_id: parsed("review_id", ReviewId::new(&record.review_id))?,
        timestamp: parsed("timestamp", Timestamp::new(&record.timestamp))?,
        mode: token("mode", &record.mode, Mode::from_token)?,
        scope: scope_from_wire(record.scope)?,
        policy: policy_from_wire(&record.policy)?,
        waivers: record.waivers.into_iter().map(waiver_from_wire).collect::<Result<_, _>>()?,
        base_day: record.base_day.map(|text| day("base_day", &text)).transpose()?,
        runs: record.runs.into_iter().map(run_from_wire).collect::<Result<_, _>>()?,
        base_look: record.base_look.map(look_from_wire).transpose()?,
        cited: record
            .cited
            .into_iter()
            .map(|(file, text)| Ok((path("cited", &file)?, text)))
            .collect::<Result<_, RecordError>>()?,
        gaps: record.gaps.into_iter().map(gap_from_wire).collect::<Result<_, _>>()?,
        report_path: record.report_path.map(|text| path("report_path", &text)).transpose()?,
        decision: record.decision.map(|file| Decision { file, gaps, person, checks, waived }),
        found: record.found.map(features::found_from_wire).transpose()?,
        since: record.since.map(since_from_wire).transpose()?,
        verification: record.verification.map(verification_from_wire).transpose()?,
    })
}

fn scope_to_wire(scope: &RecordedScope) -> wire::Scope {
    wire::Scope {
        kind: scope.kind.token().to_owned(),
        target: scope.target.clone(),
        base_name: scope.base_name.clone(),
        base: scope.base.clone(),
        base_rule: scope.base_rule.map(|rule| rule.token().to_owned()),
        base_local_only: scope.base_local_only,
        head: scope.head.clone(),
        branch: scope.branch.clone(),
        commits: scope.commits.clone(),
        tree: scope.tree.to_string(),
        patch: scope.patch.to_string(),
        files: scope.files.iter().map(file_to_wire).collect(),
        unreviewed: scope.unreviewed.iter().map(unreviewed_to_wire).collect(),
        excluded: scope.excluded.iter().map(ToString::to_string).collect(),
    }
}

fn scope_from_wire(scope: wire::Scope) -> Result<RecordedScope, RecordError> {
    let tree =
        TreeId::new(&scope.tree).ok_or_else(|| refused("scope.tree", "it is not the id of a tree".to_owned()))?;
    Ok(RecordedScope {
        kind: token("scope.kind", &scope.kind, ScopeKind::from_token)?,
        target: scope.target,
        base_name: scope.base_name,
        base: scope.base,
        base_rule: scope.base_rule.map(|rule| token("scope.base_rule", &rule, BaseRule::from_token)).transpose()?,
        base_local_only: scope.base_local_only,
        head: scope.head,
        branch: scope.branch,
        commits: scope.commits,
        tree,
        patch: patch("scope.patch", &scope.patch)?,
        files: scope.files.into_iter().map(file_from_wire).collect::<Result<_, _>>()?,
        unreviewed: scope.unreviewed.into_iter().map(unreviewed_from_wire).collect::<Result<_, _>>()?,
        excluded: scope.excluded.iter().map(|file| path("scope.excluded", file)).collect::<Result<_, _>>()?,
    })
}

fn file_to_wire(file: &RecordedFile) -> wire::File {
    let ranges = |ranges: &[LineRange]| ranges.iter().map(LineRange::to_string).collect();
    let (change, from) = match &file.change {
        FileChange::Added => ("added", None),
        FileChange::Modified => ("modified", None),
        FileChange::Deleted => ("deleted", None),
        FileChange::Renamed { from } => ("renamed", Some(from.to_string())),
        FileChange::ModeChanged => ("mode changed", None),
        FileChange::TypeChanged => ("type changed", None),
        FileChange::Whole => ("whole", None),
    };
    wire::File {
        path: file.path.to_string(),
        change: change.to_owned(),
        from,
        id: file.id.clone(),
        patch: file.patch.as_ref().map(ToString::to_string),
        after: ranges(&file.after),
        before: ranges(&file.before),
        image: file.asset.as_ref().map(|Asset { kind, bytes, width, height }| wire::Image {
            kind: kind.token().to_owned(),
            bytes: *bytes,
            width: *width,
            height: *height,
        }),
    }
}

fn file_from_wire(file: wire::File) -> Result<RecordedFile, RecordError> {
    const MEMBER: &str = "scope.files";
    let ranges = |ranges: &[String]| -> Result<Vec<LineRange>, RecordError> {
        ranges.iter().map(|range| parsed(MEMBER, LineRange::parse(range))).collect()
    };
    let change = match (file.change.as_str(), &file.from) {
        ("added", None) => FileChange::Added,
        ("modified", None) => FileChange::Modified,
        ("deleted", None) => FileChange::Deleted,
        ("renamed", Some(from)) => FileChange::Renamed { from: path(MEMBER, from)? },
        ("mode changed", None) => FileChange::ModeChanged,
        ("type changed", None) => FileChange::TypeChanged,
        ("whole", None) => FileChange::Whole,
        (other, _) => return Err(refused(MEMBER, format!("unknown change {other:?}"))),
    };
    Ok(RecordedFile {
        path: path(MEMBER, &file.path)?,
        change,
        id: file.id,
        patch: file.patch.map(|digits| patch(MEMBER, &digits)).transpose()?,
        after: ranges(&file.after)?,
        before: ranges(&file.before)?,
        asset: file.image.map(asset_from_wire).transpose()?,
    })
}

fn asset_from_wire(image: wire::Image) -> Result<Asset, RecordError> {
    let wire::Image { kind, bytes, width, height } = image;
    Ok(Asset { kind: token("scope.files", &kind, AssetKind::from_token)?, bytes, width, height })
}

fn unreviewed_to_wire(unreviewed: &Unreviewed) -> wire::Unreviewed {
    let Unreviewed { path, why, id } = unreviewed;
    wire::Unreviewed { path: path.clone(), why: why.token().to_owned(), id: id.clone() }
}

fn unreviewed_from_wire(unreviewed: wire::Unreviewed) -> Result<Unreviewed, RecordError> {
    let wire::Unreviewed { path, why, id } = unreviewed;
    Ok(Unreviewed { path, why: token("scope.unreviewed", &why, UnreviewedReason::from_token)?, id })
}

fn policy_to_wire(policy: &RecordedPolicy) -> wire::Policy {
    let RecordedPolicy { policy, required, scope } = policy;
    let ScopePolicy { text_only, assets_ok, exclude, linguist } = scope;
    let Policy { mode, block_at, paths, abort_domains, accept_wont_fix } = policy;
    let of_paths = |paths: &PathPolicy| wire::PathPolicy {
        paths: paths.globs.clone(),
        block_at: paths.block_at.word().to_owned(),
    };
    wire::Policy {
        mode: mode.token().to_owned(),
        block_at: block_at.word().to_owned(),
        paths: paths.iter().map(of_paths).collect(),
        required: required.iter().map(ToString::to_string).collect(),
        abort_domains: abort_domains.iter().map(ToString::to_string).collect(),
        accept_wont_fix: accept_wont_fix.token().to_owned(),
        text_only: text_only.clone(),
        assets_ok: assets_ok.clone(),
        exclude: exclude.clone(),
        linguist: *linguist,
    }
}

fn policy_from_wire(policy: &wire::Policy) -> Result<RecordedPolicy, RecordError> {
    let abort_domains = policy.abort_domains.iter().map(|name| domain("policy.abort_domains", name));
    let required = policy.required.iter().map(|name| domain("policy.required", name));
    let of_paths = |paths: &wire::PathPolicy| {
        let block_at = severity("policy.paths", &paths.block_at)?;
        Ok(PathPolicy { globs: paths.paths.clone(), block_at })
    };
    Ok(RecordedPolicy {
        policy: Policy {
            mode: token("policy.mode", &policy.mode, PolicyMode::from_token)?,
            block_at: severity("policy.block_at", &policy.block_at)?,
            paths: policy.paths.iter().map(of_paths).collect::<Result<_, RecordError>>()?,
            abort_domains: abort_domains.collect::<Result<_, _>>()?,
            accept_wont_fix: AcceptWontFix::from_token(&policy.accept_wont_fix)
                .ok_or_else(|| refused("policy.accept_wont_fix", "it is not a word of the policy".to_owned()))?,
        },
        required: required.collect::<Result<_, _>>()?,
        scope: ScopePolicy {
            text_only: policy.text_only.clone(),
            assets_ok: policy.assets_ok.clone(),
            exclude: policy.exclude.clone(),
            linguist: policy.linguist,
        },
    })
}

fn waiver_to_wire(waiver: &Waiver) -> wire::Waiver {
    let Waiver { finding, reason, author, expires } = waiver;
    wire::Waiver {
        finding: finding.clone(),
        reason: reason.clone(),
        author: author.clone(),
        expires: expires.to_string(),
    }
}

fn waiver_from_wire(waiver: wire::Waiver) -> Result<Waiver, RecordError> {
    let wire::Waiver { finding, reason, author, expires } = waiver;
    Ok(Waiver { finding, reason, author, expires: day("waivers", &expires)? })
}

fn day(member: &'static str, text: &str) -> Result<Day, RecordError> {
    Day::new(text).ok_or_else(|| refused(member, format!("invalid day {text:?}")))
}

fn run_to_wire(run: &Run) -> wire::Run {
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
        role: run.weighting.role.token().to_owned(),
        severities: run.weighting.severities.iter().map(severity_to_wire).collect(),
        stands_in_for: run.stands_in_for.as_ref().map(ToString::to_string),
    }
}

fn run_from_wire(run: wire::Run) -> Result<Run, RecordError> {
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

fn look_to_wire(look: &BaseLook) -> wire::BaseLook {
    let ranges = |ranges: &[LineRange]| ranges.iter().map(LineRange::to_string).collect();
    let place = |place: &UnchangedPlace| wire::UnchangedPlace {
        file: place.file.to_string(),
        lines: place.lines.map(|lines| lines.to_string()),
        trace: ranges(&place.trace),
    };
    let finding = |finding: &BaseFinding| wire::BaseFinding {
        domain: finding.domain.to_string(),
        rule: finding.rule.clone(),
        title: finding.title.to_string(),
        severity: finding.severity.word().to_owned(),
        confidence: finding.confidence.map(Confidence::fraction),
        file: finding.file.to_string(),
        lines: finding.lines.map(|lines| lines.to_string()),
        unchanged: finding.unchanged.as_ref().map(place),
        fingerprint: finding.fingerprint.as_str().to_owned(),
        first_fingerprint: finding.first_fingerprint.as_str().to_owned(),
    };
    let failed =
        |failed: &FailedLook| wire::FailedLook { reviewer: failed.reviewer.to_string(), why: failed.why.clone() };
    wire::BaseLook {
        findings: look.findings.iter().map(finding).collect(),
        failed: look.failed.iter().map(failed).collect(),
    }
}

fn look_from_wire(look: wire::BaseLook) -> Result<BaseLook, RecordError> {
    const MEMBER: &str = "base_look";
    let range = |text: &String| parsed(MEMBER, LineRange::parse(text));
    let place = |place: wire::UnchangedPlace| {
        Ok(UnchangedPlace {
            file: path(MEMBER, &place.file)?,
            lines: place.lines.as_ref().map(range).transpose()?,
            trace: place.trace.iter().map(range).collect::<Result<_, _>>()?,
        })
    };
    let print = |digits: &str| {
        let print = Fingerprint::from_digits(digits);
        print.ok_or_else(|| refused(MEMBER, format!("invalid fingerprint {digits:?}")))
    };
    let finding = |finding: wire::BaseFinding| {
        let confidence = finding.confidence.map(|fraction| parsed(MEMBER, Confidence::from_fraction(&fraction)));
        Ok(BaseFinding {
            domain: domain(MEMBER, &finding.domain)?,
            rule: finding.rule,
            title: parsed(MEMBER, Title::new(&finding.title))?,
            severity: severity(MEMBER, &finding.severity)?,
            confidence: confidence.transpose()?,
            file: path(MEMBER, &finding.file)?,
            lines: finding.lines.as_ref().map(range).transpose()?,
            unchanged: finding.unchanged.map(place).transpose()?,
            fingerprint: print(&finding.fingerprint)?,
            first_fingerprint: print(&finding.first_fingerprint)?,
        })
    };
    let failed =
        |failed: wire::FailedLook| Ok(FailedLook { reviewer: domain(MEMBER, &failed.reviewer)?, why: failed.why });
    Ok(BaseLook {
        findings: look.findings.into_iter().map(finding).collect::<Result<_, RecordError>>()?,
        failed: look.failed.into_iter().map(failed).collect::<Result<_, RecordError>>()?,
    })
}

fn usage_to_wire(usage: Usage) -> wire::Usage {
    let Usage { input, output, cost } = usage;
    wire::Usage { input_tokens: input, output_tokens: output, cost_micro_dollars: cost }
}

fn usage_from_wire(usage: wire::Usage) -> Usage {
    let wire::Usage { input_tokens, output_tokens, cost_micro_dollars } = usage;
    Usage { input: input_tokens, output: output_tokens, cost: cost_micro_dollars }
}

fn gap_to_wire(gap: &Gap) -> wire::Gap {
    let Gap { reviewer, kind, what, remedy } = gap;
    let (reviewer, kind) = (reviewer.to_string(), kind.token().to_owned());
    wire::Gap { reviewer, kind, what: what.clone(), remedy: remedy.clone() }
}

fn gap_from_wire(gap: wire::Gap) -> Result<Gap, RecordError> {
    let wire::Gap { reviewer, kind, what, remedy } = gap;
    let kind = token("gaps", &kind, GapKind::from_token)?;
    Ok(Gap { reviewer: domain("gaps", &reviewer)?, kind, what, remedy })
}

fn since_to_wire(since: &Since) -> wire::Since {
    let Since { review_id, new, persisting, moved, gone } = since.clone();
    wire::Since { review_id: review_id.to_string(), new, persisting, moved, gone }
}

fn since_from_wire(since: wire::Since) -> Result<Since, RecordError> {
    let wire::Since { review_id, new, persisting, moved, gone } = since;
    Ok(Since { review_id: parsed("since", ReviewId::new(&review_id))?, new, persisting, moved, gone })
}

fn verification_to_wire(verification: &Verification) -> wire::Verification {
    let checked = |recheck: &Recheck| wire::Rechecked {
        id: recheck.id.clone(),
        status: recheck.status().token().to_owned(),
        why: recheck.became.why().map(str::to_owned),
        at: recheck.became.place().map(line_to_wire),
        place: None,
    };
    let new = |new: &NewFinding| wire::NewFinding {
        domain: new.domain.to_string(),
        severity: new.severity.word().to_owned(),
        title: new.title.clone(),
        at: new.place.as_ref().map(line_to_wire),
        place: None,
    };
    wire::Verification {
        of: verification.of.to_string(),
        statuses: verification.statuses.iter().map(ToString::to_string).collect(),
        changed: verification.changed.iter().map(ToString::to_string).collect(),
        untested: verification.untested.iter().map(ToString::to_string).collect(),
        checked: verification.checked.iter().map(checked).collect(),
        new: verification.new.iter().map(new).collect(),
        beyond: verification.beyond.clone(),
        gaps: verification.gaps.clone(),
    }
}

fn verification_from_wire(verification: wire::Verification) -> Result<Verification, RecordError> {
    const MEMBER: &str = "verification";
    let unnamed = || refused(MEMBER, "it names no review".to_owned());
    let paths = |paths: &[String]| paths.iter().map(|text| path(MEMBER, text)).collect::<Result<_, _>>();
    let statuses = verification.statuses.iter().map(|status| token(MEMBER, status, Status::from_token));
    let checked = |checked: wire::Rechecked| {
        let place = checked.at.map(line_from_wire).transpose()?;
        let became = match (token(MEMBER, &checked.status, Status::from_token)?, checked.why) {
            (Status::Verified, None) => Became::Verified,
            (Status::Reopened, Some(why)) => Became::Reopened { why, place },
            (Status::Fixed, Some(why)) => Became::Unknown { why },
            (status, _) => return Err(refused(MEMBER, format!("invalid status {status} of a verification"))),
        };
        Ok(Recheck { id: checked.id, became })
    };
    let new = |new: wire::NewFinding| {
        Ok(NewFinding {
            domain: domain(MEMBER, &new.domain)?,
            severity: severity(MEMBER, &new.severity)?,
            title: new.title,
            place: new.at.map(line_from_wire).transpose()?,
        })
    };
    Ok(Verification {
        of: RecordId::new(&verification.of).ok_or_else(unnamed)?,
        statuses: statuses.collect::<Result<_, _>>()?,
        changed: paths(&verification.changed)?,
        untested: paths(&verification.untested)?,
        checked: verification.checked.into_iter().map(checked).collect::<Result<_, RecordError>>()?,
        new: verification.new.into_iter().map(new).collect::<Result<_, RecordError>>()?,
        beyond: verification.beyond,
        gaps: verification.gaps,
    })
}

fn line_to_wire(place: &FileLine) -> wire::FileLine {
    wire::FileLine { file: place.file.to_string(), line: place.line }
}

fn line_from_wire(place: wire::FileLine) -> Result<FileLine, RecordError> {
    Ok(FileLine { file: path("verification", &place.file)?, line: place.line })
}

fn token<T>(member: &'static str, text: &str, from: fn(&str) -> Option<T>) -> Result<T, RecordError> {
    from(text).ok_or_else(|| refused(member, format!("unknown word {text:?}")))
}

fn severity(member: &'static str, word: &str) -> Result<Severity, RecordError> {
    let found = Severity::ALL.into_iter().find(|severity| severity.word() == word);
    found.ok_or_else(|| refused(member, format!("unknown severity {word:?}")))
}

fn patch(member: &'static str, digits: &str) -> Result<PatchId, RecordError> {
    PatchId::new(digits).ok_or_else(|| refused(member, "it is not the id of a patch".to_owned()))
}

fn path(member: &'static str, text: &str) -> Result<RepoPath, RecordError> {
    parsed(member, RepoPath::new(text))
}

fn domain(member: &'static str, name: &str) -> Result<Domain, RecordError> {
    parsed(member, Domain::new(name))
}

fn parsed<T, E: Display>(member: &'static str, result: Result<T, E>) -> Result<T, RecordError> {
    result.map_err(|error| refused(member, error.to_string()))
}

fn refused(member: &'static str, what: String) -> RecordError {
    RecordError { member, what }
}

#[cfg(test)]
mod tests;
