//! Laws that hold for every format: what is written reads back, conversion loses only what it lists, and no reader
//! panics on anything.

use jury::formats::{self, Conversion, ConvertError, FORMATS, Format};
use jury::model::{Attendance, Claim, Report, Severity, Side, Stated, Tally, differences};
use jury::syntax::Limits;
use jury_wire::Reason;
use proptest::prelude::*;

use crate::arbitrary;
use crate::fixtures::{check_reads_back, folder_of};

fn writable() -> Vec<&'static Format> {
    FORMATS.iter().copied().filter(|format| format.is_writable()).collect()
}

fn any_writable() -> impl Strategy<Value = &'static Format> {
    proptest::sample::select(writable())
}

/// Reads what must conform.
fn read(format: &Format, text: &str) -> Report {
    let reading = format.read(text.as_bytes(), &Limits::default());
    assert!(reading.is_conforming(), "{} writes what it does not take: {:?}\n{text}", format.id, reading.deviations);
    assert!(reading.rejected.is_empty(), "{} rejects its own: {text}", format.id);
    reading.report.expect("a conforming document has a report")
}

/// Says a report as well as a format can, and returns what the format then says. A format of lines has none for "nothing
/// found": it writes nothing then, and there is nothing to hold it to.
fn sayable(format: &Format, report: &Report) -> Option<Report> {
    let text = format.write(report).expect("the format is writable").text;
    (!text.is_empty()).then(|| read(format, &text))
}

/// Converts a report; `None` if that gives an empty document, which is withheld because it is never "nothing found".
fn convert(report: &Report, format: &Format) -> Option<Conversion> {
    match formats::convert(report, format) {
        Ok(conversion) => Some(conversion),
        Err(ConvertError::Unsayable { reason: Reason::EmptyDocument, .. }) => None,
        Err(error) => panic!("{error}\n{report:#?}"),
    }
}

/// Returns the fields that a claim states and another does not state so. Written apart from `model::differences`, which
/// this is to check.
fn lost_fields(before: &Claim, now: &Claim) -> Vec<&'static str> {
    let place = |claim: &Claim| claim.location.clone();
    let mut lost = Vec::new();
    let mut check = |name, was: String, is: String| {
        if was != is && !["None", "[]", "false"].contains(&was.as_str()) {
            lost.push(name);
        }
    };
    macro_rules! check_fields {
        ($($field:ident = $name:literal,)+) => {
            $(check($name, format!("{:?}", before.$field), format!("{:?}", now.$field));)+
        };
    }
    check_fields! {
        reviewer = "reviewer",
        title = "title",
        severity = "severity",
        confidence = "confidence",
        category = "category",
        rule = "rule",
        cwe = "cwe",
        related = "related",
        why = "why",
        evidence = "evidence",
        fix = "fix",
        autofix = "autofix_class",
        owner = "owner",
        requires_verification = "requires_verification",
        pre_existing = "pre_existing",
        status = "status",
        system_breaking = "system_breaking",
    }
    check("file", format!("{:?}", place(before).map(|p| p.file)), format!("{:?}", place(now).map(|p| p.file)));
    let lines = |claim| format!("{:?}", place(claim).and_then(|p| p.lines));
    check("lines", lines(before), lines(now));
    let column = |claim| format!("{:?}", place(claim).and_then(|p| p.column));
    check("column", column(before), column(now));
    // A place after the change is the usual one, so only the other side is something to lose.
    let side = |claim| format!("{:?}", place(claim).map(|p| p.side).filter(|side| *side == Side::Left));
    check("side", side(before), side(now));
    lost
}

/// Tells whether a report keeps the gate closed: by a finding that is not settled (one that is only called fixed is not,
/// DESIGN §8), by its verdict, or by a reviewer's absence.
fn is_closed(report: &Report) -> bool {
    let unsettled = Tally::of_claims(&report.claims, |claim| claim.status().is_unsettled());
    unsettled.any_at_least(Severity::High)
        || report.stated.is_some_and(Stated::closes_the_gate)
        || report.reviewers.iter().any(|reviewer| reviewer.attendance == Attendance::Missing)
}

fn any_fixture() -> impl Strategy<Value = Vec<u8>> {
    let inputs: Vec<Vec<u8>> = FORMATS
        .iter()
        .flat_map(|format| jury_testkit::cases(&folder_of(format)))
        .map(|case| case.input)
        .filter(|input| input.len() < 20_000)
        .collect();
    proptest::sample::select(inputs)
}

/// Formats in which any conforming document at all, however strange, reads back as it is.
const READ_BACK: &[&str] = &["code-review", "findings-json", "rdjson", "rdjsonl", "gitlab-code-quality", "checkstyle"];

fn read_as_everything(bytes: &[u8]) {
    let tight = Limits { bytes: 4096, line_bytes: 512, depth: 6, aliases: 2, claims: 3 };
    for limits in [Limits::default(), tight] {
        let (_, reading) = formats::read(bytes, &limits);
        assert!(reading.report.is_some() || !reading.deviations.is_empty(), "nothing understood and nothing said");
        for format in FORMATS {
            let reading = format.read(bytes, &limits);
            assert!(
                reading.report.is_some() || !reading.deviations.is_empty(),
                "{}: nothing understood or said",
                format.id
            );
            assert!(reading.understood() <= limits.claims);
            if reading.is_conforming() && limits == Limits::default() && READ_BACK.contains(&format.id) {
                check_reads_back(format, &reading, &String::from_utf8_lossy(bytes));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_conforms_and_reads_back(report in arbitrary::report(), format in any_writable()) {
        let Some(said) = sayable(format, &report) else { return Ok(()) };
        let again = format.write(&said).expect("the format is writable");
        prop_assert_eq!(&read(format, &again.text), &said, "{} does not read back what it says", format.id);
        let identity: Vec<usize> = (0..said.claims.len()).collect();
        prop_assert_eq!(again.kept, identity, "{} reorders or drops what it can say", format.id);
    }

    #[test]
    fn writing_is_canonical(report in arbitrary::report(), format in any_writable()) {
        let Some(said) = sayable(format, &report) else { return Ok(()) };
        let once = format.write(&report).expect("the format is writable").text;
        let twice = format.write(&said).expect("the format is writable").text;
        prop_assert_eq!(once, twice, "{} writes the same value in two ways", format.id);
    }

    #[test]
    fn there_and_back_loses_only_what_was_listed(
        report in arbitrary::report(),
        home in any_writable(),
        abroad in any_writable(),
    ) {
        let Some(report) = sayable(home, &report) else { return Ok(()) };
        let Some(out) = convert(&report, abroad) else { return Ok(()) };
        let there = read(abroad, &out.text);
        let Some(back) = convert(&there, home) else { return Ok(()) };
        let kept: Vec<usize> =
            back.kept.iter().map(|index| out.kept.get(*index).copied().unwrap_or(usize::MAX)).collect();
        let listed = |claim: Option<usize>, field: &str| {
            let out_listed = out.losses.iter().any(|loss| loss.claim_index == claim && loss.field == field);
            // On the way back, claims are counted as they stand abroad.
            let abroad_index = claim.and_then(|claim| out.kept.iter().position(|kept| *kept == claim));
            let is_abroad = claim.is_none() || abroad_index.is_some();
            let back_listed =
                is_abroad && back.losses.iter().any(|loss| loss.claim_index == abroad_index && loss.field == field);
            let gone = out.losses.iter().chain(back.losses.iter()).any(|loss| {
                loss.field == "finding" && (loss.claim_index == claim || loss.claim_index == abroad_index)
            });
            out_listed || back_listed || (claim.is_some() && gone)
        };
        let home_again = read(home, &back.text);
        for (claim, index) in home_again.claims.iter().zip(&kept) {
            let Some(original) = report.claims.get(*index) else { continue };
            for field in lost_fields(original, claim) {
                prop_assert!(listed(Some(*index), field), "{field} of claim {index} is lost in silence");
            }
        }
        for difference in differences(&report, &home_again, &kept) {
            prop_assert!(
                !difference.is_loss() || listed(difference.claim_index, &difference.field),
                "{} → {} → {} loses {difference:?} in silence\nout: {:#?}\nback: {:#?}",
                home.id, abroad.id, home.id, out.losses, back.losses,
            );
        }
    }

    #[test]
    fn a_closed_gate_never_opens_by_conversion(report in arbitrary::report(), from in any_writable(), to in any_writable()) {
        let Some(report) = sayable(from, &report) else { return Ok(()) };
        if is_closed(&report) {
            // What is withheld opens nothing.
            let Some(conversion) = convert(&report, to) else { return Ok(()) };
            prop_assert!(is_closed(&read(to, &conversion.text)), "{} → {} opens the gate", from.id, to.id);
        }
    }

    #[test]
    fn no_reader_panics_on_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        read_as_everything(&bytes);
    }

    #[test]
    fn no_reader_panics_on_arbitrary_text(text in arbitrary::text(), more in arbitrary::text()) {
        read_as_everything(format!("{text}\n{more}").as_bytes());
    }

    #[test]
    fn no_reader_panics_on_damaged_documents(
        mut bytes in any_fixture(),
        edits in proptest::collection::vec((any::<prop::sample::Index>(), 0_u8..4, any::<u8>()), 1..4),
    ) {
        for (at, kind, byte) in edits {
            let at = at.index(bytes.len().max(1));
            match kind {
                0 if at < bytes.len() => bytes[at] = byte,
                1 => bytes.truncate(at),
                2 => bytes.insert(at.min(bytes.len()), byte),
                _ if at < bytes.len() => { bytes.remove(at); }
                _ => {}
            }
        }
        read_as_everything(&bytes);
    }
}
