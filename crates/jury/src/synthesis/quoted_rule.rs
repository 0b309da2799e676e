//! Quotes of a team's own rules in a claim's evidence (004: "an explicit project-standards violation with a quotable rule"). In: candidates that were
//! held against the code, and the texts of the rules. Out: a claim whose rule is there is grounded and keeps its confidence; one whose rule is not
//! there is ungrounded.
//!
//! A rule is quoted as `rule PATH: "words"`, as briefs ask for, or as `PATH: "words"` where the path is that of guidelines. Deliberately not here:
//! which rules a reviewer was told.

use std::collections::BTreeMap;

use super::candidate::{Candidate, Grounding, Step};
use super::quote;
use super::text::{FileText, bare};
use crate::model::RepoPath;

/// The highest confidence of a claim whose rule is not there.
const CAP: u32 = 50;
/// The fewest characters, white space aside, of words that prove anything by being found.
const SHORTEST: usize = 8;

/// Looks up the quoted rules.
pub(super) fn ground(candidates: &mut [Candidate], guidelines: &BTreeMap<RepoPath, String>) {
    let texts: BTreeMap<&str, FileText> =
        guidelines.iter().map(|(path, text)| (path.as_str(), FileText::new(text.as_bytes()))).collect();
    for candidate in candidates {
        let own = candidate.claim.location.as_ref().map(|location| location.file.as_str().to_owned());
        let items = candidate.claim.first_evidence().into_iter();
        let items: Vec<String> =
            items.chain(candidate.claim.evidence.iter().map(String::as_str)).map(str::to_owned).collect();
        let quoted = items.iter().filter_map(|item| quoted(item, &texts, own.as_deref()));
        let mut found = None;
        let mut missing = None;
        for rule in quoted {
            match texts.get(rule.path).is_some_and(|text| has(text, rule.words)) {
                true => found = found.or(Some(rule)),
                false => missing = missing.or(Some(rule)),
            }
        }
        match (missing, found) {
            (Some(Quoted { path, words }), _) => {
                let why = match texts.contains_key(path) {
                    true => format!("the quoted rule is nowhere in {path} of the base: {words}"),
                    false => format!("it quotes a rule from {path}, which is none of the team's guidelines"),
                };
                if !candidate.grounding.is_against() {
                    candidate.grounding = Grounding::Refuted;
                }
                candidate.cap(CAP);
                candidate.note(Step::Ground, format!("ungrounded, so at most {CAP}%: {why}"));
            }
            (None, Some(Quoted { path, .. })) => {
                if candidate.grounding == Grounding::Unquoted {
                    candidate.grounding = Grounding::Found;
                }
                let note = format!("quotes a rule that stands in {path} of the base");
                candidate.note(Step::Ground, note);
            }
            (None, None) => {}
        }
    }
}

/// A quoted rule.
struct Quoted<'a> {
    path: &'a str,
    words: &'a str,
}

/// Takes an item of evidence apart, if it quotes a rule.
fn quoted<'a>(item: &'a str, texts: &BTreeMap<&str, FileText>, own: Option<&str>) -> Option<Quoted<'a>> {
    let item = item.trim();
    let after_word = item.get(..5).filter(|word| word.eq_ignore_ascii_case("rule ")).map(|word| &item[word.len()..]);
    let (place, words) = [": ", " — ", " – ", " - "]
        .iter()
        .filter_map(|mark| after_word.unwrap_or(item).split_once(mark))
        .min_by_key(|(place, _)| place.len())?;
    let place = place.trim().trim_matches(['`', '"']).trim_start_matches("./");
    // A line may be named, too.
    let path = place
        .rsplit_once(':')
        .filter(|(_, line)| line.bytes().all(|byte| byte.is_ascii_digit()))
        .map_or(place, |(path, _)| path);
    let (words, is_in_quotes) = unquoted(words.trim());
    let is_meant = match after_word {
        // The form that briefs ask for; other prose begins with that word, too.
        Some(_) => texts.contains_key(path) || is_in_quotes && is_like_a_path(path, texts),
        // The code of the guidelines themselves is looked up in the tree.
        None => texts.contains_key(path) && own != Some(path),
    };
    let is_long_enough = bare(words).chars().count() >= SHORTEST;
    (is_meant && is_long_enough).then_some(Quoted { path, words })
}

/// Tells whether a word is the path of a text such as those that are known, and no id of a rule.
fn is_like_a_path(word: &str, texts: &BTreeMap<&str, FileText>) -> bool {
    let extension = |path: &str| path.rsplit_once('.').map(|(_, extension)| extension.to_owned());
    let is_like = |known: &&str| extension(known).is_some() && extension(known) == extension(word);
    !word.contains(char::is_whitespace) && (word.contains('/') || texts.keys().any(is_like))
}

/// Takes the quotation marks off.
fn unquoted(words: &str) -> (&str, bool) {
    const MARKS: [(char, char); 5] = [('"', '"'), ('“', '”'), ('`', '`'), ('\'', '\''), ('„', '“')];
    let inner = MARKS.iter().find_map(|(open, close)| words.strip_prefix(*open)?.strip_suffix(*close));
    inner.map_or((words, false), |inner| (inner, true))
}

/// Tells whether words stand in a text, white space aside; of shortened ones, every part has to.
fn has(text: &FileText, words: &str) -> bool {
    if text.has(words) {
        return true;
    }
    let parts: Vec<&str> = words.split('…').flat_map(|part| part.split("...")).map(str::trim).collect();
    quote::is_shortened(words)
        && parts.iter().any(|part| bare(part).chars().count() >= SHORTEST)
        && parts.iter().all(|part| part.is_empty() || text.has(part))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::model::{Change, Claim, RepoPath};
    use crate::synthesis::tests::{claim, confidences, report};
    use crate::synthesis::{Options, synthesise};

    const RULES: &str = "# API\n\nEvery handler checks its input\nwith a schema. No handler logs a body.\n";

    fn percent(evidence: &[&str]) -> Option<u32> {
        let path = |text: &str| RepoPath::new(text).unwrap();
        let guidelines = BTreeMap::from([(path("docs/api.md"), RULES.to_owned())]);
        let tree = BTreeMap::from([(path("a.ts"), b"handle(request);\n".to_vec())]);
        let stated = Claim {
            evidence: evidence.iter().map(|item| (*item).to_owned()).collect(),
            confidence: Some(crate::model::Confidence::from_percent(100).unwrap()),
            ..claim("t", Some(("a.ts", "1")))
        };
        let change = Change::default();
        let options =
            Options { tree: Some(&tree), guidelines: Some(&guidelines), change: Some(&change), ..Options::default() };
        let result = synthesise(vec![report("qa", vec![stated])], &options);
        let lists = [&result.findings, &result.suppressed, &result.pre_existing];
        lists.into_iter().flat_map(|list| confidences(list)).next().unwrap().1
    }

    #[test]
    fn a_rule_that_is_there_keeps_the_confidence() {
        for evidence in [
            "rule docs/api.md: \"Every handler checks its input with a schema.\"",
            "Rule docs/api.md:3: \"Every handler checks its input\"",
            "docs/api.md: “No handler logs a body”",
            "`docs/api.md` — every",
            "rule docs/api.md: \"Every handler … with a schema\"",
            "rule of thumb: \"never log\"",
            "rule no-log: \"never log a body\"",
        ] {
            assert_eq!(percent(&["`handle(request);`", evidence]), Some(100), "{evidence}");
        }
    }

    #[test]
    fn a_rule_that_is_not_there_makes_the_claim_ungrounded() {
        for evidence in [
            "rule docs/api.md: \"Handlers must be pure\"",
            "docs/api.md: \"Handlers must be pure\"",
            "rule docs/none.md: \"Every handler checks its input\"",
            "rule docs/api.md: \"Every handler … must be pure\"",
        ] {
            assert_eq!(percent(&["`handle(request);`", evidence]), Some(50), "{evidence}");
            let good = "rule docs/api.md: \"No handler logs a body\"";
            assert_eq!(percent(&[good, evidence]), Some(50), "one true quote does not bear out an invented one");
        }
    }
}
