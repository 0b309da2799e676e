//! JSON (RFC 8259) with places: the strict reader under every JSON format.
//!
//! In: a source. Out: a tree, or the first place that is not JSON. Nesting is limited, so hostile depth ends in an
//! error and not in the stack. Deliberately not here: mending anything.

use std::borrow::Cow;

use jury_wire::Reason;

use super::{Deviation, Limits, Member, Node, Source, Span, Value};

/// Reads a whole document.
pub fn parse<'a>(source: &Source<'a>, limits: &Limits) -> Result<Node<'a>, Deviation> {
    parse_alone(source.text(), 0, limits, "expected the end of the document")
}

/// Reads a whole document once: whoever asks again gets the same tree.
pub fn tree<'s, 'a>(source: &'s Source<'a>, limits: &Limits) -> Result<&'s Node<'a>, Deviation> {
    source.json(|| parse(source, limits)).as_ref().map_err(Deviation::clone)
}

/// Reads the one value of a line of JSON Lines.
pub fn parse_line<'a>(source: &Source<'a>, line: Span, limits: &Limits) -> Result<Node<'a>, Deviation> {
    let text = source.text().get(..line.end).unwrap_or_default();
    parse_alone(text, line.start, limits, "expected the end of the line")
}

/// Reads the one value between an offset and the end of a text.
fn parse_alone<'a>(text: &'a str, offset: usize, limits: &Limits, expected: &str) -> Result<Node<'a>, Deviation> {
    let mut parser = Parser::new(text, offset, limits);
    parser.skip_white_space();
    let node = parser.value()?;
    parser.skip_white_space();
    match parser.peek() {
        None => Ok(node),
        Some(_) => Err(parser.error(expected)),
    }
}

/// Reads one value that starts at an offset, white space before it aside, and returns where it ends.
pub fn parse_at<'a>(text: &'a str, offset: usize, limits: &Limits) -> Result<(Node<'a>, usize), Deviation> {
    let mut parser = Parser::new(text, offset, limits);
    parser.skip_white_space();
    let node = parser.value()?;
    Ok((node, parser.at))
}

/// Returns the member names of the outermost object, as far as the text can be followed: it need not be JSON to the end. This
/// shows the intended format of a broken document. The text is followed once for all who ask.
pub fn names<'s, 'a>(source: &'s Source<'a>) -> &'s [Cow<'a, str>] {
    if starts_list(source) { &[] } else { first_names(source) }
}

/// Returns the member names of the first item of the outermost array, as [`names`] does for an object.
pub fn names_of_first_item<'s, 'a>(source: &'s Source<'a>) -> &'s [Cow<'a, str>] {
    if starts_list(source) { first_names(source) } else { &[] }
}

fn starts_list(source: &Source<'_>) -> bool {
    source.text().trim_start().starts_with('[')
}

fn first_names<'s, 'a>(source: &'s Source<'a>) -> &'s [Cow<'a, str>] {
    source.names(|| {
        let text = source.text().trim_start();
        top_level_members(text.strip_prefix('[').unwrap_or(text)).map(|(name, _)| name).collect()
    })
}

/// Returns the member of the outermost object that has a name, if it is there and a text.
pub fn top_level_string<'a>(text: &'a str, name: &str) -> Option<Cow<'a, str>> {
    let (_, offset) = top_level_members(text).find(|(key, _)| key == name)?;
    match parse_at(text, offset, &Limits::default()).ok()?.0.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

/// Returns the member names of the outermost object, each with where its value starts.
fn top_level_members(text: &str) -> impl Iterator<Item = (Cow<'_, str>, usize)> {
    let limits = Limits::default();
    let mut at = text.len() - text.trim_start().len();
    let mut depth = 0_usize;
    std::iter::from_fn(move || {
        while let Some(byte) = text.as_bytes().get(at) {
            match byte {
                b'[' if depth == 0 => return None,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.checked_sub(1)?,
                b'"' => {
                    let mut parser = Parser::new(text, at, &limits);
                    let string = parser.string().ok()?;
                    at = parser.at;
                    parser.skip_white_space();
                    if depth == 1 && parser.peek() == Some(b':') {
                        return Some((string, parser.at + 1));
                    }
                    continue;
                }
                _ if depth == 0 => return None,
                _ => {}
            }
            at += 1;
        }
        None
    })
}

/// Returns where the first item beyond the limit of claims starts, among all items of the arrays that a path of member
/// names leads to (through every item of the arrays on the way), as far as the text can be followed. It tells that a
/// document has too many claims before a tree of them is built.
pub fn claim_beyond_limit(text: &str, path: &[&str], limits: &Limits) -> Option<usize> {
    // For each open array or object, how much of the path leads to it, if any; and the same for the next value.
    let mut open: Vec<(u8, Option<usize>)> = Vec::new();
    let mut next = Some(0);
    let mut claims = 0;
    let mut parser = Parser::new(text, 0, limits);
    while let Some(byte) = parser.peek() {
        let start = parser.at;
        match byte {
            b'}' | b']' => {
                open.pop()?;
                parser.at += 1;
                continue;
            }
            b' ' | b'\n' | b'\r' | b'\t' | b',' | b':' => {
                parser.at += 1;
                continue;
            }
            b'"' => {
                let is_on_path = matches!(open.last(), Some((b'{', Some(_))));
                let string = if is_on_path { Some(parser.string().ok()?) } else { parser.pass_string() };
                if let Some((b'{', matched)) = open.last().copied() {
                    parser.skip_white_space();
                    if parser.peek() == Some(b':') {
                        let leads_on = |matched: &usize| path.get(*matched).copied() == string.as_deref();
                        next = matched.filter(leads_on).map(|matched| matched + 1);
                        continue;
                    }
                }
            }
            b'{' | b'[' => parser.at += 1,
            _ => {
                while parser.peek().is_some_and(|byte| !b",]} \n\r\t".contains(&byte)) {
                    parser.at += 1;
                }
            }
        }
        // A value starts here; in an array, it is as far on the path as the array itself.
        let matched = match open.last() {
            Some((b'[', matched)) => *matched,
            _ => next.take(),
        };
        if matches!(open.last(), Some((b'[', Some(matched))) if *matched == path.len()) {
            claims += 1;
            if claims > limits.claims {
                return Some(start);
            }
        }
        if matches!(byte, b'{' | b'[') {
            if open.len() > limits.depth {
                return None;
            }
            open.push((byte, matched));
        }
    }
    None
}

struct Parser<'a, 'l> {
    text: &'a str,
    at: usize,
    depth: usize,
    limits: &'l Limits,
    /// The items and members of the arrays and objects that are still open, innermost last.
    items: Vec<Node<'a>>,
    members: Vec<Member<'a>>,
}

impl<'a, 'l> Parser<'a, 'l> {
    fn new(text: &'a str, at: usize, limits: &'l Limits) -> Self {
        Self { text, at, depth: 0, limits, items: Vec::new(), members: Vec::new() }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn skip_white_space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
    }

    fn error(&self, expected: &str) -> Deviation {
        let found = match self.text[self.at..].chars().next() {
            None => "found the end of the document".to_owned(),
            Some(found) => format!("found {found:?}"),
        };
        let length = self.text[self.at..].chars().next().map_or(0, char::len_utf8);
        Deviation::new(Reason::JsonSyntax, Span::new(self.at, self.at + length), format!("{expected}, {found}"))
    }

    fn value(&mut self) -> Result<Node<'a>, Deviation> {
        let start = self.at;
        let value = match self.peek() {
            Some(b'"') => Value::String(self.string()?),
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Null)?,
            Some(b'-' | b'0'..=b'9') => Value::Number(Cow::Borrowed(self.number()?)),
            _ => return Err(self.error("expected a JSON value")),
        };
        Ok(Node { span: Span::new(start, self.at), value })
    }

    fn word(&mut self, word: &str, value: Value<'a>) -> Result<Value<'a>, Deviation> {
        if !self.text[self.at..].starts_with(word) {
            return Err(self.error("expected a JSON value"));
        }
        self.at += word.len();
        Ok(value)
    }

    fn nested(&mut self, inside: fn(&mut Self) -> Result<Value<'a>, Deviation>) -> Result<Value<'a>, Deviation> {
        if self.depth == self.limits.depth {
            let message = format!("nested deeper than {} levels", self.limits.depth);
            return Err(Deviation::new(Reason::LimitDepth, Span::new(self.at, self.at + 1), message));
        }
        self.depth += 1;
        self.at += 1;
        let value = inside(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn array(&mut self) -> Result<Value<'a>, Deviation> {
        self.skip_white_space();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(Vec::new()));
        }
        let first = self.items.len();
        loop {
            self.skip_white_space();
            let item = self.value()?;
            self.items.push(item);
            if self.item_ends_with(b']', "expected `,` or `]`")? {
                return Ok(Value::Array(self.items.split_off(first)));
            }
        }
    }

    fn object(&mut self) -> Result<Value<'a>, Deviation> {
        self.skip_white_space();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(Vec::new()));
        }
        let first = self.members.len();
        loop {
            self.skip_white_space();
            if self.peek() != Some(b'"') {
                return Err(self.error("expected a member name in double quotes"));
            }
            let start = self.at;
            let key = self.string()?;
            let key_span = Span::new(start, self.at);
            self.skip_white_space();
            if self.peek() != Some(b':') {
                return Err(self.error("expected `:`"));
            }
            self.at += 1;
            self.skip_white_space();
            let node = self.value()?;
            self.members.push(Member { key, key_span, node });
            if self.item_ends_with(b'}', "expected `,` or `}`")? {
                return Ok(Value::Object(self.members.split_off(first)));
            }
        }
    }

    /// Passes over the text after an item; true if that closed the collection.
    fn item_ends_with(&mut self, close: u8, expected: &str) -> Result<bool, Deviation> {
        self.skip_white_space();
        let closes = match self.peek() {
            Some(b',') => false,
            Some(byte) if byte == close => true,
            _ => return Err(self.error(expected)),
        };
        self.at += 1;
        Ok(closes)
    }

    fn number(&mut self) -> Result<&'a str, Deviation> {
        let start = self.at;
        let skip_digits = |parser: &mut Self| {
            let from = parser.at;
            while matches!(parser.peek(), Some(b'0'..=b'9')) {
                parser.at += 1;
            }
            if parser.at == from { Err(parser.error("expected a digit")) } else { Ok(()) }
        };
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            skip_digits(self)?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            skip_digits(self)?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            skip_digits(self)?;
        }
        Ok(&self.text[start..self.at])
    }

    fn string(&mut self) -> Result<Cow<'a, str>, Deviation> {
        self.at += 1;
        let mut unescaped: Option<String> = None;
        loop {
            let rest = &self.text.as_bytes()[self.at..];
            let run = rest.iter().position(|byte| *byte < 0x20 || matches!(byte, b'"' | b'\\')).unwrap_or(rest.len());
            let plain = &self.text[self.at..self.at + run];
            self.at += run;
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(match unescaped {
                        None => Cow::Borrowed(plain),
                        Some(text) => Cow::Owned(text + plain),
                    });
                }
                Some(b'\\') => {
                    let character = self.escape()?;
                    let text = unescaped.get_or_insert_default();
                    // `escape` moved on, so `plain` is the text before it.
                    text.push_str(plain);
                    text.push(character);
                }
                Some(_) => return Err(self.error("expected a string without raw control characters")),
                None => return Err(self.error("expected a closing `\"`")),
            }
        }
    }

    /// Passes over a string of no interest, which need not be a legal one.
    fn pass_string<T>(&mut self) -> Option<T> {
        self.at += 1;
        while let Some(byte) = self.peek() {
            self.at += if byte == b'\\' { 2 } else { 1 };
            if byte == b'"' {
                break;
            }
        }
        None
    }

    fn escape(&mut self) -> Result<char, Deviation> {
        self.at += 1;
        let character = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode_escape();
            }
            _ => return Err(self.error("expected an escape such as `\\n` or `\\u0041`")),
        };
        self.at += 1;
        Ok(character)
    }

    fn unicode_escape(&mut self) -> Result<char, Deviation> {
        let start = self.at;
        let first = self.hex4()?;
        let code = if (0xD800..0xDC00).contains(&first) && self.text[self.at..].starts_with("\\u") {
            self.at += 2;
            let second = self.hex4()?;
            match second {
                0xDC00..0xE000 => 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00),
                _ => first,
            }
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| {
            let message = "a `\\u` escape names half of a surrogate pair";
            Deviation::new(Reason::JsonSyntax, Span::new(start - 2, self.at), message)
        })
    }

    fn hex4(&mut self) -> Result<u32, Deviation> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|byte| (byte as char).to_digit(16));
            code = code * 16 + digit.ok_or_else(|| self.error("expected four hexadecimal digits"))?;
            self.at += 1;
        }
        Ok(code)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<String, (Reason, usize)> {
        let limits = Limits { depth: 4, ..Limits::default() };
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        parse(&source, &limits).map(|node| node.plain().to_string()).map_err(|error| (error.reason, error.span.start))
    }

    #[test]
    fn what_serde_json_takes_is_taken_alike() {
        for text in [
            r#"{"a":[1,-0.5e+3,true,false,null],"b":{}}"#,
            r#""\u0041\n\ud83d\ude00\"\\\/\b\f\r\t é""#,
            " [ ] ",
            "0",
            r#"["",[[]]]"#,
        ] {
            let expected: serde_json::Value = serde_json::from_str(text).unwrap();
            assert_eq!(parse_text(text), Ok(expected.to_string()), "{text}");
        }
    }

    #[test]
    fn what_is_not_json_is_refused_where_it_stops_being_json() {
        for (text, at) in [
            ("", 0),
            ("[1,]", 3),
            ("{\"a\" 1}", 5),
            ("{a:1}", 1),
            ("[1 2]", 3),
            ("01", 1),
            ("1.", 2),
            ("-", 1),
            ("nul", 0),
            ("\"a", 2),
            ("\"a\nb\"", 2),
            ("\"\\x\"", 2),
            ("\"\\ud800\"", 1),
            ("\"\\ud800\\u0041\"", 1),
            ("\"\\u12g4\"", 5),
            ("{} {}", 3),
            ("[1}", 2),
            ("// x", 0),
            ("\u{feff}{}", 0),
        ] {
            assert_eq!(parse_text(text), Err((Reason::JsonSyntax, at)), "{text:?}");
            assert!(serde_json::from_str::<serde_json::Value>(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn keys_are_found_in_broken_documents_too() {
        let keys = |text: &str| {
            let limits = Limits::default();
            let source = Source::new(text.as_bytes(), &limits).unwrap();
            names(&source).iter().map(|name| name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(keys(r#" {"a": {"x": ["y"]}, "b" : "c", "d": tru, "e": "#), ["a", "b", "d", "e"]);
        assert_eq!(keys(r#"[{"a": 1}]"#), [""; 0]);
        assert_eq!(keys(r#"prose {"a": 1}"#), [""; 0]);
        assert_eq!(keys(r#"{"a": "unclosed"#), ["a"]);
    }

    #[test]
    fn keys_of_the_first_item_are_found_in_arrays_only() {
        let keys = |text: &str| {
            let limits = Limits::default();
            let source = Source::new(text.as_bytes(), &limits).unwrap();
            names_of_first_item(&source).iter().map(|name| name.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(keys(r#" [ {"a": [{"x": 1}], "b": 2}, {"c": 3}]"#), ["a", "b"]);
        assert_eq!(keys(r#"[{"a": ["#), ["a"]);
        assert_eq!(keys(r#"{"a": 1}"#), [""; 0]);
        assert_eq!(keys("[]"), [""; 0]);
        assert_eq!(keys(r#"[1, {"a": 1}]"#), [""; 0]);
    }

    #[test]
    fn a_line_is_read_alone() {
        let text = "{\"a\": 1}\n[2] x\n[3,\n4]\n";
        let limits = Limits::default();
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        let read = |(line, _)| {
            parse_line(&source, line, &limits).map(|node| node.span.start).map_err(|error| error.span.start)
        };
        assert_eq!(source.lines().map(read).collect::<Vec<_>>(), [Ok(0), Err(13), Err(18), Err(20)]);
    }

    #[test]
    fn claims_beyond_the_limit_are_found_without_a_tree() {
        let beyond = |text: &str| {
            let limits = Limits { claims: 2, ..Limits::default() };
            claim_beyond_limit(text, &["runs", "results"], &limits).map(|at| text[at..].chars().next().unwrap())
        };
        assert_eq!(beyond(r#"{"runs": [{"results": [{"a": [1, 2, 3]}, 2, 7]}]}"#), Some('7'));
        assert_eq!(beyond(r#"{"runs": [{"results": [1]}, {"x": "]", "results": ["\\\"", [], {}]}]}"#), Some('['));
        for text in [
            r#"{"runs": [{"results": [1, {"results": [1, 2, 3]}]}]}"#,
            r#"{"runs": [{"other": [1, 2, 3], "results": [[], "x"]}], "results": [1, 2, 3]}"#,
            r#"{"runs": {"results": 3}}"#,
            r#"{"x": {"runs": [{"results": [1, 2, 3]}]}}"#,
            r#"{"runs": [{"results": [1, 2"#,
            "]",
            "",
        ] {
            assert_eq!(beyond(text), None, "{text}");
        }
        assert_eq!(beyond(&"[".repeat(100_000)), None);
    }

    #[test]
    fn a_member_is_found_by_its_name() {
        assert_eq!(top_level_string(r#"{"a": {"b": "no"}, "b" : "yes", "#, "b").as_deref(), Some("yes"));
        assert_eq!(top_level_string(r#"{"b": 1}"#, "b"), None);
    }

    #[test]
    fn depth_is_limited() {
        assert!(parse_text("[[[[]]]]").is_ok());
        assert_eq!(parse_text("[[[[[]]]]]"), Err((Reason::LimitDepth, 4)));
        assert_eq!(parse_text(&"[".repeat(100_000)), Err((Reason::LimitDepth, 4)));
    }
}
