//! Tables that are none of Markdown's: comma-separated values and HTML.
//!
//! In: a text, or a block of HTML. Out: the table in it as a unit, or nothing if it is no table of findings. Deliberately not
//! here: the meaning of the columns (`markdown`).

use super::markdown_units::{Kind, Unit};
use super::synonyms::{self, Field};
use crate::syntax::Span;

/// Reads a text that is nothing but a table with a header that names a severity.
pub(super) fn csv(text: &str, from: usize) -> Option<Unit<'_>> {
    let mut lines = text[from..].split_inclusive('\n').scan(from, |at, line| {
        let start = *at;
        *at += line.len();
        Some((start, line.trim_end()))
    });
    let (_, header) = lines.by_ref().find(|(_, line)| !line.is_empty())?;
    let (separator, head) = [',', ';', '\t', '|'].into_iter().find_map(|separator| {
        let head = cells(header, separator)?;
        names_findings(&head).then_some((separator, head))
    })?;
    let mut rows = Vec::new();
    for (start, line) in lines.filter(|(_, line)| !line.is_empty()) {
        // A row that is broken over lines, or something after the table: no table that could be relied upon.
        let row = cells(line, separator).filter(|row| row.len() == head.len())?;
        rows.push((row, Span::new(start, start + line.len())));
    }
    (!rows.is_empty()).then(|| Unit { kind: Kind::Table { head, rows }, span: Span::new(from, text.len()) })
}

/// Reads a fenced block that is nothing but a table.
pub(super) fn fenced(text: &str, span: Span) -> Option<Unit<'_>> {
    let raw = text.get(span.start..span.end)?;
    let (opening, inner) = raw.split_once('\n')?;
    let info = opening.trim_start_matches(['`', '~', ' ']).trim().to_ascii_lowercase();
    let is_table =
        opening.trim_start().starts_with(['`', '~']) && ["", "csv", "tsv", "text", "txt"].contains(&info.as_str());
    let content = inner.trim_end().trim_end_matches(['`', '~']);
    let start = span.start + opening.len() + 1;
    is_table.then(|| csv(&text[..start + content.len()], start))?
}

fn names_findings(head: &[&str]) -> bool {
    let has = |wanted: Field| head.iter().any(|name| synonyms::field(name).is_some_and(|(field, _)| field == wanted));
    head.len() >= 3 && has(Field::Severity) && (has(Field::Title) || has(Field::Why))
}

/// Splits a line of separated values; `None` if a quote is left open.
fn cells(line: &str, separator: char) -> Option<Vec<&str>> {
    let mut cells = Vec::new();
    let (mut start, mut is_quoted) = (0, false);
    for (at, c) in line.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            _ if c == separator && !is_quoted => {
                cells.push(bare(&line[start..at]));
                start = at + c.len_utf8();
            }
            _ => {}
        }
    }
    cells.push(bare(&line[start..]));
    (!is_quoted).then_some(cells)
}

fn bare(cell: &str) -> &str {
    let cell = cell.trim();
    cell.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(cell).trim()
}

/// Reads a block of HTML as a table with a header.
pub(super) fn html(raw: &str, span: Span) -> Option<Unit<'_>> {
    let mut rows: Vec<(Vec<&str>, Span)> = Vec::new();
    for (at, _) in raw.match_indices("<tr") {
        let end = raw[at..].find("</tr>").map_or(raw.len(), |length| at + length);
        let row = &raw[at..end];
        let cells = row.split("</t").filter_map(|piece| {
            let start = piece.find("<td").or_else(|| piece.find("<th"))?;
            Some(without_tags(piece[start..].split_once('>')?.1))
        });
        rows.push((cells.collect(), Span::new(span.start + at, span.start + end)));
    }
    let (head, _) = (!rows.is_empty()).then(|| rows.remove(0))?;
    Some(Unit { kind: Kind::Table { head, rows }, span })
}

/// Tells whether a page has a table whose header names the fields of a finding. No error page has.
pub(super) fn states_findings(page: &str) -> bool {
    let table = html(page, Span::new(0, page.len()));
    matches!(table.map(|unit| unit.kind), Some(Kind::Table { head, rows }) if names_findings(&head) && !rows.is_empty())
}

/// Takes the tags off both ends of a cell.
fn without_tags(cell: &str) -> &str {
    let mut cell = cell.trim();
    while let Some((_, rest)) = cell.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
        cell = rest.trim_start();
    }
    while let Some(at) = cell.strip_suffix('>').and_then(|_| cell.rfind("</")) {
        cell = cell[..at].trim_end();
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(unit: &Unit<'_>) -> Vec<Vec<String>> {
        let Kind::Table { head, rows } = &unit.kind else { return Vec::new() };
        let all = std::iter::once(head).chain(rows.iter().map(|(cells, _)| cells));
        all.map(|cells| cells.iter().map(|cell| (*cell).to_owned()).collect()).collect()
    }

    #[test]
    fn separated_values_are_a_table_if_all_rows_are() {
        let table = csv("severity,file,title\nhigh,a.ts,\"x, y\"\n", 0).unwrap();
        assert_eq!(rows(&table), [["severity", "file", "title"], ["high", "a.ts", "x, y"]]);
        for text in ["severity,file,title\nhigh,a.ts\n", "a,b,c\n1,2,3\n", "severity,file,title\n", "severity, file"] {
            assert!(csv(text, 0).is_none(), "{text}");
        }
    }

    #[test]
    fn html_is_a_table_without_its_tags() {
        let text = "<table><tr><th>Severity</th><th>Where</th></tr>\n<tr><td>High</td><td><code>a.rb:3</code></td></tr></table>";
        let table = html(text, Span::new(0, text.len())).unwrap();
        assert_eq!(rows(&table), [["Severity", "Where"], ["High", "a.rb:3"]]);
        assert!(html("<div>x</div>", Span::at(0)).is_none());
    }
}
