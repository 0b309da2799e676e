//! Phrases that state that there are no findings.
//!
//! In: one line. Out: whether it states that. Deliberately not here: the section it speaks for (`markdown`).

/// First clauses that state that there is none.
#[rustfmt::skip]
const NOTHING: &[&str] = &[
    "none", "none found", "none identified", "n/a", "nothing", "nothing found", "none remaining", "nothing to report",
    "lgtm", "none observed", "none at this time", "nil", "clean", "not present", "not found", "not detected", "not applicable", "not affected", "nothing blocking", "no comments", "no remarks",
    "keine", "keiner", "keins", "nichts", "aucun", "aucune", "néant", "rien à signaler", "rien", "ninguno", "ninguna",
    "nada", "nada que señalar", "nessuno", "nessuna", "niente", "nenhum", "nenhuma", "nada a apontar", "无", "没有", "未发现",
    "没有问题", "未发现问题", "なし", "問題なし", "特になし", "指摘なし", "無", "沒有", "未發現", "未發現問題", "没有发现问题", "没有阻塞问题", "无阻塞问题",
    "无阻塞项", "无问题", "없음", "없습니다", "문제 없음", "발견 없음", "지적 없음", "sin hallazgos", "sin problemas", "sem achados", "sem problemas",
    "nenhum problema",
];

/// Starts of clauses that state that there is none.
const NONE_AT: &[&str] = &[
    "none at ",
    "none in ",
    "none for ",
    "none of ",
    "none from ",
    "none on ",
    "none within ",
    "none detected",
    "none —",
];

/// Words of denial.
const NO: &[&str] =
    &["no", "keine", "aucun", "aucune", "ningún", "ninguna", "sin", "nessun", "nessuna", "nenhum", "nenhuma"];

/// Nouns that are denied.
#[rustfmt::skip]
const NOUNS: &[&str] = &[
    "finding", "findings", "issue", "issues", "blocker", "blockers", "problem", "problems", "defect", "defects", "concern",
    "concerns", "regression", "regressions", "violation", "violations", "vulnerabilities", "bugs", "probleme", "befunde",
    "beanstandungen", "mängel", "problème", "problèmes", "remarque", "remarques", "problema", "problemas", "hallazgos",
    "problemi", "achados",
];

/// Words after which a clause speaks of something else than the findings: `No limit, which causes problems`.
#[rustfmt::skip]
const OTHERWISE: &[&str] = &[
    "which", "that", "causes", "cause", "causing", "leads", "lead", "leading", "to", "when", "will", "can", "so", "because",
    "is", "are", "on", "for", "test", "tests", "handling", "check", "against", "around", "covering", "preventing", "protecting",
];

/// Words that introduce an exception.
const CONTRASTS: &[&str] =
    &[" but ", " however", " except", " apart from", " other than ", " aside from ", " aber ", " mais ", " pero "];

/// Openings of a sentence before its denial.
const OPENINGS: &[&str] = &["there were ", "there was ", "there are ", "there is ", "i found ", "we found ", "found "];

/// Tells whether a denial speaks of some severities alone: `No P0 or P1 findings`, `No blocking issues`.
pub(super) fn is_of_some_severities(line: &str) -> bool {
    let lower = line.to_lowercase();
    lower.contains("block") || lower.split(|c: char| !c.is_alphanumeric()).any(|word| RATED.contains(&word))
}

/// Tells whether a denial leaves nothing that blocks.
pub(super) fn denies_all_that_blocks(line: &str) -> bool {
    const FURTHER: &[&str] = &[
        "no",
        "there",
        "were",
        "was",
        "are",
        "is",
        "or",
        "and",
        "severity",
        "priority",
        "found",
        "identified",
        "remain",
        "remaining",
    ];
    let lower = line.to_lowercase();
    let words: Vec<&str> = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let has = |any: &[&str]| words.iter().any(|word| any.contains(word));
    // `No critical or high security issues` leaves all others.
    let is_of_all = words.iter().all(|word| [FURTHER, RATED, NOUNS].iter().any(|known| known.contains(word)));
    lower.contains("block") || has(&["p0", "critical"]) && has(&["p1", "high", "major"]) && is_of_all
}

/// Words of severities in denials.
const RATED: &[&str] = &["p0", "p1", "p2", "p3", "critical", "high", "major", "medium", "low", "minor"];

/// Tells whether a line says that there is nothing to find: `None.`, `No issues found`, `No blocking findings remain.`
pub(super) fn says_none(line: &str) -> bool {
    let bare = line
        .trim()
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '(' | ')' | '-' | '`' | '✅' | '~' | '>'))
        .trim();
    let lower = bare.to_lowercase();
    let lower = lower.trim_start_matches(['✅', ' ', '✓', '✔']);
    if CONTRASTS.iter().any(|word| lower.contains(word)) {
        return false;
    }
    let first = lower.split(['.', ';', '—', '–', '(', ',', ':', '。', '，', '!']).next().unwrap_or_default().trim();
    if NOTHING.contains(&first) || NONE_AT.iter().any(|start| first.starts_with(start)) {
        return true;
    }
    let sentence = lower.split(['.', ';', '!']).next().unwrap_or_default();
    let sentence = OPENINGS.iter().find_map(|opening| sentence.strip_prefix(opening)).unwrap_or(sentence);
    let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    if ["0 findings", "0 issues", "zero findings", "zero issues"].iter().any(|start| sentence.starts_with(start)) {
        return true;
    }
    words.first().is_some_and(|word| NO.contains(word)) && denies_findings(&words[1..])
        || are_all_gone(&words)
        || ends_with_none(sentence)
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
    let is_of_findings = words.first() == Some(&"all") && words.iter().take(5).any(|word| NOUNS.contains(word));
    let gone = ["resolved", "fixed", "addressed", "closed"];
    let is_doubted = ["not", "should", "must", "unless", "if", "once", "until", "partially", "need"];
    is_of_findings
        && words.iter().any(|word| gone.contains(word))
        && !words.iter().any(|word| is_doubted.contains(word))
}

/// Tells whether the words after a `no` name findings.
fn denies_findings(words: &[&str]) -> bool {
    let Some(noun) = words.iter().take(9).position(|word| NOUNS.contains(word)) else { return false };
    if words[..noun].iter().any(|word| OTHERWISE.contains(word)) || words.contains(&"test") || words.contains(&"tests")
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
    fn a_denial_may_speak_of_some_severities_alone() {
        assert!(is_of_some_severities("No P0 findings") && !denies_all_that_blocks("No P0 findings"));
        assert!(denies_all_that_blocks("No critical or high issues") && denies_all_that_blocks("No blocking findings"));
        assert!(!denies_all_that_blocks("No critical or high security issues"));
        assert!(!is_of_some_severities("No issues found"));
    }
}
