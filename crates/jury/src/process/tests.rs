//! Programs that end in every way of FAULTS 14 and 15.

use std::sync::atomic::{AtomicUsize, Ordering};

use jury_testkit::patience::{PATIENCE, comes_to_be};

use super::*;

/// The time is longer than any of these takes on a loaded machine: only the tests about it may come to its end.
const BOUNDS: Bounds = Bounds { time: PATIENCE, output: 1 << 20 };
/// Long enough for a shell to start, usually.
const SHORT: Duration = Duration::from_secs(1);

fn shell(script: &str, bounds: Bounds) -> Ended {
    run(Command::new("sh").args(["-c", script]), None, bounds, None)
}

/// Tells whether a process of that number outlives its kill, which the system may take a moment for.
fn outlives(pid: &[u8]) -> bool {
    let stat = format!("/proc/{}/stat", String::from_utf8_lossy(pid).trim());
    let is_alive = || std::fs::read_to_string(&stat).is_ok_and(|status| !status.contains(") Z "));
    assert!(pid.trim_ascii().iter().all(u8::is_ascii_digit) && !pid.is_empty(), "the number was printed");
    !comes_to_be(|| !is_alive())
}

#[test]
fn how_a_program_ends_is_told() {
    let ended = shell("echo out; echo err >&2; echo; echo last >&2", BOUNDS);
    assert_eq!((ended.how.clone(), ended.printed.as_slice()), (How::Exited(0), b"out\n\n".as_slice()));
    assert_eq!(ended.trouble(&[0]), None);
    let ended = shell("echo why >&2; exit 3", BOUNDS);
    assert_eq!(ended.trouble(&[0, 1]).unwrap(), "ended with exit code 3: why");
    assert_eq!(shell("kill -9 $$", BOUNDS).how, How::Killed(9));
    let missing = run(&mut Command::new("/no/such/program"), None, BOUNDS, None);
    assert!(matches!(missing.how, How::NotStarted(_)), "{missing:?}");
}

#[test]
fn preparations_are_made_once_before_the_first_program() {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    before_first(|| _ = MADE.fetch_add(1, Ordering::SeqCst));
    assert_eq!(shell("true", BOUNDS).how, How::Exited(0));
    assert_eq!(MADE.load(Ordering::SeqCst), 1);
    assert_eq!(shell("true", BOUNDS).how, How::Exited(0));
    assert_eq!(MADE.load(Ordering::SeqCst), 1);
}

#[test]
fn whoever_takes_too_long_goes_with_all_of_its_group() {
    // On a loaded machine, a shell may take longer to start than the first of these.
    let mut ended = [SHORT, 10 * SHORT, 100 * SHORT].into_iter().map(|time| {
        let ended = shell("trap '' TERM; sleep 3600 & echo $!; wait; sleep 3600", Bounds { time, ..BOUNDS });
        assert!(matches!(ended.how, How::TimedOut(_)), "{ended:?}");
        ended
    });
    let ended = ended.find(|ended| !ended.printed.is_empty()).expect("the shell starts");
    assert!(!outlives(&ended.printed), "a child outlived its group");
}

#[test]
fn a_child_left_behind_in_the_group_is_killed_with_it() {
    for (script, how) in [
        ("sleep 3600 >/dev/null 2>&1 & echo $!", How::Exited(0)),
        // Only standard output has the findings.
        ("sleep 3600 >/dev/null & echo $!", How::Exited(0)),
        ("sleep 3600 & echo $!", How::HeldOpen),
    ] {
        let ended = shell(script, BOUNDS);
        assert_eq!(ended.how, how, "{script}");
        assert!(!outlives(&ended.printed), "{script}: a child outlived its group");
    }
}

#[test]
fn whoever_is_left_behind_has_a_moment_to_say_the_rest() {
    let ended = shell("(sleep 0.05; echo late) & echo early", BOUNDS);
    assert_eq!((ended.how, ended.printed.as_slice()), (How::Exited(0), b"early\nlate\n".as_slice()));
}

#[test]
fn whoever_runs_openly_is_held_to_the_time_all_the_same() {
    let run = |script: &str, time| run_openly(Command::new("sh").args(["-c", script]), time).how;
    assert_eq!(run("exit 4", BOUNDS.time), How::Exited(4));
    // It ends long after the test; waiting for it would time out.
    assert_eq!(run("setsid sleep 400 >/dev/null 2>&1 & exit 0", BOUNDS.time), How::Exited(0));
    assert!(matches!(run("trap '' TERM; sleep 3600 & wait; sleep 3600", GRACE), How::TimedOut(_)));
}

#[test]
fn nobody_who_left_the_group_can_hold_it_up() {
    let ended = shell("setsid sleep 400 & sleep 0.5; echo started", BOUNDS);
    assert_eq!(ended.how, How::HeldOpen);
}

#[test]
fn a_flood_is_cut_off_on_either_stream() {
    let bounds = Bounds { output: 1_000, ..BOUNDS };
    let ended = shell("yes", bounds);
    assert_eq!((ended.how, ended.printed.len()), (How::Flooded(1_000), 1_000));
    let ended = shell("head -c 3000000 /dev/zero >&2; echo done", bounds);
    assert_eq!((ended.how, ended.printed.as_slice()), (How::Exited(0), b"done\n".as_slice()));
}

#[test]
fn two_gigabytes_one_line_and_nuls_end_at_the_cap() {
    let bounds = Bounds { output: 1 << 16, ..BOUNDS };
    for script in ["head -c 2000000000 /dev/zero", "yes | tr -d '\\n'", "yes & yes >&2"] {
        let ended = shell(script, bounds);
        assert_eq!((ended.how, ended.printed.len()), (How::Flooded(1 << 16), 1 << 16), "{script}");
    }
}

#[test]
fn a_double_fork_within_the_group_is_killed_and_leaves_no_zombie() {
    let ended = shell("(sleep 3600 & echo $!) & wait", BOUNDS);
    assert_eq!(ended.how, How::HeldOpen);
    assert!(!outlives(&ended.printed), "a grandchild outlived its group");
    let ended = shell("echo $$", BOUNDS);
    let stat = format!("/proc/{}", String::from_utf8_lossy(&ended.printed).trim());
    assert!(!std::path::Path::new(&stat).exists(), "the program was not reaped");
}

#[test]
fn no_file_of_ours_is_open_in_the_program() {
    let name = std::env::current_exe().unwrap();
    let ours = File::open(&name).unwrap();
    let ended = shell("ls -l /proc/self/fd", BOUNDS);
    let name = name.file_name().unwrap().to_string_lossy().into_owned();
    let listed = String::from_utf8_lossy(&ended.printed).into_owned();
    assert!(listed.contains("pipe:") && !listed.contains(&name), "{listed}");
    drop(ours);
}

#[test]
fn what_is_given_is_read_or_not() {
    let given = |text: &str| {
        let path = std::env::temp_dir().join(format!("jury-given-{}-{}", std::process::id(), text.len()));
        std::fs::write(&path, text).unwrap();
        let file = File::open(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        file
    };
    let ended = run(&mut Command::new("cat"), Some(given("brief")), BOUNDS, None);
    assert_eq!(ended.printed, b"brief");
    let unread = run(&mut Command::new("true"), Some(given(&"x".repeat(1 << 20))), BOUNDS, None);
    assert_eq!(unread.how, How::Exited(0));
}

#[test]
fn nothing_can_be_written_but_where_it_may_be() {
    let folder = |name: &str| {
        let path = std::env::temp_dir().join(format!("jury-confined-{}-{name}", std::process::id()));
        ScratchDir::new(path).expect("the name is new")
    };
    let (own, other) = (folder("own"), folder("other"));
    std::fs::write(other.path().join("kept"), "kept").unwrap();
    let script = format!(
        "cd {}; echo a > a && mkdir b && mv a b/a && cat b/a; echo c > /dev/null || exit 3; cd {}; \
         echo x > new || echo no; echo x >> kept || echo no; rm kept || echo no; mv kept moved || echo no; \
         mkdir new || echo no; ln -s kept new || echo no; truncate -s 0 kept || echo no; cat kept",
        own.path().display(),
        other.path().display()
    );
    let writable = [own.path().to_path_buf(), "/no/such/place".into()];
    let run = |writable: Option<&[PathBuf]>| run(Command::new("sh").args(["-c", &script]), None, BOUNDS, writable);
    let ended = run(Some(&writable));
    let printed = String::from_utf8_lossy(&ended.printed).into_owned();
    match ended.unconfined {
        None => assert_eq!(printed, format!("a\n{}kept", "no\n".repeat(7))),
        Some(why) => assert!(why.contains("Landlock"), "{why}"),
    }
    assert!(std::fs::write(other.path().join("kept"), "kept").is_ok(), "we ourselves are as free as before");
    std::fs::remove_dir_all(own.path().join("b")).ok();
    let free = run(None);
    let printed = String::from_utf8_lossy(&free.printed).into_owned();
    // Unconfined, all succeeds but to move a file that is removed by then, and to make one that exists.
    assert_eq!((free.unconfined, printed.as_str()), (None, "a\nno\nno\nno\n"));
}

#[test]
fn the_last_words_of_json_are_its_message() {
    let json = b"warning\n{\n  \"error\": {\n    \"message\": \"no such key\",\n    \"code\": 401\n  }\n}\n";
    assert_eq!(super::last_line(json), "\"message\": \"no such key\",");
    assert_eq!(super::last_line(b"one\n\n two \n\n"), "two");
    assert_eq!(super::last_line(b"at f() {\n}\n"), "}");
    assert_eq!(super::last_line(b"{\"message\": 1}\nlast\n"), "last");
    let node = b"Oops!\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'\n    at a (b:1)\n    at c\nNode.js v22\n";
    assert_eq!(super::last_line(node), "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x'");
    let required =
        b"throw err;\n^\n\nError: Cannot find module 'y'\nRequire stack:\n- /z.js\n    at a (b:1) {\n  code: 'X'\n}\n";
    assert_eq!(super::last_line(required), "Error: Cannot find module 'y'");
}
