//! Literals and constant folding. In: a number as written, two constant values. Out: a value.

use std::borrow::Cow;

use super::value::{Value, ValueShape};

pub(super) fn literal<'u>(written: &str) -> Value<'u> {
    let number = match written {
        "true" | "True" | "TRUE" => Some(1.0),
        "false" | "False" | "FALSE" => Some(0.0),
        _ => number(written),
    };
    Value { number, ..Value::constant(written) }
}

/// Reads the number syntax of most languages: `1_000`, `0x1F`, `0o755`, `0755`, `10L`.
pub(super) fn number(written: &str) -> Option<f64> {
    let plain = if written.contains('_') { Cow::Owned(written.replace('_', "")) } else { Cow::Borrowed(written) };
    let plain = plain.trim_end_matches(['l', 'L', 'u', 'U', 'n']);
    let radix = |prefix: [&str; 2], radix| {
        let digits = prefix.iter().find_map(|prefix| plain.strip_prefix(prefix))?;
        u64::from_str_radix(digits, radix).ok().map(|number| number as f64)
    };
    let octal =
        || plain.strip_prefix('0').filter(|rest| !rest.is_empty()).and_then(|rest| u64::from_str_radix(rest, 8).ok());
    radix(["0x", "0X"], 16)
        .or_else(|| radix(["0o", "0O"], 8))
        .or_else(|| radix(["0b", "0B"], 2))
        .or_else(|| octal().map(|number| number as f64))
        .or_else(|| {
            plain.parse().ok().filter(|_| plain.starts_with(|c: char| c.is_ascii_digit() || c == '.' || c == '-'))
        })
}

/// Compares two constant texts.
pub(super) fn compared(operator: &str, left: &Value<'_>, right: &Value<'_>) -> Option<bool> {
    let text = |value: &Value<'_>| value.text.clone().filter(|_| value.shape == ValueShape::Constant);
    let (left, right) = (text(left)?, text(right)?);
    match operator {
        "in" => Some(right.contains(&*left)),
        "not in" => Some(!right.contains(&*left)),
        "==" | "===" => Some(left == right),
        "!=" | "!==" => Some(left != right),
        _ => None,
    }
}

pub(super) fn calculate(operator: &str, left: f64, right: f64) -> Option<f64> {
    let truth = |is: bool| Some(f64::from(u8::from(is)));
    match operator {
        "+" => Some(left + right),
        "-" => Some(left - right),
        "*" => Some(left * right),
        "/" if right != 0.0 => Some(left / right),
        "%" if right != 0.0 => Some(left % right),
        "<" => truth(left < right),
        ">" => truth(left > right),
        "<=" => truth(left <= right),
        ">=" => truth(left >= right),
        "==" | "===" => truth(left == right),
        "!=" | "!==" => truth(left != right),
        _ => None,
    }
}
