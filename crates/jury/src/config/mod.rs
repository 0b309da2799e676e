//! The decisions of a team in the base: `jury.toml` and `.jury/waivers.toml`; and the folder of its rules.
//!
//! In: the bytes of the two files, where the base has them. Out: policy, required reviewers, waivers. An unreadable file
//! is an error and never the default (DESIGN §10). Deliberately not here: which commit they are read from.

mod api;
mod attest;
mod definition;
pub mod effective;
mod guidelines;
mod people;
pub mod personas;
pub mod ready;
mod reviewer_table;
mod reviewers;
pub mod waivers;

use reviewer_table::{Glob, Table};
use serde::Deserialize;

use crate::model::{
    AcceptWontFix, AttestPolicy, Budget, Definition, Domain, GuidelineRule, PathPolicy, PeoplePolicy, Policy,
    PolicyMode, Provider, ReportWriting, ScopePolicy, Severity,
};

/// The path of the policy.
pub const POLICY_FILE: &str = "jury.toml";

/// The path of the waivers.
pub const WAIVERS_FILE: &str = ".jury/waivers.toml";

/// The keys of the people who decide, in the form of `allowed_signers`.
pub const SIGNERS_FILE: &str = ".jury/signers";

/// The folder of a repository's own rules.
pub const RULES_FOLDER: &str = ".jury/rules";

/// The reviewers of a quick check: 003's two specialists, and that of lockfiles, which costs nothing where none changed. The others run
/// in full reviews only, unless they are required.
pub const QUICK: [&str; 3] = ["security", "typescript-quality", "supply-chain"];

/// The required reviewers by default: 003's two quick specialists.
pub const DEFAULT_REQUIRED: [&str; 2] = ["security", "typescript-quality"];

/// The default number of a team's own reviewers that run at once.
pub const DEFAULT_PARALLEL: usize = 4;

/// The decisions of a team.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How to decide.
    pub policy: Policy,
    /// The required reviewers.
    pub required: Vec<Domain>,
    /// Reviewers that the file defines beside the built-in ones, by name.
    pub reviewers: Vec<Definition>,
    /// How many of these may run at once.
    pub parallel: usize,
    /// How much they may take together.
    pub budget: Budget,
    /// Which files are looked at, and how.
    pub scope: ScopePolicy,
    /// By which rules a signed verdict counts.
    pub attest: AttestPolicy,
    /// The number of people that an acceptance needs.
    pub people: PeoplePolicy,
    /// What those are told who see some paths.
    pub guidelines: Vec<GuidelineRule>,
    /// When the report of a review is written.
    pub report: ReportWriting,
}

/// Why a file of the team cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid `{file}` on the base: {what}")]
pub struct ConfigError {
    /// Which file.
    pub file: String,
    /// The error, with its place.
    pub what: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    policy: PolicyTable,
    #[serde(default)]
    reviewers: std::collections::BTreeMap<String, Table>,
    #[serde(default)]
    budget: api::BudgetTable,
    #[serde(default)]
    scope: ScopeTable,
    #[serde(default)]
    attest: attest::Table,
    #[serde(default)]
    people: people::Table,
    #[serde(default)]
    guidelines: Vec<guidelines::Table>,
    #[serde(default)]
    report: ReportTable,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReportTable {
    write: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct ScopeTable {
    #[serde(default)]
    text_only: Vec<Glob>,
    #[serde(default)]
    assets_ok: Vec<Glob>,
    #[serde(default)]
    exclude: Vec<Glob>,
    #[serde(default)]
    linguist: bool,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct PolicyTable {
    mode: Option<String>,
    block_at: Option<String>,
    #[serde(default)]
    paths: Vec<PathsTable>,
    required: Option<Vec<String>>,
    #[serde(default)]
    abort_domains: Vec<String>,
    accept_wont_fix: Option<String>,
    not_met: Option<String>,
    parallel: Option<std::num::NonZeroU8>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PathsTable {
    paths: Vec<Glob>,
    block_at: String,
}

impl Default for Config {
    fn default() -> Self {
        let required = DEFAULT_REQUIRED.iter().map(|name| Domain::new(name).expect("the name is a plain word"));
        Self {
            policy: Policy::default(),
            required: required.collect(),
            reviewers: Vec::new(),
            parallel: DEFAULT_PARALLEL,
            budget: Budget::default(),
            scope: ScopePolicy::default(),
            attest: AttestPolicy::default(),
            people: PeoplePolicy::default(),
            guidelines: Vec::new(),
            report: ReportWriting::default(),
        }
    }
}

impl Config {
    /// Reads the policy; without a file, the default holds. `file_of_base` has the text of one.
    pub fn read(bytes: Option<&[u8]>, file_of_base: &dyn Fn(&str) -> Option<String>) -> Result<Self, ConfigError> {
        let default = Self::default();
        let Some(bytes) = bytes else { return Ok(default) };
        let file: File = parsed(POLICY_FILE, bytes)?;
        let refuse = |what: String| ConfigError { file: POLICY_FILE.to_owned(), what };
        let domains = |key: &str, names: Vec<String>| -> Result<Vec<Domain>, ConfigError> {
            let domain =
                |name: String| Domain::new(&name).map_err(|error| refuse(format!("`{key}` names {name:?}: {error}")));
            names.into_iter().map(domain).collect()
        };
        let threshold = |key: &str, word: &str| {
            let expected = "expected Blocker, High, Medium, Low or Info";
            severity(word).ok_or_else(|| refuse(format!("`{key}` is {word:?}; {expected}")))
        };
        let block_at = file.policy.block_at.as_deref().map(|word| threshold("policy.block_at", word));
        let block_at = block_at.transpose()?.unwrap_or(default.policy.block_at);
        let not_met = file.policy.not_met.as_deref().map(|word| threshold("policy.not_met", word));
        let not_met = not_met.transpose()?.unwrap_or(default.policy.not_met);
        let mode = match file.policy.mode.as_deref() {
            None => default.policy.mode,
            Some(word) => PolicyMode::from_token(word)
                .ok_or_else(|| refuse(format!("`policy.mode` is {word:?}; expected enforce, warn or observe")))?,
        };
        let of_paths = |table: PathsTable| {
            let block_at = threshold("policy.paths.block_at", &table.block_at)?;
            Ok(PathPolicy { globs: table.paths.into_iter().map(|glob| glob.0).collect(), block_at })
        };
        let paths = file.policy.paths.into_iter().map(of_paths).collect::<Result<Vec<_>, ConfigError>>()?;
        let required = match file.policy.required {
            None => default.required,
            // A policy that requires no reviewer lets everything through, which cannot be meant.
            Some(names) if names.is_empty() => return Err(refuse("`policy.required` is empty".to_owned())),
            Some(names) => domains("policy.required", names)?,
        };
        let abort_domains = domains("policy.abort_domains", file.policy.abort_domains)?.into_iter().collect();
        let accept_wont_fix = match file.policy.accept_wont_fix.as_deref() {
            None => default.policy.accept_wont_fix,
            Some(word) => AcceptWontFix::from_token(word).ok_or_else(|| {
                refuse(format!("`policy.accept_wont_fix` is {word:?}; expected never, below-high or always"))
            })?,
        };
        let persona = |name: &str| personas::embedded(name).map(str::to_owned).or_else(|| file_of_base(name));
        let reviewers = reviewers::definitions(file.reviewers, &persona)?;
        let contradicts = |it: &&Definition| !it.weighting.has_to_report() && required.contains(&it.name);
        if let Some(it) = reviewers.iter().find(contradicts) {
            let (name, role) = (&it.name, it.weighting.role);
            return Err(refuse(format!("[reviewers.{name}] is {role}, but `policy.required` names it")));
        }
        let parallel = file.policy.parallel.map_or(DEFAULT_PARALLEL, |parallel| usize::from(parallel.get()));
        let budget = file.budget.budget();
        // A reviewer of unknown cost spends nothing that is counted.
        let is_unknown = |it: &&Definition| it.service.as_ref().is_some_and(|it| it.provider != Provider::Ollama);
        let unpriced = reviewers.iter().filter(is_unknown).find(|it| it.price.is_none());
        if let Some(unpriced) = unpriced.filter(|_| budget.cost.is_some()) {
            let name = &unpriced.name;
            return Err(refuse(format!("`budget.max_cost` can only be kept if [reviewers.{name}] has a `price`")));
        }
        let globs = |globs: Vec<Glob>| globs.into_iter().map(|glob| glob.0).collect();
        let ScopeTable { text_only, assets_ok, exclude, linguist } = file.scope;
        let scope =
            ScopePolicy { text_only: globs(text_only), assets_ok: globs(assets_ok), exclude: globs(exclude), linguist };
        let policy = Policy { mode, block_at, paths, abort_domains, accept_wont_fix, not_met };
        let (people, attest) = (file.people.policy(), file.attest.policy());
        let guidelines = guidelines::rules(file.guidelines, file_of_base)?;
        let report = match file.report.write.as_deref() {
            None => default.report,
            Some(word) => ReportWriting::from_token(word)
                .ok_or_else(|| refuse(format!("`report.write` is {word:?}; expected always or on-request")))?,
        };
        Ok(Self { policy, required, reviewers, parallel, budget, scope, people, attest, guidelines, report })
    }
}

/// Reads Jury's own word for a severity that can close a gate.
pub(crate) fn severity(word: &str) -> Option<Severity> {
    Severity::ALL.into_iter().find(|severity| severity.word() == word && *severity != Severity::Praise)
}

fn parsed<T: for<'de> Deserialize<'de>>(file: &'static str, bytes: &[u8]) -> Result<T, ConfigError> {
    let text = utf8(file, bytes)?;
    toml::from_str(text).map_err(|error| {
        let place = error.span().map(|span| format!("line {}: ", line_of(text, span.start))).unwrap_or_default();
        ConfigError { file: file.to_owned(), what: format!("{place}{}", with_suggestion(error.message())) }
    })
}

/// Adds the key that was meant to serde's words about one that it does not know.
fn with_suggestion(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match (message.strip_prefix("unknown field "), quoted.next()) {
        (Some(_), Some(word)) => {
            let expected = message.split_once(", ").map(|(_, expected)| expected).unwrap_or_default();
            format!("unknown field `{word}`{}; {expected}", meant(word, quoted))
        }
        _ => message.to_owned(),
    }
}

/// Says which of the known words was meant, if one is near enough.
fn meant<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> String {
    let near = known.map(|known| (strsim::damerau_levenshtein(word, known), known)).min();
    let near = near.filter(|(distance, known)| *distance <= 2.min(known.len() / 2));
    near.map(|(_, known)| format!(", did you mean `{known}`?")).unwrap_or_default()
}

fn utf8<'b>(file: &'static str, bytes: &'b [u8]) -> Result<&'b str, ConfigError> {
    let refuse = |_| ConfigError { file: file.to_owned(), what: "it is not UTF-8".to_owned() };
    std::str::from_utf8(bytes).map_err(refuse)
}

/// Returns the line, from 1, on which a byte of a text stands.
fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Result<Config, ConfigError> {
        Config::read(Some(text), &|_| None)
    }

    #[test]
    fn without_a_file_the_default_holds() {
        let config = Config::read(None, &|_| None).unwrap();
        assert_eq!(config.policy.block_at, Severity::High);
        assert_eq!(config.required.iter().map(Domain::as_str).collect::<Vec<_>>(), DEFAULT_REQUIRED);
        assert_eq!(read(b"").unwrap(), config);
    }

    #[test]
    fn what_a_team_says_is_taken() {
        let text = "[policy]\nblock_at = \"Medium\"\nrequired = [\"security\", \"qa\"]\nabort_domains = [\"payments\"]\n\n\
                    [reviewers.qa]\nkind = \"agent\"\ncommand = [\"x\"]\n";
        let config = read(text.as_bytes()).unwrap();
        assert_eq!(config.policy.block_at, Severity::Medium);
        assert_eq!(config.policy.abort_domains.iter().map(Domain::as_str).collect::<Vec<_>>(), ["payments"]);
        assert_eq!(config.reviewers.iter().map(|it| it.name.as_str()).collect::<Vec<_>>(), ["qa"]);
        assert_eq!((config.parallel, read(b"[policy]\nparallel = 9\n").unwrap().parallel), (4, 9));
        let budget = read(b"[budget]\nmax_cost = \"2.50\"\nmax_tokens = 9\nmax_time = \"5m\"\n").unwrap().budget;
        assert_eq!((budget.cost, budget.tokens, budget.time.unwrap().as_secs()), (Some(2_500_000), Some(9), 300));
        assert_eq!(config.policy.accept_wont_fix, AcceptWontFix::BelowHigh);
        let attest = read(b"[attest]\nthreshold = 2\nattested_models = true\n").unwrap().attest;
        assert_eq!((attest.threshold.get(), attest.software_keys, attest.attested_models), (2, false, true));
        let people = read(b"[people]\nblocker = 3\nsoftware_keys = true\n").unwrap().people;
        assert_eq!(
            (people.blocker.get(), people.high.get(), people.software_keys, people.unsigned),
            (3, 1, true, false)
        );
        assert_eq!(read(b"[scope]\ntext_only = [\"**/*.cpp\"]\n").unwrap().scope.text_only, ["**/*.cpp"]);
        let text = b"[scope]\nassets_ok = [\"**/*.woff2\"]\nexclude = [\"vendor/**\"]\nlinguist = true\n";
        let scope = read(text).unwrap().scope;
        assert_eq!(
            (scope.assets_ok[0].as_str(), scope.exclude[0].as_str(), scope.linguist),
            ("**/*.woff2", "vendor/**", true)
        );
        let config = read(b"[policy]\nnot_met = \"Medium\"\n[report]\nwrite = \"on-request\"\n").unwrap();
        assert_eq!((config.policy.not_met, config.report), (Severity::Medium, ReportWriting::OnRequest));
        let text = "[policy]\nmode = \"observe\"\n[[policy.paths]]\npaths = [\"docs/**\"]\nblock_at = \"Blocker\"\n";
        let policy = read(text.as_bytes()).unwrap().policy;
        assert_eq!((policy.mode, policy.block_at("docs/a/b.md")), (PolicyMode::Observe, Severity::Blocker));
        for word in AcceptWontFix::ALL {
            let config = read(format!("[policy]\naccept_wont_fix = \"{word}\"\n").as_bytes()).unwrap();
            assert_eq!(config.policy.accept_wont_fix, *word);
        }
    }

    #[test]
    fn what_cannot_be_read_is_never_the_default() {
        for (text, place) in [
            ("[policy]\nblock_at = \"high\"\n", "block_at"),
            ("[policy]\nblock_at = \"Praise\"\n", "block_at"),
            ("[policy]\nblok_at = \"High\"\n", "line 2: unknown field `blok_at`, did you mean `block_at`?"),
            ("[policy]\nmode = \"loose\"\n", "expected enforce, warn or observe"),
            ("[[policy.paths]]\npaths = [\"a\"]\nblock_at = \"Praise\"\n", "policy.paths.block_at"),
            ("[[policy.paths]]\npaths = [\"{a\"]\nblock_at = \"High\"\n", "line 2: invalid glob"),
            ("[policy]\nparallel = 0\n", "line 2"),
            ("[policy]\nrequired = []\n", "is empty"),
            ("[policy]\naccept_wont_fix = \"sometimes\"\n", "expected never, below-high or always"),
            ("[policy]\nnot_met = \"bad\"\n", "policy.not_met"),
            ("[report]\nwrite = \"never\"\n", "expected always or on-request"),
            ("[policy]\naccept_wont_fix = true\n", "line 2"),
            ("[policy]\nrequired = [\"\"]\n", "required"),
            ("[gate]\n", "line 1"),
            ("policy = 1\n", "line 1"),
            ("[policy\n", "line 1"),
            ("[policy]\n[policy]\n", "line 2"),
            ("[scope]\ntext_only = [\"{a\"]\n", "line 2: invalid glob"),
            ("[attest]\nthreshold = 0\n", "line 2"),
            ("[attest]\nsoftware_key = true\n", "did you mean `software_keys`?"),
            ("[people]\ngaps = 0\n", "line 2"),
            ("[people]\nblockers = 2\n", "line 2: unknown field `blockers`, did you mean `blocker`?"),
            ("[people]\nunsigned = \"yes\"\n", "line 2"),
            ("[scope]\nexclude = [\"{a\"]\n", "line 2: invalid glob"),
            ("[scope]\nassets_ok = [\"{a\"]\n", "line 2: invalid glob"),
            ("[scope]\nlinguist = \"yes\"\n", "line 2"),
            ("[scope]\ntext_onyl = []\n", "did you mean `text_only`?"),
            ("[budget]\nmax_costs = 1\n", "line 2: unknown field `max_costs`, did you mean `max_cost`?"),
            ("[budget]\nmax_cost = \"two\"\n", "line 2: invalid amount \"two\""),
            ("[budget]\nmax_tokens = -1\n", "line 2"),
            ("[budget]\nmax_time = \"1d\"\n", "line 2"),
            (
                "[budget]\nmax_cost = 1\n[reviewers.qa]\nkind = \"api\"\nprovider = \"openai\"\nmodel = \"m\"\n",
                "can only be kept if [reviewers.qa] has a `price`",
            ),
        ] {
            let error = read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(place), "{text:?}: {error}");
        }
        assert!(read(b"\xff").is_err());
    }
}
