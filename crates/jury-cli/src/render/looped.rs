//! The rounds of `jury loop`: a line for each thing that happens, and how it ended.

use jury::drivers::rounds::{Event, Looped, Round};
use jury::model::Status;
use jury::record::Verification;
use jury::verdict::End;
use jury_wire::v1::surface as wire;

use super::reviewed::{tally, verdict};
use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{count, inert, painted};

/// How many findings are named.
const MOST: usize = 20;

/// Tells of one thing that happens, for people who watch.
pub(crate) fn round(event: &Event<'_>) -> String {
    let said = match event {
        Event::Progress(_) => return String::new(),
        Event::Reviewed(file) => format!("reviewed: {}  {}", verdict(&file.verdict), tally(&file.summary)),
        Event::Begun(number, required, brief) => {
            let required = count(*required, "finding", "findings");
            let brief = inert::line(&brief.to_string_lossy());
            painted(STRONG, &format!("round {number}: {required} to fix; brief: {brief}"))
        }
        Event::Fixed(None) => "the fixer has ended".to_owned(),
        Event::Fixed(Some(trouble)) => painted(WARN, &format!("the fixer {}", inert::short_line(trouble, 300))),
        Event::Marked(ids) => {
            let marked = count(ids.len(), "finding is", "findings are");
            format!("it changed the code and marked nothing; {marked} marked fixed on its behalf, unverified")
        }
        Event::Verified(verification) => verified(verification),
    };
    format!("{} {said}\n", painted(FAINT, "loop:"))
}

fn verified(verification: &Verification) -> String {
    let of = |status: Status| verification.checked.iter().filter(|checked| checked.status() == status).count();
    let parts = [
        (of(Status::Verified), "verified"),
        (of(Status::Reopened), "reopened"),
        (of(Status::Fixed), "inconclusive"),
        (verification.new.len(), "new"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    let said = if parts.is_empty() { "nothing is marked fixed".to_owned() } else { parts.join(", ") };
    format!("verify: {said}")
}

/// Says how it ended, for programs.
pub(crate) fn wire_loop(looped: &Looped) -> wire::Loop {
    let round = |(index, round): (usize, &Round)| wire::Round {
        number: index + 1,
        required: round.required,
        trouble: round.trouble.clone(),
        changed: round.has_changed,
        marked: round.marked.clone(),
        marked_on_behalf: round.marked_for_it.clone(),
    };
    let shown = |path: &std::path::Path| path.to_string_lossy().into_owned();
    wire::Loop {
        ended: looped.end.token().to_owned(),
        why: why(looped.end).to_owned(),
        rounds: looped.rounds.iter().enumerate().map(round).collect(),
        required: looped.required.clone(),
        review_id: looped.file.review_id.clone(),
        verdict: looped.file.verdict.clone(),
        summary: looped.file.summary.clone(),
        report_path: looped.file.report_path.clone(),
        verdict_file: shown(&looped.path),
        brief: looped.brief.as_deref().map(shown),
    }
}

fn why(end: End) -> &'static str {
    match end {
        End::Converged => "nothing required is left, and the whole tree was reviewed",
        End::Aborted => "a system-breaking Blocker stands: do not attempt a fix",
        End::Stuck => "two rounds in a row ended with the same findings",
        End::Oscillating => "a finding that was gone has come back",
        End::Regressing => "two rounds in a row added findings",
        End::Incomplete => "nothing is left to fix, but the gate is closed",
        End::Waiting => "nothing is left to fix; a person has to decide the rest",
        End::OutOfRounds => "the round limit was reached",
        End::OutOfTime => "the time limit was reached",
        End::OutOfBudget => "the budget is used up",
    }
}

/// Shows how it ended.
pub(crate) fn looped(looped: &wire::Loop) -> String {
    let end = End::from_token(&looped.ended);
    let style = match end {
        Some(End::Converged) => GOOD,
        Some(End::Incomplete | End::Waiting | End::OutOfRounds | End::OutOfTime | End::OutOfBudget) => WARN,
        _ => BAD,
    };
    let word = painted(style, &looped.ended.replace('_', " "));
    let rounds = count(looped.rounds.len(), "round", "rounds");
    let mut text = format!("{word} after {rounds}: {}\n", looped.why);
    text.push_str(&format!("  {}  {}\n", verdict(&looped.verdict), tally(&looped.summary)));
    for id in looped.required.iter().take(MOST) {
        text.push_str(&format!("  {} {}\n", painted(BAD, "✗"), inert::line(id)));
    }
    if looped.required.len() > MOST {
        text.push_str(&format!("  … and {} more in the verdict file\n", looped.required.len() - MOST));
    }
    if let Some(brief) = looped.brief.as_ref().filter(|_| end != Some(End::Converged)) {
        text.push_str(&format!("{} {}\n", painted(FAINT, "the last brief:"), inert::line(brief)));
    }
    let step = match end {
        Some(End::Converged) => "jury next",
        Some(End::Aborted) => "stop; a person reads .code-review/abort-reason.md",
        Some(End::Incomplete) => "jury gate",
        Some(End::Waiting) => "jury next",
        _ => "ask a person to look: jury status",
    };
    text.push_str(&format!("{} {step}\n", painted(FAINT, "next:")));
    text
}
