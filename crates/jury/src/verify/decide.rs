//! The result for a finding that was marked fixed. In: the earlier and the later findings. Out: gone, still there and
//! why, or not to be told and why.
//!
//! A finding is gone if its reviewer looked again, at all files that could hold it now, and did not raise it. Absence is not
//! believed where the look was blind: a file that cannot be read, a test that was removed, code that went elsewhere as it was.

use std::collections::{BTreeMap, BTreeSet};

use super::code::{Text, bare, tokens};
use super::files::{File, Went, files};
use super::identity::{Followed, Pass, follow, texts_of};
use super::{TreeFindings, beyond};
use crate::model::{Became, FileLine, RepoPath};

/// Further facts of the later tree.
#[derive(Clone, Debug, Default)]
pub struct TreeFacts {
    /// The later findings that the author of the code asks to ignore.
    pub ignored: BTreeSet<usize>,
    /// Files that could not be read in full, each with the reason.
    pub unread: BTreeMap<RepoPath, String>,
    /// Files of the earlier tree from which tests were removed since.
    pub untested: BTreeSet<RepoPath>,
}

/// Two looks at the same code, held against each other.
pub struct Comparison<'s> {
    then: &'s TreeFindings,
    now: &'s TreeFindings,
    files: BTreeMap<RepoPath, File>,
    followed: Vec<Option<Followed>>,
    new_code: NewCode<'s>,
}

impl<'s> Comparison<'s> {
    /// Follows every finding from then to now.
    pub fn new(then: &'s TreeFindings, now: &'s TreeFindings) -> Self {
        let files = files(&then.texts, &now.texts);
        let followed = follow(then, now, &files);
        let new_code = NewCode::of(&files, &texts_of(&now.texts));
        Self { then, now, files, followed, new_code }
    }

    /// Returns which later finding each of the earlier ones is.
    pub fn followed(&self) -> &[Option<Followed>] {
        &self.followed
    }

    /// Returns the later findings that are none of the earlier ones.
    pub fn unknown_before(&self) -> Vec<usize> {
        let known: BTreeSet<usize> = self.followed.iter().flatten().map(|followed| followed.to).collect();
        (0..self.now.features.len()).filter(|at| !known.contains(at)).collect()
    }

    /// Returns the files that are others under a new path.
    pub fn moved_files(&self) -> BTreeSet<RepoPath> {
        self.files.values().filter(|file| file.is_moved).map(|file| file.now.clone()).collect()
    }

    /// Returns the path of the file of an earlier finding now, if it is another.
    pub fn moved_to(&self, at: usize) -> Option<&RepoPath> {
        let place = self.then.features[at].place.as_ref()?;
        self.files.get(&place.file).filter(|file| file.is_moved).map(|file| &file.now)
    }

    /// Returns the files in which more changed than the neighbourhood of these findings.
    pub fn beyond(&self, fixed: &[usize]) -> Vec<RepoPath> {
        let places = fixed.iter().filter_map(|at| self.then.features[*at].place.as_ref());
        beyond::beyond(self.then, self.now, &self.files, &places.collect::<Vec<_>>())
    }

    /// Decides an earlier finding.
    pub fn ask(&self, at: usize, known: &TreeFacts) -> Became {
        let place = self.then.features[at].place.as_ref();
        let file = place.and_then(|place| self.files.get(&place.file));
        if let Some(followed) = self.followed[at] {
            let place_now = self.now.features[followed.to].place.clone();
            let is_ignored = known.ignored.contains(&followed.to);
            let why =
                if is_ignored { IGNORED.to_owned() } else { still_there(followed.pass, file, place_now.as_ref()) };
            return Became::Reopened { why, place: place_now };
        }
        let Some(place) = place else { return Became::Verified };
        if let Some(why) = self.blind(place, file, known) {
            return Became::Unknown { why };
        }
        if file.is_some_and(|file| self.is_only_renamed(place, file)) {
            let why = format!("only names changed in {} since the review", place.file);
            return Became::Reopened { why, place: None };
        }
        let line = place.line.unwrap_or(0) as usize;
        let is_taken_away =
            file.is_none_or(|file| matches!(file.went(line), Went::Replaced(range) if range.is_empty()));
        if is_taken_away && known.untested.contains(&place.file) {
            let why = "its test was removed, not fixed".to_owned();
            return Became::Reopened { why, place: None };
        }
        match self.moved(place, self.then.features[at].quote.as_deref(), file) {
            Some(place) => {
                let why = format!("its code was moved unchanged to {}", shown(&place));
                Became::Reopened { why, place: Some(place) }
            }
            None => Became::Verified,
        }
    }

    /// Says why a look at where the finding could be now saw nothing for certain.
    fn blind(&self, place: &FileLine, file: Option<&File>, known: &TreeFacts) -> Option<String> {
        let is_asked = |path: &RepoPath| match file {
            Some(file) => *path == file.now,
            // Removed code may have moved into any new file.
            None => !self.then.texts.contains_key(path),
        };
        let unread = known.unread.iter().find(|(path, _)| is_asked(path) || **path == place.file);
        unread.map(|(path, why)| format!("{path} could not be reviewed: {why}"))
    }

    /// Tells whether only names changed in a file: old names became new ones. Code
    /// that does the same is as bad as it was.
    fn is_only_renamed(&self, place: &FileLine, file: &File) -> bool {
        let (Some(then), Some(now)) = (self.then.texts.get(&place.file), self.now.texts.get(&file.now)) else {
            return false;
        };
        let (before, after): (Vec<&str>, Vec<&str>) = (then.lines().collect(), now.lines().collect());
        let mut renamed: BTreeSet<(&str, &str)> = BTreeSet::new();
        for hunk in file.hunks() {
            if hunk.before.len() != hunk.after.len() {
                return false;
            }
            for (before, after) in before[hunk.before.clone()].iter().zip(&after[hunk.after.clone()]) {
                let ((shape, was), (shape_now, is)) = (tokens(before), tokens(after));
                if shape != shape_now {
                    return false;
                }
                renamed.extend(was.into_iter().zip(is).filter(|(was, is)| was != is));
            }
        }
        let names = |lines: &[&'_ str]| -> BTreeSet<String> {
            lines.iter().flat_map(|line| tokens(line).1).map(str::to_owned).collect()
        };
        let (names_then, names_now) = (names(&before), names(&after));
        let is_fresh = |(was, is): &(&str, &str)| !names_now.contains(*was) && !names_then.contains(*is);
        !renamed.is_empty() && renamed.iter().all(is_fresh)
    }

    /// Finds the very code among the lines that are new, but not in the place of the old: there, who looked again has seen it.
    fn moved(&self, place: &FileLine, quote: Option<&str>, file: Option<&File>) -> Option<FileLine> {
        let line = place.line? as usize;
        let code = Text::new(self.then.texts.get(&place.file)?).code(line, quote);
        // In a file of another kind, who looked again could not recognise the code.
        if let Some((file, Went::To(line))) = file.map(|file| (file, file.went(line)))
            && file.now.extension() != place.file.extension()
        {
            return Some(FileLine { file: file.now.clone(), line: u32::try_from(line).ok() });
        }
        let in_place = file.map(|file| (&file.now, file.went(line)));
        let is_in_place = |path: &RepoPath, at: usize| match &in_place {
            Some((now, Went::Replaced(range))) => path == *now && range.contains(&at),
            _ => false,
        };
        let mut places = self.new_code.places(code.telling()?).filter(|(path, at)| !is_in_place(path, *at));
        places.next().map(|(path, at)| FileLine { file: path.clone(), line: u32::try_from(at).ok() })
    }
}

const IGNORED: &str = "it is suppressed by a comment, which is not a fix";

fn still_there(pass: Pass, file: Option<&File>, place: Option<&FileLine>) -> String {
    let at = place.map(shown).unwrap_or_default();
    match (pass, file) {
        (Pass::Said, _) => "it is still reported".to_owned(),
        (_, Some(file)) if file.is_same() && file.is_moved => format!("only its file was renamed: {}", file.now),
        (_, Some(file)) if file.is_same() => format!("{} is unchanged since the review", file.now),
        (Pass::Line, _) => format!("its line is unchanged and still found ({at})"),
        (Pass::Context | Pass::Code, _) => format!("its code is unchanged, at {at}"),
        (Pass::Elsewhere, _) => format!("its code was moved to {at}"),
        (Pass::Hunk | Pass::Shape | Pass::Like, _) => format!("it was changed and is still found, at {at}"),
    }
}

fn shown(place: &FileLine) -> String {
    let line = place.line.map(|line| format!(":{line}")).unwrap_or_default();
    format!("{}{line}", place.file)
}

/// The code that is new or stands elsewhere, in one text, and where each line of it stands.
struct NewCode<'s> {
    text: String,
    starts: Vec<(usize, &'s RepoPath, usize)>,
}

impl<'s> NewCode<'s> {
    fn of(files: &BTreeMap<RepoPath, File>, texts: &BTreeMap<&'s RepoPath, Text<'s>>) -> Self {
        let by_path: BTreeMap<&RepoPath, &File> = files.values().map(|file| (&file.now, file)).collect();
        let mut new = Self { text: String::new(), starts: Vec::new() };
        for (path, text) in texts {
            let all = 0..text.lines.len();
            let hunks = by_path.get(path).map(|file| file.hunks().iter().map(|hunk| hunk.after.clone()).collect());
            for hunk in hunks.unwrap_or_else(|| vec![all]) {
                for (line, index) in text.lines.get(hunk.clone()).unwrap_or_default().iter().zip(hunk) {
                    new.starts.push((new.text.len(), path, index + 1));
                    new.text.push_str(&bare(&[line]));
                }
                new.text.push('\n');
            }
        }
        new
    }

    /// Returns where a piece of code begins, wherever it stands.
    fn places<'n>(&'n self, code: &'n str) -> impl Iterator<Item = (&'s RepoPath, usize)> + 'n {
        self.text.match_indices(code).filter_map(|(at, _)| {
            let line = self.starts.partition_point(|(start, ..)| *start <= at).checked_sub(1)?;
            let (_, path, number) = self.starts[line];
            Some((path, number))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Domain, Features, FindingName};

    const THEN: &str = "fn a() {\n  one();\n  db.query(\"SELECT a\" + id);\n  two();\n}\n";

    fn seen(tree: &[(&str, &str)], finding: Option<(&str, u32)>) -> TreeFindings {
        let path = |path: &str| RepoPath::new(path).unwrap();
        let name = FindingName { domain: Domain::new("security").unwrap(), what: "sql".to_owned(), cwe: None };
        let features = |(file, line): (&str, u32)| Features {
            names: vec![name.clone()],
            title: "sql".to_owned(),
            quote: None,
            place: Some(FileLine { file: path(file), line: Some(line) }),
        };
        let texts = tree.iter().map(|(file, text)| (path(file), (*text).to_owned())).collect();
        TreeFindings { features: finding.into_iter().map(features).collect(), texts }
    }

    fn became(now: &[(&str, &str)], finding: Option<(&str, u32)>, known: &TreeFacts) -> String {
        let (then, now) = (seen(&[("a.ts", THEN)], Some(("a.ts", 3))), seen(now, finding));
        match Comparison::new(&then, &now).ask(0, known) {
            Became::Verified => "verified".to_owned(),
            Became::Reopened { why, .. } => format!("reopened: {why}"),
            Became::Unknown { why } => format!("unknown: {why}"),
        }
    }

    #[test]
    fn what_is_found_again_is_reopened_with_the_reason() {
        let known = TreeFacts::default();
        let again = |text: &str, line| became(&[("a.ts", text)], Some(("a.ts", line)), &known);
        assert_eq!(again(THEN, 3), "reopened: a.ts is unchanged since the review");
        let below = format!("// fixed\n{THEN}");
        assert_eq!(again(&below, 4), "reopened: its line is unchanged and still found (a.ts:4)");
        let indented = THEN.replace("  db", "    db");
        assert_eq!(again(&indented, 3), "reopened: its code is unchanged, at a.ts:3");
        let renamed = THEN.replace("id)", "key)");
        assert_eq!(again(&renamed, 3), "reopened: it was changed and is still found, at a.ts:3");
        let ignored = TreeFacts { ignored: [0].into(), ..TreeFacts::default() };
        assert_eq!(became(&[("a.ts", &below)], Some(("a.ts", 4)), &ignored), format!("reopened: {IGNORED}"));
    }

    #[test]
    fn what_is_gone_is_verified() {
        let known = TreeFacts::default();
        let fixed = THEN.replace("\"SELECT a\" + id", "\"SELECT ?\", [id]");
        assert_eq!(became(&[("a.ts", &fixed)], None, &known), "verified");
        // A value that was made safe above leaves the line itself as it was.
        let checked = THEN.replace("one();", "id = Number(id);");
        assert_eq!(became(&[("a.ts", &checked)], None, &known), "verified");
        assert_eq!(became(&[], None, &known), "verified");
        // A name that was there before is another value, and not another word for the same.
        let other = THEN.replace("+ id", "+ one");
        assert_eq!(became(&[("a.ts", &other.replace("one()", "run(one, id)"))], None, &known), "verified");
        // Put into a block, the line stands where it stood.
        let guarded =
            THEN.replace("  db.query(\"SELECT a\" + id);", "  if (ok(id)) {\n    db.query(\"SELECT a\" + id);\n  }");
        assert_eq!(became(&[("a.ts", &guarded)], None, &known), "verified");
    }

    #[test]
    fn absence_is_not_believed_where_the_look_was_blind() {
        let known = TreeFacts::default();
        assert_eq!(became(&[("a.txt", THEN)], None, &known), "reopened: its code was moved unchanged to a.txt:3");
        let renamed = THEN.replace("id", "key");
        let only_names = "reopened: only names changed in a.ts since the review";
        assert_eq!(became(&[("a.ts", &renamed)], None, &known), only_names);
        let moved = [("a.ts", "fn a() {\n  one();\n}\n"), ("b.ts", "fn b(id) {\n  db.query(\"SELECT a\" + id);\n}\n")];
        assert_eq!(became(&moved, None, &known), "reopened: its code was moved unchanged to b.ts:2");
        let unread = |path: &str| TreeFacts {
            unread: [(RepoPath::new(path).unwrap(), "a syntax error".to_owned())].into(),
            ..TreeFacts::default()
        };
        let fixed = THEN.replace("id", "1");
        let blind = "unknown: a.ts could not be reviewed: a syntax error";
        assert_eq!(became(&[("a.ts", &fixed)], None, &unread("a.ts")), blind);
        assert_eq!(became(&[("a.ts", &fixed)], None, &unread("c.ts")), "verified");
        assert!(became(&[("b.ts", "x")], None, &unread("b.ts")).starts_with("unknown"));
        let untested = TreeFacts { untested: [RepoPath::new("a.ts").unwrap()].into(), ..TreeFacts::default() };
        let removed = THEN.replace("  db.query(\"SELECT a\" + id);\n", "");
        assert!(became(&[("a.ts", &removed)], None, &untested).starts_with("reopened: its test was removed"));
        assert_eq!(became(&[("a.ts", &removed)], None, &known), "verified");
    }

    #[test]
    fn what_nobody_knew_is_named() {
        let (then, now) = (seen(&[("a.ts", THEN)], None), seen(&[("a.ts", THEN)], Some(("a.ts", 3))));
        assert_eq!(Comparison::new(&then, &now).unknown_before(), [0]);
        assert!(Comparison::new(&now, &now).unknown_before().is_empty());
    }
}
