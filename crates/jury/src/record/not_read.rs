//! The files of a change that no reviewer has to read: a record in; these files, and why, out.
//!
//! Images that were checked by their structure, binary files that the base lets pass, and what the base excludes. None of them is a gap.
//! Deliberately not here: finding them (`scope`).

use super::{Record, on_one_line};
use crate::model::{Asset, RepoPath, Unreviewed, UnreviewedReason};

/// How many files of a kind are named.
const MOST: usize = 10;

/// The files that no reviewer has to read, by path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NotRead<'r> {
    /// Images whose bytes are what their names say.
    pub checked: Vec<(&'r RepoPath, Asset)>,
    /// Binary files and submodules that the base lets pass.
    pub let_pass: Vec<&'r str>,
    /// Files that the base excludes, which were searched for secrets.
    pub excluded: Vec<&'r RepoPath>,
}

impl<'r> NotRead<'r> {
    /// Finds them in a record.
    pub fn of(record: &'r Record) -> Self {
        let scope = &record.scope;
        let checked = scope.files.iter().filter(|file| !scope.excluded.contains(&file.path));
        let passing = record.policy.scope.passing_as_assets();
        let passes = |it: &&Unreviewed| may_pass(it.why) && passing.is_match(&it.path) && !scope.is_excluded(&it.path);
        Self {
            checked: checked.filter_map(|file| Some((&file.path, file.asset?))).collect(),
            let_pass: scope.unreviewed.iter().filter(passes).map(|it| it.path.as_str()).collect(),
            excluded: scope.excluded.iter().collect(),
        }
    }

    /// Tells whether an unreviewable file is one of them.
    pub fn has(&self, path: &str) -> bool {
        self.let_pass.contains(&path) || self.excluded.iter().any(|excluded| excluded.as_str() == path)
    }

    /// Says in a line for each kind which files they are.
    pub fn lines(&self) -> Vec<String> {
        let path = |path: &str| on_one_line(path);
        let checked = self.checked.iter().map(|(file, asset)| format!("{} ({asset})", path(file.as_str())));
        let kinds = [
            ("images, checked by their structure", checked.collect::<Vec<_>>()),
            ("let pass by `assets_ok` of the base", self.let_pass.iter().map(|it| path(it)).collect()),
            (
                "excluded by the base, searched for secrets only",
                self.excluded.iter().map(|it| path(it.as_str())).collect(),
            ),
        ];
        kinds.into_iter().filter(|(_, files)| !files.is_empty()).map(|(what, files)| line(what, &files)).collect()
    }
}

/// Tells whether the base can let something pass: what is no text. An image is checked by its structure, whatever the base lets pass, and a
/// program is no asset.
fn may_pass(why: UnreviewedReason) -> bool {
    matches!(why, UnreviewedReason::Binary | UnreviewedReason::LfsPointer | UnreviewedReason::Submodule)
}

fn line(what: &str, files: &[String]) -> String {
    let more = files.len().saturating_sub(MOST);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("{what}: {}{more}", files.iter().take(MOST).cloned().collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AssetKind;
    use crate::record::fixtures::record;

    #[test]
    fn what_nobody_has_to_read_is_named_and_no_image_passes_unchecked() {
        let mut record = record(Vec::new());
        assert!(NotRead::of(&record).lines().is_empty());
        record.policy.scope.assets_ok = vec!["*.png".to_owned()];
        assert_eq!(NotRead::of(&record).let_pass, ["c.png"]);
        for why in [UnreviewedReason::MalformedImage, UnreviewedReason::Program, UnreviewedReason::TooLarge] {
            record.scope.unreviewed[0].why = why;
            assert!(!NotRead::of(&record).has("c.png"), "{why}");
        }
        record.scope.excluded = [RepoPath::new("c.png").unwrap()].into();
        assert!(NotRead::of(&record).has("c.png"));
        record.scope.files[0].asset = Some(Asset { kind: AssetKind::Gif, bytes: 9, width: 2, height: 3 });
        assert_eq!(
            NotRead::of(&record).lines(),
            [
                "images, checked by their structure: a.ts (GIF, 2 × 3, 9 bytes)",
                "excluded by the base, searched for secrets only: c.png",
            ]
        );
    }
}
