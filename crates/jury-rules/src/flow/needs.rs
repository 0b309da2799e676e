//! Words that code must contain for a clause to match. In: a program. Out: for each clause, the required words:
//! segments of the names it matches, those of a source if only tainted values count, and words of its texts.
//!
//! The words are necessary, never sufficient: they decide only which code can be skipped.

use std::collections::HashMap;
use std::sync::OnceLock;

use foldhash::fast::FixedState;

use super::names::{Letters, Name, Pattern, Piece, globs};
use super::program::{Bits, Compiled, ParameterPatterns, Program, Test, Which};
use super::spec::{Is, Literal, Literals};
use super::spotter::{Sought, Spotter};
use super::texts::{LIKE_ASCII, Said, said};

/// A set of a program's words, as bits by index, allocated only if there are any: most code contains none.
#[derive(Clone, Debug, Default)]
pub(super) struct Words(Vec<u64>);

/// The needs of the clauses of a program.
#[derive(Default)]
pub(crate) struct Needs {
    anywhere: Vocabulary,
    /// Words that count only in decorators: `get` is common, and `@get` is rare.
    in_decorators: Vocabulary,
    /// Words that count only in string values, in lower case, and those that must be whole words.
    in_texts: Vocabulary,
    whole_in_texts: Vocabulary,
    count: usize,
    spotter: OnceLock<Spotter>,
    /// Sources of taint, with their source sets.
    sources: Vec<(Need, Bits)>,
    clauses: Vec<Need>,
    /// Words that suppress clauses.
    unless: Vec<(Need, usize)>,
    /// Parameter names that the code does not spell out.
    implied: Vec<String>,
}

/// Words with their indices.
#[derive(Default)]
struct Vocabulary {
    exact: HashMap<String, usize, FixedState>,
    /// Words given by parts.
    globs: Vec<(Vec<String>, Letters, usize)>,
}

/// The entry of a word, which may be new.
struct Entry<'n> {
    of: &'n mut Vocabulary,
    count: &'n mut usize,
}

impl Entry<'_> {
    fn exact(self, text: &str) -> usize {
        *self.of.exact.entry(text.to_owned()).or_insert_with(|| next(self.count))
    }

    fn glob(self, parts: &[String]) -> usize {
        if let Some((.., known)) = self.of.globs.iter().find(|(known, ..)| known == parts) {
            return *known;
        }
        let new = next(self.count);
        let letters = parts.iter().map(|part| Letters::of(part)).fold(Letters::default(), Letters::and);
        self.of.globs.push((parts.to_vec(), letters, new));
        new
    }
}

/// A condition on a set of words.
enum Need {
    Word(usize),
    All(Vec<Need>),
    Any(Vec<Need>),
    /// One of these source sets can taint values.
    Source(Bits),
}

impl Words {
    /// Adds the words of another set; tells whether any were new.
    pub(super) fn add(&mut self, other: &Self) -> bool {
        let mut is_new = false;
        self.reach(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            is_new |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        is_new
    }

    fn reach(&mut self, length: usize) {
        if self.0.len() < length {
            self.0.resize(length, 0);
        }
    }

    fn set(&mut self, word: usize) {
        self.reach(word / 64 + 1);
        self.0[word / 64] |= 1 << (word % 64);
    }

    fn has(&self, word: usize) -> bool {
        self.0.get(word / 64).is_some_and(|bits| bits & 1 << (word % 64) != 0)
    }
}

impl Needs {
    /// Collects the needs of the clauses of a program.
    pub(super) fn of(program: &Program) -> Self {
        let mut needs = Self::default();
        needs.implied.extend(program.parameters.iter().filter_map(|(parameters, _)| parameters.goes_by.clone()));
        let mut places: Vec<Vec<Need>> = program.clauses.iter().map(|_| Vec::new()).collect();
        for (pattern, clause) in [&program.calls, &program.sets, &program.reads].into_iter().flat_map(|all| all.iter())
        {
            places[clause].push(needs.pattern(pattern));
        }
        for (key, clauses) in &program.records {
            clauses.iter().for_each(|clause| places[*clause].push(Need::Word(needs.exact(key))));
        }
        // Returned values, concatenations and keyed writes have no name.
        for clause in program.returns.iter().chain(&program.concats).chain(&program.puts) {
            places[*clause].push(Need::All(Vec::new()));
        }
        for (clause, places) in program.clauses.iter().zip(places) {
            let need = needs.clause(clause, places);
            needs.clauses.push(need);
        }
        for (pattern, sets) in program.sources.iter() {
            let need = needs.pattern(pattern);
            needs.sources.push((need, sets));
        }
        for (parameters, sets) in &program.parameters {
            let need = needs.parameters(parameters);
            needs.sources.push((need, *sets));
        }
        for (pattern, clause) in program.unless.iter().chain(program.unless_read.iter()) {
            let need = needs.pattern(pattern);
            needs.unless.push((need, clause));
        }
        needs
    }

    fn clause(&mut self, clause: &Compiled, places: Vec<Need>) -> Need {
        // With no arguments, `all` holds trivially.
        let args = clause.args.iter().filter(|(which, _)| *which != Which::Every).map(|(_, test)| test);
        let tests = args.chain(clause.sides()).chain(clause.record.iter().map(|(_, test)| test));
        let mut all: Vec<Need> = tests.map(|test| self.test(test, clause.sources)).collect();
        // Concatenated text counts only if it contains something tainted, unless any value will do.
        let tainted = clause.concat.iter().filter(|test| test.is != Some(Is::Built));
        all.extend(tainted.map(|_| Need::Source(Bits::MAX)));
        // A function is evaluated together with its decorators.
        if !clause.decorated.is_empty() {
            all.push(self.any(&clause.decorated, true));
        }
        all.push(Need::Any(places));
        Need::All(all)
    }

    /// The needs of a condition for any value; a negation needs nothing.
    fn test(&mut self, test: &Test, sources: Bits) -> Need {
        let mut all = Vec::new();
        // A leading key comes from a source, as tainted values do.
        if matches!(test.is, Some(Is::Tainted | Is::Keyed)) {
            all.push(Need::Source(sources));
        }
        let is_implied = |name: &Pattern| self.implied.iter().any(|implied| name.matches(&Name::new(implied)));
        if !test.name.is_empty() && !test.name.iter().any(is_implied) {
            all.push(self.any(&test.name, false));
        }
        let text = test.text.as_ref().map(|text| said(text.pattern()));
        let literal = test.literal.as_ref().map(said_in_literals);
        all.extend(text.iter().chain(&literal).map(|said| self.said(said)));
        if !test.any.is_empty() {
            all.push(Need::Any(test.any.iter().map(|one| self.test(one, sources)).collect()));
        }
        let parts = test.keys.iter().map(|(_, test)| test).chain(test.items.as_deref());
        all.extend(parts.map(|part| self.test(part, sources)));
        Need::All(all)
    }

    fn parameters(&mut self, of: &ParameterPatterns) -> Need {
        let given = [
            (&of.decorated, true),
            (&of.annotation, true),
            (&of.of, false),
            (&of.result, false),
            (&of.given_to, false),
            (&of.named, false),
        ];
        let given = given.into_iter().filter(|(names, _)| !names.is_empty());
        let mut all: Vec<Need> = given.map(|(names, is_decorator)| self.any(names, is_decorator)).collect();
        all.extend(of.signature.iter().map(|name| Need::Word(self.exact(name))));
        Need::All(all)
    }

    fn any(&mut self, patterns: &[Pattern], is_decorator: bool) -> Need {
        Need::Any(patterns.iter().map(|pattern| self.spoken(pattern, is_decorator)).collect())
    }

    fn pattern(&mut self, pattern: &Pattern) -> Need {
        self.spoken(pattern, false)
    }

    fn spoken(&mut self, pattern: &Pattern, is_decorator: bool) -> Need {
        let words = pattern.pieces().iter().filter_map(|piece| match piece {
            Piece::Exact(text) => Some(self.vocabulary(is_decorator).exact(text)),
            Piece::Glob(parts) => Some(self.vocabulary(is_decorator).glob(parts)),
            Piece::One | Piece::Some | Piece::Any => None,
        });
        Need::All(words.map(Need::Word).collect())
    }

    fn exact(&mut self, text: &str) -> usize {
        self.vocabulary(false).exact(text)
    }

    fn said(&mut self, said: &Said) -> Need {
        match said {
            Said::Word { text, is_whole } => {
                let of = if *is_whole { &mut self.whole_in_texts } else { &mut self.in_texts };
                Need::Word(Entry { of, count: &mut self.count }.exact(text))
            }
            Said::All(all) => Need::All(all.iter().map(|one| self.said(one)).collect()),
            Said::Any(any) => Need::Any(any.iter().map(|one| self.said(one)).collect()),
        }
    }

    fn vocabulary(&mut self, is_decorator: bool) -> Entry<'_> {
        let of = if is_decorator { &mut self.in_decorators } else { &mut self.anywhere };
        Entry { of, count: &mut self.count }
    }

    /// Adds the relevant segments of a dotted name.
    pub(super) fn note(&self, name: &str, is_decorator: bool, into: &mut Words) {
        let words = if is_decorator { &self.in_decorators } else { &self.anywhere };
        for segment in name.split('.') {
            words.exact.get(segment).into_iter().for_each(|word| into.set(*word));
            let letters = Letters::of(segment);
            for (parts, of_parts, word) in &words.globs {
                if letters.has(*of_parts) && !into.has(*word) && globs(parts, segment) {
                    into.set(*word);
                }
            }
        }
    }

    /// Adds the relevant words of a string value.
    pub(super) fn note_text(&self, text: &str, into: &mut Words) {
        let spotter = self.spotter.get_or_init(|| Spotter::of(self.sought_in_texts()));
        spotter.each(text, |word| into.set(word));
        self.note_like_ascii(text, into);
    }

    /// Adds all text words for a text with unusual letters.
    fn note_like_ascii(&self, text: &str, into: &mut Words) {
        if !text.is_ascii() && text.contains(LIKE_ASCII) {
            self.sought_in_texts().for_each(|sought| into.set(sought.meant));
        }
    }

    fn sought_in_texts(&self) -> impl Iterator<Item = Sought<'_>> {
        let all = [(&self.in_texts, false), (&self.whole_in_texts, true)].into_iter();
        all.flat_map(|(words, is_whole)| sought(words, is_whole))
    }

    /// Returns the needs that code of a file with these words could meet, for some clauses.
    pub(super) fn within(&self, words: &Words, clauses: &[usize]) -> Within<'_> {
        let sources: Vec<_> = self.sources.iter().filter(|(need, _)| need.is_met(words, 0)).collect();
        let sets = sources.iter().fold(0, |all, (_, sets)| all | sets);
        let clauses = clauses.iter().copied().filter(|clause| self.clauses[*clause].is_met(words, sets));
        let clauses: Vec<usize> = clauses.collect();
        let may = |(need, clause): &&(Need, usize)| clauses.binary_search(clause).is_ok() && need.is_met(words, 0);
        let unless = self.unless.iter().filter(may).map(|(need, _)| need).collect();
        Within { clauses: clauses.iter().map(|clause| &self.clauses[*clause]).collect(), sources, unless }
    }
}

/// The needs that the words of a file leave open; only these are checked for its parts.
pub(super) struct Within<'n> {
    clauses: Vec<&'n Need>,
    sources: Vec<&'n (Need, Bits)>,
    unless: Vec<&'n Need>,
}

impl Within<'_> {
    /// Tells whether no clause could match.
    pub(super) fn is_nothing(&self) -> bool {
        self.clauses.is_empty()
    }

    /// Tells whether a clause could match in code with these words.
    pub(super) fn may_find(&self, words: &Words) -> bool {
        let met = self.sources.iter().filter(|(need, _)| need.is_met(words, 0));
        let sets = met.fold(0, |all, (_, sets)| all | sets);
        self.clauses.iter().any(|clause| clause.is_met(words, sets))
    }

    /// Tells whether code with these words could suppress a clause.
    pub(super) fn may_keep_off(&self, words: &Words) -> bool {
        self.unless.iter().any(|need| need.is_met(words, 0))
    }
}

impl Need {
    fn is_met(&self, words: &Words, sources: Bits) -> bool {
        match self {
            Self::Word(word) => words.has(*word),
            Self::All(all) => all.iter().all(|one| one.is_met(words, sources)),
            Self::Any(any) => any.iter().any(|one| one.is_met(words, sources)),
            Self::Source(sets) => sets & sources != 0,
        }
    }
}

/// Returns the spelled-out words of a vocabulary.
fn sought(words: &Vocabulary, is_whole: bool) -> impl Iterator<Item = Sought<'_>> {
    words.exact.iter().map(move |(text, meant)| Sought { text, is_whole, meant: *meant })
}

/// Returns the words that every one of some literals contains.
fn said_in_literals(literals: &Literals) -> Said {
    let of = |literal: &Literal| match literal {
        Literal::Truth(truth) => said(&format!("^{truth}$")),
        Literal::Number(_) => Said::All(Vec::new()),
        Literal::Text(text) => said(&format!("^{}$", regex::escape(text))),
    };
    match literals {
        Literals::One(one) => of(one),
        Literals::Many(many) => Said::Any(many.iter().map(of).collect()),
    }
}

fn next(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}
