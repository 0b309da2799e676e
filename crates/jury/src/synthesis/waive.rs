//! Recorded waivers move findings aside, visibly. One without a reason or an author, or past its day, does not count,
//! and that is said, too.
//!
//! A waiver by a fingerprint of version 1 covers the finding of the base that has it, under its fingerprint of now. One by an id
//! that a finding of the base has covers that finding only.

use std::collections::BTreeMap;

use super::candidate::{Step, TrailEntry};
use super::{Before, Options, Settled, Synthesis, order};
use crate::model::{Day, GateOwner, Waiver};

/// A waiver that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleWaiver {
    /// Its place among the waivers, from 0.
    pub waiver_index: usize,
    /// Why it does not count.
    pub reason: String,
}

/// Applies the waivers to the open findings, then numbers everything.
pub(super) fn waive(synthesis: &mut Synthesis, options: &Options<'_>) {
    let Options { waivers, today, before, tree, change, .. } = *options;
    if !waivers.is_empty() {
        let mut by_name: ByName<'_> = BTreeMap::new();
        for (waiver_index, waiver) in waivers.iter().enumerate() {
            let objection = objection(waiver, today);
            let renewed = before.into_iter().flat_map(|before| before.renewed(&waiver.finding));
            let names = renewed.map(|print| print.as_str()).filter(|print| *print != waiver.finding);
            for name in [waiver.finding.as_str()].into_iter().chain(names) {
                by_name.entry(name).or_default().push((waiver_index, waiver, objection.clone()));
            }
            if let Some(reason) = objection {
                synthesis.idle_waivers.push(IdleWaiver { waiver_index, reason });
            }
        }
        for mut settled in std::mem::take(&mut synthesis.findings) {
            let first = tree.filter(|_| !settled.finding.representative.trace.is_empty());
            let first = first.map(|tree| order::fingerprints(&settled.finding.representative, tree).1);
            let first = first.as_ref().map(|print| print.as_str());
            let is_loosened =
                before.zip(change).is_some_and(|(before, change)| before.has_altered(&settled.finding, change));
            match waived_by(&mut settled, &by_name, before, first, is_loosened) {
                Some(waiver_index) => {
                    synthesis.counted_waivers.insert(waiver_index);
                    synthesis.waived.push(settled);
                }
                None => synthesis.findings.push(settled),
            }
        }
    }
    let Synthesis { findings, suppressed, pre_existing, waived, .. } = synthesis;
    order::number([findings, suppressed, pre_existing, waived]);
}

/// Waivers by the name of a finding, each with its place and the reason why it does not count, if there is one.
type ByName<'w> = BTreeMap<&'w str, Vec<Naming<'w>>>;
type Naming<'w> = (usize, &'w Waiver, Option<String>);

/// Says why a waiver does not count, if it does not.
fn objection(waiver: &Waiver, today: Option<Day>) -> Option<String> {
    if waiver.reason.trim().is_empty() {
        return Some("it gives no reason".to_owned());
    }
    if waiver.author.trim().is_empty() {
        return Some("it names no author".to_owned());
    }
    match today {
        None => Some("the date of today is unknown".to_owned()),
        Some(today) if today > waiver.expires => Some(format!("it expired on {}", waiver.expires)),
        Some(_) => None,
    }
}

/// Returns the place of a waiver that counts and names the finding; notes this, and those that would name it but do not count. `first`
/// is its fingerprint of version 1.
fn waived_by(
    settled: &mut Settled,
    by_name: &ByName<'_>,
    before: Option<&Before<'_>>,
    first: Option<&str>,
    is_loosened: bool,
) -> Option<usize> {
    let finding = &settled.finding;
    if finding.is_of_check && finding.owner() == GateOwner::Agent {
        // The next failure of the check would be waived, too.
        return None;
    }
    let of = |name: &str| by_name.get(name).into_iter().flatten().cloned();
    let by_print: Vec<Naming<'_>> = of(finding.fingerprint.as_str())
        .map(|(index, waiver, objection)| {
            let loosened =
                is_loosened.then(|| "the change takes away what stood before the code that was waived".to_owned());
            (index, waiver, objection.or(loosened))
        })
        .collect();
    let is_another = before.is_some_and(|before| before.has_another(finding));
    let by_id = of(finding.id.as_str()).map(|(index, waiver, objection)| {
        let other = is_another.then(|| "the finding of the base that has this id is another one".to_owned());
        (index, waiver, objection.or(other))
    });
    let changed = || Some("the code that the finding rests on changed, or the base does not have it".to_owned());
    let is_new = |(index, ..): &Naming<'_>| !by_print.iter().any(|(other, ..)| other == index);
    let by_first = first.into_iter().flat_map(of).filter(is_new);
    let by_first = by_first.map(|(index, waiver, objection)| (index, waiver, objection.or_else(changed)));
    let naming: Vec<Naming<'_>> = by_print.iter().cloned().chain(by_id).chain(by_first).collect();
    let in_force = naming.iter().find(|(.., objection)| objection.is_none());
    let notes: Vec<String> = match in_force {
        Some((_, waiver, _)) => {
            vec![format!("waived by {} until {}: {}", waiver.author, waiver.expires, waiver.reason)]
        }
        None => {
            let objections = naming.iter().filter_map(|(_, waiver, objection)| Some((waiver, objection.as_ref()?)));
            objections.map(|(waiver, why)| format!("the waiver of “{}” does not count: {why}", waiver.author)).collect()
        }
    };
    settled.trail.extend(notes.into_iter().map(|note| TrailEntry { step: Step::Waive, reason: note.into() }));
    in_force.map(|(index, ..)| *index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::synthesis::tests::{claim, report};
    use crate::synthesis::{Options, synthesise};

    fn day(text: &str) -> Day {
        Day::new(text).unwrap()
    }

    fn with(waivers: &[Waiver], today: Option<&str>) -> Synthesis {
        let options = Options { waivers, today: today.map(day), ..Options::default() };
        synthesise(vec![report("qa", vec![claim("t", Some(("a", "1")))])], &options)
    }

    fn waiver(finding: &str) -> Waiver {
        Waiver {
            finding: finding.to_owned(),
            reason: "known".to_owned(),
            author: "ann".to_owned(),
            expires: day("2026-05-01"),
        }
    }

    #[test]
    fn a_waiver_names_a_finding_by_fingerprint_or_id() {
        let plain = with(&[], None);
        let finding = &plain.findings[0].finding;
        for name in [finding.fingerprint.as_str(), finding.id.as_str()] {
            let result = with(&[waiver(name)], Some("2026-05-01"));
            assert_eq!((result.findings.len(), result.waived.len(), result.idle_waivers.len()), (0, 1, 0));
            assert_eq!(result.waived[0].trail[0].step, Step::Waive);
        }
        assert_eq!(with(&[waiver("another")], Some("2026-05-01")).findings.len(), 1);
    }

    #[test]
    fn waivers_that_do_not_count_are_noted() {
        let name = with(&[], None).findings[0].finding.fingerprint.as_str().to_owned();
        let blank = Waiver { reason: " ".to_owned(), ..waiver(&name) };
        let nobody = Waiver { author: String::new(), ..waiver(&name) };
        for (waiver, today) in [
            (waiver(&name), Some("2026-05-02")),
            (waiver(&name), None),
            (blank, Some("2026-04-01")),
            (nobody, Some("2026-04-01")),
        ] {
            let result = with(&[waiver], today);
            assert_eq!((result.findings.len(), result.waived.len(), result.idle_waivers.len()), (1, 0, 1));
            assert_eq!(result.findings[0].trail.len(), 1);
        }
    }

    /// A finding of `security` with a source, and the base's finding of a fingerprint of version 1 and this print.
    fn with_base(name: &str, base_print: &str, base_first: &str) -> Synthesis {
        use crate::model::{BaseFinding, BaseLook, Claim, Domain, Fingerprint, LineRange, RepoPath, Severity, Title};
        let tree = |_: &RepoPath| Some(b"source\n\n\n\n\nsink\n".to_vec());
        let of = Claim { trace: vec![LineRange::parse("1").unwrap()], ..claim("t", Some(("a", "6"))) };
        let finding = BaseFinding {
            domain: Domain::new("qa").unwrap(),
            rule: None,
            title: Title::new("t").unwrap(),
            severity: Severity::High,
            confidence: None,
            file: RepoPath::new("a").unwrap(),
            lines: LineRange::parse("6").ok(),
            unchanged: None,
            fingerprint: Fingerprint::from_digits(base_print).unwrap(),
            first_fingerprint: Fingerprint::from_digits(base_first).unwrap(),
        };
        let look = BaseLook { findings: vec![finding], failed: Vec::new() };
        let before = Before::of(&look, Severity::High, BTreeMap::new());
        let waivers = [waiver(name)];
        let (before, today) = (Some(&before), Some(day("2026-05-01")));
        let options = Options { waivers: &waivers, today, before, tree: Some(&tree), ..Options::default() };
        synthesise(vec![report("qa", vec![of])], &options)
    }

    #[test]
    fn an_old_waiver_covers_the_finding_of_the_base_and_no_other() {
        let (zeros, ones) = ("0".repeat(32), "1".repeat(32));
        let plain = with_base("none", &zeros, &zeros);
        let finding = &plain.findings[0].finding;
        let print = finding.fingerprint.as_str();
        for (name, base_print, base_first, is_waived) in [
            (print, zeros.as_str(), zeros.as_str(), true),
            (&ones, print, &ones, true),
            (&ones, &zeros, &ones, false),
            (&ones, print, &zeros, false),
            (finding.id.as_str(), print, &ones, true),
            (finding.id.as_str(), &zeros, &ones, false),
        ] {
            let result = with_base(name, base_print, base_first);
            assert_eq!(result.waived.len() == 1, is_waived, "{name} {base_print} {base_first}");
        }
        let refused = with_base(finding.id.as_str(), &zeros, &ones);
        assert!(refused.findings[0].trail.iter().any(|entry| entry.step == Step::Waive));
    }
}
