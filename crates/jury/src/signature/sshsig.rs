//! A signature as OpenSSH writes it (`PROTOCOL.sshsig`): armored or plain bytes in; its parts, and the data that it is over, out.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256, Sha512};

use super::fields::{Fields, put_string};
use super::{MOST_SIGNATURE_BYTES, Refusal};

const MAGIC: &[u8] = b"SSHSIG";
const VERSION: u32 = 1;
const BEGIN: &str = "-----BEGIN SSH SIGNATURE-----";
const END: &str = "-----END SSH SIGNATURE-----";
/// The characters on a line of the armor, as `ssh-keygen` writes it.
const LINE: usize = 70;

/// A signature, with nothing about it checked but its form.
pub(super) struct SshSig {
    /// The blob of the key, or of its certificate.
    pub(super) key: Vec<u8>,
    namespace: Vec<u8>,
    reserved: Vec<u8>,
    hash: Hash,
    /// The blob of the signature.
    pub(super) signature: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Hash {
    Sha256,
    Sha512,
}

impl Hash {
    fn name(self) -> &'static [u8] {
        match self {
            Self::Sha256 => b"sha256",
            Self::Sha512 => b"sha512",
        }
    }

    fn of(self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha256 => Sha256::digest(message).to_vec(),
            Self::Sha512 => Sha512::digest(message).to_vec(),
        }
    }
}

impl SshSig {
    /// Reads a signature.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Refusal> {
        if bytes.len() > MOST_SIGNATURE_BYTES {
            return Err(Refusal::TooLong);
        }
        if bytes.starts_with(MAGIC) { Self::of_blob(bytes) } else { Self::of_blob(&dearmored(bytes)?) }
    }

    fn of_blob(blob: &[u8]) -> Result<Self, Refusal> {
        let mut fields = Fields::new(blob);
        if fields.bytes(MAGIC.len()) != Ok(MAGIC) {
            return Err(Refusal::Shape("it does not start as one"));
        }
        if fields.number()? != VERSION {
            return Err(Refusal::Shape("its version is unknown"));
        }
        let key = fields.string()?.to_vec();
        let namespace = fields.string()?.to_vec();
        let reserved = fields.string()?.to_vec();
        let hash = match fields.string()? {
            b"sha256" => Hash::Sha256,
            b"sha512" => Hash::Sha512,
            _ => return Err(Refusal::Shape("its hash is unknown")),
        };
        let signature = fields.string()?.to_vec();
        fields.end()?;
        Ok(Self { key, namespace, reserved, hash, signature })
    }

    /// Tells whether it is for a purpose.
    pub(super) fn is_for(&self, namespace: &str) -> bool {
        self.namespace == namespace.as_bytes()
    }

    /// Returns the data that was signed for a message.
    pub(super) fn signed(&self, message: &[u8]) -> Vec<u8> {
        let mut data = MAGIC.to_vec();
        put_string(&mut data, &self.namespace);
        put_string(&mut data, &self.reserved);
        put_string(&mut data, self.hash.name());
        put_string(&mut data, &self.hash.of(message));
        data
    }
}

/// Takes the armor off.
fn dearmored(bytes: &[u8]) -> Result<Vec<u8>, Refusal> {
    const FORM: Refusal = Refusal::Shape("its armor is broken");
    let text = str::from_utf8(bytes).map_err(|_| FORM)?;
    let inner = text.trim_end().strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(END)).ok_or(FORM)?;
    let encoded: String = inner.split(['\n', '\r']).collect();
    STANDARD.decode(encoded).map_err(|_| FORM)
}

/// Puts a plain signature into the armor that `ssh-keygen -Y verify` reads.
pub fn armored(blob: &[u8]) -> String {
    let encoded = STANDARD.encode(blob);
    let lines = encoded.as_bytes().chunks(LINE).map(|line| str::from_utf8(line).expect("base64 is ASCII"));
    let lines: Vec<&str> = lines.collect();
    format!("{BEGIN}\n{}\n{END}\n", lines.join("\n"))
}

/// Takes the armor off a signature that `ssh-keygen` wrote.
pub fn plain(armored: &[u8]) -> Result<Vec<u8>, Refusal> {
    if armored.len() > MOST_SIGNATURE_BYTES {
        return Err(Refusal::TooLong);
    }
    dearmored(armored)
}
