//! KDL v2 with places: the strict reader under `verdict-summary.kdl`.
//!
//! In: a source. Out: its nodes, or the first place that is not KDL v2. Every byte is looked at a bounded number of
//! times and blocks nest only to the limit, so no input is slow or deep enough to hurt. Deliberately not here: the meaning of any
//! node; and type annotations, which are checked and dropped.

mod characters;
mod strings;

use std::borrow::Cow;

use jury_wire::Reason;

use self::characters::{is_disallowed, is_in_identifier, is_newline, is_space};
use super::{Deviation, Limits, Member, Node, Source, Span, Value};

pub use self::characters::{escaped, has_newline};

/// A node of a document.
#[derive(Clone, Debug, PartialEq)]
pub struct Element<'a> {
    /// Its name.
    pub name: Cow<'a, str>,
    /// Where the name stands.
    pub name_span: Span,
    /// Its arguments in order.
    pub arguments: Vec<Node<'a>>,
    /// Its properties, as an object that starts at the name. A name may occur twice, which its reader refuses.
    pub properties: Node<'a>,
    /// The nodes in its block.
    pub children: Vec<Self>,
    /// Where all of it stands.
    pub span: Span,
}

/// Reads a whole document.
pub fn parse<'a>(source: &Source<'a>, limits: &Limits) -> Result<Vec<Element<'a>>, Deviation> {
    let text = source.text();
    if let Some((at, found)) = text.char_indices().find(|(_, c)| is_disallowed(*c)) {
        let message = format!("{found:?} is not allowed in a document; write `{}` in a string", escaped(found));
        return Err(Deviation::new(Reason::KdlSyntax, Span::new(at, at + found.len_utf8()), message));
    }
    let mut parser = Parser { text, at: 0, depth: 0, limits };
    let nodes = parser.nodes()?;
    match parser.peek() {
        None => Ok(nodes),
        Some(_) => Err(parser.error("expected a node")),
    }
}

/// Returns the name of the first node, as far as the text can be followed: this shows the intended format of a broken
/// document.
pub fn first_name<'a>(text: &'a str, limits: &Limits) -> Option<Cow<'a, str>> {
    let mut parser = Parser { text, at: 0, depth: 0, limits };
    loop {
        parser.skip_line_space().ok()?;
        if !parser.eat("/-") {
            parser.skip_type().ok()?;
            return parser.name().ok().map(|(name, _)| name);
        }
        parser.skip_line_space().ok()?;
        parser.node().ok()?;
        parser.eat(";");
    }
}

struct Parser<'a, 'l> {
    text: &'a str,
    at: usize,
    depth: usize,
    limits: &'l Limits,
}

impl<'a> Parser<'a, '_> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn starts_with(&self, token: &str) -> bool {
        self.rest().starts_with(token)
    }

    fn eat(&mut self, token: &str) -> bool {
        let is_there = self.starts_with(token);
        if is_there {
            self.at += token.len();
        }
        is_there
    }

    /// Passes over characters of a kind; true if there were any.
    fn eat_while(&mut self, is_kind: impl Fn(char) -> bool) -> bool {
        let length = self.rest().find(|c| !is_kind(c)).unwrap_or(self.rest().len());
        self.at += length;
        length > 0
    }

    /// Passes over one line break.
    fn eat_newline(&mut self) -> bool {
        if self.eat("\r\n") {
            return true;
        }
        match self.peek().filter(|c| is_newline(*c)) {
            Some(newline) => self.eat(newline.encode_utf8(&mut [0; 4])),
            None => false,
        }
    }

    fn error(&self, expected: &str) -> Deviation {
        let (found, length) = match self.peek() {
            None => ("found the end of the document".to_owned(), 0),
            Some(found) => (format!("found {found:?}"), found.len_utf8()),
        };
        self.refuse(Span::new(self.at, self.at + length), format!("{expected}, {found}"))
    }

    fn refuse(&self, span: Span, message: impl Into<String>) -> Deviation {
        Deviation::new(Reason::KdlSyntax, span, message)
    }

    // White space.

    /// Passes over a comment up to the line break, which it leaves.
    fn eat_line_comment(&mut self) -> bool {
        let is_there = self.eat("//");
        if is_there {
            self.eat_while(|c| !is_newline(c));
        }
        is_there
    }

    /// Passes over a comment between `/*` and `*/`. Comments nest; counting them needs no stack.
    fn eat_block_comment(&mut self) -> Result<bool, Deviation> {
        let start = self.at;
        if !self.eat("/*") {
            return Ok(false);
        }
        let mut open = 1_usize;
        while open > 0 {
            self.eat_while(|c| c != '*' && c != '/');
            if self.eat("/*") {
                open += 1;
            } else if self.eat("*/") {
                open -= 1;
            } else if self.peek().is_some() {
                self.at += 1;
            } else {
                return Err(self.refuse(Span::new(start, start + 2), "a comment is never closed"));
            }
        }
        Ok(true)
    }

    /// Passes over space between the parts of a node; true if there was any.
    fn skip_node_space(&mut self) -> Result<bool, Deviation> {
        let start = self.at;
        loop {
            self.eat_while(is_space);
            if self.eat_block_comment()? {
                continue;
            }
            if !self.eat("\\") {
                return Ok(self.at > start);
            }
            while self.eat_while(is_space) || self.eat_block_comment()? {}
            self.eat_line_comment();
            if !self.eat_newline() && self.peek().is_some() {
                return Err(self.error("expected the line to end after `\\`"));
            }
        }
    }

    /// Passes over space between nodes.
    fn skip_line_space(&mut self) -> Result<(), Deviation> {
        while self.skip_node_space()? || self.eat_newline() || self.eat_line_comment() {}
        Ok(())
    }

    // Nodes.

    /// Reads nodes up to the end of the document or of the block.
    fn nodes(&mut self) -> Result<Vec<Element<'a>>, Deviation> {
        let mut nodes = Vec::new();
        loop {
            self.skip_line_space()?;
            if matches!(self.peek(), None | Some('}')) {
                return Ok(nodes);
            }
            let is_dropped = self.eat("/-");
            if is_dropped {
                self.skip_line_space()?;
            }
            let node = self.node()?;
            if !is_dropped {
                nodes.push(node);
            }
            self.eat(";");
        }
    }

    /// Reads a node up to its end: a line break, `;`, a comment up to the line break, `}`, or the end.
    fn node(&mut self) -> Result<Element<'a>, Deviation> {
        let start = self.at;
        self.skip_type()?;
        let (name, name_span) = self.name()?;
        let mut arguments = Vec::new();
        let mut members = Vec::new();
        let mut block = None;
        let mut had_block = false;
        let mut end = self.at;
        loop {
            let is_apart = self.skip_node_space()?;
            let is_dropped = (is_apart || had_block) && self.eat("/-");
            if is_dropped {
                self.skip_line_space()?;
            }
            match self.peek() {
                Some('{') if is_dropped || block.is_none() => {
                    let nodes = self.block()?;
                    if !is_dropped {
                        block = Some(nodes);
                    }
                    had_block = true;
                }
                None | Some(';' | '}') if !is_dropped => break,
                Some(c) if !is_dropped && (is_newline(c) || self.starts_with("//")) => break,
                Some(_) if !had_block && (is_apart || is_dropped) => {
                    let entry = self.entry()?;
                    match entry {
                        _ if is_dropped => {}
                        Entry::Argument(value) => arguments.push(value),
                        Entry::Property(member) => members.push(member),
                    }
                }
                _ if had_block => return Err(self.error("expected the node to end after its block")),
                _ if is_dropped => return Err(self.error("expected an argument, property or block after `/-`")),
                _ => return Err(self.error("expected a space")),
            }
            end = self.at;
        }
        let properties = Node { span: name_span, value: Value::Object(members) };
        let span = Span::new(start, end);
        Ok(Element { name, name_span, arguments, properties, children: block.unwrap_or_default(), span })
    }

    /// Reads the nodes between `{` and `}`.
    fn block(&mut self) -> Result<Vec<Element<'a>>, Deviation> {
        let opening = Span::new(self.at, self.at + 1);
        if self.depth == self.limits.depth {
            let message = format!("nested deeper than {} levels", self.limits.depth);
            return Err(Deviation::new(Reason::LimitDepth, opening, message));
        }
        self.depth += 1;
        self.eat("{");
        let nodes = self.nodes()?;
        if !self.eat("}") {
            return Err(self.refuse(opening, "a block is never closed"));
        }
        self.depth -= 1;
        Ok(nodes)
    }

    /// Passes over a type annotation and the space after it.
    fn skip_type(&mut self) -> Result<(), Deviation> {
        if !self.eat("(") {
            return Ok(());
        }
        self.skip_node_space()?;
        self.name()?;
        self.skip_node_space()?;
        if !self.eat(")") {
            return Err(self.error("expected `)`"));
        }
        self.skip_node_space()?;
        Ok(())
    }

    /// Reads a string of any kind where a name is expected.
    fn name(&mut self) -> Result<(Cow<'a, str>, Span), Deviation> {
        let start = self.at;
        let value = self.plain_value("expected a name")?;
        let span = Span::new(start, self.at);
        match value {
            Value::String(name) => Ok((name, span)),
            _ => Err(self.refuse(span, "expected a name, found a number or keyword")),
        }
    }

    fn entry(&mut self) -> Result<Entry<'a>, Deviation> {
        let key = self.value()?;
        let Node { span: key_span, value: Value::String(name) } = key else { return Ok(Entry::Argument(key)) };
        let end = self.at;
        let is_typed = self.text[key_span.start..].starts_with('(');
        self.skip_node_space()?;
        if is_typed || !self.eat("=") {
            self.at = end;
            return Ok(Entry::Argument(Node { span: key_span, value: Value::String(name) }));
        }
        self.skip_node_space()?;
        let node = self.value()?;
        Ok(Entry::Property(Member { key: name, key_span, node }))
    }

    fn value(&mut self) -> Result<Node<'a>, Deviation> {
        let start = self.at;
        self.skip_type()?;
        let value = self.plain_value("expected a value")?;
        Ok(Node { span: Span::new(start, self.at), value })
    }

    fn plain_value(&mut self, expected: &str) -> Result<Value<'a>, Deviation> {
        match self.peek() {
            Some('"') => self.quoted_string().map(Value::String),
            Some('#') => self.hash(),
            Some(c) if is_in_identifier(c) => self.bare(),
            _ => Err(self.error(expected)),
        }
    }

    /// Reads a value that starts with `#`: a keyword or a raw string.
    fn hash(&mut self) -> Result<Value<'a>, Deviation> {
        let start = self.at;
        let hashes = self.rest().len() - self.rest().trim_start_matches('#').len();
        if self.rest()[hashes..].starts_with('"') {
            return self.raw_string(hashes).map(Value::String);
        }
        self.at += 1;
        self.eat_while(is_in_identifier);
        match &self.text[start..self.at] {
            "#true" => Ok(Value::Bool(true)),
            "#false" => Ok(Value::Bool(false)),
            "#null" => Ok(Value::Null),
            number @ ("#inf" | "#-inf" | "#nan") => Ok(Value::Number(Cow::Borrowed(number))),
            _ => Err(self.refuse(Span::new(start, self.at), "expected a keyword such as `#true`, or a raw string")),
        }
    }

    /// Reads a value without quotes: a number or an identifier.
    fn bare(&mut self) -> Result<Value<'a>, Deviation> {
        let start = self.at;
        self.eat_while(is_in_identifier);
        let word = &self.text[start..self.at];
        let unsigned = word.strip_prefix(['+', '-']).unwrap_or(word);
        let span = Span::new(start, self.at);
        match word {
            _ if is_number(unsigned) => Ok(Value::Number(Cow::Borrowed(word))),
            _ if unsigned.strip_prefix('.').unwrap_or(unsigned).starts_with(|c: char| c.is_ascii_digit()) => {
                Err(self.refuse(span, format!("{word:?} is neither a number nor a name; quote it")))
            }
            "true" | "false" | "null" | "inf" | "-inf" | "nan" => {
                Err(self.refuse(span, format!("`{word}` is written `#{word}`, or in quotes")))
            }
            _ => Ok(Value::String(Cow::Borrowed(word))),
        }
    }
}

enum Entry<'a> {
    Argument(Node<'a>),
    Property(Member<'a>),
}

fn is_number(unsigned: &str) -> bool {
    let all = |digits: &str, is_digit: fn(char) -> bool| {
        digits.starts_with(is_digit) && digits.chars().all(|c| is_digit(c) || c == '_')
    };
    let is_decimal = |digits: &str| all(digits, |c| c.is_ascii_digit());
    if let Some(digits) = unsigned.strip_prefix("0x") {
        return all(digits, |c| c.is_ascii_hexdigit());
    }
    if let Some(digits) = unsigned.strip_prefix("0o") {
        return all(digits, |c| matches!(c, '0'..='7'));
    }
    if let Some(digits) = unsigned.strip_prefix("0b") {
        return all(digits, |c| matches!(c, '0' | '1'));
    }
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((integer, fraction)) => (integer, Some(fraction)),
        None => (mantissa, None),
    };
    is_decimal(integer) && fraction.is_none_or(is_decimal) && exponent.is_none_or(is_decimal)
}

#[cfg(test)]
mod tests;
