//! Quotes of code in a claim's evidence. In: one item of evidence. Out: the code it quotes, and whether the
//! absence of that code would refute the claim.
//!
//! Most evidence is prose with code in it. A quote that may refute is one that a person would take for a copy: a fenced
//! block, an item wholly in backticks, code behind a line number, an item that is nothing but code. Code inside prose may
//! confirm a claim and never refutes it, for it may be shortened, explained, or from another file.

use crate::model::RepoPath;

use super::text::bare;

/// Code that is quoted.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Quote<'a> {
    pub(super) code: String,
    /// Whether the claim stands or falls with it.
    pub(super) can_refute: bool,
    /// The file it is said to be from, where that is not the claim's own.
    pub(super) elsewhere: Option<&'a str>,
}

/// The fewest characters, white space aside, of code that proves anything by being found.
const SHORTEST: usize = 4;
/// The fewest in prose, where short words are just words.
const SHORTEST_IN_PROSE: usize = 6;

/// Returns the quotes in an item of evidence.
pub(super) fn quotes<'a>(item: &'a str, file: &RepoPath) -> Vec<Quote<'a>> {
    let item = item.trim();
    let mut found = if has_fence(item) { fenced(item, file) } else { unfenced(item, file) };
    found.retain(|quote| {
        let shortest = if quote.can_refute { SHORTEST } else { SHORTEST_IN_PROSE };
        bare(&quote.code).chars().count() >= shortest
    });
    found
}

fn fence_of(line: &str) -> Option<&str> {
    let line = line.trim_start();
    ["```", "~~~"].iter().find_map(|fence| line.strip_prefix(fence)).filter(|rest| !rest.contains('`'))
}

fn has_fence(item: &str) -> bool {
    item.lines().any(|line| fence_of(line).is_some())
}

/// Takes fenced blocks out of an item; the text around them is prose.
fn fenced<'a>(item: &'a str, file: &RepoPath) -> Vec<Quote<'a>> {
    let mut quotes = Vec::new();
    let mut block: Option<(String, Vec<&str>)> = None;
    for line in item.lines() {
        match (fence_of(line), &mut block) {
            (Some(_), Some(_)) => {
                quotes.extend(block.take().map(|(language, lines)| of_block(&language, &lines, file)))
            }
            (Some(language), None) => block = Some((language.trim().to_lowercase(), Vec::new())),
            (None, Some((_, lines))) => lines.push(line),
            (None, None) => quotes.extend(inline_code(line)),
        }
    }
    quotes.extend(block.map(|(language, lines)| of_block(&language, &lines, file)));
    quotes
}

fn of_block<'a>(language: &str, lines: &[&str], file: &RepoPath) -> Quote<'a> {
    if matches!(language, "diff" | "patch") {
        // Removed lines are not in the tree.
        let kept = lines.iter().filter(|line| !line.starts_with(['-', '@', '\\']) && !line.starts_with("+++"));
        let lines: Vec<&str> = kept.map(|line| line.strip_prefix(['+', ' ']).unwrap_or(line)).collect();
        return Quote { code: without_numbers(&lines), can_refute: true, elsewhere: None };
    }
    let is_script = matches!(file.extension(), Some("sh" | "bash" | "zsh"));
    let is_output =
        matches!(language, "text" | "txt" | "console" | "output" | "log" | "shell-session" | "shellsession")
            || (matches!(language, "bash" | "sh" | "shell" | "zsh") && !is_script);
    Quote { code: without_numbers(lines), can_refute: !is_output, elsewhere: None }
}

/// Takes the line numbers off that a listing has before every line.
fn without_numbers(lines: &[&str]) -> String {
    let bare: Option<Vec<&str>> = lines
        .iter()
        .filter(|line| !line.trim().is_empty())
        .map(|line| numbered(line.trim_start()).map(|(_, rest)| rest))
        .collect();
    match bare {
        Some(bare) if !bare.is_empty() => bare.join("\n"),
        _ => lines.join("\n"),
    }
}

/// Takes `12: code`, `12| code`, `12→code` and `12-14: code` apart.
fn numbered(text: &str) -> Option<(&str, &str)> {
    let digits = text.bytes().take_while(|b| b.is_ascii_digit() || *b == b'-').count();
    let (number, rest) = text.split_at(digits);
    let is_number = number.bytes().next()?.is_ascii_digit();
    let rest = rest.trim_start_matches(' ');
    let rest = rest.strip_prefix([':', '|', '→', '│', '\t'])?;
    is_number.then_some((number, rest))
}

fn unfenced<'a>(item: &'a str, file: &RepoPath) -> Vec<Quote<'a>> {
    let (label, rest) = split_label(item);
    let elsewhere = label.and_then(|label| label.file).filter(|named| !is_own(named, file));
    let rest = rest.trim();
    if let Some(code) = wholly_in_backticks(rest) {
        return vec![Quote { code: code.to_owned(), can_refute: elsewhere.is_none(), elsewhere }];
    }
    if !rest.contains('`') && looks_like_code(rest) {
        return vec![Quote { code: rest.to_owned(), can_refute: elsewhere.is_none(), elsewhere }];
    }
    let mut quotes: Vec<Quote<'a>> = inline_code(rest).collect();
    // `file:12 — code — explanation`: the code before the dash.
    let before_dash = [" — ", " – ", " -- "].iter().filter_map(|dash| rest.split_once(dash)).map(|(code, _)| code);
    if let Some(code) = before_dash.min_by_key(|code| code.len()).filter(|code| looks_like_code(code)) {
        quotes.push(Quote { code: code.to_owned(), can_refute: false, elsewhere: None });
    }
    for quote in &mut quotes {
        quote.elsewhere = elsewhere;
    }
    quotes
}

/// Tells whether a file that evidence names is the claim's own: the same path, or the end of it.
fn is_own(named: &str, file: &RepoPath) -> bool {
    let named = named.trim_start_matches("./");
    file.as_str() == named
        || file.as_str().strip_suffix(named).is_some_and(|front| front.ends_with('/'))
        || named.strip_suffix(file.as_str()).is_some_and(|front| front.ends_with('/'))
}

fn wholly_in_backticks(text: &str) -> Option<&str> {
    let ticks = text.bytes().take_while(|b| *b == b'`').count();
    let inner = text.get(ticks..text.len().checked_sub(ticks)?)?;
    let is_whole = ticks > 0 && text.ends_with(&text[..ticks]) && !inner.contains(&text[..ticks]);
    is_whole.then_some(inner).filter(|inner| !inner.is_empty())
}

/// Returns the code that stands in backticks inside prose.
fn inline_code<'a>(prose: &str) -> impl Iterator<Item = Quote<'a>> {
    let spans = prose.split('`').skip(1).step_by(2);
    spans.map(|code| Quote { code: code.to_owned(), can_refute: false, elsewhere: None })
}

/// The label before the code: the place it is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Label<'a> {
    file: Option<&'a str>,
}

/// Takes `12:`, `Line 12:`, `Lines 12-14 of x.ts —`, `x.ts:12 —`, `x.ts:12:` off the front of an item.
fn split_label(item: &str) -> (Option<Label<'_>>, &str) {
    if let Some((_, rest)) = numbered(item) {
        return (Some(Label { file: None }), rest);
    }
    let seps = [": ", " — ", " – ", " -- ", " - ", " | "];
    let ends = seps.iter().filter_map(|sep| Some((item.find(sep)?, sep.len())));
    // `x.ts:12:code`, as a search prints it.
    let grep = item.find(':').and_then(|colon| {
        let digits = item[colon + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let end = colon + 1 + digits;
        (digits > 0 && item[end..].starts_with(':')).then_some((end, 1))
    });
    let Some((end, length)) = ends.chain(grep).min() else { return (None, item) };
    match label(&item[..end]) {
        Some(label) => (Some(label), &item[end + length..]),
        None => (None, item),
    }
}

/// Reads a label: words that name a place, at least one of them a number.
fn label(head: &str) -> Option<Label<'_>> {
    let mut label = Label { file: None };
    let mut has_line = false;
    for word in head.split_whitespace() {
        let (path, lines) = word.split_once(':').unwrap_or((word, ""));
        let is_number = |text: &str| {
            let text = text.trim_start_matches(['~', 'L', 'l']);
            text.bytes().next().is_some_and(|b| b.is_ascii_digit())
                && text.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | '–' | ',' | 'L'))
        };
        if lines.is_empty() && is_number(path) {
            has_line = true;
        } else if path.contains(['.', '/']) && (lines.is_empty() || is_number(lines)) && label.file.is_none() {
            label.file = Some(path);
            has_line |= !lines.is_empty();
        } else if !matches!(word.to_lowercase().as_str(), "line" | "lines" | "of" | "at" | "in" | "on") {
            return None;
        }
    }
    has_line.then_some(label)
}

/// Words that stand alone in code, so that they do not make a sentence of it.
const KEYWORDS: &[&str] = &[
    "abstract",
    "and",
    "as",
    "assert",
    "async",
    "await",
    "begin",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "def",
    "default",
    "defer",
    "del",
    "delete",
    "do",
    "elif",
    "else",
    "end",
    "enum",
    "except",
    "export",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "fn",
    "for",
    "from",
    "func",
    "function",
    "go",
    "if",
    "impl",
    "implements",
    "import",
    "in",
    "instanceof",
    "int",
    "interface",
    "is",
    "lambda",
    "let",
    "long",
    "match",
    "mod",
    "mut",
    "namespace",
    "new",
    "nil",
    "none",
    "not",
    "null",
    "of",
    "or",
    "override",
    "package",
    "pass",
    "private",
    "protected",
    "pub",
    "public",
    "raise",
    "readonly",
    "ref",
    "return",
    "self",
    "static",
    "string",
    "struct",
    "super",
    "switch",
    "then",
    "this",
    "throw",
    "throws",
    "true",
    "try",
    "type",
    "typeof",
    "undefined",
    "unsafe",
    "unsigned",
    "use",
    "using",
    "val",
    "var",
    "virtual",
    "void",
    "when",
    "where",
    "while",
    "with",
    "yield",
];

/// Words that begin a statement.
const OPENERS: &[&str] = &[
    "async", "await", "class", "const", "def", "export", "fn", "for", "func", "function", "if", "import", "let", "pub",
    "raise", "return", "static", "throw", "var", "while", "yield",
];

/// Tells whether a text is code to a human eye. Prose that is taken for code could refute a true claim, so this says no
/// unless nothing in the text reads as a sentence.
fn looks_like_code(text: &str) -> bool {
    let text = text.trim();
    let reads_as_prose = [" — ", " – ", " -- ", "→", "…", ". "].iter().any(|mark| text.contains(mark));
    if text.is_empty() || reads_as_prose || longest_sentence(text) > 1 {
        return false;
    }
    let ends_as_code = text.ends_with([';', '{', '}', ')', ']', ',', '>']);
    let operators = [" = ", "=>", "==", "!=", "+=", "-=", "&&", "||", "::", "->", ":="];
    let has_operator = operators.iter().any(|operator| text.contains(operator));
    let opens = text.split_whitespace().next().is_some_and(|word| OPENERS.binary_search(&word).is_ok());
    let has_bracket = text.contains(['(', '[', '{', '=', ';', '<']);
    has_operator || (ends_as_code && has_bracket) || (opens && has_bracket)
}

/// Returns the most plain words in a row, outside literals and comments.
fn longest_sentence(text: &str) -> usize {
    let (mut longest, mut row) = (0, 0);
    for word in without_literals(text).split_whitespace() {
        let core = word.trim_end_matches([',', ':', ';']);
        let is_plain = core.len() > 1
            && core.chars().all(|c| c.is_alphabetic() || c == '\'')
            && core.chars().skip(1).all(|c| !c.is_uppercase())
            && KEYWORDS.binary_search(&core.to_lowercase().as_str()).is_err();
        row = if is_plain { row + 1 } else { 0 };
        longest = longest.max(row);
        if !is_plain || core.len() != word.len() {
            row = 0;
        }
    }
    longest
}

/// Replaces literals and comments, in which any words may stand.
fn without_literals(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    for line in text.lines() {
        let mut quote: Option<char> = None;
        let mut before = ' ';
        for (at, c) in line.char_indices() {
            match quote {
                Some(open) if c == open && before != '\\' => quote = None,
                Some(_) => {}
                None if c == '"' || (c == '\'' && !before.is_alphanumeric()) => {
                    quote = Some(c);
                    kept.push('0');
                }
                None if line[at..].starts_with("//") || (c == '#' && before.is_whitespace()) => break,
                None => kept.push(c),
            }
            before = c;
        }
        kept.push('\n');
    }
    kept
}

/// Splits code where a reviewer may have joined or cut it, so that a shortened quote is not taken for an invented one.
pub(super) fn fragments(code: &str) -> Vec<&str> {
    code.split([';', '{', '}', '\n', ',', '…']).flat_map(|part| part.split("...")).map(str::trim).collect()
}

/// Tells whether a quote says itself that it leaves something out.
pub(super) fn is_shortened(code: &str) -> bool {
    code.contains("...") || code.contains('…')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file() -> RepoPath {
        RepoPath::new("src/lib/store.ts").unwrap()
    }

    fn refuting(item: &str) -> Vec<String> {
        quotes(item, &file()).into_iter().filter(|quote| quote.can_refute).map(|quote| quote.code).collect()
    }

    fn confirming(item: &str) -> Vec<String> {
        quotes(item, &file()).into_iter().filter(|quote| !quote.can_refute).map(|quote| quote.code).collect()
    }

    #[test]
    fn the_tables_are_sorted() {
        assert!(KEYWORDS.is_sorted() && OPENERS.is_sorted());
    }

    #[test]
    fn copies_of_code_may_refute() {
        for (item, code) in [
            ("`db.query(sql + id)`", "db.query(sql + id)"),
            ("``a`b`c``", "a`b`c"),
            ("Line 32: `BEGIN;`", "BEGIN;"),
            ("12: return a + b;", "return a + b;"),
            ("src/lib/store.ts:12: const a = b", "const a = b"),
            ("store.ts:12:const a = b", "const a = b"),
            ("Lines 4-5 of store.ts — `const a = b`", "const a = b"),
            ("Line 177: if (entries.length === 0) return EMPTY_MAP", "if (entries.length === 0) return EMPTY_MAP"),
            ("const q = `x`;", ""),
            ("eval(req.body.code)", "eval(req.body.code)"),
            ("DROP TABLE IF EXISTS x CASCADE;", "DROP TABLE IF EXISTS x CASCADE;"),
            ("if user.is_admin == False and not user.locked:", "if user.is_admin == False and not user.locked:"),
            ("log.info(\"a whole sentence of words\")", "log.info(\"a whole sentence of words\")"),
            ("See:\n```ts\n12| a();\n13| b();\n```\nwhich is wrong", " a();\n b();"),
            ("```diff\n-old();\n+new_one();\n same();\n```", "new_one();\nsame();"),
        ] {
            let expected: &[&str] = if code.is_empty() { &[] } else { &[code] };
            assert_eq!(refuting(item), expected, "{item}");
        }
    }

    #[test]
    fn prose_never_refutes() {
        for item in [
            "Lines 143-150: early return `json({ ok: true })` is reached before the sendEmail call at line 163",
            "Line 684: throw error — createPathWithCourses re-throws after rollback",
            "useNextBestCourse.ts:196-213 -- runCompute cleanup sets cancelledRef.current = true",
            "No test verifies: failedEntries.length > 0 → HTTP 207",
            "Used only by this component (line 543)",
            "useMediaQuery(query) returns false",
            "resetLocalData.ts:51-57",
            "A sort regression would pass all existing tests",
            "makeEntry() always creates operation: 'put' entries (line 112 of test file)",
            "Compare line 205: `note_id UUID NOT NULL` in embeddings — FK is used there",
            "other/file.ts:12: `const a = b`",
            "Top-level imports at lines 10-20",
            "multiply() returns this",
            "```text\nError: it broke\n```",
            "```bash\ncargo test\n```",
            "",
            "`}`",
        ] {
            assert_eq!(refuting(item), [""; 0], "{item}");
        }
    }

    #[test]
    fn code_in_prose_may_confirm() {
        assert_eq!(confirming("the `snapshot` variable and `x` on line 174"), ["snapshot"]);
        assert_eq!(confirming("Line 5: const a = b() — stale"), ["const a = b()"]);
        let quote = &quotes("other/file.ts:12: `const a = b`", &file())[0];
        assert_eq!(quote.elsewhere, Some("other/file.ts"));
    }
}
