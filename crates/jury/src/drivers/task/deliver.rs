//! The end of a reviewer's run, its output and its files → its verdict file, and its gaps.
//!
//! In: plain values. Out: the text to write under the role's fixed name, if the reviewer printed a block instead of writing
//! the file (001, "Backward compatibility"), and gaps. Pure. Deliberately not here: processes and files.

use super::delivery::{self, Delivery, Kind};
use super::inventory::dead;
use crate::formats;
use crate::model::{Gap, Report, Role};

/// The name of a reviewer's output for people.
const PRINTED: &str = "standard output";

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Delivered {
    /// The text of the verdict file that the reviewer did not write itself.
    pub(super) file: Option<String>,
    /// The gaps.
    pub(super) gaps: Vec<Gap>,
    /// Notes on the output.
    pub(super) notes: Vec<String>,
}

/// Decides the delivery of a run. `trouble` describes a failure of the process, `files` are the verdict files of the role
/// that are there now, and `inventory` is the path of theirs as a pointer spells it.
pub(super) fn deliver(
    role: &Role,
    trouble: Option<&str>,
    printed: &[u8],
    files: &[(String, Vec<u8>)],
    folder: &str,
) -> Delivered {
    let mut gaps: Vec<Gap> =
        trouble.map(|what| dead(role, format!("the {role} reviewer {what}"))).into_iter().collect();
    let said = delivery::read(role, PRINTED, printed);
    let files: Vec<(&str, Delivery)> =
        files.iter().map(|(name, bytes)| (name.as_str(), delivery::read(role, name, bytes))).collect();
    let mut file = None;
    match (&said.kind, files.as_slice()) {
        (Kind::Pointer(path), files) => gaps.extend(misled(role, path.as_deref(), &said, files, folder)),
        (Kind::Summary, _) => gaps.push(dead(role, format!("{PRINTED} is the summary of a task, not a verdict"))),
        (Kind::Verdict, []) => {
            // That a program which failed says nothing needs no words of its own.
            gaps.extend(said.gaps.iter().filter(|_| trouble.is_none() || said.report.is_some()).cloned());
            file = said.report.as_ref().map(|report| written(report, &gaps));
        }
        // 001, "Gate on file content": output next to the file counts only against it.
        (Kind::Verdict, files) if said.report.is_some() => {
            let differing = files.iter().filter(|(_, delivery)| !delivery.agrees_with(&said));
            gaps.extend(differing.map(|(name, _)| dead(role, format!("{PRINTED} and {name} disagree"))));
        }
        (Kind::Verdict, _) if said.is_dead => gaps.extend(said.gaps),
        (Kind::Verdict, _) => {}
    }
    Delivered { file, gaps, notes: said.notes }
}

/// Describes the error of a pointer: it leads elsewhere, to nothing, or to a file with another verdict.
fn misled(role: &Role, path: Option<&str>, said: &Delivery, files: &[(&str, Delivery)], folder: &str) -> Option<Gap> {
    let Some(path) = path else {
        return Some(dead(role, format!("{PRINTED} does not point to a verdict file of this task")));
    };
    let name = path.strip_prefix(folder).and_then(|name| name.strip_prefix('/'));
    let Some(name) = name.filter(|name| [role.file(), role.legacy_file()].contains(&(*name).to_owned())) else {
        return Some(dead(role, format!("{PRINTED} points to {path}, expected {folder}/{}", role.file())));
    };
    match files.iter().find(|(file, _)| *file == name) {
        None => Some(dead(role, format!("{PRINTED} points to {path}, which does not exist"))),
        // The line of a pointer states one reason of many, so only the verdicts are compared.
        Some((_, file)) if file.verdict() != said.verdict() => {
            Some(dead(role, format!("{PRINTED} and {name} disagree")))
        }
        Some(_) => None,
    }
}

/// Writes the output as a verdict file. A gap is a finding too, so that the file does not look complete.
fn written(report: &Report, gaps: &[Gap]) -> String {
    let mut report = report.clone();
    report.claims.extend(gaps.iter().map(|gap| {
        let mut claim = gap.as_finding().representative;
        claim.reviewer = None;
        claim
    }));
    let format = formats::by_id("verdict-lines").expect("the format is in the table");
    format.write(&report).expect("the format can be written").text
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOLDER: &str = ".dartai/reports/T-1";
    const PASS: &str = "verdict: pass\nconfidence: high\n";
    const FAIL: &str = "verdict: fail\nconfidence: high\nblocker: src/a.ts:3 wrong\n";
    const PASS_BLOCK: &str = "```yaml\nverdict: pass\nconfidence: high\nblockers: []\nadvisories: []\n```\n";
    const FAIL_BLOCK: &str =
        "```yaml\nverdict: fail\nconfidence: high\nblockers:\n  - \"src/a.ts:3 — wrong\"\nadvisories: []\n```\n";

    fn run(trouble: Option<&str>, printed: &str, files: &[(&str, &str)]) -> (Option<String>, Vec<String>) {
        let files: Vec<(String, Vec<u8>)> =
            files.iter().map(|(name, text)| ((*name).to_owned(), text.as_bytes().to_vec())).collect();
        let delivered = deliver(&Role::new("qa").unwrap(), trouble, printed.as_bytes(), &files, FOLDER);
        (delivered.file, delivered.gaps.into_iter().map(|gap| gap.what).collect())
    }

    fn pointer(path: &str, verdict: &str) -> String {
        format!("verdict-file: {path}\nverdict: {verdict}\n")
    }

    #[test]
    fn a_pointer_leads_to_the_file_of_its_role_or_nowhere() {
        let here = format!("{FOLDER}/qa.md");
        assert_eq!(run(None, &pointer(&here, "pass ()"), &[("qa.md", PASS)]), (None, vec![]));
        assert_eq!(run(None, &pointer(&here, "fail (wrong)"), &[("qa.md", FAIL)]), (None, vec![]));
        let older = format!("{FOLDER}/qa-reviewer.md");
        assert_eq!(run(None, &pointer(&older, "pass ()"), &[("qa-reviewer.md", PASS)]), (None, vec![]));
        for (path, verdict, files) in [
            (here.as_str(), "pass ()", &[][..]),
            (&here, "pass ()", &[("qa.md", FAIL)]),
            (&here, "fail (wrong)", &[("qa.md", PASS)]),
            (&older, "pass ()", &[("qa.md", PASS)]),
            (".dartai/reports/T-2/qa.md", "pass ()", &[("qa.md", PASS)]),
            (".dartai/reports/T-1/../T-2/qa.md", "pass ()", &[("qa.md", PASS)]),
            (".dartai/reports/T-1/security.md", "pass ()", &[("qa.md", PASS)]),
            (".dartai/reports/T-1x/qa.md", "pass ()", &[("qa.md", PASS)]),
            ("/etc/passwd", "pass ()", &[("qa.md", PASS)]),
        ] {
            let (file, gaps) = run(None, &pointer(path, verdict), files);
            assert!(file.is_none() && !gaps.is_empty(), "{path} {verdict} {files:?}");
        }
    }

    #[test]
    fn a_block_becomes_the_file_and_never_beats_one() {
        assert_eq!(run(None, PASS_BLOCK, &[]), (Some(PASS.to_owned()), vec![]));
        assert_eq!(run(None, FAIL_BLOCK, &[]), (Some(FAIL.to_owned()), vec![]));
        assert_eq!(run(None, "qa_report:\n  verdict: PASS\n  blockers: []\n", &[]).1, [""; 0]);
        assert_eq!(run(None, FAIL_BLOCK, &[("qa.md", FAIL)]), (None, vec![]));
        for (printed, file) in [(PASS_BLOCK, FAIL), (FAIL_BLOCK, PASS)] {
            let said = vec!["standard output and qa.md disagree".to_owned()];
            assert_eq!(run(None, printed, &[("qa.md", file)]), (None, said));
        }
    }

    #[test]
    fn the_file_counts_whatever_is_printed_beside_it_unless_that_is_a_failure() {
        for printed in ["", "Looking at 3 files …\ndone\n"] {
            assert_eq!(run(None, printed, &[("qa.md", PASS)]), (None, vec![]), "{printed}");
        }
        let failed = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"result":"x"}"#;
        for printed in [failed, "<html><body>502 Bad Gateway</body></html>"] {
            assert!(!run(None, printed, &[("qa.md", PASS)]).1.is_empty(), "{printed}");
        }
    }

    #[test]
    fn what_is_not_understood_in_full_never_becomes_a_pass() {
        for printed in [
            "",
            "LGTM",
            "null",
            "```yaml\nverdict: pass\n",
            "```yaml\nverdict: pass\nconfidence: high\nblokers: [x]\n```\n",
        ] {
            let (file, gaps) = run(None, printed, &[]);
            assert!(!gaps.is_empty(), "{printed}");
            assert!(file.is_none_or(|text| text.starts_with("verdict: fail\n")), "{printed}");
        }
        let (file, gaps) = run(Some("was killed by signal 9"), PASS_BLOCK, &[]);
        assert_eq!(gaps, ["the qa reviewer was killed by signal 9"]);
        assert_eq!(
            file.unwrap(),
            "verdict: fail\nconfidence: high\nblocker: Review incomplete: the qa reviewer was killed by signal 9\n"
        );
        assert_eq!(run(Some("took longer than 1s"), "", &[("qa.md", PASS)]).1.len(), 1);
    }
}
