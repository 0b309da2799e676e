//! The result envelopes of agent CLIs: one row each, how it is known and where its final message stands.
//!
//! In: a text. Out: the final message, or why there is none. A run succeeded only if the envelope's own fields say so.
//! Deliberately not here: what the message says.

use std::borrow::Cow;

use jury_wire::Reason;

use crate::syntax::{Limits, Node, Source, Span, Value, json};

/// An envelope: how it is called, from what it was learnt, how it is known and opened.
pub(super) struct Envelope {
    pub(super) id: &'static str,
    recognises: fn(&[Node<'_>]) -> bool,
    open: fn(&[Node<'_>]) -> Opened,
}

/// What an envelope held.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// The final message, and where it stands.
    Message(String, Span),
    /// Why there is none.
    Nothing(Reason, Span, String),
}

/// Every envelope, in the order in which a text is tried.
pub(super) const ENVELOPES: &[Envelope] = &[
    // Claude Code 2.1, `claude -p --output-format json` and `stream-json`: SDKResultMessage of the Agent SDK reference.
    Envelope { id: "claude", recognises: |events| is_result(events) && !is_cursor(events), open: open_result },
    // Cursor CLI, `cursor-agent -p --output-format json` and `stream-json`: the same result object with `request_id`.
    Envelope { id: "cursor", recognises: |events| is_result(events) && is_cursor(events), open: open_result },
    // Codex CLI, `codex exec --json`: ThreadEvent of codex-rs/exec/src/exec_events.rs (0.107).
    Envelope { id: "codex", recognises: is_codex, open: open_codex },
    // Gemini CLI, `gemini -p --output-format json` and `stream-json`: docs/cli/headless.md.
    Envelope { id: "gemini", recognises: is_gemini, open: open_gemini },
    Envelope { id: "gemini-stream", recognises: is_gemini_stream, open: open_gemini_stream },
    // OpenCode 1.x, `opencode run --format json`: one event per line with `sessionID` and `part`.
    Envelope { id: "opencode", recognises: is_opencode, open: open_opencode },
];

/// Opens the envelope that a text is, if it is one.
pub(super) fn open(text: &str, limits: &Limits) -> Option<(&'static str, Opened)> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let events = events(text, limits)?;
    let envelope = ENVELOPES.iter().find(|envelope| (envelope.recognises)(&events))?;
    Some((envelope.id, (envelope.open)(&events)))
}

/// Returns the events of a text: one object, a list of objects, or an object on each line. A last line that is cut off does
/// not hide what the others are.
fn events<'a>(text: &'a str, limits: &Limits) -> Option<Vec<Node<'a>>> {
    let source = Source::new(text.as_bytes(), limits).ok()?;
    if let Ok(root) = json::parse(&source, limits) {
        return match root.value {
            Value::Array(items) => Some(items),
            Value::Object(_) => Some(vec![root]),
            _ => None,
        };
    }
    let mut events = Vec::new();
    for (span, line) in source.lines().filter(|(_, line)| !line.trim().is_empty()) {
        match json::parse_at(text, span.start, limits) {
            Ok((node, end)) if end <= span.end && text[end..span.end].trim().is_empty() => events.push(node),
            // Whatever a CLI prints between its events, such as a warning, is no event.
            _ if events.is_empty() && line.trim_start().starts_with('{') => return None,
            _ => {}
        }
    }
    (!events.is_empty()).then_some(events)
}

fn text_at<'n>(node: &'n Node<'_>, path: &[&str]) -> Option<&'n str> {
    let found = path.iter().try_fold(node, |node, name| node.get(name))?;
    match &found.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn kind<'n>(event: &'n Node<'_>) -> &'n str {
    text_at(event, &["type"]).unwrap_or_default()
}

fn whole(events: &[Node<'_>]) -> Span {
    let start = events.first().map_or(0, |event| event.span.start);
    Span::new(start, events.last().map_or(start, |event| event.span.end))
}

fn message(text: &str, span: Span) -> Opened {
    if text.trim().is_empty() {
        return Opened::Nothing(Reason::NoFinalMessage, span, "the final message is empty".to_owned());
    }
    Opened::Message(text.to_owned(), span)
}

fn failed(span: Span, what: impl Into<String>) -> Opened {
    Opened::Nothing(Reason::EnvelopeFailed, span, what.into())
}

fn no_message(events: &[Node<'_>]) -> Opened {
    Opened::Nothing(Reason::NoFinalMessage, whole(events), "the run ended without a final message".to_owned())
}

fn is_result(events: &[Node<'_>]) -> bool {
    let is_result = |event: &Node<'_>| {
        kind(event) == "result" && (event.get("subtype").is_some() || event.get("is_error").is_some())
    };
    let is_stream = |event: &Node<'_>| kind(event) == "system" && text_at(event, &["subtype"]) == Some("init");
    events.iter().any(is_result) || events.first().is_some_and(is_stream)
}

fn is_cursor(events: &[Node<'_>]) -> bool {
    let result = events.iter().rfind(|event| kind(event) == "result");
    result.is_some_and(|result| result.get("request_id").is_some() && result.get("num_turns").is_none())
}

fn open_result(events: &[Node<'_>]) -> Opened {
    let Some(result) = events.iter().rfind(|event| kind(event) == "result") else { return no_message(events) };
    let subtype = text_at(result, &["subtype"]).unwrap_or("no subtype");
    let is_error = result.get("is_error").map(|node| &node.value);
    if subtype != "success" || is_error != Some(&Value::Bool(false)) {
        let said = text_at(result, &["result"])
            .map(Cow::Borrowed)
            .or_else(|| result.get("errors").map(|errors| Cow::Owned(super::finding::flattened(errors))));
        return failed(result.span, format!("the run ended with {subtype:?}: {}", said.unwrap_or_default()));
    }
    match result.get("result") {
        Some(Node { span, value: Value::String(text) }) => message(text, *span),
        _ => no_message(events),
    }
}

fn is_codex(events: &[Node<'_>]) -> bool {
    events.iter().any(|event| ["thread.", "turn.", "item."].iter().any(|prefix| kind(event).starts_with(prefix)))
}

fn open_codex(events: &[Node<'_>]) -> Opened {
    let ending = events.iter().rfind(|event| matches!(kind(event), "turn.completed" | "turn.failed" | "error"));
    match ending {
        Some(event) if kind(event) == "turn.completed" => {}
        Some(event) => {
            let said = text_at(event, &["error", "message"])
                .or_else(|| text_at(event, &["message"]))
                .unwrap_or("no reason given");
            return failed(event.span, format!("the turn failed: {said}"));
        }
        None => return no_message(events),
    }
    let is_message = |event: &&Node<'_>| {
        let item = text_at(event, &["item", "type"]).or_else(|| text_at(event, &["item", "item_type"]));
        kind(event) == "item.completed" && matches!(item, Some("agent_message" | "assistant_message"))
    };
    match events.iter().rfind(is_message).and_then(|event| event.get("item")?.get("text")) {
        Some(Node { span, value: Value::String(text) }) => message(text, *span),
        _ => no_message(events),
    }
}

fn is_gemini(events: &[Node<'_>]) -> bool {
    matches!(events, [event] if event.get("stats").is_some() && (event.get("response").is_some() || event.get("error").is_some()))
}

fn open_gemini(events: &[Node<'_>]) -> Opened {
    let [event] = events else { return no_message(events) };
    match event.get("error").filter(|error| error.value != Value::Null) {
        Some(error) => failed(error.span, format!("the request failed: {}", super::finding::flattened(error))),
        None => match event.get("response") {
            Some(Node { span, value: Value::String(text) }) => message(text, *span),
            _ => no_message(events),
        },
    }
}

fn is_gemini_stream(events: &[Node<'_>]) -> bool {
    events.first().is_some_and(|event| kind(event) == "init" && event.get("session_id").is_some())
}

fn open_gemini_stream(events: &[Node<'_>]) -> Opened {
    let Some(result) = events.iter().rfind(|event| kind(event) == "result") else { return no_message(events) };
    if text_at(result, &["status"]) != Some("success") {
        return failed(
            result.span,
            format!("the run ended with {:?}", text_at(result, &["status"]).unwrap_or("no status")),
        );
    }
    // The final message is what the assistant said after the last tool was used.
    let last_tool =
        events.iter().rposition(|event| matches!(kind(event), "tool_use" | "tool_result")).map_or(0, |at| at + 1);
    let said = events[last_tool..]
        .iter()
        .filter(|event| kind(event) == "message" && text_at(event, &["role"]) == Some("assistant"));
    let text: String = said.filter_map(|event| text_at(event, &["content"])).collect();
    message(&text, whole(&events[last_tool..]))
}

fn is_opencode(events: &[Node<'_>]) -> bool {
    let is_event = |event: &Node<'_>| {
        matches!(kind(event), "step_start" | "text" | "tool_use" | "step_finish" | "error")
            && event.get("sessionID").is_some()
    };
    events.iter().any(is_event)
}

fn open_opencode(events: &[Node<'_>]) -> Opened {
    if let Some(error) = events.iter().rfind(|event| kind(event) == "error") {
        let said = error.get("error").map(super::finding::flattened).unwrap_or_default();
        return failed(error.span, format!("the run failed: {said}"));
    }
    let finish = events.iter().rfind(|event| kind(event) == "step_finish");
    match finish.map(|event| text_at(event, &["part", "reason"])) {
        Some(Some("stop")) => {}
        Some(reason) => {
            return failed(whole(events), format!("the last step ended with {:?}", reason.unwrap_or("no reason")));
        }
        None => return no_message(events),
    }
    let texts = || events.iter().filter(|event| kind(event) == "text");
    let Some(last) = texts().next_back() else { return no_message(events) };
    let of_message = text_at(last, &["part", "messageID"]);
    let parts: Vec<&str> = texts()
        .filter(|event| text_at(event, &["part", "messageID"]) == of_message)
        .filter_map(|event| text_at(event, &["part", "text"]))
        .collect();
    message(&parts.join("\n"), last.span)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(text: &str) -> Option<(&'static str, Result<String, Reason>)> {
        open(text, &Limits::default()).map(|(id, opened)| match opened {
            Opened::Message(text, _) => (id, Ok(text)),
            Opened::Nothing(reason, _, _) => (id, Err(reason)),
        })
    }

    #[test]
    fn claude_and_cursor_succeed_only_if_they_say_so() {
        let claude =
            r#"{"type":"result","subtype":"success","is_error":false,"result":"R","num_turns":1,"session_id":"s"}"#;
        assert_eq!(opened(claude), Some(("claude", Ok("R".to_owned()))));
        let cursor = r#"{"type":"result","subtype":"success","is_error":false,"result":"R","request_id":"q"}"#;
        assert_eq!(opened(cursor), Some(("cursor", Ok("R".to_owned()))));
        let stream = format!(
            "{}\n{}\n{claude}\n",
            r#"{"type":"system","subtype":"init"}"#, r#"{"type":"assistant","message":{}}"#
        );
        assert_eq!(opened(&stream), Some(("claude", Ok("R".to_owned()))));
        let array = format!("[{},{claude}]", r#"{"type":"system","subtype":"init"}"#);
        assert_eq!(opened(&array), Some(("claude", Ok("R".to_owned()))));
        for (changed, reason) in [
            (claude.replace("\"success\"", "\"error_max_turns\""), Reason::EnvelopeFailed),
            (claude.replace("false", "true"), Reason::EnvelopeFailed),
            (claude.replace("\"is_error\":false,", ""), Reason::EnvelopeFailed),
            (claude.replace("\"R\"", "\" \""), Reason::NoFinalMessage),
            (claude.replace("\"result\":\"R\",", ""), Reason::NoFinalMessage),
            ("{\"type\":\"system\",\"subtype\":\"init\"}\n{\"type\":\"assistant\"}".to_owned(), Reason::NoFinalMessage),
        ] {
            assert_eq!(opened(&changed), Some(("claude", Err(reason))), "{changed}");
        }
    }

    #[test]
    fn codex_needs_a_completed_turn_and_takes_the_last_message() {
        let start = "{\"type\":\"thread.started\",\"thread_id\":\"t\"}\n{\"type\":\"turn.started\"}\n";
        let said = |text: &str| {
            format!(
                "{{\"type\":\"item.completed\",\"item\":{{\"id\":\"i\",\"type\":\"agent_message\",\"text\":\"{text}\"}}}}\n"
            )
        };
        let done = "{\"type\":\"turn.completed\",\"usage\":{}}\n";
        let all = format!("{start}{}{}{done}", said("one"), said("two"));
        assert_eq!(opened(&all), Some(("codex", Ok("two".to_owned()))));
        let broken =
            format!("{start}{}{{\"type\":\"turn.failed\",\"error\":{{\"message\":\"quota\"}}}}\n", said("one"));
        assert_eq!(opened(&broken), Some(("codex", Err(Reason::EnvelopeFailed))));
        assert_eq!(opened(&format!("{start}{}", said("one"))), Some(("codex", Err(Reason::NoFinalMessage))));
        assert_eq!(opened(&format!("{start}{done}")), Some(("codex", Err(Reason::NoFinalMessage))));
        let cut = all[..all.len() - 10].to_owned();
        assert_eq!(opened(&cut), Some(("codex", Err(Reason::NoFinalMessage))));
    }

    #[test]
    fn gemini_and_opencode_are_opened() {
        assert_eq!(opened(r#"{"response":"R","stats":{}}"#), Some(("gemini", Ok("R".to_owned()))));
        assert_eq!(
            opened(r#"{"response":"R","stats":{},"error":{"message":"x"}}"#),
            Some(("gemini", Err(Reason::EnvelopeFailed)))
        );
        assert_eq!(opened(r#"{"response":"","stats":{}}"#), Some(("gemini", Err(Reason::NoFinalMessage))));
        let stream = "{\"type\":\"init\",\"session_id\":\"s\"}\n{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"a\",\"delta\":true}\n{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"b\",\"delta\":true}\n{\"type\":\"result\",\"status\":\"success\"}\n";
        assert_eq!(opened(stream), Some(("gemini-stream", Ok("ab".to_owned()))));
        assert_eq!(opened(&stream.replace("success", "error")), Some(("gemini-stream", Err(Reason::EnvelopeFailed))));
        let opencode = "{\"type\":\"step_start\",\"sessionID\":\"s\",\"part\":{}}\n{\"type\":\"text\",\"sessionID\":\"s\",\"part\":{\"messageID\":\"m\",\"text\":\"R\"}}\n{\"type\":\"step_finish\",\"sessionID\":\"s\",\"part\":{\"reason\":\"stop\"}}\n";
        assert_eq!(opened(opencode), Some(("opencode", Ok("R".to_owned()))));
        assert_eq!(opened(&opencode.replace("stop", "length")), Some(("opencode", Err(Reason::EnvelopeFailed))));
        let with_error = format!("{opencode}{{\"type\":\"error\",\"sessionID\":\"s\",\"error\":{{\"name\":\"x\"}}}}\n");
        assert_eq!(opened(&with_error), Some(("opencode", Err(Reason::EnvelopeFailed))));
    }

    #[test]
    fn what_is_no_envelope_is_left_alone() {
        for text in [
            "",
            "prose",
            "{\"findings\":[]}",
            "[{\"severity\":\"P1\"}]",
            "{\"type\":\"error\"}",
            "{\"a\":1}\n{\"b\":2}",
        ] {
            assert_eq!(opened(text), None, "{text}");
        }
    }
}
