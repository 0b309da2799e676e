//! Pipelines of GitLab → jobs. In: the tree of a file. Out: its jobs, with what they extend, the defaults and the rules of the whole pipeline in them.
//! Deliberately not here: the files that it includes, which are compared by their names, and what a change means.

use std::collections::{BTreeMap, BTreeSet};

use super::super::data_tree::{Content, DataTree};
use super::condition::Condition;
use super::github::image;
use super::{Job, Pipeline, Step, Uses, texts_of};

/// Keys of the whole file; every other name is a job.
const TOP: &[&str] = &[
    "stages",
    "variables",
    "default",
    "include",
    "workflow",
    "image",
    "services",
    "before_script",
    "after_script",
    "cache",
    "spec",
    "types",
];
/// Keys of a job that decide nothing about what is checked.
const PLAIN: &[&str] = &[
    "stage",
    "timeout",
    "interruptible",
    "cache",
    "artifacts",
    "retry",
    "resource_group",
    "services",
    "coverage",
    "dependencies",
    "needs",
    "release",
    "pages",
    "publish",
    "start_in",
    "description",
    "type",
    "hooks",
    "after_script",
];
const KNOWN: &[&str] = &[
    "script",
    "before_script",
    "extends",
    "rules",
    "only",
    "except",
    "when",
    "allow_failure",
    "image",
    "variables",
    "tags",
    "secrets",
    "id_tokens",
    "environment",
    "parallel",
    "trigger",
    "inherit",
    "run",
];
/// How far templates extend others.
const DEPTH: usize = 10;

/// Reads a pipeline.
pub(super) fn pipeline(tree: &DataTree) -> Result<Pipeline, String> {
    if tree.members().is_empty() {
        return Err("it has no jobs".to_owned());
    }
    let workflow = tree.get("workflow").map(rules).unwrap_or_default();
    let defaults: Vec<(String, DataTree)> = ["image", "before_script", "tags"]
        .iter()
        .filter_map(|key| {
            let own = tree.get("default").and_then(|it| it.get(key)).or_else(|| tree.get(key))?;
            Some(((*key).to_owned(), own.clone()))
        })
        .collect();
    let defaults = DataTree { line: 0, value: Content::Map(defaults) };
    let variables = texts_of(tree.get("variables"));
    let is_job = |(id, it): &&(String, DataTree)| {
        !TOP.contains(&id.as_str()) && !id.starts_with('.') && !it.members().is_empty()
    };
    let jobs: Vec<Job> = tree
        .members()
        .iter()
        .filter(is_job)
        .map(|(id, own)| {
            let full = extended(own, tree, DEPTH).over(&defaults);
            let mut job = job(id, &full, tree);
            job.condition = job.condition.and(&workflow);
            job.env = variables.clone().into_iter().chain(job.env).collect();
            job
        })
        .collect();
    // Templates without a job in this file are used by others.
    let templates =
        tree.members().iter().filter(|(id, it)| id.starts_with('.') && !it.members().is_empty() && jobs.is_empty());
    let jobs_of_templates: Vec<Job> = templates.map(|(id, own)| job(id, &extended(own, tree, DEPTH), tree)).collect();
    Ok(Pipeline {
        includes: includes(tree.get("include")),
        jobs: jobs.into_iter().chain(jobs_of_templates).collect(),
        ..Pipeline::default()
    })
}

/// Returns a job with what it extends below it.
fn extended(own: &DataTree, all: &DataTree, depth: usize) -> DataTree {
    let bases = own.get("extends").map(DataTree::texts).unwrap_or_default();
    if depth == 0 {
        return own.clone();
    }
    // The last one that is named wins.
    bases
        .iter()
        .rev()
        .filter_map(|name| all.get(name))
        .fold(own.clone(), |job, base| job.over(&extended(base, all, depth - 1)))
}

fn job(id: &str, tree: &DataTree, all: &DataTree) -> Job {
    let script = |key: &str| -> String { tree.get(key).map(|it| lines(it, all)).unwrap_or_default().join("\n") };
    let commands = format!("{}\n{}", script("before_script"), script("script"));
    let mut steps = Vec::new();
    if !commands.trim().is_empty() {
        steps.push(Step { line: tree.line, what: Step::run(&commands, true), ..Step::default() });
    }
    if let Some(trigger) = tree.get("trigger") {
        for uses in trigger
            .get("include")
            .map(|it| includes(Some(it)))
            .unwrap_or_else(|| vec![Uses { key: trigger.canonical(), version: String::new() }])
        {
            steps.push(Step { line: tree.line, what: super::What::Uses(uses), ..Step::default() });
        }
    }
    let mut secrets = BTreeSet::new();
    for key in ["secrets", "id_tokens"] {
        secrets.extend(tree.get(key).map(DataTree::members).unwrap_or_default().iter().map(|(name, _)| name.clone()));
    }
    if let Some(environment) = tree.get("environment") {
        secrets
            .insert(format!("those of the environment {}", environment.get("name").unwrap_or(environment).canonical()));
    }
    let failure = tree.get("allow_failure");
    let in_rules = tree
        .get("rules")
        .map(DataTree::items)
        .unwrap_or_default()
        .iter()
        .any(|rule| rule.get("allow_failure").is_some_and(|it| it.is(true)));
    let is_known = |key: &str| KNOWN.contains(&key) || PLAIN.contains(&key);
    let rest = tree.members().iter().filter(|(key, _)| !is_known(key));
    Job {
        id: id.to_owned(),
        line: tree.line,
        condition: rules(tree),
        may_fail: failure.is_some_and(|it| !it.is(false)) || in_rules,
        runner: tree.get("tags").map(DataTree::texts).unwrap_or_default(),
        image: tree.get("image").map(|it| it.get("name").unwrap_or(it).canonical()),
        matrix: tree.get("parallel").and_then(|it| it.get("matrix")).cloned(),
        env: texts_of(tree.get("variables")),
        secrets,
        steps,
        rest: rest.map(|(key, value)| (key.clone(), value.canonical())).collect::<BTreeMap<_, _>>(),
        ..Job::default()
    }
}

/// Returns the lines of a script, those of other jobs that it refers to included.
fn lines(tree: &DataTree, all: &DataTree) -> Vec<String> {
    let follow = |text: String| {
        let found = text.strip_prefix("!reference ").and_then(|path| {
            // The name of a template starts with a dot.
            let (name, key) = path.rsplit_once('.')?;
            Some(all.get(name)?.get(key)?.texts())
        });
        found.unwrap_or_else(|| vec![text])
    };
    tree.texts().into_iter().flat_map(follow).collect()
}

/// Reads `rules`, or `only`, `except` and `when`. The first rule that matches decides, so one that keeps a job out counts together with those before it.
fn rules(tree: &DataTree) -> Condition {
    let mut condition = Condition::default();
    let is_off = |tree: &DataTree| {
        tree.get("when").and_then(DataTree::text).is_some_and(|when| ["never", "manual", "on_failure"].contains(&when))
    };
    if let Some(list) = tree.get("rules") {
        let mut runs: BTreeSet<String> = BTreeSet::new();
        for rule in list.items() {
            let said = match (rule.text(), rule.members()) {
                (Some(text), _) => text.to_owned(),
                (None, members) => {
                    let parts = members.iter().filter(|(key, _)| ["if", "changes", "exists"].contains(&key.as_str()));
                    let said = parts.map(|(key, it)| format!("{key} {}", it.canonical()));
                    said.collect::<Vec<_>>().join(" and ")
                }
            };
            let said = if said.is_empty() { "always()".to_owned() } else { said };
            if is_off(rule) {
                let not = if said == "always()" { "never".to_owned() } else { format!("not {said}") };
                if not != "never" {
                    condition.push(runs.iter().cloned().chain([not]).collect());
                }
            } else {
                runs.insert(said);
            }
        }
        condition.is_off |= runs.is_empty();
        condition.push(runs);
    }
    if let Some(only) = tree.get("only") {
        condition.push(only.items().iter().map(|it| format!("only {}", it.canonical())).collect());
    }
    for item in tree.get("except").map(DataTree::items).unwrap_or_default() {
        condition.push(BTreeSet::from([format!("except {}", item.canonical())]));
    }
    condition.is_off |= is_off(tree);
    condition
}

fn includes(tree: Option<&DataTree>) -> Vec<Uses> {
    let one = |item: &DataTree| -> Vec<Uses> {
        if let Some(text) = item.text() {
            let kind = if text.contains("://") { "remote" } else { "." };
            return vec![Uses { key: format!("{kind}/{text}"), version: String::new() }];
        }
        let text = |key: &str| item.get(key).map(DataTree::canonical);
        let version = text("ref").unwrap_or_default();
        if let Some(path) = text("local") {
            return vec![Uses { key: format!("./{path}"), version: String::new() }];
        }
        if let Some(component) = text("component") {
            let (key, version) = component
                .split_once('@')
                .map(|(key, version)| (key.to_owned(), version.to_owned()))
                .unwrap_or((component, String::new()));
            return vec![Uses { key, version }];
        }
        if let Some(project) = text("project") {
            let files = item.get("file").map(DataTree::texts).unwrap_or_default();
            return files
                .iter()
                .map(|file| Uses {
                    key: format!("{project}/{}", file.trim_start_matches('/')),
                    version: version.clone(),
                })
                .collect();
        }
        let known = text("template")
            .map(|name| format!("template/{name}"))
            .or_else(|| text("remote").map(|url| format!("remote/{}", image(&url).0)));
        vec![Uses { key: known.unwrap_or_else(|| item.canonical()), version: String::new() }]
    };
    tree.map(DataTree::items).unwrap_or_default().iter().flat_map(one).collect()
}
