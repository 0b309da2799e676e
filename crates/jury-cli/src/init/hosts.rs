//! The hosts of a repository, and the files that each loads. In: paths and texts. Out: rows of `jury::agents`, and files of `plugin/`.
//!
//! Deliberately not here: the data of each host (`jury::agents`), and merging with an existing file.

use std::collections::BTreeSet;

use jury::agents::{HOSTS, Host, Piece};
use jury::store::Spot;

use super::{Surroundings, Text, entries};
use crate::plugin;

/// The name of git's own hooks among the hosts.
pub(crate) const GIT: &str = "git";

/// Returns the names that `--hosts` takes.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    HOSTS.iter().map(|host| host.name).chain([GIT])
}

/// Returns the hosts whose signs are there. A file with only our own section is not a sign.
pub(crate) fn recognised(around: &Surroundings) -> Vec<&'static Host> {
    let is_ours = |path: &str| match around.texts.get(&Spot::Tree(path.to_owned())) {
        Some(Text::Read(text)) => path.ends_with(".md") && entries::out_of_section(text) == Ok(None),
        _ => false,
    };
    let is_sign = |path: &str| around.paths.contains(path) && !is_ours(path);
    HOSTS.iter().filter(|host| host.install.signs.iter().any(|sign| is_sign(sign))).collect()
}

/// Returns the files of a piece, each with the text that comes from the plugin.
pub(crate) fn files(piece: &Piece) -> Vec<(String, String)> {
    match piece {
        Piece::Folder { from, to } => {
            plugin::below(from).into_iter().map(|(path, text)| (format!("{to}/{path}"), text)).collect()
        }
        Piece::Json { from: [first, ..], to } => vec![((*to).to_owned(), plugin::written(first).to_owned())],
        Piece::Json { from: [], .. } => Vec::new(),
        Piece::Toml { from, to, .. } => vec![((*to).to_owned(), plugin::written(from).to_owned())],
        Piece::Section { to } => vec![((*to).to_owned(), plugin::written(plugin::SECTION).to_owned())],
    }
}

/// Returns every file of the working tree that any host could have installed.
pub(crate) fn all_spots() -> BTreeSet<Spot> {
    let pieces = HOSTS.iter().flat_map(|host| host.install.pieces);
    pieces.flat_map(files).map(|(path, _)| Spot::Tree(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_there_and_no_two_disagree_about_a_file() {
        let mut texts = std::collections::BTreeMap::new();
        for host in HOSTS {
            for piece in host.install.pieces {
                let files = files(piece);
                assert!(!files.is_empty(), "{}", host.name);
                for (path, text) in files {
                    assert_eq!(texts.entry(path.clone()).or_insert_with(|| text.clone()), &text, "{path}");
                }
            }
        }
        assert!(all_spots().len() > 40);
    }

    #[test]
    fn hosts_are_recognised_by_their_signs() {
        let around = |list: &[&str]| Surroundings {
            paths: list.iter().map(|path| (*path).to_owned()).collect(),
            ..Surroundings::default()
        };
        let names = |list: &[&str]| recognised(&around(list)).iter().map(|host| host.name).collect::<Vec<_>>();
        assert_eq!(names(&["README.md", "src/"]), [""; 0]);
        assert_eq!(names(&["CLAUDE.md", ".cursor/"]), ["claude", "cursor"]);
        assert_eq!(names(&["AGENTS.md", "opencode.json"]), ["codex", "opencode"]);
        assert_eq!(names(&[".claude"]), [""; 0], "a file of that name is no folder");
        let mut around = around(&["AGENTS.md"]);
        let section = entries::into_section(None, "ours").unwrap();
        around.texts.insert(Spot::Tree("AGENTS.md".to_owned()), Text::Read(section.clone()));
        assert_eq!(recognised(&around).len(), 0, "what we wrote for one host is no sign of another");
        around.texts.insert(Spot::Tree("AGENTS.md".to_owned()), Text::Read(format!("# Theirs\n\n{section}")));
        assert_eq!(recognised(&around).len(), 1);
    }
}
