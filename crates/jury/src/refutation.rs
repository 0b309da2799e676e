//! Evidence against a contested finding. In: the finding, what is shown, the tree, the answer of a model. Out: the premise that the tree
//! refutes, and the stance of the answer.
//!
//! Joins `people` (the forms of premises), `synthesis` (quotes) and `intake` (answers); pure, so that the gate makes out the same each time.
//! Deliberately not here: what follows from it (`people::contest_result`).

use crate::intake;
use crate::model::{Claim, Confidence, CounterEvidence, Finding, Premise, Report, Stance};
use crate::people::premise;
use crate::record::ROOT;
use crate::syntax::Limits;
use crate::synthesis::{TreeContent, quotes_nothing, stands_at};

/// Returns the premise of a finding that the tree refutes, with the proof. Every claim of the finding has to rest on it.
pub fn refutation(finding: &Finding, evidence: &CounterEvidence, tree: &dyn TreeContent) -> Option<(Premise, String)> {
    let states = |wanted| finding.claims().all(|claim| premise(&claim.title.to_string(), evidence) == Some(wanted));
    match evidence {
        CounterEvidence::Quote { path, line, quote } => {
            let text = tree.file(path)?;
            if !stands_at(&text, *line, quote) {
                return None;
            }
            let is_of_finding = |claim: &Claim| {
                let location = claim.location.as_ref().filter(|location| location.file == *path);
                location
                    .and_then(|location| location.lines)
                    .is_some_and(|lines| lines.start() <= *line && *line <= lines.end())
            };
            if states(Premise::FileMissing) {
                return Some((Premise::FileMissing, format!("{path} is in the tree")));
            }
            let is_invented = finding.claims().all(|claim| is_of_finding(claim) && quotes_nothing(claim, tree));
            is_invented.then(|| (Premise::CodeQuoted, format!("{path} has nothing of what the finding quotes")))
        }
        CounterEvidence::Declared(name) if states(Premise::NameUndeclared) => {
            let location = finding.representative.location.as_ref()?;
            let is_of_one_file =
                finding.claims().all(|claim| claim.location.as_ref().is_some_and(|other| other.file == location.file));
            let text = String::from_utf8(tree.file(&location.file)?.into_owned()).ok().filter(|_| is_of_one_file)?;
            let line = jury_rules::declared(location.file.as_str(), &text, name)?;
            Some((Premise::NameUndeclared, format!("{} declares {name} in line {line}", location.file)))
        }
        CounterEvidence::Declared(_) | CounterEvidence::Reason => None,
    }
}

/// Reads the answer of a model that was asked about a contested finding: it restates the finding, with the confidence that it has now. Only a
/// finding that is plainly withdrawn (confidence 0) is conceded: an answer without any finding could be an idle one.
pub fn stance(output: &str, nonce: &str) -> (Stance, String) {
    let limits = Limits::default();
    let silent = |why: &str| (Stance::Silent, why.to_owned());
    if !intake::repeats_nonce(output.as_bytes(), nonce, &limits) {
        return silent("its answer lacks the nonce of its brief");
    }
    let taken = intake::take_below(output.as_bytes(), None, &[ROOT], &limits);
    let claims: Vec<&Claim> = taken.reports.iter().flat_map(Report::claims).collect();
    let why = |claim: &Claim| claim.why.clone().unwrap_or_default();
    let is_withdrawn = |claim: &Claim| claim.confidence.map(Confidence::percent) == Some(0);
    if let Some(standing) = claims.iter().find(|claim| !is_withdrawn(claim)) {
        return (Stance::Upholds, why(standing));
    }
    match claims.as_slice() {
        [withdrawn] if taken.gaps.is_empty() && taken.rejected.is_empty() => (Stance::Concedes, why(withdrawn)),
        [] => silent("its answer does not restate the finding"),
        _ => silent("its answer is not one finding"),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::{Domain, Line, LineRange, Location, RepoPath, Severity, Title};

    fn path(text: &str) -> RepoPath {
        RepoPath::new(text).unwrap()
    }

    fn finding(title: &str, file: &str, line: u32, evidence: &str) -> Finding {
        let line = Line::new(line.into()).unwrap();
        let location = Location::new(path(file), LineRange::new(line, line).ok());
        let claim = Claim {
            location: Some(location),
            evidence: vec![evidence.to_owned()],
            ..Claim::new(Title::new(title).unwrap(), Severity::High)
        };
        Finding::of_claim(Domain::new("qa").unwrap(), claim)
    }

    fn tree() -> BTreeMap<RepoPath, Vec<u8>> {
        let files: [(&str, &str); 2] = [
            (
                "src/a.ts",
                "import x from './b';\nexport const total = sum(1, 2);\nfunction sum(a: number, b: number) { return a + b; }\n",
            ),
            ("src/b.ts", "export default 1;\n"),
        ];
        files.into_iter().map(|(name, text)| (path(name), text.as_bytes().to_vec())).collect()
    }

    fn shows(file: &str, line: u32, quote: &str) -> CounterEvidence {
        let line = Line::new(line.into()).unwrap();
        CounterEvidence::Quote { path: path(file), line, quote: quote.to_owned() }
    }

    fn refuted(finding: &Finding, evidence: &CounterEvidence) -> Option<Premise> {
        refutation(finding, evidence, &tree()).map(|(premise, _)| premise)
    }

    #[test]
    fn the_tree_refutes_what_it_has() {
        let missing = finding("`src/b.ts` does not exist", "src/a.ts", 1, "import x from './b';");
        assert_eq!(refuted(&missing, &shows("src/b.ts", 1, "export default 1;")), Some(Premise::FileMissing));
        let undeclared = finding("`sum` is not defined", "src/a.ts", 2, "export const total = sum(1, 2);");
        let declared = CounterEvidence::Declared("sum".to_owned());
        assert_eq!(refuted(&undeclared, &declared), Some(Premise::NameUndeclared));
        let invented = finding("Query built from input", "src/a.ts", 2, r#"db.query("select " + request.id);"#);
        let line = shows("src/a.ts", 2, "export const total = sum(1, 2);");
        assert_eq!(refuted(&invented, &line), Some(Premise::CodeQuoted));
    }

    #[test]
    fn anything_else_is_not_refuted() {
        let missing = finding("`src/b.ts` does not exist", "src/a.ts", 1, "import x from './b';");
        for evidence in [
            shows("src/b.ts", 2, "export default 1;"),
            shows("src/b.ts", 1, "export default 2;"),
            shows("src/b.ts", 1, ";"),
            shows("src/a.ts", 2, "export const total = sum(1, 2);"),
            shows("src/c.ts", 1, "export default 1;"),
            CounterEvidence::Reason,
        ] {
            assert_eq!(refuted(&missing, &evidence), None, "{evidence:?}");
        }
        // A check somewhere proves nothing about what is absent.
        let absent = finding("`sum` has no validation", "src/a.ts", 2, "export const total = sum(1, 2);");
        for evidence in
            [shows("src/a.ts", 3, "function sum"), shows("src/a.ts", 2, "sum(1, 2)"), shows("src/b.ts", 1, "export")]
        {
            assert_eq!(refuted(&absent, &evidence), None, "{evidence:?}");
        }
        // Another file declares it, or another claim of the finding says something else.
        let elsewhere = finding("`sum` is not defined", "src/b.ts", 1, "export default 1;");
        let declared = CounterEvidence::Declared("sum".to_owned());
        assert_eq!(refuted(&elsewhere, &declared), None);
        let mut merged = finding("`sum` is not defined", "src/a.ts", 2, "export const total = sum(1, 2);");
        merged.merged.push(finding("`sum` adds up wrong", "src/a.ts", 2, "sum(1, 2)").representative);
        assert_eq!(refuted(&merged, &declared), None);
        // A quote that is there, and one shown from another line.
        let quoted = finding("Query built from input", "src/a.ts", 2, "export const total = sum(1, 2);");
        assert_eq!(refuted(&quoted, &shows("src/a.ts", 2, "export const total")), None);
        let invented = finding("Query built from input", "src/a.ts", 2, r#"db.query("select " + request.id);"#);
        assert_eq!(refuted(&invented, &shows("src/a.ts", 3, "function sum")), None);
        // Backticks may be those of prose, so that it is no copy of a line.
        let in_prose = finding("Query built from input", "src/a.ts", 2, "db.query(`select ${request.id}`);");
        assert_eq!(refuted(&in_prose, &shows("src/a.ts", 2, "export const total")), None);
        assert_eq!(refuted(&invented, &shows("src/b.ts", 1, "export default 1;")), None);
    }

    #[test]
    fn only_a_finding_that_is_withdrawn_is_conceded() {
        let answer = |nonce: &str, confidence: &str| {
            let finding = format!(
                r#"{{"title":"T","severity":"P1","file":"a.ts","line":1,"why_it_matters":"W","autofix_class":"manual","owner":"human","requires_verification":true,"suggested_fix":null,"confidence":{confidence},"evidence":["a();"],"pre_existing":false}}"#
            );
            (nonce.to_owned(), finding)
        };
        let of = |(nonce, findings): (String, String)| {
            format!(
                r#"{{"nonce":"{nonce}","reviewer":"qa","findings":[{findings}],"residual_risks":[],"testing_gaps":[]}}"#
            )
        };
        let read = |text: String| stance(&text, "N").0;
        assert_eq!(read(of(answer("N", "0"))), Stance::Concedes);
        assert_eq!(stance(&of(answer("N", "0")), "N").1, "W");
        for confidence in ["25", "50", "75", "100"] {
            assert_eq!(read(of(answer("N", confidence))), Stance::Upholds, "{confidence}");
        }
        let both = (String::from("N"), format!("{},{}", answer("N", "0").1, answer("N", "75").1));
        assert_eq!(read(of(both)), Stance::Upholds);
        assert_eq!(read(of((String::from("N"), String::new()))), Stance::Silent, "an idle answer concedes nothing");
        assert_eq!(read(of(answer("M", "0"))), Stance::Silent);
        for text in ["", "I concede. N", "{}", "null", "{\"nonce\":\"N\"}"] {
            assert_eq!(read(text.to_owned()), Stance::Silent, "{text}");
        }
    }
}
