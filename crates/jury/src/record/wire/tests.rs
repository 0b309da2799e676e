//! The law of the wire form, and records of version 1.

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::code_review::{Finding, ReviewVerdict as VerdictFile, Summary};
use jury_wire::v1::findings::{Artifact, Detailed, MergeTier};
use proptest::collection::{btree_map, btree_set, vec};
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;
use crate::model::{
    AcceptWontFix, Asset, AssetKind, BaseFinding, BaseLook, BaseRule, Became, CheckOnBase, Confidence, FailedLook,
    FailedTest, Features, FileChange, FindingName, Fingerprint, FoundFeatures, LineRange, PackageChange,
    PackageChanges, PathPolicy, Policy, PolicyMode, ReviewerKind, ReviewerRole, RuleSeverity, ScopeKind, ScopePolicy,
    Status, TestRun, Title, TreeId, UnchangedPlace, Unreviewed, UnreviewedReason, Usage, Waiver, Weighting,
};
use crate::record::{
    NewFinding, NoAnswer, Output, Recheck, RecordId, RecordedAnswer, RecordedFile, RecordedPolicy, RecordedScope, Run,
    UnseenFile, Verification,
};

fn text() -> impl Strategy<Value = String> {
    "[ -~\\n\"é]{0,12}"
}

fn domain() -> impl Strategy<Value = Domain> {
    "[a-z][a-z-]{0,8}[a-z]".prop_map(|name| Domain::new(&name).unwrap())
}

fn path() -> impl Strategy<Value = RepoPath> {
    "[a-z]{1,4}(/[a-z:]{1,4}){0,2}\\.[a-z]{1,2}".prop_map(|path| RepoPath::new(&path).unwrap())
}

fn hex(length: usize) -> impl Strategy<Value = String> {
    proptest::string::string_regex(&format!("[0-9a-f]{{{length}}}")).unwrap()
}

fn lines() -> impl Strategy<Value = LineRange> {
    (1_u32..500, 0_u32..9).prop_map(|(start, more)| {
        let text = if more == 0 { start.to_string() } else { format!("{start}-{}", start + more) };
        LineRange::parse(&text).unwrap()
    })
}

fn day() -> impl Strategy<Value = Day> {
    (2000_u32..2100, 1_u32..13, 1_u32..29).prop_map(|(y, m, d)| Day::new(&format!("{y:04}-{m:02}-{d:02}")).unwrap())
}

fn timestamp() -> impl Strategy<Value = Timestamp> {
    day().prop_map(|day| Timestamp::new(&format!("{day}T12:30:00Z")).unwrap())
}

fn change() -> impl Strategy<Value = FileChange> {
    prop_oneof![
        Just(FileChange::Added),
        Just(FileChange::Modified),
        Just(FileChange::Deleted),
        path().prop_map(|from| FileChange::Renamed { from }),
        Just(FileChange::ModeChanged),
        Just(FileChange::TypeChanged),
        Just(FileChange::Whole),
    ]
}

fn file() -> impl Strategy<Value = RecordedFile> {
    let patch = of(hex(64).prop_map(|digits| PatchId::new(&digits).unwrap()));
    let sizes = (any::<u64>(), any::<u32>(), any::<u32>());
    let asset =
        (select(AssetKind::ALL), sizes).prop_map(|(kind, (bytes, width, height))| Asset { kind, bytes, width, height });
    (path(), change(), of(hex(40)), patch, vec(lines(), 0..3), vec(lines(), 0..3), of(asset)).prop_map(
        |(path, change, id, patch, after, before, asset)| RecordedFile {
            path,
            change,
            id,
            patch,
            after,
            before,
            asset,
        },
    )
}

fn scope() -> impl Strategy<Value = RecordedScope> {
    let unreviewed =
        (text(), select(UnreviewedReason::ALL), of(hex(40))).prop_map(|(path, why, id)| Unreviewed { path, why, id });
    let names = (text(), text(), of(hex(40)), of(hex(40)), of(text()), of(select(BaseRule::ALL)), any::<bool>());
    let ids = (hex(40), hex(64));
    let others = (vec(unreviewed, 0..3), vec(path(), 0..3));
    (select(ScopeKind::ALL), names, vec(text(), 0..3), ids, vec(file(), 0..3), others).prop_map(
        |(kind, names, commits, (tree, patch), files, (unreviewed, excluded))| {
            let (target, base_name, base, head, branch, base_rule, base_local_only) = names;
            RecordedScope {
                kind,
                target,
                base_name,
                base,
                base_rule,
                base_local_only,
                head,
                branch,
                commits,
                tree: TreeId::new(&tree).unwrap(),
                patch: PatchId::new(&patch).unwrap(),
                files,
                unreviewed,
                excluded: excluded.into_iter().collect(),
            }
        },
    )
}

fn document() -> impl Strategy<Value = Artifact> {
    let finding = (text(), text(), 1_u32..99, of(text()), text(), vec(text(), 1..3), of(text())).prop_map(
        |(title, file, line, suggested_fix, why_it_matters, evidence, rule)| Detailed {
            merge: MergeTier {
                title,
                severity: "P1".to_owned(),
                file,
                line,
                autofix_class: "manual".to_owned(),
                owner: "human".to_owned(),
                requires_verification: true,
                suggested_fix,
                confidence: 75,
                pre_existing: false,
            },
            why_it_matters,
            evidence,
            other: rule.map(|rule| ("rule".to_owned(), rule.into())).into_iter().collect(),
        },
    );
    (text(), vec(finding, 0..3), vec(text(), 0..2), vec(text(), 0..2)).prop_map(
        |(reviewer, findings, residual_risks, testing_gaps)| Artifact {
            reviewer,
            findings,
            residual_risks,
            testing_gaps,
            other: serde_json::Map::new(),
        },
    )
}

fn check() -> impl Strategy<Value = CheckResult> {
    let failed = (text(), text()).prop_map(|(name, message)| FailedTest { name, message });
    let tests = of((any::<u64>(), vec(failed, 0..3)).prop_map(|(run, failed)| TestRun { run, failed }));
    let on_base = of(prop_oneof![
        Just(CheckOnBase::Passes),
        of(vec(text(), 0..3)).prop_map(CheckOnBase::Fails),
        text().prop_map(CheckOnBase::Unknown),
    ]);
    (any::<i32>(), any::<u64>(), text(), tests, on_base).prop_map(|(exit_code, milliseconds, tail, tests, on_base)| {
        CheckResult { exit_code, milliseconds, tail, tests, on_base }
    })
}

fn result() -> impl Strategy<Value = Result<RecordedAnswer, NoAnswer>> {
    let output = prop_oneof![
        text().prop_map(Output::Printed),
        document().prop_map(|document| Output::Stated(Box::new(document))),
        check().prop_map(|check| Output::Checked(Box::new(check))),
    ];
    let unseen = (path(), text()).prop_map(|(path, why)| UnseenFile { path, why });
    let package = (path(), text(), vec(text(), 0..2), vec(text(), 0..2), of(text()))
        .prop_map(|(lockfile, name, gone, came, source)| PackageChange { lockfile, name, gone, came, source });
    let packages = (vec(package, 0..3), any::<u64>()).prop_map(|(listed, more)| PackageChanges { listed, more });
    let answer = (output, vec(unseen, 0..3), vec(path(), 0..2), vec(path(), 0..2), of(hex(32)), packages).prop_map(
        |(output, unseen, broken, text_only, nonce, packages)| RecordedAnswer {
            output,
            unseen,
            broken,
            text_only,
            nonce,
            packages,
        },
    );
    prop_oneof![
        answer.prop_map(Ok),
        (text(), of(text())).prop_map(|(why, printed)| Err(NoAnswer::Failed { why, printed })),
        text().prop_map(|why| Err(NoAnswer::Skipped(why))),
    ]
}

fn run() -> impl Strategy<Value = Run> {
    let usage =
        (any::<u64>(), any::<u64>(), of(any::<u64>())).prop_map(|(input, output, cost)| Usage { input, output, cost });
    let format = of(select(vec!["findings-json", "sarif", "review-md"]));
    let who = (domain(), domain(), select(ReviewerKind::ALL), of(text()), text());
    let flags = (any::<bool>(), any::<bool>(), vec(path(), 0..3), vec(path(), 0..3), vec(text(), 0..3));
    let severity = (text(), select(Severity::ALL.to_vec()));
    let severity = severity.prop_map(|(pattern, severity)| RuleSeverity { pattern, severity });
    let weighting = (select(ReviewerRole::ALL), vec(severity, 0..3));
    let weighting = (weighting.prop_map(|(role, severities)| Weighting { role, severities }), of(domain()));
    (who, format, of(vec(path(), 0..3)), result(), of(usage), flags, of(text()), weighting).prop_map(
        |(
            (reviewer, domain, kind, model, definition),
            format,
            files,
            result,
            usage,
            (is_cached, is_again, links, left_out, criteria),
            unconfined,
            (weighting, stands_in_for),
        )| {
            Run {
                reviewer,
                domain,
                kind,
                model,
                definition,
                format,
                files,
                result,
                usage,
                is_cached,
                is_again,
                unconfined,
                links,
                left_out,
                criteria,
                weighting,
                stands_in_for,
            }
        },
    )
}

fn base_look() -> impl Strategy<Value = BaseLook> {
    let place = (path(), of(lines()), vec(lines(), 0..3)).prop_map(|(file, lines, trace)| UnchangedPlace {
        file,
        lines,
        trace,
    });
    let print = || hex(32).prop_map(|digits| Fingerprint::from_digits(&digits).unwrap());
    let confidence = of((0_u32..=100).prop_map(|percent| Confidence::from_percent(percent).unwrap()));
    let what = (domain(), of(text()), "[a-z]{1,9}", select(Severity::ALL.to_vec()), confidence);
    let finding = (what, path(), of(lines()), of(place), print(), print()).prop_map(
        |((domain, rule, title, severity, confidence), file, lines, unchanged, fingerprint, first_fingerprint)| {
            let title = Title::new(&title).unwrap();
            BaseFinding {
                domain,
                rule,
                title,
                severity,
                confidence,
                file,
                lines,
                unchanged,
                fingerprint,
                first_fingerprint,
            }
        },
    );
    let failed = (domain(), text()).prop_map(|(reviewer, why)| FailedLook { reviewer, why });
    (vec(finding, 0..3), vec(failed, 0..2)).prop_map(|(findings, failed)| BaseLook { findings, failed })
}

fn decision() -> impl Strategy<Value = Decision> {
    let finding = (text(), text(), text(), of(text())).prop_map(|(id, title, file, line_range)| Finding {
        id,
        severity: "High".to_owned(),
        confidence: 0.75,
        domain: "security".to_owned(),
        title,
        file,
        line_range,
        recommendation: String::new(),
        status: "open".to_owned(),
    });
    let ids = || btree_set(text(), 0..3);
    (vec(finding, 0..3), ids(), ids(), ids(), of(ids())).prop_map(|(findings, gaps, person, checks, waived)| Decision {
        person,
        checks,
        waived,
        file: VerdictFile {
            review_id: "a3f8c12b".to_owned(),
            timestamp: "2025-01-01T00:00:00Z".to_owned(),
            scope: "changeset".to_owned(),
            target: "main..HEAD".to_owned(),
            mode: "full".to_owned(),
            verdict: "WARN".to_owned(),
            summary: Summary { blocker: 0, high: 1, medium: 0, low: 0, info: 0 },
            report_path: String::new(),
            findings,
        },
        gaps,
    })
}

fn features() -> impl Strategy<Value = Features> {
    let name = (domain(), text(), of(1_u32..2_000)).prop_map(|(domain, what, cwe)| FindingName { domain, what, cwe });
    let place = of((path(), of(1_u32..99)).prop_map(|(file, line)| FileLine { file, line }));
    (vec(name, 0..3), text(), of(text()), place).prop_map(|(names, title, quote, place)| Features {
        names,
        title,
        quote,
        place,
    })
}

fn found() -> impl Strategy<Value = FoundFeatures> {
    (vec(features(), 0..3), vec(features(), 0..3)).prop_map(|(open, others)| FoundFeatures { open, others })
}

fn verification() -> impl Strategy<Value = Verification> {
    let place = || of((path(), of(1_u32..99)).prop_map(|(file, line)| FileLine { file, line }));
    let became = prop_oneof![
        Just(Became::Verified),
        (text(), place()).prop_map(|(why, place)| Became::Reopened { why, place }),
        text().prop_map(|why| Became::Unknown { why }),
    ];
    let checked = (text(), became).prop_map(|(id, became)| Recheck { id, became });
    let new = (domain(), select(Severity::ALL.to_vec()), text(), place())
        .prop_map(|(domain, severity, title, place)| NewFinding { domain, severity, title, place });
    let paths = (btree_set(path(), 0..3), btree_set(path(), 0..3));
    let lists = (vec(text(), 0..2), vec(text(), 0..2));
    (hex(64), vec(select(Status::ALL), 0..3), paths, vec(checked, 0..3), vec(new, 0..3), lists).prop_map(
        |(of, statuses, (changed, untested), checked, new, (beyond, gaps))| Verification {
            of: RecordId::new(&of).unwrap(),
            statuses,
            changed,
            untested,
            checked,
            new,
            beyond,
            gaps,
        },
    )
}

fn record() -> impl Strategy<Value = Record> {
    let waiver = (text(), text(), text(), day()).prop_map(|(finding, reason, author, expires)| Waiver {
        finding,
        reason,
        author,
        expires,
    });
    let gap = (domain(), select(GapKind::ALL), text(), text()).prop_map(|(reviewer, kind, what, remedy)| Gap {
        reviewer,
        kind,
        what,
        remedy,
    });
    let severity = || select(Severity::ALL.to_vec());
    let of_paths = (vec(text(), 0..2), severity()).prop_map(|(globs, block_at)| PathPolicy { globs, block_at });
    let thresholds = (severity(), btree_set(domain(), 0..3), select(AcceptWontFix::ALL), severity());
    let more = (select(PolicyMode::ALL), vec(of_paths, 0..2));
    let globs = || vec(text(), 0..2);
    let scope_policy = (globs(), globs(), globs(), any::<bool>())
        .prop_map(|(text_only, assets_ok, exclude, linguist)| ScopePolicy { text_only, assets_ok, exclude, linguist });
    let policy = (thresholds, more, vec(domain(), 0..3), scope_policy).prop_map(
        |((block_at, abort_domains, accept_wont_fix, not_met), (mode, paths), required, scope)| RecordedPolicy {
            policy: Policy { mode, block_at, paths, abort_domains, accept_wont_fix, not_met },
            required,
            scope,
        },
    );
    let since = (hex(8), 0_usize..9, 0_usize..9, 0_usize..9, 0_usize..9).prop_map(
        |(review_id, new, persisting, moved, gone)| Since {
            review_id: ReviewId::new(&review_id).unwrap(),
            new,
            persisting,
            moved,
            gone,
        },
    );
    let head = (hex(8), timestamp(), select(Mode::ALL), scope(), policy);
    let waivers = (vec(waiver, 0..2), of(day()));
    let texts = || btree_map(path(), text(), 0..3);
    let lists = (waivers, vec(run(), 0..4), texts(), texts(), vec(gap, 0..3));
    (head, lists, of(base_look()), of(path()), of(decision()), of(found()), of(since), of(verification())).prop_map(
        |(
            head,
            ((waivers, base_day), runs, cited, guidelines, gaps),
            base_look,
            report_path,
            decision,
            found,
            since,
            verification,
        )| {
            let (review_id, timestamp, mode, scope, policy) = head;
            Record {
                review_id: ReviewId::new(&review_id).unwrap(),
                timestamp,
                mode,
                scope,
                policy,
                waivers,
                base_day,
                runs,
                base_look,
                cited,
                guidelines,
                gaps,
                report_path,
                decision,
                found,
                since,
                verification,
            }
        },
    )
}

proptest! {
    #[test]
    fn a_record_reads_back_as_itself(record in record()) {
        prop_assert_eq!(from_wire(to_wire(&record)).unwrap(), record.clone());
        prop_assert_eq!(read(&write(&record)).unwrap(), record);
    }
}

fn v1(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/records/v1");
    #[expect(clippy::disallowed_methods, reason = "a test reads its fixtures")]
    std::fs::read(format!("{folder}/{name}.json")).unwrap()
}

#[test]
fn a_newer_record_is_refused_as_newer_whatever_its_members() {
    let next = format!(r#"{{"version":{},"shape":"another"}}"#, wire::VERSION + 1);
    for text in [next.as_str(), r#"{"shape":[],"version":4000000000}"#] {
        let error = read(text.as_bytes()).unwrap_err();
        assert!(error.member == "version" && error.what.contains("newer"), "{error}");
    }
    assert_eq!(read(b"{}").unwrap_err().member, "text");
    let unknown = String::from_utf8(v1("quick")).unwrap().replacen('{', "{\"more\":1,", 1);
    assert_eq!(read(unknown.as_bytes()).unwrap_err().member, "text", "a member of this version is known");
}

#[test]
fn the_facts_of_old_sentences_are_fields() {
    let gaps = read(&v1("gaps")).unwrap();
    let unseen: BTreeMap<&str, Vec<&str>> = gaps
        .runs
        .iter()
        .filter(|run| !run.unseen().is_empty())
        .map(|run| (run.reviewer.as_str(), run.unseen().iter().map(|it| it.path.as_str()).collect()))
        .collect();
    assert_eq!(unseen.len(), 5, "{unseen:?}");
    assert!(unseen.values().all(|paths| paths == &["src/deep.ts"]));
    assert!(gaps.gaps.is_empty(), "every gap is at the run that it is about");
    assert_eq!(gaps.gap_ids().len(), 6, "five files that were not seen, and one that is binary");
    let full = read(&v1("full-since")).unwrap();
    assert!(
        full.scope
            .files
            .iter()
            .any(|file| matches!(&file.change, FileChange::Renamed { from } if from.as_str() == "src/old.ts"))
    );
    let broken: BTreeSet<&str> =
        full.runs.iter().filter_map(Run::answer).flat_map(|answer| &answer.broken).map(RepoPath::as_str).collect();
    assert_eq!(broken, BTreeSet::from(["src/broken.ts"]));
    let verification = read(&v1("verify")).unwrap().verification.unwrap();
    let place = verification.checked[0].became.place().unwrap();
    assert_eq!((place.file.as_str(), place.line), ("src/a.ts", Some(3)));
    assert_eq!(read(&v1("quick")).unwrap().report_path, None);
}

#[test]
fn a_record_of_version_1_is_written_as_version_2() {
    for name in ["abort", "agent", "full-since", "gaps", "quick", "verify", "verify.review", "waived"] {
        let record = read(&v1(name)).unwrap();
        assert_eq!(read(&write(&record)).unwrap(), record, "{name}");
    }
}

#[test]
fn an_older_record_is_read_with_the_defaults() {
    let file: wire::File =
        serde_json::from_str(r#"{"path":"a","change":"added","id":null,"after":[],"before":[]}"#).unwrap();
    assert_eq!(file.patch, None);
    let policy: wire::Policy = serde_json::from_str(r#"{"block_at":"High","required":[],"abort_domains":[]}"#).unwrap();
    assert_eq!(policy::from_wire(&policy).unwrap().policy.accept_wont_fix, Policy::default().accept_wont_fix);
}
