//! What must be said in the texts of code for a regular expression to find something in one. In: a regular expression. Out:
//! the words that stand in all that it finds.
//!
//! A word is taken to be written in one piece, whatever a text is put together of: nobody writes `"SEL" + "ECT"`.

use regex_syntax::hir::{Class, Hir, HirKind, Look};

/// The fewest letters that tell one text from another.
const FEWEST_LETTERS: usize = 2;

/// The two letters beyond ASCII that are one of it in another case.
pub(super) const LIKE_ASCII: [char; 2] = ['\u{17f}', '\u{212a}'];

/// What must be said in a text.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// Letters in a row, in lower case; `is_whole` if no letter, digit or underscore can stand beside them.
    Word {
        text: String,
        is_whole: bool,
    },
    All(Vec<Said>),
    Any(Vec<Said>),
}

/// Tells whether a letter is one of those that words are made of.
pub(super) fn is_wordy(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Returns what is said in every text in which a regular expression finds something.
pub(super) fn said(pattern: &str) -> Said {
    regex_syntax::parse(pattern).map_or(Said::All(Vec::new()), |hir| of(&hir, [false; 2]))
}

/// Returns what is said in all that a part finds; `beside` tells whether it is known that words end before and behind it.
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

/// Each of the parts must be there: those that spell a text together, and the others each by itself.
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

/// Tells whether a word surely ends where some parts go on from it; `otherwise` if all of them may be left out.
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

/// Tells whether what a part finds may begin with a letter of a word.
fn begins_wordy(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Literal(literal) => literal.0.first().is_some_and(|byte| is_wordy(*byte)),
        HirKind::Concat(parts) => !is_ended(parts.iter(), true, begins_wordy),
        _ => is_wordy_within(hir, begins_wordy),
    }
}

/// Tells whether what a part finds may end with a letter of a word.
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

/// Returns what a part spells, if it is but one text in whatever case.
fn spelled(part: &Hir) -> Option<String> {
    match part.kind() {
        HirKind::Literal(literal) => str::from_utf8(&literal.0).ok().map(str::to_owned),
        HirKind::Class(Class::Unicode(class)) => {
            let mut letters = class.iter().flat_map(|range| range.start()..=range.end()).map(folded);
            let first = letters.next()?;
            // A class that is all of an alphabet is told by its second letter.
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

    /// Writes what is said: words that are whole between brackets.
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
