//! Scripts in markup. In: the text of a page or a component. Out: the same text with everything except code blanked, byte
//! for byte, so that offsets stay valid.
//!
//! Comments of HTML are not skipped: browsers disagree with any simple reading of them (`<!-->` is a whole one), and a
//! script that does not run is reviewed for nothing at worst. Not here: the markup itself, which text rules search.

use std::ops::Range;
use std::sync::OnceLock;

use regex::Regex;

use super::Form;
use crate::language::Language;

/// A `<script>` element: its opening tag and its content.
struct Script<'t> {
    attributes: &'t str,
    body: Range<usize>,
}

/// What the attributes of a script say about its language.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Known(Language),
    /// Data, or a template for other code.
    Inert,
    /// A language without a grammar here.
    Unknown,
}

/// Returns the language of all scripts; TypeScript includes JavaScript.
pub(super) fn language(form: Form, text: &str) -> Option<Language> {
    let scripts = scripts(text).into_iter().filter(|script| !text[script.body.clone()].trim().is_empty());
    let of_scripts = scripts.filter_map(|script| match kind(script.attributes) {
        Kind::Known(language) => Some(language),
        Kind::Inert | Kind::Unknown => None,
    });
    let of_frontmatter = frontmatter(form, text).map(|_| Language::TypeScript);
    let of_handlers = handlers(form, text).next().map(|_| Language::JavaScript);
    let rank = |language: &Language| match language {
        Language::Tsx => 2,
        Language::TypeScript => 1,
        _ => 0,
    };
    of_scripts.chain(of_frontmatter).chain(of_handlers).max_by_key(rank)
}

/// Tells whether a grammar reads every script.
pub(super) fn is_read_in_full(text: &str) -> bool {
    scripts(text)
        .iter()
        .all(|script| kind(script.attributes) != Kind::Unknown || text[script.body.clone()].trim().is_empty())
}

/// Blanks everything except code.
pub(super) fn code(form: Form, text: &str) -> String {
    let scripts = scripts(text);
    let is_code = |script: &&Script<'_>| matches!(kind(script.attributes), Kind::Known(_));
    let mut kept: Vec<(Range<usize>, bool)> =
        scripts.iter().filter(is_code).map(|script| (script.body.clone(), false)).collect();
    kept.extend(frontmatter(form, text).map(|range| (range, false)));
    let is_in_script = |at: usize| scripts.iter().any(|script| script.body.contains(&at));
    kept.extend(handlers(form, text).filter(|range| !is_in_script(range.start)).map(|range| (range, true)));
    kept.sort_by_key(|(range, _)| range.start);
    let mut out: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' }).collect();
    for (range, is_handler) in kept {
        out[range.clone()].copy_from_slice(&text.as_bytes()[range.clone()]);
        // A handler ends with its quote, and a statement with a semicolon.
        if let Some(end) = out.get_mut(range.end).filter(|_| is_handler) {
            *end = b';';
        }
        if form == Form::Page {
            fill_in(&mut out, &text[range.clone()], range.start);
        }
    }
    // Whole characters were replaced, each byte by a space.
    String::from_utf8(out).unwrap_or_default()
}

/// Finds the scripts of a text.
fn scripts(text: &str) -> Vec<Script<'_>> {
    let lower = text.to_ascii_lowercase();
    let mut scripts = Vec::new();
    let mut at = 0;
    while let Some(open) = lower[at..].find("<script").map(|found| at + found) {
        at = open + "<script".len();
        if !lower[at..].starts_with(|c: char| c.is_whitespace() || matches!(c, '>' | '/')) {
            continue;
        }
        let Some(end) = end_of_tag(text, at) else { break };
        let attributes = &text[at..end];
        let body = end + 1;
        let is_empty = attributes.ends_with('/');
        let close =
            if is_empty { body } else { lower[body..].find("</script").map_or(text.len(), |found| body + found) };
        scripts.push(Script { attributes, body: body..close });
        at = close;
    }
    scripts
}

/// Returns the position of the `>` of a tag; one in quotes is part of a value.
fn end_of_tag(text: &str, from: usize) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate().skip(from) {
        match (quote, byte) {
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'>') => return Some(at),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// Returns the language of a script by its attributes.
fn kind(attributes: &str) -> Kind {
    static ATTRIBUTE: OnceLock<Regex> = OnceLock::new();
    let attribute = ATTRIBUTE.get_or_init(|| {
        Regex::new(r#"(?i)(?:^|\s)(type|lang)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))"#).expect("a test compiles it")
    });
    let mut kind = Kind::Known(Language::JavaScript);
    for found in attribute.captures_iter(attributes) {
        let value = [2, 3, 4].iter().find_map(|group| found.get(*group)).map_or("", |group| group.as_str());
        let value = value.trim().to_ascii_lowercase();
        let essence = value.split(';').next().unwrap_or_default().trim();
        kind = match essence {
            "ts" | "typescript" | "text/typescript" | "application/typescript" => Kind::Known(Language::TypeScript),
            "tsx" => Kind::Known(Language::Tsx),
            "" | "module" | "js" | "jsx" | "javascript" | "es6" | "text/babel" | "text/jsx" | "text/partytown" => kind,
            it if it.ends_with("javascript") || it.ends_with("ecmascript") || it.ends_with("jscript") => kind,
            it if is_inert(it) => Kind::Inert,
            _ => Kind::Unknown,
        };
    }
    kind
}

/// Tells whether a type is that of data or of markup.
fn is_inert(kind: &str) -> bool {
    [
        "json",
        "template",
        "importmap",
        "speculationrules",
        "html",
        "handlebars",
        "mustache",
        "xml",
        "plain",
        "shader",
        "graphql",
        "css",
        "markdown",
        "math/tex",
    ]
    .iter()
    .any(|word| kind.contains(word))
}

/// Returns the frontmatter of an Astro component.
fn frontmatter(form: Form, text: &str) -> Option<Range<usize>> {
    if form != Form::Astro {
        return None;
    }
    let open = text.find(|c: char| !c.is_whitespace() && c != '\u{feff}')?;
    let start = open + text[open..].strip_prefix("---").map(|_| 3)?;
    let end = text[start..].find("\n---").map_or(text.len(), |at| start + at + 1);
    Some(start..end)
}

/// Finds the code of event handlers and of `javascript:` links in a page.
fn handlers(form: Form, text: &str) -> impl Iterator<Item = Range<usize>> {
    static HANDLER: OnceLock<Regex> = OnceLock::new();
    let handler = HANDLER.get_or_init(|| {
        let value = |start: &str| format!(r#"(?:"{start}([^"&]+)"|'{start}([^'&]+)')"#);
        let (code, link) = (value(r"\s*"), value(r"\s*javascript:"));
        Regex::new(&format!(r"(?i)\s(?:on[a-z]{{3,}}\s*=\s*{code}|[a-z:-]+\s*=\s*{link})")).expect("a test compiles it")
    });
    let text = if form == Form::Page { text } else { "" };
    let ranges = handler.captures_iter(text).filter_map(|found| (1..=4).find_map(|group| found.get(group)));
    // Code that a template completes is no whole code.
    ranges.filter(|code| !["{{", "{%", "<%"].iter().any(|tag| code.as_str().contains(tag))).map(|code| code.range())
}

/// Replaces the tags of templates in a script: a value by `0`, the rest by spaces.
fn fill_in(out: &mut [u8], code: &str, start: usize) {
    static TAG: OnceLock<Regex> = OnceLock::new();
    let tag = TAG.get_or_init(|| {
        Regex::new(r"(\{\{[^{}\n]*\}\}|<%[=-][^\n]*?%>)|\{%[^\n]*?%\}|<%[^\n]*?%>").expect("a test compiles it")
    });
    for found in tag.captures_iter(code) {
        let Some(whole) = found.get(0) else { continue };
        out[start + whole.start()..start + whole.end()].fill(b' ');
        if found.get(1).is_some() {
            out[start + whole.start()] = b'0';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code_of(form: Form, text: &str) -> (Option<Language>, String) {
        let code = code(form, text);
        assert_eq!(code.len(), text.len(), "{text}");
        assert_eq!(code.matches('\n').count(), text.matches('\n').count(), "{text}");
        let words: Vec<&str> = code.split_whitespace().collect();
        (language(form, text), words.join(" "))
    }

    #[test]
    fn scripts_are_found_and_everything_else_is_blank() {
        use Language::{JavaScript, Tsx, TypeScript};
        for (form, text, expected, code) in [
            (Form::Page, "<p>é</p>\n<script>\nf(1);\n</script>\n<p>x</p>", Some(JavaScript), "f(1);"),
            (Form::Page, "<SCRIPT type=module>f(1)</SCRIPT >", Some(JavaScript), "f(1)"),
            (Form::Page, "<script>f(1)", Some(JavaScript), "f(1)"),
            (Form::Page, "<!--><script>f(1)</script>-->", Some(JavaScript), "f(1)"),
            (Form::Page, "<script data-a='>'>f('</p>')</script>", Some(JavaScript), "f('</p>')"),
            (Form::Page, "<script type=\"application/ld+json\">{\"a\": 1}</script>", None, ""),
            (Form::Page, "<script src=\"a.js\"></script>", None, ""),
            (Form::Page, "<scripted>f(1)</scripted>", None, ""),
            (Form::Page, "<a onclick=\"f(this)\" title='x'>", Some(JavaScript), "f(this);"),
            (Form::Page, "<a href=\"javascript:f(1)\">", Some(JavaScript), "f(1);"),
            (
                Form::Page,
                "<script>var a = {{ user.name }};{% if x %}\nf(a)</script>",
                Some(JavaScript),
                "var a = 0 ; f(a)",
            ),
            (
                Form::Component,
                "<template>\n<p @click=\"f\"/></template><script setup lang=\"ts\">const a: A = 1</script>",
                Some(TypeScript),
                "const a: A = 1",
            ),
            (Form::Component, "<script lang='tsx'>a</script><script>b</script>", Some(Tsx), "a b"),
            (Form::Component, "<script lang=\"coffee\">a b</script>", None, ""),
            (Form::Component, "<script>const a = {{b: 1}}</script>", Some(JavaScript), "const a = {{b: 1}}"),
            (
                Form::Astro,
                "---\nconst a = 1;\n---\n<p>{a}</p><script>f(a)</script>",
                Some(TypeScript),
                "const a = 1; f(a)",
            ),
            (Form::Astro, "<p/>", None, ""),
        ] {
            assert_eq!(code_of(form, text), (expected, code.to_owned()), "{text}");
        }
        assert!(!is_read_in_full("<script lang=\"coffee\">a b</script>"));
        assert!(is_read_in_full("<script lang=\"coffee\"></script><script type=\"text/x-template\"><p/></script>"));
    }
}
