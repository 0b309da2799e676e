//! The result envelopes of agent hosts, found and opened.
//!
//! In: a text. Out: the final message, or the reason why there is none; and the usage, in tokens and money. Deliberately not here: the
//! form of each envelope (`agents`), and the content of the message.

use std::borrow::Cow;

use jury_wire::Reason;

use super::answers;
use super::fields::flattened;
use crate::agents::{self, Ending};
use crate::model::Usage;
use crate::syntax::{Limits, Node, Source, Span, Value, json};

/// The content of an envelope.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Opened {
    /// The final message, and its place.
    Message(String, Span),
    /// The reason why there is none.
    Nothing(Reason, Span, String),
}

/// Returns the usage that an envelope states.
pub fn usage(bytes: &[u8], limits: &Limits) -> Option<Usage> {
    let source = Source::new(bytes, limits).ok()?;
    let events = events(&source, limits)?;
    let envelope = agents::envelopes().find(|envelope| (envelope.recognises)(&events))?;
    (envelope.usage)(&events)
}

/// Returns the failure that an envelope states, at most so many characters of it.
pub fn complaint(text: &str, limits: &Limits, most: usize) -> Option<String> {
    let source = Source::new(text.as_bytes(), limits).ok()?;
    match open(&source, limits)? {
        (_, Opened::Nothing(Reason::EnvelopeFailed, _, what)) => Some(what.chars().take(most).collect()),
        _ => None,
    }
}

/// Opens a text that is an envelope.
pub(super) fn open(source: &Source<'_>, limits: &Limits) -> Option<(&'static str, Opened)> {
    let text = source.text();
    if !text.trim_start().starts_with(['{', '[']) {
        return None;
    }
    let events = events(source, limits)?;
    match agents::envelopes().find(|envelope| (envelope.recognises)(&events)) {
        Some(envelope) => Some((envelope.id, (envelope.open)(&events).into())),
        None => answers::open(&events, text),
    }
}

impl From<Ending<'_, '_>> for Opened {
    fn from(ending: Ending<'_, '_>) -> Self {
        match ending {
            Ending::Message(text, at) if text.trim().is_empty() => {
                Self::Nothing(Reason::NoFinalMessage, at, "the final message is empty".to_owned())
            }
            Ending::Message(text, at) => Self::Message(text, at),
            Ending::NoMessage(at) => {
                Self::Nothing(Reason::NoFinalMessage, at, "the run ended without a final message".to_owned())
            }
            Ending::Failed { at, how, why } => {
                let why = why.map(flattened).unwrap_or_default();
                Self::Nothing(Reason::EnvelopeFailed, at, how + &why)
            }
        }
    }
}

/// Returns the events of a text: one object, a list of objects, or an object on each line. A last line that is cut off does
/// not hide the others.
fn events<'s, 'a>(source: &'s Source<'a>, limits: &Limits) -> Option<Cow<'s, [Node<'a>]>> {
    if let Ok(root) = json::tree(source, limits) {
        return match &root.value {
            Value::Array(items) => Some(Cow::Borrowed(items)),
            Value::Object(_) => Some(Cow::Borrowed(std::slice::from_ref(root))),
            _ => None,
        };
    }
    if source.long_line(limits).is_some() {
        return None;
    }
    let text = source.text();
    let mut events = Vec::new();
    for (span, line) in source.lines().filter(|(_, line)| !line.trim().is_empty()) {
        match json::parse_at(text, span.start, limits) {
            Ok((node, end)) if end <= span.end && text[end..span.end].trim().is_empty() => events.push(node),
            // Output of a CLI between its events, for example a warning, is no event.
            _ if events.is_empty() && line.trim_start().starts_with('{') => return None,
            _ => {}
        }
    }
    (!events.is_empty()).then_some(Cow::Owned(events))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opened(text: &str) -> Option<(&'static str, Result<String, Reason>)> {
        let limits = Limits::default();
        open(&Source::new(text.as_bytes(), &limits).unwrap(), &limits).map(|(id, opened)| match opened {
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
