//! Waiting for events. The limit only keeps a hang from lasting for ever; it is no assertion about speed.

use std::process::{Child, Command, Output};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Far longer than any event of a test takes on a loaded machine.
pub const PATIENCE: Duration = Duration::from_secs(300);
/// How long a program of a test sleeps that must not end by itself, in seconds: far longer than `PATIENCE`.
pub const FOR_EVER: u32 = 3_600;

/// Waits until something is so; returns whether it came to be.
pub fn comes_to_be(is_so: impl Fn() -> bool) -> bool {
    let start = Instant::now();
    while !is_so() {
        if start.elapsed() > PATIENCE {
            return false;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    true
}

/// Runs a function on a thread of its own, and waits for its result.
///
/// # Panics
/// If it does not end, or panics.
pub fn result_of<T: Send + 'static>(run: impl FnOnce() -> T + Send + 'static) -> T {
    let (ended, end) = mpsc::channel();
    std::thread::spawn(move || ended.send(run()));
    end.recv_timeout(PATIENCE).expect("it ends, and does not panic")
}

/// Waits for the end of a process, and returns its output.
///
/// # Panics
/// If it does not end; it is killed then.
pub fn output_of(child: Child) -> Output {
    let process = child.id().to_string();
    let (ended, end) = mpsc::channel::<()>();
    let watchdog = std::thread::spawn(move || {
        let is_hanging = end.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        if is_hanging {
            Command::new("kill").args(["-s", "KILL", &process]).status().expect("`kill` is there");
        }
        is_hanging
    });
    let output = child.wait_with_output().expect("it is our child");
    drop(ended);
    assert!(!watchdog.join().expect("the watchdog does not panic"), "a process did not end: {output:?}");
    output
}
