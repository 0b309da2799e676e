//! The tools that need only be named: `use = "ruff"`. Data: their commands as their own documentation has them, and, for
//! most, as they were run (docs/reviewers.md says which).
//!
//! A tool prints one of the formats on standard output, also when it finds nothing. Deliberately not here: whether they are installed,
//! and agents (`agents`).

/// A tool that is known.
pub struct ReadyTool {
    /// Its name in `use`.
    pub name: &'static str,
    /// The program and its arguments.
    pub command: &'static [&'static str],
    /// The format that it prints.
    pub format: &'static str,
    /// The domain of its findings.
    pub domain: &'static str,
    /// How it ends if it ran to its end.
    pub exit_codes: &'static [i32],
    /// The files that it is for.
    pub paths: &'static [&'static str],
    /// Its caches.
    pub writes: &'static [&'static str],
}

const SCRIPTS: &[&str] = &["**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}"];
const WORKFLOWS: &[&str] = &[".github/workflows/*.{yml,yaml}"];

/// Prints rdjson, also for no finding at all.
const ACTIONLINT: &str = r#"{"source":{"name":"actionlint"},"diagnostics":[{{range $i, $e := .}}{{if $i}},{{end}}{"message":{{json $e.Message}},"severity":"ERROR","code":{"value":{{json $e.Kind}}},"location":{"path":{{json $e.Filepath}},"range":{"start":{"line":{{$e.Line}},"column":{{$e.Column}}}}}}{{end}}]}"#;

/// A failed build prints nothing and ends with another code, so that it is not taken for a clean one.
const CLIPPY: &str = "said=$(cargo clippy --workspace --all-targets --message-format=json) || exit 2; printf '%s\\n' \"$said\" | clippy-sarif";

/// Every tool that is known, by name.
pub const TOOLS: &[ReadyTool] = &[
    ReadyTool {
        name: "actionlint",
        command: &["actionlint", "-format", ACTIONLINT, "{files}"],
        format: "rdjson",
        domain: "ci",
        exit_codes: &[0, 1],
        paths: WORKFLOWS,
        writes: &[],
    },
    ReadyTool {
        name: "biome",
        command: &["biome", "lint", "--reporter=gitlab", "--max-diagnostics=none", "{files}"],
        format: "gitlab-code-quality",
        domain: "typescript-quality",
        exit_codes: &[0, 1],
        paths: SCRIPTS,
        writes: &[],
    },
    ReadyTool {
        name: "clippy",
        command: &["sh", "-c", CLIPPY],
        format: "sarif",
        domain: "rust-quality",
        exit_codes: &[0],
        paths: &["**/*.rs", "**/Cargo.toml"],
        writes: &["~/.cargo/registry", "~/.cargo/git"],
    },
    ReadyTool {
        name: "eslint",
        command: &["eslint", "--format", "json", "--no-warn-ignored", "{files}"],
        format: "eslint",
        domain: "typescript-quality",
        exit_codes: &[0, 1],
        paths: SCRIPTS,
        writes: &[],
    },
    ReadyTool {
        name: "gitleaks",
        command: &["gitleaks", "dir", "{tree}", "--no-banner", "--report-format", "sarif", "--report-path", "-"],
        format: "sarif",
        domain: "security",
        exit_codes: &[0, 1],
        paths: &[],
        writes: &[],
    },
    ReadyTool {
        name: "golangci-lint",
        command: &["golangci-lint", "run", "--output.sarif.path=stdout", "--show-stats=false"],
        format: "sarif",
        domain: "go-quality",
        exit_codes: &[0, 1],
        paths: &["**/*.go", "**/go.mod"],
        writes: &["~/.cache/go-build/", "~/.cache/golangci-lint/", "~/go/pkg/"],
    },
    ReadyTool {
        name: "hadolint",
        command: &["hadolint", "--format", "sarif", "{files}"],
        format: "sarif",
        domain: "containers",
        exit_codes: &[0, 1],
        paths: &["**/{Dockerfile,Containerfile}", "**/*.{dockerfile,Dockerfile}"],
        writes: &[],
    },
    ReadyTool {
        name: "oxlint",
        command: &["oxlint", "--format=checkstyle", "{files}"],
        format: "checkstyle",
        domain: "typescript-quality",
        exit_codes: &[0, 1],
        paths: SCRIPTS,
        writes: &[],
    },
    ReadyTool {
        name: "ruff",
        command: &["ruff", "check", "--no-cache", "--output-format=sarif", "{files}"],
        format: "sarif",
        domain: "python-quality",
        exit_codes: &[0, 1],
        paths: &["**/*.{py,pyi}"],
        writes: &[],
    },
    ReadyTool {
        name: "semgrep",
        command: &["semgrep", "scan", "--sarif", "--quiet", "--metrics=off", "--config=p/default", "{files}"],
        format: "sarif",
        domain: "security",
        exit_codes: &[0, 1],
        paths: &[],
        writes: &["~/.semgrep/"],
    },
    ReadyTool {
        name: "shellcheck",
        command: &["shellcheck", "--norc", "--format=checkstyle", "{files}"],
        format: "checkstyle",
        domain: "shell-quality",
        exit_codes: &[0, 1],
        paths: &["**/*.{sh,bash,ksh}"],
        writes: &[],
    },
    ReadyTool {
        name: "zizmor",
        command: &["zizmor", "--offline", "--no-config", "--no-progress", "--format=sarif", "{files}"],
        format: "sarif",
        domain: "security",
        exit_codes: &[0],
        paths: WORKFLOWS,
        writes: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    #[test]
    fn names_are_in_order_and_formats_are_known() {
        assert!(TOOLS.is_sorted_by_key(|tool| tool.name));
        for tool in TOOLS {
            assert!(formats::by_id(tool.format).is_some(), "{}", tool.name);
            assert!(!tool.exit_codes.is_empty(), "{}", tool.name);
        }
    }
}
