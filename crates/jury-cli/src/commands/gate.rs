//! `jury gate`: may this tree merge? No reviewer runs, nothing is written.

use clap::ValueEnum;
use jury::flows::attested::{AttestedView, attested};
use jury::flows::gate::{Subject, gate};
use jury::model::{Outcome, PolicyMode};
use jury::report::{github_gate, github_notice};
use jury::verdict::Condition;
use jury_wire::ExitCode;

use super::pull_request::{ForgeOptions, with_approvals};
use crate::error::Error;
use crate::streams::Streams;
use crate::workplace::{self, WorkingDir, Workplace};
use crate::{help, render};

fn examples() -> String {
    help::after_help(
        &[
            ("jury gate", "Check every condition for this tree"),
            ("jury gate --worktree", "Check them before the commit"),
            ("jury gate --base origin/main --format json", "The same in CI, as JSON"),
            ("jury gate --attested --base origin/main", "Open on signed verdicts, in a fresh clone"),
            ("jury gate --base origin/main --pr 7", "Count approvals of pull request 7 as decisions"),
            ("jury gate --base origin/main --by-mode", "Let a CI job pass while the policy only observes"),
        ],
        &[
            (ExitCode::Clear, "the gate is open"),
            (ExitCode::Blocked, "a finding blocks, or a fix is unverified"),
            (ExitCode::Usage, "invalid command line or jury.toml, or not a repository"),
            (ExitCode::Aborted, "a system-breaking Blocker stands"),
            (ExitCode::Incomplete, "this tree was not reviewed, or not in full, or is not committed"),
            (ExitCode::Refused, "the state on disk was refused"),
            (ExitCode::Waiting, "only a person can decide what is left"),
        ],
    )
}

/// The titles of a gate that is closed and lets a job pass, and of one that waits.
const OBSERVED: &str = "observed: would be closed (policy.mode is observe)";
const WAITING: &str = "gate closed: a person has to decide";

/// Check whether this tree may merge
#[derive(clap::Args)]
#[command(after_help = examples())]
pub(crate) struct Arguments {
    /// Base of the change; default: upstream, origin/HEAD, main or master
    #[arg(long, value_name = "REF")]
    base: Option<String>,
    /// Judge the working tree, committed or not
    #[arg(long)]
    worktree: bool,
    /// Open by signed verdicts of HEAD's tree (`jury attest`) instead of a review of this worktree
    #[arg(long, conflicts_with_all = ["worktree", "by_mode"])]
    attested: bool,
    /// With --attested: also judge the attached record again
    #[arg(long, requires = "attested")]
    record: bool,
    /// Exit with 0 while policy.mode of the base is observe, and print `observed: would be closed`; an ABORT stays closed
    #[arg(long)]
    by_mode: bool,
    /// Count the approvals of this pull request, of exactly what was judged, as decisions of the people whom the base names
    #[arg(long, value_name = "N", conflicts_with_all = ["worktree", "attested"])]
    pr: Option<u64>,
    /// Judge this commit, as `jury review --head` does
    #[arg(long, value_name = "COMMIT", conflicts_with_all = ["worktree", "attested"])]
    head: Option<String>,
    #[command(flatten)]
    forge: ForgeOptions,
    /// Output format
    #[arg(long, value_enum, default_value_t = GateFormat::Text, value_name = "FORMAT")]
    format: GateFormat,
    #[command(flatten)]
    place: WorkingDir,
}

/// Who the output is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum GateFormat {
    Text,
    Json,
    /// GitHub Actions annotations
    Github,
}

pub(super) fn run(arguments: Arguments, streams: &mut Streams) -> Result<ExitCode, Error> {
    let workplace = arguments.place.open_at(arguments.head.as_deref())?;
    if arguments.attested {
        return on_verdicts(&arguments, &workplace, streams);
    }
    let subject = if arguments.worktree { Subject::Worktree } else { Subject::Head };
    let base = arguments.base.as_deref();
    let view = gate(&workplace.repository, &workplace.store, base, subject, &workplace::now())?;
    let view = match arguments.pr {
        Some(number) => {
            let (place, mut forge) = arguments.forge.open(Some(number))?;
            with_approvals(&workplace, view, base, (&place, forge.as_mut()), streams)?
        }
        None => view,
    };
    // Only a review by the policy of this base says what its mode is.
    let is_observing = view.full.as_ref().is_some_and(|record| record.policy.policy.mode == PolicyMode::Observe)
        && view.gate.checked.iter().all(|it| it.holds || it.condition != Condition::SamePolicy);
    let is_let_pass = arguments.by_mode
        && is_observing
        && matches!(view.gate.outcome, Outcome::Blocked | Outcome::Incomplete | Outcome::Waiting);
    let title = match (is_let_pass, view.gate.outcome) {
        (true, _) => Some(OBSERVED),
        (false, Outcome::Waiting) => Some(WAITING),
        _ => None,
    };
    match arguments.format {
        GateFormat::Text if is_let_pass => streams.show(&format!("{OBSERVED}\n{}", render::gate(&view))),
        GateFormat::Text => streams.show(&render::gate(&view)),
        GateFormat::Json => streams.json(&render::pretty(&render::wire_gate(&view))),
        GateFormat::Github => {
            title.into_iter().for_each(|title| streams.document(&github_notice(title)));
            let failing = view.gate.checked.iter().filter(|checked| !checked.holds);
            streams.document(&github_gate(failing.map(|it| (it.condition.token(), it.seen.as_str(), it.remedy))));
        }
    }
    Ok(if is_let_pass { ExitCode::Clear } else { super::exit_code(view.gate.outcome) })
}

/// Checks the gate by signed verdicts.
fn on_verdicts(arguments: &Arguments, workplace: &Workplace, streams: &mut Streams) -> Result<ExitCode, Error> {
    let (base, now) = (arguments.base.as_deref(), workplace::now());
    let found = attested(&workplace.repository, &workplace.store, base, arguments.record, &now)?;
    let AttestedView { view, .. } = &found;
    match arguments.format {
        GateFormat::Text => streams.show(&format!("{}{}", render::gate(view), render::verdicts(&found))),
        GateFormat::Json => streams.json(&render::pretty(&render::wire_gate(view))),
        GateFormat::Github => {
            let failing = view.gate.checked.iter().filter(|checked| !checked.holds);
            streams.document(&github_gate(failing.map(|it| (it.condition.token(), it.seen.as_str(), it.remedy))));
        }
    }
    Ok(super::exit_code(view.gate.outcome))
}
