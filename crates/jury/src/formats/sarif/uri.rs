//! URIs as text: escapes, one spelling of absolute URIs, paths from relative references and back.
//!
//! In: the URI of a file as a tool wrote it. Out: a path inside the repository, or why it is none. Nothing is looked up.

use crate::model::{PathError, RepoPath};

/// A longer URI is no path, however much of it is escaped.
pub(super) const LONGEST: usize = 3 * RepoPath::LONGEST;

/// Tells whether a URI is that of a whole file system or drive, which is no source tree.
pub(super) fn is_drive(uri: &str) -> bool {
    uri.strip_prefix("file://").is_some_and(|path| matches!(path.as_bytes(), [b'/'] | [b'/', _, b':', b'/']))
}

/// Takes the escapes out of a URI.
pub(super) fn decoded(uri: &str) -> Result<String, String> {
    if uri.len() > LONGEST {
        return Err(PathError::TooLong.to_string());
    }
    if uri.contains(['?', '#']) {
        return Err("the URI has a query or a fragment, which no path has".to_owned());
    }
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digit = |at: usize| after.get(at).and_then(|byte| char::from(*byte).to_digit(16));
        rest = match (first, digit(0), digit(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.extend(u8::try_from(high * 16 + low));
                &after[2..]
            }
            (b'%', _, _) => return Err("a `%` is not followed by two hexadecimal digits".to_owned()),
            _ => {
                bytes.push(*first);
                after
            }
        };
    }
    String::from_utf8(bytes).map_err(|_| "the escapes of the URI are not UTF-8".to_owned())
}

/// Returns a URI in one spelling if it is absolute; one that starts with a slash is taken as that of a file.
pub(super) fn absolute(uri: &str) -> Result<Option<String>, String> {
    let is_scheme = |text: &str| {
        text.len() > 1
            && text.starts_with(|c: char| c.is_ascii_alphabetic())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
    };
    let path = match uri.split_once(':').filter(|(scheme, _)| is_scheme(scheme)) {
        Some((scheme, rest)) if scheme.eq_ignore_ascii_case("file") => rest,
        Some((scheme, rest)) => return Ok(Some(format!("{}:{}", scheme.to_ascii_lowercase(), decoded(rest)?))),
        None if uri.starts_with("//") => return Ok(Some(decoded(uri)?)),
        None if uri.starts_with('/') => uri,
        None => return Ok(None),
    };
    let path = decoded(path)?;
    let path = path.trim_start_matches('/');
    let mut path = path.strip_prefix("localhost/").unwrap_or(path).to_owned();
    if matches!(path.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic()) {
        path[..1].make_ascii_lowercase();
    }
    Ok(Some(format!("file:///{path}")))
}

/// Returns the absolute path on its machine that a `file:` URI names.
pub(super) fn local(uri: &str) -> Option<String> {
    let absolute = absolute(uri).ok().flatten()?;
    let path = absolute.strip_prefix("file:///")?;
    let has_drive = matches!(path.as_bytes(), [drive, b':', ..] if drive.is_ascii_alphabetic());
    Some(if has_drive { path.to_owned() } else { format!("/{path}") })
}

/// Takes a relative reference as a path; `./` is the repository itself.
pub(super) fn repo_path(text: &str) -> Result<Option<RepoPath>, String> {
    let segments: Vec<&str> = text.split('/').filter(|segment| *segment != ".").collect();
    match segments.join("/").as_str() {
        "" if !text.is_empty() => Ok(None),
        path => RepoPath::new(path).map(Some).map_err(|error| error.to_string()),
    }
}

/// Spells a path as a relative URI.
pub(super) fn of(path: &RepoPath) -> String {
    let mut uri = String::new();
    for byte in path.as_str().bytes() {
        match byte {
            // A colon would make the first segment a scheme (RFC 3986, §4.2).
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => uri.push(byte.into()),
            _ if b"-._~!$&'()*+,;=@/".contains(&byte) => uri.push(byte.into()),
            _ => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_uris_name_paths_of_their_machine() {
        for (uri, path) in [
            ("file:///work/a%20b.ts", Some("/work/a b.ts")),
            ("file://localhost/work/a", Some("/work/a")),
            ("/work/a", Some("/work/a")),
            ("file:///C:/work/a", Some("c:/work/a")),
            ("https://example.com/work/a", None),
            ("src/a.ts", None),
            ("file:///work/a?x", None),
        ] {
            assert_eq!(local(uri).as_deref(), path, "{uri}");
        }
    }

    #[test]
    fn paths_read_back_from_their_uris() {
        for text in ["src/a.ts", "a b/ü:%?#[x].rs", "a:b", "ab:c", "-rf", "x\ny"] {
            let uri = of(&RepoPath::new(text).unwrap());
            assert!(uri.bytes().all(|b| b.is_ascii_graphic()), "{uri}");
            assert_eq!(absolute(&uri), Ok(None), "{uri}");
            let again = repo_path(&decoded(&uri).unwrap()).unwrap().unwrap();
            assert_eq!(again.as_str(), text);
        }
    }
}
