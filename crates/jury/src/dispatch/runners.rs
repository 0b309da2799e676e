//! Programs that run commands written in a file of the repository: `make`, `npm run`, `just`, `tox`. Data, and the few forms of such files.
//!
//! In: a command and the files of the base. Out: the files that hold its commands, with the text of those that it would run.

use super::executed::{BaseFiles, joined};

/// How a file holds commands.
#[derive(Clone, Copy)]
enum Form {
    /// `target: prerequisites`, and indented lines below it.
    Recipes,
    /// A JSON object under one of these keys, with a command for each name.
    Scripts(&'static [&'static str]),
    /// Its whole text counts.
    Whole,
}

/// Programs, the files that they read, and the form of these.
const RUNNERS: &[(&[&str], &[&str], Form)] = &[
    (&["make", "gmake", "bmake"], &["GNUmakefile", "makefile", "Makefile"], Form::Recipes),
    (&["just"], &["justfile", ".justfile", "Justfile"], Form::Recipes),
    (&["npm", "pnpm", "yarn", "bun", "node"], &["package.json"], Form::Scripts(&["scripts"])),
    (&["composer"], &["composer.json"], Form::Scripts(&["scripts"])),
    (&["deno"], &["deno.json", "deno.jsonc"], Form::Scripts(&["tasks"])),
    (&["turbo", "nx", "lerna", "lage"], &["turbo.json", "nx.json", "lerna.json"], Form::Whole),
    (&["turbo", "nx", "lerna", "lage"], &["package.json"], Form::Scripts(&["scripts"])),
    (&["task", "go-task"], &["Taskfile.yml", "Taskfile.yaml", "taskfile.yml", "taskfile.yaml"], Form::Whole),
    (&["tox"], &["tox.ini", "setup.cfg", "pyproject.toml"], Form::Whole),
    (&["nox"], &["noxfile.py"], Form::Whole),
    (&["inv", "invoke"], &["tasks.py"], Form::Whole),
    (&["poe", "pdm", "hatch", "taskipy"], &["pyproject.toml"], Form::Whole),
    (&["rake"], &["Rakefile", "rakefile", "Rakefile.rb"], Form::Whole),
    (
        &["gradle", "gradlew"],
        &["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"],
        Form::Whole,
    ),
    (&["mvn", "mvnw"], &["pom.xml"], Form::Whole),
    (&["ant"], &["build.xml"], Form::Whole),
    (&["grunt"], &["Gruntfile.js", "Gruntfile.cjs"], Form::Whole),
    (&["gulp"], &["gulpfile.js", "gulpfile.mjs", "gulpfile.cjs"], Form::Whole),
    (&["mage"], &["magefile.go"], Form::Whole),
    (&["earthly"], &["Earthfile"], Form::Whole),
    (&["mise"], &["mise.toml", ".mise.toml"], Form::Whole),
    (&["pre-commit", "prek"], &[".pre-commit-config.yaml"], Form::Whole),
    (&["lefthook"], &["lefthook.yml", "lefthook.yaml", ".lefthook.yml"], Form::Whole),
    (&["bazel", "bazelisk"], &["BUILD", "BUILD.bazel", "WORKSPACE", "MODULE.bazel"], Form::Whole),
    (&["ninja"], &["build.ninja"], Form::Whole),
    (&["docker", "podman"], &["Dockerfile", "compose.yaml", "compose.yml", "docker-compose.yml"], Form::Whole),
];

/// Options that name the folder in which a program looks for its file, or the file itself.
const FOLDERS: &[&str] = &["-C", "--directory", "--prefix", "--cwd", "--dir", "-w", "--workspace", "--filter"];

/// Returns the files that hold the commands of a runner, each with the texts that would run; a file that the base lacks has none.
pub(super) fn followed(
    program: &str,
    words: &[String],
    folder: &str,
    base: &BaseFiles<'_>,
) -> Vec<(String, Vec<String>)> {
    let folder = directed(words, folder);
    let rows = RUNNERS.iter().filter(|(programs, _, _)| programs.contains(&program));
    let mut followed = Vec::new();
    for (_, files, form) in rows {
        for file in *files {
            let path = joined(&folder, file);
            let text = base.text(&path);
            let commands = text.map(|text| commands(*form, &text, words, base, &folder)).unwrap_or_default();
            followed.push((path, commands));
        }
    }
    followed
}

/// Returns the folder that an option leads to.
fn directed(words: &[String], folder: &str) -> String {
    let mut pairs = words.iter().zip(words.iter().skip(1));
    let apart = pairs.find(|(option, _)| FOLDERS.contains(&option.as_str())).map(|(_, value)| value.as_str());
    let together = words.iter().find_map(|word| {
        let (option, value) = word.split_once('=')?;
        FOLDERS.contains(&option).then_some(value)
    });
    apart.or(together).map_or_else(|| folder.to_owned(), |place| joined(folder, place))
}

fn commands(form: Form, text: &str, words: &[String], base: &BaseFiles<'_>, folder: &str) -> Vec<String> {
    match form {
        Form::Whole => vec![text.to_owned()],
        Form::Scripts(keys) => scripts(text, keys, words),
        Form::Recipes => {
            let mut whole = text.to_owned();
            for included in included(text) {
                whole.push('\n');
                whole.push_str(&base.text(&joined(folder, included)).unwrap_or_default());
            }
            // Variables and includes count for every target.
            let mut commands: Vec<String> = included(text).map(str::to_owned).collect();
            commands.push(recipes(&whole, words));
            commands
        }
    }
}

fn included(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| {
        let line = line.trim_start_matches('-').trim_start_matches('s');
        line.strip_prefix("include ")
            .or_else(|| line.strip_prefix("import "))
            .map(|name| name.trim().trim_matches(['"', '\'']))
    })
}

/// Returns the commands of the scripts that a command names, and of those that run before and after them.
fn scripts(text: &str, keys: &[&str], words: &[String]) -> Vec<String> {
    let Ok(document) = serde_json::from_str::<serde_json::Value>(text) else { return vec![text.to_owned()] };
    let Some(all) = keys.iter().find_map(|key| document.get(key)?.as_object()) else { return Vec::new() };
    let is_named = |name: &str| words.iter().any(|word| word == name || (word == "t" && name == "test"));
    let is_meant = |name: &str| {
        let around = name.strip_prefix("pre").or_else(|| name.strip_prefix("post"));
        is_named(name) || around.is_some_and(is_named)
    };
    let text = |command: &serde_json::Value| match command {
        serde_json::Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    all.iter().filter(|(name, _)| is_meant(name)).map(|(_, command)| text(command)).collect()
}

/// Returns the recipes of the targets that a command names, and of those that they need; all if one is not found.
fn recipes(text: &str, words: &[String]) -> String {
    let mut rules: Vec<(Vec<&str>, Vec<&str>, Vec<&str>)> = Vec::new();
    let mut settings: Vec<&str> = Vec::new();
    for line in text.lines() {
        let is_recipe = line.starts_with(['\t', ' ']) && !rules.is_empty();
        let rule = line
            .split_once(':')
            .filter(|(head, rest)| !is_recipe && !head.contains(['=', '#', '$']) && !rest.starts_with('='));
        match (rule, rules.last_mut()) {
            (Some((heads, needs)), _) => {
                let (needs, command) = needs.split_once(';').unwrap_or((needs, ""));
                rules.push((heads.split_whitespace().collect(), needs.split_whitespace().collect(), vec![command]));
            }
            (None, Some((_, _, recipe))) if is_recipe => recipe.push(line.trim().trim_start_matches(['@', '-', '+'])),
            _ => settings.push(line),
        }
    }
    let is_target = |word: &&String| !word.starts_with('-') && !word.contains(['=', '{']);
    let mut wanted: Vec<&str> = words.iter().skip(1).filter(is_target).map(String::as_str).collect();
    if wanted.is_empty() {
        wanted.extend(rules.iter().flat_map(|(heads, _, _)| heads).find(|head| !head.starts_with('.')));
    }
    if wanted.iter().any(|name| !rules.iter().any(|(heads, _, _)| heads.contains(name))) {
        return text.to_owned();
    }
    let mut seen: Vec<&str> = Vec::new();
    let mut said: Vec<&str> = settings;
    while let Some(name) = wanted.pop() {
        if seen.contains(&name) {
            continue;
        }
        seen.push(name);
        for (_, needs, recipe) in
            rules.iter().filter(|(heads, _, _)| heads.contains(&name) || heads.iter().any(|head| head.contains('%')))
        {
            wanted.extend(needs);
            said.extend(recipe);
        }
    }
    said.join("\n").replace("$(MAKE)", "make").replace("${MAKE}", "make")
}
