//! Time that was worked. In: nothing. Out: the CPU time of this thread and of the processes that it waited for, where Linux
//! tells it, and otherwise the time on the wall: on a busy machine most of that is other people's.

use std::fs;
use std::time::{Duration, Instant};

/// A moment to measure from.
pub(crate) struct Clock {
    wall: Instant,
    worked: Option<Duration>,
}

impl Clock {
    pub(crate) fn start() -> Self {
        Self { worked: worked(), wall: Instant::now() }
    }

    pub(crate) fn elapsed(&self) -> Duration {
        match (self.worked, worked()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.wall.elapsed(),
        }
    }
}

/// How long is measured at the least: Linux counts a running thread every few milliseconds, and children in hundredths.
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

/// Returns the time that this thread and the ended children of this process have worked.
fn worked() -> Option<Duration> {
    let schedule = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let own = schedule.split_whitespace().next()?.parse().ok()?;
    let status = fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name, which ends with the last bracket; `cutime` and `cstime` are 16 and 17 in proc(5), in hundredths.
    let fields: Vec<&str> = status.rsplit_once(')')?.1.split_whitespace().collect();
    let children = fields.get(13)?.parse::<u64>().ok()? + fields.get(14)?.parse::<u64>().ok()?;
    Some(Duration::from_nanos(own) + Duration::from_millis(children * 10))
}
