//! Saved answers of model APIs, one row each: how the provider is recognised, how the answer ended, where its text is.
//!
//! In: the JSON of an answer. Out: the model's text, or why it is unreliable. Arguments of a tool call take precedence over the text
//! next to them. Deliberately not here: agent CLIs (`envelope`), and the meaning of the text.

use jury_wire::Reason;

use super::envelope::Opened;
use super::fields::flattened;
use super::node_kinds;
use crate::syntax::{Node, Span, Value};

/// One kind of answer. A path goes through members by their names; `*` is every item of a list.
struct Answer {
    id: &'static str,
    /// Members that must be present.
    known_by: &'static [&'static str],
    /// Where it says how it ended, and the words for a good end. An answer that does not say so is taken as it is.
    ending: &'static str,
    good_endings: &'static [&'static str],
    /// Where the arguments of tools stand, as objects or as texts.
    arguments: &'static [&'static str],
    /// Where texts stand.
    texts: &'static [&'static str],
}

/// Every kind, in the order in which they are tried.
const ANSWERS: &[Answer] = &[
    // OpenAI chat completions, and compatible APIs.
    Answer {
        id: "openai-chat",
        known_by: &["choices.*.message"],
        ending: "choices.*.finish_reason",
        good_endings: &["stop", "tool_calls", "function_call", "eos", "end_turn"],
        arguments: &["choices.*.message.tool_calls.*.function.arguments", "choices.*.message.function_call.arguments"],
        texts: &["choices.*.message.content", "choices.*.message.content.*.text"],
    },
    // OpenAI responses.
    Answer {
        id: "openai-responses",
        known_by: &["object", "output.*.type", "status"],
        ending: "status",
        good_endings: &["completed"],
        arguments: &["output.*.arguments"],
        texts: &["output.*.content.*.text"],
    },
    // Anthropic messages.
    Answer {
        id: "anthropic-messages",
        known_by: &["role", "content.*.type", "stop_reason"],
        ending: "stop_reason",
        good_endings: &["end_turn", "tool_use", "stop_sequence"],
        arguments: &["content.*.input"],
        texts: &["content.*.text"],
    },
    // Gemini, `generateContent`.
    Answer {
        id: "gemini-api",
        known_by: &["candidates"],
        ending: "candidates.*.finishReason",
        good_endings: &["STOP"],
        arguments: &["candidates.*.content.parts.*.functionCall.args"],
        texts: &["candidates.*.content.parts.*.text"],
    },
    // Bedrock, `Converse`.
    Answer {
        id: "bedrock",
        known_by: &["output.message.content", "stopReason"],
        ending: "stopReason",
        good_endings: &["end_turn", "tool_use", "stop_sequence"],
        arguments: &["output.message.content.*.toolUse.input"],
        texts: &["output.message.content.*.text"],
    },
    // Ollama, `chat` and `generate`.
    Answer {
        id: "ollama",
        known_by: &["model", "done"],
        ending: "done_reason",
        good_endings: &["stop"],
        arguments: &["message.tool_calls.*.function.arguments"],
        texts: &["message.content", "response"],
    },
    // LangChain's serialised messages.
    Answer {
        id: "langchain",
        known_by: &["lc", "kwargs"],
        ending: "kwargs.response_metadata.finish_reason",
        good_endings: &["stop", "tool_calls", "end_turn", "tool_use"],
        arguments: &["kwargs.tool_calls.*.args"],
        texts: &["kwargs.content", "kwargs.content.*.text"],
    },
    // The result of a tool of the Model Context Protocol.
    Answer {
        id: "mcp",
        known_by: &["jsonrpc"],
        ending: "result.isError",
        good_endings: &["false"],
        arguments: &["result.structuredContent"],
        texts: &["result.content.*.text"],
    },
    // The call of a tool by itself.
    Answer {
        id: "tool-call",
        known_by: &["name", "arguments"],
        ending: "",
        good_endings: &[],
        arguments: &["arguments"],
        texts: &[],
    },
    Answer {
        id: "tool-call",
        known_by: &["name", "input"],
        ending: "",
        good_endings: &[],
        arguments: &["input"],
        texts: &[],
    },
];

/// Opens the answer of an API, if the values of a text are one: an object, the pieces of a stream, or a conversation.
pub(super) fn open(events: &[Node<'_>], text: &str) -> Option<(&'static str, Opened)> {
    if let [root] = events {
        let answer = ANSWERS.iter().find(|answer| answer.known_by.iter().all(|path| !at(root, path).is_empty()))?;
        // A tool call has the same shape as a finding with a name and an input.
        let is_report = answer.id == "tool-call" && node_kinds::is_report_like(root);
        return (!is_report).then(|| (answer.id, answer.open(root, text)));
    }
    conversation(events, text).or_else(|| pieces(events))
}

impl Answer {
    fn open(&self, root: &Node<'_>, text: &str) -> Opened {
        if let Some(error) = root.get("error").filter(|error| !matches!(error.value, Value::Null)) {
            let what = format!("the request failed: {}", flattened(error));
            return Opened::Nothing(Reason::EnvelopeFailed, error.span, what);
        }
        let endings = if self.ending.is_empty() { Vec::new() } else { at(root, self.ending) };
        for ending in endings.into_iter().filter(|ending| !matches!(ending.value, Value::Null)) {
            let word = flattened(ending);
            if !self.good_endings.contains(&word.as_str()) {
                let what = format!("the answer ended with {word:?}");
                return Opened::Nothing(Reason::EnvelopeFailed, ending.span, what);
            }
        }
        let nodes = |paths: &[&str]| -> Vec<(Span, String)> {
            let found = paths.iter().flat_map(|path| at(root, path));
            found.filter_map(|node| Some((node.span, words(node, text)?))).collect()
        };
        let arguments = nodes(self.arguments);
        let said = if arguments.is_empty() { nodes(self.texts) } else { arguments };
        let Some((first, _)) = said.first() else {
            let what = "the answer has no message".to_owned();
            return Opened::Nothing(Reason::NoFinalMessage, root.span, what);
        };
        // Several answers to one question may differ, and nothing says which one counts.
        if at(root, "choices.*.message").len() > 1 || at(root, "candidates.*.content").len() > 1 {
            let what = "there are several answers to choose from".to_owned();
            return Opened::Nothing(Reason::BlocksDisagree, root.span, what);
        }
        let span = if said.len() == 1 { *first } else { root.span };
        let words: Vec<String> = said.into_iter().map(|(_, words)| words).collect();
        Opened::Message(words.join("\n"), span)
    }
}

/// Returns a text as it is, and an object or a list as it is written.
fn words(node: &Node<'_>, text: &str) -> Option<String> {
    match &node.value {
        Value::String(words) => (!words.trim().is_empty()).then(|| words.to_string()),
        Value::Object(members) if members.is_empty() => None,
        Value::Object(_) => text.get(node.span.start..node.span.end).map(str::to_owned),
        _ => None,
    }
}

/// Returns the nodes at a path.
fn at<'n, 'a>(root: &'n Node<'a>, path: &str) -> Vec<&'n Node<'a>> {
    let mut nodes = vec![root];
    for name in path.split('.') {
        nodes = nodes
            .into_iter()
            .flat_map(|node| match (&node.value, name) {
                (Value::Array(items), "*") => items.iter().collect::<Vec<_>>(),
                _ => node.get(name).into_iter().collect(),
            })
            .collect();
    }
    nodes
}

/// A conversation ends with the assistant's last message.
fn conversation(events: &[Node<'_>], text: &str) -> Option<(&'static str, Opened)> {
    let role = |event: &Node<'_>| match event.get("role").map(|role| &role.value) {
        Some(Value::String(role)) => Some(role.to_string()),
        _ => None,
    };
    if events.len() < 2 || !events.iter().all(|event| role(event).is_some() && event.get("content").is_some()) {
        return None;
    }
    let last = events.last()?;
    let said: Vec<String> = ["content", "content.*.text"]
        .iter()
        .flat_map(|path| at(last, path))
        .filter_map(|node| words(node, text))
        .collect();
    let opened = match role(last).as_deref() {
        Some("assistant" | "model" | "ai") if !said.is_empty() => Opened::Message(said.join("\n"), last.span),
        _ => {
            let what = "the conversation does not end with the reviewer's answer".to_owned();
            Opened::Nothing(Reason::NoFinalMessage, last.span, what)
        }
    };
    Some(("conversation", opened))
}

/// Joins the pieces of a stream, each an object with a part of the text; only the last one says that it is done.
fn pieces(events: &[Node<'_>]) -> Option<(&'static str, Opened)> {
    let piece = |event: &Node<'_>| {
        let found = ["response", "message.content"].iter().flat_map(|path| at(event, path)).next()?;
        match &found.value {
            Value::String(piece) => Some(piece.to_string()),
            _ => None,
        }
    };
    if events.len() < 2 || !events.iter().all(|event| event.get("model").is_some() && event.get("done").is_some()) {
        return None;
    }
    let last = events.last()?;
    let span = Span::new(events.first()?.span.start, last.span.end);
    let reason = last.get("done_reason").map(flattened).unwrap_or_default();
    let is_done = matches!(last.get("done")?.value, Value::Bool(true)) && matches!(reason.as_str(), "" | "stop");
    let opened = if is_done {
        Opened::Message(events.iter().filter_map(piece).collect(), span)
    } else {
        Opened::Nothing(Reason::EnvelopeFailed, last.span, "the answer is incomplete".to_owned())
    };
    Some(("ollama", opened))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Limits, Source, json};

    fn opened(text: &str) -> Option<(&'static str, Result<String, Reason>)> {
        let limits = Limits::default();
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        let root = json::parse(&source, &limits).unwrap();
        let events = match root.value {
            Value::Array(items) => items,
            _ => vec![root],
        };
        open(&events, text).map(|(id, opened)| match opened {
            Opened::Message(text, _) => (id, Ok(text)),
            Opened::Nothing(reason, _, _) => (id, Err(reason)),
        })
    }

    #[test]
    fn every_answer_is_opened_where_its_words_stand() {
        for (text, id) in [
            (r#"{"choices":[{"finish_reason":"stop","message":{"role":"assistant","content":"R"}}]}"#, "openai-chat"),
            (
                r#"{"choices":[{"finish_reason":"tool_calls","message":{"content":"beside","tool_calls":[{"function":{"name":"f","arguments":"R"}}]}}]}"#,
                "openai-chat",
            ),
            (
                r#"{"object":"response","status":"completed","output":[{"type":"reasoning"},{"type":"message","content":[{"type":"output_text","text":"R"}]}]}"#,
                "openai-responses",
            ),
            (
                r#"{"role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"R"}]}"#,
                "anthropic-messages",
            ),
            (r#"{"candidates":[{"finishReason":"STOP","content":{"parts":[{"text":"R"}]}}]}"#, "gemini-api"),
            (r#"{"stopReason":"end_turn","output":{"message":{"content":[{"text":"R"}]}}}"#, "bedrock"),
            (r#"{"model":"m","done":true,"done_reason":"stop","message":{"content":"R"}}"#, "ollama"),
            (r#"{"lc":1,"kwargs":{"content":"R"}}"#, "langchain"),
            (r#"{"jsonrpc":"2.0","result":{"isError":false,"content":[{"type":"text","text":"R"}]}}"#, "mcp"),
            (r#"{"name":"submit","arguments":"R"}"#, "tool-call"),
            (r#"[{"role":"user","content":"Q"},{"role":"assistant","content":"R"}]"#, "conversation"),
            (r#"[{"model":"m","response":"","done":false},{"model":"m","response":"R","done":true}]"#, "ollama"),
        ] {
            assert_eq!(opened(text), Some((id, Ok("R".to_owned()))), "{text}");
        }
        let input =
            r#"{"role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","input":{"findings": []}}]}"#;
        assert_eq!(opened(input), Some(("anthropic-messages", Ok(r#"{"findings": []}"#.to_owned()))));
    }

    #[test]
    fn an_answer_that_did_not_end_well_is_none() {
        for text in [
            r#"{"choices":[{"finish_reason":"length","message":{"content":"R"}}]}"#,
            r#"{"choices":[{"finish_reason":"stop","message":{"content":null}}]}"#,
            r#"{"choices":[{"message":{"content":"R"}},{"message":{"content":"S"}}]}"#,
            r#"{"object":"response","status":"incomplete","output":[{"type":"message","content":[{"text":"R"}]}]}"#,
            r#"{"role":"assistant","stop_reason":"max_tokens","content":[{"type":"text","text":"R"}]}"#,
            r#"{"candidates":[{"finishReason":"SAFETY"}]}"#,
            r#"{"candidates":[]}"#,
            r#"{"jsonrpc":"2.0","result":{"isError":true,"content":[{"type":"text","text":"R"}]}}"#,
            r#"{"jsonrpc":"2.0","error":{"code":-32000,"message":"no"}}"#,
            r#"[{"role":"assistant","content":"R"},{"role":"user","content":"Q"}]"#,
            r#"[{"model":"m","response":"R","done":false},{"model":"m","response":"","done":false}]"#,
        ] {
            assert!(matches!(opened(text), Some((_, Err(_)))), "{text}");
        }
        for text in
            [r#"{"findings":[]}"#, r#"{"name":"x","severity":"high"}"#, r#"[{"severity":"P1"},{"severity":"P2"}]"#]
        {
            assert_eq!(opened(text), None, "{text}");
        }
    }
}
