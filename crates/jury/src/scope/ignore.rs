//! `.gitignore` files of the tree in; whether an untracked path is ignored out. Deliberately not here: `info/exclude` and
//! `core.excludesFile`, which lie outside the tree and so could hide a file without leaving a trace in the change.

use std::sync::Arc;

use gix::bstr::{BStr, ByteSlice as _};
use gix::glob::{Pattern, pattern::Case, wildmatch};

/// The patterns that hold in a folder: those of its own file, and those of the folders above.
#[derive(Clone, Default)]
pub(super) struct Ignores(Option<Arc<Level>>);

struct Level {
    /// How long the path of the folder is, its slash included.
    base: usize,
    patterns: Vec<Pattern>,
    above: Ignores,
}

impl Ignores {
    /// Adds the `.gitignore` of a folder.
    pub(super) fn with(&self, folder: &[u8], text: &[u8]) -> Ignores {
        let patterns: Vec<Pattern> = gix_ignore::parse(text, false).map(|(pattern, _, _)| pattern).collect();
        if patterns.is_empty() {
            return self.clone();
        }
        Ignores(Some(Arc::new(Level { base: folder.len(), patterns, above: self.clone() })))
    }

    /// Tells whether a path is ignored, if the folders above it are not.
    pub(super) fn has(&self, path: &[u8], is_folder: bool) -> bool {
        let mut level = self.0.as_ref();
        while let Some(at) = level {
            let relative: &BStr = path[at.base..].into();
            let name = relative.rfind_byte(b'/').map(|slash| slash + 1);
            let found = at.patterns.iter().rev().find(|pattern| {
                let mode = wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
                pattern.matches_repo_relative_path(relative, name, Some(is_folder), Case::Sensitive, mode)
            });
            if let Some(pattern) = found {
                return !pattern.is_negative();
            }
            level = at.above.0.as_ref();
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_and_last_pattern_decides() {
        let root = Ignores::default().with(b"", b"*.log\n/build/\n!keep.log\ndoc/*.txt\n# c\n\n");
        let deep = root.with(b"src/", b"!debug.log\n/gen\n");
        for (ignores, path, is_folder, ignored) in [
            (&root, "a.log", false, true),
            (&root, "x/a.log", false, true),
            (&root, "x/keep.log", false, false),
            (&root, "build", true, true),
            (&root, "build", false, false),
            (&root, "x/build", true, false),
            (&root, "doc/a.txt", false, true),
            (&root, "doc/x/a.txt", false, false),
            (&deep, "src/a.log", false, true),
            (&deep, "src/debug.log", false, false),
            (&deep, "src/gen", false, true),
            (&deep, "src/x/gen", false, false),
        ] {
            assert_eq!(ignores.has(path.as_bytes(), is_folder), ignored, "{path}");
        }
    }
}
