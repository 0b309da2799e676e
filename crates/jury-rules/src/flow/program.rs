//! The compiled flow rules of one pack for one language. In: the rules and the knowledge files. Out: indexes by name,
//! so that most calls of a file need a single lookup. Sets and classes become bits.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use regex::Regex;

use super::names::{Glob, Index, Pattern};
use super::needs::Needs;
use super::spec::{ArgumentKey, Clause, Condition, Flow, Is, Knowledge, Literals, Many, ParameterSource};
use crate::language::Language;
use crate::rule::Severity;

/// A set of source sets or of sanitiser classes.
pub(crate) type Bits = u64;

/// Cleared for every rule: the class `all`, and validated values.
pub(crate) const ALL: Bits = Bits::MAX;

/// Cleared for every rule that names a class, and for no other.
pub(crate) const EVERY_CLASS: Bits = ALL >> 1;

/// All flow rules of a pack for a language.
#[derive(Default)]
pub(crate) struct Program {
    pub(crate) clauses: Vec<Compiled>,
    pub(crate) calls: Index<usize>,
    pub(crate) sets: Index<usize>,
    pub(crate) reads: Index<usize>,
    pub(crate) returns: Vec<usize>,
    pub(crate) concats: Vec<usize>,
    pub(crate) puts: Vec<usize>,
    /// Clauses over records, by the name of one of their members.
    pub(crate) records: BTreeMap<String, Vec<usize>>,
    /// Names that suppress clauses, by clause.
    pub(crate) unless: Index<usize>,
    /// Names that do so when a test reads them.
    pub(crate) unless_read: Index<usize>,
    pub(crate) sources: Index<Bits>,
    pub(crate) parameters: Vec<(ParameterPatterns, Bits)>,
    /// Calls whose function arguments receive untrusted values.
    pub(crate) handed: Index<()>,
    pub(crate) sanitisers: Index<Bits>,
    pub(crate) passes: Index<()>,
    pub(crate) gives: Index<()>,
    pub(crate) lookups: Index<()>,
    pub(crate) mutates: Index<()>,
    pub(crate) fills: Index<()>,
    pub(crate) formats: Index<()>,
    pub(crate) validators: Index<()>,
    pub(crate) refusals: Index<Bits>,
    pub(crate) assurances: Index<Bits>,
    pub(crate) undoes: Index<Bits>,
    pub(crate) safe_types: Index<()>,
    /// The words that the code must contain for each clause.
    pub(crate) needs: Needs,
}

/// A clause, compiled.
pub(crate) struct Compiled {
    /// The index of its rule in the pack.
    pub(crate) rule: usize,
    pub(crate) sources: Bits,
    pub(crate) clears: Bits,
    pub(crate) args: Vec<(Which, Test)>,
    pub(crate) receiver: Option<Test>,
    pub(crate) value: Option<Test>,
    pub(crate) record: Vec<(String, Test)>,
    pub(crate) of: Vec<Pattern>,
    pub(crate) returns: Option<Test>,
    pub(crate) concat: Option<Test>,
    pub(crate) put: Option<Test>,
    pub(crate) decorated: Vec<Pattern>,
    pub(crate) undecorated: Vec<Pattern>,
    pub(crate) within: Vec<Pattern>,
    pub(crate) only_in: Vec<Glob>,
    pub(crate) except_in: Vec<Glob>,
    pub(crate) imports: Vec<Glob>,
    pub(crate) severity: Option<Severity>,
    pub(crate) confidence: Option<u32>,
    pub(crate) at: Option<ArgumentKey>,
    /// The clause that is suppressed where this one matches; this one is not reported.
    pub(crate) keeps_off: Option<usize>,
    /// The clause that matches only where this one does; this one is not reported.
    pub(crate) lets: Option<usize>,
    /// Whether it matches only where another one allows it.
    pub(crate) must_be_let: bool,
    /// The match is reported where its result is used.
    pub(crate) makes: bool,
}

impl Compiled {
    /// Returns the conditions that are neither on an argument nor on a member.
    pub(crate) fn sides(&self) -> impl Iterator<Item = &Test> {
        [&self.receiver, &self.value, &self.returns, &self.concat, &self.put].into_iter().flatten()
    }
}

/// The argument of a condition.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Which {
    Any,
    Every,
    Last,
    One { position: Option<usize>, keywords: Vec<String> },
}

/// A condition, compiled.
#[derive(Default)]
pub(crate) struct Test {
    pub(crate) is: Option<Is>,
    pub(crate) literal: Option<Literals>,
    pub(crate) text: Option<Text>,
    pub(crate) not_text: Option<Text>,
    pub(crate) name: Vec<Pattern>,
    pub(crate) not_name: Vec<Pattern>,
    pub(crate) keys: Vec<(String, Test)>,
    pub(crate) items: Option<Box<Test>>,
    pub(crate) below: Option<f64>,
    pub(crate) above: Option<f64>,
    pub(crate) any: Vec<Test>,
    pub(crate) not: Option<Box<Test>>,
}

/// A regular expression, compiled on first use: most of a program's expressions are never used.
pub(crate) struct Text {
    pattern: String,
    compiled: OnceLock<Regex>,
}

impl Text {
    fn new(pattern: &str) -> Self {
        Self { pattern: pattern.to_owned(), compiled: OnceLock::new() }
    }

    pub(super) fn pattern(&self) -> &str {
        &self.pattern
    }

    pub(crate) fn is_match(&self, text: &str) -> bool {
        self.regex().is_match(text)
    }

    /// Returns its first match.
    pub(crate) fn find(&self, text: &str) -> Option<usize> {
        self.regex().find(text).map(|found| found.start())
    }

    fn regex(&self) -> &Regex {
        let compile = || Regex::new(&self.pattern).expect("`Program::check` was asked, or a test did so");
        self.compiled.get_or_init(compile)
    }
}

/// The parameters that are sources, compiled.
pub(crate) struct ParameterPatterns {
    pub(crate) decorated: Vec<Pattern>,
    pub(crate) of: Vec<Pattern>,
    pub(crate) annotation: Vec<Pattern>,
    pub(crate) result: Vec<Pattern>,
    pub(crate) given_to: Vec<Pattern>,
    pub(crate) function: Vec<Pattern>,
    pub(crate) named: Vec<Pattern>,
    pub(crate) signature: Vec<String>,
    pub(crate) unless: Vec<Pattern>,
    pub(crate) goes_by: Option<String>,
}

/// Assigns a bit to every name.
#[derive(Default)]
struct Names(Vec<String>);

impl Names {
    fn bit(&mut self, name: &str) -> Result<Bits, String> {
        let at = self.0.iter().position(|known| known == name).unwrap_or_else(|| {
            self.0.push(name.to_owned());
            self.0.len() - 1
        });
        // The last bit stays free, so that values cleared by name are distinct from values cleared for all rules.
        if at < 63 { Ok(1 << at) } else { Err("there are more than 63 source sets or sanitiser classes".to_owned()) }
    }
}

/// Builds a program.
pub(crate) struct Compiler {
    program: Program,
    sources: Names,
    classes: Names,
    known_sources: Vec<String>,
}

impl Compiler {
    /// Starts with the knowledge about a language.
    pub(crate) fn new<'k>(
        knowledge: impl IntoIterator<Item = &'k Knowledge>,
        language: Language,
    ) -> Result<Self, String> {
        let mut compiler = Self {
            program: Program::default(),
            sources: Names::default(),
            classes: Names::default(),
            known_sources: Vec::new(),
        };
        for known in knowledge.into_iter().filter(|known| known.languages.contains(&language)) {
            compiler.know(known)?;
        }
        Ok(compiler)
    }

    fn know(&mut self, known: &Knowledge) -> Result<(), String> {
        for (set, names) in &known.sources {
            let bit = self.sources.bit(set)?;
            add(&mut self.program.sources, names, bit)?;
        }
        for (set, parameters) in &known.parameters {
            let bit = self.sources.bit(set)?;
            for source in parameters {
                let ParameterSource {
                    decorated,
                    of,
                    annotation,
                    result,
                    given_to,
                    function,
                    named,
                    signature,
                    unless,
                    goes_by,
                } = source;
                add(&mut self.program.handed, &given_to.0, ())?;
                let [decorated, of] = [patterns(decorated)?, patterns(of)?];
                let [annotation, result] = [patterns(annotation)?, patterns(result)?];
                let [given_to, function, named] = [patterns(given_to)?, patterns(function)?, patterns(named)?];
                let (signature, unless, goes_by) = (signature.clone(), patterns(unless)?, goes_by.clone());
                let patterns = ParameterPatterns {
                    decorated,
                    of,
                    annotation,
                    result,
                    given_to,
                    function,
                    named,
                    signature,
                    unless,
                    goes_by,
                };
                self.program.parameters.push((patterns, bit));
            }
        }
        self.known_sources.extend(known.sources.keys().chain(known.parameters.keys()).cloned());
        for (class, names) in &known.sanitisers {
            let bits = self.class(class)?;
            add(&mut self.program.sanitisers, names, bits)?;
        }
        for (class, names) in &known.refusals {
            let bits = self.class(class)?;
            add(&mut self.program.refusals, names, bits)?;
        }
        for (class, names) in &known.assurances {
            let bits = self.class(class)?;
            add(&mut self.program.assurances, names, bits)?;
        }
        for (class, names) in &known.undoes {
            let bits = self.class(class)?;
            add(&mut self.program.undoes, names, bits)?;
        }
        add(&mut self.program.passes, &known.passes, ())?;
        add(&mut self.program.gives, &known.gives, ())?;
        add(&mut self.program.lookups, &known.lookups, ())?;
        add(&mut self.program.mutates, &known.mutates, ())?;
        add(&mut self.program.fills, &known.fills, ())?;
        add(&mut self.program.formats, &known.format, ())?;
        add(&mut self.program.validators, &known.validators, ())?;
        add(&mut self.program.safe_types, &known.safe_types, ())
    }

    fn class(&mut self, class: &str) -> Result<Bits, String> {
        if class == "all" { Ok(ALL) } else { self.classes.bit(class) }
    }

    /// Adds a rule, given its index in its pack.
    pub(crate) fn add(&mut self, rule: usize, flow: &Flow) -> Result<(), String> {
        let sources = self.sources(&flow.sources)?;
        let mut clears = 0;
        for class in &flow.clears {
            clears |= self.classes.bit(class)?;
        }
        if !flow.sanitisers.is_empty() {
            let own = self.classes.bit(&format!("#{rule}"))?;
            clears |= own;
            add(&mut self.program.sanitisers, &flow.sanitisers, own)?;
        }
        add(&mut self.program.passes, &flow.passes, ())?;
        for clause in &flow.find {
            let own = self.sources(&clause.sources.0)?;
            let mut clears = clears;
            for class in &clause.clears.0 {
                clears |= self.classes.bit(class)?;
            }
            self.clause(rule, if own == 0 { sources } else { own }, clears, clause)?;
        }
        Ok(())
    }

    /// Returns the bits of source sets, which may also be names of sources.
    fn sources(&mut self, sets: &[String]) -> Result<Bits, String> {
        let mut sources = 0;
        for source in sets {
            let is_set = self.known_sources.contains(source);
            let bit = self.sources.bit(source)?;
            sources |= bit;
            if !is_set && source.contains(['.', '*']) {
                self.program.sources.add(source, bit)?;
            }
        }
        Ok(sources)
    }

    fn clause(&mut self, rule: usize, sources: Bits, clears: Bits, clause: &Clause) -> Result<(), String> {
        let at = self.program.clauses.len();
        let program = &mut self.program;
        add(&mut program.calls, &clause.call.0, at)?;
        add(&mut program.sets, &clause.set.0, at)?;
        add(&mut program.reads, &clause.read.0, at)?;
        add(&mut program.unless, &clause.unless.0, at)?;
        add(&mut program.unless_read, &clause.unless_read.0, at)?;
        if clause.returns.is_some() {
            program.returns.push(at);
        }
        if clause.concat.is_some() {
            program.concats.push(at);
        }
        if clause.put.is_some() {
            program.puts.push(at);
        }
        let record = tests(clause.record.iter().flatten())?;
        // The record is indexed by a member that must be present, not by one that must be absent.
        if !record.is_empty() {
            let present = record.iter().find(|(_, test)| test.is != Some(Is::Absent));
            let (key, _) = present.ok_or("a record needs a member that is not absent")?;
            program.records.entry(key.clone()).or_default().push(at);
        }
        let kinds = [
            !clause.call.0.is_empty(),
            !clause.set.0.is_empty(),
            !clause.read.0.is_empty(),
            clause.returns.is_some(),
            clause.concat.is_some(),
            clause.put.is_some(),
            !record.is_empty(),
        ];
        if kinds.iter().filter(|kind| **kind).count() != 1 {
            return Err("expected one of `call`, `set`, `read`, `return`, `concat`, `put` and `record`".to_owned());
        }
        let args = clause.args.iter().map(|(which, condition)| Ok((Which::parse(which), Test::new(condition)?)));
        program.clauses.push(Compiled {
            rule,
            sources,
            clears,
            args: args.collect::<Result<_, String>>()?,
            receiver: clause.receiver.as_ref().map(Test::new).transpose()?,
            value: clause.value.as_ref().map(Test::new).transpose()?,
            record,
            of: patterns(&clause.of)?,
            returns: clause.returns.as_ref().map(Test::new).transpose()?,
            concat: clause.concat.as_ref().map(Test::new).transpose()?,
            put: clause.put.as_ref().map(Test::new).transpose()?,
            decorated: patterns(&clause.decorated)?,
            undecorated: patterns(&clause.undecorated)?,
            within: patterns(&clause.within)?,
            only_in: purposes(&clause.only_in)?,
            except_in: purposes(&clause.except_in)?,
            imports: globs(&clause.imports)?,
            severity: clause.severity,
            confidence: clause.confidence,
            at: clause.at.clone(),
            keeps_off: None,
            lets: None,
            must_be_let: !clause.with_call.is_empty(),
            makes: clause.makes,
        });
        for other in &clause.unless_call {
            let index = self.program.clauses.len();
            self.clause(rule, sources, clears, other)?;
            self.program.clauses[index].keeps_off = Some(at);
        }
        for other in &clause.with_call {
            let index = self.program.clauses.len();
            self.clause(rule, sources, clears, other)?;
            self.program.clauses[index].lets = Some(at);
        }
        Ok(())
    }

    /// Returns the program.
    pub(crate) fn finish(self) -> Program {
        Program { needs: Needs::of(&self.program), ..self.program }
    }
}

impl Which {
    fn parse(text: &str) -> Self {
        match text {
            "any" => Self::Any,
            "all" => Self::Every,
            "last" => Self::Last,
            _ => {
                let (mut position, mut keywords) = (None, Vec::new());
                for part in text.split('|') {
                    match part.parse() {
                        Ok(number) => position = Some(number),
                        Err(_) => keywords.push(part.to_owned()),
                    }
                }
                Self::One { position, keywords }
            }
        }
    }
}

impl Test {
    fn new(condition: &Condition) -> Result<Self, String> {
        let regex = |text: &Option<String>| text.as_deref().map(Text::new);
        let boxed = |inner: &Option<Box<Condition>>| -> Result<Option<Box<Test>>, String> {
            inner.as_deref().map(|inner| Self::new(inner).map(Box::new)).transpose()
        };
        Ok(Self {
            is: condition.is,
            literal: condition.literal.clone(),
            text: regex(&condition.text),
            not_text: regex(&condition.not_text),
            name: patterns(&condition.name)?,
            not_name: patterns(&condition.not_name)?,
            keys: tests(condition.keys.iter())?,
            items: boxed(&condition.items)?,
            below: condition.below,
            above: condition.above,
            any: condition.any.iter().map(Self::new).collect::<Result<_, _>>()?,
            not: boxed(&condition.not)?,
        })
    }
}

impl Program {
    /// Tells whether all of its regular expressions are valid.
    pub(crate) fn check(&self) -> Result<(), String> {
        self.clauses.iter().try_for_each(|clause| {
            let args = clause.args.iter().map(|(_, test)| test);
            let sides = clause.sides();
            let record = clause.record.iter().map(|(_, test)| test);
            args.chain(sides).chain(record).try_for_each(Test::check)
        })
    }
}

impl Test {
    /// Tells whether it is about members of a record.
    pub(crate) fn asks_for_members(&self) -> bool {
        !self.keys.is_empty() || self.any.iter().any(Self::asks_for_members)
    }

    fn check(&self) -> Result<(), String> {
        for text in self.text.iter().chain(&self.not_text) {
            Regex::new(&text.pattern).map_err(|error| error.to_string())?;
        }
        let keys = self.keys.iter().map(|(_, test)| test);
        keys.chain(self.items.as_deref()).chain(&self.any).chain(self.not.as_deref()).try_for_each(Self::check)
    }
}

fn tests<'c>(conditions: impl Iterator<Item = (&'c String, &'c Condition)>) -> Result<Vec<(String, Test)>, String> {
    conditions.map(|(key, condition)| Ok((key.clone(), Test::new(condition)?))).collect()
}

fn patterns(many: &Many) -> Result<Vec<Pattern>, String> {
    let mut all = Vec::new();
    for text in &many.0 {
        all.extend(Pattern::parse(text)?);
    }
    Ok(all)
}

fn globs(many: &Many) -> Result<Vec<Glob>, String> {
    let mut all = Vec::new();
    for text in &many.0 {
        all.extend(Glob::parse(text)?);
    }
    Ok(all)
}

/// Reads purposes, ignoring case: `cacheKey` and `cache_KEY` are the same.
fn purposes(many: &Many) -> Result<Vec<Glob>, String> {
    globs(&Many(many.0.iter().map(|text| text.to_ascii_lowercase()).collect()))
}

fn add<T: Copy>(index: &mut Index<T>, texts: &[String], of: T) -> Result<(), String> {
    texts.iter().try_for_each(|text| index.add(text, of))
}
