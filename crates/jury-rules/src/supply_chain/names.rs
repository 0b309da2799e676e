//! Names of packages. In: a name. Out: its form for comparison, whether it is well-known, and the well-known one that it imitates.
//!
//! The well-known names are data: `popular/ECOSYSTEM.txt`, most downloaded first is not needed. A name that is itself in the list is
//! never an imitation, so pairs of honest names that are alike both stand there.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use super::families::Ecosystem;

/// The shortest name that can be imitated: between shorter ones a single edit says nothing.
const SHORTEST: usize = 5;

/// Returns a name in the form in which its ecosystem compares names.
pub(crate) fn folded(ecosystem: Ecosystem, name: &str) -> String {
    match ecosystem {
        Ecosystem::Python => {
            let mut folded = String::new();
            for c in name.chars().flat_map(char::to_lowercase) {
                let c = if matches!(c, '_' | '.') { '-' } else { c };
                if c != '-' || !folded.ends_with('-') {
                    folded.push(c);
                }
            }
            folded
        }
        Ecosystem::DotNet | Ecosystem::Php => name.to_lowercase(),
        _ => name.to_owned(),
    }
}

/// Tells whether a name is well-known.
pub(crate) fn is_well_known(ecosystem: Ecosystem, name: &str) -> bool {
    well_known(ecosystem).contains(folded(ecosystem, name).as_str())
}

/// Returns the well-known name that another name is one edit away from: a letter more, less or other, two swapped, another separator.
pub(crate) fn imitated(ecosystem: Ecosystem, name: &str) -> Option<&'static str> {
    let known = well_known(ecosystem);
    let name = folded(ecosystem, name);
    if known.contains(name.as_str()) || name.chars().count() < SHORTEST - 1 {
        return None;
    }
    let is_like = |other: &&&'static str| {
        let is_long = other.rsplit('/').next().is_some_and(|base| base.chars().count() >= SHORTEST);
        is_long && (is_one_edit(&name, other) || bare(&name) == bare(other))
    };
    known.iter().find(is_like).copied()
}

fn well_known(ecosystem: Ecosystem) -> &'static BTreeSet<&'static str> {
    static KNOWN: [OnceLock<BTreeSet<&'static str>>; 8] = [const { OnceLock::new() }; 8];
    let text = match ecosystem {
        Ecosystem::Npm => include_str!("popular/npm.txt"),
        Ecosystem::Cargo => include_str!("popular/cargo.txt"),
        Ecosystem::Python => include_str!("popular/python.txt"),
        Ecosystem::Ruby => include_str!("popular/ruby.txt"),
        Ecosystem::Php => include_str!("popular/php.txt"),
        Ecosystem::DotNet => include_str!("popular/dotnet.txt"),
        Ecosystem::Go => include_str!("popular/go.txt"),
        // What `go.mod` names is enough.
        Ecosystem::GoSum => "",
    };
    KNOWN[ecosystem as usize].get_or_init(|| text.split_whitespace().collect())
}

/// Leaves the separators out.
fn bare(name: &str) -> String {
    name.chars().filter(|c| !matches!(c, '-' | '_' | '.')).collect()
}

/// Tells whether two names are exactly one edit apart; swapping two neighbours is one.
fn is_one_edit(one: &str, other: &str) -> bool {
    let (one, other): (Vec<char>, Vec<char>) = (one.chars().collect(), other.chars().collect());
    let (short, long) = if one.len() <= other.len() { (&one, &other) } else { (&other, &one) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let start = short.iter().zip(long).take_while(|(a, b)| a == b).count();
    let rest = |from_short: usize, from_long: usize| short[from_short..] == long[from_long..];
    if long.len() > short.len() {
        return rest(start, start + 1);
    }
    if start == short.len() {
        return false;
    }
    let is_swap = start + 1 < short.len()
        && short[start] == long[start + 1]
        && short[start + 1] == long[start]
        && rest(start + 2, start + 2);
    is_swap || rest(start + 1, start + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_edit_imitates_and_a_well_known_name_does_not() {
        for (name, expected) in [
            ("lodahs", Some("lodash")),
            ("loadash", Some("lodash")),
            ("lodas", Some("lodash")),
            ("1odash", Some("lodash")),
            ("crossenv", Some("cross-env")),
            ("lodash", None),
            ("preact", None),
            ("lodash-es", None),
            ("left-pad-two", None),
            ("ms", None),
        ] {
            assert_eq!(imitated(Ecosystem::Npm, name), expected, "{name}");
        }
        assert_eq!(imitated(Ecosystem::Python, "Requestss"), Some("requests"));
        assert_eq!(imitated(Ecosystem::Python, "python_dateutil"), None);
    }

    #[test]
    fn the_lists_hold_folded_names_once() {
        let all = [
            Ecosystem::Npm,
            Ecosystem::Cargo,
            Ecosystem::Go,
            Ecosystem::Python,
            Ecosystem::Ruby,
            Ecosystem::Php,
            Ecosystem::DotNet,
        ];
        for ecosystem in all {
            let known = well_known(ecosystem);
            assert!(known.len() >= 30, "{ecosystem:?}");
            assert!(known.iter().all(|name| folded(ecosystem, name) == **name), "{ecosystem:?}");
        }
    }
}
