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
        let millionths = scaled_decimal(text, 6).ok_or_else(|| ConfidenceError::NotANumber(text.to_owned()))?;
        u32::try_from(millionths)
            .ok()
            .filter(|m| *m <= 1_000_000)
            .map(|millionths| Self { millionths })
            .ok_or_else(|| ConfidenceError::OutOfRange(text.to_owned()))
    }

    /// Returns the whole percent, rounded down.
    pub const fn percent(self) -> u32 {
        self.millionths / 10_000
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

/// Reads a JSON number as an integer count of 10^-`decimals`, rounding what is finer to the nearest. `None` if the
/// text is no JSON number or too large to matter.
pub(crate) fn scaled_decimal(text: &str, decimals: i32) -> Option<i64> {
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
    let rounds_up = kept >= 0 && digits().nth(kept as usize).is_some_and(|b| b >= b'5');
    let value = value + i64::from(rounds_up);
    Some(if negative { -value } else { value })
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
        for text in ["1.01", "-0.1", "101", "1e9", "1e400", "99999999999999999999", "NaN", "", ".5", "0x1", "1.000001"]
        {
            assert!(Confidence::from_fraction(text).is_err(), "{text}");
        }
        assert!(Confidence::from_percent(101).is_err());
    }

    #[test]
    fn anchors_round_down() {
        for (percent, anchor) in [(0, 0), (24, 0), (25, 25), (74, 50), (75, 75), (99, 75), (100, 100)] {
            assert_eq!(Confidence::from_percent(percent).unwrap().anchor(), anchor);
        }
    }
}
