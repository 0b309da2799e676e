//! MB/s of the whole pack over real sources, per language, beside parsing alone as the floor in the same run.
//! In: a folder with a folder per language, which `cargo xtask bench` gathers. Out: a table.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::time::Duration;

use ast_grep_core::Language as _;
use ast_grep_language::{LanguageExt as _, SupportLang};
use jury_rules::{NoTree, Parsed, SPECIALISTS, SourceFile, Specialist};

use crate::clock::per_run;

/// How often each is run; the fastest counts.
const ROUNDS: usize = 4;

/// A file of the folder.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) text: String,
    grammar: SupportLang,
}

/// Reads the code of a folder, which is whole files in UTF-8.
pub(crate) fn read(folder: &Path) -> Vec<Source> {
    let mut sources = Vec::new();
    for path in files_below(folder) {
        let name = path.strip_prefix(folder).expect("the file lies below").to_string_lossy().into_owned();
        let Some(grammar) = SupportLang::from_path(&path) else { continue };
        if let Ok(text) = fs::read_to_string(&path) {
            sources.push(Source { path: name, text, grammar });
        }
    }
    sources
}

/// Lists the files of a folder and of those in it, in order.
fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).expect("the folder of sources is readable") {
        let path = entry.expect("the folder of sources is readable").path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// Reviews sources by all specialists, and returns how many findings there are.
pub(crate) fn review(sources: &[Source]) -> usize {
    let whole = [(1, u32::MAX)];
    let of = |source| {
        let Source { path, text, .. }: &Source = source;
        SourceFile { path, text, touched: &whole }
    };
    let files: Vec<SourceFile<'_>> = sources.iter().map(of).collect();
    let parsed = Parsed::default();
    let review = |specialist: &'static Specialist| black_box(specialist.review_in(&parsed, &files, &NoTree));
    SPECIALISTS.iter().map(|specialist| review(specialist).findings.findings.len()).sum()
}

/// Parses sources and drops the parsed.
fn parse(sources: &[Source]) {
    for source in sources {
        drop(black_box(source.grammar.ast_grep(&source.text)));
    }
}

/// Measures every language of a folder.
#[allow(clippy::print_stdout)]
pub(crate) fn bench(folder: &Path) {
    println!("\nthe whole pack over real sources, one thread; the fastest of {ROUNDS} rounds, CPU time");
    println!("| language | files | MB | parsing alone, MB/s | whole pack, MB/s | against parsing | findings |");
    println!("|---|---|---|---|---|---|---|");
    let mut all = [Duration::ZERO; 2];
    for (language, folder) in languages(folder) {
        let sources = read(&folder);
        let bytes: usize = sources.iter().map(|source| source.text.len()).sum();
        let mut best = [Duration::MAX; 2];
        let mut findings = 0;
        for _ in 0..ROUNDS {
            best[0] = best[0].min(per_run(|| parse(&sources)));
            best[1] = best[1].min(per_run(|| findings = review(&sources)));
        }
        let speed = |time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
        println!(
            "| {language} | {} | {:.2} | {:.1} | {:.1} | {:.2}× | {findings} |",
            sources.len(),
            bytes as f64 / 1e6,
            speed(best[0]),
            speed(best[1]),
            best[1].as_secs_f64() / best[0].as_secs_f64()
        );
        all = [all[0] + best[0], all[1] + best[1]];
    }
    println!("| all | | | | | {:.2}× | |", all[1].as_secs_f64() / all[0].as_secs_f64());
}

/// Returns the languages that there are sources of, and says which there are none of.
#[allow(clippy::print_stdout)]
pub(crate) fn languages(folder: &Path) -> Vec<(String, PathBuf)> {
    const ALL: &[&str] =
        &["csharp", "go", "java", "javascript", "php", "python", "ruby", "rust", "shell", "tsx", "typescript", "yaml"];
    let of = |language: &&str| ((*language).to_owned(), folder.join(language));
    let (there, missing): (Vec<_>, Vec<_>) = ALL.iter().map(of).partition(|(_, folder)| folder.is_dir());
    for (language, _) in missing {
        println!("| {language} | no sources could be had | | | | | |");
    }
    there
}
