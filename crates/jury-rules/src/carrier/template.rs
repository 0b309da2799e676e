//! Templates of Ruby: pages and texts with code between `<%` and `%>`. In: a text. Out: its Ruby, everything else blanked byte for byte.
//!
//! Deliberately not here: scripts of the page around the code. A template that has some is not read in full.

use std::ops::Range;

/// Tells whether there is any code.
pub(super) fn has_code(text: &str) -> bool {
    tags(text).next().is_some()
}

/// Blanks everything except Ruby. Each tag ends its statement, as it does for the template.
pub(super) fn code(text: &str) -> String {
    let mut out: Vec<u8> = text.bytes().map(|byte| if byte == b'\n' { b'\n' } else { b' ' }).collect();
    for tag in tags(text) {
        let end = tag.start + uncommented(&text[tag.clone()]);
        out[tag.start..end].copy_from_slice(&text.as_bytes()[tag.start..end]);
        // The place of `%>` or `-%>`, unless the file ends there.
        if let Some(close) = out.get_mut(tag.end) {
            *close = b';';
        }
    }
    String::from_utf8(out).unwrap_or_default()
}

/// Returns the text with its code blanked: what is around it.
pub(super) fn around(text: &str) -> String {
    let mut out = text.as_bytes().to_vec();
    for tag in tags(text) {
        let (start, end) = (
            text[..tag.start].rfind("<%").unwrap_or(tag.start),
            text[tag.end..].find("%>").map_or(text.len(), |at| tag.end + at + 2),
        );
        out[start..end].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
    }
    String::from_utf8(out).unwrap_or_default()
}

/// Finds the code of each tag. `<%%` is text, and `<%#` a comment.
fn tags(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let open = at + text[at..].find("<%")?;
            let start = open + 2;
            let end = text[start..].find("%>").map_or(text.len(), |found| start + found);
            let inside = &text[start..end];
            at = (end + 2).min(text.len());
            match inside.bytes().next() {
                Some(b'%') => at = (start + 1).min(text.len()),
                Some(b'#') | None => {}
                _ => {
                    let skipped = inside.len() - inside.trim_start_matches(['=', '-']).len();
                    let code = inside[skipped..].trim_end_matches('-');
                    return Some(start + skipped..start + skipped + code.len());
                }
            }
        }
    })
}

/// Returns the length of a tag's code without a comment in its last line, which ends with the tag.
fn uncommented(code: &str) -> usize {
    let last = code.rfind('\n').map_or(0, |at| at + 1);
    let mut quote = None;
    let mut before = ' ';
    for (at, c) in code[last..].char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open && before != '\\' => quote = None,
            (None, '\'' | '"' | '`') => quote = Some(c),
            (None, '#') if before.is_whitespace() => return last + at,
            _ => {}
        }
        before = c;
    }
    code.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ruby_is_found_and_everything_else_is_blank() {
        for (text, expected) in [
            ("<p>é</p>\n<% if a %>x<% else %>y<% end %>", "if a ; else ; end ;"),
            ("<%= link_to x, y do |f| -%>\n<%- f.z -%>", "link_to x, y do |f| ; f.z ;"),
            ("<%== raw(a) %><%# if b %><%% c %>", "raw(a) ;"),
            ("<% a # why %> <% b %>", "a ; b ;"),
            ("<%= t(\"a # b\") %>", "t(\"a # b\") ;"),
            ("<% system(a)", "system(a)"),
            ("<p>x</p>", ""),
        ] {
            let code = code(text);
            assert_eq!(code.len(), text.len(), "{text}");
            assert_eq!(code.split_whitespace().collect::<Vec<_>>().join(" "), expected, "{text}");
        }
        assert_eq!(around("<p><% a %>é<%% b %></p>"), "<p>       é<%% b %></p>");
    }
}
