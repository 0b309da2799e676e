//! Workflows and composite actions of GitHub, Gitea and Forgejo → jobs. In: the tree of a file. Out: its jobs, or why it is none.
//!
//! A key of a workflow, job or step that is not known is kept by its text, and any change to it is raised. Deliberately not here: what a change means.

use std::collections::{BTreeMap, BTreeSet};

use super::super::data_tree::{Content, DataTree};
use super::condition::Condition;
use super::{Job, Pipeline, Step, Uses, What, secrets_in, texts_of};

/// Keys that decide nothing about what is checked.
const PLAIN_TOP: &[&str] = &["name", "run-name", "concurrency"];
const PLAIN_JOB: &[&str] = &["concurrency", "outputs", "timeout-minutes", "services"];
const KNOWN_TOP: &[&str] = &["on", "permissions", "env", "defaults", "jobs"];
const KNOWN_JOB: &[&str] = &[
    "name",
    "needs",
    "if",
    "permissions",
    "runs-on",
    "env",
    "defaults",
    "steps",
    "strategy",
    "continue-on-error",
    "container",
    "uses",
    "with",
    "secrets",
    "environment",
];
const KNOWN_STEP: &[&str] = &[
    "id",
    "name",
    "if",
    "uses",
    "run",
    "shell",
    "with",
    "env",
    "continue-on-error",
    "timeout-minutes",
    "working-directory",
];

/// Reads a workflow.
pub(super) fn workflow(tree: &DataTree) -> Result<Pipeline, String> {
    let jobs = tree.get("jobs").map(DataTree::members).unwrap_or_default();
    if jobs.is_empty() {
        return Err("it has no jobs".to_owned());
    }
    let shared = Shared {
        access: access(tree.get("permissions")),
        env: texts_of(tree.get("env")),
        secrets: secrets_in(&tree.get("env").map(DataTree::scalars).unwrap_or_default()),
        defaults: tree.get("defaults"),
    };
    Ok(Pipeline {
        events: events(tree.get("on")),
        includes: Vec::new(),
        jobs: jobs.iter().map(|(id, tree)| job(id, tree, &shared)).collect(),
        rest: rest(tree, &[KNOWN_TOP, PLAIN_TOP]),
    })
}

/// Reads an action. One that is not composed of steps runs a program.
pub(super) fn action(tree: &DataTree) -> Result<Pipeline, String> {
    let runs = tree.get("runs").ok_or("it runs nothing")?;
    let steps: Vec<Step> =
        runs.get("steps").map(DataTree::items).unwrap_or_default().iter().map(|tree| step(tree, None)).collect();
    let mut rest = rest(runs, &[&["using", "steps"]]);
    let using = runs.get("using").and_then(DataTree::text).unwrap_or_default();
    rest.insert("using".to_owned(), using.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned());
    let job = Job { id: "runs".to_owned(), line: runs.line, steps, rest, ..Job::default() };
    Ok(Pipeline { jobs: vec![job], ..Pipeline::default() })
}

struct Shared<'t> {
    access: Option<BTreeMap<String, u8>>,
    env: BTreeMap<String, String>,
    secrets: BTreeSet<String>,
    defaults: Option<&'t DataTree>,
}

fn rest(tree: &DataTree, known: &[&[&str]]) -> BTreeMap<String, String> {
    let is_known = |key: &str| known.iter().any(|keys| keys.contains(&key)) || key.starts_with("x-");
    let unknown = tree.members().iter().filter(|(key, _)| !is_known(key));
    unknown.map(|(key, value)| (key.clone(), value.canonical())).collect()
}

fn events(tree: Option<&DataTree>) -> BTreeMap<String, BTreeMap<String, BTreeSet<String>>> {
    let Some(tree) = tree else { return BTreeMap::new() };
    let filters = |tree: &DataTree| -> BTreeMap<String, BTreeSet<String>> {
        tree.members().iter().map(|(key, values)| (key.clone(), values.texts().into_iter().collect())).collect()
    };
    match &tree.value {
        Content::Map(members) => members.iter().map(|(event, tree)| (event.clone(), filters(tree))).collect(),
        _ => tree.texts().into_iter().map(|event| (event, BTreeMap::new())).collect(),
    }
}

/// Returns the levels of access: 0 none, 1 read, 2 write.
fn access(tree: Option<&DataTree>) -> Option<BTreeMap<String, u8>> {
    let level = |text: &str| match text {
        "write" | "write-all" => 2,
        "read" | "read-all" => 1,
        _ => 0,
    };
    let tree = tree?;
    Some(match tree.text() {
        Some(text) => BTreeMap::from([("all".to_owned(), level(text))]),
        None => {
            tree.members().iter().map(|(key, tree)| (key.clone(), level(tree.text().unwrap_or_default()))).collect()
        }
    })
}

/// Puts the values of a matrix in their places if they make one job: then they are no more than names for these values.
fn unrolled(tree: &DataTree) -> Option<DataTree> {
    let matrix = tree.get("strategy")?.get("matrix")?;
    let mut values: Vec<(&str, &str)> = Vec::new();
    for (key, value) in matrix.members() {
        let [only] = value.items() else { return None };
        match key.as_str() {
            "exclude" => return None,
            // A row of its own joins one that has all of its keys; beside none, it is the only one.
            "include" if matrix.members().len() > 1 => return None,
            "include" => values.extend(
                only.members().iter().map(|(key, it)| Some((key.as_str(), it.text()?))).collect::<Option<Vec<_>>>()?,
            ),
            _ => values.push((key, only.text()?)),
        }
    }
    let mut tree = tree.clone();
    tree.remove("strategy");
    tree.put_in(&|text| {
        let mut text = text.to_owned();
        for (key, value) in &values {
            let name = format!(r"\$\{{\{{\s*matrix\.{}\s*\}}\}}", regex::escape(key));
            let name = regex::Regex::new(&name).expect("the name is escaped");
            text = name.replace_all(&text, regex::NoExpand(value)).into_owned();
        }
        text
    });
    // What is computed from a value is left as it is, with the matrix.
    (!values.is_empty() && !tree.scalars().iter().any(|text| text.contains("matrix."))).then_some(tree)
}

fn job(id: &str, tree: &DataTree, shared: &Shared<'_>) -> Job {
    let unrolled = unrolled(tree);
    let tree = unrolled.as_ref().unwrap_or(tree);
    let defaults = tree.get("defaults").map(|own| shared.defaults.map_or_else(|| own.clone(), |all| own.over(all)));
    let defaults = defaults.as_ref().or(shared.defaults).and_then(|defaults| defaults.get("run"));
    let mut steps: Vec<Step> =
        tree.get("steps").map(DataTree::items).unwrap_or_default().iter().map(|it| step(it, defaults)).collect();
    let mut secrets = shared.secrets.clone();
    for key in ["env", "secrets", "environment", "container", "services"] {
        secrets.extend(secrets_in(&tree.get(key).map(DataTree::scalars).unwrap_or_default()));
    }
    if tree.get("secrets").is_some_and(|tree| tree.text() == Some("inherit")) {
        secrets.insert("all secrets".to_owned());
    }
    // An environment has secrets of its own.
    if let Some(environment) = tree.get("environment") {
        let name = environment.get("name").unwrap_or(environment).canonical();
        secrets.insert(format!("those of the environment {name}"));
    }
    if let Some(called) = tree.get("uses").and_then(DataTree::text) {
        let with = texts_of(tree.get("with"));
        steps.push(Step { line: tree.line, what: What::Uses(uses(called)), with, ..Step::default() });
    }
    let mut env = shared.env.clone();
    env.extend(texts_of(tree.get("env")));
    let image = tree.get("container").map(|it| it.get("image").unwrap_or(it).canonical());
    let strategy = tree.get("strategy");
    Job {
        id: id.to_owned(),
        name: tree.get("name").map(DataTree::canonical).unwrap_or_default(),
        line: tree.line,
        condition: condition(tree),
        may_fail: may_fail(tree),
        access: access(tree.get("permissions")).or_else(|| shared.access.clone()),
        runner: tree
            .get("runs-on")
            .map(|it| if it.members().is_empty() { it.texts() } else { vec![it.canonical()] })
            .unwrap_or_default(),
        image,
        needs: tree.get("needs").map(DataTree::texts).unwrap_or_default().into_iter().collect(),
        matrix: strategy.and_then(|it| it.get("matrix")).cloned(),
        env,
        secrets,
        steps,
        rest: rest(tree, &[KNOWN_JOB, PLAIN_JOB]),
    }
}

fn condition(tree: &DataTree) -> Condition {
    tree.get("if").map(|it| Condition::of_expression(&it.canonical())).unwrap_or_default()
}

/// Tells whether a failure fails nothing. An expression may say so for some rows of a matrix.
fn may_fail(tree: &DataTree) -> bool {
    tree.get("continue-on-error").is_some_and(|it| !it.is(false) && !it.is_empty())
}

fn step(tree: &DataTree, defaults: Option<&DataTree>) -> Step {
    let text = |key: &str| tree.get(key).and_then(DataTree::text);
    let default = |key: &str| defaults.and_then(|defaults| defaults.get(key)).and_then(DataTree::text);
    let shell = text("shell").or_else(|| default("shell"));
    // `shell: bash` is run with `-o pipefail`; without a word, it is not.
    let is_pipefail = shell == Some("bash") || shell.is_some_and(|shell| shell.contains("pipefail"));
    let what = match (text("uses"), text("run")) {
        (Some(called), _) => What::Uses(uses(called)),
        (None, Some(script)) => Step::run(script, is_pipefail),
        (None, None) => What::default(),
    };
    let mut with = texts_of(tree.get("with"));
    with.extend(rest(tree, &[KNOWN_STEP]));
    Step {
        name: text("name").unwrap_or_default().to_owned(),
        line: tree.line,
        condition: condition(tree),
        may_fail: may_fail(tree),
        what,
        with,
        env: texts_of(tree.get("env")),
        secrets: secrets_in(&tree.scalars()),
        shell: shell.filter(|shell| !["bash", "sh", "pwsh", "cmd", "powershell"].contains(shell)).map(str::to_owned),
        folder: text("working-directory").or_else(|| default("working-directory")).map(str::to_owned),
    }
}

/// Reads `owner/repo/path@version` or `docker://image:tag`.
pub(super) fn uses(text: &str) -> Uses {
    let text = text.trim();
    // The root of the repository has two names.
    if let Some(path) = text.strip_prefix("$/") {
        return uses(&format!("./{path}"));
    }
    let (key, version) =
        if text.starts_with("docker://") { image(text) } else { text.split_once('@').map_or((text, ""), |it| it) };
    Uses { key: key.to_lowercase(), version: version.to_owned() }
}

/// Splits the name of an image from its tag and digest.
pub(super) fn image(text: &str) -> (&str, &str) {
    if let Some((name, digest)) = text.split_once('@') {
        return (image(name).0, digest);
    }
    let name = text.rfind('/').map_or(0, |at| at + 1);
    text[name..].find(':').map_or((text, ""), |at| (&text[..name + at], &text[name + at + 1..]))
}
