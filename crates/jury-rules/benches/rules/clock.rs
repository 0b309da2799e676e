//! Time that was worked. In: nothing. Out: the CPU time of this process, all of its threads, and of the processes that it
//! waited for, where Linux tells the latter: on a busy machine most of the time on the wall is other people's.

use std::fs;
use std::hint::black_box;
use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// A moment to measure from.
pub(crate) struct Clock(Duration);

impl Clock {
    pub(crate) fn start() -> Self {
        Self(worked())
    }

    pub(crate) fn elapsed(&self) -> Duration {
        worked().saturating_sub(self.0)
    }
}

/// How long is measured at the least: Linux counts children in hundredths.
const LEAST: Duration = Duration::from_millis(250);

/// Runs something until enough time was worked, and returns the time of one run.
pub(crate) fn per_run(mut run: impl FnMut()) -> Duration {
    let clock = Clock::start();
    for runs in 1.. {
        run();
        let elapsed = clock.elapsed();
        if elapsed >= LEAST {
            return elapsed / runs;
        }
    }
    unreachable!("time passes")
}

/// Fails if the same work is not measured alike on this thread and on one of its own, as reviews run: a clock that sees
/// only one of them would print how fast threads are started.
pub(crate) fn check() {
    let on_a_thread = || std::thread::scope(|threads| threads.spawn(work).join()).expect("the work ends");
    let [here, there] = [per_run(work), per_run(on_a_thread)];
    let ratio = there.as_secs_f64() / here.as_secs_f64();
    assert!((0.5..2.0).contains(&ratio), "the clock measures work on a thread as {ratio:.2}× the same work here");
}

/// Works for some milliseconds.
fn work() {
    for round in 0..3_000_000_u64 {
        black_box(round.wrapping_mul(round));
    }
}

/// Returns the time that this process and its ended children have worked.
fn worked() -> Duration {
    let own = clock_gettime(ClockId::ProcessCPUTime);
    let own = Duration::try_from(own).expect("no process has worked for less than no time");
    own + of_children().unwrap_or_default()
}

fn of_children() -> Option<Duration> {
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which ends with the last bracket; `cutime` and `cstime` are 16 and 17 in proc(5), in hundredths.
    let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = fields.get(13)?.parse::<u64>().ok()? + fields.get(14)?.parse::<u64>().ok()?;
    Some(Duration::from_millis(ticks * 10))
}
