//! CPU time, for tests that bound work: unlike the time of day, it does not grow with the load of the machine.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};

/// Runs a function; returns its result and the CPU time that this thread spent on it. Work on other threads is not counted.
pub fn cpu_time<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = thread_time();
    let result = run();
    (result, thread_time().saturating_sub(start))
}

/// The same for all threads of the process. Tests of one binary share a process under `cargo test`, and not under nextest.
pub fn cpu_time_of_process<T>(run: impl FnOnce() -> T) -> (T, Duration) {
    let start = time_of(ClockId::ProcessCPUTime);
    let result = run();
    (result, time_of(ClockId::ProcessCPUTime).saturating_sub(start))
}

fn thread_time() -> Duration {
    time_of(ClockId::ThreadCPUTime)
}

fn time_of(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    let seconds = u64::try_from(time.tv_sec).expect("CPU time starts at zero");
    Duration::new(seconds, u32::try_from(time.tv_nsec).expect("nanoseconds are below a billion"))
}
