//! A team's own rules for a part of the tree, as the base has them (DESIGN §10): told to those who see that part, and what a quoted rule is
//! held against.
//!
//! Deliberately not here: which commit they are read from, and how they are told.

use super::RepoPath;

/// An entry of `[[guidelines]]`: a file of the base, and the paths that it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuidelineRule {
    /// Globs of the paths; a star stays within a folder.
    pub paths: Vec<String>,
    /// The file.
    pub file: RepoPath,
    /// Its text.
    pub text: String,
}

/// Guidelines, and the files of a change that they are for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guideline {
    /// The file of the base that has them.
    pub file: RepoPath,
    /// Its text.
    pub text: String,
    /// The files of the change.
    pub covers: Vec<RepoPath>,
}

impl Guideline {
    /// The name of guidelines that lie beside what they are for.
    pub const BESIDE: &'static str = "REVIEW.md";
}

impl GuidelineRule {
    /// Returns those of some paths that it is for.
    pub fn covered<'p>(&self, paths: impl Iterator<Item = &'p RepoPath>) -> Vec<RepoPath> {
        let globs = super::policy::set_of(&self.paths);
        paths.filter(|path| globs.is_match(path.as_str())).cloned().collect()
    }
}

/// Returns the places of guidelines that lie beside a file, the nearest first.
pub fn beside(path: &RepoPath) -> impl Iterator<Item = RepoPath> + '_ {
    let mut folder = path.as_str();
    let above = std::iter::from_fn(move || {
        let (rest, _) = folder.rsplit_once('/')?;
        folder = rest;
        Some(format!("{rest}/{}", Guideline::BESIDE))
    });
    above.chain([Guideline::BESIDE.to_owned()]).filter_map(|place| RepoPath::new(&place).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_folder_comes_first() {
        let places = |path: &str| -> Vec<String> {
            beside(&RepoPath::new(path).unwrap()).map(|place| place.to_string()).collect()
        };
        assert_eq!(places("src/api/a.ts"), ["src/api/REVIEW.md", "src/REVIEW.md", "REVIEW.md"]);
        assert_eq!(places("a.ts"), ["REVIEW.md"]);
    }

    #[test]
    fn a_star_stays_within_a_folder() {
        let path = |text: &str| RepoPath::new(text).unwrap();
        let rule =
            GuidelineRule { paths: vec!["src/*.ts".to_owned()], file: path("docs/rules.md"), text: String::new() };
        let all = [path("src/a.ts"), path("src/api/b.ts"), path("c.ts")];
        assert_eq!(rule.covered(all.iter()), [path("src/a.ts")]);
    }
}
