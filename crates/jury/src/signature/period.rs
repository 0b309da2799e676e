//! The period in which a key or a certificate counts: seconds since 1970, and the days and times of a list of signers.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;

use super::Refusal;
use crate::model::Timestamp;

/// A period: from the first second to before the last one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Period {
    pub(super) after: Option<u64>,
    pub(super) before: Option<u64>,
}

impl Period {
    /// Refuses a moment outside.
    pub(super) fn check(self, at: u64) -> Result<(), Refusal> {
        if self.after.is_some_and(|after| at < after) {
            return Err(Refusal::NotYet);
        }
        if self.before.is_some_and(|before| at >= before) {
            return Err(Refusal::Expired);
        }
        Ok(())
    }
}

/// Returns the second of a moment; one without a zone is of UTC.
pub(super) fn second(at: &Timestamp) -> u64 {
    let parsed = at.as_str().parse::<jiff::Timestamp>().ok();
    let civil = || at.as_str().parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp());
    parsed.or_else(civil).and_then(|moment| u64::try_from(moment.as_second()).ok()).unwrap_or_default()
}

/// Reads a time of a list of signers: `YYYYMMDD` or `YYYYMMDDHHMM[SS]`, each with or without a `Z`. It is always of UTC: the time zone of the
/// machine that checks must not change what counts.
pub(super) fn time(text: &str) -> Option<u64> {
    let digits = text.strip_suffix('Z').unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) || ![8, 12, 14].contains(&digits.len()) {
        return None;
    }
    let part = |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |part| part.parse::<i16>().ok());
    let small = |from: usize, to: usize| part(from, to).and_then(|number| i8::try_from(number).ok());
    let (year, month, day) = (part(0, 4)?, small(4, 6)?, small(6, 8)?);
    let (hour, minute, second) = (small(8, 10)?, small(10, 12)?, small(12, 14)?);
    let moment = DateTime::new(year, month, day, hour, minute, second, 0).ok()?;
    u64::try_from(moment.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_of_utc_and_exist() {
        assert_eq!(time("19700102"), Some(86_400));
        assert_eq!(time("19700102Z"), Some(86_400));
        assert_eq!(time("197001010001"), Some(60));
        assert_eq!(time("19700101000102Z"), Some(62));
        for text in ["", "1970", "19701301", "19700132", "1970010100", "197001012500", "0x10", "+1970010"] {
            assert_eq!(time(text), None, "{text}");
        }
    }

    #[test]
    fn a_period_has_its_first_second_and_not_its_last() {
        let period = Period { after: Some(10), before: Some(20) };
        assert_eq!(period.check(9), Err(Refusal::NotYet));
        assert_eq!(period.check(10), Ok(()));
        assert_eq!(period.check(19), Ok(()));
        assert_eq!(period.check(20), Err(Refusal::Expired));
    }
}
