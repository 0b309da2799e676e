//! `jury fix`: the latest review in; its rewrites made in the working tree, as far as they hold, and marked `fixed`.
//!
//! A rewrite is tried on the text first (`rewrite`), so that one that does not hold never reaches the disk.

use jury_rules::{SPECIALISTS, Specialist};

use crate::base;
use crate::error::FlowError;
use crate::judge::judge;
use crate::model::{Mode, Status, Timestamp};
use crate::rewrite::{FixEnd, Fixes, Rewritten, Selection, rewritable, rewrite_all, unified, wanted};
use crate::scope::Repository;
use crate::store::{Locked, Store};
use crate::verdict::recomputed;
use crate::worktree::{self, PATIENCE};

/// The findings to fix.
#[derive(Clone, Debug)]
pub struct FixRequest {
    /// The findings.
    pub selection: Selection,
    /// Whether nothing is to be written.
    pub dry_run: bool,
    /// The time, in UTC.
    pub now: Timestamp,
}

/// Makes the rewrites that hold. Returns `None` if there is no review.
pub fn fix(repository: &Repository, store: &Store, request: &FixRequest) -> Result<Option<Fixes>, FlowError> {
    // A look writes nothing, so it needs no lock; a command that writes holds it from the first look on.
    let locked = if request.dry_run { None } else { Some(store.lock(PATIENCE)?) };
    let Some(latest) = store.state()?.latest else { return Ok(None) };
    let record = worktree::recorded(store, &latest.record)?;
    let judgement = judge(&record);
    let snapshot = worktree::snapshot(repository, store)?;
    let own = base::rules_of(repository, &snapshot, &record.scope.base(), record.mode == Mode::Quick)?;
    let specialists: Vec<&'static Specialist> = SPECIALISTS.iter().chain(own).collect();
    let mut fixes = Fixes::default();
    let (wanted, others) = wanted(&request.selection, &latest, &judgement, &specialists, &mut fixes)?;
    let rewritten = rewrite_all(store, &record, wanted, &specialists, &mut fixes);
    fixes.only_named = rewritable(store, &record, &others);
    for file in &rewritten {
        fixes.diffs.push((file.path.clone(), unified(&file.before, &file.after)));
    }
    if let Some(locked) = locked {
        write(&locked, rewritten, request, &mut fixes)?;
    }
    fixes.attempts.sort_by(|one, other| (&one.place, &one.id).cmp(&(&other.place, &other.id)));
    Ok(Some(fixes))
}

/// Writes the files and marks the findings; if that fails, restores the files.
fn write(
    locked: &Locked<'_>,
    rewritten: Vec<Rewritten>,
    request: &FixRequest,
    fixes: &mut Fixes,
) -> Result<(), FlowError> {
    let mut written: Vec<Rewritten> = Vec::new();
    for file in rewritten {
        match locked.rewrite(&file.path, file.before.as_bytes(), file.after.as_bytes()) {
            Ok(()) => written.push(file),
            Err(error) => {
                fixes.diffs.retain(|(path, _)| *path != file.path);
                for attempt in fixes.attempts.iter_mut().filter(|attempt| file.ids.contains(&attempt.id)) {
                    attempt.end = FixEnd::Skipped(format!("not written: {error}"));
                }
            }
        }
    }
    let moves: Vec<(&str, Status)> =
        written.iter().flat_map(|file| &file.ids).map(|id| (id.as_str(), Status::Fixed)).collect();
    if moves.is_empty() {
        return Ok(());
    }
    match locked.mark(&moves, Some("rewritten by `jury fix`"), &request.now, recomputed) {
        Ok(current) => fixes.marked = Some(current.file),
        Err(error) => {
            for file in &written {
                locked.rewrite(&file.path, file.after.as_bytes(), file.before.as_bytes())?;
            }
            return Err(error.into());
        }
    }
    Ok(())
}
