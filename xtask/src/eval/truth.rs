//! Truth tables. In: the text of a `truth.tsv`. Out: its rows, and what is wrong with the lines that are none.
//! Deliberately not here: files; whether the places that rows name exist is the caller's to check.

/// What a line of code is in truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It has the weakness.
    Vulnerable,
    /// It looks alike and does not have it.
    Safe,
}

/// What a row is about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Weakness {
    /// Whatever is said of the line.
    Any,
    /// An entry of the common weakness enumeration.
    Cwe(u32),
    /// A rule, for defects that have no such entry.
    Rule(String),
}

/// One row: a place and what is true of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// The file, from the folder of the table.
    pub(crate) path: String,
    /// The line of the finding, from 1; without one the row is about the whole file.
    pub(crate) line: Option<u32>,
    pub(crate) verdict: Verdict,
    /// What the row is about, in one or several words; the first is the one it is counted under.
    pub(crate) weaknesses: Vec<Weakness>,
    /// The line of the table that it stands in.
    pub(crate) stands_at: usize,
}

/// What a table says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    pub(crate) rows: Vec<Row>,
    /// The lines that are no rows, and why.
    pub(crate) bad: Vec<(usize, String)>,
}

/// Reads a table: path, line, verdict, weakness, separated by tabs. A header, empty lines, comments (`#`) and further
/// columns are passed over.
pub(crate) fn read(text: &str) -> Table {
    let mut table = Table::default();
    let mut is_first = true;
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim_end_matches('\r');
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let columns: Vec<&str> = line.split('\t').map(str::trim).collect();
        let is_header = is_first && ["path", "file"].contains(&columns[0].to_ascii_lowercase().as_str());
        is_first = false;
        if is_header {
            continue;
        }
        match row(&columns, index + 1) {
            Ok(row) => table.rows.push(row),
            Err(why) => table.bad.push((index + 1, why)),
        }
    }
    table
}

fn row(columns: &[&str], stands_at: usize) -> Result<Row, String> {
    let [path, line, verdict, rest @ ..] = columns else {
        return Err(format!("{} columns, expected path, line, verdict and CWE with tabs between them", columns.len()));
    };
    if path.is_empty() {
        return Err("the path is missing".to_owned());
    }
    let line = match *line {
        "" | "-" => None,
        number => number.parse().map(Some).map_err(|_| format!("line `{number}` is no number"))?,
    };
    let verdict = match verdict.to_ascii_lowercase().as_str() {
        "vulnerable" => Verdict::Vulnerable,
        "safe" => Verdict::Safe,
        other => return Err(format!("verdict `{other}`, expected `vulnerable` or `safe`")),
    };
    Ok(Row {
        path: path.trim_start_matches("./").to_owned(),
        line: line.filter(|line| *line > 0),
        verdict,
        weaknesses: weaknesses(rest.first().copied().unwrap_or_default())?,
        stands_at,
    })
}

/// Reads what a row is about: `CWE-89`, `cwe89`, `89`, `CWE-89: SQL injection`, a rule id, several with commas between
/// them, or nothing.
fn weaknesses(text: &str) -> Result<Vec<Weakness>, String> {
    let text = text.trim_matches('"');
    if ["", "-", "*", "any"].contains(&text.to_ascii_lowercase().as_str()) {
        return Ok(vec![Weakness::Any]);
    }
    let words = text.split([',', ';', '|']).map(str::trim).filter(|word| !word.is_empty());
    // The names that may follow a number have commas of their own.
    let words = words.filter(|word| !text.contains(':') || cwe(word).is_some());
    let read: Vec<_> = words.map(|word| weakness(word).ok_or(word)).collect::<Result<_, _>>().unwrap_or_default();
    if read.is_empty() { Err(format!("`{text}` is neither a CWE nor a rule id")) } else { Ok(read) }
}

fn weakness(word: &str) -> Option<Weakness> {
    if let Some(number) = cwe(word) {
        return Some(Weakness::Cwe(number));
    }
    let is_id = word.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    (is_id && word.starts_with(|c: char| c.is_ascii_lowercase())).then(|| Weakness::Rule(word.to_owned()))
}

/// Reads the number of a CWE, however it is spelled; a name may follow it behind a colon.
pub(crate) fn cwe(word: &str) -> Option<u32> {
    let word = word.split(':').next().unwrap_or_default().trim().to_ascii_lowercase();
    let digits = word.strip_prefix("cwe").map_or(word.as_str(), |rest| rest.trim_start_matches(['-', '_', ' ']));
    if digits.bytes().all(|byte| byte.is_ascii_digit()) { digits.parse().ok() } else { None }
}

impl std::fmt::Display for Weakness {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Any => f.write_str("any"),
            Self::Cwe(number) => write!(f, "CWE-{number}"),
            Self::Rule(id) => f.write_str(id),
        }
    }
}

impl Row {
    /// Returns the weakness that the row is counted under.
    pub(crate) fn weakness(&self) -> &Weakness {
        &self.weaknesses[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Row {
        let table = read(line);
        assert_eq!((table.rows.len(), table.bad.as_slice()), (1, [].as_slice()), "{line}");
        table.rows[0].clone()
    }

    #[test]
    fn rows_are_read_however_they_are_spelled() {
        let text = "\u{feff}# bad and good twins\r\npath\tline\tverdict\tcwe\r\n\r\nsql.py\t12\tvulnerable\tCWE-89\r\n./sql.py\t 20 \tSafe\tcwe89\textra\tcolumns\n";
        let table = read(text);
        assert_eq!(table.bad, []);
        let said: Vec<_> = table.rows.iter().map(|row| (row.path.as_str(), row.line, row.verdict)).collect();
        assert_eq!(said, [("sql.py", Some(12), Verdict::Vulnerable), ("sql.py", Some(20), Verdict::Safe)]);
        assert_eq!(table.rows.iter().map(|row| row.stands_at).collect::<Vec<_>>(), [4, 5]);
        assert!(table.rows.iter().all(|row| row.weaknesses == [Weakness::Cwe(89)]));
    }

    #[test]
    fn a_weakness_is_a_number_a_rule_several_or_none() {
        let said = |cell: &str| of(&format!("a\t1\tsafe\t{cell}")).weaknesses;
        for cell in ["89", "CWE-89", "cwe_89", "CWE 89", "CWE-89: Improper Neutralization, and so on"] {
            assert_eq!(said(cell)[..1], [Weakness::Cwe(89)], "{cell}");
        }
        for cell in ["", "-", "any"] {
            assert_eq!(said(cell), [Weakness::Any], "{cell}");
        }
        assert_eq!(of("a\t1\tsafe").weaknesses, [Weakness::Any]);
        assert_eq!(said("floating-promise"), [Weakness::Rule("floating-promise".to_owned())]);
        assert_eq!(said("CWE-79, 80"), [Weakness::Cwe(79), Weakness::Cwe(80)]);
    }

    #[test]
    fn a_row_without_a_line_is_about_the_file() {
        for line in ["", "0", "-"] {
            assert_eq!(of(&format!("a\t{line}\tsafe\t-")).line, None, "{line}");
        }
    }

    #[test]
    fn what_is_no_row_is_an_error_at_its_line() {
        let table = read(
            "a\t1\tsafe\t-\nb\tx\tsafe\t-\nc\t1\tmaybe\t-\nd 1 safe -\ne\t1\tsafe\tSQL!\n\t1\tsafe\t-\npath\tline\tverdict\tcwe\n",
        );
        assert_eq!(table.rows.len(), 1);
        assert_eq!(table.bad.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
        assert_eq!(table.bad[1].1, "verdict `maybe`, expected `vulnerable` or `safe`");
    }
}
