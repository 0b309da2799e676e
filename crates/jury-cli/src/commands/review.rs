//! `jury review`: a repository in, a verdict file out.
//!
//! Whatever the output, the verdict file, its report and the record are written first.

use std::path::PathBuf;

use clap::ValueEnum;
use jury::formats;
use jury::judge::Judgement;
use jury::model::{Report, ScopeKind};
use jury::report;
use jury::review::{self, Asking, KeptAnswers, Request};
use jury::scope;
use jury_wire::ExitCode;
use jury_wire::v1::code_review::ReviewVerdict;

use super::verify;
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, Place};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury review", "Review what this branch changes, uncommitted work included"),
            ("jury review --quick", "Check uncommitted work only, between two steps"),
            ("jury review --verify", "Look again at what is marked fixed; `jury verify` for short"),
            ("jury review --base release/2.1", "Compare with another branch"),
            ("jury review --scope package packages/api", "Review a whole package"),
            ("jury review --scope team @org/payments", "Review what CODEOWNERS gives to a team"),
            ("jury review --trust", "Also run and ask those of jury.toml that nobody has trusted here; for CI"),
            ("jury review --fresh", "Ask every reviewer anew, whatever it answered before"),
            ("jury review --resume", "Go on with a review that was ended before it was finished"),
            ("jury review --format sarif --output review.sarif", "Write the result for another tool"),
            ("jury review --base origin/main --format github", "Annotate the change in GitHub Actions"),
        ],
        &[
            (ExitCode::Clear, "nothing blocks"),
            (ExitCode::Blocked, "a finding blocks"),
            (ExitCode::Usage, "the command or jury.toml was not understood, or this is no repository"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "something could not be reviewed"),
            (ExitCode::Refused, "the state on disk was refused"),
        ],
    )
}

/// Review a change, decide, and write the verdict file
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// What to review, for a scope other than the changeset: a path, or a team
    #[arg(value_name = "TARGET")]
    targets: Vec<String>,
    /// What kind of thing to review
    #[arg(long, value_enum, value_name = "SCOPE")]
    scope: Option<Kind>,
    /// What to compare with; else the upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Check uncommitted changes only; no report, and the last full verdict still counts
    #[arg(long, conflicts_with_all = ["scope", "base", "targets"])]
    quick: bool,
    /// Look again at what is marked fixed, and at nothing else
    #[arg(long, conflicts_with_all = ["scope", "base", "targets", "quick"])]
    verify: bool,
    /// Run every command that jury.toml of the base names, trusted or not; for CI
    #[arg(long)]
    trust: bool,
    /// Ask every reviewer anew, whatever it answered before
    #[arg(long, conflicts_with = "verify")]
    fresh: bool,
    /// Go on with a review that was ended before it was finished; whoever has answered is not asked again
    #[arg(long, conflicts_with_all = ["fresh", "verify", "quick"])]
    resume: bool,
    /// How to print the result; `json` is the verdict file itself
    #[arg(long, value_enum, default_value_t = Output::Text, value_name = "FORMAT")]
    format: Output,
    /// Print the result into this file
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
}

/// The scopes of 000.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kind {
    Changeset,
    Package,
    Team,
    File,
}

/// How the result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Output {
    Text,
    Json,
    Markdown,
    Sarif,
    /// Annotations of GitHub Actions
    Github,
    /// GitLab Code Quality
    Gitlab,
    Junit,
    Rdjson,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let Arguments { targets, scope, base, quick, verify, trust, fresh, resume, format, output, place } = arguments;
    if verify {
        return verify::run(verify::Arguments { trust, format, output, place }, streams);
    }
    let scope = request(scope, quick, base, targets)?;
    let workplace = place.open()?;
    let mut progress = render::Progress::new(streams.can_animate());
    let kept = match (fresh, resume) {
        (true, _) => KeptAnswers::Ignore,
        (_, true) => KeptAnswers::Resume,
        _ => KeptAnswers::Use,
    };
    let asking = Asking { trust: workplace.trust(trust)?, kept, ..Asking::default() };
    let request = Request { scope, asking, now: workplace::now() };
    let reviewed = review::review(&workplace.repository, &workplace.store, &request, &mut |event| progress.tell(event));
    progress.end();
    let reviewed = reviewed?;
    let Judgement { file, report, .. } = &reviewed.judgement;
    print(streams, format, output, file, report, || render::reviewed(&reviewed))?;
    if resume {
        streams.remark(&render::note(&render::resumed(&reviewed.record)));
    }
    if let Some(kept) = &reviewed.set_aside {
        streams.remark(&render::note(&format!("a verdict file that Jury did not write is now {kept}")));
    }
    Ok(super::exit_code(review::outcome(&reviewed)))
}

/// Prints a result as it is asked for, to where it is asked for.
pub(super) fn print(
    streams: &mut Streams,
    format: Output,
    output: Option<PathBuf>,
    file: &ReviewVerdict,
    report: &Report,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    let text = if format == Output::Text { text() } else { document(format, file, report) };
    match (output, format) {
        (Some(path), _) => streams.write_file(&path, &text)?,
        (None, Output::Text) => streams.show(&text),
        (None, _) => streams.document(&text),
    }
    Ok(())
}

/// Writes a result for programs.
pub(super) fn document(format: Output, file: &ReviewVerdict, report: &Report) -> String {
    match format {
        Output::Text | Output::Json => serde_json::to_string_pretty(file).expect("a verdict is always JSON") + "\n",
        Output::Markdown => written(report, "review-md"),
        Output::Sarif => written(report, "sarif"),
        Output::Github => report::github(report, &headline(file)),
        Output::Gitlab => written(report, "gitlab-code-quality"),
        Output::Junit => report::junit(report, &file.target),
        Output::Rdjson => written(report, "rdjson"),
    }
}

/// Says what was decided in one line, for a log.
fn headline(file: &ReviewVerdict) -> String {
    format!("Jury: {}, {} (review {})", file.verdict, render::tally(&file.summary), file.review_id)
}

fn written(report: &Report, id: &str) -> String {
    let format = formats::by_id(id).and_then(|format| format.write(report));
    format.expect("all of them are formats that can be written").text
}

fn request(
    scope: Option<Kind>,
    quick: bool,
    base: Option<String>,
    targets: Vec<String>,
) -> Result<scope::Request, Error> {
    let needs = |kind: ScopeKind, what| Error::Target { kind, what };
    // Targets without a scope are files: nobody means to have them ignored.
    let scope = scope.unwrap_or(if targets.is_empty() { Kind::Changeset } else { Kind::File });
    if quick {
        return Ok(scope::Request::Quick);
    }
    if base.is_some() && scope != Kind::Changeset {
        return Err(needs(ScopeKind::Changeset, "`--base` goes with the changeset only"));
    }
    Ok(match (scope, targets.as_slice()) {
        (Kind::Changeset, []) => scope::Request::Changeset { base },
        (Kind::Changeset, _) => return Err(needs(ScopeKind::Changeset, "a changeset takes no target")),
        (Kind::Package, []) => scope::Request::Package { target: ".".into() },
        (Kind::Package, [target]) => scope::Request::Package { target: target.into() },
        (Kind::Package, _) => return Err(needs(ScopeKind::Package, "one package at a time")),
        (Kind::Team, [name]) => scope::Request::Team { name: name.clone() },
        (Kind::Team, _) => return Err(needs(ScopeKind::Team, "name one team, as CODEOWNERS spells it")),
        (Kind::File, []) => return Err(needs(ScopeKind::File, "name the files")),
        (Kind::File, _) => scope::Request::Files { paths: targets.iter().map(Into::into).collect() },
    })
}
