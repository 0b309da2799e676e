//! YAML with places, as the same tree that JSON gives.
//!
//! In: a part of a source. Out: a tree, or the first place that is not YAML as the contracts need it: exactly one
//! document, no name twice, every name a text, no tag that changes a value. Plain scalars have the types of YAML 1.2.
//! The crate underneath stops alias bombs; depth and aliases are held to our own limits.

use std::borrow::Cow;
use std::fmt;

use jury_wire::Reason;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::budget::BudgetBreach;
use serde_saphyr::options::{DuplicateKeyPolicy, MergeKeyPolicy, NonFiniteFloatPolicy};
use serde_saphyr::{Error, Spanned};

use super::{Deviation, Limits, Member, Node, Source, Span, Value};

/// The deepest nesting under any limits. The crate underneath takes some 40 kB of stack for each level in a build
/// without optimisation, and no contract needs more than five.
const DEEPEST: usize = 16;
/// How many nodes the whole document may have, for each claim that is allowed.
const NODES_PER_CLAIM: usize = 20;
/// How many nodes all aliases together may stand for, for each alias that is allowed.
const NODES_PER_ALIAS: usize = 1_000;

/// Reads the YAML document that a span of the source holds.
pub fn parse<'a>(source: &Source<'a>, span: Span, limits: &Limits) -> Result<Node<'a>, Deviation> {
    let text = source.slice(span);
    let depth = limits.depth.min(DEEPEST);
    let places = YamlSpans { offset: span.start, text, depth, aliases: limits.aliases };
    let options = serde_saphyr::options! {
        strict_booleans: true,
        duplicate_keys: DuplicateKeyPolicy::Error,
        // A merge would let a value appear where it was not written; so `<<` is a name like any other.
        merge_keys: MergeKeyPolicy::AsOrdinary,
        reject_unsupported_tags: true,
        ignore_binary_tag_for_string: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: limits.aliases.saturating_mul(NODES_PER_ALIAS),
        },
        budget: serde_saphyr::budget! {
            max_depth: depth,
            max_aliases: limits.aliases,
            max_anchors: limits.aliases,
            flow_nesting_limit: depth,
            // Room for as many claims as any document may have, each with all its fields.
            max_nodes: limits.claims.saturating_mul(NODES_PER_CLAIM),
            max_events: limits.claims.saturating_mul(3 * NODES_PER_CLAIM),
        },
    };
    let raw: Spanned<Raw> =
        serde_saphyr::from_str_with_options(text, options).map_err(|error| places.deviation(&error))?;
    places.refuse_text_after_the_end()?;
    places.node(raw)
}

/// Where the crate's own places lie in the source.
struct YamlSpans<'a> {
    offset: usize,
    text: &'a str,
    depth: usize,
    aliases: usize,
}

impl<'a> YamlSpans<'a> {
    fn span(&self, location: serde_saphyr::Location) -> Span {
        let span = location.span();
        let (start, length) = match (span.byte_offset(), span.byte_len()) {
            (Some(start), Some(length)) => (start as usize, length as usize),
            // Errors, of which there is one in a document, are counted in characters.
            _ => (self.byte_of_character(span.offset()), 0),
        };
        let start = start.min(self.text.len());
        let end = start.saturating_add(length).min(self.text.len());
        Span::new(self.offset + start, self.offset + end)
    }

    fn byte_of_character(&self, character: u64) -> usize {
        let place = usize::try_from(character).ok().and_then(|character| self.text.char_indices().nth(character));
        place.map_or(self.text.len(), |(byte, _)| byte)
    }

    fn deviation(&self, error: &Error) -> Deviation {
        let span = error.location().map_or(Span::at(self.offset), |location| self.span(location));
        let mut cause = error;
        while let Error::AliasError { error, .. } | Error::WithSnippet { error, .. } = cause {
            cause = error;
        }
        let (reason, message) = match cause {
            Error::Budget { breach: BudgetBreach::Depth { .. }, .. } => {
                (Reason::LimitDepth, format!("nested deeper than {} levels", self.depth))
            }
            Error::Budget { .. }
            | Error::AliasReplayCounterOverflow { .. }
            | Error::AliasReplayLimitExceeded { .. }
            | Error::AliasExpansionLimitExceeded { .. }
            | Error::AliasReplayStackDepthExceeded { .. } => {
                let message = format!("too many nodes, or more than {} aliases", self.aliases);
                (Reason::LimitAliases, message)
            }
            Error::DuplicateMappingKey { key, .. } => {
                let name = key.as_deref().unwrap_or("a name");
                (Reason::DuplicateKey, format!("`{name}` occurs twice"))
            }
            Error::MultipleDocuments { .. } => (Reason::YamlSyntax, "a second document starts here".to_owned()),
            Error::NullIntoString { .. } => (Reason::YamlSyntax, "expected a name, found null".to_owned()),
            Error::RecursiveReferencesRequireWeakTypes { .. } => {
                (Reason::YamlSyntax, "an alias inside its own anchor".to_owned())
            }
            other => match without_place(&other.to_string()) {
                // The scanner has its own limit for brackets, and says so only in these words.
                message if message == "recursion limit exceeded" => {
                    (Reason::LimitDepth, format!("nested deeper than {} levels", self.depth))
                }
                message => (Reason::YamlSyntax, message),
            },
        };
        Deviation::new(reason, span, message)
    }

    /// Refuses text after the end marker `...`, which the crate passes over if it is not YAML.
    fn refuse_text_after_the_end(&self) -> Result<(), Deviation> {
        let mut at = 0;
        let mut has_ended = false;
        for line in self.text.split_inclusive(['\n', '\r']) {
            let marker =
                line.strip_prefix("...").filter(|rest| rest.is_empty() || rest.starts_with(char::is_whitespace));
            has_ended |= marker.is_some();
            let rest = marker.unwrap_or(line).trim();
            if has_ended && !rest.is_empty() && !rest.starts_with('#') {
                let start = self.offset + at + line.find(rest).unwrap_or(0);
                let span = Span::new(start, start + rest.len());
                return Err(Deviation::new(Reason::YamlSyntax, span, "text after the end of the document"));
            }
            at += line.len();
        }
        Ok(())
    }

    fn node(&self, raw: Spanned<Raw>) -> Result<Node<'a>, Deviation> {
        let value = match raw.value {
            Raw::Null => {
                self.refuse_tagged_null(raw.defined)?;
                Value::Null
            }
            Raw::Bool(value) => Value::Bool(value),
            Raw::Number(text) => Value::Number(Cow::Owned(text)),
            Raw::String(text) => Value::String(Cow::Owned(text)),
            Raw::Array(items) => {
                let items: Result<Vec<_>, _> = items.into_iter().map(|item| self.node(item)).collect();
                Value::Array(items?)
            }
            Raw::Object(members) => {
                let members: Result<Vec<_>, _> =
                    members.into_iter().map(|(key, value)| self.member(key, value)).collect();
                Value::Object(members?)
            }
        };
        Ok(Node { span: self.span(raw.referenced), value })
    }

    fn member(&self, key: Spanned<String>, value: Spanned<Raw>) -> Result<Member<'a>, Deviation> {
        Ok(Member { key_span: self.span(key.referenced), key: Cow::Owned(key.value), node: self.node(value)? })
    }

    /// Refuses a null that stands where something is written: `!!null text` says two things.
    fn refuse_tagged_null(&self, location: serde_saphyr::Location) -> Result<(), Deviation> {
        let span = self.span(location);
        let text = self.text.get(span.start - self.offset..span.end - self.offset).unwrap_or_default();
        if matches!(text.trim(), "" | "~" | "null" | "Null" | "NULL") {
            return Ok(());
        }
        Err(Deviation::new(Reason::YamlSyntax, span, "a text is marked as null"))
    }
}

/// Leaves out the place that the crate puts at the end of its messages: it counts from the start of the block.
fn without_place(message: &str) -> String {
    message.rsplit_once(" at line ").map_or(message, |(message, _)| message).to_owned()
}

enum Raw {
    Null,
    Bool(bool),
    Number(String),
    String(String),
    Array(Vec<Spanned<Raw>>),
    Object(Vec<(Spanned<String>, Spanned<Raw>)>),
}

impl<'de> Deserialize<'de> for Raw {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RawVisitor)
    }
}

struct RawVisitor;

impl<'de> Visitor<'de> for RawVisitor {
    type Value = Raw;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Raw, E> {
        Ok(Raw::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Raw, E> {
        Ok(Raw::Number(value.to_string()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Raw, E> {
        Ok(Raw::String(value.to_owned()))
    }

    fn visit_unit<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_none<E>(self) -> Result<Raw, E> {
        Ok(Raw::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Raw, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = sequence.next_element()? {
            items.push(item);
        }
        Ok(Raw::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Raw, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(Raw::Object(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_text(text: &str) -> Result<String, (Reason, usize)> {
        let limits = Limits { depth: 4, aliases: 4, ..Limits::default() };
        let source = Source::new(text.as_bytes(), &limits).unwrap();
        let node = parse(&source, source.whole(), &limits);
        node.map(|node| show(&node)).map_err(|deviation| (deviation.reason, deviation.span.start))
    }

    fn show(node: &Node<'_>) -> String {
        match &node.value {
            Value::Null => "null".to_owned(),
            Value::Bool(value) => value.to_string(),
            Value::Number(text) => format!("#{text}"),
            Value::String(text) => format!("{text:?}"),
            Value::Array(items) => format!("[{}]", items.iter().map(show).collect::<Vec<_>>().join(" ")),
            Value::Object(members) => {
                let members: Vec<String> = members.iter().map(|m| format!("{}={}", m.key, show(&m.node))).collect();
                format!("{{{}}}", members.join(" "))
            }
        }
    }

    #[test]
    fn plain_scalars_have_the_types_of_yaml_1_2() {
        for (text, shown) in [
            ("", "null"),
            ("# only a comment", "null"),
            ("pass", "\"pass\""),
            ("yes", "\"yes\""),
            ("true", "true"),
            ("~", "null"),
            ("404", "#404"),
            ("-1.50", "#-1.5"),
            ("1e999", "#inf"),
            ("12:30", "\"12:30\""),
            ("2001-01-01", "\"2001-01-01\""),
            ("a: 1\nb: [x, 'y']\nc:\n- z\n", "{a=#1 b=[\"x\" \"y\"] c=[\"z\"]}"),
            ("a: |\n  x\n  y\n", "{a=\"x\\ny\\n\"}"),
            ("a: b # c\r\nd: e#f\r\n", "{a=\"b\" d=\"e#f\"}"),
            ("--- a\n...\n# end\n", "\"a\""),
            ("%YAML 1.2\n---\na: b", "{a=\"b\"}"),
        ] {
            assert_eq!(parse_text(text), Ok(shown.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn places_are_bytes_of_the_source() {
        let text = "prose\n\u{feff}é: \"ü\"\r\nlist:\n  - ö: x\n  - *\n";
        let text = &text.replace("- *", "- [ß, y]");
        let source = Source::new(text.as_bytes(), &Limits::default()).unwrap();
        let node = parse(&source, Span::new(6, text.len()), &Limits::default()).unwrap();
        let Value::Object(members) = &node.value else { panic!("{node:?}") };
        assert_eq!(source.slice(members[0].key_span), "é");
        assert_eq!(source.slice(members[0].node.span), "\"ü\"");
        let Value::Array(items) = &members[1].node.value else { panic!("{node:?}") };
        assert_eq!(source.slice(items[0].get("ö").unwrap().span), "x");
        let Value::Array(items) = &items[1].value else { panic!("{node:?}") };
        assert_eq!(items.iter().map(|item| source.slice(item.span)).collect::<Vec<_>>(), ["ß", "y"]);
    }

    #[test]
    fn an_alias_stands_where_it_is_written() {
        let text = "a: &x [1, 2]\nb: *x";
        let source = Source::new(text.as_bytes(), &Limits::default()).unwrap();
        let node = parse(&source, source.whole(), &Limits::default()).unwrap();
        let alias = node.get("b").unwrap();
        assert_eq!((show(alias).as_str(), source.slice(alias.span)), ("[#1 #2]", "*x"));
    }

    #[test]
    fn what_is_not_one_plain_document_is_refused_at_its_place() {
        for (text, reason, at) in [
            ("a: 1\na: 2", Reason::DuplicateKey, 5),
            ("a: {b: 1, b: 2}", Reason::DuplicateKey, 10),
            ("a: 1\n\"a\": 2", Reason::DuplicateKey, 5),
            ("a: 1\n---\nb: 2", Reason::YamlSyntax, 9),
            ("a: 1\n---\n", Reason::YamlSyntax, 8),
            ("a: 1\n...\nb: 2", Reason::YamlSyntax, 9),
            ("a: 1\n...\n@ [", Reason::YamlSyntax, 9),
            ("a: 1\n... @ [", Reason::YamlSyntax, 9),
            ("a: 'x", Reason::YamlSyntax, 3),
            ("a: b: c", Reason::YamlSyntax, 4),
            ("a: @x", Reason::YamlSyntax, 3),
            ("null: x", Reason::YamlSyntax, 0),
            ("[a]: x", Reason::YamlSyntax, 0),
            ("{a: b}: x", Reason::YamlSyntax, 0),
            ("a: *x", Reason::YamlSyntax, 3),
            ("a: &x [*x]", Reason::YamlSyntax, 7),
            ("a: !fail pass", Reason::YamlSyntax, 9),
            ("a: !!null pass", Reason::YamlSyntax, 10),
            ("a: &x !!null pass\nb: *x", Reason::YamlSyntax, 13),
            ("a: !!int x", Reason::YamlSyntax, 9),
            ("a: \u{1}", Reason::YamlSyntax, 3),
            ("!!set {a, b}", Reason::YamlSyntax, 6),
            ("a: \"\\ud800\"", Reason::YamlSyntax, 3),
        ] {
            assert_eq!(parse_text(text), Err((reason, at)), "{text:?}");
        }
    }

    #[test]
    fn tags_merges_and_odd_names_lose_nothing() {
        for (text, shown) in [
            ("a: !!str 404", "{a=\"404\"}"),
            ("a: !!binary cGFzcw==", "{a=\"cGFzcw==\"}"),
            ("<<: {a: 1}\nb: 2", "{<<={a=#1} b=#2}"),
            ("!!merge <<: {a: 1}", "{<<={a=#1}}"),
            ("1: x\ntrue: y", "{1=\"x\" true=\"y\"}"),
            ("? a\n: b", "{a=\"b\"}"),
        ] {
            assert_eq!(parse_text(text), Ok(shown.to_owned()), "{text:?}");
        }
    }

    #[test]
    fn depth_and_aliases_are_limited() {
        assert!(parse_text("[[[[]]]]").is_ok());
        assert_eq!(parse_text("[[[[[]]]]]"), Err((Reason::LimitDepth, 4)));
        assert_eq!(parse_text(&"[".repeat(100_000)), Err((Reason::LimitDepth, 4)));
        assert_eq!(parse_text(&"- ".repeat(100_000)), Err((Reason::LimitDepth, 8)));
        assert_eq!(parse_text("a: &x 1\nb: [*x, *x, *x, *x, *x]"), Err((Reason::LimitAliases, 28)));

        let reason = |text: &str| {
            let source = Source::new(text.as_bytes(), &Limits::default()).unwrap();
            parse(&source, source.whole(), &Limits::default()).err().map(|deviation| deviation.reason)
        };
        let nested = |depth| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        assert_eq!((reason(&nested(DEEPEST)), reason(&nested(DEEPEST + 1))), (None, Some(Reason::LimitDepth)));
        let chain = |times: &str| -> String {
            let links = (1..45).map(|n| format!("a{n}: &a{n} {}\n", times.replace('*', &format!("*a{}", n - 1))));
            std::iter::once("a0: &a0 x\n".to_owned()).chain(links).collect()
        };
        assert_eq!(reason(&chain("[*]")), Some(Reason::LimitDepth));
        assert_eq!(reason(&chain("[*, *]")), Some(Reason::LimitAliases));
    }
}
