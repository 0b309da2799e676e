//! New ways of telling a checker to look away. In: the lines that a change adds and those that it removes. Out: each
//! suppression that is new, with its line.
//!
//! A suppression that was removed elsewhere in the change was moved or edited and is not new. An old `jury-ignore` over new code is not
//! raised: it does not count there, and the finding itself stands (`synthesis::ignored`). Deliberately not here: whether it is right.

use std::collections::BTreeMap;

use jury_rules::Ignore;

use super::altered::Altered;
use super::raised::Raised;
use crate::model::{Owner, RepoPath};

/// How a suppression is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A comment starts with it.
    Comment,
    /// It stands anywhere in a comment.
    InComment,
    /// A line of code starts with it.
    Code,
}

/// The suppression comments of each checker. Case counts, as for these tools.
const SUPPRESSIONS: &[(&str, Form, &str)] = &[
    ("eslint-disable", Form::Comment, "ESLint"),
    ("biome-ignore", Form::Comment, "Biome"),
    ("oxlint-disable", Form::Comment, "oxlint"),
    ("deno-lint-ignore", Form::Comment, "deno lint"),
    ("tslint:disable", Form::Comment, "TSLint"),
    ("stylelint-disable", Form::Comment, "Stylelint"),
    ("@ts-ignore", Form::Comment, "the TypeScript compiler"),
    ("@ts-nocheck", Form::Comment, "the TypeScript compiler"),
    ("@ts-expect-error", Form::Comment, "the TypeScript compiler"),
    ("$FlowFixMe", Form::Comment, "Flow"),
    ("istanbul ignore", Form::Comment, "test coverage"),
    ("c8 ignore", Form::Comment, "test coverage"),
    ("v8 ignore", Form::Comment, "test coverage"),
    ("noqa", Form::Comment, "Python linters"),
    ("type: ignore", Form::Comment, "Python type checkers"),
    ("pyright: ignore", Form::Comment, "Pyright"),
    ("pylint: disable", Form::Comment, "Pylint"),
    ("mypy: ignore-errors", Form::Comment, "mypy"),
    ("ruff: noqa", Form::Comment, "Ruff"),
    ("pragma: no cover", Form::Comment, "test coverage"),
    ("nosec", Form::Comment, "Bandit or gosec"),
    ("nolint", Form::Comment, "golangci-lint"),
    ("lint:ignore", Form::Comment, "staticcheck"),
    ("NOSONAR", Form::InComment, "Sonar"),
    ("NOLINT", Form::Comment, "clang-tidy"),
    ("NOLINTNEXTLINE", Form::Comment, "clang-tidy"),
    ("NOLINTBEGIN", Form::Comment, "clang-tidy"),
    ("noinspection", Form::Comment, "JetBrains inspections"),
    ("rubocop:disable", Form::Comment, "RuboCop"),
    ("phpcs:ignore", Form::Comment, "PHP_CodeSniffer"),
    ("phpcs:disable", Form::Comment, "PHP_CodeSniffer"),
    ("@phpstan-ignore", Form::InComment, "PHPStan"),
    ("@psalm-suppress", Form::InComment, "Psalm"),
    ("psalm-suppress", Form::Comment, "Psalm"),
    ("shellcheck disable", Form::Comment, "ShellCheck"),
    ("hadolint ignore", Form::Comment, "hadolint"),
    ("yamllint disable", Form::Comment, "yamllint"),
    ("markdownlint-disable", Form::Comment, "markdownlint"),
    ("checkov:skip", Form::Comment, "Checkov"),
    ("tfsec:ignore", Form::Comment, "tfsec"),
    ("trivy:ignore", Form::Comment, "Trivy"),
    ("nosemgrep", Form::InComment, "Semgrep"),
    ("gitleaks:allow", Form::InComment, "gitleaks"),
    ("pragma: allowlist secret", Form::InComment, "detect-secrets"),
    ("zizmor: ignore", Form::Comment, "zizmor"),
    ("ast-grep-ignore", Form::Comment, "ast-grep"),
    ("CHECKSTYLE:OFF", Form::Comment, "Checkstyle"),
    ("swiftlint:disable", Form::Comment, "SwiftLint"),
    ("#[allow(", Form::Code, "the Rust compiler or Clippy"),
    ("#![allow(", Form::Code, "the Rust compiler or Clippy"),
    ("@SuppressWarnings", Form::Code, "the Java compiler"),
    ("@SuppressFBWarnings", Form::Code, "SpotBugs"),
    ("@Suppress(", Form::Code, "the Kotlin compiler"),
    ("[SuppressMessage", Form::Code, ".NET analysers"),
    ("#pragma warning disable", Form::Code, "the C# compiler"),
    ("#pragma warning(disable", Form::Code, "the C++ compiler"),
    ("#pragma GCC diagnostic ignored", Form::Code, "the C++ compiler"),
    ("#pragma clang diagnostic ignored", Form::Code, "the C++ compiler"),
];

/// How comments start.
const OPENERS: &[&str] = &["//", "#", "/*", "<!--", "--"];
/// Documentation: there a suppression is only mentioned.
const PROSE: &[&str] =
    &["md", "mdx", "markdown", "rst", "adoc", "txt", "json", "lock", "csv", "tsv", "svg", "patch", "diff"];

/// Lists all inputs of the result, for the digest of the reviewer.
pub(super) fn table() -> impl Iterator<Item = &'static str> {
    SUPPRESSIONS.iter().flat_map(|(word, _, tool)| [*word, *tool])
}

/// Raises new suppressions.
pub(super) fn raise(files: &[Altered<'_>]) -> Vec<Raised> {
    let mut removed: BTreeMap<&str, usize> = BTreeMap::new();
    let mut removed_ignores: BTreeMap<(String, String), usize> = BTreeMap::new();
    for file in files {
        let old = file.removed().filter(|_| !is_prose(file.path)).filter_map(|(_, line)| found(line));
        old.for_each(|(_, said)| *removed.entry(said).or_default() += 1);
        let ignores = jury_rules::ignores(file.before).into_iter().filter(|ignore| file.is_removed(ignore.line));
        ignores.for_each(|ignore| *removed_ignores.entry(guarded(file.before, &ignore)).or_default() += 1);
    }
    let mut raised = Vec::new();
    for file in files {
        for (number, line) in file.added().filter(|_| !is_prose(file.path)) {
            if let Some((tool, said)) = found(line)
                && !takes(&mut removed, &said)
            {
                raised.push(of_linter(file.path, number, line, tool));
            }
        }
        for ignore in jury_rules::ignores(file.after) {
            let key = guarded(file.after, &ignore);
            let line = file.after.lines().nth(ignore.line as usize - 1).unwrap_or_default();
            if file.is_added(ignore.line) && !takes(&mut removed_ignores, &key) {
                raised.push(of_jury(file.path, ignore.line, line, &ignore));
            }
        }
    }
    raised
}

/// Takes one of those that were removed, if there is one.
fn takes<K: Ord>(removed: &mut BTreeMap<K, usize>, key: &K) -> bool {
    let left = removed.get_mut(key).filter(|left| **left > 0);
    left.map(|left| *left -= 1).is_some()
}

fn is_prose(path: &RepoPath) -> bool {
    path.extension().is_some_and(|extension| PROSE.contains(&extension.to_ascii_lowercase().as_str()))
}

/// Finds the first suppression in a line: of which checker, and the text from it on.
fn found(line: &str) -> Option<(&'static str, &str)> {
    let code = line.trim_start();
    if let Some((_, _, tool)) =
        SUPPRESSIONS.iter().find(|(word, form, _)| *form == Form::Code && code.starts_with(word))
    {
        return Some((tool, code.trim_end()));
    }
    comments(line).find_map(|comment| {
        let said = comment.trim_start_matches(['/', '*', '!', '-', ' ', '\t']);
        let is_it = |(word, form, _): &&(&str, Form, &str)| match form {
            Form::Comment => said.strip_prefix(word).is_some_and(ends_word),
            Form::InComment => said.split_once(word).is_some_and(|(_, rest)| ends_word(rest)),
            Form::Code => false,
        };
        SUPPRESSIONS.iter().find(is_it).map(|(_, _, tool)| (*tool, said.trim_end()))
    })
}

fn ends_word(rest: &str) -> bool {
    !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Returns the text after each opener of a comment in a line. Behind a quotation mark it opens none.
fn comments(line: &str) -> impl Iterator<Item = &str> {
    let starts_block = line.trim_start().strip_prefix('*');
    let openers = OPENERS.iter().flat_map(move |opener| line.match_indices(opener));
    let is_open = move |at: &usize| !line[..*at].ends_with(['"', '\'', '`']);
    let mut places: Vec<(usize, usize)> =
        openers.map(|(at, opener)| (at, opener.len())).filter(|(at, _)| is_open(at)).collect();
    places.sort_unstable();
    starts_block.into_iter().chain(places.into_iter().map(move |(at, length)| &line[at + length..]))
}

/// Returns a `jury-ignore` with the code that it covers: moved together they are not new, apart they are.
fn guarded(text: &str, ignore: &Ignore) -> (String, String) {
    let line = |number: u32| text.lines().nth(number as usize - 1).unwrap_or_default().trim().to_owned();
    (line(ignore.line), line(ignore.last))
}

fn of_linter(path: &RepoPath, line: u32, text: &str, tool: &str) -> Raised {
    Raised {
        // The words of the rule `ts-ignore`, so that both results for a line are one finding.
        title: format!("Silenced here: {tool}"),
        severity: "P2",
        owner: Owner::DownstreamResolver,
        confidence: 100,
        why: "The checker is silent here from now on: the suppression stays when the code below it changes.".to_owned(),
        fix: "Fix the checker's finding, or make the suppression as narrow as possible and state the reason."
            .to_owned(),
        ..Raised::at(path, line, text)
    }
}

fn of_jury(path: &RepoPath, line: u32, text: &str, ignore: &Ignore) -> Raised {
    Raised {
        title: format!("The change tells Jury to ignore {}", ignore.rules.join(", ")),
        why: "The author of the code also suppressed its reviewer; another person has to agree.".to_owned(),
        fix: "Fix the finding and remove the comment, or have a person waive it in .jury/waivers.toml on the base."
            .to_owned(),
        ..Raised::at(path, line, text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_is_known_by_its_own_words() {
        for (line, tool) in [
            ("// eslint-disable-next-line no-eval", "ESLint"),
            ("/* eslint-disable */", "ESLint"),
            ("  {/* biome-ignore lint: x */}", "Biome"),
            ("// @ts-expect-error", "the TypeScript compiler"),
            ("import os  # noqa: F401", "Python linters"),
            ("x: int = f()  # type: ignore[arg-type]", "Python type checkers"),
            ("subprocess.run(x)  # nosec", "Bandit or gosec"),
            ("cmd := exec.Command(x) // #nosec G204", "Bandit or gosec"),
            ("defer f.Close() //nolint:errcheck", "golangci-lint"),
            ("int x; // NOLINTNEXTLINE(foo)", "clang-tidy"),
            ("foo(); // fine, NOSONAR", "Sonar"),
            ("    #[allow(dead_code)]", "the Rust compiler or Clippy"),
            ("  @SuppressWarnings(\"unchecked\")", "the Java compiler"),
            ("x = 1 # rubocop:disable Style/Foo", "RuboCop"),
            (" * @psalm-suppress MixedAssignment", "Psalm"),
            ("#pragma warning disable CS0168", "the C# compiler"),
            ("# shellcheck disable=SC2086", "ShellCheck"),
            ("key: x # gitleaks:allow", "gitleaks"),
            ("      run: x # zizmor: ignore[template-injection]", "zizmor"),
            ("/* istanbul ignore next */", "test coverage"),
            ("<!-- markdownlint-disable MD013 -->", "markdownlint"),
        ] {
            assert_eq!(found(line).map(|(tool, _)| tool), Some(tool), "{line}");
        }
        for line in [
            "const rows = [\"# noqa\", '// @ts-ignore', `#[allow(x)]`];",
            "// we once had an eslint-disable here",
            "let nosec = 1; # nosection",
            "allow(dead_code)",
            "noqa = True",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
