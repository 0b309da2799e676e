//! YAML that is nearly YAML: tabs, lines that were shifted, plain values that should be quoted.
//!
//! In: a text that is not YAML. Out: the text with unambiguous repairs, for the strict reader to try again. Only the form of
//! lines is changed, never their words or their order. Deliberately not here: names that occur twice, and anything else that has two
//! readings.

/// Returns the mended texts that are worth another try, the one with the fewest changes first.
pub(super) fn candidates(text: &str) -> Vec<String> {
    let untabbed = without_tabs(text);
    let quoted = quoted(&untabbed);
    let levelled = levelled(&quoted);
    let mut candidates = vec![untabbed, quoted, levelled];
    candidates.dedup();
    candidates.retain(|candidate| candidate != text);
    candidates
}

/// A line with a name: the text before the name, the name, and the value.
struct Named<'t> {
    before: &'t str,
    name: &'t str,
    value: &'t str,
}

/// Takes a line apart that has a name of one word and a colon.
fn named(line: &str) -> Option<Named<'_>> {
    let bare = line.trim_start_matches([' ', '-']);
    let before = &line[..line.len() - bare.len()];
    let (name, value) = bare.split_once(':')?;
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'));
    let is_before = before.is_empty() || before.ends_with(' ');
    (is_name && is_before && (value.is_empty() || value.starts_with([' ', '\t']))).then(|| Named {
        before,
        name,
        value: value.trim(),
    })
}

fn without_tabs(text: &str) -> String {
    let line = |line: &str| {
        let rest = line.trim_start_matches(['\t', ' ']);
        let indent = &line[..line.len() - rest.len()];
        format!("{}{rest}", indent.replace('\t', "  "))
    };
    text.split_inclusive('\n').map(line).collect()
}

/// Quotes plain values that YAML takes for something else.
fn quoted(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    // The lines of a block scalar are text.
    let mut block: Option<usize> = None;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end();
        let indent = line.len() - line.trim_start().len();
        if block.is_some_and(|block| line.is_empty() || indent > block) {
            mended.push_str(whole);
            continue;
        }
        block = None;
        let mut is_mended = false;
        if let Some(Named { before, name, value }) = named(line) {
            if value.starts_with(['|', '>']) && value.len() <= 2 {
                block = Some(before.len().min(indent));
            } else if needs_quotes(value) {
                mended.push_str(&format!("{before}{name}: {}\n", in_quotes(value)));
                is_mended = true;
            }
        } else if let Some(item) = line.trim_start().strip_prefix("- ")
            && (needs_quotes(item) || item.contains(": "))
        {
            mended.push_str(&format!("{}- {}\n", &line[..indent], in_quotes(item)));
            is_mended = true;
        }
        if !is_mended {
            mended.push_str(whole);
        }
    }
    mended
}

/// Tells whether a value on the line of its name is a text that YAML does not take as one.
fn needs_quotes(value: &str) -> bool {
    let Some(first) = value.chars().next() else { return false };
    let last = value.chars().next_back().unwrap_or(first);
    match first {
        // A quoted text that goes on after its quote, or that has the same quote inside.
        '"' | '\'' => {
            let inner = value.strip_prefix(first).and_then(|rest| rest.strip_suffix(first));
            inner.is_none_or(|inner| inner.replace("\\\"", "").replace("''", "").contains(first))
        }
        '[' => last != ']',
        '{' => last != '}',
        // One star is an alias; two are emphasis.
        '*' => value.starts_with("**"),
        '`' | '@' | '%' => true,
        '#' => false,
        _ => value.contains(": ") || value.ends_with(':') || value.contains(" #"),
    }
}

fn in_quotes(value: &str) -> String {
    let inner = ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote)).unwrap_or(value);
    format!("'{}'", inner.replace('\'', "''"))
}

/// Puts the names of an item below its first one, where that has its value on its own line.
fn levelled(text: &str) -> String {
    let mut mended = String::with_capacity(text.len());
    let mut item: Option<usize> = None;
    let mut dash = 0;
    let mut was_scalar = false;
    for whole in text.split_inclusive('\n') {
        let line = whole.trim_end();
        let indent = line.len() - line.trim_start().len();
        match named(line) {
            Some(Named { before, value, .. }) if before.trim_start().starts_with('-') => {
                item = Some(before.len());
                dash = indent;
                was_scalar = !value.is_empty() && !value.starts_with(['|', '>']);
                mended.push_str(whole);
            }
            // A line that stands further left than its item and further right than its dash can belong to nothing else.
            Some(Named { value, .. })
                if item.is_some_and(|item| was_scalar && indent > item || indent > dash && indent < item) =>
            {
                mended.push_str(&" ".repeat(item.unwrap_or_default()));
                mended.push_str(whole.trim_start());
                was_scalar = !value.is_empty() && !value.starts_with(['|', '>']);
            }
            found => {
                if let Some(Named { value, .. }) = found {
                    was_scalar = !value.is_empty() && !value.starts_with(['|', '>']);
                    item = item.filter(|item| indent >= *item);
                }
                mended.push_str(whole);
            }
        }
    }
    mended
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::{Limits, Source, yaml};

    fn is_mended(text: &str) -> bool {
        let limits = Limits::default();
        let is_yaml = |text: &str| {
            Source::new(text.as_bytes(), &limits)
                .is_ok_and(|source| yaml::parse(&source, source.whole(), &limits).is_ok())
        };
        assert!(!is_yaml(text), "{text}");
        candidates(text).iter().any(|text| is_yaml(text))
    }

    #[test]
    fn what_has_one_reading_is_set_right() {
        for text in [
            "findings:\n\t- title: a\n\t  severity: high\n",
            "findings:\n- title: a\n    severity: high\n    file: b\n- title: c\n    severity: low\n",
            "findings:\n- title: a\n   severity: high\n  file: b\n line: 3\n- title: c\n  severity: low\n",
            "findings:\n  - title: Login: the token is logged\n    severity: high\n",
            "findings:\n  - title: `token` is logged\n    severity: high\n",
            "findings:\n  - title: \"token\" is logged\n    severity: high\n",
            "notes:\n  - @decorator: is lost\nfindings: []\n",
        ] {
            assert!(is_mended(text), "{text}");
        }
    }

    #[test]
    fn what_has_two_readings_stays() {
        for text in ["a: 1\na: 2\n", "findings: [a\n  b: c\n", "a: \"x\n  - b: c\n"] {
            assert!(!is_mended(text), "{text}");
        }
    }
}
