//! The runs of a sweep as tasks of a cluster, each a part of the runs. All that passes between the tasks and this command is the folder of
//! finished runs.

use super::engine::{Array, Engine, Job, Standing};
use super::execute::{left, Sweep};
use super::plan::Plan;
use super::shard::deal;
use super::store::Finished;
use crate::exit::{CheckFailed, Paused};
use crate::progress::{clock, Progress};
use crate::shell::quoted;
use anyhow::{Context, Result};
use output::replace;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Between two questions to the cluster: at first a second, and after a minute ten.
const INTERVALS: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(10)];
const FRESH: Duration = Duration::from_secs(60);
/// For so long after the end of the last task files may still come into sight on another machine.
const SETTLE: Duration = Duration::from_secs(5);
const TICK: Duration = Duration::from_millis(100);

pub struct Tasks<'a> {
    pub sweep: &'a Sweep<'a>,
    pub plan: &'a Plan,
    /// The plan's.
    pub file: &'a Path,
    pub out: &'a Path,
    pub count: usize,
}

impl Tasks<'_> {
    /// All runs of the plan, in their order. Tasks whose runs are there are not submitted.
    ///
    /// # Errors
    /// A missing tool; a cluster that does not answer; tasks that end without their runs.
    pub fn make(&self, engine: Engine) -> Result<Vec<Finished>> {
        let parts = deal(&self.sweep.weights(), self.count);
        let mut finished: Vec<_> = self.sweep.runs.iter().map(|_| None).collect();
        self.look(&mut finished);
        let open = open(&parts, &finished);
        if !open.is_empty() {
            let mut job = self.submit(engine, &open)?;
            eprintln!("{}: {} tasks for {} runs of {}", job.name(), open.len(), open_runs(&finished), finished.len());
            self.watch(job.as_mut(), &mut finished)?;
        }
        match open_runs(&finished) {
            0 => Ok(finished.into_iter().flatten().collect()),
            runs => Err(self.missing(runs, &parts, &finished).into()),
        }
    }

    /// The runs that have been finished in the meantime.
    fn look(&self, finished: &mut [Option<Finished>]) {
        for (run, known) in finished.iter_mut().enumerate().filter(|(_, known)| known.is_none()) {
            *known = self.sweep.finished(run);
        }
    }

    fn logs(&self) -> PathBuf {
        self.out.join("tasks")
    }

    fn submit(&self, engine: Engine, numbers: &[usize]) -> Result<Box<dyn Job>> {
        let logs = self.logs();
        fs::create_dir_all(&logs).with_context(|| format!("{}: cannot write", logs.display()))?;
        let script = logs.join("task.sh");
        replace(&script, self.script(engine)?.as_bytes())
            .with_context(|| format!("{}: cannot write", script.display()))?;
        let name = format!("unruly-{}", self.plan.name);
        let array = Array { name, script: &script, numbers, cores: self.sweep.jobs, logs: &logs };
        engine.submit(&array)
    }

    /// The script of each task: the part of its number.
    fn script(&self, engine: Engine) -> Result<String> {
        let program = std::env::current_exe().context("the program's own file")?;
        let [program, file, out] =
            [program.as_path(), self.file, self.out].map(|path| quoted(&path.display().to_string()));
        let (number, jobs, count) = (engine.number(), self.sweep.jobs, self.count);
        let command = format!("{program} sweep {file} --out {out} --shard \"{number}/{count}\" --jobs {jobs}");
        Ok(format!("#!/bin/sh\nexec {command} 2>&1\n"))
    }

    /// Until all tasks are over.
    fn watch(&self, job: &mut dyn Job, finished: &mut [Option<Finished>]) -> Result<()> {
        let (progress, started) = (Progress::new(1), Instant::now());
        while let Some(standing) = job.standing()? {
            self.look(finished);
            progress.say(0, self.line(finished, &standing, started.elapsed()));
            let interval = INTERVALS[usize::from(started.elapsed() > FRESH)];
            if !self.wait(interval) {
                progress.finish();
                let what = job.cancel();
                let done = finished.iter().flatten().count();
                return Err(Paused(format!("{done} of {} runs are kept, and {what}", finished.len())).into());
            }
        }
        progress.finish();
        let end = Instant::now();
        self.look(finished);
        while open_runs(finished) > 0 && end.elapsed() < SETTLE {
            sleep(TICK);
            self.look(finished);
        }
        Ok(())
    }

    /// False: interrupted.
    fn wait(&self, interval: Duration) -> bool {
        let begin = Instant::now();
        while begin.elapsed() < interval {
            if self.sweep.interrupt.load(Relaxed) {
                return false;
            }
            sleep(TICK);
        }
        true
    }

    fn line(&self, finished: &[Option<Finished>], standing: &Standing, elapsed: Duration) -> String {
        let Standing { running, waiting, why } = standing;
        let runs = self.sweep.weights().into_iter().zip(finished.iter().map(Option::as_ref));
        let left = left(runs, running * self.sweep.jobs);
        let why = if why.is_empty() || why == "None" { String::new() } else { format!(" ({why})") };
        let done = finished.iter().flatten().count();
        let elapsed = clock(elapsed);
        format!(
            "{done} of {} runs, {elapsed} elapsed, {left}; {running} tasks run, {waiting} wait{why}",
            finished.len()
        )
    }

    /// The tasks that have not done their part, and where they say why.
    fn missing(&self, runs: usize, parts: &[Vec<usize>], finished: &[Option<Finished>]) -> CheckFailed {
        let open = open(parts, finished);
        let log =
            |number: &usize| format!("task {}: see {}", number, self.logs().join(format!("{number}.log")).display());
        let shown: Vec<String> = open.iter().take(3).map(log).collect();
        let more =
            if open.len() > shown.len() { format!("; {} more tasks", open.len() - shown.len()) } else { String::new() };
        let text = format!(
            "{runs} of {} runs are missing, because tasks ended without them; {}{more}; the same command goes on with the rest",
            finished.len(),
            shown.join("; ")
        );
        CheckFailed(text)
    }
}

fn open_runs(finished: &[Option<Finished>]) -> usize {
    finished.iter().filter(|run| run.is_none()).count()
}

/// Numbers of the parts, from 1 on, of which runs are not there.
fn open(parts: &[Vec<usize>], finished: &[Option<Finished>]) -> Vec<usize> {
    let is_open = |(_, part): &(usize, &Vec<usize>)| part.iter().any(|&run| finished[run].is_none());
    parts.iter().enumerate().filter(is_open).map(|(place, _)| place + 1).collect()
}
