//! A well-formed image in; whether another program could take it for something else, out: an archive, a page, a script.
//!
//! Searched are whole files for marks that no pixels have by chance, and what may say anything (comments, profiles) for shorter ones.

use std::sync::LazyLock;

use regex::bytes::Regex;

use super::Structure;

/// Where a reader of PDF looks for its mark.
const PDF_HEAD: usize = 1024;

/// Marks that count anywhere: the end of a ZIP archive with its counts, PHP, a script of a page.
static ANYWHERE: LazyLock<Regex> =
    LazyLock::new(|| expression(r"PK\x05\x06\x00\x00\x00\x00|(?i:<\?php|<\?=[$`]|<script)"));

/// Marks that count where anything may be said.
static IN_NOTES: LazyLock<Regex> = LazyLock::new(|| {
    expression(
        r"PK\x03\x04|Rar!\x1a\x07|7z\xbc\xaf\x27\x1c|(?i:<\?=|<%=|<iframe|<object|javascript:|on(?:load|error)\s*=)",
    )
});

/// A call, as a script writes it.
static CALL: LazyLock<Regex> = LazyLock::new(|| expression(r"[A-Za-z_$][0-9A-Za-z_$]{2,}[(`][\x20-\x7e]{0,80}[)`]"));

fn expression(text: &str) -> Regex {
    Regex::new(&format!("(?s-u){text}")).expect("the expression is a constant that a test compiles")
}

/// Tells whether an image is more than that.
pub(super) fn is_more(image: &Structure<'_>, bytes: &[u8]) -> bool {
    let is_pdf = bytes[..bytes.len().min(PDF_HEAD)].windows(5).any(|it| it == b"%PDF-");
    is_pdf
        || ANYWHERE.is_match(bytes)
        || image.notes.iter().any(|note| IN_NOTES.is_match(note))
        || opens_text(image.head) && CALL.is_match(bytes)
}

/// Tells whether the first bytes that an author can choose open a comment or a string: in a script, what follows is skipped up to a place
/// that the author chooses as well.
fn opens_text(head: &[u8]) -> bool {
    head.windows(2).any(|pair| matches!(pair, b"/*" | b"//")) || head.iter().any(|byte| b"\"'`".contains(byte))
}
