//! Are findings followed through edits? The files of the truth set, with all that the specialists find in them, are edited as people
//! edit, and each finding has to be where its code went. Run by every test; `cargo xtask bench identity` shows the table of
//! `docs/verify.md`.

use std::collections::BTreeMap;
use std::path::Path;

use jury::model::{Became, Domain, Features, FileLine, FindingName, RepoPath};
use jury::verify::{Comparison, TreeFacts, TreeFindings};
use jury_rules::{NoTree, Parsed, SPECIALISTS, SourceFile};

/// How many cases there are at least, so that the figures mean something.
const FEWEST_CASES: usize = 2_000;

/// A file with findings.
struct Original {
    path: String,
    lines: Vec<String>,
    seen: TreeFindings,
}

/// Where a line went: the file, and the lines that it became.
type Went = (String, std::ops::RangeInclusive<usize>);

/// A file after an edit: where each of its lines went, if it is still there.
struct Edited {
    files: Vec<(String, Vec<String>)>,
    went: BTreeMap<usize, Went>,
}

/// The results of the cases of one kind of edit.
#[derive(Clone, Copy, Debug, Default)]
struct Score {
    cases: usize,
    followed: usize,
    /// Still there, and not known again.
    lost: usize,
    /// Taken for another one, or for one that is gone.
    misjoined: usize,
    /// Still there, and called gone.
    wrongly_verified: usize,
}

fn originals() -> Vec<Original> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../jury-rules/truth");
    let mut originals = Vec::new();
    for path in files_below(&folder) {
        let name = path
            .strip_prefix(&folder)
            .expect("the truth set is as it should be")
            .to_str()
            .expect("the truth set is as it should be")
            .to_owned();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        let seen = review(&[(name.clone(), lines.clone())]);
        if !seen.features.is_empty() {
            originals.push(Original { path: name, lines, seen });
        }
    }
    originals
}

fn files_below(folder: &Path) -> Vec<std::path::PathBuf> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the truth set is as it should be") {
        let path = entry.expect("the truth set is as it should be").path();
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Asks all specialists.
fn review(files: &[(String, Vec<String>)]) -> TreeFindings {
    let mut seen = TreeFindings::default();
    for (path, lines) in files {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        let file = RepoPath::new(path).expect("the truth set is as it should be");
        // Parsed once for all of them, which is most of the work.
        let parsed = Parsed::default();
        for specialist in SPECIALISTS {
            let review = specialist.review_in(&parsed, &[SourceFile { path, text: &text, touched: &[] }], &NoTree);
            for finding in review.findings.findings {
                let member = |key: &str| finding.other.get(key).and_then(|value| value.as_str());
                let name = FindingName {
                    domain: Domain::new(specialist.domain).expect("the truth set is as it should be"),
                    what: member("rule").unwrap_or_default().to_owned(),
                    cwe: member("cwe").and_then(|cwe| cwe.trim_start_matches("CWE-").parse().ok()),
                };
                let place = Some(FileLine { file: file.clone(), line: Some(finding.merge.line) });
                let quote = finding.evidence.first().cloned();
                seen.features.push(Features { names: vec![name], title: finding.merge.title, quote, place });
            }
        }
        seen.texts.insert(file, text);
    }
    seen
}

/// Makes any number of edited files of one.
type Edit = fn(&Original) -> Vec<Edited>;

const DELETE: &str = "delete others";

/// The kinds of edits. Each gives any number of edited files.
const EDITS: &[(&str, Edit)] = &[
    ("insert above", insert_above),
    ("insert beside", insert_beside),
    (DELETE, delete),
    ("indent", indent),
    ("rename a variable", rename),
    ("extract a function", extract),
    ("extract into another file", extract_elsewhere),
    ("move the file", move_file),
    ("move and edit the file", move_and_edit),
    ("reformat the file", reformat),
    ("swap two blocks", swap),
    ("copy a block", copy),
];

#[test]
#[allow(clippy::print_stdout, reason = "`cargo xtask bench identity` shows the table")]
fn findings_are_followed_through_edits() {
    let originals = originals();
    let mut total = Score::default();
    let mut table = String::from(
        "| edit | cases | followed | lost | wrongly joined | wrongly verified |\n|---|---|---|---|---|---|\n",
    );
    let mut failures = Vec::new();
    for (name, edit) in EDITS {
        let mut score = Score::default();
        for original in &originals {
            for edited in edit(original) {
                judge(name, original, &edited, &mut score, &mut failures);
            }
        }
        table.push_str(&row(name, &score));
        assert!(score.cases > 0, "no case of {name}");
        total = total.plus(&score);
    }
    table.push_str(&row("**all**", &total));
    println!("{table}");
    let most = std::env::var("JURY_IDENTITY").ok().and_then(|most| most.parse().ok()).unwrap_or(5);
    let shown = failures.iter().take(most).cloned().collect::<Vec<_>>().join("\n");
    println!("{shown}");
    assert!(total.cases >= FEWEST_CASES, "{} cases", total.cases);
    assert_eq!(total.wrongly_verified, 0, "called gone and still there:\n{table}{shown}");
    assert!(total.followed * 100 >= total.cases * 99, "fewer than 99 % followed:\n{table}{shown}");
    assert!(total.misjoined * 200 <= total.cases, "more than 0.5 % wrongly joined:\n{table}{shown}");
}

impl Score {
    fn plus(&self, other: &Self) -> Self {
        Self {
            cases: self.cases + other.cases,
            followed: self.followed + other.followed,
            lost: self.lost + other.lost,
            misjoined: self.misjoined + other.misjoined,
            wrongly_verified: self.wrongly_verified + other.wrongly_verified,
        }
    }
}

fn row(name: &str, score: &Score) -> String {
    let Score { cases, followed, lost, misjoined, wrongly_verified } = score;
    format!("| {name} | {cases} | {followed} | {lost} | {misjoined} | {wrongly_verified} |\n")
}

/// Holds where each finding was followed to against where its line went.
fn judge(name: &str, original: &Original, edited: &Edited, score: &mut Score, failures: &mut Vec<String>) {
    let now = review(&edited.files);
    let recheck = Comparison::new(&original.seen, &now);
    let found: Vec<usize> = recheck.followed().iter().flatten().map(|followed| followed.to).collect();
    let once: std::collections::BTreeSet<&usize> = found.iter().collect();
    assert_eq!(once.len(), found.len(), "{name}: {}: two findings became one", original.path);
    for (at, features) in original.seen.features.iter().enumerate() {
        let line =
            features.place.as_ref().and_then(|place| place.line).expect("the truth set is as it should be") as usize;
        let expected = edited.went.get(&line);
        let followed = recheck.followed()[at].map(|followed| {
            let place = now.features[followed.to].place.as_ref().expect("the truth set is as it should be");
            (place.file.to_string(), place.line.expect("the truth set is as it should be") as usize)
        });
        let is_at = |(path, line): &(String, usize), (file, lines): &Went| path == file && lines.contains(line);
        let is_there = |expected: &Went| {
            now.features.iter().any(|other| {
                let FileLine { file, line } = other.place.as_ref().expect("the truth set is as it should be");
                other.names == features.names
                    && is_at(&(file.to_string(), line.expect("the truth set is as it should be") as usize), expected)
            })
        };
        // Taking code away may take the cause of a finding elsewhere with it.
        if *name == *DELETE && expected.is_some_and(|expected| !is_there(expected)) {
            continue;
        }
        let mut fail = |what: &str| {
            let rule = &features.names[0].what;
            failures.push(format!(
                "{name}: {}:{line} {rule}: {what}: expected {expected:?}, followed to {followed:?}; seen there: {}",
                original.path,
                expected.is_some_and(is_there),
            ));
        };
        score.cases += 1;
        match (expected, &followed) {
            (Some(expected), Some(followed)) if is_at(followed, expected) => score.followed += 1,
            (None, None) => score.followed += 1,
            (Some(_), None) => {
                score.lost += 1;
                fail("lost");
            }
            (_, Some(_)) => {
                score.misjoined += 1;
                fail("wrongly joined");
            }
        }
        if expected.is_some() && recheck.ask(at, &TreeFacts::default()) == Became::Verified {
            score.wrongly_verified += 1;
            fail("wrongly verified");
        }
    }
}

impl Original {
    fn extension(&self) -> &str {
        self.path.rsplit('.').next().unwrap_or_default()
    }

    /// Returns what a comment begins with, where that is known.
    fn comment(&self) -> Option<&'static str> {
        match self.extension() {
            "js" | "ts" | "tsx" | "go" | "java" | "cs" | "rs" | "php" => Some("//"),
            "py" | "rb" | "sh" | "yml" | "yaml" | "tf" => Some("#"),
            _ => None,
        }
    }

    fn is_braced(&self) -> bool {
        ["js", "ts", "tsx", "go", "java", "cs", "rs", "php"].contains(&self.extension())
    }

    /// Returns the lines with findings, from 1, each once.
    fn found(&self) -> Vec<usize> {
        let lines = self.seen.features.iter().filter_map(|features| features.place.as_ref()?.line);
        let mut lines: Vec<usize> = lines.map(|line| line as usize).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// Returns the call that a finding at a line quotes, if it is one that ends in the line.
    fn call(&self, line: usize) -> Option<&str> {
        let features = self
            .seen
            .features
            .iter()
            .filter(|features| features.place.as_ref().and_then(|place| place.line) == Some(line as u32));
        let text = &self.lines[line - 1];
        features.filter_map(|features| features.quote.as_deref()).find(|quote| {
            let name = quote.split('(').next().unwrap_or_default();
            let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "._$".contains(c));
            is_name && quote.ends_with(')') && is_balanced(&[quote]) && text.matches(quote).count() == 1
        })
    }

    /// Edits the lines one by one: each becomes any number of lines, the first of which it is.
    fn map(&self, mut edit: impl FnMut(usize, &str) -> Vec<String>) -> Edited {
        let (mut lines, mut went) = (Vec::new(), BTreeMap::new());
        for (line, number) in self.lines.iter().zip(1..) {
            let edited = edit(number, line);
            if !edited.is_empty() {
                went.insert(number, (self.path.clone(), lines.len() + 1..=lines.len() + edited.len()));
            }
            lines.extend(edited);
        }
        Edited { files: vec![(self.path.clone(), lines)], went }
    }

    /// Returns the blocks that stand by themselves: from one blank line to the next, whole, and as far left as what follows.
    fn blocks(&self) -> Vec<std::ops::Range<usize>> {
        let mut blocks = Vec::new();
        let mut start = None;
        for index in 0..=self.lines.len() {
            let is_blank = self.lines.get(index).is_none_or(|line| line.trim().is_empty());
            match start {
                None if !is_blank => start = Some(index),
                Some(first) if is_blank => {
                    blocks.push(first..index);
                    start = None;
                }
                _ => {}
            }
        }
        let depth = |index: usize| self.lines[index].len() - self.lines[index].trim_start().len();
        let is_whole = |block: &std::ops::Range<usize>| {
            let lines: Vec<&str> = self.lines[block.clone()].iter().map(String::as_str).collect();
            let next = (block.end..self.lines.len()).find(|index| !self.lines[*index].trim().is_empty());
            let closes = self.lines[block.end - 1].trim_start().starts_with(['}', 'e']) || !self.is_braced();
            block.start > 0
                && depth(block.start) <= 4
                && is_balanced(&lines)
                && closes
                && next.is_none_or(|next| depth(next) <= depth(block.start))
        };
        blocks.into_iter().filter(is_whole).collect()
    }
}

fn is_balanced(lines: &[&str]) -> bool {
    let count = |c: char| lines.iter().map(|line| line.matches(c).count()).sum::<usize>();
    [('(', ')'), ('{', '}'), ('[', ']')].iter().all(|(open, close)| count(*open) == count(*close))
}

fn indent_of(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

fn insert_above(original: &Original) -> Vec<Edited> {
    let Some(comment) = original.comment() else { return Vec::new() };
    let new = [format!("{comment} one more"), String::new(), format!("{comment} and another")];
    let edit = |number: usize, line: &str| {
        let mut lines = vec![line.to_owned()];
        if number == 1 {
            lines.extend(new.clone());
        }
        lines
    };
    vec![original.map(edit)]
}

fn insert_beside(original: &Original) -> Vec<Edited> {
    let Some(comment) = original.comment() else { return Vec::new() };
    // A comment is what some rules ask for.
    let is_asked = |line: usize| {
        let features = original.seen.features.iter().filter(|features| {
            features.place.as_ref().expect("the truth set is as it should be").line == Some(line as u32)
        });
        features.into_iter().any(|features| features.names[0].what == "skipped-test")
    };
    let found: Vec<usize> = original.found().into_iter().filter(|line| !is_asked(*line)).collect();
    let is_continued = |line: &str| line.ends_with(['\\', ',', '(', '+', '.', '`', '=', '|', '&']);
    let mut edited = original.map(|_, line| vec![line.to_owned()]);
    let mut lines = Vec::new();
    for (line, number) in original.lines.iter().zip(1..) {
        let before = lines.last().map(String::as_str).unwrap_or_default();
        if found.contains(&number) && !is_continued(str::trim_end(before)) && !line.trim_start().starts_with('.') {
            lines.push(format!("{}{comment} what follows is new", indent_of(line)));
        }
        edited.went.insert(number, (original.path.clone(), lines.len() + 1..=lines.len() + 1));
        lines.push(line.clone());
    }
    edited.files[0].1 = lines;
    vec![edited]
}

/// Takes each block with a finding away in turn: those in it are gone, and the others are where they went.
fn delete(original: &Original) -> Vec<Edited> {
    let found = original.found();
    let blocks = original.blocks();
    let with_finding = blocks.iter().filter(|block| found.iter().any(|line| block.contains(&(line - 1))));
    let without = |block: &std::ops::Range<usize>| {
        original.map(|number, line| if block.contains(&(number - 1)) { Vec::new() } else { vec![line.to_owned()] })
    };
    with_finding.take(4).map(without).collect()
}

fn indent(original: &Original) -> Vec<Edited> {
    if !original.is_braced() {
        return Vec::new();
    }
    vec![original.map(|_, line| vec![if line.is_empty() { String::new() } else { format!("    {line}") }])]
}

/// Gives another name to a variable that is set in the file and occurs beside a finding.
fn rename(original: &Original) -> Vec<Edited> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut edits = Vec::new();
    for line in original.found() {
        let text = &original.lines[line - 1];
        let words = text.split(|c: char| !is_word(c)).filter(|word| word.len() > 1);
        let is_set = |word: &&str| {
            let heads = [format!("const {word} ="), format!("let {word} ="), format!("{word} := ")];
            let is_head = |line: &str| heads.iter().any(|head| line.trim_start().starts_with(head));
            let is_plain = |line: &str| original.extension() == "py" && line.trim().starts_with(&format!("{word} = "));
            original.lines.iter().any(|line| is_head(line) || is_plain(line))
        };
        let Some(name) = words.into_iter().find(is_set) else { continue };
        let renamed = |line: &str| {
            let mut new = String::new();
            let mut rest = line;
            while let Some(at) = rest.find(name) {
                // What stands in quotes is the name of something else, such as that of a module.
                let is_whole = !rest[..at].ends_with(|c| is_word(c) || matches!(c, '.' | '"' | '\''))
                    && !rest[at + name.len()..].starts_with(|c| is_word(c) || (c == ':' && original.is_braced()))
                    && (at > 0 || !new.ends_with(|c| is_word(c) || c == '.'));
                new.push_str(&rest[..at]);
                new.push_str(name);
                if is_whole {
                    new.push_str("Renamed");
                }
                rest = &rest[at + name.len()..];
            }
            new + rest
        };
        edits.push(original.map(|_, line| vec![renamed(line)]));
    }
    edits
}

/// The variables of a call, which become the parameters of the function that takes it in.
fn variables(original: &Original, call: &str) -> Vec<String> {
    let mut variables: Vec<String> = Vec::new();
    let mut last = ' ';
    let mut quote = None;
    let mut word = String::new();
    for c in call.chars().chain([' ']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        let is_variable = quote.is_none() && last != '.' && c != '(' && word.starts_with(|c: char| c.is_lowercase());
        let is_declared = ["const", "let", "var"].iter().any(|kind| {
            original.lines.iter().any(|line| line.trim_start() == line && line.starts_with(&format!("{kind} {word}")))
        }) || original.lines.iter().any(|line| line.starts_with("import ") && line.contains(&word));
        let is_constant =
            ["true", "false", "null", "undefined", "None", "this", "self", "new", "await"].contains(&word.as_str());
        if is_variable && !is_declared && !is_constant && !variables.contains(&word) {
            variables.push(word.clone());
        }
        if !word.is_empty() {
            last = 'w';
            word.clear();
        }
        match c {
            '"' | '\'' | '`' if quote == Some(c) => quote = None,
            '"' | '\'' | '`' if quote.is_none() => quote = Some(c),
            '$' | '{' | '}' => quote = quote.filter(|_| c != '{').or(quote.filter(|_| c == '{').and(None)),
            _ => {}
        }
        if !c.is_whitespace() {
            last = c;
        }
    }
    variables
}

/// Writes the function that takes a call in; `None` where that needs types.
fn function(original: &Original, call: &str, is_exported: bool) -> Option<(Vec<String>, String)> {
    // Text with code in it takes more than words to read.
    if call.contains('`')
        || call.contains("f\"")
        || call.contains("f'")
        || call.contains("=>")
        || call.contains("lambda")
    {
        return None;
    }
    let variables = variables(original, call).join(", ");
    let export = if is_exported { "export " } else { "" };
    let lines = match original.extension() {
        "js" | "ts" => {
            let typed = if original.extension() == "ts" {
                variables.replace(", ", ": any, ") + ": any"
            } else {
                variables.clone()
            };
            let typed = if variables.is_empty() { String::new() } else { typed };
            vec![format!("{export}function takenOut({typed}) {{"), format!("  return {call};"), "}".to_owned()]
        }
        "py" => vec![format!("def taken_out({variables}):"), format!("    return {call}"), String::new()],
        _ => return None,
    };
    let name = if original.extension() == "py" { "taken_out" } else { "takenOut" };
    Some((lines, format!("{name}({variables})")))
}

/// Takes a call out into a function at the end of the file.
fn extract(original: &Original) -> Vec<Edited> {
    let mut edits = Vec::new();
    for line in original.found() {
        let Some(call) = original.call(line) else { continue };
        let is_only = original
            .seen
            .features
            .iter()
            .filter(|features| {
                features.place.as_ref().expect("the truth set is as it should be").line == Some(line as u32)
            })
            .count()
            == 1;
        let Some((lines, instead)) = function(original, call, false).filter(|_| is_only) else { continue };
        let mut edited = original
            .map(|number, text| vec![if number == line { text.replace(call, &instead) } else { text.to_owned() }]);
        let file = &mut edited.files[0].1;
        file.push(String::new());
        edited.went.insert(line, (original.path.clone(), file.len() + 2..=file.len() + 2));
        file.extend(lines);
        edits.push(edited);
    }
    edits
}

/// Takes a call out into a function of a file of its own, with the imports.
fn extract_elsewhere(original: &Original) -> Vec<Edited> {
    let mut edits = Vec::new();
    for line in original.found() {
        let Some(call) = original.call(line) else { continue };
        let is_only = original
            .seen
            .features
            .iter()
            .filter(|features| {
                features.place.as_ref().expect("the truth set is as it should be").line == Some(line as u32)
            })
            .count()
            == 1;
        let Some((lines, instead)) = function(original, call, true).filter(|_| is_only) else { continue };
        let mut edited = original
            .map(|number, text| vec![if number == line { text.replace(call, &instead) } else { text.to_owned() }]);
        let is_import = |text: &&String| {
            ["import ", "from ", "const "].iter().any(|head| text.starts_with(head)) && !text.ends_with(['(', '{', '['])
        };
        let mut file: Vec<String> = original.lines.iter().filter(is_import).cloned().collect();
        file.push(String::new());
        let path = format!("taken/out.{}", original.extension());
        edited.went.insert(line, (path.clone(), file.len() + 2..=file.len() + 2));
        file.extend(lines);
        edited.files.push((path, file));
        edits.push(edited);
    }
    edits
}

fn moved(original: &Original, edited: Edited) -> Edited {
    let (folder, name) = original.path.rsplit_once('/').unwrap_or(("", &original.path));
    let path = format!("{folder}/elsewhere/{name}");
    let files = edited.files.into_iter().map(|(_, lines)| (path.clone(), lines)).collect();
    Edited { files, went: edited.went.into_iter().map(|(line, (_, to))| (line, (path.clone(), to))).collect() }
}

fn move_file(original: &Original) -> Vec<Edited> {
    vec![moved(original, original.map(|_, line| vec![line.to_owned()]))]
}

fn move_and_edit(original: &Original) -> Vec<Edited> {
    insert_beside(original).into_iter().map(|edited| moved(original, edited)).collect()
}

/// Spreads every call with a finding over several lines, and indents with tabs.
fn reformat(original: &Original) -> Vec<Edited> {
    if !original.is_braced() && original.extension() != "py" {
        return Vec::new();
    }
    let found = original.found();
    let edit = |number: usize, line: &str| {
        let spread = found.contains(&number).then(|| original.call(number)).flatten();
        let opening = spread.and_then(|call| Some((line.find(call)?, call)));
        let tabs = |line: &str| if original.is_braced() { line.replace("  ", "\t") } else { line.to_owned() };
        let Some((at, call)) = opening.filter(|_| !line.contains("//") && !line.contains('#')) else {
            return vec![tabs(line)];
        };
        let open = at + call.find('(').expect("the truth set is as it should be") + 1;
        let close = at + call.len() - 1;
        let inner = line[open..close].trim();
        if inner.is_empty() || !is_balanced(&[&line[..at]]) && original.extension() == "go" {
            return vec![tabs(line)];
        }
        let indent = indent_of(line);
        let comma = if original.extension() == "go" { "," } else { "" };
        let lines =
            [line[..open].to_owned(), format!("{indent}    {inner}{comma}"), format!("{indent}{}", &line[close..])];
        lines.iter().map(|line| tabs(line)).collect()
    };
    vec![original.map(edit)]
}

/// Lets two blocks with findings of one rule change places.
fn swap(original: &Original) -> Vec<Edited> {
    let blocks = original.blocks();
    let rules_in = |block: &std::ops::Range<usize>| -> Vec<&Vec<FindingName>> {
        let inside = |features: &&Features| {
            block.contains(
                &(features
                    .place
                    .as_ref()
                    .expect("the truth set is as it should be")
                    .line
                    .expect("the truth set is as it should be") as usize
                    - 1),
            )
        };
        original.seen.features.iter().filter(inside).map(|features| &features.names).collect()
    };
    let mut edits = Vec::new();
    for pair in blocks.windows(2) {
        let [one, two] = pair else { continue };
        if !rules_in(one).iter().any(|rule| rules_in(two).contains(rule)) {
            continue;
        }
        let order = (0..one.start)
            .chain(two.clone())
            .chain(one.end..two.start)
            .chain(one.clone())
            .chain(two.end..original.lines.len());
        let order: Vec<usize> = order.collect();
        let went =
            order.iter().enumerate().map(|(new, old)| (old + 1, (original.path.clone(), new + 1..=new + 1))).collect();
        let lines = order.iter().map(|old| original.lines[*old].clone()).collect();
        edits.push(Edited { files: vec![(original.path.clone(), lines)], went });
    }
    edits
}

/// Puts a copy of each block with a finding at the end of the file: the copy is new, and the others are where they were.
fn copy(original: &Original) -> Vec<Edited> {
    let found = original.found();
    let blocks = original.blocks();
    let at_top = blocks.iter().filter(|block| indent_of(&original.lines[block.start]).is_empty());
    let with_finding = at_top.filter(|block| found.iter().any(|line| block.contains(&(line - 1))));
    let copied = |block: &std::ops::Range<usize>| {
        let mut edited = original.map(|_, line| vec![line.to_owned()]);
        edited.files[0].1.push(String::new());
        edited.files[0].1.extend(original.lines[block.clone()].to_vec());
        edited
    };
    with_finding.take(3).map(copied).collect()
}
