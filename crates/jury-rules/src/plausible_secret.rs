//! Tells whether a text could be a real secret. In: the text at the place of a secret. Out: whether it is a
//! placeholder, and whether it looks machine-generated or like a password. Deliberately not here: the formats of
//! providers.

/// Words that occur only in placeholders; documented example keys contain the first.
const STAND_INS: &[&str] = &[
    "example",
    "sample",
    "dummy",
    "placeholder",
    "changeme",
    "change-me",
    "change_me",
    "changeit",
    "redacted",
    "your-",
    "your_",
    "yourkey",
    "yourtoken",
    "yoursecret",
    "yourpassword",
    "mysecret",
    "replace",
    "insert-",
    "insert_",
    "-here",
    "_here",
    "goeshere",
    "xxxx",
    "****",
    "....",
    "____",
    "0000000",
    "1234567",
    "abcdefg",
    "987654",
    "qwerty",
    "asdfgh",
    "zxcvbn",
    "foobar",
    "lorem",
    "fake",
    "mock",
    "notreal",
    "not-a-real",
    "deadbeef",
    "cafebabe",
    "undefined",
    "<",
    "${",
    "{{",
    "%(",
    "#{",
];
/// Examples printed in standards and well-known manuals, which are widely copied.
const DOCUMENTED: &[&str] = &[
    "tGzv3JOkF0XG5Qx2TlKWIA",
    "2YotnFZFEjr1zCsicMWpAA",
    "czZCaGRSa3F0MzpnWDFmQmF0M2JW",
    "gX1fBat3bV",
    "mF_9.B5f-4.1JqM",
    "QWxhZGRpbjpvcGVuIHNlc2FtZQ",
    "ad180jjd733klru7",
    "854DvwSlUwEHtIo3kWy6x7UCPKHfzCmy",
    "bm90IG15IHJlYWwgcGFzc3dvcmQ",
];
/// The shortest word that does not occur in a long secret by chance.
const SHORTEST_IN_LONG: usize = 7;
/// The length from which a secret may contain any short word by chance.
const LONG: usize = 200;
/// The longest run of one character that occurs in a secret by chance.
const LONGEST_RUN: usize = 4;
/// How many such runs make a placeholder: keys of some formats contain padding.
const RUNS: usize = 5;
/// The longest piece whose repetition makes a placeholder.
const LONGEST_PERIOD: usize = 8;

/// Tells whether a text is a placeholder for a secret.
pub(crate) fn is_placeholder(secret: &str) -> bool {
    let is_long = secret.len() >= LONG;
    let lower = secret.to_ascii_lowercase();
    let counts = |word: &&&str| !is_long || word.len() >= SHORTEST_IN_LONG;
    let run = longest_run(&lower);
    STAND_INS.iter().filter(counts).any(|word| lower.contains(word))
        || DOCUMENTED.iter().any(|example| secret.contains(example))
        || run > LONGEST_RUN && RUNS * run >= lower.len()
        || is_periodic(lower.as_bytes())
}

/// Returns the length of the longest run of one character.
fn longest_run(text: &str) -> usize {
    text.as_bytes().chunk_by(|one, next| one == next).map(<[u8]>::len).max().unwrap_or_default()
}

/// Tells whether a text repeats one short piece.
fn is_periodic(text: &[u8]) -> bool {
    (1..=LONGEST_PERIOD).any(|period| text.len() >= 2 * period && text[period..] == text[..text.len() - period])
}

/// Returns the entropy of a text in bits per character, by byte frequencies.
pub(crate) fn entropy(text: &str) -> f64 {
    let mut counts = [0_u64; 256];
    text.bytes().for_each(|byte| counts[usize::from(byte)] += 1);
    let all = text.len() as u64;
    let bits = |count: u64| count as f64 / all as f64 * (log2(all) - log2(count));
    counts.iter().filter(|count| **count > 0).map(|count| bits(*count)).sum()
}

/// The logarithms of the counts that most secrets have.
static LOGARITHMS: [f64; 128] = {
    let mut logarithms = [0.0; 128];
    let mut number = 1;
    while number < logarithms.len() {
        logarithms[number] = computed_log2(number as u64);
        number += 1;
    }
    logarithms
};

/// Returns the binary logarithm of a positive number.
fn log2(number: u64) -> f64 {
    let known = usize::try_from(number).ok().and_then(|number| LOGARITHMS.get(number));
    known.copied().unwrap_or_else(|| computed_log2(number))
}

/// Computes it to 2⁻⁴⁰, digit by digit: the last digits of `f64::log2` depend on the C library, and the secrets that are found
/// must not. The logarithms of two numbers differ by exactly the whole number that they should, if it is one.
const fn computed_log2(number: u64) -> f64 {
    let exponent = number.ilog2();
    let mut logarithm = exponent as f64;
    let mut rest = number as f64 / (1_u64 << exponent) as f64;
    let mut digit = 1.0;
    while digit > 1.0 / (1_u64 << 40) as f64 {
        digit /= 2.0;
        rest *= rest;
        if rest >= 2.0 {
            rest /= 2.0;
            logarithm += digit;
        }
    }
    logarithm
}

/// Tells whether a text looks machine-generated: long, letters and digits mixed, and not made of words.
pub(crate) fn is_drawn(text: &str) -> bool {
    let is_hex = text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let least = if is_hex { 3.0 } else { 3.5 };
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = text.bytes().any(|byte| byte.is_ascii_alphabetic());
    let is_varied = entropy(text) >= least;
    text.len() >= 16 && has_digit && has_letter && is_varied && 2 * in_words(text) < text.len() && !is_name(text)
}

/// Tells whether a text is a name of several parts, mostly letters: `NEXUS-GPT4-API-KEY`.
fn is_name(text: &str) -> bool {
    let parts: Vec<&str> = text.split(['-', '_', '.', ':', '/']).collect();
    let plain = parts.iter().filter(|part| part.bytes().all(|byte| byte.is_ascii_alphabetic())).count();
    parts.len() >= 3 && 2 * plain > parts.len()
}

/// Tells whether a text satisfies usual password rules: at least three of upper case, lower case, digits and
/// punctuation, and more than one word with a number after it.
pub(crate) fn is_chosen(text: &str) -> bool {
    let has = |is: fn(&u8) -> bool| usize::from(text.as_bytes().iter().any(is));
    let kinds = has(u8::is_ascii_lowercase)
        + has(u8::is_ascii_uppercase)
        + has(u8::is_ascii_digit)
        + has(u8::is_ascii_punctuation);
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let is_varied = entropy(text) >= 2.7;
    text.len() >= 8 && kinds >= 3 && has_digit && is_varied && 3 * in_words(text) < 2 * text.len() && !is_name(text)
}

/// Counts the bytes that belong to words: four or more letters in a row, of which only the first may be a capital, with
/// as many vowels as a language has.
fn in_words(text: &str) -> usize {
    let bytes = text.as_bytes();
    let goes_on = |_: &u8, next: &u8| next.is_ascii_lowercase();
    let words = bytes.chunk_by(goes_on).chain(bytes.chunk_by(|one, next| is_shout(one) && is_shout(next)));
    words.filter(|word| is_word(word)).map(<[u8]>::len).sum()
}

fn is_shout(byte: &u8) -> bool {
    byte.is_ascii_uppercase()
}

fn is_word(word: &[u8]) -> bool {
    let letters: Vec<u8> = word.iter().filter(|byte| byte.is_ascii_alphabetic()).map(u8::to_ascii_lowercase).collect();
    let vowels = letters.iter().filter(|letter| b"aeiouy".contains(letter)).count();
    letters.len() >= 4
        && letters.len() + 1 >= word.len()
        && 5 * vowels >= letters.len()
        && 3 * vowels <= 2 * letters.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_counts_bits_per_character() {
        assert_eq!(entropy("aaaa"), 0.0);
        assert_eq!(entropy("abab"), 1.0);
        assert_eq!(entropy("abcdefgh"), 3.0);
        assert_eq!(entropy(&"abcdefgh".repeat(3)), 3.0);
        assert_eq!(entropy(&"abcdefgh".repeat(1_000)), 3.0);
    }

    #[test]
    fn logarithms_are_those_of_the_c_library_but_for_the_last_digits() {
        for number in (1..10_000).chain([u64::from(u32::MAX), (1 << 53) - 1]) {
            let difference = log2(number) - (number as f64).log2();
            assert!(difference.abs() < 1e-12, "{number}: {difference}");
        }
    }

    #[test]
    fn stand_ins_are_no_secrets() {
        for text in [
            "AKIAIOSFODNN7EXAMPLE",
            "your_api_key_goes_here",
            "aaaaaa7",
            "ab12ab12ab12ab12",
            "${SECRET}",
            "qwertyuiop12",
            "<api-key>",
            "tGzv3JOkF0XG5Qx2TlKWIA",
        ] {
            assert!(is_placeholder(text), "{text}");
        }
        assert!(!is_placeholder("q7Zr2LmX9cVb4NwK8sTd"));
        // Long keys have runs and short words by chance.
        let body = format!("{}AAAAAAfakE{}", "q7Zr2LmX9c".repeat(9), "Vb4NwK8sTd".repeat(12));
        assert!(!is_placeholder(&body));
        assert!(is_placeholder(&format!("{body}EXAMPLE")));
    }

    #[test]
    fn machines_draw_what_no_language_has() {
        for text in ["q7Zr2LmX9cVb4NwK8sTd", "6da89121079f83b2eb6acccf8219ea98", "Zf3D0LXCM3EIMbgJpUNnkRtOfOueHznB"] {
            assert!(is_drawn(text), "{text}");
        }
        for text in [
            "input-password-confirmation-field2",
            "InvalidCredentialsError42",
            "urn:ietf:params:oauth:token-type",
            "NEXUS-GPT4-API-KEY-NAME",
            "q7Zr2LmX",
        ] {
            assert!(!is_drawn(text), "{text}");
        }
    }

    #[test]
    fn people_choose_three_kinds_of_characters() {
        for text in ["hV7xk29sQ", "Tr0ub4dor&3", "S3cr3t!2024"] {
            assert!(is_chosen(text), "{text}");
        }
        for text in ["Password1", "hunter2", "confirm-password", "resetPassword2", "admin123", "scram-sha-256"] {
            assert!(!is_chosen(text), "{text}");
        }
    }
}
