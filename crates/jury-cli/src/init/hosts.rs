//! The hosts that Jury can be at home in: by what each is recognised, and which files it loads from where. Data.
//!
//! Every file comes from `plugin/`. Deliberately not here: how a file is joined with what is there.

use std::collections::BTreeSet;

use jury::store::Spot;

use super::{Surroundings, Text, merge};
use crate::plugin;

/// A host of agents.
pub(crate) struct Host {
    /// What it is called on the command line, and in `jury hook`.
    pub(crate) name: &'static str,
    /// What people call it.
    pub(crate) title: &'static str,
    /// Paths by which it is recognised; a folder ends with a slash.
    pub(crate) signs: &'static [&'static str],
    /// What it loads.
    pub(crate) pieces: &'static [Piece],
    /// What a person has to do once before it heeds them: until then it says nothing, and goes on.
    pub(crate) once: Option<&'static str>,
}

/// Something that a host loads.
pub(crate) enum Piece {
    /// All files below a folder of the plugin, each as it is.
    Folder { from: &'static str, to: &'static str },
    /// Settings in JSON, joined from files of the plugin.
    Json { from: &'static [&'static str], to: &'static str },
    /// A block of TOML at the end of a file.
    Toml { from: &'static str, to: &'static str, table: [&'static str; 2] },
    /// The section about review in a Markdown file.
    Section { to: &'static str },
}

/// Where every host but Claude Code looks for skills.
const SKILLS: Piece = Piece::Folder { from: "skills", to: ".agents/skills" };

/// Every host, in the order in which they are shown.
pub(crate) const HOSTS: &[Host] = &[
    Host {
        name: "claude",
        title: "Claude Code",
        signs: &[".claude/", "CLAUDE.md", ".mcp.json"],
        pieces: &[
            Piece::Folder { from: "skills", to: ".claude/skills" },
            Piece::Folder { from: "agents", to: ".claude/agents" },
            Piece::Json { from: &["hooks/hooks.json"], to: ".claude/settings.json" },
            Piece::Json { from: &[".mcp.json"], to: ".mcp.json" },
            Piece::Section { to: "CLAUDE.md" },
        ],
        once: None,
    },
    Host {
        name: "codex",
        title: "Codex",
        signs: &[".codex/", "AGENTS.md"],
        pieces: &[
            SKILLS,
            Piece::Folder { from: "codex/agents", to: ".codex/agents" },
            Piece::Json { from: &["codex/hooks.json"], to: ".codex/hooks.json" },
            Piece::Toml { from: "codex/config.toml", to: ".codex/config.toml", table: ["mcp_servers", "jury"] },
            Piece::Section { to: "AGENTS.md" },
        ],
        once: Some("in Codex, trust the hooks of this repository: `/hooks`"),
    },
    Host {
        name: "gemini",
        title: "Gemini CLI",
        signs: &[".gemini/", "GEMINI.md"],
        pieces: &[
            SKILLS,
            Piece::Folder { from: "gemini/commands", to: ".gemini/commands" },
            Piece::Json { from: &["gemini/hooks/hooks.json", ".mcp.json"], to: ".gemini/settings.json" },
            Piece::Section { to: "GEMINI.md" },
        ],
        once: Some("in Gemini CLI, trust this folder: `/permissions`"),
    },
    Host {
        name: "cursor",
        title: "Cursor",
        signs: &[".cursor/", ".cursorrules"],
        pieces: &[
            SKILLS,
            Piece::Folder { from: "cursor/rules", to: ".cursor/rules" },
            Piece::Json { from: &["cursor/hooks.json"], to: ".cursor/hooks.json" },
            Piece::Json { from: &["cursor/mcp.json"], to: ".cursor/mcp.json" },
        ],
        once: None,
    },
    Host {
        name: "opencode",
        title: "OpenCode",
        signs: &["opencode.json", "opencode.jsonc", ".opencode/"],
        pieces: &[
            SKILLS,
            Piece::Folder { from: "opencode/agents", to: ".opencode/agents" },
            Piece::Folder { from: "opencode/commands", to: ".opencode/commands" },
            Piece::Json { from: &["opencode/opencode.json"], to: "opencode.json" },
            Piece::Section { to: "AGENTS.md" },
        ],
        once: None,
    },
];

/// What git's own hooks are called among the hosts.
pub(crate) const GIT: &str = "git";

/// Returns the host of a name.
pub(crate) fn by_name(name: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.name == name)
}

/// Returns the hosts whose signs are there. A file in which nothing stands but our own section is the sign of nobody.
pub(crate) fn recognised(around: &Surroundings) -> Vec<&'static Host> {
    let is_ours = |path: &str| match around.texts.get(&Spot::Tree(path.to_owned())) {
        Some(Text::Read(text)) => path.ends_with(".md") && merge::out_of_section(text) == Ok(None),
        _ => false,
    };
    let is_sign = |path: &str| around.paths.contains(path) && !is_ours(path);
    HOSTS.iter().filter(|host| host.signs.iter().any(|sign| is_sign(sign))).collect()
}

impl Piece {
    /// Returns the files that it is about, each with the text that comes from the plugin.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        match self {
            Self::Folder { from, to } => {
                plugin::below(from).into_iter().map(|(path, text)| (format!("{to}/{path}"), text)).collect()
            }
            Self::Json { from: [first, ..], to } => vec![((*to).to_owned(), plugin::written(first).to_owned())],
            Self::Json { from: [], .. } => Vec::new(),
            Self::Toml { from, to, .. } => vec![((*to).to_owned(), plugin::written(from).to_owned())],
            Self::Section { to } => vec![((*to).to_owned(), plugin::written("section.md").to_owned())],
        }
    }
}

/// Returns every file of the working tree that any host could have installed.
pub(crate) fn all_spots() -> BTreeSet<Spot> {
    let pieces = HOSTS.iter().flat_map(|host| host.pieces);
    pieces.flat_map(Piece::files).map(|(path, _)| Spot::Tree(path)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_there_and_no_two_disagree_about_a_file() {
        let mut texts = std::collections::BTreeMap::new();
        for host in HOSTS {
            for piece in host.pieces {
                let files = piece.files();
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
        let section = merge::into_section(None, "ours").unwrap();
        around.texts.insert(Spot::Tree("AGENTS.md".to_owned()), Text::Read(section.clone()));
        assert_eq!(recognised(&around).len(), 0, "what we wrote for one host is no sign of another");
        around.texts.insert(Spot::Tree("AGENTS.md".to_owned()), Text::Read(format!("# Theirs\n\n{section}")));
        assert_eq!(recognised(&around).len(), 1);
    }
}
