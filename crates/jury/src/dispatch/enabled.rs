//! Whether a reviewer is asked, and about which files. In: a definition and the scope. Out: the reason why it is
//! skipped, or the files.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};

use crate::model::{ChangedFile, EnabledWhen, FileChange, LineRange, Scope, Side};

/// Says why a reviewer is not asked about a change; `None` if it is.
pub(super) fn skipped(when: &EnabledWhen, scope: &Scope) -> Option<String> {
    if scope.files.is_empty() && scope.unreviewed.is_empty() {
        return Some("nothing is under review".to_owned());
    }
    if !scope.files.iter().any(|file| concerns(when, file)) && has_files(when) {
        return Some("no changed file matches `enabled_when`".to_owned());
    }
    let fewest = when.changed_lines.filter(|fewest| changed_lines(scope).is_some_and(|lines| lines < *fewest))?;
    Some(format!("the change has fewer than {fewest} lines"))
}

/// Tells whether a reviewer is for some files only.
pub(super) fn has_files(when: &EnabledWhen) -> bool {
    !when.paths.is_empty() || !when.languages.is_empty() || !when.contents.is_empty()
}

/// Tells whether a file is one that a reviewer is for.
pub(super) fn concerns(when: &EnabledWhen, file: &ChangedFile) -> bool {
    let former = match &file.change {
        FileChange::Renamed { from } => Some(from.as_str()),
        _ => None,
    };
    let mut paths = former.into_iter().chain([file.path.as_str()]);
    let globs = globs(&when.paths);
    let is_its = |path| (when.paths.is_empty() || globs.is_match(path)) && speaks(&when.languages, path);
    paths.any(is_its) && says(&when.contents, file)
}

/// Tells whether a file says one of these things, or did before the change: taking it away concerns a reviewer, too.
fn says(contents: &[String], file: &ChangedFile) -> bool {
    let texts = || file.before.iter().chain(&file.after);
    let is_said = |pattern: &String| {
        let expression = EnabledWhen::expression(pattern).expect("config has tried the expression");
        texts().any(|text| expression.is_match(text))
    };
    contents.is_empty() || contents.iter().any(is_said)
}

fn speaks(languages: &[String], path: &str) -> bool {
    let spoken = jury_rules::Language::of(path);
    let is_it = |name: &String| jury_rules::Language::named(name).is_some_and(|language| spoken == Some(language));
    languages.is_empty() || languages.iter().any(is_it)
}

/// Globs as git and CI know them: a star stays within a folder.
fn globs(patterns: &[String]) -> GlobSet {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        set.add(GlobBuilder::new(pattern).literal_separator(true).build().expect("config has tried the glob"));
    }
    set.build().expect("globs that are fine alone are fine together")
}

/// Counts the lines that are added and removed; `None` where whole files are reviewed, of which all count.
fn changed_lines(scope: &Scope) -> Option<u32> {
    if scope.files.iter().any(|file| file.change == FileChange::Whole) {
        return None;
    }
    let length = |lines: &LineRange| lines.end().get() - lines.start().get() + 1;
    let sides = [Side::Left, Side::Right];
    let of = |file: &ChangedFile| -> u32 {
        sides.iter().flat_map(|side| scope.change.lines(&file.path, *side)).map(length).sum()
    };
    Some(scope.files.iter().map(of).sum())
}
