//! Claude Code, and the result object and hook words that other hosts took over from it.
//!
//! Hooks: `Stop` and `SubagentStop`, `PostToolUse` of its editing tools, `SessionStart`. Exit 2 blocks and hands standard error to the
//! model; standard output is read only if the exit code is 0, so both say the same. Any other exit code lets the agent stop. Text beyond
//! 10,000 characters is cut to a preview.

use jury_wire::ExitCode;
use serde_json::json;

use super::envelope::{Ending, Envelope, cost_at, count_at, kind, last_of, sum_at, text_at};
use super::hooks::{BLOCK, EventNames, HookAnswer, HookInput, HookOutput, Hooks, folder, text};
use super::install::{Install, Piece, SubAgent, SubAgents, written};
use super::{Family, Host, Reviewer, cursor};
use crate::model::Usage;
use crate::syntax::{Node, Value};

pub(super) const HOST: Host = Host {
    name: "claude",
    title: "Claude Code",
    instructions: &[".claude/", ".mcp.json", "CLAUDE.md"],
    family: Some(Family { name: "claude", models: &["claude", "opus", "sonnet", "haiku"] }),
    reviewer: Some(Reviewer {
        command: &[
            "claude",
            "-p",
            "--output-format",
            "json",
            // The list of all its tools, not only of those that need no permission: new versions bring new tools.
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
            // By default it tries ten times, also with a refused key, and takes minutes to say so.
            "CLAUDE_CODE_MAX_RETRIES=5",
        ],
        writes: &["~/.claude/", "~/.claude.json"],
        // `claude -p --output-format json` (2.1.325 was run) and `stream-json`: SDKResultMessage of the Agent SDK reference.
        envelopes: &[Envelope {
            id: "claude",
            recognises: |events| is_result(events) && !cursor::is_cursor(events),
            open,
            usage,
        }],
    }),
    hooks: Some(Hooks {
        events: EventNames {
            stop: &["Stop", "SubagentStop"],
            post_edit: &["PostToolUse"],
            session_start: &["SessionStart"],
        },
        project: Some("CLAUDE_PROJECT_DIR"),
        read,
        speak,
    }),
    install: Install {
        signs: &[".claude/", "CLAUDE.md", ".mcp.json"],
        pieces: &[
            Piece::Folder { from: "skills", to: ".claude/skills" },
            Piece::Folder { from: "agents", to: ".claude/agents" },
            Piece::Json { from: &["hooks/hooks.json"], to: ".claude/settings.json" },
            Piece::Json { from: &[".mcp.json"], to: ".mcp.json" },
            Piece::Section { to: "CLAUDE.md" },
        ],
        once: None,
        written: written!["hooks/hooks.json", ".mcp.json"],
        derived: &[],
        sub_agents: Some(SubAgents { folder: "agents", extension: "md", write: sub_agent }),
    },
};

/// Tells whether events are a result object, or a stream that is to end with one.
pub(super) fn is_result(events: &[Node<'_>]) -> bool {
    let is_result = |event: &Node<'_>| {
        kind(event) == "result" && (event.get("subtype").is_some() || event.get("is_error").is_some())
    };
    let is_stream = |event: &Node<'_>| kind(event) == "system" && text_at(event, &["subtype"]) == Some("init");
    events.iter().any(is_result) || events.first().is_some_and(is_stream)
}

/// Opens a result object.
pub(super) fn open<'n, 'a>(events: &'n [Node<'a>]) -> Ending<'n, 'a> {
    let Some(result) = last_of(events, "result") else { return Ending::no_message(events) };
    let subtype = text_at(result, &["subtype"]).unwrap_or("no subtype");
    let is_error = result.get("is_error").map(|node| &node.value);
    if subtype != "success" || is_error != Some(&Value::Bool(false)) {
        let is_text = |node: &&Node<'_>| matches!(node.value, Value::String(_));
        let why = result.get("result").filter(is_text).or_else(|| result.get("errors"));
        // A run whose model could not be asked is called a success beside `is_error`.
        let how = match subtype {
            "success" => "the run failed".to_owned(),
            other => format!("the run ended with {other:?}"),
        };
        return Ending::failed_because(result.span, &how, why);
    }
    Ending::message_in(result.get("result"), events)
}

/// Returns the usage in a result object.
pub(super) fn usage(events: &[Node<'_>]) -> Option<Usage> {
    let result = last_of(events, "result")?;
    let input: [&[&str]; 3] =
        [&["usage", "input_tokens"], &["usage", "cache_creation_input_tokens"], &["usage", "cache_read_input_tokens"]];
    Some(Usage {
        input: sum_at(result, &input)?,
        output: count_at(result, &["usage", "output_tokens"])?,
        cost: cost_at(result, &["total_cost_usd"]),
    })
}

/// Reads the input of a hook.
pub(super) fn read(input: &serde_json::Value) -> HookInput {
    HookInput {
        folder: folder(&input["cwd"]),
        // A sub-agent stops for itself, under the id of the session that it belongs to.
        session: format!("{} {}", text(input, "session_id"), text(input, "agent_id")),
        is_inside: input["stop_hook_active"].as_bool(),
        ..HookInput::default()
    }
}

/// Spells the answer of a hook.
pub(super) fn speak(answer: &HookAnswer) -> HookOutput {
    match answer {
        HookAnswer::Allow => HookOutput::nothing(),
        HookAnswer::Block(why) => HookOutput::aloud(json!({"decision": "block", "reason": why}), why, BLOCK),
        HookAnswer::LetGo(what) => HookOutput::aloud(json!({"systemMessage": what}), what, ExitCode::Clear),
        HookAnswer::Context(what) => HookOutput::json(json!({
            "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": what},
        })),
    }
}

fn sub_agent(SubAgent { name, description, body, notice }: &SubAgent<'_>) -> String {
    format!(
        "---\nname: {name}\ndescription: {description}\ntools: Read, Grep, Glob\n---\n\n<!-- {notice} -->\n\n{body}"
    )
}
