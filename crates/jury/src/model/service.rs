//! A model behind an API: its provider, address and price. And the usage of an answer, in tokens and money.
//!
//! In: values that `config` has checked. Out: plain data. Money is whole micro-dollars, so that a record holds only integers.
//! Deliberately not here: how anything is sent, and the key, of which only the name of a variable is known.

use std::time::Duration;

use super::closed_set::closed_set;

closed_set! {
    /// Who offers a model, and so which requests it understands.
    Provider {
        /// OpenAI, and compatible chat completions.
        OpenAi = "openai",
        /// Anthropic's messages.
        Anthropic = "anthropic",
        /// Ollama's chat.
        Ollama = "ollama",
    }
}

impl Provider {
    /// Returns its default address.
    pub fn default_url(self) -> &'static str {
        match self {
            Self::OpenAi => "https://api.openai.com/v1",
            Self::Anthropic => "https://api.anthropic.com",
            Self::Ollama => "http://127.0.0.1:11434",
        }
    }

    /// Returns the variable in which its own programs look for the key.
    pub fn default_key_env(self) -> Option<&'static str> {
        match self {
            Self::OpenAi => Some("OPENAI_API_KEY"),
            Self::Anthropic => Some("ANTHROPIC_API_KEY"),
            Self::Ollama => None,
        }
    }
}

/// A model behind an API.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Service {
    /// Who offers it.
    pub provider: Provider,
    /// Where, without the path of the request.
    pub url: String,
    /// The name of the model there.
    pub model: String,
    /// The variable of the environment that holds the key; `None` if there is no key.
    pub key_env: Option<String>,
}

impl Service {
    /// Returns the family of the model: names of one family differ in size, version and date. Two of a family are one voice,
    /// wherever they are asked (FAULTS 23).
    pub fn family(&self) -> String {
        let name = self.model.rsplit('/').next().unwrap_or_default().to_lowercase();
        let name = name.strip_prefix("ft:").unwrap_or(&name);
        let family: String = name.chars().take_while(char::is_ascii_alphabetic).collect();
        match (family.as_str(), self.provider) {
            // OpenAI's reasoning models are called o1, o3, …
            ("o", Provider::OpenAi) | ("chatgpt", _) => "gpt".to_owned(),
            ("", provider) => provider.token().to_owned(),
            (family, _) => family.to_owned(),
        }
    }
}

/// The price of a million tokens, in micro-dollars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Tokens that are read.
    pub input: u64,
    /// Tokens that are written.
    pub output: u64,
}

/// The usage of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Usage {
    /// Tokens that were read, those from a cache of the provider's included.
    pub input: u64,
    /// Tokens that were written.
    pub output: u64,
    /// The cost in micro-dollars, if known.
    pub cost: Option<u64>,
}

impl Usage {
    /// Returns the tokens in both directions.
    pub fn tokens(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Adds the cost by a price, unless the provider stated it. Part of a micro-dollar is a whole one.
    pub fn priced(self, price: Option<Price>) -> Self {
        let cost = price.map(|price| {
            let of = |tokens: u64, price: u64| u128::from(tokens) * u128::from(price);
            let cost = of(self.input, price.input).saturating_add(of(self.output, price.output)).div_ceil(1_000_000);
            u64::try_from(cost).unwrap_or(u64::MAX)
        });
        Self { cost: self.cost.or(cost), ..self }
    }

    /// Returns the sum. A value unknown on one side is unknown in the sum.
    pub fn and(self, other: Self) -> Self {
        Self {
            input: self.input.saturating_add(other.input),
            output: self.output.saturating_add(other.output),
            cost: self.cost.zip(other.cost).map(|(one, two)| one.saturating_add(two)),
        }
    }
}

/// The usage of all models of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spent {
    /// The number of reviewers that reported usage.
    pub models: usize,
    /// How many have not.
    pub silent: usize,
    /// The usage of the former.
    pub usage: Usage,
}

impl std::fmt::Display for Spent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Usage { input, output, cost } = self.usage;
        let models = if self.models == 1 { "model" } else { "models" };
        write!(f, "asked {} {models}: {} tokens in, {} out", self.models, grouped(input), grouped(output))?;
        if let Some(cost) = cost {
            write!(f, ", {}", dollars(cost))?;
        }
        if self.silent > 0 { write!(f, "; {} reported no usage", self.silent) } else { Ok(()) }
    }
}

/// Says a number with a comma for every thousand.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let (head, tail) = digits.split_at(first);
    let groups =
        tail.as_bytes().chunks(3).map(|group| group.iter().map(|digit| char::from(*digit)).collect::<String>());
    let head = Some(head.to_owned()).filter(|head| !head.is_empty());
    head.into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// The limits of a review; a missing one does not limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// Money, in micro-dollars.
    pub cost: Option<u64>,
    /// Tokens, in both directions.
    pub tokens: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

impl Budget {
    /// Returns the smaller of two, limit by limit.
    pub fn and(self, other: Self) -> Self {
        fn smaller<T: Ord>(one: Option<T>, two: Option<T>) -> Option<T> {
            match (one, two) {
                (Some(one), Some(two)) => Some(one.min(two)),
                (one, two) => one.or(two),
            }
        }
        Self {
            cost: smaller(self.cost, other.cost),
            tokens: smaller(self.tokens, other.tokens),
            time: smaller(self.time, other.time),
        }
    }
}

/// Reads dollars, such as `2.50` or `0.075`, as micro-dollars.
pub fn micro_dollars(text: &str) -> Option<u64> {
    let (whole, part) = text.split_once('.').unwrap_or((text, "0"));
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_digits(whole) || !is_digits(part) || part.len() > 6 {
        return None;
    }
    let part: u64 = format!("{part:0<6}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(part)
}

/// Says micro-dollars to the last digit that is not zero, and at least in cents.
pub(crate) fn exact_dollars(micro: u64) -> String {
    let part = format!("{:06}", micro % 1_000_000);
    let part = part.trim_end_matches('0');
    format!("${}.{part:0<2}", micro / 1_000_000)
}

/// Says micro-dollars as people do: cents, rounded up, for nothing that was paid is free.
pub fn dollars(micro: u64) -> String {
    let cents = micro.div_ceil(10_000);
    format!("${}.{:02}", cents / 100, cents % 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_is_read_and_said_without_a_fraction_lost() {
        for (text, micro) in [("2.50", Some(2_500_000)), ("0", Some(0)), ("3", Some(3_000_000)), ("0.000001", Some(1))]
        {
            assert_eq!(micro_dollars(text), micro, "{text}");
        }
        for text in ["", ".", "1.", ".5", "-1", "1e3", "0.0000001", "99999999999999999999", "1,5", "$2"] {
            assert_eq!(micro_dollars(text), None, "{text}");
        }
        assert_eq!([0, 9_000, 10_200, 2_500_000].map(exact_dollars), ["$0.00", "$0.009", "$0.0102", "$2.50"]);
        assert_eq!([0, 1, 10_000, 1_234_567].map(dollars), ["$0.00", "$0.01", "$0.01", "$1.24"]);
    }

    #[test]
    fn a_price_counts_where_nobody_says_what_it_cost() {
        let usage = Usage { input: 41_200, output: 2_100, cost: None };
        let price = Some(Price { input: 3_000_000, output: 15_000_000 });
        assert_eq!(usage.priced(price).cost, Some(155_100));
        assert_eq!(Usage { cost: Some(7), ..usage }.priced(price).cost, Some(7));
        assert_eq!(usage.priced(None).cost, None);
        let one = Usage { input: 1, output: 0, cost: None };
        assert_eq!(one.priced(Some(Price { input: 1, output: 0 })).cost, Some(1));
        assert_eq!(one.and(usage.priced(price)).cost, None);
        let most = Usage { input: u64::MAX, output: u64::MAX, cost: None };
        assert_eq!(most.priced(Some(Price { input: u64::MAX, output: u64::MAX })).cost, Some(u64::MAX));
    }

    #[test]
    fn what_was_spent_is_said_in_one_line() {
        let usage = Usage { input: 41_200, output: 2_100, cost: Some(155_100) };
        let spent = Spent { models: 3, silent: 0, usage };
        assert_eq!(spent.to_string(), "asked 3 models: 41,200 tokens in, 2,100 out, $0.16");
        let spent = Spent { models: 1, silent: 2, usage: Usage { input: 1_000_000, output: 0, cost: None } };
        assert_eq!(spent.to_string(), "asked 1 model: 1,000,000 tokens in, 0 out; 2 reported no usage");
        assert_eq!([0, 12, 123, 1234].map(grouped), ["0", "12", "123", "1,234"]);
    }

    #[test]
    fn models_of_one_family_are_one_voice() {
        let family = |provider, model: &str| {
            Service { provider, url: String::new(), model: model.to_owned(), key_env: None }.family()
        };
        assert_eq!(
            family(Provider::Anthropic, "claude-sonnet-4-5"),
            family(Provider::OpenAi, "anthropic/claude-opus-4")
        );
        assert_eq!(family(Provider::OpenAi, "o3-mini"), family(Provider::OpenAi, "gpt-5.2"));
        assert_eq!(family(Provider::Ollama, "qwen3:8b"), "qwen");
        assert_eq!(family(Provider::Ollama, "7b"), "ollama");
        assert_ne!(family(Provider::Ollama, "llama3.2"), family(Provider::Ollama, "qwen3:4b"));
    }

    #[test]
    fn the_smaller_limit_holds() {
        let one = Budget { cost: Some(5), tokens: None, time: Some(Duration::from_secs(3)) };
        let two = Budget { cost: Some(7), tokens: Some(9), time: None };
        assert_eq!(one.and(two), Budget { cost: Some(5), tokens: Some(9), time: Some(Duration::from_secs(3)) });
    }
}
