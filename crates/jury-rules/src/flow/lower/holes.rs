//! Format strings, as Python and Ruby have them. In: the text of one. Out: its literal parts and the holes between them.

/// How a text marks its holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// `%s`, `%(name)d`.
    Percent,
    /// `{}`, `{0}`, `{name:d}`.
    Braces,
}

/// A placeholder in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hole<'t> {
    /// The name or number of the value, if the hole states it.
    pub(super) key: Option<&'t str>,
    /// Whether it accepts only a number.
    pub(super) number: bool,
}

/// Splits a text: literal parts, each with the hole after it, if there is one.
pub(super) fn split(text: &str, style: Style) -> Vec<(&str, Option<Hole<'_>>)> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some((start, end, hole)) = next(text, at, style) {
        if let Some(hole) = hole {
            found.push((&text[from..start], Some(hole)));
            from = end;
        }
        at = end;
    }
    found.push((&text[from..], None));
    found
}

/// Finds the next mark from a position: its start and end, and its hole; a doubled mark is literal.
fn next(text: &str, at: usize, style: Style) -> Option<(usize, usize, Option<Hole<'_>>)> {
    let mark = if style == Style::Percent { '%' } else { '{' };
    let start = at + text[at..].find(mark)?;
    let rest = &text[start + 1..];
    if rest.starts_with(mark) {
        return Some((start, start + 2, None));
    }
    let (length, hole) = if style == Style::Percent { percent(rest) } else { braces(rest) };
    Some((start, start + 1 + length, hole))
}

/// Reads the part after a `%`: a key in brackets, flags, a letter.
fn percent(rest: &str) -> (usize, Option<Hole<'_>>) {
    let key = rest.strip_prefix('(').and_then(|rest| rest.split_once(')')).map(|(key, _)| key);
    let from = key.map_or(0, |key| key.len() + 2);
    let flags = rest[from..].find(|c: char| !c.is_ascii_digit() && !"-+ #.*".contains(c));
    let letter = flags.and_then(|flags| rest[from + flags..].chars().next().map(|letter| (from + flags, letter)));
    match letter {
        Some((at, letter)) if letter.is_ascii_alphabetic() => {
            (at + 1, Some(Hole { key, number: !matches!(letter, 's' | 'r' | 'a' | 'c') }))
        }
        _ => (0, None),
    }
}

/// Reads the part after a `{`, up to its `}`.
fn braces(rest: &str) -> (usize, Option<Hole<'_>>) {
    let Some(end) = rest.find('}') else { return (0, None) };
    let inner = &rest[..end];
    let (field, format) = inner.split_once(':').unwrap_or((inner, ""));
    let field = field.split_once('!').map_or(field, |(field, _)| field);
    let name = field.split(['.', '[']).next().unwrap_or(field).trim();
    let number = format.ends_with(['d', 'f', 'x', 'X', 'e', 'g', 'b', 'o', 'n']);
    (end + 1, Some(Hole { key: (!name.is_empty()).then_some(name), number }))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str, style: Style) -> String {
        let part = |(literal, hole): (&str, Option<Hole<'_>>)| {
            let hole = hole.map(|hole| format!("<{}{}>", hole.key.unwrap_or(""), if hole.number { "#" } else { "" }));
            literal.to_owned() + &hole.unwrap_or_default()
        };
        split(text, style).into_iter().map(part).collect()
    }

    #[test]
    fn holes_are_found_and_doubled_marks_are_none() {
        assert_eq!(shown("a %s b %(key)s c %d 100%% %-5.2f %", Style::Percent), "a <> b <key> c <#> 100%% <#> %");
        assert_eq!(shown("LIKE '%ä' %é %(", Style::Percent), "LIKE '%ä' %é %(");
        assert_eq!(shown("{} {0} {name!r} {x.y[0]:>8d} {{no}} {", Style::Braces), "<> <0> <name> <x#> {{no}} {");
        assert_eq!(shown("", Style::Braces), "");
    }
}
