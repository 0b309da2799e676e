//! A certificate of OpenSSH (`PROTOCOL.certkeys`): its blob in; the key, its names and period, and the authority that vouches for them out.

use super::Refusal;
use super::fields::Fields;
use super::key::{KeyKind, PublicKey};
use super::period::Period;

/// The end of the names of certificates' kinds.
const OF_CERTIFICATE: &str = "-cert-v01@openssh.com";
/// The kind of a certificate for people and programs, unlike one for a host.
const OF_USER: u32 = 1;

/// A certificate whose authority has signed it.
pub(super) struct Certificate {
    pub(super) key: PublicKey,
    pub(super) authority: PublicKey,
    pub(super) principals: Vec<String>,
    pub(super) period: Period,
}

/// Returns the kind of key that a certificate of that name is for.
fn kind_of(name: &str) -> Option<KeyKind> {
    let kind = name.strip_suffix(OF_CERTIFICATE)?;
    KeyKind::of(kind).or_else(|| KeyKind::of(&format!("{kind}@openssh.com")))
}

impl Certificate {
    /// Reads a blob to its end, and checks the signature of its authority. Returns `None` if it is a key without a certificate.
    pub(super) fn read(blob: &[u8]) -> Result<Option<Self>, Refusal> {
        let mut fields = Fields::new(blob);
        let name = fields.text()?;
        if !name.ends_with(OF_CERTIFICATE) {
            return Ok(None);
        }
        let kind = kind_of(name).ok_or(Refusal::KeyKind)?;
        let _nonce = fields.string()?;
        let key = PublicKey::fields(kind, &mut fields)?;
        let _serial = fields.long()?;
        let is_of_user = fields.number()? == OF_USER;
        let _id = fields.string()?;
        let principals = names(fields.string()?)?;
        let period = Period { after: Some(fields.long()?), before: Some(fields.long()?) };
        let conditions = fields.string()?;
        let _extensions = fields.string()?;
        let _reserved = fields.string()?;
        let authority = PublicKey::read(fields.string()?)?;
        let signed = &blob[..blob.len() - fields.rest().len()];
        let signature = fields.string()?;
        fields.end()?;
        if !is_of_user {
            return Err(Refusal::Certificate("it is for a host"));
        }
        if !conditions.is_empty() {
            return Err(Refusal::Certificate("it has conditions that a signature cannot meet"));
        }
        if principals.is_empty() {
            return Err(Refusal::Certificate("it states no names"));
        }
        authority.verify(signature, signed).map_err(|_| Refusal::Certificate("its authority did not sign it"))?;
        Ok(Some(Self { key, authority, principals, period }))
    }
}

/// Reads a list of names.
fn names(list: &[u8]) -> Result<Vec<String>, Refusal> {
    let mut fields = Fields::new(list);
    let mut names = Vec::new();
    while !fields.rest().is_empty() {
        names.push(fields.text()?.to_owned());
    }
    Ok(names)
}
