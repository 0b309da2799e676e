//! A person's recorded decision to accept a finding. Deliberately not here: where waivers are kept, and the current day.

use std::fmt;

use super::Timestamp;

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
    /// The person who accepts it; a waiver without one does not count.
    pub author: String,
    /// The last day on which it counts.
    pub expires: Day,
}

impl Day {
    /// Returns the day of a moment, as its own clock has it.
    pub fn of(moment: &Timestamp) -> Self {
        // Both spellings of ISO 8601 start with the date; `20260216T…` has no hyphens in it.
        let text = moment.as_str();
        let extended = text.get(..10).and_then(Self::new);
        let basic = || Self::new(&format!("{}-{}-{}", text.get(..4)?, text.get(4..6)?, text.get(6..8)?));
        // A year of more than four digits is no day that anybody means; on the last day there is, every waiver has ended.
        extended.or_else(basic).unwrap_or(Self(jiff::civil::Date::MAX))
    }

    /// Returns the day, in UTC, that so many seconds after the start of 1970 fall on; `None` beyond any calendar.
    pub fn of_seconds(seconds: i64) -> Option<Self> {
        let moment = jiff::Timestamp::from_second(seconds).ok()?;
        Some(Self(moment.to_zoned(jiff::tz::TimeZone::UTC).date()))
    }

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
        for text in ["2026-02-16T14:30:00Z", "20260216T143000Z", "2026-02-16T23:59:59.5+02:00"] {
            assert_eq!(Day::of(&Timestamp::new(text).unwrap()), day);
        }
        assert_eq!(Day::of_seconds(1_771_286_399), Some(day));
        assert_eq!(Day::of_seconds(i64::MAX), None);
        assert!(Day::of(&Timestamp::new("-000001-01-01T00:00:00Z").unwrap()) > Day::new("9998-01-01").unwrap());
    }
}
