//! Syntax rules. In: the rules for a language, and a file. Out: matches, all rules in one walk, in the order of the
//! text.
//!
//! The walk over the ast-grep matchers is our own: its scanner obeys `ast-grep-ignore` comments, and the reviewed code
//! must not silence the reviewer (DESIGN §1).

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::rc::Rc;

use ast_grep_config::{DeserializeEnv, RuleCore, SerializableRule, SerializableRuleCore};
use ast_grep_core::matcher::MatcherExt as _;
use ast_grep_core::replacer::{Content as _, Replacer as _};
use ast_grep_core::tree_sitter::StrDoc;
use ast_grep_core::{AstGrep, Doc, Matcher, Node, NodeMatch};
use ast_grep_language::SupportLang;
use regex::Regex;

use crate::ambiguous::is_ambiguous;
use crate::claim::{fill, shortened, variables};
use crate::guard;
use crate::language::Language;
use crate::node_condition::NodeCondition;
use crate::nodes::Nodes;
use crate::rule::{Members, Rule, Severity, TreeMatch};
use crate::rules::Rules;
use crate::siblings::Siblings;

/// A syntax tree.
pub(crate) type SyntaxTree = AstGrep<StrDoc<SupportLang>>;

type TreeNode<'t> = Node<'t, StrDoc<SupportLang>>;

/// Placeholder in a title for the omitted member, which is known only after the whole file was walked.
const LEFT_OUT: &str = "\u{fffc}";

/// A rule for one language, compiled.
pub(crate) struct Compiled {
    language: Language,
    matchers: Vec<Matches>,
}

struct Matches {
    core: RuleCore,
    /// The kinds of nodes that it could match, and conditions on their surroundings.
    kinds: Vec<usize>,
    shape: NodeCondition,
    role: Role,
    /// Expressions that the text of the file must match and must not match.
    wanted: Option<Regex>,
    unwanted: Option<Regex>,
}

/// The meaning of a match.
#[derive(Clone, Copy)]
enum Role {
    /// A finding of the rule at this index.
    Finding(Target),
    /// A name that the findings of a target require.
    Among(Target),
    /// A name that they exclude.
    NotAmong(Target),
    /// A member that they must omit.
    Member(Target),
}

/// A rule of the pack, and one of its syntax patterns.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Target {
    rule: usize,
    tree: usize,
}

/// A match of a syntax rule.
pub(crate) struct Found {
    /// The index of the rule in its pack.
    pub(crate) rule: usize,
    pub(crate) span: Range<usize>,
    /// Further bytes that it is about.
    pub(crate) trace: Vec<Range<usize>>,
    /// The source of its value, if it follows one.
    pub(crate) source: Option<Range<usize>>,
    pub(crate) title: String,
    /// Severity and confidence, where they differ from the rule.
    pub(crate) severity: Option<Severity>,
    pub(crate) confidence: Option<u32>,
    /// The replacement.
    pub(crate) fix: Option<String>,
}

/// The result for one file.
#[derive(Default)]
pub(crate) struct Walk {
    pub(crate) found: Vec<Found>,
    /// Why the file, or the rest of it, was not reviewed.
    pub(crate) unreviewed: Option<String>,
    /// The line, from 1, of the first part of the file that could not be parsed.
    pub(crate) broken_from: Option<usize>,
}

impl Compiled {
    /// Compiles a rule, given its index in its pack, for a language.
    pub(crate) fn new(at: usize, rule: &Rule, language: Language) -> Result<Self, String> {
        let mut compiled = Self { language, matchers: Vec::new() };
        for (tree, of) in rule.matches.iter().enumerate().filter(|(_, of)| of.languages.contains(&language)) {
            let target = Target { rule: at, tree };
            compiled.add(target, of, &rule.title).map_err(|error| format!("rule {}: {error}", rule.id))?;
        }
        Ok(compiled)
    }

    fn add(&mut self, target: Target, tree: &TreeMatch, title: &str) -> Result<(), String> {
        let is_member = |name: &&str| tree.members.as_ref().is_some_and(|members| members.each == *name);
        let mut needed: Vec<&str> = variables(title).filter(|name| !is_member(name)).collect();
        needed.extend(tree.at.as_deref());
        needed.extend(tree.fix.as_deref().into_iter().flat_map(variables));
        needed.extend(tree.names.as_ref().map(|names| names.var.as_str()));
        self.push(&tree.rule, tree, Role::Finding(target), &needed)?;
        if let Some(names) = &tree.names {
            let needed = [names.var.as_str()];
            self.push(&names.among, tree, Role::Among(target), &needed)?;
            if let Some(not_among) = &names.not_among {
                self.push(not_among, tree, Role::NotAmong(target), &needed)?;
            }
        }
        if let Some(members) = &tree.members {
            let needed: Vec<&str> = members.of.iter().chain([&members.each]).map(String::as_str).collect();
            self.push(&members.declared, tree, Role::Member(target), &needed)?;
        }
        Ok(())
    }

    fn push(&mut self, rule: &SerializableRule, tree: &TreeMatch, role: Role, needed: &[&str]) -> Result<(), String> {
        let is_finding = matches!(role, Role::Finding(_));
        let core = SerializableRuleCore {
            rule: rule.clone(),
            constraints: tree.constraints.clone().filter(|_| is_finding),
            utils: tree.utils.clone(),
            transform: None,
        };
        let grammar = self.language.grammar().ok_or("the language has no syntax tree")?;
        let core = core.get_matcher(DeserializeEnv::new(grammar)).map_err(|error| chain(&error))?;
        if let Some(missing) = needed.iter().find(|name| !core.defined_vars().contains(*name)) {
            return Err(format!("${missing} is used and never bound"));
        }
        // A rule without kinds would be tried on every node, and ast-grep would drop it with only a printed message.
        let kinds = core.potential_kinds().ok_or("no kind of node can be derived; add `kind`")?;
        let compile = |pattern: &Option<String>| pattern.as_deref().map(Regex::new).transpose();
        let wanted = compile(&tree.in_files_with).map_err(|error| error.to_string())?;
        let unwanted = compile(&tree.not_in_files_with).map_err(|error| error.to_string())?;
        let (kinds, shape) = (kinds.iter().collect(), NodeCondition::of(rule, tree.utils.as_ref(), grammar));
        self.matchers.push(Matches { kinds, shape, core, role, wanted, unwanted });
        Ok(())
    }
}

/// Runs compiled rules over the nodes of a text. With `is_thorough`, nodes that lack the shape of a rule are tried as
/// well.
pub(crate) fn walk(
    tree: &SyntaxTree,
    all: &Nodes,
    compiled: &[&Compiled],
    rules: &Rules,
    text: &str,
    is_thorough: bool,
) -> Walk {
    let rounds = Round::ALL.map(|round| by_kind(compiled, rules, round));
    if rounds.iter().all(Vec::is_empty) {
        return Walk::default();
    }
    matches(tree, all, &rounds, rules, text, is_thorough)
}

/// A walk over all nodes. If nothing defines the names that a target requires, its matches do not count; if nothing
/// matched, excluded names need not be searched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Round {
    Names,
    Findings,
    OtherNames,
}

impl Round {
    const ALL: [Self; 3] = [Self::Names, Self::Findings, Self::OtherNames];

    fn of(role: Role) -> Self {
        match role {
            Role::Among(_) => Self::Names,
            Role::Finding(_) | Role::Member(_) => Self::Findings,
            Role::NotAmong(_) => Self::OtherNames,
        }
    }
}

/// A matcher and its state in this file.
struct Tried<'c> {
    matcher: &'c Matches,
    /// Whether it applies to the file, once computed.
    is_for_file: Rc<OnceCell<bool>>,
    /// Whether it counts only if the file defines its name.
    needs_names: bool,
}

impl Tried<'_> {
    /// Tells whether the text of the file meets its text conditions. Computed lazily: few matchers get this far.
    fn is_for(&self, text: &str) -> bool {
        let Matches { wanted, unwanted, .. } = self.matcher;
        *self.is_for_file.get_or_init(|| {
            wanted.as_ref().is_none_or(|wanted| wanted.is_match(text))
                && !unwanted.as_ref().is_some_and(|unwanted| unwanted.is_match(text))
        })
    }
}

/// Groups the matchers of a round by the kinds of nodes that they could match.
fn by_kind<'c>(compiled: &[&'c Compiled], rules: &Rules, round: Round) -> Vec<Vec<Tried<'c>>> {
    let mut by_kind: Vec<Vec<Tried<'c>>> = Vec::new();
    let is_of = |matcher: &&Matches| Round::of(matcher.role) == round;
    for matcher in compiled.iter().flat_map(|compiled| &compiled.matchers).filter(is_of) {
        let is_for_file = Rc::new(OnceCell::new());
        let target = matcher.role.target();
        let needs_names = round != Round::Names && rules[target.rule].matches[target.tree].names.is_some();
        for kind in &matcher.kinds {
            if by_kind.len() <= *kind {
                by_kind.resize_with(kind + 1, Vec::new);
            }
            by_kind[*kind].push(Tried { matcher, is_for_file: Rc::clone(&is_for_file), needs_names });
        }
    }
    by_kind
}

/// The places that define a name. Of many, only the outermost bounds are kept.
#[derive(Default)]
struct Defined(Vec<Range<usize>>);

impl Defined {
    fn add(&mut self, place: Range<usize>) {
        const MOST: usize = 16;
        self.0.push(place);
        if self.0.len() > MOST {
            let bounds = self.0.iter().cloned().reduce(|all, one| all.start.min(one.start)..all.end.max(one.end));
            self.0 = bounds.into_iter().collect();
        }
    }
}

/// A match that depends on the rest of the file.
struct Candidate<'t> {
    target: Target,
    /// The name compared with `names`.
    name: Option<String>,
    /// The name whose members it must omit.
    whole: Option<String>,
    text: &'t str,
    found: Found,
}

fn matches<'t>(
    tree: &'t SyntaxTree,
    all: &Nodes,
    rounds: &[Vec<Vec<Tried<'_>>>; 3],
    rules: &Rules,
    text: &str,
    is_thorough: bool,
) -> Walk {
    let mut walk = Walk::default();
    let mut candidates: Vec<Candidate<'_>> = Vec::new();
    let mut among: BTreeMap<(Target, String), Defined> = BTreeMap::new();
    let mut not_among = BTreeSet::new();
    let mut members: BTreeMap<(Target, String), (Vec<String>, Defined)> = BTreeMap::new();
    let mut work = 0_usize;
    let siblings = Siblings::default();
    let (mut defined, mut is_found): (BTreeSet<Target>, BTreeSet<Target>) = Default::default();
    let root = tree.root();
    let mut cursor = root.get_inner_node().walk();
    let rounds = rounds.iter().filter(|by_kind| !by_kind.is_empty());
    let places = rounds.flat_map(|by_kind| {
        let wanted: Vec<bool> = by_kind.iter().map(|tried| !tried.is_empty()).collect();
        let is_wanted = move |kind: u16| wanted.get(usize::from(kind)).is_some_and(|is_wanted| *is_wanted);
        all.of_kinds(is_wanted).map(move |(at, listed)| (&by_kind[usize::from(listed.kind_id())], at, listed))
    });
    for (tried, at, listed) in places {
        // Most nodes have the shape of no matcher, and are skipped.
        let mut node: Option<TreeNode<'t>> = None;
        for tried in tried {
            let Tried { matcher, needs_names, .. } = tried;
            let target = matcher.role.target();
            if *needs_names && !defined.contains(&target) {
                continue;
            }
            if matches!(matcher.role, Role::NotAmong(_)) && !is_found.contains(&target) {
                continue;
            }
            work += listed.byte_range().len() + 1;
            if !is_thorough && !matcher.shape.may_match(listed, text, &siblings) || !tried.is_for(text) {
                continue;
            }
            let node = node.get_or_insert_with(|| {
                cursor.goto_descendant(at);
                root.root().adopt(cursor.node())
            });
            let Some(matched) = matcher.core.match_node(node.clone()) else { continue };
            let of = &rules[target.rule].matches[target.tree];
            let name = of.names.as_ref().and_then(|names| text_of(&matched, &names.var)).map(Cow::into_owned);
            let whole = of.members.as_ref().map(|members| whole(&matched, members));
            match matcher.role {
                Role::Finding(_) if of.ambiguous && !is_ambiguous(&text[matched.range()]) => {}
                Role::Finding(_) => {
                    let found = found(&matched, target.rule, rules, of);
                    is_found.insert(target);
                    candidates.push(Candidate { target, name, whole, text: &text[matched.range()], found });
                }
                Role::Member(_) => {
                    let member = of.members.as_ref().and_then(|members| text_of(&matched, &members.each));
                    let (names, defined) = members.entry((target, whole.unwrap_or_default())).or_default();
                    names.extend(member.map(Cow::into_owned));
                    defined.add(matched.range());
                }
                Role::Among(_) => {
                    defined.insert(target);
                    if let Some(name) = name {
                        among.entry((target, name)).or_default().add(matched.range());
                    }
                }
                Role::NotAmong(_) => not_among.extend(name.map(|name| (target, name))),
            }
        }
        if work > guard::MOST_WORK {
            walk.unreviewed = Some("too entangled to be matched within the limit; reviewed in part".to_owned());
            break;
        }
    }
    // Returns where the name of a match is defined, unless the match does not count.
    let unnamed = Defined::default();
    let defined = |target: Target, name: Option<String>| match name {
        None => rules[target.rule].matches[target.tree].names.is_none().then_some(&unnamed),
        Some(name) => {
            let key = (target, name);
            among.get(&key).filter(|_| !not_among.contains(&key))
        }
    };
    for Candidate { target, name, whole, text, mut found } in candidates {
        let Some(Defined(defined)) = defined(target, name) else { continue };
        found.trace.extend(defined.iter().cloned());
        if let Some(whole) = whole {
            let Some((declared, Defined(defined))) = members.get(&(target, whole)) else { continue };
            let Some(missing) = declared.iter().find(|member| !mentions(text, member)) else { continue };
            found.trace.extend(defined.iter().cloned());
            found.title = found.title.replace(LEFT_OUT, &shortened(missing));
        }
        walk.found.push(found);
    }
    walk
}

/// Returns the name that the members belong to.
fn whole<D: Doc>(matched: &NodeMatch<'_, D>, members: &Members) -> String {
    let parts: Vec<_> = members.of.iter().map(|name| text_of(matched, name).unwrap_or_default()).collect();
    parts.join("\0")
}

/// Tells whether a text contains a member as a separate word, in any quotes.
fn mentions(text: &str, member: &str) -> bool {
    let word = member.trim_matches(['"', '\'', '`']);
    let is_part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(word)
        .any(|(at, _)| !is_part(text[..at].chars().next_back()) && !is_part(text[at + word.len()..].chars().next()))
}

impl Role {
    fn target(self) -> Target {
        match self {
            Self::Finding(target) | Self::Among(target) | Self::NotAmong(target) | Self::Member(target) => target,
        }
    }
}

fn found<D: Doc>(matched: &NodeMatch<'_, D>, rule: usize, rules: &Rules, of: &TreeMatch) -> Found {
    let place = of.at.as_ref().and_then(|name| matched.get_env().get_match(name));
    let span = place.map_or_else(|| matched.range(), Node::range);
    let fix = of.fix.as_ref().map(|fix| replacement(fix, matched));
    let value = |name: &str| match &of.members {
        Some(members) if members.each == name => Some(Cow::Borrowed(LEFT_OUT)),
        _ => text_of(matched, name),
    };
    let title = fill(&rules[rule].title, value);
    let trace = vec![matched.range()];
    Found { rule, span, trace, source: None, title, severity: None, confidence: None, fix }
}

/// Fills in a rewrite as ast-grep does: multi-line text keeps its indentation.
fn replacement<D: Doc>(fix: &str, matched: &NodeMatch<'_, D>) -> String {
    D::Source::encode_bytes(&fix.generate_replacement(matched)).into_owned()
}

/// Returns the text of a metavariable.
fn text_of<'t, D: Doc>(matched: &NodeMatch<'t, D>, name: &str) -> Option<Cow<'t, str>> {
    matched.get_env().get_match(name).map(Node::text)
}

/// Formats an error and its causes in one line.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text.push_str(&format!(": {error}"));
        source = error.source();
    }
    text
}
