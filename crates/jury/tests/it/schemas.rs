//! The JSON Schemas against the fixtures: what we publish, what 004 published, and what our readers say must agree.
//!
//! `fixtures/published/findings-schema.json` is 004's schema, byte for byte.

use jsonschema::Validator;
use jury::formats::{self, Reading};
use jury::syntax::Limits;
use jury_wire::Reason;
use jury_wire::v1;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::fixtures::folder_of;

const PUBLISHED: &str = include_str!("../fixtures/published/findings-schema.json");

/// A fixture that is JSON at all, with what our reader says of it.
struct Document {
    name: String,
    value: Value,
    reading: Reading,
}

/// Returns the fixtures of a format that a JSON Schema can judge: those that are JSON, without duplicate names, of which
/// a schema sees only one.
fn documents(id: &str) -> Vec<Document> {
    let format = formats::by_id(id).expect("the format is in the table");
    jury_testkit::cases(&folder_of(format))
        .into_iter()
        .filter_map(|case| {
            let value = serde_json::from_slice(&case.input).ok()?;
            let reading = format.read(&case.input, &Limits::default());
            let has_duplicates = reading.deviations.iter().any(|d| d.reason == Reason::DuplicateKey);
            (!has_duplicates).then_some(Document { name: case.name, value, reading })
        })
        .collect()
}

fn ours(name: &str) -> Validator {
    let schema = jury_wire::schema(name).expect("the schema is in the table");
    jsonschema::validator_for(&schema.to_value()).expect("our schema is a schema")
}

/// Checks that a document the schema takes and our reader does not is refused only for what no schema can say.
fn check_stricter_only_beyond_schemas(schema: &Validator, document: &Document, beyond: &[Reason]) {
    if schema.is_valid(&document.value) {
        for deviation in &document.reading.deviations {
            let code = deviation.reason.code();
            assert!(beyond.contains(&deviation.reason), "{}: the schema does not know of {code}", document.name);
        }
    }
}

#[test]
fn our_findings_schema_agrees_with_the_published_one() {
    let published: Value = serde_json::from_str(PUBLISHED).expect("the published schema is JSON");
    let published = jsonschema::validator_for(&published).expect("the published schema is one");
    let (artifact, compact) = (ours("findings-json"), ours("findings-json-compact"));
    let documents = documents("findings-json");
    assert!(documents.iter().any(|d| published.is_valid(&d.value)), "no fixture is of the artifact tier");
    for Document { name, value, .. } in &documents {
        assert_eq!(artifact.is_valid(value), published.is_valid(value), "{name}: the schemas disagree");
        assert!(compact.is_valid(value) || !artifact.is_valid(value), "{name}: of the artifact tier, but not compact");
    }
}

#[test]
fn findings_are_read_as_their_schemas_say() {
    let (artifact, compact) = (ours("findings-json"), ours("findings-json-compact"));
    let beyond = [
        Reason::BadName,
        Reason::BadPath,
        // The published schema sets no upper bound on lines.
        Reason::BadLine,
        Reason::Blank,
        Reason::LimitDepth,
    ];
    for document in documents("findings-json") {
        let is_valid = artifact.is_valid(&document.value) || compact.is_valid(&document.value);
        assert!(is_valid || !document.reading.is_conforming(), "{}: conforms against the schemas", document.name);
        check_stricter_only_beyond_schemas(&compact, &document, &beyond);
    }
}

#[test]
fn verdict_files_are_read_as_their_schema_says() {
    let schema = ours("code-review");
    let beyond = [
        Reason::BadLine,
        Reason::BadName,
        Reason::BadPath,
        Reason::BadReportPath,
        // `format` is an annotation, not an assertion.
        Reason::BadTimestamp,
        Reason::Blank,
        Reason::CountMismatch,
        Reason::IdMismatch,
        Reason::VerdictContradiction,
    ];
    for document in documents("code-review") {
        let is_valid = schema.is_valid(&document.value);
        assert!(is_valid || !document.reading.is_conforming(), "{}: conforms against the schema", document.name);
        check_stricter_only_beyond_schemas(&schema, &document, &beyond);
    }
}

#[test]
fn wire_types_carry_every_conforming_document() {
    for Document { name, value, .. } in documents("code-review").iter().filter(|d| d.reading.is_conforming()) {
        check_carried::<v1::code_review::ReviewVerdict>(name, value);
    }
    let artifact = ours("findings-json");
    for Document { name, value, .. } in documents("findings-json").iter().filter(|d| d.reading.is_conforming()) {
        check_carried::<v1::findings::Compact>(name, value);
        if artifact.is_valid(value) {
            check_carried::<v1::findings::Artifact>(name, value);
        }
    }
}

pub(crate) fn check_carried<T: Serialize + DeserializeOwned>(name: &str, value: &Value) {
    let carried: T = serde_json::from_value(value.clone()).unwrap_or_else(|error| panic!("{name}: {error}"));
    let again = serde_json::to_value(&carried).expect("a wire type is JSON");
    assert_eq!(plain(again), plain(value.clone()), "{name}");
}

/// Levels what says the same: `42.0` and `42`, and 004's `suggested_fix` null or left out.
fn plain(value: Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Number(number), Value::from),
        Value::Array(items) => items.into_iter().map(plain).collect(),
        Value::Object(members) => members
            .into_iter()
            .filter(|(name, value)| !(name == "suggested_fix" && value.is_null()))
            .map(|(name, value)| (name, plain(value)))
            .collect(),
        other => other,
    }
}

/// Reads a configuration of which every file of the base exists.
fn configured(text: &str) -> Result<jury::config::Config, String> {
    let config = jury::config::Config::read(Some(text.as_bytes()), &|_| Some("Look closely.".to_owned()));
    config.map_err(|error| error.what)
}

/// Returns the keys that the reader of `jury.toml` expects in the table where this text has an unknown one.
fn expected_keys(text: &str) -> Vec<String> {
    let error = configured(text).expect_err("the key is not known");
    let (_, expected) = error.rsplit_once("expected ").expect("the error says what was expected");
    let mut keys: Vec<String> = expected.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    keys.sort();
    keys
}

#[test]
fn the_schema_of_the_configuration_has_the_keys_that_its_reader_knows() {
    let schema = jury_wire::schema("jury-toml").expect("the schema is published").to_value();
    let keys = |table: &Value| -> Vec<String> {
        let mut keys: Vec<String> =
            table["properties"].as_object().expect("a table has properties").keys().cloned().collect();
        keys.sort();
        keys
    };
    let tables = &schema["$defs"];
    let reviewer = "[reviewers.x]\nkind = \"tool\"\n";
    for (text, table) in [
        ("unknown_ = 1\n".to_owned(), &schema),
        ("[policy]\nunknown_ = 1\n".to_owned(), &tables["Policy"]),
        ("[budget]\nunknown_ = 1\n".to_owned(), &tables["Budget"]),
        ("[scope]\nunknown_ = 1\n".to_owned(), &tables["Scope"]),
        ("[people]\nunknown_ = 1\n".to_owned(), &tables["People"]),
        (format!("{reviewer}price = {{ unknown_ = 1 }}\n"), &tables["Price"]),
        (format!("{reviewer}unknown_ = 1\n"), &tables["Reviewer"]),
        (format!("{reviewer}enabled_when = {{ unknown_ = 1 }}\n"), &tables["EnabledWhen"]),
    ] {
        assert_eq!(expected_keys(&text), keys(table), "{text}");
    }
}

#[test]
fn the_schema_takes_every_configuration_that_its_reader_takes() {
    let schema = ours("jury-toml");
    let tool = "[reviewers.x]\nkind = \"tool\"\ncommand = [\"x\", \"{files}\"]\n";
    let good = [
        String::new(),
        "[policy]\nblock_at = \"Low\"\nrequired = [\"qa\"]\nabort_domains = [\"pay\"]\naccept_wont_fix = \"never\"\nparallel = 255\n"
            .to_owned(),
        format!("{tool}format = \"auto\"\ndomain = \"y\"\ntimeout = \"24h\"\nexit_codes = [0]\nenv = [\"A\"]\n"),
        format!("{tool}enabled_when = {{ paths = [\"a\"], languages = [\"go\"], contents = [\"a\"], changed_lines = 1 }}\n"),
        "[reviewers.qa]\nkind = \"agent\"\nuse = \"claude\"\npersona = \"us.md\"\n".to_owned(),
        "[people]\ngaps = 1\nintegrity = 2\nhigh = 1\nblocker = 255\nnot_author = true\nsoftware_keys = true\nunsigned = true\napprovers = [\"codeowners\", \"@org/team\", \"lee\"]\n"
            .to_owned(),
        "[reviewers.qa]\nkind = \"api\"\nprovider = \"ollama\"\nurl = \"http://127.0.0.1:1\"\nmodel = \"m\"\nkey_env = \"K\"\n\
         price = { input = 3.5, output = \"15\" }\n[budget]\nmax_cost = 2\nmax_tokens = 9\nmax_time = \"1m\"\n"
            .to_owned(),
    ];
    let bad = [
        "[policy]\nblock_at = \"high\"\n".to_owned(),
        "[policy]\nrequired = []\n".to_owned(),
        "[policy]\nparallel = 0\n".to_owned(),
        "[people]\ngaps = 0\n".to_owned(),
        "[people]\nunsigned = 1\n".to_owned(),
        "[policy]\naccept_wont_fix = \"sometimes\"\n".to_owned(),
        "[reviewers.x]\ncommand = [\"x\"]\n".to_owned(),
        "[reviewers.x]\nkind = \"tol\"\ncommand = [\"x\"]\n".to_owned(),
        "[reviewers.x]\nkind = \"tool\"\ncommand = []\n".to_owned(),
        "[budget]\nmax_cost = -1\n".to_owned(),
        "[budget]\nmax_cost = \"much\"\n".to_owned(),
        "[reviewers.qa]\nkind = \"api\"\nprovider = \"x\"\nmodel = \"m\"\n".to_owned(),
        format!("{tool}timeout = \"1d\"\n"),
        format!("{tool}exit_codes = []\n"),
        format!("{tool}exit_codes = [-1]\n"),
        format!("{tool}timout = \"1m\"\n"),
        format!("{tool}enabled_when = {{ path = [] }}\n"),
    ];
    let cases = good.iter().map(|text| (text, true)).chain(bad.iter().map(|text| (text, false)));
    for (text, is_good) in cases {
        let value: Value =
            serde_json::to_value(toml::from_str::<toml::Table>(text).expect("it is TOML")).expect("it is JSON");
        assert_eq!(configured(text).is_ok(), is_good, "{text}: {:?}", configured(text));
        assert_eq!(schema.is_valid(&value), is_good, "{text}");
    }
}
