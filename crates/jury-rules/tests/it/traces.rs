//! The lines that a finding is about: its own, the source of its value, and every step between.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use jury_rules::{Parsed, SPECIALISTS, SourceFile, by_domain};
use jury_wire::v1::findings::Detailed;

/// Returns the findings of a specialist in a file.
fn findings(domain: &str, path: &str, text: &str) -> Vec<Detailed> {
    by_domain(domain).unwrap().review(&[SourceFile { path, text, touched: &[] }]).findings.findings
}

fn pairs(finding: &Detailed) -> Vec<(u32, u32)> {
    serde_json::from_value(finding.other["trace"].clone()).unwrap()
}

/// Returns the lines of a trace.
fn lines(finding: &Detailed) -> BTreeSet<u32> {
    pairs(finding).into_iter().flat_map(|(first, last)| first..=last).collect()
}

/// Holds the traces of a program's only finding against the lines that end with a mark: `#source`, `#step`, `#sink`.
fn check(path: &str, rule: &str, program: &str) {
    let marked = |marks: &[&str]| -> BTreeSet<u32> {
        let is_marked = |line: &str| marks.iter().any(|mark| line.trim_end().ends_with(mark));
        (1..).zip(program.lines()).filter(|(_, line)| is_marked(line)).map(|(number, _)| number).collect()
    };
    let found = findings("security", path, program);
    let found: Vec<&Detailed> = found.iter().filter(|finding| finding.other["rule"] == rule).collect();
    let [finding] = found[..] else { panic!("{path}: {} findings of {rule} in\n{program}", found.len()) };
    assert_eq!(lines(finding), marked(&["#source", "#step", "#sink"]), "{path}:\n{program}");
    let source: (u32, u32) = serde_json::from_value(finding.other["source"].clone()).unwrap();
    let sources = marked(&["#source"]);
    assert!(sources.contains(&source.0) && sources.contains(&source.1), "{source:?} of {path}:\n{program}");
    assert!(marked(&["#sink"]).contains(&finding.merge.line), "{path}:\n{program}");
}

#[test]
fn a_value_is_followed_from_its_source_to_its_sink() {
    let javascript = |program: &str| {
        for path in ["a.js", "a.ts"] {
            check(path, "js-code-injection", program);
        }
    };
    // Through variables, concatenation, and past what has nothing to do with it.
    javascript(
        "app.get('/', (req, res) => {
           const other = req.query.other;
           const code = req.query.code; // #source
           log(other);
           const whole = 'return ' + // #step
             code; // #step
           log(code);
           eval( // #sink
             whole, // #sink
           ); // #sink
         });",
    );
    // Through a function of the file and back.
    javascript(
        "function wrap(text) { // #step
           log(text);
           return '(' + text + ')'; // #step
         }
         app.get('/', (req, res) => {
           const code = wrap(req.query.code); // #source
           eval(code); // #sink
         });",
    );
    // Into a function with the sink.
    javascript(
        "function run(text) { // #step
           log('run');
           eval(text); // #sink
         }
         app.get('/', (req, res) => {
           const code = req.query.code; // #source
           res.send('ok');
           run(code); // #step
         });",
    );
    // Through a constant, a part of an object, a loop, a pushed item.
    javascript(
        "const BEFORE = 'return '; // #step
         app.get('/', (req, res) => {
           const given = {};
           given.code = req.query.code; // #source
           eval(BEFORE + given.code); // #sink
         });",
    );
    javascript(
        "app.get('/', (req, res) => {
           for (const code of req.query.codes) { // #source
             log('next');
             eval(code); // #sink
           }
         });",
    );
    javascript(
        "app.get('/', (req, res) => {
           const { code } = // #source
             req.query; // #source
           log('next');
           eval(code); // #sink
         });",
    );
}

#[test]
fn a_trace_is_told_in_every_language() {
    check(
        "a.py",
        "py-code-injection",
        "from flask import request
PREFIX = 'x = '  #step

def wrap(text):  #step
    log(text)
    return PREFIX + text  #step

def view():
    code = request.args['code']  #source
    log('next')
    whole = wrap(code)  #step
    eval(whole)  #sink
",
    );
    check(
        "a.go",
        "go-command-injection",
        "package main
import (\"net/http\"; \"os/exec\")
func handle(w http.ResponseWriter, r *http.Request) {
	name := r.FormValue(\"name\") // #source
	log.Println(\"next\")
	line := \"ls \" + name // #step
	exec.Command(\"sh\", \"-c\", line).Run() // #sink
}
",
    );
    check(
        "a.rb",
        "rb-command-injection",
        "class ListsController < ApplicationController
  def show
    name = params[:name] #source
    logger.info('next')
    line = \"ls #{name}\" #step
    system(line) #sink
  end
end
",
    );
    check(
        "a.php",
        "php-command-injection",
        "<?php
$name = $_GET['name']; // #source
log('next');
$line = 'ls ' . $name; // #step
system($line); // #sink
",
    );
    check(
        "A.java",
        "java-command-injection",
        "class A extends HttpServlet {
  void doGet(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String name = request.getParameter(\"name\"); // #source
    log(\"next\");
    String line = \"sh -c \" + name; // #step
    Runtime.getRuntime().exec(line); // #sink
  }
}
",
    );
}

/// A helper that several callers use has the ways of all of them.
#[test]
fn every_way_to_a_sink_is_in_its_trace() {
    let program = "function run(text) {
  eval(text);
}
app.get('/a', (req, res) => {
  run(req.query.a);
});
app.get('/b', (req, res) => {
  run(req.query.b);
});
";
    let all: BTreeSet<u32> = findings("security", "a.js", program).iter().flat_map(lines).collect();
    assert_eq!(all, BTreeSet::from([1, 2, 5, 8]));
}

#[test]
fn a_syntax_rule_names_the_definition_that_it_relies_on() {
    let program = "async function save() {\n  await f();\n}\n\nexport function g() {\n  save();\n}\n";
    let found = findings("typescript-quality", "a.ts", program);
    let finding = found.iter().find(|finding| finding.other["rule"] == "floating-promise").unwrap();
    assert_eq!(pairs(finding), [(1, 3), (6, 6)]);
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { files.extend(files_below(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

#[test]
fn every_finding_has_a_trace_with_its_line_and_its_source() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("truth");
    let parsed = Parsed::default();
    let (mut all, mut with_source) = (0, 0);
    for path in files_below(&root) {
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let file = [SourceFile { path: &name, text: &text, touched: &[] }];
        let last = u32::try_from(text.split('\n').count()).unwrap();
        for specialist in SPECIALISTS {
            for finding in specialist.review_in(&parsed, &file, &jury_rules::NoTree).findings.findings {
                let pairs = pairs(&finding);
                let said = format!("{name}: {finding:?}");
                assert!(pairs.iter().all(|(first, end)| 1 <= *first && first <= end && *end <= last), "{said}");
                assert!(pairs.is_sorted() && pairs.windows(2).all(|two| two[0].1 + 1 < two[1].0), "{said}");
                let has = |line: u32| pairs.iter().any(|(first, end)| (*first..=*end).contains(&line));
                assert!(has(finding.merge.line), "{said}");
                all += 1;
                if let Some(source) = finding.other.get("source") {
                    let (first, end): (u32, u32) = serde_json::from_value(source.clone()).unwrap();
                    assert!((first..=end).all(has), "{said}");
                    with_source += 1;
                }
            }
        }
    }
    assert!(all > 1_000 && with_source > 200, "{all} findings, {with_source} with a source");
}
