//! The rounds of `jury loop`: a line for each thing that happens, and how it ended.

use jury::drive::{Driven, Event, Round};
use jury::model::Status;
use jury::verdict::End;
use jury_wire::v1::record as record_wire;
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
            let required = count(*required, "finding has", "findings have");
            let brief = inert::line(&brief.to_string_lossy());
            painted(STRONG, &format!("round {number}: {required} to be fixed; the brief is {brief}"))
        }
        Event::Fixed(None) => "the fixer has ended".to_owned(),
        Event::Fixed(Some(trouble)) => painted(WARN, &format!("the fixer {}", inert::short_line(trouble, 300))),
        Event::Marked(ids) => {
            let marked = count(ids.len(), "finding is", "findings are");
            format!("it changed the code and marked nothing; {marked} marked fixed on its behalf, to be looked at")
        }
        Event::Rechecked(verification) => rechecked(verification),
    };
    format!("{} {said}\n", painted(FAINT, "loop:"))
}

fn rechecked(verification: &record_wire::Verification) -> String {
    let of = |status: Status| verification.checked.iter().filter(|checked| checked.status == status.token()).count();
    let parts = [
        (of(Status::Verified), "verified"),
        (of(Status::Reopened), "reopened"),
        (of(Status::Fixed), "not to be told"),
        (verification.new.len(), "new"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(number, _)| *number > 0).map(|(number, what)| format!("{number} {what}")).collect();
    let said = if parts.is_empty() { "nothing is marked fixed".to_owned() } else { parts.join(", ") };
    format!("looked again: {said}")
}

/// Says how it ended, for programs.
pub(crate) fn wire_loop(driven: &Driven) -> wire::Loop {
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
        ended: driven.end.token().to_owned(),
        why: why(driven.end).to_owned(),
        rounds: driven.rounds.iter().enumerate().map(round).collect(),
        required: driven.required.clone(),
        review_id: driven.file.review_id.clone(),
        verdict: driven.file.verdict.clone(),
        summary: driven.file.summary.clone(),
        report_path: driven.file.report_path.clone(),
        verdict_file: shown(&driven.path),
        brief: driven.brief.as_deref().map(shown),
    }
}

fn why(end: End) -> &'static str {
    match end {
        End::Converged => "nothing required stands, and the whole tree was reviewed",
        End::Aborted => "a system-breaking Blocker stands: do not attempt a fix",
        End::Stuck => "two rounds in a row ended with the same findings",
        End::Oscillating => "a finding that was gone has come back",
        End::Regressing => "two rounds in a row brought new findings",
        End::Incomplete => "nothing is left to fix, and the gate is closed all the same",
        End::OutOfRounds => "there is no further round",
        End::OutOfTime => "there is no more time",
        End::OutOfBudget => "the models have taken all that they may",
    }
}

/// Shows how it ended.
pub(crate) fn looped(looped: &wire::Loop) -> String {
    let end = End::from_token(&looped.ended);
    let style = match end {
        Some(End::Converged) => GOOD,
        Some(End::Incomplete | End::OutOfRounds | End::OutOfTime | End::OutOfBudget) => WARN,
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
        _ => "a person looks: jury status",
    };
    text.push_str(&format!("{} {step}\n", painted(FAINT, "next:")));
    text
}
