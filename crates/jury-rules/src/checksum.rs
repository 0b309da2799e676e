//! Checksums and encodings that prove a secret genuine. In: a secret. Out: whether its checksum is right, whether it
//! decodes. An invented example has the right prefix and length, but fails here.

use serde_json::Value;

/// The digits of base 62, as token formats use them.
const BASE_62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// The length of a CRC-32 in base 62.
const LENGTH: usize = 6;

/// Tells whether the last six characters are the base 62 CRC-32 of those between them and the last `_`.
pub(crate) fn has_crc32_base62(secret: &str) -> bool {
    let body = secret.rsplit('_').next().unwrap_or_default();
    body.len().checked_sub(LENGTH).is_some_and(|at| {
        let (body, sum) = body.as_bytes().split_at(at);
        sum == base_62(crc32(body))
    })
}

/// Returns the CRC-32 of bytes (IEEE 802.3, as in zlib).
fn crc32(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let step = |sum: u32, _| (sum >> 1) ^ (POLYNOMIAL & (sum & 1).wrapping_neg());
    !bytes.iter().fold(u32::MAX, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

/// Writes a number as six base 62 digits.
fn base_62(mut number: u32) -> [u8; LENGTH] {
    let mut digits = [b'0'; LENGTH];
    for digit in digits.iter_mut().rev() {
        *digit = BASE_62[(number % 62) as usize];
        number /= 62;
    }
    digits
}

/// Tells whether a text is a JSON Web Token: a header that names an algorithm, and claims.
pub(crate) fn is_json_web_token(text: &str) -> bool {
    let object = |part: Option<&str>| match serde_json::from_slice(&base64url(part?)?) {
        Ok(Value::Object(members)) => Some(members),
        _ => None,
    };
    let mut parts = text.split('.');
    let header = object(parts.next());
    header.is_some_and(|header| header.contains_key("alg")) && object(parts.next()).is_some()
}

/// Decodes base64url; `None` if it is invalid.
fn base64url(text: &str) -> Option<Vec<u8>> {
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'-' | b'+' => 62,
            b'_' | b'/' => 63,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
            bits &= (1 << count) - 1;
        }
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_one_of_zlib_in_base_62() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc32(b""), 0);
        assert_eq!(&base_62(0), b"000000");
        assert_eq!(&base_62(61), b"00000z");
        assert_eq!(&base_62(62), b"000010");
    }

    #[test]
    fn a_token_that_was_made_up_has_the_wrong_checksum() {
        let body = "aB3dE5gH7jK9mN1pQ3sT5vW7xY9zA2";
        let right = String::from_utf8(base_62(crc32(body.as_bytes())).to_vec()).unwrap();
        assert!(has_crc32_base62(&format!("ghp_{body}{right}")));
        assert!(!has_crc32_base62(&format!("ghp_{body}cD4fG6")));
        assert!(!has_crc32_base62(&format!("ghp_b{}{right}", &body[1..])));
        assert!(!has_crc32_base62("ghp_"));
        assert!(!has_crc32_base62("é"));
    }

    #[test]
    fn only_what_decodes_is_a_json_web_token() {
        let header = ["eyJ", "hbGciOiJIUzI1NiJ9"].concat();
        let claims = ["eyJ", "1aWQiOjQyfQ"].concat();
        assert!(is_json_web_token(&format!("{header}.{claims}.c2ln")));
        assert!(!is_json_web_token(&format!("{claims}.{claims}.c2ln")), "no algorithm");
        assert!(!is_json_web_token(&format!("{header}.eyJhbGci.c2ln")), "cut off");
        assert!(!is_json_web_token(&header));
        assert!(!is_json_web_token("é.é.é"));
    }
}
