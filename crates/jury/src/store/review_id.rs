//! A seed in; the id of a new review out, different from every id that the store knows.

use super::{FOLDER, Store, StoreError, lines, sha256};
use crate::model::ReviewId;

impl Store {
    /// Mints the id of a review from a seed, different from every id that an archive or a record has.
    pub fn unused_review_id(&self, seed: &[u8]) -> Result<ReviewId, StoreError> {
        let archives = self.worktree.open(FOLDER)?.map(|folder| folder.names()).transpose()?.unwrap_or_default();
        let archived = |id: &str| archives.iter().any(|name| name.starts_with(&format!("review-{id}")));
        let mut taken: Vec<String> = lines::history(self)?.into_iter().map(|line| line.review_id).collect();
        if let Some((seal, _)) = self.seal()? {
            taken.extend([Some(seal.latest), seal.full].into_iter().flatten().map(|sealed| sealed.file.review_id));
        }
        let ids = (0_u64..).map(|counter| sha256(&[seed, &counter.to_le_bytes()])[..8].to_owned());
        let id = ids.into_iter().find(|id| !archived(id) && !taken.contains(id));
        let id = id.expect("there are more ids than reviews");
        Ok(ReviewId::new(&id).expect("eight digits of a digest are a review id"))
    }
}
