//! Coverage: a record in; for every changed place and every reviewer, whether the reviewer saw it, out (DESIGN §1, promise 1).
//!
//! Taken from the record alone, so that a replay says the same. Deliberately not here: the effect of a hole on the verdict, which
//! is `judge`, and how the table is shown.

use std::collections::{BTreeMap, BTreeSet};

use super::{NotRead, Record, RecordedFile, Run};
use crate::model::{Domain, Mode, RepoPath, ReviewerKind, closed_set};

closed_set! {
    /// Whether a reviewer saw a place.
    Cell {
        /// The reviewer was shown it, ran to its end, and was understood. Of a built-in one: a grammar read its code and
        /// rules ran, or it is prose or data.
        Seen = "seen",
        /// It holds code that no grammar reads: the reviewer searched it as text, and did not read it.
        TextOnly = "text-only",
        /// It should have been, but was not, or the answer does not count.
        Missed = "missed",
        /// It is nothing that the reviewer is for.
        NotAsked = "not-asked",
        /// It is an image, which was checked by its structure.
        Checked = "checked",
        /// The base lets it pass as a binary file.
        LetPass = "let-pass",
        /// The base excludes it: it was searched for secrets, and nobody read it.
        Excluded = "excluded",
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

/// One file of the change. No reviewer sees half of one.
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

/// The files with code that no grammar reads, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextOnly<'r> {
    /// Nobody else read these: each is a gap.
    pub unread: Vec<&'r RepoPath>,
    /// The policy of the base lets these pass as text.
    pub let_pass: Vec<&'r RepoPath>,
}

impl<'r> TextOnly<'r> {
    /// Finds them in a record. A file that a reviewer of the team was given by name, and answered about, was read.
    pub fn of(record: &'r Record) -> Self {
        let is_own = |run: &&Run| matches!(run.kind, ReviewerKind::BuiltIn | ReviewerKind::Team | ReviewerKind::Check);
        let others: Vec<&Run> = record.runs.iter().filter(|run| !is_own(run) && run.has_to_answer()).collect();
        let is_given = |run: &&&Run, path: &RepoPath| run.files.as_ref().is_some_and(|files| files.contains(path));
        let could = |run: &&Run, path: &RepoPath| run.unseen().iter().all(|unseen| unseen.path != *path);
        let is_read = |path: &RepoPath| {
            others.iter().any(|run| is_given(&run, path) && run.answer().is_some() && could(run, path))
        };
        let answers = record.runs.iter().filter_map(Run::answer);
        let all: BTreeSet<&RepoPath> = answers.flat_map(|answer| &answer.text_only).collect();
        let passing = record.policy.scope.passing_as_text();
        let (let_pass, unread) =
            all.into_iter().filter(|path| !is_read(path)).partition(|path| passing.is_match(path.as_str()));
        Self { unread, let_pass }
    }

    /// Says in one line which files were read as text only; `None` if there are none.
    pub fn line(&self) -> Option<String> {
        const MOST: usize = 5;
        let all: Vec<String> =
            self.unread.iter().chain(&self.let_pass).map(|path| on_one_line(path.as_str())).collect();
        let more = all.len().saturating_sub(MOST);
        let more = if more == 0 { String::new() } else { format!(" and {more} more") };
        let shown = all.into_iter().take(MOST).collect::<Vec<_>>().join(", ");
        (!shown.is_empty()).then(|| format!("read as text only: {shown}{more}"))
    }
}

/// Names every place of a file: each hunk, or the file if it changes as a whole.
pub fn places(path: &str, hunks: &[String]) -> Vec<String> {
    let path = on_one_line(path);
    match hunks.is_empty() {
        true => vec![path],
        false => hunks.iter().map(|hunk| format!("{path}:{hunk}")).collect(),
    }
}

/// Escapes the control characters of a path, so that it breaks no line.
pub fn on_one_line(path: &str) -> String {
    let shown = |c: char| if c.is_control() { c.escape_default().to_string() } else { c.to_string() };
    path.chars().map(shown).collect()
}

impl Coverage {
    /// Reads the coverage from a record, of which these runs, by index, were not understood.
    pub fn of(record: &Record, unheard: &BTreeSet<usize>) -> Self {
        let shown = Shown::to_each(record, unheard);
        let not_read = NotRead::of(record);
        let aside = not_read.checked.iter().map(|(path, _)| (path.as_str(), Cell::Checked));
        let aside = aside.chain(not_read.let_pass.iter().map(|path| (*path, Cell::LetPass)));
        let aside: BTreeMap<&str, Cell> =
            aside.chain(not_read.excluded.iter().map(|path| (path.as_str(), Cell::Excluded))).collect();
        let cells = |path: &str| match aside.get(path) {
            Some(cell) => vec![*cell; shown.len()],
            None => shown.iter().map(|shown| shown.cell(path)).collect(),
        };
        let reviewed =
            record.scope.files.iter().map(|file| (file.path.to_string(), (hunks(file), cells(file.path.as_str()))));
        // No reviewer saw an unreviewable file.
        let nobody = |path: &str| vec![aside.get(path).copied().unwrap_or(Cell::Missed); shown.len()];
        let unreviewed = record.scope.unreviewed.iter().map(|it| (it.path.clone(), (Vec::new(), nobody(&it.path))));
        let rows: BTreeMap<String, (Vec<String>, Vec<Cell>)> = reviewed.chain(unreviewed).collect();
        let row = |(path, (hunks, cells))| Row { path, hunks, cells };
        Self {
            reviewers: shown.iter().map(|shown| shown.reviewer.to_string()).collect(),
            rows: rows.into_iter().map(row).collect(),
        }
    }

    /// Returns the files that an agent should have been asked about and was not, by reviewer: holes that no other gap explains.
    pub fn holes(record: &Record) -> Vec<(&Domain, Vec<&str>)> {
        // A second look is at some files only.
        if record.mode == Mode::Verify {
            return Vec::new();
        }
        let is_read = |file: &&RecordedFile| file.asset.is_none() && !record.scope.excluded.contains(&file.path);
        let files = || record.scope.files.iter().filter(is_read).map(|file| file.path.as_str());
        let hole = |shown: Shown<'_>| files().filter(|path| shown.is_hole(path)).collect::<Vec<_>>();
        let has_to_answer = |shown: &Shown<'_>| {
            let runs = record.runs.iter().filter(|run| run.reviewer == *shown.reviewer);
            runs.into_iter().any(|run| run.has_to_answer() && run.stands_in_for.is_none())
        };
        let shown = Shown::to_each(record, &BTreeSet::new()).into_iter().filter(has_to_answer);
        let reviewers = shown.map(|shown| (shown.reviewer, hole(shown)));
        reviewers.filter(|(_, files)| !files.is_empty()).collect()
    }

    /// Says the table in sentences, alike rows together, for the report.
    pub fn lines(&self) -> Vec<String> {
        const MOST: usize = 100;
        let mut alike: Vec<(&[Cell], Vec<String>)> = Vec::new();
        // What nobody has to read is named by itself.
        let is_asked =
            |row: &&Row| !row.cells.iter().any(|cell| matches!(cell, Cell::Checked | Cell::LetPass | Cell::Excluded));
        for row in self.rows.iter().filter(is_asked) {
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
                who(Cell::TextOnly).map(|names| format!("read as text only by {names}")),
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

/// The files that one reviewer saw, in all of its runs.
struct Shown<'r> {
    reviewer: &'r Domain,
    /// Whether some run was asked about everything, and how such a run ended.
    everything: Option<Cell>,
    /// The files that a run was asked about by name.
    named: BTreeMap<&'r str, Cell>,
    /// The files that it said it could not look at.
    unseen: BTreeSet<&'r str>,
    /// The files whose code it has no grammar for.
    text_only: BTreeSet<&'r str>,
    /// The files that its briefs left out.
    left_out: BTreeSet<&'r str>,
    /// Whether it is given the change in briefs, and so is for all of it.
    is_for_all: bool,
}

impl<'r> Shown<'r> {
    fn to_each(record: &'r Record, unheard: &BTreeSet<usize>) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        // A check looks at no file: it runs.
        let is_reader = |run: &Run| !matches!(run.kind, ReviewerKind::Team | ReviewerKind::Check);
        let runs = record.runs.iter().enumerate().filter(|(_, run)| is_reader(run));
        for (run_index, run) in runs {
            let known = all.iter().position(|shown| *shown.reviewer == run.reviewer);
            let index = known.unwrap_or_else(|| {
                all.push(Self::nothing_to(&run.reviewer));
                all.len() - 1
            });
            all[index].add(run, !unheard.contains(&run_index));
        }
        all
    }

    fn nothing_to(reviewer: &'r Domain) -> Self {
        let (named, unseen, text_only) = (BTreeMap::new(), BTreeSet::new(), BTreeSet::new());
        let left_out = BTreeSet::new();
        Self { reviewer, everything: None, named, unseen, text_only, left_out, is_for_all: false }
    }

    fn add(&mut self, run: &'r Run, is_heard: bool) {
        if run.skipped().is_some() {
            return;
        }
        let has_ended = is_heard && run.answer().is_some();
        let cell = if has_ended { Cell::Seen } else { Cell::Missed };
        // Where several runs are one reviewer's, it is enough that one has seen a file.
        let better = |before: Option<Cell>| if before == Some(Cell::Seen) { Cell::Seen } else { cell };
        match &run.files {
            None => self.everything = Some(better(self.everything)),
            Some(files) => {
                self.is_for_all |= run.kind != ReviewerKind::Tool;
                for file in files {
                    let before = self.named.get(file.as_str()).copied();
                    self.named.insert(file.as_str(), better(before));
                }
            }
        }
        self.left_out.extend(run.left_out.iter().map(RepoPath::as_str));
        self.unseen.extend(run.unseen().iter().map(|unseen| unseen.path.as_str()));
        let text_only = run.answer().into_iter().flat_map(|answer| &answer.text_only);
        self.text_only.extend(text_only.map(RepoPath::as_str));
    }

    fn cell(&self, path: &str) -> Cell {
        let asked = self.named.get(path).copied().or(self.everything);
        match asked {
            _ if self.unseen.contains(path) || self.is_hole(path) => Cell::Missed,
            Some(Cell::Seen) if self.text_only.contains(path) => Cell::TextOnly,
            Some(cell) => cell,
            None => Cell::NotAsked,
        }
    }

    fn is_hole(&self, path: &str) -> bool {
        let is_asked = self.everything.is_some() || self.named.contains_key(path) || self.unseen.contains(path);
        self.is_for_all && !is_asked && !self.left_out.contains(path)
    }
}

fn hunks(file: &RecordedFile) -> Vec<String> {
    let before = file.before.iter().map(|range| format!("-{range}"));
    file.after.iter().map(ToString::to_string).chain(before).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::model::{
        FileChange, LineRange, PatchId, Policy, RepoPath, ReviewId, ScopeKind, ScopePolicy, Timestamp, TreeId,
        Unreviewed, UnreviewedReason,
    };
    use crate::record::{NoAnswer, Output, RecordedAnswer, RecordedPolicy, RecordedScope, UnseenFile};

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    /// Returns a record of three files, one of which cannot be reviewed, with these runs.
    pub(crate) fn record(runs: Vec<Run>) -> Record {
        let lines = |ranges: &[&str]| ranges.iter().map(|range| LineRange::parse(range).unwrap()).collect();
        let file = |name: &str| RecordedFile {
            path: path(name),
            change: FileChange::Modified,
            id: None,
            patch: None,
            after: lines(&["3-4", "9"]),
            before: lines(&["7"]),
            asset: None,
        };
        Record {
            review_id: ReviewId::new("a3f8c12b").unwrap(),
            timestamp: Timestamp::new("2025-01-01T00:00:00Z").unwrap(),
            mode: Mode::Full,
            scope: RecordedScope {
                kind: ScopeKind::Changeset,
                target: "main..HEAD".to_owned(),
                base_name: "main".to_owned(),
                base: None,
                base_rule: None,
                base_local_only: false,
                head: None,
                branch: None,
                commits: Vec::new(),
                tree: TreeId::new(&"0".repeat(40)).unwrap(),
                patch: PatchId::new(&"0".repeat(64)).unwrap(),
                files: vec![file("a.ts"), file("b.ts")],
                unreviewed: vec![Unreviewed { path: "c.png".to_owned(), why: UnreviewedReason::Binary, id: None }],
                excluded: BTreeSet::new(),
            },
            policy: RecordedPolicy { policy: Policy::default(), required: Vec::new(), scope: ScopePolicy::default() },
            waivers: Vec::new(),
            base_day: None,
            runs,
            base_look: Some(crate::model::BaseLook::default()),
            cited: BTreeMap::new(),
            guidelines: BTreeMap::new(),
            gaps: Vec::new(),
            report_path: None,
            decision: None,
            found: None,
            since: None,
            verification: None,
        }
    }

    /// Returns a run about these files that printed a text.
    pub(crate) fn run(reviewer: &str, kind: ReviewerKind, files: Option<&[&str]>, printed: &str) -> Run {
        let output = Output::Printed(printed.to_owned());
        Run {
            reviewer: Domain::new(reviewer).unwrap(),
            domain: Domain::new(reviewer).unwrap(),
            kind,
            model: None,
            definition: String::new(),
            format: None,
            files: files.map(|files| files.iter().map(|file| path(file)).collect()),
            result: Ok(RecordedAnswer {
                output,
                unseen: Vec::new(),
                broken: Vec::new(),
                text_only: Vec::new(),
                packages: Default::default(),
                nonce: None,
            }),
            usage: None,
            is_cached: false,
            is_again: false,
            weighting: crate::model::Weighting::default(),
            stands_in_for: None,
            unconfined: None,
            links: Vec::new(),
            left_out: Vec::new(),
            criteria: Vec::new(),
        }
    }

    #[test]
    fn every_place_has_a_cell_for_every_reviewer() {
        let crashed = Err(NoAnswer::Failed { why: "it crashed".to_owned(), printed: None });
        let skipped = Err(NoAnswer::Skipped("it is not for this".to_owned()));
        let record = record(vec![
            run("security", ReviewerKind::BuiltIn, None, "[]"),
            run("lint", ReviewerKind::Tool, Some(&["a.ts"]), "[]"),
            Run { result: crashed, ..run("qa", ReviewerKind::Agent, Some(&["a.ts"]), "[]") },
            run("qa", ReviewerKind::Agent, Some(&["b.ts"]), "[]"),
            Run { result: skipped, ..run("slow", ReviewerKind::Agent, None, "[]") },
            run("team-agent", ReviewerKind::Team, None, "[]"),
        ]);
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
        // An answer that was not understood proves no coverage.
        assert_eq!(Coverage::of(&record, &BTreeSet::from([1])).rows[0].cells[1], Cell::Missed);
    }

    #[test]
    fn code_that_no_grammar_reads_is_not_seen() {
        let mut record = record(vec![run("security", ReviewerKind::BuiltIn, None, "[]")]);
        record.runs[0].result.as_mut().unwrap().text_only = vec![path("b.ts")];
        let text_only = |record: &Record| {
            let TextOnly { unread, let_pass } = TextOnly::of(record);
            (unread.into_iter().cloned().collect::<Vec<_>>(), let_pass.into_iter().cloned().collect::<Vec<_>>())
        };
        assert_eq!(Coverage::of(&record, &BTreeSet::new()).rows[1].cells, [Cell::TextOnly]);
        let line = &Coverage::of(&record, &BTreeSet::new()).lines()[1];
        assert_eq!(line, "Coverage: b.ts:3-4, b.ts:9, b.ts:-7: read as text only by security.");
        assert_eq!(text_only(&record), (vec![path("b.ts")], Vec::new()));
        assert_eq!(TextOnly::of(&record).line().as_deref(), Some("read as text only: b.ts"));
        // The base may let it pass.
        record.policy.scope.text_only = vec!["*.ts".to_owned()];
        assert_eq!(text_only(&record), (Vec::new(), vec![path("b.ts")]));
        record.policy.scope.text_only = vec!["src/*.ts".to_owned()];
        assert_eq!(text_only(&record), (vec![path("b.ts")], Vec::new()));
        // A tool that was started on everything chooses its files itself; one that was given the file has read it.
        record.runs.push(run("lint", ReviewerKind::Tool, None, "[]"));
        assert_eq!(text_only(&record).0, [path("b.ts")]);
        record.runs.push(run("cpp", ReviewerKind::Tool, Some(&["b.ts"]), "[]"));
        assert_eq!(text_only(&record), (Vec::new(), Vec::new()));
        record.runs[2].result = Err(NoAnswer::Skipped("no".to_owned()));
        assert_eq!(text_only(&record).0, [path("b.ts")]);
        record.runs[2] = run("qa", ReviewerKind::Agent, Some(&["b.ts"]), "[]");
        assert_eq!(text_only(&record).0, []);
    }

    #[test]
    fn a_line_break_in_a_path_breaks_no_line() {
        assert_eq!(places("a\nCoverage: b", &["1".to_owned()]), ["a\\nCoverage: b:1"]);
        assert_eq!(places("é", &[]), ["é"]);
    }

    #[test]
    fn a_file_that_is_in_no_brief_is_a_hole() {
        let unseen = |record: &mut Record, files: &[&str]| {
            let unseen = files.iter().map(|file| UnseenFile { path: path(file), why: "it is too large".to_owned() });
            record.runs[0].result.as_mut().unwrap().unseen = unseen.collect();
        };
        let mut record = record(vec![run("qa", ReviewerKind::Agent, Some(&["a.ts"]), "[]")]);
        assert_eq!(Coverage::holes(&record), [(&Domain::new("qa").unwrap(), vec!["b.ts"])]);
        assert_eq!(Coverage::of(&record, &BTreeSet::new()).rows[1].cells, [Cell::Missed]);
        // A file that it reported as unseen is a gap already.
        unseen(&mut record, &["b.ts"]);
        assert!(Coverage::holes(&record).is_empty());
        assert_eq!(Coverage::of(&record, &BTreeSet::new()).rows[1].cells, [Cell::Missed]);
        unseen(&mut record, &[]);
        record.mode = Mode::Verify;
        assert!(Coverage::holes(&record).is_empty(), "a second look is at some files only");
    }
}
