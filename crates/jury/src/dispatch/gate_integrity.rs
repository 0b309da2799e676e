//! The one reviewer that nobody can leave out: it raises every change to what judges changes (DESIGN §1, promise 3).
//!
//! In: the changed files. Out: a High finding for each that holds policy, prompts, hooks or the CI of the repository.
//! Deliberately not here: whether the change is good.

use jury_wire::v1::findings as wire;

use super::{Answer, Reviewer};
use crate::model::{AutofixClass, ChangedFile, Domain, FileChange, FindingId, Owner, RepoPath, Scope, Side};

/// What of a repository decides about changes to it, and what that is called. A name with a slash at its end is a folder;
/// one without any slash is a file anywhere; the rest are files.
const GUARDED: &[(&str, &str)] = &[
    ("jury.toml", "the policy of the gate"),
    (".jury/", "the policy of the gate"),
    (".github/workflows/", "the CI of the repository"),
    (".github/actions/", "the CI of the repository"),
    (".github/CODEOWNERS", "the owners of the code"),
    ("CODEOWNERS", "the owners of the code"),
    (".gitlab-ci.yml", "the CI of the repository"),
    (".gitlab/", "the CI of the repository"),
    (".circleci/", "the CI of the repository"),
    (".buildkite/", "the CI of the repository"),
    (".ci/", "the CI of the repository"),
    ("azure-pipelines.yml", "the CI of the repository"),
    ("bitbucket-pipelines.yml", "the CI of the repository"),
    (".travis.yml", "the CI of the repository"),
    ("Jenkinsfile", "the CI of the repository"),
    (".husky/", "the hooks of the repository"),
    (".githooks/", "the hooks of the repository"),
    (".pre-commit-config.yaml", "the hooks of the repository"),
    ("lefthook.yml", "the hooks of the repository"),
    (".claude/", "what agents are told or may do"),
    (".codex/", "what agents are told or may do"),
    (".cursor/", "what agents are told or may do"),
    (".gemini/", "what agents are told or may do"),
    (".opencode/", "what agents are told or may do"),
    (".mcp.json", "what agents are told or may do"),
    (".cursorrules", "what agents are told or may do"),
    (".github/copilot-instructions.md", "what agents are told or may do"),
    ("AGENTS.md", "what agents are told or may do"),
    ("CLAUDE.md", "what agents are told or may do"),
    ("GEMINI.md", "what agents are told or may do"),
    (".code-review/", "the verdicts of Jury"),
];

/// The reviewer of changes to the gate itself.
pub struct GateIntegrity;

impl GateIntegrity {
    /// Its domain.
    pub const DOMAIN: &'static str = "gate-integrity";
}

impl Reviewer for GateIntegrity {
    fn domain(&self) -> Domain {
        Domain::new(Self::DOMAIN).expect("the domain is a plain word")
    }

    fn definition(&self) -> String {
        let parts: Vec<&str> = GUARDED.iter().flat_map(|(path, what)| [*path, *what]).collect();
        crate::model::short_digest(&parts, 64)
    }

    fn format(&self) -> &'static str {
        "findings-json"
    }

    fn run(&self, scope: &Scope) -> Answer {
        // Reviewed as a whole, nothing of a file was changed.
        let changed = scope.files.iter().filter(|file| file.change != FileChange::Whole);
        let findings = changed.flat_map(|file| {
            // A file that was moved away is gone from where it counted.
            let moved = match &file.change {
                FileChange::Renamed { from } => guarded(from).map(|what| at_large(from, "moved away", what)),
                _ => None,
            };
            [moved, guarded(&file.path).map(|what| finding(scope, file, what))]
        });
        let document = wire::Artifact {
            reviewer: Self::DOMAIN.to_owned(),
            findings: findings.flatten().collect(),
            residual_risks: Vec::new(),
            testing_gaps: Vec::new(),
            other: serde_json::Map::new(),
        };
        let output = serde_json::to_string(&document).expect("strings, numbers and lists are always JSON");
        Answer { output, unreviewed: Vec::new() }
    }
}

/// Says what a path holds, if it decides about changes. Case does not count: some file systems do not know it.
fn guarded(path: &RepoPath) -> Option<&'static str> {
    let path = path.as_str().to_lowercase();
    let name = path.rsplit('/').next().unwrap_or_default();
    let matches = |pattern: &str| {
        let pattern = pattern.to_lowercase();
        let is_folder = pattern.ends_with('/');
        if is_folder {
            path.starts_with(&pattern) || path.contains(&format!("/{pattern}"))
        } else if pattern.contains('/') {
            path == pattern
        } else {
            name == pattern
        }
    };
    GUARDED.iter().find(|(pattern, _)| matches(pattern)).map(|(_, what)| *what)
}

/// Raises a change at the first line that is new; one that only takes away has no such line.
fn finding(scope: &Scope, file: &ChangedFile, what: &str) -> wire::Detailed {
    if file.change == FileChange::Deleted {
        return at_large(&file.path, "removed", what);
    }
    let text = file.after.as_deref().map(String::from_utf8_lossy);
    let line = scope.change.lines(&file.path, Side::Right).first().map(|lines| lines.start().get());
    let quoted = text.as_deref().zip(line).and_then(|(text, line)| text.lines().nth(line as usize - 1));
    match (line, quoted.map(str::trim).filter(|quoted| !quoted.is_empty())) {
        (Some(line), Some(quoted)) => {
            detailed(format!("The change alters {what}"), file.path.as_str(), line, quoted.to_owned())
        }
        _ => at_large(&file.path, "altered", what),
    }
}

/// Raises a change that has no line to point at, on the repository as a whole.
fn at_large(path: &RepoPath, verb: &str, what: &str) -> wire::Detailed {
    let title = format!("{}: {path}", capitalised(&format!("{what} was {verb}")));
    detailed(title, FindingId::WHOLE_REPOSITORY, 1, format!("{verb}: {path}"))
}

fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map(|first| first.to_uppercase().chain(chars).collect()).unwrap_or_default()
}

fn detailed(title: String, file: &str, line: u32, evidence: String) -> wire::Detailed {
    wire::Detailed {
        merge: wire::MergeTier {
            // 004: at most 100 characters.
            title: title.chars().take(100).collect(),
            severity: "P1".to_owned(),
            file: file.to_owned(),
            line,
            autofix_class: AutofixClass::Manual.token().to_owned(),
            owner: Owner::Human.token().to_owned(),
            requires_verification: true,
            suggested_fix: Some(
                "Have a person approve this part: put it into a change of its own, or accept it in .jury/waivers.toml on the base."
                    .to_owned(),
            ),
            confidence: 100,
            pre_existing: false,
        },
        why_it_matters: "What judges a change must not come from the change itself; this review was decided by the base's."
            .to_owned(),
        evidence: vec![evidence],
        other: serde_json::Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::tests::scope_of;
    use crate::model::{Change, LineRange};

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    fn raised(files: &[(&str, FileChange)]) -> Vec<(String, String, u32)> {
        let mut change = Change::default();
        let files = files.iter().map(|(name, kind)| {
            change.add_file(path(name));
            let is_there = matches!(kind, FileChange::Added | FileChange::Modified);
            if is_there {
                change.add_lines(path(name), Side::Right, LineRange::parse("2").unwrap());
            }
            ChangedFile {
                path: path(name),
                change: kind.clone(),
                id: None,
                before: None,
                after: is_there.then(|| b"a: 1\n  b: 2\n".as_slice().into()),
                is_symlink: false,
            }
        });
        let files = files.collect();
        let answer = GateIntegrity.run(&scope_of(files, change));
        let document: wire::Artifact = serde_json::from_str(&answer.output).unwrap();
        document.findings.into_iter().map(|found| (found.merge.title, found.merge.file, found.merge.line)).collect()
    }

    #[test]
    fn what_judges_is_known_wherever_it_lies() {
        for text in [
            "jury.toml",
            ".jury/waivers.toml",
            ".github/workflows/x.yml",
            "sub/AGENTS.md",
            "a/.claude/settings.json",
            "JURY.TOML",
        ] {
            assert!(guarded(&path(text)).is_some(), "{text}");
        }
        for text in ["src/jury.rs", "docs/workflows/x.yml", "src/agents.rs", "my.jury/x", "jenkins/file"] {
            assert!(guarded(&path(text)).is_none(), "{text}");
        }
    }

    #[test]
    fn every_way_of_changing_it_is_raised() {
        assert_eq!(raised(&[("src/a.rs", FileChange::Modified)]), []);
        assert_eq!(raised(&[("jury.toml", FileChange::Whole)]), []);
        let at = |file: &str, line| (file.to_owned(), line);
        for (kind, place) in [
            (FileChange::Added, at("jury.toml", 2)),
            (FileChange::Modified, at("jury.toml", 2)),
            (FileChange::Deleted, at(".", 1)),
            (FileChange::ModeChanged, at(".", 1)),
            (FileChange::TypeChanged, at(".", 1)),
        ] {
            let raised = raised(&[("jury.toml", kind)]);
            assert_eq!(raised.iter().map(|(_, file, line)| (file.clone(), *line)).collect::<Vec<_>>(), [place]);
        }
        let moved = raised(&[("old.toml", FileChange::Renamed { from: path("jury.toml") })]);
        assert_eq!(moved[0].0, "The policy of the gate was moved away: jury.toml");
    }
}
