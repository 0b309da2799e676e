//! Which verdicts count. In: the envelopes that are kept for a tree, and facts and rules of the clone. Out: who signed those that
//! count, and why the others do not.

use std::collections::BTreeSet;

use jury_wire::v1::attestation as wire;
use sha2::{Digest as _, Sha256};

use super::envelope::{Envelope, read};
use super::statement::{Content, PolicyPart, VERIFIER, wire_waiver};
use super::{MOST_DAYS, MOST_ENVELOPES, NAMESPACE, Refusal};
use crate::model::{PatchId, PolicyMode, Timestamp, TreeId, Waiver};
use crate::signature::{self, Signers, VerifiedKey, distinct};

/// The length of a raw Ed25519 signature.
const RAW: usize = 64;
/// How far a clock may be behind that of the signer.
const DRIFT: i64 = 300;

/// An envelope, and the ref that names it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The tree that the ref names.
    pub tree: String,
    /// The digest that the ref names.
    pub digest: String,
    /// The bytes; `None` if they cannot be had, or are too many.
    pub bytes: Option<Vec<u8>>,
}

/// The facts of the clone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloneFacts {
    /// The tree of HEAD.
    pub tree: TreeId,
    /// The first commit of the repository; `None` if the clone does not reach it.
    pub repository: Option<String>,
    /// The patch id of the change against the base.
    pub patch: PatchId,
    /// The changed files.
    pub content: Content,
    /// The policy of the base.
    pub policies: Vec<PolicyPart>,
    /// The waivers of the base that have not ended.
    pub waivers: Vec<Waiver>,
    /// The acceptances that count.
    pub acceptances: BTreeSet<String>,
    /// The reviewers of the base that are models.
    pub models: Vec<String>,
}

/// By which rules of the base a verdict counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The mode of the gate.
    pub mode: PolicyMode,
    /// How many keys have to sign.
    pub threshold: usize,
    /// Whether keys count that demand nobody's touch.
    pub software_keys: bool,
    /// Whether answers of models are taken from elsewhere.
    pub attested_models: bool,
    /// The conditions that a verdict has to state.
    pub conditions: Vec<String>,
    /// The signers.
    pub signers: Signers,
    /// The time; never before the day of the base.
    pub now: Timestamp,
}

/// A verdict that counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The digest of its envelope.
    pub digest: String,
    /// Its statement.
    pub statement: wire::Statement,
    /// The keys whose signatures count.
    pub keys: Vec<VerifiedKey>,
}

/// A verdict, or a signature of one, that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// The digest of its envelope, as the ref names it.
    pub digest: String,
    /// Why.
    pub refusal: Refusal,
}

/// The known verdicts of a tree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    /// The verdicts that count.
    pub counted: Vec<Counted>,
    /// The refused ones.
    pub refused: Vec<Refused>,
    /// How many keys signed those that count.
    pub keys: usize,
    /// How many have to.
    pub needed: usize,
}

impl Standing {
    /// Keeps the verdicts that bear a further look, and counts again.
    pub fn keep(&mut self, mut look: impl FnMut(&Counted) -> Option<Refusal>) {
        let mut kept = Vec::new();
        for counted in std::mem::take(&mut self.counted) {
            match look(&counted) {
                None => kept.push(counted),
                Some(refusal) => self.refused.push(Refused { digest: counted.digest, refusal }),
            }
        }
        self.counted = kept;
        self.count();
    }

    /// Counts different keys. If they are too few, every signature by a key that has signed already is named.
    fn count(&mut self) {
        let all = || self.counted.iter().flat_map(|counted| counted.keys.iter().map(move |key| (counted, key)));
        let different = distinct(all().map(|(_, key)| key));
        let is_again = |key: &VerifiedKey| !different.iter().any(|first| std::ptr::eq(*first, key));
        let again = all().filter(|(_, key)| is_again(key)).map(|(counted, key)| Refused {
            digest: counted.digest.clone(),
            refusal: Refusal::SameKey(key.principal.clone()),
        });
        let (keys, again) = (different.len(), again.collect::<Vec<_>>());
        self.keys = keys;
        self.refused.retain(|refused| !matches!(refused.refusal, Refusal::SameKey(_)));
        if !self.is_enough() {
            self.refused.extend(again);
        }
    }

    /// Tells whether enough keys signed.
    pub fn is_enough(&self) -> bool {
        self.keys >= self.needed.max(1)
    }
}

/// Returns the acceptances that verdicts say they rest on, by their digests.
pub fn named_acceptances(stored: &[Stored]) -> BTreeSet<String> {
    let read = stored.iter().take(MOST_ENVELOPES).filter_map(|it| read(it.bytes.as_deref()?).ok());
    read.flat_map(|envelope| envelope.statement.predicate.jury.acceptances).collect()
}

/// Makes out which verdicts count.
pub fn standing(stored: &[Stored], facts: &CloneFacts, rules: &Rules) -> Standing {
    let mut standing = Standing { needed: rules.threshold, ..Standing::default() };
    for it in stored.iter().take(MOST_ENVELOPES) {
        let refused = |refusal| Refused { digest: it.digest.clone(), refusal };
        match checked(it, facts, rules) {
            Ok(envelope) => {
                let (keys, refusals) = signers(&envelope, rules);
                standing.refused.extend(refusals.into_iter().map(refused));
                if !keys.is_empty() {
                    let counted = Counted { digest: it.digest.clone(), statement: envelope.statement, keys };
                    standing.counted.push(counted);
                }
            }
            Err(refusal) => standing.refused.push(refused(refusal)),
        }
    }
    standing.count();
    standing
}

/// Checks everything about an envelope but its signatures.
fn checked(stored: &Stored, facts: &CloneFacts, rules: &Rules) -> Result<Envelope, Refusal> {
    let bytes = stored.bytes.as_ref().ok_or(Refusal::TooLong)?;
    if bytes.len() > super::MOST_BYTES {
        return Err(Refusal::TooLong);
    }
    let digest: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    if digest != stored.digest {
        return Err(Refusal::Name("content"));
    }
    let envelope = read(bytes)?;
    let subject = &envelope.statement.subject[0].digest.git_tree;
    if *subject != stored.tree {
        return Err(Refusal::Name("tree"));
    }
    about(&envelope.statement, facts)?;
    by(&envelope.statement.predicate, facts, rules)?;
    Ok(envelope)
}

/// Refuses a verdict about anything else than the change of the clone.
fn about(statement: &wire::Statement, facts: &CloneFacts) -> Result<(), Refusal> {
    let subject = &statement.subject[0];
    if subject.digest.git_tree != facts.tree.as_str() || subject.name != "tree" {
        return Err(Refusal::Tree(subject.digest.git_tree.clone()));
    }
    let jury = &statement.predicate.jury;
    if facts.repository.as_ref() != Some(&jury.repository) {
        return Err(Refusal::Repository(jury.repository.clone()));
    }
    // The patch holds the paths and lines, and the content the bytes before and after: with the same of both, the change is the same,
    // whichever commit the base is now.
    if jury.patch != facts.patch.as_str() {
        return Err(Refusal::Base(format!("its base was {}", jury.base.name)));
    }
    let Content { files, sha256 } = &facts.content;
    if jury.changed != (wire::ChangedFiles { files: *files as u64, sha256: sha256.clone() }) {
        return Err(Refusal::Content);
    }
    Ok(())
}

/// Refuses a verdict by other rules than those of the base.
fn by(predicate: &wire::Predicate, facts: &CloneFacts, rules: &Rules) -> Result<(), Refusal> {
    if rules.mode == PolicyMode::Observe {
        return Err(Refusal::Observed);
    }
    if predicate.verifier.id != VERIFIER {
        return Err(Refusal::Predicate(predicate.verifier.id.clone()));
    }
    let part = |it: &wire::PolicyDigest| PolicyPart { name: it.name.clone(), sha256: it.digest.sha256.clone() };
    let stated: Vec<PolicyPart> = predicate.verifier.policies.iter().map(part).collect();
    if stated != facts.policies {
        let other = facts.policies.iter().find(|part| !stated.contains(part));
        return Err(Refusal::Policy(other.map_or("the policy", |part| &part.name).to_owned()));
    }
    let jury = &predicate.jury;
    let missing = rules.conditions.iter().find(|condition| !jury.conditions.contains(condition));
    if let Some(condition) = missing {
        return Err(Refusal::Conditions(condition.clone()));
    }
    let standing: Vec<wire::AttestedWaiver> = facts.waivers.iter().map(wire_waiver).collect();
    if let Some(gone) = jury.waivers.iter().find(|waiver| !standing.contains(waiver)) {
        return Err(Refusal::Waiver(gone.finding.clone()));
    }
    if let Some(gone) = jury.acceptances.iter().find(|acceptance| !facts.acceptances.contains(*acceptance)) {
        return Err(Refusal::Acceptance(gone.clone()));
    }
    let models: BTreeSet<&String> = jury.models.iter().chain(&facts.models).collect();
    if !rules.attested_models && !models.is_empty() {
        let names: Vec<&str> = models.iter().map(|name| name.as_str()).collect();
        return Err(Refusal::Models(names.join(", ")));
    }
    in_time(predicate, &rules.now)
}

/// Refuses a verdict from the future, and an old one.
fn in_time(predicate: &wire::Predicate, now: &Timestamp) -> Result<(), Refusal> {
    let second = |text: &str| text.parse::<jiff::Timestamp>().ok().map(|moment| moment.as_second());
    let no_time = |what: &str| Refusal::Shape(format!("`{what}` is no time in UTC"));
    let made = second(&predicate.time_created).ok_or_else(|| no_time("timeCreated"))?;
    let end = second(&predicate.jury.not_after).ok_or_else(|| no_time("notAfter"))?;
    let now = second(now.as_str()).ok_or_else(|| no_time("now"))?;
    if end.saturating_sub(made) > i64::from(MOST_DAYS) * 24 * 60 * 60 {
        return Err(Refusal::Shape(format!("it is to count for more than {MOST_DAYS} days")));
    }
    if made > now.saturating_add(DRIFT) {
        return Err(Refusal::NotYet(predicate.time_created.clone()));
    }
    if now > end || end < made {
        return Err(Refusal::Expired(predicate.jury.not_after.clone()));
    }
    Ok(())
}

/// Returns the keys whose signatures count, and why the others do not.
fn signers(envelope: &Envelope, rules: &Rules) -> (Vec<VerifiedKey>, Vec<Refusal>) {
    let (mut keys, mut refusals) = (Vec::new(), Vec::new());
    for signature in &envelope.signatures {
        match signer(signature, &envelope.signed, rules) {
            Ok(key) => keys.push(key),
            Err(refusal) => refusals.push(refusal),
        }
    }
    (keys, refusals)
}

fn signer(signature: &[u8], signed: &[u8], rules: &Rules) -> Result<VerifiedKey, Refusal> {
    let Rules { signers, now, .. } = rules;
    // An SSHSIG signature is never so short, and starts with its own name.
    let key = match signature.len() {
        RAW => signers.verify_raw(signature, signed, NAMESPACE, now),
        _ => signers.verify(signature, signed, NAMESPACE, now),
    };
    let key: VerifiedKey = key.map_err(|refusal: signature::Refusal| Refusal::Signature(refusal))?;
    if !key.has_user_presence && !rules.software_keys {
        return Err(Refusal::Touch);
    }
    Ok(key)
}
