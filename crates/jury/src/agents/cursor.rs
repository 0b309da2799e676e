//! Cursor.
//!
//! Hooks: `stop` and `subagentStop`, `afterFileEdit`, `sessionStart`. A stop cannot be denied: the agent is kept at work by the
//! `followup_message` of an answer with exit 0, which becomes its next prompt, at most `loop_limit` times (5 unless set). Exit 2 means
//! nothing here. There is no member for a message to people, so a let-go is on standard error alone. It states no limit of length.

use jury_wire::ExitCode;
use serde_json::{Value, json};

use super::envelope::{Envelope, last_of};
use super::hooks::{EventNames, HookAnswer, HookInput, HookOutput, Hooks, folder, text};
use super::install::{Derived, Install, Piece, written};
use super::{Host, Reviewer, claude};
use crate::syntax::Node;

pub(super) const HOST: Host = Host {
    name: "cursor",
    title: "Cursor",
    instructions: &[".cursor/", ".cursorrules"],
    family: None,
    reviewer: Some(Reviewer {
        command: &["cursor-agent", "-p", "--output-format", "json", "--mode", "ask"],
        env: &["CURSOR_API_KEY"],
        writes: &["~/.cursor/", "~/.config/cursor/"],
        // `cursor-agent -p --output-format json` and `stream-json`: the result object of Claude Code, with `request_id`.
        envelopes: &[Envelope {
            id: "cursor",
            recognises: |events| claude::is_result(events) && is_cursor(events),
            open: claude::open,
            usage: claude::usage,
        }],
    }),
    hooks: Some(Hooks {
        events: EventNames {
            stop: &["stop", "subagentStop"],
            post_edit: &["afterFileEdit"],
            session_start: &["sessionStart"],
        },
        project: Some("CURSOR_PROJECT_DIR"),
        read,
        speak,
    }),
    install: Install {
        signs: &[".cursor/", ".cursorrules"],
        pieces: &[
            Piece::SKILLS,
            Piece::Folder { from: "cursor/rules", to: ".cursor/rules" },
            Piece::Json { from: &["cursor/hooks.json"], to: ".cursor/hooks.json" },
            Piece::Json { from: &["cursor/mcp.json"], to: ".cursor/mcp.json" },
        ],
        once: None,
        written: written!["cursor/hooks.json", "cursor/mcp.json"],
        derived: &[Derived { path: "cursor/rules/jury.mdc", write: rule }],
        sub_agents: None,
    },
};

/// Tells whether a result object is Cursor's, and not Claude Code's.
pub(super) fn is_cursor(events: &[Node<'_>]) -> bool {
    last_of(events, "result")
        .is_some_and(|result| result.get("request_id").is_some() && result.get("num_turns").is_none())
}

fn read(input: &Value) -> HookInput {
    HookInput {
        folder: folder(&input["workspace_roots"][0]).or_else(|| folder(&input["cwd"])),
        session: text(input, "conversation_id"),
        is_inside: input["loop_count"].as_u64().map(|count| count > 0),
        is_interrupted: ["aborted", "error"].contains(&input["status"].as_str().unwrap_or_default()),
        ..HookInput::default()
    }
}

fn speak(answer: &HookAnswer) -> HookOutput {
    match answer {
        HookAnswer::Allow => HookOutput::json(json!({})),
        HookAnswer::Block(why) => HookOutput::aloud(json!({"followup_message": why}), why, ExitCode::Clear),
        HookAnswer::LetGo(what) => HookOutput::aloud(json!({}), what, ExitCode::Clear),
        HookAnswer::Context(what) => HookOutput::json(json!({"additional_context": what})),
    }
}

fn rule(section: &str) -> String {
    format!(
        "---\ndescription: Code review with Jury, and how to handle its findings\nalwaysApply: true\n---\n\n{section}"
    )
}
