//! Rewrites of findings. In: a specialist and a file. Out: the replacement of each finding whose rule states one.
//! Deliberately not here: applying them, and checking that the finding is gone.

use std::ops::Range;

use crate::claim::Lines;
use crate::engine;
use crate::pack::Specialist;
use crate::parsed::Parsed;
use crate::program::TreeFacts;
use crate::reader::Reader;
use crate::syntax;
use crate::test_files::TestFiles;
use crate::{NoTree, SourceFile};

/// A place in a file and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rewrite {
    /// The rule that found it.
    pub rule: &'static str,
    /// The line of the finding.
    pub line: u32,
    /// The title of the finding.
    pub title: String,
    /// The replaced bytes.
    pub span: Range<usize>,
    /// The replacement.
    pub replacement: String,
}

/// Returns the rewrites for a file, by position. Overlapping ones are alternatives.
pub(crate) fn rewrites(specialist: &'static Specialist, file: &SourceFile<'_>) -> Vec<Rewrite> {
    let lines = Lines::new(file);
    let rules = specialist.all_rules();
    let known = Parsed::default().of(Reader::of(file.path, file.text), file.text);
    let role = TestFiles::of(&NoTree, &TreeFacts::default()).role(file.path, known.language);
    let may_match = engine::may_match(specialist, &known, file, role).into_iter().enumerate();
    let may_match: Vec<bool> = may_match.map(|(at, may)| may && rules[at].has_fix()).collect();
    let found = engine::walk(specialist, &known, &may_match, false).found;
    let rewrite = |found: syntax::Found| {
        let line = lines.line(&found.span).0;
        let rule = rules[found.rule].id.as_str();
        let syntax::Found { span, title, fix, .. } = found;
        fix.map(|replacement| Rewrite { rule, line, title, span, replacement })
    };
    let mut rewrites: Vec<Rewrite> = found.into_iter().filter_map(rewrite).collect();
    rewrites.sort_by(|one, other| {
        (one.span.start, one.span.end, one.rule).cmp(&(other.span.start, other.span.end, other.rule))
    });
    rewrites
}
