//! The two names of 001's loop driver: the id of a task and the role of a reviewer. Both are names of files as well.
//!
//! In: text from anybody. Out: a name that is one plain component of a path on every system, or why it is none.
//! Deliberately not here: the file system.

use std::fmt;
use std::str::FromStr;

use unicode_normalization::char::is_combining_mark;
use unicode_normalization::is_nfc;

use super::Domain;

/// The longest name in bytes. Any file system takes that many, with an ending.
const LONGEST: usize = 100;

/// Names that are devices on some system, with any extension.
const DEVICES: &[&str] = &["con", "prn", "aux", "nul"];

/// 001, "File layout": the role after which each file is named, and the reviewer that writes it.
const REVIEWERS: &[(&str, &str)] = &[
    ("qa", "qa-reviewer"),
    ("quality", "code-quality-reviewer"),
    ("correctness", "correctness-reviewer"),
    ("maintainability", "maintainability-reviewer"),
    ("testing", "testing-reviewer"),
    ("ts-strict", "typescript-strict-reviewer"),
    ("cli-readiness", "cli-readiness-reviewer"),
    ("security", "post-task-reviewer"),
];

/// The suffix of a reviewer that the contract does not list, after its role.
const SUFFIX: &str = "-reviewer";
/// The ending of every verdict file.
const ENDING: &str = ".md";

/// The id of a task, which names its folder below `reports/`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TaskId(Box<str>);

/// The role of a reviewer, which names its verdict file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Role(Box<str>);

/// Why a text is neither the id of a task nor a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// There is nothing there.
    #[error("the name is empty")]
    Empty,
    /// It is longer than a name of a file should be.
    #[error("the name is longer than {LONGEST} characters")]
    TooLong,
    /// It starts with something that a path or an option starts with.
    #[error("the name does not start with a letter or a digit")]
    Start,
    /// It has a character that is not plain on every system.
    #[error("invalid character {0:?} in the name; use letters, digits, `-` and `_`, and `.` inside the id of a task")]
    Character(char),
    /// The same letters have another spelling, which some systems take for another file and some for the same.
    #[error("the name has letters in several parts; write it in the composed form (NFC)")]
    Decomposed,
    /// Some systems drop a dot at the end.
    #[error("the name ends with a dot")]
    End,
    /// Some system takes it for a device.
    #[error("the name is that of a device on some systems")]
    Device,
}

impl TaskId {
    /// Takes a text as the id of a task. Letters of any script are taken, with the marks that belong to them, in one spelling.
    pub fn new(text: &str) -> Result<Self, NameError> {
        check(text, |c| c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '-' | '_' | '.'))?;
        if !is_nfc(text) {
            return Err(NameError::Decomposed);
        }
        Ok(Self(text.into()))
    }

    /// Returns the id.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Role {
    /// Takes a text as a role. The name of a reviewer stands for its role: `code-quality-reviewer` is `quality`.
    pub fn new(text: &str) -> Result<Self, NameError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        check(text, is_plain)?;
        let listed = REVIEWERS.iter().find(|(_, reviewer)| *reviewer == text).map(|(role, _)| *role);
        // However often it stands there: a role is never itself the name of another role's reviewer.
        let role = listed.unwrap_or_else(|| text.trim_end_matches(SUFFIX));
        check(role, is_plain)?;
        Ok(Self(role.into()))
    }

    /// Returns the role whose verdict file has a name, be it the fixed one or the older one.
    pub fn of_file(name: &str) -> Option<Self> {
        Self::new(name.strip_suffix(ENDING)?).ok()
    }

    /// Returns the role.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the fixed name of its verdict file.
    pub fn file(&self) -> String {
        format!("{}{ENDING}", self.0)
    }

    /// Returns the older name of its verdict file, `<reviewer-name>.md` (001, "Backward compatibility").
    pub fn legacy_file(&self) -> String {
        let listed = REVIEWERS.iter().find(|(role, _)| *role == &*self.0).map(|(_, reviewer)| (*reviewer).to_owned());
        format!("{}{ENDING}", listed.unwrap_or_else(|| format!("{}{SUFFIX}", self.0)))
    }

    /// Tells whether the contract lists it.
    pub fn is_listed(&self) -> bool {
        REVIEWERS.iter().any(|(role, _)| *role == &*self.0)
    }

    /// Returns the role as the domain of a reviewer.
    pub fn domain(&self) -> Domain {
        Domain::new(&self.0).expect("a role is short, and has no blank or control character")
    }
}

fn check(text: &str, is_plain: impl Fn(char) -> bool) -> Result<(), NameError> {
    let Some(first) = text.chars().next() else { return Err(NameError::Empty) };
    if text.len() > LONGEST {
        return Err(NameError::TooLong);
    }
    if let Some(c) = text.chars().find(|c| !is_plain(*c)) {
        return Err(NameError::Character(c));
    }
    if !first.is_alphanumeric() {
        return Err(NameError::Start);
    }
    if text.ends_with('.') {
        return Err(NameError::End);
    }
    if is_device(text) { Err(NameError::Device) } else { Ok(()) }
}

/// Tells whether Windows takes a name for a device: `NUL`, `com1.md`.
fn is_device(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or_default().to_ascii_lowercase();
    let port = stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt"));
    DEVICES.contains(&stem.as_str()) || port.is_some_and(|n| n.len() == 1 && n.bytes().all(|b| b.is_ascii_digit()))
}

macro_rules! spelled {
    ($($name:ident),+) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl FromStr for $name {
            type Err = NameError;

            fn from_str(text: &str) -> Result<Self, NameError> {
                Self::new(text)
            }
        }
    )+};
}

spelled!(TaskId, Role);

#[cfg(test)]
mod tests {
    use super::*;

    /// FAULTS row 17: none of these is ever the name of a file.
    #[test]
    fn what_could_lead_elsewhere_is_no_name() {
        let long = "x".repeat(5_000);
        for text in [
            "",
            ".",
            "..",
            "../../x",
            "/etc/x",
            "a/b",
            "C:\\x",
            "\\\\?\\x",
            "a\0b",
            &long,
            "-x",
            ".x",
            "x.",
            "CON",
            "nul.txt",
            "com1",
            "LPT9.md",
            "a b",
            "e\u{301}",
            "a\nb",
            "a\u{202e}b",
            "a:b",
            "~",
            "*",
        ] {
            assert!(TaskId::new(text).is_err(), "{text:?}");
            assert!(Role::new(text).is_err(), "{text:?}");
        }
        for text in ["任務", "задача-7", "작업", "é", "タスク1", "कार्य", "งานที่1", "مهمة"]
        {
            assert_eq!(TaskId::new(text).map(|id| id.to_string()), Ok(text.to_owned()));
            assert!(Role::new(text).is_err(), "{text:?}");
        }
        for text in ["RXB0s0OPWWZF", "abc123", "T-17", "a.b_c-d", "1", "console", "com", "com10"] {
            assert_eq!(TaskId::new(text).map(|id| id.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(Role::new("a.b"), Err(NameError::Character('.')));
    }

    #[test]
    fn roles_are_known_by_their_files_and_by_their_reviewers() {
        for (role, file, legacy) in [
            ("qa", "qa.md", "qa-reviewer.md"),
            ("quality", "quality.md", "code-quality-reviewer.md"),
            ("security", "security.md", "post-task-reviewer.md"),
            ("ts-strict", "ts-strict.md", "typescript-strict-reviewer.md"),
            ("rationalization-trap", "rationalization-trap.md", "rationalization-trap-reviewer.md"),
        ] {
            let role = Role::new(role).unwrap();
            assert_eq!((role.file(), role.legacy_file()), (file.to_owned(), legacy.to_owned()));
            assert_eq!((Role::of_file(file), Role::of_file(legacy)), (Some(role.clone()), Some(role)));
        }
        for (text, role) in
            [("code-quality-reviewer", "quality"), ("x-reviewer-reviewer", "x"), ("reviewer", "reviewer")]
        {
            let taken = Role::new(text).unwrap();
            assert_eq!(
                (taken.as_str(), Role::new(taken.as_str()), Role::of_file(&taken.file())),
                (role, Ok(taken.clone()), Some(taken.clone()))
            );
        }
        assert_eq!(Role::new("con-reviewer"), Err(NameError::Device));
        for name in ["verdict-summary.kdl", ".jury-task.json", "qa", "..md", ".md", "a b.md"] {
            assert_eq!(Role::of_file(name), None, "{name}");
        }
    }
}
