//! The built-in specialists as reviewers: the changed files in, what the rules of one domain say about them out.

use super::{Answer, Reviewer};
use crate::model::{Domain, Scope, Side};

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

impl Reviewer for BuiltIn {
    fn domain(&self) -> Domain {
        Domain::new(self.0.domain).expect("the domain of a specialist is a plain word")
    }

    fn definition(&self) -> String {
        self.0.definition_digest()
    }

    fn format(&self) -> &'static str {
        "findings-json"
    }

    fn run(&self, scope: &Scope) -> Answer {
        // Bytes that are not UTF-8 are replaced one for one line, so that lines keep their numbers.
        let files: Vec<(&str, String, Vec<(u32, u32)>)> = scope
            .files
            .iter()
            .filter_map(|file| {
                let text = String::from_utf8_lossy(file.after.as_deref()?).into_owned();
                let lines = scope.change.lines(&file.path, Side::Right);
                let touched = lines.iter().map(|lines| (lines.start().get(), lines.end().get())).collect();
                Some((file.path.as_str(), text, touched))
            })
            .collect();
        let sources: Vec<jury_rules::SourceFile<'_>> =
            files.iter().map(|(path, text, touched)| jury_rules::SourceFile { path, text, touched }).collect();
        let review = self.0.review(&sources);
        let output = serde_json::to_string(&review.findings).expect("strings, numbers and lists are always JSON");
        Answer { output, unreviewed: review.unreviewed }
    }
}
