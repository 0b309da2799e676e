//! Refs and history in; the base that the working tree is compared with out.
//!
//! A name that the caller gives is never replaced by another one. Deliberately not here: fetching.

use std::collections::BTreeSet;

use gix::ObjectId;
use gix::bstr::ByteSlice as _;
use gix::revision::walk::Sorting;
use gix::traverse::commit::simple::CommitTimeOrder;

use super::ScopeError;
use super::objects::{Objects, hex};
use super::{acceptances, set_by_hand};
use crate::model::{Base, BaseRule, Day, TreeId};

/// Where the branches of remotes lie.
pub(super) const REMOTES: &str = "refs/remotes/";
/// The local branches that a change usually goes into.
const TRUNKS: [&str; 2] = ["refs/heads/main", "refs/heads/master"];
/// How far the clocks of two machines that commit may differ, in seconds: a week.
const CLOCK_SLACK: i64 = 7 * 24 * 60 * 60;

/// Where HEAD stands.
pub(super) struct Head {
    pub(super) commit: Option<ObjectId>,
    pub(super) branch: Option<String>,
}

/// Returns where HEAD stands.
pub(super) fn head(objects: &Objects) -> Result<Head, ScopeError> {
    if let Some(commit) = objects.head {
        return Ok(Head { commit: Some(commit), branch: None });
    }
    let head = objects.git.head().map_err(ScopeError::git("HEAD"))?;
    let branch = head.referent_name().map(|name| name.shorten().to_string());
    if head.is_unborn() {
        return Ok(Head { commit: None, branch });
    }
    // A branch names a commit, which is verified and kept; only something else, such as a tag, has to be peeled.
    let id = match head.id().map(|id| id.detach()).filter(|id| objects.is_commit(*id)) {
        Some(id) => id,
        None => head.into_peeled_id().map_err(ScopeError::git("HEAD"))?.detach(),
    };
    Ok(Head { commit: Some(id), branch })
}

fn empty_tree() -> Base {
    let rule = BaseRule::EmptyTree;
    Base { name: "the empty tree".to_owned(), commit: None, tip: None, rule, is_local_only: false }
}

/// A branch that a change may go into.
struct Target {
    /// Its short name.
    name: String,
    tip: ObjectId,
    rule: BaseRule,
    is_local_only: bool,
}

/// Returns the base of a quick check: the last commit.
pub(super) fn quick(objects: &Objects) -> Result<Base, ScopeError> {
    Ok(match head(objects)?.commit {
        Some(id) => {
            let rule = BaseRule::Head;
            Base { name: "HEAD".to_owned(), commit: Some(hex(&id)), tip: None, rule, is_local_only: false }
        }
        None => empty_tree(),
    })
}

/// Returns the merge base of HEAD with a named branch, or with the one that is found. `tree` is that of the working tree.
pub(super) fn of(objects: &Objects, named: Option<&str>, tree: &TreeId) -> Result<Base, ScopeError> {
    let head = head(objects)?;
    let named = named.map(|name| named_by_caller(objects, name)).transpose()?;
    let Some(commit) = head.commit else {
        return match named {
            Some(target) => Err(ScopeError::NoMergeBase(target.name)),
            None => Ok(empty_tree()),
        };
    };
    let is_shallow = objects.git.is_shallow().map_err(ScopeError::git("the shallow file"))?;
    let Target { name, tip, rule, is_local_only } = match named {
        Some(named) => named,
        None => match find(objects, &head, commit)? {
            Some(target) => target,
            None if is_shallow => return Err(ScopeError::ShallowNoBase),
            None => return Err(ScopeError::NoBase),
        },
    };
    let Some(shared) = merge_base(objects, tip, commit)? else {
        return Err(if is_shallow { ScopeError::Shallow(name) } else { ScopeError::NoMergeBase(name) });
    };
    let left = |name| Base { name, commit: Some(hex(&shared)), tip: Some(hex(&tip)), rule, is_local_only };
    if shared != commit {
        return Ok(left(name));
    }
    let (committed, parents) = objects.commit(commit)?;
    // A branch that is only just made has nothing but its uncommitted work.
    let is_on_base =
        name == "HEAD" || head.branch.is_none_or(|branch| name == branch || name.ends_with(&format!("/{branch}")));
    if !is_on_base && hex(&committed) != tree.as_str() {
        return Ok(left(name));
    }
    // Everything is in the base already: the last commit is under review.
    match parents.first() {
        None => Ok(empty_tree()),
        Some(parent) if objects.has(*parent) => {
            let rule = BaseRule::LastCommit;
            Ok(Base { name: "HEAD~1".to_owned(), commit: Some(hex(parent)), tip: None, rule, is_local_only })
        }
        Some(parent) if !is_shallow => Err(ScopeError::MissingObject { what: "the commit", id: hex(parent) }),
        Some(_) => Err(ScopeError::Shallow("HEAD~1".to_owned())),
    }
}

/// Returns the tree of a base; `None` is the empty one.
pub(super) fn tree(objects: &Objects, base: &Base) -> Result<Option<ObjectId>, ScopeError> {
    tree_of(objects, base.commit.as_deref())
}

/// Returns the tree of a commit; `None` is the empty one.
pub(super) fn tree_of(objects: &Objects, commit: Option<&str>) -> Result<Option<ObjectId>, ScopeError> {
    let Some(commit) = commit else { return Ok(None) };
    let id = resolve(objects, commit)?;
    Ok(Some(objects.commit(id)?.0))
}

/// Returns the commit that decides: the tip of the branch which the change goes into. An old branch point does not decide
/// by its outdated files (FAULTS, row 24: old base).
fn deciding(base: &Base) -> Base {
    Base { commit: base.tip.clone().or_else(|| base.commit.clone()), ..base.clone() }
}

/// Returns the tree of the commit that decides; `None` is the empty one.
pub(super) fn deciding_tree(objects: &Objects, base: &Base) -> Result<Option<ObjectId>, ScopeError> {
    tree(objects, &deciding(base))
}

/// Returns the day on which the commit that decides was made.
pub(super) fn deciding_day(objects: &Objects, base: &Base) -> Result<Option<Day>, ScopeError> {
    let Some(commit) = deciding(base).commit else { return Ok(None) };
    Ok(objects.committed_at(resolve(objects, &commit)?)?.and_then(Day::of_seconds))
}

/// Returns the commit that a name stands for.
pub(super) fn resolve(objects: &Objects, name: &str) -> Result<ObjectId, ScopeError> {
    if let Some(head) = objects.head.filter(|_| name == "HEAD") {
        return Ok(head);
    }
    // A whole id is no abbreviation, for which all packs and folders of objects would be looked through.
    let whole = ObjectId::from_hex(name.as_bytes()).ok().filter(|id| id.kind() == objects.git.object_hash());
    if let Some(id) = whole.filter(|id| objects.is_commit(*id)) {
        return Ok(id);
    }
    let unknown = |why: String| match objects.git.is_shallow().unwrap_or(false) {
        true => ScopeError::ShallowUnknown(name.to_owned()),
        false => ScopeError::UnknownRevision { name: name.to_owned(), why },
    };
    let found = objects.git.rev_parse_single(name).map_err(|error| unknown(error.to_string()))?;
    let object = found.object().map_err(|error| unknown(error.to_string()))?;
    let commit = object.peel_to_kind(gix::objs::Kind::Commit).map_err(|error| unknown(error.to_string()))?;
    Ok(commit.id)
}

/// Tells whether a commit is in the repository; one that was cleared away, or is another repository's, is not.
pub(super) fn has(objects: &Objects, commit: &str) -> Result<bool, ScopeError> {
    match resolve(objects, commit) {
        Ok(_) => Ok(true),
        Err(ScopeError::UnknownRevision { .. } | ScopeError::ShallowUnknown(_)) => Ok(false),
        Err(error) => Err(error),
    }
}

fn merge_base(objects: &Objects, one: ObjectId, two: ObjectId) -> Result<Option<ObjectId>, ScopeError> {
    let is_child = |older: ObjectId, newer: ObjectId| objects.commit(newer).is_ok_and(|(_, of)| of.contains(&older));
    match () {
        () if one == two || is_child(one, two) => return Ok(Some(one)),
        () if is_child(two, one) => return Ok(Some(two)),
        () => {}
    }
    let bases = objects.git.merge_bases_many(one, &[two]).map_err(ScopeError::git("the history"))?;
    Ok(bases.first().map(|id| id.detach()))
}

pub(super) fn is_ancestor(objects: &Objects, older: &str, newer: &str) -> Result<bool, ScopeError> {
    let (older, newer) = (resolve(objects, older)?, resolve(objects, newer)?);
    Ok(merge_base(objects, older, newer)? == Some(older))
}

/// Tells whether a branch of a remote, as it is known here, has a commit; `None` without any branch of it.
pub(super) fn is_published(objects: &Objects, remote: &str, commit: &str) -> Result<Option<bool>, ScopeError> {
    let commit = resolve(objects, commit)?;
    has_one(objects, remote_tips(objects, &format!("{REMOTES}{remote}/"))?, commit)
}

/// Returns the subjects of the commits since the base, newest first.
pub(super) fn subjects(
    objects: &Objects,
    head: Option<ObjectId>,
    base: &Base,
    most: usize,
) -> Result<Vec<String>, ScopeError> {
    let Some(head) = head else { return Ok(Vec::new()) };
    let hidden = base.commit.as_deref().map(|commit| resolve(objects, commit)).transpose()?;
    let sorting = Sorting::ByCommitTime(CommitTimeOrder::NewestFirst);
    let walk = objects.git.rev_walk([head]).with_hidden(hidden).sorting(sorting).use_commit_graph(false);
    let walk = walk.all().map_err(ScopeError::git("the history"))?;
    let mut subjects = Vec::new();
    for commit in walk.take(most) {
        let commit = commit.and_then(|commit| commit.object()).map_err(ScopeError::git("the history"))?;
        let subject = commit.message_raw_sloppy().lines().next().unwrap_or_default().to_str_lossy().into_owned();
        subjects.push(subject);
    }
    Ok(subjects)
}

/// Returns the mail addresses of all who wrote or committed the commits since the base; `None` if there are more commits than are looked at,
/// or one cannot be read.
pub(super) fn people(
    objects: &Objects,
    head: Option<ObjectId>,
    base: &Base,
    most: usize,
) -> Result<Option<BTreeSet<String>>, ScopeError> {
    let Some(head) = head else { return Ok(Some(BTreeSet::new())) };
    let hidden = base.commit.as_deref().map(|commit| resolve(objects, commit)).transpose()?;
    let walk = objects.git.rev_walk([head]).with_hidden(hidden).use_commit_graph(false);
    let walk = walk.all().map_err(ScopeError::git("the history"))?;
    let mut people = BTreeSet::new();
    for (number, commit) in walk.enumerate() {
        let commit = commit.and_then(|commit| commit.object()).map_err(ScopeError::git("the history"))?;
        match acceptances::named(objects, &commit.data) {
            Some(named) if number < most => people.extend(named),
            _ => return Ok(None),
        }
    }
    Ok(Some(people))
}

/// Takes the branch, tag or commit that the caller names, whatever it is.
fn named_by_caller(objects: &Objects, name: &str) -> Result<Target, ScopeError> {
    let tip = resolve(objects, name)?;
    // Most expressions are no names of refs.
    let of_remote = follow(objects, &format!("{REMOTES}{name}")).ok().flatten();
    let is_remote = of_remote.is_some_and(|found| found.is_remote && found.tip == tip);
    let is_local_only = !is_remote && published(objects, tip)? == Some(false);
    Ok(Target { name: name.to_owned(), tip, rule: BaseRule::Named, is_local_only })
}

/// Finds the branch that HEAD is to be merged into. Where branches of remotes are known, a local one that has commits which no
/// remote has is never taken: it would hide them.
fn find(objects: &Objects, head: &Head, commit: ObjectId) -> Result<Option<Target>, ScopeError> {
    let target = |found: Followed, rule| Target { name: found.name, tip: found.tip, rule, is_local_only: false };
    let mut last = None;
    if let Some((upstream, is_twin)) = upstream(objects, head)?
        && let Some(found) = follow(objects, &upstream)?
        && hides_nothing(objects, &found)?
    {
        // A branch that already has all of this one is its pushed copy, under any name, and not its merge
        // target: taking it would hide the pushed commits.
        let has_all = merge_base(objects, found.tip, commit)? == Some(commit);
        if !is_twin && !has_all {
            return Ok(Some(target(found, BaseRule::Upstream)));
        }
        last = Some(target(found, BaseRule::Upstream)).filter(|_| !is_twin);
    }
    for remote in remotes(objects) {
        for (branch, rule) in
            [("HEAD", BaseRule::RemoteHead), ("main", BaseRule::RemoteBranch), ("master", BaseRule::RemoteBranch)]
        {
            let found = follow(objects, &format!("{REMOTES}{remote}/{branch}"))?;
            if let Some(found) = found.filter(|found| found.is_remote) {
                return Ok(Some(target(found, rule)));
            }
        }
    }
    let mut hiding = None;
    for name in TRUNKS {
        if let Some(found) = follow(objects, name)? {
            if hides_nothing(objects, &found)? {
                return Ok(Some(target(found, BaseRule::LocalBranch)));
            }
            hiding = hiding.or(Some(found.name));
        }
    }
    match (last, hiding) {
        (Some(last), _) => Ok(Some(last)),
        (None, Some(name)) => Err(ScopeError::LocalBase(name)),
        (None, None) => Ok(None),
    }
}

/// Returns the names of the remotes, `origin` first.
fn remotes(objects: &Objects) -> Vec<String> {
    let names = objects.git.remote_names();
    let others = names.iter().map(|name| name.to_string()).filter(|name| name != "origin");
    std::iter::once("origin".to_owned()).chain(others).collect()
}

/// Tells whether a branch is one of a remote, or has no commit that remotes do not have. Where no branch of a remote is known, the
/// local `main` and `master` stand for them.
fn hides_nothing(objects: &Objects, found: &Followed) -> Result<bool, ScopeError> {
    if found.is_remote {
        return Ok(true);
    }
    if let Some(is_published) = published(objects, found.tip)? {
        return Ok(is_published);
    }
    let mut trunks = BTreeSet::new();
    for name in TRUNKS {
        trunks.extend(follow(objects, name)?.map(|trunk| trunk.tip));
    }
    Ok(trunks.is_empty() || has_one(objects, Some(trunks), found.tip)? == Some(true))
}

/// Tells whether any branch of a remote, as it is known here, has a commit; `None` if no such branch is known.
fn published(objects: &Objects, commit: ObjectId) -> Result<Option<bool>, ScopeError> {
    has_one(objects, remote_tips(objects, REMOTES)?, commit)
}

/// Tells whether one of these commits has another in its history; `None` if nothing is known of them. Walks from the newest commit to those
/// as old as the wanted one, so that the cost grows with its age and not with the history. Where clocks were off by more than the slack, a
/// commit may be missed; then it counts as unpublished, which never opens anything.
fn has_one(objects: &Objects, tips: Option<BTreeSet<ObjectId>>, commit: ObjectId) -> Result<Option<bool>, ScopeError> {
    let Some(tips) = tips else { return Ok(None) };
    if tips.contains(&commit) {
        return Ok(Some(true));
    }
    let history = "the history";
    let wanted = objects.git.find_commit(commit).map_err(ScopeError::git(history))?;
    let seconds = wanted.time().map_err(ScopeError::git(history))?.seconds.saturating_sub(CLOCK_SLACK);
    let sorting = Sorting::ByCommitTimeCutoff { order: CommitTimeOrder::NewestFirst, seconds };
    let walk = objects.git.rev_walk(tips).sorting(sorting).use_commit_graph(false);
    for found in walk.all().map_err(ScopeError::git(history))? {
        if found.map_err(ScopeError::git(history))?.id == commit {
            return Ok(Some(true));
        }
    }
    Ok(Some(false))
}

/// Returns the commits of the branches of remotes below a prefix; `None` if no ref is there. One that leads to a local branch, or was set
/// by hand, is none of theirs.
fn remote_tips(objects: &Objects, prefix: &str) -> Result<Option<BTreeSet<ObjectId>>, ScopeError> {
    let refs = objects.git.references().map_err(ScopeError::git("the refs"))?;
    let Ok(branches) = refs.prefixed(prefix) else { return Ok(None) };
    let mut tips = None;
    for branch in branches.flatten() {
        let Ok(Some(found)) = follow(objects, &branch.name().as_bstr().to_string()) else { continue };
        tips.get_or_insert_with(BTreeSet::new).extend(found.is_remote.then_some(found.tip));
    }
    Ok(tips)
}

/// Returns the full name of the branch's upstream, and whether that is only its own published twin.
fn upstream(objects: &Objects, head: &Head) -> Result<Option<(String, bool)>, ScopeError> {
    let Some(branch) = &head.branch else { return Ok(None) };
    let config = objects.git.config_snapshot();
    let value = |key: &str| config.string(format!("branch.{branch}.{key}").as_str()).map(|value| value.to_string());
    let (Some(remote), Some(merge)) = (value("remote"), value("merge")) else { return Ok(None) };
    let Some(short) = merge.strip_prefix("refs/heads/") else { return Ok(None) };
    if remote == "." {
        return Ok(Some((merge.clone(), short == branch)));
    }
    let default = symbolic_target(objects, &format!("refs/remotes/{remote}/HEAD"))?;
    let is_default = match default.as_deref().and_then(|name| name.strip_prefix(&format!("refs/remotes/{remote}/"))) {
        Some(default) => default == branch,
        None => ["main", "master"].contains(&branch.as_str()),
    };
    Ok(Some((format!("refs/remotes/{remote}/{short}"), short == branch && !is_default)))
}

/// Returns the target of a symbolic ref.
fn symbolic_target(objects: &Objects, name: &str) -> Result<Option<String>, ScopeError> {
    let found = find_ref(objects, name)?;
    Ok(found.and_then(|found| found.target().try_name().map(|target| target.as_bstr().to_string())))
}

/// A ref that was followed to its commit.
struct Followed {
    /// The short name of its target.
    name: String,
    tip: ObjectId,
    /// Whether it is a branch of a remote. A `HEAD` of a remote is one only by the branch it names, and a branch only if it was not set
    /// here by hand.
    is_remote: bool,
}

/// Follows a ref; `None` if it does not exist.
fn follow(objects: &Objects, name: &str) -> Result<Option<Followed>, ScopeError> {
    let Some(found) = find_ref(objects, name)? else { return Ok(None) };
    let target = found.target().try_name().map(|target| target.as_bstr().to_string());
    let (full, found) = match target {
        None => (name.to_owned(), found),
        Some(full) => {
            let Some(found) = find_ref(objects, &full)? else { return Ok(None) };
            (full, found)
        }
    };
    // A second hop may lead anywhere.
    let is_direct = found.target().try_name().is_none();
    let is_branch = is_direct && full.starts_with(REMOTES) && !full.ends_with("/HEAD");
    let short = [REMOTES, "refs/heads/"].iter().find_map(|prefix| full.strip_prefix(prefix));
    let short = short.unwrap_or(&full).to_owned();
    let direct = found.target().try_id().map(ToOwned::to_owned).filter(|id| objects.is_commit(*id));
    let tip = direct.map_or_else(|| resolve(objects, &full), Ok)?;
    let is_set = || set_by_hand::is(objects.git.common_dir(), &full, &hex(&tip), &refspecs(objects, &full));
    let is_remote = is_branch && !is_set();
    Ok(Some(Followed { name: short, tip, is_remote }))
}

/// Returns what the remote of a branch is told to fetch.
fn refspecs(objects: &Objects, full: &str) -> Vec<String> {
    let key = format!("remote.{}.fetch", set_by_hand::parts(full).0);
    let config = objects.git.config_snapshot();
    let all = config.plumbing().strings(key.as_str()).unwrap_or_default();
    all.iter().map(ToString::to_string).collect()
}

/// Finds a ref by its full name.
fn find_ref<'o>(objects: &'o Objects, full: &str) -> Result<Option<gix::Reference<'o>>, ScopeError> {
    if !may_be_there(objects, full) {
        return Ok(None);
    }
    objects.git.try_find_reference(full).map_err(ScopeError::git(full))
}

/// Tells whether a branch could be there: gix would look for a missing one under five other names.
fn may_be_there(objects: &Objects, full: &str) -> bool {
    if !["refs/remotes/", "refs/heads/"].iter().any(|prefix| full.starts_with(prefix)) {
        return true;
    }
    let is_gone = |error: std::io::Error| {
        matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
    };
    if !std::fs::symlink_metadata(objects.git.common_dir().join(full)).is_err_and(is_gone) {
        return true;
    }
    match objects.git.refs.cached_packed_buffer() {
        Ok(packed) => packed.is_some_and(|packed| !matches!(packed.try_find(full), Ok(None))),
        Err(_) => true,
    }
}
