//! The specialists and their rules. In: the rule files, embedded. Out: compiled rules, each part made when it is first
//! needed: a change without TypeScript never loads its grammar, and a rule whose keywords do not occur is never compiled.
//!
//! A new rule is one file under `rules/<domain>/` and its name in the table below.

use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use crate::engine::{self, Review};
use crate::keywords::Keywords;
use crate::language::Language;
use crate::paths::Reach;
use crate::redact::hex;
use crate::rewrite::{self, Rewrite};
use crate::rule::Rule;
use crate::syntax::Compiled;
use crate::text::Scan;
use crate::{Before, SourceFile};

/// Changes whenever the engine finds something else by the same rules.
const ENGINE_VERSION: &str = "2";

/// A built-in reviewer: a domain and its rules.
pub struct Specialist {
    /// The domain, as findings name it.
    pub domain: &'static str,
    /// What it looks for.
    pub what: &'static str,
    sources: &'static [Source],
    rules: OnceLock<Vec<Rule>>,
    reach: OnceLock<Vec<Reach>>,
    keywords: OnceLock<Keywords>,
    text: OnceLock<Scan>,
    compiled: [OnceLock<Vec<OnceLock<Compiled>>>; Language::COUNT],
}

/// A rule file.
struct Source {
    id: &'static str,
    yaml: &'static str,
}

/// Embeds the rule files of a domain.
macro_rules! rules {
    ($domain:literal: $($id:literal),* $(,)?) => {
        &[$(Source { id: $id, yaml: include_str!(concat!("../rules/", $domain, "/", $id, ".yml")) }),*]
    };
}

/// The built-in specialists.
pub static SPECIALISTS: &[Specialist] = &ALL;

static ALL: [Specialist; 5] = [
    Specialist::new(
        "security",
        "injection, secrets, broken cryptography, unsafe defaults, destructive migrations",
        // Of two rules that find the same secret, the one that stands first has it.
        rules!("security":
            "private-key",
            "aws-access-key",
            "aws-secret-key",
            "github-token",
            "slack-token",
            "stripe-key",
            "service-token",
            "json-web-token",
            "credentials-in-url",
            "hard-coded-credential",
            "code-injection",
            "command-injection",
            "cors-any-origin",
            "destructive-migration",
            "dom-xss",
            "insecure-random",
            "jwt-unverified",
            "open-redirect",
            "path-traversal",
            "server-side-request",
            "sql-injection",
            "tls-verification-off",
            "unsafe-deserialisation",
            "weak-hash",
        ),
    ),
    Specialist::new(
        "typescript-quality",
        "promises that nobody awaits, errors that nobody sees, types that say nothing",
        rules!("typescript-quality":
            "any-assertion",
            "array-delete",
            "assignment-in-condition",
            "async-effect",
            "async-for-each",
            "async-predicate",
            "async-promise-executor",
            "async-route-unhandled",
            "await-array",
            "console-log",
            "double-assertion",
            "effect-leak",
            "effect-loop",
            "empty-catch",
            "explicit-any",
            "floating-promise",
            "focused-test",
            "hook-not-at-top",
            "leave-in-finally",
            "literal-comparison",
            "loose-equality",
            "missing-await",
            "nan-comparison",
            "non-null-lookup",
            "non-null-map-get",
            "number-sort",
            "promise-in-condition",
            "promise-without-catch",
            "react-state-mutation",
            "switch-fallthrough",
            "throw-literal",
            "ts-ignore",
            "unawaited-return-in-try",
            "union-not-exhausted",
            "unsafe-json-parse",
        ),
    ),
    Specialist::new(
        "testing",
        "tests that do not run, tests that cannot fail, assertions that are never made",
        rules!("testing":
            "constant-assertion",
            "deleted-test",
            "empty-test",
            "expect-without-matcher",
            "py-assert-true-compares",
            "py-assert-tuple",
            "py-mock-assertion-not-made",
            "skipped-test",
            "swallowed-assertion",
            "test-without-assertion",
            "unawaited-expect",
        ),
    ),
    Specialist::new(
        "api-patterns",
        "handlers that answer twice, not at all, or with the wrong status; bodies that nobody checks",
        rules!("api-patterns":
            "js-answered-twice",
            "js-body-parse-unguarded",
            "js-catch-without-answer",
            "js-error-with-ok-status",
            "js-unvalidated-body",
            "py-blocking-in-async",
            "py-error-with-ok-status",
            "py-handler-drops-error",
            "py-unvalidated-body",
        ),
    ),
    Specialist::new(
        "data-migration",
        "migrations that lose data, lock tables, break the running release or cannot be taken back",
        rules!("data-migration":
            "js-migration-drops-data",
            "js-migration-without-down",
            "py-migration-drops-data",
            "py-migration-without-down",
            "py-not-null-without-default",
            "rb-irreversible-migration",
            "rb-migration-drops-data",
            "rb-not-null-without-default",
            "sql-constraint-locks-table",
            "sql-drop-column",
            "sql-index-locks-writes",
            "sql-not-null-without-default",
            "sql-rename",
            "sql-set-not-null",
            "sql-type-change",
            "sql-update-all-rows",
        ),
    ),
];

/// Returns the specialist of a domain.
pub fn by_domain(domain: &str) -> Option<&'static Specialist> {
    SPECIALISTS.iter().find(|specialist| specialist.domain == domain)
}

/// Returns the rules that find secrets, of all specialists.
pub(crate) fn secret_rules() -> impl Iterator<Item = &'static Rule> {
    let rules = SPECIALISTS.iter().flat_map(|specialist| specialist.all_rules());
    rules.filter(|rule| rule.text.as_ref().is_some_and(|text| text.secret.is_some()))
}

impl Specialist {
    const fn new(domain: &'static str, what: &'static str, sources: &'static [Source]) -> Self {
        Self {
            domain,
            what,
            sources,
            rules: OnceLock::new(),
            reach: OnceLock::new(),
            keywords: OnceLock::new(),
            text: OnceLock::new(),
            compiled: [const { OnceLock::new() }; Language::COUNT],
        }
    }

    /// Reviews files. It reads nothing else, and the same files give the same review.
    pub fn review(&'static self, files: &[SourceFile<'_>]) -> Review {
        self.review_since(files, &[])
    }

    /// Reviews files, and what the change took away from them or with them.
    pub fn review_since(&'static self, files: &[SourceFile<'_>], before: &[Before<'_>]) -> Review {
        engine::review(self, files, before)
    }

    /// Returns what could stand in the place of the findings of a file, for those whose rule states it.
    pub fn rewrites(&'static self, file: &SourceFile<'_>) -> Vec<Rewrite> {
        rewrite::rewrites(self, file)
    }

    /// Returns the digest of all that decides what it finds, in hexadecimal: for caches and records.
    pub fn definition_digest(&self) -> String {
        let mut digest = Sha256::new();
        for part in [ENGINE_VERSION, self.domain].into_iter().chain(self.sources.iter().map(|source| source.yaml)) {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        hex(&digest.finalize())
    }

    /// Returns its rules, in the order of the table.
    pub fn rules(&'static self) -> impl Iterator<Item = &'static Rule> {
        self.all_rules().iter()
    }

    pub(crate) fn all_rules(&'static self) -> &'static [Rule] {
        let parse = |source: &Source| {
            let rule =
                Rule::parse(source.yaml).and_then(|rule| if rule.id == source.id { Ok(rule) } else { Err(rule.id) });
            rule.unwrap_or_else(|error| panic!("a test reads every rule file, {} too: {error}", source.id))
        };
        self.rules.get_or_init(|| self.sources.iter().map(parse).collect())
    }

    pub(crate) fn reach(&'static self) -> &'static [Reach] {
        let read = |rule| Reach::of(rule).expect("a test reads the globs of every rule");
        self.reach.get_or_init(|| self.all_rules().iter().map(read).collect())
    }

    pub(crate) fn text_scan(&'static self) -> &'static Scan {
        self.text.get_or_init(|| Scan::of(self.all_rules().iter()))
    }

    pub(crate) fn keywords(&'static self) -> &'static Keywords {
        self.keywords.get_or_init(|| Keywords::of(self.all_rules().iter()))
    }

    /// Returns those rules for a language that may match, compiled.
    pub(crate) fn compiled(&'static self, language: Language, may_match: &[bool]) -> Vec<&'static Compiled> {
        let rules = self.all_rules();
        let all = self.compiled[language.index()].get_or_init(|| rules.iter().map(|_| OnceLock::new()).collect());
        let compile = |at: usize| Compiled::new(at, &rules[at], language).expect("a test compiles every rule");
        let wanted = (0..rules.len()).filter(|at| may_match[*at] && rules[*at].is_for(language));
        wanted.map(|at| all[at].get_or_init(|| compile(at))).collect()
    }

    /// Tells whether any rule is for a language.
    pub(crate) fn reads(&'static self, language: Language) -> bool {
        self.all_rules().iter().any(|rule| rule.is_for(language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_change_needs_is_compiled() {
        let fresh: &'static Specialist = Box::leak(Box::new(Specialist::new("security", "", ALL[0].sources)));
        let compiled = |language: Language| {
            let rules = fresh.compiled[language.index()].get().into_iter().flatten();
            rules.filter(|rule| rule.get().is_some()).count()
        };
        fresh.review(&[SourceFile { path: "a.md", text: "eval(x)", touched: &[] }]);
        assert_eq!((compiled(Language::TypeScript), compiled(Language::Python)), (0, 0));
        fresh.review(&[SourceFile { path: "a.py", text: "a = 1", touched: &[] }]);
        assert_eq!((compiled(Language::TypeScript), compiled(Language::Python)), (0, 0));
        fresh.review(&[SourceFile { path: "a.py", text: "eval(a)", touched: &[] }]);
        assert_eq!((compiled(Language::TypeScript), compiled(Language::Python)), (0, 1));
    }

    #[test]
    fn every_rule_compiles_for_all_of_its_languages() {
        for specialist in SPECIALISTS {
            let all = vec![true; specialist.all_rules().len()];
            assert_eq!(specialist.reach().len(), all.len());
            specialist.text_scan().matches("", &all);
            let compiled = Language::ALL.map(|language| specialist.compiled(language, &all).len());
            let expected =
                Language::ALL.map(|language| specialist.rules().filter(|rule| rule.is_for(language)).count());
            assert_eq!(compiled, expected);
        }
    }
}
