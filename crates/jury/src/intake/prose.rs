//! One finding in prose: a heading, a list item or a paragraph with what follows it becomes a claim.
//!
//! In: the lead line and the body of a finding as Markdown. Out: its severity, status, place, confidence, title and fields.
//! Deliberately not here: which parts of a document are findings (`markdown`).

use super::finding::{self, Refusal, Scope};
use super::ledger::Ledger;
use super::synonyms::{self, Field, STATUSES, Settled};
use super::values;
use crate::model::{Claim, Confidence, Location, Severity, Status, Title};
use crate::syntax::Span;
use jury_wire::Reason;

/// Words that are severities wherever they stand as a tag. The rest of the table is too common in prose.
const TAGS: &[&str] = &[
    "p0",
    "p1",
    "p2",
    "p3",
    "p4",
    "blocker",
    "blockers",
    "blocking",
    "critical",
    "high",
    "major",
    "medium",
    "moderate",
    "low",
    "minor",
    "nit",
    "nits",
    "nitpick",
    "info",
    "informational",
    "sev0",
    "sev1",
    "sev2",
    "sev3",
    "severe",
    "🔴",
    "🟠",
    "🟡",
    "🟢",
    "🔵",
];

/// Reads one word as a severity tag.
fn tag(word: &str) -> Option<Severity> {
    let folded = synonyms::fold_word(word);
    let bare = folded.strip_suffix(" priority").or(folded.strip_suffix(" severity")).unwrap_or(&folded);
    TAGS.contains(&bare).then(|| values::severity(bare)).flatten().map(|(severity, _)| severity)
}

/// Takes a severity off the front of a line: `[P2] x`, `**High** — x`, `MEDIUM: x`, `P0 — x`, `🔴 x`, `(HIGH) x`.
pub(super) fn leading_severity(line: &str) -> Option<(Severity, &str)> {
    let line = line.trim_start();
    let opening = line.len() - line.trim_start_matches(['*', '_', '[', '(', '~', ' ', '`']).len();
    let (marks, rest) = line.split_at(opening);
    let first = rest.chars().next()?;
    if let Some(severity) = tag(&first.to_string()) {
        let after = rest[first.len_utf8()..].trim_start_matches(['\u{fe0f}', ' ', '*']);
        // An emoji before a word only decorates it.
        return leading_severity(after).or(Some((severity, after))).filter(|(_, rest)| states_something(rest));
    }
    let end = rest
        .find(|c: char| {
            matches!(c, ']' | ')' | ':' | '—' | '–' | '*' | '|' | '_' | '/' | ',' | '`') || c.is_whitespace()
        })
        .unwrap_or(rest.len());
    let (mut word, mut after) = rest.split_at(end);
    // `High priority:` and `Medium severity —` are one tag.
    for second in [" priority", " severity", " Priority", " Severity", " PRIORITY"] {
        if let Some(rest) = after.strip_prefix(second) {
            word = &line[opening..opening + word.len() + second.len()];
            after = rest;
        }
    }
    let mut severity = tag(word)?;
    // `BLOCKER / HIGH`: the worse of the two.
    if let Some(second) = after.trim_start().strip_prefix('/') {
        let second = second.trim_start();
        let end = second.find(|c: char| !c.is_alphanumeric()).unwrap_or(second.len());
        let other = tag(&second[..end])?;
        severity = if other.is_at_least(severity) { other } else { severity };
        after = &second[end..];
    }
    let is_bracketed = marks.contains(['[', '('])
        && after.starts_with([']', ')', ',', ':', ' ', '|', '—', '–'])
        && after.contains([']', ')']);
    let is_bold = marks.contains('*') && (after.starts_with("**") || after.starts_with([':', ' ', '—', '–']));
    let is_followed = after.starts_with([':', '—', '–', '|'])
        || after.trim_start().starts_with(['—', '–'])
        || after.starts_with(" - ")
        || after.starts_with(" -- ");
    let is_short_code = word.len() == 2 && word.starts_with(['P', 'p']);
    let is_shouted = word.len() > 2 && word.chars().all(|c| c.is_ascii_uppercase());
    if !(is_bracketed || is_bold || is_followed || is_short_code || is_shouted) {
        return None;
    }
    let rest = if is_bracketed { after.split_once([']', ')']).map_or(after, |(_, rest)| rest) } else { after };
    let rest = rest.trim_start_matches(|c: char| {
        c.is_whitespace() || matches!(c, '*' | ':' | '—' | '–' | '-' | '|' | ']' | ')' | '_')
    });
    states_something(rest).then_some((severity, rest))
}

/// A tag before a number or `none` counts findings, and is none.
fn states_something(rest: &str) -> bool {
    let rest = rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '.' | '(' | ')' | '`'));
    let first: String = rest.chars().take_while(|c| !c.is_whitespace() && *c != '|' && *c != ',').collect();
    let is_count = !first.is_empty() && first.trim_end_matches(['.', ':', ';']).bytes().all(|b| b.is_ascii_digit());
    let is_small = rest.split_whitespace().count() <= 2
        || rest.contains('|')
        || rest.split_whitespace().nth(1).is_some_and(|word| {
            ["finding", "findings", "issue", "issues", "found", "open", "remaining"]
                .contains(&word.trim_matches([',', '.', ':']).to_lowercase().as_str())
        });
    !(rest.is_empty() || is_count && is_small || says_none(rest))
}

/// Finds a severity in brackets anywhere in a heading: `C-1 (Critical): x`, `S-4 — x (Major, carried from R1)`.
pub(super) fn bracketed_severity(line: &str) -> Option<Severity> {
    line.split(['(', '[']).skip(1).find_map(|group| {
        let inside = group.split([')', ']', ',', ';', '/']).next()?;
        tag(inside)
    })
}

/// Returns the severity that a heading or a label is nothing but the name of: `#### Blockers`, `## P1 Findings (3)`.
pub(super) fn pure_severity(text: &str) -> Option<Severity> {
    let bare: String = text.trim().trim_matches(['*', '_', ':', '#', ' ', '`']).to_owned();
    let before = bare.split(['(', '[']).next().unwrap_or(&bare).trim().trim_end_matches([':', '-', '—', ' ']);
    let inside = bare.split_once('(').and_then(|(_, rest)| rest.split_once(')')).map(|(inside, _)| inside);
    let words = |text: &str| {
        let fillers = [
            "findings", "finding", "issues", "issue", "priority", "severity", "level", "items", "problems", "bugs",
            "comments", "only", "new", "open", "risk", "risks", "defects", "concerns", "fixes",
        ];
        let kept: Vec<String> = text
            .split(|c: char| c.is_whitespace() || matches!(c, '/' | '|' | '&' | ',' | '-' | '_' | '—' | '–'))
            .map(synonyms::fold_word)
            .filter(|word| {
                !word.is_empty()
                    && !fillers.contains(&word.as_str())
                    && word != "and"
                    && !word.bytes().all(|b| b.is_ascii_digit())
            })
            .collect();
        kept
    };
    let worst = |text: &str| {
        let words = words(text);
        let severities: Option<Vec<Severity>> =
            words.iter().map(|word| synonyms::word(synonyms::SEVERITIES, word)).collect();
        severities?.into_iter().reduce(|worst, other| if other.is_at_least(worst) { other } else { worst })
    };
    let heavy = [
        "note",
        "notes",
        "error",
        "errors",
        "question",
        "good",
        "style",
        "fail",
        "failed",
        "failure",
        "information",
        "praise",
        "bug",
        "positive",
        "strength",
        "kudos",
        "optional",
        "average",
        "normal",
        "weak",
        "hint",
    ];
    let is_too_common = words(before).iter().all(|word| heavy.contains(&word.as_str()));
    if is_too_common && !before.is_empty() {
        return None;
    }
    // `Advisory (P3)`, `Suggestions (LOW)`: the code in brackets is the exacter word.
    let exact = inside.and_then(tag).filter(|_| words(before).len() <= 2 && worst(before).is_some());
    exact.or_else(|| worst(before))
}

/// Tells whether a line says that there is nothing to find: `None.`, `No issues found`, `No blocking findings remain.`
pub(super) fn says_none(line: &str) -> bool {
    let bare = line
        .trim()
        .trim_matches(|c: char| c.is_whitespace() || matches!(c, '*' | '_' | '(' | ')' | '-' | '`' | '✅' | '~' | '>'))
        .trim();
    let lower = bare.to_lowercase();
    let lower = lower.trim_start_matches(['✅', ' ', '✓', '✔']);
    let first = lower.split(['.', ';', '—', '–', '(', ',', ':']).next().unwrap_or_default().trim();
    if [
        "none",
        "none found",
        "none identified",
        "n/a",
        "nothing",
        "nothing found",
        "none remaining",
        "nothing to report",
        "lgtm",
        "none observed",
        "none at this time",
        "nil",
        "clean",
    ]
    .contains(&first)
        || first.starts_with("none at ")
        || first.starts_with("none in ")
        || first.starts_with("none for ")
        || first.starts_with("none of ")
        || first.starts_with("none detected")
        || first.starts_with("none —")
    {
        return true;
    }
    let nouns = [
        "finding",
        "findings",
        "issue",
        "issues",
        "blocker",
        "blockers",
        "problem",
        "problems",
        "defect",
        "defects",
        "concern",
        "concerns",
        "regression",
        "regressions",
        "violation",
        "violations",
        "vulnerabilities",
        "bugs",
    ];
    let sentence = lower.split(['.', ';']).next().unwrap_or_default();
    let words: Vec<&str> = sentence.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    words.first() == Some(&"no")
        && words.iter().skip(1).take(9).any(|word| nouns.contains(word))
        && !words.contains(&"test")
        && !words.contains(&"tests")
        || sentence.starts_with("0 findings")
        || sentence.starts_with("0 issues")
        || sentence.starts_with("zero findings")
        || sentence.starts_with("zero issues")
}

/// Reads what a heading or lead says has become of its finding: `(RESOLVED)`, `— **Fixed** ✅`, `Unresolved: …`.
pub(super) fn status_in(line: &str) -> Option<Settled> {
    if line.trim_start().starts_with("~~") {
        return Some(Settled::Fixed);
    }
    let pieces = line.split(['—', '–', '(', ')', ':', '[', ']', '|']).chain(line.split(" -- "));
    pieces
        .map(|piece| piece.split([',', ';', '.']).next().unwrap_or(piece))
        .filter(|piece| piece.split_whitespace().count() <= 4)
        .find_map(|piece| {
            let words = [
                "resolved",
                "fixed",
                "closed",
                "retracted",
                "unresolved",
                "fully resolved",
                "verified",
                "partially addressed",
                "deferred",
                "intentionally deferred",
                "accepted",
                "withdrawn",
                "false positive",
                "partially resolved",
                "addressed",
                "still open",
                "not fixed",
                "fully fixed",
            ];
            let folded = synonyms::fold_word(piece);
            let folded = folded.strip_prefix("✓ ").unwrap_or(&folded).trim();
            words.contains(&folded).then(|| synonyms::word(STATUSES, folded)).flatten()
        })
}

/// Finds `confidence: 92`, `confidence 0.60`, `92% confidence` in a line.
pub(super) fn confidence_in(line: &str) -> Option<Confidence> {
    let lower = line.to_ascii_lowercase();
    let at = lower.find("confidence")?;
    let after = line
        .get(at + "confidence".len()..)?
        .trim_start_matches(|c: char| c.is_whitespace() || matches!(c, ':' | '*' | '=' | '`' | '~'));
    let end = after.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '%'))).unwrap_or(after.len());
    let value = after[..end].trim_end_matches('.');
    if let Some((confidence, _)) = values::confidence(value) {
        return Some(confidence);
    }
    let before = line.get(..at)?.trim_end();
    let start = before
        .rfind(|c: char| !(c.is_ascii_digit() || c == '%' || c == '.'))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    values::confidence(&before[start..]).map(|(confidence, _)| confidence)
}

/// A finding as it was gathered from a document.
pub(super) struct Draft<'t> {
    pub(super) lead: String,
    pub(super) body: String,
    pub(super) severity: Option<Severity>,
    pub(super) status: Option<Settled>,
    pub(super) span: Span,
    pub(super) scope: Scope,
    pub(super) raw: &'t str,
}

/// The labelled fields of a body: `- **Location**: x`, `Fix: y`, with the lines that go on.
pub(super) fn labelled(body: &str) -> Vec<(Field, String)> {
    let mut fields: Vec<(Field, String)> = Vec::new();
    let mut is_open = false;
    for line in body.lines() {
        match label(line) {
            Some((field, value)) => {
                fields.push((field, value.to_owned()));
                is_open = true;
            }
            None if line.trim().is_empty() => {}
            None if is_open && other_label(line) => is_open = false,
            None if is_open => {
                if let Some((_, text)) = fields.last_mut() {
                    text.push('\n');
                    text.push_str(line.trim());
                }
            }
            None => {}
        }
    }
    fields
}

/// Reads a line as a labelled field of a finding.
pub(super) fn label(line: &str) -> Option<(Field, &str)> {
    let line = line.trim_start().trim_start_matches(['-', '>', ' ', '\t', '•']).trim_start();
    let bare = line.trim_start_matches(['*', '_']);
    let bare = bare.strip_prefix(' ').unwrap_or(bare);
    let (name, rest) = bare.split_once(':')?;
    let name = name.trim().trim_matches(['*', '_', ' ', '`']);
    if !name.starts_with(char::is_alphabetic) || name.len() > 30 || name.split_whitespace().count() > 3 {
        return None;
    }
    let (field, _) = synonyms::field(name.trim_end_matches("(s)"))?;
    let value = rest.trim_start_matches(['*', '_', ' ']).trim();
    Some((field, value))
}

fn other_label(line: &str) -> bool {
    let bare = line.trim_start().trim_start_matches(['-', ' ']);
    bare.starts_with("**") && bare.contains(":**") || bare.starts_with("**") && bare.contains("**:")
}

/// Reads a draft as a claim. `Ok(None)` if it turns out to be none after all: nobody says how bad it is.
pub(super) fn read(ledger: &mut Ledger<'_>, draft: &Draft<'_>) -> Result<Claim, Refusal> {
    let fields = labelled(&draft.body);
    let text = |wanted: Field| {
        fields.iter().find(|(field, text)| *field == wanted && !text.trim().is_empty()).map(|(_, text)| text.as_str())
    };
    let severity = match (draft.severity, text(Field::Severity)) {
        (_, Some(stated)) => {
            let first = stated.lines().next().unwrap_or(stated);
            let first = first.split(['|', '·']).next().unwrap_or(first);
            values::severity(first.trim().trim_matches(['*', '_', '`']))
                .map(|(severity, _)| severity)
                .or(draft.severity)
                .ok_or_else(|| (Reason::UnknownToken, format!("nobody knows the severity {first:?}")))?
        }
        (Some(severity), None) => severity,
        (None, None) => {
            draft.scope.severity.ok_or_else(|| (Reason::MissingField, "`severity` is missing".to_owned()))?
        }
    };
    if draft.severity.is_none() && text(Field::Severity).is_none() {
        ledger.repair(Reason::SeverityFromContext, draft.span, "", severity.word());
    }
    let (place, rest) = leading_place(&draft.lead);
    let title =
        title(rest, &draft.lead, &draft.body).ok_or_else(|| (Reason::MissingField, "`title` is missing".to_owned()))?;
    let mut claim = Claim::new(title, severity);
    claim.location = location(ledger, draft, place, &fields)?;
    claim.confidence = confidence_in(&draft.lead)
        .or_else(|| {
            text(Field::Confidence)
                .and_then(|text| values::confidence(text.trim_matches(['*', '`', ' '])))
                .map(|(confidence, _)| confidence)
        })
        .or_else(|| {
            confidence_in(
                draft.body.lines().find(|line| line.to_ascii_lowercase().contains("confidence")).unwrap_or_default(),
            )
        });
    let joined = |wanted: Field| {
        let texts: Vec<&str> = fields
            .iter()
            .filter(|(field, text)| *field == wanted && !text.trim().is_empty())
            .map(|(_, text)| text.trim())
            .collect();
        (!texts.is_empty()).then(|| texts.join("\n\n"))
    };
    claim.why = joined(Field::Why).or_else(|| {
        let whole = format!("{}\n{}", draft.lead, draft.body);
        let whole = whole.trim();
        (whole.len() > claim.title.as_str().len() + 20).then(|| whole.to_owned())
    });
    claim.fix = joined(Field::Fix);
    claim.evidence = fields
        .iter()
        .filter(|(field, text)| *field == Field::Evidence && !text.trim().is_empty())
        .map(|(_, text)| text.trim().to_owned())
        .collect();
    claim.reviewer = draft.scope.reviewer.clone();
    claim.pre_existing = draft.scope.is_pre_existing.then_some(true);
    claim.status = status(ledger, draft, text(Field::Status));
    Ok(claim)
}

fn status(ledger: &mut Ledger<'_>, draft: &Draft<'_>, field: Option<&str>) -> Option<Status> {
    let stated =
        field.and_then(|text| finding::settled(text.lines().next().unwrap_or(text))).map(|(settled, _)| settled);
    let settled =
        stated.or(draft.status).unwrap_or(if draft.scope.is_settled { Settled::Fixed } else { Settled::Open });
    let status = match settled {
        Settled::Open => return None,
        Settled::Fixed => Status::Fixed,
        Settled::WontFix => Status::WontFix,
    };
    ledger.repair(Reason::StatusTaken, draft.span, field.unwrap_or(&draft.lead), status.token());
    Some(status)
}

/// Takes the place off the front of a lead: in bold, backticks or brackets, or after `File:`.
fn leading_place(lead: &str) -> (Option<values::Place<'_>>, &str) {
    let lead = past_remarks(lead.trim_start());
    let start = lead.trim_start_matches(['*', '_', '`', '[', '(', ' ', '#']);
    let start = start
        .strip_prefix("File:")
        .or(start.strip_prefix("Files:"))
        .map_or(start, |rest| rest.trim_start_matches(['*', '`', ' ', '[']));
    // An id may stand first: `I1` `src/a.ts:16`, `[Recurring] src/a.ts:3`.
    let past_id = start
        .split_once(|c: char| c.is_whitespace())
        .map(|(first, rest)| (first, rest.trim_start_matches(['*', '_', '`', '[', '(', ' ', '—', '–', '-'])));
    let candidates = [Some(start), past_id.filter(|(first, _)| first.len() <= 14).map(|(_, rest)| rest)];
    for candidate in candidates.into_iter().flatten() {
        let Some(place) = values::split_place(candidate) else { continue };
        // A bare word with a dot in running text is no place unless it is marked or has a line.
        let offset = lead.len() - candidate.len();
        let is_marked = lead[..offset].ends_with(['`', '[', '*']) || lead[..offset].ends_with("File: ");
        if place.lines.is_none() && !(is_marked && is_surely_a_file(place.file)) {
            continue;
        }
        let rest = after_place(candidate, &place);
        return (Some(place), rest);
    }
    (None, lead)
}

/// Passes over remarks in brackets that are no place: `[advisory -> human] `, `[Recurring] `.
fn past_remarks(lead: &str) -> &str {
    let inside = lead.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match inside {
        Some((remark, rest))
            if remark.len() <= 40
                && !rest.starts_with('(')
                && values::split_place(remark).is_none()
                && !rest.trim().is_empty() =>
        {
            past_remarks(rest.trim_start())
        }
        _ => lead,
    }
}

/// Endings of files that are told from `object.member` by nothing else.
const ENDINGS: &[&str] = &[
    "ts", "tsx", "js", "jsx", "mjs", "cjs", "rs", "py", "go", "java", "kt", "rb", "php", "c", "h", "cc", "cpp", "hpp",
    "cs", "swift", "sql", "sh", "md", "mdx", "json", "yaml", "yml", "toml", "css", "scss", "html", "vue", "svelte",
    "xml", "txt", "lock", "tf", "proto", "razor", "csproj", "gradle", "ini", "cfg", "conf",
];

fn is_surely_a_file(file: &str) -> bool {
    file.contains('/') || file.rsplit_once('.').is_some_and(|(_, ending)| ENDINGS.contains(&ending))
}

/// Returns what follows the place: past its closing marks, further places, and a confidence in brackets.
fn after_place<'t>(text: &'t str, place: &values::Place<'t>) -> &'t str {
    let consumed = match (place.lines, place.rest) {
        (Some(lines), _) => lines.as_ptr() as usize + lines.len() - text.as_ptr() as usize,
        (None, _) => place.file.as_ptr() as usize + place.file.len() - text.as_ptr() as usize,
    };
    // A backtick right after the place closes its mark; one that comes later opens the next.
    let mut rest = text.get(consumed..).unwrap_or_default().trim_start_matches(['`', ']', '*', ')']);
    loop {
        let before = rest;
        rest = rest.trim_start_matches([']', '*', ',', ' ', ':', '—', '–', ')', '_']);
        rest = rest.strip_prefix("-- ").or(rest.strip_prefix("- ")).unwrap_or(rest);
        // Further lines or places: `, 47`, `+ src/b.ts:828`, `vs src/b.ts:3`, `and line 74`.
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '-' | '–')).len();
        if digits > 0 && before.trim_start().starts_with([',', ':']) {
            rest = &rest[digits..];
        }
        for joint in ["+ ", "vs ", "and ", "& "] {
            if let Some(next) = rest.strip_prefix(joint)
                && let Some(place) = values::split_place(next.trim_start_matches(['`', '*', '[']))
                && place.lines.is_some()
            {
                rest = after_one(next, &place);
            }
        }
        if rest.starts_with('(') && rest.to_ascii_lowercase()[..rest.find(')').unwrap_or(0)].contains("confidence") {
            rest = rest.split_once(')').map_or(rest, |(_, rest)| rest);
        }
        if rest == before {
            return rest;
        }
    }
}

fn after_one<'t>(text: &'t str, place: &values::Place<'t>) -> &'t str {
    let end = place
        .lines
        .map_or(place.file.as_ptr() as usize + place.file.len(), |lines| lines.as_ptr() as usize + lines.len());
    text.get(end - text.as_ptr() as usize..).unwrap_or_default()
}

/// Makes a title of what is left of the lead: its bold part, or its first sentence.
fn title(rest: &str, lead: &str, body: &str) -> Option<Title> {
    let rest = strip_id(rest.trim());
    let bold = rest
        .strip_prefix("**")
        .and_then(|rest| rest.split_once("**"))
        .map(|(bold, _)| bold)
        .filter(|bold| bold.trim().len() > 8);
    let bold = bold.filter(|bold| !bold.to_ascii_lowercase().trim_matches(['(', ' ']).starts_with("confidence"));
    let source = bold.unwrap_or(rest);
    for text in [source, rest, lead, first_text(body)] {
        let cleaned = cleaned(text);
        if cleaned.chars().filter(|c| c.is_alphanumeric()).count() >= 3 {
            return Title::new(&values::first_sentence(&cleaned)).ok();
        }
    }
    None
}

fn first_text(body: &str) -> &str {
    body.lines().find(|line| !line.trim().is_empty()).unwrap_or_default()
}

/// Takes an id off the front: `H1:`, `[M2]`, `C-1 —`, `1 —`, `Finding S-1:`, `F3.`.
fn strip_id(text: &str) -> &str {
    let mut rest = text;
    for word in ["Unresolved:", "Residual", "New", "R1", "R2", "R3", "Finding", "Issue"] {
        rest = rest
            .strip_prefix(word)
            .filter(|after| !after.starts_with(char::is_alphanumeric))
            .map_or(rest, str::trim_start);
    }
    let bare = rest.trim_start_matches(['*', '[', '#', '(']);
    let end = bare.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_'))).unwrap_or(bare.len());
    let (id, after) = bare.split_at(end);
    let is_id = !id.is_empty()
        && id.len() <= 10
        && id.bytes().any(|b| b.is_ascii_digit())
        && id.bytes().filter(u8::is_ascii_lowercase).count() <= 2;
    let follows = after.trim_start_matches(['*', ']', ')', ' ']);
    if is_id
        && (follows.starts_with([':', '—', '–', '.', '('])
            || follows.starts_with("- ")
            || after.starts_with([']', ')', '*']))
    {
        let mut rest = follows.trim_start_matches([':', '—', '–', '.', '-', ' ']);
        // `C-1 (Critical): x`
        if rest.starts_with('(')
            && let Some((inside, after)) = rest.split_once(')')
            && inside.split_whitespace().count() <= 4
        {
            rest = after.trim_start_matches([':', '—', '–', '.', '-', ' ', '*']);
        }
        return if rest.is_empty() { text } else { rest };
    }
    rest
}

/// Takes the marks of Markdown and a confidence in brackets out of a text.
fn cleaned(text: &str) -> String {
    let mut text = text.replace("**", "").replace("~~", "");
    while let Some(start) =
        text.to_ascii_lowercase().find("(confidence").or_else(|| text.to_ascii_lowercase().find("[confidence"))
    {
        let Some(length) = text[start..].find([')', ']']) else { break };
        text.replace_range(start..=start + length, "");
    }
    let marks = |c: char| c.is_whitespace() || matches!(c, '*' | ':' | '—' | '–' | '-' | '_' | '#' | '✅' | '✓');
    let text = text.trim_matches(marks);
    // What became of it is said elsewhere: `x — RESOLVED`.
    let text = match text.rsplit_once(['—', '–']) {
        Some((before, after)) if status_in(after).is_some() && before.trim().len() > 5 => before.trim_matches(marks),
        _ => text,
    };
    text.to_owned()
}

fn location(
    ledger: &mut Ledger<'_>,
    draft: &Draft<'_>,
    place: Option<values::Place<'_>>,
    fields: &[(Field, String)],
) -> Result<Option<Location>, Refusal> {
    let mut found = None;
    if let Some(place) = place {
        found = finding::location_of(ledger, draft.span, &place)?;
    }
    let has_lines = |found: &Option<Location>| found.as_ref().is_some_and(|location| location.lines.is_some());
    for (field, text) in fields {
        if has_lines(&found) {
            break;
        }
        if matches!(field, Field::File | Field::Place | Field::Places) {
            let stated = first_place(text);
            if let Some(place) = stated {
                let place = finding::location_of(ledger, draft.span, &place)?;
                if has_lines(&place) || found.is_none() {
                    found = place;
                }
            }
        }
    }
    if let Some(location) = found.as_mut().filter(|location| location.lines.is_none())
        && let Some((_, text)) = fields.iter().find(|(field, _)| *field == Field::Line)
        && let values::Lines::Exact(range) | values::Lines::Read(range) = values::lines(text.trim().trim_matches('`'))
    {
        location.lines = Some(range);
    }
    if !has_lines(&found) {
        let inside = [draft.lead.as_str(), draft.body.as_str()].into_iter().find_map(marked_place);
        if let Some(place) = inside
            && let Ok(Some(location)) = finding::location_of(ledger, draft.span, &place)
            && found.as_ref().is_none_or(|found| found.file == location.file)
        {
            found = Some(location);
        }
    }
    if found.is_some() {
        ledger.repair(
            Reason::LocationSplit,
            draft.span,
            "a place in prose",
            &found.as_ref().map(ToString::to_string).unwrap_or_default(),
        );
    }
    Ok(found)
}

/// Finds the first place in the text of a field, whatever stands around it.
fn first_place(text: &str) -> Option<values::Place<'_>> {
    values::split_place(text).or_else(|| marked_place(text)).or_else(|| {
        text.split_whitespace()
            .filter_map(values::split_place)
            .find(|place| place.lines.is_some() || place.file.contains('/'))
    })
}

/// Tells whether a text has a place with a line number in backticks.
pub(super) fn quotes_a_line(text: &str) -> bool {
    text.split('`').skip(1).step_by(2).filter_map(values::split_place).any(|place| place.lines.is_some())
}

/// Finds the first `path:line` that is marked or stands as a word of its own.
fn marked_place(text: &str) -> Option<values::Place<'_>> {
    let in_ticks = text.split('`').skip(1).step_by(2).filter_map(values::split_place);
    let in_words = text.split_whitespace().filter_map(values::split_place);
    let mut without_line = None;
    for place in in_ticks.chain(in_words) {
        if place.lines.is_some() {
            return Some(place);
        }
        if place.file.contains('/') && place.file.contains('.') {
            without_line.get_or_insert(place);
        }
    }
    without_line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_taken_off_the_front() {
        for (line, severity, rest) in [
            ("[P2] title", Severity::Medium, "title"),
            ("[P3][advisory -> human] File: a", Severity::Low, "[advisory -> human] File: a"),
            ("**High** — x y", Severity::High, "x y"),
            ("MEDIUM: Touch target", Severity::Medium, "Touch target"),
            ("**P0 — `src/a.ts`:** boom", Severity::Blocker, "`src/a.ts`:** boom"),
            ("[High] 1 — Design review", Severity::High, "1 — Design review"),
            ("**[MEDIUM] No test**", Severity::Medium, "No test**"),
            ("🔴 BLOCKER: x", Severity::Blocker, "x"),
            ("🟡 something", Severity::Medium, "something"),
            ("High priority: x", Severity::High, "x"),
        ] {
            assert_eq!(leading_severity(line), Some((severity, rest)), "{line}");
        }
        for line in [
            "High: 3",
            "Blockers: 0 | High: 3",
            "High hopes",
            "Low confidence in this",
            "**High**",
            "P1: none",
            "Note: x",
            "highly",
            "Critical path",
        ] {
            assert_eq!(leading_severity(line), None, "{line}");
        }
    }

    #[test]
    fn headings_that_are_severities_are_known() {
        for (text, severity) in [
            ("Blockers", Severity::Blocker),
            ("Blockers (untested ACs)", Severity::Blocker),
            ("High Priority (Should fix before merge)", Severity::High),
            ("P1 Findings (3)", Severity::High),
            ("🔴 BLOCKER", Severity::Blocker),
            ("BLOCKER / HIGH", Severity::Blocker),
            ("Nitpicks (Optional)", Severity::Info),
            ("Advisory (P3)", Severity::Low),
            ("Informational", Severity::Info),
            ("Medium", Severity::Medium),
        ] {
            assert_eq!(pure_severity(text), Some(severity), "{text}");
        }
        for text in [
            "Summary",
            "Findings",
            "Notes",
            "MEDIUM: Touch target",
            "Security",
            "High availability",
            "What is good",
            "Findings (High)",
        ] {
            assert_eq!(pure_severity(text), None, "{text}");
        }
    }

    #[test]
    fn absence_is_said_in_so_many_words() {
        for text in [
            "None.",
            "_None._",
            "*(None)*",
            "No issues found",
            "No blocking findings.",
            "No material code-review findings.",
            "None at P0/P1/P2.",
            "None — see code review",
            "No new security findings.",
        ] {
            assert!(says_none(text), "{text}");
        }
        for text in ["No test covers the path", "Nonexistent path", "No error handling in x", "The issue", "no"] {
            assert!(!says_none(text), "{text}");
        }
    }

    #[test]
    fn confidences_and_statuses_are_found_in_a_line() {
        assert_eq!(confidence_in("**x (confidence: 92)**").map(Confidence::percent), Some(92));
        assert_eq!(confidence_in("(api-contract, confidence 0.60)").map(Confidence::percent), Some(60));
        assert_eq!(confidence_in("no such"), None);
        assert_eq!(status_in("C-1 (Critical): x — **RESOLVED** ✅"), Some(Settled::Fixed));
        assert_eq!(status_in("Unresolved: S-4 — x (Major, carried)"), Some(Settled::Open));
        assert_eq!(status_in("Fixed width tables break"), None);
    }
}
