//! What each edit of CI, hooks and instructions means: one table, `edits.toml`, with examples that are its tests.
//!
//! Deliberately not here: how an edit is found (`pipeline`, `prose`).

use std::collections::BTreeMap;
use std::sync::LazyLock;

/// The table as it is written.
pub(super) const TABLE: &str = include_str!("edits.toml");

/// Declares the edits with the ids that the table has for them.
macro_rules! edits {
    ($($name:ident = $id:literal,)*) => {
        /// An edit.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub(super) enum Edit {
            $(#[doc = $id] $name,)*
        }

        impl Edit {
            #[cfg(test)]
            const ALL: &[Self] = &[$(Self::$name,)*];

            /// Returns the id of its row.
            pub(super) const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => $id,)*
                }
            }
        }
    };
}

edits! {
    Unread = "unread",
    UnknownPart = "unknown-part",
    FileRemoved = "file-removed",
    CheckRemoved = "check-removed",
    CheckReplaced = "check-replaced",
    CheckSkipped = "check-skipped",
    CheckNarrowed = "check-narrowed",
    CheckWeaker = "check-weaker",
    CannotFail = "cannot-fail",
    NewCannotFail = "new-cannot-fail",
    JobHollow = "job-hollow",
    EnvironmentWeaker = "environment-weaker",
    TriggerNarrowed = "trigger-narrowed",
    PrivilegedTrigger = "privileged-trigger",
    AccessWidened = "access-widened",
    SecretPassed = "secret-passed",
    ProgramWithSecrets = "program-with-secrets",
    ActionOther = "action-other",
    ActionUnpinned = "action-unpinned",
    CheckoutOther = "checkout-other",
    ImageOther = "image-other",
    OwnRunner = "own-runner",
    IncludeRemoved = "include-removed",
    IncludeOther = "include-other",
    JuryTouched = "jury-touched",
    AboutReviews = "about-reviews",
    RunnerOther = "runner-other",
    Instructions = "instructions",
    PlainFileRemoved = "plain-file-removed",
    PlainJobRemoved = "plain-job-removed",
    PlainNarrowed = "plain-narrowed",
    MatrixSmaller = "matrix-smaller",
    JobMerged = "job-merged",
    OtherArguments = "other-arguments",
    OtherVersion = "other-version",
    JobAdded = "job-added",
    StepAdded = "step-added",
}

/// How loudly an edit is raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Weight {
    /// For a person: the gate waits.
    High,
    Medium,
    /// It is listed, and closes nothing.
    Info,
}

/// A row of the table.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) weight: Weight,
    /// What the edit does, for a title.
    pub(super) title: String,
    /// Why it counts.
    pub(super) why: String,
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for tests"))]
    #[serde(default)]
    examples: Vec<Example>,
}

/// An edit of a text of the table.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "examples are for tests"))]
struct Example {
    /// The text, by its name.
    of: String,
    /// What is replaced, and by what. Without it, the whole file comes or goes.
    #[serde(default)]
    from: Option<String>,
    #[serde(default)]
    to: Option<String>,
}

/// A text that examples edit.
#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(not(test), expect(dead_code, reason = "examples are for tests"))]
struct Text {
    path: String,
    text: String,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for tests"))]
    text: BTreeMap<String, Text>,
    edit: Vec<Row>,
    /// Edits that raise nothing.
    #[cfg_attr(not(test), expect(dead_code, reason = "examples are for tests"))]
    nothing: Vec<Example>,
}

static ROWS: LazyLock<Table> = LazyLock::new(|| toml::from_str(TABLE).expect("the table is tested"));

/// Returns the row of an edit.
pub(super) fn row(edit: Edit) -> &'static Row {
    ROWS.edit.iter().find(|row| row.id == edit.id()).expect("a test finds every row")
}

#[cfg(test)]
mod tests {
    use super::super::pipeline::{Form, Surroundings, compare};
    use super::super::prose;
    use super::*;

    /// Returns the ids of what an example does.
    fn found(example: &Example) -> Vec<&'static str> {
        let Text { path, text } = &ROWS.text[&example.of];
        let after = match (&example.from, &example.to) {
            (Some(from), Some(to)) => {
                assert!(text.contains(from.as_str()), "{}: {from}", example.of);
                Some(text.replacen(from.as_str(), to, 1))
            }
            (None, Some(_)) => Some(text.clone()),
            _ => None,
        };
        let before = (example.from.is_some() || example.to.is_none()).then_some(text.as_str());
        let is_there = |path: &str| ["tests", "src", "tests/unit", "."].contains(&path);
        let around = Surroundings { is_there: &is_there, elsewhere: &[] };
        match Form::of(path) {
            Some(form) => {
                let pair = |text| (path.as_str(), text);
                compare(form, before.map(pair), after.as_deref().map(pair), &around)
                    .into_iter()
                    .map(|it| it.edit.id())
                    .collect()
            }
            None => vec![prose::weigh(before.unwrap_or_default(), after.as_deref().unwrap_or_default()).edit.id()],
        }
    }

    #[test]
    fn every_edit_has_a_row_with_examples_that_hold() {
        assert_eq!(ROWS.edit.len(), Edit::ALL.len());
        let mut wrong = Vec::new();
        for edit in Edit::ALL {
            let row = row(*edit);
            assert!(!row.examples.is_empty(), "{}", row.id);
            for example in &row.examples {
                let found = found(example);
                if !found.contains(&row.id.as_str()) {
                    wrong.push(format!("{}: {example:?}: {found:?}", row.id));
                }
                // What closes nothing must not come with what does.
                let is_louder =
                    |id: &&&str| ROWS.edit.iter().any(|other| other.id == **id && other.weight < row.weight);
                if let Some(louder) = found.iter().find(is_louder) {
                    wrong.push(format!("{}: {example:?}: also {louder}", row.id));
                }
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn what_means_nothing_raises_nothing() {
        let wrong: Vec<String> = ROWS
            .nothing
            .iter()
            .filter_map(|example| {
                let found = found(example);
                (!found.is_empty()).then(|| format!("{example:?}: {found:?}"))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}
