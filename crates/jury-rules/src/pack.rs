//! The specialists and their rules. In: the embedded rule files. Out: compiled rules, each part built on first use: a
//! change without TypeScript never loads its grammar, and a rule whose keywords do not occur is never compiled.
//!
//! A new rule is one file under `rules/<domain>/`.

use std::borrow::Cow;
use std::sync::OnceLock;

use jury_wire::v1::findings::Detailed;
use sha2::{Digest, Sha256};

use crate::engine::{self, Review};
use crate::flow::program::{Compiler, Program};
use crate::flow::spec::Knowledge;
use crate::keywords::Keywords;
use crate::language::Language;
use crate::packed::Packed;
use crate::parsed::{Parsed, ParsedText};
use crate::paths::Reach;
use crate::project::RuleFile;
use crate::redact::hex;
use crate::rewrite::{self, Rewrite};
use crate::rule::Rule;
use crate::rules::{Pack, Rules, Source};
use crate::syntax::Compiled;
use crate::text::Scan;
use crate::{NoTree, SourceFile, Tree};

/// Changes whenever the engine finds something else with the same rules.
const ENGINE_VERSION: &str = "7";

/// The stack of a review in bytes. Only the used part takes memory.
const STACK: usize = 256 * 1024 * 1024;

/// The rules that may match the first file of a language, and their program.
type FirstProgram = OnceLock<Box<(Vec<bool>, Program)>>;

/// A built-in reviewer: a domain and its rules.
pub struct Specialist {
    /// The domain, as findings name it.
    pub domain: &'static str,
    /// A description of its subject.
    pub what: &'static str,
    /// Whether it reads lockfiles as lists of packages, beside or instead of matching code.
    pub(crate) reads_lockfiles: bool,
    /// A repository's own rule files, in the order of its rules; the built-in ones are embedded.
    own: Vec<RuleFile>,
    rules: OnceLock<Rules>,
    reach: OnceLock<Vec<OnceLock<Reach>>>,
    /// The keywords of a repository's own rules; those of all built-in rules are searched together.
    keywords: OnceLock<Keywords>,
    text: OnceLock<Scan>,
    compiled: [OnceLock<Vec<OnceLock<Compiled>>>; Language::COUNT],
    /// The flow rules needed by the first file of a language and their selection, and all of them once another file
    /// needs more. Boxed: empty ones of all specialists and languages would be half a megabyte of the binary.
    first_programs: [FirstProgram; Language::COUNT],
    programs: [OnceLock<Box<Program>>; Language::COUNT],
}

// The rule files by domain, and the library knowledge of each language.
include!(concat!(env!("OUT_DIR"), "/packs.rs"));

/// The built-in specialists.
pub static SPECIALISTS: &[Specialist] = &ALL;

static ALL: [Specialist; 7] = [
    Specialist::new("security", "injection, secrets, broken cryptography, unsafe defaults, destructive migrations"),
    Specialist::new(
        "typescript-quality",
        "promises that nobody awaits, errors that nobody sees, types that say nothing",
    ),
    Specialist::new(
        "code-quality",
        "lines of other languages that cannot mean what they say: conditions with one answer, results that are dropped, locks that guard nothing",
    ),
    Specialist::new("testing", "tests that do not run, tests that cannot fail, assertions that are never made"),
    Specialist::new(
        "api-patterns",
        "handlers that answer twice, not at all, or with the wrong status; bodies that nobody checks",
    ),
    Specialist::new(
        "data-migration",
        "migrations that lose data, lock tables, break the running release or cannot be taken back",
    ),
    Specialist::of_lockfiles(
        "supply-chain",
        "lockfiles: digests that changed for the same version, packages from elsewhere, names that imitate others",
    ),
];

/// Returns the library knowledge of a language.
fn knowledge(language: Language) -> impl Iterator<Item = &'static Knowledge> {
    static KNOWN: [OnceLock<Knowledge>; KNOWLEDGE.len()] = [const { OnceLock::new() }; KNOWLEDGE.len()];
    let read = |json| serde_json::from_str(json).unwrap_or_else(|error| panic!("a test reads every file: {error}"));
    let name = language.name();
    let places = KNOWLEDGE.iter().zip(&KNOWN).filter(move |((languages, _), _)| languages.contains(&name.as_str()));
    places.map(move |((_, json), known)| known.get_or_init(|| read(json)))
}

/// Tells for each rule of all built-in specialists, in order, whether it is for a language and one of its keywords
/// occurs in a text.
pub(crate) fn occurring(language: Option<Language>, text: &str) -> Vec<bool> {
    static KEYWORDS: [OnceLock<Keywords>; Language::COUNT + 1] = [const { OnceLock::new() }; Language::COUNT + 1];
    let gather = || {
        let of = |specialist: &'static Specialist| {
            let rules = specialist.all_rules();
            let keywords = rules.keywords().into_iter().enumerate();
            keywords.map(|(at, keywords)| if rules.is_for(at, language) { keywords } else { Vec::new() })
        };
        Keywords::of(&SPECIALISTS.iter().flat_map(of).collect::<Vec<_>>())
    };
    KEYWORDS[language.map_or(Language::COUNT, Language::index)].get_or_init(gather).occurring(text)
}

/// Returns the specialist of a domain.
pub fn by_domain(domain: &str) -> Option<&'static Specialist> {
    SPECIALISTS.iter().find(|specialist| specialist.domain == domain)
}

/// A rule that finds secrets, which need not be read to know its keywords.
pub(crate) struct SecretRule {
    specialist: &'static Specialist,
    at: usize,
    source: &'static Source,
}

impl SecretRule {
    /// Returns those of all specialists.
    pub(crate) fn all() -> Vec<Self> {
        let of = |specialist: &'static Specialist| {
            let sources = specialist.pack().into_iter().flat_map(|pack| pack.sources).enumerate();
            let secret = sources.filter(|(_, source)| source.finds_secrets);
            secret.map(move |(at, source)| Self { specialist, at, source })
        };
        SPECIALISTS.iter().flat_map(of).collect()
    }

    /// Returns its keywords.
    pub(crate) fn keywords(&self) -> impl Iterator<Item = &'static str> {
        self.source.keywords()
    }

    /// Reads it.
    pub(crate) fn read(&self) -> &'static Rule {
        &self.specialist.all_rules()[self.at]
    }
}

impl Specialist {
    const fn new(domain: &'static str, what: &'static str) -> Self {
        Self {
            domain,
            what,
            reads_lockfiles: false,
            own: Vec::new(),
            rules: OnceLock::new(),
            reach: OnceLock::new(),
            keywords: OnceLock::new(),
            text: OnceLock::new(),
            compiled: [const { OnceLock::new() }; Language::COUNT],
            first_programs: [const { OnceLock::new() }; Language::COUNT],
            programs: [const { OnceLock::new() }; Language::COUNT],
        }
    }

    /// Creates a specialist that compares the packages of lockfiles.
    const fn of_lockfiles(domain: &'static str, what: &'static str) -> Self {
        let mut specialist = Self::new(domain, what);
        specialist.reads_lockfiles = true;
        specialist
    }

    /// Creates a specialist from rules that are not embedded, each read from the file at the same index.
    pub(crate) fn own(domain: &'static str, what: &'static str, files: Vec<RuleFile>, rules: Vec<Rule>) -> Self {
        Self { own: files, rules: OnceLock::from(Rules::of(rules)), ..Self::new(domain, what) }
    }

    pub(crate) fn own_files(&self) -> &[RuleFile] {
        &self.own
    }

    /// Reviews files. It reads nothing else, and the same files give the same review.
    pub fn review(&'static self, files: &[SourceFile<'_>]) -> Review {
        self.review_in(&Parsed::default(), files, &NoTree)
    }

    /// Reviews files of a tree. The rest of the tree is read only by rules that need it. Specialists that share parsed
    /// files parse each file once.
    pub fn review_in(&'static self, parsed: &Parsed, files: &[SourceFile<'_>], tree: &dyn Tree) -> Review {
        // Code may nest a thousand levels deep, and the flow engine is recursive.
        std::thread::scope(|scope| {
            let reviewing = std::thread::Builder::new()
                .stack_size(STACK)
                .spawn_scoped(scope, || engine::review(self, parsed, files, tree));
            let review = reviewing.expect("a thread can be started").join();
            review.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Searches files for secrets, with the rules of this specialist, and with nothing else.
    pub fn secrets_in(&'static self, parsed: &Parsed, files: &[SourceFile<'_>]) -> Vec<Detailed> {
        engine::secrets(self, parsed, files)
    }

    /// Returns the rewrites for the findings of a file, for rules that state one.
    pub fn rewrites(&'static self, file: &SourceFile<'_>) -> Vec<Rewrite> {
        rewrite::rewrites(self, file)
    }

    /// Returns the hexadecimal digest of everything that determines its findings: for caches and records.
    pub fn definition_digest(&self) -> String {
        let mut digest = Sha256::new();
        digest.update(KNOWLEDGE_DIGEST);
        // Those of embedded rules were taken when the program was built.
        digest.update(self.pack().map_or([0; 32], |pack| pack.digest));
        let own = self.own.iter().flat_map(|file| [file.path.as_str(), file.text.as_str()]);
        for part in [ENGINE_VERSION, self.domain].into_iter().chain(own) {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        hex(&digest.finalize())
    }

    /// Returns its rules, in the order of the table.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.all_rules().iter()
    }

    pub(crate) fn all_rules(&self) -> &Rules {
        self.rules.get_or_init(|| Rules::embedded(self.pack(), LANGUAGE_BITS))
    }

    fn pack(&self) -> Option<&'static Pack> {
        PACKS.iter().find(|pack| pack.domain == self.domain)
    }

    /// Returns the flow rules for a language that may match, compiled, and possibly others.
    pub(crate) fn program(&'static self, language: Language, may_match: &[bool]) -> &'static Program {
        let compile = |wanted: &[bool]| self.compile_flows(language, wanted).expect("a test compiles every rule");
        let rules = self.all_rules();
        let is_wanted = |at: usize| rules.has_flow(at, language) && (may_match[at] || rules.adds_names(at));
        let wanted: Vec<bool> = (0..rules.len()).map(is_wanted).collect();
        let first = self.first_programs[language.index()].get_or_init(|| Box::new((wanted.clone(), compile(&wanted))));
        if first.0.iter().zip(&wanted).all(|(has, wants)| *has || !wants) {
            return &first.1;
        }
        self.programs[language.index()].get_or_init(|| Box::new(compile(&vec![true; rules.len()])))
    }

    /// Compiles one flow rule alone, to check that it compiles.
    pub(crate) fn compile_flow(rule: &Rule, language: Language) -> Result<(), String> {
        let mut compiler = Compiler::new(knowledge(language), language)?;
        rule.flow.iter().try_for_each(|flow| compiler.add(0, flow))?;
        compiler.finish().check()
    }

    pub(crate) fn compile_flows(&self, language: Language, wanted: &[bool]) -> Result<Program, String> {
        let mut compiler = Compiler::new(knowledge(language), language)?;
        let rules = self.all_rules();
        for at in (0..rules.len()).filter(|at| wanted[*at] && rules.has_flow(*at, language)) {
            let rule = &rules[at];
            rule.flow
                .iter()
                .try_for_each(|flow| compiler.add(at, flow))
                .map_err(|error| format!("rule {}: {error}", rule.id))?;
        }
        Ok(compiler.finish())
    }

    pub(crate) fn reach(&'static self, at: usize) -> &'static Reach {
        let rules = self.all_rules();
        let all = self.reach.get_or_init(|| (0..rules.len()).map(|_| OnceLock::new()).collect());
        all[at].get_or_init(|| Reach::of(&rules[at]).expect("a test reads the globs of every rule"))
    }

    pub(crate) fn text_scan(&'static self) -> &'static Scan {
        self.text.get_or_init(|| Scan::of(self.all_rules().over_text()))
    }

    /// Tells for each of its rules whether one of its keywords occurs in a text. Rules for other languages may be
    /// skipped.
    pub(crate) fn occurring<'k>(&'static self, known: &'k ParsedText, text: &str) -> Cow<'k, [bool]> {
        let rules = self.all_rules();
        match ALL.iter().position(|specialist| std::ptr::eq(specialist, self)) {
            Some(at) => {
                let start = ALL[..at].iter().map(|before| before.all_rules().len()).sum::<usize>();
                Cow::Borrowed(&known.occurring()[start..start + rules.len()])
            }
            None => Cow::Owned(
                self.keywords.get_or_init(|| Keywords::of(&rules.keywords())).occurring(&known.searched(text)),
            ),
        }
    }

    /// Returns the compiled rules for a language that may match.
    pub(crate) fn compiled(&'static self, language: Language, may_match: &[bool]) -> Vec<&'static Compiled> {
        let rules = self.all_rules();
        let all = self.compiled[language.index()].get_or_init(|| (0..rules.len()).map(|_| OnceLock::new()).collect());
        let compile = |at: usize| Compiled::new(at, &rules[at], language).expect("a test compiles every rule");
        let wanted = (0..rules.len()).filter(|at| may_match[*at] && rules.has_syntax(*at, language));
        wanted.map(|at| all[at].get_or_init(|| compile(at))).collect()
    }

    /// Tells whether any rule is for a language.
    pub(crate) fn reads(&'static self, language: Language) -> bool {
        let rules = self.all_rules();
        (0..rules.len()).any(|at| rules.has_syntax(at, language) || rules.has_flow(at, language))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_change_needs_is_compiled() {
        let fresh: &'static Specialist = Box::leak(Box::new(Specialist::new("security", "")));
        let compiled = |language: Language| {
            let rules = fresh.compiled[language.index()].get().into_iter().flatten();
            rules.filter(|rule| rule.get().is_some()).count()
        };
        fresh.review(&[SourceFile { path: "a.md", text: "eval(x)", touched: &[] }]);
        assert_eq!((compiled(Language::TypeScript), compiled(Language::Python)), (0, 0));
        fresh.review(&[SourceFile { path: "a.py", text: "a = 1", touched: &[] }]);
        assert_eq!((compiled(Language::TypeScript), compiled(Language::Python)), (0, 0));
        fresh.review(&[SourceFile { path: "a.py", text: "hmac(a)", touched: &[] }]);
        assert_eq!((compiled(Language::TypeScript), compiled(Language::Python)), (0, 1));
    }

    #[test]
    fn a_file_has_the_same_findings_whatever_was_reviewed_before_it() {
        let fresh = || -> &'static Specialist { Box::leak(Box::new(Specialist::new("security", ""))) };
        let review = |specialist: &'static Specialist, text: &str| {
            specialist.review(&[SourceFile { path: "a.py", text, touched: &[] }]).findings.findings
        };
        let [one, other] = ["import os\nos.system(input())\n", "import pickle\npickle.loads(input())\n"];
        let used = fresh();
        let [first, second, third] = [one, other, one].map(|text| review(used, text));
        assert!(!first.is_empty() && !second.is_empty());
        assert_eq!((&first, second), (&third, review(fresh(), other)));
        assert!(used.programs[Language::Python.index()].get().is_some(), "the second file needed other rules");
    }

    #[test]
    fn every_rule_compiles_for_all_of_its_languages() {
        for specialist in SPECIALISTS {
            let all = vec![true; specialist.all_rules().len()];
            (0..all.len()).for_each(|at| _ = specialist.reach(at));
            let patterns: usize = specialist.rules().map(|rule| rule.text.len()).sum();
            assert_eq!(specialist.text_scan().compile_all(), patterns);
            let compiled = Language::ALL.map(|language| specialist.compiled(language, &all).len());
            let expected =
                Language::ALL.map(|language| specialist.rules().filter(|rule| rule.has_syntax(language)).count());
            assert_eq!(compiled, expected);
            for language in Language::ALL {
                specialist.compile_flows(language, &all).and_then(|program| program.check()).unwrap();
            }
        }
    }
}
