//! Merging 1,000 to 1,000,000 claims: time, how it grows, memory beyond the input, and the ratio to `merge.py`, which
//! does the same with dictionaries and must come to the same findings, to the last word of their trails. Timed is the
//! merge alone on both sides: from the claims in memory to the numbered findings, without reading or writing any file.
//! Each size runs in a process of its own, so that peaks are its own. Run by `cargo xtask bench`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use jury::formats;
use jury::model::{
    Attendance, AutofixClass, Claim, Confidence, Domain, Line, LineRange, Location, Owner, RepoPath, Report, Reviewer,
    Severity, Title,
};
use jury::synthesis::{Options, Settled, Synthesis, synthesise};
use mimalloc::MiMalloc;
use sha2::{Digest, Sha256};

/// That of the program.
#[global_allocator]
static ALLOCATOR: MiMalloc = MiMalloc;

const SIZES: [usize; 4] = [1_000, 10_000, 100_000, 1_000_000];
/// Beyond this the script takes minutes and more memory than the machine may have.
const LARGEST_FOR_PYTHON: usize = 100_000;
/// How often both sides take turns: a slow minute of the machine should not fall on one of them alone.
const TURNS: usize = 5;
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
    let mut all: Vec<Vec<Box<Claim>>> = REVIEWERS.iter().map(|_| Vec::new()).collect();
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
            all[(reviewer + 1) % REVIEWERS.len()].push(Box::new(again));
            made += 1;
        }
        all[reviewer].push(Box::new(claim));
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

/// Returns a line of this process's status in kB, for example its memory now or at its peak.
fn status(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(0)
}

/// Merges once and prints the fields of [`Run`].
#[allow(clippy::print_stdout)]
fn merge_once(claims: usize) {
    let reports = reports(claims);
    let before = status("VmRSS");
    let start = Instant::now();
    let result = synthesise(reports, &Options::default());
    let seconds = start.elapsed().as_secs_f64();
    let peak = status("VmHWM").saturating_sub(before);
    let reported = result.findings.len() + result.pre_existing.len();
    println!("{seconds} {reported} {} {} {peak}", result.suppressed.len(), digest(&result));
}

/// Returns a digest of all findings in order: name, reviewers, claims, and trail.
fn digest(result: &Synthesis) -> String {
    let names = |names: &[Domain]| names.iter().map(Domain::as_str).collect::<Vec<_>>().join(",");
    let mut told = Sha256::new();
    for settled in result.lists().into_iter().flatten() {
        let Settled { number, finding, reviewers, independent_reviewers, promoted: _, trail, origins } = &**settled;
        let claim = &finding.representative;
        let places = origins.iter().map(|origin| format!("{}.{}", origin.report_index, origin.claim_index));
        let mut facts = vec![
            number.to_string(),
            finding.id.to_string(),
            finding.fingerprint.as_str().to_owned(),
            claim.confidence.map_or(0, Confidence::percent).to_string(),
            claim.autofix.map_or("", AutofixClass::token).to_owned(),
            claim.owner.map_or("", Owner::token).to_owned(),
            names(reviewers),
            names(independent_reviewers),
            places.collect::<Vec<_>>().join(","),
            finding.merged.len().to_string(),
        ];
        facts.extend(trail.iter().map(|entry| entry.reason.to_string()));
        told.update(facts.join("\t") + "\n");
    }
    told.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// The result of one merge, ours or the script's.
#[derive(Clone, Debug, PartialEq)]
struct Run {
    seconds: f64,
    reported: usize,
    suppressed: usize,
    digest: String,
    /// The memory beyond the input, which only ours tells.
    kilobytes: Option<u64>,
}

impl Run {
    /// Runs a command that merges and prints its result.
    fn of(command: &mut Command) -> Option<Self> {
        let output = command.output().ok().filter(|output| output.status.success())?;
        let text = String::from_utf8(output.stdout).ok()?;
        let mut words = text.split_whitespace();
        Some(Self {
            seconds: words.next()?.parse().ok()?,
            reported: words.next()?.parse().ok()?,
            suppressed: words.next()?.parse().ok()?,
            digest: words.next()?.to_owned(),
            kilobytes: words.next().and_then(|word| word.parse().ok()),
        })
    }

    /// Returns the faster of two, of which the other may not be there yet.
    fn or_faster(self, other: Option<Self>) -> Self {
        other.filter(|other| other.seconds < self.seconds).unwrap_or(self)
    }
}

/// Writes the claims for the script, and returns where.
fn input_of_script(claims: usize) -> Option<PathBuf> {
    let format = formats::by_id("findings-json")?;
    let texts: Vec<String> = reports(claims).iter().filter_map(|report| Some(format.write(report)?.text)).collect();
    let file = std::env::temp_dir().join(format!("jury-merge-{}-{claims}.json", std::process::id()));
    std::fs::write(&file, format!("[{}]", texts.join(","))).ok()?;
    Some(file)
}

/// Runs both sides in turns, and returns the fastest run of each; of the script only where it ends in reasonable time.
fn race(program: &Path, claims: usize) -> Option<(Run, Option<Run>)> {
    let input = if claims <= LARGEST_FOR_PYTHON { input_of_script(claims) } else { None };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/merge.py");
    let runs_a_turn = if claims > LARGEST_FOR_PYTHON { 1 } else { 3 };
    let (mut ours, mut theirs): (Option<Run>, Option<Run>) = (None, None);
    for _ in 0..TURNS {
        for _ in 0..runs_a_turn {
            ours = Some(Run::of(Command::new(program).args(["--once", &claims.to_string()]))?.or_faster(ours));
        }
        if let Some(input) = &input {
            theirs = Run::of(Command::new("python3").arg(script).arg(input)).map(|run| run.or_faster(theirs));
        }
    }
    if let Some(input) = input {
        std::fs::remove_file(input).ok()?;
    }
    Some((ours?, theirs))
}

#[allow(clippy::print_stdout)]
fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    if let Some(claims) = arguments.iter().position(|word| word == "--once").and_then(|at| arguments.get(at + 1)) {
        return merge_once(claims.parse().expect("a number of claims"));
    }
    println!("merging; the fastest of several runs on both sides, in turns, each in its own process");
    println!(
        "{:>9} {:>10} {:>9} {:>12} {:>9} {:>8} {:>8}",
        "claims", "ms", "ns/claim", "bytes/claim", "findings", "growth", "python"
    );
    let program = std::env::current_exe().expect("the bench knows itself");
    let mut last: Option<(usize, f64)> = None;
    for size in SIZES {
        let Some((ours, script)) = race(&program, size) else { continue };
        let growth = last.map_or("–".to_owned(), |(before, seconds)| {
            format!("n^{:.2}", (ours.seconds / seconds).ln() / (size as f64 / before as f64).ln())
        });
        let ratio = script.map_or("–".to_owned(), |script| {
            // A script that comes to other findings does other work, and no ratio to it means anything.
            let of = |run: &Run| (run.reported, run.suppressed, run.digest.clone());
            assert_eq!(of(&ours), of(&script), "the script does not come to the same findings");
            format!("{:.0}×", script.seconds / ours.seconds)
        });
        println!(
            "{size:>9} {:>10.2} {:>9.0} {:>12.0} {:>9} {growth:>8} {ratio:>8}",
            ours.seconds * 1e3,
            ours.seconds * 1e9 / size as f64,
            ours.kilobytes.unwrap_or_default() as f64 * 1024.0 / size as f64,
            ours.reported + ours.suppressed,
        );
        last = Some((size, ours.seconds));
    }
}
