//! The built-in specialists as reviewers: the changed files in, the findings of one domain's rules out.

use std::borrow::Cow;
use std::sync::Arc;

use jury_rules::{Reading, reading};
use jury_wire::v1::findings::Detailed;
use serde_json::Value;

use super::{Answer, Reviewer, Unanswered};
use crate::model::{ChangedFile, Domain, FileChange, FormerName, PackageChange, PackageChanges, RepoPath, Scope, Side};
use crate::record::UnseenFile;

/// A built-in specialist, or that of a repository's own rules.
pub struct BuiltIn {
    specialist: &'static jury_rules::Specialist,
    /// The parsed files, shared by all specialists.
    parsed: Arc<jury_rules::Parsed>,
}

impl BuiltIn {
    /// Returns every specialist, and that of a repository's own rules, to review together.
    pub fn all(own: Option<&'static jury_rules::Specialist>) -> impl Iterator<Item = Self> {
        let parsed = Arc::new(jury_rules::Parsed::beside(own));
        let together = move |specialist| Self { specialist, parsed: Arc::clone(&parsed) };
        jury_rules::SPECIALISTS.iter().chain(own).map(together)
    }
}

/// A file that is still there, as the rules read it.
struct Changed<'s> {
    path: &'s str,
    text: Cow<'s, str>,
    touched: Vec<(u32, u32)>,
}

impl<'s> Changed<'s> {
    fn of(file: &'s ChangedFile, scope: &Scope) -> Option<Self> {
        // Bytes that are not UTF-8 are replaced; lines keep their numbers.
        let text = String::from_utf8_lossy(file.after.as_deref()?);
        let lines = scope.change.lines(&file.path, Side::Right);
        let touched = lines.iter().map(|lines| (lines.start().get(), lines.end().get())).collect();
        Some(Self { path: file.path.as_str(), text, touched })
    }

    /// Returns it as it was called before.
    fn source_as<'f>(&'f self, former: &'f FormerName) -> jury_rules::SourceFile<'f> {
        jury_rules::SourceFile { path: former.path.as_str(), ..self.source() }
    }

    fn source(&self) -> jury_rules::SourceFile<'_> {
        jury_rules::SourceFile { path: self.path, text: &self.text, touched: &self.touched }
    }
}

/// The tree of a scope, as the rules read it.
struct ScopeTree<'s>(&'s Scope);

impl jury_rules::Tree for ScopeTree<'_> {
    fn paths(&self) -> Vec<String> {
        let paths = self.0.whole.files().map(|files| files.paths()).unwrap_or_default();
        paths.iter().map(ToString::to_string).collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        let bytes = self.0.whole.files()?.text(&RepoPath::new(path).ok()?)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn links(&self) -> Vec<(String, String)> {
        let links = self.0.whole.files().map(|files| files.links()).unwrap_or_default();
        links.iter().map(|(path, target)| (path.to_string(), String::from_utf8_lossy(target).into_owned())).collect()
    }

    fn gone(&self) -> Vec<String> {
        let gone = |file: &ChangedFile| match &file.change {
            FileChange::Deleted => Some(file.path.to_string()),
            FileChange::Renamed { from } => Some(from.to_string()),
            _ => None,
        };
        self.0.files.iter().filter_map(gone).collect()
    }

    fn base_text(&self, path: &str) -> Option<String> {
        let is_moved =
            |file: &&ChangedFile| matches!(&file.change, FileChange::Renamed { from } if from.as_str() == path);
        let text = |file: &ChangedFile| file.before.as_deref().map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        if let Some(file) = self.0.files.iter().find(is_moved) {
            return text(file);
        }
        let is_changed = |file: &&ChangedFile| file.path.as_str() == path;
        let Some(file) = self.0.files.iter().find(is_changed) else {
            let is_unreviewed = self.0.unreviewed.iter().any(|it| it.path == path);
            return if is_unreviewed { None } else { self.text(path) };
        };
        match file.change {
            // A file that is reviewed as a whole need not have changed.
            FileChange::Whole => self.text(path),
            FileChange::Added | FileChange::Renamed { .. } => None,
            _ => text(file),
        }
    }
}

impl Reviewer for BuiltIn {
    fn domain(&self) -> Domain {
        Domain::new(self.specialist.domain).expect("the domain of a specialist is a plain word")
    }

    fn definition(&self) -> String {
        self.specialist.definition_digest()
    }

    fn format(&self) -> Option<&'static str> {
        Some("findings-json")
    }

    fn run(&self, scope: &Scope) -> Result<Answer, Unanswered> {
        let files = scope.files.iter().filter(|file| scope.is_in_focus(&file.path));
        let texts = files.filter_map(|file| Some((scope.excluded.contains(&file.path), Changed::of(file, scope)?)));
        let (excluded, files): (Vec<_>, Vec<_>) = texts.partition(|(is_excluded, _)| *is_excluded);
        let excluded: Vec<Changed<'_>> = excluded.into_iter().map(|(_, file)| file).collect();
        let files: Vec<Changed<'_>> = files.into_iter().map(|(_, file)| file).collect();
        let sources: Vec<jury_rules::SourceFile<'_>> = files.iter().map(Changed::source).collect();
        let mut review = self.specialist.review_in(&self.parsed, &sources, &ScopeTree(scope));
        let sources: Vec<jury_rules::SourceFile<'_>> = excluded.iter().map(Changed::source).collect();
        review.findings.findings.extend(self.specialist.secrets_in(&self.parsed, &sources));
        review.findings.findings.extend(self.under_former_names(&files, scope, &review.findings.findings));
        let path = |path: &str| RepoPath::new(path).expect("a specialist is given files of the scope");
        let unseen = review.unreviewed.into_iter().map(|(file, why)| UnseenFile { path: path(&file), why });
        let broken = review.broken.iter().map(|file| path(file)).collect();
        let package = |package: jury_rules::PackageChange| {
            let jury_rules::PackageChange { lockfile, name, gone, came, source } = package;
            PackageChange { lockfile: path(&lockfile), name, gone, came, source }
        };
        let packages = PackageChanges::of(review.packages.into_iter().map(package));
        let text_only = text_only(scope);
        Ok(Answer { unseen: unseen.collect(), broken, text_only, packages, ..Answer::stated(review.findings) })
    }
}

impl BuiltIn {
    /// Looks at files under their former names, and returns the findings that are not known yet, where the files are now.
    fn under_former_names(&self, files: &[Changed<'_>], scope: &Scope, known: &[Detailed]) -> Vec<Detailed> {
        let mut found: Vec<Detailed> = Vec::new();
        for file in files {
            let names = RepoPath::new(file.path).ok().and_then(|path| scope.former.get(&path));
            for former in names.into_iter().flatten() {
                let review = self.specialist.review_in(&self.parsed, &[file.source_as(former)], &ScopeTree(scope));
                let rule = |finding: &Detailed| finding.other.get("rule").and_then(Value::as_str).map(str::to_owned);
                let is_asked = |finding: &Detailed| rule(finding).is_some_and(|rule| former.rules.contains(&rule));
                for mut finding in review.findings.findings.into_iter().filter(is_asked) {
                    file.path.clone_into(&mut finding.merge.file);
                    let is_same = |other: &Detailed| {
                        (&other.merge.file, other.merge.line) == (&finding.merge.file, finding.merge.line)
                            && rule(other) == rule(&finding)
                    };
                    if !known.iter().chain(&found).any(is_same) {
                        found.push(finding);
                    }
                }
            }
        }
        found
    }
}

/// Returns the files of a scope with code that no grammar reads. A file that only moved, or became executable, is as
/// unread as it was.
fn text_only(scope: &Scope) -> Vec<RepoPath> {
    let is_text_only = |file: &&ChangedFile| {
        let Some(text) = file.after.as_deref().filter(|_| !file.is_symlink) else { return false };
        let text = String::from_utf8_lossy(text);
        let is_read_so = |path: &RepoPath| reading(path.as_str(), &text) == Reading::TextOnly;
        let was_so = match &file.change {
            FileChange::Renamed { from } => is_read_so(from),
            FileChange::ModeChanged => true,
            _ => false,
        };
        !was_so && is_read_so(&file.path)
    };
    let reviewed = scope.files.iter().filter(|file| !scope.excluded.contains(&file.path));
    reviewed.filter(is_text_only).map(|file| file.path.clone()).collect()
}
