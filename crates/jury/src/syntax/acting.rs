//! Characters with an effect instead of a glyph: they steer terminals, turn the reading direction, or hide.
//!
//! Output for people writes these out. Deliberately not here: look-alike letters, which are
//! visible.

use std::ops::RangeInclusive;

/// Unicode's default ignorables, the characters that show nothing by themselves, and three that separate lines or notes.
/// Direction marks, zero-width characters, fillers and tags are among them.
const INVISIBLE: &[RangeInclusive<char>] = &[
    '\u{ad}'..='\u{ad}',
    '\u{34f}'..='\u{34f}',
    '\u{61c}'..='\u{61c}',
    '\u{115f}'..='\u{1160}',
    '\u{17b4}'..='\u{17b5}',
    '\u{180b}'..='\u{180f}',
    '\u{200b}'..='\u{200f}',
    // Line and paragraph separator, embeddings and overrides.
    '\u{2028}'..='\u{202e}',
    '\u{2060}'..='\u{206f}',
    '\u{3164}'..='\u{3164}',
    // The last two variation selectors choose between text and emoji, and are part of honest text.
    '\u{fe00}'..='\u{fe0d}',
    '\u{feff}'..='\u{feff}',
    '\u{ffa0}'..='\u{ffa0}',
    '\u{fff0}'..='\u{fffb}',
    '\u{1bca0}'..='\u{1bca3}',
    '\u{1d173}'..='\u{1d17a}',
    '\u{e0000}'..='\u{e0fff}',
];

/// Tells whether a character acts: it controls, separates lines, or is invisible. A tab and a line feed do, too.
pub fn acts(c: char) -> bool {
    c.is_control() || (!c.is_ascii() && INVISIBLE.iter().any(|range| range.contains(&c)))
}
