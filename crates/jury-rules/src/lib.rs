//! The built-in specialists: rule packs (data, one YAML file per rule) and the engine that runs them over changed files.
//!
//! In: the changed files of a scope and the rules of one domain. Out: findings in the vocabulary of 004, as from any
//! other reviewer. Deliberately not here: deciding, merging, and any other processing of a claim; files, clock,
//! network.

mod ambiguous;
mod carrier;
mod checksum;
mod claim;
mod declared;
mod dropped;
mod engine;
mod file_kind;
mod flow;
mod guard;
mod guarding;
mod ignore;
mod imports;
mod keyword_index;
mod keywords;
mod language;
mod node_condition;
mod nodes;
mod outline;
mod pack;
mod packed;
mod parsed;
mod paths;
mod php;
mod plausible_secret;
mod program;
mod project;
mod reader;
mod redact;
mod rewrite;
mod rule;
mod rules;
mod siblings;
mod sql;
mod supply_chain;
mod syntax;
mod test_files;
mod test_modules;
mod text;
mod trial;
mod uses;
mod words;

pub use declared::declared;
pub use engine::{Review, is_looked_at_alike};
pub use guarding::{Before, Guarding};
pub use ignore::{Ignore, ignores};
pub use language::Language;
pub use outline::{TestCase, marks_tests, outline};
pub use pack::{SPECIALISTS, Specialist, by_domain};
pub use parsed::Parsed;
pub use paths::{is_foreign, is_test};
pub use project::{PROJECT, RuleError, RuleFile};
pub use reader::{Reading, reading};
pub use redact::{Redactor, mask, redact};
pub use rewrite::Rewrite;
pub use rule::{Autofix, Example, Examples, Owner, Rule, Severity};
pub use supply_chain::{PackageChange, is_lockfile};
pub use trial::Failure;

/// The tree around the changed files, read only by rules that look beyond them.
pub trait Tree: Sync {
    /// Returns the paths of all its files.
    fn paths(&self) -> Vec<String>;

    /// Returns the content of a file; `None` if it is not text.
    fn text(&self, path: &str) -> Option<String>;

    /// Returns its symlinks, each with the path that it holds.
    fn links(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Returns the content of a file before the change; `None` if the base does not have it.
    fn base_text(&self, path: &str) -> Option<String> {
        self.text(path)
    }

    /// Returns the paths of files that the base has and the change deletes or moves.
    fn gone(&self) -> Vec<String> {
        Vec::new()
    }
}

/// A tree that holds only the changed files.
pub struct NoTree;

impl Tree for NoTree {
    fn paths(&self) -> Vec<String> {
        Vec::new()
    }

    fn text(&self, _: &str) -> Option<String> {
        None
    }
}

/// A file as it is after the change.
#[derive(Clone, Copy, Debug)]
pub struct SourceFile<'a> {
    /// The path from the root of the repository.
    pub path: &'a str,
    /// The content of the file.
    pub text: &'a str,
    /// The ranges of lines that the change touches, both ends included, ascending.
    pub touched: &'a [(u32, u32)],
}
