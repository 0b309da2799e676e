//! The usage of a review: reviewers asked, tokens, and cost.

use std::collections::BTreeMap;

use jury::model::{ReviewerKind, Spent, Usage};
use jury::record::{Record, Run};
use jury::store::Entry;
use jury_wire::v1::surface as wire;

use super::style::{FAINT, STRONG};
use super::{count, inert, painted};

/// Returns the usage of a review in one line; empty if no reviewer reports usage.
pub(crate) fn spent_line(record: &Record) -> String {
    record.spent().map(|spent| format!("{}\n", painted(FAINT, &spent.to_string()))).unwrap_or_default()
}

/// Returns the usage of a review, for programs.
pub(crate) fn wire_usage(record: &Record) -> Option<wire::Usage> {
    let Spent { models, silent, usage: Usage { input, output, cost } } = record.spent()?;
    Some(wire::Usage { models, silent, input_tokens: input, output_tokens: output, cost_micro_dollars: cost })
}

/// Says the same in one line for people.
pub(crate) fn usage_line(usage: &wire::Usage) -> String {
    let wire::Usage { models, silent, input_tokens, output_tokens, cost_micro_dollars } = *usage;
    let usage = Usage { input: input_tokens, output: output_tokens, cost: cost_micro_dollars };
    format!("{}\n", painted(FAINT, &Spent { models, silent, usage }.to_string()))
}

/// Sums up the cache, for programs: by reviewer, in the order of their names.
pub(crate) fn wire_cache(entries: &[Entry]) -> wire::Cache {
    let mut by_reviewer: BTreeMap<&str, wire::CachedReviewer> = BTreeMap::new();
    for entry in entries {
        let name = entry.reviewer.as_deref().unwrap_or_default();
        let row = by_reviewer.entry(name).or_insert_with(|| wire::CachedReviewer {
            reviewer: entry.reviewer.clone(),
            entries: 0,
            bytes: 0,
            oldest_seconds: 0,
        });
        row.entries += 1;
        row.bytes += entry.bytes;
        row.oldest_seconds = row.oldest_seconds.max(entry.age.as_secs());
    }
    wire::Cache {
        entries: entries.len(),
        bytes: entries.iter().map(|entry| entry.bytes).sum(),
        reviewers: by_reviewer.into_values().collect(),
    }
}

/// Shows the cache.
pub(crate) fn cache(cache: &wire::Cache) -> String {
    if cache.entries == 0 {
        return "the cache is empty\n".to_owned();
    }
    let mut text = format!("{}\n", painted(STRONG, &format!("{}, {}", answers(cache.entries), size(cache.bytes))));
    for row in &cache.reviewers {
        let name = row.reviewer.as_deref().unwrap_or("(damaged)");
        let facts =
            format!("{}, {}, the oldest {} old", answers(row.entries), size(row.bytes), age(row.oldest_seconds));
        text.push_str(&format!("  {}  {}\n", inert::line(name), painted(FAINT, &facts)));
    }
    text
}

fn answers(number: usize) -> String {
    count(number, "answer", "answers")
}

fn size(bytes: u64) -> String {
    if bytes < 10_240 { format!("{bytes} bytes") } else { format!("{} KiB", bytes / 1_024) }
}

/// Says an age roughly, in the largest unit of which there is one.
fn age(seconds: u64) -> String {
    let units = [(86_400, "day", "days"), (3_600, "hour", "hours"), (60, "minute", "minutes")];
    let unit = units.iter().find(|(length, _, _)| seconds >= *length);
    unit.map_or_else(
        || "less than a minute".to_owned(),
        |(length, one, many)| count(usize::try_from(seconds / length).unwrap_or(usize::MAX), one, many),
    )
}

/// Says how much of a review that was gone on with had been answered before.
pub(crate) fn resumed(record: &Record) -> String {
    let is_outside =
        |run: &&Run| !matches!(run.kind, ReviewerKind::BuiltIn | ReviewerKind::Team) && run.skipped().is_none();
    let outside: Vec<&Run> = record.runs.iter().filter(is_outside).collect();
    let kept = outside.iter().filter(|run| run.is_cached).count();
    format!("resumed: {kept} of {} already answered", count(outside.len(), "question", "questions"))
}
