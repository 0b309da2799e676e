//! Answers of reviewers in; entries of the store's cache out, without the secrets of the change; and back.

use crate::dispatch::{Answer, AnswerCache};
use crate::model::RepoPath;
use crate::record::{self, Output, UnseenFile};
use crate::store::{Kept, Store};

/// The cache of a store, without the secrets of the change.
pub(super) struct CachedAnswers<'s> {
    pub(super) store: &'s Store,
    pub(super) redact: &'s (dyn Fn(&str) -> String + Sync),
}

impl AnswerCache for CachedAnswers<'_> {
    fn recall(&self, key: &str) -> Option<Answer> {
        let Kept { output, unreviewed, nonce, is_check, .. } = self.store.recall(key)?;
        if is_check {
            return record::read_check(&output).map(Answer::checked);
        }
        let unseen = |(path, why): (String, String)| Some(UnseenFile { path: RepoPath::new(&path).ok()?, why });
        let unseen = unreviewed.into_iter().map(unseen).collect::<Option<_>>()?;
        Some(Answer { unseen, nonce, ..Answer::whole(output) })
    }

    fn keep(&self, key: &str, reviewer: &str, answer: &Answer) {
        let text = match &answer.output {
            Output::Printed(text) => text,
            Output::Checked(result) => {
                let mut result = (**result).clone();
                result.texts_mut().for_each(|text| *text = (self.redact)(text));
                _ = self.store.keep(key, &Kept::check(reviewer, &record::write_check(&result)));
                return;
            }
            // Built-in reviewers are run anew every time.
            Output::Stated(_) => return,
        };
        let unseen = answer.unseen.iter().map(|unseen| (unseen.path.to_string(), unseen.why.clone()));
        let kept = Kept::new(reviewer, &(self.redact)(text), &unseen.collect::<Vec<_>>(), answer.nonce.as_deref());
        // A cache that cannot be written to costs money later, and nothing else.
        _ = self.store.keep(key, &kept);
    }

    fn forget(&self, key: &str) {
        _ = self.store.forget(key);
    }
}
