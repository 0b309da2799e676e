//! JUnit XML, for the test reports of GitLab, Jenkins and others: a test case for each finding, and one for each reviewer without any.
//!
//! In: a report. Out: XML with the elements and attributes that all readers of it know. A finding of Medium or worse is a failure, a gap is
//! an error; nothing is ever `skipped`, for that counts as passed almost everywhere. Deliberately not here: times, which a report does not have.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::model::{Attendance, Claim, Domain, Report, Severity};
use crate::syntax::acts;

/// How a test case ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Passed,
    Failed,
    Broken,
}

/// Writes the open findings of a report; `gaps` are the claims, by index, that state a gap; the name is that of the reviewed scope.
pub fn junit(report: &Report, name: &str, gaps: &BTreeSet<usize>) -> String {
    let standing = report.claims().enumerate();
    let standing = standing.filter(|(_, it)| it.severity != Severity::Praise && it.status().is_unsettled());
    let cases: Vec<(End, &Claim)> =
        standing.map(|(index, claim)| (end_of(claim, gaps.contains(&index)), claim)).collect();
    let mut quiet: BTreeSet<&str> = quiet(report).into_iter().map(Domain::as_str).collect();
    // A suite without a case is one that did not run.
    let is_clear = report.stated.is_some_and(|stated| !stated.closes_the_gate());
    if cases.is_empty() && quiet.is_empty() && is_clear {
        quiet.insert("jury");
    }
    let number = |end: End| cases.iter().filter(|(of, _)| *of == end).count();
    let (failures, errors) = (number(End::Failed), number(End::Broken));
    let counts = format!("tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\"", cases.len() + quiet.len());
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"jury\" {counts}>\n  <testsuite name=\"{}\" {counts} skipped=\"0\">\n",
        escaped(name)
    );
    for domain in quiet {
        let _ = writeln!(text, "    <testcase classname=\"{}\" name=\"nothing found\"/>", escaped(domain));
    }
    for (index, (end, claim)) in cases.iter().enumerate() {
        text.push_str(&case(index + 1, *end, claim));
    }
    text.push_str("  </testsuite>\n</testsuites>\n");
    text
}

/// Returns the reviewers that spoke and found nothing.
fn quiet(report: &Report) -> BTreeSet<&Domain> {
    let spoke = report.reviewers.iter().filter(|reviewer| matches!(reviewer.attendance, Attendance::Spoke { .. }));
    let is_quiet = |name: &&Domain| !report.claims.iter().any(|claim| claim.reviewer.as_ref() == Some(*name));
    spoke.map(|reviewer| &reviewer.name).filter(is_quiet).collect()
}

fn end_of(claim: &Claim, is_gap: bool) -> End {
    if is_gap {
        End::Broken
    } else if claim.severity.is_at_least(Severity::Medium) {
        End::Failed
    } else {
        End::Passed
    }
}

/// Two cases of the same name would be one for some readers, so every name is numbered. The place is in the name: an attribute `file`, which GitLab
/// reads, is refused by readers that validate against the schema of Jenkins.
fn case(number: usize, end: End, claim: &Claim) -> String {
    let reviewer = claim.reviewer.as_ref().map_or("review", Domain::as_str);
    let place = claim.location.as_ref().map(|location| format!(" ({location})")).unwrap_or_default();
    let name = format!("{number}. {}{place}", claim.title);
    let fix = claim.fix.as_ref().map(|fix| format!("→ {fix}"));
    let rule = claim.rule.as_deref().map(super::github::about_rule);
    let body: Vec<&str> = claim.why.iter().chain(&fix).chain(&rule).map(String::as_str).collect();
    let inner = match end {
        End::Passed => format!("<system-out>{}: {}</system-out>", claim.severity, escaped(&body.join("\n"))),
        End::Failed | End::Broken => {
            let element = if end == End::Failed { "failure" } else { "error" };
            let message = escaped(claim.title.as_str());
            format!(
                "<{element} message=\"{message}\" type=\"{}\">{}</{element}>",
                claim.severity,
                escaped(&body.join("\n"))
            )
        }
    };
    format!(
        "    <testcase classname=\"{}\" name=\"{}\">\n      {inner}\n    </testcase>\n",
        escaped(reviewer),
        escaped(&name)
    )
}

/// Escapes a text for an element or an attribute. Characters that XML does not have, and active ones, are written out.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push_str("&#10;"),
            '\t' => out.push_str("&#9;"),
            letter if acts(letter) || matches!(letter, '\u{fffe}' | '\u{ffff}') => {
                out.push(char::REPLACEMENT_CHARACTER)
            }
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::Event;

    use super::*;
    use crate::model::{ReviewVerdict, Stated};
    use crate::report::tests::report;

    #[test]
    fn every_finding_is_a_case_and_nobody_is_skipped() {
        assert_eq!(
            junit(&report(), "main..HEAD", &BTreeSet::from([1])),
            r#"<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="jury" tests="5" failures="2" errors="1">
  <testsuite name="main..HEAD" tests="5" failures="2" errors="1" skipped="0">
    <testcase classname="testing" name="nothing found"/>
    <testcase classname="security" name="1. Wrong (src/a.ts:4-6)">
      <failure message="Wrong" type="Blocker">It hurts.&#10;→ Mend it.</failure>
    </testcase>
    <testcase classname="review" name="2. Review incomplete: qa">
      <error message="Review incomplete: qa" type="High"></error>
    </testcase>
    <testcase classname="review" name="3. 100% &lt;b&gt;&amp; (b,c:.ts:1)">
      <failure message="100% &lt;b&gt;&amp;" type="Medium"></failure>
    </testcase>
    <testcase classname="review" name="4. Small (d.ts)">
      <system-out>Low: </system-out>
    </testcase>
  </testsuite>
</testsuites>
"#
        );
    }

    #[test]
    fn a_clear_verdict_is_a_case_and_no_verdict_is_none() {
        let mut report = Report::default();
        assert!(junit(&report, "x", &BTreeSet::new()).contains("tests=\"0\""));
        report.stated = Some(Stated::Review(ReviewVerdict::Pass));
        assert!(
            junit(&report, "x", &BTreeSet::new()).contains("<testcase classname=\"jury\" name=\"nothing found\"/>")
        );
        report.stated = Some(Stated::Review(ReviewVerdict::Abort));
        assert!(junit(&report, "x", &BTreeSet::new()).contains("tests=\"0\""));
    }

    #[test]
    fn whatever_a_reviewer_wrote_it_is_xml_and_the_counts_are_true() {
        let mut report = report();
        report.claims[0].why = Some("]]></failure><testcase/>\u{0}\u{1b}[31m\u{ffff}\u{202e}&\"'".to_owned());
        let text = junit(&report, "a\"<&\u{7}", &BTreeSet::from([1]));
        assert!(!text.contains(['\u{0}', '\u{1b}', '\u{ffff}', '\u{202e}', '\u{7}']));
        let mut reader = Reader::from_str(&text);
        let mut found = std::collections::BTreeMap::new();
        loop {
            match reader.read_event().expect("it is XML") {
                Event::Eof => break,
                Event::Start(tag) | Event::Empty(tag) => {
                    assert!(tag.attributes().all(|attribute| attribute.is_ok()));
                    *found.entry(tag.name().as_ref().to_owned()).or_insert(0) += 1;
                }
                _ => {}
            }
        }
        assert_eq!((found["testcase"], found["failure"], found["error"], found.get("skipped")), (5, 2, 1, None));
    }
}
