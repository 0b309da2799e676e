//! How a check ended in; its findings out. Pure.
//!
//! A check that the change broke is a Blocker, for the agent: no mark, waiver or confidence settles it. One that fails on the base, too, is
//! High and a person's, so that a red base locks nobody out; a test that fails only with the change stays the agent's.

use crate::model::{
    AutofixClass, CheckOnBase, CheckResult, Claim, Confidence, Domain, FailedTest, Owner, Report, Severity, Title,
};

/// How many failing tests have a finding of their own.
const MOST_TESTS: usize = 50;

/// Returns the findings of a check.
pub(super) fn report(name: &Domain, result: &CheckResult) -> Report {
    let mut claims = Vec::new();
    if !result.has_passed() {
        claims.push(whole(name, result));
        let known: &[String] = match &result.on_base {
            Some(CheckOnBase::Fails(Some(names))) => names,
            // Nobody can say which tests the change broke.
            Some(CheckOnBase::Fails(None)) => return Report { claims, ..Report::default() },
            _ => &[],
        };
        let new: Vec<&FailedTest> = result.failed().iter().filter(|test| !known.contains(&test.name)).collect();
        claims.extend(new.iter().take(MOST_TESTS).map(|test| of_test(name, test)));
        if let Some(more) = new.len().checked_sub(MOST_TESTS).filter(|more| *more > 0) {
            let others = FailedTest { name: format!("{more} more"), message: "they are not listed here".to_owned() };
            claims.push(of_test(name, &others));
        }
    }
    Report { claims, ..Report::default() }
}

/// The finding of the check as a whole.
fn whole(name: &Domain, result: &CheckResult) -> Box<Claim> {
    let (severity, owner, title, fix) = match &result.on_base {
        Some(CheckOnBase::Fails(_)) => (
            Severity::High,
            Owner::Human,
            format!("The check {name} fails, on the base, too"),
            "Mend the base, or have a person decide.",
        ),
        _ => (
            Severity::Blocker,
            Owner::ReviewFixer,
            format!("The check {name} fails"),
            "Make it pass. If it fails by chance, run `jury review --fresh`.",
        ),
    };
    let base = match &result.on_base {
        Some(CheckOnBase::Passes) => "; on the base it passes".to_owned(),
        Some(CheckOnBase::Fails(_)) => "; on the base it fails, too".to_owned(),
        Some(CheckOnBase::Unknown(why)) => format!("; on the base it could not be run: {why}"),
        None => String::new(),
    };
    let code = result.exit_code;
    let last = result.tail.lines().rev().map(str::trim).find(|line| !line.is_empty());
    let last = last.map(|line| format!(": {line}")).unwrap_or_default();
    let why = format!("It ended with exit code {code}{base}{last}");
    let tail = Some(result.tail.clone()).filter(|tail| !tail.is_empty());
    claim((severity, owner), title, why, fix, tail)
}

/// The finding of one test.
fn of_test(name: &Domain, test: &FailedTest) -> Box<Claim> {
    let message = test.message.lines().map(str::trim).find(|line| !line.is_empty());
    let why = message.map_or_else(|| format!("The check {name} says no more."), str::to_owned);
    let title = format!("A test fails: {}", test.name);
    let evidence = Some(test.message.clone()).filter(|text| !text.is_empty());
    claim((Severity::High, Owner::ReviewFixer), title, why, "Make it pass.", evidence)
}

fn claim(
    (severity, owner): (Severity, Owner),
    title: String,
    why: String,
    fix: &str,
    evidence: Option<String>,
) -> Box<Claim> {
    Box::new(Claim {
        confidence: Some(Confidence::from_percent(100).expect("100 is a percent")),
        why: Some(why),
        fix: Some(fix.to_owned()),
        evidence: evidence.into_iter().collect(),
        autofix: Some(AutofixClass::Manual),
        owner: Some(owner),
        requires_verification: Some(true),
        pre_existing: Some(false),
        ..Claim::new(Title::new(&title).expect("it begins with words"), severity)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::TestRun;

    fn test(name: &str) -> FailedTest {
        FailedTest { name: name.to_owned(), message: "1 is not 2\nat a.ts".to_owned() }
    }

    fn stated(failed: &[&str], on_base: CheckOnBase) -> Vec<(Severity, bool, String)> {
        let tests = TestRun { run: 9, failed: failed.iter().map(|name| test(name)).collect() };
        let tail = "some\nlines\n".to_owned();
        let result = CheckResult { exit_code: 1, milliseconds: 1, tail, tests: Some(tests), on_base: Some(on_base) };
        let report = report(&Domain::new("tests").unwrap(), &result);
        let of = |claim: &Claim| (claim.severity, claim.owner == Some(Owner::Human), claim.title.to_string());
        assert!(report.claims().all(|claim| !claim.is_system_breaking() && claim.location.is_none()));
        report.claims().map(of).collect()
    }

    #[test]
    fn what_the_change_breaks_is_a_blocker_for_the_agent() {
        for on_base in [CheckOnBase::Passes, CheckOnBase::Unknown("it took too long".to_owned())] {
            let expected = [
                (Severity::Blocker, false, "The check tests fails".to_owned()),
                (Severity::High, false, "A test fails: a".to_owned()),
            ];
            assert_eq!(stated(&["a"], on_base), expected);
        }
    }

    #[test]
    fn what_fails_on_the_base_is_a_persons_and_what_fails_beside_it_is_not() {
        let whole = (Severity::High, true, "The check tests fails, on the base, too".to_owned());
        assert_eq!(stated(&["a"], CheckOnBase::Fails(None)), std::slice::from_ref(&whole));
        let new = (Severity::High, false, "A test fails: b".to_owned());
        assert_eq!(stated(&["a", "b"], CheckOnBase::Fails(Some(vec!["a".to_owned()]))), [whole, new]);
    }

    #[test]
    fn many_failures_are_listed_in_part_and_counted() {
        let names: Vec<String> = (0..60).map(|number| number.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let stated = stated(&names, CheckOnBase::Passes);
        assert_eq!((stated.len(), stated[51].2.as_str()), (52, "A test fails: 10 more"));
    }
}
