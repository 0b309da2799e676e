//! Text rules, for files of any kind. In: a text, and the rules that could match it. Out: matches. A regular expression
//! is compiled on first use, and run only near its keywords, where a rough form of it matches.

use std::borrow::Cow;
use std::cell::LazyCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::OnceLock;

use regex::{Captures, Regex, bytes};
use regex_syntax::hir::{Capture, Class, ClassBytes, ClassBytesRange, ClassUnicode, Hir, HirKind, LookSet, Repetition};

use crate::claim::{Match, fill};
use crate::keyword_index::KeywordIndex;
use crate::rule::{Checksum, Decodes, Mask, Rule, Strength, TextMatch};
use crate::{checksum, plausible_secret, sql};

/// The group that must not be shown.
const SECRET: &str = "secret";
/// The group with the name that a secret is assigned to.
const NAME: &str = "NAME";
/// The group at which the finding is placed, if the text before it is only context.
const PLACE: &str = "at";
/// Placeholder in a title for the service of a secret.
const SERVICE: &str = "SERVICE";

/// The text patterns of some rules, ready to run. Of overlapping secrets the first pattern wins; yielding patterns come
/// last.
pub(crate) struct Scan {
    patterns: Vec<Pattern>,
    near: KeywordIndex,
}

struct Pattern {
    rule: &'static Rule,
    of: &'static TextMatch,
    /// The index of the rule in its pack.
    index: usize,
    rough: OnceLock<bytes::Regex>,
    find: OnceLock<Regex>,
    not: OnceLock<Regex>,
    not_name: OnceLock<Regex>,
    not_among: OnceLock<Regex>,
}

/// A secret in a text.
pub(crate) struct Secret {
    pub(crate) kind: &'static str,
    pub(crate) span: Range<usize>,
}

/// The parts of one match.
struct Hit<'t> {
    captures: Captures<'t>,
    /// The bytes that matched, and those at which the finding is placed.
    whole: Range<usize>,
    span: Range<usize>,
    secret: Option<Range<usize>>,
}

impl Scan {
    /// Takes the text patterns of rules, each with its index in its pack.
    pub(crate) fn of(rules: impl Iterator<Item = (usize, &'static Rule)>) -> Self {
        let of_rule =
            |(index, rule): (usize, &'static Rule)| rule.text.iter().map(move |of| Pattern::new(rule, of, index));
        let mut patterns: Vec<Pattern> = rules.flat_map(of_rule).collect();
        patterns.sort_by_key(|pattern| pattern.of.yields);
        let near = KeywordIndex::of(patterns.iter().map(|pattern| pattern.of));
        Self { patterns, near }
    }

    /// Finds the matches of the rules that may match, and the index of each rule in its pack.
    pub(crate) fn matches(&self, text: &str, may_match: &[bool]) -> Vec<(usize, Match<'static>)> {
        let mut taken = Taken::default();
        let mut found = Vec::new();
        for (pattern, pieces) in self.near(text, may_match) {
            let text = pattern.masked(text);
            for hit in pattern.hits(&text, &pieces) {
                let proves = |secret: &Range<usize>| pattern.is_proved(&text[secret.clone()]);
                if hit.secret.as_ref().is_some_and(|secret| !proves(secret) || !taken.take(secret)) {
                    continue;
                }
                let service = pattern.of.service.as_deref().map(Cow::Borrowed);
                let group = |name: &str| hit.captures.name(name).map(|group| Cow::Borrowed(group.as_str()));
                let title =
                    fill(&pattern.rule.title, |name| group(name).or(service.clone().filter(|_| name == SERVICE)));
                let secret_at = hit.secret.map(|secret| secret.start);
                // A token whose checksum is right was issued, wherever it stands.
                let severity = pattern.of.checksum.is_some().then_some(pattern.rule.severity);
                let confidence = None;
                let (rule, span, trace, source) = (pattern.rule, hit.span, vec![hit.whole], None);
                let matched = Match { rule, span, trace, source, title, secret_at, severity, confidence };
                found.push((pattern.index, matched));
            }
        }
        found
    }

    /// Pairs the patterns that may match with the pieces of the text to search.
    fn near(&self, text: &str, may_match: &[bool]) -> impl Iterator<Item = (&Pattern, Vec<Range<usize>>)> {
        let pieces = self.near.pieces(text, |at| may_match[self.patterns[at].index]);
        self.patterns.iter().zip(pieces).filter(|(_, pieces)| !pieces.is_empty())
    }

    /// Pairs the patterns with the pieces of the text near their keywords, which were found already.
    fn near_hits(&self, text: &str, hits: &[Range<usize>]) -> impl Iterator<Item = (&Pattern, Vec<Range<usize>>)> {
        let words = hits.iter().map(|hit| (text[hit.clone()].to_ascii_lowercase(), hit.clone()));
        let pieces = self.near.pieces_at(text, words);
        self.patterns.iter().zip(pieces).filter(|(_, pieces)| !pieces.is_empty())
    }

    /// Compiles every pattern, for a test.
    #[cfg(test)]
    pub(crate) fn compile_all(&self) -> usize {
        self.patterns.iter().map(Pattern::compile_all).count()
    }
}

/// Finds the secrets of a text, each by one rule, in order and disjoint. Texts that only look like secrets are included: a misquoted
/// token still reveals most of it.
///
/// In: the patterns of each rule, and where its keywords stand in the text.
pub(crate) fn secrets_of<'s>(text: &str, scans: impl Iterator<Item = (&'s Scan, &'s [Range<usize>])>) -> Vec<Secret> {
    let mut near: Vec<_> = scans.flat_map(|(scan, hits)| scan.near_hits(text, hits)).collect();
    near.sort_by_key(|(pattern, _)| pattern.of.yields);
    let mut taken = Taken::default();
    let mut secrets: Vec<Secret> = Vec::new();
    for (pattern, pieces) in near {
        let Some(kind) = pattern.of.secret.as_deref() else { continue };
        let spans = pattern.hits(text, &pieces).filter_map(|hit| hit.secret).filter(|span| taken.take(span));
        secrets.extend(spans.map(|span| Secret { kind, span }));
    }
    secrets.sort_by_key(|secret| secret.span.start);
    secrets
}

impl Pattern {
    fn new(rule: &'static Rule, of: &'static TextMatch, index: usize) -> Self {
        Self {
            rule,
            of,
            index,
            rough: OnceLock::new(),
            find: OnceLock::new(),
            not: OnceLock::new(),
            not_name: OnceLock::new(),
            not_among: OnceLock::new(),
        }
    }

    /// Compiles all of its regular expressions, for a test.
    #[cfg(test)]
    fn compile_all(&self) {
        self.may_match("");
        compiled(&self.find, &self.of.pattern);
        self.excluded("");
        self.of.not.iter().for_each(|not| _ = compiled(&self.not, not));
        self.of.not_name.iter().for_each(|not| _ = compiled(&self.not_name, not));
    }

    /// Tells whether it could match in a text. What counts letters of all scripts takes long to compile, and near most keywords there is
    /// nothing to count.
    fn may_match(&self, text: &str) -> bool {
        self.rough.get_or_init(|| rough(&self.of.pattern)).is_match(text.as_bytes())
    }

    fn masked<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.of.mask {
            Some(Mask::Sql) => Cow::Owned(sql::masked(text)),
            Some(Mask::Postgres) => Cow::Owned(sql::masked_for_postgres(text)),
            None => Cow::Borrowed(text),
        }
    }

    /// Returns the matches that count, in pieces of a text.
    fn hits<'t>(&'t self, text: &'t str, pieces: &'t [Range<usize>]) -> impl Iterator<Item = Hit<'t>> {
        let excluded = LazyCell::new(move || self.excluded(text));
        let matches = pieces.iter().flat_map(move |piece| {
            // A text that is masked as a whole has no pieces.
            let near = text.get(piece.clone()).unwrap_or_default();
            let find = self.may_match(near).then(|| compiled(&self.find, &self.of.pattern));
            find.into_iter().flat_map(|find| find.captures_iter(near)).map(|captures| (piece.start, captures))
        });
        matches.filter_map(move |(start, captures)| {
            let place = |range: Range<usize>| start + range.start..start + range.end;
            let whole = place(captures.get(0)?.range());
            let secret = captures.name(SECRET).map(|group| place(group.range()));
            let said = &text[secret.clone().unwrap_or_else(|| whole.clone())];
            let counts = self.could_be(said) && self.is_named_so(&captures, |name| excluded.contains(name));
            let span = captures.name(PLACE).map_or_else(|| whole.clone(), |group| place(group.range()));
            counts.then_some(Hit { captures, whole, span, secret })
        })
    }

    /// Tells whether a match is a plausible instance of the pattern.
    fn could_be(&self, said: &str) -> bool {
        let is_refused = self.of.not.as_ref().is_some_and(|not| compiled(&self.not, not).is_match(said));
        let is_stand_in = self.of.secret.is_some() && plausible_secret::is_placeholder(said);
        let is_strong = match self.of.strength {
            Some(Strength::Key) => plausible_secret::is_drawn(said),
            Some(Strength::Password) => plausible_secret::is_chosen(said) || plausible_secret::is_drawn(said),
            None => true,
        };
        let is_varied = self.of.entropy.is_none_or(|least| plausible_secret::entropy(said) >= least);
        !is_refused && !is_stand_in && is_strong && is_varied
    }

    /// Tells whether the names of a match are free of excluding definitions.
    fn is_named_so(&self, captures: &Captures<'_>, is_excluded: impl FnOnce(&str) -> bool) -> bool {
        let text_of = |group: &str| captures.name(group).map(|group| group.as_str());
        let not_name = self.of.not_name.as_ref();
        let is_refused =
            not_name.zip(text_of(NAME)).is_some_and(|(not, name)| compiled(&self.not_name, not).is_match(name));
        let name = self.of.not_among.as_ref().and_then(|names| text_of(&names.var)).map(bare_name);
        !is_refused && name.is_none_or(|name| !is_excluded(&name))
    }

    /// Tells whether a secret passes the checks of its format, if it has any.
    fn is_proved(&self, secret: &str) -> bool {
        let sums = match self.of.checksum {
            Some(Checksum::Crc32Base62) => checksum::has_crc32_base62(secret),
            None => true,
        };
        let decodes = match self.of.decodes {
            Some(Decodes::JsonWebToken) => checksum::is_json_web_token(secret),
            None => true,
        };
        sums && decodes
    }

    /// Collects the names that exclude a match.
    fn excluded(&self, text: &str) -> BTreeSet<String> {
        let Some(names) = &self.of.not_among else { return BTreeSet::new() };
        let found = compiled(&self.not_among, &names.pattern)
            .captures_iter(text)
            .filter_map(|captures| captures.name(&names.var));
        found.map(|group| bare_name(group.as_str())).collect()
    }
}

fn compiled<'r>(once: &'r OnceLock<Regex>, pattern: &str) -> &'r Regex {
    once.get_or_init(|| regex(pattern))
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a test compiles the patterns of every rule")
}

/// Compiles a regular expression that matches wherever another one does. It does not count, and knows no letters but those of ASCII.
fn rough(pattern: &str) -> bytes::Regex {
    let parsed = regex_syntax::parse(pattern).expect("a test compiles the patterns of every rule");
    bytes::Regex::new(&loosened(&parsed).to_string()).expect("a looser pattern is smaller")
}

fn loosened(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(Class::Bytes(_)) => hir.clone(),
        HirKind::Look(look) if LookSet::singleton(*look).contains_word_unicode() => Hir::empty(),
        HirKind::Look(_) => hir.clone(),
        HirKind::Class(Class::Unicode(class)) => of_ascii(class),
        HirKind::Repetition(Repetition { min, max, greedy, sub }) => Hir::repetition(Repetition {
            min: (*min).min(1),
            max: max.filter(|max| *max <= 1),
            greedy: *greedy,
            sub: Box::new(grouped(loosened(sub))),
        }),
        HirKind::Capture(capture) => loosened(&capture.sub),
        HirKind::Concat(parts) => Hir::concat(parts.iter().map(loosened).collect()),
        HirKind::Alternation(parts) => Hir::alternation(parts.iter().map(loosened).collect()),
    }
}

/// Puts a repetition that is repeated into a group: written without one, `(?:x+)?` is the lazy `x+?`.
fn grouped(hir: Hir) -> Hir {
    match hir.kind() {
        HirKind::Repetition(_) => Hir::capture(Capture { index: 1, name: None, sub: Box::new(hir) }),
        _ => hir,
    }
}

/// Returns the bytes of a class of characters: those of ASCII, and any others as often as they like if it has any other character.
fn of_ascii(class: &ClassUnicode) -> Hir {
    let last = |c: char| u8::try_from(c).map_or(0x7f, |byte| byte.min(0x7f));
    let ascii = class.ranges().iter().filter(|range| range.start().is_ascii());
    let ascii = ascii.map(|range| ClassBytesRange::new(last(range.start()), last(range.end())));
    let others = class.ranges().last().filter(|range| !range.end().is_ascii());
    let others = others.map(|_| ClassBytesRange::new(0x80, 0xff));
    let bytes = Hir::class(Class::Bytes(ClassBytes::new(ascii.chain(others))));
    match others {
        Some(_) => Hir::repetition(Repetition { min: 1, max: None, greedy: true, sub: Box::new(bytes) }),
        None => bytes,
    }
}

/// Removes the quotes from a name and lowers its case.
fn bare_name(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '"' | '`' | '[' | ']')).collect::<String>().to_lowercase()
}

/// Disjoint ranges: ends by starts.
#[derive(Default)]
pub(crate) struct Taken(BTreeMap<usize, usize>);

impl Taken {
    /// Adds a range, unless it overlaps an existing one.
    pub(crate) fn take(&mut self, span: &Range<usize>) -> bool {
        let before = self.0.range(..span.end).next_back();
        let is_free = before.is_none_or(|(_, end)| *end <= span.start);
        if is_free {
            self.0.insert(span.start, span.end);
        }
        is_free
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rough_form_matches_wherever_the_pattern_does() {
        for (pattern, matched, other) in [
            (r"(?i)key\s*=\s*(?P<secret>[^\s]{4,6})(?:x{2}|$)", "KEY = äöüé", "keyboard"),
            (r"(?im)^[ \t]*k\b[\w-]{2,}$", "a\n K\u{2003}\n\u{212a}-é", "ak"),
            (r"\bkey\b", "a key", "ke"),
            ("a{0}b{2}", "bb", "a"),
            ("[é-ö]{2}", "éö", "e"),
            (
                r#"(?i)\bADD\s+(?:IF\s+)?(?P<at>[\w"]+)\s+(?:(?:big|small)?serial\d?\b|x+y)"#,
                "ADD \"seq\" BIGSERIAL;",
                "add",
            ),
        ] {
            let rough = rough(pattern);
            assert!(!regex(pattern).is_match(matched) || rough.is_match(matched.as_bytes()), "{pattern}");
            assert!(!rough.is_match(other.as_bytes()), "{pattern}");
        }
    }
}
