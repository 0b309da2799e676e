//! `jury review`: a repository in, a verdict file out.
//!
//! The verdict file, its report and the record are written first, for every output.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::ValueEnum;
use jury::flows::gate::{Subject, gate};
use jury::flows::review::{self, ReviewRequest};
use jury::judge::Judgement;
use jury::model::{Mode, Outcome, ScopeKind};
use jury::panel::{AskOptions, CacheMode};
use jury::scope;
use jury_wire::ExitCode;

use super::printed::{Output, Shown, print};
use super::verify;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir};
use crate::{help, intent, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury review", "Review this branch, uncommitted work included"),
            ("jury review --quick", "Check uncommitted changes only"),
            ("jury review --staged", "Check what is staged, before a commit"),
            ("jury review --verify", "Verify fixes; short: `jury verify`"),
            ("jury review --base release/2.1", "Compare with another branch"),
            ("jury review --scope package packages/api", "Review a whole package"),
            ("jury review --scope team @org/payments", "Review the files of a team by CODEOWNERS"),
            ("jury review --head 1f2e3d4 --base origin/main", "Review a fetched commit as objects; starts no program"),
            ("jury review --trust", "Also run untrusted reviewers; for CI"),
            ("jury review --intent issue.md", "Hold the change against acceptance criteria, too"),
            ("jury review --fresh", "Bypass the cache"),
            ("jury review --resume", "Continue an interrupted review"),
            ("jury review --format sarif --output review.sarif", "Write the result for another tool"),
            ("jury review --base origin/main --format github", "Annotate the change in GitHub Actions"),
        ],
        &[
            (ExitCode::Clear, "nothing blocks"),
            (ExitCode::Blocked, "a finding blocks; after `--quick`, also one that the full review left open"),
            (ExitCode::Usage, "invalid command line or jury.toml, or not a repository"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "part of the change was not reviewed"),
            (ExitCode::Refused, "the state on disk was refused"),
            (ExitCode::Waiting, "only a person can decide what is left"),
        ],
    )
}

/// Review a change, decide, and write the verdict file
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Path or team, for scopes other than the changeset
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// Kind of scope
    #[arg(long, value_enum, value_name = "SCOPE")]
    scope: Option<Kind>,
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Check uncommitted changes only; writes no report, and the last full verdict stays valid
    #[arg(long, conflicts_with_all = ["scope", "base", "targets"])]
    quick: bool,
    /// Check what is staged, as a commit would have it; writes nothing
    #[arg(long, conflicts_with_all = ["scope", "base", "targets", "quick"])]
    staged: bool,
    /// Verify findings marked fixed and review nothing else
    #[arg(long, conflicts_with_all = ["scope", "base", "targets", "quick", "staged"])]
    verify: bool,
    /// Review this commit as objects, without a checkout: built-in reviewers and APIs only, nothing is started
    #[arg(long, value_name = "COMMIT", conflicts_with_all = ["scope", "targets", "quick", "staged", "verify"])]
    head: Option<String>,
    /// Run all reviewers in jury.toml of the base, trusted or not; for CI
    #[arg(long)]
    trust: bool,
    /// Bypass the cache and ask every reviewer again
    #[arg(long, conflicts_with = "verify")]
    fresh: bool,
    /// Continue an interrupted review with the answers so far
    #[arg(long, conflicts_with_all = ["fresh", "verify", "quick", "staged"])]
    resume: bool,
    /// File with acceptance criteria, or `-`: a reviewer with the persona `intent` answers each
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "staged", "verify"])]
    intent: Option<OsString>,
    /// Take the acceptance criteria from the text of the pull request (GitHub, GitLab); for CI
    #[arg(long, conflicts_with_all = ["intent", "quick", "staged", "verify"])]
    intent_from_pr: bool,
    /// Output format; `json` is the verdict file
    #[arg(long, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    format: Output,
    /// Output file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    place: WorkingDir,
}

/// The scopes of 000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Changeset,
    Package,
    Team,
    File,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { targets, scope, base, head, quick, staged, verify, trust, fresh, resume, .. } = arguments;
    let Arguments { intent, intent_from_pr, format, output, place, .. } = arguments;
    if verify {
        return verify::run(verify::Arguments { trust, format, output, place }, streams);
    }
    let scope = if staged { workplace::staged() } else { request(scope, quick, base, targets)? };
    let workplace = place.open_at(head.as_deref())?;
    let mut progress = render::Progress::new(streams.can_animate());
    let cache = match (fresh, resume) {
        (true, _) => CacheMode::Ignore,
        (_, true) => CacheMode::Resume,
        _ => CacheMode::Use,
    };
    let criteria = intent::criteria(intent, intent_from_pr)?;
    let trust = workplace.trust(trust)?;
    let options = AskOptions { trust, cache, criteria, starts_nothing: head.is_some(), ..AskOptions::default() };
    let request = ReviewRequest { scope, options, now: workplace::now(), is_saved: !staged };
    let reviewed = review::review(&workplace.repository, &workplace.store, &request, &mut |event| progress.tell(event));
    progress.end();
    let reviewed = reviewed?;
    // A quick check hides nothing: what the full review left open is told beside it.
    let is_quick = reviewed.record.mode == Mode::Quick;
    let beside =
        is_quick.then(|| gate(&workplace.repository, &workplace.store, None, Subject::Worktree, &workplace::now()));
    let beside = beside.transpose()?;
    let Judgement { file, report, .. } = &reviewed.judgement;
    let shown = Shown { file, report, gaps: &reviewed.judgement.gap_ids(), verification: None };
    print(streams, format, output, &shown, || render::reviewed(&reviewed, beside.as_ref(), !staged))?;
    if let Some(view) = beside.as_ref().filter(|_| format != Output::Text) {
        streams.remark(&render::left_open(view));
    }
    if resume {
        streams.remark(&render::note(&render::resumed(&reviewed.record)));
    }
    if let Some(kept) = &reviewed.set_aside {
        streams.remark(&render::note(&format!("moved a verdict file that Jury did not write to {kept}")));
    }
    // What is staged is judged alone: the commit may be the one that fixes the rest.
    let left = beside.filter(|_| !staged).map_or(Outcome::Clear, |view| view.gate.outcome_of_left());
    Ok(super::exit_code(reviewed.outcome().or_graver(left)))
}

fn request(
    scope: Option<Kind>,
    quick: bool,
    base: Option<String>,
    targets: Vec<String>,
) -> Result<scope::Request, Error> {
    let needs = |kind: ScopeKind, what| Error::Target { kind, what };
    // Targets without a scope are files: ignoring them cannot be meant.
    let scope = scope.unwrap_or(if targets.is_empty() { Kind::Changeset } else { Kind::File });
    if quick {
        return Ok(scope::Request::Quick);
    }
    if base.is_some() && scope != Kind::Changeset {
        return Err(needs(ScopeKind::Changeset, "`--base` needs the changeset scope"));
    }
    Ok(match (scope, targets.as_slice()) {
        (Kind::Changeset, []) => scope::Request::Changeset { base },
        (Kind::Changeset, _) => return Err(needs(ScopeKind::Changeset, "a changeset takes no target")),
        (Kind::Package, []) => scope::Request::Package { target: ".".into() },
        (Kind::Package, [target]) => scope::Request::Package { target: target.into() },
        (Kind::Package, _) => return Err(needs(ScopeKind::Package, "one package at a time")),
        (Kind::Team, [name]) => scope::Request::Team { name: name.clone() },
        (Kind::Team, _) => return Err(needs(ScopeKind::Team, "name one team as in CODEOWNERS")),
        (Kind::File, []) => return Err(needs(ScopeKind::File, "name the files")),
        (Kind::File, _) => scope::Request::Files { paths: targets.iter().map(Into::into).collect() },
    })
}
