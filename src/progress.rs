//! One line of progress on standard error, for work that takes longer than two seconds.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::sync::Mutex;
use std::time::{Duration, Instant};

const QUIET: Duration = Duration::from_secs(2);
/// Between two lines where standard error is not a terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(10);

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
