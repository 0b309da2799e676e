//! Which commands of which repository a person has trusted: one line each, in a file outside every repository (DESIGN §10).
//!
//! In: definitions of the base. Out: whether each is trusted exactly as it is. A line that is none trusts nothing. Deliberately
//! not here: showing a command, and asking.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::disk::Disk;
use super::error::StoreError;
use super::state_folder::StateFolder;
use crate::model::{Definition, short_digest};

/// The name of the file, in the folder of a user's settings for Jury.
const FILE: &str = "trusted";
const LOCK: &str = "trusted.lock";

/// Whose commands may be run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trust {
    is_all: bool,
    repository: String,
    lines: BTreeSet<String>,
}

impl Trust {
    /// Trusts every definition of the base: for machines without a user to ask.
    pub fn all() -> Self {
        Self { is_all: true, ..Self::default() }
    }

    /// Tells whether a definition is trusted, exactly as it is.
    pub fn covers(&self, definition: &Definition) -> bool {
        self.is_all || self.lines.contains(&line(&self.repository, definition))
    }
}

/// The trust file of a user.
pub struct Trusted {
    folder: PathBuf,
    repository: String,
}

impl Trusted {
    /// Opens the one in a folder of settings (`~/.config/jury`), which need not be there, for a repository, which is known by
    /// the folder that all its worktrees share.
    pub fn new(folder: &Path, common_dir: &Path) -> Self {
        let repository = short_digest(&[&common_dir.to_string_lossy()], 64);
        Self { folder: folder.to_path_buf(), repository }
    }

    /// Reads the trusted definitions; none without a file.
    pub fn read(&self) -> Result<Trust, StoreError> {
        let lines = if self.folder.is_dir() { lines(&self.open()?)? } else { BTreeSet::new() };
        Ok(Trust { is_all: false, repository: self.repository.clone(), lines })
    }

    /// Trusts definitions, each as it is now and no longer as it was.
    pub fn add(&self, definitions: &[&Definition], patience: Duration) -> Result<(), StoreError> {
        std::fs::create_dir_all(&self.folder).map_err(StoreError::io("make the folder", &self.folder))?;
        self.change(definitions, patience, |lines| {
            lines.extend(definitions.iter().map(|it| line(&self.repository, it)))
        })
    }

    /// Withdraws trust from all definitions of these names.
    pub fn remove(&self, definitions: &[&Definition], patience: Duration) -> Result<(), StoreError> {
        if !self.folder.is_dir() {
            return Ok(());
        }
        self.change(definitions, patience, |_| ())
    }

    fn open(&self) -> Result<StateFolder, StoreError> {
        StateFolder::root(&self.folder, &Disk::default())
    }

    /// Replaces the lines of these names, under the lock.
    fn change(
        &self,
        definitions: &[&Definition],
        patience: Duration,
        put: impl FnOnce(&mut BTreeSet<String>),
    ) -> Result<(), StoreError> {
        let folder = self.open()?;
        let lock = folder.open_lock(LOCK)?;
        let start = Instant::now();
        while lock.try_lock().is_err() {
            if start.elapsed() > patience {
                return Err(StoreError::Locked { path: folder.path(LOCK), waited: patience });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        let mut lines = lines(&folder)?;
        let starts: Vec<String> = definitions.iter().map(|it| start_of_line(&self.repository, it)).collect();
        lines.retain(|line| !starts.iter().any(|start| line.starts_with(start)));
        put(&mut lines);
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        folder.replace(FILE, text.as_bytes())
    }
}

fn lines(folder: &StateFolder) -> Result<BTreeSet<String>, StoreError> {
    let bytes = folder.read(FILE)?.unwrap_or_default();
    Ok(String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect())
}

fn line(repository: &str, definition: &Definition) -> String {
    format!("{}{}", start_of_line(repository, definition), definition.digest())
}

/// The name is quoted: it may hold spaces.
fn start_of_line(repository: &str, definition: &Definition) -> String {
    format!("{repository} {:?} ", definition.name.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::tests::tool;

    #[test]
    fn a_definition_is_trusted_exactly_as_it_is_and_in_one_repository() {
        let folder = std::env::temp_dir().join(format!("jury-trusted-{}/jury", std::process::id()));
        let trusted = Trusted::new(&folder, Path::new("/a/.git"));
        let (one, mut two) = (tool(), tool());
        two.command.push("--fix".to_owned());
        assert!(!trusted.read().unwrap().covers(&one), "without a file, nothing is trusted");
        trusted.add(&[&one], Duration::from_secs(5)).unwrap();
        let trust = trusted.read().unwrap();
        assert!(trust.covers(&one) && !trust.covers(&two));
        assert!(!Trusted::new(&folder, Path::new("/b/.git")).read().unwrap().covers(&one));
        trusted.add(&[&two], Duration::from_secs(5)).unwrap();
        let trust = trusted.read().unwrap();
        assert!(trust.covers(&two) && !trust.covers(&one), "the old definition is trusted no more");
        trusted.remove(&[&one], Duration::from_secs(5)).unwrap();
        assert_eq!(trusted.read().unwrap().lines.len(), 0);
        assert!(Trust::all().covers(&one) && !Trust::default().covers(&one));
        std::fs::write(folder.join(FILE), b"\xff\n\nnonsense\n").unwrap();
        assert!(!trusted.read().unwrap().covers(&one));
        std::fs::remove_file(folder.join(FILE)).unwrap();
        std::os::unix::fs::symlink("/dev/null", folder.join(FILE)).unwrap();
        assert!(trusted.read().is_err(), "a symlink is refused");
        std::fs::remove_dir_all(folder.parent().unwrap()).unwrap();
    }
}
