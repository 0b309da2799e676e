//! The size of the long campaigns: thousands of damages, kills and writers.
//!
//! In: the full size, as the property asks for it. Out: that size in `cargo xtask campaign` (`JURY_CAMPAIGN=full`), a tenth of it in any
//! other run. Deliberately not here: anything that a campaign asserts, which is the same at both sizes.

/// The variable that asks for full size.
pub const VARIABLE: &str = "JURY_CAMPAIGN";
/// The value of the variable that asks for full size.
pub const FULL: &str = "full";

/// Returns the size of a campaign in this run, at least 1.
///
/// # Panics
/// If the variable has any other value: a misspelt `full` would pass as a full campaign.
pub fn size(full: usize) -> usize {
    match std::env::var(VARIABLE).as_deref() {
        Err(_) => full.div_ceil(10),
        Ok(FULL) => full,
        Ok(other) => panic!("{VARIABLE} is {other:?}; it can be {FULL:?} or absent"),
    }
}

/// Returns the number of cases of a property that is a campaign; `PROPTEST_CASES` replaces it.
pub fn cases(full: u32) -> u32 {
    cases_or(u32::try_from(size(full as usize)).expect("a part of a `u32` is one"))
}

/// Returns the number of cases that `PROPTEST_CASES` asks for, or the usual number.
pub fn cases_or(usual: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}
