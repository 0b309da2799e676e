//! Code as it is compared across edits. In: the text of a file and a line of it. Out: the line without white space
//! and formatting, its shape without the names of variables, and the words around it.
//!
//! Text, not syntax: a finding is followed through code that may not parse, in any language. Deliberately not here: which
//! likeness means what.

use std::collections::BTreeSet;

/// How many lines a statement may take after a formatter had its way with it.
const STATEMENT: usize = 8;
/// How many lines on each side count as context.
const CONTEXT: usize = 3;
/// The fewest tokens a shape tells anything by.
const SHORTEST_SHAPE: usize = 5;
/// The fewest tokens, and bytes, by which the very code is told from any other: a call with an argument.
const SHORTEST_CODE: (usize, usize) = (4, 10);

/// A text, cut into lines.
pub(super) struct Text<'t> {
    /// The lines, without their breaks.
    pub(super) lines: Vec<&'t str>,
}

/// The code at a line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Code {
    /// How much of the stream is the line itself.
    own: usize,
    /// The line and its successors, without white space and with one kind of quotes.
    stream: String,
    /// The lines around, each without white space.
    context: String,
    /// The tokens of the line, with a number for each variable.
    shape: Vec<String>,
    /// The words of the statement.
    words: BTreeSet<String>,
}

impl<'t> Text<'t> {
    pub(super) fn new(text: &'t str) -> Self {
        Self { lines: text.lines().collect() }
    }

    /// Looks at the code that starts at a line, from 1: at the quote of it, if that stands there, else at the whole line. A line
    /// past the end is empty.
    pub(super) fn code(&self, line: usize, quote: Option<&str>) -> Code {
        let at = line.saturating_sub(1);
        let from = |start: usize, end: usize| self.lines.get(start..end.min(self.lines.len())).unwrap_or_default();
        let mut statement = from(at, at + STATEMENT).to_vec();
        let first = statement.first().copied().unwrap_or_default();
        let quoted = quote.map(|quote| quote.lines().next().unwrap_or_default().trim());
        let quoted = quoted.filter(|quoted| !quoted.is_empty()).and_then(|quoted| Some((first.find(quoted)?, quoted)));
        let (start, own) = quoted.unwrap_or((0, first));
        if let Some(line) = statement.first_mut() {
            *line = &first[start..];
        }
        let before = from(at.saturating_sub(CONTEXT).min(at), at);
        let after = from(at + 1, at + 1 + CONTEXT);
        Code {
            own: bare(&[own]).len(),
            stream: bare(&statement),
            context: format!("{}\n{}", bare(before), bare(after)),
            shape: shape(own),
            words: words(from(at, at + CONTEXT)),
        }
    }
}

impl Code {
    /// Tells whether two places say the same, however it is spread over lines.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        let length = self.own.max(other.own);
        let [one, two] = [self, other].map(|code| code.stream.as_bytes().get(..length));
        self.own > 0 && other.own > 0 && one.is_some() && one == two
    }

    /// Tells whether the lines around two places say the same.
    pub(super) fn has_same_context(&self, other: &Self) -> bool {
        self.context == other.context
    }

    /// Tells whether two lines say the same but for the names of variables.
    pub(super) fn has_same_shape(&self, other: &Self) -> bool {
        self.shape.len() >= SHORTEST_SHAPE && self.shape == other.shape
    }

    /// Returns the code itself, if it says enough to be known again anywhere.
    pub(super) fn telling(&self) -> Option<&str> {
        let (tokens, bytes) = SHORTEST_CODE;
        let is_telling = self.own >= bytes && self.shape.len() >= tokens;
        self.stream.get(..self.own).filter(|_| is_telling)
    }

    /// Says how much of their words two places share, in percent.
    pub(super) fn likeness(&self, other: &Self) -> usize {
        let shared = self.words.intersection(&other.words).count();
        let all = self.words.len() + other.words.len() - shared;
        (shared * 100).checked_div(all).unwrap_or(0)
    }
}

/// Returns lines without white space, semicolons, and commas that only end a list; all quotes are one.
pub(super) fn bare(lines: &[&str]) -> String {
    let mut text = String::new();
    for c in lines.iter().flat_map(|line| line.chars()) {
        match c {
            ';' => {}
            '\'' | '`' => text.push('"'),
            ')' | ']' | '}' => {
                if text.ends_with(',') {
                    text.pop();
                }
                text.push(c);
            }
            c if c.is_whitespace() => {}
            c => text.push(c),
        }
    }
    text
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

fn words(lines: &[&str]) -> BTreeSet<String> {
    let words = lines.iter().flat_map(|line| line.split(|c: char| !is_word(c)));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Returns the tokens of a line. A variable becomes its number in the line; functions, members, and text in quotes stay,
/// but for variables that a text has in it, in braces or after a `$`.
fn shape(line: &str) -> Vec<String> {
    tokens(line).0
}

/// Returns the shape of a line, and its variables by their numbers.
pub(super) fn tokens(line: &str) -> (Vec<String>, Vec<&str>) {
    let mut tokens = Vec::new();
    let mut variables: Vec<&str> = Vec::new();
    let mut quote = None;
    let mut depth = 0_usize;
    let mut last = ' ';
    let mut rest = line.trim();
    while let Some(c) = rest.chars().next() {
        let length = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if length == 0 {
            rest = &rest[c.len_utf8()..];
            match c {
                '"' | '\'' | '`' if quote == Some(c) && depth == 0 => quote = None,
                '"' | '\'' | '`' if quote.is_none() => quote = Some(c),
                '{' if quote.is_some() => depth += 1,
                '}' if quote.is_some() => depth = depth.saturating_sub(1),
                _ => {}
            }
            if !c.is_whitespace() && c != ';' {
                tokens.push(if matches!(c, '\'' | '`') { '"' } else { c }.to_string());
                last = c;
            }
            continue;
        }
        let (word, behind) = rest.split_at(length);
        let is_text = quote.is_some() && depth == 0 && last != '$';
        let is_fixed = is_text || last == '.' || last == '>' || behind.trim_start().starts_with('(');
        let is_number = word.starts_with(|c: char| c.is_ascii_digit());
        if is_fixed || is_number || KEYWORDS.contains(&word) {
            tokens.push(word.to_owned());
        } else {
            let number = variables.iter().position(|known| *known == word).unwrap_or_else(|| {
                variables.push(word);
                variables.len() - 1
            });
            tokens.push(format!("#{number}"));
        }
        last = 'w';
        rest = behind;
    }
    (tokens, variables)
}

/// Words that are no variables, in any of the languages.
const KEYWORDS: &[&str] = &[
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "def",
    "defer",
    "delete",
    "do",
    "echo",
    "else",
    "end",
    "enum",
    "except",
    "export",
    "extends",
    "false",
    "final",
    "finally",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "go",
    "if",
    "import",
    "in",
    "interface",
    "is",
    "lambda",
    "let",
    "match",
    "mut",
    "new",
    "nil",
    "not",
    "null",
    "or",
    "print",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "return",
    "select",
    "static",
    "struct",
    "switch",
    "this",
    "throw",
    "throws",
    "true",
    "try",
    "type",
    "unsafe",
    "use",
    "using",
    "val",
    "var",
    "void",
    "while",
    "with",
    "yield",
    "None",
    "True",
    "False",
    "self",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> Code {
        Text::new(text).code(1, None)
    }

    #[test]
    fn formatting_does_not_count() {
        let one = code("  return db.query('SELECT 1' + id, [a]);");
        let many = code("return db.query(\n    \"SELECT 1\" +\n id,\n  [a],\n)\nnext()");
        assert!(one.is_same(&many) && many.is_same(&one));
        assert!(!one.is_same(&code("return db.query('SELECT 2' + id, [a]);")));
        assert!(!code("").is_same(&code("")));
    }

    #[test]
    fn names_of_variables_do_not_count_in_a_shape_and_everything_else_does() {
        let same = |one: &str, two: &str| code(one).has_same_shape(&code(two));
        assert!(same("db.query(`SELECT ${id}`)", "conn.query(`SELECT ${order}`)"));
        assert!(same("a.run(x + x + y)", "b.run(p + p + q)"));
        assert!(!same("a.run(x + x + y)", "b.run(p + q + q)"));
        assert!(!same("db.query(`SELECT ${id}`)", "db.query(`DELETE ${id}`)"));
        assert!(!same("db.query(`SELECT ${id}`)", "db.query('SELECT ?', [id])"));
        assert!(!same("db.exec(text, more)", "db.query(text, more)"));
        assert!(!same("x", "y"), "too little to tell anything by");
    }

    #[test]
    fn what_stands_before_a_quote_does_not_count() {
        let quoted = |text: &str, quote: &str| Text::new(text).code(1, Some(quote));
        let one = quoted("const list = (a) => exec(\"ls \" + a);", "exec(\"ls \" + a)");
        assert!(one.is_same(&quoted("  return exec(\"ls \" + a));", "exec(\"ls \" + a)")));
        assert!(one.has_same_shape(&quoted("  return exec(\"ls \" + path);", "exec(\"ls \" + path)")));
        assert!(!one.is_same(&code("return exec(\"ls \" + a);")));
        assert_eq!(quoted("a.b(c, d)", "gone"), code("a.b(c, d)"));
    }

    #[test]
    fn likeness_is_that_of_words() {
        assert_eq!(code("a b c").likeness(&code("a b d")), 50);
        assert_eq!(code("").likeness(&code("")), 0);
    }
}
