//! Whether a verdict file is unchanged, status claims aside (000, "Status Field Ownership").
//!
//! In: the bytes on disk and the document that was sealed. Out: the statuses on disk, or the first difference by its JSON
//! path. White space, order of keys and escapes are free; spelling of numbers and keys that occur twice are not.
//! Deliberately not here: files.

use std::collections::BTreeMap;

use jury_wire::v1::code_review::Finding;

use super::VerdictFile;
use crate::model::Status;
use crate::syntax::{Limits, Member, Node, Source, Value, json};

/// Why the bytes are not the document.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unlike {
    /// They are not JSON at all.
    NotJson(String),
    /// They differ.
    Differs {
        /// Where, as a JSON path.
        at: String,
        /// How.
        what: String,
    },
}

/// One step of a JSON path.
#[derive(Clone, Copy)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

/// Writes a document as it stands in the verdict file: two spaces, one line feed at the end.
pub(super) fn text_of(document: &VerdictFile) -> String {
    let mut text = serde_json::to_string_pretty(document).expect("string keys and finite numbers are always JSON");
    text.push('\n');
    text
}

/// Tells whether a team agent may set a status where Jury set `own`: open or reopened to fixed or won't-fix, and back.
pub fn is_legal(own: Status, status: Status) -> bool {
    status == own || (own.stands() && matches!(status, Status::Fixed | Status::WontFix))
}

/// Compares bytes with a document, and returns the statuses that the bytes state. `own` is Jury's own status of each
/// finding.
pub(super) fn statuses(bytes: &[u8], document: &VerdictFile, own: &[Status]) -> Result<Vec<Status>, Unlike> {
    let limits = Limits::default();
    let source = Source::new(bytes, &limits).map_err(|deviation| Unlike::NotJson(deviation.message))?;
    let found = json::parse(&source, &limits).map_err(|deviation| {
        let place = source.position(deviation.span.start);
        Unlike::NotJson(format!("line {}, column {}: {}", place.line, place.column, deviation.message))
    })?;
    let text = text_of(document);
    let sealed = Source::new(text.as_bytes(), &limits).and_then(|source| json::parse(&source, &limits));
    let sealed = sealed.map_err(|deviation| Unlike::NotJson(format!("what was sealed: {}", deviation.message)))?;
    compare(&mut Vec::new(), &found, &sealed)?;
    let findings = found.get("findings").map_or(&[][..], items);
    findings.iter().zip(own).enumerate().map(|(index, (finding, own))| status(finding, index, *own)).collect()
}

/// Returns the legal status claims in a changed file: for each finding that they name exactly once, by
/// its id and with one status. Everything else in them is passed over.
pub(super) fn claims(bytes: &[u8], document: &VerdictFile, own: &[Status]) -> Vec<(usize, Status)> {
    let limits = Limits::default();
    let Ok(source) = Source::new(bytes, &limits) else { return Vec::new() };
    let Ok(root) = json::parse(&source, &limits) else { return Vec::new() };
    let findings = sole(&root, "findings").map_or(&[][..], items);
    // A finding's id may occur in more than one object, or in one object twice: then the status is ambiguous.
    let mut stated: BTreeMap<&str, Vec<Option<&str>>> = BTreeMap::new();
    for finding in findings {
        let word = sole_text(finding, "id").and_then(|_| sole_text(finding, "status"));
        texts(finding, "id").for_each(|id| stated.entry(id).or_default().push(word));
    }
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    document.findings.iter().for_each(|finding| *known.entry(&finding.id).or_default() += 1);
    let claim = |(index, (finding, own)): (usize, (&Finding, &Status))| {
        let [Some(word)] = stated.get(finding.id.as_str())?[..] else { return None };
        let status = Status::from_token(word).filter(|status| is_legal(*own, *status))?;
        (known[finding.id.as_str()] == 1 && word != finding.status).then_some((index, status))
    };
    document.findings.iter().zip(own).enumerate().filter_map(claim).collect()
}

fn items<'n, 'a>(node: &'n Node<'a>) -> &'n [Node<'a>] {
    match &node.value {
        Value::Array(items) => items,
        _ => &[],
    }
}

fn members<'n, 'a>(node: &'n Node<'a>) -> &'n [Member<'a>] {
    match &node.value {
        Value::Object(members) => members,
        _ => &[],
    }
}

fn sole<'n, 'a>(node: &'n Node<'a>, name: &str) -> Option<&'n Node<'a>> {
    let mut named = members(node).iter().filter(|member| member.key == name);
    named.next().filter(|_| named.next().is_none()).map(|member| &member.node)
}

fn sole_text<'n>(node: &'n Node<'_>, name: &str) -> Option<&'n str> {
    match &sole(node, name)?.value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn texts<'n>(node: &'n Node<'_>, name: &'n str) -> impl Iterator<Item = &'n str> {
    members(node).iter().filter(move |member| member.key == name).filter_map(|member| match &member.node.value {
        Value::String(text) => Some(&**text),
        _ => None,
    })
}

fn status(finding: &Node<'_>, index: usize, own: Status) -> Result<Status, Unlike> {
    let differs = |what| Unlike::Differs { at: format!("findings[{index}].status"), what };
    let word = finding.get("status").ok_or_else(|| differs("is missing".to_owned()))?;
    let Value::String(token) = &word.value else { return Err(differs(format!("is {}, not a string", word.kind()))) };
    let status = Status::from_token(token).ok_or_else(|| differs(format!("{} is not a status", shown(&word.value))))?;
    if is_legal(own, status) {
        return Ok(status);
    }
    Err(differs(format!("only Jury may say {status} of a finding that is {own}")))
}

fn compare<'a>(at: &mut Vec<Step<'a>>, found: &'a Node<'a>, sealed: &'a Node<'a>) -> Result<(), Unlike> {
    if let [Step::Key("findings"), Step::Index(_), Step::Key("status")] = at[..] {
        return Ok(());
    }
    match (&found.value, &sealed.value) {
        (Value::Object(found), Value::Object(sealed)) => compare_objects(at, found, sealed),
        (Value::Array(found), Value::Array(sealed)) => compare_arrays(at, found, sealed),
        (found, sealed) if found == sealed => Ok(()),
        (found, sealed) => Err(differs(at, format!("{}, where Jury wrote {}", shown(found), shown(sealed)))),
    }
}

fn compare_objects<'a>(
    at: &mut Vec<Step<'a>>,
    found: &'a [Member<'a>],
    sealed: &'a [Member<'a>],
) -> Result<(), Unlike> {
    for (index, member) in found.iter().enumerate() {
        at.push(Step::Key(&member.key));
        if found[..index].iter().any(|earlier| earlier.key == member.key) {
            return Err(differs(at, "is there twice".to_owned()));
        }
        match sealed.iter().find(|other| other.key == member.key) {
            Some(other) => compare(at, &member.node, &other.node)?,
            None => return Err(differs(at, "was added".to_owned())),
        }
        at.pop();
    }
    match sealed.iter().find(|member| !found.iter().any(|other| other.key == member.key)) {
        None => Ok(()),
        Some(member) => {
            at.push(Step::Key(&member.key));
            Err(differs(at, "is missing".to_owned()))
        }
    }
}

fn compare_arrays<'a>(at: &mut Vec<Step<'a>>, found: &'a [Node<'a>], sealed: &'a [Node<'a>]) -> Result<(), Unlike> {
    for (index, (found, sealed)) in found.iter().zip(sealed).enumerate() {
        at.push(Step::Index(index));
        compare(at, found, sealed)?;
        at.pop();
    }
    if found.len() == sealed.len() {
        return Ok(());
    }
    let what = if found.len() > sealed.len() { "was added" } else { "is missing" };
    at.push(Step::Index(found.len().min(sealed.len())));
    Err(differs(at, what.to_owned()))
}

fn differs(at: &[Step<'_>], what: String) -> Unlike {
    let mut path = String::new();
    for step in at {
        match step {
            Step::Index(index) => path.push_str(&format!("[{index}]")),
            Step::Key(key) if key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') && !key.is_empty() => {
                let dot = if path.is_empty() { "" } else { "." };
                path.push_str(&format!("{dot}{key}"));
            }
            Step::Key(key) => path.push_str(&format!("[{}]", quoted(key))),
        }
    }
    Unlike::Differs { at: if path.is_empty() { "$".to_owned() } else { path }, what }
}

/// Shows a value in a message, shortened.
fn shown(value: &Value<'_>) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(token) => shortened(token),
        Value::String(text) => quoted(text),
        Value::Array(_) => "an array".to_owned(),
        Value::Object(_) => "an object".to_owned(),
    }
}

fn quoted(text: &str) -> String {
    format!("{:?}", shortened(text))
}

fn shortened(text: &str) -> String {
    const LONGEST: usize = 60;
    let mut short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document() -> VerdictFile {
        let finding = |id: &str| {
            format!(
                r#"{{"id":"{id}","domain":"qa","severity":"Low","confidence":0.9,"file":"a","title":"t",
                "recommendation":"","status":"open"}}"#
            )
        };
        let text = format!(
            r#"{{"reviewId":"a3f8c12b","timestamp":"2026-02-16T14:30:00Z","scope":"file","target":"a","mode":"quick",
            "verdict":"PASS","summary":{{"blocker":0,"high":0,"medium":0,"low":2,"info":0}},"reportPath":"",
            "findings":[{},{}]}}"#,
            finding("one"),
            finding("two")
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn only_claims_that_can_be_meant_in_one_way_are_taken_over() {
        let own = [Status::Open; 2];
        let found = |findings: &str| claims(format!("{{\"findings\":{findings}}}").as_bytes(), &document(), &own);
        assert_eq!(found(r#"[{"id":"two","status":"fixed"}]"#), [(1, Status::Fixed)]);
        for nothing in [
            r#"[]"#,
            r#"{"id":"two","status":"fixed"}"#,
            r#"[{"id":"two","status":"open"}]"#,
            r#"[{"id":"two","status":"verified"}]"#,
            r#"[{"id":"two","status":"done"}]"#,
            r#"[{"id":"three","status":"fixed"}]"#,
            r#"[{"id":"two","status":"fixed","status":"fixed"}]"#,
            r#"[{"id":"one","id":"two","status":"fixed"}]"#,
            r#"[{"id":"two","status":"fixed"},{"id":"two","status":"fixed"}]"#,
            r#"[{"id":"two","status":"fixed"}],"findings":[]"#,
            r#"[{"id":"two","status":"fixed"}"#,
        ] {
            assert_eq!(found(nothing), [], "{nothing}");
        }
    }

    #[test]
    fn hostile_keys_are_named_without_acting() {
        let text = text_of(&document()).replacen('{', "{\"\\u001b[31m.x\": 1,", 1);
        let unlike = statuses(text.as_bytes(), &document(), &[Status::Open; 2]).unwrap_err();
        let at = r#"["\u{1b}[31m.x"]"#.to_owned();
        assert_eq!(unlike, Unlike::Differs { at, what: "was added".to_owned() });
    }
}
