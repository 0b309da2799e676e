//! The comment at the end of the Markdown: values without a place in the template, as JSON.
//!
//! `re_review_required` if it is true; per finding the `side` if it is `LEFT`, and the `exact` evidence or suggestion
//! where that cannot be shown as it is. The exact text counts only as long as it matches the visible one, so an edit of the
//! visible text wins. No `-` is written raw, so nothing inside can end the comment.

use std::collections::BTreeMap;

use jury_wire::Reason;
use jury_wire::v1::review as wire;
use serde_json::{Map, Value as Json, json};

use super::text;
use crate::model::Side;
use crate::syntax::{Node, Reader, Span, Unknown, Value, json as syntax};

/// How the comment starts.
pub(super) const OPENING: &str = "<!-- jury: ";
const CLOSING: &str = "-->";

/// The content of the comment.
#[derive(Default)]
pub(super) struct Trailer<'a> {
    /// Whether the change has moved on since; `None` if that cannot be told.
    pub(super) re_review_required: Option<bool>,
    findings: BTreeMap<String, Extra<'a>>,
}

/// The comment's values for one finding.
#[derive(Default)]
pub(super) struct Extra<'a> {
    pub(super) side: Option<Node<'a>>,
    evidence: Option<String>,
    suggestion: Option<String>,
}

impl<'a> Trailer<'a> {
    /// Returns the values for the finding with an id.
    pub(super) fn finding(&self, id: &str) -> Option<&Extra<'a>> {
        self.findings.get(id)
    }

    /// Reads the comment at an offset. Without one, nothing is out of the ordinary.
    pub(super) fn read(reader: &mut Reader<'_, 'a>, offset: Option<usize>) -> Self {
        let ordinary = Self { re_review_required: Some(false), ..Self::default() };
        let Some(offset) = offset else { return ordinary };
        let text = reader.source.text();
        let (root, end) = match syntax::parse_at(text, offset + OPENING.len(), reader.limits) {
            Ok(parsed) => parsed,
            Err(deviation) => {
                reader.deviations.push(deviation);
                return Self::default();
            }
        };
        let is_closed = text[end..].trim_start().strip_prefix(CLOSING).is_some_and(|rest| rest.trim().is_empty());
        if !is_closed {
            let message = format!("expected `{CLOSING}` and nothing after it");
            reader.deviate(Reason::MarkdownShape, Span::at(end), message);
        }
        let Some(mut fields) = reader.fields(&root) else { return Self::default() };
        let re_review_required = match fields.get("re_review_required") {
            Some(node) => reader.boolean(node),
            None => ordinary.re_review_required,
        };
        let findings = fields.optional(reader, "findings", extras).unwrap_or_default();
        fields.end(reader, Unknown::Refuse);
        Self { re_review_required, findings }
    }
}

fn extras<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<BTreeMap<String, Extra<'a>>> {
    // Taking the object apart notes the ids that occur twice; which ids there are is for the document to say.
    reader.fields(node)?;
    let Value::Object(members) = &node.value else { return None };
    let mut found = BTreeMap::new();
    for member in members {
        let extra = extra(reader, &member.node).unwrap_or_default();
        found.insert(member.key.to_string(), extra);
    }
    Some(found)
}

fn extra<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Extra<'a>> {
    let mut fields = reader.fields(node)?;
    let side = fields.get("side").cloned();
    let exact = fields.optional(reader, "exact", |reader, node| {
        let mut fields = reader.fields(node)?;
        let evidence = fields.optional(reader, "evidence", Reader::string).map(str::to_owned);
        let suggestion = fields.optional(reader, "suggestion", Reader::string).map(str::to_owned);
        fields.end(reader, Unknown::Refuse);
        Some((evidence, suggestion))
    });
    fields.end(reader, Unknown::Refuse);
    let (evidence, suggestion) = exact.unwrap_or_default();
    Some(Extra { side, evidence, suggestion })
}

impl Extra<'_> {
    /// Returns the evidence, given its visible form.
    pub(super) fn evidence(&self, shown: String) -> String {
        exact(self.evidence.as_ref(), shown)
    }

    /// Returns the suggestion, given its visible form.
    pub(super) fn suggestion(&self, shown: String) -> String {
        exact(self.suggestion.as_ref(), shown)
    }
}

fn exact(exact: Option<&String>, shown: String) -> String {
    exact.filter(|exact| text::shown_code(exact) == shown).cloned().unwrap_or(shown)
}

/// Writes the comment, if there is anything to say in it.
pub(super) fn write(document: &wire::ReviewSummary) -> Option<String> {
    let findings: Vec<String> = document
        .findings
        .iter()
        .filter_map(|finding| said_of(finding).map(|said| format!("{}:{}", json!(finding.id), Json::from(said))))
        .collect();
    let mut members = Vec::new();
    if document.re_review_required {
        members.push("\"re_review_required\":true".to_owned());
    }
    if !findings.is_empty() {
        // One line per finding: a long review does not make a line that no reader takes.
        members.push(format!("\"findings\":{{{}}}", findings.join(",\n")));
    }
    let body = format!("{{{}}}", members.join(","));
    (!members.is_empty()).then(|| format!("{OPENING}{} {CLOSING}\n", inert(&body)))
}

fn said_of(finding: &wire::Finding) -> Option<Map<String, Json>> {
    let mut said = Map::new();
    if finding.location.side.as_deref() == Some(Side::Left.token()) {
        said.insert("side".to_owned(), json!(Side::Left.token()));
    }
    let codes = [("evidence", Some(&finding.evidence)), ("suggestion", finding.suggestion.as_ref())];
    let unshowable = |code: &&String| text::shown_code(code) != **code;
    let exact: Map<String, Json> = codes
        .into_iter()
        .filter_map(|(name, code)| code.filter(unshowable).map(|code| (name.to_owned(), json!(code))))
        .collect();
    if !exact.is_empty() {
        said.insert("exact".to_owned(), exact.into());
    }
    (!said.is_empty()).then_some(said)
}

/// Escapes in JSON all characters that could end or start a comment or are invisible. All of them stand inside strings.
fn inert(body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    for c in body.chars() {
        if matches!(c, '<' | '>' | '-') || text::is_invisible(c) {
            let mut units = [0; 2];
            out.extend(c.encode_utf16(&mut units).iter().map(|unit| format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}
