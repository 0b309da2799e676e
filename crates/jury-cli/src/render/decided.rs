//! What people decided. In: the gate, an acceptance, an exchange. Out: the same for programs, and lines for people.

use jury::flows::GateView;
use jury::flows::accept::AcceptedNow;
use jury::flows::sync::Synced;
use jury::people::Refused;
use jury::verdict::{DecidedBy, Decision};
use jury_wire::v1::surface as wire;

use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{count, inert, painted};

/// How many refused acceptances are shown.
const MOST_REFUSED: usize = 20;

/// Says what people decided, for programs.
pub(super) fn wire_decided(view: &GateView) -> Vec<wire::Decided> {
    let decided = |decision: &Decision| {
        let Decision { id, by, is_settled } = decision;
        let (given, needed, names, contest) = match by {
            DecidedBy::People { given, needed, names } => (*given, *needed, names.clone(), None),
            DecidedBy::Contest { what } => (0, 0, Vec::new(), Some(what.clone())),
        };
        let of = |is_signed: bool| {
            names.iter().filter(|(_, signed)| *signed == is_signed).map(|(name, _)| name.clone()).collect()
        };
        wire::Decided {
            id: id.clone(),
            settled: *is_settled,
            given,
            needed,
            signed_by: of(true),
            unsigned_by: of(false),
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

/// Shows what people decided, and which acceptances do not count.
pub(super) fn decided_lines(decided: &[wire::Decided], refused: &[wire::RefusedAcceptance]) -> String {
    let mut text = String::new();
    for wire::Decided { id, settled, given, needed, signed_by, unsigned_by, contest } in decided {
        let style = if *settled { GOOD } else { WARN };
        if let Some(what) = contest {
            text.push_str(&format!("  {} {}: {}\n", painted(style, "contested:"), inert::line(id), inert::line(what)));
            continue;
        }
        let unsigned = unsigned_by.iter().map(|name| format!("{name} (unsigned)"));
        let names: Vec<String> = signed_by.iter().cloned().chain(unsigned).collect();
        let what = format!("{id} by {}, {given} of {needed}", names.join(", "));
        text.push_str(&format!("  {} {}\n", painted(style, "accepted:"), inert::line(&what)));
    }
    for wire::RefusedAcceptance { name, id, reason, what } in refused.iter().take(MOST_REFUSED) {
        let short: String = name.chars().take(12).collect();
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

/// Shows what was exchanged.
pub(crate) fn synced(synced: &Synced, remote: &str) -> String {
    let Synced { came, all } = synced;
    let all = count(*all, "acceptance", "acceptances");
    format!("{} {all}, {came} new from {}\n", painted(STRONG, "synced:"), inert::line(remote))
}
