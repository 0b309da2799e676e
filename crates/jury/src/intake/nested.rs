//! Texts inside structured data that are documents themselves. What is found in them adds claims, never a verdict.
//!
//! In: the tree of a report whose findings do not block. Out: claims and gaps of the texts in it. Deliberately not here: fields that quote code.

use jury_wire::Reason;

use super::account::{self, Fate, Leaf, Unread};
use super::dialect::{self, Damage};
use super::ledger::{Ledger, TextOrigin};
use super::{blocks, markdown, sniff};
use crate::syntax::{Limits, Node, Source, Span, Value, json};

/// Texts in gaps are cut to this many characters.
const LONGEST: usize = 160;

/// Accounts for the parts of a tree that no claim covers.
pub(super) fn account(ledger: &mut Ledger<'_>, text: &str, root: &Node<'_>, claims: &[Span], depth: usize) {
    let mut claims = claims.to_vec();
    claims.sort_unstable();
    ledger.leaves(claims.iter().map(|span| Leaf { span: *span, fate: Fate::Claim }));
    let structure = account::structure(root, &claims);
    for (span, why) in &structure.unread {
        let raw = text.get(span.start..span.end).unwrap_or_default();
        let shown: String = raw.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(LONGEST).collect();
        ledger.leaves([Leaf { span: *span, fate: Fate::Unread(*why) }].into_iter());
        ledger.gap(Reason::UnreadText, *span, format!("unread, but {}: {shown}", why.why()));
    }
    for (span, inner) in &structure.texts {
        if ledger.has_blocking() {
            return;
        }
        take(ledger, inner, *span, depth);
    }
}

/// Reads a text inside another document, and takes over what it adds.
fn take(ledger: &mut Ledger<'_>, text: &str, span: Span, depth: usize) {
    if depth >= sniff::DEEPEST {
        return;
    }
    let mut inside = ledger.scratch();
    inside.inside(TextOrigin::Within(span), |inside| {
        let limits = *inside.limits;
        let root = Source::new(text.as_bytes(), &limits).ok().and_then(|source| json::parse(&source, &limits).ok());
        match root.filter(|root| !matches!(root.value, Value::String(_) | Value::Number(_))) {
            Some(root) => dialect::read_at(inside, text, &root, &Damage::default(), depth + 1),
            None if has_documents(text, &limits) => sniff::take(inside, text, depth + 1),
            None => markdown::read(inside, text),
        }
    });
    let has_unknown_mark = inside.has_leaf(|fate| fate == Fate::Unread(Unread::UnknownMark));
    // The text may be a summary of the findings beside it.
    let adds = inside.blocks_by_statement() || has_unknown_mark || ledger.present() == 0 && inside.present() > 0;
    if adds {
        ledger.repair(Reason::DoubleEncoded, span, "a text", "its document");
        inside.forget_silence();
        inside.forget_verdicts();
        let dialect = ledger.dialect;
        ledger.adopt(inside);
        ledger.dialect = dialect;
    }
}

/// Tells whether a text has fenced documents.
fn has_documents(text: &str, limits: &Limits) -> bool {
    let found = |source: Source<'_>| {
        let found = blocks::find(&source, limits);
        !found.blocks.is_empty() || !found.unreadable.is_empty()
    };
    text.contains("```") && Source::new(text.as_bytes(), limits).is_ok_and(found)
}
