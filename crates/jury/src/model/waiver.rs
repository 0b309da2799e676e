//! A person's recorded decision to accept a finding. Deliberately not here: where waivers are kept, and what today is.

use std::fmt;

/// A day of the calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Day(jiff::civil::Date);

/// A recorded decision to accept a finding until a day.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiver {
    /// The fingerprint or the id of the finding.
    pub finding: String,
    /// Why it is accepted; a waiver without a reason does not count.
    pub reason: String,
    /// Who accepts it; a waiver that nobody stands behind does not count.
    pub author: String,
    /// The last day on which it counts.
    pub expires: Day,
}

impl Day {
    /// Reads `2026-02-16`; `None` if there is no such day.
    pub fn new(text: &str) -> Option<Self> {
        let is_plain = text.len() == 10 && text.bytes().all(|b| b.is_ascii_digit() || b == b'-');
        if is_plain { text.parse().ok().map(Self) } else { None }
    }
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_exist_and_are_in_order() {
        for text in ["", "2026-02-30", "2026-2-3", "20260216", "2026-02-16T00:00:00", "+026-02-16"] {
            assert_eq!(Day::new(text), None, "{text}");
        }
        let day = Day::new("2026-02-16").unwrap();
        assert_eq!(day.to_string(), "2026-02-16");
        assert!(day < Day::new("2026-03-01").unwrap());
    }
}
