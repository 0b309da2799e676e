//! `cargo xtask eval DIR`: what the specialists say, held against what is true. In: a folder with truth tables, each beside
//! the files that it is about. Out: precision, recall and F1 by weakness and by language, and what was missed or false.

mod code;
mod families;
mod noise;
mod score;
mod truth;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use self::code::{Code, language, review_as_product};
use self::score::{Outcome, Said, Sums, judge};
use self::truth::{Row, Weakness};
use crate::corpus::files_below;
use crate::{Failure, print, say};

/// The name of every truth table.
const TABLE: &str = "truth.tsv";
/// Files in no language that figures are given for.
const OTHER: &str = "other";

/// What is asked of an evaluation.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The folder; every `truth.tsv` in it and below is read.
    folder: PathBuf,
    /// Also prints the rows that were missed or false, and what was said there.
    #[arg(long)]
    misses: bool,
    /// Also prints the findings that no row judges.
    #[arg(long)]
    list: bool,
    /// Also prints the figures of every weakness in every language.
    #[arg(long)]
    cells: bool,
    /// How many lines a finding may be off.
    #[arg(long, value_name = "LINES", default_value_t = 0)]
    within: u32,
    /// Reads no truth: counts the findings at P0 and P1 in a folder of real sources, and lists them.
    #[arg(long, conflicts_with_all = ["misses", "list", "cells", "within"])]
    noise: bool,
}

pub(crate) fn run(options: &Options) -> Result<(), Failure> {
    if options.noise {
        return noise::run(&options.folder);
    }
    let evaluation = evaluate(&options.folder, options.within)?;
    if options.misses {
        evaluation.wrong().for_each(|row| print(&row.text()));
    }
    if options.list {
        evaluation.unjudged.iter().for_each(|(place, said)| print(&format!("UNJUDGED {place} {}", in_words(said))));
    }
    evaluation.print(options.cells);
    Ok(())
}

/// A row and what became of it.
struct Judged {
    /// The file and line, as a person finds them.
    place: String,
    language: &'static str,
    row: Row,
    outcome: Outcome,
    /// What was said of the line, reported or not.
    said: Vec<Said>,
}

/// What the rows of a folder came to.
#[derive(Default)]
struct Evaluation {
    tables: usize,
    files: usize,
    lines: usize,
    judged: Vec<Judged>,
    /// Places, and reported findings that no row judges.
    unjudged: Vec<(String, Said)>,
    notes: Vec<String>,
    /// Rule ids in the tables that no rule has.
    strangers: BTreeSet<String>,
}

/// Reviews the files that the tables of a folder name.
fn evaluate(folder: &Path, within: u32) -> Result<Evaluation, Failure> {
    let folder = folder.canonicalize().map_err(|error| format!("{}: {error}", folder.display()))?;
    let files = files_below(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut evaluation = Evaluation::default();
    let mut bad = Vec::new();
    for path in files.iter().filter(|path| path.file_name().is_some_and(|name| name == TABLE)) {
        let (table, wrong) = Table::load(path)?;
        bad.extend(wrong);
        table.evaluate(&folder, within, &mut evaluation);
    }
    if !bad.is_empty() {
        return Err(format!("the truth cannot be read:\n{}", bad.join("\n")));
    }
    if evaluation.tables == 0 {
        return Err(format!("{}: there is no {TABLE} here or below", folder.display()));
    }
    Ok(evaluation)
}

/// A truth table with the files that it names.
struct Table {
    /// The folder that it lies in.
    folder: PathBuf,
    rows: Vec<Row>,
    /// The texts of the files, by the paths of the rows.
    texts: BTreeMap<String, String>,
}

impl Table {
    /// Reads a table and its files, and says which of its rows are wrong.
    fn load(path: &Path) -> Result<(Self, Vec<String>), Failure> {
        let folder = path.parent().expect("a file lies in a folder").to_path_buf();
        let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let truth::Table { rows, bad } = truth::read(&String::from_utf8_lossy(&bytes));
        let mut wrong = bad;
        let mut texts = BTreeMap::new();
        for row in &rows {
            if !texts.contains_key(&row.path) {
                match std::fs::read(folder.join(&row.path)) {
                    // `§` breaks up what would look like a secret in the repository, here as in the examples of rules.
                    Ok(bytes) => drop(texts.insert(row.path.clone(), String::from_utf8_lossy(&bytes).replace('§', ""))),
                    Err(error) => wrong.push((row.stands_at, format!("{}: {error}", row.path))),
                }
            }
            let lines = texts.get(&row.path).map(|text| text.lines().count());
            if let (Some(line), Some(lines)) = (row.line, lines)
                && line as usize > lines
            {
                wrong.push((row.stands_at, format!("{} has {lines} lines and no line {line}", row.path)));
            }
        }
        wrong.sort();
        let wrong = wrong.into_iter().map(|(line, why)| format!("{}:{line}: {why}", path.display())).collect();
        Ok((Self { folder, rows, texts }, wrong))
    }

    /// Reviews its files and adds what became of its rows.
    fn evaluate(self, below: &Path, within: u32, evaluation: &mut Evaluation) {
        let reviewed_as = |path: &str| repository_path(&self.folder, path);
        let files = self.texts.iter().map(|(path, text)| Code { path: reviewed_as(path), text: text.clone() });
        let heard = review_as_product(files.collect());
        evaluation.tables += 1;
        evaluation.files += self.texts.len();
        evaluation.lines += self.texts.values().map(|text| text.lines().count()).sum::<usize>();
        evaluation.notes.extend(heard.notes);
        evaluation.strangers.extend(self.rows.iter().flat_map(unknown_rules));
        let folder = self.folder.strip_prefix(below).unwrap_or(&self.folder);
        for path in self.texts.keys() {
            let rows: Vec<&Row> = self.rows.iter().filter(|row| row.path == *path).collect();
            let said = heard.said.get(&reviewed_as(path)).map_or(&[][..], Vec::as_slice);
            let (outcomes, unjudged) = judge(&rows, said, within);
            let place = |line: Option<u32>| {
                let file = folder.join(path).display().to_string();
                line.map_or_else(|| file.clone(), |line| format!("{file}:{line}"))
            };
            let unjudged = unjudged.into_iter().map(|index| &said[index]);
            evaluation.unjudged.extend(unjudged.map(|said| (place(Some(said.lines.0)), said.clone())));
            evaluation.judged.extend(rows.into_iter().zip(outcomes).map(|(row, outcome)| Judged {
                place: place(row.line),
                language: language(path).unwrap_or(OTHER),
                said: said.iter().filter(|said| is_there(said, row.line, within)).cloned().collect(),
                row: row.clone(),
                outcome,
            }));
        }
    }
}

/// Returns the path that a file is reviewed under: its folder stands at the root of a repository, unless it lies in
/// `.github`, which only counts there. Where several repositories stand side by side in the folder, each keeps its own name: two
/// files under one path would be taken for one.
fn repository_path(folder: &Path, path: &str) -> String {
    let whole = folder.join(path).to_string_lossy().replace('\\', "/");
    if !path.contains("/.github/")
        && let Some(at) = whole.rfind("/.github/")
    {
        return whole[at + 1..].to_owned();
    }
    let name = folder.file_name().map_or_else(String::new, |name| format!("{}/", name.to_string_lossy()));
    format!("{name}{path}")
}

fn is_there(said: &Said, line: Option<u32>, within: u32) -> bool {
    line.is_none_or(|line| said.lines.0.saturating_sub(within) <= line && line <= said.lines.1.saturating_add(within))
}

/// Returns the rules that a row names and nobody has.
fn unknown_rules(row: &Row) -> impl Iterator<Item = String> {
    row.weaknesses
        .iter()
        .filter_map(|weakness| match weakness {
            Weakness::Rule(id) => Some(id.clone()),
            _ => None,
        })
        .filter(|id| {
            !jury_rules::SPECIALISTS.iter().flat_map(|specialist| specialist.rules()).any(|rule| rule.id == *id)
        })
}

impl Evaluation {
    fn sums(&self) -> Sums {
        let mut sums = Sums::default();
        self.judged.iter().for_each(|row| sums.add(row.outcome));
        sums
    }

    /// Returns the rows that were missed or false.
    fn wrong(&self) -> impl Iterator<Item = &Judged> {
        self.judged.iter().filter(|row| matches!(row.outcome, Outcome::Missed | Outcome::False))
    }

    /// Prints the figures.
    fn print(&self, cells: bool) {
        if cells {
            self.print_by(
                "CWE | language",
                |row| (row.row.weakness(), row.language),
                |(cwe, of)| format!("{cwe} | {of}"),
            );
        }
        self.print_by("CWE", |row| row.row.weakness(), ToString::to_string);
        self.print_by("language", |row| row.language, |language| (*language).to_owned());
        let sums = self.sums();
        print(&format!("\n{HEAD}\n{}\n{}", rule(HEAD), figures("total", &sums)));
        print(&format!("\n{} tables, {} pairs, {} files, {} lines", self.tables, sums.pairs(), self.files, self.lines));
        print(&format!("false alarms per 1,000 lines: {}", per_thousand(sums.false_alarms, self.lines)));
        print(&format!(
            "findings that no row judges: {} ({} per 1,000 lines)",
            self.unjudged.len(),
            per_thousand(self.unjudged.len(), self.lines)
        ));
        self.strangers.iter().for_each(|id| say(&format!("xtask: no rule is called `{id}`")));
        self.notes.iter().for_each(|note| say(&format!("xtask: {note}")));
    }

    /// Prints the figures of groups of rows.
    fn print_by<'e, K: Ord>(&'e self, title: &str, key: impl Fn(&'e Judged) -> K, name: impl Fn(&K) -> String) {
        let mut groups: BTreeMap<K, Sums> = BTreeMap::new();
        self.judged.iter().for_each(|row| groups.entry(key(row)).or_default().add(row.outcome));
        let head = HEAD.replacen("| ", &format!("| {title} "), 1);
        print(&format!("\n{head}\n{}", rule(&head)));
        groups.iter().for_each(|(key, sums)| print(&figures(&name(key), sums)));
    }
}

const HEAD: &str = "| | rows | found | missed | false | precision | recall | F1 |";

/// Returns the line below the head of a table.
fn rule(head: &str) -> String {
    "|---".repeat(head.matches('|').count() - 1) + "|"
}

fn figures(name: &str, sums: &Sums) -> String {
    let share = |share: Option<f64>| share.map_or_else(|| "–".to_owned(), |share| format!("{share:.3}"));
    format!(
        "| {name} | {} | {} | {} | {} | {} | {} | {} |",
        sums.rows(),
        sums.found,
        sums.missed,
        sums.false_alarms,
        share(sums.precision()),
        share(sums.recall()),
        share(sums.f1())
    )
}

/// Returns how many of something there are per 1,000 lines.
fn per_thousand(count: usize, lines: usize) -> String {
    format!("{:.3}", 1_000.0 * count as f64 / lines.max(1) as f64)
}

impl Judged {
    /// Says what went wrong, where, and what was said there.
    fn text(&self) -> String {
        let outcome = if self.outcome == Outcome::Missed { "MISSED" } else { "FALSE" };
        let said: Vec<String> = self.said.iter().map(in_words).collect();
        let said = if said.is_empty() { "nothing was said".to_owned() } else { said.join("; ") };
        let weaknesses: Vec<String> = self.row.weaknesses.iter().map(ToString::to_string).collect();
        format!("{outcome} {} {} {}: {said}", self.place, weaknesses.join(","), self.language)
    }
}

fn in_words(said: &Said) -> String {
    let cwe = said.cwe.map_or_else(String::new, |cwe| format!(" CWE-{cwe}"));
    let kept = if said.is_reported() { "" } else { ", not reported" };
    format!("{}{cwe} ({} at {}{kept}): {}", said.rule, said.severity, said.confidence, said.title.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The least share of what the specialists say of the own truth set that is true.
    const LEAST_PRECISION: f64 = 0.98;
    /// The least share of what is true there that they say.
    const LEAST_RECALL: f64 = 0.95;
    /// The least number of pairs, so that the shares are of something.
    const FEWEST_PAIRS: usize = 300;

    #[test]
    fn the_specialists_hold_against_the_own_truth_set() {
        let evaluation = evaluate(&crate::root().join("crates/jury-rules/truth"), 0).unwrap();
        let wrong: Vec<String> = evaluation.wrong().map(Judged::text).collect();
        let sums = evaluation.sums();
        let figures = format!("{HEAD}\n{}\n{}", figures("total", &sums), wrong.join("\n"));
        assert!(sums.precision() >= Some(LEAST_PRECISION), "precision is below {LEAST_PRECISION}\n{figures}");
        assert!(sums.recall() >= Some(LEAST_RECALL), "recall is below {LEAST_RECALL}\n{figures}");
        assert!(sums.pairs() >= FEWEST_PAIRS, "{} pairs, {FEWEST_PAIRS} are held", sums.pairs());
        assert_eq!(evaluation.strangers, BTreeSet::new(), "rule ids in the truth set that no rule has");
        assert_eq!(evaluation.notes, [""; 0], "the files of the truth set are whole code");
    }

    #[test]
    fn a_folder_stands_at_the_root_of_a_repository() {
        for (folder, path, expected) in [
            ("/a/truth/sql", "x/b.py", "sql/x/b.py"),
            ("/a/truth/actions", ".github/workflows/b.yml", ".github/workflows/b.yml"),
            ("/a/.github/workflows", "b.yml", ".github/workflows/b.yml"),
            ("/a/truth", "one/.github/workflows/b.yml", "truth/one/.github/workflows/b.yml"),
        ] {
            assert_eq!(repository_path(Path::new(folder), path), expected);
        }
    }

    /// Writes files into a folder of their own.
    fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("jury-eval-{name}-{}", std::process::id()));
        for (path, text) in files {
            let path = folder.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    #[test]
    fn rows_are_judged_and_the_rest_is_counted() {
        let code =
            "import hashlib\ncur.execute(f\"SELECT * FROM t WHERE a = {x}\")\ncur.execute(\"SELECT 1\")\neval(x)\n";
        let truth =
            "a.py\t2\tvulnerable\tCWE-564\na.py\t3\tsafe\t89\na.py\t1\tvulnerable\tno-such-rule\na.py\t2\tsafe\t-\n";
        let folder = folder("rows", &[("tests/a.py", code), ("tests/truth.tsv", truth)]);
        let evaluation = evaluate(&folder, 0);
        std::fs::remove_dir_all(&folder).unwrap();
        let evaluation = evaluation.unwrap();
        assert_eq!(evaluation.sums(), Sums { found: 1, missed: 1, false_alarms: 1, quiet: 1 });
        assert_eq!((evaluation.tables, evaluation.files, evaluation.lines), (1, 1, 4));
        assert_eq!(evaluation.unjudged.iter().map(|(place, _)| place.as_str()).collect::<Vec<_>>(), ["tests/a.py:4"]);
        assert_eq!(evaluation.strangers.into_iter().collect::<Vec<_>>(), ["no-such-rule"]);
        let wrong: Vec<String> =
            evaluation.judged.iter().filter(|row| row.outcome != Outcome::Quiet).map(Judged::text).collect();
        assert!(wrong[1].starts_with("MISSED tests/a.py:1 no-such-rule Python: nothing was said"), "{wrong:?}");
        assert!(wrong[2].starts_with("FALSE tests/a.py:2 any Python: py-sql-injection CWE-89 (P"), "{wrong:?}");
    }

    #[test]
    fn rows_that_lead_nowhere_are_errors_with_their_place() {
        let truth = "a.py\t9\tsafe\t-\nb.py\t1\tsafe\t-\na.py\t1\tperhaps\t-\n";
        let folder = folder("bad", &[("a.py", "x\n"), ("truth.tsv", truth)]);
        let error = evaluate(&folder, 0).map(|_| ()).unwrap_err();
        std::fs::remove_file(folder.join("truth.tsv")).unwrap();
        let empty = evaluate(&folder, 0).map(|_| ()).unwrap_err();
        std::fs::remove_dir_all(&folder).unwrap();
        for expected in ["truth.tsv:1: a.py has 1 lines and no line 9", "truth.tsv:2: b.py: ", "truth.tsv:3: verdict"] {
            assert!(error.contains(expected), "{error}");
        }
        assert!(empty.ends_with("there is no truth.tsv here or below"), "{empty}");
    }
}
