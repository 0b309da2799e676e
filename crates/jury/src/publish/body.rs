//! What is to be said in; the texts of comments out, each within the length that every forge takes.
//!
//! Our own words are Markdown; whatever a reviewer or author wrote goes through `inert`. The first line of each text is our mark.
//! Deliberately not here: which comment is written (`plan`).

use std::fmt::Write as _;

use super::anchor::Anchor;
use super::inert::{code, inert, name};
use super::marker::{Key, Kind, Summary};
use super::state::{Abilities, SuggestionForm};
use crate::model::{GateOwner, Outcome, Severity, Status};

/// The most bytes of a comment. Forges allow more, each another number.
const MOST: usize = 60_000;
/// The most bytes of one text of a reviewer, before it is written out; a character becomes at most fourteen bytes.
const MOST_PART: usize = 1_500;
/// The most lines of a code block.
const MOST_LINES: usize = 80;
/// The most bytes of the title of a status.
const MOST_TITLE: usize = 140;
/// Begins a line of code that a forge could take for a command. It shows nothing.
const UNSEEN: char = '\u{200b}';

/// All that is to be said about a review.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The commit that was judged, as the forge names it.
    pub head: String,
    /// Its tree.
    pub tree: String,
    /// The review.
    pub review_id: String,
    /// The verdict, in the words of 000.
    pub verdict: String,
    /// The outcome of the gate.
    pub outcome: Outcome,
    /// The conditions that do not hold.
    pub owed: Vec<Owed>,
    /// What was not looked at.
    pub unseen: Vec<String>,
    /// The findings of the verdict file, the worst first.
    pub findings: Vec<Finding>,
    /// What came with the fixes, which only another review follows up.
    pub new: Vec<(Severity, String)>,
    /// What people decided, in a line each.
    pub decided: Vec<String>,
    /// What the review cost, if anything.
    pub cost: Option<String>,
    /// Where the report lies in the tree.
    pub report: Option<String>,
    /// Where a signed verdict lies, if there is one.
    pub attestation: Option<String>,
    /// The run of CI.
    pub run_link: Option<String>,
    /// The time.
    pub now: String,
}

/// A condition of the gate that does not hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Owed {
    /// Which.
    pub condition: String,
    /// What was seen.
    pub seen: String,
    /// What mends it.
    pub remedy: String,
    /// Who can.
    pub by: GateOwner,
}

/// A finding as it is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its identity.
    pub key: Key,
    /// How bad it is.
    pub severity: Severity,
    /// How far it has come.
    pub status: Status,
    /// Whether people have settled it.
    pub is_settled: bool,
    /// The defect.
    pub title: String,
    /// The consequence.
    pub why: Option<String>,
    /// The remedy, in words.
    pub fix: Option<String>,
    /// The domain of the reviewer.
    pub domain: String,
    /// The rule that it breaks.
    pub rule: Option<String>,
    /// Its file; `None` for the whole repository.
    pub path: Option<String>,
    /// Its lines.
    pub lines: Option<(u32, u32)>,
    /// Where a comment can hang.
    pub anchor: Anchor,
    /// A rewrite of its lines.
    pub suggestion: Option<Suggestion>,
}

/// A rewrite of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// The lines that it replaces.
    pub lines: (u32, u32),
    /// The lines in their place.
    pub text: String,
}

/// The threads, counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) open: usize,
    pub(super) verified: usize,
    pub(super) resolved_by_people: usize,
    pub(super) absent: usize,
}

impl Publication {
    pub(super) fn is_clear(&self) -> bool {
        self.outcome == Outcome::Clear
    }
}

impl Finding {
    pub(super) fn is_verified(&self) -> bool {
        self.status == Status::Verified
    }

    pub(super) fn is_reopened(&self) -> bool {
        self.status == Status::Reopened
    }

    pub(super) fn is_open(&self) -> bool {
        self.status.stands() && !self.is_settled
    }

    /// Returns the lines that a comment about it hangs on.
    pub(super) fn anchor_lines(&self) -> Option<(u32, u32)> {
        match &self.anchor {
            Anchor::Lines { start, end, .. } => Some((start.new, end.new)),
            Anchor::File { .. } | Anchor::Nowhere => None,
        }
    }

    fn place(&self) -> String {
        let path = self.path.as_deref().unwrap_or("the whole change");
        match self.lines {
            Some((first, last)) if first == last => format!("{path}:{first}"),
            Some((first, last)) => format!("{path}:{first}-{last}"),
            None => path.to_owned(),
        }
    }

    fn standing(&self) -> &'static str {
        match self.status {
            _ if self.is_settled => "decided by a person",
            Status::Open => "open",
            Status::Fixed => "marked fixed, not verified",
            Status::Verified => "verified",
            Status::Reopened => "reopened",
            Status::WontFix => "declined by the author, a person decides",
        }
    }
}

/// Returns the most bytes of a comment.
pub fn longest() -> usize {
    MOST
}

/// Cuts a text at a character, and says so.
fn cut(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let end = (0..=most).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    format!("{}… (cut; `jury show` has all of it)", &text[..end])
}

fn prose(text: &str) -> String {
    // Each line is a paragraph of its own, so that no line goes on with the structure of another.
    inert(&cut(text.trim(), MOST_PART))
        .split('\n')
        .filter(|line| !line.trim().is_empty())
        .collect::<Vec<_>>()
        .join("\n\n")
}

pub(super) fn in_line(text: &str) -> String {
    inert(&cut(&text.replace(['\r', '\n'], " "), 400))
}

/// Writes code between fences that it cannot end. A line that could be a command begins with something unseen.
fn fenced(word: &str, text: &str) -> String {
    let text = jury_rules::redact(text);
    let text = text.replace('\r', "");
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    let line = |line: &str| {
        let line: String = line
            .chars()
            .map(|c| if crate::syntax::acts(c) && c != '\t' { char::REPLACEMENT_CHARACTER } else { c })
            .collect();
        if is_command(&line) { format!("{UNSEEN}{line}") } else { line }
    };
    let lines: Vec<String> = text.trim_end_matches('\n').split('\n').take(MOST_LINES).map(line).collect();
    format!("{fence}{word}\n{}\n{fence}", cut(&lines.join("\n"), 4 * MOST_PART))
}

/// Tells whether a forge could take a line for a quick action.
fn is_command(line: &str) -> bool {
    line.trim_start().strip_prefix('/').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
}

/// Returns a rewrite as a suggestion for exactly the lines that are commented; `None` if it is one for other lines, or its text would have
/// to be changed to be safe.
fn suggested(finding: &Finding, abilities: &Abilities) -> Option<String> {
    let suggestion = finding.suggestion.as_ref()?;
    let lines = finding.anchor_lines()?;
    let is_safe = suggestion.text.len() <= 4 * MOST_PART
        && suggestion.text.lines().count() <= MOST_LINES
        && !suggestion.text.lines().any(is_command)
        && !suggestion.text.chars().any(|c| crate::syntax::acts(c) && !matches!(c, '\t' | '\n'))
        && jury_rules::redact(&suggestion.text) == suggestion.text;
    if !is_safe || suggestion.lines != lines || Some(lines) != finding.lines {
        return None;
    }
    let is_one = lines.0 == lines.1;
    match abilities.suggestion {
        SuggestionForm::Range if is_one || abilities.has_ranges => Some(fenced("suggestion", &suggestion.text)),
        SuggestionForm::Counted => Some(fenced(&format!("suggestion:-{}+0", lines.1 - lines.0), &suggestion.text)),
        SuggestionForm::Range | SuggestionForm::None => Some(format!("Suggested:\n\n{}", fenced("", &suggestion.text))),
    }
}

/// Writes the first comment of a thread.
pub(super) fn thread(finding: &Finding, abilities: &Abilities, is_on_lines: bool) -> String {
    let mut text = format!("{}\n**{}**: {}\n", finding.key.line(), finding.severity.word(), in_line(&finding.title));
    if let Some(why) = finding.why.as_deref().filter(|why| !why.trim().is_empty()) {
        let _ = write!(text, "\n{}\n", prose(why));
    }
    let suggestion = suggested(finding, abilities).filter(|_| is_on_lines);
    match (&suggestion, finding.fix.as_deref().filter(|fix| !fix.trim().is_empty())) {
        (Some(suggestion), _) => {
            let _ = write!(text, "\n{suggestion}\n");
        }
        (None, Some(fix)) => {
            let _ = write!(text, "\n**Fix:** {}\n", prose(fix));
        }
        (None, None) => {}
    }
    if !is_on_lines {
        let _ = write!(text, "\nPlace: {}\n", code(&finding.place()));
    }
    let rule = finding.rule.as_deref().map(|rule| format!("rule {}, ", code(rule))).unwrap_or_default();
    let _ = write!(
        text,
        "\n<sub>{rule}{} ({}), {}. Fixed: `jury mark ID fixed`; no defect: `jury contest ID`; accepted by a person: `jury accept ID`.</sub>\n",
        name(&finding.key.id),
        name(&finding.domain),
        finding.standing(),
    );
    text
}

/// Returns the title in the first comment of a thread, as it was written.
pub(super) fn title_in(body: &str) -> Option<&str> {
    body.lines().nth(1)?.split_once("**: ").map(|(_, title)| title.trim_end())
}

/// Says that a fix was verified.
pub(super) fn verified(finding: &Finding) -> String {
    format!("{}\n**Verified**: the fix of {} holds.\n", Kind::Verified.line(&finding.key), name(&finding.key.id))
}

/// Says that a finding is back.
pub(super) fn reopened(finding: &Finding) -> String {
    let place = code(&finding.place());
    format!("{}\n**Reopened**: the defect is still there, at {place}.\n", Kind::Reopened.line(&finding.key))
}

/// Says where a finding is now.
pub(super) fn moved(finding: &Finding) -> String {
    format!("{}\nThis finding stands. It is now at {}.\n", Kind::Moved.line(&finding.key), code(&finding.place()))
}

/// Returns the outcome in a line.
pub(super) fn title(wanted: &Publication) -> String {
    let standing = wanted.findings.iter().filter(|it| it.is_open());
    let count = |severity: Severity| standing.clone().filter(|it| it.severity == severity).count();
    let counts = [Severity::Blocker, Severity::High, Severity::Medium].map(|it| (it.word(), count(it)));
    let counts: Vec<String> =
        counts.iter().filter(|(_, count)| *count > 0).map(|(word, count)| format!("{count} {word}")).collect();
    let counts = if counts.is_empty() { String::new() } else { format!(", {}", counts.join(", ")) };
    let words = match wanted.outcome {
        Outcome::Clear => "gate open",
        Outcome::Blocked => "gate closed: findings block",
        Outcome::Aborted => "gate closed: an ABORT stands",
        Outcome::Incomplete => "gate closed: the review is incomplete",
        Outcome::Waiting => "gate closed: waiting for a person",
    };
    let title = format!("{words} ({}{counts})", wanted.verdict);
    title.chars().take(MOST_TITLE).collect()
}

/// Writes the summary. What does not fit is counted; what blocks comes first.
pub(super) fn summary(wanted: &Publication, mark: &Summary, tally: &Tally) -> String {
    let short = |id: &str| id.chars().take(12).collect::<String>();
    let mut text = format!("{}\n### Jury: {}\n\n", mark.line(), title(wanted));
    let _ = writeln!(
        text,
        "Review <code>{}</code> of commit <code>{}</code> (tree <code>{}</code>).",
        inert(&wanted.review_id),
        short(&wanted.head),
        short(&wanted.tree)
    );
    if !wanted.owed.is_empty() {
        text.push_str("\n**To do**\n\n| who | what | how |\n|---|---|---|\n");
        for owed in &wanted.owed {
            let who = match owed.by {
                GateOwner::Agent => "author",
                GateOwner::Person => "**a person who may decide**",
            };
            let what = format!("{}: {}", owed.condition, owed.seen);
            let _ = writeln!(text, "| {who} | {} | {} |", in_line(&what), in_line(&owed.remedy));
        }
        if wanted.owed.iter().any(|owed| owed.by == GateOwner::Person) && wanted.outcome != Outcome::Aborted {
            let _ = write!(
                text,
                "\nA person whom the policy of the base names decides by approving this commit, or by a comment: `/jury accept ID@{} REASON`\n",
                short(&wanted.tree)
            );
        }
    }
    section(&mut text, "Not looked at", &wanted.unseen);
    section(&mut text, "Decided", &wanted.decided);
    let new: Vec<String> = wanted.new.iter().map(|(severity, what)| format!("{}: {what}", severity.word())).collect();
    section(&mut text, "New with the fixes", &new);
    findings(&mut text, wanted, mark);
    let counts = [
        (tally.open, "open"),
        (tally.verified, "verified and resolved"),
        (tally.resolved_by_people, "resolved by a person while the finding stands"),
        (tally.absent, "about findings that this review does not have"),
    ];
    let counts: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    let mut foot = Vec::new();
    foot.extend((!counts.is_empty()).then(|| format!("Threads: {}.", counts.join(", "))));
    foot.extend(wanted.cost.as_ref().map(|cost| format!("Cost: {}.", in_line(cost))));
    foot.extend(wanted.report.as_ref().map(|path| format!("Report: {}.", code(path))));
    foot.extend(wanted.attestation.as_ref().map(|name| format!("Signed verdict: {}.", code(name))));
    foot.extend(wanted.run_link.as_ref().filter(|link| is_link(link)).map(|link| format!("[Run]({link})")));
    if !foot.is_empty() {
        let _ = write!(text, "\n<sub>{}</sub>\n", foot.join(" "));
    }
    text
}

/// Tells whether an address is safe to link: CI made it, but its parts may be names that people chose.
fn is_link(link: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~:/?#=%+&".contains(&byte);
    (link.starts_with("https://") || link.starts_with("http://")) && link.bytes().all(is_plain)
}

/// Writes a list, the rest counted.
fn section(text: &mut String, heading: &str, items: &[String]) {
    const MOST_ITEMS: usize = 20;
    if items.is_empty() {
        return;
    }
    let _ = write!(text, "\n**{heading}**\n\n");
    items.iter().take(MOST_ITEMS).for_each(|item| {
        let _ = writeln!(text, "- {}", in_line(item));
    });
    if items.len() > MOST_ITEMS {
        let _ = writeln!(text, "- … and {} more", items.len() - MOST_ITEMS);
    }
}

/// Room for what comes after the table.
const RESERVE: usize = 3_000;

fn findings(text: &mut String, wanted: &Publication, mark: &Summary) {
    if wanted.findings.is_empty() {
        return;
    }
    text.push_str("\n**Findings**\n\n| severity | finding | place | status |\n|---|---|---|---|\n");
    let mut left: Vec<&Finding> = wanted.findings.iter().collect();
    // What stands comes before what is done, and what blocks before what does not.
    left.sort_by(|one, other| {
        let done = |it: &Finding| !it.is_open() && it.status != Status::Fixed;
        done(one).cmp(&done(other)).then(one.severity.worst_first(other.severity))
    });
    for (number, finding) in left.iter().enumerate() {
        let is_unplaced = mark.unplaced.contains(&finding.key.fingerprint);
        let note = if is_unplaced { "; the forge has no place for a comment" } else { "" };
        let row = format!(
            "| {} | {} <sub>{}</sub> | {} | {}{note} |\n",
            finding.severity.word(),
            in_line(&finding.title),
            name(&finding.key.id),
            code(&cut(&finding.place(), 200)),
            finding.standing()
        );
        if text.len() + row.len() + RESERVE > MOST {
            let rest = left.len() - number;
            let blocking =
                left[number..].iter().filter(|it| it.is_open() && it.severity.is_at_least(Severity::High)).count();
            let _ =
                write!(text, "\n… and {rest} more ({blocking} of them Blocker or High): `jury status` lists all.\n");
            return;
        }
        text.push_str(&row);
    }
}
