//! What differs between the steps of two versions of a job. In: the jobs. Out: edits.
//!
//! Steps are paired by what they do, their names, or the programs that they run. A check that is gone from its step may run in another one now.
//! Deliberately not here: which command is weaker than another (`checks`).

use std::collections::{BTreeMap, BTreeSet};

use super::super::edits::Edit;
use super::super::{setting_words, weakening};
use super::checks;
use super::commands::Command;
use super::compare::{Found, Surroundings};
use super::jobs::{Elsewhere, Pair};
use super::{Job, Step, What};

/// Variables that change which program is run.
const LOADING: &[&str] = &[
    "PATH",
    "BASH_ENV",
    "ENV",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "SHELL",
    "RUSTC_WRAPPER",
    "PYTHONSTARTUP",
    "GIT_CONFIG_GLOBAL",
];
/// Endings of variables that hold options of programs.
const OPTIONS: &[&str] = &["OPTS", "OPTIONS", "FLAGS", "ARGS", "OPT"];
/// Parts of variables that only look as if something was left out.
const HARMLESS: &[&str] = &[
    "VERSION_CHECK",
    "TELEMETRY",
    "ANALYTICS",
    "UPDATE",
    "PROMPT",
    "CACHE",
    "COLOR",
    "PROGRESS",
    "DOWNLOAD",
    "BANNER",
    "ROOT_USER",
    "LOGO",
];
/// Settings of the checkout that decide which code is checked, or who may write it.
const OF_CHECKOUT: &[&str] = &["ref", "repository", "token", "ssh-key"];

/// Compares the steps of two versions of a job.
pub(super) fn compared(pair: &Pair<'_>, around: &Surroundings<'_>, elsewhere: &Elsewhere<'_>) -> Vec<Found> {
    let (was, is) = (pair.was, pair.is);
    let pairs = paired(&was.steps, &is.steps);
    let mut found = Vec::new();
    for (at, step) in was.steps.iter().enumerate() {
        match pairs.get(&at).map(|at| &is.steps[*at]) {
            Some(now) => found.extend(changed(pair, step, now, around, elsewhere)),
            None => {
                let lost = lost_of(was, step, is, elsewhere);
                found.extend(lost.map(|what| Found::new(Edit::CheckRemoved, format!("{}: {what}", is.id), 0)));
            }
        }
    }
    let kept: BTreeSet<usize> = pairs.values().copied().collect();
    let is_powerful = pair.is_privileged || was.is_powerful() || is.is_powerful();
    for (_, step) in is.steps.iter().enumerate().filter(|(at, _)| !kept.contains(at)) {
        let at = |edit: Edit, what: &str| Found::new(edit, format!("{}: {what}", is.id), step.line);
        if let Some(secret) = step.secrets.iter().find(|it| !was.secrets.contains(*it)) {
            found.push(at(Edit::SecretPassed, secret));
        }
        if let What::Uses(uses) = &step.what {
            let is_known = ["actions", "github"].contains(&uses.owner())
                || uses.is_local()
                || was.steps.iter().any(|old| matches!(&old.what, What::Uses(it) if it.owner() == uses.owner()));
            match () {
                () if uses.is_unpinned() => found.push(at(Edit::ActionUnpinned, &uses.key)),
                () if is_powerful && !is_known => found.push(at(Edit::ActionOther, &uses.key)),
                () => found.push(at(Edit::StepAdded, &uses.key)),
            }
        }
        found.extend(meddling(was, step, around).map(|what| at(Edit::CheckWeaker, &what)));
    }
    found
}

/// Returns the checks of a job that is gone which nothing runs any more.
pub(super) fn lost(job: &Job, elsewhere: &Elsewhere<'_>) -> Vec<String> {
    if job.may_fail || job.condition.is_off {
        return Vec::new();
    }
    job.steps.iter().filter_map(|step| lost_of(job, step, &Job::default(), elsewhere)).collect()
}

/// Returns a check of a step that neither the job nor another runs any more.
fn lost_of(job: &Job, step: &Step, now: &Job, elsewhere: &Elsewhere<'_>) -> Option<String> {
    if step.may_fail || step.condition.is_off {
        return None;
    }
    match &step.what {
        What::Uses(uses) => {
            let is_there = now.steps.iter().any(|it| matches!(&it.what, What::Uses(other) if other.key == uses.key));
            let as_command = Command { program: uses.key.clone(), ..Command::default() };
            (checks::is_check_action(&uses.key) && !is_there && !elsewhere(job, &as_command)).then(|| uses.key.clone())
        }
        What::Run(commands) => {
            let here: Vec<&Command> = now.steps.iter().flat_map(firm).collect();
            let is_lost = |it: &&Command| {
                it.is_check() && it.can_fail && !here.iter().any(|now| now.key() == it.key()) && !elsewhere(job, it)
            };
            commands.iter().find(is_lost).map(Command::said)
        }
    }
}

/// Returns the commands of a step that fail it.
fn firm(step: &Step) -> impl Iterator<Item = &Command> {
    let is_firm = !step.may_fail && !step.condition.is_off;
    step.commands().iter().filter(move |command| is_firm && command.can_fail)
}

/// Compares two versions of a step.
fn changed(pair: &Pair<'_>, was: &Step, is: &Step, around: &Surroundings<'_>, elsewhere: &Elsewhere<'_>) -> Vec<Found> {
    let at = |edit: Edit, what: &str| Found::new(edit, format!("{}: {what}", pair.is.id), is.line);
    let is_check = was.is_check();
    let mut found = Vec::new();
    if is.may_fail && !was.may_fail && is_check {
        found.push(at(Edit::CannotFail, &is.said()));
    }
    if is.condition.is_off && !was.condition.is_off && is_check {
        found.push(at(Edit::CheckSkipped, &is.said()));
    } else if is.condition.is_narrower_than(&was.condition) && is_check {
        found.push(at(Edit::CheckNarrowed, &format!("{}: {}", is.said(), is.condition.said())));
    }
    if is_check && is.shell != was.shell && is.shell.as_ref().is_some_and(|shell| !shell.contains("-e")) {
        found.push(at(Edit::CannotFail, &format!("shell {}", is.shell.clone().unwrap_or_default())));
    }
    let is_moved = was
        .folder
        .as_ref()
        .is_some_and(|folder| !(around.is_there)(folder.trim_start_matches("./").trim_end_matches('/')));
    if is_check && is.folder != was.folder && is.folder.is_some() && !is_moved {
        found.push(at(Edit::CheckWeaker, &format!("in `{}`", is.folder.clone().unwrap_or_default())));
    }
    if let Some(secret) = is.secrets.iter().find(|it| !was.secrets.contains(*it) && !pair.was.secrets.contains(*it)) {
        found.push(at(Edit::SecretPassed, secret));
    }
    let loose = environment(&was.env, &is.env, true);
    found.extend(loose.into_iter().map(|what| at(Edit::EnvironmentWeaker, &what)));
    match (&was.what, &is.what) {
        (What::Uses(old), What::Uses(new)) => {
            match () {
                () if old.key != new.key => found.push(at(Edit::ActionOther, &new.key)),
                () if old.version == new.version => {}
                () if new.is_unpinned() || (old.is_pinned() && !new.is_pinned() && !new.key.contains('#')) => {
                    found.push(at(Edit::ActionUnpinned, &new.key));
                }
                () => found.push(at(Edit::OtherVersion, &new.key)),
            }
            found.extend(inputs(was, is).into_iter().map(|(edit, what)| at(edit, &what)));
        }
        (What::Run(old), What::Run(new)) => found.extend(commands(pair, (was, old), (is, new), around, elsewhere)),
        _ if is_check => found.push(at(Edit::CheckReplaced, &is.said())),
        _ => found.push(at(Edit::StepAdded, &is.said())),
    }
    found
}

/// Compares what an action is given.
fn inputs(was: &Step, is: &Step) -> Vec<(Edit, String)> {
    let What::Uses(uses) = &is.what else { return Vec::new() };
    let mut found = Vec::new();
    let keys: BTreeSet<&String> = was.with.keys().chain(is.with.keys()).collect();
    for key in keys.into_iter().filter(|key| was.with.get(*key) != is.with.get(*key)) {
        let (old, new) = (was.with.get(key), is.with.get(key));
        if uses.key == "actions/checkout" && OF_CHECKOUT.contains(&key.as_str()) {
            found.push((Edit::CheckoutOther, format!("{key} {}", new.cloned().unwrap_or_default())));
        } else if !checks::is_check_action(&uses.key) {
            // What installs or publishes something has settings of its own.
        } else if let Some(why) = weakening::input(key, old.map(String::as_str), new.map(String::as_str)) {
            found.push((Edit::CheckWeaker, why));
        } else if key == "args" || key == "run" || key == "command" || key == "script" {
            let one = |text: Option<&String>| Command {
                program: uses.key.clone(),
                words: text.map(|it| it.split_whitespace().map(str::to_owned).collect()).unwrap_or_default(),
                ..Command::default()
            };
            found.extend(checks::weaker(&one(old), &one(new), &|_| false).map(|why| (Edit::CheckWeaker, why)));
        }
    }
    found
}

/// Compares the commands of a step.
fn commands(
    pair: &Pair<'_>,
    (was, old): (&Step, &[Command]),
    (is, new): (&Step, &[Command]),
    around: &Surroundings<'_>,
    elsewhere: &Elsewhere<'_>,
) -> Vec<Found> {
    let at = |edit: Edit, what: &str| Found::new(edit, format!("{}: {what}", pair.is.id), is.line);
    let mut found = Vec::new();
    let mut free: Vec<&Command> = new.iter().collect();
    let mut changed: Vec<&Command> = Vec::new();
    for command in old {
        match free.iter().position(|now| now.program == command.program && now.words == command.words) {
            Some(nth) => found.extend(looser(command, free.remove(nth)).map(|edit| at(edit, &command.said()))),
            None => changed.push(command),
        }
    }
    for command in changed.iter().filter(|command| command.is_check() && command.can_fail) {
        if let Some(nth) = free.iter().position(|now| now.key() == command.key()) {
            let now = free.remove(nth);
            let is_there = |path: &str| path == "." || (around.is_there)(path);
            match (looser(command, now), checks::weaker(command, now, &is_there)) {
                (Some(edit), _) => found.push(at(edit, &now.said())),
                (None, Some(why)) => found.push(at(Edit::CheckWeaker, &format!("{} {why}", now.key()))),
                (None, None) => found.push(at(Edit::OtherArguments, &now.said())),
            }
            continue;
        }
        let single = Step { what: What::Run(vec![(*command).clone()]), ..was.clone() };
        if lost_of(pair.was, &single, pair.is, elsewhere).is_none() {
            continue;
        }
        match free.iter().position(|now| now.is_check()) {
            Some(nth) => {
                found.push(at(Edit::CheckReplaced, &format!("{} by {}", command.said(), free.remove(nth).said())))
            }
            None => found.push(at(Edit::CheckRemoved, &command.said())),
        }
    }
    let has_secrets = !is.secrets.is_empty() || !pair.is.secrets.is_empty();
    let known = |command: &&&Command| old.iter().any(|old| old.key() == command.key());
    if let Some(command) = free.iter().find(|command| has_secrets && !known(command) && command.is_check()) {
        found.push(at(Edit::ProgramWithSecrets, &command.said()));
    }
    let single = Step { what: What::Run(free.into_iter().cloned().collect()), ..is.clone() };
    found.extend(meddling(pair.was, &single, around).map(|what| at(Edit::CheckWeaker, &what)));
    found
}

/// Tells how the same command counts less.
fn looser(was: &Command, is: &Command) -> Option<Edit> {
    match () {
        () if !was.is_check() => None,
        () if was.can_fail && !is.can_fail => Some(Edit::CannotFail),
        () if is.is_conditional && !was.is_conditional => Some(Edit::CheckNarrowed),
        () => None,
    }
}

/// Says how a new step changes what the checks of its job look at.
fn meddling(job: &Job, step: &Step, around: &Surroundings<'_>) -> Option<String> {
    if !job.is_check() {
        return None;
    }
    step.commands().iter().find_map(|command| {
        let words = || command.words.iter().map(String::as_str);
        let sub = words().find(|word| !word.starts_with('-')).unwrap_or_default();
        let removes = ["rm", "mv", "sed", "truncate"].contains(&command.program.as_str())
            && words().any(|word| (around.is_there)(word.trim_start_matches("./").trim_end_matches(['/', '*'])));
        let goes_away = command.program == "git" && ["checkout", "switch", "reset", "stash", "restore"].contains(&sub);
        (removes || goes_away).then(|| command.said())
    })
}

/// Says which variables weaken checks.
pub(super) fn environment(
    was: &BTreeMap<String, String>,
    is: &BTreeMap<String, String>,
    is_check: bool,
) -> Vec<String> {
    let mut found = Vec::new();
    let keys: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    for key in keys.into_iter().filter(|key| is_check && was.get(*key) != is.get(*key)) {
        let (old, new) = (was.get(key).map_or("", String::as_str), is.get(key).map_or("", String::as_str));
        let name = key.to_uppercase();
        let is_off = ["", "0", "false", "no", "off"].contains(&new.to_lowercase().as_str());
        let holds_options = OPTIONS.iter().any(|end| name.ends_with(end));
        let one = |text: &str| Command {
            program: "*".to_owned(),
            words: text.split_whitespace().map(str::to_owned).collect(),
            ..Command::default()
        };
        let options = || {
            checks::weaker(&one(old), &one(new), &|_| false).or_else(|| {
                let programs = ["pytest", "mvn", "go", "cargo"];
                let added = new.split_whitespace().filter(|word| !old.contains(word));
                added
                    .flat_map(|word| programs.map(|program| (program, word)))
                    .find(|(program, word)| checks::is_loose(program, word))
                    .map(|(_, word)| format!("with `{word}`"))
            })
        };
        let is_weaker = match () {
            () if name == "CI" || name == "HUSKY" => {
                is_off && was.get(key).is_none_or(|old| old != new) && is.contains_key(key)
            }
            () if LOADING.contains(&name.as_str()) => true,
            () if name == "NODE_OPTIONS" || name == "RUBYOPT" || name == "PERL5OPT" => {
                ["-r", "--require", "--import", "--loader"].iter().any(|word| new.contains(word) && !old.contains(word))
            }
            () if holds_options => options().is_some(),
            () => {
                setting_words::leaves_out(&name.to_lowercase().replace('_', ""))
                    && !is_off
                    && !HARMLESS.iter().any(|part| name.contains(part))
            }
        };
        if is_weaker {
            found.push(format!("{key}={new}"));
        }
    }
    found
}

/// Names the first key whose value is another.
pub(super) fn first_key(was: &BTreeMap<String, String>, is: &BTreeMap<String, String>) -> String {
    let mut keys = was.keys().chain(is.keys()).filter(|key| was.get(*key) != is.get(*key));
    keys.next().cloned().unwrap_or_default()
}

/// Pairs steps: what is the same, then what has the same name, action or programs.
fn paired(old: &[Step], new: &[Step]) -> BTreeMap<usize, usize> {
    let mut pairs = BTreeMap::new();
    let mut taken = BTreeSet::new();
    let programs = |step: &Step| -> BTreeSet<String> { step.commands().iter().map(Command::key).collect() };
    type Like<'l> = Box<dyn Fn(&Step, &Step) -> bool + 'l>;
    let passes: [Like<'_>; 4] = [
        Box::new(|was, is| was.what == is.what && was.with == is.with),
        Box::new(|was, is| match (&was.what, &is.what) {
            (What::Uses(was), What::Uses(is)) => was.key == is.key,
            _ => false,
        }),
        Box::new(|was, is| !was.name.is_empty() && was.name == is.name),
        Box::new(move |was, is| {
            let (was, is) = (programs(was), programs(is));
            !was.is_disjoint(&is)
        }),
    ];
    for matches in &passes {
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
    // A step in the same place, between steps that stayed, is the same one.
    if old.len() == new.len() {
        for at in 0..old.len() {
            if !pairs.contains_key(&at) && !taken.contains(&at) {
                taken.insert(at);
                pairs.insert(at, at);
            }
        }
    }
    pairs
}
