//! Versions and requirements. In: their texts. Out: which of two versions is higher, and whether a requirement allows one.
//!
//! `None` where that cannot be told surely: nothing is raised on a guess. Deliberately not here: epochs, local versions, and the order of
//! pre-releases.

use std::cmp::Ordering;

use super::families::Ecosystem;

/// Returns the numbers of a plain version: `1.2.3`, `v1.2`.
fn numbers(text: &str) -> Option<Vec<u64>> {
    let text = text.trim().trim_start_matches(['v', 'V']).split('+').next()?;
    let numbers: Vec<u64> = text.split('.').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    (numbers.len() <= 5).then_some(numbers)
}

fn at(numbers: &[u64], index: usize) -> u64 {
    numbers.get(index).copied().unwrap_or_default()
}

fn ordering(one: &[u64], other: &[u64]) -> Ordering {
    let length = one.len().max(other.len());
    (0..length)
        .map(|index| at(one, index).cmp(&at(other, index)))
        .find(|order| order.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// Compares two plain versions.
pub(crate) fn compare(one: &str, other: &str) -> Option<Ordering> {
    Some(ordering(&numbers(one)?, &numbers(other)?))
}

/// Tells whether two versions have another first number.
pub(crate) fn crosses_major(one: &str, other: &str) -> bool {
    match (numbers(one), numbers(other)) {
        (Some(one), Some(other)) => at(&one, 0) != at(&other, 0),
        _ => false,
    }
}

/// Tells whether a requirement of an ecosystem allows a version.
pub(crate) fn allows(ecosystem: Ecosystem, requirement: &str, version: &str) -> Option<bool> {
    let locked = numbers(version)?;
    let requirement = requirement.trim();
    let mut is_allowed = false;
    let alternatives = requirement.replace("||", "|");
    for alternative in alternatives.split('|') {
        let mut is_all = true;
        let joined = joined(alternative);
        for comparator in joined.split([',', ' ']).filter(|comparator| !comparator.is_empty()) {
            is_all &= allows_one(ecosystem, comparator, &locked)?;
        }
        is_allowed |= is_all;
    }
    Some(is_allowed)
}

/// Joins an operator with the version after it: `>= 1.0` is one comparator.
fn joined(text: &str) -> String {
    let mut joined = String::new();
    for word in text.split_whitespace() {
        if !joined.is_empty() && !joined.ends_with(['<', '>', '=', '~', '^', '!', ',']) {
            joined.push(' ');
        }
        joined.push_str(word);
    }
    joined
}

fn allows_one(ecosystem: Ecosystem, comparator: &str, locked: &[u64]) -> Option<bool> {
    let end = comparator.find(|c: char| !"<>=~^!".contains(c)).unwrap_or(comparator.len());
    let (operator, text) = comparator.split_at(end);
    if ["*", "x", "X", ""].contains(&text) {
        return (operator.is_empty() || operator == ">=" || operator == "^").then_some(true);
    }
    let stars = [".*", ".x", ".X"];
    let wild = stars.iter().find_map(|star| text.strip_suffix(star));
    if let Some(prefix) = wild {
        let prefix = numbers(stars.iter().find_map(|star| prefix.strip_suffix(star)).unwrap_or(prefix))?;
        let is_in = (0..prefix.len()).all(|index| at(locked, index) == prefix[index]);
        return match operator {
            "" | "=" | "==" | "^" | "~" => Some(is_in),
            "!=" => Some(!is_in),
            _ => None,
        };
    }
    let wanted = numbers(text)?;
    let order = ordering(locked, &wanted);
    let below = |length: usize| order.is_ge() && (0..length).all(|index| at(locked, index) == at(&wanted, index));
    Some(match (operator, ecosystem) {
        (">=", _) => order.is_ge(),
        (">", _) if wanted.len() < 3 && ecosystem == Ecosystem::Npm => return None,
        (">", _) => order.is_gt(),
        ("<=", _) if wanted.len() < 3 && ecosystem == Ecosystem::Npm => return None,
        ("<=", _) => order.is_le(),
        ("<", _) => order.is_lt(),
        ("!=", _) => order.is_ne(),
        ("==" | "===", _) => order.is_eq(),
        ("=" | "", Ecosystem::Npm | Ecosystem::Php) if wanted.len() < 3 && operator.is_empty() => below(wanted.len()),
        ("", Ecosystem::Cargo) | ("^", _) => {
            // The first number that is not zero, or the last that is given.
            let fixed = wanted.iter().position(|number| *number != 0).unwrap_or(wanted.len().saturating_sub(1));
            below(fixed + 1)
        }
        ("=" | "", _) => order.is_eq(),
        ("~", Ecosystem::Php) | ("~>" | "~=", _) => {
            below(wanted.len().saturating_sub(1).max(usize::from(ecosystem == Ecosystem::Php)))
        }
        ("~", _) => below(wanted.len().clamp(1, 2)),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_allow_what_their_managers_allow() {
        use Ecosystem::{Cargo, Npm, Php, Python, Ruby};
        for (ecosystem, requirement, version, expected) in [
            (Npm, "^4.1.0", "4.1.2", Some(true)),
            (Npm, "^4.1.0", "5.0.0", Some(false)),
            (Npm, "^4.1.0", "4.0.9", Some(false)),
            (Npm, "^0.2.1", "0.3.0", Some(false)),
            (Npm, "^0.0.3", "0.0.4", Some(false)),
            (Npm, "~1.2.3", "1.3.0", Some(false)),
            (Npm, "1.x || >=2.5.0 <3", "2.4.0", Some(false)),
            (Npm, "1.x || >=2.5.0 <3", "2.6.0", Some(true)),
            (Npm, ">= 1.0.0", "2.6.0", Some(true)),
            (Npm, "1", "1.9.0", Some(true)),
            (Npm, "*", "1.9.0", Some(true)),
            (Npm, "latest", "1.9.0", None),
            (Npm, "1.0.0 - 2.0.0", "1.9.0", None),
            (Npm, "^1.0.0", "1.0.0-rc.1", None),
            (Cargo, "1.2", "1.9.0", Some(true)),
            (Cargo, "=1.2.3", "1.2.4", Some(false)),
            (Cargo, ">=1.2, <1.5", "1.5.0", Some(false)),
            (Python, ">=2.28,<3", "2.31.0", Some(true)),
            (Python, "~=1.4.2", "1.5.0", Some(false)),
            (Python, "==1.4.*", "1.4.9", Some(true)),
            (Python, "==1.4", "1.4.0", Some(true)),
            (Ruby, "~> 2.2", "2.9.1", Some(true)),
            (Ruby, "~> 2.2.3", "2.3.0", Some(false)),
            (Php, "~1.2", "1.9.0", Some(true)),
            (Php, "^1.0|^2.0", "3.0.0", Some(false)),
        ] {
            assert_eq!(allows(ecosystem, requirement, version), expected, "{requirement} {version}");
        }
        assert_eq!(compare("1.10.0", "1.9.9"), Some(Ordering::Greater));
        assert_eq!(compare("1.10.0", "1.x"), None);
    }
}
