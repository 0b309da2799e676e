//! Long lines on a terminal: broken between words, with the rest indented below.
//!
//! In: styled text and how wide the terminal is. Out: the same words in lines that fit. Deliberately not here: lines of code, whose columns mean something.

use anstream::adapter::strip_str;

/// Below this width nothing is gained.
const NARROWEST: usize = 40;
/// The separator between a line number and its code.
const CODE: char = '│';
/// Prefixes of a text that its next line does not repeat.
const MARKS: &[&str] = &["→", "✓", "✗"];

/// Breaks the lines that are longer than the terminal is wide.
pub(crate) fn wrapped(styled: &str, columns: usize) -> String {
    if columns < NARROWEST {
        return styled.to_owned();
    }
    styled.split_inclusive('\n').map(|line| broken(line, columns)).collect()
}

fn broken(line: &str, columns: usize) -> String {
    let plain = strip_str(line).to_string();
    let text = plain.trim_end();
    let begin = text.len() - text.trim_start().len();
    if text.chars().count() <= columns || text.contains(CODE) {
        return line.to_owned();
    }
    let is_marked = MARKS.iter().any(|mark| text[begin..].starts_with(mark));
    let indent = " ".repeat(begin + if is_marked { 2 } else { 0 });
    let (mut out, mut column) = (String::new(), 0);
    for (index, word) in line.split(' ').enumerate() {
        let width = strip_str(word).to_string().trim_end().chars().count();
        if index > 0 && column > indent.len() && column + 1 + width > columns {
            out.truncate(out.trim_end_matches(' ').len());
            out.push('\n');
            out.push_str(&indent);
            column = indent.len();
        } else if index > 0 {
            out.push(' ');
            column += 1;
        }
        out.push_str(word);
        column += width;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_broken_between_words_below_where_they_began() {
        let words = ["word"; 12].join(" ");
        let lines = |text: &str| wrapped(text, 40).lines().map(str::to_owned).collect::<Vec<_>>();
        let (first, second) = (["word"; 7].join(" "), ["word"; 5].join(" "));
        assert_eq!(lines(&format!("  {words}\n")), [format!("  {first}"), format!("  {second}")]);
        assert_eq!(lines(&format!("  → {words}\n")), [format!("  → {first}"), format!("    {second}")]);
        assert_eq!(wrapped("short\n\n", 40), "short\n\n");
        assert!(wrapped(&words, 40).ends_with("word"), "no line end is made up");
    }

    #[test]
    fn styles_take_no_room_and_stay() {
        let styled = format!("\u{1b}[1m{}\u{1b}[0m end", "x".repeat(36));
        assert_eq!(wrapped(&styled, 40), styled);
        let longer = wrapped(&format!("{styled} and so on"), 40);
        assert_eq!(longer, format!("{styled}\nand so on"));
    }

    #[test]
    fn code_long_words_and_narrow_terminals_are_left_alone() {
        let code = format!("  5 │ {}", "a + ".repeat(30));
        assert_eq!(wrapped(&code, 40), code);
        assert_eq!(wrapped(&"x".repeat(90), 40), "x".repeat(90));
        let words = "word ".repeat(20);
        assert_eq!(wrapped(&words, 10), words);
    }
}
