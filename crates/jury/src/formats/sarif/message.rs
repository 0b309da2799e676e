//! The message of a result: from SARIF's message to a title and a reason, and back.
//!
//! In: a message with its arguments, and the rule's general texts. Out: one line for the title, the rest as the
//! reason. Formatted messages are passed over where there is a plain one: they would have to be made harmless first.

use std::collections::BTreeMap;

use jury_wire::Reason;

use super::tool::Rule;
use super::{Account, member};
use crate::syntax::{Node, Reader, Unknown};

/// The title that every format can say; a longer line is cut after its first sentence if that is shorter.
const LONG_LINE: usize = 120;

/// A message in the two parts of a claim.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) title: String,
    pub(super) why: Option<String>,
}

/// Reads the message of a result, looking it up where it stands with its rule (§3.11.7).
pub(super) fn read<'a>(
    reader: &mut Reader<'_, 'a>,
    node: &Node<'a>,
    rule: Option<&Rule<'_>>,
    general: &BTreeMap<&str, &str>,
    account: &mut Account,
) -> Option<Said> {
    let mut fields = reader.fields(node)?;
    let text = member(reader, &mut fields, "text", Reader::string);
    let markdown = member(reader, &mut fields, "markdown", Reader::string);
    let id = member(reader, &mut fields, "id", |reader, node| Some((reader.string(node)?, node.span)));
    let arguments = member(reader, &mut fields, "arguments", Reader::strings).unwrap_or_default();
    let span = fields.span();
    if !fields.end(reader, Unknown::Allow) {
        return None;
    }
    let looked_up = id.map(|(id, span)| {
        let of_rule = rule.and_then(|rule| rule.messages.get(id));
        of_rule.or_else(|| general.get(id)).copied().ok_or((id, span))
    });
    let text = match (text, looked_up) {
        (Some(text), _) | (None, Some(Ok(text))) => text,
        (None, Some(Err((id, span)))) => {
            reader.deviate(Reason::BadReference, span, format!("neither the rule nor the tool has a message {id:?}"));
            return None;
        }
        (None, None) => {
            reader.deviate(Reason::MissingField, span, "`text` is missing");
            markdown?
        }
    };
    let room = reader.limits.bytes.saturating_sub(account.taken);
    let Some(text) = filled(text, &arguments, room) else {
        reader.deviate(Reason::LimitBytes, span, "the messages of this log exceed the size limit");
        account.taken = reader.limits.bytes.saturating_add(1);
        return None;
    };
    account.taken += text.len();
    let mut said = parts(&text, rule.and_then(|rule| rule.short));
    if said.why.is_none()
        && let Some(full) = rule.and_then(|rule| rule.full).filter(|full| full.trim() != said.title)
    {
        account.taken += full.len();
        said.why = Some(full.trim().to_owned());
    }
    Some(said)
}

/// Puts the arguments where their placeholders stand (§3.11.5); `None` if that is longer than there is room for. A text
/// without arguments is taken as it is: hardly a tool doubles its braces then.
fn filled(text: &str, arguments: &[String], room: usize) -> Option<String> {
    if arguments.is_empty() {
        return (text.len() <= room).then(|| text.to_owned());
    }
    let mut filled = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}']) {
        let (before, from) = rest.split_at(at);
        let digits = from.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        let argument = from.get(1..=digits).and_then(|index| arguments.get(index.parse::<usize>().ok()?));
        filled.push_str(before);
        let length = match argument {
            Some(argument) if from.starts_with('{') && from[1 + digits..].starts_with('}') => {
                filled.push_str(argument);
                digits + 2
            }
            _ => {
                filled.push_str(&from[..1]);
                if from.starts_with("{{") || from.starts_with("}}") { 2 } else { 1 }
            }
        };
        rest = &from[length..];
        if filled.len() > room {
            return None;
        }
    }
    filled.push_str(rest);
    (filled.len() <= room).then_some(filled)
}

/// Takes a message apart: its first line, or the first sentence of a long one, is the title. A message that is a list
/// of named values has no title line, so there the rule's own short description is used, with the first value.
pub(super) fn parts(text: &str, short: Option<&str>) -> Said {
    let text = without_links(text);
    let text = text.trim();
    let line_end = text.find(['\n', '\r']).unwrap_or(text.len());
    let (head, rest) = (text[..line_end].trim_end(), text[line_end..].trim());
    if let Some(short) = short.map(str::trim).filter(|short| !short.is_empty())
        && is_named_value(head)
        && rest.lines().next().is_some_and(is_named_value)
    {
        return Said { title: format!("{short} ({head})"), why: Some(text.to_owned()) };
    }
    let end = if head.chars().count() > LONG_LINE { sentence_end(head).unwrap_or(head.len()) } else { head.len() };
    let why = text[end..].trim();
    Said { title: text[..end].to_owned(), why: (!why.is_empty()).then(|| why.to_owned()) }
}

/// Tells whether a line is of the kind `Installed Version: 1.1.1c`.
fn is_named_value(line: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    line.split_once(": ").is_some_and(|(name, _)| (1..=40).contains(&name.len()) && name.chars().all(is_word))
}

/// Returns where the first sentence of a line ends, if it ends before the line does and is no longer than a title.
fn sentence_end(line: &str) -> Option<usize> {
    line.match_indices(". ")
        .map(|(at, _)| at + 1)
        .take_while(|end| *end <= 4 * LONG_LINE)
        .filter(|end| line[..*end].chars().count() <= LONG_LINE)
        .find(|end| line[*end..].trim_start().starts_with(|c: char| c.is_uppercase() || c == '['))
}

/// Leaves the text of links to the result's own places (`[here](3)`, §3.11.6) and takes their targets away.
fn without_links(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut from = 0;
    // Where the last bracket that may open a link stands, in the text.
    let mut bracket = None;
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 1,
            b'[' => bracket = Some(at),
            b']' => {
                if let (Some(start), Some(length)) = (bracket.take(), target_length(&text[at + 1..])) {
                    kept.push_str(&text[from..start]);
                    kept.push_str(&unescaped(&text[start + 1..at]));
                    from = at + 1 + length;
                    at += length;
                }
            }
            _ => {}
        }
        at += 1;
    }
    kept.push_str(&text[from..]);
    kept
}

/// Returns the length of a link's target, for example `(3)`, if it is a place of the result.
fn target_length(text: &str) -> Option<usize> {
    let digits = text.strip_prefix('(')?.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && text[1 + digits..].starts_with(')')).then_some(digits + 2)
}

fn unescaped(text: &str) -> String {
    text.replace("\\[", "[").replace("\\]", "]").replace("\\\\", "\\")
}

/// Says a title and a reason as one message.
pub(super) fn joined(title: &str, why: Option<&str>) -> String {
    why.map_or_else(|| title.to_owned(), |why| format!("{title}\n\n{why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str, short: Option<&str>) -> (String, Option<String>) {
        let Said { title, why } = parts(text, short);
        (title, why)
    }

    fn pair(title: &str, why: Option<&str>) -> (String, Option<String>) {
        (title.to_owned(), why.map(str::to_owned))
    }

    #[test]
    fn the_first_line_is_the_title() {
        assert_eq!(said("One line.", Some("Short")), pair("One line.", None));
        assert_eq!(said("Overflow\r\nBuffer is too short\n", None), pair("Overflow", Some("Buffer is too short")));
        assert_eq!(said("\n  a \n\nb", None), pair("a", Some("b")));
    }

    #[test]
    fn a_long_line_is_cut_after_its_first_sentence() {
        let rest = "It goes on ".repeat(20);
        assert_eq!(said(&format!("See e.g. this. {rest}"), None), pair("See e.g. this.", Some(rest.trim())));
        assert_eq!(said(&rest, None), pair(rest.trim(), None));
    }

    #[test]
    fn a_list_of_named_values_is_titled_by_its_rule() {
        let text = "Package: libssl\nInstalled Version: 1\nLink: x";
        assert_eq!(
            said(text, Some("disclosure in fork()")),
            pair("disclosure in fork() (Package: libssl)", Some(text))
        );
        assert_eq!(said(text, None).0, "Package: libssl");
    }

    #[test]
    fn links_to_own_places_leave_their_text() {
        let without = |text| said(text, None).0;
        assert_eq!(without("Depends on [a value](1), [see](https://x)"), "Depends on a value, [see](https://x)");
        assert_eq!(without(r"in [para\[0\]](12)[x](2)!"), "in para[0]x!");
        assert_eq!(without("a[0](x) [[b](3)"), "a[0](x) [b");
        assert_eq!(without("[é](1"), "[é](1");
        let hostile = "[".repeat(100_000);
        assert_eq!(without(&hostile), hostile);
    }

    #[test]
    fn placeholders_are_filled_and_bounded() {
        let filled = |text: &str, arguments: &[&str]| {
            let arguments: Vec<String> = arguments.iter().map(|a| (*a).to_owned()).collect();
            filled(text, &arguments, 100)
        };
        assert_eq!(filled("{0} of '{1}': {{x}} {2} {", &["a", "b"]).unwrap(), "a of 'b': {x} {2} {");
        assert_eq!(filled("{0} {{x}}", &[]).unwrap(), "{0} {{x}}");
        assert_eq!(filled(&"{0}".repeat(50), &["abc"]), None);
        assert_eq!(filled("{99999999999999999999}{é}", &["a"]).unwrap(), "{99999999999999999999}{é}");
    }
}
