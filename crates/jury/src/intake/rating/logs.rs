//! Output of programs: a level before a text, next to a place with its line.
//!
//! In: a line, and where needed the next one. Out: the severity and the rest. A level counts only where a place stands with it: in prose its
//! words mean anything. Deliberately not here: the tags that reviewers write (`rating`).

use super::worse;
use crate::intake::lexicon::List;
use crate::intake::scalars;
use crate::intake::synonyms::{self, SEVERITIES};
use crate::model::Severity;

pub(super) fn level(word: &str) -> Option<Severity> {
    let folded = synonyms::fold_word(word);
    List::LogLevels.has(&folded).then(|| synonyms::word(SEVERITIES, &folded).unwrap_or(Severity::Low))
}

/// Takes a level off the front of a text: `warning: x`, and of a few words before a colon the last one: `fatal error: x`.
pub(super) fn leading_level(text: &str) -> Option<(Severity, &str)> {
    let of_words = || {
        let colon = text.find(':')?;
        let words: Vec<&str> = text[..colon].split_whitespace().collect();
        let are_words =
            (2..=3).contains(&words.len()) && words.iter().all(|word| word.chars().all(char::is_alphabetic));
        let severity = words.iter().filter_map(|word| level(word)).reduce(worse)?;
        (are_words && words.last().is_some_and(|word| level(word).is_some())).then(|| (severity, &text[colon..]))
    };
    let of_word = || {
        let end = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
        Some((level(&text[..end])?, &text[end..]))
    };
    of_words().or_else(of_word)
}

/// Reads compiler output: a level and a text, and in the next line an arrow to the place.
pub(in crate::intake) fn diagnostic(line: &str, next: &str) -> Option<(Severity, String)> {
    let place = scalars::split_place(next.trim_start().strip_prefix("-->")?)?;
    let (file, lines) = (place.file, place.lines?);
    let (severity, behind) = leading_level(line.trim_start())?;
    // `error[E0308]: x`
    let behind = behind.strip_prefix('[').and_then(|rest| rest.split_once(']')).map_or(behind, |(_, rest)| rest);
    let text = behind.strip_prefix(':')?.trim();
    // Notes and hints belong to the message before.
    (severity.is_at_least(Severity::Medium) && !text.is_empty()).then(|| (severity, format!("`{file}:{lines}` {text}")))
}

/// Tells whether a place with a line comes next.
pub(super) fn follows_place(after: &str) -> bool {
    let next = after.trim_start_matches([']', ')', ':', ' ', '\t', '*', '-']);
    after.len() > next.len() && scalars::split_place(next).is_some_and(|place| place.lines.is_some())
}

/// Reads a command of a CI log: `::error file=a.yml,line=3::x`.
pub(super) fn workflow_command(line: &str) -> Option<(Severity, String)> {
    let (command, message) = line.trim_start().strip_prefix("::")?.split_once("::")?;
    let (name, settings) = command.split_once(' ').unwrap_or((command, ""));
    let severity = level(name)?;
    let setting = |wanted: &str| {
        settings.split(',').find_map(|setting| {
            let (name, value) = setting.split_once('=')?;
            (name.trim() == wanted).then(|| value.trim())
        })
    };
    let place = match (setting("file"), setting("line")) {
        (Some(file), Some(line)) => format!("`{file}:{line}` "),
        (Some(file), None) => format!("`{file}` "),
        _ => String::new(),
    };
    (!message.trim().is_empty()).then(|| (severity, format!("{place}{}", message.trim())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_point_at_the_place_in_the_next_line() {
        let read = |line, next| diagnostic(line, next);
        assert_eq!(
            read("error[E0308]: mismatched types", "  --> src/a.rs:40:5"),
            Some((Severity::High, "`src/a.rs:40` mismatched types".to_owned()))
        );
        for (line, next) in [
            ("note: defined here", " --> src/a.rs:1:9"),
            ("error: x", "next"),
            ("This is an error: x", " --> src/a.rs:1:9"),
            ("error: x", " --> somewhere"),
        ] {
            assert_eq!(read(line, next), None, "{line}");
        }
    }
}
