//! CPU time, for tests that bound work: unlike the time of day, it does not grow with the load of the machine.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Runs a function; returns its result and the CPU time that this thread spent on it. Work on other threads is not counted.
pub fn cpu_time<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = thread_time();
    let result = run();
    (result, thread_time().saturating_sub(start))
}

fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).expect("CPU time starts at zero");
    Duration::new(seconds, u32::try_from(time.tv_nsec).expect("nanoseconds are below a billion"))
}
