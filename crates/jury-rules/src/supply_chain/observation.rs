//! What the comparison of lockfiles can tell, before it is a finding.

use serde::Deserialize;

use super::lockfile::Package;

/// What a rule about lockfiles raises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Kind {
    /// A version has another digest than before.
    IntegrityChanged,
    /// A package has no digest, or a weaker one than before.
    IntegrityMissing,
    /// A package comes from elsewhere.
    ForeignSource,
    /// A package runs a script when it is installed.
    InstallScript,
    /// A name imitates a well-known one.
    LookAlike,
    /// A package stands under the name of another one.
    HiddenByAlias,
    /// The manifest asks for what is not locked.
    ManifestMismatch,
    /// A version is lower than before.
    Downgrade,
}

/// How much an observation weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weight {
    High,
    Medium,
    Low,
}

/// Something that is worth raising.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Observation<'a> {
    pub(crate) kind: Kind,
    pub(crate) weight: Weight,
    /// The name of the package.
    pub(crate) name: &'a str,
    /// Its lines in the file.
    pub(crate) lines: (u32, u32),
    /// What was found, as a sentence.
    pub(crate) says: String,
}

impl<'a> Observation<'a> {
    pub(crate) fn new(kind: Kind, package: &'a Package, weight: Weight, says: String) -> Self {
        Self { kind, weight, name: package.alias.as_ref().unwrap_or(&package.name), lines: package.lines, says }
    }
}
