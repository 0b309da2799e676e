//! Laws that hold for every format: what is written reads back, conversion loses only what it lists, and no reader
//! panics on anything.

use jury::formats::{self, Conversion, FORMATS, Format};
use jury::model::{Report, differences};
use jury::syntax::Limits;
use proptest::prelude::*;

use crate::arbitrary;
use crate::fixtures::folder_of;

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

/// Says a report as well as a format can, and returns what the format then says.
fn sayable(format: &Format, report: &Report) -> Report {
    read(format, &format.write(report).expect("the format is writable").text)
}

fn convert(report: &Report, format: &Format) -> Conversion {
    formats::convert(report, format).unwrap_or_else(|error| panic!("{error}\n{report:#?}"))
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
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_conforms_and_reads_back(report in arbitrary::report(), format in any_writable()) {
        let said = sayable(format, &report);
        let again = format.write(&said).expect("the format is writable");
        prop_assert_eq!(&read(format, &again.text), &said, "{} does not read back what it says", format.id);
        let identity: Vec<usize> = (0..said.claims.len()).collect();
        prop_assert_eq!(again.kept, identity, "{} reorders or drops what it can say", format.id);
    }

    #[test]
    fn writing_is_canonical(report in arbitrary::report(), format in any_writable()) {
        let once = format.write(&report).expect("the format is writable").text;
        let twice = format.write(&read(format, &once)).expect("the format is writable").text;
        prop_assert_eq!(once, twice, "{} writes the same value in two ways", format.id);
    }

    #[test]
    fn there_and_back_loses_only_what_was_listed(
        report in arbitrary::report(),
        home in any_writable(),
        abroad in any_writable(),
    ) {
        let report = sayable(home, &report);
        let out = convert(&report, abroad);
        let kept_out = &out.kept;
        let there = read(abroad, &out.text);
        let back = convert(&there, home);
        let kept: Vec<usize> =
            back.kept.iter().map(|index| kept_out.get(*index).copied().unwrap_or(usize::MAX)).collect();
        let listed = |claim: Option<usize>, field: &str| {
            let out_listed = out.losses.iter().any(|loss| loss.claim_index == claim && loss.field == field);
            // On the way back, claims are counted as they stand abroad.
            let abroad_index = claim.and_then(|claim| kept_out.iter().position(|kept| *kept == claim));
            let is_abroad = claim.is_none() || abroad_index.is_some();
            let back_listed =
                is_abroad && back.losses.iter().any(|loss| loss.claim_index == abroad_index && loss.field == field);
            let gone = out.losses.iter().chain(back.losses.iter()).any(|loss| {
                loss.field == "finding" && (loss.claim_index == claim || loss.claim_index == abroad_index)
            });
            out_listed || back_listed || (claim.is_some() && gone)
        };
        for difference in differences(&report, &read(home, &back.text), &kept) {
            prop_assert!(
                !difference.is_loss() || listed(difference.claim_index, &difference.field),
                "{} → {} → {} loses {difference:?} in silence\nout: {:#?}\nback: {:#?}",
                home.id, abroad.id, home.id, out.losses, back.losses,
            );
        }
    }

    #[test]
    fn a_closed_gate_never_opens_by_conversion(report in arbitrary::report(), from in any_writable(), to in any_writable()) {
        use jury::model::{GateVerdict, Severity, Stated, Tally};
        let report = sayable(from, &report);
        let standing = Tally::of_claims(&report.claims, |claim| claim.status().stands());
        let closed = standing.gate() == GateVerdict::Fail || report.stated == Some(Stated::Gate(GateVerdict::Fail));
        prop_assume!(closed);
        let there = read(to, &convert(&report, to).text);
        let still = Tally::of_claims(&there.claims, |claim| claim.status().stands());
        let says_fail = there.stated == Some(Stated::Gate(GateVerdict::Fail));
        prop_assert!(still.any_at_least(Severity::High) || says_fail, "{} → {} opens the gate", from.id, to.id);
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
