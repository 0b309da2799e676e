//! A place where a document deviates from its contract, and the limits that hold for all documents.

use jury_wire::Reason;

use super::Span;

/// One way in which a document differs from its contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deviation {
    /// The stable reason.
    pub reason: Reason,
    /// Where.
    pub span: Span,
    /// The value found and the value expected.
    pub message: String,
}

impl Deviation {
    /// Notes a deviation.
    pub fn new(reason: Reason, span: Span, message: impl Into<String>) -> Self {
        Self { reason, span, message: message.into() }
    }
}

/// How much of anything a reader takes. A document beyond a limit is refused with the limit named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes in a document.
    pub bytes: usize,
    /// Bytes in one line.
    pub line_bytes: usize,
    /// Levels of nesting.
    pub depth: usize,
    /// Aliases in a YAML document.
    pub aliases: usize,
    /// Claims in a document.
    pub claims: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 64 << 20, line_bytes: 16 << 20, depth: 64, aliases: 100, claims: 100_000 }
    }
}
