//! Redacts secrets in any text. In: a text, and optionally files whose secrets are known. Out: the same text with every
//! secret replaced by its kind and a few digits of its keyed hash, so that it can be recognised but not used.
//!
//! The patterns are those of the secret rules. The structure of a document stays: its lines and quotes, so that JSON
//! stays valid JSON. Why the key is a constant: `docs/decisions/011-secrets.md`.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

use aho_corasick::{AhoCorasick, MatchKind};
use sha2::{Digest, Sha256};

use crate::keywords::Keywords;
use crate::pack::SecretRule;
use crate::text::{Scan, Secret, Taken, secrets_of};

/// The key of the hash, which keeps its digits distinct from any other hash of the secret.
const KEY: &[u8] = b"jury.redaction.v1";
/// The number of hexadecimal digits shown for a machine-generated secret: enough to tell two apart, useless for a
/// guess.
const SHOWN_DIGITS: usize = 6;
/// The number shown for a password chosen by a person, which more digits would help to guess.
const SHOWN_OF_PASSWORDS: usize = 2;
/// The kinds of secrets that a person may have chosen.
const THOUGHT_UP: &[&str] = &["password", "credential"];
/// The shortest part of a known secret that is redacted everywhere.
const SHORTEST_KNOWN: usize = 8;

/// The rules, and the keywords of all of them. Most texts need few rules, and many none, so each is read for the first text that has
/// one of its keywords.
struct SecretRules {
    keywords: Keywords,
    rules: Vec<(SecretRule, OnceLock<Scan>)>,
}

static RULES: LazyLock<SecretRules> = LazyLock::new(|| {
    let rules = SecretRule::all();
    let keywords: Vec<Vec<&str>> = rules.iter().map(|rule| rule.keywords().collect()).collect();
    SecretRules {
        keywords: Keywords::of(&keywords),
        rules: rules.into_iter().map(|rule| (rule, OnceLock::new())).collect(),
    }
});

/// Replaces every secret in a text by `[redacted <kind> <digits of its keyed hash>]`. Lines and quotes stay where they are.
pub fn redact(text: &str) -> Cow<'_, str> {
    Redactor::default().redact(text)
}

/// Replaces every letter and digit of a secret by `x`. The text keeps its length, so positions in it are valid for the
/// original.
pub fn mask(text: &str) -> Cow<'_, str> {
    let secrets = secrets(text);
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut masked = String::with_capacity(text.len());
    let mut at = 0;
    for Secret { span, .. } in secrets {
        masked.push_str(&text[at..span.start]);
        let mut is_escaped = false;
        for c in text[span.clone()].chars() {
            masked.push(if c.is_ascii_alphanumeric() && !is_escaped { 'x' } else { c });
            is_escaped = c == '\\' && !is_escaped;
        }
        at = span.end;
    }
    masked.push_str(&text[at..]);
    Cow::Owned(masked)
}

/// Redacts texts, including secrets that only a file reveals: a password is recognised by the name before it, and a
/// quote may omit that name.
#[derive(Default)]
pub struct Redactor {
    known: Option<KnownSecrets>,
}

struct KnownSecrets {
    automaton: AhoCorasick,
    /// The replacement of each value.
    marks: Vec<String>,
}

impl Redactor {
    /// Collects the secrets of files.
    pub fn knowing<'f>(files: impl IntoIterator<Item = &'f str>) -> Self {
        let mut values: BTreeMap<&str, String> = BTreeMap::new();
        for file in files {
            for Secret { kind, span } in secrets(file) {
                let secret = &file[span];
                let parts = body(secret).split(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | '\\'));
                for part in parts.filter(|part| part.len() >= SHORTEST_KNOWN) {
                    values.entry(part).or_insert_with(|| mark(kind, secret));
                }
            }
        }
        if values.is_empty() {
            return Self::default();
        }
        let (values, marks): (Vec<&str>, Vec<String>) = values.into_iter().unzip();
        let automaton = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(values);
        Self { known: Some(KnownSecrets { automaton: automaton.expect("the secrets of files are few"), marks }) }
    }

    /// Replaces every secret in a text.
    pub fn redact<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut taken = Taken::default();
        let mut hidden: Vec<(std::ops::Range<usize>, String)> = Vec::new();
        for Secret { kind, span } in secrets(text) {
            taken.take(&span);
            hidden.push((span.clone(), mark(kind, &text[span])));
        }
        if let Some(known) = &self.known {
            let found = known.automaton.find_iter(text).filter(|found| taken.take(&found.range()));
            hidden.extend(found.map(|found| (found.range(), known.marks[found.pattern().as_usize()].clone())));
        }
        if hidden.is_empty() {
            return Cow::Borrowed(text);
        }
        hidden.sort_by_key(|(span, _)| span.start);
        let mut redacted = String::with_capacity(text.len());
        let mut at = 0;
        for (span, mark) in hidden {
            redacted.push_str(&text[at..span.start]);
            hide(&text[span.clone()], &mark, &mut redacted);
            at = span.end;
        }
        redacted.push_str(&text[at..]);
        Cow::Owned(redacted)
    }
}

/// Writes a mark for a secret, and the parts of the secret that belong to the document: line feeds, and quotes with the
/// text between two strings.
fn hide(secret: &str, mark: &str, out: &mut String) {
    out.push_str(mark);
    let mut is_string = false;
    for part in secret.split_inclusive(['\n', '\r', '"', '\'']) {
        let inner = part.trim_end_matches(['\n', '\r', '"', '\'']);
        let bare = inner.trim_end_matches('\\');
        let is_between = !bare.contains(|c: char| c.is_ascii_alphanumeric());
        let is_quoted = part.ends_with(['"', '\'']);
        if is_between && is_string {
            out.push_str(part);
        } else {
            // An empty string would suggest that there was nothing.
            out.push_str(if is_string { "…" } else { "" });
            out.push_str(if is_quoted { &part[bare.len()..] } else { &part[inner.len()..] });
        }
        is_string |= is_quoted;
    }
}

/// Returns the replacement of a secret.
fn mark(kind: &str, secret: &str) -> String {
    let digits = if THOUGHT_UP.contains(&kind) { SHOWN_OF_PASSWORDS } else { SHOWN_DIGITS };
    format!("[redacted {kind} {}]", &hex(&keyed_hash(KEY, essence(secret).as_bytes()))[..digits])
}

/// Returns a secret without the footer line of a key.
fn body(secret: &str) -> &str {
    secret.split("-----").next().unwrap_or_default()
}

/// Returns the canonical form of a secret: a key in a file, in a string with `\
/// ` or in a list of lines is the same key.
fn essence(secret: &str) -> String {
    let mut essence = String::new();
    let mut is_escaped = false;
    for c in body(secret).chars() {
        let is_break = is_escaped && matches!(c, 'n' | 'r' | 't');
        is_escaped = c == '\\';
        if !is_break && !is_escaped && !c.is_whitespace() && !matches!(c, '"' | '\'' | ',') {
            essence.push(c);
        }
    }
    essence
}

/// Returns the HMAC-SHA-256 of a message (RFC 2104); the key is no longer than a block.
fn keyed_hash(key: &[u8], message: &[u8]) -> [u8; 32] {
    let pad = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(key).for_each(|(padded, byte)| *padded ^= byte);
        block
    };
    let inner = Sha256::new().chain_update(pad(0x36)).chain_update(message).finalize();
    Sha256::new().chain_update(pad(0x5c)).chain_update(inner).finalize().into()
}

/// Returns the start of the first secret in a text.
pub(crate) fn first_secret(text: &str) -> Option<usize> {
    secrets(text).first().map(|secret| secret.span.start)
}

fn secrets(text: &str) -> Vec<Secret> {
    let mut near: Vec<Vec<Range<usize>>> = vec![Vec::new(); RULES.rules.len()];
    for (owners, hit) in RULES.keywords.hits(text) {
        owners.iter().for_each(|rule| near[*rule].push(hit.clone()));
    }
    let near = RULES.rules.iter().zip(&near).filter(|(_, hits)| !hits.is_empty());
    let scan = |(rule, scan): &'static (SecretRule, OnceLock<Scan>)| {
        scan.get_or_init(|| Scan::of([(0, rule.read())].into_iter()))
    };
    secrets_of(text, near.map(|(rule, hits)| (scan(rule), hits.as_slice())))
}

/// Writes bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keyed_hash_is_the_one_of_the_standard() {
        // RFC 4231, test case 2.
        let hash = hex(&keyed_hash(b"Jefe", b"what do ya want for nothing?"));
        assert_eq!(hash, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn a_key_is_one_key_however_it_is_written() {
        for text in ["MIIEabc\nd=\n-----END PRIVATE KEY-----", "MIIEabc\\nd=\\n", "MIIEabc\", \"d=", "MIIEabc\\\\nd="] {
            assert_eq!(essence(text), "MIIEabcd=", "{text}");
        }
        assert_eq!(essence("Tr0ub4dor&3"), "Tr0ub4dor&3");
    }

    #[test]
    fn what_holds_a_document_together_stays() {
        let hidden = |secret: &str| {
            let mut out = String::new();
            hide(secret, "[m]", &mut out);
            out
        };
        assert_eq!(hidden("MIIEabc"), "[m]");
        assert_eq!(hidden("MIIE\nabc\r\ndef"), "[m]\n\r\n");
        assert_eq!(hidden("MIIE\\nabc\\n"), "[m]");
        assert_eq!(hidden("MIIE\", \"abc\",\n  \"def"), "[m]\", \"…\",\n  \"…");
        assert_eq!(hidden("MIIE\\\" + \\\"abc\\\""), "[m]\\\" + \\\"…\\\"");
    }
}
