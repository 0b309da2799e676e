//! How the findings and the failure of a team's reviewer count: its role, and the severities of its rules (DESIGN §10).
//!
//! In: values that `config` has checked. Out: the severity with which a claim counts, and why it differs from the stated one.

use globset::{Glob, GlobMatcher};

use super::Severity;
use super::closed_set::closed_set;

closed_set! {
    /// The weight of a reviewer's word.
    ReviewerRole {
        /// It has to report, and its findings count in full.
        Required = "required",
        /// A failure is a note; its findings count in full.
        Optional = "optional",
        /// A failure is a note; its findings count at most as Medium, a Blocker excepted.
        Advisory = "advisory",
    }
}

/// The role of a reviewer and the severities of its rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weighting {
    /// Its role.
    pub role: ReviewerRole,
    /// Severities by rule or by level.
    pub severities: Vec<RuleSeverity>,
}

/// The severity of the findings of some rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleSeverity {
    /// A level of [`LEVELS`], or a glob that matches ids of rules.
    pub pattern: String,
    /// The severity with which they count.
    pub severity: Severity,
}

/// The levels of tools, and the severity that formats read each as (DESIGN §5).
pub const LEVELS: [(&str, Severity); 4] =
    [("error", Severity::High), ("warning", Severity::Medium), ("note", Severity::Low), ("info", Severity::Info)];

/// Why a claim counts with another severity than its reviewer states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reweighted {
    /// The severity that the reviewer states.
    pub stated: Severity,
    /// The severity that counts.
    pub counts: Severity,
    /// The reason.
    pub reason: ReweightReason,
}

/// The source of the severity of a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReweightReason {
    /// This entry of `severity`.
    Rule(String),
    /// The reviewer is advisory.
    Advisory,
}

impl Default for Weighting {
    fn default() -> Self {
        Self { role: ReviewerRole::Required, severities: Vec::new() }
    }
}

impl Weighting {
    /// Tells whether the review is incomplete without this reviewer.
    pub fn has_to_report(&self) -> bool {
        self.role == ReviewerRole::Required
    }

    /// Weighs a claim; `None` if it counts as its reviewer states it.
    pub fn weigh(&self, rule: Option<&str>, stated: Severity) -> Option<Reweighted> {
        if stated == Severity::Praise {
            return None;
        }
        let entry = self.entry(rule, stated);
        let rated = entry.map_or(stated, |entry| entry.severity);
        let is_capped = self.role == ReviewerRole::Advisory && rated == Severity::High;
        let (counts, reason) = match (is_capped, entry) {
            (true, _) => (Severity::Medium, ReweightReason::Advisory),
            (false, Some(entry)) => (rated, ReweightReason::Rule(entry.pattern.clone())),
            (false, None) => return None,
        };
        (counts != stated).then_some(Reweighted { stated, counts, reason })
    }

    /// Returns the entry that decides: the longest glob that matches the rule, else the level.
    fn entry(&self, rule: Option<&str>, stated: Severity) -> Option<&RuleSeverity> {
        let is_level = |entry: &&RuleSeverity| LEVELS.iter().any(|(word, _)| *word == entry.pattern);
        let matches = |entry: &&RuleSeverity| {
            rule.is_some_and(|rule| matcher(&entry.pattern).is_some_and(|glob| glob.is_match(rule)))
        };
        let by_rule = self.severities.iter().filter(|entry| !is_level(entry)).filter(matches);
        let level = LEVELS.iter().find(|(_, severity)| *severity == stated.min_high()).map(|(word, _)| *word);
        let by_level = || self.severities.iter().find(|entry| Some(entry.pattern.as_str()) == level);
        by_rule.max_by_key(|entry| entry.pattern.len()).or_else(by_level)
    }
}

impl Severity {
    /// Returns the severity that the formats of tools can state: those have nothing above High.
    fn min_high(self) -> Self {
        if self == Self::Blocker { Self::High } else { self }
    }
}

impl std::fmt::Display for Reweighted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { stated, counts, reason } = self;
        match reason {
            ReweightReason::Rule(pattern) => write!(f, "{stated} by its reviewer, {counts} by severity {pattern:?}"),
            ReweightReason::Advisory => write!(f, "{stated} by its reviewer, {counts} because that is advisory"),
        }
    }
}

/// Compiles a pattern of rules; a star matches slashes, too.
pub fn matcher(pattern: &str) -> Option<GlobMatcher> {
    Glob::new(pattern).ok().map(|glob| glob.compile_matcher())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weighting(role: ReviewerRole, severities: &[(&str, Severity)]) -> Weighting {
        let rule = |(pattern, severity): &(&str, Severity)| RuleSeverity {
            pattern: (*pattern).to_owned(),
            severity: *severity,
        };
        Weighting { role, severities: severities.iter().map(rule).collect() }
    }

    #[test]
    fn the_longest_glob_decides_and_a_level_only_without_one() {
        use Severity::*;
        let table = [("*", Low), ("F*", Medium), ("F82*", High), ("@ts/*", Info), ("error", Blocker)];
        let tool = weighting(ReviewerRole::Required, &table);
        let counts = |rule: Option<&str>, stated| tool.weigh(rule, stated).map(|it| it.counts);
        assert_eq!(counts(Some("D100"), High), Some(Low));
        assert_eq!(counts(Some("F401"), High), Some(Medium));
        assert_eq!(counts(Some("F821"), High), None, "it counts as it is stated");
        assert_eq!(counts(Some("@ts/no-floating/x"), High), Some(Info));
        assert_eq!(counts(None, High), Some(Blocker));
        assert_eq!(counts(None, Medium), None);
        assert_eq!(counts(Some("D100"), Praise), None);
    }

    #[test]
    fn an_advisory_reviewer_closes_nothing_but_by_a_blocker() {
        use Severity::*;
        let style = weighting(ReviewerRole::Advisory, &[("bug/*", High)]);
        let counts = |rule: Option<&str>, stated| style.weigh(rule, stated).map(|it| (it.counts, it.reason));
        assert_eq!(counts(None, High), Some((Medium, ReweightReason::Advisory)));
        assert_eq!(counts(Some("bug/x"), High), Some((Medium, ReweightReason::Advisory)));
        assert_eq!(counts(Some("bug/x"), Low), Some((Medium, ReweightReason::Advisory)));
        for same in [Blocker, Medium, Low, Info] {
            assert_eq!(counts(None, same), None);
        }
        assert_eq!(weighting(ReviewerRole::Optional, &[]).weigh(None, High), None);
    }
}
