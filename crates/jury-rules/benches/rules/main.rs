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
use std::time::Duration;

use ast_grep_language::{LanguageExt as _, SupportLang};
use jury_rules::{NoTree, Parsed, SPECIALISTS, SourceFile};
use mimalloc::MiMalloc;

use crate::clock::per_run;

/// That of the program. Parsers do not use it: they are written in C, and have that of the system.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

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

/// Writes a megabyte of text as repositories have it, in which every fourth line has a word that patterns look near, and one
/// line of a thousand a secret.
fn settings() -> String {
    let mut text = String::new();
    let mut number = 0_usize;
    while text.len() < 1_000_000 {
        number += 1;
        let _ = match number % 4 {
            0 => writeln!(
                text,
                "  tokenTimeout: {number}  # the token of a session is taken back after that many seconds"
            ),
            1 => writeln!(
                text,
                "service-{number}: https://service-{number}.acme.io/v1/orders?page={number}&sort=created"
            ),
            2 => writeln!(text, "[info] {number} orders were loaded from the archive in {number} ms, none was refused"),
            _ => {
                writeln!(text, "    const label{number} = format(rows.filter((row) => row.count > {number}), options);")
            }
        };
        if number.is_multiple_of(1_000) {
            let _ = writeln!(text, "SESSION_SECRET=q7Zr2LmX9cVb4NwK8sTd{number}");
        }
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

/// Reviews one file by all specialists, as the first thing that this process does, and prints the microseconds of CPU time.
#[allow(clippy::print_stdout)]
fn cold(path: &str) {
    let text = if path.ends_with(".ts") { typescript() } else { "nothing here\n".repeat(LINES) };
    let start = clock::Clock::start();
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
    clock::check();
    let text = typescript();
    let file = [SourceFile { path: "src/orders.ts", text: &text, touched: &[(1, 500)] }];
    let parse = || drop(black_box(SupportLang::TypeScript.ast_grep(black_box(&text))));
    let alone = SPECIALISTS.iter().map(|specialist| move || drop(black_box(specialist.review(black_box(&file)))));
    let alone: Vec<_> = alone.collect();
    let together = || {
        let parsed = Parsed::default();
        SPECIALISTS.iter().for_each(|specialist| drop(black_box(specialist.review_in(&parsed, &file, &NoTree))));
    };
    let mut runs: Vec<&dyn Fn()> = vec![&parse];
    runs.extend(alone.iter().map(|run| run as &dyn Fn()));
    runs.push(&together);
    let times = fastest(&runs);
    println!("{LINES} lines, {} bytes of TypeScript; the fastest of {ROUNDS} rounds, CPU time", text.len());
    let found = SPECIALISTS.iter().map(|specialist| specialist.review(&file).findings.findings.len());
    let found: Vec<usize> = found.collect();
    let domains = SPECIALISTS.iter().map(|specialist| specialist.domain);
    let rows = ["parsing alone"].into_iter().chain(domains).chain(["the whole pack"]);
    let found = [0].into_iter().chain(found.iter().copied()).chain([found.iter().sum()]);
    for ((name, time), found) in rows.zip(&times).zip(found) {
        println!(
            "{name:<20} {:>8.2} ms {:>8.1} MB/s  {:.2}× parsing ({found} findings)",
            time.as_secs_f64() * 1e3,
            text.len() as f64 / 1e6 / time.as_secs_f64(),
            time.as_secs_f64() / times[0].as_secs_f64(),
        );
    }
    let text = settings();
    let file = [SourceFile { path: "deploy/all.env", text: &text, touched: &[] }];
    let review = || drop(black_box(SPECIALISTS[0].review(black_box(&file))));
    let redact = || drop(black_box(jury_rules::redact(black_box(&text))));
    let times = fastest(&[&review, &redact]);
    println!("{} bytes of settings and logs", text.len());
    for (name, time) in ["secrets found", "secrets hidden"].iter().zip(&times) {
        println!(
            "{name:<20} {:>8.2} ms {:>8.1} MB/s",
            time.as_secs_f64() * 1e3,
            text.len() as f64 / 1e6 / time.as_secs_f64()
        );
    }
    println!("first review of a process, all specialists");
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
