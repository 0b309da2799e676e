//! The reviewers that need only be named: `use = "ruff"`. Data: their commands as their own documentation has them, and, for
//! most, as they were run (docs/reviewers.md says which).
//!
//! A tool prints one of the formats on standard output, also when it finds nothing. An agent is started so that it only
//! reads, without the settings of the repository that it looks at. Deliberately not here: whether they are installed.

/// A tool that is known.
pub struct ReadyTool {
    /// What it is called in `use`.
    pub name: &'static str,
    /// The program and its arguments.
    pub command: &'static [&'static str],
    /// The format that it prints.
    pub format: &'static str,
    /// What its findings are about.
    pub domain: &'static str,
    /// How it ends if it ran to its end.
    pub exit_codes: &'static [i32],
    /// The files that it is for.
    pub paths: &'static [&'static str],
    /// Where it keeps what it would otherwise fetch or compute each time.
    pub writes: &'static [&'static str],
}

/// An agent that is known.
pub struct ReadyAgent {
    /// What it is called in `use`.
    pub name: &'static str,
    /// The program and its arguments.
    pub command: &'static [&'static str],
    /// The variables that say where its model is and hold its credentials, and those that are set for it: `NAME=VALUE`.
    pub env: &'static [&'static str],
    /// Where it keeps its state; `*` if it is not held to places.
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
        command: &["gitleaks", "dir", ".", "--no-banner", "--report-format", "sarif", "--report-path", "-"],
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

/// Every agent that is known, by name.
pub const AGENTS: &[ReadyAgent] = &[
    ReadyAgent {
        name: "claude",
        command: &[
            "claude",
            "-p",
            "--output-format",
            "json",
            // All tools that there are, and not only those that need nobody's word: new versions bring new tools.
            "--tools",
            "Read,Grep,Glob",
            "--allowedTools",
            "Read,Grep,Glob",
            "--permission-mode",
            "dontAsk",
            "--disable-slash-commands",
            "--setting-sources",
            "user",
            "--strict-mcp-config",
        ],
        env: &[
            "ANTHROPIC_API_KEY",
            "ANTHROPIC_AUTH_TOKEN",
            "ANTHROPIC_BASE_URL",
            "CLAUDE_CODE_OAUTH_TOKEN",
            // It tries ten times otherwise, also with a key that is refused, and takes minutes to say so.
            "CLAUDE_CODE_MAX_RETRIES=5",
        ],
        writes: &["~/.claude/", "~/.claude.json"],
    },
    ReadyAgent {
        name: "codex",
        command: &[
            "codex",
            "exec",
            "--json",
            "--sandbox",
            "read-only",
            "--skip-git-repo-check",
            // Servers that a person has set up for other work may write, and nobody is asked.
            "--ignore-user-config",
            "--config",
            "web_search=disabled",
            "-",
        ],
        env: &["CODEX_API_KEY", "CODEX_HOME", "OPENAI_API_KEY"],
        // It reads by commands, each in a sandbox that can neither write nor use the network. That sandbox mounts file systems, which
        // Landlock forbids: confined, Codex sees nothing but its brief.
        writes: &["*"],
    },
    ReadyAgent {
        name: "cursor",
        command: &["cursor-agent", "-p", "--output-format", "json", "--mode", "ask"],
        env: &["CURSOR_API_KEY"],
        writes: &["~/.cursor/", "~/.config/cursor/"],
    },
    ReadyAgent {
        name: "gemini",
        // It does not start in a folder that nobody has trusted; in the private copy nothing is left that it would load.
        command: &[
            "gemini",
            "--output-format",
            "json",
            "--approval-mode",
            "default",
            "--skip-trust",
            "--extensions",
            "none",
            "--allowed-mcp-server-names",
            "none",
        ],
        env: &[
            "GEMINI_API_KEY",
            "GOOGLE_API_KEY",
            "GOOGLE_APPLICATION_CREDENTIALS",
            "GOOGLE_CLOUD_LOCATION",
            "GOOGLE_CLOUD_PROJECT",
            "GOOGLE_GEMINI_BASE_URL",
            "GOOGLE_GENAI_USE_VERTEXAI",
        ],
        writes: &["~/.gemini/"],
    },
    ReadyAgent {
        name: "opencode",
        // Its agent `plan` may run commands, and is told to plan; what is not allowed here is not offered to the model at all.
        command: &["opencode", "run", "--format", "json", "--agent", "build"],
        env: &[
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            r#"OPENCODE_PERMISSION={"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow"}"#,
        ],
        writes: &["~/.cache/opencode/", "~/.config/opencode/", "~/.local/share/opencode/", "~/.local/state/opencode/"],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::formats;

    #[test]
    fn names_are_in_order_and_formats_are_known() {
        assert!(TOOLS.is_sorted_by_key(|tool| tool.name) && AGENTS.is_sorted_by_key(|agent| agent.name));
        for tool in TOOLS {
            assert!(formats::by_id(tool.format).is_some(), "{}", tool.name);
            assert!(!tool.exit_codes.is_empty(), "{}", tool.name);
        }
    }
}
