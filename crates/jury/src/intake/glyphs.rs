//! Letters that look like others: zero-width characters, full-width and mathematical letters, look-alikes of other scripts.
//!
//! In: a text. Out: the text as a person reads it, and where each part stands in the original. Deliberately not here:
//! punctuation and letters of a text in another script, which stay as they are.

use unicode_normalization::UnicodeNormalization;

use super::scalars;
use crate::syntax::Span;

/// A text with plain letters, and its way back.
pub(super) struct Folded {
    pub(super) text: String,
    /// The parts that were changed: where each stands in the folded text and in the original, in order.
    changed: Vec<(Span, Span)>,
}

impl Folded {
    /// Returns the place in the original of a place in the folded text.
    pub(super) fn original(&self, span: Span) -> Span {
        let start = self.offset(span.start);
        Span::new(start, self.offset(span.end).max(start))
    }

    /// Returns an offset in the original. Inside of a part that was changed it is the start of that part.
    fn offset(&self, at: usize) -> usize {
        let next = self.changed.partition_point(|(folded, _)| folded.end <= at);
        if let Some((folded, original)) = self.changed.get(next)
            && folded.start <= at
        {
            return original.start;
        }
        match next.checked_sub(1).and_then(|before| self.changed.get(before)) {
            Some((folded, original)) => original.end + (at - folded.end),
            None => at,
        }
    }

    fn change(&mut self, plain: &str, original: Span) {
        let start = self.text.len();
        self.text.push_str(plain);
        self.changed.push((Span::new(start, self.text.len()), original));
    }
}

/// Letters of other scripts and the Latin ones that they look like.
#[rustfmt::skip]
const ALIKE: &[(&str, &str)] = &[
    // Cyrillic.
    ("АВЕКМНОРСТХІЈЅԌԚԜУ", "ABEKMHOPCTXIJSGQWY"), ("аеорсухіјѕԛԝһӏ", "aeopcyxijsqwhl"),
    // Greek.
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"), ("οανιρ", "oavip"),
    // Small capitals and further letters.
    ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPRSTUVWYZ"), ("ıɡɑ", "iga"),
];

fn alike(c: char) -> Option<char> {
    ALIKE.iter().find_map(|(others, letters)| {
        let at = others.chars().position(|other| other == c)?;
        letters.chars().nth(at)
    })
}

/// Tells whether a character takes no space and joins nothing that is seen.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200c}' | '\u{200e}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns the Latin letters that one character is a form of: full-width, mathematical, circled.
fn plain_form(c: char) -> Option<String> {
    if c.is_ascii() {
        return None;
    }
    let form: String = c.nfkc().collect();
    let is_plain = form != c.to_string() && !form.is_empty() && form.chars().all(|c| c.is_ascii_alphanumeric());
    // A small raised figure is a power or a footnote, and the sign for information is a sign.
    (is_plain && !matches!(c, '²' | '³' | '¹' | '⁰'..='⁹' | '₀'..='₉' | 'ª' | 'º' | 'ℹ')).then_some(form)
}

/// Folds a text. `None` if it reads as it is.
pub(super) fn folded(text: &str) -> Option<Folded> {
    if text.is_ascii() {
        return None;
    }
    let mut folded = Folded { text: String::with_capacity(text.len()), changed: Vec::new() };
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_of_word = |c: char| c.is_alphanumeric() || is_invisible(c);
        // A mark at the very start says how the text is encoded.
        let end = if at == 0 && first == '\u{feff}' { 0 } else { rest.find(|c| !is_of_word(c)).unwrap_or(rest.len()) };
        let word = &rest[..if end == 0 { first.len_utf8() } else { end }];
        let plain = if end == 0 || word.is_ascii() { word.to_owned() } else { plain(word) };
        if plain == word {
            folded.text.push_str(word);
        } else {
            folded.change(&plain, Span::new(at, at + word.len()));
        }
        at += word.len();
    }
    (folded.text != text).then_some(folded)
}

/// Returns a word as a person reads it.
fn plain(word: &str) -> String {
    let seen: String = word.chars().filter(|c| !is_invisible(*c)).collect();
    let formed: String = seen.chars().map(|c| plain_form(c).unwrap_or_else(|| c.to_string())).collect();
    let latin = formed.chars().filter(char::is_ascii_alphabetic).count();
    let others = formed.chars().filter(|c| alike(*c).is_some()).count();
    if others == 0 {
        return formed;
    }
    let replaced: String = formed.chars().map(|c| alike(c).unwrap_or(c)).collect();
    // A word of one script is a word of that script, unless it spells a severity or a verdict in Latin.
    let is_mixed = latin > 0 && replaced.is_ascii();
    let spells =
        || replaced.is_ascii() && (scalars::severity(&replaced).is_some() || scalars::verdict(&replaced).is_some());
    if is_mixed || spells() { replaced } else { formed }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_read_as_they_look() {
        for (text, plain) in [
            ("### HIG\u{200b}H", "### HIGH"),
            ("### ＨＩＧＨ", "### HIGH"),
            ("### НІGH", "### HIGH"),
            ("𝐂𝐫𝐢𝐭𝐢𝐜𝐚𝐥", "Critical"),
            ("ʜɪɢʜ", "HIGH"),
        ] {
            assert_eq!(folded(text).map(|folded| folded.text).as_deref(), Some(plain), "{text}");
        }
        for text in ["Высокий риск", "严重问题：x", "👨‍👩‍👧", "naïve café", "x² — y", "ℹ️ Info", "plain"]
        {
            assert!(folded(text).is_none(), "{text}");
        }
    }

    #[test]
    fn places_lead_back() {
        let text = "é HIG\u{200b}H ｘ end";
        let folded = folded(text).unwrap();
        let at = folded.text.find("end").unwrap();
        let span = folded.original(Span::new(at, at + 3));
        assert_eq!(&text[span.start..span.end], "end");
    }
}
