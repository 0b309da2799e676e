//! `[reviewers.NAME]` of `jury.toml` as it is written, each word checked as it is read, so that an error has its line.
//!
//! Deliberately not here: what a kind of reviewer may have (`definition`).

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Deserialize;

use super::api::{self, PriceTable};
use crate::formats;
use crate::model::{Definition, Domain, EnabledWhen, Provider, RepoPath, ReviewerRole, Severity};

/// The longest time that can be asked for.
const LONGEST_TIMEOUT: Duration = Duration::from_secs(24 * 60 * 60);

/// One table, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) kind: Kind,
    #[serde(rename = "use")]
    pub(super) ready: Option<String>,
    pub(super) command: Option<Command>,
    pub(super) format: Option<Format>,
    pub(super) domain: Option<Name>,
    pub(super) timeout: Option<Timeout>,
    pub(super) persona: Option<String>,
    pub(super) exit_codes: Option<Vec<u8>>,
    #[serde(default)]
    pub(super) env: Vec<Given>,
    #[serde(default)]
    pub(super) writes: Vec<Place>,
    pub(super) enabled_when: Option<Enabled>,
    pub(super) provider: Option<Offered>,
    pub(super) url: Option<Address>,
    pub(super) model: Option<String>,
    pub(super) key_env: Option<Variable>,
    pub(super) price: Option<PriceTable>,
    pub(super) second: Option<Name>,
    #[serde(default)]
    pub(super) fallback: Vec<Name>,
    pub(super) role: Option<RoleWord>,
    #[serde(default)]
    pub(super) severity: BTreeMap<String, Rating>,
    pub(super) prepare: Option<Command>,
    #[serde(default)]
    pub(super) links: Vec<FolderPath>,
    pub(super) junit: Option<FolderPath>,
}

/// The kind of a reviewer.
#[derive(Clone, Copy, Deserialize, PartialEq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Tool,
    Check,
    Agent,
    Api,
}

/// When a reviewer is asked.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Enabled {
    #[serde(default)]
    pub(super) paths: Vec<Glob>,
    #[serde(default)]
    pub(super) languages: Vec<Language>,
    #[serde(default)]
    pub(super) contents: Vec<Expression>,
    pub(super) changed_lines: Option<u32>,
}

/// Declares a text that is checked as it is read, so that an error has its line.
macro_rules! checked {
    ($name:ident($inner:ty), $from:ty, $check:expr) => {
        #[derive(Deserialize)]
        #[serde(try_from = "toml::Value")]
        pub(super) struct $name(pub(super) $inner);

        impl TryFrom<toml::Value> for $name {
            type Error = String;

            fn try_from(value: toml::Value) -> Result<Self, String> {
                let value = value.try_into::<$from>().map_err(|error| error.message().to_owned())?;
                let check: fn($from) -> Result<$inner, String> = $check;
                check(value).map(Self)
            }
        }
    };
}

checked!(Command(Vec<String>), Vec<String>, command);
checked!(Format(String), String, format);
checked!(FolderPath(RepoPath), String, |word| RepoPath::new(word.trim_end_matches('/'))
    .map_err(|error| format!("{word:?}: {error}")));
checked!(Name(Domain), String, |word| Domain::new(&word).map_err(|error| format!("{word:?}: {error}")));
checked!(RoleWord(ReviewerRole), String, |word| ReviewerRole::from_token(&word)
    .ok_or_else(|| format!("unknown role {word:?}; expected required, optional or advisory")));
checked!(Rating(Severity), String, |word| super::severity(&word)
    .ok_or_else(|| format!("unknown severity {word:?}; expected Blocker, High, Medium, Low or Info")));
checked!(Offered(Provider), String, |word| api::provider(&word));
checked!(Address(String), String, api::url);
checked!(Timeout(Duration), String, |word| timeout(&word)
    .ok_or_else(|| format!("invalid duration {word:?}; expected one such as \"30s\", \"10m\" or \"1h\", up to 24h")));
checked!(Variable(String), String, variable);
checked!(Given(String), String, |word| match word.split_once('=') {
    Some((name, value)) if !value.contains('\0') => variable(name.to_owned()).map(|_| word),
    _ => variable(word),
});
checked!(Place(String), String, |word| {
    let below = word.strip_prefix("~/").or_else(|| word.strip_prefix('/'));
    let is_plain = below.is_some_and(|below| !word.contains('\0') && below.split('/').all(|part| part != ".."));
    match is_plain || word == Definition::ANYWHERE {
        true => Ok(word),
        false => Err(format!("invalid path {word:?}; use an absolute path, one below \"~/\", or \"*\" for anywhere")),
    }
});
checked!(Glob(String), String, |word| match globset::Glob::new(&word) {
    Ok(_) => Ok(word),
    Err(error) => Err(format!("invalid glob {word:?}: {}", error.kind())),
});
checked!(Expression(String), String, |word| match EnabledWhen::expression(&word) {
    Ok(_) => Ok(word),
    // The last line is the error; those before it draw the expression.
    Err(error) => {
        let what = error.to_string();
        Err(format!("invalid regular expression {word:?}: {}", what.lines().next_back().unwrap_or_default().trim()))
    }
});
checked!(Language(String), String, |word| match jury_rules::Language::named(&word) {
    Some(_) => Ok(word),
    None => Err(format!("unknown language {word:?}")),
});

fn variable(word: String) -> Result<String, String> {
    let is_name = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if is_name { Ok(word) } else { Err(format!("invalid environment variable {word:?}")) }
}

fn command(words: Vec<String>) -> Result<Vec<String>, String> {
    let program = words.first().map(String::as_str).unwrap_or_default();
    if program.is_empty() {
        return Err("`command` names no program".to_owned());
    }
    if program.contains('/') && !program.starts_with('/') {
        return Err(format!(
            "`command` runs {program:?}, a file that the change itself could replace; name a program of the PATH, or an absolute path"
        ));
    }
    if let Some(word) = words.iter().find(|word| word.contains("{files}") && *word != "{files}") {
        return Err(format!("`command` has {word:?}; `{{files}}` stands alone, for it is one argument for each file"));
    }
    match words.iter().find(|word| word.contains('\0')) {
        Some(word) => Err(format!("`command` has a NUL in {word:?}")),
        None => Ok(words),
    }
}

fn format(word: String) -> Result<String, String> {
    if word == "auto" || formats::by_id(&word).is_some() {
        return Ok(word);
    }
    let ids = formats::FORMATS.iter().map(|format| format.id);
    Err(format!("unknown format {word:?}{}; `jury formats` lists them", super::meant(&word, ids)))
}

fn timeout(word: &str) -> Option<Duration> {
    let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let unit = match &word[digits.len()..] {
        "s" => 1,
        "m" => 60,
        "h" => 3_600,
        _ => return None,
    };
    let seconds = digits.parse::<u64>().ok()?.checked_mul(unit)?;
    let timeout = Duration::from_secs(seconds);
    (seconds > 0 && timeout <= LONGEST_TIMEOUT).then_some(timeout)
}
