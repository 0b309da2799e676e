//! Who saw what: a record in; for every changed place and every reviewer, whether it was shown it, out (DESIGN §1, promise 1).
//!
//! Taken from the record alone, so that a replay says the same. Deliberately not here: what a hole means for the verdict, which
//! is `judge`, and how the table is shown.

use std::collections::{BTreeMap, BTreeSet};

use jury_wire::v1::record::{File, Record, Run};

use crate::model::{Mode, ReviewerKind, closed_set};

closed_set! {
    /// What became of a place with a reviewer.
    Cell {
        /// The reviewer was shown it, ran to its end, and was understood.
        Seen = "seen",
        /// It should have been, and was not, or what came of it does not count.
        Missed = "missed",
        /// It is nothing that the reviewer is for.
        NotAsked = "not-asked",
    }
}

/// The places of a change against the reviewers of a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// The reviewers, in the order in which they were asked.
    pub reviewers: Vec<String>,
    /// The files, by path.
    pub rows: Vec<Row>,
}

/// One file of the change. Nobody is shown half of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its path.
    pub path: String,
    /// Its hunks, as `12` or `12-15` of the file after the change, `-12` or `-12-15` of the file before it; none if it changes as
    /// a whole.
    pub hunks: Vec<String>,
    /// One for each reviewer.
    pub cells: Vec<Cell>,
}

/// Names every place of a file: each hunk, or the file if it changes as a whole.
pub fn places(path: &str, hunks: &[String]) -> Vec<String> {
    match hunks.is_empty() {
        true => vec![path.to_owned()],
        false => hunks.iter().map(|hunk| format!("{path}:{hunk}")).collect(),
    }
}

impl Coverage {
    /// Reads who saw what from a record, of which these runs, by index, were not understood.
    pub fn of(record: &Record, unheard: &BTreeSet<usize>) -> Self {
        let shown = Shown::to_each(record, unheard);
        let cells = |path: &str| shown.iter().map(|shown| shown.cell(path)).collect();
        let reviewed = record.scope.files.iter().map(|file| (file.path.clone(), (hunks(file), cells(&file.path))));
        // What cannot be reviewed was shown to nobody.
        let nobody = || vec![Cell::Missed; shown.len()];
        let unreviewed = record.scope.unreviewed.iter().map(|it| (it.path.clone(), (Vec::new(), nobody())));
        let rows: BTreeMap<String, (Vec<String>, Vec<Cell>)> = reviewed.chain(unreviewed).collect();
        let row = |(path, (hunks, cells))| Row { path, hunks, cells };
        Self {
            reviewers: shown.iter().map(|shown| shown.reviewer.to_owned()).collect(),
            rows: rows.into_iter().map(row).collect(),
        }
    }

    /// Returns the files that an agent should have been asked about and was not, by reviewer: holes that no other gap explains.
    pub fn holes(record: &Record) -> Vec<(&str, Vec<&str>)> {
        // A second look is at some files only.
        if record.mode == Mode::Verify.token() {
            return Vec::new();
        }
        let files = || record.scope.files.iter().map(|file| file.path.as_str());
        let hole = |shown: Shown<'_>| files().filter(|path| shown.is_hole(path)).collect::<Vec<_>>();
        let reviewers = Shown::to_each(record, &BTreeSet::new()).into_iter().map(|shown| (shown.reviewer, hole(shown)));
        reviewers.filter(|(_, files)| !files.is_empty()).collect()
    }

    /// Says the table in sentences, alike rows together, for the report.
    pub fn lines(&self) -> Vec<String> {
        const MOST: usize = 100;
        let mut alike: Vec<(&[Cell], Vec<String>)> = Vec::new();
        for row in &self.rows {
            match alike.iter_mut().find(|(cells, _)| *cells == row.cells) {
                Some((_, places)) => places.extend(self::places(&row.path, &row.hunks)),
                None => alike.push((&row.cells, self::places(&row.path, &row.hunks))),
            }
        }
        let line = |(cells, places): (&[Cell], Vec<String>)| {
            let who = |wanted: Cell| {
                let named = self.reviewers.iter().zip(cells).filter(|(_, cell)| **cell == wanted);
                let names: Vec<&str> = named.map(|(name, _)| name.as_str()).collect();
                (!names.is_empty()).then(|| names.join(", "))
            };
            let parts = [
                who(Cell::Seen).map(|names| format!("seen by {names}")),
                who(Cell::Missed).map(|names| format!("missed by {names}")),
                who(Cell::NotAsked).map(|names| format!("not for {names}")),
            ];
            let more = places.len().saturating_sub(MOST);
            let more = if more == 0 { String::new() } else { format!(" and {more} more places") };
            let shown = places.into_iter().take(MOST).collect::<Vec<_>>().join(", ");
            format!("Coverage: {shown}{more}: {}.", parts.into_iter().flatten().collect::<Vec<_>>().join("; "))
        };
        alike.into_iter().map(line).collect()
    }
}

/// What one reviewer was shown, in all of its runs.
struct Shown<'r> {
    reviewer: &'r str,
    /// Whether some run was asked about everything, and how such a run ended.
    everything: Option<Cell>,
    /// The files that a run was asked about by name.
    named: BTreeMap<&'r str, Cell>,
    /// The files that it said it could not look at.
    unseen: BTreeSet<&'r str>,
    /// Whether it is given the change in briefs, and so is for all of it.
    is_for_all: bool,
}

impl<'r> Shown<'r> {
    fn to_each(record: &'r Record, unheard: &BTreeSet<usize>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let runs = record.runs.iter().enumerate().filter(|(_, run)| run.kind != ReviewerKind::Team.token());
        for (run_index, run) in runs {
            let known = all.iter().position(|shown| shown.reviewer == run.reviewer);
            let index = known.unwrap_or_else(|| {
                all.push(Self::nothing_to(&run.reviewer));
                all.len() - 1
            });
            all[index].add(run, !unheard.contains(&run_index));
        }
        all
    }

    fn nothing_to(reviewer: &'r str) -> Self {
        let (named, unseen) = (BTreeMap::new(), BTreeSet::new());
        Self { reviewer, everything: None, named, unseen, is_for_all: false }
    }

    fn add(&mut self, run: &'r Run, is_heard: bool) {
        if run.skipped.is_some() {
            return;
        }
        let has_ended = is_heard && run.failure.is_none() && run.output.is_some();
        let cell = if has_ended { Cell::Seen } else { Cell::Missed };
        // Where several runs are one reviewer's, it is enough that one has seen a file.
        let better = |before: Option<Cell>| if before == Some(Cell::Seen) { Cell::Seen } else { cell };
        match &run.files {
            None => self.everything = Some(better(self.everything)),
            Some(files) => {
                self.is_for_all |= run.kind != ReviewerKind::Tool.token();
                for file in files {
                    let before = self.named.get(file.as_str()).copied();
                    self.named.insert(file, better(before));
                }
            }
        }
        self.unseen.extend(run.unseen.iter().map(String::as_str));
    }

    fn cell(&self, path: &str) -> Cell {
        let asked = self.named.get(path).copied().or(self.everything);
        match asked {
            _ if self.unseen.contains(path) || self.is_hole(path) => Cell::Missed,
            Some(cell) => cell,
            None => Cell::NotAsked,
        }
    }

    fn is_hole(&self, path: &str) -> bool {
        let is_asked = self.everything.is_some() || self.named.contains_key(path) || self.unseen.contains(path);
        self.is_for_all && !is_asked
    }
}

fn hunks(file: &File) -> Vec<String> {
    let before = file.before.iter().map(|range| format!("-{range}"));
    file.after.iter().cloned().chain(before).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Returns a record of three files, one of which cannot be reviewed, with these runs.
    pub(crate) fn record(runs: serde_json::Value) -> Record {
        let file = |path: &str| serde_json::json!({"path": path, "change": "modified", "id": null, "after": ["3-4", "9"], "before": ["7"]});
        serde_json::from_value(serde_json::json!({
            "version": 1, "review_id": "a3f8c12b", "timestamp": "2025-01-01T00:00:00Z", "mode": "full",
            "scope": {
                "kind": "changeset", "target": "main..HEAD", "base_name": "main", "base": null, "head": null, "branch": null,
                "commits": [], "tree": "0".repeat(40), "patch": "0".repeat(64), "files": [file("a.ts"), file("b.ts")],
                "unreviewed": [{"path": "c.png", "why": "binary", "id": null}],
            },
            "policy": {"block_at": "High", "required": [], "abort_domains": []},
            "waivers": [], "runs": runs, "cited": {}, "gaps": [], "report_path": "", "decision": null,
        }))
        .unwrap()
    }

    pub(crate) fn run(reviewer: &str, kind: &str, more: serde_json::Value) -> serde_json::Value {
        let mut run = serde_json::json!({
            "reviewer": reviewer, "kind": kind, "definition": "", "format": null, "output": "[]", "failure": null,
        });
        run.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        run
    }

    #[test]
    fn every_place_has_a_cell_for_every_reviewer() {
        let record = record(serde_json::json!([
            run("security", "built-in", serde_json::json!({})),
            run("lint", "tool", serde_json::json!({"files": ["a.ts"]})),
            run("qa", "agent", serde_json::json!({"files": ["a.ts"], "failure": "it crashed"})),
            run("qa", "agent", serde_json::json!({"files": ["b.ts"]})),
            run("slow", "agent", serde_json::json!({"skipped": "it is not for this"})),
            run("team-agent", "team", serde_json::json!({})),
        ]));
        let coverage = Coverage::of(&record, &BTreeSet::new());
        assert_eq!(coverage.reviewers, ["security", "lint", "qa", "slow"]);
        let row = |path: &str| coverage.rows.iter().find(|row| row.path == path).unwrap().clone();
        assert_eq!(row("a.ts").hunks, ["3-4", "9", "-7"]);
        assert_eq!(row("a.ts").cells, [Cell::Seen, Cell::Seen, Cell::Missed, Cell::NotAsked]);
        assert_eq!(row("b.ts").cells, [Cell::Seen, Cell::NotAsked, Cell::Seen, Cell::NotAsked]);
        assert_eq!(row("c.png").cells, [Cell::Missed; 4]);
        assert_eq!(
            coverage.lines(),
            [
                "Coverage: a.ts:3-4, a.ts:9, a.ts:-7: seen by security, lint; missed by qa; not for slow.",
                "Coverage: b.ts:3-4, b.ts:9, b.ts:-7: seen by security, qa; not for lint, slow.",
                "Coverage: c.png: missed by security, lint, qa, slow.",
            ]
        );
        assert!(Coverage::holes(&record).is_empty());
        // Whoever was not understood has shown nothing to have been seen.
        assert_eq!(Coverage::of(&record, &BTreeSet::from([1])).rows[0].cells[1], Cell::Missed);
    }

    #[test]
    fn a_file_that_is_in_no_brief_is_a_hole() {
        let mut record = record(serde_json::json!([run("qa", "agent", serde_json::json!({"files": ["a.ts"]}))]));
        assert_eq!(Coverage::holes(&record), [("qa", vec!["b.ts"])]);
        assert_eq!(Coverage::of(&record, &BTreeSet::new()).rows[1].cells, [Cell::Missed]);
        // What it said itself that it could not look at is a gap already.
        record.runs[0].unseen = vec!["b.ts".to_owned()];
        assert!(Coverage::holes(&record).is_empty());
        assert_eq!(Coverage::of(&record, &BTreeSet::new()).rows[1].cells, [Cell::Missed]);
        record.runs[0].unseen.clear();
        record.mode = "verify".to_owned();
        assert!(Coverage::holes(&record).is_empty(), "a second look is at some files only");
    }
}
