//! `[[guidelines]]` of `jury.toml` in; the rules of the base out, with their text.
//!
//! Deliberately not here: `REVIEW.md`, which no table names, and the files of a change that the rules are for.

use serde::Deserialize;

use super::reviewer_table::{FolderPath, Glob};
use super::{ConfigError, POLICY_FILE};
use crate::model::GuidelineRule;

/// One table, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    paths: Vec<Glob>,
    file: FolderPath,
}

/// Takes the texts of the base. A file that the base does not have cannot be meant.
pub(super) fn rules(
    tables: Vec<Table>,
    file_of_base: &dyn Fn(&str) -> Option<String>,
) -> Result<Vec<GuidelineRule>, ConfigError> {
    let refuse = |what: String| ConfigError { file: POLICY_FILE.to_owned(), what };
    let rule = |Table { paths, file }: Table| {
        let file = file.0;
        if paths.is_empty() {
            return Err(refuse(format!("[[guidelines]] with {file}: `paths` is empty, so that it is for nothing")));
        }
        let text = file_of_base(file.as_str())
            .ok_or_else(|| refuse(format!("[[guidelines]] names {file}, which the base does not have as text")))?;
        Ok(GuidelineRule { paths: paths.into_iter().map(|glob| glob.0).collect(), file, text })
    };
    tables.into_iter().map(rule).collect()
}

#[cfg(test)]
mod tests {
    use super::super::Config;

    #[test]
    fn the_text_is_that_of_the_base() {
        let of_base = |path: &str| (path == "docs/api.md").then(|| "Every handler checks its input.\n".to_owned());
        let read = |text: &str| Config::read(Some(text.as_bytes()), &of_base);
        let config = read("[[guidelines]]\npaths = [\"src/api/**\"]\nfile = \"docs/api.md\"\n").unwrap();
        let [rule] = config.guidelines.as_slice() else { panic!("{:?}", config.guidelines) };
        assert_eq!((rule.file.as_str(), rule.text.as_str()), ("docs/api.md", "Every handler checks its input.\n"));
        for (text, said) in [
            ("[[guidelines]]\npaths = [\"a\"]\nfile = \"docs/none.md\"\n", "which the base does not have"),
            ("[[guidelines]]\npaths = []\nfile = \"docs/api.md\"\n", "`paths` is empty"),
            ("[[guidelines]]\npaths = [\"{a\"]\nfile = \"docs/api.md\"\n", "invalid glob"),
            ("[[guidelines]]\npaths = [\"a\"]\nfile = \"../api.md\"\n", "line 3"),
            ("[[guidelines]]\npath = [\"a\"]\nfile = \"docs/api.md\"\n", "did you mean `paths`?"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.what.contains(said), "{text}: {error}");
        }
    }
}
