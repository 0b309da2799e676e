//! The tools that need only be named: `use = "ruff"`. Data: their commands as their own documentation has them, and, for
//! most, as they were run (docs/reviewers.md says which).
//!
//! A tool prints one of the formats on standard output, also when it finds nothing. Deliberately not here: whether they are installed,
//! and agents (`agents`).

use crate::model::Severity::{self, High, Info, Low, Medium};

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
    /// The severities of its rules, where its own levels say too little.
    pub severities: &'static [(&'static str, Severity)],
}

const SCRIPTS: &[&str] = &["**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx}"];
const WORKFLOWS: &[&str] = &[".github/workflows/*.{yml,yaml}"];

/// What a linter of scripts calls an error is often a matter of style. These rules find code that cannot work.
const SCRIPT_ERRORS: &[(&str, Severity)] = &[
    ("error", Medium),
    ("warning", Low),
    ("*no-const-assign*", High),
    ("*no-dupe-args*", High),
    ("*no-dupe-class-members*", High),
    ("*no-dupe-keys*", High),
    ("*no-func-assign*", High),
    ("*no-import-assign*", High),
    ("*no-obj-calls*", High),
    ("*no-this-before-super*", High),
    ("*no-undef", High),
    ("*no-unreachable", High),
    ("*no-unsafe-finally*", High),
    ("*valid-typeof*", High),
    ("*no-floating-promises*", High),
];

/// Ruff calls every finding an error. Code that cannot run is High, likely mistakes are Medium, the rest is style.
const RUFF: &[(&str, Severity)] = &[
    ("*", Low),
    ("ASYNC*", Medium),
    ("B*", Medium),
    ("BLE*", Low),
    ("D*", Info),
    ("DTZ*", Medium),
    ("E9*", High),
    ("F*", Medium),
    ("F63*", High),
    ("F7*", High),
    ("F82*", High),
    ("PLE*", High),
    ("S*", Medium),
    ("SIM*", Low),
    ("SLF*", Low),
    ("invalid-syntax", High),
];

/// golangci-lint calls the findings of all of its linters errors, and their ids are the names of the linters.
const GOLANGCI: &[(&str, Severity)] = &[
    ("*", Low),
    ("bodyclose", Medium),
    ("errcheck", Medium),
    ("gosec", Medium),
    ("govet", Medium),
    ("ineffassign", Medium),
    ("sqlclosecheck", Medium),
    ("staticcheck", Medium),
    ("typecheck", High),
    ("unused", Medium),
];

/// Biome's rules by group.
const BIOME: &[(&str, Severity)] = &[
    ("error", Medium),
    ("lint/a11y/*", Low),
    ("lint/complexity/*", Low),
    ("lint/correctness/*", Medium),
    ("lint/nursery/*", Info),
    ("lint/performance/*", Low),
    ("lint/security/*", High),
    ("lint/style/*", Low),
    ("lint/suspicious/*", Medium),
    ("parse", High),
];

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
        severities: &[],
    },
    ReadyTool {
        name: "biome",
        command: &["biome", "lint", "--reporter=gitlab", "--max-diagnostics=none", "{files}"],
        format: "gitlab-code-quality",
        domain: "typescript-quality",
        exit_codes: &[0, 1],
        paths: SCRIPTS,
        writes: &[],
        severities: BIOME,
    },
    ReadyTool {
        name: "clippy",
        command: &["sh", "-c", CLIPPY],
        format: "sarif",
        domain: "rust-quality",
        exit_codes: &[0],
        paths: &["**/*.rs", "**/Cargo.toml"],
        writes: &["~/.cargo/registry", "~/.cargo/git"],
        severities: &[],
    },
    ReadyTool {
        name: "eslint",
        command: &["eslint", "--format", "json", "--no-warn-ignored", "{files}"],
        format: "eslint",
        domain: "typescript-quality",
        exit_codes: &[0, 1],
        paths: SCRIPTS,
        writes: &[],
        severities: SCRIPT_ERRORS,
    },
    ReadyTool {
        name: "gitleaks",
        command: &["gitleaks", "dir", "{tree}", "--no-banner", "--report-format", "sarif", "--report-path", "-"],
        format: "sarif",
        domain: "security",
        exit_codes: &[0, 1],
        paths: &[],
        writes: &[],
        severities: &[],
    },
    ReadyTool {
        name: "golangci-lint",
        command: &["golangci-lint", "run", "--output.sarif.path=stdout", "--show-stats=false"],
        format: "sarif",
        domain: "go-quality",
        exit_codes: &[0, 1],
        paths: &["**/*.go", "**/go.mod"],
        writes: &["~/.cache/go-build/", "~/.cache/golangci-lint/", "~/go/pkg/"],
        severities: GOLANGCI,
    },
    ReadyTool {
        name: "hadolint",
        command: &["hadolint", "--format", "sarif", "{files}"],
        format: "sarif",
        domain: "containers",
        exit_codes: &[0, 1],
        paths: &["**/{Dockerfile,Containerfile}", "**/*.{dockerfile,Dockerfile}"],
        writes: &[],
        severities: &[],
    },
    ReadyTool {
        name: "oxlint",
        command: &["oxlint", "--format=checkstyle", "{files}"],
        format: "checkstyle",
        domain: "typescript-quality",
        exit_codes: &[0, 1],
        paths: SCRIPTS,
        writes: &[],
        severities: SCRIPT_ERRORS,
    },
    ReadyTool {
        name: "ruff",
        command: &["ruff", "check", "--no-cache", "--output-format=sarif", "{files}"],
        format: "sarif",
        domain: "python-quality",
        exit_codes: &[0, 1],
        paths: &["**/*.{py,pyi}"],
        writes: &[],
        severities: RUFF,
    },
    ReadyTool {
        name: "semgrep",
        command: &["semgrep", "scan", "--sarif", "--quiet", "--metrics=off", "--config=p/default", "{files}"],
        format: "sarif",
        domain: "security",
        exit_codes: &[0, 1],
        paths: &[],
        writes: &["~/.semgrep/"],
        severities: &[],
    },
    ReadyTool {
        name: "shellcheck",
        command: &["shellcheck", "--norc", "--format=checkstyle", "{files}"],
        format: "checkstyle",
        domain: "shell-quality",
        exit_codes: &[0, 1],
        paths: &["**/*.{sh,bash,ksh}"],
        writes: &[],
        severities: &[],
    },
    ReadyTool {
        name: "zizmor",
        command: &["zizmor", "--offline", "--no-config", "--no-progress", "--format=sarif", "{files}"],
        format: "sarif",
        domain: "security",
        exit_codes: &[0],
        paths: WORKFLOWS,
        writes: &[],
        severities: &[],
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
