//! The JSON Schemas that are published, by name. `schemas/` holds the same texts, checked fresh.

use schemars::transform::transform_subschemas;
use serde_json::Value;

use crate::v1;

/// A published JSON Schema.
pub struct Schema {
    /// The name it is asked for by, which is that of its format where it has one.
    pub name: &'static str,
    /// The described document.
    pub what: &'static str,
    make: fn() -> schemars::Schema,
}

impl Schema {
    /// Every schema.
    pub const ALL: &'static [Self] = &[
        Self {
            name: "code-review",
            what: "the verdict file `.code-review/review-latest.json` (000)",
            make: || schemars::schema_for!(v1::code_review::ReviewVerdict),
        },
        Self {
            name: "review-json",
            what: "the review summary (002)",
            make: || schemars::schema_for!(v1::review::ReviewSummary),
        },
        Self {
            name: "findings-json",
            what: "reviewer findings, artifact tier (004)",
            make: || schemars::schema_for!(v1::findings::Artifact),
        },
        Self {
            name: "findings-json-compact",
            what: "reviewer findings, compact tier (004)",
            make: || schemars::schema_for!(v1::findings::Compact),
        },
        Self {
            name: "jury-toml",
            what: "the configuration `jury.toml`, for editors",
            make: || schemars::schema_for!(v1::config::File),
        },
        Self {
            name: "config-output",
            what: "output of `jury config --format json`",
            make: || schemars::schema_for!(v1::config::Effective),
        },
        Self {
            name: "status-output",
            what: "output of `jury status --format json`",
            make: || schemars::schema_for!(v1::surface::Status),
        },
        Self {
            name: "cache-output",
            what: "output of `jury cache --format json`",
            make: || schemars::schema_for!(v1::surface::Cache),
        },
        Self {
            name: "show-output",
            what: "output of `jury show --format json`",
            make: || schemars::schema_for!(v1::surface::Shown),
        },
        Self {
            name: "findings-page",
            what: "result of the MCP tool `findings_list`",
            make: || schemars::schema_for!(v1::surface::FindingsPage),
        },
        Self {
            name: "next-output",
            what: "output of `jury next --format json`",
            make: || schemars::schema_for!(v1::surface::Next),
        },
        Self {
            name: "gate-output",
            what: "output of `jury gate --format json`",
            make: || schemars::schema_for!(v1::surface::Gate),
        },
        Self {
            name: "publish-output",
            what: "output of `jury publish --format json`",
            make: || schemars::schema_for!(v1::surface::Published),
        },
        Self {
            name: "contest-output",
            what: "output of `jury contest --format json`",
            make: || schemars::schema_for!(v1::surface::Contested),
        },
        Self {
            name: "attest-output",
            what: "output of `jury attest --format json`",
            make: || schemars::schema_for!(v1::attestation::Signed),
        },
        Self {
            name: "attest-verify-output",
            what: "output of `jury attest verify --format json`",
            make: || schemars::schema_for!(v1::attestation::Verified),
        },
        Self {
            name: "attestation",
            what: "the statement of a signed verdict (in-toto v1, SVR v0.2)",
            make: || schemars::schema_for!(v1::attestation::Statement),
        },
        Self {
            name: "acceptance",
            what: "an acceptance as it is kept below `refs/jury/acceptances`",
            make: || schemars::schema_for!(v1::people::Envelope),
        },
        Self {
            name: "acceptance-statement",
            what: "the signed part of an acceptance",
            make: || schemars::schema_for!(v1::people::Statement),
        },
        Self {
            name: "contests",
            what: "the contests of a review, kept beside its record",
            make: || schemars::schema_for!(v1::contest::Contests),
        },
        Self {
            name: "explain-output",
            what: "output of `jury explain --format json`",
            make: || schemars::schema_for!(v1::surface::Explained),
        },
        Self {
            name: "fix-output",
            what: "output of `jury fix --format json`",
            make: || schemars::schema_for!(v1::surface::Fixed),
        },
        Self {
            name: "loop-output",
            what: "output of `jury loop --format json`",
            make: || schemars::schema_for!(v1::surface::Loop),
        },
        Self {
            name: "doctor-output",
            what: "output of `jury doctor --format json`",
            make: || schemars::schema_for!(v1::surface::Doctor),
        },
        Self {
            name: "rules-output",
            what: "output of `jury rules --format json`",
            make: || schemars::schema_for!(v1::rules::Output),
        },
        Self {
            name: "rules-show-output",
            what: "output of `jury rules show --format json`",
            make: || schemars::schema_for!(v1::rules::Page),
        },
        Self {
            name: "rules-check-output",
            what: "output of `jury rules check --format json`",
            make: || schemars::schema_for!(v1::rules::Checked),
        },
        Self {
            name: "check-output",
            what: "output of `jury check --format json`",
            make: || schemars::schema_for!(v1::check::Output),
        },
        Self {
            name: "merge-output",
            what: "output of `jury merge --format json`",
            make: || schemars::schema_for!(v1::merge::Output),
        },
        Self {
            name: "task-output",
            what: "output of `jury task start`, `run`, `aggregate` and `gate` with `--format json`",
            make: || schemars::schema_for!(v1::task::Task),
        },
        Self {
            name: "task-watch-output",
            what: "output of `jury task watch --format json`",
            make: || schemars::schema_for!(v1::task::Watched),
        },
        Self {
            name: "formats-output",
            what: "output of `jury formats --format json`",
            make: || schemars::schema_for!(v1::formats::Output),
        },
    ];

    /// Returns the schema as a JSON value.
    pub fn to_value(&self) -> Value {
        let mut schema = (self.make)();
        plain_numbers(&mut schema);
        schema.to_value()
    }

    /// Returns the schema as the text that is published.
    pub fn to_text(&self) -> String {
        format!("{:#}\n", self.to_value())
    }
}

/// Removes number formats that only Rust knows (`uint32`): other validators warn about each.
pub fn plain_numbers(schema: &mut schemars::Schema) {
    let is_of_rust = |format: &Value| {
        let format = format.as_str().unwrap_or_default();
        format.trim_start_matches('u').starts_with("int")
    };
    transform_subschemas(&mut plain_numbers, schema);
    if let Some(members) = schema.as_object_mut() {
        members.retain(|name, value| name != "format" || !is_of_rust(value));
    }
}

/// Returns the schema of a name.
pub fn schema(name: &str) -> Option<&'static Schema> {
    Schema::ALL.iter().find(|schema| schema.name == name)
}
