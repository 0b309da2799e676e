//! What a file brings in. In: a path and a text. Out: the imports, each with its line, and whether one of them leads to another path.
//!
//! Lines are read, not programs: `import`, `require`, `include` and their kin with a quoted path, dotted modules of Python and names of
//! PHP. A path is resolved from the folder of its file; one that starts at an alias or at a package is compared by its last two parts.

use std::sync::OnceLock;

use regex::Regex;

use crate::carrier::Form;
use crate::language::Language;
use crate::reader::Reader;

/// One import of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Import {
    /// Its line, from 1.
    pub(crate) line: u32,
    what: What,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    /// A path as it is written, or the name of a package.
    Path(String),
    /// A module of Python: how many folders above the file's own it starts, if it does not start at a root, and its parts.
    Module { above: Option<usize>, parts: Vec<String> },
}

/// Lists the imports of a file, as far as lines show them.
pub(crate) fn imports(path: &str, text: &str) -> Vec<Import> {
    let Some(language) = Reader::of(path, text).map(|reader| reader.language) else { return Vec::new() };
    let mut found = Vec::new();
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
    let line = |at: usize| 1 + ends.partition_point(|end| *end < at) as u32;
    // The settings of a tool name the tests themselves.
    if is_tool_settings(path) {
        return found;
    }
    let forms = forms();
    let mut add_path = |at: usize, written: &str| {
        found.push(Import { line: line(at), what: What::Path(written.to_owned()) });
    };
    for one in forms.quoted.captures_iter(text) {
        add_path(one.get(0).expect("the whole match").start(), &one[1]);
    }
    // A worker or a child process.
    for one in forms.relative.captures_iter(text) {
        add_path(one.get(0).expect("the whole match").start(), &one[1]);
    }
    match language {
        Language::Go => {
            for one in forms.go.captures_iter(text) {
                add_path(one.get(1).expect("the group is not optional").start(), &one[1]);
            }
        }
        Language::Php => {
            for one in forms.php.captures_iter(text) {
                let at = one.get(1).expect("the group is not optional").start();
                add_path(at, &one[1].replace('\\', "/"));
            }
        }
        Language::Python => found.extend(modules(text, line)),
        _ => {}
    }
    found
}

/// The forms of imports.
struct Forms {
    quoted: Regex,
    relative: Regex,
    go: Regex,
    php: Regex,
    python_from: Regex,
    python_import: Regex,
    python_called: Regex,
}

fn forms() -> &'static Forms {
    static FORMS: OnceLock<Forms> = OnceLock::new();
    FORMS.get_or_init(|| {
        let regex = |pattern: &str| Regex::new(pattern).expect("a test compiles it");
        Forms {
            quoted: regex(
                r#"(?:\b(?:from|import|require|require_relative|require_once|include|include_once|load)\b|\binclude!|\bpath\s*=)\s*\(?\s*(?:(?:__DIR__|dirname\(__FILE__\))\s*\.\s*)?["'`]([^"'`\s]+)["'`]"#,
            ),
            relative: regex(r#"["'`](\.{1,2}/[^"'`\s]+)["'`]"#),
            go: regex(r#"(?m)^\s*(?:import\s+)?(?:[\w.]+\s+)?"([^"\s]+/[^"\s]+)"\s*(?://.*)?$"#),
            php: regex(r"(?m)^\s*use\s+(?:function\s+|const\s+)?\\?(\w+(?:\\\w+)+)"),
            python_from: regex(r"(?m)^[ \t]*from[ \t]+(\.*)([\w.]*)[ \t]+import[ \t]+(?:\(([^)]*)\)|([^\n#]*))"),
            python_import: regex(r"(?m)^[ \t]*import[ \t]+([\w., \t]+)"),
            python_called: regex(r#"\b(?:import_module|__import__|run_module)\(\s*["']([\w.]+)["']"#),
        }
    })
}

fn modules(text: &str, line: impl Fn(usize) -> u32) -> Vec<Import> {
    let parts = |dotted: &str| dotted.split('.').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let mut found = Vec::new();
    let forms = forms();
    for one in forms.python_from.captures_iter(text) {
        let at = line(one.get(2).expect("the group is not optional").start());
        let above = one[1].len().checked_sub(1);
        let module = parts(&one[2]);
        let names = one.get(3).or_else(|| one.get(4)).map_or("", |names| names.as_str());
        let names = names.split(',').filter_map(|name| name.split_whitespace().next());
        for name in names.map(|name| vec![name.to_owned()]).chain([Vec::new()]) {
            let parts = [module.clone(), name].concat();
            found.push(Import { line: at, what: What::Module { above, parts } });
        }
    }
    let mut add = |at: usize, dotted: &str| {
        found.push(Import { line: line(at), what: What::Module { above: None, parts: parts(dotted) } });
    };
    for one in forms.python_import.captures_iter(text) {
        let names = one[1].split(',').filter_map(|name| name.split_whitespace().next());
        names.for_each(|name| add(one.get(1).expect("the group is not optional").start(), name));
    }
    for one in forms.python_called.captures_iter(text) {
        add(one.get(1).expect("the group is not optional").start(), &one[1]);
    }
    found
}

/// Returns the names of a file, and of the folder that it may stand for, with and without an extension.
pub(crate) fn names_of(path: &str) -> impl Iterator<Item = &str> {
    let last = |path| str::rsplit(path, '/').next().unwrap_or_default();
    [last(path), last(without_extension(path)), last(folder_of(path))].into_iter()
}

impl Import {
    /// Returns the last name of the import, which is one of those of every file that it leads to.
    pub(crate) fn end(&self) -> &str {
        match &self.what {
            What::Module { parts, .. } => parts.last().map_or("", String::as_str),
            What::Path(written) => {
                let written = written.split(['?', '#']).next().unwrap_or_default().trim_end_matches('/');
                let name = written.rsplit('/').next().unwrap_or_default();
                if has_code_extension(name) { without_extension(name) } else { name }
            }
        }
    }

    /// Tells whether the import of a file leads to another file.
    pub(crate) fn leads_to(&self, importer: &str, target: &str) -> bool {
        let (folder, bare) = (folder_of(target), without_extension(target));
        // A folder stands for the file that is its face, and for all files of a package of Go.
        let is_face = matches!(bare.rsplit('/').next(), Some("index" | "__init__" | "mod")) || target.ends_with(".go");
        let is_target = |path: &str| path == target || path == bare || is_face && path == folder;
        match &self.what {
            What::Module { above: Some(above), parts } => {
                let mut from: Vec<&str> = importer.split('/').collect();
                let Some(left) = from.len().checked_sub(above + 1) else { return false };
                from.truncate(left);
                from.extend(parts.iter().map(String::as_str));
                is_target(&from.join("/"))
            }
            What::Module { above: None, parts } => {
                let module = parts.join("/");
                let face = if is_face { folder } else { bare };
                let is_beside = folder_of(importer) == folder || folder.is_empty();
                !module.is_empty()
                    && (face == module || face.ends_with(&format!("/{module}")) && (parts.len() > 1 || is_beside))
            }
            What::Path(written) => {
                let written = written.split(['?', '#']).next().unwrap_or_default();
                let from_here = resolved(folder_of(importer), written.trim_start_matches('/'));
                let is_here = from_here.is_some_and(|path| {
                    is_target(&path) || has_code_extension(&path) && without_extension(&path) == bare
                });
                is_here || !written.starts_with('.') && ends_alike(written, target, bare, is_face.then_some(folder))
            }
        }
    }
}

/// Tells whether a path that starts elsewhere ends like the target, in two parts at least.
fn ends_alike(written: &str, target: &str, bare: &str, face: Option<&str>) -> bool {
    let last_two = |path: &str| {
        let mut parts = path.rsplit('/').filter(|part| !part.is_empty());
        Some((parts.next()?.to_owned(), parts.next()?.to_owned()))
    };
    let Some(end) = last_two(written) else { return false };
    [Some(target), Some(bare), face].into_iter().flatten().any(|path| last_two(path).as_ref() == Some(&end))
}

/// Joins a folder and a relative path; `None` if that leads out of the tree.
pub(crate) fn resolved(folder: &str, relative: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

pub(crate) fn folder_of(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn without_extension(path: &str) -> &str {
    let name = path.rfind('/').map_or(0, |at| at + 1);
    path[name..].rfind('.').filter(|at| *at > 0).map_or(path, |at| &path[..name + at])
}

/// An import of `./a.js` may mean `./a.ts`.
fn has_code_extension(path: &str) -> bool {
    [".js", ".mjs", ".cjs", ".jsx"].iter().any(|end| path.ends_with(end))
}

/// Tells whether a file may hold code that imports another.
pub(crate) fn may_import(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    Language::of(path).is_some() || Form::of(name).is_some()
}

/// Tells whether a file holds the settings of a tool, in code: `vitest.config.ts`, `karma.conf.js`.
fn is_tool_settings(path: &str) -> bool {
    path.rsplit('/').next().unwrap_or_default().split('.').skip(1).any(|part| matches!(part, "config" | "conf"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leads(importer: &str, text: &str, target: &str) -> bool {
        imports(importer, text).iter().any(|import| import.leads_to(importer, target))
    }

    #[test]
    fn imports_lead_to_their_files() {
        for (importer, text, target) in [
            ("src/index.ts", "export { list } from \"./__mocks__/list\";", "src/__mocks__/list.ts"),
            ("src/index.ts", "import './__mocks__/list.js'", "src/__mocks__/list.ts"),
            ("src/a/b.js", "const x = require('../x.test')", "src/x.test.js"),
            ("src/a.ts", "const x = await import(`./__mocks__`);", "src/__mocks__/index.ts"),
            ("src/a.ts", "import x from '@/shop/__mocks__/list'", "src/shop/__mocks__/list.ts"),
            ("src/a.ts", "new Worker(new URL('./w.test.ts', import.meta.url))", "src/w.test.ts"),
            ("app/main.py", "from app.test_tools import run", "app/test_tools.py"),
            ("app/main.py", "from . import test_tools", "app/test_tools.py"),
            ("app/sub/main.py", "from ..test_tools import (\n    run,\n)", "app/test_tools.py"),
            ("app/main.py", "import tests.test_tools as t", "tests/test_tools.py"),
            ("main.py", "import conftest", "conftest.py"),
            ("main.py", "m = importlib.import_module('tests.conftest')", "tests/conftest.py"),
            ("lib/a.rb", "require_relative '../spec/list_spec'", "spec/list_spec.rb"),
            ("lib/a.rb", "require 'spec/list_spec'", "spec/list_spec.rb"),
            ("src/A.php", "require_once __DIR__ . '/../tests/ListTest.php';", "tests/ListTest.php"),
            ("src/A.php", "use App\\Tests\\ListTest;", "app/Tests/ListTest.php"),
            ("cmd/main.go", "import (\n\t\"fmt\"\n\tx \"example.com/m/testdata/list\"\n)", "testdata/list/list.go"),
            (
                "src/A.vue",
                "<script setup>\nimport { list } from './__mocks__/list'\n</script>",
                "src/__mocks__/list.ts",
            ),
            ("src/lib.rs", "#[path = \"../tests/list.rs\"]\nmod list;", "tests/list.rs"),
            ("src/lib.rs", "include!(\"../tests/list.rs\");", "tests/list.rs"),
        ] {
            assert!(leads(importer, text, target), "{importer}: {text}");
        }
        for (importer, text, target) in [
            ("src/index.ts", "export { list } from \"./list\";", "src/__mocks__/list.ts"),
            ("src/index.ts", "import list from 'list'", "src/__mocks__/list.ts"),
            ("vitest.config.ts", "setupFiles: ['./src/a.test.ts']", "src/a.test.ts"),
            ("app/main.py", "import tools", "tests/test_tools.py"),
            ("app/main.py", "from app import tools", "app/test_tools.py"),
            ("app/main.py", "import conftest", "tests/conftest.py"),
            ("lib/a.rb", "require 'list'", "spec/list_spec.rb"),
            ("cmd/main.go", "import \"example.com/m/list\"", "testdata/list/list.go"),
        ] {
            assert!(!leads(importer, text, target), "{importer}: {text}");
        }
        assert_eq!(imports("a.ts", "\n\nimport './b'")[0].line, 3);
    }
}
