//! The way from a command to the files that it runs: its words, the scripts and modules that they name, and what these name in turn.
//!
//! In: the words of a command, and the base. Out: what `Executed` keeps. Deliberately not here: the files of task runners (`runners`).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::super::{runners, settings};
use super::{BaseFiles, Executed, joined};

/// How many files are read to follow a command.
const MOST_READ: usize = 400;
/// Folders of a project's own code: beside a script there, not every file belongs to it.
const SOURCE_FOLDERS: &[&str] =
    &["app", "apps", "cmd", "crates", "internal", "lib", "libs", "packages", "pkg", "source", "sources", "src"];
/// Endings that an import leaves out.
const GUESSED: &[&str] = &[
    ".py",
    ".js",
    ".mjs",
    ".cjs",
    ".ts",
    ".mts",
    ".cts",
    ".tsx",
    ".jsx",
    ".json",
    ".sh",
    ".rb",
    ".pl",
    ".lua",
    "/__init__.py",
    "/__main__.py",
    "/index.js",
    "/index.mjs",
    "/index.cjs",
    "/index.ts",
];
/// Programs that run other files, so that a file with their name is nothing to them.
const GENERAL: &[&str] = &[
    "bash", "bun", "bunx", "cargo", "dash", "deno", "docker", "dotnet", "env", "git", "go", "java", "ksh", "lua",
    "make", "node", "npm", "npx", "perl", "php", "pnpm", "poetry", "pypy", "python", "python2", "python3", "ruby",
    "sh", "tsx", "uv", "uvx", "yarn", "zsh",
];

/// Words of shells that start no program with settings.
const SHELL_WORDS: &[&str] = &[
    "cat", "chmod", "command", "copy", "done", "echo", "else", "exec", "exit", "export", "false", "find", "grep",
    "head", "mkdir", "printf", "pwd", "read", "rmdir", "sed", "set", "shift", "sleep", "sort", "source", "tail", "tee",
    "test", "then", "touch", "trap", "true", "umask", "unset", "while",
];

/// A search that is under way.
pub(super) struct Search<'b, 't> {
    base: &'b BaseFiles<'t>,
    found: Executed,
    queue: Vec<String>,
    read: BTreeSet<String>,
    /// Whether the command itself is followed, and not the text of a file.
    pub(super) is_command: bool,
    /// Whether a check runs it.
    is_check: bool,
}

impl<'b, 't> Search<'b, 't> {
    pub(super) fn new(base: &'b BaseFiles<'t>, is_check: bool) -> Self {
        let (queue, read) = (Vec::new(), BTreeSet::new());
        Self { base, found: Executed::default(), queue, read, is_command: true, is_check }
    }

    /// Follows the texts of the files that were found.
    pub(super) fn ended(mut self) -> Executed {
        while let Some(path) = self.queue.pop() {
            if self.read.len() >= MOST_READ {
                break;
            }
            if self.read.insert(path.clone()) {
                self.script(&path);
            }
        }
        self.found
    }

    /// Follows a command and its arguments, run in a folder.
    pub(super) fn argv(&mut self, words: &[String], folder: &str) {
        let words = unwrapped(words);
        let Some(program) = words.first() else { return };
        let name = program.rsplit('/').next().unwrap_or_default().to_lowercase();
        // The programs that a target or a script of a check starts have settings, too.
        let is_named = self.is_command || (self.is_check && !SHELL_WORDS.contains(&name.as_str()));
        if is_named && !GENERAL.contains(&name.as_str()) && name.len() >= 3 && !program.contains('{') {
            self.found.programs.insert(name.trim_end_matches(".exe").to_owned());
        }
        for (at, word) in words.iter().enumerate() {
            let next = words.get(at + 1).map(String::as_str);
            match (word.as_str(), next) {
                // A shell's own script, or one that a program takes as text.
                ("-c" | "-lc" | "-ec" | "-euc" | "-exc", Some(script)) if is_shell(&name) => self.shell(script, folder),
                ("-c" | "-e" | "--eval" | "-p", Some(code)) if !is_shell(&name) => self.code(code, folder, "py"),
                ("-m", Some(module)) => self.module(module, folder),
                _ => {}
            }
            if let Some(module) = word.strip_prefix("-m").filter(|it| !it.is_empty() && name.starts_with("python")) {
                self.module(module, folder);
            }
            self.word(word, folder);
        }
        if let ("go", Some("run")) = (name.as_str(), words.get(1).map(String::as_str)) {
            words[2..].iter().filter(|word| word.starts_with('.')).for_each(|word| self.folder(&joined(folder, word)));
        }
        for (path, text) in runners::followed(&name, words, folder, self.base) {
            let place = path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned();
            self.found.files.insert(path);
            self.is_command = false;
            text.iter().for_each(|text| self.shell(text, &place));
        }
    }

    /// Follows the files that the settings of checkers load: rules and plugins of the repository's own.
    pub(super) fn settings(&mut self) {
        let base = self.base;
        for path in base.paths.iter().filter(|path| settings::loads_files(path)) {
            let Some(text) = base.text(path) else { continue };
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            for name in LOADED.captures_iter(&text).filter_map(|found| found.get(1)) {
                let place = joined(folder, name.as_str());
                let guessed = GUESSED.iter().map(|ending| format!("{place}{ending}"));
                std::iter::once(place.clone()).chain(guessed).for_each(|file| self.named(file));
            }
        }
    }

    /// Follows the commands of a shell script.
    fn shell(&mut self, text: &str, folder: &str) {
        let mut folder = folder.to_owned();
        for command in text.split(['\n', ';', '|', '&', '(', ')', '{', '}', '`']) {
            let is_plain = |word: &&str| !word.is_empty();
            let words: Vec<String> = command
                .split_whitespace()
                .map(|word| word.trim_matches(['"', '\'', '@', '$']))
                .filter(is_plain)
                .map(str::to_owned)
                .collect();
            if let [cd, place] = words.as_slice()
                && cd == "cd"
            {
                folder = joined(&folder, place);
            }
            self.argv(&words, &folder);
        }
    }

    /// Follows a word of a command: a path, or one behind `=`, `@` or the letter of an option.
    fn word(&mut self, word: &str, folder: &str) {
        let behind = word.split_once('=').map(|(_, value)| value);
        let joined_option = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).and_then(|rest| rest.get(1..));
        for path in [Some(word), word.strip_prefix('@'), behind, joined_option].into_iter().flatten() {
            let path = path.trim_matches(['"', '\'', '@']);
            if path.is_empty() || path.contains(['{', '*', '$']) || (is_prose(path) && !self.is_command) {
                continue;
            }
            let places: BTreeSet<String> = [joined(folder, path), joined("", path)].into();
            for place in places {
                let is_path = path.contains('/') || path.contains('.');
                if self.base.has(&place) {
                    self.run(place);
                } else if self.base.has(&format!("{place}/__main__.py")) {
                    self.folder(&place);
                } else if is_path && !self.base.has_folder(&place) && !place.is_empty() {
                    self.found.files.insert(place);
                }
            }
        }
    }

    /// Follows a file that is run.
    fn run(&mut self, path: String) {
        let is_of_program = || !self.is_command && path.split('/').any(|part| SOURCE_FOLDERS.contains(&part));
        if self.is_check && (jury_rules::is_test(&path) || is_of_program()) {
            return;
        }
        self.found.files.insert(path.clone());
        self.queue.push(path);
    }

    fn folder(&mut self, folder: &str) {
        if folder.is_empty() || !self.base.has_folder(folder) {
            return;
        }
        self.found.folders.insert(folder.to_owned());
        let inside = format!("{folder}/");
        let below = self.base.paths.range(inside.clone()..).take_while(|path| path.starts_with(&inside));
        self.queue.extend(below.take(MOST_READ).cloned());
    }

    /// Follows a module of Python, which may be one that only a change has.
    fn module(&mut self, name: &str, folder: &str) {
        let path = name.replace('.', "/");
        if !path.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '/') || path.is_empty() {
            return;
        }
        for root in BTreeSet::from([folder, ""]) {
            let mut place = root.to_owned();
            for part in path.split('/') {
                place = joined(&place, part);
                for file in [format!("{place}.py"), format!("{place}/__init__.py"), format!("{place}/__main__.py")] {
                    self.named(file);
                }
            }
            if self.base.has(&format!("{place}/__main__.py")) {
                self.folder(&place);
            }
        }
    }

    /// Takes a path that is named: followed if the base has it, and kept in mind if not.
    fn named(&mut self, path: String) {
        match self.base.has(&path) {
            true => self.run(path),
            false => _ = self.found.files.insert(path),
        }
    }

    /// Follows the text of a file that is run.
    fn script(&mut self, path: &str) {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let last = folder.rsplit('/').next().unwrap_or_default();
        let is_apart = !folder.is_empty() && !SOURCE_FOLDERS.contains(&last);
        if is_apart && is_code(name) {
            self.found.beside.insert((folder.to_owned(), ending(name).to_owned()));
        }
        let Some(text) = self.base.text(path).filter(|_| !is_prose(name)) else { return };
        self.code(&text, folder, ending(name));
        let is_shell = ["sh", "bash", "zsh", "ksh"].contains(&ending(name))
            || text.lines().next().is_some_and(|first| first.starts_with("#!") && first.ends_with("sh"));
        if is_shell {
            self.shell(&text, folder);
            self.shell(&text, "");
        }
        if is_apart && is_code(name) {
            let words: BTreeSet<&str> = WORD.find_iter(&text).map(|word| word.as_str()).collect();
            for word in words.iter().filter(|word| word.len() >= 3 && !word.contains(['/', '.'])) {
                self.folder(&format!("{folder}/{word}"));
            }
            self.beside(folder, &words);
        }
    }

    /// Takes the files beside a script whose names stand in it without their ending: a name may be put together at run time.
    fn beside(&mut self, folder: &str, words: &BTreeSet<&str>) {
        let inside = format!("{folder}/");
        let base = self.base;
        let below = base.paths.range(inside.clone()..).take_while(|path| path.starts_with(&inside));
        let is_named = |path: &&String| {
            let name = &path[inside.len()..];
            let stem = name.trim_start_matches('.').split('.').next().unwrap_or_default();
            !name.contains('/') && !name.ends_with(".md") && stem.len() >= 3 && words.contains(stem)
        };
        below.take(MOST_READ).filter(is_named).for_each(|path| self.run(path.clone()));
    }

    /// Follows the files that a text names and imports.
    fn code(&mut self, text: &str, folder: &str, ending: &str) {
        let is_path = |word: &&str| word.contains(['/', '.']) && !is_prose(word);
        for word in WORD.find_iter(text).map(|word| word.as_str()).filter(is_path) {
            let word = word.trim_start_matches('/').trim_end_matches('.');
            for place in [joined(folder, word), joined("", word)] {
                let guessed = GUESSED.iter().map(|ending| format!("{place}{ending}")).filter(|_| word.contains('/'));
                let exact = std::iter::once(place.clone());
                if let Some(found) = exact.chain(guessed).find(|place| self.base.has(place)) {
                    self.run(found);
                }
            }
        }
        for import in PYTHON.captures_iter(text).filter(|_| ending == "py" || ending.is_empty()) {
            let group = |name: &str| import.name(name).map(|found| found.as_str()).unwrap_or_default();
            let (module, names) = (group("from"), group("names"));
            let dots = module.len() - module.trim_start_matches('.').len();
            let place = (1..dots).fold(folder.to_owned(), |place, _| joined(&place, ".."));
            let module = module.trim_start_matches('.');
            if !module.is_empty() {
                self.module(module, &place);
            }
            for name in names.split(',').filter_map(|name| name.trim().split([' ', ')', '#']).next()) {
                let name = name.trim_matches(['(', ' ']);
                match (module.is_empty(), name.is_empty()) {
                    (_, true) => {}
                    (true, false) => self.module(name, &place),
                    (false, false) => self.module(&format!("{module}.{name}"), &place),
                }
            }
        }
        for import in IMPORT.captures_iter(text) {
            let Some(name) = import.get(1).map(|found| found.as_str()) else { continue };
            let place = joined(folder, name);
            let endings = GUESSED.iter().filter(|guessed| guessed.ends_with(ending) && !ending.is_empty());
            for file in endings.map(|ending| format!("{place}{ending}")).collect::<Vec<_>>() {
                self.named(file);
            }
        }
    }
}

/// Words of a text that could name a file.
static WORD: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"[A-Za-z0-9_@./+-]+").expect("the pattern is fixed"));
/// Imports of Python.
static PYTHON: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r"(?m)^\s*(?:from\s+(?<from>[.\w]+)\s+import\s+|import\s+)(?<names>\([^)]*\)|[^\n;]+)";
    Regex::new(pattern).expect("the pattern is fixed")
});
/// Imports of a name without a path.
static IMPORT: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"\b(?:require_relative|require|load|import|from)\b\s*\(?\s*["']([\w-]+)["']"#;
    Regex::new(pattern).expect("the pattern is fixed")
});

/// A path behind an import, or behind a key that loads files.
static LOADED: LazyLock<Regex> = LazyLock::new(|| {
    let pattern = r#"(?:\bfrom|\bimport|\brequire|\bextends?|\b[\w-]*[pP]lugins?|\binherit_from|\bresolver|\bparser|\bconfig)\b["']?\s*[:=(]*\s*\[?\s*["']?(\.{1,2}/[\w./@-]+)"#;
    Regex::new(pattern).expect("the pattern is fixed")
});

/// Drops what only starts another command: `env A=b`, `npx`, `uv run`.
fn unwrapped(words: &[String]) -> &[String] {
    const WRAPPERS: &[&str] =
        &["bunx", "command", "env", "exec", "nice", "nohup", "npx", "pnpx", "sudo", "time", "timeout", "uvx", "xargs"];
    const RUNNING: &[&str] = &["bundle", "conda", "hatch", "pdm", "pipenv", "pixi", "poetry", "rye", "uv"];
    let mut rest = words;
    while let [first, after @ ..] = rest {
        let name = first.rsplit('/').next().unwrap_or_default();
        let is_assignment =
            first.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_alphanumeric() || c == '_'));
        let is_run = RUNNING.contains(&name) && after.first().is_some_and(|word| word == "run" || word == "exec");
        rest = match () {
            () if is_run => &after[1..],
            () if WRAPPERS.contains(&name) || is_assignment || (first.starts_with('-') && rest.len() < words.len()) => {
                after
            }
            () => break,
        };
    }
    rest
}

fn is_shell(name: &str) -> bool {
    ["sh", "bash", "dash", "zsh", "ksh", "ash", "busybox"].contains(&name)
}

fn is_prose(name: &str) -> bool {
    ["md", "txt", "rst", "lock"].contains(&ending(name)) && !name.ends_with("requirements.txt")
}

/// Tells whether a file could be loaded by one beside it.
fn is_code(name: &str) -> bool {
    !name.contains('.') || jury_rules::Language::of(name).is_some_and(|it| it != jury_rules::Language::Yaml)
}

pub(super) fn ending(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, ending)| ending)
}
