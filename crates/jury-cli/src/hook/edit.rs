//! After an edit: remembers that there was one. Nothing else, for it comes after every edit; and nothing that goes wrong here
//! stands in the agent's way, for the check at its stop goes by the tree.

use super::{Answer, Called, Host, memory, open};

/// Marks the worktree.
pub(super) fn answer(host: &Host, called: &Called) -> Answer {
    if let Ok(Some(workplace)) = open(host, called) {
        _ = memory::mark_dirty(&workplace.store);
    }
    Answer::Allow
}
