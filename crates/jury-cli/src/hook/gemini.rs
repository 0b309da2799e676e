//! Gemini CLI: `AfterAgent`, `AfterTool` of its editing tools, `SessionStart`.
//!
//! Exit 2 rejects the answer of the agent and sends standard error to it as the next prompt; standard output is read on exit 0.
//! It states no limit of length.

use jury_wire::ExitCode;
use serde_json::{Value, json};

use super::{Answer, BLOCK, Called, Host, Spoken, folder, text};

/// Gemini CLI.
pub(crate) const GEMINI: Host = Host { name: "gemini", project: Some("GEMINI_PROJECT_DIR"), read, speak };

fn read(input: &Value) -> Called {
    Called {
        folder: folder(&input["cwd"]),
        session: text(input, "session_id"),
        is_inside: input["stop_hook_active"].as_bool(),
        ..Called::default()
    }
}

fn speak(answer: &Answer) -> Spoken {
    match answer {
        Answer::Allow => Spoken::nothing(),
        Answer::Block(why) => Spoken::aloud(json!({"decision": "deny", "reason": why}), why, BLOCK),
        Answer::LetGo(what) => Spoken::aloud(json!({"systemMessage": what}), what, ExitCode::Clear),
        Answer::Context(what) => Spoken::json(json!({
            "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": what},
        })),
    }
}
