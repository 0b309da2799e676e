//! Signals in; every program that Jury has started ended, and the exit code of DESIGN §11 out.
//!
//! The running command is aborted: its output is missing or complete. Deliberately not
//! here: how programs are ended (`jury::process`).

use std::process::exit;
use std::thread;

use jury::process;
use jury_wire::ExitCode;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::render;
use crate::streams::{Color, Streams};

/// Makes this process answer for all that it starts, and heed the signals that ask it to go: by the first it ends the running processes,
/// and then itself; by the second both at once.
pub(crate) fn heed() {
    process::answer_for_all();
    let ignored = ignored();
    let heeded = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored & (1 << (signal - 1)) == 0);
    // Where they cannot be heeded they act as they always do.
    let Ok(mut signals) = Signals::new(heeded) else { return };
    thread::spawn(move || {
        let mut is_ending = false;
        for signal in signals.forever() {
            let code = if signal == SIGINT { ExitCode::Interrupted } else { ExitCode::Terminated };
            if is_ending {
                process::kill_all();
                exit(code.code().into());
            }
            is_ending = true;
            thread::spawn(move || {
                Streams::new(Color::Auto).remark(&render::note("interrupted; ending running processes"));
                process::end_all();
                exit(code.code().into());
            });
        }
    });
}

/// Returns the signals that the parent process ignores, as `nohup` does.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or_default()
}
