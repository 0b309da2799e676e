//! What an edit of a settings file weakens. In: its text before and after the change. Out: each rule that is off, path that is left out, threshold that
//! is lowered, check that is gone or can no longer fail, as far as that can be told from the text.
//!
//! The entries of the two texts are compared. Deliberately not here: which files are settings (`settings`), what their entries are (`entries`), and
//! which words loosen or check (`setting_words`).

use std::collections::BTreeSet;

use super::entries::{Entry, entries, is_program, placeless};
use super::pipeline::checks;
use super::pipeline::commands::{Command, commands};
use super::setting_words::{
    CEILINGS, FLOORS, IDLE, NEVER_FAILS, OFF, SELECTING, is_check, is_check_name, is_loosening, never_fails, plain,
};
use crate::dispatch::settings::{Kind, Part, Row};

/// How a settings file differs.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Difference {
    /// Not in a part that counts.
    None,
    /// Somehow, and as far as can be told it checks no less.
    Other,
    /// It checks less.
    Weaker(Vec<String>),
}

/// A complexity that no function has.
const NO_LIMIT: f64 = 1_000.0;
/// How many reasons are listed.
const MOST: usize = 5;

/// Compares a settings file before and after a change.
pub(super) fn compare(
    row: &Row,
    path: &str,
    before: Option<&str>,
    after: Option<&str>,
    elsewhere: &Elsewhere,
) -> Difference {
    let entries = |text: Option<&str>| counted(row.part, text.map(|text| entries(path, text)).unwrap_or_default());
    let (old, new) = (entries(before), entries(after));
    if old == new && before.is_some() == after.is_some() {
        return Difference::None;
    }
    let is_table = matches!(row.part, Part::Tables(_));
    if is_table && old == new {
        return Difference::None;
    }
    let (old, new) = unmoved(old, new, elsewhere);
    let mut reasons = Vec::new();
    if after.is_none() && !old.is_empty() {
        reasons.push("all its settings are removed".to_owned());
    } else {
        reasons.extend(weaker(row, is_ignore_file(path), &old, &new));
        if !is_table && new.is_empty() && row.part == Part::Whole && is_program(path) {
            reasons.push("it sets no rule".to_owned());
        }
    }
    reasons.dedup();
    reasons.truncate(MOST);
    if reasons.is_empty() && before.is_some() && is_no_weaker(&old, &new) {
        return Difference::None;
    }
    match (reasons.is_empty(), row.part) {
        (false, Part::Nothing) => Difference::None,
        (false, _) => Difference::Weaker(reasons),
        (true, Part::Quiet | Part::Nothing) => Difference::None,
        (true, Part::Tables(_)) if row.tool == "Node tools" => Difference::None,
        (true, _) => Difference::Other,
    }
}

/// Tells whether the settings of a program that proposes updates let it merge them alone from now on.
pub(super) fn merges_alone(path: &str, before: Option<&str>, after: Option<&str>) -> bool {
    let merging = |text: Option<&str>| -> BTreeSet<Entry> {
        let all = text.map(|text| entries(path, text)).unwrap_or_default();
        let is_on =
            |entry: &Entry| plain(&entry.keys).ends_with("automerge") && entry.value.eq_ignore_ascii_case("true");
        all.into_iter().filter(is_on).collect()
    };
    !merging(after).is_subset(&merging(before))
}

/// Tells whether all that a new settings file says makes its tool check more.
pub(super) fn only_checks_more(row: &Row, path: &str, text: &str) -> bool {
    is_no_weaker(&[], &counted(row.part, entries(path, text)))
}

/// The settings of the other files that a change touches: a setting may move from one to another.
#[derive(Debug, Default)]
pub(super) struct Elsewhere {
    /// Those that are gone there.
    pub(super) gone: BTreeSet<(String, String)>,
    /// Those that came there.
    pub(super) came: BTreeSet<(String, String)>,
}

/// Leaves out settings that only moved: to another table of their tool, or to another file of the change.
fn unmoved(old: Vec<Entry>, new: Vec<Entry>, elsewhere: &Elsewhere) -> (Vec<Entry>, Vec<Entry>) {
    let differing = |entries: &[Entry], other: &[Entry]| -> BTreeSet<(String, String)> {
        entries.iter().filter(|entry| !other.contains(entry)).map(placeless).collect()
    };
    let (gone, came) = (differing(&old, &new), differing(&new, &old));
    let moved_in = |entry: &Entry| gone.contains(&placeless(entry)) || elsewhere.gone.contains(&placeless(entry));
    let moved_out = |entry: &Entry| came.contains(&placeless(entry)) || elsewhere.came.contains(&placeless(entry));
    let kept_old = old.iter().filter(|entry| new.contains(entry) || !moved_out(entry)).cloned().collect();
    let kept_new = new.iter().filter(|entry| old.contains(entry) || !moved_in(entry)).cloned().collect();
    (kept_old, kept_new)
}

/// Tells whether all that differs, if anything, is stricter than before: something more is checked, or something less is left out.
fn is_no_weaker(old: &[Entry], new: &[Entry]) -> bool {
    let is_off = |value: &str| OFF.contains(&value.to_lowercase().as_str()) || ["false", "0"].contains(&value);
    let grows = new.iter().filter(|entry| !old.contains(entry)).all(|entry| {
        let plain = plain(&entry.keys);
        let more =
            entry.keys.ends_with('|') && SELECTING.iter().any(|word| plain.contains(word)) && !is_loosening(&plain);
        let is_on = ["true", "error", "deny", "forbid", "2"].contains(&entry.value.to_lowercase().as_str())
            && !is_loosening(&plain);
        let was = old.iter().find(|other| other.keys == entry.keys);
        let rises = was.and_then(|was| Some((number(&was.value)?, number(&entry.value)?))).is_some_and(|(was, is)| {
            (FLOORS.iter().any(|word| plain.contains(word)) && is > was)
                || (CEILINGS.iter().any(|word| plain.contains(word)) && is < was)
        });
        more || is_on || rises
    });
    let is_strict = new.iter().any(|entry| entry.keys.ends_with("strict") && entry.value.eq_ignore_ascii_case("true"));
    let shrinks = old.iter().filter(|entry| !new.contains(entry)).all(|entry| {
        is_loosening(&plain(&entry.keys))
            || is_off(&entry.value)
            || (is_strict && entry.value.eq_ignore_ascii_case("true"))
            || new.iter().any(|other| other.keys == entry.keys)
    });
    grows && shrinks
}

/// Keeps the entries of the tables that count.
fn counted(part: Part, mut entries: Vec<Entry>) -> Vec<Entry> {
    if let Part::Tables(tables) = part {
        let is_in = |keys: &str, table: &str| match table.strip_suffix('*') {
            Some(start) => keys.starts_with(start),
            None => {
                keys == table
                    || keys.strip_prefix(table).is_some_and(|rest| rest.starts_with('.') || rest.starts_with('|'))
            }
        };
        entries.retain(|entry| tables.iter().any(|table| is_in(&entry.keys, table)));
    }
    entries
}

/// Folders in which programs keep packages and caches, never the code of a project.
const OF_OTHERS: &[&str] = &[
    "node_modules",
    "bower_components",
    "jspm_packages",
    ".venv",
    "venv",
    "site-packages",
    ".tox",
    ".nox",
    "__pycache__",
    ".mypy_cache",
    ".pytest_cache",
    ".ruff_cache",
    ".gradle",
    ".terraform",
    ".git",
];

/// Tells whether a path that is left out is a folder of packages or caches, and nothing more.
fn is_of_others(value: &str) -> bool {
    let plain = value.replace('\\', "");
    let plain = plain
        .trim_start_matches(['^', '(', '*', '/'])
        .trim_start_matches("./")
        .trim_end_matches(['$', ')', '*', '/', '?']);
    OF_OTHERS.contains(&plain)
}

fn weaker(row: &Row, is_ignore_file: bool, old: &[Entry], new: &[Entry]) -> Vec<String> {
    let (before, after): (BTreeSet<&Entry>, BTreeSet<&Entry>) = (old.iter().collect(), new.iter().collect());
    let values = |entries: &BTreeSet<&Entry>, keys: &str| -> Vec<String> {
        entries.iter().filter(|entry| entry.keys == keys).map(|entry| entry.value.clone()).collect()
    };
    let mut reasons = if row.tool == "Node tools" { lost_scripts(old, new) } else { Vec::new() };
    for entry in after.difference(&before) {
        let previous = values(&before, &entry.keys);
        reasons.extend(added(row, is_ignore_file, entry, &previous));
    }
    let is_strict = new.iter().any(|entry| entry.keys.ends_with("strict") && entry.value.eq_ignore_ascii_case("true"));
    for entry in before.difference(&after) {
        // `strict = true` stands for all that are stricter.
        if is_strict && entry.value.eq_ignore_ascii_case("true") {
            continue;
        }
        let now = values(&after, &entry.keys);
        reasons.extend(removed(row, entry, &now).filter(|_| !is_ignore_file));
    }
    reasons
}

/// Says what a new or changed setting weakens.
fn added(row: &Row, is_ignore_file: bool, entry: &Entry, previous: &[String]) -> Option<String> {
    let Entry { keys, value } = entry;
    let lower = value.to_lowercase();
    let plain = plain(keys);
    let shown = shown(entry);
    if NEVER_FAILS.iter().any(|word| lower.contains(word)) && !previous.iter().any(|value| never_fails(value)) {
        return Some(format!("it can no longer fail: {shown}"));
    }
    if row.tool == "Node tools" && keys.starts_with("scripts") {
        return script(entry, previous);
    }
    let known: BTreeSet<&str> = previous.iter().flat_map(|value| value.split_whitespace()).collect();
    let mut options = value.split_whitespace().filter(|word| word.starts_with('-') && !known.contains(word));
    let runner = match row.tool {
        "RSpec" => "rspec",
        "pytest" | "Python tools" if plain.contains("addopts") => "pytest",
        _ => "*",
    };
    let is_loose = |option: &&str| is_loosening(&self::plain(option)) || checks::is_loose(runner, option);
    if let Some(option) = options.find(|option| row.kind != Kind::Build && is_loose(option)) {
        return Some(format!("leaves out by an option: {keys} = {option}"));
    }
    let is_loosening = is_loosening(&plain) && !is_of_others(value);
    let is_idle = ["", "false", "0", "[]", "{}", "null", "none", "error", "deny", "forbid"].contains(&lower.as_str());
    if is_loosening || is_ignore_file && !is_of_others(value) {
        return (!is_idle).then(|| format!("leaves out {shown}"));
    }
    if OFF.contains(&lower.as_str()) || (lower == "0" && plain.contains("rules")) {
        return Some(format!("turns off {shown}"));
    }
    if lower == "false" && (previous.iter().any(|value| value == "true") || is_check(&plain)) {
        return Some(format!("turns off {keys}"));
    }
    let is_lowered = ["warn", "warning", "info", "hint", "1"].contains(&lower.as_str());
    if is_lowered
        && previous.iter().any(|value| ["error", "2", "deny", "forbid"].contains(&value.to_lowercase().as_str()))
    {
        return Some(format!("lowers {keys} to {value}"));
    }
    // Without an old value, only a limit that limits nothing is told.
    if previous.is_empty() && plain.contains("complexity") && number(value).is_some_and(|value| value >= NO_LIMIT) {
        return Some(format!("{keys} = {value} limits nothing"));
    }
    let (was, is) = (previous.iter().find_map(|value| number(value))?, number(value)?);
    let is_floor = FLOORS.iter().any(|word| plain.contains(word)) && !CEILINGS.iter().any(|word| plain.contains(word));
    let is_ceiling =
        CEILINGS.iter().any(|word| plain.contains(word)) && !plain.contains("length") && !plain.contains("worker");
    ((is_floor && is < was) || (is_ceiling && is > was)).then(|| format!("{keys} goes from {was} to {is}"))
}

/// Says what a setting that is gone weakens.
fn removed(row: &Row, entry: &Entry, now: &[String]) -> Option<String> {
    let plain = plain(&entry.keys);
    if is_loosening(&plain) {
        return None;
    }
    if row.tool == "Node tools" && entry.keys.starts_with("scripts") {
        return None;
    }
    // A value that is another now was compared already.
    let is_list = entry.keys.ends_with('|');
    let is_off = OFF.contains(&entry.value.to_lowercase().as_str()) || ["false", "0"].contains(&entry.value.as_str());
    let selects = SELECTING.iter().chain(FLOORS).any(|word| plain.contains(word)) || row.kind == Kind::Hooks;
    // What a runner loads before the tests, and the language of the output, select nothing.
    let is_selected = selects && !plain.ends_with(".require") && plain != "compileroptions.target";
    ((is_list || now.is_empty()) && is_selected && !is_off).then(|| format!("removes {}", shown(entry)))
}

/// Says which checks no script of a package runs any more. A script that is gone is no loss if its checks run in another; one check in the place of
/// another is for the reader of the change.
fn lost_scripts(old: &[Entry], new: &[Entry]) -> Vec<String> {
    let checks = |entries: &[Entry]| -> Vec<(String, Command)> {
        let scripts = entries.iter().filter_map(|entry| Some((entry.keys.strip_prefix("scripts.")?, &entry.value)));
        let scripts = scripts.filter(|(name, _)| is_check_name(name));
        // The shell of a script goes on after a failure.
        let read = |text: &str| commands(&format!("set +e\n{text}"), false);
        let each = scripts.flat_map(|(name, text)| read(text).into_iter().map(|it| (name.to_owned(), it)));
        each.filter(|(_, command)| command.is_check() && command.program != "script").collect()
    };
    let (was, is) = (checks(old), checks(new));
    let all: BTreeSet<String> = new
        .iter()
        .filter(|entry| entry.keys.starts_with("scripts."))
        .flat_map(|entry| commands(&entry.value, false))
        .map(|command| command.key())
        .collect();
    let lost: Vec<&(String, Command)> = was.iter().filter(|(_, it)| !all.contains(&it.key())).collect();
    let came = is.iter().filter(|(_, it)| !was.iter().any(|(_, old)| old.key() == it.key())).count();
    let lost = lost.iter().skip(came).map(|(name, it)| format!("the script `{name}` without `{}`", it.said()));
    let weaker = was.iter().filter_map(|(name, old)| {
        let (_, now) = is.iter().find(|(other, now)| other == name && now.key() == old.key())?;
        if old.can_fail && !now.can_fail {
            return Some(format!("the script `{name}` passes although `{}` fails", now.said()));
        }
        let why = checks::weaker(old, now, &|_| false)?;
        Some(format!("the script `{name}`: {} {why}", now.key()))
    });
    lost.chain(weaker).collect()
}

/// Compares a script that checks.
fn script(entry: &Entry, previous: &[String]) -> Option<String> {
    let name = entry.keys.trim_start_matches("scripts.");
    let first = |command: &str| command.split_whitespace().next().unwrap_or_default().to_owned();
    let is_hollow = IDLE.contains(&first(&entry.value).as_str()) && !entry.value.contains("&&");
    let was_hollow = previous.iter().any(|command| IDLE.contains(&first(command).as_str()) && !command.contains("&&"));
    (is_check_name(name) && is_hollow && !was_hollow)
        .then(|| format!("the script `{name}` checks nothing: {}", entry.value))
}

/// Says what an input of an action weakens.
pub(super) fn input(key: &str, old: Option<&str>, new: Option<&str>) -> Option<String> {
    const ACTION: Row = Row { pattern: "", kind: Kind::Ci, tool: "an action", part: Part::Whole };
    let entry = |value: &str| Entry { keys: key.to_owned(), value: value.to_owned() };
    let values = |value: Option<&str>| value.map(str::to_owned).into_iter().collect::<Vec<_>>();
    match (old, new) {
        (_, Some(new)) => added(&ACTION, false, &entry(new), &values(old)),
        (Some(old), None) => removed(&ACTION, &entry(old), &[]),
        (None, None) => None,
    }
}

fn is_ignore_file(path: &str) -> bool {
    path.ends_with("ignore") || path.rsplit('/').next().is_some_and(|name| name.contains("suppress"))
}

fn shown(entry: &Entry) -> String {
    let keys = entry.keys.trim_end_matches('|');
    let value: String = entry.value.chars().take(60).collect();
    if keys.is_empty() { format!("`{value}`") } else { format!("{keys} = {value}") }
}

fn number(value: &str) -> Option<f64> {
    value.trim_end_matches('%').parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dispatch::settings::row_of;

    fn compared(path: &str, before: Option<&str>, after: Option<&str>) -> Difference {
        compare(&row_of(path).expect("a settings file"), path, before, after, &Elsewhere::default())
    }

    #[test]
    fn a_folder_of_packages_may_be_left_out() {
        let with = |path: &str| format!("linters:\n  exclusions:\n    paths:\n      - third_party$\n{path}");
        let is_weaker = |path: &str| {
            let after = with(&format!("      - {path}\n"));
            matches!(compared(".golangci.yml", Some(&with("")), Some(&after)), Difference::Weaker(_))
        };
        for path in ["node_modules", "**/node_modules/**", "^\\.venv/", "./.tox"] {
            assert!(!is_weaker(path), "{path}");
        }
        for path in ["src", "node_modules_of_ours", "src/node_modules.go", "**"] {
            assert!(is_weaker(path), "{path}");
        }
    }

    #[test]
    fn an_edit_that_checks_less_is_told() {
        let mut missed = Vec::new();
        for (path, before, after) in [
            ("ruff.toml", None, Some("exclude = [\"src/evil.py\"]\n")),
            ("ruff.toml", Some("line-length = 100\n"), Some("line-length = 100\n[lint]\nignore = [\"S\"]\n")),
            ("ruff.toml", Some("[lint]\nselect = [\"E\", \"S\"]\n"), Some("[lint]\nselect = [\"E\"]\n")),
            ("ruff.toml", Some("[lint]\nselect = [\"E\"]\n"), None),
            (
                "pyproject.toml",
                Some("[project]\nname = \"a\"\n"),
                Some("[project]\nname = \"a\"\n[tool.ruff]\nexclude = [\"src\"]\n"),
            ),
            (
                "pyproject.toml",
                Some("[tool.coverage.report]\nfail_under = 90\n"),
                Some("[tool.coverage.report]\nfail_under = 10\n"),
            ),
            ("pyproject.toml", Some("[tool.mypy]\nstrict = true\n"), Some("[tool.mypy]\nstrict = false\n")),
            ("package.json", Some("{\"scripts\":{\"test\":\"jest\"}}"), Some("{\"scripts\":{\"test\":\"echo ok\"}}")),
            (
                "package.json",
                Some("{\"scripts\":{\"lint\":\"eslint .\"}}"),
                Some("{\"scripts\":{\"lint\":\"eslint . || true\"}}"),
            ),
            ("package.json", Some("{\"scripts\":{\"lint\":\"eslint .\"}}"), Some("{\"scripts\":{}}")),
            (
                "package.json",
                Some("{\"scripts\":{\"test\":\"jest && eslint .\"}}"),
                Some("{\"scripts\":{\"test\":\"jest || eslint .\"}}"),
            ),
            (
                "package.json",
                Some("{\"scripts\":{\"test\":\"jest && eslint .\"}}"),
                Some("{\"scripts\":{\"test\":\"jest; eslint .\"}}"),
            ),
            ("package.json", Some("{}"), Some("{\"eslintConfig\":{\"rules\":{\"no-eval\":\"off\"}}}")),
            ("package.json", Some("{}"), Some("{\"jest\":{\"testPathIgnorePatterns\":[\"src\"]}}")),
            ("setup.cfg", Some("[metadata]\nname = a\n"), Some("[metadata]\nname = a\n[flake8]\nexclude = src\n")),
            ("tox.ini", Some("[testenv]\ncommands = pytest\n"), Some("[testenv]\ncommands = pytest || true\n")),
            ("mypy.ini", None, Some("[mypy]\nignore_errors = True\n")),
            (".flake8", None, Some("[flake8]\nextend-ignore =\n    E501,\n    S602\n")),
            (".eslintignore", None, Some("src/evil.js\n")),
            (".semgrepignore", Some("dist/\n"), Some("dist/\nsrc/\n")),
            (".newlintignore", None, Some("src/evil.js\n")),
            (".eslintrc.json", Some("{\"rules\":{\"no-eval\":\"error\"}}"), Some("{\"rules\":{\"no-eval\":\"warn\"}}")),
            (".eslintrc.json", Some("{\"extends\":[\"a\", \"security\"]}"), Some("{\"extends\":[\"a\"]}")),
            ("eslint.config.js", None, Some("export default [{ignores: [\"src/**\"]}];\n")),
            (
                "eslint.config.js",
                None,
                Some("export default [\n  {\n    rules: {\n      \"no-eval\": \"off\",\n    },\n  },\n];\n"),
            ),
            (
                "eslint.config.js",
                Some("export default [{rules: {\"no-eval\": \"error\"}}];\n"),
                Some("export default [];\n"),
            ),
            ("eslint.config.mjs", None, Some("export default [];\n")),
            ("biome.json", None, Some("{\"files\":{\"ignore\":[\"src/**\"]}}")),
            (".golangci.yml", None, Some("linters:\n  disable-all: true\n")),
            (
                ".golangci.yml",
                Some("linters:\n  enable:\n    - gosec\n    - vet\n"),
                Some("linters:\n  enable:\n    - vet\n"),
            ),
            (".rubocop.yml", None, Some("Security/Eval:\n  Enabled: false\n")),
            ("jest.config.js", None, Some("module.exports = { passWithNoTests: true };\n")),
            (".gitleaks.toml", None, Some("[allowlist]\npaths = [\"src\"]\n")),
            (
                "Cargo.toml",
                Some("[lints.rust]\nunsafe_code = \"forbid\"\n"),
                Some("[lints.rust]\nunsafe_code = \"allow\"\n"),
            ),
            (
                "clippy.toml",
                Some("cognitive-complexity-threshold = 20\nmax-x = 3\n"),
                Some("cognitive-complexity-threshold = 20\nmax-x = 300\n"),
            ),
            (
                "tsconfig.json",
                Some("{\"compilerOptions\":{\"strict\":true}}"),
                Some("{\"compilerOptions\":{\"strict\":false}}"),
            ),
            ("tsconfig.json", Some("{}"), Some("{\"exclude\":[\"src/evil.ts\"]}")),
            ("codecov.yml", None, Some("ignore:\n  - src\n")),
            ("clippy.toml", None, Some("cognitive-complexity-threshold = 100000\n")),
            (".rspec", None, Some("--tag none\n")),
            ("pytest.ini", None, Some("[pytest]\naddopts = -k none\n")),
            ("checkstyle-suppressions.xml", None, Some("<suppress files=\".*\" checks=\".*\"/>\n")),
            (".snyk", None, Some("ignore:\n  \"*\": []\n")),
            ("sonar-project.properties", None, Some("sonar.exclusions=**/*\n")),
            ("phpstan.neon", None, Some("parameters:\n    ignoreErrors:\n        - '#.*#'\n")),
        ] {
            let difference = compared(path, before, after);
            if !matches!(difference, Difference::Weaker(_)) {
                missed.push(format!("{path}: {before:?} -> {after:?}: {difference:?}"));
            }
        }
        assert!(missed.is_empty(), "{}", missed.join("\n"));
    }

    #[test]
    fn ordinary_work_is_not_raised() {
        for (path, before, after) in [
            ("package.json", "{\"dependencies\":{\"a\":\"1.0.0\"}}", "{\"dependencies\":{\"a\":\"1.0.1\"}}"),
            (
                "package.json",
                "{\"scripts\":{\"build\":\"tsc\"}}",
                "{\"scripts\":{\"build\":\"tsc -b\",\"dev\":\"vite\"}}",
            ),
            ("package.json", "{\"scripts\":{\"test\":\"jest\"}}", "{\"scripts\":{\"test\":\"vitest run\"}}"),
            (
                "pyproject.toml",
                "[tool.poetry]\nname = \"a\"\n",
                "[tool.poetry]\nname = \"a\"\nversion = \"2\"\nexclude = [\"tests\"]\n",
            ),
            ("setup.cfg", "[metadata]\nversion = 1\n", "[metadata]\nversion = 2\n"),
            ("Cargo.toml", "[dependencies]\na = \"1\"\n", "[dependencies]\na = \"2\"\n"),
            (
                "tsconfig.json",
                "{\"compilerOptions\":{\"target\":\"es2020\"}}",
                "{\"compilerOptions\":{\"target\":\"es2022\"}}",
            ),
            ("tsconfig.json", "{}", "{\"compilerOptions\":{\"skipLibCheck\":true}}"),
            ("Makefile", "lint:\n\truff check .\n", "lint:\n\truff check .\nbuild:\n\tcc -o x x.c\n"),
            // Stricter than before, or only in another place.
            ("ruff.toml", "[lint]\nselect = [\"E\"]\n", "[lint]\nselect = [\"E\", \"S\"]\n"),
            ("ruff.toml", "[lint]\nignore = [\"E501\", \"S101\"]\n", "[lint]\nignore = [\"S101\"]\n"),
            (".eslintrc.json", "{\"rules\":{\"no-eval\":\"warn\"}}", "{\"rules\":{\"no-eval\":\"error\"}}"),
            ("mypy.ini", "[mypy]\n", "[mypy]\ndisallow_untyped_defs = True\nwarn_unused_ignores = True\n"),
            ("mypy.ini", "[mypy]\nstrict_equality = True\n", "[mypy]\nstrict = True\n"),
            (".coveragerc", "[report]\nfail_under = 80\n", "[report]\nfail_under = 90\n"),
            (
                "pyproject.toml",
                "[tool.ruff]\nselect = [\"E\"]\nignore = [\"B904\"]\n",
                "[tool.ruff.lint]\nselect = [\"E\"]\nignore = [\"B904\"]\n",
            ),
        ] {
            assert_eq!(compared(path, Some(before), Some(after)), Difference::None, "{path}: {before:?} -> {after:?}");
        }
        for (path, before, after) in [
            ("ruff.toml", None, Some("line-length = 100\n")),
            ("ruff.toml", Some("[lint]\nignore = [\"E501\"]\n"), Some("line-length = 99\n")),
            (
                "jest.config.js",
                Some("module.exports = { verbose: true };\n"),
                Some("module.exports = { verbose: true, testTimeout: 10000 };\n"),
            ),
        ] {
            assert_eq!(compared(path, before, after), Difference::Other, "{path}: {before:?} -> {after:?}");
        }
    }
}
