//! Signals in; every program that Jury has started ended, and the exit code of DESIGN §11 out.
//!
//! Whatever a command is doing then is left undone: what it would have written is not there, or all of it is. Deliberately not
//! here: how programs are ended (`jury::process`).

use std::process::exit;
use std::thread;

use jury::process;
use jury_wire::ExitCode;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::render;
use crate::streams::{Color, Streams};

/// Makes this process answer for all that it starts, and heed the signals that ask it to go: by the first it ends what is running,
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
                Streams::new(Color::Auto).remark(&render::note("interrupted; what is running is ended"));
                process::end_all();
                exit(code.code().into());
            });
        }
    });
}

/// Returns the set of signals that whoever started us wants ignored, as `nohup` does.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let set = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    set.and_then(|set| u64::from_str_radix(set.trim(), 16).ok()).unwrap_or_default()
}
