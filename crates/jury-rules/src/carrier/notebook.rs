//! Code cells of Jupyter notebooks. In: the JSON of a notebook. Out: its code as one text, each line with its place in the
//! JSON. Not here: outputs and Markdown cells, which text rules search.

use std::ops::Range;

use super::Code;
use crate::language::Language;

/// The deepest nesting that is read. A notebook of `nbformat` 4 needs six levels, outputs more.
const DEEPEST: usize = 64;

/// Magics of IPython that run a cell as Python.
const OF_PYTHON: &[&str] = &["time", "timeit", "capture", "prun", "python", "python3", "pypy"];

/// A notebook.
pub(super) struct Notebook {
    language: Option<Language>,
    /// Whether some cell is in another language.
    is_mixed: bool,
    lines: Vec<(String, Range<usize>)>,
}

impl Notebook {
    pub(super) fn language(&self) -> Option<Language> {
        self.language.filter(|_| !self.lines.is_empty())
    }

    pub(super) fn is_read_in_full(&self) -> bool {
        !self.is_mixed && (self.language.is_some() || self.lines.is_empty())
    }

    pub(super) fn code(self) -> Code {
        let (texts, lines): (Vec<String>, Vec<Range<usize>>) = self.lines.into_iter().unzip();
        Code::Moved { text: texts.concat(), lines }
    }
}

/// Reads a notebook; `None` if it is no JSON object, and nothing else.
pub(super) fn read(text: &str) -> Option<Notebook> {
    let mut scanner = Scanner { text, at: 0 };
    let root = scanner.value(0).filter(|root| matches!(root, Json::Map(_)))?;
    if scanner.peek().is_some() {
        return None;
    }
    let cells = root.get(text, "cells").or_else(|| root.get(text, "worksheets")?.items().first()?.get(text, "cells"));
    let mut notebook = Notebook { language: kernel(text, &root), is_mixed: false, lines: Vec::new() };
    for cell in cells.map(Json::items).unwrap_or_default() {
        if cell.word(text, "cell_type").as_deref() == Some("code") {
            notebook.add(text, cell);
        }
    }
    Some(notebook)
}

/// Returns the language of the kernel; Python if none is named.
fn kernel(text: &str, root: &Json) -> Option<Language> {
    let metadata = root.get(text, "metadata");
    let named = |part: &str, key: &str| metadata?.get(text, part)?.word(text, key);
    let name = named("kernelspec", "language").or_else(|| named("language_info", "name"));
    name.map_or(Some(Language::Python), |name| Language::named(&name.to_lowercase()))
}

impl Notebook {
    fn add(&mut self, text: &str, cell: &Json) {
        let source = cell.get(text, "source").or_else(|| cell.get(text, "input"));
        let strings: Vec<Range<usize>> = match source {
            Some(Json::Text(range)) => vec![range.clone()],
            Some(Json::List(items)) => items.iter().filter_map(Json::text).collect(),
            _ => Vec::new(),
        };
        let mut lines: Vec<(String, Range<usize>)> = Vec::new();
        for range in strings {
            for (line, place) in decoded(text, range) {
                match lines.last_mut().filter(|(last, _)| !last.ends_with('\n')) {
                    Some((last, _)) => last.push_str(&line),
                    None => lines.push((line, place)),
                }
            }
        }
        let first = lines.iter().map(|(line, _)| line.trim()).find(|line| !line.is_empty()).unwrap_or_default();
        if let Some(magic) = first.strip_prefix("%%") {
            let name = magic.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
            if !OF_PYTHON.contains(&name) {
                self.is_mixed = true;
                return;
            }
        }
        for (line, place) in lines {
            self.lines.push((plain(&line), place));
        }
    }
}

/// Returns a line as the grammar reads it: a magic or a shell command is no Python, and keeps its indentation.
fn plain(line: &str) -> String {
    let code = line.trim();
    let end = if line.ends_with('\n') { "" } else { "\n" };
    if code.starts_with(['%', '!', '?']) || code.ends_with('?') && !code.starts_with('#') {
        let indent = &line[..line.len() - line.trim_start().len()];
        return format!("{}pass\n", indent.trim_end_matches(['\n', '\r']));
    }
    format!("{line}{end}")
}

/// Decodes a JSON string to lines, each with its bytes in the file.
fn decoded(text: &str, range: Range<usize>) -> Vec<(String, Range<usize>)> {
    let mut lines = Vec::new();
    let (mut line, mut start) = (String::new(), range.start);
    let mut chars = text[range.clone()].char_indices();
    while let Some((_, c)) = chars.next() {
        let c = match c {
            '\\' => match chars.next().map(|(_, escaped)| escaped) {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some('u') => {
                    let digits: String = chars.by_ref().take(4).map(|(_, digit)| digit).collect();
                    u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
                }
                Some(other) => other,
                None => break,
            },
            c => c,
        };
        line.push(c);
        if c == '\n' {
            let end = range.start + chars.offset();
            lines.push((std::mem::take(&mut line), start..end));
            start = end;
        }
    }
    if !line.is_empty() {
        lines.push((line, start..range.end));
    }
    lines
}

/// A JSON value, with the places of its strings without their quotes.
enum Json {
    Text(Range<usize>),
    List(Vec<Json>),
    Map(Vec<(Range<usize>, Json)>),
    Other,
}

impl Json {
    fn get(&self, text: &str, key: &str) -> Option<&Json> {
        match self {
            Self::Map(members) => members.iter().find(|(name, _)| &text[name.clone()] == key).map(|(_, value)| value),
            _ => None,
        }
    }

    fn items(&self) -> &[Json] {
        match self {
            Self::List(items) => items,
            _ => &[],
        }
    }

    fn text(&self) -> Option<Range<usize>> {
        match self {
            Self::Text(range) => Some(range.clone()),
            _ => None,
        }
    }

    fn word(&self, text: &str, key: &str) -> Option<String> {
        let range = self.get(text, key)?.text()?;
        Some(text[range].to_owned())
    }
}

/// A reader of JSON that keeps places.
struct Scanner<'t> {
    text: &'t str,
    at: usize,
}

impl Scanner<'_> {
    fn peek(&mut self) -> Option<u8> {
        let rest = self.text.as_bytes().get(self.at..)?;
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.text.as_bytes().get(self.at).copied()
    }

    fn take(&mut self, wanted: u8) -> Option<()> {
        (self.peek()? == wanted).then(|| self.at += 1)
    }

    fn value(&mut self, depth: usize) -> Option<Json> {
        if depth > DEEPEST {
            return None;
        }
        match self.peek()? {
            b'"' => self.string().map(Json::Text),
            b'[' => {
                let mut items = Vec::new();
                self.members(b'[', b']', |scanner| {
                    items.push(scanner.value(depth + 1)?);
                    Some(())
                })?;
                Some(Json::List(items))
            }
            b'{' => {
                let mut members = Vec::new();
                self.members(b'{', b'}', |scanner| {
                    scanner.peek()?;
                    let name = scanner.string()?;
                    scanner.take(b':')?;
                    members.push((name, scanner.value(depth + 1)?));
                    Some(())
                })?;
                Some(Json::Map(members))
            }
            _ => {
                let rest = &self.text[self.at..];
                let length = rest.find([',', ']', '}', ' ', '\n', '\r', '\t']).unwrap_or(rest.len());
                self.at += length;
                (length > 0).then_some(Json::Other)
            }
        }
    }

    /// Reads what stands between brackets, with commas between.
    fn members(&mut self, open: u8, close: u8, mut each: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.take(open)?;
        if self.peek()? == close {
            return self.take(close);
        }
        loop {
            each(self)?;
            match self.peek()? {
                b',' => self.at += 1,
                _ => return self.take(close),
            }
        }
    }

    fn string(&mut self) -> Option<Range<usize>> {
        self.take(b'"')?;
        let start = self.at;
        loop {
            match self.text.as_bytes().get(self.at)? {
                b'"' => break,
                b'\\' => self.at += 2,
                _ => self.at += 1,
            }
        }
        let range = start..self.at;
        self.at += 1;
        self.text.get(range.clone()).map(|_| range)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(cells: &str) -> String {
        format!("{{\n \"cells\": [{cells}],\n \"metadata\": {{}}\n}}\n")
    }

    #[test]
    fn every_line_of_code_knows_its_place() {
        let text = cells(
            "{\"cell_type\": \"markdown\", \"source\": [\"f(x)\"]},\n  {\"cell_type\": \"code\", \"source\": [\n   \"print(\\\"a\\\")\\n\",\n   \"!ls\\n\",\n   \"  %pip install x\\n\",\n   \"b = '\\u00e9\\\\n'\"\n  ]},\n  {\"cell_type\": \"code\", \"source\": \"one()\\ntwo()\"}",
        );
        let notebook = read(&text).unwrap();
        assert_eq!((notebook.language(), notebook.is_read_in_full()), (Some(Language::Python), true));
        let Code::Moved { text: code, lines } = notebook.code() else { panic!("a notebook has its own text") };
        assert_eq!(code, "print(\"a\")\npass\n  pass\nb = 'é\\n'\none()\ntwo()\n");
        let shown: Vec<&str> = lines.into_iter().map(|line| &text[line]).collect();
        assert_eq!(
            shown,
            ["print(\\\"a\\\")\\n", "!ls\\n", "  %pip install x\\n", "b = '\\u00e9\\\\n'", "one()\\n", "two()"]
        );
    }

    #[test]
    fn other_languages_are_known() {
        let bash = read(&cells("{\"cell_type\": \"code\", \"source\": [\"%%bash\\n\", \"rm x\"]}")).unwrap();
        assert!(!bash.is_read_in_full());
        let timed = read(&cells("{\"cell_type\": \"code\", \"source\": [\"%%time\\n\", \"f()\"]}")).unwrap();
        assert!(timed.is_read_in_full());
        let kernel = |language: &str| {
            let text = format!(
                "{{\"cells\": [{{\"cell_type\": \"code\", \"source\": \"f()\"}}], \"metadata\": {{\"kernelspec\": {{\"language\": \"{language}\"}}}}}}"
            );
            let notebook = read(&text).unwrap();
            (notebook.language(), notebook.is_read_in_full())
        };
        assert_eq!(kernel("R"), (None, false));
        assert_eq!(kernel("javascript"), (Some(Language::JavaScript), true));
        assert!(read("{\"cells\": []} f()").is_none() && read("f").is_none());
        assert!(read("{\"cells\": [").is_none() && read("").is_none() && read(&"[".repeat(1_000)).is_none());
    }
}
