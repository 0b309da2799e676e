//! The I/O half of `jury init`: reads the files, and makes the edits of a plan.

use std::collections::{BTreeMap, BTreeSet};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command as Program, Stdio};

use jury::agents;
use jury::config::POLICY_FILE;
use jury::config::ready::TOOLS;
use jury::store::{Change, Site, Spot, StoreError};
use jury::worktree::PATIENCE;

use super::git_hook::{self, HookPlace};
use super::notes::Notes;
use super::{Plan, Surroundings, Text, found, hosts};
use crate::error::Error;
use crate::render::inert;
use crate::workplace::Workplace;

/// How many levels of folders are looked at for signs of languages and tools.
const DEEPEST: usize = 2;
/// How many paths are looked at.
const MOST: usize = 20_000;
/// Folders that say nothing about the repository itself.
const SKIPPED: &[&str] = &[".git", "node_modules", "target", "vendor", ".venv"];
/// Variables that would direct git to another repository.
const ELSEWHERE: &[&str] = &["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// Reads everything that a plan is made from.
pub(crate) fn surroundings(workplace: &Workplace) -> Result<(Site, Surroundings), Error> {
    let root = workplace.repository.root();
    let hooks = hook_place(root, workplace.repository.common_dir())?;
    let folder = match &hooks {
        HookPlace::Own(path) => Some(path.as_path()),
        HookPlace::Unknown | HookPlace::Foreign(..) => None,
    };
    let site = Site::open(&workplace.store, folder)?;
    let notes = notes(workplace, &site)?;
    let mut texts = BTreeMap::new();
    for spot in spots(&notes, folder.is_some()) {
        let text = match site.read(&spot) {
            Ok(None) => continue,
            Ok(Some(_)) if is_ignored_hook(&site, &spot) => {
                Text::Unreadable("it is not executable, so git ignores it; make it executable or remove it".to_owned())
            }
            Ok(Some(bytes)) => {
                String::from_utf8(bytes).map_or_else(|_| Text::Unreadable("it is not UTF-8".to_owned()), Text::Read)
            }
            Err(StoreError::Refused { what, .. }) => Text::Unreadable(format!("it is {what}")),
            Err(error) => return Err(error.into()),
        };
        texts.insert(spot, text);
    }
    let paths = paths(root);
    let text_only = text_only(root, &tracked(root)?);
    Ok((site, Surroundings { paths, programs: programs(), texts, hooks, notes, text_only }))
}

fn notes(workplace: &Workplace, site: &Site) -> Result<Notes, Error> {
    let path = workplace.repository.git_dir().join("jury/installed.json");
    let read = Notes::read(site.notes()?.as_deref());
    read.map_err(|why| Error::Notes { path: inert::line(&path.to_string_lossy()), why })
}

/// Returns every file that a plan could be about.
fn spots(notes: &Notes, with_hooks: bool) -> BTreeSet<Spot> {
    let mut spots = hosts::all_spots();
    spots.insert(Spot::Tree(POLICY_FILE.to_owned()));
    spots.extend(notes.files.keys().cloned());
    spots.extend(git_hook::HOOKS.iter().flat_map(|name| [git_hook::spot(name), git_hook::kept(name)]));
    spots.retain(|spot| with_hooks || matches!(spot, Spot::Tree(_)));
    spots
}

fn is_ignored_hook(site: &Site, spot: &Spot) -> bool {
    matches!(spot, Spot::Hook(_)) && !is_executable(&site.path(spot))
}

/// Tells whether a file can be run.
pub(crate) fn is_executable(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|about| about.is_file() && about.permissions().mode() & 0o111 != 0)
}

/// Returns the paths of the first levels of a folder; those of folders end with a slash.
fn paths(root: &Path) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let mut waiting = vec![(String::new(), 0)];
    while let Some((folder, depth)) = waiting.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let Some(name) = entry.file_name().to_str().map(|name| format!("{folder}{name}")) else { continue };
            let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
            if is_folder && depth < DEEPEST && !SKIPPED.contains(&name.rsplit('/').next().unwrap_or_default()) {
                waiting.push((format!("{name}/"), depth + 1));
            }
            found.insert(if is_folder { format!("{name}/") } else { name });
        }
        if found.len() > MOST {
            break;
        }
    }
    found
}

/// Returns the files that git knows, however deep they lie.
fn tracked(root: &Path) -> Result<BTreeSet<String>, Error> {
    let mut git = Program::new("git");
    ELSEWHERE.iter().for_each(|name| _ = git.env_remove(name));
    let listed = git
        .args(["-c", "core.fsmonitor=false", "ls-files", "-z"])
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .map_err(Error::NoGit)?;
    let said = String::from_utf8_lossy(&listed.stdout);
    Ok(said.split('\0').filter(|path| !path.is_empty()).take(MOST).map(str::to_owned).collect())
}

/// Returns globs of the code that no grammar reads: one for each extension, decided by its first files.
fn text_only(root: &Path, paths: &BTreeSet<String>) -> BTreeSet<String> {
    const MOST_LOOKS: usize = 3;
    const LARGEST: u64 = 1 << 20;
    let mut looks: BTreeMap<&str, usize> = BTreeMap::new();
    let mut globs = BTreeSet::new();
    for path in paths.iter().filter(|path| !path.ends_with('/')) {
        let name = path.rsplit('/').next().unwrap_or(path);
        let Some((_, extension)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) else { continue };
        let looks = looks.entry(extension).or_default();
        let is_small =
            || std::fs::metadata(root.join(path)).is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
        if *looks == MOST_LOOKS || !is_small() {
            continue;
        }
        *looks += 1;
        let Ok(text) = std::fs::read_to_string(root.join(path)) else { continue };
        if jury_rules::reading(path, &text) == jury_rules::Reading::TextOnly {
            globs.insert(format!("**/*.{extension}"));
        }
    }
    globs
}

/// Returns the programs on the PATH that something here is about.
fn programs() -> BTreeSet<String> {
    let tools = TOOLS.iter().flat_map(|tool| found::programs_of(tool.name));
    let agents = agents::reviewers().into_iter().filter_map(|(_, agent)| agent.command.first().copied());
    tools.chain(agents).chain(["jury"]).filter(|name| on_path(name).is_some()).map(str::to_owned).collect()
}

/// Finds a program on the PATH. A folder of the PATH that is not absolute is none that can be relied upon.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.map(|folder| folder.join(name)).find(|file| is_executable(file))
}

/// Asks git where it looks for hooks in this worktree, and tells whether something may be written there.
pub(crate) fn hook_place(root: &Path, common_dir: &Path) -> Result<HookPlace, Error> {
    let mut git = Program::new("git");
    ELSEWHERE.iter().for_each(|name| _ = git.env_remove(name));
    let output = git
        .args(["rev-parse", "--git-path", "hooks"])
        .current_dir(root)
        .stdin(Stdio::null())
        .output()
        .map_err(Error::NoGit)?;
    let said = String::from_utf8_lossy(&output.stdout);
    let said = said.trim_end_matches('\n');
    if !output.status.success() || said.is_empty() {
        return Ok(HookPlace::Unknown);
    }
    let path = root.join(said);
    // Git need not have made the folder; the one above it has to be there.
    let above = path.parent().and_then(|parent| parent.canonicalize().ok());
    let Some((above, name)) = above.zip(path.file_name()) else {
        return Ok(HookPlace::Foreign(path, "which does not exist"));
    };
    let path = above.join(name);
    Ok(if path.ends_with(".husky/_") {
        HookPlace::Foreign(path, "which husky overwrites; add the line to the file of that name in .husky")
    } else if path.starts_with(common_dir) || path.starts_with(root) {
        HookPlace::Own(path)
    } else {
        HookPlace::Foreign(path, "which other repositories may share")
    })
}

/// Makes the edits of a plan, and remembers them. The notes are written first, so that an interrupted run can be
/// taken back.
pub(crate) fn carry_out(site: &Site, plan: &Plan, is_removal: bool) -> Result<(), Error> {
    let work = site.lock(PATIENCE)?;
    let mut notes = plan.notes.clone();
    if !is_removal {
        work.note(notes.write().as_deref().map(str::as_bytes))?;
    }
    for edit in &plan.edits {
        let made = work.make(&Change {
            spot: &edit.spot,
            before: edit.before.as_deref().map(str::as_bytes),
            after: edit.after.as_deref().map(str::as_bytes),
            is_executable: edit.is_executable,
        })?;
        notes.folders.extend(made);
    }
    if is_removal {
        let kept = Notes::read(site.notes()?.as_deref()).unwrap_or_default();
        for folder in kept.folders.iter().rev() {
            work.remove_folder(folder)?;
        }
    }
    work.note(notes.write().as_deref().map(str::as_bytes))?;
    Ok(())
}
