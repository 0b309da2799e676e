//! The files of a repository that the command of a tool runs, directly or through other files. They are taken from the base, and a
//! change to them is raised.
//!
//! In: a command and the files of the base. Out: a set of paths that also has names which the base lacks: a new `json.py` beside a
//! script would be imported by it. Words are followed as paths, modules, targets and scripts (`runners`), and the text of every file that is run is
//! read for the files that it names and imports. Deliberately not here: settings files known by name (`settings`).

mod search;

use std::collections::{BTreeMap, BTreeSet};

use super::export::Tree;
use crate::model::{Definition, ReviewerKind};
use search::{Search, ending};

/// A larger file is not read for the files that it names.
const LARGEST_READ: usize = 256 << 10;

/// The files of the base.
pub(super) struct BaseFiles<'t> {
    tree: &'t dyn Tree,
    paths: BTreeSet<String>,
}

impl<'t> BaseFiles<'t> {
    /// Lists them.
    pub(super) fn of(tree: &'t dyn Tree) -> Result<Self, String> {
        Ok(Self { tree, paths: tree.base_paths()?.into_iter().collect() })
    }

    pub(super) fn has(&self, path: &str) -> bool {
        self.paths.contains(path)
    }

    fn has_folder(&self, path: &str) -> bool {
        let inside = format!("{path}/");
        self.paths.range(inside.clone()..).next().is_some_and(|first| first.starts_with(&inside))
    }

    pub(super) fn text(&self, path: &str) -> Option<String> {
        let bytes = self.tree.base_bytes(path).filter(|bytes| bytes.len() <= LARGEST_READ)?;
        String::from_utf8(bytes).ok()
    }
}

/// The files that a command runs.
#[derive(Debug, Default)]
pub(super) struct Executed {
    /// Files, there or not.
    files: BTreeSet<String>,
    /// Whole folders.
    folders: BTreeSet<String>,
    /// Folders, and the ending of the files in them that may be loaded.
    beside: BTreeSet<(String, String)>,
    /// Programs, whose settings have their name.
    programs: BTreeSet<String>,
}

impl Executed {
    /// Follows the command of a tool.
    pub(super) fn of(words: &[String], base: &BaseFiles<'_>) -> Self {
        let mut search = Search::new(base, false);
        search.argv(words, "");
        search.is_command = false;
        search.settings();
        search.ended()
    }

    /// Follows the command of a check, which runs what it checks: its tests, and the program that these are about, are no part of its
    /// command.
    pub(super) fn of_check(words: &[String], base: &BaseFiles<'_>) -> Self {
        let mut search = Search::new(base, true);
        search.argv(words, "");
        search.is_command = false;
        search.ended()
    }

    /// Tells whether a path is one of them.
    pub(super) fn has(&self, path: &str) -> bool {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        let ending = ending(name);
        let is_below = |root: &String| path.strip_prefix(root.as_str()).is_some_and(|rest| rest.starts_with('/'));
        self.files.contains(path)
            || self.folders.iter().any(is_below)
            || self.beside.iter().any(|(beside, of)| beside == folder && of == ending)
            || self.programs.iter().any(|program| is_named_after(name, program))
    }
}

/// Tells whether a file has the name of a program, and is no source file: `.mylintrc`, `mylint.config.js`, `mylint.yml`.
fn is_named_after(name: &str, program: &str) -> bool {
    let lower = name.trim_start_matches('.').to_lowercase();
    let rest = lower.strip_prefix(program).filter(|rest| {
        !rest.starts_with(|c: char| c.is_alphabetic()) || rest.starts_with("rc") || rest.starts_with("ignore")
    });
    let is_data = matches!(jury_rules::Language::of(name), None | Some(jury_rules::Language::Yaml));
    rest.is_some() && (is_data && !lower.ends_with(".md") || lower.contains(".config."))
}

/// Joins a folder and a path without looking at the disk: `a` and `../b/./c` is `b/c`. A path that leads out is taken from the root.
pub(super) fn joined(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Returns the files that each reviewer of a kind runs, by its name.
pub(super) fn of_all<'d>(
    kind: ReviewerKind,
    definitions: impl Iterator<Item = &'d Definition>,
    tree: &dyn Tree,
) -> BTreeMap<String, Executed> {
    let mut tools = definitions.filter(|it| it.kind == kind).peekable();
    if tools.peek().is_none() {
        return BTreeMap::new();
    }
    // Where the base cannot be listed, no private copy can be made either, and the tool is a gap.
    let Ok(base) = BaseFiles::of(tree) else { return BTreeMap::new() };
    let executed = |words: &[String]| match kind {
        ReviewerKind::Check => Executed::of_check(words, &base),
        _ => Executed::of(words, &base),
    };
    tools.map(|tool| (tool.name.to_string(), executed(&tool.command))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::export::tests::Given;
    use crate::model::TreeFileKind::Plain;

    /// Tells which of some paths a command runs, on a base with these files.
    fn runs(command: &[&str], base: &[(&'static str, &'static str)], paths: &[&str]) -> Vec<bool> {
        let tree = Given(base.iter().map(|(path, text)| (*path, Plain, *text)).collect());
        let words: Vec<String> = command.iter().map(ToString::to_string).collect();
        let executed = Executed::of(&words, &BaseFiles::of(&tree).unwrap());
        paths.iter().map(|path| executed.has(path)).collect()
    }

    const LINT: (&str, &str) = ("scripts/lint.py", "import helpers, json\nfrom .rules import style\n");
    const HELPERS: (&str, &str) = ("scripts/helpers.py", "import os\n");
    const APP: (&str, &str) = ("src/app.py", "print(1)\n");

    #[test]
    fn every_way_to_name_a_script_leads_to_it() {
        let base = [
            LINT,
            HELPERS,
            APP,
            ("tools/__init__.py", ""),
            ("tools/lint.py", "from tools import shared\n"),
            ("tools/shared.py", ""),
        ];
        for command in [
            &["python3", "scripts/lint.py", "{files}"][..],
            &["python3", "./scripts/lint.py", "{files}"],
            &["python3", "src/../scripts/lint.py", "{files}"],
            &["env", "A=b", "python3", "-u", "scripts/lint.py", "{files}"],
            &["sh", "-c", "./scripts/lint.py \"$@\"", "sh", "{files}"],
            &["bash", "-c", "cd scripts && python3 lint.py", "{files}"],
            &["sh", "-c", "cd scripts; ./lint.py {tree}"],
            &["uv", "run", "scripts/lint.py", "{files}"],
            &["poetry", "run", "python", "scripts/lint.py", "{files}"],
            &["bundle", "exec", "scripts/lint.py", "{files}"],
            &["npx", "--yes", "./scripts/lint.py", "{files}"],
            &["mylint", "--plugin=scripts/lint.py", "{files}"],
            &["mylint", "-c", "scripts/lint.py", "{files}"],
            &["mylint", "-cscripts/lint.py", "{files}"],
            &["mylint", "@scripts/lint.py", "{files}"],
            &["xargs", "-n1", "scripts/lint.py", "{files}"],
        ] {
            let paths = ["scripts/lint.py", "scripts/helpers.py", "scripts/json.py", "src/app.py", "src/lint.py"];
            assert_eq!(runs(command, &base, &paths), [true, true, true, false, false], "{command:?}");
        }
        for command in [&["python3", "-m", "tools.lint", "{files}"][..], &["python3", "-mtools.lint", "{files}"]] {
            let paths =
                ["tools/lint.py", "tools/__init__.py", "tools/shared.py", "tools/new.py", "tools.py", "src/app.py"];
            assert_eq!(runs(command, &base, &paths), [true, true, true, true, true, false], "{command:?}");
        }
        // A module that only the change has would be run in the place of the installed one.
        let paths = ["ruff.py", "ruff/__init__.py", "ruff/__main__.py", "src/ruff.py"];
        assert_eq!(runs(&["python3", "-m", "ruff", "{files}"], &base, &paths), [true, true, true, false]);
    }

    #[test]
    fn data_beside_a_script_is_read_by_it() {
        let lint = ("scripts/lint.py", "words = open(here + 'words' + ENDING).read()\n");
        let base = [lint, ("scripts/words.txt", "FORBIDDEN\n"), ("scripts/other.txt", ""), ("scripts/words.md", "")];
        let paths = ["scripts/words.txt", "scripts/other.txt", "scripts/words.md"];
        assert_eq!(runs(&["python3", "scripts/lint.py", "{files}"], &base, &paths), [true, false, false]);
    }

    #[test]
    fn targets_and_scripts_lead_to_the_files_that_they_run() {
        let make = "include make/lint.mk\nPYTHON = python3\nall: build\nlint: tools\n\t@$(PYTHON) scripts/lint.py\n\ntools:\n\t$(MAKE) -C sub check\n\ndeploy:\n\t./scripts/deploy.sh\n";
        let package = "{\"main\":\"src/app.js\",\"scripts\":{\"lint\":\"npm run style && node tools/lint.js\",\"prelint\":\"sh tools/before.sh\",\"style\":\"node ./tools/style\",\"deploy\":\"node tools2/deploy.js\"}}";
        let base = [
            LINT,
            HELPERS,
            APP,
            ("Makefile", make),
            ("make/lint.mk", "EXTRA = sh other/extra.sh\n"),
            ("other/extra.sh", ". ./other/lib.sh\n"),
            ("other/lib.sh", ""),
            ("sub/Makefile", "check:\n\t./check.sh\n"),
            ("sub/check.sh", ""),
            ("scripts/deploy.sh", ""),
            ("package.json", package),
            ("src/app.js", ""),
            ("tools/lint.js", "const h = require('./lib/h');\nimport rules from \"../rules/index.js\";\n"),
            ("tools/lib/h.js", ""),
            ("rules/index.js", ""),
            ("tools/style.js", ""),
            ("tools/before.sh", ""),
            ("tools2/deploy.js", ""),
            ("justfile", "lint:\n  python3 scripts/lint.py\n"),
            ("tox.ini", "[testenv]\ncommands = python3 scripts/lint.py {posargs}\n"),
        ];
        let paths =
            ["Makefile", "scripts/lint.py", "scripts/helpers.py", "sub/Makefile", "sub/check.sh", "GNUmakefile"];
        assert_eq!(runs(&["make", "lint", "FILES={tree}"], &base, &paths), [true; 6]);
        let honest = ["src/app.py", "src/app.js", "scripts/deploy.sh", "tools2/deploy.js", "README.md"];
        assert_eq!(runs(&["make", "lint", "FILES={tree}"], &base, &honest), [false; 5]);
        let paths = ["tools/lint.js", "tools/lib/h.js", "rules/index.js", "tools/style.js", "tools/before.sh"];
        for command in [
            &["npm", "run", "lint", "--", "{files}"][..],
            &["yarn", "lint", "{files}"],
            &["pnpm", "--silent", "lint", "{files}"],
        ] {
            assert_eq!(runs(command, &base, &paths), [true; 5], "{command:?}");
            assert_eq!(runs(command, &base, &honest), [false; 5], "{command:?}");
        }
        for command in [&["just", "lint", "{files}"][..], &["tox", "-e", "lint", "{files}"]] {
            assert_eq!(runs(command, &base, &["scripts/lint.py", "src/app.py"]), [true, false], "{command:?}");
        }
    }

    #[test]
    fn a_program_of_the_machine_runs_no_source() {
        let base = [APP, ("src/lint.ts", ""), ("docs/mylint.md", "")];
        let paths = ["src/app.py", "src/lint.ts", "src/mylint.py", "docs/mylint.md"];
        assert_eq!(runs(&["mylint", "--strict", "{files}"], &base, &paths), [false; 4]);
        assert_eq!(runs(&["/opt/bin/mylint", "src", "{tree}"], &base, &paths), [false; 4]);
        let base = [
            (
                "eslint.config.js",
                "import ours from './lint-rules/index.js';\nexport default [{ignores: ['src/app.js']}];\n",
            ),
            ("lint-rules/index.js", "import './one.js';\n"),
            ("lint-rules/one.js", ""),
            ("src/app.js", ""),
        ];
        let paths = ["lint-rules/index.js", "lint-rules/one.js", "src/app.js"];
        assert_eq!(runs(&["eslint", "{files}"], &base, &paths), [true, true, false]);
        let base = [APP];
        let settings = ["mylint.toml", ".mylintrc", ".mylint.yml", "mylint.config.js", "a/.mylintignore"];
        assert_eq!(runs(&["mylint", "--strict", "{files}"], &base, &settings), [true; 5]);
    }
}
