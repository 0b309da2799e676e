//! The policy of a team: which findings close the gate, where, and who may decline them.
//!
//! Deliberately not here: reading it (`config`), and the decision (`verdict`).

use std::collections::BTreeSet;

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use super::closed_set::closed_set;
use super::{Domain, Severity};

closed_set! {
    /// The mode of the gate.
    PolicyMode {
        /// Hooks and CI stop at a closed gate.
        Enforce = "enforce",
        /// Only Blockers close the gate.
        Warn = "warn",
        /// Hooks and CI let pass what would be closed, and say so.
        Observe = "observe",
    }
}

closed_set! {
    /// Which findings a team may decline by itself, where they would close the gate.
    AcceptWontFix {
        /// None.
        Never = "never",
        /// Those below High.
        BelowHigh = "below-high",
        /// All.
        Always = "always",
    }
}

closed_set! {
    /// When the report of a review is written.
    #[derive(Default)]
    ReportWriting {
        /// With every review.
        #[default]
        Always = "always",
        /// When somebody asks for it.
        OnRequest = "on-request",
    }
}

impl AcceptWontFix {
    /// Tells whether a finding of that severity may be declined by the team alone.
    pub fn accepts(self, severity: Severity) -> bool {
        match self {
            Self::Never => false,
            Self::BelowHigh => !severity.is_at_least(Severity::High),
            Self::Always => true,
        }
    }
}

/// Which files are looked at, and how. Globs are those of git: a star stays within a folder.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScopePolicy {
    /// Globs of files whose code no grammar reads, and that may pass as text.
    pub text_only: Vec<String>,
    /// Globs of binary files and submodules that need no person.
    pub assets_ok: Vec<String>,
    /// Globs of files whose changes are only searched for secrets, where the base has the file.
    pub exclude: Vec<String>,
    /// Whether `linguist-generated` and `linguist-vendored` in the attributes of the base exclude a file.
    pub linguist: bool,
}

impl ScopePolicy {
    /// Returns a matcher of the files whose code may pass as text.
    pub fn passing_as_text(&self) -> GlobSet {
        set_of(&self.text_only)
    }

    /// Returns a matcher of the binary files that need no person.
    pub fn passing_as_assets(&self) -> GlobSet {
        set_of(&self.assets_ok)
    }

    /// Returns a matcher of the excluded files.
    pub fn excluded(&self) -> GlobSet {
        set_of(&self.exclude)
    }
}

/// Compiles globs. `config` has refused the invalid ones; of an old record, they match nothing.
pub(super) fn set_of(globs: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for glob in globs.iter().filter_map(|glob| GlobBuilder::new(glob).literal_separator(true).build().ok()) {
        set.add(glob);
    }
    set.build().unwrap_or_default()
}

/// The policy of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Policy {
    /// The mode of the gate.
    pub mode: PolicyMode,
    /// The lowest severity that closes the gate.
    pub block_at: Severity,
    /// Other thresholds for some paths; the last that matches decides.
    pub paths: Vec<PathPolicy>,
    /// Domains whose Blockers always halt the team.
    pub abort_domains: BTreeSet<Domain>,
    /// Which findings the author of a change may decline.
    pub accept_wont_fix: AcceptWontFix,
    /// The severity of an acceptance criterion that is not met.
    pub not_met: Severity,
}

/// The threshold of some paths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathPolicy {
    /// Globs of the paths; a star stays within a folder.
    pub globs: Vec<String>,
    /// The lowest severity that closes the gate there.
    pub block_at: Severity,
}

impl Policy {
    /// Returns the lowest severity that closes the gate for a finding in a file; `.` is the whole repository.
    pub fn block_at(&self, file: &str) -> Severity {
        if self.mode == PolicyMode::Warn {
            return Severity::Blocker;
        }
        self.paths.iter().rev().find(|paths| paths.covers(file)).map_or(self.block_at, |paths| paths.block_at)
    }

    /// Returns the lowest severity that closes the gate anywhere.
    pub fn lowest_block_at(&self) -> Severity {
        let all = self.paths.iter().map(|paths| paths.block_at);
        all.fold(self.block_at, |lowest, other| if lowest.is_at_least(other) { other } else { lowest })
    }

    /// Tells whether a finding of that severity in a file closes the gate. Praise never does.
    pub fn closes(&self, severity: Severity, file: &str) -> bool {
        severity != Severity::Praise && severity.is_at_least(self.block_at(file))
    }
}

impl PathPolicy {
    fn covers(&self, file: &str) -> bool {
        let glob = |glob: &String| GlobBuilder::new(glob).literal_separator(true).build().ok();
        self.globs.iter().filter_map(glob).any(|glob| glob.compile_matcher().is_match(file))
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self {
            mode: PolicyMode::Enforce,
            block_at: Severity::High,
            paths: Vec::new(),
            abort_domains: BTreeSet::new(),
            accept_wont_fix: AcceptWontFix::BelowHigh,
            not_met: Severity::High,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_path_that_matches_decides() {
        let paths = |glob: &str, block_at| PathPolicy { globs: vec![glob.to_owned()], block_at };
        let policy = Policy {
            paths: vec![paths("docs/**", Severity::Blocker), paths("docs/api/*", Severity::Medium)],
            ..Policy::default()
        };
        assert_eq!(policy.block_at("src/a.ts"), Severity::High);
        assert_eq!(policy.block_at("docs/a.md"), Severity::Blocker);
        assert_eq!(policy.block_at("docs/api/a.md"), Severity::Medium);
        assert_eq!(policy.block_at("docs/api/x/a.md"), Severity::Blocker);
        assert_eq!(policy.block_at("."), Severity::High);
        assert_eq!(policy.lowest_block_at(), Severity::Medium);
        let warn = Policy { mode: PolicyMode::Warn, ..policy };
        assert_eq!(warn.block_at("docs/api/a.md"), Severity::Blocker);
        let strict = Policy { block_at: Severity::Info, ..Policy::default() };
        assert!(!strict.closes(Severity::Praise, "a") && strict.closes(Severity::Info, "a"));
    }
}
