//! Files that may hold the code of a finding under another name. In: findings with the texts of their files, and the texts of
//! a later tree. Out: for each such file, the names under which its reviewer knew the code.
//!
//! Rules look by path and language: a file that was moved to where they do not look is not fixed. So who looks again looks
//! under the old name as well. Deliberately not here: whether the finding is still there.

use std::collections::{BTreeMap, BTreeSet};

use super::Texts;
use super::code::{Text, bare, tokens};
use super::files::{RENAMED, likeness, lines};
use crate::model::{Features, FileLine, FormerName, RepoPath};

/// The fewest tokens of code by which a shape is looked for in any file.
const SHORTEST: usize = 5;

/// Finds the files, by path.
pub fn successors<'t>(
    findings: &[Features],
    then: &Texts,
    now: impl Iterator<Item = (&'t RepoPath, &'t str)>,
) -> BTreeMap<RepoPath, Vec<FormerName>> {
    let now: BTreeMap<&RepoPath, &str> = now.collect();
    let mut found: BTreeMap<RepoPath, BTreeMap<RepoPath, BTreeSet<String>>> = BTreeMap::new();
    for features in findings {
        let Some(FileLine { file, line }) = &features.place else { continue };
        let Some(text) = then.get(file) else { continue };
        let sought = Sought::of(text, line.unwrap_or(0) as usize, features.quote.as_deref(), !now.contains_key(file));
        for (path, _) in now.iter().filter(|(path, text)| **path != file && sought.is_in(text)) {
            let names = found.entry((*path).clone()).or_default().entry(file.clone()).or_default();
            names.extend(features.names.iter().map(|name| name.what.clone()));
        }
    }
    let former = |(path, rules)| FormerName { path, rules };
    found.into_iter().map(|(path, names)| (path, names.into_iter().map(former).collect())).collect()
}

/// The code of a finding, as it is looked for.
struct Sought<'t> {
    code: Option<String>,
    shape: Vec<String>,
    /// The lines of its file, if that is gone.
    file: Option<BTreeMap<&'t str, usize>>,
}

impl<'t> Sought<'t> {
    fn of(text: &'t str, line: usize, quote: Option<&str>, is_gone: bool) -> Self {
        let all = Text::new(text);
        let code = (line > 0).then(|| all.code(line, quote).telling().map(str::to_owned)).flatten();
        let whole = all.lines.get(line.wrapping_sub(1)).copied().unwrap_or_default();
        Self { code, shape: nameless(whole), file: is_gone.then(|| lines(text)) }
    }

    fn is_in(&self, text: &str) -> bool {
        let is_alike = || self.file.as_ref().is_some_and(|file| likeness(file, &lines(text)) >= RENAMED);
        let has_code = || self.code.as_ref().is_some_and(|code| bare(&Text::new(text).lines).contains(code.as_str()));
        let has_shape = || self.shape.len() >= SHORTEST && text.lines().any(|line| nameless(line) == self.shape);
        is_alike() || has_code() || has_shape()
    }
}

/// Returns the tokens of a line without the numbers of its variables.
fn nameless(line: &str) -> Vec<String> {
    let is_variable = |token: &String| token.starts_with('#') && token.len() > 1;
    tokens(line).0.into_iter().map(|token| if is_variable(&token) { "#".to_owned() } else { token }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Domain, FindingName};

    const THEN: &str = "fn a() {\n  one();\n  db.query(\"SELECT a\" + id);\n  two();\n}\n";

    fn found(now: &[(&str, &str)]) -> Vec<String> {
        let path = |path: &str| RepoPath::new(path).unwrap();
        let name = FindingName { domain: Domain::new("security").unwrap(), what: "sql".to_owned(), cwe: None };
        let place = Some(FileLine { file: path("src/a.ts"), line: Some(3) });
        let features = Features { names: vec![name], title: "sql".to_owned(), quote: None, place };
        let then = [(path("src/a.ts"), THEN.to_owned())].into();
        let now: Vec<(RepoPath, &str)> = now.iter().map(|(file, text)| (path(file), *text)).collect();
        let found = successors(&[features], &then, now.iter().map(|(path, text)| (path, *text)));
        found.into_iter().map(|(path, former)| format!("{path} was {}", former[0].path)).collect()
    }

    #[test]
    fn moved_code_is_found_under_any_name() {
        for path in ["src/spec/a.ts", "src/a_test.ts", "src/a.es6", "src/a", "src/a.txt"] {
            assert_eq!(found(&[(path, THEN)]), [format!("{path} was src/a.ts")]);
            let renamed = THEN.replace("id", "key");
            assert_eq!(found(&[(path, &renamed)]), [format!("{path} was src/a.ts")]);
        }
        // A part of it, beside the old file.
        let part = "function b(key) {\n  db.query('SELECT a' + key)\n}\n";
        assert_eq!(found(&[("src/a.ts", "fn a() {}\n"), ("test/b.js", part)]), ["test/b.js was src/a.ts"]);
        let shifted = "go(() => db.query('SELECT a' + id))\n";
        assert_eq!(found(&[("src/a.ts", "fn a() {}\n"), ("test/b.js", shifted)]), ["test/b.js was src/a.ts"]);
    }

    #[test]
    fn other_code_is_not_asked() {
        assert!(found(&[("src/a.ts", THEN)]).is_empty(), "the same name is asked anyway");
        assert!(found(&[("src/b.ts", "export const one = 1;\n")]).is_empty());
        assert!(found(&[]).is_empty());
    }
}
