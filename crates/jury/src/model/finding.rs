//! The result of merging: one or more claims about the same defect, with an id and a fingerprint.
//! Deliberately not here: how claims are merged (`synthesis`).

use std::fmt;

use super::digest::{self, Parts};
use super::{Claim, Domain, FindingId, GateOwner, Owner, Severity, Status};

/// Identity that does not move with the lines: of the domain, the rule or title, and the code around the anchor; since
/// version 2 also of the other code that the finding rests on. Without such code, both versions are the same.
/// Kept as its digits, without an allocation: every finding has one.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint([u8; 32]);

impl Fingerprint {
    /// Fingerprints a defect by its domain, its rule id or normalised title, the code it is anchored to, and the lines
    /// around that. White space in code does not count.
    pub fn new(domain: &Domain, rule_or_title: &str, anchor: &str, context: &str) -> Self {
        let write = |parts: &mut Vec<u8>| parts.extend_from_slice(rule_or_title.as_bytes());
        Self::written(&mut Parts::default(), domain, write, [anchor], context, &[])
    }

    /// Fingerprints as [`Fingerprint::new`] does, in memory that was used before. The code may come in pieces, with nothing
    /// but white space between them. `trace` is the code beside the anchor that the defect rests on.
    pub(crate) fn written<'c>(
        parts: &mut Parts,
        domain: &Domain,
        write_rule_or_title: impl FnOnce(&mut Vec<u8>),
        anchor: impl IntoIterator<Item = &'c str>,
        context: &str,
        trace: &[String],
    ) -> Self {
        parts.clear();
        parts.add(|part| part.extend_from_slice(domain.as_str().as_bytes()));
        parts.add(write_rule_or_title);
        parts.add(|part| anchor.into_iter().for_each(|piece| write_bare(part, piece)));
        parts.add(|part| write_bare(part, context));
        for code in trace {
            parts.add(|part| write_bare(part, code));
        }
        Self(parts.digits())
    }

    /// Takes the 32 hexadecimal digits; `None` if they are not that.
    pub fn from_digits(text: &str) -> Option<Self> {
        let is_hex = text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
        text.as_bytes().try_into().ok().filter(|_| is_hex).map(Self)
    }

    /// Returns the 32 hexadecimal digits.
    pub fn as_str(&self) -> &str {
        digest::text(&self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fingerprint").field(&self.as_str()).finish()
    }
}

/// Writes code without its white space.
fn write_bare(bare: &mut Vec<u8>, code: &str) {
    code.split_whitespace().for_each(|word| bare.extend_from_slice(word.as_bytes()));
}

/// A defect on which one or more claims agree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its id in the verdict file.
    pub id: FindingId,
    /// Its identity across edits.
    pub fingerprint: Fingerprint,
    /// The domain of the reviewer that is asked again when it is called fixed.
    pub domain: Domain,
    /// How far it has come.
    pub status: Status,
    /// The claim that speaks for all.
    pub representative: Box<Claim>,
    /// The claims that were merged into it.
    pub merged: Vec<Box<Claim>>,
    /// Whether it is the failure of a check: nobody declines it, and only its passing settles it.
    pub is_of_check: bool,
}

impl Finding {
    /// Makes a finding of one claim.
    pub fn of_claim(domain: Domain, claim: impl Into<Box<Claim>>) -> Self {
        let claim = claim.into();
        Self {
            id: FindingId::new(&domain, claim.location.as_ref()),
            fingerprint: Fingerprint::new(&domain, &claim.title.normalised(), &claim.evidence.join("\n"), ""),
            domain,
            status: claim.status(),
            representative: claim,
            merged: Vec::new(),
            is_of_check: false,
        }
    }

    /// Says who can settle it: a person, if it is an edit to policy, rules, tests or CI, or a check that fails without the change, too. Any other defect
    /// can be fixed, whoever a reviewer would have do that.
    pub fn owner(&self) -> GateOwner {
        let is_for_person = self.claims().any(|claim| claim.owner == Some(Owner::Human));
        let is_persons = is_for_person && (self.is_of_check || self.domain.as_str() == Domain::GATE_INTEGRITY);
        if is_persons { GateOwner::Person } else { GateOwner::Agent }
    }

    /// Returns every claim, the representative first.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> {
        std::iter::once(&self.representative).chain(&self.merged).map(|claim| &**claim)
    }

    /// Returns the path of its file; `.` is the whole repository.
    pub fn file(&self) -> &str {
        self.representative.location.as_ref().map_or(FindingId::WHOLE_REPOSITORY, |location| location.file.as_str())
    }

    /// Returns the worst severity that any of its claims states.
    pub fn severity(&self) -> Severity {
        self.merged.iter().map(|claim| claim.severity).fold(self.representative.severity, |worst, severity| {
            if severity.is_at_least(worst) { severity } else { worst }
        })
    }

    /// Tells whether any of its claims halts the team.
    pub fn is_system_breaking(&self) -> bool {
        self.claims().any(Claim::is_system_breaking)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Title;

    #[test]
    fn fingerprints_ignore_white_space_in_code_and_nothing_else() {
        let domain = Domain::new("security").unwrap();
        let print = |title: &str, anchor: &str| Fingerprint::new(&domain, title, anchor, "");
        assert_eq!(print("t", "a(b)\n"), print("t", " a( b )"));
        assert_ne!(print("t", "a(b)"), print("t", "a(c)"));
        assert_ne!(print("ta", "b"), print("t", "ab"));
        assert_eq!(print("t", "x").as_str().len(), 32);
        for code in ["a b\u{b}c\t\r\n\u{1c}d", "é\u{2003}f", "", "plain"] {
            let mut bare = b"before".to_vec();
            write_bare(&mut bare, code);
            assert_eq!(bare, [b"before", code.split_whitespace().collect::<String>().as_bytes()].concat(), "{code:?}");
        }
    }

    #[test]
    fn white_space_is_left_out_wherever_it_is() {
        let places = (0..20).flat_map(|one| (0..20).map(move |other| (one, other)));
        for ((one, other), byte) in places.flat_map(|places| (0..128).map(move |byte| (places, byte))) {
            let mut code = *b"abcdefghijklmnopqrst";
            (code[one], code[other]) = (b' ', byte);
            let code = str::from_utf8(&code).unwrap();
            let mut bare = Vec::new();
            write_bare(&mut bare, code);
            let expected: String = code.chars().filter(|c| !c.is_whitespace()).collect();
            assert_eq!(str::from_utf8(&bare), Ok(expected.as_str()), "{code:?}");
        }
    }

    #[test]
    fn a_finding_is_as_bad_as_its_worst_claim() {
        let claim = |severity| Claim::new(Title::new("t").unwrap(), severity);
        let mut finding = Finding::of_claim(Domain::new("qa").unwrap(), claim(Severity::Low));
        finding.merged.push(claim(Severity::High).into());
        assert_eq!(finding.severity(), Severity::High);
    }
}
