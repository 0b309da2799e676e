//! MB/s of the specialists over a TypeScript file of 500 lines, beside parsing alone as the floor in the same run; and how
//! long the first review of a process takes, per kind of file, each in a process of its own; then both over real sources, and
//! beside other programs where they are installed. Run by `cargo xtask bench`.

mod clock;
mod peers;
mod sources;

use std::fmt::Write as _;
use std::hint::black_box;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use ast_grep_language::{LanguageExt as _, SupportLang};
use jury_rules::{SPECIALISTS, SourceFile};

use crate::clock::per_run;

const LINES: usize = 500;
/// How often a cold start is tried.
const STARTS: usize = 15;
/// What tells a process of this bench to be a cold start.
const COLD: &str = "JURY_BENCH_COLD";
/// The folder of real sources, gathered by `cargo xtask bench`.
const SOURCES: &str = "JURY_BENCH_SOURCES";

/// Writes a file as a service has them: handlers, types, a class, and a finding every fifty lines.
fn typescript() -> String {
    let mut text = "import { db, log } from \"./db\";\n\n".to_owned();
    let mut number = 0;
    while text.lines().count() + 12 <= LINES {
        number += 1;
        let query = if number % 4 == 0 {
            "await db.query(`SELECT * FROM orders WHERE id = ${id}`)".to_owned()
        } else {
            format!("await db.query(\"SELECT * FROM orders WHERE id = $1 AND kind = {number}\", [id])")
        };
        let _ = write!(
            text,
            "/** Loads order {number} and what belongs to it. */\nexport async function load{number}(id: string, options: Options = {{}}): Promise<Order> {{\n  const rows = {query};\n  if (rows.length === 0) {{\n    throw new Error(`no order ${{id}} of kind {number}`);\n  }}\n  const items = rows.flatMap((row) => row.items ?? []).filter((item) => item.count > {number});\n  log.info(\"loaded\", {{ id, count: items.length, at: options.now?.toISOString() }});\n  return {{ id, items, total: items.reduce((sum, item) => sum + item.price * item.count, 0) }};\n}}\n\n"
        );
    }
    while text.lines().count() < LINES {
        text.push_str("// the end\n");
    }
    text
}

/// How often everything is run in turn; the fastest counts.
const ROUNDS: usize = 5;

/// Runs everything in turn and returns the fastest time of each.
fn fastest(runs: &[&dyn Fn()]) -> Vec<Duration> {
    let mut best = vec![Duration::MAX; runs.len()];
    for _ in 0..ROUNDS {
        for (run, best) in runs.iter().zip(&mut best) {
            *best = per_run(run).min(*best);
        }
    }
    best
}

/// Reviews one file by all specialists, as the first thing that this process does, and prints the microseconds.
#[allow(clippy::print_stdout)]
fn cold(path: &str) {
    let text = if path.ends_with(".ts") { typescript() } else { "nothing here\n".repeat(LINES) };
    let start = Instant::now();
    for specialist in SPECIALISTS {
        black_box(specialist.review(&[SourceFile { path, text: &text, touched: &[(1, 9)] }]));
    }
    println!("{}", start.elapsed().as_micros());
}

/// Returns the fastest of several cold starts in milliseconds.
fn cold_start(path: &str) -> f64 {
    let this = std::env::current_exe().expect("this program has a path");
    let run = || {
        let output = Command::new(&this).env(COLD, path).output().expect("this program starts");
        String::from_utf8_lossy(&output.stdout).trim().parse::<f64>().expect("a cold start prints a number")
    };
    (0..STARTS).map(|_| run()).fold(f64::MAX, f64::min) / 1000.0
}

#[allow(clippy::print_stdout)]
fn main() {
    if let Ok(path) = std::env::var(COLD) {
        return cold(&path);
    }
    if let Some(folder) = std::env::var_os(peers::SCAN) {
        return peers::scan(&PathBuf::from(folder));
    }
    let text = typescript();
    let file = [SourceFile { path: "src/orders.ts", text: &text, touched: &[(1, 500)] }];
    let parse = || drop(black_box(SupportLang::TypeScript.ast_grep(black_box(&text))));
    let [one, other] = [0, 1].map(|at| move || drop(black_box(SPECIALISTS[at].review(black_box(&file)))));
    let times = fastest(&[&parse, &one, &other]);
    println!("{LINES} lines, {} bytes of TypeScript; the fastest of {ROUNDS} rounds, CPU time", text.len());
    let found = SPECIALISTS.iter().map(|specialist| specialist.review(&file).findings.findings.len());
    let rows = ["parsing alone"].into_iter().chain(SPECIALISTS.iter().map(|specialist| specialist.domain));
    for ((name, time), found) in rows.zip(&times).zip([0].into_iter().chain(found)) {
        println!(
            "{name:<20} {:>8.2} ms {:>8.1} MB/s  {:.2}× parsing ({found} findings)",
            time.as_secs_f64() * 1e3,
            text.len() as f64 / 1e6 / time.as_secs_f64(),
            time.as_secs_f64() / times[0].as_secs_f64(),
        );
    }
    println!("first review of a process, both specialists");
    for path in ["src/orders.ts", "notes.txt"] {
        println!("{path:<20} {:>8.2} ms", cold_start(path));
    }
    match std::env::var_os(SOURCES).map(PathBuf::from) {
        Some(folder) => {
            sources::bench(&folder);
            peers::bench(&folder);
        }
        None => println!("\nno real sources: {SOURCES} names no folder; `cargo xtask bench` gathers one"),
    }
}
