//! `cargo xtask record`: the demo as a picture that moves, `docs/demo.svg`.
//!
//! In: what `jury demo` prints in colour. Out: an SVG that shows it command by command, as a terminal would. A test holds the picture against
//! the demo. Deliberately not here: any escape sequence but those for styles, which are all that the program prints.

use std::fmt::Write as _;
use std::process::Command;

use crate::{Failure, root, say};

/// How many lines and columns the terminal has.
const ROWS: usize = 34;
const COLUMNS: usize = 118;
/// The size of a cell, in pixels.
const CELL: (f64, f64) = (8.0, 18.0);
/// How long a command is looked at: some time, and more for every line that it prints.
const PAUSE: f64 = 1.6;
const PER_LINE: f64 = 0.12;
/// How long the end stays.
const LAST: f64 = 6.0;

/// Part of a line in one style.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Span {
    class: String,
    text: String,
}

pub(crate) fn run() -> Result<(), Failure> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--package", "jury-cli", "--", "--color", "always", "demo"])
        .current_dir(root())
        .env("COLUMNS", COLUMNS.to_string())
        .output()
        .map_err(|error| format!("cargo does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("the demo failed: {}", String::from_utf8_lossy(&output.stderr)));
    }
    let picture = drawn(&String::from_utf8_lossy(&output.stdout));
    let path = root().join("docs/demo.svg");
    std::fs::write(&path, &picture).map_err(|error| format!("{}: {error}", path.display()))?;
    say(&format!("docs/demo.svg: {} KiB", picture.len() / 1024));
    Ok(())
}

/// Draws what was printed: one group of lines for each command, which appears when its turn has come.
fn drawn(printed: &str) -> String {
    let lines: Vec<Vec<Span>> = printed.trim_matches('\n').lines().flat_map(spans).collect();
    let starts: Vec<usize> = (0..lines.len()).filter(|index| *index == 0 || is_command(&lines[*index])).collect();
    let ends: Vec<usize> = starts.iter().skip(1).copied().chain([lines.len()]).collect();
    let lasts: Vec<f64> =
        starts.iter().zip(&ends).map(|(start, end)| PAUSE + PER_LINE * (end - start) as f64).collect();
    let total: f64 = lasts.iter().sum::<f64>() + LAST;
    let (width, height) = (CELL.0 * (COLUMNS + 2) as f64, CELL.1 * (ROWS + 2) as f64);
    let mut style = String::new();
    let mut scroll = String::new();
    let mut groups = String::new();
    let mut at = 0.0;
    for (index, ((start, end), last)) in starts.iter().zip(&ends).zip(&lasts).enumerate() {
        let percent = 100.0 * at / total;
        let shift = CELL.1 * end.saturating_sub(ROWS) as f64;
        let _ = write!(scroll, "{percent:.2}%{{transform:translateY(-{shift}px)}}");
        let _ = writeln!(
            style,
            "@keyframes k{index}{{0%{{opacity:0}}{percent:.2}%{{opacity:1}}100%{{opacity:1}}}} .g{index}{{animation:k{index} {total:.1}s step-end infinite}}"
        );
        let _ = writeln!(groups, "<g class=\"g{index}\">");
        lines[*start..*end].iter().enumerate().for_each(|(row, line)| groups.push_str(&text(start + row, line)));
        groups.push_str("</g>\n");
        at += last;
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"jury demo in a terminal\">\n\
         <style>\n\
         text{{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#d0d7de;white-space:pre}}\n\
         .b{{font-weight:700}} .d{{fill:#7d8590}} .red{{fill:#ff7b72}} .green{{fill:#56d364}} .yellow{{fill:#e3b341}} .blue{{fill:#79c0ff}}\n\
         @keyframes scroll{{{scroll}}} .scroll{{animation:scroll {total:.1}s step-end infinite}}\n{style}</style>\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"8\" fill=\"#0d1117\"/>\n\
         <svg x=\"{x}\" y=\"{y}\" width=\"{inner_width}\" height=\"{inner_height}\"><g class=\"scroll\">\n{groups}</g></svg>\n</svg>\n",
        x = CELL.0,
        y = CELL.1,
        inner_width = CELL.0 * COLUMNS as f64,
        inner_height = CELL.1 * ROWS as f64,
    )
}

fn is_command(line: &[Span]) -> bool {
    line.first().is_some_and(|span| span.text == "$")
}

fn text(row: usize, line: &[Span]) -> String {
    let y = CELL.1 * row as f64 + 13.0;
    let span = |span: &Span| match span.class.as_str() {
        "" => escaped(&span.text),
        class => format!("<tspan class=\"{class}\">{}</tspan>", escaped(&span.text)),
    };
    let spans: String = line.iter().map(span).collect();
    if spans.is_empty() { String::new() } else { format!("<text y=\"{y}\" xml:space=\"preserve\">{spans}</text>\n") }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Takes a printed line apart into styles, and into rows where it is longer than the terminal is wide.
fn spans(line: &str) -> Vec<Vec<Span>> {
    let mut rows = vec![Vec::new()];
    let (mut class, mut width) = (String::new(), 0);
    for (index, part) in line.split("\u{1b}[").enumerate() {
        let text = match part.split_once('m') {
            Some((codes, text)) if index > 0 => {
                codes.split(';').for_each(|code| restyle(&mut class, code));
                text
            }
            _ => part,
        };
        for letter in text.chars() {
            if width == COLUMNS {
                rows.push(Vec::new());
                width = 0;
            }
            let row: &mut Vec<Span> = rows.last_mut().expect("there is always a row");
            match row.last_mut() {
                Some(span) if span.class == class => span.text.push(letter),
                _ => row.push(Span { class: class.clone(), text: letter.to_string() }),
            }
            width += 1;
        }
    }
    rows
}

fn restyle(class: &mut String, code: &str) {
    let word = match code {
        "1" => "b",
        "2" => "d",
        "31" | "91" => "red",
        "32" | "92" => "green",
        "33" | "93" => "yellow",
        "34" | "36" | "94" | "96" => "blue",
        _ => return class.clear(),
    };
    class.push_str(if class.is_empty() { "" } else { " " });
    class.push_str(word);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_and_long_lines_are_taken_apart() {
        let span = |class: &str, text: &str| Span { class: class.to_owned(), text: text.to_owned() };
        assert_eq!(
            spans("a \u{1b}[1m\u{1b}[91mb\u{1b}[0m c"),
            [vec![span("", "a "), span("b red", "b"), span("", " c")]]
        );
        assert_eq!(spans(&"x".repeat(COLUMNS + 1)).len(), 2);
        assert_eq!(spans(""), [vec![]]);
    }

    #[test]
    fn a_picture_has_a_group_for_each_command() {
        let picture =
            drawn("intro\n\u{1b}[2m$\u{1b}[0m jury gate\n<closed>\n\n\u{1b}[2m$\u{1b}[0m jury review\nfound & so on\n");
        assert_eq!(picture.matches("<g class=\"g").count(), 3);
        assert!(picture.contains("&lt;closed&gt;") && picture.contains("found &amp; so on"));
        assert_eq!(picture.matches("<svg").count(), picture.matches("</svg>").count());
    }
}
