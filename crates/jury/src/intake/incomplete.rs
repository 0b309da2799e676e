//! Words that state that a review was not made, or not completed.
//!
//! In: a text of the reviewer's own, not a finding's text about the code. Out: whether it states that. Deliberately not here:
//! the consequences.

use super::lexicon::List;

/// Tells whether a text says that its writer did not review all there was: `I could not open the diff.`, `The review stopped early.`
pub(super) fn says_so(text: &str) -> bool {
    let lower = text.to_lowercase().replace('’', "'");
    lower.split(['\n', '!', '?', ';']).flat_map(|line| line.split(". ")).any(is_said_in)
}

fn is_said_in(sentence: &str) -> bool {
    let words: Vec<&str> =
        sentence.split(|c: char| !(c.is_alphanumeric() || c == '\'')).filter(|word| !word.is_empty()).collect();
    List::Spent.iter().any(|words| sentence.contains(words)) || could_not_look(&words) || ended_early(sentence, &words)
}

/// Tells whether the writer could not review: `unable to fetch the diff`, `I could not read 3 of 5 files`.
fn could_not_look(words: &[&str]) -> bool {
    (0..words.len()).any(|at| {
        let Some(length) = List::Cannot.starts(&words[at..]) else { return false };
        // `The handler could not read the file` is about the code.
        let is_writer = words[..at].iter().all(|word| ["was", "but", "so", "sorry"].contains(word))
            || words[..at].iter().any(|word| List::Writers.has(word));
        let behind = &words[at + length..];
        let looked = behind.iter().take(2).position(|word| List::LookVerbs.has(word));
        let is_object = |look: usize| behind.iter().skip(look + 1).take(6).any(|word| List::ReviewObjects.has(word));
        is_writer && looked.is_some_and(is_object)
    })
}

/// Tells whether the review ended before it was done.
fn ended_early(sentence: &str, words: &[&str]) -> bool {
    let Some(ending) = List::EarlyEndings.iter().find_map(|ending| sentence.find(ending)) else { return false };
    let before = sentence[..ending].split_whitespace().next_back().unwrap_or_default();
    let names_review = words.iter().take(5).any(|word| *word == "review");
    // `The review of the draft found that the migration is incomplete` speaks of the migration.
    names_review && !words.contains(&"found") && !["if", "when"].contains(&before)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_did_not_look_is_heard() {
        for text in [
            "I could not open 3 of the 5 files.",
            "Unable to fetch the diff.",
            "The review stopped early because the context was exhausted.",
            "Looks fine. The review was cut short.",
            "We were not able to complete the review of the second module",
            "Note: ran out of tokens before src/b.ts",
        ] {
            assert!(says_so(text), "{text}");
        }
        for text in [
            "I could not find any issues in the code.",
            "The handler could not read the file and says nothing.",
            "Users are unable to open files larger than 2 GB",
            "The migration is incomplete",
            "No findings. The review covers all files.",
            "The review found that the migration is incomplete",
        ] {
            assert!(!says_so(text), "{text}");
        }
    }
}
