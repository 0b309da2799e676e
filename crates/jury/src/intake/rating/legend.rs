//! Legends: the text's own definitions of its signs.
//!
//! In: a text. Out: its signs and their severities, and lines read by them.

use super::super::{places, sections};
use super::{rated, tag};
use crate::intake::synonyms;
use crate::model::Severity;

/// Signs and their severities by the text's own definition: `S1 = critical, S2 = high`, `🛑 = blocker`.
#[derive(Debug, Default)]
pub(in crate::intake) struct Legend(Vec<(String, Severity)>);

impl Legend {
    /// Reads the legends of a text.
    pub(in crate::intake) fn of(text: &str) -> Self {
        // No scale has more severities.
        let is_sign = |sign: &str| sign.chars().count() <= LONGEST_SIGN || synonyms::field(sign).is_none();
        Self(
            text.lines()
                .flat_map(|line| pairs(line, LONGEST_WORD))
                .filter(|(sign, _)| is_sign(sign))
                .take(16)
                .collect(),
        )
    }

    /// Takes a sign of the legend off the front of a line.
    fn leading<'t>(&self, line: &'t str) -> Option<(Severity, &'t str)> {
        let bare = line.trim_start().trim_start_matches(['*', '_', '[', '(', '~', '`']);
        self.0.iter().find_map(|(sign, severity)| {
            let after = bare.strip_prefix(sign.as_str())?.trim_start_matches('\u{fe0f}');
            let rest = after.trim_start_matches([' ', '*', ']', ')', ':', '—', '–', '-', '|']);
            (after.len() > rest.len() && !rest.is_empty() && !rest.starts_with(['=', '→'])).then_some((*severity, rest))
        })
    }

    /// Reads a line like [`rated`], the text's own legend first.
    pub(in crate::intake) fn rated(&self, line: &str) -> Option<(Severity, String)> {
        match self.leading(line).filter(|_| !is_legend(line)) {
            Some((severity, rest)) => Some((severity, rest.to_owned())),
            None => rated(line),
        }
    }
}

/// Tells whether a line explains signs.
pub(in crate::intake) fn is_legend(line: &str) -> bool {
    !pairs(line, LONGEST_SIGN).is_empty() || is_named_legend(line)
}

/// Tells whether a line calls itself a legend and explains several signs: `Legend: 🔴 Red = blocks, 🟢 Green = fine`.
fn is_named_legend(line: &str) -> bool {
    let Some((name, rest)) = line.split_once([':', '：']) else { return false };
    let signs = rest.split([',', ';', '|', '·']).filter(|part| part.contains(['=', '→'])).count();
    signs > 1 && sections::classify(name) == sections::Section::Legend && places::marked_place(rest).is_none()
}

/// The longest sign of a line that is nothing but a legend, and the longest word of a scale: `S1`, `Yellow`.
const LONGEST_SIGN: usize = 4;
const LONGEST_WORD: usize = 10;

fn pairs(line: &str, longest: usize) -> Vec<(String, Severity)> {
    let pair = |part: &str| {
        let (sign, word) = part.split_once(['=', '→'])?;
        let sign = sign.split_whitespace().last()?.trim_matches(['(', '*', '`', '[', '\u{fe0f}']);
        let is_sign = (1..=longest).contains(&sign.chars().count()) && !sign.chars().all(|c| c.is_ascii_lowercase());
        let severity = tag(word.trim().trim_matches([')', '*', '.', '`', ']']))?;
        is_sign.then(|| (sign.to_owned(), severity))
    };
    let pairs: Vec<_> = line.split([',', ';', '|', '·']).filter_map(pair).collect();
    if pairs.len() >= 2 { pairs } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legends_say_what_signs_mean() {
        let legend = Legend::of("x\n(S1 = critical, S2 = high)\n");
        assert_eq!(legend.rated("S1 – drops a column"), Some((Severity::Blocker, "drops a column".to_owned())));
        assert_eq!(legend.rated("S3 – x"), None);
        let legend = Legend::of("Red = must fix, Yellow = minor, Green = fine\n");
        assert_eq!(legend.rated("Red: drops a column"), Some((Severity::Blocker, "drops a column".to_owned())));
        assert_eq!(legend.rated("Yellow: a name"), Some((Severity::Low, "a name".to_owned())));
        assert_eq!(legend.rated("Red = must fix, Yellow = minor"), None);
        assert_eq!(Legend::of("Impact = high, Risk = low").rated("Impact: rows are lost"), None);
        assert!(is_legend("**Legend:** 🛑 = blocker, 🔶 = high"));
        assert!(!is_legend("if level = high"));
    }
}
