//! A table in plain columns.

use super::painted;
use super::style::STRONG;

/// Sets rows under a heading; every column is as wide as its widest cell.
pub(crate) fn table<'r, const N: usize>(heading: [&'r str; N], rows: impl Iterator<Item = [&'r str; N]>) -> String {
    let rows: Vec<[&str; N]> = rows.collect();
    let width = |column: usize| {
        let cells = rows.iter().chain([&heading]).map(|row| row[column].chars().count());
        cells.max().unwrap_or(0)
    };
    let line = |row: &[&str; N]| {
        let cells = row.iter().enumerate().map(|(column, cell)| format!("{cell:<width$}", width = width(column)));
        cells.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut text = format!("{}\n", painted(STRONG, &line(&heading)));
    rows.iter().for_each(|row| text.push_str(&format!("{}\n", line(row))));
    text
}
