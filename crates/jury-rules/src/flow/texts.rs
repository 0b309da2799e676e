//! Words that a text must contain for a regular expression to match. In: a regular expression. Out: the words in all of
//! its matches.
//!
//! A word is assumed to be written in one piece, however the text is built: code does not write `"SEL" + "ECT"`.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// The fewest letters that are distinctive.
const FEWEST_LETTERS: usize = 2;

/// The two letters beyond ASCII that fold to an ASCII letter.
pub(super) const LIKE_ASCII: [char; 2] = ['\u{17f}', '\u{212a}'];

/// A requirement on a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Consecutive letters, in lower case; `is_whole` if no letter, digit or underscore can be adjacent.
    Word {
        text: String,
        is_whole: bool,
    },
    All(Vec<Said>),
    Any(Vec<Said>),
}

/// Tells whether a character is a word character.
pub(super) fn is_wordy(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns the words in every text that a regular expression matches.
pub(super) fn said(pattern: &str) -> Said {
    regex_syntax::parse(pattern).map_or(Said::All(Vec::new()), |hir| of(&hir, [false; 2]))
}

/// Returns the words in all matches of a part; `beside` tells whether words are known to end before and after it.
fn of(hir: &Hir, beside: [bool; 2]) -> Said {
    match hir.kind() {
        HirKind::Literal(_) | HirKind::Class(_) => in_a_row(std::slice::from_ref(hir), beside),
        HirKind::Concat(parts) => in_a_row(parts, beside),
        HirKind::Capture(inner) => of(&inner.sub, beside),
        HirKind::Repetition(repeated) if repeated.min > 0 => of(&repeated.sub, [false; 2]),
        HirKind::Alternation(all) => Said::Any(all.iter().map(|one| of(one, beside)).collect()),
        HirKind::Repetition(_) | HirKind::Empty | HirKind::Look(_) => Said::All(Vec::new()),
    }
}

/// All parts must occur: literal parts joined into a text, and the others each by itself.
fn in_a_row(parts: &[Hir], beside: [bool; 2]) -> Said {
    let ends_at = |at: usize| is_ended(parts[at..].iter(), beside[1], begins_wordy);
    let starts_at = |at: usize| is_ended(parts[..at].iter().rev(), beside[0], finishes_wordy);
    let mut all = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let texts: Vec<String> = parts[at..].iter().map_while(spelled).collect();
        if texts.is_empty() {
            let is_one_letter = matches!(parts[at].kind(), HirKind::Literal(_) | HirKind::Class(_));
            all.extend((!is_one_letter).then(|| of(&parts[at], [starts_at(at), ends_at(at + 1)])));
            at += 1;
        } else {
            let behind = at + texts.len();
            words(&texts.concat(), [starts_at(at), ends_at(behind)], &mut all);
            at = behind;
        }
    }
    Said::All(all)
}

/// Adds the words of a text.
fn words(text: &str, beside: [bool; 2], into: &mut Vec<Said>) {
    let bytes = text.as_bytes();
    for word in text.split(|c: char| !c.is_ascii_alphabetic()).filter(|word| word.len() >= FEWEST_LETTERS) {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        let before = start.checked_sub(1).map_or(beside[0], |at| !is_wordy(bytes[at]));
        let behind = bytes.get(start + word.len()).map_or(beside[1], |byte| !is_wordy(*byte));
        into.push(Said::Word { text: word.to_ascii_lowercase(), is_whole: before && behind });
    }
}

/// Tells whether a word certainly ends before the following parts; `otherwise` if all of them are optional.
fn is_ended<'h>(parts: impl Iterator<Item = &'h Hir>, otherwise: bool, goes_on: impl Fn(&Hir) -> bool) -> bool {
    for part in parts {
        if goes_on(part) {
            return false;
        }
        let is_edge = matches!(part.kind(), HirKind::Look(look) if !is_within_words(*look));
        if is_edge || part.properties().minimum_len().is_some_and(|length| length > 0) {
            return true;
        }
    }
    otherwise
}

fn is_within_words(look: Look) -> bool {
    matches!(look, Look::WordAsciiNegate | Look::WordUnicodeNegate)
}

/// Tells whether a match of a part may begin with a word character.
fn begins_wordy(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.first().is_some_and(|byte| is_wordy(*byte)),
        HirKind::Concat(parts) => !is_ended(parts.iter(), true, begins_wordy),
        _ => is_wordy_within(hir, begins_wordy),
    }
}

/// Tells whether a match of a part may end with a word character.
fn finishes_wordy(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.last().is_some_and(|byte| is_wordy(*byte)),
        HirKind::Concat(parts) => !is_ended(parts.iter().rev(), true, finishes_wordy),
        _ => is_wordy_within(hir, finishes_wordy),
    }
}

fn is_wordy_within(hir: &Hir, is: impl Fn(&Hir) -> bool) -> bool {
    let has = |from: u32, to: u32| (from..=to.min(127)).any(|letter| is_wordy(letter as u8));
    match hir.kind() {
        HirKind::Class(Class::Unicode(class)) => {
            class.iter().any(|range| has(u32::from(range.start()), u32::from(range.end())))
        }
        HirKind::Class(Class::Bytes(class)) => {
            class.iter().any(|range| has(u32::from(range.start()), u32::from(range.end())))
        }
        HirKind::Repetition(repeated) => is(&repeated.sub),
        HirKind::Capture(inner) => is(&inner.sub),
        HirKind::Alternation(all) => all.iter().any(is),
        HirKind::Look(_) | HirKind::Empty | HirKind::Literal(_) | HirKind::Concat(_) => false,
    }
}

/// Returns the text of a part, if it is a single text in any case.
fn spelled(part: &Hir) -> Option<String> {
    match part.kind() {
        HirKind::Literal(literal) => str::from_utf8(&literal.0).ok().map(str::to_owned),
        HirKind::Class(Class::Unicode(class)) => {
            let mut letters = class.iter().flat_map(|range| range.start()..=range.end()).map(folded);
            let first = letters.next()?;
            // A class of a whole alphabet is recognised by its second letter.
            letters.all(|letter| letter == first).then(|| first.to_string())
        }
        _ => None,
    }
}

fn folded(letter: char) -> char {
    match letter {
        '\u{17f}' => 's',
        '\u{212a}' => 'k',
        _ => letter.to_ascii_lowercase(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Formats requirements: whole words in brackets.
    fn shown(said: &Said) -> String {
        let joined = |all: &[Said], between: &str| {
            let all: Vec<String> = all.iter().map(shown).filter(|one| !one.is_empty()).collect();
            all.join(between)
        };
        match said {
            Said::Word { text, is_whole: true } => format!("<{text}>"),
            Said::Word { text, .. } => text.clone(),
            Said::All(all) => joined(all, " "),
            Said::Any(any) if any.iter().any(|one| shown(one).is_empty()) => String::new(),
            Said::Any(any) => format!("({})", joined(any, "|")),
        }
    }

    #[test]
    fn what_is_found_has_the_words() {
        for (pattern, words) in [
            (
                r"(?is)^…?\s*\(?(?:select\b.*\bfrom\b|insert\s+(?:ignore\s+)?into\b|drop\s+(?:table|view))",
                "(<select> <from>|<insert> <into>|<drop> (table|view))",
            ),
            (r"(?i)^(?:\S*/)?(?:sh|cmd(?:\.exe)?)(?:-l?c|/c)*$", "(<sh>|<cmd>)"),
            ("-----BEGIN (?:RSA )?PRIVATE KEY", "<begin> <private> key"),
            (r"(?:key|token){1,2}=x", "(key|token)"),
            (r"(?i)desk", "desk"),
            (r"read_sql\d*", "read sql"),
            (r"\Bab\B", "ab"),
            ("^md5$", "md"),
            (r"ab\s*cd", "ab cd"),
        ] {
            assert_eq!(shown(&said(pattern)), words, "{pattern}");
        }
    }

    #[test]
    fn nothing_is_inferred_from_what_need_not_be_there() {
        for pattern in [r"\s", "(?:ab)?", "(?:ab)*", "[a-z]b", "a|bc", r"\d{3}", "", "[ab]c"] {
            assert_eq!(shown(&said(pattern)), "", "{pattern}");
        }
    }
}
