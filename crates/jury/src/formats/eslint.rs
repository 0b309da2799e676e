//! `eslint`: the output of ESLint's `json` formatter, one result per file. Read, never written.
//!
//! ESLint states `fatal` only where it did not lint a file: true for one that it cannot parse, false for one that it
//! ignores by its settings. Neither is among the reviewed files, and the message stays a claim. A message that a directive in the
//! code suppresses is a claim with the status `wont_fix`. ESLint always writes absolute paths; see
//! `json::analyser_file`.

use jury_wire::Reason;

use super::reading::{Claims, Reading};
use super::{Format, json};
use crate::model::{Claim, Facts, Location, RepoPath, Report, Severity, Status, whole_number};
use crate::syntax::{Fields, Limits, Node, Reader, Source, Unknown, Value};

pub(super) const FORMAT: Format = Format {
    id: "eslint",
    seed: "ESLint",
    what: "the output of ESLint's `json` formatter",
    extension: "json",
    states_attendance: false,
    recognises: |source| json::first_item_has_every_key(source, &["filePath", "messages"]),
    read,
    write: None,
};

/// ESLint's numbers for severities.
const ERROR: i64 = 2;
const WARNING: i64 = 1;

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    json::read(source, limits, |reader, root| {
        let mut claims = Claims::default();
        let mut files = Vec::new();
        let results = reader.items(root)?;
        for node in claims.within_limit(reader, results, |node| node.span) {
            files.extend(result(reader, &mut claims, node));
        }
        let facts = Facts { files_reviewed: Some(files), ..Facts::default() };
        Some((claims, Some(Report { facts, ..Report::default() })))
    })
}

/// Reads the result of one file, and returns the file if it was linted.
fn result<'a>(reader: &mut Reader<'_, 'a>, claims: &mut Claims, node: &Node<'a>) -> Option<RepoPath> {
    let before = reader.deviations.len();
    let Some(mut fields) = reader.fields(node) else {
        claims.reject(node.span, Reason::WrongType);
        return None;
    };
    let file = fields.required(reader, "filePath", json::analyser_file);
    let messages = fields.required(reader, "messages", Reader::items);
    let suppressed = fields.optional(reader, "suppressedMessages", Reader::items);
    let is_usable = file.is_some() && !fields.is_ambiguous();
    let is_whole = messages.is_some() && suppressed.is_some() == fields.get("suppressedMessages").is_some();
    let reason = reader.deviations.get(before).map_or(Reason::WrongType, |deviation| deviation.reason);
    let before_messages = reader.deviations.len();
    let reports = messages.unwrap_or_default().iter().map(|node| (node, None));
    let suppressions = suppressed.unwrap_or_default().iter().map(|node| (node, Some(Status::WontFix)));
    for (node, status) in reports.chain(suppressions) {
        match file.as_ref().filter(|_| is_usable) {
            Some(file) => claims.read_one(reader, node.span, |reader| claim(reader, node, file.as_ref(), status)),
            None => claims.reject(node.span, reason),
        }
    }
    // A result with unreadable messages is not one without messages.
    if !is_whole || fields.is_ambiguous() {
        claims.reject(node.span, reason);
    }
    let counted = messages.filter(|_| !fields.is_ambiguous() && reader.deviations.len() == before_messages);
    check_counts(reader, &mut fields, counted);
    fields.end(reader, Unknown::Allow);
    let is_linted = messages.unwrap_or_default().iter().all(|message| message.get("fatal").is_none());
    file.flatten().filter(|_| is_usable && is_whole && is_linted)
}

/// Compares ESLint's own counts with the messages, if every one of these was readable.
fn check_counts<'n, 'a>(reader: &mut Reader<'_, 'a>, fields: &mut Fields<'n, 'a>, messages: Option<&[Node<'a>]>) {
    let is = |message: &Node<'_>, severity: i64| match message.get("severity").map(|node| &node.value) {
        Some(Value::Number(text)) => whole_number(text) == Some(severity),
        _ => false,
    };
    let is_fixable = |message: &Node<'_>| message.get("fix").is_some_and(|fix| fix.value != Value::Null);
    let is_fatal = |message: &Node<'_>| message.get("fatal").is_some_and(|fatal| fatal.value == Value::Bool(true));
    let count = |counts: &dyn Fn(&Node<'_>) -> bool| {
        messages.map(|messages| messages.iter().filter(|message| counts(message)).count() as u64)
    };
    let counted = [
        ("errorCount", true, count(&|message| is(message, ERROR))),
        ("warningCount", true, count(&|message| is(message, WARNING))),
        ("fatalErrorCount", false, count(&is_fatal)),
        ("fixableErrorCount", false, count(&|message| is(message, ERROR) && is_fixable(message))),
        ("fixableWarningCount", false, count(&|message| is(message, WARNING) && is_fixable(message))),
    ];
    for (name, is_required, found) in counted {
        let stated = match is_required {
            true => fields.required(reader, name, json::count),
            false => fields.optional(reader, name, json::count),
        };
        if let (Some((stated, span)), Some(found)) = (stated, found)
            && stated != found
        {
            let message = format!("`{name}` is {stated}, the messages give {found}");
            reader.deviate(Reason::CountMismatch, span, message);
        }
    }
}

fn claim<'a>(
    reader: &mut Reader<'_, 'a>,
    node: &Node<'a>,
    file: Option<&RepoPath>,
    status: Option<Status>,
) -> Option<Claim> {
    let mut fields = reader.fields(node)?;
    let rule = fields.nullable(reader, "ruleId", Reader::string);
    let severity = fields.required(reader, "severity", severity);
    let is_fatal = fields.optional(reader, "fatal", Reader::boolean) == Some(true);
    let title = fields.required(reader, "message", |reader, node| json::title(reader, node, usize::MAX));
    let start = position(reader, &mut fields, ["line", "column"]);
    let end = position(reader, &mut fields, ["endLine", "endColumn"]);
    let fix = fields.nullable(reader, "fix", replacement).flatten();
    let suggestions = fields.nullable(reader, "suggestions", suggestions).flatten();
    if !fields.end(reader, Unknown::Allow) {
        return None;
    }
    let location: Option<Location> = match file {
        Some(file) => Some(json::place(reader, node.span, file.clone(), start, end)?),
        None => None,
    };
    Some(Claim {
        location,
        rule: rule.map(str::to_owned),
        fix: fix.map(str::to_owned).or(suggestions),
        status,
        // A file that was not parsed was not reviewed, with any severity.
        ..Claim::new(title?, if is_fatal { Severity::High } else { severity? })
    })
}

fn severity<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Severity> {
    let severity = match reader.integer(node)? {
        ERROR => Ok(Severity::High),
        WARNING => Ok(Severity::Medium),
        other => Err(format!("expected 1 or 2, found {other}")),
    };
    reader.expect(Reason::UnknownToken, node.span, severity)
}

/// Reads a position, which is not there for a message about the file as a whole.
fn position<'n, 'a>(
    reader: &mut Reader<'_, 'a>,
    fields: &mut Fields<'n, 'a>,
    [line, column]: [&'static str; 2],
) -> json::Position {
    json::Position {
        line: fields.nullable(reader, line, json::line_or_zero).flatten(),
        column: fields.nullable(reader, column, json::column_or_zero).flatten(),
    }
}

/// Reads ESLint's replacement text.
fn replacement<'n, 'a>(reader: &mut Reader<'_, 'a>, node: &'n Node<'a>) -> Option<Option<&'n str>> {
    let mut fields = reader.fields(node)?;
    let text = fields.required(reader, "text", json::text_or_blank);
    fields.end(reader, Unknown::Allow).then_some(text.flatten())
}

/// Reads ESLint's suggestions.
fn suggestions<'a>(reader: &mut Reader<'_, 'a>, node: &Node<'a>) -> Option<Option<String>> {
    let mut offers = Vec::new();
    for node in reader.items(node)? {
        let mut fields = reader.fields(node)?;
        let offer = fields.required(reader, "desc", Reader::string);
        fields.end(reader, Unknown::Allow);
        offers.push(offer?);
    }
    Some((!offers.is_empty()).then(|| offers.join("\n")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Reading {
        FORMAT.read(text.as_bytes(), &Limits::default())
    }

    #[test]
    fn what_was_not_linted_is_claimed_and_not_reviewed() {
        let report = read(
            r#"[
              {"filePath": "a.js", "messages": [], "errorCount": 0, "warningCount": 0},
              {"filePath": "b.js", "errorCount": 1, "warningCount": 0, "messages": [
                {"ruleId": null, "fatal": true, "severity": 2, "message": "Parsing error: x", "line": 1, "column": 7}]},
              {"filePath": "c.js", "errorCount": 0, "warningCount": 1, "messages": [
                {"ruleId": null, "fatal": false, "severity": 1, "message": "File ignored"}]}
            ]"#,
        );
        assert_eq!(report.deviations, []);
        let report = report.report.unwrap();
        let reviewed: Vec<String> = report.facts.files_reviewed.unwrap().iter().map(ToString::to_string).collect();
        assert_eq!(reviewed, ["a.js"]);
        let claims: Vec<(Severity, String)> =
            report.claims.iter().map(|c| (c.severity, c.location.as_ref().unwrap().to_string())).collect();
        assert_eq!(claims, [(Severity::High, "b.js:1:7".to_owned()), (Severity::Medium, "c.js".to_owned())]);
    }

    #[test]
    fn a_claim_says_what_the_message_says() {
        let report = read(
            r#"[{"filePath": "./a.js", "errorCount": 1, "warningCount": 0, "messages": [
                {"ruleId": "eol-last", "severity": 2, "message": "m", "line": 2, "column": 5, "endLine": 4,
                 "endColumn": 1, "suggestions": [{"desc": "one"}, {"desc": "two"}], "fix": {"range": [1, 2], "text": ""}}],
              "suppressedMessages": [{"ruleId": "x", "severity": 1, "message": "n", "line": 9, "column": 1}]}]"#,
        );
        assert_eq!(report.deviations, []);
        let claims = report.report.unwrap().claims;
        assert_eq!(claims[0].rule.as_deref(), Some("eol-last"));
        assert_eq!(claims[0].location.as_ref().unwrap().to_string(), "a.js:2-3:5");
        assert_eq!(claims[0].fix.as_deref(), Some("one\ntwo"));
        assert_eq!((claims[0].status, claims[1].status), (None, Some(Status::WontFix)));
        assert_eq!(claims[1].severity, Severity::Medium);
    }
}
