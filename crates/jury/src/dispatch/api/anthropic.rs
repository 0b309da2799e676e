//! Anthropic's messages: `POST /v1/messages`, version 2023-06-01.
//!
//! Read in the types of anthropic-sdk-python (`output_config_param.py`, `stop_reason.py`, `usage.py`; docs/reviewers.md has the commits):
//! structured output is `output_config.format`, without a beta header.

use serde_json::{Value, json};

use super::{Form, Protocol, text_at, usage_at};
use crate::model::Usage;

/// How many tokens an answer may have; the API wants a number.
const MOST_TOKENS: u32 = 16_384;

pub(super) const SHAPE: Protocol = Protocol { path: "/v1/messages", headers, body, read, usage };

fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    let key = key.map(|key| ("x-api-key", key.to_owned()));
    [("anthropic-version", "2023-06-01".to_owned())].into_iter().chain(key).collect()
}

fn body(model: &str, brief: &str, form: Form) -> Value {
    json!({
        "model": model,
        "max_tokens": MOST_TOKENS,
        "messages": [{"role": "user", "content": brief}],
        "output_config": {"format": {"type": "json_schema", "schema": form.schema()}},
    })
}

fn read(envelope: &Value) -> Result<String, String> {
    match text_at(envelope, "/stop_reason") {
        "end_turn" => {}
        "refusal" => return Err("it refused: `stop_reason` is \"refusal\"".to_owned()),
        other => return Err(format!("it did not come to an end: `stop_reason` is {other:?}")),
    }
    let blocks = envelope.get("content").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    // The model's reasoning is not part of its message.
    let texts = blocks.iter().filter(|block| text_at(block, "/type") == "text");
    Ok(texts.map(|block| text_at(block, "/text")).collect())
}

fn usage(envelope: &Value) -> Option<Usage> {
    let input = ["/usage/input_tokens", "/usage/cache_creation_input_tokens", "/usage/cache_read_input_tokens"];
    usage_at(envelope, &input, &["/usage/output_tokens"])
}
