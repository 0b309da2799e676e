//! Requests to a forge: spacing, limits, asking again. A read is asked again when that may help. A write is only if the forge says that it
//! did nothing; after any other failure nobody knows, and whoever wrote has to look.

use std::time::{Duration, Instant};

use serde_json::Value;

/// How much a forge may answer, in bytes.
const MOST_BODY: u64 = 32 << 20;
/// How long one request may last.
const TIME: Duration = Duration::from_secs(60);
/// How often a read is asked again.
const TRIES: u32 = 4;
/// How many seconds to wait where a limit names no time.
const UNNAMED_WAIT: u32 = 60;
/// The longest that a forge may have us wait, in all.
const PATIENCE: Duration = Duration::from_secs(15 * 60);
/// The most pages of a list.
const MOST_PAGES: usize = 100;

/// How fast to write.
#[derive(Clone, Copy, Debug)]
pub struct Pace(pub Duration);

/// Why a request failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ForgeError {
    /// Its kind.
    pub trouble: Trouble,
    /// What happened, for a person.
    pub what: String,
}

/// The kind of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// The token may not do it, or nothing is there.
    Denied,
    /// The request itself is refused, for example a place that the forge does not show.
    Invalid,
    /// It may or may not have happened.
    Unclear,
    /// The forge had us wait too often.
    Limited,
}

impl ForgeError {
    pub(super) fn new(trouble: Trouble, what: impl Into<String>) -> Self {
        Self { trouble, what: what.into() }
    }
}

/// An answer.
pub(super) struct Answer {
    pub(super) body: Value,
    /// The time at the forge, in ISO 8601.
    pub(super) date: Option<String>,
    next: Option<String>,
}

/// A connection to a forge.
pub(super) struct Http {
    root: String,
    header: (&'static str, String),
    token: String,
    pace: Pace,
    last_write: Option<Instant>,
    waited: Duration,
    pub(super) reads: usize,
    pub(super) writes: usize,
}

impl Http {
    pub(super) fn new(root: &str, header: (&'static str, String), token: &str, pace: Pace) -> Self {
        let root = root.trim_end_matches('/').to_owned();
        let waited = Duration::ZERO;
        Self { root, header, token: token.to_owned(), pace, last_write: None, waited, reads: 0, writes: 0 }
    }

    pub(super) fn root(&self) -> &str {
        &self.root
    }

    /// Reads.
    pub(super) fn get(&mut self, path: &str) -> Result<Answer, ForgeError> {
        self.ask("GET", path, None, true)
    }

    /// Reads all pages of a list.
    pub(super) fn list(&mut self, path: &str) -> Result<Vec<Value>, ForgeError> {
        let mut all = Vec::new();
        let sign = if path.contains('?') { '&' } else { '?' };
        let mut page = Some("1".to_owned());
        for _ in 0..MOST_PAGES {
            let Some(number) = page else { return Ok(all) };
            let answer = self.get(&format!("{path}{sign}per_page=100&limit=50&page={number}"))?;
            let items = answer.body.as_array().cloned();
            let items = items.ok_or_else(|| ForgeError::new(Trouble::Invalid, format!("{path} is no list")))?;
            page = answer.next.filter(|_| !items.is_empty());
            all.extend(items);
        }
        // A part of the state is no state: what is not seen would be written again.
        Err(ForgeError::new(Trouble::Invalid, format!("{path} has more than {MOST_PAGES} pages")))
    }

    /// Asks by a body, without writing.
    pub(super) fn query(&mut self, path: &str, body: &Value) -> Result<Answer, ForgeError> {
        self.ask("POST", path, Some(body), true)
    }

    /// Writes.
    pub(super) fn write(
        &mut self,
        method: &'static str,
        path: &str,
        body: Option<&Value>,
    ) -> Result<Answer, ForgeError> {
        if let Some(last) = self.last_write {
            std::thread::sleep(self.pace.0.saturating_sub(last.elapsed()));
        }
        let answer = self.ask(method, path, body, false);
        self.last_write = Some(Instant::now());
        answer
    }

    fn ask(
        &mut self,
        method: &'static str,
        path: &str,
        body: Option<&Value>,
        is_read: bool,
    ) -> Result<Answer, ForgeError> {
        let mut tries = 0;
        loop {
            tries += 1;
            *(if is_read { &mut self.reads } else { &mut self.writes }) += 1;
            let failed = match self.once(method, path, body) {
                Ok(answer) => return Ok(answer),
                Err(failed) => failed,
            };
            let wait = match failed.wait {
                Some(wait) => wait,
                None if is_read && failed.error.trouble == Trouble::Unclear && tries < TRIES => self.pace.0 * tries,
                None => return Err(failed.error),
            };
            self.waited += wait;
            if self.waited > PATIENCE {
                let what = format!("{}; it asks to wait for longer than {PATIENCE:?}", failed.error.what);
                return Err(ForgeError::new(Trouble::Limited, what));
            }
            std::thread::sleep(wait);
        }
    }

    fn once(&self, method: &'static str, path: &str, body: Option<&Value>) -> Result<Answer, Failed> {
        let url = if path.starts_with("http") { path.to_owned() } else { format!("{}{path}", self.root) };
        let config = ureq::Agent::config_builder()
            .timeout_global(Some(TIME))
            .max_redirects(0)
            .max_redirects_will_error(false)
            .http_status_as_error(false)
            .user_agent("jury");
        // Only this machine is spoken with in the clear, and no proxy has to be asked for it.
        let config = if url.starts_with("http://") { config.proxy(None) } else { config };
        let text = body.map(Value::to_string).unwrap_or_default();
        let mut request = ureq::http::Request::builder().method(method).uri(&url).header("accept", "application/json");
        request = request.header(self.header.0, &self.header.1);
        if body.is_some() {
            request = request.header("content-type", "application/json");
        }
        let invalid = |error: &dyn std::fmt::Display| {
            Failed::of(Trouble::Invalid, self.hidden(format!("{method} {path}: {error}")))
        };
        let unclear =
            |error: &ureq::Error| Failed::of(Trouble::Unclear, self.hidden(format!("{method} {path}: {error}")));
        let request = request.body(text).map_err(|error| invalid(&error))?;
        let mut response = config.build().new_agent().run(request).map_err(|error| unclear(&error))?;
        let status = response.status().as_u16();
        let header = |name: &str| response.headers().get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let date = header("date").and_then(|date| moment(&date));
        let number = |name: &str| header(name).and_then(|value| value.trim().parse::<i64>().ok());
        let (after, left, reset) =
            (number("retry-after"), number("x-ratelimit-remaining"), number("x-ratelimit-reset"));
        let next = header("link").and_then(|links| next_page(&links));
        let next = next.or_else(|| header("x-next-page").filter(|page| !page.is_empty()));
        let bytes = response.body_mut().with_config().limit(MOST_BODY).read_to_vec();
        let bytes = bytes.map_err(|error| unclear(&error))?;
        let said = String::from_utf8_lossy(&bytes);
        let value: Option<Value> = serde_json::from_slice(&bytes).ok();
        let told = || self.hidden(format!("{method} {path}: status {status}{}", complaint(value.as_ref(), &said)));
        // Limits also come as 403, and those that are secondary with a body that says so and nothing else.
        let is_limit = status == 429
            || (status == 403 && (after.is_some() || left == Some(0) || said.to_lowercase().contains("rate limit")));
        if is_limit {
            let until = reset.filter(|_| left == Some(0)).map(|reset| reset - seconds(date.as_deref()));
            let named = after.or(until).map(|seconds| Duration::from_secs(u64::try_from(seconds).unwrap_or(0)));
            let wait = named.unwrap_or(self.pace.0 * UNNAMED_WAIT);
            return Err(Failed { error: ForgeError::new(Trouble::Limited, told()), wait: Some(wait) });
        }
        match status {
            200..=299 => match value {
                Some(body) => Ok(Answer { body, date, next }),
                None if bytes.is_empty() => Ok(Answer { body: Value::Null, date, next }),
                None => {
                    Err(Failed::of(Trouble::Unclear, self.hidden(format!("{method} {path}: the answer is not JSON"))))
                }
            },
            400 | 409 | 422 => Err(Failed::of(Trouble::Invalid, told())),
            500..=599 | 408 => Err(Failed::of(Trouble::Unclear, told())),
            _ => Err(Failed::of(Trouble::Denied, told())),
        }
    }

    /// Removes the token from a text.
    fn hidden(&self, text: String) -> String {
        if self.token.is_empty() { text } else { text.replace(&self.token, "[token]") }
    }
}

struct Failed {
    error: ForgeError,
    /// The time after which to ask again.
    wait: Option<Duration>,
}

impl Failed {
    fn of(trouble: Trouble, what: String) -> Self {
        Self { error: ForgeError::new(trouble, what), wait: None }
    }
}

/// Returns what a forge says about a failure, in a line.
fn complaint(value: Option<&Value>, text: &str) -> String {
    let member = |name: &str| {
        value.and_then(|value| value.get(name)).map(|said| match said {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        })
    };
    let said = member("message").or_else(|| member("error")).unwrap_or_else(|| text.to_owned());
    let said: String = said.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(200).collect();
    if said.is_empty() { said } else { format!(" ({said})") }
}

/// Returns the number of the next page of a `Link` header. Only the number is taken: the address may be another one.
fn next_page(links: &str) -> Option<String> {
    let next = links.split(',').find(|link| link.contains("rel=\"next\""))?;
    let query = next.split(['?', '&', '>']).find_map(|part| part.strip_prefix("page="))?;
    query.bytes().all(|byte| byte.is_ascii_digit()).then(|| query.to_owned())
}

/// Writes the date of a header in ISO 8601.
fn moment(date: &str) -> Option<String> {
    let zoned = jiff::fmt::rfc2822::parse(date).ok()?;
    Some(zoned.timestamp().to_string())
}

fn seconds(date: Option<&str>) -> i64 {
    let moment = date.and_then(|date| date.parse::<jiff::Timestamp>().ok());
    moment.unwrap_or_else(jiff::Timestamp::now).as_second()
}

/// Returns a text at a path of members; empty if there is none.
pub(super) fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    value.pointer(pointer).and_then(Value::as_str).unwrap_or_default()
}

/// Returns a number or text at a path of members, as text.
pub(super) fn id(value: &Value, pointer: &str) -> String {
    match value.pointer(pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

/// Returns a flag.
pub(super) fn flag(value: &Value, pointer: &str) -> bool {
    value.pointer(pointer).and_then(Value::as_bool).unwrap_or(false)
}

/// Returns a line number.
pub(super) fn line(value: &Value, pointer: &str) -> Option<u32> {
    value.pointer(pointer).and_then(Value::as_u64).and_then(|line| u32::try_from(line).ok()).filter(|line| *line > 0)
}

/// Escapes a part of a path.
pub(super) fn part(text: &str) -> String {
    let safe = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    text.bytes().map(|byte| if safe(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_read_and_their_addresses_are_not_followed() {
        let links =
            "<https://elsewhere.example/x?per_page=100&page=3>; rel=\"next\", <https://x/?page=9>; rel=\"last\"";
        assert_eq!(next_page(links).as_deref(), Some("3"));
        assert_eq!(next_page("<https://x/?page=1>; rel=\"prev\""), None);
        assert_eq!(moment("Thu, 19 Nov 2026 21:29:21 GMT").as_deref(), Some("2026-11-19T21:29:21Z"));
        assert_eq!(part("group/a b"), "group%2Fa%20b");
    }

    #[test]
    fn no_text_has_the_token_in_it() {
        let http = Http::new(
            "http://127.0.0.1:1",
            ("authorization", "Bearer s3cret".to_owned()),
            "s3cret",
            Pace(Duration::ZERO),
        );
        assert_eq!(http.hidden("bad token s3cret".to_owned()), "bad token [token]");
        let error = http.once("GET", "/x?token=s3cret", None).err().map(|it| it.error.what).unwrap_or_default();
        assert!(error.starts_with("GET /x?token=[token]"), "{error}");
    }
}
