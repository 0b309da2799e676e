//! What is part of a program, whatever it is called. In: a file, and the tree around it. Out: whether code that is no test uses the file, and
//! what the touched lines of the file make part of the program.
//!
//! The name of a test is no more than a claim. A file that other code imports, or has under another name by a link, is code of
//! the program (docs/decisions/033).

use std::collections::BTreeSet;
use std::sync::OnceLock;

use crate::imports::{Import, folder_of, imports, may_import, names_of, resolved};
use crate::language::Language;
use crate::test_files::TestFiles;
use crate::{SourceFile, paths};

/// The limits on the files and bytes in which an import of a test is looked for.
const MOST_FILES: usize = 20_000;
const MOST_BYTES: usize = 128 * 1024 * 1024;
/// How many files on the way from production code to a test are followed.
const LONGEST_WAY: usize = 4;
/// How many files one line can bring in.
const MOST_BROUGHT: usize = 200;

/// Facts about a tree, each looked up once for all specialists.
#[derive(Default)]
pub(crate) struct TreeFacts {
    pub(crate) paths: OnceLock<Vec<String>>,
    importers: OnceLock<Importers>,
    links: OnceLock<Vec<Link>>,
}

/// The imports of a tree's code.
struct Importers {
    files: Vec<(String, Vec<Import>)>,
    is_cut_short: bool,
}

/// A symlink, with the path in the tree that it leads to.
#[derive(Clone)]
struct Link {
    path: String,
    target: String,
}

impl Link {
    /// Returns the name that the link gives to a file that it leads to.
    fn name_of(&self, path: &str) -> Option<String> {
        moved(path, &self.target, &self.path)
    }

    /// Returns the path that a path through the link leads to.
    fn path_behind(&self, path: &str) -> Option<String> {
        moved(path, &self.path, &self.target)
    }
}

/// Replaces the folder that a path lies in, or the whole path.
fn moved(path: &str, from: &str, to: &str) -> Option<String> {
    if path == from {
        return Some(to.to_owned());
    }
    let rest = if from.is_empty() { path } else { path.strip_prefix(from)?.strip_prefix('/')? };
    Some(if to.is_empty() { rest.to_owned() } else { format!("{to}/{rest}") })
}

/// A file that a touched line makes part of the program.
pub(crate) struct BroughtIn {
    /// The line.
    pub(crate) line: u32,
    /// Its path.
    pub(crate) path: String,
    /// The path that the program has it under.
    pub(crate) name: String,
}

impl TestFiles<'_> {
    /// Tells whether code that is no test runs a file: imports it, or has it under a name of its own by a link. What cannot be searched
    /// may do so.
    pub(crate) fn is_used(&self, path: &str) -> bool {
        self.is_used_within(path, LONGEST_WAY)
    }

    fn is_used_within(&self, path: &str, steps: usize) -> bool {
        // The compiler of Go leaves these out of every import.
        if path.ends_with("_test.go") {
            return false;
        }
        let is_linked = self.links().iter().any(|link| {
            let name = link.name_of(path);
            name.is_some_and(|name| !self.is_of_tests(&name))
        });
        let importers = self.facts.importers.get_or_init(|| self.read_importers());
        let brings = |(importer, imports): &&(String, Vec<Import>)| {
            importer != path && imports.iter().any(|import| import.leads_to(importer, path))
        };
        let is_production =
            |importer: &str| !self.is_of_tests(importer) || steps > 0 && self.is_used_within(importer, steps - 1);
        is_linked
            || importers.is_cut_short
            || importers.files.iter().filter(brings).any(|(importer, _)| is_production(importer))
    }

    fn is_of_tests(&self, path: &str) -> bool {
        let role = self.role(path, Language::of(path));
        role.is_test || role.is_among_tests
    }

    fn read_importers(&self) -> Importers {
        let mut read = Importers { files: Vec::new(), is_cut_short: false };
        let mut bytes = 0;
        for path in self.paths().iter().filter(|path| may_import(path) && !paths::is_foreign(path)) {
            if read.files.len() == MOST_FILES || bytes > MOST_BYTES {
                read.is_cut_short = true;
                break;
            }
            let Some(text) = self.tree.text(path) else { continue };
            bytes += text.len();
            read.files.push((path.clone(), imports(path, &text)));
        }
        read
    }

    /// Lists what the touched lines of a file make part of the program that was laxly looked at as part of tests, and what that brings
    /// along; for a link, what it leads to.
    pub(crate) fn brought_in(&self, file: &SourceFile<'_>) -> Vec<BroughtIn> {
        let path = file.path;
        if self.is_of_tests(path) || paths::is_test(path) {
            return Vec::new();
        }
        let mut brought: Vec<BroughtIn> = Vec::new();
        // A link says one line, without an end.
        let link = || self.links().iter().find(|link| link.path == path);
        if let Some(link) = (!file.text.contains('\n')).then(link).flatten() {
            for target in self.paths() {
                let name = link.name_of(target).filter(|name| !paths::is_test(name));
                brought.extend(name.map(|name| BroughtIn { line: 1, path: target.clone(), name }));
            }
        } else {
            let is_touched = |line: u32| file.touched.iter().any(|(first, last)| (*first..=*last).contains(&line));
            let all: Vec<Import> =
                imports(path, file.text).into_iter().filter(|import| is_touched(import.line)).collect();
            self.add_imported(path, &all, None, &mut brought);
        }
        let mut next = 0;
        while let Some((path, line)) = brought.get(next).map(|one| (one.path.clone(), one.line)) {
            next += 1;
            if brought.len() < MOST_BROUGHT
                && let Some(text) = self.tree.text(&path)
            {
                self.add_imported(&path, &imports(&path, &text), Some(line), &mut brought);
            }
        }
        brought.truncate(MOST_BROUGHT);
        brought
    }

    /// Adds the files of tests that imports lead to.
    fn add_imported(&self, importer: &str, imports: &[Import], at: Option<u32>, brought: &mut Vec<BroughtIn>) {
        if imports.is_empty() {
            return;
        }
        let ends: BTreeSet<&str> = imports.iter().map(Import::end).collect();
        let is_candidate = |target: &&String| {
            *target != importer
                && names_of(target).any(|name| ends.contains(name))
                && !target.ends_with("_test.go")
                && (paths::is_test(target) || self.is_of_tests(target))
        };
        for target in self.paths().iter().filter(is_candidate) {
            let Some(import) = imports.iter().find(|import| import.leads_to(importer, target)) else { continue };
            if !brought.iter().any(|one| one.path == *target) {
                let line = at.unwrap_or(import.line);
                brought.push(BroughtIn { line, path: target.clone(), name: target.clone() });
            }
        }
    }

    fn links(&self) -> &[Link] {
        self.facts.links.get_or_init(|| {
            let links = self.tree.links().into_iter();
            let link =
                |(path, target): (String, String)| Some(Link { target: resolved(folder_of(&path), &target)?, path });
            let mut links: Vec<Link> = links.filter_map(link).collect();
            // A link may lead to a link.
            for _ in 0..LONGEST_WAY {
                let all = links.clone();
                for link in &mut links {
                    let next = all.iter().find_map(|other| other.path_behind(&link.target));
                    link.target = next.unwrap_or_else(|| link.target.clone());
                }
            }
            links
        })
    }
}
