//! A document with the fate of each leaf in the margin, for `jury check --explain`.
//!
//! In: the result of intake and the bytes of the document. Out: the lines of the document, each with the fate of the leaf
//! that starts on it. Deliberately not here: the gaps and repairs, which `summary` shows.

use std::collections::BTreeMap;

use jury::intake::{Fate, Intake};

use super::inert;

/// Shows a document with the fates of its leaves. A document without any was read field by field.
pub(crate) fn margin(taken: Option<&Intake>, bytes: &[u8]) -> String {
    let Some(taken) = taken.filter(|taken| !taken.leaves.is_empty()) else {
        return "every field was read by the reader of the format\n".to_owned();
    };
    let text = String::from_utf8_lossy(bytes);
    let starts: Vec<usize> = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
    let mut fates: BTreeMap<usize, Fate> = BTreeMap::new();
    for leaf in &taken.leaves {
        let line = starts.partition_point(|start| *start <= leaf.span.start).saturating_sub(1);
        let is_worse = |known: &Fate| !matches!(known, Fate::Unread(_)) && *known != Fate::Claim;
        // Of several leaves on one line, the unread one is shown, then the claim.
        if fates.get(&line).is_none_or(is_worse) || matches!(leaf.fate, Fate::Unread(_)) {
            fates.insert(line, leaf.fate);
        }
    }
    let shown = |(at, line): (usize, &str)| {
        let fate = fates.get(&at);
        let why = match fate {
            Some(Fate::Unread(why)) => format!("{:>8} │   ↑ {}\n", "", why.why()),
            _ => String::new(),
        };
        format!("{:>8} │ {}\n{why}", fate.map_or("", |fate| fate.word()), inert::line(line))
    };
    text.lines().enumerate().map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use jury::intake;
    use jury::syntax::Limits;

    #[test]
    fn each_leaf_has_its_fate_in_the_margin() {
        let text = "# Review\n\n- **[Crit]** a.ts:3 — the lock is dropped\n- **[nit]** b.ts:4 — a name\n\n## Blockers\n\nNone.\n";
        let taken = intake::take(text.as_bytes(), None, &Limits::default());
        let shown = margin(Some(&taken), text.as_bytes());
        let words: Vec<&str> = shown.lines().map(|line| line.split('│').next().unwrap_or_default().trim()).collect();
        assert_eq!(words, ["heading", "", "UNREAD", "", "claim", "", "heading", "", "none"], "{shown}");
    }
}
