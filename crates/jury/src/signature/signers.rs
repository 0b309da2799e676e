//! A list of signers in the form of `allowed_signers` (ssh-keygen(1)): bytes of the base in; who may sign what, and when, out.
//!
//! A line: `principals [options] kind base64 [comment]`. A broken line makes the whole list an error: a list that is read in
//! part would be another list than the team wrote. A key of a kind that is not read is kept, and its signatures are refused.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::certificate::Certificate;
use super::key::{KeyKind, PublicKey};
use super::period::{Period, second, time};
use super::sshsig::SshSig;
use super::{MOST_LINE_BYTES, MOST_LIST_BYTES, MOST_SIGNERS, Refusal, SignersError, VerifiedKey, patterns};
use crate::model::Timestamp;

/// A list of signers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signers {
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    principals: String,
    options: Options,
    key: PublicKey,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Options {
    is_authority: bool,
    namespaces: Option<String>,
    period: Period,
}

impl Signers {
    /// Reads a list.
    pub fn parse(bytes: &[u8]) -> Result<Self, SignersError> {
        if bytes.len() > MOST_LIST_BYTES {
            return Err(SignersError::TooLarge { most: MOST_LIST_BYTES, what: "bytes" });
        }
        let text = str::from_utf8(bytes).map_err(|_| SignersError::NotUtf8)?;
        let mut lines = Vec::new();
        for (at, line) in text.lines().enumerate() {
            let content = line.trim();
            if content.is_empty() || content.starts_with('#') {
                continue;
            }
            if lines.len() == MOST_SIGNERS {
                return Err(SignersError::TooLarge { most: MOST_SIGNERS, what: "keys" });
            }
            let refuse = |what: String| SignersError::Line { line: at + 1, what };
            lines.extend(Line::read(content).map_err(refuse)?);
        }
        Ok(Self { lines })
    }

    /// Tells whether nobody is listed.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Returns the listed keys, without authorities.
    pub fn keys(&self) -> impl Iterator<Item = &PublicKey> {
        self.lines.iter().filter(|line| !line.options.is_authority).map(|line| &line.key)
    }

    /// Checks an SSHSIG signature, armored or plain, over a message for a purpose, at a moment.
    pub fn verify(
        &self,
        signature: &[u8],
        message: &[u8],
        namespace: &str,
        at: &Timestamp,
    ) -> Result<VerifiedKey, Refusal> {
        let sshsig = SshSig::read(signature)?;
        if !sshsig.is_for(namespace) {
            return Err(Refusal::Namespace);
        }
        let certificate = Certificate::read(&sshsig.key)?;
        let (key, listed) = match &certificate {
            Some(of) => (of.key.clone(), &of.authority),
            None => {
                let key = PublicKey::read(&sshsig.key)?;
                (key.clone(), &key.clone())
            }
        };
        let lines: Vec<&Line> = self.lines_of(listed, certificate.is_some()).collect();
        if lines.is_empty() {
            return Err(Refusal::Unlisted);
        }
        let has_user_presence = key.verify(&sshsig.signature, &sshsig.signed(message))?;
        let at = second(at);
        if let Some(of) = &certificate {
            of.period.check(at)?;
        }
        let authority = certificate.as_ref().map(|of| of.authority.fingerprint());
        let named = |line: &Line| line.counts(certificate.as_ref(), namespace, at);
        let principal = first_of(lines.into_iter().map(named))?;
        Ok(VerifiedKey { fingerprint: key.fingerprint(), principal, has_user_presence, authority })
    }

    /// Checks a raw Ed25519 signature over a message, at a moment: it states no key and no purpose, so every listed Ed25519 key that
    /// counts for the purpose is tried. The message has to state its own purpose, as the PAE of DSSE does.
    pub fn verify_raw(
        &self,
        signature: &[u8],
        message: &[u8],
        namespace: &str,
        at: &Timestamp,
    ) -> Result<VerifiedKey, Refusal> {
        let raw = |key: &PublicKey| {
            let point = key.plain_ed25519()?;
            ring::signature::UnparsedPublicKey::new(&ring::signature::ED25519, point).verify(message, signature).ok()
        };
        let lines: Vec<&Line> =
            self.lines.iter().filter(|line| !line.options.is_authority && raw(&line.key).is_some()).collect();
        let key = lines.first().ok_or(Refusal::Unlisted)?.key.clone();
        let at = second(at);
        let principal = first_of(lines.into_iter().map(|line| line.counts(None, namespace, at)))?;
        Ok(VerifiedKey { fingerprint: key.fingerprint(), principal, has_user_presence: false, authority: None })
    }

    fn lines_of<'a>(&'a self, key: &'a PublicKey, is_authority: bool) -> impl Iterator<Item = &'a Line> {
        self.lines.iter().filter(move |line| line.options.is_authority == is_authority && line.key == *key)
    }
}

/// Returns the first that counts, or why the last one does not.
fn first_of(lines: impl Iterator<Item = Result<String, Refusal>>) -> Result<String, Refusal> {
    let mut why = Refusal::Unlisted;
    for line in lines {
        match line {
            Ok(principal) => return Ok(principal),
            Err(refusal) => why = refusal,
        }
    }
    Err(why)
}

impl Line {
    /// Reads a line; `None` if its key is of a kind that is not read.
    fn read(line: &str) -> Result<Option<Self>, String> {
        if line.len() > MOST_LINE_BYTES {
            return Err(format!("more than {MOST_LINE_BYTES} bytes"));
        }
        let (principals, rest) = word(line)?;
        let principals = principals.trim_matches('"').to_owned();
        let (mut name, mut rest) = word(rest)?;
        let mut options = Options::default();
        if !name.is_empty() && !is_key_kind(name) {
            options = Options::read(name)?;
            (name, rest) = word(rest)?;
        }
        if principals.is_empty() || !is_key_kind(name) {
            return Err("expected `principals [options] kind base64`".to_owned());
        }
        let (encoded, _comment) = word(rest)?;
        let blob = STANDARD.decode(encoded).map_err(|_| "the key is not base64".to_owned())?;
        let Some(kind) = KeyKind::of(name) else { return Ok(None) };
        let key = PublicKey::read(&blob).map_err(|refusal| format!("the key is invalid: {refusal}"))?;
        if key.kind() != kind {
            return Err("the key is of another kind than the line states".to_owned());
        }
        Ok(Some(Self { principals, options, key }))
    }

    /// Returns the name for which the key counts for a purpose at a moment.
    fn counts(&self, certificate: Option<&Certificate>, namespace: &str, at: u64) -> Result<String, Refusal> {
        if self.options.namespaces.as_ref().is_some_and(|list| !patterns::matches(list, namespace)) {
            return Err(Refusal::NotForNamespace);
        }
        self.options.period.check(at)?;
        match certificate {
            None => Ok(self.principals.clone()),
            Some(of) => {
                let named = of.principals.iter().find(|name| patterns::matches(&self.principals, name));
                named.cloned().ok_or(Refusal::Principal)
            }
        }
    }
}

impl Options {
    fn read(text: &str) -> Result<Self, String> {
        let mut options = Self::default();
        for option in split_outside_quotes(text, ',') {
            let (name, value) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
            let quoted = || {
                let inner = value.and_then(|value| value.strip_prefix('"')?.strip_suffix('"'));
                inner.filter(|inner| !inner.contains('"')).ok_or_else(|| format!("`{name}` needs a value in quotes"))
            };
            let moment = || {
                let text = quoted()?;
                time(text).ok_or_else(|| format!("`{text}` is no time such as 20261231 or 20261231235959Z"))
            };
            let name_in_lower_case = name.to_ascii_lowercase();
            let is_twice = match name_in_lower_case.as_str() {
                "cert-authority" if value.is_none() => std::mem::replace(&mut options.is_authority, true),
                "namespaces" => options.namespaces.replace(quoted()?.to_owned()).is_some(),
                "valid-after" => options.period.after.replace(moment()?).is_some(),
                "valid-before" => options.period.before.replace(moment()?).is_some(),
                _ => return Err(format!("unknown option `{name}`")),
            };
            if is_twice {
                return Err(format!("`{name}` is stated twice"));
            }
        }
        if let Period { after: Some(after), before: Some(before) } = options.period
            && after >= before
        {
            return Err("`valid-before` is not later than `valid-after`".to_owned());
        }
        Ok(options)
    }
}

/// Tells whether a word is in the place of a kind of key: `sshkey` names all start so, and no option does.
fn is_key_kind(word: &str) -> bool {
    ["ssh-", "ecdsa-", "sk-", "webauthn-"].iter().any(|start| word.starts_with(start))
}

/// Splits off the first word; blanks in quotes belong to it.
fn word(text: &str) -> Result<(&str, &str), String> {
    let text = text.trim_start();
    let mut is_quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '"' => is_quoted = !is_quoted,
            ' ' | '\t' if !is_quoted => return Ok((&text[..at], text[at..].trim_start())),
            _ => {}
        }
    }
    if is_quoted { Err("a quote is never closed".to_owned()) } else { Ok((text, "")) }
}

fn split_outside_quotes(text: &str, separator: char) -> Vec<&str> {
    let mut is_quoted = false;
    let is_split = |c: char| {
        is_quoted ^= c == '"';
        c == separator && !is_quoted
    };
    text.split(is_split).collect()
}
