//! The part of a migration that runs on the way up. In: SQL. Out: text of the same length, with comments, strings and
//! the down part blanked out.

/// The marks with which migration tools start the down part and the up part of a file.
const DOWN: &[&str] = &["+goose down", "migrate:down", "+migrate down", "rollback", "@undo", "down"];
const UP: &[&str] = &["+goose up", "migrate:up", "+migrate up", "up"];

/// Syntax of databases other than PostgreSQL.
const FOREIGN: &[&str] =
    &["`", "engine=", "auto_increment", "autoincrement", "pragma ", "nvarchar", "[dbo]", "identity(1"];

/// Like `masked`, but blanks everything if the SQL is for another database. SQL without a sign of one is taken as
/// PostgreSQL.
pub(crate) fn masked_for_postgres(text: &str) -> String {
    let masked = masked(text);
    let lower = masked.to_ascii_lowercase();
    if FOREIGN.iter().any(|word| lower.contains(word)) { " ".repeat(masked.len()) } else { masked }
}

/// Blanks out the parts that do not run on the way up.
pub(crate) fn masked(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut masked = bytes.to_vec();
    let mut is_down = false;
    let mut at = 0;
    while at < bytes.len() {
        let (length, is_code) = match bytes[at] {
            b'-' if bytes[at..].starts_with(b"--") => {
                let length = until(bytes, at, b"\n");
                is_down = marks(&text[at..at + length]).unwrap_or(is_down);
                (length, false)
            }
            b'/' if bytes[at..].starts_with(b"/*") => (until(bytes, at + 2, b"*/") + 4, false),
            b'\'' => (until(bytes, at + 1, b"'") + 2, false),
            _ => (1, true),
        };
        let end = (at + length).min(bytes.len());
        if !is_code || is_down {
            blank(&mut masked[at..end]);
        }
        at = end;
    }
    String::from_utf8(masked).expect("whole characters are blanked out, byte by byte")
}

/// Tells whether a comment starts the down part or the up part.
fn marks(comment: &str) -> Option<bool> {
    let said = comment.trim_start_matches('-').trim().trim_end_matches(':').to_ascii_lowercase();
    let starts = |words: &[&str]| words.iter().any(|word| said == *word || (word.len() > 4 && said.starts_with(word)));
    if starts(DOWN) { Some(true) } else { starts(UP).then_some(false) }
}

/// Returns the number of bytes before the next `end`, or the end of the text.
fn until(bytes: &[u8], from: usize, end: &[u8]) -> usize {
    let rest = bytes.get(from..).unwrap_or_default();
    rest.windows(end.len()).position(|window| window == end).unwrap_or(rest.len())
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|byte| **byte != b'\n' && **byte != b'\r') {
        *byte = b' ';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_done_is_blank() {
        let text = "a -- drop é\nb /* x */ 'it''s' c\n-- +goose Down\nd\n-- +goose Up\ne";
        let masked = masked(text);
        assert_eq!(masked.len(), text.len());
        assert_eq!(masked.split_whitespace().collect::<Vec<_>>(), ["a", "b", "c", "e"]);
        assert_eq!(masked.lines().count(), text.lines().count());
    }

    #[test]
    fn other_databases_are_known_by_their_words() {
        for text in ["CREATE TABLE `a` (id int)", "CREATE TABLE a (id INT Auto_Increment)"] {
            assert_eq!(masked_for_postgres(text), " ".repeat(text.len()));
        }
        let text = "-- not `b`\nCREATE INDEX a ON b (c);";
        assert_eq!(masked_for_postgres(text), masked(text));
    }

    #[test]
    fn what_never_ends_is_blank_to_the_end() {
        for text in ["'open", "/* open", "-- open", "/*", "'", "a 'é"] {
            assert_eq!(masked(text).len(), text.len(), "{text}");
        }
    }
}
