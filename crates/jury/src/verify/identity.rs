//! Findings of one tree in; which finding of a later tree each of them is, out.
//!
//! In passes, the most certain first, and one to one: who was found in an earlier pass is out of the later ones. Why these, and
//! in this order: docs/decisions/015. Deliberately not here: the status of a finding that is found again, or is not.

use std::collections::BTreeMap;

use super::code::{Code, Text};
use super::files::{File, Went};
use super::{Texts, TreeFindings};
use crate::model::{Features, FileLine, FindingName, RepoPath, closed_set};

closed_set! {
    /// How a finding was recognised.
    Pass {
        /// It stands at the line that the diff leads to.
        Line = "line",
        /// Its code and the lines around it are the same.
        Context = "context",
        /// Its code is the same, in the same file.
        Code = "code",
        /// It is in the replacement of its line.
        Hunk = "hunk",
        /// Its code is the same, in another file.
        Elsewhere = "elsewhere",
        /// Its code is the same but for the names of variables.
        Shape = "shape",
        /// Its code is much alike, in the same file.
        Like = "like",
        /// It has no place, and says the same.
        Said = "said",
    }
}

/// A finding that was found again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Followed {
    /// The index of the later finding.
    pub to: usize,
    /// How it was recognised.
    pub pass: Pass,
}

/// How alike two places in one file must be, in percent, to be one by that alone.
const ALIKE: usize = 50;

/// Follows every finding.
pub(super) fn follow(
    then: &TreeFindings,
    now: &TreeFindings,
    files: &BTreeMap<RepoPath, File>,
) -> Vec<Option<Followed>> {
    let mut search = Search {
        then: sights(then),
        now: sights(now),
        files,
        found: vec![None; then.features.len()],
        is_taken: vec![false; now.features.len()],
    };
    search.run(Pass::Said, By::FindingName, |search, old, new| search.said(old, new));
    search.run(Pass::Line, By::FindingName, |search, old, new| search.line(old, new));
    search.run(Pass::Context, By::FindingName, |search, old, new| {
        let is_same = search.in_file(old, new) && old.code.is_same(&new.code) && old.code.has_same_context(&new.code);
        is_same.then(|| search.distance(old, new))
    });
    search.run(Pass::Code, By::FindingName, |search, old, new| {
        (search.in_file(old, new) && old.code.is_same(&new.code)).then(|| search.distance(old, new))
    });
    search.run(Pass::Hunk, By::FindingName, |search, old, new| search.hunk(old, new));
    search.run(Pass::Elsewhere, By::FindingName, |search, old, new| {
        let is_same = !search.in_file(old, new) && old.code.is_same(&new.code);
        is_same.then(|| usize::from(!old.code.has_same_context(&new.code)))
    });
    search.run(Pass::Shape, By::FindingName, |search, old, new| {
        let is_same = old.code.has_same_shape(&new.code);
        is_same.then(|| if search.in_file(old, new) { search.distance(old, new) } else { usize::MAX })
    });
    search.run(Pass::Like, By::FindingName, |search, old, new| {
        let likeness = old.code.likeness(&new.code);
        (search.in_file(old, new) && likeness >= ALIKE).then_some(100 - likeness)
    });
    // Another rule may report the rest after half a fix: the same weakness at the same place.
    search.run(Pass::Line, By::Weakness, |search, old, new| search.line(old, new));
    search.run(Pass::Hunk, By::Weakness, |search, old, new| search.hunk(old, new));
    search.found
}

/// The identity of a finding.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// The same rule or title of the same domain.
    FindingName,
    /// The same weakness in the words of the same domain.
    Weakness,
}

/// A finding where it stands.
struct Sight<'s> {
    features: &'s Features,
    file: Option<&'s RepoPath>,
    /// The line, from 1; 0 for a file as a whole.
    line: usize,
    code: Code,
}

struct Search<'s> {
    then: Vec<Sight<'s>>,
    now: Vec<Sight<'s>>,
    files: &'s BTreeMap<RepoPath, File>,
    found: Vec<Option<Followed>>,
    is_taken: Vec<bool>,
}

impl Search<'_> {
    /// Pairs the matches of a pass, the nearest first.
    fn run(&mut self, pass: Pass, by: By, distance: impl Fn(&Self, &Sight<'_>, &Sight<'_>) -> Option<usize>) {
        let mut named: BTreeMap<(&str, String), Vec<usize>> = BTreeMap::new();
        let free = self.now.iter().enumerate().filter(|(at, _)| !self.is_taken[*at]);
        for (at, sight) in free {
            for key in sight.features.names.iter().filter_map(|name| key(name, by)) {
                named.entry(key).or_default().push(at);
            }
        }
        let mut pairs = Vec::new();
        let lost = self.then.iter().enumerate().filter(|(at, _)| self.found[*at].is_none());
        for (old_at, old) in lost {
            for key in old.features.names.iter().filter_map(|name| key(name, by)) {
                for new_at in named.get(&key).into_iter().flatten() {
                    let new = &self.now[*new_at];
                    if let Some(distance) = distance(self, old, new) {
                        let is_retitled = old.features.title != new.features.title;
                        pairs.push((distance, is_retitled, old_at, *new_at));
                    }
                }
            }
        }
        pairs.sort_unstable();
        for (_, _, old_at, new_at) in pairs {
            if self.found[old_at].is_none() && !self.is_taken[new_at] {
                self.found[old_at] = Some(Followed { to: new_at, pass });
                self.is_taken[new_at] = true;
            }
        }
    }

    fn file(&self, old: &Sight<'_>) -> Option<&File> {
        self.files.get(old.file?)
    }

    fn in_file(&self, old: &Sight<'_>, new: &Sight<'_>) -> bool {
        self.file(old).is_some_and(|file| Some(&file.now) == new.file)
    }

    /// Says how far the later one stands from where the diff leads.
    fn distance(&self, old: &Sight<'_>, new: &Sight<'_>) -> usize {
        self.file(old).map_or(usize::MAX, |file| file.about(old.line).abs_diff(new.line))
    }

    /// Findings without a line match by text in the same file, or in the whole repository.
    fn said(&self, old: &Sight<'_>, new: &Sight<'_>) -> Option<usize> {
        let has_place = old.line > 0 || new.line > 0;
        let is_same_place = old.file == new.file || self.in_file(old, new);
        (!has_place && is_same_place && old.features.title == new.features.title).then_some(0)
    }

    fn line(&self, old: &Sight<'_>, new: &Sight<'_>) -> Option<usize> {
        let is_there = old.line > 0 && self.file(old)?.went(old.line) == Went::To(new.line);
        (is_there && self.in_file(old, new)).then_some(0)
    }

    /// In the replacement of the line, the most similar finding matches; of equals, the one in the same order.
    fn hunk(&self, old: &Sight<'_>, new: &Sight<'_>) -> Option<usize> {
        const FARTHEST: usize = 1_000_000;
        let file = self.file(old).filter(|_| old.line > 0 && self.in_file(old, new))?;
        let Went::Replaced(range) = file.went(old.line) else { return None };
        if !range.contains(&new.line) {
            return None;
        }
        let unlike = if old.code.has_same_shape(&new.code) { 0 } else { 100 - old.code.likeness(&new.code) };
        let hunk = file.hunks().iter().find(|hunk| hunk.before.contains(&(old.line - 1)))?;
        let share = (old.line - 1 - hunk.before.start) * range.len() / hunk.before.len().max(1);
        Some(unlike * FARTHEST + (range.start + share).abs_diff(new.line).min(FARTHEST - 1))
    }
}

fn key(name: &FindingName, by: By) -> Option<(&str, String)> {
    match by {
        By::FindingName => Some((name.domain.as_str(), name.what.clone())),
        By::Weakness => name.cwe.map(|cwe| (name.domain.as_str(), cwe.to_string())),
    }
}

fn sights(seen: &TreeFindings) -> Vec<Sight<'_>> {
    let texts = texts_of(&seen.texts);
    seen.features.iter().map(|features| sight(features, &texts)).collect()
}

fn sight<'s>(features: &'s Features, texts: &BTreeMap<&RepoPath, Text<'_>>) -> Sight<'s> {
    let (file, line) = match &features.place {
        Some(FileLine { file, line }) => (Some(file), line.map_or(0, |line| line as usize)),
        None => (None, 0),
    };
    let text = file.and_then(|file| texts.get(file)).filter(|_| line > 0);
    Sight {
        features,
        file,
        line,
        code: text.map(|text| text.code(line, features.quote.as_deref())).unwrap_or_default(),
    }
}

pub(super) fn texts_of(texts: &Texts) -> BTreeMap<&RepoPath, Text<'_>> {
    texts.iter().map(|(path, text)| (path, Text::new(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::files;
    use super::*;
    use crate::model::Domain;

    /// Reads a tree in which a line that ends in `//!rule` has a finding of that rule.
    fn seen(tree: &[(&str, &str)]) -> TreeFindings {
        let mut seen = TreeFindings::default();
        for (path, text) in tree {
            let file = RepoPath::new(path).unwrap();
            let mut clean = String::new();
            for (line, number) in text.lines().zip(1..) {
                let (code, marks) = line.split_once("//!").unwrap_or((line, ""));
                clean.push_str(code.trim_end());
                clean.push('\n');
                for rule in marks.split_whitespace() {
                    let (what, cwe) = rule.split_once('=').unwrap_or((rule, ""));
                    let name = FindingName {
                        domain: Domain::new("security").unwrap(),
                        what: what.to_owned(),
                        cwe: cwe.parse().ok(),
                    };
                    let place = Some(FileLine { file: file.clone(), line: Some(number) });
                    seen.features.push(Features { names: vec![name], title: what.to_owned(), quote: None, place });
                }
            }
            seen.texts.insert(file, clean);
        }
        seen
    }

    /// Returns for each earlier finding its later line, and how it was recognised.
    fn followed(then: &[(&str, &str)], now: &[(&str, &str)]) -> Vec<String> {
        let (then, now) = (seen(then), seen(now));
        let files = files::files(&then.texts, &now.texts);
        let show = |found: &Option<Followed>| {
            found.map_or("gone".to_owned(), |found| {
                let place = now.features[found.to].place.as_ref().unwrap();
                format!("{}:{} {}", place.file, place.line.unwrap(), found.pass.token())
            })
        };
        follow(&then, &now, &files).iter().map(show).collect()
    }

    const BODY: &str = "fn a() {\n  one();\n  db.query(\"SELECT a\" + id); //!sql\n  two();\n}\n";

    #[test]
    fn a_finding_is_followed_through_every_edit() {
        let same = |now: &str| followed(&[("a.ts", BODY)], &[("a.ts", now)]).remove(0);
        assert_eq!(same(BODY), "a.ts:3 line");
        assert_eq!(same(&format!("// new\n\n{BODY}")), "a.ts:5 line");
        assert_eq!(same(&BODY.replace("  db", "      db")), "a.ts:3 context");
        assert_eq!(same(&BODY.replace("id)", "orderId)")), "a.ts:3 hunk");
        let split = BODY
            .replace("  db.query(\"SELECT a\" + id); //!sql", "  db.query( //!sql\n    'SELECT a' +\n      id,\n  );");
        assert_eq!(same(&split), "a.ts:3 code");
        let moved_down =
            "fn a() {\n  one();\n  two();\n}\nfn z() {\n}\nfn b() {\n  db.query(\"SELECT a\" + id); //!sql\n}\n";
        assert_eq!(same(moved_down), "a.ts:8 code");
        assert_eq!(same(&BODY.replace(" //!sql", "")), "gone");
    }

    #[test]
    fn a_finding_is_followed_to_another_file() {
        let to = |now: &[(&str, &str)]| followed(&[("a.ts", BODY)], now).remove(0);
        assert_eq!(to(&[("lib/b.ts", BODY)]), "lib/b.ts:3 line");
        let other = "class B {\n  run(id) {\n    db.query(\"SELECT a\" + id); //!sql\n  }\n}\n";
        assert_eq!(to(&[("a.ts", "fn a() {\n  one();\n}\n"), ("b.ts", other)]), "b.ts:3 elsewhere");
        let renamed = other.replace("\" + id", "\" + key");
        assert_eq!(to(&[("a.ts", "fn a() {\n  one();\n}\n"), ("b.ts", &renamed)]), "b.ts:3 shape");
    }

    #[test]
    fn equals_keep_their_order_and_nobody_is_taken_twice() {
        let two = "f(db.query(\"SELECT a\" + id)); //!sql\nmid();\nf(db.query(\"SELECT a\" + id)); //!sql\n";
        assert_eq!(followed(&[("a", two)], &[("a", two)]), ["a:1 line", "a:3 line"]);
        let first_gone = "mid();\nf(db.query(\"SELECT a\" + id)); //!sql\n";
        assert_eq!(followed(&[("a", two)], &[("a", first_gone)]), ["gone", "a:2 line"]);
        let last_gone = "f(db.query(\"SELECT a\" + id)); //!sql\nmid();\n";
        assert_eq!(followed(&[("a", two)], &[("a", last_gone)]), ["a:1 line", "gone"]);
    }

    #[test]
    fn another_rule_is_another_finding_unless_it_states_the_same_weakness_there() {
        let then = "a();\nhash(\"md5\", x); //!md5=327\nb();\n";
        assert_eq!(followed(&[("a", then)], &[("a", "a();\nhash(\"sha1\", x); //!sha1=327\nb();\n")]), ["a:2 hunk"]);
        assert_eq!(followed(&[("a", then)], &[("a", "a();\nhash(\"sha1\", x); //!sha1=328\nb();\n")]), ["gone"]);
    }
}
