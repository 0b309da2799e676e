//! A report as a log: one run per reviewer, in the order in which the report names them.
//!
//! In: a report. Out: SARIF for any consumer, with all other values in the bags. A proposed fix stands
//! there, too: SARIF's own fixes are edits (§3.55.3), and prose is none.

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::sarif as wire;
use serde_json::{Map, Value, json as value};

use super::bag::Bag;
use super::tool::weakness_of_id;
use super::{CRITICAL, MOST_WEAKNESSES, SOURCE_ROOT, VERSION, message, related, uri};
use crate::formats::{Written, json, vocabulary};
use crate::model::{
    Attendance, Claim, Domain, Fingerprint, LineRange, Location, Report, Severity, Side, Status, Title,
};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";
/// The longest rule id that is made up.
const LONGEST_SLUG: usize = 60;

pub(super) fn write(report: &Report) -> Written {
    let groups = groups(report);
    let kept = groups.iter().flat_map(|group| group.claims.iter().map(|(index, _)| *index)).collect();
    let document = wire::Log {
        schema: Some(SCHEMA.to_owned()),
        version: VERSION.to_owned(),
        runs: groups.iter().map(Group::run).collect(),
        properties: stated(properties_of(report)),
        other: Map::new(),
    };
    Written { text: json::to_text(&document), kept }
}

fn properties_of(report: &Report) -> Map<String, Value> {
    let lists = [("residualRisks", &report.residual_risks), ("testingGaps", &report.testing_gaps)];
    let stated = lists.into_iter().filter(|(_, list)| !list.is_empty());
    in_bag(stated.map(|(name, list)| (name.to_owned(), value!(list))).collect())
}

/// Puts members under the key `jury`, if there are any.
fn in_bag(members: Map<String, Value>) -> Map<String, Value> {
    if members.is_empty() { members } else { Map::from_iter([("jury".to_owned(), Value::Object(members))]) }
}

/// Leaves out a property bag that says nothing.
fn stated(properties: Map<String, Value>) -> Option<Map<String, Value>> {
    (!properties.is_empty()).then_some(properties)
}

/// Leaves out a list that has nothing in it.
fn listed<T>(items: Vec<T>) -> Option<Vec<T>> {
    (!items.is_empty()).then_some(items)
}

/// The claims of one reviewer.
struct Group<'r> {
    name: Domain,
    is_missing: bool,
    claims: Vec<(usize, &'r Claim)>,
}

/// Sorts the claims by reviewer. A reviewer that was skipped has no run; unsigned claims go to the one reviewer
/// there is, or by `review`.
fn groups(report: &Report) -> Vec<Group<'_>> {
    let nobody = Domain::unnamed();
    let unsigned = report.sole_reviewer().unwrap_or(&nobody);
    let author = |claim: &Claim| claim.reviewer.clone().unwrap_or_else(|| unsigned.clone());
    let authors: BTreeSet<Domain> = report.claims().map(author).collect();
    let mut groups: Vec<Group<'_>> = Vec::new();
    let mut places: BTreeMap<Domain, usize> = BTreeMap::new();
    let mut place_of = |groups: &mut Vec<Group<'_>>, name: Domain| {
        *places.entry(name).or_insert_with_key(|name| {
            groups.push(Group { name: name.clone(), is_missing: false, claims: Vec::new() });
            groups.len() - 1
        })
    };
    for reviewer in &report.reviewers {
        if reviewer.attendance == Attendance::Skipped && !authors.contains(&reviewer.name) {
            continue;
        }
        let place = place_of(&mut groups, reviewer.name.clone());
        groups[place].is_missing |= reviewer.attendance == Attendance::Missing;
    }
    for (index, claim) in report.claims().enumerate() {
        let place = place_of(&mut groups, author(claim));
        if vocabulary::LEVELS.word(claim.severity).is_some() {
            groups[place].claims.push((index, claim));
        }
    }
    if groups.is_empty() {
        // Where every reviewer was skipped, nothing was reviewed, and that is not the same as nothing found.
        let is_missing = !report.reviewers.is_empty();
        groups.push(Group { name: nobody, is_missing, claims: Vec::new() });
    }
    groups
}

/// The common values of the claims of one rule.
struct Shared {
    is_critical: bool,
    cwe: Vec<u32>,
}

/// The common values of all results of a run.
struct Conventions {
    rules: BTreeMap<String, Shared>,
    /// Whether any is suppressed; then each says whether it is (§3.27.23).
    states_suppressions: bool,
    /// Whether all say if they are new; if only some do, none may (§3.27.24).
    states_baseline: bool,
}

impl Group<'_> {
    fn run(&self) -> wire::Run {
        let conventions = self.conventions();
        let indices: BTreeMap<&str, i64> = conventions.rules.keys().map(String::as_str).zip(0..).collect();
        let results: Vec<wire::Finding> = self
            .claims
            .iter()
            .map(|(_, claim)| {
                let rule_id = rule_id(claim);
                let rule_index = indices.get(rule_id.as_str()).copied();
                wire::Finding { rule_index, ..finding(claim, &self.name, &conventions, rule_id) }
            })
            .collect();
        let rules = conventions.rules.iter().map(|(id, shared)| wire::Rule {
            id: id.clone(),
            properties: stated(conventional_properties(shared.is_critical, &shared.cwe)),
            other: Map::new(),
        });
        let component =
            wire::Component { name: self.name.to_string(), rules: listed(rules.collect()), other: Map::new() };
        let failure = wire::Invocation { execution_successful: false, other: Map::new() };
        wire::Run {
            tool: wire::Tool { driver: component, other: Map::new() },
            invocations: self.is_missing.then(|| vec![failure]),
            column_kind: Some("unicodeCodePoints".to_owned()),
            results: (!self.is_missing || !results.is_empty()).then_some(results),
            other: Map::new(),
        }
    }

    fn conventions(&self) -> Conventions {
        let mut rules: BTreeMap<String, Shared> = BTreeMap::new();
        for (_, claim) in &self.claims {
            let is_critical = claim.severity == Severity::Blocker;
            let shared = rules.entry(rule_id(claim)).or_insert_with(|| Shared { is_critical, cwe: claim.cwe.clone() });
            shared.is_critical &= is_critical;
            shared.cwe.retain(|number| claim.cwe.contains(number));
        }
        Conventions {
            rules,
            states_suppressions: self.claims.iter().any(|(_, claim)| is_suppressed(claim)),
            states_baseline: self.claims.iter().all(|(_, claim)| claim.pre_existing.is_some()),
        }
    }
}

/// Returns the id of the rule that a claim breaks; one that names none is known by its title.
fn rule_id(claim: &Claim) -> String {
    own_rule(claim).map_or_else(|| slug(&claim.title), str::to_owned)
}

fn own_rule(claim: &Claim) -> Option<&str> {
    claim.rule.as_deref().filter(|rule| !rule.trim().is_empty())
}

fn slug(title: &Title) -> String {
    let normalised = title.normalised();
    let words = normalised.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug: String = words.collect::<Vec<_>>().join("-").chars().take(LONGEST_SLUG).collect();
    if slug.is_empty() { "finding".to_owned() } else { slug }
}

/// A settled finding is suppressed, so that a consumer that does not read the bag does not take it for open.
fn is_suppressed(claim: &Claim) -> bool {
    !claim.status().is_unsettled()
}

fn finding(claim: &Claim, reviewer: &Domain, conventions: &Conventions, rule_id: String) -> wire::Finding {
    let is_informational = claim.severity == Severity::Info;
    let own = claim.location.as_ref();
    let related = related::kept(own, &claim.related);
    let snippet = snippet(claim);
    let subject = own_rule(claim).map_or_else(|| claim.title.normalised(), str::to_owned);
    let fingerprint = Fingerprint::new(reviewer, &subject, &claim.evidence.join("\n"), "");
    let suppression =
        wire::Suppression { kind: "external".to_owned(), status: Some("accepted".to_owned()), other: Map::new() };
    let suppressions: Vec<wire::Suppression> = is_suppressed(claim).then_some(suppression).into_iter().collect();
    let baseline_state = claim.pre_existing.filter(|_| conventions.states_baseline);
    let common = conventions.rules.get(&rule_id);
    let tags: Vec<u32> =
        claim.cwe.iter().copied().filter(|number| !common.is_some_and(|rule| rule.cwe.contains(number))).collect();
    let mut properties = conventional_properties(claim.severity == Severity::Blocker, &tags);
    properties.extend(in_bag(bag(claim, &rule_id, conventions).to_map()));
    wire::Finding {
        rule_id: Some(rule_id),
        rule_index: None,
        // A level of `none` is only for results that are no failure (§3.27.10).
        kind: is_informational.then(|| "informational".to_owned()),
        level: vocabulary::LEVELS.word(claim.severity).map(str::to_owned),
        message: message(&message::joined(claim.title.as_str(), claim.why.as_deref())),
        locations: Some(vec![own.map_or_else(repository, |own| location(own, snippet))]),
        related_locations: listed(related.iter().map(|related| location(related, None)).collect()),
        partial_fingerprints: Some([("juryFingerprint/v1".to_owned(), fingerprint.as_str().to_owned())].into()),
        suppressions: conventions.states_suppressions.then_some(suppressions),
        baseline_state: baseline_state.map(|known| if known { "unchanged" } else { "new" }.to_owned()),
        properties: stated(properties),
        other: Map::new(),
    }
}

fn message(text: &str) -> wire::Message {
    wire::Message { text: Some(text.to_owned()), other: Map::new() }
}

/// Returns the evidence that can stand as the content of the lines.
fn snippet(claim: &Claim) -> Option<&str> {
    let has_lines = claim.location.as_ref().is_some_and(|location| location.lines.is_some());
    claim.evidence.first().map(String::as_str).filter(|text| has_lines && !text.trim().is_empty())
}

/// Writes the two properties that consumers know: the score of a critical weakness, and the tags that name weaknesses.
fn conventional_properties(is_critical: bool, cwe: &[u32]) -> Map<String, Value> {
    let mut properties = Map::new();
    if is_critical {
        properties.insert("security-severity".to_owned(), value!(format!("{CRITICAL:.1}")));
    }
    if !cwe.is_empty() {
        let tags: Vec<String> = cwe.iter().map(|number| format!("external/cwe/cwe-{number:03}")).collect();
        properties.insert("tags".to_owned(), value!(tags));
    }
    properties
}

/// Collects the values that the members of a result cannot express, or not exactly.
fn bag(claim: &Claim, rule_id: &str, conventions: &Conventions) -> Bag {
    let text = message::joined(claim.title.as_str(), claim.why.as_deref());
    let said = message::parts(&text, None);
    let is_said = said.title == claim.title.as_str() && said.why == claim.why;
    let mut cwe: Vec<u32> = claim.cwe.iter().copied().chain(weakness_of_id(rule_id)).collect();
    cwe.sort_unstable();
    cwe.dedup();
    cwe.truncate(MOST_WEAKNESSES);
    let suppressed = is_suppressed(claim).then_some(Status::WontFix);
    Bag {
        title: (!is_said).then(|| claim.title.clone()),
        why: claim.why.clone().filter(|_| !is_said),
        confidence: claim.confidence,
        category: claim.category,
        cwe: (cwe != claim.cwe).then(|| claim.cwe.clone()),
        evidence: (!claim.evidence.iter().map(String::as_str).eq(snippet(claim))).then(|| claim.evidence.clone()),
        fix: claim.fix.clone(),
        autofix: claim.autofix,
        owner: claim.owner,
        requires_verification: claim.requires_verification,
        pre_existing: claim.pre_existing.filter(|_| !conventions.states_baseline),
        status: claim.status.filter(|status| Some(*status) != suppressed),
        system_breaking: claim.system_breaking,
        has_minted_rule: own_rule(claim).is_none(),
    }
}

fn location(location: &Location, snippet: Option<&str>) -> wire::Location {
    let side = (location.side == Side::Left).then(|| ("side".to_owned(), value!(location.side.token())));
    let region = location.lines.map(|lines| wire::Region {
        start_line: Some(lines.start().get()),
        start_column: location.column.map(crate::model::Column::get),
        end_line: LineRange::end_if_longer(lines).map(crate::model::Line::get),
        snippet: snippet.map(|text| wire::Content { text: Some(text.to_owned()), other: Map::new() }),
        other: Map::new(),
    });
    physical(uri::of(&location.file), region, stated(in_bag(side.into_iter().collect())))
}

/// Says that a result is about the repository as a whole. GitHub refuses a whole log for one result without a place.
fn repository() -> wire::Location {
    physical("./".to_owned(), None, None)
}

fn physical(uri: String, region: Option<wire::Region>, properties: Option<Map<String, Value>>) -> wire::Location {
    let artifact =
        wire::ArtifactLocation { uri: Some(uri), uri_base_id: Some(SOURCE_ROOT.to_owned()), other: Map::new() };
    wire::Location {
        physical_location: Some(wire::PhysicalLocation {
            artifact_location: Some(artifact),
            region,
            other: Map::new(),
        }),
        properties,
        other: Map::new(),
    }
}
