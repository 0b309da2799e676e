//! Scores. In: the rows of one file, and what the specialists said of it. Out: what became of each row, and which findings
//! no row judges; sums of them, with precision and recall.

use std::cmp::Reverse;

use super::families::are_alike;
use super::truth::{Row, Verdict, Weakness};

/// One finding, as far as it is held against the truth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Said {
    pub(crate) rule: String,
    pub(crate) cwe: Option<u32>,
    /// Its first and last line.
    pub(crate) lines: (u32, u32),
    /// In the words of 004, `P0` to `P3`.
    pub(crate) severity: String,
    pub(crate) confidence: u32,
    pub(crate) title: String,
}

/// What became of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Vulnerable, and a finding says so.
    Found,
    /// Vulnerable, and none does.
    Missed,
    /// Safe, and a finding says otherwise.
    False,
    /// Safe, and none does.
    Quiet,
}

impl Said {
    /// Tells whether it is shown: 004's thresholds.
    pub(crate) fn is_reported(&self) -> bool {
        self.confidence >= 75 || self.severity == "P0" && self.confidence >= 50
    }

    /// Tells whether it is of the weakness that a row is about.
    fn is_about(&self, row: &Row) -> bool {
        row.weaknesses.iter().any(|weakness| match weakness {
            Weakness::Any => true,
            Weakness::Cwe(number) => self.cwe.is_some_and(|cwe| are_alike(cwe, *number)),
            Weakness::Rule(id) => *id == self.rule,
        })
    }

    /// Returns how many lines lie between it and a line, and how many between its start and the line.
    fn distance(&self, line: u32) -> (u32, u32) {
        let (first, last) = self.lines;
        (first.saturating_sub(line).max(line.saturating_sub(last)), first.abs_diff(line))
    }

    /// Returns how near it is to a row that it judges; a row about the whole file is farther than any line.
    fn nearness(&self, row: &Row, within: u32) -> Option<Reverse<(u32, u32)>> {
        let distance = row.line.map_or((u32::MAX, u32::MAX), |line| self.distance(line));
        let is_near = row.line.is_none() || distance.0 <= within;
        (is_near && self.is_about(row)).then_some(Reverse(distance))
    }
}

/// Says what became of the rows of one file, in their order, and which reported findings none of them judges.
///
/// A finding that could be meant for two rows of opposite verdicts is meant for the nearer one: a bad twin three lines
/// above a good one is not its false alarm.
pub(crate) fn judge(rows: &[&Row], said: &[Said], within: u32) -> (Vec<Outcome>, Vec<usize>) {
    let mut is_hit = vec![false; rows.len()];
    let mut unjudged = Vec::new();
    for (index, finding) in said.iter().enumerate().filter(|(_, finding)| finding.is_reported()) {
        let nearness: Vec<_> = rows.iter().map(|row| finding.nearness(row, within)).collect();
        if nearness.iter().all(Option::is_none) {
            unjudged.push(index);
        }
        let nearest = |verdict: Verdict| {
            let of_it = rows.iter().zip(&nearness).filter(|(row, _)| row.verdict == verdict);
            of_it.filter_map(|(_, nearness)| *nearness).max()
        };
        let (vulnerable, safe) = (nearest(Verdict::Vulnerable), nearest(Verdict::Safe));
        for ((row, nearness), is_hit) in rows.iter().zip(&nearness).zip(&mut is_hit) {
            let opposite = if row.verdict == Verdict::Safe { vulnerable } else { safe };
            *is_hit |= nearness.is_some() && *nearness >= opposite;
        }
    }
    let outcome = |(row, is_hit): (&&Row, bool)| match (row.verdict, is_hit) {
        (Verdict::Vulnerable, true) => Outcome::Found,
        (Verdict::Vulnerable, false) => Outcome::Missed,
        (Verdict::Safe, true) => Outcome::False,
        (Verdict::Safe, false) => Outcome::Quiet,
    };
    (rows.iter().zip(is_hit).map(outcome).collect(), unjudged)
}

/// What a group of rows came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sums {
    pub(crate) found: usize,
    pub(crate) missed: usize,
    pub(crate) false_alarms: usize,
    pub(crate) quiet: usize,
}

impl Sums {
    pub(crate) fn add(&mut self, outcome: Outcome) {
        *match outcome {
            Outcome::Found => &mut self.found,
            Outcome::Missed => &mut self.missed,
            Outcome::False => &mut self.false_alarms,
            Outcome::Quiet => &mut self.quiet,
        } += 1;
    }

    pub(crate) fn rows(&self) -> usize {
        self.found + self.missed + self.false_alarms + self.quiet
    }

    /// Returns the pairs of a vulnerable and a safe row.
    pub(crate) fn pairs(&self) -> usize {
        (self.found + self.missed).min(self.false_alarms + self.quiet)
    }

    /// Returns the share of what was said that is true; nothing if nothing was said.
    pub(crate) fn precision(&self) -> Option<f64> {
        share(self.found, self.found + self.false_alarms)
    }

    /// Returns the share of what is true that was said; nothing if there is nothing to say.
    pub(crate) fn recall(&self) -> Option<f64> {
        share(self.found, self.found + self.missed)
    }

    /// Returns the harmonic mean of both; nothing if no row is vulnerable.
    pub(crate) fn f1(&self) -> Option<f64> {
        self.recall().and(share(2 * self.found, 2 * self.found + self.false_alarms + self.missed))
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::super::truth;
    use super::*;

    fn said(lines: (u32, u32), cwe: u32) -> Said {
        let (rule, title) = ("a-rule".to_owned(), "something".to_owned());
        Said { rule, cwe: Some(cwe), lines, severity: "P1".to_owned(), confidence: 75, title }
    }

    /// Judges rows written as `line verdict weakness`, and returns a letter for what became of each, and how many findings none judges.
    fn judged(rows: &[&str], said: &[Said], within: u32) -> (String, usize) {
        let text: String = rows.iter().map(|row| format!("a\t{}\n", row.replace(' ', "\t"))).collect();
        let table = truth::read(&text);
        assert_eq!(table.bad, []);
        let (outcomes, unjudged) = judge(&table.rows.iter().collect::<Vec<_>>(), said, within);
        let letter = |outcome: &Outcome| match outcome {
            Outcome::Found => 'f',
            Outcome::Missed => 'm',
            Outcome::False => 'X',
            Outcome::Quiet => 'q',
        };
        (outcomes.iter().map(letter).collect(), unjudged.len())
    }

    #[test]
    fn a_finding_counts_on_its_line_and_of_its_family() {
        let rows = ["3 vulnerable 89", "5 safe 89", "7 vulnerable 89", "9 safe 89"];
        assert_eq!(judged(&rows, &[said((3, 3), 89), said((5, 5), 564)], 0), ("fXmq".to_owned(), 0));
        assert_eq!(judged(&rows, &[said((3, 3), 79), said((4, 4), 89)], 0), ("mqmq".to_owned(), 2));
        assert_eq!(judged(&["3 vulnerable -", "4 safe -"], &[said((3, 3), 79), said((4, 4), 1)], 0).0, "fX");
        assert_eq!(judged(&["3 vulnerable a-rule", "3 safe b-rule"], &[said((3, 3), 1)], 0).0, "fq");
        assert_eq!(judged(&["3 vulnerable 1,89"], &[said((3, 3), 89)], 0).0, "f");
    }

    #[test]
    fn only_what_is_reported_counts() {
        let weak = |severity: &str, confidence| Said { severity: severity.to_owned(), confidence, ..said((3, 3), 89) };
        for (severity, confidence, outcome) in [("P1", 74, "m"), ("P0", 50, "f"), ("P0", 49, "m"), ("P3", 75, "f")] {
            let judged = judged(&["3 vulnerable 89"], &[weak(severity, confidence)], 0);
            assert_eq!(judged, (outcome.to_owned(), 0), "{severity} {confidence}");
        }
        assert_eq!(judged(&["4 vulnerable 89"], &[weak("P1", 50)], 0).1, 0);
    }

    #[test]
    fn a_finding_over_several_lines_covers_them_all() {
        assert_eq!(judged(&["3 vulnerable 89", "6 vulnerable 89"], &[said((2, 5), 89)], 0).0, "fm");
        assert_eq!(judged(&["2 vulnerable 89", "4 vulnerable 89"], &[said((2, 5), 89)], 0).0, "ff");
        // It is about the line it starts in, not about the harmless one that it runs over.
        assert_eq!(judged(&["2 vulnerable 89", "4 safe 89"], &[said((2, 5), 89)], 0).0, "fq");
        assert_eq!(judged(&["2 safe 89", "4 vulnerable 89"], &[said((2, 5), 89)], 0).0, "Xm");
    }

    #[test]
    fn a_tolerance_reaches_the_nearer_row() {
        assert_eq!(judged(&["5 vulnerable 89"], &[said((3, 3), 89)], 1).0, "m");
        assert_eq!(judged(&["5 vulnerable 89"], &[said((7, 7), 89)], 2).0, "f");
        assert_eq!(judged(&["5 vulnerable 89", "7 safe 89"], &[said((5, 5), 89)], 3).0, "fq");
        assert_eq!(judged(&["5 vulnerable 89", "7 safe 89"], &[said((7, 7), 89)], 3).0, "mX");
    }

    #[test]
    fn a_row_about_a_file_takes_what_no_line_takes() {
        assert_eq!(judged(&["0 vulnerable 89"], &[said((70, 70), 89)], 0).0, "f");
        assert_eq!(judged(&["0 safe 89"], &[said((70, 70), 79)], 0), ("q".to_owned(), 1));
        assert_eq!(judged(&["0 vulnerable 89", "7 safe 89"], &[said((7, 7), 89)], 0).0, "mX");
    }

    #[test]
    fn precision_and_recall_are_shares_of_rows() {
        let sums = Sums { found: 6, missed: 2, false_alarms: 3, quiet: 1 };
        assert_eq!((sums.rows(), sums.pairs()), (12, 4));
        assert_eq!((sums.precision(), sums.recall()), (Some(6.0 / 9.0), Some(0.75)));
        assert_eq!(sums.f1(), Some(12.0 / 17.0));
        let silent = Sums { quiet: 4, ..Sums::default() };
        assert_eq!((silent.precision(), silent.recall(), silent.f1()), (None, None, None));
    }
}
