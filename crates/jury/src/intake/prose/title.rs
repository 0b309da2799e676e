//! The title of a finding in prose.
//!
//! In: the lead and the body of a finding. Out: its title. Deliberately not here: its other fields.

use super::{label, status_in};
use crate::intake::lexicon::List;
use crate::intake::scalars;
use crate::model::Title;

/// Makes a title of the rest of the lead: its bold part, or its first sentence.
pub(super) fn of(rest: &str, lead: &str, body: &str) -> Option<Title> {
    let rest = strip_id(rest.trim());
    let bold = rest
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"))
        .map(|(bold, _)| bold)
        .filter(|bold| bold.trim().len() > 8);
    let bold = bold.filter(|bold| !bold.to_ascii_lowercase().trim_matches(['(', ' ']).starts_with("confidence"));
    let source = bold.unwrap_or(rest);
    for text in [source, rest, first_text(body), lead] {
        let cleaned = cleaned(text);
        if cleaned.chars().filter(|c| c.is_alphanumeric()).count() >= 3 {
            return Title::new(&scalars::first_sentence(&cleaned)).ok();
        }
    }
    None
}

fn first_text(body: &str) -> &str {
    body.lines().find(|line| !line.trim().is_empty() && label(line).is_none()).unwrap_or_default()
}

/// Takes an id off the front: `H1:`, `[M2]`, `C-1 —`, `1 —`, `Finding S-1:`, `F3.`.
fn strip_id(text: &str) -> &str {
    let mut rest = text;
    for word in List::BeforeIds.iter() {
        rest = rest
            .strip_prefix(word)
            .filter(|after| !after.starts_with(char::is_alphanumeric))
            .map_or(rest, str::trim_start);
    }
    let bare = rest.trim_start_matches(['*', '[', '#', '(']);
    let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(bare.len());
    let (id, after) = bare.split_at(end);
    let is_id = !id.is_empty()
        && id.len() <= 10
        && id.bytes().any(|b| b.is_ascii_digit())
        && id.bytes().filter(u8::is_ascii_lowercase).count() <= 2;
    let follows = after.trim_start_matches(['*', ']', ')', ' ']);
    if is_id
        && (follows.starts_with([':', '—', '–', '.', '('])
            || follows.starts_with("- ")
            || after.starts_with([']', ')', '*']))
    {
        let mut rest = follows.trim_start_matches([':', '—', '–', '.', '-', ' ']);
        // `C-1 (Critical): x`
        if rest.starts_with('(')
            && let Some((inside, after)) = rest.split_once(')')
            && inside.split_whitespace().count() <= 4
        {
            rest = after.trim_start_matches([':', '—', '–', '.', '-', ' ', '*']);
        }
        return if rest.is_empty() { text } else { rest };
    }
    rest
}

/// Takes the marks of Markdown and a confidence in brackets out of a text.
fn cleaned(text: &str) -> String {
    let mut text = text.replace("**", "").replace("~~", "");
    while let Some(start) =
        text.to_ascii_lowercase().find("(confidence").or_else(|| text.to_ascii_lowercase().find("[confidence"))
    {
        let Some(length) = text[start..].find([')', ']']) else { break };
        text.replace_range(start..=start + length, "");
    }
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | ':' | '—' | '–' | '-' | '_' | '#' | '✅' | '✓');
    let text = text.trim_matches(marks);
    // The status is read elsewhere: `x — RESOLVED`.
    let text = match text.rsplit_once(['—', '–']) {
        Some((before, after)) if status_in(after).is_some() && before.trim().len() > 5 => before.trim_matches(marks),
        _ => text,
    };
    text.to_owned()
}
