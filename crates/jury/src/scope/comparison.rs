//! A request and a snapshot in; the differences from the base, or the files that were asked for, out.

use std::path::Path;

use super::error::ScopeError;
use super::git_tree::{self, Delta, Leaf};
use super::objects::Objects;
use super::request::Request;
use super::snapshot::Snapshot;
use super::{Repository, base, owners, package};
use crate::model::{Base, ScopeKind, Unreviewed};

/// The result of comparing.
pub(super) struct Comparison {
    pub(super) kind: ScopeKind,
    pub(super) target: String,
    pub(super) base: Base,
    pub(super) deltas: Compared,
    pub(super) unidentified: Vec<Unreviewed>,
}

/// Either the differences from the base, or all requested files.
pub(super) enum Compared {
    Change(Vec<Delta>),
    Whole(Vec<(Vec<u8>, Leaf)>),
}

/// The requested paths of the working tree.
enum Chosen {
    /// These, and everything below them.
    Below(Vec<Vec<u8>>),
    /// The files of a team.
    Owned(owners::Owned),
}

impl Chosen {
    fn has(&self, path: &[u8]) -> bool {
        match self {
            Chosen::Below(roots) => roots.iter().any(|root| is_below(path, root)),
            Chosen::Owned(owned) => owned.has(path),
        }
    }

    fn of(&self, snapshot: &Snapshot) -> Vec<(Vec<u8>, Leaf)> {
        snapshot.leaves().into_iter().filter(|(path, _)| self.has(path)).collect()
    }
}

/// Tells whether a path is the other one, or lies below it.
pub(super) fn is_below(path: &[u8], root: &[u8]) -> bool {
    root.is_empty() || path.strip_prefix(root).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"/"))
}

impl Repository {
    /// Compares a snapshot with its base, or chooses files of it.
    pub(super) fn compare(
        &self,
        objects: &Objects,
        snapshot: &Snapshot,
        request: &Request,
    ) -> Result<Comparison, ScopeError> {
        let (kind, base) = match request {
            Request::Changeset { base } => (ScopeKind::Changeset, base::of(objects, base.as_deref(), snapshot.id())?),
            Request::Since { base } => (ScopeKind::Changeset, base.clone()),
            Request::Quick | Request::Staged { .. } => (ScopeKind::Changeset, base::quick(objects)?),
            Request::Package { .. } => (ScopeKind::Package, base::of(objects, None, snapshot.id())?),
            Request::Team { .. } => (ScopeKind::Team, base::of(objects, None, snapshot.id())?),
            Request::Files { .. } => (ScopeKind::File, base::of(objects, None, snapshot.id())?),
        };
        let (target, deltas, chosen) = match request {
            Request::Changeset { .. } | Request::Since { .. } | Request::Quick | Request::Staged { .. } => {
                let deltas = git_tree::compare(objects, base::tree(objects, &base)?, snapshot)?;
                let target = match request {
                    Request::Quick => "HEAD..worktree".to_owned(),
                    Request::Staged { .. } => "HEAD..index".to_owned(),
                    _ => format!("{}..HEAD", base.name),
                };
                (target, Compared::Change(deltas), None)
            }
            Request::Package { target } => {
                let folder = package::folder(snapshot, &self.below_root(target)?)?;
                let chosen = Chosen::Below(vec![folder.clone()]);
                let name =
                    if folder.is_empty() { ".".to_owned() } else { String::from_utf8_lossy(&folder).into_owned() };
                (name, Compared::Whole(chosen.of(snapshot)), Some(chosen))
            }
            Request::Team { name } => {
                let chosen = Chosen::Owned(owners::of_team(self, snapshot, &base, name)?);
                let leaves = chosen.of(snapshot);
                (name.clone(), Compared::Whole(leaves), Some(chosen))
            }
            Request::Files { paths } => {
                let mut roots = Vec::with_capacity(paths.len());
                for path in paths {
                    let below = self.below_root(path)?;
                    if !snapshot.has(&below) {
                        return Err(ScopeError::NoSuchPath(path.display().to_string()));
                    }
                    roots.push(below);
                }
                let names: Vec<_> = roots
                    .iter()
                    .map(|path| if path.is_empty() { ".".into() } else { String::from_utf8_lossy(path) })
                    .collect();
                let target = names.join(", ");
                let chosen = Chosen::Below(roots);
                (target, Compared::Whole(chosen.of(snapshot)), Some(chosen))
            }
        };
        let unidentified = snapshot.unidentified().iter();
        let unidentified = unidentified
            .filter(|(path, _)| chosen.as_ref().is_none_or(|chosen| chosen.has(path)))
            .map(|(path, why)| Unreviewed { path: String::from_utf8_lossy(path).into_owned(), why: *why, id: None });
        Ok(Comparison { kind, target, base, deltas, unidentified: unidentified.collect() })
    }

    /// Takes a path from the caller as one below the root, with forward slashes. The file system is not asked: a
    /// symlink is named, never followed.
    fn below_root(&self, path: &Path) -> Result<Vec<u8>, ScopeError> {
        let outside = || ScopeError::Outside(path.to_path_buf());
        let relative = if path.is_absolute() {
            path.strip_prefix(&self.root).map_err(|_| outside())?.to_path_buf()
        } else {
            self.start.join(path)
        };
        let mut parts: Vec<&[u8]> = Vec::new();
        for part in relative.components() {
            match part {
                std::path::Component::Normal(name) => {
                    parts.push(gix::path::os_str_into_bstr(name).map_err(|_| outside())?.as_ref());
                }
                std::path::Component::CurDir => {}
                std::path::Component::ParentDir => {
                    parts.pop().ok_or_else(outside)?;
                }
                std::path::Component::RootDir | std::path::Component::Prefix(_) => return Err(outside()),
            }
        }
        Ok(parts.join(&b'/'))
    }
}
