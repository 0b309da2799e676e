//! The two short texts everything is known by: a reviewer's domain and a claim's title.

use std::fmt;
use std::sync::Arc;

/// The name of a reviewer's field, such as `security` or `typescript-quality`. Copies share it: every claim has one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Domain(Arc<str>);

/// The one-line statement of a claim; never blank.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Title(Box<str>);

/// Why a text is not a domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DomainError {
    /// There is nothing there but white space.
    #[error("the name is blank")]
    Blank,
    /// It holds a control character, a line break included.
    #[error("the name has a control character")]
    Control,
    /// It is unreadable.
    #[error("the name is longer than {} characters", Domain::LONGEST)]
    TooLong,
}

/// Why a text is not a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the title is blank")]
pub struct TitleError;

impl Domain {
    /// The reviewer of changes to the gate itself.
    pub const GATE_INTEGRITY: &'static str = "gate-integrity";

    /// The longest domain in characters.
    pub const LONGEST: usize = 100;

    /// Takes a text as a domain.
    pub fn new(text: &str) -> Result<Self, DomainError> {
        if text.trim().is_empty() {
            Err(DomainError::Blank)
        } else if text.chars().any(char::is_control) {
            Err(DomainError::Control)
        } else if text.chars().count() > Self::LONGEST {
            Err(DomainError::TooLong)
        } else {
            Ok(Self(text.into()))
        }
    }

    /// Returns a copy that shares nothing with this one.
    pub(crate) fn unshared(&self) -> Self {
        Self(Arc::from(self.as_str()))
    }

    /// Returns the name of an unnamed reviewer.
    pub fn unnamed() -> Self {
        Self("review".into())
    }

    /// Returns the name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Title {
    /// Takes a text as a title.
    pub fn new(text: &str) -> Result<Self, TitleError> {
        if text.trim().is_empty() { Err(TitleError) } else { Ok(Self(text.into())) }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the title in lower case with white space collapsed, for comparison.
    pub fn normalised(&self) -> String {
        let mut key = Vec::with_capacity(self.0.len());
        self.write_normalised(&mut key);
        String::from_utf8(key).expect("a title in lower case is still a text")
    }

    /// Writes the normalised title behind some bytes.
    pub(crate) fn write_normalised(&self, key: &mut Vec<u8>) {
        for (index, word) in self.0.to_lowercase().split_whitespace().enumerate() {
            if index > 0 {
                key.push(b' ');
            }
            key.extend_from_slice(word.as_bytes());
        }
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for Title {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blank_names_and_titles_cannot_be_built() {
        assert_eq!(Domain::new(" \t"), Err(DomainError::Blank));
        assert_eq!(Domain::new("a\nb"), Err(DomainError::Control));
        assert_eq!(Domain::new(&"a".repeat(101)), Err(DomainError::TooLong));
        assert_eq!(Title::new("\n"), Err(TitleError));
        assert_eq!(Title::new("  SQL  In\tquery ").unwrap().normalised(), "sql in query");
    }
}
