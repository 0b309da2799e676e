//! Cursor: `stop` and `subagentStop`, `afterFileEdit`, `sessionStart`.
//!
//! A stop cannot be denied: what keeps the agent at work is the `followup_message` of an answer with exit 0, which becomes its next
//! prompt, at most `loop_limit` times (5 unless set). Exit 2 means nothing here. There is no member for a message to people
//! that does not go on, so a let-go is on standard error alone. It states no limit of length.

use jury_wire::ExitCode;
use serde_json::{Value, json};

use super::{Answer, Called, Host, Spoken, folder, text};

/// Cursor.
pub(crate) const CURSOR: Host = Host { name: "cursor", project: Some("CURSOR_PROJECT_DIR"), read, speak };

fn read(input: &Value) -> Called {
    Called {
        folder: folder(&input["workspace_roots"][0]).or_else(|| folder(&input["cwd"])),
        session: text(input, "conversation_id"),
        is_inside: input["loop_count"].as_u64().map(|count| count > 0),
        // Whoever was interrupted, or has failed, is not to be sent back to work.
        is_interrupted: ["aborted", "error"].contains(&input["status"].as_str().unwrap_or_default()),
        ..Called::default()
    }
}

fn speak(answer: &Answer) -> Spoken {
    match answer {
        Answer::Allow => Spoken::json(json!({})),
        Answer::Block(why) => Spoken::aloud(json!({"followup_message": why}), why, ExitCode::Clear),
        Answer::LetGo(what) => Spoken::aloud(json!({}), what, ExitCode::Clear),
        Answer::Context(what) => Spoken::json(json!({"additional_context": what})),
    }
}
