//! One result (§3.27): a claim, or the statement that there is nothing to claim.
//!
//! In: a result and the run it stands in. Out: the claim. Of `rank` nothing is taken: it orders the results of one tool
//! and is neither a severity nor a confidence. Fingerprints of others are not comparable with ours and are left.

use jury_wire::Reason;

use super::bag::Bag;
use super::read::RunContext;
use super::tool::{self, Bags, Properties, Reference, Rule, RuleKey, taxon, weakness_of_id};
use super::{Account, MOST_WEAKNESSES, index, member, message};
use crate::formats::reading::Unusable;
use crate::model::{Claim, Severity, Status, Title};
use crate::syntax::{Fields, Node, Reader, Span, Unknown};

/// The kind of a result (§3.27.9).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Fail,
    Pass,
    NotApplicable,
    Informational,
    Open,
    Review,
}

const KINDS: [(&str, Kind); 6] = [
    ("fail", Kind::Fail),
    ("pass", Kind::Pass),
    ("notApplicable", Kind::NotApplicable),
    ("informational", Kind::Informational),
    ("open", Kind::Open),
    ("review", Kind::Review),
];

/// How a result compares with an earlier run (§3.27.24).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Baseline {
    New,
    Known,
    Gone,
}

const BASELINES: [(&str, Baseline); 4] =
    [("new", Baseline::New), ("unchanged", Baseline::Known), ("updated", Baseline::Known), ("absent", Baseline::Gone)];

const SUPPRESSION_KINDS: [(&str, ()); 2] = [("inSource", ()), ("external", ())];

/// Whether a suppression holds (§3.35.3).
const SUPPRESSION_STATUSES: [(&str, bool); 3] = [("accepted", true), ("underReview", false), ("rejected", false)];

fn word<'a, T: Copy>(reader: &mut Reader<'_, 'a>, node: &Node<'a>, table: &[(&'static str, T)]) -> Option<T> {
    let legal = table.iter().map(|(word, _)| *word);
    reader.token(node, |text| table.iter().find(|(word, _)| *word == text).map(|(_, value)| *value), legal)
}

/// Reads a result; `None` if it claims nothing, which is noted.
pub(super) fn read<'n, 'a>(
    reader: &mut Reader<'_, 'a>,
    node: &'n Node<'a>,
    run: &RunContext<'n, 'a>,
    account: &mut Account,
) -> Result<Option<Claim>, Unusable> {
    let mut fields = reader.fields(node).ok_or(Unusable)?;
    let kind = member(reader, &mut fields, "kind", |reader, node| word(reader, node, &KINDS)).unwrap_or(Kind::Fail);
    let level = member(reader, &mut fields, "level", |reader, node| Some((tool::level(reader, node)?, node.span)));
    let baseline = member(reader, &mut fields, "baselineState", |reader, node| word(reader, node, &BASELINES));
    let has_severity = contradicts(reader, kind, level);
    let nothing = match kind {
        Kind::Pass | Kind::NotApplicable if has_severity => {
            fields.end(reader, Unknown::Allow);
            return Err(Unusable);
        }
        Kind::Pass => Some("the rule was kept"),
        Kind::NotApplicable => Some("the rule does not apply"),
        _ if baseline == Some(Baseline::Gone) => Some("it was fixed before this run"),
        _ => None,
    };
    if let Some(why) = nothing {
        return if fields.end(reader, Unknown::Allow) {
            account.note(Reason::NotAClaim, node.span, why);
            Ok(None)
        } else {
            Err(Unusable)
        };
    }
    let pre_existing = baseline.map(|baseline| baseline == Baseline::Known);
    let level = level.map(|(level, _)| level);
    Parts { reader, run, account, fields }.claim(kind, level, pre_existing).map(Some).ok_or(Unusable)
}

/// Tells whether a result that is none of a broken rule states a severity all the same (§3.27.9 forbids it), and notes it.
fn contradicts(reader: &mut Reader<'_, '_>, kind: Kind, level: Option<(Severity, Span)>) -> bool {
    match level {
        Some((level, span)) if kind != Kind::Fail && level != Severity::Info => {
            let kind = KINDS.iter().find(|(_, of)| *of == kind).map_or("", |(word, _)| word);
            reader.deviate(Reason::VerdictContradiction, span, format!("the kind is `{kind}`, so the level is `none`"));
            true
        }
        _ => false,
    }
}

/// The rule that a result is about.
struct Broken<'r, 'n> {
    id: Option<&'n str>,
    key: Option<RuleKey>,
    rule: Option<&'r Rule<'n>>,
    /// The level that the rule had in the invocation of the result, instead of its own.
    level: Option<Severity>,
    /// Whether the result refers to a rule that is not there.
    is_lost: bool,
}

/// Grades a result (§3.27.10). One that leaves its level to a rule which does not tell it cannot be graded.
fn severity(
    reader: &mut Reader<'_, '_>,
    kind: Kind,
    level: Option<Severity>,
    broken: &Broken<'_, '_>,
    span: Span,
) -> Option<Severity> {
    match (kind, level) {
        (Kind::Informational, level) => Some(level.unwrap_or(Severity::Info)),
        (Kind::Open | Kind::Review, None | Some(Severity::Info)) => Some(Severity::Medium),
        (_, Some(level)) => Some(level),
        (_, None) if broken.is_lost => None,
        (_, None) if broken.level.is_none() && broken.rule.is_some_and(|rule| rule.is_unclear) => {
            let opening = Span::new(span.start, span.start + 1);
            reader.deviate(Reason::BadReference, opening, "the level is left to a rule without one");
            None
        }
        (_, None) => Some(broken.level.or(broken.rule.and_then(|rule| rule.level)).unwrap_or(Severity::Medium)),
    }
}

/// A result that claims something, while it is being read.
pub(super) struct Parts<'r, 's, 'n, 'a> {
    pub(super) reader: &'r mut Reader<'s, 'a>,
    pub(super) run: &'r RunContext<'n, 'a>,
    pub(super) account: &'r mut Account,
    pub(super) fields: Fields<'n, 'a>,
}

impl<'r, 's, 'n, 'a> Parts<'r, 's, 'n, 'a> {
    fn claim(mut self, kind: Kind, level: Option<Severity>, pre_existing: Option<bool>) -> Option<Claim> {
        // The place comes first: where several things are wrong, a result is rejected for this one.
        let (place, related) = self.places();
        let broken = self.broken();
        let said = self.said(&broken);
        let properties = self.properties();
        let bag = properties.jury.map_or_else(|| Some(Bag::default()), |node| Bag::read(self.reader, node));
        let cwe = self.weaknesses(&properties, &broken);
        let is_suppressed = self.is_suppressed();
        let fix = member(self.reader, &mut self.fields, "fixes", fix).flatten();
        let span = self.fields.span();
        let is_usable = self.fields.end(self.reader, Unknown::Allow);
        let severity = severity(self.reader, kind, level, &broken, span)?;
        let (title, why) = said?;
        let (bag, place) = (bag?, place?);
        if !is_usable {
            return None;
        }
        let is_critical = properties.is_critical.or(broken.rule.map(|rule| rule.is_critical)) == Some(true);
        let severity = if severity == Severity::High && is_critical { Severity::Blocker } else { severity };
        let (title, why) = match bag.title {
            Some(title) => (title, bag.why),
            None => (title, why),
        };
        let rule = broken.id.filter(|_| !bag.has_minted_rule);
        self.account.taken += rule.map_or(0, str::len);
        Some(Claim {
            reviewer: self.run.tool.name.clone(),
            confidence: bag.confidence,
            location: place.location,
            category: bag.category,
            rule: rule.map(str::to_owned),
            cwe: bag.cwe.unwrap_or(cwe),
            related,
            why,
            evidence: bag.evidence.or(place.snippet.map(|text| vec![text.to_owned()])).unwrap_or_default(),
            fix: bag.fix.or(fix),
            autofix: bag.autofix,
            owner: bag.owner,
            requires_verification: bag.requires_verification,
            pre_existing: bag.pre_existing.or(pre_existing),
            status: bag.status.or(is_suppressed.then_some(Status::WontFix)),
            system_breaking: bag.system_breaking,
            ..Claim::new(title, severity)
        })
    }

    /// Reads which rule is broken.
    fn broken(&mut self) -> Broken<'r, 'n> {
        let Self { reader, run, fields, .. } = self;
        let id = member(reader, fields, "ruleId", Reader::string);
        let place = member(reader, fields, "ruleIndex", index).flatten();
        let reference = member(reader, fields, "rule", |reader, node| {
            run.tool.reference(reader, node).map(|reference| (reference, node.span))
        });
        let (mut reference, span): (Reference<'n>, Span) = reference.unwrap_or_default();
        if let (Some(id), Some(other)) = (id, reference.id.filter(|other| Some(*other) != id)) {
            reader.deviate(Reason::BadReference, span, format!("the rule is {other:?} here and {id:?} in `ruleId`"));
        }
        reference.id = id.or(reference.id);
        reference.index = reference.index.or(place);
        let found = run.tool.find(reader, &reference);
        let is_lost = found.is_err();
        let key = found.unwrap_or_default();
        let rule = key.and_then(|key| run.tool.rule(key));
        let id = reference.id.or(rule.map(|rule| rule.id)).filter(|id| !id.trim().is_empty());
        Broken { id, key, rule, is_lost, level: self.overridden(key) }
    }

    /// Returns the level that the invocation which found the result gave to its rule (§3.27.10).
    fn overridden(&mut self, key: Option<RuleKey>) -> Option<Severity> {
        let invocation = member(self.reader, &mut self.fields, "provenance", |reader, node| {
            let mut fields = reader.fields(node)?;
            let invocation = member(reader, &mut fields, "invocationIndex", index).flatten();
            fields.end(reader, Unknown::Allow);
            Some(invocation)
        });
        let (invocation, _) = invocation.flatten()?;
        self.run.overrides.get(invocation)?.get(&key?).copied()
    }

    fn said(&mut self, broken: &Broken<'_, 'n>) -> Option<(Title, Option<String>)> {
        let Self { reader, run, account, fields } = self;
        fields.required(reader, "message", |reader, node| {
            let said = message::read(reader, node, broken.rule, run.tool.messages(broken.key), account)?;
            Some((reader.expect(Reason::Blank, node.span, Title::new(&said.title))?, said.why))
        })
    }

    fn properties(&mut self) -> Properties<'n, 'a> {
        let read = |reader: &mut Reader<'s, 'a>, node| tool::properties(reader, node, Bags::Read);
        member(self.reader, &mut self.fields, "properties", read).unwrap_or_default()
    }

    /// Collects the weaknesses that the result, its taxa and its rule name, ascending.
    fn weaknesses(&mut self, properties: &Properties<'n, 'a>, broken: &Broken<'_, 'n>) -> Vec<u32> {
        let mut cwe = properties.cwe.clone();
        cwe.extend(broken.rule.iter().flat_map(|rule| &rule.cwe));
        cwe.extend(broken.id.and_then(weakness_of_id));
        for node in member(self.reader, &mut self.fields, "taxa", Reader::items).unwrap_or_default() {
            cwe.extend(taxon(self.reader, node, &self.run.taxonomies).flatten());
        }
        cwe.sort_unstable();
        cwe.dedup();
        cwe.truncate(MOST_WEAKNESSES);
        cwe
    }

    /// Tells whether any suppression of the result holds: one that was accepted, or that needed no acceptance.
    fn is_suppressed(&mut self) -> bool {
        let suppressions = self.fields.nullable(self.reader, "suppressions", Reader::items).unwrap_or_default();
        let mut holds = false;
        for node in suppressions {
            holds |= self.reader.fields(node).is_some_and(|mut fields| {
                let reader = &mut *self.reader;
                fields.required(reader, "kind", |reader, node| word(reader, node, &SUPPRESSION_KINDS));
                let status =
                    member(reader, &mut fields, "status", |reader, node| word(reader, node, &SUPPRESSION_STATUSES));
                fields.end(reader, Unknown::Allow) && status.unwrap_or(true)
            });
        }
        holds
    }
}

/// Reads the first proposed fix: its description, then its insertions (§3.55).
fn fix<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<String>> {
    let items = reader.items(node)?;
    let Some(first) = items.first() else { return Some(None) };
    let mut fields = reader.fields(first)?;
    let mut texts = Vec::new();
    texts.extend(member(reader, &mut fields, "description", description).flatten());
    let changes = fields.required(reader, "artifactChanges", Reader::items).unwrap_or_default();
    fields.end(reader, Unknown::Allow);
    for change in changes {
        inserted(reader, change, &mut texts);
    }
    Some((!texts.is_empty()).then(|| texts.join("\n")))
}

fn description<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<String>> {
    let mut fields = reader.fields(node)?;
    let text = member(reader, &mut fields, "text", Reader::string);
    let markdown = member(reader, &mut fields, "markdown", Reader::string);
    fields.end(reader, Unknown::Allow);
    Some(text.or(markdown).filter(|text| !text.trim().is_empty()).map(str::to_owned))
}

/// Collects the texts that the replacements of a change insert.
fn inserted<'a>(reader: &mut Reader<'_, 'a>, change: &Node<'a>, texts: &mut Vec<String>) {
    let Some(mut fields) = reader.fields(change) else { return };
    let replacements = fields.required(reader, "replacements", Reader::items).unwrap_or_default();
    fields.end(reader, Unknown::Allow);
    for replacement in replacements {
        let Some(mut fields) = reader.fields(replacement) else { continue };
        let text = member(reader, &mut fields, "insertedContent", |reader, node| {
            let mut fields = reader.fields(node)?;
            let text = member(reader, &mut fields, "text", Reader::string);
            fields.end(reader, Unknown::Allow);
            Some(text)
        });
        fields.end(reader, Unknown::Allow);
        texts.extend(text.flatten().filter(|text| !text.trim().is_empty()).map(str::to_owned));
    }
}
