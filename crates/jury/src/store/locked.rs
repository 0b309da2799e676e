//! Everything that writes, under the lock: save, mark, restore, and the end of a save that was interrupted.
//!
//! The order of a save makes a crash harmless: immutable things first, then the seal, which is also the write-ahead
//! for the rest; then the verdict file, `abort-reason.md` and the marks; then the seal once more, with nothing pending.
//! Deliberately not here: the system calls, and the meaning of a verdict.

use std::fs::File;
use std::time::Duration;

use super::cache::BEGUN;
use super::compare::{self, text_of};
use super::error::StoreError;
use super::lines::{self, HISTORY, HISTORY_LOCK, MARKS, Past};
use super::marking::Marking;
use super::save_check::{check, check_reads_back, check_record, report_name};
use super::seal::{self, Abort, Pending, Seal, Sealed};
use super::state_folder::StateFolder;
use super::{
    CONTESTS, Current, FOLDER, JURY, LATEST, RECORDS, RecordId, SEAL, SealedState, State, Store, VOUCHED, VerdictFile,
    lock, record_file, statuses_of, vouch_name, with_statuses,
};
use crate::model::{Mode, RepoPath, ReviewVerdict, Status, Timestamp};
use crate::record;

const LOCK: &str = "lock";
const ABORT: &str = "abort-reason.md";
const IGNORE: &str = ".gitignore";
/// 000: the folder must be ignored by git; so it ignores itself.
const IGNORE_ALL: &str = "*\n";
/// Where reports for people lie (000).
pub(super) const REPORTS: [&str; 2] = ["docs", "code-reviews"];

/// The files of one review.
#[derive(Clone, Debug)]
pub struct Save<'a> {
    /// The record: canonical JSON, an object with a top-level `version`.
    pub record: &'a [u8],
    /// The verdict file made from it.
    pub verdict: &'a VerdictFile,
    /// The report for people and its path below `docs/code-reviews/`; none for a quick check.
    pub report: Option<(RepoPath, String)>,
    /// The text of `abort-reason.md`, if the verdict is ABORT. Without one, the file is removed.
    pub abort_reason: Option<String>,
    /// Whether the review that was begun ends with it, so that there is nothing to resume.
    pub ends_review: bool,
}

/// Side effects of a save.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The new path of a foreign verdict file.
    pub set_aside: Option<RepoPath>,
}

/// The files of a verification.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The verdict file as it is now.
    pub file: VerdictFile,
    /// The findings, by index, of which Jury itself now says something else.
    pub own: Vec<(usize, Status)>,
    /// The record of the look.
    pub record: Vec<u8>,
    /// Whether the team is still halted.
    pub is_halted: bool,
    /// The report for people as it is now, and its path.
    pub report: Option<(RepoPath, String)>,
}

/// The result of a restoration.
#[derive(Clone, Debug, PartialEq)]
pub struct Restored {
    /// Where the file that was not Jury's is now; none if nothing was there.
    pub kept: Option<RepoPath>,
    /// Whether anything had to be restored.
    pub was_needed: bool,
    /// The status claims that were taken over from that file, by the id of their finding.
    pub claims: Vec<(String, Status)>,
    /// The current state.
    pub current: Current,
}

/// The store, with the lock held.
#[derive(Debug)]
pub struct Locked<'a> {
    store: &'a Store,
    jury: StateFolder,
    wait: Duration,
    _lock: File,
}

impl<'a> Locked<'a> {
    pub(super) fn take(store: &'a Store, wait: Duration) -> Result<Self, StoreError> {
        check_places(store)?;
        let jury = store.git_dir.make(JURY)?;
        let lock = lock::take(&jury, LOCK, wait)?;
        let locked = Self { store, jury, wait, _lock: lock };
        check_places(store)?;
        locked.sweep()?;
        locked.mend()?;
        Ok(locked)
    }

    /// Reads the current state.
    pub fn state(&self) -> Result<State, StoreError> {
        self.store.state()
    }

    /// Saves a review. After any failure, the old or the new state counts.
    pub fn save(&self, save: &Save<'_>) -> Result<Saved, StoreError> {
        let own = check(save)?;
        self.check_before_writing(save)?;
        let standing = match self.store.sealed_state() {
            Err(StoreError::Foreign { .. }) => None,
            standing => standing?,
        };
        let set_aside = self.set_aside_foreign()?;
        let record = self.write_record(save.record)?;
        let folder = self.store.worktree.make(FOLDER)?;
        self.ignore(&folder)?;
        let latest =
            Sealed { record: record.clone(), own, file: save.verdict.clone(), verified: None, contested: None };
        let mut full = None;
        let mut pending = Pending { previous: None, previous_own: Vec::new(), abort: Abort::Remove, marks: Vec::new() };
        if let Some(SealedState { seal, statuses, .. }) = standing {
            let old = Sealed { file: with_statuses(&seal.latest.file, &statuses), ..seal.latest };
            self.archive(&folder, &old.file, save.verdict)?;
            pending.previous = Some(old.file.clone());
            pending.previous_own = old.own.clone();
            if is_quick(save.verdict) {
                full = if is_quick(&old.file) { seal.full } else { Some(old) };
                // A quick check lifts no abort of a full review, so the word to the person stays too.
                if full.as_ref().is_some_and(|full| record::verdict_of(&full.file) == Some(ReviewVerdict::Abort)) {
                    pending.abort = Abort::Keep;
                }
            }
        }
        if let Some((path, text)) = &save.report {
            self.write_report(path, text)?;
        }
        if let Some(text) = &save.abort_reason {
            self.vouch(&format!("{FOLDER}/{ABORT}"), text.as_bytes())?;
            pending.abort = Abort::Write(text.clone());
        }
        let common = self.store.common_dir.make(JURY)?;
        lines::add_to_history(&common, &Past::of(&record, save.verdict), self.wait)?;
        self.commit(Seal { version: seal::VERSION, latest, full, pending: Some(pending) })?;
        if save.ends_review {
            self.jury.remove(BEGUN)?;
        }
        Ok(Saved { set_aside })
    }

    /// Changes statuses as a team agent may (000), and lets `recompute` give the new summary and verdict. If one of the
    /// moves is not legal, none is made. While a quick check stands in the verdict file, findings of the full review before it can be
    /// marked as well; one that both have is marked in both.
    pub fn mark(
        &self,
        moves: &[(impl AsRef<str>, Status)],
        reason: Option<&str>,
        now: &Timestamp,
        recompute: impl Fn(&VerdictFile) -> VerdictFile,
    ) -> Result<Current, StoreError> {
        self.check_verdict_file()?;
        let none = || StoreError::NoReview { path: self.store.latest_path() };
        let SealedState { seal, statuses, .. } = self.store.sealed_state()?.ok_or_else(none)?;
        let previous = with_statuses(&seal.latest.file, &statuses);
        let mut latest = Marking::new(&seal.latest, statuses, now);
        latest.take_edits();
        let mut full = seal.full.as_ref().map(|full| Marking::new(full, statuses_of(&full.file), now));
        for (id, to) in moves {
            let id = id.as_ref();
            let title = latest.title(id).map(str::to_owned);
            let is_known = latest.make(id, *to, reason)?;
            let is_marked = match full.as_mut() {
                Some(full) if !is_known => full.make(id, *to, reason)?,
                // Another defect of the same place has the same id. One that was verified, and found again, stays so in the full review.
                Some(full) if full.title(id) == title.as_deref() => full.make(id, *to, reason).is_ok(),
                _ => false,
            };
            if !is_known && !is_marked {
                return Err(StoreError::UnknownFinding { id: id.to_owned() });
            }
        }
        let (latest, statuses, mut marks) = latest.done(&recompute)?;
        let full = full.map(|full| full.done(&recompute)).transpose()?;
        let full = full.map(|(full, _, of_full)| {
            marks.extend(of_full);
            full
        });
        let current = latest.with(&statuses);
        if marks.is_empty() && latest.file == previous {
            return Ok(current);
        }
        let previous_own = latest.own.clone();
        let pending = Pending { previous: Some(previous), previous_own, abort: Abort::Keep, marks };
        self.commit(Seal { version: seal.version, latest, full, pending: Some(pending) })?;
        Ok(current)
    }

    /// Saves the result of a verification (000, lifecycle rule 2): the verdict file goes on under the
    /// same id, and nothing is archived. A quick check that stands in its place is replaced. `decide` is given the verdict file
    /// as it stands under the lock, and returns the new file, the statuses of Jury itself, and the record.
    pub fn verify<E: From<StoreError>>(
        &self,
        review: &RecordId,
        decide: impl FnOnce(&VerdictFile) -> Result<Verified, E>,
    ) -> Result<Current, E> {
        self.check_verdict_file()?;
        let none = || StoreError::NoReview { path: self.store.latest_path() };
        let SealedState { seal, statuses, .. } = self.store.sealed_state()?.ok_or_else(none)?;
        let latest = Sealed { file: with_statuses(&seal.latest.file, &statuses), ..seal.latest };
        let of_review =
            [Some(&latest), seal.full.as_ref()].into_iter().flatten().find(|sealed| sealed.record == *review);
        let of_review = of_review.ok_or_else(none)?.clone();
        let Verified { file, own, record, is_halted, report } = decide(&of_review.file)?;
        check_record(&record)?;
        check_reads_back(&file)?;
        let record = self.write_record(&record)?;
        let common = self.store.common_dir.make(JURY)?;
        lines::add_to_history(&common, &Past::of(&record, &file), self.wait)?;
        let mut sealed = Sealed { file, verified: Some(record), ..of_review };
        for (index, status) in own {
            sealed.own[index] = status;
        }
        if let Some((path, text)) = &report {
            self.update_report(path, text)?;
        }
        let abort = if is_halted { Abort::Keep } else { Abort::Remove };
        let previous_own = latest.own.clone();
        let pending = Pending { previous: Some(latest.file), previous_own, abort, marks: Vec::new() };
        let current = sealed.with(&statuses_of(&sealed.file));
        self.commit(Seal { version: seal::VERSION, latest: sealed, full: None, pending: Some(pending) })?;
        Ok(current)
    }

    /// Writes a report that was asked for. One that somebody else wrote or edited is refused.
    pub fn report(&self, path: &RepoPath, text: &str) -> Result<(), StoreError> {
        self.check_report(path)?;
        self.write_report(path, text)
    }

    /// Keeps the contests of a review, in place of those that it had. The verdict file stays as it is.
    pub fn contest(&self, review: &RecordId, contests: &[u8]) -> Result<(), StoreError> {
        self.check_verdict_file()?;
        let none = || StoreError::NoReview { path: self.store.latest_path() };
        let SealedState { mut seal, .. } = self.store.sealed_state()?.ok_or_else(none)?;
        let id = RecordId::of(contests);
        let folder = self.jury.make(CONTESTS)?;
        if !folder.check_file(&record_file(&id))? {
            folder.create(&record_file(&id), contests)?;
        }
        let sealed = [Some(&mut seal.latest), seal.full.as_mut()].into_iter().flatten();
        let of_review = sealed.filter(|sealed| sealed.record == *review).map(|sealed| {
            sealed.contested = Some(id.clone());
        });
        if of_review.count() == 0 {
            return Err(none());
        }
        self.jury.replace(SEAL, seal::encode(&seal).as_bytes())
    }

    /// Puts other bytes in the place of a file of the user's, if it still has those that are expected. It keeps its mode; a
    /// symlink on the way to it is not followed.
    pub fn rewrite(&self, path: &RepoPath, expected: &[u8], bytes: &[u8]) -> Result<(), StoreError> {
        if self.store.source(path)? != expected {
            let path = self.store.places.worktree.join(path.as_str());
            return Err(StoreError::Refused { path, what: "another file than a moment ago".to_owned() });
        }
        match path.as_str().rsplit_once('/') {
            Some((folders, name)) => match self.store.worktree.below(folders)? {
                Some(folder) => folder.replace_in_kind(name, bytes),
                None => Ok(()),
            },
            None => self.store.worktree.replace_in_kind(path.as_str(), bytes),
        }
    }

    /// Does the same, or makes the file, with its folders, if none is expected and there is none.
    pub fn put(&self, path: &RepoPath, expected: Option<&[u8]>, bytes: &[u8]) -> Result<(), StoreError> {
        if let Some(expected) = expected {
            return self.rewrite(path, expected, bytes);
        }
        let (folders, name) = path.as_str().rsplit_once('/').unwrap_or(("", path.as_str()));
        let mut made: Option<StateFolder> = None;
        for folder in folders.split('/').filter(|name| !name.is_empty()) {
            made = Some(made.as_ref().unwrap_or(&self.store.worktree).make(folder)?);
        }
        made.as_ref().unwrap_or(&self.store.worktree).create_in_kind(name, bytes)
    }

    /// Restores the sealed verdict file, and keeps the other one. Legal status claims in it are taken over if
    /// they are unambiguous.
    pub fn restore(&self) -> Result<Restored, StoreError> {
        let Some((seal, _)) = self.store.seal()? else {
            let path = self.store.latest_path();
            let is_there = self.store.worktree.open(FOLDER)?.map_or(Ok(false), |folder| folder.has(LATEST))?;
            return Err(if is_there { StoreError::Foreign { path } } else { StoreError::NoReview { path } });
        };
        let sealed = seal.latest.clone();
        if self.check_verdict_file().is_ok()
            && let Ok(Some(standing)) = self.store.sealed_state()
        {
            let current = sealed.with(&standing.statuses);
            return Ok(Restored { kept: None, was_needed: false, claims: Vec::new(), current });
        }
        let folder = self.store.worktree.make(FOLDER)?;
        self.ignore(&folder)?;
        let bytes = folder.read(LATEST).ok().flatten();
        let claims = bytes.as_ref().map(|bytes| compare::claims(bytes, &sealed.file, &sealed.own)).unwrap_or_default();
        let mut statuses = statuses_of(&sealed.file);
        for (index, status) in &claims {
            statuses[*index] = *status;
        }
        let kept = self.keep(&folder, "tampered", bytes.as_deref())?;
        let file = with_statuses(&sealed.file, &statuses);
        folder.replace(LATEST, text_of(&file).as_bytes())?;
        self.mend()?;
        let id = |index: usize| sealed.file.findings[index].id.clone();
        let claims = claims.into_iter().map(|(index, status)| (id(index), status)).collect();
        let current = sealed.with(&statuses);
        Ok(Restored { kept, was_needed: true, claims, current })
    }

    /// Puts a verdict file aside that Jury did not write in this worktree, and says where it is. A save does this by itself;
    /// before a review, it keeps that file out of the tree that is judged.
    pub fn set_aside_foreign(&self) -> Result<Option<RepoPath>, StoreError> {
        if self.store.seal()?.is_some() {
            return Ok(None);
        }
        let Some(folder) = self.store.worktree.open(FOLDER)? else { return Ok(None) };
        let Some(bytes) = folder.read(LATEST)? else { return Ok(None) };
        let (name, path) = self.free_name(&folder, "foreign")?;
        self.vouch(path.as_str(), &bytes)?;
        folder.set_aside(LATEST, &name)?;
        Ok(Some(path))
    }

    /// Keeps a foreign verdict file under another name. Plain bytes are copied, so that the verdict file is
    /// never missing; anything else is renamed.
    fn keep(&self, folder: &StateFolder, why: &str, bytes: Option<&[u8]>) -> Result<Option<RepoPath>, StoreError> {
        if !folder.has(LATEST)? {
            return Ok(None);
        }
        let (name, path) = self.free_name(folder, why)?;
        let link = folder.read_link(LATEST);
        if let Some(bytes) = bytes.or(link.as_deref()) {
            self.vouch(path.as_str(), bytes)?;
        }
        match bytes {
            Some(bytes) if folder.check_writable(LATEST).is_ok() => folder.create(&name, bytes)?,
            _ => folder.set_aside(LATEST, &name)?,
        }
        Ok(Some(path))
    }

    fn free_name(&self, folder: &StateFolder, why: &str) -> Result<(String, RepoPath), StoreError> {
        let mut nth = 1_u64;
        loop {
            let name = format!("review-latest.{why}-{nth}.json");
            if !folder.has(&name)? {
                let path = RepoPath::new(&format!("{FOLDER}/{name}")).expect("a plain name below a plain folder");
                return Ok((name, path));
            }
            nth += 1;
        }
    }

    /// Removes the rest of killed processes.
    fn sweep(&self) -> Result<(), StoreError> {
        self.jury.sweep()?;
        for name in [RECORDS, CONTESTS, VOUCHED] {
            self.jury.open(name)?.map_or(Ok(()), |folder| folder.sweep())?;
        }
        self.store.written()?.iter().try_for_each(StateFolder::sweep)
    }

    /// Finishes a save that was interrupted after its seal. It does not touch tampered files.
    fn mend(&self) -> Result<(), StoreError> {
        match self.store.sealed_state() {
            Ok(Some(SealedState { seal, statuses, is_behind })) if seal.pending.is_some() => {
                let file = is_behind.then(|| with_statuses(&seal.latest.file, &statuses));
                self.finish(seal, file.as_ref())
            }
            Err(error @ (StoreError::Newer { .. } | StoreError::Io { .. })) => Err(error),
            Err(error @ StoreError::Damaged { .. }) if self.store.seal().is_err() => Err(error),
            // A writer reads again and gets the error; a restoration must get here.
            _ => Ok(()),
        }
    }

    /// Writes the seal, and does its pending steps.
    fn commit(&self, seal: Seal) -> Result<(), StoreError> {
        self.jury.replace(SEAL, seal::encode(&seal).as_bytes())?;
        let file = seal.latest.file.clone();
        self.finish(seal, Some(&file))
    }

    /// Does the pending steps of a seal; each may have been done before.
    fn finish(&self, mut seal: Seal, file: Option<&VerdictFile>) -> Result<(), StoreError> {
        let folder = self.store.worktree.make(FOLDER)?;
        if let Some(file) = file {
            folder.replace(LATEST, text_of(file).as_bytes())?;
        }
        if let Some(pending) = seal.pending.take() {
            match &pending.abort {
                Abort::Keep => {}
                Abort::Remove => folder.remove(ABORT)?,
                Abort::Write(text) => folder.replace(ABORT, text.as_bytes())?,
            }
            lines::append_once(&self.jury, MARKS, &pending.marks)?;
        }
        self.jury.replace(SEAL, seal::encode(&seal).as_bytes())
    }

    fn write_record(&self, bytes: &[u8]) -> Result<RecordId, StoreError> {
        let id = RecordId::of(bytes);
        let records = self.jury.make(RECORDS)?;
        if records.check_file(&record_file(&id))? {
            self.store.record(&id)?;
        } else {
            records.create(&record_file(&id), bytes)?;
        }
        Ok(id)
    }

    /// Archives the verdict file that is about to be replaced (000, lifecycle rules 1 to 3): not a quick check, and not the
    /// review that goes on under the same id. An archive is never changed, and a review has one: what was verified after a quick check
    /// is in its record and its report.
    fn archive(&self, folder: &StateFolder, old: &VerdictFile, new: &VerdictFile) -> Result<(), StoreError> {
        if is_quick(old) || old.review_id == new.review_id {
            return Ok(());
        }
        let text = text_of(old);
        let name = format!("review-{}.json", old.review_id);
        if !folder.has(&name)? {
            self.vouch(&format!("{FOLDER}/{name}"), text.as_bytes())?;
            return folder.create(&name, text.as_bytes());
        }
        // Any other file of the name stays untouched.
        if folder.read(&name).is_ok_and(|bytes| bytes.as_deref() == Some(text.as_bytes())) {
            return self.vouch(&format!("{FOLDER}/{name}"), text.as_bytes());
        }
        Ok(())
    }

    fn ignore(&self, folder: &StateFolder) -> Result<(), StoreError> {
        if folder.check_file(IGNORE)? {
            return Ok(());
        }
        self.vouch(&format!("{FOLDER}/{IGNORE}"), IGNORE_ALL.as_bytes())?;
        folder.replace(IGNORE, IGNORE_ALL.as_bytes())
    }

    fn write_report(&self, path: &RepoPath, text: &str) -> Result<(), StoreError> {
        let reports = self.store.worktree.make(REPORTS[0])?.make(REPORTS[1])?;
        self.vouch(path.as_str(), text.as_bytes())?;
        reports.replace(report_name(path)?, text.as_bytes())
    }

    /// Brings a report up to date. One that somebody else wrote or edited is left as it is: the verification counts all the same.
    fn update_report(&self, path: &RepoPath, text: &str) -> Result<(), StoreError> {
        let folder = self.store.worktree.open_writable(REPORTS[0])?;
        let folder = folder.map_or(Ok(None), |docs| docs.open_writable(REPORTS[1]))?;
        let there = folder.map_or(Ok(None), |reports| reports.read(report_name(path)?))?;
        if there.is_some_and(|bytes| !self.store.vouches(path, &bytes)) {
            return Ok(());
        }
        self.write_report(path, text)
    }

    /// Notes that a file of the worktree, with these bytes, is Jury's own; before it is written, so that it never is a
    /// stranger.
    fn vouch(&self, path: &str, bytes: &[u8]) -> Result<(), StoreError> {
        self.jury.make(VOUCHED)?.touch(&vouch_name(path, bytes))
    }

    /// Refuses a verdict file that is not a plain file of ours.
    fn check_verdict_file(&self) -> Result<(), StoreError> {
        self.store.worktree.open(FOLDER)?.map_or(Ok(()), |folder| folder.check_writable(LATEST))
    }

    /// Looks at everything a save is going to touch, so that it refuses before it writes.
    fn check_before_writing(&self, save: &Save<'_>) -> Result<(), StoreError> {
        self.check_verdict_file()?;
        save.report.as_ref().map_or(Ok(()), |(path, _)| self.check_report(path))
    }

    /// Refuses a report that somebody else wrote or edited.
    fn check_report(&self, path: &RepoPath) -> Result<(), StoreError> {
        let name = report_name(path)?;
        let Some(docs) = self.store.worktree.open_writable(REPORTS[0])? else { return Ok(()) };
        let Some(reports) = docs.open_writable(REPORTS[1])? else { return Ok(()) };
        reports.check_writable(name)?;
        match reports.read(name)? {
            Some(bytes) if !self.store.vouches(path, &bytes) => {
                let what = "a report that Jury did not write".to_owned();
                Err(StoreError::Refused { path: reports.path(name), what })
            }
            _ => Ok(()),
        }
    }
}

/// Refuses foreign files in the place of Jury's own, except the verdict file, which can be restored.
fn check_places(store: &Store) -> Result<(), StoreError> {
    let check = |folder: Option<StateFolder>, folders: &[&str], files: &[&str]| -> Result<(), StoreError> {
        let Some(folder) = folder else { return Ok(()) };
        folders.iter().try_for_each(|name| folder.open_writable(name).map(drop))?;
        files.iter().try_for_each(|name| folder.check_writable(name))
    };
    check(store.worktree.open_writable(FOLDER)?, &[], &[ABORT, IGNORE])?;
    check(store.git_dir.open_writable(JURY)?, &[RECORDS, CONTESTS, VOUCHED], &[LOCK, SEAL, MARKS])?;
    check(store.common_dir.open_writable(JURY)?, &[], &[HISTORY, HISTORY_LOCK])
}

fn is_quick(file: &VerdictFile) -> bool {
    record::mode_of(file) == Some(Mode::Quick)
}
