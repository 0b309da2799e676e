//! The built-in specialists: rule packs (data, one YAML file per rule) and the engine that runs them over changed files.
//!
//! In: the changed files of a scope and the rules of one domain. Out: what any other reviewer returns, in the words of 004.
//! Deliberately not here: deciding, merging, or anything else that happens to a claim once it is made; files, clock, network.

mod ambiguous;
mod checksum;
mod claim;
mod credible;
mod dropped;
mod engine;
mod flow;
mod guard;
mod ignore;
mod keywords;
mod language;
mod near;
mod nodes;
mod pack;
mod paths;
mod php;
mod project;
mod redact;
mod rewrite;
mod rule;
mod rules;
mod shape;
mod sql;
mod syntax;
mod test_modules;
mod text;
mod tree;
mod trial;
mod uses;
mod words;

pub use engine::{Review, broken_file};
pub use ignore::{Ignore, ignores};
pub use language::Language;
pub use pack::{SPECIALISTS, Specialist, by_domain};
pub use paths::is_test;
pub use project::{PROJECT, RuleError, RuleFile};
pub use redact::{Redactor, mask, redact};
pub use rewrite::Rewrite;
pub use rule::{Autofix, Example, Examples, Owner, Rule, Severity};
pub use tree::Parsed;
pub use trial::Failure;

/// The tree that the changed files stand in, read only by what has to look beyond them.
pub trait Tree: Sync {
    /// Returns the paths of all its files.
    fn paths(&self) -> Vec<String>;

    /// Returns what a file says; `None` if it is not text.
    fn text(&self, path: &str) -> Option<String>;
}

/// A tree of which nothing is known but what changed.
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
    /// What the file says.
    pub text: &'a str,
    /// The ranges of lines that the change touches, both ends included, ascending.
    pub touched: &'a [(u32, u32)],
}
