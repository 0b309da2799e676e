//! Skipped code, one file each.

use super::super::lower;
use super::super::program::Compiler;
use super::super::spec::{Flow, Knowledge};
use super::*;
use crate::language::Language;
use crate::nodes::Nodes;

/// Returns the functions of a Python file that are evaluated; `None` if nothing is.
fn gone_through(flow: &str, text: &str) -> Option<Vec<String>> {
    let known: Knowledge = serde_saphyr::from_str("{ languages: [python], sources: { http: [req.body] } }").unwrap();
    let flow: Flow = serde_saphyr::from_str(flow).unwrap();
    let mut compiler = Compiler::new([&known], Language::Python).unwrap();
    compiler.add(0, &flow).unwrap();
    let program = compiler.finish();
    let nodes = Nodes::parsed(Language::Python, text);
    let unit = lower::lower(Language::Python, Some(nodes.root()), text).unwrap();
    let passed_by = passed_by(&unit, &program.needs, &[0])?;
    let functions = (0..unit.functions.len() as u32).map(FunctionId).filter(|id| !passed_by.function(*id));
    Some(functions.filter_map(|id| unit.function(id).name.map(str::to_owned)).collect())
}

const RUN: &str = "find: [{ call: os.run }]";

#[test]
fn only_what_speaks_of_all_that_is_needed_is_gone_through() {
    assert_eq!(gone_through(RUN, "import os\ndef a():\n  os.run()\ndef b():\n  os.walk()\n").unwrap(), ["a"]);
    assert_eq!(gone_through(RUN, "import os\ndef b():\n  os.walk()\n"), None);
    let tainted = "find: [{ call: os.run, args: { 0: { is: tainted } } }]";
    assert_eq!(gone_through(tainted, "import os\ndef a(x):\n  os.run(x)\n"), None);
    assert_eq!(gone_through(tainted, "import os\ndef a(req):\n  os.run(req.body)\n").unwrap(), ["a"]);
}

#[test]
fn what_another_name_stands_for_is_found_wherever_it_comes_from() {
    for text in [
        "from os import run as go\ndef a():\n  go()\ndef b():\n  f()\n",
        "import os\ngo = os.run\ndef a():\n  go()\ndef b():\n  f()\n",
        "import os\ntable = {}\ntable['go'] = os.run\ndef a():\n  table['go']()\ndef b():\n  f()\n",
        "import os\none = os.run\nother = one\ndef a():\n  other()\ndef b():\n  f()\n",
    ] {
        assert_eq!(gone_through(RUN, text).unwrap(), ["a"], "{text}");
    }
}

#[test]
fn what_is_called_is_gone_through_with_its_caller() {
    let text = "import os\ndef go():\n  return os.run\ndef a():\n  go()()\ndef b():\n  f()\n";
    assert_eq!(gone_through(RUN, text).unwrap(), ["go", "a"]);
    let text = "import os\nclass A:\n  def __init__(self):\n    self.fill()\n  def fill(self):\n    self.go = os.run\n  \
                def a(self):\n    self.go()\ndef b():\n  f()\n";
    assert!(gone_through(RUN, text).unwrap().contains(&"a".to_owned()));
}

#[test]
fn a_word_of_a_decorator_counts_in_decorators_alone() {
    let yaml = "{ languages: [python], parameters: { http: [{ decorated: [+.get] }] } }";
    let known: Knowledge = serde_saphyr::from_str(yaml).unwrap();
    let flow: Flow = serde_saphyr::from_str("find: [{ call: f, args: { 0: { is: tainted } } }]").unwrap();
    let mut compiler = Compiler::new([&known], Language::Python).unwrap();
    compiler.add(0, &flow).unwrap();
    let program = compiler.finish();
    let is_needed = |text: &str| {
        let nodes = Nodes::parsed(Language::Python, text);
        let unit = lower::lower(Language::Python, Some(nodes.root()), text).unwrap();
        passed_by(&unit, &program.needs, &[0]).is_some()
    };
    assert!(is_needed("@app.get('/')\ndef a(x):\n  f(x)\n"));
    assert!(!is_needed("def a(x):\n  app.get('/')\n  f(x)\n"));
}

#[test]
fn what_is_asked_for_in_a_text_must_be_said_in_one() {
    let select = "find: [{ call: f, args: { 0: { text: '(?i)^select\\s' } } }]";
    assert_eq!(gone_through(select, "def a():\n  f('SELECT 1')\ndef b():\n  f('x')\n").unwrap(), ["a"]);
    assert_eq!(gone_through(select, "def a():\n  select.f(select)\n"), None);
    let text = "q = 'select 1'\ndef a():\n  f(q)\ndef b():\n  f('x')\n";
    assert_eq!(gone_through(select, text).unwrap(), ["a"]);
    let verify = "find: [{ call: f, args: { verify: { literal: false } } }]";
    assert_eq!(gone_through(verify, "def a():\n  f(verify=False)\ndef b():\n  f(verify=x)\n").unwrap(), ["a"]);
}
