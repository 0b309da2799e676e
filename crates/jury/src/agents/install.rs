//! The files that a host loads: the types, and a macro that embeds a file of `plugin/`.
//!
//! In: nothing. Out: the signs of a host, its files, and their places in a repository. Deliberately not here: joining a file with the
//! one that is there (`jury-cli`, `init/`).

/// The files of a host in a repository.
pub struct Install {
    /// The paths by which it is recognised; a folder ends with a slash.
    pub signs: &'static [&'static str],
    /// The files that `jury init` writes.
    pub pieces: &'static [Piece],
    /// The step that a person takes once; until then the host runs no hook and does not say so.
    pub once: Option<&'static str>,
    /// Its hand-written files: the path in `plugin/`, and the text.
    pub written: &'static [(&'static str, &'static str)],
    /// Its files that are made from `plugin/section.md`.
    pub derived: &'static [Derived],
    /// Its sub-agents, if it has any.
    pub sub_agents: Option<SubAgents>,
}

/// A file, or a folder of files, that a host loads.
pub enum Piece {
    /// All files below a folder of the plugin, unchanged.
    Folder {
        /// The folder in `plugin/`.
        from: &'static str,
        /// The folder in the repository.
        to: &'static str,
    },
    /// Settings in JSON, joined from files of the plugin.
    Json {
        /// The files in `plugin/`.
        from: &'static [&'static str],
        /// The file in the repository.
        to: &'static str,
    },
    /// A block of TOML at the end of a file.
    Toml {
        /// The file in `plugin/`.
        from: &'static str,
        /// The file in the repository.
        to: &'static str,
        /// The path of its table.
        table: [&'static str; 2],
    },
    /// The section about review in a Markdown file.
    Section {
        /// The file in the repository.
        to: &'static str,
    },
}

impl Piece {
    /// The folder where every host but Claude Code looks for skills.
    pub(super) const SKILLS: Self = Self::Folder { from: "skills", to: ".agents/skills" };
}

/// A file that is made from the section about review.
pub struct Derived {
    /// Its path in `plugin/`.
    pub path: &'static str,
    /// Makes its text from the section.
    pub write: fn(&str) -> String,
}

/// The sub-agents of a host, one for each persona.
pub struct SubAgents {
    /// Their folder in `plugin/`.
    pub folder: &'static str,
    /// The end of their file names.
    pub extension: &'static str,
    /// Writes the file of one.
    pub write: fn(&SubAgent<'_>) -> String,
}

/// A sub-agent, for any host.
pub struct SubAgent<'t> {
    /// Its name.
    pub name: &'t str,
    /// When to use it, in one line.
    pub description: &'t str,
    /// Its instructions.
    pub body: &'t str,
    /// The line that warns against editing the file.
    pub notice: &'t str,
}

/// Embeds files of `plugin/`, each with its path.
macro_rules! written {
    ($($path:literal),* $(,)?) => {
        &[$(($path, include_str!(concat!("../../../../plugin/", $path)))),*]
    };
}

pub(super) use written;
