//! Codex: `Stop` and `SubagentStop`, `PostToolUse` of `apply_patch`, `SessionStart`, as its `hooks.json` registers them.
//!
//! It took over the words of Claude Code. Exit 2 with a text on standard error blocks, exit 2 without one does not; of JSON on
//! exit 0 a member that it does not know makes the whole void. Text beyond 2,500 tokens goes into a file.

use super::{Host, claude};

/// Codex.
pub(crate) const CODEX: Host = Host { name: "codex", project: None, read: claude::read, speak: claude::speak };
