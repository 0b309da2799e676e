//! How the program is linked. In: the target and the profile. Out: the arguments that the linker at hand takes.
//!
//! An argument that it does not take is left out: the program is the same without, only larger and slower to start.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

/// What is asked of the linker (docs/decisions/030).
const WANTED: &[&str] = &[
    // Addresses are fixed when the program is linked, not every time that it starts.
    "-no-pie",
    // Functions with the same code are one.
    "-Wl,--icf=all",
];
/// The library that unwinds the stack of a panic, as a part of the program: the loader looks for one file less at every start
/// (docs/decisions/053).
const UNWINDER: &str = "static:-bundle=gcc_eh";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let is_optimised = env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
    let is = |name: &str, value: &str| env::var(name).is_ok_and(|it| it == value);
    // With musl the program is static, and starts by other object files.
    let is_known = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    if !is_optimised || !is_known {
        return;
    }
    for argument in WANTED.iter().filter(|argument| is_taken(&["-C", &format!("link-arg={argument}")])) {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
    if is_taken(&["-l", UNWINDER]) {
        println!("cargo::rustc-link-lib={UNWINDER}");
    }
}

/// Tells whether an empty program can be linked with arguments of the compiler.
fn is_taken(arguments: &[&str]) -> bool {
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let source = folder.join("empty.rs");
    if fs::write(&source, "fn main() {}\n").is_err() {
        return false;
    }
    let mut rustc = Command::new(env::var_os("RUSTC").expect("cargo sets it"));
    rustc.arg(&source).arg("--target").arg(env::var_os("TARGET").expect("cargo sets it"));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut wanted = std::ffi::OsString::from("linker=");
        wanted.push(linker);
        rustc.arg("-C").arg(wanted);
    }
    let flags = env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default();
    rustc.args(flags.split('\u{1f}').filter(|flag| !flag.is_empty()));
    rustc.args(arguments).arg("-o").arg(folder.join("empty"));
    rustc.output().is_ok_and(|output| output.status.success())
}
