//! Chat completions, as OpenAI and many others speak them: `POST /chat/completions`.
//!
//! Read in the types of openai-python at 0444895 (`types/chat/chat_completion.py`, `types/shared_params/response_format_json_schema.py`).
//! No limit of tokens is set: its name differs between the providers of this API.

use serde_json::{Value, json};

use super::{Form, Protocol, text_at, usage_at};
use crate::model::Usage;

pub(super) const SHAPE: Protocol = Protocol { path: "/chat/completions", headers, body, read, usage };

fn headers(key: Option<&str>) -> Vec<(&'static str, String)> {
    key.map(|key| ("authorization", format!("Bearer {key}"))).into_iter().collect()
}

fn body(model: &str, brief: &str, form: Form) -> Value {
    json!({
        "model": model,
        "messages": [{"role": "user", "content": brief}],
        "response_format": {
            "type": "json_schema",
            "json_schema": {"name": form.name(), "strict": true, "schema": form.schema()},
        },
    })
}

fn read(envelope: &Value) -> Result<String, String> {
    let choices = envelope.get("choices").and_then(Value::as_array).map(Vec::as_slice);
    let [choice] = choices.unwrap_or_default() else { return Err("it did not answer with one choice".to_owned()) };
    let refusal = text_at(choice, "/message/refusal");
    if !refusal.is_empty() {
        return Err(format!("it refused: {}", super::shortened(refusal)));
    }
    match text_at(choice, "/finish_reason") {
        "stop" => {}
        other => return Err(format!("it did not come to an end: `finish_reason` is {other:?}")),
    }
    Ok(text_at(choice, "/message/content").to_owned())
}

fn usage(envelope: &Value) -> Option<Usage> {
    usage_at(envelope, &["/usage/prompt_tokens"], &["/usage/completion_tokens"])
}
