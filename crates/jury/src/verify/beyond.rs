//! Do the changes since a review go beyond its fixes? In: the files then and now, and where the fixed findings stood. Out: the
//! files in which something else changed, too (002's `re_review_required`).
//!
//! The measure: a line that was added, changed or removed more than ten lines from every fixed finding, and that is more than
//! formatting or an import, which many a fix needs at the top of the file.

use std::collections::BTreeMap;

use super::TreeFindings;
use super::code::bare;
use super::files::File;
use crate::model::{FileLine, RepoPath};
use crate::syntax::hunks::Hunk;

/// How many lines around a finding its fix may touch.
const NEIGHBOURHOOD: usize = 10;

/// The starts of import lines.
const IMPORTS: &[&str] = &[
    "import ",
    "import(",
    "from ",
    "use ",
    "using ",
    "require ",
    "require(",
    "require_relative ",
    "#include",
    "include ",
];

/// Returns the files, by path.
pub(super) fn beyond(
    then: &TreeFindings,
    now: &TreeFindings,
    files: &BTreeMap<RepoPath, File>,
    fixed: &[&FileLine],
) -> Vec<RepoPath> {
    let mut found = Vec::new();
    for (path, text) in &then.texts {
        let lines: Vec<usize> = places(fixed, path).collect();
        match files.get(path).and_then(|file| Some((file, now.texts.get(&file.now)?))) {
            Some((file, text_now)) => {
                let (before, after): (Vec<&str>, Vec<&str>) = (text.lines().collect(), text_now.lines().collect());
                let is_beyond = |hunk: &&Hunk| !is_near(hunk, &lines) && is_more_than_form(hunk, &before, &after);
                if file.hunks().iter().any(|hunk| is_beyond(&hunk)) {
                    found.push(file.now.clone());
                }
            }
            None if lines.is_empty() => found.push(path.clone()),
            None => {}
        }
    }
    found.sort();
    found
}

fn places<'p>(fixed: &'p [&FileLine], path: &'p RepoPath) -> impl Iterator<Item = usize> + 'p {
    let here = fixed.iter().filter(move |place| place.file == *path);
    here.filter_map(|place| place.line.map(|line| line as usize - 1))
}

fn is_near(hunk: &Hunk, fixed: &[usize]) -> bool {
    let reach = hunk.before.start.saturating_sub(NEIGHBOURHOOD)..hunk.before.end + NEIGHBOURHOOD;
    // A hunk longer than the limit of a fix is more than a fix, wherever it begins.
    let is_short = hunk.before.len().max(hunk.after.len()) <= 3 * NEIGHBOURHOOD;
    is_short && fixed.iter().any(|line| reach.contains(line))
}

fn is_more_than_form(hunk: &Hunk, before: &[&str], after: &[&str]) -> bool {
    let lines = |lines: &[&str], range: &std::ops::Range<usize>| -> String {
        let all = lines.get(range.clone()).unwrap_or_default().iter();
        bare(&all.copied().filter(|line| !is_import(line)).collect::<Vec<_>>())
    };
    lines(before, &hunk.before) != lines(after, &hunk.after)
}

fn is_import(line: &str) -> bool {
    let line = line.trim_start();
    let is_required = line.starts_with("const ") && line.contains("= require(");
    is_required || IMPORTS.iter().any(|start| line.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::super::files::files;
    use super::*;

    fn numbered(edit: impl Fn(usize) -> Option<String>) -> String {
        let line = |number: usize| edit(number).unwrap_or_else(|| format!("line {number}"));
        (1..=60).map(|number| line(number) + "\n").collect()
    }

    /// Says whether an edit is beyond a fix at line 30.
    fn is_beyond(now: &str) -> bool {
        let path = RepoPath::new("a.ts").unwrap();
        let seen = |text: &str| TreeFindings { features: Vec::new(), texts: [(path.clone(), text.to_owned())].into() };
        let (then, now) = (seen(&numbered(|_| None)), seen(now));
        let fixed = FileLine { file: path.clone(), line: Some(30) };
        !beyond(&then, &now, &files(&then.texts, &now.texts), &[&fixed]).is_empty()
    }

    #[test]
    fn a_fix_reaches_ten_lines() {
        let at = |line: usize| numbered(move |number| (number == line).then(|| "else".to_owned()));
        for line in [20, 30, 40] {
            assert!(!is_beyond(&at(line)), "{line}");
        }
        for line in [1, 18, 42, 60] {
            assert!(is_beyond(&at(line)), "{line}");
        }
        assert!(!is_beyond(&numbered(|_| None)));
    }

    #[test]
    fn imports_and_formatting_are_not_counted_and_a_rewritten_file_is() {
        assert!(!is_beyond(&format!("import {{ escape }} from './escape';\n{}", numbered(|_| None))));
        assert!(!is_beyond(&numbered(|number| (number == 1).then(|| "  line  1;".to_owned()))));
        assert!(is_beyond(&format!("export const x = 1;\n{}", numbered(|_| None))));
        assert!(is_beyond(&numbered(|number| Some(format!("other {number}")))));
    }

    #[test]
    fn a_file_that_is_gone_counts_unless_it_held_a_fixed_finding() {
        let path = |path: &str| RepoPath::new(path).unwrap();
        let then = TreeFindings {
            features: Vec::new(),
            texts: [(path("a"), "x\n".to_owned()), (path("b"), "y\n".to_owned())].into(),
        };
        let now = TreeFindings::default();
        let fixed = FileLine { file: path("a"), line: Some(1) };
        assert_eq!(beyond(&then, &now, &files(&then.texts, &now.texts), &[&fixed]), [path("b")]);
    }
}
