//! Facts of a document about the whole review: its id, time and scope.

use std::fmt;

use super::RepoPath;
use super::closed_set::closed_set;

closed_set! {
    /// The kind of scope (000).
    ScopeKind {
        /// The change against its base.
        Changeset = "changeset",
        /// Everything under one package.
        Package = "package",
        /// The files a team owns.
        Team = "team",
        /// Named files.
        File = "file",
    }
}

closed_set! {
    /// How it is reviewed (000, 003).
    Mode {
        /// Every reviewer, with a report.
        Full = "full",
        /// Two specialists, uncommitted changes only.
        Quick = "quick",
        /// Only findings marked fixed.
        Verify = "verify",
    }
}

/// Why a text is not the fact it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FactError {
    /// A review id is eight lower-case hexadecimal digits.
    #[error("not 8 lower-case hexadecimal digits")]
    ReviewId,
    /// A commit is named by its whole SHA.
    #[error("not 40 lower-case hexadecimal digits")]
    CommitSha,
    /// The text is no ISO 8601 date and time, or names a day that does not exist.
    #[error("not an ISO 8601 date and time")]
    Timestamp,
}

fn is_hex(text: &str, length: usize) -> bool {
    text.len() == length && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

macro_rules! checked_text {
    ($(#[$meta:meta])* $name:ident, $error:ident, $is_legal:expr) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub struct $name(Box<str>);

        impl $name {
            /// Takes the text, or says that it is none.
            pub fn new(text: &str) -> Result<Self, FactError> {
                let is_legal: fn(&str) -> bool = $is_legal;
                if is_legal(text) { Ok(Self(text.into())) } else { Err(FactError::$error) }
            }

            /// Returns the text as it was given.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}

checked_text! {
    /// The id of a review: eight hexadecimal digits.
    ReviewId, ReviewId, |text| is_hex(text, 8)
}

checked_text! {
    /// A commit, by all forty hexadecimal digits of its SHA.
    CommitSha, CommitSha, |text| is_hex(text, 40)
}

checked_text! {
    /// A moment as ISO 8601 writes it, kept as it was written.
    Timestamp, Timestamp, is_iso_8601
}

impl Timestamp {
    /// Orders two moments; `None` if one of them has no zone.
    pub fn compare(&self, other: &Self) -> Option<std::cmp::Ordering> {
        let moment = |text: &Self| text.as_str().parse::<jiff::Timestamp>().ok();
        Some(moment(self)?.cmp(&moment(other)?))
    }

    /// Returns the moment so many days later, in UTC; `None` beyond any calendar, and for a moment without a zone.
    pub fn plus_days(&self, days: u16) -> Option<Self> {
        let moment: jiff::Timestamp = self.as_str().parse().ok()?;
        let seconds = i64::from(days) * 24 * 60 * 60;
        let later = jiff::Timestamp::from_second(moment.as_second().checked_add(seconds)?).ok()?;
        Self::new(&later.to_string()).ok()
    }
}

fn is_iso_8601(text: &str) -> bool {
    // The parser also takes a space and lower-case letters between date and time, and a zone in brackets; ISO does not.
    let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b"TZ:+-.,".contains(&b)) && text.contains('T');
    is_plain && (text.parse::<jiff::Timestamp>().is_ok() || text.parse::<jiff::civil::DateTime>().is_ok())
}

/// Facts about a review beside its claims.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Which review (000).
    pub review_id: Option<ReviewId>,
    /// When (000).
    pub timestamp: Option<Timestamp>,
    /// The kind of scope (000).
    pub scope: Option<ScopeKind>,
    /// The exact target, such as `origin/main..HEAD` (000).
    pub target: Option<String>,
    /// In which mode (000).
    pub mode: Option<Mode>,
    /// Where the report for people lies (000).
    pub report_path: Option<RepoPath>,
    /// The title of the report (002 in Markdown).
    pub title: Option<String>,
    /// The commit that was reviewed (002).
    pub reviewed_sha: Option<CommitSha>,
    /// The merge base (002).
    pub base_sha: Option<CommitSha>,
    /// The files that were reviewed (002).
    pub files_reviewed: Option<Vec<RepoPath>>,
    /// Whether the change has moved on since (002).
    pub re_review_required: Option<bool>,
    /// Further notes of the reviewer (002).
    pub notes: Option<String>,
    /// The task of the loop driver (001).
    pub task_id: Option<String>,
    /// Where the verdict file lies (001's pointer).
    pub verdict_file: Option<String>,
    /// The model that reviewed, by its name.
    pub model: Option<String>,
    /// Whether the reviewer was verified to be independent of the others.
    pub independence_verified: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_compared_across_zones() {
        let at = |text: &str| Timestamp::new(text).unwrap();
        let noon = at("2026-02-16T12:00:00Z");
        assert_eq!(noon.compare(&at("2026-02-16T14:00:00+02:00")), Some(std::cmp::Ordering::Equal));
        assert_eq!(noon.compare(&at("2026-02-16T12:00:00.5Z")), Some(std::cmp::Ordering::Less));
        assert_eq!(noon.compare(&at("2026-02-16T12:00:00")), None);
    }

    #[test]
    fn timestamps_are_iso_8601_and_exist() {
        for text in
            ["2026-02-16T14:30:00Z", "2026-02-16T14:30:00.123+02:00", "2024-02-29T00:00:00Z", "20260216T143000Z"]
        {
            assert!(Timestamp::new(text).is_ok(), "{text}");
        }
        for text in
            ["", "2026-02-16", "2026-02-30T00:00:00Z", "2026-02-16 14:30:00Z", "yesterday", "2026-13-01T00:00:00Z", "T"]
        {
            assert!(Timestamp::new(text).is_err(), "{text}");
        }
    }

    #[test]
    fn days_are_added_in_utc() {
        let later = |text: &str, days| Timestamp::new(text).unwrap().plus_days(days).map(|it| it.as_str().to_owned());
        assert_eq!(later("2026-02-27T23:00:00Z", 2).as_deref(), Some("2026-03-01T23:00:00Z"));
        assert_eq!(later("2026-02-27T23:00:00+02:00", 1).as_deref(), Some("2026-02-28T21:00:00Z"));
        assert_eq!(later("9999-12-30T00:00:00Z", 9), None);
    }

    #[test]
    fn ids_and_commits_are_lower_case_hexadecimal_of_one_length() {
        assert!(ReviewId::new("a3f8c12b").is_ok());
        for text in ["a3f8c12", "a3f8c12bb", "A3F8C12B", "g3f8c12b", ""] {
            assert!(ReviewId::new(text).is_err(), "{text}");
        }
        assert!(CommitSha::new(&"0a".repeat(20)).is_ok());
        assert!(CommitSha::new("abc123").is_err());
    }
}
