//! Unified diffs: the text of one in, the lines that it touches out. Paths are those of git, quoted or not, with or
//! without the prefixes `a/` and `b/`. Deliberately not here: the changed text itself, and diffs of merges.

use std::fmt;

use crate::model::{Change, Line, LineRange, RepoPath, Side};

/// Why a text is not a unified diff, and at which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffError {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub what: String,
}

impl fmt::Display for DiffError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} of the diff: {}", self.line, self.what)
    }
}

impl std::error::Error for DiffError {}

/// Reads which lines a diff touches. A deletion touches the lines around the place where it was, so that a claim about
/// missing code there counts as one about the change. A blank text is the diff of no change; any other text that
/// names no file is an error, because taking it for no change would put every claim aside.
pub fn parse(text: &str) -> Result<Change, DiffError> {
    let mut diff = Diff::default();
    for (index, line) in text.lines().enumerate() {
        diff.take(line).map_err(|what| DiffError { line: index + 1, what })?;
    }
    let end = |what: &str| DiffError { line: text.lines().count(), what: what.to_owned() };
    if diff.hunk.is_some() {
        return Err(end("the diff ends within a hunk"));
    }
    if !diff.names_a_file && !text.trim().is_empty() {
        return Err(end("the text names no file that changes"));
    }
    Ok(diff.change)
}

/// The state of parsing.
#[derive(Default)]
struct Diff {
    change: Change,
    names_a_file: bool,
    /// The header of the side before, as it is spelled.
    header: Option<String>,
    /// The file before and after the change; `None` where there is none.
    before: Option<RepoPath>,
    after: Option<RepoPath>,
    hunk: Option<Hunk>,
}

/// How far a hunk has come.
struct Hunk {
    before_next: u32,
    before_left: u32,
    after_next: u32,
    after_left: u32,
}

impl Diff {
    fn take(&mut self, line: &str) -> Result<(), String> {
        if self.hunk.is_some() {
            return self.take_hunk_line(line);
        }
        if line.starts_with("@@@") {
            return Err("this is the diff of a merge, which names no single before".to_owned());
        }
        if let Some(rest) = line.strip_prefix("--- ") {
            self.header = Some(spelled(rest)?);
        } else if let Some(rest) = line.strip_prefix("+++ ") {
            let before = self.header.take().ok_or("`+++` without `---` before it")?;
            self.name_sides(&before, &spelled(rest)?)?;
        } else if let Some(rest) = line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to ")) {
            self.after = file(&spelled(rest)?)?;
            self.name_files();
        } else if line.starts_with("diff --git ") {
            (self.before, self.after) = (None, None);
            self.names_a_file = true;
        } else if line.starts_with("@@ ") {
            self.hunk = Some(hunk(line)?).filter(|hunk| hunk.before_left + hunk.after_left > 0);
        } else if let Some(rest) = line.strip_prefix("Binary files ") {
            let name = rest.strip_suffix(" differ").and_then(|rest| rest.split_once(" and "));
            if let Some((before, after)) = name {
                self.name_sides(&spelled(before)?, &spelled(after)?)?;
            }
        }
        Ok(())
    }

    fn name_sides(&mut self, before: &str, after: &str) -> Result<(), String> {
        let (before, after) = without_prefixes(before, after);
        (self.before, self.after) = (file(before)?, file(after)?);
        self.name_files();
        Ok(())
    }

    fn name_files(&mut self) {
        self.names_a_file = true;
        for file in self.before.iter().chain(&self.after) {
            self.change.add_file(file.clone());
        }
    }

    fn take_hunk_line(&mut self, line: &str) -> Result<(), String> {
        let Some(hunk) = &mut self.hunk else { return Ok(()) };
        let (removes, adds) = match line.as_bytes().first() {
            Some(b'+') => (false, true),
            Some(b'-') => (true, false),
            // Some tools strip the blank of an empty line of context.
            Some(b' ' | b'\t') | None => (true, true),
            Some(b'\\') => return Ok(()),
            Some(_) => return Err("neither a line of the hunk nor its end".to_owned()),
        };
        if (removes && hunk.before_left == 0) || (adds && hunk.after_left == 0) {
            return Err("the hunk has more lines than it announces".to_owned());
        }
        let single = |number: u32| Line::new(number.into()).map(LineRange::single).map_err(|error| error.to_string());
        if removes && !adds {
            if let Some(file) = &self.before {
                self.change.add_lines(file.clone(), Side::Left, single(hunk.before_next)?);
            }
            if let Some(file) = &self.after {
                for around in [hunk.after_next.saturating_sub(1), hunk.after_next] {
                    if let Ok(lines) = single(around) {
                        self.change.add_lines(file.clone(), Side::Right, lines);
                    }
                }
            }
        }
        if adds
            && !removes
            && let Some(file) = &self.after
        {
            self.change.add_lines(file.clone(), Side::Right, single(hunk.after_next)?);
        }
        hunk.before_next = hunk.before_next.saturating_add(removes.into());
        hunk.before_left -= u32::from(removes);
        hunk.after_next = hunk.after_next.saturating_add(adds.into());
        hunk.after_left -= u32::from(adds);
        if hunk.before_left + hunk.after_left == 0 {
            self.hunk = None;
        }
        Ok(())
    }
}

/// Reads `@@ -12,3 +12,4 @@ any text`.
fn hunk(line: &str) -> Result<Hunk, String> {
    let malformed = || format!("not the head of a hunk: {line:?}");
    let mut words = line.split(' ').skip(1);
    let mut side = |sign: char| -> Option<(u32, u32)> {
        let word = words.next()?.strip_prefix(sign)?;
        let (start, count) = word.split_once(',').unwrap_or((word, "1"));
        Some((start.parse().ok()?, count.parse().ok()?))
    };
    let (before_next, before_left) = side('-').ok_or_else(malformed)?;
    let (after_next, after_left) = side('+').ok_or_else(malformed)?;
    before_left.checked_add(after_left).ok_or_else(malformed)?;
    // A side without lines names the line before the place.
    let after_next = after_next.saturating_add(u32::from(after_left == 0));
    Ok(Hunk { before_next, before_left, after_next, after_left })
}

const NO_FILE: &str = "/dev/null";

/// Reads a path as a header spells it, quoted or not, without the time that some tools add.
fn spelled(text: &str) -> Result<String, String> {
    match text.strip_prefix('"') {
        Some(quoted) => unquoted(quoted),
        None => Ok(text.split('\t').next().unwrap_or_default().trim_end().to_owned()),
    }
}

/// Takes git's prefixes off, those of `diff.mnemonicPrefix` included: two different letters, or one beside no file. Two
/// equal ones are folders of the repository, in a diff without prefixes.
fn without_prefixes<'a>(before: &'a str, after: &'a str) -> (&'a str, &'a str) {
    let bare = |text: &'a str| ["a/", "b/", "c/", "i/", "o/", "w/"].iter().find_map(|prefix| text.strip_prefix(prefix));
    match (bare(before), bare(after)) {
        (Some(bare_before), Some(bare_after)) if before.as_bytes().first() != after.as_bytes().first() => {
            (bare_before, bare_after)
        }
        (Some(bare_before), None) if after == NO_FILE => (bare_before, after),
        (None, Some(bare_after)) if before == NO_FILE => (before, bare_after),
        _ => (before, after),
    }
}

/// Takes a spelled path as a file; `/dev/null` is none.
fn file(text: &str) -> Result<Option<RepoPath>, String> {
    if text == NO_FILE {
        return Ok(None);
    }
    RepoPath::new(text).map(Some).map_err(|error| format!("{text:?}: {error}"))
}

/// Takes git's quoting of unusual paths back: `\"`, `\\`, `\t`, `\303`.
fn unquoted(text: &str) -> Result<String, String> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    loop {
        match rest.next().ok_or("a quoted path without an end")? {
            b'"' => break,
            b'\\' => match rest.next().ok_or("a quoted path without an end")? {
                b'n' => bytes.push(b'\n'),
                b't' => bytes.push(b'\t'),
                digit @ b'0'..=b'3' => {
                    let mut value = u32::from(digit - b'0');
                    for _ in 0..2 {
                        let next = rest.next().filter(|next| (b'0'..=b'7').contains(next));
                        value = value * 8 + u32::from(next.ok_or("a broken escape in a quoted path")? - b'0');
                    }
                    bytes.push(u8::try_from(value).map_err(|_| "a broken escape in a quoted path")?);
                }
                other => bytes.push(other),
            },
            other => bytes.push(other),
        }
    }
    String::from_utf8(bytes).map_err(|_| "a path that is not UTF-8".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Location;

    fn touched(change: &Change, file: &str, side: Side) -> Vec<i64> {
        let file = RepoPath::new(file).unwrap();
        let is_touched = |line: &i64| {
            let lines = Some(LineRange::single(Line::new(*line).unwrap()));
            change.touches(&Location { side, ..Location::new(file.clone(), lines) })
        };
        (1..60).filter(is_touched).collect()
    }

    #[test]
    fn added_changed_and_removed_lines_are_touched() {
        let change = parse(concat!(
            "diff --git a/src/a.rs b/src/a.rs\nindex 1..2 100644\n--- a/src/a.rs\n+++ b/src/a.rs\n",
            "@@ -3,4 +3,5 @@ fn f() {\n context\n-old\n+new\n+newer\n last\n context\n",
            "@@ -20,3 +21,2 @@\n a\n-gone\n b\n\\ No newline at end of file\n",
        ))
        .unwrap();
        assert_eq!(touched(&change, "src/a.rs", Side::Right), [3, 4, 5, 21, 22]);
        assert_eq!(touched(&change, "src/a.rs", Side::Left), [4, 21]);
    }

    #[test]
    fn new_removed_renamed_and_binary_files_are_named() {
        let change = parse(concat!(
            "diff --git a/new b/new\nnew file mode 100644\n--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+--- a/x\n++++ b/y\n",
            "diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
            "diff --git a/from b/to\nsimilarity index 100%\nrename from from\nrename to to\n",
            "diff --git a/x.png b/x.png\nBinary files a/x.png and b/x.png differ\n",
            "--- b/dir\n+++ b/dir\n@@ -1 +1 @@\n-a\n+b\n",
            "--- \"a/\\303\\274 \\\"q\\\".rs\"\t2026\n+++ \"b/\\303\\274 \\\"q\\\".rs\"\t2026\n@@ -1 +1 @@\n-a\n+b\n",
        ))
        .unwrap();
        assert_eq!(touched(&change, "new", Side::Right), [1, 2]);
        assert_eq!(touched(&change, "gone", Side::Left), [1]);
        for file in ["to", "b/dir", "x.png", "ü \"q\".rs"] {
            assert!(change.has_file(&RepoPath::new(file).unwrap()), "{file}");
        }
    }

    #[test]
    fn what_is_no_diff_is_refused() {
        for text in [
            "hello",
            "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n-b\n",
            "--- a/x\n+++ b/../x\n",
            "--- a/x\n+++ b/x\n@@ nonsense @@\n",
            "--- a/x\n+++ b/x\n@@@ -1 -1 +1 @@@\n",
            "+++ \"b/x\n",
        ] {
            assert!(parse(text).is_err(), "{text:?}");
        }
        assert_eq!(parse(" \n"), Ok(Change::default()));
    }
}
