//! Recorded waivers move findings aside, visibly. One without a reason or an author, or past its day, does not count,
//! and that is said, too.

use std::collections::BTreeMap;

use super::candidate::{Step, TrailEntry};
use super::{Settled, Synthesis, order};
use crate::model::{Day, Waiver};

/// A waiver that does not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdleWaiver {
    /// Its place among the waivers, from 0.
    pub waiver_index: usize,
    /// Why it does not count.
    pub reason: String,
}

/// Applies the waivers to the open findings, then numbers everything.
pub(super) fn waive(synthesis: &mut Synthesis, waivers: &[Waiver], today: Option<Day>) {
    if !waivers.is_empty() {
        let mut by_name: BTreeMap<&str, Vec<(&Waiver, Option<String>)>> = BTreeMap::new();
        for (waiver_index, waiver) in waivers.iter().enumerate() {
            let objection = objection(waiver, today);
            by_name.entry(waiver.finding.as_str()).or_default().push((waiver, objection.clone()));
            if let Some(reason) = objection {
                synthesis.idle_waivers.push(IdleWaiver { waiver_index, reason });
            }
        }
        for mut settled in std::mem::take(&mut synthesis.findings) {
            let list = if is_waived(&mut settled, &by_name) { &mut synthesis.waived } else { &mut synthesis.findings };
            list.push(settled);
        }
    }
    let Synthesis { findings, suppressed, pre_existing, waived, .. } = synthesis;
    order::number([findings, suppressed, pre_existing, waived]);
}

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

/// Tells whether a waiver that counts names the finding; notes this, and those that would name it but do not count.
fn is_waived(settled: &mut Settled, by_name: &BTreeMap<&str, Vec<(&Waiver, Option<String>)>>) -> bool {
    let names = [settled.finding.fingerprint.as_str(), settled.finding.id.as_str()];
    let naming: Vec<&(&Waiver, Option<String>)> = names.iter().filter_map(|name| by_name.get(name)).flatten().collect();
    let in_force = naming.iter().find(|(_, objection)| objection.is_none());
    let notes: Vec<String> = match in_force {
        Some((waiver, _)) => {
            vec![format!("waived by {} until {}: {}", waiver.author, waiver.expires, waiver.reason)]
        }
        None => {
            let objections = naming.iter().filter_map(|(waiver, objection)| Some((waiver, objection.as_ref()?)));
            objections.map(|(waiver, why)| format!("the waiver of “{}” does not count: {why}", waiver.author)).collect()
        }
    };
    settled.trail.extend(notes.into_iter().map(|note| TrailEntry { step: Step::Waive, reason: note.into() }));
    in_force.is_some()
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
}
