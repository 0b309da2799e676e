//! The keys of `kind = "api"`, and `[budget]`: checked, with their defaults.
//!
//! In: values as they are written. Out: a service, a price, a budget. A key is never in the file: only the name of the variable
//! that holds it. Deliberately not here: whether the address answers.

use std::net::IpAddr;
use std::time::Duration;

use serde::Deserialize;

use crate::model::{Budget, Price, Provider, Service, micro_dollars};

/// The price of a million tokens, in dollars.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PriceTable {
    input: Dollars,
    output: Dollars,
}

/// Dollars, as a number or as a text.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "toml::Value")]
pub(super) struct Dollars(u64);

impl TryFrom<toml::Value> for Dollars {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        let text = match &value {
            toml::Value::String(text) => text.clone(),
            // A float is printed as its shortest text, which is the text in the file.
            toml::Value::Integer(_) | toml::Value::Float(_) => value.to_string(),
            _ => return Err(format!("expected dollars such as \"2.50\", found {}", value.type_str())),
        };
        micro_dollars(&text)
            .map(Self)
            .ok_or_else(|| format!("invalid amount {text:?}; expected dollars such as \"2.50\""))
    }
}

impl PriceTable {
    pub(super) fn price(&self) -> Price {
        Price { input: self.input.0, output: self.output.0 }
    }
}

/// How much a review may take, as it is written.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BudgetTable {
    max_cost: Option<Dollars>,
    max_tokens: Option<u64>,
    max_time: Option<super::reviewer_table::Timeout>,
}

impl BudgetTable {
    pub(super) fn budget(self) -> Budget {
        let time: Option<Duration> = self.max_time.map(|time| time.0);
        Budget { cost: self.max_cost.map(|cost| cost.0), tokens: self.max_tokens, time }
    }
}

/// Checks the address and key of a model. The default key goes only to the provider itself.
pub(super) fn service(
    provider: Option<Provider>,
    url: Option<String>,
    model: Option<String>,
    key_env: Option<String>,
) -> Result<Service, String> {
    let provider = provider.ok_or("it has no `provider`; expected openai, anthropic or ollama")?;
    let model = model.filter(|model| !model.trim().is_empty()).ok_or("it has no `model`")?;
    let default_key = provider.default_key_env().filter(|_| url.is_none()).map(str::to_owned);
    let url = url.unwrap_or_else(|| provider.default_url().to_owned());
    Ok(Service { provider, url: url.trim_end_matches('/').to_owned(), model, key_env: key_env.or(default_key) })
}

/// Reads the word for a provider.
pub(super) fn provider(word: &str) -> Result<Provider, String> {
    let words = Provider::ALL.iter().map(|provider| provider.token());
    Provider::from_token(word).ok_or_else(|| {
        format!("unknown provider {word:?}{}; expected openai, anthropic or ollama", super::meant(word, words))
    })
}

/// Takes an address to which code may be sent: encrypted, or on this machine.
pub(super) fn url(word: String) -> Result<String, String> {
    let refuse = |why: &str| Err(format!("`url` {word:?} {why}"));
    let (rest, is_open) = match (word.strip_prefix("https://"), word.strip_prefix("http://")) {
        (Some(rest), _) => (rest, false),
        (None, Some(rest)) => (rest, true),
        (None, None) => return refuse("is neither https:// nor http://"),
    };
    if word.contains(|c: char| c.is_whitespace() || c.is_control() || "?#@\\".contains(c)) {
        return refuse("has more in it than a host, a port and a path; a key belongs into the variable of `key_env`");
    }
    let authority = rest.split('/').next().unwrap_or_default();
    if authority.is_empty() {
        return refuse("names no host");
    }
    if is_open && !is_loopback(authority) {
        return refuse("would send code unencrypted; only an address of this machine may be http://");
    }
    Ok(word)
}

/// Tells whether a host is this machine, on any port.
fn is_loopback(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_goes_only_where_nobody_else_can_read_it() {
        for good in [
            "https://api.example.com/v1",
            "http://127.0.0.1:11434",
            "http://localhost:8080/v1",
            "http://[::1]:1",
            "https://h",
        ] {
            assert!(url(good.to_owned()).is_ok(), "{good}");
        }
        for bad in [
            "http://api.example.com",
            "http://10.0.0.1",
            "http://localhost.example.com",
            "http://127.0.0.1.example.com",
            "https://user:secret@api.example.com",
            "http://127.0.0.1@evil.example",
            "https://api.example.com?key=1",
            "https://",
            "ftp://x",
            "api.example.com",
            "https://a b",
            "http://[::2]",
        ] {
            assert!(url(bad.to_owned()).is_err(), "{bad}");
        }
    }

    #[test]
    fn the_default_key_goes_only_to_the_default_address() {
        let of = |url: Option<&str>| {
            service(Some(Provider::OpenAi), url.map(str::to_owned), Some("m".to_owned()), None).unwrap()
        };
        assert_eq!(of(None).key_env.as_deref(), Some("OPENAI_API_KEY"));
        assert_eq!((of(Some("https://x/v1/")).key_env, of(Some("https://x/v1/")).url.as_str()), (None, "https://x/v1"));
    }
}
