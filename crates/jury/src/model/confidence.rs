//! How sure a reviewer is: a whole percent, with the finer native value kept beside it.
//!
//! In: a decimal fraction, a percent, or a word. Out: each of these again. No floating point is involved, so
//! `0.29` is 29 percent on every machine.

use std::fmt;

/// A confidence between 0 and 100 percent.
///
/// Decisions use [`Confidence::percent`]. A fraction that came in finer than a percent is kept to six decimals, so
/// that it goes out unchanged in the same format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Confidence {
    millionths: u32,
}

/// Why a value is not a confidence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfidenceError {
    /// The number lies outside 0–100 percent.
    #[error("{0} is not between 0 and 100 percent")]
    OutOfRange(String),
    /// The number is lower than the contract allows.
    #[error("{found} is less than {percent} percent")]
    TooLow {
        /// The number.
        found: String,
        /// The least that is allowed.
        percent: u32,
    },
    /// The text is not a plain decimal number.
    #[error("{0:?} is not a decimal number")]
    NotANumber(String),
}

impl Confidence {
    /// The confidence of a reviewer that states none: the lowest that 004 reports, so that silence suppresses nothing.
    pub const UNSTATED: Self = Self::whole(75);

    const fn whole(percent: u32) -> Self {
        Self { millionths: percent * 10_000 }
    }

    /// Makes a confidence from a whole percent.
    pub fn from_percent(percent: u32) -> Result<Self, ConfidenceError> {
        if percent > 100 {
            return Err(ConfidenceError::OutOfRange(percent.to_string()));
        }
        Ok(Self::whole(percent))
    }

    /// Makes a confidence from the decimal spelling of a fraction between 0 and 1.
    pub fn from_fraction(text: &str) -> Result<Self, ConfidenceError> {
        let (millionths, _) = scaled_decimal(text, 6).ok_or_else(|| ConfidenceError::NotANumber(text.to_owned()))?;
        u32::try_from(millionths)
            .ok()
            .filter(|_| exact_percents(text).is_some_and(|percents| (0..=100 * PERCENT).contains(&percents)))
            .map(|millionths| Self { millionths })
            .ok_or_else(|| ConfidenceError::OutOfRange(text.to_owned()))
    }

    /// Makes a confidence from a fraction as [`Confidence::from_fraction`] does, if it is at least so many percent. The
    /// bound is held exactly: 0.4999999 is not 50 percent, although it is kept as 0.5.
    pub fn from_fraction_of_at_least(text: &str, percent: u32) -> Result<Self, ConfidenceError> {
        let confidence = Self::from_fraction(text)?;
        let is_enough = exact_percents(text).is_some_and(|percents| percents >= i64::from(percent) * PERCENT);
        if is_enough { Ok(confidence) } else { Err(ConfidenceError::TooLow { found: text.to_owned(), percent }) }
    }

    /// Returns the whole percent, rounded down.
    pub const fn percent(self) -> u32 {
        self.millionths / 10_000
    }

    /// Returns the millionths, for ordering only.
    pub(crate) const fn millionths(self) -> u32 {
        self.millionths
    }

    /// Returns 004's anchor at or below this confidence.
    pub const fn anchor(self) -> u32 {
        self.percent() / 25 * 25
    }

    /// Returns the fraction with as few decimals as say it exactly.
    pub fn fraction(self) -> String {
        let whole = self.millionths / 1_000_000;
        let decimals = format!("{:06}", self.millionths % 1_000_000);
        match decimals.trim_end_matches('0') {
            "" => format!("{whole}.0"),
            decimals => format!("{whole}.{decimals}"),
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.millionths.is_multiple_of(10_000) {
            write!(f, "{}%", self.percent())
        } else {
            f.write_str(&self.fraction())
        }
    }
}

/// Reads a JSON number as an integer count of 10^-`decimals`, rounding finer values to the nearest, and tells whether
/// nothing was finer. `None` if the text is no JSON number or too large to matter.
fn scaled_decimal(text: &str, decimals: i32) -> Option<(i64, bool)> {
    let (mantissa, exponent) = match text.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
    let (integer, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = || integer.bytes().chain(fraction.bytes());
    if integer.is_empty() || !digits().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let kept = i64::from(decimals) + i64::from(exponent) + integer.len() as i64;
    let mut value: i64 = 0;
    for position in 0..kept.clamp(0, 64) {
        let digit = digits().nth(position as usize).map_or(0, |b| i64::from(b - b'0'));
        value = value.checked_mul(10)?.checked_add(digit)?;
    }
    if kept > 64 && digits().any(|b| b != b'0') {
        return None;
    }
    let is_exact = digits().skip(kept.max(0) as usize).all(|b| b == b'0');
    let rounds_up = kept >= 0 && digits().nth(kept as usize).is_some_and(|b| b >= b'5');
    let value = value + i64::from(rounds_up);
    Some((if negative { -value } else { value }, is_exact))
}

/// Reads a JSON number that is whole, however it is spelled: `7`, `7.0`, `70e-1`.
pub(crate) fn whole_number(text: &str) -> Option<i64> {
    scaled_decimal(text, 0).filter(|(_, is_exact)| *is_exact).map(|(value, _)| value)
}

/// One percent in the unit of [`exact_percents`].
const PERCENT: i64 = 10_000_000_000_000_000;

/// Reads a fraction to 18 decimals, which distinguish all doubles.
fn exact_percents(text: &str) -> Option<i64> {
    scaled_decimal(text, 18).map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_exact_to_six_decimals() {
        for (text, percent, again) in [
            ("0.29", 29, "0.29"),
            ("0.9", 90, "0.9"),
            ("0.90", 90, "0.9"),
            ("1", 100, "1.0"),
            ("0.905", 90, "0.905"),
            ("0.8500000000000001", 85, "0.85"),
            ("8.5e-1", 85, "0.85"),
            ("0", 0, "0.0"),
        ] {
            let confidence = Confidence::from_fraction(text).unwrap();
            assert_eq!((confidence.percent(), confidence.fraction().as_str()), (percent, again), "{text}");
        }
    }

    #[test]
    fn what_is_not_between_zero_and_one_is_refused() {
        for text in [
            "1.01",
            "-0.1",
            "101",
            "1e9",
            "1e400",
            "99999999999999999999",
            "NaN",
            "",
            ".5",
            "0x1",
            "1.000001",
            "1.0000001",
            "-0.0000001",
        ] {
            assert!(Confidence::from_fraction(text).is_err(), "{text}");
        }
        assert!(Confidence::from_percent(101).is_err());
    }

    #[test]
    fn the_least_confidence_is_held_exactly() {
        let is_enough = |text| Confidence::from_fraction_of_at_least(text, 50).is_ok();
        assert!(["0.5", "0.50", "5e-1", "0.5000000001", "1"].into_iter().all(is_enough));
        assert!(!["0.49", "0.4999999", "0", "1.01"].into_iter().any(is_enough));
    }

    #[test]
    fn whole_numbers_are_whole_to_the_last_digit() {
        for (text, number) in [
            ("7", Some(7)),
            ("7.0", Some(7)),
            ("70e-1", Some(7)),
            ("1e2", Some(100)),
            ("-0", Some(0)),
            ("-3", Some(-3)),
        ] {
            assert_eq!(whole_number(text), number, "{text}");
        }
        for text in ["7.5", "7.0000000001", "1e-1", "7e-400", "99999999999999999999", "x"] {
            assert_eq!(whole_number(text), None, "{text}");
        }
        assert_eq!(whole_number("0e400"), Some(0));
    }

    #[test]
    fn anchors_round_down() {
        for (percent, anchor) in [(0, 0), (24, 0), (25, 25), (74, 50), (75, 75), (99, 75), (100, 100)] {
            assert_eq!(Confidence::from_percent(percent).unwrap().anchor(), anchor);
        }
    }
}
