//! What rules make of a file's syntax: one parse for the rules over trees and those over flows. In: a file, and which rules
//! could match. Out: matches, in the order of the text, and what could not be reviewed.

use std::borrow::Cow;

use ast_grep_core::AstGrep;
use ast_grep_core::tree_sitter::StrDoc;

use crate::language::Language;
use crate::pack::Specialist;
use crate::syntax::{self, Tree, Walk};
use crate::{flow, guard, php};

/// Runs the rules of a specialist for a language over a text.
pub(crate) fn review(specialist: &'static Specialist, language: Language, may_match: &[bool], text: &str) -> Walk {
    let refuse = |why: String| Walk { unreviewed: Some(why), ..Walk::default() };
    if let Some(why) = guard::too_much(text) {
        return refuse(why);
    }
    let rules = specialist.all_rules();
    let compiled = specialist.compiled(language, may_match);
    let is_flow = |at: usize| may_match[at] && rules[at].has_flow(language);
    let has_flows = (0..rules.len()).any(is_flow);
    // No rule could find anything, parsed or not.
    if compiled.is_empty() && !has_flows {
        return Walk::default();
    }
    let tree = match parse(language, text) {
        Ok(tree) => tree,
        Err(why) => return refuse(why),
    };
    let mut walk = tree.as_ref().map(|tree| syntax::walk(tree, &compiled, rules, text)).unwrap_or_default();
    if has_flows {
        let root = tree.as_ref().map(|tree| tree.root().get_inner_node());
        let flows = flow::find(language, root, text, specialist.program(language), rules, is_flow);
        walk.found.extend(flows.found);
        walk.unreviewed = walk.unreviewed.or(flows.unreviewed);
    }
    walk
}

/// Parses a text; a language without a grammar has no tree.
fn parse(language: Language, text: &str) -> Result<Option<Tree>, String> {
    let Some(grammar) = language.grammar() else { return Ok(None) };
    let code = if language == Language::Php { php::code(text) } else { Cow::Borrowed(text) };
    let doc = StrDoc::try_new(&code, grammar).map_err(|why| format!("cannot be parsed: {why}"))?;
    let tree = AstGrep::doc(doc);
    if tree.root().is_error() {
        return Err("cannot be parsed, so only rules over text were run".to_owned());
    }
    guard::too_tangled(&tree).map_or(Ok(Some(tree)), Err)
}
