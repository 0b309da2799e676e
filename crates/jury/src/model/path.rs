//! A path inside the reviewed repository, with forward slashes, as git spells it.
//!
//! In: text from a reviewer. Out: a path that cannot leave the repository. Deliberately not here: the file system;
//! a legal path need not exist.

use std::fmt;

/// A repository-relative path: no absolute one, no `.` or `..` segment, no backslash, no NUL.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepoPath(Box<str>);

/// Why a text is not a path inside the repository.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PathError {
    /// There is nothing there.
    #[error("the path is empty")]
    Empty,
    /// It starts at the root of a file system or at a drive.
    #[error("the path is absolute")]
    Absolute,
    /// A `..` segment could leave the repository.
    #[error("the path has a `..` segment")]
    Escapes,
    /// It is not in its shortest form (`./a`, `a//b`, `a/`).
    #[error("the path has an empty or `.` segment")]
    NotNormal,
    /// It is written with backslashes.
    #[error("the path has a backslash")]
    Backslash,
    /// It holds a NUL character, which no path can.
    #[error("the path has a NUL character")]
    Nul,
    /// It is longer than any system takes.
    #[error("the path is longer than {} bytes", RepoPath::LONGEST)]
    TooLong,
}

impl RepoPath {
    /// The longest path in bytes, Linux's own limit.
    pub const LONGEST: usize = 4096;

    /// Takes a text as a path, or says why it is none.
    pub fn new(text: &str) -> Result<Self, PathError> {
        let drive = text.as_bytes().first().is_some_and(u8::is_ascii_alphabetic)
            && text.as_bytes().get(1) == Some(&b':')
            && matches!(text.as_bytes().get(2), None | Some(b'/' | b'\\'));
        let error = if text.is_empty() {
            PathError::Empty
        } else if text.len() > Self::LONGEST {
            PathError::TooLong
        } else if text.contains('\0') {
            PathError::Nul
        } else if drive || text.starts_with(['/', '\\']) {
            PathError::Absolute
        } else if text.split(['/', '\\']).any(|segment| segment == "..") {
            PathError::Escapes
        } else if text.contains('\\') {
            PathError::Backslash
        } else if text.split('/').any(|segment| segment.is_empty() || segment == ".") {
            PathError::NotNormal
        } else {
            return Ok(Self(text.into()));
        };
        Err(error)
    }

    /// Returns the path of the file that an absolute path names below a folder, if it names one.
    pub fn below(root: &str, absolute: &str) -> Option<Self> {
        let spelled = |text: &str| match text.as_bytes() {
            // Windows knows both slashes and does not tell the case of a drive.
            [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic() => {
                format!("{}{}", drive.to_ascii_lowercase() as char, text[1..].replace('\\', "/"))
            }
            _ => text.to_owned(),
        };
        let (root, absolute) = (spelled(root), spelled(absolute));
        let root = root.trim_end_matches('/');
        // A whole file system or drive is not a tree.
        if root.is_empty() || root.ends_with(':') {
            return None;
        }
        Self::new(absolute.strip_prefix(root)?.strip_prefix('/')?).ok()
    }

    /// Tells whether a text is the absolute path of a file on a machine, which may be any: no drive, no share, and no way back up.
    pub fn is_elsewhere(text: &str) -> bool {
        text.starts_with('/')
            && !text.starts_with("//")
            && !text.contains(['\0', '\\'])
            && text.split('/').all(|segment| segment != "..")
    }

    /// Returns the path as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the extension of the file name, if it has one.
    pub fn extension(&self) -> Option<&str> {
        let name = self.0.rsplit('/').next()?;
        name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()).map(|(_, extension)| extension)
    }
}

impl fmt::Display for RepoPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_below_a_folder_is_named_by_the_rest_of_its_path() {
        let below = |root: &str, path: &str| RepoPath::below(root, path).map(|path| path.to_string());
        for (root, path, expected) in [
            ("/srv/app", "/srv/app/src/a.ts", "src/a.ts"),
            ("/srv/app/", "/srv/app/a", "a"),
            ("C:\\app", "c:\\app\\src\\a.ts", "src/a.ts"),
            ("c:/app", "C:\\app\\a.ts", "a.ts"),
        ] {
            assert_eq!(below(root, path).as_deref(), Some(expected), "{root} {path}");
        }
        for (root, path) in [
            ("/srv/app", "/srv/app"),
            ("/srv/app", "/srv/app/"),
            ("/srv/app", "/srv/application/a"),
            ("/srv/app", "/srv/app/../secret"),
            ("/srv/app", "/srv/app/./a"),
            ("/srv/app", "/srv/app//etc"),
            ("/srv/app", "/srv/app\\a"),
            ("/srv/app", "\\\\srv\\app\\a"),
            ("/srv/app", "src/a.ts"),
            ("/", "/etc/passwd"),
            ("", "/etc/passwd"),
            ("C:/", "C:/a"),
        ] {
            assert_eq!(below(root, path), None, "{root} {path}");
        }
    }

    #[test]
    fn ordinary_paths_are_taken_as_they_are() {
        for text in ["a", "src/api/routes.ts", ".github/x.yml", "with space/ü.rs", "-rf", "a:b", "CON", "x...y"] {
            assert_eq!(RepoPath::new(text).unwrap().as_str(), text);
        }
    }

    #[test]
    fn paths_that_could_mean_another_place_are_refused() {
        use PathError::*;
        for (text, error) in [
            ("", Empty),
            ("/etc/passwd", Absolute),
            ("C:\\x", Absolute),
            ("C:/x", Absolute),
            ("\\\\?\\x", Absolute),
            ("../../x", Escapes),
            ("a/../b", Escapes),
            ("a\\..\\b", Escapes),
            ("a\\b", Backslash),
            ("./a", NotNormal),
            (".", NotNormal),
            ("a//b", NotNormal),
            ("a/", NotNormal),
            ("a\0b", Nul),
        ] {
            assert_eq!(RepoPath::new(text), Err(error), "{text:?}");
        }
        assert_eq!(RepoPath::new(&"x".repeat(5000)), Err(TooLong));
    }

    #[test]
    fn extensions_are_those_of_the_file_name() {
        for (text, extension) in
            [("a/b.ts", Some("ts")), ("a.b/c", None), (".gitignore", None), ("x.tar.gz", Some("gz"))]
        {
            assert_eq!(RepoPath::new(text).unwrap().extension(), extension);
        }
    }
}
