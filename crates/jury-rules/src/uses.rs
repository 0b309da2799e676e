//! Finds code that still uses a dropped table or column. In: the drops, the changed files, and the rest of the tree,
//! which is read only if there is a drop. Out: the places, by path and line.
//!
//! Lines are read, not programs, so only clear uses count: the column beside its table (`user.nickname`,
//! `knex("users").select("nickname")`, `SELECT nickname FROM users`) or in the type named after it. A bare word is not
//! a use.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use regex::Regex;

use crate::dropped::Dropped;
use crate::language::Language;
use crate::{SourceFile, Tree, paths};

/// The limits on the files and bytes of the tree that are searched.
const MOST_FILES: usize = 10_000;
const MOST_BYTES: usize = 64 * 1024 * 1024;
/// How many lines a statement is followed up and down.
const LONGEST_STATEMENT: usize = 8;
/// The number of places that are named.
const MOST_PLACES: usize = 5;

/// The code that could contain uses.
pub(crate) struct Code<'a> {
    files: &'a [&'a SourceFile<'a>],
    tree: &'a dyn Tree,
    read: OnceCell<Texts>,
}

struct Texts {
    /// Files that are neither tests nor migrations nor generated, by path.
    sources: BTreeMap<String, String>,
    migrations: BTreeMap<String, String>,
    is_cut_short: bool,
}

impl<'a> Code<'a> {
    pub(crate) fn new(files: &'a [&'a SourceFile<'a>], tree: &'a dyn Tree) -> Self {
        Self { files, tree, read: OnceCell::new() }
    }

    /// Returns the places that still use a dropped name: `src/users.ts:14`.
    pub(crate) fn uses(&self, migration: &SourceFile<'_>, dropped: &Dropped) -> Vec<String> {
        let Some(searched) = Searched::of(dropped) else { return Vec::new() };
        let texts = self.read.get_or_init(|| self.read());
        // A name that is created again, here or by a later migration, is not gone.
        let folder = paths::migrations(migration.path);
        let is_later = |path: &str| path > migration.path && paths::migrations(path) == folder;
        let later = texts.migrations.iter().filter(|(path, _)| is_later(path));
        if searched.is_made_by(way_up(&migration.text[dropped.span.end..]))
            || later.map(|(_, text)| text).any(|text| searched.is_made_by(text))
        {
            return Vec::new();
        }
        let places = texts
            .sources
            .iter()
            .flat_map(|(path, text)| searched.lines(text).into_iter().map(move |line| format!("{path}:{line}")));
        places.take(MOST_PLACES).collect()
    }

    /// Reports the parts that were not searched, if a search was needed.
    pub(crate) fn note(&self) -> Option<String> {
        self.read.get().filter(|texts| texts.is_cut_short).map(|_| {
            format!(
                "what the migrations drop was looked for in the first {MOST_FILES} source files ({} MiB) only",
                MOST_BYTES >> 20
            )
        })
    }

    fn read(&self) -> Texts {
        let mut texts = Texts { sources: BTreeMap::new(), migrations: BTreeMap::new(), is_cut_short: false };
        let mut paths = self.tree.paths();
        paths.extend(self.files.iter().map(|file| file.path.to_owned()));
        paths.sort_unstable();
        paths.dedup();
        let changed = |path: &str| self.files.iter().find(|file| file.path == path).map(|file| file.text.to_owned());
        let mut bytes = 0;
        for path in paths {
            let is_migration = paths::migrations(&path).is_some();
            if !is_migration && !is_searched(&path) {
                continue;
            }
            if texts.sources.len() + texts.migrations.len() == MOST_FILES || bytes > MOST_BYTES {
                texts.is_cut_short = true;
                break;
            }
            let Some(text) = changed(&path).or_else(|| self.tree.text(&path)) else { continue };
            bytes += text.len();
            let kept = if is_migration { &mut texts.migrations } else { &mut texts.sources };
            kept.insert(path, text);
        }
        texts
    }
}

/// Tells whether a file could use a column: hand-written code that is not a test of it.
fn is_searched(path: &str) -> bool {
    let is_code = Language::of(path)
        .is_some_and(|language| !matches!(language, Language::Bash | Language::Dockerfile | Language::Yaml));
    is_code && !paths::is_test(path) && !paths::is_foreign(path)
}

/// Returns the part of a migration before its down part.
fn way_up(text: &str) -> &str {
    let ends = ["down(", "def down", "downgrade", "exports.down", "down:", "down =", "-- +goose Down", "migrate:down"];
    let end = ends.iter().filter_map(|end| text.find(end)).min().unwrap_or(text.len());
    &text[..end]
}

/// The searched name, in all its spellings.
struct Searched {
    /// The words of the table name, the last one in the singular.
    table: Vec<String>,
    /// The column as `first_name`, `firstName` and `FirstName`; none if the table itself is searched.
    column: Vec<String>,
    /// The table in SQL.
    in_sql: Regex,
    /// The table name in an object-relational mapping.
    mapped: Regex,
}

impl Searched {
    fn of(dropped: &Dropped) -> Option<Self> {
        let table = singular_words(&dropped.table);
        let name = regex::escape(&dropped.table);
        let in_sql = format!(r#"(?i)\b(?:from|join|into|update)\s+["`\[]?(?:\w+["`\]]?\.["`\[]?)?{name}\b"#);
        let mapped = format!(
            r#"(?:\b(?:knex|trx|from|into|join|table|tableName|table_name|__tablename__|Entity|Table)\b|\w+Table)[^\w"'`:]{{1,10}}(?:name\s*[=:]\s*)?["'`]{name}["'`]"#
        );
        Some(Self {
            table: table.filter(|words| !words.is_empty())?,
            column: dropped.column.as_deref().map(spellings).unwrap_or_default(),
            in_sql: Regex::new(&in_sql).ok()?,
            mapped: Regex::new(&mapped).ok()?,
        })
    }

    /// Tells whether a migration may create it again: it names the column, or else the table, and drops nothing there.
    fn is_made_by(&self, migration: &str) -> bool {
        let is_made = |line: &str| match self.column.is_empty() {
            true => tokens(line).any(|token| self.is_table(token)),
            false => self.column.iter().any(|name| occurrences(line, name).next().is_some()),
        };
        let drops = |line: &str| ["drop", "remove"].iter().any(|word| line.to_lowercase().contains(word));
        migration.lines().any(|line| is_made(line) && !drops(line))
    }

    /// Returns the lines, from 1, that use it.
    fn lines(&self, text: &str) -> Vec<usize> {
        if !self.column.iter().any(|name| text.contains(name.as_str())) && !self.column.is_empty() {
            return Vec::new();
        }
        let lines: Vec<&str> = text.lines().map(code).collect();
        let is_use = |at: &usize| match self.column.is_empty() {
            true => self.mapped.is_match(lines[*at]) || is_quoted_match(&self.in_sql, lines[*at]),
            false => self.uses_column(&lines, *at),
        };
        (0..lines.len()).filter(is_use).map(|at| at + 1).collect()
    }

    fn uses_column(&self, lines: &[&str], at: usize) -> bool {
        let line = lines[at];
        // Rails code that prepares the removal of the column.
        if line.contains("ignored_columns") {
            return false;
        }
        let found = self.column.iter().flat_map(|name| occurrences(line, name).map(move |start| (start, name.len())));
        found.into_iter().any(|(start, length)| {
            let (before, behind) = (&line[..start], &line[start + length..]);
            // A function of that name need not read the column.
            if behind.starts_with('(') || before.ends_with("def ") {
                return false;
            }
            match receiver(before) {
                Some("this" | "self" | "@") => self.is_in_own_type(lines, at),
                Some(receiver) => self.is_table(receiver) || self.is_aliased(receiver, lines, at, before),
                None if is_member(before) => tokens(&chain(before)).any(|token| self.is_table(token)),
                None if is_quoted(before, behind) || is_key(before, behind) => self.leads_to(lines, at, before),
                None => self.is_in_query(lines, at, before) || is_declared(before) && self.is_in_own_type(lines, at),
            }
        })
    }

    /// Tells whether an identifier is named after the table: `users`, `User`, `currentUser`.
    fn is_table(&self, token: &str) -> bool {
        singular_words(token).is_some_and(|words| words.ends_with(&self.table))
    }

    /// Tells whether a place is an argument of a call on the table: `knex("users").select("nickname")`.
    fn leads_to(&self, lines: &[&str], at: usize, before: &str) -> bool {
        let mut lead: String = above(lines, at).map(|line| format!("{line} ")).collect();
        lead.push_str(before);
        let names = lead.match_indices(|c: char| !is_word(c)).map(|(at, _)| &lead[..at]);
        names.filter(|before| self.is_table(last_token(before))).any(|before| {
            let (mut depth, mut least) = (0, 0);
            for c in lead[before.len()..].chars() {
                depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
                least = least.min(depth);
            }
            // The table is before the bracket around the place, or in a bracket that was closed before that.
            depth > least
        })
    }

    /// Tells whether a place is in SQL about the table.
    fn is_in_query(&self, lines: &[&str], at: usize, before: &str) -> bool {
        let is_text = is_open(before) || above(lines, at).any(is_open);
        is_text && statement(lines, at).any(|line| self.in_sql.is_match(line))
    }

    /// Tells whether a receiver is the SQL alias of the table: `u.nickname … FROM users u`.
    fn is_aliased(&self, receiver: &str, lines: &[&str], at: usize, before: &str) -> bool {
        receiver.len() <= 2 && self.is_in_query(lines, at, before)
    }

    /// Tells whether a line is in a type named after the table.
    fn is_in_own_type(&self, lines: &[&str], at: usize) -> bool {
        let depth = indentation(lines[at]);
        let above = lines[..at].iter().rev().filter(|line| !line.trim().is_empty() && indentation(line) < depth);
        above.into_iter().find_map(|line| declared_type(line)).is_some_and(|name| {
            let words = singular_words(name).unwrap_or_default();
            let words = match words.split_last() {
                Some((last, rest)) if ["entity", "model", "record", "row"].contains(&last.as_str()) => rest,
                _ => &words,
            };
            words == self.table
        })
    }
}

/// Returns the preceding lines of a line's statement, in order.
fn above<'l>(lines: &'l [&'l str], at: usize) -> impl Iterator<Item = &'l str> {
    let least = at.saturating_sub(LONGEST_STATEMENT);
    let first = (least..at).rev().take_while(|above| continues(lines[*above], lines[above + 1])).last().unwrap_or(at);
    lines[first..at].iter().copied()
}

/// Returns the lines of a line's statement, in order.
fn statement<'l>(lines: &'l [&'l str], at: usize) -> impl Iterator<Item = &'l str> {
    let most = (at + LONGEST_STATEMENT).min(lines.len() - 1);
    let last = (at..most).take_while(|above| continues(lines[*above], lines[above + 1])).last().map_or(at, |at| at + 1);
    above(lines, at).chain(lines[at..=last].iter().copied())
}

/// Tells whether a line continues on the next.
fn continues(line: &str, next: &str) -> bool {
    let (line, next) = (line.trim_end(), next.trim_start());
    let is_open = ["(", "[", ",", "+", "\\", "`", "\"\"\"", "({", ": {", "= {", "[{", "\"\"\")"];
    let goes_on = [".", "?.", "+", "->", "&.", ")", "]", "}"];
    let query = ["select", "from", "where", "join", "left", "inner", "and", "or", "set", "values", "order", "group"];
    let word = next.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    !line.is_empty()
        && !next.is_empty()
        && !line.ends_with(';')
        && (is_open.iter().any(|end| line.ends_with(end))
            || goes_on.iter().any(|start| next.starts_with(start))
            || query.contains(&word.as_str()))
}

/// Returns the words of a name in lower case, the last one in the singular; `None` if it has none.
fn singular_words(name: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    for c in name.chars() {
        let is_start = words.is_empty() || !c.is_alphanumeric() || c.is_uppercase() && was_lower;
        if is_start {
            words.push(String::new());
        }
        was_lower = c.is_lowercase() || c.is_ascii_digit();
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    let last = words.last_mut()?;
    *last = singular(last);
    Some(words)
}

fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        return format!("{stem}y");
    }
    let doubled = ["sses", "xes", "ches", "shes", "zes"].iter().any(|end| word.ends_with(end));
    let stem =
        if doubled { word.strip_suffix("es") } else { word.strip_suffix('s').filter(|stem| !stem.ends_with('s')) };
    stem.filter(|stem| stem.len() > 1).unwrap_or(word).to_owned()
}

/// Returns a name as it is written, and as `first_name`, `firstName` and `FirstName`.
fn spellings(name: &str) -> Vec<String> {
    let mut snake = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !snake.is_empty() && !snake.ends_with('_') {
            snake.push('_');
        }
        snake.extend(c.to_lowercase());
    }
    let capital = |word: &str| {
        let mut chars = word.chars();
        chars.next().map(|first| first.to_uppercase().chain(chars).collect::<String>()).unwrap_or_default()
    };
    let pascal: String = snake.split('_').map(capital).collect();
    let camel = pascal.char_indices().map(|(at, c)| if at == 0 { c.to_ascii_lowercase() } else { c }).collect();
    let mut all = vec![name.to_owned(), snake, camel, pascal];
    all.sort();
    all.dedup();
    all
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the positions of a name in a text as a separate word.
fn occurrences<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = usize> {
    let is_whole = move |at: &usize| !text[..*at].ends_with(is_word) && !text[at + name.len()..].starts_with(is_word);
    text.match_indices(name).map(|(at, _)| at).filter(is_whole)
}

/// Returns the identifiers of a text.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !is_word(c)).filter(|token| !token.is_empty())
}

/// Returns a line without its trailing comment; empty if the whole line is a comment.
fn code(line: &str) -> &str {
    let start = line.trim_start();
    if ["//", "#", "*", "/*", "--", "<!--"].iter().any(|opener| start.starts_with(opener)) {
        return "";
    }
    let openers = [" //", " #", " --"].into_iter().flat_map(|opener| line.match_indices(opener));
    let ends = openers.map(|(at, _)| at).filter(|at| !is_open(&line[..*at]));
    ends.min().map_or(line, |end| &line[..end])
}

fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// Tells whether the following name is a member of the preceding one.
fn is_member(before: &str) -> bool {
    before.ends_with('.') || before.ends_with("->")
}

/// Returns the receiver of the following member: `user` in `user.`, `@` for an instance variable.
fn receiver(before: &str) -> Option<&str> {
    if before.ends_with('@') {
        return Some("@");
    }
    let of = before.strip_suffix('.').or_else(|| before.strip_suffix("->"))?.trim_end_matches(['?', '!', '&']);
    Some(last_token(of)).filter(|name| !name.is_empty())
}

/// Returns the identifier at the end of a text.
fn last_token(text: &str) -> &str {
    &text[text.trim_end_matches(is_word).len()..]
}

/// Returns the call chain before a member, without its arguments: `User.find.` of `x = User.find(1).`.
fn chain(before: &str) -> String {
    let mut depth = 0;
    let mut chain: Vec<char> = Vec::new();
    for c in before.chars().rev() {
        match c {
            ')' | ']' => depth += 1,
            '(' | '[' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ if is_word(c) || ".?!&:".contains(c) => chain.push(c),
            _ => break,
        }
    }
    chain.into_iter().rev().collect()
}

fn is_quoted(before: &str, behind: &str) -> bool {
    let quote = before.chars().next_back();
    let is_symbol = quote == Some(':') && !before.ends_with("::") && before.len() > 1;
    is_symbol || quote.is_some_and(|quote| "\"'`".contains(quote) && behind.starts_with(quote))
}

/// Tells whether a name is a key of a record or a keyword of a call: `{ nickname: x }`, `filter(nickname=x)`.
fn is_key(before: &str, behind: &str) -> bool {
    let types = ["string", "number", "boolean", "any", "unknown", "str", "int", "bool", "float", "Optional", "String"];
    let opens = before.trim_end().ends_with(['{', ',', '(']) || before.trim().is_empty();
    let of = behind.strip_prefix(':').map(str::trim_start);
    let is_field = of.is_some_and(|of| !of.starts_with(':') && !types.iter().any(|name| of.starts_with(name)));
    let is_keyword = behind.starts_with('=') && !behind.starts_with("==") && !behind.starts_with("=>");
    opens && (is_field || is_keyword)
}

/// Tells whether the text before a name makes it the declared name of the line: only modifiers, decorators and a type.
fn is_declared(before: &str) -> bool {
    let is_plain = |c: char| is_word(c) || " \t<>[]?:@".contains(c);
    let bare = before.rfind(')').map_or(before, |at| &before[at + 1..]);
    bare.chars().all(is_plain) && bare.split_whitespace().count() <= 4 && !bare.contains("return")
}

/// Returns the name of the type whose declaration starts on a line.
fn declared_type(line: &str) -> Option<&str> {
    let mut words = line.split(|c: char| !is_word(c)).filter(|word| !word.is_empty());
    words.find(|word| ["class", "interface", "type", "struct", "record"].contains(word))?;
    words.next()
}

/// Tells whether code ends inside a quoted string.
fn is_open(code: &str) -> bool {
    let odd = |quote: &str| code.matches(quote).count() % 2 == 1;
    odd("\"") || odd("'") || odd("`")
}

/// Tells whether a match is inside a quoted string.
fn is_quoted_match(regex: &Regex, line: &str) -> bool {
    regex.find(line).is_some_and(|found| is_open(&line[..found.start()]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(name: &str, text: &str) -> Vec<usize> {
        let (table, column) = name.split_once('.').map_or((name, None), |(table, column)| (table, Some(column)));
        let dropped = Dropped { table: table.to_owned(), column: column.map(str::to_owned), span: 0..0 };
        Searched::of(&dropped).unwrap().lines(text)
    }

    #[test]
    fn a_column_beside_its_table_is_a_use() {
        for text in [
            "return user.nickname;",
            "return currentUser?.nickname ?? ''",
            "$user->nickname",
            "name := user.Nickname",
            "User.find(1).nickname",
            "users[0].nickname",
            "knex('users').select('id', 'nickname')",
            "await prisma.user.findMany({ where: { nickname: term } })",
            "db.query(\"SELECT u.nickname FROM users u\")",
            "db.query(\"UPDATE users SET nickname = ?\", [x])",
            "User.where(nickname: term)",
            "User.objects.filter(nickname=term)",
            "user[:nickname]",
        ] {
            assert_eq!(lines("users.nickname", text), [1], "{text}");
        }
        assert_eq!(lines("users.nickname", "type User struct {\n\tID int\n\tNickname string\n}\n"), [3]);
        assert_eq!(lines("users.nickname", "class User(Base):\n    nickname = Column(String)\n"), [2]);
        assert_eq!(lines("users.nickname", "class User\n  def to_s\n    @nickname\n  end\nend\n"), [3]);
        assert_eq!(lines("order_items.unit_price", "orderItem.unitPrice"), [1]);
        assert_eq!(lines("users.nickname", "knex('users')\n  .where({ id })\n  .update({ nickname: x })\n"), [3]);
    }

    #[test]
    fn what_may_be_another_is_none() {
        for text in [
            "pet.nickname + user.id",
            "const nickname = user.handle;",
            "// user.nickname",
            "user.email // not user.nickname",
            "function rename(user: User, nickname: string) {",
            "user.nickname()",
            "user.nicknames",
            "const nickname = await db.query('SELECT id FROM users')",
            "Pet.filter(user=user.id, nickname=term)",
            "db.query(\"SELECT p.nickname FROM pets p\") // users",
            "self.ignored_columns += [\"nickname\"] # User",
            "t('user.form', \"nickname\")",
        ] {
            assert_eq!(lines("users.nickname", text), [0; 0], "{text}");
        }
        assert_eq!(lines("users.nickname", "class Pet(Base):\n    nickname = Column(String)\n"), [0; 0]);
        assert_eq!(lines("users.nickname", "class UserForm {\n  nickname: string;\n}\n"), [0; 0]);
    }

    #[test]
    fn a_table_is_used_where_sql_or_a_mapper_names_it() {
        for text in
            ["db.query('select id from clients')", "knex('clients')", "__tablename__ = 'clients'", "@Entity('clients')"]
        {
            assert_eq!(lines("clients", text), [1], "{text}");
        }
        for text in ["app.get('/clients')", "t('clients')", "const from = clients;", "import x from clients"] {
            assert_eq!(lines("clients", text), [0; 0], "{text}");
        }
    }

    #[test]
    fn names_are_known_in_every_spelling() {
        assert_eq!(spellings("first_name"), ["FirstName", "firstName", "first_name"]);
        assert_eq!(spellings("firstName"), ["FirstName", "firstName", "first_name"]);
        let one = |name: &str| singular_words(name).unwrap_or_default().join(" ");
        for (name, words) in [
            ("OrderItems", "order item"),
            ("categories", "category"),
            ("address", "address"),
            ("boxes", "box"),
            ("_", ""),
        ] {
            assert_eq!(one(name), words);
        }
    }
}
