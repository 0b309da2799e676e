//! Meaning of headings and lines of a Markdown report: a section of findings, a severity, a summary of counts.
//!
//! In: one line. Out: the kind of section it opens. Deliberately not here: the text below it (`markdown`).

use super::lexicon::{self, List, Name};
use super::{markdown, prose, rating, scalars, synonyms};
use crate::model::Severity;

/// The kind of section that a heading opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Section {
    OfSeverity(Severity),
    Findings,
    /// Findings that are still or newly open, in any section.
    Open,
    Settled,
    PreExisting,
    Praise,
    /// Holds no findings.
    Aside,
    /// Explains the severities.
    Legend,
    /// Nothing that is known.
    Plain,
}

impl Section {
    /// Returns the section that a heading, or a label above a list, opens for the leaves below it.
    pub(super) fn of(text: &str) -> Self {
        if markdown::names_verdict(text) {
            return Self::Aside;
        }
        if let Some(severity) = rating::pure(text).or_else(|| rating::group(text)).or_else(|| rating::naming(text)) {
            return Self::OfSeverity(severity);
        }
        match (classify(text), lexicon::name(text)) {
            (known @ (Self::PreExisting | Self::Legend), _) => known,
            _ if lexicon::is_about_earlier(text) => Self::Settled,
            (_, Some(name)) => name.into(),
            (Self::Findings | Self::Open, _) => Self::Findings,
            _ if lexicon::names_findings(text) && text.split_whitespace().count() <= 6 => Self::Findings,
            _ => Self::Plain,
        }
    }

    /// Tells whether it holds no findings.
    pub(super) fn is_aside(self) -> bool {
        matches!(self, Self::Praise | Self::Aside)
    }

    /// Tells whether it is for findings.
    pub(super) fn is_of_findings(self) -> bool {
        matches!(self, Self::OfSeverity(_) | Self::Findings)
    }
}

impl From<Name> for Section {
    fn from(name: Name) -> Self {
        match name {
            Name::Praise => Self::Praise,
            Name::Aside => Self::Aside,
        }
    }
}

/// Tells whether a line is a label like `Fix:`.
pub(super) fn is_pending_label(lead: &str) -> bool {
    prose::label(lead).is_some()
}

/// Tells whether a line starts with a place that has a line number.
pub(super) fn marks_a_place(lead: &str) -> bool {
    let start = lead.trim_start_matches(['*', '`', '[', ' ', '_']);
    scalars::split_place(start).is_some_and(|place| place.lines.is_some())
}

/// Tells whether a line starts with a marked place that has a line number, or states a confidence.
pub(super) fn is_finding_shaped(lead: &str) -> bool {
    lead.starts_with("**") && marks_a_place(lead) || prose::confidence_in(lead).is_some()
}

/// Tells whether a heading starts with a word for findings that block.
pub(super) fn starts_with_blocking_word(text: &str) -> bool {
    let word: String = text.chars().skip_while(|c| !c.is_alphanumeric()).take_while(|c| c.is_alphanumeric()).collect();
    let word = word.to_lowercase();
    let is_blocker = || rating::tag(&word) == Some(Severity::Blocker);
    word.starts_with("blocker") || word.starts_with("critical") || word == "p1" || is_blocker()
}

/// Tells whether a line starts with a word for blocking findings and the end of a tag whose start was lost: `blocker] x`.
pub(super) fn starts_with_torn_tag(line: &str) -> bool {
    line.split_once([']', ')']).is_some_and(|(tag, _)| !tag.contains(['[', '(']) && starts_with_blocking_word(tag))
        && line.trim_start().starts_with(char::is_alphanumeric)
}

/// Tells whether a heading calls itself a finding: `Finding S-1: x`, `Issue 3: x`, `Unresolved: S-4 — x`.
pub(super) fn is_named_finding(text: &str) -> bool {
    let folded = synonyms::fold_word(text.split([':', '—', '(']).next().unwrap_or(text));
    let words: Vec<&str> = folded.split(' ').collect();
    let has_id = words.iter().any(|word| word.bytes().any(|b| b.is_ascii_digit()));
    words.len() <= 5
        && (words.contains(&"finding") && has_id
            || words.first() == Some(&"unresolved")
            || words.first() == Some(&"issue") && has_id)
        && (text.contains([':', '—']) || words.len() == 2)
}

/// Tells whether an item under a heading for findings reports that something is well.
pub(super) fn is_good_news(lead: &str) -> bool {
    let start = lead.trim_start_matches(['*', '_', ' ', '[', '`']);
    List::GoodNews.iter().any(|word| start.starts_with(word))
}

/// Returns the kind of section below a heading.
pub(super) fn classify(text: &str) -> Section {
    let folded = synonyms::fold_word(text);
    let words: Vec<&str> = folded.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |any: &[&str]| any.iter().any(|word| words.contains(word));
    let any = |list: List| words.iter().any(|word| list.has(word));
    // A word settles only where the whole heading is about earlier findings (DESIGN §6).
    let is_settled = lexicon::is_about_earlier(text) || List::SettledParts.iter().any(|word| folded.contains(word));
    let is_open = any(List::OpenMarks) || has(&["not"]) && has(&["fixed", "resolved"]);
    if is_open && words.iter().all(|word| List::OpenHeadings.has(word)) {
        return Section::Open;
    }
    if !words.is_empty() && words.iter().all(|word| List::LegendNames.has(word)) {
        return Section::Legend;
    }
    if has(&["preexisting"]) || has(&["pre"]) && has(&["existing"]) {
        Section::PreExisting
    } else if is_settled {
        Section::Settled
    } else if any(List::SectionFindings)
        || List::FindingsEndings.iter().any(|word| folded.ends_with(word))
        || has(&["edge"]) && has(&["cases"]) && has(&["unhandled"])
    {
        Section::Findings
    // A list of all checks that the reviewer was asked for: no finding, unless one has a severity.
    } else if has(&["all"]) && has(&["addressed", "checked", "covered"]) {
        Section::Aside
    } else {
        // The heading *is* the name: a word among others says nothing.
        lexicon::name(text).filter(|_| any(List::SectionAsides)).map_or(Section::Plain, Section::from)
    }
}

/// Tells whether a line only counts findings that are stated elsewhere.
pub(super) fn is_summary(line: &str) -> bool {
    counts(line).len() > 1
}

/// Finds the counts in a line like `Blockers: 1 | High: 3` or `0 Blockers, 4 High`: one in each part.
pub(super) fn counts(line: &str) -> Vec<(Severity, usize)> {
    line.split(['|', ',', ';', '·', '•', '/']).filter_map(count).collect()
}

fn count(part: &str) -> Option<(Severity, usize)> {
    let words: Vec<&str> = part.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // A longer part is a sentence, which may name a severity and a number without counting.
    if words.len() > 5 {
        return None;
    }
    let at = words.iter().position(|word| List::CountedSeverities.has(&word.to_lowercase()))?;
    let (severity, _) = scalars::severity(words[at])?;
    // Of `Total: 4 findings (0 P0` the number beside the severity counts.
    let beside = [at.checked_sub(1), Some(at + 1)].into_iter().flatten().filter_map(|at| words.get(at));
    let mut numbers = beside.chain(&words).filter_map(|word| word.parse::<usize>().ok());
    let number = numbers.next().filter(|number| *number < 1000)?;
    Some((severity, number))
}
