//! The two foundations of the skill: the verdict file, and the action of a team agent after each verdict (000, 003).
//!
//! In: the schema, the tables and the functions that Jury itself decides by. Out: Markdown. A row that could drift from the code is
//! not written down here but asked for.

use std::fmt::Write as _;

use jury::model::{FindingId, GateOwner, Mode, Policy, ReviewVerdict, Severity, Status, Tally};
use jury::store::is_legal;
use jury::verdict::{Action, Case as GateCase, FindingState, Match, People, Situation, gate, next};
use jury_wire::{ExitCode, Schema};
use serde_json::Value;

/// 000: the verdict file, field by field.
pub(super) fn verdict_schema() -> String {
    let schema = Schema::ALL.iter().find(|schema| schema.name == "code-review").expect("000 has a schema");
    let schema: Value = serde_json::from_str(&schema.to_text()).expect("a schema is JSON");
    let mut page = format!(
        "<!-- {} -->\n\n# The verdict file\n\n\
         Only Jury writes `.code-review/review-latest.json`, at the root of the worktree. `jury schema code-review` prints its JSON Schema.\n\n",
        super::NOTICE
    );
    fields(&mut page, "The file", &schema);
    fields(&mut page, "A finding", &schema["$defs"]["Finding"]);
    let example = FindingId::spelled("api-patterns", "src/api/routes.ts", Some("45-47"));
    let _ = write!(
        page,
        "## Ids\n\n`{{domain}}-{{first 8 hexadecimal digits of the SHA-256 of the path}}-{{lineRange, or 0}}`, such as `{example}`. Further findings with the same \
         id get `~2`, `~3`, … An id moves with its lines.\n\n\
         ## Statuses\n\n| status | set by | meaning | counts in the verdict |\n|---|---|---|---|\n"
    );
    for status in Status::ALL {
        let counts = if status.stands() { "yes" } else { "no" };
        let _ = writeln!(page, "| `{status}` | {} | {} | {counts} |", writer(*status), meaning(*status));
    }
    page.push_str(
        "\nA team agent changes `status` and nothing else, with `jury mark` or by hand, and may take its own claim back. Any other change is refused with its \
         place; `jury restore` writes the sealed file back.\n\n\
         ## Verdict\n\nOf the findings that count:\n\n| Blockers | High | verdict |\n|---|---|---|\n",
    );
    for (blockers, highs, severities, system_breaking) in [
        ("none", "none", &[Severity::Medium, Severity::Low, Severity::Info][..], false),
        ("none", "one or more", &[Severity::High], false),
        ("one or more, none of them system-breaking", "any number", &[Severity::Blocker], false),
        ("one or more that are system-breaking", "any number", &[Severity::Blocker], true),
    ] {
        let _ = writeln!(page, "| {blockers} | {highs} | **{}** |", verdict_of(severities, system_breaking));
    }
    page.push_str(
        "\nA missing reviewer, or an unreviewed part of the change, is a High finding on the file `.`, titled \"Review incomplete\".\n\n\
         The verdict is about the reviewed tree. `jury gate` decides separately whether a tree may merge: a High with an unverified fix \
         leaves the verdict and still keeps the gate closed.\n",
    );
    page
}

fn fields(page: &mut String, title: &str, schema: &Value) {
    let _ = write!(page, "## {title}\n\n| field | type | |\n|---|---|---|\n");
    let required: Vec<&str> = schema["required"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    for (name, property) in schema["properties"].as_object().into_iter().flatten() {
        let optional = if required.contains(&name.as_str()) { "" } else { "?" };
        let what = property["description"].as_str().unwrap_or_default();
        let _ = writeln!(page, "| `{name}{optional}` | {} | {what} |", kind(property));
    }
    page.push('\n');
}

/// Describes a value: its words, its type, or its parts.
fn kind(property: &Value) -> String {
    if let Some(words) = property["enum"].as_array() {
        let words: Vec<String> = words.iter().filter_map(Value::as_str).map(|word| format!("`{word}`")).collect();
        return words.join(", ");
    }
    let names = |name: &Value| name.as_str().map(str::to_owned);
    let named = |value: &Value| value["$ref"].as_str().and_then(|path| path.rsplit('/').next()).map(str::to_owned);
    let types = || property["type"].as_array().into_iter().flatten().filter_map(names).find(|name| name != "null");
    match property["type"].as_str() {
        Some("array") => format!("list of {}", named(&property["items"]).unwrap_or_else(|| "values".to_owned())),
        Some(name) => name.to_owned(),
        None => named(property).or_else(types).unwrap_or_else(|| "object".to_owned()),
    }
}

fn writer(status: Status) -> &'static str {
    let is_claim = Status::ALL.iter().any(|own| *own != status && is_legal(*own, status));
    match (is_claim, status) {
        (true, _) => "the team agent",
        (false, Status::Verified | Status::Reopened) => "Jury, by verification",
        (false, _) => "Jury",
    }
}

const fn meaning(status: Status) -> &'static str {
    match status {
        Status::Open => "new, or not handled yet",
        Status::Fixed => "claimed as fixed by the team",
        Status::Verified => "verified: the defect is gone",
        Status::Reopened => "checked again: the defect is still there",
        Status::WontFix => "declined by the team as a false positive or intended; noted, not verified",
    }
}

fn verdict_of(severities: &[Severity], system_breaking: bool) -> ReviewVerdict {
    let mut tally = Tally::default();
    severities.iter().for_each(|severity| tally.add(*severity, system_breaking));
    tally.review()
}

/// A case of the protocol: the state after a run, in words and as data.
struct Case(&'static str, Mode, ReviewVerdict, &'static [(Severity, Status, GateOwner)]);

const AGENT: GateOwner = GateOwner::Agent;

const CASES: &[Case] = &[
    Case("no Blocker and no High", Mode::Full, ReviewVerdict::Pass, &[(Severity::Medium, Status::Open, AGENT)]),
    Case(
        "a High",
        Mode::Full,
        ReviewVerdict::Warn,
        &[(Severity::High, Status::Open, AGENT), (Severity::Medium, Status::Open, AGENT)],
    ),
    Case(
        "a Blocker",
        Mode::Full,
        ReviewVerdict::Fail,
        &[(Severity::High, Status::Open, AGENT), (Severity::Blocker, Status::Open, AGENT)],
    ),
    Case("all of them marked fixed", Mode::Full, ReviewVerdict::Pass, &[(Severity::High, Status::Fixed, AGENT)]),
    Case("a fix that did not hold", Mode::Verify, ReviewVerdict::Warn, &[(Severity::High, Status::Reopened, AGENT)]),
    Case("all of them verified", Mode::Verify, ReviewVerdict::Pass, &[(Severity::High, Status::Verified, AGENT)]),
    Case(
        "an edit to the checks themselves, or a file that nobody can read",
        Mode::Full,
        ReviewVerdict::Warn,
        &[(Severity::High, Status::Open, GateOwner::Person)],
    ),
    Case("a High declined with a reason", Mode::Full, ReviewVerdict::Pass, &[(Severity::High, Status::WontFix, AGENT)]),
    Case("a system-breaking Blocker", Mode::Full, ReviewVerdict::Abort, &[(Severity::Blocker, Status::Open, AGENT)]),
    Case("a Blocker", Mode::Quick, ReviewVerdict::Fail, &[(Severity::Blocker, Status::Open, AGENT)]),
    Case("a High", Mode::Quick, ReviewVerdict::Warn, &[(Severity::High, Status::Open, AGENT)]),
    Case("Medium, Low or Info only", Mode::Quick, ReviewVerdict::Pass, &[(Severity::Medium, Status::Open, AGENT)]),
];

/// 003: the action of a team agent after each verdict.
pub(super) fn protocol() -> String {
    let mut page = format!(
        "<!-- {} -->\n\n# The team-agent protocol\n\n`jury next --format json` selects the row for you: do not derive it yourself.\n\n\
         | action | do this |\n|---|---|\n",
        super::NOTICE
    );
    for action in Action::ALL {
        let _ = writeln!(page, "| `{action}` | {} |", what_to_do(*action));
    }
    page.push_str(
        "\n## After each verdict\n\n| after | verdict | open findings | action | reason |\n|---|---|---|---|---|\n",
    );
    for Case(what, mode, verdict, findings) in CASES {
        let (findings, policy) = (states(findings), Policy::default());
        let case = GateCase {
            review_id: String::new(),
            verdict: *verdict,
            findings: findings.clone(),
            accept_wont_fix: policy.accept_wont_fix,
            tree: Match::SameTree,
            uncommitted: None,
            not_whole: None,
            is_same_policy: true,
            ended: Vec::new(),
            beyond: Vec::new(),
            new: Vec::new(),
            gaps: Vec::new(),
            people: People::default(),
        };
        let gate = gate(Some(&case).filter(|_| *mode != Mode::Quick));
        let situation = Situation { mode: *mode, verdict: *verdict, findings, gate: &gate, needs_review: None };
        let said = next(Some(&situation));
        let _ = writeln!(page, "| {mode} | {verdict} | {what} | `{}` | {} |", said.action, said.why);
    }
    let nothing = next(None);
    let _ = writeln!(page, "| nothing | | | `{}` | {} |", nothing.action, nothing.why);
    page.push_str(
        "\nBlockers come first, then High: both are required. Medium is recommended, Low and Info are optional. A finding that states a gap (file `.`) is closed by \
         removing its cause and running `jury review`, never by editing code or statuses.\n\n\
         ## Marking\n\n`jury mark ID fixed` after fixing the code, `jury mark ID wont_fix --reason TEXT` for a false positive; then `jury verify`. Or edit `status` in \
         the verdict file, and nothing else in it. An unverified mark keeps the gate closed.\n\n\
         A finding that is false can be contested with evidence (`jury contest ID --shows PATH:LINE QUOTE`); it is settled only if the tree \
         or its reviewers grant it.\n\n\
         ## ABORT\n\nDo not attempt fixes. Jury has written `.code-review/abort-reason.md`: the Blockers, the work in progress, the next steps. Halt, and tell a person. \
         If you find a system-breaking defect yourself: `jury abort --reason TEXT`.\n\n\
         ## Exit codes\n\n| code | meaning |\n|---|---|\n",
    );
    for code in ExitCode::ALL {
        let _ = writeln!(page, "| {} | {} |", code.code(), code.meaning());
    }
    page
}

/// Returns the findings of a case.
fn states(findings: &[(Severity, Status, GateOwner)]) -> Vec<FindingState> {
    let state = |(index, (severity, status, owner)): (usize, &(Severity, Status, GateOwner))| FindingState {
        id: index.to_string(),
        severity: *severity,
        status: *status,
        is_gap: false,
        owner: *owner,
        closes: Policy::default().closes(*severity, FindingId::WHOLE_REPOSITORY),
    };
    findings.iter().enumerate().map(state).collect()
}

const fn what_to_do(action: Action) -> &'static str {
    match action {
        Action::ProceedToPr => "open the pull request, with `reportPath` in its description",
        Action::Fix => "fix the required findings, worst first; mark them; `jury verify`",
        Action::Verify => "`jury verify`: check the marked fixes",
        Action::Review => "`jury review`: the current tree is not reviewed",
        Action::Commit => "commit the reviewed tree, all of it; then run `jury next` again",
        Action::AskPerson => {
            "tell a person which findings and files are to be decided (`person`), with `jury accept ID --reason TEXT` as their command, never yours; or decline them with a reason and open the pull request"
        }
        Action::Halt => "stop; a person reads `.code-review/abort-reason.md`",
        Action::Continue => "continue working; note the rest for later",
    }
}
