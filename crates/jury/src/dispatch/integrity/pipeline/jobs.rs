//! What differs between two versions of a job, and what a job that came or went means. In: jobs. Out: edits. Deliberately not here: steps (`steps`).

use std::collections::BTreeSet;

use super::super::data_tree::{Content, DataTree};
use super::super::edits::Edit;
use super::commands::Command;
use super::compare::{Found, Surroundings};
use super::github::image;
use super::{Job, What, checks, steps};

/// A job before and after the change, and all jobs after it.
pub(super) struct Pair<'p> {
    pub(super) was: &'p Job,
    pub(super) is: &'p Job,
    pub(super) all: &'p [Job],
    /// Its events give it the secrets of the repository.
    pub(super) is_privileged: bool,
}

/// Tells whether a command of a job runs elsewhere now.
pub(super) type Elsewhere<'e> = dyn Fn(&Job, &Command) -> bool + 'e;

/// Programs that do nothing.
const IDLE: &[&str] = &["true", ":", "echo", "printf", "exit", "sleep", "cd", "set"];
/// Values of a matrix that name a platform or a version without any digit.
const VERSIONS: &[&str] = &[
    "ubuntu",
    "windows",
    "macos",
    "macosx",
    "linux",
    "latest",
    "stable",
    "beta",
    "nightly",
    "lts",
    "current",
    "oldest",
    "minimal",
    "head",
    "ruby",
    "jruby",
    "truffleruby",
    "pypy",
    "node",
    "arm",
    "true",
    "false",
    "zulu",
    "temurin",
    "corretto",
];

/// Returns the checks of a job that fail it: what they do, and their words.
pub(super) fn checks(job: &Job) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for step in job.steps.iter().filter(|step| !step.may_fail && !step.condition.is_off) {
        match &step.what {
            What::Run(commands) => {
                let checks = commands.iter().filter(|it| it.is_check() && it.can_fail);
                found.extend(checks.map(|command| (command.key(), command.said())));
            }
            What::Uses(uses) if checks::is_check_action(&uses.key) => found.push((uses.key.clone(), uses.key.clone())),
            What::Uses(_) => {}
        }
    }
    found
}

/// Weighs a job that came.
pub(super) fn added(job: &Job, is_privileged: bool) -> Vec<Found> {
    let at = |edit: Edit, what: &str| Found::new(edit, format!("{}: {what}", job.id), job.line);
    let mut found = Vec::new();
    let is_idle = |command: &Command| {
        IDLE.contains(&command.program.as_str())
            && !(command.program == "exit" && command.words.first().is_some_and(|it| it != "0"))
    };
    let is_hollow =
        job.steps.iter().all(|step| step.commands().iter().all(is_idle) && matches!(step.what, What::Run(_)));
    if is_hollow {
        found.push(Found::new(Edit::JobHollow, &job.id, job.line));
    }
    if (job.may_fail || job.condition.is_off) && job.is_check() {
        found.push(at(Edit::NewCannotFail, "its failure fails nothing, or it is off"));
    }
    let writes = job.access.iter().flatten().find(|(_, level)| **level > 1);
    found.extend(writes.map(|(what, _)| at(Edit::AccessWidened, &format!("{what}: write"))));
    let passed: BTreeSet<&String> = job.secrets.iter().chain(job.steps.iter().flat_map(|step| &step.secrets)).collect();
    found.extend(passed.first().map(|secret| at(Edit::SecretPassed, secret)));
    if is_own(&job.runner) {
        found.push(at(Edit::OwnRunner, &job.runner.join(", ")));
    }
    let is_powerful = is_privileged || job.is_powerful();
    for step in job.steps.iter().filter(|_| is_powerful) {
        if let What::Uses(uses) = &step.what
            && uses.is_unpinned()
        {
            found.push(at(Edit::ActionUnpinned, &uses.key));
        }
    }
    if found.is_empty() {
        found.push(Found::new(Edit::JobAdded, &job.id, job.line));
    }
    found
}

/// Weighs a job that went.
pub(super) fn removed(job: &Job, _: &Surroundings<'_>, elsewhere: &Elsewhere<'_>) -> Vec<Found> {
    let lost = steps::lost(job, elsewhere);
    match lost.first() {
        Some(what) => vec![Found::new(Edit::CheckRemoved, format!("{} of the job {}", what, job.id), 0)],
        None if job.is_check() => vec![Found::new(Edit::JobMerged, &job.id, 0)],
        None => vec![Found::new(Edit::PlainJobRemoved, &job.id, 0)],
    }
}

/// Compares two versions of a job.
pub(super) fn compared(pair: &Pair<'_>, around: &Surroundings<'_>, elsewhere: &Elsewhere<'_>) -> Vec<Found> {
    let (was, is) = (pair.was, pair.is);
    let at = |edit: Edit, what: &str| Found::new(edit, format!("{}: {what}", is.id), is.line);
    let mut found = Vec::new();
    if was.is_jury() && bare(was) != bare(is) {
        found.push(Found::new(Edit::JuryTouched, &is.id, is.line));
    }
    let is_check = was.is_check();
    if is.may_fail && !was.may_fail && is_check {
        found.push(at(Edit::CannotFail, "its failure fails nothing any more"));
    }
    found.extend(condition(was, is, is_check));
    let needs = is
        .needs
        .difference(&was.needs)
        .find_map(|id| pair.all.iter().find(|job| job.id == *id && !job.condition.all.is_empty()));
    if let Some(needed) = needs.filter(|_| is_check) {
        found.push(at(Edit::CheckNarrowed, &format!("it does not run if {} does not", needed.id)));
    }
    found.extend(access(was, is));
    if let Some(secret) = is.secrets.difference(&was.secrets).next() {
        found.push(at(Edit::SecretPassed, secret));
    }
    found.extend(place(was, is));
    found.extend(matrix(was, is));
    found.extend(
        steps::environment(&was.env, &is.env, is_check).into_iter().map(|what| at(Edit::EnvironmentWeaker, &what)),
    );
    if was.rest != is.rest {
        found.push(at(Edit::UnknownPart, &steps::first_key(&was.rest, &is.rest)));
    }
    found.extend(steps::compared(pair, around, elsewhere));
    found
}

/// Returns a job without what its own names and the versions of its actions say.
fn bare(job: &Job) -> String {
    let mut text = format!(
        "{:?} {} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        job.condition,
        job.may_fail,
        job.access,
        job.image,
        job.needs,
        job.matrix.as_ref().map(DataTree::canonical),
        job.env,
        job.secrets,
        job.rest
    );
    for step in &job.steps {
        let mut step = step.clone();
        (step.name, step.line) = (String::new(), 0);
        if let What::Uses(uses) = &mut step.what {
            uses.version = if uses.is_unpinned() { uses.version.clone() } else { String::new() };
        }
        text.push_str(&format!("{step:?}"));
    }
    text
}

fn condition(was: &Job, is: &Job, is_check: bool) -> Option<Found> {
    let at = |edit: Edit, what: &str| Found::new(edit, format!("{}: {what}", is.id), is.line);
    match () {
        () if is.condition.is_off && !was.condition.is_off && is_check => {
            Some(at(Edit::CheckSkipped, &is.condition.said()))
        }
        () if is.condition.is_narrower_than(&was.condition) => {
            Some(at(if is_check { Edit::CheckNarrowed } else { Edit::PlainNarrowed }, &is.condition.said()))
        }
        () => None,
    }
}

/// Compares the levels of access. Without a word, a job has what the repository gives, which nobody here knows.
fn access(was: &Job, is: &Job) -> Option<Found> {
    let level = |job: &Job, what: &str| {
        let access = job.access.as_ref()?;
        Some(access.get(what).or_else(|| access.get("all")).copied().unwrap_or(0))
    };
    let Some(new) = &is.access else {
        let is_wider = was.access.is_some();
        return is_wider.then(|| Found::new(Edit::AccessWidened, format!("{}: no limit any more", is.id), is.line));
    };
    let wider = new.iter().find(|(what, now)| **now > 1 && level(was, what).is_none_or(|old| old < **now));
    wider.map(|(what, _)| Found::new(Edit::AccessWidened, format!("{}: {what}: write", is.id), is.line))
}

fn is_own(runner: &[String]) -> bool {
    runner.iter().any(|label| label.contains("self-hosted"))
}

/// Compares the machines and images.
fn place(was: &Job, is: &Job) -> Vec<Found> {
    let at = |edit: Edit, what: String| Found::new(edit, format!("{}: {what}", is.id), is.line);
    let name = |text: &String| {
        text.chars()
            .filter(|c| !c.is_ascii_digit() && *c != '.')
            .collect::<String>()
            .replace("latest", "")
            .trim_matches('-')
            .to_owned()
    };
    let mut found = Vec::new();
    if is_own(&is.runner) && !is_own(&was.runner) {
        found.push(at(Edit::OwnRunner, is.runner.join(", ")));
    } else if was.runner.iter().map(name).ne(is.runner.iter().map(name)) {
        found.push(at(Edit::RunnerOther, is.runner.join(", ")));
    }
    let image_of = |job: &Job| job.image.as_deref().map(|it| image(it).0.to_lowercase());
    if image_of(was) != image_of(is) {
        found.push(at(Edit::ImageOther, is.image.clone().unwrap_or_else(|| "none".to_owned())));
    }
    found
}

/// Compares the values that a job runs with. A version or a platform less is a decision about support; any other value may be a check.
fn matrix(was: &Job, is: &Job) -> Vec<Found> {
    let at = |edit: Edit, what: &str| Found::new(edit, format!("{}: {what}", is.id), is.line);
    let Some(old) = &was.matrix else { return Vec::new() };
    let empty = DataTree::default();
    let new = is.matrix.as_ref().unwrap_or(&empty);
    if old == new {
        return Vec::new();
    }
    let (before, after) = (values(old), values(new));
    if let Some((key, _)) =
        old.members().iter().find(|(key, it)| !it.is_empty() && new.get(key).is_some_and(DataTree::is_empty))
    {
        return vec![at(Edit::CheckRemoved, &format!("{key} has no value"))];
    }
    if matches!(old.value, Content::Text(_)) || matches!(new.value, Content::Text(_)) {
        return vec![at(Edit::UnknownPart, "matrix")];
    }
    let mut found: Vec<Found> = Vec::new();
    for value in before.difference(&after) {
        let edit = if is_version(value) { Edit::MatrixSmaller } else { Edit::CheckRemoved };
        found.push(at(edit, value));
    }
    if after.iter().any(|value| value.contains("self-hosted"))
        && !before.iter().any(|value| value.contains("self-hosted"))
    {
        found.push(at(Edit::OwnRunner, "self-hosted"));
    }
    found
}

/// Returns all values, those of the rows that are left out aside.
fn values(matrix: &DataTree) -> BTreeSet<String> {
    let counted = matrix.members().iter().filter(|(key, _)| key != "exclude");
    let mut found: BTreeSet<String> = counted.flat_map(|(_, it)| it.scalars()).map(str::to_owned).collect();
    for item in matrix.items().iter().filter(|_| matrix.members().is_empty()) {
        found.extend(item.scalars().into_iter().map(str::to_owned));
    }
    found
}

fn is_version(value: &str) -> bool {
    let lower = value.to_lowercase();
    let words = || lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let is_one = |word: &str| word.contains(|c: char| c.is_ascii_digit()) || VERSIONS.contains(&word);
    !value.trim().contains(' ') && words().any(is_one) || value.is_empty() || value.starts_with(['^', '~', '<', '>'])
}
