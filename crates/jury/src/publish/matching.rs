//! Findings and threads of ours in; which thread is about which finding out.
//!
//! The fingerprint decides. Twins, which have the same one, are told apart by the id that the marker noted, then by the file, then by their
//! order; but a finding that is to be resolved takes no thread by its order, for that could be its twin's. An edit beside a finding changes
//! its fingerprint: one that stands then takes the only thread of its reviewer, file and title that is left, so that nobody is told twice.

use std::collections::{BTreeMap, BTreeSet};

use super::body::{Finding, in_line, title_in};
use super::marker::Key;
use super::state::{ForgeState, Hangs, Thread};

/// A thread of ours.
pub(super) struct Own<'s> {
    pub(super) thread: &'s Thread,
    pub(super) key: Key,
}

/// Returns the threads that our own account began about a finding.
pub(super) fn own(state: &ForgeState) -> Vec<Own<'_>> {
    let of = |thread| {
        let thread: &Thread = thread;
        let first = thread.comments.first().filter(|first| first.is_ours)?;
        Some(Own { thread, key: Key::of(&first.body)? })
    };
    state.threads.iter().filter_map(of).collect()
}

/// Returns for each finding the index of its thread.
pub(super) fn matched(findings: &[Finding], threads: &[Own<'_>]) -> Vec<Option<usize>> {
    let mut groups: BTreeMap<&str, (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate() {
        groups.entry(&finding.key.fingerprint).or_default().0.push(index);
    }
    for (index, own) in threads.iter().enumerate() {
        if let Some((_, of)) = groups.get_mut(own.key.fingerprint.as_str()) {
            of.push(index);
        }
    }
    let mut found = vec![None; findings.len()];
    for (wanted, of) in groups.into_values() {
        let (mut wanted, mut of) = (wanted, of);
        let is_single = wanted.len() == 1 && of.len() == 1;
        let by_id = |finding: &Finding, own: &Own<'_>| finding.key.id == own.key.id;
        let by_file = |finding: &Finding, own: &Own<'_>| match &own.thread.at {
            Hangs::Line(path, _) | Hangs::File(path) => finding.path.as_deref() == Some(path),
            Hangs::Outdated => false,
        };
        take(&mut found, (&mut wanted, &mut of), |finding, own| by_id(&findings[finding], &threads[own]));
        let stands = |finding: usize| is_single || !findings[finding].is_verified();
        take(&mut found, (&mut wanted, &mut of), |finding, own| {
            stands(finding) && by_file(&findings[finding], &threads[own])
        });
        take(&mut found, (&mut wanted, &mut of), |finding, _| stands(finding));
    }
    near(&mut found, findings, threads);
    found
}

/// Pairs what is left by reviewer, file and title, where there is one of each.
fn near(found: &mut [Option<usize>], findings: &[Finding], threads: &[Own<'_>]) {
    let taken: BTreeSet<usize> = found.iter().flatten().copied().collect();
    let mut left: BTreeMap<(String, String), (Vec<usize>, Vec<usize>)> = BTreeMap::new();
    for (index, finding) in findings.iter().enumerate().filter(|(index, _)| found[*index].is_none()) {
        let name = (file_of(&finding.key.id, &finding.domain), in_line(&finding.title));
        left.entry(name).or_default().0.push(index);
    }
    let domains: BTreeSet<&str> = findings.iter().map(|finding| finding.domain.as_str()).collect();
    for (index, own) in threads.iter().enumerate().filter(|(index, _)| !taken.contains(index)) {
        let Some(title) = own.thread.comments.first().and_then(|first| title_in(&first.body)) else { continue };
        let of = domains.iter().map(|domain| (file_of(&own.key.id, domain), title.to_owned()));
        for name in of.filter(|(file, _)| !file.is_empty()) {
            if let Some((_, of)) = left.get_mut(&name) {
                of.push(index);
            }
        }
    }
    for (wanted, of) in left.into_values() {
        if let ([finding], [own]) = (&wanted[..], &of[..])
            && !findings[*finding].is_verified()
        {
            found[*finding] = Some(*own);
        }
    }
}

/// Returns the part of an id of a domain that names the file; empty if the id is of another domain.
fn file_of(id: &str, domain: &str) -> String {
    let digits = id.strip_prefix(domain).and_then(|rest| rest.strip_prefix('-')).and_then(|rest| rest.get(..8));
    digits.map(|digits| format!("{domain}-{digits}")).unwrap_or_default()
}

/// Pairs what fits, in order.
fn take(
    found: &mut [Option<usize>],
    (wanted, of): (&mut Vec<usize>, &mut Vec<usize>),
    fits: impl Fn(usize, usize) -> bool,
) {
    wanted.retain(|finding| match of.iter().position(|own| fits(*finding, *own)) {
        Some(at) => {
            found[*finding] = Some(of.remove(at));
            false
        }
        None => true,
    });
}
