//! The scope of a review ↔ its wire type.

use jury_wire::v1::record as wire;

use super::{parsed, patch, path, refused, token};
use crate::model::{
    Asset, AssetKind, BaseRule, FileChange, LineRange, ScopeKind, TreeId, Unreviewed, UnreviewedReason,
};
use crate::record::{RecordError, RecordedFile, RecordedScope};

pub(super) fn to_wire(scope: &RecordedScope) -> wire::Scope {
    wire::Scope {
        kind: scope.kind.token().to_owned(),
        target: scope.target.clone(),
        base_name: scope.base_name.clone(),
        base: scope.base.clone(),
        base_rule: scope.base_rule.map(|rule| rule.token().to_owned()),
        base_local_only: scope.base_local_only,
        head: scope.head.clone(),
        branch: scope.branch.clone(),
        commits: scope.commits.clone(),
        tree: scope.tree.to_string(),
        patch: scope.patch.to_string(),
        files: scope.files.iter().map(file_to_wire).collect(),
        unreviewed: scope.unreviewed.iter().map(unreviewed_to_wire).collect(),
        excluded: scope.excluded.iter().map(ToString::to_string).collect(),
    }
}

pub(super) fn from_wire(scope: wire::Scope) -> Result<RecordedScope, RecordError> {
    let tree =
        TreeId::new(&scope.tree).ok_or_else(|| refused("scope.tree", "it is not the id of a tree".to_owned()))?;
    Ok(RecordedScope {
        kind: token("scope.kind", &scope.kind, ScopeKind::from_token)?,
        target: scope.target,
        base_name: scope.base_name,
        base: scope.base,
        base_rule: scope.base_rule.map(|rule| token("scope.base_rule", &rule, BaseRule::from_token)).transpose()?,
        base_local_only: scope.base_local_only,
        head: scope.head,
        branch: scope.branch,
        commits: scope.commits,
        tree,
        patch: patch("scope.patch", &scope.patch)?,
        files: scope.files.into_iter().map(file_from_wire).collect::<Result<_, _>>()?,
        unreviewed: scope.unreviewed.into_iter().map(unreviewed_from_wire).collect::<Result<_, _>>()?,
        excluded: scope.excluded.iter().map(|file| path("scope.excluded", file)).collect::<Result<_, _>>()?,
    })
}

fn file_to_wire(file: &RecordedFile) -> wire::File {
    let ranges = |ranges: &[LineRange]| ranges.iter().map(LineRange::to_string).collect();
    let (change, from) = match &file.change {
        FileChange::Added => ("added", None),
        FileChange::Modified => ("modified", None),
        FileChange::Deleted => ("deleted", None),
        FileChange::Renamed { from } => ("renamed", Some(from.to_string())),
        FileChange::ModeChanged => ("mode changed", None),
        FileChange::TypeChanged => ("type changed", None),
        FileChange::Whole => ("whole", None),
    };
    wire::File {
        path: file.path.to_string(),
        change: change.to_owned(),
        from,
        id: file.id.clone(),
        patch: file.patch.as_ref().map(ToString::to_string),
        after: ranges(&file.after),
        before: ranges(&file.before),
        image: file.asset.as_ref().map(|Asset { kind, bytes, width, height }| wire::Image {
            kind: kind.token().to_owned(),
            bytes: *bytes,
            width: *width,
            height: *height,
        }),
    }
}

fn file_from_wire(file: wire::File) -> Result<RecordedFile, RecordError> {
    const MEMBER: &str = "scope.files";
    let ranges = |ranges: &[String]| -> Result<Vec<LineRange>, RecordError> {
        ranges.iter().map(|range| parsed(MEMBER, LineRange::parse(range))).collect()
    };
    let change = match (file.change.as_str(), &file.from) {
        ("added", None) => FileChange::Added,
        ("modified", None) => FileChange::Modified,
        ("deleted", None) => FileChange::Deleted,
        ("renamed", Some(from)) => FileChange::Renamed { from: path(MEMBER, from)? },
        ("mode changed", None) => FileChange::ModeChanged,
        ("type changed", None) => FileChange::TypeChanged,
        ("whole", None) => FileChange::Whole,
        (other, _) => return Err(refused(MEMBER, format!("unknown change {other:?}"))),
    };
    Ok(RecordedFile {
        path: path(MEMBER, &file.path)?,
        change,
        id: file.id,
        patch: file.patch.map(|digits| patch(MEMBER, &digits)).transpose()?,
        after: ranges(&file.after)?,
        before: ranges(&file.before)?,
        asset: file.image.map(asset_from_wire).transpose()?,
    })
}

fn asset_from_wire(image: wire::Image) -> Result<Asset, RecordError> {
    let wire::Image { kind, bytes, width, height } = image;
    Ok(Asset { kind: token("scope.files", &kind, AssetKind::from_token)?, bytes, width, height })
}

fn unreviewed_to_wire(unreviewed: &Unreviewed) -> wire::Unreviewed {
    let Unreviewed { path, why, id } = unreviewed;
    wire::Unreviewed { path: path.clone(), why: why.token().to_owned(), id: id.clone() }
}

fn unreviewed_from_wire(unreviewed: wire::Unreviewed) -> Result<Unreviewed, RecordError> {
    let wire::Unreviewed { path, why, id } = unreviewed;
    Ok(Unreviewed { path, why: token("scope.unreviewed", &why, UnreviewedReason::from_token)?, id })
}
