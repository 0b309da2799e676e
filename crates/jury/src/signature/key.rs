//! A public key of SSH: its blob in, its kind and fingerprint out, and whether a signature is its own.

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA512,
    RsaPublicKeyComponents, UnparsedPublicKey,
};
use sha2::{Digest as _, Sha256};

use super::Refusal;
use super::fields::{Fields, put_string};

/// The kinds of keys that are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// Ed25519.
    Ed25519,
    /// ECDSA with P-256.
    P256,
    /// ECDSA with P-384.
    P384,
    /// RSA with 2,048 bits or more, and SHA-256 or SHA-512.
    Rsa,
    /// Ed25519 in a hardware key, which tells whether it was touched.
    SkEd25519,
    /// ECDSA with P-256 in a hardware key, which tells whether it was touched.
    SkP256,
}

/// The kinds with their names in blobs, and with the curve that some of them state.
const KINDS: &[(KeyKind, &str)] = &[
    (KeyKind::Ed25519, "ssh-ed25519"),
    (KeyKind::P256, "ecdsa-sha2-nistp256"),
    (KeyKind::P384, "ecdsa-sha2-nistp384"),
    (KeyKind::Rsa, "ssh-rsa"),
    (KeyKind::SkEd25519, "sk-ssh-ed25519@openssh.com"),
    (KeyKind::SkP256, "sk-ecdsa-sha2-nistp256@openssh.com"),
];

/// The flag of a hardware key that it was touched.
const TOUCHED: u8 = 0x01;

impl KeyKind {
    /// Returns the kind of that name.
    pub(super) fn of(name: &str) -> Option<Self> {
        KINDS.iter().find(|(_, of)| *of == name).map(|(kind, _)| *kind)
    }

    /// Returns its name in blobs.
    pub fn name(self) -> &'static str {
        KINDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, name)| name)
    }

    /// Tells whether a key of this kind is in hardware that demands a person's touch.
    pub fn is_hardware(self) -> bool {
        matches!(self, Self::SkEd25519 | Self::SkP256)
    }

    fn curve(self) -> Option<&'static [u8]> {
        match self {
            Self::P256 | Self::SkP256 => Some(b"nistp256"),
            Self::P384 => Some(b"nistp384"),
            Self::Ed25519 | Self::Rsa | Self::SkEd25519 => None,
        }
    }

    /// Returns the bytes of one of the two numbers of an ECDSA signature.
    fn scalar_bytes(self) -> usize {
        if self == Self::P384 { 48 } else { 32 }
    }
}

/// A public key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey {
    kind: KeyKind,
    /// The key as the algorithm takes it; of RSA, the exponent.
    point: Vec<u8>,
    /// The modulus of RSA.
    modulus: Vec<u8>,
    /// What a hardware key signs for.
    application: Vec<u8>,
}

impl PublicKey {
    /// Reads a blob to its end.
    pub(super) fn read(blob: &[u8]) -> Result<Self, Refusal> {
        let mut fields = Fields::new(blob);
        let kind = KeyKind::of(fields.text()?).ok_or(Refusal::KeyKind)?;
        let key = Self::fields(kind, &mut fields)?;
        fields.end()?;
        Ok(key)
    }

    /// Reads a line of a `.pub` file, such as `ssh-add -L` prints.
    pub fn of_line(line: &str) -> Option<Self> {
        let mut words = line.split_whitespace();
        let (name, encoded) = (words.next()?, words.next()?);
        let key = Self::read(&STANDARD.decode(encoded).ok()?).ok()?;
        (key.kind.name() == name).then_some(key)
    }

    /// Reads the fields of a key after the name of its kind.
    pub(super) fn fields(kind: KeyKind, fields: &mut Fields<'_>) -> Result<Self, Refusal> {
        if kind.curve().is_some_and(|curve| fields.string() != Ok(curve)) {
            return Err(Refusal::Shape("a key of another curve than it states"));
        }
        let (point, modulus) = match kind {
            KeyKind::Rsa => (fields.unsigned()?, fields.unsigned()?),
            _ => (fields.string()?, &[] as &[u8]),
        };
        if matches!(kind, KeyKind::Ed25519 | KeyKind::SkEd25519) && point.len() != 32 {
            return Err(Refusal::Shape("a key of the wrong length"));
        }
        let application = if kind.is_hardware() { fields.string()? } else { &[] };
        Ok(Self { kind, point: point.to_vec(), modulus: modulus.to_vec(), application: application.to_vec() })
    }

    /// Returns its kind.
    pub fn kind(&self) -> KeyKind {
        self.kind
    }

    /// Returns the bytes of an Ed25519 key outside of hardware; `None` of any other.
    pub fn plain_ed25519(&self) -> Option<&[u8]> {
        (self.kind == KeyKind::Ed25519).then_some(self.point.as_slice())
    }

    /// Returns its only blob.
    fn blob(&self) -> Vec<u8> {
        let mut blob = Vec::new();
        put_string(&mut blob, self.kind.name().as_bytes());
        if let Some(curve) = self.kind.curve() {
            put_string(&mut blob, curve);
        }
        if self.kind == KeyKind::Rsa {
            put_unsigned(&mut blob, &self.point);
            put_unsigned(&mut blob, &self.modulus);
        } else {
            put_string(&mut blob, &self.point);
        }
        if self.kind.is_hardware() {
            put_string(&mut blob, &self.application);
        }
        blob
    }

    /// Returns its fingerprint, as `ssh-keygen -l` prints it.
    pub fn fingerprint(&self) -> String {
        format!("SHA256:{}", STANDARD_NO_PAD.encode(Sha256::digest(self.blob())))
    }

    /// Returns it as a line of a `.pub` file.
    pub fn line(&self) -> String {
        format!("{} {}", self.kind.name(), STANDARD.encode(self.blob()))
    }

    /// Checks the blob of a signature over data. Returns whether the key was touched for it.
    pub(super) fn verify(&self, signature: &[u8], data: &[u8]) -> Result<bool, Refusal> {
        let mut fields = Fields::new(signature);
        let algorithm = fields.text()?;
        let signed = fields.string()?;
        if self.kind != KeyKind::Rsa && algorithm != self.kind.name() {
            return Err(Refusal::Mismatch);
        }
        let checked = match self.kind {
            KeyKind::Ed25519 => UnparsedPublicKey::new(&ED25519, &self.point).verify(data, signed),
            KeyKind::P256 => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &self.point).verify(data, &self.ecdsa(signed)?)
            }
            KeyKind::P384 => {
                UnparsedPublicKey::new(&ECDSA_P384_SHA384_FIXED, &self.point).verify(data, &self.ecdsa(signed)?)
            }
            KeyKind::Rsa => {
                let scheme = match algorithm {
                    "rsa-sha2-256" => &RSA_PKCS1_2048_8192_SHA256,
                    "rsa-sha2-512" => &RSA_PKCS1_2048_8192_SHA512,
                    _ => return Err(Refusal::KeyKind),
                };
                RsaPublicKeyComponents { n: &self.modulus, e: &self.point }.verify(scheme, data, signed)
            }
            KeyKind::SkEd25519 | KeyKind::SkP256 => {
                let flags = fields.byte()?;
                let counter = fields.number()?;
                fields.end()?;
                let mut data_of_key = Sha256::digest(&self.application).to_vec();
                data_of_key.push(flags);
                data_of_key.extend_from_slice(&counter.to_be_bytes());
                data_of_key.extend_from_slice(&Sha256::digest(data));
                let checked = if self.kind == KeyKind::SkEd25519 {
                    UnparsedPublicKey::new(&ED25519, &self.point).verify(&data_of_key, signed)
                } else {
                    let signed = self.ecdsa(signed)?;
                    UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &self.point).verify(&data_of_key, &signed)
                };
                return checked.map(|()| flags & TOUCHED != 0).map_err(|_| Refusal::Mismatch);
            }
        };
        fields.end()?;
        checked.map(|()| false).map_err(|_| Refusal::Mismatch)
    }

    /// Returns the two numbers of an ECDSA signature in their full width.
    fn ecdsa(&self, signed: &[u8]) -> Result<Vec<u8>, Refusal> {
        let width = self.kind.scalar_bytes();
        let mut fields = Fields::new(signed);
        let mut both = Vec::with_capacity(2 * width);
        for _ in 0..2 {
            let number = fields.unsigned()?;
            let zeros = width.checked_sub(number.len()).ok_or(Refusal::Mismatch)?;
            both.resize(both.len() + zeros, 0);
            both.extend_from_slice(number);
        }
        fields.end()?;
        Ok(both)
    }
}

/// Appends a number of any size.
fn put_unsigned(to: &mut Vec<u8>, bytes: &[u8]) {
    let is_led = bytes.first().is_some_and(|first| first & 0x80 != 0);
    let led = if is_led { [&[0], bytes].concat() } else { bytes.to_vec() };
    put_string(to, &led);
}
