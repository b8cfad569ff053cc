//! One line of progress on standard error, for work that takes longer than two seconds.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sim::gpu;
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const QUIET: Duration = Duration::from_secs(2);
/// Between two lines where standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);
/// Cycles without a change after which the user is told.
const QUIET_CYCLES: u64 = 1_000_000;

/// A message for each of several jobs that may run at the same time.
pub struct Progress {
    bar: ProgressBar,
    started: Instant,
    state: Mutex<State>,
}

struct State {
    messages: Vec<String>,
    last_line: Instant,
}

impl Progress {
    pub fn new(jobs: usize) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        bar.set_style(ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}").expect("a fixed template"));
        let now = Instant::now();
        let state = State { messages: vec![String::new(); jobs], last_line: now };
        Progress { bar, started: now, state: Mutex::new(state) }
    }

    pub fn say(&self, job: usize, message: String) {
        let mut state = self.state.lock().expect("no panic while held");
        state.messages[job] = message;
        if self.started.elapsed() < QUIET {
            return;
        }
        let spoken: Vec<_> = state.messages.iter().filter(|m| !m.is_empty()).map(String::as_str).collect();
        let line = spoken.join("; ");
        if std::io::stderr().is_terminal() {
            if self.bar.is_hidden() {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
            }
            self.bar.set_message(line);
            self.bar.tick();
        } else if state.last_line.elapsed() >= LINE_INTERVAL {
            state.last_line = Instant::now();
            eprintln!("{:>4.0} s  {line}", self.started.elapsed().as_secs_f64());
        }
    }

    /// Does something with the terminal's line out of the way.
    pub fn aside<T>(&self, work: impl FnOnce() -> T) -> T {
        self.bar.suspend(work)
    }

    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// `2:05`, or `1:02:05` from an hour on.
pub fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds / 3600 {
        0 => format!("{}:{:02}", seconds / 60, seconds % 60),
        hours => format!("{hours}:{:02}:{:02}", seconds / 60 % 60, seconds % 60),
    }
}

/// The progress of a launch, in words.
pub fn shown(progress: &gpu::Progress) -> String {
    let gpu::Progress { cycle, warp_instructions, ctas, ctas_done, unchanged, .. } = progress;
    let quiet = match unchanged {
        ..QUIET_CYCLES => String::new(),
        cycles => format!(", nothing stored for {cycles} cycles"),
    };
    format!("{ctas_done} of {ctas} CTAs done, cycle {cycle}, {warp_instructions} warp instructions{quiet}")
}

/// From the time that the CTAs that have ended took.
pub fn left(elapsed: Duration, progress: &gpu::Progress) -> String {
    let open = progress.ctas - progress.ctas_done;
    match progress.ctas_done {
        0 => String::new(),
        done => format!(", about {} left", clock(elapsed.mul_f64(open as f64 / done as f64))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_is_that_of_the_ctas_left() {
        let at =
            |ctas_done| gpu::Progress { ctas: 100, ctas_done, cycle: 7, warp_instructions: 9, ..Default::default() };
        assert_eq!(left(Duration::from_secs(30), &at(25)), ", about 1:30 left");
        assert_eq!(left(Duration::from_secs(6000), &at(50)), ", about 1:40:00 left");
        assert_eq!(left(Duration::from_secs(30), &at(0)), "", "nobody knows");
        assert_eq!(shown(&at(25)), "25 of 100 CTAs done, cycle 7, 9 warp instructions");
        let quiet = gpu::Progress { unchanged: 2_000_000, ..at(25) };
        assert!(shown(&quiet).ends_with(", nothing stored for 2000000 cycles"), "{}", shown(&quiet));
    }
}
