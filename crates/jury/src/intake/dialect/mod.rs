//! Reports in a dialect of the contracts: a JSON or YAML tree is searched for findings by the table of synonyms.
//!
//! In: a tree, and the known damage in it. Out: reports and rejects in the ledger. Every object that looks like
//! a finding is entered as one, wherever it stands. Deliberately not here: the fields of one finding (`finding`).

mod statements;

use jury_wire::Reason;

use super::fields::{duplicates, flattened, inner_rating};
use super::finding::{self, Scope};
use super::ledger::Ledger;
use super::location::InheritedPlace;
use super::node_kinds::{self, holds_report, looks_like_finding, says_none};
use super::synonyms::{self, Field, Part};
use super::{contradictions, incomplete, nested, scalars, tabular, unclaimed};
use crate::model::{Attendance, Claim, Domain, GateVerdict, Report, Reviewer, Severity};
use crate::syntax::{Member, Node, Span, Value};
use statements::{Counted, StatedVerdict, scalar};

/// Damage that a tolerant reader found: where the text was cut off, and which parts are unreadable.
#[derive(Clone, Debug, Default)]
pub(super) struct Damage {
    /// The text ends here, before the document does.
    pub(super) cut_at: Option<usize>,
    /// Items that could not be read.
    pub(super) broken: Vec<Span>,
}

impl Damage {
    /// Tells whether nothing is known to be damaged.
    pub(super) fn is_none(&self) -> bool {
        self.cut_at.is_none() && self.broken.is_empty()
    }

    /// Adds the damage of a later part.
    pub(super) fn join(&mut self, other: Self) {
        self.cut_at = self.cut_at.or(other.cut_at);
        self.broken.extend(other.broken);
    }

    /// Says why a node cannot be relied upon, if it cannot.
    pub(super) fn of(&self, span: Span) -> Option<Reason> {
        if self.cut_at.is_some_and(|cut| span.end >= cut) {
            return Some(Reason::TailCutOff);
        }
        // Spans of broken items are kept in order; the first that ends after the start decides.
        let next = self.broken.partition_point(|broken| broken.end <= span.start);
        let is_broken = self.broken.get(next).is_some_and(|broken| broken.start < span.end);
        is_broken.then_some(Reason::JsonSyntax)
    }
}

/// Reads every report that a tree holds.
pub(super) fn read(ledger: &mut Ledger<'_>, text: &str, root: &Node<'_>, damage: &Damage) {
    read_at(ledger, text, root, damage, 0);
}

/// Reads every report that a tree holds, which may stand in a text of another tree.
pub(super) fn read_at(ledger: &mut Ledger<'_>, text: &str, root: &Node<'_>, damage: &Damage, depth: usize) {
    if node_kinds::is_schema(root) {
        return ledger.gap(Reason::NotAReport, root.span, "the document is a JSON schema");
    }
    let claimed = ledger.claimed();
    let turned = tabular::turned(root, ledger.limits);
    for place in turned.iter().flat_map(|(_, places)| places) {
        let was = text.get(place.start..place.end).unwrap_or_default();
        ledger.repair(Reason::TableRead, *place, was, "an object for each finding");
    }
    let root = turned.as_ref().map_or(root, |(root, _)| root);
    let reports: Vec<&Node<'_>> = match &root.value {
        Value::Array(items) if items.iter().any(|item| holds_report(item, 0)) => items.iter().collect(),
        _ => vec![root],
    };
    for node in reports {
        let mut reader = ReportReader::new(ledger, text, damage);
        // A bare list is a list of findings.
        let is_list = matches!(&node.value, Value::Array(items) if !items.is_empty());
        reader.visit(node, &Scope { is_listed: is_list, is_loose: is_list, ..Scope::default() }, 0);
        reader.end(node);
    }
    if let Some(cut) = damage.cut_at {
        ledger.gap(Reason::TailCutOff, Span::at(cut), "the text ends before the document does");
    }
    for broken in &damage.broken {
        ledger.gap(Reason::JsonSyntax, *broken, "a part of the document cannot be read");
    }
    account(ledger, text, root, claimed, depth);
}

/// Accounts for what no claim covers of those that were entered since a count.
fn account(ledger: &mut Ledger<'_>, text: &str, root: &Node<'_>, claimed: usize, depth: usize) {
    if !ledger.has_blocking()
        && let Some(span) = unclaimed::member(root)
    {
        ledger.gap(Reason::NoFindingsStated, span, "a blocking severity outside of any finding");
    }
    let claims = ledger.claimed_since(claimed);
    nested::account(ledger, text, root, &claims, depth);
}

/// The findings of a report that were read before the report's own statements.
pub(super) struct ReadFindings {
    pub(super) report: Report,
    pub(super) rejected: usize,
    /// How many claims the books have of it already.
    pub(super) present: usize,
}

/// Reads the statements about a report whose findings stand elsewhere, and enters that report.
pub(super) fn read_with_findings(ledger: &mut Ledger<'_>, text: &str, root: &Node<'_>, findings: ReadFindings) {
    let claimed = ledger.claimed();
    let damage = Damage::default();
    let mut reader = ReportReader::new(ledger, text, &damage);
    reader.present_before -= findings.present;
    reader.rejected = findings.rejected;
    reader.report = findings.report;
    // The document around the findings is a statement that there are no others.
    reader.is_stated = true;
    reader.visit(root, &Scope::default(), 0);
    reader.end(root);
    account(ledger, text, root, claimed, 0);
}

/// One report while it is being read.
struct ReportReader<'d, 'l> {
    ledger: &'d mut Ledger<'l>,
    text: &'d str,
    damage: &'d Damage,
    report: Report,
    present_before: usize,
    rejected: usize,
    /// Whether the report says in so many words which findings there are.
    is_stated: bool,
    verdicts: Vec<StatedVerdict>,
    counted: Vec<Counted>,
    /// Texts next to the findings that state a blocker or a skipped review, and the reason.
    rated: Vec<(Span, &'static str)>,
    /// Where it says that the review is not done, and in which words.
    unfinished: Vec<(Span, String)>,
    /// Where it says that no file was reviewed.
    reviewed_none: Option<Span>,
}

/// Trees are no deeper than the limits allow; this only keeps the walk from trusting that.
const DEEPEST: usize = 256;

impl<'d, 'l> ReportReader<'d, 'l> {
    fn new(ledger: &'d mut Ledger<'l>, text: &'d str, damage: &'d Damage) -> Self {
        let present_before = ledger.present();
        Self {
            ledger,
            text,
            damage,
            report: Report::default(),
            present_before,
            rejected: 0,
            is_stated: false,
            verdicts: Vec::new(),
            counted: Vec::new(),
            rated: Vec::new(),
            unfinished: Vec::new(),
            reviewed_none: None,
        }
    }

    fn raw(&self, span: Span) -> &'d str {
        self.text.get(span.start..span.end).unwrap_or_default()
    }

    fn visit(&mut self, node: &Node<'_>, scope: &Scope, depth: usize) {
        if depth > DEEPEST {
            return self.ledger.gap(Reason::LimitDepth, node.span, "nested too deeply");
        }
        match &node.value {
            Value::Object(members) => {
                let is_finding = looks_like_finding(node);
                let is_nested_report = holds_report(node, 0) && !(scope.is_listed && is_finding);
                let is_open = scope.is_listed && !is_finding && !is_nested_report && inner_rating(members).is_none();
                let is_wrapper = is_open && !node_kinds::is_group(members);
                if let Some(inner) = node_kinds::wrapped_finding(members).filter(|_| is_wrapper) {
                    let inherited = node_kinds::place_of(members).or_else(|| scope.inherited.clone());
                    self.visit(inner, &Scope { inherited, ..scope.clone() }, depth + 1);
                } else if scope.is_listed
                    && !is_finding
                    && !is_nested_report
                    && node_kinds::is_group(members)
                    && inner_rating(members).is_none()
                {
                    let before = self.ledger.present();
                    self.container(node, scope, depth);
                    // An item with nothing but a text, in any form, was meant as a finding.
                    let is_text = |member: &Member<'_>| {
                        matches!(member.node.value, Value::Object(_))
                            && synonyms::field(&member.key)
                                .is_some_and(|(field, _)| matches!(field, Field::Title | Field::Why))
                    };
                    if self.ledger.present() == before && members.iter().any(is_text) {
                        self.finding(node, members, scope);
                    }
                } else if !is_nested_report && (scope.is_listed || is_finding) {
                    self.finding(node, members, scope);
                    self.findings_inside(members, scope, depth);
                } else {
                    self.members(node, members, scope, depth);
                }
            }
            Value::Array(items) => {
                // An item in a list next to a finding is meant as a finding, unless the list has another name and the item is another
                // kind of record: a start, a total.
                let is_listed = scope.is_listed || !scope.is_settled && items.iter().any(looks_like_finding);
                let scope = Scope { is_listed, ..scope.clone() };
                for item in items {
                    if !scope.is_listed && !scope.is_settled && finding::is_failed_check(item) {
                        self.visit(item, &Scope { is_listed: true, ..scope.clone() }, depth + 1);
                    } else if scope.is_loose && node_kinds::is_other_record(item) {
                        self.ledger.repair(
                            Reason::NotAClaim,
                            item.span,
                            self.raw(item.span),
                            "a record of another kind",
                        );
                        self.visit(item, &Scope { is_listed: false, ..scope.clone() }, depth + 1);
                    } else {
                        self.visit(item, &scope, depth + 1);
                    }
                }
            }
            Value::String(text) if scope.is_listed => self.bare_text(node, text, scope),
            Value::Null | Value::Bool(_) | Value::Number(_) if scope.is_listed => self.not_a_finding(node),
            Value::String(text) if !scope.is_settled => {
                self.rated.extend(contradictions::next_to_findings(text).map(|why| (node.span, why)));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }

    fn members(&mut self, node: &Node<'_>, members: &[Member<'_>], scope: &Scope, depth: usize) {
        self.note_duplicates(members);
        let mut scope = Scope {
            is_listed: false,
            inherited: node_kinds::place_of(members).or_else(|| scope.inherited.clone()),
            ..scope.clone()
        };
        if let Some(reviewer) = self.reviewer(members) {
            scope.reviewer = Some(reviewer);
        }
        self.count(node.span, members);
        let says_nothing_is_wrong = |member: &Member<'_>| {
            matches!(&member.node.value, Value::String(text) if says_none(text))
                && synonyms::field(&member.key).is_some_and(|(field, _)| field == Field::Severity)
        };
        if looks_like_finding(node)
            && finding::states_blocking_severity(members)
            && !members.iter().any(says_nothing_is_wrong)
        {
            let why = "the report itself has a blocking rating, but no finding explains it";
            self.rated.push((node.span, why));
        }
        for member in members {
            // A foreign schema has its own version numbers.
            if synonyms::part(&member.key) == Some(Part::SchemaVersion) && node.get("findings").is_some() {
                self.schema_version(&member.node);
            }
            self.member(member, &scope, depth + 1);
        }
    }

    fn member(&mut self, member: &Member<'_>, scope: &Scope, depth: usize) {
        let node = &member.node;
        let scope = &within(scope, member);
        let inside = |change: fn(&mut Scope)| {
            let mut inside = scope.clone();
            change(&mut inside);
            inside
        };
        match node_kinds::part(member) {
            Some(Part::Findings) => {
                if member.key != "findings" && !matches!(node.value, Value::Null) {
                    self.ledger.repair(Reason::SynonymField, member.key_span, &member.key, "findings");
                }
                self.container(node, &inside(|scope| scope.is_listed = true), depth);
            }
            Some(Part::OfSeverity(severity)) => {
                let scope = Scope { severity: Some(severity), is_listed: true, ..scope.clone() };
                if matches!(node.value, Value::Bool(true)) && severity.is_at_least(Severity::High) {
                    let text = member.key.to_string();
                    self.verdicts.push(StatedVerdict { verdict: Some(GateVerdict::Fail), span: node.span, text });
                }
                if !matches!(node.value, Value::Number(_) | Value::Null | Value::Bool(_)) {
                    self.container(node, &scope, depth);
                }
            }
            Some(Part::Settled) => {
                let scope = Scope { is_settled: true, ..scope.clone() };
                self.visit(node, &scope, depth);
            }
            Some(Part::PreExisting) => {
                let scope = Scope { is_pre_existing: true, is_listed: true, ..scope.clone() };
                if matches!(node.value, Value::Array(_)) {
                    self.visit(node, &scope, depth);
                }
            }
            Some(Part::ResidualRisks) => {
                let texts = self.asides(node, scope);
                self.report.residual_risks.extend(texts);
            }
            Some(Part::TestingGaps) => {
                let texts = self.asides(node, scope);
                self.report.testing_gaps.extend(texts);
            }
            Some(Part::Verdict) => self.verdict(node, true, depth),
            Some(Part::VerdictHint) => {
                self.progress(node, depth);
                self.verdict(node, false, depth);
                self.visit(node, scope, depth);
            }
            Some(Part::Confidence) => {
                self.report.confidence =
                    scalar(node).and_then(|text| scalars::confidence(&text)).map(|(confidence, _)| confidence);
            }
            Some(Part::Count) => match &node.value {
                Value::Number(_) => self.container(node, scope, depth),
                _ => self.visit(node, scope, depth),
            },
            Some(Part::Error) => self.error(node, scope, depth),
            Some(Part::Worst) => {
                let severity = scalar(node).and_then(|text| scalars::severity(&text));
                if severity.is_some_and(|(severity, _)| severity.is_at_least(Severity::High)) {
                    self.rated.push((node.span, "the worst finding is stated to block, but none does"));
                }
            }
            Some(Part::Reviewed) => {
                let is_none = match &node.value {
                    Value::Number(number) => number == "0",
                    Value::Array(items) => items.is_empty(),
                    _ => false,
                };
                self.reviewed_none = self.reviewed_none.or(is_none.then_some(node.span));
                self.visit(node, scope, depth);
            }
            Some(Part::Refused) => {
                if matches!(node.value, Value::Bool(true)) {
                    self.verdicts.push(StatedVerdict {
                        verdict: Some(GateVerdict::Fail),
                        span: node.span,
                        text: member.key.to_string(),
                    });
                }
            }
            Some(Part::Failed) => {
                if matches!(node.value, Value::Bool(true)) {
                    self.ledger.gap(Reason::EnvelopeFailed, node.span, format!("the report states `{}`", member.key));
                }
            }
            Some(Part::Completed) => {
                if matches!(node.value, Value::Bool(false)) {
                    let what = format!("the report states that `{}` is false", member.key);
                    self.ledger.gap(Reason::EnvelopeFailed, node.span, what);
                }
            }
            Some(Part::SchemaVersion) => {}
            Some(Part::Praise) => self.praise(node, scope),
            Some(Part::Reviewer | Part::Total) | None => self.visit(node, scope, depth),
        }
    }

    /// Leaves praise out. An item with a blocking or unknown severity is not praise, even in a list named so.
    fn praise(&mut self, node: &Node<'_>, scope: &Scope) {
        let mut is_left_out = false;
        for item in items_of(node) {
            is_left_out |= !self.blockers_in(item, scope);
        }
        if is_left_out {
            self.ledger.repair(Reason::ValueDropped, node.span, self.raw(node.span), "praise is not a finding");
        }
    }

    /// Takes items with a blocking severity, at any depth; tells whether there is nothing else.
    fn blockers_in(&mut self, node: &Node<'_>, scope: &Scope) -> bool {
        match &node.value {
            Value::Object(members) if finding::states_blocking_severity(members) => {
                self.finding(node, members, &Scope { is_listed: true, ..scope.clone() });
                true
            }
            Value::Object(members) => members
                .iter()
                .fold(!members.is_empty(), |is_all, member| self.blockers_in(&member.node, scope) && is_all),
            Value::Array(items) => {
                items.iter().fold(!items.is_empty(), |is_all, item| self.blockers_in(item, scope) && is_all)
            }
            Value::String(text) if is_rated_blocking(text) => {
                self.bare_text(node, text, scope);
                true
            }
            _ => false,
        }
    }

    /// Looks into a container of findings.
    fn container(&mut self, node: &Node<'_>, scope: &Scope, depth: usize) {
        match &node.value {
            Value::Null | Value::Bool(_) => {}
            Value::Number(text) => {
                if let Ok(total) = text.parse::<usize>() {
                    self.counted.push(Counted { blocking: 0, total, span: node.span });
                }
            }
            Value::String(text) if says_none(text) => self.is_stated = true,
            Value::String(_) => self.visit(node, scope, depth),
            Value::Array(_) => {
                self.is_stated = true;
                self.visit(node, scope, depth);
            }
            Value::Object(_) if looks_like_finding(node) => self.visit(node, scope, depth),
            Value::Object(members) if scope.severity.is_some() && node_kinds::is_unrated_finding(members) => {
                self.visit(node, scope, depth);
            }
            Value::Object(members) => {
                self.note_duplicates(members);
                self.count(node.span, members);
                let around = Scope {
                    inherited: node_kinds::place_of(members).or_else(|| scope.inherited.clone()),
                    ..scope.clone()
                };
                for member in members {
                    let scope = &within(&around, member);
                    match (&member.node.value, synonyms::part(&member.key)) {
                        (Value::Number(_) | Value::Null | Value::Bool(_), _) => {}
                        (_, Some(Part::OfSeverity(severity))) => {
                            self.container(
                                &member.node,
                                &Scope { severity: Some(severity), ..scope.clone() },
                                depth + 1,
                            );
                        }
                        (_, Some(_)) => self.member(member, &Scope { is_listed: false, ..scope.clone() }, depth + 1),
                        (Value::String(_), None) => {}
                        (Value::Array(_), None) => self.container(&member.node, scope, depth + 1),
                        // Counts beside the findings of a group are no finding.
                        (Value::Object(_), None) if node_kinds::is_tally(&member.node) => {}
                        (Value::Object(_), None) => self.visit(&member.node, scope, depth + 1),
                    }
                }
            }
        }
    }

    fn finding(&mut self, node: &Node<'_>, members: &[Member<'_>], scope: &Scope) {
        if finding::is_passed_check(members) {
            self.is_stated = true;
            return;
        }
        self.enter(node.span, |ledger| finding::read(ledger, node, members, scope));
    }

    /// Reads the findings nested in a finding: those it stands for, or one that was meant as its sibling.
    fn findings_inside(&mut self, members: &[Member<'_>], scope: &Scope, depth: usize) {
        for member in members {
            let is_text =
                synonyms::field(&member.key).is_some_and(|(field, _)| matches!(field, Field::Title | Field::Why));
            if is_text && looks_like_finding(&member.node) {
                self.visit(&member.node, &Scope { is_listed: true, ..scope.clone() }, depth + 1);
                continue;
            }
            let Value::Array(items) = &member.node.value else { continue };
            if !items.iter().any(looks_like_finding) {
                continue;
            }
            match synonyms::part(&member.key) {
                Some(_) => self.member(member, scope, depth + 1),
                None => self.container(&member.node, &Scope { is_listed: true, ..scope.clone() }, depth + 1),
            }
        }
    }

    fn bare_text(&mut self, node: &Node<'_>, text: &str, scope: &Scope) {
        if says_none(text) {
            return;
        }
        if incomplete::says_so(text) {
            self.rated.push((node.span, "a text states that the review was not finished"));
        }
        self.enter(node.span, |ledger| finding::of_text(ledger, node.span, text, scope));
    }

    fn not_a_finding(&mut self, node: &Node<'_>) {
        let kind = node.kind();
        self.enter(node.span, |_| Err((Reason::WrongType, format!("expected a finding, found {kind}"))));
    }

    /// Enters a claim as present, then as understood or rejected.
    fn enter(&mut self, span: Span, read: impl FnOnce(&mut Ledger<'l>) -> Result<Claim, (Reason, String)>) {
        let raw = self.raw(span);
        if !self.ledger.claim_present(raw, span) {
            self.rejected += 1;
            return;
        }
        let damage = match self.damage.of(span) {
            Some(reason) => Err((reason, reason.description().to_owned())),
            None => Ok(()),
        };
        match damage.and_then(|()| read(self.ledger)) {
            Ok(claim) => self.report.claims.push(Box::new(claim)),
            Err((reason, message)) => {
                self.rejected += 1;
                self.ledger.reject(reason, span, raw, message);
            }
        }
    }

    /// Reads risks and gaps in tests. An item with a blocking or unknown severity is a finding.
    fn asides(&mut self, node: &Node<'_>, scope: &Scope) -> Vec<String> {
        let mut texts = Vec::new();
        let items = if matches!(node.value, Value::String(_)) { std::slice::from_ref(node) } else { items_of(node) };
        for item in items {
            match &item.value {
                Value::String(text) if says_none(text) => {}
                Value::String(text) if is_rated_blocking(text) => {
                    self.bare_text(item, text, &Scope { severity: None, ..scope.clone() });
                }
                Value::String(text) => {
                    self.rated.extend(contradictions::next_to_findings(text).map(|why| (item.span, why)));
                    texts.push(text.to_string());
                }
                Value::Object(members) if finding::states_blocking_severity(members) => {
                    self.finding(item, members, &Scope { is_listed: true, ..scope.clone() });
                }
                _ => {
                    let text = flattened(item);
                    self.ledger.repair(Reason::TextFromStructure, item.span, self.raw(item.span), &text);
                    texts.push(text);
                }
            }
        }
        texts
    }

    fn reviewer(&mut self, members: &[Member<'_>]) -> Option<Domain> {
        let member = members.iter().find(|member| {
            synonyms::part(&member.key) == Some(Part::Reviewer) && !matches!(member.node.value, Value::Null)
        })?;
        let name = finding::reviewer_name(&member.node)?;
        let domain = Domain::new(&name).ok()?;
        if !self.report.reviewers.iter().any(|reviewer| reviewer.name == domain) {
            let attendance = Attendance::Spoke { verdict: None, confidence: None, file: None };
            self.report.reviewers.push(Reviewer { name: domain.clone(), attendance });
        }
        Some(domain)
    }

    fn note_duplicates(&mut self, members: &[Member<'_>]) {
        for span in duplicates(members) {
            self.ledger.gap(Reason::DuplicateKey, span, "a name occurs twice, so its value is ambiguous");
        }
    }
}

/// Returns the scope of a member named after a file, or after a line of the file that the names around it give.
fn within(scope: &Scope, member: &Member<'_>) -> Scope {
    let holds = matches!(member.node.value, Value::Array(_) | Value::Object(_) | Value::String(_));
    let inherited = match (&scope.inherited, node_kinds::place_in_name(&member.key)) {
        _ if !holds => None,
        (_, Some(inherited)) => Some(inherited),
        (Some(inherited), None) if inherited.lines.is_none() && node_kinds::is_number(&member.key) => {
            Some(InheritedPlace { lines: Some(member.key.to_string()), ..inherited.clone() })
        }
        _ => None,
    };
    Scope { inherited: inherited.or_else(|| scope.inherited.clone()), ..scope.clone() }
}

/// Tells whether a text rates itself as something that blocks: `BLOCKER: x`, `x (High)`.
fn is_rated_blocking(text: &str) -> bool {
    finding::rating_of_text(text).is_some_and(|(severity, _)| severity.is_at_least(Severity::High))
}

/// Returns the items of a list; an object that stands alone is one.
fn items_of<'n, 'd>(node: &'n Node<'d>) -> &'n [Node<'d>] {
    match &node.value {
        Value::Array(items) => items,
        Value::Object(members) if !members.is_empty() => std::slice::from_ref(node),
        _ => &[],
    }
}
