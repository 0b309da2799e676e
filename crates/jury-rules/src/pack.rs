//! The specialists and their rules. In: the rule files, embedded. Out: compiled rules, each part made when it is first
//! needed: a change without TypeScript never loads its grammar, and a rule whose keywords do not occur is never compiled.
//!
//! A new rule is one file under `rules/<domain>/` and its name in the table below.

use std::sync::OnceLock;

use sha2::{Digest, Sha256};

use crate::SourceFile;
use crate::engine::{self, Review};
use crate::keywords::Keywords;
use crate::language::Language;
use crate::paths::Reach;
use crate::redact::hex;
use crate::rule::Rule;
use crate::syntax::Compiled;
use crate::text::Scan;

/// Changes whenever the engine finds something else by the same rules.
const ENGINE_VERSION: &str = "1";

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

static ALL: [Specialist; 2] = [
    Specialist::new(
        "security",
        "injection, secrets, broken cryptography, unsafe defaults, destructive migrations",
        rules!("security":
            "ai-service-key",
            "aws-access-key",
            "aws-secret-key",
            "azure-key",
            "cloud-account-key",
            "code-injection",
            "command-injection",
            "cors-any-origin",
            "credential-in-config",
            "credentials-in-url",
            "destructive-migration",
            "dom-xss",
            "encrypted-private-key",
            "gcp-service-account",
            "github-token",
            "google-api-key",
            "hard-coded-credential",
            "insecure-random",
            "json-web-token",
            "jwt-unverified",
            "messaging-service-key",
            "open-redirect",
            "package-registry-token",
            "path-traversal",
            "payment-service-key",
            "private-key",
            "server-side-request",
            "service-token",
            "slack-token",
            "sql-injection",
            "stripe-key",
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
            "async-for-each",
            "async-promise-executor",
            "console-log",
            "empty-catch",
            "explicit-any",
            "floating-promise",
            "focused-test",
            "loose-equality",
            "nan-comparison",
            "non-null-lookup",
            "switch-fallthrough",
            "throw-literal",
            "ts-ignore",
        ),
    ),
];

/// Returns the specialist of a domain.
pub fn by_domain(domain: &str) -> Option<&'static Specialist> {
    SPECIALISTS.iter().find(|specialist| specialist.domain == domain)
}

/// Returns the rules that find secrets, of all specialists. A command that only hides secrets reads no other rule file.
pub(crate) fn secret_rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    let sources = || SPECIALISTS.iter().flat_map(|specialist| specialist.sources);
    RULES.get_or_init(|| sources().filter(|source| source.yaml.contains(" secret: ")).map(Source::rule).collect())
}

impl Source {
    /// Reads the rule.
    fn rule(&self) -> Rule {
        let rule = Rule::parse(self.yaml).and_then(|rule| if rule.id == self.id { Ok(rule) } else { Err(rule.id) });
        rule.unwrap_or_else(|error| panic!("a test reads every rule file, {} too: {error}", self.id))
    }
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
        engine::review(self, files)
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
        self.rules.get_or_init(|| self.sources.iter().map(Source::rule).collect())
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
            let patterns: usize = specialist.rules().map(|rule| rule.text.len()).sum();
            assert_eq!(specialist.text_scan().compile_all(), patterns);
            let compiled = Language::ALL.map(|language| specialist.compiled(language, &all).len());
            let expected =
                Language::ALL.map(|language| specialist.rules().filter(|rule| rule.is_for(language)).count());
            assert_eq!(compiled, expected);
        }
    }
}
