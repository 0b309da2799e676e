//! The premises that a tree refutes by itself: a table of forms of titles. In: the title of a finding, and the evidence against it. Out: the
//! premise, if the whole title states nothing else.
//!
//! Only positive premises are here: that a file is not there, that a name is not declared. That something is *absent or insufficient* (no
//! check, no test, no validation) is not in the table and never will be: a check somewhere proves nothing about the place that lacks it.
//! A title that says more than its form (a condition, another place) is not of that form.

use crate::model::{CounterEvidence, Premise};

/// A form: the words before and after the one thing that the title is about.
struct Form {
    premise: Premise,
    before: &'static str,
    after: &'static str,
}

const fn form(premise: Premise, before: &'static str, after: &'static str) -> Form {
    Form { premise, before, after }
}

const FORMS: &[Form] = &[
    form(Premise::FileMissing, "", "does not exist"),
    form(Premise::FileMissing, "", "doesn't exist"),
    form(Premise::FileMissing, "", "was not found"),
    form(Premise::FileMissing, "", "cannot be found"),
    form(Premise::FileMissing, "no such file:", ""),
    form(Premise::FileMissing, "no such file", ""),
    form(Premise::FileMissing, "file not found:", ""),
    form(Premise::FileMissing, "missing file:", ""),
    form(Premise::FileMissing, "missing file", ""),
    form(Premise::FileMissing, "there is no file", ""),
    form(Premise::NameUndeclared, "", "is not defined"),
    form(Premise::NameUndeclared, "", "is not declared"),
    form(Premise::NameUndeclared, "", "is undeclared"),
    form(Premise::NameUndeclared, "", "is never defined"),
    form(Premise::NameUndeclared, "", "is never declared"),
    form(Premise::NameUndeclared, "", "is not defined in this file"),
    form(Premise::NameUndeclared, "undefined name", ""),
    form(Premise::NameUndeclared, "undefined name:", ""),
    form(Premise::NameUndeclared, "undefined symbol", ""),
    form(Premise::NameUndeclared, "undefined symbol:", ""),
    form(Premise::NameUndeclared, "undeclared identifier", ""),
    form(Premise::NameUndeclared, "use of undeclared identifier", ""),
    form(Premise::NameUndeclared, "unresolved name", ""),
];

/// The words for the kind of thing, which say nothing more.
const KINDS: &[&str] = &["the ", "a ", "file ", "function ", "class ", "constant ", "variable ", "name ", "symbol "];
/// The marks around a path or a name.
const MARKS: &[char] = &['`', '"', '\'', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}'];

/// Returns the premise of a finding that the evidence would refute, if the whole title states just that.
pub fn premise(title: &str, evidence: &CounterEvidence) -> Option<Premise> {
    let (wanted, about) = match evidence {
        CounterEvidence::Quote { path, .. } => (Premise::FileMissing, path.as_str()),
        CounterEvidence::Declared(name) => (Premise::NameUndeclared, name.as_str()),
        CounterEvidence::Reason => return None,
    };
    let title = title.trim().trim_end_matches('.');
    let is_of = |form: &&Form| form.premise == wanted && thing(title, form).is_some_and(|thing| thing == about);
    FORMS.iter().find(is_of).map(|form| form.premise)
}

/// Returns the thing that a title of a form is about.
fn thing<'t>(title: &'t str, form: &Form) -> Option<&'t str> {
    let mut rest = without_end(without_start(title, form.before)?, form.after)?.trim();
    while let Some(shorter) = KINDS.iter().find_map(|kind| without_start(rest, kind)) {
        rest = shorter.trim_start();
    }
    let bare = rest.trim_matches(MARKS);
    (!bare.is_empty() && !bare.contains(MARKS)).then_some(bare)
}

fn without_start<'t>(text: &'t str, start: &str) -> Option<&'t str> {
    let (head, rest) = text.split_at_checked(start.len())?;
    let is_whole = start.is_empty() || start.ends_with(' ') || rest.starts_with(|c: char| !c.is_alphanumeric());
    (head.eq_ignore_ascii_case(start) && is_whole).then_some(rest)
}

fn without_end<'t>(text: &'t str, end: &str) -> Option<&'t str> {
    let (rest, tail) = text.split_at_checked(text.len().checked_sub(end.len())?)?;
    let is_whole = end.is_empty() || rest.ends_with(|c: char| !c.is_alphanumeric());
    (tail.eq_ignore_ascii_case(end) && is_whole).then_some(rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Line, RepoPath};

    fn of_file(title: &str) -> Option<Premise> {
        let path = RepoPath::new("src/config.ts").unwrap();
        premise(title, &CounterEvidence::Quote { path, line: Line::FIRST, quote: "x".to_owned() })
    }

    fn of_name(title: &str) -> Option<Premise> {
        premise(title, &CounterEvidence::Declared("parseUser".to_owned()))
    }

    #[test]
    fn a_title_that_states_nothing_else_is_of_its_form() {
        for title in [
            "src/config.ts does not exist",
            "The file `src/config.ts` does not exist.",
            "Missing file: src/config.ts",
            "File not found: 'src/config.ts'",
            "no such file src/config.ts",
        ] {
            assert_eq!(of_file(title), Some(Premise::FileMissing), "{title}");
        }
        for title in [
            "`parseUser` is not defined",
            "The function `parseUser` is not declared",
            "Undefined name `parseUser`",
            "use of undeclared identifier 'parseUser'",
            "parseUser is never defined.",
        ] {
            assert_eq!(of_name(title), Some(Premise::NameUndeclared), "{title}");
        }
    }

    #[test]
    fn what_is_absent_or_conditional_is_of_none() {
        for title in [
            "src/config.ts does not exist on Windows",
            "A check in src/config.ts does not exist",
            "src/config.ts does not exist when the tests run",
            "The test of src/config.ts does not exist",
            "src/config.tsx does not exist",
            "lib/src/config.ts does not exist",
            "src/config.ts has no validation",
            "Missing file validation in src/config.ts",
            "src/config.ts",
            "",
        ] {
            assert_eq!(of_file(title), None, "{title}");
        }
        for title in [
            "`parseUser` is undefined when the session has ended",
            "`parseUser` is not defined for admins",
            "`user.parseUser` is not defined",
            "parseuser is not defined",
            "`a` and `parseUser` is not defined",
            "The return type of `parseUser` is not declared",
            "Validation of `parseUser` is not defined",
            "parseUser is missing",
        ] {
            assert_eq!(of_name(title), None, "{title}");
        }
        assert_eq!(premise("src/config.ts does not exist", &CounterEvidence::Reason), None);
    }
}
