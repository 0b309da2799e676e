//! OpenCode.
//!
//! It has no hooks that a settings file could name, only plugins that are programs.

use super::envelope::{Ending, Envelope, cost_at, kind, last_of, sum_at, summed, text_at, whole};
use super::install::{Install, Piece, SubAgent, SubAgents, written};
use super::{Host, Reviewer};
use crate::model::Usage;
use crate::syntax::Node;

pub(super) const HOST: Host = Host {
    name: "opencode",
    title: "OpenCode",
    instructions: &[".opencode/", "AGENTS.md"],
    family: None,
    reviewer: Some(Reviewer {
        // Its agent `plan` may run commands, and is only told to plan; a tool that is denied here is not offered to the model at all.
        command: &["opencode", "run", "--format", "json", "--agent", "build"],
        env: &[
            "ANTHROPIC_API_KEY",
            "OPENAI_API_KEY",
            r#"OPENCODE_PERMISSION={"*":"deny","read":"allow","grep":"allow","glob":"allow","list":"allow"}"#,
        ],
        writes: &["~/.cache/opencode/", "~/.config/opencode/", "~/.local/share/opencode/", "~/.local/state/opencode/"],
        // `opencode run --format json` (1.18.33 was run): one event per line with `sessionID` and `part`.
        envelopes: &[Envelope { id: "opencode", recognises, open, usage }],
    }),
    hooks: None,
    install: Install {
        signs: &["opencode.json", "opencode.jsonc", ".opencode/"],
        pieces: &[
            Piece::SKILLS,
            Piece::Folder { from: "opencode/agents", to: ".opencode/agents" },
            Piece::Folder { from: "opencode/commands", to: ".opencode/commands" },
            Piece::Json { from: &["opencode/opencode.json"], to: "opencode.json" },
            Piece::Section { to: "AGENTS.md" },
        ],
        once: None,
        written: written!["opencode/opencode.json", "opencode/commands/code-review.md"],
        derived: &[],
        sub_agents: Some(SubAgents { folder: "opencode/agents", extension: "md", write: sub_agent }),
    },
};

fn recognises(events: &[Node<'_>]) -> bool {
    let is_event = |event: &Node<'_>| {
        matches!(kind(event), "step_start" | "text" | "tool_use" | "step_finish" | "error")
            && event.get("sessionID").is_some()
    };
    events.iter().any(is_event)
}

fn open<'n, 'a>(events: &'n [Node<'a>]) -> Ending<'n, 'a> {
    if let Some(error) = last_of(events, "error") {
        return Ending::failed_because(error.span, "the run failed", error.get("error"));
    }
    match last_of(events, "step_finish").map(|event| text_at(event, &["part", "reason"])) {
        Some(Some("stop")) => {}
        Some(reason) => {
            let how = format!("the last step ended with {:?}", reason.unwrap_or("no reason"));
            return Ending::failed(whole(events), how);
        }
        None => return Ending::no_message(events),
    }
    let Some(last) = last_of(events, "text") else { return Ending::no_message(events) };
    let message = text_at(last, &["part", "messageID"]);
    let parts: Vec<&str> = events
        .iter()
        .filter(|event| kind(event) == "text" && text_at(event, &["part", "messageID"]) == message)
        .filter_map(|event| text_at(event, &["part", "text"]))
        .collect();
    Ending::Message(parts.join("\n"), last.span)
}

fn usage(events: &[Node<'_>]) -> Option<Usage> {
    let input: [&[&str]; 3] =
        [&["part", "tokens", "input"], &["part", "tokens", "cache", "read"], &["part", "tokens", "cache", "write"]];
    let output: [&[&str]; 2] = [&["part", "tokens", "output"], &["part", "tokens", "reasoning"]];
    summed(events, |event| {
        let usage = Usage { input: sum_at(event, &input)?, output: sum_at(event, &output)?, cost: None };
        Some(Usage { cost: cost_at(event, &["part", "cost"]), ..usage })
    })
}

fn sub_agent(SubAgent { description, body, notice, .. }: &SubAgent<'_>) -> String {
    format!(
        "---\ndescription: {description}\nmode: subagent\npermission:\n  edit: deny\n  bash: deny\n  webfetch: deny\n---\n\n\
         <!-- {notice} -->\n\n{body}"
    )
}
