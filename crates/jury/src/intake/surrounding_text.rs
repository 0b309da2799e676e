//! Text around a document: prose that states findings or an unfinished review, or a torn part of the document.
//!
//! In: the text around the documents. Out: gaps. Deliberately not here: the documents themselves.

use std::borrow::Cow;

use jury_wire::Reason;

use super::blocks::Block;
use super::ledger::Ledger;
use super::lexicon::List;
use super::{documents, incomplete, markdown, unclaimed};
use crate::syntax::Span;

/// Sees to it that prose around a block which states findings that block, or a failed verdict, does not go unheard.
pub(super) fn check_prose(ledger: &mut Ledger<'_>, text: &str, blocks: &[Block<'_>], examples: &[Span]) {
    if ledger.has_blocking() {
        return;
    }
    let mut taken: Vec<Span> = blocks.iter().map(|block| block.span).chain(examples.iter().copied()).collect();
    taken.sort_unstable();
    // A bracket that closes too early leaves a part of the document outside it.
    let first = taken.first().map_or(0, |span| span.start);
    let last = taken.last().map_or(0, |span| span.end);
    for span in [Span::new(0, first), Span::new(last, text.len())] {
        if has_torn_members(text.get(span.start..span.end).unwrap_or_default()) {
            return ledger.gap(Reason::JsonSyntax, span, "a part of the document seems to be outside of it");
        }
    }
    // An empty list in the middle of a sentence, or of code, is spoken of, not reported.
    let is_spoken_of = |block: &&Block<'_>| {
        let rest = text.get(block.span.end..).unwrap_or_default().lines().next().unwrap_or_default();
        let before = text.get(..block.span.start).unwrap_or_default().rsplit('\n').next().unwrap_or_default();
        let goes_on = |c: char| c.is_alphabetic() || matches!(c, ';' | ')');
        let leads_in = |c: char| c.is_alphanumeric() || matches!(c, '=' | '(' | ',');
        !block.is_fenced && (rest.trim_start().starts_with(goes_on) || before.trim_end().ends_with(leads_in))
    };
    if ledger.present() == 0
        && let Some(block) = blocks.iter().find(is_spoken_of)
    {
        let message = "a document without findings in the middle of a sentence";
        return ledger.gap(Reason::VerdictContradiction, block.span, message);
    }
    let mut prose = String::new();
    let mut at = 0;
    for span in taken {
        prose.push_str(&unindented(text.get(at..span.start).unwrap_or_default()));
        prose.push_str("\n\n");
        at = span.end;
    }
    prose.push_str(&unindented(text.get(at..).unwrap_or_default()));
    check_text(ledger, &prose);
}

/// Takes off the indentation that all lines of a text share: beside a document it makes no code of them.
fn unindented(text: &str) -> Cow<'_, str> {
    let blanks = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let shared = text.lines().filter(|line| !line.trim().is_empty()).map(blanks).min().unwrap_or(0);
    if shared == 0 {
        return Cow::Borrowed(text);
    }
    let lines: Vec<&str> = text.lines().map(|line| line.get(shared.min(blanks(line))..).unwrap_or(line)).collect();
    Cow::Owned(lines.join("\n"))
}

/// Checks the text around documents for findings.
pub(super) fn check_text(ledger: &mut Ledger<'_>, prose: &str) {
    if ledger.has_blocking() {
        return;
    }
    if says_cut_short(prose) {
        let message = "the text around the document states that something was left out";
        return ledger.gap(Reason::TailCutOff, Span::at(0), message);
    }
    if says_unfinished(prose) {
        let message = "the prose around the document states that the review was not finished";
        return ledger.gap(Reason::EnvelopeFailed, Span::at(0), message);
    }
    // A second document of another kind is text here.
    if let Some(span) = unclaimed::line(prose) {
        return ledger.gap(
            Reason::BlocksDisagree,
            span,
            "the text around the document has the fields of a blocking finding",
        );
    }
    let mut outside = ledger.scratch();
    if !documents::take_elements(&mut outside, prose) {
        markdown::read(&mut outside, prose);
    }
    if outside.has_blocking() {
        let message = "the prose around the document states blocking findings, the document does not";
        ledger.gap(Reason::BlocksDisagree, Span::at(0), message);
    }
}

/// Tells whether a text says that findings were left out: `(truncated)`, `… 12 more findings`.
fn says_cut_short(prose: &str) -> bool {
    let lower = prose.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let counts_more = words.windows(3).any(|three| {
        let number = three[0].trim_start_matches(['(', '.', '…', '+']);
        !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && three[1] == "more"
            && ["finding", "issue", "problem", "item"].iter().any(|noun| three[2].starts_with(noun))
    });
    counts_more
        || ["(truncated", "[truncated", "output truncated", "truncated output"].iter().any(|word| lower.contains(word))
}

fn says_unfinished(prose: &str) -> bool {
    let lower = prose.to_lowercase().replace('’', "'");
    List::Unfinished.iter().any(|words| lower.contains(words)) || incomplete::says_so(prose)
}

/// Tells whether a text has members of a finding in it: a quoted name for the severity, or any at the start of a line, and a
/// colon.
pub(super) fn has_torn_members(text: &str) -> bool {
    let starts_with_name = |line: &str| {
        let line = line.trim_start_matches([' ', '\t', ',', '{', '}', '[', ']']);
        let rest = line.strip_prefix('"').and_then(|rest| rest.split_once('"'));
        rest.is_some_and(|(name, rest)| !name.contains(' ') && rest.trim_start().starts_with(':'))
    };
    if text.lines().any(starts_with_name) {
        return true;
    }
    let lower = text.to_lowercase();
    ["severity\"", "severity'", "severity”", "priority\""]
        .iter()
        .any(|name| lower.match_indices(name).any(|(at, _)| lower[at + name.len()..].trim_start().starts_with(':')))
}
