//! Models behind an API: a brief in, the final message out, or why there is none.
//!
//! One file per provider has its request and the conditions of a valid envelope; here is the code that all have
//! in common: the key, limits of time and size, asking again when that may help (FAULTS 12 to 15 and 23). No text that leaves here
//! has the key in it. Deliberately not here: the meaning of the message.

mod anthropic;
mod ollama;
mod openai;
mod schema;

use std::time::{Duration, Instant};

use serde_json::Value;

use super::Unanswered;
use crate::model::{Provider, Service, Usage};
pub(super) use schema::Form;

/// How much a provider may answer, in bytes.
const MOST_BODY: u64 = 16 << 20;
/// The kept length of an invalid answer, in characters.
const MOST_KEPT: usize = 64 << 10;
/// How long it is waited before asking again, each time. Always the same, because jitter does not help here: no more are asked
/// at once than `policy.parallel`.
const WAITS: [Duration; 3] = [Duration::from_millis(500), Duration::from_secs(1), Duration::from_secs(2)];

/// How a provider is spoken with.
struct Protocol {
    /// Where, below its address.
    path: &'static str,
    /// The headers of its requests.
    headers: fn(Option<&str>) -> Vec<(&'static str, String)>,
    /// The request for a brief, by the name of a model, and the form of the answer.
    body: fn(&str, &str, Form) -> Value,
    /// The final message of an envelope, or the reason why it does not count.
    read: fn(&Value) -> Result<String, String>,
    /// The usage of an answer.
    usage: fn(&Value) -> Option<Usage>,
}

/// The answer of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Said {
    /// The final message.
    pub(super) text: String,
    /// Its usage, as the provider states it.
    pub(super) usage: Option<Usage>,
}

/// The result of one request.
enum Trouble {
    /// Asking again may help, after this time if the provider says one.
    Passing(String, Option<Duration>),
    /// Asking again is of no use.
    Final(Unanswered),
}

/// Asks a model to answer a brief within a time.
pub(super) fn ask(service: &Service, brief: (&str, Form), time: Duration) -> Result<Said, Unanswered> {
    let key = service.key_env.as_deref().map(key).transpose()?;
    let hidden = |text: String| hidden(text, key.as_deref());
    match ask_with(service, key.as_deref(), brief, time) {
        Ok(said) => Ok(Said { text: hidden(said.text), ..said }),
        Err(Unanswered::Failed { why, printed, usage }) => {
            let printed = printed.map(|text| hidden(text).chars().take(MOST_KEPT).collect());
            Err(Unanswered::Failed { why: hidden(why), printed, usage })
        }
        Err(skipped) => Err(skipped),
    }
}

/// Reads a key from the environment.
fn key(name: &str) -> Result<String, Unanswered> {
    let key = std::env::var(name).ok().map(|key| key.trim().to_owned()).filter(|key| !key.is_empty());
    let why = || format!("the variable {name}, which has to hold its key, is not set");
    key.ok_or_else(|| Unanswered::failed(why()))
}

/// Removes the key from a text: a provider's answer may repeat its request.
fn hidden(text: String, key: Option<&str>) -> String {
    match key {
        Some(key) if text.contains(key) => text.replace(key, "[key]"),
        _ => text,
    }
}

fn ask_with(
    service: &Service,
    key: Option<&str>,
    (brief, form): (&str, Form),
    time: Duration,
) -> Result<Said, Unanswered> {
    let start = Instant::now();
    let shape = match service.provider {
        Provider::OpenAi => openai::SHAPE,
        Provider::Anthropic => anthropic::SHAPE,
        Provider::Ollama => ollama::SHAPE,
    };
    let body = (shape.body)(&service.model, brief, form).to_string();
    let mut waits = WAITS.iter();
    loop {
        let left = time.saturating_sub(start.elapsed());
        let (why, wished) = match ask_once(service, &shape, key, &body, left) {
            Ok(said) => return Ok(said),
            Err(Trouble::Final(unanswered)) => return Err(unanswered),
            Err(Trouble::Passing(why, wished)) => (why, wished),
        };
        let left = time.saturating_sub(start.elapsed());
        let Some(wait) = waits.next() else {
            return Err(Unanswered::failed(format!("{why}; it was asked {} times", WAITS.len() + 1)));
        };
        let wait = wished.unwrap_or_default().max(*wait);
        if wait >= left {
            return Err(Unanswered::failed(format!("{why}; it could only be asked again after its time of {time:?}")));
        }
        std::thread::sleep(wait);
    }
}

fn ask_once(
    service: &Service,
    shape: &Protocol,
    key: Option<&str>,
    body: &str,
    left: Duration,
) -> Result<Said, Trouble> {
    let url = format!("{}{}", service.url, shape.path);
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(left.max(Duration::from_millis(1))))
        .max_redirects(0)
        .max_redirects_will_error(false)
        .http_status_as_error(false)
        .user_agent("jury");
    // Only this machine is asked without encryption, and no proxy has to be.
    let config = if url.starts_with("http://") { config.proxy(None) } else { config };
    let mut request = config.build().new_agent().post(&url).header("content-type", "application/json");
    for (name, value) in (shape.headers)(key) {
        request = request.header(name, value);
    }
    let mut response = request.send(body).map_err(|error| unsent(&error, left))?;
    let status = response.status().as_u16();
    let after = response.headers().get("retry-after").and_then(|value| value.to_str().ok()?.trim().parse().ok());
    let bytes = response.body_mut().with_config().limit(MOST_BODY).read_to_vec();
    let bytes = bytes.map_err(|error| unsent(&error, left))?;
    let text = String::from_utf8_lossy(&bytes);
    match status {
        200..=299 => read(shape, &text).map_err(Trouble::Final),
        300..=399 => Err(finally(format!("it answered with status {status}, and redirects are not followed"))),
        429 | 500..=599 => Err(Trouble::Passing(refused(status, &text), after.map(Duration::from_secs))),
        _ => Err(finally(refused(status, &text))),
    }
}

fn finally(why: String) -> Trouble {
    Trouble::Final(Unanswered::failed(why))
}

/// Says why nothing came, or not all of it.
fn unsent(error: &ureq::Error, left: Duration) -> Trouble {
    match error {
        ureq::Error::Timeout(_) => finally(format!("it took longer than {left:.0?}")),
        ureq::Error::BodyExceedsLimit(_) => finally(format!("it answered with more than {MOST_BODY} bytes")),
        ureq::Error::Io(_) | ureq::Error::ConnectionFailed | ureq::Error::HostNotFound => {
            Trouble::Passing(format!("it cannot be reached: {error}"), None)
        }
        _ => finally(format!("it cannot be asked: {error}")),
    }
}

fn refused(status: u16, text: &str) -> String {
    let said = serde_json::from_str(text).ok().and_then(|value: Value| complaint(&value));
    let said = said.unwrap_or_else(|| text.lines().next().unwrap_or_default().to_owned());
    format!("it answered with status {status}: {}", shortened(&said))
}

/// Reads an envelope of any provider. An invalid answer still has its cost.
fn read(shape: &Protocol, text: &str) -> Result<Said, Unanswered> {
    let failed = |why, usage| Unanswered::Failed { why, printed: Some(text.to_owned()), usage };
    if text.trim().is_empty() {
        return Err(Unanswered::failed("it answered with nothing".to_owned()));
    }
    let envelope: Value = serde_json::from_str(text).map_err(|error| {
        failed(format!("it answered with something that is not JSON ({error}): {}", shortened(text)), None)
    })?;
    let usage = (shape.usage)(&envelope);
    if let Some(said) = complaint(&envelope) {
        return Err(failed(format!("it answered with an error: {}", shortened(&said)), usage));
    }
    match (shape.read)(&envelope) {
        Ok(text) if text.trim().is_empty() => Err(failed("its message is empty".to_owned(), usage)),
        Ok(text) => Ok(Said { text, usage }),
        Err(why) => Err(failed(why, usage)),
    }
}

/// Returns the error that an envelope holds: all three have it in a member of that name.
fn complaint(value: &Value) -> Option<String> {
    let error = value.get("error").filter(|error| !error.is_null())?;
    let said = error.as_str().or_else(|| error.get("message")?.as_str());
    Some(said.map_or_else(|| error.to_string(), str::to_owned))
}

fn shortened(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().take(200).collect()
}

/// Returns the text at a path of members; empty if there is none.
fn text_at<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the tokens of an answer, if the first member of each list is there; the others are added to it.
fn usage_at(envelope: &Value, input: &[&str], output: &[&str]) -> Option<Usage> {
    let number = |pointer: &&str| envelope.pointer(pointer).and_then(Value::as_u64);
    let sum = |pointers: &[&str]| {
        number(pointers.first()?)?;
        Some(pointers.iter().filter_map(number).fold(0, u64::saturating_add))
    };
    Some(Usage { input: sum(input)?, output: sum(output)?, cost: None })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const MESSAGE: &str = "{\"nonce\":\"n\"}";

    fn envelopes() -> [(&'static str, Protocol, Value); 3] {
        let openai = json!({"choices": [{"index": 0, "message": {"role": "assistant", "content": MESSAGE, "refusal": null},
            "finish_reason": "stop"}], "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}});
        let anthropic = json!({"type": "message", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "thinking", "thinking": "…"}, {"type": "text", "text": MESSAGE}],
            "usage": {"input_tokens": 4, "cache_read_input_tokens": 3, "output_tokens": 3}});
        let ollama = json!({"message": {"role": "assistant", "content": MESSAGE}, "done": true, "done_reason": "stop",
            "prompt_eval_count": 7, "eval_count": 3});
        [
            ("openai", openai::SHAPE, openai),
            ("anthropic", anthropic::SHAPE, anthropic),
            ("ollama", ollama::SHAPE, ollama),
        ]
    }

    fn why(shape: &Protocol, text: &str) -> String {
        match read(shape, text) {
            Err(Unanswered::Failed { why, usage, .. }) => {
                assert!(usage.is_some(), "what does not count has its price: {text}");
                why
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_answer_counts_only_if_its_envelope_says_that_it_is_whole() {
        for (name, shape, envelope) in envelopes() {
            let usage = Some(Usage { input: 7, output: 3, cost: None });
            let said = Said { text: MESSAGE.to_owned(), usage };
            assert_eq!(read(&shape, &envelope.to_string()), Ok(said), "{name}");
            let text = envelope.to_string();
            let good = if name == "anthropic" { "\"end_turn\"" } else { "\"stop\"" };
            for other in ["\"length\"", "\"max_tokens\"", "\"content_filter\"", "\"refusal\"", "\"tool_use\"", "null"] {
                let changed = text.replace(good, other);
                assert_ne!(changed, text, "{name}");
                assert!(read(&shape, &changed).is_err(), "{name} {other}");
            }
            let empty = text.replace(&serde_json::to_string(MESSAGE).unwrap(), "\" \"");
            assert!(why(&shape, &empty).contains("its message is empty"), "{name}");
            let cut = &text[..text.len() - 5];
            for bad in [cut, "", " \n", "null", "[]", "{}", "\"quota\"", "<html><body>Bad gateway</body></html>"] {
                assert!(read(&shape, bad).is_err(), "{name} {bad}");
            }
            let mut failed = envelope.clone();
            failed["error"] = json!({"type": "insufficient_quota", "message": "You exceeded your current quota"});
            let why = why(&shape, &failed.to_string());
            assert!(why.contains("exceeded your current quota"), "{name}: {why}");
        }
    }

    #[test]
    fn a_refusal_is_no_answer() {
        let [(_, shape, mut envelope), ..] = envelopes();
        envelope["choices"][0]["message"]["refusal"] = json!("I cannot help with that");
        assert!(why(&shape, &envelope.to_string()).contains("cannot help"));
        envelope["choices"] = json!([]);
        assert!(read(&shape, &envelope.to_string()).is_err());
    }

    #[test]
    fn no_text_has_the_key_in_it() {
        assert_eq!(hidden("bad key sk-1, sk-1".to_owned(), Some("sk-1")), "bad key [key], [key]");
        assert_eq!(hidden("fine".to_owned(), None), "fine");
    }
}
