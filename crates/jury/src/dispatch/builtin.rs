//! The built-in specialists as reviewers: the changed files in, the findings of one domain's rules out.

use std::borrow::Cow;
use std::sync::Arc;

use super::{Answer, Reviewer, Unanswered};
use crate::model::{ChangedFile, Domain, RepoPath, Scope, Side, WholeTree};
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

    fn source(&self) -> jury_rules::SourceFile<'_> {
        jury_rules::SourceFile { path: self.path, text: &self.text, touched: &self.touched }
    }
}

/// The tree of a scope, as the rules read it.
struct Tree<'s>(&'s WholeTree);

impl jury_rules::Tree for Tree<'_> {
    fn paths(&self) -> Vec<String> {
        let paths = self.0.files().map(|files| files.paths()).unwrap_or_default();
        paths.iter().map(ToString::to_string).collect()
    }

    fn text(&self, path: &str) -> Option<String> {
        let bytes = self.0.files()?.text(&RepoPath::new(path).ok()?)?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
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
        let files: Vec<Changed<'_>> = files.filter_map(|file| Changed::of(file, scope)).collect();
        let sources: Vec<jury_rules::SourceFile<'_>> = files.iter().map(Changed::source).collect();
        let review = self.specialist.review_in(&self.parsed, &sources, &Tree(&scope.whole));
        let path = |path: &str| RepoPath::new(path).expect("a specialist is given files of the scope");
        let unseen = review.unreviewed.into_iter().map(|(file, why)| UnseenFile { path: path(&file), why });
        let broken = review.broken.iter().map(|file| path(file));
        Ok(Answer { unseen: unseen.collect(), broken: broken.collect(), ..Answer::stated(review.findings) })
    }
}
