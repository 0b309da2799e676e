//! What we hand to hosts, against what they publish: the reports of the scenarios by the schemas of their readers, workflows, hooks and skills by
//! the programs that check them.
//!
//! The programs are PyPI packages, installed beside the other things that are built: `check-jsonschema` brings GitHub's and GitLab's schemas,
//! `pre-commit` and `lefthook` check what is theirs, `skills-ref` (`agentskills`) is the validator of the Agent Skills form, `lxml` reads XSD.

use std::path::{Path, PathBuf};
use std::process::Command;

use jury_testkit::python;
use jury_testkit::repo::{Repo, TempFolder};
use serde_json::Value;

const PACKAGES: &[&str] =
    &["check-jsonschema==0.39.0", "lefthook==2.2.2", "lxml==6.1.3", "pre-commit==4.7.0", "skills-ref==0.1.1"];

const SARIF: &str = include_str!("../../../jury/tests/fixtures/published/sarif-2.1.0.json");
const RDJSON: &str = include_str!("../../../jury/tests/fixtures/published/rdjson.json");
/// Our reading of the page of GitLab, which publishes no schema.
const CODE_QUALITY: &str = include_str!("../../../jury/tests/fixtures/gitlab-code-quality.schema.json");
const JUNIT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../jury/tests/fixtures/published/junit-10.xsd");

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn program(name: &str) -> Command {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("validators");
    Command::new(python::environment(&place, PACKAGES).join(name))
}

/// Returns whether a program is content, and all that it says.
fn verdict(command: &mut Command) -> (bool, String) {
    let output = command.output().expect("the program starts");
    (output.status.success(), String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned())
}

fn check(command: &mut Command) {
    let (is_content, said) = verdict(command);
    assert!(is_content, "{command:?}: {said}");
}

/// Returns what `jury status` prints in a format in the scenario of CI: nothing open, a tree that was not reviewed, findings of every severity.
fn golden(format: &str) -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/scenarios/ci-outputs/steps");
    let steps = std::fs::read_to_string(path).expect("the scenario is there");
    let wanted = format!("$ jury status --format {format}\n");
    let printed = |rest: &str| {
        let end = ["\n$ ", "\n[exit", "\n\n"].iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
        format!("{}\n", &rest[..end])
    };
    let found: Vec<String> = steps.split(&wanted).skip(1).map(printed).collect();
    assert_eq!(found.len(), 3, "{format}");
    found
}

#[test]
fn reports_in_json_are_valid_by_the_schemas_of_their_readers() {
    for (format, schema) in [("sarif", SARIF), ("rdjson", RDJSON), ("gitlab", CODE_QUALITY)] {
        let schema: Value = serde_json::from_str(schema).expect("the schema is JSON");
        let schema = jsonschema::validator_for(&schema).expect("the schema is one");
        for text in golden(format) {
            let value = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{format}: {error}: {text}"));
            assert_eq!(schema.validate(&value).err().map(|error| error.to_string()), None, "{format}");
        }
    }
}

#[test]
fn test_reports_are_valid_by_the_schema_of_jenkins() {
    const VALIDATE: &str = "import sys\nfrom lxml import etree\netree.XMLSchema(etree.parse(sys.argv[1])).assertValid(etree.parse(sys.argv[2]))";
    let folder = TempFolder::new();
    let path = folder.path().join("jury.xml");
    for text in golden("junit") {
        std::fs::write(&path, text).expect("the folder is ours");
        check(program("python").args(["-c", VALIDATE, JUNIT]).arg(&path));
    }
}

#[test]
fn workflows_are_valid_by_the_schemas_of_their_hosts() {
    for (schema, file) in [("vendor.github-workflows", "github.yml"), ("vendor.gitlab-ci", "gitlab.yml")] {
        let path = root().join("docs/ci").join(file);
        check(program("check-jsonschema").args(["--builtin-schema", schema]).arg(&path));
        // A schema that lets everything pass would show nothing.
        let folder = TempFolder::new();
        let broken = folder.path().join(file);
        let text = std::fs::read_to_string(&path).expect("the file is there");
        std::fs::write(&broken, text.replace("runs-on:", "runs:").replace("script:", "scripts:"))
            .expect("the folder is ours");
        assert!(!verdict(program("check-jsonschema").args(["--builtin-schema", schema]).arg(&broken)).0, "{schema}");
    }
}

#[test]
fn hooks_for_pre_commit_are_a_manifest() {
    check(program("pre-commit").arg("validate-manifest").arg(root().join(".pre-commit-hooks.yaml")));
}

#[test]
fn the_example_for_lefthook_is_a_configuration() {
    let page = std::fs::read_to_string(root().join("docs/agents.md")).expect("the page is there");
    let example = page.split("```yaml\n").find(|text| text.starts_with("# lefthook.yml\n")).expect("there is one");
    let example = example.split("```").next().expect("it ends");
    let repo = Repo::with(&[("lefthook.yml", example)]);
    check(program("lefthook").arg("validate").current_dir(repo.root()));
    repo.write("lefthook.yml", example.replace("run:", "runs:"));
    assert!(!verdict(program("lefthook").arg("validate").current_dir(repo.root())).0, "it is checked");
}

#[test]
fn skills_are_valid_by_the_validator_of_their_form() {
    for skill in ["code-review", "code-review/report-writer", "checkpoint"] {
        check(program("agentskills").arg("validate").arg(root().join("plugin/skills").join(skill)));
    }
}
