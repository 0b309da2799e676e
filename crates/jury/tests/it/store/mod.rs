//! The store from outside: the usual day, faults of the disk, hostile places, edits, many writers.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests, too")]

mod edits;
mod faults;
mod install;
mod places;
mod usual;
mod writers;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use jury::model::{FindingId, RepoPath, Status, Timestamp, mint_ids};
use jury::store::{Disk, Save, State, StateDirs, Store, StoreError, VerdictFile};
use jury_wire::v1::code_review::{Finding, Summary};

pub(crate) const WAIT: Duration = Duration::from_secs(60);

/// A worktree and a git dir, removed at the end.
pub(crate) struct Room {
    pub(crate) root: PathBuf,
}

impl Room {
    pub(crate) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        // Thousands of syncs are too slow on a real disk, and none of them is tested by waiting for it.
        let memory = Path::new("/dev/shm");
        let base = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
        let root = base.join(format!("jury-store-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed)));
        std::fs::create_dir_all(root.join("tree/.git")).unwrap();
        Self { root }
    }

    pub(crate) fn places(&self) -> StateDirs {
        places(&self.root)
    }

    pub(crate) fn store(&self) -> Store {
        Store::open(self.places()).unwrap()
    }

    pub(crate) fn store_on(&self, disk: Disk) -> Store {
        Store::open_on(self.places(), disk).unwrap()
    }

    pub(crate) fn path(&self, below_tree: &str) -> PathBuf {
        self.root.join("tree").join(below_tree)
    }

    pub(crate) fn latest(&self) -> PathBuf {
        self.path(".code-review/review-latest.json")
    }

    pub(crate) fn read(&self, below_tree: &str) -> String {
        std::fs::read_to_string(self.path(below_tree)).unwrap_or_else(|error| panic!("{below_tree}: {error}"))
    }

    pub(crate) fn write(&self, below_tree: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(below_tree);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }

    /// Every file below the tree with its bytes, sorted.
    pub(crate) fn files(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.root.join("tree")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap() {
                let entry = entry.unwrap();
                let kind = entry.file_type().unwrap();
                if kind.is_dir() {
                    folders.push(entry.path());
                } else if kind.is_file() {
                    files.push((entry.path(), std::fs::read(entry.path()).unwrap()));
                } else {
                    files.push((entry.path(), Vec::new()));
                }
            }
        }
        files.sort();
        files
    }

    pub(crate) fn assert_no_temporary_file(&self) {
        let left: Vec<_> =
            self.files().into_iter().filter(|(path, _)| path.to_string_lossy().contains("tmp")).collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.root);
    }
}

pub(crate) fn places(root: &Path) -> StateDirs {
    let git = root.join("tree/.git");
    StateDirs { worktree: root.join("tree"), git_dir: git.clone(), common_dir: git }
}

/// A verdict file with one finding for each status, of severities that take turns.
pub(crate) fn verdict(review_id: &str, mode: &str, statuses: &[Status]) -> VerdictFile {
    let severities = ["High", "Medium", "Blocker", "Low", "Info"];
    let line = |index: usize| (10 * (index + 1)).to_string();
    let ids = mint_ids((0..statuses.len()).map(|index| FindingId::spelled("security", "src/a.ts", Some(&line(index)))));
    let findings = statuses.iter().zip(ids).enumerate().map(|(index, (status, id))| Finding {
        id: id.to_string(),
        domain: "security".to_owned(),
        severity: severities[index % severities.len()].to_owned(),
        confidence: [0.9, 0.75, 1.0, 0.85][index % 4],
        file: "src/a.ts".to_owned(),
        line_range: Some(line(index)),
        title: format!("Defect number {index} — \"quoted\" / ü"),
        recommendation: "Mend it\n\tat once".to_owned(),
        status: status.token().to_owned(),
    });
    let is_quick = mode == "quick";
    recompute(&VerdictFile {
        review_id: review_id.to_owned(),
        timestamp: "2026-02-16T14:30:00Z".to_owned(),
        scope: "changeset".to_owned(),
        target: "origin/main..HEAD".to_owned(),
        mode: mode.to_owned(),
        verdict: String::new(),
        summary: Summary { blocker: 0, high: 0, medium: 0, low: 0, info: 0 },
        report_path: if is_quick { String::new() } else { report_path(review_id).to_string() },
        findings: findings.collect(),
    })
}

pub(crate) fn report_path(review_id: &str) -> RepoPath {
    RepoPath::new(&format!("docs/code-reviews/2026-02-16-changeset-{review_id}.md")).unwrap()
}

/// 000's table, for tests.
pub(crate) fn recompute(file: &VerdictFile) -> VerdictFile {
    let count = |severity: &str| {
        let stands = |finding: &&Finding| ["open", "reopened"].contains(&finding.status.as_str());
        file.findings.iter().filter(stands).filter(|finding| finding.severity == severity).count() as u64
    };
    let summary = Summary {
        blocker: count("Blocker"),
        high: count("High"),
        medium: count("Medium"),
        low: count("Low"),
        info: count("Info"),
    };
    let verdict = match (summary.blocker, summary.high) {
        (0, 0) => "PASS",
        (0, _) => "WARN",
        _ => "FAIL",
    };
    VerdictFile { summary, verdict: verdict.to_owned(), ..file.clone() }
}

pub(crate) fn record(review_id: &str, mode: &str) -> Vec<u8> {
    format!("{{\"mode\":\"{mode}\",\"reviewId\":\"{review_id}\",\"version\":1}}").into_bytes()
}

pub(crate) fn save(store: &Store, file: &VerdictFile) -> Result<jury::store::Saved, StoreError> {
    save_with(store, file, None)
}

pub(crate) fn save_with(
    store: &Store,
    file: &VerdictFile,
    abort_reason: Option<&str>,
) -> Result<jury::store::Saved, StoreError> {
    let record = record(&file.review_id, &file.mode);
    let report =
        (file.mode != "quick").then(|| (report_path(&file.review_id), format!("# Report {}\n", file.review_id)));
    let abort_reason = abort_reason.map(str::to_owned);
    store.lock(WAIT)?.save(&Save { record: &record, verdict: file, report, abort_reason, ends_review: true })
}

pub(crate) fn mark(store: &Store, id: &str, status: Status) -> Result<jury::store::Current, StoreError> {
    store.lock(WAIT)?.mark(&[(id, status)], Some("because"), &now(), recompute)
}

pub(crate) fn now() -> Timestamp {
    Timestamp::new("2026-02-17T08:00:00Z").unwrap()
}

/// What a state says, its notes aside.
pub(crate) fn counting(state: State) -> State {
    State { notes: Vec::new(), ..state }
}
