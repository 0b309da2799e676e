//! The files in the folder of a task → expected roles, the delivery of each role, and its gaps.
//!
//! In: names and bytes. Out: each role on its own. Pure. Deliberately not here: the result over all roles (`decide`).

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::task as wire;

use super::decide::{Content, Contents, RoleStatus, SUMMARY, State};
use super::delivery::{self, Delivery, Kind, text_of};
use crate::model::{Domain, Gap, GapKind, GateVerdict, Role};

/// How the names of Jury's own files start. No role does, so none of them is taken for a verdict.
pub(super) const OURS: &str = ".jury-";
/// The file with the expected roles.
pub(super) const STARTED: &str = ".jury-task.json";
/// The version of Jury's own files.
pub(super) const VERSION: u64 = 1;
/// Returns the name of the file about a reviewer's run, without its ending.
pub(super) fn run_name(role: &Role) -> String {
    format!("{OURS}run-{role}")
}

/// Returns the name of the file that keeps a reviewer's run.
pub(super) fn run_file(role: &Role) -> String {
    format!("{}.json", run_name(role))
}

/// The folder of a task, taken apart.
#[derive(Default)]
pub(super) struct Inventory {
    pub(super) expected: BTreeSet<Role>,
    pub(super) skipped: BTreeSet<Role>,
    runs: BTreeMap<Role, wire::Run>,
    /// The deliveries of each role, the file with the fixed name first.
    pub(super) deliveries: BTreeMap<Role, Vec<(String, Delivery)>>,
    pub(super) gaps: Vec<Gap>,
    pub(super) others: Vec<String>,
    pub(super) notes: Vec<String>,
}

impl Inventory {
    /// Takes a folder apart.
    pub(super) fn of(contents: &Contents) -> Self {
        let mut folder = Self::default();
        // The expected roles decide which names are verdict files, so Jury's own files come first.
        let (ours, theirs): (Vec<_>, Vec<_>) = contents.iter().partition(|(name, _)| name.starts_with(OURS));
        ours.into_iter().for_each(|(name, content)| folder.take_own(name, content));
        theirs.into_iter().filter(|(name, _)| *name != SUMMARY).for_each(|(name, content)| folder.take(name, content));
        for (role, deliveries) in &mut folder.deliveries {
            deliveries.sort_by_key(|(name, _)| *name != role.file());
        }
        folder
    }

    fn take_own(&mut self, name: &str, content: &Content) {
        let run = name.strip_prefix(OURS).and_then(|name| name.strip_prefix("run-")?.strip_suffix(".json"));
        if name == STARTED {
            match parsed::<wire::Started>(content, |started| started.version) {
                Ok(started) => {
                    let expected = self.roles(name, &started.expected);
                    self.expected.extend(expected);
                    self.skipped = self.roles(name, &started.skipped);
                }
                Err(what) => self.gaps.push(unknown_state(Domain::unnamed(), format!("{name} {what}"))),
            }
        } else if let Some(role) = run.and_then(|role| Role::new(role).ok()) {
            let run = parsed::<wire::Run>(content, |run| run.version).unwrap_or_else(|what| {
                let gap = unknown_state(role.domain(), format!("{name} {what}"));
                wire::Run { version: VERSION, ended: true, gaps: vec![kept(&gap)] }
            });
            // A started role has to report.
            self.expected.insert(role.clone());
            self.runs.insert(role, run);
        }
    }

    /// Takes names as roles; an invalid one is a gap, because a role was meant.
    fn roles(&mut self, file: &str, names: &[String]) -> BTreeSet<Role> {
        let mut roles = BTreeSet::new();
        for name in names {
            match Role::new(name) {
                Ok(role) => _ = roles.insert(role),
                Err(error) => {
                    let what = format!("{file} names {name:?}, which is not a role: {error}");
                    self.gaps.push(unknown_state(Domain::unnamed(), what));
                }
            }
        }
        roles
    }

    /// Takes any other file: the verdict file of a role, or none.
    fn take(&mut self, name: &str, content: &Content) {
        let Some(role) = Role::of_file(name) else { return self.others.push(name.to_owned()) };
        // A fixed name is a verdict file with any content. Any other name may be that of evidence (001, "Optional
        // `evidence_path`"), and is a verdict file only if it looks like one.
        let is_fixed = name == role.file() && (role.is_listed() || self.expected.contains(&role));
        let delivery = match content {
            Content::Bytes(bytes) if is_fixed || delivery::looks_like_verdict(bytes) => {
                delivery::read(&role, name, bytes)
            }
            Content::Refused(why) if is_fixed => unread(&role, format!("{name} was not read: {why}")),
            Content::Bytes(_) | Content::Refused(_) | Content::Other => return self.others.push(name.to_owned()),
        };
        let delivery = match delivery.kind {
            Kind::Verdict => delivery,
            Kind::Pointer(_) => unread(&role, format!("{name} is not a verdict, but a pointer to one")),
            Kind::Summary => unread(&role, format!("{name} is not a verdict, but the summary of a task")),
        };
        self.deliveries.entry(role).or_default().push((name.to_owned(), delivery));
    }

    /// Says how a role stands, which is asked once.
    pub(super) fn stand(&mut self, role: Role) -> RoleStatus {
        let is_expected = self.expected.contains(&role);
        let deliveries = self.deliveries.remove(&role).unwrap_or_default();
        let run = self.runs.remove(&role);
        let mut gaps: Vec<Gap> = run.iter().flat_map(|run| &run.gaps).map(|gap| read_back(&role, gap)).collect();
        let state = match (&run, deliveries.is_empty()) {
            (Some(wire::Run { ended: false, .. }), _) => State::Running,
            (_, false) => State::Reported,
            (_, true) if is_expected => State::Missing,
            (_, true) => State::Skipped,
        };
        match state {
            State::Running => gaps.push(dead(&role, format!("the run of {role} has not ended"))),
            State::Missing => gaps.push(dead(&role, format!("{role} did not report"))),
            State::Reported | State::Skipped => {}
        }
        if let [(first, one), (second, other)] = deliveries.as_slice()
            && !one.agrees_with(other)
        {
            gaps.push(dead(&role, format!("{first} and {second} disagree")));
        }
        let mut standing = RoleStatus {
            role,
            is_expected,
            state,
            verdict: None,
            confidence: None,
            file: deliveries.first().map(|(name, _)| name.clone()),
            claims: Vec::new(),
            evidence: None,
            gaps,
        };
        for (name, delivery) in deliveries {
            if name != standing.role.file() {
                self.notes.push(format!("{name} is the older name of {}", standing.role.file()));
            }
            self.notes.extend(delivery.notes.iter().cloned());
            standing.hear(delivery);
        }
        // A verdict that cannot be relied upon is none, unless it closes the gate.
        let is_reliable = standing.gaps.is_empty() || standing.verdict == Some(GateVerdict::Fail);
        standing.verdict = standing.verdict.filter(|_| is_reliable);
        standing
    }
}

impl RoleStatus {
    /// Adds the content of one of its documents. Of two that agree, the first is the one that counts.
    fn hear(&mut self, delivery: Delivery) {
        self.verdict = self.verdict.or(delivery.verdict());
        self.gaps.extend(delivery.gaps);
        let Some(report) = delivery.report else { return };
        self.confidence = [self.confidence, report.confidence].into_iter().flatten().min();
        self.evidence = self.evidence.take().or(report.evidence);
        for claim in report.claims {
            if !self.claims.iter().any(|known| text_of(known) == text_of(&claim)) {
                self.claims.push(claim);
            }
        }
    }
}

fn unread(role: &Role, what: String) -> Delivery {
    let remedy = format!("let the {role} reviewer write its verdict to {}", role.file());
    let gap = Gap { reviewer: role.domain(), kind: GapKind::UnreadableOutput, what, remedy };
    Delivery { kind: Kind::Verdict, report: None, gaps: vec![gap], notes: Vec::new(), is_dead: false }
}

/// Makes the gap of a reviewer that has to run again.
pub(super) fn dead(role: &Role, what: String) -> Gap {
    let remedy = format!("run the {role} reviewer again");
    Gap { reviewer: role.domain(), kind: GapKind::DeadReviewer, what, remedy }
}

fn unknown_state(reviewer: Domain, what: String) -> Gap {
    let remedy = "start the task again with `jury task start`, and run its reviewers".to_owned();
    Gap { reviewer, kind: GapKind::UnknownState, what, remedy }
}

/// Brings a gap into the form in which it is kept.
pub(super) fn kept(gap: &Gap) -> wire::Gap {
    wire::Gap { kind: gap.kind.token().to_owned(), what: gap.what.clone(), remedy: gap.remedy.clone() }
}

fn read_back(role: &Role, gap: &wire::Gap) -> Gap {
    let kind = GapKind::from_token(&gap.kind).unwrap_or(GapKind::UnknownState);
    Gap { reviewer: role.domain(), kind, what: gap.what.clone(), remedy: gap.remedy.clone() }
}

/// Reads one of Jury's own files, or returns its error.
fn parsed<T: serde::de::DeserializeOwned>(content: &Content, version: fn(&T) -> u64) -> Result<T, String> {
    let bytes = match content {
        Content::Bytes(bytes) => bytes,
        Content::Refused(why) => return Err(format!("was not read: {why}")),
        Content::Other => return Err("is not a regular file".to_owned()),
    };
    let value: T = serde_json::from_slice(bytes).map_err(|error| format!("is damaged: {error}"))?;
    match version(&value) {
        VERSION => Ok(value),
        other => Err(format!("has version {other}, which this Jury does not know")),
    }
}
