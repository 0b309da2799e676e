//! A record and its outputs, taken in; the part of the base that needs a second look out. Pure.
//!
//! Nothing needs one if no claim is left that could be older than the change.

use std::collections::BTreeSet;

use crate::judge::Hearing;
use crate::model::{Claim, Domain, RepoPath};
use crate::record::Record;
use crate::synthesis::{Source, touches};

/// The part of the base that is looked at.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NeededLook {
    /// The domains of the built-in reviewers that are asked again.
    pub(super) built_in: BTreeSet<Domain>,
    /// The domains of the tools that are asked again.
    pub(super) tools: BTreeSet<Domain>,
    /// The files, by their paths after the change.
    pub(super) files: BTreeSet<RepoPath>,
    /// Whether every file of the change is looked at: a waiver may name a finding that was in another one.
    pub(super) is_of_all: bool,
}

impl NeededLook {
    /// Tells whether there is nothing to look at.
    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }
}

/// Lists the files with claims that may be older than the change, and the reviewers of these claims.
pub(super) fn needed(record: &Record, hearing: &Hearing) -> NeededLook {
    let change = record.scope.change();
    let has_waivers = !record.waivers.is_empty();
    let can_close = |claim: &Claim| claim.severity.is_at_least(record.policy.policy.lowest_block_at());
    let mut look = NeededLook::default();
    for (source, claim) in hearing.claims() {
        let (Some(location), Some(domain)) = (&claim.location, &claim.reviewer) else { continue };
        // Its claims are about the change itself.
        if domain.as_str() == Domain::GATE_INTEGRITY {
            continue;
        }
        let domains = match source {
            // A line beside removed ones counts as touched, and may be as it was all the same.
            Source::BuiltIn => &mut look.built_in,
            Source::Tool if !touches(&change, claim) && can_close(claim) => &mut look.tools,
            _ => continue,
        };
        domains.insert(domain.clone());
        look.files.insert(location.file.clone());
        look.is_of_all |= has_waivers && source == Source::BuiltIn;
    }
    look
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::hear;
    use crate::model::{ReviewerKind, Waiver};
    use crate::record::fixtures;

    fn look(lines: &str, severity: &str, kind: ReviewerKind, has_waiver: bool) -> NeededLook {
        let output = format!(
            r#"{{"reviewer":"qa","findings":[{{"title":"t","severity":"{severity}","file":"a.ts","line":{lines},"autofix_class":"manual",
            "owner":"human","requires_verification":true,"confidence":100,"pre_existing":false,"why_it_matters":"w",
            "evidence":["x"]}}],"residual_risks":[],"testing_gaps":[]}}"#
        );
        let mut record = fixtures::record(vec![fixtures::run("qa", kind, None, &output)]);
        let expires = crate::model::Day::new("2999-01-01").unwrap();
        let waiver = Waiver { finding: "f".to_owned(), reason: "r".to_owned(), author: "a".to_owned(), expires };
        record.waivers = has_waiver.then_some(waiver).into_iter().collect();
        needed(&record, &hear(&record))
    }

    #[test]
    fn only_claims_that_may_be_old_need_a_second_look() {
        use ReviewerKind::{Agent, BuiltIn, Tool};
        // The change of the record touches lines 3, 4 and 9.
        for (lines, severity, kind, has_waiver, is_wanted) in [
            ("5", "P1", BuiltIn, false, true),
            ("5", "P3", BuiltIn, false, true),
            ("3", "P1", BuiltIn, false, true),
            ("3", "P1", BuiltIn, true, true),
            ("5", "P1", Tool, false, true),
            ("5", "P2", Tool, false, false),
            ("3", "P1", Tool, true, false),
            ("5", "P1", Agent, true, false),
        ] {
            let look = look(lines, severity, kind, has_waiver);
            assert_eq!(!look.is_empty(), is_wanted, "{lines} {severity} {kind:?} {has_waiver}");
            assert_eq!(look.is_of_all, is_wanted && has_waiver);
        }
    }
}
