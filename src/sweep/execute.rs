//! The runs of a sweep on the machine's cores, longest first; each is written when it ends. Results do not depend on how many
//! run at a time nor on the order in which they end.

use super::inputs::Given;
use super::numbers::Numbers;
use super::points::Run;
use super::store::{Ending, Finished, Key, Store};
use super::work::{Variant, Workload};
use crate::builds;
use crate::exit::{CheckFailed, Paused};
use crate::kernel::Tell;
use crate::limits::Limits;
use crate::progress::{clock, Progress};
use crate::simulate::Simulation;
use anyhow::{Context, Result};
use sim::attach::{models, Uses};
use sim::stats::Stats;
use sim::workload::Input;
use std::fmt;
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// Nodes and edges of a breadth-first search that takes about as long as the workloads that make their input themselves, at their
/// default sizes.
const REGULAR: u64 = 400_000;
/// The factor on a kernel's time with a verilated unit at each core.
const UNIT: u64 = 2;

pub struct Sweep<'a> {
    pub runs: &'a [Run],
    pub inputs: &'a [Given],
    /// One name per input, as the plan calls it.
    pub names: Vec<String>,
    pub keys: Vec<Key>,
    pub store: Store,
    /// At a time.
    pub jobs: usize,
    pub interrupt: Arc<AtomicBool>,
}

/// Shared by all threads.
struct State {
    /// One entry per run of the plan.
    finished: Vec<Option<Finished>>,
    /// The runs that are wanted; others are not looked at.
    wanted: Vec<usize>,
    /// Runs that were there before.
    taken_over: usize,
    running: Vec<Option<String>>,
    error: Option<anyhow::Error>,
    started: Instant,
}

impl Sweep<'_> {
    /// The runs that are `wanted`, in this order.
    ///
    /// # Errors
    /// [`Paused`] if the user did; a file that cannot be written. A run that fails is no error but an ending.
    pub fn make(&self, wanted: &[usize]) -> Result<Vec<Finished>> {
        let mut finished: Vec<_> = self.runs.iter().map(|_| None).collect();
        wanted.iter().for_each(|&i| finished[i] = self.finished(i));
        let taken_over = finished.iter().flatten().count();
        let mut order: Vec<usize> = wanted.iter().copied().filter(|&i| finished[i].is_none()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.weight(i)));
        let running = vec![None; self.jobs];
        let state =
            State { finished, wanted: wanted.to_vec(), taken_over, running, error: None, started: Instant::now() };
        let (state, progress) = (Arc::new(Mutex::new(state)), Arc::new(Progress::new(1)));
        builds::watch(&progress, 0, &self.interrupt);
        let next = AtomicUsize::new(0);
        let threads = rayon::ThreadPoolBuilder::new().num_threads(self.jobs).build().context("--jobs")?;
        threads.broadcast(|thread| {
            while let Some(&i) = order.get(next.fetch_add(1, SeqCst)) {
                if self.interrupt.load(Relaxed) || !self.one(i, thread.index(), &state, &progress) {
                    return;
                }
            }
        });
        progress.finish();
        let mut state = state.lock().expect("no panic while held");
        if let Some(error) = state.error.take() {
            return Err(error);
        }
        let done = state.finished.iter().flatten().count();
        wanted
            .iter()
            .map(|&i| state.finished[i].take())
            .collect::<Option<_>>()
            .ok_or_else(|| self.paused(done, wanted.len()))
    }

    /// A run that is kept already.
    pub fn finished(&self, run: usize) -> Option<Finished> {
        self.store.load(&self.keys[run])
    }

    fn paused(&self, done: usize, of: usize) -> anyhow::Error {
        Paused(format!("{done} of {of} runs are kept, the same command goes on with them")).into()
    }

    /// [`Self::weight`] of each run.
    pub fn weights(&self) -> Vec<u64> {
        (0..self.runs.len()).map(|i| self.weight(i)).collect()
    }

    /// The likely time of a run, in no unit. Searches with lengths, and forests, take some four times as many rounds.
    fn weight(&self, run: usize) -> u64 {
        let run = &self.runs[run];
        let rounds = if run.workload.name() == "bfs" { 1 } else { 4 };
        let work = match &self.inputs[run.input] {
            Given::Graph(graph) => (graph.nodes() + graph.edges()) as u64 * rounds,
            Given::Size(_) => REGULAR,
            Given::Kernel(kernel) => kernel.threads() * if run.variant.has_unit() { UNIT } else { 1 },
        };
        work * run.setting.config.core.count as u64
    }

    /// False: nothing more is to be run.
    fn one(&self, i: usize, thread: usize, state: &Arc<Mutex<State>>, progress: &Arc<Progress>) -> bool {
        let label = self.label(i);
        self.note(state, progress, |state| state.running[thread] = Some(label.clone()));
        // Another command may have made it in the meantime.
        let result = match self.finished(i) {
            Some(finished) => Ok(Some(finished)),
            None => self.simulate(i, thread, state, progress),
        };
        self.note(state, progress, |state| {
            state.running[thread] = None;
            match result {
                Ok(finished) => state.finished[i] = finished,
                Err(error) => state.error = Some(error),
            }
        });
        state.lock().expect("no panic while held").error.is_none()
    }

    fn label(&self, i: usize) -> String {
        let run = &self.runs[i];
        format!("{} {} on {}", run.workload.name(), run.variant.name(), self.names[run.input])
    }

    /// `None`: interrupted.
    fn simulate(
        &self,
        i: usize,
        thread: usize,
        state: &Arc<Mutex<State>>,
        progress: &Arc<Progress>,
    ) -> Result<Option<Finished>> {
        let run = &self.runs[i];
        let (label, weights) = (self.label(i), self.shares());
        let (shared, shown) = (state.clone(), progress.clone());
        let tell = Arc::new(move |text: String| {
            let mut state = shared.lock().expect("no panic while held");
            state.running[thread] = Some(format!("{label}: {}", text.split_once(": ").map_or("", |(_, rest)| rest)));
            shown.say(0, state.line(&weights));
        });
        let started = Instant::now();
        let outcome = self.outcome(run, tell);
        let (ending, statistics) = match outcome {
            Ok((numbers, statistics)) => (Ending::Verified(numbers), Some(statistics)),
            Err(_) if self.interrupt.load(Relaxed) => return Ok(None),
            Err(error) if error.is::<CheckFailed>() => (Ending::Failed(one_line(&error.to_string())), None),
            Err(error) => return Err(error),
        };
        let seconds = started.elapsed().as_secs_f64();
        let input = &self.names[run.input];
        self.store.save(&self.keys[i], run, input, seconds, ending, statistics.as_ref()).map(Some)
    }

    /// # Errors
    /// [`CheckFailed`] of a run that fails; others end the sweep.
    fn outcome(&self, run: &Run, tell: Tell) -> Result<(Numbers, Stats)> {
        let failed = |error: &dyn fmt::Display| CheckFailed(error.to_string());
        let (workload, variant, input) = match (&run.workload, &run.variant, &self.inputs[run.input]) {
            (_, variant, Given::Kernel(kernel)) => {
                return kernel.run(variant.name(), &run.setting, &self.interrupt, tell);
            }
            (Workload::Ours(workload), Variant::Ours(variant), Given::Graph(graph)) => {
                (*workload, *variant, Input::Graph { graph, source: graph.source })
            }
            (Workload::Ours(workload), Variant::Ours(variant), Given::Size(size)) => {
                (*workload, *variant, Input::Size(*size))
            }
            _ => unreachable!("a plan has workloads with inputs of theirs, or kernels"),
        };
        let config = &run.setting.config;
        let systems = models(config, Uses::from(variant)).map_err(|error| failed(&error))?;
        let (interrupt, limits) = (self.interrupt.clone(), Limits::default());
        let simulation = Simulation { workload, variant, config, input, interrupt, limits };
        let done = simulation.run(systems, move |line| tell(line)).map_err(|error| failed(&error))?;
        let statistics = done.statistics.clone();
        Ok((Numbers::new(done), statistics))
    }

    fn shares(&self) -> Weights {
        Weights { of_run: self.weights(), jobs: self.jobs }
    }

    fn note(&self, state: &Mutex<State>, progress: &Progress, change: impl FnOnce(&mut State)) {
        let mut state = state.lock().expect("no panic while held");
        change(&mut state);
        progress.say(0, state.line(&self.shares()));
    }
}

fn one_line(text: &str) -> String {
    text.split('\n').map(str::trim).collect::<Vec<_>>().join("; ")
}

/// The likely cost of the runs.
struct Weights {
    of_run: Vec<u64>,
    jobs: usize,
}

impl State {
    fn line(&self, weights: &Weights) -> String {
        let done = self.finished.iter().flatten().count();
        let before = match self.taken_over {
            0 => String::new(),
            n => format!(" ({n} from before)"),
        };
        let left = self.left(weights);
        let elapsed = clock(self.started.elapsed());
        let running = self.running.iter().flatten().cloned().collect::<Vec<_>>().join("; ");
        format!("{done} of {} runs{before}, {elapsed} elapsed, {left}; {running}", self.wanted.len())
    }

    fn left(&self, weights: &Weights) -> String {
        left(self.wanted.iter().map(|&i| (weights.of_run[i], self.finished[i].as_ref())), weights.jobs)
    }
}

/// The time that is left, in words: in proportion to the weights, from the times of finished runs; `jobs` run at once.
pub fn left<'a>(runs: impl Iterator<Item = (u64, Option<&'a Finished>)>, jobs: usize) -> String {
    let (mut seconds, mut done, mut open) = (0.0, 0, 0);
    for (weight, finished) in runs {
        match finished {
            Some(run) => (seconds, done) = (seconds + run.host_seconds, done + weight),
            None => open += weight,
        }
    }
    if done == 0 {
        return "time left unknown yet".into();
    }
    let left = Duration::from_secs_f64(seconds * open as f64 / done as f64 / jobs.max(1) as f64);
    format!("about {} left", clock(left))
}
