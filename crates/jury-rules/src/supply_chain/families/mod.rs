//! The families of lockfiles: one file each, and one row of the table.

mod bun;
mod bundler;
mod cargo;
mod composer;
mod go;
mod npm;
mod nuget;
mod pipenv;
mod pnpm;
mod poetry;
mod uv;
mod yarn_berry;
mod yarn_classic;

use super::lockfile::Lockfile;

/// A kind of lockfile.
pub(crate) struct Family {
    /// The name, for people.
    pub(crate) name: &'static str,
    /// Whose packages it locks: lockfiles of one ecosystem are compared with each other.
    pub(crate) ecosystem: Ecosystem,
    /// The names of its files.
    pub(crate) files: &'static [&'static str],
    /// Whether its packages are those that are used. `go.sum` lists many more.
    pub(crate) lists: bool,
    /// Reads it, or says why it cannot be read.
    pub(crate) read: fn(&str) -> Result<Lockfile, String>,
}

/// Whose packages a lockfile locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Ecosystem {
    Npm,
    Cargo,
    Go,
    GoSum,
    Python,
    Ruby,
    Php,
    DotNet,
}

const FAMILIES: &[Family] = &[
    Family {
        name: "npm",
        ecosystem: Ecosystem::Npm,
        files: &["package-lock.json", "npm-shrinkwrap.json"],
        lists: true,
        read: npm::read,
    },
    Family { name: "pnpm", ecosystem: Ecosystem::Npm, files: &["pnpm-lock.yaml"], lists: true, read: pnpm::read },
    Family { name: "Yarn", ecosystem: Ecosystem::Npm, files: &["yarn.lock"], lists: true, read: yarn },
    Family { name: "Bun", ecosystem: Ecosystem::Npm, files: &["bun.lock"], lists: true, read: bun::read },
    Family { name: "Cargo", ecosystem: Ecosystem::Cargo, files: &["Cargo.lock"], lists: true, read: cargo::read },
    Family { name: "Go", ecosystem: Ecosystem::Go, files: &["go.mod"], lists: true, read: go::read_mod },
    Family { name: "Go", ecosystem: Ecosystem::GoSum, files: &["go.sum"], lists: false, read: go::read_sum },
    Family { name: "Poetry", ecosystem: Ecosystem::Python, files: &["poetry.lock"], lists: true, read: poetry::read },
    Family { name: "uv", ecosystem: Ecosystem::Python, files: &["uv.lock"], lists: true, read: uv::read },
    Family { name: "Pipenv", ecosystem: Ecosystem::Python, files: &["Pipfile.lock"], lists: true, read: pipenv::read },
    Family {
        name: "Bundler",
        ecosystem: Ecosystem::Ruby,
        files: &["Gemfile.lock", "gems.locked"],
        lists: true,
        read: bundler::read,
    },
    Family {
        name: "Composer",
        ecosystem: Ecosystem::Php,
        files: &["composer.lock"],
        lists: true,
        read: composer::read,
    },
    Family {
        name: "NuGet",
        ecosystem: Ecosystem::DotNet,
        files: &["packages.lock.json"],
        lists: true,
        read: nuget::read,
    },
];

/// Returns the family of a file, by its name.
pub(crate) fn family(path: &str) -> Option<&'static Family> {
    let name = path.rsplit('/').next().unwrap_or(path);
    FAMILIES.iter().find(|family| family.files.contains(&name))
}

/// Both formats of Yarn have the same name; the first says so in its first lines.
fn yarn(text: &str) -> Result<Lockfile, String> {
    if text.lines().take(5).any(|line| line.trim() == yarn_classic::MARK) {
        yarn_classic::read(text)
    } else {
        yarn_berry::read(text)
    }
}

impl Family {
    /// Reads a lockfile in full.
    pub(crate) fn lockfile(&self, text: &str) -> Result<Lockfile, String> {
        /// The largest lockfile that is read.
        const LARGEST: usize = 64 * 1024 * 1024;
        if text.len() > LARGEST {
            return Err(format!("larger than {} MiB", LARGEST >> 20));
        }
        let is_mark = |line: &str| ["<<<<<<< ", ">>>>>>> ", "||||||| "].iter().any(|mark| line.starts_with(mark));
        if let Some((number, _)) = (1..).zip(text.lines()).find(|(_, line)| is_mark(line)) {
            return Err(format!("it has a merge conflict at line {number}"));
        }
        (self.read)(text)
    }
}

/// Tells whether a YAML file is a lockfile and nothing else, by the names without indent. A cheap look, for who decides how to read it:
/// the full reading says more.
pub(crate) fn is_plain_yaml_lockfile(path: &str, text: &str) -> bool {
    let is_named = family(path).is_some_and(|family| family.name == "pnpm");
    is_named
        && text.lines().filter(|line| !line.is_empty()).all(|line| {
            line.starts_with([' ', '#']) || line.split_once(':').is_some_and(|(name, _)| pnpm::MEMBERS.contains(&name))
        })
        && text.lines().any(|line| line.starts_with("lockfileVersion:"))
}

/// Returns the families whose lockfiles stand beside a manifest.
pub(crate) fn beside(manifest: &str) -> impl Iterator<Item = &'static Family> {
    let name = manifest.rsplit('/').next().unwrap_or(manifest).to_owned();
    FAMILIES.iter().filter(move |family| super::manifest::beside(family) == Some(name.as_str()))
}
