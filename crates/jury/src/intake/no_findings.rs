//! Phrases that state that there are no findings.
//!
//! In: one line. Out: whether it states that. Deliberately not here: the section it speaks for (`markdown`).

use super::lexicon::List;

/// Tells whether a denial speaks of some severities alone: `No P0 or P1 findings`, `No blocking issues`.
pub(super) fn is_of_some_severities(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.contains("block") || lower.split(|c: char| !c.is_alphanumeric()).any(|word| List::DeniedSeverities.has(word))
}

/// Tells whether a denial leaves out what is stated elsewhere: `No other issues found`, `Nothing else`.
pub(super) fn is_of_the_rest(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| List::Rest.has(word))
}

/// Tells whether a denial leaves nothing that blocks.
pub(super) fn denies_all_that_blocks(line: &str) -> bool {
    let lower = line.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    // `No critical or high security issues` leaves all others.
    let is_of_all = words.iter().all(|word| {
        [List::DenialFillers, List::DeniedSeverities, List::DeniedNouns].iter().any(|known| known.has(word))
    });
    lower.contains("block") || has(&["p0", "critical"]) && has(&["p1", "high", "major"]) && is_of_all
}

/// Tells whether a line says that there is nothing to find: `None.`, `No issues found`, `No blocking findings remain.`
pub(super) fn says_none(line: &str) -> bool {
    let bare = line
        .trim()
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '(' | ')' | '-' | '`' | '✅' | '~' | '>'))
        .trim();
    let lower = bare.to_lowercase();
    let lower = lower.trim_start_matches(['✅', ' ', '✓', '✔']);
    if List::Contrasts.iter().any(|word| lower.contains(word)) {
        return false;
    }
    let first = lower.split(['.', ';', '—', '–', '(', ',', ':', '。', '，', '!']).next().unwrap_or_default().trim();
    if List::Nothing.has(first) || List::NoneAt.iter().any(|start| first.starts_with(start)) {
        return true;
    }
    let sentence = lower.split(['.', ';', '!']).next().unwrap_or_default();
    let sentence = List::Openings.iter().find_map(|opening| sentence.strip_prefix(opening)).unwrap_or(sentence);
    let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if ["0 findings", "0 issues", "zero findings", "zero issues"].iter().any(|start| sentence.starts_with(start)) {
        return true;
    }
    words.first().is_some_and(|word| List::No.has(word)) && denies_findings(&words[1..])
        || are_all_gone(&words)
        || ends_with_none(sentence)
}

/// Tells whether the last words of a verdict deny findings: `reviewed_no_blockers`.
pub(super) fn ends_in_denial(verdict: &str) -> bool {
    let lower = verdict.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    matches!(words.as_slice(), [.., "no", noun] if List::DeniedNouns.has(noun))
}

/// Returns the label of a line that says that there is none of it: `BLOCKER: None`, `High priority — none found`.
pub(super) fn denied(line: &str) -> Option<&str> {
    let (label, behind) =
        line.split_once([':', '：']).or_else(|| line.split_once(" — ")).or_else(|| line.split_once(" - "))?;
    let label = label.trim_matches(['*', '_', ' ', '#']);
    let behind = behind.trim_matches(['*', '_', ' ']);
    (!label.is_empty() && label.split_whitespace().count() <= 5 && says_none(behind)).then_some(label)
}

/// Tells whether a sentence ends by saying that the review came to nothing: `reviewed 4 files and generated no comments`.
pub(super) fn ends_with_none(sentence: &str) -> bool {
    let sentence = sentence.trim_end().trim_end_matches('.');
    sentence.contains("reviewed")
        && ["generated no comments", "generated no new comments"].iter().any(|end| sentence.ends_with(end))
}

/// Tells whether words say that all findings are settled: `All critical issues of the last round have been resolved`.
fn are_all_gone(words: &[&str]) -> bool {
    let is_of_findings = words.first() == Some(&"all") && words.iter().take(5).any(|word| List::DeniedNouns.has(word));
    let gone = ["resolved", "fixed", "addressed", "closed"];
    let is_doubted = ["not", "should", "must", "unless", "if", "once", "until", "partially", "need"];
    is_of_findings
        && words.iter().any(|word| gone.contains(word))
        && !words.iter().any(|word| is_doubted.contains(word))
}

/// Tells whether the words after a `no` name findings.
fn denies_findings(words: &[&str]) -> bool {
    let Some(noun) = words.iter().take(9).position(|word| List::DeniedNouns.has(word)) else { return false };
    if words[..noun].iter().any(|word| List::Otherwise.has(word)) || words.contains(&"test") || words.contains(&"tests")
    {
        return false;
    }
    // `No issue is created when …` speaks of issues that the code handles.
    let found =
        ["found", "identified", "detected", "present", "open", "remaining", "left", "outstanding", "reported", "known"];
    match words.get(noun + 1) {
        Some(&("is" | "are" | "gets" | "get")) => words.iter().skip(noun + 2).take(2).any(|word| found.contains(word)),
        Some(&("template" | "tracker" | "handler" | "id" | "number")) => false,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absence_is_said_in_so_many_words() {
        for text in [
            "None.",
            "_None._",
            "*(None)*",
            "No issues found",
            "No blocking findings.",
            "No material code-review findings.",
            "None at P0/P1/P2.",
            "None — see code review",
            "No new security findings.",
            "There were no P0 or P1 findings.",
            "The bot reviewed 4 out of 4 changed files in this pull request and generated no comments.",
        ] {
            assert!(says_none(text), "{text}");
        }
        for text in ["No test covers the path", "Nonexistent path", "No error handling in x", "The issue", "no"] {
            assert!(!says_none(text), "{text}");
        }
    }

    #[test]
    fn absence_is_said_in_other_languages_and_never_taken_back() {
        for text in ["Aucun.", "Keine Befunde.", "Rien à signaler. Petit changement.", "未发现问题。", "(keine)"]
        {
            assert!(says_none(text), "{text}");
        }
        for text in [
            "No issues, but the token at a.ts:3 leaks",
            "No rate limit, which causes production problems",
            "No issue is created when the hook fails",
            "Keine Transaktion um die Updates",
            "There were two P1 findings",
            "There are no tests for the issue",
            "There are no guards against known vulnerabilities",
        ] {
            assert!(!says_none(text), "{text}");
        }
    }

    #[test]
    fn verdicts_may_end_in_a_denial() {
        assert!(ends_in_denial(" reviewed_no_blockers"));
        for text in ["no_blockers_checked", "blockers", "no", "fail"] {
            assert!(!ends_in_denial(text), "{text}");
        }
    }

    #[test]
    fn none_of_several_things_is_no_absence() {
        for text in ["None of the inputs are validated", "None of the tests run"] {
            assert!(!says_none(text), "{text}");
        }
        for text in ["None observed in code or tests.", "None of blocking severity", "没有阻断发现。"] {
            assert!(says_none(text), "{text}");
        }
    }

    #[test]
    fn a_denial_may_speak_of_some_severities_alone() {
        assert!(is_of_some_severities("No P0 findings") && !denies_all_that_blocks("No P0 findings"));
        assert!(denies_all_that_blocks("No critical or high issues") && denies_all_that_blocks("No blocking findings"));
        assert!(!denies_all_that_blocks("No critical or high security issues"));
        assert!(!is_of_some_severities("No issues found"));
    }
}
