//! Pipes that close, disks that are full, inputs without end, and colour.

use std::fs::File;
use std::path::Path;
use std::process::Stdio;

use crate::binary::{input, jury, run};

#[test]
fn a_closed_pipe_ends_quietly_with_the_same_code() {
    let file = input("check.in/many.json");
    // More than any pipe holds, so that the program meets the closed end however fast it is.
    let mut arguments = vec!["check", "--strict"];
    arguments.extend(std::iter::repeat_n(file.as_str(), 200));
    let mut child = jury(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8(output.stderr).unwrap().as_str()), (Some(1), ""));
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_is_lost_is_no_success() {
    for arguments in [["formats", "--color=auto"], ["schema", "check-output"], ["--help", "--color=auto"]] {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = jury(&arguments).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(String::from_utf8(output.stderr).unwrap().contains("cannot write to standard output"));
    }
}

#[test]
fn a_file_beyond_the_limit_is_refused_at_once() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("too-large.json");
    // Nothing but its length is on the disk; whoever read it, or took memory for it, would be at it for minutes, or die.
    File::create(&path).unwrap().set_len(1 << 40).unwrap();
    let (code, output, _) = run(&["check", path.to_str().unwrap()]);
    assert_eq!(code, Some(1));
    assert!(output.contains("error[limit-bytes]"), "{output}");
    std::fs::remove_file(path).unwrap();
}

#[test]
#[cfg(unix)]
fn an_input_without_end_is_refused() {
    let endless = File::open("/dev/zero").unwrap();
    let output = jury(&["check", "-"]).stdin(endless).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8(output.stdout).unwrap().contains("error[limit-bytes]"));
}

/// Takes out the escapes that set colours, and nothing else.
fn without_colour(text: &str) -> String {
    let mut parts = text.split("\u{1b}[");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |plain, part| match part.split_once('m') {
        Some((code, rest)) if code.bytes().all(|b| b.is_ascii_digit() || b == b';') => plain + rest,
        _ => plain + "\u{1b}[" + part,
    })
}

#[test]
fn colour_is_for_terminals_and_for_those_who_ask() {
    let file = input("check.in/broken.json");
    let (_, plain, _) = run(&["check", &file]);
    let (_, coloured, _) = run(&["--color", "always", "check", &file]);
    assert!(!plain.contains('\u{1b}') && coloured.contains('\u{1b}'));
    assert_eq!(without_colour(&coloured), plain);
    let (_, help, _) = run(&["--color=always", "check", "--help"]);
    assert!(help.contains('\u{1b}'));
}

#[test]
fn no_text_of_a_reviewer_acts_on_a_terminal() {
    let (hostile, raw, lossy) = (input("hostile.stdin"), input("hostile-raw.stdin"), input("hostile-convert.stdin"));
    let name = "\u{1b}]0;owned\u{7}\u{202e}";
    for arguments in [
        vec!["check", &hostile, &raw, name],
        vec!["convert", "--to", "code-review", "--strict", &lossy],
        vec!["convert", "--to", "code-review", &hostile],
        vec!["check", "--from", name],
        vec![name],
        vec!["check", "--\u{1b}]0;owned\u{7}\u{202e}"],
    ] {
        let (code, out, err) = run(&[&["--color=always"], arguments.as_slice()].concat());
        assert_ne!(code, Some(0));
        let shown = without_colour(&(out + &err));
        let acting: Vec<char> = shown.chars().filter(|c| c.is_control() && *c != '\n' || *c == '\u{202e}').collect();
        assert_eq!(acting, [' '; 0], "{arguments:?}: {shown}");
        assert!(shown.contains("\\u{1b}"), "{arguments:?}: {shown}");
    }
}
