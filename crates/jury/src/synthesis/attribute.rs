//! Reports in; candidates out, each with the reviewers that stand behind it. Who may count as independent is decided
//! here (004's mechanics): `fast-pass` never, `adversarial-…` only if that was verified, a synthesis as it says.

use std::collections::BTreeMap;

use super::SYNTHESIS;
use super::candidate::{Candidate, Grounding, Origin, Panel, Several, Voice};
use super::files::Files;
use crate::model::{Claim, Domain, Report, Support};

/// The reviewer that looks first and least closely.
pub(super) const FAST_PASS: &str = "fast-pass";
/// What the names of reviewers begin with that were told what to attack.
const ADVERSARIAL: &str = "adversarial-";

/// What reports say beside their claims.
pub(super) struct Remarks {
    pub(super) residual_risks: Vec<String>,
    pub(super) testing_gaps: Vec<String>,
}

/// Takes the reports apart.
pub(super) fn attribute(reports: Vec<Report>) -> (Vec<Candidate>, Panel, Remarks) {
    let mut candidates = Vec::with_capacity(reports.iter().map(|report| report.claims.len()).sum());
    let mut desk = Desk::default();
    let mut remarks = Remarks { residual_risks: Vec::new(), testing_gaps: Vec::new() };
    for (report_index, report) in reports.into_iter().enumerate() {
        let speaker = report.sole_reviewer().cloned();
        let family_index = report.facts.model.as_deref().map(|model| desk.family(model));
        let verified = report.facts.independence_verified;
        remarks.residual_risks.extend(report.residual_risks);
        remarks.testing_gaps.extend(report.testing_gaps);
        for (claim_index, mut claim) in report.claims.into_iter().enumerate() {
            let origin = Origin { report_index: index(report_index), claim_index: index(claim_index) };
            let name = claim.reviewer.take().or_else(|| speaker.clone()).unwrap_or_else(Domain::unnamed);
            let is_synthesised = name.as_str() == SYNTHESIS;
            let (voices, promoted) = if is_synthesised {
                let (voices, promoted) = desk.voices_of_synthesis(&mut claim);
                (Several::Many(voices), promoted)
            } else {
                let verified = claim.support.as_ref().and_then(|support| support.independence_verified).or(verified);
                let is_independent = is_independent(&name, verified);
                let voice = Voice { family_index, is_independent, ..desk.voice(&name) };
                (Several::One(voice), None)
            };
            let first = voices.first().filter(|_| is_synthesised).map(|voice| desk.panel.name(voice).clone());
            claim.reviewer = Some(first.unwrap_or(name));
            candidates.push(Candidate {
                claim: Box::new(claim),
                merged: Vec::new(),
                file: Files::NONE,
                origins: Several::One(origin),
                voices,
                trail: Vec::new(),
                grounding: Grounding::Unchecked,
                is_synthesised,
                promoted,
            });
        }
    }
    for texts in [&mut remarks.residual_risks, &mut remarks.testing_gaps] {
        texts.sort_unstable();
        texts.dedup();
    }
    (candidates, desk.panel, remarks)
}

fn index(number: usize) -> u32 {
    u32::try_from(number).expect("claims are counted in millions, not in billions")
}

fn is_independent(name: &Domain, verified: Option<bool>) -> bool {
    let name = name.as_str();
    name != FAST_PASS && (!name.starts_with(ADVERSARIAL) || verified == Some(true))
}

/// Seats everybody, each name and family once.
#[derive(Default)]
struct Desk {
    panel: Panel,
    names: BTreeMap<Domain, u32>,
    families: BTreeMap<String, u32>,
    /// Whom it seated last: claims of one reviewer follow each other.
    last: Option<u32>,
}

impl Desk {
    fn voice(&mut self, name: &Domain) -> Voice {
        let name_index = match self.last.filter(|last| self.panel.names.get(*last as usize) == Some(name)) {
            Some(last) => last,
            None => *self.names.entry(name.clone()).or_insert_with(|| {
                self.panel.names.push(name.clone());
                index(self.panel.names.len() - 1)
            }),
        };
        self.last = Some(name_index);
        Voice { name_index, family_index: None, is_independent: false, has_evidence: false, is_counted: false }
    }

    fn family(&mut self, model: &str) -> u32 {
        let family = family(model);
        *self.families.entry(family.clone()).or_insert_with(|| {
            self.panel.families.push(family);
            index(self.panel.families.len() - 1)
        })
    }

    /// Returns the reviewers that a synthesis names. The synthesis itself is nobody's independent reviewer.
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
fn family(model: &str) -> String {
    let name = model.rsplit('/').next().unwrap_or(model).trim().to_lowercase();
    let word: String = name.chars().take_while(|c| c.is_alphabetic()).collect();
    match word.as_str() {
        "claude" | "opus" | "sonnet" | "haiku" => "claude".to_owned(),
        "gpt" | "chatgpt" | "codex" | "o" => "gpt".to_owned(),
        "" => name,
        _ => word,
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
