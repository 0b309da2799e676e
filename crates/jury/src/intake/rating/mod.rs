//! Severities in a line: tags, brackets, endings, sentences, headings and legends.
//!
//! In: one line or heading. Out: the severity that it states and the rest of the line. Which words are severities is in
//! `synonyms`; here is where in a line they count. Deliberately not here: the worth of a line without a severity.

mod elsewhere;
mod headings;
mod leading;
mod legend;
mod logs;
mod sentences;

pub(super) use elsewhere::{behind_title, bracketed, closing, labelled, named, only};
pub(super) use headings::{announced, group, naming, pure};
pub(super) use leading::leading;
pub(super) use legend::{Legend, is_legend};
pub(super) use logs::diagnostic;
pub(super) use sentences::{in_sentences, told};

use super::lexicon::List;
use super::synonyms::{self, SEVERITIES};
use super::{no_findings, places, scalars};
use crate::model::Severity;
use logs::{leading_level, workflow_command};

/// Reads one word or phrase as a severity tag: `High`, `must-fix`, `HIGH-1`, `Severity: High`.
pub(super) fn tag(word: &str) -> Option<Severity> {
    let folded = synonyms::fold_word(word);
    let bare = ["severity", "priority", "sev", "schweregrad", "gravité", "severidad", "severidade", "gravità"]
        .iter()
        .find_map(|name| folded.strip_prefix(name)?.strip_prefix([':', ' ', '：']))
        .unwrap_or(&folded)
        .trim();
    let bare = bare.strip_suffix(" priority").or(bare.strip_suffix(" severity")).unwrap_or(bare);
    let known = |word: &str| (!List::CommonWords.has(word)).then(|| synonyms::word(SEVERITIES, word)).flatten();
    let numbered = || {
        let (word, number) = bare.rsplit_once([' ', '#'])?;
        // A numbered word is an item of its kind, even if the word is a common one.
        let numbered = |word: &str| {
            known(word).or_else(|| {
                (number.len() <= 2 && List::NumberedTags.has(word)).then(|| synonyms::word(SEVERITIES, word)).flatten()
            })
        };
        number.bytes().all(|b| b.is_ascii_digit()).then(|| numbered(word.trim()))?
    };
    known(bare).or_else(numbered)
}

/// Takes an ordinal off the front: `1. `, `2) `, `(3) ` after its bracket.
pub(super) fn past_ordinal(text: &str) -> &str {
    let bare = text.strip_prefix('(').unwrap_or(text);
    let rest = bare.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = bare.len() - rest.len();
    match rest.strip_prefix(['.', ')']) {
        Some(after) if (1..=3).contains(&digits) && (after.is_empty() || after.starts_with([' ', '*'])) => {
            after.trim_start()
        }
        _ => text,
    }
}

/// Tells whether a word is a code like `P1` or `P2-3`, which is a tag without further marks.
fn is_code(word: &str) -> bool {
    let word = word.split('-').next().unwrap_or(word);
    word.len() == 2 && word.starts_with(['P', 'p']) && word.ends_with(|c: char| c.is_ascii_digit())
}

/// A tag before a number or `none` counts findings, and is none.
fn states_something(rest: &str) -> bool {
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '.' | '(' | ')' | '`'));
    // `Critical issues: none`, `Blocking status: clear` state the number of that severity.
    if let Some((noun, said)) = rest.split_once(':') {
        let noun = synonyms::fold_word(noun);
        let said = said.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_'));
        let is_count = !said.is_empty() && said.bytes().all(|b| b.is_ascii_digit());
        if noun == "status" || List::RatingFillers.has(&noun) && (is_count || no_findings::says_none(said)) {
            return false;
        }
    }
    let first: String = rest.chars().take_while(|c| !c.is_whitespace() && *c != '|' && *c != ',').collect();
    let is_count = !first.is_empty() && first.trim_end_matches(['.', ':', ';']).bytes().all(|b| b.is_ascii_digit());
    let is_small = rest.split_whitespace().count() <= 2
        || rest.contains('|')
        || rest.split_whitespace().nth(1).is_some_and(|word| {
            ["finding", "findings", "issue", "issues", "found", "open", "remaining"]
                .contains(&word.trim_matches([',', '.', ':']).to_lowercase().as_str())
        });
    !(rest.is_empty() || is_count && is_small || no_findings::says_none(rest))
}

/// Reads a line that states its severity at its front, or right behind the place it starts with. The returned rest
/// still has that place.
pub(super) fn rated(line: &str) -> Option<(Severity, String)> {
    if let Some(row) = row(line) {
        return Some(row);
    }
    if let Some((severity, rest)) = leading(line) {
        return Some((severity, rest.to_owned()));
    }
    if let Some(command) = workflow_command(line) {
        return Some(command);
    }
    behind_place(line).or_else(|| behind_id(line).map(|(severity, rest)| (severity, rest.to_owned())))
}

/// Reads a line that states its severity right behind the place it starts with.
fn behind_place(line: &str) -> Option<(Severity, String)> {
    let (place, after) = places::past_place(line)?;
    if let Some((severity, rest)) = leading(after) {
        return Some((severity, format!("{place} {rest}")));
    }
    // `a.c:3:5: warning: x`, `a.ts:14:9 - error TS2345: x`, `5:10  warning  x`.
    let bare = after.trim_start_matches([' ', '-', ':', '\t']);
    let (severity, behind) = leading_level(bare).filter(|_| place.contains(|c: char| c.is_ascii_digit()))?;
    let is_code = behind.split_whitespace().next().is_some_and(|word| word.ends_with(':') && word.len() > 1);
    let is_level =
        behind.starts_with([':', '[', '(']) || behind.starts_with("  ") || behind.starts_with('\t') || is_code;
    let text = behind.trim_start_matches([':', ' ', '\t']);
    (is_level && !text.is_empty()).then(|| (severity, format!("{place} {text}")))
}

/// Takes an id and a severity that is set off from the text off the front of a line: `F-1 — HIGH — x`, `SEC2: Critical: x`.
fn behind_id(line: &str) -> Option<(Severity, &str)> {
    let bare = line.trim_start().trim_start_matches(['*', '_', '[', '(']);
    let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '#')))?;
    let (id, behind) = bare.split_at(end);
    let is_id =
        id.len() <= 12 && id.bytes().any(|b| b.is_ascii_digit()) && id.starts_with(|c: char| c.is_ascii_uppercase());
    let behind = behind.trim_start_matches([']', ')', '*', '_']);
    let tagged = behind.trim_start_matches([' ', '—', '–', '-', ':', '·']);
    let is_set_off = behind.len() - tagged.len() > 1 && behind[..behind.len() - tagged.len()].trim() != "";
    let (severity, rest) = leading(tagged).filter(|_| is_id && is_set_off)?;
    // `F-1 — HIGH availability is lost` rates nothing.
    let before = tagged[..tagged.len() - rest.len()].trim_end();
    before.ends_with(['—', '–', '-', ':', '|', ']', ')', '*', '：']).then_some((severity, rest))
}

/// Reads a line of pieces between bars or dots of which one is a severity: `F-1 | HIGH | src/a.ts:3 | x`.
fn row(line: &str) -> Option<(Severity, String)> {
    let bar = ['|', '·'].into_iter().find(|bar| line.matches(*bar).count() > 1)?;
    let pieces: Vec<&str> = line.trim().split(bar).map(|piece| piece.trim().trim_matches(['*', '`', ' '])).collect();
    let severity_of = |piece: &str| tag(piece.rsplit(':').next().unwrap_or(piece).trim_matches(['[', ']', '*', ' ']));
    let at = pieces.iter().take(3).position(|piece| severity_of(piece).is_some())?;
    // A legend or a count has a severity in every piece, and a row says something behind it.
    let is_only_one = pieces.iter().filter(|piece| severity_of(piece).is_some()).count() == 1;
    let says_something = pieces[at + 1..].iter().any(|piece| {
        let letters = piece.chars().filter(|c| c.is_alphabetic()).count();
        let is_bare_place = scalars::split_place(piece).is_some_and(|place| place.rest.is_none());
        letters > 2 && !is_bare_place && !no_findings::says_none(piece)
    });
    let is_id = |piece: &&&str| piece.split_whitespace().count() > 1 && !piece.ends_with(|c: char| c.is_ascii_digit());
    let before = pieces[..at].iter().filter(is_id);
    let rest: Vec<&str> = before.chain(&pieces[at + 1..]).copied().filter(|piece| !piece.is_empty()).collect();
    (is_only_one && says_something).then(|| Some((severity_of(pieces[at])?, rest.join(" — "))))?
}

/// Leaves out emoji beside words.
pub(super) fn without_emoji(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().filter(|word| word.contains(char::is_alphanumeric)).collect();
    if words.is_empty() { text.trim().to_owned() } else { words.join(" ") }
}

pub(super) fn worse(one: Severity, other: Severity) -> Severity {
    if other.is_at_least(one) { other } else { one }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_off_the_front() {
        for (line, severity, rest) in [
            ("[P2] title", Severity::Medium, "title"),
            ("[P3][advisory -> human] File: a", Severity::Low, "[advisory -> human] File: a"),
            ("**High** — x y", Severity::High, "x y"),
            ("MEDIUM: Touch target", Severity::Medium, "Touch target"),
            ("**P0 — `src/a.ts`:** boom", Severity::Blocker, "`src/a.ts`:** boom"),
            ("[High] 1 — Design review", Severity::High, "1 — Design review"),
            ("**[MEDIUM] No test**", Severity::Medium, "No test**"),
            ("🔴 BLOCKER: x", Severity::Blocker, "x"),
            ("🟡 something", Severity::Medium, "something"),
            ("High priority: x", Severity::High, "x"),
        ] {
            assert_eq!(leading(line), Some((severity, rest)), "{line}");
        }
        for line in [
            "High: 3",
            "Blockers: 0 | High: 3",
            "High hopes",
            "Low confidence in this",
            "**High**",
            "P1: none",
            "Note: x",
            "highly",
            "Critical path",
        ] {
            assert_eq!(leading(line), None, "{line}");
        }
    }

    #[test]
    fn tags_stand_behind_ordinals_places_and_decoration() {
        for (line, severity, rest) in [
            ("**[must-fix]** `a.ts:4` – x y", Severity::Blocker, "`a.ts:4` – x y"),
            ("1) HIGH — Stale snapshots", Severity::High, "Stale snapshots"),
            ("HIGH-1: Migrations run twice", Severity::High, "Migrations run twice"),
            ("🔥 **CRITICAL** | `a.tf:1` | open", Severity::Blocker, "`a.tf:1` | open"),
            ("✖ HIGH   a/b.php:14  Cast", Severity::High, "a/b.php:14  Cast"),
            ("⚠️ Warning — Probe", Severity::Medium, "Probe"),
            ("ERROR   src/P.hs:101:5   Partial match", Severity::High, "src/P.hs:101:5   Partial match"),
            ("src/a.ts:14:9 - error TS2345: Argument", Severity::High, "src/a.ts:14 TS2345: Argument"),
            ("a/b.c:3:5: warning: unused", Severity::Medium, "a/b.c:3 unused"),
            ("a/b.c:3:5: fatal error: x.h not found", Severity::Blocker, "a/b.c:3 x.h not found"),
            ("a/b.xml:3: parser error : tag", Severity::High, "a/b.xml:3 tag"),
            ("src/a.ts(12,5): error TS2322: Type", Severity::High, "src/a.ts:12 TS2322: Type"),
            ("  5:10  warning  unused x  rule", Severity::Medium, "line 5: unused x  rule"),
            ("L23: (major) key on a list", Severity::High, "line 23: key on a list"),
            ("`s.py:210` - HIGH - cron", Severity::High, "s.py:210 cron"),
            ("**a/b.php:38** — **Low** — missing", Severity::Low, "a/b.php:38 missing"),
            ("::error file=a.yml,line=3::Secret echoed", Severity::High, "`a.yml:3` Secret echoed"),
            ("Hoch: x y", Severity::High, "x y"),
            ("F-1 — HIGH — Cache is empty", Severity::High, "Cache is empty"),
            ("**SEC2**: Critical: Token leaks", Severity::Blocker, "Token leaks"),
        ] {
            assert_eq!(rated(line), Some((severity, rest.to_owned())), "{line}");
        }
        for line in [
            "`a.ts:3` error handling is missing",
            "Error: x",
            "Warning: this moves files",
            "3 high",
            "F-1 — HIGH availability is lost",
            "F-1 high — x",
        ] {
            assert_eq!(rated(line), None, "{line}");
        }
    }

    #[test]
    fn severities_stand_behind_a_bold_title() {
        for line in ["**Stale cache**: Critical - kept for ever", "**Stale cache:** **critical** — kept for ever"] {
            assert_eq!(
                behind_title(line),
                Some((Severity::Blocker, "**Stale cache**: kept for ever".to_owned())),
                "{line}"
            );
        }
        for line in
            ["**Stale cache**: critical paths wait", "**Critical**: x", "**Stale cache**", "Stale: Critical - x"]
        {
            assert_eq!(behind_title(line), None, "{line}");
        }
    }

    #[test]
    fn severities_close_a_line() {
        for (line, severity, rest) in [
            ("A.2 Hashed with SHA-1 — Critical", Severity::Blocker, "A.2 Hashed with SHA-1"),
            ("1. INCR is not atomic 🔴 **High**", Severity::High, "1. INCR is not atomic"),
            ("builds break without it. (**major**)", Severity::High, "builds break without it."),
            ("**Hot path** [Severity: High] [`a.rs:5`]", Severity::High, "**Hot path** [`a.rs:5`]"),
        ] {
            assert_eq!(closing(line), Some((severity, rest.to_owned())), "{line}");
        }
        for line in ["the risk is low", "x (see the high one)", "Coverage — good", "f(low)"] {
            assert!(closing(line).is_none_or(|_| line == "f(low)"), "{line}");
        }
    }
}
