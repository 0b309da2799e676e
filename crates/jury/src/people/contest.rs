//! The result of a contest. In: the facts of a contest. Out: whether the finding is refuted, waits for a person, or stands as it was.
//!
//! | who speaks against the finding | below High | High and Blocker |
//! |---|---|---|
//! | the tree refutes its premise, and what raised it by a rule does not raise it again | refuted | refuted |
//! | all who raised it concede, and two voices that are independent of each other do | refuted | a person decides |
//! | anybody upholds it | it stands | it stands |
//! | else | it stays as it was | it stays as it was |
//!
//! Deliberately not here: looking at the tree, and asking anybody (`flows/contest`).

use std::collections::BTreeMap;

use crate::model::{Contest, ContestResult, Severity, Stance};

/// Decides. `is_refuted`: whether the tree refutes the premise now, whatever is noted.
pub fn contest_result(contest: &Contest, is_refuted: bool) -> ContestResult {
    let has = |stance| contest.voices.iter().any(|voice| voice.stance == stance);
    if has(Stance::Upholds) {
        return ContestResult::Upheld;
    }
    let raisers = || contest.voices.iter().filter(|voice| voice.is_raiser);
    let is_free = !contest.voices.is_empty() || !contest.raised_by.is_empty();
    // A rule that raises it speaks by its own re-run; a model is not asked once the tree has answered.
    if is_refuted && is_free && raisers().all(|voice| voice.stance == Stance::Concedes) {
        return ContestResult::Refuted;
    }
    let every_raiser = contest.raised_by.iter().all(|name| {
        let own = raisers().filter(|voice| voice.reviewer == *name).collect::<Vec<_>>();
        !own.is_empty() && own.iter().all(|voice| voice.stance == Stance::Concedes)
    });
    let mut families: Vec<&str> = contest
        .voices
        .iter()
        .filter(|voice| voice.stance == Stance::Concedes)
        .map(|voice| voice.family.as_str())
        .collect();
    families.sort_unstable();
    families.dedup();
    match every_raiser && !contest.raised_by.is_empty() && families.len() >= 2 {
        true if contest.severity.is_at_least(Severity::High) => ContestResult::ForPerson,
        true => ContestResult::Conceded,
        false => ContestResult::Unanswered,
    }
}

/// How often somebody's findings were contested, or somebody contested, and with what success.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// How often.
    pub contested: usize,
    /// How often the finding was refuted or conceded.
    pub lost: usize,
}

/// The counts of contests: by the reviewer that raised the finding, and by who contested it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// By reviewer.
    pub reviewers: BTreeMap<String, Count>,
    /// By author.
    pub authors: BTreeMap<String, Count>,
}

/// Counts contests.
pub fn contest_counts<'c>(contests: impl IntoIterator<Item = &'c Contest>) -> Counts {
    let mut counts = Counts::default();
    for contest in contests {
        let result = contest_result(contest, contest.refuted.is_some());
        let lost = usize::from(result.settles() || result == ContestResult::ForPerson);
        let add = |count: &mut Count| *count = Count { contested: count.contested + 1, lost: count.lost + lost };
        contest.raised_by.iter().for_each(|name| add(counts.reviewers.entry(name.to_string()).or_default()));
        add(counts.authors.entry(contest.by.clone()).or_default());
    }
    counts
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::model::{ContestVoice, CounterEvidence, Day, Domain, Fingerprint, Premise, TreeId};

    fn domain(name: &str) -> Domain {
        Domain::new(name).unwrap()
    }

    fn voice(name: &str, family: &str, is_raiser: bool, stance: Stance) -> ContestVoice {
        ContestVoice {
            reviewer: domain(name),
            family: family.to_owned(),
            is_raiser,
            stance,
            why: "so".to_owned(),
            answer: None,
        }
    }

    pub(in crate::people) fn contest(severity: Severity, voices: Vec<ContestVoice>) -> Contest {
        Contest {
            finding: "qa-3213ecb0-2".to_owned(),
            fingerprint: Fingerprint::new(&domain("qa"), "t", "a", ""),
            severity,
            raised_by: vec![domain("qa")],
            tree: TreeId::new(&"a".repeat(40)).unwrap(),
            by: "Lee".to_owned(),
            reason: "it is there".to_owned(),
            evidence: CounterEvidence::Reason,
            refuted: None,
            voices,
            day: Day::new("2026-02-16").unwrap(),
        }
    }

    fn refuted(severity: Severity, voices: Vec<ContestVoice>) -> ContestResult {
        contest_result(&contest(severity, voices), true)
    }

    fn asked(severity: Severity, voices: Vec<ContestVoice>) -> ContestResult {
        contest_result(&contest(severity, voices), false)
    }

    #[test]
    fn two_independent_concessions_refute_below_high_and_a_person_decides_above() {
        use Stance::{Concedes, Silent, Upholds};
        let both = || vec![voice("qa", "claude", true, Concedes), voice("second", "gpt", false, Concedes)];
        for (severity, result) in [
            (Severity::Low, ContestResult::Conceded),
            (Severity::Medium, ContestResult::Conceded),
            (Severity::High, ContestResult::ForPerson),
            (Severity::Blocker, ContestResult::ForPerson),
        ] {
            assert_eq!(asked(severity, both()), result);
        }
        let table: Vec<(Vec<ContestVoice>, ContestResult)> = vec![
            (vec![], ContestResult::Unanswered),
            (vec![voice("qa", "claude", true, Concedes)], ContestResult::Unanswered),
            (vec![voice("qa", "claude", true, Silent)], ContestResult::Unanswered),
            // The same model twice is one voice, and so are two who did not raise it.
            (
                vec![voice("qa", "claude", true, Concedes), voice("second", "claude", false, Concedes)],
                ContestResult::Unanswered,
            ),
            (
                vec![voice("a", "gpt", false, Concedes), voice("b", "gemini", false, Concedes)],
                ContestResult::Unanswered,
            ),
            (
                vec![voice("qa", "claude", true, Silent), voice("second", "gpt", false, Concedes)],
                ContestResult::Unanswered,
            ),
            (
                vec![voice("qa", "claude", true, Concedes), voice("second", "gpt", false, Upholds)],
                ContestResult::Upheld,
            ),
            (
                vec![voice("qa", "claude", true, Upholds), voice("second", "gpt", false, Concedes)],
                ContestResult::Upheld,
            ),
        ];
        for (voices, result) in table {
            assert_eq!(asked(Severity::Medium, voices.clone()), result, "{voices:?}");
        }
    }

    #[test]
    fn the_tree_refutes_unless_a_rule_raises_it_again() {
        use Stance::{Concedes, Silent, Upholds};
        assert_eq!(refuted(Severity::Blocker, vec![]), ContestResult::Refuted);
        assert_eq!(
            refuted(Severity::High, vec![voice("security", "security", true, Concedes)]),
            ContestResult::Refuted
        );
        assert_eq!(refuted(Severity::High, vec![voice("security", "security", true, Upholds)]), ContestResult::Upheld);
        assert_eq!(
            refuted(Severity::High, vec![voice("security", "security", true, Silent)]),
            ContestResult::Unanswered
        );
        let nobody = Contest { raised_by: Vec::new(), ..contest(Severity::High, vec![]) };
        assert_eq!(contest_result(&nobody, true), ContestResult::Unanswered, "a finding of nobody");
        assert_eq!(contest_result(&nobody, false), ContestResult::Unanswered);
    }

    #[test]
    fn contests_are_counted_by_reviewer_and_author() {
        let won = Contest {
            refuted: Some((Premise::FileMissing, "it is there".to_owned())),
            ..contest(Severity::High, vec![])
        };
        let lost = contest(Severity::High, vec![voice("qa", "claude", true, Stance::Upholds)]);
        let other = Contest { by: "Kim".to_owned(), ..lost.clone() };
        let counts = contest_counts([&won, &lost, &other]);
        assert_eq!(counts.reviewers["qa"], Count { contested: 3, lost: 1 });
        assert_eq!(counts.authors["Lee"], Count { contested: 2, lost: 1 });
        assert_eq!(counts.authors["Kim"], Count { contested: 1, lost: 0 });
    }
}
