//! What nobody reads back: texts for people, made from what was decided, one file each. Pure.

mod abort_reason;
mod fix_brief;

pub use abort_reason::abort_reason;
pub use fix_brief::{ToFix, fix_brief};
