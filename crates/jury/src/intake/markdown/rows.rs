//! Tables of a document: a row for each finding, or counts of findings that are stated elsewhere.
//!
//! In: the head and the rows of a table. Out: findings, or counts. Deliberately not here: tables that are none of Markdown's (`tables`).

use super::super::finding;
use super::super::sections::Section;
use super::super::synonyms::{self, Field};
use super::super::{no_findings, scalars};
use super::Document;
use crate::model::Severity;
use crate::syntax::Span;

impl<'t> Document<'_, '_, 't> {
    pub(super) fn table(&mut self, head: &[&'t str], rows: &[(Vec<&'t str>, Span)], span: Span) {
        let names: Vec<String> = head.iter().map(|cell| synonyms::fold_word(cell)).collect();
        let column = |wanted: &dyn Fn(&str) -> bool| names.iter().position(|name| wanted(name));
        let of_field = |field: Field| move |name: &str| synonyms::field(name).is_some_and(|(found, _)| found == field);
        let severity = column(&of_field(Field::Severity)).or_else(|| column(&|name| name == "level"));
        let Some(severity) = severity else { return self.table_of_section(&names, rows, span) };
        let is_summary =
            column(&|name| matches!(name, "count" | "total" | "number" | "findings" | "issues" | "#" | "open"))
                .is_some()
                && names.len() <= 4
                && rows.iter().all(|(cells, _)| {
                    cells.iter().enumerate().any(|(at, cell)| {
                        at != severity
                            && !cell.is_empty()
                            && cell.trim_matches(['*', ' ']).bytes().all(|b| b.is_ascii_digit())
                    }) && cells.iter().all(|cell| cell.len() < 40)
                })
                && column(&of_field(Field::Title)).is_none_or(|at| names[at] == "issue" || names[at] == "finding");
        if is_summary {
            let blocking = rows.iter().filter_map(|(cells, _)| {
                let worst = scalars::severity(cells.get(severity)?.trim_matches(['*', ' ']))
                    .is_some_and(|(severity, _)| severity.is_at_least(Severity::High));
                let number = cells
                    .iter()
                    .enumerate()
                    .filter(|(at, _)| *at != severity)
                    .find_map(|(_, cell)| cell.trim_matches(['*', ' ']).parse::<usize>().ok())?;
                Some(if worst { number } else { 0 })
            });
            self.said.counted.push((blocking.sum(), span));
            // Counts that are all zero say that there is nothing.
            let is_number = |cell: &&&str| !cell.is_empty() && cell.bytes().all(|b| b.is_ascii_digit());
            let mut numbers = rows.iter().flat_map(|(cells, _)| cells.iter().filter(is_number));
            let blocks = |cells: &Vec<&str>| {
                let cell = cells.get(severity).map(|cell| cell.trim_matches(['*', ' ']));
                cell.and_then(scalars::severity).is_some_and(|(severity, _)| severity.is_at_least(Severity::High))
            };
            let is_whole = rows.len() > 2 || rows.len() == 2 && rows.iter().all(|(cells, _)| blocks(cells));
            self.said.none |= is_whole && numbers.all(|number| number.bytes().all(|b| b == b'0'));
            return;
        }
        self.flush();
        let is_id = |name: &str| {
            matches!(name, "#" | "id" | "r1 id" | "r2 id" | "no" | "ref")
                || name.is_empty()
                || of_field(Field::Status)(name)
        };
        let title = column(&|name| {
            synonyms::field(name).is_some_and(|(field, _)| field == Field::Title)
                || name.ends_with("finding")
                || name.ends_with("title")
        })
        .or_else(|| column(&of_field(Field::Why)))
        .or_else(|| column(&of_field(Field::Fix)))
        .or_else(|| names.iter().enumerate().position(|(at, name)| at != severity && !is_id(name)));
        let Some(title) = title else { return };
        for (cells, row_span) in rows {
            self.row(&names, cells, Some(severity), title, *row_span);
        }
    }

    /// Reads a table whose rows have no severity: the section may have one.
    fn table_of_section(&mut self, names: &[String], rows: &[(Vec<&'t str>, Span)], span: Span) {
        let position = |wanted: &[Field]| {
            names.iter().position(|name| synonyms::field(name).is_some_and(|(field, _)| wanted.contains(&field)))
        };
        let title = position(&[Field::Title]).or_else(|| position(&[Field::Why]));
        let names_places = position(&[Field::File, Field::Place]).is_some();
        let is_of_findings = match self.section() {
            Section::OfSeverity(_) => true,
            Section::Findings => names_places && !self.found.has_front_claim,
            _ => false,
        };
        let Some(title) = title.filter(|_| is_of_findings) else { return self.append(span) };
        self.flush();
        for (cells, row_span) in rows {
            self.row(names, cells, None, title, *row_span);
        }
    }

    fn row(&mut self, names: &[String], cells: &[&'t str], severity: Option<usize>, title: usize, span: Span) {
        let stated = severity.and_then(|at| cells.get(at)).map_or("", |cell| cell.trim_matches(['*', ' ', '`']));
        let lead = cells.get(title).copied().unwrap_or_default();
        let is_row_of_none =
            || scalars::is_nothing(lead) || cells.first().is_some_and(|cell| no_findings::says_none(cell));
        if scalars::is_nothing(stated) && is_row_of_none() || no_findings::says_none(lead) {
            self.said.none |= !self.is_below(Section::Settled);
            self.doubts.blocking_section = None;
            return;
        }
        let mut body = String::new();
        for (name, cell) in names.iter().zip(cells) {
            body.push_str(&format!("{name}: {cell}\n"));
        }
        let status = names
            .iter()
            .zip(cells)
            .find(|(name, _)| synonyms::field(name).is_some_and(|(field, _)| field == Field::Status));
        let mut draft = self.draft(lead, &body, None, span);
        draft.status = status
            .and_then(|(_, cell)| finding::settled(cell.trim_matches(['*', ' ', '✅', '❌', '⚠', '\u{fe0f}'])))
            .map(|(settled, _)| settled)
            .or(draft.status);
        if status.is_some() && draft.status.is_none() {
            draft.scope.is_settled = false;
        }
        self.enter(&draft);
    }
}
