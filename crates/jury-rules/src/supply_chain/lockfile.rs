//! What a lockfile says, whatever its family: packages with their sources and digests. In and out: plain values.
//!
//! Deliberately not here: the formats (`families`), and what a difference means (`compare`).

use std::collections::BTreeSet;

/// A lockfile, read in full.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Lockfile {
    /// Its packages, in the order of the file.
    pub(crate) packages: Vec<Package>,
}

/// One locked package. Members of the project itself (the root, workspaces) are none.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Package {
    /// The name of what is installed.
    pub(crate) name: String,
    /// The name that the project knows it by, if that is another one.
    pub(crate) alias: Option<String>,
    /// The version; empty if the format states none.
    pub(crate) version: String,
    /// Where it comes from.
    pub(crate) source: Source,
    /// The hosts of its files, where the format names them beside the source.
    pub(crate) hosts: BTreeSet<String>,
    /// Whether the place of its file names another package.
    pub(crate) is_elsewhere: bool,
    pub(crate) digests: Vec<Digest>,
    /// Whether a missing digest says nothing: the format leaves it out for such entries.
    pub(crate) may_lack_digest: bool,
    /// Whether it runs a script when it is installed, as far as the format states it.
    pub(crate) has_script: bool,
    /// The names that it depends on.
    pub(crate) needs: Vec<String>,
    /// Its first and last line, from 1.
    pub(crate) lines: (u32, u32),
}

/// Where a package comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Source {
    /// The format states none: the registry that the manager is configured with.
    #[default]
    Unstated,
    /// A registry: its address up to the name of the package.
    Registry(String),
    /// A file behind an address that is no registry's.
    Url(String),
    /// A repository, without the commit.
    Git(String),
    /// A file or folder of this machine.
    Path(String),
    /// Another package, changed by a local patch.
    Patch(String),
}

/// A digest of a package's content.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Digest {
    /// The file that it is of, where a version has several.
    pub(crate) file: Option<String>,
    /// The algorithm, or another word for how it was made. Only digests of the same are compared.
    pub(crate) algorithm: String,
    pub(crate) value: String,
}

impl Source {
    /// Says the source for a person.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::Unstated => "the default registry".to_owned(),
            Self::Registry(address) => format!("the registry {address}"),
            Self::Url(address) => address.clone(),
            Self::Git(address) => format!("the repository {address}"),
            Self::Path(path) => format!("the path {path}"),
            Self::Patch(patch) => format!("the patch {patch}"),
        }
    }

    /// Tells whether it is a registry, stated or not.
    pub(crate) fn is_registry(&self) -> bool {
        matches!(self, Self::Unstated | Self::Registry(_))
    }
}

impl Digest {
    /// Takes one of the form `sha512-…`, `sha256:…` or `h1:…`; a text without an algorithm is of that word.
    pub(crate) fn of(text: &str, otherwise: &str) -> Self {
        let at = text.find(['-', ':']).filter(|at| *at <= 12 && text[..*at].bytes().all(|b| b.is_ascii_alphanumeric()));
        match at {
            Some(at) => {
                Self { file: None, algorithm: text[..at].to_ascii_lowercase(), value: text[at + 1..].to_owned() }
            }
            None => Self { file: None, algorithm: otherwise.to_owned(), value: text.to_owned() },
        }
    }

    /// Takes every digest of a text of Subresource Integrity.
    pub(crate) fn integrity(text: &str) -> Vec<Self> {
        text.split_whitespace().map(|one| Self::of(one, "unknown")).collect()
    }

    /// Ranks the algorithm: a weaker one does not stand for a stronger one.
    pub(crate) fn strength(&self) -> u8 {
        match self.algorithm.as_str() {
            "md5" => 1,
            "sha1" => 2,
            _ => 3,
        }
    }
}
