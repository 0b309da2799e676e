//! Processes that are killed, and processes that all want to write at once: rows 1, 4, 5 and 11 of the faults, through the
//! real binary.
//!
//! Row 1 kills at moments drawn from a fixed seed; what the scheduler makes of them is another matter in every run, so each
//! round is held to the rule and not to a script.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use jury_testkit::campaign;
use jury_testkit::repo::TempFolder;
use serde_json::Value;

use crate::binary::jury;

/// A repository whose change has this many findings, reviewed once.
struct Reviewed {
    place: TempFolder,
    ids: Vec<String>,
}

impl Reviewed {
    fn with_findings(number: usize) -> Self {
        let place = TempFolder::new();
        let reviewed = Self { place, ids: Vec::new() };
        git(reviewed.root(), &["init", "-q", "-b", "main", "."]);
        fs::write(reviewed.root().join("read.me"), "A start.\n").expect("the folder is ours");
        git(reviewed.root(), &["add", "."]);
        git(reviewed.root(), &["commit", "-q", "-m", "Start"]);
        git(reviewed.root(), &["checkout", "-q", "-b", "work"]);
        fs::write(reviewed.root().join("one.ts"), "export const one = 1;\n").expect("the folder is ours");
        git(reviewed.root(), &["add", "."]);
        git(reviewed.root(), &["commit", "-q", "-m", "Work"]);
        // Uncommitted, so that a quick check finds them, too.
        let lines: Vec<String> = (0..number).map(|nth| format!("console.log(\"line {nth} of many\");\n\n")).collect();
        fs::write(reviewed.root().join("many.ts"), lines.concat()).expect("the folder is ours");
        assert_eq!(reviewed.run(&["review"]).0, Some(0));
        let ids = texts(&reviewed.file(), "id");
        assert_eq!(ids.len(), number);
        Self { ids, ..reviewed }
    }

    fn root(&self) -> &Path {
        self.place.path()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = jury(arguments);
        command.current_dir(self.root()).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = self.command(arguments).output().expect("the binary can be started");
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).expect("the binary writes UTF-8"))
    }

    fn latest(&self) -> PathBuf {
        self.root().join(".code-review/review-latest.json")
    }

    /// Reads the verdict file, which has to parse at any moment.
    fn file(&self) -> Value {
        let text = fs::read(self.latest()).expect("the verdict file is always there");
        serde_json::from_slice(&text).expect("the verdict file always parses")
    }

    /// Reads the verdict file that counts, whether it has been written already or not.
    fn sealed(&self) -> Value {
        let text = fs::read(self.root().join(".git/jury/seal.json")).expect("the seal is always there");
        let seal: Value = serde_json::from_slice(&text).expect("the seal always parses");
        seal["latest"]["file"].clone()
    }

    fn statuses(&self) -> Vec<String> {
        texts(&self.file(), "status")
    }
}

/// Returns one member of every finding of a verdict file.
fn texts(file: &Value, member: &str) -> Vec<String> {
    let findings = file["findings"].as_array().expect("a verdict file has findings").iter();
    findings.map(|finding| finding[member].as_str().expect("the member is a text").to_owned()).collect()
}

fn git(folder: &Path, arguments: &[&str]) {
    let who = ["-c", "user.name=A. U. Thor", "-c", "user.email=author@example.com"];
    let status = Command::new("git").args(who).args(arguments).current_dir(folder).status();
    assert!(status.expect("git can be started").success(), "git {arguments:?}");
}

/// Draws numbers that are the same in every run (a linear congruence; nothing here needs better ones).
struct Draw(u64);

impl Draw {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }
}

/// Row 1: a thousand kills in a full campaign leave the file as it was before or as it is after, and never a verdict without its record.
#[test]
fn a_thousand_kills_leave_before_or_after() {
    let kills = campaign::size(1_000);
    let reviewed = Reviewed::with_findings(3);
    let mut draw = Draw(1);
    let (mut killed, mut rounds, mut changed) = (0, 0, 0);
    // The moments are drawn from as long a time, in microseconds, as a review and a mark take here and now, under whatever load.
    let time_of = |arguments: &[&str]| {
        let start = Instant::now();
        assert_eq!(reviewed.run(arguments).0, Some(0), "{arguments:?}");
        u64::try_from(start.elapsed().as_micros()).expect("it does not take years")
    };
    let (mut review_time, mut mark_time) = (time_of(&["review"]), time_of(&["mark", &reviewed.ids[0], "fixed"]));
    while killed < kills {
        rounds += 1;
        assert!(rounds < 4 * kills, "the processes end before they can be killed: {killed} of {rounds}");
        let (before, sealed_before) = (reviewed.file(), reviewed.sealed());
        let id = reviewed.ids[draw.below(3) as usize].as_str();
        let status = ["fixed", "wont_fix", "open"][draw.below(3) as usize];
        let arguments = match draw.below(8) {
            0 => vec!["review"],
            1 => vec!["review", "--quick"],
            _ => vec!["mark", id, status],
        };
        let mut child = reviewed.command(&arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let longest = if arguments[0] == "review" { &mut review_time } else { &mut mark_time };
        std::thread::sleep(Duration::from_micros(draw.below(*longest)));
        child.kill().unwrap();
        if child.wait().unwrap().code().is_none() {
            killed += 1;
            *longest += *longest / 32;
        } else {
            // So that about one in five ends before it is killed, however fast the machine is.
            *longest -= *longest / 8;
        }
        let (after, sealed_after) = (reviewed.file(), reviewed.sealed());
        changed += usize::from(after != before);
        // What an earlier process had sealed may be what this one wrote.
        assert!([&before, &sealed_before, &sealed_after].contains(&&after), "{before} became {after}");
        if sealed_after != sealed_before {
            let expected = match arguments[0] {
                "mark" => marked(&sealed_before, id, status),
                _ => vec!["open".to_owned(); reviewed.ids.len()],
            };
            assert_eq!(texts(&sealed_after, "status"), expected, "{arguments:?} after {sealed_before}");
            let is_same_review = sealed_after["reviewId"] == sealed_before["reviewId"];
            assert_eq!(is_same_review, arguments[0] == "mark", "{arguments:?} after {sealed_before}");
        }
        // Asking costs as much as a round; every tenth is enough, and the last.
        if rounds % 10 == 0 || killed == kills {
            assert_sound(&reviewed);
        }
    }
    assert!(changed > 0, "some process came far enough to change something");
    // The state is whole: the next review and the gate go on as if nothing had happened.
    for command in [&["review"][..], &["gate", "--worktree"]] {
        let (code, said) = reviewed.run(command);
        assert_eq!(code, Some(0), "{command:?}: {said}");
    }
    let leftover: Vec<String> = names(&reviewed.root().join(".code-review"));
    assert!(leftover.iter().all(|name| name.ends_with(".json") || name == ".gitignore"), "{leftover:?}");
}

/// What a killed process had begun to write is no part of the change.
#[test]
fn what_was_half_written_is_not_reviewed() {
    let reviewed = Reviewed::with_findings(1);
    assert_eq!(reviewed.run(&["gate", "--worktree"]).0, Some(0));
    fs::create_dir_all(reviewed.root().join("docs/code-reviews")).expect("the folder is ours");
    for folder in [".code-review", "docs/code-reviews"] {
        for command in [&["gate", "--worktree"][..], &["review"]] {
            let half = reviewed.root().join(folder).join(".jury-tmp-1-0");
            fs::write(&half, "{").expect("the folder is ours");
            let (code, said) = reviewed.run(command);
            assert_eq!(code, Some(0), "{folder} {command:?}: {said}");
            assert!(!half.exists(), "{folder} {command:?}");
        }
    }
}

/// Returns the statuses that a mark makes of a verdict file.
fn marked(file: &Value, id: &str, status: &str) -> Vec<String> {
    let findings = texts(file, "id").into_iter().zip(texts(file, "status"));
    findings.map(|(of, was)| if of == id { status.to_owned() } else { was }).collect()
}

/// Whatever was killed, Jury knows where it stands, and what it says has a record that gives the same decision.
fn assert_sound(reviewed: &Reviewed) {
    let (code, said) = reviewed.run(&["status"]);
    assert_eq!(code, Some(0), "{said}");
    let id = reviewed.file()["reviewId"].as_str().expect("a review has an id").to_owned();
    let (code, said) = reviewed.run(&["replay", &id]);
    assert_eq!(code, Some(0), "a verdict without a record of a complete run: {said}");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder)
        .expect("the folder can be read")
        .map(|entry| entry.expect("the folder can be read").file_name());
    let mut names: Vec<String> = entries.map(|name| name.to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Row 4: 32 processes at a time, each one finding, 50 times in a full campaign: every update is there in the end.
#[test]
fn many_processes_mark_at_once_and_none_is_lost() {
    const WRITERS: usize = 32;
    // Each waits for the lock for a third of a minute.
    const TRIES: usize = 45;
    let marks_of_each = campaign::size(50);
    let reviewed = Reviewed::with_findings(WRITERS);
    std::thread::scope(|scope| {
        for id in &reviewed.ids {
            let reviewed = &reviewed;
            scope.spawn(move || {
                for left in (0..marks_of_each).rev() {
                    // The last one is `fixed`, and every one is a change.
                    let status = if left % 2 == 0 { "fixed" } else { "wont_fix" };
                    // On a machine that is busy with other work, a writer may wait in vain, says so and loses nothing.
                    let mark = || {
                        let (code, said) = reviewed.run(&["mark", id, status]);
                        (!said.contains("try again when they are done")).then_some((code, said))
                    };
                    let (code, said) =
                        std::iter::repeat_with(mark).take(TRIES).find_map(|said| said).expect("it gets the lock");
                    assert_eq!(code, Some(0), "{id} {left}: {said}");
                }
            });
        }
    });
    assert_eq!(reviewed.statuses(), vec!["fixed"; WRITERS]);
    let marks = fs::read_to_string(reviewed.root().join(".git/jury/marks.jsonl")).unwrap();
    for id in &reviewed.ids {
        let of_this: Vec<Value> = marks
            .lines()
            .map(|line| serde_json::from_str(line).expect("every line of the marks is JSON"))
            .filter(|mark: &Value| mark["id"] == id.as_str())
            .collect();
        assert_eq!(of_this.len(), marks_of_each, "{id}");
        assert!(of_this.windows(2).all(|pair| pair[0]["to"] == pair[1]["from"]), "{id}: the marks are in their order");
    }
}

/// Row 5: whoever held the lock and was killed holds it no longer, though the lock file is left.
#[test]
fn the_lock_of_a_killed_process_is_free() {
    let reviewed = Reviewed::with_findings(1);
    let lock = reviewed.root().join(".git/jury/lock");
    assert!(lock.exists());
    let script = "exec 9<> .git/jury/lock && flock -x 9 && echo held && sleep 600";
    let mut holder = Command::new("sh")
        .args(["-c", script])
        .current_dir(reviewed.root())
        .stdout(Stdio::piped())
        .spawn()
        .expect("a shell can be started");
    let mut said = [0; 5];
    std::io::Read::read_exact(holder.stdout.as_mut().unwrap(), &mut said).expect("the lock is free at first");
    // While it is held, reading goes on and writing waits.
    assert_eq!(reviewed.run(&["status"]).0, Some(0));
    let mut waiting = reviewed.command(&["mark", &reviewed.ids[0], "fixed"]).spawn().unwrap();
    std::thread::sleep(Duration::from_millis(300));
    assert!(waiting.try_wait().unwrap().is_none(), "a writer waits for the one before it");
    assert_eq!(reviewed.statuses(), ["open"]);
    // The shell's child has the lock, too, so both are ended; the lock file stays.
    end_with_children(&mut holder);
    assert_eq!(waiting.wait().unwrap().code(), Some(0));
    assert_eq!(reviewed.statuses(), ["fixed"]);
    assert!(lock.exists());
}

fn end_with_children(holder: &mut std::process::Child) {
    let children = format!("/proc/{0}/task/{0}/children", holder.id());
    let children = fs::read_to_string(children).unwrap_or_default();
    holder.kill().expect("the holder still runs");
    holder.wait().expect("the holder was killed");
    for child in children.split_whitespace() {
        Command::new("kill").args(["-9", child]).status().expect("the child of the shell can be ended");
    }
}

/// Row 11: a tree that is changed all the while is never judged as if it had stood still.
#[test]
fn a_tree_that_changes_under_a_review_is_noticed() {
    let reviewed = Reviewed::with_findings(1);
    let (path, draft) = (reviewed.root().join("busy.ts"), reviewed.root().join(".git/draft"));
    let is_over = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut nth = 0_u64;
            while !is_over.load(std::sync::atomic::Ordering::Relaxed) {
                nth += 1;
                // Replaced as a whole: no state of the file ever comes back, not even the empty one.
                fs::write(&draft, format!("export const busy = {nth};\n")).unwrap();
                fs::rename(&draft, &path).unwrap();
            }
        });
        let outcomes: Vec<(Option<i32>, String)> = (0..10).map(|_| reviewed.run(&["review"])).collect();
        is_over.store(true, std::sync::atomic::Ordering::Relaxed);
        for (code, said) in outcomes {
            assert_eq!(code, Some(4), "{said}");
            // A file that is replaced at every look cannot be read, and that is the reason then.
            assert!(said.contains("changed while") || said.contains("could not be read"), "{said}");
        }
    });
    assert_eq!(reviewed.run(&["gate"]).0, Some(4), "nothing of that opens the gate");
    assert_eq!(reviewed.run(&["review"]).0, Some(0));
    assert_eq!(reviewed.run(&["gate", "--worktree"]).0, Some(0), "a tree that stands still is judged");
}
