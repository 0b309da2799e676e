//! A second, cruder count of the claims in a reviewer's output, which shares no code with intake.
//!
//! In: bytes. Out: how many things look like claims, how many of them look blocking, how many name a file. It knows a few
//! severity words, JSON objects with a `severity`, and Markdown headings, bullets and tables; no synonyms, no repairs.

use serde_json::Value;

/// What a crude look finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Crude {
    /// Things that look like claims.
    pub(crate) claims: usize,
    /// Those of a severity that blocks.
    pub(crate) blocking: usize,
    /// Those that name a file.
    pub(crate) with_file: usize,
}

const BLOCKING: &[&str] = &["p0", "p1", "blocker", "blockers", "critical", "high", "major"];
const OTHER: &[&str] = &[
    "p2",
    "p3",
    "medium",
    "moderate",
    "low",
    "minor",
    "nit",
    "nits",
    "info",
    "informational",
    "suggestion",
    "warn",
    "warning",
];

/// Counts the claims.
pub(crate) fn count(bytes: &[u8]) -> Crude {
    let text = String::from_utf8_lossy(bytes);
    let mut crude = Crude::default();
    let values: Vec<Value> = match serde_json::from_str(&text) {
        Ok(value) => vec![value],
        Err(_) => text
            .lines()
            .map_while(|line| serde_json::from_str(line).ok())
            .filter(|value: &Value| value.is_object())
            .collect(),
    };
    match values.as_slice() {
        [] => count_text(&text, &mut crude),
        values => values.iter().for_each(|value| walk(value, &mut crude)),
    }
    crude
}

/// Members that hold what a careful person would not call findings.
const ASIDE: &[&str] =
    &["residual_risks", "residualRisks", "testing_gaps", "testingGaps", "tangential_matches", "seeded"];

fn walk(value: &Value, crude: &mut Crude) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, crude)),
        Value::Object(members) => {
            if let Some(severity) = members.get("severity").and_then(Value::as_str) {
                crude.claims += 1;
                crude.blocking += usize::from(BLOCKING.contains(&severity.to_lowercase().as_str()));
                crude.with_file += usize::from(
                    ["file", "location", "path"].iter().any(|name| members.get(*name).is_some_and(Value::is_string)),
                );
            }
            for (name, member) in members {
                if !ASIDE.contains(&name.as_str()) {
                    walk(member, crude);
                }
            }
        }
        _ => {}
    }
}

/// Labels of what is said about a claim.
const DETAILS: &[&str] = &[
    "location",
    "confidence",
    "impact",
    "fix",
    "evidence",
    "description",
    "why",
    "recommendation",
    "guard",
    "status",
    "effort",
    "suggestion",
    "category",
    "file",
    "files",
    "lines",
    "line",
    "issue",
    "what",
    "details",
    "note",
];

/// Returns whether a line has a word of one of the lists, as a word of its own.
fn has_word(line: &str, words: &[&str]) -> bool {
    line.split(|c: char| !c.is_alphanumeric()).any(|word| words.contains(&word.to_lowercase().as_str()))
}

/// Counts in Markdown: bullets, numbered items and bold paragraphs below a heading that names a severity; `[P1]`, `(High)`
/// and `Severity: High` wherever they stand at the start of something.
fn count_text(text: &str, crude: &mut Crude) {
    let mut under: Option<bool> = None;
    let mut is_fenced = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            is_fenced = !is_fenced;
        }
        if is_fenced {
            continue;
        }
        let blocking = has_word(trimmed, BLOCKING);
        if let Some(heading) = trimmed.strip_prefix('#') {
            let heading = heading.trim_start_matches('#');
            let is_short = heading.split_whitespace().count() <= 5;
            under = (is_short && (blocking || has_word(heading, OTHER))).then_some(blocking);
            continue;
        }
        let label = trimmed.trim_start_matches(['-', '*', ' ']).to_lowercase();
        let states =
            label.starts_with("severity:") || label.starts_with("severity**:") || label.starts_with("severity:**");
        let tagged = ["[p0]", "[p1]", "[p2]", "[p3]", "[high]", "[medium]", "[low]", "[blocker]", "[critical]"]
            .iter()
            .any(|tag| label.starts_with(tag));
        let is_item =
            line.starts_with("- ") || line.starts_with("* ") || line.starts_with("**") || starts_with_number(line);
        let says_none = ["none", "no ", "n/a", "*(none", "_none"].iter().any(|none| {
            label.trim_start_matches(['_', '(', '*']).starts_with(none.trim_start_matches(['_', '(', '*']))
        });
        // `- **Location**: x` describes a claim, and is none.
        let name = label.trim_start_matches('*').split([':', '*']).next().unwrap_or_default().trim();
        let is_detail = DETAILS.contains(&name);
        let is_below = under.is_some() && is_item && !says_none && !is_detail;
        if states || tagged || is_below {
            crude.claims += 1;
            let is_blocking = if states || tagged { blocking } else { under == Some(true) };
            crude.blocking += usize::from(is_blocking);
            crude.with_file += usize::from(names_file(trimmed));
        }
    }
}

fn starts_with_number(line: &str) -> bool {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    digits > 0 && line[digits..].starts_with(". ")
}

fn names_file(line: &str) -> bool {
    line.split(|c: char| c.is_whitespace() || "`[]()*,".contains(c)).any(|word| {
        word.rsplit_once(':')
            .is_some_and(|(path, lines)| path.contains('.') && lines.starts_with(|c: char| c.is_ascii_digit()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_counted_crudely() {
        let json =
            br#"{"findings":[{"severity":"P1","file":"a"},{"severity":"low"}],"residual_risks":[{"severity":"P0"}]}"#;
        assert_eq!(count(json), Crude { claims: 2, blocking: 1, with_file: 1 });
        let markdown = b"## High\n\n- **`src/a.ts:3`**: x\n- y\n\n## Medium\nNone.\n\n## Notes\n- z\n[P0] boom\n";
        assert_eq!(count(markdown), Crude { claims: 3, blocking: 3, with_file: 1 });
        assert_eq!(count(b"hello"), Crude::default());
    }
}
