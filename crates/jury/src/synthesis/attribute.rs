//! Claims of reports in; candidates out, each with its reviewers. Which reviewers may count as independent is
//! decided here (004's mechanics): `fast-pass` never, `adversarial-…` only if that was verified, a synthesis as it states.

use std::collections::BTreeMap;

use super::SYNTHESIS;
use super::candidate::{Candidate, Grounding, Origin, Several, SpeakerNames, Voice};
use super::files::Files;
use crate::agents;
use crate::model::{Claim, Domain, Report, Support};

/// The reviewer that looks first and least closely.
pub(super) const FAST_PASS: &str = "fast-pass";
/// The prefix of reviewers that were given a target to attack.
const ADVERSARIAL: &str = "adversarial-";

/// The author of a report, which holds for each of its claims.
pub(super) struct Author {
    name: Option<Domain>,
    family: Option<String>,
    independence_verified: Option<bool>,
    /// Whether it quotes the line anywhere in `first_evidence`.
    pub(super) quotes: bool,
}

impl Author {
    /// Returns the author of a report; `quotes` tells whether any of its claims has a quote.
    pub(super) fn of(report: &Report, quotes: bool) -> Self {
        Self {
            name: report.sole_reviewer().cloned(),
            family: report.facts.model.as_deref().map(family),
            independence_verified: report.facts.independence_verified,
            quotes,
        }
    }
}

/// Attributes the claims of a shard to their reviewers.
pub(super) fn attribute(stated: Vec<(Origin, Box<Claim>)>, authors: &[Author]) -> (Vec<Candidate>, SpeakerNames) {
    let mut candidates = Vec::with_capacity(stated.len());
    let mut builder = SpeakersBuilder::default();
    let unnamed = Domain::unnamed();
    for (origin, mut claim) in stated {
        let author = &authors[origin.report_index as usize];
        let said = claim.reviewer.take();
        let name = said.as_ref().or(author.name.as_ref()).unwrap_or(&unnamed);
        let is_synthesised = name.as_str() == SYNTHESIS;
        let (voices, promoted) = if is_synthesised {
            let (voices, promoted) = builder.voices_of_synthesis(&mut claim);
            (Several::Many(voices), promoted)
        } else {
            let verified = claim.support.as_ref().and_then(|support| support.independence_verified);
            let is_independent = is_independent(name, verified.or(author.independence_verified));
            let family_index = author.family.as_deref().map(|family| builder.family(family));
            (Several::One(Voice { family_index, is_independent, ..builder.voice(name) }), None)
        };
        claim.reviewer = Some(voices.first().map_or(name, |voice| builder.panel.name(voice)).clone());
        candidates.push(Candidate {
            claim,
            merged: Vec::new(),
            file: Files::NONE,
            title: 0,
            origins: Several::One(origin),
            voices,
            trail: Vec::new(),
            grounding: Grounding::Unchecked,
            is_synthesised,
            promoted,
            is_of_check: false,
        });
    }
    (candidates, builder.panel)
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("claims are counted in millions, not in billions")
}

fn is_independent(name: &Domain, verified: Option<bool>) -> bool {
    let name = name.as_str();
    name != FAST_PASS && (!name.starts_with(ADVERSARIAL) || verified == Some(true))
}

/// Builds the panel, each name and family once.
#[derive(Default)]
struct SpeakersBuilder {
    panel: SpeakerNames,
    names: BTreeMap<Domain, u32>,
    families: BTreeMap<String, u32>,
    /// The last name: claims of one reviewer follow each other.
    last: Option<u32>,
}

impl SpeakersBuilder {
    fn voice(&mut self, name: &Domain) -> Voice {
        let name_index = match self.last.filter(|last| self.panel.names.get(*last as usize) == Some(name)) {
            Some(last) => last,
            None => *self.names.entry(name.clone()).or_insert_with(|| {
                // Threads that share a name would wait for each other whenever one of them copies it.
                self.panel.names.push(name.unshared());
                index(self.panel.names.len() - 1)
            }),
        };
        self.last = Some(name_index);
        Voice { name_index, family_index: None, is_independent: false, has_evidence: false, is_counted: false }
    }

    fn family(&mut self, family: &str) -> u32 {
        if let Some(index) = self.families.get(family) {
            return *index;
        }
        let number = index(self.panel.families.len());
        self.panel.families.push(family.to_owned());
        self.families.insert(family.to_owned(), number);
        number
    }

    /// Returns the reviewers that a synthesis names. The synthesis itself never counts as an independent reviewer.
    fn voices_of_synthesis(&mut self, claim: &mut Claim) -> (Vec<Voice>, Option<bool>) {
        let Some(support) = claim.support.take() else { return (Vec::new(), None) };
        let Support { reviewers, independent_reviewers, promoted, .. } = *support;
        let mut voices: Vec<Voice> = Vec::with_capacity(reviewers.len());
        for name in reviewers.iter().chain(&independent_reviewers) {
            let is_counted = independent_reviewers.contains(name);
            let is_independent = is_counted && name.as_str() != FAST_PASS;
            let voice = Voice { is_independent, is_counted, ..self.voice(name) };
            if !voices.iter().any(|other| other.name_index == voice.name_index) {
                voices.push(voice);
            }
        }
        let kept = Support { reviewers: Vec::new(), independent_reviewers: Vec::new(), promoted: None, ..*support };
        claim.support = (kept != Support::default()).then(|| Box::new(kept));
        (voices, promoted)
    }
}

/// Returns the family of a model: `anthropic/claude-x-4` and `opus` are of one.
pub fn family(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model).trim().to_lowercase();
    let word: String = name.chars().take_while(|c| c.is_alphabetic()).collect();
    match agents::family(&word) {
        Some(family) => family.to_owned(),
        None if word.is_empty() => name,
        None => word,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_found_through_the_names_of_models() {
        for (model, of) in [
            ("claude-opus-4-1", "claude"),
            ("anthropic/claude-sonnet-4.5", "claude"),
            ("Opus", "claude"),
            ("gpt-5-codex", "gpt"),
            ("o3-mini", "gpt"),
            ("gemini-2.5-pro", "gemini"),
            ("qwen3", "qwen"),
            ("7b-mystery", "7b-mystery"),
        ] {
            assert_eq!(family(model), of, "{model}");
        }
    }

    #[test]
    fn independence_follows_the_name() {
        let independent = |name: &str, verified| is_independent(&Domain::new(name).unwrap(), verified);
        assert!(independent("security", None));
        assert!(independent("adversarial", None));
        assert!(!independent("fast-pass", Some(true)));
        assert!(!independent("adversarial-gpt", None));
        assert!(!independent("adversarial-gpt", Some(false)));
        assert!(independent("adversarial-gpt", Some(true)));
    }
}
