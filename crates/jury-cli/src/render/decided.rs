//! Decisions of people. In: the gate, an acceptance, an exchange. Out: the same for programs, and lines for people.

use jury::flows::GateView;
use jury::flows::accept::{AcceptedNow, ToSign};
use jury::flows::contest::Contested;
use jury::keeping::Exchanged;
use jury::model::{ContestResult, ContestVoice, Proof};
use jury::people::Refused;
use jury::verdict::{DecidedBy, Decision};
use jury_wire::v1::surface as wire;

use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{count, inert, painted};

/// How many refused acceptances are shown.
const MOST_REFUSED: usize = 20;

/// Says the decisions of people, for programs.
pub(super) fn wire_decided(view: &GateView) -> Vec<wire::Decided> {
    let decided = |decision: &Decision| {
        let Decision { id, by, is_settled } = decision;
        let (given, needed, names, contest) = match by {
            DecidedBy::People { given, needed, names, .. } => (*given, *needed, names.clone(), None),
            DecidedBy::Contest { result, what } => (0, 0, Vec::new(), Some(wire_outcome(*result, what.clone()))),
        };
        let of =
            |proof: Proof| names.iter().filter(|(_, given)| *given == proof).map(|(name, _)| name.clone()).collect();
        wire::Decided {
            id: id.clone(),
            settled: *is_settled,
            given,
            needed,
            signed_by: of(Proof::Signed),
            unsigned_by: of(Proof::Unsigned),
            approved_by: of(Proof::Forge),
            contest,
        }
    };
    view.gate.decided.iter().map(decided).collect()
}

/// Says which acceptances do not count, for programs.
pub(super) fn wire_refused(view: &GateView) -> Vec<wire::RefusedAcceptance> {
    let refused = |refused: &Refused| wire::RefusedAcceptance {
        name: refused.name.clone(),
        id: refused.id.clone(),
        reason: refused.reason.code().to_owned(),
        what: refused.what.clone(),
    };
    view.refused.iter().map(refused).collect()
}

/// Shows the decisions of people, and which acceptances do not count.
pub(super) fn decided_lines(decided: &[wire::Decided], refused: &[wire::RefusedAcceptance]) -> String {
    let mut text = String::new();
    for wire::Decided { id, settled, given, needed, signed_by, unsigned_by, approved_by, contest } in decided {
        let style = if *settled { GOOD } else { WARN };
        if let Some(wire::ContestOutcome { result, what }) = contest {
            let line = inert::short_line(&format!("{id}: {} ({what})", words_of(result)), 240);
            text.push_str(&format!("  {} {line}\n", painted(style, "contested:")));
            continue;
        }
        let unsigned = unsigned_by.iter().map(|name| format!("{name} (unsigned)"));
        let approved = approved_by.iter().map(|name| format!("{name} (approval)"));
        let names: Vec<String> = signed_by.iter().cloned().chain(unsigned).chain(approved).collect();
        let what = format!("{id} by {}, {given} of {needed}", names.join(", "));
        text.push_str(&format!("  {} {}\n", painted(style, "accepted:"), inert::line(&what)));
    }
    for wire::RefusedAcceptance { name, id, reason, what } in refused.iter().take(MOST_REFUSED) {
        // An account has a name, an object a digest.
        let short: String = if name.contains('@') { name.clone() } else { name.chars().take(12).collect() };
        let about = id.as_ref().map(|id| format!(" of {id}")).unwrap_or_default();
        let line = inert::short_line(&format!("{short}{about}: {what} ({reason})"), 240);
        text.push_str(&format!("  {} {line}\n", painted(BAD, "refused acceptance:")));
    }
    let more = refused.len().saturating_sub(MOST_REFUSED);
    text.extend(
        (more > 0).then(|| format!("  and {}\n", count(more, "more refused acceptance", "more refused acceptances"))),
    );
    text
}

fn wire_outcome(result: ContestResult, what: String) -> wire::ContestOutcome {
    wire::ContestOutcome { result: result.token().to_owned(), what }
}

/// Says the result of a contest in words.
fn words_of(result: &str) -> &'static str {
    match ContestResult::from_token(result) {
        Some(ContestResult::Refuted) => "refuted by the tree",
        Some(ContestResult::Conceded) => "conceded by two reviewers",
        Some(ContestResult::ForPerson) => "conceded by two reviewers; a person decides",
        Some(ContestResult::Upheld) => "it stands",
        Some(ContestResult::Unanswered) | None => "undecided",
    }
}

/// Says for programs the result of a contest.
pub(crate) fn wire_contested(contested: &Contested) -> wire::Contested {
    let Contested { contest, result } = contested;
    let what = contest.refuted.as_ref().map(|(_, proof)| proof.clone()).unwrap_or_default();
    let voice = |voice: &ContestVoice| wire::ContestVoice {
        reviewer: voice.reviewer.to_string(),
        is_raiser: voice.is_raiser,
        stance: voice.stance.token().to_owned(),
        why: voice.why.clone(),
    };
    wire::Contested {
        id: contest.finding.clone(),
        outcome: wire_outcome(*result, what),
        settled: result.settles(),
        voices: contest.voices.iter().map(voice).collect(),
    }
}

/// Shows the result of a contest.
pub(crate) fn contested(contested: &wire::Contested) -> String {
    let wire::Contested { id, outcome, settled, voices } = contested;
    let style = if *settled { GOOD } else { WARN };
    let mut text = format!("{} {}\n", painted(style, words_of(&outcome.result)), inert::line(id));
    if !outcome.what.is_empty() {
        text.push_str(&format!("  {}\n", inert::short_line(&outcome.what, 240)));
    }
    for wire::ContestVoice { reviewer, is_raiser, stance, why } in voices {
        let role = if *is_raiser { "raised it" } else { "second voice" };
        let line = inert::short_line(&format!("{reviewer} ({role}) {stance}: {why}"), 240);
        text.push_str(&format!("  {line}\n"));
    }
    let next = match ContestResult::from_token(&outcome.result) {
        Some(ContestResult::Refuted | ContestResult::Conceded) => "`jury gate`",
        Some(ContestResult::Upheld) => "fix it, or have a person decide with `jury accept ID --reason TEXT`",
        _ => "a person decides with `jury accept ID --reason TEXT`",
    };
    text.push_str(&format!("{} {next}\n", painted(FAINT, "next:")));
    text
}

/// Shows the statement that a person is about to sign: a touch is for this and nothing else.
pub(crate) fn to_sign(to_sign: &ToSign) -> String {
    let until = to_sign.expires.map(|day| format!(", until {day}")).unwrap_or_default();
    let mut text = format!("{}\n", painted(STRONG, &format!("to be signed{until}:")));
    for (id, title, paths) in &to_sign.accepted {
        let mut words = vec![id.clone(), title.clone()];
        words.extend(paths.iter().cloned());
        words.retain(|word| !word.is_empty());
        text.push_str(&format!("  {}\n", inert::short_line(&words.join("  "), 240)));
    }
    text
}

/// Shows an acceptance that was just kept.
pub(crate) fn accepted(accepted: &AcceptedNow) -> String {
    let mut text = String::new();
    for (id, title, given, needed) in &accepted.accepted {
        let word = match (accepted.counts, given >= needed) {
            (true, true) => painted(GOOD, "accepted"),
            (true, false) => painted(WARN, "accepted, more needed"),
            (false, _) => painted(WARN, "confirmed without a key"),
        };
        let title = if title.is_empty() { String::new() } else { format!(" {}", inert::short_line(title, 120)) };
        text.push_str(&format!("{word} {}{title} ({given} of {needed})\n", inert::line(id)));
    }
    let short: String = accepted.name.chars().take(12).collect();
    let (what, next) = match (&accepted.signer, accepted.counts) {
        (Some(signer), _) => (
            format!("signed by {signer}, refs/jury/acceptances/{short}…"),
            "`jury sync` shares it; `jury gate` checks it",
        ),
        (None, true) => {
            ("without a key, as people.unsigned of the base allows; on this machine only".to_owned(), "`jury gate`")
        }
        (None, false) => (
            "the base lists no keys, and a program can type, too: the gate stays closed".to_owned(),
            "list keys in .jury/signers on the base, or set people.unsigned there",
        ),
    };
    text.push_str(&format!("{}\n{} {next}\n", painted(FAINT, &inert::line(&what)), painted(FAINT, "next:")));
    text
}

/// Shows the exchanged refs.
pub(crate) fn synced(synced: &Exchanged, remote: &str) -> String {
    let Exchanged { came, sent, differing, all } = synced;
    let all = count(*all, "object", "objects");
    let (came, sent, remote) = (came.len(), sent.len(), inert::line(remote));
    let mut text = format!("{} {all}, {came} from {remote}, {sent} to it\n", painted(STRONG, "synced:"));
    for name in differing.iter().take(MOST_REFUSED) {
        let line = format!("{name} names another object at {remote} than here; delete the one that is not its digest");
        text.push_str(&format!("  {} {line}\n", painted(BAD, "differs:")));
    }
    text
}
