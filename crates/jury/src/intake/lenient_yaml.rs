//! YAML that says the same in other words: one document, several with a part of the findings each, or one that is nearly YAML.
//!
//! In: a text. Out: entries in the ledger, or that it is no YAML. Deliberately not here: YAML in fences (`blocks`).

use jury_wire::Reason;

use super::dialect::{self, Damage};
use super::ledger::{Ledger, TextOrigin};
use super::surrounding_text::check_text;
use super::{Dialect, markdown, markdown_units, node_kinds, unclaimed, yaml_repair};
use crate::syntax::{Node, Source, Span, Value, yaml};

/// Takes a text that is YAML; false if it is none. YAML that cannot be read is a gap as well.
pub(super) fn take(ledger: &mut Ledger<'_>, source: &Source<'_>) -> bool {
    let text = source.text();
    let limits = *ledger.limits;
    if take_below_prose(ledger, source) {
        return true;
    }
    if looks_like_yaml(text) {
        match yaml::parse(source, source.whole(), &limits) {
            Ok(mut root) if matches!(root.value, Value::Object(_) | Value::Array(_)) => {
                ledger.dialect = Dialect::Yaml;
                node_kinds::widen(&mut root);
                // Markdown with labels instead of headings is YAML by accident; the reading that understands more counts.
                let mut as_yaml = ledger.scratch();
                dialect::read(&mut as_yaml, text, &root, &Damage::default());
                if as_yaml.has_blocking_gaps() && text.trim_start().starts_with("# ") {
                    let mut as_markdown = ledger.scratch();
                    as_markdown.dialect = Dialect::Markdown;
                    markdown::read(&mut as_markdown, text);
                    if !as_markdown.has_blocking_gaps()
                        || as_markdown.understood().count() > as_yaml.understood().count()
                    {
                        ledger.adopt(as_markdown);
                        return true;
                    }
                }
                ledger.adopt(as_yaml);
                return true;
            }
            Ok(_) => {}
            Err(deviation)
                if !is_limit(deviation.reason) && (take_documents(ledger, source) || take_mended(ledger, text)) =>
            {
                return true;
            }
            // Prose may look like YAML; only a text with the fields of a finding was meant as YAML.
            Err(deviation) if is_limit(deviation.reason) || has_fields(text) => {
                ledger.gap(deviation.reason, deviation.span, deviation.message);
            }
            Err(_) => {}
        }
    }
    false
}

/// Takes the findings that the front matter of a document lists; false if there are none, or if the document itself states more.
pub(super) fn take_front(ledger: &mut Ledger<'_>, source: &Source<'_>) -> bool {
    let text = source.text();
    let limits = *ledger.limits;
    let Some(front) = markdown_units::front_matter(text) else { return false };
    let end = text[front.clone()].rfind("---").map_or(front.end, |at| front.start + at);
    let Ok(mut root) = yaml::parse(source, Span::new(front.start, end), &limits) else { return false };
    if !node_kinds::is_report(&root) {
        return false;
    }
    node_kinds::widen(&mut root);
    let mut attempt = ledger.scratch();
    attempt.dialect = Dialect::Yaml;
    dialect::read(&mut attempt, text, &root, &Damage::default());
    let mut outside = ledger.scratch();
    markdown::read(&mut outside, &text[front.end..]);
    if attempt.understood().next().is_none() || outside.present() > attempt.present() {
        return false;
    }
    attempt.repair(Reason::ProseRemoved, Span::new(front.end, text.len()), text[front.end..].trim(), "");
    ledger.adopt(attempt);
    check_text(ledger, &text[front.end..]);
    true
}

/// Takes YAML that starts below some prose; false if there is none.
fn take_below_prose(ledger: &mut Ledger<'_>, source: &Source<'_>) -> bool {
    let text = source.text();
    let limits = *ledger.limits;
    let opens = |line: &str| ["findings:", "issues:", "verdict:", "review:"].iter().any(|name| line.starts_with(name));
    let mut is_after_blank = false;
    let start = source.lines().find_map(|(span, line)| {
        let is_start = is_after_blank && opens(line);
        is_after_blank = line.trim().is_empty();
        is_start.then_some(span.start)
    });
    let Some(start) = start.filter(|_| !looks_like_yaml(text)) else { return false };
    let Ok(mut root) = yaml::parse(source, Span::new(start, text.len()), &limits) else { return false };
    if !node_kinds::is_report(&root) {
        return false;
    }
    node_kinds::widen(&mut root);
    ledger.dialect = Dialect::Yaml;
    ledger.repair(Reason::ProseRemoved, Span::new(0, start), text[..start].trim(), "");
    dialect::read(ledger, text, &root, &Damage::default());
    check_text(ledger, &text[..start]);
    true
}

/// Takes YAML with several documents that hold a part of the findings each; false if it is none.
fn take_documents(ledger: &mut Ledger<'_>, source: &Source<'_>) -> bool {
    let text = source.text();
    let limits = *ledger.limits;
    let mut spans = Vec::new();
    let mut start = 0;
    for (span, line) in source.lines() {
        if line.trim_end() == "---" {
            spans.push(Span::new(start, span.start));
            start = (span.end + 1).min(text.len());
        }
    }
    spans.push(Span::new(start, text.len()));
    spans.retain(|span| !source.slice(*span).trim().is_empty());
    let roots: Option<Vec<Node<'_>>> = spans.iter().map(|span| yaml::parse(source, *span, &limits).ok()).collect();
    let Some(mut roots) = roots.filter(|roots| roots.len() > 1) else { return false };
    roots.iter_mut().for_each(|root| {
        node_kinds::widen(root);
    });
    if !roots.iter().all(node_kinds::is_part) && !node_kinds::name_different_reviewers(&roots) {
        return false;
    }
    ledger.dialect = Dialect::Yaml;
    ledger.repair(Reason::PartsJoined, source.whole(), "several documents", "one list");
    let root = Node { span: source.whole(), value: Value::Array(roots) };
    dialect::read(ledger, text, &root, &Damage::default());
    true
}

/// Takes YAML that can be repaired in exactly one way; false if it cannot.
fn take_mended(ledger: &mut Ledger<'_>, text: &str) -> bool {
    if !has_fields(text) {
        return false;
    }
    let limits = *ledger.limits;
    let whole = Span::new(0, text.len());
    for mended in yaml_repair::candidates(text) {
        let Ok(source) = Source::new(mended.as_bytes(), &limits) else { continue };
        let Ok(mut root) = yaml::parse(&source, source.whole(), &limits) else { continue };
        if !node_kinds::is_report_like(&root) {
            continue;
        }
        node_kinds::widen(&mut root);
        ledger.dialect = Dialect::Yaml;
        ledger.repair(Reason::YamlMended, whole, "tabs, shifted lines or plain values", "YAML");
        ledger.inside(TextOrigin::Within(whole), |ledger| {
            dialect::read(ledger, &mended, &root, &Damage::default());
            // Where lines had to be shifted, a finding may have fallen out of its list.
            if ledger.present() == 0 {
                ledger.gap(Reason::YamlSyntax, whole, "no finding is listed, but the document had to be repaired");
            }
            if !ledger.has_blocking() && unclaimed::line(text).or_else(|| unclaimed::word(text)).is_some() {
                ledger.gap(Reason::YamlSyntax, whole, "a blocking severity outside of the findings");
            }
        });
        return true;
    }
    false
}

fn is_limit(reason: Reason) -> bool {
    matches!(reason, Reason::LimitDepth | Reason::LimitAliases | Reason::LimitBytes | Reason::LimitLine)
}

/// Tells whether a text starts like YAML: after comments, a name with a colon, or a list item with one.
fn looks_like_yaml(text: &str) -> bool {
    // YAML between two `---` lines with text after them is the front matter of Markdown.
    let is_front_matter = markdown_units::front_matter(text).is_some_and(|front| {
        let rest = &text[front.end..];
        let is_yaml = has_fields(rest) && starts_like_yaml(rest);
        !(rest.trim().is_empty() || is_yaml)
    });
    !is_front_matter && starts_like_yaml(text)
}

fn starts_like_yaml(text: &str) -> bool {
    let first = text
        .lines()
        .map(str::trim_end)
        .find(|line| !line.trim().is_empty() && !line.starts_with('#') && *line != "---");
    let Some(line) = first else { return false };
    let line = line.trim_start();
    let line = line.strip_prefix("- ").unwrap_or(line);
    let is_name = |name: &str| {
        !name.is_empty() && name.len() < 50 && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"_-\"'".contains(&b))
    };
    line.split_once(':').is_some_and(|(name, rest)| is_name(name) && (rest.is_empty() || rest.starts_with([' ', '\t'])))
}

/// Tells whether a text has lines that state a severity or open a list of findings as YAML does.
pub(super) fn has_fields(text: &str) -> bool {
    // Nothing in YAML looks like the second-level heading of a document.
    if text.lines().any(|line| line.starts_with("## ")) {
        return false;
    }
    text.lines().any(|line| {
        let line = line.trim_start().trim_start_matches("- ");
        ["severity:", "findings:", "priority:", "issues:", "blockers:", "verdict:"]
            .iter()
            .any(|name| line.starts_with(name))
    })
}
