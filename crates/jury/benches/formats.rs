//! MB/s of every reader and writer on a document of 10,000 findings, next to `serde_json::Value` reading the same bytes in
//! the same run as the floor. Run by `cargo xtask bench`. Compare ratios; the machine is noisy.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jury::formats::{FORMATS, Format};
use jury::model::{
    AutofixClass, Claim, Confidence, Domain, Line, LineRange, Location, Owner, RepoPath, Report, Severity, Title,
};
use jury::syntax::Limits;
use serde_json::{Value, json};

const FINDINGS: usize = 10_000;

/// The fastest of several runs of each: the speed of the code on an idle machine. The runs alternate, so that a slow
/// moment slows all of them down.
fn fastest<const N: usize>(runs: [&dyn Fn(); N]) -> [Duration; N] {
    let mut best = [Duration::MAX; N];
    let begin = Instant::now();
    while begin.elapsed() < Duration::from_secs(1) {
        for (run, best) in runs.iter().zip(&mut best) {
            let start = Instant::now();
            run();
            *best = start.elapsed().min(*best);
        }
    }
    best
}

fn megabytes_per_second(bytes: usize, time: Duration) -> f64 {
    bytes as f64 / 1e6 / time.as_secs_f64()
}

fn report() -> Report {
    let reviewer = Domain::new("security").expect("a name");
    let severities = [Severity::Blocker, Severity::High, Severity::Medium, Severity::Low];
    let claims = (0..FINDINGS).map(|number| {
        let file = RepoPath::new(&format!("src/module{}/handler{}.ts", number % 40, number % 700)).expect("a path");
        let line = Line::new(number as i64 % 900 + 1).expect("a line");
        Claim {
            reviewer: Some(reviewer.clone()),
            confidence: Confidence::from_percent([75, 100][number % 2]).ok(),
            location: Some(Location::new(file, Some(LineRange::single(line)))),
            why: Some("User input reaches the query as text, so anyone can read the table.".to_owned()),
            evidence: vec![format!("db.query(\"select * from t{number} where id = \" + req.query.id)")],
            fix: Some("Use a parameterised query: `db.query(sql, [id])`.".to_owned()),
            autofix: Some(AutofixClass::GatedAuto),
            owner: Some(Owner::DownstreamResolver),
            requires_verification: Some(true),
            pre_existing: Some(false),
            ..Claim::new(
                Title::new(&format!("SQL built from user input in query {number}")).expect("a title"),
                severities[number % severities.len()],
            )
        }
    });
    Report { claims: claims.map(Box::new).collect(), ..Report::default() }
}

/// Returns a document of 10,000 findings. Formats that hold fewer by contract get one that breaks that rule only.
fn document(format: &Format, report: &Report) -> String {
    let items = |text: &mut String| {
        for (number, claim) in report.claims.iter().enumerate() {
            let file = claim.location.as_ref().map(|location| location.file.as_str()).unwrap_or_default();
            let _ = writeln!(text, "  - \"{file}:{} — {}\"", number % 900 + 1, claim.title);
        }
    };
    let mut text = String::new();
    match format.id {
        "verdict-yaml" => {
            text.push_str("```yaml\nverdict: fail\nconfidence: high\nblockers:\n");
            items(&mut text);
            text.push_str("```\n");
        }
        "legacy-report" => {
            text.push_str("qa_report:\n  verdict: FAIL\n  blockers:\n");
            let mut list = String::new();
            items(&mut list);
            text.extend(list.lines().map(|line| format!("  {line}\n")));
        }
        _ => match format.write(report) {
            Some(written) => text = written.text,
            None => text = tool_document(format, report).to_string(),
        },
    }
    text
}

/// Returns the document of a tool or agent whose format is only read.
fn tool_document(format: &Format, report: &Report) -> Value {
    let place = |claim: &Claim| claim.location.clone().expect("every claim here has a place");
    let line = |claim: &Claim| place(claim).lines.map_or(1, |lines| lines.start().get());
    let findings = report.claims.iter().map(|claim| {
        let (file, line, title) = (place(claim).file.to_string(), line(claim), claim.title.to_string());
        match format.id {
            "eslint" => json!({
                "filePath": file, "errorCount": 1, "warningCount": 0,
                "messages": [{"ruleId": "no-sql", "severity": 2, "message": title, "line": line, "column": 1}],
            }),
            "codex-review" => json!({
                "title": title, "body": claim.why, "confidence_score": 0.9, "priority": 1,
                "code_location": {"absolute_file_path": file, "line_range": {"start": line, "end": line}},
            }),
            "codex-verdict" => json!({
                "severity": "high", "title": title, "body": claim.why, "file": file, "line_start": line,
                "line_end": line, "confidence": 0.9, "recommendation": claim.fix,
            }),
            "claude-security" => json!({
                "file": file, "line": line, "severity": "HIGH", "category": "sql_injection", "description": title,
                "exploit_scenario": claim.why, "recommendation": claim.fix, "confidence": 0.9,
            }),
            id => panic!("`{id}` is only read, and the bench does not know how it looks"),
        }
    });
    let findings = Value::Array(findings.collect());
    match format.id {
        "codex-review" => json!({
            "findings": findings, "overall_correctness": "patch is incorrect", "overall_explanation": "",
            "overall_confidence_score": 0.9,
        }),
        "codex-verdict" => {
            json!({"verdict": "needs-attention", "summary": "No.", "findings": findings, "next_steps": []})
        }
        "claude-security" => json!({
            "findings": findings,
            "analysis_summary": {
                "files_reviewed": 700, "high_severity": FINDINGS, "medium_severity": 0, "low_severity": 0,
                "review_completed": true,
            },
        }),
        _ => findings,
    }
}

#[allow(clippy::print_stdout)]
fn main() {
    let report = report();
    let limits = Limits::default();
    println!("{FINDINGS} findings; MB/s, the fastest run within a second");
    println!("{:<20} {:>8} {:>8} {:>8} {:>8}  read/floor", "format", "MB", "read", "write", "floor");
    for format in FORMATS {
        let text = document(format, &report);
        let understood = format.read(text.as_bytes(), &limits).understood();
        let written = format.write(&report).map_or(0, |written| written.text.len());
        let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
        let [read, write, floor] = fastest([
            &|| drop(black_box(format.read(black_box(text.as_bytes()), &limits))),
            &|| drop(black_box(format.write(black_box(&report)))),
            &|| drop(black_box(is_json.then(|| serde_json::from_str::<serde_json::Value>(black_box(&text))))),
        ]);
        let read_speed = megabytes_per_second(text.len(), read);
        let write_speed = format.is_writable().then(|| megabytes_per_second(written, write));
        let floor = is_json.then(|| megabytes_per_second(text.len(), floor));
        let number = |speed: Option<f64>| speed.map_or("–".to_owned(), |speed| format!("{speed:.0}"));
        let ratio = floor.map_or("–".to_owned(), |floor| format!("{:.2}× the floor's time", floor / read_speed));
        println!(
            "{:<20} {:>8.3} {:>8} {:>8} {:>8}  {ratio} ({understood} understood)",
            format.id,
            text.len() as f64 / 1e6,
            number(Some(read_speed)),
            number(write_speed),
            number(floor),
        );
    }
}
