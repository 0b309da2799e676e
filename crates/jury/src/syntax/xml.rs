//! XML 1.0 with places: elements whose attributes are the same tree that JSON and YAML give.
//!
//! In: a source. Out: the root element, or the first place that is not well-formed. The crate underneath finds the
//! markup; its omissions (characters that XML does not have, text around the root) are checked here. A document type
//! declaration is refused, so there are no entities but the five of XML itself, and nothing outside is ever read.

use std::borrow::Cow;

use jury_wire::Reason;
use quick_xml::XmlVersion;
use quick_xml::events::attributes::{AttrError, Attribute, Attributes};
use quick_xml::events::{BytesDecl, Event};
use quick_xml::name::QName;

use super::{Deviation, Limits, Member, Node, Source, Span, Value};

/// An element and its place.
#[derive(Clone, Debug, PartialEq)]
pub struct Element<'a> {
    /// Where it stands, from `<` to the end of its end tag.
    pub span: Span,
    /// Its name.
    pub name: &'a str,
    /// Its attributes, as an object of texts; a name may occur twice, which its reader refuses.
    pub attributes: Node<'a>,
    /// The elements in it.
    pub children: Vec<Element<'a>>,
    /// The text directly in it, if that is not blank, with the place where it starts.
    pub text: Option<(Span, String)>,
}

/// Reads a whole document.
pub fn parse<'a>(source: &Source<'a>, limits: &Limits) -> Result<Element<'a>, Deviation> {
    let text = source.text();
    if let Some((at, found)) = text.char_indices().find(|(_, c)| !is_character(*c)) {
        return Err(error(Span::new(at, at + found.len_utf8()), format!("{found:?} is not an XML character")));
    }
    Parser { text, limits, open: Vec::new(), root: None }.run()
}

/// Returns the name of the outermost element, as far as the text can be followed.
pub fn root_name(text: &str) -> Option<&str> {
    let mut rest = text.trim_start();
    loop {
        let skipped = [("<?", "?>"), ("<!--", "-->"), ("<!", ">")]
            .iter()
            .find_map(|(open, close)| rest.strip_prefix(open)?.split_once(close).map(|(_, after)| after));
        match skipped {
            Some(after) => rest = after.trim_start(),
            None => break,
        }
    }
    let name = rest.strip_prefix('<')?;
    name.split(|c: char| c.is_whitespace() || c == '>' || c == '/').next()
}

/// Tells whether XML 1.0 has a character (its production `Char`).
pub fn is_character(character: char) -> bool {
    matches!(character,
        '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..='\u{10ffff}')
}

fn error(span: Span, message: impl Into<String>) -> Deviation {
    Deviation::new(Reason::XmlSyntax, span, message)
}

/// Returns where in a tag it stops being one.
fn offset_of(cause: &AttrError) -> usize {
    match cause {
        AttrError::ExpectedEq(at)
        | AttrError::ExpectedValue(at)
        | AttrError::UnquotedValue(at)
        | AttrError::ExpectedQuote(at, _)
        | AttrError::Duplicated(at, _) => *at,
    }
}

struct Parser<'a, 'l> {
    text: &'a str,
    limits: &'l Limits,
    open: Vec<Element<'a>>,
    root: Option<Element<'a>>,
}

impl<'a> Parser<'a, '_> {
    fn run(mut self) -> Result<Element<'a>, Deviation> {
        let mut events = quick_xml::Reader::from_str(self.text);
        loop {
            let start = events.buffer_position() as usize;
            let event = events.read_event();
            let span = Span::new(start, events.buffer_position() as usize);
            match event {
                Err(cause) => return Err(error(Span::at(events.error_position() as usize), cause.to_string())),
                Ok(Event::Eof) => break,
                Ok(Event::Decl(declaration)) => self.declaration(span, &declaration)?,
                Ok(Event::DocType(_)) => return Err(error(span, "a document type declaration is not read")),
                Ok(Event::Comment(_) | Event::PI(_)) => {}
                Ok(Event::Start(tag)) => self.start(span, tag.len(), tag.name().as_ref().len())?,
                Ok(Event::Empty(tag)) => {
                    self.start(span, tag.len(), tag.name().as_ref().len())?;
                    self.end(span)?;
                }
                Ok(Event::End(_)) => self.end(span)?,
                Ok(Event::Text(text)) => self.content(span, &text.xml10_content())?,
                Ok(Event::CData(text)) => self.content(span, &text.xml10_content())?,
                Ok(Event::GeneralRef(_)) => {
                    let text = self.resolved(&self.text[span.start..span.end])?;
                    self.content(span, &text)?;
                }
            }
        }
        if let Some(element) = self.open.last() {
            return Err(error(Span::at(self.text.len()), format!("`{}` is never closed", element.name)));
        }
        self.root.ok_or_else(|| error(Span::at(self.text.len()), "expected an element, found the end of the document"))
    }

    /// The text is UTF-8; a document that says otherwise was not meant to be read so.
    fn declaration(&self, span: Span, declaration: &BytesDecl<'_>) -> Result<(), Deviation> {
        if span.start != 0 {
            return Err(error(span, "the XML declaration is not at the start of the document"));
        }
        declaration.xml_version().map_err(|cause| error(span, cause.to_string()))?;
        match declaration.encoding() {
            None => Ok(()),
            Some(Ok(name)) if ["utf-8", "utf8", "us-ascii"].contains(&name.to_ascii_lowercase().as_str()) => Ok(()),
            Some(Ok(name)) => {
                Err(Deviation::new(Reason::NotUtf8, span, format!("the document declares the encoding {name}")))
            }
            Some(Err(cause)) => Err(error(span, cause.to_string())),
        }
    }

    fn start(&mut self, span: Span, length: usize, name_length: usize) -> Result<(), Deviation> {
        if self.open.len() == self.limits.depth {
            let message = format!("nested deeper than {} levels", self.limits.depth);
            return Err(Deviation::new(Reason::LimitDepth, Span::new(span.start, span.start + 1), message));
        }
        if self.open.is_empty() && self.root.is_some() {
            return Err(error(span, "there is more than one outermost element"));
        }
        // The tag stands between `<` and its end.
        let tag = &self.text[span.start + 1..span.start + 1 + length];
        let name = &tag[..name_length];
        let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_alphanumeric() || "_:-.".contains(c));
        if !is_name {
            return Err(error(
                Span::new(span.start + 1, span.start + 1 + name_length),
                format!("{name:?} is not a name"),
            ));
        }
        let attributes = Node { span, value: Value::Object(self.attributes(tag, name_length)?) };
        self.open.push(Element { span, name, attributes, children: Vec::new(), text: None });
        Ok(())
    }

    fn attributes(&self, tag: &'a str, name_length: usize) -> Result<Vec<Member<'a>>, Deviation> {
        let mut members = Vec::new();
        // The reader of the members checks uniqueness, and not in the square of their number.
        for attribute in Attributes::new(tag, name_length).with_checks(false) {
            let attribute = attribute.map_err(|cause| {
                let at = (self.span_of(tag).start + offset_of(&cause)).min(self.text.len());
                error(Span::at(at), "expected an attribute such as `name=\"value\"`")
            })?;
            let Cow::Borrowed(raw) = attribute.value else { continue };
            let key = attribute.key.0;
            let span = self.span_of(raw);
            if raw.contains('<') {
                return Err(error(span, "a raw `<` in an attribute"));
            }
            let value = Value::String(self.resolved(raw)?);
            members.push(Member { key: Cow::Borrowed(key), key_span: self.span_of(key), node: Node { span, value } });
        }
        Ok(members)
    }

    /// Resolves references and turns white space into spaces, as XML does in attributes.
    fn resolved(&self, raw: &'a str) -> Result<Cow<'a, str>, Deviation> {
        let attribute = Attribute { key: QName("value"), value: Cow::Borrowed(raw) };
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|cause| error(self.span_of(raw), cause.to_string()))?;
        match value.chars().find(|c| !is_character(*c)) {
            Some(found) => Err(error(self.span_of(raw), format!("{found:?} is not an XML character"))),
            None => Ok(value),
        }
    }

    /// Returns the place of a part of the text.
    fn span_of(&self, part: &str) -> Span {
        let start = part.as_ptr() as usize - self.text.as_ptr() as usize;
        Span::new(start, start + part.len())
    }

    fn content(&mut self, span: Span, text: &str) -> Result<(), Deviation> {
        match self.open.last_mut() {
            None if text.trim().is_empty() => Ok(()),
            None => Err(error(span, "expected an element, found text")),
            Some(element) => {
                if let Some((_, before)) = &mut element.text {
                    before.push_str(text);
                } else if !text.trim().is_empty() {
                    let raw = &self.text[span.start..span.end];
                    let start = span.end - raw.trim_start().len();
                    element.text = Some((Span::new(start, span.end), text.to_owned()));
                }
                Ok(())
            }
        }
    }

    fn end(&mut self, span: Span) -> Result<(), Deviation> {
        let Some(mut element) = self.open.pop() else {
            return Err(error(span, "an end tag without its start"));
        };
        element.span.end = span.end;
        match self.open.last_mut() {
            Some(parent) => parent.children.push(element),
            None => self.root = Some(element),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T>(text: &str, then: impl FnOnce(Result<Element<'_>, Deviation>) -> T) -> T {
        let limits = Limits { depth: 3, ..Limits::default() };
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        then(parse(&source, &limits))
    }

    fn refused(text: &str) -> (Reason, usize) {
        read(text, |element| element.map_err(|error| (error.reason, error.span.start)).expect_err(text))
    }

    #[test]
    fn elements_know_where_they_stand() {
        let text = "<?xml version='1.0'?>\n<!-- x --><a b = 'é&#10;&lt;'><c d=\"x\ny\"/>t<![CDATA[<]]>&amp;</a>\n";
        read(text, |root| {
            let root = root.unwrap();
            assert_eq!((root.name, &text[root.span.start..root.span.end]), ("a", text[32..].trim_end()));
            let value = root.attributes.get("b").unwrap();
            assert_eq!(value.value, Value::String("é\n<".into()));
            assert_eq!(&text[value.span.start..value.span.end], "é&#10;&lt;");
            assert_eq!(
                root.text.map(|(span, text)| (span.start, text)),
                Some((text.find("t<!").unwrap(), "t<&".to_owned()))
            );
            let [child] = root.children.as_slice() else { panic!("one child") };
            assert_eq!(child.attributes.get("d").unwrap().value, Value::String("x y".into()));
            assert_eq!(&text[child.span.start..child.span.end], "<c d=\"x\ny\"/>");
        });
    }

    #[test]
    fn what_is_not_well_formed_is_refused_where_it_stops_being_xml() {
        for (text, at) in [
            ("<a>", 3),
            ("<a></b>", 3),
            ("</a>", 0),
            ("<a/><b/>", 4),
            ("<a/>x", 4),
            ("x<a/>", 0),
            ("<a b=c/>", 5),
            ("<a b='<'/>", 6),
            ("<a b='&x;'/>", 6),
            ("<a b='&#0;'/>", 6),
            ("<a b='&#x1b;'/>", 6),
            ("<a>&x;</a>", 3),
            ("<a>\u{1b}</a>", 3),
            ("<a>&lt</a>", 3),
            ("<1/>", 1),
            ("<!DOCTYPE a [<!ENTITY x SYSTEM 'file:///etc/passwd'>]><a>&x;</a>", 0),
            ("<!-- x -->", 10),
            (" <?xml version='1.0'?><a/>", 1),
            ("<?xml version='2.0'?><a/>", 0),
        ] {
            assert_eq!(refused(text), (Reason::XmlSyntax, at), "{text:?}");
        }
        assert_eq!(refused("<?xml version='1.0' encoding='latin1'?><a/>").0, Reason::NotUtf8);
        assert_eq!(refused("<a><a><a><a/></a></a></a>"), (Reason::LimitDepth, 9));
        assert_eq!(refused(&"<a>".repeat(100_000)), (Reason::LimitDepth, 9));
    }

    #[test]
    fn the_root_is_named_in_broken_documents_too() {
        assert_eq!(root_name("<?xml version='1.0'?>\n<!-- <x> --><!DOCTYPE a>\n<a b"), Some("a"));
        assert_eq!(root_name(" <a/>"), Some("a"));
        assert_eq!(root_name("x <a/>"), None);
        assert_eq!(root_name("<?xml"), Some("?xml"));
    }
}
