//! A second, cruder count of the claims in a reviewer's output, which shares no code with intake.
//!
//! In: bytes. Out: how many things look like claims, how many of them look blocking, how many name a file and a line. It
//! knows a few severity words; JSON objects with a `severity`; items of YAML with one, with `passed: false`, or under a key for
//! findings; Markdown headings, items and rows of tables that carry a severity. No synonyms, no repairs.

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
    /// Those that name a file of the repository and a line in it.
    pub(crate) with_line: usize,
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
        [] if is_yaml(&text) => count_yaml(&text, &mut crude),
        [] => count_markdown(&text, &mut crude),
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
                let path = ["file", "location", "path", "file_path"]
                    .iter()
                    .find_map(|name| members.get(*name).and_then(Value::as_str))
                    .filter(|path| path.contains(['.', '/']));
                let has_number = ["line", "lines", "line_number", "start_line", "line_start", "line_range"]
                    .iter()
                    .filter_map(|name| members.get(*name))
                    .any(|line| line.to_string().contains(|c: char| ('1'..='9').contains(&c)));
                crude.claims += 1;
                crude.blocking += usize::from(BLOCKING.contains(&severity.to_lowercase().as_str()));
                crude.with_file += usize::from(path.is_some());
                let is_whole = |path: &str| !path.starts_with('/') && (has_number || names_line(path));
                crude.with_line += usize::from(path.is_some_and(is_whole));
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

/// Tells whether nearly every line of a text is a name with a colon, an item, or a comment.
fn is_yaml(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_entry = |line: &&&str| {
        let bare = line.trim_start_matches("- ");
        let name = bare.split(':').next().unwrap_or_default();
        bare.contains(':') && !name.contains([' ', '*', '`', '#', '|'])
    };
    lines.first().is_some_and(|first| !first.starts_with("# ") && *first != "---")
        && lines.iter().filter(is_entry).count() * 10 > lines.len() * 7
}

/// Counts in YAML: items that state a severity or a check that did not pass, and texts under a key for findings.
fn count_yaml(text: &str, crude: &mut Crude) {
    let mut key = String::new();
    let mut item: Vec<&str> = Vec::new();
    let mut end_item = |item: &mut Vec<&str>, key: &str| {
        let value = |name: &str| {
            let found = item.iter().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
            found.map(|value| value.trim().trim_matches(['"', '\'']).to_lowercase())
        };
        let severity = value("severity").filter(|word| has_word(word, BLOCKING) || has_word(word, OTHER));
        let is_failed = value("passed").as_deref() == Some("false");
        let is_text = matches!(item.as_slice(), [first, ..] if !first.contains(": ") && !first.is_empty());
        let is_listed = is_text && ["blockers", "advisories", "findings", "issues"].contains(&key);
        if severity.is_some() || is_failed || is_listed {
            crude.claims += 1;
            let is_bad = severity.is_none_or(|word| has_word(&word, BLOCKING)) && key != "advisories";
            crude.blocking += usize::from(is_bad);
            let has_line =
                item.iter().any(|line| names_file(line)) || value("file").is_some() && value("line").is_some();
            crude.with_file += usize::from(has_line || value("file").is_some());
            crude.with_line += usize::from(has_line);
        }
        item.clear();
    };
    for line in text.lines() {
        let bare = line.trim();
        if let Some(start) = bare.strip_prefix("- ") {
            end_item(&mut item, &key);
            item.push(start.trim());
        } else if bare.ends_with(':') && !bare.contains(' ') {
            end_item(&mut item, &key);
            key = bare.trim_end_matches(':').to_owned();
        } else if !item.is_empty() {
            item.push(bare);
        }
    }
    end_item(&mut item, &key);
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

/// What a crude reader of Markdown keeps in mind.
#[derive(Default)]
struct Seen {
    /// The severity of the section blocks, or does not.
    under: Option<bool>,
    /// The column of the table that holds severities.
    column: Option<usize>,
    /// The claim that came last has named a file and a line, or not yet.
    placed: Option<bool>,
}

impl Seen {
    fn claim(&mut self, crude: &mut Crude, line: &str, blocking: bool) {
        crude.claims += 1;
        crude.blocking += usize::from(blocking);
        self.placed = Some(false);
        self.place(crude, line);
    }

    /// Counts the first file and line that a claim names in what follows it.
    fn place(&mut self, crude: &mut Crude, line: &str) {
        if self.placed == Some(false) && names_file(line) {
            self.placed = Some(true);
            crude.with_file += 1;
            crude.with_line += 1;
        }
    }
}

/// Counts in Markdown: bullets, numbered items and bold paragraphs below a heading that names a severity; headings and lines
/// that start with one (`### HIGH: x`, `[P1] x`, `Severity: High`); rows of tables that have a column for it.
fn count_markdown(text: &str, crude: &mut Crude) {
    let mut seen = Seen::default();
    let mut is_fenced = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") {
            is_fenced = !is_fenced;
        }
        if is_fenced {
            continue;
        }
        if let Some(heading) = trimmed.strip_prefix('#') {
            read_heading(heading.trim_start_matches('#').trim(), &mut seen, crude);
        } else if trimmed.starts_with('|') {
            read_row(trimmed, &mut seen, crude);
        } else {
            seen.column = None;
            read_line(line, &mut seen, crude);
        }
    }
}

/// A short heading with a severity opens a section; a longer one that starts with it, or with a number and it, is a claim.
fn read_heading(heading: &str, seen: &mut Seen, crude: &mut Crude) {
    (seen.column, seen.placed) = (None, None);
    let words: Vec<&str> = heading.split_whitespace().collect();
    let start = words.iter().take(2).copied().collect::<Vec<_>>().join(" ");
    let states = |text: &str| has_word(text, BLOCKING) || has_word(text, OTHER);
    let is_section = words.len() <= 5
        && states(if words.len() > 3 { &start } else { heading })
        && !heading.contains([':', '—'])
        && !heading.starts_with('[');
    if is_section || heading.contains("(Must") || heading.contains("(Should") {
        seen.under = states(heading).then(|| has_word(heading, BLOCKING));
    } else if words.len() > 2 && states(&start) {
        seen.claim(crude, heading, has_word(&start, BLOCKING));
    } else if !heading.starts_with(|c: char| c.is_ascii_digit()) {
        seen.under = None;
    }
}

fn read_row(row: &str, seen: &mut Seen, crude: &mut Crude) {
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    let is_severity = |cell: &&str| ["severity", "priority", "sev"].contains(&cell.to_lowercase().as_str());
    let names_severity = cells.iter().position(is_severity);
    if names_severity.is_some() {
        // A table with a column for numbers counts findings, and states none.
        let counts = cells.iter().any(|cell| ["count", "total", "found", "#"].contains(&cell.to_lowercase().as_str()));
        seen.column = names_severity.filter(|column| cells.len() > 2 && !(counts && *column == 0));
        return;
    }
    let cell = seen.column.and_then(|column| cells.get(column).copied()).unwrap_or_default();
    if has_word(cell, BLOCKING) || has_word(cell, OTHER) {
        seen.claim(crude, row, has_word(cell, BLOCKING));
    }
}

fn read_line(line: &str, seen: &mut Seen, crude: &mut Crude) {
    let trimmed = line.trim_start();
    let blocking = has_word(trimmed, BLOCKING);
    let label = trimmed.trim_start_matches(['-', '*', ' ']).to_lowercase();
    let states = ["severity:", "severity**:", "severity:**"].iter().any(|start| label.starts_with(start))
        && seen.placed.is_none();
    let tagged = ["[p0]", "[p1]", "[p2]", "[p3]", "[high]", "[medium]", "[low]", "[blocker]", "[critical]"]
        .iter()
        .any(|tag| label.starts_with(tag));
    let is_item =
        line.starts_with("- ") || line.starts_with("* ") || line.starts_with("**") || starts_with_number(line);
    let says_none =
        ["none", "no ", "n/a"].iter().any(|none| label.trim_start_matches(['_', '(', '*']).starts_with(none));
    // `- **Location**: x` describes a claim, and is none.
    let name = label.trim_start_matches('*').split([':', '*']).next().unwrap_or_default().trim();
    let is_below = seen.under.is_some() && is_item && !says_none && !DETAILS.contains(&name);
    if states || tagged || is_below {
        let is_bad = if states || tagged { blocking } else { seen.under == Some(true) };
        seen.claim(crude, trimmed, is_bad);
    } else {
        seen.place(crude, trimmed);
    }
}

fn starts_with_number(line: &str) -> bool {
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    digits > 0 && line[digits..].starts_with(". ")
}

/// Tells whether a line has a relative path with a line number.
fn names_file(line: &str) -> bool {
    line.split(|c: char| c.is_whitespace() || "`[]()*,|\"".contains(c))
        .any(|word| !word.starts_with('/') && word.contains('.') && names_line(word))
}

/// Tells whether a word is a path and a line: `a.ts:3`, `a.ts:3-5`.
fn names_line(word: &str) -> bool {
    let is_path = |path: &str| path.contains('.') && !path.contains("//") && path.contains(char::is_alphabetic);
    word.split_once(':').is_some_and(|(path, lines)| is_path(path) && lines.starts_with(|c: char| c.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(text: &str) -> [usize; 4] {
        let Crude { claims, blocking, with_file, with_line } = count(text.as_bytes());
        [claims, blocking, with_file, with_line]
    }

    #[test]
    fn claims_are_counted_crudely() {
        let json = r#"{"findings":[{"severity":"P1","file":"a.rs","line":3},{"severity":"low","file":"/x/a.rs","line":3}],
            "residual_risks":[{"severity":"P0"}]}"#;
        assert_eq!(counted(json), [2, 1, 2, 1]);
        let markdown = "## High\n\n- **`src/a.ts:3`**: x\n- y\n\n## Medium\nNone.\n\n## Notes\n- z\n[P0] boom\n";
        assert_eq!(counted(markdown), [3, 3, 1, 1]);
        let headings = "# R\n\n### HIGH: it fails\n\n**File:** `a.ts:5-7`\n\n### [Low] 2 — it is slow\n\nSo.\n";
        assert_eq!(counted(headings), [2, 1, 1, 1]);
        let table = "| ID | Severity | Where |\n|---|---|---|\n| 1 | Major | `a.ts:5` |\n| 2 | Minor | - |\n\n| Severity | Count |\n|---|---|\n| High | 3 |\n";
        assert_eq!(counted(table), [2, 1, 1, 1]);
        let yaml = "verdict: fail\nblockers:\n  - a.ts:3 it fails\nfindings:\n  - check: a\n    passed: false\n  - check: b\n    passed: true\n  - title: x\n    severity: low\n";
        assert_eq!(counted(yaml), [3, 2, 1, 1]);
        assert_eq!(counted("hello"), [0; 4]);
    }
}
