//! Bytes, read from the front. A read beyond the end is a flaw, never a panic.

use super::Flaw;

/// What is left to be read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bytes<'b>(&'b [u8]);

impl<'b> Bytes<'b> {
    pub(super) fn of(bytes: &'b [u8]) -> Self {
        Self(bytes)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns what is left, unread.
    pub(super) fn rest(&self) -> &'b [u8] {
        self.0
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&'b [u8], Flaw> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(Flaw::Malformed)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Flaw> {
        let (taken, rest) = self.0.split_first_chunk::<N>().ok_or(Flaw::Malformed)?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(super) fn byte(&mut self) -> Result<u8, Flaw> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16_be(&mut self) -> Result<u16, Flaw> {
        self.array().map(u16::from_be_bytes)
    }

    pub(super) fn u16_le(&mut self) -> Result<u16, Flaw> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u24_le(&mut self) -> Result<u32, Flaw> {
        self.array().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }

    pub(super) fn u32_be(&mut self) -> Result<u32, Flaw> {
        self.array().map(u32::from_be_bytes)
    }

    pub(super) fn u32_le(&mut self) -> Result<u32, Flaw> {
        self.array().map(u32::from_le_bytes)
    }

    /// Takes exactly these bytes.
    pub(super) fn expect(&mut self, expected: &[u8]) -> Result<(), Flaw> {
        if self.take(expected.len())? == expected { Ok(()) } else { Err(Flaw::Malformed) }
    }
}
