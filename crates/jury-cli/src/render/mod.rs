//! Output for people, one file per subject, and the escaping that makes it safe.
//!
//! In: readings, conversions, errors. Out: styled text; the streams drop the styles where they are not wanted.
//! Deliberately not here: writing to any stream, and any text of a reviewer that did not go through `inert`.

mod attested;
mod code;
mod config;
mod decided;
mod deviations;
mod error;
mod excerpt;
mod explained;
mod fixed;
pub(crate) mod inert;
mod looped;
mod losses;
mod margin;
mod merged;
mod positions;
mod progress;
mod reviewed;
mod rules;
mod spent;
pub(crate) mod style;
mod summary;
mod table;
mod task;
mod verified;
mod worktree_state;
mod wrapped;

pub(crate) use attested::{
    attestations, attested_now, verdict_to_sign, verdicts, wire_attestations, wire_attested_now,
};
pub(crate) use config::{config, wire_config};
pub(crate) use decided::{accepted, contested, synced, to_sign, wire_contested};
pub(crate) use deviations::{Weight, deviations};
pub(crate) use error::{error, note, told, with_hint};
pub(crate) use explained::{explained, ignored, wire_explained};
pub(crate) use fixed::{fixed, wire_fixed};
pub(crate) use looped::{looped, round, wire_loop};
pub(crate) use losses::{filled_in, losses};
pub(crate) use margin::margin;
pub(crate) use merged::{Named, merged, merged_json, rejected, repairs, trail};
pub(crate) use positions::Positions;
pub(crate) use progress::Progress;
pub(crate) use reviewed::{reviewed, tally};
pub(crate) use rules::{checked_rules, rule, rules};
pub(crate) use spent::{cache, resumed, spent_line, usage_line, wire_cache, wire_usage};
pub(crate) use style::painted;
pub(crate) use summary::{Counts, count, summary, taken, total};
pub(crate) use table::table;
pub(crate) use task::{task, task_brief, task_line, wire_task};
pub(crate) use verified::verified;
pub(crate) use worktree_state::{
    Marked, gate, left_open, marked, next, pretty, restored, shown, status, waived, wire_gate, wire_next, wire_shown,
    wire_status,
};
pub(crate) use wrapped::wrapped;
