//! `cargo xtask eval --noise DIR`: how often real code would be stopped. In: a folder of sources. Out: every finding at High
//! and above with its place, their number by rule, and how many there are per 1,000 lines of code.

use std::collections::BTreeMap;
use std::path::Path;

use super::code::{Code, language, review};
use super::per_thousand;
use crate::corpus::files_below;
use crate::{Failure, print};

/// How many files are reviewed at a time; the whole of a large folder need not be in memory.
const AT_A_TIME: usize = 200;

/// What the files of a language came to.
#[derive(Default)]
struct Sums {
    files: usize,
    lines: usize,
    findings: usize,
}

pub(crate) fn run(folder: &Path) -> Result<(), Failure> {
    let mut languages: BTreeMap<&str, Sums> = BTreeMap::new();
    let mut rules: BTreeMap<String, usize> = BTreeMap::new();
    let mut passed_over = 0;
    let mut notes = Vec::new();
    let paths = files_below(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for paths in paths.chunks(AT_A_TIME) {
        let mut files = Vec::new();
        for path in paths {
            let bytes = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
            if bytes.contains(&0) {
                passed_over += 1;
                continue;
            }
            let name = path.strip_prefix(folder).unwrap_or(path).to_string_lossy().into_owned();
            files.push(Code { path: name, text: String::from_utf8_lossy(&bytes).into_owned() });
        }
        let heard = review(&files);
        notes.extend(heard.notes);
        for file in &files {
            let sums = languages.entry(language(&file.path).unwrap_or(NO_CODE)).or_default();
            sums.files += 1;
            sums.lines += file.text.lines().count();
            for said in heard.said.get(&file.path).into_iter().flatten() {
                if said.is_reported() && ["P0", "P1"].contains(&said.severity.as_str()) {
                    sums.findings += 1;
                    *rules.entry(said.rule.clone()).or_default() += 1;
                    let line = file.text.lines().nth(said.lines.0 as usize - 1).unwrap_or_default().trim();
                    let quoted: String = jury_rules::redact(line).chars().take(160).collect();
                    print(&format!(
                        "{}:{} {} {} {}: {} | {}",
                        file.path,
                        said.lines.0,
                        said.severity,
                        said.confidence,
                        said.rule,
                        said.title.escape_debug(),
                        quoted.escape_debug()
                    ));
                }
            }
        }
    }
    print_sums(&languages, &rules);
    print(&format!("\nbinary files passed over: {passed_over}; not reviewed in full, or noted: {}", notes.len()));
    notes.iter().for_each(|note| print(&format!("  {}", note.escape_debug())));
    Ok(())
}

/// What holds no code is reviewed, too, but its lines would make the rate look better than it is.
const NO_CODE: &str = "other text";

fn print_sums(languages: &BTreeMap<&str, Sums>, rules: &BTreeMap<String, usize>) {
    print("\n| language | files | lines | findings at P0 and P1 | per 1,000 lines |\n|---|---|---|---|---|");
    let mut all = Sums::default();
    for (language, sums) in languages {
        let rate = per_thousand(sums.findings, sums.lines);
        print(&format!("| {language} | {} | {} | {} | {rate} |", sums.files, sums.lines, sums.findings));
        all.findings += sums.findings;
        if *language != NO_CODE {
            all.files += sums.files;
            all.lines += sums.lines;
        }
    }
    let rate = per_thousand(all.findings, all.lines);
    print(&format!("| all findings, per line of code | {} | {} | {} | {rate} |", all.files, all.lines, all.findings));
    print("\n| rule | findings at P0 and P1 |\n|---|---|");
    rules.iter().for_each(|(rule, count)| print(&format!("| {rule} | {count} |")));
}
