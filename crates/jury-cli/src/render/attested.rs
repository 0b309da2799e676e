//! Signed verdicts for people and for programs.

use jury::attestation::{Attested, Counted, Refused};
use jury::flows::attest::AttestedNow;
use jury::flows::attested::AttestedView;
use jury::signature::VerifiedKey;
use jury_wire::v1::attestation as wire;

use super::style::{BAD, FAINT, GOOD, STRONG, WARN};
use super::{inert, painted};

/// How much of a digest is shown.
const SHORT: usize = 12;

/// Shows the verdict that a person is about to sign: a touch is for this and nothing else.
pub(crate) fn verdict_to_sign(attested: &Attested) -> String {
    let Attested { tree, base_name, content, review_id, not_after, .. } = attested;
    let files = super::count(content.files, "changed file", "changed files");
    let line = format!("review {review_id} of tree {tree} against {base_name}, {files}, until {not_after}");
    format!("{}\n  {}\n", painted(STRONG, "to be signed:"), inert::short_line(&line, 240))
}

/// Says the signed verdicts.
pub(crate) fn attested_now(signed: &AttestedNow) -> String {
    let AttestedNow { attested, name, keys: (keys, needed), refused } = signed;
    let mut text = format!("{} tree {}, until {}\n", painted(GOOD, "signed:"), attested.tree, attested.not_after);
    text.push_str(&format!("  ref {name}\n"));
    for refusal in refused {
        let what = format!("{refusal} ({})", refusal.reason().code());
        text.push_str(&format!("  {} {}\n", painted(WARN, "does not count:"), inert::line(&what)));
    }
    if keys < needed {
        text.push_str(&format!("  {keys} of {needed} keys have signed; another person has to run `jury attest`\n"));
    }
    text
}

/// Lists the signed verdicts of a tree.
pub(crate) fn attestations(view: &AttestedView) -> String {
    let standing = &view.standing;
    let head = if standing.is_enough() { painted(GOOD, "verified") } else { painted(BAD, "not verified") };
    let tree = view.tree.as_ref().map(|tree| format!(" tree {tree}")).unwrap_or_default();
    let keys = format!("({} of {} keys)", standing.keys, standing.needed.max(1));
    let mut text = format!("{head}{tree} {}\n", painted(FAINT, &keys));
    text.push_str(&verdicts(view));
    text
}

/// Lists the signed verdicts, a line for each.
pub(crate) fn verdicts(view: &AttestedView) -> String {
    let short = |digest: &str| digest.chars().take(SHORT).collect::<String>();
    let mut text = String::new();
    for Counted { digest, statement, keys } in &view.standing.counted {
        let names: Vec<String> = keys.iter().map(|key| inert::line(&key.principal)).collect();
        let review = inert::line(&statement.predicate.jury.review.id);
        let line = format!("review {review}, signed by {}", names.join(", "));
        text.push_str(&format!("  {} {} {line}\n", painted(GOOD, "✓"), painted(STRONG, &short(digest))));
    }
    for Refused { digest, refusal } in &view.standing.refused {
        let line = inert::line(&format!("{refusal} ({})", refusal.reason().code()));
        let digest = inert::line(&short(digest));
        text.push_str(&format!("  {} {} {line}\n", painted(BAD, "✗"), painted(STRONG, &digest)));
    }
    text
}

/// Says the signed verdicts for programs.
pub(crate) fn wire_attested_now(signed: &AttestedNow) -> wire::Signed {
    let AttestedNow { attested, name, keys: (keys, needed), refused } = signed;
    let refused = refused.iter().map(|refusal| wire::RefusedVerdict {
        digest: name.rsplit('/').next().unwrap_or_default().to_owned(),
        reason: refusal.reason().code().to_owned(),
        what: refusal.to_string(),
    });
    wire::Signed {
        tree: attested.tree.to_string(),
        reference: name.clone(),
        not_after: attested.not_after.to_string(),
        keys: *keys as u64,
        needed: *needed as u64,
        refused: refused.collect(),
    }
}

/// Lists the signed verdicts of a tree for programs.
pub(crate) fn wire_attestations(view: &AttestedView) -> wire::Verified {
    let standing = &view.standing;
    let signer = |key: &VerifiedKey| wire::Signer {
        principal: key.principal.clone(),
        fingerprint: key.fingerprint.clone(),
        touched: key.has_user_presence,
    };
    let counted = standing.counted.iter().map(|counted| wire::CountedVerdict {
        digest: counted.digest.clone(),
        review_id: counted.statement.predicate.jury.review.id.clone(),
        signers: counted.keys.iter().map(signer).collect(),
    });
    let refused = standing.refused.iter().map(|refused| wire::RefusedVerdict {
        digest: refused.digest.clone(),
        reason: refused.refusal.reason().code().to_owned(),
        what: refused.refusal.to_string(),
    });
    wire::Verified {
        verified: standing.is_enough(),
        tree: view.tree.as_ref().map(ToString::to_string),
        keys: standing.keys as u64,
        needed: standing.needed.max(1) as u64,
        counted: counted.collect(),
        refused: refused.collect(),
    }
}
