//! PHP embedded in HTML. In: the text of a PHP file. Out: the same text with everything except code blanked, byte for
//! byte, so that offsets stay valid: the grammar reads only code. Not here: the output of `<?=`, which the lowerer sees
//! in the text itself.

use std::borrow::Cow;

/// Blanks everything except code. A text without a tag is taken as code: a part of a file.
pub(crate) fn code(text: &str) -> Cow<'_, str> {
    if !text.contains("<?") || (text.starts_with("<?php") && !text.contains("?>")) {
        return Cow::Borrowed(text);
    }
    let mut masked = Masked { text, out: Vec::with_capacity(text.len()) };
    let mut at = 0;
    while let Some(open) = next_tag(text, at) {
        masked.blank(open);
        at = masked.code(open + tag_length(&text[open..]));
    }
    masked.blank(text.len());
    // Only whole characters were replaced, each byte by a space.
    String::from_utf8(masked.out).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// Returns the position of the next opening tag.
fn next_tag(text: &str, from: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += text[at..].find("<?")?;
        if tag_length(&text[at..]) > 0 {
            return Some(at);
        }
        at += 2;
    }
}

/// Returns the length of the opening tag at the start of a text: `<?php`, `<?=`, `<?`, but not `<?xml`.
fn tag_length(text: &str) -> usize {
    let behind = &text[2.min(text.len())..];
    match behind.get(..3) {
        Some(word) if word.eq_ignore_ascii_case("php") => 5,
        _ if behind.starts_with('=') => 3,
        _ if behind.starts_with(char::is_whitespace) => 2,
        _ => 0,
    }
}

struct Masked<'t> {
    text: &'t str,
    out: Vec<u8>,
}

impl Masked<'_> {
    /// Blanks up to a position, keeping line breaks.
    fn blank(&mut self, to: usize) {
        let from = self.out.len();
        let blanks = self.text.as_bytes()[from..to].iter().map(|byte| if *byte == b'\n' { b'\n' } else { b' ' });
        self.out.extend(blanks);
    }

    fn keep(&mut self, to: usize) {
        let from = self.out.len();
        self.out.extend(&self.text.as_bytes()[from..to]);
    }

    /// Keeps code up to its closing tag, and returns the position after it. Line comments end with the tag, so they are
    /// blanked.
    fn code(&mut self, from: usize) -> usize {
        self.blank(from);
        let bytes = self.text.as_bytes();
        let mut at = from;
        while at < bytes.len() {
            let rest = &self.text.as_bytes()[at..];
            at = match rest {
                [b'?', b'>', ..] => {
                    self.keep(at);
                    self.close();
                    return at + 2;
                }
                [b'#', next, ..] if *next != b'[' => self.line_comment(at),
                [b'/', b'/', ..] => self.line_comment(at),
                [b'/', b'*', ..] => self.find("*/", at + 2).map_or(bytes.len(), |end| end + 2),
                [quote @ (b'"' | b'\'' | b'`'), ..] => quoted(bytes, at, *quote),
                [b'<', b'<', b'<', ..] => self.heredoc(at),
                _ => at + 1,
            };
        }
        self.keep(at.min(bytes.len()));
        at.min(bytes.len())
    }

    /// Writes the replacement of a closing tag, which ends a statement.
    fn close(&mut self) {
        let last = self.out.iter().rev().find(|byte| !byte.is_ascii_whitespace());
        let is_ended = matches!(last, None | Some(b';' | b'{' | b'}' | b':'));
        self.out.extend(if is_ended { *b"  " } else { *b"; " });
    }

    fn line_comment(&mut self, at: usize) -> usize {
        self.keep(at);
        let rest = &self.text[at..];
        let line = rest.find('\n').unwrap_or(rest.len());
        let end = at + rest.find("?>").map_or(line, |tag| tag.min(line));
        self.blank(end);
        end
    }

    fn find(&self, what: &str, from: usize) -> Option<usize> {
        self.text.get(from..)?.find(what).map(|at| from + at)
    }

    /// Returns the position after a heredoc: its word at the start of a line.
    fn heredoc(&self, at: usize) -> usize {
        let rest = self.text[at + 3..].trim_start_matches([' ', '"', '\'']);
        let word: &str = &rest[..rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len())];
        if word.is_empty() {
            return at + 3;
        }
        let mut from = at + 3;
        while let Some(line) = self.find("\n", from) {
            if self.text[line + 1..].trim_start_matches([' ', '\t']).starts_with(word) {
                return line + 1;
            }
            from = line + 1;
        }
        self.text.len()
    }
}

/// Returns the position after a quoted string.
fn quoted(bytes: &[u8], from: usize, quote: u8) -> usize {
    let mut at = from + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            byte if byte == quote => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(text: &str, expected: &str) {
        let masked = code(text);
        assert_eq!(masked.len(), text.len(), "{masked}");
        assert_eq!(masked, expected);
    }

    #[test]
    fn html_is_blank_and_code_stays_in_its_place() {
        is("<b>\n<?= $x ?></b>", "   \n    $x ;     ");
        is("<?php if ($a): ?>é<?php endif ?>", "      if ($a):           endif ; ");
        is("<?php f('?>', \"?>\") // g ?>h", "      f('?>', \"?>\")      ;  ");
        is("<?php /* ?> */ f();", "<?php /* ?> */ f();".replace("<?php", "     ").as_str());
    }

    #[test]
    fn plain_files_and_parts_of_files_are_as_they_are() {
        for text in ["f($x);", "<?php f($x);\n", "<?xml version=\"1.0\"?>", ""] {
            assert!(code(text) == text || text.starts_with("<?xml"), "{text}");
        }
    }

    #[test]
    fn a_heredoc_may_have_tags_in_it() {
        let text = "<?php $a = <<<EOT\n?> x\n  EOT;\n f(); ?>y";
        is(text, "      $a = <<<EOT\n?> x\n  EOT;\n f();    ");
    }

    #[test]
    fn what_does_not_end_is_kept() {
        for text in ["<?php f('", "<?= /* ", "<?php <<<A\n", "<? #", "a<?php", "<?php '\\"] {
            assert_eq!(code(text).len(), text.len(), "{text}");
        }
    }
}
