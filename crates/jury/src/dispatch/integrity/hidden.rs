//! An edit of `.gitattributes` in; whether it will hide files from reviews, out: where the base excludes what `linguist-generated` and
//! `linguist-vendored` name, a new such line is an edit of policy.

use super::raised::Raised;
use crate::model::{ChangedFile, Scope, Side};

const WORDS: [&str; 2] = ["linguist-generated", "linguist-vendored"];

/// Raises the first line that hides files, or that decides what such a line means.
pub(super) fn raise(scope: &Scope, file: &ChangedFile) -> Option<Raised> {
    let name = file.path.as_str().rsplit('/').next().unwrap_or_default();
    if name != ".gitattributes" {
        return None;
    }
    let text = String::from_utf8_lossy(file.after.as_deref().unwrap_or_default());
    let touched = scope.change.lines(&file.path, Side::Right);
    let is_touched = |line: u32| touched.iter().any(|range| (range.start().get()..=range.end().get()).contains(&line));
    let hides = |line: &str| WORDS.iter().any(|word| line.contains(word)) || line.trim_start().starts_with("[attr]");
    let lines = (1_u32..).zip(text.lines());
    let (number, line) = lines.into_iter().find(|(number, line)| is_touched(*number) && hides(line))?;
    Some(Raised {
        title: format!("The change decides which files are not reviewed: {}", file.path),
        why: "The policy of the base excludes files that these attributes call generated or vendored, so later changes to them \
              would not be reviewed."
            .to_owned(),
        ..Raised::at(&file.path, number, line)
    })
}
