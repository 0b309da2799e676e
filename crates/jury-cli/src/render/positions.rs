//! Lines and columns of many offsets in one walk: a document has one line or a million, and a deviation in each.

use jury::syntax::Position;

/// A walk through a document that says where it is.
pub(crate) struct Positions<'a> {
    bytes: &'a [u8],
    offset: usize,
    position: Position,
}

const START: Position = Position { line: 1, column: 1 };

impl<'a> Positions<'a> {
    /// Starts at the beginning.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, offset: 0, position: START }
    }

    /// Returns the position of an offset. Offsets that ascend cost one walk together.
    pub(crate) fn at(&mut self, offset: usize) -> Position {
        let offset = offset.min(self.bytes.len());
        if offset < self.offset {
            *self = Self::new(self.bytes);
        }
        for byte in &self.bytes[self.offset..offset] {
            match byte {
                b'\n' => self.position = Position { line: self.position.line + 1, column: 1 },
                // Bytes that continue a character are not characters of their own.
                byte => self.position.column += usize::from(byte & 0xC0 != 0x80),
            }
        }
        self.offset = offset;
        self.position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_agrees_with_the_library() {
        let bytes = "aé\n\r\nz\n\n漢x".bytes().chain([0xff, b'\n', 0x80]).collect::<Vec<u8>>();
        let mut places = Positions::new(&bytes);
        for offset in (0..=bytes.len() + 2).chain([3, 1, 9]) {
            assert_eq!(places.at(offset), Position::in_bytes(&bytes, offset), "{offset}");
        }
    }
}
