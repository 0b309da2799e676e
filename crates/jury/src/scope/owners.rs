//! CODEOWNERS in, by GitHub's rules; which paths a team owns out.
//!
//! The file is read from the base: a change cannot give itself other owners. Deliberately not here: GitLab's sections.

use gix::bstr::{BStr, ByteSlice as _};
use gix::glob::{Pattern, pattern::Case, wildmatch};

use super::{Repository, ScopeError, Snapshot};
use crate::model::{Base, RepoPath};

/// Where the file may lie; the first that is there counts.
const PLACES: [&str; 3] = [".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"];

/// The files of a team.
pub(super) struct Owned {
    rules: Vec<Rule>,
    team: String,
}

/// The owners of files, as the base has them.
pub struct Owners {
    rules: Vec<Rule>,
}

impl Owners {
    /// Returns the owners of a path: those of the last rule that matches it, in lower case.
    pub fn of(&self, path: &str) -> &[String] {
        let rule = self.rules.iter().rev().find(|rule| rule.matches(path.as_bytes()));
        rule.map_or(&[], |rule| &rule.owners)
    }
}

impl Repository {
    /// Reads the owners of files; `None` if the base has no list of them.
    pub fn owners(&self, base: &Base) -> Result<Option<Owners>, ScopeError> {
        for place in PLACES {
            let place = RepoPath::new(place).expect("the places are legal paths");
            if let Some(text) = self.base_file(base, &place)? {
                return Ok(Some(Owners { rules: parse(&String::from_utf8_lossy(&text)) }));
            }
        }
        Ok(None)
    }
}

struct Rule {
    pattern: Pattern,
    /// Whether it means a folder and all that is below it.
    is_folder: bool,
    /// In lower case, for names of teams have no case.
    owners: Vec<String>,
}

impl Owned {
    /// Tells whether the team owns a path: the last rule that matches it decides.
    pub(super) fn has(&self, path: &[u8]) -> bool {
        let rule = self.rules.iter().rev().find(|rule| rule.matches(path));
        rule.is_some_and(|rule| rule.owners.iter().any(|owner| is_team(owner, &self.team)))
    }
}

/// Tells whether an owner is the named team: `@org/team`, `org/team`, or `team` alone.
fn is_team(owner: &str, team: &str) -> bool {
    let (owner, team) = (owner.trim_start_matches('@'), team.trim_start_matches('@'));
    owner == team || (!team.contains('/') && owner.rsplit_once('/').is_some_and(|(_, name)| name == team))
}

impl Rule {
    fn matches(&self, path: &[u8]) -> bool {
        let matches = |path: &[u8], is_folder: bool| {
            let path: &BStr = path.into();
            let name = path.rfind_byte(b'/').map(|slash| slash + 1);
            let mode = wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
            self.pattern.matches_repo_relative_path(path, name, Some(is_folder), Case::Sensitive, mode)
        };
        if !self.is_folder && matches(path, false) {
            return true;
        }
        // A pattern that matches a folder owns all of it, unless its last part is a `*`, which means one level only.
        let is_one_level = self.pattern.text.ends_with(b"/*");
        let slashes = path.iter().enumerate().filter(|(_, byte)| **byte == b'/').map(|(at, _)| at);
        !is_one_level && slashes.into_iter().any(|at| matches(&path[..at], true))
    }
}

/// Reads the rules. Lines that GitHub does not take (negations, character ranges) are skipped, as it does.
fn parse(text: &str) -> Vec<Rule> {
    text.lines().filter_map(rule).collect()
}

fn rule(line: &str) -> Option<Rule> {
    let line = line.trim();
    if line.is_empty() || line.starts_with(['#', '!']) {
        return None;
    }
    let (pattern, owners) = split(line);
    if pattern.contains(['[', ']']) {
        return None;
    }
    let is_folder = pattern.ends_with('/');
    // A comment may follow on the line.
    let owners = owners.split_whitespace().take_while(|word| !word.starts_with('#')).map(str::to_lowercase).collect();
    Pattern::from_bytes_without_negation(pattern.as_bytes()).map(|pattern| Rule { pattern, is_folder, owners })
}

/// Splits a line at the first white space that is not escaped.
fn split(line: &str) -> (String, &str) {
    let mut pattern = String::new();
    let mut characters = line.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some((_, ' ')) => pattern.push(' '),
                Some((_, other)) => pattern.extend(['\\', other]),
                None => {}
            },
            character if character.is_whitespace() => return (pattern, &line[at..]),
            character => pattern.push(character),
        }
    }
    (pattern, "")
}

/// Finds the files of a team.
pub(super) fn of_team(
    repository: &Repository,
    snapshot: &Snapshot,
    base: &Base,
    team: &str,
) -> Result<Owned, ScopeError> {
    for place in PLACES {
        let place = RepoPath::new(place).expect("the places are legal paths");
        let Some(text) = repository.base_file(base, &place)? else { continue };
        let rules = parse(&String::from_utf8_lossy(&text));
        let owned = Owned { rules, team: team.to_lowercase() };
        if snapshot.leaves().iter().any(|(path, _)| owned.has(path)) {
            return Ok(owned);
        }
        let mut known: Vec<String> = owned.rules.into_iter().flat_map(|rule| rule.owners).collect();
        known.sort_unstable();
        known.dedup();
        known.truncate(20);
        return Err(ScopeError::NoTeam { name: team.to_owned(), owners: place, known });
    }
    Err(ScopeError::NoOwners)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn owner_of(text: &str, path: &str) -> String {
        let rules = parse(text);
        let rule = rules.iter().rev().find(|rule| rule.matches(path.as_bytes()));
        rule.map(|rule| rule.owners.join(" ")).unwrap_or_default()
    }

    #[test]
    fn patterns_mean_what_they_mean_on_github() {
        for (pattern, path, owned) in [
            ("*", "a/b/c.rs", true),
            ("*.js", "a/b/c.js", true),
            ("*.js", "a/b/c.JS", false),
            ("/build/logs/", "build/logs/a/b.log", true),
            ("/build/logs/", "x/build/logs/a.log", false),
            ("docs/*", "docs/getting-started.md", true),
            ("docs/*", "docs/build-app/troubleshooting.md", false),
            ("apps/", "x/apps/y/z.rs", true),
            ("apps/", "apps", false),
            ("/docs/", "docs/a/b.md", true),
            ("/scripts/", "scripts/run", true),
            ("**/logs", "build/logs/a.log", true),
            ("**/logs", "deeply/nested/logs/x/y", true),
            ("/apps/github", "apps/github/a.rs", true),
            ("/apps/github", "apps/github2/a.rs", false),
            ("apps/github", "apps/github/a.rs", true),
            ("apps/github", "x/apps/github/a.rs", false),
            ("src/**/test", "src/a/b/test/c.rs", true),
            ("/a\\ b.txt", "a b.txt", true),
            ("!src/", "src/a.rs", false),
            ("[ab].rs", "a.rs", false),
            ("Makefile", "x/Makefile", true),
            ("makefile", "x/Makefile", false),
        ] {
            assert_eq!(owner_of(&format!("{pattern} @o/t"), path) == "@o/t", owned, "{pattern} {path}");
        }
    }

    #[test]
    fn the_last_match_decides_and_may_take_ownership_away() {
        let text = "# all\n* @o/all\n/src/ @o/src @me # not @o/other\n/src/generated\n*.md docs@example.com\n";
        for (path, owner) in [
            ("a", "@o/all"),
            ("src/a.rs", "@o/src @me"),
            ("src/generated/x.rs", ""),
            ("src/README.md", "docs@example.com"),
        ] {
            assert_eq!(owner_of(text, path), owner, "{path}");
        }
    }

    #[test]
    fn teams_are_found_under_their_short_names_in_any_case() {
        assert!(is_team("@org/team", "org/team"));
        assert!(is_team("@org/team", "@org/team"));
        assert!(is_team("@org/team", "team"));
        assert!(is_team("@me", "me"));
        assert!(!is_team("@org/team", "org"));
        assert!(!is_team("@org/team", "other/team"));
        let owned = Owned { rules: parse("* @Org/Team"), team: "TEAM".to_lowercase() };
        assert!(owned.has(b"x"));
    }
}
