//! Codex.
//!
//! Hooks: `Stop` and `SubagentStop`, `PostToolUse` of `apply_patch`, `SessionStart`, in the words of Claude Code. Exit 2 with a text on
//! standard error blocks, exit 2 without one does not; an unknown member makes the whole JSON of exit 0 void. Text beyond 2,500 tokens
//! goes into a file.

use super::envelope::{Ending, Envelope, at, count_at, kind, summed, text_at};
use super::hooks::{EventNames, Hooks};
use super::install::{Install, Piece, SubAgent, SubAgents, written};
use super::{Family, Host, Reviewer, claude};
use crate::model::Usage;
use crate::syntax::{Node, Value};

pub(super) const HOST: Host = Host {
    name: "codex",
    title: "Codex",
    instructions: &[".codex/", "AGENTS.md"],
    family: Some(Family { name: "gpt", models: &["gpt", "chatgpt", "codex", "o"] }),
    reviewer: Some(Reviewer {
        command: &[
            "codex",
            "exec",
            "--json",
            "--sandbox",
            "read-only",
            "--skip-git-repo-check",
            // A server that the user has set up for other work may write, and asks no one.
            "--ignore-user-config",
            "--config",
            "web_search=disabled",
            "-",
        ],
        env: &["CODEX_API_KEY", "CODEX_HOME", "OPENAI_API_KEY"],
        // It reads by commands, each in a sandbox that can neither write nor use the network. That sandbox mounts file systems, which
        // Landlock forbids: confined, Codex sees nothing but its brief.
        writes: &["*"],
        // `codex exec --json` (0.166.0 was run): ThreadEvent of codex-rs/exec/src/exec_events.rs.
        envelopes: &[Envelope { id: "codex", recognises, open, usage }],
    }),
    hooks: Some(Hooks {
        events: EventNames {
            stop: &["Stop", "SubagentStop"],
            post_edit: &["PostToolUse"],
            session_start: &["SessionStart"],
        },
        project: None,
        read: claude::read,
        speak: claude::speak,
    }),
    install: Install {
        signs: &[".codex/", "AGENTS.md"],
        pieces: &[
            Piece::SKILLS,
            Piece::Folder { from: "codex/agents", to: ".codex/agents" },
            Piece::Json { from: &["codex/hooks.json"], to: ".codex/hooks.json" },
            Piece::Toml { from: "codex/config.toml", to: ".codex/config.toml", table: ["mcp_servers", "jury"] },
            Piece::Section { to: "AGENTS.md" },
        ],
        once: Some("in Codex, trust the hooks of this repository: `/hooks`"),
        written: written!["codex/hooks.json", "codex/config.toml"],
        derived: &[],
        sub_agents: Some(SubAgents { folder: "codex/agents", extension: "toml", write: sub_agent }),
    },
};

fn recognises(events: &[Node<'_>]) -> bool {
    let is_event = |event: &Node<'_>| ["thread.", "turn.", "item."].iter().any(|start| kind(event).starts_with(start));
    !claude::is_result(events) && events.iter().any(is_event)
}

fn open<'n, 'a>(events: &'n [Node<'a>]) -> Ending<'n, 'a> {
    let ending = events.iter().rfind(|event| matches!(kind(event), "turn.completed" | "turn.failed" | "error"));
    match ending {
        Some(event) if kind(event) == "turn.completed" => {}
        Some(event) => {
            let is_text = |node: &&Node<'_>| matches!(node.value, Value::String(_));
            let why = at(event, &["error", "message"]).filter(is_text).or_else(|| event.get("message").filter(is_text));
            return match why {
                Some(_) => Ending::failed_because(event.span, "the turn failed", why),
                None => Ending::failed(event.span, "the turn failed: no reason given"),
            };
        }
        None => return Ending::no_message(events),
    }
    let is_message = |event: &&Node<'_>| {
        let item = text_at(event, &["item", "type"]).or_else(|| text_at(event, &["item", "item_type"]));
        kind(event) == "item.completed" && matches!(item, Some("agent_message" | "assistant_message"))
    };
    Ending::message_in(events.iter().rfind(is_message).and_then(|event| at(event, &["item", "text"])), events)
}

fn usage(events: &[Node<'_>]) -> Option<Usage> {
    // Cached tokens are part of `input_tokens` here.
    summed(events, |event| {
        let input = count_at(event, &["usage", "input_tokens"])?;
        Some(Usage { input, output: count_at(event, &["usage", "output_tokens"])?, cost: None })
    })
}

fn sub_agent(SubAgent { name, description, body, notice }: &SubAgent<'_>) -> String {
    format!(
        "# {notice}\nname = \"{name}\"\ndescription = \"{description}\"\nsandbox_mode = \"read-only\"\n\
         developer_instructions = '''\n{body}'''\n"
    )
}
