//! What the specialists return, as `jury` reads it: 004 to the letter, in a stable order, with the change deciding.

use std::collections::BTreeMap;

use jury::formats::FORMATS;
use jury::model::{Change, LineRange, RepoPath, Side};
use jury::syntax::Limits;
use jury::synthesis::{Options, Step, Synthesis, TrailEntry, synthesise};
use jury_rules::{Review, SPECIALISTS, SourceFile, by_domain};

const SHOP: &str = "import { db } from './db';\n\nexport function find(req: Request) {\n  return db.query(\n    'SELECT * FROM t WHERE id = ' + req.query.id,\n  );\n}\n\nexport function loose(a: number, b: string) {\n  return a == b;\n}\n";

fn review(domain: &str, path: &str, text: &str, touched: &[(u32, u32)]) -> Review {
    by_domain(domain).unwrap().review(&[SourceFile { path, text, touched }])
}

/// Holds a return against the reader of 004.
fn assert_conforms(review: &Review) {
    let text = serde_json::to_string_pretty(&review.findings).unwrap();
    let format = FORMATS.iter().find(|format| format.id == "findings-json").unwrap();
    let reading = format.read(text.as_bytes(), &Limits::default());
    assert!(reading.is_conforming(), "{text}");
    assert_eq!(reading.report.unwrap().claims.len(), review.findings.findings.len());
}

#[test]
fn every_example_of_every_rule_conforms_to_004() {
    for specialist in SPECIALISTS {
        let examples: Vec<(String, String)> = specialist
            .rules()
            .map(|rule| rule.examples().unwrap())
            .flat_map(|examples| examples.invalid.into_iter().chain(examples.valid))
            .enumerate()
            .map(|(at, example)| (format!("{at}/{}", example.path()), example.text()))
            .collect();
        let files = |(path, text)| SourceFile { path, text, touched: &[(1, 2)] };
        let files: Vec<_> = examples.iter().map(|(path, text)| files((path.as_str(), text.as_str()))).collect();
        let review = specialist.review(&files);
        assert!(review.findings.findings.len() >= 3);
        assert_conforms(&review);
        for finding in &review.findings.findings {
            let (file, line) = (&finding.merge.file, finding.merge.line as usize);
            let (_, text) = examples.iter().find(|(path, _)| path == file).unwrap();
            let quoted = &finding.evidence[0];
            let is_there = text.lines().nth(line - 1).unwrap().contains(quoted.as_str());
            assert!(is_there || quoted.starts_with("line "), "{file}:{line}: {quoted:?} is not there");
            assert!(quoted.chars().count() <= 200);
        }
    }
}

#[test]
fn every_finding_of_every_example_stands_before_the_tree_and_the_change() {
    for specialist in SPECIALISTS {
        for (at, example) in specialist.rules().flat_map(|rule| rule.examples().unwrap().invalid).enumerate() {
            let (path, text) = (format!("{at}/{}", example.path()), example.text());
            let last = text.lines().count() as u32;
            let review = specialist.review(&[SourceFile { path: &path, text: &text, touched: &[(1, last)] }]);
            let synthesis = synthesise_with(&review, &path, &text, last);
            let [standing, suppressed, pre_existing, _] = synthesis.lists();
            assert_eq!((suppressed.len(), pre_existing.len()), (0, 0), "{path}: {suppressed:?} {pre_existing:?}");
            let claims: usize = standing.iter().map(|settled| settled.origins.len()).sum();
            assert_eq!(claims, review.findings.findings.len());
            let is_grounding = |entry: &TrailEntry| entry.step == Step::Ground;
            let grounding = standing.iter().flat_map(|settled| &settled.trail).find(|entry| is_grounding(entry));
            assert_eq!(grounding, None, "{path}: {text}");
        }
    }
}

fn synthesise_with(review: &Review, path: &str, text: &str, last: u32) -> Synthesis {
    let written = serde_json::to_string(&review.findings).unwrap();
    let format = FORMATS.iter().find(|format| format.id == "findings-json").unwrap();
    let report = format.read(written.as_bytes(), &Limits::default()).report.unwrap();
    let path = RepoPath::new(path).unwrap();
    let tree = BTreeMap::from([(path.clone(), text.as_bytes().to_vec())]);
    let mut change = Change::default();
    change.add_lines(path, Side::Right, LineRange::parse(&format!("1-{last}")).unwrap());
    synthesise(vec![report], &Options { tree: Some(&tree), change: Some(&change), ..Options::default() })
}

#[test]
fn an_empty_change_is_an_empty_return() {
    for specialist in SPECIALISTS {
        let review = specialist.review(&[]);
        assert_conforms(&review);
        assert_eq!((review.findings.reviewer.as_str(), review.unreviewed.len()), (specialist.domain, 0));
    }
}

#[test]
fn a_finding_is_old_if_the_change_touches_none_of_its_lines() {
    let line = |touched: &[(u32, u32)]| {
        let review = review("security", "src/shop.ts", SHOP, touched);
        let finding = &review.findings.findings[0];
        (finding.merge.line, finding.merge.pre_existing, finding.evidence[0].clone())
    };
    assert_eq!(line(&[(4, 4)]), (4, false, "return db.query(".to_owned()));
    // The call starts above what was touched; the claim still names a line that the change touches.
    assert_eq!(line(&[(5, 5)]).0, 5);
    assert!(!line(&[(5, 5)]).1);
    assert!(line(&[(9, 11)]).1);
    assert!(line(&[]).1);
}

#[test]
fn the_order_is_file_line_rule_and_the_bytes_are_the_same_again() {
    let specialist = by_domain("typescript-quality").unwrap();
    let text = "export const f = (a: any) => a == 1;\ntry { f(1) } catch {}\nconsole.log(1 == f(2));\n";
    let files = ["src/b.ts", "src/a.ts", "src/c.tsx"].map(|path| SourceFile { path, text, touched: &[(1, 9)] });
    let once = specialist.review(&files);
    let mut turned = files;
    turned.reverse();
    let again = specialist.review(&turned);
    assert_eq!(serde_json::to_vec(&once.findings).unwrap(), serde_json::to_vec(&again.findings).unwrap());
    let order: Vec<_> = once
        .findings
        .findings
        .iter()
        .map(|finding| {
            (finding.merge.file.clone(), finding.merge.line, finding.other["rule"].as_str().unwrap().to_owned())
        })
        .collect();
    assert!(order.len() >= 12 && order.is_sorted(), "{order:?}");
}

#[test]
fn no_comment_in_the_reviewed_code_silences_a_rule() {
    let plain = "export const same = (a: number, b: number) => a == b;\n";
    for comment in [
        "// ast-grep-ignore\n",
        "// ast-grep-ignore: loose-equality\n",
        "// ast-grep-ignore\n\n",
        "/* eslint-disable */\n",
    ] {
        let review = review("typescript-quality", "src/a.ts", &format!("{comment}{plain}"), &[]);
        assert!(review.findings.findings.iter().any(|finding| finding.other["rule"] == "loose-equality"), "{comment}");
    }
}

#[test]
fn tests_are_judged_more_mildly_where_a_rule_says_so() {
    let text = "export const f = () => { console.log(1); };\n";
    let count = |path| review("typescript-quality", path, text, &[]).findings.findings.len();
    assert_eq!((count("src/f.ts"), count("src/f.test.ts"), count("src/__tests__/f.ts")), (1, 0, 0));
}

#[test]
fn a_specialist_is_known_by_its_domain_and_its_digest() {
    assert!(by_domain("typescript").is_none());
    let digests: Vec<String> = SPECIALISTS.iter().map(|specialist| specialist.definition_digest()).collect();
    assert!(digests.iter().all(|digest| digest.len() == 64) && digests[0] != digests[1]);
    assert_eq!(digests[0], SPECIALISTS[0].definition_digest());
}

#[test]
fn text_that_goes_into_a_query_is_said_once() {
    let lines = |path: &str, text: &str| -> Vec<u32> {
        let findings = review("security", path, text, &[(1, 9)]).findings.findings;
        findings.iter().map(|finding| finding.merge.line).collect()
    };
    let built = "const id = req.query.id;\nlet sql = \"SELECT a FROM b WHERE c = \" + id;\n";
    assert_eq!(lines("a.js", &format!("{built}db.query(sql + \" LIMIT 1\");\n")), [3]);
    assert_eq!(lines("a.js", &format!("{built}sql = \"SELECT a FROM b WHERE d = \" + id;\ndb.query(sql);\n")), [2, 4]);
    assert_eq!(lines("a.js", &format!("{built}module.exports = sql;\n")), [2]);
    let python = "from flask import request\nsql = \"SELECT a FROM b WHERE c = %s\" % request.args[\"id\"]\ncursor.execute(sql)\n";
    assert_eq!(lines("a.py", python), [3]);
}
