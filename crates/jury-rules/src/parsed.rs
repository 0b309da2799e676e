//! One parse of a file for syntax and flow rules, and for all specialists that share the parsed files. In: a file, and
//! the rules that could match. Out: matches, in the order of the text, and the parts not reviewed.

use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::hash::BuildHasher as _;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;
use foldhash::fast::FixedState;

use crate::carrier::{self, Code};
use crate::guard::Seen;
use crate::language::Language;
use crate::pack::{self, Specialist};
use crate::program::TreeFacts;
use crate::reader::Reader;
use crate::syntax::{self, SyntaxTree, Walk};
use crate::{flow, guard, php, test_modules};

/// The number of bytes of text whose trees are kept. A tree takes some ten times as much memory. Beyond the limit the
/// oldest are dropped; specialists that go through the same files side by side still find the recent ones.
const MOST_KEPT: usize = 4 * 1024 * 1024;

/// The parsed trees of texts, and facts about the tree around them, shared by all specialists that review the same files: each text
/// is parsed once.
#[derive(Default)]
pub struct Parsed {
    kept: Mutex<Kept>,
    pub(crate) facts: TreeFacts,
    pub(crate) is_thorough: bool,
    /// The specialist of the repository's own rules, if it reviews the same files.
    pub(crate) own: Option<&'static Specialist>,
}

#[derive(Default)]
struct Kept {
    parsed: BTreeMap<Key, Arc<ParsedText>>,
    /// The keys with the lengths of their texts, oldest first.
    order: VecDeque<(Key, usize)>,
    bytes: usize,
}

/// A reader and a hash of a text. Two texts may share a hash, so the text itself is compared.
type Key = (Option<Reader>, u64);

/// A text with its cached results.
pub(crate) struct ParsedText {
    pub(crate) language: Option<Language>,
    text: Box<str>,
    /// The code, if the file only carries it.
    code: Option<Code>,
    occurring: OnceLock<Vec<bool>>,
    too_much: OnceLock<Option<String>>,
    outcome: OnceLock<Outcome>,
}

/// The tree of a text, none for a language without a grammar, or the reason why it is not matched.
type Outcome = Result<Option<Sound>, String>;

/// A tree that can be matched.
struct Sound {
    tree: SyntaxTree,
    seen: Seen,
}

impl Parsed {
    /// Creates one that skips no code. It finds the same and takes longer: tests compare the two.
    #[doc(hidden)]
    pub fn thorough() -> Self {
        Self { is_thorough: true, ..Self::default() }
    }

    /// Creates one for reviews beside the specialist of a repository's own rules.
    pub fn beside(own: Option<&'static Specialist>) -> Self {
        Self { own, ..Self::default() }
    }

    /// Returns the cached results for a text.
    pub(crate) fn of(&self, reader: Option<Reader>, text: &str) -> Arc<ParsedText> {
        // A text that is too large to be parsed would evict others.
        if text.len() > guard::LARGEST {
            return ParsedText::of(reader, text);
        }
        let key = (reader, FixedState::default().hash_one(text));
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).place(key, text)
    }
}

impl ParsedText {
    fn of(reader: Option<Reader>, text: &str) -> Arc<Self> {
        let (occurring, too_much, outcome) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let language = reader.map(|reader| reader.language);
        let code = reader.and_then(|reader| carrier::code(reader.form, text));
        Arc::new(Self { language, text: text.into(), code, occurring, too_much, outcome })
    }

    /// Returns the text that offsets of the tree point into.
    fn code_text(&self) -> &str {
        match &self.code {
            Some(Code::Moved { text, .. }) => text,
            Some(Code::Blanked(_)) | None => &self.text,
        }
    }

    /// Returns the text as the grammar reads it.
    fn parsed_text(&self) -> &str {
        match &self.code {
            Some(Code::Moved { text, .. } | Code::Blanked(text)) => text,
            None => &self.text,
        }
    }

    /// Returns everything that keywords are looked for in: a text, and its code if that is spelled otherwise there.
    pub(crate) fn searched<'k>(&'k self, text: &'k str) -> Cow<'k, str> {
        match &self.code {
            Some(Code::Moved { text: code, .. }) => Cow::Owned(format!("{text}\n{code}")),
            Some(Code::Blanked(_)) | None => Cow::Borrowed(text),
        }
    }

    /// Returns the bytes of the file that a span of the code stands for: whole lines, where the code has its own text.
    fn place(&self, span: Range<usize>) -> Range<usize> {
        let Some(Code::Moved { text, lines }) = &self.code else { return span };
        let line = |at: usize| text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count();
        let (first, last) = (line(span.start), line(span.end.saturating_sub(1).max(span.start)));
        let place = |line: usize| lines.get(line).or(lines.last()).cloned().unwrap_or_default();
        place(first).start..place(last).end
    }

    /// Tells for each rule of all built-in specialists whether one of its keywords occurs.
    pub(crate) fn occurring(&self) -> &[bool] {
        self.occurring.get_or_init(|| pack::occurring(self.language, &self.searched(&self.text)))
    }

    /// Returns the reason why the text is not parsed, if there is one.
    fn too_much(&self) -> Option<&String> {
        self.too_much.get_or_init(|| guard::too_much(self.parsed_text())).as_ref()
    }

    /// Returns the tree, parsed on first use. Other requests for the same tree wait; requests for others do not.
    fn outcome(&self) -> &Outcome {
        self.outcome.get_or_init(|| self.language.map_or(Ok(None), |language| parse(language, self.parsed_text())))
    }
}

impl Kept {
    /// Returns the entry of a text, and evicts the oldest ones beyond the limit.
    fn place(&mut self, key: Key, text: &str) -> Arc<ParsedText> {
        if let Some(known) = self.parsed.get(&key) {
            // Another text with the same hash is parsed by its caller, without caching.
            return if *known.text == *text { Arc::clone(known) } else { ParsedText::of(key.0, text) };
        }
        self.bytes += text.len();
        self.order.push_back((key, text.len()));
        while self.bytes > MOST_KEPT
            && let Some((oldest, length)) = self.order.pop_front()
        {
            self.bytes -= length;
            self.parsed.remove(&oldest);
        }
        Arc::clone(self.parsed.entry(key).or_insert_with(|| ParsedText::of(key.0, text)))
    }
}

/// Runs the rules of a specialist for a language over a text.
pub(crate) fn review(
    specialist: &'static Specialist,
    known: &ParsedText,
    language: Language,
    may_match: &[bool],
    is_thorough: bool,
) -> Walk {
    let refuse = |why: String| Walk { unreviewed: Some(why), ..Walk::default() };
    if language.is_data() && known.parsed_text().len() > guard::LARGEST_DATA {
        return Walk::default();
    }
    if let Some(why) = known.too_much() {
        return refuse(why.clone());
    }
    let rules = specialist.all_rules();
    let compiled = specialist.compiled(language, may_match);
    let is_flow = |at: usize| may_match[at] && rules.has_flow(at, language);
    let has_flows = (0..rules.len()).any(is_flow);
    // No rule could find anything, with or without a parse.
    if compiled.is_empty() && !has_flows {
        return Walk::default();
    }
    let text = known.code_text();
    let sound = match known.outcome() {
        Ok(sound) => sound.as_ref(),
        Err(why) => return refuse(why.clone()),
    };
    let walk = |sound: &Sound| syntax::walk(&sound.tree, &sound.seen.nodes, &compiled, rules, text, is_thorough);
    let mut walk = sound.map(walk).unwrap_or_default();
    walk.broken_from = sound.and_then(|sound| sound.seen.broken_from);
    if has_flows {
        let root = sound.map(|sound| sound.seen.nodes.root());
        let program = specialist.program(language, may_match);
        let flows = flow::find(language, root, text, program, rules, is_flow, is_thorough);
        walk.found.extend(flows.found);
        walk.unreviewed = walk.unreviewed.or(flows.unreviewed);
    }
    if let Some(sound) = sound.filter(|_| language == Language::Rust && !walk.found.is_empty()) {
        let tests = test_modules::ranges(sound.seen.nodes.root(), text);
        let is_in_test = |found: &syntax::Found| tests.iter().any(|test| test.contains(&found.span.start));
        walk.found.retain(|found| !(rules[found.rule].is_off_in_tests() && is_in_test(found)));
    }
    place_in_carrier(&mut walk, known);
    walk
}

/// Moves the results of a carrier's code to their places in the file.
fn place_in_carrier(walk: &mut Walk, known: &ParsedText) {
    let Some(Code::Moved { text, .. }) = &known.code else { return };
    let start_of = |line: usize| text.split_inclusive('\n').take(line - 1).map(str::len).sum::<usize>();
    let line_of = |at: usize| known.text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
    walk.broken_from = walk.broken_from.map(|line| line_of(known.place(start_of(line)..start_of(line)).start));
    for found in &mut walk.found {
        found.span = known.place(found.span.clone());
        found.trace = found.trace.iter().map(|span| known.place(span.clone())).collect();
        found.source = found.source.clone().map(|span| known.place(span));
        // A replacement of code is no replacement of the JSON around it.
        found.fix = None;
    }
}

/// Parses a text; a language without a grammar has no tree.
fn parse(language: Language, text: &str) -> Outcome {
    let Some(grammar) = language.grammar() else { return Ok(None) };
    let code = if language == Language::Php { php::code(text) } else { Cow::Borrowed(text) };
    let doc = StrDoc::try_new(&code, grammar).map_err(|why| format!("cannot be parsed: {why}"))?;
    let tree = AstGrep::doc(doc);
    if tree.root().is_error() {
        return Err("cannot be parsed, so only rules over text were run".to_owned());
    }
    let seen = guard::look_over(language, &tree)?;
    Ok(Some(Sound { tree, seen }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_parsed_once_and_the_oldest_are_given_up() {
        let parsed = Parsed::default();
        let one = parsed.of(Some(Language::Python.into()), "a = 1\n");
        assert!(Arc::ptr_eq(&one, &parsed.of(Some(Language::Python.into()), "a = 1\n")));
        assert!(!Arc::ptr_eq(&one, &parsed.of(Some(Language::Python.into()), "a = 2\n")));
        assert!(!Arc::ptr_eq(&one, &parsed.of(Some(Language::Ruby.into()), "a = 1\n")));
        let mut kept = Kept::default();
        let key = |number: u64| (Some(Language::Python.into()), number);
        let most = "x".repeat(MOST_KEPT);
        let first = kept.place(key(0), &most);
        assert!(Arc::ptr_eq(&first, &kept.place(key(0), &most)));
        // Two texts may share a hash.
        assert_eq!(&*kept.place(key(0), "y").text, "y");
        kept.place(key(1), "z");
        assert_eq!((kept.parsed.len(), kept.order.len(), kept.bytes), (1, 1, 1));
        assert!(!Arc::ptr_eq(&first, &kept.place(key(0), &most)));
    }

    #[test]
    fn the_first_line_that_cannot_be_parsed_is_known() {
        let parsed = Parsed::default();
        let broken_from = |text: &str| match parsed.of(Some(Language::TypeScript.into()), text).outcome() {
            Ok(Some(sound)) => sound.seen.broken_from,
            _ => panic!("{text} has no tree"),
        };
        assert_eq!(broken_from("f(1);\n"), None);
        assert_eq!(broken_from("f(1);\nf(2;\nf(3;\n"), Some(2));
    }

    #[test]
    fn valid_markup_in_code_has_no_syntax_error() {
        let parsed = Parsed::default();
        let broken_from = |text: &str| match parsed.of(Some(Language::Tsx.into()), text).outcome() {
            Ok(Some(sound)) => sound.seen.broken_from,
            _ => panic!("{text} has no tree"),
        };
        let shown = |text: &str| match parsed.of(Some(Language::Tsx.into()), text).outcome() {
            Ok(Some(sound)) => format!("{text}{}", sound.tree.root().get_inner_node().to_sexp()),
            _ => text.to_owned(),
        };
        let wrong: Vec<String> = [
            "const a = <a href=\"/x?a=1&b=2\">x</a>;\n",
            "const a = <a href='/x?a=1&b=2&c=3'>x</a>;\n",
            "const a = <a href=\"?a&b\" title=\"R&D\">R &amp; D</a>;\n",
            "const a = <p>&nbsp;&#160;&#xa0; a && b</p>;\n",
            "const a = <>this & that</>;\n",
            "const f = <T,>(a: T) => a;\n",
            "const f = <T extends object>(a: T) => a;\n",
            "const a = { b: 1 } satisfies C;\n",
            "@d() class A { @e b = 1; @f() g() {} }\n",
        ]
        .into_iter()
        .filter(|text| broken_from(text).is_some())
        .map(shown)
        .collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
        assert_eq!(broken_from("const a = 1;\nconst b = <a href=\"x\" & c>x</a>;\n"), Some(2));
    }
}
