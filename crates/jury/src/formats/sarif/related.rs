//! Where a result is, and which other places belong to it: further locations, related ones, the steps of code flows.
//!
//! In: a result. Out: its own place, and up to a hundred others, each once. A place outside the repository is none of
//! ours; it is left out with a note, and the claim stands.

use std::collections::BTreeSet;

use jury_wire::Reason;

use super::location::{LocationError, ReadLocation};
use super::result::Parts;
use super::{Account, MOST_RELATED, index, member};
use crate::model::{Column, Line, Location, RepoPath, Side};
use crate::syntax::{Node, Reader, Span, Unknown};

impl<'n, 'a> Parts<'_, '_, 'n, 'a> {
    /// Reads where the result is, and which other places belong to it: further locations, related ones, code flows.
    pub(super) fn places(&mut self) -> (Option<ReadLocation<'n>>, Vec<Location>) {
        let locations = member(self.reader, &mut self.fields, "locations", Reader::items).unwrap_or_default();
        let related = member(self.reader, &mut self.fields, "relatedLocations", Reader::items).unwrap_or_default();
        let flows = member(self.reader, &mut self.fields, "codeFlows", Reader::items).unwrap_or_default();
        let place = match locations.first() {
            None => Some(ReadLocation::default()),
            Some(node) => match self.run.tree.location(self.reader, node) {
                Ok(place) => Some(place),
                Err(LocationError::Noted) => None,
                Err(LocationError::Path(span, why)) => {
                    self.reader.deviate(Reason::BadPath, span, why);
                    None
                }
            },
        };
        if place.is_none() {
            return (None, Vec::new());
        }
        let own = place.as_ref().and_then(|place| place.location.as_ref());
        self.account.taken += own.map_or(0, |location| location.file.as_str().len());
        let mut others = Related::new(own);
        for node in locations.iter().skip(1).chain(related) {
            self.add(&mut others, node);
        }
        for flow in flows {
            self.add_flow(&mut others, flow);
        }
        (place, others.kept)
    }

    /// Adds a related place. One outside the repository is left out with a note: the claim itself stands without it.
    fn add(&mut self, others: &mut Related, node: &'n Node<'a>) {
        if others.is_full(node, self.account) {
            return;
        }
        match self.run.tree.location(self.reader, node) {
            Ok(place) => {
                self.account.taken += place.location.as_ref().map_or(0, |location| location.file.as_str().len());
                others.add(place.location);
            }
            Err(LocationError::Path(span, why)) => self.account.note(Reason::RelatedLeftOut, span, why),
            Err(LocationError::Noted) => {}
        }
    }

    /// Adds the places of a code flow, thread by thread (§3.36 to §3.38).
    fn add_flow(&mut self, others: &mut Related, flow: &'n Node<'a>) {
        for thread in self.items_of(flow, "threadFlows") {
            for step in self.items_of(thread, "locations") {
                if others.is_full(step, self.account) {
                    return;
                }
                match step_of(self.reader, step) {
                    (Some(location), _) => self.add(others, location),
                    (None, Some((index, span))) => self.add_shared(others, index, span),
                    (None, None) => {}
                }
            }
        }
    }

    fn items_of(&mut self, node: &'n Node<'a>, name: &'static str) -> &'n [Node<'a>] {
        let Some(mut fields) = self.reader.fields(node) else { return &[] };
        let items = fields.required(self.reader, name, Reader::items).unwrap_or_default();
        fields.end(self.reader, Unknown::Allow);
        items
    }

    /// Adds the place of a step that stands once in the run for all its results.
    fn add_shared(&mut self, others: &mut Related, index: usize, span: Span) {
        match self.run.steps.get(index) {
            Some(location) => {
                self.account.taken += location.as_ref().map_or(0, |location| location.file.as_str().len());
                others.add(location.clone());
            }
            None => self.reader.deviate(Reason::BadReference, span, format!("the run has no flow location {index}")),
        }
    }
}

/// Reads one step of a flow: its location, or which of the run's shared steps it is.
pub(super) fn step_of<'n, 'a>(
    reader: &mut Reader<'_, 'a>,
    node: &'n Node<'a>,
) -> (Option<&'n Node<'a>>, Option<(usize, Span)>) {
    let Some(mut fields) = reader.fields(node) else { return (None, None) };
    let location = member(reader, &mut fields, "location", |_, node| Some(node));
    let shared = member(reader, &mut fields, "index", index).flatten();
    fields.end(reader, Unknown::Allow);
    (location, shared)
}

/// The related places of a result, each once, the result's own place aside.
struct Related {
    kept: Vec<Location>,
    seen: BTreeSet<Key>,
    is_noted: bool,
}

type Key = (RepoPath, Option<(Line, Line)>, Option<Column>, bool);

fn key(location: &Location) -> Key {
    let lines = location.lines.map(|lines| (lines.start(), lines.end()));
    (location.file.clone(), lines, location.column, location.side == Side::Left)
}

impl Related {
    fn new(own: Option<&Location>) -> Self {
        Self { kept: Vec::new(), seen: own.map(key).into_iter().collect(), is_noted: false }
    }

    fn add(&mut self, location: Option<Location>) {
        self.kept.extend(location.filter(|location| self.seen.insert(key(location))));
    }

    /// Tells whether no more are kept, and notes it once.
    fn is_full(&mut self, node: &Node<'_>, account: &mut Account) -> bool {
        let is_full = self.kept.len() >= MOST_RELATED;
        if is_full && !self.is_noted {
            self.is_noted = true;
            account.note(Reason::RelatedLeftOut, node.span, format!("more than {MOST_RELATED} related places"));
        }
        is_full
    }
}

/// Keeps the related places that a reader would keep.
pub(super) fn kept(own: Option<&Location>, locations: &[Location]) -> Vec<Location> {
    let mut others = Related::new(own);
    locations.iter().for_each(|location| others.add(Some(location.clone())));
    others.kept.truncate(MOST_RELATED);
    others.kept
}
