//! Ollama's chat: `POST /api/chat`, without streaming.
//!
//! Read in `docs/api.md` of Ollama at 01e52d2; `truncate` and `shift` in quotes of `api/types.go`. By default it cuts
//! off the start of a text longer than its context, and so a brief: the context is asked for as large as the brief may need, and a
//! server that knows `truncate` and `shift` is told to fail instead.

use serde_json::{Value, json};

use super::{Form, Protocol, text_at, usage_at};
use crate::model::Usage;

/// How many tokens of the context are for the answer.
const ANSWER: usize = 8_192;

pub(super) const SHAPE: Protocol = Protocol { path: "/api/chat", headers, body, read, usage };

fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect()
}

fn body(model: &str, brief: &str, form: Form) -> Value {
    // Hardly any text has more than one token for two bytes.
    let context = brief.len() / 2 + ANSWER;
    json!({
        "model": model,
        "messages": [{"role": "user", "content": brief}],
        "stream": false,
        "truncate": false,
        "shift": false,
        "format": form.schema(),
        "options": {"num_ctx": context, "temperature": 0},
    })
}

fn read(envelope: &Value) -> Result<String, String> {
    if envelope.get("done").and_then(Value::as_bool) != Some(true) {
        return Err("it did not come to an end: `done` is not true".to_owned());
    }
    match text_at(envelope, "/done_reason") {
        "stop" => {}
        other => return Err(format!("it did not come to an end: `done_reason` is {other:?}")),
    }
    Ok(text_at(envelope, "/message/content").to_owned())
}

fn usage(envelope: &Value) -> Option<Usage> {
    usage_at(envelope, &["/prompt_eval_count"], &["/eval_count"])
}
