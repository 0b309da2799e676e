//! What the code must speak of for a clause to find anything. In: a program. Out: for each clause, the words that are needed:
//! the segments of the names that it asks for, and those of a source where only tainted values count.
//!
//! What is needed is never enough: it tells what need not be gone through, and nothing else.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::names::{Pattern, Piece, globs};
use super::program::{Bits, Compiled, ParameterPatterns, Program, Test, Which};
use super::spec::Is;

/// A set of the words that a program asks for, as bits by their index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Words(Vec<u64>);

/// What the clauses of a program need.
#[derive(Default)]
pub(crate) struct Needs {
    anywhere: Vocabulary,
    /// What counts only in decorators: `get` is said everywhere, and `@get` hardly anywhere.
    in_decorators: Vocabulary,
    count: usize,
    /// What makes values tainted, with the source sets.
    sources: Vec<(Need, Bits)>,
    clauses: Vec<Need>,
    /// What keeps clauses from finding something.
    unless: Vec<(Need, usize)>,
}

/// Words with their indices.
#[derive(Default)]
struct Vocabulary {
    exact: HashMap<String, usize, FixedState>,
    /// Words of which parts are given.
    globs: Vec<(Vec<String>, usize)>,
}

/// A place for a word, which may be a new one.
struct Entry<'n> {
    of: &'n mut Vocabulary,
    count: &'n mut usize,
}

impl Entry<'_> {
    fn exact(self, text: &str) -> usize {
        *self.of.exact.entry(text.to_owned()).or_insert_with(|| next(self.count))
    }

    fn glob(self, parts: &[String]) -> usize {
        if let Some((_, known)) = self.of.globs.iter().find(|(known, _)| known == parts) {
            return *known;
        }
        let new = next(self.count);
        self.of.globs.push((parts.to_vec(), new));
        new
    }
}

/// What must hold of a set of words.
enum Need {
    Word(usize),
    All(Vec<Need>),
    Any(Vec<Need>),
    /// Something makes values tainted by one of these sets.
    Source(Bits),
}

impl Words {
    /// Adds the words of another set; tells whether there were new ones.
    pub(super) fn add(&mut self, other: &Self) -> bool {
        let mut is_new = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            is_new |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        is_new
    }

    fn set(&mut self, word: usize) {
        self.0[word / 64] |= 1 << (word % 64);
    }

    fn has(&self, word: usize) -> bool {
        self.0[word / 64] & 1 << (word % 64) != 0
    }
}

impl Needs {
    /// Gathers what the clauses of a program need.
    pub(super) fn of(program: &Program) -> Self {
        let mut needs = Self::default();
        let mut places: Vec<Vec<Need>> = program.clauses.iter().map(|_| Vec::new()).collect();
        for (pattern, clause) in [&program.calls, &program.sets, &program.reads].into_iter().flat_map(|all| all.iter())
        {
            places[clause].push(needs.pattern(pattern));
        }
        for (key, clauses) in &program.records {
            clauses.iter().for_each(|clause| places[*clause].push(Need::Word(needs.exact(key))));
        }
        // What is returned and what is put together has no name.
        for clause in program.returns.iter().chain(&program.concats) {
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
        for (pattern, clause) in program.unless.iter() {
            let need = needs.pattern(pattern);
            needs.unless.push((need, clause));
        }
        needs
    }

    fn clause(&mut self, clause: &Compiled, places: Vec<Need>) -> Need {
        // Of no arguments, all are whatever is asked for.
        let args = clause.args.iter().filter(|(which, _)| *which != Which::Every).map(|(_, test)| test);
        let sides = [&clause.receiver, &clause.value, &clause.returns, &clause.concat].into_iter().flatten();
        let tests = args.chain(sides).chain(clause.record.iter().map(|(_, test)| test));
        let mut all: Vec<Need> = tests.map(|test| self.test(test, clause.sources)).collect();
        // Text that is put together is looked at only if something tainted is in it.
        all.extend(clause.concat.iter().map(|_| Need::Source(Bits::MAX)));
        all.push(Need::Any(places));
        Need::All(all)
    }

    /// What a condition needs, whatever the value; a negation needs nothing.
    fn test(&mut self, test: &Test, sources: Bits) -> Need {
        let mut all = Vec::new();
        if test.is == Some(Is::Tainted) {
            all.push(Need::Source(sources));
        }
        if !test.name.is_empty() {
            all.push(self.any(&test.name, false));
        }
        if !test.any.is_empty() {
            all.push(Need::Any(test.any.iter().map(|one| self.test(one, sources)).collect()));
        }
        let parts = test.keys.iter().map(|(_, test)| test).chain(test.items.as_deref());
        all.extend(parts.map(|part| self.test(part, sources)));
        Need::All(all)
    }

    fn parameters(&mut self, of: &ParameterPatterns) -> Need {
        let given = [(&of.decorated, true), (&of.annotation, true), (&of.of, false), (&of.result, false)];
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

    fn vocabulary(&mut self, is_decorator: bool) -> Entry<'_> {
        let of = if is_decorator { &mut self.in_decorators } else { &mut self.anywhere };
        Entry { of, count: &mut self.count }
    }

    /// Returns a set without words.
    pub(super) fn none(&self) -> Words {
        Words(vec![0; self.count.div_ceil(64)])
    }

    /// Adds what of a dotted name is asked for.
    pub(super) fn note(&self, name: &str, is_decorator: bool, into: &mut Words) {
        let words = if is_decorator { &self.in_decorators } else { &self.anywhere };
        for segment in name.split('.') {
            words.exact.get(segment).into_iter().for_each(|word| into.set(*word));
            let of_parts = words.globs.iter().filter(|(parts, word)| !into.has(*word) && globs(parts, segment));
            let of_parts: Vec<usize> = of_parts.map(|(_, word)| *word).collect();
            of_parts.into_iter().for_each(|word| into.set(word));
        }
    }

    /// Returns which of some clauses could find something in code with these words.
    pub(super) fn met(&self, words: &Words, clauses: &[usize]) -> Vec<usize> {
        let plain = |need: &Need| need.is_met(words, 0);
        let sources = self.sources.iter().filter(|(need, _)| plain(need)).fold(0, |all, (_, sets)| all | sets);
        clauses.iter().copied().filter(|clause| self.clauses[*clause].is_met(words, sources)).collect()
    }

    /// Tells whether code with these words could keep one of some clauses, in order, from finding anything.
    pub(super) fn may_keep_off(&self, words: &Words, clauses: &[usize]) -> bool {
        let may = |(need, clause): &(Need, usize)| clauses.binary_search(clause).is_ok() && need.is_met(words, 0);
        self.unless.iter().any(may)
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

fn next(count: &mut usize) -> usize {
    *count += 1;
    *count - 1
}
