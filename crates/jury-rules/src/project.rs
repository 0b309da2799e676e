//! A repository's own rules, `.jury/rules/*.yml`. In: the texts of the files. Out: a specialist of the domain
//! `project`, or the first error with its position. Data only: nothing in a rule file is executed.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, PoisonError};

use regex::Regex;

use crate::language::Language;
use crate::pack::{SPECIALISTS, Specialist};
use crate::paths::Reach;
use crate::rule::{Fault, Rule};
use crate::syntax::Compiled;
use crate::trial::FEWEST;

/// The domain of a repository's own rules.
pub const PROJECT: &str = "project";

/// A rule file of a repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleFile {
    /// Its path.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// An error in a rule file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleError {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The message.
    pub what: String,
}

impl std::fmt::Display for RuleError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.what)
    }
}

impl std::error::Error for RuleError {}

/// Compiled rules refer to each other for the life of the process, so each set of files is kept once, forever.
static KEPT: Mutex<BTreeMap<String, &'static Specialist>> = Mutex::new(BTreeMap::new());

impl Specialist {
    /// Returns the specialist of a repository's own rules. Their examples are counted here; `failures` runs them.
    pub fn of_project(mut files: Vec<RuleFile>) -> Result<&'static Self, RuleError> {
        files.sort_by(|one, other| one.path.cmp(&other.path));
        let mut ids = BTreeSet::new();
        let mut rules = Vec::new();
        for file in &files {
            let rule = read(file)?;
            if !ids.insert(rule.id.clone()) {
                return Err(at_member(file, "id", format!("there is another rule `{}`", rule.id)));
            }
            rules.push(rule);
        }
        let specialist = Self::own(PROJECT, "the rules of this repository", files, rules);
        specialist.check_flows()?;
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let digest = specialist.definition_digest();
        Ok(kept.entry(digest).or_insert_with(|| Box::leak(Box::new(specialist))))
    }

    /// Compiles the flow rules file by file, so that an error has its position.
    fn check_flows(&self) -> Result<(), RuleError> {
        let all = vec![true; self.all_rules().len()];
        for (file, rule) in self.own_files().iter().zip(self.rules()) {
            for language in rule.languages().into_iter().filter(|language| rule.has_flow(*language)) {
                Self::compile_flow(rule, language).map_err(|what| at_member(file, "flow", what))?;
                // Rules that compile alone may fail together: the number of source kinds is limited.
                self.compile_flows(language, &all).map_err(|what| at_member(file, "flow", what))?;
            }
        }
        Ok(())
    }
}

/// Reads and compiles a rule file.
fn read(file: &RuleFile) -> Result<Rule, RuleError> {
    let rule = Rule::of_file(&file.text).map_err(|Fault { line, column, what }| RuleError {
        file: file.path.clone(),
        line,
        column,
        what,
    })?;
    let name = file.path.rsplit('/').next().unwrap_or_default();
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    if rule.id != stem {
        return Err(at_member(file, "id", format!("the id `{}` is not the file's name, `{stem}`", rule.id)));
    }
    if let Some(of) = SPECIALISTS.iter().find(|of| of.rules().any(|known| known.id == rule.id)) {
        return Err(at_member(file, "id", format!("`{}` is a built-in rule of {}", rule.id, of.domain)));
    }
    check_examples(file, &rule)?;
    check_text(file, &rule)?;
    Reach::of(&rule).map_err(|what| at_member(file, "paths", what))?;
    for language in rule.languages().into_iter().filter(|language: &Language| rule.has_syntax(*language)) {
        Compiled::new(0, &rule, language).map_err(|what| at_member(file, "match", what))?;
    }
    Ok(rule)
}

fn check_examples(file: &RuleFile, rule: &Rule) -> Result<(), RuleError> {
    let examples = rule.examples().map_err(|what| at_member(file, "invalid", what))?;
    for (kind, examples) in [("invalid", &examples.invalid), ("valid", &examples.valid)] {
        if examples.len() < FEWEST {
            let what = format!("{} `{kind}` examples; expected {FEWEST} or more", examples.len());
            return Err(at_member(file, kind, what));
        }
        if examples.iter().any(|example| example.language.is_none() && example.path.is_none()) {
            return Err(at_member(file, kind, "an example needs a `language` or a `path`".to_owned()));
        }
    }
    Ok(())
}

fn check_text(file: &RuleFile, rule: &Rule) -> Result<(), RuleError> {
    if rule.lockfile.is_some() {
        let what = "`lockfile` belongs to built-in rules, which read lockfiles as lists of packages".to_owned();
        return Err(at_member(file, "lockfile", what));
    }
    if rule.still_used.is_some() {
        let what = "`still_used` belongs to built-in rules, which know what a migration drops".to_owned();
        return Err(at_member(file, "still_used", what));
    }
    for text in &rule.text {
        if text.secret.is_some() {
            let what = "`secret` belongs to built-in rules, whose secrets are redacted everywhere".to_owned();
            return Err(at_member(file, "text", what));
        }
        let patterns = [Some(&text.pattern), text.not.as_ref(), text.not_among.as_ref().map(|names| &names.pattern)];
        for pattern in patterns.into_iter().flatten() {
            let one_line = |error: regex::Error| error.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
            Regex::new(pattern).map_err(|error| at_member(file, "text", one_line(error)))?;
        }
    }
    Ok(())
}

/// Points at a member of the file, or at its start if there is no member of that name.
fn at_member(file: &RuleFile, member: &str, what: String) -> RuleError {
    let starts = |line: &&str| line.strip_prefix(member).is_some_and(|rest| rest.starts_with(':'));
    let index = file.text.lines().position(|line| starts(&line)).unwrap_or_default();
    RuleError { file: file.path.clone(), line: u32::try_from(index).unwrap_or(u32::MAX - 1) + 1, column: 1, what }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SourceFile;

    const RULE: &str = "id: no-eval-here
title: \"`$ARG` is evaluated\"
why_it_matters: Here nothing is ever evaluated, for reasons of our own.
severity: P1
confidence: 100
autofix_class: manual
owner: review-fixer
requires_verification: true
keywords: [run]
languages: [python]
match:
  - rule: { pattern: run($ARG) }
invalid:
  - { language: python, code: run(a), title: '`a` is evaluated' }
  - { language: python, code: run(b) }
  - { language: python, code: \"x = 1\\nrun(c)\", line: 2 }
valid:
  - { language: python, code: walk(a) }
  - { language: python, code: run() }
  - { language: python, code: '# run(a)' }
";

    fn of(text: &str) -> Result<&'static Specialist, RuleError> {
        let path = ".jury/rules/no-eval-here.yml".to_owned();
        Specialist::of_project(vec![RuleFile { path, text: text.to_owned() }])
    }

    #[test]
    fn a_rule_of_a_repository_is_run_and_tried_like_any_other() {
        let specialist = of(RULE).unwrap();
        let review = specialist.review(&[SourceFile { path: "a.py", text: "run(x)\n", touched: &[(1, 1)] }]);
        assert_eq!(review.findings.reviewer, "project");
        assert_eq!(review.findings.findings[0].merge.title, "`x` is evaluated");
        let rule = specialist.rules().next().unwrap();
        assert_eq!(specialist.failures(rule).unwrap(), []);
        let failing = RULE.replace("code: walk(a)", "code: run(z)").replace("code: run(b)", "code: walk(b)");
        let specialist = of(&failing).unwrap();
        let failures = specialist.failures(specialist.rules().next().unwrap()).unwrap();
        let shown: Vec<&str> = failures.iter().map(|failure| failure.example.as_str()).collect();
        assert_eq!(shown, ["invalid example 2", "valid example 1"]);
    }

    #[test]
    fn the_digest_covers_the_texts() {
        let other = RULE.replace("severity: P1", "severity: P2");
        assert_ne!(of(RULE).unwrap().definition_digest(), of(&other).unwrap().definition_digest());
        assert!(std::ptr::eq(of(RULE).unwrap(), of(RULE).unwrap()), "one set of rules is kept once");
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        for (from, to, line, column, what) in [
            ("severity: P1", "severity: P7", 4, 11, "P7"),
            ("severity: P1", "severty: P1", 4, 1, "severty"),
            ("keywords: [run]", "keywords: [run", 10, 1, ""),
            ("id: no-eval-here", "id: no-eval", 1, 1, "not the file's name"),
            ("{ pattern: run($ARG) }", "{ pattern: run($OTHER) }", 11, 1, "$ARG"),
            ("{ pattern: run($ARG) }", "{ kind: no_such_kind }", 11, 1, "no_such_kind"),
            ("  - { language: python, code: walk(a) }\n", "", 17, 1, "expected 3"),
            ("languages: [python]\n", "", 1, 1, "languages"),
            ("languages: [python]", "languages: [cobol]", 10, 13, "cobol"),
            ("confidence: 100", "confidence: 99", 1, 1, "anchor"),
            ("match:\n  - rule: { pattern: run($ARG) }", "text: { pattern: '(' }", 1, 1, "languages"),
            (
                "languages: [python]\nmatch:\n  - rule: { pattern: run($ARG) }",
                "text: { pattern: '(' }",
                10,
                1,
                "unclosed",
            ),
        ] {
            let text = RULE.replace(from, to);
            assert_ne!(text, RULE);
            let error = of(&text).err().unwrap_or_else(|| panic!("{to}"));
            assert!(error.what.contains(what), "{to}: {error}");
            assert_eq!((error.line, error.column.max(column)), (line, error.column), "{to}: {error}");
        }
    }
}
