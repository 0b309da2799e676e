//! Reading and merging as a user meets them: the CPU time of whole processes, from the file to the output. `jury merge` on one
//! array of 004's returns against `merge.py` of the `jury` crate, large documents, and the check of a small file against
//! `jury --version`. Run by `cargo xtask bench`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How often each process is run; the best counts.
const TURNS: usize = 5;
/// The claims of one merge, and how many times faster than the script it should be.
const MERGES: [(usize, f64); 3] = [(1_000, 5.0), (10_000, 10.0), (100_000, 15.0)];
/// The CPU seconds that a large document may take.
const AIM: f64 = 0.3;
/// What the check of a small file may take, in runs of `jury --version`.
const SMALL_AIM: f64 = 2.0;

/// Returns the CPU seconds of the cheapest run of each command; they take turns.
fn cpu<const N: usize>(commands: [&[&str]; N]) -> [f64; N] {
    let seconds = |command: &[&str]| {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/cpu_time.py");
        let output = Command::new("python3").arg(script).args(command).output().ok()?;
        String::from_utf8(output.stdout).ok()?.trim().parse::<f64>().ok()
    };
    let mut best = [f64::INFINITY; N];
    for _ in 0..TURNS {
        for (best, command) in best.iter_mut().zip(commands) {
            *best = seconds(command).map_or(*best, |seconds| best.min(seconds));
        }
    }
    best
}

const JURY: &str = env!("CARGO_BIN_EXE_jury");

/// Makes one array of returns with so many findings.
fn returns(claims: usize) -> String {
    const REVIEWERS: usize = 6;
    let reviewers: Vec<String> = (0..REVIEWERS)
        .map(|reviewer| {
            let own = (claims + REVIEWERS - 1 - reviewer) / REVIEWERS;
            let findings: Vec<String> = (0..own).map(|number| finding(reviewer, number)).collect();
            let list = findings.join(",");
            format!(r#"{{"reviewer":"reviewer-{reviewer}","findings":[{list}],"residual_risks":[],"testing_gaps":[]}}"#)
        })
        .collect();
    format!("[{}]", reviewers.join(","))
}

fn finding(reviewer: usize, number: usize) -> String {
    // Numbers that spread findings over files and lines, and let some of two reviewers meet.
    let (file, line) = (number * 7 % 900, number * 13 % 700 + reviewer / 3);
    let severity = number % 4;
    format!(
        r#"{{"title":"The lock of handler_{number} is held across an await","severity":"P{severity}","file":"src/module{}/handler{file}.ts","line":{},"why_it_matters":"Users of the service see the wrong data or none at all when this happens.","autofix_class":"manual","owner":"human","requires_verification":true,"suggested_fix":"Read it once, check it, and hand it on.","confidence":75,"evidence":["handler{file}.ts:{line}: const value_{number} = read(request)"],"pre_existing":false}}"#,
        file % 40,
        line + 1,
    )
}

/// Makes a report in Markdown of about so many bytes.
fn markdown(bytes: usize) -> String {
    let mut text = "# Review\n\n## Medium\n\n".to_owned();
    for number in 0.. {
        _ = write!(
            text,
            "### M-{number}: The error of step {number} is swallowed\n\n**File:** `src/module/step{number}.ts:{}`\n\nThe caller \
             cannot tell that the step failed, and goes on with what it has.\n\n- **Impact:** wrong totals\n- **Fix:** return \
             the error\n\n",
            number % 500 + 1
        );
        if text.len() > bytes {
            break;
        }
    }
    text
}

/// Makes a SARIF log of about so many bytes, in the form of a linter: many results of few rules.
fn sarif(bytes: usize) -> String {
    let result = |number: usize| {
        format!(
            r#"{{"ruleId":"W{}","level":"warning","message":{{"text":"Unused argument 'value_{number}'"}},"locations":[{{"physicalLocation":{{"artifactLocation":{{"uri":"package/module{}.py"}},"region":{{"startLine":{},"startColumn":5}}}}}}]}}"#,
            600 + number % 20,
            number % 300,
            number % 900 + 1
        )
    };
    let results: Vec<String> = (0..bytes / result(1).len()).map(result).collect();
    format!(
        r#"{{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0","runs":[{{"tool":{{"driver":{{"name":"linter"}}}},"results":[{}]}}]}}"#,
        results.join(",")
    )
}

fn written(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("the folder for benches can be written");
    path
}

#[allow(clippy::print_stdout)]
fn main() {
    let folder = std::env::temp_dir().join(format!("jury-process-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../jury/benches/merge.py");
    println!("merge, as a process      CPU seconds   of the script   faster   aim");
    for (claims, aim) in MERGES {
        let input = written(&folder, "returns.json", &returns(claims));
        let input = input.display().to_string();
        let [ours, theirs] = cpu([&[JURY, "merge", "--format", "json", &input], &["python3", script, &input]]);
        println!("{claims:>9} claims {ours:>20.3} {theirs:>15.3} {:>7.1}x {aim:>4.0}x", theirs / ours);
    }
    println!("\ncheck, as a process      CPU seconds   aim");
    for (name, text) in [("2 MB of Markdown", markdown(2_000_000)), ("2.1 MB of SARIF", sarif(2_100_000))] {
        let input = written(&folder, if name.ends_with("SARIF") { "log.sarif" } else { "review.md" }, &text);
        let [seconds] = cpu([&[JURY, "merge", "--format", "json", &input.display().to_string()]]);
        println!("{name:<20} {seconds:>15.3} {AIM:>5.1}");
    }
    let small = written(&folder, "small.json", &returns(6));
    let [check, version] = cpu([&[JURY, "check", &small.display().to_string()], &[JURY, "--version"]]);
    println!("a small file         {check:>15.4}   {:.1}x `jury --version`, aim {SMALL_AIM:.0}x", check / version);
    std::fs::remove_dir_all(&folder).expect("the folder is ours");
}
