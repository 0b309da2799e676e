//! A tool and its rules: values that results may leave out because their rule has them.
//!
//! In: the `tool` of a run. Out: its name, and for a result the rule it breaks (§3.52.3). Lookups are by index or by
//! name in a map, never by going through all rules.

use std::collections::BTreeMap;

use jury_wire::Reason;

use super::{CRITICAL, MOST_WEAKNESSES, entries, index, member, number, plain_text, weakness};
use crate::formats::{json, vocabulary};
use crate::model::{Domain, Severity};
use crate::syntax::{Fields, Node, Reader, Span, Unknown, Value};

/// A tool: the driver first, then its extensions.
#[derive(Default)]
pub(super) struct Tool<'n> {
    pub(super) name: Option<Domain>,
    components: Vec<Component<'n>>,
    /// The extensions by name and by GUID.
    by_name: BTreeMap<&'n str, usize>,
    /// The rules of all components by id, the driver's first.
    by_id: BTreeMap<&'n str, RuleKey>,
}

#[derive(Default)]
struct Component<'n> {
    name: Option<(&'n str, Span)>,
    guid: Option<&'n str>,
    rules: Vec<Rule<'n>>,
    by_id: BTreeMap<&'n str, usize>,
    messages: BTreeMap<&'n str, &'n str>,
}

/// The values of a rule for all its results.
#[derive(Default)]
pub(super) struct Rule<'n> {
    pub(super) id: &'n str,
    pub(super) level: Option<Severity>,
    /// Whether it cannot be told which level the rule states.
    pub(super) is_unclear: bool,
    pub(super) is_critical: bool,
    pub(super) short: Option<&'n str>,
    pub(super) full: Option<&'n str>,
    pub(super) messages: BTreeMap<&'n str, &'n str>,
    pub(super) cwe: Vec<u32>,
}

/// How a rule is referred to.
#[derive(Default)]
pub(super) struct Reference<'n> {
    pub(super) id: Option<&'n str>,
    pub(super) index: Option<(usize, Span)>,
    component: Option<usize>,
}

/// Where a rule stands: component and rule.
pub(super) type RuleKey = (usize, usize);

/// Reads the tool of a run.
pub(super) fn read<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Tool<'n>> {
    let mut fields = reader.fields(node)?;
    let mut tool = Tool::default();
    let driver = fields.required(reader, "driver", component).unwrap_or_default();
    tool.name = driver.name.and_then(|(name, span)| reader.expect(Reason::BadName, span, Domain::new(name)));
    tool.add(driver);
    for node in member(reader, &mut fields, "extensions", Reader::items).unwrap_or_default() {
        let extension = component(reader, node).unwrap_or_default();
        for name in extension.name.map(|(name, _)| name).into_iter().chain(extension.guid) {
            tool.by_name.entry(name).or_insert(tool.components.len());
        }
        tool.add(extension);
    }
    fields.end(reader, Unknown::Allow);
    Some(tool)
}

fn component<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Component<'n>> {
    let mut fields = reader.fields(node)?;
    let mut component = Component {
        name: fields.required(reader, "name", |reader, node| Some((reader.string(node)?, node.span))),
        guid: member(reader, &mut fields, "guid", Reader::string),
        ..Component::default()
    };
    for node in member(reader, &mut fields, "rules", Reader::items).unwrap_or_default() {
        let rule = rule(reader, node).unwrap_or_default();
        component.by_id.entry(rule.id).or_insert(component.rules.len());
        component.rules.push(rule);
    }
    component.messages = member(reader, &mut fields, "globalMessageStrings", messages).unwrap_or_default();
    fields.end(reader, Unknown::Allow);
    Some(component)
}

fn messages<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<BTreeMap<&'n str, &'n str>> {
    let members = entries(reader, node)?;
    let text = |member: &'n crate::syntax::Member<'a>| Some((member.key.as_ref(), plain_text(reader, &member.node)?));
    Some(members.iter().filter_map(text).collect())
}

fn rule<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Rule<'n>> {
    let mut fields = reader.fields(node)?;
    let id = fields.required(reader, "id", Reader::string).unwrap_or_default();
    let configuration = member(reader, &mut fields, "defaultConfiguration", |reader, node| {
        Some(configured_level(reader, node).ok_or(Lost))
    });
    let level = configuration.unwrap_or(Ok(None));
    let is_unclear = level.is_err() || fields.is_ambiguous();
    let short = member(reader, &mut fields, "shortDescription", plain_text);
    let full = member(reader, &mut fields, "fullDescription", plain_text).filter(|text| !text.trim().is_empty());
    let messages = member(reader, &mut fields, "messageStrings", messages).unwrap_or_default();
    let properties = member(reader, &mut fields, "properties", |reader, node| properties(reader, node, Bags::Pass));
    let Properties { mut cwe, is_critical, .. } = properties.unwrap_or_default();
    cwe.extend(weakness_of_id(id));
    for node in member(reader, &mut fields, "relationships", Reader::items).unwrap_or_default() {
        cwe.extend(reader.fields(node).and_then(|mut fields| {
            let taxon = fields.required(reader, "target", |reader, node| taxon(reader, node, &[]));
            fields.end(reader, Unknown::Allow);
            taxon.flatten()
        }));
    }
    fields.end(reader, Unknown::Allow);
    cwe.sort_unstable();
    cwe.dedup();
    cwe.truncate(MOST_WEAKNESSES);
    let (level, is_critical) = (level.unwrap_or_default(), is_critical.unwrap_or(false));
    Some(Rule { id, level, is_unclear, is_critical, short, full, messages, cwe })
}

/// Returns the weakness that a rule is named after, for example `CWE-306`.
pub(super) fn weakness_of_id(id: &str) -> Option<u32> {
    weakness(id).filter(|number| id.eq_ignore_ascii_case(&format!("CWE-{number}")))
}

/// Reads the level of a configuration, which may leave it open.
fn configured_level<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<Severity>> {
    let mut fields = reader.fields(node)?;
    let level = member(reader, &mut fields, "level", level);
    fields.end(reader, Unknown::Allow).then_some(level)
}

/// Reads a level as the severity it stands for.
pub(super) fn level<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Severity> {
    json::severity(reader, node, &vocabulary::LEVELS)
}

/// Conventional values in the property bags of rules and results.
#[derive(Default)]
pub(super) struct Properties<'n, 'a> {
    pub(super) cwe: Vec<u32>,
    pub(super) is_critical: Option<bool>,
    pub(super) jury: Option<&'n Node<'a>>,
}

/// Whether our own part of a property bag is going to be read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Bags {
    Read,
    Pass,
}

/// Reads a property bag. Its members are free, so a member of another type is ignored.
pub(super) fn properties<'n, 'a>(
    reader: &mut Reader<'_, 'a>,
    node: &'n Node<'a>,
    bags: Bags,
) -> Option<Properties<'n, 'a>> {
    let mut fields = reader.fields(node)?;
    let mut cwe = Vec::new();
    for tag in member(reader, &mut fields, "tags", Reader::items).unwrap_or_default() {
        cwe.extend(reader.string(tag).and_then(weakness));
    }
    for node in ["cwe", "cwes"].into_iter().filter_map(|name| node.get(name)) {
        let nodes = if let Value::Array(items) = &node.value { items } else { std::slice::from_ref(node) };
        cwe.extend(nodes.iter().filter_map(|node| match &node.value {
            Value::String(text) => weakness(text).or_else(|| number(text)),
            _ => None,
        }));
    }
    let score = node.get("security-severity").and_then(|node| match &node.value {
        Value::String(text) | Value::Number(text) => text.trim().parse::<f64>().ok(),
        _ => None,
    });
    let jury = if bags == Bags::Read { fields.get("jury") } else { None };
    let is_ambiguous = fields.is_ambiguous();
    fields.end(reader, Unknown::Allow);
    (!is_ambiguous).then_some(Properties { cwe, is_critical: score.map(|score| score >= CRITICAL), jury })
}

/// A standard that results are sorted by, with its entries in order; those that are no weaknesses are nothing.
pub(super) type Taxonomy = Vec<Option<u32>>;

/// Reads a taxonomy of the run.
pub(super) fn taxonomy<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Taxonomy> {
    let mut fields = reader.fields(node)?;
    let is_cwe = fields.required(reader, "name", Reader::string).is_some_and(is_cwe);
    let mut taxa = Vec::new();
    for node in member(reader, &mut fields, "taxa", Reader::items).unwrap_or_default() {
        taxa.push(reader.fields(node).and_then(|mut fields| {
            let id = fields.required(reader, "id", Reader::string);
            fields.end(reader, Unknown::Allow);
            id.filter(|_| is_cwe).and_then(|id| weakness(id).or_else(|| number(id)))
        }));
    }
    fields.end(reader, Unknown::Allow);
    Some(taxa)
}

fn is_cwe(name: &str) -> bool {
    name.trim().eq_ignore_ascii_case("CWE")
}

/// Reads a reference to a taxon; `Some(None)` if that is no weakness.
pub(super) fn taxon<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, run: &[Taxonomy]) -> Option<Option<u32>> {
    let mut fields = reader.fields(node)?;
    let id = member(reader, &mut fields, "id", Reader::string);
    let place = member(reader, &mut fields, "index", index).flatten();
    let component = member(reader, &mut fields, "toolComponent", |reader, node| {
        let mut fields = reader.fields(node)?;
        let name = member(reader, &mut fields, "name", Reader::string);
        let place = member(reader, &mut fields, "index", index).flatten();
        fields.end(reader, Unknown::Allow);
        Some((name, place))
    });
    fields.end(reader, Unknown::Allow);
    let (name, taxonomy) = component.unwrap_or_default();
    let named = id.and_then(|id| weakness(id).or_else(|| number(id).filter(|_| name.is_some_and(is_cwe))));
    let looked_up = || run.get(taxonomy?.0)?.get(place?.0).copied().flatten();
    Some(named.or_else(looked_up))
}

impl<'n> Tool<'n> {
    fn add(&mut self, component: Component<'n>) {
        let place = self.components.len();
        for (id, index) in &component.by_id {
            self.by_id.entry(id).or_insert((place, *index));
        }
        self.components.push(component);
    }

    /// Reads a reference to a rule.
    pub(super) fn reference<'a>(&self, reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Reference<'n>> {
        let mut fields = reader.fields(node)?;
        let id = member(reader, &mut fields, "id", Reader::string);
        let index = member(reader, &mut fields, "index", index).flatten();
        let component = member(reader, &mut fields, "toolComponent", |reader, node| {
            let mut fields = reader.fields(node)?;
            let component = self.component(reader, &mut fields)?;
            fields.end(reader, Unknown::Allow).then_some(component)
        });
        let reference = Reference { id, index, component: component.flatten() };
        fields.end(reader, Unknown::Allow).then_some(reference)
    }

    /// Reads which component is meant, if that can be told; `None` if it is one that is not there.
    fn component<'a>(&self, reader: &mut Reader<'_, 'a>, fields: &mut Fields<'n, 'a>) -> Option<Option<usize>> {
        let index = member(reader, fields, "index", index).flatten();
        let name = member(reader, fields, "name", Reader::string);
        let guid = member(reader, fields, "guid", Reader::string);
        match index {
            Some((index, _)) if index < self.components.len().saturating_sub(1) => Some(Some(index + 1)),
            Some((index, span)) => {
                reader.deviate(Reason::BadReference, span, format!("the tool has no extension {index}"));
                None
            }
            None => Some([guid, name].into_iter().flatten().find_map(|name| self.by_name.get(name).copied())),
        }
    }

    /// Finds the rule that is referred to. An index that points at nothing, or at another rule than is named, is noted.
    pub(super) fn find(&self, reader: &mut Reader<'_, '_>, reference: &Reference<'n>) -> Result<Option<RuleKey>, Lost> {
        let place = reference.component.unwrap_or(0);
        let rules = self.components.get(place).map_or(&[][..], |component| &component.rules);
        let by_index = reference.index.map(|(index, span)| (index, span, rules.get(index)));
        match by_index {
            Some((index, span, None)) => {
                reader.deviate(Reason::BadReference, span, format!("the tool has no rule {index}"));
                self.find_by_id(reference).map(Some).ok_or(Lost)
            }
            Some((index, span, Some(rule))) => {
                if let Some(id) = reference.id.filter(|id| !is_of_rule(id, rule.id)) {
                    let message = format!("the rule at this index is {:?}, the result names {id:?}", rule.id);
                    reader.deviate(Reason::BadReference, span, message);
                }
                Ok(Some((place, index)))
            }
            None => Ok(self.find_by_id(reference)),
        }
    }

    /// Finds a rule by its id; one more component may follow it in the result (§3.27.5).
    fn find_by_id(&self, reference: &Reference<'n>) -> Option<RuleKey> {
        let id = reference.id?;
        let shorter = id.rsplit_once('/').map(|(shorter, _)| shorter);
        [Some(id), shorter].into_iter().flatten().find_map(|id| match reference.component {
            Some(place) => Some((place, *self.components.get(place)?.by_id.get(id)?)),
            // A result should say which extension its rule is of (§3.27.7), and often does not.
            None => self.by_id.get(id).copied(),
        })
    }

    /// Returns a rule that was found.
    pub(super) fn rule(&self, (place, index): RuleKey) -> Option<&Rule<'n>> {
        self.components.get(place)?.rules.get(index)
    }

    /// Returns the messages that do not belong to one rule, of the component a rule stands in.
    pub(super) fn messages(&self, key: Option<RuleKey>) -> &BTreeMap<&'n str, &'n str> {
        static NONE: BTreeMap<&str, &str> = BTreeMap::new();
        self.components.get(key.map_or(0, |(place, _)| place)).map_or(&NONE, |component| &component.messages)
    }
}

/// A reference to an unknown target.
pub(super) struct Lost;

/// Tells whether an id names a rule, perhaps with one more component.
fn is_of_rule(id: &str, rule: &str) -> bool {
    id == rule || id.strip_prefix(rule).is_some_and(|rest| rest.starts_with('/'))
}

/// Reads the level that one invocation gave to rules, instead of their own (§3.20.5).
pub(super) fn overrides<'n, 'a>(
    reader: &mut Reader<'_, 'a>,
    nodes: &'n [Node<'a>],
    tool: &Tool<'n>,
) -> BTreeMap<RuleKey, Severity> {
    let mut levels = BTreeMap::new();
    for node in nodes {
        let Some(mut fields) = reader.fields(node) else { continue };
        let reference = fields.required(reader, "descriptor", |reader, node| tool.reference(reader, node));
        let level = fields.required(reader, "configuration", configured_level).flatten();
        fields.end(reader, Unknown::Allow);
        let key = reference.and_then(|reference| tool.find(reader, &reference).ok().flatten());
        levels.extend(key.zip(level));
    }
    levels
}
