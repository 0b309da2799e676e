//! `tests/cmd/*`: command lines with what they print and how they end.
//!
//! In: `NAME.trycmd`, Markdown whose `console` blocks hold `$ COMMAND`, `? EXIT-CODE` unless it is 0, and what the command prints on both
//! streams, run in the folder `NAME.in` if there is one; `[..]` stands for any text within a line, a line `...` for any lines. And
//! `NAME.toml`: arguments and an exit code, with `NAME.stdin`, `NAME.stdout` and `NAME.stderr` byte for byte.
//! Out: a failing test that shows both sides. `JURY_BLESS=1` writes anew what differs, for a person to read before it is committed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

#[test]
fn command_lines_do_what_the_cases_say() {
    let (transcripts, calls) = (cases("trycmd"), cases("toml"));
    assert!(transcripts.len() >= 6 && calls.len() >= 7, "the cases are not found");
    let differing =
        transcripts.iter().map(|path| check_transcript(path)).chain(calls.iter().map(|path| check_call(path)));
    let differing: Vec<String> = differing.filter_map(Result::err).collect();
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

#[test]
fn an_elision_matches_any_text_of_its_kind_and_nothing_else() {
    for (expected, actual, is_match) in [
        ("a\nb\n", "a\nb\n", true),
        ("a\nb\n", "a\n", false),
        ("a\n", "a\nb\n", false),
        ("a[..]c\n", "abbc\n", true),
        ("a[..]c\n", "ac\n", true),
        ("a[..]c\n", "abcd\n", false),
        ("a[..]c[..]\n", "abcd\n", true),
        ("a[..]a\n", "a\n", false),
        ("[..]\n", "a\nb\n", false),
        ("a\n...\nd\n", "a\nb\nc\nd\n", true),
        ("a\n...\nd\n", "a\nd\n", true),
        ("a\n...\n", "a\nb\n", true),
        ("a\n...\nd\n", "a\nb\n", false),
        ("...\nd\n", "d\nd\n", true),
    ] {
        assert_eq!(is_as_expected(expected, actual), is_match, "{expected:?} {actual:?}");
    }
}

fn cases(extension: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd");
    let entries = fs::read_dir(folder)
        .expect("the folder of the cases is there")
        .map(|entry| entry.expect("the folder can be read").path());
    let mut paths: Vec<_> = entries.filter(|path| path.extension().is_some_and(|found| found == extension)).collect();
    paths.sort();
    paths
}

/// Returns the command in a surrounding in which a developer's machine says nothing about colour and width.
fn surrounded(mut command: Command) -> Command {
    command.env("COLUMNS", "100").env("NO_COLOR", "1").env("CLICOLOR_FORCE", "0");
    command
}

/// Plays the commands of a transcript; says where it differs from the file.
fn check_transcript(path: &Path) -> Result<(), String> {
    let written = fs::read_to_string(path).expect("the case can be read");
    let own = path.with_extension("in");
    let folder = if own.is_dir() { own } else { PathBuf::from(env!("CARGO_MANIFEST_DIR")) };
    let mut now = String::new();
    let mut lines = written.lines().peekable();
    let mut is_console = false;
    while let Some(line) = lines.next() {
        now.push_str(line);
        now.push('\n');
        if line.starts_with("```") {
            is_console = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) else { continue };
        let mut expected = String::new();
        while let Some(line) = lines.next_if(|line| !line.starts_with("$ ") && *line != "```") {
            expected.push_str(line);
            expected.push('\n');
        }
        // A blank line ends what is printed.
        let actual = played(command, &folder) + "\n";
        now.push_str(if is_as_expected(&expected, &actual) { &expected } else { &actual });
    }
    same_or_blessed(path, written.as_bytes(), now.as_bytes())
}

/// Runs a command line; returns its exit code, unless it is 0, and what it prints on both streams.
fn played(command: &str, folder: &Path) -> String {
    let binary = Path::new(env!("CARGO_BIN_EXE_jury")).parent().expect("the binary lies in a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = surrounded(Command::new("sh"));
    shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(folder).env("PATH", path).stdin(Stdio::null());
    let output = shell.output().expect("a shell can be started");
    let code = match output.status.code() {
        Some(0) => String::new(),
        code => format!("? {}\n", code.expect("the command ends by itself")),
    };
    code + std::str::from_utf8(&output.stdout).expect("the binary writes UTF-8")
}

/// Runs the binary as a case says; says which of its streams or its exit code differs.
fn check_call(path: &Path) -> Result<(), String> {
    let case: toml::Table = fs::read_to_string(path).expect("the case is there").parse().expect("a case is TOML");
    let arguments = case["args"].as_array().expect("`args` is a list").iter();
    let mut command = surrounded(Command::new(env!("CARGO_BIN_EXE_jury")));
    command.args(arguments.map(|argument| argument.as_str().expect("an argument is a text")));
    command.stdin(fs::File::open(path.with_extension("stdin")).expect("the case has an input"));
    let output = command.output().expect("the binary can be started");
    let code = case.get("status").map_or(0, |status| status["code"].as_integer().expect("a code is a number"));
    if output.status.code().map(i64::from) != Some(code) {
        return Err(format!("{}: {}, expected {code}", path.display(), output.status));
    }
    for (stream, actual) in [("stdout", output.stdout), ("stderr", output.stderr)] {
        let path = path.with_extension(stream);
        same_or_blessed(&path, &fs::read(&path).expect("the case has both streams"), &actual)?;
    }
    Ok(())
}

fn same_or_blessed(path: &Path, written: &[u8], now: &[u8]) -> Result<(), String> {
    if written == now {
        return Ok(());
    }
    if std::env::var_os("JURY_BLESS").is_some() && std::env::var_os("CI").is_none() {
        fs::write(path, now).expect("the case can be written");
        return Ok(());
    }
    let (written, now) = (String::from_utf8_lossy(written), String::from_utf8_lossy(now));
    let first = written.lines().zip(now.lines()).take_while(|(written, now)| written == now).count();
    let around = |text: &str| text.lines().skip(first.saturating_sub(4)).take(20).collect::<Vec<_>>().join("\n");
    let (then, now) = (around(&written), around(&now));
    Err(format!("{} differs from line {}\n--- written\n{then}\n--- now\n{now}\n", path.display(), first + 1))
}

/// Tells whether a text is the expected one, but for what the expected one leaves open.
fn is_as_expected(expected: &str, actual: &str) -> bool {
    let (expected, actual): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    are_as_expected(&expected, &actual)
}

fn are_as_expected(expected: &[&str], actual: &[&str]) -> bool {
    match (expected, actual) {
        ([], []) => true,
        (["...", rest @ ..], _) => (0..=actual.len()).any(|skipped| are_as_expected(rest, &actual[skipped..])),
        ([wanted, expected @ ..], [line, actual @ ..]) => is_line(wanted, line) && are_as_expected(expected, actual),
        _ => false,
    }
}

fn is_line(wanted: &str, line: &str) -> bool {
    match wanted.split_once("[..]") {
        None => wanted == line,
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            let ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
            ends.into_iter().any(|at| is_line(rest, &line[at..]))
        }),
    }
}
