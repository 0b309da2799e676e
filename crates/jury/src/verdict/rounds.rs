//! Many rounds of review and fix: the required findings before each round and now in; continue, review in full, or end, out.
//!
//! Pure, and so bounded: the rounds are counted by the driver, the clock is passed in as one word. Deliberately not
//! here: how a finding is known again from one review to the next, and the words for people.

use std::collections::BTreeSet;

use crate::model::Outcome;
use crate::model::closed_set;

closed_set! {
    /// How the rounds came to their end.
    End {
        /// Nothing required stands, in a tree that was reviewed in full and may merge.
        Converged = "converged",
        /// A system-breaking Blocker is open: the team is halted until a person has looked (003).
        Aborted = "aborted",
        /// Two rounds in a row ended with the same findings.
        Stuck = "stuck",
        /// A finding that was gone has come back.
        Oscillating = "oscillating",
        /// Two rounds in a row brought new findings.
        Regressing = "regressing",
        /// Nothing is left to fix, and the gate is closed all the same.
        Incomplete = "incomplete",
        /// Nothing is left to fix, and a person has to decide.
        Waiting = "waiting",
        /// There was no further round.
        OutOfRounds = "out_of_rounds",
        /// There was no more time.
        OutOfTime = "out_of_time",
        /// The models have taken all the money or tokens that there were.
        OutOfBudget = "out_of_budget",
    }
}

/// The next step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// Fix the required findings.
    Fix,
    /// Review the whole change.
    Review,
    /// Stop.
    End(End),
}

/// The identity of a finding during the rounds, even if it moves.
pub type Key = usize;

/// How things stand now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The outcome of the gate.
    pub gate: Outcome,
    /// The required findings that are not verified: a claim of "fixed", or a refusal, leaves a finding in here.
    pub required: BTreeSet<Key>,
    /// Whether one of these is open, and neither claimed to be fixed nor declined.
    pub is_open: bool,
    /// Whether the last full review saw this very tree.
    pub is_reviewed: bool,
    /// Whether the last look says that only a full review can tell.
    pub needs_review: bool,
}

/// Decides. `past` has the required findings of each round's start, oldest first; `over` is the end for want of time or money, if it
/// has come to that.
pub fn step(past: &[BTreeSet<Key>], now: &Position, most: usize, over: Option<End>) -> Step {
    if now.gate == Outcome::Aborted {
        return Step::End(End::Aborted);
    }
    let is_clean = now.gate == Outcome::Clear && !now.is_open;
    if is_clean && now.is_reviewed {
        return Step::End(End::Converged);
    }
    if let Some(over) = over {
        return Step::End(over);
    }
    let end = match now.gate {
        Outcome::Waiting if now.required.is_empty() => Some(End::Waiting),
        _ if now.required.is_empty() => Some(End::Incomplete),
        _ => trouble(past, now, most),
    };
    // No end is told of a tree that only a part of the reviewers has seen.
    match end {
        _ if !now.is_reviewed && (is_clean || now.needs_review || end.is_some()) => Step::Review,
        Some(end) => Step::End(end),
        None => Step::Fix,
    }
}

fn trouble(past: &[BTreeSet<Key>], now: &Position, most: usize) -> Option<End> {
    let last = past.last()?;
    let earlier = &past[..past.len() - 1];
    let is_seen = |key: &Key, sets: &[BTreeSet<Key>]| sets.iter().any(|set| set.contains(key));
    let came = |set: &BTreeSet<Key>, before: &[BTreeSet<Key>]| set.iter().any(|key| !is_seen(key, before));
    if now.required.iter().any(|key| !last.contains(key) && is_seen(key, earlier)) {
        Some(End::Oscillating)
    } else if !earlier.is_empty() && came(last, earlier) && came(&now.required, past) {
        Some(End::Regressing)
    } else if !earlier.is_empty() && now.required == *last {
        Some(End::Stuck)
    } else {
        (past.len() >= most).then_some(End::OutOfRounds)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn position(gate: Outcome, required: &[Key]) -> Position {
        let is_open = !required.is_empty();
        Position { gate, required: set(required), is_open, is_reviewed: true, needs_review: false }
    }

    fn set(keys: &[Key]) -> BTreeSet<Key> {
        keys.iter().copied().collect()
    }

    fn after(past: &[&[Key]], now: &[Key]) -> Step {
        let past: Vec<_> = past.iter().map(|keys| set(keys)).collect();
        step(&past, &position(if now.is_empty() { Outcome::Clear } else { Outcome::Blocked }, now), 5, None)
    }

    #[test]
    fn every_end_has_its_rounds() {
        let end = Step::End;
        assert_eq!(after(&[], &[]), end(End::Converged));
        assert_eq!(after(&[], &[1]), Step::Fix);
        assert_eq!(after(&[&[1]], &[1]), Step::Fix, "the reason of the second look may help");
        assert_eq!(after(&[&[1], &[1]], &[1]), end(End::Stuck));
        assert_eq!(after(&[&[1, 2], &[1]], &[1]), end(End::Stuck));
        assert_eq!(after(&[&[1, 2]], &[1]), Step::Fix);
        assert_eq!(after(&[&[1, 2], &[1]], &[]), end(End::Converged));
        assert_eq!(after(&[&[1], &[2]], &[1]), end(End::Oscillating));
        assert_eq!(after(&[&[1]], &[2]), Step::Fix, "one new finding can happen");
        assert_eq!(after(&[&[1], &[2]], &[3]), end(End::Regressing));
        assert_eq!(after(&[&[1], &[1, 2]], &[1, 2, 3]), end(End::Regressing));
        assert_eq!(after(&[&[1], &[2], &[2, 3]], &[3]), Step::Fix);
        assert_eq!(
            after(&[&[1, 2, 3, 4, 5], &[1, 2, 3, 4], &[1, 2, 3], &[1, 2], &[1, 2, 3]], &[1]),
            end(End::OutOfRounds)
        );
    }

    #[test]
    fn nothing_ends_before_the_tree_was_reviewed_in_full() {
        let unseen = |position: Position| Position { is_reviewed: false, ..position };
        let blocked = unseen(position(Outcome::Blocked, &[1]));
        assert_eq!(step(&[], &unseen(position(Outcome::Clear, &[])), 5, None), Step::Review);
        assert_eq!(step(&[set(&[1]), set(&[1])], &blocked, 5, None), Step::Review);
        assert_eq!(step(&[set(&[1])], &blocked, 1, None), Step::Review);
        assert_eq!(step(&[set(&[1])], &blocked, 5, None), Step::Fix);
        let told = Position { needs_review: true, ..blocked };
        assert_eq!(step(&[set(&[1])], &told, 5, None), Step::Review);
        assert_eq!(step(&[set(&[1])], &unseen(position(Outcome::Incomplete, &[])), 5, None), Step::Review);
    }

    #[test]
    fn a_closed_gate_without_anything_to_fix_is_no_success() {
        assert_eq!(step(&[], &position(Outcome::Incomplete, &[]), 5, None), Step::End(End::Incomplete));
        // Regardless of the policy, 003 wants every High fixed.
        assert_eq!(step(&[], &position(Outcome::Clear, &[1]), 5, None), Step::Fix);
        // A finding that the policy lets the author decline does not block.
        let declined = Position { is_open: false, ..position(Outcome::Clear, &[1]) };
        assert_eq!(step(&[set(&[1]), set(&[1])], &declined, 5, None), Step::End(End::Converged));
    }

    #[test]
    fn an_abort_comes_first_and_time_stops_all_but_success() {
        assert_eq!(step(&[], &position(Outcome::Aborted, &[1]), 5, Some(End::OutOfTime)), Step::End(End::Aborted));
        assert_eq!(step(&[], &position(Outcome::Blocked, &[1]), 5, Some(End::OutOfTime)), Step::End(End::OutOfTime));
        assert_eq!(step(&[], &position(Outcome::Clear, &[]), 5, Some(End::OutOfTime)), Step::End(End::Converged));
    }

    proptest! {
        /// In every case, only an open gate on a tree that was reviewed in full, with nothing open, is a success; and
        /// no further round starts when none is left.
        #[test]
        fn never_a_false_green(
            past in prop::collection::vec(prop::collection::btree_set(0_usize..6, 0..4), 0..6),
            required in prop::collection::btree_set(0_usize..6, 0..4),
            gate in prop::sample::select(vec![Outcome::Clear, Outcome::Blocked, Outcome::Incomplete, Outcome::Aborted]),
            [is_open, is_reviewed, needs_review] in any::<[bool; 3]>(),
            over in prop::sample::select(vec![None, Some(End::OutOfTime), Some(End::OutOfBudget)]),
        ) {
            let now = Position { gate, required, is_open, is_reviewed, needs_review };
            let step = step(&past, &now, 3, over);
            let is_green = now.gate == Outcome::Clear && is_reviewed && !is_open;
            prop_assert_eq!(step == Step::End(End::Converged), is_green);
            prop_assert!(step != Step::Fix || past.len() < 3);
            prop_assert!(step != Step::Review || !is_reviewed);
        }
    }
}
