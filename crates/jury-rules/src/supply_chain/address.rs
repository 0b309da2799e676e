//! Addresses in lockfiles. In: the text of one, and the package that it should name. Out: its host, and the source that it is.
//!
//! Structure tells, no list of hosts: an address that names the package the way registries do is a registry's, up to the name.
//! Addresses are taken apart as browsers and package managers do it: a backslash is a slash, what stands before `@` is no host.

use super::lockfile::Source;

/// An address, taken apart. Names and passwords, queries and fragments are left out of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) scheme: String,
    pub(crate) host: String,
    pub(crate) path: String,
}

impl Address {
    /// Takes an address apart; `None` if it has no scheme and host.
    pub(crate) fn of(text: &str) -> Option<Self> {
        let text: String = text.trim().chars().filter(|c| !c.is_control()).collect();
        let (scheme, rest) = text.split_once("://").or_else(|| text.split_once(":\\\\"))?;
        let rest = rest.replace('\\', "/");
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        let host = authority.rsplit('@').next().unwrap_or_default();
        let path = path.split(['?', '#']).next().unwrap_or_default();
        let host = host.trim_end_matches('.').to_lowercase();
        let host = host.strip_suffix(":443").unwrap_or(&host).to_owned();
        (!host.is_empty()).then(|| Self { scheme: scheme.to_lowercase(), host, path: decoded(path) })
    }

    /// Says it up to a part of the path. HTTPS goes without saying.
    fn up_to(&self, path: &str) -> String {
        let path = path.trim_matches('/');
        let scheme = if self.scheme == "https" { String::new() } else { format!("{}://", self.scheme) };
        if path.is_empty() { format!("{scheme}{}", self.host) } else { format!("{scheme}{}/{path}", self.host) }
    }

    /// Says the whole of it.
    pub(crate) fn whole(&self) -> String {
        self.up_to(&self.path)
    }

    /// Says where it stands, without a path.
    pub(crate) fn place(&self) -> String {
        self.up_to("")
    }
}

/// Replaces the escapes of separators and scopes; others are let be.
fn decoded(path: &str) -> String {
    path.replace("%2f", "/").replace("%2F", "/").replace("%40", "@")
}

/// Returns the source that the address of a package's file is.
pub(crate) fn source(text: &str, name: &str) -> Source {
    let text = text.trim();
    if let Some(repository) = git(text) {
        return Source::Git(repository);
    }
    let Some(address) = Address::of(text).filter(|address| ["http", "https"].contains(&address.scheme.as_str())) else {
        return Source::Path(text.split('#').next().unwrap_or_default().trim_start_matches("file:").to_owned());
    };
    match registry(&address, name) {
        Some(registry) => Source::Registry(registry),
        None => Source::Url(file_of(&address)),
    }
}

/// Returns the repository that an address of git names, without its commit.
pub(crate) fn git(text: &str) -> Option<String> {
    let plain = text.split(['#', '?']).next().unwrap_or_default().trim_end_matches('/');
    let is_short = ["github:", "gitlab:", "bitbucket:", "gist:"].iter().any(|host| plain.starts_with(host));
    if is_short {
        return Some(plain.to_lowercase());
    }
    let is_git = plain.starts_with("git+")
        || plain.starts_with("git:")
        || plain.starts_with("ssh:")
        || plain.starts_with("git@")
        || plain.ends_with(".git");
    if !is_git {
        return None;
    }
    let bare = plain.strip_prefix("git+").unwrap_or(plain).trim_end_matches(".git");
    Some(Address::of(bare).map_or_else(
        || bare.rsplit('@').next().unwrap_or_default().replacen(':', "/", 1).to_lowercase(),
        |address| format!("{}/{}", address.host, address.path.trim_matches('/')).to_lowercase(),
    ))
}

/// Returns the part of an address before the name of the package, if what follows is how a registry names a file: the name, `-` and the
/// file, or `download`.
fn registry(address: &Address, name: &str) -> Option<String> {
    let path = address.path.trim_matches('/');
    let parts: Vec<&str> = path.split('/').collect();
    let is_mark = |part: &&str| **part == *"-" || **part == *"download";
    let mark = parts.iter().position(is_mark).filter(|mark| mark + 1 < parts.len())?;
    let package: Vec<&str> = name.split('/').collect();
    let before = if parts[mark] == "-" { &parts[..mark] } else { &parts[mark + 1..] };
    // Before the mark stands the address of the registry, then a name, whether it is this package's or another's.
    if parts[mark] == "download" {
        return (!before.is_empty()).then(|| address.up_to(&parts[..=mark].join("/")));
    }
    let length = if before.len() >= 2 && before[before.len() - 2].starts_with('@') { 2 } else { 1 };
    let length = length.max(if before.ends_with(&package) { package.len() } else { 1 });
    (before.len() >= length).then(|| address.up_to(&before[..before.len() - length].join("/")))
}

/// Returns an address without its last part, which has the version or the commit.
fn file_of(address: &Address) -> String {
    let path = address.path.trim_matches('/');
    let folder = path.rsplit_once('/').map_or(path, |(folder, _)| folder);
    address.up_to(folder)
}

/// Tells whether an address names a package: its path has the name, whatever the separators.
pub(crate) fn names(text: &str, package: &str) -> bool {
    let Some(address) = Address::of(text) else { return true };
    let base = package.rsplit('/').next().unwrap_or(package);
    folded(&address.path).contains(&folded(base))
}

/// Folds a name: letters and digits, in lower case.
pub(crate) fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structure_tells_a_registry_from_another_place() {
        let registry = |at: &str| Source::Registry(at.to_owned());
        for (text, name, expected) in [
            ("https://registry.example/left-pad/-/left-pad-1.3.0.tgz", "left-pad", registry("registry.example")),
            ("https://registry.example/@a/b/-/b-1.0.0.tgz", "@a/b", registry("registry.example")),
            ("https://registry.example/@a%2fb/-/b-1.0.0.tgz", "@a/b", registry("registry.example")),
            ("https://art.example/api/npm/all/b/-/b-1.0.0.tgz#abc", "b", registry("art.example/api/npm/all")),
            ("http://registry.example/b/-/b-1.0.0.tgz", "b", registry("http://registry.example")),
            ("https://registry.example@evil.example/b/-/b-1.tgz", "b", registry("evil.example")),
            ("https://evil.example\\@registry.example/b/-/b-1.tgz", "b", registry("evil.example")),
            ("https://registry.example:8443/b/-/b-1.tgz", "b", registry("registry.example:8443")),
            ("https://packages.example/download/@a/b/1.0/f00", "@a/b", registry("packages.example/download")),
            ("https://code.example/a/b/tar.gz/f00", "b", Source::Url("code.example/a/b/tar.gz".to_owned())),
            ("git+ssh://git@code.example/a/b.git#f00", "b", Source::Git("code.example/a/b".to_owned())),
            ("git+https://code.example/A/b.git?rev=1#f00", "b", Source::Git("code.example/a/b".to_owned())),
            ("git@code.example:a/b.git", "b", Source::Git("code.example/a/b".to_owned())),
            ("github:a/b#f00", "b", Source::Git("github:a/b".to_owned())),
            ("file:../b.tgz", "b", Source::Path("../b.tgz".to_owned())),
            ("../b", "b", Source::Path("../b".to_owned())),
        ] {
            assert_eq!(source(text, name), expected, "{text}");
        }
    }

    #[test]
    fn an_address_names_its_package_or_another() {
        assert!(names("https://r.example/left-pad/-/left-pad-1.3.0.tgz", "left-pad"));
        assert!(names("https://f.example/ab/cd/Left_Pad-1.3.0-py3-none-any.whl", "left-pad"));
        assert!(!names("https://r.example/evil/-/evil-1.3.0.tgz", "left-pad"));
        assert!(names("../left", "left-pad"), "no address says nothing");
    }
}
