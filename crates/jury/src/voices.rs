//! Who is asked about a contested finding, and what they answer. In: the finding, the evidence against it, the reviewers of the base. Out: a
//! voice for each.
//!
//! What raised it by a rule (a built-in specialist, a tool) looks again; a model is asked in words, and so is one more, of another family.
//! Joins `panel`, `dispatch` and `judge` for `flows/contest`. Deliberately not here: what follows from the voices (`people`).

use std::collections::BTreeSet;

use jury_rules::Redactor;

use crate::dispatch::{ContestedFinding, External, ShownFile};
use crate::judge::{self, Settled};
use crate::model::{
    ContestVoice, CounterEvidence, Definition, Domain, FindingId, Mode, RepoPath, ReviewerKind, Scope, Stance,
};
use crate::panel::{Asking, Panel};
use crate::record::{Record, Run, redact_runs};
use crate::refutation::stance;
use crate::scope::{ReviewedTree, Snapshot};
use crate::synthesis::family;

/// The most characters that are kept of what a model printed.
const MOST_KEPT: usize = 64 << 10;
/// The most characters that are kept of why.
const MOST_WHY: usize = 500;

/// A contested finding, and where it is looked at.
pub struct Question<'q> {
    /// The surroundings in which reviewers are asked.
    pub asking: Asking<'q>,
    /// The record of the review.
    pub review: &'q Record,
    /// The finding.
    pub settled: &'q Settled,
    /// The evidence against it.
    pub counter: &'q CounterEvidence,
    /// Why it is contested.
    pub reason: &'q str,
    /// The tree.
    pub snapshot: &'q Snapshot,
    /// The change.
    pub scope: &'q Scope,
    /// The secrets of the change.
    pub redactor: &'q Redactor,
}

impl Question<'_> {
    /// Returns who raised the finding: the reviewers of its claims.
    pub fn raisers(&self) -> Vec<Domain> {
        let mut names: Vec<Domain> = self.settled.reviewers.iter().cloned().collect();
        names.sort();
        names.dedup();
        names
    }

    fn runs_of(&self, name: &Domain) -> impl Iterator<Item = &Run> {
        let is_its = |run: &&Run| run.reviewer == *name && run.answer().is_some();
        self.review.runs.iter().filter(move |run| is_its(run))
    }

    fn is_model(&self, name: &Domain) -> bool {
        let is_model = |run: &Run| matches!(run.kind, ReviewerKind::Agent | ReviewerKind::Api);
        let mut runs = self.runs_of(name).peekable();
        runs.peek().is_some() && runs.all(is_model)
    }

    /// Returns the raisers that are asked in words, and the one more voice: the first model of the base of another family.
    pub fn asked_in_words(&self) -> Vec<&Definition> {
        let raisers = self.raisers();
        let definitions = &self.asking.policy.config.reviewers;
        let own: Vec<&Definition> =
            definitions.iter().filter(|it| raisers.contains(&it.name) && self.is_model(&it.name)).collect();
        let families: BTreeSet<String> = raisers.iter().map(|name| self.family_of(name)).collect();
        let is_other = |it: &&Definition| {
            let is_model = matches!(it.kind, ReviewerKind::Agent | ReviewerKind::Api);
            is_model && !raisers.contains(&it.name) && !families.contains(&model_family(it))
        };
        own.into_iter().chain(definitions.iter().find(is_other)).collect()
    }

    fn family_of(&self, name: &Domain) -> String {
        let model = self.runs_of(name).find_map(|run| run.model.clone());
        model.map_or_else(|| name.to_string(), |model| family(&model))
    }

    /// Has every rule that raised it look again. `Upholds` if the finding comes back.
    pub fn by_rule(&self) -> Vec<ContestVoice> {
        let names: BTreeSet<Domain> = self.raisers().into_iter().filter(|name| !self.is_model(name)).collect();
        if names.is_empty() {
            return Vec::new();
        }
        let Self { asking, snapshot, scope, redactor, .. } = *self;
        let tree = ReviewedTree { repository: asking.repository, files: snapshot, base: &asking.policy.base };
        let mut runs = Panel::of(asking, Mode::Full, &tree, scope, None).only(&names).ask(scope, &mut |_| {});
        redact_runs(&mut runs, redactor);
        let looked: Vec<(Domain, bool)> =
            runs.iter().map(|run| (run.reviewer.clone(), run.answer().is_some())).collect();
        let again = Record { runs, gaps: Vec::new(), decision: None, since: None, ..self.review.clone() };
        let judgement = judge::decide(&again, judge::hear(&again));
        let synthesis = &judgement.merged.synthesis;
        let lists = [&synthesis.findings, &synthesis.suppressed, &synthesis.pre_existing, &synthesis.waived];
        let (file, title) = (self.settled.finding.file(), self.settled.finding.representative.title.normalised());
        let is_it = |other: &Settled, name: &Domain| {
            let is_of = other.reviewers.iter().any(|reviewer| reviewer == name);
            let is_same_code = other.finding.fingerprint == self.settled.finding.fingerprint;
            let is_same_words = other.finding.claims().any(|claim| claim.title.normalised() == title);
            is_of && (is_same_code || (other.finding.file() == file && is_same_words))
        };
        let voice = |name: &Domain| {
            let has_looked = looked.iter().any(|(other, has_looked)| other == name && *has_looked);
            let is_back = lists.iter().any(|list| list.iter().any(|other| is_it(other, name)));
            let (stance, why) = match (has_looked, is_back) {
                (_, true) => (Stance::Upholds, "it finds it again"),
                (true, false) => (Stance::Concedes, "it does not find it again"),
                (false, false) => (Stance::Silent, "it cannot look again"),
            };
            let (reviewer, family) = (name.clone(), name.to_string());
            ContestVoice { reviewer, family, is_raiser: true, stance, why: why.to_owned(), answer: None }
        };
        names.iter().map(voice).collect()
    }

    /// Asks models in words.
    pub fn in_words(&self) -> Vec<ContestVoice> {
        let raisers = self.raisers();
        let contested = self.contested();
        let Self { asking, snapshot, scope, redactor, .. } = *self;
        let tree = ReviewedTree { repository: asking.repository, files: snapshot, base: &asking.policy.base };
        let short = |text: &str| redactor.redact(text).chars().take(MOST_WHY).collect::<String>();
        let voice = |definition: &Definition| {
            let is_raiser = raisers.contains(&definition.name);
            let family = if is_raiser { self.family_of(&definition.name) } else { model_family(definition) };
            let (stance, why, answer) = match External::contested(definition, &tree, scope, &contested) {
                Ok((nonce, output)) => {
                    let output: String = redactor.redact(&output).chars().take(MOST_KEPT).collect();
                    let (stance, why) = stance(&output, &nonce);
                    (stance, why, Some((nonce, output)))
                }
                Err(why) => (Stance::Silent, why, None),
            };
            ContestVoice { reviewer: definition.name.clone(), family, is_raiser, stance, why: short(&why), answer }
        };
        self.asked_in_words().into_iter().map(voice).collect()
    }

    fn contested(&self) -> ContestedFinding {
        let redact = |text: &str| self.redactor.redact(text).into_owned();
        let claim = &self.settled.finding.representative;
        let line = claim.location.as_ref().and_then(|location| location.lines).map_or(1, |lines| lines.start().get());
        let shown = |path: &RepoPath, line: u32| {
            let text = String::from_utf8_lossy(&self.snapshot.file(path)?).into_owned();
            Some(ShownFile { path: path.to_string(), text: redact(&text), line: line as usize })
        };
        let mut files = Vec::new();
        if self.settled.finding.file() != FindingId::WHOLE_REPOSITORY {
            files.extend(claim.location.as_ref().and_then(|location| shown(&location.file, line)));
        }
        if let CounterEvidence::Quote { path, line, .. } = self.counter {
            files.extend(shown(path, line.get()));
        }
        files.dedup();
        ContestedFinding {
            title: redact(&claim.title.to_string()),
            severity: self.settled.finding.severity().word(),
            place: claim.location.as_ref().map(ToString::to_string).unwrap_or_else(|| ".".to_owned()),
            why: redact(claim.why.as_deref().unwrap_or_default()),
            evidence: claim
                .first_evidence()
                .into_iter()
                .map(redact)
                .chain(claim.evidence.iter().map(|it| redact(it)))
                .collect(),
            counter: self.counter.clone(),
            reason: redact(self.reason),
            files,
        }
    }
}

/// Returns the family of the model that a definition asks.
fn model_family(definition: &Definition) -> String {
    External::model_of(definition).map_or_else(|| definition.name.to_string(), |model| family(&model))
}
