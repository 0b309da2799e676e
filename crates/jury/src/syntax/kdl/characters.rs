//! The kinds of characters that KDL v2 tells apart, and how to write the ones that may not stand as they are.

/// Tells whether a character may not stand in a document at all, not even in a comment.
pub(super) fn is_disallowed(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{8}'
        | '\u{e}'..='\u{1f}'
        | '\u{7f}'
        | '\u{200e}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}'
        | '\u{feff}'
    )
}

/// Tells whether a character is white space within a line.
pub(super) fn is_space(c: char) -> bool {
    matches!(c, '\t' | ' ' | '\u{a0}' | '\u{1680}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}')
}

/// Tells whether a character ends a line.
pub(super) fn is_newline(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}')
}

/// Tells whether a character may stand in a string without quotes.
pub(super) fn is_in_identifier(c: char) -> bool {
    let is_reserved = matches!(c, '\\' | '/' | '(' | ')' | '{' | '}' | ';' | '[' | ']' | '"' | '#' | '=');
    !is_reserved && !is_space(c) && !is_newline(c) && !is_disallowed(c)
}

/// Tells whether a text is more than one line.
pub fn has_newline(text: &str) -> bool {
    text.contains(is_newline)
}

/// Writes a character as it has to stand in a quoted string.
pub fn escaped(c: char) -> String {
    match c {
        '"' => "\\\"".to_owned(),
        '\\' => "\\\\".to_owned(),
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        _ if c.is_control() || is_newline(c) || is_disallowed(c) => format!("\\u{{{:x}}}", u32::from(c)),
        _ => c.to_string(),
    }
}
