//! The mark at the start of a leaf: a tag in brackets, a short bold word, a label, a sign, a code.
//!
//! In: the text of a leaf. Out: the form of its mark and the word in it. Marks are found by their form; whether the word
//! is known is asked afterwards. Deliberately not here: the consequences of an unknown word.

use crate::intake::synonyms::{self, STATUSES};
use crate::intake::{places, prose, rating, scalars};
use crate::model::Severity;

/// The form of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// `[Crit]`, `**[Crit]**`.
    Bracket,
    /// `**Crit** x`.
    Bold,
    /// `Crit: x`, `Crit — x`.
    Label,
    /// `🚨 x`.
    Sign,
    /// `C1 x`, `SEC-3 x`.
    Code,
}

/// A mark and its word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark<'t> {
    pub(super) form: Form,
    pub(super) word: &'t str,
}

/// No mark has more words.
const MOST_WORDS: usize = 4;

impl<'t> Mark<'t> {
    /// Finds the mark at the start of a text.
    pub(super) fn of(text: &'t str) -> Option<Self> {
        let text = rating::past_ordinal(text.trim_start().trim_start_matches("~~")).trim_start();
        let bare = text.trim_start_matches(['*', '_', '`', ' ']);
        let is_bold = text.starts_with("**") || text.starts_with("__");
        bracket(bare)
            .or_else(|| sign(bare))
            .or_else(|| is_bold.then(|| bold(text))?)
            .or_else(|| label(bare))
            .or_else(|| code(bare))
    }

    /// Returns the severity that the word states, if it is known.
    pub(super) fn severity(&self) -> Option<Severity> {
        let word = self.word.trim_matches(['*', '_', '`', ' ', ':']);
        // `[HIGH — needs a decision]`: the rating is the head of the tag.
        let head = word.split(['—', '–', ',', '/', '|', '(']).next().unwrap_or(word).trim();
        rating::tag(word)
            .or_else(|| rating::tag(head))
            .or_else(|| scalars::severity(head).map(|(severity, _)| severity))
    }

    /// Tells whether the word is a status: `RESOLVED`, `[Fixed]`.
    pub(super) fn is_status(&self) -> bool {
        synonyms::word(STATUSES, self.word.trim_matches(['*', '_', '`', ' ', ':'])).is_some()
    }

    /// Tells whether the mark is like one of a scale: a tag in brackets, or a word with one small number: `Sev-1`, `Tier 2`.
    pub(super) fn is_rating_like(&self) -> bool {
        let digits: Vec<char> = self.word.chars().filter(char::is_ascii_digit).collect();
        let is_numbered =
            digits.len() == 1 && self.word.len() <= 12 && self.word.ends_with(|c: char| c.is_ascii_digit());
        match self.form {
            Form::Bracket => true,
            Form::Bold | Form::Label => is_numbered && self.word.starts_with(char::is_alphabetic),
            Form::Sign | Form::Code => false,
        }
    }

    /// Tells whether the mark shouts: `MUST`, `STOP`.
    pub(super) fn shouts(&self) -> bool {
        let letters = self.word.chars().filter(|c| c.is_alphabetic()).count();
        let has = |is: fn(char) -> bool| self.word.chars().any(is);
        matches!(self.form, Form::Bold | Form::Label)
            && letters > 3
            && has(char::is_uppercase)
            && !has(char::is_lowercase)
    }
}

fn words(text: &str) -> usize {
    text.split_whitespace().count()
}

fn bracket(bare: &str) -> Option<Mark<'_>> {
    let open = bare.chars().next().filter(|c| matches!(c, '[' | '【' | '〔' | '［'))?;
    let inside = &bare[open.len_utf8()..];
    let end = inside.find([']', '】', '〕', '］'])?;
    let word = inside[..end].trim();
    let behind = inside[end..].chars().skip(1).collect::<String>();
    let is_link = behind.starts_with('(') || behind.starts_with('[') && open == '[' && word.len() > 30;
    let is_box = word.is_empty() || word.eq_ignore_ascii_case("x") || word.bytes().all(|b| b.is_ascii_digit());
    let is_place =
        scalars::split_place(word).is_some_and(|place| place.lines.is_some() || places::is_surely_a_file(place.file));
    let is_tag = !is_link && !is_box && !is_place && words(word) <= MOST_WORDS + 2 && !behind.trim().is_empty();
    is_tag.then_some(Mark { form: Form::Bracket, word })
}

fn sign(bare: &str) -> Option<Mark<'_>> {
    let first = bare.chars().next()?;
    let is_quote =
        matches!(first, '“' | '”' | '‘' | '’' | '«' | '»' | '…' | '—' | '–' | '•' | '·' | '「' | '『' | '（' | '§');
    let is_sign = !first.is_ascii() && !first.is_alphanumeric() && !is_quote && !first.is_whitespace();
    let end = bare.find(|c: char| c.is_ascii() || c.is_alphanumeric()).unwrap_or(bare.len());
    let rest = bare[end..].trim_start();
    // A sign before a word that is a mark itself only decorates it.
    (is_sign && !rest.is_empty()).then_some(())?;
    match Mark::of(rest).filter(|mark| mark.severity().is_some()) {
        Some(mark) => Some(mark),
        // `🚨: x`: the sign stands where the word of a label would.
        None if rest.starts_with([':', '：']) => Some(Mark { form: Form::Label, word: bare[..end].trim() }),
        None => Some(Mark { form: Form::Sign, word: bare[..end].trim() }),
    }
}

fn bold(text: &str) -> Option<Mark<'_>> {
    let (word, behind) = text.strip_prefix("**").and_then(|rest| rest.split_once("**"))?;
    let word = word.trim().trim_end_matches(':').trim();
    let is_short = !word.is_empty() && words(word) <= 3 && word.len() <= 30 && !word.contains(['`', '/']);
    (is_short && !is_place(word) && !behind.trim_matches([':', ' ', '*']).is_empty())
        .then_some(Mark { form: Form::Bold, word })
}

/// Tells whether a word is a place. The name of a file ends with no dot, as `K.O.` does.
fn is_place(word: &str) -> bool {
    !word.ends_with('.') && scalars::split_place(word).is_some()
}

fn label(bare: &str) -> Option<Mark<'_>> {
    let ends = [":", "：", " — ", " – ", " - ", " | "];
    let end = ends.iter().filter_map(|end| bare.find(end)).min()?;
    let word = bare[..end].trim_matches(['*', '_', '`', ' ']);
    let behind = bare[end..].trim_start_matches([':', '：', ' ', '—', '–', '-', '|', '*']);
    let is_label = !word.is_empty()
        && word.len() <= 30
        && words(word) <= 3
        && word.starts_with(char::is_alphanumeric)
        && !word.contains(['`', '(', '/', '"'])
        && !is_place(word);
    (is_label && !behind.is_empty() && !behind.starts_with("//")).then_some(Mark { form: Form::Label, word })
}

fn code(bare: &str) -> Option<Mark<'_>> {
    let end = bare.find(|c: char| c.is_whitespace() || matches!(c, ':' | ')' | ']' | '*'))?;
    let word = &bare[..end];
    let letters = word.len() - word.trim_start_matches(|c: char| c.is_ascii_uppercase()).len();
    let digits = word[letters..].trim_start_matches('-');
    let is_code =
        (1..=5).contains(&letters) && (1..=3).contains(&digits.len()) && digits.bytes().all(|b| b.is_ascii_digit());
    is_code.then_some(Mark { form: Form::Code, word })
}

/// Returns the code that a finding has in its document: `CR-01` in `### CR-01: x`, `| CR-01 | x |`. A severity is none.
pub(in crate::intake) fn code_of(raw: &str) -> Option<&str> {
    let bare = raw.trim_start_matches(['#', '|', '-', '+', '*', ' ', '[', '(', '`', '_']);
    code(bare).map(|mark| mark.word).filter(|word| rating::tag(word).is_none())
}

/// Tells whether a line of a paragraph starts a leaf of its own.
pub(super) fn starts_leaf(line: &str) -> bool {
    let bare = line.trim_start();
    rating::past_ordinal(bare).len() < bare.len()
        || bare.starts_with(['•', '–', '▪', '●', '◦'])
        || bare.starts_with("**")
        || prose::label(line).is_some()
        || Mark::of(line)
            .is_some_and(|mark| mark.form != Form::Label && mark.form != Form::Code || mark.severity().is_some())
        || bare.starts_with(|c: char| c.is_uppercase())
            && Mark::of(line).is_some_and(|mark| mark.form == Form::Label && words(mark.word) <= 2)
}

/// Tells whether a line is an item of a list, or a heading, that starts with a severity: no code looks like that.
pub(super) fn is_rated_item(line: &str) -> bool {
    let bare = line.trim_start();
    let item = ["- ", "* ", "+ ", "# ", "## ", "### "].iter().find_map(|start| bare.strip_prefix(start));
    let item = item.or_else(|| Some(rating::past_ordinal(bare)).filter(|rest| rest.len() < bare.len()));
    item.and_then(Mark::of).is_some_and(|mark| rating::tag(mark.word).is_some() && mark.form != Form::Code)
}

/// Tells whether a line holds several items: behind its first mark, or a heading, a further one with a tag of its own starts.
pub(super) fn holds_several(text: &str) -> bool {
    let is_tag = |part: &str| {
        bracket(part.trim_start_matches(['*', '_', '`', ' '])).is_some_and(|mark| mark.severity().is_some())
    };
    let further = [" - ", " * ", " • ", " + "].iter().flat_map(|joint| text.split(joint).skip(1));
    further.filter(|part| is_tag(part)).count() >= 1
}

/// Tells whether a line stands for the heading of the list below it: it is short, and ends with a colon or is all bold.
pub(super) fn is_label(text: &str) -> bool {
    let bare = text.trim();
    let inner = bare.strip_prefix("**").and_then(|rest| rest.strip_suffix("**")).filter(|inner| !inner.contains("**"));
    let is_bold = inner.is_some();
    let ends = bare.trim_end_matches(['*', '_', ' ']).ends_with([':', '：']);
    words(bare) <= 8 && (is_bold || ends)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_found_by_their_form() {
        use Form::{Bold, Bracket, Code, Label, Sign};
        for (text, form, word) in [
            ("**[Crit]** a.ts:3 — x", Bracket, "Crit"),
            ("[HIGH — needs user decision] x", Bracket, "HIGH — needs user decision"),
            ("1. **MUST** fix x", Bold, "MUST"),
            ("Sev-1: Lock is dropped", Label, "Sev-1"),
            ("🚨 Lock is dropped", Sign, "🚨"),
            ("C1 the lock is dropped", Code, "C1"),
            ("MUST — fix x", Label, "MUST"),
        ] {
            assert_eq!(Mark::of(text), Some(Mark { form, word }), "{text}");
        }
        for text in
            ["[x](https://e.org) y", "[x] done", "[1] see", "`src/a.ts:3`: x", "**A long title of several words** x"]
        {
            assert_eq!(Mark::of(text), None, "{text}");
        }
    }
}
