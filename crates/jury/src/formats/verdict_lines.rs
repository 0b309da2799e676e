//! `verdict-lines`: the line-oriented verdict file under `.dartai/reports/<task-id>/` (001, "File format").
//!
//! Comments and blank lines are ignored, so "line 1" and "line 2" are the first two that remain. Inline evidence is the
//! rest of the file as it stands, comments and blank lines included; where nothing follows `evidence:` in its line, it
//! starts on the next one. That is how a body is written that would otherwise read as a path.

use jury_wire::Reason;

use super::gate_words::{self, List, Statement};
use super::key_lines::{KeyLine, KeyLines, key_line};
use super::reading::{Claims, Reading};
use super::{Format, Written, fence, prose};
use crate::model::{Evidence, Report, Stated};
use crate::syntax::{Deviation, Limits, Reader, Source, Span};

pub(super) const FORMAT: Format = Format {
    id: "verdict-lines",
    seed: "001",
    what: "the line-oriented verdict file that a reviewer leaves for the loop driver",
    extension: "md",
    states_attendance: false,
    recognises,
    read,
    write: Some(write),
};

/// The keys in the order of the contract.
const KEYS: [&str; 5] = ["verdict", "confidence", "blocker", "advisory", "evidence"];

fn is_significant(line: &str) -> bool {
    !line.trim().is_empty() && !line.starts_with('#')
}

fn recognises(source: &Source<'_>) -> bool {
    let mut lines = source.lines().map(|(_, line)| line).filter(|line| is_significant(line));
    let is_of_yaml = |line: &str| {
        ["blockers:", "advisories:", "evidence_path:"].iter().any(|key| line.starts_with(key))
            || fence::is_opening(line)
    };
    lines.next().is_some_and(|line| line.starts_with("verdict:"))
        && !lines.take_while(|line| !line.starts_with("evidence:")).any(is_of_yaml)
}

fn read(source: &Source<'_>, limits: &Limits) -> Reading {
    let mut reader = Reader::new(source, limits);
    let (lines, body) = lines(&mut reader);
    let lines = KeyLines::new(&mut reader, lines, &["verdict", "confidence", "evidence"]);
    check_fixed_lines(&mut reader, &lines);
    lines.check_order(&mut reader, &KEYS.each_ref().map(std::slice::from_ref));
    let verdict = lines.only("verdict").and_then(|line| {
        gate_words::verdict(&mut reader, line.value_span, line.value).map(|verdict| (verdict, line.value_span))
    });
    let confidence =
        lines.only("confidence").and_then(|line| gate_words::confidence(&mut reader, line.value_span, line.value));
    let evidence = lines.only("evidence").and_then(|line| evidence(&mut reader, line, body));
    let mut claims = Claims::default();
    let mut blockers = 0;
    for line in lines.iter() {
        let list = match line.key {
            "blocker" => List::Blockers,
            "advisory" => List::Advisories,
            _ => continue,
        };
        blockers += usize::from(list == List::Blockers);
        let severity = list.severity(verdict.map(|(verdict, _)| verdict));
        claims.read_one(&mut reader, line.value_span, |reader| {
            gate_words::claim(reader, line.value_span, line.value, severity, confidence)
        });
    }
    let verdict = verdict.filter(|(verdict, span)| gate_words::agrees(&mut reader, *verdict, *span, blockers));
    let header = verdict.map(|(verdict, _)| Report {
        stated: Some(Stated::Gate(verdict)),
        confidence,
        evidence,
        ..Report::default()
    });
    let note = body.and_then(|body| note_on_body(source, body));
    Reading { notes: note.into_iter().collect(), ..claims.end(reader, header) }
}

/// Takes the file apart up to the inline evidence, of which it returns the place.
fn lines<'a>(reader: &mut Reader<'_, 'a>) -> (Vec<KeyLine<'a>>, Option<Span>) {
    let source = reader.source;
    let mut lines = Vec::new();
    for (span, line) in source.lines().filter(|(_, line)| is_significant(line)) {
        match key_line(&KEYS, span, line) {
            Some(line) => {
                lines.push(line);
                if line.key == "evidence" && !is_path(line.value) {
                    return (lines, Some(body(source, &line)));
                }
            }
            None => reader.deviate(Reason::UnexpectedLine, span, "expected a line of the contract or a comment"),
        }
    }
    (lines, None)
}

fn check_fixed_lines(reader: &mut Reader<'_, '_>, lines: &KeyLines<'_>) {
    let source = reader.source;
    let mut places = source.lines().filter(|(_, line)| is_significant(line)).map(|(span, _)| span);
    let end = Span::at(source.text().len());
    let first = places.next().unwrap_or(end);
    let second = places.next().unwrap_or(end);
    lines.expect(reader, "verdict", first, "verdict: <pass|fail|warn>");
    lines.expect(reader, "confidence", second, "confidence: <high|med|low>");
}

/// Tells whether a value of `evidence:` is a path: it "starts with `./` or is a path (no spaces, no leading prose)".
fn is_path(value: &str) -> bool {
    value.starts_with("./") || !(value.is_empty() || value.contains(char::is_whitespace))
}

/// Returns where the inline evidence stands, white space at the end of the file aside.
fn body(source: &Source<'_>, line: &KeyLine<'_>) -> Span {
    let text = source.text();
    let start = if line.value.is_empty() {
        text[line.span.end..].find('\n').map_or(text.len(), |length| line.span.end + length + 1)
    } else {
        line.value_span.start
    };
    Span::new(start, text.trim_end().len().max(start))
}

fn evidence(reader: &mut Reader<'_, '_>, line: &KeyLine<'_>, body: Option<Span>) -> Option<Evidence> {
    let Some(body) = body else {
        return gate_words::evidence_path(reader, line.value_span, line.value);
    };
    let text = reader.source.slice(body);
    if text.is_empty() {
        reader.deviate(Reason::Blank, line.span, "expected a path or a text");
        return None;
    }
    Some(Evidence::Inline(text.to_owned()))
}

/// Remarks on the first line of inline evidence that looks like one of the contract's: it is part of the evidence, which
/// its author may not have meant.
fn note_on_body(source: &Source<'_>, body: Span) -> Option<Deviation> {
    let inside = source.lines().filter(|(span, _)| span.start >= body.start && span.start < body.end);
    let mut of_contract = inside.filter(|(span, line)| key_line(&KEYS, *span, line).is_some());
    of_contract
        .next()
        .map(|(span, _)| Deviation::new(Reason::LineOrder, span, "this line is part of the inline evidence above it"))
}

fn write(report: &Report) -> Written {
    let statement = Statement::of(report);
    let mut text = format!("verdict: {}\nconfidence: {}\n", statement.verdict, statement.confidence_word());
    let mut kept = Vec::new();
    for (key, items) in [("blocker", &statement.blockers), ("advisory", &statement.advisories)] {
        for item in items {
            text.push_str(&format!("{key}: {}\n", prose::with_plain_reference(item.location, &item.title)));
            kept.push(item.claim_index);
        }
    }
    match &report.evidence {
        Some(Evidence::Path(path)) => text.push_str(&path_line(path).unwrap_or_default()),
        Some(Evidence::Inline(body)) => text.push_str(&body_lines(body).unwrap_or_default()),
        None => {}
    }
    Written { text, kept }
}

/// Writes a path that can be said in one line. One with spaces needs the `./` to be told from prose.
fn path_line(path: &str) -> Option<String> {
    let path = if is_path(path.trim()) { path.trim().to_owned() } else { format!("./{}", path.trim()) };
    let is_sayable = prose::is_one_line(&path) && gate_words::check_evidence_path(&path).is_ok();
    is_sayable.then(|| format!("evidence: {path}\n"))
}

/// Writes inline evidence, in the line of its key where it is read as prose there.
fn body_lines(body: &str) -> Option<String> {
    let body = body.trim_end();
    let first_line = body.lines().next()?;
    let starts_in_line =
        !first_line.starts_with(char::is_whitespace) && !first_line.trim().is_empty() && !is_path(first_line.trim());
    Some(format!("evidence:{}{body}\n", if starts_in_line { ' ' } else { '\n' }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(evidence: Evidence) -> (String, Option<Evidence>) {
        let report = Report { evidence: Some(evidence), ..Report::default() };
        let written = write(&report);
        let reading = FORMAT.read(written.text.as_bytes(), &Limits::default());
        assert!(reading.is_conforming(), "{:?}\n{}", reading.deviations, written.text);
        let evidence = reading.report.unwrap().evidence;
        (written.text.replace("verdict: pass\nconfidence: med\n", ""), evidence)
    }

    #[test]
    fn inline_evidence_is_read_back_as_it_was() {
        for (body, text) in [
            ("two words", "evidence: two words\n"),
            (
                "two words\n# no comment\n\nblocker: no blocker",
                "evidence: two words\n# no comment\n\nblocker: no blocker\n",
            ),
            ("word", "evidence:\nword\n"),
            ("word\nmore words", "evidence:\nword\nmore words\n"),
            ("./a path", "evidence:\n./a path\n"),
            ("\n\nlater on", "evidence:\n\n\nlater on\n"),
            ("  at f (x)\n  at g (y)", "evidence:\n  at f (x)\n  at g (y)\n"),
            ("a b\r\nc", "evidence: a b\r\nc\n"),
            ("```\nx\n```", "evidence:\n```\nx\n```\n"),
        ] {
            assert_eq!(
                again(Evidence::Inline(body.to_owned())),
                (text.to_owned(), Some(Evidence::Inline(body.to_owned())))
            );
        }
        assert_eq!(again(Evidence::Inline(" \n".to_owned())), (String::new(), None));
    }

    #[test]
    fn paths_are_written_where_they_can_be_said() {
        for (path, text, again_as) in [
            ("./x.md", "evidence: ./x.md\n", Some("./x.md")),
            ("x", "evidence: x\n", Some("x")),
            ("a b.md", "evidence: ./a b.md\n", Some("./a b.md")),
            (" ", "", None),
            ("a\nb c", "", None),
            ("/etc/passwd", "", None),
            ("../x", "", None),
        ] {
            let evidence = again_as.map(|path| Evidence::Path(path.to_owned()));
            assert_eq!(again(Evidence::Path(path.to_owned())), (text.to_owned(), evidence));
        }
    }
}
