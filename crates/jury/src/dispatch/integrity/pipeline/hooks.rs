//! Hooks and makefiles → jobs. In: the tree or text of a file. Out: a job for each hook or target. Deliberately not here: which programs start them.

use std::collections::{BTreeMap, BTreeSet};

use super::super::data_tree::DataTree;
use super::condition::Condition;
use super::{Job, Pipeline, Step, Uses, What};

/// Reads `.pre-commit-config.yaml`: a hook of another repository is an action, one of its own a command.
pub(super) fn pre_commit(tree: &DataTree) -> Result<Pipeline, String> {
    let repos = tree.get("repos").ok_or("it has no repositories")?;
    let mut everywhere = Condition::default();
    for key in ["files", "exclude"] {
        everywhere = everywhere.and(&limited(key, tree));
    }
    let skipped = tree.get("ci").and_then(|ci| ci.get("skip")).map(DataTree::texts).unwrap_or_default();
    let mut jobs = Vec::new();
    for repo in repos.items() {
        let place = repo.get("repo").map(DataTree::canonical).unwrap_or_default();
        let version = repo.get("rev").map(DataTree::canonical).unwrap_or_default();
        for hook in repo.get("hooks").map(DataTree::items).unwrap_or_default() {
            let id = hook.get("id").map(DataTree::canonical).unwrap_or_default();
            let args = hook.get("args").map(DataTree::texts).unwrap_or_default().join(" ");
            let what = if place == "local" || place == "meta" {
                let entry = hook.get("entry").map_or_else(|| id.clone(), DataTree::canonical);
                Step::run(&format!("{entry} {args}"), true)
            } else {
                let key = place.trim_end_matches(".git").trim_start_matches("https://").to_lowercase();
                What::Uses(Uses { key: format!("{key}#{id}"), version: version.clone() })
            };
            let mut condition = everywhere.clone();
            for key in ["files", "exclude", "stages", "types", "types_or", "exclude_types"] {
                condition = condition.and(&limited(key, hook));
            }
            condition.is_off |= hook.get("stages").is_some_and(|it| it.texts() == ["manual"]);
            let mut with = BTreeMap::from([("args".to_owned(), args)]);
            with.extend(skipped.contains(&id).then(|| ("skip".to_owned(), "true".to_owned())));
            let step = Step { name: id.clone(), line: hook.line, what, with, ..Step::default() };
            jobs.push(Job { id, line: hook.line, condition, steps: vec![step], ..Job::default() });
        }
    }
    if jobs.is_empty() {
        return Err("it has no hook".to_owned());
    }
    Ok(Pipeline { jobs, ..Pipeline::default() })
}

/// Returns what a pattern demands: each of its alternatives that leaves something out, or those that let something in.
fn limited(key: &str, tree: &DataTree) -> Condition {
    let mut condition = Condition::default();
    let Some(value) = tree.get(key) else { return condition };
    let texts = match value.text() {
        Some(text) => {
            let bare: String = text.chars().filter(|c| !c.is_whitespace()).collect();
            let bare = bare.trim_start_matches("(?x)").to_owned();
            let inside = bare
                .strip_prefix("^(")
                .and_then(|it| it.strip_suffix(")$").or_else(|| it.strip_suffix(')')))
                .or_else(|| bare.strip_prefix('(').and_then(|it| it.strip_suffix(')')));
            inside.unwrap_or(&bare).split('|').map(str::to_owned).collect()
        }
        None => value.texts(),
    };
    if key.starts_with("exclude") {
        texts.into_iter().for_each(|text| condition.push(BTreeSet::from([format!("{key} {text}")])));
    } else if !texts.is_empty() {
        condition.push(texts.into_iter().map(|text| format!("{key} {text}")).collect());
    }
    condition
}

/// Reads `lefthook.yml`.
pub(super) fn lefthook(tree: &DataTree) -> Result<Pipeline, String> {
    let mut jobs = Vec::new();
    for (hook, own) in tree.members() {
        let whole = unless_skipped(own);
        for part in ["commands", "scripts", "jobs"] {
            let list = own.get(part);
            let named = list.map(DataTree::members).unwrap_or_default().iter().map(|(name, it)| (name.clone(), it));
            let items = if named.len() == 0 { list.map(DataTree::items).unwrap_or_default() } else { &[] };
            let listed = items
                .iter()
                .enumerate()
                .map(|(nth, it)| (it.get("name").map_or_else(|| nth.to_string(), DataTree::canonical), it));
            for (name, it) in named.chain(listed) {
                let script = it.get("run").or_else(|| it.get("runner")).map(DataTree::canonical).unwrap_or_default();
                let mut condition = whole.and(&unless_skipped(it));
                for key in ["glob", "files", "exclude", "file_types", "root", "only"] {
                    condition = condition.and(&limited(key, it));
                }
                let script = if part == "scripts" { format!("{script} {name}") } else { script };
                jobs.push(of_script(&format!("{hook} {name}"), it.line, &script, condition));
            }
        }
    }
    if jobs.is_empty() {
        return Err("it runs nothing".to_owned());
    }
    Ok(Pipeline { jobs, includes: remotes(tree), ..Pipeline::default() })
}

fn remotes(tree: &DataTree) -> Vec<Uses> {
    let text = |it: &DataTree, key: &str| it.get(key).map(DataTree::canonical).unwrap_or_default();
    let named = tree.get("remotes").map(DataTree::items).unwrap_or_default();
    let remotes = named.iter().map(|it| Uses { key: text(it, "git_url"), version: text(it, "ref") });
    let extended = tree.get("extends").map(DataTree::texts).unwrap_or_default();
    remotes.chain(extended.into_iter().map(|path| Uses { key: format!("./{path}"), version: String::new() })).collect()
}

fn unless_skipped(tree: &DataTree) -> Condition {
    let mut condition = Condition::default();
    if let Some(skip) = tree.get("skip").filter(|skip| !skip.is(false)) {
        condition.is_off = skip.is(true);
        condition.push(BTreeSet::from([format!("skip {}", skip.canonical())]));
    }
    condition
}

/// Reads a table from names to commands.
pub(super) fn table(tree: &DataTree) -> Result<Pipeline, String> {
    let jobs: Vec<Job> = tree
        .members()
        .iter()
        .map(|(name, commands)| of_script(name, commands.line, &commands.texts().join("\n"), Condition::default()))
        .collect();
    if jobs.is_empty() {
        return Err("it runs nothing".to_owned());
    }
    Ok(Pipeline { jobs, ..Pipeline::default() })
}

/// Reads a hook that is a script.
pub(super) fn script(path: &str, text: &str) -> Result<Pipeline, String> {
    let is_shell = text
        .lines()
        .next()
        .is_none_or(|first| !first.starts_with("#!") || first.trim_end().ends_with("sh") || first.contains("sh -"));
    if !is_shell {
        return Err("it is no script of a shell".to_owned());
    }
    let name = path.rsplit('/').next().unwrap_or_default();
    Ok(Pipeline { jobs: vec![of_script(name, 1, text, Condition::default())], ..Pipeline::default() })
}

fn of_script(id: &str, line: u32, script: &str, condition: Condition) -> Job {
    let step = Step { line, what: Step::run(script, false), ..Step::default() };
    Job { id: id.to_owned(), line, condition, steps: vec![step], ..Job::default() }
}

/// Reads the targets of a makefile that have a recipe.
pub(super) fn makefile(text: &str) -> Pipeline {
    let mut jobs: Vec<Job> = Vec::new();
    let mut open: Option<(String, u32, String)> = None;
    let close = |open: &mut Option<(String, u32, String)>, jobs: &mut Vec<Job>| {
        if let Some((id, line, script)) = open.take().filter(|(_, _, script)| !script.trim().is_empty()) {
            jobs.push(of_script(&id, line, &script, Condition::default()));
        }
    };
    for (number, line) in (1_u32..).zip(text.lines()) {
        if let Some(command) = line.strip_prefix('\t') {
            let command = command.trim_start_matches(['@', '+', ' ']);
            // Make goes on after a command with a dash.
            let (command, end) = command.strip_prefix('-').map_or((command, ""), |command| (command, " || true"));
            if let Some((_, _, script)) = &mut open {
                script.push_str(&command.replace("$(MAKE)", "make").replace("${MAKE}", "make"));
                script.push_str(if command.ends_with('\\') { "" } else { end });
                script.push('\n');
            }
        } else if let Some((target, rest)) =
            line.split_once(':').filter(|(head, rest)| !head.contains(['=', '#', '.']) && !rest.starts_with('='))
        {
            close(&mut open, &mut jobs);
            let needs = rest.split_once('#').map_or(rest, |(needs, _)| needs).trim();
            let needed = needs.split_whitespace().map(|name| format!("make {name}\n")).collect::<String>();
            open = Some((target.trim().to_owned(), number, needed));
        } else if !line.trim().is_empty() && !line.starts_with('#') {
            close(&mut open, &mut jobs);
        }
    }
    close(&mut open, &mut jobs);
    // Only a target that is named like a check is one: most build something.
    jobs.retain(|job| super::super::setting_words::is_check_name(&job.id));
    Pipeline { jobs, ..Pipeline::default() }
}
