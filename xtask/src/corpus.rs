//! `cargo xtask corpus DIR`: intake over a folder of real outputs, held against an independent, cruder count.
//!
//! In: a folder of files, perhaps with subfolders. Out: a table per subfolder and dialect, and a failure if a file that holds
//! a blocking claim by the crude count comes out clear, or the books do not add up.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jury::intake::{self, Intake};
use jury::model::Location;
use jury::syntax::Limits;

use crate::crude::{self, Crude};
use crate::{Failure, print, say};

/// What a group of files came to.
#[derive(Default)]
struct Sums {
    files: usize,
    crude: usize,
    present: usize,
    understood: usize,
    with_file: usize,
    with_line: usize,
    crude_with_file: usize,
    crude_with_line: usize,
    /// In each file, what either count sees, and what both see with a file and a line.
    seen: usize,
    agreed_lines: usize,
    repairs: usize,
    rejected: usize,
    gap_files: usize,
    clear_files: usize,
}

/// What is printed beside the table.
#[derive(Clone, Copy)]
pub(crate) struct Show {
    pub(crate) files: bool,
    pub(crate) differing: bool,
    pub(crate) claims: bool,
}

pub(crate) fn run(folder: &Path, roots: &[String], show: Show) -> Result<(), Failure> {
    let roots: Vec<&str> = roots.iter().map(String::as_str).collect();
    let mut groups: BTreeMap<(String, String), Sums> = BTreeMap::new();
    let mut codes: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    let mut falsely_clear = Vec::new();
    let mut unbalanced = Vec::new();
    for path in files_below(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let bytes = std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        let taken = intake::take_below(&bytes, None, &roots, &Limits::default());
        let crude = crude::count(&bytes);
        let name = path.strip_prefix(folder).unwrap_or(&path).display().to_string();
        let group = name.rsplit_once('/').map_or("", |(group, _)| group).to_owned();
        add(groups.entry((group, taken.dialect.id().to_owned())).or_default(), &taken, &crude);
        taken.repairs.iter().for_each(|repair| *codes.entry(("repair", repair.reason.code())).or_default() += 1);
        taken.rejected.iter().for_each(|reject| *codes.entry(("reject", reject.reason.code())).or_default() += 1);
        taken.gaps.iter().for_each(|gap| *codes.entry(("gap", gap.reason.code())).or_default() += 1);
        if crude.blocking > 0 && taken.is_clear() {
            falsely_clear.push(name.clone());
        }
        if taken.understood() + taken.rejected.len() != taken.present {
            unbalanced.push(name.clone());
        }
        if show.files || show.differing && crude.claims != taken.present {
            print_file(&name, &taken, &crude);
        }
        if show.claims {
            print_claims(&taken);
        }
    }
    print_table(&groups);
    print("");
    for ((kind, code), count) in &codes {
        print(&format!("{kind:7} {count:6}  {code}"));
    }
    if !unbalanced.is_empty() {
        return Err(format!("the books do not add up: {}", unbalanced.join(", ")));
    }
    if !falsely_clear.is_empty() {
        return Err(format!("files with a blocking claim come out clear: {}", falsely_clear.join(", ")));
    }
    say("\nxtask: no file with a blocking claim comes out clear");
    Ok(())
}

fn add(sums: &mut Sums, taken: &Intake, crude: &Crude) {
    let located = || taken.reports.iter().flat_map(|report| &report.claims).filter_map(|claim| claim.location.as_ref());
    sums.files += 1;
    sums.crude += crude.claims;
    sums.crude_with_file += crude.with_file;
    sums.crude_with_line += crude.with_line;
    let with_line = located().filter(|location: &&Location| location.lines.is_some()).count();
    sums.seen += crude.claims.max(taken.present);
    sums.agreed_lines += crude.with_line.min(with_line);
    sums.present += taken.present;
    sums.understood += taken.understood();
    sums.with_file += located().count();
    sums.with_line += with_line;
    sums.repairs += taken.repairs.len();
    sums.rejected += taken.rejected.len();
    sums.gap_files += usize::from(!taken.gaps.is_empty());
    sums.clear_files += usize::from(taken.is_clear());
}

fn print_table(groups: &BTreeMap<(String, String), Sums>) {
    print(
        "| folder | dialect | files | crude claims | present | understood | with file | with line | repairs | rejected | files with gaps | files clear |",
    );
    print("|---|---|---|---|---|---|---|---|---|---|---|---|");
    let mut all = Sums::default();
    for ((folder, dialect), sums) in groups {
        print(&row(folder, dialect, sums));
        all.files += sums.files;
        all.crude += sums.crude;
        all.crude_with_file += sums.crude_with_file;
        all.crude_with_line += sums.crude_with_line;
        all.seen += sums.seen;
        all.agreed_lines += sums.agreed_lines;
        all.present += sums.present;
        all.understood += sums.understood;
        all.with_file += sums.with_file;
        all.with_line += sums.with_line;
        all.repairs += sums.repairs;
        all.rejected += sums.rejected;
        all.gap_files += sums.gap_files;
        all.clear_files += sums.clear_files;
    }
    print(&row("all", "", &all));
    let share =
        |part: usize, whole: usize| format!("{:.1} % ({part} of {whole})", 100.0 * part as f64 / whole.max(1) as f64);
    print(&format!(
        "\nunderstood, of the claims that either count sees in a file: {}",
        share(all.understood, all.seen)
    ));
    print(&format!(
        "with file and line, of the claims that name both by the crude count: {}",
        share(all.agreed_lines, all.crude_with_line)
    ));
}

fn row(folder: &str, dialect: &str, sums: &Sums) -> String {
    format!(
        "| {folder} | {dialect} | {} | {} ({} with file, {} with line) | {} | {} | {} | {} | {} | {} | {} | {} |",
        sums.files,
        sums.crude,
        sums.crude_with_file,
        sums.crude_with_line,
        sums.present,
        sums.understood,
        sums.with_file,
        sums.with_line,
        sums.repairs,
        sums.rejected,
        sums.gap_files,
        sums.clear_files
    )
}

fn print_file(name: &str, taken: &Intake, crude: &Crude) {
    let gaps: Vec<&str> = taken.gaps.iter().map(|gap| gap.reason.code()).collect();
    let differs = if crude.claims == taken.present { "" } else { "≠" };
    print(&format!(
        "{name} {} crude {} (blocking {}) {differs} understood {} rejected {} {}{}",
        taken.dialect.id(),
        crude.claims,
        crude.blocking,
        taken.understood(),
        taken.rejected.len(),
        if taken.is_clear() { "CLEAR " } else { "" },
        gaps.join(" ")
    ));
}

fn print_claims(taken: &Intake) {
    for claim in taken.reports.iter().flat_map(|report| &report.claims) {
        let place = claim.location.as_ref().map_or("-".to_owned(), ToString::to_string);
        let confidence = claim.confidence.map_or("-".to_owned(), |confidence| confidence.percent().to_string());
        let status = claim.status.map_or("", |status| status.token());
        print(&format!(
            "    {} {status} | {place} | {confidence} | {}",
            claim.severity,
            claim.title.as_str().escape_debug()
        ));
    }
    for reject in &taken.rejected {
        let start: String = reject.raw.chars().take(120).collect();
        print(&format!("    REJECTED {}: {} | {}", reject.reason.code(), reject.message, start.escape_debug()));
    }
    for gap in &taken.gaps {
        print(&format!("    GAP {}: {}", gap.reason.code(), gap.message.escape_debug()));
    }
}

/// Lists the files of a folder and of those in it, in order; a file is itself.
pub(crate) fn files_below(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    if folder.is_file() {
        return Ok(vec![folder.to_path_buf()]);
    }
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files.extend(files_below(&path)?);
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}
