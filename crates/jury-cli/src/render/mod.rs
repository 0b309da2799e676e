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
mod finding_line;
mod fixed;
mod gate_view;
pub(crate) mod inert;
mod json;
mod looped;
mod losses;
mod margin;
mod marked;
mod merged;
mod next_step;
mod positions;
mod progress;
mod published;
mod reviewed;
mod rules;
mod shown;
mod spent;
mod status_view;
pub(crate) mod style;
mod summary;
mod table;
mod task;
mod verified;
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
pub(crate) use gate_view::{gate, wire_gate};
pub(crate) use json::pretty;
pub(crate) use looped::{looped, round, wire_loop};
pub(crate) use losses::{filled_in, losses};
pub(crate) use margin::margin;
pub(crate) use marked::{Marked, marked, restored, waived};
pub(crate) use merged::{Named, merged, merged_json, rejected, repairs, trail};
pub(crate) use next_step::{next, wire_next};
pub(crate) use positions::Positions;
pub(crate) use progress::Progress;
pub(crate) use published::{published, wire_published};
pub(crate) use reviewed::{reviewed, tally};
pub(crate) use rules::{checked_rules, rule, rules};
pub(crate) use shown::{shown, wire_shown};
pub(crate) use spent::{cache, resumed, spent_line, usage_line, wire_cache, wire_usage};
pub(crate) use status_view::{left_open, status, wire_status};
pub(crate) use style::painted;
pub(crate) use summary::{Counts, count, summary, taken, total};
pub(crate) use table::table;
pub(crate) use task::{task, task_brief, task_line, wire_task};
pub(crate) use verified::verified;
pub(crate) use wrapped::wrapped;
