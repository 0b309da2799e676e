//! The wire encoding of SSH (RFC 4251, section 5): bytes in, fields out, and back. Every length is checked before it is used.

use super::Refusal;

/// The fields of a blob, from its start.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    rest: &'a [u8],
}

const CUT_OFF: Refusal = Refusal::Shape("it is cut off");

impl<'a> Fields<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Returns what was not read yet.
    pub(super) fn rest(self) -> &'a [u8] {
        self.rest
    }

    /// Reads a number of bytes.
    pub(super) fn bytes(&mut self, length: usize) -> Result<&'a [u8], Refusal> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(CUT_OFF)?;
        self.rest = rest;
        Ok(taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Refusal> {
        Ok(self.bytes(1)?[0])
    }

    pub(super) fn number(&mut self) -> Result<u32, Refusal> {
        let bytes = self.bytes(4)?;
        Ok(bytes.iter().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    pub(super) fn long(&mut self) -> Result<u64, Refusal> {
        Ok(u64::from(self.number()?) << 32 | u64::from(self.number()?))
    }

    /// Reads a string: its length, and its bytes.
    pub(super) fn string(&mut self) -> Result<&'a [u8], Refusal> {
        let length = usize::try_from(self.number()?).map_err(|_| CUT_OFF)?;
        self.bytes(length)
    }

    /// Reads a string that is text.
    pub(super) fn text(&mut self) -> Result<&'a str, Refusal> {
        str::from_utf8(self.string()?).map_err(|_| Refusal::Shape("a name is not text"))
    }

    /// Reads a number of any size that is not negative, in its only form; returns its bytes without leading zeros.
    pub(super) fn unsigned(&mut self) -> Result<&'a [u8], Refusal> {
        const FORM: Refusal = Refusal::Shape("a number is not in its shortest form");
        match self.string()? {
            [] => Ok(&[]),
            [0, rest @ ..] if rest.first().is_some_and(|first| first & 0x80 != 0) => Ok(rest),
            [first, ..] if *first == 0 || first & 0x80 != 0 => Err(FORM),
            bytes => Ok(bytes),
        }
    }

    /// Refuses bytes after the last field.
    pub(super) fn end(self) -> Result<(), Refusal> {
        if self.rest.is_empty() { Ok(()) } else { Err(Refusal::Shape("there is more after its end")) }
    }
}

/// Appends a string: its length, and its bytes.
pub(super) fn put_string(to: &mut Vec<u8>, bytes: &[u8]) {
    let length = u32::try_from(bytes.len()).expect("every field is below the limit of a signature");
    to.extend_from_slice(&length.to_be_bytes());
    to.extend_from_slice(bytes);
}
