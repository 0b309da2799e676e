//! A report as people read it in the pull request: a remedy in words is part of the reason, so that a suggested fix holds code only;
//! the notes list every finding with its id, rule, status and place, and the verification.
//!
//! In: a report whose claims are the findings of a verdict file, their ids, and the last verification. Out: the same report, for the
//! Markdown of 002. What came with the fixes, and what the verification did not see, is stated as a finding: a report without
//! any would say APPROVED. Deliberately not here: Markdown.

use std::fmt::Write as _;

use crate::model::{Claim, Report, Severity, Status, Title};
use crate::record::{Recheck, Verification};

/// The headings of the lists in the notes.
const FINDINGS: &str = "#### Findings";
const VERIFICATION: &str = "#### Verification";
/// So many plain words in a row make a sentence.
const WORDS: usize = 3;

/// Returns a report for people.
pub fn for_people(report: &Report, ids: &[String], verification: Option<&Verification>) -> Report {
    let mut people = report.clone();
    let mut lines = Vec::new();
    let mut number = 0;
    for (index, claim) in people.claims.iter_mut().enumerate() {
        let status = claim.status();
        // A High that the author declined still needs a person.
        if status == Status::WontFix && claim.severity.is_at_least(Severity::High) {
            claim.status = Some(Status::Open);
        }
        number += usize::from(claim.status().is_unsettled());
        let name = if claim.status().is_unsettled() { format!("F{number:03}") } else { "–".to_owned() };
        lines.extend(ids.get(index).map(|id| listed(&name, id, claim, status)));
        with_remedy(claim);
    }
    people.claims.extend(verification.into_iter().flat_map(unseen).map(Box::new));
    // No text that was noted passes for one of the headings.
    let mut notes = people.facts.notes.take().unwrap_or_default().replace("\n####", "\n ####");
    if let Some(verification) = verification {
        let _ = write!(notes, "\n\n{VERIFICATION}\n\n{}", verified(verification));
    }
    if !lines.is_empty() {
        let _ = write!(notes, "\n\n{FINDINGS}\n\n{}", lines.join("\n"));
    }
    people.facts.notes = Some(notes.trim_start_matches('\n').to_owned()).filter(|notes| !notes.is_empty());
    people
}

/// One finding of the verdict file, in one line.
fn listed(name: &str, id: &str, claim: &Claim, status: Status) -> String {
    let rule = claim.rule.as_deref().map(|rule| format!(", rule {}", quoted(rule))).unwrap_or_default();
    let place = claim.location.as_ref().map(|location| {
        let lines = location.lines.map(|lines| format!(":{lines}")).unwrap_or_default();
        format!(", {}", quoted(&format!("{}{lines}", location.file)))
    });
    format!("{name}: {}{rule}, {}{}", quoted(id), words(status), place.unwrap_or_default())
}

fn quoted(text: &str) -> String {
    if text.contains(['`', '\n']) { text.replace('\n', " ") } else { format!("`{text}`") }
}

const fn words(status: Status) -> &'static str {
    match status {
        Status::Open => "open",
        Status::Fixed => "marked fixed (unverified)",
        Status::Verified => "verified",
        Status::Reopened => "reopened",
        Status::WontFix => "declined by the author",
    }
}

/// Moves a remedy in words into the reason.
fn with_remedy(claim: &mut Claim) {
    let Some(fix) = claim.fix.take_if(|fix| is_in_words(fix)) else { return };
    claim.why = Some(match claim.why.take() {
        Some(why) => format!("{}\n\nRemedy: {}", why.trim_end(), fix.trim()),
        None => format!("Remedy: {}", fix.trim()),
    });
}

/// Tells whether a remedy is a sentence: it begins like one, and some plain words follow each other. Code seldom has either, and never
/// both.
fn is_in_words(fix: &str) -> bool {
    let is_word = |word: &&str| {
        let word = word.trim_end_matches([',', '.', ';', ':', '!', '?']);
        !word.is_empty() && word.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '’' | '\''))
    };
    let begins = fix.trim_start().starts_with(char::is_uppercase);
    let words: Vec<&str> = fix.split_whitespace().collect();
    begins && words.windows(WORDS).any(|some| some.iter().all(is_word))
}

/// Returns what the verification found or did not see beside the findings of the review.
fn unseen(verification: &Verification) -> impl Iterator<Item = Claim> {
    let gap = |what: String, remedy: &str| {
        let title = Title::new(&what).ok()?;
        Some(Claim { fix: Some(remedy.to_owned()), ..Claim::new(title, Severity::High) })
    };
    let new = verification.new.iter().filter_map(|new| {
        let place = new.place.as_ref().map(|place| format!(" ({place})")).unwrap_or_default();
        let title = Title::new(&format!("New since the review: {}{place}", new.title)).ok()?;
        Some(Claim { reviewer: Some(new.domain.clone()), ..Claim::new(title, new.severity) })
    });
    let again = "Run `jury review`.";
    let gaps = verification.gaps.iter().filter_map(move |what| gap(format!("Review incomplete: {what}"), again));
    let beyond = verification.beyond.iter();
    let beyond =
        beyond.filter_map(move |path| gap(format!("Review incomplete: {path} changed beyond the fixes"), again));
    new.chain(gaps).chain(beyond).collect::<Vec<_>>().into_iter()
}

/// Says how each claimed fix ended.
fn verified(verification: &Verification) -> String {
    let line = |checked: &Recheck| {
        let why = checked.became.why().map(|why| format!(": {}", why.replace('\n', " "))).unwrap_or_default();
        format!("{}: {}{why}", quoted(&checked.id), words(checked.status()))
    };
    let lines: Vec<String> = verification.checked.iter().map(line).collect();
    if lines.is_empty() { "Nothing was marked fixed.".to_owned() } else { lines.join("\n") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report;

    #[test]
    fn a_remedy_in_words_is_part_of_the_reason_and_code_is_not() {
        for (fix, expected) in [
            ("Run the program without a shell: `execFile`.", true),
            ("Wrap the handler in try-catch, log, and return 500", true),
            ("execFile(\"ls\", [folder])", false),
            ("export default async function list() {}", false),
            ("try {\n  await it();\n} catch (error) {\n  throw error;\n}", false),
            ("Type::new(value)?;", false),
        ] {
            assert_eq!(is_in_words(fix), expected, "{fix}");
        }
        let mut some = report();
        some.claims[0].fix = Some("Mend what is wrong here.".to_owned());
        some.claims[2].fix = Some("mend();".to_owned());
        let people = for_people(&some, &[], None);
        assert_eq!(people.claims[0].why.as_deref(), Some("It hurts.\n\nRemedy: Mend what is wrong here."));
        assert_eq!((&people.claims[0].fix, people.claims[2].fix.as_deref()), (&None, Some("mend();")));
    }

    #[test]
    fn every_finding_is_listed_with_its_status() {
        let mut some = report();
        some.claims[0].rule = Some("js-wrong".to_owned());
        some.claims[2].status = Some(Status::WontFix);
        let ids: Vec<String> = (0..6).map(|nth| format!("id-{nth}")).collect();
        let notes = for_people(&some, &ids, None).facts.notes.unwrap();
        assert!(
            notes.starts_with(
                "#### Findings\n\nF001: `id-0`, rule `js-wrong`, open, `src/a.ts:4-6`\nF002: `id-1`, open\n"
            )
        );
        assert!(
            notes.contains("–: `id-2`, declined by the author") && notes.ends_with("–: `id-5`, verified, `e.ts`"),
            "{notes}"
        );
    }

    #[test]
    fn a_declined_high_and_what_came_with_the_fixes_are_stated() {
        let mut some = report();
        some.claims.truncate(1);
        some.claims[0].status = Some(Status::WontFix);
        assert_eq!(for_people(&some, &[], None).claims[0].status(), Status::Open);
        some.claims[0].status = Some(Status::Verified);
        let mut verification = Verification {
            of: crate::record::RecordId::of(b""),
            statuses: Vec::new(),
            changed: Default::default(),
            untested: Default::default(),
            checked: Vec::new(),
            new: Vec::new(),
            beyond: Vec::new(),
            gaps: Vec::new(),
        };
        let unsettled = |verification: &Verification| {
            for_people(&some, &[], Some(verification)).claims().filter(|claim| claim.status().is_unsettled()).count()
        };
        assert_eq!(unsettled(&verification), 0);
        verification.beyond.push("a.ts".to_owned());
        verification.gaps.push("security did not report".to_owned());
        assert_eq!(unsettled(&verification), 2);
    }
}
