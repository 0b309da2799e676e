//! Where a reviewer can write: in its private copy, in its folder for temporary files and where its definition says; and what is
//! said where the system cannot hold it to that.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::thread;

use landlock::{
    ABI, Access as _, AccessFs, Ruleset, RulesetAttr as _, RulesetCreatedAttr as _, RulesetStatus, path_beneath_rules,
};

use crate::desk::{CLEAN, Desk, ended, tool};

/// Tries all places and writes down which it could write to.
const WRITER: &str = "OUTSIDE=$(dirname $(dirname $TMPDIR)); for f in $HOME/.bashrc $HOME/.config/x $TOP/x $TOP/.git/hooks/pre-commit \
    $TOP/README.md $OUTSIDE/x $TMPDIR/in x src/other.ts @OUT@/in; do \
    if (echo x >> $f) 2>/dev/null; then echo $f >> @OUT@/written; fi; done; rm -f $HOME/.profile 2>/dev/null";

/// Restricts this thread in a way that changes nothing, once.
fn restrict() -> bool {
    let all = AccessFs::from_all(ABI::V3);
    let ruleset = Ruleset::default().handle_access(all).and_then(|it| it.create());
    let status = ruleset.and_then(|it| it.add_rules(path_beneath_rules(["/"], all))).and_then(|it| it.restrict_self());
    status.is_ok_and(|status| status.ruleset == RulesetStatus::FullyEnforced)
}

fn has_landlock() -> bool {
    thread::spawn(restrict).join().expect("nothing panics there")
}

struct Tried {
    desk: Desk,
    code: Option<i32>,
    said: String,
    written: String,
}

/// Lets the writer run, under this many restrictions that Jury itself is already under.
fn tried(layers: usize) -> Tried {
    trying(&tool("lint", &format!("{WRITER}; {CLEAN}"), "env = [\"TOP\"]"), layers)
}

fn trying(config: &str, layers: usize) -> Tried {
    let desk = Desk::with(config);
    for (name, text) in [(".bashrc", ""), (".profile", "kept")] {
        fs::write(desk.home().join(name), text).expect("the folder is ours");
    }
    let mut command = desk.command(&["review", "--trust"]);
    command.env("TOP", desk.repo.root());
    let start = move || {
        (0..layers).for_each(|_| _ = restrict());
        command.spawn().expect("the binary can be started")
    };
    let (code, said) = ended(thread::spawn(start).join().expect("nothing panics there"));
    let written = fs::read_to_string(desk.out("written")).expect("it can write somewhere");
    Tried { desk, code, said, written }
}

#[test]
fn a_reviewer_writes_nowhere_but_where_it_may() {
    if !has_landlock() {
        let Tried { code, said, .. } = tried(0);
        assert!(code == Some(4) && said.contains("Writes were not confined (lint)"), "{said}");
        return;
    }
    let Tried { desk, code, said, written } = tried(0);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("confined"), "{said}");
    let written: Vec<&str> = written.lines().collect();
    assert_eq!(written.len(), 4, "{written:?}");
    assert!(
        written[0].ends_with("/tmp/in") && written[1..3] == ["x", "src/other.ts"] && written[3].ends_with("/out/in"),
        "{written:?}"
    );
    assert_eq!(fs::read_to_string(desk.home().join(".bashrc")).unwrap(), "");
    assert_eq!(fs::read_to_string(desk.home().join(".profile")).unwrap(), "kept");
    assert!(!desk.repo.path(".git/hooks/pre-commit").exists() && desk.repo.read("README.md") == b"# A\n");
}

/// A kernel takes sixteen restrictions, one inside the other. Under all of them Jury can make none of its own: it says so, once, in
/// what it prints, in the report and in the record, and reviews all the same.
#[test]
fn where_nobody_can_be_confined_that_is_said_and_the_review_goes_on() {
    let Tried { desk, code, said, written } = tried(16);
    assert!(written.lines().count() > 4, "the same reviewer writes where it is not held: {written}");
    // It wrote into the repository under review, which is noticed.
    assert_eq!(code, Some(4), "{said}");
    assert!(said.contains("the tree changed while it was reviewed"), "{said}");
    assert_eq!(said.matches("Writes were not confined (lint): ").count(), 1, "{said}");
    let report = desk.state().into_iter().find(|(path, _)| path.starts_with(desk.repo.path("docs")));
    let report = String::from_utf8(report.expect("a report is written").1).unwrap();
    assert_eq!(report.matches("Writes were not confined (lint): ").count(), 1, "{report}");
    let records = desk.state();
    assert!(
        records.iter().any(|(_, bytes)| String::from_utf8_lossy(bytes).contains("\"unconfined\"")),
        "it is in the record"
    );
}

/// A program with a sandbox of its own cannot set it up inside another; who may write anywhere is not confined, and that is said.
#[test]
fn a_reviewer_that_may_write_anywhere_is_not_confined() {
    let config = tool("lint", &format!("{WRITER}; {CLEAN}"), "env = [\"TOP\"]").replace("[\"@OUT@\"]", "[\"*\"]");
    let Tried { said, written, .. } = trying(&config, 0);
    assert!(written.lines().count() > 4, "{written}");
    let note = "Writes were not confined (lint): its definition allows writes anywhere";
    assert_eq!(said.matches(note).count(), 1, "{said}");
}

/// What is set for a ready-made agent reaches it, whatever the user has set; and the folders of its state are made.
#[test]
fn a_ready_made_agent_gets_what_is_set_for_it() {
    let desk = Desk::with("[reviewers.correctness]\nkind = \"agent\"\nuse = \"opencode\"\n");
    let program = desk.out("opencode");
    let script = "#!/bin/sh\nprintf '%s' \"$OPENCODE_PERMISSION\" > \"$HOME/.local/state/opencode/permission\"\n";
    fs::write(&program, script).expect("the folder is ours");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("the file is ours");
    let path = format!("{}:{}", desk.out("").display(), std::env::var("PATH").expect("there is a PATH"));
    let mut command = desk.command(&["review", "--trust"]);
    command.env("PATH", path).env("OPENCODE_PERMISSION", "{\"bash\": \"allow\"}");
    let (code, said) = ended(command.spawn().expect("the binary can be started"));
    assert_eq!(code, Some(4), "it has answered nothing: {said}");
    let permission = fs::read_to_string(desk.home().join(".local/state/opencode/permission")).expect("it could write");
    assert!(permission.starts_with("{\"*\":\"deny\",") && !permission.contains("bash"), "{permission}");
}

#[test]
fn a_reviewer_that_is_refused_is_told_the_way_out() {
    let desk = Desk::with(&tool("lint", "echo x > $HOME/cache", ""));
    let (code, said) = desk.run(&["review", "--trust"]);
    // Where nobody refuses it, it has printed nothing all the same.
    assert_eq!(code, Some(4), "{said}");
    assert_eq!(said.contains("the places in `writes`"), has_landlock(), "{said}");
}

#[test]
fn nobody_dumps_its_memory_and_a_fixer_is_free() {
    let desk = Desk::with(&tool("lint", &format!("ulimit -c > @OUT@/core; {CLEAN}"), ""));
    assert_eq!(desk.run(&["review", "--trust"]).0, Some(0));
    assert_eq!(fs::read_to_string(desk.out("core")).unwrap(), "0\n");
    desk.repo.write(
        "src/bad.ts",
        "import { exec } from \"child_process\";\nexport const run = (a: string) => exec(\"ls \" + a);\n",
    );
    let fix = "echo \"export const fine = 1;\" > src/bad.ts; touch \"$HOME/fixed\"";
    let (code, said) = desk.run(&["loop", "--trust", "--", "sh", "-c", fix]);
    assert_eq!(code, Some(0), "{said}");
    assert!(desk.home().join("fixed").exists());
}
