//! `tests/redteam/<row>/<name>.txt`: ways to a false green. Each attack plants a defect and must leave the gate closed, for the reason
//! that it states; its honest twin, on the same base, must open it. `attack.rs` has the form, CONTRIBUTING.md the recipe.
//!
//! Only outcomes and reasons are compared, no wording. `JURY_ATTACK=<name>` runs the attacks whose names contain it.

mod attack;
mod place;

use std::fs;
use std::path::{Path, PathBuf};

use attack::{Attack, Reason, Step};
use place::Place;

/// One test for each folder.
macro_rules! rows {
    ($($test:ident: $folder:literal,)*) => {
        const ROWS: &[&str] = &[$($folder),*];
        $(#[test] fn $test() { hold($folder); })*
    };
}

rows! {
    guard_removed: "01-guard-removed",
    patch_without_place: "02-patch-without-place",
    moved_not_fixed: "03-moved-not-fixed",
    tool_rewritten: "04-tool-rewritten",
    tool_configured: "05-tool-configured",
    old_ignore: "06-old-ignore",
    waived_then_tainted: "07-waived-then-tainted",
    renamed_into_production: "08-renamed-into-production",
    converting_attributes: "09-converting-attributes",
    head_not_judged: "10-head-not-judged",
    unread_carriers: "11-unread-carriers",
    folders_named_like_tests: "12-folders-named-like-tests",
    tests_stop_testing: "13-tests-stop-testing",
    base_by_local_names: "14-base-by-local-names",
    forged_seal: "15-forged-seal",
    hidden: "20-hidden",
    tampered: "21-tampered",
    not_fixed: "22-not-fixed",
    gate_edited: "23-gate-edited",
    injected: "24-injected",
    lying_reviewers: "25-lying-reviewers",
    stale: "26-stale",
    combined: "27-combined",
    locked_elsewhere: "28-locked-elsewhere",
    honest: "30-honest",
    checks: "40-checks",
    people: "41-people",
}

/// The folder of attacks that no code stops yet.
const KNOWN_OPEN: &str = "90-known-open";
/// The exit codes of a closed gate.
const CLOSED: [i32; 6] = [1, 2, 3, 4, 5, 6];
/// What the suite is for: so many attacks, at least.
const FEWEST: usize = 120;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/redteam")
}

/// Returns the attacks of a row, with their paths.
fn attacks(row: &str) -> Vec<(PathBuf, Attack)> {
    let entries = fs::read_dir(folder().join(row)).unwrap_or_else(|error| panic!("{row}: {error}"));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("the folder can be read").path()).collect();
    paths.sort();
    let read = |path: PathBuf| {
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let attack = Attack::read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, attack)
    };
    paths.into_iter().map(read).collect()
}

/// Runs all attacks of a row.
fn hold(row: &str) {
    let only = std::env::var("JURY_ATTACK").unwrap_or_default();
    let mut failures = Vec::new();
    for (path, attack) in attacks(row) {
        let name =
            path.strip_prefix(folder()).expect("it is below the folder").with_extension("").display().to_string();
        if name.contains(&only) {
            failures.extend(failures_of(&attack).into_iter().map(|failure| format!("{name}: {failure}")));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Plays the steps of a section and tells whether the outcome is right.
type Check<'c> = dyn Fn(&mut Place, &[Step]) -> Result<(), String> + 'c;

/// Runs an attack, its control and its twin; returns what is wrong.
fn failures_of(attack: &Attack) -> Vec<String> {
    let gate = attack.section("gate").map_or_else(|| vec![Step::Command("jury gate".to_owned())], <[Step]>::to_vec);
    let base = attack.section("base").unwrap_or_default();
    let run = |kind: &str, name: &str, check: &Check<'_>| {
        let steps = attack.section(name)?;
        let mut log = String::new();
        let outcome = Place::new(base).and_then(|mut place| {
            let outcome = check(&mut place, steps);
            log.clone_from(&place.log);
            outcome
        });
        outcome.err().map(|error| format!("{kind}: {error}\n{log}"))
    };
    let closed = |place: &mut Place, steps: &[Step]| stays_closed(attack, place, steps, &gate);
    let failures = [
        run("attack", "attack", &|place, steps| {
            closed(place, steps)?;
            match &attack.planted {
                Some(title) if attack.section("control").is_none() => is_raised(attack, place, title),
                _ => Ok(()),
            }
        }),
        run("attack", "each", &|place, steps| {
            let failures = steps.iter().filter_map(|step| {
                let outcome = place.reset().and_then(|()| closed(place, std::slice::from_ref(step)));
                outcome.err().map(|error| format!("{}: {error}", shown(step)))
            });
            let failures: Vec<String> = failures.collect();
            if failures.is_empty() { Ok(()) } else { Err(failures.join("\n")) }
        }),
        run("control", "control", &|place, steps| {
            let code = place.play(steps, &gate)?;
            let planted = attack.planted.clone().map(|title| vec![Reason::Finding(title)]);
            closed_for(place, code, &CLOSED, planted.as_slice())
        }),
        run("honest twin", "honest", &|place, steps| match place.play(steps, &gate)? {
            0 => Ok(()),
            code => {
                place.missing(&[]);
                Err(format!("the gate is closed, exit {code}"))
            }
        }),
    ];
    failures.into_iter().flatten().collect()
}

fn stays_closed(attack: &Attack, place: &mut Place, steps: &[Step], gate: &[Step]) -> Result<(), String> {
    let code = place.play(steps, gate)?;
    let codes = attack.exit.as_ref().map_or(&CLOSED[..], std::slice::from_ref);
    closed_for(place, code, codes, &attack.closes)
}

fn closed_for(place: &mut Place, code: i32, codes: &[i32], reasons: &[Vec<Reason>]) -> Result<(), String> {
    if code == 0 {
        return Err("the gate is open".to_owned());
    }
    let missing = place.missing(reasons);
    if !codes.contains(&code) {
        return Err(format!("exit {code}, which is none of {codes:?}"));
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("closed for another reason than {}", missing.join(" and "))) }
}

/// The control of an attack: its tree has the defect, and a rule that sees the code as new raises it.
fn is_raised(attack: &Attack, place: &mut Place, title: &str) -> Result<(), String> {
    place.review_as_new(attack.section("plain").unwrap_or_default())?;
    let missing = place.missing(&[vec![Reason::Finding(title.to_owned())]]);
    if missing.is_empty() { Ok(()) } else { Err(format!("nothing is planted: no finding {title:?} in the whole tree")) }
}

fn shown(step: &Step) -> &str {
    match step {
        Step::File(path, _) => path,
        Step::Command(command) => command,
    }
}

#[test]
fn every_folder_is_a_row_and_there_are_enough_attacks() {
    let folders = jury_testkit::folders(&folder());
    let names = folders.iter().filter_map(|path| path.file_name()?.to_str()).filter(|name| *name != "bin");
    let rows = ROWS.iter().copied().chain([KNOWN_OPEN]);
    assert_eq!(names.collect::<Vec<_>>(), rows.collect::<Vec<_>>(), "each folder has a test");
    let count: usize = ROWS.iter().flat_map(|row| attacks(row)).map(|(_, attack)| attack.count()).sum();
    assert!(count >= FEWEST, "{count} attacks");
}

/// Attacks that still open the gate, so that nobody takes them for held. One that is closed now belongs in its row.
#[test]
fn known_ways_are_still_open() {
    for (path, attack) in attacks(KNOWN_OPEN) {
        let failures = failures_of(&attack);
        let is_open =
            matches!(failures.as_slice(), [one] if one.starts_with("attack: ") && one.contains("the gate is open"));
        assert!(is_open, "{}: move it to its row: {failures:?}", path.display());
    }
}

/// The runner itself: an open gate, another reason, nothing planted and a closed twin are each noticed.
#[test]
fn a_failing_attack_is_noticed() {
    let text = |planted: &str, closes: &str, attack: &str, honest: &str| {
        format!(
            "planted: {planted}\ncloses: {closes}\n=== base\n--- src/one.ts\nexport const one = 1;\n=== attack\n\
             --- src/list.ts\n{attack}\n=== honest\n--- src/list.ts\n{honest}\n"
        )
    };
    let bad =
        "import { exec } from \"child_process\";\nexport const list = (folder: string) => exec(\"ls \" + folder);";
    let good = "export const list = [\"a\"];";
    let injection = ("Command injection", "finding Command injection");
    for (text, noticed) in [
        (text(injection.0, injection.1, bad, good), None),
        (text("none", injection.1, good, good), Some("the gate is open")),
        (text(injection.0, "finding SQL injection", bad, good), Some("another reason")),
        (text("SQL injection", injection.1, bad, good), Some("nothing is planted")),
        (text(injection.0, injection.1, bad, bad), Some("honest twin: the gate is closed, exit 1")),
    ] {
        let failures = failures_of(&Attack::read(&text).expect("it is an attack"));
        let is_right = noticed.map_or(failures.is_empty(), |words| failures.len() == 1 && failures[0].contains(words));
        assert!(is_right, "{noticed:?}: {failures:?}");
    }
    assert!(Attack::read("planted: none\ncloses: says x\n=== attack\n$ true\n").is_err(), "an attack has a twin");
}
