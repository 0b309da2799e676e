//! A text of a reviewer or author in; the same for a comment on a forge out, in which nothing acts: no mention, reference, closing word,
//! quick action, image, link, HTML or Markdown.
//!
//! Nothing depends on where in the text something stands: whoever follows fences and quotes as each forge does gets it wrong once. Forges
//! look for mentions and references in the text that they have rendered, so those are broken by a character that shows nothing;
//! everything else is written as a character reference, which is never structure.

use crate::syntax::acts;

/// Shows nothing, and ends every word that a forge looks for.
const BREAK: &str = "&#8203;";

/// Characters that begin a mention or a reference on some forge, where they are followed by a letter or digit.
const SIGILS: &[char] = &['@', '#', '!', '$', '%', '&', '~', '^'];

/// Returns a text in which nothing acts. Line breaks stay; each line stands alone.
pub fn inert(text: &str) -> String {
    let text = jury_rules::redact(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// Returns a text on one line, in which nothing acts, in the type of code. A plain name can be copied from it.
pub fn code(text: &str) -> String {
    if is_plain(text) && jury_rules::redact(text) == text {
        return format!("`{text}`");
    }
    format!("<code>{}</code>", inert(&text.replace(['\r', '\n'], " ")))
}

/// Returns a name that Jury gave, such as an id or a domain, in the type of code: there is no secret in it to look for.
pub(super) fn name(text: &str) -> String {
    if is_plain(text) { format!("`{text}`") } else { code(text) }
}

fn is_plain(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '/' | '-' | ':' | '~');
    !text.is_empty() && text.chars().all(is_plain) && !text.contains("://")
}

fn line(line: &str) -> String {
    let mut out = String::with_capacity(line.len() + 16);
    let mut before = None;
    let mut characters = line.trim_start().chars().peekable();
    while let Some(c) = characters.next() {
        let next = characters.peek().copied();
        let is_first = out.is_empty();
        match c {
            '\t' => out.push(' '),
            c if acts(c) => out.push(char::REPLACEMENT_CHARACTER),
            '@' | '#' | '!' | '$' | '%' | '~' | '^' => {
                out.push_str(&format!("&#{};", u32::from(c)));
                out.push_str(BREAK);
            }
            '&' | '<' | '>' | '[' | ']' | '`' | '*' | '_' | '\\' | '|' | '"' | '{' | '}' => {
                out.push_str(&format!("&#{};", u32::from(c)));
                // GitLab names epics with an ampersand.
                out.push_str(if SIGILS.contains(&c) { BREAK } else { "" });
            }
            // A quick action, a list, a heading's underline, a block of code.
            '/' | '-' | '+' | '=' if is_first => out.push_str(&format!("&#{};", u32::from(c))),
            // The number of a list.
            '.' | ')' | '(' if before.is_some_and(|c: char| c.is_ascii_digit()) || c == '(' => {
                out.push_str(&format!("&#{};", u32::from(c)));
            }
            // `GH-12`, and the keys of other trackers.
            '-' if before.is_some_and(char::is_alphanumeric) && next.is_some_and(|c| c.is_ascii_digit()) => {
                out.push('-');
                out.push_str(BREAK);
            }
            // An address, which forges make a link of, and of some a reference.
            ':' => {
                out.push(':');
                out.push_str(if next == Some('/') { BREAK } else { "" });
            }
            '.' if before.is_some_and(|c| c == 'w' || c == 'W') => {
                out.push('.');
                out.push_str(BREAK);
            }
            c => out.push(c),
        }
        before = Some(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Resolves character references as a renderer does.
    pub(crate) fn rendered(text: &str) -> String {
        let mut out = String::new();
        let mut rest = text;
        while let Some(at) = rest.find("&#") {
            out.push_str(&rest[..at]);
            let after = &rest[at + 2..];
            match after.split_once(';').and_then(|(number, rest)| Some((char::from_u32(number.parse().ok()?)?, rest))) {
                Some((c, after)) => {
                    out.push(c);
                    rest = after;
                }
                None => {
                    out.push_str("&#");
                    rest = after;
                }
            }
        }
        out + rest
    }

    #[test]
    fn a_person_reads_the_same_words() {
        let text = "Use `a < b` in *src/a.rs*: see https://x.y/z, @org/team! Closes #12.";
        assert_eq!(rendered(&inert(text)).replace('\u{200b}', ""), text);
    }

    #[test]
    fn nothing_in_it_acts() {
        for text in [
            "@org/team",
            "a@b",
            "Closes #1",
            "fixes GH-12",
            "org/repo#3",
            "!12",
            "$3",
            "%4",
            "~bug",
            "&5",
            "^alert#6",
            "/close",
            "  /merge",
            "\r/approve",
            "x\r\n/approve",
            "![x](http://e/y.png)",
            "[x](javascript:alert(1))",
            "<img src=x>",
            "<!-- jury:finding:v1 x -->",
            "-->",
            "```\n/close\n```",
            "# Heading",
            "> quote",
            "- item",
            "1. item",
            "    code",
            "\tcode",
            "a\n===",
            "| a | b |\n|---|---|",
            "www.example.org",
            "https://example.org/o/r/issues/3",
            "**bold** __bold__ ~~gone~~",
            "&lt;script&gt;",
            "a\u{202e}b\u{200b}c\u{1b}[31m",
        ] {
            let made = inert(text);
            for acting in ["<", ">", "[", "]", "`", "*", "_", "|", "\\", "://", "@", "\u{202e}", "\u{1b}"] {
                assert!(!made.contains(acting), "{text:?}: {acting} in {made:?}");
            }
            for line in made.lines() {
                assert!(!line.starts_with([' ', '\t', '/', '-', '+', '=', '#', '>']), "{text:?}: {line:?}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_mention_reference_or_quick_action_is_left(text in "(?s)([@#!$%&~^/`<>\\[\\]*_\\-.:a-zA-Z0-9 \r\n\t]|[^a])*") {
            let made = inert(&text);
            for line in made.split('\n') {
                let seen = rendered(line);
                let characters: Vec<char> = seen.chars().collect();
                for pair in characters.windows(2) {
                    let is_word = pair[1].is_alphanumeric();
                    prop_assert!(!(SIGILS.contains(&pair[0]) && is_word), "{text:?}: {seen:?}");
                }
                prop_assert!(!line.trim_start().starts_with('/'), "{line:?}");
                prop_assert!(!line.contains(['<', '>', '[', ']', '`', '*', '_', '|', '\\', '\r']), "{line:?}");
                prop_assert!(!line.chars().any(acts), "{line:?}");
            }
        }
    }
}
