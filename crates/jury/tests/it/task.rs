//! 001's loop driver from outside: on real folders, with real programs, and with files that were tampered with.

#![allow(clippy::unwrap_used, reason = "helpers of tests are tests, too")]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use jury::drivers::task::{self, Content, Contents, Reviewer, RunError, SUMMARY, State, TaskStatus, Watching};
use jury::model::{GateVerdict, Outcome, Role, TaskId};
use jury::process::Bounds;
use jury::store::{Call, Disk, Reports, StoreError, Watch};
use jury_testkit::patience::{PATIENCE, comes_to_be, result_of};
use jury_testkit::repo::TempFolder;
use proptest::prelude::*;

const PASS: &str = "verdict: pass\nconfidence: high\n";
const WARN: &str = "verdict: warn\nconfidence: med\nadvisory: src/a.ts:7 a nit\n";
const FAIL: &str = "verdict: fail\nconfidence: high\nblocker: src/a.ts:3 wrong\nblocker: no test\nadvisory: a nit\n";
const ROLES: [&str; 8] =
    ["qa", "quality", "correctness", "maintainability", "testing", "ts-strict", "cli-readiness", "security"];

fn id(text: &str) -> TaskId {
    TaskId::new(text).unwrap()
}

fn roles(names: &[&str]) -> Vec<Role> {
    names.iter().map(|name| Role::new(name).unwrap()).collect()
}

/// A state dir of its own.
struct Place {
    folder: TempFolder,
}

impl Place {
    fn new() -> Self {
        Self { folder: TempFolder::new() }
    }

    fn state_dir(&self) -> PathBuf {
        self.folder.path().join(".dartai")
    }

    fn reports(&self) -> Reports {
        Reports::make(&self.state_dir()).unwrap()
    }

    fn path(&self, task: &str, name: &str) -> PathBuf {
        self.state_dir().join("reports").join(task).join(name)
    }

    fn write(&self, task: &str, name: &str, text: &str) {
        let path = self.path(task, name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn start(&self, task: &str, expected: &[&str]) {
        task::start(&self.reports(), &id(task), &roles(expected), &[]).unwrap();
    }

    fn look(&self, task: &str) -> TaskStatus {
        task::look(Some(&self.reports()), &id(task), &[]).unwrap()
    }

    fn run(&self, task: &str, role: &str, script: &str) -> Result<TaskStatus, RunError> {
        self.run_within(task, role, script, PATIENCE)
    }

    fn run_within(&self, task: &str, role: &str, script: &str, time: Duration) -> Result<TaskStatus, RunError> {
        let command: Vec<OsString> = ["sh", "-c", script].map(OsString::from).into();
        let reviewer = Reviewer {
            role: &Role::new(role).unwrap(),
            command: &command,
            folder: self.folder.path(),
            reports: &format!(".dartai/reports/{task}"),
            bounds: Bounds { time, output: 1 << 20 },
        };
        task::run(&self.reports(), &id(task), &reviewer)
    }
}

fn stands(standing: &TaskStatus) -> (GateVerdict, Outcome) {
    (standing.gate, standing.outcome)
}

const CLEAR: (GateVerdict, Outcome) = (GateVerdict::Pass, Outcome::Clear);
const BLOCKED: (GateVerdict, Outcome) = (GateVerdict::Fail, Outcome::Blocked);
const INCOMPLETE: (GateVerdict, Outcome) = (GateVerdict::Fail, Outcome::Incomplete);

/// What can happen to a file that states a blocker.
#[derive(Clone, Debug)]
enum Mishap {
    None,
    Removed,
    Emptied,
    CutAt(usize),
    Garbled(Vec<(usize, u8)>),
    LinesLost(Vec<usize>),
    Renamed(String),
    Replaced(Vec<u8>),
    Refused,
}

fn mishap() -> impl Strategy<Value = Mishap> {
    let garbled = proptest::collection::vec((any::<usize>(), any::<u8>()), 1..6);
    let lost = proptest::collection::vec(0_usize..6, 1..4);
    prop_oneof![
        Just(Mishap::None),
        Just(Mishap::Removed),
        Just(Mishap::Emptied),
        any::<usize>().prop_map(Mishap::CutAt),
        garbled.prop_map(Mishap::Garbled),
        lost.prop_map(Mishap::LinesLost),
        "[a-zA-Z0-9._ -]{1,12}(\\.md)?".prop_map(Mishap::Renamed),
        proptest::collection::vec(any::<u8>(), 0..80).prop_map(Mishap::Replaced),
        "(verdict|confidence|blocker|pass|fail|high|: |\n|x){0,12}".prop_map(|text| Mishap::Replaced(text.into())),
        Just(Mishap::Refused),
    ]
}

/// Lets something happen to the file of a role.
fn befall(contents: &mut Contents, name: &str, mishap: &Mishap) {
    let Some(Content::Bytes(bytes)) = contents.remove(name) else { panic!("the file is there") };
    let changed = match mishap {
        Mishap::None => bytes,
        Mishap::Removed => return,
        Mishap::Emptied => Vec::new(),
        Mishap::CutAt(at) => bytes[..at % bytes.len()].to_vec(),
        Mishap::Garbled(changes) => {
            let mut bytes = bytes;
            for (at, byte) in changes {
                let length = bytes.len();
                bytes[at % length] = *byte;
            }
            bytes
        }
        Mishap::LinesLost(lost) => {
            let lines = bytes.split_inclusive(|byte| *byte == b'\n').enumerate();
            lines.filter(|(at, _)| !lost.contains(at)).flat_map(|(_, line)| line.to_vec()).collect()
        }
        Mishap::Renamed(other) => {
            // Nobody is robbed of a report by it.
            contents.entry(other.clone()).or_insert(Content::Bytes(bytes));
            return;
        }
        // Whoever writes a whole pass in its place has changed the verdict, and not garbled it.
        Mishap::Replaced(with) if String::from_utf8_lossy(with).contains(PASS.trim_end()) => return,
        Mishap::Replaced(with) => with.clone(),
        Mishap::Refused => {
            contents.insert(name.to_owned(), Content::Refused("it is a symlink".to_owned()));
            return;
        }
    };
    contents.insert(name.to_owned(), Content::Bytes(changed));
}

proptest! {
    /// Whatever happens to the file that states the blocker, the gate stays closed, and the summary says so as well.
    #[test]
    fn a_blocker_never_becomes_a_pass(
        passing in proptest::sample::subsequence(ROLES[1..].to_vec(), 0..8),
        warns in any::<bool>(),
        text in prop_oneof![
            Just(FAIL.to_owned()),
            Just("```yaml\nverdict: fail\nconfidence: high\nblockers:\n  - \"src/a.ts:3 — wrong\"\nadvisories: []\n```\n".to_owned()),
            Just("qa_report:\n  verdict: REJECT\n  blockers:\n    - \"src/a.ts:3 — wrong\"\n".to_owned()),
        ],
        mishap in mishap(),
    ) {
        let mut contents: Contents = BTreeMap::new();
        contents.insert("qa.md".to_owned(), Content::Bytes(text.into_bytes()));
        for role in &passing {
            let text = if warns { WARN } else { PASS };
            contents.insert(format!("{role}.md"), Content::Bytes(text.into()));
        }
        let expect = roles(&[passing.as_slice(), &["qa"]].concat());
        befall(&mut contents, "qa.md", &mishap);
        let standing = task::decide(&id("T-1"), &contents, &expect);
        prop_assert_eq!(standing.gate, GateVerdict::Fail, "{:?}", standing);
        prop_assert_ne!(standing.outcome, Outcome::Clear);
        prop_assert!(standing.summary().contains("gate \"fail\"\n"));
        prop_assert_eq!(task::decide(&id("T-1"), &contents, &expect).summary(), standing.summary());
    }
}

/// A peer's aggregator, as far as it decides: it looks for bad words, and takes their absence for a pass.
fn peer(files: &[(&str, &str)]) -> &'static str {
    let verdicts: Vec<&str> =
        files.iter().filter_map(|(_, text)| text.lines().find_map(|line| line.strip_prefix("verdict: "))).collect();
    if verdicts.contains(&"fail") {
        "fail"
    } else if verdicts.contains(&"warn") {
        "warn"
    } else {
        "pass"
    }
}

#[test]
fn what_a_peer_lets_pass_does_not_pass_here() {
    for files in [
        &[][..],
        &[("qa.md", "")],
        &[("qa.md", "confidence: high\n")],
        &[("qa.md", "Looks good to me.\n")],
        &[("qa.md", "verdict: FAIL\nconfidence: high\nblocker: src/a.ts:3 wrong\n")],
        &[("qa.md", "verdict: fial\nconfidence: high\nblocker: src/a.ts:3 wrong\n")],
        &[("qa.md", " verdict: fail\nconfidence: high\nblocker: src/a.ts:3 wrong\n")],
        &[("qa.md", "verdict: pass\nconfidence: high\nblocker: src/a.ts:3 wrong\n")],
        &[("qa.md", PASS), ("quality.md", "quota exceeded\n")],
        &[("qa.md", PASS)],
    ] {
        assert_eq!(peer(files), "pass", "{files:?}");
        for expect in [&[][..], &["qa", "quality"]] {
            let place = Place::new();
            place.start("T-1", expect);
            files.iter().for_each(|(name, text)| place.write("T-1", name, text));
            let standing = place.look("T-1");
            assert_eq!(standing.gate, GateVerdict::Fail, "{files:?}");
            assert_ne!(standing.outcome, Outcome::Clear, "{files:?}");
        }
    }
}

#[test]
fn a_start_clears_what_was_there_and_touches_nothing_else() {
    let place = Place::new();
    let outside = place.folder.path().join("outside");
    fs::create_dir(&outside).unwrap();
    fs::write(outside.join("kept"), "kept").unwrap();
    place.write("T-2", "qa.md", PASS);
    place.write("T-1", "qa.md", PASS);
    place.write("T-1", SUMMARY, "old");
    place.write("T-1", "deep/er/file", "x");
    std::os::unix::fs::symlink(&outside, place.path("T-1", "deep/link")).unwrap();
    std::os::unix::fs::symlink(outside.join("kept"), place.path("T-1", "link.md")).unwrap();
    place.start("T-1", &["qa"]);
    assert_eq!(stands(&place.look("T-1")), INCOMPLETE);
    let names: Vec<String> =
        place.reports().task(&id("T-1")).unwrap().unwrap().names().unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, [".jury-task.json"]);
    assert_eq!(fs::read_to_string(outside.join("kept")).unwrap(), "kept");
    assert_eq!(fs::read_to_string(place.path("T-2", "qa.md")).unwrap(), PASS);
    assert_eq!(fs::read_dir(place.state_dir().join("reports")).unwrap().count(), 2, "nothing is left beside the tasks");
    // Started again with others, the task knows only those.
    place.start("T-1", &["security"]);
    place.write("T-1", "security.md", PASS);
    assert_eq!(stands(&place.look("T-1")), CLEAR);
}

#[test]
fn what_stands_where_a_folder_should_be_is_refused() {
    let place = Place::new();
    let outside = place.folder.path().join("outside");
    fs::create_dir_all(outside.join("reports/T-1")).unwrap();
    fs::write(outside.join("reports/T-1/qa.md"), PASS).unwrap();
    std::os::unix::fs::symlink(&outside, place.state_dir()).unwrap();
    assert!(matches!(Reports::make(&place.state_dir()), Err(StoreError::Refused { .. })));
    assert!(matches!(Reports::open(&place.state_dir()), Err(StoreError::Refused { .. })));
    fs::remove_file(place.state_dir()).unwrap();
    place.reports();
    std::os::unix::fs::symlink(outside.join("reports/T-1"), place.path("T-1", "")).unwrap_err();
    std::os::unix::fs::symlink(outside.join("reports/T-1"), place.state_dir().join("reports/T-1")).unwrap();
    let started = task::start(&place.reports(), &id("T-1"), &roles(&["qa"]), &[]);
    assert!(matches!(started, Err(StoreError::Refused { .. })), "{started:?}");
    assert!(task::look(Some(&place.reports()), &id("T-1"), &roles(&["qa"])).is_err());
    assert_eq!(place.reports().tasks().unwrap(), []);
    assert_eq!(fs::read_to_string(outside.join("reports/T-1/qa.md")).unwrap(), PASS);
}

#[test]
fn a_verdict_file_that_is_no_plain_file_is_a_gap() {
    let place = Place::new();
    place.start("T-1", &["qa", "security"]);
    place.write("T-1", "security.md", PASS);
    let outside = place.folder.path().join("verdict");
    fs::write(&outside, PASS).unwrap();
    let qa = place.path("T-1", "qa.md");
    std::os::unix::fs::symlink(&outside, &qa).unwrap();
    assert_eq!(stands(&place.look("T-1")), INCOMPLETE);
    fs::remove_file(&qa).unwrap();
    fs::hard_link(&outside, &qa).unwrap();
    assert_eq!(stands(&place.look("T-1")), INCOMPLETE);
    fs::remove_file(&qa).unwrap();
    fs::create_dir(&qa).unwrap();
    assert_eq!(stands(&place.look("T-1")), INCOMPLETE);
    fs::remove_dir(&qa).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(&qa).status().unwrap().success());
    assert_eq!(stands(&place.look("T-1")), INCOMPLETE);
    fs::remove_file(&qa).unwrap();
    fs::write(&qa, PASS).unwrap();
    assert_eq!(stands(&place.look("T-1")), CLEAR);
}

#[test]
fn secrets_in_a_verdict_file_reach_no_summary() {
    let place = Place::new();
    place.start("T-1", &["qa"]);
    let secret = ["AKIA", "QYLPMN5HHHFPZAM2"].concat();
    place.write(
        "T-1",
        "qa.md",
        &format!("verdict: fail\nconfidence: high\nblocker: src/a.ts:3 the key {secret} is live\n"),
    );
    let standing = place.look("T-1");
    assert_eq!(stands(&standing), BLOCKED);
    assert!(!standing.summary().contains(&secret), "{}", standing.summary());
}

#[test]
fn every_way_to_deliver_is_taken() {
    let place = Place::new();
    let everybody = ["qa", "quality", "security", "testing"];
    place.start("T-1", &everybody);
    let write = "printf 'verdict: pass\\nconfidence: high\\n' > $JURY_VERDICT_FILE";
    place
        .run("T-1", "qa", &format!("{write}; printf \"verdict-file: $JURY_VERDICT_FILE\\nverdict: pass ()\\n\""))
        .unwrap();
    place
        .run(
            "T-1",
            "quality",
            "printf '```yaml\\nverdict: warn\\nconfidence: med\\nblockers: []\\nadvisories: [nit]\\n```\\n'",
        )
        .unwrap();
    place.run("T-1", "security", "printf 'post_task_report:\\n  verdict: PASS\\n  blockers: []\\n'").unwrap();
    let last = place.run("T-1", "testing", write).unwrap();
    assert_eq!(stands(&last), (GateVerdict::Warn, Outcome::Clear), "{last:?}");
    assert_eq!(
        fs::read_to_string(place.path("T-1", "quality.md")).unwrap(),
        "verdict: warn\nconfidence: med\nadvisory: nit\n"
    );
    // Replay from the files alone: another driver that knows only the folder comes to the same bytes.
    let copy = Place::new();
    for role in everybody {
        copy.write(
            "T-1",
            &format!("{role}.md"),
            &fs::read_to_string(place.path("T-1", &format!("{role}.md"))).unwrap(),
        );
    }
    let replayed = task::look(Some(&copy.reports()), &id("T-1"), &roles(&everybody)).unwrap();
    assert_eq!(replayed.summary(), place.look("T-1").summary());
}

#[test]
fn a_run_that_goes_wrong_is_never_the_run_before_it() {
    let write = "printf 'verdict: pass\\nconfidence: high\\n' > $JURY_VERDICT_FILE";
    for (script, outcome) in [
        ("true", INCOMPLETE),
        ("exit 3", INCOMPLETE),
        ("kill -9 $$", INCOMPLETE),
        ("echo LGTM", INCOMPLETE),
        ("echo null", INCOMPLETE),
        ("yes", INCOMPLETE),
        ("sleep 60", INCOMPLETE),
        ("printf 'verdict-file: %s\\nverdict: pass ()\\n' $JURY_VERDICT_FILE", INCOMPLETE),
        ("printf 'verdict-file: ../../../etc/passwd\\nverdict: pass ()\\n'", INCOMPLETE),
        (&format!("{write}; exit 1"), INCOMPLETE),
        (&format!("{write}; sleep 60"), INCOMPLETE),
        (&format!("{write}; printf 'verdict-file: %s\\nverdict: fail (wrong)\\n' $JURY_VERDICT_FILE"), INCOMPLETE),
        (
            &format!(
                "{write}; printf '```yaml\\nverdict: fail\\nconfidence: high\\nblockers: [x]\\nadvisories: []\\n```\\n'"
            ),
            INCOMPLETE,
        ),
        ("printf 'verdict: fail\\nconfidence: high\\nblocker: x\\n' > $JURY_VERDICT_FILE; exit 1", BLOCKED),
    ] {
        let place = Place::new();
        place.start("T-1", &["qa"]);
        assert_eq!(stands(&place.run("T-1", "qa", write).unwrap()), CLEAR);
        task::write_summary(&place.reports(), &place.look("T-1")).unwrap();
        let time = if script.contains("sleep") { Duration::from_millis(1_500) } else { PATIENCE };
        let after = place.run_within("T-1", "qa", script, time).unwrap();
        assert_eq!(stands(&after), outcome, "{script}: {after:?}");
        assert!(!place.path("T-1", SUMMARY).exists(), "{script}: the summary of the run before is gone");
        assert_eq!(place.look("T-1"), after, "{script}: the files alone say the same");
    }
}

#[test]
fn a_task_that_was_not_started_is_not_run() {
    let place = Place::new();
    assert!(matches!(place.run("T-1", "qa", "true"), Err(RunError::NotStarted(_))));
    assert!(!place.path("T-1", "").exists());
}

#[test]
fn while_a_reviewer_runs_nobody_takes_its_place() {
    let place = Place::new();
    place.start("T-1", &["qa"]);
    std::thread::scope(|scope| {
        let script = "printf 'verdict: pass\\nconfidence: high\\n' > $JURY_VERDICT_FILE; touch running; while [ ! -e go ]; do sleep 0.02; done";
        let first = scope.spawn(|| place.run("T-1", "qa", script));
        wait_for(|| place.folder.path().join("running").exists());
        // The file is there and says pass, but its reviewer has not ended.
        let standing = place.look("T-1");
        assert_eq!((stands(&standing), standing.roles[0].state), (INCOMPLETE, State::Running));
        assert!(matches!(place.run("T-1", "qa", "true"), Err(RunError::Store(StoreError::Locked { .. }))));
        let again = task::start(&place.reports(), &id("T-1"), &roles(&["qa"]), &[]);
        assert!(matches!(again, Err(StoreError::Locked { .. })), "{again:?}");
        fs::write(place.folder.path().join("go"), "").unwrap();
        assert_eq!(stands(&first.join().unwrap().unwrap()), CLEAR);
    });
    place.start("T-1", &["qa"]);
    assert_eq!(stands(&place.look("T-1")), INCOMPLETE);
}

fn wait_for(is_so: impl Fn() -> bool) {
    assert!(comes_to_be(is_so), "it never happened");
}

fn watching(task: Option<&str>, expect: &[&str], timeout: Duration, linger: Duration) -> Watching {
    Watching { task: task.map(id), expect: roles(expect), timeout, linger }
}

/// So long that a watch which ends within `PATIENCE` has not ended by its time-out.
const LONG: Duration = PATIENCE.saturating_mul(4);

/// Watches until everybody has reported, and not until the time-out.
fn watched(reports: Reports, task: &'static str) -> Vec<TaskStatus> {
    result_of(move || task::watch(&reports, &watching(Some(task), &[], LONG, Duration::ZERO), |_| ()).unwrap())
}

#[test]
fn a_watch_ends_when_the_last_has_reported() {
    let place = Place::new();
    place.start("T-1", &["qa", "quality"]);
    let standings = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            place.write("T-1", "qa.md", PASS);
            // A file that is written in two halves is not a report that cannot be understood.
            place.write("T-1", "quality.md", "verdict: wa");
            std::thread::sleep(Duration::from_millis(300));
            place.write("T-1", "quality.md", WARN);
        });
        watched(place.reports(), "T-1")
    });
    assert_eq!(standings.iter().map(stands).collect::<Vec<_>>(), [(GateVerdict::Warn, Outcome::Clear)]);
    assert_eq!(fs::read_to_string(place.path("T-1", SUMMARY)).unwrap(), standings[0].summary());
}

#[test]
fn who_has_not_reported_in_time_is_missing() {
    let place = Place::new();
    place.start("T-1", &["qa", "quality"]);
    place.write("T-1", "qa.md", PASS);
    let short = Duration::from_millis(300);
    let watched = task::watch(&place.reports(), &watching(Some("T-1"), &[], short, Duration::ZERO), |_| ()).unwrap();
    assert_eq!(watched.iter().map(stands).collect::<Vec<_>>(), [INCOMPLETE]);
    assert!(fs::read_to_string(place.path("T-1", SUMMARY)).unwrap().contains("missing \"quality\""));
    // A task that nobody started, and no task at all.
    let watched =
        task::watch(&place.reports(), &watching(Some("T-9"), &["qa"], short, Duration::ZERO), |_| ()).unwrap();
    assert_eq!(watched.iter().map(stands).collect::<Vec<_>>(), [INCOMPLETE]);
    assert!(!place.path("T-9", "").exists());
    assert_eq!(task::watch(&Place::new().reports(), &watching(None, &[], short, Duration::ZERO), |_| ()).unwrap(), []);
}

#[test]
fn a_file_that_stays_garbled_is_not_waited_for_to_the_end() {
    let place = Place::new();
    place.start("T-1", &["qa"]);
    place.write("T-1", "qa.md", "verdict: pass\n");
    let watched = watched(place.reports(), "T-1");
    assert_eq!(watched.iter().map(stands).collect::<Vec<_>>(), [INCOMPLETE]);
}

#[test]
fn late_writes_and_new_tasks_are_seen() {
    let place = Place::new();
    place.start("T-1", &["qa"]);
    place.write("T-1", "qa.md", PASS);
    let mut seen = Vec::new();
    let all = watching(None, &[], LONG, Duration::from_millis(2_500));
    let see = |standing: &TaskStatus| {
        seen.push((standing.task.to_string(), standing.gate));
        // Everybody has reported, and the watch goes on for a while.
        if seen.len() == 1 {
            place.write("T-1", "qa.md", FAIL);
            place.start("T-2", &["security"]);
            place.write("T-2", "security.md", PASS);
        }
    };
    let watched = task::watch(&place.reports(), &all, see).unwrap();
    assert_eq!(watched.iter().map(stands).collect::<Vec<_>>(), [BLOCKED, CLEAR]);
    let changes = |task: &str| seen.iter().filter(|(of, _)| of == task).map(|(_, gate)| *gate).collect::<Vec<_>>();
    assert_eq!(changes("T-1").first(), Some(&GateVerdict::Pass));
    assert_eq!(changes("T-1").last(), Some(&GateVerdict::Fail));
    assert!(fs::read_to_string(place.path("T-1", SUMMARY)).unwrap().contains("gate \"fail\""));
    assert!(fs::read_to_string(place.path("T-2", SUMMARY)).unwrap().contains("gate \"pass\""));
}

/// Lets one call fail.
struct FailAt {
    left: AtomicUsize,
}

impl Watch for FailAt {
    fn before(&self, _: &Call) -> std::io::Result<Option<usize>> {
        match self.left.fetch_sub(1, Ordering::Relaxed) {
            0 => Err(std::io::Error::from_raw_os_error(28)),
            _ => Ok(None),
        }
    }
}

/// FAULTS rows 1 and 2: whichever call of a start fails, the task is as it was, or nothing of it is left.
#[test]
fn a_start_that_fails_leaves_the_old_task_or_an_empty_one() {
    let (mut as_before, mut cleared) = (0, 0);
    for nth in 0.. {
        let place = Place::new();
        place.start("T-1", &["qa"]);
        place.write("T-1", "qa.md", PASS);
        let before = place.look("T-1");
        let disk = Disk::watched(Arc::new(FailAt { left: AtomicUsize::new(nth) }));
        let reports = Reports::make_on(&place.state_dir(), &disk);
        let started = reports.and_then(|reports| task::start(&reports, &id("T-1"), &roles(&["security"]), &[]));
        let after = place.look("T-1");
        if started.is_ok() {
            assert!(nth > 5, "every call was made to fail");
            break;
        }
        if after == before {
            as_before += 1;
        } else {
            cleared += 1;
            assert_eq!(stands(&after), INCOMPLETE, "call {nth}: {after:?}");
            assert!(after.roles.iter().all(|role| role.file.is_none()), "call {nth}: {after:?}");
        }
        // The next start works, and leaves nothing of the one that failed.
        place.start("T-1", &["qa"]);
        assert_eq!(names(&place.state_dir().join("reports")), ["T-1"], "call {nth}");
    }
    assert!(as_before > 0 && cleared > 0, "{as_before} {cleared}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = entries.collect();
    names.sort();
    names
}
