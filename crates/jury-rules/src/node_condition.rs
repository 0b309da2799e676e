//! Necessary conditions of a syntax rule. In: an ast-grep rule. Out: conditions on the node list for a match at a node,
//! so that most nodes are ruled out without running the matcher.
//!
//! The conditions are necessary, never sufficient: metavariables, patterns and counts are left to the matcher. The
//! matcher asks the parser library for parents and siblings, which is a search from the root each time; the list has
//! them at hand.

use std::collections::HashMap;

use ast_grep_config::SerializableRule;
use ast_grep_core::Language as _;
use ast_grep_language::SupportLang;
use serde_json::{Map, Value};

use crate::nodes::Node;
use crate::siblings::Siblings;
use crate::words::{OPERATORS, Words};

/// The number of siblings or descendants checked before matching would be faster.
const MOST_LOOKED_AT: usize = 64;
/// How deep references between rules are followed.
const DEEPEST: usize = 16;

/// A condition on a node that a rule matches.
#[derive(Debug)]
pub(crate) enum NodeCondition {
    /// No condition.
    Anything,
    Kind(u16),
    Text(Words),
    All(Vec<NodeCondition>),
    OneOf(Vec<NodeCondition>),
    Not(Box<NodeCondition>),
    Related(Box<Related>),
    /// It is one of so many first named children.
    Nth(usize),
    /// Two nodes in it are equal.
    Twins(Side, Side),
    /// A node in it equals one in a sibling.
    TwinBeside(Box<TwinBeside>),
}

/// The ways from a node, and from a sibling, to two nodes that are equal.
#[derive(Debug)]
pub(crate) struct TwinBeside {
    is_before: bool,
    mine: Vec<Hop>,
    theirs: Vec<Hop>,
}

/// A step from a node to some of its children.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Hop {
    field: Option<u16>,
    kind: Option<u16>,
    /// Its place among the named children, from 1.
    place: Option<usize>,
}

/// Metavariables that are bound to whole nodes, each with the way to its node.
type Bound<'r> = Vec<(&'r str, Vec<Hop>)>;

/// Where another node is within a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    First,
    Last,
    Field(u16),
}

/// A condition on another node.
#[derive(Debug)]
pub(crate) struct Related {
    relation: Relation,
    /// The field that holds the inner of the two nodes.
    field: Option<u16>,
    reach: Reach,
    shape: NodeCondition,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Inside,
    Has,
    Follows,
    Precedes,
}

/// How far away the other node may be.
#[derive(Debug)]
enum Reach {
    Next,
    /// Up to and including the first node with a shape.
    Until(NodeCondition),
    End,
}

/// A shape, and whether it is sufficient for a match.
struct Inferred {
    shape: NodeCondition,
    is_exact: bool,
}

/// Reads the rules of one language.
struct Reader<'r> {
    grammar: SupportLang,
    utils: &'r Map<String, Value>,
}

impl NodeCondition {
    /// Reads a rule and the rules that it references.
    pub(crate) fn of(
        rule: &SerializableRule,
        utils: Option<&HashMap<String, SerializableRule>>,
        grammar: SupportLang,
    ) -> Self {
        let utils = utils.and_then(|utils| serde_json::to_value(utils).ok());
        let utils = utils.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
        let reader = Reader { grammar, utils: &utils };
        serde_json::to_value(rule).map_or(Self::Anything, |rule| reader.read(&rule, 0, &[]).shape)
    }

    /// Tells whether the rule could match a node of a text.
    pub(crate) fn may_match(&self, node: Node<'_>, text: &str, seen: &Siblings) -> bool {
        match self {
            Self::Anything => true,
            Self::Kind(kind) => node.kind_id() == *kind,
            Self::Text(words) => words.may_match(&text[node.byte_range()]),
            Self::All(shapes) => shapes.iter().all(|shape| shape.may_match(node, text, seen)),
            Self::OneOf(shapes) => shapes.iter().any(|shape| shape.may_match(node, text, seen)),
            Self::Not(shape) => !shape.may_match(node, text, seen),
            Self::Related(near) => near.may_match(node, text, seen),
            Self::Nth(place) => node.is_nth_named(*place),
            Self::Twins(one, other) => match (one.of(node), other.of(node)) {
                (Some(one), Some(other)) => may_be_alike(one, other, text),
                _ => false,
            },
            Self::TwinBeside(twin) => seen.has_twin(twin, node, text),
        }
    }

    /// The cost of a check; expensive ones come later.
    fn effort(&self) -> usize {
        match self {
            Self::Anything | Self::Kind(_) => 0,
            Self::Text(Words::Have(_)) => 4,
            Self::Text(_) => 1,
            Self::All(shapes) | Self::OneOf(shapes) => shapes.iter().map(Self::effort).max().unwrap_or_default(),
            Self::Not(shape) => shape.effort(),
            Self::Nth(_) => 2,
            Self::Twins(..) => 3,
            Self::TwinBeside(_) => 6,
            Self::Related(near) => {
                let itself = match (near.relation, &near.reach) {
                    (Relation::Has, Reach::Next) | (Relation::Inside, Reach::Until(_) | Reach::End) => 3,
                    (_, Reach::Next) => 2,
                    _ => 5,
                };
                itself.max(near.shape.effort())
            }
        }
    }
}

impl TwinBeside {
    pub(crate) fn is_before(&self) -> bool {
        self.is_before
    }

    /// Calls a function with every node that could equal one in a sibling.
    pub(crate) fn mine<'n>(&self, node: Node<'n>, see: &mut dyn FnMut(Node<'n>)) {
        reached(node, &self.mine, see);
    }

    /// Calls a function with every node of a sibling that could equal one.
    pub(crate) fn theirs<'n>(&self, sibling: Node<'n>, see: &mut dyn FnMut(Node<'n>)) {
        reached(sibling, &self.theirs, see);
    }
}

/// Calls a function with every node at the end of a way.
fn reached<'n>(node: Node<'n>, hops: &[Hop], see: &mut dyn FnMut(Node<'n>)) {
    // A metavariable stands for a named node.
    let Some((hop, rest)) = hops.split_first() else {
        return if node.is_named() {
            see(node)
        };
    };
    for child in node.children().filter(|child| hop.leads_to(*child)) {
        reached(child, rest, see);
    }
}

impl Hop {
    fn leads_to(self, child: Node<'_>) -> bool {
        self.field.is_none_or(|field| child.field_id() == field)
            && self.kind.is_none_or(|kind| child.kind_id() == kind)
            && self.place.is_none_or(|place| child.is_nth_named(place))
    }
}

impl Side {
    fn of(self, node: Node<'_>) -> Option<Node<'_>> {
        match self {
            Self::First => node.named_children().find(|child| !child.is_extra()),
            Self::Last => node.named_children().filter(|child| !child.is_extra()).last(),
            Self::Field(field) => node.child_by_field_id(field),
        }
    }
}

/// Tells whether one metavariable could match both of two nodes: they have the same structure, and leaves have the same
/// text.
fn may_be_alike(one: Node<'_>, other: Node<'_>, text: &str) -> bool {
    let is_leaf = |node: Node<'_>| node.named_child_count() == 0;
    if is_leaf(one) || is_leaf(other) {
        return text[one.byte_range()] == text[other.byte_range()];
    }
    one.kind_id() == other.kind_id() && one.children().count() == other.children().count()
}

/// Returns the metavariable that a whole pattern consists of.
fn metavariable(pattern: &str) -> Option<&str> {
    let name = pattern.trim().strip_prefix('$')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    is_name.then_some(name)
}

/// Tells whether a pattern is a metavariable, an operator, and the same metavariable again.
fn is_twice_the_same(pattern: &str) -> bool {
    match pattern.split_whitespace().collect::<Vec<_>>()[..] {
        [one, operator, other] => one == other && metavariable(one).is_some() && OPERATORS.contains(&operator),
        _ => false,
    }
}

impl Related {
    fn may_match(&self, node: Node<'_>, text: &str, seen: &Siblings) -> bool {
        match self.relation {
            Relation::Inside => self.is_inside(node, text, seen),
            Relation::Has => match self.field {
                Some(field) => node.child_by_field_id(field).is_some_and(|child| match self.reach {
                    Reach::Next => self.shape.may_match(child, text, seen),
                    Reach::Until(_) | Reach::End => self.is_one(child.descendants(), text, seen),
                }),
                None => match self.reach {
                    Reach::Next => node.children().any(|child| self.shape.may_match(child, text, seen)),
                    Reach::Until(_) | Reach::End => self.is_one(node.descendants().skip(1), text, seen),
                },
            },
            Relation::Follows | Relation::Precedes => self.is_beside(node, text, seen),
        }
    }

    fn is_inside(&self, node: Node<'_>, text: &str, seen: &Siblings) -> bool {
        let mut inner = node;
        while let Some(outer) = inner.parent() {
            let stands = self.field.is_none_or(|field| outer.child_by_field_id(field) == Some(inner));
            if stands && self.shape.may_match(outer, text, seen) {
                return true;
            }
            match &self.reach {
                Reach::Next => return false,
                Reach::Until(stop) if stop.may_match(outer, text, seen) => return false,
                Reach::Until(_) | Reach::End => inner = outer,
            }
        }
        false
    }

    fn is_beside(&self, node: Node<'_>, text: &str, seen: &Siblings) -> bool {
        let is_before = self.relation == Relation::Follows;
        match self.reach {
            Reach::Next => {
                let beside = if is_before { node.previous() } else { node.next() };
                beside.is_some_and(|beside| self.shape.may_match(beside, text, seen))
            }
            Reach::Until(_) | Reach::End => seen.has(&self.shape, is_before, node, text),
        }
    }

    /// Tells whether one of many nodes could have the shape.
    fn is_one<'n>(&self, mut nodes: impl Iterator<Item = Node<'n>>, text: &str, seen: &Siblings) -> bool {
        nodes.by_ref().take(MOST_LOOKED_AT).any(|node| self.shape.may_match(node, text, seen)) || nodes.next().is_some()
    }
}

impl Inferred {
    fn unknown() -> Self {
        Self { shape: NodeCondition::Anything, is_exact: false }
    }

    /// All of these hold, in the order of their cost.
    fn all(parts: Vec<Self>) -> Self {
        let is_exact = parts.iter().all(|part| part.is_exact);
        let known = parts.into_iter().map(|part| part.shape).filter(|shape| !matches!(shape, NodeCondition::Anything));
        let mut shapes: Vec<NodeCondition> = known.collect();
        shapes.sort_by_key(NodeCondition::effort);
        let shape = match shapes.len() {
            0 => NodeCondition::Anything,
            1 => shapes.remove(0),
            _ => NodeCondition::All(shapes),
        };
        Self { shape, is_exact }
    }

    /// One of these holds.
    fn one_of(parts: Vec<Self>) -> Self {
        if parts.iter().any(|part| matches!(part.shape, NodeCondition::Anything)) {
            return Self::unknown();
        }
        let is_exact = parts.iter().all(|part| part.is_exact);
        let mut shapes: Vec<NodeCondition> = parts.into_iter().map(|part| part.shape).collect();
        shapes.sort_by_key(NodeCondition::effort);
        Self { shape: NodeCondition::OneOf(shapes), is_exact }
    }
}

/// Returns the place that a plain `nthChild` asks for.
fn place(nth: &Value) -> Option<usize> {
    nth.as_u64().and_then(|place| usize::try_from(place).ok())
}

/// Tells whether a relation reaches only the adjacent node.
fn is_next(relation: &Value) -> bool {
    relation.get("stopBy").is_none_or(|stop| stop == "neighbor")
}

/// Returns a rule and the rules that must hold together with it.
fn together(rule: &Value) -> Vec<&Value> {
    let inner = rule.get("all").and_then(Value::as_array).into_iter().flatten().flat_map(together);
    [rule].into_iter().chain(inner).collect()
}

impl Reader<'_> {
    /// Reads a rule, all parts of which must hold. `given` are the metavariables bound by the rules around it.
    fn read<'v>(&'v self, rule: &'v Value, depth: usize, given: &[(&'v str, Vec<Hop>)]) -> Inferred {
        let Some(parts) = rule.as_object().filter(|_| depth < DEEPEST) else { return Inferred::unknown() };
        // The reach of a relation is stated inside its own rule.
        let said = parts.iter().filter(|(name, _)| !matches!(name.as_str(), "stopBy" | "field"));
        let mut bound = self.bound(&together(rule));
        bound.extend_from_slice(given);
        let mut inferred: Vec<Inferred> = said.map(|(name, part)| self.part(name, part, depth + 1, &bound)).collect();
        inferred.extend(self.twins(rule, &bound));
        Inferred::all(inferred)
    }

    /// Finds fields bound to one metavariable, of a node or of it and a sibling, in rules that must hold together.
    fn twins(&self, rule: &Value, bound: &[(&str, Vec<Hop>)]) -> Vec<Inferred> {
        let mine = self.fields(&together(rule));
        let pairs = mine.iter().enumerate().flat_map(|(at, one)| mine[at + 1..].iter().map(move |other| (one, other)));
        let same = pairs.filter(|((one, first), (other, second))| one == other && first != second);
        let mut twins: Vec<NodeCondition> =
            same.map(|((_, one), (_, other))| NodeCondition::Twins(Side::Field(*one), Side::Field(*other))).collect();
        for (name, is_before) in [("follows", true), ("precedes", false)] {
            if let Some(beside) = rule.get(name) {
                let theirs = self.bound(&together(beside));
                let same = bound.iter().flat_map(|one| theirs.iter().map(move |other| (one, other)));
                let same = same.filter(|((one, _), (other, _))| one == other);
                twins.extend(same.map(|((_, mine), (_, theirs))| {
                    let (mine, theirs) = (mine.clone(), theirs.clone());
                    NodeCondition::TwinBeside(Box::new(TwinBeside { is_before, mine, theirs }))
                }));
            }
        }
        twins.into_iter().map(|shape| Inferred { shape, is_exact: false }).collect()
    }

    /// Returns the metavariables bound to whole fields in rules that must hold together.
    fn fields<'r>(&self, rules: &[&'r Value]) -> Vec<(&'r str, u16)> {
        let mut fields = Vec::new();
        for has in rules.iter().filter_map(|rule| rule.get("has")).filter(|has| is_next(has)) {
            let Some(field) =
                has.get("field").and_then(Value::as_str).and_then(|field| self.grammar.field_to_id(field))
            else {
                continue;
            };
            let patterns = together(has).into_iter().filter_map(|rule| rule.get("pattern")?.as_str());
            fields.extend(patterns.filter_map(metavariable).map(|name| (name, field)));
        }
        fields
    }

    /// Returns the metavariables bound to whole nodes in rules that must hold together, each with the way to its node.
    fn bound<'r>(&self, rules: &[&'r Value]) -> Bound<'r> {
        let own = rules.iter().filter_map(|rule| metavariable(rule.get("pattern")?.as_str()?));
        let mut bound: Bound<'r> = own.map(|name| (name, Vec::new())).collect();
        for has in rules.iter().filter_map(|rule| rule.get("has")).filter(|has| is_next(has)) {
            let named = |name: &str, id: &dyn Fn(&str) -> Option<u16>| has.get(name).and_then(Value::as_str).map(id);
            let field = named("field", &|name| self.grammar.field_to_id(name));
            let kind = named("kind", &|name| Some(self.grammar.kind_to_id(name)).filter(|kind| *kind != 0));
            // An unknown field or kind is left to the matcher.
            let hop = Hop { field: field.flatten(), kind: kind.flatten(), place: has.get("nthChild").and_then(place) };
            let within = self.bound(&together(has)).into_iter();
            bound.extend(within.map(|(name, hops)| (name, [hop].into_iter().chain(hops).collect())));
        }
        bound
    }

    /// Reads a pattern. Text from its context, or matched loosely, need not be in the node.
    fn pattern(&self, pattern: &Value) -> Inferred {
        let Some(pattern) = pattern.as_str() else { return Inferred::unknown() };
        let twins = is_twice_the_same(pattern).then_some(NodeCondition::Twins(Side::First, Side::Last));
        let shapes = twins.into_iter().chain(Words::of_pattern(pattern).into_iter().map(NodeCondition::Text));
        let parts: Vec<Inferred> = shapes.map(|shape| Inferred { shape, is_exact: false }).collect();
        if parts.is_empty() { Inferred::unknown() } else { Inferred::all(parts) }
    }

    fn part<'v>(&'v self, name: &str, part: &'v Value, depth: usize, bound: &[(&'v str, Vec<Hop>)]) -> Inferred {
        let each = || {
            let parts = part.as_array().into_iter().flatten();
            parts.map(|part| self.read(part, depth, bound)).collect::<Vec<_>>()
        };
        match name {
            "kind" => self.kind(part),
            "pattern" => self.pattern(part),
            // Every node has at least one character.
            "regex" if part == "." => Inferred { shape: NodeCondition::Anything, is_exact: true },
            "regex" => match part.as_str().and_then(Words::of) {
                Some(words) => Inferred { is_exact: words.are_all(), shape: NodeCondition::Text(words) },
                None => Inferred::unknown(),
            },
            "all" => Inferred::all(each()),
            "any" => Inferred::one_of(each()),
            "nthChild" => match place(part) {
                Some(place) => Inferred { shape: NodeCondition::Nth(place), is_exact: false },
                None => Inferred::unknown(),
            },
            "not" => match self.read(part, depth, &[]) {
                Inferred { shape, is_exact: true } => {
                    Inferred { shape: NodeCondition::Not(Box::new(shape)), is_exact: true }
                }
                Inferred { is_exact: false, .. } => Inferred::unknown(),
            },
            "matches" => part
                .as_str()
                .and_then(|name| self.utils.get(name))
                .map_or_else(Inferred::unknown, |rule| self.read(rule, depth, bound)),
            "inside" => {
                // The node around holds the nodes that are bound within it.
                let field = part.get("field").and_then(Value::as_str).and_then(|name| self.grammar.field_to_id(name));
                let hop = Hop { field, kind: None, place: None };
                let lifted = bound.iter().filter(|_| is_next(part));
                let lifted =
                    lifted.map(|(name, hops)| (*name, [hop].into_iter().chain(hops.iter().copied()).collect()));
                self.near(Relation::Inside, part, depth, &lifted.collect::<Bound<'_>>())
            }
            "has" => self.near(Relation::Has, part, depth, &[]),
            "follows" => self.near(Relation::Follows, part, depth, &[]),
            "precedes" => self.near(Relation::Precedes, part, depth, &[]),
            _ => Inferred::unknown(),
        }
    }

    /// Reads the name of a kind; other selectors are left to the matcher.
    fn kind(&self, name: &Value) -> Inferred {
        let kind = name.as_str().map_or(0, |name| self.grammar.kind_to_id(name));
        if kind == 0 { Inferred::unknown() } else { Inferred { shape: NodeCondition::Kind(kind), is_exact: true } }
    }

    fn near<'v>(
        &'v self,
        relation: Relation,
        rule: &'v Value,
        depth: usize,
        given: &[(&'v str, Vec<Hop>)],
    ) -> Inferred {
        let Inferred { shape, is_exact } = self.read(rule, depth, given);
        let name = rule.get("field").and_then(Value::as_str);
        let field = name.and_then(|name| self.grammar.field_to_id(name));
        let (reach, is_sure) = match rule.get("stopBy") {
            // Stopping too early would miss nodes that the matcher finds.
            Some(stop @ Value::Object(_)) => match self.read(stop, depth, &[]) {
                Inferred { shape, is_exact: true } => (Reach::Until(shape), relation == Relation::Inside),
                Inferred { is_exact: false, .. } => (Reach::End, false),
            },
            _ if is_next(rule) => (Reach::Next, true),
            // Of many nodes, only some are checked.
            _ => (Reach::End, relation == Relation::Inside),
        };
        let is_exact = is_exact && is_sure && name.is_some() == field.is_some();
        Inferred { shape: NodeCondition::Related(Box::new(Related { relation, field, reach, shape })), is_exact }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::Language;
    use crate::nodes::Nodes;

    /// Returns the texts of the Python nodes that could match a rule.
    fn passed<'t>(rule: &str, text: &'t str) -> Vec<&'t str> {
        let rule: SerializableRule = serde_saphyr::from_str(rule).unwrap();
        let shape = NodeCondition::of(&rule, None, SupportLang::Python);
        let nodes = Nodes::parsed(Language::Python, text);
        let passed = nodes.root().descendants().filter(|node| shape.may_match(*node, text, &Siblings::default()));
        passed.map(|node| &text[node.byte_range()]).collect()
    }

    #[test]
    fn kinds_and_texts_are_needed_where_the_rule_has_them() {
        let text = "a = f(1)\nb = g(2)\n";
        assert_eq!(passed("{ kind: call, has: { field: function, regex: '^f$' } }", text), ["f(1)"]);
        assert_eq!(
            passed("{ kind: integer, inside: { kind: argument_list, inside: { kind: call } } }", text),
            ["1", "2"]
        );
        assert_eq!(passed("{ kind: integer, inside: { kind: call } }", text), [""; 0]);
        assert_eq!(passed("{ kind: integer, inside: { stopBy: end, kind: assignment, regex: '^b' } }", text), ["2"]);
        assert_eq!(passed("{ kind: identifier, inside: { kind: assignment, field: left } }", text), ["a", "b"]);
        assert_eq!(passed("{ kind: call, pattern: g($A) }", text), ["g(2)"]);
    }

    #[test]
    fn neighbours_are_those_of_the_list() {
        let text = "a\nb\nc\n";
        let rule = |relation: &str| format!("{{ kind: expression_statement, {relation} }}");
        assert_eq!(passed(&rule("follows: { regex: '^a$' }"), text), ["b"]);
        assert_eq!(passed(&rule("follows: { stopBy: end, regex: '^a$' }"), text), ["b", "c"]);
        assert_eq!(passed(&rule("precedes: { regex: '^c$' }"), text), ["b"]);
        assert_eq!(passed(&rule("precedes: { stopBy: end, regex: '^c$' }"), text), ["a", "b"]);
    }

    #[test]
    fn only_what_is_known_for_sure_can_be_denied() {
        let text = "f(1)\nf(x)\n";
        let calls = ["f(1)", "f(x)"];
        let rule = |not: &str| format!("{{ kind: call, not: {{ {not} }} }}");
        let arguments = |has: &str| rule(&format!("has: {{ field: arguments, has: {{ {has} }} }}"));
        assert_eq!(passed(&arguments("kind: integer"), text), ["f(x)"]);
        assert_eq!(passed(&arguments("regex: '^x$'"), text), ["f(1)"]);
        // A pattern, a word anywhere and a limited search are not sufficient conditions.
        assert_eq!(passed(&arguments("pattern: $X"), text), calls);
        assert_eq!(passed(&arguments("regex: x"), text), calls);
        assert_eq!(passed(&rule("has: { stopBy: end, kind: integer }"), text), calls);
    }

    #[test]
    fn what_stands_twice_must_be_alike() {
        let text = "a == a\na == b\na.b == a.c\na.b == a[0]\n";
        let alike = ["a == a", "a.b == a.c"];
        assert_eq!(passed("{ kind: comparison_operator, pattern: $A == $A }", text), alike);
        let text = "a = a\na = b\n";
        let fields = "all: [{ has: { field: left, pattern: $A } }, { has: { field: right, pattern: $A } }]";
        assert_eq!(passed(&format!("{{ kind: assignment, {fields} }}"), text), ["a = a"]);
        let text = "{a: 1, b: 2, a: 3}\n";
        let earlier = "follows: { stopBy: end, kind: pair, has: { field: key, pattern: $K } }";
        assert_eq!(passed(&format!("{{ kind: pair, has: {{ field: key, pattern: $K }}, {earlier} }}"), text), ["a: 3"]);
        // An unbound metavariable may stand for two different things.
        assert_eq!(passed("{ kind: comparison_operator, pattern: $_ == $_ }", "a == b\n"), ["a == b"]);
    }

    #[test]
    fn twins_are_known_however_far_away_and_deep_they_are() {
        let many: String = (0..3_000).map(|at| format!("def f{at}(): pass\n")).collect();
        let rule = "{ kind: identifier, pattern: $E, inside: { kind: function_definition, field: name, \
            all: [{ follows: { stopBy: end, kind: function_definition, has: { field: name, pattern: $E } } }] } }";
        assert_eq!(passed(rule, &many), [""; 0]);
        assert_eq!(passed(rule, &format!("{many}def f0(): pass\n")), ["f0"]);
        let rule = "{ kind: call, has: { field: arguments, has: { nthChild: 1, pattern: $A } }, \
            inside: { kind: expression_statement, follows: { stopBy: end, has: { kind: call, \
            has: { field: arguments, has: { nthChild: 1, pattern: $A } } } } } }";
        assert_eq!(passed(rule, "f('a', 1)\ng()\nf('b', 1)\nf('a', 2)\n"), ["f('a', 2)"]);
        assert_eq!(passed("{ kind: integer, nthChild: 2 }", "[1, 2, 3]\n"), ["2"]);
    }

    #[test]
    fn of_many_it_is_assumed_that_one_fits() {
        let many = format!("[{}]\n", "1, ".repeat(2 * MOST_LOOKED_AT));
        assert_eq!(passed("{ kind: list, has: { stopBy: end, kind: string } }", &many).len(), 1);
        assert_eq!(passed("{ kind: list, has: { stopBy: end, kind: string } }", "[1]\n").len(), 0);
    }

    #[test]
    fn rules_that_name_each_other_come_to_an_end() {
        let rule: SerializableRule = serde_saphyr::from_str("{ kind: call, has: { matches: inner } }").unwrap();
        let inner: SerializableRule =
            serde_saphyr::from_str("{ kind: call, has: { stopBy: end, matches: inner } }").unwrap();
        let utils = HashMap::from([("inner".to_owned(), inner)]);
        let shape = NodeCondition::of(&rule, Some(&utils), SupportLang::Python);
        let nodes = Nodes::parsed(Language::Python, "f(x)\n");
        assert!(nodes.root().descendants().all(|node| !shape.may_match(node, "f(x)\n", &Siblings::default())));
    }
}
