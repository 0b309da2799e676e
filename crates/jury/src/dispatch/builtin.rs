//! The built-in specialists as reviewers: the changed files in, what the rules of one domain say about them out.

use std::borrow::Cow;

use super::{Answer, Reviewer, Unanswered};
use crate::model::{ChangedFile, Domain, FileChange, Scope, Side};

/// A built-in specialist.
pub struct BuiltIn(&'static jury_rules::Specialist);

impl BuiltIn {
    /// Returns the specialist of a domain, if there is one.
    pub fn of(domain: &Domain) -> Option<Self> {
        jury_rules::by_domain(domain.as_str()).map(Self)
    }

    /// Returns every specialist.
    pub fn all() -> impl Iterator<Item = Self> {
        jury_rules::SPECIALISTS.iter().map(Self)
    }
}

impl From<&'static jury_rules::Specialist> for BuiltIn {
    fn from(specialist: &'static jury_rules::Specialist) -> Self {
        Self(specialist)
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

/// Returns what a file said before the change, under the path that it has now, or had last.
fn before(file: &ChangedFile) -> Option<(&str, Cow<'_, str>)> {
    // What is there and cannot be read has not been taken away.
    let is_known = file.after.is_some() || file.change == FileChange::Deleted;
    let before = file.before.as_deref().filter(|_| is_known)?;
    Some((file.path.as_str(), String::from_utf8_lossy(before)))
}

impl Reviewer for BuiltIn {
    fn domain(&self) -> Domain {
        Domain::new(self.0.domain).expect("the domain of a specialist is a plain word")
    }

    fn definition(&self) -> String {
        self.0.definition_digest()
    }

    fn format(&self) -> Option<&'static str> {
        Some("findings-json")
    }

    fn run(&self, scope: &Scope) -> Result<Answer, Unanswered> {
        // What compares files with each other has to see all of them.
        let is_asked = |file: &&ChangedFile| self.0.compares() || scope.is_in_focus(&file.path);
        let files = scope.files.iter().filter(is_asked);
        let files: Vec<Changed<'_>> = files.filter_map(|file| Changed::of(file, scope)).collect();
        let sources: Vec<jury_rules::SourceFile<'_>> = files.iter().map(Changed::source).collect();
        let before: Vec<(&str, Cow<'_, str>)> = scope.files.iter().filter_map(before).collect();
        let before: Vec<_> = before.iter().map(|(path, text)| jury_rules::Before { path, text }).collect();
        let review = self.0.review_since(&sources, &before);
        let output = serde_json::to_string(&review.findings).expect("strings, numbers and lists are always JSON");
        Ok(Answer { output, unreviewed: review.unreviewed, nonce: None })
    }
}
