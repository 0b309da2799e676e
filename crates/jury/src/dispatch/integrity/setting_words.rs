//! The words in settings: which loosen, which check, which are limits, and which values turn something off. In: the keys and the value of an entry.
//! Deliberately not here: comparing (`weakening`).

/// Parts of a key below which something is left out.
const LOOSENING: &[&str] = &[
    "ignore",
    "exclude",
    "exclusion",
    "disable",
    "skip",
    "omit",
    "allow",
    "suppress",
    "except",
    "nowarn",
    "continueonerror",
    "passwithnotests",
    "baseline",
    "deselect",
    "softfail",
    "exitzero",
    "noqa",
];
/// Keys that only look like it.
const HARMLESS: &[&str] =
    &["skiplibcheck", "allowjs", "allowsyntheticdefaultimports", "allowimportingtsextensions", "isolatedmodules"];
/// Parts of a key below which checks are selected.
pub(super) const SELECTING: &[&str] = &[
    "select",
    "enable",
    "rules",
    "plugins",
    "extends",
    "extend",
    "checks",
    "linters",
    "strict",
    "require",
    "include",
    "hooks",
    "repos",
    "jobs",
    "stages",
    "lints",
    "deny",
    "forbid",
    "categories",
    "testmatch",
    "testregex",
    "testpaths",
    "scripts",
    "commands",
    "testenv",
    "envlist",
];
/// Parts of a key whose number is a least value.
pub(super) const FLOORS: &[&str] = &[
    "threshold",
    "failunder",
    "min",
    "cover",
    "lines",
    "branches",
    "functions",
    "statements",
    "level",
    "score",
    "target",
    "strictness",
];
/// Parts of a key whose number is a largest value.
pub(super) const CEILINGS: &[&str] = &["max", "complexity", "limit", "tolerance"];
/// Words that let a command pass whatever happens.
pub(super) const NEVER_FAILS: &[&str] = &[
    "|| true",
    "||true",
    "|| :",
    "|| exit 0",
    "; true",
    "; exit 0",
    "--exit-zero",
    "--no-verify",
    "--passwithnotests",
    "--pass-with-no-tests",
    "--no-error",
    "--soft-fail",
    "--exit-code 0",
    "--exit-code=0",
    "set +e",
    "|| echo",
    "--no-fail",
];
/// Values that turn something off.
pub(super) const OFF: &[&str] = &["off", "allow", "none", "never", "ignore", "disabled", "no"];
/// Programs that check nothing.
pub(super) const IDLE: &[&str] = &["", "echo", "true", ":", "exit", "printf", "noop"];

/// Tells whether something is left out by the name of an option or a variable.
pub(super) fn leaves_out(name: &str) -> bool {
    is_loosening(&plain(name))
}

/// Tells whether something is left out below a key.
pub(super) fn is_loosening(plain: &str) -> bool {
    // `disallow` and `warn_unused_ignores` are the opposite.
    let plain = &plain.replace("disallow", "").replace("unusedignore", "");
    // A warning that is not shown fails no test.
    if plain.contains("filterwarnings") {
        return false;
    }
    LOOSENING.iter().any(|word| plain.contains(word)) && !HARMLESS.iter().any(|word| plain.ends_with(word))
}

pub(super) fn never_fails(value: &str) -> bool {
    let lower = value.to_lowercase();
    NEVER_FAILS.iter().any(|word| lower.contains(word))
}

/// Tells whether a script's name is that of a check.
pub(super) fn is_check_name(name: &str) -> bool {
    let name = name.to_lowercase();
    [
        "test",
        "lint",
        "check",
        "type",
        "verify",
        "ci",
        "audit",
        "coverage",
        "validate",
        "precommit",
        "prepush",
        "pre-commit",
        "pre-push",
        "posttest",
    ]
    .iter()
    .any(|word| name.contains(word))
}

pub(super) fn is_check(plain: &str) -> bool {
    [
        "strict",
        "check",
        "fail",
        "error",
        "disallow",
        "warn",
        "noimplicit",
        "nounused",
        "require",
        "recommended",
        "enabled",
    ]
    .iter()
    .any(|word| plain.contains(word))
}

pub(super) fn plain(keys: &str) -> String {
    keys.to_lowercase().chars().filter(|c| c.is_alphanumeric() || *c == '.').collect()
}
