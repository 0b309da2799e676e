//! `abort-reason.md`: the Blockers that halt the team, the work in progress, and the next steps (003, ABORT).
//!
//! In: the record and its judgement. Out: Markdown in which no text of a reviewer or an author acts.

use crate::judge::Judgement;
use crate::model::{Claim, Severity};
use crate::record::Record;
use crate::syntax::acts;

/// Writes the text.
pub fn abort_reason(record: &Record, judgement: &Judgement) -> String {
    let scope = &record.scope;
    let mut text = format!("# Review {} is aborted\n\nStop all work until a person has read this.\n", record.review_id);
    text.push_str("\n## Blockers\n\n");
    let halting = judgement.report.claims.iter().filter(|claim| claim.severity == Severity::Blocker);
    for claim in halting {
        text.push_str(&item(claim));
    }
    text.push_str("\n## Work in progress\n\n");
    let branch = scope.branch.as_deref().unwrap_or("no branch");
    text.push_str(&format!("- Branch: {}\n- Target: {}\n", inert(branch), inert(&scope.target)));
    text.push_str(&format!("- Commit: {}\n", scope.head.as_deref().unwrap_or("none yet")));
    for subject in &scope.commits {
        text.push_str(&format!("- Commit since the base: {}\n", inert(subject)));
    }
    text.push_str(
        "\n## Next steps\n\n\
         1. Stop: make no further change on this branch, and open no pull request.\n\
         2. A person reads the findings above and decides how to continue.\n\
         3. When they are fixed, run `jury review`: a review that does not abort removes this file.\n",
    );
    if let Some(path) = &record.report_path {
        text.push_str(&format!("\nThe whole report: {}\n", inert(path.as_str())));
    }
    text
}

fn item(claim: &Claim) -> String {
    let place = claim.location.as_ref().map_or_else(|| "the change as a whole".to_owned(), ToString::to_string);
    let reviewer =
        claim.reviewer.as_ref().map(|reviewer| format!(" ({})", inert(reviewer.as_str()))).unwrap_or_default();
    let mut text = format!("- {} — {}{reviewer}\n", inert(claim.title.as_str()), inert(&place));
    for line in [&claim.why, &claim.fix].into_iter().flatten() {
        text.push_str(&format!("  - {}\n", inert(line)));
    }
    text
}

/// Writes a text in one line, in which every character that Markdown or a terminal would act upon is a reference.
fn inert(text: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || " ,;/-'\"=%?".contains(c);
    let mut out = String::new();
    for c in text.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        // A full stop or colon is harmless once no name can form a link with it, which needs a slash or an at sign.
        match c {
            '.' | ':' | '_' | '(' | ')' if !text.contains("://") && !text.contains("www.") => out.push(c),
            c if plain(c) && !acts(c) => out.push(c),
            c => out.push_str(&format!("&#{};", u32::from(c))),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_that_was_written_acts() {
        assert_eq!(inert("SQL text is built from id (a.ts:3)"), "SQL text is built from id (a.ts:3)");
        let hostile =
            inert("<img src=x> [a](javascript:b) @org/team #1 `c` \u{1b}[31m \u{202e} \n# d https://e.f ![g](h)");
        for active in ["<", ">", "[", "]", "@", "#1", "`", "\u{1b}", "\u{202e}", "\n", "://", "!"] {
            assert!(!hostile.contains(active), "{active:?} in {hostile}");
        }
    }
}
