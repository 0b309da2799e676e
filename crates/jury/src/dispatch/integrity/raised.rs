//! What this reviewer raises, and its form as a finding of 004. Deliberately not here: what is worth raising.

use jury_wire::v1::findings as wire;

use crate::model::{AutofixClass, FindingId, Owner, RepoPath};

/// The longest quote in characters.
const LONGEST_EVIDENCE: usize = 200;

/// Something that is raised, as far as the parts of this reviewer differ in it.
pub(super) struct Raised {
    pub(super) title: String,
    pub(super) severity: &'static str,
    pub(super) owner: Owner,
    pub(super) confidence: u32,
    pub(super) file: String,
    pub(super) line: u32,
    pub(super) evidence: Vec<String>,
    pub(super) why: String,
    pub(super) fix: String,
    /// The file that tests were removed from.
    pub(super) untested: Option<RepoPath>,
}

impl Raised {
    /// Raises a line: High, for a person, unless the caller says otherwise.
    pub(super) fn at(path: &RepoPath, line: u32, text: &str) -> Self {
        // A quote is compared with the line, with secrets removed from both.
        let quoted: String = jury_rules::redact(text.trim()).chars().take(LONGEST_EVIDENCE).collect();
        let evidence = vec![if quoted.trim().is_empty() { format!("line {line}") } else { quoted.trim().to_owned() }];
        Self { file: path.to_string(), line, evidence, ..Self::at_large(String::new()) }
    }

    /// Raises something of the repository as a whole.
    pub(super) fn at_large(evidence: String) -> Self {
        Self {
            title: String::new(),
            severity: "P1",
            owner: Owner::Human,
            confidence: 100,
            file: FindingId::WHOLE_REPOSITORY.to_owned(),
            line: 1,
            evidence: vec![evidence],
            why: "A change must not alter its own checks; this review used those of the base.".to_owned(),
            fix: "Have a person approve it: in a separate change, or with a waiver in .jury/waivers.toml on the base."
                .to_owned(),
            untested: None,
        }
    }

    pub(super) fn into_wire(self) -> wire::Detailed {
        wire::Detailed {
            merge: wire::MergeTier {
                // 004: at most 100 characters.
                title: self.title.chars().take(100).collect(),
                severity: self.severity.to_owned(),
                file: self.file,
                line: self.line,
                autofix_class: AutofixClass::Manual.token().to_owned(),
                owner: self.owner.token().to_owned(),
                requires_verification: true,
                suggested_fix: Some(self.fix),
                confidence: self.confidence,
                pre_existing: false,
            },
            why_it_matters: self.why,
            evidence: self.evidence,
            other: serde_json::Map::new(),
        }
    }
}
