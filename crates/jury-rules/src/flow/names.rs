//! Dotted names of called and read code, and patterns over them. In: `subprocess.run` and `subprocess.{run,call}`. Out:
//! whether the name matches the pattern.
//!
//! A pattern consists of segments separated by dots: `*` is one segment, `+` one or more, `**` zero or more, `{a,b}`
//! either, and a `*` within a segment any part of it, in which case is ignored.

use std::collections::HashMap;
use std::rc::Rc;

use foldhash::fast::FixedState;

/// The longest name that is kept; a call chain may be endless.
const LONGEST: u8 = 16;

/// A dotted name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name<'u> {
    /// The segments, the last one first.
    segments: Rc<[&'u str]>,
    /// The number of parts it was built from, each of which may contain dots.
    length: u8,
    letters: Letters,
}

/// The letters and digits that occur in a text, ignoring case: most names are ruled out for most patterns by them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Letters(u64);

impl Letters {
    pub(super) fn of(text: &str) -> Self {
        text.bytes().fold(Self(0), |all, byte| match byte.to_ascii_lowercase() {
            letter @ b'a'..=b'z' => Self(all.0 | 1 << (letter - b'a')),
            digit @ b'0'..=b'9' => Self(all.0 | 1 << (digit - b'0' + 26)),
            b'_' => Self(all.0 | 1 << 36),
            b'/' => Self(all.0 | 1 << 37),
            _ => all,
        })
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(super) fn has(self, others: Self) -> bool {
        others.0 & !self.0 == 0
    }
}

impl<'u> Name<'u> {
    /// Creates a name from a text, which may contain dots.
    pub(crate) fn new(text: &'u str) -> Self {
        let segments = if text.contains('.') { text.rsplit('.').collect() } else { Rc::new([text]) as Rc<[&str]> };
        Self { segments, length: 1, letters: Letters::of(text) }
    }

    /// Returns the name of a member.
    pub(crate) fn member(&self, text: &'u str) -> Self {
        if self.length >= LONGEST {
            return self.clone();
        }
        let before = self.segments.iter().copied();
        // Of the two, only an iterator with a known length fills the list with one allocation.
        let segments = if text.contains('.') {
            text.rsplit('.').chain(before).collect()
        } else {
            std::iter::once(text).chain(before).collect()
        };
        Self { segments, length: self.length + 1, letters: self.letters.and(Letters::of(text)) }
    }

    /// Returns the last segment.
    pub(crate) fn last(&self) -> &'u str {
        self.segments.first().copied().unwrap_or_default()
    }

    /// Tells whether two names are the same.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.segments == other.segments
    }
}

/// One segment of a pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    One,
    Some,
    Any,
    Exact(String),
    /// The parts between the stars, in lower case.
    Glob(Vec<String>),
}

/// A pattern over names, its last segment first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pattern {
    pieces: Vec<Piece>,
    /// The letters that every matching name contains.
    letters: Letters,
}

impl Pattern {
    /// Reads a pattern; alternatives yield several.
    pub(crate) fn parse(text: &str) -> Result<Vec<Self>, String> {
        let patterns = alternatives(text)?;
        patterns
            .iter()
            .map(|plain| Self::plain(plain).ok_or_else(|| format!("`{text}` is no pattern of names")))
            .collect()
    }

    fn plain(text: &str) -> Option<Self> {
        let piece = |segment: &str| match segment {
            "" => None,
            "*" => Some(Piece::One),
            "+" => Some(Piece::Some),
            "**" => Some(Piece::Any),
            _ if segment.contains('*') => {
                Some(Piece::Glob(segment.to_ascii_lowercase().split('*').map(str::to_owned).collect()))
            }
            _ => Some(Piece::Exact(segment.to_owned())),
        };
        let pieces: Vec<Piece> = text.rsplit('.').map(piece).collect::<Option<_>>()?;
        Some(Self { pieces, letters: Letters::of(text) })
    }

    /// Tells whether a name matches.
    pub(crate) fn matches(&self, name: &Name<'_>) -> bool {
        name.letters.has(self.letters) && fits(&self.pieces, &name.segments)
    }

    /// Returns the segments, the last one first.
    pub(super) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Returns the last segment, if the pattern spells it out.
    fn last(&self) -> Option<&str> {
        match self.pieces.first() {
            Some(Piece::Exact(text)) => Some(text),
            _ => None,
        }
    }
}

fn fits(pieces: &[Piece], segments: &[&str]) -> bool {
    let Some((piece, rest)) = pieces.split_first() else { return segments.is_empty() };
    let behind = |taken: usize| segments.get(taken..).is_some_and(|left| fits(rest, left));
    match piece {
        Piece::Any => (0..=segments.len()).any(behind),
        Piece::Some => (1..=segments.len()).any(behind),
        Piece::One => !segments.is_empty() && behind(1),
        Piece::Exact(text) => segments.first() == Some(&text.as_str()) && behind(1),
        Piece::Glob(parts) => segments.first().is_some_and(|segment| globs(parts, segment)) && behind(1),
    }
}

/// Tells whether the parts occur in a segment in order, the first at its start and the last at its end.
pub(super) fn globs(parts: &[String], segment: &str) -> bool {
    let [first, middle @ .., last] = parts else { return false };
    let segment = segment.as_bytes();
    let is = |text: &[u8], part: &str| text.eq_ignore_ascii_case(part.as_bytes());
    let Some((start, mut rest)) = segment.split_at_checked(first.len()) else { return false };
    if !is(start, first) {
        return false;
    }
    for part in middle.iter().filter(|part| !part.is_empty()) {
        let starts = |text: &[u8]| text[0].to_ascii_lowercase() == part.as_bytes()[0];
        let Some(at) = rest.windows(part.len()).position(|text| starts(text) && is(text, part)) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.len() >= last.len() && is(&rest[rest.len() - last.len()..], last)
}

/// A pattern over a whole text, such as a module path: `*` is any part of it, dots included; case is ignored.
#[derive(Clone, Debug)]
pub(crate) struct Glob(Vec<String>);

impl Glob {
    /// Reads a pattern; alternatives yield several.
    pub(crate) fn parse(text: &str) -> Result<Vec<Self>, String> {
        let split = |plain: String| Self(plain.to_ascii_lowercase().split('*').map(str::to_owned).collect());
        Ok(alternatives(text)?.into_iter().map(split).collect())
    }

    /// Tells whether a text matches.
    pub(crate) fn matches(&self, text: &str) -> bool {
        match &self.0[..] {
            [only] => text.eq_ignore_ascii_case(only),
            parts => globs(parts, text),
        }
    }
}

/// Expands the alternatives between braces.
fn alternatives(text: &str) -> Result<Vec<String>, String> {
    let Some(open) = text.find('{') else { return Ok(vec![text.to_owned()]) };
    let close = text[open..].find('}').ok_or_else(|| format!("`{text}` lacks a closing brace"))? + open;
    let mut all = Vec::new();
    for rest in alternatives(&text[close + 1..])? {
        all.extend(text[open + 1..close].split(',').map(|one| format!("{}{}{rest}", &text[..open], one.trim())));
    }
    Ok(all)
}

/// Values by pattern, indexed by the last segment of a name.
#[derive(Debug)]
pub(crate) struct Index<T> {
    by_last: HashMap<String, Vec<(Pattern, T)>, FixedState>,
    /// The fingerprints of the last segments, which rule out most names.
    looks: [u64; LOOKS / 64],
    others: Vec<(Pattern, T)>,
    /// The letters of the other patterns, side by side, which rule out most names.
    letters: Vec<Letters>,
}

/// The number of fingerprints.
const LOOKS: usize = 256;

/// Returns the fingerprint of a text: a number computed from its length and ends.
fn look(text: &str) -> usize {
    let [first, last] =
        [text.bytes().next(), text.bytes().next_back()].map(|byte| usize::from(byte.unwrap_or_default()));
    (first * 7 + last * 31 + text.len()) % LOOKS
}

impl<T> Default for Index<T> {
    fn default() -> Self {
        Self { by_last: HashMap::default(), looks: [0; LOOKS / 64], others: Vec::new(), letters: Vec::new() }
    }
}

impl<T: Copy> Index<T> {
    /// Adds a pattern.
    pub(crate) fn add(&mut self, text: &str, of: T) -> Result<(), String> {
        for pattern in Pattern::parse(text)? {
            match pattern.last() {
                Some(last) => {
                    let look = look(last);
                    self.looks[look / 64] |= 1 << (look % 64);
                    self.by_last.entry(last.to_owned()).or_default().push((pattern, of));
                }
                None => {
                    self.letters.push(pattern.letters);
                    self.others.push((pattern, of));
                }
            }
        }
        Ok(())
    }

    /// Returns all patterns with their values, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&Pattern, T)> {
        self.by_last.values().flatten().chain(&self.others).map(|(pattern, of)| (pattern, *of))
    }

    /// Returns the patterns that a name matches, with their values.
    fn matching<'i>(&'i self, name: &'i Name<'_>) -> impl Iterator<Item = &'i (Pattern, T)> {
        let look = look(name.last());
        let by_last = match self.looks[look / 64] >> (look % 64) & 1 {
            0 => None,
            _ => self.by_last.get(name.last()),
        };
        let others = self.letters.iter().zip(&self.others).filter(|(letters, _)| name.letters.has(**letters));
        let candidates = by_last.into_iter().flatten().chain(others.map(|(_, other)| other));
        candidates.filter(|(pattern, _)| pattern.matches(name))
    }

    /// Calls `found` with the value of each pattern that one of the names matches.
    pub(crate) fn each(&self, names: &[Name<'_>], mut found: impl FnMut(T)) {
        for (place, name) in names.iter().enumerate() {
            for (pattern, of) in self.matching(name) {
                // Values matched by an earlier name were found already.
                if !names[..place].iter().any(|earlier| pattern.matches(earlier)) {
                    found(*of);
                }
            }
        }
    }

    /// Tells whether it is empty.
    pub(crate) fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }

    /// Tells whether one of the names matches.
    pub(crate) fn has(&self, names: &[Name<'_>]) -> bool {
        names.iter().any(|name| self.matching(name).next().is_some())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(pattern: &str, name: &str) -> bool {
        let mut segments = name.split('.');
        let first = Name::new(segments.next().unwrap());
        let linked = segments.fold(first, |name, segment| name.member(segment));
        let patterns = Pattern::parse(pattern).unwrap();
        let by_link = patterns.iter().any(|pattern| pattern.matches(&linked));
        assert_eq!(by_link, patterns.iter().any(|pattern| pattern.matches(&Name::new(name))));
        by_link
    }

    #[test]
    fn patterns_say_which_names_they_mean() {
        for (pattern, name) in [
            ("subprocess.{run,call}", "subprocess.call"),
            ("{req,ctx.request}.query", "ctx.request.query"),
            ("+.query", "a.b.query"),
            ("**.Statement.execute*", "Statement.executeQuery"),
            ("**.Statement.execute*", "java.sql.Statement.execute"),
            ("*.query", "db.query"),
            ("*valid*", "isValidName"),
            ("github.com/gin-gonic/gin.Context.Query", "github.com/gin-gonic/gin.Context.Query"),
        ] {
            assert!(is(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("subprocess.run", "my.subprocess.run"),
            ("+.query", "query"),
            ("*.query", "a.b.query"),
            ("a*c", "abd"),
            ("run", "runner"),
            ("a.*", "a"),
        ] {
            assert!(!is(pattern, name), "{pattern} {name}");
        }
        assert!(Pattern::parse("a..b").is_err());
        assert!(Pattern::parse("a.{b").is_err());
    }

    #[test]
    fn a_glob_is_over_the_whole_text() {
        let is = |glob: &str, text: &str| Glob::parse(glob).unwrap().iter().any(|one| one.matches(text));
        assert!(is("*model*", "../Models/user.js") && is("{flask,django}*", "django.http") && is("os", "os"));
        assert!(!is("os", "os/exec") && !is("flask*", "a.flask"));
    }

    #[test]
    fn an_index_finds_by_any_of_the_names_and_each_pattern_once() {
        let mut index = Index::default();
        index.add("+.run", 1).unwrap();
        index.add("run*", 2).unwrap();
        let names = [Name::new("a").member("run"), Name::new("b").member("run")];
        let mut found = Vec::new();
        index.each(&names, |of| found.push(of));
        assert_eq!(found, [1]);
        assert!(!index.has(&[Name::new("go")]));
        assert!(index.has(&[Name::new("runs")]));
    }
}
