//! The result envelopes of agent CLIs: one row each, how it is known and where its final message stands.
//!
//! In: a text. Out: the final message, or why there is none; and what it took, in tokens and money. A run succeeded only if the envelope's own fields say so.
//! Deliberately not here: what the message says.

use std::borrow::Cow;

use jury_wire::Reason;

use super::answers;
use crate::model::{Usage, micro_dollars};
use crate::syntax::{Limits, Node, Source, Span, Value, json};

/// An envelope: how it is called, from what it was learnt, how it is known and opened.
pub(super) struct Envelope {
    pub(super) id: &'static str,
    recognises: fn(&[Node<'_>]) -> bool,
    open: fn(&[Node<'_>]) -> Opened,
    usage: fn(&[Node<'_>]) -> Option<Usage>,
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
    // Claude Code, `claude -p --output-format json` (2.1.325 was run) and `stream-json`: SDKResultMessage of the Agent SDK reference.
    Envelope {
        id: "claude",
        recognises: |events| is_result(events) && !is_cursor(events),
        open: open_result,
        usage: usage_of_result,
    },
    // Cursor CLI, `cursor-agent -p --output-format json` and `stream-json`: the same result object with `request_id`.
    Envelope {
        id: "cursor",
        recognises: |events| is_result(events) && is_cursor(events),
        open: open_result,
        usage: usage_of_result,
    },
    // Codex CLI, `codex exec --json` (0.166.0 was run): ThreadEvent of codex-rs/exec/src/exec_events.rs.
    Envelope { id: "codex", recognises: is_codex, open: open_codex, usage: usage_of_codex },
    // Gemini CLI, `gemini --output-format json` and `stream-json` (0.61.0 was run): docs/cli/headless.md.
    Envelope { id: "gemini", recognises: is_gemini, open: open_gemini, usage: usage_of_gemini },
    Envelope {
        id: "gemini-stream",
        recognises: is_gemini_stream,
        open: open_gemini_stream,
        usage: usage_of_gemini_stream,
    },
    // OpenCode, `opencode run --format json` (1.18.33 was run): one event per line with `sessionID` and `part`.
    Envelope { id: "opencode", recognises: is_opencode, open: open_opencode, usage: usage_of_opencode },
];

/// Returns what an answer took, if it is in an envelope that says so.
pub fn usage(bytes: &[u8], limits: &Limits) -> Option<Usage> {
    let text = std::str::from_utf8(bytes).ok()?;
    let events = events(text, limits)?;
    let envelope = ENVELOPES.iter().find(|envelope| (envelope.recognises)(&events))?;
    (envelope.usage)(&events)
}

/// Returns what an envelope says about why its run failed, at most so many characters of it; `None` if it says nothing of the kind.
pub fn complaint(text: &str, limits: &Limits, most: usize) -> Option<String> {
    match open(text, limits)? {
        (_, Opened::Nothing(Reason::EnvelopeFailed, _, what)) => Some(what.chars().take(most).collect()),
        _ => None,
    }
}

/// Opens the envelope that a text is, if it is one.
pub(super) fn open(text: &str, limits: &Limits) -> Option<(&'static str, Opened)> {
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let events = events(text, limits)?;
    match ENVELOPES.iter().find(|envelope| (envelope.recognises)(&events)) {
        Some(envelope) => Some((envelope.id, (envelope.open)(&events))),
        None => answers::open(&events, text),
    }
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

/// Returns the number at a path, whole and not negative.
fn count_at(node: &Node<'_>, path: &[&str]) -> Option<u64> {
    match &path.iter().try_fold(node, |node, name| node.get(name))?.value {
        Value::Number(text) => text.parse().ok(),
        _ => None,
    }
}

/// Returns the dollars at a path, in micro-dollars. What is finer than that is cut off.
fn cost_at(node: &Node<'_>, path: &[&str]) -> Option<u64> {
    let Value::Number(text) = &path.iter().try_fold(node, |node, name| node.get(name))?.value else { return None };
    // Small amounts are spelled with an exponent.
    let text = text.parse::<f64>().ok().filter(|dollars| dollars.is_finite() && *dollars >= 0.0)?;
    micro_dollars(&format!("{text:.6}"))
}

/// Returns the sum of the numbers at some paths, if the first of them is there.
fn sum_at(node: &Node<'_>, paths: &[&[&str]]) -> Option<u64> {
    count_at(node, paths.first()?)?;
    Some(paths.iter().filter_map(|path| count_at(node, path)).fold(0, u64::saturating_add))
}

fn usage_of_result(events: &[Node<'_>]) -> Option<Usage> {
    let result = events.iter().rfind(|event| kind(event) == "result")?;
    let input: [&[&str]; 3] =
        [&["usage", "input_tokens"], &["usage", "cache_creation_input_tokens"], &["usage", "cache_read_input_tokens"]];
    Some(Usage {
        input: sum_at(result, &input)?,
        output: count_at(result, &["usage", "output_tokens"])?,
        cost: cost_at(result, &["total_cost_usd"]),
    })
}

/// Returns the sum over all events that tell of a usage; `None` if none does.
fn summed(events: &[Node<'_>], of: impl Fn(&Node<'_>) -> Option<Usage>) -> Option<Usage> {
    events.iter().filter_map(of).reduce(Usage::and)
}

fn usage_of_codex(events: &[Node<'_>]) -> Option<Usage> {
    // What was cached is part of `input_tokens` here.
    summed(events, |event| {
        let input = count_at(event, &["usage", "input_tokens"])?;
        Some(Usage { input, output: count_at(event, &["usage", "output_tokens"])?, cost: None })
    })
}

fn usage_of_gemini(events: &[Node<'_>]) -> Option<Usage> {
    let Value::Object(models) = &events.first()?.get("stats")?.get("models")?.value else { return None };
    let models: Vec<Node<'_>> = models.iter().map(|model| model.node.clone()).collect();
    summed(&models, |model| {
        let input = count_at(model, &["tokens", "prompt"])?;
        let output = sum_at(model, &[&["tokens", "candidates"], &["tokens", "thoughts"]])?;
        Some(Usage { input, output, cost: None })
    })
}

fn usage_of_gemini_stream(events: &[Node<'_>]) -> Option<Usage> {
    let result = events.iter().rfind(|event| kind(event) == "result")?;
    let input = count_at(result, &["stats", "input_tokens"])?;
    Some(Usage { input, output: count_at(result, &["stats", "output_tokens"])?, cost: None })
}

fn usage_of_opencode(events: &[Node<'_>]) -> Option<Usage> {
    let input: [&[&str]; 3] =
        [&["part", "tokens", "input"], &["part", "tokens", "cache", "read"], &["part", "tokens", "cache", "write"]];
    let output: [&[&str]; 2] = [&["part", "tokens", "output"], &["part", "tokens", "reasoning"]];
    summed(events, |event| {
        let usage = Usage { input: sum_at(event, &input)?, output: sum_at(event, &output)?, cost: None };
        Some(Usage { cost: cost_at(event, &["part", "cost"]), ..usage })
    })
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
            .or_else(|| result.get("errors").map(|errors| Cow::Owned(super::fields::flattened(errors))));
        // Claude Code calls a run a success whose model could not be asked, and says beside it that it is an error.
        let how = if subtype == "success" { "failed".to_owned() } else { format!("ended with {subtype:?}") };
        return failed(result.span, format!("the run {how}: {}", said.unwrap_or_default()));
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
        Some(error) => failed(error.span, format!("the request failed: {}", super::fields::flattened(error))),
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
        let said = error.get("error").map(super::fields::flattened).unwrap_or_default();
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
    fn every_envelope_that_says_what_it_took_is_believed_about_that() {
        let claude = r#"{"type":"result","subtype":"success","is_error":false,"result":"R","num_turns":1,"total_cost_usd":0.1234567,
            "usage":{"input_tokens":10,"cache_creation_input_tokens":20,"cache_read_input_tokens":30,"output_tokens":4}}"#;
        let codex = "{\"type\":\"thread.started\"}\n{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":60,\"cached_input_tokens\":50,\"output_tokens\":4}}\n";
        let gemini = r#"{"response":"R","stats":{"models":{"a":{"tokens":{"prompt":50,"candidates":1,"thoughts":2,"total":53}},"b":{"tokens":{"prompt":10,"candidates":1}}}}}"#;
        let stream = "{\"type\":\"init\",\"session_id\":\"s\"}\n{\"type\":\"result\",\"status\":\"success\",\"stats\":{\"input_tokens\":60,\"output_tokens\":4}}\n";
        let step = |cost: &str| {
            format!(
                "{{\"type\":\"step_finish\",\"sessionID\":\"s\",\"part\":{{\"reason\":\"stop\",\"cost\":{cost},\"tokens\":{{\"input\":10,\"output\":1,\"reasoning\":1,\"cache\":{{\"read\":20,\"write\":0}}}}}}}}\n"
            )
        };
        let opencode = [step("1e-05"), step("0.5")].concat();
        for (text, cost) in
            [(claude, Some(123_457)), (codex, None), (gemini, None), (stream, None), (opencode.as_str(), Some(500_010))]
        {
            let expected = Usage { input: 60, output: 4, cost };
            assert_eq!(usage(text.as_bytes(), &Limits::default()), Some(expected), "{text}");
        }
        for text in ["", "{}", r#"{"response":"R","stats":{}}"#, "\u{1}", r#"{"findings":[]}"#] {
            assert_eq!(usage(text.as_bytes(), &Limits::default()), None, "{text}");
        }
        let odd = claude.replace("0.1234567", "-1").replace("\"input_tokens\":10", "\"input_tokens\":1e3");
        assert_eq!(usage(odd.as_bytes(), &Limits::default()), None);
    }

    #[test]
    fn a_failed_run_says_why() {
        let failed =
            "{\"type\":\"thread.started\"}\n{\"type\":\"turn.failed\",\"error\":{\"message\":\"401 Unauthorized\"}}\n";
        let said = |text: &str, most| complaint(text, &Limits::default(), most);
        assert_eq!(said(failed, 100).as_deref(), Some("the turn failed: 401 Unauthorized"));
        assert_eq!(said(failed, 8).as_deref(), Some("the turn"));
        for text in ["", "prose", r#"{"response":"R","stats":{}}"#, r#"{"response":"","stats":{}}"#] {
            assert_eq!(said(text, 100), None, "{text}");
        }
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
