//! Tables and columns that a migration drops. In: the text of the migration and the place of a finding that it drops
//! something. Out: the names of the tables and columns. Names that cannot be read with certainty are left out.

use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

/// A column, or a whole table, that a migration drops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Dropped {
    pub(crate) table: String,
    /// The column; `None` if the whole table is dropped.
    pub(crate) column: Option<String>,
    /// The place in the migration.
    pub(crate) span: Range<usize>,
}

impl Dropped {
    /// Returns its name: `users.nickname`.
    pub(crate) fn name(&self) -> String {
        self.column.as_ref().map_or_else(|| self.table.clone(), |column| format!("{}.{column}", self.table))
    }
}

/// A name in SQL, with optional schema and quotes.
const SQL_NAME: &str = r#"(?:["`\[]?\w+["`\]]?\.)?["`\[]?(\w+)["`\]]?"#;

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is a fixed one, and a test runs it")
}

static ALTER: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"(?i)\balter\s+table\s+(?:if\s+exists\s+)?(?:only\s+)?{SQL_NAME}")));
static COLUMN: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"(?i)\bdrop\s+column\s+(?:if\s+exists\s+)?{SQL_NAME}")));
static TABLE: LazyLock<Regex> =
    LazyLock::new(|| regex(&format!(r"(?i)\bdrop\s+table\s+(?:if\s+exists\s+)?{SQL_NAME}")));
/// A call with its arguments: `table.dropColumn("a")`, `remove_column :users, :a`.
static CALL: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"\b(dropColumns?|removeColumn|drop_column|remove_columns?|dropTable(?:IfExists)?|drop_table|RemoveField)\b")
});
static LITERAL: LazyLock<Regex> = LazyLock::new(|| regex(r#"^[\s(\[]*(?:["'`](\w+)["'`]|:(\w+))\s*(?:,|\)|\]|$)"#));
static MODEL: LazyLock<Regex> = LazyLock::new(|| regex(r#"\bmodel_name\s*=\s*["'](\w+)["']"#));
static FIELD: LazyLock<Regex> = LazyLock::new(|| regex(r#"(?:\(|,|\s)name\s*=\s*["'](\w+)["']"#));
/// A call that selects a table for the column names that follow.
static OPENED: LazyLock<Regex> = LazyLock::new(|| {
    regex(r#"\b(?:alterTable|table|changeTable|batch_alter_table|change_table)\b[\s(]*(?:["'`](\w+)["'`]|:(\w+))"#)
});

/// Reads the tables and columns dropped at a place of a migration.
pub(crate) fn dropped(text: &str, span: &Range<usize>) -> Vec<Dropped> {
    let said = &text[span.clone()];
    if COLUMN.is_match(said) || TABLE.is_match(said) {
        return in_sql(text, span);
    }
    let Some(call) = CALL.find(said) else { return Vec::new() };
    let arguments = &said[call.end()..];
    let of = |table: String, column: Option<String>| Dropped { table, column, span: span.clone() };
    if call.as_str() == "RemoveField" {
        let keyword = |regex: &Regex| regex.captures(arguments).map(|found| found[1].to_owned());
        let mut plain = literals(arguments).into_iter();
        let (model, field) = (plain.next().or(keyword(&MODEL)), plain.next().or(keyword(&FIELD)));
        return model.zip(field).map(|(table, column)| of(table, Some(column))).into_iter().collect();
    }
    let literals = literals(arguments);
    let (table, columns) = match (call.as_str(), literals.as_slice()) {
        (_, []) => return Vec::new(),
        ("dropTable" | "dropTableIfExists" | "drop_table", [table, ..]) => return vec![of(table.clone(), None)],
        ("remove_columns", [table, columns @ ..]) => (Some(table.clone()), columns),
        ("dropColumns", columns) => (opened(text, span.start), columns),
        (_, [column]) => (opened(text, span.start), std::slice::from_ref(column)),
        // The column is followed by its type, or an option.
        (_, [table, column, ..]) => (Some(table.clone()), std::slice::from_ref(column)),
    };
    let Some(table) = table else { return Vec::new() };
    columns.iter().map(|column| of(table.clone(), Some(column.clone()))).collect()
}

/// Reads SQL. The table of a column is the last altered one before it.
fn in_sql(text: &str, span: &Range<usize>) -> Vec<Dropped> {
    let mut all = Vec::new();
    let said = &text[span.clone()];
    let place = |found: regex::Match<'_>| span.start + found.start()..span.start + found.end();
    for found in COLUMN.captures_iter(said) {
        let Some(whole) = found.get(0) else { continue };
        let before = &text[..span.start + whole.start()];
        let statement = before.rfind(';').map_or(0, |at| at + 1);
        if let Some(altered) = ALTER.captures_iter(&before[statement..]).last() {
            all.push(Dropped { table: altered[1].to_owned(), column: Some(found[1].to_owned()), span: place(whole) });
        }
    }
    let tables = TABLE.captures_iter(said).filter_map(|found| Some((found[1].to_owned(), found.get(0)?)));
    all.extend(tables.map(|(table, whole)| Dropped { table, column: None, span: place(whole) }));
    all
}

/// Returns the leading arguments of a call that are names.
fn literals(arguments: &str) -> Vec<String> {
    let mut literals = Vec::new();
    let mut rest = arguments;
    while let Some(found) = LITERAL.captures(rest) {
        let name = found.get(1).or(found.get(2)).map(|name| name.as_str().to_owned());
        literals.extend(name);
        rest = &rest[found.get(0).map_or(rest.len(), |whole| whole.end())..];
    }
    literals
}

/// Returns the table selected last before a place.
fn opened(text: &str, at: usize) -> Option<String> {
    let found = OPENED.captures_iter(&text[..at]).last()?;
    found.get(1).or(found.get(2)).map(|name| name.as_str().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str, said: &str) -> Vec<String> {
        let at = text.find(said).unwrap();
        dropped(text, &(at..at + said.len())).iter().map(Dropped::name).collect()
    }

    #[test]
    fn every_tool_says_it_in_its_own_words() {
        for (text, said, expected) in [
            ("ALTER TABLE users DROP COLUMN nickname;", "DROP COLUMN nickname", &["users.nickname"][..]),
            (
                "alter table only public.\"Order\" add b int, drop column if exists \"a\"",
                "drop column if exists \"a\"",
                &["Order.a"],
            ),
            ("ALTER TABLE a ADD b int; DROP COLUMN c", "DROP COLUMN c", &[]),
            (
                "q.query(`ALTER TABLE \"user\" DROP COLUMN \"a\", DROP COLUMN \"b\"`)",
                "q.query(`ALTER TABLE \"user\" DROP COLUMN \"a\", DROP COLUMN \"b\"`)",
                &["user.a", "user.b"],
            ),
            ("q.query('DROP TABLE clients')", "q.query('DROP TABLE clients')", &["clients"]),
            ("alterTable('users', (table) => { table.dropColumn('a') })", "table.dropColumn('a')", &["users.a"]),
            ("alterTable('users', (t) => t.dropColumns('a', 'b'))", "t.dropColumns('a', 'b')", &["users.a", "users.b"]),
            (
                "q.removeColumn('users', 'a', { transaction })",
                "q.removeColumn('users', 'a', { transaction })",
                &["users.a"],
            ),
            ("remove_column :users, :a, :string", "remove_column :users, :a, :string", &["users.a"]),
            (
                "remove_columns :users, :a, :b, type: :string",
                "remove_columns :users, :a, :b, type: :string",
                &["users.a", "users.b"],
            ),
            ("drop_table(:clients)", "drop_table(:clients)", &["clients"]),
            ("op.drop_column(\"users\", \"a\")", "op.drop_column(\"users\", \"a\")", &["users.a"]),
            (
                "with op.batch_alter_table('users') as batch_op:\n    batch_op.drop_column('a')",
                "batch_op.drop_column('a')",
                &["users.a"],
            ),
            (
                "migrations.RemoveField(model_name=\"user\", name=\"a\")",
                "migrations.RemoveField(model_name=\"user\", name=\"a\")",
                &["user.a"],
            ),
            ("migrations.RemoveField(\"user\", \"a\")", "migrations.RemoveField(\"user\", \"a\")", &["user.a"]),
            ("table.dropColumn(name)", "table.dropColumn(name)", &[]),
            ("table.dropColumn('a')", "table.dropColumn('a')", &[]),
        ] {
            assert_eq!(names(text, said), expected, "{text}");
        }
    }
}
