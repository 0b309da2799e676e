//! Gemini CLI.
//!
//! Hooks: `AfterAgent`, `AfterTool` of its editing tools, `SessionStart`. Exit 2 rejects the answer of the agent and sends standard error
//! to it as the next prompt; standard output is read on exit 0. It states no limit of length.

use jury_wire::ExitCode;
use serde_json::json;

use super::envelope::{Ending, Envelope, count_at, kind, last_of, sum_at, summed, text_at, whole};
use super::hooks::{BLOCK, EventNames, HookAnswer, HookInput, HookOutput, Hooks, folder, text};
use super::install::{Derived, Install, Piece, written};
use super::{Family, Host, Reviewer, claude};
use crate::model::Usage;
use crate::syntax::{Node, Value};

pub(super) const HOST: Host = Host {
    name: "gemini",
    title: "Gemini CLI",
    instructions: &[".gemini/", "GEMINI.md"],
    family: Some(Family { name: "gemini", models: &["gemini"] }),
    reviewer: Some(Reviewer {
        // It does not start in an untrusted folder; in the private copy nothing is left that it would load.
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
        // `gemini --output-format json` and `stream-json` (0.61.0 was run): docs/cli/headless.md.
        envelopes: &[
            Envelope { id: "gemini", recognises, open, usage },
            Envelope { id: "gemini-stream", recognises: recognises_stream, open: open_stream, usage: usage_of_stream },
        ],
    }),
    hooks: Some(Hooks {
        events: EventNames { stop: &["AfterAgent"], post_edit: &["AfterTool"], session_start: &["SessionStart"] },
        project: Some("GEMINI_PROJECT_DIR"),
        read,
        speak,
    }),
    install: Install {
        signs: &[".gemini/", "GEMINI.md"],
        pieces: &[
            Piece::SKILLS,
            Piece::Folder { from: "gemini/commands", to: ".gemini/commands" },
            Piece::Json { from: &["gemini/hooks/hooks.json", ".mcp.json"], to: ".gemini/settings.json" },
            Piece::Section { to: "GEMINI.md" },
        ],
        once: Some("in Gemini CLI, trust this folder: `/permissions`"),
        written: written![
            "gemini/hooks/hooks.json",
            "gemini/gemini-extension.json",
            "gemini/commands/code-review.toml",
        ],
        derived: &[Derived { path: "gemini/GEMINI.md", write: str::to_owned }],
        sub_agents: None,
    },
};

fn recognises(events: &[Node<'_>]) -> bool {
    let [event] = events else { return false };
    let is_gemini = event.get("stats").is_some() && (event.get("response").is_some() || event.get("error").is_some());
    is_gemini && !claude::is_result(events)
}

fn open<'n, 'a>(events: &'n [Node<'a>]) -> Ending<'n, 'a> {
    let [event] = events else { return Ending::no_message(events) };
    match event.get("error").filter(|error| error.value != Value::Null) {
        Some(error) => Ending::failed_because(error.span, "the request failed", Some(error)),
        None => Ending::message_in(event.get("response"), events),
    }
}

fn usage(events: &[Node<'_>]) -> Option<Usage> {
    let Value::Object(models) = &events.first()?.get("stats")?.get("models")?.value else { return None };
    let models: Vec<Node<'_>> = models.iter().map(|model| model.node.clone()).collect();
    summed(&models, |model| {
        let input = count_at(model, &["tokens", "prompt"])?;
        let output = sum_at(model, &[&["tokens", "candidates"], &["tokens", "thoughts"]])?;
        Some(Usage { input, output, cost: None })
    })
}

fn recognises_stream(events: &[Node<'_>]) -> bool {
    let is_start = |event: &Node<'_>| kind(event) == "init" && event.get("session_id").is_some();
    events.first().is_some_and(is_start) && !claude::is_result(events)
}

fn open_stream<'n, 'a>(events: &'n [Node<'a>]) -> Ending<'n, 'a> {
    let Some(result) = last_of(events, "result") else { return Ending::no_message(events) };
    let status = text_at(result, &["status"]);
    if status != Some("success") {
        return Ending::failed(result.span, format!("the run ended with {:?}", status.unwrap_or("no status")));
    }
    // The final message is all that the assistant said after the last tool.
    let last_tool =
        events.iter().rposition(|event| matches!(kind(event), "tool_use" | "tool_result")).map_or(0, |at| at + 1);
    let said = events[last_tool..]
        .iter()
        .filter(|event| kind(event) == "message" && text_at(event, &["role"]) == Some("assistant"));
    let text = said.filter_map(|event| text_at(event, &["content"])).collect();
    Ending::Message(text, whole(&events[last_tool..]))
}

fn usage_of_stream(events: &[Node<'_>]) -> Option<Usage> {
    let result = last_of(events, "result")?;
    let input = count_at(result, &["stats", "input_tokens"])?;
    Some(Usage { input, output: count_at(result, &["stats", "output_tokens"])?, cost: None })
}

fn read(input: &serde_json::Value) -> HookInput {
    HookInput {
        folder: folder(&input["cwd"]),
        session: text(input, "session_id"),
        is_inside: input["stop_hook_active"].as_bool(),
        ..HookInput::default()
    }
}

fn speak(answer: &HookAnswer) -> HookOutput {
    match answer {
        HookAnswer::Allow => HookOutput::nothing(),
        HookAnswer::Block(why) => HookOutput::aloud(json!({"decision": "deny", "reason": why}), why, BLOCK),
        HookAnswer::LetGo(what) => HookOutput::aloud(json!({"systemMessage": what}), what, ExitCode::Clear),
        HookAnswer::Context(what) => HookOutput::json(json!({
            "hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": what},
        })),
    }
}
