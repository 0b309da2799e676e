//! `.jury/waivers.toml`: bytes in, waivers with their lines out; a waiver in, the file with one more entry out.
//!
//! An incomplete entry is an error with its line. One that has expired ends for its own finding and is named (`ended`).
//! Deliberately not here: today's date, and which file is read.

use serde::Deserialize;
use toml::Spanned;

use super::{ConfigError, WAIVERS_FILE, line_of, parsed, utf8};
use crate::model::{Day, Waiver};

/// A waiver, and the line on which it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The waiver.
    pub waiver: Waiver,
    /// Where its finding is named, from 1.
    pub line: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Table>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    finding: Spanned<String>,
    #[serde(default)]
    reason: String,
    by: Option<String>,
    /// The first name of `by`.
    author: Option<String>,
    expires: String,
}

/// Reads the waivers; without a file, there are none.
pub fn read(bytes: Option<&[u8]>) -> Result<Vec<Entry>, ConfigError> {
    let Some(bytes) = bytes else { return Ok(Vec::new()) };
    let file: File = parsed(WAIVERS_FILE, bytes)?;
    let text = utf8(WAIVERS_FILE, bytes)?;
    let mut entries: Vec<Entry> = Vec::new();
    for table in file.waiver {
        let entry = entry(table, text)?;
        if let Some(first) = entries.iter().find(|other| other.waiver.finding == entry.waiver.finding) {
            let what = format!("is a duplicate of line {}; keep one of them", first.line);
            return Err(refused(&entry.waiver.finding, entry.line, &what));
        }
        entries.push(entry);
    }
    Ok(entries)
}

fn entry(table: Table, text: &str) -> Result<Entry, ConfigError> {
    let line = line_of(text, table.finding.span().start);
    let finding = table.finding.into_inner();
    let refuse = |what: &str| refused(&finding, line, what);
    if finding.trim().is_empty() {
        return Err(refuse("names no finding; give the fingerprint or the id that `jury show` has"));
    }
    if table.reason.trim().is_empty() {
        return Err(refuse("gives no reason; add `reason`"));
    }
    let author = match (table.by, table.author) {
        (Some(_), Some(_)) => return Err(refuse("has both `by` and `author`, which are the same; keep `by`")),
        (by, author) => by.or(author).filter(|name| !name.trim().is_empty()),
    };
    let author = author.ok_or_else(|| refuse("names no person; add `by`"))?;
    let expires = Day::new(&table.expires)
        .ok_or_else(|| refuse(&format!("expires on {:?}; expected a day such as 2026-12-31", table.expires)))?;
    Ok(Entry { waiver: Waiver { finding, reason: table.reason, author, expires }, line })
}

/// Returns the waivers that ended before a day.
pub fn ended(entries: &[Entry], today: Day) -> Vec<Entry> {
    entries.iter().filter(|entry| entry.waiver.expires < today).cloned().collect()
}

fn refused(finding: &str, line: usize, what: &str) -> ConfigError {
    ConfigError { file: WAIVERS_FILE.to_owned(), what: format!("line {line}: the waiver of {finding:?} {what}") }
}

/// Writes one more waiver at the end of the file, below comments that describe its finding; the rest of the file stays,
/// byte for byte. `about` has no line breaks in it.
pub fn with(text: &str, waiver: &Waiver, about: &[String]) -> String {
    let end = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
    let gap = if text.trim().is_empty() { "" } else { "\n" };
    let about: String = about.iter().map(|line| format!("# {line}\n")).collect();
    let quoted = |text: &str| toml::Value::from(text).to_string();
    let Waiver { finding, reason, author, expires } = waiver;
    format!(
        "{text}{end}{gap}{about}[[waiver]]\nfinding = {}\nreason = {}\nby = {}\nexpires = \"{expires}\"\n",
        quoted(finding),
        quoted(reason),
        quoted(author),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const WHOLE: &str = "[[waiver]]\nfinding = \"f\"\nreason = \"r\"\nby = \"b\"\nexpires = \"2026-12-31\"\n";

    fn refusal(text: &str) -> String {
        read(Some(text.as_bytes())).unwrap_err().to_string()
    }

    fn waiver(finding: &str) -> Waiver {
        let expires = Day::new("2026-12-31").unwrap();
        Waiver { finding: finding.to_owned(), reason: "r".to_owned(), author: "b".to_owned(), expires }
    }

    #[test]
    fn both_words_for_whom_are_read() {
        assert_eq!(read(None).unwrap(), []);
        assert_eq!(read(Some(b"# nothing yet\n")).unwrap(), []);
        let entries = read(Some(WHOLE.as_bytes())).unwrap();
        assert_eq!(entries, [Entry { waiver: waiver("f"), line: 2 }]);
        assert_eq!(read(Some(WHOLE.replace("by", "author").as_bytes())).unwrap(), entries);
    }

    #[test]
    fn what_says_too_little_is_refused_at_its_line() {
        for (text, what) in [
            (WHOLE.replace("\"r\"", "\" \""), "line 2: the waiver of \"f\" gives no reason"),
            (WHOLE.replace("reason = \"r\"\n", ""), "line 2: the waiver of \"f\" gives no reason"),
            (WHOLE.replace("\"b\"", "\"\""), "names no person"),
            (WHOLE.replace("by = \"b\"\n", ""), "names no person"),
            (WHOLE.replace("by =", "author = \"a\"\nby ="), "both `by` and `author`"),
            (WHOLE.replace("\"f\"", "\"\""), "names no finding"),
            (WHOLE.replace("2026-12-31", "2026-02-29"), "2026-02-29"),
            (WHOLE.replace("expires = \"2026-12-31\"\n", ""), "missing field `expires`"),
            (WHOLE.replace("finding = \"f\"\n", ""), "line 1: missing field `finding`"),
            (WHOLE.replace("by", "bye"), "unknown field `bye`"),
            (format!("{WHOLE}\n{WHOLE}"), "line 8: the waiver of \"f\" is a duplicate of line 2"),
        ] {
            assert!(refusal(&text).contains(what), "{text}\n{}", refusal(&text));
        }
        assert!(read(Some(b"\xff")).is_err());
    }

    #[test]
    fn one_ends_on_the_day_after_its_last_and_no_other_with_it() {
        let later = WHOLE.replace("\"f\"", "\"g\"").replace("2026", "2999");
        let entries = read(Some(format!("{WHOLE}\n{later}").as_bytes())).unwrap();
        let on = |day: &str| ended(&entries, Day::new(day).unwrap());
        assert_eq!(on("2026-12-31"), []);
        assert_eq!(on("2027-01-01"), [Entry { waiver: waiver("f"), line: 2 }]);
    }

    proptest! {
        /// The file's content stays, and the new entry reads back.
        #[test]
        fn what_is_written_reads_back(finding in "\\PC{1,20}", reason in ".{1,40}", by in ".{1,20}", kept in 0_usize..3) {
            prop_assume!(![&finding, &reason, &by].iter().any(|text| text.trim().is_empty()) && finding != "f");
            let before = ["", "# a remark", WHOLE][kept];
            let added = Waiver { reason, author: by, ..waiver(&finding) };
            let text = with(before, &added, &["about".to_owned()]);
            prop_assert!(text.starts_with(before));
            let entries = read(Some(text.as_bytes())).unwrap();
            prop_assert_eq!(entries.len(), 1 + usize::from(kept == 2));
            prop_assert_eq!(&entries.last().unwrap().waiver, &added);
        }
    }
}
