//! What goes to a pull request: what is to be said and the state of the forge in; the ordered actions out, none if all is said already.
//!
//! Pure: publishing twice is publishing once because the second plan is empty. Identity is the fingerprint, in a marker that counts only in
//! comments of our own account. Which approvals of a forge count is decided here, too. Deliberately not here: HTTP and the words of any
//! one forge (`forge`), and what the gate makes of approvals (`people`, `verdict`).

mod anchor;
mod approval;
mod body;
mod inert;
mod marker;
mod matching;
mod plan;
mod state;

pub use anchor::{Anchor, DiffFile, Spot, Window, anchor};
pub use approval::{Approver, Comment as PersonsComment, Counted, May, Opinion, Opinions, Ruled, Uncounted, count};
pub use body::{Finding, Owed, Publication, Suggestion, longest};
pub use inert::{code, inert};
pub use marker::{Key, begins_thread, fingerprint_in};
pub use plan::{Action, NewThread, Plan, Signal, SignalState, plan};
pub use state::{Abilities, Comment, ForgeState, Hangs, SuggestionForm, Thread};
