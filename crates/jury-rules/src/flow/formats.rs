//! Formatted text. In: a format, `"%s of {}"`, and its arguments. Out: the value of the text.

use super::program::EVERY_CLASS;
use super::value::Value;

/// Builds text from a format: with literal text in it the result is built, even if the format itself is not visible.
pub(super) fn formatted<'u>(parts: &[Value<'u>]) -> Value<'u> {
    // A locale may precede the format: `String.format(Locale.ROOT, "%s", x)`.
    let is_culture = |part: &Value<'_>| {
        part.names.iter().any(|name| matches!(name.last(), "ROOT" | "ENGLISH" | "US" | "InvariantCulture"))
    };
    let culture = parts.first().filter(|first| first.text.is_none() && is_culture(first)).map_or(0, |_| 1);
    let mut parts = parts[culture..].to_vec();
    if let Some((format, rest)) = parts.split_first_mut()
        && let Some(text) = format.text.as_deref()
    {
        // An argument formatted as a number is harmless.
        for (at, verb) in numbers(text) {
            match (rest.get_mut(at), verb) {
                // Hexadecimal text of a secret still reveals it, but is otherwise harmless.
                (Some(part), 'x' | 'X') if part.taint != 0 => part.cleared |= EVERY_CLASS,
                (Some(part), _) => *part = std::mem::take(part).made_safe(),
                _ => {}
            }
        }
    }
    let Some((format, rest)) = parts.split_first() else { return Value::default() };
    let mut whole = Value::concat(&parts);
    if let Some(text) = &format.text {
        // Values are inserted at the placeholders of the format.
        let places = filled(text, rest);
        whole.text = Some(if rest.is_empty() { text.clone() } else { places.into() });
    }
    whole
}

/// Returns the arguments that a format writes as numbers: those of `%d`. With explicit positions, none.
pub(super) fn numbers(format: &str) -> Vec<(usize, char)> {
    let mut places = format.replace("%%", "");
    if places.contains("%*") || places.contains("%[") || places.contains('$') {
        places.clear();
    }
    let verbs = places.split('%').skip(1).filter_map(|rest| rest.chars().find(char::is_ascii_alphabetic));
    let is_number = |verb: char| "dibouxXeEfFgGtcpU".contains(verb);
    verbs.enumerate().filter(|(_, verb)| is_number(*verb)).collect()
}

/// Fills each placeholder of a format, `%s`, `%2$s`, `{}`, `{0}`, `{name}`, with its text, or a hole.
fn filled(format: &str, values: &[Value<'_>]) -> String {
    let mut text = String::with_capacity(format.len());
    let mut rest = format.chars().peekable();
    let mut next = 0;
    let mut fill = |text: &mut String, at: Option<usize>| {
        let at = at.unwrap_or_else(|| {
            next += 1;
            next - 1
        });
        match values.get(at).and_then(|value| value.text.as_deref()) {
            Some(known) => text.push_str(known),
            None => text.push(super::value::HOLE),
        }
    };
    while let Some(c) = rest.next() {
        match c {
            '%' if rest.peek() == Some(&'%') => {
                rest.next();
                text.push('%');
            }
            '%' => {
                let mut flags = String::new();
                while let Some(flag) =
                    rest.next_if(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '#' | '.' | '$' | ' ' | '*'))
                {
                    flags.push(flag);
                }
                if rest.next_if(char::is_ascii_alphabetic).is_some() {
                    let number = flags.split_once('$').and_then(|(number, _)| number.parse::<usize>().ok());
                    fill(&mut text, number.map(|number| number.saturating_sub(1)));
                } else {
                    text.push('%');
                }
            }
            '{' => {
                let inner: String = rest.clone().take_while(|c| *c != '}').collect();
                if inner.len() <= 40
                    && inner.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '!' | '.' | '?'))
                {
                    rest.by_ref().take(inner.chars().count() + 1).for_each(drop);
                    let place = inner.split([':', '!']).next().unwrap_or_default();
                    match place.parse() {
                        Ok(number) => fill(&mut text, Some(number)),
                        Err(_) if place.is_empty() => fill(&mut text, None),
                        Err(_) => text.push(super::value::HOLE),
                    }
                } else {
                    text.push('{');
                }
            }
            _ => text.push(c),
        }
    }
    text
}
