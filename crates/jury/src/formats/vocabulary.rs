//! How each contract spells severities and confidences: DESIGN §5 as tables.
//!
//! In: a word of a contract. Out: Jury's own, and back. `None` if a contract has no word for it.

use crate::model::{Confidence, Severity};

/// A contract's words for severities; a severity may be missing, or share a word with the next worse one above it.
pub(super) struct Severities(&'static [(Severity, &'static str)]);

/// 000 and 003.
pub(super) const VERDICT_FILE: Severities = Severities(&[
    (Severity::Blocker, "Blocker"),
    (Severity::High, "High"),
    (Severity::Medium, "Medium"),
    (Severity::Low, "Low"),
    (Severity::Info, "Info"),
]);

/// 004. Reading gives the first severity of a word, so P3 reads as Low.
pub(super) const FINDINGS: Severities = Severities(&[
    (Severity::Blocker, "P0"),
    (Severity::High, "P1"),
    (Severity::Medium, "P2"),
    (Severity::Low, "P3"),
    (Severity::Info, "P3"),
]);

/// 002.
pub(super) const REVIEW: Severities = Severities(&[
    (Severity::Blocker, "Critical"),
    (Severity::High, "High"),
    (Severity::Medium, "Medium"),
    (Severity::Low, "Low"),
    (Severity::Info, "Nit"),
    (Severity::Praise, "Praise"),
]);

/// The reviewdog Diagnostic Format. Reading gives the first severity of a word, so ERROR reads as High.
pub(super) const RDFORMAT: Severities = Severities(&[
    (Severity::High, "ERROR"),
    (Severity::Blocker, "ERROR"),
    (Severity::Medium, "WARNING"),
    (Severity::Low, "INFO"),
    (Severity::Info, "INFO"),
]);

/// Checkstyle; `ignore` is no severity but says that there is nothing to see.
pub(super) const CHECKSTYLE: Severities = Severities(&[
    (Severity::High, "error"),
    (Severity::Blocker, "error"),
    (Severity::Medium, "warning"),
    (Severity::Low, "info"),
    (Severity::Info, "info"),
]);

/// GitLab Code Quality.
pub(super) const CODE_QUALITY: Severities = Severities(&[
    (Severity::Blocker, "blocker"),
    (Severity::High, "critical"),
    (Severity::Medium, "major"),
    (Severity::Low, "minor"),
    (Severity::Info, "info"),
]);

/// The verdict of the Codex plugin.
pub(super) const CODEX_VERDICT: Severities = Severities(&[
    (Severity::Blocker, "critical"),
    (Severity::High, "high"),
    (Severity::Medium, "medium"),
    (Severity::Low, "low"),
]);

/// The Claude security review.
pub(super) const CLAUDE_SECURITY: Severities =
    Severities(&[(Severity::High, "HIGH"), (Severity::Medium, "MEDIUM"), (Severity::Low, "LOW")]);

/// SARIF's levels. An `error` reads as High; its `security-severity` makes it a Blocker.
pub(super) const LEVELS: Severities = Severities(&[
    (Severity::High, "error"),
    (Severity::Blocker, "error"),
    (Severity::Medium, "warning"),
    (Severity::Low, "note"),
    (Severity::Info, "none"),
]);

impl Severities {
    /// Returns the contract's word.
    pub(super) fn word(&self, severity: Severity) -> Option<&'static str> {
        self.0.iter().find(|(of, _)| *of == severity).map(|(_, word)| *word)
    }

    /// Returns the severity that a word stands for.
    pub(super) fn severity(&self, word: &str) -> Option<Severity> {
        self.0.iter().find(|(_, of)| *of == word).map(|(severity, _)| *severity)
    }

    /// Returns every word once, worst first.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        let first = self.0.iter().enumerate().filter(|(at, (_, word))| *at == 0 || self.0[at - 1].1 != *word);
        first.map(|(_, (_, word))| *word)
    }
}

/// 001's words for the confidence of a report, with their percents.
pub(super) const CONFIDENCE_WORDS: [(&str, u32); 3] = [("high", 100), ("med", 75), ("low", 50)];

/// Returns the confidence that one of 001's words stands for.
pub(super) fn confidence_from_word(word: &str) -> Option<Confidence> {
    let (_, percent) = CONFIDENCE_WORDS.iter().find(|(of, _)| *of == word)?;
    Confidence::from_percent(*percent).ok()
}

/// Returns 001's word for a confidence: from 90 high, from 70 med, else low.
pub fn confidence_word(confidence: Confidence) -> &'static str {
    match confidence.percent() {
        90.. => "high",
        70..90 => "med",
        _ => "low",
    }
}
