//! Secrets out of any text. In: a text. Out: the same with every secret replaced by its kind and six digits of its digest,
//! so that it can be matched again and not be used. The patterns are those of the rules that find secrets.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use crate::keywords::Keywords;
use crate::pack::secret_rules;
use crate::text::{Scan, Secret};

/// How many hexadecimal digits of a secret's digest are shown.
const SHOWN_DIGITS: usize = 6;

static SCAN: LazyLock<(Keywords, Scan)> = LazyLock::new(|| (Keywords::of(secret_rules()), Scan::of(secret_rules())));

/// Replaces every secret in a text by `[redacted <kind> <6 hex digits of its SHA-256>]`.
pub fn redact(text: &str) -> Cow<'_, str> {
    redacted(text, false)
}

/// Does the same to the text of a file, and leaves every line where it is.
pub fn redact_lines(text: &str) -> String {
    redacted(text, true).into_owned()
}

fn redacted(text: &str, keeps_lines: bool) -> Cow<'_, str> {
    let secrets = secrets(text);
    if secrets.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut redacted = String::with_capacity(text.len());
    let mut at = 0;
    for Secret { kind, span } in secrets {
        redacted.push_str(&text[at..span.start]);
        let digest = hex(&Sha256::digest(&text[span.clone()]));
        let _ = write!(redacted, "[redacted {kind} {}]", &digest[..SHOWN_DIGITS]);
        if keeps_lines {
            redacted.extend(text[span.clone()].matches('\n'));
        }
        at = span.end;
    }
    redacted.push_str(&text[at..]);
    Cow::Owned(redacted)
}

/// Returns where the first secret in a text starts.
pub(crate) fn first_secret(text: &str) -> Option<usize> {
    secrets(text).first().map(|secret| secret.span.start)
}

fn secrets(text: &str) -> Vec<Secret> {
    let (keywords, scan) = &*SCAN;
    scan.secrets(text, &keywords.occurring(text))
}

/// Writes bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
