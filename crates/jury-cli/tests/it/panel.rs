//! A panel of fake agents that misbehave, under every role, with and without a fallback: what becomes of the review, as the table that
//! `docs/reviewers.md` prints. `JURY_BLESS=1` writes it, for a person to read.

use std::fs;
use std::path::Path;
use std::sync::Mutex;

use crate::desk::Desk;

/// The marks around the table in the page.
const BEGIN: &str = "<!-- begin: roles, written by jury-cli/tests/it/panel.rs -->\n";
const END: &str = "<!-- end: roles -->\n";

/// Reads the nonce of a brief.
const NONCE: &str = r#"n=$(sed -n "s/^The nonce of this brief is \(.*\)\.$/\1/p");"#;

/// What each agent does, in words and as a script.
const AGENTS: &[(&str, &str)] = &[
    ("has no quota left (exit code)", "echo 'quota exceeded' >&2; exit 3"),
    ("takes too long", "sleep 60"),
    ("says nothing", "true"),
    ("answers in prose", "echo 'Looks good to me.'"),
    (
        "repeats an answer that stands in the change",
        r#"echo '{"reviewer":"a","findings":[],"residual_risks":[],"testing_gaps":[]}'"#,
    ),
    ("is not sure, twice (001, `confidence: low`)", "LOW"),
    ("invents a quote", "FINDS import nothing"),
    ("finds a High", "FINDS export const two = 2;"),
    ("finds nothing", "FINDS"),
];

const ROLES: &[&str] = &["required", "optional", "advisory"];

/// Returns the script of an agent.
fn script(what: &str) -> String {
    if what == "LOW" {
        return format!(
            r#"{NONCE} printf 'verdict: pass\nconfidence: low\nblockers: []\nadvisories: []\n# nonce: %s\n' "$n""#
        );
    }
    let Some(quote) = what.strip_prefix("FINDS") else { return what.to_owned() };
    let finding = serde_json::json!({"title": "Two is not two", "severity": "P1", "file": "src/two.ts", "line": 1,
        "why_it_matters": "w", "autofix_class": "manual", "owner": "review-fixer", "requires_verification": false,
        "suggested_fix": null, "confidence": 75, "evidence": [format!("`{}`", quote.trim())], "pre_existing": false});
    let findings = if quote.is_empty() { String::new() } else { finding.to_string() };
    format!(
        r#"{NONCE} printf '%s' '{{"nonce":"'"$n"'","reviewer":"a","findings":[{findings}],"residual_risks":[],"testing_gaps":[]}}'"#
    )
}

/// The outcome of a review with such an agent, in a few words.
fn outcome(what: &str, role: &str, has_fallback: bool) -> String {
    let agent = |name: &str, what: &str, more: &str| {
        let script = script(what);
        format!(
            "[reviewers.{name}]\nkind = \"agent\"\npersona = \"qa\"\ntimeout = \"3s\"\n\
             command = [\"sh\", \"-c\", '''{script}''']\n{more}\n"
        )
    };
    let more = format!("role = \"{role}\"\n{}", if has_fallback { "fallback = [\"other\"]\n" } else { "" });
    let mut config = agent("asked", what, &more);
    if has_fallback {
        config.push_str(&agent("other", "FINDS", ""));
    }
    let desk = Desk::with(&config);
    let (code, said) = desk.run(&["review", "--trust"]);
    let gate = match code {
        Some(0) => "open",
        Some(1) => "closed",
        Some(4) => "closed: incomplete",
        other => panic!("{what} {role}: {other:?}\n{said}"),
    };
    // Who reviewed, gates and its replay say the same.
    let (gate_code, gate_said) = desk.run(&["gate", "--worktree"]);
    assert_eq!(gate_code, code, "{gate_said}\n{said}");
    let file = fs::read(desk.repo.path(".code-review/review-latest.json")).expect("a review was made");
    let file: serde_json::Value = serde_json::from_slice(&file).expect("it is JSON");
    let id = file["reviewId"].as_str().expect("it has an id").to_owned();
    let (_, replayed) = desk.run(&["replay", &id]);
    assert!(replayed.contains(&id), "{replayed}");
    let counted = file["findings"].as_array().expect("it has findings").iter();
    let counted = counted.filter(|it| it["title"] == "Two is not two");
    let mut shown: Vec<String> =
        counted.map(|it| format!("a {} finding", it["severity"].as_str().unwrap_or_default())).collect();
    let count = |word: &str| said.matches(word).count();
    shown.extend((count("Not reviewed") > 0).then(|| "a gap".to_owned()));
    shown.extend((count("below the confidence threshold") > 0).then(|| "set aside".to_owned()));
    shown.extend((count("answered in place of") > 0).then(|| "a note who answered".to_owned()));
    let is_noted = said.lines().any(|line| line.starts_with("note: ") && !line.contains("answered in place of"));
    shown.extend(is_noted.then(|| "a note".to_owned()));
    if shown.is_empty() { gate.to_owned() } else { format!("{gate}, {}", shown.join(", ")) }
}

#[test]
fn every_role_and_fallback_is_as_the_page_says() {
    let rows: Vec<(usize, bool)> = (0..AGENTS.len()).flat_map(|agent| [(agent, false), (agent, true)]).collect();
    let queue = Mutex::new(rows.iter().copied());
    let done = Mutex::new(vec![Vec::new(); rows.len()]);
    std::thread::scope(|threads| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            threads.spawn(|| {
                loop {
                    let Some((agent, has_fallback)) = queue.lock().expect("no test holds it").next() else { break };
                    let (_, what) = AGENTS[agent];
                    let of: Vec<String> = ROLES.iter().map(|role| outcome(what, role, has_fallback)).collect();
                    done.lock().expect("no test holds it")[agent * 2 + usize::from(has_fallback)] = of;
                }
            });
        }
    });
    let done = done.into_inner().expect("every thread has ended");
    let mut table =
        "| the agent | `fallback` | `required` | `optional` | `advisory` |\n|---|---|---|---|---|\n".to_owned();
    for ((agent, has_fallback), of) in rows.iter().zip(&done) {
        let fallback = if *has_fallback { "one that finds nothing" } else { "–" };
        table.push_str(&format!("| {} | {fallback} | {} |\n", AGENTS[*agent].0, of.join(" | ")));
    }
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reviewers.md");
    let text = fs::read_to_string(&page).expect("the page is there");
    let (before, rest) = text.split_once(BEGIN).expect("the page has the table");
    let (written, after) = rest.split_once(END).expect("the table has an end");
    if std::env::var_os("JURY_BLESS").is_some() && std::env::var_os("CI").is_none() {
        fs::write(&page, format!("{before}{BEGIN}{table}{END}{after}")).expect("the page can be written");
        return;
    }
    assert_eq!(written, table, "run this test with JURY_BLESS=1 and read the table");
}
