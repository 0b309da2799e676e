//! Claude Code: `Stop` and `SubagentStop`, `PostToolUse` of its editing tools, `SessionStart`.
//!
//! Exit 2 blocks and hands standard error to the model; standard output is read only if the exit code is 0, so both say the
//! same. Anything else lets the agent stop. Text beyond 10,000 characters is cut to a preview.

use jury_wire::ExitCode;
use serde_json::{Value, json};

use super::{Answer, BLOCK, Called, Host, Spoken, folder, text};

/// Claude Code.
pub(crate) const CLAUDE: Host = Host { name: "claude", project: Some("CLAUDE_PROJECT_DIR"), read, speak };

/// Takes what Claude Code says; Codex says it in the same words.
pub(super) fn read(input: &Value) -> Called {
    Called {
        folder: folder(&input["cwd"]),
        // A sub-agent stops for itself, under the id of the session that it belongs to.
        session: format!("{} {}", text(input, "session_id"), text(input, "agent_id")),
        is_inside: input["stop_hook_active"].as_bool(),
        ..Called::default()
    }
}

/// Answers Claude Code; Codex understands the same words.
pub(super) fn speak(answer: &Answer) -> Spoken {
    match answer {
        Answer::Allow => Spoken::nothing(),
        Answer::Block(why) => Spoken::aloud(json!({"decision": "block", "reason": why}), why, BLOCK),
        Answer::LetGo(what) => Spoken::aloud(json!({"systemMessage": what}), what, ExitCode::Clear),
        Answer::Context(what) => Spoken::json(json!({
            "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": what},
        })),
    }
}
