//! Reading `verdict-summary.kdl`: KDL nodes → report, with every deviation at its place.

use std::collections::BTreeSet;

use jury_wire::Reason;

use super::super::reading::{Claims, Reading};
use super::super::{json, prose, vocabulary};
use super::{ADVISORY, BLOCKER, GATE, MISSING, REVIEWER, SKIPPED, SUMMARY, TASK_ID, VERSION};
use crate::model::{
    Attendance, Claim, Domain, Facts, GateVerdict, Report, Reviewer, Severity, Stated, Title, aggregate,
};
use crate::syntax::kdl::{self, Element};
use crate::syntax::{Limits, Node, Reader, Source, Span, Unknown};

pub(super) fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    let nodes = match kdl::parse(source, limits) {
        Ok(nodes) => nodes,
        Err(deviation) => return Reading::unreadable(deviation),
    };
    let mut reader = Reader::new(source, limits);
    let version = version(&mut reader, &nodes);
    // This version does not know the other nodes of a newer one.
    if version.is_some_and(|version| version > VERSION) {
        return Claims::default().end(reader, None);
    }
    let mut summary = Summary::default();
    for node in &nodes {
        summary.take(&mut reader, node);
    }
    let start = nodes.first().map_or(Span::at(0), |node| node.name_span);
    let is_known = version == Some(VERSION);
    summary.end(reader, start, is_known)
}

/// Reads the version from the first node. `None` if it is absent or unreadable.
fn version<'a>(reader: &mut Reader<'_, 'a>, nodes: &[Element<'a>]) -> Option<i64> {
    let Some(position) = nodes.iter().position(|node| node.name == SUMMARY) else {
        let start = nodes.first().map_or(Span::at(0), |node| node.name_span);
        reader.deviate(Reason::MissingField, start, format!("the first node is not `{SUMMARY} version={VERSION}`"));
        return None;
    };
    let node = &nodes[position];
    if position > 0 {
        reader.deviate(Reason::LineOrder, node.name_span, format!("`{SUMMARY}` is not the first node"));
    }
    let mut fields = reader.fields(&node.properties)?;
    let version = fields.required(reader, "version", |reader, node| {
        let version = reader.integer(node)?;
        let (reason, message) = match version {
            ..VERSION => (Reason::UnknownToken, format!("expected {VERSION}, found {version}")),
            VERSION => return Some(version),
            _ => (Reason::NewerVersion, format!("version {version} is newer than {VERSION}")),
        };
        reader.deviate(reason, node.span, message);
        Some(version)
    });
    let is_usable = fields.end(reader, Unknown::Refuse);
    for argument in &node.arguments {
        reader.deviate(Reason::UnknownField, argument.span, format!("`{SUMMARY}` takes no argument"));
    }
    refuse_children(reader, node);
    version.filter(|_| is_usable)
}

/// The values read so far.
#[derive(Default)]
struct Summary {
    seen: Vec<&'static str>,
    task_id: Option<String>,
    gate: Option<(GateVerdict, Span)>,
    reviewers: Vec<Reviewer>,
    names: BTreeSet<Domain>,
    claims: Claims,
    /// A reviewer with an unreadable name took part, too.
    has_nameless: bool,
    /// Something occurs twice, or a reviewer contradicts itself.
    is_unreliable: bool,
}

impl Summary {
    fn take<'a>(&mut self, reader: &mut Reader<'_, 'a>, node: &Element<'a>) {
        match node.name.as_ref() {
            SUMMARY => self.once(reader, node, SUMMARY),
            TASK_ID => {
                self.once(reader, node, TASK_ID);
                let id = bare_argument(reader, node).and_then(|argument| line(reader, argument));
                self.task_id = self.task_id.take().or(id.map(str::to_owned));
            }
            GATE => {
                self.once(reader, node, GATE);
                let gate = bare_argument(reader, node).and_then(|argument| verdict(reader, argument));
                self.gate = self.gate.or(gate);
            }
            REVIEWER => self.reviewer(reader, node),
            SKIPPED => self.absent(reader, node, Attendance::Skipped),
            MISSING => self.absent(reader, node, Attendance::Missing),
            name => {
                reader.deviate(Reason::UnknownField, node.name_span, format!("`{name}` is not a node of a summary"));
                self.reject_items(std::slice::from_ref(node));
            }
        }
    }

    /// Rejects the items among nodes that should not be where they are, so that none is lost.
    fn reject_items(&mut self, nodes: &[Element<'_>]) {
        for item in nodes.iter().filter(|node| [BLOCKER, ADVISORY].contains(&node.name.as_ref())) {
            self.claims.reject(item.span, Reason::UnknownField);
        }
    }

    fn once(&mut self, reader: &mut Reader<'_, '_>, node: &Element<'_>, name: &'static str) {
        if self.seen.contains(&name) {
            reader.deviate(Reason::DuplicateKey, node.name_span, format!("`{name}` occurs twice"));
            self.is_unreliable = true;
        }
        self.seen.push(name);
    }

    /// Reads the name of a reviewer, which has no other role.
    fn name<'a>(&mut self, reader: &mut Reader<'_, 'a>, node: &Element<'a>) -> Option<Domain> {
        let argument = argument(reader, node)?;
        let name = json::domain(reader, argument)?;
        if !self.names.insert(name.clone()) {
            reader.deviate(Reason::DuplicateKey, argument.span, format!("`{name}` occurs twice"));
            self.is_unreliable = true;
        }
        Some(name)
    }

    fn absent<'a>(&mut self, reader: &mut Reader<'_, 'a>, node: &Element<'a>, attendance: Attendance) {
        let name = self.name(reader, node);
        refuse_properties(reader, node);
        refuse_children(reader, node);
        self.reject_items(&node.children);
        self.add(name, attendance);
    }

    fn add(&mut self, name: Option<Domain>, attendance: Attendance) {
        match name {
            Some(name) => self.reviewers.push(Reviewer { name, attendance }),
            None => self.has_nameless = true,
        }
    }

    fn reviewer<'a>(&mut self, reader: &mut Reader<'_, 'a>, node: &Element<'a>) {
        let before = reader.deviations.len();
        let name = self.name(reader, node);
        let Some(mut fields) = reader.fields(&node.properties) else { return };
        let is_ambiguous = fields.is_ambiguous();
        let verdict = fields.required(reader, "verdict", verdict).filter(|_| !is_ambiguous);
        let confidence = fields.required(reader, "confidence", |reader, node| {
            let legal = vocabulary::CONFIDENCE_WORDS.map(|(word, _)| word);
            reader.token(node, vocabulary::confidence_from_word, legal)
        });
        let file = fields.optional(reader, "file", Reader::string).map(str::to_owned);
        let is_usable = fields.end(reader, Unknown::Refuse) && name.is_some();
        let reason = reader.deviations.get(before).map_or(Reason::WrongType, |deviation| deviation.reason);
        for child in &node.children {
            let severity = match (child.name.as_ref(), verdict) {
                (BLOCKER, _) => Severity::Blocker,
                (ADVISORY, Some((GateVerdict::Warn, _))) => Severity::Medium,
                (ADVISORY, _) => Severity::Low,
                (other, _) => {
                    let message = format!("`{other}` is neither `{BLOCKER}` nor `{ADVISORY}`");
                    reader.deviate(Reason::UnknownField, child.name_span, message);
                    continue;
                }
            };
            if is_usable {
                self.claims.read_one(reader, child.span, |reader| {
                    Some(Claim { reviewer: name.clone(), confidence, ..item(reader, child, severity)? })
                });
            } else {
                item(reader, child, severity);
                self.claims.reject(child.span, reason);
            }
        }
        self.check_blockers(reader, node, verdict);
        self.add(name, Attendance::Spoke { verdict: verdict.map(|(verdict, _)| verdict), confidence, file });
    }

    /// Checks that the verdict is `fail` exactly if there is a blocker, be it one that cannot be read.
    fn check_blockers(
        &mut self,
        reader: &mut Reader<'_, '_>,
        node: &Element<'_>,
        verdict: Option<(GateVerdict, Span)>,
    ) {
        let has_blocker = node.children.iter().any(|child| child.name == BLOCKER);
        if let Some((verdict, span)) = verdict
            && (verdict == GateVerdict::Fail) != has_blocker
        {
            let has = if has_blocker { "a blocker is listed" } else { "no blocker is listed" };
            reader.deviate(Reason::VerdictContradiction, span, format!("the verdict is {verdict}, but {has}"));
            self.is_unreliable = true;
        }
    }

    fn end(mut self, mut reader: Reader<'_, '_>, start: Span, is_known: bool) -> Reading {
        for name in [TASK_ID, GATE] {
            if !self.seen.contains(&name) {
                reader.deviate(Reason::MissingField, start, format!("`{name}` is missing"));
            }
        }
        // A reviewer that cannot be read has not passed.
        let expected = if self.has_nameless { GateVerdict::Fail } else { aggregate(&self.reviewers) };
        if let Some((gate, span)) = self.gate.filter(|(gate, _)| *gate != expected) {
            let message = format!("the gate is {gate}, but the reviewers give {expected}");
            reader.deviate(Reason::VerdictContradiction, span, message);
            self.is_unreliable = true;
        }
        let gate = self.gate.filter(|_| is_known && !self.is_unreliable);
        let header = gate.map(|(gate, _)| Report {
            reviewers: self.reviewers,
            stated: Some(Stated::Gate(gate)),
            facts: Facts { task_id: self.task_id, ..Facts::default() },
            ..Report::default()
        });
        self.claims.end(reader, header)
    }
}

/// Reads a blocker or an advisory: one line that may start with a place.
fn item<'a>(reader: &mut Reader<'_, 'a>, node: &Element<'a>, severity: Severity) -> Option<Claim> {
    let argument = bare_argument(reader, node)?;
    let text = reader.text(argument)?;
    if kdl::has_newline(text) {
        reader.deviate(Reason::NotOneLine, argument.span, "expected one line");
    }
    let (place, rest) = prose::split_reference(text);
    let location = place.map_err(|(reason, message)| reader.deviate(reason, argument.span, message)).ok()?;
    let title = reader.expect(Reason::Blank, argument.span, Title::new(rest))?;
    Some(Claim { location, ..Claim::new(title, severity) })
}

fn verdict<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<(GateVerdict, Span)> {
    json::token(reader, node, GateVerdict::ALL, GateVerdict::token).map(|verdict| (verdict, node.span))
}

/// Reads a text of one line that says something.
fn line<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<&'n str> {
    let text = reader.text(node)?;
    if kdl::has_newline(text) {
        reader.deviate(Reason::NotOneLine, node.span, "expected one line");
    }
    Some(text)
}

/// Returns the one argument of a node. Of several, none is the one.
fn argument<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Element<'a>) -> Option<&'n Node<'a>> {
    match node.arguments.as_slice() {
        [argument] => Some(argument),
        [] => {
            reader.deviate(Reason::MissingField, node.name_span, format!("`{}` has no argument", node.name));
            None
        }
        [_, rest @ ..] => {
            for argument in rest {
                reader.deviate(Reason::UnknownField, argument.span, format!("`{}` takes one argument", node.name));
            }
            None
        }
    }
}

/// Returns the one argument of a node that has nothing else.
fn bare_argument<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Element<'a>) -> Option<&'n Node<'a>> {
    refuse_properties(reader, node);
    refuse_children(reader, node);
    argument(reader, node)
}

fn refuse_properties<'a>(reader: &mut Reader<'_, 'a>, node: &Element<'a>) {
    if let Some(fields) = reader.fields(&node.properties) {
        fields.end(reader, Unknown::Refuse);
    }
}

fn refuse_children(reader: &mut Reader<'_, '_>, node: &Element<'_>) {
    for child in &node.children {
        let message = format!("`{}` does not belong in `{}`", child.name, node.name);
        reader.deviate(Reason::UnknownField, child.name_span, message);
    }
}
