//! The progress of a report: the number of its steps that are done, and which run.

use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

/// A step that runs: the module that is mapped or timed.
pub struct Running {
    pub module: String,
    pub since: Instant,
}

/// Called many times a second with the steps done, all steps, and those that run, the longest first.
pub type Progress<'a> = &'a (dyn Fn(usize, usize, &[Running]) + Sync);

pub struct Steps<'a> {
    state: Mutex<State>,
    progress: Progress<'a>,
}

#[derive(Default)]
struct State {
    done: usize,
    all: usize,
    running: Vec<Running>,
}

impl<'a> Steps<'a> {
    pub fn new(progress: Progress<'a>) -> Self {
        Steps { state: Mutex::default(), progress }
    }

    /// Tells how many steps there are beside those that were expected before.
    pub fn expect(&self, more: usize) {
        self.state().all += more;
    }

    /// Does the step for `module`.
    pub fn during<T>(&self, module: &str, work: impl FnOnce() -> T) -> T {
        self.state().running.push(Running { module: module.into(), since: Instant::now() });
        self.tell();
        let result = work();
        let mut state = self.state();
        state.running.retain(|running| running.module != module);
        state.done += 1;
        drop(state);
        self.tell();
        result
    }

    pub fn tell(&self) {
        let state = self.state();
        (self.progress)(state.done, state.all, &state.running);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic while held")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_counted_and_those_that_run_are_named() {
        let told = Mutex::new(vec![]);
        let progress = |done: usize, all: usize, running: &[Running]| {
            let running: Vec<&str> = running.iter().map(|r| r.module.as_str()).collect();
            told.lock().unwrap().push(format!("{done} of {all}: {}", running.join(" ")));
        };
        let steps = Steps::new(&progress);
        steps.expect(2);
        let result = steps.during("bank", || steps.during("hvu", || 7));
        assert_eq!(result, 7);
        assert_eq!(*told.lock().unwrap(), ["0 of 2: bank", "0 of 2: bank hvu", "1 of 2: bank", "2 of 2: "]);
    }
}
