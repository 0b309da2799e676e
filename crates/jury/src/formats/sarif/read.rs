//! A log and its runs (§3.13, §3.14): the reviewers, their success, and their findings.
//!
//! In: a document. Out: one reviewer per tool, with the claims of all its runs together. A run that failed, or that never
//! came to have results, makes its reviewer missing: a defect that it did not find may still be there.

use std::collections::BTreeMap;

use jury_wire::Reason;

use super::location::{LocationError, UriResolver};
use super::related::step_of;
use super::result;
use super::tool::{self, Bags, RuleKey, Taxonomy, Tool, taxonomy};
use super::{Account, VERSION, member};
use crate::formats::json;
use crate::formats::reading::{Claims, Reading};
use crate::model::{Attendance, Domain, Location, Report, Reviewer, Severity};
use crate::syntax::{self, Deviation, Limits, Node, Reader, Source, Span, Unknown, Value};

pub(super) fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    if let Some(offset) = syntax::json::claim_beyond_limit(source.text(), &["runs", "results"], limits) {
        let message = format!("more than {} results", limits.claims);
        return Reading::unreadable(Deviation::new(Reason::LimitClaims, Span::at(offset), message));
    }
    let mut account = Account::default();
    let mut reading = json::read(source, limits, |reader, root| log(reader, root, &mut account));
    account.notes.sort_by_key(|note| note.span);
    reading.notes = account.notes;
    reading
}

/// The parts of a run other than its results.
#[derive(Default)]
pub(super) struct RunContext<'n, 'a> {
    pub(super) tool: Tool<'n>,
    pub(super) tree: UriResolver<'n>,
    pub(super) taxonomies: Vec<Taxonomy>,
    /// The places that several code flows share.
    pub(super) steps: Vec<Option<Location>>,
    /// For each invocation, the levels it gave to rules.
    pub(super) overrides: Vec<BTreeMap<RuleKey, Severity>>,
    results: &'n [Node<'a>],
    has_failed: bool,
    /// Whether the run could be read.
    is_reliable: bool,
}

fn log<'a>(reader: &mut Reader<'_, 'a>, root: &Node<'a>, account: &mut Account) -> Option<(Claims, Option<Report>)> {
    let mut fields = reader.fields(root)?;
    let version = fields.required(reader, "version", version);
    let refused = reader.deviations.last().map(|deviation| deviation.reason).filter(|_| version.is_none());
    member(reader, &mut fields, "$schema", Reader::string);
    let nodes = fields.required(reader, "runs", runs).unwrap_or_default();
    let has_inline_results = member(reader, &mut fields, "inlineExternalProperties", |reader, node| {
        let items = reader.items(node)?;
        if !items.is_empty() {
            let message = "separate properties of a run are not joined with it";
            reader.deviate(Reason::ExternalContent, node.span, message);
        }
        let has_results = |node: &Node<'a>| node.get("results").is_some();
        items.iter().for_each(|node| _ = reader.fields(node).map(|fields| fields.end(reader, Unknown::Allow)));
        Some(items.iter().any(has_results))
    });
    let jury = member(reader, &mut fields, "properties", |reader, node| {
        tool::properties(reader, node, Bags::Read).map(|properties| properties.jury)
    });
    let (residual_risks, testing_gaps) = jury.flatten().and_then(|node| lists(reader, node)).unwrap_or_default();
    let is_ambiguous = fields.is_ambiguous();
    fields.end(reader, Unknown::Allow);
    let mut claims = Claims::default();
    if let Some(reason) = refused {
        let results = nodes.iter().filter_map(|run| run.get("results"));
        results.flat_map(items).for_each(|result| claims.reject(result.span, reason));
        return Some((claims, None));
    }
    let runs: Vec<RunContext<'_, 'a>> = nodes.iter().map(|node| run(reader, node, account)).collect();
    for run in together(&runs) {
        results(reader, run, &mut claims, account);
    }
    let is_reliable =
        !is_ambiguous && !runs.is_empty() && has_inline_results != Some(true) && runs.iter().all(|run| run.is_reliable);
    let header =
        is_reliable.then(|| Report { reviewers: reviewers(&runs), residual_risks, testing_gaps, ..Report::default() });
    Some((claims, header))
}

fn items<'n, 'a>(node: &'n Node<'a>) -> &'n [Node<'a>] {
    match &node.value {
        Value::Array(items) => items,
        _ => &[],
    }
}

fn version<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<()> {
    let text = reader.string(node)?;
    if text == VERSION {
        return Some(());
    }
    let numbers = |text: &str| text.split('.').map(|part| part.parse().ok()).collect::<Option<Vec<u32>>>();
    let is_newer = numbers(text) > numbers(VERSION);
    let reason = if is_newer { Reason::NewerVersion } else { Reason::UnknownToken };
    reader.deviate(reason, node.span, format!("expected `{VERSION}`, found {text:?}"));
    None
}

/// Reads the list of runs. Without one, or if it could not be made (§3.13.4), nothing was reviewed.
fn runs<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<&'n [Node<'a>]> {
    let items = if node.value == Value::Null { &[] } else { reader.items(node)? };
    if items.is_empty() {
        reader.deviate(Reason::EmptyDocument, node.span, "the log has no run, so nothing was reviewed");
        return None;
    }
    Some(items)
}

/// Reads Jury's own values for the log as a whole.
fn lists<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<(Vec<String>, Vec<String>)> {
    let mut fields = reader.fields(node)?;
    let residual_risks = member(reader, &mut fields, "residualRisks", Reader::strings).unwrap_or_default();
    let testing_gaps = member(reader, &mut fields, "testingGaps", Reader::strings).unwrap_or_default();
    fields.end(reader, Unknown::Allow);
    Some((residual_risks, testing_gaps))
}

fn run<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>, account: &mut Account) -> RunContext<'n, 'a> {
    let mut run = RunContext::default();
    let Some(mut fields) = reader.fields(node) else { return run };
    run.is_reliable = !fields.is_ambiguous();
    run.tool = fields.required(reader, "tool", tool::read).unwrap_or_default();
    member(reader, &mut fields, "originalUriBaseIds", |reader, node| run.tree.declare_bases(reader, node));
    member(reader, &mut fields, "artifacts", |reader, node| run.tree.declare_artifacts(reader, node));
    for node in member(reader, &mut fields, "taxonomies", Reader::items).unwrap_or_default() {
        run.taxonomies.push(taxonomy(reader, node).unwrap_or_default());
    }
    for node in member(reader, &mut fields, "threadFlowLocations", Reader::items).unwrap_or_default() {
        let step = shared_step(reader, node, &run.tree, account);
        run.steps.push(step);
    }
    match member(reader, &mut fields, "invocations", Reader::items) {
        Some(nodes) => nodes.iter().for_each(|node| invocation(reader, node, &mut run, account)),
        // An unreadable statement is not taken for good news.
        None => run.has_failed = fields.get("invocations").is_some(),
    }
    let has_external_results = member(reader, &mut fields, "externalPropertyFileReferences", external);
    // Absent or null means that the analysis never began; an empty list, that it found nothing (§3.14.23).
    let results = fields.get("results");
    match results {
        None | Some(Node { value: Value::Null, .. }) => {
            let span = Span::new(node.span.start, node.span.start + 1);
            account.note(Reason::RunFailed, span, "the run has no list of results");
            run.has_failed = true;
        }
        Some(node) => match reader.items(node) {
            Some(items) => run.results = items,
            None => run.is_reliable = false,
        },
    }
    run.is_reliable &= has_external_results != Some(true);
    fields.end(reader, Unknown::Allow);
    run
}

fn shared_step<'n, 'a>(
    reader: &mut Reader<'_, 'a>,
    node: &'n Node<'a>,
    tree: &UriResolver<'n>,
    account: &mut Account,
) -> Option<Location> {
    let (location, _) = step_of(reader, node);
    match tree.location(reader, location?) {
        Ok(place) => place.location,
        Err(LocationError::Path(span, why)) => {
            account.note(Reason::RelatedLeftOut, span, why);
            None
        }
        Err(LocationError::Noted) => None,
    }
}

/// Reads how one process of the run went (§3.20). A failure, or an error that the tool reports of itself, means that the
/// results cannot be assumed to be complete (appendix I).
fn invocation<'n, 'a>(
    reader: &mut Reader<'_, 'a>,
    node: &'n Node<'a>,
    run: &mut RunContext<'n, 'a>,
    account: &mut Account,
) {
    let Some(mut fields) = reader.fields(node) else {
        run.overrides.push(BTreeMap::new());
        run.has_failed = true;
        return;
    };
    let success = fields.required(reader, "executionSuccessful", |reader, node| {
        reader.boolean(node).map(|is_success| (is_success, node.span))
    });
    if let Some((false, span)) = success {
        account.note(Reason::RunFailed, span, "the tool did not finish");
    }
    run.has_failed |= !success.is_some_and(|(is_success, _)| is_success);
    for name in ["toolExecutionNotifications", "toolConfigurationNotifications"] {
        for node in member(reader, &mut fields, name, Reader::items).unwrap_or_default() {
            let level = notification(reader, node);
            if level == Some(Severity::High) {
                account.note(Reason::RunFailed, node.span, "the tool reports an error of its own");
            }
            run.has_failed |= level.is_none_or(|level| level == Severity::High);
        }
    }
    let overrides = member(reader, &mut fields, "ruleConfigurationOverrides", Reader::items).unwrap_or_default();
    run.overrides.push(tool::overrides(reader, overrides, &run.tool));
    fields.end(reader, Unknown::Allow);
}

/// Reads how bad a notification is; a warning, if it does not say (§3.58.6).
fn notification<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Severity> {
    let mut fields = reader.fields(node)?;
    let level = member(reader, &mut fields, "level", tool::level).unwrap_or(Severity::Medium);
    fields.end(reader, Unknown::Allow).then_some(level)
}

/// Notes that parts of the run lie in other files; tells whether the results do.
fn external<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<bool> {
    reader.fields(node)?.end(reader, Unknown::Allow);
    if !matches!(&node.value, Value::Object(members) if members.is_empty()) {
        reader.deviate(Reason::ExternalContent, node.span, "part of the run is in other files, which are not read");
    }
    Some(node.get("results").is_some())
}

/// Returns the runs so that those of one tool follow each other, in the order in which the tools first appear.
fn together<'r, 'n, 'a>(runs: &'r [RunContext<'n, 'a>]) -> Vec<&'r RunContext<'n, 'a>> {
    let mut first = BTreeMap::new();
    let mut ordered: Vec<(usize, &RunContext<'n, 'a>)> = Vec::new();
    for (place, run) in runs.iter().enumerate() {
        let place = run.tool.name.as_ref().map_or(place, |name| *first.entry(name).or_insert(place));
        ordered.push((place, run));
    }
    ordered.sort_by_key(|(place, _)| *place);
    ordered.into_iter().map(|(_, run)| run).collect()
}

fn reviewers(runs: &[RunContext<'_, '_>]) -> Vec<Reviewer> {
    let mut missing: BTreeMap<&Domain, bool> = BTreeMap::new();
    let mut names: Vec<&Domain> = Vec::new();
    for run in runs {
        let Some(name) = &run.tool.name else { continue };
        *missing.entry(name).or_insert_with(|| {
            names.push(name);
            false
        }) |= run.has_failed;
    }
    let attendance = |name: &Domain| match missing.get(name) {
        Some(true) => Attendance::Missing,
        _ => Attendance::Spoke { verdict: None, confidence: None, file: None },
    };
    names.into_iter().map(|name| Reviewer { name: name.clone(), attendance: attendance(name) }).collect()
}

fn results<'n, 'a>(reader: &mut Reader<'_, 'a>, run: &RunContext<'n, 'a>, claims: &mut Claims, account: &mut Account) {
    for node in run.results {
        if account.taken > reader.limits.bytes {
            if !account.is_full {
                account.is_full = true;
                let message = "the results of this log exceed the size limit; the rest is rejected";
                reader.deviate(Reason::LimitBytes, node.span, message);
            }
            claims.reject(node.span, Reason::LimitBytes);
            continue;
        }
        claims.read_entry(reader, node.span, |reader| result::read(reader, node, run, account));
    }
}
