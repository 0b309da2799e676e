//! Two versions of a file → what the edit does. In: its texts, and what is known around it. Out: edits, each with the part that it is about.
//!
//! Jobs are paired by their ids, or by what they do; whatever has no partner came or went. Deliberately not here: how two jobs (`jobs`) or two steps
//! (`steps`) differ.

use std::collections::{BTreeMap, BTreeSet};

use super::super::edits::Edit;
use super::commands::Command;
use super::{Form, Job, Pipeline, Uses, jobs};

/// An edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct Found {
    pub(in super::super) edit: Edit,
    /// The part that it is about.
    pub(in super::super) what: String,
    /// The line of it after the change, if it is there.
    pub(in super::super) line: Option<u32>,
}

impl Found {
    pub(super) fn new(edit: Edit, what: impl Into<String>, line: u32) -> Self {
        Self { edit, what: what.into(), line: (line > 0).then_some(line) }
    }
}

/// What is known around a file.
pub(in super::super) struct Surroundings<'s> {
    /// Tells whether the tree has a path after the change.
    pub(in super::super) is_there: &'s dyn Fn(&str) -> bool,
    /// The checks of the other files of the same kind that the change touches, as they are after it.
    pub(in super::super) elsewhere: &'s [String],
}

/// Events of GitHub that run the base's code with its secrets for a change of anybody.
const PRIVILEGED: &[&str] =
    &["pull_request_target", "workflow_run", "issue_comment", "issues", "discussion", "discussion_comment"];
/// Events by which changes are checked.
const CHECKING: &[&str] = &["push", "pull_request", "pull_request_target", "merge_group", "workflow_call", "schedule"];
/// The types of a pull request that start a workflow which names none.
const USUAL_TYPES: &[&str] = &["opened", "synchronize", "reopened"];

/// Compares a file before and after a change; without a text, it is not there.
pub(in super::super) fn compare(
    form: Form,
    before: Option<(&str, &str)>,
    after: Option<(&str, &str)>,
    around: &Surroundings<'_>,
) -> Vec<Found> {
    let old = before.map(|(path, text)| form.read(path, text));
    let new = after.map(|(path, text)| form.read(path, text));
    match (old, new) {
        (_, Some(Err(why))) | (Some(Err(why)), Some(Ok(_))) => vec![Found::new(Edit::Unread, why, 0)],
        (Some(Err(_)), None) => vec![Found::new(Edit::FileRemoved, String::new(), 0)],
        (Some(Ok(old)), None) => removed(&old, around),
        (None, Some(Ok(new))) => added(&new, form),
        (Some(Ok(old)), Some(Ok(new))) => edited(&old, &new, around),
        (None, None) => Vec::new(),
    }
}

/// Returns what each job that fails checks, for other files of the change.
pub(in super::super) fn checks_of(form: Form, path: &str, text: &str) -> Vec<String> {
    let Ok(pipeline) = form.read(path, text) else { return Vec::new() };
    let firm = pipeline.jobs.iter().filter(|job| !job.may_fail && !job.condition.is_off);
    firm.flat_map(jobs::checks).map(|(key, _)| key).collect()
}

fn removed(old: &Pipeline, around: &Surroundings<'_>) -> Vec<Found> {
    let is_elsewhere = |job: &Job| jobs::checks(job).iter().all(|(key, _)| around.elsewhere.contains(key));
    let is_lost = old.jobs.iter().any(|job| job.is_check() && !is_elsewhere(job)) || !old.includes.is_empty();
    let edit = if is_lost { Edit::FileRemoved } else { Edit::PlainFileRemoved };
    vec![Found::new(edit, old.jobs.first().map(|job| job.id.clone()).unwrap_or_default(), 0)]
}

fn added(new: &Pipeline, form: Form) -> Vec<Found> {
    let mut found = Vec::new();
    let is_privileged = new.events.keys().any(|event| PRIVILEGED.contains(&event.as_str()));
    for event in new.events.keys().filter(|event| PRIVILEGED.contains(&event.as_str())) {
        found.push(Found::new(Edit::PrivilegedTrigger, event, 0));
    }
    for include in new.includes.iter().filter(|include| !include.is_local()) {
        found.push(Found::new(Edit::IncludeOther, &include.key, 0));
    }
    // What an action or a target does counts where it is used.
    let counts = !matches!(form, Form::Action | Form::Makefile);
    found.extend(new.jobs.iter().filter(|_| counts).flat_map(|job| jobs::added(job, is_privileged)));
    found
}

fn edited(old: &Pipeline, new: &Pipeline, around: &Surroundings<'_>) -> Vec<Found> {
    let mut found = events(old, new);
    found.extend(includes(&old.includes, &new.includes));
    if old.rest != new.rest {
        found.push(Found::new(Edit::UnknownPart, changed_keys(&old.rest, &new.rest), 0));
    }
    let is_privileged = new.events.keys().any(|event| PRIVILEGED.contains(&event.as_str()));
    let pairs = paired(&old.jobs, &new.jobs);
    let kept: BTreeSet<usize> = pairs.values().copied().collect();
    let elsewhere = |job: &Job, command: &Command| -> bool {
        let firm = |other: &&Job| {
            !other.may_fail && !other.condition.is_off && !other.condition.is_narrower_than(&job.condition)
        };
        let key = command.key();
        // What came here must not have been there before.
        let count = |jobs: &[Job]| jobs.iter().filter(firm).flat_map(jobs::checks).filter(|(it, _)| *it == key).count();
        let said = command.said();
        let is_said = new.jobs.iter().filter(firm).flat_map(jobs::checks).any(|(_, it)| it == said);
        is_said || count(&new.jobs) > count(&old.jobs).saturating_sub(1) || around.elsewhere.contains(&key)
    };
    for (at, job) in old.jobs.iter().enumerate() {
        match pairs.get(&at).map(|at| &new.jobs[*at]) {
            Some(now) => found.extend(jobs::compared(
                &jobs::Pair { was: job, is: now, all: &new.jobs, is_privileged },
                around,
                &elsewhere,
            )),
            None => found.extend(jobs::removed(job, around, &elsewhere)),
        }
    }
    let came = new.jobs.iter().enumerate().filter(|(at, _)| !kept.contains(at));
    found.extend(came.flat_map(|(_, job)| jobs::added(job, is_privileged)));
    let mut seen = BTreeSet::new();
    found.retain(|it| seen.insert((it.edit.id(), it.what.clone())));
    found
}

/// Pairs jobs: by their ids, their names, or by most of what they do.
fn paired(old: &[Job], new: &[Job]) -> BTreeMap<usize, usize> {
    let mut pairs = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let same_id: fn(&Job, &Job) -> bool = |was, is| was.id == is.id;
    let same_name: fn(&Job, &Job) -> bool = |was, is| !was.name.is_empty() && was.name == is.name;
    let same_work: fn(&Job, &Job) -> bool = |was, is| {
        let kept = was.steps.iter().filter(|step| is.steps.iter().any(|other| other.what == step.what)).count();
        kept > 0 && kept * 2 >= was.steps.len().max(is.steps.len())
    };
    for matches in [same_id, same_name, same_work] {
        for (at, was) in old.iter().enumerate() {
            if pairs.contains_key(&at) {
                continue;
            }
            let free = new.iter().enumerate().find(|(nth, is)| !taken.contains(nth) && matches(was, is));
            if let Some((nth, _)) = free {
                taken.insert(nth);
                pairs.insert(at, nth);
            }
        }
    }
    pairs
}

fn changed_keys(old: &BTreeMap<String, String>, new: &BTreeMap<String, String>) -> String {
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).filter(|key| old.get(*key) != new.get(*key)).collect();
    keys.into_iter().cloned().collect::<Vec<_>>().join(", ")
}

fn events(old: &Pipeline, new: &Pipeline) -> Vec<Found> {
    let mut found = Vec::new();
    for event in new.events.keys().filter(|event| !old.events.contains_key(*event)) {
        if PRIVILEGED.contains(&event.as_str()) {
            found.push(Found::new(Edit::PrivilegedTrigger, event, 0));
        }
    }
    if !old.is_check() {
        return found;
    }
    for (event, was) in old.events.iter().filter(|(event, _)| CHECKING.contains(&event.as_str())) {
        match new.events.get(event) {
            // A job on a timetable, or one that others call, says nothing about a change.
            None if ["schedule", "workflow_call"].contains(&event.as_str()) => {}
            None => found.push(Found::new(Edit::TriggerNarrowed, format!("no longer on {event}"), 0)),
            Some(is) => found.extend(filters(event, was, is)),
        }
    }
    found
}

/// Compares the filters of an event: what it was limited to has to be there still, and nothing more may be left out.
fn filters(
    event: &str,
    was: &BTreeMap<String, BTreeSet<String>>,
    is: &BTreeMap<String, BTreeSet<String>>,
) -> Vec<Found> {
    let empty = BTreeSet::new();
    let usual: BTreeSet<String> = USUAL_TYPES.iter().map(|it| (*it).to_owned()).collect();
    let mut found = Vec::new();
    for key in ["branches", "paths", "types"] {
        let implied = if key == "types" && event.starts_with("pull_request") { Some(&usual) } else { None };
        let (old, new) = (was.get(key).or(implied), is.get(key).or(implied));
        let lost = match (old, new) {
            (_, None) => None,
            // Only tags start it now.
            (None, Some(new)) => (key != "types").then(|| new.iter().cloned().collect::<Vec<_>>().join(", ")),
            (Some(old), Some(new)) => {
                let gone = old.iter().filter(|it| !it.starts_with('!') && !new.contains(*it) && !new.contains("**"));
                gone.chain(new.iter().filter(|it| it.starts_with('!') && !old.contains(*it))).next().cloned()
            }
        };
        found.extend(lost.map(|it| Found::new(Edit::TriggerNarrowed, format!("{event}.{key}: {it}"), 0)));
    }
    let restricts_to_tags =
        |it: &BTreeMap<String, BTreeSet<String>>| it.contains_key("tags") && !it.contains_key("branches");
    if restricts_to_tags(is) && !restricts_to_tags(was) {
        found.push(Found::new(Edit::TriggerNarrowed, format!("{event}: tags alone"), 0));
    }
    for key in ["branches-ignore", "paths-ignore"] {
        let (old, new) = (was.get(key).unwrap_or(&empty), is.get(key).unwrap_or(&empty));
        let more = new.difference(old).next();
        found.extend(more.map(|it| Found::new(Edit::TriggerNarrowed, format!("{event}.{key}: {it}"), 0)));
    }
    found
}

fn includes(old: &[Uses], new: &[Uses]) -> Vec<Found> {
    let mut found = Vec::new();
    for gone in old.iter().filter(|old| !new.iter().any(|it| it.key == old.key)) {
        found.push(Found::new(Edit::IncludeRemoved, &gone.key, 0));
    }
    for it in new.iter().filter(|it| !it.is_local()) {
        match old.iter().find(|old| old.key == it.key) {
            None => found.push(Found::new(Edit::IncludeOther, &it.key, 0)),
            Some(was) if was.version != it.version && it.is_unpinned() => {
                found.push(Found::new(Edit::ActionUnpinned, &it.key, 0));
            }
            Some(was) if was.version != it.version => found.push(Found::new(Edit::OtherVersion, &it.key, 0)),
            Some(_) => {}
        }
    }
    found
}
