//! Merging 1,000 to 1,000,000 claims: time, how it grows, memory beyond the input, and the ratio to `merge.py`, which
//! does the same with dictionaries. Timed is the merge alone on both sides: from the claims in memory to the numbered
//! findings, without reading or writing any file. Each size runs in a process of its own, so that peaks are its own.
//! Run by `cargo xtask bench`.

use std::process::Command;
use std::time::Instant;

use jury::formats;
use jury::model::{
    Attendance, AutofixClass, Claim, Confidence, Domain, Line, LineRange, Location, Owner, RepoPath, Report, Reviewer,
    Severity, Title,
};
use jury::synthesis::{Options, synthesise};

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// Beyond this the script takes minutes and more memory than the machine may have.
const LARGEST_FOR_PYTHON: usize = 100_000;
const CLAIMS_PER_FILE: usize = 10;
const REVIEWERS: [&str; 6] = ["security", "correctness", "testing", "performance", "reliability", "fast-pass"];
const SUBJECTS: [&str; 12] = [
    "session token",
    "query",
    "retry loop",
    "cache entry",
    "upload handler",
    "error path",
    "lock",
    "timeout",
    "index",
    "pagination cursor",
    "feature flag",
    "temporary file",
];
const DEFECTS: [&str; 10] = [
    "is written to the log",
    "is built from user input",
    "never ends after a failure",
    "is not invalidated on update",
    "accepts files of any size",
    "is not covered by a test",
    "is held across an await",
    "cannot be configured",
    "is computed in every render",
    "leaks when the request is cancelled",
];

/// A small generator of numbers, the same in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Makes claims as a busy review has them: every third defect is seen by two reviewers, every second of these in other
/// words or a line off.
fn reports(claims: usize) -> Vec<Report> {
    let mut dice = Dice(7);
    let mut all: Vec<Vec<Claim>> = REVIEWERS.iter().map(|_| Vec::new()).collect();
    let mut made = 0;
    while made < claims {
        let reviewer = dice.below(REVIEWERS.len());
        let claim = claim(&mut dice, claims);
        if dice.below(3) == 0 && made + 1 < claims {
            let mut again = claim.clone();
            if dice.below(2) == 0 {
                again.title = Title::new(&format!("{} in this code", claim.title)).expect("a title");
            }
            again.evidence = vec!["the same line, seen by somebody else".to_owned()];
            all[(reviewer + 1) % REVIEWERS.len()].push(again);
            made += 1;
        }
        all[reviewer].push(claim);
        made += 1;
    }
    let attendance = Attendance::Spoke { verdict: None, confidence: None, file: None };
    REVIEWERS
        .iter()
        .zip(all)
        .map(|(name, claims)| Report {
            reviewers: vec![Reviewer { name: Domain::new(name).expect("a name"), attendance: attendance.clone() }],
            claims,
            ..Report::default()
        })
        .collect()
}

fn claim(dice: &mut Dice, claims: usize) -> Claim {
    let severities = [Severity::Blocker, Severity::High, Severity::Medium, Severity::Low];
    // A larger review is one of more files, not one of denser claims.
    let number = dice.below(claims / CLAIMS_PER_FILE + 1);
    let file = RepoPath::new(&format!("src/module{}/handler{number}.ts", number % 40));
    let line = Line::new(dice.below(900) as i64 + 1).expect("a line");
    let subject = SUBJECTS[dice.below(SUBJECTS.len())];
    let title = format!("The {subject} of handler_{} {}", dice.below(50), DEFECTS[dice.below(DEFECTS.len())]);
    Claim {
        confidence: Confidence::from_percent([25, 50, 75, 75, 100][dice.below(5)]).ok(),
        location: Some(Location::new(file.expect("a path"), Some(LineRange::single(line)))),
        why: Some("Users of the service see the wrong data or none at all when this happens.".to_owned()),
        evidence: vec![format!("handler.ts:{line}: const {}_{} = read(request)", subject.len(), dice.below(1000))],
        fix: Some("Read it once, check it, and hand it on.".to_owned()),
        autofix: Some(AutofixClass::ALL[dice.below(4)]),
        owner: Some(Owner::ALL[dice.below(4)]),
        requires_verification: Some(dice.below(2) == 0),
        pre_existing: Some(dice.below(10) == 0),
        ..Claim::new(Title::new(&title).expect("a title"), severities[dice.below(4)])
    }
}

/// Returns a line of this process's status in kB, such as its memory now or at its peak.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Merges once and prints the seconds, the kB beyond the input, and how many findings came of it.
#[allow(clippy::print_stdout)]
fn merge_once(claims: usize) {
    let reports = reports(claims);
    let before = status("VmRSS");
    let start = Instant::now();
    let result = synthesise(reports, &Options::default());
    let seconds = start.elapsed().as_secs_f64();
    let peak = status("VmHWM").saturating_sub(before);
    println!("{seconds} {peak} {} {}", result.findings.len() + result.pre_existing.len(), result.suppressed.len());
}

/// Runs a command and returns the numbers it prints.
fn numbers(command: &mut Command) -> Option<Vec<f64>> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    text.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// Runs the script on the same claims.
fn python(claims: usize) -> Option<Vec<f64>> {
    let format = formats::by_id("findings-json")?;
    let texts: Vec<String> = reports(claims).iter().filter_map(|report| Some(format.write(report)?.text)).collect();
    let file = std::env::temp_dir().join(format!("jury-merge-{}-{claims}.json", std::process::id()));
    std::fs::write(&file, format!("[{}]", texts.join(","))).ok()?;
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/merge.py");
    let numbers = numbers(Command::new("python3").arg(script).arg(&file));
    std::fs::remove_file(&file).ok()?;
    numbers
}

#[allow(clippy::print_stdout)]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(claims) = arguments.iter().position(|word| word == "--once").and_then(|at| arguments.get(at + 1)) {
        return merge_once(claims.parse().expect("a number of claims"));
    }
    println!("merging; the fastest of several runs, each in its own process");
    println!(
        "{:>9} {:>10} {:>9} {:>12} {:>9} {:>8} {:>12}",
        "claims", "ms", "ns/claim", "bytes/claim", "findings", "growth", "python"
    );
    let program = std::env::current_exe().expect("the bench knows itself");
    let mut last: Option<(usize, f64)> = None;
    for size in SIZES {
        let runs = if size > 100_000 { 3 } else { 9 };
        let once = || numbers(Command::new(&program).args(["--once", &size.to_string()]));
        let all: Vec<Vec<f64>> = (0..runs).filter_map(|_| once()).collect();
        let Some(fastest) = all.iter().min_by(|a, b| a[0].total_cmp(&b[0])) else { continue };
        let growth = last.map_or("–".to_owned(), |(before, seconds)| {
            format!("n^{:.2}", (fastest[0] / seconds).ln() / (size as f64 / before as f64).ln())
        });
        let python = (size <= LARGEST_FOR_PYTHON).then(|| python(size)).flatten();
        let ratio = python.map_or("–".to_owned(), |numbers| {
            format!("{:.0}× ({:.0}, {:.0})", numbers[0] / fastest[0], numbers[1], numbers[2])
        });
        println!(
            "{size:>9} {:>10.2} {:>9.0} {:>12.0} {:>9.0} {growth:>8} {ratio:>12}",
            fastest[0] * 1e3,
            fastest[0] * 1e9 / size as f64,
            fastest[1] * 1024.0 / size as f64,
            fastest[2] + fastest[3],
        );
        last = Some((size, fastest[0]));
    }
}
