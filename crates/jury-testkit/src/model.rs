//! A model for real agent hosts: what it is to say or do next in, a reply in the stream of whichever provider was asked out.
//!
//! It speaks Anthropic's messages, OpenAI's responses and chat completions, and Gemini's contents, as far as the hosts that
//! `cargo xtask hosts` runs need it. The names of tools are those of the one host that speaks to each. Deliberately not here: HTTP
//! (`server`), and what happens in which order.

use serde_json::{Value, json};

use crate::server::{Asked, Reply};

/// What a model does next.
#[derive(Clone, Debug)]
pub enum Move {
    /// Says this, and is done.
    Says(String),
    /// Reads a file.
    Reads(String),
    /// Writes a file, in one line or several.
    Writes(String, String),
    /// Runs a command in a shell.
    Runs(String),
    /// Asks which tools for sub-agents there are, where they are not offered at once.
    Searches,
}

/// Tells whether a request offers tools: hosts also ask for titles and the like, which is nobody's turn.
pub fn offers_tools(asked: &Asked) -> bool {
    asked.body["tools"].as_array().is_some_and(|tools| !tools.is_empty())
}

/// Returns the last thing that a request adds: what a tool returned, or what somebody said.
pub fn last(asked: &Asked) -> String {
    let lists = ["messages", "input", "contents"].map(|name| asked.body[name].as_array());
    let Some(entry) = lists.into_iter().flatten().next().and_then(|list| list.last()) else { return String::new() };
    // One provider collects all results of a turn in one entry.
    entry["content"].as_array().and_then(|parts| parts.last()).unwrap_or(entry).to_string()
}

/// Replies to a request.
pub fn reply(asked: &Asked, next: &Move) -> Reply {
    let path = asked.path.split('?').next().unwrap_or_default();
    if path.ends_with("/messages") {
        Reply::Streams(events(&messages(next), true))
    } else if path.ends_with("/responses") {
        Reply::Streams(events(&responses(next), true))
    } else if path.ends_with("/chat/completions") {
        Reply::Streams(events(&completions(next), false) + "data: [DONE]\n\n")
    } else if path.ends_with(":streamGenerateContent") {
        Reply::Streams(events(&[contents(next)], false))
    } else if path.ends_with(":generateContent") {
        Reply::Raw(200, Vec::new(), contents(next).to_string())
    } else {
        Reply::Raw(404, Vec::new(), json!({"error": {"message": "there is nothing here"}}).to_string())
    }
}

fn events(events: &[Value], are_named: bool) -> String {
    let name = |event: &Value| match event["type"].as_str().filter(|_| are_named) {
        Some(name) => format!("event: {name}\n"),
        None => String::new(),
    };
    events.iter().map(|event| format!("{}data: {event}\n\n", name(event))).collect()
}

/// Makes a word of what a tool is given, by which two calls are told apart.
fn word(given: &Value) -> String {
    given.to_string().chars().filter(char::is_ascii_alphanumeric).take(40).collect()
}

/// Claude Code.
fn messages(next: &Move) -> Vec<Value> {
    let (block, delta, why) = match next {
        Move::Says(text) => {
            (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text}), "end_turn")
        }
        Move::Reads(path) => used("Read", &json!({"file_path": path})),
        Move::Writes(path, text) => used("Write", &json!({"file_path": path, "content": text})),
        Move::Runs(command) => used("Bash", &json!({"command": command, "description": "runs it"})),
        Move::Searches => used("ToolSearch", &json!({"query": "agent"})),
    };
    fn used(name: &str, input: &Value) -> (Value, Value, &'static str) {
        let block = json!({"type": "tool_use", "id": format!("toolu_{}", word(input)), "name": name, "input": {}});
        (block, json!({"type": "input_json_delta", "partial_json": input.to_string()}), "tool_use")
    }
    let usage = json!({"input_tokens": 1000, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 200, "output_tokens": 1});
    vec![
        json!({"type": "message_start", "message": {"id": "msg_1", "type": "message", "role": "assistant", "model": "stub",
            "content": [], "stop_reason": null, "stop_sequence": null, "usage": usage}}),
        json!({"type": "content_block_start", "index": 0, "content_block": block}),
        json!({"type": "content_block_delta", "index": 0, "delta": delta}),
        json!({"type": "content_block_stop", "index": 0}),
        json!({"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": null}, "usage": {"output_tokens": 100}}),
        json!({"type": "message_stop"}),
    ]
}

/// Codex, which reads by running commands.
fn responses(next: &Move) -> Vec<Value> {
    let runs = |command: &str| {
        json!({"type": "function_call", "id": "fc_1", "call_id": format!("call_{}", word(&json!(command))), "name": "exec_command",
            "arguments": json!({"cmd": command}).to_string()})
    };
    let item = match next {
        Move::Says(text) => {
            let content = json!([{"type": "output_text", "text": text}]);
            json!({"type": "message", "id": "msg_1", "role": "assistant", "content": content})
        }
        Move::Reads(path) => runs(&format!("cat {path}")),
        Move::Runs(command) => runs(command),
        Move::Writes(path, text) => {
            let lines: String = text.lines().map(|line| format!("+{line}\n")).collect();
            let patch = format!("*** Begin Patch\n*** Add File: {path}\n{lines}*** End Patch\n");
            json!({"type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "apply_patch", "input": patch,
                "status": "completed"})
        }
        Move::Searches => json!({"type": "tool_search_call", "id": "ts_1", "call_id": "call_1", "execution": "client",
            "status": "completed", "arguments": {"query": "spawn agent sub-agent", "limit": 10}}),
    };
    let usage = json!({"input_tokens": 1200, "input_tokens_details": {"cached_tokens": 200}, "output_tokens": 100,
        "output_tokens_details": {"reasoning_tokens": 0}, "total_tokens": 1300});
    vec![
        json!({"type": "response.created", "response": {"id": "resp_1"}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"id": "resp_1", "usage": usage}}),
    ]
}

/// Gemini CLI.
fn contents(next: &Move) -> Value {
    let uses = |name: &str, args: Value| json!({"functionCall": {"name": name, "args": args}});
    let part = match next {
        Move::Says(text) => json!({"text": text}),
        Move::Reads(path) => uses("read_file", json!({"file_path": path})),
        Move::Writes(path, text) => uses("write_file", json!({"file_path": path, "content": text})),
        Move::Runs(command) => uses("run_shell_command", json!({"command": command})),
        Move::Searches => uses("list_directory", json!({"dir_path": "."})),
    };
    json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 1200, "candidatesTokenCount": 100, "totalTokenCount": 1300}, "modelVersion": "stub"})
}

/// OpenCode, through a provider that speaks as OpenAI did.
fn completions(next: &Move) -> Vec<Value> {
    let uses = |name: &str, arguments: Value| {
        let function = json!({"name": name, "arguments": arguments.to_string()});
        let call =
            json!({"index": 0, "id": format!("call_{}", word(&arguments)), "type": "function", "function": function});
        (json!({"role": "assistant", "content": null, "tool_calls": [call]}), "tool_calls")
    };
    let (delta, why) = match next {
        Move::Says(text) => (json!({"role": "assistant", "content": text}), "stop"),
        Move::Reads(path) => uses("read", json!({"filePath": path})),
        Move::Writes(path, text) => uses("write", json!({"filePath": path, "content": text})),
        Move::Runs(command) => uses("bash", json!({"command": command, "description": "runs it"})),
        Move::Searches => uses("glob", json!({"pattern": "*"})),
    };
    let chunk = |choice: Value| {
        json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": "stub", "choices": [choice],
            "usage": {"prompt_tokens": 1200, "completion_tokens": 100, "total_tokens": 1300}})
    };
    vec![
        chunk(json!({"index": 0, "delta": delta, "finish_reason": null})),
        chunk(json!({"index": 0, "delta": {}, "finish_reason": why})),
    ]
}
