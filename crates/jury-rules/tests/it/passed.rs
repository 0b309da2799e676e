//! What is passed by because no rule could find anything there: that none does.

use std::fs;
use std::path::{Path, PathBuf};

use jury_rules::{NoTree, Parsed, Review, SPECIALISTS, SourceFile};

/// The folder of bad and good twins, in all languages.
fn truth() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("truth")
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// Returns every file of the truth set and every example of a rule, each with its path.
fn all() -> Vec<(String, String)> {
    let root = truth();
    let of = |path: PathBuf| {
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        Some((name, fs::read_to_string(&path).ok()?))
    };
    let mut all: Vec<(String, String)> = files_below(&root).into_iter().filter_map(of).collect();
    for rule in SPECIALISTS.iter().flat_map(|specialist| specialist.rules()) {
        let examples = rule.examples().unwrap();
        let both = examples.invalid.iter().chain(&examples.valid);
        all.extend(both.map(|example| (example.path(), example.text())));
    }
    all
}

/// Reviews a file by all specialists.
fn review(parsed: &Parsed, path: &str, text: &str) -> Vec<Review> {
    let file = [SourceFile { path, text, touched: &[(1, u32::MAX)] }];
    SPECIALISTS.iter().map(|specialist| specialist.review_in(parsed, &file, &NoTree)).collect()
}

#[test]
fn what_is_passed_by_would_not_have_been_found() {
    let all = all();
    let (mut findings, mut wrong) = (0, Vec::new());
    for (path, text) in &all {
        let thorough = review(&Parsed::thorough(), path, text);
        findings += thorough.iter().map(|review| review.findings.findings.len()).sum::<usize>();
        if review(&Parsed::default(), path, text) != thorough {
            wrong.push(format!("{path} is reviewed otherwise:\n{text}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(all.len() > 2_500 && findings > 1_500, "{} files with {findings} findings are too few", all.len());
}
